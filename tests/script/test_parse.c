/* What the parser makes of each command. */
#include "test.h"

#include "script/script.h"

struct job {
    struct arena arena;
    struct source source;
    weft_diags *diags;
    struct script *script;
};

static struct script *parse(struct job *j, const char *text)
{
    *j = (struct job){.source = {"test.amber", text, strlen(text)}, .diags = weft_diags_new()};
    weft_status status = script_parse(&j->source, &j->arena, &j->script, j->diags);
    if (status != WEFT_OK) {
        char out[600];
        weft_diag_format(weft_diags_get(j->diags, 0), 0, out, sizeof out);
        print_message("%s", out);
    }
    assert_int_equal(status, WEFT_OK);
    return j->script;
}

static void done(struct job *j)
{
    weft_diags_free(j->diags);
    arena_free(&j->arena);
}

#define HEAD "#!amber\n"
#define SHADERS                                                                                                        \
    HEAD "SHADER vertex vs PASSTHROUGH\nSHADER fragment fs TGSI\nFRAG\nDCL OUT[0], COLOR\n  0: END\nEND\n"             \
         "SHADER compute cs TGSI\nCOMP\nEND\nEND\n"
#define TARGET SHADERS "BUFFER fb FORMAT B8G8R8A8_UNORM\n"
#define GRAPHICS(body)                                                                                                 \
    TARGET "PIPELINE graphics p\nATTACH vs\nATTACH fs\nBIND BUFFER fb AS color LOCATION 0\n" body "END\n"

static void requirements(void **state)
{
    (void)state;
    struct job j;
    struct script *s = parse(&j, HEAD "DEVICE_FEATURE geometryShader # comment\nDEVICE_EXTENSION VK_KHR_x\n"
                                      "INSTANCE_EXTENSION VK_KHR_y\nSET ENGINE_DATA fence_timeout_ms 250\n"
                                      "DEVICE_PROPERTY FloatControlsProperties.shaderDenormPreserveFloat16\n");
    assert_int_equal(s->nrequirements, 4);
    assert_int_equal(s->requirements[0].kind, SCRIPT_DEVICE_FEATURE);
    assert_string_equal(s->requirements[0].name, "geometryShader");
    assert_string_equal(s->requirements[1].name, "VK_KHR_x");
    assert_int_equal(s->requirements[2].kind, SCRIPT_INSTANCE_EXTENSION);
    assert_int_equal(s->requirements[3].kind, SCRIPT_DEVICE_PROPERTY);
    assert_int_equal(s->fence_timeout_ms, 250);
    done(&j);
}

static void assert_text(const struct job *j, const struct script_shader *s, const char *text)
{
    assert_int_equal(s->text_size, strlen(text));
    assert_memory_equal(s->text, text, s->text_size);
    assert_ptr_equal(s->text, j->source.text + s->body.offset);
}

static void shaders_end_where_their_program_says(void **state)
{
    (void)state;
    struct job j;
    struct script *s =
        parse(&j, HEAD "SHADER fragment a TGSI\nFRAG\n  0: END\nEND\n"
                       "SHADER fragment b TGSI\nFRAG\nEND # of the program\n\nEND\n"
                       "SHADER vertex c TGSI TARGET_ENV spv1.0\nVERT\n 2: END\n 3: BGNSUB\n 4: ENDSUB\nEND\n"
                       "SHADER compute d TGSI-HEX\n00000102 0x3\nEND\n"
                       "SHADER vertex e PASSTHROUGH\nSHADER compute f TGSI FILE shaders/f.tgsi\n");
    assert_int_equal(s->nshaders, 6);
    assert_text(&j, s->shaders[0], "FRAG\n  0: END\n");
    assert_text(&j, s->shaders[1], "FRAG\nEND # of the program\n\n");
    assert_text(&j, s->shaders[2], "VERT\n 2: END\n 3: BGNSUB\n 4: ENDSUB\n");
    assert_string_equal(s->shaders[2]->target_env, "spv1.0");
    assert_text(&j, s->shaders[3], "00000102 0x3\n");
    assert_int_equal(s->shaders[3]->language, SCRIPT_HEX);
    assert_int_equal(s->shaders[4]->language, SCRIPT_PASSTHROUGH);
    assert_int_equal(s->shaders[4]->stage, WEFT_VERTEX);
    assert_true(s->shaders[5]->in_file);
    assert_string_equal(s->shaders[5]->path, "shaders/f.tgsi");
    assert_null(s->shaders[5]->text);
    done(&j);
}

static void virtual_files(void **state)
{
    (void)state;
    struct job j;
    struct script *s =
        parse(&j, HEAD "VIRTUAL_FILE \"a b.tgsi\"\nFRAG\nEND\nEND\nVIRTUAL_FILE notes\nanything # kept\nEND\n"
                       "SHADER fragment f TGSI VIRTUAL_FILE \"a b.tgsi\"\n");
    assert_int_equal(s->nvirtual_files, 2);
    assert_string_equal(s->virtual_files[0].path, "a b.tgsi");
    assert_int_equal(s->virtual_files[1].size, strlen("anything # kept\n"));
    assert_text(&j, s->shaders[0], "FRAG\nEND\n");
    assert_false(s->shaders[0]->in_file);
    done(&j);
}

static void buffers(void **state)
{
    (void)state;
    struct job j;
    struct script *s =
        parse(&j, HEAD "BUFFER a DATA_TYPE vec2<float> DATA\n 1 2.5 # one\n -3 0x10\nEND\n"
                       "BUFFER b DATA_TYPE uint32 WIDTH 4 HEIGHT 3 FILL 7\n"
                       "BUFFER c FORMAT R8G8B8A8_UNORM MIP_LEVELS 3 FILE PNG pictures/c.png\n"
                       "BUFFER d FORMAT D32_SFLOAT_S8_UINT SAMPLES 4\n"
                       "BUFFER e DATA_TYPE uint8 SIZE 5 FILE BINARY e.bin\nBUFFER f DATA_TYPE int32 FILE TEXT f.txt\n"
                       "BUFFER g DATA_TYPE R8G8_SNORM DATA -128 127 END\nBUFFER h DATA_TYPE float SIZE 3\n");
    struct script_buffer *const *b = s->buffers;
    assert_int_equal(s->nbuffers, 8);
    assert_int_equal(b[0]->elements, 2);
    assert_int_equal(b[0]->ndata, 4);
    assert_true(b[0]->data[1].real == 2.5 && !b[0]->data[1].integral && b[0]->data[2].real == -3 &&
                b[0]->data[3].bits == 16);
    assert_string_equal(b[0]->format->name, "R32G32_SFLOAT");
    assert_int_equal(b[1]->elements, 12);
    assert_int_equal(b[1]->width, 4);
    assert_int_equal(b[1]->fill, SCRIPT_FILL_VALUE);
    assert_int_equal(b[2]->levels, 3);
    assert_true(b[2]->format_only && b[2]->is_image);
    assert_int_equal(b[2]->file, SCRIPT_FILE_PNG);
    assert_string_equal(b[2]->path, "pictures/c.png");
    assert_int_equal(b[3]->samples, 4);
    assert_true(script_format_has(b[3]->format, 'S') && b[3]->format->bytes == 5);
    assert_int_equal(b[4]->file, SCRIPT_FILE_BINARY);
    assert_int_equal(b[5]->file, SCRIPT_FILE_TEXT);
    assert_int_equal(b[5]->elements, 0);
    assert_true(b[6]->data[0].real == -128);
    assert_int_equal(b[7]->fill, SCRIPT_FILL_NONE);
    done(&j);
}

static void images(void **state)
{
    (void)state;
    struct job j;
    struct script *s = parse(&j, HEAD "IMAGE a FORMAT R16G16B16A16_SFLOAT MIP_LEVELS 2 DIM_2D WIDTH 8 HEIGHT 4\n"
                                      "IMAGE b DATA_TYPE vec4<int32> DIM_3D \\\n  WIDTH 2 HEIGHT 3 DEPTH 4 FILL 0\n"
                                      "IMAGE c FORMAT R8_UINT DIM_1D WIDTH 3 DATA 1 2 3 END\n"
                                      "IMAGE d FORMAT R8G8B8A8_UNORM SAMPLES 4 DIM_2D WIDTH 2 HEIGHT 2\n");
    assert_int_equal(s->buffers[0]->levels, 2);
    assert_int_equal(s->buffers[0]->depth, 1);
    assert_int_equal(s->buffers[1]->dimension, SCRIPT_DIM_3D);
    assert_int_equal(script_buffer_bytes(s->buffers[1]), 2 * 3 * 4 * 16);
    assert_string_equal(s->buffers[1]->format->name, "R32G32B32A32_SINT");
    assert_int_equal(s->buffers[2]->height, 1);
    assert_int_equal(s->buffers[2]->ndata, 3);
    assert_int_equal(s->buffers[3]->samples, 4);
    done(&j);
}

static void samplers(void **state)
{
    (void)state;
    struct job j;
    struct script *s =
        parse(&j, HEAD "SAMPLER plain\nSAMPLER full MAG_FILTER linear MIN_FILTER nearest MIP_FILTER linear \\\n"
                       "ADDRESS_MODE_U clamp_to_edge ADDRESS_MODE_V mirrored_clamp_to_edge \\\n"
                       "ADDRESS_MODE_W mirrored_repeat BORDER_COLOR int_opaque_white MIN_LOD -1 MAX_LOD 4.5 \\\n"
                       "LOD_BIAS 0.5 MAX_ANISOTROPY 8 NORMALIZED_COORDS COMPARE on COMPARE_OP less_or_equal\n"
                       "SAMPLER texels UNNORMALIZED_COORDS\n");
    const struct script_sampler *p = s->samplers[0], *f = s->samplers[1];
    assert_true(p->mag == SCRIPT_NEAREST && p->address[1] == SCRIPT_REPEAT && p->max_lod == 1 && !p->compare);
    assert_true(f->mag == SCRIPT_LINEAR && f->min == SCRIPT_NEAREST && f->mip == SCRIPT_LINEAR);
    assert_true(f->address[0] == SCRIPT_CLAMP_TO_EDGE && f->address[1] == SCRIPT_MIRROR_CLAMP_TO_EDGE &&
                f->address[2] == SCRIPT_MIRRORED_REPEAT);
    assert_true(f->border == SCRIPT_INT_OPAQUE_WHITE && f->min_lod == -1 && f->max_lod == 4.5f && f->lod_bias == 0.5f &&
                f->max_anisotropy == 8 && f->compare && f->compare_op == SCRIPT_LESS_OR_EQUAL);
    assert_true(s->samplers[2]->unnormalized && s->samplers[2]->max_lod == 0);
    done(&j);
}

static void a_plain_pipeline_has_the_defaults(void **state)
{
    (void)state;
    struct job j;
    struct script *s = parse(&j, GRAPHICS(""));
    const struct script_pipeline *p = s->pipelines[0];
    assert_true(p->width == 250 && p->height == 250 && !p->viewport[0].given && !p->viewport[15].given &&
                !p->sprite_texcoords && !p->sprite_generics && !p->sprite_lower_left);
    assert_true(p->patch_control_points == 3 && p->polygon_mode == SCRIPT_POLYGON_FILL && !p->has_depth && !p->blend);
    assert_true(p->src_color == SCRIPT_FACTOR_ONE && p->dst_alpha == SCRIPT_FACTOR_ZERO);
    assert_int_equal(s->buffers[0]->width, 250);
    assert_string_equal(p->shaders[0].entry_point, "main");
    assert_ptr_equal(script_shader_of(p, WEFT_FRAGMENT)->shader, s->shaders[1]);
    assert_null(script_shader_of(p, WEFT_GEOMETRY));
    assert_ptr_equal(script_binding_of(p, SCRIPT_BIND_COLOR, 0)->buffers[0], s->buffers[0]);
    assert_null(script_binding_of(p, SCRIPT_BIND_COLOR, 1));
    done(&j);
}

static void pipeline_state(void **state)
{
    (void)state;
    struct job j;
    struct script *s = parse(
        &j,
        GRAPHICS(
            "FRAMEBUFFER_SIZE 64 32\nVIEWPORT 1.5 -2 SIZE 30 20 MIN_DEPTH 0.25 MAX_DEPTH 0.75\nPOLYGON_MODE line\n"
            "VIEWPORT 3 4 SIZE 5 6 INDEX 15\nSPRITE_COORDS TEXCOORD 0 7\nSPRITE_COORDS GENERIC 31\n"
            "SPRITE_ORIGIN lower_left\n"
            "PATCH_CONTROL_POINTS 4\n"
            "DEPTH\nTEST on\nWRITE off\nCOMPARE_OP greater\nCLAMP on\nBOUNDS min 0.1 max 0.9\n"
            "BIAS constant 1 clamp 2 slope -3.5\nEND\n"
            "STENCIL front\nTEST on\nFAIL_OP invert\nPASS_OP decrement_and_wrap\nDEPTH_FAIL_OP zero\nCOMPARE_OP equal\n"
            "COMPARE_MASK 15\nWRITE_MASK 0xf0\nREFERENCE 3\nEND\nSTENCIL back\nREFERENCE 9\nEND\n"
            "BLEND\nSRC_COLOR_FACTOR src_alpha\nDST_COLOR_FACTOR one_minus_src_alpha\nCOLOR_OP substract\n"
            "SRC_ALPHA_FACTOR zero\nDST_ALPHA_FACTOR constant_alpha\nALPHA_OP max\nEND\n"
            "SUBGROUP fs\nFULLY_POPULATED on\nVARYING_SIZE off\nREQUIRED_SIZE 32\nEND\n"));
    const struct script_pipeline *p = s->pipelines[0];
    assert_true(p->width == 64 && p->height == 32 && s->buffers[0]->width == 64 && s->buffers[0]->height == 32);
    const struct script_viewport *v = p->viewport;
    assert_true(v[0].given && v[0].box[0] == 1.5f && v[0].box[1] == -2 && v[0].box[3] == 20 && v[0].min_depth == 0.25f);
    assert_true(!v[1].given && v[15].given && v[15].box[1] == 4 && v[15].max_depth == 1);
    assert_true(p->sprite_texcoords == 0x81 && p->sprite_generics == 0x80000000 && p->sprite_lower_left);
    assert_true(p->polygon_mode == SCRIPT_POLYGON_LINE && p->patch_control_points == 4);
    assert_true(p->depth_test && !p->depth_write && p->depth_compare == SCRIPT_GREATER && p->depth_clamp &&
                p->depth_bounds);
    assert_true(p->depth_bias && p->bias_constant == 1 && p->bias_clamp == 2 && p->bias_slope == -3.5f);
    const struct script_stencil *f = &p->stencil[0], *b = &p->stencil[1];
    assert_true(f->test && f->fail == SCRIPT_INVERT && f->pass == SCRIPT_DECREMENT_AND_WRAP &&
                f->depth_fail == SCRIPT_ZERO_VALUE && f->compare == SCRIPT_EQUAL && f->compare_mask == 15 &&
                f->write_mask == 0xf0 && f->reference == 3);
    assert_true(b->test && b->fail == SCRIPT_KEEP && b->compare == SCRIPT_ALWAYS && b->reference == 9);
    assert_true(p->blend && p->src_color == SCRIPT_FACTOR_SRC_ALPHA && p->color_op == SCRIPT_BLEND_SUBTRACT &&
                p->dst_alpha == SCRIPT_FACTOR_CONSTANT_ALPHA && p->alpha_op == SCRIPT_BLEND_MAX);
    assert_true(p->shaders[1].fully_populated && p->shaders[1].required_size == 32);
    done(&j);
}

#define BOUND                                                                                                          \
    TARGET "BUFFER u DATA_TYPE vec4<float> SIZE 4 FILL 0\nBUFFER i DATA_TYPE uint16 DATA 0 1 2 END\n"                  \
           "BUFFER z FORMAT D24_UNORM_S8_UINT\nIMAGE t FORMAT R8G8B8A8_UNORM MIP_LEVELS 2 DIM_2D WIDTH 8 HEIGHT 8\n"   \
           "SAMPLER n\nSAMPLER l MAG_FILTER linear\n"

static void bindings(void **state)
{
    (void)state;
    struct job j;
    struct script *s =
        parse(&j, BOUND
              "PIPELINE graphics p\nATTACH vs\nATTACH fs\nBIND BUFFER fb AS color LOCATION 3\nBIND BUFFER z AS "
              "depth_stencil\n"
              "BIND BUFFER fb AS resolve\nBIND BUFFER u AS push_constant\n"
              "BIND BUFFER u AS uniform DESCRIPTOR_SET 0 BINDING 1 DESCRIPTOR_OFFSET 16 DESCRIPTOR_RANGE 32\n"
              "BIND BUFFER_ARRAY u u AS storage_dynamic DESCRIPTOR_SET 2 BINDING 5 OFFSET 0 16 DESCRIPTOR_RANGE -1 4\n"
              "BIND BUFFER u AS uniform_texel_buffer DESCRIPTOR_SET 1 BINDING 7\n"
              "BIND BUFFER t AS sampled_image DESCRIPTOR_SET 1 BINDING 0 BASE_MIP_LEVEL 1\n"
              "BIND SAMPLER n DESCRIPTOR_SET 1 BINDING 0\nBIND SAMPLER_ARRAY n l DESCRIPTOR_SET 1 BINDING 2\n"
              "BIND BUFFER t AS combined_image_sampler SAMPLER l DESCRIPTOR_SET 1 BINDING 4\n"
              "BIND BUFFER t AS storage_image DESCRIPTOR_SET 3 BINDING 0\n"
              "VERTEX_DATA u LOCATION 0\nVERTEX_DATA u LOCATION 1 RATE instance FORMAT R8G8_UNORM OFFSET 4 STRIDE 12\n"
              "INDEX_DATA i\nEND\n");
    const struct script_pipeline *p = s->pipelines[0];
    assert_int_equal(p->nbindings, 12);
    assert_int_equal(script_binding_of(p, SCRIPT_BIND_COLOR, 0)->location, 3);
    const struct script_binding *u = script_binding_of(p, SCRIPT_BIND_UNIFORM, 0);
    assert_true(u->binding == 1 && u->descriptor_offsets[0] == 16 && u->descriptor_ranges[0] == 32 &&
                !u->dynamic_offsets);
    const struct script_binding *d = script_binding_of(p, SCRIPT_BIND_STORAGE_DYNAMIC, 0);
    assert_true(d->count == 2 && d->set == 2 && d->binding == 5 && d->dynamic_offsets[1] == 16);
    assert_true(d->descriptor_ranges[0] == UINT64_MAX && d->descriptor_ranges[1] == 4);
    assert_int_equal(script_binding_of(p, SCRIPT_BIND_SAMPLED_IMAGE, 0)->base_level, 1);
    assert_int_equal(script_binding_of(p, SCRIPT_BIND_SAMPLER, 1)->count, 2);
    assert_string_equal(script_binding_of(p, SCRIPT_BIND_COMBINED_IMAGE_SAMPLER, 0)->samplers[0]->name, "l");
    assert_int_equal(p->nvertex_data, 2);
    assert_true(p->vertex_data[0].stride == 16 && !strcmp(p->vertex_data[0].format->name, "R32G32B32A32_SFLOAT"));
    assert_true(p->vertex_data[1].per_instance && p->vertex_data[1].offset == 4 && p->vertex_data[1].stride == 12);
    assert_string_equal(p->vertex_data[1].format->name, "R8G8_UNORM");
    assert_string_equal(p->index_data->name, "i");
    done(&j);
}

static void a_derived_pipeline_replaces_without_changing_its_parent(void **state)
{
    (void)state;
    struct job j;
    struct script *s = parse(
        &j, BOUND
        "PIPELINE graphics p\nATTACH vs\nATTACH fs\nBIND BUFFER fb AS color LOCATION 0\nFRAMEBUFFER_SIZE 8 8\n"
        "BIND SAMPLER n DESCRIPTOR_SET 1 BINDING 0\nVERTEX_DATA u LOCATION 0\nEND\n"
        "DERIVE_PIPELINE q FROM p\nBIND SAMPLER l DESCRIPTOR_SET 1 BINDING 0\nVERTEX_DATA u LOCATION 0 OFFSET 16\n"
        "BIND BUFFER u AS uniform DESCRIPTOR_SET 0 BINDING 0\nPOLYGON_MODE point\nEND\nRUN q DRAW_RECT POS 0 0 SIZE 8 "
        "8\n");
    const struct script_pipeline *p = s->pipelines[0], *q = s->pipelines[1];
    assert_string_equal(q->name, "q");
    assert_string_equal(q->parent, "p");
    assert_true(q->width == 8 && q->nshaders == 2 && p->nbindings == 2 && q->nbindings == 3);
    assert_string_equal(script_binding_of(p, SCRIPT_BIND_SAMPLER, 0)->samplers[0]->name, "n");
    assert_string_equal(script_binding_of(q, SCRIPT_BIND_SAMPLER, 0)->samplers[0]->name, "l");
    assert_true(p->vertex_data[0].offset == 0 && q->vertex_data[0].offset == 16 && q->nvertex_data == 1);
    assert_true(p->polygon_mode == SCRIPT_POLYGON_FILL && q->polygon_mode == SCRIPT_POLYGON_POINT);
    assert_ptr_equal(s->commands[0].pipeline, q);
    done(&j);
}

static void clears_runs_and_copies(void **state)
{
    (void)state;
    struct job j;
    struct script *s = parse(
        &j, BOUND "PIPELINE graphics p\nATTACH vs\nATTACH fs\nVERTEX_DATA u LOCATION 0\nINDEX_DATA i\n"
                  "BIND BUFFER fb AS color LOCATION 0\nEND\nPIPELINE compute c\nATTACH cs\nEND\n"
                  "CLEAR_COLOR p 1 2 3 255\nCLEAR_DEPTH p 0.5\nCLEAR_STENCIL p 44\nCLEAR p\nRUN c 4 2 1\n"
                  "RUN TIMED_EXECUTION p DRAW_RECT POS 1 2 SIZE 3 4\nRUN p DRAW_GRID POS 0 0 SIZE 10 10 CELLS 5 4\n"
                  "RUN p DRAW_ARRAY AS TRIANGLE_LIST\n"
                  "RUN p DRAW_ARRAY AS LINE_STRIP INDEXED START_IDX 1 COUNT 2 START_INSTANCE 3 INSTANCE_COUNT 5\n"
                  "COPY fb TO t\nREPEAT 3\nRUN c 1 1 1\nREPEAT 2\nCLEAR p\nEND\nEND\n");
    const struct script_command *c = s->commands;
    assert_int_equal(s->ncommands, 11);
    assert_true(c[0].kind == SCRIPT_CLEAR_COLOR && c[0].color[3] == 255 && c[1].clear_depth == 0.5f);
    assert_true(c[2].clear_stencil == 44 && c[3].kind == SCRIPT_CLEAR);
    assert_true(c[4].kind == SCRIPT_RUN_COMPUTE && c[4].groups[0] == 4 && c[4].groups[2] == 1);
    assert_true(c[5].timed && c[5].kind == SCRIPT_DRAW_RECT && c[5].rect.y == 2 && c[5].rect.height == 4);
    assert_true(c[6].kind == SCRIPT_DRAW_GRID && c[6].rect.columns == 5 && c[6].rect.rows == 4);
    assert_true(c[7].kind == SCRIPT_DRAW_ARRAY && c[7].array.topology == SCRIPT_TRIANGLE_LIST &&
                !c[7].array.has_count && c[7].array.instances == 1);
    assert_true(c[8].array.indexed && c[8].array.first == 1 && c[8].array.count == 2 &&
                c[8].array.first_instance == 3 && c[8].array.instances == 5);
    assert_string_equal(c[9].copy.to->name, "t");
    assert_true(c[10].repeat.times == 3 && c[10].repeat.count == 2);
    assert_true(c[10].repeat.commands[1].repeat.times == 2 &&
                c[10].repeat.commands[1].repeat.commands[0].kind == SCRIPT_CLEAR);
    assert_int_equal(source_line(&j.source, c[10].where.offset), source_line(&j.source, c[9].where.offset) + 1);
    done(&j);
}

static void expectations(void **state)
{
    (void)state;
    struct job j;
    struct script *s = parse(
        &j, GRAPHICS("") "BUFFER a DATA_TYPE float SIZE 8 FILL 1\nBUFFER b DATA_TYPE float SIZE 8 FILL 1\n"
                         "EXPECT fb IDX 1 2 SIZE 3 4 EQ_RGB 255 0 7\n"
                         "EXPECT fb IDX 0 0 SIZE 1 1 EQ_RGBA 76 76 76 255 TOLERANCE 5% 5 1.5 % 0\n"
                         "EXPECT fb IDX 0 0 SIZE 1 1 TOLERANCE 2 EQ_RGBA 1 2 3 4\n"
                         "EXPECT a IDX 4 EQ 1.0 2 -3\nEXPECT a IDX 0 TOLERANCE 1.0e-6 EQ 0.6\nEXPECT a IDX 0 NE 1\n"
                         "EXPECT a IDX 0 LT 1\nEXPECT a IDX 0 LE 1\nEXPECT a IDX 0 GT 1\nEXPECT a IDX 28 GE 1\n"
                         "EXPECT a EQ_BUFFER b\nEXPECT a RMSE_BUFFER b TOLERANCE 0.1\n"
                         "EXPECT a EQ_HISTOGRAM_EMD_BUFFER b TOLERANCE 2\n");
    const struct script_command *c = s->commands;
    assert_int_equal(s->ncommands, 13);
    assert_true(c[0].kind == SCRIPT_EXPECT_PIXELS && c[0].expect.x == 1 && c[0].expect.y == 2 &&
                c[0].expect.width == 3 && c[0].expect.height == 4 && c[0].expect.nvalues == 3 &&
                c[0].expect.values[2].real == 7);
    const struct script_tolerance *t = c[1].expect.tolerance;
    assert_int_equal(c[1].expect.ntolerances, 4);
    assert_true(t[0].percent && t[0].value == 5 && !t[1].percent && t[2].percent && t[2].value == 1.5 &&
                t[3].value == 0);
    assert_int_equal(c[2].expect.ntolerances, 1);
    assert_true(c[3].kind == SCRIPT_EXPECT_VALUES && c[3].expect.x == 4 && c[3].expect.nvalues == 3);
    assert_true(c[4].expect.tolerance[0].value == 1e-6);
    static const enum script_comparator order[] = {SCRIPT_NE, SCRIPT_LT, SCRIPT_LE, SCRIPT_GT, SCRIPT_GE};
    for (int i = 0; i < 5; i++)
        assert_int_equal(c[5 + i].expect.comparator, order[i]);
    assert_true(c[10].kind == SCRIPT_EXPECT_BUFFERS && c[10].expect.other == s->buffers[2]);
    assert_true(c[11].expect.comparator == SCRIPT_RMSE_BUFFER && c[11].expect.tolerance[0].value == 0.1);
    assert_int_equal(c[12].expect.comparator, SCRIPT_EQ_HISTOGRAM_EMD_BUFFER);
    done(&j);
}

static void targets_of_a_mip_level_are_larger_at_level_0(void **state)
{
    (void)state;
    struct job j;
    struct script *s =
        parse(&j, SHADERS "BUFFER t FORMAT R8G8B8A8_UNORM MIP_LEVELS 3\nPIPELINE graphics p\nATTACH vs\nATTACH fs\n"
                          "FRAMEBUFFER_SIZE 16 8\nBIND BUFFER t AS color LOCATION 0 BASE_MIP_LEVEL 2\nEND\n");
    assert_true(s->buffers[0]->width == 64 && s->buffers[0]->height == 32);
    done(&j);
}

static void the_framebuffer_is_as_large_as_its_smallest_attachment(void **state)
{
    (void)state;
    struct job j;
    struct script *s = parse(
        &j, SHADERS "BUFFER fb FORMAT R8G8B8A8_UNORM\nBUFFER d FORMAT D32_SFLOAT\n"
                    "IMAGE i FORMAT R8G8B8A8_UNORM MIP_LEVELS 2 DIM_2D WIDTH 64 HEIGHT 32\n"
                    "BUFFER v DATA_TYPE vec4<uint8> WIDTH 40 HEIGHT 8\nBUFFER u DATA_TYPE vec4<uint8> SIZE 9\n"
                    "PIPELINE graphics p\nATTACH vs\nATTACH fs\nBIND BUFFER i AS color LOCATION 0 BASE_MIP_LEVEL 1\n"
                    "BIND BUFFER fb AS color LOCATION 1\nBIND BUFFER d AS depth_stencil\nEND\n"
                    "DERIVE_PIPELINE q FROM p\nBIND BUFFER v AS color LOCATION 2\nEND\n"
                    "PIPELINE graphics r\nATTACH vs\nATTACH fs\nBIND BUFFER u AS color LOCATION 0\nEND\n");
    assert_true(s->pipelines[0]->width == 32 && s->pipelines[0]->height == 16);
    assert_true(s->pipelines[1]->width == 32 && s->pipelines[1]->height == 8);
    assert_true(s->pipelines[2]->width == 250 && s->pipelines[2]->height == 250);
    assert_true(s->buffers[0]->width == 32 && s->buffers[0]->height == 16);
    assert_true(s->buffers[1]->width == 32 && s->buffers[1]->height == 16);
    assert_true(s->buffers[3]->is_image && !s->buffers[3]->format_only && s->buffers[3]->width == 40);
    assert_true(s->buffers[4]->is_image && s->buffers[4]->format_only && s->buffers[4]->width == 250);
    done(&j);
}

TEST_MAIN(TEST(requirements), TEST(shaders_end_where_their_program_says), TEST(virtual_files), TEST(buffers),
          TEST(images), TEST(samplers), TEST(a_plain_pipeline_has_the_defaults), TEST(pipeline_state), TEST(bindings),
          TEST(a_derived_pipeline_replaces_without_changing_its_parent), TEST(clears_runs_and_copies),
          TEST(expectations), TEST(targets_of_a_mip_level_are_larger_at_level_0),
          TEST(the_framebuffer_is_as_large_as_its_smallest_attachment))
