/* test_special.c - special registers: which a program of each stage reads, and what weft says of the others. */
#include "ir/ir.h"
#include "isa/rogue/lift.h"
#include "test.h"

enum { SPECIAL_REGISTERS = 256 };
enum { F = 1 << IR_FRAGMENT, C = 1 << IR_COMPUTE, EACH = (1 << IR_STAGES) - 1 };

/* As the document about this instruction set lists them (chapter 4): the stages where one has a value here, and a word
 * of what it is where it has none. */
static const struct {
    unsigned first, last, stages;
    const char *word;
} wanted[] = {
    {0, 31, EACH, NULL}, /* special constants, as 64 to 95 and 128 to 159 */
    {64, 95, EACH, NULL},    {128, 159, EACH, NULL},
    {32, 43, EACH, NULL}, /* outputs 0 to 3 and internal registers, as the document names them elsewhere */
    {164, 167, EACH, NULL}, /* outputs 4 to 7 */
    {44, 44, F, "face"},     {45, 45, EACH, NULL},   {46, 46, EACH, NULL},     {47, 47, C, "task"},
    {48, 48, EACH, NULL},    {49, 50, 0, "begins"},  {51, 51, EACH, NULL},     {52, 52, 0, "master"},
    {53, 53, F, "sample"},   {54, 57, 0, "loads"},   {58, 61, 0, "stores"},    {62, 63, EACH, NULL},
    {96, 96, 0, "tile"},     {97, 98, F, "x of"},    {100, 101, F, "y of"},    {102, 102, C, "workgroup"},
    {103, 103, EACH, NULL},  {104, 111, C, "global"}, {112, 112, C, "instance"}, {114, 117, 0, "place"},
    {118, 118, F, "layer"},  {119, 122, 0, "loads"}, {123, 126, 0, "stores"},  {127, 127, EACH, NULL},
    {160, 160, EACH, NULL},
};

/* What is said of a program that reads sr`number`; "" if nothing is. */
static void reads(unsigned number, enum ir_stage stage, char *said, size_t size)
{
    char text[64];
    int length = snprintf(text, sizeof text, "0 : umadd32 ft0, c0, c0, sr%u,\n    mov r8, ft0\n", number);
    struct source src = {"test", text, (size_t)length};
    struct isa_params params = {.stage = stage};
    struct isa_module *module = NULL;
    struct ir_program *ir = NULL;
    struct arena arena = {0};
    weft_diags *diags = weft_diags_new();
    assert_non_null(diags);
    weft_status status = rogue_parse(&src, &params, &arena, &module, diags);
    if (status == WEFT_OK)
        status = rogue_check(module, &src, &params, diags);
    if (status == WEFT_OK)
        status = rogue_lift(module, &src, &arena, &ir, diags);
    assert_int_equal(status == WEFT_OK, weft_diags_errors(diags) == 0);
    snprintf(said, size, "%s", status == WEFT_OK ? "" : weft_diags_get(diags, 0)->message);
    weft_diags_free(diags);
    arena_free(&arena);
}

static void each_in_each_stage(void **state)
{
    (void)state;
    unsigned values = 0;
    for (unsigned number = 0; number < SPECIAL_REGISTERS; number++) {
        size_t row = 0;
        while (row < sizeof wanted / sizeof wanted[0] && (number < wanted[row].first || number > wanted[row].last))
            row++;
        bool known = row < sizeof wanted / sizeof wanted[0];
        const char *word = known ? wanted[row].word : "there is no special register";
        for (unsigned stage = 0; stage < IR_STAGES; stage++) {
            char said[256];
            reads(number, (enum ir_stage)stage, said, sizeof said);
            bool has = known && wanted[row].stages >> stage & 1;
            values += has;
            if (has ? said[0] != 0 : !strstr(said, word))
                fail_msg("sr%u in stage %u: '%s', expected '%s'", number, stage, said, has ? "nothing" : word);
        }
    }
    printf("# %u registers have values\n", values);
}

TEST_MAIN(TEST(each_in_each_stage))
