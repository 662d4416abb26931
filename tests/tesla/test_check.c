/* test_check.c - the checker's rules (docs/manual/tesla.md, Checks) over all chips and program types, whether control
 * gets there or not, and what is said, of text and of bytes. */
#include "isa/tesla/tesla.h"
#include "test.h"

/* What is said of a program: "line:column: severity code: message" for each, or with the address for bytes. */
static const char *said(const char *text, const char *chip, int stage, bool bytes, bool running)
{
    static const char *const severities[] = {"note", "warning", "error"};
    static char all[4096];
    struct arena arena = {0};
    struct isa_module *m;
    struct isa_params params = {.chip = chip, .stage = stage, .running = running};
    struct source src = {"test", text, strlen(text)};
    weft_diags *diags = weft_diags_new();
    size_t n = 0;
    if (tesla_parse(&src, &params, &arena, &m, diags) != WEFT_OK)
        fail_msg("'%s' does not parse: %s", text, weft_diags_get(diags, 0)->message);
    if (bytes)
        assert_int_equal(tesla_decode(m->bytes, m->size, "test", &params, &arena, &m, diags), WEFT_OK);
    size_t before = weft_diags_count(diags), errors = 0;
    weft_status status = tesla_check(m, bytes ? NULL : &src, &params, diags);
    all[0] = '\0';
    for (size_t i = before; i < weft_diags_count(diags); i++) {
        const weft_diag *d = weft_diags_get(diags, i);
        errors += d->severity == WEFT_ERROR;
        n += (size_t)(bytes ? snprintf(all + n, sizeof all - n, "0x%llx: ", (unsigned long long)d->address)
                            : snprintf(all + n, sizeof all - n, "%u:%u: ", d->line, d->column));
        n += (size_t)snprintf(all + n, sizeof all - n, "%s %s: %s%s%s\n", severities[d->severity], d->code, d->message,
                              d->hint ? " | " : "", d->hint ? d->hint : "");
    }
    assert_int_equal(status, errors ? WEFT_ERROR_INPUT : WEFT_OK);
    weft_diags_free(diags);
    arena_free(&arena);
    return all;
}

/* ---- by program type ---- */

static const int stages[] = {-1, IR_VERTEX, IR_GEOMETRY, IR_FRAGMENT, IR_COMPUTE};
enum { STAGES = sizeof stages / sizeof *stages };

/* In which of the types above it is right: v, g, f, c, and - where none is said. */
static const struct {
    const char *text, *code, *right;
} of_types[] = {
    {"exit st b32 o[0x10] $r4", "wrong-stage", "vg-"},
    {"bar inc wait 0x0 all\nexit nop", "wrong-stage", "c-"},
    {"exit texauto all $r0:#:#:# $t127 $s15 $r0 0 0 0", "", "vgfc-"},
    {"exit texauto all $r0:#:#:# $t128 $s0 $r0 0 0 0", "no-such-texture", "vgf-"},
    {"exit texauto all $r0:#:#:# $t129 $s0 $r0 0 0 0", "no-such-texture", "vgf-"},
    {"exit texauto all $r0:#:#:# $t130 $s0 $r0 0 0 0", "no-such-texture", ""},
    {"exit texauto all $r0:#:#:# $t0 $s16 $r0 0 0 0", "no-such-sampler", "vgf-"},
    {"exit texauto all $r0:#:#:# $t0 $s17 $r0 0 0 0", "no-such-sampler", "vgf-"},
    {"exit texauto all $r0:#:#:# $t0 $s18 $r0 0 0 0", "no-such-sampler", ""},
};

static void by_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof of_types / sizeof *of_types; i++)
        for (unsigned s = 0; s < STAGES; s++) {
            const char *what = said(of_types[i].text, NULL, stages[s], false, false);
            bool right = strchr(of_types[i].right, "-vgfc"[s]);
            if (right ? what[0] != '\0' : !strstr(what, of_types[i].code) || !strstr(what, "error"))
                fail_msg("'%s' as '%c': '%s'", of_types[i].text, "-vgfc"[s], what);
        }
}

/* o[] takes words at multiples of 4, halves and bytes never. */
static void outputs(void **state)
{
    (void)state;
    for (unsigned offset = 0; offset < 16; offset += 2) {
        char text[64];
        snprintf(text, sizeof text, "exit mov b16 o[0x%x] $r4l", offset);
        assert_non_null(strstr(said(text, NULL, IR_VERTEX, false, false), "half-output"));
        snprintf(text, sizeof text, "exit st b32 o[0x%x] $r4", offset & ~3u);
        assert_string_equal(said(text, NULL, IR_GEOMETRY, false, false), "");
    }
}

/* ---- address registers ---- */

/* $a1 to $a4 and $a7 are there; $a5 and $a6 are 0 and cannot be written; no register ($a0) is never stepped. */
static void address_registers(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 8; a++) {
        char text[80];
        bool there = a != 0 && a != 5 && a != 6;
        if (a)
            snprintf(text, sizeof text, "ld u8 $r0 l[$a%u++0x1]\nexit nop", a);
        else
            snprintf(text, sizeof text, "ld u8 $r0 l[0x0++0x1]\nexit nop");
        assert_int_equal(strstr(said(text, NULL, -1, false, false), "error illegal-increment") != NULL, !there);
        if (a) {
            snprintf(text, sizeof text, "ld u8 $r0 l[$a%u+0x1]\nexit nop", a);
            assert_string_equal(said(text, NULL, -1, false, false),
                                there ? ""
                                      : "1:1: warning no-such-register: the chip has no $a5 and $a6: they are 0\n");
            snprintf(text, sizeof text, "exit shl $a%u $r0 0x1", a);
            assert_string_equal(
                said(text, NULL, -1, false, false),
                there ? "" : "1:1: warning no-such-register: writing $a0, $a5 or $a6 does nothing: they are 0\n");
            snprintf(text, sizeof text, "exit mov $r0 $a%u ignored 0x2000000", a);
            assert_string_equal(said(text, NULL, -1, false, false),
                                there
                                    ? ""
                                    : "1:1: error illegal-increment: the bit of post-increments (0x2000000) stops the "
                                      "program for $a0, $a5 and $a6\n");
        }
    }
}

/* ---- by chip ---- */

static void saturated_products(void **state)
{
    static const struct {
        const char *chip;
        bool saturates;
    } chips[] = {{"g80", false},  {"g84", false},  {"g86", false},  {"g92", false},  {"g94", false},
                 {"g96", false},  {"g98", false},  {"g200", true},  {"mcp77", true}, {"mcp79", true},
                 {"gt215", true}, {"gt216", true}, {"gt218", true}, {"mcp89", true}};
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        assert_string_equal(said("exit mul sat f32 $r0 $r1 $r2", chips[i].chip, -1, false, false),
                            chips[i].saturates ? ""
                                               : "1:1: warning no-effect: this chip ignores sat of mul f32: g200 and "
                                                 "later, mcp77 and mcp79 have it\n");
        assert_string_equal(said("exit mul f32 $r0 $r1 $r2", chips[i].chip, -1, false, false), "");
        assert_string_equal(said("exit add sat f32 $r0 $r1 $r2", chips[i].chip, -1, false, false), "");
    }
    /* Doubles exist on one chip, which saturates. */
    assert_string_equal(said("exit mul f64 $r0d $r2d $r4d", "g200", -1, false, false), "");
    static const char ignored[] =
        "1:1: warning no-effect: the chip ignores sat of conversions from and to 64 bits\n";
    assert_string_equal(said("exit cvt sat rn f32 $r0 s64 $r2d", "g200", -1, false, false), ignored);
    assert_string_equal(said("exit cvt sat rn f64 $r0d u32 $r2", "g200", -1, false, false), ignored);
    assert_string_equal(said("exit cvt rn f32 $r0 s64 $r2d", "g200", -1, false, false), "");
    assert_string_equal(said("exit cvt sat rn f32 $r0 s32 $r2", "g200", -1, false, false), "");
}

/* ---- where control gets ---- */

#define TARGET "the target is not an instruction of the program"

static const struct {
    const char *text, *said, *of_bytes;
} reached[] = {
    {"bra 0x10\nnop", "1:1: error branch-target: " TARGET "\n", "0x0: error branch-target: " TARGET "\n"},
    {"exit nop\nbra 0x100", "2:1: warning branch-target: " TARGET "\n", "0x8: warning branch-target: " TARGET "\n"},
    {"nop",
     "1:1: warning runs-off: control flow runs off the end of the program here: weft ends it, the chip would not\n",
     "0x0: warning runs-off: control flow runs off the end of the program here: weft ends it, the chip would not\n"},
    {"exit nop", "", ""},
    {"trap\nexit nop", "", ""},
};

static void reach(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof reached / sizeof *reached; i++) {
        assert_string_equal(said(reached[i].text, NULL, -1, false, false), reached[i].said);
        assert_string_equal(said(reached[i].text, NULL, -1, true, false), reached[i].of_bytes);
    }
}

/* Data: where every way leads it is an error, where some way does too unless the program is run, elsewhere not. */
static void data(void **state)
{
    static const struct {
        const char *text, *how;
        bool error, error_running;
    } cases[] = {
        {"nop\n.b32 0", "", true, true},
        {"(e $c0) bra #x\nnop\n.b32 0 0\nx: exit nop", "; control flow may get there", true, false},
        {"exit nop\n.b32 0 0", "; control flow does not get there", false, false},
        {"exit nop\n.b32 0 0\nexit nop\n.b32 0 0 0 0", "; control flow does not get there", false, false},
        {"bra c0[0x0]\n.b32 0 0", "; only a branch to an address in c[] may get there", false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned running = 0; running < 2; running++) {
            const char *what = said(cases[i].text, NULL, IR_COMPUTE, false, running);
            bool error = running ? cases[i].error_running : cases[i].error;
            if (!strstr(what, "unknown-instruction") || !strstr(what, cases[i].how) ||
                (strstr(what, "error") != NULL) != error)
                fail_msg("'%s', %u: '%s'", cases[i].text, running, what);
            /* Without its type it may be an instruction of another type. */
            assert_null(strstr(what, "say which type of program it is"));
            what = said(cases[i].text, NULL, -1, false, running);
            assert_non_null(strstr(what, " | say which type of program it is (-s, weft_program_options.stage)"));
        }
}

TEST_MAIN(TEST(by_type), TEST(outputs), TEST(address_registers), TEST(saturated_products), TEST(reach), TEST(data))
