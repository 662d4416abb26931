/* architecture_examples.c - the worked examples of docs/architecture.md: for each instruction set one typical and
 * one odd instruction as a table row and a lift.
 *
 * They are compiled, verified and, as far as the interpreter goes, run here; policies are walked through, so that the
 * document cannot show what the interfaces do not carry. The last test holds every block of C in the document
 * against this file. The instruction sets' own tables and lifts are richer; the shapes are the same. */
#include "test.h"

#include "exec/exec.h"
#include "ir/build.h"
#include "isa/isa.h"

/* ---- what the examples share ---- */

/* A decoded instruction: the fields of its pattern by their letters. */
struct insn {
    uint32_t d, a, b, c; /* registers */
    uint32_t mask;       /* components written, halves written, mask counter's adjustment */
    uint32_t cc;         /* condition */
    uint32_t count;      /* repetitions, labels of a switch */
    uint32_t cases[4];   /* values of the labels of a switch */
    uint32_t swizzle[3]; /* per source: half for lane 0 in bit 0, for lane 1 in bit 1 */
    int32_t imm;
    bool saturate;
    uint32_t target, next; /* blocks */
};

struct row {
    const char *syntax;  /* as the manual or its established tools spell it */
    const char *pattern; /* bits as the manual writes them */
    void (*lift)(struct ir_builder *b, const struct insn *i);
    enum isa_provenance provenance;
    const char *doc;
};
#define ROW(syntax, pattern, lift, provenance, doc) {syntax, pattern, lift, provenance, doc}

/* Words for what every lift does. */
static ir_value get32(struct ir_builder *b, unsigned file, uint32_t elem)
{
    return ir_get(b, file, elem, IR_I32);
}

static ir_value negative(struct ir_builder *b, ir_value v)
{
    return ir_op2(b, IR_LT_S, 0, v, ir_const(b, ir_type_of(b, v), 0));
}

static ir_value is_zero(struct ir_builder *b, ir_value v)
{
    return ir_op2(b, IR_EQ, 0, v, ir_const(b, ir_type_of(b, v), 0));
}

/* ---- TGSI ---- */

enum { TGSI_TEMP }; /* a register file: 32 bits, four elements to a register */

/* Every component is computed before any is written: a destination may be a source too. */
static void tgsi_mad(struct ir_builder *b, const struct insn *i)
{
    ir_value sum[4];
    for (unsigned c = 0; c < 4; c++) {
        ir_value x = ir_get(b, TGSI_TEMP, i->a * 4 + c, IR_F32);
        ir_value y = ir_get(b, TGSI_TEMP, i->b * 4 + c, IR_F32);
        ir_value z = ir_get(b, TGSI_TEMP, i->c * 4 + c, IR_F32);
        sum[c] = ir_op2(b, IR_FADD, IR_DEFAULT, ir_op2(b, IR_FMUL, IR_DEFAULT, x, y), z);
        if (i->saturate)
            sum[c] = ir_op1(b, IR_FSAT, IR_DEFAULT, sum[c]);
    }
    for (unsigned c = 0; c < 4; c++)
        if (i->mask >> c & 1)
            ir_set(b, TGSI_TEMP, i->d * 4 + c, sum[c], 0);
}

enum tgsi_control { TGSI_CONTROL_SWITCH, TGSI_CONTROL_LABEL, TGSI_CONTROL_ENDSWITCH };

/* CASE values are immediates, so each lane's way in is known here: the number of the label where it starts, or that of
 * DEFAULT, wherever DEFAULT is. The policy keeps the row and parks all lanes until their label comes by. */
static void tgsi_switch(struct ir_builder *b, const struct insn *i)
{
    ir_value selector = get32(b, TGSI_TEMP, i->a * 4);
    ir_value label = ir_const_i32(b, i->count);
    for (uint32_t n = i->count; n-- > 0;) {
        ir_value match = ir_op2(b, IR_EQ, 0, selector, ir_const_i32(b, i->cases[n]));
        label = ir_select(b, match, ir_const_i32(b, n), label);
    }
    struct ir_control park = {.op = TGSI_CONTROL_SWITCH, .ntargets = 2, .target = {i->next, i->target}};
    ir_control(b, park, &label, 1);
}

/* CASE and DEFAULT: lanes parked for label imm join those that fall through. */
static void tgsi_label(struct ir_builder *b, const struct insn *i)
{
    struct ir_control take = {
        .op = TGSI_CONTROL_LABEL, .ntargets = 2, .target = {i->next, i->target}, .imm = (uint64_t)i->imm};
    ir_control(b, take, NULL, 0);
}

static const struct row tgsi_rows[] = {
    ROW("MAD dst, src0, src1, src2", "16", tgsi_mad, ISA_DOCUMENTED,
        "dst = src0 * src1 + src2, component by component"),
    ROW("SWITCH src.x", "141", tgsi_switch, ISA_DOCUMENTED, "start a switch on the bits of src.x"),
    ROW("CASE imm", "142", tgsi_label, ISA_DOCUMENTED, "lanes whose selector is imm go on here"),
};

/* ---- Tesla ---- */

enum { TESLA_R, TESLA_C }; /* $r: 32 bits; $c: four elements of one bit (Z, S, C, O) to a register */
enum tesla_flag { TESLA_Z, TESLA_S, TESLA_CARRY, TESLA_O };

/* The condition of a predicate, from the table of the document's chapter "Predicates". */
static ir_value tesla_predicate(struct ir_builder *b, const struct insn *i)
{
    enum { LESS = 0x01, EQUAL = 0x02, ALWAYS = 0x0f };
    if (i->cc == ALWAYS)
        return 0;
    ir_value z = ir_get(b, TESLA_C, i->c * 4 + TESLA_Z, IR_I1), s = ir_get(b, TESLA_C, i->c * 4 + TESLA_S, IR_I1);
    ir_value o = ir_get(b, TESLA_C, i->c * 4 + TESLA_O, IR_I1);
    switch (i->cc) {
    case LESS: /* (S & ~Z) ^ O */
        return ir_op2(b, IR_XOR, 0, ir_op2(b, IR_AND, 0, s, ir_op1(b, IR_NOT, 0, z)), o);
    case EQUAL: /* Z & ~S */
        return ir_op2(b, IR_AND, 0, z, ir_op1(b, IR_NOT, 0, s));
    default: /* the other rows of that table are written the same way */
        return ir_const(b, IR_I1, 0);
    }
}

/* C and O come from the exact sum; Z and S from the result, after it was clamped. */
static void tesla_add(struct ir_builder *b, const struct insn *i)
{
    ir_value pred = tesla_predicate(b, i);
    ir_value x = get32(b, TESLA_R, i->a), y = get32(b, TESLA_R, i->b);
    ir_value sum = ir_op2(b, IR_ADD, 0, x, y);
    ir_value carry = ir_op2(b, IR_LT_U, 0, sum, x);
    ir_value flipped = ir_op2(b, IR_AND, 0, ir_op2(b, IR_XOR, 0, x, sum), ir_op2(b, IR_XOR, 0, y, sum));
    ir_value res = i->saturate ? ir_op2(b, IR_ADD, IR_SAT, x, y) : sum;
    ir_set(b, TESLA_R, i->d, res, pred);
    ir_set(b, TESLA_C, i->imm * 4 + TESLA_Z, is_zero(b, res), pred);
    ir_set(b, TESLA_C, i->imm * 4 + TESLA_S, negative(b, res), pred);
    ir_set(b, TESLA_C, i->imm * 4 + TESLA_CARRY, carry, pred);
    ir_set(b, TESLA_C, i->imm * 4 + TESLA_O, negative(b, flipped), pred);
}

enum tesla_control { TESLA_JOINAT, TESLA_BRA, TESLA_JOIN };

static void tesla_joinat(struct ir_builder *b, const struct insn *i)
{
    struct ir_control push = {.op = TESLA_JOINAT, .ntargets = 2, .target = {i->next, i->target}};
    ir_control(b, push, NULL, 0);
}

static void tesla_bra(struct ir_builder *b, const struct insn *i)
{
    ir_value taken = tesla_predicate(b, i);
    if (!taken) {
        ir_goto(b, i->target);
        return;
    }
    struct ir_control bra = {
        .op = TESLA_BRA, .ntargets = 2, .target = {i->target, i->next}, .direct_none = true, .direct_all = true};
    ir_control(b, bra, &taken, 1);
}

/* The `join` flag of a long instruction: a block of its own before the main operation, which is `next`. */
static void tesla_join(struct ir_builder *b, const struct insn *i)
{
    struct ir_control join = {.op = TESLA_JOIN, .ntargets = 1, .target = {i->next}};
    ir_control(b, join, NULL, 0);
}

static const struct row tesla_rows[] = {
    ROW("add b32 {sat} {$c} {d} {a} {b}", "20000001 04000000, sat 08000000 in word 1", tesla_add, ISA_DOCUMENTED,
        "d = a + b; $c gets zero, sign, carry and overflow"),
    ROW("joinat {target}", "a0000003 00000000", tesla_joinat, ISA_DOCUMENTED, "push where diverged threads meet again"),
    ROW("bra {target}", "10000003 00000000", tesla_bra, ISA_DOCUMENTED, "threads that pass the predicate go to target"),
    ROW("join", "word 1 bits 0-1 = 1", tesla_join, ISA_INFERRED,
        "run other paths of this stack level first, then go on"),
};

/* No lane or all lanes branch: the engine goes on without asking. Here the lanes disagree, or it did not look. The
 * part of the warp stack that the example needs; calls, breaks, quadon and exits are more cases of the same
 * kind. */
struct tesla_state {
    uint32_t depth;
    struct tesla_entry {
        lane_mask lanes;
        uint32_t block;
        enum { TESLA_ENTRY_BRANCH = 1, TESLA_ENTRY_JOINAT = 6 } type;
    } stack[256];
};

static bool tesla_push(struct tesla_state *s, struct tesla_entry entry, const char **fault)
{
    if (s->depth == sizeof s->stack / sizeof *s->stack) {
        *fault = "warp stack overflow";
        return false;
    }
    s->stack[s->depth++] = entry;
    return true;
}

static uint32_t tesla_rejoin(struct tesla_state *s, struct exec_masks *m, uint32_t next, const char **fault)
{
    while (s->depth) {
        struct tesla_entry top = s->stack[--s->depth];
        m->active = top.lanes;
        if (m->active)
            return top.type == TESLA_ENTRY_JOINAT ? next : top.block;
    }
    *fault = "join with an empty warp stack";
    return EXEC_BLOCK_END;
}

static uint32_t tesla_policy_control(void *state, struct exec_masks *m, const struct ir_control *c,
                                     const lane_mask *args, const void *const *rows, const char **fault)
{
    (void)rows;
    struct tesla_state *s = state;
    switch (c->op) {
    case TESLA_JOINAT:
        tesla_push(s, (struct tesla_entry){m->active, c->target[1], TESLA_ENTRY_JOINAT}, fault);
        return c->target[0];
    case TESLA_BRA: /* the taken path runs first */
        if (!args[0])
            return c->target[1]; /* as direct_none */
        if (m->active & ~args[0])
            tesla_push(s, (struct tesla_entry){m->active & ~args[0], c->target[1], TESLA_ENTRY_BRANCH}, fault);
        m->active = args[0];
        return c->target[0];
    default: /* TESLA_JOIN */
        return tesla_rejoin(s, m, c->target[0], fault);
    }
}

static const struct exec_policy tesla_policy = {
    .name = "tesla", .state_size = sizeof(struct tesla_state), .control = tesla_policy_control};

/* ---- Valhall ---- */

enum { VALHALL_R }; /* 64 registers of 32 bits: halves are parts of one element, 64-bit operands two elements */

static ir_value valhall_half(struct ir_builder *b, uint32_t reg, uint32_t swizzle, unsigned lane)
{
    return ir_get_part(b, VALHALL_R, reg, (swizzle >> lane & 1) * 16, IR_F16);
}

/* Two fused multiply-adds on halves, each rounded once, to half precision. */
static void valhall_fma_v2f16(struct ir_builder *b, const struct insn *i)
{
    ir_value res[2];
    for (unsigned lane = 0; lane < 2; lane++)
        res[lane] = ir_op3(b, IR_FFMA, i->saturate ? IR_SAT : IR_DEFAULT, valhall_half(b, i->a, i->swizzle[0], lane),
                           valhall_half(b, i->b, i->swizzle[1], lane), valhall_half(b, i->c, i->swizzle[2], lane));
    for (unsigned lane = 0; lane < 2; lane++)
        if (i->mask >> lane & 1)
            ir_set_part(b, VALHALL_R, i->d, lane * 16, IR_F16, res[lane], 0);
}

/* A value wider than the element takes consecutive elements, low word first: the pair needs no code. */
static void valhall_iadd_s64(struct ir_builder *b, const struct insn *i)
{
    ir_value x = ir_get(b, VALHALL_R, i->a, IR_I64), y = ir_get(b, VALHALL_R, i->b, IR_I64);
    ir_set(b, VALHALL_R, i->d, ir_op2(b, IR_ADD, i->saturate ? IR_SAT : IR_DEFAULT, x, y), 0);
}

enum valhall_control { VALHALL_BRANCHZ, VALHALL_RECONVERGE, VALHALL_END };

static void valhall_branchz(struct ir_builder *b, const struct insn *i)
{
    ir_value taken = is_zero(b, get32(b, VALHALL_R, i->a));
    struct ir_control branch = {.op = VALHALL_BRANCHZ, .ntargets = 2, .target = {i->target, i->next}};
    ir_control(b, branch, &taken, 1);
}

static const struct row valhall_rows[] = {
    ROW("FMA.v2f16{clamp} {d}, {a}, {b}, {c}", "opcode 0xB3", valhall_fma_v2f16, ISA_DOCUMENTED,
        "d = a * b + c on two halves"),
    ROW("IADD.s64{saturate} {d}, {a}, {b}", "opcode 0x1AB, secondary 0", valhall_iadd_s64, ISA_DOCUMENTED,
        "64-bit sum"),
    ROW("BRANCHZ.eq {a}, offset", "opcode 0x1F", valhall_branchz, ISA_DOCUMENTED,
        "lanes whose a is zero go to the target"),
};

/* Lowest address first. Blocks are made in the order of their addresses, so block numbers serve as program counters. */
struct valhall_state {
    uint32_t pc[16];
};

static uint32_t valhall_lowest(struct valhall_state *s, struct exec_masks *m)
{
    uint32_t pc = EXEC_BLOCK_END;
    for (unsigned lane = 0; lane < 16; lane++)
        if (m->all >> lane & 1 && s->pc[lane] < pc)
            pc = s->pc[lane];
    m->active = 0;
    for (unsigned lane = 0; lane < 16; lane++)
        if (m->all >> lane & 1 && s->pc[lane] == pc)
            m->active |= (lane_mask)1 << lane;
    return pc;
}

static uint32_t valhall_policy_control(void *state, struct exec_masks *m, const struct ir_control *c,
                                       const lane_mask *args, const void *const *rows, const char **fault)
{
    (void)rows, (void)fault;
    struct valhall_state *s = state;
    for (unsigned lane = 0; lane < 16; lane++) {
        if (!(m->active >> lane & 1))
            continue;
        bool taken = c->op != VALHALL_BRANCHZ || args[0] >> lane & 1;
        s->pc[lane] = c->op == VALHALL_END ? EXEC_BLOCK_END : c->target[taken ? 0 : 1];
    }
    return valhall_lowest(s, m);
}

static const struct exec_policy valhall_policy = {
    .name = "valhall", .state_size = sizeof(struct valhall_state), .control = valhall_policy_control};

/* ---- Rogue ---- */

enum { ROGUE_R, ROGUE_PE, ROGUE_P0 }; /* temporaries; the execution predicate; the predicate */

/* The header's condition code: which instances a group acts on. */
static ir_value rogue_condition(struct ir_builder *b, const struct insn *i)
{
    enum { PE, PE_AND_P0, IGNORE_PE, PE_AND_NOT_P0 };
    ir_value pe = ir_get(b, ROGUE_PE, 0, IR_I1), p0 = ir_get(b, ROGUE_P0, 0, IR_I1);
    switch (i->cc) {
    case PE_AND_P0:
        return ir_op2(b, IR_AND, 0, pe, p0);
    case PE_AND_NOT_P0:
        return ir_op2(b, IR_AND, 0, pe, ir_op1(b, IR_NOT, 0, p0));
    case IGNORE_PE:
        return 0;
    default:
        return pe;
    }
}

/* 0 : fmad ft0, s0, s1, s2      phase 0
 *     mbyp ft1, s3              phase 1
 *     tstl.f32 ftt, p0, ft0, ft1
 *     movc w0, _, ftt, ft0, _   with is4 = ft1
 * The feedthroughs are SSA values: all sources are read before a destination is written, as in the hardware. */
static void rogue_mad_min(struct ir_builder *b, const struct insn *i)
{
    ir_value on = rogue_condition(b, i);
    ir_value s0 = ir_get(b, ROGUE_R, i->a, IR_F32), s1 = ir_get(b, ROGUE_R, i->b, IR_F32);
    ir_value s2 = ir_get(b, ROGUE_R, i->c, IR_F32), ft1 = ir_get(b, ROGUE_R, (uint32_t)i->imm, IR_F32);
    ir_value ft0 = ir_op3(b, IR_FFMA, IR_FLUSH_IN | IR_FLUSH_OUT, s0, s1, s2);
    ir_value ftt = ir_op2(b, IR_FLT, IR_FLUSH_IN, ft0, ft1);
    ir_set(b, ROGUE_P0, 0, ftt, on);
    ir_set(b, ROGUE_R, i->d, ir_select(b, ftt, ft0, ft1), on);
}

/* Acts on every instance: it is what changes Pe. The pseudo-code of the document's chapter 13, if (!p0). */
static void rogue_cndst(struct ir_builder *b, const struct insn *i)
{
    ir_value count = get32(b, ROGUE_R, i->a);
    ir_value passes = ir_op1(b, IR_NOT, 0, ir_get(b, ROGUE_P0, 0, IR_I1));
    ir_value runs = ir_op2(b, IR_AND, 0, passes, is_zero(b, count));
    ir_value deeper = ir_op2(b, IR_ADD, 0, count, ir_const_i32(b, i->mask));
    ir_set(b, ROGUE_R, i->d, ir_select(b, runs, ir_const_i32(b, 0), deeper), 0);
    ir_set(b, ROGUE_PE, 0, runs, 0);
}

/* br.allinst: taken when no instance is left to run the body. The condition is uniform: no policy is needed. */
static void rogue_br_allinst(struct ir_builder *b, const struct insn *i)
{
    ir_branch(b, ir_op1(b, IR_ANY, 0, ir_get(b, ROGUE_PE, 0, IR_I1)), i->next, i->target);
}

static const struct row rogue_rows[] = {
    ROW("fmad, mbyp, tstl.f32, movc", "main group, phases 0, 1, 2", rogue_mad_min, ISA_DOCUMENTED,
        "w0 = min(s0 * s1 + s2, s3)"),
    ROW("cndst {d}, {a}, adjust", "control group", rogue_cndst, ISA_DOCUMENTED,
        "suspend instances that fail, count levels"),
    ROW("br.allinst {target}", "control group", rogue_br_allinst, ISA_INFERRED, "branch when no instance runs"),
};

/* ---- VPU ---- */

/* Scalar registers, one per warp; and per lane: 64 rows of 32 bits, an accumulator, the N flag. */
enum { VPU_R, VPU_VRF, VPU_ACC, VPU_N };

/* Conditions by comparing, without the flags. */
static ir_value vpu_compare(struct ir_builder *b, uint32_t cc, ir_value x, ir_value y)
{
    static const struct {
        uint16_t code;
        bool swap;
    } ops[16] = {[0] = {IR_EQ, false},   [1] = {IR_NE, false},    [2] = {IR_LT_U, false}, [3] = {IR_LE_U, true},
                 [8] = {IR_LT_U, true},  [9] = {IR_LE_U, false},  [10] = {IR_LE_S, true}, [11] = {IR_LT_S, false},
                 [12] = {IR_LT_S, true}, [13] = {IR_LE_S, false}, [14] = {IR_EQ, false},  [15] = {IR_NE, false}};
    ir_value left = ops[cc].swap ? y : x, right = ops[cc].swap ? x : y;
    return cc >= 14 ? ir_const(b, IR_I1, cc == 14) : ir_op2(b, (enum ir_opcode)ops[cc].code, 0, left, right);
}

/* Registers of the scalar core are one per warp, so all of this is uniform and so is the branch. */
static void vpu_addcmpb(struct ir_builder *b, const struct insn *i)
{
    ir_value sum = ir_op2(b, IR_ADD, 0, get32(b, VPU_R, i->d), get32(b, VPU_R, i->a));
    ir_set(b, VPU_R, i->d, sum, 0);
    ir_branch(b, vpu_compare(b, i->cc, sum, get32(b, VPU_R, i->b)), i->target, i->next);
}

/* The accumulator holds 48 bits and saturates; 64 bits hold every intermediate exactly. */
static ir_value vpu_accumulate(struct ir_builder *b, ir_value term, ir_value pred)
{
    ir_value sum = ir_op2(b, IR_ADD, 0, ir_get(b, VPU_ACC, 0, IR_I64), ir_cvt(b, IR_SEXT, IR_I64, 0, term));
    sum = ir_op2(b, IR_MIN_S, 0, sum, ir_const(b, IR_I64, 0x7fffffffffff));
    sum = ir_op2(b, IR_MAX_S, 0, sum, ir_const(b, IR_I64, UINT64_C(0xffff800000000000)));
    ir_set(b, VPU_ACC, 0, sum, pred);
    return sum;
}

/* vmulhd.ss HX(d++,0), HX(a++,0), HX(b++,0) REPn IFN SACC. HX(y,0) is the low half of every lane's word of row y;
 * the repetitions are unrolled, and lanes whose N flag is clear keep register and accumulator. */
static void vpu_vmulhd_sacc(struct ir_builder *b, const struct insn *i)
{
    ir_value on = ir_get(b, VPU_N, 0, IR_I1);
    for (uint32_t n = 0; n < i->count; n++) {
        ir_value x = ir_get_part(b, VPU_VRF, (i->a + n) & 63, 0, IR_I16);
        ir_value y = ir_get_part(b, VPU_VRF, (i->b + n) & 63, 0, IR_I16);
        ir_value acc = vpu_accumulate(b, ir_op2(b, IR_MULHI_S, 0, x, y), on);
        ir_set_part(b, VPU_VRF, (i->d + n) & 63, 0, IR_I16, ir_cvt(b, IR_TRUNC, IR_I16, 0, acc), on);
    }
}

/* vmov HX(d,0), VX(y,x): lane n gets column x of row y + n, which is in the words of lane x & 15. */
static void vpu_vmov_vertical(struct ir_builder *b, const struct insn *i)
{
    ir_value lane = ir_emit(b, IR_LANE_ID, IR_VOID, 0, 1, NULL, 0, 0, 0, 0);
    ir_value row = ir_op2(b, IR_AND, 0, ir_op2(b, IR_ADD, 0, lane, ir_const_i32(b, i->a)), ir_const_i32(b, 63));
    struct ir_reg column = {
        .file = VPU_VRF, .shift = (uint8_t)(i->b / 32 * 16), .part = IR_I16, .stride = 1, .last = 63};
    ir_value v = ir_get_lane(b, column, row, ir_const_i32(b, i->b & 15), IR_I16);
    ir_set_part(b, VPU_VRF, i->d, 0, IR_I16, v, 0);
}

static const struct row vpu_rows[] = {
    ROW("addcmpb{cc} {d}, {a}, {b}, {target}", "1000 cccc aaaa dddd 00bb bboo oooo oooo", vpu_addcmpb, ISA_DOCUMENTED,
        "d += a; branch if d cc b"),
    ROW("vmulhd.ss {d}, {a}, {b} {rep} {if} SACC",
        "1111 11 0 110100 r:3 d:10 a:10 F 0 b:10 f_d:6 f_a:6 Ra_x:4 P:3 f_i:7 f_b:6",
        vpu_vmulhd_sacc, ISA_KNOWN, "high half of a * b, added to the accumulator of each lane"),
    ROW("vmov HX(d,0), VX(y,x)", "1111 01 X 000000 rs:3 d:10 a:10 z0 b:10", vpu_vmov_vertical, ISA_KNOWN,
        "a column becomes a row"),
};

/* ---- the tests ---- */

struct example {
    struct arena arena;
    struct ir_program *p;
    struct ir_builder b;
};

/* A program with blocks entry, 2 and 3; the last two end. */
static void example_begin(struct example *e, const char *isa, unsigned lanes, const struct ir_file *files,
                          unsigned nfiles)
{
    *e = (struct example){0};
    e->p = ir_program_new(&e->arena, isa, IR_FRAGMENT, lanes);
    assert_non_null(e->p);
    for (unsigned i = 0; i < nfiles; i++)
        assert_int_equal(ir_add_file(e->p, files[i]), i);
    e->b = (struct ir_builder){e->p, IR_ENTRY, 0};
    for (unsigned i = 0; i < 2; i++) {
        struct ir_builder end = {e->p, ir_new_block(e->p), 0};
        ir_end(&end);
    }
}

static void example_end(struct example *e)
{
    const struct ir_block *entry = &e->p->blocks[IR_ENTRY];
    if (!entry->count || !(ir_op_info[entry->ops[entry->count - 1].code].flags & IR_OP_TERM))
        ir_end(&e->b);
    weft_diags *diags = weft_diags_new();
    weft_status status = ir_verify(e->p, diags);
    for (size_t i = 0; i < weft_diags_count(diags); i++)
        print_message("%s\n", weft_diags_get(diags, i)->message);
    assert_int_equal(status, WEFT_OK);
    weft_diags_free(diags);
    assert_false(arena_failed(&e->arena));
    arena_free(&e->arena);
}

/* Each row of one instruction set lifts into a program that verifies. */
static void lift_rows(const char *isa, unsigned lanes, const struct ir_file *files, unsigned nfiles,
                      const struct exec_policy *policy, const struct row *rows, unsigned nrows)
{
    for (unsigned i = 0; i < nrows; i++) {
        const struct insn insn = {.d = 0, .a = 1, .b = 2, .c = 1, .mask = 3, .cc = 1, .count = 2, .imm = 3,
                                  .cases = {7, 9}, .swizzle = {2, 1, 0}, .saturate = true, .target = 3, .next = 2};
        struct example e;
        example_begin(&e, isa, lanes, files, nfiles);
        e.p->policy = policy;
        rows[i].lift(&e.b, &insn);
        example_end(&e);
    }
}

static const struct exec_policy no_policy = {.name = "none"};

#define LIFT_ROWS(isa, lanes, files, policy, rows) \
    lift_rows(isa, lanes, files, sizeof(files) / sizeof *(files), policy, rows, sizeof(rows) / sizeof *(rows))

static void tgsi(void **state)
{
    (void)state;
    static const struct ir_file files[] = {{.name = "TEMP", .bits = 32, .count = 64}};
    LIFT_ROWS("tgsi", 16, files, &no_policy, tgsi_rows);
}

static void tesla(void **state)
{
    (void)state;
    static const struct ir_file files[] = {{.name = "r", .bits = 32, .count = 128},
                                           {.name = "c", .bits = 1, .count = 16}};
    LIFT_ROWS("tesla", 32, files, &tesla_policy, tesla_rows);
}

static void valhall(void **state)
{
    (void)state;
    static const struct ir_file files[] = {{.name = "r", .bits = 32, .count = 64}};
    LIFT_ROWS("valhall", 16, files, &valhall_policy, valhall_rows);
}

static void rogue(void **state)
{
    (void)state;
    static const struct ir_file files[] = {{.name = "r", .bits = 32, .count = 248},
                                           {.name = "pe", .bits = 1, .count = 1},
                                           {.name = "p0", .bits = 1, .count = 1}};
    LIFT_ROWS("rogue", 32, files, NULL, rogue_rows);
}

static void vpu(void **state)
{
    (void)state;
    static const struct ir_file files[] = {{.name = "r", .bits = 32, .count = 32, .uniform = true},
                                           {.name = "vrf", .bits = 32, .count = 64},
                                           {.name = "acc", .bits = 64, .count = 1},
                                           {.name = "n", .bits = 1, .count = 1}};
    LIFT_ROWS("vpu", 16, files, NULL, vpu_rows);
}

/* ---- policies, walked through by hand ---- */

/* joinat 5; bra 3 by lanes 0 and 1 of four; each path ends in the join at 5. */
static void tesla_paths_meet(void **state)
{
    (void)state;
    struct tesla_state *s = calloc(1, tesla_policy.state_size);
    assert_non_null(s);
    struct exec_masks m = {.active = 0xf, .all = 0xf};
    const char *fault = NULL;
    const struct ir_control joinat = {.op = TESLA_JOINAT, .target = {2, 5}}, bra = {.op = TESLA_BRA, .target = {3, 4}};
    const struct ir_control join = {.op = TESLA_JOIN, .target = {6}};
    const lane_mask taken = 0x3;
    assert_int_equal(tesla_policy.control(s, &m, &joinat, NULL, NULL, &fault), 2);
    assert_int_equal(tesla_policy.control(s, &m, &bra, &taken, NULL, &fault), 3);
    assert_int_equal(m.active, 0x3);
    assert_int_equal(tesla_policy.control(s, &m, &join, NULL, NULL, &fault), 4);
    assert_int_equal(m.active, 0xc);
    assert_int_equal(tesla_policy.control(s, &m, &join, NULL, NULL, &fault), 6);
    assert_int_equal(m.active, 0xf);
    assert_null(fault);
    assert_int_equal(tesla_policy.control(s, &m, &join, NULL, NULL, &fault), EXEC_BLOCK_END);
    assert_non_null(fault);
    free(s);
}

static void tesla_stack_overflows(void **state)
{
    (void)state;
    struct tesla_state *s = calloc(1, tesla_policy.state_size);
    assert_non_null(s);
    struct exec_masks m = {.active = 1, .all = 1};
    const char *fault = NULL;
    const struct ir_control joinat = {.op = TESLA_JOINAT, .target = {2, 5}};
    for (unsigned n = 0; n < 256; n++)
        tesla_policy.control(s, &m, &joinat, NULL, NULL, &fault);
    assert_null(fault);
    tesla_policy.control(s, &m, &joinat, NULL, NULL, &fault);
    assert_non_null(fault);
    free(s);
}

/* Lane 0 skips from block 1 to 4, lanes 1 and 2 go through 2; they meet at 4. Lane 3 was never started. */
static void valhall_lowest_first(void **state)
{
    (void)state;
    struct valhall_state s = {0};
    struct exec_masks m = {.active = 0x7, .all = 0x7};
    const char *fault = NULL;
    const struct ir_control branch = {.op = VALHALL_BRANCHZ, .target = {4, 2}};
    const struct ir_control meet = {.op = VALHALL_RECONVERGE, .target = {4}};
    const struct ir_control end = {.op = VALHALL_END};
    const lane_mask taken = 0x1;
    assert_int_equal(valhall_policy.control(&s, &m, &branch, &taken, NULL, &fault), 2);
    assert_int_equal(m.active, 0x6);
    assert_int_equal(valhall_policy.control(&s, &m, &meet, NULL, NULL, &fault), 4);
    assert_int_equal(m.active, 0x7);
    assert_int_equal(valhall_policy.control(&s, &m, &end, NULL, NULL, &fault), EXEC_BLOCK_END);
}

/* ---- rows that the interpreter runs today, against what the documents say ---- */

struct running {
    struct example e;
    struct arena code;
    struct exec_env env;
    struct exec_warp *warp;
};

static void run_begin(struct running *r, const char *isa, unsigned lanes, const struct ir_file *files, unsigned nfiles,
                      const struct row *row, const struct insn *i)
{
    struct exec_program *program = NULL;
    weft_diags *diags = weft_diags_new();
    *r = (struct running){0};
    example_begin(&r->e, isa, lanes, files, nfiles);
    row->lift(&r->e.b, i);
    const struct ir_block *entry = &r->e.p->blocks[IR_ENTRY];
    if (!(ir_op_info[entry->ops[entry->count - 1].code].flags & IR_OP_TERM))
        ir_end(&r->e.b);
    assert_int_equal(ir_verify(r->e.p, diags), WEFT_OK);
    weft_status status = exec_compile(r->e.p, &(struct exec_options){0}, &r->code, &program, diags);
    for (size_t n = 0; n < weft_diags_count(diags); n++)
        print_message("# %s\n", weft_diags_get(diags, n)->message);
    assert_int_equal(status, WEFT_OK);
    r->warp = exec_warp_new(program);
    assert_non_null(r->warp);
    assert_int_equal(exec_bind(r->warp, &r->env), WEFT_OK);
    weft_diags_free(diags);
}

static void run_end(struct running *r)
{
    exec_warp_free(r->warp);
    arena_free(&r->code);
    arena_free(&r->e.arena);
}

/* Values that find faults: sums that carry, overflow, are zero or negative. */
static uint32_t corner(struct test_rng *rng)
{
    static const uint32_t corners[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe};
    uint32_t x = test_next(rng);
    return x & 8 ? corners[x & 7] : test_next(rng);
}

/* The formula of the chapter "Integer ADD family", with a sum of more than 32 bits. Inactive lanes keep everything. */
static void tesla_add_runs(void **state)
{
    (void)state;
    static const struct ir_file files[] = {{.name = "r", .bits = 32, .count = 4, .preserved = true},
                                           {.name = "c", .bits = 1, .count = 16, .preserved = true}};
    enum { ALWAYS = 0x0f };
    const struct insn insn = {.d = 0, .a = 1, .b = 2, .cc = ALWAYS, .imm = 3};
    const uint32_t some = 0x5a5af00f;
    struct test_rng rng = test_seed("add b32");
    struct running r;
    run_begin(&r, "tesla", 32, files, 2, &tesla_rows[0], &insn);
    for (unsigned round = 0; round < 100; round++) {
        uint32_t *d = exec_warp_register(r.warp, TESLA_R, 0), *x = exec_warp_register(r.warp, TESLA_R, 1);
        uint32_t *y = exec_warp_register(r.warp, TESLA_R, 2), *flag[4];
        for (unsigned k = 0; k < 4; k++)
            flag[k] = exec_warp_register(r.warp, TESLA_C, 12 + k);
        for (unsigned n = 0; n < 32; n++) {
            x[n] = corner(&rng), y[n] = corner(&rng), d[n] = 0x1234;
            for (unsigned k = 0; k < 4; k++)
                flag[k][n] = 0;
        }
        assert_int_equal(exec_run(r.warp, some, some, 0), EXEC_DONE);
        for (unsigned n = 0; n < 32; n++) {
            uint64_t sum = (uint64_t)x[n] + y[n];
            int64_t exact = (int64_t)(int32_t)x[n] + (int32_t)y[n];
            bool on = some >> n & 1, s = sum >> 31 & 1;
            assert_int_equal(d[n], on ? (uint32_t)sum : 0x1234);
            assert_int_equal(flag[TESLA_Z][n], on && (uint32_t)sum == 0 ? UINT32_MAX : 0);
            assert_int_equal(flag[TESLA_S][n], on && s ? UINT32_MAX : 0);
            assert_int_equal(flag[TESLA_CARRY][n], on && sum >> 32 ? UINT32_MAX : 0);
            assert_int_equal(flag[TESLA_O][n], on && exact != (int32_t)exact ? UINT32_MAX : 0);
        }
    }
    run_end(&r);
}

/* Scalar registers are one per warp. */
static void vpu_addcmpb_runs(void **state)
{
    (void)state;
    static const struct ir_file files[] = {{.name = "r", .bits = 32, .count = 32, .uniform = true, .preserved = true}};
    enum { LESS = 11 };
    const struct insn insn = {.d = 4, .a = 5, .b = 6, .cc = LESS, .target = IR_ENTRY, .next = 2};
    struct running r;
    run_begin(&r, "vpu", 16, files, 1, &vpu_rows[0], &insn);
    uint32_t *d = exec_warp_register(r.warp, VPU_R, 4), *a = exec_warp_register(r.warp, VPU_R, 5);
    uint32_t *b = exec_warp_register(r.warp, VPU_R, 6);
    *d = (uint32_t)-7, *a = 3, *b = 100;
    assert_int_equal(exec_run(r.warp, 0xffff, 0xffff, 0), EXEC_DONE);
    assert_int_equal(*d, 101); /* -7 + 36 * 3: the first that is not below 100 */
    run_end(&r);
}

static void tgsi_mad_runs(void **state)
{
    (void)state;
    static const struct ir_file files[] = {{.name = "TEMP", .bits = 32, .count = 16, .preserved = true}};
    const struct insn insn = {.d = 0, .a = 1, .b = 0, .c = 2, .mask = 5, .saturate = true};
    struct running r;
    run_begin(&r, "tgsi", 16, files, 1, &tgsi_rows[0], &insn);
    float *reg[12];
    for (unsigned k = 0; k < 12; k++) {
        reg[k] = exec_warp_register(r.warp, TGSI_TEMP, k);
        for (unsigned n = 0; n < 16; n++)
            reg[k][n] = k < 4 ? 0.125f * (float)n : k < 8 ? 0.5f : -0.25f;
    }
    assert_int_equal(exec_run(r.warp, 0xffff, 0xffff, 0), EXEC_DONE);
    for (unsigned k = 0; k < 4; k++)
        for (unsigned n = 0; n < 16; n++) {
            float before = 0.125f * (float)n, sum = 0.5f * before - 0.25f;
            float clamped = sum < 0.0f ? 0.0f : sum > 1.0f ? 1.0f : sum;
            assert_true(reg[k][n] == (insn.mask >> k & 1 ? clamped : before));
        }
    run_end(&r);
}

/* ---- the document ---- */

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    assert_true(size > 0);
    rewind(f);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, f), size);
    fclose(f);
    return text;
}

/* Every block of C in docs/architecture.md stands in this file, letter by letter. */
static void document_shows_this_file(void **state)
{
    (void)state;
    char *document = read_file(EXAMPLES_DOCUMENT), *source = read_file(EXAMPLES_SOURCE);
    unsigned blocks = 0;
    for (char *at = document; (at = strstr(at, "\n```c\n")); blocks++) {
        char *start = at + strlen("\n```c\n"), *stop = strstr(start, "\n```\n");
        assert_non_null(stop);
        stop[1] = 0;
        if (!strstr(source, start))
            fail_msg("not in the examples:\n%s", start);
        at = stop + strlen("\n```");
    }
    assert_in_range(blocks, 10, 100);
    free(document);
    free(source);
}

TEST_MAIN(TEST(tgsi), TEST(tesla), TEST(valhall), TEST(rogue), TEST(vpu), TEST(tesla_paths_meet),
          TEST(tesla_stack_overflows), TEST(valhall_lowest_first), TEST(tesla_add_runs), TEST(vpu_addcmpb_runs),
          TEST(tgsi_mad_runs), TEST(document_shows_this_file))
