/* legend.c - what the names in a row's syntax mean, for the reference: the words, or what an operand looks like. */
#include "isa/tesla/slots.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { LEGENDS = 1 << 17, LINES = 128, LINE = 110, COLUMN = 7 };

/* The line of a name, made when it is met first. */
struct line {
    const char *name;
    size_t length; /* of the name */
    bool small;    /* it is of short and immediate forms */
    size_t size;
    char text[LINE];
};

static char pool[LEGENDS]; /* made once, as are the places of the rows in it */
static uint32_t starts[TESLA_ROWS], used;
static struct line lines[LINES];

static void describe_operand(enum tesla_slot slot, char *out, size_t size)
{
    uint32_t step, last;
    int n = snprintf(out, size, "%s", tesla_slots[slot].wants);
    if (n > 0 && (size_t)n < size && tesla_slot_range(slot, &step, &last))
        snprintf(out + n, size - (size_t)n, step == 1 ? " at 0x0 to 0x%x" : " at 0x0 to 0x%x in steps of %u", last,
                 step);
}

/* "{l|e|le:b46-48}" as "l, e, le". */
static void describe_choice(const char *choice, char *out)
{
    size_t n = 0;
    for (const char *p = choice + 1; *p != ':' && n + 3 < LINE - COLUMN; p++) {
        out[n++] = *p == '|' ? ',' : *p;
        if (*p == '|')
            out[n++] = ' ';
    }
    out[n] = '\0';
}

static void describe(const char *name, size_t length, bool small, char *out, size_t size)
{
    static const struct {
        const char *name, *meaning;
    } prefixes[] = {{"PRED", "a predicate, (lg $c0) and the like"},
                    {"LANE", "lanes of each quad, (l012) and the like"}};
    const char *choice = tesla_choice_named(name, length);
    int slot = tesla_slot_named(name, length, small);
    *out = '\0';
    for (size_t i = 0; i < 2; i++)
        if (strncmp(name, prefixes[i].name, length) == 0 && length == 4)
            snprintf(out, size, "%s", prefixes[i].meaning);
    if (choice)
        describe_choice(choice, out);
    else if (slot >= 0)
        describe_operand((enum tesla_slot)slot, out, size);
}

static const struct line *line_of(const char *name, size_t length, bool small)
{
    unsigned at = ((unsigned)name[0] * 5 + (unsigned)name[length - 1] * 3 + (unsigned)name[length / 2] * 17 +
                   (unsigned)length * 29 + small) %
                  LINES;
    while (lines[at].name &&
           (lines[at].length != length || lines[at].small != small || memcmp(lines[at].name, name, length) != 0))
        at = (at + 1) % LINES;
    struct line *line = &lines[at];
    if (!line->name) {
        *line = (struct line){.name = name, .length = length, .small = small};
        memset(line->text, ' ', COLUMN);
        memcpy(line->text, name, length < COLUMN ? length : COLUMN - 1);
        describe(name, length, small, line->text + COLUMN, LINE - COLUMN);
        line->size = strlen(line->text);
    }
    return line;
}

/* The names of a syntax are its words in capitals. A second D is the destination again: it has its line. */
static void make_legend(const struct tesla_row *row)
{
    const struct line *shown[TESLA_MAX_ITEMS];
    unsigned nshown = 0;
    bool small = row->form == TESLA_SHORT || row->form == TESLA_IMMEDIATE;
    size_t length;
    for (const char *p = row->syntax; *p; p += length + (p[length] != '\0')) {
        length = strcspn(p, " []{}()");
        if (*p < 'A' || *p > 'Z' || nshown == TESLA_MAX_ITEMS)
            continue;
        unsigned before = 0;
        const struct line *line = line_of(p, length, small);
        while (before < nshown && shown[before] != line)
            before++;
        if (before < nshown || used + line->size + 2 > LEGENDS)
            continue;
        if (nshown)
            pool[used++] = '\n';
        shown[nshown++] = line;
        memcpy(pool + used, line->text, line->size);
        used += (uint32_t)line->size;
    }
}

static void make_legends(void)
{
    used = 1; /* before the first is the empty one */
    for (uint32_t i = 0; i < TESLA_ROWS; i++) {
        uint32_t start = used;
        make_legend(&tesla_rows[i]);
        starts[i] = used > start ? start : 0;
        used += used > start; /* its end */
    }
}

const char *tesla_legend(uint32_t row)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_legends);
    return starts[row] ? pool + starts[row] : NULL;
}
