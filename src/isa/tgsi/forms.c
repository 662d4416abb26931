/* forms.c - an example of each form of an instruction (weft/insn.h): the tokens that it may have. */
#include "isa/tgsi/insn.h"

#include "isa/tgsi/tokens_rules.h"

#include <string.h>

struct form {
    const char *name;
    bool (*has)(const struct tgsi_row *row);
    void (*change)(struct tgsi_insn *in);
};

static bool always(const struct tgsi_row *row)
{
    (void)row;
    return true;
}

static bool has_label(const struct tgsi_row *row)
{
    return row->label;
}

static bool has_offsets(const struct tgsi_row *row)
{
    return row->offsets;
}

static bool has_operands(const struct tgsi_row *row)
{
    return row->ndst + row->nsrc > 0;
}

static bool may_be_bare(const struct tgsi_row *row)
{
    return tgsi_may_stand_bare(row);
}

static struct tgsi_operand *first_operand(struct tgsi_insn *in)
{
    return in->ndst ? &in->dst[0] : &in->src[0];
}

static void plain(struct tgsi_insn *in)
{
    (void)in;
}

static void bare(struct tgsi_insn *in)
{
    in->nsrc = 0;
}

static void label(struct tgsi_insn *in)
{
    in->has_label = true;
}

static void offset(struct tgsi_insn *in)
{
    in->noffsets = 1;
}

static void brackets(struct tgsi_insn *in)
{
    const struct tgsi_index address = {.indirect = true, .file = TGSI_ADDRESS};
    first_operand(in)->dimensional = true;
    first_operand(in)->index = first_operand(in)->dim = address;
}

static const struct form forms[] = {
    {"", always, plain},
    {"without stream", may_be_bare, bare},
    {"label", has_label, label},
    {"offset", has_offsets, offset},
    {"two brackets, both indirect", has_operands, brackets},
};

/* Registers are NULL[0].xxxx, and written whole: no mask is empty. */
static void example(uint32_t number, struct tgsi_insn *in)
{
    const struct tgsi_row *row = &tgsi_rows[number];
    in->opcode = (uint16_t)number;
    in->ndst = row->ndst;
    in->nsrc = row->nsrc;
    in->has_target = row->texture;
    for (unsigned i = 0; i < in->ndst; i++)
        in->dst[i].mask = 15;
}

static const char *instruction(uint32_t number, uint32_t form, struct tgsi_insn *in)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (!forms[i].has(&tgsi_rows[number]))
            continue;
        if (form-- == 0) {
            example(number, in);
            forms[i].change(in);
            return forms[i].name;
        }
    }
    return NULL;
}

static const char *declaration(uint32_t form, struct tgsi_decl *d)
{
    static const struct {
        const char *name;
        struct tgsi_decl decl;
    } declarations[] = {
        {"", {.mask = 15}},
        {"dimension", {.mask = 15, .dimensional = true}},
        {"interpolation", {.file = TGSI_INPUT, .mask = 15, .has_interp = true}},
        {"semantic", {.file = TGSI_OUTPUT, .mask = 15, .has_semantic = true}},
        {"image", {.file = TGSI_IMAGE, .mask = 15}},
        {"resource", {.file = TGSI_RESOURCE, .mask = 15}},
        {"view", {.file = TGSI_SAMPLER_VIEW, .mask = 15}},
        {"array", {.file = TGSI_TEMPORARY, .mask = 15, .array = 1}},
        {"location", {.file = TGSI_INPUT, .mask = 15, .location = TGSI_LOC_CENTROID}},
    };
    if (form >= sizeof declarations / sizeof *declarations)
        return NULL;
    *d = declarations[form].decl;
    return declarations[form].name;
}

size_t tgsi_form(const struct isa_decoder *d, uint32_t row, uint32_t form, uint8_t *bytes, const char **name)
{
    struct tgsi_decl decl;
    struct tgsi_imm imm = {0};
    struct tgsi_property property = {.count = 1};
    struct tgsi_operands operands = {0};
    struct tgsi_insn insn = {0};
    struct tgsi_item item = {0};
    struct isa_module m = {.processor = tgsi_processor_of(d->stage),
                           .decls = &decl,
                           .imms = &imm,
                           .props = &property,
                           .insns = &insn,
                           .items = &item,
                           .nitems = row != TGSI_ROW_PROCESSOR};
    const char *called = form ? NULL : "";
    tgsi_use_operands(&insn, &operands);
    if (row < TGSI_OPS)
        called = instruction(row, form, &insn);
    else if (row == TGSI_ROW_DCL)
        called = declaration(form, &decl);
    item.kind = row < TGSI_OPS        ? TGSI_ITEM_INSN
                : row == TGSI_ROW_DCL ? TGSI_ITEM_DECL
                : row == TGSI_ROW_IMM ? TGSI_ITEM_IMM
                                      : TGSI_ITEM_PROPERTY;
    if (!called)
        return 0;
    *name = called;
    size_t front = row == TGSI_ROW_PROCESSOR ? 0 : 4 * TGSI_HEADER_TOKENS, size = 0;
    struct arena arena = {0};
    uint8_t *made;
    if (tgsi_encode(&m, &arena, &made, &size, NULL) == WEFT_OK && size >= front && size - front <= ISA_FORM_BYTES)
        memcpy(bytes, made + front, size -= front);
    else
        size = 0;
    arena_free(&arena);
    return size;
}
