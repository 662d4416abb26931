/* uniforms.c - uniforms by name (uniforms.h). */
#include "cli/uniforms.h"

#include "base/diag.h"
#include "device/texture.h"

#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 4096, MOST_NAMES = 256, MOST_BYTES = 1 << 20 };

/* ---- one value ---- */

/* What --uniform gives, or a common name has, on its way into a buffer. */
struct values {
    const char *text[MOST_VALUES]; /* each ends at a comma or the end; NULL in `text`: `number` */
    double number[MOST_VALUES];
    size_t count, used;
    size_t wrong;   /* 1 + the value that does not fit its type */
    uint32_t end;   /* bytes that are needed */
    bool other;     /* there is a type that cannot be set */
    uint32_t *word; /* NULL: count alone */
};

static void put(struct values *v, uint32_t offset, uint32_t bytes, uint64_t bits)
{
    for (uint32_t i = 0; i < bytes / 4 && v->word; i++)
        v->word[offset / 4 + i] = (uint32_t)(bits >> 32 * i);
}

/* The bits of a text as an integer: decimal, 0x, true, false. */
static bool integer(const char *text, bool is_signed, uint64_t *bits)
{
    char *end;
    size_t length = strcspn(text, ",");
    errno = 0;
    if ((length == 4 && strncmp(text, "true", 4) == 0) || (length == 5 && strncmp(text, "false", 5) == 0)) {
        *bits = *text == 't';
        return true;
    }
    long long n = strtoll(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    *bits = (uint64_t)n;
    return end != text && (size_t)(end - text) == length && !errno && n <= UINT32_MAX && n >= INT32_MIN &&
           (is_signed || n >= 0);
}

static void set(void *context, uint32_t offset, enum interface_scalar kind, uint32_t bytes)
{
    struct values *v = context;
    size_t n = v->used++;
    v->other |= kind == INTERFACE_OTHER || (bytes != 4 && bytes != 8) || offset > MOST_BYTES;
    if (offset <= MOST_BYTES && offset + bytes > v->end)
        v->end = offset + bytes;
    if (v->other || n >= v->count)
        return;
    const char *text = v->text[n];
    uint64_t bits = 0;
    if (kind == INTERFACE_FLOAT) {
        char *end = NULL;
        double d = text ? strtod(text, &end) : v->number[n];
        float f = (float)d;
        uint32_t single;
        if (text && (end == text || (*end != ',' && *end)))
            v->wrong = v->wrong ? v->wrong : n + 1;
        memcpy(&bits, &d, sizeof d);
        memcpy(&single, &f, sizeof f);
        bits = bytes == 8 ? bits : single;
    } else if (!text) {
        bits = (uint64_t)(int64_t)v->number[n];
    } else if (!integer(text, kind == INTERFACE_INT, &bits)) {
        v->wrong = v->wrong ? v->wrong : n + 1;
    }
    put(v, offset, bytes, bits);
}

/* The buffer with so many bytes at least. */
static bool room(struct scene *scene, uint32_t buffer, uint32_t bytes)
{
    if (buffer >= WEFT_MAX_CONSTANT_BUFFERS)
        return false;
    weft_constants *c = &scene->params.constants[buffer];
    size_t words = (bytes + 15) / 16 * 4;
    if (c->words && words <= c->count)
        return true;
    if (!words)
        return true;
    uint32_t *more = cli_kept(realloc(scene->constants[buffer], words * sizeof *more));
    memset(more + c->count, 0, (words - c->count) * sizeof *more);
    scene->constants[buffer] = more;
    *c = (weft_constants){more, words};
    return true;
}

/* Put values at a place; false: they are not as many, or of the wrong kind, as v says. */
static bool place(struct scene *scene, const struct interface *f, const struct interface_place *p, struct values *v)
{
    v->word = NULL;
    v->used = v->wrong = v->end = 0;
    v->other = false;
    interface_scalars(f, p, set, v);
    if (v->other || v->wrong || v->used != v->count || !v->count || !room(scene, p->buffer, v->end))
        return false;
    v->word = scene->constants[p->buffer];
    v->used = 0;
    interface_scalars(f, p, set, v);
    return true;
}

/* ---- names ---- */

struct names {
    const char *name[MOST_NAMES];
    size_t count;
};

static void add_name(struct names *n, const char *name)
{
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->name[i], name) == 0)
            return;
    if (n->count < MOST_NAMES && *name)
        n->name[n->count++] = name;
}

static void find_names(const struct scene *scene, bool textures, struct names *n)
{
    for (int stage = 0; stage < SCENE_STAGES; stage++) {
        const struct interface *f = &scene->interface[stage];
        struct interface_variable v;
        for (size_t at = 0; interface_next(f, &at, &v);) {
            struct interface_place whole = interface_block(&v), p;
            const char *name;
            if (textures && v.kind == INTERFACE_TEXTURE)
                add_name(n, v.name);
            for (uint32_t i = 0; !textures && v.kind == INTERFACE_BLOCK && interface_member(f, &whole, i, &p, &name);
                 i++)
                add_name(n, name);
        }
    }
}

/* "weft draw: the shader has no WHAT 'NAME'", the nearest, and what there is. */
static void no_name(const struct scene *scene, const struct cli_command *command, bool textures, const char *what,
                    const char *name)
{
    struct names n = {.count = 0};
    char near[120], list[600] = "";
    find_names(scene, textures, &n);
    for (size_t i = 0, length = 0; i < n.count && length < sizeof list - 80; i++)
        length +=
            (size_t)snprintf(list + length, sizeof list - length, "%s%.60s", i ? ", " : "; there are ", n.name[i]);
    cli_wrong(command, "the shader has no %s '%s'%s%s", what, name,
              cli_nearest(name, n.name, n.count, near, sizeof near), n.count ? list : "; it has none at all");
}

/* "NAME" or "NAME[2]", with the element. */
static size_t base_name(const char *name, size_t length, size_t *element)
{
    const char *bracket = memchr(name, '[', length);
    char *end;
    *element = 0;
    if (!bracket || bracket[1] < '0' || bracket[1] > '9')
        return length;
    errno = 0;
    *element = strtoul(bracket + 1, &end, 10);
    return errno || end != name + length - 1 || *end != ']' ? length : (size_t)(bracket - name);
}

size_t uniforms_texture(const struct scene *scene, const struct cli_command *command, const char *name, size_t length)
{
    size_t element, base = base_name(name, length, &element);
    for (int stage = 0; stage < SCENE_STAGES; stage++) {
        struct interface_variable v;
        for (size_t at = 0; interface_next(&scene->interface[stage], &at, &v);) {
            if (v.kind != INTERFACE_TEXTURE || strlen(v.name) != base || strncmp(v.name, name, base) != 0 ||
                element >= v.elements)
                continue;
            if (v.number == INTERFACE_UNUSED || (element < WEFT_MAX_TEXTURES && v.number + element < WEFT_MAX_TEXTURES))
                return v.number == INTERFACE_UNUSED ? v.number : v.number + element;
        }
    }
    char *text = cli_kept(strndup(name, length));
    no_name(scene, command, true, "texture", text);
    free(text);
    return WEFT_MAX_TEXTURES;
}

static void note_missing(const struct scene *scene, const char *file, const struct interface_variable *v,
                         weft_diags *diags)
{
    for (uint32_t i = 0; i < v->elements && v->number < WEFT_MAX_TEXTURES && v->number + i < WEFT_MAX_TEXTURES; i++) {
        char element[16] = "";
        if (v->elements > 1)
            snprintf(element, sizeof element, "[%u]", i);
        if (!scene->params.textures[v->number + i])
            diag_add(diags, WEFT_NOTE, "no-texture", file, NULL, "texture %u is '%s%s': write --texture %s%s=FILE.png",
                     v->number + i, v->name, element, v->name, element);
    }
}

void uniforms_missing_textures(const struct scene *scene, weft_diags *diags)
{
    for (int stage = 0; stage < SCENE_STAGES; stage++) {
        struct interface_variable v;
        for (size_t at = 0; interface_next(&scene->interface[stage], &at, &v);)
            if (v.kind == INTERFACE_TEXTURE)
                note_missing(scene, scene->program[stage].name, &v, diags);
    }
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

/* Width, height and depth of each of the textures iChannel0 to iChannel3; 0 for one that is not bound. */
static double channel_size(const struct scene *scene, size_t value)
{
    char name[16];
    struct interface_variable v;
    snprintf(name, sizeof name, "iChannel%zu", value / 3);
    for (size_t at = 0; interface_next(&scene->interface[SCENE_FRAGMENT], &at, &v);)
        if (v.kind == INTERFACE_TEXTURE && strcmp(v.name, name) == 0 && v.number < WEFT_MAX_TEXTURES &&
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
    for (size_t i = 0; i < count && i < MOST_VALUES; i++) {
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
            v->number[i] = channel_size(scene, i);
        else if (what == COMMON_SAMPLE_RATE)
            v->number[i] = SAMPLE_RATE;
        else if (what == COMMON_IDENTITY)
            v->number[i] = i % (side * side) % (side + 1) == 0;
    }
    v->count = count < MOST_VALUES ? count : MOST_VALUES;
}

/* True: the name is a common one, and has its value. */
static bool set_common(struct scene *scene, const struct scene_args *args, const struct interface *f,
                       const struct interface_place *p, const char *name, struct values *v)
{
    for (size_t i = 0; i < sizeof common_names / sizeof *common_names; i++)
        if (strcmp(common_names[i].name, name) == 0) {
            v->count = v->used = 0;
            interface_scalars(f, p, set, v);
            common_values(scene, args, common_names[i].what, v->used, v);
            return place(scene, f, p, v);
        }
    return false;
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
                         struct values *v, struct names *unset)
{
    struct interface_variable var;
    for (size_t at = 0; interface_next(f, &at, &var);) {
        struct interface_place whole = interface_block(&var), p;
        const char *name;
        if (var.kind != INTERFACE_BLOCK || var.number >= WEFT_MAX_CONSTANT_BUFFERS || args->constants[var.number])
            continue;
        *v = (struct values){.count = 0};
        interface_scalars(f, &whole, set, v);
        room(scene, var.number, v->end);
        for (uint32_t i = 0; var.loose && interface_member(f, &whole, i, &p, &name); i++)
            if (!given(args, name) && !set_common(scene, args, f, &p, name, v))
                add_name(unset, name);
    }
}

static void say_unset(const struct names *unset)
{
    char list[600] = "";
    for (size_t i = 0, length = 0; i < unset->count && length < sizeof list - 80; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%.60s", i ? ", " : "", unset->name[i]);
    if (unset->count)
        cli_message("uniforms that are not set are 0: %s (give --uniform NAME=V)", list);
}

/* ---- --uniform ---- */

static bool split(const struct cli_command *command, const char *text, struct values *v)
{
    for (v->count = 0; text; v->count++) {
        if (v->count == MOST_VALUES) {
            cli_wrong(command, "--uniform takes at most %d values", MOST_VALUES);
            return false;
        }
        v->text[v->count] = text;
        text = strchr(text, ',');
        text = text ? text + 1 : NULL;
    }
    return true;
}

static bool refuse(const struct cli_command *command, const char *name, const struct values *v)
{
    if (v->other)
        cli_wrong(command, "'%s' has a type that --uniform cannot set: it sets numbers of 32 and 64 bits", name);
    else if (v->used != v->count)
        cli_wrong(command, "uniform '%s' takes %zu value%s, and %zu %s given", name, v->used, v->used == 1 ? "" : "s",
                  v->count, v->count == 1 ? "is" : "are");
    else if (v->wrong) {
        const char *text = v->text[v->wrong - 1];
        cli_wrong(command, "value %zu of uniform '%s' is '%.*s', which is not a number of its type", v->wrong, name,
                  (int)strcspn(text, ","), text);
    } else
        cli_wrong(command, "uniform '%s' is in a buffer that 'weft draw' does not have: there are 0 to 15", name);
    return false;
}

static bool set_uniform(struct scene *scene, const struct cli_command *command, const char *text, struct values *v)
{
    char *name = cli_kept(strndup(text, strcspn(text, "=")));
    bool found = false, fine = split(command, text + strlen(name) + 1, v);
    for (int stage = 0; stage < SCENE_STAGES && fine; stage++) {
        const struct interface *f = &scene->interface[stage];
        struct interface_place p;
        if (!interface_find(f, name, &p))
            continue;
        found = true;
        fine = place(scene, f, &p, v) || refuse(command, name, v);
    }
    if (fine && !found)
        no_name(scene, command, false, "uniform", name);
    free(name);
    return fine && found;
}

/* All values, in their order; uniforms that nobody sets are added to `unset`. */
static bool set_all(struct scene *scene, const struct scene_args *args, const struct cli_command *command,
                    struct names *unset)
{
    struct values *v = cli_kept(calloc(1, sizeof *v));
    bool fine = v != NULL;
    for (int stage = 0; stage < SCENE_STAGES && fine; stage++)
        set_defaults(scene, args, &scene->interface[stage], v, unset);
    for (size_t i = 0; i < args->uniforms && fine; i++)
        fine = set_uniform(scene, command, args->uniform[i], v);
    free(v);
    return fine;
}

int uniforms_set(struct scene *scene, const struct scene_args *args, const struct cli_command *command)
{
    struct names unset = {.count = 0};
    if (args->uniforms && !scene->interface[0].word && !scene->interface[1].word)
        return cli_wrong(command, "--uniform is for GLSL, HLSL and SPIR-V, whose programs have names; give --const");
    bool fine = set_all(scene, args, command, &unset);
    if (fine)
        say_unset(&unset);
    return fine ? STATUS_FINE : STATUS_USAGE;
}

int uniforms_set_again(struct scene *scene, const struct scene_args *args, const struct cli_command *command)
{
    struct names unset = {.count = 0};
    return set_all(scene, args, command, &unset) ? STATUS_FINE : STATUS_USAGE;
}
