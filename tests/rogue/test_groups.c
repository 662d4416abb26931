/* Bytes: every form of every instruction with random fields, and random bytes, come back from text as they were. */
#include "isa/rogue/template.h"
#include "program.h"

/* Decode, print, parse, encode: the same bytes, and the same text when printed again. */
static void must_come_back(const uint8_t *bytes, size_t size)
{
    struct isa_params params = {.stage = -1};
    struct arena arena = {0};
    struct isa_module *m, *again;
    uint8_t *encoded;
    char *text, *text_again;
    size_t length, length_again;
    assert_int_equal(rogue_decode(bytes, size, "t", &params, &arena, &m, NULL), WEFT_OK);
    assert_int_equal(rogue_encode(m, &arena, &encoded, &length, NULL), WEFT_OK);
    assert_int_equal(length, size);
    assert_memory_equal(encoded, bytes, size);
    assert_int_equal(rogue_print(m, &arena, &text, &length, NULL), WEFT_OK);
    struct source src = {"t", text, length};
    weft_diags *diags = weft_diags_new();
    if (rogue_parse(&src, &params, &arena, &again, diags) != WEFT_OK)
        fail_msg("%s: %s", text, weft_diags_get(diags, 0)->message);
    assert_int_equal(rogue_encode(again, &arena, &encoded, &length, NULL), WEFT_OK);
    if (length != size || memcmp(encoded, bytes, size) != 0)
        fail_msg("other bytes from: %s", text);
    assert_int_equal(rogue_print(again, &arena, &text_again, &length_again, NULL), WEFT_OK);
    assert_string_equal(text, text_again);
    weft_diags_free(diags);
    arena_free(&arena);
}

static struct rogue_reg any_reg(struct test_rng *rng)
{
    static const uint16_t sizes[] = {64, 128, 256, 2048};
    return (struct rogue_reg){(uint8_t)(test_next(rng) % 4), 0, (uint16_t)(test_next(rng) % sizes[test_next(rng) % 3])};
}

/* Random fields; codes without a meaning are left out. */
static struct pattern_word any_bits(const struct rogue_variant *v, struct test_rng *rng)
{
    struct pattern_word bits = {{test_next64(rng), test_next64(rng)}};
    for (int i = 0; i < 2; i++) {
        unsigned n = v->bytes > 8 * i ? (unsigned)(v->bytes - 8 * i) : 0;
        uint64_t used = n == 0 ? 0 : n >= 8 ? ~UINT64_C(0) : ~UINT64_C(0) >> (64 - 8 * n);
        bits.w[i] = ((bits.w[i] & ~v->mask.w[i]) | v->value.w[i]) & used;
    }
    for (unsigned i = 0; i < v->nchecks; i++)
        if (!(v->checks[i].valid >> (pattern_get(&v->form->pattern.field[v->checks[i].slot], &bits) & 63) & 1))
            pattern_set(&v->form->pattern.field[v->checks[i].slot], &bits,
                        pattern_get(&v->form->pattern.field[v->checks[i].slot], &v->start));
    return bits;
}

static void put(struct rogue_group *g, enum rogue_unit unit, enum rogue_op op)
{
    g->insn[rogue_slot(unit)].row = &rogue_rows()[op];
    g->insn[rogue_slot(unit)].bits = rogue_table()->variants[rogue_table()->first[op]].start;
}

/* A group around one instruction. */
static struct rogue_group around(const struct rogue_variant *v, enum rogue_unit unit, struct test_rng *rng)
{
    struct rogue_group g = {.repeat = 1,
                            .alu = unit < ROGUE_BITMASK ? ROGUE_MAIN
                                   : unit < ROGUE_CTRL  ? ROGUE_BITWISE
                                                        : ROGUE_CONTROL};
    g.cc = test_next(rng) & 3;
    for (int i = 0; i < ROGUE_SOURCES; i++)
        if (test_next(rng) & 1 && v->bytes < 9) {
            g.s[i] = any_reg(rng);
            g.sources |= (uint8_t)(1u << i);
        }
    g.destinations = test_next(rng) & 3;
    for (int i = 0; i < ROGUE_DESTINATIONS; i++)
        g.w[i] = g.destinations >> i & 1 ? any_reg(rng) : (struct rogue_reg){0};
    if (g.alu == ROGUE_MAIN) {
        g.is1 = test_next(rng) & 1;
        g.is4 = test_next(rng) & 3;
        g.is5 = test_next(rng) & 3;
    }
    if (unit == ROGUE_P1)
        put(&g, ROGUE_P0, ROGUE_OP_MBYP);
    g.insn[rogue_slot(unit)] = (struct rogue_insn){v->row, v->number, any_bits(v, rng)};
    rogue_finish(&g);
    return g;
}

/* The group's own bytes decode to it: the instruction and its form are there. */
static void test_forms(void **state)
{
    (void)state;
    enum { ROUNDS = 200 };
    const struct rogue_table *t = rogue_table();
    struct test_rng rng = test_seed("forms");
    for (unsigned i = 0; i < t->nvariants; i++)
        for (unsigned unit = 0; unit < ROGUE_UNITS; unit++)
            for (unsigned round = 0; t->variants[i].row->units >> unit & 1 && round < ROUNDS; round++) {
                struct rogue_group g = around(&t->variants[i], (enum rogue_unit)unit, &rng), back;
                uint8_t bytes[2 * ROGUE_GROUP_BYTES];
                const char *why = rogue_fit(&g);
                if (why)
                    fail_msg("%s: %s", t->variants[i].form->name, why);
                rogue_write_group(&g, bytes);
                rogue_read_group(bytes, g.size, &back);
                if (back.data)
                    fail_msg("%s of %s is read as data", t->variants[i].form->name, t->variants[i].row->name);
                assert_int_equal(rogue_at(&back, (enum rogue_unit)unit)->row->op, t->variants[i].row->op);
                must_come_back(bytes, g.size);
            }
}

/* Whatever the bytes are. */
static void test_random(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    struct test_rng rng = test_seed("random");
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t bytes[48];
        size_t size = 1 + test_next(&rng) % sizeof bytes;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)test_next(&rng);
        must_come_back(bytes, size);
    }
}

/* ---- whole groups: any parts together ---- */

static struct rogue_reg any_reg_at_all(struct test_rng *rng)
{
    static const uint16_t sizes[] = {32, 64, 128, 256, 2048, 2048};
    struct rogue_reg r = {(uint8_t)(test_next(rng) % 8), 0, (uint16_t)(test_next(rng) % sizes[test_next(rng) % 6])};
    if (test_next(rng) % 4) /* most are in short forms */
        r = any_reg(rng);
    if (rogue_reg_is_indexed(r) && test_next(rng) % 4 == 0) { /* a dimension: weft's own */
        r.dim = (uint8_t)(1 + test_next(rng) % 4);
        r.index &= 255;
    }
    return r;
}

static void put_any(struct rogue_group *g, enum rogue_unit unit, struct test_rng *rng)
{
    const struct rogue_table *t = rogue_table();
    const struct rogue_variant *v;
    do
        v = &t->variants[test_next(rng) % t->nvariants];
    while (!(v->row->units >> unit & 1));
    g->insn[rogue_slot(unit)] = (struct rogue_insn){v->row, v->number, any_bits(v, rng)};
}

static void put_some(struct rogue_group *g, struct test_rng *rng)
{
    enum { P0 = 1, P1 = 2, P2 = 4, BE = 8 };
    static const uint8_t parts[] = {P0, P2, BE, P0 | P1, P0 | P2, P0 | P1 | P2, P0 | P2 | BE, P0 | P1 | P2 | BE};
    unsigned part = parts[test_next(rng) % 8], phase_2 = 1 + test_next(rng) % 7;
    if (g->alu == ROGUE_CONTROL) {
        put_any(g, ROGUE_CTRL, rng);
        return;
    }
    unsigned units = g->alu == ROGUE_BITWISE
                         ? 1 + test_next(rng) % 63
                         : (part & 3) | (part & P2 ? phase_2 << ROGUE_PCK : 0) | (part & BE ? 1u << ROGUE_BACKEND : 0);
    for (unsigned i = 0; i < ROGUE_SLOTS; i++)
        if (units >> i & 1)
            put_any(g, (enum rogue_unit)(i + (g->alu == ROGUE_BITWISE ? ROGUE_BITMASK : ROGUE_P0)), rng);
}

static bool is_op(const struct rogue_group *g, enum rogue_op op)
{
    return g->insn[0].row && g->insn[0].row->op == op;
}

/* Not every one fits into a group. */
static struct rogue_group any_group(struct test_rng *rng)
{
    static const uint8_t alus[] = {ROGUE_MAIN, ROGUE_MAIN, ROGUE_MAIN, ROGUE_BITWISE, ROGUE_BITWISE, ROGUE_CONTROL};
    struct rogue_group g = {
        .repeat = 1, .alu = alus[test_next(rng) % 6], .cc = test_next(rng) & 3, .olchk = test_next(rng) & 1};
    put_some(&g, rng);
    if (g.alu != ROGUE_CONTROL) {
        g.repeat = (uint8_t)(1 + (test_next(rng) & test_next(rng) & 3));
        g.end = test_next(rng) % 8 == 0;
        g.atom = test_next(rng) % 4 == 0;
    }
    g.end |= is_op(&g, ROGUE_OP_NOP) && test_next(rng) & 1;
    g.drc = is_op(&g, ROGUE_OP_WDF) && test_next(rng) & 1;
    for (int i = 0; i < ROGUE_SOURCES; i++)
        if (test_next(rng) & 1) {
            g.s[i] = any_reg_at_all(rng);
            g.sources |= (uint8_t)(1u << i);
        }
    g.destinations = test_next(rng) & 3;
    for (int i = 0; i < ROGUE_DESTINATIONS; i++)
        g.w[i] = g.destinations >> i & 1 ? any_reg_at_all(rng) : (struct rogue_reg){0};
    g.is0 = test_next(rng) & 1 ? (uint8_t)(test_next(rng) % 6) : 0;
    g.mux = g.is0 != 0 || test_next(rng) & 1;
    if (g.alu == ROGUE_MAIN) {
        unsigned iss = test_next(rng);
        g.is1 = iss & 1, g.is2 = iss >> 1 & 1, g.is3 = iss >> 2 & 3, g.is4 = iss >> 4 & 3, g.is5 = iss >> 6 & 3;
        g.header = test_next(rng) % 4 ? 0 : 3;
    }
    g.ph0_low = g.alu == ROGUE_BITWISE && g.insn[0].row && test_next(rng) & 1;
    if (test_next(rng) % 4 == 0) { /* longer forms than need be */
        g.lower = (uint8_t)(1 + test_next(rng) % 8);
        g.upper = (uint8_t)(1 + test_next(rng) % 8);
    }
    rogue_finish(&g);
    return g;
}

/* How many groups of each unit's kinds have been tried. */
static void count_rows(const struct rogue_group *g, unsigned long seen[ROGUE_OPS])
{
    for (int i = 0; i < ROGUE_SLOTS; i++)
        if (g->insn[i].row)
            seen[g->insn[i].row->op]++;
}

/* WEFT_ROGUE_GROUPS sets their number; every instruction is among them. */
static void test_groups(void **state)
{
    (void)state;
    enum { FEW = 40000, BATCH = 500 };
    static unsigned long seen[ROGUE_OPS];
    static uint8_t bytes[BATCH * ROGUE_GROUP_BYTES + 2 * ROGUE_GROUP_BYTES];
    const char *env = getenv("WEFT_ROGUE_GROUPS");
    unsigned long rounds = env ? strtoul(env, NULL, 0) : FEW, done = 0;
    struct test_rng rng = test_seed("groups");
    while (done < rounds) {
        size_t size = 0;
        for (unsigned n = 0; n < BATCH;) {
            struct rogue_group g = any_group(&rng), back;
            if (rogue_fit(&g))
                continue;
            rogue_write_group(&g, bytes + size);
            rogue_read_group(bytes + size, g.size, &back);
            if (back.data)
                fail_msg("a group with '%s' is read as data", g.insn[0].row ? g.insn[0].row->name : "?");
            count_rows(&back, seen);
            size += g.size;
            n++;
        }
        must_come_back(bytes, size);
        done += BATCH;
    }
    for (unsigned op = 0; op < ROGUE_OPS && done >= FEW; op++)
        if (!seen[op])
            fail_msg("'%s' is in none of %lu groups", rogue_rows()[op].name, done);
    printf("# %lu groups came back\n", done);
}

/* The group with other registers, and sometimes with something else that is not the same. */
static struct rogue_group like(const struct rogue_group *base, struct test_rng *rng)
{
    struct rogue_group g = *base;
    for (int i = 0; i < ROGUE_SOURCES; i++)
        if (g.sources >> i & 1)
            g.s[i] = test_next(rng) % 4 ? any_reg_at_all(rng) : (struct rogue_reg){0};
    for (int i = 0; i < ROGUE_DESTINATIONS; i++)
        if (g.destinations >> i & 1)
            g.w[i] = any_reg_at_all(rng);
    unsigned what = test_next(rng) % 32;
    if (what == 0)
        g.cc = test_next(rng) & 3;
    else if (what == 1)
        g.olchk = !g.olchk;
    else if (what == 2 && g.alu != ROGUE_CONTROL)
        g.repeat = (uint8_t)(1 + (test_next(rng) & 3));
    else if (what == 3 && g.alu != ROGUE_CONTROL)
        g.atom = !g.atom;
    else if (what == 4 && g.alu != ROGUE_CONTROL)
        g.end = !g.end;
    else if (what == 5 && g.alu == ROGUE_MAIN)
        g.is4 = test_next(rng) & 3;
    else if (what == 6 && g.alu == ROGUE_MAIN)
        g.header = 3;
    else if (what == 7)
        g.sources ^= (uint8_t)(1u << test_next(rng) % 6);
    else if (what == 8 && is_op(&g, ROGUE_OP_WDF))
        g.drc = !g.drc;
    else if (what == 9 && g.alu == ROGUE_BITWISE && g.insn[0].row)
        g.ph0_low = !g.ph0_low;
    if (g.insn[0].row && test_next(rng) & 1) {
        const struct rogue_variant *v = rogue_variant_of(rogue_table(), &g.insn[0]);
        g.insn[0].bits.w[1] = any_bits(v, rng).w[1];
    }
    rogue_finish(&g);
    return g;
}

static void disassemble(const uint8_t *bytes, size_t size, struct arena *arena, char **text)
{
    struct isa_params params = {.stage = -1};
    struct isa_module *m;
    size_t length;
    assert_int_equal(rogue_decode(bytes, size, "t", &params, arena, &m, NULL), WEFT_OK);
    assert_int_equal(rogue_print(m, arena, text, &length, NULL), WEFT_OK);
}

/* A group is written alike in a long program, whose groups repeat, and in a short one by itself. */
static void test_company(void **state)
{
    (void)state;
    enum { KINDS = 60, GROUPS = 2000, NOP_BYTES = 4, PAD = 2 };
    static const uint8_t nops[2 * NOP_BYTES] = {0x02, 0x80, 0x6e, 0x00, 0x02, 0x80, 0x6e, 0x00};
    static uint8_t bytes[GROUPS * ROGUE_GROUP_BYTES + sizeof nops];
    static size_t at[GROUPS + 1];
    struct test_rng rng = test_seed("company");
    struct rogue_group kinds[KINDS];
    for (unsigned i = 0; i < KINDS; i++)
        kinds[i] = any_group(&rng);
    for (unsigned n = 0; n < GROUPS;) {
        struct rogue_group g = like(&kinds[test_next(&rng) % KINDS], &rng);
        if (rogue_fit(&g))
            continue;
        if (test_next(&rng) % 16 == 0 && g.size + PAD <= ROGUE_GROUP_BYTES) {
            g.pad = PAD;
            g.size += PAD;
        }
        rogue_write_group(&g, bytes + at[n]);
        at[n + 1] = at[n] + g.size;
        n++;
    }
    memcpy(bytes + at[GROUPS], nops, sizeof nops);
    struct arena arena = {0};
    char *line, *text;
    disassemble(bytes, at[GROUPS] + sizeof nops, &arena, &line);
    for (unsigned n = 0; n < GROUPS; n++) {
        uint8_t alone[ROGUE_GROUP_BYTES + sizeof nops];
        size_t size = at[n + 1] - at[n], length = strcspn(line, "\n");
        struct arena own = {0};
        memcpy(alone, bytes + at[n], size);
        memcpy(alone + size, nops, sizeof nops);
        disassemble(alone, size + sizeof nops, &own, &text);
        assert_int_equal(strtoul(line, NULL, 10), n);
        if (strcspn(text, "\n") != length || memcmp(strchr(text, ':'), strchr(line, ':'), length - 4) != 0)
            fail_msg("by itself: %.*s\nin company: %.*s", (int)strcspn(text, "\n"), text, (int)length, line);
        line += length + 1;
        arena_free(&own);
    }
    arena_free(&arena);
}

/* The last group of a program starts and ends on 8 bytes (encoding, section 9). */
static void test_padding(void **state)
{
    (void)state;
    struct program p =
        program_parse("0: mov ft0, r0\n mov r1, ft0\n1: mov ft0, r0\n mov r1, ft0\n2: { ctrl: nop; }.end\n");
    assert_int_equal(p.status, WEFT_OK);
    assert_int_equal(p.m->groups[2].offset % 8, 0);
    assert_int_equal(p.m->groups[2].size % 8, 0);
    assert_null(strstr(program_print(&p), ".pad"));
    program_free(&p);
}

TEST_MAIN(TEST(test_forms), TEST(test_random), TEST(test_groups), TEST(test_company), TEST(test_padding))
