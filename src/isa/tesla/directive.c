/* directive.c - statements that start with a dot: sections, padding, constants and data. */
#include "isa/tesla/parse.h"
#include "isa/tesla/flow.h"

#include <string.h>

/* A value by itself that is needed at once: later labels are not known yet. */
static bool parse_known(struct tesla_parser *ps, int64_t *value)
{
    bool final = ps->final;
    ps->final = true;
    scan_blanks(&ps->s);
    bool fine = tesla_parse_expression(ps, true, value);
    ps->final = final;
    return fine;
}

static bool parse_hash_name(struct tesla_parser *ps, const char **name, size_t *length)
{
    if (!scan_take(&ps->s, '#') || (*length = scan_word(&ps->s, name)) == 0)
        return scan_expected(&ps->s, "a name, #name");
    return true;
}

static bool parse_section(struct tesla_parser *ps, const char *start)
{
    const char *name;
    size_t length;
    int64_t base = 0;
    if (!parse_hash_name(ps, &name, &length) || (!tesla_at_end(ps) && !parse_known(ps, &base)))
        return false;
    if (base < 0 || base >= TESLA_CODE_SPACE)
        base = TESLA_CODE_SPACE; /* too high for any code: said there */
    return tesla_open_section(ps, name, length, (uint32_t)base, scan_span(&ps->s, start));
}

static bool parse_equ(struct tesla_parser *ps, const char *start)
{
    const char *name;
    size_t length;
    int64_t value;
    if (!parse_hash_name(ps, &name, &length) || !parse_known(ps, &value))
        return false;
    if (tesla_find_symbol(&ps->symbols, name, length))
        return scan_error(&ps->s, scan_span(&ps->s, start), "duplicate-label", NULL, "'%.*s' is defined twice",
                          (int)(length < 60 ? length : 60), name);
    struct tesla_symbol *symbol = tesla_add_symbol(&ps->symbols, ps->s.arena, name, length);
    if (symbol)
        symbol->value = value;
    return symbol != NULL;
}

/* Zeros up to `end` bytes after the section's base. */
static bool pad_to(struct tesla_parser *ps, uint64_t end, struct span where)
{
    const struct tesla_section *section = &ps->sections[ps->section];
    uint64_t used = section->at - section->base;
    ps->padding += end - used;
    if (ps->padding > TESLA_CODE_SPACE)
        return scan_error(&ps->s, where, "too-large", NULL, "more zeros than the 0x1000000 bytes that code may have");
    uint64_t words = (end - used) / 4;
    if (used % 4 != 0)
        return tesla_append_data(ps, 0, 1, end - used, where);
    return tesla_append_data(ps, 0, 4, words, where) && tesla_append_data(ps, 0, 1, (end - used) % 4, where);
}

/* Whether control goes on after what the section has so far. */
static bool falls_into(const struct tesla_parser *ps)
{
    const struct tesla_section *section = &ps->sections[ps->section];
    struct isa_module m = {.target = ps->target, .insns = section->insns, .ninsns = (uint32_t)section->ninsns};
    return m.ninsns && section->insns[m.ninsns - 1].row && tesla_ways_of(&m, m.ninsns - 1).falls;
}

/* Padding that control gets to does nothing: a longer instruction, then nop. */
static bool align_code(struct tesla_parser *ps, uint32_t multiple, struct span where)
{
    static const uint64_t nop = UINT64_C(0xe0000780f0000001);
    struct tesla_section *section = &ps->sections[ps->section];
    struct tesla_insn insn = {.word = nop, .size = 8, .where = where,
                              .row = tesla_find_row(ps->tables, nop, &ps->target)};
    if (section->at % 8 != 0 && !tesla_align_long(ps, section))
        return true; /* no instruction can be made long: zeros, which are warned of */
    while (section->at % multiple != 0) {
        ps->padding += insn.size;
        if (ps->padding > TESLA_CODE_SPACE)
            return scan_error(&ps->s, where, "too-large", NULL,
                              "more padding than the 0x1000000 bytes that code may have");
        if (!tesla_append(ps, &insn))
            return false;
    }
    return true;
}

enum padding { ALIGN, SKIP, SIZE };

static bool parse_padding(struct tesla_parser *ps, enum padding kind, const char *start)
{
    const struct tesla_section *section = &ps->sections[ps->section];
    int64_t n;
    if (!parse_known(ps, &n))
        return false;
    struct span where = scan_span(&ps->s, start);
    uint64_t end = 0;
    if (n < 0 || n > TESLA_CODE_SPACE || (kind == ALIGN && n == 0))
        return scan_error(&ps->s, where, "bad-number", NULL, "%lld is not a number of bytes", (long long)n);
    if (kind == ALIGN && n % 8 == 0 && falls_into(ps) && !align_code(ps, (uint32_t)n, where))
        return false;
    uint64_t used = section->at - section->base;
    if (kind == ALIGN)
        end = used + ((uint64_t)n - section->at % (uint64_t)n) % (uint64_t)n;
    else
        end = (uint64_t)n + (kind == SKIP ? used : 0);
    if (end < used)
        return scan_error(&ps->s, where, "too-large", NULL, "the section has more than %lld bytes", (long long)n);
    return pad_to(ps, end, where);
}

/* Whether a value fits: b takes signed and unsigned ones. */
static bool value_fits(char sign, unsigned bits, int64_t value)
{
    if (bits == 64)
        return true;
    int64_t half = INT64_C(1) << (bits - 1);
    return value >= (sign == 'u' ? 0 : -half) && value < (sign == 's' ? half : 2 * half);
}

/* One value, which may be a label that comes later. */
static bool parse_datum(struct tesla_parser *ps, char sign, unsigned bits, uint64_t *value)
{
    int64_t v;
    scan_blanks(&ps->s);
    const char *start = ps->s.p;
    if (!tesla_parse_expression(ps, false, &v))
        return false;
    if (!value_fits(sign, bits, v))
        return scan_error(&ps->s, scan_span(&ps->s, start), "bad-number", NULL, "%lld does not fit in .%c%u",
                          (long long)v, sign, bits);
    *value = bits == 64 ? (uint64_t)v : (uint64_t)v & ((UINT64_C(1) << bits) - 1);
    return true;
}

/* Values are together by up to 8 bytes, as an unknown long word is. */
static bool parse_data(struct tesla_parser *ps, char sign, unsigned bits)
{
    unsigned unit = bits / 8;
    do {
        uint64_t word = 0, value = 0;
        unsigned n = 0;
        scan_blanks(&ps->s);
        const char *start = ps->s.p;
        ps->unknown_symbol = false;
        for (; n < 8 / unit && !tesla_at_end(ps); n++) {
            if (!parse_datum(ps, sign, bits, &value))
                return false;
            word |= value << n * bits;
        }
        if (n == 0)
            return scan_expected(&ps->s, "a number");
        struct tesla_insn data = {.word = word, .unit = (uint8_t)unit, .size = (uint8_t)(n * unit),
                                  .where = scan_span(&ps->s, start)};
        if (!tesla_append(ps, &data) || (ps->unknown_symbol && !tesla_defer(ps, start, &(struct tesla_listing){0})))
            return false;
    } while (!tesla_at_end(ps));
    return true;
}

bool tesla_parse_data_again(struct tesla_parser *ps, struct tesla_insn *insn)
{
    uint64_t value = 0;
    insn->word = 0;
    for (unsigned n = 0; n < insn->size; n += insn->unit) {
        if (!parse_datum(ps, 'b', insn->unit * 8u, &value))
            return false;
        insn->word |= value << n * 8;
    }
    return true;
}

static bool parse_known_directive(struct tesla_parser *ps, const char *start, const char *word, size_t length)
{
    static const char *const names[] = {"align", "skip", "size", "section", "equ", NULL};
    static const char *const kinds[] = {"b8",  "b16", "b32", "b64", "u8",  "u16",
                                        "u32", "u64", "s8",  "s16", "s32", "s64"};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    for (unsigned i = 0; i < KINDS; i++)
        if (strlen(kinds[i]) == length && memcmp(kinds[i], word, length) == 0)
            return parse_data(ps, word[0], 8u << i % 4);
    switch (scan_word_index(word, length, names, 5)) {
    case 0:
        return parse_padding(ps, ALIGN, start);
    case 1:
        return parse_padding(ps, SKIP, start);
    case 2:
        return parse_padding(ps, SIZE, start);
    case 3:
        return parse_section(ps, start);
    case 4:
        return parse_equ(ps, start);
    default:
        return scan_unknown(&ps->s, "unknown-directive", "directive", word, length, names, 5);
    }
}

bool tesla_parse_directive(struct tesla_parser *ps)
{
    const char *start = ps->s.p++, *word;
    size_t length = scan_word(&ps->s, &word);
    if (length == 0)
        return scan_expected(&ps->s, "a directive");
    return parse_known_directive(ps, start, word, length);
}
