/* test_lift.c - every instruction that computes against its oracle (oracle.c): corner values and random ones, with
 * random modifiers and swizzles. */
#include "oracle.h"
#include "test.h"

#include "exec/exec.h"
#include "ir/ir.h"
#include "isa/valhall/table.h"

enum { LANES = 16, WORDS = 400, SEED = 20240611 };

static uint64_t random_state = SEED;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* A value of a register: half of them are worth a look. */
static uint32_t random_value(void)
{
    static const uint32_t corners[] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
        1,          0x007fffff, 0x00800000, 0x7f7fffff, 0xffffffff, 0x7fffffff, 0x80000001, 0x3c00bc00,
        0x7c00fc00, 0x00018001, 0x7bff0400, 0x7e00fe00, 0x4b000001, 0x4f000000, 0xcf000000, 0x4f800000,
        0x00ff00ff, 0x80808080, 0x7f7f7f7f, 0x01020304, 0x3f000000, 0x3fc00000, 0xbf000000,
    };
    uint64_t r = random_bits();
    if (r & 1)
        return corners[(r >> 8) % (sizeof corners / sizeof *corners)];
    if (r & 2) /* a float near 1, a small integer */
        return r & 4 ? 0x3f000000u + (uint32_t)(r >> 32) % 0x02000000u : (uint32_t)(r >> 32) % 64u;
    return (uint32_t)(r >> 32);
}

/* A word of a row with registers 0, 2, 4, 6 as its sources, register 8 as its result and everything else at random. */
static uint64_t random_word(const struct valhall_row *row)
{
    uint64_t word = valhall_table()->layouts[row - valhall_rows()].value | UINT64_C(0xc8) << 40;
    for (unsigned i = 0; i < row->nmods; i++) {
        const struct valhall_field *m = &valhall_fields[row->mods[i]];
        word |= (random_bits() & ((UINT64_C(1) << m->size) - 1)) << m->at;
    }
    for (unsigned i = 0; i < row->nsrc; i++) {
        const struct valhall_source_rule *s = &row->src[i];
        word |= (uint64_t)(i * 2) << s->at;
        if (s->select)
            word |= (random_bits() & ((UINT64_C(1) << valhall_picks[s->select].bits) - 1)) << s->select_at;
        const uint8_t flags[3] = {s->neg, s->abs, s->invert};
        for (unsigned k = 0; k < 3; k++)
            if (flags[k])
                word |= (random_bits() & 1) << flags[k];
    }
    for (unsigned i = 0; i < row->nimm; i++)
        word |= (random_bits() & ((UINT64_C(1) << valhall_fields[row->imm[i]].size) - 1))
                << valhall_fields[row->imm[i]].at;
    return word;
}

static int32_t ordered(uint32_t bits)
{
    return bits >> 31 ? (int32_t)(0x80000000u - bits) : (int32_t)bits;
}

static bool is_nan32(uint32_t v)
{
    return (v & 0x7fffffff) > 0x7f800000;
}

static bool same_half(uint32_t a, uint32_t b)
{
    bool nan = (a & 0x7fff) > 0x7c00 && (b & 0x7fff) > 0x7c00;
    return nan || (a & 0xffff) == (b & 0xffff);
}

static bool agrees(const struct oracle_result *want, uint64_t got)
{
    uint32_t a = (uint32_t)want->bits, b = (uint32_t)got;
    switch (want->kind) {
    case ORACLE_F32: {
        int64_t apart = (int64_t)ordered(a) - ordered(b);
        return is_nan32(a) || is_nan32(b)
                   ? is_nan32(a) && is_nan32(b)
                   : apart <= (int64_t)want->ulps && -apart <= (int64_t)want->ulps && (want->ulps || a == b);
    }
    case ORACLE_V2F16:
        return same_half(a, b) && same_half(a >> 16, b >> 16);
    case ORACLE_NEAR: {
        float x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        return x - y <= want->slack && y - x <= want->slack;
    }
    default:
        return want->bits == got;
    }
}

struct machine {
    struct arena arena;
    struct exec_warp *warp;
};

/* One instruction as a compute program whose registers stay as they are put. */
static void machine_start(struct machine *m, uint64_t *word)
{
    weft_diags *diags = weft_diags_new();
    struct isa_params params = {.stage = IR_COMPUTE};
    *m = (struct machine){0};
    struct isa_module *module = valhall_module(&params, &m->arena);
    module->words = word;
    module->nwords = 1;
    struct ir_program *ir;
    struct exec_program *code;
    assert_int_equal(valhall_lift(module, NULL, &m->arena, &ir, diags), WEFT_OK);
    if (ir_verify(ir, diags) != WEFT_OK)
        fail_msg("%016llx: %s", (unsigned long long)*word, weft_diags_get(diags, 0)->message);
    ir->files[0].preserved = true;
    const struct exec_options options = {.level = exec_best_level()};
    assert_int_equal(exec_compile(ir, &options, &m->arena, &code, diags), WEFT_OK);
    m->warp = exec_warp_new(code);
    weft_diags_free(diags);
}

static uint32_t *row_of(struct machine *m, unsigned n)
{
    return exec_warp_register(m->warp, 0, n);
}

static bool looks_at_lanes(const struct valhall_row *row)
{
    return strcmp(row->name, "WMASK") == 0 || strncmp(row->name, "CLPER", 5) == 0;
}

static void check_word(uint64_t word, unsigned *checked)
{
    struct valhall_insn insn;
    struct machine m;
    struct exec_env env = {0};
    valhall_read(word, &insn);
    machine_start(&m, &word);
    assert_int_equal(exec_bind(m.warp, &env), WEFT_OK);
    uint32_t in[10][LANES];
    for (unsigned n = 0; n < 10; n++)
        for (unsigned lane = 0; lane < LANES; lane++)
            in[n][lane] = row_of(&m, n)[lane] = random_value();
    /* Lanes to look at are near; some are not there. */
    bool lanes = looks_at_lanes(insn.row);
    uint32_t active = lanes ? (uint32_t)random_bits() | 1 : 0xffff;
    for (unsigned lane = 0; lanes && lane < LANES; lane++)
        if (random_bits() & 1)
            in[2][lane] = row_of(&m, 2)[lane] = random_value() & 0x0f1f0f1f;
    assert_int_equal(exec_run(m.warp, active & 0xffff, active & 0xffff, 0), EXEC_DONE);
    uint64_t src[LANES][ORACLE_SOURCES];
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < ORACLE_SOURCES; i++)
            src[lane][i] = in[i * 2][lane] | (uint64_t)in[i * 2 + 1][lane] << 32;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(active >> lane & 1))
            continue;
        struct oracle_insn read = oracle_read(word, insn.row->name);
        struct oracle_result want = lanes ? oracle_lanes(&read, src, active & 0xffff, lane) : oracle(&read, src[lane]);
        uint64_t got = row_of(&m, 8)[lane];
        if (insn.row->size == 64)
            got |= (uint64_t)row_of(&m, 9)[lane] << 32;
        if (want.kind == ORACLE_NONE)
            continue;
        ++*checked;
        if (!agrees(&want, got)) {
            print_error("%s, word %016llx: %016llx %016llx %016llx %016llx give %016llx, the oracle says %016llx\n",
                        insn.row->name, (unsigned long long)word, (unsigned long long)src[lane][0],
                        (unsigned long long)src[lane][1], (unsigned long long)src[lane][2],
                        (unsigned long long)src[lane][3], (unsigned long long)got, (unsigned long long)want.bits);
            fail();
        }
    }
    exec_warp_free(m.warp);
    arena_free(&m.arena);
}

/* Rows that the oracle leaves to other tests: branches (test_run.c) and messages (tests/amber/valhall). */
static bool is_left_out(const struct valhall_row *row)
{
    return valhall_is_message(row->unit) || !row->has_dst;
}

static void every_instruction(void **state)
{
    (void)state;
    for (unsigned op = 0; op < VALHALL_OPS; op++) {
        const struct valhall_row *row = &valhall_rows()[op];
        unsigned checked = 0;
        if (is_left_out(row))
            continue;
        for (unsigned n = 0; n < WORDS; n++) {
            uint64_t word = random_word(row);
            if (valhall_row_of(word) == row)
                check_word(word, &checked);
        }
        bool spelled_otherwise = row->form->older && row->name[0] == 'F'; /* FCMP: every word of it has a newer name */
        if (!checked && !spelled_otherwise)
            print_error("%s: no word was made\n", row->name);
        assert_true(checked > 0 || spelled_otherwise);
    }
}

static void every_instruction_has_a_lift(void **state)
{
    (void)state;
    for (unsigned op = 0; op < VALHALL_OPS; op++)
        assert_non_null(valhall_rows()[op].lift);
}

TEST_MAIN(TEST(every_instruction_has_a_lift), TEST(every_instruction))
