/* test_varyings.c - every way of loading a varying: by number and by byte, flat and interpolated, words and halves, in
 * each format, at each place of the pixel, and at the place that an instruction before has kept. What should come is
 * worked out from the plane of each component (docs/manual/valhall.md). */
#include "exec/exec.h"
#include "isa/valhall/lift.h"
#include "program.h"
#include "rogue/half.h"

#include <math.h>

enum { LANES = 16, QUAD = 4, OFFSET = 4, INDEX = 6, TO = 8, EACH = 4, LOADS = 2, VARYINGS = 16, MOST_SLOTS = 64 };
enum load { BY_NUMBER, BY_NUMBER_IMM, FLAT, FLAT_IMM, BY_BYTE, BY_BYTE_IMM, WAYS };
enum memory { FLAT_WORDS, FLAT_HALVES, WORDS, HALVES };
enum format { F32, F16, S32, S16, U32, U16, FORMATS };
enum place { CENTER, CENTROID, SAMPLE, EXPLICIT };
enum update { STORE, RETRIEVE, CLOBBER };

struct one {
    enum load way;
    enum memory source;
    enum format format; /* by byte: F32 or F16, the type */
    enum place place;
    enum update update;
    unsigned count, at; /* a number, or a byte */
};

/* ---- the device ---- */

static const struct ir_io *slots;
static struct exec_plane planes[4 * MOST_SLOTS];
static float centroid[2][LANES], sample[2][LANES];
enum { X = 6, Y = 10 };

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static uint32_t flat_word(unsigned n, unsigned c)
{
    return 0x40001234u + n * 0x20000 + c * 0x1111;
}

static struct exec_plane plane_of(unsigned n, unsigned element, bool halves)
{
    return (struct exec_plane){(halves ? 64 : 0) + 2 * (float)n + 0.5f * (float)element, 0.25f, 0.125f};
}

static float on_plane(struct exec_plane p, unsigned lane, float x, float y)
{
    return p.a0 + p.dx * ((float)(X + (lane & 1)) + x) + p.dy * ((float)(Y + (lane >> 1 & 1)) + y);
}

static weft_status serve(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                         void *const *results)
{
    (void)device;
    (void)w;
    assert_int_equal(op->imm, IR_SVC_INTERP_AT);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; results[c] && lane < QUAD; lane++)
            ((float *)results[c])[lane] = on_plane(planes[4 * op->desc + c], lane, ((const float *)args[0])[lane],
                                                   ((const float *)args[1])[lane]);
    return WEFT_OK;
}

static void set_planes(const struct ir_io *io)
{
    assert_true(io->ninputs <= MOST_SLOTS);
    slots = io;
    for (uint32_t s = 0; s < io->ninputs; s++)
        for (unsigned c = 0; c < 4; c++) {
            const struct ir_slot *slot = &io->inputs[s];
            bool flat = slot->interp == IR_INTERP_CONSTANT;
            planes[4 * s + c] = flat           ? (struct exec_plane){float_of(flat_word(slot->index, c)), 0, 0}
                                : slot->halves ? plane_of(slot->index, c + 4 * (slot->halves - 1u), true)
                                               : plane_of(slot->index, c, false);
        }
}

/* ---- loads at random ---- */

static struct one random_load(struct test_rng *rng, bool first)
{
    struct one k = {.way = test_next(rng) % WAYS, .source = test_next(rng) % 4, .place = test_next(rng) % 4,
                    .update = first ? STORE : test_next(rng) % 3, .count = 1 + test_next(rng) % 4};
    bool by_byte = k.way == BY_BYTE || k.way == BY_BYTE_IMM;
    k.update = first && test_next(rng) % 4 == 0 ? CLOBBER : k.update;
    k.format = test_next(rng) % (by_byte ? 2 : FORMATS);
    k.at = by_byte ? test_next(rng) % 64 * 4 + (k.source & 1 ? test_next(rng) % 2 * 2 : 0)
                   : test_next(rng) % (VARYINGS + 2);
    return k;
}

static bool is_narrow(const struct one *k)
{
    return k->format == F16 || k->format == S16 || k->format == U16;
}

static size_t write_load(const struct one *k, unsigned n, char *text, size_t size)
{
    static const char *const names[] = {"LD_VAR", "LD_VAR_IMM", "LD_VAR_FLAT", "LD_VAR_FLAT_IMM", "LD_VAR_BUF",
                                        "LD_VAR_BUF_IMM"};
    static const char *const formats[] = {"f32", "f16", "s32", "s16", "u32", "u16"};
    static const char *const sources[] = {"src_flat32", "src_flat16", "src_f32", "src_f16"};
    static const char *const places[] = {"center", "centroid", "sample", "explicit"};
    static const char *const updates[] = {"store", "retrieve", "clobber"};
    static const char *const vectors[] = {"", "", ".v2", ".v3", ".v4"};
    bool by_byte = k->way == BY_BYTE || k->way == BY_BYTE_IMM, flat = k->way == FLAT || k->way == FLAT_IMM;
    unsigned registers = is_narrow(k) ? (k->count + 1) / 2 : k->count;
    size_t at = (size_t)snprintf(text, size, "%s%s%s.slot0%s.%s", names[k->way], by_byte ? "." : "",
                                 by_byte ? formats[k->format] : "", vectors[k->count],
                                 by_byte ? sources[k->source] : formats[k->format]);
    if (!flat)
        at += (size_t)snprintf(text + at, size - at, ".%s.%s", places[k->place], updates[k->update]);
    at += (size_t)snprintf(text + at, size - at, ".wait0 ");
    for (unsigned i = 0; i < registers; i++)
        at += (size_t)snprintf(text + at, size - at, "%sr%u", i ? ":" : "@", TO + EACH * n + i);
    if (!flat)
        at += (size_t)snprintf(text + at, size - at, ", r%u", OFFSET + n);
    if (k->way == BY_NUMBER || k->way == FLAT || k->way == BY_BYTE)
        at += (size_t)snprintf(text + at, size - at, ", r%u\n", INDEX + n);
    else
        at += (size_t)snprintf(text + at, size - at, "%s, index:0x%x\n", by_byte ? "" : ", table:0x0", k->at);
    return at;
}

/* ---- what should come ---- */

struct kept {
    enum place place;
    uint32_t offset;
};

static float smooth(unsigned n, unsigned element, bool halves, struct kept where, unsigned lane)
{
    float x = 0, y = 0;
    if (where.place == CENTROID || where.place == SAMPLE) {
        x = where.place == CENTROID ? centroid[0][lane] : sample[0][lane];
        y = where.place == CENTROID ? centroid[1][lane] : sample[1][lane];
    } else if (where.place == EXPLICIT) {
        x = (float)(int16_t)(where.offset & 0xffff) / 256;
        y = (float)(int16_t)(where.offset >> 16) / 256;
    }
    return on_plane(plane_of(n, element, halves), lane, x, y);
}

/* Element i: its bits before they go into the register format. */
static uint32_t element_of(const struct one *k, unsigned at, unsigned i, struct kept where, unsigned lane)
{
    bool by_byte = k->way == BY_BYTE || k->way == BY_BYTE_IMM;
    bool flat = by_byte ? k->source == FLAT_WORDS || k->source == FLAT_HALVES
                        : k->way == FLAT || k->way == FLAT_IMM || k->format >= S32;
    bool halves = by_byte && (k->source == HALVES || k->source == FLAT_HALVES);
    unsigned per = halves ? 8 : 4, all = by_byte ? at / (halves ? 2 : 4) + i : 4 * at + i, n = all / per, e = all % per;
    if (n >= VARYINGS)
        return 0;
    if (!flat)
        return bits_of(smooth(n, e, halves, where, lane));
    return halves ? flat_word(n, e / 2) >> e % 2 * 16 & 0xffff : flat_word(n, e);
}

static void registers_of(const struct one *k, unsigned at, struct kept where, unsigned lane, uint32_t want[4])
{
    bool by_byte = k->way == BY_BYTE || k->way == BY_BYTE_IMM;
    bool flat = k->source == FLAT_WORDS || k->source == FLAT_HALVES;
    bool rounds = by_byte ? !flat : k->format == F16;
    for (unsigned i = 0; i < k->count; i++) {
        uint32_t v = element_of(k, at, i, where, lane);
        if (!is_narrow(k)) {
            want[i] = v;
            continue;
        }
        uint32_t half = rounds ? half_rounded(float_of(v)) : v & 0xffff;
        want[i / 2] = i % 2 ? (want[i / 2] & 0xffff) | half << 16 : (want[i / 2] & 0xffff0000) | half;
    }
}

/* ---- two loads, of which the second may look where the first did ---- */

static void run(const struct one *k, uint32_t index[LOADS][LANES], uint32_t offset[LOADS][LANES], const char *text)
{
    struct program p = program_parse(text);
    struct arena *arena = calloc(1, sizeof *arena);
    struct ir_program *ir = NULL;
    struct exec_program *code;
    const struct exec_options options = {.level = exec_best_level()};
    struct exec_env env = {.plane = planes, .w_one = true, .w_plane = {1, 0, 0}, .x = X, .y = Y, .service = serve,
                           .centroid = {centroid[0], centroid[1]}, .sample = {sample[0], sample[1]}};
    p.m->stage = IR_FRAGMENT;
    if (p.status != WEFT_OK || valhall_lift(p.m, &p.src, arena, &ir, p.diags) != WEFT_OK ||
        ir_verify(ir, p.diags) != WEFT_OK)
        fail_msg("%s%s", text, program_messages(&p));
    ir->files[0].preserved = true;
    set_planes(&ir->io);
    assert_int_equal(exec_compile(ir, &options, arena, &code, p.diags), WEFT_OK);
    struct exec_warp *warp = exec_warp_new(code);
    assert_int_equal(exec_bind(warp, &env), WEFT_OK);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned n = 0; n < LOADS; n++) {
            ((uint32_t *)exec_warp_register(warp, 0, OFFSET + n))[lane] = offset[n][lane];
            ((uint32_t *)exec_warp_register(warp, 0, INDEX + n))[lane] = index[n][lane];
            for (unsigned i = 0; i < EACH; i++)
                ((uint32_t *)exec_warp_register(warp, 0, TO + EACH * n + i))[lane] = 0xdead0000u + i;
        }
    assert_int_equal(exec_run(warp, 0xf, 0xf, 100000), EXEC_DONE);
    for (unsigned lane = 0; lane < QUAD; lane++) {
        struct kept kept = {CENTER, 0};
        for (unsigned n = 0; n < LOADS; n++) {
            bool by_register = k[n].way == BY_NUMBER || k[n].way == FLAT || k[n].way == BY_BYTE;
            bool flat = k[n].way == FLAT || k[n].way == FLAT_IMM;
            uint32_t want[EACH] = {0xdead0000u, 0xdead0001u, 0xdead0002u, 0xdead0003u};
            struct kept where = k[n].update == RETRIEVE ? kept : (struct kept){k[n].place, offset[n][lane]};
            if (!flat && k[n].update != RETRIEVE)
                kept = k[n].update == STORE ? where : (struct kept){CENTER, 0};
            registers_of(&k[n], by_register ? index[n][lane] : k[n].at, where, lane, want);
            for (unsigned i = 0; i < EACH; i++) {
                uint32_t got = ((uint32_t *)exec_warp_register(warp, 0, TO + EACH * n + i))[lane];
                if (got != want[i])
                    fail_msg("r%u of lane %u is %#x, not %#x:\n%s", TO + EACH * n + i, lane, got, want[i], text);
            }
        }
    }
    exec_warp_free(warp);
    arena_free(arena);
    free(arena);
    program_free(&p);
}

static void test_varyings(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("varyings");
    for (unsigned i = 0; i < 2; i++)
        for (unsigned lane = 0; lane < LANES; lane++) {
            centroid[i][lane] = (float)(1 + lane) / 16;
            sample[i][lane] = -(float)(3 + 2 * lane + i) / 32;
        }
    for (unsigned n = 0; n < 1500; n++) {
        struct one k[LOADS];
        uint32_t index[LOADS][LANES], offset[LOADS][LANES];
        char text[400];
        size_t at = 0;
        for (unsigned i = 0; i < LOADS; i++) {
            k[i] = random_load(&rng, i == 0);
            at += write_load(&k[i], i, text + at, sizeof text - at);
            for (unsigned lane = 0; lane < LANES; lane++) {
                struct one other = random_load(&rng, false);
                while ((other.way >= BY_BYTE) != (k[i].way >= BY_BYTE))
                    other = random_load(&rng, false);
                index[i][lane] = other.at & (k[i].way >= BY_BYTE && !(k[i].source & 1) ? ~3u : ~0u);
                offset[i][lane] = test_next(&rng) & 0x0ff80ff8;
                offset[i][lane] ^= test_next(&rng) % 2 ? 0xfff8u << 16 * (test_next(&rng) % 2) : 0;
            }
        }
        run(k, index, offset, text);
    }
}

TEST_MAIN(TEST(test_varyings))
