#include "test.h"

#include "ir/build.h"

static void results_and_uniformity(void **state)
{
    (void)state;
    struct arena a = {0};
    struct ir_program *p = ir_program_new(&a, "test", IR_FRAGMENT, 16);
    assert_non_null(p);
    assert_int_equal(p->nblocks, 2);
    uint32_t file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 4});
    uint32_t warp = ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 4, .uniform = true});
    struct ir_builder b = {p, IR_ENTRY, 0};
    ir_value one = ir_const_f32(&b, 1.0f), x = ir_get(&b, file, 0, IR_F32), u = ir_get(&b, warp, 0, IR_I32);
    ir_value two = ir_op2(&b, IR_FADD, IR_DEFAULT, one, one), y = ir_op2(&b, IR_FMUL, IR_DEFAULT, x, two);
    ir_value lane = ir_emit(&b, IR_LANE_ID, IR_VOID, 0, 1, NULL, 0, 0, 0, 0);
    ir_value any = ir_op1(&b, IR_ANY, 0, ir_op2(&b, IR_FLT, 0, x, y));
    ir_set(&b, file, 1, y, 0);
    ir_end(&b);
    assert_int_equal(p->value_type[one], IR_F32);
    assert_true(p->value_uniform[one]);
    assert_true(p->value_uniform[two]);
    assert_true(p->value_uniform[u]);
    assert_false(p->value_uniform[x]);
    assert_false(p->value_uniform[y]);
    assert_int_equal(p->value_type[lane], IR_I32);
    assert_false(p->value_uniform[lane]);
    assert_int_equal(p->value_type[any], IR_I1);
    assert_true(p->value_uniform[any]);
    assert_int_equal(p->blocks[IR_ENTRY].count, 10);
    assert_int_equal(p->blocks[IR_ENTRY].ops[9].code, IR_END);
    arena_free(&a);
}

static void targets_of_terminators(void **state)
{
    (void)state;
    struct arena a = {0};
    struct ir_program *p = ir_program_new(&a, "test", IR_FRAGMENT, 16);
    struct ir_builder b = {p, IR_ENTRY, 0};
    uint32_t two = ir_new_block(p), three = ir_new_block(p), t[IR_TARGETS];
    ir_branch(&b, ir_const(&b, IR_I1, 1), two, three);
    b.block = two;
    ir_control(&b, (struct ir_control){.op = 1, .ntargets = 3, .target = {three, two, IR_ENTRY}}, NULL, 0);
    b.block = three;
    ir_goto(&b, IR_ENTRY);
    assert_int_equal(ir_targets(p, &p->blocks[IR_ENTRY].ops[1], t), 2);
    assert_int_equal(t[0], two);
    assert_int_equal(t[1], three);
    assert_int_equal(ir_targets(p, &p->blocks[two].ops[0], t), 3);
    assert_int_equal(t[2], IR_ENTRY);
    assert_int_equal(ir_targets(p, &p->blocks[three].ops[0], t), 1);
    assert_int_equal(t[0], IR_ENTRY);
    arena_free(&a);
}

static void tables_grow(void **state)
{
    (void)state;
    struct arena a = {0};
    struct ir_program *p = ir_program_new(&a, "test", IR_VERTEX, 16);
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(ir_add_input(p, (struct ir_slot){.index = (uint16_t)i}), i);
        assert_int_equal(ir_add_file(p, (struct ir_file){.name = "f", .bits = 32, .count = i}), i);
    }
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(p->io.inputs[i].index, i);
        assert_int_equal(p->files[i].count, i);
    }
    arena_free(&a);
}

/* Ops on other lanes' registers, checks, and the block of an address. */
static void lanes_checks_and_addresses(void **state)
{
    (void)state;
    struct arena a = {0};
    struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, 16);
    uint32_t file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 8});
    struct ir_builder b = {p, IR_ENTRY, 0};
    struct ir_reg reg = {.file = (uint16_t)file, .part = IR_I32, .stride = 1, .last = 7};
    ir_value row = ir_const_i32(&b, 3), lane = ir_emit(&b, IR_LANE_ID, IR_VOID, 0, 1, NULL, 0, 0, 0, 0);
    ir_value one = ir_get_lane(&b, reg, row, row, IR_I32), each = ir_get_lane(&b, reg, row, lane, IR_I32);
    assert_true(p->value_uniform[one]);
    assert_false(p->value_uniform[each]);
    ir_set_lane(&b, reg, row, lane, each, 0);
    ir_check(&b, ir_op2(&b, IR_EQ, 0, each, one), 2);
    ir_emit(&b, IR_JUMP, IR_VOID, 0, 0, &one, 1, 0, 0, 0);
    const struct ir_block *entry = &p->blocks[IR_ENTRY];
    assert_int_equal(entry->ops[entry->count - 2].code, IR_CHECK);
    assert_int_equal(entry->ops[entry->count - 2].imm, 2);
    uint32_t t[IR_TARGETS];
    assert_int_equal(ir_targets(p, &entry->ops[entry->count - 1], t), 0);
    arena_free(&a);
}

/* Every limit of memory gives a program or a failed arena, never a crash. */
static void running_out_of_memory(void **state)
{
    (void)state;
    for (size_t limit = 64; limit < 60000; limit += 997) {
        struct arena a = {.limit = limit};
        struct ir_program *p = ir_program_new(&a, "test", IR_FRAGMENT, 16);
        if (!p) {
            arena_free(&a);
            continue;
        }
        uint32_t file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 4});
        struct ir_builder b = {p, IR_ENTRY, 0};
        for (int i = 0; i < 300; i++) {
            ir_value v = ir_op2(&b, IR_FADD, 0, ir_get(&b, file, 0, IR_F32), ir_const_f32(&b, 1.0f));
            ir_set(&b, file, 1, v, 0);
            ir_goto(&b, ir_new_block(p));
            uint32_t in = ir_add_input(p, (struct ir_slot){0}), out = ir_add_output(p, (struct ir_slot){0});
            p->io.inputs[in].mask |= 1; /* as lifts do, before they look */
            p->io.outputs[out].mask |= 1;
        }
        assert_true(arena_failed(&a) || (p->nblocks == 302 && p->io.ninputs == 300 && p->io.noutputs == 300));
        arena_free(&a);
    }
}

TEST_MAIN(TEST(results_and_uniformity), TEST(targets_of_terminators), TEST(tables_grow),
          TEST(lanes_checks_and_addresses), TEST(running_out_of_memory))
