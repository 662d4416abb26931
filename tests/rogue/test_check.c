/* The rules of chapter 3: each violation gets its message, from the assembler or from the checker; good groups get
 * none. */
#include "program.h"

struct rule {
    const char *text, *code;
};

/* Refused by the assembler. */
static const struct rule refused[] = {
    /* "Phase 0, phase 1 and backend can each take one instruction. Phase 2 can take PACK, TEST and/or MOV
       instructions." */
    {"0: fadd ft0, r0, r1\n fmul ft0, r2, r3\n", "phase-taken"},
    {"0: fadd ft0, r0, r1\n fadd ft1, r2, r3\n fmad ft1, r2, r3, r4\n", "phase-taken"},
    {"0: uvsw.write w0, 0\n uvsw.emit\n", "phase-taken"},
    {"0: { s0 = r0 backend: uvsw.emit; backend: uvsw.cut; }\n", "phase-taken"},
    {"0: pck.f32 ft2, r0\n pck.u32 ft2, r0\n", "phase-taken"},
    {"0: mov ft0, r0\n tstz ftt, p0, ft0\n tstgz ftt, p0, ft0\n", "phase-taken"},
    {"0: { s0 = r0 p0: mbyp ft0, s0; p2_mov: mov w0, ft0; p2_mov: mov w0, ft0; w0 = r1 }\n", "phase-taken"},
    {"0: { s0 = r0 p0: fadd ft0, s0, s1; p0: fadd ft0, s0, s1; }\n", "phase-taken"},
    /* "The Main ALU may not be used at the same time as the Bitwise ALU"; "there are no bitwise backend instructions"
     */
    {"0: fadd ft0, r0, r1\n and ft4, ft2, s3\n", "phase-taken"},
    {"0: and ft4, ft2, s3\n tstz ftt, p0, ft0\n", "phase-taken"},
    {"0: and ft4, ft2, s3\n uvsw.emit\n", "phase-taken"},
    {"0: wdf drc0\n wdf drc1\n", "phase-taken"},
    {"0: wdf drc0\n fadd ft0, r0, r1\n", "phase-taken"},
    {"0: and ft4, ft2, s3\n wop\n", "phase-taken"},
    /* "Instructions should appear in the code in phase order (zero to two)"; TEST "should appear before the MOV
       instruction" */
    {"0: uvsw.write w0, 0\n mov ft0, r0\n", "phase-order"},
    {"0: uvsw.write w0, 0\n pck.f32 ft2, r0\n", "phase-order"},
    {"0: tstz ftt, p0, ft0\n mov ft0, r0\n", "phase-order"},
    {"0: pck.f32 ft2, r0\n fadd ft0, r1, r2\n", "phase-order"},
    {"0: mov ft0, r0\n mov r1.e0, ft1, ftt, ft0, ft0\n tstz ftt, p0, ft0\n", "phase-order"},
    {"0: { s0 = r0, s3 = r1 p1: mbyp ft1, s3; p0: mbyp ft0, s0; w0 = r1 }\n", "phase-order"},
    {"0: { s0 = r0 p0: mbyp ft0, s0; p2_mov: movc w0, w1, ftt, ft0, ft0; p2_tst: tstz ftt, _, is1; }\n", "phase-order"},
    {"0: { s0 = r0 backend: uvsw.write w0, 0; p0: mbyp ft0, s0; p2_mov: mov w0, ft0; }\n", "phase-order"},
    /* the six functional units of the bitwise ALU "must be arranged in the order shown", destinations after them */
    {"0: lsl ft5, ft4, c1\n and ft4, ft2, s3\n", "phase-order"},
    {"0: lsl ft2, r0, r1\n byp ft0, ft1, c0, c0\n", "phase-order"},
    {"0: cbs ft3, r0\n mov ft2, r0\n", "phase-order"},
    {"0: and ft4, ft2, s3\n cbs ft3, r0\n", "phase-order"},
    {"0: tz p0, ft5\n lsl ft5, ft4, c1\n", "phase-order"},
    {"0: or ft4, _, ft2, _, r0\n mov r1, ft4\n lsl ft5, ft4, c1\n", "phase-order"},
    /* "ft3 implicitly drives w1", "ft5 implicitly drives w0" */
    {"0: or ft4, _, ft2, _, r0\n mov r1, ft5\n", "feed-missing"},
    {"0: lsl ft2, c3, c4\n mov r1, ft3\n", "feed-missing"},
    {"0: or ft4, _, ft2, _, r0\n lsl ft5, ft4, c1\n mov r1, ft4\n", "port-taken"},
    {"0: byp ft0, ft1, c0, 5\n or ft4, _, ft2, _, r0\n mov r1, ft1\n", "port-taken"},
    {"0: byp ft0, ft1, c0, 5\n lsl ft5, ft4, c1\n mov r1, ft1\n", "port-taken"},
    {"0: msk ft0, ft1, c3, c4\n mov r1, ft0\n", "bad-operand"},
    {"0: rev ft2, r1\n cbs ft3, r1\n mov r1, ft2\n", "port-taken"},
    {"0: rev ft2, r1\n mov r1, ft2\n mov r2, ft2\n", "port-taken"},
    {"0: rev ft2, r1\n mov r1, sh4\n", "bad-operand"},
    {"0: rev ft2, r1\n mov r1, fte\n", "bad-operand"},
    /* chapter 4: "Max Available" */
    {"0: mov ft0, r248\n", "out-of-range"},
    {"0: mov ft0, vi248\n", "out-of-range"},
    {"0: mov ft0, cf256\n", "out-of-range"},
    {"0: mov ft0, sh2048\n", "out-of-range"},
    {"0: mov ft0, r1\n mov r248, ft0\n", "out-of-range"},
    {"0: mov r248, r1\n", "out-of-range"},
    {"0: mov r1, r248\n", "out-of-range"},
    {"0: ditr.pixel r252, drc0, cf4, 2\n", "out-of-range"},
    {"0: ditr.pixel r0, drc0, cf6, 2\n", "out-of-range"},
    /* one bit scales or rounds, by the format (chapter 7) */
    {"0: unpck.u8888.roundzero ft0, r1.e0\n", "bad-modifier"},
    {"0: unpck.s32.scale ft0, r1.e0\n", "bad-modifier"},
    {"0: unpck.f16f16.scale ft0, r1.e0\n", "bad-modifier"},
    {"0: unpck.scale.f16f16 ft0, r1.e0\n", "bad-modifier"},
    {"0: unpck.roundzero.u8888 ft0, r1.e0\n", "bad-modifier"},
    /* a group says each thing once, and which ALU is meant */
    {"0: if(p0) if(!p0) fmul ft0, r1, r2\n", "condition"},
    {"0: if(p0) (rpt2) (ignorepe) fmul ft0, r1, r2\n", "condition"},
    {"0: (rpt2) (rpt3) fmul ft0, r1, r2\n", "twice"},
    {"0: { repeat 2 s0 = r1 p0: (rpt3) mbyp ft0, s0; w0 = r3 }\n", "twice"},
    {"0: { s0 = r1, s1 = r2, is0 = s0, is0 = s1 p0: fmul ft0, s0, s1; w0 = r3 }\n", "port-taken"},
    {"0: { bitwise s0 = r1, s1 = r2 p0: fmul ft0, s0, s1; w0 = r3 }\n", "phase-taken"},
    {"0: { main bitwise s0 = r1 p0: mbyp ft0, s0; w0 = r3 }\n", "phase-taken"},
    /* an assignment names a register; what is done to it the instruction says */
    {"0: { s0 = r1.neg p0: mbyp ft0, s0; w0 = r3 }\n", "bad-modifier"},
    {"0: { s0 = r1 p0: mbyp ft0, s0; w0 = r3.e0 }\n", "bad-modifier"},
    /* a modifier is there once */
    {"0: fmul ft0, r1.neg.neg, r2\n", "bad-modifier"},
    {"0: fmul.sat.sat ft0, r1, r2\n", "bad-modifier"},
    {"0: { s0 = r0 p0: f16sop w0, w1, _, s0.neg.neg, 0, add, s0, 0, s0, 0, add, s0, 0, _; w0 = r8 }\n", "bad-modifier"},
    {"0: { s0 = r0 p0: f16sop w0, w1, _, s0.e0.e1, 0, add, s0, 0, s0, 0, add, s0, 0, _; w0 = r8 }\n", "bad-modifier"},
    /* a test has one element for both sides */
    {"0: mov ft0, r1\n mov ft1, r2\n tste.u8 ftt, p0, ft0.e1, ft1.e2\n", "bad-modifier"},
    {"0: mov ft0, r1\n mov ft1, r2\n tste.u8 ftt, p0, ft0, ft1.e1\n", "bad-modifier"},
    {"0: cbs ft3, r0\n ftb ft3, r1\n", "phase-taken"},
    {"0: lsl ft2, r0, r1\n rev ft2, r2\n", "phase-taken"},
    {"0: byp ft0, ft1, c0, c0\n msk ft0, ft1, c0, c0\n", "phase-taken"},
    {"0: or ft4, ft2, s3\n xor ft4, ft2, s3\n", "phase-taken"},
    {"0: lsl ft5, ft4, c1\n shr ft5, ft4, c1\n", "phase-taken"},
    {"0: tz p0, ft5\n tnz p0, ft5\n", "phase-taken"},
    /* "Phase 1 can only be present if phase 0 is also present. Backend instructions can be present on their own or in
     * combination with phase 0 and phase 2." */
    {"0: { p1: fadd ft1, s3, s4; }\n", "phase-missing"},
    {"0: { s0 = r0 p1: mbyp ft1, s3; p2_tst: tstz ftt, p0, is1; }\n", "phase-missing"},
    {"0: { s0 = r0 p0: mbyp ft0, s0; backend: uvsw.emit; }\n", "phase-missing"},
    {"0: { s0 = r0 p0: mbyp ft0, s0; p1: mbyp ft1, s3; backend: uvsw.emit; }\n", "phase-missing"},
    {"0: { s0 = r0 p2_pck: pck.f32 ft2, is3; backend: uvsw.emit; }\n", "phase-missing"},
    /* an instruction is of the phases that its reference names */
    {"0: { p1: fadd ft0, s0, s1; }\n", "bad-operand"},
    {"0: { backend: fadd ft0, s0, s1; }\n", "phase"},
    {"0: { s0 = r0, s3 = r1 p0: mbyp ft0, s0; p1: frcp w0, s3; }\n", "phase"},
    {"0: { s0 = r0, s3 = r1 p0: mbyp ft0, s0; p1: umadd32 ft1, s3, s4, s5, _; }\n", "phase"},
    {"0: { s0 = r0, s3 = r1 p0: mbyp ft0, s0; p1: uadd8 ft1, s3, s4; }\n", "phase"},
    {"0: fadd ft0, r0, r1\n frcp r0, r4\n", "phase-taken"},
    {"0: { p9: fadd ft0, s0, s1; }\n", "phase"},
    /* ports: six sources, one register through FTE, two destinations */
    {"0: lsl ft2, r0, r1\n cbs ft3, r2\n", "port-taken"},
    {"0: mov ft0, r0\n mov r1, ft0\n mov r2, ft0\n mov r3, ft0\n", "port-taken"},
    {"0: mov ft0, sh0\n mov ft1, sh1\n mov r0, sh2\n mov r1, sh3\n", "port-taken"},
    {"0: { s0 = r0, s0 = r1 p0: mbyp ft0, s0; }\n", "port-taken"},
    {"0: { is4 = ft0, is4 = ft1 p0: mbyp ft0, s0; }\n", "port-taken"},
    {"0: { s0 = r0 p0: mbyp ft0, s0; w0 = r1, w0 = r2 }\n", "port-taken"},
    {"0: fmad ft0, r0, r1, r2\n fmad ft1, r3, r4, r5\n tstz ftt, p0, r6\n", "port-taken"},
    {"0: fadd ft0, s1, s0\n", "port"},
    {"0: { s0 = r0 p0: mbyp ft0, s0; p2_tst: tste ftt, p0, is2, is1; }\n", "port"},
    {"0: { s0 = r0 p0: mbyp ft0, s0; p2_pck: pck.f32 ft2, is4; }\n", "port"},
    {"0: { s0 = r0 p0: frcp w1, s0; w1 = r0 }\n", "port"},
    {"0: fadd ft0, r0, sh300\n", "does-not-fit"},
    {"0: fadd ft0, r0, r1\n fadd ft1, r2, sh1\n", "does-not-fit"},
    {"0: fmad ft0, r0, r1, r2\n fmad ft1, r2, r3, sh4\n", "does-not-fit"},
    /* what headers of control groups have no bits for: the end, but for NOP's, repeats, .atom */
    {"0: { ctrl: br 8; }.end\n", "does-not-fit"},
    {"0: { ctrl: wdf drc0; }.end\n", "does-not-fit"},
    {"0: (rpt2) wdf drc0\n", "does-not-fit"},
    {"0: { ctrl: nop; }.atom\n", "does-not-fit"},
    {"0: fsqrt r0, r40[idx0]\n", "does-not-fit"}, /* where the dimension would be */
    /* words and numbers */
    {"0: fadd.scale ft0, r0, r1\n", "bad-modifier"},
    {"0: fad ft0, r0, r1\n", "unknown-instruction"},
    {"0: fadd ft0, r0\n", "operand-count"},
    {"0: fadd ft0, r0, r1, r2\n", "operand-count"},
    {"0: fadd ft0, r0, #1.25\n", "constant"},
    {"0: if(p1) fadd ft0, r0, r1\n", "condition"},
    {"0: { repeat 5 p0: mbyp ft0, s0; }\n", "out-of-range"},
    {"0: uvsw.write w0, 256\n", "out-of-range"},
    {"0: br nowhere\n", "unknown-label"},
    {"a: a: 0: br a\n", "duplicate-label"},
    {"0: { }\n", "empty-group"},
    {".equ r4, 3\n0: wop\n", "symbol"},
    {".equ n\n0: wop\n", "syntax"},
    {"0: byp ft0, ft1, c0, 1/0\n mov r0, ft1\n", "division-by-zero"},
    {".equ n, later\n0: byp ft0, ft1, c0, n\n mov r0, ft1\nlater:\n1: wop\n", "not-constant"},
    {"0: byp ft0, ft1, c0, (1 << 40)\n mov r0, ft1\n", "out-of-range"},
    {"0: .data 123\n", "bad-operand"},
    {"0: { p0: mbyp ft0, s0; }.lost\n", "bad-modifier"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct program p = program_parse(refused[i].text);
        if (p.status == WEFT_OK || strcmp(program_code(&p), refused[i].code) != 0)
            fail_msg("%s: '%s' where '%s' was expected", refused[i].text, program_code(&p), refused[i].code);
        program_free(&p);
    }
}

/* Refused by the checker. */
static const struct rule wrong[] = {
    /* chapter 4, "Max Available", of what is taken from a register on, or by a repeat */
    {"0: ld r245, drc0, 4, r0\n 1: wdf drc0\n", "out-of-range"},
    {"0: ld r0, drc0, 4, r247\n 1: wdf drc0\n", "out-of-range"},
    {"0: st r245, 2, drc0, 4, r0, _\n", "out-of-range"},
    {"0: fitr.pixel r240, drc0, cf4, 16\n 1: wdf drc0\n", "out-of-range"},
    {"0: fitr.pixel r0, drc0, cf248, 4\n 1: wdf drc0\n", "out-of-range"},
    {"0: (rpt4) mbyp ft0, r245\n mov r0, ft0\n", "out-of-range"},
    {"0: (rpt4) mbyp ft0, r0\n mov vi246, ft0\n", "out-of-range"},
    {"0: (rpt4) unpck.u8888 ft0, r0.e0\n mov r245, ft0\n", "out-of-range"},
    {"0: ditr.pixel r250, drc0, cf4, 4, 0, cf0\n", "out-of-range"},
    {"0: ditr.pixel r0, drc0, cf248, 4, 0, cf0\n", "out-of-range"},
    /* coefficient sets are in coefficient registers (chapter 11) */
    {"0: fitr.pixel r0, drc0, r4, 1\n 1: wdf drc0\n", "coefficients"},
    {"0: fitr.pixel r0, drc0, sh4, 1\n 1: wdf drc0\n", "coefficients"},
    {"0: fitrp.pixel r0, drc0, cf4, r0, 1\n 1: wdf drc0\n", "coefficients"},
    {"0: { s0 = cf4..7, s3 = r0 backend: fitrp.pixel s3, drc0, s0, s2, 1; }\n 1: wdf drc0\n", "coefficients"},
    /* "Complex and trigonometric instructions use the entire Main ALU"; "The F16 SOP unit uses the entire Main ALU" */
    {"0: { s0 = r0, s3 = r1 p0: frcp w0, s0; p1: mbyp ft1, s3; w0 = r0 }\n", "coissue"},
    {"0: { s0 = r0, s3 = r1 p0: fsinc w0, p0, s0; p1: fadd ft1, s3, s4; w0 = r0 }\n", "coissue"},
    {"0: { s0 = r0, s3 = r1 p0: farctanc w0, s0; p1: fmad ft1, s3, s4, s5; w0 = r0 }\n", "coissue"},
    {"0: { s0 = r0, s3 = r1 p0: f16sop w0, w1, _, s0, s1, add, s2, 0, s3, s4, add, s5, 0, _; p1: mbyp ft1, s3; w0 = r0 "
     "}\n",
     "coissue"},
    /* "FRED instructions can never be coissued" */
    {"0: { s0 = r0 p0: fred.sin w0, w1, _, 0, s0, _; p1: mbyp ft1, s3; w0 = r0 }\n", "coissue"},
    {"0: { s0 = r0 p0: fred.sin w0, w1, _, 0, s0, _; p2_pck: pck.f32 ft2, is3; w0 = r0 }\n", "coissue"},
    {"0: { s0 = r0 p0: fred.cos w0, w1, _, 0, s0, _; p2_tst: tstz ftt, p0, is1; w0 = r0 }\n", "coissue"},
    {"0: { s0 = r0 p0: fred.cos.partb w0, w1, _, 0, s0, _; p2_mov: mov w0, fte; w0 = r0 }\n", "coissue"},
    {"0: { s0 = r0 p0: fred.sin w0, w1, _, 0, s0, _; p2_mov: mov w0.none, ft0; backend: uvsw.write w0, 0; }\n",
     "coissue"},
    /* "The texture address unit occupies all phases of the Main ALU" */
    {"0: { s0 = sh0, s3 = r0, s4 = r1, s5 = r2 p0: gta w0, w1, _, s3, s0, s1, s4, s5; p1: mbyp ft1, s3; w0 = r0 }\n",
     "coissue"},
    {"0: { s0 = sh0, s3 = r0, s4 = r1, s5 = r2 p0: gta w0, w1, _, s3, s0, s1, s4, s5; p2_tst: tstz ftt, p0, is1; w0 = "
     "r0 }\n",
     "coissue"},
    {"0: { s0 = sh0, s3 = r0, s4 = r1, s5 = r2 p0: gta w0, w1, _, s3, s0, s1, s4, s5; p2_pck: pck.f32 ft2, is3; w0 = "
     "r0 }\n",
     "coissue"},
    /* a conditional move needs a test, a test of the carry something that carries */
    {"0: { s0 = r0 p0: mbyp ft0, s0; p2_mov: movc w0, w1, ftt, ft0, ft0; w0 = r0 }\n", "test-missing"},
    {"0: { s0 = r0 p0: mbyp ft0, s0; p2_tst: tstc ftt, p0; }\n", "carry-missing"},
    /* feedthroughs are generated by the instructions of their phases */
    {"0: { s0 = r0, is4 = ft1 p0: mbyp ft0, s0; w0 = r0 }\n", "feed-missing"},
    {"0: { s0 = r0, is4 = ft2 p0: mbyp ft0, s0; w0 = r0 }\n", "feed-missing"},
    {"0: { s0 = r0, is5 = ft1 p0: mbyp ft0, s0; w1 = r0 }\n", "feed-missing"},
    {"0: { s0 = r0 p0: mbyp ft0, s0; p2_tst: tste ftt, p0, is1, is2; }\n", "feed-missing"},
    {"0: { s0 = r0 p2_pck: pck.u8888 ft2, is3; }\n", "feed-missing"},
    {"0: { s0 = r0, is4 = fte p2_mov: mov w0, ft1; w0 = r0 }\n", "feed-missing"},
    /* ports that a register cannot be read through */
    {"0: { s0 = sr44 p0: mbyp ft0, s0; }\n", "port-register"},
    {"0: { s0 = r0, s3 = sr44 p0: mbyp ft0, s0; p1: mbyp ft1, s3; }\n", "port-register"},
    {"0: { s0 = r0, s3 = r1, s4 = r2, s5 = sr44 p0: mbyp ft0, s0; p1: fmad ft1, s3, s4, s5; }\n", "port-register"},
    {"0: { s0 = r0, s1 = cf0 p0: fadd ft0, s0, s1; }\n", "port-register"},
    {"0: { s0 = r0, s3 = r1, s4 = cf1 p0: mbyp ft0, s0; p1: fadd ft1, s3, s4; }\n", "port-register"},
    {"0: { s0 = r0, s3 = r1, s4 = r2, s5 = cf1 p0: mbyp ft0, s0; p1: fmad ft1, s3, s4, s5; }\n", "port-register"},
    {"0: { s0 = r0, s1 = r1, s2 = sc1, s4 = po0 p0: fmad ft0, s0, s1, s2; }\n", "port-register"},
    /* "the lowest numbered inputs within each group must be used first" */
    {"0: { s0 = r0, s2 = r1, is0 = s2, is4 = fte p0: mbyp ft0, s0; w0 = r2 }\n", "source-order"},
    {"0: { s1 = r1, is0 = s1, is4 = fte p2_mov: mov w0, fte; w0 = r2 }\n", "source-order"},
    {"0: { s0 = r0, s5 = r1, is0 = s5, is4 = fte p0: mbyp ft0, s0; w0 = r2 }\n", "source-order"},
    {"0: { s0 = r0, s4 = r1, is0 = s4, is4 = fte p0: mbyp ft0, s0; w0 = r2 }\n", "source-order"},
    /* constants are read only */
    {"0: { s0 = r0 p0: mbyp ft0, s0; w0 = sc3 }\n", "destination"},
    {"0: { s0 = r0, is5 = ft0 p0: mbyp ft0, s0; w1 = dc1[idx0] }\n", "destination"},
    /* programs */
    {"0: br 4\n1: wop\n", "branch-target"},
    {"0: if(p0) bpret\n", "condition"},
    {"0: if(!p0) bpret\n", "condition"},
    {"0: .data 0000\n", "unknown-group"},
};

static void test_wrong(void **state)
{
    (void)state;
    struct isa_params params = {.stage = -1};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct program p = program_parse(wrong[i].text);
        assert_string_equal(program_code(&p), "");
        weft_status status = rogue_check(p.m, &p.src, &params, p.diags);
        if (status == WEFT_OK || strcmp(program_code(&p), wrong[i].code) != 0)
            fail_msg("%s: '%s' where '%s' was expected", wrong[i].text, program_code(&p), wrong[i].code);
        program_free(&p);
    }
}

/* Formats that have no use for what is written: nothing is wrong, and a warning says so. */
static void test_no_effect(void **state)
{
    (void)state;
    static const struct rule rules[] = {
        {"0: pck.scale.f16f16 ft2, r0\n mov r1, ft2\n", "no-effect"},
        {"0: (rpt3) pck.u1616 ft2, r0\n mov r4, ft2\n", "no-effect"},
        {"0: (rpt4) pck.f111110 ft2, r0\n mov r4, ft2\n", "no-effect"},
        {"0: (rpt2) pck.u32 ft2, r0\n mov r4, ft2\n", "no-effect"},
        {"0: unpck.s1616 ft0, r0.e2\n mov r4, ft0\n", "no-effect"},
        {"0: (rpt4) unpck.u8888 ft0, r0.e1\n mov r4, ft0\n", "no-effect"},
        {"0: (rpt2) pck.u1616 ft2, r0\n mov r4, ft2\n", ""},
        {"0: (rpt4) pck.u565u565 ft2, r0\n mov r4, ft2\n", ""},
        {"0: (rpt3) unpck.u565u565 ft0, r0.e3\n mov r4, ft0\n", ""},
        {"0: (rpt4) pck.prog ft2, r0\n mov r4, ft2\n", ""},
    };
    struct isa_params params = {.stage = -1};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        struct program p = program_parse(rules[i].text);
        assert_int_equal(rogue_check(p.m, &p.src, &params, p.diags), WEFT_OK);
        if (strcmp(program_code(&p), rules[i].code) != 0)
            fail_msg("%s: '%s' where '%s' was expected", rules[i].text, program_code(&p), rules[i].code);
        program_free(&p);
    }
}

static const char *const right[] = {
    "0: ld r244, drc0, 4, r246\n1: wdf drc0\n",
    "0: ld r244, drc0, r1, r0\n1: wdf drc0\n",
    "0: (rpt4) mbyp ft0, r244\n mov vi244, ft0\n",
    "0: (rpt4) unpck.u8888 ft0, r247.e0\n mov r244, ft0\n",
    "0: (rpt4) pck.u8888 ft2, r244\n mov r247, ft2\n",
    "0: { s0 = cf4..19, s2 = cf0..3, s3 = r0..3 backend: fitrp.pixel s3, drc0, s0, s2, 4; }\n1: { ctrl: wdf drc0; }\n",
    "0: mov ft0, sh1\n mov ft1, sh2\n tstz.s32 ftt, _, sh0\n mov i0.e0.e1.e2.e3, ft1, ftt, ft0, ft1\n",
    "top: 0: uadd8 ft0, r0, r1\n tstc.u8 ftt, p0\n1: if(p0) br top\n",
    "0: frcp r0, sh0\n",
    "0: { s0 = r0 p0: frcp w0, s0; p2_mov: mov w0, fte; backend: uvsw.write w0, 1; w0 = r1 }\n",
    "0: mov ft0, r0\n mov r1, ft0\n uvsw.write w0, 1\n",
    "0: { s0 = r0 p0: mbyp ft0, s0; p2_tst: tstz ftt, p0, is1; p2_pck: pck.f32 ft2, is3; w0 = r1 }\n",
    "0:{ s0 = r0, s1 = sr44, s2 = cf1, s3 = sh1, s4 = sr45 p0: fmad ft0, s0, s1, s2; p1: fadd ft1, s3, s4; w0 = r1 }\n",
};

static void test_right(void **state)
{
    (void)state;
    struct isa_params params = {.stage = -1};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        struct program p = program_parse(right[i]);
        if (p.status != WEFT_OK || rogue_check(p.m, &p.src, &params, p.diags) != WEFT_OK)
            fail_msg("%s: %s", right[i], program_code(&p));
        program_free(&p);
    }
}

/* What has no public encoding is marked. */
static void test_weft(void **state)
{
    (void)state;
    struct isa_params params = {.stage = -1};
    struct program p = program_parse("0: fsqrt r0, sh0\n1: pck.se9995 ft2, r0\n mov r0, ft2\n2: bpret\n");
    assert_int_equal(p.status, WEFT_OK);
    assert_int_equal(rogue_check(p.m, &p.src, &params, p.diags), WEFT_OK);
    assert_int_equal(weft_diags_count(p.diags), 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(weft_diags_get(p.diags, i)->code, "weft-encoding");
    program_free(&p);
}

/* "severity code: message" of each, of text or of bytes. */
static const char *said_of(struct program *p, bool bytes, bool running)
{
    static const char *const severities[] = {"note", "warning", "error"};
    static char all[4096];
    struct isa_params params = {.stage = -1, .running = running};
    struct isa_module *m = p->m;
    size_t n = 0, errors = 0;
    if (bytes) {
        uint8_t *data;
        size_t size;
        assert_int_equal(rogue_encode(p->m, &p->arena, &data, &size, p->diags), WEFT_OK);
        assert_int_equal(rogue_decode(data, size, "test", &params, &p->arena, &m, p->diags), WEFT_OK);
    }
    weft_status status = rogue_check(m, bytes ? NULL : &p->src, &params, p->diags);
    all[0] = '\0';
    for (size_t i = 0; i < weft_diags_count(p->diags); i++) {
        const weft_diag *d = weft_diags_get(p->diags, i);
        errors += d->severity == WEFT_ERROR;
        n += (size_t)snprintf(all + n, sizeof all - n, "%s %s: %s\n", severities[d->severity], d->code, d->message);
    }
    assert_int_equal(status, errors ? WEFT_ERROR_INPUT : WEFT_OK);
    return all;
}

static const char *said_of_text(const char *text, bool bytes, bool running)
{
    struct program p = program_parse(text);
    assert_string_equal(program_code(&p), "");
    const char *said = said_of(&p, bytes, running);
    program_free(&p);
    return said;
}

/* What is wrong in a group that control does not reach is a warning, of the same code: it may be data. */
static void test_unreached(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1024], expected[80];
        snprintf(text, sizeof text, "0: br over\n%sover:\n9: wop\n", wrong[i].text);
        if (strcmp(wrong[i].code, "branch-target") == 0 || strcmp(wrong[i].code, "condition") == 0)
            continue; /* there is a group at its target now; a handler is reached from anywhere */
        snprintf(expected, sizeof expected, "warning %s: ", wrong[i].code);
        const char *said = said_of_text(text, false, false);
        if (strncmp(said, expected, strlen(expected)) != 0 || strstr(said, "error "))
            fail_msg("%s: '%s'", text, said);
    }
}

#define NO_GROUP "unknown-group: these "

/* Bytes that are no group: an error where control surely comes, or may come unless the program is run. */
static void test_data(void **state)
{
    static const struct {
        const char *text, *said, *running;
    } cases[] = {
        {"0: .data 0000\n", "error " NO_GROUP "2 bytes are not an instruction group: 0000\n",
         "error " NO_GROUP "2 bytes are not an instruction group: 0000\n"},
        {"0: .data 0000000000000000\n", "error " NO_GROUP "8 bytes are not an instruction group: 0000000000000000\n",
         "error " NO_GROUP "8 bytes are not an instruction group: 0000000000000000\n"},
        {"0: .data 00000000000000000000\n",
         "error " NO_GROUP "10 bytes are not an instruction group: 0000000000000000...\n",
         "error " NO_GROUP "10 bytes are not an instruction group: 0000000000000000...\n"},
        {"0: wop\n1: .data 0000\n", "error " NO_GROUP "2 bytes are not an instruction group: 0000\n",
         "error " NO_GROUP "2 bytes are not an instruction group: 0000\n"},
        {"0: if(p0) br over\n1: .data 0000\nover:\n2: wop\n",
         "error " NO_GROUP "2 bytes are not an instruction group: 0000; control flow may get there\n",
         "warning " NO_GROUP "2 bytes are not an instruction group: 0000; control flow may get there\n"},
        {"0: br over\n1: .data 0000\nover:\n2: wop\n",
         "warning " NO_GROUP "2 bytes are not an instruction group: 0000; control flow does not get there\n",
         "warning " NO_GROUP "2 bytes are not an instruction group: 0000; control flow does not get there\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(said_of_text(cases[i].text, false, false), cases[i].said);
        assert_string_equal(said_of_text(cases[i].text, false, true), cases[i].running);
    }
}

/* Where conditionals adjust by, and what else has a place of its own in the message. */
static void test_said(void **state)
{
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"0: { s0 = o0, s1 = r2, is4 = ft0 p0: fmul ft0, s0, s1; w0 = r0 }\n",
         "warning no-overlap-check: pixel outputs without .olchk: on a chip another pixel's task may still use them\n"},
        {"0: { s0 = r1, s1 = r2, is4 = ft0 p0: fmul ft0, s0, s1; w0 = o0 }\n",
         "warning no-overlap-check: pixel outputs without .olchk: on a chip another pixel's task may still use them\n"},
        {"0: { s0 = o0, s1 = r2, is4 = ft0 p0: fmul ft0, s0, s1; w0 = r0 }.olchk\n", ""},
        {"0: ditr.pixel r247, drc0, cf4, 2\n", ""},
        {"0: ditr.pixel r248, drc0, cf4, 2\n",
         "warning out-of-range: 'ditr' iterates to r248: nothing else can name it\n"},
        {"0: ditr.pixel r250, drc0, cf4, 2\n",
         "warning out-of-range: 'ditr' iterates to r250: nothing else can name it\n"},
        {"0: ditr.pixel r251, drc0, cf4, 2\n",
         "error out-of-range: 2 registers from r251 on do not exist: r251 is the last\n"
         "warning out-of-range: 'ditr' iterates to r251: nothing else can name it\n"},
    };
    static const struct {
        const char *text, *name;
        int least;
    } adjusts[] = {{"0: cndst 1, r0, r0, %d\n", "cndst", 1},
                   {"0: cndef 1, r0, r0, %d\n", "cndef", 0},
                   {"0: cndlt 1, r0, p0, r0, %d\n", "cndlt", 1},
                   {"0: cndend r0, r0, %d\n", "cndend", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(said_of_text(cases[i].text, false, false), cases[i].said);
    for (size_t i = 0; i < sizeof adjusts / sizeof *adjusts; i++)
        for (int adjust = 0; adjust < 4; adjust++) {
            char text[64], expected[120] = "";
            snprintf(text, sizeof text, adjusts[i].text, adjust);
            if (adjust < adjusts[i].least || adjust > 2)
                snprintf(expected, sizeof expected, "error out-of-range: '%s' adjusts by %d: expected %d to 2\n",
                         adjusts[i].name, adjust, adjusts[i].least);
            assert_string_equal(said_of_text(text, false, false), expected);
        }
    /* Bytes have numbers and addresses in place of lines. */
    assert_string_equal(said_of_text("0: wop\n1: .data 0000\n", true, false),
                        "error unknown-group: group 1 at 0x4: these 2 bytes are not an instruction group: 0000\n");
}

TEST_MAIN(TEST(test_refused), TEST(test_wrong), TEST(test_no_effect), TEST(test_right), TEST(test_weft),
          TEST(test_unreached), TEST(test_data), TEST(test_said))
