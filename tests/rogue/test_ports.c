/* test_ports.c - the forms of source and destination bytes: their names say how many bits banks, registers and the
 * selector have ("3lo_3b8i_2b8i_3b8i_3m"), and their pieces are bytes. And the feedthroughs of units. */
#include "test.h"

#include "isa/rogue/rogue.h"

#include <ctype.h>
#include <stdbool.h>

enum { LOWER, UPPER, DESTINATION, MOST = 3 };

static const struct form {
    const char *name;
    int part;
    unsigned count;
    const char *pattern;
} forms[] = {
#define PORTS(name, part, count, text) {#name, part, count, text},
#include "isa/rogue/ports.inc"
#undef PORTS
};

struct widths {
    unsigned bank[MOST], index[MOST], mux;
};

/* "3lo_3b8i_2b8i_3b8i_3m": after the first word a bank and an index for each register, then the selector. */
static struct widths of_name(const struct form *f)
{
    struct widths w = {.mux = 0};
    unsigned n = 0, bits = 0;
    for (const char *p = strchr(f->name, '_'); *p; p++) {
        if (isdigit((unsigned char)*p))
            bits = bits * 10 + (unsigned)(*p - '0');
        else if (*p == 'b')
            w.bank[n] = bits;
        else if (*p == 'i')
            w.index[n++] = bits;
        else if (*p == 'm')
            w.mux = bits;
        bits = isdigit((unsigned char)*p) ? bits : 0;
    }
    assert_int_equal(n, f->count);
    return w;
}

/* Of the pattern; its pieces are bytes. */
static struct widths of_pattern(const struct form *f)
{
    struct widths w = {.mux = 0};
    char text[200], *next = text;
    unsigned of_piece = 0;
    snprintf(text, sizeof text, "%s |", f->pattern);
    for (char *word; (word = strsep(&next, " ")) != NULL;) {
        char *colon = strchr(word, ':');
        unsigned bits = colon ? (unsigned)atoi(colon + 1) : (unsigned)strspn(word, "01");
        if (*word == '|' && of_piece != 8)
            fail_msg("%s: '%s' has a piece of %u bits", f->name, f->pattern, of_piece);
        of_piece = *word == '|' ? 0 : of_piece + bits;
        if (!colon)
            continue;
        *colon = '\0';
        if (strcmp(word, "mux") == 0)
            w.mux += bits;
        else
            *(word[1] ? &w.bank[word[1] - 'a'] : &w.index[word[0] - 'a']) += bits;
    }
    return w;
}

static void patterns_are_what_names_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct widths name = of_name(&forms[i]), pattern = of_pattern(&forms[i]);
        if (memcmp(&name, &pattern, sizeof name) != 0)
            fail_msg("%s: '%s' has other bits than its name says", forms[i].name, forms[i].pattern);
    }
}

/* Phases 0 and 1 drive FT0 and FT1, the pack FT2; in bitwise groups FT0 and FT1 are the bit mask's, and FT2 to FT5
 * those of shift 1, count, logical and shift 2 ("Bitwise ALU", chapter 2). */
static void feedthroughs(void **state)
{
    (void)state;
    static const struct {
        unsigned unit;
        int ft;
    } units[] = {{ROGUE_P0, 0},      {ROGUE_P1, 1},      {ROGUE_PCK, 2},    {ROGUE_TST, -1},    {ROGUE_MOV, -1},
                 {ROGUE_BACKEND, -1}, {ROGUE_BITMASK, 0}, {ROGUE_SHIFT1, 2}, {ROGUE_COUNT, 3},   {ROGUE_LOGICAL, 4},
                 {ROGUE_SHIFT2, 5},  {ROGUE_BITTEST, -1}, {ROGUE_CTRL, -1}};
    assert_int_equal(sizeof units / sizeof *units, ROGUE_UNITS);
    for (unsigned i = 0; i < ROGUE_UNITS; i++) {
        assert_int_equal(rogue_units[units[i].unit].ft, units[i].ft);
        if (units[i].ft >= 0)
            assert_int_equal(rogue_driver(units[i].unit >= ROGUE_BITMASK, (unsigned)units[i].ft), units[i].unit);
    }
    assert_int_equal(rogue_driver(true, 1), ROGUE_BITMASK);
}

TEST_MAIN(TEST(feedthroughs), TEST(patterns_are_what_names_say))
