/* tokens.h - where the fields of Gallium's token stream lie.
 *
 * A field is written as the pair `lowest bit, width`, so that TOKEN_GET(word, INSN_OPCODE) and
 * TOKEN_PUT(value, INSN_OPCODE) read like the table of docs/tgsi-tokens.md. The layout is that of Mesa 22.3's
 * p_shader_tokens.h; fields marked "weft" lie in bits which Gallium reserves. *_SPARE are the bits that nobody
 * uses: they must be zero. */
#ifndef WEFT_ISA_TGSI_TOKENS_H
#define WEFT_ISA_TGSI_TOKENS_H

#include <stdint.h>

static inline uint32_t token_mask(unsigned low, unsigned width)
{
    return (width == 32 ? UINT32_MAX : (1u << width) - 1u) << low;
}

static inline uint32_t token_get(uint32_t word, unsigned low, unsigned width)
{
    return (word & token_mask(low, width)) >> low;
}

/* A 16-bit field that holds a signed number. */
static inline int32_t token_get_signed16(uint32_t word, unsigned low, unsigned width)
{
    return (int16_t)token_get(word, low, width);
}

static inline uint32_t token_put(uint32_t value, unsigned low, unsigned width)
{
    return (value << low) & token_mask(low, width);
}

#define TOKEN_GET(word, field)   token_get(word, field)
#define TOKEN_GET16S(word, field) token_get_signed16(word, field)
#define TOKEN_PUT(value, field)  token_put((uint32_t)(value), field)

/* ---- the two words in front ---- */
#define HEADER_SIZE     0, 8  /* words in front of the body: 2 */
#define HEADER_BODY     8, 24 /* words of the body */
#define PROCESSOR_KIND  0, 4
#define PROCESSOR_SPARE 0xfffffff0u

/* ---- the first word of every item ---- */
#define ITEM_TYPE  0, 4
#define ITEM_COUNT 4, 8 /* words of the item; immediates have six bits more */

enum token_type { TOKEN_DECLARATION, TOKEN_IMMEDIATE, TOKEN_INSTRUCTION, TOKEN_PROPERTY };

/* ---- declaration: range, [dimension], [interpolation], [semantic], [image | resource | view], [array], [extra] */
#define DECL_FILE      12, 4
#define DECL_MASK      16, 4
#define DECL_DIMENSION 20, 1
#define DECL_SEMANTIC  21, 1
#define DECL_INTERP    22, 1
#define DECL_INVARIANT 23, 1
#define DECL_LOCAL     24, 1
#define DECL_ARRAY     25, 1
#define DECL_ATOMIC    26, 1
#define DECL_MEMKIND   27, 2
#define DECL_PREDICATE 29, 1 /* weft: file 15 is PRED, not RES */
#define DECL_BRACKET   30, 1 /* weft: the empty first bracket stands (or does not stand) against the stage's rule */
#define DECL_EXTRA     31, 1 /* weft: an extra word follows */

#define RANGE_FIRST 0, 16
#define RANGE_LAST  16, 16

#define DIM_INDEX  0, 16
#define DIM_EXTENT 16, 16 /* weft: last - first of a range in the first bracket */

#define INTERP_MODE     0, 4
#define INTERP_LOCATION 4, 2
#define INTERP_WRAP     6, 4 /* cylindrical wrap: gone from newer Gallium, still read and written */
#define INTERP_SPARE    0xfffffc00u

#define SEMANTIC_NAME    0, 8
#define SEMANTIC_INDEX   8, 16
#define SEMANTIC_STREAMS 24, 8 /* two bits per component, x lowest */

#define IMAGE_TARGET   0, 8
#define IMAGE_RAW      8, 1
#define IMAGE_WRITABLE 9, 1
#define IMAGE_FORMAT   10, 10
#define IMAGE_SPARE    0xfff00000u
#define RESOURCE_SPARE 0xfffffc00u /* the older document's resources have no format */

#define VIEW_TARGET  0, 8
#define VIEW_TYPES   8, 24 /* a return type of six bits per component, x lowest */

#define ARRAY_ID    0, 10
#define ARRAY_SPARE 0xfffffc00u

#define EXTRA_LOCATION 0, 2 /* weft: an interpolation location without an interpolation mode */
#define EXTRA_STREAMS  2, 8 /* weft: vertex streams without a semantic */
#define EXTRA_WRAP     10, 4 /* weft: cylindrical wrapping without an interpolation mode */
#define EXTRA_SPARE    0xffffc000u

/* ---- immediate: four words of data ---- */
#define IMM_COUNT 4, 14
#define IMM_TYPE  18, 4
#define IMM_SPARE 0xffc00000u

/* ---- property: one to eight words of data ---- */
#define PROPERTY_NAME  12, 8
#define PROPERTY_SPARE 0xfff00000u

/* ---- instruction: [extra], [label], [texture, offsets], [memory], destinations, sources ---- */
#define INSN_OPCODE   12, 8
#define INSN_SATURATE 20, 1
#define INSN_NDST     21, 2
#define INSN_NSRC     23, 4
#define INSN_LABEL    27, 1
#define INSN_TEXTURE  28, 1
#define INSN_MEMORY   29, 1
#define INSN_PRECISE  30, 1
#define INSN_EXTRA    31, 1 /* weft: an extra word follows at once */

/* The extra word. Its predicate bits say of each file number 15 of the instruction that it is PRED, not RES: bits in
 * the order of the operands, destinations (2) before sources (5). */
#define MORE_OPCODE    0, 8  /* bits 8-15 of the opcode number */
#define MORE_FILES     8, 7  /* of the operands' own files */
#define MORE_INDEX     15, 7 /* of the address registers of their indices */
#define MORE_DIM       22, 7 /* of the address registers of their first brackets */
#define MORE_SPARE     0xe0000000u

#define LABEL_TARGET 0, 24
#define LABEL_SPARE  0xff000000u

#define TEX_TARGET  0, 8
#define TEX_OFFSETS 8, 4
#define TEX_RETURN  12, 3
#define TEX_SPARE   0xffff8000u

#define OFFSET_INDEX     0, 16
#define OFFSET_FILE      16, 4
#define OFFSET_SWIZZLE   20, 6
#define OFFSET_PREDICATE 26, 1 /* weft */
#define OFFSET_SPARE     0xf8000000u

#define MEMORY_QUALIFIER 0, 4
#define MEMORY_TARGET    4, 8
#define MEMORY_FORMAT    12, 10
#define MEMORY_BUFFER    22, 1 /* weft: the target BUFFER (0) is written out */
#define MEMORY_SPARE     0xff800000u

#define SRC_FILE      0, 4
#define SRC_INDIRECT  4, 1
#define SRC_DIMENSION 5, 1
#define SRC_INDEX     6, 16
#define SRC_SWIZZLE   22, 8
#define SRC_ABSOLUTE  30, 1
#define SRC_NEGATE    31, 1

#define DST_FILE      0, 4
#define DST_MASK      4, 4
#define DST_INDIRECT  8, 1
#define DST_DIMENSION 9, 1
#define DST_INDEX     10, 16
#define DST_SPARE     0xfc000000u

/* weft: an address register of file NULL and index -1 is none; the word only carries an array id. */
#define ADDRESS_FILE    0, 4
#define ADDRESS_INDEX   4, 16
#define ADDRESS_SWIZZLE 20, 2
#define ADDRESS_ARRAY   22, 10

#define BRACKET_INDIRECT 0, 1
#define BRACKET_INDEX    16, 16
#define BRACKET_SPARE    0x0000fffeu /* bit 1 would announce a third bracket, which no stream has */

/* Numbers of the processors in the stream, in the order of enum tgsi_processor (Mesa 22.3's pipe_shader_type). */
#define TOKEN_PROCESSORS {4, 0, 3, 1, 2, 5}

enum { TOKEN_FILE_OLDER = 15 /* RES or PRED */, TOKEN_HEADER_WORDS = 2, TOKEN_BODY_MAX = (1 << 24) - 1 };

#endif
