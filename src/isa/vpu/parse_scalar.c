/* parse_scalar.c - operands of scalar instructions, in the notations of the manual and of the GNU port. */
#include "isa/vpu/parse.h"

#include "base/decimal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool comma(struct asm_state *a)
{
    return asm_expect(a, ',', "','");
}

static struct vpu_insn start(const struct vpu_statement *st)
{
    return (struct vpu_insn){.op = st->mnemonic.op, .cond = st->cond};
}

/* The last operand is read: an encoding may be named after it. */
static bool finish(struct asm_state *a, struct vpu_statement *st, struct vpu_insn *insn, const struct asm_expr *expr,
                   enum vpu_pending role)
{
    return vpu_take_pin(a, &st->wish) && vpu_finish_insn(a, insn, &st->wish, st->from, expr, role);
}

static bool fits_word(struct asm_state *a, const char *from, int64_t value)
{
    return (value >= INT32_MIN && value <= UINT32_MAX) ||
           asm_error(a, from, "out-of-range", NULL, "%lld does not fit 32 bits", (long long)value);
}

/* An immediate: a number goes to insn->imm, what depends on symbols to *expr. */
static bool read_immediate(struct asm_state *a, struct vpu_statement *st, struct vpu_insn *insn,
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
static bool read_float6(struct asm_state *a, struct vpu_insn *insn)
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
    return asm_error(a, from, "out-of-range", "0, and 0.25 to 28 with two bits of mantissa",
                     "this number is not a float immediate of 6 bits");
}

/* ---- arithmetic ---- */

/* The word before the last operand of ftrunc and its kin. */
static bool take_shift_word(struct asm_state *a, const char *word)
{
    size_t length = strlen(word) - 1; /* without its blank */
    scan_blanks(&a->scan);
    if (scan_word_length(a->scan.p) < length || strncasecmp(a->scan.p, word, length) != 0) {
        char what[24];
        snprintf(what, sizeof what, "'%.*s'", (int)length, word);
        return scan_expected(&a->scan, what);
    }
    a->scan.last = a->scan.p += length; /* sasl3 too */
    return true;
}

/* How far the last operand of addscale and subscale is shifted: << n, shl n, lsl n, * 2^n. */
static bool read_scale(struct asm_state *a, struct vpu_insn *insn)
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
    insn->op = (uint8_t)vpu_scaled(vpu_ops[insn->op].sum, (unsigned)shift);
    return true;
}

/* The source of addscale is not an expression: << would be an operator of it. */
static bool read_scaled(struct asm_state *a, struct vpu_insn *insn)
{
    int reg = vpu_try_register(a);
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
    return vpu_ops[insn->op].instead == VPU_LEA && insn->a == VPU_PC && insn->d != VPU_PC &&
           (insn->flags & VPU_IMMEDIATE) && insn->cond == VPU_ALWAYS && !wish->name &&
           (insn->imm == (int16_t)insn->imm || !(wish->written & VPU_WRITTEN_HEX));
}

/* The last operand of arithmetic is read. */
static bool finish_arithmetic(struct asm_state *a, struct vpu_statement *st, struct vpu_insn *insn,
                              const struct asm_expr *expr)
{
    if (!vpu_take_pin(a, &st->wish))
        return false;
    if (!is_lea(insn, &st->wish))
        return finish(a, st, insn, expr, VPU_PENDING_IMM);
    const struct asm_expr *distance = expr ? expr : asm_number(a, insn->imm);
    expr = distance ? asm_from_here(a, distance) : NULL;
    *insn = (struct vpu_insn){.op = VPU_LEA, .cond = VPU_ALWAYS, .d = insn->d};
    return expr && finish(a, st, insn, expr, VPU_PENDING_TARGET);
}

/* A source that is a register or an immediate. *reg is -1 for an immediate. */
static bool read_source(struct asm_state *a, struct vpu_statement *st, struct vpu_insn *insn, int *reg,
                        const struct asm_expr **expr)
{
    *reg = vpu_try_register(a);
    if (*reg >= 0)
        return true;
    if (vpu_ops[insn->op].b_type == WEFT_TYPE_FLOAT)
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
static bool is_control_next(struct asm_state *a, uint8_t *number)
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

static bool read_move_to_control(struct asm_state *a, struct vpu_statement *st, struct vpu_insn *insn)
{
    insn->op = vpu_ops[insn->op].instead;
    return comma(a) && vpu_read_register(a, &insn->a) && finish(a, st, insn, NULL, 0);
}

/* A register with a comma after it: an operand that is not the last. */
static bool take_middle(struct asm_state *a, uint8_t *out)
{
    const char *from = a->scan.p, *last = a->scan.last;
    int reg = vpu_try_register(a);
    if (reg >= 0 && scan_take(&a->scan, ',')) {
        *out = (uint8_t)reg;
        return true;
    }
    a->scan.p = from;
    a->scan.last = last;
    return false;
}

bool vpu_read_arithmetic(struct asm_state *a, struct vpu_statement *st)
{
    struct vpu_insn insn = start(st);
    const struct asm_expr *expr = NULL;
    uint8_t regs[2];
    int reg = -1;
    bool controls = vpu_ops[insn.op].instead == VPU_MOV_TO_P;
    if (controls && is_control_next(a, &insn.d))
        return read_move_to_control(a, st, &insn);
    if (!vpu_read_register(a, &regs[0]) || !comma(a))
        return false;
    if (controls && is_control_next(a, &insn.a)) {
        insn.op = VPU_MOV_FROM_P;
        insn.d = regs[0];
        return finish(a, st, &insn, NULL, VPU_PENDING_IMM);
    }
    unsigned count = take_middle(a, &regs[1]) ? 3 : 2;
    place_operands(&insn, count, regs);
    if (vpu_ops[insn.op].before && !take_shift_word(a, vpu_ops[insn.op].before))
        return false;
    if (vpu_ops[insn.op].shift ? !read_scaled(a, &insn) : !read_source(a, st, &insn, &reg, &expr))
        return false;
    if (reg >= 0)
        insn.b = (uint8_t)reg;
    if (vpu_ops[insn.op].class == VPU_REVERSE && count == 2 && reg >= 0 && st->wish.size != 4) {
        insn.op = vpu_ops[insn.op].instead;
        insn.a = 0;
    }
    st->wish.written |= count == 2 ? VPU_WRITTEN_TWO : 0;
    return finish_arithmetic(a, st, &insn, expr);
}

/* ---- memory ---- */

/* Is ( with a register or -- after it next? Else it is an expression. */
static bool is_reached_next(struct asm_state *a)
{
    const char *from = a->scan.p, *last = a->scan.last;
    bool reached = scan_take(&a->scan, '(');
    if (reached) {
        scan_blanks(&a->scan);
        reached = (a->scan.p[0] == '-' && a->scan.p[1] == '-') || vpu_try_register(a) >= 0;
    }
    a->scan.p = from;
    a->scan.last = last;
    return reached;
}

static bool take_twice(struct asm_state *a, char c)
{
    scan_blanks(&a->scan);
    if (a->scan.p[0] != c || a->scan.p[1] != c)
        return false;
    a->scan.last = a->scan.p += 2;
    return true;
}

/* The index register and its shift, which is that of the width. */
static bool read_index(struct asm_state *a, struct vpu_insn *insn, int reg)
{
    const char *from = a->scan.p;
    unsigned bytes = vpu_ops[insn->op].bytes;
    if (!bytes)
        return asm_error(a, from, "syntax", NULL, "lea takes a register and an offset, not an index");
    int64_t wanted = bytes == 4 ? 2 : bytes == 2, shift = 0;
    insn->mode = VPU_INDEX;
    insn->b = (uint8_t)reg;
    if (take_twice(a, '<') && !asm_constant(a, 0, 2, "a shift", &shift))
        return false;
    return shift == wanted || asm_error(a, from, "out-of-range", NULL, "the index of '%s' is shifted by %d",
                                        vpu_ops[insn->op].name, (int)wanted);
}

/* (ra), (ra+o), (ra+rb<<n), (--ra), (ra++) */
static bool read_reached(struct asm_state *a, struct vpu_statement *st, struct vpu_insn *insn,
                         const struct asm_expr **expr)
{
    if (!asm_expect(a, '(', "'('"))
        return false;
    if (take_twice(a, '-')) {
        insn->mode = VPU_PREDEC;
        return vpu_read_register(a, &insn->a) && asm_expect(a, ')', "')'");
    }
    if (!vpu_read_register(a, &insn->a))
        return false;
    if (take_twice(a, '+')) {
        insn->mode = VPU_POSTINC;
        return asm_expect(a, ')', "')'");
    }
    bool plus = scan_take(&a->scan, '+');
    if (!plus && *a->scan.p != '-')
        return asm_expect(a, ')', "')'");
    int reg = plus ? vpu_try_register(a) : -1;
    if (reg >= 0)
        return read_index(a, insn, reg) && asm_expect(a, ')', "')'");
    st->wish.written |= VPU_WRITTEN_OFFSET;
    if (!read_immediate(a, st, insn, expr))
        return false;
    insn->flags &= (uint8_t)~VPU_IMMEDIATE;
    return asm_expect(a, ')', "')'");
}

bool vpu_read_access(struct asm_state *a, struct vpu_statement *st)
{
    struct vpu_insn insn = start(st);
    const struct asm_expr *expr = NULL;
    if (!vpu_read_register(a, &insn.d) || !comma(a))
        return false;
    if (is_reached_next(a))
        return read_reached(a, st, &insn, &expr) && finish(a, st, &insn, expr, VPU_PENDING_IMM);
    insn.a = VPU_PC;
    st->wish.written |= VPU_WRITTEN_NEAR;
    expr = asm_expression(a);
    return expr && finish(a, st, &insn, expr, VPU_PENDING_NEAR);
}

/* (sp++) or (--sp) */
static bool read_stack(struct asm_state *a, bool load)
{
    scan_blanks(&a->scan);
    const char *from = a->scan.p;
    bool fine = scan_take(&a->scan, '(') && (load || take_twice(a, '-')) && vpu_try_register(a) == VPU_SP &&
                (!load || take_twice(a, '+')) && scan_take(&a->scan, ')');
    return fine || asm_error(a, from, "syntax", NULL, load ? "expected (sp++)" : "expected (--sp)");
}

/* rb, rb-re, and pc or lr, before the stack. */
bool vpu_read_list(struct asm_state *a, struct vpu_statement *st)
{
    struct vpu_insn insn = start(st);
    bool load = vpu_is_load(insn.op);
    uint8_t link = load ? VPU_PC : VPU_LR, reg;
    const char *from = a->scan.p;
    if (!vpu_read_register(a, &insn.a))
        return false;
    insn.b = insn.a;
    if (insn.a == link && *a->scan.p != '-') {
        /* The list that means none. */
        insn.a = VPU_GP;
        insn.b = (VPU_GP + 15) & 31;
        insn.flags |= VPU_LINK | VPU_LINK_ONLY;
        bool alone = asm_at_end(a); /* the manual's stm lr, ldm pc */
        return (alone || (comma(a) && read_stack(a, load))) && finish(a, st, &insn, NULL, VPU_PENDING_IMM);
    }
    if (scan_take(&a->scan, '-') && !vpu_read_register(a, &insn.b))
        return false;
    bool known = false;
    for (unsigned i = 0; i < 4; i++)
        known |= vpu_banks[i] == insn.a;
    if (!known)
        return asm_error(a, from, "out-of-range", NULL, "a list begins with r0, r6, r16 or gp");
    if (!comma(a))
        return false;
    scan_blanks(&a->scan);
    if (*a->scan.p != '(') {
        from = a->scan.p;
        if (!vpu_read_register(a, &reg) || reg != link)
            return asm_error(a, from, "syntax", NULL, "expected %s or the stack", load ? "pc" : "lr");
        insn.flags |= VPU_LINK;
        if (!comma(a))
            return false;
    }
    unsigned count = (insn.b - insn.a) & 31u;
    if ((insn.flags & VPU_LINK) && (count == 31 || (count == 15 && insn.a == VPU_GP)))
        insn.flags |= VPU_LINK_ONLY;
    return read_stack(a, load) && finish(a, st, &insn, NULL, VPU_PENDING_IMM);
}

/* (sp+0x8c) is the 6-bit field of the 16-bit form times 4 as the GNU port prints it, without its sign. */
static bool is_unsigned_field(const struct vpu_statement *st, const struct vpu_insn *insn)
{
    return insn->a == VPU_SP && (st->wish.written & VPU_WRITTEN_HEX) && insn->imm >= 128 && insn->imm < 256 &&
           insn->imm % 4 == 0;
}

/* lea rd,target; lea rd,(ra+o) is add. */
bool vpu_read_lea(struct asm_state *a, struct vpu_statement *st)
{
    struct vpu_insn insn = start(st);
    const struct asm_expr *expr = NULL;
    if (!vpu_read_register(a, &insn.d) || !comma(a))
        return false;
    if (!is_reached_next(a)) {
        expr = asm_expression(a);
        return expr && finish(a, st, &insn, expr, VPU_PENDING_TARGET);
    }
    const char *from = a->scan.p;
    if (!read_reached(a, st, &insn, &expr))
        return false;
    if (insn.mode != VPU_OFFSET)
        return asm_error(a, from, "syntax", NULL, "lea takes a register and an offset");
    insn.op = vpu_ops[insn.op].instead;
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

static bool finish_target(struct asm_state *a, struct vpu_statement *st, struct vpu_insn *insn)
{
    const struct asm_expr *e = asm_expression(a);
    return e && finish(a, st, insn, e, VPU_PENDING_TARGET);
}

/* The right side of a comparison, and the target. */
static bool read_compared(struct asm_state *a, struct vpu_statement *st, struct vpu_insn *insn)
{
    int reg = vpu_try_register(a);
    int64_t value;
    if (reg >= 0) {
        insn->b = (uint8_t)reg;
    } else {
        if (!asm_constant(a, 0, 63, "the number that is compared with", &value))
            return false;
        insn->flags |= VPU_IMMEDIATE;
        insn->imm = (int32_t)value;
    }
    return comma(a) && finish_target(a, st, insn);
}

bool vpu_read_addcmpb(struct asm_state *a, struct vpu_statement *st)
{
    struct vpu_insn insn = start(st);
    int64_t step;
    if (!vpu_read_register(a, &insn.d) || !comma(a))
        return false;
    int reg = vpu_try_register(a);
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
bool vpu_read_branch(struct asm_state *a, struct vpu_statement *st)
{
    struct vpu_insn insn = start(st);
    int reg = vpu_try_register(a);
    if (st->mnemonic.alias == VPU_ALIAS_RTS) {
        insn.d = VPU_LR;
        insn.flags = VPU_TO_REGISTER;
        return finish(a, st, &insn, NULL, VPU_PENDING_IMM);
    }
    if (reg < 0)
        return finish_target(a, st, &insn);
    insn.d = (uint8_t)reg;
    if (!scan_take(&a->scan, ',')) {
        insn.flags = VPU_TO_REGISTER;
        return finish(a, st, &insn, NULL, VPU_PENDING_IMM);
    }
    if (!vpu_ops[insn.op].instead)
        return asm_error(a, st->from, "syntax", NULL, "only b compares registers");
    insn.op = vpu_ops[insn.op].instead;
    insn.flags = VPU_STEP;
    return read_compared(a, st, &insn);
}

/* ---- system ---- */

bool vpu_read_one_register(struct asm_state *a, struct vpu_statement *st)
{
    struct vpu_insn insn = start(st);
    int64_t number;
    int reg = vpu_try_register(a);
    bool swi = vpu_ops[insn.op].flow == WEFT_FLOW_TRAP; /* or its number */
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
    if (!finish(a, st, &insn, NULL, VPU_PENDING_IMM))
        return false;
    return !(vpu_ops[insn.op].uses & VPU_TABLE) || vpu_begin_table(a, vpu_ops[insn.op].bytes);
}

bool vpu_read_target(struct asm_state *a, struct vpu_statement *st)
{
    struct vpu_insn insn = start(st);
    return finish_target(a, st, &insn);
}

bool vpu_read_plain(struct asm_state *a, struct vpu_statement *st)
{
    struct vpu_insn insn = start(st);
    return finish(a, st, &insn, NULL, VPU_PENDING_IMM);
}
