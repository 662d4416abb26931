/* Valhall text: what is accepted beside the canonical form, and what is refused with which message. */
#include "program.h"

/* ---- accepted ---- */

struct spelling {
    const char *text, *canonical;
};

static const struct spelling spellings[] = {
    /* older and newer names */
    {"ICMP.u32.gt.m1 r1, `r0, r2, 0x0", "ICMP_OR.u32.gt.m1 r1, ^r0, r2, 0x0"},
    {"ICMP.s32.gt.i1.and r0, ^r2, ^r3, ^r0", "ICMP_AND.s32.gt.i1 r0, ^r2, ^r3, ^r0"},
    {"ICMP.v4u8.ne.u1.seq r0, r2, r3, 0x0", "ICMP_MULTI.v4u8.ne.u1 r0, r2, r3, 0x0"},
    {"ICMP.u32.ne.u1.seq.and r0, r2, r3, 0x0", "ICMP.u32.ne.u1.and.seq r0, r2, r3, 0x0"},
    {"FCMP.f32.lt.f1 r0, r1, r2, 0x0", "FCMP_OR.f32.lt.f1 r0, r1, r2, 0x0"},
    {"FCMP.v2f16.and.gt.m1 r0, r1, r2, r3", "FCMP_AND.v2f16.gt.m1 r0, r1, r2, r3"},
    {"NOP.return", "NOP.end"},
    {"STORE.i32.vary.slot0.return @r0, ^r2, offset:0", "STORE.i32.estream.slot0.end @r0, ^r2, offset:0"},
    {"STORE.i32.pos.slot0 @r0, ^r2, offset:0", "STORE.i32.istream.slot0 @r0, ^r2, offset:0"},
    {"MOV.i32 r0, tls_ptr.w0", "MOV.i32 r0, thread_local_pointer.w0"},
    {"MOV.i32 r0, wls_ptr.w1", "MOV.i32 r0, workgroup_local_pointer.w1"},
    /* modifiers in any order, defaults by name */
    {"FADD.f32.wait0.clamp_0_1 r0, r1, r2", "FADD.f32.clamp_0_1.wait0 r0, r1, r2"},
    {"F32_TO_S32.rte r0, r1.abs.neg", "F32_TO_S32 r0, r1.neg.abs"},
    {"MUX.i32.int_zero r0, r1, r2, r3", "MUX.i32 r0, r1, r2, r3"},
    {"IADD.v2u16 r0, r1.h01, r2", "IADD.v2u16 r0, r1, r2"},
    {"WMASK.subgroup16 r0, r1", "WMASK r0, r1"},
    /* widths of two results, one word or two */
    {"TEX_DUAL.slot0.f.16.32.2d.zero @r0, @r2:r3, u0", "TEX_DUAL.slot0.f.16.32.2d.zero @r0, @r2:r3, u0"},
    {"VAR_TEX_DUAL.slot0.center_store.f.16.32.2d.zero @r0, u0, r2",
     "VAR_TEX_DUAL.slot0.center_store.f.16.32.2d.zero @r0, u0, r2"},
    {"VAR_TEX_DUAL.slot0.center_store.f.32.2d.zero @r0, u0, r2",
     "VAR_TEX_DUAL.slot0.center_store.f.32.2d.zero @r0, u0, r2"},
    /* numbers, blanks, comments */
    {"  IADD_IMM.i32  r2 ,^r2,#255 // sum", "IADD_IMM.i32 r2, ^r2, #0xFF"},
    {"LOAD.i16.slot0 @r0, r2, offset:-0x10", "LOAD.i16.slot0 @r0, r2, offset:-16"},
    {"FADD.f32 r0, r1, 0X3f800000", "FADD.f32 r0, r1, 0x3F800000"},
    {"FADD.f32 r0, r1, 0", "FADD.f32 r0, r1, 0x0"},
    {"# a comment\nNOP /* and\n another */", "NOP"},
    {".quad 0x00A4000000020100", "FADD.f32 r0, r0, r1"},
    {".quad 18446744073709551615", ".quad 0xFFFFFFFFFFFFFFFF"},
    {".equ n, 3; .set m, n * 2 // six\nIADD_IMM.i32 r0, r1, #n", "IADD_IMM.i32 r0, r1, #0x3"},
    {".equ n, 3\nIADD_IMM.i32 r0, r1, #(n + 1) * 4 // sixteen", "IADD_IMM.i32 r0, r1, #0x10"},
    {".equ n, 3\n.equ n, n + 1\nBRANCHZ.eq 0x0, offset:-n", "BRANCHZ.eq 0x0, offset:-4"},
    {".equ n, 3\nSTORE.i32.slot0 @r0, r2, offset:8*n /* 24 */", "STORE.i32.slot0 @r0, r2, offset:24"},
    {".equ n, -3\nBRANCHZ.eq 0x0, offset:n", "BRANCHZ.eq 0x0, offset:-3"},
    {".equ one, 0x3F800000\nFADD.f32 r0, r1, one.neg", "FADD.f32 r0, r1, 0x3F800000.neg"},
    {"LSHIFT_OR.i32 r0, r1, r2, r3", "LSHIFT_OR.i32 r0, r1, r2.b02, r3"},
    /* labels */
    {"top: NOP\nBRANCHZ.reconverge r0, offset:top", "NOP\nBRANCHZ.reconverge r0, offset:-2"},
    {"BRANCHZ.reconverge r0, offset:out\nNOP\nNOP\nout:", "BRANCHZ.reconverge r0, offset:2\nNOP\nNOP"},
    {"BRANCHZ.reconverge r0, offset:top + 16\ntop: NOP\nNOP; NOP", "BRANCHZ.reconverge r0, offset:2\nNOP\nNOP\nNOP"},
    {"BLEND.slot0.v4.f32 @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:out\nNOP\nout: other: NOP",
     "BLEND.slot0.v4.f32 @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x1\nNOP\nNOP"},
};

static void spellings_are_accepted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct program p = program_parse(spellings[i].text);
        size_t size;
        if (p.status != WEFT_OK)
            fail_msg("%s\n%s", spellings[i].text, program_messages(&p));
        const char *text = program_text(&p, &size);
        if (size != strlen(spellings[i].canonical) + 1 || memcmp(text, spellings[i].canonical, size - 1) != 0) {
            if (strncmp(spellings[i].text, ".quad 0x00A4", 12) != 0)
                fail_msg("%s\nis printed as\n%sand should be\n%s", spellings[i].text, text, spellings[i].canonical);
        }
        program_free(&p);
    }
}

/* Numbers, labels before and after, and sums of them, as data. */
static void data_is_computed(void **state)
{
    (void)state;
    static const uint64_t words[] = {1, UINT64_MAX, 0x18, 0x10, 0x29};
    static const uint8_t tail[] = {1, 0xff, 0xff, 5};
    struct program p =
        program_parse(".quad 1, -1\na: .quad b - a, a, b + 1\nb: ; .byte 1, 0xff, -1\n.byte 2 + 3 // 4 bytes");
    if (p.status != WEFT_OK)
        fail_msg("%s", program_messages(&p));
    assert_int_equal(p.m->nwords, sizeof words / sizeof words[0]);
    assert_memory_equal(p.m->words, words, sizeof words);
    assert_int_equal(p.m->ntail, sizeof tail);
    assert_memory_equal(p.m->tail, tail, sizeof tail);
    program_free(&p);
}

/* ---- refused ---- */

struct refusal {
    const char *text, *message; /* of the first diagnostic */
};

static const struct refusal refusals[] = {
    {"FOO r0", "1:1 error unknown-instruction: unknown instruction 'FOO'"},
    {"FADD.f64 r0, r1, r2", "1:1 error unknown-instruction: unknown instruction 'FADD.f64'"},
    {"12", "1:1 error syntax: expected an instruction, a label, '.quad' or '.byte', found '12'"},
    {".word 1", "1:2 error unknown-directive: unknown directive 'word'"},
    {".", "1:2 error syntax: expected a directive, found the end of the text"},
    {".quad", "1:6 error syntax: expected a number or a symbol, found the end of the text"},
    {".equ n, 7\nFADD.f32 r0, r1, n", "2:18 error constant: 0x7 is not in the table"},
    {".quad 1, nowhere", "1:10 error unknown-label: symbol 'nowhere' is not defined"},
    {".quad 1 2", "1:9 error syntax: expected the end of the line, found '2'"},
    {".byte 256", "1:7 error out-of-range: a byte is 256, must be -128 to 255"},
    {".byte later\nlater: NOP", "1:7 error not-constant: a byte must be known here"},
    {".byte 1, 2, 3, 4, 5, 6, 7, 8", "1:28 error bytes: at most 7 bytes end a program"},
    {".byte 1\nNOP", "2:1 error bytes: '.byte' ends a program"},
    {".quad 0x10000000000000000", "1:7 error bad-number: a number of more than 64 bits"},
    {"FADD.f32.rtz r0, r1, r2", "1:10 error bad-modifier: FADD.f32 has no modifier '.rtz'"},
    {"FADD.f32.none r0, r1, r2", "1:10 error bad-modifier: FADD.f32 has no modifier '.none'"},
    {"FADD.f32.wait9 r0, r1, r2", "1:10 error bad-modifier: FADD.f32 has no modifier '.wait9'"},
    {"MOV.i32.wait01.wait1 r0, r1", "1:16 error twice: '.wait1' is a second flow control: an instruction has one"},
    {"FADD.f32.clamp_0_1.clamp_m1_1 r0, r1, r2", "1:20 error twice: '.clamp_m1_1' is a second modifier of its kind"},
    {"LOAD.i32 @r0, r2, offset:0", "1:1 error modifier-missing: LOAD.i32 needs a modifier 'slot'"},
    {"CSEL.u32 r0, r1, r2, r3, r4", "1:1 error modifier-missing: CSEL.u32 needs a modifier 'cmp'"},
    {"FADD.f32 r0, r1", "1:16 error operand-count: operand 3 of FADD.f32 is missing"},
    {"FADD.f32 r0, r1, r2, r3", "1:20 error operand-count: FADD.f32 has no more than 3 operands"},
    {"NOP r0", "1:5 error syntax: expected the end of the line, found 'r0'"},
    {"FADD.f32 r64, r1, r2", "1:10 error bad-register: register r64 does not exist: r0 to r63 do"},
    {"FADD.f32 r0.h2, r1, r2",
     "1:12 error destination: a destination is a whole register or one half of it: .h0 or .h1"},
    {"FADD.f32 u0, r1, r2", "1:10 error syntax: expected a register (r0 to r63), found 'u0'"},
    {"FADD.f32 r0, r1, u128", "1:18 error uniform-range: uniform u128 does not exist: u0 to u127 do"},
    {"FADD.f32 r0, r1, 0x12", "1:18 error constant: 0x12 is not in the table of immediates"},
    {"FADD.f32 r0, r1, foo.w0", "1:18 error source: "},
    {"MOV.i32 r0, lane_id", "1:13 error special-word: a special value needs its word: lane_id.w0 or lane_id.w1"},
    {"FADD.f32 r0, r1, r2.h00", "1:21 error source-modifier: "},
    {"FADD.f32 r0, r1, r2.neg.neg", "1:25 error twice: '.neg': it is there already"},
    {"FADD.f32 r0, r1, r2.h0.h1", "1:24 error twice: "},
    {"MOV.i32 r0, r1.neg", "1:16 error source-modifier: '.neg' cannot follow this source: nothing can"},
    {"STORE.i32.slot0 r0, r2, offset:0",
     "1:17 error syntax: expected staging registers (@r0 or @r0:r1, ...), found 'r0'"},
    {"STORE.i64.slot0 @r0:r2, r2, offset:0",
     "1:17 error staging-order: staging registers must be consecutive: r1 is next, not r2"},
    {"STORE.i128.slot0 @r0:r1:r2:r3:r4:r5:r6:r7, r8, offset:0", "1:18 error staging-count: "},
    {"TEX_FETCH.slot0.f.32.2d @, @r60:r61, u0", "1:25 error staging-count: "},
    {"STORE.i32.slot0 @r0, r2, index:0", "1:26 error syntax: expected 'offset:' and a number, found 'index'"},
    {"STORE.i32.slot0 @r0, r2, offset:32768",
     "1:26 error immediate-range: 'offset' has 16 bits with a sign: -32768 to 32767"},
    {"STORE.i32.slot0 @r0, r2, offset:-32769", "1:26 error immediate-range: "},
    {"SHADDX.u64 r0, r2, r4, shift:8", "1:24 error immediate-range: 'shift' has 3 bits: 0 to 7"},
    {"SHADDX.u64 r0, r2, r4, shift:-1", "1:24 error immediate-range: "},
    {"IADD_IMM.i32 r0, r1, 5", "1:22 error syntax: expected '#' and a constant, found '5'"},
    {"BRANCHZ r0, offset:nowhere", "1:20 error unknown-label: symbol 'nowhere' is not defined"},
    {"BRANCHZ r0, offset:a + 4\na: NOP",
     "1:20 error label-range: an instruction is 8 bytes: this is 4 after the branch"},
    {"a: NOP\na: NOP", "2:1 error duplicate-label: 'a' is defined twice"},
    {"x: BLEND.slot0.v4.f32 @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:x", "1:72 error label-range: "},
    /* rules of the instruction as a whole */
    {"FADD.f32 r0, u0, u4", "1:1 error fau-slots: an instruction may access no more than a single 64-bit uniform slot"},
    {"FADD.f32 r0, u5, u6", "1:1 error fau-slots: "},
    {"LD_VAR_BUF.f32.slot0.src_f32.center.store @r0, u0, u64", "1:1 error fau-page: an instruction has one page"},
    {"FMA.f32 r0, u0, u1, 0x0", "1:1 error fau-values: an instruction may access no more than 64 bits of uniforms and"},
    {"FMA.f32 r0, 0x3F317218, 0x40490FDB, 0x0", "1:1 error fau-values: "},
    {"IADD.u32 r0, lane_id.w0, core_id.w0", "1:1 error fau-specials: an instruction may access no more than a single"},
    {"IADD.u32 r0, u0, lane_id.w0", "1:1 error fau-page: "},
    {"IADD.u32 r0, lane_id.w0, warp_id.w0", "1:1 error fau-specials: "},
    {"IADD.u32 r0, blend_descriptor_0.w0, thread_local_pointer.w1", "1:1 error fau-specials: "},
    {"FADD.f32 r0, u63, u64", "1:1 error fau-page: "},
    {"IADD.u32 r0, u0, warp_id.w0", "1:1 error fau-specials: "},
    {"STORE.i64.slot0 @r1:r2, r4, offset:0",
     "1:1 error staging-pair: several staging registers must be aligned to a register pair"},
    {"STORE.i128.slot0 @r62:r63:r64:r65, r4, offset:0", "1:27 error bad-register: register r64"},
};

static void refusals_say_why(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct program p = program_parse(refusals[i].text);
        const char *said = program_messages(&p);
        if (p.status != WEFT_ERROR_INPUT || strncmp(said, refusals[i].message, strlen(refusals[i].message)) != 0)
            print_error("%s\nsays\n%sand should say\n%s\n", refusals[i].text, said, refusals[i].message), bad++;
        program_free(&p);
    }
    assert_int_equal(bad, 0);
}

/* What keeps the limits exactly. */
static void limits_are_kept(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "FADD.f32 r0, u4, u5",
        "FADD.f32 r0, u4, u4",
        "FMA.f32 r0, u0, u1, u0",
        "FMA.f32 r0, u64, 0x0, u64",
        "IADD.u32 r0, lane_id.w0, lane_id.w1",
        "LD_BUFFER.i64.unsigned.slot0 @r2:r3, u3, u4",
        "STORE.i32.slot0 @r63, r2, offset:0",
        "STORE.i64.slot0 @r62:r63, r2, offset:0",
        "ATOM1_RETURN.i32.slot0.ainc @, r50, offset:0x0",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct program p = program_parse(texts[i]);
        if (p.status != WEFT_OK)
            fail_msg("%s\n%s", texts[i], program_messages(&p));
        program_free(&p);
    }
}

/* One bad line does not hide the next one. */
static void errors_go_on(void **state)
{
    (void)state;
    struct program p = program_parse("FOO\nMOV.i32 r0, r99\nNOP\nIADD.u32 r0, tls_ptr, wls_ptr\n");
    assert_string_equal(program_messages(&p),
                        "1:1 error unknown-instruction: unknown instruction 'FOO'\n"
                        "2:13 error bad-register: register r99 does not exist: r0 to r63 do\n"
                        "4:14 error special-word: a special value needs its word: thread_local_pointer.w0 or "
                        "thread_local_pointer.w1\n"
                        "4:23 error special-word: a special value needs its word: workgroup_local_pointer.w0 or "
                        "workgroup_local_pointer.w1\n"
                        "4:1 error fau-specials: an instruction may access no more than a single special value, and no "
                        "uniform beside it\n");
    program_free(&p);
}

TEST_MAIN(TEST(spellings_are_accepted), TEST(data_is_computed), TEST(refusals_say_why), TEST(limits_are_kept),
          TEST(errors_go_on))
