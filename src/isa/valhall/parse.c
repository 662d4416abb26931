/* parse.c - text to words: lines, mnemonics, modifiers, labels. */
#include "isa/valhall/parse.h"
#include "isa/valhall/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- mnemonics and modifiers ---- */

/* The nearest name takes a while to find among hundreds: it is looked for while errors are few. */
static const char *hint(struct valhall_parser *p, const char *word, size_t length, const char *const *names,
                        size_t count)
{
    enum { HINTS = 10 };
    const char *near = p->a.scan.errors < HINTS ? nearest_word(word, length, names, count) : NULL;
    return near ? arena_printf(p->a.arena, "did you mean '%s'?", near) : NULL;
}

/* Length of "BASE.type" or "BASE" at p; *row gets the row, -1 when neither is one. */
static size_t find_mnemonic(const char *p, int *row)
{
    size_t base = scan_word_length(p), all = base;
    if (p[base] == '.') {
        all = base + 1 + scan_word_length(p + base + 1);
        *row = valhall_find_row(p, all);
        if (*row >= 0)
            return all;
    }
    *row = valhall_find_row(p, base);
    return *row >= 0 ? base : all;
}

static bool unknown_mnemonic(struct valhall_parser *p, const char *word, size_t length)
{
    const char *names[VALHALL_OPS];
    const struct valhall_row *rows = p->table->rows;
    for (unsigned i = 0; i < VALHALL_OPS; i++)
        names[i] = rows[i].name;
    const char *near = scan_label_hint(word);
    if (!near)
        near = valhall_mnemonic_hint(p, word, length);
    if (!near)
        near = hint(p, word, length, names, VALHALL_OPS);
    if (!near)
        near = hint(p, word, scan_word_length(word), names, VALHALL_OPS);
    struct scan *s = &p->a.scan;
    s->last = word + length;
    return scan_error(s, scan_span(s, word), "unknown-instruction", near, "unknown instruction '%.*s'", (int)length,
                      word);
}

static bool unknown_modifier(struct valhall_parser *p, const struct valhall_row *row, const char *word, size_t length)
{
    const char *names[VALHALL_MODIFIERS * 16 + 16];
    size_t n = 0;
    for (unsigned i = 0; i < row->nmods; i++) {
        const struct valhall_field *m = &valhall_fields[row->mods[i]];
        if (!m->words)
            names[n++] = m->name;
        for (unsigned v = 0; m->words && v < 1u << m->size; v++)
            if (m->words[v] && strcmp(m->words[v], "none") != 0)
                names[n++] = m->words[v];
    }
    size_t own = n;
    for (unsigned f = 1; f < 16; f++)
        if (valhall_flow_names[f])
            names[n++] = valhall_flow_names[f];
    const char *near = valhall_names_hint(p, word, length, names, n, own ? own : n);
    if (!near && own)
        near = arena_printf(p->a.arena, "weft isa valhall %s lists its modifiers", row->name);
    return scan_error(&p->a.scan, scan_span(&p->a.scan, word), "bad-modifier", near, "%s has no modifier '.%.*s'",
                      row->name, (int)length, word);
}

static bool twice(struct valhall_parser *p, const char *word, size_t length, const char *what)
{
    return scan_error(&p->a.scan, scan_span(&p->a.scan, word), "twice", NULL, "'.%.*s' is %s", (int)length, word, what);
}

/* The widths of two results are one word with a dot in it: 16.32. */
static size_t modifier_length(const struct valhall_parser *p, const struct valhall_row *row, const char *word)
{
    size_t length = scan_word_length(word);
    bool two = row->unit == VALHALL_VT && word[length] == '.' && scan_is(*word, SCAN_DIGIT);
    size_t both = two ? length + 1 + scan_word_length(word + length + 1) : length;
    return two && valhall_word(p->words, word, both) >= 0 ? both : length;
}

/* Which of the row's modifiers a word is of that does not have one yet; nmods: none. */
static unsigned find_modifier(const struct valhall_parser *p, const struct valhall_row *row, int name, uint32_t given,
                              bool *again)
{
    *again = false;
    for (unsigned i = 0; name >= 0 && i < row->nmods; i++) {
        if (p->words->modifier[row->mods[i]][name] < 0)
            continue;
        if (!(given >> i & 1))
            return i;
        *again = true;
    }
    return row->nmods;
}

/* All that are not given have their initial number; those without one must be given. */
static bool finish_modifiers(struct valhall_parser *p, const struct valhall_row *row, uint32_t given, const char *start)
{
    for (unsigned i = 0; i < row->nmods; i++) {
        const struct valhall_field *m = &valhall_fields[row->mods[i]];
        if (given >> i & 1)
            continue;
        if (m->initial < 0) {
            unsigned v = 0;
            while (!m->words[v])
                v++;
            const char *example = row->form->way == VALHALL_WAY_MEET
                                      ? "write BARRIER.slot7.wait"
                                      : arena_printf(p->a.arena, "for example .%s", m->words[v]);
            return scan_error(&p->a.scan, scan_span(&p->a.scan, start), "modifier-missing", example,
                              "%s needs a modifier '%s'", row->name, m->name);
        }
        p->word |= (uint64_t)m->initial << m->at;
    }
    return true;
}

/* .modifier.modifier.flow */
static bool parse_modifiers(struct valhall_parser *p, const struct valhall_row *row, const char *start)
{
    struct scan *s = &p->a.scan;
    uint32_t given = 0;
    bool fine = true;
    unsigned flow = 0;
    while (*s->p == '.') {
        const char *word = s->p + 1;
        size_t length = modifier_length(p, row, word);
        bool again;
        int name = valhall_word(p->words, word, length);
        unsigned i = find_modifier(p, row, name, given, &again);
        s->p = s->last = word + length;
        if (i < row->nmods) {
            given |= 1u << i;
            p->word |= (uint64_t)p->words->modifier[row->mods[i]][name] << valhall_fields[row->mods[i]].at;
        } else if (again) {
            fine = twice(p, word, length, "a second modifier of its kind");
        } else if (name < 0 || p->words->flow[name] < 0) {
            fine = unknown_modifier(p, row, word, length);
        } else if (flow) {
            fine = twice(p, word, length, "a second flow control: an instruction has one");
        } else {
            flow = (unsigned)p->words->flow[name];
        }
    }
    p->word |= valhall_put_field(VALHALL_FIELD_FLOW, flow);
    return fine && finish_modifiers(p, row, given, start); /* the missing one may be the one that was not known */
}

/* ---- statements ---- */

enum { LARGEST = 1 << 30 /* bytes of a program */ };

static bool add_word(struct valhall_parser *p, uint64_t word, const char *start)
{
    uint32_t at = asm_here(&p->a) * 8;
    struct span where = scan_span(&p->a.scan, start);
    if (p->ntail)
        return scan_error(&p->a.scan, where, "bytes", NULL,
                          "'.byte' ends a program: an instruction is 8 bytes, at a multiple of 8");
    if (at >= LARGEST)
        return scan_error(&p->a.scan, where, "too-large", NULL, "a program of more than 1 GiB");
    struct valhall_item *item = asm_append(&p->a);
    if (!item)
        return false;
    *item = (struct valhall_item){at, 8, where, word};
    p->a.section[0].size = at + 8;
    return true;
}

/* The rules that an instruction breaks as a whole, each with its own message. */
static bool obeys_limits(struct valhall_parser *p, const struct valhall_row *row, const char *start)
{
    static const char *const codes[VALHALL_FAULTS] = {
        [VALHALL_SOURCE] = "fau-source",         [VALHALL_PAGE] = "fau-page",
        [VALHALL_FAU_VALUES] = "fau-values",     [VALHALL_FAU_SLOTS] = "fau-slots",
        [VALHALL_FAU_SPECIALS] = "fau-specials", [VALHALL_STAGING_PAIR] = "staging-pair",
        [VALHALL_STAGING_END] = "staging-end",   [VALHALL_STAGING_NONE] = "staging-none",
    };
    /* What different pages have in the same bits says nothing: two special values are too many, and so are two slots.
     */
    bool specials = p->specials_differ && (p->pages_differ || !valhall_is_message(row->unit));
    enum valhall_fault faults[] = {specials          ? VALHALL_FAU_SPECIALS
                                   : p->pages_differ ? VALHALL_PAGE
                                                     : VALHALL_FINE,
                                   p->pages_differ && p->special >= 0 ? VALHALL_FINE : valhall_fau_fault(row, p->word),
                                   valhall_staging_fault(row, p->word)};
    bool fine = true;
    for (unsigned i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (faults[i] && (i == 0 || faults[i] != faults[i - 1]))
            fine = scan_error(&p->a.scan, scan_span(&p->a.scan, start), codes[faults[i]], NULL, "%s",
                              valhall_fault_names[faults[i]]);
    return fine;
}

static bool parse_instruction(struct valhall_parser *p)
{
    struct scan *s = &p->a.scan;
    const char *start = s->p;
    int number;
    size_t length = find_mnemonic(start, &number);
    if (number < 0)
        return unknown_mnemonic(p, start, length);
    const struct valhall_row *row = &p->table->rows[number];
    p->word = p->table->layouts[number].value;
    p->page = VALHALL_NO_PAGE;
    p->pages_differ = p->specials_differ = false;
    p->special = -1;
    s->p = s->last = start + length;
    bool fine = parse_modifiers(p, row, start);
    if (!scan_at_line_end(s) && !scan_is(s->p[-1], SCAN_BLANK) && s->p == s->last)
        return scan_expected(s, "a blank before the operands");
    uint32_t errors = s->errors;
    if (!valhall_parse_operands(p, row))
        return false;
    if (p->page != VALHALL_NO_PAGE)
        p->word |= valhall_put_field(VALHALL_FIELD_PAGE, p->page);
    fine = obeys_limits(p, row, start) && fine && s->errors == errors;
    return add_word(p, p->word, start) && fine;
}

/* .byte 0x.., 0x..: what is left over after the last whole word, 7 bytes at most. */
static bool read_tail(struct asm_state *a, const struct asm_call *call)
{
    (void)call;
    struct valhall_parser *p = a->own;
    do {
        int64_t value;
        scan_blanks(&a->scan);
        const char *start = a->scan.p;
        if (!asm_constant(a, INT8_MIN, UINT8_MAX, "a byte", &value))
            return false;
        if (p->ntail == 7)
            return asm_error(a, start, "bytes", "write .quad for 8 of them", "at most %d bytes end a program", 7);
        p->tail[p->ntail++] = (uint8_t)value;
    } while (scan_take(&a->scan, ','));
    return true;
}

/* .quad 0x..., label: words that are not instructions. `settle` puts in what waits for labels further on. */
static bool read_quads(struct asm_state *a, const struct asm_call *call)
{
    const char *from = call->from - 1; /* the dot */
    do {
        int64_t value = 0;
        scan_blanks(&a->scan);
        const char *start = a->scan.p;
        const struct asm_expr *e = asm_expression(a);
        if (!e)
            return false;
        const struct asm_fixup fixup = {.role = ASM_OWN, .expr = e, .where = scan_span(&a->scan, start)};
        if (!asm_evaluate(a, e, &value) && !asm_add_fixup(a, &fixup))
            return false;
        if (!add_word(a->own, (uint64_t)value, from ? from : start))
            return false;
        from = NULL;
    } while (scan_take(&a->scan, ','));
    return true;
}

static const struct asm_directive directives[] = {
    {"quad", read_quads, 0},   {"byte", read_tail, 0},      {"equ", asm_read_equ, 0},
    {"set", asm_read_equ, 0}, {"equiv", asm_read_equ, 0}, {NULL, NULL, 0}};

static bool parse_directive(struct valhall_parser *p)
{
    const char *word;
    p->a.scan.p++;
    size_t length = scan_word(&p->a.scan, &word);
    if (length == 0)
        return scan_expected(&p->a.scan, "a directive");
    return asm_directive(&p->a, word, length) && scan_expect_line_end(&p->a.scan);
}

/* name: before an instruction or alone. */
static bool parse_label(struct valhall_parser *p, bool *found)
{
    struct scan *s = &p->a.scan;
    size_t length = scan_is(*s->p, SCAN_LETTER) ? scan_word_length(s->p) : 0;
    *found = length && s->p[length] == ':';
    if (!*found)
        return true;
    const char *name = s->p;
    s->p += length + 1;
    s->last = s->p;
    struct asm_symbol *symbol = asm_symbol(&p->a, name, length);
    return symbol && asm_define_label(&p->a, symbol, name);
}

static bool parse_statement(struct asm_state *a)
{
    struct valhall_parser *p = a->own;
    bool label;
    do {
        if (scan_at_line_end(&p->a.scan))
            return true;
        if (!parse_label(p, &label))
            return false;
    } while (label);
    if (*p->a.scan.p == '.')
        return parse_directive(p);
    if (scan_is(*p->a.scan.p, SCAN_LETTER))
        return parse_instruction(p);
    return scan_expected(&p->a.scan, "an instruction, a label, '.quad' or '.byte'");
}

/* A word of data; or the offset of a branch, which counts instructions from the one after it. */
static bool settle(struct asm_state *a, const struct asm_fixup *f, void *item, int64_t address)
{
    struct valhall_item *branch = item;
    if (f->role == ASM_OWN) {
        branch->word = (uint64_t)address;
        return true;
    }
    const struct valhall_field *rule = f->own;
    int64_t distance = address - branch->address - 8, offset = distance / 8;
    int64_t least = rule->is_signed ? -((int64_t)1 << (rule->size - 1)) : 0;
    if (distance % 8 != 0)
        return asm_error_at(a, f, "label-range", "a label + 8 is the instruction after it",
                            "an instruction is 8 bytes: this is %lld after the branch", (long long)distance);
    if (offset < least || (offset - least) >> rule->size)
        return asm_error_at(a, f, "label-range", NULL, "this is %lld instructions away, which %u bits do not hold",
                            (long long)offset, rule->size);
    branch->word |= ((uint64_t)offset & ((1ull << rule->size) - 1)) << rule->at;
    return true;
}

static void open_section(struct asm_section *s)
{
    s->code = true;
    s->align = 8;
}

static const struct asm_isa assembler = {.item = sizeof(struct valhall_item),
                                         .separator = ';',
                                         .comments = SCAN_HASH_FIRST | SCAN_SLASHES | SCAN_C | SCAN_SEPARATED,
                                         .directives = directives,
                                         .statement = parse_statement,
                                         .open = open_section,
                                         .settle = settle};

/* The words of the program into a module; NULL without memory. */
static struct isa_module *make_module(struct valhall_parser *p, const struct isa_params *params)
{
    struct isa_module *m = valhall_module(params, p->a.arena);
    const struct asm_section *section = &p->a.section[0];
    if (!m)
        return NULL;
    m->nwords = (uint32_t)section->count;
    m->words = ARENA_ARRAY(p->a.arena, uint64_t, section->count + 1);
    m->where = ARENA_ARRAY(p->a.arena, struct span, section->count + 1);
    if (!m->words || !m->where)
        return NULL;
    const struct valhall_item *items = asm_item(&p->a, section, 0);
    for (uint32_t i = 0; i < m->nwords; i++) {
        m->words[i] = items[i].word;
        m->where[i] = items[i].where;
    }
    m->ntail = (uint8_t)p->ntail;
    memcpy(m->tail, p->tail, sizeof m->tail);
    return m;
}

weft_status valhall_parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                          struct isa_module **out, weft_diags *diags)
{
    struct valhall_parser *p = ARENA_NEW(arena, struct valhall_parser);
    const struct valhall_table *table = valhall_table();
    const struct valhall_words *words = valhall_words();
    *out = NULL;
    weft_status status = valhall_refuse_table(table->fault[0] ? table->fault : words->fault, diags);
    if (status != WEFT_OK || !p)
        return status != WEFT_OK ? status : WEFT_ERROR_MEMORY;
    p->table = table;
    p->words = words;
    p->a = (struct asm_state){
        .isa = &assembler, .params = params, .arena = arena, .diags = diags, .own = p, .pass = 1 /* see `fit` */};
    if (!asm_start(&p->a, ".text"))
        return WEFT_ERROR_MEMORY;
    asm_read(&p->a, src);
    asm_layout(&p->a);
    *out = make_module(p, params);
    if (!*out || arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    return p->a.errors || p->a.scan.errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
