/* Every instruction that computes, against the scalar oracle: corner values and random ones, optimised and not, with
 * all lanes and with some, with full and with partial write masks. */
#include "lift_run.h"

#include "oracle.h"

#include <math.h>

static const uint32_t corner_floats[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000,
    0x3effffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x00800000, 0x00000001, 0x007fffff,
    0x80000001, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0xcf000001, 0x5f000000,
    0x4b000001, 0x42fe0000, 0x43000000, 0xc2fc8000, 0x3f7fffff, 0x3f800001, 0x497fffff, 0xc1200000, 0x461c4000};

static const uint32_t corner_ints[] = {0,          1,          2,   3,   0xffffffff, 0xfffffffe, 0x7fffffff,
                                       0x80000000, 0x80000001, 31,  32,  33,         63,         64,
                                       0x55555555, 0xaaaaaaaa, 255, 256, 65535,      65536,      1000000007};

static const uint64_t corner_doubles[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000,
    0x4004000000000000, 0xc004000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
    0x0010000000000000, 0x0000000000000001, 0x800fffffffffffff, 0x7fefffffffffffff, 0x41e0000000000000,
    0xc1e0000000200000, 0x43e0000000000000, 0xc3e0000000000001, 0x3fdfffffffffffff, 0x36a0000000000000,
    0x47efffffe0000000, 0x47effffff0000000, 0x41f0000000000000, 0x43f0000000000000};

#define PICK(r, list) list[test_next(r) % (sizeof list / sizeof *list)]

static uint32_t word(struct test_rng *r, unsigned type)
{
    unsigned kind = test_next(r) % 8;
    if (kind == 0)
        return (uint32_t)test_next(r);
    if (type == TGSI_T_F32 || (type == TGSI_T_UNTYPED && kind < 5)) {
        if (kind < 4)
            return PICK(r, corner_floats);
        float v = ((float)(test_next(r) & 0xffffff) / 0x800000 - 1) * (kind < 6 ? 1.0f : kind == 6 ? 20.0f : 5000.0f);
        uint32_t bits;
        memcpy(&bits, &v, 4);
        return bits;
    }
    return kind < 5 ? PICK(r, corner_ints) : (uint32_t)test_next(r) >> test_next(r) % 32;
}

static uint64_t long_word(struct test_rng *r, unsigned type)
{
    unsigned kind = test_next(r) % 8;
    if (kind == 0)
        return test_next64(r);
    if (type == TGSI_T_F64) {
        if (kind < 5)
            return PICK(r, corner_doubles);
        double v = ((double)(test_next64(r) >> 12) / 0x1p51 - 1) * (kind == 5 ? 1 : kind == 6 ? 1e5 : 1e12);
        uint64_t bits;
        memcpy(&bits, &v, 8);
        return bits;
    }
    if (kind < 5) /* both words of a corner, or the corner sign-extended */
        return kind & 1 ? (uint64_t)(int64_t)(int32_t)PICK(r, corner_ints)
                        : (uint64_t)PICK(r, corner_ints) << 32 | PICK(r, corner_ints);
    return test_next64(r) >> test_next(r) % 64;
}

static void fill(struct run *run, const struct tgsi_row *row, struct test_rng *r)
{
    for (unsigned s = 0; s < row->nsrc; s++) {
        unsigned type = row->src_type[s];
        bool wide = type == TGSI_T_F64 || type == TGSI_T_I64 || type == TGSI_T_U64;
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            for (unsigned c = 0; c < 4; c += wide ? 2 : 1) {
                if (!wide) {
                    run->in[s][c][lane] = word(r, type);
                    continue;
                }
                uint64_t v = long_word(r, type);
                run->in[s][c][lane] = (uint32_t)v;
                run->in[s][c + 1][lane] = (uint32_t)(v >> 32);
            }
    }
}

/* ---- comparing ---- */

static int64_t ordered(uint32_t bits)
{
    return bits & 0x80000000 ? -(int64_t)(bits & 0x7fffffff) : (int64_t)bits;
}

static bool same_float(uint32_t got, uint32_t want, unsigned ulp)
{
    float a, b;
    memcpy(&a, &got, 4);
    memcpy(&b, &want, 4);
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (!ulp)
        return got == want;
    int64_t apart = ordered(got) - ordered(want);
    return (apart < 0 ? -apart : apart) <= ulp;
}

static bool is_nan64(uint32_t low, uint32_t high)
{
    return (high & 0x7ff00000) == 0x7ff00000 && ((high & 0xfffff) || low);
}

static bool same(const struct oracle *o, const uint32_t got[4], const uint32_t want[4], unsigned c, bool whole)
{
    if (o->number == 'f')
        return same_float(got[c], want[c], o->ulp);
    unsigned low = c & 2;
    if (o->number == 'd' && is_nan64(want[low], want[low + 1]))
        return !whole || is_nan64(got[low], got[low + 1]); /* half a NaN says nothing */
    return got[c] == want[c];
}

static const char *components(unsigned mask)
{
    static char text[5];
    unsigned n = 0;
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            text[n++] = "xyzw"[c];
    text[n] = 0;
    return text;
}

static void program_text(char *text, size_t size, const struct tgsi_row *row, unsigned mask, unsigned mask1)
{
    int n = snprintf(text, size, "VERT\n");
    for (unsigned s = 0; s < row->nsrc; s++)
        n += snprintf(text + n, size - (size_t)n, "DCL IN[%u]\n", s);
    for (unsigned d = 0; d < row->ndst; d++)
        n += snprintf(text + n, size - (size_t)n, "DCL OUT[%u], GENERIC[%u]\n", d, d);
    n += snprintf(text + n, size - (size_t)n, "%s OUT[0].%s", row->name, components(mask));
    if (row->ndst > 1)
        n += snprintf(text + n, size - (size_t)n, ", OUT[1].%s", components(mask1));
    for (unsigned s = 0; s < row->nsrc; s++)
        n += snprintf(text + n, size - (size_t)n, ", IN[%u]", s);
    snprintf(text + n, size - (size_t)n, "\nEND\n");
}

static void expect(const struct oracle *o, const struct tgsi_row *row, const struct run *run, const char *text,
                   unsigned mask)
{
    static const unsigned no_component = 0x5eed;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        uint32_t s[5][4] = {{0}}, want[2][4], got[4];
        for (unsigned i = 0; i < row->nsrc; i++)
            for (unsigned c = 0; c < 4; c++)
                s[i][c] = run->in[i][c][lane];
        for (unsigned d = 0; d < 2; d++)
            for (unsigned c = 0; c < 4; c++)
                want[d][c] = no_component;
        o->fn(want, s, mask);
        for (unsigned d = 0; d < row->ndst; d++) {
            unsigned written = d ? 3 : mask;
            for (unsigned c = 0; c < 4; c++)
                got[c] = run->out[d][c][lane];
            for (unsigned c = 0; c < 4; c++) {
                bool runs = run->active >> lane & 1 && written >> c & 1;
                struct oracle exact = *o;
                if (d)
                    exact.number = 0;
                bool whole = (written >> (c & 2) & 3) == 3;
                if (runs && want[d][c] == no_component && o->fn)
                    continue; /* a component that the instruction leaves alone */
                if (runs ? same(&exact, got, want[d], c, whole) : got[c] == no_component)
                    continue;
                print_error("%s lane %u dst %u.%c: got %08x, want %08x\n%s", row->name, lane, d, "xyzw"[c], got[c],
                            runs ? want[d][c] : no_component, text);
                for (unsigned i = 0; i < row->nsrc; i++)
                    print_error("  src%u %08x %08x %08x %08x\n", i, s[i][0], s[i][1], s[i][2], s[i][3]);
                fail();
            }
        }
    }
}

static void check_op(const struct oracle *o, struct test_rng *r)
{
    static struct run run;
    int index = tgsi_find_row(o->name, strlen(o->name));
    assert_true(index >= 0);
    const struct tgsi_row *row = &tgsi_rows[index];
    for (unsigned round = 0; round < 12; round++) {
        bool wide = row->dst_type == TGSI_T_F64 || row->dst_type == TGSI_T_I64 || row->dst_type == TGSI_T_U64;
        static const unsigned wide_masks[] = {15, 3, 12};
        unsigned mask = round < 6 ? 15 : wide ? wide_masks[round % 3] : 1 + test_next(r) % 15;
        char text[400];
        program_text(text, sizeof text, row, mask, 3);
        memset(&run, 0, sizeof run);
        for (unsigned d = 0; d < RUN_SLOTS; d++)
            for (unsigned c = 0; c < 4; c++)
                for (unsigned lane = 0; lane < RUN_LANES; lane++)
                    run.out[d][c][lane] = 0x5eed;
        fill(&run, row, r);
        run.optimise = round & 1;
        run.no_full = round & 2;
        run.active = round % 3 ? UINT64_MAX : test_next64(r);
        run.live = run.active;
        run_text(text, &run);
        assert_int_equal(run.stop, EXEC_DONE);
        expect(o, row, &run, text, mask);
    }
}

static void ops(void **state)
{
    (void)state;
    struct test_rng r = test_seed("ops");
    for (const struct oracle *o = oracles; o->name; o++)
        check_op(o, &r);
}

/* Instructions of the table that execute and whose meaning is not a function of a lane's own sources: they have tests
 * of their own (fragment, flow, texture). */
static const char *const elsewhere[] = {
    "DDX",     "DDY",    "DDX_FINE", "DDY_FINE", "KILL",      "KILL_IF",    "DEMOTE",     "READ_HELPER",
    "CLOCK",   "BALLOT", "VOTE_ANY", "VOTE_ALL", "VOTE_EQ",   "READ_INVOC", "READ_FIRST", "PUSHA",
    "POPA",    "BRA",    "CAL",      "CALLNZ",   "RET",       "CONT",       "BGNLOOP",    "BGNSUB",
    "ENDLOOP", "ENDSUB", "NOP",      "BRK",      "BREAKC",    "IF",         "UIF",        "ELSE",
    "ENDIF",   "SWITCH", "CASE",     "DEFAULT",  "ENDSWITCH", "END",        "TEX",        "TXB",
    "TXL",     "TXP",    "TXD",      "TEX_LZ",   "TEX2",      "TXB2",       "TXL2",
    /* memory */
    "LOAD", "STORE", "RESQ", "MFENCE", "LFENCE", "SFENCE", "MEMBAR", "BARRIER", "ATOMUADD", "ATOMXCHG", "ATOMCAS",
    "ATOMAND", "ATOMOR", "ATOMXOR", "ATOMUMIN", "ATOMUMAX", "ATOMIMIN", "ATOMIMAX", "ATOMFADD", "ATOMINC_WRAP",
    "ATOMDEC_WRAP",
    /* textures, geometry, fragments: services of the device */
    "TXF", "TXF_LZ", "TXQ", "TXQS", "TG4", "LODQ", "LOD", "SAMPLE", "SAMPLE_I", "SAMPLE_I_MS", "SAMPLE_B", "SAMPLE_C",
    "SAMPLE_C_LZ", "SAMPLE_D", "SAMPLE_L", "GATHER4", "SVIEWINFO", "SAMPLE_POS", "SAMPLE_INFO", "IMG2HND", "SAMP2HND",
    "EMIT", "ENDPRIM", "INTERP_CENTROID", "INTERP_SAMPLE", "INTERP_OFFSET", "FBFETCH"};

static void every_executing_row_is_tested(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < tgsi_row_count; i++) {
        bool found = tgsi_rows[i].lift == NULL;
        for (const struct oracle *o = oracles; o->name && !found; o++)
            found = strcmp(o->name, tgsi_rows[i].name) == 0;
        for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere && !found; k++)
            found = strcmp(elsewhere[k], tgsi_rows[i].name) == 0;
        if (!found)
            print_error("%s executes and has no oracle\n", tgsi_rows[i].name);
        assert_true(found);
    }
}

TEST_MAIN(TEST(every_executing_row_is_tested), TEST(ops))
