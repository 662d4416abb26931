/* Lane IR as text with one thing wrong in it: it is read and verified, or refused with an error that lies in the text.
 * What was verified prints to a text that reads and prints the same. Messages and texts are those that damage.txt has
 * numbers of; WEFT_TEST_RENEW=1 writes it anew. */
#include "told.h"

#include "ir/ir.h"
#include "isa/isa.h"
#include "isa/lift.h"
#include "isa/tgsi/tgsi.h"

static const char *const programs[] = {
    /* buffers, images, textures, atomics, lanes, a barrier, a loop */
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL IMAGE[0], 2D, "
    "PIPE_FORMAT_R32_UINT, WR\nDCL MEMORY[0], SHARED\nDCL TEMP[0..2]\nIMM[0] UINT32 {0, 4, 1, 16}\nBGNLOOP\n"
    "USGE TEMP[0].x, TEMP[1].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\nBRK\nENDIF\nUADD TEMP[1].x, TEMP[1].xxxx, "
    "IMM[0].zzzz\nENDLOOP\nLOAD TEMP[0].x, BUFFER[0], SV[0].xxxx\nATOMUADD TEMP[2].x, BUFFER[0], IMM[0].xxxx, "
    "TEMP[0].xxxx\nSTORE IMAGE[0], SV[0], TEMP[0], 2D, PIPE_FORMAT_R32_UINT\nSTORE MEMORY[0].x, IMM[0].yyyy, "
    "TEMP[2].xxxx\nBARRIER\nBALLOT TEMP[0].xy, TEMP[0].xxxx\nSTORE BUFFER[0].xy, IMM[0].wwww, TEMP[0]\nEND\n",
    /* interpolation, derivatives, a texture, a register chosen at run time, doubles */
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], CONSTANT\nDCL OUT[0], COLOR\nDCL OUT[1], "
    "POSITION\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..3], ARRAY(1)\nDCL ADDR[0]\nDCL CONST[0..3]\n"
    "IMM[0] FLT32 {0.5, 1.0, 2.0, 0.0}\nARL ADDR[0].x, IN[1].xxxx\nMOV TEMP[ADDR[0].x](1), CONST[ADDR[0].x+1]\n"
    "TEX TEMP[0], IN[0], SAMP[0], 2D\nDDX TEMP[1], IN[0]\nINTERP_OFFSET TEMP[2], IN[0], IMM[0]\nDADD TEMP[3].xy, "
    "TEMP[1].xyxy, TEMP[2].zwzw\nKILL_IF TEMP[0].wwww\nMAD OUT[0], TEMP[0], TEMP[3], TEMP[1]\nMOV OUT[1].z, "
    "TEMP[0].xxxx\nEND\n",
};

struct seen {
    size_t refused, accepted;
    struct told told;
};

static struct told_list list;

static void judge_program(const struct damaged *d, struct told *told, struct ir_program *p, struct arena *arena)
{
    struct source src = {.name = DAMAGED_NAME};
    struct ir_program *again;
    weft_diags *diags = weft_diags_new();
    src.text = ir_print(p, arena, &src.size);
    if (ir_parse(&src, arena, &again, diags) != WEFT_OK || ir_verify(again, diags) != WEFT_OK)
        fail_msg("%s in line %u: what is printed is refused: %s\n%s", d->what, d->line,
                 weft_diags_get(diags, 0)->message, src.text);
    if (strcmp(ir_print(again, arena, NULL), src.text) != 0)
        fail_msg("%s in line %u: what is printed is printed in another way\n%s", d->what, d->line, src.text);
    told_text(told, src.text);
    weft_diags_free(diags);
}

static void judge(const struct damaged *d, void *user)
{
    struct seen *s = user;
    struct arena arena = {0};
    struct source src = {DAMAGED_NAME, d->text, d->size};
    struct ir_program *p;
    weft_diags *diags = weft_diags_new();
    told_begin(&s->told, d);
    weft_status status = ir_parse(&src, &arena, &p, diags);
    assert_true((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    for (size_t i = 0; weft_diags_get(diags, i); i++)
        damage_judge_place(d, weft_diags_get(diags, i));
    const weft_diag *first = weft_diags_get(diags, 0);
    if (d->nonsense && (!first || first->line != d->line))
        fail_msg("nonsense in line %u: line %u: %s\n%s", d->line, first ? first->line : 0,
                 first ? first->message : "accepted", d->text);
    if (status == WEFT_OK && (status = ir_verify(p, diags)) == WEFT_OK)
        judge_program(d, &s->told, p, &arena);
    assert_true((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    told_messages(&s->told, diags);
    s->accepted += status == WEFT_OK;
    s->refused += status != WEFT_OK;
    weft_diags_free(diags);
    arena_free(&arena);
}

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        struct arena arena = {0};
        struct source src = {"t", programs[i], strlen(programs[i])};
        struct isa_module *m;
        struct ir_program *p;
        char name[20];
        struct seen s = {.told.name = name};
        snprintf(name, sizeof name, "program %zu", i);
        size_t size;
        assert_int_equal(tgsi_parse(&src, &(struct isa_params){.stage = -1}, &arena, &m, NULL), WEFT_OK);
        assert_int_equal(tgsi_lift(m, &src, &arena, &p, NULL), WEFT_OK);
        char *text = ir_print(p, &arena, &size);
        size_t made = damage_each(text, size, "#", judge, &s);
        printf("# program %zu: %zu texts, %zu accepted, %zu refused\n", i, made, s.accepted, s.refused);
        assert_int_equal(made, s.accepted + s.refused);
        assert_true(s.accepted > 0 && s.refused > s.accepted);
        told_end(&list, &s.told);
        arena_free(&arena);
    }
/* The numbers are those of programs that GCC makes on x86-64: it decides which argument of a call is drawn first. */
#if defined __x86_64__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
    told_compare(WEFT_SOURCE_ROOT "/tests/ir/damage.txt", &list);
#endif
}

TEST_MAIN(TEST(test_texts))
