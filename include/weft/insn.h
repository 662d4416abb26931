/* weft/insn.h - one instruction: decode it from bytes, ask what it does, print it, make it from a line of text.
 *
 * A weft_decoder knows an instruction set, a chip and a stage. It does not change once it is made, so any number of
 * threads may use one. Decoding fills a structure of the caller and allocates nothing. The other functions answer more
 * about an instruction that was decoded: its operands, its bit fields, its text. They too write to arrays of the
 * caller.
 *
 *     weft_decoder *decoder;
 *     if (weft_decoder_new("tesla", NULL, &decoder) == WEFT_OK) {
 *         weft_insn insn;
 *         for (size_t at = 0; at < size; at += insn.size) {
 *             weft_insn_decode(decoder, bytes + at, size - at, at, &insn);
 *             char text[WEFT_INSN_TEXT];
 *             weft_insn_text(decoder, &insn, NULL, text, sizeof text, NULL, NULL);
 *             printf("%04llx %s\n", (unsigned long long)insn.address, text);
 *             if (insn.size == 0)
 *                 break;
 *         }
 *         weft_decoder_free(decoder);
 *     }
 *
 * An instruction of Rogue is an instruction group; of TGSI an instruction with its tokens. A group holds several
 * instructions: rows[] has one for each, and operands and fields say which one they are of (`part`).
 */
#ifndef WEFT_INSN_H
#define WEFT_INSN_H

#include <stddef.h>
#include <stdint.h>
#include <weft/api.h>
#include <weft/diag.h>
#include <weft/isa.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WEFT_INSN_PARTS = 8,       /* most instructions in a group */
    WEFT_INSN_OPERANDS = 64,   /* most operands of an instruction */
    WEFT_INSN_FIELDS = 192,    /* most fields of an instruction */
    WEFT_INSN_TOKENS = 512,    /* most tokens of an instruction's text */
    WEFT_INSN_TEXT = 2048,     /* room for any instruction's text, the final zero byte included */
    WEFT_FIELD_PIECES = 4,
    WEFT_FIELD_WORD = 40,
    WEFT_OPERAND_MODIFIERS = 4
};

typedef struct weft_decoder weft_decoder;

/* What bytes do not say themselves. NULL in place of the options means the defaults. */
typedef struct weft_decoder_options {
    size_t size;      /* weft/api.h */
    const char *chip; /* a chip of the instruction set; NULL: its newest */
    weft_stage stage; /* of the program; WEFT_STAGE_NONE: the instruction set's default */
} weft_decoder_options;

/* Make a decoder. WEFT_ERROR_USAGE: no such instruction set, chip or stage, or a size that the options never had.
 * WEFT_ERROR_MEMORY. *out is NULL unless WEFT_OK is returned. */
WEFT_API weft_status weft_decoder_new(const char *isa, const weft_decoder_options *options, weft_decoder **out);
WEFT_API void weft_decoder_free(weft_decoder *decoder); /* NULL is fine */
WEFT_API const weft_isa *weft_decoder_isa(const weft_decoder *decoder);

/* Where control goes after an instruction. */
typedef enum weft_flow {
    WEFT_FLOW_NEXT,    /* to the next instruction */
    WEFT_FLOW_BRANCH,  /* to the target; to an address in a register when there is no target */
    WEFT_FLOW_CALL,    /* to the target, and later back to the next instruction */
    WEFT_FLOW_RETURN,  /* to where a call was, or where a mark said */
    WEFT_FLOW_END,     /* the program ends for the lanes that come here */
    WEFT_FLOW_DISCARD, /* the fragment is thrown away */
    WEFT_FLOW_BARRIER, /* to the next instruction, once the others have come here */
    WEFT_FLOW_EMIT,    /* to the next instruction; a vertex or primitive is sent on */
    WEFT_FLOW_MARK,    /* to the next instruction; the target is kept for later (Tesla's joinat, prebrk, ...) */
    WEFT_FLOW_MASK,    /* structured: which lanes go on changes (IF, ELSE, LOOP, Rogue's cnd instructions) */
    WEFT_FLOW_TRAP     /* to an exception or interrupt handler, or the machine stops or sleeps */
} weft_flow;

/* "next", "branch", ..., never NULL. */
WEFT_API const char *weft_flow_name(weft_flow flow);

/* What an instruction does beyond its operands: a set of these. */
enum {
    WEFT_EFFECT_READS_FLAGS = 1 << 0,   /* condition flags, which operands name too where they are registers */
    WEFT_EFFECT_WRITES_FLAGS = 1 << 1,
    WEFT_EFFECT_READS_MEMORY = 1 << 2,  /* any space: an operand has it */
    WEFT_EFFECT_WRITES_MEMORY = 1 << 3,
    WEFT_EFFECT_ATOMIC = 1 << 4,
    WEFT_EFFECT_TEXTURE = 1 << 5,       /* reads or asks a texture or an image */
    WEFT_EFFECT_MESSAGE = 1 << 6,       /* its results come later: wait for weft_insn.signals */
    WEFT_EFFECT_WAITS = 1 << 7,         /* it waits for earlier messages: weft_insn.waits */
    WEFT_EFFECT_OUTPUT = 1 << 8,        /* writes outputs of the stage: colour, depth, position, varyings */
    WEFT_EFFECT_LANES = 1 << 9          /* reads registers of other lanes */
};

/* One decoded instruction. */
typedef struct weft_insn {
    const uint8_t *bytes;           /* in the caller's bytes, which must stay while the instruction is asked */
    uint64_t address;
    uint32_t size;                  /* bytes; of an unknown one those to skip; 0: too few bytes are left */
    uint32_t nrows;                 /* 0: unknown */
    uint32_t rows[WEFT_INSN_PARTS]; /* for weft_isa_get_row; rows[0] is the one that names the instruction */
    weft_flow flow;
    int conditional;                /* it does so only for lanes, or at times, that a condition selects */
    int has_target;
    uint64_t target;                /* an address of an instruction */
    uint32_t effects;               /* set of WEFT_EFFECT_... */
    uint32_t waits, signals;        /* bit n: message slot or data record counter n */
    const char *unit;               /* execution unit, where a source says it; else NULL */
    const char *fault;              /* why it is unknown ("no instruction has these bits"); NULL: it is known */
    uint32_t fault_bit, fault_width; /* the bits at fault: first one and how many; width 0: not known */
    uint64_t reserved[4];           /* the library's */
} weft_insn;

/* Decode the instruction at bytes[0], which is at `address` and has at most `size` bytes. *insn is always filled.
 * WEFT_OK: known. WEFT_ERROR_INPUT: unknown (insn->fault, insn->size bytes to skip), or bytes that end too early
 * (insn->size is 0). Allocates nothing. */
WEFT_API weft_status weft_insn_decode(const weft_decoder *decoder, const uint8_t *bytes, size_t size, uint64_t address,
                                      weft_insn *insn);

/* ---- operands ---- */

/* A register: `file` is the instruction set's word for its file ("r", "c", "IN"), NULL: none. */
typedef struct weft_register {
    const char *file;
    uint32_t number;
} weft_register;

typedef enum weft_operand_kind {
    WEFT_OPERAND_REGISTER,  /* reg, count, part of it by shift and width */
    WEFT_OPERAND_IMMEDIATE, /* integer, number */
    WEFT_OPERAND_MEMORY,    /* space, base, index, scale, displacement */
    WEFT_OPERAND_TARGET,    /* integer: an address of an instruction */
    WEFT_OPERAND_RESOURCE   /* texture, sampler, image, buffer: reg has its kind and number */
} weft_operand_kind;

/* What the bits of an operand mean. */
typedef enum weft_operand_type {
    WEFT_TYPE_BITS, WEFT_TYPE_SIGNED, WEFT_TYPE_UNSIGNED, WEFT_TYPE_FLOAT, WEFT_TYPE_FLAG
} weft_operand_type;

enum { WEFT_READ = 1, WEFT_WRITE = 2 };

/* What an operand is for. */
typedef enum weft_operand_role {
    WEFT_ROLE_PLAIN,
    WEFT_ROLE_PREDICATE, /* selects lanes, or says whether the instruction takes effect */
    WEFT_ROLE_IMPLIED    /* the text does not show it: flags, link registers, a stack pointer */
} weft_operand_role;

typedef struct weft_operand {
    weft_operand_kind kind;
    weft_operand_role role;
    weft_operand_type type;
    uint32_t part;               /* index in weft_insn.rows */
    int access;                  /* WEFT_READ, WEFT_WRITE or both; 0: neither (a result that is thrown away) */
    uint32_t width;              /* bits of one element; of memory: of one element that is moved */
    weft_register reg;
    uint32_t count;              /* consecutive registers, or memory elements, from reg on; 1 at least */
    uint32_t shift;              /* first bit within the register: 16 for a high half */
    uint8_t components;          /* TGSI: bit n: component n is accessed; 0: the register has none */
    uint8_t swizzle[4];          /* TGSI, sources: the component that x, y, z, w take */
    int indirect;                /* reg.number counts from what `index` holds at run time */
    int has_dimension;           /* TGSI: of CONST[dimension][number] */
    uint32_t dimension;
    int64_t integer;             /* immediate or target; of a float its bits */
    double number;               /* immediate as a number: of a float its value */
    const char *space;           /* memory: "global", "shared", "constant", ...; else NULL */
    weft_register base, index;   /* memory; index also of indirect registers */
    uint32_t scale;              /* bytes that index counts */
    int64_t displacement;        /* bytes */
    const char *modifiers[WEFT_OPERAND_MODIFIERS]; /* as the text writes them ("neg", "abs", ".h0"); NULL: no more */
} weft_operand;

/* The operands, in the order of the text, those that it does not show last. Fills at most `count` of `operands` and
 * returns how many there are (0 for an unknown instruction). */
WEFT_API size_t weft_insn_operands(const weft_decoder *decoder, const weft_insn *insn, weft_operand *operands,
                                   size_t count);

/* ---- fields ---- */

typedef enum weft_field_kind {
    WEFT_FIELD_OPCODE,   /* says which instruction it is */
    WEFT_FIELD_OPERAND,
    WEFT_FIELD_MODIFIER,
    WEFT_FIELD_CONTROL,  /* predicates, waits, ends, lengths */
    WEFT_FIELD_UNUSED    /* nothing depends on it; value is what is there */
} weft_field_kind;

/* `width` bits from `bit` on. Bit n of an instruction is bit n % 8 of byte n / 8. */
typedef struct weft_bits {
    uint16_t bit, width;
} weft_bits;

typedef struct weft_field {
    const char *name;                    /* as the document calls it */
    weft_field_kind kind;
    uint32_t part;                       /* index in weft_insn.rows */
    uint32_t npieces;
    weft_bits pieces[WEFT_FIELD_PIECES]; /* the least significant first; together at most 64 bits */
    uint64_t value;
    char word[WEFT_FIELD_WORD];          /* what the value means, in the words of the text ("f32", "$r5"); "" if it is
                                            only a number */
} weft_field;

/* The fields, the most significant bits of the first unit first, as manuals draw them. Together they cover each bit of
 * the instruction once. Fills at most `count` of `fields` and returns how many there are (0 for an unknown one). */
WEFT_API size_t weft_insn_fields(const weft_decoder *decoder, const weft_insn *insn, weft_field *fields, size_t count);

/* The opposite: set the bits of `fields` in size zero bytes. WEFT_ERROR_USAGE: a field does not fit `size`. */
WEFT_API weft_status weft_insn_from_fields(const weft_field *fields, size_t count, uint8_t *bytes, size_t size);

/* ---- text ---- */

typedef enum weft_token_kind {
    WEFT_TOKEN_MNEMONIC,
    WEFT_TOKEN_MODIFIER,
    WEFT_TOKEN_REGISTER,
    WEFT_TOKEN_NUMBER,
    WEFT_TOKEN_ADDRESS,
    WEFT_TOKEN_LABEL,
    WEFT_TOKEN_PUNCTUATION
} weft_token_kind;

/* "mnemonic", "modifier", ..., never NULL. */
WEFT_API const char *weft_token_name(weft_token_kind kind);

/* Bytes start .. start + size - 1 of the text. Blanks are in no token. */
typedef struct weft_token {
    uint32_t start, size;
    weft_token_kind kind;
} weft_token;

/* How to print. NULL in place of it: addresses as numbers. */
typedef struct weft_format {
    size_t size; /* weft/api.h; with one that the struct never had, addresses are printed as numbers */
    /* The name of an address, or NULL: then it is printed as a number. It must stay until weft_insn_text returns. */
    const char *(*name)(void *user, uint64_t address);
    void *user;
} weft_format;

/* The text of an instruction as `weft dis` prints it; of an unknown one its data form. Like snprintf: writes at most
 * size - 1 bytes and a zero byte, and returns the length of the whole. tokens (may be NULL) gets at most *ntokens
 * tokens; *ntokens becomes how many there are. */
WEFT_API size_t weft_insn_text(const weft_decoder *decoder, const weft_insn *insn, const weft_format *format,
                               char *text, size_t size, weft_token *tokens, size_t *ntokens);

/* One line of text to the bytes of one instruction at `address`. *used is how many bytes there are; those beyond `size`
 * are not written. WEFT_ERROR_INPUT: the line is at fault, or holds more than one instruction. Allocates. */
WEFT_API weft_status weft_insn_assemble(const weft_decoder *decoder, const char *line, uint64_t address,
                                        uint8_t *bytes, size_t size, size_t *used, weft_diags *diags);

/* ---- forms of a row: what documentation draws ---- */

/* An example of form `form` (from 0) of instruction `row`: bytes that decode to it, what is free being 0 where that is
 * legal. Returns its size, at most `size` of which are written, or 0 when there is no such form. *name is the form's
 * name ("long", "imm"), "" for the only one. weft_insn_fields of it is the form's bit picture. */
WEFT_API size_t weft_insn_form(const weft_decoder *decoder, uint32_t row, uint32_t form, uint8_t *bytes, size_t size,
                               const char **name);

#ifdef __cplusplus
}
#endif
#endif
