/* Lists of instructions that are put into groups: as few as there should be, the same results as one group for each
 * instruction, and what is said where they do not fit. */
#include "machine.h"
#include "program.h"

static struct program pack(const char *text)
{
    struct program p = {.src = {"t", text, strlen(text)}, .diags = weft_diags_new()};
    struct isa_params params = {.stage = -1, .pack = true};
    p.status = rogue_parse(&p.src, &params, &p.arena, &p.m, p.diags);
    return p;
}

/* ---- known lists ---- */

static const struct {
    const char *list, *groups;
} known[] = {
    /* two results a group; the third waits for both */
    {"fmul r0, r1, r2\nfmul r3, r4, r5\nfadd r6, r0, r3\n",
     "0000: { s0 = r1, s1 = r2, s3 = r4, s4 = r5, is4 = ft0, is5 = ft1 p0: fmul ft0, s0, s1; p1: fmul ft1, s3, s4; w0 "
     "= r0, w1 = r3 }\n"
     "0001: { s0 = r0, s1 = r3, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r6 }\n"},
    /* a group reads before it writes: r1 is written by the group that reads it, not by a later one */
    {"fadd r0, r1, r2\nfadd r1, r3, r4\n", "0000: { s0 = r1, s1 = r2, s3 = r3, s4 = r4, is4 = ft0, is5 = ft1 p0: fadd "
                                           "ft0, s0, s1; p1: fadd ft1, s3, s4; w0 = r0, w1 = r1 }\n"},
    /* an integer only fits phase 0, wherever it is in the list */
    {"fmul r0, r1, r2\numadd32 r3, r4, r5, r6\n", "0000: { s0 = r4, s1 = r5, s2 = r6, s3 = r1, s4 = r2, is4 = ft1, is5 "
                                                  "= ft0 p0: umadd32 ft0, s0, s1, s2, _; p1: fmul ft1, s3, s4; "
                                                  "w0 = r0, w1 = r3 }\n"},
    /* the test reads what phase 0 drives, and the constant through FTE */
    {"fadd r0, r1, r2\ntstl.f32 ftt, p0, r0, c66\n",
     "0000: { s0 = r1, s1 = r2, s2 = sc66, is0 = s2, is1 = ft0, is2 = fte, is4 = ft0 p0: fadd ft0, s0, s1; p2_tst: "
     "tstl ftt, p0, is1, is2; "
     "w0 = r0 }\n"},
    /* two registers to compare: one is moved */
    {"tstl.s32 ftt, p0, r1, r2\n", "0000: { s0 = r1, s1 = r2, is0 = s1, is1 = ft0, is2 = fte p0: mbyp ft0, s0; p2_tst: "
                                   "tstl.s32 ftt, p0, is1, is2; }\n"},
    /* main and bitwise ALU are never in one group; shift unit 1 and the bit mask unit are */
    {"fmul r0, r1, r2\nrev r3, r4\nmov r5, 0x12345\n",
     "0000: { s0 = r1, s1 = r2, is4 = ft0 p0: fmul ft0, s0, s1; w0 = r0 }\n"
     "0001: { s0 = sc0, s2 = r4 p0: byp ft0, ft1, s0, 74565; p0: rev ft2, s2; p0: byp ft3, ft2; w0 = r5, w1 = r3 }\n"},
    /* units of a bitwise group follow each other where the register in between is overwritten */
    {"rev r6, r5\nand r6, r6, r7\nfmul r0, r1, r2\nshr r6, r6, c4\n",
     "0000: { s0 = r1, s1 = r2, is4 = ft0 p0: fmul ft0, s0, s1; w0 = r0 }\n"
     "0001: { s0 = sc0, s2 = r5, s3 = r7, s4 = sc4 p0: rev ft2, s2; p1: and ft4, _, ft2, _, s3; p2: shr ft5, ft4, s4; "
     "w0 = r6 }\n"},
    {"and r6, r5, r7\nshr r6, r6, r6\n",
     "0000: { s0 = sc0, s2 = r5, s3 = r7 p0: byp ft0, ft1, s0, s1; p1: and ft4, _, ft2, _, s3; w0 = r6 }\n"
     "0001: { s0 = sc0, s2 = r6, s3 = sc0, s4 = r6 p0: byp ft0, ft1, s0, s1; p1: or ft4, _, ft2, _, s3; "
     "p2: shr ft5, ft4, s4; w0 = r6 }\n"},
    /* vertex outputs keep their order; the data comes from the phase that makes it, whose operands change places: S1
       reads no sh */
    {"fmul r0, vi0, sh0\nuvsw.write r0, 4\nuvsw.write.emit.endtask vi1, 5\n",
     "0000: { s0 = sh0, s1 = vi0, is4 = ft0 p0: fmul ft0, s0, s1; p2_mov: mov w0.none, ft0; backend: uvsw.write w0, 4; "
     "w0 = r0 }\n"
     "0001: { s0 = vi1 p0: mbyp ft0, s0; p2_mov: mov w0.none, ft0; backend: uvsw.write.emit.endtask w0, 5; }\n"},
    /* what is asked for is waited for in front of who reads it; the sum does not wait */
    {"ld r2, drc0, 1, r0\nwdf drc0\nfadd r3, r2, r4\nfadd r5, r6, r7\n",
     "0000: { s0 = r6, s1 = r7, s2 = r0..1, s3 = r2, is4 = ft0 p0: fadd ft0, s0, s1; p2_mov: mov w0.none, ft0; "
     "backend: ld s3, drc0, 1, s2; "
     "w0 = r5 }\n"
     "0001: { ctrl: wdf drc0; }\n"
     "0002: { s0 = r2, s1 = r4, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r3 }\n"},
    /* after a label anything may be on its way: nothing passes the wait */
    {"ld r2, drc0, 1, r0\nL:\nld r4, drc0, 1, r6\nfadd r8, r2, r9\nwdf drc0\nfadd r10, r11, r12\n",
     "0000: { s0 = r0..1, s3 = r2 backend: ld s3, drc0, 1, s0; }\n"
     "0001: { s0 = r2, s1 = r9, s2 = r6..7, s3 = r4, is4 = ft0 p0: fadd ft0, s0, s1; p2_mov: mov w0.none, ft0; "
     "backend: ld s3, drc0, 1, s2; w0 = r8 }\n"
     "0002: { ctrl: wdf drc0; }\n"
     "0003: { s0 = r11, s1 = r12, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r10 }\n"},
    /* and so it is where the request is below, and control comes back: of each counter */
    {"L:\nfadd r8, r2, r9\nwdf drc0\nfadd r10, r11, r12\nld r2, drc0, 1, r0\nbr L\n",
     "0000: { s0 = r2, s1 = r9, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r8 }\n"
     "0001: { ctrl: wdf drc0; }\n"
     "0002: { s0 = r11, s1 = r12, s2 = r0..1, s3 = r2, is4 = ft0 p0: fadd ft0, s0, s1; p2_mov: mov w0.none, ft0; "
     "backend: ld s3, drc0, 1, s2; w0 = r10 }\n"
     "0003: { ctrl: br -28; }\n"},
    {"L:\nfadd r8, r2, r9\nwdf drc1\nfadd r10, r11, r12\nld r2, drc1, 1, r0\nbr L\n",
     "0000: { s0 = r2, s1 = r9, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r8 }\n"
     "0001: { ctrl: wdf drc1; }\n"
     "0002: { s0 = r11, s1 = r12, s2 = r0..1, s3 = r2, is4 = ft0 p0: fadd ft0, s0, s1; p2_mov: mov w0.none, ft0; "
     "backend: ld s3, drc1, 1, s2; w0 = r10 }\n"
     "0003: { ctrl: br -28; }\n"},
    /* FTE is the high word of a sum of 64 bits: no other line goes through it */
    {"uadd6432 ft0, r0, r1, r2,\nmov r3, ft0\ntstz.u32 ftt, p0, r4\n",
     "0000: { s0 = r0, s1 = r1, s2 = r2, is4 = ft0 p0: uadd6432 ft0, s0, s1, s2, _; w0 = r3 }\n"
     "0001: { s0 = r4, is1 = fte p2_tst: tstz.u32 ftt, p0, is1; }\n"},
    /* memory is read and written in the order of the list */
    {"st r0, 2, drc0, 1, r2, _\nld r4, drc1, 1, r2\nst r5, 2, drc0, 1, r2, _\nfadd r6, r0, r0\natom.add r7, drc0, r2\n",
     "0000: { s0 = r0, s1 = r0, s2 = r2, is4 = ft0 p0: fadd ft0, s0, s1; p2_mov: mov w0.none, ft0; "
     "backend: st s0, 2, drc0, 1, s2, _; w0 = r6 }\n"
     "0001: { s0 = r2..3, s3 = r4 backend: ld s3, drc1, 1, s0; }\n"
     "0002: { s0 = r5, s1 = r2 backend: st s0, 2, drc0, 1, s1, _; }\n"
     "0003: { s0 = r7, s1 = r2 backend: atom.add s0, drc0, s1; }\n"},
    /* another condition, another group; the label parts what comes before it from what follows */
    {"fadd r0, r1, r2\nif(p0) fadd r3, r4, r5\nL:\nfadd r6, r7, r8\nbr L\n",
     "0000: { s0 = r1, s1 = r2, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r0 }\n"
     "0001: if(p0) { s0 = r4, s1 = r5, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r3 }\n"
     "0002: { s0 = r7, s1 = r8, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r6 }\n"
     "0003: { ctrl: br -8; }\n"},
    /* the end is said by the last group that can */
    {"fadd r0, r1, r2\nnop.end\n", "0000: { s0 = r1, s1 = r2, is4 = ft0 p0: fadd ft0, s0, s1; w0 = r0 }.end\n"},
    /* what lines hand each other as feedthroughs is one group, and exchanges the registers */
    {"mov ft0, r0\nmov ft1, r1\nmov r1, ft0\nmov r0, ft1\n",
     "0000: { s0 = r0, s3 = r1, is4 = ft0, is5 = ft1 p0: mbyp ft0, s0; p1: mbyp ft1, s3; w0 = r1, w1 = r0 }\n"},
};

static void test_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct program p = pack(known[i].list);
        if (p.status != WEFT_OK)
            fail_msg("%s: %s", known[i].list, weft_diags_get(p.diags, 0)->message);
        assert_string_equal(program_print(&p), known[i].groups);
        assert_int_equal(rogue_check(p.m, &p.src, &(struct isa_params){.stage = -1}, p.diags), WEFT_OK);
        program_free(&p);
    }
}

/* ---- as few groups as there should be ---- */

/* Lines that repeat with other registers (%u), how often, and in how many groups they are. */
static const struct {
    const char *line;
    unsigned registers, times, groups;
} dense[] = {
    {"fmul r%u, r100, r101\n", 1, 16, 8}, /* phases 0 and 1 */
    {"fmad r%u, r100, r101, r102\n", 1, 15, 8},
    {"umadd32 r%u, r100, r101, r102,\n", 1, 7, 7},                       /* phase 0 alone has integers */
    {"umadd32 r%u, r100, r101, r102,\nfadd r%u, r103, r104\n", 2, 6, 6}, /* and phase 1 something else */
    {"mov r%u, 0x12345678\n", 1, 5, 5},                                  /* the bit mask unit, W0 */
    {"mov r%u, 0x12345678\nrev r%u, r100\n", 2, 5, 5},                   /* and shift unit 1, W1 */
    {"fadd r%u, r100, r101\ntstz.f32 ftt, p0, r%u\n", 1, 4, 4},          /* a test of what has just been made */
    {"frcp r%u, r100\n", 1, 4, 4},                                       /* the whole ALU */
    {"fmul r%u, r100, r101\nuvsw.write r%u, 7\n", 1, 6, 6},              /* the backend takes what phase 0 makes */
    {"fmul r%u, r100, r101\nand r%u, r102, r103\n", 2, 8, 4 + 8}, /* two main ones a group, the bitwise ones apart */
};

static void test_dense(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof dense / sizeof dense[0]; i++) {
        char text[2048] = "";
        size_t n = 0;
        for (unsigned k = 0; k < dense[i].times; k++) {
            unsigned first = k * dense[i].registers, second = first + dense[i].registers - 1;
            n += (size_t)snprintf(text + n, sizeof text - n, dense[i].line, first, second);
        }
        struct program p = pack(text);
        assert_int_equal(p.status, WEFT_OK);
        if (p.m->ngroups != dense[i].groups)
            fail_msg("%s: %u groups, not %u:\n%s", dense[i].line, p.m->ngroups, dense[i].groups, program_print(&p));
        program_free(&p);
    }
}

/* ---- what does not fit ---- */

static const struct {
    const char *list, *code, *message;
} refused[] = {
    {"umadd32 ft0, r1, r2, r3\numadd32 ft1, r4, r5, r6\ntste.s32 ftt, p0, ft0, ft1\n", "phase-taken",
     "phase 0 is taken by 'umadd32'"},
    {"mov ft0, r0\nmov r1, ft0\nmov r2, ft0\nmov r3, ft0\n", "port-taken",
     "both destinations of the group are taken: 'r3' has none"},
    {"mov ft0, r0\ntste.f32 ftt, p0, r1, r2\nmovc r4, _, ftt, ft0, ft0\n", "port-taken",
     "'r2' has to go through IS0, which another register is routed through"},
    {"fmul 0, sh0, vi0\n", "does-not-fit", "the parts of this instruction do not fit one group"},
    {"fmad r0, sh1, sh2, r3\n", "does-not-fit",
     "no form of the lower sources holds these registers: S1 has only temporaries, vertex inputs, coefficients, "
     "constants and special "
     "registers up to 255"},
    {"mov r1, ft3\n", "feed-missing", "'mov' uses ft3, which no instruction before it drives"},
    {"fmul ft0, r1, r2\nbr L\nL:\nmov r0, ft0\n", "feed-missing",
     "'mov' uses ft0, which no instruction before it drives"},
    {"mov ft0, r2\nmov r1, ft0\ntste.f32 ftt, p0, ft0, r1\n", "group-order",
     "'tste.f32' has to come after 'mov', and is of the same group, which reads before it writes"},
    {"mov ft0, r2\nif(p0) mov r1, ft0\n", "condition", "'mov' has to be in a group with a line of another condition"},
    {"fadd r0, r1\n", "operand-count", "operands are missing after 'fadd': expected a source"},
    {"frob r0, r1\n", "unknown-instruction", "unknown instruction 'frob'"},
    {"fadd r0, r1, r2 r3\n", "syntax", "expected the end of the line, found 'r3'"},
    {"L:\nbr 24\n", "bad-operand", "in a list branches go to labels, not to '24': packing moves the groups"},
    {"br M\n", "unknown-label", "symbol 'M' is not defined"},
    {"fmul ft0, s0, s1\n", "bad-operand", "'s0' is of a group: lists name registers and feedthroughs"},
    {"uvsw.write w0, 3\n", "bad-operand", "'w0' is of a group: lists name registers and feedthroughs"},
    {"0 : fadd ft0, r1, r2\n", "list", "a list that is to be packed has instructions only, no groups"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct program p = pack(refused[i].list);
        assert_int_equal(p.status, WEFT_ERROR_INPUT);
        assert_string_equal(weft_diags_get(p.diags, 0)->message, refused[i].message);
        assert_string_equal(program_code(&p), refused[i].code);
        program_free(&p);
    }
}

/* ---- random lists: the results are those of one group an instruction ---- */

enum { REGISTERS = 16, MASK_COUNTER = 20, TEXT = 262144 };

/* The same program twice: as a list, and by hand, a group for each of its instructions. */
struct twins {
    struct test_rng random;
    unsigned groups, labels;
    size_t nlist, nby_hand;
    char list[TEXT], by_hand[TEXT];
};

static unsigned below(struct twins *t, unsigned n)
{
    return test_next(&t->random) % n;
}

static void say(char *text, size_t *length, const char *fmt, va_list args)
{
    int n = vsnprintf(text + *length, TEXT - *length, fmt, args);
    *length += (size_t)n;
    assert_true(*length < TEXT);
}

static void list_line(struct twins *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void list_line(struct twins *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(t->list, &t->nlist, fmt, args);
    va_end(args);
}

static void group(struct twins *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void group(struct twins *t, const char *fmt, ...)
{
    va_list args;
    t->nby_hand += (size_t)snprintf(t->by_hand + t->nby_hand, TEXT - t->nby_hand, "%u : ", t->groups++);
    va_start(args, fmt);
    say(t->by_hand, &t->nby_hand, fmt, args);
    va_end(args);
}

/* A template with the registers and a condition: %c, %d, %a, %b. */
static const char *fill(char *out, const char *form, const char *cc, unsigned d, unsigned a, unsigned b)
{
    char *p = out;
    for (; *form; form++) {
        if (*form != '%') {
            *p++ = *form;
            continue;
        }
        form++;
        if (*form == 'c')
            p += sprintf(p, "%s", cc);
        else
            p += sprintf(p, "r%u", *form == 'd' ? d : *form == 'a' ? a : b);
    }
    *p = '\0';
    return out;
}

static void add_one(struct twins *t)
{
    static const struct {
        const char *list, *by_hand;
    } forms[] = {
        {"%cfmul %d, %a, %b", "%cfmul ft0, %a, %b\n mov %d, ft0"},
        {"%cfadd %d, %a.neg, %b", "%cfadd ft0, %a.neg, %b\n mov %d, ft0"},
        {"%cfmad.sat %d, %a, %b.abs, %d", "%cfmad.sat ft0, %a, %b.abs, %d\n mov %d, ft0"},
        {"%cfadd %d, %a.abs, c64", "%cfadd ft0, %a.abs, c64\n mov %d, ft0"},
        {"%cumadd32 %d, %a, %b, c3,", "%cumadd32 ft0, %a, %b, c3,\n mov %d, ft0"},
        {"%csmadd32 %d, %a, c1, %b,", "%csmadd32 ft0, %a, c1, %b,\n mov %d, ft0"},
        {"%cmov %d, %a", "%cmov ft0, %a\n mov %d, ft0"},
        {"%cmov %d, %a.neg", "%cmov ft0, %a.neg\n mov %d, ft0"},
        {"%cmov %d, 0x40490fdb", "%cbyp ft0, ft1, c0, 0x40490fdb\n mov %d, ft1"},
        {"%cand %d, %a, %b", "%cmov ft2, %a\n and ft4, _, ft2, _, %b\n mov %d, ft4"},
        {"%cxor %d, %a, %b", "%cmov ft2, %a\n xor ft4, _, ft2, _, %b\n mov %d, ft4"},
        {"%cshr %d, %a, %b", "%cmov ft2, %a\n or ft4, _, ft2, _, c0\n shr ft5, ft4, %b\n mov %d, ft5"},
        {"%clsl %d, %a, c3", "%cmov ft2, %a\n or ft4, _, ft2, _, c0\n lsl ft5, ft4, c3\n mov %d, ft5"},
        {"%casr.twb %d, %a, c7", "%cmov ft2, %a\n or ft4, _, ft2, _, c0\n asr.twb ft5, ft4, c7\n mov %d, ft5"},
        {"%crev %d, %a", "%crev ft2, %a\n byp ft3, ft2\n mov %d, ft3"},
        {"%cshfl %d, %a, %b", "%cshfl ft2, %a, %b\n byp ft3, ft2\n mov %d, ft3"},
        {"%ccbs %d, %a", "%ccbs ft3, %a\n mov %d, ft3"},
        {"%cftb %d, %a", "%cftb ft3, %a\n mov %d, ft3"},
        {"%cftb_msb %d, %a", "%cmov ft2, %a\n ftb_msb ft3, ft2\n mov %d, ft3"},
        {"%cmsk %d, c5, %a", "%cmsk ft0, ft1, c5, %a\n mov %d, ft1"},
        {"%cpck.f16f16 %d, %a", "%cpck.f16f16 ft2, %a\n mov %d, ft2"},
        {"%cunpck.s8888 %d, %a.e2", "%cunpck.s8888 ft0, %a.e2\n mov %d, ft0"},
        {"%cfrcp %d, %a", "%cfrcp %d, %a"},
        {"%cfexp %d, %a", "%cfexp %d, %a"},
        {"%ctstl.f32 ftt, p0, %a, %b", "%cmov ft0, %a\n mov ft1, %b\n tstl.f32 ftt, p0, ft0, ft1"},
        {"%ctstge.s32 ftt, p0, %a, c8", "%cmov ft0, %a\n tstge.s32 ftt, p0, ft0, c8"},
        {"%ctstz.u16 ftt, p0, %a.e1", "%ctstz.u16 ftt, p0, %a.e1"},
        {"%ctz p0, %a", "%cbyp ft3, %a\n tz p0, ft3"},
        /* lines that are one group where nothing comes between them */
        {"%cand %d, %a, %b\n%cshr %d, %d, c4",
         "%cmov ft2, %a\n and ft4, _, ft2, _, %b\n mov %d, ft4\n"
         "0 : %cmov ft2, %d\n or ft4, _, ft2, _, c0\n shr ft5, ft4, c4\n mov %d, ft5"},
        {"%crev %d, %a\n%cfadd %b, %b, c64\n%cxor %d, %d, %b\n%casr.twb %d, %d, %b",
         "%crev ft2, %a\n byp ft3, ft2\n mov %d, ft3\n0 : %cfadd ft0, %b, c64\n mov %b, ft0\n"
         "0 : %cmov ft2, %d\n xor ft4, _, ft2, _, %b\n mov %d, ft4\n"
         "0 : %cmov ft2, %d\n or ft4, _, ft2, _, c0\n asr.twb ft5, ft4, %b\n mov %d, ft5"},
        /* lines that hand each other feedthroughs */
        {"%cfmul ft1, %a, %b\n%cmov %d, ft1", "%cfmul ft0, %a, %b\n mov %d, ft0"},
        {"%cmov ft0, %a\n%cmov ft1, %b\n%ctstg.s32 ftt, _, ft0, ft1\n%cmov %d.e0.e1.e2.e3, ft1, ftt, ft0, ft1",
         "%cmov ft0, %a\n mov ft1, %b\n tstg.s32 ftt, _, ft0, ft1\n mov %d.e0.e1.e2.e3, ft1, ftt, ft0, ft1"},
        {"%cadd64 ft0, %a, %b, %d, %b,\n%cmov %d, ft0\n%cmov %a, fte",
         "%cadd64 ft0, %a, %b, %d, %b,\n mov %d, ft0\n mov %a, fte"},
        {"%cconverttof64.f32 ft0, ft2, %a\n%cmov %d, ft0\n%cmov %a, ft2",
         "%cconverttof64.f32 ft0, ft2, %a\n mov %d, ft0\n mov %a, ft2"},
        {"%cconvertfromf64.s32 %d, %a, %b", "%cconvertfromf64.s32 ft0, %a, %b\n mov %d, ft0"},
        {"%cuadd8 ft0, %a.e0, %b.e1\n%ctstc.u32 ftt, p0\n%cmov %d, ft0",
         "%cuadd8 ft0, %a.e0, %b.e1\n tstc.u32 ftt, p0\n mov %d, ft0"},
        {"%cmov ft2, %a\n%cand ft4, _, ft2, _, %b\n%crol ft5, ft4, c9\n%cmov %d, ft5",
         "%cmov ft2, %a\n and ft4, _, ft2, _, %b\n rol ft5, ft4, c9\n mov %d, ft5"},
    };
    static const char *const conditions[] = {"", "", "", "", "", "", "", "", "if(p0) ", "if(!p0) "};
    unsigned form = below(t, sizeof forms / sizeof forms[0]), d = below(t, REGISTERS), a = below(t, REGISTERS),
             b = below(t, REGISTERS);
    const char *cc = conditions[below(t, sizeof conditions / sizeof conditions[0])];
    char text[512];
    a = a == d ? (a + 1) % REGISTERS : a; /* the two results of ADD64 */
    list_line(t, "%s\n", fill(text, forms[form].list, cc, d, a, b));
    group(t, "%s\n", fill(text, forms[form].by_hand, cc, d, a, b));
    for (const char *more = text; (more = strstr(more, "\n0 :")) != NULL; more++)
        t->groups++;
}

static void control(struct twins *t, const char *line)
{
    list_line(t, "%s\n", line);
    group(t, "%s\n", line);
}

/* Straight lines, conditionals of the instances, and branches over both. */
static void add_block(struct twins *t, unsigned depth)
{
    for (unsigned i = below(t, 24) + 4; i; i--) {
        if (below(t, 12) || depth == 3) {
            add_one(t);
            continue;
        }
        char text[64], label[16];
        snprintf(label, sizeof label, "L%u", t->labels++);
        snprintf(text, sizeof text, "(ignorepe) cndst %u, r%u, r%u, 1", below(t, 2) ? 1 : 3, MASK_COUNTER,
                 MASK_COUNTER);
        control(t, text);
        if (below(t, 2)) {
            snprintf(text, sizeof text, "br.allinst %s", label);
            control(t, text);
        }
        add_block(t, depth + 1);
        list_line(t, "%s:\n", label);
        t->nby_hand += (size_t)snprintf(t->by_hand + t->nby_hand, TEXT - t->nby_hand, "%s:\n", label);
        snprintf(text, sizeof text, "(ignorepe) cndend r%u, r%u, 1", MASK_COUNTER, MASK_COUNTER);
        control(t, text);
    }
}

static void start(struct machine *m, const struct twins *t, bool packed)
{
    struct isa_params params = {.stage = IR_COMPUTE, .pack = packed};
    assert_true(machine_start_with(m, params, packed ? t->list : t->by_hand, true));
}

static void compare(struct twins *t, struct machine *packed, struct machine *by_hand)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned r = 0; r < REGISTERS; r++) {
            static const uint32_t corners[] = {0, 1, 31, 0x3F800000, 0xBF000000, 0x7FC00000, 0xFFFFFFFF};
            uint32_t v = below(t, 3) ? test_next(&t->random) : corners[below(t, 7)];
            machine_put(packed, ROGUE_FILE_R, r, lane, v);
            machine_put(by_hand, ROGUE_FILE_R, r, lane, v);
        }
    assert_true(machine_run(packed));
    assert_true(machine_run(by_hand));
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned r = 0; r < REGISTERS; r++)
            if (machine_get(packed, ROGUE_FILE_R, r, lane) != machine_get(by_hand, ROGUE_FILE_R, r, lane))
                fail_msg("r%u of instance %u is %#x, not %#x:\n%s", r, lane, machine_get(packed, ROGUE_FILE_R, r, lane),
                         machine_get(by_hand, ROGUE_FILE_R, r, lane), t->list);
        assert_int_equal(machine_get(packed, ROGUE_FILE_P0, 0, lane), machine_get(by_hand, ROGUE_FILE_P0, 0, lane));
    }
}

static void test_random(void **state)
{
    (void)state;
    enum { PROGRAMS = 40 };
    static struct twins t;
    struct test_rng random = test_seed("lists and groups");
    unsigned ngroups = 0, ninstructions = 0;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct machine packed, by_hand;
        t = (struct twins){.random = {test_next64(&random)}};
        control(&t, "(ignorepe) cndst 0, r20, c0, 1");
        add_block(&t, 0);
        control(&t, "nop");
        start(&packed, &t, true);
        start(&by_hand, &t, false);
        compare(&t, &packed, &by_hand);
        struct program p = pack(t.list);
        ngroups += p.m->ngroups;
        ninstructions += t.groups;
        assert_int_equal(rogue_check(p.m, &p.src, &(struct isa_params){.stage = -1}, p.diags), WEFT_OK);
        program_free(&p);
        machine_end(&packed);
        machine_end(&by_hand);
    }
    printf("# %u instructions in %u groups\n", ninstructions, ngroups);
    assert_true(ngroups * 10 < ninstructions * 9); /* lines of all kinds, few of which go together */
}

TEST_MAIN(TEST(test_known), TEST(test_dense), TEST(test_refused), TEST(test_random))
