/* directive.c - Tesla's directives: sections, padding, constants and data. */
#include "isa/tesla/parse.h"
#include "isa/tesla/flow.h"

#include <string.h>

/* A value by itself that is needed at once: later labels are not known yet. */
static bool parse_known(struct tesla_parser *ps, int64_t *value)
{
    bool final = ps->final;
    ps->final = true;
    scan_blanks(&ps->a.scan);
    bool fine = tesla_parse_expression(ps, true, value);
    ps->final = final;
    return fine;
}

static bool parse_hash_name(struct tesla_parser *ps, const char **name, size_t *length)
{
    if (!scan_take(&ps->a.scan, '#') || (*length = scan_word(&ps->a.scan, name)) == 0)
        return scan_expected(&ps->a.scan, "a name, #name");
    return true;
}

/* From the dot before a directive's name on. */
static struct span place_of(const struct tesla_parser *ps, const char *directive)
{
    return scan_span(&ps->a.scan, directive - 1);
}

static bool parse_section(struct asm_state *a, const struct asm_call *call)
{
    struct tesla_parser *ps = a->own;
    const char *name = NULL;
    size_t length;
    int64_t base = 0;
    if (!parse_hash_name(ps, &name, &length) || (!tesla_at_end(ps) && !parse_known(ps, &base)))
        return false;
    if (base < 0 || base >= TESLA_CODE_SPACE)
        base = TESLA_CODE_SPACE; /* too high for any code: said there */
    return tesla_open_section(ps, name, length, (uint32_t)base, place_of(ps, call->from));
}

static bool parse_equ(struct asm_state *a, const struct asm_call *call)
{
    struct tesla_parser *ps = a->own;
    const char *name = NULL;
    size_t length;
    int64_t value;
    if (!parse_hash_name(ps, &name, &length) || !parse_known(ps, &value))
        return false;
    struct asm_symbol *symbol = asm_symbol(a, name, length);
    if (symbol && symbol->defined)
        return scan_error(&a->scan, place_of(ps, call->from), "duplicate-label", NULL, "'%.*s' is defined twice",
                          (int)(length < 60 ? length : 60), name);
    if (!symbol || !(symbol->value = asm_number(a, value)))
        return false;
    symbol->defined = true;
    return true;
}

/* Zeros up to `end` bytes after the section's base. */
static bool pad_to(struct tesla_parser *ps, uint64_t end, struct span where)
{
    uint64_t used = tesla_section(ps)->size;
    ps->padding += end - used;
    if (ps->padding > TESLA_CODE_SPACE)
        return scan_error(&ps->a.scan, where, "too-large", NULL,
                          "more zeros than the 0x1000000 bytes that code may have");
    uint64_t words = (end - used) / 4;
    if (used % 4 != 0)
        return tesla_append_data(ps, 0, 1, end - used, where);
    return tesla_append_data(ps, 0, 4, words, where) && tesla_append_data(ps, 0, 1, (end - used) % 4, where);
}

/* Whether control goes on after what the section has so far. */
static bool falls_into(const struct tesla_parser *ps)
{
    const struct asm_section *section = tesla_section(ps);
    struct isa_module m = {
        .target = ps->target, .insns = asm_item(&ps->a, section, 0), .ninsns = (uint32_t)section->count};
    return m.ninsns && m.insns[m.ninsns - 1].row && tesla_ways_of(&m, m.ninsns - 1).falls;
}

/* Padding that control gets to does nothing: a longer instruction, then nop. */
static bool align_code(struct tesla_parser *ps, uint32_t multiple, struct span where)
{
    static const uint64_t nop = UINT64_C(0xe0000780f0000001);
    const struct asm_section *section = tesla_section(ps);
    struct tesla_insn insn = {.word = nop, .size = 8, .where = where,
                              .row = tesla_find_row(ps->tables, nop, &ps->target)};
    if (tesla_address(section) % 8 != 0 && !tesla_align_long(ps))
        return true; /* no instruction can be made long: zeros, which are warned of */
    while (tesla_address(section) % multiple != 0) {
        ps->padding += insn.size;
        if (ps->padding > TESLA_CODE_SPACE)
            return scan_error(&ps->a.scan, where, "too-large", NULL,
                              "more padding than the 0x1000000 bytes that code may have");
        if (!tesla_append(ps, &insn))
            return false;
    }
    return true;
}

enum padding { ALIGN, SKIP, SIZE };

static bool parse_padding(struct asm_state *a, const struct asm_call *call)
{
    unsigned kind = call->argument;
    struct tesla_parser *ps = a->own;
    const struct asm_section *section = tesla_section(ps);
    int64_t n;
    if (!parse_known(ps, &n))
        return false;
    struct span where = place_of(ps, call->from);
    uint64_t end = 0;
    if (n < 0 || n > TESLA_CODE_SPACE || (kind == ALIGN && n == 0))
        return scan_error(&a->scan, where, "bad-number", NULL, "%lld is not a number of bytes", (long long)n);
    if (kind == ALIGN && n % 8 == 0 && falls_into(ps) && !align_code(ps, (uint32_t)n, where))
        return false;
    uint64_t used = section->size;
    if (kind == ALIGN)
        end = used + ((uint64_t)n - tesla_address(section) % (uint64_t)n) % (uint64_t)n;
    else
        end = (uint64_t)n + (kind == SKIP ? used : 0);
    if (end < used)
        return scan_error(&a->scan, where, "too-large", NULL, "the section has more than %lld bytes", (long long)n);
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
    scan_blanks(&ps->a.scan);
    const char *start = ps->a.scan.p;
    if (!tesla_parse_expression(ps, false, &v))
        return false;
    if (!value_fits(sign, bits, v))
        return scan_error(&ps->a.scan, scan_span(&ps->a.scan, start), "bad-number", NULL, "%lld does not fit in .%c%u",
                          (long long)v, sign, bits);
    *value = bits == 64 ? (uint64_t)v : (uint64_t)v & ((UINT64_C(1) << bits) - 1);
    return true;
}

/* Values are together by up to 8 bytes, as an unknown long word is. */
static bool parse_data(struct asm_state *a, const struct asm_call *call)
{
    unsigned bits = call->argument;
    struct tesla_parser *ps = a->own;
    unsigned unit = bits / 8;
    do {
        uint64_t word = 0, value = 0;
        unsigned n = 0;
        scan_blanks(&a->scan);
        const char *start = a->scan.p;
        ps->unknown_symbol = false;
        for (; n < 8 / unit && !tesla_at_end(ps); n++) {
            if (!parse_datum(ps, *call->from, bits, &value))
                return false;
            word |= value << n * bits;
        }
        if (n == 0)
            return scan_expected(&a->scan, "a number");
        struct tesla_insn data = {
            .word = word, .unit = (uint8_t)unit, .size = n * unit, .where = scan_span(&a->scan, start)};
        if ((ps->unknown_symbol && !tesla_defer(ps, start, &(struct tesla_listing){0})) || !tesla_append(ps, &data))
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

const struct asm_directive tesla_directives[] = {
    {"align", parse_padding, ALIGN}, {"skip", parse_padding, SKIP}, {"size", parse_padding, SIZE},
    {"section", parse_section, 0},   {"equ", parse_equ, 0},         {"b8", parse_data, 8},
    {"b16", parse_data, 16},         {"b32", parse_data, 32},       {"b64", parse_data, 64},
    {"u8", parse_data, 8},           {"u16", parse_data, 16},       {"u32", parse_data, 32},
    {"u64", parse_data, 64},         {"s8", parse_data, 8},         {"s16", parse_data, 16},
    {"s32", parse_data, 32},         {"s64", parse_data, 64},       {NULL, NULL, 0},
};
