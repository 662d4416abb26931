/* Scripts with one thing wrong in them: they are parsed, or refused with an error that lies in the text, and what no
 * language has is noticed where it is. The scripts are the examples of the guides, which have each command. Messages
 * are those that damage.txt has numbers of; WEFT_TEST_RENEW=1 writes it anew. */
#include "told.h"

#include "script/script.h"

struct seen {
    const char *text; /* without damage */
    size_t refused, accepted;
    struct told told;
};

static struct told_list list;

/* Whether the word is the first one of a line that the script itself reads: not of a shader or a file within it. Of
 * VkScript a line of tests. */
static bool is_keyword(const struct seen *s, const struct damaged *d)
{
    const char *line = s->text, *test = strstr(s->text, "[test]\n");
    bool in_text = false;
    if (test)
        return d->at > (size_t)(test - s->text) && d->at && s->text[d->at - 1] == '\n';
    for (uint32_t n = 1; n < d->line; n++, line = strchr(line, '\n') + 1) {
        size_t length = strcspn(line, "\n");
        bool begins = (strncmp(line, "SHADER ", 7) == 0 || strncmp(line, "VIRTUAL_FILE ", 13) == 0) &&
                      strncmp(line + length - 11, "PASSTHROUGH", 11) != 0 && !memmem(line, length, "FILE ", 5);
        begins |= strncmp(line, "VIRTUAL_FILE ", 13) == 0;
        in_text = begins || (in_text && !(length == 3 && strncmp(line, "END", 3) == 0));
    }
    return !in_text && d->at == (size_t)(line - s->text) + strspn(line, " ");
}

static void judge(const struct damaged *d, void *user)
{
    struct seen *s = user;
    struct arena arena = {0};
    struct source src = {DAMAGED_NAME, d->text, d->size};
    struct script *script;
    weft_diags *diags = weft_diags_new();
    weft_status status = script_parse(&src, &arena, &script, diags);
    told_begin(&s->told, d);
    told_messages(&s->told, diags);
    assert_true((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    for (size_t i = 0; weft_diags_get(diags, i); i++)
        damage_judge_place(d, weft_diags_get(diags, i));
    const weft_diag *first = weft_diags_get(diags, 0);
    if (d->nonsense && is_keyword(s, d) && (!first || first->line != d->line))
        fail_msg("nonsense in line %u: line %u: %s\n%s", d->line, first ? first->line : 0,
                 first ? first->message : "accepted", d->text);
    s->accepted += status == WEFT_OK;
    s->refused += status != WEFT_OK;
    weft_diags_free(diags);
    arena_free(&arena);
}

static void damage_script(const char *name, const char *text, size_t size)
{
    struct arena arena = {0};
    struct source src = {DAMAGED_NAME, text, size};
    struct script *script;
    struct seen s = {.text = text, .told.name = name};
    weft_diags *diags = weft_diags_new();
    if (script_parse(&src, &arena, &script, diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(diags, 0)->message);
    weft_diags_free(diags);
    arena_free(&arena);
    size_t made = damage_each(text, size, "#", judge, &s);
    printf("# %.*s: %zu texts, %zu accepted, %zu refused\n", (int)strcspn(text, "\n"), text, made, s.accepted,
           s.refused);
    assert_int_equal(made, s.accepted + s.refused);
    assert_true(s.refused > 0);
    told_end(&list, &s.told);
}

/* The blocks of a guide: one that begins with `head` begins a script, those after it go on with it. */
static void damage_guide(const char *file, const char *fence, const char *head)
{
    char path[1024], name[200];
    size_t size, scripts = 0;
    snprintf(path, sizeof path, "%s/%s", WEFT_SOURCE_ROOT, file);
    char *guide = damage_read(path, &size), *script = calloc(1, size + 1), *end;
    for (char *at = guide; (at = strstr(at, fence)) != NULL; at = end) {
        at += strlen(fence);
        end = strstr(at, "```\n");
        assert_non_null(end);
        if (strncmp(at, head, strlen(head)) == 0 && *script) {
            snprintf(name, sizeof name, "%s, example %zu", file, ++scripts);
            damage_script(name, script, strlen(script));
            *script = 0;
        }
        strncat(script, at, (size_t)(end - at));
        end += 4;
    }
    snprintf(name, sizeof name, "%s, the last example", file);
    damage_script(name, script, strlen(script));
    assert_true(scripts > 5);
    free(script);
    free(guide);
}

static void test_amberscript(void **state)
{
    (void)state;
    damage_guide("docs/amberscript.md", "```amber\n", "#!amber\n");
}

#define SHADERS                                                                                                        \
    "[vertex shader passthrough]\n[fragment shader]\nvoid main() {}\n[geometry shader spirv]\n; text\n"                \
    "[tessellation control shader spirv]\n; text\n[tessellation evaluation shader spirv]\n; text\n"

static const char drawing[] =
    "[require]\nframebuffer R8G8B8A8_UNORM\ndepthstencil D24_UNORM_S8_UINT\nfbsize 30 20\nfence_timeout 77\n"
    "geometryShader\n" SHADERS "[vertex data]\n0/R32G32_SFLOAT 1/ubyte/uvec4 2/double/dvec2 3/int/ivec3 4/half/vec2\n"
    "-1 -1  255 0 0 1  0.5 2  -7 8 9  1 0x3c00\n[indices]\n0 0 0\n[test]\nclear color 0.5 0 1 0.25\n"
    "clear depth 0.5\nclear stencil 7\nclear\ndepthTestEnable true\nlogicOp VK_LOGIC_OP_XOR\n"
    "colorWriteMask VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_A_BIT\n"
    "cullMode VK_CULL_MODE_FRONT_BIT | VK_CULL_MODE_BACK_BIT\nfrontFace VK_FRONT_FACE_CLOCKWISE\n"
    "depthBiasConstantFactor -0.5\nfront.compareMask 255\nsrcColorBlendFactor VK_BLEND_FACTOR_ONE\n"
    "topology VK_PRIMITIVE_TOPOLOGY_PATCH_LIST\nlineWidth 2\ndraw rect 0 0 1 1\ndraw rect ortho patch 0 0 15 10\n"
    "draw arrays TRIANGLE_LIST 0 3\ndraw arrays indexed instanced POINT_LIST 0 3 2\npatch parameter vertices 4\n"
    "vertex entrypoint main\nfragment entrypoint f\ngeometry entrypoint g\ntessellation control entrypoint c\n"
    "tessellation evaluation entrypoint e\ntolerance 1% 0.5 2 3%\nprobe all rgba 0 0.5 1 1\n"
    "probe rect rgb (1, 2, 3, 4) (0, 1, 0)\nprobe rgb (3, 4) (0, 1, 0.5)\nrelative probe rgba (0.5, 0.25) (1 1 1 1)\n"
    "relative probe rect rgb (0, 0, 1, 1) (0.5 0 0)\n";

static const char computing[] =
    "[comment]\nnothing\n[compute shader spirv hex]\n07230203\n[test]\nssbo 0:3 64\nssbo 3 subdata uint 0 1 2 \\\n"
    "3\nssbo 1 subdata mat2x3 64 1 2 3 4 5 6\nssbo 2 subdata u8vec4 0 1 2 3 4\nssbo 2 subdata f16vec2 8 1 2\n"
    "uniform vec4 0 1.5 2 3 4\nuniform ubo 0:7 dmat2 0 1 2 3 4\nuniform ubo 5 int64_t 16 -1\ncompute entrypoint other\n"
    "compute 1 2 3\ntolerance 0.01\nprobe ssbo uint 3 0 == 7 14\nprobe ssbo vec2 0:3 32 ~= 1 0.5\n"
    "probe ssbo i16vec2 2 0 >= 1 2\nprobe ssbo double 1 8 < 1\n";

static void test_vkscript(void **state)
{
    (void)state;
    damage_script("drawing", drawing, strlen(drawing));
    damage_script("computing", computing, strlen(computing));
}

static void are_as_they_were(void **state)
{
    (void)state;
    told_compare(WEFT_SOURCE_ROOT "/tests/script/damage.txt", &list);
}

TEST_MAIN(TEST(test_amberscript), TEST(test_vkscript), TEST(are_as_they_were))
