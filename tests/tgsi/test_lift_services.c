/* What programs ask of the device: textures, images, interpolation at places, vertices of other stages. The device is
 * played by functions that write down what they are asked; what they should be asked is written here by hand, from the
 * document and Gallium's operand layouts.
 *
 * Sources are CONST[i]: component c of it has the bits of the float i + c / 4 + 1/8. In the tables "2w" is CONST[2].w,
 * "0x/0w" a quotient, "=5" the integer 5. */
#include "lift_run.h"

static uint32_t as_bits(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, 4);
    return bits;
}

static float number_of(unsigned reg, unsigned c)
{
    return (float)reg + (float)c / 4 + 0.125f;
}

static unsigned component_of(char c)
{
    return c == 'w' ? 3 : (unsigned)(c - 'x');
}

/* The bits that a word of a table means. */
static uint32_t meant(const char *word)
{
    if (*word == '=')
        return (uint32_t)strtol(word + 1, NULL, 10);
    float v = number_of((unsigned)(word[0] - '0'), component_of(word[1]));
    if (word[2] == '/')
        v = v / number_of((unsigned)(word[3] - '0'), component_of(word[4]));
    return as_bits(v);
}

/* ---- a device that writes down what it is asked ---- */

enum { MOST_CALLS = 8 };

struct device {
    struct run *run;
    unsigned calls;
    char asked[MOST_CALLS][200]; /* descriptor; arguments follow as bits */
    unsigned nargs[MOST_CALLS];
    uint32_t args[MOST_CALLS][16];
};

/* What call n gives in component k. */
static uint32_t answer(unsigned n, unsigned k)
{
    return 0x41000000 + n * 0x100 + k;
}

static void take_args(struct device *d, const void *const *args, unsigned nargs)
{
    d->nargs[d->calls] = nargs;
    for (unsigned i = 0; i < nargs; i++) {
        d->args[d->calls][i] = ((const uint32_t *)args[i])[0];
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            assert_int_equal(((const uint32_t *)args[i])[lane], d->args[d->calls][i]);
    }
}

static void give(const struct device *d, void *const *results, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            ((uint32_t *)results[k])[lane] = answer(d->calls, k);
}

static const char *const dims[] = {"1d", "2d", "3d", "cube", "rect", "buffer"};

static void take_texture(void *device, const struct exec_texture_call *call)
{
    static const char *const ops[] = {"sample", "bias", "lod", "grad", "fetch", "gather", "qlod", "qsize", "qsamples",
                                      "qpos"};
    struct device *d = device;
    const struct ir_texture *t = call->op;
    assert_true(d->calls < MOST_CALLS);
    int n = snprintf(d->asked[d->calls], sizeof d->asked[0], "%s %s%s%s%s%s%s", ops[t->op], dims[t->dim],
                     t->array ? " array" : "", t->shadow ? " shadow" : "", t->multisample ? " ms" : "",
                     t->has_offset ? " offset" : "", t->zero_lod ? " zero" : "");
    if (t->op == IR_TEX_GATHER)
        n += snprintf(d->asked[d->calls] + n, 8, " .%u", t->gather_component);
    snprintf(d->asked[d->calls] + n, 40, " v%s%u s%s%u", t->view_arg ? "+" : "", t->view, t->sampler_arg ? "+" : "",
             t->sampler);
    take_args(d, call->args, call->nargs);
    give(d, call->results, 4);
    d->calls++;
}

static weft_status take_service(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                                void *const *results)
{
    static const char *const names[] = {[IR_SVC_IMAGE_LOAD] = "load",     [IR_SVC_IMAGE_STORE] = "store",
                                        [IR_SVC_IMAGE_ATOMIC] = "atomic", [IR_SVC_RESOURCE_SIZE] = "size",
                                        [IR_SVC_TILE_LOAD] = "tile",      [IR_SVC_SAMPLE_POS] = "samplepos",
                                        [IR_SVC_INTERP_AT] = "interp"};
    struct device *d = device;
    (void)w;
    assert_true(d->calls < MOST_CALLS);
    char *asked = d->asked[d->calls];
    if (op->imm >= IR_SVC_IMAGE_LOAD && op->imm <= IR_SVC_RESOURCE_SIZE) {
        const struct ir_image *i = &d->run->program->images[op->desc];
        snprintf(asked, sizeof d->asked[0], "%s %s%s%s%s %s%s%u f%u a%u", names[op->imm], dims[i->dim],
                 i->array ? " array" : "", i->multisample ? " ms" : "", i->is_float ? " float" : "",
                 i->binding == IR_IMAGE_RESOURCE ? "res" : "img", i->image_arg ? "+" : "", i->image, i->format,
                 i->atomic);
    } else {
        snprintf(asked, sizeof d->asked[0], "%s %u", names[op->imm], op->desc);
    }
    take_args(d, args, op->nargs);
    give(d, results, op->nres);
    d->calls++;
    return WEFT_OK;
}

/* ---- one instruction ---- */

struct asking {
    const char *decls, *text; /* declarations, instructions */
    const char *asked;        /* of the calls, with '|' between them */
    const char *args;         /* the same */
    const char *out;          /* components of OUT[0]: call and component ("03"), "--": as it was, "=n" */
};

/* The n-th part of a list with '|' between; an empty one after the last. */
static char *part(const char *list, unsigned n, char *to, size_t size)
{
    while (n-- && list)
        list = strchr(list, '|') ? strchr(list, '|') + 1 : NULL;
    snprintf(to, size, "%.*s", list ? (int)strcspn(list, "|") : 0, list ? list : "");
    return to;
}

static void check_args(const struct asking *a, const struct device *d, unsigned call)
{
    char list[200], *rest = part(a->args, call, list, sizeof list);
    unsigned n = 0;
    for (char *word = strtok(rest, " "); word; word = strtok(NULL, " "), n++)
        if (n >= d->nargs[call] || d->args[call][n] != meant(word))
            fail_msg("%s: call %u: argument %u is 0x%x, not %s", a->text, call, n,
                     n < d->nargs[call] ? d->args[call][n] : 0, word);
    if (n != d->nargs[call])
        fail_msg("%s: call %u: %u arguments, not %u", a->text, call, d->nargs[call], n);
}

static void check_out(const struct asking *a, const struct run *r)
{
    char list[80];
    unsigned c = 0;
    snprintf(list, sizeof list, "%s", a->out);
    for (char *word = strtok(list, " "); word; word = strtok(NULL, " "), c++) {
        uint32_t want = *word == '-'   ? 7
                        : *word == '=' ? meant(word)
                                       : answer((unsigned)(word[0] - '0'), (unsigned)(word[1] - '0'));
        if (r->out[0][c][5] != want)
            fail_msg("%s: component %u is 0x%x, not %s", a->text, c, r->out[0][c][5], word);
    }
}

static void ask(const char *stage, const struct asking *a, bool optimise)
{
    static uint32_t constants[32];
    static struct run r;
    char text[1000];
    struct device d = {.run = &r};
    for (unsigned i = 0; i < 32; i++)
        constants[i] = as_bits(number_of(i / 4, i % 4));
    memset(&r, 0, sizeof r);
    r.active = r.live = UINT64_MAX;
    r.optimise = optimise;
    r.device = &d;
    r.texture = take_texture;
    r.service = take_service;
    r.constant[0] = (struct exec_buffer){(uint8_t *)constants, sizeof constants};
    snprintf(text, sizeof text,
             "%s\n%sDCL CONST[0..7]\nDCL OUT[0], COLOR[2]\nDCL TEMP[0..3]\nDCL ADDR[0]\nIMM[0] UINT32 {7, 2, 3, 1}\n"
             "IMM[1] INT32 {-3, 4, 5, -8}\nMOV OUT[0], IMM[0].xxxx\nUARL ADDR[0].x, IMM[0].yyyy\n%s\nEND\n",
             stage, a->decls, a->text);
    run_text(text, &r);
    assert_int_equal(r.stop, EXEC_DONE);
    unsigned calls = 1;
    for (const char *s = a->asked; *s; s++)
        calls += *s == '|';
    char want[200];
    for (unsigned n = 0; n < d.calls && n < calls; n++) {
        if (strcmp(d.asked[n], part(a->asked, n, want, sizeof want)) != 0)
            fail_msg("%s: asked for '%s', not '%s'", a->text, d.asked[n], want);
        check_args(a, &d, n);
    }
    assert_int_equal(d.calls, *a->asked ? calls : 0);
    check_out(a, &r);
}

static void ask_all(const char *stage, const struct asking *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned optimise = 0; optimise < 2; optimise++)
            ask(stage, &list[i], optimise);
}
#define ASK_ALL(stage, list) ask_all(stage, list, sizeof(list) / sizeof(list)[0])

/* ---- textures ---- */

#define SAMP "DCL SAMP[0..7]\n"
#define TEX_CASE(name, target, more, asked, args)                                                                      \
    {                                                                                                                  \
        SAMP, name " OUT[0], " more "SAMP[3], " target, asked, args, "00 01 02 03"                                     \
    }
#define C0 "CONST[0], "
#define C01 "CONST[0], CONST[1], "
#define C012 "CONST[0], CONST[1], CONST[2], "

static void the_tex_family(void **state)
{
    (void)state;
    static const struct asking list[] = {
        /* every target */
        TEX_CASE("TEX", "1D", C0, "sample 1d v3 s3", "0x"),
        TEX_CASE("TEX", "2D", C0, "sample 2d v3 s3", "0x 0y"),
        TEX_CASE("TEX", "3D", C0, "sample 3d v3 s3", "0x 0y 0z"),
        TEX_CASE("TEX", "CUBE", C0, "sample cube v3 s3", "0x 0y 0z"),
        TEX_CASE("TEX", "RECT", C0, "sample rect v3 s3", "0x 0y"),
        TEX_CASE("TEX", "SHADOW1D", C0, "sample 1d shadow v3 s3", "0x 0z"),
        TEX_CASE("TEX", "SHADOW2D", C0, "sample 2d shadow v3 s3", "0x 0y 0z"),
        TEX_CASE("TEX", "SHADOWRECT", C0, "sample rect shadow v3 s3", "0x 0y 0z"),
        TEX_CASE("TEX", "1D_ARRAY", C0, "sample 1d array v3 s3", "0x 0y"),
        TEX_CASE("TEX", "2D_ARRAY", C0, "sample 2d array v3 s3", "0x 0y 0z"),
        TEX_CASE("TEX", "SHADOW1D_ARRAY", C0, "sample 1d array shadow v3 s3", "0x 0y 0z"),
        TEX_CASE("TEX", "SHADOW2D_ARRAY", C0, "sample 2d array shadow v3 s3", "0x 0y 0z 0w"),
        TEX_CASE("TEX", "SHADOWCUBE", C0, "sample cube shadow v3 s3", "0x 0y 0z 0w"),
        TEX_CASE("TEX", "CUBE_ARRAY", C0, "sample cube array v3 s3", "0x 0y 0z 0w"),
        TEX_CASE("TEX2", "SHADOWCUBE_ARRAY", C01, "sample cube array shadow v3 s3", "0x 0y 0z 0w 1x"),
        /* levels, biases, projections, derivatives */
        TEX_CASE("TXP", "SHADOW2D", C0, "sample 2d shadow v3 s3", "0x/0w 0y/0w 0z/0w"),
        TEX_CASE("TXP", "1D_ARRAY", C0, "sample 1d array v3 s3", "0x/0w 0y"),
        TEX_CASE("TXB", "2D", C0, "bias 2d v3 s3", "0x 0y 0w"),
        TEX_CASE("TXB2", "SHADOWCUBE", C01, "bias cube shadow v3 s3", "0x 0y 0z 0w 1x"),
        TEX_CASE("TXB2", "SHADOWCUBE_ARRAY", C01, "bias cube array shadow v3 s3", "0x 0y 0z 0w 1y 1x"),
        TEX_CASE("TXL", "SHADOW1D_ARRAY", C0, "lod 1d array shadow v3 s3", "0x 0y 0z 0w"),
        TEX_CASE("TXL2", "CUBE_ARRAY", C01, "lod cube array v3 s3", "0x 0y 0z 0w 1x"),
        TEX_CASE("TXL2", "SHADOWCUBE_ARRAY", C01, "lod cube array shadow v3 s3", "0x 0y 0z 0w 1y 1x"),
        TEX_CASE("TEX_LZ", "SHADOW2D", C0, "lod 2d shadow zero v3 s3", "0x 0y 0z"),
        TEX_CASE("TXD", "SHADOW2D_ARRAY", C012, "grad 2d array shadow v3 s3", "0x 0y 0z 0w 1x 1y 2x 2y"),
        TEX_CASE("TXD", "CUBE", C012, "grad cube v3 s3", "0x 0y 0z 1x 1y 1z 2x 2y 2z"),
        TEX_CASE("TEX", "3D, IMM[1].xyz", C0, "sample 3d offset v3 s3", "0x 0y 0z =-3 =4 =5"),
        TEX_CASE("TXB", "SHADOW1D, IMM[1].wyz", C0, "bias 1d shadow offset v3 s3", "0x 0z 0w =-8"),
        TEX_CASE("TXL", "2D_ARRAY, IMM[1].yxz", C0, "lod 2d array offset v3 s3", "0x 0y 0z 0w =4 =-3"),
        /* gathers */
        TEX_CASE("TG4", "2D", "CONST[0], IMM[0].yyyy, ", "gather 2d .2 v3 s3", "0x 0y"),
        TEX_CASE("TG4", "2D_ARRAY, IMM[1].xyz", "CONST[0], IMM[0].zzzz, ", "gather 2d array offset .3 v3 s3",
                 "0x 0y 0z =-3 =4"),
        TEX_CASE("TG4", "SHADOWCUBE", "CONST[0], IMM[0].yyyy, ", "gather cube shadow .0 v3 s3", "0x 0y 0z 0w"),
        TEX_CASE("TG4", "SHADOWCUBE_ARRAY", C01, "gather cube array shadow .0 v3 s3", "0x 0y 0z 0w 1x"),
        {SAMP, "TG4 OUT[0], CONST[0], IMM[0].wwww, SAMP[1], 2D, IMM[1].xyz, IMM[1].yzz, IMM[1].zww, IMM[1].wxx",
         "gather 2d offset .1 v1 s1|gather 2d offset .1 v1 s1|gather 2d offset .1 v1 s1|gather 2d offset .1 v1 s1",
         "0x 0y =-3 =4|0x 0y =4 =5|0x 0y =5 =-8|0x 0y =-8 =-3", "03 13 23 33"},
        {SAMP, "TG4 OUT[0], CONST[0], CONST[1].xxxx, SAMP[1], 2D",
         "gather 2d .0 v1 s1|gather 2d .1 v1 s1|gather 2d .2 v1 s1|gather 2d .3 v1 s1", "0x 0y|0x 0y|0x 0y|0x 0y",
         "00 01 02 03"}, /* the bits of 1.125 end in zeros */
        /* texels and queries */
        TEX_CASE("TXF", "BUFFER", C0, "fetch buffer v3 s0", "0x"),
        TEX_CASE("TXF", "1D", C0, "fetch 1d v3 s0", "0x 0w"),
        TEX_CASE("TXF", "3D, IMM[1].xyz", C0, "fetch 3d offset v3 s0", "0x 0y 0z 0w =-3 =4 =5"),
        TEX_CASE("TXF", "RECT", C0, "fetch rect v3 s0", "0x 0y"),
        TEX_CASE("TXF", "1D_ARRAY", C0, "fetch 1d array v3 s0", "0x 0y 0w"),
        TEX_CASE("TXF", "2D_ARRAY", C0, "fetch 2d array v3 s0", "0x 0y 0z 0w"),
        TEX_CASE("TXF", "2D_MSAA", C0, "fetch 2d ms v3 s0", "0x 0y 0w"),
        TEX_CASE("TXF", "2D_ARRAY_MSAA", C0, "fetch 2d array ms v3 s0", "0x 0y 0z 0w"),
        TEX_CASE("TXF_LZ", "2D", C0, "fetch 2d zero v3 s0", "0x 0y"),
        TEX_CASE("TXQ", "CUBE_ARRAY", C0, "qsize cube array v3 s0", "0x"),
        TEX_CASE("TXQ", "BUFFER", C0, "qsize buffer v3 s0", ""),
        TEX_CASE("TXQ", "2D_MSAA", C0, "qsize 2d ms v3 s0", ""),
        TEX_CASE("TXQS", "2D_ARRAY_MSAA", "", "qsamples 2d array ms v3 s0", ""),
        {SAMP, "LODQ OUT[0], CONST[0], SAMP[3], 2D", "qlod 2d v3 s3", "0x 0y", "00 01 -- --"},
        /* units chosen at run time: ADDR[0].x is 2 */
        {SAMP, "TEX OUT[0], CONST[0], SAMP[ADDR[0].x+1], 2D", "sample 2d v+0 s+0", "0x 0y =3 =3", "00 01 02 03"},
        {SAMP, "TXF OUT[0], CONST[0], SAMP[ADDR[0].x], RECT", "fetch rect v+0 s0", "0x 0y =2", "00 01 02 03"},
        {SAMP, "SAMP2HND OUT[0].xy, SAMP[ADDR[0].x+3], 2D", "", "", "=5 =0 -- --"},
        {SAMP, "SAMP2HND TEMP[0].xy, SAMP[4], 2D\nTEX OUT[0], CONST[0], TEMP[0], 2D", "sample 2d v+0 s+0",
         "0x 0y =4 =4", "00 01 02 03"},
    };
    ASK_ALL("FRAG", list);
}

static void no_derivatives_outside_fragments(void **state)
{
    (void)state;
    static const struct asking list[] = {
        TEX_CASE("TEX", "SHADOW2D", C0, "lod 2d shadow zero v3 s3", "0x 0y 0z"),
        TEX_CASE("TXB", "2D", C0, "lod 2d v3 s3", "0x 0y 0w"),
        TEX_CASE("TXL", "2D", C0, "lod 2d v3 s3", "0x 0y 0w"),
    };
    ASK_ALL("VERT", list);
}

#define VIEW(target) SAMP "DCL SVIEW[0..3], " target ", FLOAT\n"
#define SV " OUT[0], CONST[0], SVIEW[1], SAMP[2]"

static void the_sample_family(void **state)
{
    (void)state;
    static const struct asking list[] = {
        {VIEW("2D"), "SAMPLE" SV, "sample 2d v1 s2", "0x 0y", "00 01 02 03"},
        {VIEW("2D"), "SAMPLE OUT[0], CONST[0], SVIEW[1].wzyx, SAMP[2]", "sample 2d v1 s2", "0x 0y", "03 02 01 00"},
        {VIEW("1D_ARRAY"), "SAMPLE" SV ", IMM[1].xyz", "sample 1d array offset v1 s2", "0x 0y =-3", "00 01 02 03"},
        {VIEW("CUBE_ARRAY"), "SAMPLE" SV, "sample cube array v1 s2", "0x 0y 0z 0w", "00 01 02 03"},
        {VIEW("3D"), "SAMPLE_B" SV ", CONST[1].yyyy", "bias 3d v1 s2", "0x 0y 0z 1y", "00 01 02 03"},
        {VIEW("2D"), "SAMPLE_C" SV ", CONST[1].zzzz", "sample 2d shadow v1 s2", "0x 0y 1z", "00 01 02 03"},
        {VIEW("CUBE_ARRAY"), "SAMPLE_C" SV ", CONST[1].zzzz", "sample cube array shadow v1 s2", "0x 0y 0z 0w 1z",
         "00 01 02 03"},
        {VIEW("2D_ARRAY"), "SAMPLE_C_LZ" SV ", CONST[1]", "lod 2d array shadow zero v1 s2", "0x 0y 0z 1x",
         "00 01 02 03"},
        {VIEW("2D"), "SAMPLE_D" SV ", CONST[1], CONST[2]", "grad 2d v1 s2", "0x 0y 1x 1y 2x 2y", "00 01 02 03"},
        {VIEW("1D"), "SAMPLE_L" SV ", CONST[1].wwww", "lod 1d v1 s2", "0x 1w", "00 01 02 03"},
        {VIEW("2D"), "GATHER4" SV, "gather 2d .0 v1 s2", "0x 0y", "00 01 02 03"},
        {VIEW("2D"), "LOD" SV, "qlod 2d v1 s2", "0x 0y", "00 01 02 03"},
        {VIEW("2D"), "SAMPLE_I OUT[0], CONST[0], SVIEW[1]", "fetch 2d v1 s0", "0x 0y 0w", "00 01 02 03"},
        {VIEW("BUFFER"), "SAMPLE_I OUT[0], CONST[0], SVIEW[1]", "fetch buffer v1 s0", "0x", "00 01 02 03"},
        {VIEW("2D_ARRAY_MSAA"), "SAMPLE_I_MS OUT[0], CONST[0], SVIEW[1], CONST[1].yyyy", "fetch 2d array ms v1 s0",
         "0x 0y 0z 1y", "00 01 02 03"},
        {VIEW("3D"), "SVIEWINFO OUT[0], CONST[0].zzzz, SVIEW[1]", "qsize 3d v1 s0", "0z", "00 01 02 03"},
        {VIEW("2D_MSAA"), "SAMPLE_POS OUT[0], SVIEW[1], CONST[0].yyyy", "qpos 2d ms v1 s0", "0y", "00 01 02 03"},
        {VIEW("2D_MSAA"), "SAMPLE_INFO OUT[0], SVIEW[1], CONST[0]", "qsamples 2d ms v1 s0", "", "00 =0 =0 =0"},
        {VIEW("2D"), "SAMPLE OUT[0], CONST[0], SVIEW[ADDR[0].x], SAMP[ADDR[0].x+1]", "sample 2d v+0 s+0", "0x 0y =2 =3",
         "00 01 02 03"},
        {SAMP "DCL RES[0..3], 2D\n", "SAMPLE OUT[0], CONST[0], RES[1], SAMP[2]", "sample 2d v1 s2", "0x 0y",
         "00 01 02 03"},
    };
    ASK_ALL("FRAG", list);
}

/* ---- images ---- */

#define IMAGES(target) "DCL IMAGE[0..3], " target ", PIPE_FORMAT_R32_UINT, WR\n"

static void images(void **state)
{
    (void)state;
    unsigned uint = 0, real = 0;
    while (strcmp(gallium_format_names[uint], "PIPE_FORMAT_R32_UINT") != 0)
        uint++;
    while (strcmp(gallium_format_names[real], "PIPE_FORMAT_R32G32B32A32_FLOAT") != 0)
        real++;
    static const struct {
        const char *target, *shape, *place;
    } shapes[] = {
        {"BUFFER", "buffer", "0x"},
        {"1D", "1d", "0x"},
        {"2D", "2d", "0x 0y"},
        {"3D", "3d", "0x 0y 0z"},
        {"CUBE", "cube", "0x 0y 0z"},
        {"RECT", "rect", "0x 0y"},
        {"1D_ARRAY", "1d array", "0x 0y"},
        {"2D_ARRAY", "2d array", "0x 0y 0z"},
        {"CUBE_ARRAY", "cube array", "0x 0y 0z"},
        {"2D_MSAA", "2d ms", "0x 0y 0w"},
        {"2D_ARRAY_MSAA", "2d array ms", "0x 0y 0z 0w"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char decls[100], text[200], asked[200], args[100];
        const char *t = shapes[i].target;
        struct asking a = {decls, text, asked, args, "00 01 02 03"};
        snprintf(decls, sizeof decls, "DCL IMAGE[0..3], %s, PIPE_FORMAT_R32_UINT, WR\n", t);
        snprintf(text, sizeof text, "LOAD OUT[0], IMAGE[2], CONST[0], %s, PIPE_FORMAT_R32_UINT", t);
        snprintf(asked, sizeof asked, "load %s img2 f%u a0", shapes[i].shape, uint);
        snprintf(args, sizeof args, "%s", shapes[i].place);
        ask("FRAG", &a, i & 1);
        snprintf(text, sizeof text, "STORE IMAGE[1], CONST[0], CONST[1], %s, PIPE_FORMAT_R32G32B32A32_FLOAT", t);
        snprintf(asked, sizeof asked, "store %s float img1 f%u a0", shapes[i].shape, real);
        snprintf(args, sizeof args, "%s 1x 1y 1z 1w", shapes[i].place);
        a.out = "-- -- -- --";
        ask("FRAG", &a, i & 1);
        snprintf(text, sizeof text,
                 "ATOMCAS OUT[0].xw, IMAGE[0], CONST[0], CONST[1], CONST[2], %s, PIPE_FORMAT_R32_UINT", t);
        snprintf(asked, sizeof asked, "atomic %s img0 f%u a%u", shapes[i].shape, uint, (unsigned)IR_ATOMIC_CAS);
        snprintf(args, sizeof args, "%s 2x 1x", shapes[i].place);
        a.out = "00 -- -- 00";
        ask("FRAG", &a, i & 1);
        snprintf(text, sizeof text, "RESQ OUT[0], IMAGE[ADDR[0].x], %s", t);
        snprintf(asked, sizeof asked, "size %s img+0 f%u a0", shapes[i].shape, uint);
        snprintf(args, sizeof args, "=2");
        a.out = "00 01 02 03";
        ask("FRAG", &a, i & 1);
    }
    static const struct asking more[] = {
        {"DCL IMAGE[0], 2D, WR\n", "ATOMFADD OUT[0], IMAGE[0], CONST[0], CONST[1].zzzz, 2D",
         "atomic 2d float img0 f0 a14", "0x 0y 1z", "00 00 00 00"},
        {"DCL IMAGE[0], 2D, WR\n", "ATOMUMAX OUT[0], IMAGE[0], CONST[0], CONST[1].zzzz, 2D", "atomic 2d img0 f0 a4",
         "0x 0y 1z", "00 00 00 00"},
        {"DCL RES[0..1], 2D, WR\n", "STORE RES[1].xyzw, CONST[0], CONST[2]", "store 2d float res1 f0 a0",
         "0x 0y 2x 2y 2z 2w", "-- -- -- --"},
        {"DCL IMAGE[0..4], 2D\n", "IMG2HND TEMP[1].xy, IMAGE[4], 2D\nLOAD OUT[0], TEMP[1], CONST[0], 2D",
         "load 2d float img+0 f0 a0", "0x 0y =4", "00 01 02 03"},
    };
    ASK_ALL("FRAG", more);
}

/* ---- fragments ---- */

static void places_and_targets(void **state)
{
    (void)state;
    static const char inputs[] = "DCL IN[0], GENERIC[3], PERSPECTIVE\nDCL IN[1], GENERIC[5], LINEAR\n";
    const struct asking list[] = {
        {"", "FBFETCH TEMP[0], OUT[0]\nMOV OUT[0], TEMP[0].yxwz", "tile 2", "", "01 00 03 02"},
        {inputs, "INTERP_OFFSET OUT[0], IN[1].wzyx, CONST[2].yzzz", "interp 1", "2y 2z", "03 02 01 00"},
    };
    ASK_ALL("FRAG", list);

    /* The position of a sample counts from the pixel's corner, an offset from its centre. */
    static struct run r;
    struct device d = {.run = &r};
    memset(&r, 0, sizeof r);
    r.active = r.live = UINT64_MAX;
    r.device = &d;
    r.service = take_service;
    run_text("FRAG\nDCL IN[0], GENERIC[3], PERSPECTIVE\nDCL OUT[0], COLOR\nIMM INT32 {3, 0, 0, 0}\n"
             "INTERP_SAMPLE OUT[0].xy, -IN[0], IMM[0].xxxx\nEND\n", &r);
    assert_int_equal(d.calls, 2);
    assert_string_equal(d.asked[0], "samplepos 0");
    assert_int_equal(d.args[0][0], 3);
    assert_string_equal(d.asked[1], "interp 0");
    for (unsigned c = 0; c < 2; c++) {
        float at, half = 0.5f;
        uint32_t bits = answer(0, c);
        memcpy(&at, &bits, 4);
        assert_int_equal(d.args[1][c], as_bits(at - half));
        assert_int_equal(r.out[0][c][9], answer(1, c) ^ 0x80000000);
    }
}

static struct ir_program *lifted(const char *text, struct arena *arena)
{
    weft_diags *diags = weft_diags_new();
    struct ir_program *p = NULL;
    if (run_lift(text, arena, &p, diags) != WEFT_OK) {
        run_print_diags(diags);
        fail();
    }
    weft_diags_free(diags);
    return p;
}

static void declarations_reach_the_device(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct ir_program *p = lifted(
        "FRAG\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\nDCL IN[0], GENERIC[3], PERSPECTIVE, CENTROID\nDCL SV[0], SAMPLEID\n"
        "DCL OUT[0], COLOR\nDCL OUT[1], POSITION\nDCL OUT[2], STENCIL\nDCL OUT[3], SAMPLEMASK\n"
        "INTERP_CENTROID OUT[0], IN[0]\nU2F OUT[1].z, SV[0].xxxx\nMOV OUT[2].y, SV[0].xxxx\n"
        "MOV OUT[3].x, SV[0].xxxx\nEND\n",
        &arena);
    assert_true(p->io.per_sample && p->io.early_depth_stencil && p->io.writes_depth && p->io.writes_stencil &&
                p->io.writes_samplemask);
    assert_int_equal(p->io.inputs[0].location, IR_LOC_CENTROID);
    unsigned centroids = 0;
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            centroids += p->blocks[b].ops[i].code == IR_INTERP &&
                         p->blocks[b].ops[i].attr == (IR_INTERP_PERSPECTIVE | IR_LOC_CENTROID << 4);
    assert_int_equal(centroids, 8); /* the input's own and the instruction's */

    p = lifted(
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES_ADJACENCY\nPROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 12\nPROPERTY GS_INVOCATIONS 3\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n"
        "DCL OUT[1], GENERIC[4], STREAM(1, 1, 1, 1)\nIMM UINT32 {1, 0, 0, 0}\nMOV OUT[0], IN[5][0]\nEMIT IMM[0].xxxx\n"
        "ENDPRIM IMM[0].xxxx\nEND\n",
        &arena);
    assert_int_equal(p->stage, IR_GEOMETRY);
    assert_int_equal(p->io.gs_input, 12);
    assert_int_equal(p->io.gs_output, 3);
    assert_int_equal(p->io.gs_max_vertices, 12);
    assert_int_equal(p->io.gs_invocations, 3);
    assert_int_equal(p->io.gs_streams, 2);
    assert_int_equal(p->io.outputs[1].stream[2], 1);

    p = lifted("TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\nPROPERTY TES_VERTEX_ORDER_CW 1\n"
               "PROPERTY TES_POINT_MODE 1\nDCL OUT[0], POSITION\nDCL SV[0], TESSCOORD\nMOV OUT[0], SV[0]\nEND\n",
               &arena);
    assert_int_equal(p->stage, IR_TESS_EVAL);
    assert_int_equal(p->io.tes_mode, 7);
    assert_int_equal(p->io.tes_spacing, 2);
    assert_true(p->io.tes_cw && p->io.tes_points);
    arena_free(&arena);
}

static void constant_buffers_chosen_by_lanes(void **state)
{
    (void)state;
    static struct run r;
    uint32_t buffer[3][8];
    for (unsigned i = 0; i < 24; i++)
        ((uint32_t *)buffer)[i] = 1000 + i;
    for (unsigned optimise = 0; optimise < 2; optimise++) {
        memset(&r, 0, sizeof r);
        r.active = r.live = UINT64_MAX;
        r.optimise = optimise;
        for (unsigned b = 0; b < 3; b++)
            r.constant[b] = (struct exec_buffer){(uint8_t *)buffer[b], sizeof buffer[b]};
        run_text("FRAG\nDCL CONST[0][0..1]\nDCL CONST[2][0..1]\nDCL SV[0], SUBGROUP_INVOCATION\nDCL OUT[0], COLOR\n"
                 "DCL ADDR[0]\nDCL TEMP[0]\nIMM UINT32 {3, 2, 1, 0}\nAND TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                 "UARL ADDR[0].x, TEMP[0].xxxx\nMOV OUT[0], CONST[ADDR[0].x][1]\nEND\n", &r);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            for (unsigned c = 0; c < 4; c++)
                assert_int_equal(r.out[0][c][lane], lane & 1 ? 0 : buffer[lane & 3][4 + c]);
        assert_int_equal(r.counts.bad_access, 0);
    }
}

/* ---- geometry ---- */

enum { GS_VERTICES = 3, GS_SLOTS = 3 };

struct emitted {
    struct run *run;
    unsigned emits, cuts;
    struct {
        unsigned stream;
        lane_mask lanes;
        uint32_t out[2][4][RUN_LANES];
    } vertex[8];
};

static weft_status take_vertex(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                               void *const *results)
{
    struct emitted *e = device;
    (void)args, (void)results;
    if (op->code == IR_CUT) {
        e->cuts++;
        return WEFT_OK;
    }
    assert_int_equal(op->code, IR_EMIT);
    assert_true(e->emits < 8);
    e->vertex[e->emits].stream = (unsigned)op->imm;
    e->vertex[e->emits].lanes = exec_active(w);
    memcpy(e->vertex[e->emits++].out, e->run->out, sizeof e->vertex[0].out);
    return WEFT_OK;
}

static void geometry(void **state)
{
    (void)state;
    static struct run r;
    static struct emitted e;
    static uint32_t in[RUN_LANES][GS_VERTICES][GS_SLOTS][4];
    for (unsigned optimise = 0; optimise < 2; optimise++) {
        memset(&r, 0, sizeof r);
        memset(&e, 0, sizeof e);
        for (unsigned i = 0; i < sizeof in / 4; i++)
            ((uint32_t *)in)[i] = i * 7 + 1;
        e.run = &r;
        r.active = r.live = UINT64_C(0xfffffffffffffff7);
        r.optimise = optimise;
        r.device = &e;
        r.service = take_vertex;
        r.stage[0] = (struct exec_buffer){(uint8_t *)in, sizeof in};
        /* vertices 2, 0, and one that the lane's number says, of a slot that it says: 3 and more are outside */
        run_text(
            "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
            "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[1]\nDCL IN[][2], "
            "GENERIC[2]\n"
            "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nDCL SV[0], SUBGROUP_INVOCATION\nDCL ADDR[0]\nDCL TEMP[0]\n"
            "IMM UINT32 {3, 2, 1, 4}\n"
            "AND TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUSHR TEMP[0].y, SV[0].xxxx, IMM[0].yyyy\nAND TEMP[0].y, "
            "TEMP[0].yyyy, IMM[0].xxxx\n"
            "UARL ADDR[0].xy, TEMP[0]\n"
            "MOV OUT[0], IN[2][1]\nMOV OUT[1], IN[0][0].wzyx\nEMIT\nMOV OUT[0], IN[ADDR[0].x][ADDR[0].y]\nEMIT "
            "IMM[0].zzzz\n"
            "ENDPRIM\nEND\n",
            &r);
        assert_int_equal(r.stop, EXEC_DONE);
        assert_int_equal(e.emits, 2);
        assert_int_equal(e.cuts, 1);
        assert_int_equal(e.vertex[0].stream, 0);
        assert_int_equal(e.vertex[1].stream, 1);
        assert_true(e.vertex[0].lanes == r.active);
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            unsigned v = lane & 3, slot = lane >> 2 & 3;
            if (!(r.active >> lane & 1))
                continue;
            for (unsigned c = 0; c < 4; c++) {
                assert_int_equal(e.vertex[0].out[0][c][lane], in[lane][2][1][c]);
                assert_int_equal(e.vertex[0].out[1][c][lane], in[lane][0][0][3 - c]);
                assert_int_equal(e.vertex[1].out[0][c][lane], v < 3 && slot < 3 ? in[lane][v][slot][c] : 0);
            }
        }
    }
}

/* ---- tessellation ---- */

static void tessellation(void **state)
{
    (void)state;
    static struct run r;
    static float in[3][2][4], out[4][4][4], patch[4][4];
    static int32_t number[RUN_LANES];
    for (unsigned optimise = 0; optimise < 2; optimise++) {
        memset(&r, 0, sizeof r);
        memset(out, 0, sizeof out);
        memset(patch, 0, sizeof patch);
        for (unsigned i = 0; i < 24; i++)
            ((float *)in)[i] = (float)i + 0.5f;
        for (unsigned i = 0; i < RUN_LANES; i++)
            number[i] = (int32_t)i;
        r.active = r.live = 15;
        r.optimise = optimise;
        r.sysval[IR_SYS_INVOCATION_ID * 4] = number;
        r.stage[0] = (struct exec_buffer){(uint8_t *)in, sizeof in};
        r.stage[1] = (struct exec_buffer){(uint8_t *)out, sizeof out};
        r.stage[2] = (struct exec_buffer){(uint8_t *)patch, sizeof patch};
        /* Output vertex v is input vertex v (the fourth is not there); after the barrier it takes its y from the vertex
         * before it, and lane 2 alone writes for the patch. */
        run_text("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
                 "DCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[0]\nDCL OUT[2], TESSOUTER\nDCL OUT[3], PATCH[1]\n"
                 "DCL SV[0], INVOCATIONID\nDCL ADDR[0]\nDCL TEMP[0..1]\nIMM INT32 {1, 2, 0, 0}\nIMM FLT32 {3.0, 4.0, "
                 "5.0, 6.0}\n"
                 "UARL ADDR[0].x, SV[0].xxxx\n"
                 "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][1]\n"
                 "MOV OUT[ADDR[0].x][1].x, IN[1][0].wwww\n"
                 "BARRIER\n"
                 "UADD TEMP[0].x, SV[0].xxxx, -IMM[0].xxxx\nUARL ADDR[0].y, TEMP[0].xxxx\n"
                 "MOV TEMP[1], OUT[ADDR[0].y][0]\nMOV OUT[ADDR[0].x][1].y, TEMP[1].yyyy\n"
                 "USEQ TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\nMOV OUT[2], IMM[1]\nMOV OUT[3].zw, "
                 "OUT[2].xyxy\nENDIF\nEND\n",
                 &r);
        assert_int_equal(r.stop, EXEC_DONE);
        for (unsigned v = 0; v < 4; v++) {
            for (unsigned c = 0; c < 4; c++)
                assert_true(out[v][0][c] == (v < 3 ? in[v][1][c] : 0));
            assert_true(out[v][1][0] == in[1][0][3]);
            assert_true(out[v][1][1] == (v > 0 ? in[v - 1][1][1] : 0));
            assert_true(out[v][1][2] == 0);
        }
        for (unsigned c = 0; c < 4; c++)
            assert_true(patch[2][c] == (float)(c + 3));
        assert_true(patch[3][0] == 0 && patch[3][2] == 3 && patch[3][3] == 4);

        /* Evaluation: weights from TESSCOORD, three vertices of the patch, and one value for all. */
        static float coord[3][RUN_LANES];
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            coord[0][lane] = (float)lane;
            coord[1][lane] = 64 - (float)lane;
        }
        memset(&r, 0, sizeof r);
        r.active = r.live = UINT64_MAX;
        r.optimise = optimise;
        for (unsigned c = 0; c < 3; c++)
            r.sysval[IR_SYS_TESS_COORD * 4 + c] = coord[c];
        static float vertices[3][3][4], all[3][4];
        for (unsigned i = 0; i < 36; i++)
            ((float *)vertices)[i] = (float)i;
        all[1][3] = 77;
        r.stage[0] = (struct exec_buffer){(uint8_t *)vertices, sizeof vertices};
        r.stage[2] = (struct exec_buffer){(uint8_t *)all, sizeof all};
        run_text(
            "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], POSITION\nDCL IN[1], PATCH[1]\nDCL IN[][2], GENERIC[0]\n"
            "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL SV[0], TESSCOORD\nDCL TEMP[0]\n"
            "MUL TEMP[0], SV[0].xxxx, IN[0][0]\nMAD OUT[0], SV[0].yyyy, IN[2][2], TEMP[0]\nMOV OUT[1], "
            "IN[1].wwww\nEND\n",
            &r);
        assert_int_equal(r.stop, EXEC_DONE);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            for (unsigned c = 0; c < 4; c++) {
                assert_int_equal(r.out[0][c][lane],
                                 as_bits(coord[0][lane] * vertices[0][0][c] + coord[1][lane] * vertices[2][2][c]));
                assert_int_equal(r.out[1][c][lane], as_bits(77));
            }
    }
}

TEST_MAIN(TEST(the_tex_family), TEST(no_derivatives_outside_fragments), TEST(the_sample_family), TEST(images),
          TEST(places_and_targets), TEST(declarations_reach_the_device),
          TEST(constant_buffers_chosen_by_lanes), TEST(geometry), TEST(tessellation))
