/* isa.c - the VPU as an instruction set of weft: what the generic parts see of it. */
#include "isa/vpu/insn.h"
#include "isa/vpu/made.h"
#include "isa/vpu/names.h"

#include <stdio.h>
#include <string.h>

/* ---- the reference: a row for each operation in each encoding ---- */

struct reference_row {
    const struct vpu_form *form;
    const struct vpu_op_row *op;
    char mnemonic[24], syntax[72], pattern[112], operands[40];
};

static struct vpu_made made = VPU_MADE;

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

/* The operands of the form's template that the operation has, and its modifiers. */
static void write_operands(const struct vpu_form *f, unsigned op, char *out)
{
    const char *at = f->row->text;
    enum vpu_item left_out = vpu_left_out(f, op);
    for (unsigned n = 0; n < f->nitems; n++) {
        size_t length = strcspn(at, ", ");
        if (f->item[n] != left_out) {
            memcpy(out, at, length);
            out += length;
            *out++ = ',';
        }
        at += length + (at[length] == ',');
    }
    strcpy(f->nitems ? out - 1 : out, at);
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
        return vpu_has_slot(f, VPU_F_X) ? "16 lanes of 8, 16 or 32 bits" : "16 lanes, memory or table";
    if (op->d_type == WEFT_TYPE_FLOAT && op->a_type == WEFT_TYPE_FLOAT)
        return op->class == VPU_COMPARE ? "f32, f32" : op->class == VPU_UNARY ? "f32 = f32" : "f32 = f32, f32";
    return "i32";
}

/* Numbers of vector data operations run over both values of X. */
static void fill_row(const struct vpu_form *f, unsigned number, unsigned op, struct reference_row *r)
{
    char operands[40];
    bool both = vpu_has_slot(f, VPU_F_X) && number >= VPU_X_SHARED;
    r->form = f;
    r->op = &vpu_ops[op];
    write_mnemonic(f, r->op, r->mnemonic, sizeof r->mnemonic);
    write_pattern(f, both && number >= 64 ? number - 16 : number, r->pattern, sizeof r->pattern);
    char *x = strstr(r->pattern, " X ");
    if (x && both)
        x[1] = number >= 64 ? '1' : '0';
    write_operands(f, op, operands);
    const char *cond = !f->conditional ? "" : r->op->uses & VPU_BRANCHES_ON ? "<cc>" : ".<cc>";
    snprintf(r->syntax, sizeof r->syntax, "%s%s%s%s", r->mnemonic, cond, *operands ? " " : "", operands);
    snprintf(r->operands, sizeof r->operands, "%s", operand_words(f, r->op));
}

static void *make_reference(struct arena *arena)
{
    const struct vpu_tables *t = vpu_tables();
    struct reference_row *reference = t ? ARENA_ARRAY(arena, struct reference_row, t->nrows + 1) : NULL;
    for (uint32_t i = 0; reference && i < t->nrows; i++)
        fill_row(&t->form[t->row[i].form], t->row[i].number, t->row[i].op, &reference[i]);
    return reference;
}

/* NULL: there is no such row, or no memory. */
static const struct reference_row *reference_row(uint32_t row)
{
    const struct reference_row *reference = vpu_make_once(&made, make_reference);
    return reference && row < vpu_tables()->nrows ? &reference[row] : NULL;
}

static void row_info(uint32_t row, struct isa_row_info *info)
{
    const struct reference_row *r = reference_row(row);
    if (!r)
        return;
    *info = (struct isa_row_info){
        .mnemonic = r->mnemonic,
        .syntax = r->syntax,
        .pattern = r->pattern,
        .group = r->op->group,
        .operands = r->operands,
        .provenance = (enum isa_provenance)r->op->provenance,
        .executes = r->op->lift != NULL,
        .doc = r->op->doc,
        .unit = r->form->vector ? "vector" : "scalar",
    };
}

/* Programs may write v16add for vadd, and the GNU port's names for the manual's. */
static bool row_is(uint32_t row, const char *word)
{
    struct vpu_mnemonic mnemonic;
    const struct reference_row *r = reference_row(row);
    return r && vpu_find_mnemonic(word, strlen(word), &mnemonic) && mnemonic.op < VPU_DATA &&
           r->op == &vpu_ops[mnemonic.op];
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

static const struct isa_meant meant[] = {
#define MEANT(theirs, write, why) ISA_MEANT(theirs, write)
#include "isa/vpu/hints.inc"
#undef MEANT
    {NULL, NULL}};

const struct isa isa_vpu = {
    .name = "vpu",
    .title = "Broadcom VideoCore IV VPU",
    .document = "VideoCore IV Programmers Manual (independent)",
    .stages = 1 << IR_COMPUTE,
    .differences = vpu_differences,
    .takes_linkage = true,
    .takes_base = true,
    .takes_entry = true,
    .labels = true, /* its text has them anyway */
    .separator = " @ ",
    .has_places = true,
    .unit = 2,
    .nrows = VPU_ROWS,
    .row_info = row_info,
    .row_is = row_is,
    .meant = meant,
    .insn = &vpu_insn_ops,
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
