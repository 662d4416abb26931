/* Text: the examples of the seed and of the published compilers read as they stand, and print in the canonical form. */
#include "program.h"

struct example {
    const char *text, *canonical;
};

/* The tables of the seed, in its order. */
static const struct example examples[] = {
    {"0    : mov ft0, vi3\n       mov ft0.e0.e1.e2.e3, ft0\n       uvsw.write ft0, 3;\n",
     "0000: { s0 = vi3 p0: mbyp ft0, s0; p2_mov: mov w0, ft0; backend: uvsw.write w0, 3; }\n"},
    {"0    : fitr.pixel r0, drc0, cf4, cf0, 2;\n",
     "0000: { s0 = cf4..11, s2 = cf0..3, s3 = r0..1 backend: fitrp.pixel s3, drc0, s0, s2, 2; }\n"},
    {"0    : mov ft0, sh0\n       mov r0.e0.e1.e2.e3, ft0\n       mov r1, sh1;\n",
     "0000: { s0 = sh0, s3 = sh1, is0 = s3, is4 = ft0, is5 = fte p0: mbyp ft0, s0; p2_mov: mov w0, ft0; w0 = r0, w1 = r1 }\n"},
    {"0    : mov ft0, c64 #c64 = 1.0\n       mov r0.e0.e1.e2.e3, ft0\n       mov r1, c64;\n",
     "0000: { s0 = sc64, is4 = ft0, is5 = fte p0: mbyp ft0, s0; p2_mov: mov w0, ft0; w0 = r0, w1 = r1 }\n"},
    {"0  : mov ft0, sh0.abs\n     mov ft1, sh1.abs\n     mov r0, ft0;\n     mov r1, ft1;\n",
     "0000: { s0 = sh0, s3 = sh1, is4 = ft0, is5 = ft1 p0: mbyp ft0, s0.abs; p1: mbyp ft1, s3.abs; w0 = r0, w1 = r1 }\n"},
    {"3    : smp2d.fcnorm.array drc0,\n sh4, r1, sh0, _, r0, 4;\n",
     "0000: { s0 = sh4..7, s1 = r1, s2 = sh0..3, s4 = r0..3 backend: smp2d.fcnorm.array s4, drc0, s0, s1, s2, _, 4; }\n"},
    {"0    : (ignorepe)\n{\n   itrsmp2d.pixel.fcnorm.schedwdf \n   r0, 1, drc0, cf4, sh4, sh0, 4,\n  \n   cf0, \n}\n",
     "0000: (ignorepe) { ctrl: itrsmp2d.pixel.fcnorm.schedwdf r0, iter_mul, drc0, cf4, sh4, sh0, 4, 1, cf0; }\n"},
    {"0    : fadd ft0, sh0.flr, c0\n       fadd ft1, sh1.flr, c0\n       mov r0, ft0;\n       mov r1, ft1;\n",
     "0000: { s0 = sh0, s1 = sc0, s3 = sh1, s4 = sc0, is4 = ft0, is5 = ft1 p0: fadd ft0, s0.flr, s1; p1: fadd ft1, s3.flr, s4; w0 = r0, w1 = r1 }\n"},
    {"0    : mov ft0, sh0.neg\n       mov ft1, sh1.neg\n       mov r0, ft0;\n       mov r1, ft1;\n",
     "0000: { s0 = sh0, s3 = sh1, is4 = ft0, is5 = ft1 p0: mbyp ft0, s0.neg; p1: mbyp ft1, s3.neg; w0 = r0, w1 = r1 }\n"},
    {"0    : fadd.sat ft0, sh0, c0\n       fadd.sat ft1, sh1, c0\n       mov r0, ft0;\n       mov r1, ft1;\n",
     "0000: { s0 = sh0, s1 = sc0, s3 = sh1, s4 = sc0, is4 = ft0, is5 = ft1 p0: fadd.sat ft0, s0, s1; p1: fadd.sat ft1, s3, s4; w0 = r0, w1 = r1 }\n"},
    {"11   : smp2d.fcnorm.both drc0,\n sh12, r1, sh4, _, r0, 1;\n",
     "0000: { s0 = sh12..15, s1 = r1, s2 = sh4..7, s4 = r0 backend: smp2d.fcnorm.both s4, drc0, s0, s1, s2, _, 1; }\n"},
    {"9    : if(!p0)\n{\n  smp2d.fcnorm.soo drc0, \n   sh8, r32, sh0, _, r0, 4;\n}\n",
     "0000: if(!p0) { s0 = sh8..11, s1 = r32, s2 = sh0..3, s4 = r0..3 backend: smp2d.fcnorm.soo s4, drc0, s0, s1, s2, _, 4; }\n"},
    {"2    : fmad ft0, sh5, i3, sh9\n       fmad ft1, sh4, i1, i0\n       mov r0, ft1;\n       mov r1, ft0;\n",
     "0000: { s0 = sh5, s1 = i3, s2 = sh9, s3 = sh4, s4 = i1, s5 = i0, is4 = ft1, is5 = ft0 p0: fmad ft0, s0, s1, s2; p1: fmad ft1, s3, s4, s5; w0 = r0, w1 = r1 }\n"},
    {"1    : fmad ft0, sh4, c64, sh0\n       fadd ft1, sh5, i0\n       mov r0, ft0;\n       mov r1, ft1;\n",
     "0000: { s0 = sh4, s1 = sc64, s2 = sh0, s3 = sh5, s4 = i0, is4 = ft0, is5 = ft1 p0: fmad ft0, s0, s1, s2; p1: fadd ft1, s3, s4; w0 = r0, w1 = r1 }\n"},
    {"1    : fmul ft0, sh4, i1\n       fmul ft1, sh5, i0\n       mov r0, ft0;\n       mov r1, ft1;\n",
     "0000: { s0 = sh4, s1 = i1, s3 = sh5, s4 = i0, is4 = ft0, is5 = ft1 p0: fmul ft0, s0, s1; p1: fmul ft1, s3, s4; w0 = r0, w1 = r1 }\n"},
    {"0    : frcp r0, sh0\n",
     "0000: { s0 = sh0, is4 = ft0 p0: frcp w0, s0; w0 = r0 }\n"},
    {"0    : frsq r0, sh0\n",
     "0000: { s0 = sh0, is4 = ft0 p0: frsq w0, s0; w0 = r0 }\n"},
    {"0    : fsqrt r0, sh0\n",
     "0000: { s0 = sh0, is4 = ft0 p0: fsqrt w0, s0; w0 = r0 }\n"},
    {"0    : flog r0, sh0\n",
     "0000: { s0 = sh0, is4 = ft0 p0: flog w0, s0; w0 = r0 }\n"},
    {"0    : fexp r0, sh0\n",
     "0000: { s0 = sh0, is4 = ft0 p0: fexp w0, s0; w0 = r0 }\n"},
    {"2    : sop r0.joutj, sh4, i3, add, sh8,\n 0.oneminus\n       sop r1.koutk, sh5, i1, add, i0,\n 0.oneminus\n",
     "0000: { s0 = sh4, s1 = i3, s2 = sh8, s3 = sh5, s4 = i1, s5 = i0, is4 = ft0, is5 = ft0 p0: f16sop w0, w1, _, s0, s1, add, s2, 0.oneminus, s3, s4, add, s5, 0.oneminus, _; w0 = r0, w1 = r1 }\n"},
    {"4    : fdsx ft0, r2\n       fdsx ft1, r3\n       mov r0, ft0;\n       mov r1, ft1;\n",
     "0000: { s0 = r2, s3 = r3, is4 = ft0, is5 = ft1 p0: fdsx ft0, s0; p1: fdsx ft1, s3; w0 = r0, w1 = r1 }\n"},
    {"4    : fdsy ft0, r2\n       fdsy ft1, r3\n       mov r0, ft0;\n       mov r1, ft1;\n",
     "0000: { s0 = r2, s3 = r3, is4 = ft0, is5 = ft1 p0: fdsy ft0, s0; p1: fdsy ft1, s3; w0 = r0, w1 = r1 }\n"},
    {"2    : fsinc r0, p0, i0\n",
     "0000: { s0 = i0, is4 = ft0 p0: fsinc w0, p0, s0; w0 = r0 }\n"},
    {"5    : if(p0)\n{\n       farctanc i0, i1\n}\n",
     "0000: if(p0) { s0 = i1, is4 = ft0 p0: farctanc w0, s0; w0 = i0 }\n"},
    {"0    : fred.sin i1, i0, _, 0, sh0,\n",
     "0000: { s0 = sh0, is4 = ft0, is5 = ft0 p0: fred.sin w0, w1, _, 0, s0, _; w0 = i1, w1 = i0 }\n"},
    {"1    : fred.sin.partb i0, ft0, _, 0, sh0, i0\n",
     "0000: { s0 = sh0, s3 = i0, is4 = ft0 p0: fred.sin.partb w0, w1, _, 0, s0, s3; w0 = i0 }\n"},
    {"0    : pck.s32.rndzero ft2, sh0\n       mov i0, ft2;\n",
     "0000: { s0 = sh0, is3 = fte, is4 = ft2 p2_pck: pck.roundzero.s32 ft2, is3; w0 = i0 }\n"},
    {"1    : unpck.s32 ft0, i0.e0\n       mov r0.e0.e1.e2.e3, ft0\n       mov r1, ft0;\n",
     "0000: { s0 = i0, is4 = ft0, is5 = ft0 p0: unpck.s32 ft0, s0; p2_mov: mov w0, ft0; w0 = r0, w1 = r1 }\n"},
    {"0    : unpck.s1616 ft0, sh0.e0\n       mov r0.e0.e1.e2.e3, ft0\n       mov r1, ft0;\n",
     "0000: { s0 = sh0, is4 = ft0, is5 = ft0 p0: unpck.s1616 ft0, s0; p2_mov: mov w0, ft0; w0 = r0, w1 = r1 }\n"},
    {"1    : uadd8 ft0, sh1.e0, i0.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, is4 = ft0 p0: uadd8 ft0, s0, s1; w0 = i0 }\n"},
    {"1    : umul8 ft0, sh1.e0, i0.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, is4 = ft0 p0: umul8 ft0, s0, s1; w0 = i0 }\n"},
    {"1    : umad8 ft0, sh1.e0, i0.e0, sh2.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, s2 = sh2, is4 = ft0 p0: umad8 ft0, s0, s1, s2; w0 = i0 }\n"},
    {"1    : iadd8 ft0, sh1.e0, i0.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, is4 = ft0 p0: iadd8 ft0, s0, s1; w0 = i0 }\n"},
    {"1    : imul8 ft0, sh1.e0, i0.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, is4 = ft0 p0: imul8 ft0, s0, s1; w0 = i0 }\n"},
    {"1    : imad8 ft0, sh1.e0, i0.e0, sh2.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, s2 = sh2, is4 = ft0 p0: imad8 ft0, s0, s1, s2; w0 = i0 }\n"},
    {"1    : uadd16 ft0, sh1.e0, i0.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, is4 = ft0 p0: uadd16 ft0, s0, s1; w0 = i0 }\n"},
    {"1    : umul16 ft0, sh1.e0, i0.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, is4 = ft0 p0: umul16 ft0, s0, s1; w0 = i0 }\n"},
    {"1    : umad16 ft0, sh1.e0, i0.e0, sh2.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, s2 = sh2, is4 = ft0 p0: umad16 ft0, s0, s1, s2; w0 = i0 }\n"},
    {"1    : iadd16 ft0, sh1.e0, i0.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, is4 = ft0 p0: iadd16 ft0, s0, s1; w0 = i0 }\n"},
    {"1    : imul16 ft0, sh1.e0, i0.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, is4 = ft0 p0: imul16 ft0, s0, s1; w0 = i0 }\n"},
    {"1    : imad16 ft0, sh1.e0, i0.e0, sh2.e0\n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, s2 = sh2, is4 = ft0 p0: imad16 ft0, s0, s1, s2; w0 = i0 }\n"},
    {"1    : umadd32 ft0, sh1, i0, sh2, \n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, s2 = sh2, is4 = ft0 p0: umadd32 ft0, s0, s1, s2, _; w0 = i0 }\n"},
    {"1    : smadd32 ft0, sh1, i0, sh2, \n       mov i0, ft0;\n",
     "0000: { s0 = sh1, s1 = i0, s2 = sh2, is4 = ft0 p0: smadd32 ft0, s0, s1, s2, _; w0 = i0 }\n"},
    {"0    : mov ft0, sh1\n       mov ft1, sh2\n       tstz.s32 ftt, _, sh0\n       mov i0.e0.e1.e2.e3, ft1, ftt, ft0, ft1\n",
     "0000: { s0 = sh1, s1 = sc0, s2 = sh0, s3 = sh2, is0 = s2, is1 = fte, is4 = ft1 p0: mbyp ft0, s0; p1: mbyp ft1, s3; p2_tst: tstz.s32 ftt, _, is1; p2_mov: movc w0, w1, ftt, ft0, ft1; w0 = i0 }\n"},
    {"0    : mov ft0, sh1\n       mov ft1, sh2\n       tstgz.s32 ftt, _, sh0\n       mov i0.e0.e1.e2.e3, ft1, ftt, ft0, ft1\n",
     "0000: { s0 = sh1, s1 = sc0, s2 = sh0, s3 = sh2, is0 = s2, is1 = fte, is4 = ft1 p0: mbyp ft0, s0; p1: mbyp ft1, s3; p2_tst: tstgz.s32 ftt, _, is1; p2_mov: movc w0, w1, ftt, ft0, ft1; w0 = i0 }\n"},
    {"0   : mov ft0, sh1\n      mov ft1, sh2\n      tstgez.s32 ftt, _, sh0\n      mov i0.e0.e1.e2.e3, ft1, ftt, ft0, ft1\n",
     "0000: { s0 = sh1, s1 = sc0, s2 = sh0, s3 = sh2, is0 = s2, is1 = fte, is4 = ft1 p0: mbyp ft0, s0; p1: mbyp ft1, s3; p2_tst: tstgez.s32 ftt, _, is1; p2_mov: movc w0, w1, ftt, ft0, ft1; w0 = i0 }\n"},
    {"0   : mov ft0, sh2\n      mov ft1, sh0\n      tste.s32 ftt, _, sh1, ft1\n      mov i0.e0.e1.e2.e3, ft0, ftt, ft1, ft0\n",
     "0000: { s0 = sh2, s1 = sc0, s2 = sh1, s3 = sh0, is0 = s2, is1 = fte, is4 = ft0 p0: mbyp ft0, s0; p1: mbyp ft1, s3; p2_tst: tste.s32 ftt, _, is1, is2; p2_mov: movc w0, w1, ftt, ft1, ft0; w0 = i0 }\n"},
    {"0    : mov ft0, sh2\n       mov ft1, sh0\n       tstg.s32 ftt, _, sh1, ft1\n       mov i0.e0.e1.e2.e3, ft0, ftt, ft1, ft0\n",
     "0000: { s0 = sh2, s1 = sc0, s2 = sh1, s3 = sh0, is0 = s2, is1 = fte, is4 = ft0 p0: mbyp ft0, s0; p1: mbyp ft1, s3; p2_tst: tstg.s32 ftt, _, is1, is2; p2_mov: movc w0, w1, ftt, ft1, ft0; w0 = i0 }\n"},
    {"0    : mov ft0, sh0\n       mov ft1, sh1\n       tstne.s32 ftt, _, ft0, ft1\n       mov i0.e0.e1.e2.e3, ft1, ftt, ft0, ft1\n",
     "0000: { s0 = sh0, s3 = sh1, is1 = ft0, is4 = ft1 p0: mbyp ft0, s0; p1: mbyp ft1, s3; p2_tst: tstne.s32 ftt, _, is1, is2; p2_mov: movc w0, w1, ftt, ft0, ft1; w0 = i0 }\n"},
    {"0   : mov ft0, sh0\n      mov ft1, sh1\n      tstl.s32 ftt, _, ft0, ft1\n      mov i0.e0.e1.e2.e3, ft1, ftt, ft0, ft1\n",
     "0000: { s0 = sh0, s3 = sh1, is1 = ft0, is4 = ft1 p0: mbyp ft0, s0; p1: mbyp ft1, s3; p2_tst: tstl.s32 ftt, _, is1, is2; p2_mov: movc w0, w1, ftt, ft0, ft1; w0 = i0 }\n"},
    {"0    : mov ft0, ft1, c0, c0\n       mov ft2, sh1\n       cbs ft3, sh1\n       and ft4, _, ft2, _, sh0\n       lsl ft5, ft4, c0\n       mov i0, ft5;\n",
     "0000: { s0 = sc0, s2 = sh1, s3 = sh0, s4 = sc0 p0: cbs ft3, s2; p1: and ft4, _, ft2, _, s3; p2: lsl ft5, ft4, s4; w0 = i0 }\n"},
    {"0    : mov ft0, ft1, c0, c0\n       mov ft2, sh1\n       cbs ft3, sh1\n       or ft4, _, ft2, _, sh0\n       lsl ft5, ft4, c0\n       mov i0, ft5;\n",
     "0000: { s0 = sc0, s2 = sh1, s3 = sh0, s4 = sc0 p0: cbs ft3, s2; p1: or ft4, _, ft2, _, s3; p2: lsl ft5, ft4, s4; w0 = i0 }\n"},
    {"0    : mov ft0, ft1, c0, c0\n       mov ft2, sh1\n       cbs ft3, sh1\n       xor ft4, _, ft2, _, sh0\n       lsl ft5, ft4, c0\n       mov i0, ft5;\n",
     "0000: { s0 = sc0, s2 = sh1, s3 = sh0, s4 = sc0 p0: cbs ft3, s2; p1: xor ft4, _, ft2, _, s3; p2: lsl ft5, ft4, s4; w0 = i0 }\n"},
    {"1    : mov ft0, ft1, c0, c0\n       mov ft2, sh0\n       cbs ft3, sh0\n       or ft4, _, ft2, _, c0\n       lsl ft5, ft4, i0\n       mov i0, ft5;\n",
     "0000: { s0 = sc0, s2 = sh0, s3 = sc0, s4 = i0 p0: cbs ft3, s2; p1: or ft4, _, ft2, _, s3; p2: lsl ft5, ft4, s4; w0 = i0 }\n"},
    {"1    : mov ft0, ft1, c0, c0\n       mov ft2, sh0\n       cbs ft3, sh0\n       or ft4, _, ft2, _, c0\n       asr.twb ft5, ft4, i0\n       mov i0, ft5;\n",
     "0000: { s0 = sc0, s2 = sh0, s3 = sc0, s4 = i0 p0: cbs ft3, s2; p1: or ft4, _, ft2, _, s3; p2: asr.twb ft5, ft4, s4; w0 = i0 }\n"},
    {"0 : mov ft0, vi3\n    mov ft0.e0.e1.e2.e3,  \n    ft0\n    uvsw.write ft0, 3;\n",
     "0000: { s0 = vi3 p0: mbyp ft0, s0; p2_mov: mov w0, ft0; backend: uvsw.write w0, 3; }\n"},
    {"0 : fitr.pixel r0, \n    drc0, cf4, \n    cf0, 2;\n",
     "0000: { s0 = cf4..11, s2 = cf0..3, s3 = r0..1 backend: fitrp.pixel s3, drc0, s0, s2, 2; }\n"},
    {"3    : smp2d.fcnorm.replace.integer drc0, sh4,\n r1, sh0, sh11, r0, 4;\n",
     "0000: { s0 = sh4..7, s1 = r1, s2 = sh0..3, s3 = sh11, s4 = r0..3 backend: smp2d.fcnorm.replace.integer s4, drc0, s0, s1, s2, s3, 4; }\n"},
    {"3    : smp2d.fcnorm.replace.integer drc0,\n sh4, \n             r1, sh0, sh11, r0, 4;\n",
     "0000: { s0 = sh4..7, s1 = r1, s2 = sh0..3, s3 = sh11, s4 = r0..3 backend: smp2d.fcnorm.replace.integer s4, drc0, s0, s1, s2, s3, 4; }\n"},
    {"4    : wdf drc0\n",
     "0000: { ctrl: wdf drc0; }\n"},
    {"0    : (ignorepe)\n{\n       itrsmp2d.pixel.fcnorm.schedwdf  \n           r0, 1,drc0, cf4, \n           sh4, sh0, 4, cf0, \n}\n",
     "0000: (ignorepe) { ctrl: itrsmp2d.pixel.fcnorm.schedwdf r0, iter_mul, drc0, cf4, sh4, sh0, 4, 1, cf0; }\n"},
};

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
        program_free(&again);
        program_free(&p);
    }
}

/* Other ways to write the same. */
static const struct example spellings[] = {
    {"0000: { repeat 4 , s0 = r8..11, is0 = s0, is3 = fte, is4 = ft2 p2_pck: pck.u8888.scale ft2, is3; w0 = po0 }.olchk.end\n",
     "0000: { repeat 4 s0 = r8..11, is0 = s0, is3 = fte, is4 = ft2 p2_pck: pck.scale.u8888 ft2, is3; w0 = po0 }.olchk.end\n"},
    {"\t18: (rpt4) { main p2pck: (rpt4) pck.u8888.scale ft2, is3; s0=r[0..3] is0=s0, is3=fte, is4/w0=ft2 w0=sr32 }\n",
     "0000: { repeat 4 s0 = r0..3, is0 = s0, is3 = fte, is4 = ft2 p2_pck: pck.scale.u8888 ft2, is3; w0 = po0 }\n"},
    {"block B0:\n 0007: {  p0: bbyp0bm ft0, ft1, s0, 0.5f; w0 = r2 }\n",
     "0000: { s0 = sc0 p0: byp ft0, ft1, s0, 1056964608; w0 = r2 }\n"},
    {"0: FADD FT0, R1[IDX0], #1.0 # the constant by value\n   MOV R2, FT0\n",
     "0000: { s0 = r1[idx0], s1 = sc64, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r2 }\n"},
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

TEST_MAIN(TEST(test_seed_examples), TEST(test_spellings))
