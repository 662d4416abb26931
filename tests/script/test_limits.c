/* test_limits.c - the first and the last number that a script may have in each place, and the ones beside them, which
 * it may not. */
#include "test.h"

#include "script/script.h"

#define HEAD "#!amber\n"
#define SHADERS                                                                                                        \
    HEAD "SHADER vertex vs PASSTHROUGH\nSHADER fragment fs TGSI\nFRAG\n0: END\nEND\nSHADER compute cs TGSI\nCOMP\n0: " \
         "END\nEND\n"
#define THINGS            SHADERS "BUFFER fb FORMAT B8G8R8A8_UNORM\nBUFFER u DATA_TYPE float SIZE 4 FILL 0\n"
#define IN_PIPELINE(body) THINGS "PIPELINE graphics p\nATTACH vs\nATTACH fs\n" body "\nEND\n"
#define COMPILED          HEAD "SHADER compute cs GLSL\nvoid main() {}\nEND\n"
#define RUNNABLE          IN_PIPELINE("BIND BUFFER fb AS color LOCATION 0")
#define DISPATCH          THINGS "PIPELINE compute c\nATTACH cs\nEND\n"
#define BOUND(as)         IN_PIPELINE("BIND BUFFER u AS " as)
#define DRAWN             IN_PIPELINE("BIND BUFFER fb AS color LOCATION 0\nVERTEX_DATA u LOCATION 0")
#define INDEXED                                                                                                        \
    THINGS "BUFFER n DATA_TYPE uint16 SIZE 6 FILL 0\n"                                                                 \
           "PIPELINE graphics p\nATTACH vs\nATTACH fs\nBIND BUFFER fb AS color LOCATION 0\nINDEX_DATA n\nEND\n"
#define VK         "[vertex shader passthrough]\n[fragment shader]\n#version 450\nvoid main() {}\n[test]\n"
#define VK_COMPUTE "[compute shader]\n#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n[test]\n"

/* What takes the place of '%s': words between '|'. */
static const struct {
    const char *text, *good, *bad;
} limits[] = {
    /* Numbers of a type, in either sign's reading. */
    {HEAD "BUFFER b DATA_TYPE uint8 DATA %s END\n", "0|255|0xff|-1|-128", "256|-129|0x100|1.5"},
    {HEAD "BUFFER b DATA_TYPE int8 DATA %s END\n", "-128|127|255|0xff", "-129|256|0x100|-0.5"},
    {HEAD "BUFFER b DATA_TYPE uint16 DATA %s END\n", "0|65535|-32768", "65536|-32769"},
    {HEAD "BUFFER b DATA_TYPE int16 DATA %s END\n", "-32768|65535", "-32769|65536"},
    {HEAD "BUFFER b DATA_TYPE uint32 DATA %s END\n", "0|4294967295|-2147483648", "4294967296|-2147483649"},
    {HEAD "BUFFER b DATA_TYPE int32 DATA %s END\n", "-2147483648|4294967295", "-2147483649|4294967296"},
    {HEAD "BUFFER b DATA_TYPE uint64 DATA %s END\n", "0|18446744073709551615|-9223372036854775808|1e19",
     "18446744073709551616|-9223372036854775809|1e20"},
    {HEAD "BUFFER b DATA_TYPE int64 DATA %s END\n", "-9223372036854775808|9223372036854775807|1e18",
     "-9223372036854775809|18446744073709551616|-1e19"},
    {HEAD "BUFFER b DATA_TYPE float16 DATA %s END\n", "65504|65519.9|-65504|inf|-inf|nan", "65520|-65520|1e5|1e400"},
    {HEAD "BUFFER b DATA_TYPE float DATA %s END\n", "3.4028235e38|-3.4028235e38|1e-50|inf|nan",
     "3.4028236e38|-3.5e38|1e400"},
    {HEAD "BUFFER b DATA_TYPE double DATA %s END\n", "1.7976931348623157e308|inf|nan", "1.8e308|-1e309"},
    {HEAD "BUFFER b DATA_TYPE float SIZE 2 FILL %s\n", "3e38", "4e38"},
    /* Types. */
    {HEAD "BUFFER b DATA_TYPE vec%s<float> SIZE 1\n", "2|3|4", "0|1|5|9"},
    {HEAD "BUFFER b DATA_TYPE mat%sx2<float> SIZE 1\n", "2|3|4", "1|5"},
    {HEAD "BUFFER b DATA_TYPE mat2x%s<float> SIZE 1\n", "2|3|4", "1|5"},
    {HEAD "BUFFER b DATA_TYPE mat2%s2<float> SIZE 1\n", "x", "y|X|."},
    {HEAD "BUFFER b DATA_TYPE vec2%s SIZE 1\n", "<float>|<uint8>", "<float|<float]|[float>|<>|<flot>"},
    {HEAD "BUFFER b DATA_TYPE float%s SIZE 1 FILL 0\n", "[1]|[2]|[65536]", "[0]|[65537]|[a]|[:]|[/]|[1|]|[0000000001]"},
    {HEAD "STRUCT s\nfloat a OFFSET %s\nEND\n", "0|1|1073741824", "1073741825|-1|1.5"},
    {HEAD "STRUCT s\nfloat[2] a ARRAY_STRIDE %s\nEND\n", "4|1073741824", "1073741825|-1"},
    {HEAD "STRUCT s\nmat2x2<float> a MATRIX_STRIDE %s\nEND\n", "8|1073741824", "1073741825|-1"},
    {HEAD "STRUCT s STRIDE %s\nfloat a\nEND\n", "4|1073741824", "1073741825|-1"},
    /* Buffers, images and samplers. */
    {HEAD "BUFFER b DATA_TYPE uint8 SIZE %s FILL 0\n", "1|1073741824", "0|1073741825"},
    {HEAD "BUFFER b DATA_TYPE float SIZE %s FILL 0\n", "1|268435456", "0|268435457"},
    {HEAD "BUFFER b DATA_TYPE float SIZE %s DATA 1 2 3 END\n", "3", "1|2|4"},
    {HEAD "BUFFER b DATA_TYPE vec2<float> DATA %s END\n", "1 2|1 2 3 4", "1|1 2 3"},
    {HEAD "BUFFER b DATA_TYPE float WIDTH %s HEIGHT 1 FILL 0\n", "1|16384", "0|16385"},
    {HEAD "BUFFER b DATA_TYPE float WIDTH 1 HEIGHT %s FILL 0\n", "1|16384", "0|16385"},
    {HEAD "BUFFER b FORMAT R8_UNORM SAMPLES %s\n", "1|2|4|8|16|32|64", "0|3|5|6|12|65|128|4294967295"},
    {HEAD "BUFFER b FORMAT R8_UNORM MIP_LEVELS %s\n", "1|15", "0|16"},
    {HEAD "IMAGE i FORMAT R8_UNORM DIM_2D WIDTH %s HEIGHT 1\n", "1|16384", "0|16385"},
    {HEAD "IMAGE i FORMAT R8_UNORM DIM_2D WIDTH 1 HEIGHT %s\n", "1|16384", "0|16385"},
    {HEAD "IMAGE i FORMAT R8_UNORM DIM_3D WIDTH 1 HEIGHT 1 DEPTH %s\n", "1|16384", "0|16385"},
    {HEAD "IMAGE i FORMAT R8_UNORM DIM_3D WIDTH 1024 HEIGHT 1024 DEPTH %s\n", "1024", "1025"},
    {HEAD "IMAGE i FORMAT R8_UNORM DIM_2D WIDTH 16384 HEIGHT 16384 SAMPLES %s\n", "1|4", "8"},
    {HEAD "IMAGE i FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 4 SAMPLES %s MIP_LEVELS 1\n", "1|2|64", "0|3|128"},
    {HEAD "IMAGE i FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 4 SAMPLES 1 MIP_LEVELS %s\n", "1|3|15", "0|16"},
    {HEAD "IMAGE i FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 4 SAMPLES 2 MIP_LEVELS %s\n", "1", "2"},
    {HEAD "IMAGE i FORMAT R8_UNORM DIM_%s WIDTH 4 HEIGHT 4 SAMPLES 2\n", "2D", "1D"},
    {HEAD "IMAGE i FORMAT R8_UINT DIM_1D WIDTH 4 DATA %s END\n", "1 2 3 4", "1 2 3|1 2 3 4 5"},
    {HEAD "IMAGE i FORMAT R8_UINT DIM_2D WIDTH 3 HEIGHT 2 DATA %s END\n", "1 2 3 4 5 6", "1 2 3 4 5|1 2 3 4 5 6 7"},
    {HEAD "IMAGE i FORMAT R8_UINT DIM_3D WIDTH 2 HEIGHT 2 DEPTH 2 DATA %s END\n", "1 2 3 4 5 6 7 8",
     "1 2 3 4|1 2 3 4 5 6 7"},
    {HEAD "SAMPLER s MAX_ANISOTROPY %s\n", "1|16|2.5", "0|0.99|16.5|17|nan"},
    {HEAD "SAMPLER s MIN_LOD 1 MAX_LOD %s\n", "1|2", "0.5|0"},
    {HEAD "SAMPLER s MAX_LOD 1 MIN_LOD %s\n", "1|-2", "1.5"},
    {HEAD "SET ENGINE_DATA fence_timeout_ms %s\n", "0|4294967295", "4294967296|-1|1.5"},
    /* Pipelines. */
    {IN_PIPELINE("FRAMEBUFFER_SIZE %s 4"), "1|16384", "0|16385"},
    {IN_PIPELINE("FRAMEBUFFER_SIZE 4 %s"), "1|16384", "0|16385"},
    {IN_PIPELINE("PATCH_CONTROL_POINTS %s"), "1|32", "0|33"},
    {IN_PIPELINE("SPRITE_COORDS TEXCOORD %s"), "0|1|7", "32|33|-1"},
    {IN_PIPELINE("SUBGROUP fs\nREQUIRED_SIZE %s\nEND"), "1|2|4|32|64|128|MIN|MAX", "0|3|6|127|129|256"},
    {IN_PIPELINE("VIEWPORT %s 0 SIZE 1 1"), "-32768|32768", "-32769|32769|nan|inf"},
    {IN_PIPELINE("VIEWPORT 0 %s SIZE 1 1"), "-32768|32768", "-32769|32769|nan"},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE %s 1"), "-32768|32768", "-32769|32769|nan"},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE 1 %s"), "-32768|32768", "-32769|32769|nan"},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE 1 1 MIN_DEPTH %s"), "0|1|0.5", "-0.01|1.01|nan"},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE 1 1 MAX_DEPTH %s"), "0|1|0.5", "-0.01|1.01|nan"},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE 1 1 INDEX %s"), "0|15", "16|-1"},
    {IN_PIPELINE("STENCIL front\nREFERENCE %s\nEND"), "0|255", "256|-1"},
    {IN_PIPELINE("STENCIL front\nCOMPARE_MASK %s\nEND"), "0|255", "256|-1"},
    {IN_PIPELINE("STENCIL front\nWRITE_MASK %s\nEND"), "0|255", "256|-1"},
    {IN_PIPELINE("BIND BUFFER fb AS color LOCATION %s"), "0|7", "8|-1"},
    {BOUND("storage DESCRIPTOR_SET %s BINDING 0"), "0|4096", "4097|-1"},
    {BOUND("storage DESCRIPTOR_SET 0 BINDING %s"), "0|4096", "4097|-1"},
    {BOUND("storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_OFFSET %s"), "0|1073741824", "1073741825|-1"},
    {BOUND("storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_RANGE %s"), "-1|4|1073741824", "1073741825|-2"},
    {BOUND("uniform_dynamic DESCRIPTOR_SET 0 BINDING 0 OFFSET %s"), "0|1073741824", "1073741825|-1"},
    {BOUND("storage KERNEL ARG_NUMBER %s"), "0|4096", "4097|-1"},
    {THINGS
     "IMAGE i FORMAT R8_UNORM DIM_2D WIDTH 16 HEIGHT 16 MIP_LEVELS 5\nPIPELINE graphics p\nATTACH vs\nATTACH fs\n"
     "BIND BUFFER i AS sampled_image DESCRIPTOR_SET 0 BINDING 0 BASE_MIP_LEVEL %s\nEND\n",
     "0|4", "5|15|16"},
    {IN_PIPELINE("VERTEX_DATA u LOCATION %s"), "0|4096", "4097|-1"},
    {IN_PIPELINE("VERTEX_DATA u LOCATION 0 OFFSET %s"), "0|1073741824", "1073741825|-1"},
    {IN_PIPELINE("VERTEX_DATA u LOCATION 0 STRIDE %s"), "1|1073741824", "0|1073741825|-1"},
    {COMPILED "PIPELINE compute p\nATTACH cs SPECIALIZE 1 AS uint32 %s\nEND\n",
     "0|4294967295|-1", "4294967296|-2147483649|1.5"},
    {COMPILED "PIPELINE compute p\nATTACH cs SPECIALIZE 1 AS float %s\nEND\n",
     "0.5|3.4e38|inf", "3.5e38"},
    {THINGS "PIPELINE graphics p\nATTACH vs\nATTACH fs SPECIALIZE %s AS uint32 1\nEND\n", "0|4294967295",
     "4294967296|-1"},
    /* Commands. */
    {RUNNABLE "CLEAR_COLOR p %s 0 0 0\n", "0|255|0.5", "-0.5|255.5|256|nan"},
    {RUNNABLE "CLEAR_COLOR p 0 %s 0 0\n", "0|255", "-0.5|256"},
    {RUNNABLE "CLEAR_COLOR p 0 0 %s 0\n", "0|255", "-0.5|256"},
    {RUNNABLE "CLEAR_COLOR p 0 0 0 %s\n", "0|255", "-0.5|256"},
    {RUNNABLE "CLEAR_DEPTH p %s\n", "0|1|0.5", "-0.01|1.01|nan"},
    {RUNNABLE "CLEAR_STENCIL p %s\n", "0|255", "256|-1"},
    {RUNNABLE "RUN p DRAW_RECT POS %s 0 SIZE 1 1\n", "0|16384", "16385|-1"},
    {RUNNABLE "RUN p DRAW_RECT POS 0 %s SIZE 1 1\n", "0|16384", "16385|-1"},
    {RUNNABLE "RUN p DRAW_RECT POS 0 0 SIZE %s 1\n", "0|16384", "16385|-1"},
    {RUNNABLE "RUN p DRAW_RECT POS 0 0 SIZE 1 %s\n", "0|16384", "16385|-1"},
    {RUNNABLE "RUN p DRAW_GRID POS 0 0 SIZE 1 1 CELLS %s 1\n", "1|16384", "0|16385"},
    {RUNNABLE "RUN p DRAW_GRID POS 0 0 SIZE 1 1 CELLS 1 %s\n", "1|16384", "0|16385"},
    {RUNNABLE "RUN p DRAW_GRID POS 0 0 SIZE 1 1 CELLS 2048 %s\n", "2048", "2049"},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST COUNT %s\n", "1|2147483647", "0|2147483648|-1"},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST COUNT 3 START_IDX %s\n", "0|2147483647", "2147483648|-1"},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST COUNT 3 START_INSTANCE %s\n", "0|2147483647", "2147483648|-1"},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST COUNT 3 INSTANCE_COUNT %s\n", "1|2147483647", "0|2147483648"},
    {DRAWN "RUN p DRAW_ARRAY AS POINT_LIST COUNT %s\n", "1|4", "5"},
    {DRAWN "RUN p DRAW_ARRAY AS POINT_LIST START_IDX %s\n", "0|3", "4|5"},
    {DRAWN "RUN p DRAW_ARRAY AS POINT_LIST START_IDX 2 COUNT %s\n", "1|2", "3"},
    {INDEXED "RUN p DRAW_ARRAY AS POINT_LIST INDEXED COUNT %s\n", "1|6", "7"},
    {INDEXED "RUN p DRAW_ARRAY AS POINT_LIST INDEXED START_IDX %s\n", "0|5", "6"},
    {DISPATCH "RUN c %s 1 1\n", "0|1|65535", "65536|-1"},
    {DISPATCH "RUN c 1 %s 1\n", "0|1|65535", "65536|-1"},
    {DISPATCH "RUN c 1 1 %s\n", "0|1|65535", "65536|-1"},
    {DISPATCH "RUN c 32768 32768 %s\n", "0|1", "2"},
    {DISPATCH "RUN c 32768 1 %s\n", "32768", "32769"},
    {RUNNABLE "REPEAT %s\nCLEAR p\nEND\n", "1|1048576", "0|1048577|-1"},
    {RUNNABLE "REPEAT 1024\nREPEAT %s\nCLEAR p\nEND\nEND\n", "1|1024", "1025"},
    {RUNNABLE "REPEAT 1024\nREPEAT 1024\nEND\nREPEAT %s\nCLEAR p\nEND\nEND\n", "1024", "1025"},
    {RUNNABLE "REPEAT 1024\nCLEAR p\nEND\nREPEAT %s\nCLEAR p\nEND\n", "1048576", "1048577"},
    /* Expectations. */
    {RUNNABLE "EXPECT u IDX %s EQ 0\n", "0|12|15", "16|17|1073741825"},
    {RUNNABLE "EXPECT fb IDX %s 0 SIZE 1 1 EQ_RGB 1 2 3\n", "0|249", "250|251"},
    {RUNNABLE "EXPECT fb IDX 0 %s SIZE 1 1 EQ_RGB 1 2 3\n", "0|249", "250|16385"},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE %s 1 EQ_RGB 1 2 3\n", "1|250", "0|251|16385"},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 %s EQ_RGB 1 2 3\n", "1|250", "0|251|16385"},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 1 EQ_RGB %s 2 3\n", "0|255|0.5", "-0.5|255.5|nan"},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 1 EQ_RGB 1 2 %s\n", "0|255", "-0.5|256|1 2"},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 1 EQ_RGBA 1 2 3 %s\n", "0|255", "-0.5|256|1 2"},
    {RUNNABLE "EXPECT u IDX 0 TOLERANCE %s EQ 1\n", "0|0.5|5%|5 %|1 2 3 4|1% 2 3% 4", "-0.5|1 2 3 4 5|nan|%|x"},
    {RUNNABLE "EXPECT u IDX 0 TOLERANCE 1 %s 1\n", "EQ", "NE|LT|LE|GT|GE"},
    {RUNNABLE "EXPECT u IDX 0 %s 1\n", "EQ|NE|LT|LE|GT|GE", "EQ_RGB|EQ_RGBA|EQ_BUFFER|RMSE_BUFFER"},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 1 %s 1 2 3\n", "EQ_RGB", "EQ|NE|LT|LE|GT|GE|EQ_RGBA|EQ_BUFFER"},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 1 %s 1 2 3 4\n", "EQ_RGBA", "EQ|EQ_RGB"},
    {RUNNABLE "BUFFER v DATA_TYPE float SIZE %s FILL 0\nEXPECT u EQ_BUFFER v\n", "4", "3|5"},
    {RUNNABLE "BUFFER v DATA_TYPE %s SIZE 4 FILL 0\nEXPECT u EQ_BUFFER v\n", "float", "int32|double|vec2<float>|uint8"},
    {HEAD "BUFFER a DATA_TYPE float WIDTH 2 HEIGHT 3 FILL 0\nBUFFER b DATA_TYPE float WIDTH %s FILL 0\n"
          "EXPECT a EQ_BUFFER b\n",
     "2 HEIGHT 3", "3 HEIGHT 2|6 HEIGHT 1|2 HEIGHT 4|1 HEIGHT 3"},
    {RUNNABLE "BUFFER v DATA_TYPE float SIZE 4 FILL 0\nEXPECT u RMSE_BUFFER v TOLERANCE %s\n", "0|1.5", "1 2|1%|-1|x"},
    /* VkScript. */
    {"[require]\nfbsize %s 4\n" VK "draw rect -1 -1 2 2\n", "1|16384", "0|16385"},
    {"[require]\nfbsize 4 %s\n" VK "draw rect -1 -1 2 2\n", "1|16384", "0|16385"},
    {"[require]\nfence_timeout %s\n" VK "draw rect -1 -1 2 2\n", "0|4294967295", "4294967296|-1"},
    {VK "clear stencil %s\n", "0|255", "256|-1"},
    {VK "draw arrays TRIANGLE_LIST %s 3\n", "0|2147483647", "2147483648|-1"},
    {VK "draw arrays TRIANGLE_LIST 0 %s\n", "1|2147483647", "2147483648|-1"},
    {VK "draw arrays instanced TRIANGLE_LIST 0 3 %s\n", "1|2147483647", "2147483648|-1"},
    {VK "patch parameter vertices %s\n", "1|32", "33|-1"},
    {VK "probe rect rgba %s 0 1 1 0 0 0 0\n", "0|249", "250|16385|-1|nan"},
    {VK "probe rect rgba 0 0 %s 1 0 0 0 0\n", "1|250", "251|16385|-1|nan"},
    {VK_COMPUTE "compute %s 1 1\n", "0|1|65535", "65536|-1"},
    {VK_COMPUTE "compute 1 %s 1\n", "0|1|65535", "65536|-1"},
    {VK_COMPUTE "compute 1 1 %s\n", "0|1|65535", "65536|-1"},
    {VK_COMPUTE "ssbo %s 16\ncompute 1 1 1\n", "0|4096|0:0|4096:4096",
     "4097|0:4097|4097:0|:0|0:|-1|0:-1|1:2:3|a:0|0:a"},
    {VK_COMPUTE "ssbo 0 %s\ncompute 1 1 1\n", "0|1073741824", "1073741825|-1"},
    {VK_COMPUTE "ssbo 0 subdata uint8_t 0 1 %s\ncompute 1 1 1\n", "255|-128", "256|-129|0.5"},
    {VK_COMPUTE "ssbo 0 subdata float 0 %s\ncompute 1 1 1\n", "3.4e38|inf", "3.5e38"},
    {VK_COMPUTE "ssbo 0 subdata uint8_t %s 1\ncompute 1 1 1\n", "0|1073741823", "1073741824|-1"},
    {VK_COMPUTE "ssbo 0 subdata float %s 1 2\ncompute 1 1 1\n", "0|1073741816", "1073741817|1073741820"},
    {VK_COMPUTE "ssbo 0 subdata vec2 0 %s\ncompute 1 1 1\n", "1 2|1 2 3 4", "1|1 2 3"},
};

static bool accepted(const char *format, const char *word, size_t length)
{
    const char *at = strstr(format, "%s");
    assert_non_null(at);
    assert_null(strstr(at + 2, "%s"));
    size_t size = strlen(format) + length + 1;
    char *text = malloc(size);
    snprintf(text, size, "%.*s%.*s%s", (int)(at - format), format, (int)length, word, at + 2);
    struct arena a = {0};
    struct source src = {"test.script", text, strlen(text)};
    struct script *s = NULL;
    weft_diags *d = weft_diags_new();
    weft_status status = script_parse(&src, &a, &s, d);
    assert_true(status == WEFT_OK ? !weft_diags_errors(d) : status == WEFT_ERROR_INPUT && weft_diags_errors(d) == 1);
    weft_diags_free(d);
    arena_free(&a);
    free(text);
    return status == WEFT_OK;
}

static unsigned judged_otherwise(const char *format, const char *words, bool wanted)
{
    unsigned wrong = 0;
    for (size_t length; *words; words += length + (words[length] == '|')) {
        length = strcspn(words, "|");
        if (accepted(format, words, length) == wanted)
            continue;
        print_message("%s\nwith '%.*s' is %s\n", format, (int)length, words, wanted ? "refused" : "accepted");
        wrong++;
    }
    return wrong;
}

static void each_number_has_its_ends(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        wrong += judged_otherwise(limits[i].text, limits[i].good, true) +
                 judged_otherwise(limits[i].text, limits[i].bad, false);
    assert_int_equal(wrong, 0);
}

/* `count` times `each` between `head` and `tail`, then as many times `end`. */
static bool nested(const char *head, const char *each, unsigned count, const char *middle, const char *end)
{
    size_t size = strlen(head) + strlen(middle) + count * (strlen(each) + strlen(end) + 20) + 10;
    char *text = malloc(size);
    size_t n = (size_t)snprintf(text, size, "%s", head);
    for (unsigned i = 0; i < count; i++)
        n += (size_t)snprintf(text + n, size - n, each, i, i - 1);
    n += (size_t)snprintf(text + n, size - n, "%s", middle);
    for (unsigned i = 0; i < count; i++)
        n += (size_t)snprintf(text + n, size - n, "%s", end);
    snprintf(text + n, size - n, "%%s");
    bool is = accepted(text, "", 0);
    free(text);
    return is;
}

static void blocks_nest_so_deep(void **state)
{
    (void)state;
    assert_true(nested(RUNNABLE, "REPEAT 1\n", 16, "CLEAR p\n", "END\n"));
    assert_false(nested(RUNNABLE, "REPEAT 1\n", 17, "CLEAR p\n", "END\n"));
    assert_true(nested(HEAD "STRUCT s0\nfloat a\nEND\n", "", 0, "STRUCT s1\ns0 a\nEND\n", ""));
    const char *more = "STRUCT t%u\nt%u a\nEND\n";
    assert_true(nested(HEAD "STRUCT t4294967295\nfloat a\nEND\n", more, 15, "", ""));
    assert_false(nested(HEAD "STRUCT t4294967295\nfloat a\nEND\n", more, 16, "", ""));
}

static void so_many_parts(void **state)
{
    (void)state;
    assert_true(nested(HEAD, "DEVICE_EXTENSION x%u\n", 16384, "", ""));
    assert_false(nested(HEAD, "DEVICE_EXTENSION x%u\n", 16385, "", ""));
}

TEST_MAIN(TEST(each_number_has_its_ends), TEST(blocks_nest_so_deep), TEST(so_many_parts))
