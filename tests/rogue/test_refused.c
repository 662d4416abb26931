/* test_refused.c - what the lift refuses, and why. The checker only warns of groups that nothing leads to; where
 * the linkage has breakpoints any group may be a handler, so that the lift sees them. */
#include "machine.h"

/* Group 1 is passed over, and nothing but a breakpoint leads to it. */
#define HIDDEN(group) "0 : br END\n1 : " group "\nEND:\n2 : mov r0, c0\n"
#define BREAKPOINT "breakpoint 0 0"

static const struct {
    enum ir_stage stage;
    const char *linkage, *text, *says;
} rows[] = {
    {IR_COMPUTE, BREAKPOINT, HIDDEN("{ s0 = r1 p0: mbyp ft0, s0; p2_mov: movc w0, w1, ftt, ft0, ft0; w0 = r0 }"),
     "'movc' without a test in its group"},
    {IR_COMPUTE, BREAKPOINT, HIDDEN("{ s0 = r248 p0: mbyp ft0, s0; w0 = r0 }"),
     "there is no register r248: r0 to r247"},
    {IR_COMPUTE, BREAKPOINT, HIDDEN("{ s0 = r0 p0: mbyp ft0, s0; w0 = vi255 }"), "there is no register vi255"},
    {IR_COMPUTE, BREAKPOINT, HIDDEN("br 2"), "a branch to where no group begins"},
    {IR_COMPUTE, BREAKPOINT, HIDDEN("{ s0 = r0 p0: mbyp ft0, s0; w0 = dc0[idx0] }"),
     "dynamic constant register 0 cannot be written"},
    {IR_COMPUTE, BREAKPOINT, HIDDEN("{ s0 = r0 p0: mbyp ft0, s0; w0 = sr47 }"),
     "special register 47 cannot be written"},
    {IR_FRAGMENT, BREAKPOINT, HIDDEN("{ s0 = r4, s3 = r0 backend: fitr.pixel s3, drc0, s0, 1; }"),
     "S0 of 'fitr' is not a coefficient register"},
    {IR_FRAGMENT, BREAKPOINT, HIDDEN("{ s0 = cf4, s2 = sh0, s3 = r0 backend: fitrp.pixel s3, drc0, s0, s2, 1; }"),
     "S2 of 'fitrp' is not a coefficient register"},
    {IR_FRAGMENT, BREAKPOINT, HIDDEN("{ s0 = sh[idx0], s3 = r0 backend: fitr.pixel s3, drc0, s0, 1; }"),
     "S0 of 'fitr' is not a coefficient register"},
    {IR_COMPUTE, "breakpoint 0 1", "0 : mov r0, c0\n", "a breakpoint with its handler at 1, where no group begins"},
    {IR_COMPUTE, "breakpoint 1 0", "0 : mov r0, c0\n", "a breakpoint at 1, where no group begins"},
    /* a jump to what a register says may come from before and after the base is set */
    {IR_COMPUTE, NULL,
     "0 : savl r1\n1 : { s0 = r1, is0 = s0, is4 = fte backend: setl w0; }\n2 : sbo.shared 4\n3 : mov r0, sh0\n",
     "the base offset of shared registers is not the same on all ways to here"},
    {IR_FRAGMENT, NULL,
     "0 : mov ft0, vi0\n    tstz.u32 ftt, p0, ft0\n1 : if(p0) br NEXT\n2 : sbo.coeff 4\nNEXT:\n3 : mov r0, cf6\n",
     "the base offset of coefficient registers is not the same on all ways to here"},
    {IR_COMPUTE, NULL, "0 : smp2d.wrt.integer drc0, sh0, r0, sh4, _, r0, 1\n",
     "the linkage does not say which image the state in S0 is of"},
    {IR_COMPUTE, "sh 0 texture 0", "0 : smp2d.wrt.integer drc0, sh0, r0, sh4, _, r0, 1\n",
     "the linkage does not say which image the state in S0 is of"},
    {IR_FRAGMENT, "sh 0 texture 0\nsh 4 sampler 0\ntexture 0 CUBE",
     "0 : smp3d.integer.comparison drc0, sh0, r0, sh4, _, r8, 1\n", "which texel numbers have no names for"},
    {IR_FRAGMENT, "sh 0 texture 0\nsh 4 sampler 0\ntexture 0 CUBE",
     "0 : smp3d.integer.data drc0, sh0, r0, sh4, _, r8, 1\n", "which texel numbers have no names for"},
    {IR_FRAGMENT, "sh 0 texture 0\nsh 4 sampler 0\ntexture 0 CUBE",
     "0 : smp3d.nncoords drc0, sh0, r0, sh4, _, r8, 1\n", "the direction into a cube counts no texels"},
    {IR_FRAGMENT, "sh 0 texture 0\nsh 4 sampler 0",
     "0 : smp2d.sno.comparison drc0, sh0, r0, sh4, _, r8, 1\n", "a texture of samples is not filtered"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine m;
        bool lifted = machine_start_at(&m, rows[i].stage, rows[i].linkage, rows[i].text, false, false);
        size_t count = weft_diags_count(m.diags);
        const char *said = count ? weft_diags_get(m.diags, count - 1)->message : "";
        if (lifted || !strstr(said, rows[i].says))
            fail_msg("%s says '%s', not '%s'", rows[i].text, said, rows[i].says);
        machine_end(&m);
    }
}

TEST_MAIN(TEST(test_refused))
