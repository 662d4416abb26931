/* parse_listing.c - the columns of a listing: an address and bytes before an instruction.
 *
 *   00000008: 01 80 00 10 03 00 f0 03   mov b32 $r0 0x3f000000      weft dis --addr --bytes
 *   01 80 00 10 03 00 f0 03             mov b32 $r0 0x3f000000      compilers
 *   00000008: 10008001 03f00003         mov b32 $r0 0x3f000000      envydis
 *
 *   00000010: a0                        .b8 0xa0                    what is left over
 *
 * A listing assembles to what it lists: the bytes say which encoding is meant, and the text must be theirs. */
#include "isa/tesla/slots.h"
#include "isa/tesla/parse.h"

static unsigned digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

static const char *skip_blanks(const char *p)
{
    while (scan_is(*p, SCAN_BLANK))
        p++;
    return p;
}

/* A number of exactly `digits` digits and what ends it; NULL when there is none. */
static const char *hex_column(const char *p, unsigned digits, char end, uint32_t *value)
{
    *value = 0;
    for (; digits > 0 && scan_is(*p, SCAN_HEX); digits--)
        *value = *value << 4 | digit(*p++);
    if (digits > 0)
        return NULL;
    if (end)
        return *p == end ? p + 1 : NULL;
    return scan_is(*p, SCAN_BLANK) || *p == '\n' || *p == '\0' ? p : NULL;
}

/* Up to `most` columns of a width; how many. */
static unsigned columns(const char **p, unsigned digits, unsigned most, uint32_t values[8])
{
    unsigned n = 0;
    for (const char *next; n < most && (next = hex_column(*p, digits, '\0', &values[n])) != NULL; n++)
        *p = skip_blanks(next);
    return n;
}

/* "00000008:", of any number of digits. Addresses start with a digit, labels do not. */
static const char *skip_address(const char *p)
{
    uint32_t address;
    for (unsigned digits = 1; digits <= 8 && *p >= '0' && *p <= '9'; digits++) {
        const char *next = hex_column(p, digits, ':', &address);
        if (next)
            return skip_blanks(next);
    }
    return p;
}

void tesla_take_listing(struct tesla_parser *ps, struct tesla_listing *l)
{
    uint32_t values[8];
    *l = (struct tesla_listing){0};
    if (!scan_is(*ps->a.scan.p, SCAN_HEX))
        return;
    const char *start = skip_address(ps->a.scan.p), *p = start;
    unsigned n = columns(&p, 2, 8, values);
    if (n == 4 || n == 8 || (n > 0 && *p == '.')) { /* data may be of any size */
        l->size = n;
        for (unsigned i = 0; i < n; i++)
            l->word |= (uint64_t)values[i] << i * 8;
    } else {
        p = start;
        n = columns(&p, 8, 2, values);
        l->size = n * 4;
        for (unsigned i = 0; i < n; i++)
            l->word |= (uint64_t)values[i] << i * 32;
    }
    if (p > ps->a.scan.p)
        ps->a.scan.last = p;
    l->where = scan_at(&ps->a.scan, ps->a.scan.p, p - ps->a.scan.p);
    ps->a.scan.p = p;
}

/* The same instruction but for what text without further words does not say. */
static bool says_the_same(const struct tesla_row *listed, const struct tesla_listing *l, const struct tesla_insn *insn)
{
    const struct tesla_template *t = listed ? tesla_template_of(listed) : NULL;
    if (!t)
        return false;
    uint64_t rest = l->word & ~tesla_ignored(t, l->word);
    if (listed == insn->row)
        return rest == (insn->word & ~tesla_ignored(t, insn->word));
    return tesla_is_wide(t, l->word); /* the other row was read because the word was missing */
}

bool tesla_apply_listing(struct tesla_parser *ps, const struct tesla_listing *l, struct tesla_insn *insn)
{
    if (insn->word == l->word && insn->size == l->size)
        return true;
    const struct tesla_row *listed = tesla_find_row(ps->tables, l->word, &ps->target);
    if (insn->size != l->size || !says_the_same(listed, l, insn))
        return scan_error(&ps->a.scan, l->where, "wrong-listing", NULL,
                          "these bytes are not those of the text next to them");
    insn->row = listed;
    insn->word = l->word;
    return true;
}

bool tesla_check_listed_data(struct tesla_parser *ps, const struct tesla_listing *l, size_t first)
{
    const struct asm_section *section = tesla_section(ps);
    const struct tesla_insn *insn = asm_item(&ps->a, section, 0);
    uint64_t word = 0;
    unsigned size = 0;
    for (size_t i = first; i < section->count && size + insn[i].size <= sizeof word; i++) {
        word |= insn[i].word << size * 8;
        size += insn[i].size;
    }
    return (size == l->size && word == l->word) ||
           scan_error(&ps->a.scan, l->where, "wrong-listing", NULL,
                      "these bytes are not those of the text next to them");
}
