/* words.h - the words of a module for those who do not have its rows: names, numbers and languages are read of modules
 * in builds without the grammar too. Numbers are those of SPIR-V's specification. */
#ifndef WEFT_ISA_SPIRV_WORDS_H
#define WEFT_ISA_SPIRV_WORDS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPIRV_HEADER_WORDS = 5, SPIRV_BOUND_WORD = 3, SPIRV_MOST_IDS = 0x400000 };

/* Opcodes, decorations and storage classes that are asked for. */
enum {
    SPIRV_OP_SOURCE_CONTINUED = 2,
    SPIRV_OP_SOURCE = 3,
    SPIRV_OP_NAME = 5,
    SPIRV_OP_MEMBER_NAME = 6,
    SPIRV_OP_ENTRY_POINT = 15,
    SPIRV_OP_EXECUTION_MODE = 16,
    SPIRV_OP_BOOL = 20,
    SPIRV_OP_INT = 21,
    SPIRV_OP_FLOAT = 22,
    SPIRV_OP_VECTOR = 23,
    SPIRV_OP_MATRIX = 24,
    SPIRV_OP_IMAGE = 25,
    SPIRV_OP_SAMPLER = 26,
    SPIRV_OP_SAMPLED_IMAGE = 27,
    SPIRV_OP_ARRAY = 28,
    SPIRV_OP_RUNTIME_ARRAY = 29,
    SPIRV_OP_STRUCT = 30,
    SPIRV_OP_POINTER = 32,
    SPIRV_OP_CONSTANT = 43,
    SPIRV_OP_SPEC_CONSTANT = 50,
    SPIRV_OP_FUNCTION = 54,
    SPIRV_OP_VARIABLE = 59,
    SPIRV_OP_DECORATE = 71,
    SPIRV_OP_MEMBER_DECORATE = 72
};
enum {
    SPIRV_IS_SPEC_ID = 1,
    SPIRV_IS_BUFFER_BLOCK = 3,
    SPIRV_IS_ROW_MAJOR = 4,
    SPIRV_IS_ARRAY_STRIDE = 6,
    SPIRV_IS_MATRIX_STRIDE = 7,
    SPIRV_IS_BUILT_IN = 11,
    SPIRV_IS_LOCATION = 30,
    SPIRV_IS_BINDING = 33,
    SPIRV_IS_SET = 34,
    SPIRV_IS_OFFSET = 35
};
enum {
    SPIRV_IN_CONSTANT = 0,
    SPIRV_IN_INPUT = 1,
    SPIRV_IN_UNIFORM = 2,
    SPIRV_IN_OUTPUT = 3,
    SPIRV_IN_PUSH = 9,
    SPIRV_IN_STORAGE = 12
};

struct spirv_words {
    const uint32_t *word;
    size_t count;
};

/* Of the first word of an instruction. */
static inline uint32_t spirv_op_of(uint32_t word)
{
    return word & 0xffff;
}
static inline uint32_t spirv_count_of(uint32_t word)
{
    return word >> 16;
}

/* The next instruction: *at, from 0 on, becomes the place of its first word. False: there is none that is whole. */
static inline bool spirv_next(struct spirv_words words, size_t *at)
{
    if (*at < words.count)
        *at += *at ? spirv_count_of(words.word[*at]) : (uint32_t)SPIRV_HEADER_WORDS;
    if (*at >= words.count)
        return false;
    uint32_t count = spirv_count_of(words.word[*at]);
    return count && count <= words.count - *at;
}

/* A literal text from its first word on, whose end the caller has seen: four characters in each word, the first in its
 * lowest bits. It is where it lies where memory has the lowest bits first, and a copy in the arena elsewhere; "" if the
 * arena has no room. */
static inline const char *spirv_literal(const uint32_t *word, struct arena *arena)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    (void)arena;
    return (const char *)word;
#else
    size_t size = 0;
    while ((word[size / 4] >> size % 4 * 8 & 0xff) != 0)
        size++;
    char *text = arena_array(arena, size + 1, 1);
    for (size_t i = 0; text && i < size; i++)
        text[i] = (char)(word[i / 4] >> i % 4 * 8);
    return text ? text : "";
#endif
}

/* The word of the id that an instruction makes; 0: it makes none, or one of another kind than types, numbers that are
 * constants and variables. */
static inline uint32_t spirv_result_word(uint32_t op)
{
    if (op >= SPIRV_OP_BOOL && op <= SPIRV_OP_POINTER)
        return 1;
    return op == SPIRV_OP_CONSTANT || op == SPIRV_OP_SPEC_CONSTANT || op == SPIRV_OP_VARIABLE ? 2 : 0;
}

#endif
