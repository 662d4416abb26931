/* The rows against each other, and what is made of them. */
#include "isa/tesla/slots.h"
#include "test.h"

#include <ctype.h>
#include <stdio.h>
#include <weft/diag.h>
#include <weft/isa.h>
#include <weft/program.h>

static const char *const variants[] = {"g80", "g84", "mcp77", "g200", "gt215"};

/* Fixed bits are part of their mask and say the kind of the word; an operand that is misspelled would be a word. */
static void test_columns(void **state)
{
    (void)state;
    const struct tesla_tables *t = tesla_tables();
    uint32_t row;
    const char *fault = tesla_table_fault(&row);
    if (fault)
        fail_msg("%s %s", tesla_rows[row].syntax, fault);
    for (uint32_t i = 0; i < TESLA_ROWS; i++) {
        const struct tesla_row *r = &tesla_rows[i];
        assert_non_null(r->mnemonic);
        assert_int_equal(r->value & ~r->mask, 0);
        assert_int_equal(r->value & 3, r->form == TESLA_SHORT ? r->value & 2 : r->form == TESLA_CONTROL ? 3 : 1);
        assert_int_equal(r->mask & 3, 3);
        assert_int_equal(r->form == TESLA_SHORT && r->value >> 32, 0);
        assert_true(r->doc[0] != '\0' && r->group[0] != '\0');
        assert_string_equal(t->word[t->row[i].mnemonic].text, r->mnemonic);
        assert_true(t->row[i].nitems > 0 && t->row[i].nitems <= TESLA_MAX_ITEMS);
    }
    for (uint32_t w = 1; w < t->nwords; w++)
        for (const char *p = t->word[w].text; *p; p++)
            assert_false(isupper((unsigned char)*p));
    assert_true(t->nwords < TESLA_MAX_WORDS);
}

/* A word is at most one row's: no two of a form match the same one in the same program. */
static void test_no_overlap(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < TESLA_ROWS; i++)
        for (uint32_t k = i + 1; k < TESLA_ROWS; k++) {
            const struct tesla_row *a = &tesla_rows[i], *b = &tesla_rows[k];
            if (a->form == b->form && (a->stages & b->stages) && ((a->value ^ b->value) & a->mask & b->mask) == 0)
                fail_msg("%s and %s", a->syntax, b->syntax);
        }
}

/* Every row decodes from its plainest word, in the programs and on the chips that have it and nowhere else. */
static void test_reachable(void **state)
{
    (void)state;
    const struct tesla_tables *t = tesla_tables();
    static const uint8_t stages[] = {TESLA_VP, TESLA_GP, TESLA_FP, TESLA_CP};
    for (uint32_t i = 0; i < TESLA_ROWS; i++) {
        const struct tesla_row *r = &tesla_rows[i];
        uint64_t word = r->value | (t->row[i].predicated ? (uint64_t)TESLA_ALWAYS << 39 : 0);
        for (unsigned s = 0; s < 4; s++)
            for (unsigned v = 0; v < 5; v++) {
                struct isa_params params = {.chip = variants[v], .stage = tesla_ir_stage(stages[s])};
                struct tesla_target target = tesla_target_of(&params);
                bool there = (r->stages & stages[s]) && !(r->features & ~target.features);
                /* What follows a long instruction, nothing, the end or a join, is in bits of its own. */
                unsigned followers = r->form == TESLA_LONG ? 3 : 1;
                for (uint64_t follower = 0; follower < followers; follower++)
                    assert_ptr_equal(tesla_find_row(t, word | follower << 32, &target), there ? r : NULL);
            }
    }
}

/* The mnemonics of the opcode map; each is listed. */
static void test_listed(void **state)
{
    static const char *const mnemonics[] = {
        "ld",       "mov",     "st",      "shl",     "vote",    "add",         "sub",     "subr",      "addc",
        "set",      "max",     "min",     "shr",     "mul",     "sad",         "interp",  "rcp",       "rsqrt",
        "lg2",      "sin",     "cos",     "ex2",     "cvt",     "presin",      "preex2",  "slct",      "quadop",
        "and",      "or",      "xor",     "mov2",    "red",     "exch",        "cas",     "fma",       "texauto",
        "texfetch", "texbias", "texlod",  "texsize", "texprep", "texquerylod", "texcsaa", "texgather", "emit",
        "restart",  "nop",     "pmevent", "discard", "bra",     "call",        "ret",     "breakaddr", "break",
        "quadon",   "quadpop", "bar",     "trap",    "joinat",  "brkpt",       "preret"};
    (void)state;
    const weft_isa *isa = weft_isa_find("tesla");
    assert_non_null(isa);
    assert_int_equal(weft_isa_rows(isa), TESLA_ROWS);
    for (size_t m = 0; m < sizeof mnemonics / sizeof mnemonics[0]; m++) {
        weft_isa_row row;
        bool found = false;
        for (size_t i = 0; !found && weft_isa_get_row(isa, i, &row); i++)
            found = strcmp(row.mnemonic, mnemonics[m]) == 0;
        if (!found)
            fail_msg("%s", mnemonics[m]);
    }
    assert_ptr_equal(weft_isa_of_file("kernel.cubin"), isa);
    assert_ptr_equal(weft_isa_of_file("kernel.tesla"), isa);
}

/* What each chip has, written out chip by chip and apart from chips.inc. */
struct chip_has {
    const char *chip;
    bool sm11, sm12, fp64, d3d10_1;
};

static const struct chip_has chips_have[] = {
    {"g80", false, false, false, false}, {"g84", true, false, false, false}, {"g86", true, false, false, false},
    {"g92", true, false, false, false},  {"g94", true, false, false, false}, {"g96", true, false, false, false},
    {"g98", true, false, false, false},  {"g200", true, true, true, false},  {"mcp77", true, true, false, false},
    {"mcp79", true, true, false, false}, {"gt215", true, true, false, true}, {"gt216", true, true, false, true},
    {"gt218", true, true, false, true},  {"mcp89", true, true, false, true},
};

static void expect_of_chip(const char *chip, const char *text, bool has)
{
    weft_program_options options;
    weft_program_options_init(&options);
    options.chip = chip;
    options.stage = WEFT_COMPUTE;
    weft_diags *diags = weft_diags_new();
    weft_program *program = NULL;
    weft_status status = weft_program_from_text("tesla", "chip", text, strlen(text), &options, diags, &program);
    if ((status == WEFT_OK) != has)
        fail_msg("%s: '%s' is %s", chip, text, has ? "refused" : "accepted");
    if (!has) {
        char start[64];
        snprintf(start, sizeof start, "%s has no such instruction", chip);
        const char *message = weft_diags_get(diags, 0)->message;
        if (strncmp(message, start, strlen(start)) != 0)
            fail_msg("%s: '%s': %s", chip, text, message);
    }
    weft_program_free(program);
    weft_diags_free(diags);
}

/* An instruction of each feature, on every chip: it is there, or the chip has no such instruction. */
static void test_chips(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof chips_have / sizeof chips_have[0]; i++) {
        const struct chip_has *c = &chips_have[i];
        expect_of_chip(c->chip, "exit nop\n", true);
        expect_of_chip(c->chip, "brkpt\n", c->sm11);
        expect_of_chip(c->chip, "st unlock b32 s[0x0] $r1\n", c->sm12);
        expect_of_chip(c->chip, "add f64 $r0d $r2d $r4d\n", c->fp64);
        expect_of_chip(c->chip, "preret 0x0\n", c->d3d10_1);
    }
}

TEST_MAIN(TEST(test_columns), TEST(test_no_overlap), TEST(test_reachable), TEST(test_listed), TEST(test_chips))
