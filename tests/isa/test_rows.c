/* test_rows.c - what the reference says of each row of each instruction set: rows.txt has a number for each mnemonic.
 * Golden files have some of it word for word. WEFT_TEST_SHOW=NAME prints it, WEFT_TEST_RENEW=1 writes it anew. */
#include "lifted.h"
#include "snapshot.h"

#include <weft/isa.h>

enum { NAME = 120 };

static struct {
    struct lifted_list text;
    char name[NAME];
    struct lifted now;
} list;

static void end_line(void)
{
    char line[2 * NAME];
    snprintf(line, sizeof line, "%s: %u rows, %016" PRIx64 "\n", list.name, list.now.programs, list.now.digest);
    if (*list.name)
        lifted_put(&list.text, line);
}

/* Rows of one name that follow each other are one line. */
static void begin_row(const char *isa, const char *mnemonic)
{
    const char *shown = getenv("WEFT_TEST_SHOW");
    char name[NAME];
    snprintf(name, sizeof name, "%s %s", isa, mnemonic);
    for (char *p = name; *p; p++)
        *p = *p == '\n' ? ' ' : *p;
    if (strcmp(name, list.name) != 0) {
        end_line();
        strcpy(list.name, name);
        list.now = (struct lifted){.shown = shown && strstr(name, shown)};
    }
    list.now.programs++;
}

static void add_row(const weft_isa *isa, const char *set, size_t i)
{
    weft_isa_row row;
    assert_true(weft_isa_get_row(isa, i, &row));
    begin_row(set, row.mnemonic);
    const char *const texts[] = {row.mnemonic, row.syntax, row.pattern, row.group, row.operands, row.modifiers,
                                 row.chips, row.doc, row.difference, row.reason, row.unit};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        for (const char *p = texts[k] ? texts[k] : ""; *p; p++)
            if ((unsigned char)*p < ' ' && *p != '\n')
                fail_msg("%s: '%s' has a character %d", list.name, texts[k], *p);
        lifted_line(&list.now, "%s\n", texts[k] ? texts[k] : "-");
    }
    lifted_line(&list.now, "stages 0x%x provenance %d executes %d\n", row.stages, (int)row.provenance,
                (int)row.executes);
}

static void each_is_as_it_was(void **state)
{
    (void)state;
    const weft_isa *isa;
    for (size_t s = 0; (isa = weft_isa_get(s)) != NULL; s++)
        for (size_t i = 0; i < weft_isa_rows(isa); i++)
            if (strcmp(weft_isa_name(isa), "spirv") != 0) /* those are of the grammar that is installed */
                add_row(isa, weft_isa_name(isa), i);
    end_line();
    snapshot_compare(WEFT_SOURCE_ROOT "/tests/isa/rows.txt", list.text.text);
    arena_free(&list.text.arena);
}

TEST_MAIN(TEST(each_is_as_it_was))
