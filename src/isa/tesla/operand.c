/* operand.c - operands in words: the reference's "Operand fields" and "Dedicated memory operands". */
#include "isa/tesla/operand.h"

#include <stddef.h>

/* What a slot is made of. OTHER: a function of its own. */
enum slot_kind { K_REGISTER, K_NUMBER, K_MEMORY, K_GLOBAL, K_SOURCE, K_OTHER };

/* Columns by kind, as slots.inc names them. */
struct slot {
    uint8_t kind; /* enum slot_kind */
    uint8_t column[6];
};

static const struct slot slots[TESLA_SLOTS] = {
#define SLOT(name, kind, ...) {K_##kind, {__VA_ARGS__}},
#include "isa/tesla/slots.inc"
#undef SLOT
};

const uint8_t tesla_isrc_types[8] = {TESLA_U16, TESLA_U32, TESLA_U8, TESLA_U8,
                                     TESLA_S16, TESLA_S32, TESLA_S8, TESLA_S8};
/* Bits of the register that holds it; codes 3 and 7 are bytes in whole registers. */
static const uint8_t isrc_sizes[8] = {16, 32, 16, 32, 16, 32, 16, 32};

enum { MEM_SPACE, MEM_LOW, MEM_WIDTH, MEM_STEP, MEM_INCREMENT, MEM_AREG }; /* columns of MEMORY */
enum { REG_KIND, REG_LOW, REG_WIDTH, REG_MULTIPLE };                        /* of REGISTER */
enum { NUM_LOW, NUM_WIDTH, NUM_SIGNED };                                    /* of NUMBER */

static const uint64_t INCREMENT = UINT64_C(1) << 25, OUTPUT = UINT64_C(1) << 35;

/* ---- bits ---- */

static uint64_t address_bits(const struct slot *s)
{
    return tesla_field_mask(26, 2) | (s->column[MEM_AREG] == 3 ? UINT64_C(1) << 34 : 0);
}

static uint64_t other_used(enum tesla_slot slot)
{
    switch (slot) {
    case TESLA_SLOT_LD16:
    case TESLA_SLOT_LD32:
        return tesla_field_mask(2, 7) | OUTPUT;
    case TESLA_SLOT_IMM32:
        return tesla_field_mask(16, 6) | tesla_field_mask(34, 26);
    case TESLA_SLOT_ISRC:
        return tesla_field_mask(9, 7) | tesla_field_mask(46, 3);
    case TESLA_SLOT_AREG:
        return tesla_field_mask(26, 2) | UINT64_C(1) << 34;
    case TESLA_SLOT_CDST:
        return tesla_field_mask(36, 2);
    case TESLA_SLOT_MAYBE_CDST:
        return UINT64_C(1) << 38; /* which $c only counts with it */
    case TESLA_SLOT_TARGET:
        return tesla_field_mask(11, 16) | tesla_field_mask(46, 6);
    case TESLA_SLOT_TEX:
        return tesla_field_mask(9, 8);
    case TESLA_SLOT_SAMP:
        return tesla_field_mask(17, 5);
    case TESLA_SLOT_TD4:
        return tesla_field_mask(2, 6);
    case TESLA_SLOT_TDM:
        return tesla_field_mask(2, 7) | tesla_field_mask(25, 2) | tesla_field_mask(46, 2);
    case TESLA_SLOT_TSRC:
    case TESLA_SLOT_TSRCS:
        return tesla_field_mask(22, 2);
    default:
        return 0;
    }
}

uint64_t tesla_slot_used(enum tesla_slot slot)
{
    const struct slot *s = &slots[slot];
    const uint8_t *c = s->column;
    switch (s->kind) {
    case K_REGISTER: /* of a pair's number the low bit is none of it: it must be 0 */
        return tesla_field_mask(c[REG_LOW], c[REG_WIDTH]) & ~((uint64_t)(c[REG_MULTIPLE] - 1) << c[REG_LOW]);
    case K_NUMBER:
        return tesla_field_mask(c[NUM_LOW], c[NUM_WIDTH]);
    case K_MEMORY:
        return tesla_field_mask(c[MEM_LOW], c[MEM_WIDTH]) | address_bits(s) | (c[MEM_INCREMENT] ? INCREMENT : 0) |
               (c[MEM_SPACE] == TESLA_C_SPACE ? tesla_field_mask(54, 4) : 0);
    case K_GLOBAL:
        return tesla_field_mask(9, 7) | tesla_field_mask(c[0], 4);
    case K_SOURCE: {
        static const uint64_t fields[3] = {UINT64_C(0x7f) << 9, UINT64_C(0x7f) << 16, UINT64_C(0x7f) << 46};
        bool small = slot <= TESLA_SLOT_IA32;
        return small ? tesla_field_mask(c[0] == 0 ? 9 : 16, 6) : fields[c[0]];
    }
    default:
        return other_used(slot);
    }
}

uint8_t tesla_slot_source(enum tesla_slot slot)
{
    if (slots[slot].kind == K_SOURCE)
        return (uint8_t)(1u << slots[slot].column[0]);
    return slot == TESLA_SLOT_ISRC ? TESLA_HAS_A : 0;
}

static void set_shape(struct tesla_item *item, bool half, enum tesla_shape whole, unsigned low, unsigned width)
{
    item->shape = (uint8_t)(whole + half);
    item->low = (uint8_t)low;
    item->width = (uint8_t)width;
}

void tesla_slot_shape(struct tesla_item *item)
{
    static const uint8_t lows[3] = {9, 16, 46};
    const struct slot *s = &slots[item->slot];
    const uint8_t *c = s->column;
    bool small = item->slot <= TESLA_SLOT_IA32;
    if (s->kind == K_REGISTER && (c[REG_KIND] == TESLA_O_REG || c[REG_KIND] == TESLA_O_HALF))
        set_shape(item, c[REG_KIND] == TESLA_O_HALF, TESLA_SHAPE_REGISTER, c[REG_LOW], c[REG_WIDTH]);
    else if (s->kind == K_SOURCE)
        set_shape(item, c[1] == 16, TESLA_SHAPE_SOURCE, lows[c[0]], small ? 6 : 7);
    else if (item->slot == TESLA_SLOT_LD16 || item->slot == TESLA_SLOT_LD32)
        set_shape(item, item->slot == TESLA_SLOT_LD16, TESLA_SHAPE_DESTINATION, 2, 7);
}

/* ---- vectors of texture accesses ---- */

static uint8_t written_mask(uint64_t word)
{
    return (uint8_t)(tesla_bits(word, 25, 2) | tesla_bits(word, 46, 2) << 2);
}

static bool has_slot(const struct tesla_template *t, enum tesla_slot slot)
{
    for (unsigned i = 0; i < t->nitems; i++)
        if (t->items[i].kind == TESLA_I_OPERAND && t->items[i].slot == slot)
            return true;
    return false;
}

bool tesla_vectors_fit(const struct tesla_template *t, uint64_t word)
{
    unsigned first = tesla_bits(word, 2, t->small ? 6 : 7);
    unsigned written = t->small ? 4 : (unsigned)__builtin_popcount(written_mask(word));
    unsigned read = has_slot(t, TESLA_SLOT_SAME) ? 1 : tesla_bits(word, 22, 2) + 1;
    return first + (written > read ? written : read) <= 128;
}

static void read_vector(uint64_t word, unsigned width, unsigned items, unsigned mask, struct tesla_operand *out)
{
    out->kind = TESLA_O_VECTOR;
    out->reg = (uint8_t)tesla_bits(word, 2, width);
    out->mask = (uint8_t)mask;
    out->value = items;
}

/* ---- reading ---- */

static void read_register(const struct slot *s, uint64_t word, struct tesla_operand *out)
{
    uint32_t n = tesla_bits(word, s->column[REG_LOW], s->column[REG_WIDTH]);
    out->kind = s->column[REG_KIND];
    out->reg = (uint8_t)(out->kind == TESLA_O_HALF ? n >> 1 : n);
    out->high = out->kind == TESLA_O_HALF && (n & 1);
}

static void read_number(const struct slot *s, uint64_t word, struct tesla_operand *out)
{
    unsigned width = s->column[NUM_WIDTH];
    out->kind = TESLA_O_IMMEDIATE;
    out->value = tesla_bits(word, s->column[NUM_LOW], width);
    if (s->column[NUM_SIGNED])
        out->value = (uint32_t)((int32_t)(out->value << (32 - width)) >> (32 - width));
}

static void read_memory(const struct slot *s, uint64_t word, struct tesla_operand *out)
{
    const uint8_t *c = s->column;
    out->kind = TESLA_O_MEMORY;
    out->space = c[MEM_SPACE];
    out->index = (uint8_t)(out->space == TESLA_C_SPACE ? tesla_bits(word, 54, 4) : 0);
    out->areg = (uint8_t)(tesla_bits(word, 26, 2) | (c[MEM_AREG] == 3 ? tesla_bits(word, 34, 1) << 2 : 0));
    out->increment = c[MEM_INCREMENT] && (word & INCREMENT);
    out->offset = (int32_t)(tesla_bits(word, c[MEM_LOW], c[MEM_WIDTH]) * c[MEM_STEP]);
}

/* A register, o[], or with all ones nothing. */
static void read_destination(uint64_t word, unsigned size, struct tesla_operand *out)
{
    uint32_t n = tesla_bits(word, 2, 7);
    if (!(word & OUTPUT)) {
        out->kind = size == 16 ? TESLA_O_HALF : TESLA_O_REG;
        out->reg = (uint8_t)(size == 16 ? n >> 1 : n);
        out->high = size == 16 && (n & 1);
    } else if (n != 127) {
        out->kind = TESLA_O_MEMORY;
        out->space = TESLA_O_SPACE;
        out->offset = (int32_t)(n * size / 8);
    }
}

bool tesla_is_wide(const struct tesla_template *t, uint64_t word)
{
    uint32_t n = tesla_bits(word, 2, 7);
    return t->wide && (word & OUTPUT) && (n == 127 || n * 2 < 127);
}

static void read_plain(unsigned kind, uint32_t number, struct tesla_operand *out)
{
    out->kind = (uint8_t)kind;
    if (kind == TESLA_O_IMMEDIATE || kind == TESLA_O_TARGET)
        out->value = number;
    else
        out->reg = (uint8_t)number;
}

static void read_other(const struct tesla_template *t, enum tesla_slot slot, uint64_t word,
                       const struct tesla_selection *s, struct tesla_operand *out)
{
    unsigned code = tesla_bits(word, 46, 3), count = tesla_bits(word, 22, 2) + 1;
    switch (slot) {
    case TESLA_SLOT_LD16:
    case TESLA_SLOT_LD32:
        read_destination(word, slot == TESLA_SLOT_LD16 ? 16 : 32, out);
        break;
    case TESLA_SLOT_SAME:
        read_plain(TESLA_O_REG, tesla_bits(word, 2, t->small ? 6 : 7), out);
        break;
    case TESLA_SLOT_IMM32:
        read_plain(TESLA_O_IMMEDIATE, tesla_bits(word, 34, 26) << 6 | tesla_bits(word, 16, 6), out);
        break;
    case TESLA_SLOT_ISRC:
        tesla_read_source(t, 0, isrc_sizes[code], word, s, out);
        out->type = tesla_isrc_types[code];
        break;
    case TESLA_SLOT_AREG:
        read_plain(TESLA_O_A, tesla_bits(word, 26, 2) | tesla_bits(word, 34, 1) << 2, out);
        break;
    case TESLA_SLOT_CDST:
    case TESLA_SLOT_MAYBE_CDST:
        read_plain(TESLA_O_C, tesla_bits(word, 36, 2), out);
        break;
    case TESLA_SLOT_C0:
        read_plain(TESLA_O_C, 0, out);
        break;
    case TESLA_SLOT_TARGET:
        read_plain(TESLA_O_TARGET, tesla_bits(word, 11, 16) << 2 | tesla_bits(word, 46, 6) << 18, out);
        break;
    case TESLA_SLOT_TEX:
        read_plain(TESLA_O_TEXTURE, tesla_bits(word, 9, 8), out);
        break;
    case TESLA_SLOT_SAMP:
        read_plain(TESLA_O_SAMPLER, tesla_bits(word, 17, 5), out);
        break;
    case TESLA_SLOT_TD4:
        read_vector(word, 6, 4, 15, out);
        break;
    case TESLA_SLOT_TDM:
        read_vector(word, 7, 4, written_mask(word), out);
        break;
    default: /* TSRC, TSRCS */
        read_vector(word, slot == TESLA_SLOT_TSRC ? 7 : 6, count, (1u << count) - 1, out);
        break;
    }
}

void tesla_read_operand(const struct tesla_template *t, enum tesla_slot slot, uint64_t word,
                        const struct tesla_selection *sel, struct tesla_operand *out)
{
    const struct slot *s = &slots[slot];
    *out = (struct tesla_operand){0};
    switch (s->kind) {
    case K_REGISTER:
        read_register(s, word, out);
        break;
    case K_NUMBER:
        read_number(s, word, out);
        break;
    case K_MEMORY:
        read_memory(s, word, out);
        break;
    case K_GLOBAL:
        out->kind = TESLA_O_MEMORY;
        out->space = TESLA_G_SPACE;
        out->reg = (uint8_t)tesla_bits(word, 9, 7);
        out->index = (uint8_t)tesla_bits(word, s->column[0], 4);
        break;
    case K_SOURCE:
        tesla_read_source(t, s->column[0], s->column[1], word, sel, out);
        break;
    default:
        read_other(t, slot, word, sel, out);
        break;
    }
}

/* ---- writing ---- */

static bool put(uint64_t *word, unsigned low, unsigned width, uint32_t value)
{
    *word |= (uint64_t)value << low;
    return width >= 32 || value >> width == 0;
}

static bool write_register(const struct slot *s, const struct tesla_operand *o, uint64_t *word)
{
    const uint8_t *c = s->column;
    if (o->kind != c[REG_KIND] || o->reg % c[REG_MULTIPLE] != 0)
        return false;
    uint32_t n = o->kind == TESLA_O_HALF ? o->reg * 2u + o->high : o->reg;
    if (c[REG_KIND] == TESLA_O_C && (*word & tesla_field_mask(44, 2)) && tesla_bits(*word, 44, 2) != n)
        return false; /* $c of the predicate is in the same field */
    return put(word, c[REG_LOW], c[REG_WIDTH], n);
}

static bool write_number(const struct slot *s, const struct tesla_operand *o, uint64_t *word)
{
    const uint8_t *c = s->column;
    uint32_t ones = (1u << c[NUM_WIDTH]) - 1;
    if (o->kind != TESLA_O_IMMEDIATE)
        return false;
    if (!c[NUM_SIGNED])
        return put(word, c[NUM_LOW], c[NUM_WIDTH], o->value);
    int32_t value = (int32_t)o->value, half = 1 << (c[NUM_WIDTH] - 1);
    return put(word, c[NUM_LOW], c[NUM_WIDTH], (uint32_t)value & ones) && value >= -half && value < half;
}

static bool write_memory(const struct slot *s, const struct tesla_operand *o, uint64_t *word)
{
    const uint8_t *c = s->column;
    uint32_t offset = (uint32_t)o->offset;
    if (o->kind != TESLA_O_MEMORY || o->space != c[MEM_SPACE] || (o->increment && !c[MEM_INCREMENT]))
        return false;
    if (o->increment && o->offset < 0)
        offset &= 0xffff; /* the step wraps */
    if (offset % c[MEM_STEP] != 0 || !put(word, c[MEM_LOW], c[MEM_WIDTH], offset / c[MEM_STEP]))
        return false;
    *word |= o->increment ? INCREMENT : 0;
    if (o->space == TESLA_C_SPACE)
        put(word, 54, 4, o->index);
    *word |= (uint64_t)(o->areg & 3) << 26 | (uint64_t)(o->areg >> 2) << 34;
    return o->areg >> c[MEM_AREG] == 0;
}

static bool write_destination(unsigned size, const struct tesla_operand *o, uint64_t *word)
{
    uint32_t step = size / 8, offset = (uint32_t)o->offset;
    if (o->kind == (size == 16 ? TESLA_O_HALF : TESLA_O_REG))
        return put(word, 2, 7, size == 16 ? o->reg * 2u + o->high : o->reg);
    *word |= OUTPUT;
    if (o->kind == TESLA_O_NONE)
        return put(word, 2, 7, 127);
    return o->kind == TESLA_O_MEMORY && o->space == TESLA_O_SPACE && !o->areg && !o->increment && offset % step == 0 &&
           offset / step < 127 && put(word, 2, 7, offset / step);
}

/* The register at which a texture access starts: destination and source have the same. */
static bool write_base(const struct tesla_template *t, unsigned reg, uint64_t *word, bool *known)
{
    unsigned width = t->small ? 6 : 7;
    if (*known)
        return tesla_bits(*word, 2, width) == reg;
    *known = true;
    return put(word, 2, width, reg);
}

static bool write_written(const struct tesla_template *t, const struct tesla_operand *o, uint64_t *word, bool *known)
{
    if (o->kind != TESLA_O_VECTOR || o->value != 4 || (t->small && o->mask != 15))
        return false;
    if (!t->small)
        *word |= (uint64_t)(o->mask & 3) << 25 | (uint64_t)(o->mask >> 2) << 46;
    return o->mask == 0 || write_base(t, o->reg, word, known);
}

static bool write_read(const struct tesla_template *t, const struct tesla_operand *o, uint64_t *word, bool *known)
{
    unsigned count = o->kind == TESLA_O_REG ? 1 : o->value;
    if (o->kind != TESLA_O_REG && (o->kind != TESLA_O_VECTOR || o->mask != (1u << count) - 1))
        return false;
    return put(word, 22, 2, count - 1) && write_base(t, o->reg, word, known);
}

static bool write_plain(unsigned kind, const struct tesla_operand *o, unsigned low, unsigned width, uint64_t *word)
{
    uint32_t value = kind == TESLA_O_IMMEDIATE ? o->value : o->reg;
    return o->kind == kind && put(word, low, width, value);
}

static bool write_target(const struct tesla_operand *o, uint64_t *word)
{
    return o->kind == TESLA_O_IMMEDIATE && o->value % 4 == 0 && put(word, 11, 16, o->value >> 2 & 0xffff) &&
           put(word, 46, 6, o->value >> 18);
}

static bool write_immediate(const struct tesla_operand *o, uint64_t *word)
{
    return o->kind == TESLA_O_IMMEDIATE && put(word, 16, 6, o->value & 63) && put(word, 34, 26, o->value >> 6);
}

/* $a0 is written 0x0. */
static bool write_address_register(const struct tesla_operand *o, unsigned low, uint64_t *word)
{
    unsigned reg = o->kind == TESLA_O_A ? o->reg : 0;
    if (o->kind != TESLA_O_A && !(o->kind == TESLA_O_IMMEDIATE && o->value == 0))
        return false;
    *word |= low == 2 ? (uint64_t)reg << 2 : (uint64_t)(reg & 3) << 26 | (uint64_t)(reg >> 2) << 34;
    return reg < 8;
}

static bool write_other(const struct tesla_template *t, enum tesla_slot slot, const struct tesla_operand *o,
                        uint64_t *word, bool *known)
{
    switch (slot) {
    case TESLA_SLOT_LD16:
    case TESLA_SLOT_LD32:
        return write_destination(slot == TESLA_SLOT_LD16 ? 16 : 32, o, word);
    case TESLA_SLOT_SAME:
        *known |= !t->vector;
        return o->kind == TESLA_O_REG && write_base(t, o->reg, word, known);
    case TESLA_SLOT_IMM32:
        return write_immediate(o, word);
    case TESLA_SLOT_AREG:
        return write_address_register(o, 26, word);
    case TESLA_SLOT_CDST:
        return write_plain(TESLA_O_C, o, 36, 2, word);
    case TESLA_SLOT_MAYBE_CDST:
        *word |= UINT64_C(1) << 38;
        return write_plain(TESLA_O_C, o, 36, 2, word);
    case TESLA_SLOT_C0:
        return o->kind == TESLA_O_C && o->reg == 0;
    case TESLA_SLOT_TARGET:
        return write_target(o, word);
    case TESLA_SLOT_TEX:
        return write_plain(TESLA_O_TEXTURE, o, 9, 8, word);
    case TESLA_SLOT_SAMP:
        return write_plain(TESLA_O_SAMPLER, o, 17, 5, word);
    case TESLA_SLOT_TD4:
    case TESLA_SLOT_TDM:
        return write_written(t, o, word, known);
    case TESLA_SLOT_TSRC:
    case TESLA_SLOT_TSRCS:
        return write_read(t, o, word, known);
    default:
        return false;
    }
}

bool tesla_write_operand(const struct tesla_template *t, enum tesla_slot slot, const struct tesla_operand *o,
                         uint64_t *word, bool *base_known)
{
    const struct slot *s = &slots[slot];
    switch (s->kind) {
    case K_REGISTER:
        return slot == TESLA_SLOT_ADST ? write_address_register(o, 2, word) : write_register(s, o, word);
    case K_NUMBER:
        return write_number(s, o, word);
    case K_MEMORY:
        return write_memory(s, o, word);
    case K_GLOBAL:
        return o->kind == TESLA_O_MEMORY && o->space == TESLA_G_SPACE && put(word, 9, 7, o->reg) &&
               put(word, s->column[0], 4, o->index);
    case K_OTHER:
        return write_other(t, slot, o, word, base_known);
    default:
        return false;
    }
}

int tesla_isrc_code(uint8_t type, const struct tesla_operand *o)
{
    bool whole = o->kind == TESLA_O_REG;
    for (int code = 0; code < 8; code++) {
        bool byte_register = (code & 3) == 3;
        if (tesla_isrc_types[code] == type && byte_register == (whole && (type == TESLA_U8 || type == TESLA_S8)))
            return code;
    }
    return -1;
}

/* ---- words for messages ---- */

static const char *other_wants(enum tesla_slot slot)
{
    switch (slot) {
    case TESLA_SLOT_LD16:
        return "a half register, o[] or #";
    case TESLA_SLOT_LD32:
        return "a register, o[] or #";
    case TESLA_SLOT_SAME:
        return "the destination register again";
    case TESLA_SLOT_IMM32:
        return "a number of 32 bits";
    case TESLA_SLOT_ISRC:
        return "an integer type and a source of that size";
    case TESLA_SLOT_AREG:
        return "an address register, $a1 to $a7 or 0x0";
    case TESLA_SLOT_C0:
        return "$c0";
    case TESLA_SLOT_TARGET:
        return "a code address, a multiple of 4 below 0x1000000";
    case TESLA_SLOT_TEX:
        return "a texture, $t0 to $t255";
    case TESLA_SLOT_SAMP:
        return "a sampler, $s0 to $s31";
    case TESLA_SLOT_TD4:
        return "four registers, $r0:$r1:$r2:$r3";
    case TESLA_SLOT_TDM:
        return "four places for registers, $r0:#:$r1:#";
    case TESLA_SLOT_TSRC:
    case TESLA_SLOT_TSRCS:
        return "up to four registers from the destination's first, $r0:$r1";
    default:
        return "a condition register, $c0 to $c3";
    }
}

bool tesla_slot_range(enum tesla_slot slot, uint32_t *step, uint32_t *last)
{
    const struct slot *s = &slots[slot];
    if (s->kind != K_MEMORY)
        return false;
    *step = s->column[MEM_STEP];
    *last = ((1u << s->column[MEM_WIDTH]) - 1) * *step;
    return true;
}

const char *tesla_slot_wants(enum tesla_slot slot)
{
    static const char *const registers[] = {
        [TESLA_O_REG] = "a register, $r0 to $r127",
        [TESLA_O_HALF] = "a half register, $r0l to $r63h",
        [TESLA_O_PAIR] = "a register pair of even number, $r0d",
        [TESLA_O_QUAD] = "four registers whose number is a multiple of 4, $r0q",
        [TESLA_O_A] = "an address register, $a0 to $a7",
        [TESLA_O_C] = "a condition register, $c0 to $c3 (the predicate's, if there is one)",
        [TESLA_O_SREG] = "a special register",
    };
    static const char *const numbers[] = {[4] = "a number from 0 to 15",
                                          [7] = "a number from 0 to 0x7f",
                                          [12] = "a number from 0 to 0xfff",
                                          [16] = "a number from 0 to 0xffff"};
    static const char *const spaces[TESLA_SPACES] = {"a[]", "p[]", "v[]",           "o[]",
                                                     "s[]", "l[]", "c0[] to c15[]", "g0[] to g15[]"};
    const struct slot *s = &slots[slot];
    switch (s->kind) {
    case K_REGISTER:
        if (s->column[REG_KIND] == TESLA_O_REG && s->column[REG_WIDTH] == 6)
            return "a register, $r0 to $r63";
        if (s->column[REG_KIND] == TESLA_O_HALF && s->column[REG_WIDTH] == 6)
            return "a half register, $r0l to $r31h";
        return registers[s->column[REG_KIND]];
    case K_NUMBER:
        return s->column[NUM_SIGNED] ? "a number from -8 to 7" : numbers[s->column[NUM_WIDTH]];
    case K_MEMORY:
        return spaces[s->column[MEM_SPACE]];
    case K_GLOBAL:
        return "g0[$r0] to g15[$r127]";
    case K_SOURCE:
        return s->column[1] == 16 ? "a half register, or memory that the form and the program's type have"
                                  : "a register, or memory that the form and the program's type have";
    default:
        return other_wants(slot);
    }
}
