/* lift_common.c - shared, coefficient and alternate coefficient registers that a program writes: "shared by an entire
 * thread", "shared between multiple instances of the same thread" (chapter 4). Those that nothing writes are values.
 *
 * All instances of a workgroup of a compute program see what one of them writes, as Mesa's compiler needs it for GLSL's
 * `shared` variables; of other programs those of a task. Where several instances write a register at once, the value of
 * the last one stays. */
#include "isa/rogue/lift.h"

/* In compute programs they are memory of the workgroup, which begins as zeros: what is there is the difference (xor)
 * from what the register holds at the start. In others they are the registers of the task's first instance. */

static bool can_be_common(unsigned file)
{
    return file == ROGUE_FILE_SH || file == ROGUE_FILE_CF || file == ROGUE_FILE_CFA;
}

void rogue_note_common(struct rogue_lifter *l, const struct rogue_spot *s, unsigned span, uint32_t most)
{
    if (!can_be_common(s->file))
        return;
    if (!l->common[s->file]) {
        l->common[s->file] = ARENA_ARRAY(l->arena, bool, most);
        l->common_space[s->file] = LIFT_NONE;
    }
    uint32_t first = s->index >= 0 ? 0 : s->number, count = s->index >= 0 ? most : span;
    for (uint32_t i = first; l->common[s->file] && i < most && i - first < count; i++)
        l->common[s->file][i] = true;
}

bool rogue_is_common(const struct rogue_lifter *l, const struct rogue_spot *s)
{
    return l->common[s->file] && (s->index >= 0 || l->common[s->file][s->number]);
}

/* ---- the task's first instance ---- */

static struct ir_reg lane_reg(const struct rogue_lifter *l, const struct rogue_spot *s)
{
    if (s->index >= 0)
        return rogue_dynamic_reg(l, s);
    return (struct ir_reg){.file = (uint16_t)l->file[s->file], .part = IR_I32, .elem = s->number, .stride = 1};
}

static ir_value lane_index(struct rogue_lifter *l, const struct rogue_spot *s)
{
    return s->index >= 0 ? rogue_index_of(l, s) : rogue_word(l, 0);
}

static void set_first(struct rogue_lifter *l, const struct rogue_spot *s, ir_value v, ir_value pred)
{
    ir_set_lane(&l->b, lane_reg(l, s), lane_index(l, s), rogue_word(l, 0), v, pred);
}

/* ---- memory of the workgroup ---- */

struct place {
    ir_value address, inside; /* inside: 0: it is */
};

static struct place place_of(struct rogue_lifter *l, const struct rogue_spot *s)
{
    enum { WORD = 2 };
    if (s->index < 0)
        return (struct place){rogue_word(l, s->number << WORD), 0};
    ir_value step = ir_op2(&l->b, IR_MUL, 0, rogue_index_of(l, s), rogue_word(l, s->scale));
    ir_value n = ir_op2(&l->b, IR_ADD, 0, step, rogue_word(l, s->number));
    return (struct place){ir_op2(&l->b, IR_SHL, 0, n, rogue_word(l, WORD)),
                          ir_op2(&l->b, IR_LT_U, 0, n, rogue_word(l, l->count[s->file]))};
}

static uint32_t memory(struct rogue_lifter *l, unsigned file)
{
    static const char *const names[ROGUE_FILES] = {
        [ROGUE_FILE_SH] = "shared", [ROGUE_FILE_CF] = "coefficients", [ROGUE_FILE_CFA] = "alternate_coefficients"};
    struct ir_space space = {.name = names[file], .kind = IR_SPACE_SHARED, .size = 4 * (uint64_t)l->count[file]};
    if (l->common_space[file] == LIFT_NONE)
        l->common_space[file] = ir_add_space(l->b.p, space);
    struct ir_mem mem = {(uint16_t)l->common_space[file], IR_I32, 1, 4, 0};
    return ir_add_mem(l->b.p, mem);
}

/* What the register holds at the start; 0: zero. */
static ir_value initial(struct rogue_lifter *l, const struct rogue_spot *s)
{
    if (s->file != ROGUE_FILE_SH)
        return 0;
    if (s->index < 0)
        return rogue_shared(l, s->number);
    return ir_get_dyn(&l->b, rogue_dynamic_reg(l, s), rogue_index_of(l, s), IR_I32);
}

static ir_value differs(struct rogue_lifter *l, const struct rogue_spot *s, ir_value v)
{
    ir_value from = initial(l, s);
    return from ? ir_op2(&l->b, IR_XOR, 0, v, from) : v;
}

/* ---- both ---- */

ir_value rogue_read_common(struct rogue_lifter *l, const struct rogue_spot *s)
{
    if (l->stage != IR_COMPUTE)
        return ir_get_lane(&l->b, lane_reg(l, s), lane_index(l, s), rogue_word(l, 0), IR_I32);
    struct place p = place_of(l, s);
    uint32_t mem = memory(l, s->file);
    return differs(l, s, ir_emit(&l->b, IR_LOAD, IR_I32, 0, 1, &p.address, 1, mem, 0, p.inside));
}

void rogue_write_common(struct rogue_lifter *l, const struct rogue_spot *s, ir_value v, ir_value pred)
{
    if (l->stage != IR_COMPUTE) {
        set_first(l, s, v, pred);
        return;
    }
    struct place p = place_of(l, s);
    const ir_value args[] = {p.address, differs(l, s, v)};
    uint32_t mem = memory(l, s->file);
    ir_emit(&l->b, IR_STORE, IR_VOID, 0, 0, args, 2, mem, 0, rogue_and(l, pred, p.inside));
}

/* In compute programs the memory's zeros are the start. */
void rogue_fill_common(struct rogue_lifter *l)
{
    for (unsigned file = 0; file < ROGUE_FILES && l->stage != IR_COMPUTE; file++)
        for (uint32_t n = 0; l->common[file] && n < l->count[file]; n++) {
            bool flat = file == ROGUE_FILE_CF && l->stage == IR_FRAGMENT && rogue_has_coefficient(l, n);
            struct rogue_spot s = {(uint8_t)file, n, -1, 1};
            if (l->common[file][n])
                set_first(l, &s,
                          file == ROGUE_FILE_SH ? rogue_shared(l, n)
                          : flat                ? rogue_coefficient(l, n)
                                                : rogue_word(l, 0),
                          0);
        }
}
