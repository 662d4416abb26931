/* lift.c - from code to blocks: which addresses begin one, registers, flags and what ends a block. */
#include "isa/vpu/lift.h"

#include "ir/program.h"
#include "isa/vpu/table.h"

enum {
    MOST_IN_BLOCK = 64,  /* instructions */
    MOST_AT_ONCE = 1024, /* blocks of one vpu_lift_at */
    LANES = 16
};

/* ---- blocks by key ---- */

struct vpu_key_slot {
    uint64_t key;
    uint32_t block; /* 0: free */
};

static struct vpu_key_slot *find_key(const struct vpu_lifter *l, uint64_t key)
{
    uint32_t at = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32);
    for (;; at++) {
        struct vpu_key_slot *s = &l->slot[at & (l->nslots - 1)];
        if (!s->block || s->key == key)
            return s;
    }
}

static bool make_room(struct vpu_lifter *l)
{
    if (2 * (l->nkeys + 1) <= l->nslots)
        return true;
    struct vpu_key_slot *old = l->slot;
    uint32_t count = l->nslots;
    uint32_t more = count ? count * 2 : 256;
    struct vpu_key_slot *slot = ARENA_ARRAY(l->b.p->arena, struct vpu_key_slot, more);
    if (!slot)
        return false;
    l->slot = slot;
    l->nslots = more;
    for (uint32_t i = 0; i < count; i++)
        if (old[i].block)
            *find_key(l, old[i].key) = old[i];
    return true;
}

/* A key that was forgotten keeps its slot, with a block that is to be replaced. */
enum { FORGOTTEN = UINT32_MAX };

static uint32_t new_block(struct vpu_lifter *l, uint64_t addr)
{
    uint32_t block = ir_new_block(l->b.p);
    if (arena_failed(l->b.p->arena))
        return IR_ENTRY;
    l->b.p->blocks[block].addr = addr;
    return block;
}

uint32_t vpu_inner_block(struct vpu_lifter *l)
{
    return new_block(l, VPU_KEY_INNER | l->inner++);
}

static void put_todo(struct vpu_lifter *l, uint64_t key)
{
    uint64_t *todo = arena_grow(l->b.p->arena, l->todo, sizeof *todo, l->ntodo, &l->todo_cap, (size_t)l->ntodo + 1);
    if (!todo)
        return;
    l->todo = todo;
    todo[l->ntodo++] = key;
}

static void jump_to_key(struct vpu_lifter *l, uint64_t key)
{
    ir_value to = ir_const(&l->b, key >> 32 ? IR_I64 : IR_I32, key);
    ir_emit(&l->b, IR_JUMP, IR_VOID, 0, 0, &to, 1, 0, 0, 0);
}

uint32_t vpu_block_of(struct vpu_lifter *l, uint64_t key)
{
    if (!make_room(l))
        return IR_ENTRY;
    l->has_explicit |= (key & VPU_KEY_EXPLICIT) != 0;
    struct vpu_key_slot *s = find_key(l, key);
    if (s->block && s->block != FORGOTTEN)
        return s->block;
    if (!l->job && l->pending >= MOST_AT_ONCE) {
        struct ir_builder here = l->b;
        l->b.block = vpu_inner_block(l);
        uint32_t onward = l->b.block;
        jump_to_key(l, key);
        l->b = here;
        return onward;
    }
    l->nkeys += !s->block;
    *s = (struct vpu_key_slot){key, new_block(l, key)};
    l->pending++;
    put_todo(l, key);
    return s->block;
}

void vpu_forget(struct vpu_lifter *l, uint32_t block)
{
    struct vpu_key_slot *s = find_key(l, l->b.p->blocks[block].addr);
    if (s->block == block)
        s->block = FORGOTTEN;
}

/* ---- terminators ---- */

static uint64_t key_of(const struct vpu_lifter *l, uint32_t address)
{
    return address | l->mode;
}

static void goto_key(struct vpu_lifter *l, uint64_t key)
{
    if (key & VPU_KEY_STEP)
        jump_to_key(l, key);
    else
        ir_goto(&l->b, vpu_block_of(l, key));
    l->ended = true;
}

void vpu_goto(struct vpu_lifter *l, uint32_t address)
{
    goto_key(l, key_of(l, address));
}

static uint32_t step_block(struct vpu_lifter *l, uint64_t key)
{
    if (!(key & VPU_KEY_STEP))
        return vpu_block_of(l, key);
    struct ir_builder here = l->b;
    uint32_t block = l->b.block = vpu_inner_block(l);
    jump_to_key(l, key);
    l->b = here;
    return block;
}

void vpu_branch(struct vpu_lifter *l, ir_value cond, uint32_t yes, uint32_t no)
{
    uint32_t first = step_block(l, key_of(l, yes)), second = step_block(l, key_of(l, no));
    ir_branch(&l->b, cond, first, second);
    l->ended = true;
}

void vpu_jump(struct vpu_lifter *l, ir_value address)
{
    if (l->job) /* no machine will look at the address */
        address = vpu_op2c(l, IR_AND, address, ~(uint32_t)1);
    l->has_explicit |= (l->mode & VPU_KEY_EXPLICIT) != 0;
    if (l->mode)
        address = ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, address, vpu_const(l, (uint32_t)(l->mode >> 32)));
    ir_emit(&l->b, IR_JUMP, IR_VOID, 0, 0, &address, 1, 0, 0, 0);
    l->ended = true;
}

void vpu_system_call(struct vpu_lifter *l, const struct vpu_insn *i)
{
    if (l->job) {
        vpu_job_call(l, i);
        return;
    }
    jump_to_key(l, key_of(l, i->address) | VPU_KEY_SYSTEM);
    l->ended = true;
}

void vpu_raise_when(struct vpu_lifter *l, ir_value cond, ir_value pred, unsigned number)
{
    ir_check(&l->b, pred ? vpu_op2(l, IR_AND, cond, pred) : cond, number);
}

/* ---- registers ---- */

/* Which register a number names depends on the mode (manual, "Scalar Register Configuration"; docs/fidelity.md). */
static unsigned banked(const struct vpu_lifter *l, unsigned reg)
{
    if (reg != VPU_R28)
        return reg;
    return l->mode & VPU_KEY_USER ? VPU_R27 : l->mode & VPU_KEY_NORMAL ? VPU_SP : reg;
}

ir_value vpu_get(struct vpu_lifter *l, unsigned reg)
{
    if (reg == VPU_PC)
        return vpu_const(l, l->insn->address);
    ir_value v = ir_get(&l->b, VPU_FILE_R, reg + 1 == l->held ? VPU_HELD : banked(l, reg), IR_I32);
    return reg == VPU_SR ? vpu_op2(l, IR_OR, v, vpu_flag_bits(l)) : v;
}

void vpu_set(struct vpu_lifter *l, unsigned reg, ir_value v)
{
    if (reg != VPU_SR && reg != VPU_PC) {
        ir_set(&l->b, VPU_FILE_R, banked(l, reg), v, 0);
        return;
    }
    ir_set(&l->b, VPU_FILE_R, VPU_NEW_SR, v, 0);
    l->calls = true;
}

ir_value vpu_left(struct vpu_lifter *l, const struct vpu_insn *i)
{
    return vpu_get(l, i->a);
}

ir_value vpu_right(struct vpu_lifter *l, const struct vpu_insn *i)
{
    return i->flags & VPU_IMMEDIATE ? vpu_const(l, (uint32_t)i->imm) : vpu_get(l, i->b);
}

void vpu_result(struct vpu_lifter *l, const struct vpu_insn *i, ir_value v)
{
    ir_value when = vpu_condition(l, i->cond);
    vpu_set(l, i->d, when ? ir_select(&l->b, when, v, vpu_get(l, i->d)) : v);
}

/* ---- flags ---- */

static ir_value difference_negative(struct vpu_lifter *l, ir_value a, ir_value b)
{
    return vpu_op2(l, IR_LT_S, vpu_op2(l, IR_SUB, a, b), vpu_const(l, 0));
}

static ir_value overflows(struct vpu_lifter *l, ir_value a, ir_value b)
{
    ir_value sum = vpu_op2(l, IR_XOR, a, vpu_op2(l, IR_SUB, a, b));
    return vpu_op2c(l, IR_LT_S, vpu_op2(l, IR_AND, vpu_op2(l, IR_XOR, a, b), sum), 0);
}

ir_value vpu_compare(struct vpu_lifter *l, unsigned cond, ir_value a, ir_value b)
{
    static const struct {
        uint8_t code; /* enum ir_opcode; 0: a flag of the difference */
        bool swapped; /* of b and a */
    } compares[VPU_CONDS] = {
        [VPU_EQ] = {IR_EQ},         [VPU_NE] = {IR_NE},   [VPU_CS] = {IR_LT_U}, [VPU_CC] = {IR_LE_U, true},
        [VPU_HI] = {IR_LT_U, true}, [VPU_LS] = {IR_LE_U}, [VPU_LT] = {IR_LT_S}, [VPU_GE] = {IR_LE_S, true},
        [VPU_GT] = {IR_LT_S, true}, [VPU_LE] = {IR_LE_S},
    };
    enum ir_opcode code = (enum ir_opcode)compares[cond].code;
    if (code)
        return compares[cond].swapped ? vpu_op2(l, code, b, a) : vpu_op2(l, code, a, b);
    bool negative = cond == VPU_MI || cond == VPU_PL, clear = cond == VPU_PL || cond == VPU_VC;
    ir_value flag = negative ? difference_negative(l, a, b) : overflows(l, a, b);
    return clear ? vpu_op1(l, IR_NOT, flag) : flag;
}

/* The condition of bits as sr has them. */
static ir_value compare_bits(struct vpu_lifter *l, unsigned cond, ir_value bits)
{
    static const uint8_t any_of[VPU_CONDS] = {
        [VPU_EQ] = VPU_Z, [VPU_CS] = VPU_C, [VPU_MI] = VPU_N, [VPU_VS] = VPU_V, [VPU_LS] = VPU_C | VPU_Z};
    static const uint8_t none_of[VPU_CONDS] = {
        [VPU_NE] = VPU_Z, [VPU_CC] = VPU_C, [VPU_PL] = VPU_N, [VPU_VC] = VPU_V, [VPU_HI] = VPU_C | VPU_Z};
    if (any_of[cond])
        return vpu_op2c(l, IR_NE, vpu_op2c(l, IR_AND, bits, any_of[cond]), 0);
    if (none_of[cond])
        return vpu_op2c(l, IR_EQ, vpu_op2c(l, IR_AND, bits, none_of[cond]), 0);
    /* Bit 0: N is not V; with VPU_Z for gt and le. */
    ir_value unequal = vpu_op2c(l, IR_AND, vpu_op2(l, IR_XOR, bits, vpu_op2c(l, IR_SHR_U, bits, 2)), 1);
    if (cond == VPU_GT || cond == VPU_LE)
        unequal = vpu_op2(l, IR_OR, unequal, vpu_op2c(l, IR_AND, bits, VPU_Z));
    return vpu_op2c(l, cond == VPU_LT || cond == VPU_LE ? IR_NE : IR_EQ, unequal, 0);
}

static ir_value flag_operand(struct vpu_lifter *l, unsigned element)
{
    return ir_get(&l->b, VPU_FILE_R, element, IR_I32);
}

ir_value vpu_condition(struct vpu_lifter *l, unsigned cond)
{
    if (cond == VPU_ALWAYS)
        return 0;
    if (cond == VPU_NEVER)
        return ir_const(&l->b, IR_I1, 0);
    if (l->mode & VPU_KEY_EXPLICIT)
        return compare_bits(l, cond, flag_operand(l, VPU_FLAG_BITS));
    return vpu_compare(l, cond, flag_operand(l, VPU_FLAG_A), flag_operand(l, VPU_FLAG_B));
}

static ir_value bits_of_compare(struct vpu_lifter *l, ir_value a, ir_value b)
{
    static const struct {
        uint8_t cond, bit;
    } flags[] = {{VPU_VS, VPU_V}, {VPU_CS, VPU_C}, {VPU_MI, VPU_N}, {VPU_EQ, VPU_Z}};
    ir_value bits = vpu_const(l, 0);
    for (unsigned k = 0; k < 4; k++) {
        ir_value flag = ir_cvt(&l->b, IR_SEXT, IR_I32, 0, vpu_compare(l, flags[k].cond, a, b));
        bits = vpu_op2(l, IR_OR, bits, vpu_op2c(l, IR_AND, flag, flags[k].bit));
    }
    return bits;
}

ir_value vpu_flag_bits(struct vpu_lifter *l)
{
    if (l->mode & VPU_KEY_EXPLICIT)
        return flag_operand(l, VPU_FLAG_BITS);
    return bits_of_compare(l, flag_operand(l, VPU_FLAG_A), flag_operand(l, VPU_FLAG_B));
}

static void continue_with(struct vpu_lifter *l, const struct vpu_insn *i, uint64_t mode)
{
    goto_key(l, (i->address + i->size) | mode);
}

void vpu_set_flags(struct vpu_lifter *l, const struct vpu_insn *i, ir_value a, ir_value b)
{
    ir_value when = vpu_condition(l, i->cond);
    if (when && (l->mode & VPU_KEY_EXPLICIT)) {
        vpu_set_flag_bits(l, i, bits_of_compare(l, a, b));
        return;
    }
    if (when) {
        a = ir_select(&l->b, when, a, flag_operand(l, VPU_FLAG_A));
        b = ir_select(&l->b, when, b, flag_operand(l, VPU_FLAG_B));
    }
    ir_set(&l->b, VPU_FILE_R, VPU_FLAG_A, a, 0);
    ir_set(&l->b, VPU_FILE_R, VPU_FLAG_B, b, 0);
    if (l->mode & VPU_KEY_EXPLICIT)
        continue_with(l, i, l->mode & ~VPU_KEY_EXPLICIT);
}

void vpu_set_flag_bits(struct vpu_lifter *l, const struct vpu_insn *i, ir_value bits)
{
    ir_value when = vpu_condition(l, i->cond);
    ir_set(&l->b, VPU_FILE_R, VPU_FLAG_BITS, when ? ir_select(&l->b, when, bits, vpu_flag_bits(l)) : bits, 0);
    if (!(l->mode & VPU_KEY_EXPLICIT))
        continue_with(l, i, l->mode | VPU_KEY_EXPLICIT);
}

/* ---- code to blocks ---- */

static void add_insn(struct vpu_lifter *l, const struct vpu_insn *i)
{
    struct ir_program *p = l->b.p;
    struct ir_insn *insns =
        arena_grow(p->arena, p->insns, sizeof *insns, p->ninsns, &l->insns_cap, (size_t)p->ninsns + 1);
    if (!insns)
        return;
    p->insns = insns;
    insns[p->ninsns] = (struct ir_insn){.addr = i->address, .row = (uint16_t)i->op};
    l->b.insn = p->ninsns++;
}

static bool fetch(const struct vpu_lifter *l, uint32_t address, struct vpu_insn *out)
{
    uint8_t bytes[16] = {0};
    size_t size = l->code.fetch(l->code.context, address, bytes, 10);
    if (size < 2)
        return false;
    vpu_decode_insn(bytes, size, address, out);
    return true;
}

static void lift_insn(struct vpu_lifter *l, const struct vpu_insn *i)
{
    l->insn = i;
    add_insn(l, i);
    if (vpu_is_data(i)) {
        vpu_system_call(l, i);
        return;
    }
    l->calls = false;
    vpu_ops[i->op].lift(l, i);
    if (l->calls && !l->ended)
        vpu_system_call(l, i);
}

/* A block ends at a branch, where another begins, or when it is long enough. The machine handles failed
 * fetches. */
static void lift_block(struct vpu_lifter *l, uint64_t key)
{
    uint32_t block = find_key(l, key)->block, address = (uint32_t)key, count = 0;
    l->b.block = block;
    l->mode = key & VPU_KEY_MODES;
    l->ended = false;
    l->b.p->blocks[block].insn = l->b.p->ninsns;
    unsigned most = l->mode & VPU_KEY_STEP ? 1 : MOST_IN_BLOCK;
    uint64_t mode = l->mode;
    while (!l->ended && !arena_failed(l->b.p->arena)) {
        struct vpu_insn i;
        const struct vpu_key_slot *known = find_key(l, address | mode);
        if (count >= most || (count && known->block && known->block != FORGOTTEN)) {
            vpu_goto(l, address);
            break;
        }
        if (address & 1) { /* bit 0 of an address means nothing */
            vpu_goto(l, address & ~(uint32_t)1);
            break;
        }
        if (!fetch(l, address, &i)) {
            i = vpu_data(address, NULL, 0);
            add_insn(l, &i);
            vpu_system_call(l, &i);
            break;
        }
        lift_insn(l, &i);
        address += i.size;
        count++;
    }
    l->b.p->blocks[block].insns = count;
    struct vpu_lifted *list =
        arena_grow(l->b.p->arena, l->lifted, sizeof *list, l->nlifted, &l->lifted_cap, (size_t)l->nlifted + 1);
    if (!list)
        return;
    l->lifted = list;
    list[l->nlifted++] = (struct vpu_lifted){block, (uint32_t)key, address};
}

void vpu_lift_todo(struct vpu_lifter *l)
{
    while (l->ntodo && !arena_failed(l->b.p->arena))
        lift_block(l, l->todo[--l->ntodo]);
}

void vpu_lift_at(struct vpu_lifter *l, uint64_t key)
{
    l->pending = 0;
    vpu_block_of(l, key);
    vpu_lift_todo(l);
}

/* ---- programs ---- */

static const struct ir_file vpu_files[VPU_FILES] = {
    [VPU_FILE_R] = {.name = "r", .bits = 32, .count = VPU_R_ELEMENTS, .uniform = true},
    [VPU_FILE_P] = {.name = "p", .bits = 32, .count = 32, .uniform = true},
    [VPU_FILE_VRF] = {.name = "vrf", .bits = 32, .count = 64},
    [VPU_FILE_Z] = {.name = "z", .bits = 1, .count = 1},
    [VPU_FILE_N] = {.name = "n", .bits = 1, .count = 1},
    [VPU_FILE_C] = {.name = "c", .bits = 1, .count = 1},
    [VPU_FILE_ACC] = {.name = "acc", .bits = 64, .count = 1},
    [VPU_FILE_LUT] = {.name = "lut", .bits = 8, .count = 64},
};

const char *vpu_file_name(enum vpu_file file)
{
    return vpu_files[file].name;
}

int vpu_register_of(unsigned element)
{
    switch (element) {
    case VPU_FLAG_A:
    case VPU_FLAG_B:
    case VPU_FLAG_BITS:
    case VPU_NEW_SR:
        return VPU_SR;
    default:
        return element < VPU_REGISTERS ? (int)element : -1;
    }
}

void vpu_lifter_open(struct vpu_lifter *l, struct ir_program *p, struct vpu_code code, bool preserved)
{
    *l = (struct vpu_lifter){.b = {p, IR_ENTRY, 0}, .code = code};
    p->precise = true;
    for (unsigned f = 0; f < VPU_FILES; f++) {
        struct ir_file file = vpu_files[f];
        file.preserved = preserved;
        ir_add_file(p, file);
    }
    ir_add_space(p, (struct ir_space){.name = "bus", .kind = IR_SPACE_BUS, .bounds = IR_BOUNDS_TRAP});
}

void vpu_lifter_start(struct vpu_lifter *l, struct ir_program *p, struct vpu_code code)
{
    vpu_lifter_open(l, p, code, true);
    ir_value address = ir_get(&l->b, VPU_FILE_R, VPU_PC, IR_I32), modes = ir_get(&l->b, VPU_FILE_R, VPU_NEW_SR, IR_I32);
    ir_value key = ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, address, modes);
    p->blocks[IR_ENTRY].addr = VPU_KEY_INNER | ((uint64_t)1 << 61);
    ir_emit(&l->b, IR_JUMP, IR_VOID, 0, 0, &key, 1, 0, 0, 0);
}
