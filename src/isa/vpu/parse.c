/* parse.c - statements of the assembler: labels, mnemonics, sources and sections. Syntax is that of the manual and of
 * the GNU port, whose @ separates statements and whose # starts a comment at the beginning of a line only. */
#include "isa/vpu/asm.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---- */

bool asm_error(struct vpu_asm *a, const char *from, const char *code, const char *hint, const char *fmt, ...)
{
    char message[240];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    struct span where = scan_span(&a->scan, from);
    if (where.length == 0)
        where.length = 1;
    return scan_error(&a->scan, where, code, hint, "%s", message);
}

bool asm_no_memory(struct vpu_asm *a)
{
    a->failed = true;
    return false;
}

/* ---- tokens ---- */

bool asm_at_end(struct vpu_asm *a)
{
    return scan_at_line_end(&a->scan) || *a->scan.p == '@';
}

bool asm_expect(struct vpu_asm *a, char c, const char *what)
{
    return scan_take(&a->scan, c) || scan_expected(&a->scan, what);
}

static bool is_name(char c)
{
    return scan_is(c, SCAN_LETTER | SCAN_DIGIT) || c == '.' || c == '$';
}

size_t asm_name(struct vpu_asm *a, const char **name)
{
    scan_blanks(&a->scan);
    const char *p = a->scan.p;
    *name = p;
    if (scan_is(*p, SCAN_DIGIT))
        return 0;
    while (is_name(*p))
        p++;
    if (p > *name)
        a->scan.last = a->scan.p = p;
    return (size_t)(p - *name);
}

int asm_try_register(struct vpu_asm *a)
{
    scan_blanks(&a->scan);
    const char *p = a->scan.p;
    size_t length = scan_word_length(p);
    int reg = length && !is_name(p[length]) ? vpu_find_register(p, length) : -1;
    if (reg >= 0)
        a->scan.last = a->scan.p = p + length;
    return reg;
}

bool asm_register(struct vpu_asm *a, uint8_t *out)
{
    int reg = asm_try_register(a);
    if (reg < 0)
        return scan_expected(&a->scan, "a register");
    *out = (uint8_t)reg;
    return true;
}

bool asm_take_pin(struct vpu_asm *a, struct vpu_wish *wish)
{
    if (!scan_take(&a->scan, '{'))
        return true;
    scan_blanks(&a->scan);
    const char *name = a->scan.p;
    size_t length = scan_word_length(name);
    if (length == 0)
        return scan_expected(&a->scan, "the name of an encoding");
    a->scan.last = a->scan.p = name + length;
    wish->name = name;
    wish->name_length = length;
    return asm_expect(a, '}', "'}'");
}

/* ---- symbols ---- */

static uint32_t hash_name(const char *name, size_t length)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (uint8_t)name[i]) * 16777619u;
    return (h ^ h >> 15) % ASM_BUCKETS;
}

struct asm_symbol *asm_known_symbol(struct vpu_asm *a, const char *name, size_t length)
{
    for (struct asm_symbol *s = a->bucket[hash_name(name, length)]; s; s = s->next)
        if (strncmp(s->name, name, length) == 0 && s->name[length] == '\0')
            return s;
    return NULL;
}

struct asm_symbol *asm_symbol(struct vpu_asm *a, const char *name, size_t length)
{
    struct asm_symbol *known = asm_known_symbol(a, name, length);
    struct asm_symbol **bucket = &a->bucket[hash_name(name, length)];
    if (known)
        return known;
    if (length > ASM_NAME) {
        asm_error(a, name, "symbol", NULL, "a name of more than %d letters", ASM_NAME);
        return NULL;
    }
    struct asm_symbol *s = ARENA_NEW(a->arena, struct asm_symbol);
    void *grown = arena_grow(a->arena, a->symbol, sizeof *a->symbol, a->nsymbols, &a->symbol_capacity, a->nsymbols + 1);
    if (!s || !grown || !(s->name = arena_strndup(a->arena, name, length))) {
        asm_no_memory(a);
        return NULL;
    }
    s->first_use = scan_span(&a->scan, name < a->scan.begin || name > a->scan.end ? a->scan.p : name);
    s->first_source = a->scan.src;
    s->next = *bucket;
    *bucket = s;
    a->symbol = grown;
    a->symbol[a->nsymbols++] = s;
    return s;
}

bool asm_define_label(struct vpu_asm *a, struct asm_symbol *s, const char *from)
{
    if (s->defined)
        return asm_error(a, from, "symbol", NULL, "'%s' is defined already", s->name);
    s->defined = true;
    s->section = a->current;
    s->index = (uint32_t)a->section[a->current].count;
    return true;
}

size_t asm_label_number(const char *p, uint32_t *number)
{
    enum { MOST_DIGITS = 9 };
    size_t length = 0;
    *number = 0;
    while (length < MOST_DIGITS && scan_is(p[length], SCAN_DIGIT))
        *number = 10 * *number + (uint32_t)(p[length++] - '0');
    return length;
}

/* The symbol that counts the labels of a number. */
static struct asm_symbol *counter(struct vpu_asm *a, uint32_t number)
{
    char *name = arena_printf(a->arena, "%u:", (unsigned)number);
    if (!name)
        asm_no_memory(a);
    return name ? asm_symbol(a, name, strlen(name)) : NULL;
}

struct asm_symbol *asm_numbered_label(struct vpu_asm *a, uint32_t number, bool ahead, const char *from)
{
    struct asm_symbol *count = counter(a, number);
    if (!count)
        return NULL;
    if (!ahead && count->times == 0) {
        asm_error(a, from, "symbol", NULL, "no label %u: stands before this", (unsigned)number);
        return NULL;
    }
    char *name = arena_printf(a->arena, "%u:%u", (unsigned)number, (unsigned)(count->times + ahead));
    if (!name)
        asm_no_memory(a);
    return name ? asm_symbol(a, name, strlen(name)) : NULL;
}

static bool define_numbered(struct vpu_asm *a, uint32_t number, const char *from)
{
    struct asm_symbol *count = counter(a, number);
    struct asm_symbol *next = count ? asm_numbered_label(a, number, true, from) : NULL;
    if (!next || !asm_define_label(a, next, from))
        return false;
    count->times++;
    return true;
}

/* ---- sections ---- */

bool asm_enter_section(struct vpu_asm *a, const char *name, size_t length)
{
    for (uint32_t i = 0; i < a->nsections; i++)
        if (strncmp(a->section[i].out.name, name, length) == 0 && a->section[i].out.name[length] == '\0') {
            a->current = i;
            return true;
        }
    if (length > ASM_NAME || a->nsections >= 1000)
        return asm_error(a, name, "section", NULL, "too many sections, or a name too long");
    void *grown =
        arena_grow(a->arena, a->section, sizeof *a->section, a->nsections, &a->section_capacity, a->nsections + 1);
    char *copy = arena_strndup(a->arena, name, length);
    if (!grown || !copy)
        return asm_no_memory(a);
    a->section = grown;
    a->current = (uint32_t)a->nsections++;
    bool text = strncmp(copy, ".text", 5) == 0 || strncmp(copy, ".init", 5) == 0;
    bool bss = strncmp(copy, ".bss", 4) == 0;
    a->section[a->current] = (struct asm_section){.out = {.name = copy,
                                                          .align = text ? 2 : 1,
                                                          .code = text,
                                                          .nobits = bss,
                                                          .writable = bss || strncmp(copy, ".data", 5) == 0}};
    return true;
}

struct vpu_insn *asm_append(struct vpu_asm *a, const struct vpu_insn *insn)
{
    struct asm_section *s = &a->section[a->current];
    if (s->count == s->capacity) {
        void *grown = arena_grow(a->arena, s->insn, sizeof *s->insn, s->count, &s->capacity, s->count + 1);
        if (!grown) {
            asm_no_memory(a);
            return NULL;
        }
        s->insn = grown;
    }
    s->insn[s->count] = *insn;
    return &s->insn[s->count++];
}

bool asm_add_fixup(struct vpu_asm *a, const struct asm_fixup *fixup)
{
    void *grown = arena_grow(a->arena, a->fixup, sizeof *a->fixup, a->nfixups, &a->fixup_capacity, a->nfixups + 1);
    if (!grown)
        return asm_no_memory(a);
    a->fixup = grown;
    struct asm_fixup *f = &a->fixup[a->nfixups++];
    *f = *fixup;
    f->section = a->current;
    f->src = a->scan.src;
    return true;
}

/* ---- instructions ---- */

const char *asm_spelling(const struct vpu_insn *insn)
{
    return insn->op < VPU_VMEM ? vpu_ops[insn->op].name : vpu_names()->spelling[insn->op][insn->x & 3].text;
}

static bool no_encoding(struct vpu_asm *a, const struct vpu_insn *insn, const struct vpu_wish *wish, const char *from)
{
    struct vpu_wish any = {.written = wish->written};
    struct vpu_choice choice;
    char why[200];
    if ((wish->size || wish->name) && vpu_choose(insn, &any, &choice))
        return asm_error(a, from, "no-encoding",
                         wish->name ? "without the name it has one" : "without the size it has one",
                         "no encoding of '%s' that is asked for holds these operands", asm_spelling(insn));
    if (vpu_why_not(insn, why, sizeof why))
        return asm_error(a, from, "no-encoding", NULL, "no encoding of '%s' holds these operands: %s",
                         asm_spelling(insn), why);
    return asm_error(a, from, "no-encoding", NULL, "no encoding of '%s' holds these operands", asm_spelling(insn));
}

bool asm_finish(struct vpu_asm *a, struct vpu_insn *insn, const struct vpu_wish *wish, const char *from,
                const struct asm_expr *expr, enum asm_role role)
{
    struct vpu_choice choice;
    struct vpu_wish open = {.written = wish->written};
    if (a->params && a->params->shorten)
        wish = &open;
    if (!a->included)
        insn->where = scan_span(&a->scan, from);
    bool distance = role == ASM_TARGET && insn->op != VPU_J && insn->op != VPU_JL;
    if (expr && (distance || role == ASM_NEAR || !asm_is_number(expr))) {
        struct asm_fixup fixup = {.index = (uint32_t)a->section[a->current].count,
                                  .expr = expr,
                                  .role = (uint8_t)role,
                                  .wish = *wish,
                                  .where = scan_span(&a->scan, from)};
        insn->form = VPU_NO_FORM;
        insn->size = vpu_least_size(insn, wish);
        if (insn->size == 0)
            return no_encoding(a, insn, wish, from);
        return asm_add_fixup(a, &fixup) && asm_append(a, insn);
    }
    if (expr && role == ASM_TARGET)
        insn->target = (uint32_t)expr->value;
    if (!vpu_choose(insn, wish, &choice))
        return no_encoding(a, insn, wish, from);
    insn->form = choice.form;
    insn->op = choice.op;
    insn->imm = choice.imm;
    insn->size = vpu_tables()->form[choice.form].size;
    return asm_append(a, insn) != NULL;
}

/* The part of a mnemonic behind a dot: a condition, a size, or of its name. */
static bool take_suffix(struct vpu_asm *a, struct asm_statement *st, const char *p, size_t length)
{
    int cond = vpu_find_cond(p, length);
    if (length == 1 && memchr("smlSML", *p, 6)) {
        char c = (char)(*p | 32);
        st->wish.size = c == 's' ? 2 : c == 'm' ? 4 : 6;
        return true;
    }
    if (cond < 0)
        return asm_error(a, p, "unknown-condition", NULL, "'.%.*s' is no condition and no size", (int)length, p);
    if (st->cond != VPU_ALWAYS)
        return asm_error(a, p, "syntax", NULL, "a second condition");
    st->cond = (uint8_t)cond;
    return true;
}

/* mulhd.eq.uu.m: put the parts that are the operation's name together, and take the others. */
static bool split_mnemonic(struct vpu_asm *a, struct asm_statement *st, const char *word, size_t length)
{
    static const char *const own[] = {"ss", "su", "us", "uu", "b", "0", "1", NULL};
    char name[32];
    const char *end = word + length, *dot = memchr(word, '.', length);
    size_t n = dot ? (size_t)(dot - word) : length;
    if (n > 16)
        n = 16;
    memcpy(name, word, n);
    for (const char *p = dot; p && p < end;) {
        const char *start = p + 1;
        p = memchr(start, '.', (size_t)(end - start));
        size_t piece = (size_t)((p ? p : end) - start);
        if (scan_word_index(start, piece, own, sizeof own / sizeof own[0]) < 0) {
            if (!take_suffix(a, st, start, piece))
                return false;
        } else if (n + piece + 1 < sizeof name) {
            name[n++] = '.';
            memcpy(name + n, start, piece);
            n += piece;
        }
    }
    if (vpu_find_mnemonic(name, n, &st->mnemonic))
        return true;
    if (scan_word_is(name, n, "vlookup") || scan_word_is(name, n, "vindexwrite"))
        return asm_error(a, word, "unknown-instruction",
                         "the index is the high part or the low half of the accumulator: mh or ml at the end",
                         "'%.*s' is the name of two instructions", (int)n, name);
    const struct vpu_names *names = vpu_names();
    size_t count = 0;
    while (names->all[count])
        count++;
    return scan_unknown(&a->scan, "unknown-instruction", "instruction", word, length, names->all, count);
}

static bool read_instruction(struct vpu_asm *a, const char *word, size_t length)
{
    struct asm_statement st = {.from = word, .cond = VPU_ALWAYS};
    if (!vpu_find_mnemonic(word, length, &st.mnemonic) && !split_mnemonic(a, &st, word, length))
        return false;
    if (st.mnemonic.cond != VPU_ALWAYS)
        st.cond = st.mnemonic.cond;
    struct asm_section *s = &a->section[a->current];
    if (s->out.nobits)
        return asm_error(a, word, "section", NULL, "section '%s' holds no bytes", s->out.name);
    if (st.mnemonic.alias == VPU_ALIAS_VEC48 || st.mnemonic.alias == VPU_ALIAS_VEC80)
        return asm_raw_vector(a, &st);
    if (st.mnemonic.op < VPU_VMEM)
        return asm_scalar(a, &st);
    if (st.cond != VPU_ALWAYS)
        return asm_error(a, word, "syntax", "lanes are chosen by IFZ, IFNZ, IFN, IFNN, IFC, IFNC",
                         "vector instructions have no condition");
    return asm_vector(a, &st);
}

/* ---- statements ---- */

/* Labels in front of a statement. *word is its first word. */
static bool read_labels(struct vpu_asm *a, const char **word, size_t *length)
{
    for (;;) {
        scan_blanks(&a->scan);
        const char *p = a->scan.p;
        uint32_t number;
        size_t digits = asm_label_number(p, &number);
        if (digits && p[digits] == ':') {
            a->scan.last = a->scan.p = p + digits + 1;
            if (!define_numbered(a, number, p))
                return false;
            continue;
        }
        *length = asm_name(a, word);
        if (*length == 0 || *a->scan.p != ':')
            return true;
        a->scan.p++;
        struct asm_symbol *s = asm_symbol(a, *word, *length);
        if (!s || !asm_define_label(a, s, *word))
            return false;
    }
}

static bool read_statement(struct vpu_asm *a)
{
    const char *word;
    size_t length;
    if (!read_labels(a, &word, &length))
        return false;
    if (length == 0)
        return asm_at_end(a) || scan_expected(&a->scan, "an instruction, a directive or a label");
    scan_blanks(&a->scan);
    bool fine;
    if (*a->scan.p == '=' && a->scan.p[1] != '=') {
        a->scan.p++;
        fine = asm_equ(a, word, length);
    } else if (asm_use_macro(a, word, length, &fine)) {
        return fine;
    } else if (*word == '.') {
        fine = asm_directive(a, word, length);
    } else {
        fine = read_instruction(a, word, length);
    }
    return fine && (asm_at_end(a) || scan_expected(&a->scan, "the end of the statement"));
}

void asm_skip_statement(struct vpu_asm *a)
{
    while (!scan_at_line_end(&a->scan) && *a->scan.p != '@') {
        char c = *a->scan.p++;
        if (c == '\\' && *a->scan.p != '\n')
            a->scan.p++; /* \@ */
        if (c == '"')
            while (a->scan.p < a->scan.end && *a->scan.p != '"' && *a->scan.p != '\n')
                a->scan.p += *a->scan.p == '\\' && a->scan.p[1] != '\n' ? 2 : 1;
    }
    if (a->scan.p > a->scan.end)
        a->scan.p = a->scan.end;
}

bool asm_read(struct vpu_asm *a, const struct source *src)
{
    struct scan outer = a->scan;
    const char *counted = a->counted;
    uint32_t line = a->line, first_if = a->first_if;
    if (!scan_start(&a->scan, src, SCAN_SEMICOLON | SCAN_HASH_FIRST | SCAN_SLASHES | SCAN_C, a->arena, a->diags))
        return asm_no_memory(a);
    a->counted = a->scan.begin;
    a->line = 1;
    a->first_if = a->nifs;
    while (a->scan.p < a->scan.end && !a->failed && !a->leaving && a->errors + a->scan.errors < SCAN_MAX_ERRORS) {
        if (!read_statement(a))
            asm_skip_statement(a);
        if (!scan_take(&a->scan, '@') && *a->scan.p == '\n')
            a->scan.p++;
    }
    asm_close_conditions(a);
    a->errors += a->scan.errors;
    uint32_t errors = a->errors;
    a->counted = counted;
    a->line = line;
    a->first_if = first_if;
    if (outer.begin)
        a->scan = outer;
    return !a->failed && errors < SCAN_MAX_ERRORS;
}

weft_status vpu_parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                      struct isa_module **out, weft_diags *diags)
{
    struct vpu_asm a = {.params = params, .arena = arena, .diags = diags};
    *out = NULL;
    a.bucket = ARENA_ARRAY(arena, struct asm_symbol *, ASM_BUCKETS);
    if (!vpu_tables() || !vpu_names() || !a.bucket || !asm_enter_section(&a, ".text", 5))
        return WEFT_ERROR_MEMORY;
    asm_read(&a, src);
    if (!a.failed && a.errors == 0)
        asm_layout(&a, out);
    if (*out && params)
        (*out)->linkage = params->linkage;
    if (a.failed || arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    return a.errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
