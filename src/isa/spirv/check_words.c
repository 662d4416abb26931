/* check_words.c - words become a module, and each is checked on the way: instructions in order, definitions, names,
 * decorations and the entry point. */
#include "isa/spirv/spirv.h"

#include "base/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct reader {
    struct isa_module *m;
    const struct source *src;
    struct arena *arena;
    weft_diags *diags;
    uint32_t decorations; /* made so far: groups in groups could make any number */
    bool failed;
};

enum { MOST_DECORATIONS = 1 << 20 };

static weft_status wrong(weft_diags *diags, const char *name, const char *code, uint32_t word, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
static weft_status wrong(weft_diags *diags, const char *name, const char *code, uint32_t word, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    diag_at_address(diags, WEFT_ERROR, code, name, (uint64_t)word * 4, NULL, "word %u: %s", word, text);
    return WEFT_ERROR_INPUT;
}

/* ---- instructions ---- */

static weft_status read_header(struct isa_module *m, weft_diags *diags)
{
    if (m->nwords < SPIRV_HEADER_WORDS)
        return wrong(diags, m->name, "truncated", m->nwords, "a SPIR-V module begins with five words");
    if (m->words[0] != SpvMagicNumber)
        return wrong(diags, m->name, "bad-header", 0, "SPIR-V begins with 0x07230203, and this is 0x%08x", m->words[0]);
    m->version = m->words[1];
    m->bound = m->words[3];
    if (m->version < 0x10000 || m->version > 0x10600 || (m->version & 0xff0000ff) != 0)
        return wrong(diags, m->name, "bad-header", 1, "version 0x%08x: weft reads SPIR-V 1.0 to 1.6", m->version);
    if (m->bound == 0 || m->bound > SPIRV_MOST_IDS)
        return wrong(diags, m->name, "bad-header", 3, "the bound of ids is %u; it can be 1 to %u", m->bound,
                     SPIRV_MOST_IDS);
    return WEFT_OK;
}

static weft_status count_insns(struct isa_module *m, weft_diags *diags)
{
    for (uint32_t at = SPIRV_HEADER_WORDS; at < m->nwords; m->ninsns++) {
        uint32_t count = m->words[at] >> 16;
        if (count == 0)
            return wrong(diags, m->name, "bad-count", at, "an instruction of no words");
        if (count > m->nwords - at)
            return wrong(diags, m->name, "truncated", at, "an instruction of %u words, and %u are left", count,
                         m->nwords - at);
        at += count;
    }
    return WEFT_OK;
}

/* ---- ids ---- */

struct ids {
    struct reader *r;
    uint32_t insn, at, result;
    unsigned kind;     /* of the enumeration that was visited last */
    uint32_t value_at; /* where its word is */
};

static void visit(void *context, char letter, unsigned kind, uint32_t at, uint32_t count)
{
    struct ids *v = context;
    const struct isa_module *m = v->r->m;
    (void)count;
    if (letter == '@') {
        v->kind = kind;
        v->value_at = at;
    }
    if (letter != 'i' && letter != 't' && letter != 'r' && letter != 's' && letter != 'm')
        return;
    uint32_t id = m->words[v->at + at];
    if (id == 0 || id >= m->bound) {
        if (!v->r->failed)
            wrong(v->r->diags, m->name, "bad-operand", v->at + at, "id %u, and ids are 1 to %u", id, m->bound - 1);
        v->r->failed = true;
    } else if (letter == 'r') {
        if (m->def[id] != SPIRV_NONE) {
            wrong(v->r->diags, m->name, "twice", v->at + at, "id %u is made a second time", id);
            v->r->failed = true;
        }
        m->def[id] = v->insn;
    }
}

static weft_status unknown_value(const struct ids *v, const struct spirv_row *row)
{
    const struct isa_module *m = v->r->m;
    uint32_t value = m->words[v->at + v->value_at];
    return wrong(v->r->diags, m->name, "bad-operand", v->at + v->value_at,
                 spirv_kind_is_bits(v->kind) ? "%s: %s %#x has unknown bits: the module may be newer than weft"
                                             : "%s: %s %u is unknown: the module may be newer than weft",
                 row->name, spirv_kind_name(v->kind), value);
}

/* The numbers of a switch are as wide as what it looks at. */
static const char *walk_switch(struct ids *v, uint32_t count)
{
    const struct isa_module *m = v->r->m;
    const uint32_t *w = m->words + v->at;
    if (count < 3)
        return "it has too few words";
    visit(v, 'i', 0, 1, 1);
    visit(v, 'i', 0, 2, 1);
    if (v->r->failed)
        return NULL;
    uint32_t def = m->def[w[1]], type = def == SPIRV_NONE ? 0 : m->words[m->insns[def].at + 1];
    uint32_t made = type && type < m->bound ? m->def[type] : SPIRV_NONE;
    bool wide = made != SPIRV_NONE && m->insns[made].op == SpvOpTypeInt && m->words[m->insns[made].at + 2] > 32;
    uint32_t step = wide ? 3 : 2;
    if ((count - 3) % step)
        return "its numbers and targets do not come out even";
    for (uint32_t k = 3; k < count; k += step)
        visit(v, 'i', 0, k + step - 1, 1);
    return NULL;
}

/* A text of an instruction; it ends within the words, as the walk has found. */
static const char *text_at(const struct reader *r, uint32_t at)
{
    return spirv_literal(r->m->words + at, r->arena);
}

static void add_decoration(struct reader *r, uint32_t target, uint32_t member, uint32_t at, uint32_t n)
{
    struct spirv_decoration *d = ARENA_NEW(r->arena, struct spirv_decoration);
    r->decorations++;
    if (!d)
        return;
    *d = (struct spirv_decoration){member, r->m->words[at], r->m->words + at + 1, n - 1, r->m->decorations[target]};
    r->m->decorations[target] = d;
}

/* Decorations of a group go to its targets; OpGroupDecorate comes after the group's own. */
static void decorate_group(struct reader *r, const struct spirv_insn *i)
{
    const uint32_t *w = r->m->words + i->at;
    bool members = spirv_rows[i->row].form[1] == 'q'; /* pairs of a target and a member */
    for (uint32_t k = 2; k < i->count; k += members ? 2 : 1)
        for (const struct spirv_decoration *d = r->m->decorations[w[1]]; d; d = d->next) {
            if (w[k] == w[1] || ++r->decorations > MOST_DECORATIONS)
                continue; /* not of itself */
            struct spirv_decoration *copy = ARENA_NEW(r->arena, struct spirv_decoration);
            if (!copy)
                return;
            *copy = *d;
            copy->member = members ? w[k + 1] : SPIRV_NONE;
            copy->next = r->m->decorations[w[k]];
            r->m->decorations[w[k]] = copy;
        }
}

/* Names, and decorations: the grammar says by the operands of each what it decorates. */
static void note(struct reader *r, const struct spirv_insn *i)
{
    const uint32_t *w = r->m->words + i->at;
    const char *form = spirv_rows[i->row].form;
    if (i->op == SpvOpName)
        r->m->names[w[1]] = text_at(r, i->at + 2);
    if (*form != 'i' || !spirv_is_of(i->op, "Annotation"))
        return;
    if (form[1] == '@')
        add_decoration(r, w[1], SPIRV_NONE, i->at + 2, i->count - 2u);
    else if (form[1] == 'n')
        add_decoration(r, w[1], w[2], i->at + 3, i->count - 3u);
    else
        decorate_group(r, i);
}

static weft_status read_insns(struct reader *r)
{
    struct isa_module *m = r->m;
    uint32_t at = SPIRV_HEADER_WORDS;
    for (uint32_t n = 0; n < m->ninsns; n++) {
        struct spirv_insn *i = &m->insns[n];
        i->at = at;
        i->op = (uint16_t)m->words[at];
        i->count = (uint16_t)(m->words[at] >> 16);
        const struct spirv_row *row = spirv_row_of(i->op);
        if (!row)
            return wrong(r->diags, m->name, "unknown-instruction", at, "no instruction has opcode %u", i->op);
        i->row = (uint16_t)spirv_row_number(row);
        struct ids v = {r, n, at, 0, 0, 0};
        const char *fault = spirv_has_cases(row) ? walk_switch(&v, i->count)
                                                 : spirv_walk(row, m->words + at, i->count, visit, &v);
        if (fault == SPIRV_UNKNOWN_VALUE)
            return unknown_value(&v, row);
        if (fault)
            return wrong(r->diags, m->name, "bad-count", at, "%s: %s", row->name, fault);
        if (r->failed)
            return WEFT_ERROR_INPUT;
        note(r, i);
        at += i->count;
    }
    return WEFT_OK;
}

/* ---- the entry point ---- */

static int stage_of(uint32_t model)
{
    static const int8_t stages[] = {IR_VERTEX,   IR_TESS_CTRL, IR_TESS_EVAL, IR_GEOMETRY,
                                    IR_FRAGMENT, IR_COMPUTE};
    return model < sizeof stages ? stages[model] : -1;
}

/* There is no entry point of the caller's name, or not of its stage. */
static weft_status no_such_entry(struct reader *r, const struct isa_params *params)
{
    enum { NAMES = 16 };
    const char *names[NAMES];
    char hint[160];
    size_t count = 0;
    const struct isa_module *m = r->m;
    for (uint32_t n = 0; n < m->ninsns && count < NAMES; n++)
        if (m->insns[n].op == SpvOpEntryPoint &&
            (params->stage < 0 || stage_of(spirv_words(m, n)[1]) == params->stage))
            names[count++] = text_at(r, m->insns[n].at + 3);
    diag_add(r->diags, WEFT_ERROR, "no-entry", m->name,
             word_hint(params->entry, strlen(params->entry), names, count, hint, sizeof hint),
             "there is no entry point '%s'%s", params->entry, params->stage >= 0 ? " of this stage" : "");
    return WEFT_ERROR_INPUT;
}

static weft_status find_entry(struct reader *r, const struct isa_params *params)
{
    struct isa_module *m = r->m;
    m->entry = SPIRV_NONE;
    m->stage = params->stage;
    bool any = false;
    for (uint32_t n = 0; n < m->ninsns; n++) {
        if (m->insns[n].op != SpvOpEntryPoint)
            continue;
        const uint32_t *w = spirv_words(m, n);
        any = true;
        if (params->entry && strcmp(text_at(r, m->insns[n].at + 3), params->entry) != 0)
            continue;
        if (params->stage >= 0 && stage_of(w[1]) != params->stage)
            continue;
        if (m->entry == SPIRV_NONE)
            m->entry = n;
    }
    if (m->entry == SPIRV_NONE)
        return params->entry && any ? no_such_entry(r, params) : WEFT_OK;
    m->stage = stage_of(spirv_words(m, m->entry)[1]);
    return WEFT_OK;
}

/* ---- spans of a text: the k-th statement is the k-th instruction ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const char *skip_word(const char *p, const char *end)
{
    bool quoted = false;
    for (; p < end && (quoted || (!is_blank(*p) && *p != ';')); p++) {
        if (*p == '\\' && quoted && p + 1 < end)
            p++;
        else if (*p == '"')
            quoted = !quoted;
    }
    return p;
}

/* A word of the text begins an instruction: "OpX", or "%id" before "=". */
static bool begins(const char *p, const char *end, const char *word_end)
{
    if (end - p > 2 && p[0] == 'O' && p[1] == 'p')
        return true;
    if (*p != '%')
        return false;
    while (word_end < end && is_blank(*word_end))
        word_end++;
    return word_end < end && *word_end == '=';
}

static void find_spans(struct reader *r)
{
    const char *p = r->src->text, *end = p + r->src->size;
    struct spirv_insn *last = NULL;
    uint32_t n = 0;
    bool named = false; /* "%id =" has begun the statement */
    while (p < end) {
        if (is_blank(*p)) {
            p++;
            continue;
        }
        if (*p == ';') {
            while (p < end && *p != '\n')
                p++;
            continue;
        }
        const char *word = p;
        p = skip_word(p, end);
        if (p == word)
            p++;
        if (begins(word, end, p)) {
            bool opcode = *word == 'O';
            if (!(opcode && named)) {
                if (n >= r->m->ninsns)
                    return;
                last = &r->m->insns[n++];
                last->where.offset = (uint32_t)(word - r->src->text);
            }
            named = !opcode;
        }
        if (last)
            last->where.length = (uint32_t)(p - r->src->text) - last->where.offset;
    }
}

/* ---- everything ---- */

static bool make_tables(struct isa_module *m, struct arena *arena)
{
    m->insns = ARENA_ARRAY(arena, struct spirv_insn, (size_t)m->ninsns + 1);
    m->def = ARENA_ARRAY(arena, uint32_t, m->bound);
    m->names = ARENA_ARRAY(arena, const char *, m->bound);
    m->decorations = ARENA_ARRAY(arena, struct spirv_decoration *, m->bound);
    if (!m->insns || !m->def || !m->names || !m->decorations)
        return false;
    memset(m->def, 0xff, m->bound * sizeof *m->def);
    return true;
}

weft_status spirv_read(const uint32_t *words, size_t count, const char *name, const struct source *src,
                       const struct isa_params *params, struct arena *arena, struct isa_module **out,
                       weft_diags *diags)
{
    *out = NULL;
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    if (!m)
        return WEFT_ERROR_MEMORY;
    *m = (struct isa_module){.name = name,
                             .words = words,
                             .nwords = (uint32_t)count,
                             .entry = SPIRV_NONE,
                             .stage = params->stage,
                             .linkage = params->linkage,
                             .text = src ? src->text : NULL};
    struct reader r = {m, src, arena, diags, 0, false};
    weft_status status = read_header(m, diags);
    if (status == WEFT_OK)
        status = count_insns(m, diags);
    if (status == WEFT_OK && !make_tables(m, arena))
        status = WEFT_ERROR_MEMORY;
    if (status == WEFT_OK)
        status = read_insns(&r);
    if (status == WEFT_OK)
        spirv_read_lines(m, arena);
    if (status == WEFT_OK && src)
        find_spans(&r);
    if (status == WEFT_OK)
        status = find_entry(&r, params);
    *out = status == WEFT_OK ? m : NULL;
    return status;
}

/* ---- bytes ---- */

static uint32_t word_of(const uint8_t *b, bool swap)
{
    return swap ? __builtin_bswap32(bytes_word(b)) : bytes_word(b);
}

weft_status spirv_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                         struct arena *arena, struct isa_module **out, weft_diags *diags)
{
    *out = NULL;
    if (size % 4)
        return wrong(diags, name, "partial-word", (uint32_t)(size / 4), "%u byte%s left over: words have four",
                     (unsigned)(size % 4), size % 4 == 1 ? " is" : "s are");
    uint32_t *words = ARENA_ARRAY(arena, uint32_t, size / 4 + 1);
    if (!words)
        return WEFT_ERROR_MEMORY;
    bool swap = size >= 4 && word_of(bytes, true) == SpvMagicNumber;
    for (size_t i = 0; i < size / 4; i++)
        words[i] = word_of(bytes + i * 4, swap);
    weft_status status = spirv_read(words, size / 4, name, NULL, params, arena, out, diags);
    if (status == WEFT_OK)
        (*out)->compiled = params->language != NULL;
    return status;
}

weft_status spirv_encode(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                         weft_diags *diags)
{
    (void)diags;
    *size = (size_t)m->nwords * 4;
    *bytes = arena_alloc(arena, *size + 1);
    if (!*bytes)
        return WEFT_ERROR_MEMORY;
    for (size_t i = 0; i < m->nwords; i++)
        bytes_put(*bytes + i * 4, m->words[i], 4);
    return WEFT_OK;
}

/* ---- questions ---- */

const struct spirv_decoration *spirv_decoration_of(const struct isa_module *m, uint32_t id, uint32_t member,
                                                   uint32_t kind)
{
    for (const struct spirv_decoration *d = m->decorations[id]; d; d = d->next)
        if (d->kind == kind && d->member == member)
            return d;
    return NULL;
}

uint32_t spirv_decorated(const struct isa_module *m, uint32_t id, uint32_t member, uint32_t kind, uint32_t otherwise)
{
    const struct spirv_decoration *d = spirv_decoration_of(m, id, member, kind);
    return d && d->n ? d->w[0] : otherwise;
}

const char *spirv_name(const struct isa_module *m, struct arena *arena, uint32_t id)
{
    const char *text = id < m->bound && m->names[id] && *m->names[id] ? arena_printf(arena, "%%%s", m->names[id])
                                                                      : arena_printf(arena, "%%%u", id);
    return text ? text : "%?";
}
