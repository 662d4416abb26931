/* parse_scalar.c - operands of scalar instructions, in the notations of the manual and of the GNU port. */
#include "isa/vpu/asm.h"

#include "base/decimal.h"

#include <string.h>

static bool comma(struct vpu_asm *a)
{
    return asm_expect(a, ',', "','");
}

static struct vpu_insn start(const struct asm_statement *st)
{
    return (struct vpu_insn){.op = st->mnemonic.op, .cond = st->cond};
}

/* The last operand is read: an encoding may be named behind it. */
static bool finish(struct vpu_asm *a, struct asm_statement *st, struct vpu_insn *insn, const struct asm_expr *expr,
                   enum asm_role role)
{
    return asm_take_pin(a, &st->wish) && asm_finish(a, insn, &st->wish, st->from, expr, role);
}

static bool fits_word(struct vpu_asm *a, const char *from, int64_t value)
{
    return (value >= INT32_MIN && value <= UINT32_MAX) ||
           asm_error(a, from, "range", NULL, "%lld does not fit 32 bits", (long long)value);
}

/* An immediate: a number goes to insn->imm, what depends on symbols to *expr. */
static bool read_immediate(struct vpu_asm *a, struct asm_statement *st, struct vpu_insn *insn,
                           const struct asm_expr **expr)
{
    const char *from = a->scan.p;
    if (asm_is_hex(a))
        st->wish.written |= VPU_WRITTEN_HEX;
    *expr = asm_expression(a);
    if (!*expr)
        return false;
    insn->flags |= VPU_IMMEDIATE;
    int64_t value;
    if (!asm_evaluate(a, *expr, &value))
        return true;
    insn->imm = (int32_t)value;
    *expr = NULL;
    return fits_word(a, from, value);
}

/* ---- float operations ---- */

/* The 6-bit pattern of a float immediate; false: there is none. */
static bool to_float6(uint32_t bits, uint8_t *raw)
{
    uint32_t sign = bits >> 31, exponent = bits >> 23 & 255, mantissa = bits & 0x7fffff;
    *raw = (uint8_t)(sign << 5);
    if (exponent == 0 && mantissa == 0)
        return true;
    if (exponent < 125 || exponent > 131 || mantissa & 0x1fffff)
        return false;
    *raw = (uint8_t)(sign << 5 | (exponent - 124) << 2 | mantissa >> 21);
    return true;
}

/* A number is a value, a hexadecimal number the 6 bits as they are. */
static bool read_float6(struct vpu_asm *a, struct vpu_insn *insn)
{
    int64_t value;
    uint32_t bits;
    scan_take(&a->scan, '#');
    scan_blanks(&a->scan);
    const char *from = a->scan.p;
    insn->flags |= VPU_IMMEDIATE;
    if (asm_is_hex(a)) {
        if (!asm_constant(a, 0, 63, "a float immediate", &value))
            return false;
        insn->raw = (uint8_t)value;
        insn->imm = (int32_t)vpu_float6(insn->raw);
        return true;
    }
    bool negative = scan_take(&a->scan, '-');
    if (!negative)
        scan_take(&a->scan, '+');
    scan_blanks(&a->scan);
    size_t length = decimal_to_f32(a->scan.p, &bits);
    if (length == 0)
        return scan_expected(&a->scan, "a register or a number");
    a->scan.last = a->scan.p += length;
    insn->imm = (int32_t)(bits | (negative ? 0x80000000u : 0));
    if (to_float6((uint32_t)insn->imm, &insn->raw))
        return true;
    return asm_error(a, from, "range", "0, and 0.25 to 28 with two bits of mantissa",
                     "this number is no float immediate of 6 bits");
}

/* ---- arithmetic ---- */

/* What stands in front of the last operand of ftrunc and its kin. */
static bool take_shift_word(struct vpu_asm *a, unsigned op)
{
    const char *name = op < VPU_CONVERT + 2 ? "sasl" : "sasr";
    scan_blanks(&a->scan);
    if (scan_word_length(a->scan.p) < 4 || !scan_word_is(a->scan.p, 4, name))
        return scan_expected(&a->scan, op < VPU_CONVERT + 2 ? "'sasl'" : "'sasr'");
    a->scan.last = a->scan.p += 4; /* sasl3 too */
    return true;
}

/* How far the last operand of addscale and subscale is shifted: << n, shl n, lsl n, * 2^n. */
static bool read_scale(struct vpu_asm *a, struct vpu_insn *insn)
{
    const char *word, *from = a->scan.p;
    int64_t shift;
    scan_blanks(&a->scan);
    if (a->scan.p[0] == '<' && a->scan.p[1] == '<') {
        a->scan.p += 2;
    } else if (scan_take(&a->scan, '*')) {
        if (!asm_expect(a, '2', "'2^'") || !asm_expect(a, '^', "'^'"))
            return false;
    } else {
        size_t length = scan_word(&a->scan, &word);
        if (!scan_word_is(word, length, "shl") && !scan_word_is(word, length, "lsl"))
            return asm_error(a, from, "syntax", NULL, "expected how far to shift: << 1 to << 8");
    }
    if (!asm_constant(a, 1, 8, "a shift", &shift))
        return false;
    bool sub = strcmp(vpu_ops[insn->op].name, "subscale") == 0;
    for (unsigned op = VPU_ALU; op < VPU_FLOAT; op++)
        if (vpu_ops[op].shift == shift && (strcmp(vpu_ops[op].name, "subscale") == 0) == sub)
            insn->op = (uint8_t)op;
    return true;
}

/* The source of addscale is no expression, whose operator << would be. */
static bool read_scaled(struct vpu_asm *a, struct vpu_insn *insn)
{
    int reg = asm_try_register(a);
    if (reg >= 0) {
        insn->b = (uint8_t)reg;
        return read_scale(a, insn);
    }
    const char *from = a->scan.p;
    const struct asm_expr *e = asm_primary(a);
    int64_t value;
    if (!e)
        return false;
    if (!asm_evaluate(a, e, &value))
        return asm_error(a, from, "not-constant", NULL, "a scaled immediate must be known here");
    insn->flags |= VPU_IMMEDIATE;
    insn->imm = (int32_t)value;
    return fits_word(a, from, value) && read_scale(a, insn);
}

/* A sum with pc and a number is lea: "add rd, pc, o" of the manual. The other sums with pc are written with the name of
 * their encoding, but for the one of 48 bits, which the GNU port prints with a long hexadecimal number. */
static bool is_lea(const struct vpu_insn *insn, const struct vpu_wish *wish)
{
    return insn->op == VPU_ADD && insn->a == VPU_PC && insn->d != VPU_PC && (insn->flags & VPU_IMMEDIATE) &&
           insn->cond == VPU_ALWAYS && !wish->name &&
           (insn->imm == (int16_t)insn->imm || !(wish->written & VPU_WRITTEN_HEX));
}

/* The last operand of arithmetic is read. */
static bool finish_arithmetic(struct vpu_asm *a, struct asm_statement *st, struct vpu_insn *insn,
                              const struct asm_expr *expr)
{
    if (!asm_take_pin(a, &st->wish))
        return false;
    if (!is_lea(insn, &st->wish))
        return finish(a, st, insn, expr, ASM_IMM);
    const struct asm_expr *distance = expr ? expr : asm_number(a, insn->imm);
    expr = distance ? asm_from_here(a, distance) : NULL;
    *insn = (struct vpu_insn){.op = VPU_LEA, .cond = VPU_ALWAYS, .d = insn->d};
    return expr && finish(a, st, insn, expr, ASM_TARGET);
}

/* A source that is a register or an immediate. *reg is -1 for an immediate. */
static bool read_source(struct vpu_asm *a, struct asm_statement *st, struct vpu_insn *insn, int *reg,
                        const struct asm_expr **expr)
{
    *reg = asm_try_register(a);
    if (*reg >= 0)
        return true;
    if (insn->op >= VPU_FLOAT && insn->op < VPU_CONVERT)
        return read_float6(a, insn);
    return read_immediate(a, st, insn, expr);
}

/* Put two or three operands where the operation wants them: see enum vpu_class. */
static void place_operands(struct vpu_insn *insn, unsigned count, const uint8_t *reg)
{
    unsigned class = vpu_ops[insn->op].class;
    if (count == 3) {
        insn->d = reg[0];
        insn->a = reg[1];
        return;
    }
    insn->d = class == VPU_COMPARE ? 0 : reg[0];
    insn->a = class == VPU_UNARY ? 0 : reg[0];
}

/* mov pd,ra and mov rd,pa */
static bool is_control_next(struct vpu_asm *a, uint8_t *number)
{
    scan_blanks(&a->scan);
    size_t length = scan_word_length(a->scan.p);
    int n = vpu_find_control(a->scan.p, length);
    if (n < 0)
        return false;
    *number = (uint8_t)n;
    a->scan.last = a->scan.p += length;
    return true;
}

static bool read_move_to_control(struct vpu_asm *a, struct asm_statement *st, struct vpu_insn *insn)
{
    insn->op = VPU_MOV_TO_P;
    return comma(a) && asm_register(a, &insn->a) && finish(a, st, insn, NULL, 0);
}

/* A register with a comma behind it: an operand that is not the last. */
static bool take_middle(struct vpu_asm *a, uint8_t *out)
{
    const char *from = a->scan.p, *last = a->scan.last;
    int reg = asm_try_register(a);
    if (reg >= 0 && scan_take(&a->scan, ',')) {
        *out = (uint8_t)reg;
        return true;
    }
    a->scan.p = from;
    a->scan.last = last;
    return false;
}

static bool read_arithmetic(struct vpu_asm *a, struct asm_statement *st)
{
    struct vpu_insn insn = start(st);
    const struct asm_expr *expr = NULL;
    uint8_t regs[2];
    int reg = -1;
    if (insn.op == VPU_MOV && is_control_next(a, &insn.d))
        return read_move_to_control(a, st, &insn);
    if (!asm_register(a, &regs[0]) || !comma(a))
        return false;
    if (insn.op == VPU_MOV && is_control_next(a, &insn.a)) {
        insn.op = VPU_MOV_FROM_P;
        insn.d = regs[0];
        return finish(a, st, &insn, NULL, ASM_IMM);
    }
    unsigned count = take_middle(a, &regs[1]) ? 3 : 2;
    place_operands(&insn, count, regs);
    if (insn.op >= VPU_CONVERT && !take_shift_word(a, insn.op))
        return false;
    if (vpu_ops[insn.op].shift ? !read_scaled(a, &insn) : !read_source(a, st, &insn, &reg, &expr))
        return false;
    if (reg >= 0)
        insn.b = (uint8_t)reg;
    if (insn.op == VPU_BREV && count == 2 && reg >= 0 && st->wish.size != 4) {
        insn.op = VPU_REVERSED;
        insn.a = 0;
    }
    st->wish.written |= count == 2 ? VPU_WRITTEN_TWO : 0;
    return finish_arithmetic(a, st, &insn, expr);
}

/* ---- memory ---- */

/* Is ( with a register or -- behind it next? Else it is an expression. */
static bool is_reached_next(struct vpu_asm *a)
{
    const char *from = a->scan.p, *last = a->scan.last;
    bool reached = scan_take(&a->scan, '(');
    if (reached) {
        scan_blanks(&a->scan);
        reached = (a->scan.p[0] == '-' && a->scan.p[1] == '-') || asm_try_register(a) >= 0;
    }
    a->scan.p = from;
    a->scan.last = last;
    return reached;
}

static bool take_twice(struct vpu_asm *a, char c)
{
    scan_blanks(&a->scan);
    if (a->scan.p[0] != c || a->scan.p[1] != c)
        return false;
    a->scan.last = a->scan.p += 2;
    return true;
}

/* The index register and its shift, which is that of the width. */
static bool read_index(struct vpu_asm *a, struct vpu_insn *insn, int reg)
{
    static const int64_t shifts[] = {2, 2, 1, 1, 0, 0, 1, 0}; /* of VPU_MEMORY and what follows */
    const char *from = a->scan.p;
    if (insn->op == VPU_LEA)
        return asm_error(a, from, "syntax", NULL, "lea takes a register and an offset, not an index");
    int64_t wanted = shifts[insn->op - VPU_MEMORY], shift = 0;
    insn->mode = VPU_INDEX;
    insn->b = (uint8_t)reg;
    if (take_twice(a, '<') && !asm_constant(a, 0, 2, "a shift", &shift))
        return false;
    return shift == wanted ||
           asm_error(a, from, "range", NULL, "the index of '%s' is shifted by %d", vpu_ops[insn->op].name, (int)wanted);
}

/* (ra), (ra+o), (ra+rb<<n), (--ra), (ra++) */
static bool read_reached(struct vpu_asm *a, struct asm_statement *st, struct vpu_insn *insn,
                         const struct asm_expr **expr)
{
    if (!asm_expect(a, '(', "'('"))
        return false;
    if (take_twice(a, '-')) {
        insn->mode = VPU_PREDEC;
        return asm_register(a, &insn->a) && asm_expect(a, ')', "')'");
    }
    if (!asm_register(a, &insn->a))
        return false;
    if (take_twice(a, '+')) {
        insn->mode = VPU_POSTINC;
        return asm_expect(a, ')', "')'");
    }
    bool plus = scan_take(&a->scan, '+');
    if (!plus && *a->scan.p != '-')
        return asm_expect(a, ')', "')'");
    int reg = plus ? asm_try_register(a) : -1;
    if (reg >= 0)
        return read_index(a, insn, reg) && asm_expect(a, ')', "')'");
    st->wish.written |= VPU_WRITTEN_OFFSET;
    if (!read_immediate(a, st, insn, expr))
        return false;
    insn->flags &= (uint8_t)~VPU_IMMEDIATE;
    return asm_expect(a, ')', "')'");
}

static bool read_access(struct vpu_asm *a, struct asm_statement *st)
{
    struct vpu_insn insn = start(st);
    const struct asm_expr *expr = NULL;
    if (!asm_register(a, &insn.d) || !comma(a))
        return false;
    if (is_reached_next(a))
        return read_reached(a, st, &insn, &expr) && finish(a, st, &insn, expr, ASM_IMM);
    insn.a = VPU_PC;
    st->wish.written |= VPU_WRITTEN_NEAR;
    expr = asm_expression(a);
    return expr && finish(a, st, &insn, expr, ASM_NEAR);
}

/* (sp++) or (--sp) */
static bool read_stack(struct vpu_asm *a, bool load)
{
    scan_blanks(&a->scan);
    const char *from = a->scan.p;
    bool fine = scan_take(&a->scan, '(') && (load || take_twice(a, '-')) && asm_try_register(a) == VPU_SP &&
                (!load || take_twice(a, '+')) && scan_take(&a->scan, ')');
    return fine || asm_error(a, from, "syntax", NULL, load ? "expected (sp++)" : "expected (--sp)");
}

/* rb, rb-re, and pc or lr, in front of the stack. */
static bool read_list(struct vpu_asm *a, struct asm_statement *st)
{
    struct vpu_insn insn = start(st);
    bool load = insn.op == VPU_LDM;
    uint8_t link = load ? VPU_PC : VPU_LR, reg;
    const char *from = a->scan.p;
    if (!asm_register(a, &insn.a))
        return false;
    insn.b = insn.a;
    if (insn.a == link && *a->scan.p != '-') {
        /* The list that stands for none: semantics.md, section 3. */
        insn.a = VPU_GP;
        insn.b = (VPU_GP + 15) & 31;
        insn.flags |= VPU_LINK | VPU_LINK_ONLY;
        bool alone = asm_at_end(a); /* the manual's stm lr, ldm pc */
        return (alone || (comma(a) && read_stack(a, load))) && finish(a, st, &insn, NULL, ASM_IMM);
    }
    if (scan_take(&a->scan, '-') && !asm_register(a, &insn.b))
        return false;
    bool known = false;
    for (unsigned i = 0; i < 4; i++)
        known |= vpu_banks[i] == insn.a;
    if (!known)
        return asm_error(a, from, "range", NULL, "a list begins with r0, r6, r16 or gp");
    if (!comma(a))
        return false;
    scan_blanks(&a->scan);
    if (*a->scan.p != '(') {
        from = a->scan.p;
        if (!asm_register(a, &reg) || reg != link)
            return asm_error(a, from, "syntax", NULL, "expected %s or the stack", load ? "pc" : "lr");
        insn.flags |= VPU_LINK;
        if (!comma(a))
            return false;
    }
    unsigned count = (insn.b - insn.a) & 31u;
    if ((insn.flags & VPU_LINK) && (count == 31 || (count == 15 && insn.a == VPU_GP)))
        insn.flags |= VPU_LINK_ONLY;
    return read_stack(a, load) && finish(a, st, &insn, NULL, ASM_IMM);
}

/* (sp+0x8c) is the 6-bit field of the 16-bit form times 4 as the GNU port prints it, without its sign. */
static bool is_unsigned_field(const struct asm_statement *st, const struct vpu_insn *insn)
{
    return insn->a == VPU_SP && (st->wish.written & VPU_WRITTEN_HEX) && insn->imm >= 128 && insn->imm < 256 &&
           insn->imm % 4 == 0;
}

/* lea rd,target; lea rd,(ra+o) is add. */
static bool read_lea(struct vpu_asm *a, struct asm_statement *st)
{
    struct vpu_insn insn = start(st);
    const struct asm_expr *expr = NULL;
    if (!asm_register(a, &insn.d) || !comma(a))
        return false;
    if (!is_reached_next(a)) {
        expr = asm_expression(a);
        return expr && finish(a, st, &insn, expr, ASM_TARGET);
    }
    const char *from = a->scan.p;
    if (!read_reached(a, st, &insn, &expr))
        return false;
    if (insn.mode != VPU_OFFSET)
        return asm_error(a, from, "syntax", NULL, "lea takes a register and an offset");
    insn.op = VPU_ADD;
    insn.flags |= VPU_IMMEDIATE;
    if (!expr && is_unsigned_field(st, &insn)) {
        insn.imm -= 256;
        diag_at(a->diags, WEFT_WARNING, "signed-offset", a->scan.src, scan_span(&a->scan, from), NULL,
                "hexadecimal 0x80 to 0xfc are the field of the encoding, which has a sign: this is %d", insn.imm);
    }
    st->wish.written &= ~(unsigned)(VPU_WRITTEN_HEX | VPU_WRITTEN_OFFSET);
    return finish_arithmetic(a, st, &insn, expr);
}

/* ---- branches ---- */

static bool read_target(struct vpu_asm *a, struct asm_statement *st, struct vpu_insn *insn)
{
    const struct asm_expr *e = asm_expression(a);
    return e && finish(a, st, insn, e, ASM_TARGET);
}

/* The right side of a comparison, and the target. */
static bool read_compared(struct vpu_asm *a, struct asm_statement *st, struct vpu_insn *insn)
{
    int reg = asm_try_register(a);
    int64_t value;
    if (reg >= 0) {
        insn->b = (uint8_t)reg;
    } else {
        if (!asm_constant(a, 0, 63, "the number that is compared with", &value))
            return false;
        insn->flags |= VPU_IMMEDIATE;
        insn->imm = (int32_t)value;
    }
    return comma(a) && read_target(a, st, insn);
}

static bool read_addcmpb(struct vpu_asm *a, struct asm_statement *st)
{
    struct vpu_insn insn = start(st);
    int64_t step;
    if (!asm_register(a, &insn.d) || !comma(a))
        return false;
    int reg = asm_try_register(a);
    if (reg >= 0) {
        insn.a = (uint8_t)reg;
    } else {
        if (!asm_constant(a, -8, 7, "the number that is added", &step))
            return false;
        insn.flags |= VPU_STEP;
        insn.step = (int8_t)step;
    }
    return comma(a) && read_compared(a, st, &insn);
}

/* b rd; b target; b<cc> rd,rs,target is addcmpb that adds 0. */
static bool read_branch(struct vpu_asm *a, struct asm_statement *st)
{
    struct vpu_insn insn = start(st);
    int reg = asm_try_register(a);
    if (st->mnemonic.alias == VPU_ALIAS_RTS) {
        insn.d = VPU_LR;
        insn.flags = VPU_TO_REGISTER;
        return finish(a, st, &insn, NULL, ASM_IMM);
    }
    if (reg < 0)
        return read_target(a, st, &insn);
    insn.d = (uint8_t)reg;
    if (!scan_take(&a->scan, ',')) {
        insn.flags = VPU_TO_REGISTER;
        return finish(a, st, &insn, NULL, ASM_IMM);
    }
    if (insn.op != VPU_B)
        return asm_error(a, st->from, "syntax", NULL, "only b compares registers");
    insn.op = VPU_ADDCMPB;
    insn.flags = VPU_STEP;
    return read_compared(a, st, &insn);
}

/* ---- system ---- */

/* Behind a switch stands its table: .case counts from here. */
static bool begin_table(struct vpu_asm *a, unsigned op)
{
    char *name = arena_printf(a->arena, "switch:%zu", a->nsymbols);
    a->table = name ? asm_symbol(a, name, strlen(name)) : NULL;
    a->case_width = op == VPU_SWITCH_B ? 1 : 2;
    return a->table ? asm_define_label(a, a->table, name) : name ? false : asm_no_memory(a);
}

static bool read_one_register(struct vpu_asm *a, struct asm_statement *st)
{
    struct vpu_insn insn = start(st);
    int64_t number;
    int reg = asm_try_register(a);
    bool swi = insn.op == VPU_SWI;
    if (reg >= 0) {
        insn.d = (uint8_t)reg;
        insn.flags = swi ? VPU_TO_REGISTER : 0;
    } else {
        if (!swi)
            return scan_expected(&a->scan, "a register");
        if (!asm_constant(a, 0, 63, "the number of an interrupt", &number))
            return false;
        insn.flags = VPU_IMMEDIATE;
        insn.imm = (int32_t)number;
    }
    if (!finish(a, st, &insn, NULL, ASM_IMM))
        return false;
    return (insn.op != VPU_SWITCH && insn.op != VPU_SWITCH_B) || begin_table(a, insn.op);
}

bool asm_scalar(struct vpu_asm *a, struct asm_statement *st)
{
    struct vpu_insn insn = start(st);
    switch (st->mnemonic.op) {
    case VPU_LDM:
    case VPU_STM:
        return read_list(a, st);
    case VPU_B:
    case VPU_BL:
        return read_branch(a, st);
    case VPU_J:
    case VPU_JL:
        return read_target(a, st, &insn);
    case VPU_ADDCMPB:
        return read_addcmpb(a, st);
    case VPU_LEA:
        return read_lea(a, st);
    case VPU_SWITCH:
    case VPU_SWITCH_B:
    case VPU_SWI:
    case VPU_VERSION:
        return read_one_register(a, st);
    default:
        if (st->mnemonic.op >= VPU_BKPT)
            return finish(a, st, &insn, NULL, ASM_IMM);
        return st->mnemonic.op >= VPU_MEMORY ? read_access(a, st) : read_arithmetic(a, st);
    }
}
