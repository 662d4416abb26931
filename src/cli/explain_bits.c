/* explain_bits.c - the bits of an instruction as manuals draw them: positions, digits and names, field by field. */
#include "cli/explain.h"
#include "cli/insn_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100, CELLS = 64, CELL_TEXT = 72 };

/* A piece of a field within one unit of the instruction. */
struct cell {
    const weft_field *field;
    unsigned low, width; /* bits of the unit */
};

static int by_position(const void *a, const void *b)
{
    const struct cell *left = a, *right = b;
    return left->low < right->low ? 1 : -1;
}

/* The pieces of all fields that lie in bits base .. base + bits - 1, the highest first. */
static size_t cells_of_unit(const weft_field *fields, size_t count, unsigned base, unsigned bits, struct cell *cells)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < fields[i].npieces; p++) {
            unsigned low = fields[i].pieces[p].bit, end = low + fields[i].pieces[p].width;
            low = low < base ? base : low;
            end = end > base + bits ? base + bits : end;
            if (low < end && n < CELLS)
                cells[n++] = (struct cell){&fields[i], low - base, end - low};
        }
    qsort(cells, n, sizeof *cells, by_position);
    return n;
}

/* The three lines of a cell. */
struct cell_text {
    char line[3][CELL_TEXT];
    int width;
};

static void describe_cell(const struct cell *c, const uint8_t *unit, struct cell_text *t)
{
    if (c->width == 1)
        snprintf(t->line[0], CELL_TEXT, "%u", c->low);
    else
        snprintf(t->line[0], CELL_TEXT, "%u-%u", c->low + c->width - 1, c->low);
    unsigned n = 0;
    for (unsigned b = c->width; b-- > 0;)
        t->line[1][n++] = (char)('0' + (unit[(c->low + b) / 8] >> (c->low + b) % 8 & 1));
    t->line[1][n] = '\0';
    snprintf(t->line[2], CELL_TEXT, "%s", c->field->name);
    t->width = 0;
    for (int i = 0; i < 3; i++)
        t->width = (int)strlen(t->line[i]) > t->width ? (int)strlen(t->line[i]) : t->width;
}

/* Cells side by side, in as many rows as they take. */
static void draw_cells(FILE *out, const struct cell *cells, size_t count, const uint8_t *unit)
{
    for (size_t first = 0, stop; first < count; first = stop) {
        struct cell_text texts[CELLS];
        int used = 2;
        for (stop = first; stop < count; stop++) {
            describe_cell(&cells[stop], unit, &texts[stop - first]);
            if (stop > first && used + texts[stop - first].width + 2 > COLUMNS)
                break;
            used += texts[stop - first].width + 2;
        }
        for (int line = 0; line < 3; line++) {
            for (size_t i = first; i < stop; i++) {
                bool last = i + 1 == stop;
                fprintf(out, "  %-*s", last ? 0 : texts[i - first].width, texts[i - first].line[line]);
            }
            fputc('\n', out);
        }
        if (stop < count)
            fputc('\n', out);
    }
}

static void draw_units(FILE *out, const weft_insn *insn, unsigned unit, const weft_field *fields, size_t count)
{
    struct cell cells[CELLS];
    for (unsigned at = 0; at < insn->size; at += unit) {
        unsigned bytes = insn->size - at < unit ? insn->size - at : unit;
        if (insn->size > unit) {
            fprintf(out, "  word %u: ", at / unit);
            for (unsigned b = bytes; b-- > 0;)
                fprintf(out, "%02x", insn->bytes[at + b]);
            fputc('\n', out);
        }
        size_t n = cells_of_unit(fields, count, at * 8, bytes * 8, cells);
        draw_cells(out, cells, n, insn->bytes + at);
        fputc('\n', out);
    }
}

/* "31-28", or with the number of the word "1:31-28", the highest piece first. */
static void positions(const weft_field *f, unsigned unit, bool several, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t p = f->npieces; p-- > 0;) {
        unsigned bits = unit * 8, bit = f->pieces[p].bit, high = bit + f->pieces[p].width - 1;
        used += (size_t)snprintf(text + used, used < size ? size - used : 0, "%s", used ? " " : "");
        if (several)
            used += (size_t)snprintf(text + used, used < size ? size - used : 0, "%u:", high / bits);
        used += (size_t)snprintf(text + used, used < size ? size - used : 0, "%u", high % bits);
        if (high != bit)
            used += (size_t)snprintf(text + used, used < size ? size - used : 0, "-%u", bit % bits);
    }
}

void explain_bits(FILE *out, const weft_decoder *decoder, const weft_insn *insn)
{
    weft_field fields[WEFT_INSN_FIELDS];
    size_t n = weft_insn_fields(decoder, insn, fields, WEFT_INSN_FIELDS);
    unsigned unit = weft_isa_unit(weft_decoder_isa(decoder));
    draw_units(out, insn, unit, fields, n);
    size_t name = 5, place = 4;
    char text[80];
    for (size_t i = 0; i < n; i++) {
        positions(&fields[i], unit, insn->size > unit, text, sizeof text);
        name = strlen(fields[i].name) > name ? strlen(fields[i].name) : name;
        place = strlen(text) > place ? strlen(text) : place;
    }
    fprintf(out, "  %-*s  %-*s  %-8s  %-12s  %s\n", (int)place, "bits", (int)name, "field", "kind", "value", "means");
    for (size_t i = 0; i < n; i++) {
        char value[24];
        positions(&fields[i], unit, insn->size > unit, text, sizeof text);
        snprintf(value, sizeof value, fields[i].value < 10 ? "%llu" : "0x%llx", (unsigned long long)fields[i].value);
        fprintf(out, "  %-*s  %-*s  %-8s  %-12s  %s\n", (int)place, text, (int)name, fields[i].name,
                insn_field_kind_name(fields[i].kind), value, fields[i].word);
    }
}
