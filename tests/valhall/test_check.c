/* The checker: one program per rule with the message that it must get, and programs that must pass. */
#include "program.h"

#define LOAD  "LOAD.i32.unsigned.slot1 @r4, r2, offset:0\n"
#define ATEST "NOP.wait0126\nATEST.wait @r60, r60, 0x3F800000, atest_datum.w0\n"
#define BLEND "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n"
#define END   "NOP.end\n"

struct rule {
    const char *text, *message; /* all of the messages' beginnings: the first line, and how many there are */
    unsigned count;
};

static const struct rule rules[] = {
    /* messages and waits */
    {LOAD "MOV.i32.end r5, r4\n",
     "2:1 error missing-wait: r4 is read here, and a message of slot 1 that writes it has not been waited for", 1},
    {LOAD "MOV.i32.end r4, r5\n", "2:1 error missing-wait: r4 is written here, and a message of slot 1", 1},
    {LOAD "NOP.wait0\nMOV.i32.end r5, r4\n", "3:1 error missing-wait: r4 is read here", 1},
    {LOAD "MOV.i32.wait1 r5, r4\n" END, "2:1 error missing-wait: r4 is read here", 1},
    {LOAD "STORE.i32.slot0.end @r4, r6, offset:0\n", "2:1 error missing-wait: r4 is read here", 1},
    {LOAD "LOAD.i32.slot0.end @r6, r4, offset:0\n", "2:1 error missing-wait: r4 is read here", 1},
    {"LOAD.i64.unsigned.slot0 @r4:r5, r2, offset:0\nIADD.u64.end r8, r6, r4\n", "2:1 error missing-wait: r4", 1},
    {"LOAD.i32.slot0 @r5, r2, offset:0\nIADD.u64.end r8, r6, r4\n", "2:1 error missing-wait: r5 is read", 1},
    {"LOAD.i32.slot0 @r9, r2, offset:0\nIADD.u64.end r8, r6, r4\n", "2:1 error missing-wait: r9 is written", 1},
    {"NOP.wait0126\nATEST @r60, r60, 0x3F800000, atest_datum.w0\nNOP.wait12\n" BLEND,
     "4:1 error missing-wait: r60 is read here, and a message of slot 0", 2},
    /* over the paths of a program */
    {LOAD "BRANCHZ.reconverge r0, offset:skip\nNOP.wait1.\n", "3:11 error bad-modifier", 2},
    {LOAD "BRANCHZ.reconverge r0, offset:skip\nNOP.wait1\nNOP.reconverge\nskip: MOV.i32.end r5, r4\n",
     "5:7 error missing-wait: r4 is read here", 1},
    {"NOP.reconverge\ntop: IADD.u32 r6, r6, r4\n" LOAD "BRANCHZ.reconverge r0, offset:top\n" END,
     "2:6 error missing-wait: r4 is read here", 1},
    {LOAD "BRANCHZ.reconverge r0, offset:far\n" END "far: MOV.i32.end r5, r4\n", "4:6 error missing-wait", 1},
    /* barriers and slots */
    {"BARRIER.slot0.wait\n" END, "1:1 error barrier-slot: a barrier must use slot 7, not slot 0", 1},
    {"BARRIER.slot7\n" END, "1:1 error barrier-wait: a barrier must carry the flow control .wait", 1},
    {"BARRIER.slot7.wait0126\n" END, "1:1 error barrier-wait", 1},
    {"LOAD.i32.slot7.end @r4, r2, offset:0\n", "1:1 error slot-7: slot 7 is for BARRIER only", 1},
    /* reconvergence */
    {"BRANCHZ r0, offset:1\n" END END,
     "1:1 error reconverge: BRANCHZ on a register may change the mask of active lanes", 1},
    {"NOP\ntop: NOP\nBRANCHZ.reconverge r0, offset:top\n" END,
     "1:1 error reconverge: lanes meet again at the next instruction", 1},
    {"BRANCHZ.reconverge r0, offset:other\nBRANCHZ.eq.reconverge 0x0, offset:join\nother: NOP\njoin: NOP.end\n",
     "3:8 warning reconverge-join: lanes that went apart may meet again at instruction 3", 1},
    {"BRANCHZ.reconverge r0, offset:other\nBRANCHZ.eq 0x0, offset:join\nother: NOP.reconverge\njoin: NOP.end\n",
     "2:1 warning reconverge-join: lanes that went apart may meet again at instruction 3", 1},
    /* tile buffer */
    {"NOP.wait\n" BLEND "BRANCHZI.eq.absolute 0x0, blend_descriptor_0.w1\n",
     "2:1 warning atest: BLEND is reached without ATEST: it should be executed before the first ZS_EMIT or BLEND", 1},
    {"NOP.wait0126\nZS_EMIT.z.slot0.end @r60, r0, r1, r60\n", "2:1 warning atest: ZS_EMIT is reached without ATEST", 1},
    {"BRANCHZ.reconverge r0, offset:skip\n" ATEST "NOP.reconverge\nskip: NOP.wait\n" BLEND
     "BRANCHZI.eq.absolute 0x0, blend_descriptor_0.w1\n",
     "6:1 warning atest: ", 1},
    {"ATEST.wait @r60, r60, 0x3F800000, atest_datum.w0\n" END,
     "1:1 warning wait-6: ATEST must come after a wait for slot 6", 1},
    {"NOP.wait0126\nATEST.wait0 @r60, r60, 0x3F800000, atest_datum.w0\n" BLEND
     "BRANCHZI.eq.absolute 0x0, blend_descriptor_0.w1\n",
     "3:1 warning wait-7: BLEND must come after a wait for slot 7", 1},
    /* numbers of staging registers */
    {"LOAD.i32.slot0.end @r4:r5, r2, offset:0\n",
     "1:1 error staging-count: LOAD.i32 writes 1 staging register here, not 2", 1},
    {"LOAD.i32.d0.slot0.end @r4, r2, offset:0\n",
     "1:1 error staging-count: LOAD.i32 writes 2 staging registers here, not 1", 1},
    {"STORE.i96.slot0.end @r4:r5, r2, offset:0\n",
     "1:1 error staging-count: STORE.i96 reads 3 staging registers here, not 2", 1},
    {"STORE.i128.slot0.end @r4, r2, offset:0\n", "1:1 error staging-count: STORE.i128 reads 4", 1},
    {"LD_VAR_IMM.slot0.v3.f16.center.store.end @r0, r61, table:0, index:0\n",
     "1:1 error staging-count: LD_VAR_IMM writes 2", 1},
    {"LD_VAR_BUF_IMM.f16.slot0.v4.src_f16.center.store.end @r0, r61, index:0\n",
     "1:1 error staging-count: LD_VAR_BUF_IMM.f16 writes 2", 1},
    {"LEA_BUF_IMM.slot0.end @r4:r5:r6, r59, table:0, index:0\n", "1:1 error staging-count: LEA_BUF_IMM writes 2", 1},
    {"TEX_SINGLE.slot0.f.32.2d.zero.end @r0:r1:r2:r3, @r8, r6\n",
     "1:1 warning texture-operands: TEX_SINGLE takes 2 staging registers here, not 1", 1},
    {"TEX_FETCH.slot0.f.32.2d.texel_offset.end @r0:r1:r2:r3, @r8:r9:r10:r11, r6\n",
     "1:1 warning texture-operands: TEX_FETCH takes 3 staging registers here, not 4", 1},
    {"TEX_FETCH.slot0.f.32.r.cube.end @r0, @r8:r9:r10:r11, r6\n", "", 0}, /* x, y, face, level */
    {"TEX_FETCH.slot0.f.32.r.cube.end @r0, @r8:r9, r6\n",
     "1:1 warning texture-operands: TEX_FETCH takes 3 staging registers here, not 2", 1},
    {"TEX_FETCH.slot0.f.32.2d.end @r0:r1:r2:r3, @r8:r9:r10, r6\n", "", 0},
    {"ATOM.i32.slot0.aadd.end @r0, workgroup_local_pointer.w0, offset:0\n",
     "1:1 warning atomic-pointer: an atomic cannot use workgroup_local_pointer as its address", 1},
    {"ICMP_MULTI.v2u16.lt.m1 r0, r1, r2, 0x0\nNOP.end\n", "1:1 warning compare-seq: ICMP_MULTI.v2u16", 1},
    {"ICMP_MULTI.u32.lt.m1 r0, r1, r2, 0x0\nNOP.end\n", "", 0},
    {"LD_ATTR.f32.slot0.end @r0, r60, r61, r60\n", "1:1 warning divergent-index: r60", 1},
    {"IADD_IMM.i32 r1, 0x0, #0x1\nLD_ATTR.f32.slot0.end @r0, r60, r61, r1\n", "", 0},
    {"LEA_TEX_IMM.slot0.end @r4:r5, r59, r1, table:5, index:0\n", "1:1 error staging-count: LEA_TEX_IMM writes 3", 1},
    {"TEX_SINGLE.slot0.f.16.2d.zero.end @r0:r1:r2:r3, @r4:r5, u0\n", "1:1 error staging-count: TEX_SINGLE writes 2", 1},
    {"ATOM.i64.slot0.aadd.end @r0, r2, offset:0\n", "1:1 error staging-count: ATOM.i64 reads 2", 1},
    {"ATOM_RETURN.i32.slot0.compare.axchg.end @r0, @r4, r2, offset:0\n",
     "1:1 error staging-count: ATOM_RETURN.i32 reads 2", 1},
    {"ATOM1_RETURN.i64.slot0.ainc.end @r0, r2, offset:0\n", "1:1 error staging-count: ATOM1_RETURN.i64 writes 2", 1},
    /* modifiers that do not go together */
    {"ATOM.i32.slot0.axchg.end @r0, r2, offset:0\n",
     "1:1 error exchange: an exchange must return the value: ATOM.i32 does not", 1},
    {"ATOM.i64.slot0.axchg.end @r0:r1, r2, offset:0\n", "1:1 error exchange: ", 1},
    {"ATOM_RETURN.i32.slot0.compare.aadd.end @r0, @r4:r5, r2, offset:0\n",
     "1:1 error compare: .compare is only valid with .axchg", 1},
    {"LD_VAR_BUF_IMM.f16.slot0.src_flat32.center.store.end @r0, r61, index:0\n",
     "1:1 error source-format: .src_flat32 is only valid with 32-bit varying instructions, not with LD_VAR_BUF_IMM.f16",
     1},
    {"LD_VAR_BUF.f32.slot0.src_flat16.center.store.end @r0, r61, r1\n",
     "1:1 error source-format: .src_flat16 is only valid with 16-bit varying instructions, not with LD_VAR_BUF.f32", 1},
    {"ICMP_OR.v2u16.eq.u1.end r0, r1, r2, 0x0\n", "1:1 warning result-u1: .u1 is a step of 64-bit comparisons", 1},
    {"FCMP_OR.v2f16.eq.u1.end r0, r1, r2, 0x0\n", "1:1 warning result-u1: ", 1},
    {"LD_VAR_SPECIAL.slot0.f32.center.store.end @r0, r61, index:4\n",
     "1:1 error special-varying: special varying 4 does not exist", 1},
    {"LD_VAR_SPECIAL.slot0.v2.f32.center.store.end @r0:r1, r61, index:3\n", "1:1 error special-varying: ", 1},
    /* operands */
    {"LOAD.i32.slot0.end @r4, r3, offset:0\n",
     "1:1 warning odd-pair: source 0 has 64 bits: a pair begins with an even register, not r3", 1},
    {"LOAD.i32.slot0.end @r4, u3, offset:0\n",
     "1:1 warning odd-pair: source 0 has 64 bits: a pair begins with an even uniform", 1},
    {"IADD.s64.end r1, r2, r4\n", "1:1 warning odd-pair: the result has 64 bits", 1},
    {"MOV.i32 r1, ^r0\nMOV.i32.end r2, r0\n", "2:1 warning used-after-last: r0 is read here after its last use", 1},
    /* where control goes */
    {"MOV.i32 r0, r1\n", "1:1 error outside: control runs past the end of the program of 1 instruction", 1},
    {"NOP\n.quad 0\n", "1:1 error outside: control runs past the end of the program: instruction 1 is data", 1},
    {"BRANCHZ.reconverge r0, offset:5\n" END, "1:1 error outside: the target is outside the program of 2 instructions",
     1},
    {"BRANCHZ.reconverge r0, offset:-2\n" END, "1:1 error outside: the target is outside", 1},
    /* words that text cannot say */
    {".quad 0x8000000000000000\n" END,
     "1:1 error not-an-instruction: 0x8000000000000000 is not an instruction: NOP: bits that the instruction does not "
     "have",
     1},
    {".quad 0x0003000000000000\n" END,
     "1:1 error not-an-instruction: 0x0003000000000000 is not an instruction: opcode 0x003", 1},
    {".quad 0x00A4C00000008480\n" END,
     "1:1 error not-an-instruction: 0x00A4C00000008480 is not an instruction: FADD.f32: an instruction may access no "
     "more than a "
     "single 64-bit uniform slot",
     1},
};

static void check(struct program *p, int stage)
{
    struct isa_params params = {.stage = stage};
    if (p->status == WEFT_OK)
        p->status = valhall_check(p->m, &p->src, &params, p->diags);
}

static void rules_are_kept(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        struct program p = program_parse(rules[i].text);
        check(&p, -1);
        const char *said = program_messages(&p);
        if (strncmp(said, rules[i].message, strlen(rules[i].message)) != 0 ||
            weft_diags_count(p.diags) != rules[i].count || (p.status != WEFT_OK) != (weft_diags_errors(p.diags) != 0))
            print_error("%s\nsays\n%sand should say\n%s\n", rules[i].text, said, rules[i].message), bad++;
        program_free(&p);
    }
    assert_int_equal(bad, 0);
}

static const char *const fine[] = {
    "",
    END,
    LOAD "NOP.wait1\nMOV.i32.end r5, r4\n",
    "LOAD.i32.slot1.wait1 @r4, r2, offset:0\nMOV.i32.end r5, r4\n",
    LOAD "NOP.wait\nMOV.i32.end r5, r4\n",
    LOAD "STORE.i32.slot0.end @r6, r8, offset:0\n",
    "ATOM_RETURN.i32.slot0.axchg.end @r0, @r4, r2, offset:0\n",
    "ATOM_RETURN.i32.slot0.compare.axchg.end @r0, @r4:r5, r2, offset:0\n",
    "LD_VAR_BUF_IMM.f16.slot0.src_flat16.center.store.end @r0, r61, index:0\n",
    "LD_VAR_BUF_IMM.f32.slot0.src_f16.center.store.end @r0, r61, index:0\n",
    "ICMP_MULTI.u32.eq.u1 r0, r1, r2, r3\nICMP_MULTI.s32.lt.m1.end r0, r1, r2, r0\n",
    "LD_VAR_SPECIAL.slot0.v2.f32.center.store.end @r0:r1, r61, index:0\n",
    /* a store reads its registers when it is issued */
    "STORE.i32.slot0 @r6, r8, offset:0\nMOV.i32.end r6, r0\n",
    /* both paths wait */
    LOAD "BRANCHZ.reconverge r0, offset:skip\nNOP.wait1\nBRANCHZ.eq.reconverge 0x0, offset:on\nskip: "
         "NOP.wait1\nNOP.reconverge\non: MOV.i32.end r5, "
         "r4\n",
    /* an unconditional branch does not diverge, and control does not fall through it */
    "BRANCHZ.eq 0x0, offset:1\n.quad 0\n" END,
    "BRANCHZ.reconverge r0, offset:a\nBRANCHZ.eq.reconverge 0x0, offset:b\na: NOP.reconverge\nb: NOP.end\n",
    /* no lanes go apart here */
    "BRANCHZ.eq u0, offset:a\nBRANCHZ.eq 0x0, offset:b\na: NOP\nb: NOP.end\n",
    "BARRIER.slot7.wait\n" END,
    ATEST BLEND "BRANCHZI.eq.absolute 0x0, blend_descriptor_0.w1\n",
    ATEST BLEND,
    /* without end, BLEND goes on at its target; a blend shader is called by what follows */
    "NOP.wait0126\nATEST.wait @r60, r60, 0x3F800000, atest_datum.w0\nBLEND.slot0.v4.f32 @r0:r1:r2:r3, "
    "blend_descriptor_0.w0, r60, target:0x1\nIADD_IMM.i32 r48, 0x0, #0x0\nNOP.end\n",
    /* two programs in one, zeros between */
    END ".quad 0\n.quad 0\nLOAD.i32.slot0 @r0, r2, offset:0\n" END,
    "IADD.u64.end r4, r2, r1.w0\n",
    "MOV.i32 r1, ^r0\nMOV.i32 r0, r1\nMOV.i32.end r2, r0\n",
    "ATOM1_RETURN.i32.slot0.ainc.end @, r50, offset:0x0\n",
    "TEX_SINGLE.slot0.f.16.rg.2d.zero.end @r0, @r4:r5, u0\n",
};

static void fine_programs_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        struct program p = program_parse(fine[i]);
        check(&p, -1);
        if (p.status != WEFT_OK || weft_diags_count(p.diags))
            fail_msg("%s\nsays\n%s", fine[i], program_messages(&p));
        program_free(&p);
    }
}

/* programs/: one of everything, without a fault. */
static void programs_pass(void **state)
{
    (void)state;
    static const char *const names[] = {"fragment", "compute"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1000], text[8192];
        snprintf(path, sizeof path, "%s/tests/valhall/programs/%s.valhall", WEFT_SOURCE_ROOT, names[i]);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        struct program p = program_parse_sized(text, fread(text, 1, sizeof text, f));
        fclose(f);
        check(&p, -1);
        if (p.status != WEFT_OK || weft_diags_count(p.diags))
            fail_msg("%s\n%s", names[i], program_messages(&p));
        program_free(&p);
    }
}

static void stages_are_kept(void **state)
{
    (void)state;
    static const char text[] = "LD_VAR_IMM.slot0.f32.center.store.end @r0, r61, table:0, index:0\n";
    struct program p = program_parse(text), q = program_parse(text);
    check(&p, IR_FRAGMENT);
    assert_int_equal(p.status, WEFT_OK);
    check(&q, IR_VERTEX);
    assert_string_equal(program_messages(&q), "1:1 error wrong-stage: LD_VAR_IMM is for fragment programs only\n");
    program_free(&p);
    program_free(&q);
    struct program d = program_parse("NOP.discard\nNOP.end\n"), e = program_parse("NOP.discard\nNOP.end\n");
    check(&d, IR_FRAGMENT);
    assert_int_equal(d.status, WEFT_OK);
    check(&e, IR_COMPUTE);
    assert_string_equal(program_messages(&e),
                        "1:1 error wrong-stage: the flow control .discard is for fragment programs only\n");
    program_free(&d);
    program_free(&e);
}

/* A program of bytes has no lines: messages have the address. A word of data is an error where control comes to it, a
 * warning elsewhere, and before a run an error only where control surely comes. */
static void bytes_have_addresses(void **state)
{
    static const uint64_t nop = 0x0000C00000000000, end = 0x7800C00000000000, data = 0x8000000000000000;
    static const uint64_t branch = 0x501FC00000000100; /* BRANCHZ.reconverge r0, offset:1 */
    const struct {
        uint64_t words[4];
        int checked, running;
        const char *message;
    } cases[] = {
        {{nop, data, end, end},
         WEFT_ERROR_INPUT,
         WEFT_ERROR_INPUT,
         "0x8000000000000000 is not an instruction: NOP: bits that the instruction does not have are set, or "
         "bits "
         "that it needs are not"},
        {{end, data, data, data},
         WEFT_OK,
         WEFT_OK,
         "3 words of data, the first: 0x8000000000000000 is not an instruction: NOP: bits that the instruction "
         "does "
         "not have are set, or bits that it needs are not; control does not come there"},
        {{branch, data, end, end},
         WEFT_ERROR_INPUT,
         WEFT_OK,
         "0x8000000000000000 is not an instruction: NOP: bits that the instruction does not have are set, or "
         "bits "
         "that it needs are not; control may come there"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program p = program_of_words(cases[i].words, 4), q = program_of_words(cases[i].words, 4);
        struct isa_params params = {.stage = -1}, running = {.stage = -1, .running = true};
        assert_int_equal(valhall_check(p.m, NULL, &params, p.diags), cases[i].checked);
        assert_int_equal(valhall_check(q.m, NULL, &running, q.diags), cases[i].running);
        assert_string_equal(weft_diags_get(p.diags, 0)->message, cases[i].message);
        program_free(&p);
        program_free(&q);
    }
}

/* Data and instructions that control does not come to, in any order: each run of data is one message. */
static void runs_of_data(void **state)
{
    (void)state;
    enum { WORDS = 7 };
    for (unsigned data = 0; data < 1u << WORDS; data++) {
        uint64_t words[1 + WORDS] = {0x7800C00000000000}; /* NOP.end */
        for (unsigned i = 1; i <= WORDS; i++)
            words[i] = data >> (i - 1) & 1 ? 0x0003000000000000 | i : words[0];
        struct program p = program_of_words(words, 1 + WORDS);
        struct isa_params params = {.stage = -1};
        size_t said = 0;
        assert_int_equal(valhall_check(p.m, NULL, &params, p.diags), WEFT_OK);
        for (unsigned i = 0, n; i < WORDS; i += n + 1) {
            char first[120], want[160];
            for (n = 0; data >> (i + n) & 1; n++)
                ;
            if (!n)
                continue;
            snprintf(first, sizeof first, "0x000300000000000%X is not an instruction: opcode 0x003; control does not "
                     "come there", i + 1);
            snprintf(want, sizeof want, n > 1 ? "%u words of data, the first: %s" : "%.0u%s", n > 1 ? n : 0, first);
            const weft_diag *d = weft_diags_get(p.diags, said++);
            assert_non_null(d);
            assert_string_equal(d->message, want);
        }
        assert_int_equal(weft_diags_count(p.diags), said);
        program_free(&p);
    }
}

/* A rule that is broken where control does not come, in bytes: a warning, since it may be data, and nothing when the
 * program is run. In a text somebody wrote it. */
static void unreached_instructions(void **state)
{
    static const char text[] = END "BARRIER.slot0.wait\nNOP.end\n";
    const struct {
        bool words, running;
        const char *message;
    } cases[] = {
        {false, false, "2:1 error barrier-slot: a barrier must use slot 7, not slot 0\n"},
        {true, false, "0:0 warning barrier-slot: a barrier must use slot 7, not slot 0\n"},
        {true, true, ""},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program p = program_parse(text);
        struct isa_params params = {.stage = -1, .running = cases[i].running};
        assert_int_equal(p.status, WEFT_OK);
        struct program q = program_of_words(p.m->words, p.m->nwords);
        struct program *which = cases[i].words ? &q : &p;
        weft_status status = valhall_check(which->m, cases[i].words ? NULL : &p.src, &params, which->diags);
        assert_string_equal(program_messages(which), cases[i].message);
        assert_int_equal(status, cases[i].words ? WEFT_OK : WEFT_ERROR_INPUT);
        program_free(&q);
        program_free(&p);
    }
}

/* Many blocks, each reached again and again: the work stays in proportion. */
static void long_programs_end(void **state)
{
    (void)state;
    enum { N = 100000 };
    uint64_t *words = malloc(N * sizeof *words);
    assert_non_null(words);
    for (unsigned i = 0; i < N; i++) /* BRANCHZ.reconverge r0, offset:-3, and NOP */
        words[i] = i % 2 && i > 4 ? 0x501FC00000000000 | (uint64_t)0x7FFFFFD << 8 : 0x5000C00000000000;
    words[N - 1] = 0x7800C00000000000;
    struct program p = program_of_words(words, N);
    struct isa_params params = {.stage = -1};
    assert_int_equal(valhall_check(p.m, NULL, &params, p.diags), WEFT_OK);
    program_free(&p);
    free(words);
}

TEST_MAIN(TEST(rules_are_kept), TEST(fine_programs_pass), TEST(programs_pass), TEST(stages_are_kept),
          TEST(bytes_have_addresses), TEST(runs_of_data), TEST(unreached_instructions), TEST(long_programs_end))
