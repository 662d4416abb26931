/* insn.h - what the instruction sets' answers about one instruction (isa.insn) are put together with. */
#ifndef WEFT_ISA_INSN_H
#define WEFT_ISA_INSN_H

#include "isa/isa.h"
#include "isa/pattern.h"

#include <stdio.h>

/* ---- fields ---- */

/* Bits `bit` .. bit + width - 1 of the instruction's bytes, at most 64 of them. */
static inline uint64_t insn_bits(const uint8_t *bytes, unsigned bit, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= (uint64_t)(bytes[(bit + i) / 8] >> (bit + i) % 8 & 1) << i;
    return value;
}

/* Append a field of one piece, its value read from the instruction's bytes; a word is set by the caller. */
static inline struct weft_field *insn_field(struct weft_field *fields, size_t *n, const struct weft_insn *insn,
                                            const char *name, weft_field_kind kind, unsigned bit, unsigned width)
{
    struct weft_field *f = &fields[(*n)++];
    *f = (struct weft_field){.name = name, .kind = kind, .npieces = 1, .value = insn_bits(insn->bytes, bit, width)};
    f->pieces[0] = (weft_bits){(uint16_t)bit, (uint16_t)width};
    return f;
}

/* Append one more piece to a field, above those that it has. */
static inline void insn_piece(struct weft_field *f, const struct weft_insn *insn, unsigned bit, unsigned width)
{
    unsigned have = 0;
    for (uint32_t i = 0; i < f->npieces; i++)
        have += f->pieces[i].width;
    f->value |= insn_bits(insn->bytes, bit, width) << have;
    f->pieces[f->npieces++] = (weft_bits){(uint16_t)bit, (uint16_t)width};
}

/* ---- operands ---- */

static inline struct weft_operand *insn_register(struct weft_operand *operands, size_t *n, const char *file,
                                                 uint32_t number, uint32_t count, int access, unsigned width)
{
    struct weft_operand *o = &operands[(*n)++];
    *o = (struct weft_operand){.kind = WEFT_OPERAND_REGISTER, .access = access, .width = width, .count = count};
    o->reg = (weft_register){file, number};
    return o;
}

static inline struct weft_operand *insn_immediate(struct weft_operand *operands, size_t *n, int64_t value,
                                                  unsigned width)
{
    struct weft_operand *o = &operands[(*n)++];
    *o = (struct weft_operand){.kind = WEFT_OPERAND_IMMEDIATE, .access = WEFT_READ, .width = width, .count = 1};
    o->integer = value;
    o->number = (double)value;
    return o;
}

#endif
