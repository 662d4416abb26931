/* test_ports.c - the forms of source and destination bytes: their names say how many bits banks, registers and the
 * selector have ("3lo_3b8i_2b8i_3b8i_3m"), and their pieces are bytes. */
#include "test.h"

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

TEST_MAIN(TEST(patterns_are_what_names_say))
