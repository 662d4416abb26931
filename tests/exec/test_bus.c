/* Loads and stores of lanes on the bus, against plain C that goes lane by lane: elements in a row, at a stride,
 * anywhere, across the ends of memory, at a device, under predicates and masks, at 32-bit and 64-bit addresses, on
 * every level of the host. What the device sees, in which order, and where a fault is, must not depend on how the lanes
 * are done. */
#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"
#include "ir/program.h"

enum { RAM = 0x1000, LATER = RAM + 0x800, DEVICE = 0x7e000000, HOLE = 0x10000, MOST = 64, SEEN = 2 * MOST,
       RUNS = 4000 };

struct device {
    struct seen {
        uint64_t address, value;
        uint32_t size, write; /* no padding: memcmp sees all of it */
    } seen[SEEN];
    unsigned count;
    uint64_t origin; /* all addresses of the bus count from here */
};

static uint64_t bytes_mask(unsigned bytes)
{
    return ~(uint64_t)0 >> (64 - 8 * bytes);
}

static bool device_load(void *device, uint64_t address, unsigned size, uint64_t *value)
{
    struct device *d = device;
    if (address - d->origin < DEVICE)
        return false;
    *value = (address * 3 + d->count) & bytes_mask(size);
    d->seen[d->count++ % SEEN] = (struct seen){address, *value, size, false};
    return true;
}

static bool device_store(void *device, uint64_t address, unsigned size, uint64_t value)
{
    struct device *d = device;
    if (address - d->origin < DEVICE)
        return false;
    d->seen[d->count++ % SEEN] = (struct seen){address, value, size, true};
    return true;
}

/* Two ranges side by side, a part of the second to be read only; the same for the model and the machine. */
struct world {
    uint8_t memory[2 * RAM];
    struct device device;
    uint64_t result[MOST];
    unsigned bad;
    bool fault;
    uint64_t fault_address;
    unsigned compiled; /* operations */
};

struct access {
    bool store, predicated, traps, wide, pairs; /* pairs: an address is a sum of pairs of 32-bit registers */
    bool grows;     /* the program gets blocks at run time: the JIT knows the memory that an access hit last */
    bool second;    /* which range that was */
    bool by_number; /* addresses are a number of the warp and the lane's number, shifted up so far */
    unsigned shift;
    unsigned lanes, bytes, level;
    int64_t offset; /* of the access: registers have addresses without it */
    uint64_t origin, address[MOST], value[MOST]; /* addresses from the origin on */
    bool on[MOST];
    uint64_t active, live;
};

static uint8_t *memory_at(struct world *w, uint64_t address, unsigned bytes, bool write)
{
    uint64_t end = address + bytes;
    bool first = end <= RAM, second = address >= RAM && end <= 2 * RAM && !(write && end > LATER);
    return first || second ? w->memory + address : NULL;
}

static bool model_lane(struct world *w, const struct access *a, unsigned i)
{
    uint8_t *p = memory_at(w, a->address[i], a->bytes, a->store);
    uint64_t value = a->value[i] & bytes_mask(a->bytes), at = a->origin + a->address[i];
    if (p && a->store)
        memcpy(p, &value, a->bytes);
    else if (p)
        memcpy(&w->result[i], p, a->bytes);
    else if (a->store)
        return device_store(&w->device, at, a->bytes, a->bytes == 8 ? a->value[i] : (uint32_t)a->value[i]);
    else if (device_load(&w->device, at, a->bytes, &value))
        w->result[i] = value;
    else
        return false;
    return true;
}

static void model(struct world *w, const struct access *a)
{
    memset(w->result, 0, sizeof w->result);
    for (unsigned i = 0; i < a->lanes && !w->fault; i++) {
        uint64_t lanes = a->store ? a->active & a->live : a->active;
        if (!(lanes >> i & 1) || (a->predicated && !a->on[i]) || model_lane(w, a, i))
            continue;
        w->bad++;
        w->fault = a->traps;
        w->fault_address = a->origin + a->address[i];
    }
}

enum { ADDRESS, VALUE, RESULT };

/* Elements of the file of 32-bit registers, and what is taken away and added again: a word is the low or the high one
 * of a pair. */
enum { REST = 0, MORE = 2, LESS = 4, PAIRS = 6, LOW = PAIRS, SHIFT = 12 };

/* (REST + MORE - LESS) ^ ((MORE & LESS) << SHIFT | LESS): the words of an address carry, borrow and meet. */
static ir_value sum_of_pairs(struct ir_builder *b, unsigned pairs)
{
    ir_value rest = ir_get(b, pairs, REST, IR_I64), more = ir_get(b, pairs, MORE, IR_I64),
             less = ir_get(b, pairs, LESS, IR_I64), twist = ir_op2(b, IR_AND, 0, more, less);
    twist = ir_op2(b, IR_OR, 0, ir_op2(b, IR_SHL, 0, twist, ir_const_i32(b, SHIFT)), less);
    return ir_op2(b, IR_XOR, 0, ir_op2(b, IR_SUB, 0, ir_op2(b, IR_ADD, 0, rest, more), less), twist);
}

static void set_pairs(struct exec_warp *warp, unsigned pairs, uint64_t address, uint64_t salt, unsigned lane)
{
    uint64_t pair[] = {[REST / 2] = 0, [MORE / 2] = salt * 0x9e3779b97f4a7c15u, [LESS / 2] = salt};
    uint64_t twist = (pair[MORE / 2] & salt) << SHIFT | salt;
    pair[REST / 2] = (address ^ twist) + salt - pair[MORE / 2];
    for (unsigned k = 0; k < PAIRS; k++)
        ((uint32_t *)exec_warp_register(warp, pairs, k))[lane] = (uint32_t)(pair[k / 2] >> (k & 1) * 32);
}

/* A program that does one access, and a warp of it. */
struct machine {
    struct access of; /* addresses and values do not matter */
    struct arena arena;
    weft_diags *diags;
    struct exec_program *program;
    struct exec_warp *warp;
    unsigned words, flags, pairs, number;
    struct exec_range ranges[2], stores[3];
    struct exec_bus bus;
    struct exec_env env;
};

static ir_value address_of(struct ir_builder *b, const struct machine *m, const struct access *a)
{
    if (a->pairs)
        return sum_of_pairs(b, m->pairs);
    if (a->by_number) {
        ir_value lanes = ir_op2(b, IR_SHL, 0, ir_lane_id(b), ir_const_i32(b, a->shift));
        return ir_op2(b, IR_ADD, 0, lanes, ir_get(b, m->number, 0, IR_I32));
    }
    return a->grows && !a->wide ? ir_get(b, m->pairs, LOW, IR_I32)
                                : ir_get(b, m->words, ADDRESS, a->wide ? IR_I64 : IR_I32);
}

static struct ir_program *program_of(struct machine *m, const struct access *a)
{
    struct ir_program *p = ir_program_new(&m->arena, "test", IR_COMPUTE, (uint8_t)a->lanes);
    unsigned bounds = a->traps ? IR_BOUNDS_TRAP : IR_BOUNDS_ZERO;
    m->words = ir_add_file(p, (struct ir_file){.name = "l", .bits = 64, .count = 3, .preserved = true});
    m->flags = ir_add_file(p, (struct ir_file){.name = "p", .bits = 1, .count = 1, .preserved = true});
    m->pairs = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = PAIRS + 1, .preserved = true});
    m->number =
        ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 1, .uniform = true, .preserved = true});
    ir_add_space(p, (struct ir_space){.name = "bus", .kind = IR_SPACE_BUS, .bounds = (uint8_t)bounds});
    struct ir_builder b = {p, IR_ENTRY, 0};
    enum ir_type elem = a->bytes == 1 ? IR_I8 : a->bytes == 2 ? IR_I16 : a->bytes == 4 ? IR_I32 : IR_I64;
    enum ir_type row = a->bytes == 8 ? IR_I64 : IR_I32;
    struct ir_mem mem = {.elem = (uint8_t)elem, .count = 1, .offset = a->offset};
    ir_value at = address_of(&b, m, a), on = a->predicated ? ir_get(&b, m->flags, 0, IR_I1) : 0;
    if (a->store) {
        ir_value v = ir_get(&b, m->words, VALUE, row);
        ir_store(&b, mem, at, &v, on);
    } else {
        ir_value v = ir_emit(&b, IR_LOAD, row, 0, 1, &at, 1, ir_add_mem(p, mem), 0, on);
        ir_set(&b, m->words, RESULT, a->bytes == 8 ? v : ir_cvt(&b, IR_ZEXT, IR_I64, 0, v), 0);
    }
    ir_end(&b);
    return p;
}

static void begin(struct machine *m, struct world *w, const struct access *a)
{
    *m = (struct machine){.of = *a, .diags = weft_diags_new()};
    struct ir_program *p = program_of(m, a);
    struct exec_options o = {.level = (enum exec_level)a->level, .extensible = a->grows};
    if (ir_verify(p, m->diags) != WEFT_OK || exec_compile(p, &o, &m->arena, &m->program, m->diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(m->diags, 0)->message);
    m->warp = exec_warp_new(m->program);
    m->ranges[0] = (struct exec_range){a->origin, RAM, w->memory, false};
    m->ranges[1] = (struct exec_range){a->origin + RAM, RAM, w->memory + RAM, false};
    m->stores[0] = m->ranges[0];
    m->stores[1] = (struct exec_range){a->origin + RAM, LATER - RAM, w->memory + RAM, false};
    m->stores[2] = (struct exec_range){a->origin + LATER, 2 * RAM - LATER, w->memory + LATER, true};
    m->bus = (struct exec_bus){.ranges = m->ranges, .nranges = 2, .stores = m->stores, .nstores = 3,
                               .device = &w->device, .load = device_load, .store = device_store};
    m->env = (struct exec_env){.bus = &m->bus};
    exec_bind(m->warp, &m->env);
}

static void end(struct machine *m)
{
    exec_warp_free(m->warp);
    weft_diags_free(m->diags);
    arena_free(&m->arena);
}

static void put_operands(const struct machine *m, const struct access *a)
{
    for (unsigned i = 0; i < a->lanes; i++) {
        uint64_t at = a->origin + a->address[i] - (uint64_t)a->offset;
        ((uint64_t *)exec_warp_register(m->warp, m->words, ADDRESS))[i] = at;
        ((uint64_t *)exec_warp_register(m->warp, m->words, VALUE))[i] = a->value[i];
        set_pairs(m->warp, m->pairs, at, a->value[i], i);
        ((uint32_t *)exec_warp_register(m->warp, m->pairs, LOW))[i] = (uint32_t)at;
        ((uint32_t *)exec_warp_register(m->warp, m->flags, 0))[i] = a->on[i] ? ~0u : 0;
    }
    *(uint32_t *)exec_warp_register(m->warp, m->number, 0) =
        (uint32_t)(a->origin + a->address[0] - (uint64_t)a->offset);
}

/* The access where memory is, all lanes in a row; then memory is as it was, but the access has been somewhere. */
static void run_before(struct world *w, const struct machine *m, const struct access *a)
{
    static struct world kept;
    struct access inside = *a;
    kept = *w;
    for (unsigned i = 0; i < a->lanes; i++)
        inside.address[i] = (a->second ? RAM + 0x100 : 0x100) + (i << a->shift);
    put_operands(m, &inside);
    uint64_t all = ~(uint64_t)0 >> (64 - a->lanes), bad = exec_warp_counts(m->warp)->bad_access;
    assert_int_equal(exec_run(m->warp, all, all, 0), EXEC_DONE);
    assert_int_equal(exec_warp_counts(m->warp)->bad_access, bad);
    *w = kept;
}

static void run_on(struct world *w, const struct machine *m, const struct access *a)
{
    uint64_t bad = exec_warp_counts(m->warp)->bad_access;
    if (a->grows)
        run_before(w, m, a);
    put_operands(m, a);
    w->fault = exec_run(m->warp, a->active, a->live, 0) == EXEC_FAULT;
    w->fault_address = w->fault ? exec_warp_fault_address(m->warp) : 0;
    w->bad = (unsigned)(exec_warp_counts(m->warp)->bad_access - bad);
    for (unsigned i = 0; i < a->lanes; i++)
        w->result[i] = (a->active >> i & 1) ? ((uint64_t *)exec_warp_register(m->warp, m->words, RESULT))[i] : 0;
}

/* Programs that grow ask for much memory: the last two are kept. */
static struct machine grown[2];

static void forget(void)
{
    for (unsigned k = 0; k < 2; k++)
        if (grown[k].warp)
            end(&grown[k]);
    memset(grown, 0, sizeof grown);
}

static bool is_same(const struct access *x, const struct access *y)
{
    return x->store == y->store && x->predicated == y->predicated && x->traps == y->traps && x->wide == y->wide &&
           x->lanes == y->lanes && x->bytes == y->bytes && x->level == y->level && x->shift == y->shift &&
           x->origin == y->origin && x->offset == y->offset;
}

static void run(struct world *w, const struct access *a)
{
    struct machine once, *m = a->grows ? &grown[a->by_number] : &once;
    if (!a->grows || !m->warp || !is_same(&m->of, a)) {
        if (a->grows && m->warp)
            end(m);
        begin(m, w, a);
    }
    run_on(w, m, a);
    struct exec_engine_report report;
    exec_engine_report(m->program, &report);
    w->compiled = report.compiled;
    if (!a->grows)
        end(m);
}

static uint64_t elsewhere(struct test_rng *r, bool wide)
{
    uint64_t inside = test_next(r) % (2 * RAM - 8), far = (uint64_t)1 << 32;
    switch (test_next(r) % (wide ? 4 : 2)) {
    case 0:
        return DEVICE + 4;
    case 1:
        return HOLE;
    case 2:
        return inside + far;
    default:
        return inside - far;
    }
}

/* Any where addresses have 64 bits. Of 32 bits they do not go round: none that would. */
static int64_t some_offset(struct test_rng *r, const struct access *a)
{
    static const int64_t wide[] = {0, 0, 8, -8, 0x12345678, -0x123456789, (int64_t)5 << 33, INT32_MIN};
    static const int64_t narrow[] = {-16, 16};
    bool inner = true;
    for (unsigned i = 0; i < a->lanes; i++)
        inner = inner && a->address[i] >= 16 && a->address[i] < INT32_MAX;
    return a->wide ? wide[test_next(r) % 8] : inner && test_next(r) & 1 ? narrow[test_next(r) & 1] : 0;
}

static struct access random_access(struct test_rng *r)
{
    static const uint32_t bases[] = {0x100, RAM - 20, RAM, LATER - 30, LATER, 2 * RAM - 25, DEVICE, HOLE, 0,
                                     0xfffffff0};
    static const uint64_t origins[] = {0, 0xfffff000 - RAM / 2, 0x123400000000}; /* the second: across 4 GiB */
    struct access a = {.store = test_next(r) & 1, .predicated = test_next(r) & 1, .traps = test_next(r) & 1,
                       .wide = test_next(r) & 1, .lanes = 16u << test_next(r) % 3, .bytes = 1u << test_next(r) % 4};
    a.pairs = a.wide && test_next(r) & 1;
    if (a.wide)
        a.origin = origins[test_next(r) % 3];
    uint64_t base = test_next(r) & 1 ? test_next(r) % (2 * RAM) : bases[test_next(r) % 10] + test_next(r) % 8;
    uint32_t stride = test_next(r) & 1 ? a.bytes : test_next(r) % 40;
    bool anywhere = test_next(r) % 4 == 0, somewhere_else = test_next(r) % 4 == 0;
    for (unsigned i = 0; i < a.lanes; i++) {
        a.address[i] = anywhere ? test_next(r) % (2 * RAM - 4) : base + stride * i;
        if (!a.wide)
            a.address[i] = (uint32_t)a.address[i];
        a.value[i] = test_next64(r);
        a.on[i] = test_next(r) & 3;
    }
    if (somewhere_else) /* one lane is at a device, or nowhere, or inside but for 4 GiB */
        a.address[test_next(r) % a.lanes] = elsewhere(r, a.wide);
    uint64_t all = ~(uint64_t)0 >> (64 - a.lanes);
    a.active = test_next(r) & 1 ? all : (test_next64(r) & all) | 1;
    a.live = test_next(r) & 1 ? all : test_next64(r) & all;
    a.offset = some_offset(r, &a);
    return a;
}

/* Whether addresses are in a row, and lanes are a power of two apart: then `shift` is its logarithm. */
static bool is_in_a_row(struct access *a)
{
    uint32_t step = (uint32_t)(a->address[1] - a->address[0]);
    a->shift = step && !(step & (step - 1)) ? (unsigned)__builtin_ctz(step) : 0;
    for (unsigned i = 0; i < a->lanes; i++)
        if (a->wide || a->address[i] != (uint32_t)(a->address[0] + ((uint64_t)i << a->shift)))
            return false;
    return a->shift < 8;
}

static unsigned compiled;

static void compare_form(const struct world *start, const struct world *want, unsigned n, const struct access *a)
{
    static struct world got;
    got = *start;
    run(&got, a);
    compiled += a->grows ? got.compiled : 0;
    bool same = !memcmp(want->memory, got.memory, sizeof want->memory) && want->bad == got.bad;
    same = same && want->device.count == got.device.count;
    same = same && !memcmp(want->device.seen, got.device.seen, sizeof want->device.seen);
    same = same && want->fault == got.fault && want->fault_address == got.fault_address;
    if (!want->fault && !a->store)
        same = same && !memcmp(want->result, got.result, sizeof want->result);
    if (!same)
        fail_msg("run %u, level %u, grows %d, by number %d: %s of %u bytes by %u lanes from %llx + %llx, active %llx: "
                 "fault %d, not %d",
                 n, a->level, a->grows, a->by_number, a->store ? "store" : "load", a->bytes, a->lanes,
                 (unsigned long long)a->origin, (unsigned long long)a->address[0], (unsigned long long)a->active,
                 got.fault, want->fault);
}

/* One access on every level, or on the best one of a program that grows, against the model. */
static void compare(struct test_rng *r, unsigned n, struct access a)
{
    static struct world start, want;
    for (unsigned i = 0; i < sizeof start.memory; i++)
        start.memory[i] = (uint8_t)test_next(r);
    start.device.origin = a.origin;
    want = start;
    model(&want, &a);
    if (!want.fault)
        want.fault_address = 0;
    bool row = is_in_a_row(&a);
    for (a.level = 0; a.level < EXEC_LEVELS; a.level++)
        for (unsigned form = 0; form < (a.grows && row ? 2 : 1); form++) {
            a.by_number = form;
            enum exec_level level = (enum exec_level)a.level;
            if (a.grows ? level == exec_best_level() : exec_level_usable(level))
                compare_form(&start, &want, n, &a);
        }
}

static void lanes(void **state)
{
    (void)state;
    struct test_rng r = test_seed("lanes");
    for (unsigned n = 0; n < RUNS / test_share(); n++)
        compare(&r, n, random_access(&r));
}

/* One access near an end of memory, after one that was in either range. */
static void compare_row(struct test_rng *r, struct access a, uint32_t at, uint32_t step)
{
    for (unsigned i = 0; i < a.lanes; i++) {
        a.address[i] = (uint32_t)(at + step * i);
        a.value[i] = test_next64(r);
        a.on[i] = test_next(r) & 3;
    }
    if (test_next(r) % 4 == 0) { /* all but one */
        unsigned off = test_next(r) % a.lanes;
        for (unsigned i = 0; i < a.lanes; i++)
            a.on[i] = i != off;
    }
    if (test_next(r) % 8 == 0)
        a.live = test_next(r);
    for (unsigned second = 0; second < 2; second++) {
        a.second = second;
        compare(r, 0, a);
    }
}

/* Rows of bytes, halves and words that end or begin near the ends of memory, and lanes that are not next to each
 * other. */
static void rows(void **state)
{
    (void)state;
    static const uint32_t ends[] = {0, RAM, LATER, 2 * RAM};
    static const int offs[] = {-16, -9, -8, -7, -2, -1, 0, 1, 2, 7, 8, 9};
    struct test_rng r = test_seed("rows");
    const char *engine = getenv("WEFT_ENGINE");
    compiled = 0;
    for (unsigned n = 0; n < 3 * 2 * 2 * 2; n++) {
        struct access a = {.bytes = 1u << n % 3, .store = n / 3 % 2, .predicated = n / 6 % 2, .lanes = EXEC_CHUNK,
                           .active = 0xffff, .live = 0xffff, .grows = true};
        a.traps = a.store != a.predicated;
        uint32_t step = n / 12 ? 2 * a.bytes : a.bytes;
        for (unsigned k = 0; k < sizeof offs / sizeof *offs * 8; k++) {
            uint32_t at = ends[k % 4] + (uint32_t)offs[k / 8];
            compare_row(&r, a, k & 4 ? at - step * EXEC_CHUNK : at, step);
        }
    }
    forget();
    if (engine && strcmp(engine, "jit") == 0)
        assert_true(compiled > 10000);
}

/* Loads of words by addresses that are pairs of registers, with one lane that is not where the others are. */
static void pairs(void **state)
{
    (void)state;
    enum { SPREAD = 256 };
    struct test_rng r = test_seed("pairs");
    for (unsigned n = 0; n < RUNS / test_share(); n++) {
        struct access a = random_access(&r);
        a.store = a.traps = a.predicated = false;
        a.wide = a.pairs = true;
        a.bytes = 4;
        a.lanes = MOST;
        a.active = ~(uint64_t)0;
        a.origin = test_next(&r) & 1 ? 0xfffff000 - RAM / 2 : 0x123400000000;
        uint64_t base = test_next(&r) % (2 * RAM - SPREAD);
        for (unsigned i = 0; i < MOST; i++)
            a.address[i] = base + test_next(&r) % SPREAD;
        if (n & 1)
            a.address[MOST / 2 + test_next(&r) % (MOST / 2)] = elsewhere(&r, true);
        compare(&r, n, a);
    }
}

TEST_MAIN(TEST(lanes), TEST(rows), TEST(pairs))
