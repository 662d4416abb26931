/* Single instructions of SPIR-V as lines of text (weft/insn.h), both ways. Words are those of SPIRV-Tools' assembler,
 * but for numbers that only a module gives a meaning: these are written as they are. */
#include "test.h"

#include "isa/spirv/table.h"

#include <weft/insn.h>
#include <weft/isa.h>

enum { MOST = 16 };

static const struct {
    const char *text;
    unsigned n;
    uint32_t w[MOST];
} lines[] = {
    {"OpNop", 1, {0x00010000}},
    {"OpCapability Shader", 2, {0x00020011, 1}},
    {"OpMemoryModel Logical GLSL450", 3, {0x0003000e, 0, 1}},
    {"%1 = OpExtInstImport \"GLSL.std.450\"", 6,
     {0x0006000b, 1, 0x4c534c47, 0x6474732e, 0x3035342e, 0}},
    {"OpExtension \"a \\\"quoted\\\\ text\"", 5, {0x0005000a, 0x71222061, 0x65746f75, 0x74205c64, 0x00747865}},
    {"OpEntryPoint GLCompute %1 \"main\" %2 %3", 7, {0x0007000f, 5, 1, 0x6e69616d, 0, 2, 3}},
    {"OpExecutionMode %1 LocalSize 8 4 1", 6, {0x00060010, 1, 17, 8, 4, 1}},
    {"OpExecutionModeId %1 LocalSizeId %2 %3 %4", 6, {0x0006014b, 1, 38, 2, 3, 4}},
    {"OpDecorate %1 Binding 3", 4, {0x00040047, 1, 33, 3}},
    {"OpDecorate %1 BuiltIn GlobalInvocationId", 4, {0x00040047, 1, 11, 28}},
    {"OpMemberDecorate %1 1 Offset 16", 5, {0x00050048, 1, 1, 35, 16}},
    {"OpMemberName %1 2 \"member of eight\"", 7,
     {0x00070006, 1, 2, 0x626d656d, 0x6f207265, 0x69652066, 0x00746867}},
    {"%1 = OpTypeInt 32 0", 4, {0x00040015, 1, 32, 0}},
    {"%1 = OpTypeImage %2 2D 0 0 0 1 Unknown", 9, {0x00090019, 1, 2, 1, 0, 0, 0, 1, 0}},
    {"%2 = OpLoad %1 %3", 4, {0x0004003d, 1, 2, 3}},
    {"%2 = OpLoad %1 %3 None", 5, {0x0005003d, 1, 2, 3, 0}},
    {"%2 = OpLoad %1 %3 Volatile|Aligned 4", 6, {0x0006003d, 1, 2, 3, 3, 4}},
    {"%2 = OpImageSampleImplicitLod %1 %3 %4 Bias|ConstOffset %5 %6", 8, {0x00080057, 1, 2, 3, 4, 9, 5, 6}},
    {"OpLoopMerge %1 %2 Unroll|DependencyLength 4", 5, {0x000500f6, 1, 2, 9, 4}},
    {"%2 = OpPhi %1 %3 %4 %5 %6", 7, {0x000700f5, 1, 2, 3, 4, 5, 6}},
    {"%2 = OpVectorShuffle %1 %3 %4 0 1 4294967295", 8, {0x0008004f, 1, 2, 3, 4, 0, 1, 0xffffffff}},
    {"%2 = OpGroupNonUniformIAdd %1 %3 Reduce %4", 6, {0x0006015d, 1, 2, 3, 0, 4}},
    {"OpSwitch %1 %2 3 %4", 5, {0x000500fb, 1, 2, 3, 4}},
    {"OpGroupMemberDecorate %1 %2 0 %3 1", 6, {0x0006004b, 1, 2, 0, 3, 1}},
    {"%3 = OpSpecConstantOp %1 128 !0x00000004 !0x00000005", 6, {0x00060034, 1, 3, 128, 4, 5}},
    {"%2 = OpExtInst %1 %3 10 %4", 6, {0x0006000c, 1, 2, 3, 10, 4}},
    {"OpSource GLSL 450 %1 \"void\"", 6, {0x00060003, 2, 450, 1, 0x64696f76, 0}},
    {"OpSource !0x00001234 1", 3, {0x00030003, 0x1234, 1}},
    {"OpLine %1 7 16", 4, {0x00040008, 1, 7, 16}},
    {"%2 = OpConstant %1 !0x3f800000", 4, {0x0004002b, 1, 2, 0x3f800000}},
    {"%2 = OpConstant %1 !0x00000000 !0x3ff00000", 5, {0x0005002b, 1, 2, 0, 0x3ff00000}},
    {"SPIR-V !0x00010600 !0x00070000 !0x00000008 !0x00000000", 5, {0x07230203, 0x00010600, 0x00070000, 8, 0}},
};

static weft_decoder *decoder(void)
{
    weft_decoder_options options = {.size = sizeof options, .stage = WEFT_COMPUTE};
    weft_decoder *d;
    assert_int_equal(weft_decoder_new("spirv", &options, &d), WEFT_OK);
    return d;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void test_words_of_lines(void **state)
{
    weft_decoder *d = decoder();
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        uint8_t bytes[MOST * 4];
        size_t used;
        if (weft_insn_assemble(d, lines[i].text, 0, bytes, sizeof bytes, &used, NULL) != WEFT_OK)
            fail_msg("'%s' is refused", lines[i].text);
        if (used != lines[i].n * 4)
            fail_msg("'%s': %zu bytes, not %u words", lines[i].text, used, lines[i].n);
        for (unsigned k = 0; k < lines[i].n; k++)
            if (word_at(bytes + 4 * k) != lines[i].w[k])
                fail_msg("'%s': word %u is %08x, not %08x", lines[i].text, k, (unsigned)word_at(bytes + 4 * k),
                         (unsigned)lines[i].w[k]);
    }
    weft_decoder_free(d);
}

static void test_lines_of_words(void **state)
{
    weft_decoder *d = decoder();
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        uint8_t bytes[MOST * 4];
        char text[WEFT_INSN_TEXT];
        weft_insn insn;
        for (unsigned k = 0; k < lines[i].n * 4; k++)
            bytes[k] = (uint8_t)(lines[i].w[k / 4] >> k % 4 * 8);
        if (weft_insn_decode(d, bytes, lines[i].n * 4, 0, &insn) != WEFT_OK)
            fail_msg("'%s' is unknown: %s", lines[i].text, insn.fault);
        weft_insn_text(d, &insn, NULL, text, sizeof text, NULL, NULL);
        assert_string_equal(text, lines[i].text);
    }
    weft_decoder_free(d);
}

/* Names are ids after those that are numbers; numbers may be hexadecimal, words in any distance. */
static void test_other_spellings(void **state)
{
    static const struct {
        const char *text, *same;
    } pairs[] = {
        {"%sum = OpFAdd %float %7 %sum", "%8 = OpFAdd %9 %7 %8"},
        {"  OpLine\t%1   0x7 0x1f  ", "OpLine %1 7 31"},
    };
    weft_decoder *d = decoder();
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint8_t a[MOST * 4], b[MOST * 4];
        size_t na, nb;
        assert_int_equal(weft_insn_assemble(d, pairs[i].text, 0, a, sizeof a, &na, NULL), WEFT_OK);
        assert_int_equal(weft_insn_assemble(d, pairs[i].same, 0, b, sizeof b, &nb, NULL), WEFT_OK);
        assert_int_equal(na, nb);
        assert_memory_equal(a, b, na);
    }
    weft_decoder_free(d);
}

static void test_faults(void **state)
{
    static const struct {
        const char *text, *says;
        uint32_t column;
    } faults[] = {
        {"OpFoo", "no instruction has this name", 1},
        {"OpCapability Shadr", "a word of an enumeration is expected", 14},
        {"%2 = OpLoad %1 %3 Volatile|", "a word of an enumeration is expected", 28},
        {"%2 = OpLoad %1 3", "an id such as %7 or %color is expected", 16},
        {"%2 OpLoad %1 %3", "'=' is expected", 4},
        {"OpDecorate %1 Binding x", "a number is expected", 23},
        {"OpDecorate %1 Binding 4294967296", "a number has 32 bits", 33},
        {"OpExtension x", "a text in quotes is expected", 13},
        {"OpExtension \"no end", "the text does not end", 20},
        {"OpExtension \"no end\\", "the text does not end", 21},
        {"%2 = OpConstant %1 7", "a word such as !0x3f800000 is expected", 20},
        {"OpNop %1", "the instruction ends here", 7},
        {"OpLoad %1 %3", "write the result before the name: '%id = '", 8},
        {"%1 = OpNop", "the instruction has no result: write no '%id = '", 11},
        {"%3 = OpSpecConstantOp %1 IAdd %4", "a number is expected", 26},
        {"%3 = OpSpecConstantOp %1 128 4", "a word such as !0x00000007 is expected", 30},
        {"OpSource !x 1", "a number is expected", 11},
        {"OpEntryPoint Vertex %a \"\" %b %c %d %e %f %g %h %i %j %k %l %m %n %o %p %q %r %s %t %u %v",
         "the instruction is longer than weft reads alone", 89},
        {"SPIR-V !0x00010600 7", "a word such as !0x00010500 is expected", 20},
        {"OpExtension \"words of four letters, of which there may be twenty-three after the first: "
         "these are ninety-six.\"",
         "the instruction is longer than weft reads alone", 111},
    };
    weft_decoder *d = decoder();
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        uint8_t bytes[MOST * 4];
        size_t used;
        weft_diags *diags = weft_diags_new();
        if (weft_insn_assemble(d, faults[i].text, 0, bytes, sizeof bytes, &used, diags) != WEFT_ERROR_INPUT)
            fail_msg("'%s' is not refused", faults[i].text);
        const weft_diag *diag = weft_diags_get(diags, 0);
        if (strcmp(diag->message, faults[i].says) != 0 || diag->column != faults[i].column)
            fail_msg("'%s': column %u, '%s'", faults[i].text, (unsigned)diag->column, diag->message);
        weft_diags_free(diags);
    }
    weft_decoder_free(d);
}

/* Words that are no instruction: why, and how many bytes to skip. */
static void test_unknown_words(void **state)
{
    static const struct {
        uint32_t w[3];
        unsigned bytes, skip;
        const char *says, *text;
    } unknown[] = {
        {{0x00010000}, 3, 0, "the bytes end within it", NULL},
        {{0x00040008, 1, 7}, 12, 0, "the bytes end within it", NULL},
        {{0x00000008}, 4, 4, "an instruction has one word at least", "; unknown: 0x00000008"},
        {{0x0002fffe, 0xabcd}, 8, 8, "no instruction has this opcode", "; unknown: 0x0002fffe 0x0000abcd"},
        {{0x00030008, 1, 7}, 12, 12, "it has too few words", "; unknown: 0x00030008 0x00000001 0x00000007"},
        {{0x00020000, 1}, 8, 8, "it has too many words", "; unknown: 0x00020000 0x00000001"},
        {{0x00020011, 0x7777}, 8, 8, "a value or a bit of an enumeration is not known",
         "; unknown: 0x00020011 0x00007777"},
    };
    weft_decoder *d = decoder();
    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        uint8_t bytes[12];
        char text[WEFT_INSN_TEXT];
        weft_insn insn;
        for (unsigned k = 0; k < 12; k++)
            bytes[k] = (uint8_t)(unknown[i].w[k / 4] >> k % 4 * 8);
        assert_int_equal(weft_insn_decode(d, bytes, unknown[i].bytes, 0, &insn), WEFT_ERROR_INPUT);
        assert_int_equal(insn.size, unknown[i].skip);
        assert_string_equal(insn.fault, unknown[i].says);
        if (!unknown[i].text)
            continue;
        weft_insn_text(d, &insn, NULL, text, sizeof text, NULL, NULL);
        assert_string_equal(text, unknown[i].text);
    }
    /* An instruction of 2000 words is skipped, and its text stays short. */
    static uint8_t many[2000 * 4] = {0, 0, 0xd0, 7};
    char text[WEFT_INSN_TEXT];
    weft_insn insn;
    assert_int_equal(weft_insn_decode(d, many, sizeof many, 0, &insn), WEFT_ERROR_INPUT);
    assert_int_equal(insn.size, sizeof many);
    assert_string_equal(insn.fault, "it has more words than weft tells of an instruction alone");
    assert_true(weft_insn_text(d, &insn, NULL, text, sizeof text, NULL, NULL) < sizeof text);
    assert_string_equal(text + strlen(text) - 4, " ...");
    weft_decoder_free(d);
}

static void test_tokens(void **state)
{
    static const weft_token_kind kinds[] = {WEFT_TOKEN_REGISTER, WEFT_TOKEN_PUNCTUATION, WEFT_TOKEN_MNEMONIC,
                                            WEFT_TOKEN_REGISTER, WEFT_TOKEN_REGISTER,    WEFT_TOKEN_MODIFIER,
                                            WEFT_TOKEN_PUNCTUATION, WEFT_TOKEN_MODIFIER, WEFT_TOKEN_NUMBER};
    static const char line[] = "%2 = OpLoad %1 %3 Volatile|Aligned 4";
    weft_decoder *d = decoder();
    uint8_t bytes[MOST * 4];
    char text[WEFT_INSN_TEXT];
    weft_token tokens[MOST];
    size_t used, count = MOST;
    weft_insn insn;
    (void)state;
    assert_int_equal(weft_insn_assemble(d, line, 0, bytes, sizeof bytes, &used, NULL), WEFT_OK);
    assert_int_equal(weft_insn_decode(d, bytes, used, 0, &insn), WEFT_OK);
    assert_int_equal(weft_insn_text(d, &insn, NULL, text, sizeof text, tokens, &count), strlen(line));
    assert_int_equal(count, sizeof kinds / sizeof *kinds);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(tokens[i].kind, kinds[i]);
    assert_int_equal(tokens[2].start, 5);
    assert_int_equal(tokens[2].size, 6);
    weft_decoder_free(d);
}

/* SPIR-V has neither flags nor messages to wait for, and what ends a function or goes somewhere does nothing else. */
static void test_effects(void **state)
{
    const uint32_t of_others =
        WEFT_EFFECT_READS_FLAGS | WEFT_EFFECT_WRITES_FLAGS | WEFT_EFFECT_MESSAGE | WEFT_EFFECT_WAITS;
    unsigned ends = 0;
    (void)state;
    for (uint32_t i = 0; i < spirv_row_count; i++) {
        const struct spirv_does does = spirv_does(&spirv_rows[i]);
        bool goes = does.flow == WEFT_FLOW_BRANCH || does.flow == WEFT_FLOW_RETURN || does.flow == WEFT_FLOW_END ||
                    does.flow == WEFT_FLOW_DISCARD;
        if (does.effects & of_others || (goes && does.effects))
            fail_msg("%s: effects 0x%x", spirv_rows[i].name, (unsigned)does.effects);
        ends += goes;
    }
    assert_true(ends >= 6);
}

TEST_MAIN(TEST(test_effects), TEST(test_unknown_words), TEST(test_tokens), TEST(test_words_of_lines),
          TEST(test_lines_of_words), TEST(test_other_spellings), TEST(test_faults))
