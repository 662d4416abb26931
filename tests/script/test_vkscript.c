/* test_vkscript.c - VkScript: what its sections and commands become, and what its errors say. */
#include "isa/isa.h"
#include "script/script.h"
#include "test.h"

struct parsed {
    struct arena arena;
    struct source source;
    struct script *script;
    weft_diags *diags;
    weft_status status;
};

static void parse(struct parsed *p, const char *text)
{
    *p = (struct parsed){.source = {"test.vkscript", text, strlen(text)}, .diags = weft_diags_new()};
    p->status = script_parse(&p->source, &p->arena, &p->script, p->diags);
    for (size_t i = 0; p->status != WEFT_OK && i < weft_diags_count(p->diags); i++)
        print_message("# line %u: %s\n", weft_diags_get(p->diags, i)->line, weft_diags_get(p->diags, i)->message);
}

static void drop(struct parsed *p)
{
    weft_diags_free(p->diags);
    arena_free(&p->arena);
}

#define FRAGMENT "[fragment shader]\n#version 450\nvoid main() {}\n"
#define PASS     "[vertex shader passthrough]\n" FRAGMENT
#define COMPUTE  "[compute shader]\n#version 450\nvoid main() {}\n"

static void sections_become_a_job(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p, "# a comment\n[require]\nframebuffer R32G32B32A32_SFLOAT\ndepthstencil D24_UNORM_S8_UINT\nfbsize 30 20\n"
              "geometryShader\nVK_KHR_no_such_thing\nfence_timeout 77\n" PASS
              "[geometry shader spirv]\n; text [of] it\n[test]\nclear\n");
    assert_int_equal(p.status, WEFT_OK);
    const struct script *s = p.script;
    assert_int_equal(s->nrequirements, 2);
    assert_true(s->requirements[0].has);
    assert_false(s->requirements[1].has);
    assert_int_equal(s->fence_timeout_ms, 77);
    assert_int_equal(s->nshaders, 3);
    assert_int_equal(s->shaders[0]->language, SCRIPT_PASSTHROUGH);
    assert_int_equal(s->shaders[1]->language, SCRIPT_GLSL);
    assert_int_equal(s->shaders[2]->language, SCRIPT_TEXT);
    assert_int_equal(s->shaders[2]->stage, WEFT_GEOMETRY);
    assert_int_equal(s->shaders[2]->text_size, strlen("; text [of] it\n"));
    assert_memory_equal(s->shaders[2]->text, "; text [of] it\n", s->shaders[2]->text_size);
    assert_int_equal(s->npipelines, 1);
    const struct script_pipeline *pipe = s->pipelines[0];
    assert_false(pipe->compute);
    assert_int_equal(pipe->width, 30);
    assert_int_equal(pipe->nbindings, 2);
    assert_int_equal(pipe->bindings[0].as, SCRIPT_BIND_COLOR);
    assert_string_equal(pipe->bindings[0].buffers[0]->format->name, "R32G32B32A32_SFLOAT");
    assert_int_equal(pipe->bindings[0].buffers[0]->height, 20);
    assert_string_equal(pipe->bindings[1].buffers[0]->format->name, "D24_UNORM_S8_UINT");
    assert_int_equal(s->ncommands, 4); /* three values and CLEAR */
    assert_int_equal(s->commands[3].kind, SCRIPT_CLEAR);
    drop(&p);
}

static void defaults(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p, PASS "[test]\ndraw rect -1 -1 2 2\n");
    assert_int_equal(p.status, WEFT_OK);
    const struct script_pipeline *pipe = p.script->pipelines[0];
    assert_int_equal(pipe->width, 250);
    assert_int_equal(pipe->height, 250);
    assert_string_equal(pipe->bindings[0].buffers[0]->format->name, "B8G8R8A8_UNORM");
    assert_true(p.script->commands[0].rect.free);
    assert_true(p.script->commands[0].rect.box[3] > 1.9f);
    drop(&p);
}

static void buffers_are_as_large_as_commands_ask(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p, COMPUTE "[test]\nssbo 2:1 100\nssbo 4 subdata vec3 16 1 2 3 4 5 6\nuniform ubo 0:9 mat3x2 0 1 2 3 4 5 6\n"
                      "uniform int8_t 3 -1\ncompute 1 2 3\nprobe ssbo ivec2 4 0 >= 1 -2\n");
    assert_int_equal(p.status, WEFT_OK);
    const struct script *s = p.script;
    const struct script_pipeline *pipe = s->pipelines[0];
    assert_true(pipe->compute);
    assert_int_equal(pipe->nbindings, 4);
    assert_int_equal(pipe->bindings[0].set, 2);
    assert_int_equal(pipe->bindings[0].binding, 1);
    assert_int_equal(pipe->bindings[0].buffers[0]->elements, 100);
    assert_int_equal(pipe->bindings[1].buffers[0]->elements, 16 + 16 + 12);
    assert_int_equal(pipe->bindings[2].as, SCRIPT_BIND_UNIFORM);
    assert_int_equal(pipe->bindings[2].buffers[0]->elements, 2 * 16 + 8); /* std140 */
    assert_int_equal(pipe->bindings[3].as, SCRIPT_BIND_PUSH_CONSTANT);
    assert_int_equal(pipe->bindings[3].buffers[0]->elements, 4);
    assert_int_equal(s->ncommands, 5);
    assert_int_equal(s->commands[0].kind, SCRIPT_WRITE);
    assert_int_equal(s->commands[0].write.offset, 16);
    assert_int_equal(s->commands[0].write.nvalues, 6);
    assert_int_equal(s->commands[3].kind, SCRIPT_RUN_COMPUTE);
    assert_int_equal(s->commands[3].groups[2], 3);
    assert_int_equal(s->commands[4].expect.comparator, SCRIPT_GE);
    assert_int_equal(s->commands[4].expect.nvalues, 2);
    drop(&p);
}

static void a_state_is_a_pipeline(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p,
          PASS "[test]\ndraw rect -1 -1 2 2\ndepthTestEnable true\nfront.compareOp VK_COMPARE_OP_LESS\n"
               "draw rect -1 -1 1 1\npatch parameter vertices 7\nfragment entrypoint other\ndraw rect patch 0 0 1 1\n"
               "ssbo 0 8\n");
    assert_int_equal(p.status, WEFT_OK);
    const struct script *s = p.script;
    assert_int_equal(s->npipelines, 3);
    assert_false(s->commands[0].pipeline->has_depth);
    assert_true(s->commands[1].pipeline->depth_test);
    assert_int_equal(s->commands[1].pipeline->stencil[0].compare, SCRIPT_LESS);
    assert_int_equal(s->commands[1].pipeline->stencil[1].compare, SCRIPT_ALWAYS);
    assert_string_equal(s->commands[1].pipeline->shaders[1].entry_point, "main");
    assert_int_equal(s->commands[2].pipeline->patch_control_points, 7);
    assert_string_equal(s->commands[2].pipeline->shaders[1].entry_point, "other");
    assert_true(s->commands[2].rect.patch);
    for (int i = 0; i < 3; i++)
        assert_int_equal(s->pipelines[i]->nbindings, 2); /* a buffer is for all of them, wherever it is named */
    drop(&p);
}

static void vertices_and_indices(void **state)
{
    (void)state;
    struct parsed p;
    parse(
        &p, PASS
        "[vertex data]\n0/float/vec2 3/R8G8B8_UNORM # two\n\n1 2  255 0 1\n-1 -2  3 2 1\n[indices]\n0 1\n# more\n1 0\n"
        "[test]\ndraw arrays indexed instanced GL_LINES 1 2 3\nprobe (0, 0) (1 1 1)\n");
    assert_int_equal(p.status, WEFT_ERROR_INPUT); /* rgb or rgba is missing */
    const struct script_pipeline *pipe = p.script->pipelines[0];
    assert_int_equal(pipe->nvertex_data, 2);
    assert_string_equal(pipe->vertex_data[0].format->name, "R32G32_SFLOAT");
    assert_int_equal(pipe->vertex_data[1].location, 3);
    assert_int_equal(pipe->vertex_data[1].buffer->elements, 2);
    assert_int_equal(pipe->index_data->elements, 4);
    const struct script_command *c = &p.script->commands[0];
    assert_int_equal(c->array.topology, SCRIPT_LINE_LIST);
    assert_true(c->array.indexed);
    assert_int_equal(c->array.first, 0);
    assert_int_equal(c->array.base_vertex, 1);
    assert_int_equal(c->array.instances, 3);
    drop(&p);
}

static const struct {
    const char *text, *message;
} errors[] = {
    {"[vertx shader]\n", "there is no section 'vertx shader' in VkScript"},
    {PASS "[test]\ncullMode VK_CULL_MODE_FRONT_BIT |\n", "expected a VK_CULL_MODE, found the end of the line"},
    {"[fragment shader passthrough]\n", "there is no section 'fragment shader passthrough' in VkScript"},
    {PASS "[test]\ndrw rect\n", "expected a command of VkScript, found 'drw'"},
    {PASS "[test]\ndraw rect 0 0 1\n", "expected x, y, width and height, found the end of the line"},
    {PASS "[test]\ndraw arrays SQUARES 0 3\n", "expected indexed, instanced or a topology, found 'SQUARES'"},
    {PASS "[test]\ndepthTestEnable on\n", "expected true or false, found 'on'"},
    {PASS "[test]\ndepthCompareOp LESS\n", "expected depthCompareOp, found 'LESS'"},
    {PASS "[test]\nclear now\n", "expected the end of the line after the command, found 'now'"},
    {PASS "[test]\ncompute 1 1 1\n", "there is no compute shader"},
    {PASS "[test]\ngeometry entrypoint main\n", "there is no geometry shader"},
    {PASS "[test]\nprobe rect rgb (0, 0, 1, 1) (1 1)\n", "expected a part of a colour, found the end of the line"},
    {PASS "[test]\nrelative probe rgb (-1, 0) (1 1 1)\n", "there are no such pixels"},
    {PASS "[test]\ntolerance 1 2\n", "there are one or four tolerances"},
    {COMPUTE "[test]\nssbo x 5\n", "expected a binding, or SET:BINDING, found 'x'"},
    {COMPUTE "[test]\nssbo 0 subdata vec5 0 1\n", "expected a data type, such as int, vec4 or mat2x3, found 'vec5'"},
    {COMPUTE "[test]\nssbo 0 subdata vec2 0 1 2 3\n", "3 values are not a multiple of the 2 of the type"},
    {COMPUTE "[test]\nssbo 0 2000000000\n", "a size in bytes, or subdata is at most 1073741824"},
    {COMPUTE "[test]\nprobe ssbo int 0 0 = 1\n", "expected ==, !=, <, <=, >, >= or ~=, found '='"},
    {COMPUTE "[test]\ndraw rect 0 0 1 1\n", "a compute shader does not draw"},
    {COMPUTE "[test]\nclear\n", "a compute shader has no framebuffer"},
    {COMPUTE COMPUTE "[test]\n", "there is a compute shader already"},
    {COMPUTE FRAGMENT "[test]\n", "a compute shader is alone in a script"},
    {FRAGMENT "[test]\ndraw rect 0 0 1 1\n", "there is no vertex shader to draw with"},
    {PASS "[vertex data]\n0:R8_UNORM\n", "expected LOCATION/FORMAT or LOCATION/GL_TYPE/GLSL_TYPE, found '0:R8_UNORM'"},
    {PASS "[vertex data]\n0/R8_UNRM\n1\n", "there is no format 'R8_UNRM'"},
    {PASS "[vertex data]\n0/R8_UNORM\n1 2\n", "expected the end of the line after a row of vertex data, found '2'"},
    {PASS "[indices]\n1 two\n", "expected an index, found 'two'"},
    {"[require]\nfbsize 0 5\n" PASS, "a framebuffer has at least one pixel"},
    {"[require]\ndepthstencil D16_UNORM\ndepthstencil D16_UNORM\n" PASS, "there is a depthstencil already"},
    {"[require]\nfbsize x 5\n" PASS, "expected a width, found 'x'"},
    {"[require]\nfbsize 5 x\n" PASS, "expected a height, found 'x'"},
    {"[require]\nGLSL >= 1.30\n" PASS,
     "this is a test of OpenGL, as Piglit and shader-db have them: weft reads those of VkRunner"},
    {"[require]\nfbsize 5 5 5\n" PASS, "expected the end of the line after a requirement, found '5'"},
    {"[require]\nframebuffer R8_UNRM\n" PASS, "unknown format 'R8_UNRM'"},
    {"[require]\ndepthstencil D16\n" PASS, "unknown format 'D16'"},
    {"[require]\nfence_timeout soon\n" PASS, "expected a time in milliseconds, found 'soon'"},
    {PASS "[test]\ndraw circle\n", "expected rect or arrays, found 'circle'"},
    {PASS "[test]\ndraw rect round 0 0 1 1\n", "expected ortho, patch or x, found 'round'"},
    {PASS "[test]\ndraw arrays GL_TRIANGLES x 3\n", "expected a first vertex, found 'x'"},
    {PASS "[test]\ndraw arrays GL_TRIANGLES 0 x\n", "expected a number of vertices, found 'x'"},
    {PASS "[test]\ndraw arrays instanced GL_TRIANGLES 0 3 x\n", "expected a number of instances, found 'x'"},
    {PASS "[test]\nclear color 0 0 x 0\n", "expected a part of a colour, found 'x'"},
    {PASS "[test]\nclear depth x\n", "expected a depth, found 'x'"},
    {PASS "[test]\nclear stencil 256\n", "a stencil value is at most 255"},
    {PASS "[test]\nvertex entry main\n", "expected entrypoint, found 'entry'"},
    {PASS "[test]\nfragment entrypoint\n", "expected the name of an entry point, found the end of the line"},
    {PASS "[test]\ntessellation middle entrypoint main\n", "expected control or evaluation, found 'middle'"},
    {PASS "[test]\ntessellation control entrypoint main\n", "there is no tess-control shader"},
    {PASS "[test]\npatch vertices 3\n", "expected parameter, found 'vertices'"},
    {PASS "[test]\npatch parameter vertices 33\n", "a number of control points is at most 32"},
    {PASS "[test]\ntolerance x\n", "expected up to four tolerances, found 'x'"},
    {PASS "[test]\ntolerance 1 2 3 4 5\n", "expected up to four tolerances, found '5'"},
    {PASS "[test]\nprobe some rgb 1 1 1\n", "expected ssbo, all, rect, rgb or rgba, found 'some'"},
    {PASS "[test]\nprobe rgb (x, 0) (1 1 1)\n", "expected x, y, width and height, found 'x'"},
    {PASS "[test]\nrelative draw rect 0 0 1 1\n", "expected probe, found 'draw'"},
    {PASS "[test]\nuniform vec4 x 1 2 3 4\n", "expected an offset in bytes, found 'x'"},
    {PASS "[test]\nuniform vec4 0 x\n", "expected a value, found 'x'"},
    {PASS "[test]\nuniform vec4 1073741816 1 2 3 4\n", "'push constants' would be larger than 1024 MiB"},
    {PASS "[test]\nuniform ubo 0: vec4 0 1 2 3 4\n", "expected a binding, or SET:BINDING, found '0:'"},
    {COMPUTE "[test]\nssbo x:1 5\n", "expected a binding, or SET:BINDING, found 'x:1'"},
    {COMPUTE "[test]\nssbo 1.5 5\n", "expected a binding, or SET:BINDING, found '1.5'"},
    {COMPUTE "[test]\nssbo 0 many\n", "expected a size in bytes, or subdata, found 'many'"},
    {COMPUTE "[test]\ncompute 1 1 x\n", "expected a number of workgroups, found 'x'"},
    {COMPUTE "[test]\nprobe all rgb 1 1 1\n", "a compute shader has no framebuffer"},
    {COMPUTE "[test]\nprobe ssbo int 0 x == 1\n", "expected an offset in bytes, found 'x'"},
    {COMPUTE "[test]\nprobe ssbo ivec2 0 0 == 1 2 3\n", "3 values are not a multiple of the 2 of the type"},
    {PASS "[vertex data]\n0/R8_UNORM 0/float/vec5\n1 2\n", "there is no format 'float/vec5'"},
    {PASS "[vertex data]\n0/float/vec1\n1\n", "there is no format 'float/vec1'"},
    {PASS "[vertex data]\n0/floot/vec4\n1\n", "there is no format 'floot/vec4'"},
    {PASS "[vertex data]\nx/R8_UNORM\n1\n", "a location is a number from 0 to 4096"},
    {PASS "[vertex data]\n-1/R8_UNORM\n1\n", "a location is a number from 0 to 4096"},
    {PASS "[vertex data]\n0/R8_UNORM\nx\n", "expected a number, found 'x'"},
    {PASS "[vertex data]\n0/R8G8_UNORM\n1\n", "expected a number, found the end of the line"},
    {PASS "[test]\nlineWidth x\n", "expected lineWidth, found 'x'"},
    {PASS "[test]\nsrcColorBlendFactor VK_BLEND_FACTOR_TWO\n",
     "expected srcColorBlendFactor, found 'VK_BLEND_FACTOR_TWO'"},
    {PASS "[test]\ncolorWriteMask VK_COLOR_COMPONENT_X_BIT\n",
     "expected a VK_COLOR_COMPONENT bit, found 'VK_COLOR_COMPONENT_X_BIT'"},
    {PASS "[test]\nfront.failOp VK_STENCIL_OP_NONE\n", "expected front.failOp, found 'VK_STENCIL_OP_NONE'"},
    {PASS "[test]\nfront.reference x\n", "expected front.reference, found 'x'"},
};

static void every_error_says_what_is_wrong(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct source source = {"test.vkscript", errors[i].text, strlen(errors[i].text)};
        struct arena a = {0};
        struct script *s = NULL;
        weft_diags *d = weft_diags_new();
        weft_status status = script_parse(&source, &a, &s, d);
        const weft_diag *first = weft_diags_get(d, 0);
        if (status != WEFT_ERROR_INPUT || !first || strcmp(first->message, errors[i].message) != 0) {
            print_message("%s\nwanted: %s\nfound:  %s\n", errors[i].text, errors[i].message,
                          first ? first->message : "nothing");
            wrong++;
        }
        assert_true(!first || first->line > 0);
        if (weft_diags_errors(d) != 1) { /* one mistake is one error */
            print_message("%s\nhas %zu errors\n", errors[i].text, weft_diags_errors(d));
            wrong++;
        }
        weft_diags_free(d);
        arena_free(&a);
    }
    assert_int_equal(wrong, 0);
}

static void names_of_topologies(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum script_topology topology;
    } names[] = {{"GL_PATCHES", SCRIPT_PATCH_LIST},
                 {"PATCH_LIST", SCRIPT_PATCH_LIST},
                 {"GL_POINTS", SCRIPT_POINT_LIST},
                 {"POINT_LIST", SCRIPT_POINT_LIST},
                 {"GL_LINES", SCRIPT_LINE_LIST},
                 {"LINE_LIST", SCRIPT_LINE_LIST},
                 {"GL_LINES_ADJACENCY", SCRIPT_LINE_LIST_WITH_ADJACENCY},
                 {"LINE_LIST_WITH_ADJACENCY", SCRIPT_LINE_LIST_WITH_ADJACENCY},
                 {"GL_LINE_STRIP", SCRIPT_LINE_STRIP},
                 {"LINE_STRIP", SCRIPT_LINE_STRIP},
                 {"GL_LINE_STRIP_ADJACENCY", SCRIPT_LINE_STRIP_WITH_ADJACENCY},
                 {"LINE_STRIP_WITH_ADJACENCY", SCRIPT_LINE_STRIP_WITH_ADJACENCY},
                 {"GL_TRIANGLE_FAN", SCRIPT_TRIANGLE_FAN},
                 {"TRIANGLE_FAN", SCRIPT_TRIANGLE_FAN},
                 {"GL_TRIANGLES", SCRIPT_TRIANGLE_LIST},
                 {"TRIANGLE_LIST", SCRIPT_TRIANGLE_LIST},
                 {"GL_TRIANGLES_ADJACENCY", SCRIPT_TRIANGLE_LIST_WITH_ADJACENCY},
                 {"TRIANGLE_LIST_WITH_ADJACENCY", SCRIPT_TRIANGLE_LIST_WITH_ADJACENCY},
                 {"GL_TRIANGLE_STRIP", SCRIPT_TRIANGLE_STRIP},
                 {"TRIANGLE_STRIP", SCRIPT_TRIANGLE_STRIP},
                 {"GL_TRIANGLE_STRIP_ADJACENCY", SCRIPT_TRIANGLE_STRIP_WITH_ADJACENCY},
                 {"TRIANGLE_STRIP_WITH_ADJACENCY", SCRIPT_TRIANGLE_STRIP_WITH_ADJACENCY}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[200];
        struct parsed p;
        snprintf(text, sizeof text, PASS "[vertex data]\n0/float/vec2\n1 2\n[test]\ndraw arrays %s 0 1\n",
                 names[i].name);
        parse(&p, text);
        assert_int_equal(p.status, WEFT_OK);
        assert_int_equal(p.script->commands[0].array.topology, names[i].topology);
        drop(&p);
    }
}

static void words_of_states(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p, PASS "[test]\nlogicOpEnable true\nlogicOp VK_LOGIC_OP_SET\ncullMode VK_CULL_MODE_FRONT_BIT | "
                   "VK_CULL_MODE_BACK_BIT\ndraw rect -1 -1 2 2\ncullMode VK_CULL_MODE_NONE\nlogicOpEnable false\n"
                   "draw rect -1 -1 1 1\n");
    assert_int_equal(p.status, WEFT_OK);
    const struct script *s = p.script;
    assert_int_equal(s->npipelines, 2);
    assert_true(s->pipelines[0]->logic);
    assert_int_equal(s->pipelines[0]->logic_op, 15);
    assert_int_equal(s->pipelines[0]->cull, 3);
    assert_false(s->pipelines[1]->logic);
    assert_int_equal(s->pipelines[1]->cull, 0);
    drop(&p);
}

/* ---- types ---- */

/* How many numbers a value of the type has; 0: there is no such type. */
static unsigned numbers_of(const char *type)
{
    char text[200];
    snprintf(text, sizeof text, COMPUTE "[test]\nssbo 0 subdata %s 0 1 2 3 4 5 6 7\n", type); /* 7 numbers */
    weft_diags *d = weft_diags_new();
    struct arena a = {0};
    struct source src = {"a.shader_test", text, strlen(text)};
    struct script *s;
    unsigned numbers = 1;
    if (script_parse(&src, &a, &s, d) != WEFT_OK) {
        const char *said = weft_diags_get(d, 0)->message;
        if (sscanf(said, "7 values are not a multiple of the %u of the type", &numbers) != 1)
            numbers = strncmp(said, "expected a data type", 20) == 0 ? 0 : 99;
    }
    weft_diags_free(d);
    arena_free(&a);
    return numbers;
}

/* Every word of a beginning and up to three of these characters. */
static void types_have_sizes(void **state)
{
    static const char *const beginnings[] = {"vec", "ivec", "u8vec", "f16vec", "dvec", "mat", "dmat"};
    static const char ends[] = "0123456x";
    (void)state;
    for (unsigned b = 0; b < 7; b++)
        for (unsigned n = 0; n < 8 + 64 + 512; n++) {
            char word[20];
            int length = n < 8 ? 1 : n < 72 ? 2 : 3;
            unsigned k = n < 8 ? n : n < 72 ? n - 8 : n - 72;
            const char end[] = {ends[k % 8], length > 1 ? ends[k / 8 % 8] : '\0', length > 2 ? ends[k / 64] : '\0',
                                '\0'};
            snprintf(word, sizeof word, "%s%s", beginnings[b], end);
            bool first = end[0] >= '2' && end[0] <= '4', last = end[2] >= '2' && end[2] <= '4';
            unsigned columns = (unsigned)(end[0] - '0'), rows = (unsigned)(end[2] - '0');
            unsigned wanted = first && length == 1 ? (b < 5 ? columns : columns * columns) : 0;
            if (b >= 5 && length == 3 && first && end[1] == 'x' && last)
                wanted = columns * rows;
            if (numbers_of(word) != wanted)
                fail_msg("%s has %u numbers, not %u", word, numbers_of(word), wanted);
        }
}

TEST_MAIN(TEST(types_have_sizes), TEST(sections_become_a_job), TEST(defaults),
          TEST(buffers_are_as_large_as_commands_ask), TEST(a_state_is_a_pipeline), TEST(vertices_and_indices),
          TEST(every_error_says_what_is_wrong), TEST(words_of_states), TEST(names_of_topologies))
