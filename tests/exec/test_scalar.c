/* Uniform code next to lane code: which values are scalars, rows or registers in place is the compiler's business, and
 * the results are not. Random programs against the reference evaluator, lane by lane; the bus; code that appears at run
 * time. */
#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"
#include "ir/eval.h"
#include "ir/pass.h"

enum { LANES = 16, REGS = 12, L = 0, U = 1, W = 2, MEMORY = 256 };

struct values {
    ir_value v[4][96]; /* by kind: i32 lane, i32 uniform, i1 lane, i1 uniform */
    unsigned n[4];
};

static unsigned kind_of(const struct ir_builder *b, ir_value v)
{
    return (ir_type_of(b, v) == IR_I1 ? 2u : 0u) + (b->p->value_uniform[v] ? 1 : 0);
}

static void keep(struct values *p, const struct ir_builder *b, ir_value v)
{
    unsigned k = kind_of(b, v);
    if (p->n[k] < 96)
        p->v[k][p->n[k]++] = v;
}

static ir_value pick(struct test_rng *r, const struct values *p, bool is_bit, bool must_be_uniform)
{
    unsigned k = is_bit ? 2 : 0;
    if (must_be_uniform || !p->n[k] || (test_next(r) & 1))
        k++;
    return p->v[k][test_next(r) % p->n[k]];
}

static void random_ops(struct test_rng *r, struct ir_builder *b, struct values *p, unsigned count)
{
    static const uint16_t two[] = {IR_ADD,   IR_SUB,   IR_MUL, IR_AND,   IR_OR,   IR_XOR,
                                   IR_MIN_S, IR_MAX_U, IR_SHL, IR_SHR_S, IR_SHR_U};
    static const uint16_t tests[] = {IR_EQ, IR_NE, IR_LT_S, IR_LE_S, IR_LT_U, IR_LE_U};
    struct ir_mem word = {.space = 0, .elem = IR_I32, .count = 1};
    for (unsigned n = 0; n < count; n++) {
        bool uniform = test_next(r) & 1, pred = test_next(r) % 4 == 0;
        uint32_t reg = test_next(r) % REGS;
        ir_value x = pick(r, p, false, uniform), y = pick(r, p, false, uniform);
        switch (test_next(r) % 11) {
        case 0:
        case 1:
            keep(p, b, ir_op2(b, (enum ir_opcode)two[test_next(r) % 11], 0, x, y));
            break;
        case 2:
            keep(p, b, ir_op2(b, (enum ir_opcode)tests[test_next(r) % 6], 0, x, y));
            break;
        case 3:
            keep(p, b, ir_select(b, pick(r, p, true, uniform), x, y));
            break;
        case 4:
            ir_set(b, L, reg, x, pred ? pick(r, p, true, false) : 0);
            break;
        case 5:
            ir_set(b, U, reg, pick(r, p, false, true), pred ? pick(r, p, true, true) : 0);
            break;
        case 6:
            keep(p, b, ir_get(b, L, reg, IR_I32));
            break;
        case 7:
            keep(p, b, ir_get(b, U, reg, IR_I32));
            break;
        case 8: { /* through 16 and 64 bits */
            ir_value narrow = ir_cvt(b, IR_TRUNC, IR_I16, 0, x);
            keep(p, b, ir_cvt(b, IR_SEXT, IR_I32, 0, ir_op2(b, IR_ADD, IR_SAT, narrow, narrow)));
            ir_value wide = ir_op2(b, IR_MUL, 0, ir_cvt(b, IR_SEXT, IR_I64, 0, x), ir_cvt(b, IR_ZEXT, IR_I64, 0, y));
            keep(p, b, ir_cvt(b, IR_HI32, IR_I32, 0, wide));
            if (b->p->value_uniform[wide])
                ir_set(b, W, 2 * (reg % (REGS / 2)), wide, 0);
            keep(p, b, ir_get(b, W, reg, IR_I32));
            break;
        }
        case 9: { /* a table lookup, and a register chosen for the warp */
            ir_value index = ir_op2(b, IR_AND, 0, x, ir_const_i32(b, 15));
            struct ir_reg table = {.file = test_next(r) & 1 ? U : L, .part = IR_I32, .stride = 1, .last = REGS - 1};
            keep(p, b, ir_get_dyn(b, table, index, IR_I32));
            break;
        }
        default: {
            ir_value at = ir_op2(b, IR_AND, 0, x, ir_const_i32(b, MEMORY + 60));
            keep(p, b, ir_load(b, word, IR_I32, at));
            break;
        }
        }
    }
}

static void random_block(struct test_rng *r, struct ir_builder *b, unsigned count)
{
    struct values p = {0};
    keep(&p, b, ir_const_i32(b, test_next(r)));
    keep(&p, b, ir_const(b, IR_I1, test_next(r) & 1));
    keep(&p, b, ir_emit(b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0));
    keep(&p, b, ir_get(b, U, 0, IR_I32));
    random_ops(r, b, &p, count);
    uint32_t yes = ir_new_block(b->p), no = ir_new_block(b->p), end = ir_new_block(b->p);
    ir_branch(b, pick(r, &p, true, true), yes, no);
    for (unsigned k = 0; k < 2; k++) {
        b->block = k ? no : yes;
        struct values q = {0};
        keep(&q, b, ir_const_i32(b, k));
        keep(&q, b, ir_const(b, IR_I1, k));
        random_ops(r, b, &q, count / 2);
        ir_goto(b, end);
    }
    b->block = end;
}

static void scalars_and_rows(void **state)
{
    (void)state;
    struct test_rng r = test_seed("scalars_and_rows");
    for (unsigned n = 0; n < 300; n++) {
        struct arena a = {0};
        weft_diags *d = weft_diags_new();
        struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, LANES);
        p->precise = n & 1;
        ir_add_file(p, (struct ir_file){.name = "l", .bits = 32, .count = REGS, .uniform = false, .preserved = true});
        ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = REGS, .uniform = true, .preserved = true});
        ir_add_file(p, (struct ir_file){.name = "w", .bits = 32, .count = REGS, .uniform = true, .preserved = true});
        ir_add_space(p, (struct ir_space){.name = "m", .kind = n % 3 ? IR_SPACE_BUS : IR_SPACE_CONST});
        struct ir_builder b = {p, IR_ENTRY, 0};
        random_block(&r, &b, 40);
        random_block(&r, &b, 20);
        ir_end(&b);
        uint8_t memory[MEMORY];
        for (unsigned k = 0; k < MEMORY; k++)
            memory[k] = (uint8_t)test_next(&r);
        uint32_t start[3][REGS][LANES];
        uint64_t want[3][REGS][LANES];
        for (unsigned f = 0; f < 3; f++)
            for (unsigned k = 0; k < REGS; k++)
                for (unsigned i = 0; i < LANES; i++)
                    start[f][k][i] = f && i ? start[f][k][0] : test_next(&r);
        for (unsigned i = 0; i < LANES; i++) {
            uint64_t file[3][REGS];
            struct eval_lane lane = {.p = p, .lane = i, .space = {memory}, .space_size = {MEMORY}};
            for (unsigned f = 0; f < 3; f++) {
                lane.file[f] = file[f];
                for (unsigned k = 0; k < REGS; k++)
                    file[f][k] = start[f][k][i];
            }
            assert_true(eval_run(&lane, 100));
            for (unsigned f = 0; f < 3; f++)
                for (unsigned k = 0; k < REGS; k++)
                    want[f][k][i] = file[f][k];
        }
        struct exec_range range = {0, MEMORY, memory, false};
        struct exec_bus bus = {.ranges = &range, .nranges = 1};
        struct exec_env env = {.space = {{memory, MEMORY}}, .bus = &bus};
        for (int form = 0; form < 2 * EXEC_LEVELS * 2; form++) {
            struct exec_options o = {.level = (enum exec_level)(form / 2 % EXEC_LEVELS), .no_full = form & 1};
            if (form == 2 * EXEC_LEVELS)
                ir_optimise(p);
            static unsigned tried;
            if (!exec_level_usable(o.level) || test_left_out(&tried, 25))
                continue;
            struct exec_program *x = NULL;
            if (ir_verify(p, d) != WEFT_OK || exec_compile(p, &o, &a, &x, d) != WEFT_OK)
                fail_msg("%s", weft_diags_get(d, 0)->message);
            struct exec_warp *w = exec_warp_new(x);
            exec_bind(w, &env);
            for (unsigned f = 0; f < 3; f++)
                for (unsigned k = 0; k < REGS; k++)
                    memcpy(exec_warp_register(w, f, k), start[f][k], f ? 4 : 4 * LANES);
            assert_int_equal(exec_run(w, 0xffff, 0xffff, 0), EXEC_DONE);
            for (unsigned f = 0; f < 3; f++)
                for (unsigned k = 0; k < REGS; k++)
                    for (unsigned i = 0; i < (f ? 1 : LANES); i++)
                        if (((uint32_t *)exec_warp_register(w, f, k))[i] != want[f][k][i])
                            fail_msg("program %u, form %d: file %u register %u lane %u is %x, not %llx", n, form, f, k,
                                     i, ((uint32_t *)exec_warp_register(w, f, k))[i],
                                     (unsigned long long)want[f][k][i]);
            exec_warp_free(w);
        }
        weft_diags_free(d);
        arena_free(&a);
    }
}

/* ---- the bus ---- */

struct device {
    uint64_t last_store, stored, loads;
    struct exec_warp *interrupt;
};

static bool device_load(void *device, uint64_t address, unsigned size, uint64_t *value)
{
    struct device *d = device;
    if (address < 0x7e000000 || address >= 0x7e001000)
        return false;
    d->loads++;
    *value = address << 8 | size;
    if (size < 8)
        *value &= ((uint64_t)1 << 8 * size) - 1;
    return true;
}

static bool device_store(void *device, uint64_t address, unsigned size, uint64_t value)
{
    struct device *d = device;
    d->last_store = address << 8 | size;
    d->stored = value;
    if (d->interrupt)
        exec_interrupt(d->interrupt);
    return (address >= 0x7e000000 && address < 0x7e001000) || (address >= 0x8000 && address < 0x8100);
}

struct machine {
    struct arena arena;
    weft_diags *diags;
    struct ir_program *p;
    struct ir_builder b;
    struct exec_program *x;
    struct exec_warp *w;
    uint8_t ram[0x1000], rom[0x100];
    struct exec_range ranges[3];
    struct exec_bus bus;
    struct exec_env env;
    struct device device;
};

static void machine_begin(struct machine *m, unsigned bounds)
{
    *m = (struct machine){.diags = weft_diags_new()};
    m->p = ir_program_new(&m->arena, "test", IR_COMPUTE, LANES);
    m->p->precise = true;
    ir_add_file(m->p, (struct ir_file){.name = "l", .bits = 32, .count = REGS, .uniform = false, .preserved = true});
    ir_add_file(m->p, (struct ir_file){.name = "u", .bits = 32, .count = REGS, .uniform = true, .preserved = true});
    ir_add_file(m->p, (struct ir_file){.name = "w", .bits = 64, .count = REGS, .uniform = true, .preserved = true});
    ir_add_space(m->p, (struct ir_space){.name = "bus", .kind = IR_SPACE_BUS, .bounds = (uint8_t)bounds});
    m->b = (struct ir_builder){m->p, IR_ENTRY, 0};
    m->ranges[0] = (struct exec_range){0, sizeof m->ram, m->ram, false};
    m->ranges[1] = (struct exec_range){0x8000, sizeof m->rom, m->rom, true};
    m->ranges[2] = (struct exec_range){0x40000000, sizeof m->ram, m->ram, false}; /* the same memory again */
    m->bus = (struct exec_bus){m->ranges, 3, &m->device, device_load, device_store};
    m->env.bus = &m->bus;
}

static void machine_compile(struct machine *m, bool extensible)
{
    struct exec_options o = {.level = exec_best_level(), .extensible = extensible};
    if (ir_verify(m->p, m->diags) != WEFT_OK || exec_compile(m->p, &o, &m->arena, &m->x, m->diags) != WEFT_OK)
        fail_msg("%s", weft_diags_get(m->diags, 0)->message);
    m->w = exec_warp_new(m->x);
    exec_bind(m->w, &m->env);
}

static void machine_end(struct machine *m)
{
    exec_warp_free(m->w);
    weft_diags_free(m->diags);
    arena_free(&m->arena);
}

static uint32_t *ureg(struct machine *m, unsigned k) { return exec_warp_register(m->w, U, k); }

static void bus_widths(void **state)
{
    (void)state;
    static const enum ir_type elems[] = {IR_I8, IR_I16, IR_I32, IR_I64};
    for (unsigned lanes = 0; lanes < 2; lanes++) {
        for (unsigned wide = 0; wide < 2; wide++) {
            for (unsigned e = 0; e < 4; e++) {
                struct machine m;
                machine_begin(&m, IR_BOUNDS_TRAP);
                ir_value at = ir_get(&m.b, U, 0, IR_I32), to = ir_get(&m.b, U, 1, IR_I32);
                if (lanes) {
                    ir_value id = ir_emit(&m.b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
                    at = ir_op2(&m.b, IR_ADD, 0, at, ir_op2(&m.b, IR_MUL, 0, id, ir_const_i32(&m.b, 0)));
                }
                if (wide) {
                    at = ir_cvt(&m.b, IR_ZEXT, IR_I64, 0, at);
                    to = ir_cvt(&m.b, IR_ZEXT, IR_I64, 0, to);
                }
                struct ir_mem mem = {.elem = (uint8_t)elems[e], .count = 1, .offset = 4};
                ir_value v = ir_load(&m.b, mem, e == 3 ? IR_I64 : IR_I32, at);
                if (lanes) {
                    ir_store(&m.b, mem, to, &v, 0);
                    if (e < 3)
                        ir_set(&m.b, L, 2, v, 0);
                } else {
                    ir_store(&m.b, mem, to, &v, 0);
                    if (e < 3)
                        ir_set(&m.b, U, 2, v, 0);
                }
                ir_end(&m.b);
                machine_compile(&m, false);
                for (unsigned k = 0; k < sizeof m.ram; k++)
                    m.ram[k] = (uint8_t)(k * 7 + 1);
                memset(m.rom, 0x55, sizeof m.rom);
                uint64_t want = 0;
                unsigned size = 1u << e;
                /* memory, its alias at the very end, and memory again after a miss */
                static const uint32_t from[] = {0x10, 0x40000ff4, 0x20, 0x8000};
                for (unsigned k = 0; k < 4; k++) {
                    *ureg(&m, 0) = from[k];
                    *ureg(&m, 1) = 0x800;
                    assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), EXEC_DONE);
                    const uint8_t *src = k == 3 ? m.rom + 4 : m.ram + (from[k] & 0xfff) + 4;
                    assert_memory_equal(m.ram + 0x804, src, size);
                    want = 0;
                    memcpy(&want, src, size);
                    uint32_t got = ((uint32_t *)exec_warp_register(m.w, lanes ? L : U, 2))[lanes ? 15 : 0];
                    assert_int_equal(got, e < 3 ? (uint32_t)want : 0);
                }
                /* the device */
                *ureg(&m, 0) = 0x7e000010;
                *ureg(&m, 1) = 0x7e000020;
                m.device.loads = 0;
                assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), EXEC_DONE);
                assert_int_equal(m.device.loads, lanes ? 16 : 1);
                assert_int_equal(m.device.last_store, (uint64_t)0x7e000024 << 8 | size);
                assert_int_equal(m.device.stored & 0xff, size);
                /* read-only memory asks the device's function */
                *ureg(&m, 1) = 0x8000;
                assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), EXEC_DONE);
                assert_int_equal(m.device.last_store, (uint64_t)0x8004 << 8 | size);
                assert_int_equal(m.rom[4], 0x55);
                /* nothing there */
                *ureg(&m, 0) = 0x9000;
                assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), EXEC_FAULT);
                assert_int_equal(exec_warp_fault_address(m.w), 0x9004);
                *ureg(&m, 0) = 0;
                *ureg(&m, 1) = 0xffffff00;
                assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), EXEC_FAULT);
                assert_int_equal(exec_warp_fault_address(m.w), 0xffffff04);
                machine_end(&m);
            }
        }
    }
}

/* A fault leaves registers as the ops before it left them, and says which instruction it was. */
static void faults_are_precise(void **state)
{
    (void)state;
    struct machine m;
    machine_begin(&m, IR_BOUNDS_TRAP);
    static struct ir_insn insns[3] = {{.addr = 0x100}, {.addr = 0x102}, {.addr = 0x104}};
    m.p->insns = insns;
    m.p->ninsns = 3;
    ir_set(&m.b, U, 1, ir_op2(&m.b, IR_ADD, 0, ir_get(&m.b, U, 1, IR_I32), ir_const_i32(&m.b, 1)), 0);
    m.b.insn = 1;
    struct ir_mem word = {.elem = IR_I32, .count = 1};
    ir_value at = ir_get(&m.b, U, 0, IR_I32);
    ir_check(&m.b, ir_op2(&m.b, IR_NE, 0, ir_op2(&m.b, IR_AND, 0, at, ir_const_i32(&m.b, 3)), ir_const_i32(&m.b, 0)),
             9);
    ir_set(&m.b, U, 0, ir_load(&m.b, word, IR_I32, at), 0);
    m.b.insn = 2;
    ir_set(&m.b, U, 1, ir_const_i32(&m.b, 77), 0);
    ir_end(&m.b);
    machine_compile(&m, false);
    *ureg(&m, 0) = 0x9000;
    *ureg(&m, 1) = 5;
    assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), EXEC_FAULT);
    assert_int_equal(exec_warp_insn(m.w), 1);
    assert_int_equal(*ureg(&m, 0), 0x9000);
    assert_int_equal(*ureg(&m, 1), 6);
    *ureg(&m, 0) = 0x11;
    assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), EXEC_FAULT);
    assert_int_equal(exec_warp_insn(m.w), 1);
    assert_int_equal(exec_warp_fault_code(m.w), 9);
    *ureg(&m, 0) = 0x10;
    m.ram[0x10] = 42;
    assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), EXEC_DONE);
    assert_int_equal(*ureg(&m, 0), 42);
    assert_int_equal(*ureg(&m, 1), 77);
    machine_end(&m);
}

/* A store after a check of its address, which goes to the memory of the store before it where it can: the last place
 * there, and the one after it. */
static void stores_end_with_memory(void **state)
{
    (void)state;
    for (unsigned e = IR_I16; e <= IR_I32; e++) {
        struct machine m;
        unsigned size = e == IR_I16 ? 2 : 4;
        machine_begin(&m, IR_BOUNDS_TRAP);
        struct ir_mem mem = {.elem = (uint8_t)e, .count = 1};
        ir_value at = ir_get(&m.b, U, 0, IR_I32), v = ir_get(&m.b, U, 1, IR_I32);
        ir_value odd = ir_op2(&m.b, IR_AND, 0, at, ir_const_i32(&m.b, size - 1));
        ir_check(&m.b, ir_op2(&m.b, IR_NE, 0, odd, ir_const_i32(&m.b, 0)), 9);
        ir_store(&m.b, mem, at, &v, 0);
        ir_end(&m.b);
        machine_compile(&m, true);
        for (unsigned k = 0; k < 3; k++) {
            *ureg(&m, 0) = 0x1000 - size * (2 - k);
            *ureg(&m, 1) = 0x01010101 * (k + 1);
            assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), k < 2 ? EXEC_DONE : EXEC_FAULT);
        }
        assert_int_equal(exec_warp_fault_address(m.w), 0x1000);
        for (unsigned i = 0; i < size; i++) {
            assert_int_equal(m.ram[0x1000 - 2 * size + i], 1);
            assert_int_equal(m.ram[0x1000 - size + i], 2);
        }
        *ureg(&m, 0) = 0x1001;
        assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), EXEC_FAULT);
        assert_int_equal(exec_warp_fault_code(m.w), 9);
        machine_end(&m);
    }
}

/* ---- code that appears at run time ---- */

/* A block at an address: u[1] += n; to the address in u[0]. */
static uint32_t adding_block(struct machine *m, uint32_t address, uint32_t n)
{
    uint32_t block = m->p->blocks[IR_ENTRY].count ? ir_new_block(m->p) : IR_ENTRY;
    m->b.block = block;
    ir_set(&m->b, U, 1, ir_op2(&m->b, IR_ADD, 0, ir_get(&m->b, U, 1, IR_I32), ir_const_i32(&m->b, n)), 0);
    ir_value to = ir_get(&m->b, U, 0, IR_I32);
    ir_emit(&m->b, IR_JUMP, IR_VOID, 0, 0, &to, 1, 0, 0, 0);
    m->p->blocks[block].addr = address;
    m->p->blocks[block].insns = 2;
    return block;
}

static void blocks_appear(void **state)
{
    (void)state;
    struct machine m;
    machine_begin(&m, IR_BOUNDS_ZERO);
    adding_block(&m, 0x1000, 1);
    machine_compile(&m, true);
    *ureg(&m, 0) = 0x2000;
    assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 0), EXEC_NO_BLOCK);
    assert_int_equal(exec_warp_address(m.w), 0x2000);
    assert_int_equal(exec_continue(m.w, 0), EXEC_NO_BLOCK);
    assert_int_equal(*ureg(&m, 1), 1);
    /* many constants of many blocks, each in its turn */
    uint32_t sum = 1;
    for (uint32_t k = 0; k < 500; k++) {
        uint32_t block = adding_block(&m, 0x2000 + 16 * k, 1000 * k + 7);
        m.p->frozen = block;
        ir_optimise(m.p);
        assert_int_equal(ir_verify(m.p, m.diags), WEFT_OK);
        assert_int_equal(exec_extend(m.x, m.diags), WEFT_OK);
        assert_int_equal(exec_block_at(m.x, 0x2000 + 16 * k), block);
        *ureg(&m, 0) = 0x2000 + 16 * (k + 1);
        assert_int_equal(exec_continue(m.w, 0), EXEC_NO_BLOCK);
        sum += 1000 * k + 7;
        assert_int_equal(*ureg(&m, 1), sum);
        assert_int_equal(exec_warp_address(m.w), 0x2000 + 16 * (k + 1));
    }
    assert_int_equal(exec_warp_counts(m.w)->insns, 2 * 501);
    assert_int_equal(exec_warp_counts(m.w)->lane_insns, 16 * 2 * 501);
    /* a block that is no longer so */
    uint32_t old = exec_block_at(m.x, 0x2010);
    exec_drop(m.x, old);
    assert_int_equal(exec_block_at(m.x, 0x2010), IR_PROLOGUE);
    *ureg(&m, 0) = 0x2010;
    exec_goto_address(m.w, 0x2000);
    assert_int_equal(exec_continue(m.w, 0), EXEC_NO_BLOCK);
    assert_int_equal(exec_warp_address(m.w), 0x2010);
    uint32_t again = adding_block(&m, 0x2010, 5);
    assert_int_equal(exec_extend(m.x, m.diags), WEFT_OK);
    assert_int_equal(exec_block_at(m.x, 0x2010), again);
    *ureg(&m, 0) = 0x9999;
    *ureg(&m, 1) = 0;
    assert_int_equal(exec_continue(m.w, 0), EXEC_NO_BLOCK);
    assert_int_equal(*ureg(&m, 1), 5);
    exec_goto(m.w, old); /* who still knows the old block comes to the new one */
    assert_int_equal(exec_continue(m.w, 0), EXEC_NO_BLOCK);
    assert_int_equal(*ureg(&m, 1), 10);
    exec_drop(m.x, IR_ENTRY); /* the first one, too, but not what comes before it */
    exec_drop(m.x, IR_PROLOGUE);
    assert_int_equal(exec_block_at(m.x, 0x1000), IR_PROLOGUE);
    *ureg(&m, 0) = 0x1000;
    exec_goto(m.w, again);
    assert_int_equal(exec_continue(m.w, 0), EXEC_NO_BLOCK);
    assert_int_equal(exec_warp_address(m.w), 0x1000);
    machine_end(&m);
}

static void slices_and_steps(void **state)
{
    (void)state;
    struct machine m;
    machine_begin(&m, IR_BOUNDS_ZERO);
    /* three blocks in a ring, of which the second and third are one instruction */
    uint32_t a = IR_ENTRY, b = ir_new_block(m.p), c = ir_new_block(m.p);
    ir_set(&m.b, U, 1, ir_op2(&m.b, IR_ADD, 0, ir_get(&m.b, U, 1, IR_I32), ir_const_i32(&m.b, 1)), 0);
    ir_goto(&m.b, b);
    m.b.block = b;
    ir_set(&m.b, U, 2, ir_op2(&m.b, IR_ADD, 0, ir_get(&m.b, U, 2, IR_I32), ir_const_i32(&m.b, 1)), 0);
    ir_branch(&m.b, ir_op2(&m.b, IR_LT_U, 0, ir_get(&m.b, U, 2, IR_I32), ir_const_i32(&m.b, 1000)), c, a);
    m.b.block = c;
    ir_set(&m.b, U, 3, ir_op2(&m.b, IR_ADD, 0, ir_get(&m.b, U, 3, IR_I32), ir_const_i32(&m.b, 1)), 0);
    ir_value v = ir_get(&m.b, U, 3, IR_I32);
    struct ir_mem word = {.elem = IR_I32, .count = 1, .offset = 0x7e000000};
    ir_value zero = ir_const_i32(&m.b, 0);
    ir_store(&m.b, word, zero, &v, ir_op2(&m.b, IR_EQ, 0, v, ir_const_i32(&m.b, 20)));
    ir_goto(&m.b, a);
    m.p->blocks[a].insns = 1;
    m.p->blocks[b].insns = 1;
    m.p->blocks[b].addr = 2;
    m.p->blocks[c].addr = 2;
    machine_compile(&m, false);
    assert_int_equal(exec_run(m.w, 0xffff, 0xffff, 1), EXEC_OUT_OF_BUDGET);
    for (unsigned k = 1; k < 20; k++) {
        assert_int_equal(exec_warp_address(m.w), k & 1 ? 2 : 0);
        assert_int_equal(*ureg(&m, 1), (k + 1) / 2);
        assert_int_equal(*ureg(&m, 2), k / 2);
        assert_int_equal(*ureg(&m, 3), k / 2);
        assert_int_equal(exec_continue(m.w, 1), EXEC_OUT_OF_BUDGET);
    }
    assert_int_equal(exec_warp_counts(m.w)->insns, 20);
    m.device.interrupt = m.w;
    assert_int_equal(exec_continue(m.w, 0), EXEC_INTERRUPTED);
    assert_int_equal(m.device.stored, 20);
    assert_int_equal(*ureg(&m, 3), 20);
    assert_int_equal(exec_warp_address(m.w), 0);
    assert_int_equal(exec_continue(m.w, 100), EXEC_OUT_OF_BUDGET);
    assert_int_equal(*ureg(&m, 3), 70);
    exec_interrupt(m.w); /* before it goes on */
    assert_int_equal(exec_continue(m.w, 100), EXEC_INTERRUPTED);
    assert_int_equal(exec_continue(m.w, 1), EXEC_OUT_OF_BUDGET);
    machine_end(&m);
}

TEST_MAIN(TEST(scalars_and_rows), TEST(bus_widths), TEST(faults_are_precise),
          TEST(stores_end_with_memory), TEST(blocks_appear),
          TEST(slices_and_steps))
