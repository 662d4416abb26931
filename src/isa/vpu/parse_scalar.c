/* parse_scalar.c - operands of scalar instructions, in the notations of the manual and of the GNU port. */
#include "isa/vpu/parse.h"

#include "base/decimal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool fits_word(struct asm_state *a, const char *from, int64_t value)
{
    return (value >= INT32_MIN && value <= UINT32_MAX) ||
           asm_error(a, from, "out-of-range", NULL, "%lld does not fit 32 bits", (long long)value);
}

/* An immediate: a number goes to insn.imm, what depends on symbols to expr. */
static bool read_immediate(struct asm_state *a, struct vpu_reading *r)
{
    const char *from = a->scan.p;
    int64_t value;
    if (asm_is_hex(a))
        r->st->wish.written |= VPU_WRITTEN_HEX;
    const struct asm_expr *expr = asm_expression(a);
    if (!expr)
        return false;
    if (!asm_evaluate(a, expr, &value)) {
        r->expr = expr;
        return true;
    }
    r->insn.imm = (int32_t)value;
    return fits_word(a, from, value);
}

static bool read_expression(struct asm_state *a, struct vpu_reading *r, enum vpu_pending pending)
{
    r->expr = asm_expression(a);
    r->pending = pending;
    return r->expr != NULL;
}

/* ---- float operations ---- */

/* The 6-bit pattern of a float immediate; false: none. */
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
static uint32_t read_scaled(struct asm_state *a, struct vpu_insn *insn, uint8_t *out)
{
    int reg = vpu_try_register(a);
    if (reg >= 0) {
        *out = (uint8_t)reg;
        return read_scale(a, insn) ? VPU_ITEM(B) : 0;
    }
    const char *from = a->scan.p;
    const struct asm_expr *e = asm_primary(a);
    int64_t value;
    if (!e)
        return 0;
    if (!asm_evaluate(a, e, &value)) {
        asm_error(a, from, "not-constant", NULL, "a scaled immediate must be known here");
        return 0;
    }
    insn->imm = (int32_t)value;
    return fits_word(a, from, value) && read_scale(a, insn) ? VPU_ITEM(NUMBER) : 0;
}

/* A register with a comma after it: an operand that is not the last. */
static bool take_middle(struct asm_state *a, uint8_t *out)
{
    const char *from = a->scan.p, *last = a->scan.last;
    int reg = vpu_try_register(a);
    if (reg >= 0 && scan_is(*a->scan.p, SCAN_BLANK))
        scan_blanks(&a->scan);
    if (reg >= 0 && *a->scan.p == ',') {
        *out = (uint8_t)reg;
        return true;
    }
    a->scan.p = from;
    a->scan.last = last;
    return false;
}

/* p0 to p31 */
static bool take_control(struct asm_state *a, uint8_t *out)
{
    scan_blanks(&a->scan);
    size_t length = scan_word_length(a->scan.p);
    int number = vpu_find_control(a->scan.p, length);
    if (number < 0)
        return false;
    *out = (uint8_t)number;
    a->scan.last = a->scan.p += length;
    return true;
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
    if (vpu_take_twice(a, '<') && !asm_constant(a, 0, 2, "a shift", &shift))
        return false;
    return shift == wanted || asm_error(a, from, "out-of-range", NULL, "the index of '%s' is shifted by %d",
                                        vpu_ops[insn->op].name, (int)wanted);
}

/* (ra), (ra+o), (ra+rb<<n), (--ra), (ra++) */
static bool read_reached(struct asm_state *a, struct vpu_reading *r)
{
    struct vpu_insn *insn = &r->insn;
    if (!asm_expect(a, '(', "'('"))
        return false;
    if (vpu_take_twice(a, '-')) {
        insn->mode = VPU_PREDEC;
        return vpu_read_register(a, &insn->a) && asm_expect(a, ')', "')'");
    }
    if (!vpu_read_register(a, &insn->a))
        return false;
    if (vpu_take_twice(a, '+')) {
        insn->mode = VPU_POSTINC;
        return asm_expect(a, ')', "')'");
    }
    bool plus = scan_take(&a->scan, '+');
    if (!plus && *a->scan.p != '-')
        return asm_expect(a, ')', "')'");
    int reg = plus ? vpu_try_register(a) : -1;
    if (reg >= 0)
        return read_index(a, insn, reg) && asm_expect(a, ')', "')'");
    r->st->wish.written |= VPU_WRITTEN_OFFSET;
    return read_immediate(a, r) && asm_expect(a, ')', "')'");
}

/* (sp+0x8c) is the 6-bit field of the 16-bit form times 4 as the GNU port prints it, without its sign. */
static bool is_unsigned_field(const struct vpu_reading *r)
{
    const struct vpu_insn *insn = &r->insn;
    return !r->expr && insn->a == VPU_SP && r->st->wish.written & VPU_WRITTEN_HEX && insn->imm >= 128 &&
           insn->imm < 256 && insn->imm % 4 == 0;
}

/* An address that is only computed is a sum. */
static bool read_address(struct asm_state *a, struct vpu_reading *r)
{
    const char *from = a->scan.p;
    if (!read_reached(a, r))
        return false;
    if (vpu_ops[r->insn.op].bytes)
        return true;
    if (r->insn.mode != VPU_OFFSET)
        return asm_error(a, from, "syntax", NULL, "lea takes a register and an offset");
    if (is_unsigned_field(r)) {
        r->insn.imm -= 256;
        diag_at(a->diags, WEFT_WARNING, "signed-offset", a->scan.src, scan_span(&a->scan, from), NULL,
                "hexadecimal 0x80 to 0xfc are the field of the encoding, which has a sign: this is %d", r->insn.imm);
    }
    r->st->wish.written &= ~(unsigned)(VPU_WRITTEN_HEX | VPU_WRITTEN_OFFSET);
    return true;
}

/* rb, rb-re */
static uint32_t read_range(struct asm_state *a, struct vpu_reading *r, uint32_t items)
{
    struct vpu_insn *insn = &r->insn;
    const char *from = a->scan.p;
    if (!vpu_read_register(a, &insn->a))
        return 0;
    insn->b = insn->a;
    if (insn->a == vpu_link_of(insn->op) && *a->scan.p != '-')
        return VPU_ITEM(LINK);
    if (scan_take(&a->scan, '-') && !vpu_read_register(a, &insn->b))
        return 0;
    for (unsigned i = 0; i < 4; i++)
        if (vpu_banks[i] == insn->a)
            return VPU_ITEM(LIST) & items;
    asm_error(a, from, "out-of-range", NULL, "a list begins with r0, r6, r16 or gp");
    return 0;
}

/* (sp++), (--sp), or before it pc, lr */
static uint32_t read_stack(struct asm_state *a, struct vpu_reading *r, uint32_t items)
{
    bool load = vpu_is_load(r->insn.op);
    scan_blanks(&a->scan);
    const char *from = a->scan.p;
    if (items & VPU_ITEM(LINK) && *from != '(') {
        uint8_t reg;
        if (vpu_read_register(a, &reg) && reg == vpu_link_of(r->insn.op))
            return VPU_ITEM(LINK);
        const char *hint = load ? "ldm returns to what stm stored of lr: it loads that into pc" : NULL;
        asm_error(a, from, "syntax", hint, "expected %s or the stack", load ? "pc" : "lr");
        return 0;
    }
    if (scan_take(&a->scan, '(') && (load || vpu_take_twice(a, '-')) && vpu_try_register(a) == VPU_SP &&
        (!load || vpu_take_twice(a, '+')) && scan_take(&a->scan, ')'))
        return VPU_ITEM(STACK);
    asm_error(a, from, "syntax", NULL, load ? "expected (sp++)" : "expected (--sp)");
    return 0;
}

/* ---- any operand ---- */

static bool read_constant(struct asm_state *a, struct vpu_insn *insn)
{
    int64_t value = 0;
    bool interrupt = vpu_ops[insn->op].flow == WEFT_FLOW_TRAP;
    bool fine =
        asm_constant(a, 0, 63, interrupt ? "the number of an interrupt" : "the number that is compared with", &value);
    insn->imm = (int32_t)value;
    return fine;
}

static bool read_step(struct asm_state *a, struct vpu_insn *insn)
{
    int64_t value = 0;
    bool fine = asm_constant(a, -8, 7, "the number that is added", &value);
    insn->step = (int8_t)value;
    return fine;
}

/* 4(r1): other assemblers have the offset before the register. */
static bool refuse_offset_before(struct asm_state *a, const char *offset)
{
    const char *end = a->scan.p;
    while (end > offset && scan_is(end[-1], SCAN_BLANK))
        end--;
    const char *open = a->scan.p + 1, *close = open + strcspn(open, ")\n");
    const char *hint =
        arena_printf(a->arena, "write (%.*s+%.*s)", (int)(close - open), open, (int)(end - offset), offset);
    return scan_expected_or(&a->scan, "the end of the statement", hint);
}

static uint32_t read_number(struct asm_state *a, struct vpu_reading *r, uint32_t items)
{
    bool fine;
    if (items & VPU_ITEM(ACCESS) && is_reached_next(a))
        return read_address(a, r) ? VPU_ITEM(ACCESS) : 0;
    if (items & VPU_ITEM(ACCESS) && a->scan.p[strspn(a->scan.p, " \t")] == '[') {
        scan_expected_or(&a->scan, "an address", "write (r1), or (r1+4) with an offset");
        return 0;
    }
    scan_blanks(&a->scan);
    if (items & VPU_ITEM(ACCESS)) {
        const char *from = a->scan.p;
        int reg = vpu_try_register(a);
        if (reg >= 0) {
            asm_error(a, from, "bad-operand", arena_printf(a->arena, "write (%.*s)", (int)(a->scan.p - from), from),
                      "expected an address, found a register");
            return 0;
        }
    }
    const char *start = a->scan.p;
    if (items & VPU_ITEM(NUMBER))
        fine = vpu_ops[r->insn.op].b_type == WEFT_TYPE_FLOAT ? read_float6(a, &r->insn) : read_immediate(a, r);
    else if (items & VPU_ITEM(CONSTANT))
        fine = read_constant(a, &r->insn);
    else if (items & VPU_ITEM(STEP))
        fine = read_step(a, &r->insn);
    else if (items & VPU_ITEM(TARGET))
        fine = read_expression(a, r, VPU_PENDING_TARGET);
    else if (items & VPU_ITEM(NEAR))
        fine = read_expression(a, r, VPU_PENDING_NEAR);
    else
        fine = vpu_expected_register(a);
    if (fine && items & VPU_ITEM(ACCESS) && is_reached_next(a))
        fine = refuse_offset_before(a, start);
    return fine ? items & (VPU_ITEM(NUMBER) | VPU_ITEM(CONSTANT) | VPU_ITEM(STEP) | VPU_ITEM(TARGET) | VPU_ITEM(NEAR))
                : 0;
}

uint32_t vpu_read_scalar_operand(struct asm_state *a, struct vpu_reading *r, unsigned at, uint32_t items)
{
    const uint32_t registers = VPU_ITEM(D) | VPU_ITEM(A) | VPU_ITEM(LEFT) | VPU_ITEM(B);
    const struct vpu_op_row *row = &vpu_ops[r->insn.op];
    if (items & VPU_ITEM(LIST))
        return read_range(a, r, items);
    if (items & VPU_ITEM(STACK))
        return read_stack(a, r, items);
    if (items & (VPU_ITEM(PD) | VPU_ITEM(PA)) && take_control(a, &r->reg[at]))
        return VPU_ITEM(PD) | VPU_ITEM(PA);
    if (items & VPU_ITEM(B) && (row->before || row->shift)) {
        if (items & VPU_ITEM(A) && take_middle(a, &r->reg[at]))
            return VPU_ITEM(A);
        if (row->before && !take_shift_word(a, row->before))
            return 0;
        if (row->shift)
            return read_scaled(a, &r->insn, &r->reg[at]);
        items &= ~VPU_ITEM(A);
    }
    int reg = items & registers ? vpu_try_register(a) : -1;
    if (reg < 0)
        return read_number(a, r, items);
    r->reg[at] = (uint8_t)reg;
    return items & registers;
}

/* ---- the end ---- */

static void place(struct vpu_reading *r, const struct vpu_syntax *s)
{
    struct vpu_insn *insn = &r->insn;
    if (!vpu_ops[s->op].shift)
        insn->op = s->op;
    insn->flags |= s->flags;
    for (unsigned n = 0; n < s->nitems; n++) {
        uint8_t reg = r->reg[n];
        switch ((enum vpu_item)s->item[n]) {
        case VPU_ITEM_D:
        case VPU_ITEM_PD:
            insn->d = reg;
            break;
        case VPU_ITEM_A:
        case VPU_ITEM_PA:
            insn->a = reg;
            break;
        case VPU_ITEM_LEFT:
            insn->d = insn->a = reg;
            break;
        case VPU_ITEM_B:
            insn->b = reg;
            break;
        case VPU_ITEM_NEAR:
            insn->a = VPU_PC;
            r->st->wish.written |= VPU_WRITTEN_NEAR;
            break;
        default:
            break;
        }
    }
    if (s->item[0] == VPU_ITEM_LINK) { /* the list that means none */
        insn->a = VPU_GP;
        insn->b = (VPU_GP + 15) & 31;
    }
    if (s->nitems == 2)
        r->st->wish.written |= VPU_WRITTEN_TWO;
    if (insn->flags & VPU_LINK)
        vpu_find_link_only(insn);
}

/* A sum with pc and a number is lea: "add rd, pc, o" of the manual. The other sums with pc are written with the name of
 * their encoding, but for the one of 48 bits, which the GNU port prints with a long hexadecimal number. */
static bool is_lea(const struct vpu_insn *insn, const struct vpu_wish *wish)
{
    return vpu_is_pc_sum(insn) && !wish->name &&
           (insn->imm == (int16_t)insn->imm || !(wish->written & VPU_WRITTEN_HEX));
}

static bool make_lea(struct asm_state *a, struct vpu_reading *r)
{
    const struct asm_expr *distance = r->expr ? r->expr : asm_number(a, r->insn.imm);
    r->expr = distance ? asm_from_here(a, distance) : NULL;
    r->pending = VPU_PENDING_TARGET;
    r->insn = (struct vpu_insn){.op = vpu_ops[r->insn.op].instead, .cond = VPU_ALWAYS, .d = r->insn.d};
    return r->expr != NULL;
}

bool vpu_end_scalar(struct asm_state *a, struct vpu_reading *r, const struct vpu_syntax *s)
{
    place(r, s);
    if (!vpu_take_pin(a, &r->st->wish) || (is_lea(&r->insn, &r->st->wish) && !make_lea(a, r)) || !vpu_finish_insn(a, r))
        return false;
    return !(vpu_ops[r->insn.op].uses & VPU_TABLE) || vpu_begin_table(a, vpu_ops[r->insn.op].bytes);
}
