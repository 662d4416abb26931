/* draw.h - other values for the fields of an instruction, drawn at random. What says which instruction it is stays. */
#ifndef WEFT_TESTS_ISA_DRAW_H
#define WEFT_TESTS_ISA_DRAW_H

#include "test.h"

#include <stdbool.h>
#include <weft/weft.h>

static inline unsigned draw_width(const weft_field *f)
{
    unsigned width = 0;
    for (uint32_t p = 0; p < f->npieces; p++)
        width += f->pieces[p].width;
    return width;
}

static inline uint64_t draw_cut(uint64_t value, unsigned width)
{
    return width < 64 ? value & (((uint64_t)1 << width) - 1) : value;
}

/* One field, a few or most of them get any other values. The size of the instruction; 0: it has none of these. */
static inline size_t draw_any(const weft_decoder *decoder, const weft_insn *insn, unsigned variant, struct test_rng *r,
                              uint8_t *bytes)
{
    static weft_field fields[WEFT_INSN_FIELDS];
    size_t n = weft_insn_fields(decoder, insn, fields, WEFT_INSN_FIELDS);
    size_t one = n ? test_next(r) % n : 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t random = test_next64(r);
        uint32_t chance = test_next(r);
        bool stays = variant % 3 == 0 ? i != one : chance % 12 >= (variant % 3 == 1 ? 3 : 9);
        if (fields[i].kind == WEFT_FIELD_OPCODE || stays)
            continue;
        if (chance / 16 % 2)
            random = chance / 32 % 8 ? random % 4 : UINT64_MAX;
        fields[i].value = draw_cut(random, draw_width(&fields[i]));
    }
    return weft_insn_from_fields(fields, n, bytes, insn->size) == WEFT_OK ? insn->size : 0;
}

/* Such as programs have: modifiers of any kind, registers of low numbers, seldom a number of many bits or another
 * length or condition. What nothing depends on stays. */
static inline size_t draw_plain(const weft_decoder *decoder, const weft_insn *insn, unsigned variant,
                                struct test_rng *r, uint8_t *bytes)
{
    static weft_field fields[WEFT_INSN_FIELDS];
    static const uint8_t changed[] = {2, 6, 10, 14}; /* of 16, by variant */
    size_t n = weft_insn_fields(decoder, insn, fields, WEFT_INSN_FIELDS);
    size_t one = n ? test_next(r) % n : 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t random = test_next64(r);
        uint32_t chance = test_next(r);
        unsigned kind = fields[i].kind, width = draw_width(&fields[i]), of = changed[variant % 4];
        if (kind == WEFT_FIELD_OPCODE || kind == WEFT_FIELD_UNUSED)
            continue;
        if (strcmp(fields[i].name, "n") == 0) { /* how many registers a message has: right where others are right */
            fields[i].value = chance % 8 ? 1 + random % 4 : draw_cut(random, width);
            continue;
        }
        if (strcmp(fields[i].name, "table") == 0) { /* most instructions take one of a few */
            fields[i].value = random % 6;
            continue;
        }
        of = kind == WEFT_FIELD_MODIFIER ? of : kind == WEFT_FIELD_OPERAND ? (of + 1) / 2 : 1;
        if (chance % 16 >= of && (i != one || variant % 4 != 0))
            continue;
        if (width > 4 && kind != WEFT_FIELD_MODIFIER) {
            uint64_t low = random % 8;
            low |= chance / 16 % 4 == 0 ? (random / 8 & 3) << (width - 2) : 0;
            random = chance / 64 % 8 == 0 ? random >> 20 : low;
        }
        fields[i].value = draw_cut(random, width);
    }
    return weft_insn_from_fields(fields, n, bytes, insn->size) == WEFT_OK ? insn->size : 0;
}

#endif
