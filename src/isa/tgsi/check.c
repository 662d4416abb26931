/* check.c - the rules of TGSI beyond its syntax.
 *
 * Declarations are in check_decls.c, control flow in check_flow.c; here are the instructions and their operands. The
 * rules are those of the document and of what Gallium's own check refuses; older dialects pass (see docs/manual/tgsi.md
 * for the list). */
#include "isa/tgsi/access.h"
#include "isa/tgsi/check.h"
#include "isa/tgsi/lookup.h"

#include <stdarg.h>
#include <stdio.h>

#define FILE_BIT(file) (1u << (file))

enum {
    FILES_SAMPLER = FILE_BIT(TGSI_SAMPLER),
    FILES_VIEW = FILE_BIT(TGSI_SAMPLER_VIEW) | FILE_BIT(TGSI_RESOURCE), /* RES: the document's older name of a view */
    FILES_RESOURCE = FILE_BIT(TGSI_RESOURCE) | FILE_BIT(TGSI_IMAGE) | FILE_BIT(TGSI_BUFFER) | FILE_BIT(TGSI_MEMORY) |
                     FILE_BIT(TGSI_CONSTBUF) | FILE_BIT(TGSI_HW_ATOMIC),
    FILES_STORED = FILE_BIT(TGSI_RESOURCE) | FILE_BIT(TGSI_IMAGE) | FILE_BIT(TGSI_BUFFER) | FILE_BIT(TGSI_MEMORY),
    FILES_VALUE = FILE_BIT(TGSI_NULL) | FILE_BIT(TGSI_CONSTANT) | FILE_BIT(TGSI_INPUT) | FILE_BIT(TGSI_OUTPUT) |
                  FILE_BIT(TGSI_TEMPORARY) | FILE_BIT(TGSI_ADDRESS) | FILE_BIT(TGSI_IMMEDIATE) |
                  FILE_BIT(TGSI_SYSTEM_VALUE) | FILE_BIT(TGSI_PREDICATE),
    /* registers that may hold handles of samplers and images: see SAMP2HND, IMG2HND */
    FILES_HANDLE = FILE_BIT(TGSI_CONSTANT) | FILE_BIT(TGSI_INPUT) | FILE_BIT(TGSI_TEMPORARY),
    FILES_ADDRESS = FILES_VALUE & ~FILE_BIT(TGSI_NULL), /* a new Gallium takes any of them as an address */
    FILES_WRITTEN = FILE_BIT(TGSI_NULL) | FILE_BIT(TGSI_OUTPUT) | FILE_BIT(TGSI_TEMPORARY) | FILE_BIT(TGSI_ADDRESS) |
                    FILE_BIT(TGSI_PREDICATE)
};

void tgsi_check_report(struct tgsi_checker *c, weft_severity sev, const char *code, struct span where, const char *hint,
                       const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    c->errors += sev == WEFT_ERROR;
    if (c->src)
        diag_at(c->diags, sev, code, c->src, where, hint, "%s", text);
    else
        diag_at(c->diags, sev, code, NULL, where, hint, "%s: %s", c->place, text);
}

/* ---- registers ---- */

/* Of the primitives that a program reads; of patches, as many as a tessellation stage may have. */
static uint32_t vertices_of(const struct isa_module *m)
{
    uint32_t vertices = m->processor == TGSI_GEOM ? tgsi_primitive_vertices(m) : 0;
    return vertices ? vertices : TGSI_PATCH_VERTICES;
}

static bool is_special_resource(const struct tgsi_operand *op)
{
    return op->file == TGSI_RESOURCE && !op->index.indirect && !op->dimensional &&
           op->index.value >= TGSI_RESOURCE_INPUT && op->index.value <= TGSI_RESOURCE_GLOBAL;
}

/* The register that holds an address: must be of a file of numbers, and declared. */
static void check_address(struct tgsi_checker *c, const struct tgsi_operand *op, const struct tgsi_index *ix)
{
    const char *name = tgsi_file_names[ix->file];
    if (!(FILES_ADDRESS & FILE_BIT(ix->file))) {
        tgsi_check_report(c, WEFT_ERROR, "bad-address", op->where, NULL,
                          "%s[%d] cannot hold an address; expected ADDR or another register of numbers", name, ix->reg);
        return;
    }
    if (ix->reg > TGSI_CHECK_OPERAND_MAX) {
        tgsi_check_report(c, WEFT_ERROR, "register-limit", op->where, NULL,
                          "%s[%d] is beyond register %d, the last there is", name, ix->reg, TGSI_CHECK_OPERAND_MAX);
        return;
    }
    uint32_t reg = (uint32_t)ix->reg;
    if (ix->file == TGSI_IMMEDIATE ? reg >= c->m->nimms : !tgsi_check_is_declared(c, ix->file, 0, reg))
        tgsi_check_report(c, WEFT_ERROR, "undeclared", op->where, tgsi_check_nearest(c, ix->file, 0, reg),
                          "address register %s[%u] is not declared", name, reg);
    else
        tgsi_check_note_use(c, ix->file, 0, reg);
}

static void report_undeclared(struct tgsi_checker *c, const struct tgsi_operand *op, uint32_t dim, bool dimensional)
{
    const char *name = tgsi_file_names[op->file];
    uint32_t index = (uint32_t)op->index.value;
    const char *hint = tgsi_check_nearest(c, op->file, dim, index);
    if (!hint && c->errors <= TGSI_CHECK_HINTS)
        hint = dimensional ? arena_printf(c->arena, "declare it: 'DCL %s[%u][%u]'", name, dim, index)
                           : arena_printf(c->arena, "declare it: 'DCL %s[%u]'", name, index);
    if (dimensional)
        tgsi_check_report(c, WEFT_ERROR, "undeclared", op->where, hint, "%s[%u][%u] is not declared", name, dim, index);
    else
        tgsi_check_report(c, WEFT_ERROR, "undeclared", op->where, hint, "%s[%u] is not declared", name, index);
}

static void check_immediate(struct tgsi_checker *c, const struct tgsi_operand *op)
{
    uint32_t n = c->m->nimms;
    if (!n) {
        tgsi_check_report(c, WEFT_ERROR, "undeclared", op->where, NULL, "the program has no immediates");
    } else if (!op->index.indirect && (uint32_t)op->index.value >= n) {
        const char *hint =
            c->errors <= TGSI_CHECK_HINTS ? arena_printf(c->arena, "the last one is IMM[%u]", n - 1) : NULL;
        tgsi_check_report(c, WEFT_ERROR, "undeclared", op->where, hint, "IMM[%d] is not there", op->index.value);
    }
}

/* Whether an operand has as many brackets as its declaration. Tessellation stages have both kinds in one file: an
 * empty bracket for the vertices of a patch, none for the patch itself. */
static bool brackets_fit(const struct tgsi_checker *c, const struct tgsi_operand *op)
{
    if (op->file == TGSI_CONSTANT) /* CONST[i] is CONST[0][i] */
        return true;
    if (!(op->dimensional ? c->two_brackets : c->one_bracket)[op->file])
        return !tgsi_check_has_any(c, op->file, UINT32_MAX);
    if (!c->vertices[op->file] || !c->one_bracket[op->file] || op->index.indirect)
        return true;
    const struct tgsi_decl *d = tgsi_check_find(c, op->file, 0, (uint32_t)op->index.value);
    return !d || tgsi_has_first_bracket(d) == op->dimensional;
}

/* Inputs of a geometry or tessellation stage: the first bracket is a vertex, not part of the declaration. */
static bool names_a_vertex(const struct tgsi_checker *c, const struct tgsi_operand *op)
{
    return op->dimensional && c->vertices[op->file];
}

static void check_array_id(struct tgsi_checker *c, const struct tgsi_operand *op, uint32_t id)
{
    if (id && !tgsi_check_find_array(c, op->file, id))
        tgsi_check_report(c, WEFT_ERROR, "undeclared", op->where, NULL, "%s has no ARRAY(%u)",
                          tgsi_file_names[op->file], id);
}

static void check_register(struct tgsi_checker *c, const struct tgsi_operand *op)
{
    if (op->index.indirect)
        check_address(c, op, &op->index);
    if (op->dimensional && op->dim.indirect)
        check_address(c, op, &op->dim);
    if (op->file == TGSI_NULL || is_special_resource(op))
        return;
    if (op->file == TGSI_IMMEDIATE) {
        check_immediate(c, op);
        return;
    }
    const char *name = tgsi_file_names[op->file];
    if ((!op->index.indirect && op->index.value > TGSI_CHECK_OPERAND_MAX) ||
        (op->dimensional && !op->dim.indirect && op->dim.value > TGSI_CHECK_OPERAND_MAX)) {
        tgsi_check_report(c, WEFT_ERROR, "register-limit", op->where, NULL,
                          "%s goes beyond register %d, the last there is", name, TGSI_CHECK_OPERAND_MAX);
        return;
    }
    if (!brackets_fit(c, op)) {
        tgsi_check_report(c, WEFT_ERROR, "brackets", op->where, NULL, "%s has %s; expected %s", name,
                          op->dimensional ? "two brackets" : "one bracket",
                          op->dimensional ? "one" : "two, as it is declared");
        return;
    }
    check_array_id(c, op, op->index.array);

    bool vertex = names_a_vertex(c, op);
    if (vertex && !op->dim.indirect && (uint32_t)op->dim.value >= vertices_of(c->m))
        tgsi_check_report(c, WEFT_ERROR, "vertex-range", op->where, NULL, "vertex %d of a primitive that has %u",
                          op->dim.value, vertices_of(c->m));
    bool any_dim = op->dimensional && op->dim.indirect && !vertex;
    uint32_t dim = op->dimensional && !vertex && !any_dim ? (uint32_t)op->dim.value : 0;
    if (op->index.indirect || any_dim) {
        if (!tgsi_check_has_any(c, op->file, any_dim ? UINT32_MAX : dim))
            tgsi_check_report(c, WEFT_ERROR, "undeclared", op->where, tgsi_check_nearest(c, op->file, dim, 0),
                              "%s is addressed indirectly, and no register of it is declared", name);
        tgsi_check_note_indirect(c, op->file, op->index.array);
        return;
    }
    uint32_t index = (uint32_t)op->index.value;
    if (op->file == TGSI_MEMORY)
        index = tgsi_memory_number(c->m, index);
    if (tgsi_check_is_declared(c, op->file, dim, index))
        tgsi_check_note_use(c, op->file, dim, index);
    else
        report_undeclared(c, op, dim, op->dimensional && !vertex);
}

/* ---- operands ---- */

static bool is_integer(uint8_t type)
{
    return type == TGSI_T_I32 || type == TGSI_T_U32 || type == TGSI_T_I64 || type == TGSI_T_U64;
}

/* The files that a source without numbers may be of: a sampler, a view, a memory. */
static uint32_t source_files(const struct tgsi_insn *in, const struct tgsi_row *row, unsigned source)
{
    if (row->src_type[source] != TGSI_T_NONE)
        return FILES_VALUE;
    switch ((enum tgsi_unit)row->unit) {
    case TGSI_UNIT_COLOR:
        return FILE_BIT(TGSI_OUTPUT);
    case TGSI_UNIT_PLAIN_SAMPLER:
        return FILES_SAMPLER;
    case TGSI_UNIT_SAMPLER:
        return FILES_SAMPLER | FILES_HANDLE;
    case TGSI_UNIT_IMAGE:
        return FILE_BIT(TGSI_IMAGE);
    case TGSI_UNIT_STORAGE:
        return row->memory && in->has_target ? FILES_RESOURCE | FILES_HANDLE : FILES_RESOURCE;
    case TGSI_UNIT_VIEW:
    case TGSI_UNIT_NONE:
        break;
    }
    return (int)source == tgsi_lookup_view_source(row) ? FILES_VIEW : FILES_SAMPLER;
}

static const char *files_in_words(uint32_t files)
{
    switch (files) {
    case FILE_BIT(TGSI_IMAGE):
        return "an image (IMAGE)";
    case FILES_SAMPLER | FILES_HANDLE:
    case FILES_SAMPLER:
        return "a sampler (SAMP)";
    case FILES_VIEW:
        return "a sampler view (SVIEW)";
    case FILES_RESOURCE:
    case FILES_RESOURCE | FILES_HANDLE:
    case FILES_STORED | FILES_HANDLE:
    case FILES_STORED:
        return "a memory (BUFFER, IMAGE, MEMORY or RES)";
    case FILES_WRITTEN:
        return "OUT, TEMP or ADDR";
    case FILE_BIT(TGSI_OUTPUT):
        return "an output (OUT)";
    default:
        return "a register of numbers";
    }
}

/* 64-bit numbers are pairs, xy and zw, in a swizzle too. Those of results that are not written do not matter. */
static void check_pairs(struct tgsi_checker *c, const struct tgsi_insn *in, const struct tgsi_row *row, unsigned n)
{
    const struct tgsi_operand *op = &in->src[n];
    bool torn = false;
    if (!tgsi_is_wide(row->src_type[n]) || !tgsi_is_wide(row->dst_type) || row->ndst != 1)
        return;
    for (unsigned pair = 0; pair < 2; pair++) {
        const uint8_t *swizzle = &op->swizzle[2 * pair];
        if (in->dst[0].mask >> 2 * pair & 3)
            torn |= (swizzle[0] & 1) || swizzle[1] != swizzle[0] + 1;
    }
    if (torn)
        tgsi_check_report(c, WEFT_WARNING, "swizzle", op->where, "write .xyzw, .zwxy, .xyxy or .zwzw",
                          "%s reads 64-bit numbers, and the swizzle puts halves of two together", row->name);
}

static void check_source(struct tgsi_checker *c, const struct tgsi_insn *in, const struct tgsi_row *row, unsigned n)
{
    const struct tgsi_operand *op = &in->src[n];
    uint8_t type = row->src_type[n];
    uint32_t files = source_files(in, row, n);
    if (!(files & FILE_BIT(op->file)))
        tgsi_check_report(c, WEFT_ERROR, "bad-file", op->where, NULL, "source %u of %s is %s; expected %s", n,
                          row->name, tgsi_file_names[op->file], files_in_words(files));
    if (type == TGSI_T_NONE && (op->negate || op->absolute))
        tgsi_check_report(c, WEFT_ERROR, "bad-modifier", op->where, NULL, "%s cannot be negated or made absolute",
                          tgsi_file_names[op->file]);
    check_pairs(c, in, row, n);
    if (is_integer(type) && op->absolute) /* the document allows only negation of integers */
        tgsi_check_report(c, WEFT_WARNING, "bad-modifier", op->where, NULL, "%s reads integers, which have no | |",
                          row->name);
    check_register(c, op);
}

static void check_destination(struct tgsi_checker *c, const struct tgsi_insn *in, const struct tgsi_row *row,
                              unsigned n)
{
    const struct tgsi_operand *op = &in->dst[n];
    uint32_t handle = in->has_target ? FILES_HANDLE : 0; /* of an image */
    uint32_t files = row->dst_type == TGSI_T_NONE ? FILES_STORED | handle : FILES_WRITTEN;
    if (!(files & FILE_BIT(op->file)))
        tgsi_check_report(c, WEFT_ERROR, "bad-file", op->where, NULL, "%s cannot write to %s; expected %s", row->name,
                          tgsi_file_names[op->file], files_in_words(files));
    if (!op->mask || op->mask > 15)
        tgsi_check_report(c, WEFT_ERROR, "bad-mask", op->where, "at least one of x, y, z and w", "an empty write mask");
    unsigned low = op->mask & 3, high = op->mask >> 2 & 3;
    if (tgsi_is_wide(row->dst_type) && row->ndst == 1 && (low == 1 || low == 2 || high == 1 || high == 2))
        tgsi_check_report(c, WEFT_WARNING, "bad-mask", op->where, "write .xy, .zw or all four",
                          "%s writes 64-bit numbers, and the mask takes half of one", row->name);
    check_register(c, op);
    const struct tgsi_decl *d = op->file == TGSI_OUTPUT && !op->index.indirect && op->index.value >= 0
                                    ? tgsi_check_find(c, TGSI_OUTPUT, 0, (uint32_t)op->index.value)
                                    : NULL;
    if (d)
        tgsi_check_output_mask(c, op, d);
}

static void check_offset(struct tgsi_checker *c, const struct tgsi_insn *in, const struct tgsi_tex_offset *o)
{
    struct tgsi_operand op = {.file = o->file, .index = {.value = o->reg}, .where = in->where};
    if (!(FILES_VALUE & FILE_BIT(o->file)))
        tgsi_check_report(c, WEFT_ERROR, "bad-file", in->where, NULL, "a texture offset is %s; expected %s",
                          tgsi_file_names[o->file], files_in_words(FILES_VALUE));
    check_register(c, &op);
}

/* ---- textures ---- */

/* Whether targets are the same but for what a comparing sampler adds. */
static bool targets_agree(uint8_t a, uint8_t b)
{
    const struct tgsi_lookup_target *x = tgsi_lookup_target(a), *y = tgsi_lookup_target(b);
    return x->dim == y->dim && x->layer == y->layer && x->multisample == y->multisample;
}

/* TEX and its kin sample view N with sampler N: their targets must agree where the view is declared. */
static void check_view(struct tgsi_checker *c, const struct tgsi_insn *in, const struct tgsi_operand *sampler)
{
    if (sampler->file != TGSI_SAMPLER)
        return;
    if (sampler->index.indirect) {
        tgsi_check_note_indirect(c, TGSI_SAMPLER_VIEW, 0);
        return;
    }
    uint32_t index = (uint32_t)sampler->index.value;
    const struct tgsi_decl *view = tgsi_check_find(c, TGSI_SAMPLER_VIEW, 0, index);
    if (!view) /* programs of older producers declare no views */
        return;
    tgsi_check_note_use(c, TGSI_SAMPLER_VIEW, 0, index);
    if (view->target == TGSI_TEX_UNKNOWN || in->target == TGSI_TEX_UNKNOWN ||
        targets_agree(view->target, in->target))
        return;
    const char *hint = arena_printf(c->arena, "did you mean '%s'?", tgsi_target_names[view->target]);
    tgsi_check_report(c, WEFT_ERROR, "view-target", in->where, hint, "target %s, and SVIEW[%u] is declared %s",
                      tgsi_target_names[in->target], index, tgsi_target_names[view->target]);
}

static void check_texture(struct tgsi_checker *c, const struct tgsi_insn *in, const struct tgsi_row *row)
{
    if (row->texture && !in->has_target)
        tgsi_check_report(c, WEFT_ERROR, "target-missing", in->where, NULL,
                          "%s without a texture target; expected '2D', ...", row->name);
    if (in->has_target && in->target >= TGSI_TEX_TARGETS)
        tgsi_check_report(c, WEFT_ERROR, "bad-target", in->where, NULL, "texture target %u does not exist", in->target);
    else if (row->texture && in->has_target && in->nsrc)
        check_view(c, in, &in->src[in->nsrc - 1]);
    const char *problem = NULL;
    if (row->texture && in->has_target && in->target < TGSI_TEX_TARGETS && in->target != TGSI_TEX_UNKNOWN)
        problem = tgsi_lookup_problem(row, in->target);
    if (problem)
        tgsi_check_report(c, WEFT_ERROR, "bad-target", in->where, NULL, "%s cannot have target %s: %s", row->name,
                          tgsi_target_names[in->target], problem);
    for (unsigned i = 0; i < in->noffsets; i++)
        check_offset(c, in, &in->offset[i]);
}

/* ---- operands that must be of one kind ---- */

static void check_stream(struct tgsi_checker *c, const struct tgsi_insn *in)
{
    enum { STREAMS = 4 };
    const struct tgsi_operand *op = &in->src[0];
    if (op->file != TGSI_IMMEDIATE || op->index.indirect) {
        tgsi_check_report(c, WEFT_ERROR, "stream", op->where, NULL, "the stream of %s must be an immediate",
                          tgsi_rows[in->opcode].name);
        return;
    }
    if ((uint32_t)op->index.value >= c->m->nimms)
        return; /* reported with the register */
    uint32_t stream = c->m->imms[op->index.value].bits[op->swizzle[0] & 3];
    if (stream >= STREAMS)
        tgsi_check_report(c, WEFT_ERROR, "stream", op->where, NULL, "stream %u; expected 0 to %d", stream, STREAMS - 1);
}

static void check_special(struct tgsi_checker *c, const struct tgsi_insn *in, const struct tgsi_row *row)
{
    if (row->flow == TGSI_FLOW_EMIT && in->nsrc)
        check_stream(c, in);
    if (row->reads[0] == TGSI_READS_INPUT && in->src[0].file != TGSI_INPUT)
        tgsi_check_report(c, WEFT_ERROR, "bad-file", in->src[0].where, NULL, "%s interpolates inputs; expected IN",
                          row->name);
    if (row->flow == TGSI_FLOW_CASE)
        tgsi_check_case(c, in);
}

/* ---- instructions ---- */

static void check_stage(struct tgsi_checker *c, const struct tgsi_insn *in, const struct tgsi_row *row)
{
    uint8_t processor = c->m->processor;
    if (!row->stages || row->stages >> processor & 1)
        return;
    char names[64] = "";
    size_t n = 0;
    for (unsigned i = 0; i < TGSI_PROCESSORS; i++)
        if (row->stages >> i & 1)
            n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n ? " or " : "", tgsi_processor_names[i]);
    tgsi_check_report(c, WEFT_ERROR, "wrong-stage", in->where, NULL, "%s in a %s program; expected %s", row->name,
                      tgsi_processor_names[processor], names);
}

static void check_instruction(struct tgsi_checker *c, const struct tgsi_insn *in)
{
    const struct tgsi_row *row = &tgsi_rows[in->opcode];
    check_stage(c, in, row);
    bool bare = in->nsrc == 0 && tgsi_may_stand_bare(row);
    if (in->ndst != row->ndst || (in->nsrc != row->nsrc && !bare)) {
        tgsi_check_report(c, WEFT_ERROR, "operand-count", in->where, NULL,
                          "%s with %u destinations and %u sources; expected %u and %u", row->name, in->ndst, in->nsrc,
                          row->ndst, row->nsrc);
        return;
    }
    if (in->saturate && (is_integer(row->dst_type) || row->dst_type == TGSI_T_NONE))
        tgsi_check_report(c, WEFT_WARNING, "bad-modifier", in->where, NULL, "_SAT on %s, which writes no floats",
                          row->name);
    for (unsigned i = 0; i < in->ndst; i++)
        check_destination(c, in, row, i);
    for (unsigned i = 0; i < in->nsrc; i++)
        check_source(c, in, row, i);
    check_texture(c, in, row);
    tgsi_check_writable(c, in);
    tgsi_check_sampled_view(c, in);
    check_special(c, in, row);
}

weft_status tgsi_check(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                       weft_diags *diags)
{
    struct arena arena = {0};
    struct tgsi_checker c = {.m = m, .src = src, .diags = diags, .arena = &arena};
    tgsi_check_declarations(&c);
    tgsi_check_repeated_outputs(&c);
    tgsi_check_properties(&c);
    /* without memory a declaration is not noted, and each use of it would be an error */
    for (uint32_t i = 0; i < m->ninsns && !arena_failed(&arena); i++) {
        snprintf(c.place, sizeof c.place, "instruction %u (%s)", i, tgsi_rows[m->insns[i].opcode].name);
        check_instruction(&c, &m->insns[i]);
    }
    tgsi_check_flow(&c);
    if (!params || !params->running)
        tgsi_check_unused(&c);
    bool memory = arena_failed(&arena);
    arena_free(&arena);
    return memory ? WEFT_ERROR_MEMORY : c.errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
