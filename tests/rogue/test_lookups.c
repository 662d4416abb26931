/* test_lookups.c - SMP with any modifiers, of textures and of images, which it writes, too: what it asks of the device,
 * argument by argument, and where results go, against the order of its words that docs/manual/rogue.md has
 * ("Textures"). */
#include "half.h"
#include "machine.h"

enum { WORDS = 24, FIRST = 20, TO = 120, TEXTURE = 3, SAMPLER = 5, MOST_CALLS = 4 };

/* What a lookup says. */
struct lookup {
    unsigned dims, lod, channels;
    bool proj, fcnorm, texels, pplod, tao, offsets, samples, array, integer, compares, f16, half_words;
    bool cube, moved, fragment; /* the linkage's cube; states in temporaries; the stage */
};
enum { NORMAL, BIAS, REPLACE, GRADIENTS };

/* A call of the device: its descriptor and the arguments of each instance. */
struct call {
    struct ir_texture op;
    unsigned nargs;
    uint32_t arg[20][LANES];
};

static struct call calls[MOST_CALLS];
static unsigned ncalls;

/* What the device answers: sizes, and else a number that only this result has. */
static uint32_t answer(const struct ir_texture *op, unsigned c, unsigned lane, bool is_float)
{
    float f = (float)(100 * c + lane) + 0.5f;
    uint32_t bits = 0x12340000u + 0x1001u * (100 * c + lane);
    static const uint32_t size[4] = {64, 32, 16, 7};
    if (op->op == IR_TEX_QUERY_SIZE)
        return size[c];
    if (is_float)
        memcpy(&bits, &f, sizeof bits);
    return bits;
}

static bool floats_asked;

static void take(void *device, const struct exec_texture_call *call)
{
    (void)device;
    struct call *k = &calls[ncalls < MOST_CALLS ? ncalls : MOST_CALLS - 1];
    *k = (struct call){.op = *call->op, .nargs = call->nargs};
    for (unsigned a = 0; a < call->nargs && a < 20; a++)
        memcpy(k->arg[a], call->args[a], sizeof k->arg[a]);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; call->results[c] && lane < call->lanes; lane++)
            ((uint32_t *)call->results[c])[lane] = answer(call->op, c, lane, floats_asked);
    ncalls++;
}

static bool some(struct test_rng *rng, unsigned of)
{
    return test_next(rng) % of == 0;
}

/* Modifiers that go together. */
static struct lookup random_lookup(struct test_rng *rng)
{
    struct lookup k = {.dims = 1 + test_next(rng) % 3, .lod = test_next(rng) % 4, .channels = 1 + test_next(rng) % 4};
    k.fragment = some(rng, 2);
    k.fcnorm = some(rng, 2);
    k.moved = some(rng, 4);
    k.cube = k.dims == 3 && !k.moved && some(rng, 2);
    k.integer = some(rng, 3);
    k.proj = !k.integer && some(rng, 2);
    k.texels = !k.cube && some(rng, 3);
    k.tao = some(rng, 4);
    k.offsets = !k.cube && some(rng, 3);
    k.samples = !k.cube && some(rng, 4);
    k.array = (k.dims < 3 || k.cube) && some(rng, 3);
    k.compares = !k.samples && !(k.cube && k.integer) && some(rng, 3);
    k.f16 = some(rng, 3);
    k.half_words = some(rng, 3);
    k.pplod = (k.lod == BIAS || k.lod == REPLACE) && some(rng, 2);
    return k;
}

static void write_text(const struct lookup *k, char *text, size_t size)
{
    static const char *const lods[] = {"", ".bias", ".replace", ".gradients"};
    snprintf(text, size, "0 : smp%ud%s%s%s%s%s%s%s%s%s%s%s%s%s drc0, %s, r%u, %s, %s, r%u, %u\n1 : wdf drc0\n", k->dims,
             k->proj ? ".proj" : "", k->fcnorm ? ".fcnorm" : "", k->texels ? ".nncoords" : "", lods[k->lod],
             k->pplod ? ".pplod" : "", k->tao ? ".tao" : "", k->offsets ? ".soo" : "", k->samples ? ".sno" : "",
             k->array ? ".array" : "", k->integer ? ".integer" : "", k->compares ? ".comparison" : "",
             k->f16 ? ".f16" : "", k->half_words ? ".f16input" : "", k->moved ? "r8" : "sh0", FIRST,
             k->moved ? "r12" : "sh4", k->lod == BIAS || k->lod == REPLACE ? "r5" : "_", TO, k->channels);
}

/* ---- what it should ask ---- */

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* The words of one instance, as they are read. */
struct reader {
    const uint32_t *words;
    bool halves;
    unsigned items;
};

static uint32_t next(struct reader *r, bool is_float)
{
    unsigned n = r->items++;
    if (!r->halves)
        return r->words[n];
    uint16_t half = (uint16_t)(r->words[n / 2] >> n % 2 * 16);
    return is_float ? bits_of((float)half_value(half)) : (uint32_t)(int32_t)(int16_t)half;
}

static uint32_t signed_bits(uint32_t word, unsigned from, unsigned count)
{
    uint32_t v = word >> from & ((1u << count) - 1);
    return v >> (count - 1) ? v - (1u << count) : v;
}

struct wanted {
    unsigned op, nargs;
    bool sizes; /* a question for the size comes before it */
    uint32_t arg[20];
};

static void push(struct wanted *w, uint32_t v)
{
    w->arg[w->nargs++] = v;
}

static uint32_t texel_of(const struct lookup *k, uint32_t word, unsigned axis)
{
    static const float size[3] = {64, 32, 16};
    if (k->integer)
        return word;
    return (uint32_t)(int32_t)floorf(k->texels ? float_of(word) : float_of(word) * size[axis]);
}

static struct wanted wanted_of(const struct lookup *k, const uint32_t *words, uint32_t shared_lod,
                               const uint32_t state[2])
{
    struct wanted w = {.op = IR_TEX_SAMPLE};
    struct reader r = {words, k->half_words, 0};
    uint32_t at[3] = {0}, gradient[3][2] = {{0}}, layer = 0, reference = 0, lod = shared_lod, address = 0, options = 0;
    for (unsigned i = 0; i < k->dims; i++)
        at[i] = next(&r, !k->integer);
    float by = k->proj ? float_of(next(&r, true)) : 1;
    for (unsigned i = 0; i < k->dims && k->proj; i++)
        at[i] = bits_of(float_of(at[i]) / by);
    if (k->array)
        layer = next(&r, false);
    if (k->compares)
        reference = bits_of(float_of(next(&r, true)) / by);
    if (k->pplod)
        lod = next(&r, true);
    for (unsigned i = 0; i < k->dims && k->lod == GRADIENTS; i++)
        for (unsigned n = 0; n < 2; n++)
            gradient[i][n] = next(&r, true);
    unsigned word = k->half_words ? (r.items + 1) / 2 : r.items;
    if (k->tao) {
        address = words[word + 1];
        word += 2;
    }
    if (k->offsets || k->samples)
        options = words[word];
    bool leveled = k->lod == BIAS || k->lod == REPLACE, centre = k->integer && k->compares;
    bool fetch = (k->integer || k->samples) && !centre;
    if (fetch) {
        unsigned sides = k->cube ? 2 : k->dims;
        w.op = IR_TEX_FETCH;
        w.sizes = !k->integer && !k->texels;
        for (unsigned i = 0; i < sides; i++)
            push(&w, texel_of(k, at[i], i));
        if (k->cube || k->array)
            push(&w, k->cube ? texel_of(k, at[2], 2) + 6 * layer : layer);
        if (k->samples)
            push(&w, options >> 16 & 7);
        else if (leveled)
            push(&w, (uint32_t)(int32_t)float_of(lod));
    } else {
        if (centre) {
            for (unsigned i = 0; i < k->dims; i++)
                at[i] = bits_of((float)(int32_t)at[i] + 0.5f);
            lod = leveled ? bits_of(truncf(float_of(lod))) : 0;
        }
        bool given = centre || (!k->fragment && k->lod != GRADIENTS);
        w.op = given ? IR_TEX_LOD : k->lod == BIAS ? IR_TEX_BIAS : k->lod == REPLACE ? IR_TEX_LOD : IR_TEX_SAMPLE;
        w.op = k->lod == GRADIENTS && !centre ? IR_TEX_GRAD : w.op;
        for (unsigned i = 0; i < k->dims; i++)
            push(&w, at[i]);
        if (k->array)
            push(&w, bits_of((float)layer));
        if (k->compares)
            push(&w, reference);
        if (w.op == IR_TEX_BIAS || w.op == IR_TEX_LOD)
            push(&w, leveled || centre ? lod : 0);
        for (unsigned n = 0; n < 2 && w.op == IR_TEX_GRAD; n++)
            for (unsigned i = 0; i < k->dims; i++)
                push(&w, gradient[i][n]);
    }
    static const unsigned from[3] = {0, 6, 12}, count[3] = {6, 6, 4};
    for (unsigned i = 0; i < k->dims && k->offsets; i++)
        push(&w, signed_bits(options, from[i], count[i]));
    if (k->tao)
        push(&w, address - 0x300 - (k->moved ? 0 : TEXTURE));
    else if (k->moved)
        push(&w, state[0]);
    if (k->moved)
        push(&w, state[1]);
    return w;
}

/* ---- one lookup ---- */

static uint32_t random_word(const struct lookup *k, struct test_rng *rng)
{
    /* Eighths: exact as halves, too. */
    float a = (float)(1 + test_next(rng) % 100) / 8, b = (float)(1 + test_next(rng) % 100) / 8;
    a = some(rng, 3) ? -a : a;
    b = some(rng, 3) ? -b : b;
    return k->half_words ? half_rounded(a) | (uint32_t)half_rounded(b) << 16 : bits_of(a);
}

static bool differs;

static void same(const char *what, uint32_t got, uint32_t wanted)
{
    if (got != wanted)
        printf("# %s is %#x, not %#x\n", what, got, wanted);
    differs |= got != wanted;
}
#define SAME(got, wanted) same(#got, (uint32_t)(got), (uint32_t)(wanted))

static void check_op(const struct lookup *k, const struct wanted *w, const struct call *c)
{
    SAME(c->op.op, w->op);
    SAME(c->op.dim, k->cube ? IR_TEX_CUBE : k->dims == 1 ? IR_TEX_1D : k->dims == 2 ? IR_TEX_2D : IR_TEX_3D);
    SAME(c->op.array, k->array);
    SAME(c->op.multisample, k->samples);
    SAME(c->op.has_offset, k->offsets);
    SAME(c->op.view, k->moved ? 0 : TEXTURE);
    SAME(c->op.view_arg, k->moved || k->tao);
    SAME(c->op.sampler, k->moved ? 0 : SAMPLER);
    SAME(c->op.sampler_arg, k->moved);
    SAME(c->op.fixed_floats, k->fcnorm);
    SAME(c->op.fixed_words, !k->fcnorm);
    SAME(c->op.half_floats, !k->fcnorm && k->f16);
    SAME(c->op.compares || c->op.gather_level || c->op.as_bound || c->op.min_lod || c->op.registers, 0);
    bool fetch = w->op == IR_TEX_FETCH, leveled = k->lod == BIAS || k->lod == REPLACE;
    SAME(c->op.zero_lod, fetch && !k->samples && !leveled);
    SAME(c->op.shadow, k->compares);
    if (!fetch)
        SAME(c->op.texel_coords, k->texels || k->integer);
}

static void check_results(const struct lookup *k, struct machine *m, const struct call *c, unsigned lane)
{
    uint32_t word[4] = {0}, packed[4] = {0};
    for (unsigned i = 0; i < k->channels; i++) {
        word[i] = answer(&c->op, i, lane, k->fcnorm);
        uint32_t half = k->fcnorm ? half_rounded(float_of(word[i])) : word[i] & 0xffff;
        packed[i / 2] |= half << i % 2 * 16;
    }
    unsigned count = k->f16 ? (k->channels + 1) / 2 : k->channels;
    for (unsigned i = 0; i < 4; i++)
        if (machine_row(m, ROGUE_FILE_R, TO + i))
            SAME(machine_get(m, ROGUE_FILE_R, TO + i, lane),
                             i >= count ? 7000 + TO + i : k->f16 ? packed[i] : word[i]);
}

static void check(const struct lookup *k, struct machine *m, uint32_t words[LANES][WORDS])
{
    for (unsigned lane = 0; lane < LANES && !differs; lane++) {
        uint32_t state[2] = {lane % 5, lane % 7};
        struct wanted w = wanted_of(k, words[lane], bits_of((float)lane / 4), state);
        unsigned last = w.sizes ? 1 : 0;
        SAME(ncalls, last + 1);
        if (w.sizes)
            SAME(calls[0].op.op, IR_TEX_QUERY_SIZE);
        check_op(k, &w, &calls[last]);
        SAME(calls[last].nargs, w.nargs);
        for (unsigned a = 0; a < w.nargs; a++)
            SAME(calls[last].arg[a][lane], w.arg[a]);
        check_results(k, m, &calls[last], lane);
    }
}

static void test_lookups(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("lookups");
    for (unsigned n = 0; n < 1500; n++) {
        struct machine m;
        struct lookup k = random_lookup(&rng);
        uint32_t words[LANES][WORDS];
        char text[300], linkage[100];
        write_text(&k, text, sizeof text);
        snprintf(linkage, sizeof linkage, "sh 0 texture %u\nsh 4 sampler %u\n%s", TEXTURE, SAMPLER,
                 k.cube ? "texture 3 CUBE\n" : "");
        assert_true(machine_start_at(&m, k.fragment ? IR_FRAGMENT : IR_COMPUTE, linkage, text, false, n & 1));
        m.env.texture = take;
        floats_asked = k.fcnorm;
        ncalls = 0;
        assert_int_equal(exec_bind(m.warp, &m.env), WEFT_OK);
        for (unsigned lane = 0; lane < LANES; lane++) {
            for (unsigned i = 0; i < WORDS; i++) {
                words[lane][i] = k.integer && i < 5 && !k.half_words ? test_next(&rng) % 50 : random_word(&k, &rng);
                machine_put(&m, ROGUE_FILE_R, FIRST + i, lane, words[lane][i]);
            }
            machine_put(&m, ROGUE_FILE_R, 5, lane, bits_of((float)lane / 4));
            machine_put(&m, ROGUE_FILE_R, 8, lane, lane % 5);
            machine_put(&m, ROGUE_FILE_R, 12, lane, lane % 7);
            for (unsigned i = 0; i < 4; i++)
                machine_put(&m, ROGUE_FILE_R, TO + i, lane, 7000 + TO + i);
        }
        assert_true(machine_run(&m));
        check(&k, &m, words);
        if (differs)
            printf("# %s: %s%s", k.fragment ? "fragment" : "compute", linkage, text);
        assert_false(differs);
        machine_end(&m);
    }
}

/* ---- images ---- */

/* What a service is asked. */
static struct asked {
    unsigned service, nargs;
    struct ir_image image;
    uint32_t arg[12][LANES];
} services[MOST_CALLS];
static const struct ir_program *running;

static weft_status serve(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                         void *const *results)
{
    (void)device;
    (void)w;
    static const uint32_t size[4] = {64, 32, 16, 7};
    struct asked *k = &services[ncalls < MOST_CALLS ? ncalls : MOST_CALLS - 1];
    *k = (struct asked){.service = (unsigned)op->imm, .nargs = op->nargs, .image = running->images[op->desc]};
    for (unsigned a = 0; a < op->nargs && a < 12; a++)
        memcpy(k->arg[a], args[a], sizeof k->arg[a]);
    const struct ir_texture no_size = {.op = IR_TEX_FETCH};
    for (unsigned c = 0; op->imm != IR_SVC_IMAGE_STORE && c < 4; c++)
        for (unsigned lane = 0; results[c] && lane < LANES; lane++)
            ((uint32_t *)results[c])[lane] =
                op->imm == IR_SVC_RESOURCE_SIZE ? size[c] : answer(&no_size, c, lane, floats_asked);
    ncalls++;
    return WEFT_OK;
}

static struct lookup random_image(struct test_rng *rng, bool writes)
{
    struct lookup k = {.dims = 1 + test_next(rng) % 3, .channels = 1 + test_next(rng) % 4};
    k.fcnorm = some(rng, 2);
    k.integer = some(rng, 2);
    k.texels = !k.integer && some(rng, 2);
    k.offsets = some(rng, 3);
    k.samples = k.dims == 2 && some(rng, 4);
    k.array = k.dims < 3 && some(rng, 3);
    k.half_words = some(rng, 3);
    k.f16 = !writes && some(rng, 3);
    k.moved = writes && some(rng, 3);
    return k;
}

/* The arguments of one instance. */
static struct wanted wanted_of_image(const struct lookup *k, bool writes, const uint32_t *words, uint32_t number)
{
    struct wanted w = {.sizes = !k->integer && !k->texels};
    struct reader r = {words, k->half_words, 0};
    static const unsigned from[3] = {0, 6, 12}, count[3] = {6, 6, 4};
    uint32_t at[3] = {0}, layer = 0, options = 0;
    for (unsigned i = 0; i < k->dims; i++)
        at[i] = next(&r, !k->integer);
    if (k->array)
        layer = next(&r, false);
    unsigned word = k->half_words ? (r.items + 1) / 2 : r.items;
    if (k->offsets || k->samples)
        options = words[word++];
    for (unsigned i = 0; i < k->dims; i++)
        push(&w, texel_of(k, at[i], i) + (k->offsets ? signed_bits(options, from[i], count[i]) : 0));
    if (k->array)
        push(&w, layer);
    if (k->samples)
        push(&w, options >> 16 & 7);
    r.items = k->half_words ? 2 * word : word;
    for (unsigned c = 0; c < 4 && writes; c++)
        push(&w, c < k->channels ? next(&r, k->fcnorm) : c < 3 ? 0 : k->fcnorm ? bits_of(1) : 1);
    if (k->moved)
        push(&w, number);
    return w;
}

static void check_image(const struct lookup *k, bool writes, struct machine *m, uint32_t words[LANES][WORDS])
{
    for (unsigned lane = 0; lane < LANES && !differs; lane++) {
        struct wanted w = wanted_of_image(k, writes, words[lane], lane % 5);
        const struct asked *a = &services[w.sizes ? 1 : 0];
        SAME(ncalls, w.sizes + 1);
        if (w.sizes)
            SAME(services[0].service, IR_SVC_RESOURCE_SIZE);
        SAME(a->service, writes ? IR_SVC_IMAGE_STORE : IR_SVC_IMAGE_LOAD);
        SAME(a->image.dim, k->dims == 1 ? IR_TEX_1D : k->dims == 2 ? IR_TEX_2D : IR_TEX_3D);
        SAME(a->image.array, k->array);
        SAME(a->image.multisample, k->samples);
        SAME(a->image.is_float, k->fcnorm);
        SAME(a->image.image, k->moved ? 0 : TEXTURE);
        SAME(a->image.image_arg, k->moved);
        SAME(a->nargs, w.nargs);
        for (unsigned i = 0; i < w.nargs; i++)
            SAME(a->arg[i][lane], w.arg[i]);
        const struct call c = {.op = {.op = IR_TEX_FETCH}};
        if (!writes)
            check_results(k, m, &c, lane);
    }
}

static void test_images(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("images");
    for (unsigned n = 0; n < 1000; n++) {
        struct machine m;
        bool writes = n & 1;
        struct lookup k = random_image(&rng, writes);
        uint32_t words[LANES][WORDS];
        char text[200];
        snprintf(text, sizeof text, "0 : smp%ud%s%s%s%s%s%s%s%s%s drc0, %s, r%u, sh4, _, r%u, %u\n1 : wdf drc0\n",
                 k.dims, writes ? ".wrt" : "", k.fcnorm ? ".fcnorm" : "", k.texels ? ".nncoords" : "",
                 k.offsets ? ".soo" : "", k.samples ? ".sno" : "", k.array ? ".array" : "",
                 k.integer ? ".integer" : "", k.f16 ? ".f16" : "", k.half_words ? ".f16input" : "",
                 k.moved ? "r8" : "sh0", FIRST, TO, k.channels);
        assert_true(machine_start_at(&m, IR_COMPUTE, "sh 0 image 3\nsh 4 sampler 5\n", text, false, n & 2));
        m.env.service = serve;
        running = m.ir;
        floats_asked = k.fcnorm;
        ncalls = 0;
        assert_int_equal(exec_bind(m.warp, &m.env), WEFT_OK);
        for (unsigned lane = 0; lane < LANES; lane++) {
            for (unsigned i = 0; i < WORDS; i++) {
                words[lane][i] = k.integer && i < 3 && !k.half_words ? test_next(&rng) % 50 : random_word(&k, &rng);
                machine_put(&m, ROGUE_FILE_R, FIRST + i, lane, words[lane][i]);
            }
            machine_put(&m, ROGUE_FILE_R, 8, lane, lane % 5);
            for (unsigned i = 0; i < 4; i++)
                machine_put(&m, ROGUE_FILE_R, TO + i, lane, 7000 + TO + i);
        }
        assert_true(machine_run(&m));
        check_image(&k, writes, &m, words);
        if (differs)
            printf("# %s", text);
        assert_false(differs);
        machine_end(&m);
    }
}

TEST_MAIN(TEST(test_lookups), TEST(test_images))
