/* Vector data operations against plain C, written from notes on silicon: every operation
 * at both widths, registers of 8, 16 and 32 bits, horizontal and vertical, at any column, repeated, conditional,
 * accumulating. Programs of several instructions, so that flags and accumulators show. */
#include "test.h"

#include "vector_model.h"

/* Each instruction is compiled anew, which takes its time under a sanitizer. */
#ifdef __SANITIZE_ADDRESS__
enum { PROGRAMS = 40 };
#else
enum { PROGRAMS = 250 };
#endif
enum { CODE = 0x1000, LENGTH = 6 };

/* ---- random instructions ---- */

static struct operand random_operand(struct test_rng *r, bool fine, bool may_dash)
{
    struct operand o = {.kind = may_dash && test_next(r) % 6 == 0, .width = test_next(r) % 3,
                        .vertical = test_next(r) & 1};
    unsigned bytes = 1u << o.width;
    o.inc = test_next(r) & 1;
    o.band = test_next(r) % (4 / bytes);
    o.y = test_next(r) & 63;
    if (fine || o.vertical)
        o.x4 = test_next(r) & 15;
    if (o.vertical && !fine)
        o.y &= 48;
    return o;
}

static unsigned place_bits(const struct operand *o, bool fine)
{
    unsigned high = o->width == 0 ? o->band : o->width == 1 ? 4 + o->band : 6;
    if (o->kind == 1)
        return 0x380;
    return high << 7 | o->vertical << 6 | (o->vertical && !fine ? o->y | o->x4 : o->y);
}

/* 1111 11 X v:6 r:3 d:10 a:10 F 0 b:10 f_d:6 f_a:6 Ra_x:4 P:3 f_i:7 f_b:6, or F 1 k:10 and j:6 for f_b */
static void encode(const struct instruction *i, uint8_t bytes[10])
{
    uint64_t flags_d = 15u << 2 | i->d.inc << 1, flags_a = 15u << 2 | i->a.inc << 1, flags_b = 15u << 2 | i->b.inc << 1;
    uint64_t b = place_bits(&i->b, false);
    if (i->is_immediate) {
        b = (uint64_t)i->immediate & 0x3ff;
        flags_b = (uint64_t)i->immediate >> 10 & 63;
    }
    uint64_t d = place_bits(&i->d, false), a = place_bits(&i->a, true);
    uint64_t w = d << 54 | a << 44 | (uint64_t)i->setf << 43 | (uint64_t)i->is_immediate << 42 | b << 32;
    w |= flags_d << 26 | flags_a << 20 | flags_b;
    w |= (uint64_t)i->a.x4 << 16 | (uint64_t)i->lanes << 13 | (uint64_t)i->acc << 6;
    unsigned first = 0xfc00 | i->x << 9 | i->op << 3 | i->rep;
    bytes[0] = (uint8_t)first;
    bytes[1] = (uint8_t)(first >> 8);
    for (unsigned k = 0; k < 4; k++) {
        bytes[2 + 2 * k] = (uint8_t)(w >> (48 - 16 * k));
        bytes[3 + 2 * k] = (uint8_t)(w >> (56 - 16 * k));
    }
}

static struct instruction random_instruction(struct test_rng *r)
{
    struct instruction i = {.x = test_next(r) & 1, .op = test_next(r) & 63, .setf = test_next(r) & 1};
    i.rep = test_next(r) & 1 ? 0 : test_next(r) % 4;
    i.lanes = test_next(r) & 1 ? 0 : test_next(r) % 8;
    i.d = random_operand(r, false, true);
    i.a = random_operand(r, true, true);
    i.b = random_operand(r, false, false);
    i.is_immediate = test_next(r) % 3 == 0;
    i.immediate = test_next(r) & 1 ? (int16_t)test_next(r) : (int)(test_next(r) % 41) - 20;
    if (test_next(r) & 1)
        i.acc = test_next(r) & 127;
    return i;
}

static void compare(const struct machine *m, const struct model *s, const struct instruction *i, unsigned number)
{
    const char *why = vector_difference(m, s);
    if (why)
        fail_msg("program %u: operation %u X %u acc %02x setf %u if %u rep %u d %u.%u.%u a %u.%u.%u b %u.%u.%u: %s",
                 number, i->op, i->x, i->acc, i->setf, i->lanes, i->rep, i->d.kind, i->d.width, i->d.vertical,
                 i->a.kind, i->a.width, i->a.vertical, i->b.kind, i->b.width, i->b.vertical, why);
}

static void programs(void **state)
{
    (void)state;
    struct test_rng r = test_seed("programs");
    struct machine_params params = {.sdram = 1 << 20, .level = exec_best_level()};
    struct machine *m = machine_new(&params);
    static struct model s; /* flags and accumulators go on from program to program, as in the machine */
    assert_non_null(m);
    for (unsigned n = 0; n < PROGRAMS; n++) {
        for (unsigned row = 0; row < 64; row++)
            for (unsigned l = 0; l < 16; l++) {
                uint32_t v = vector_word(&r);
                memcpy(s.vrf[row][l], &v, 4);
            }
        load_state(m, &s);
        for (unsigned k = 0; k < 8; k++)
            machine_set_register(m, k, s.r[k]);
        for (unsigned k = 0; k < LENGTH; k++) {
            struct instruction i = random_instruction(&r);
            uint8_t bytes[12] = {0};
            encode(&i, bytes);
            uint32_t at = CODE + 16 * ((n * LENGTH + k) & 1023);
            machine_write(m, at, bytes, sizeof bytes);
            machine_set_pc(m, at);
            assert_int_equal(machine_run(m, 10), MACHINE_BREAKPOINT);
            for (unsigned t = 0; t < 1u << i.rep; t++)
                turn(&s, &i, t);
            compare(m, &s, &i, n);
        }
    }
    machine_free(m);
}

TEST_MAIN(TEST(programs))
