/* scene_options.c - the arguments of `weft draw`. */
#include "cli/limits.h"
#include "cli/passes.h"
#include "cli/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { KEY_VERTEX = 256, KEY_MESH, KEY_SIZE, KEY_TEXTURE, KEY_CONST, KEY_TIME, KEY_CLEAR, KEY_THREADS, KEY_BUDGET,
       KEY_REPEAT, KEY_FRAMES, KEY_RATE, KEY_CPU, KEY_STATS, KEY_LINKAGE, KEY_VERTEX_LINKAGE, KEY_STRICT, KEY_ENGINE,
       KEY_UNIFORM, KEY_VERTICES, KEY_PASS, KEY_FRAME, KEY_VERTEX_ENTRY };

const struct cli_option scene_options[] = {
    CLI_TARGET_OPTIONS_OF("fragment, which SHADER always is"),
    CLI_COMPILE_OPTIONS,
    CLI_PACK_OPTION,
    {KEY_VERTEX, "vertex", "FILE", "vertex shader: places the quad or the mesh"},
    {KEY_VERTEX_ENTRY, "vertex-entry", "NAME", "where the vertex shader starts (hlsl, spirv, tesla)"},
    {KEY_LINKAGE, "linkage", "FILE", "how SHADER's inputs, outputs and buffers meet registers"},
    {KEY_VERTEX_LINKAGE, "vertex-linkage", "FILE", "the same of the vertex shader"},
    {KEY_MESH, "mesh", "NAME", "quad (which fills the picture), sphere, cube, teapot, or FILE.obj (default: quad)"},
    {KEY_VERTICES, "vertices", "N", "triangles of N vertices without data, for a vertex shader that makes them"},
    {KEY_SIZE, "size", "WxH", "pixels (default: 512x512)"},
    {KEY_UNIFORM, "uniform", "NAME=V[,V...]", "a uniform of GLSL, HLSL or SPIR-V: NAME, NAME[i], NAME.member", true},
    {KEY_TEXTURE, "texture", "N=FILE.png",
     "texture N, or NAME of GLSL; then words such as :nearest, :mipmap, :clamp, :cube", true},
    {KEY_PASS, "pass", "NAME=FILE", "a shader drawn before SHADER, whose picture is --texture ...=NAME", true},
    {KEY_CONST, "const", "[N=]FILE", "constant buffer N (default: 0): a line \"x y z w\" for each vector", true},
    {KEY_TIME, "time", "T", "time in seconds, CONST[0][0].x unless --const fills that (default: 0)"},
    {KEY_FRAMES, "frames", "N", "an animation of N pictures: OUT.png moves, OUT%03d.png is numbered"},
    {KEY_FRAME, "frame", "N", "picture number N of an animation, counted from 0"},
    {KEY_RATE, "rate", "N", "pictures of an animation in a second (default: 60)"},
    {KEY_CLEAR, "clear", "R,G,B,A", "colour before drawing (default: 0,0,0,0)"},
    {KEY_THREADS, "threads", "N", "threads (default: one for each processor)"},
    {KEY_BUDGET, "budget", "N", "stop a warp that has run N instructions (default: 4194304; 0: no limit)"},
    {KEY_REPEAT, "repeat", "N", "draw N times, to measure"},
    {KEY_CPU, "cpu", "LEVEL", "best (default), baseline, avx2 or avx512: the same bits, another speed"},
    {KEY_ENGINE, "engine", "ENGINE", CLI_ENGINE_HELP},
    {KEY_STRICT, "strict", NULL,
     "stop when the result of an asynchronous load is read before the program waits for it"},
    {KEY_STATS, "stats", NULL, "say on standard error what drawing took"},
    {'o', "output", "OUT", "OUT.png, OUT.raw (RGBA floats, bottom row first) or - (PNG)"},
    {0},
};

static bool wrong(const struct cli_args *a, const char *what)
{
    cli_wrong(a->command, "%s, not '%s'", what, a->value);
    return false;
}

/* False, having said so. */
static bool given_twice(const struct cli_args *a, const char *option)
{
    cli_wrong(a->command, "--%s %s: what it names is given before", option, a->value);
    return false;
}

static bool take_size(struct scene_args *s, const struct cli_args *a)
{
    static const char digits[] = "0123456789";
    size_t width = strspn(a->value, digits);
    const char *after = a->value + width + (a->value[width] == 'x');
    unsigned long w = strtoul(a->value, NULL, 10), h = strtoul(after, NULL, 10);
    if (!width || a->value[width] != 'x' || after[strspn(after, digits)] || *after < '0' || *after > '9' || !w || !h ||
        w > WEFT_MAX_PICTURE_SIZE || h > WEFT_MAX_PICTURE_SIZE)
        return wrong(a, "--size is WxH, such as 640x480, at most 16384x16384");
    s->width = (uint32_t)w;
    s->height = (uint32_t)h;
    return true;
}

/* "N=" before a file's name: its end, or NULL when there is none or N is too large. */
static const char *take_index(const char *text, uint64_t limit, uint64_t *n)
{
    char digits[8];
    size_t length = strspn(text, "0123456789");
    if (!length || length >= sizeof digits || text[length] != '=')
        return NULL;
    memcpy(digits, text, length);
    digits[length] = 0;
    *n = strtoull(digits, NULL, 10);
    return *n < limit ? text + length + 1 : NULL;
}

static bool take_texture(struct scene_args *s, const struct cli_args *a)
{
    uint64_t n = 0;
    struct scene_texture t = {0};
    size_t length = strcspn(a->value, "=");
    bool named = length && a->value[length] && !(a->value[0] >= '0' && a->value[0] <= '9');
    const char *file = named ? a->value + length + 1 : take_index(a->value, WEFT_MAX_TEXTURES, &n);
    if (!file || !*file)
        return wrong(a, "--texture is N=FILE.png with N from 0 to 31, or NAME=FILE.png");
    const char *fault = scene_texture_take(&t, file);
    if (fault) {
        cli_wrong(a->command, "--texture %s: %s", a->value, fault);
        return false;
    }
    if (!named) {
        if (s->texture[n].file)
            return given_twice(a, "texture");
        s->texture[n] = t;
        return true;
    }
    for (size_t i = 0; i < s->nnamed; i++)
        if (s->named[i].name_length == length && strncmp(s->named[i].name, a->value, length) == 0)
            return given_twice(a, "texture");
    if (s->nnamed == WEFT_MAX_TEXTURES)
        return wrong(a, "there are at most 32 textures");
    t.name = a->value;
    t.name_length = length;
    s->named[s->nnamed++] = t;
    return true;
}

static bool take_uniform(struct scene_args *s, const struct cli_args *a)
{
    const char *equals = strchr(a->value, '=');
    if (!equals || equals == a->value || !equals[1])
        return wrong(a, "--uniform is NAME=V[,V...], such as tint=1,0.5,0,1");
    if (s->uniforms == SCENE_MOST_UNIFORMS)
        return wrong(a, "there are at most 256 of --uniform");
    s->uniform[s->uniforms++] = a->value;
    return true;
}

static bool take_constants(struct scene_args *s, const struct cli_args *a)
{
    uint64_t n = 0;
    const char *file = a->value;
    size_t digits = strspn(file, "0123456789");
    if (digits && file[digits] == '=') {
        file = take_index(a->value, WEFT_MAX_CONSTANT_BUFFERS, &n);
        if (!file)
            return wrong(a, "--const is FILE or N=FILE with N from 0 to 15");
    }
    if (s->constants[n])
        return given_twice(a, "const");
    s->constants[n] = file;
    return true;
}

static bool take_mesh(struct scene_args *s, const struct cli_args *a)
{
    static const char *const names[] = {"quad", "sphere", "cube", "teapot"};
    char hint[80];
    int mesh = weft_mesh_find(a->value);
    size_t length = strlen(a->value);
    s->mesh = NULL;
    if (length > 4 && strcasecmp(a->value + length - 4, ".obj") == 0) {
        s->mesh = a->value;
        return true;
    }
    if (mesh < 0) {
        cli_nearest(a->value, names, 4, hint, sizeof hint);
        cli_wrong(a->command, "unknown mesh '%s'%s", a->value,
                  *hint ? hint : "; there are quad, sphere, cube and teapot, and files NAME.obj");
        return false;
    }
    s->params.mesh = (weft_mesh)mesh;
    return true;
}

static bool take_vertices(struct scene_args *s, const struct cli_args *a)
{
    enum { MOST = 3 << 20 };
    uint64_t n;
    if (!cli_number(a->value, 3, MOST, &n) || n % 3)
        return wrong(a, "--vertices is a multiple of 3 up to 3145728: three for each triangle");
    s->vertices = (uint32_t)n;
    return true;
}

static bool take_time(struct scene_args *s, const struct cli_args *a)
{
    char *end;
    s->params.time = strtof(a->value, &end);
    return (end != a->value && !*end && isfinite(s->params.time)) || wrong(a, "--time is a number of seconds");
}

static bool take_clear(struct scene_args *s, const struct cli_args *a)
{
    const char *text = a->value;
    char *end = NULL;
    for (int i = 0; i < 4; i++) {
        s->params.clear[i] = strtof(text, &end);
        if (end == text || *end != (i < 3 ? ',' : 0))
            return wrong(a, "--clear is four numbers R,G,B,A");
        text = end + 1;
    }
    return true;
}

static bool take_cpu(struct scene_args *s, const struct cli_args *a)
{
    static const char *const names[] = {"best", "baseline", "avx2", "avx512"};
    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], a->value) == 0) {
            s->params.cpu_level = (weft_cpu_level)i;
            return true;
        }
    return wrong(a, "--cpu is best, baseline, avx2 or avx512");
}

static bool take_number(const struct cli_args *a, uint64_t least, uint64_t most, const char *what, uint64_t *out)
{
    return cli_number(a->value, least, most, out) || wrong(a, what);
}

static bool take(struct scene_args *s, const struct cli_args *a, int key)
{
    uint64_t n = 0;
    bool fine = true;
    switch (key) {
    case KEY_VERTEX:
        s->vertex = a->value;
        return true;
    case KEY_VERTEX_ENTRY:
        s->vertex_entry = a->value;
        return true;
    case KEY_LINKAGE:
        s->linkage = a->value;
        return true;
    case KEY_VERTEX_LINKAGE:
        s->vertex_linkage = a->value;
        return true;
    case KEY_STRICT:
        s->target.strict = true;
        return true;
    case KEY_MESH:
        return take_mesh(s, a);
    case KEY_PASS:
        return passes_take(s, a);
    case KEY_FRAME:
        fine = take_number(a, 0, 1000000, "--frame is a number from 0 to 1000000", &n);
        s->frame = (uint32_t)n;
        s->one_frame = true;
        return fine;
    case KEY_VERTICES:
        return take_vertices(s, a);
    case KEY_SIZE:
        return take_size(s, a);
    case KEY_TEXTURE:
        return take_texture(s, a);
    case KEY_UNIFORM:
        return take_uniform(s, a);
    case KEY_CONST:
        return take_constants(s, a);
    case KEY_TIME:
        return take_time(s, a);
    case KEY_CLEAR:
        return take_clear(s, a);
    case KEY_CPU:
        return take_cpu(s, a);
    case KEY_ENGINE:
        return cli_take_engine(a, &s->params.engine);
    case KEY_THREADS:
        fine = take_number(a, 1, WEFT_MAX_THREADS, "--threads is a number from 1 to 256", &n);
        s->params.threads = (uint32_t)n;
        return fine;
    case KEY_REPEAT:
        fine = take_number(a, 1, 1000000, "--repeat is a number from 1 to 1000000", &n);
        s->params.repeat = (uint32_t)n;
        return fine;
    case KEY_FRAMES:
        fine = take_number(a, 1, 100000, "--frames is a number from 1 to 100000", &n);
        s->frames = (uint32_t)n;
        return fine;
    case KEY_RATE:
        fine = take_number(a, 1, 1000, "--rate is a number from 1 to 1000", &n);
        s->rate = (uint32_t)n;
        return fine;
    case KEY_BUDGET:
        return take_number(a, 0, UINT64_MAX, "--budget is a number of instructions", &s->params.budget);
    case KEY_STATS:
        s->stats = true;
        return true;
    case 'o':
        s->output = a->value;
        return true;
    default:
        return cli_take_target(&s->target, a, key);
    }
}

bool scene_parse(struct scene_args *s, const struct cli_command *command, int argc, char **argv, int *status)
{
    struct cli_args args = {command, argc, argv, NULL, STATUS_USAGE};
    *s = (struct scene_args){.target.stage = WEFT_STAGE_NONE, .width = 512, .height = 512};
    weft_draw_params_init(&s->params);
    for (int key; (key = cli_next(&args)) != OPTION_END;) {
        *status = key == OPTION_STOP ? args.status : STATUS_USAGE;
        if (key == OPTION_STOP || !take(s, &args, key))
            return false;
    }
    s->params.seconds = limits_seconds();
    s->params.engine = limits_engine(s->params.engine);
    *status = STATUS_USAGE;
    int operand = cli_operands(&args);
    if (argc - operand > 1) {
        cli_wrong(command, "one shader at a time: '%s' is a second one", argv[operand + 1]);
        return false;
    }
    s->shader = operand < argc ? argv[operand] : NULL;
    if (s->vertices && (s->mesh || s->params.mesh != WEFT_MESH_QUAD)) {
        cli_wrong(command, "--mesh and --vertices do not go together");
        return false;
    }
    if ((s->vertex_entry || s->vertex_linkage) && !s->vertex) {
        cli_wrong(command, "--vertex-%s is for --vertex FILE", s->vertex_entry ? "entry" : "linkage");
        return false;
    }
    if (s->rate && !s->frames && !s->one_frame) {
        cli_wrong(command, "--rate is for --frames N or --frame N");
        return false;
    }
    s->rate = s->rate ? s->rate : 60;
    if (s->vertices && !s->vertex) {
        cli_wrong(command, "--vertices is for --vertex FILE: a shader that makes a position from gl_VertexIndex");
        return false;
    }
    return true;
}
