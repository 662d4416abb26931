/* test_check.c - what the checker says (docs/manual/vpu.md, Checks): of single instructions, and of where control gets
 * in texts and in bytes. */
#include "isa/vpu/vpu.h"

#include "program.h"

/* "line: severity code: message" of each, with the address in place of the line for bytes. */
static const char *said_of(struct program *p, const char *text)
{
    static const char *const severities[] = {"note", "warning", "error"};
    static char all[4096];
    struct isa_params params = {.stage = -1};
    struct source src = {"test", text ? text : "", text ? strlen(text) : 0};
    size_t n = 0, errors = 0, before = weft_diags_count(p->diags);
    weft_status status = vpu_check(p->m, text ? &src : NULL, &params, p->diags);
    all[0] = '\0';
    for (size_t i = before; i < weft_diags_count(p->diags); i++) {
        const weft_diag *d = weft_diags_get(p->diags, i);
        errors += d->severity == WEFT_ERROR;
        n += (size_t)(text ? snprintf(all + n, sizeof all - n, "%u", d->line)
                           : snprintf(all + n, sizeof all - n, "0x%llx", (unsigned long long)d->address));
        n += (size_t)snprintf(all + n, sizeof all - n, ": %s %s: %s\n", severities[d->severity], d->code, d->message);
    }
    assert_int_equal(status, errors ? WEFT_ERROR_INPUT : WEFT_OK);
    return all;
}

static const char *said_of_text(const char *text)
{
    struct program p = from_text(text);
    if (p.status != WEFT_OK)
        fail_msg("'%s' does not parse: %s", text, weft_diags_get(p.diags, 0)->message);
    const char *said = said_of(&p, text);
    drop(&p);
    return said;
}

static const char *said_of_bytes(const char *text)
{
    struct program p = from_text(text);
    assert_int_equal(p.status, WEFT_OK);
    size_t size;
    uint8_t *bytes = bytes_of(&p, &size);
    struct program q = from_bytes(bytes, size, false);
    assert_int_equal(q.status, WEFT_OK);
    const char *said = said_of(&q, NULL);
    drop(&q);
    drop(&p);
    return said;
}

/* ---- single instructions ---- */

#define IS_MISALIGNED "1: warning misaligned: this access is misaligned: exception 1\n"
#define WRITES_PC     "1: warning writes-pc: this writes pc: exception 3\n"
#define DIVIDES       "1: warning division: this divides by zero: exception 2\n"
#define ZEROS         "1: warning writes-zeros: this operation writes zeros, whatever its operands are\n"

static const struct {
    const char *text, *said;
} of_insns[] = {
    {"mov pc,r0", WRITES_PC},
    {"add.eq pc,r1,r2", WRITES_PC},
    {"mov r29,r0", ""},
    {"div.ss r0,r1,0", DIVIDES},
    {"div.su r0,r1,0", DIVIDES},
    {"div.us r0,r1,0", DIVIDES},
    {"div.uu r0,r1,0", DIVIDES},
    {"div.uu r0,r1,1", ""},
    {"div.uu r0,r1,-1", ""},
    {"div.uu r0,r1,r0", ""},
    {"mul r0,r1,0", ""},
    {"v32ld HY(0,0),HY(1,0)", "1: warning no-address: a vector register is not an address: this loads from 0\n"},
    {"v32st HY(0,0),HY(1,0)", "1: warning no-address: a vector register is not an address: this stores nothing\n"},
    {"v32ld HY(0,0),(r0)", ""},
    {"v32st HY(0,0),(r0)", ""},
    {"v32add HY(0,0),HY(1,0),HY(2,0)", ""},
    /* each of the rows that write zeros, and where they do not */
    {"v32bitplanes HY(0,0),HY(1,0),HY(2,0)", ZEROS},
    {"v16bitplanes HX(0,0),HX(1,0),HX(2,0)", ""},
    {"v32count HY(0,0),HY(1,0),HY(2,0)", ZEROS},
    {"v16count HX(0,0),HX(1,0),HX(2,0)", ""},
    {"v32clips HY(0,0),HY(1,0),HY(2,0)", ""},
    {"v16clips HX(0,0),HX(1,0),HX(2,0)", ZEROS},
    {"v32testmag HY(0,0),HY(1,0),HY(2,0)", ZEROS},
    {"v16testmag HX(0,0),HX(1,0),HX(2,0)", ""},
    {"v32op13 HY(0,0),HY(1,0),HY(2,0)", ZEROS},
    {"v16op13 HX(0,0),HX(1,0),HX(2,0)", ZEROS},
    {"v32op22 HY(0,0),HY(1,0),HY(2,0)", ZEROS},
    {"v16op23 HX(0,0),HX(1,0),HX(2,0)", ZEROS},
    {"v32op44 HY(0,0),HY(1,0),HY(2,0)", ZEROS},
    {"v16op45 HX(0,0),HX(1,0),HX(2,0)", ZEROS},
    {"v32op46 HY(0,0),HY(1,0),HY(2,0)", ZEROS},
    /* branches */
    {"b 0x1\nadd r0,r1,0x12345", "1: warning branch-target: no instruction begins at the target of this branch\n"},
    {"b 0x4\nadd r0,r1,0x12345", "1: warning branch-target: no instruction begins at the target of this branch\n"},
    {"b 0x2\nadd r0,r1,0x12345", ""},
    {"b 0x4000", ""}, /* outside: another program's */
};

static void single_instructions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof of_insns / sizeof *of_insns; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s\nrts\n", of_insns[i].text);
        const char *said = said_of_text(text);
        if (strcmp(said, of_insns[i].said) != 0)
            fail_msg("'%s': '%s'", of_insns[i].text, said);
    }
}

/* pc is the instruction's own address: an access of N bytes is aligned at multiples of N. */
static void alignment(void **state)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } accesses[] = {{"ld", 4}, {"st", 4}, {"ldh", 2}, {"sth", 2}, {"ldb", 1}, {"stb", 1}, {"ldsh", 2}, {"ldsb", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        for (unsigned at = 0x100; at < 0x108; at++)
            for (unsigned before = 0; before < 2; before++) {
                char text[128];
                snprintf(text, sizeof text, "%s%s r0,0x%x\nrts\n", before ? "nop\n" : "", accesses[i].name, at);
                const char *said = said_of_text(text);
                bool aligned = at % accesses[i].bytes == 0;
                if (aligned ? said[0] != '\0' : !strstr(said, &IS_MISALIGNED[1]))
                    fail_msg("'%s': '%s'", text, said);
            }
}

/* p0 and p10 to p13 keep what is written, p14 and p15 are 0 (the manual's chapter on control registers). */
static void control_registers(void **state)
{
    static const char *const names[32] = {[0] = "PRFPXCS",   [10] = "PRPOWCTL", [11] = "PRTIMCTL", [12] = "PRCORTIM",
                                          [13] = "PRSLPTIM", [14] = "PROWCNT",  [15] = "PRORCNT"};
    (void)state;
    for (unsigned p = 0; p < 32; p++)
        for (unsigned write = 0; write < 2; write++) {
            char text[64], expected[160] = "";
            snprintf(text, sizeof text, write ? "mov p%u,r3\nrts\n" : "mov r3,p%u\nrts\n", p);
            if (names[p])
                snprintf(expected, sizeof expected, "1: warning control-register: p%u (%s) %s\n", p, names[p],
                         p == 14 || p == 15 ? "is always 0: accesses are finished at once"
                                            : "keeps what is written to it, and has no effect");
            assert_string_equal(said_of_text(text), expected);
        }
}

/* ---- where control gets ---- */

#define NO_INSN "unknown-instruction: 001e is not an instruction, and control reaches it"

/* 0x001e is no instruction. In a text it is what somebody wrote: never an error. */
static const struct {
    const char *text, *of_text, *of_bytes;
} flows[] = {
    {"rts", "", ""},
    {"nop", "1: warning runs-off: control goes on past the last instruction, to 0x2\n",
     "0x2: warning runs-off: control goes on past the last instruction, to 0x2\n"},
    {".short 0x1e", "1: warning " NO_INSN ": exception 3\n", "0x0: error " NO_INSN ": exception 3\n"},
    {"nop\n.short 0x1e\nrts", "2: warning " NO_INSN ": exception 3\n", "0x2: error " NO_INSN ": exception 3\n"},
    /* after a call or an interrupt, if it comes back */
    {"bl f\n.short 0x1e\nf: rts", "2: warning " NO_INSN " if a call or swi comes back\n",
     "0x4: warning " NO_INSN " if a call or swi comes back\n"},
    {"swi 1\n.short 0x1e\nrts", "2: warning " NO_INSN " if a call or swi comes back\n",
     "0x2: warning " NO_INSN " if a call or swi comes back\n"},
    /* either way of a branch is sure; the sure way of two counts */
    {"beq x\nrts\nx: .short 0x1e", "3: warning " NO_INSN ": exception 3\n", "0x4: error " NO_INSN ": exception 3\n"},
    {"beq x\nbl f\nx: .short 0x1e\nf: rts", "3: warning " NO_INSN ": exception 3\n",
     "0x6: error " NO_INSN ": exception 3\n"},
    /* in the order of addresses, each once */
    {"beq x\nbne y\nrts\ny: .short 0x1e\nx: .short 0x1e",
     "4: warning " NO_INSN ": exception 3\n5: warning " NO_INSN ": exception 3\n",
     "0x6: error " NO_INSN ": exception 3\n0x8: error " NO_INSN ": exception 3\n"},
    {"beq x\nbne x\nrts\nx: .short 0x1e", "4: warning " NO_INSN ": exception 3\n",
     "0x6: error " NO_INSN ": exception 3\n"},
    /* what may not come back does not run off */
    {"bl f\nf: rts", "", ""},
    {"rts\nf: bl f", "", ""},
};

static void where_control_gets(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
        const char *said = said_of_text(flows[i].text);
        if (strcmp(said, flows[i].of_text) != 0)
            fail_msg("'%s': '%s'", flows[i].text, said);
        said = said_of_bytes(flows[i].text);
        if (strcmp(said, flows[i].of_bytes) != 0)
            fail_msg("bytes of '%s': '%s'", flows[i].text, said);
    }
}

/* Words of bytes that nothing reaches, and that are not instructions, are counted; those that control reaches are not
 * among them. */
static void unreached_words(void **state)
{
    static const char data[] = "words that are not instructions and that control is not seen to reach count as data: "
                               "there are ";
    static const struct {
        const char *text, *count; /* NULL: none */
    } cases[] = {
        {"rts\nnop\nnop", NULL},
        {"rts\n.short 0x1e", "1, the first at 0x2\n"},
        {"rts\nnop\n.short 0x1e,0x1e", "2, the first at 0x4\n"},
        {"nop\n.short 0x1e,0x1e", "1, the first at 0x4\n"},
        {"rts\n.short 0x1e\nnop\n.short 0x1e", "2, the first at 0x2\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *said = strstr(said_of_bytes(cases[i].text), data);
        if (cases[i].count ? !said || strcmp(said + strlen(data), cases[i].count) != 0 : said != NULL)
            fail_msg("'%s': '%s'", cases[i].text, said ? said : "");
        assert_null(strstr(said_of_text(cases[i].text), data));
    }
}

TEST_MAIN(TEST(single_instructions), TEST(alignment), TEST(control_registers), TEST(where_control_gets),
          TEST(unreached_words))
