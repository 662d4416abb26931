/* linkage.c - reading linkage lines (docs/manual/vpu.md). */
#include "isa/vpu/linkage.h"

#include "isa/linkage.h"
#include "isa/vpu/names.h"

struct reader {
    struct scan s;
    struct vpu_linkage *out;
};

/* `storage B address`, `storage B size`, `uniform B address` */
static bool read_buffer(struct reader *r, bool storage, struct vpu_link *out)
{
    static const char *const parts[] = {"address", "size"};
    uint32_t buffer;
    if (!scan_number_to(&r->s, VPU_LINK_BUFFERS - 1, &buffer))
        return false;
    int part = scan_choice(&r->s, parts, storage ? 2 : 1, storage ? "address or size" : "address");
    if (part == 1)
        *out = (struct vpu_link){VPU_LINK_STORAGE_SIZE, buffer};
    else
        *out = (struct vpu_link){VPU_LINK_NUMBER, storage ? VPU_JOB_STORAGE(buffer) : VPU_JOB_UNIFORM(buffer)};
    return part >= 0;
}

/* `push address`, `push byte N` */
static bool read_push(struct reader *r, struct vpu_link *out)
{
    static const char *const parts[] = {"address", "byte"};
    int part = scan_choice(&r->s, parts, 2, "address or byte");
    *out = (struct vpu_link){VPU_LINK_NUMBER, VPU_JOB_UNIFORM(VPU_LINK_PUSH)};
    if (part != 1)
        return part == 0;
    out->kind = VPU_LINK_PUSH_WORD;
    const char *from = r->s.p;
    if (!scan_number_to(&r->s, 0xfffc, &out->value))
        return false;
    return out->value % 4 == 0 ||
           scan_error(&r->s, scan_span(&r->s, from), "out-of-range", NULL, "words begin at multiples of 4");
}

static bool read_value(struct reader *r, struct vpu_link *out)
{
    static const char *const sources[] = {"storage", "uniform", "push", "group", "groups"};
    static const char *const axes[] = {"x", "y", "z", "number"};
    scan_blanks(&r->s);
    if (scan_is(*r->s.p, SCAN_DIGIT)) {
        out->kind = VPU_LINK_NUMBER;
        return scan_number_to(&r->s, UINT32_MAX, &out->value);
    }
    int source = scan_choice(&r->s, sources, 5, "a number, storage, uniform, push, group or groups");
    switch (source) {
    case 0:
    case 1:
        return read_buffer(r, source == 0, out);
    case 2:
        return read_push(r, out);
    case 3:
    case 4: {
        int axis = scan_choice(&r->s, axes, source == 3 ? 4 : 3, source == 3 ? "x, y, z or number" : "x, y or z");
        *out = (struct vpu_link){source == 3 ? VPU_LINK_GROUP : VPU_LINK_GROUPS, (uint32_t)axis};
        return axis >= 0;
    }
    default:
        return false;
    }
}

/* The register that a word names, as the assembler knows it; -1: none. */
static int register_of(const char *word, size_t length)
{
    int reg = vpu_find_register(word, length);
    return reg < VPU_LINK_REGISTERS ? reg : -1;
}

static bool read_line(void *reader)
{
    static const char *const kinds[] = {"stack", "r0", "gp", "sp", "lr"};
    struct reader *r = reader;
    const char *word;
    size_t n = scan_word(&r->s, &word);
    if (!n)
        return scan_expected(&r->s, "a register or 'stack'");
    if (scan_word_is(word, n, "stack"))
        return scan_number_to(&r->s, VPU_JOB_MOST_STACK, &r->out->stack);
    int reg = register_of(word, n);
    if (reg < 0)
        return scan_unknown(&r->s, "unknown-linkage", "word of the linkage", word, n, kinds, 5);
    if (!scan_take(&r->s, '='))
        return scan_expected(&r->s, "'='");
    return read_value(r, &r->out->reg[reg]);
}

/* A function's arguments: the buffers, the push constants, the workgroup's number. */
static void set_defaults(struct vpu_linkage *out)
{
    *out = (struct vpu_linkage){.stack = VPU_JOB_STACK};
    for (unsigned n = 0; n < 4; n++)
        out->reg[n].value = VPU_JOB_STORAGE(n);
    out->reg[4].value = VPU_JOB_UNIFORM(VPU_LINK_PUSH);
    out->reg[5] = (struct vpu_link){VPU_LINK_GROUP, 3};
    for (unsigned c = 0; c < 3; c++) {
        out->reg[6 + c] = (struct vpu_link){VPU_LINK_GROUP, c};
        out->reg[9 + c] = (struct vpu_link){VPU_LINK_GROUPS, c};
    }
    out->reg[VPU_SP].value = VPU_JOB_STACK_END;
    out->reg[VPU_LR].value = VPU_JOB_RETURN;
}

weft_status vpu_read_linkage(const struct isa_linkage *text, struct arena *arena, struct vpu_linkage *out,
                             weft_diags *diags)
{
    struct reader r = {.out = out};
    set_defaults(out);
    return linkage_read(&r.s, text, arena, diags, read_line, &r);
}
