/* parse.c - text to a module: statements, then what used names before they were known, then bytes. */
#include "isa/tesla/parse.h"

#include "isa/tesla/cubin.h"
#include "isa/tesla/flow.h"

#include <string.h>

/* ---- statements ---- */

/* The line of the statement that starts here; lines are counted from the last one. */
static void count_lines(struct tesla_parser *ps)
{
    for (const char *p = ps->counted; p < ps->s.p; p++) {
        p = memchr(p, '\n', (size_t)(ps->s.p - p));
        if (!p)
            break;
        ps->line++;
    }
    ps->counted = ps->s.p;
}

static bool parse_insn_statement(struct tesla_parser *ps, const struct tesla_listing *listing)
{
    struct tesla_insn insn;
    const char *start = ps->s.p;
    enum tesla_length length = listing->size == 8 ? TESLA_ASK_LONG : listing->size ? TESLA_ASK_SHORT : TESLA_ANY_LENGTH;
    ps->unknown_symbol = false;
    if (!tesla_parse_instruction(ps, length, &insn) || 
        (length && !ps->unknown_symbol && !tesla_apply_listing(ps, listing, &insn)) || !tesla_append(ps, &insn))
        return false;
    return !ps->unknown_symbol || tesla_defer(ps, start, listing);
}

static bool parse_directive_statement(struct tesla_parser *ps, const struct tesla_listing *listing)
{
    size_t first = ps->sections[ps->section].ninsns;
    ps->unknown_symbol = false;
    if (!tesla_parse_directive(ps) || !(tesla_at_end(ps) || scan_expected(&ps->s, "the end of the statement")))
        return false;
    return !listing->size || ps->unknown_symbol || tesla_check_listed_data(ps, listing, first);
}

/* "# ..." says something about a listing. */
static bool is_remark(const struct scan *s)
{
    return s->p[0] == '#' && (scan_is(s->p[1], SCAN_BLANK) || s->p[1] == '\n' || s->p[1] == '\0');
}

/* Labels, then an instruction or a directive, or nothing. */
static bool parse_statement(struct tesla_parser *ps)
{
    struct scan *s = &ps->s;
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
    count_lines(ps);
    tesla_take_listing(ps, &listing);
    if (*s->p == '.')
        return parse_directive_statement(ps, &listing);
    return parse_insn_statement(ps, &listing);
}

static void parse_statements(struct tesla_parser *ps)
{
    struct scan *s = &ps->s;
    while (s->p < s->end && s->errors < SCAN_MAX_ERRORS && !arena_failed(s->arena)) {
        if (!parse_statement(ps)) {
            scan_next_line(s);
            continue;
        }
        if (s->p < s->end)
            s->p++; /* the newline or semicolon */
    }
}

/* Instructions that named labels further on: now all are known. */
static bool resolve(struct tesla_parser *ps)
{
    bool fine = true;
    ps->final = true;
    for (size_t i = 0; i < ps->ndeferred; i++) {
        const struct tesla_deferred *d = &ps->deferred[i];
        struct tesla_insn *insn = &ps->sections[d->section].insns[d->insn], again = *insn;
        ps->s.p = ps->s.last = d->text;
        ps->scope = d->scope;
        ps->scope_length = d->scope_length;
        if (!insn->row ? !tesla_parse_data_again(ps, insn)
                       : !tesla_parse_instruction(ps, insn->size == 8 ? TESLA_ASK_LONG : TESLA_ASK_SHORT, &again)) {
            fine = false;
            continue;
        }
        if (insn->row) {
            insn->row = again.row;
            insn->word = again.word;
            fine = (!d->listing.size || tesla_apply_listing(ps, &d->listing, insn)) && fine;
        }
    }
    return fine;
}

/* ---- the module ---- */

static bool collect_labels(const struct tesla_parser *ps, struct isa_module *m)
{
    struct tesla_label *labels = ARENA_ARRAY(ps->s.arena, struct tesla_label, ps->nlabels);
    if (!labels && ps->nlabels)
        return false;
    for (size_t i = 0; i < ps->nlabels; i++)
        labels[i] = (struct tesla_label){arena_strndup(ps->s.arena, ps->labels[i]->name, ps->labels[i]->length),
                                         (uint32_t)ps->labels[i]->value, false};
    m->labels = labels;
    m->nlabels = (uint32_t)ps->nlabels;
    return true;
}

/* Sections with a name of the text's are kernels: each may be the one to run. */
static bool collect_kernels(const struct tesla_parser *ps, struct isa_module *m)
{
    uint32_t first = 0;
    struct tesla_kernel *kernels = ARENA_ARRAY(ps->s.arena, struct tesla_kernel, ps->nsections);
    if (!kernels)
        return false;
    for (size_t i = 0; i < ps->nsections; i++) {
        const struct tesla_section *section = &ps->sections[i];
        kernels[i] = (struct tesla_kernel){.name = arena_strndup(ps->s.arena, section->name, section->length),
                                           .first = first, .count = (uint32_t)section->ninsns};
        first += (uint32_t)section->ninsns;
    }
    m->kernels = kernels;
    m->nkernels = (uint32_t)ps->nsections;
    return true;
}

/* Sections one after the other, in the order in which they were made. */
static bool collect_sections(const struct tesla_parser *ps, struct isa_module *m)
{
    size_t ninsns = 0, size = 0;
    for (size_t i = 0; i < ps->nsections; i++) {
        ninsns += ps->sections[i].ninsns;
        size += ps->sections[i].at - ps->sections[i].base;
    }
    m->ninsns = (uint32_t)ninsns;
    m->size = (uint32_t)size;
    m->bytes = arena_alloc(ps->s.arena, size + 8);
    m->insns = ps->nsections == 1 ? ps->sections[0].insns : ARENA_ARRAY(ps->s.arena, struct tesla_insn, ninsns);
    if (!m->bytes || (!m->insns && ninsns))
        return false;
    uint32_t offset = 0;
    struct tesla_insn *out = m->insns;
    for (size_t i = 0; i < ps->nsections; i++) {
        if (ps->nsections > 1 && ps->sections[i].ninsns)
            memcpy(out, ps->sections[i].insns, ps->sections[i].ninsns * sizeof *out);
        for (size_t k = 0; k < ps->sections[i].ninsns; k++, out++) {
            out->offset = offset;
            tesla_put_word(m->bytes + offset, out->word);
            offset += out->size;
        }
    }
    return true;
}

static const char default_section[] = "default";

static bool start(struct tesla_parser *ps, const struct source *src, const struct isa_params *params,
                  struct arena *arena, weft_diags *diags)
{
    ps->tables = tesla_tables();
    ps->target = tesla_target_of(params);
    ps->line = 1;
    ps->shorten = params->shorten;
    if (!scan_start(&ps->s, src, SCAN_SLASHES | SCAN_C | SCAN_NESTED, arena, diags))
        return false;
    ps->counted = ps->s.p;
    uint32_t base = params->base < TESLA_CODE_SPACE ? (uint32_t)params->base : TESLA_CODE_SPACE;
    if (!tesla_open_section(ps, default_section, sizeof default_section - 1, base, (struct span){0, 0}))
        return false;
    /* most lines have about so many bytes: room for them at once, rather than by growing */
    struct tesla_section *section = &ps->sections[0];
    section->insns = arena_grow(arena, NULL, sizeof *section->insns, 0, &section->cap, src->size / 22 + 16);
    return section->insns != NULL;
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
        return ps->s.errors ? WEFT_ERROR_INPUT : WEFT_ERROR_MEMORY;
    parse_statements(ps);
    resolve(ps);
    if (arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    tesla_set_up_module(m, params, src->name);
    bool named = ps->nsections > 1 || ps->sections[0].name != default_section;
    if (!collect_labels(ps, m) || !collect_sections(ps, m) || (named && !collect_kernels(ps, m)))
        return WEFT_ERROR_MEMORY;
    *out = m;
    return ps->s.errors || !tesla_check_entry(m, diags) ? WEFT_ERROR_INPUT : WEFT_OK;
}
