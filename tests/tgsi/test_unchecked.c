/* test_unchecked.c - programs that the checker refuses, which the lift is given all the same: it refuses them, too, and
 * says why. */
#include "test.h"

#include "text.h"

#define FRAG "FRAG\nDCL OUT[0], COLOR\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL TEMP[0..1]\n"
#define GEOM \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n" \
    "PROPERTY GS_MAX_OUTPUT_VERTICES 3\n"

static const struct {
    const char *text, *says;
} cases[] = {
    {FRAG "INTERP_CENTROID TEMP[0], TEMP[1]\nEND\n", "INTERP_CENTROID interpolates inputs (IN) only"},
    {FRAG "INTERP_CENTROID TEMP[0], IN[0][0]\nEND\n", "INTERP_CENTROID interpolates inputs (IN) only"},
    {"FRAG\nDCL OUT[0], COLOR\nINTERP_CENTROID OUT[0], IN[77]\nEND\n", "INTERP_CENTROID interpolates inputs (IN) only"},
    {FRAG "INTERP_CENTROID TEMP[0], IN[77]\nEND\n", "IN[-1] does not exist"},
    {FRAG "FBFETCH TEMP[0], OUT[77]\nEND\n", "FBFETCH reads outputs that are declared COLOR"},
    {FRAG "FBFETCH TEMP[0], OUT[3]\nEND\n", "FBFETCH reads outputs that are declared COLOR"},
    {FRAG "FBFETCH TEMP[0], IN[0]\nEND\n", "FBFETCH reads outputs that are declared COLOR"},
    {"FRAG\nDCL OUT[0], POSITION\nFBFETCH OUT[0], OUT[0]\nEND\n", "FBFETCH reads outputs that are declared COLOR"},
    {GEOM "DCL IN[0], GENERIC[0]\nDCL OUT[0], POSITION\nEMIT IMM[0].xxxx\nEND\n",
     "IN[0] needs a bracket for the vertex"},
    {GEOM "DCL IN[0]\nDCL OUT[0], POSITION\nEND\n", "IN[0] needs a bracket for the vertex"},
    {"VERT\nDCL IN[3][0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n", "inputs of a VERT program have one bracket"},
    {GEOM "DCL OUT[0], POSITION\nIMM[0] UINT32 { 4, 0, 0, 0 }\nEMIT IMM[0].xxxx\nEND\n", "stream 4: there are 4"},
    {GEOM "DCL OUT[0], POSITION\nDCL TEMP[0]\nENDPRIM TEMP[0].xxxx\nEND\n",
     "ENDPRIM to a stream that is not an immediate is not executed yet"},
    {GEOM "DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nMOV OUT[0], IN[3][0]\nEND\n", "there is no vertex 3"},
    {GEOM "DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nMOV OUT[0], IN[77][0]\nEND\n", "there is no vertex -1"},
    {GEOM "DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0][77]\nEND\n", "IN[-1] does not exist"},
    {FRAG "DCL SAMP[0]\nMOV TEMP[0], TEMP[SAMP[0].x]\nEND\n", "an index in SAMP is not executed yet"},
    {FRAG "MOV TEMP[0], TEMP[IMM[0].x]\nEND\n", "an index in IMM is not executed yet"},
    {FRAG "MOV TEMP[0], TEMP[TEMP[77].x]\nEND\n", "an index in TEMP is not executed yet"},
    {FRAG "DCL SAMP[0]\nMOV TEMP[0], SAMP[0]\nEND\n", "SAMP cannot be read as a number"},
    {"FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], TEMP[77]\nEND\n", "TEMP has no registers"},
    {FRAG "MOV TEMP[0], TEMP[77]\nEND\n", "TEMP[-1] does not exist"},
    {FRAG "MOV TEMP[0], TEMP[0][0]\nEND\n", "two-dimensional TEMP is not executed yet"},
    {FRAG "MOV TEMP[0], CONST[32][0]\nEND\n", "there are 32 constant buffers"},
    {FRAG "MOV TEMP[0], CONST[77][0]\nEND\n", "there are 32 constant buffers"},
    {FRAG "MOV TEMP[0], IMM[0]\nEND\n", "IMM[0] does not exist"},
    {FRAG "MOV TEMP[0], IMM[77]\nEND\n", "IMM[-1] does not exist"},
    {FRAG "MOV CONST[0], IN[0]\nEND\n", "CONST cannot be written"},
    {FRAG "MOV TEMP[0][0], IN[0]\nEND\n", "two-dimensional TEMP is not executed yet"},
    {FRAG "MOV TEMP[77], IN[0]\nEND\n", "TEMP[-1] does not exist"},
    {"FRAG\nDCL OUT[0], COLOR\nMOV TEMP[77], OUT[0]\nEND\n", "TEMP has no registers"},
    {FRAG "DCL SV[0], FACE\nMOV TEMP[0], SV[0][0]\nEND\n", "two-dimensional SV is not executed yet"},
    {"COMP\nDCL TEMP[0]\nLOAD TEMP[0], BUFFER[200], TEMP[0]\nEND\n", "there is no BUFFER[200]: the last one is 63"},
    {"COMP\nDCL TEMP[0]\nLOAD TEMP[0], BUFFER[77], TEMP[0]\nEND\n", "there is no BUFFER[-1]: the last one is 63"},
    {FRAG "CAL :2\nRET\nBGNSUB\nEND\nENDSUB\n", "END inside a subroutine is not executed yet"},
};

/* Register 77 is -1: tokens can have that, texts cannot. */
static void make_negative(struct isa_module *m)
{
    for (uint32_t i = 0; i < m->ninsns; i++)
        for (unsigned k = 0; k < m->insns[i].ndst + m->insns[i].nsrc; k++) {
            struct tgsi_insn *insn = &m->insns[i];
            struct tgsi_operand *o = k < insn->ndst ? &insn->dst[k] : &insn->src[k - insn->ndst];
            int32_t *of[] = {&o->index.value, &o->index.reg, &o->dim.value};
            for (unsigned n = 0; n < sizeof of / sizeof *of; n++)
                *of[n] = *of[n] == 77 ? -1 : *of[n];
        }
}

/* The lift of the text is refused with this message; else what came is printed. */
static bool refused(const char *text, const char *says)
{
    struct text t = text_parse(text);
    struct ir_program *p = NULL;
    bool fine = t.status == WEFT_OK;
    if (fine)
        make_negative(t.m);
    weft_status status = fine ? isa_lift(isa_find("tgsi"), t.m, "t", &t.src, &t.arena, &p, t.diags) : WEFT_OK;
    const weft_diag *first = weft_diags_get(t.diags, 0);
    fine = fine && (status == WEFT_ERROR_INPUT || status == WEFT_ERROR_UNSUPPORTED) && first &&
           strcmp(first->message, says) == 0;
    if (!fine)
        printf("# %d: %s: wanted: %s\n%s", (int)status, first ? first->message : "nothing is said", says, text);
    text_free(&t);
    return fine;
}

static bool lifted(const char *text)
{
    struct text t = text_parse(text);
    struct ir_program *p = NULL;
    bool fine = t.status == WEFT_OK && isa_lift(isa_find("tgsi"), t.m, "t", &t.src, &t.arena, &p, t.diags) == WEFT_OK;
    text_free(&t);
    return fine;
}

/* Tokens may have any target: those after the last have no name. */
static void test_targets_without_a_name(void **state)
{
    (void)state;
    for (unsigned target = TGSI_TEX_TARGETS - 1; target < 256; target++) {
        struct text t = text_parse(
            "COMP\nDCL IMAGE[0], 2D, WR\nDCL TEMP[0]\nSTORE IMAGE[0], TEMP[0], TEMP[0], 2D\nEND\n");
        struct ir_program *p = NULL;
        assert_int_equal(t.status, WEFT_OK);
        t.m->decls[0].target = t.m->insns[0].target = (uint8_t)target;
        assert_int_equal(isa_lift(isa_find("tgsi"), t.m, "t", &t.src, &t.arena, &p, t.diags), WEFT_ERROR_INPUT);
        const char *said = weft_diags_get(t.diags, 0)->message;
        bool nameless = strcmp(said, "STORE needs the target of an image; that is not one") == 0;
        if (nameless != (target >= TGSI_TEX_TARGETS))
            fail_msg("target %u: %s", target, said);
        text_free(&t);
    }
}

static void test_refused(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        wrong += !refused(cases[i].text, cases[i].says);
    assert_int_equal(wrong, 0);
}

/* `count` times the line between two texts. */
static void make(char *text, size_t room, const char *before, const char *line, unsigned count, const char *after)
{
    size_t size = (size_t)snprintf(text, room, "%s", before);
    for (unsigned i = 0; i < count; i++)
        size += (size_t)snprintf(text + size, room - size, line, i);
    snprintf(text + size, room - size, "%s", after);
}

static void test_too_many(void **state)
{
    enum { ROOM = 1 << 18 };
    static char text[ROOM];
    (void)state;
    make(text, ROOM, FRAG, "IF TEMP[0].xxxx :0\n", 65, "END\n");
    assert_true(refused(text, "more than 64 constructs inside one another"));
    make(text, ROOM, FRAG, "IMM[%u] UINT32 { 0, 0, 0, 0 }\n", 4097, "MOV TEMP[0], IMM[TEMP[0].x]\nEND\n");
    assert_true(refused(text, "more than 4096 immediates that are addressed indirectly"));
    make(text, ROOM, FRAG, "MOV TEMP[0], TEMP[409%u]\n", 7, "END\n");
    assert_true(refused(text, "more than 4096 TEMP registers"));
    assert_true(lifted(FRAG "MOV TEMP[0], TEMP[4095]\nEND\n"));
    make(text, ROOM, "COMP\nDCL TEMP[0]\n", "LOAD TEMP[0], BUFFER[%u], TEMP[0]\n", 64,
         "LOAD TEMP[0], CONSTBUF[0], TEMP[0]\nEND\n");
    assert_true(refused(text, "more than 64 buffers and memories in one program are not executed yet"));
}

TEST_MAIN(TEST(test_refused), TEST(test_targets_without_a_name), TEST(test_too_many))
