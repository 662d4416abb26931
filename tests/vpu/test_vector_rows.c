/* Every vector row of `weft isa vpu`, that is every operation in every encoding, against the model of vector_model.h:
 * bytes, halves and words, rows and columns, repeated or not, with increments, +rN, its replicating alias, column
 * base, conditions, accumulators and scalar results; loads and stores of any width and alignment, scatter and gather,
 * the lookup table. The bits are decoded by the manual's chapters "Vector 48 Bit Instruction Word" and "Vector 80 Bit
 * Instruction Word". */
#include "test.h"

#include "isa/pattern.h"
#include "isa/vpu/vpu.h"
#include "vector_model.h"

enum {
    MEMORY = 0x60000,
    CODE = 0x1000,
    DATA = 0x40000,
    FIRST_NUMBER = 0x2000,
    LAST_NUMBER = 0x6000,
    KINDS = 12,
    INDICES = 40 /* a row */,
    NO_STEP = 15
};

/* Kinds of operands that a row is tried with: each instance is compiled anew, which takes its time under a sanitizer.
 */
#ifdef __SANITIZE_ADDRESS__
enum { STEP = 10 };
#else
enum { STEP = 1 };
#endif

struct world {
    struct model v;
    uint8_t memory[MEMORY];
};

struct decoded {
    struct instruction i;
    bool memory, addressed; /* one of the vector memory operations; with an address */
    bool bits80;
    unsigned bytes, width;
    unsigned step; /* register of an address */
};

/* ---- from bits ---- */

struct bits {
    const struct pattern *p;
    struct pattern_word w;
};

static unsigned field(const struct bits *b, const char *name)
{
    int k = pattern_find_field(b->p, name);
    return k < 0 ? 0 : (unsigned)pattern_get(&b->p->field[k], &b->w);
}

static bool has(const struct bits *b, const char *name)
{
    return pattern_find_field(b->p, name) >= 0;
}

static int sign_extend(unsigned v, unsigned bits)
{
    return (int)(v << (32 - bits)) >> (32 - bits);
}

/* The ten bits, the six flags and the four of Ra_x of an operand. */
static struct operand operand(unsigned place, bool vertical, unsigned flags, bool fine, unsigned low_x)
{
    unsigned high = place >> 7, low = place & 63;
    struct operand o = {.kind = high == 7, .vertical = vertical, .inc = flags >> 1 & 1, .column = flags & 1};
    o.reg = flags >> 2 == 15 ? 0 : (flags >> 2) + 1;
    o.width = high < 4 ? 0 : high < 6 ? 1 : 2;
    o.band = high < 4 ? high : high < 6 ? high & 1 : 0;
    o.y = vertical && !fine ? low & 48 : low;
    o.x4 = fine ? low_x : vertical ? low & 15 : 0;
    return o;
}

static void decode48(const struct bits *b, struct decoded *d)
{
    unsigned place = field(b, "d"), a = field(b, "a"), rs = field(b, "rs"), none = 15 << 2;
    bool vertical = place >> 6 & 1;
    d->i.d = operand(place, vertical, field(b, "z") ? rs << 2 : none, false, 0);
    d->i.a = operand(a, vertical, a & 64 ? rs << 2 : none, false, 0);
    if (has(b, "b")) {
        d->i.b = operand(field(b, "b"), vertical, field(b, "b") & 64 ? rs << 2 : none, false, 0);
        return;
    }
    d->i.setf = field(b, "F");
    d->i.lanes = field(b, "P");
    d->i.is_scalar = has(b, "rb");
    d->i.is_immediate = !d->i.is_scalar;
    d->i.scalar = field(b, "rb");
    d->i.immediate = d->i.is_scalar ? 0 : sign_extend(field(b, "i"), 6);
}

static void decode80(const struct bits *b, struct decoded *d)
{
    unsigned place = field(b, "d"), a = field(b, "a"), fd = field(b, "fd"), fa = field(b, "fa");
    d->i.d = operand(place, place >> 6 & 1, fd, false, 0);
    d->i.a = operand(a, a >> 6 & 1, fa, true, field(b, "xa"));
    d->i.rep = field(b, "r");
    d->i.setf = field(b, "F");
    d->i.lanes = field(b, "P");
    d->i.acc = field(b, "fi");
    if (has(b, "b")) {
        d->i.b = operand(field(b, "b"), field(b, "b") >> 6 & 1, field(b, "fb"), false, 0);
    } else if (has(b, "rb")) {
        bool address = !has(b, "fi");
        d->i.is_scalar = true;
        d->i.scalar = field(b, "rb");
        d->i.immediate = sign_extend(field(b, "i") << 7 | field(b, "l"), address ? 16 : 9);
        if (address) /* the operand that is not there says what the address is stepped by */
            d->step = (d->i.op < 4 ? d->i.a.kind : d->i.d.kind) ? (d->i.op < 4 ? fa : fd) >> 2 : NO_STEP;
    } else {
        d->i.is_immediate = true;
        d->i.immediate = sign_extend(field(b, "j") << 10 | field(b, "k"), 16);
    }
}

static struct decoded decode(const struct bits *b, unsigned first)
{
    struct decoded d = {.memory = !(first >> 10 & 1), .step = NO_STEP};
    d.i.op = d.memory ? first >> 5 & 31 : first >> 3 & 63;
    d.i.x = d.memory ? 0 : first >> 9 & 1;
    d.width = d.memory ? first >> 3 & 3 : 0;
    d.bits80 = b->p->bits == 80;
    d.bytes = d.width == 1 ? 2 : d.width == 2 ? 4 : 1;
    (b->p->bits == 48 ? decode48 : decode80)(b, &d);
    d.addressed = d.memory && (d.i.is_scalar || d.i.is_immediate) && (d.i.op & 3) < 3 && d.i.op < 8;
    return d;
}

/* ---- vector memory operations ---- */

static int64_t index_of(const struct model *s, unsigned op, unsigned lane)
{
    return (op & 3) == 0 ? lane : (op & 3) == 1 ? s->acc[lane] >> 16 : s->acc[lane] & 0xffff;
}

/* The address counts from a register, not from 0. */
static bool has_base(const struct decoded *d)
{
    return d->i.is_scalar && d->i.scalar < 32;
}

/* An element that is loaded across 16 bytes goes on at their beginning. */
static void move_element(struct world *w, const struct decoded *d, unsigned n, unsigned lane)
{
    struct model *s = &w->v;
    bool store = d->i.op >= 4;
    uint32_t base = d->addressed ? (uint32_t)d->i.immediate : 0, v = 0;
    if (has_base(d))
        base += s->r[d->i.scalar];
    if (d->addressed && d->step != NO_STEP)
        base += s->r[d->step] * n;
    uint32_t at = base + (uint32_t)index_of(s, d->i.op, lane) * d->bytes;
    if (store && d->i.op != 4 && d->i.a.kind) /* indexwrite of nothing */
        return;
    if (store && d->addressed) {
        v = (uint32_t)read_lane(s, &d->i.a, n, lane);
        if (d->i.a.kind == 0 && d->i.a.width < 2) /* zeros enter */
            v &= d->i.a.width ? 0xffff : 0xff;
        memcpy(w->memory + at, &v, d->bytes);
    }
    if (store)
        return;
    for (unsigned k = 0; k < d->bytes; k++)
        v |= (uint32_t)w->memory[(at & ~15u) | ((at + k) & 15)] << 8 * k;
    if (d->i.d.kind == 0)
        write_lane(s, &d->i.d, n, lane, v);
}

static int64_t table_or_accumulator(struct model *s, const struct decoded *d, unsigned n, unsigned lane, bool on)
{
    uint32_t b = (uint32_t)read_b(s, &d->i, n, lane), entry = b & (64 / d->bytes - 1), v = 0;
    int64_t most = d->width == 1 ? INT32_MAX : INT16_MAX, acc = s->acc[lane] >> (b & 31);
    uint8_t *table = &s->table[lane][entry * d->bytes];
    bool held;
    switch (d->i.op) {
    case 8:
        memcpy(&v, table, d->bytes);
        return v;
    case 9:
        v = (uint32_t)read_lane(s, &d->i.a, n, lane);
        if (on)
            memcpy(table, &v, d->bytes);
        return v;
    case 24: /* width 2 does nothing: memory_turn */
        return d->width & 1 ? hold(acc, -most - 1, most, &held) : acc;
    default:
        return 0;
    }
}

static void memory_turn(struct world *w, const struct decoded *d, unsigned n)
{
    int64_t value[16];
    bool on[16];
    struct model *s = &w->v, before = *s; /* all lanes are read before one is written */
    for (unsigned l = 0; l < 16; l++)
        on[l] = lane_runs(&before, d->i.lanes, l);
    if (d->i.op < 7 && d->i.op != 3) {
        for (unsigned l = 0; l < 16; l++)
            if (on[l])
                move_element(w, d, n, l);
        return;
    }
    if (d->i.op == 24 && d->width == 2)
        return;
    for (unsigned l = 0; l < 16; l++)
        value[l] = (int32_t)table_or_accumulator(s, d, n, l, on[l]);
    finish(s, &d->i, n, value, on, 32);
}

static void model(struct world *w, const struct decoded *d)
{
    unsigned count = d->i.rep < 7 ? 1u << d->i.rep : w->v.r[0] ? w->v.r[0] : 1;
    memcpy(w->v.seen, w->v.r, sizeof w->v.seen);
    for (unsigned n = 0; n < count; n++) {
        if (d->memory)
            memory_turn(w, d, n);
        else
            turn(&w->v, &d->i, n);
    }
}

/* ---- random instances ---- */

static void set_field(struct bits *b, const char *name, unsigned value)
{
    int k = pattern_find_field(b->p, name);
    if (k >= 0)
        pattern_set(&b->p->field[k], &b->w, value);
}

/* A vector register of a width, H or V, in an operand's ten bits. */
static unsigned random_place(struct test_rng *r, unsigned width, bool vertical)
{
    unsigned high = width == 0 ? test_next(r) & 3 : width == 1 ? 4 + (test_next(r) & 1) : 6;
    return high << 7 | vertical << 6 | (test_next(r) & 63);
}

/* kind: width of D, direction, and whether it is repeated. */
static struct bits random_bits(struct test_rng *r, const struct pattern *p, unsigned kind)
{
    struct bits b = {.p = p};
    for (unsigned k = 0; k < 2; k++)
        b.w.w[k] = (test_next64(r) & ~p->mask.w[k]) | p->value.w[k];
    bool vertical = kind / 3 & 1, any = test_next(r) & 1;
    set_field(&b, "d", test_next(r) % 8 ? random_place(r, kind % 3, vertical) : 0x380u | (test_next(r) & 127));
    if (test_next(r) % 4)
        set_field(&b, "a", random_place(r, any ? test_next(r) % 3 : kind % 3, any ? test_next(r) & 1 : vertical));
    set_field(&b, "b", random_place(r, any ? test_next(r) % 3 : kind % 3, any ? test_next(r) & 1 : vertical));
    set_field(&b, "r", kind < 6 ? 0 : test_next(r) % 8 < 7 ? 1 + test_next(r) % 5 : 7);
    if (test_next(r) & 1)
        set_field(&b, "P", 0);
    if (test_next(r) & 1)
        set_field(&b, "fi", 0);
    static const char *const flags[] = {"fd", "fa", "fb"};
    for (unsigned k = 0; k < 3; k++)
        if (test_next(r) & 1) /* no +rN */
            set_field(&b, flags[k], 15 << 2 | (test_next(r) & 3));
    return b;
}

/* The address is a register of its own, or a number that leads to memory, but not to the code. */
static bool is_left_out(const struct decoded *d)
{
    if (d->i.is_scalar && d->i.scalar >= 30 && d->i.scalar < 32)
        return true;
    if (d->addressed && !has_base(d) && d->bits80)
        return d->i.immediate < FIRST_NUMBER || d->i.immediate > LAST_NUMBER;
    if (d->addressed && !has_base(d))
        return d->i.immediate < 0;
    return d->addressed && (d->i.scalar == d->step || (d->i.rep == 7 && (d->i.scalar == 0 || d->step == 0)));
}

static void random_state(struct test_rng *r, struct world *w, const struct decoded *d)
{
    struct model *s = &w->v;
    for (unsigned row = 0; row < 64; row++)
        for (unsigned l = 0; l < 16; l++) {
            uint32_t v = vector_word(r);
            memcpy(s->vrf[row][l], &v, 4);
        }
    for (unsigned k = 0; k < 30; k++)
        s->r[k] = test_next(r) & 3 ? test_next(r) & 0x1fff : test_next(r);
    s->r[30] = 1u << 29 | (test_next(r) & 3) << 4;
    s->r[31] = CODE;
    if (d->i.rep == 7)
        s->r[0] = test_next(r) % 5;
    if (!d->addressed)
        return;
    if (d->step != NO_STEP)
        s->r[d->step] = test_next(r) % 300 - 100;
    uint32_t at = DATA + (test_next(r) & 0xfff);
    if (test_next(r) & 1)
        at &= ~15u;
    if (!has_base(d))
        return;
    s->r[d->i.scalar] = at - (uint32_t)d->i.immediate;
}

/* ---- the machine ---- */

static void run_at(struct machine *m, struct world *w, const uint8_t bytes[10])
{
    memcpy(w->memory + CODE, bytes, 10);
    assert_true(machine_write(m, CODE, bytes, 10));
    machine_set_pc(m, CODE);
    assert_int_equal(machine_run(m, 1), MACHINE_LIMIT);
}

/* Accumulators with small indices in both halves: v32mov -,HY(40,0) CLRA UACC. */
static void set_indices(struct machine *m, struct test_rng *r, struct world *w)
{
    static const uint8_t bytes[] = {0x00, 0xfe, 0x38, 0xe0, 0x28, 0x03, 0xc0, 0x03, 0xbc, 0x09};
    for (unsigned l = 0; l < 16; l++) {
        uint32_t v = test_next(r) % 1000 << 16 | test_next(r) % 1000;
        machine_set_vector(m, INDICES, l, v);
        w->v.acc[l] = v;
    }
    run_at(m, w, bytes);
}

static void check_instance(struct machine *m, struct test_rng *r, struct world *w, const struct bits *b,
                           const char *syntax)
{
    uint8_t bytes[10] = {0};
    unsigned size = b->p->bits / 8;
    for (unsigned k = 0; k < size / 2; k++) {
        unsigned low = b->p->bits - 16 * (k + 1);
        uint64_t half = b->w.w[low >> 6] >> (low & 63);
        bytes[2 * k] = (uint8_t)half;
        bytes[2 * k + 1] = (uint8_t)(half >> 8);
    }
    struct decoded d = decode(b, bytes[0] | (unsigned)bytes[1] << 8);
    if (is_left_out(&d))
        return;
    if (d.memory && d.i.op < 8 && (d.i.op & 3))
        set_indices(m, r, w);
    random_state(r, w, &d);
    load_state(m, &w->v);
    for (unsigned k = 0; k < 31; k++)
        machine_set_register(m, k, w->v.r[k]);
    run_at(m, w, bytes);
    model(w, &d);
    const char *why = vector_difference(m, &w->v);
    static uint8_t memory[MEMORY - DATA + 0x2000];
    assert_true(machine_read(m, DATA - 0x2000, memory, sizeof memory));
    if (!why && memcmp(memory, w->memory + DATA - 0x2000, sizeof memory) != 0)
        why = "memory is not the same";
    assert_true(machine_read(m, 0, memory, LAST_NUMBER + 0x1000));
    if (!why && memcmp(memory, w->memory, LAST_NUMBER + 0x1000) != 0)
        why = "memory at the addresses of immediates is not the same";
    if (!why)
        return;
    printf("#");
    for (unsigned k = 0; k < size; k++)
        printf(" %02x", bytes[k]);
    printf("\n");
    fail_msg("%s, op %u x %u width %u rep %u if %u acc %02x setf %u, D %u.%u.%u A %u.%u.%u: %s", syntax, d.i.op, d.i.x,
             d.width, d.i.rep, d.i.lanes, d.i.acc, d.i.setf, d.i.d.kind, d.i.d.width, d.i.d.vertical, d.i.a.kind,
             d.i.a.width, d.i.a.vertical, why);
}

static void rows(void **state)
{
    (void)state;
    struct test_rng r = test_seed("rows");
    struct machine_params params = {.sdram = MEMORY, .level = exec_best_level()};
    struct machine *m = machine_new(&params);
    static struct world w;
    unsigned count = 0;
    assert_non_null(m);
    for (unsigned k = 0; k < MEMORY; k++)
        w.memory[k] = (uint8_t)test_next(&r);
    assert_true(machine_write(m, 0, w.memory, MEMORY));
    for (uint32_t row = 0; row < isa_vpu.nrows; row++) {
        struct isa_row_info info = {0};
        struct pattern p;
        const char *wrong;
        isa_vpu.row_info(row, &info);
        if (strncmp(info.pattern, "1111", 4) != 0)
            continue; /* test_scalar_rows.c */
        assert_true(info.executes && pattern_compile(info.pattern, &p, &wrong));
        for (unsigned k = row % STEP; k < KINDS; k += STEP) {
            struct bits b = random_bits(&r, &p, k);
            check_instance(m, &r, &w, &b, info.syntax);
        }
        count++;
    }
    printf("# %u rows\n", count);
    assert_true(count > 650);
    machine_free(m);
}

TEST_MAIN(TEST(rows))
