/* Text: the examples of the seed and of the published compilers read as they are, and print in the canonical form. */
#include "program.h"

struct example {
    const char *text, *canonical;
};

static const struct example examples[] = {
#define EXAMPLE(id, text, printed) {text, printed},
#include "seed_examples.inc"
#undef EXAMPLE
};

/* The bytes of a program. */
static uint8_t *encoded(struct program *p, size_t *size)
{
    uint8_t *bytes;
    assert_int_equal(rogue_encode(p->m, &p->arena, &bytes, size, NULL), WEFT_OK);
    return bytes;
}

static void test_seed_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        struct program p = program_parse(examples[i].text);
        if (p.status != WEFT_OK)
            fail_msg("%s: %s", examples[i].text, weft_diags_get(p.diags, 0)->message);
        char *text = program_print(&p);
        assert_string_equal(text, examples[i].canonical);
        struct program again = program_parse(text);
        assert_int_equal(again.status, WEFT_OK);
        assert_string_equal(program_print(&again), text);
        size_t size, size_again;
        uint8_t *bytes = encoded(&p, &size), *bytes_again = encoded(&again, &size_again);
        assert_int_equal(size, size_again);
        assert_memory_equal(bytes, bytes_again, size);
        program_free(&again);
        program_free(&p);
    }
}

/* Other ways to write the same. */
static const struct example spellings[] = {
    {".equ n, 3\n0: umadd32 ft0, r0, #n, r1, # no\n mov r2, ft0\n"
     "1: umadd32 ft0, r0, #n * 2 - 3, r1, #no\n mov r2, ft0\n",
     "0000: { s0 = r0, s1 = sc3, s2 = r1, is4 = ft0 p0: umadd32 ft0, s0, s1, s2, _; w0 = r2 }\n"
     "0001: { s0 = r0, s1 = sc3, s2 = r1, is4 = ft0 p0: umadd32 ft0, s0, s1, s2, _; w0 = r2 }\n"},
    {".equ n, 3 # three\n.set m, n * 2 + (1 << 4)\n0: byp ft0, ft1, c0, n+1 // four\n mov r4, ft1\n"
     "1: byp ft0, ft1, c0, (m - 2) * 2 # forty\n mov r4, ft1\n.equ n, n + 1\n2: byp ft0, ft1, c0, -n\n mov r4, ft1\n"
     "3: byp ft0, ft1, c0, 8/2 /* four */\n mov r4, ft1\n4: byp ft0, ft1, c0, 0x10|3 // nineteen\n mov r4, ft1\n",
     "0000: { s0 = sc0 p0: byp ft0, ft1, s0, 4; w0 = r4 }\n0001: { s0 = sc0 p0: byp ft0, ft1, s0, 40; w0 = r4 }\n"
     "0002: { s0 = sc0 p0: byp ft0, ft1, s0, 4294967292; w0 = r4 }\n"
     "0003: { s0 = sc0 p0: byp ft0, ft1, s0, 4; w0 = r4 }\n0004: { s0 = sc0 p0: byp ft0, ft1, s0, 19; w0 = r4 }\n"},
    {"0000: { repeat 4 , s0 = r8..11, is0 = s0, is3 = fte, is4 = ft2 p2_pck: pck.u8888.scale ft2, is3; w0 = po0 "
     "}.olchk.end\n",
     "0000: { repeat 4 s0 = r8..11, is0 = s0, is3 = fte, is4 = ft2 p2_pck: pck.scale.u8888 ft2, is3; w0 = po0 "
     "}.olchk.end\n"},
    {"\t18: (rpt4) { main p2pck: (rpt4) pck.u8888.scale ft2, is3; s0=r[0..3] is0=s0, is3=fte, is4/w0=ft2 w0=sr32 }\n",
     "0000: { repeat 4 s0 = r0..3, is0 = s0, is3 = fte, is4 = ft2 p2_pck: pck.scale.u8888 ft2, is3; w0 = po0 }\n"},
    {"block B0:\n 0007: {  p0: bbyp0bm ft0, ft1, s0, 0.5f; w0 = r2 }\n",
     "0000: { s0 = sc0 p0: byp ft0, ft1, s0, 1056964608; w0 = r2 }\n"},
    {"0: FADD FT0, R1[IDX0], #1.0 # the constant by value\n   MOV R2, FT0\n",
     "0000: { s0 = r1[idx0], s1 = sc64, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r2 }\n"},
    {"0: smp2d.proj.fcnorm.sno.wrt drc1, sh4, r1, sh0, _, r0, 3\n1: st.direct.tiled r0, 0, drc0, 4, r10, r12\n",
     "0000: { s0 = sh4..7, s1 = r1, s2 = sh0..3, s4 = r0..2 backend: smp2d.wrt.proj.fcnorm.sno s4, drc1, s0, s1, s2, "
     "_, 3; }\n"
     "0001: { s0 = r0, s1 = r10, s2 = r12 backend: st.tiled.direct s0, 0, drc0, 4, s1, s2; }\n"},
    {"0: uvsw.write w0, _\n1: uvsw.write.emit.endtask w1, _\n",
     "0000: { backend: uvsw.write w0, 0; }\n0001: { backend: uvsw.write.emit.endtask w1, 0; }\n"},
    {"0: uvsw.emit w0, _\n1: uvsw.cut w1, _\n2: uvsw.emit.cut w0, _\n3: uvsw.endtask w0, _\n"
     "4: uvsw.emit.endtask w1, _\n",
     "0000: { backend: uvsw.emit; }\n0001: { backend: uvsw.cut; }\n0002: { backend: uvsw.emit.cut; }\n"
     "0003: { backend: uvsw.endtask; }\n0004: { backend: uvsw.emit.endtask; }\n"},
    {"top:\n0: wop\n1: br.allinst top\n", "0000: { ctrl: wop; }\n0001: { ctrl: br.allinst -4; }\n"},
    {"0: fadd ft0, sh4[idx1, 4], c0\n mov r0, ft0\n",
     "0000: { s0 = sh4[idx1, 4], s1 = sc0, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r0 }\n"},
};

static void test_spellings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct program p = program_parse(spellings[i].text);
        if (p.status != WEFT_OK)
            fail_msg("%s: %s", spellings[i].text, weft_diags_get(p.diags, 0)->message);
        assert_string_equal(program_print(&p), spellings[i].canonical);
        program_free(&p);
    }
}

/* Texts that end, whatever is between groups. */
static void test_blanks(void **state)
{
    (void)state;
    struct program fine = program_parse("\f\n\v0: wop\f\n\v\r\n1:\v wop\n\f");
    assert_int_equal(fine.status, WEFT_OK);
    assert_int_equal(fine.m->ngroups, 2);
    program_free(&fine);
    struct program wrong = program_parse("0: wop\n\v?\n\f)\n1: wop\n");
    assert_int_equal(wrong.status, WEFT_ERROR_INPUT);
    program_free(&wrong);
}

TEST_MAIN(TEST(test_seed_examples), TEST(test_spellings), TEST(test_blanks))
