/* passes.c - see passes.h. */
#include "cli/passes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct pass {
    struct scene_args *args;
    struct scene scene;
    weft_texture *picture; /* what was drawn last */
};

struct passes {
    size_t count;
    struct pass pass[SCENE_MOST_PASSES];
};

/* ---- arguments ---- */

bool passes_take(struct scene_args *s, const struct cli_args *a)
{
    size_t length = strcspn(a->value, "=");
    bool named = length && a->value[length] && a->value[length + 1] && isalpha((unsigned char)*a->value);
    for (size_t i = 0; i < length; i++)
        named = named && (isalnum((unsigned char)a->value[i]) || a->value[i] == '_');
    if (!named) {
        cli_wrong(a->command, "--pass is NAME=FILE, such as A=first.glsl, and a name has letters and digits, not '%s'",
                  a->value);
        return false;
    }
    if (s->npasses == SCENE_MOST_PASSES) {
        cli_wrong(a->command, "there are at most %d passes", SCENE_MOST_PASSES);
        return false;
    }
    for (size_t i = 0; i < s->npasses; i++)
        if (s->pass[i].length == length && strncmp(s->pass[i].name, a->value, length) == 0) {
            cli_wrong(a->command, "there are two passes '%.*s'", (int)length, a->value);
            return false;
        }
    s->pass[s->npasses++] = (struct scene_pass){a->value, length, a->value + length + 1};
    return true;
}

/* What follows "NAME." of a pass, or NULL. */
static const char *after_name(const struct scene_pass *p, const char *text)
{
    return strncmp(text, p->name, p->length) == 0 && text[p->length] == '.' ? text + p->length + 1 : NULL;
}

/* The text without the name of the pass. NULL: it is of another one, or of none and the pass is one. */
static const char *own_part(const struct scene_args *args, size_t pass, const char *text)
{
    for (size_t i = 0; i < args->npasses; i++) {
        const char *rest = after_name(&args->pass[i], text);
        if (rest)
            return i == pass ? rest : NULL;
    }
    return pass == args->npasses ? text : NULL;
}

/* Macros for a page, which is GLSL: others have none. */
static void define(struct scene_args *s, const char *macro)
{
    const char *dot = strrchr(s->shader, '.');
    bool glsl = s->target.isa ? strcmp(s->target.isa, "glsl") == 0
                              : dot && (strcmp(dot, ".glsl") == 0 || strcmp(dot, ".frag") == 0);
    if (glsl && s->target.ndefines < CLI_MOST_MACROS)
        s->target.define[s->target.ndefines++] = macro;
}

/* The channels of a page are what their textures are. */
static void type_channels(struct scene_args *s)
{
    enum { CHANNELS = 4 };
    static const char name[] = "iChannel";
    static const char *const macros[][CHANNELS] = {
#define OF(type) {"WEFT_iChannel0=" type, "WEFT_iChannel1=" type, "WEFT_iChannel2=" type, "WEFT_iChannel3=" type}
        [SCENE_2D] = {NULL},
        [SCENE_CUBE] = OF("samplerCube"),
        [SCENE_ARRAY] = OF("sampler2DArray"),
        [SCENE_3D] = OF("sampler3D"),
#undef OF
    };
    for (size_t i = 0; i < s->nnamed; i++) {
        const struct scene_texture *t = &s->named[i];
        unsigned n = t->name_length == sizeof name ? (unsigned char)t->name[sizeof name - 1] - (unsigned)'0' : CHANNELS;
        if (n < CHANNELS && strncmp(t->name, name, sizeof name - 1) == 0 && macros[t->kind][n])
            define(s, macros[t->kind][n]);
    }
}

struct scene_args *passes_args(const struct scene_args *args, size_t pass)
{
    struct scene_args *s = cli_kept(malloc(sizeof *s));
    *s = *args;
    s->uniforms = s->nnamed = 0;
    for (size_t i = 0; i < args->uniforms; i++) {
        const char *own = own_part(args, pass, args->uniform[i]);
        if (own)
            s->uniform[s->uniforms++] = own;
    }
    for (size_t i = 0; i < args->nnamed; i++) {
        const struct scene_texture *t = &args->named[i];
        const char *own = own_part(args, pass, t->name);
        if (!own)
            continue;
        s->named[s->nnamed] = *t;
        s->named[s->nnamed].name = own;
        s->named[s->nnamed++].name_length = t->name_length - (size_t)(own - t->name);
    }
    if (pass < args->npasses)
        s->shader = args->pass[pass].file;
    type_channels(s);
    if (pass == args->npasses)
        return s;
    s->self = args->pass[pass];
    define(s, "WEFT_KEEPS_ALPHA"); /* a page's picture is opaque, and what another one reads is not */
    s->target.entry = s->vertex_entry = NULL;
    s->vertex = s->mesh = s->linkage = s->vertex_linkage = NULL;
    s->vertices = 0;
    s->params.mesh = WEFT_MESH_QUAD;
    memset(s->texture, 0, sizeof s->texture);
    memset(s->constants, 0, sizeof s->constants);
    return s;
}

size_t passes_named(const struct scene_args *args, const struct scene_texture *t)
{
    for (size_t i = 0; i < args->npasses; i++)
        if (t->length == args->pass[i].length && strncmp(t->file, args->pass[i].name, t->length) == 0)
            return i;
    return SCENE_MOST_PASSES;
}

/* ---- pictures ---- */

static weft_status new_picture(const struct scene_args *args, const void *pixels, weft_texture **out)
{
    return weft_texture_new(WEFT_RGBA32_SFLOAT, args->width, args->height, pixels, 0, out);
}

/* Before the first frame a picture is black and transparent. */
static weft_status first_picture(const struct scene_args *args, weft_texture **out)
{
    void *zeros = cli_kept(calloc((size_t)args->width * args->height, 4 * sizeof(float)));
    weft_status status = new_picture(args, zeros, out);
    free(zeros);
    return status;
}

int passes_load(const struct scene_args *args, const struct cli_command *command, weft_diags *diags,
                struct passes **out)
{
    int status = STATUS_FINE;
    *out = args->npasses ? cli_kept(calloc(1, sizeof **out)) : NULL;
    for (size_t i = 0; i < args->npasses && status == STATUS_FINE; i++) {
        struct pass *p = &(*out)->pass[(*out)->count++];
        p->args = passes_args(args, i);
        status = scene_load_alone(&p->scene, p->args, command, diags);
        if (status == STATUS_FINE)
            status = cli_status(first_picture(p->args, &p->picture));
    }
    return status;
}

void passes_free(struct passes *p)
{
    for (size_t i = 0; p && i < p->count; i++) {
        scene_free(&p->pass[i].scene);
        weft_texture_free(p->pass[i].picture);
        free(p->pass[i].args);
    }
    free(p);
}

int passes_advance(struct passes *p, const struct scene_args *args, const struct cli_command *command)
{
    int status = STATUS_FINE;
    for (size_t i = 0; p && i < p->count && status == STATUS_FINE; i++) {
        p->pass[i].args->frame = args->frame;
        p->pass[i].args->params.time = args->params.time;
        status = scene_advance(&p->pass[i].scene, p->pass[i].args, command);
    }
    return status;
}

void passes_feed(const struct passes *p, const struct scene *scene, weft_draw_params *params)
{
    for (size_t i = 0; p && i < scene->nfeeds; i++)
        params->textures[scene->feed[i].texture] = p->pass[scene->feed[i].pass].picture;
}

static weft_status draw_pass(const struct passes *p, struct pass *pass, weft_draw_stats *stats, weft_diags *diags)
{
    weft_picture picture = {0};
    weft_texture *next = NULL;
    weft_status status =
        scene_draw_alone(&pass->scene, pass->args, p, WEFT_RGBA32_SFLOAT, &picture, stats, diags);
    if (status != WEFT_OK)
        return status;
    status = new_picture(pass->args, picture.pixels, &next);
    weft_picture_free(&picture);
    if (status != WEFT_OK)
        return status;
    weft_texture_free(pass->picture);
    pass->picture = next;
    return WEFT_OK;
}

weft_status passes_draw(struct passes *p, weft_draw_stats *stats, weft_diags *diags)
{
    weft_status status = WEFT_OK;
    for (size_t i = 0; p && i < p->count && status == WEFT_OK; i++) {
        weft_draw_stats own = {0};
        status = draw_pass(p, &p->pass[i], &own, diags);
        if (stats)
            scene_add_stats(stats, &own);
    }
    return status;
}
