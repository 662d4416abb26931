/* test_backend.c - vertex outputs, emitted vertices, alpha tests and texel addresses against plain C. */
#include "machine.h"

/* ---- vertex outputs ---- */

enum { WORDS = 16, SLOTS = 4 };

static const char vertex_linkage[] =
    "out POSITION.x vo0\nout POSITION.y vo1\nout POSITION.z vo2\nout POSITION.w vo3\n"
    "out GENERIC[0].x vo4\nout GENERIC[0].y vo5\nout GENERIC[0].z vo6\nout GENERIC[0].w vo7\n"
    "out GENERIC[1].x vo8\nout GENERIC[1].y vo9\nout GENERIC[1].z vo10\nout GENERIC[1].w vo11\n"
    "out GENERIC[2].x vo12\nout GENERIC[2].y vo13\nout GENERIC[2].z vo14\nout GENERIC[2].w vo15\n";

/* The rows that OUTPUT writes: word n of the linkage is row n. */
struct outputs {
    uint32_t row[WORDS][LANES];
    void *rows[WORDS];
};

static void bind_outputs(struct machine *m, struct outputs *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned n = 0; n < WORDS; n++)
        out->rows[n] = out->row[n];
    m->env.output = out->rows;
    assert_int_equal(exec_bind(m->warp, &m->env), WEFT_OK);
}

/* Words by their number, repeated, and by the number that a register of the instance has; after the last one nothing
 * is. */
static void test_written_words(void **state)
{
    (void)state;
    static const char text[] =
        "0 : mov ft0, r4\n    uvsw.write w0, 3\n"
        "1 : { repeat 3 s0 = r5, is4 = ft0 p0: mbyp ft0, s0; p2_mov: mov w0.none, ft0; backend: uvsw.write w0, 8; }\n"
        "2 : mov ft0, r8\n    mov ft1, r9\n    mov ft0.e0.e1.e2.e3, ft0\n    uvsw.write w0, s3\n"
        "3 : mov ft0, r10\n    mov ft1, r11\n    tstz.u32 ftt, p0, ft0\n"
        "4 : if(p0)\n    mov ft0, r11\n    uvsw.write.emit.endtask w0, 15\n";
    struct test_rng rng = test_seed("written words");
    for (unsigned round = 0; round < 20; round++) {
        struct machine m;
        static struct outputs out;
        uint32_t want[WORDS][LANES] = {{0}};
        assert_true(machine_start_at(&m, IR_VERTEX, vertex_linkage, text, false, round & 1));
        bind_outputs(&m, &out);
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t r[12];
            for (unsigned i = 4; i < 12; i++)
                machine_put(&m, ROGUE_FILE_R, i, lane,
                            r[i] = i == 9    ? test_next(&rng) % 20
                                   : i == 10 ? test_next(&rng) & 1
                                             : test_next(&rng));
            want[3][lane] = r[4];
            for (unsigned i = 0; i < 3; i++)
                want[8 + i][lane] = r[5 + i];
            if (r[9] < WORDS)
                want[r[9]][lane] = r[8];
            if (r[10] == 0)
                want[15][lane] = r[11];
        }
        assert_true(machine_run(&m));
        assert_memory_equal(out.row, want, sizeof want);
        machine_end(&m);
    }
}

/* ---- geometry ---- */

enum { EVENTS = 8 };
struct event {
    unsigned code;
    uint64_t stream;
    lane_mask lanes;
};
struct events {
    struct event list[EVENTS];
    unsigned count;
};

static weft_status note_event(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                              void *const *results)
{
    (void)args, (void)results;
    struct events *e = device;
    if (e->count < EVENTS)
        e->list[e->count++] = (struct event){op->code, op->imm, exec_active(w)};
    return WEFT_OK;
}

/* Who emits and cuts, in which order, to which stream. */
static void test_emitted_vertices(void **state)
{
    (void)state;
    static const char linkage[] = "geometry points triangle_strip 8\nin POSITION.x vi0\nout POSITION.x vo0\n";
    static const char text[] =
        "0 : mov ft0, r4\n    tstz.u32 ftt, p0, ft0\n1 : uvsw.emit\n2 : if(p0)\n    uvsw.emit 2\n"
        "3 : if(!p0)\n    uvsw.cut 1\n4 : uvsw.emit.cut 3\n5 : uvsw.cut\n6 : uvsw.emit.endtask\n";
    static const lane_mask all = UINT32_MAX, even = 0x55555555;
    const struct event want[] = {{IR_EMIT, 0, all}, {IR_EMIT, 2, even}, {IR_CUT, 1, all & ~even}, {IR_EMIT, 3, all},
                                 {IR_CUT, 3, all},  {IR_CUT, 0, all},   {IR_EMIT, 0, all}};
    struct machine m;
    struct events events = {.count = 0};
    assert_true(machine_start_at(&m, IR_GEOMETRY, linkage, text, false, true));
    assert_int_equal(m.ir->io.gs_streams, 4);
    m.env.device = &events;
    m.env.service = note_event;
    assert_int_equal(exec_bind(m.warp, &m.env), WEFT_OK);
    for (unsigned lane = 0; lane < LANES; lane++)
        machine_put(&m, ROGUE_FILE_R, 4, lane, lane & 1);
    assert_true(machine_run(&m));
    assert_int_equal(events.count, sizeof want / sizeof *want);
    for (unsigned i = 0; i < events.count; i++) {
        assert_int_equal(events.list[i].code, want[i].code);
        assert_int_equal(events.list[i].stream, want[i].stream);
        assert_int_equal(events.list[i].lanes, want[i].lanes);
    }
    machine_end(&m);
}

/* ---- alpha tests ---- */

static bool passes(unsigned function, float data, float reference)
{
    switch (function & 7) {
    case 0:
        return false;
    case 1:
        return data < reference;
    case 2:
        return data == reference;
    case 3:
        return data <= reference;
    case 4:
        return data > reference;
    case 5:
        return data != reference;
    case 6:
        return data >= reference;
    default:
        return true;
    }
}

/* P0 by every function, corner values and NaNs on both sides; without .ifb those that fail store nothing any more. */
static void test_alpha_tests(void **state)
{
    (void)state;
    static const float corners[] = {
        0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1e30f, __builtin_inff(), -__builtin_inff(), __builtin_nanf("")};
    enum { CORNERS = sizeof corners / sizeof *corners };
    for (unsigned feedback = 0; feedback < 2; feedback++)
        for (unsigned function = 0; function < 8; function++)
            for (unsigned a = 0; a < CORNERS; a++) {
                struct machine m;
                char text[160];
                snprintf(text, sizeof text,
                         "0 : atst%s p0, r4, r5, r6\n1 : mov ft0, c0\n    mov r7, ft0\n"
                         "2 : if(p0)\n    mov ft0, c1\n    mov r7, ft0\n",
                         feedback ? "" : ".ifb");
                assert_true(machine_start_at(&m, IR_FRAGMENT, NULL, text, false, function & 1));
                assert_int_equal(m.ir->io.uses_discard, true);
                lane_mask live = UINT32_MAX;
                for (unsigned lane = 0; lane < LANES; lane++) {
                    float reference = corners[a], data = corners[lane % CORNERS];
                    uint32_t words[2];
                    memcpy(words, (float[]){reference, data}, sizeof words);
                    machine_put(&m, ROGUE_FILE_R, 4, lane, words[0]);
                    machine_put(&m, ROGUE_FILE_R, 5, lane, words[1]);
                    machine_put(&m, ROGUE_FILE_R, 6, lane, function | lane << 3);
                    if (feedback && !passes(function, data, reference))
                        live &= ~((lane_mask)1 << lane);
                }
                assert_true(machine_run(&m));
                for (unsigned lane = 0; lane < LANES; lane++)
                    assert_int_equal(machine_get(&m, ROGUE_FILE_R, 7, lane),
                                     passes(function, corners[lane % CORNERS], corners[a]));
                assert_int_equal(exec_live(m.warp), live);
                machine_end(&m);
            }
}

/* ---- texel addresses ---- */

static int32_t bits_of(uint32_t v, unsigned from, unsigned count)
{
    int32_t n = (int32_t)(v >> from & ((1u << count) - 1));
    return n >> (count - 1) ? n - (1 << count) : n;
}

struct texel {
    uint32_t w0, w1;
    bool out;
};

/* docs/manual/rogue.md, "Texel addresses". */
static struct texel texel_of(const uint32_t state[4], uint32_t u, uint32_t v, uint32_t slice, uint32_t lookup,
                             bool array)
{
    uint64_t base = state[0] | (uint64_t)(state[1] & 0xffff) << 32;
    unsigned log2_bytes = state[1] >> 16 & 7;
    int64_t width = (state[2] & 0xffff) + 1, height = (state[2] >> 16) + 1, depth = (state[3] & 0xffff) + 1;
    int32_t x = (int32_t)(u + (uint32_t)bits_of(lookup, 0, 6)), y = (int32_t)(v + (uint32_t)bits_of(lookup, 6, 6));
    int32_t z = (int32_t)(slice + (uint32_t)bits_of(lookup, 12, 4));
    if (array)
        z = z < 0 ? 0 : z >= depth ? (int32_t)depth - 1 : z;
    bool out = x < 0 || x >= width || y < 0 || y >= height || z < 0 || z >= depth;
    uint64_t address =
        base + ((((uint64_t)z * (uint64_t)height + (uint64_t)y) * (uint64_t)width + (uint64_t)x) << log2_bytes);
    uint32_t size = log2_bytes < 2 ? log2_bytes : 2, burst = out ? 0 : 1u << (log2_bytes - size);
    return (struct texel){(uint32_t)address, (uint32_t)(address >> 32 & 0xffff) | size << 16 | burst << 24, out};
}

/* Addresses inside; out of bounds only that it is, and that there is nothing to store. */
static void test_texel_addresses(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("texel addresses");
    for (unsigned round = 0; round < 60; round++) {
        struct machine m;
        struct texel want[LANES];
        char text[160];
        bool array = round & 1;
        snprintf(text, sizeof text,
                 "0 : gta%s r20, r21, p0, r14, r4, r10, r11, r12\n1 : mov ft0, c0\n    mov r22, ft0\n"
                 "2 : if(p0)\n    mov ft0, c1\n    mov r22, ft0\n",
                 array ? ".array" : "");
        assert_true(machine_start(&m, text, false, round >> 1 & 1));
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t size[3] = {1 + test_next(&rng) % 9, 1 + test_next(&rng) % 9, 1 + test_next(&rng) % 5};
            uint32_t texels[4] = {test_next(&rng), (test_next(&rng) & 0xffff) | (test_next(&rng) % 5) << 16,
                                  (size[0] - 1) | (size[1] - 1) << 16, size[2] - 1};
            uint32_t place[3],
                lookup = test_next(&rng) & 1 ? 0 : (test_next(&rng) & 0x30c3) | (test_next(&rng) % 2 ? 0xffff : 0);
            for (unsigned i = 0; i < 3; i++)
                machine_put(&m, ROGUE_FILE_R, 10 + i, lane, place[i] = test_next(&rng) % (size[i] + 2) - 1);
            for (unsigned i = 0; i < 4; i++)
                machine_put(&m, ROGUE_FILE_R, 4 + i, lane, texels[i]);
            machine_put(&m, ROGUE_FILE_R, 14, lane, lookup);
            want[lane] = texel_of(texels, place[0], place[1], place[2], lookup, array);
        }
        assert_true(machine_run(&m));
        for (unsigned lane = 0; lane < LANES; lane++) {
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 22, lane), want[lane].out);
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 21, lane) >> 16, want[lane].w1 >> 16);
            if (want[lane].out)
                continue;
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 20, lane), want[lane].w0);
            assert_int_equal(machine_get(&m, ROGUE_FILE_R, 21, lane), want[lane].w1);
        }
        machine_end(&m);
    }
}

TEST_MAIN(TEST(test_written_words), TEST(test_emitted_vertices), TEST(test_alpha_tests), TEST(test_texel_addresses))
