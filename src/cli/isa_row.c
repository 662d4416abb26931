/* isa_row.c - weft isa NAME INSTRUCTION: what an instruction does, its forms and their bits. */
#include "cli/isa_row.h"
#include "cli/cli.h"
#include "cli/isa_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 200, WIDE = 100 };

static void stages_of(const weft_isa_row *row, char *text)
{
    text[0] = '\0';
    for (int s = 0; s < WEFT_STAGES; s++)
        if (row->stages >> s & 1)
            snprintf(text + strlen(text), TEXT - strlen(text), "%s%s", *text ? ", " : "",
                     weft_stage_name((weft_stage)s));
}

static void provenance_of(const weft_isa_row *row, char *text)
{
    static const char *const meaning[] = {"the source document says it",
                                          "a public implementation or a measurement says it",
                                          "nobody says it, weft chose", "not as the source document says"};
    snprintf(text, TEXT, "%s: %s", weft_provenance_name(row->provenance), meaning[row->provenance]);
}

static void executes_of(const weft_isa_row *row, char *text)
{
    snprintf(text, TEXT, "%s", row->executes ? "" : "not yet: running it is an error that names it");
}

#define MEMBER(name)                                                                                                   \
    static void name##_of(const weft_isa_row *row, char *text)                                                         \
    {                                                                                                                  \
        snprintf(text, TEXT, "%s", row->name ? row->name : "");                                                        \
    }
MEMBER(operands)
MEMBER(unit)
MEMBER(group)
MEMBER(chips)
MEMBER(difference)
MEMBER(reason)
#undef MEMBER

/* What a row says besides its syntax and its bits. */
static const struct fact {
    const char *name;
    void (*text)(const weft_isa_row *row, char *text);
} facts[] = {
    {"operands", operands_of},     {"group", group_of},     {"unit", unit_of},
    {"stages", stages_of},         {"chips", chips_of},     {"provenance", provenance_of},
    {"difference", difference_of}, {"reason", reason_of},   {"executes", executes_of},
};
enum { FACTS = sizeof facts / sizeof facts[0] };

/* The rows of one instruction. */
struct entry {
    const weft_isa *isa;
    const size_t *rows;
    size_t count;
};

static weft_isa_row row_of(const struct entry *e, size_t i)
{
    weft_isa_row row = {0};
    weft_isa_get_row(e->isa, e->rows[i], &row);
    return row;
}

/* Do all rows say the same? */
static bool agree(const struct entry *e, const struct fact *fact)
{
    char first[TEXT], other[TEXT];
    weft_isa_row row = row_of(e, 0);
    fact->text(&row, first);
    for (size_t i = 1; i < e->count; i++) {
        row = row_of(e, i);
        fact->text(&row, other);
        if (strcmp(first, other) != 0)
            return false;
    }
    return true;
}

/* The facts that all rows agree on, or those that they do not. */
static void show_facts(const struct entry *e, size_t i, bool common)
{
    char text[TEXT];
    weft_isa_row row = row_of(e, i);
    for (size_t f = 0; f < FACTS; f++) {
        facts[f].text(&row, text);
        if (text[0] && agree(e, &facts[f]) == common)
            printf("%s%-12s %s\n", common ? "  " : "     ", facts[f].name, text);
    }
}

static void show_names(const char *lines)
{
    for (const char *name = "names"; lines && *lines; name = "") {
        int n = (int)strcspn(lines, "\n");
        printf("     %-12s %.*s\n", name, n, lines);
        lines += n + (lines[n] != 0);
    }
}

/* The names of a picture's letters. */
static void show_letters(const struct isa_form *form)
{
    int column = 0;
    for (size_t i = 0; i < form->nfields; i++) {
        char text[80];
        if (form->fields[i].kind == WEFT_FIELD_OPCODE || form->fields[i].kind == WEFT_FIELD_UNUSED)
            continue;
        int n = snprintf(text, sizeof text, "%c %s", isa_form_letter(form, i), form->fields[i].name);
        if (column && column + n + 2 > WIDE) {
            putchar('\n');
            column = 0;
        }
        column += printf("%s%s", column ? ", " : "     ", text);
    }
    if (column)
        putchar('\n');
}

/* The bits of each form of a row; where there is no picture, what the row says of its encoding. */
static void show_forms(const struct entry *e, size_t i, const weft_isa_row *row)
{
    struct isa_form *form = cli_kept(malloc(sizeof *form));
    char *picture = cli_kept(malloc(FORM_PICTURE));
    uint32_t number = 0;
    while (form && picture && isa_form_get(e->isa, (uint32_t)e->rows[i], number, form)) {
        isa_form_picture(form, weft_isa_unit(e->isa), picture);
        printf("     %s%s%s\n", form->name, *form->name ? ": " : "", picture);
        show_letters(form);
        number++;
    }
    if (number == 0 && row->pattern[0])
        printf("     %-12s %s\n", "encoding", row->pattern);
    free(picture);
    free(form);
}

void isa_row_show(const weft_isa *isa, const size_t *rows, size_t count)
{
    struct entry e = {isa, rows, count};
    weft_isa_row first = row_of(&e, 0);
    printf("%s\n", first.mnemonic);
    show_facts(&e, 0, true);
    const char *doc = "";
    for (size_t i = 0; i < count; i++) {
        weft_isa_row row = row_of(&e, i);
        printf("\n  %zu  %s\n", i + 1, row.syntax);
        if (strcmp(doc, row.doc) != 0)
            printf("     %s\n", row.doc);
        doc = row.doc;
        show_forms(&e, i, &row);
        show_names(row.modifiers);
        show_facts(&e, i, false);
    }
}
