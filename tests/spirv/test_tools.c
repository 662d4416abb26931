/* test_tools.c - weft-spirv.so: SPIRV-Tools and glslang, and what they say. */
#include "isa/spirv/tools.h"
#include "test.h"

#include <pthread.h>

#define TEXT(s) (s), sizeof(s) - 1

static const char shader_text[] = "OpCapability Shader\n"
                                  "OpMemoryModel Logical GLSL450\n"
                                  "OpEntryPoint GLCompute %main \"main\"\n"
                                  "OpExecutionMode %main LocalSize 1 1 1\n"
                                  "OpName %main \"main\"\n"
                                  "%void = OpTypeVoid\n"
                                  "%fn = OpTypeFunction %void\n"
                                  "%main = OpFunction %void None %fn\n"
                                  "%in = OpLabel\n"
                                  "OpReturn\n"
                                  "OpFunctionEnd\n";

static struct spirv_words assembled(const char *text, const char *env, struct arena *a)
{
    struct spirv_words words;
    struct spirv_messages said;
    assert_int_equal(spirv_assemble(text, strlen(text), env, false, a, &words, &said), WEFT_OK);
    assert_int_equal(said.count, 0);
    return words;
}

static void test_name(void **state)
{
    (void)state;
    assert_non_null(spirv_tools_name());
    assert_non_null(strstr(spirv_tools_name(), "SPIRV-Tools v"));
    assert_non_null(strstr(spirv_tools_name(), "glslang "));
    assert_string_equal(spirv_tools_missing(), "");
    assert_true(spirv_env_known("vulkan1.1spv1.4"));
    assert_false(spirv_env_known("vulkan9.9"));
}

static void test_assembles_for_an_environment(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spirv_words words = assembled(shader_text, "spv1.3", &a);
    assert_int_equal(words.word[0], 0x07230203);
    assert_int_equal(words.word[1], 0x00010300);
    assert_int_equal(assembled(shader_text, NULL, &a).word[1], 0x00010600);
    arena_free(&a);
}

static void test_keeps_ids(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spirv_words words;
    struct spirv_messages said;
    assert_int_equal(spirv_assemble(TEXT("%7 = OpTypeVoid"), NULL, true, &a, &words, &said), WEFT_OK);
    assert_int_equal(words.count, 7);
    assert_int_equal(words.word[6], 7);
    assert_int_equal(spirv_assemble(TEXT("%7 = OpTypeVoid"), NULL, false, &a, &words, &said), WEFT_OK);
    assert_int_equal(words.word[6], 1);
    arena_free(&a);
}

static void test_wrong_text_has_a_place(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spirv_words words;
    struct spirv_messages said;
    assert_int_equal(spirv_assemble(TEXT("OpCapability Shader\n  OpNoSuch %1\n"), NULL, false, &a, &words, &said),
                     WEFT_ERROR_INPUT);
    assert_int_equal(said.count, 1);
    assert_int_equal(said.list[0].severity, WEFT_ERROR);
    assert_int_equal(said.list[0].line, 2);
    assert_int_equal(said.list[0].column, 3);
    assert_non_null(strstr(said.list[0].text, "OpNoSuch"));
    arena_free(&a);
}

static void test_text_comes_back(void **state)
{
    (void)state;
    struct arena a = {0};
    const char *text;
    size_t size;
    struct spirv_messages said;
    struct spirv_text_options friendly = {.names = true};
    struct spirv_words words = assembled(shader_text, "spv1.0", &a);
    assert_int_equal(spirv_disassemble(words, &friendly, &a, &text, &size, &said), WEFT_OK);
    assert_int_equal(strlen(text), size);
    assert_non_null(strstr(text, "OpEntryPoint GLCompute %main \"main\"\n"));
    struct spirv_words again = assembled(text, "spv1.0", &a);
    assert_int_equal(again.count, words.count);
    struct spirv_words cut = {words.word, words.count - 1};
    assert_int_equal(spirv_disassemble(cut, NULL, &a, &text, &size, &said), WEFT_OK);
    cut.count = 7;
    assert_int_equal(spirv_disassemble(cut, NULL, &a, &text, &size, &said), WEFT_OK);
    cut.count = 6;
    assert_int_equal(spirv_disassemble(cut, NULL, &a, &text, &size, &said), WEFT_ERROR_INPUT);
    assert_int_equal(said.count, 1);
    arena_free(&a);
}

/* The numbers are the registry's; SPIRV-Tools of 2023 does not know them. Quotes and comments stay as they are. */
static void test_languages_newer_than_the_tools(void **state)
{
    (void)state;
    struct arena a = {0};
    const char *text;
    size_t size;
    struct spirv_messages said;
    struct spirv_words words = assembled("; OpSource Rust 1\nOpCapability Shader\nOpCapability Linkage\n"
                                         "OpMemoryModel Logical GLSL450\n%1 = OpString \"\nOpSource Zig 1 \\\"\n\"\n"
                                         "OpSource Slang 1\nOpSource WGSL 7\nOpSource !99 2\nOpSource GLSL 450\n"
                                         "%2 = OpTypeVoid\n",
                                         NULL, &a);
    static const uint32_t wanted[] = {11, 10, 99, 2};
    unsigned found = 0;
    for (size_t at = 5; at < words.count; at += words.word[at] >> 16)
        if ((words.word[at] & 0xffff) == 3)
            assert_int_equal(words.word[at + 1], wanted[found++]);
    assert_int_equal(found, 4);
    assert_int_equal(spirv_validate(words, NULL, &a, &said), WEFT_OK);
    assert_int_equal(spirv_disassemble(words, NULL, &a, &text, &size, &said), WEFT_OK);
    assert_int_equal(strlen(text), size);
    assert_non_null(strstr(text, "%1 = OpString \"\nOpSource Zig 1 \\\"\n\"\n"
                                 "OpSource Slang 1\nOpSource WGSL 7\nOpSource !99 2\nOpSource GLSL 450\n"));
    struct spirv_words again = assembled(text, NULL, &a);
    assert_int_equal(again.count, words.count);
    assert_memory_equal(again.word, words.word, words.count * sizeof *words.word);
    static const char *const flags[] = {"-O"};
    assert_int_equal(spirv_optimize(words, NULL, flags, 1, &a, &again, &said), WEFT_OK);
    arena_free(&a);
}

static void test_validates(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spirv_messages said;
    assert_int_equal(spirv_validate(assembled(shader_text, "spv1.0", &a), NULL, &a, &said), WEFT_OK);
    /* Newer than the environment. */
    struct spirv_validate_options old = {.env = "vulkan1.0"};
    assert_int_equal(spirv_validate(assembled(shader_text, "spv1.5", &a), &old, &a, &said), WEFT_ERROR_INPUT);
    /* The fifth instruction is wrong: its type is not there. */
    struct spirv_words wrong = assembled("OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
                                         "%f = OpTypeFloat 32\n%c = OpConstant %f 1\n%n = OpConstantNull %c\n",
                                         NULL, &a);
    assert_int_equal(spirv_validate(wrong, NULL, &a, &said), WEFT_ERROR_INPUT);
    assert_int_equal(said.count, 1);
    assert_int_equal(said.list[0].line, 0);
    assert_int_equal(said.list[0].insn, 6);
    struct spirv_validate_options none = {.env = "vulkan7"};
    assert_int_equal(spirv_validate(wrong, &none, &a, &said), WEFT_ERROR_USAGE);
    arena_free(&a);
}

static void test_layouts(void **state)
{
    (void)state;
    static const char block[] = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
                                "OpDecorate %b Block\nOpMemberDecorate %b 0 Offset 0\nOpMemberDecorate %b 1 Offset 4\n"
                                "OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n"
                                "%f = OpTypeFloat 32\n%w = OpTypeVector %f 4\n%b = OpTypeStruct %f %w\n"
                                "%p = OpTypePointer Uniform %b\n%v = OpVariable %p Uniform\n";
    struct arena a = {0};
    struct spirv_messages said;
    struct spirv_validate_options o = {.env = "vulkan1.0"};
    struct spirv_words words = assembled(block, "spv1.0", &a);
    assert_int_equal(spirv_validate(words, &o, &a, &said), WEFT_ERROR_INPUT);
    o.scalar_layout = true;
    assert_int_equal(spirv_validate(words, &o, &a, &said), WEFT_ERROR_INPUT); /* Linkage is not Vulkan's */
    assert_non_null(strstr(said.list[0].text, "Linkage"));
    arena_free(&a);
}

static const char fragment[] = "#version 450\n"
                               "layout(location = 0) out vec4 color;\n"
                               "void main() { float x = 0.0; if (false) x = 2.0; color = vec4(x); }\n";

static struct spirv_words compiled(const char *text, weft_stage stage, bool debug, struct arena *a)
{
    struct spirv_source s = {.text = {"a.glsl", text, strlen(text)}, .stage = stage, .debug = debug};
    struct spirv_words words;
    struct spirv_messages said;
    weft_status status = spirv_compile(&s, a, &words, &said);
    for (size_t i = 0; i < said.count; i++)
        printf("# %s\n", said.list[i].text);
    assert_int_equal(status, WEFT_OK);
    assert_int_equal(spirv_validate(words, NULL, a, &said), WEFT_OK);
    return words;
}

static void test_optimizes(void **state)
{
    (void)state;
    static const char *const speed[] = {"-O"}, *const unknown[] = {"--no-such-pass"};
    struct arena a = {0};
    struct spirv_words words = compiled(fragment, WEFT_FRAGMENT, false, &a), less;
    struct spirv_messages said;
    assert_int_equal(spirv_optimize(words, "vulkan1.0", speed, 1, &a, &less, &said), WEFT_OK);
    assert_true(less.count < words.count);
    assert_int_equal(spirv_validate(less, NULL, &a, &said), WEFT_OK);
    assert_int_equal(spirv_optimize(words, NULL, unknown, 1, &a, &less, &said), WEFT_ERROR_USAGE);
    assert_non_null(strstr(said.list[0].text, "no-such-pass"));
    arena_free(&a);
}

static bool has_op(struct spirv_words w, unsigned op)
{
    for (size_t i = 5; i < w.count; i += w.word[i] >> 16)
        if ((w.word[i] & 0xffff) == op)
            return true;
    return false;
}

static void test_compiles_each_stage(void **state)
{
    (void)state;
    static const struct {
        weft_stage stage;
        const char *text;
    } shaders[] = {
        {WEFT_VERTEX, "#version 450\nvoid main() { gl_Position = vec4(1); }"},
        {WEFT_TESS_CONTROL, "#version 450\nlayout(vertices = 3) out;\nvoid main() { gl_TessLevelOuter[0] = 1.0; }"},
        {WEFT_TESS_EVALUATION,
         "#version 450\nlayout(triangles) in;\nvoid main() { gl_Position = vec4(gl_TessCoord, 1); }"},
        {WEFT_GEOMETRY, "#version 450\nlayout(points) in;\nlayout(points, max_vertices = 1) out;\n"
                        "void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }"},
        {WEFT_FRAGMENT, fragment},
        {WEFT_COMPUTE, "#version 310 es\nlayout(local_size_x = 4) in;\nvoid main() {}"},
    };
    struct arena a = {0};
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++)
        assert_true(compiled(shaders[i].text, shaders[i].stage, false, &a).count > 5);
    assert_false(has_op(compiled(fragment, WEFT_FRAGMENT, false, &a), 8));
    assert_true(has_op(compiled(fragment, WEFT_FRAGMENT, true, &a), 8)); /* OpLine */
    struct spirv_source none = {.text = {"a", TEXT("void main() {}")}, .stage = WEFT_STAGE_NONE};
    struct spirv_words words;
    struct spirv_messages said;
    assert_int_equal(spirv_compile(&none, &a, &words, &said), WEFT_ERROR_USAGE);
    arena_free(&a);
}

static void test_messages_of_glsl(void **state)
{
    (void)state;
    static const char wrong[] = "#version 450\n"
                                "layout(location = 0) out vec4 color;\n"
                                "void main()\n"
                                "{\n"
                                "    color = colour * 2.0;\n"
                                "}\n";
    struct arena a = {0};
    struct spirv_source s = {
        .text = {"dir:1/a.frag", TEXT(wrong)}, .stage = WEFT_FRAGMENT, .preamble = "#define A 1\n"};
    struct spirv_words words;
    struct spirv_messages said;
    assert_int_equal(spirv_compile(&s, &a, &words, &said), WEFT_ERROR_INPUT);
    assert_true(said.count >= 1);
    assert_int_equal(said.list[0].severity, WEFT_ERROR);
    assert_int_equal(said.list[0].line, 5);
    assert_int_equal(said.list[0].column, 13);
    assert_int_equal(said.list[0].length, 6);
    assert_null(said.list[0].file);
    assert_string_equal(said.list[0].text, "'colour': undeclared identifier");
    for (size_t i = 0; i < said.count; i++)
        assert_null(strstr(said.list[i].text, "No code generated"));
    weft_diags *d = weft_diags_new();
    struct source src = {"a.frag", TEXT(wrong)};
    spirv_report(&said, &src, NULL, 0, NULL, d);
    const weft_diag *first = weft_diags_get(d, 0);
    assert_string_equal(first->code, "shader-compiler");
    assert_int_equal(first->line, 5);
    assert_int_equal(first->column, 13);
    assert_int_equal(first->length, 6);
    assert_string_equal(first->source, "    color = colour * 2.0;");
    weft_diags_free(d);
    arena_free(&a);
}

static bool include(void *context, const char *name, const char *includer, bool angle, struct spirv_text *out)
{
    static const char half[] = "\nfloat half_of(float x) { return x * 0.5; }\n",
                      bad[] = "float f() {\nreturn nothing; }\n";
    (void)angle;
    ++*(unsigned *)context;
    if (strcmp(name, "lib/half.h") == 0 && strcmp(includer, "a.frag") == 0)
        *out = (struct spirv_text){name, TEXT(half)};
    else if (strcmp(name, "bad.h") == 0)
        *out = (struct spirv_text){name, TEXT(bad)};
    return out->name != NULL;
}

static void test_includes(void **state)
{
    (void)state;
    static const char good[] = "#version 450\n#include \"lib/half.h\"\nlayout(location = 0) out vec4 c;\n"
                               "void main() { c = vec4(half_of(A)); }\n";
    static const char bad[] = "#version 450\n#include <bad.h>\nvoid main() {}\n";
    static const char missing[] = "#version 450\n#include \"none.h\"\nvoid main() {}\n";
    struct arena a = {0};
    unsigned asked = 0;
    struct spirv_source s = {.text = {"a.frag", TEXT(good)},
                             .stage = WEFT_FRAGMENT,
                             .include = include,
                             .context = &asked,
                             .preamble = "#define A 3.0\n"};
    struct spirv_words words;
    struct spirv_messages said;
    assert_int_equal(spirv_compile(&s, &a, &words, &said), WEFT_OK);
    assert_int_equal(asked, 1);
    s.text = (struct spirv_text){"a.frag", TEXT(bad)};
    assert_int_equal(spirv_compile(&s, &a, &words, &said), WEFT_ERROR_INPUT);
    assert_string_equal(said.list[0].file, "bad.h");
    assert_int_equal(said.list[0].line, 2);
    assert_int_equal(said.list[0].column, 8);
    s.text = (struct spirv_text){"a.frag", TEXT(missing)};
    assert_int_equal(spirv_compile(&s, &a, &words, &said), WEFT_ERROR_INPUT);
    assert_int_equal(said.list[0].line, 2);
    s.include = NULL;
    assert_int_equal(spirv_compile(&s, &a, &words, &said), WEFT_ERROR_INPUT);
    arena_free(&a);
}

static void test_hlsl(void **state)
{
    (void)state;
    static const char text[] = "float4 shade(float4 at : SV_Position) : SV_Target { return at * 0.5; }\n";
    struct arena a = {0};
    struct spirv_source s = {
        .text = {"a.hlsl", TEXT(text)}, .language = SPIRV_HLSL, .stage = WEFT_FRAGMENT, .entry = "shade"};
    struct spirv_words words;
    struct spirv_messages said;
    assert_int_equal(spirv_compile(&s, &a, &words, &said), WEFT_OK);
    assert_int_equal(spirv_validate(words, NULL, &a, &said), WEFT_OK);
    const char *out;
    size_t size;
    assert_int_equal(spirv_disassemble(words, NULL, &a, &out, &size, &said), WEFT_OK);
    assert_non_null(strstr(out, "\"shade\""));
    s.entry = "none";
    assert_int_equal(spirv_compile(&s, &a, &words, &said), WEFT_ERROR_INPUT);
    arena_free(&a);
}

static void test_loose_uniforms(void **state)
{
    (void)state;
    static const char text[] =
        "#version 450\nuniform float strength;\nuniform sampler2D picture;\nin vec2 uv;\nout vec4 c;\n"
        "void main() { c = texture(picture, uv) * strength; }\n";
    struct arena a = {0};
    struct spirv_source s = {.text = {"a.frag", TEXT(text)}, .stage = WEFT_FRAGMENT};
    struct spirv_words words;
    struct spirv_messages said;
    assert_int_equal(spirv_compile(&s, &a, &words, &said), WEFT_ERROR_INPUT);
    s.loose = s.map = true;
    assert_int_equal(spirv_compile(&s, &a, &words, &said), WEFT_OK);
    const char *out;
    size_t size;
    assert_int_equal(spirv_disassemble(words, NULL, &a, &out, &size, &said), WEFT_OK);
    assert_non_null(strstr(out, "gl_DefaultUniformBlock"));
    arena_free(&a);
}

/* Threads: each compiles, optimises and validates; all get the same words. */
static void *work(void *first)
{
    static const char *const speed[] = {"-O"};
    for (int i = 0; i < 3; i++) {
        struct arena a = {0};
        struct spirv_messages said;
        struct spirv_words less = {0};
        struct spirv_source s = {.text = {"a.frag", TEXT(fragment)}, .stage = WEFT_FRAGMENT};
        struct spirv_words words, *expected = first;
        bool same = spirv_compile(&s, &a, &words, &said) == WEFT_OK && words.count == expected->count &&
                    memcmp(words.word, expected->word, words.count * 4) == 0 &&
                    spirv_optimize(words, NULL, speed, 1, &a, &less, &said) == WEFT_OK &&
                    spirv_validate(less, NULL, &a, &said) == WEFT_OK;
        arena_free(&a);
        if (!same)
            return first;
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    struct arena a = {0};
    struct spirv_words words = compiled(fragment, WEFT_FRAGMENT, false, &a);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &words), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    arena_free(&a);
}

TEST_MAIN(TEST(test_name), TEST(test_assembles_for_an_environment), TEST(test_keeps_ids),
          TEST(test_wrong_text_has_a_place), TEST(test_text_comes_back), TEST(test_languages_newer_than_the_tools),
          TEST(test_validates), TEST(test_layouts), TEST(test_optimizes), TEST(test_compiles_each_stage),
          TEST(test_messages_of_glsl), TEST(test_includes),
          TEST(test_hlsl), TEST(test_loose_uniforms), TEST(test_threads))
