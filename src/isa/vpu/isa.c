/* isa.c - the VPU as an instruction set of weft: what the generic parts see of it. */
#include "isa/vpu/names.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- the reference: a row for each operation in each encoding ---- */

struct reference_row {
    const struct vpu_form *form;
    const struct vpu_op_row *op;
    char mnemonic[24], syntax[72], pattern[112], operands[40];
};

static struct arena reference_arena;
static struct reference_row *reference;
static uint32_t reference_count;
static pthread_once_t reference_once = PTHREAD_ONCE_INIT;

/* The pattern with the operation's number in place of the field op. */
static void write_pattern(const struct vpu_form *f, unsigned number, char *out, size_t size)
{
    const char *text = f->row->pattern, *at = strstr(text, "op:");
    if (!at) {
        snprintf(out, size, "%s", text);
        return;
    }
    int width = at[3] - '0';
    char bits[8] = "";
    for (int i = 0; i < width; i++)
        bits[i] = (char)('0' + (number >> (width - 1 - i) & 1));
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, bits, at + 4);
}

/* What the operand syntax of a shape is; the names are those of the pattern. */
static const char *scalar_syntax(const struct vpu_form *f, const struct vpu_op_row *op)
{
    bool immediate = f->immediate;
    switch (f->row->shape) {
    case VPU_SHAPE_REGISTER:
        return "rd";
    case VPU_SHAPE_NUMBER:
        return "u";
    case VPU_SHAPE_LIST:
        if (f->row->flags & VPU_LINK)
            return f->row->op == VPU_LDM ? "rb-rm,pc,(sp++)" : "rb-rm,lr,(--sp)";
        return f->row->op == VPU_LDM ? "rb-rm,(sp++)" : "rb-rm,(--sp)";
    case VPU_SHAPE_ACCESS:
        if (f->row->mode == VPU_INDEX)
            return "rd,(ra+rb<<w)";
        if (f->row->mode == VPU_PREDEC)
            return "rd,(--ra)";
        return f->row->mode == VPU_POSTINC ? "rd,(ra++)" : "rd,(ra+o)";
    case VPU_SHAPE_NEAR:
    case VPU_SHAPE_LEA:
        return "rd,target";
    case VPU_SHAPE_BRANCH:
        return "target";
    case VPU_SHAPE_ADDCMPB:
        if (f->row->flags & VPU_STEP)
            return immediate ? "rd,i,u,target" : "rd,i,rs,target";
        return immediate ? "rd,ra,u,target" : "rd,ra,rs,target";
    case VPU_SHAPE_TWO:
        return immediate ? "rd,i" : "rd,rs";
    case VPU_SHAPE_CONTROL:
        return f->row->op == VPU_MOV_TO_P ? "pd,ra" : "rd,pa";
    case VPU_SHAPE_THREE:
        if (op->class == VPU_UNARY)
            return immediate ? "rd,i" : "rd,rb";
        if (op->class == VPU_COMPARE)
            return immediate ? "ra,i" : "ra,rb";
        return immediate ? "rd,ra,i" : "rd,ra,rb";
    default:
        return "";
    }
}

static const char *vector_syntax(const struct vpu_form *f, unsigned number)
{
    bool addressed = f->row->shape == VPU_SHAPE_VMEM && (VPU_ADDRESSED >> (number & 31) & 1);
    if (addressed && vpu_has_slot(f, VPU_F_rb)) {
        if (vpu_is_load(VPU_VMEM + number))
            return f->size == 6 ? "D,(rb) [SETF]" : "D,(rb+i[+=rs]) [REP] [SETF] [IFxx]";
        return f->size == 6 ? "A,(rb) [SETF]" : "A,(rb+i[+=rs]) [REP] [SETF] [IFxx]";
    }
    if (f->size == 6) {
        if (vpu_has_slot(f, VPU_F_b))
            return "D[+rs],A[+rs],B[+rs]";
        return vpu_has_slot(f, VPU_F_rb) ? "D[+rs],A[+rs],rb [SETF]" : "D[+rs],A[+rs],i [SETF] [IFxx]";
    }
    if (vpu_has_slot(f, VPU_F_b))
        return "D,A,B [REP] [SETF] [IFxx] [SRU|ACC]";
    return vpu_has_slot(f, VPU_F_rb) ? "D,A,rb+i [REP] [SETF] [IFxx] [SRU|ACC]" : "D,A,i [REP] [SETF] [IFxx] [SRU|ACC]";
}

/* The manual's mnemonic: vadd, readlut is vreadlut. */
static void write_mnemonic(const struct vpu_form *f, const struct vpu_op_row *op, char *out, size_t size)
{
    const char *name = op->manual ? op->manual : op->name;
    bool prefix = f->vector && name[0] != 'v';
    snprintf(out, size, "%s%s", prefix ? "v" : "", name);
}

static const char *operand_words(const struct vpu_form *f, const struct vpu_op_row *op)
{
    if (f->vector)
        return f->row->shape == VPU_SHAPE_VMEM ? "16 lanes, memory or table" : "16 lanes of 8, 16 or 32 bits";
    if (f->row->op == VPU_FLOAT)
        return op->class == VPU_COMPARE ? "f32, f32" : op->class == VPU_UNARY ? "f32 = f32" : "f32 = f32, f32";
    return "i32";
}

static void add_row(const struct vpu_form *f, unsigned number, unsigned op)
{
    struct reference_row *r = &reference[reference_count++];
    r->form = f;
    r->op = &vpu_ops[op];
    write_mnemonic(f, r->op, r->mnemonic, sizeof r->mnemonic);
    write_pattern(f, number, r->pattern, sizeof r->pattern);
    const char *operands = f->vector ? vector_syntax(f, number) : scalar_syntax(f, r->op);
    const char *cond =
        f->conditional ? (f->row->shape == VPU_SHAPE_BRANCH || f->row->shape == VPU_SHAPE_ADDCMPB ? "<cc>" : ".<cc>")
                       : "";
    snprintf(r->syntax, sizeof r->syntax, "%s%s%s%s", r->mnemonic, cond, *operands ? " " : "", operands);
    snprintf(r->operands, sizeof r->operands, "%s", operand_words(f, r->op));
}

/* Numbers of vector data operations run over both values of X. */
static void add_form(const struct vpu_form *f)
{
    unsigned every = f->row->every ? f->row->every : 1;
    for (unsigned number = 0; number < f->row->ops; number++) {
        if (f->row->shape == VPU_SHAPE_VMEM && f->row->only && !(f->row->only >> number & 1))
            continue;
        if (number + 1 == f->row->except)
            continue;
        add_row(f, f->row->shape == VPU_SHAPE_VDATA && number >= 64 ? number - 16 : number,
                f->row->op + number * every);
        char *x = strstr(reference[reference_count - 1].pattern, " X ");
        if (x && number >= 48)
            x[1] = number >= 64 ? '1' : '0';
    }
}

static void make_reference(void)
{
    const struct vpu_tables *t = vpu_tables();
    uint32_t total = 0;
    for (uint32_t i = 0; t && i < t->nforms; i++)
        total += t->form[i].row->ops;
    reference = ARENA_ARRAY(&reference_arena, struct reference_row, total + 1);
    for (uint32_t i = 0; reference && t && i < t->nforms; i++)
        add_form(&t->form[i]);
}

static void row_info(uint32_t row, struct isa_row_info *info)
{
    pthread_once(&reference_once, make_reference);
    if (row >= reference_count)
        return;
    const struct reference_row *r = &reference[row];
    *info = (struct isa_row_info){
        .mnemonic = r->mnemonic,
        .syntax = r->syntax,
        .pattern = r->pattern,
        .group = r->op->group,
        .operands = r->operands,
        .provenance = (enum isa_provenance)r->op->provenance,
        .executes = r->op->lift != NULL,
        .doc = r->op->doc,
    };
}

/* Programs may write v16add for vadd, and the GNU port's names for the manual's. */
static bool row_is(uint32_t row, const char *word)
{
    struct vpu_mnemonic mnemonic;
    pthread_once(&reference_once, make_reference);
    return row < reference_count && vpu_find_mnemonic(word, strlen(word), &mnemonic) && mnemonic.op < VPU_DATA &&
           reference[row].op == &vpu_ops[mnemonic.op];
}

/* Bare programs and those of dispatches are the same. */
static int stage_of(const struct isa_module *m)
{
    (void)m;
    return IR_COMPUTE;
}

static size_t unknown_of(const struct isa_module *m)
{
    return m->unknown;
}

/* NROWS is checked by the tests against the tables. */
const struct isa isa_vpu = {
    .name = "vpu",
    .title = "Broadcom VideoCore IV VPU",
    .document = "VideoCore IV Programmers Manual (independent)",
    .differences = vpu_differences,
    .takes_linkage = true,
    .takes_base = true,
    .takes_entry = true,
    .labels = true, /* its text has them anyway */
    .separator = " @ ",
    .has_places = true,
    .unit = 2,
    .nrows = VPU_REFERENCE_ROWS,
    .row_info = row_info,
    .row_is = row_is,
    .parse = vpu_parse,
    .print = vpu_print,
    .decode = vpu_decode,
    .encode = vpu_encode,
    .encode_elf = vpu_encode_elf,
    .check = vpu_check,
    .lift = vpu_lift,
    .stage = stage_of,
    .unknown = unknown_of,
};
