/* parse_vector.c - operands and modifiers of vector instructions, in the notations of the manual and of the GNU port.
 */
#include "isa/vpu/parse.h"
#include "isa/vpu/operand.h"

#include <string.h>

/* ---- vector registers ---- */

/* Direction and width by the letters: H, HX, HY, or H8, H16, H32, or HB, HH, HL; V likewise. */
static bool vector_word(const char *word, size_t length, struct vpu_operand *out)
{
    static const char *const kinds[] = {"", "X", "Y", "8", "16", "32", "B", "H", "L", NULL};
    char direction = length ? (char)(word[0] | 32) : 0;
    if (direction != 'h' && direction != 'v')
        return false;
    int kind = scan_word_index(word + 1, length - 1, kinds, sizeof kinds / sizeof kinds[0]);
    if (kind < 0)
        return false;
    out->vertical = direction == 'v';
    out->width = (unsigned)kind % 3 & 3u;
    return true;
}

/* Is a vector register at p: its letters and a parenthesis? */
static bool is_vector_at(const char *p)
{
    struct vpu_operand o;
    size_t length = scan_word_length(p);
    return vector_word(p, length, &o) && p[length] == '(';
}

static bool is_vector_next(struct asm_state *a)
{
    scan_blanks(&a->scan);
    return is_vector_at(a->scan.p);
}

/* +rN and *, and of a dash ++. */
static bool read_operand_flags(struct asm_state *a, struct vpu_operand *o)
{
    o->reg = VPU_NO_REG;
    scan_blanks(&a->scan);
    const char *from = a->scan.p;
    if (a->scan.p[0] == '+' && a->scan.p[1] != '+' && a->scan.p[1] != '=') {
        a->scan.p++;
        if (!vpu_read_register(a, &o->reg))
            return false;
        if (o->reg >= VPU_NO_REG)
            return asm_error(a, from, "out-of-range", NULL, "the register of an operand is r0 to r14");
    }
    if (o->kind == VPU_DASH && vpu_take_twice(a, '+'))
        o->inc = true;
    o->column = scan_take(&a->scan, '*');
    return true;
}

/* Places where a register of the width may begin: "Argument format". */
static bool is_place(const struct vpu_operand *o)
{
    return o->width == VPU_8 || (o->width == VPU_16 ? (o->x & 16) == 0 : o->x < 16);
}

/* A row or a column, which may have ++ after it. */
static bool read_coordinate(struct asm_state *a, const char *what, int64_t *value, bool *steps)
{
    const char *from = a->scan.p;
    if (vpu_take_twice(a, '+'))
        return asm_error(a, from, "syntax", "write H(0++,0), V(0,0++)", "++ comes after the number");
    if (!asm_constant(a, 0, 63, what, value))
        return false;
    *steps = vpu_take_twice(a, '+');
    return true;
}

static bool read_vector_register(struct asm_state *a, struct vpu_operand *o)
{
    const char *word;
    int64_t y, x;
    size_t length = scan_word(&a->scan, &word);
    *o = (struct vpu_operand){.kind = VPU_VREG};
    vector_word(word, length, o);
    a->scan.p++;
    bool rows = false, columns = false;
    if (!read_coordinate(a, "a row", &y, &rows) || !asm_expect(a, ',', "','") ||
        !read_coordinate(a, "a column", &x, &columns) || !asm_expect(a, ')', "')'"))
        return false;
    if (vpu_take_twice(a, '+'))
        return asm_error(a, word, "syntax", o->vertical ? "write V(0,0++)" : "write H(0++,0)",
                         "++ comes after the %s, in the parentheses", o->vertical ? "column" : "row");
    o->y = (uint8_t)y;
    o->x = (uint8_t)x;
    o->inc = rows || columns;
    if (o->vertical ? rows : columns)
        return asm_error(a, word, "syntax", NULL, "++ goes to the next %s of a %s register",
                         o->vertical ? "column" : "row", o->vertical ? "vertical" : "horizontal");
    if (!is_place(o))
        return asm_error(a, word, "out-of-range",
                         o->width == VPU_16 && o->x < 32 ? "the second half is HX(y,32) and VX(y,32)" : NULL,
                         "a register of %d bits begins in columns %s", o->width == VPU_16 ? 16 : 32,
                         o->width == VPU_16 ? "0-15 and 32-47" : "0-15");
    return read_operand_flags(a, o);
}

/* ---- other operands ---- */

/* A displacement or immediate, known now. */
static bool read_number(struct asm_state *a, struct vpu_vector_operand *o)
{
    int64_t value;
    o->hex = asm_is_hex(a);
    if (!asm_constant(a, INT32_MIN, UINT32_MAX, "an immediate", &value))
        return false;
    o->number = (int32_t)value;
    return true;
}

/* A scalar register, or r32 to r63, which mean none; -1: neither. */
static int try_scalar(struct asm_state *a)
{
    int reg = vpu_try_register(a);
    const char *p = a->scan.p;
    if (reg >= 0 || scan_word_length(p) != 3 || (*p | 32) != 'r' || !scan_is(p[1], SCAN_DIGIT) ||
        !scan_is(p[2], SCAN_DIGIT))
        return reg;
    reg = 10 * (p[1] - '0') + p[2] - '0';
    if (reg < VPU_REGISTERS || reg > 63)
        return -1;
    a->scan.last = a->scan.p = p + 3;
    return reg;
}

/* The rest of (rB+o+=rS) after its parenthesis. */
static bool read_address(struct asm_state *a, struct vpu_vector_operand *o)
{
    int32_t before = o->number;
    o->kind = VPU_READ_ADDRESS;
    o->step = VPU_NO_REG;
    int reg = try_scalar(a);
    if (reg < 0)
        return scan_expected(&a->scan, "a register");
    o->vector.reg = (uint8_t)reg;
    scan_blanks(&a->scan);
    bool plus = a->scan.p[0] == '+' && a->scan.p[1] != '=';
    if (plus)
        a->scan.p++;
    if (plus || *a->scan.p == '-') {
        if (!read_number(a, o))
            return false;
        o->number = (int32_t)((uint32_t)o->number + (uint32_t)before);
    }
    scan_blanks(&a->scan);
    if (a->scan.p[0] == '+' && a->scan.p[1] == '=') {
        a->scan.p += 2;
        const char *from = a->scan.p;
        if (!vpu_read_register(a, &o->step))
            return false;
        if (o->step >= VPU_NO_REG)
            return asm_error(a, from, "out-of-range", NULL, "the step of an address is in r0 to r14");
    }
    return asm_expect(a, ')', "')'");
}

/* r3, r3+5 */
static bool read_scalar(struct asm_state *a, struct vpu_vector_operand *o, int reg)
{
    o->kind = VPU_READ_SCALAR;
    o->vector.reg = (uint8_t)reg;
    scan_blanks(&a->scan);
    if (*a->scan.p != '+' && *a->scan.p != '-')
        return true;
    if (*a->scan.p == '+')
        a->scan.p++;
    return read_number(a, o);
}

/* "-", and not a negative number. */
static bool is_dash_next(struct asm_state *a)
{
    scan_blanks(&a->scan);
    const char *p = a->scan.p;
    if (*p != '-')
        return false;
    do
        p++;
    while (scan_is(*p, SCAN_BLANK));
    return !scan_is(*p, SCAN_DIGIT | SCAN_LETTER) && *p != '(';
}

bool vpu_read_vector_operand(struct asm_state *a, struct vpu_vector_operand *o)
{
    *o = (struct vpu_vector_operand){.step = VPU_NO_REG};
    scan_blanks(&a->scan);
    o->from = a->scan.p;
    if (is_vector_next(a))
        return read_vector_register(a, &o->vector);
    if (is_dash_next(a)) {
        a->scan.last = ++a->scan.p;
        o->kind = VPU_READ_DASH;
        o->vector.kind = VPU_DASH;
        return read_operand_flags(a, &o->vector);
    }
    int reg = try_scalar(a);
    if (reg >= 0)
        return read_scalar(a, o, reg);
    if (*a->scan.p == '[')
        return scan_expected_or(&a->scan, "an operand", "an address is in parentheses: (r1), (r1+4+=r2)");
    if (*a->scan.p == '-' && is_vector_at(a->scan.p + 1))
        return asm_error(a, o->from, "bad-operand", "v16rsub subtracts the first source from the second",
                         "a vector register has no sign");
    if (*a->scan.p == '(') {
        a->scan.p++;
        if (try_scalar(a) >= 0) {
            a->scan.p = o->from + 1;
            return read_address(a, o);
        }
        a->scan.p = o->from;
    }
    o->kind = VPU_READ_NUMBER;
    if (!read_number(a, o))
        return false;
    return !scan_take(&a->scan, '(') || read_address(a, o); /* 16(r3) */
}

/* ---- modifiers ---- */

enum modifier {
    MODIFIER_LANES,
    MODIFIER_RESULT,
    MODIFIER_BITS,
    MODIFIER_ACCUMULATOR,
    MODIFIER_LISTS,
    MODIFIER_REPEAT = MODIFIER_LISTS,
    MODIFIER_SETF,
    MODIFIER_NONE
};
static const char *const *const modifiers[MODIFIER_LISTS] = {vpu_lane_names, vpu_sru_names, vpu_accumulate_names,
                                                             vpu_accumulator_names};

/* What a word is, and its number among those of its list. */
static enum modifier modifier_of(const char *word, size_t length, int *number)
{
    for (unsigned list = 0; list < MODIFIER_LISTS; list++) {
        *number = scan_word_index(word, length, modifiers[list], SIZE_MAX);
        if (*number >= 0)
            return (enum modifier)list;
    }
    *number = scan_word_is(word, length, "SUM") ? VPU_SUMU : 2; /* ACC is UACC */
    if (scan_word_is(word, length, "SUM"))
        return MODIFIER_RESULT;
    if (scan_word_is(word, length, "ACC"))
        return MODIFIER_ACCUMULATOR;
    if (length >= 3 && scan_word_is(word, 3, "REP"))
        return MODIFIER_REPEAT;
    return scan_word_is(word, length, "SETF") ? MODIFIER_SETF : MODIFIER_NONE;
}

bool vpu_is_modifier_next(struct asm_state *a)
{
    int number;
    scan_blanks(&a->scan);
    size_t length = scan_word_length(a->scan.p);
    return length && modifier_of(a->scan.p, length, &number) != MODIFIER_NONE;
}

/* An instruction has one of each kind. */
static bool is_first(struct asm_state *a, const char *word, unsigned *seen, enum modifier kind, const char *what)
{
    if (*seen & 1u << kind)
        return asm_error(a, word, "syntax", NULL, "a second %s: an instruction has one", what);
    *seen |= 1u << kind;
    return true;
}

/* REP16, REP 16, REP r0 */
static bool take_repeat(struct asm_state *a, const char *word, size_t length, struct vpu_insn *insn)
{
    static const char *const counts[] = {"1", "2", "4", "8", "16", "32", "64"};
    const char *count = word + 3;
    size_t digits = length - 3;
    if (digits == 0) {
        scan_blanks(&a->scan);
        count = a->scan.p;
        digits = scan_word_length(count);
        a->scan.last = a->scan.p += digits;
    }
    int rep = scan_word_is(count, digits, "r0") ? VPU_REP_R0 : scan_word_index(count, digits, counts, 7);
    insn->rep = (uint8_t)rep;
    return rep >= 0 ||
           asm_error(a, word, "out-of-range", NULL, "an instruction is repeated 2, 4, 8, 16, 32, 64 or r0 times");
}

static bool not_both(struct asm_state *a, const char *word)
{
    return asm_error(a, word, "syntax", NULL, "the encoding holds an accumulation or a scalar result, not both");
}

/* SUMU r3: function and register. */
static bool take_scalar_result(struct asm_state *a, const char *word, int function, struct vpu_insn *insn)
{
    uint8_t reg;
    if (insn->acc & VPU_SRU)
        return asm_error(a, word, "syntax", NULL, "a second scalar result: an instruction has one");
    if (!vpu_read_register(a, &reg))
        return false;
    if (reg > 7)
        return asm_error(a, word, "out-of-range", NULL, "a scalar result goes to r0 to r7");
    if (insn->acc)
        return not_both(a, word);
    insn->acc = (uint8_t)(VPU_SRU | function << 3 | reg);
    return true;
}

/* The bits by themselves, of which CLRA goes with any, or the name of several. */
static bool take_accumulation(struct asm_state *a, const char *word, enum modifier kind, int number,
                              struct vpu_insn *insn, unsigned *seen)
{
    const unsigned bits = 1u << MODIFIER_BITS, name = 1u << MODIFIER_ACCUMULATOR;
    bool clears = kind == MODIFIER_BITS && 1 << number == VPU_ACC_CLRA;
    if (insn->acc & VPU_SRU)
        return not_both(a, word);
    if (clears && insn->acc & VPU_ACC_CLRA)
        return asm_error(a, word, "syntax", NULL, "a second CLRA: an instruction has one");
    if (!clears && *seen & (kind == MODIFIER_BITS ? name : bits | name))
        return asm_error(a, word, "syntax", NULL, "a second accumulation: an instruction has one");
    *seen |= clears ? 0 : 1u << kind;
    insn->acc |= (uint8_t)(kind == MODIFIER_BITS ? 1 << number : VPU_ACC_ENA | (number & 3) | (number & 12) << 1);
    return true;
}

static bool unknown_modifier(struct asm_state *a, const char *word, size_t length)
{
    const char *names[64] = {"SETF", "CLRA", "REP"};
    size_t n = 3;
    for (size_t l = 0; l < MODIFIER_LISTS; l++)
        for (const char *const *name = modifiers[l]; *name; name++)
            names[n++] = *name;
    return scan_unknown(&a->scan, "bad-modifier", "modifier", word, length, names, n);
}

static bool read_modifier(struct asm_state *a, struct vpu_insn *insn, unsigned *seen)
{
    const char *word;
    int number;
    size_t length = scan_word(&a->scan, &word);
    if (length == 0)
        return scan_expected_or(&a->scan, "a modifier",
                                *word == '+' && word[1] == '=' ? "the step of an address is in it: (r1+=r2)" : NULL);
    enum modifier kind = modifier_of(word, length, &number);
    switch (kind) {
    case MODIFIER_SETF:
        insn->setf = true;
        return is_first(a, word, seen, kind, "SETF");
    case MODIFIER_LANES:
        insn->lanes = (uint8_t)number;
        return is_first(a, word, seen, kind, "condition of lanes");
    case MODIFIER_REPEAT:
        return take_repeat(a, word, length, insn) && is_first(a, word, seen, kind, "repetition");
    case MODIFIER_RESULT:
        return take_scalar_result(a, word, number, insn);
    case MODIFIER_BITS:
    case MODIFIER_ACCUMULATOR:
        return take_accumulation(a, word, kind, number, insn, seen);
    default:
        return unknown_modifier(a, word, length);
    }
}

/* Bits that mean nothing, by the names of their fields. */
struct strays {
    int rs, d, a, xa; /* -1: not said */
};

/* {80v} names the encoding, {rs=7} a field. */
static bool read_braces(struct asm_state *a, struct vpu_wish *wish, struct strays *strays)
{
    static const char *const fields[] = {"rs", "d", "a", "xa", NULL};
    int *const values[] = {&strays->rs, &strays->d, &strays->a, &strays->xa};
    static const int64_t most[] = {7, 127, 127, 15};
    const char *from = a->scan.p, *last = a->scan.last;
    const char *word;
    int64_t value;
    scan_take(&a->scan, '{');
    size_t length = scan_word(&a->scan, &word);
    if (!length || !scan_take(&a->scan, '=')) {
        a->scan.p = from;
        a->scan.last = last;
        return vpu_take_pin(a, wish);
    }
    int field = scan_word_index(word, length, fields, 4);
    if (field < 0)
        return scan_unknown(&a->scan, "unknown-field", "field", word, length, fields, 4);
    if (!asm_constant(a, 0, most[field], "a field", &value))
        return false;
    *values[field] = (int)value;
    return asm_expect(a, '}', "'}'");
}

/* ---- operands where the operation wants them ---- */

static bool place_destination(struct asm_state *a, const struct vpu_reading *r, unsigned n, struct vpu_operand *out,
                              const char *what)
{
    const struct vpu_vector_operand *o = &r->operand[n];
    bool zero = o->kind == VPU_READ_NUMBER && o->number == 0; /* the manual writes 0 for a discarded result */
    if (o->kind != VPU_READ_VECTOR && o->kind != VPU_READ_DASH && !zero)
        return scan_error(&a->scan, r->at[n], "bad-operand",
                          "vector registers are H(0,0), HX(0,0), HY(0,0) and the like",
                          "%s is a vector register or -", what);
    *out = o->vector;
    if (zero)
        *out = (struct vpu_operand){.kind = VPU_DASH, .reg = VPU_NO_REG};
    return true;
}

/* 48-bit immediates of 32 to 63 in hexadecimal are the field of the encoding as the GNU port prints it, without its
 * sign. */
static void take_unsigned_field(struct asm_state *a, struct vpu_insn *insn, const struct vpu_vector_operand *o)
{
    struct vpu_insn negative = *insn;
    struct vpu_wish wish = {.size = 6};
    struct vpu_choice choice;
    if (!o->hex || o->number < 32 || o->number > 63)
        return;
    negative.imm = o->number - 64;
    if (!vpu_choose(&negative, &wish, &choice))
        return;
    insn->imm = negative.imm;
    diag_at(
        a->diags, WEFT_WARNING, "signed-immediate", a->scan.src, scan_span(&a->scan, o->from), NULL,
        "hexadecimal 0x20 to 0x3f are the 6-bit field of the encoding, which has a sign: this is %d; for %d write the "
        "decimal number",
        insn->imm, insn->imm + 64);
}

static bool place_source(struct asm_state *a, struct vpu_reading *r, unsigned n)
{
    const struct vpu_vector_operand *o = &r->operand[n];
    struct vpu_insn *insn = &r->insn;
    insn->imm = o->number;
    insn->step_reg = o->step;
    insn->vb = o->vector;
    switch (o->kind) {
    case VPU_READ_VECTOR:
        insn->imm = 0;
        return true;
    case VPU_READ_SCALAR:
    case VPU_READ_ADDRESS:
        if (o->step != VPU_NO_REG && !vpu_is_load(insn->op) && !vpu_is_store(insn->op))
            return scan_error(&a->scan, r->at[n], "bad-operand", NULL,
                              "only the address of a load or a store is stepped");
        insn->vb.kind = VPU_SCALAR;
        return true;
    case VPU_READ_NUMBER:
        insn->vb.kind = VPU_VIMM;
        if (insn->imm >= 32768 && insn->imm < 65536)
            insn->imm -= 65536;
        return true;
    default:
        return scan_error(&a->scan, r->at[n], "bad-operand", NULL, "the last operand is a register or an immediate");
    }
}

static bool place(struct asm_state *a, struct vpu_reading *r, const struct vpu_syntax *s)
{
    static const struct vpu_operand dash = {.kind = VPU_DASH, .reg = VPU_NO_REG};
    bool fine = true;
    r->insn.vd = r->insn.va = dash;
    for (unsigned n = 0; n < s->nitems && fine; n++)
        if (s->item[n] == VPU_ITEM_VB)
            fine = place_source(a, r, n);
        else if (s->item[n] == VPU_ITEM_VD)
            fine = place_destination(a, r, n, &r->insn.vd, "the destination");
        else
            fine = place_destination(a, r, n, &r->insn.va, "the first source");
    return fine;
}

/* vadd without a width: as wide as its widest register. */
static void settle_width(struct vpu_insn *insn)
{
    if (insn->x != VPU_X_OPEN)
        return;
    insn->x = VPU_16;
    const struct vpu_operand *const all[] = {&insn->vd, &insn->va, &insn->vb};
    for (size_t i = 0; i < 3; i++)
        if (all[i]->kind == VPU_VREG && all[i]->width == VPU_32)
            insn->x = VPU_32;
}

/* What the text says of bits that mean nothing, and what they are where it does not. */
static void place_strays(struct vpu_insn *insn, const struct strays *s, bool short_form)
{
    if (s->rs >= 0)
        insn->rs = (uint8_t)s->rs;
    if (insn->vd.kind == VPU_DASH) {
        insn->vd.vertical = short_form && vpu_direction48(insn);
        if (s->d >= 0) {
            insn->vd.vertical = s->d >= 64;
            insn->vd.y = (uint8_t)(s->d & 63);
        }
    }
    if (insn->va.kind == VPU_DASH) {
        insn->va.vertical = s->a >= 64;
        insn->va.y = (uint8_t)(s->a < 0 ? 0 : s->a & 63);
        insn->va.x = (uint8_t)(s->xa < 0 ? 0 : s->xa);
    }
}

bool vpu_end_vector(struct asm_state *a, struct vpu_reading *r, const struct vpu_syntax *s)
{
    struct vpu_insn *insn = &r->insn;
    struct vpu_wish *wish = &r->st->wish;
    struct strays strays = {-1, -1, -1, -1};
    struct vpu_choice choice;
    unsigned seen = 0;
    if (!place(a, r, s))
        return false;
    settle_width(insn);
    while (!asm_at_end(a)) {
        if (scan_take(&a->scan, ','))
            continue;
        if (*a->scan.p == '{' ? !read_braces(a, wish, &strays) : !read_modifier(a, insn, &seen))
            return false;
    }
    if (r->operand[s->nitems - 1].kind == VPU_READ_NUMBER)
        take_unsigned_field(a, insn, &r->operand[s->nitems - 1]);
    place_strays(insn, &strays, false);
    bool short_form = vpu_choose(insn, wish, &choice) && vpu_tables()->form[choice.form].size == 6;
    place_strays(insn, &strays, short_form);
    return vpu_finish_insn(a, r);
}

/* ---- vec48 a,b and vec80 a,b,c: the bits after the format, 11 and then 32 at a time ---- */

bool vpu_read_raw_vector(struct asm_state *a, struct vpu_statement *st)
{
    unsigned words = st->mnemonic.alias == VPU_ALIAS_VEC48 ? 1 : 2;
    int64_t value;
    uint8_t bytes[10];
    if (!asm_constant(a, 0, 2047, "the first 11 bits", &value))
        return false;
    unsigned first = (words == 1 ? 0xf000u : 0xf800u) | (unsigned)value;
    bytes[0] = (uint8_t)first;
    bytes[1] = (uint8_t)(first >> 8);
    for (unsigned i = 0; i < words; i++) {
        if (!asm_expect(a, ',', "','") || !asm_constant(a, INT32_MIN, UINT32_MAX, "32 bits", &value))
            return false;
        for (unsigned half = 0; half < 2; half++) {
            unsigned halfword = (unsigned)((uint64_t)value >> (16 - 16 * half)) & 0xffff;
            bytes[2 + 4 * i + 2 * half] = (uint8_t)halfword;
            bytes[3 + 4 * i + 2 * half] = (uint8_t)(halfword >> 8);
        }
    }
    struct vpu_insn insn;
    uint8_t *copy = arena_alloc(a->arena, sizeof bytes);
    if (!copy)
        return asm_no_memory(a);
    memcpy(copy, bytes, sizeof bytes);
    vpu_decode_insn(copy, 2 + 4 * words, 0, &insn);
    if (!a->included)
        insn.where = scan_span(&a->scan, st->from);
    return vpu_append(a, &insn);
}
