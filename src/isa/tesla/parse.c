/* parse.c - text to a module: statements, then what used names before they were known, then bytes. */
#include "isa/tesla/parse.h"

#include "base/bytes.h"
#include "isa/tesla/cubin.h"
#include "isa/tesla/flow.h"

#include <string.h>

/* ---- statements ---- */

static bool parse_insn_statement(struct tesla_parser *ps, const struct tesla_listing *listing)
{
    struct tesla_insn insn;
    const char *start = ps->a.scan.p;
    enum tesla_length length = listing->size == 8 ? TESLA_ASK_LONG : listing->size ? TESLA_ASK_SHORT : TESLA_ANY_LENGTH;
    ps->unknown_symbol = ps->used_symbol = false;
    if (!tesla_parse_instruction(ps, length, &insn))
        return false;
    /* To be aligned it makes one before it longer: labels after that one move. */
    ps->unknown_symbol |= ps->used_symbol && tesla_is_odd(ps, &insn);
    return (!length || ps->unknown_symbol || tesla_apply_listing(ps, listing, &insn)) &&
           (!ps->unknown_symbol || tesla_defer(ps, start, listing)) && tesla_append(ps, &insn);
}

static bool parse_directive_statement(struct tesla_parser *ps, const struct tesla_listing *listing)
{
    size_t first = tesla_section(ps)->count;
    const char *word;
    ps->unknown_symbol = false;
    ps->a.scan.p++;
    size_t length = scan_word(&ps->a.scan, &word);
    if (length == 0)
        return scan_expected(&ps->a.scan, "a directive");
    if (!asm_directive(&ps->a, word, length) ||
        !(tesla_at_end(ps) || scan_expected(&ps->a.scan, "the end of the statement")))
        return false;
    return !listing->size || ps->unknown_symbol || tesla_check_listed_data(ps, listing, first);
}

/* "# ..." says something about a listing. */
static bool is_remark(const struct scan *s)
{
    return s->p[0] == '#' && (scan_is(s->p[1], SCAN_BLANK) || s->p[1] == '\n' || s->p[1] == '\0');
}

/* Labels, then an instruction or a directive, or nothing. */
static bool parse_statement(struct asm_state *a)
{
    struct tesla_parser *ps = a->own;
    struct scan *s = &a->scan;
    struct tesla_listing listing = {0};
    for (;;) {
        if (tesla_at_end(ps))
            return true;
        if (is_remark(s)) {
            while (s->p < s->end && *s->p != '\n')
                s->p++;
            return true;
        }
        const char *word = s->p;
        size_t length = scan_is(*word, SCAN_LETTER) ? scan_word_length(word) : 0;
        if (length == 0 || word[length] != ':')
            break;
        s->p = s->last = word + length + 1;
        if (!tesla_add_label(ps, word, length))
            return false;
    }
    tesla_take_listing(ps, &listing);
    if (*s->p == '.')
        return parse_directive_statement(ps, &listing);
    return parse_insn_statement(ps, &listing);
}

/* ---- statements that named labels further on: now all are known ---- */

bool tesla_defer(struct tesla_parser *ps, const char *text, const struct tesla_listing *listing)
{
    struct tesla_deferred *d = ARENA_NEW(ps->a.arena, struct tesla_deferred);
    if (!d)
        return asm_no_memory(&ps->a);
    *d = (struct tesla_deferred){text, ps->scope, ps->scope_length, *listing};
    return asm_add_fixup(&ps->a, &(struct asm_fixup){.role = ASM_OWN, .own = d});
}

static bool settle(struct asm_state *a, const struct asm_fixup *f, void *item, int64_t value)
{
    struct tesla_parser *ps = a->own;
    const struct tesla_deferred *d = f->own;
    struct tesla_insn *insn = item, again;
    (void)value;
    ps->final = true;
    a->scan.p = a->scan.last = d->text;
    ps->scope = d->scope;
    ps->scope_length = d->scope_length;
    if (!insn->row)
        return tesla_parse_data_again(ps, insn);
    if (!tesla_parse_instruction(ps, insn->size == 8 ? TESLA_ASK_LONG : TESLA_ASK_SHORT, &again))
        return false;
    insn->row = again.row;
    insn->word = again.word;
    return !d->listing.size || tesla_apply_listing(ps, &d->listing, insn);
}

static void open_section(struct asm_section *s)
{
    s->code = true;
    s->align = 8;
}

static const struct asm_isa assembler = {.item = sizeof(struct tesla_insn),
                                         .separator = ';',
                                         .comments = SCAN_SLASHES | SCAN_C | SCAN_NESTED,
                                         .directives = tesla_directives,
                                         .directives_hint = "one of align, skip, size, section, equ; b8 to b64, u8 "
                                                            "to u64, s8 to s64",
                                         .statement = parse_statement,
                                         .operators = tesla_operators,
                                         .value = tesla_read_value,
                                         .minus_may_start = true,
                                         .open = open_section,
                                         .settle = settle};

/* ---- the module ---- */

static bool collect_labels(struct asm_state *a, struct isa_module *m)
{
    struct tesla_label *labels = ARENA_ARRAY(a->arena, struct tesla_label, a->nsymbols + 1);
    if (!labels)
        return false;
    m->labels = labels;
    for (size_t i = 0; i < a->nsymbols; i++) {
        const struct asm_expr e = {.op = 's', .symbol = a->symbol[i]};
        int64_t value;
        if (!e.symbol->value && asm_evaluate(a, &e, &value))
            labels[m->nlabels++] = (struct tesla_label){e.symbol->name, (uint32_t)value};
    }
    return true;
}

/* Sections with a name of the text's are kernels: each may be the one to run. */
static bool collect_kernels(const struct asm_state *a, struct isa_module *m)
{
    uint32_t first = 0;
    struct tesla_kernel *kernels = ARENA_ARRAY(a->arena, struct tesla_kernel, a->nsections);
    if (!kernels)
        return false;
    for (size_t i = 0; i < a->nsections; i++) {
        kernels[i] = (struct tesla_kernel){
            .name = a->section[i].name, .first = first, .count = (uint32_t)a->section[i].count};
        first += kernels[i].count;
    }
    m->kernels = kernels;
    m->nkernels = (uint32_t)a->nsections;
    return true;
}

/* Sections one after the other, in the order in which they were made. */
static bool collect_sections(const struct asm_state *a, struct isa_module *m)
{
    size_t ninsns = 0, size = 0;
    for (size_t i = 0; i < a->nsections; i++) {
        ninsns += a->section[i].count;
        size += a->section[i].size;
    }
    m->ninsns = (uint32_t)ninsns;
    m->size = (uint32_t)size;
    m->bytes = arena_alloc(a->arena, size + 8);
    m->insns = a->nsections == 1 ? asm_item(a, a->section, 0) : ARENA_ARRAY(a->arena, struct tesla_insn, ninsns);
    if (!m->bytes || (!m->insns && ninsns))
        return false;
    uint32_t offset = 0;
    struct tesla_insn *out = m->insns;
    for (size_t i = 0; i < a->nsections; i++) {
        if (a->nsections > 1 && a->section[i].count)
            memcpy(out, asm_item(a, &a->section[i], 0), a->section[i].count * sizeof *out);
        for (size_t k = 0; k < a->section[i].count; k++, out++) {
            out->offset = offset;
            bytes_put(m->bytes + offset, out->word, 8);
            offset += out->size;
        }
    }
    return true;
}

static const char default_section[] = "default";

static bool start(struct tesla_parser *ps, const struct source *src, const struct isa_params *params,
                  struct arena *arena, weft_diags *diags)
{
    struct asm_state *a = &ps->a;
    *a = (struct asm_state){
        .isa = &assembler, .params = params, .arena = arena, .diags = diags, .own = ps, .pass = 1 /* see `fit` */};
    ps->tables = tesla_tables();
    ps->target = tesla_target_of(params);
    ps->shorten = params->shorten;
    uint32_t base = params->base < TESLA_CODE_SPACE ? (uint32_t)params->base : TESLA_CODE_SPACE;
    if (!asm_start(a, default_section) || !tesla_set_base(ps, base, &(struct asm_fixup){.src = src}))
        return false;
    struct asm_section *section = &a->section[0];
    /* most lines have about so many bytes: room for them at once, rather than by growing */
    section->items = arena_grow(arena, NULL, a->isa->item, 0, &section->capacity, src->size / 22 + 16);
    return section->items != NULL;
}

weft_status tesla_parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                        struct isa_module **out, weft_diags *diags)
{
    if (tesla_is_cubin(src->text, src->size))
        return tesla_read_cubin(src, params, arena, out, diags);
    struct tesla_parser *ps = ARENA_NEW(arena, struct tesla_parser);
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    *out = NULL;
    if (!ps || !m)
        return WEFT_ERROR_MEMORY;
    if (!start(ps, src, params, arena, diags))
        return ps->a.errors ? WEFT_ERROR_INPUT : WEFT_ERROR_MEMORY;
    asm_read(&ps->a, src);
    asm_layout(&ps->a);
    if (arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    tesla_set_up_module(m, params, src->name);
    bool named = ps->a.nsections > 1 || strcmp(ps->a.section[0].name, default_section) != 0;
    if (!collect_labels(&ps->a, m) || !collect_sections(&ps->a, m) || (named && !collect_kernels(&ps->a, m)))
        return WEFT_ERROR_MEMORY;
    *out = m;
    return ps->a.errors || ps->a.scan.errors || !tesla_check_entry(m, arena, diags) ? WEFT_ERROR_INPUT : WEFT_OK;
}
