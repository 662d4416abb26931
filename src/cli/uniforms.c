/* uniforms.c - uniforms by name (uniforms.h). */
#include "cli/uniforms.h"
#include "cli/named.h"
#include "cli/values.h"

#include "base/diag.h"
#include "device/texture.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct interfaces programs(const struct scene *scene)
{
    return (struct interfaces){scene->interface, SCENE_STAGES};
}

size_t uniforms_texture(const struct scene *scene, const struct cli_command *command, const char *name, size_t length)
{
    struct interfaces list = programs(scene);
    bool names = false;
    for (size_t i = 0; i < list.count; i++)
        names |= list.list[i].word != NULL;
    if (!names) {
        cli_wrong(command, "--texture %.*s: give a number; programs of GLSL, HLSL and SPIR-V have names", (int)length,
                  name);
        return WEFT_MAX_TEXTURES;
    }
    uint32_t n = named_number(&list, command, INTERFACE_TEXTURE, "texture", name, length);
    return n == INTERFACE_UNUSED || n < WEFT_MAX_TEXTURES ? n : WEFT_MAX_TEXTURES;
}

/* Whether a texture is the picture of a pass. */
static bool is_fed(const struct scene *scene, uint32_t texture)
{
    for (size_t i = 0; i < scene->nfeeds; i++)
        if (scene->feed[i].texture == texture)
            return true;
    return false;
}

static void note_missing(const struct scene *scene, const char *file, const struct interface_variable *v,
                         weft_diags *diags)
{
    for (uint32_t i = 0; i < v->elements && v->number < WEFT_MAX_TEXTURES && v->number + i < WEFT_MAX_TEXTURES; i++) {
        char element[16] = "";
        if (v->elements > 1)
            snprintf(element, sizeof element, "[%u]", i);
        if (!scene->params.textures[v->number + i] && !is_fed(scene, v->number + i))
            diag_add(diags, WEFT_NOTE, "no-texture", file, NULL,
                     "texture %u is '%s%s': write --texture %.*s%s%s%s=FILE.png", v->number + i, v->name, element,
                     (int)scene->self.length, scene->self.name ? scene->self.name : "", scene->self.name ? "." : "",
                     v->name, element);
    }
}

void uniforms_missing_textures(const struct scene *scene, weft_diags *diags)
{
    size_t before = weft_diags_count(diags);
    for (int stage = 0; stage < SCENE_STAGES; stage++) {
        struct interface_variable v;
        for (size_t at = 0; interface_next(&scene->interface[stage], &at, &v);)
            if (v.kind == INTERFACE_TEXTURE)
                note_missing(scene, scene->program[stage].name, &v, diags);
    }
    if (weft_diags_count(diags) == before) /* of a program without names */
        diag_add(diags, WEFT_NOTE, "no-texture", NULL, NULL, "write --texture N=FILE.png for texture N");
}

/* ---- common names ---- */

enum common { COMMON_TIME, COMMON_FRAME, COMMON_SIZE, COMMON_ZERO, COMMON_RATE, COMMON_STEP, COMMON_CAMERA,
              COMMON_IDENTITY, COMMON_CHANNELS, COMMON_SAMPLE_RATE };

static const struct {
    const char *name;
    enum common what;
} common_names[] = {
    {"time", COMMON_TIME},
    {"u_time", COMMON_TIME},
    {"uTime", COMMON_TIME},
    {"iTime", COMMON_TIME},
    {"iGlobalTime", COMMON_TIME},
    {"resolution", COMMON_SIZE},
    {"u_resolution", COMMON_SIZE},
    {"uResolution", COMMON_SIZE},
    {"iResolution", COMMON_SIZE},
    {"mouse", COMMON_ZERO},
    {"u_mouse", COMMON_ZERO},
    {"uMouse", COMMON_ZERO},
    {"iMouse", COMMON_ZERO},
    {"iFrame", COMMON_FRAME},
    {"u_frame", COMMON_FRAME},
    {"frame", COMMON_FRAME},
    {"iDate", COMMON_ZERO},
    {"iFrameRate", COMMON_RATE},
    {"iTimeDelta", COMMON_STEP},
    {"iChannelResolution", COMMON_CHANNELS},
    {"iChannelTime", COMMON_ZERO},
    {"iSampleRate", COMMON_SAMPLE_RATE},
    {"mvp", COMMON_CAMERA},
    {"u_mvp", COMMON_CAMERA},
    {"uMVP", COMMON_CAMERA},
    {"MVP", COMMON_CAMERA},
    {"modelViewProjectionMatrix", COMMON_CAMERA},
    {"projectionMatrix", COMMON_CAMERA},
    {"gl_ModelViewProjectionMatrix", COMMON_CAMERA},
    {"gl_ProjectionMatrix", COMMON_CAMERA},
    {"gl_ModelViewMatrix", COMMON_IDENTITY},
    {"gl_NormalMatrix", COMMON_IDENTITY},
    {"gl_TextureMatrix", COMMON_IDENTITY},
    {"modelViewMatrix", COMMON_IDENTITY},
    {"modelMatrix", COMMON_IDENTITY},
    {"viewMatrix", COMMON_IDENTITY},
    {"normalMatrix", COMMON_IDENTITY},
};

/* ---- the state of OpenGL's fixed pipeline ---- */

static const double material[] = {0, 0, 0, 1, .2, .2, .2, 1, .8, .8, .8, 1, 0, 0, 0, 1, 0};
static const double lights[] = {
    0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 180, -1, 1, 0, 0, /* the first is white */
    0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 180, -1, 1, 0, 0,
};
static const double light_products[] = {0, 0, 0, 1, .8, .8, .8, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double scene_color[] = {.04, .04, .04, 1}, ambient[] = {.2, .2, .2, 1};
static const double fog[] = {0, 0, 0, 0, 1, 0, 1, 1}, one[] = {1};

/* Initial values (OpenGL 2.1, tables 6.8 to 6.11), in the order of the members; those from `again` on repeat. */
static const struct initial {
    const char *name;
    const double *value;
    size_t count, again;
} initials[] = {
    {"gl_FrontMaterial", material, 17, 0},          {"gl_BackMaterial", material, 17, 0},
    {"gl_LightSource", lights, 58, 29},             {"gl_LightModel", ambient, 4, 0},
    {"gl_FrontLightProduct", light_products, 24, 12}, {"gl_BackLightProduct", light_products, 24, 12},
    {"gl_FrontLightModelProduct", scene_color, 4, 0}, {"gl_BackLightModelProduct", scene_color, 4, 0},
    {"gl_Fog", fog, 8, 0},                          {"gl_NormalScale", one, 1, 0},
};

static bool set_initial(const struct value_store *to, const struct interface *f, const struct interface_place *p,
                        const char *name, struct values *v)
{
    for (size_t k = 0; k < sizeof initials / sizeof *initials; k++) {
        const struct initial *s = &initials[k];
        if (strcmp(s->name, name) != 0)
            continue;
        values_measure(f, p, v);
        v->count = v->used < VALUES_MOST ? v->used : VALUES_MOST;
        for (size_t i = 0; i < v->count; i++) {
            v->text[i] = NULL;
            v->number[i] = s->value[i < s->count ? i : s->again + (i - s->again) % (s->count - s->again)];
        }
        return values_place(to, f, p, v);
    }
    return false;
}

/* Width, height and depth of each of the textures iChannel0 to iChannel3; 0 for one that is not bound. */
static double channel_size(const struct scene *scene, const struct scene_args *args, size_t value)
{
    char name[16];
    struct interface_variable v;
    snprintf(name, sizeof name, "iChannel%zu", value / 3);
    for (size_t at = 0; interface_next(&scene->interface[SCENE_FRAGMENT], &at, &v);)
        if (v.kind == INTERFACE_TEXTURE && strcmp(v.name, name) == 0 && is_fed(scene, v.number))
            return value % 3 == 0 ? args->width : value % 3 == 1 ? args->height : 1;
        else if (v.kind == INTERFACE_TEXTURE && strcmp(v.name, name) == 0 && v.number < WEFT_MAX_TEXTURES &&
                 scene->textures[v.number]) {
            const struct texture_level *level = &scene->textures[v.number]->level[0];
            return value % 3 == 0 ? level->width : value % 3 == 1 ? level->height : level->depth;
        }
    return 0;
}

static void common_values(const struct scene *scene, const struct scene_args *args, enum common what, size_t count,
                          struct values *v)
{
    enum { SAMPLE_RATE = 44100 };
    const double size[4] = {args->width, args->height, 1, 0};
    float camera[16] = {0};
    uint32_t side = count == 9 ? 3 : 4;
    for (uint32_t i = 0; i < 4; i++)
        camera[5 * i] = 1;
    if (what == COMMON_CAMERA && !scene_is_quad(args))
        weft_draw_camera((float)args->width / (float)args->height, camera);
    for (size_t i = 0; i < count && i < VALUES_MOST; i++) {
        v->text[i] = NULL;
        v->number[i] = 0;
        if (what == COMMON_TIME && i == 0)
            v->number[i] = (double)args->params.time;
        else if (what == COMMON_RATE || what == COMMON_STEP)
            v->number[i] = what == COMMON_RATE ? args->rate : 1.0 / args->rate;
        else if (what == COMMON_FRAME && i == 0)
            v->number[i] = args->frame;
        else if (what == COMMON_SIZE && i < 4)
            v->number[i] = size[i];
        else if (what == COMMON_CAMERA && i < 16)
            v->number[i] = (double)camera[i];
        else if (what == COMMON_CHANNELS)
            v->number[i] = channel_size(scene, args, i);
        else if (what == COMMON_SAMPLE_RATE)
            v->number[i] = SAMPLE_RATE;
        else if (what == COMMON_IDENTITY)
            v->number[i] = i % (side * side) % (side + 1) == 0;
    }
    v->count = count < VALUES_MOST ? count : VALUES_MOST;
}

static struct value_store store(struct scene *scene)
{
    return (struct value_store){scene->params.constants, scene->constants, WEFT_MAX_CONSTANT_BUFFERS};
}

/* True: the name is a common one, and has its value. */
static bool set_common(struct scene *scene, const struct scene_args *args, const struct interface *f,
                       const struct interface_place *p, const char *name, struct values *v)
{
    const struct value_store to = store(scene);
    for (size_t i = 0; i < sizeof common_names / sizeof *common_names; i++)
        if (strcmp(common_names[i].name, name) == 0) {
            values_measure(f, p, v);
            common_values(scene, args, common_names[i].what, v->used, v);
            return values_place(&to, f, p, v);
        }
    return set_initial(&to, f, p, name, v);
}

/* Whether a --uniform is about this name, or a part of it. */
static bool given(const struct scene_args *args, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < args->uniforms; i++)
        if (strncmp(args->uniform[i], name, length) == 0 && strchr("=[.", args->uniform[i][length]))
            return true;
    return false;
}

/* Common names of a program; uniforms that nobody sets are added to `unset`. */
static void set_defaults(struct scene *scene, const struct scene_args *args, const struct interface *f,
                         struct values *v, struct named *unset)
{
    const struct value_store to = store(scene);
    struct interface_variable var;
    for (size_t at = 0; interface_next(f, &at, &var);) {
        struct interface_place whole = interface_block(&var), p;
        const char *name;
        if (var.kind != INTERFACE_BLOCK || var.number >= WEFT_MAX_CONSTANT_BUFFERS || args->constants[var.number])
            continue;
        values_measure(f, &whole, v);
        for (uint32_t i = 0; i < var.elements && values_room(&to, var.number + i, v->end); i++)
            ;
        for (uint32_t i = 0; var.loose && interface_member(f, &whole, i, &p, &name); i++)
            if (!set_common(scene, args, f, &p, name, v) && !given(args, name))
                named_add(unset, name, 1);
    }
}

static void say_unset(const struct named *unset)
{
    char list[800];
    named_list(unset, list, sizeof list);
    if (unset->count)
        cli_message("uniforms that are not set are 0: %s (give --uniform NAME=V)", list);
}

/* All values, in their order; uniforms that nobody sets are added to `unset`. */
static bool set_all(struct scene *scene, const struct scene_args *args, const struct cli_command *command,
                    struct named *unset)
{
    struct values *v = cli_kept(calloc(1, sizeof *v));
    const struct value_store to = store(scene);
    const struct interfaces list = programs(scene);
    bool fine = v != NULL;
    for (int stage = 0; stage < SCENE_STAGES && fine; stage++)
        set_defaults(scene, args, &scene->interface[stage], v, unset);
    for (size_t i = 0; i < args->uniforms && fine; i++)
        fine = values_set(&to, &list, command, args->uniform[i], v);
    free(v);
    return fine;
}

int uniforms_set(struct scene *scene, const struct scene_args *args, const struct cli_command *command)
{
    struct named unset = {.count = 0};
    if (args->uniforms && !scene->interface[0].word && !scene->interface[1].word)
        return cli_wrong(command, "--uniform is for GLSL, HLSL and SPIR-V, whose programs have names; give --const");
    const struct interfaces list = programs(scene);
    bool fine = values_distinct(&list, command, args->uniform, args->uniforms) &&
                set_all(scene, args, command, &unset);
    if (fine)
        say_unset(&unset);
    return fine ? STATUS_FINE : STATUS_USAGE;
}

int uniforms_set_again(struct scene *scene, const struct scene_args *args, const struct cli_command *command)
{
    struct named unset = {.count = 0};
    return set_all(scene, args, command, &unset) ? STATUS_FINE : STATUS_USAGE;
}
