/* table.h - the encodings, as the manual writes them, and what each of their fields fills. */
#ifndef WEFT_ISA_VPU_TABLE_H
#define WEFT_ISA_VPU_TABLE_H

#include "isa/pattern.h"
#include "isa/vpu/vpu.h"

/* One encoding. The letters of the pattern are the manual's: op, d, a, b, c (condition), s (source), i (signed), u
 * (unsigned), o (offset or displacement, signed), m (registers of ldm); of vectors see enum vpu_slot. */
struct vpu_form_row {
    const char *pattern;
    const char *name; /* {name} after an instruction pins it to the form */
    const char *text; /* its operands as parser, printer and reference have them, see enum vpu_item */
    uint8_t op;       /* row of vpu_ops of operation 0 */
    uint8_t ops;      /* how many operations it encodes */
    uint8_t except;   /* 1 + number of an operation that another form encodes; 0: none */
    uint32_t only;    /* vector memory: bit per operation that the form is for; 0: all */
    uint8_t scale;    /* of i, u, o; 0 is 1 */
    uint8_t every;    /* row of vpu_ops = op + number * every; 0 is 1, and 2 is the most */
    uint8_t flags;    /* enum vpu_flags */
    uint8_t mode;     /* enum vpu_address */
    uint8_t implied;  /* 1 + register a, where the pattern implies it; 0: it does not */
    bool hex;         /* the immediate is written in hexadecimal */
};

/* Vector memory operations whose operand is an address, a bit each: ld, the two lookups, st, the two indexed writes. */
enum { VPU_ADDRESSED = 0x77 };
#define VPU_NOT_ADDRESSED (~(uint32_t)VPU_ADDRESSED)

/* How many forms there are, and operations in them all, which is what `weft isa vpu` lists. */
enum {
#define FORM(pattern, name, text, op, ops, ...) +1
#define FORM_BUT(but, ...)                             +1
#define FORM_ONLY(mask, ...)                           +1
    VPU_FORMS = 0
#include "isa/vpu/forms.inc"
#undef FORM
#undef FORM_BUT
#undef FORM_ONLY
    ,
#define FORM(pattern, name, text, op, ops, ...)          +ops
#define FORM_BUT(but, pattern, name, text, op, ops, ...) +ops - 1
#define FORM_ONLY(mask, ...)                                    +__builtin_popcount(mask)
    VPU_ROWS = 0
#include "isa/vpu/forms.inc"
#undef FORM
#undef FORM_BUT
#undef FORM_ONLY
};
extern const struct vpu_form_row vpu_form_rows[VPU_FORMS];

/* The members of struct vpu_insn that fields fill. */
enum vpu_role {
    VPU_ROLE_OP,
    VPU_ROLE_D,
    VPU_ROLE_LEFT /* d, a or both: SHAPE_TWO */,
    VPU_ROLE_A,
    VPU_ROLE_B,
    VPU_ROLE_COND,
    VPU_ROLE_SIGNED,
    VPU_ROLE_UNSIGNED,
    VPU_ROLE_FLOAT,
    VPU_ROLE_TARGET,
    VPU_ROLE_ABSOLUTE,
    VPU_ROLE_STEP,
    VPU_ROLE_BANK,
    VPU_ROLE_COUNT
};

/* The byte of struct vpu_insn that holds a field of a role as it is encoded; 0: the field is another way to say it. */
extern const uint8_t vpu_role_member[VPU_ROLE_COUNT + 1];

/* Fields of vector instructions, by their names in patterns. */
enum vpu_slot {
#define FIELD(name, manual, kind) VPU_F_##name,
#include "isa/vpu/fields.inc"
#undef FIELD
    VPU_SLOTS
};

/* Operands of the text, in its words. A form says all that it may have; which of them the text leaves out is a matter
 * of the operation and of their values (vpu_shows). */
enum vpu_item {
    VPU_ITEM_NONE,
    VPU_ITEM_D,        /* "rd" */
    VPU_ITEM_A,        /* "ra" */
    VPU_ITEM_LEFT,     /* "rd" of two operands: d, a or both */
    VPU_ITEM_B,        /* "rb", "rs": a source that a number may be in place of */
    VPU_ITEM_NUMBER,   /* "i": such a number */
    VPU_ITEM_CONSTANT, /* "u": one that must be known */
    VPU_ITEM_STEP,     /* "i" where `step` is meant (VPU_STEP) */
    VPU_ITEM_TARGET,   /* "target" */
    VPU_ITEM_NEAR,     /* "target" of a load or store: imm counts from the instruction */
    VPU_ITEM_PD,       /* "pd" */
    VPU_ITEM_PA,       /* "pa" */
    VPU_ITEM_ACCESS,   /* "(ra+o)", "(ra+rb<<w)", "(--ra)", "(ra++)" */
    VPU_ITEM_LIST,     /* "rb-rm" */
    VPU_ITEM_LINK,     /* "pc", "lr" */
    VPU_ITEM_STACK,    /* "(sp++)", "(--sp)" */
    VPU_ITEM_VD,       /* "D" */
    VPU_ITEM_VA,       /* "A" */
    VPU_ITEM_VB,       /* "B", "rb", "i", "(rb)" */
    VPU_ITEM_REGISTER_B /* B that is a register and nothing before it: of struct vpu_line */
};
#define VPU_ITEM(name) (UINT32_C(1) << VPU_ITEM_##name)

enum { VPU_MAX_ROLES = 8, VPU_MAX_ITEMS = 4, VPU_MAX_SYNTAXES = 8 /* of a mnemonic */ };

/* A field of a pattern in the form in which it is taken out of an instruction: two pieces at most, the lower one the
 * second. */
struct vpu_field {
    uint32_t mask[2];
    uint8_t low[2]; /* bit of the instruction where the piece begins */
    uint8_t shift;  /* width of the second piece */
    uint8_t width;  /* of both */
    uint8_t role;   /* scalar: enum vpu_role */
    uint8_t scale;  /* scalar: what it counts */
};

/* The higher piece: all of a field that has one piece. */
static inline uint32_t vpu_take_one(const struct vpu_field *f, const struct pattern_word *word)
{
    return (uint32_t)(word->w[f->low[0] >> 6] >> (f->low[0] & 63)) & f->mask[0];
}

static inline uint32_t vpu_take(const struct vpu_field *f, const struct pattern_word *word)
{
    uint32_t low = (uint32_t)(word->w[f->low[1] >> 6] >> (f->low[1] & 63)) & f->mask[1];
    return vpu_take_one(f, word) << f->shift | low;
}

static inline void vpu_put(const struct vpu_field *f, struct pattern_word *word, uint32_t value)
{
    const uint32_t piece[2] = {value >> f->shift & f->mask[0], value & f->mask[1]};
    for (unsigned n = 0; n < 2; n++) {
        uint64_t *w = &word->w[f->low[n] >> 6];
        *w = (*w & ~((uint64_t)f->mask[n] << (f->low[n] & 63))) | (uint64_t)piece[n] << (f->low[n] & 63);
    }
}

/* A register or condition of a scalar form: bits >> low & mask; mask 0: the form has none. */
struct vpu_place {
    uint8_t low, mask;
};

/* A number of a scalar form: sign-extended (`sign` is the bit of it, 0: there is none), then scaled. */
struct vpu_number {
    uint32_t mask[2];
    uint8_t low[2];
    uint8_t shift, scale;
    uint32_t sign;
};

/* What decoding and printing look at comes first. Scalar fields of the common roles have a place each, so that they are
 * decoded without asking what they are; those of all others come last in `field`. */
struct vpu_form {
    uint8_t size; /* bytes */
    uint8_t run;  /* forms from here on that share the fixed bits of the first halfword */
    bool sure;    /* the first halfword alone says that it is this form */
    bool vector, conditional, immediate;
    uint8_t first_op, spread;     /* row of vpu_ops = first_op + (number << spread) */
    uint8_t flags, mode, implied; /* of struct vpu_insn; register a */
    uint8_t ops;                  /* how many operations it encodes */
    bool hex;                     /* the immediate is written in hexadecimal */
    bool addressed;               /* vector: the last operand is an address */
    bool three;                   /* "rd,ra,rb" or "rd,ra,i", of which the operation may leave one out */
    uint8_t left;                 /* 255: d, a or both are one field (VPU_ROLE_LEFT); else 0 */
    uint8_t nroles, nplaced;      /* scalar: fields, without that of the operation; how many of them have a place */
    uint8_t always;               /* VPU_ALWAYS; 0: there is a condition */
    uint8_t writes;               /* enum vpu_written of a disassembly, of an operation of class VPU_BINARY */
    uint16_t first_rivals;        /* vpu_tables.rivals of operation 0 */
    struct vpu_place which, d, a, b, cond; /* scalar; which: the operation's number */
    struct vpu_number number;              /* scalar: an immediate or a target */
    uint32_t to_target, relative;          /* ~0: it is a target; it counts from the instruction; else 0 */
    struct pattern_word value, mask;       /* the fixed bits */
    struct vpu_field op;                   /* scalar: the operation's number; mask 0: there is one operation */
    struct vpu_field field[VPU_MAX_ROLES]; /* scalar */
    struct vpu_field slot[VPU_SLOTS];      /* vector; width 0: the form has none. In one piece, but for i */

    uint8_t nitems, item[VPU_MAX_ITEMS]; /* enum vpu_item */
    uint32_t has, optional;              /* a bit each: VPU_ITEM(); optional: those that the text may leave out */
    const struct vpu_form_row *row;
    struct pattern pattern;
    uint8_t kind; /* forms that may hold the same instruction have the same */
};

/* What the text says beyond the instruction: of encodings of the same size, the one that is written so is meant. */
enum vpu_written {
    VPU_WRITTEN_TWO = 1,    /* two operands: op rd,rb */
    VPU_WRITTEN_HEX = 2,    /* the immediate is hexadecimal */
    VPU_WRITTEN_OFFSET = 4, /* (ra+0), not (ra) */
    VPU_WRITTEN_NEAR = 8    /* ld rd,target */
};

/* A way to encode an operation: a form, and the operation that it is then called (add by a multiple is addscale), with
 * what it asks of an instruction (encode.h). */
struct vpu_candidate {
    uint8_t form, op;
    uint8_t size;         /* bytes */
    uint8_t writes;       /* enum vpu_written of a disassembly */
    uint8_t shift;        /* what the immediate is divided by, when add becomes addscale */
    bool same;            /* a and d are the same register */
    bool rest;            /* it asks for more than is said here */
    uint32_t odd;         /* bits that the immediate has not */
    int32_t least;        /* the least immediate, */
    uint32_t range;       /* and how much more it may be */
    uint64_t mask, value; /* of vpu_head */
};

/* Candidates, not longer than a form, that may hold the same instruction of an operation: shortest first, `before` of
 * them before the form itself. There are none unless the assembler would rather take one that holds the instruction. */
struct vpu_rivals {
    uint16_t first, before, count;
};

/* A way to write an operation. */
struct vpu_syntax {
    uint8_t op;    /* the operation that is meant */
    uint8_t flags; /* of struct vpu_insn */
    uint8_t nitems, item[VPU_MAX_ITEMS];
};

/* How an operation in a form is written: what the printer walks. */
struct vpu_line {
    uint8_t written; /* enum vpu_written */
    bool varies;     /* it depends on the operands */
    bool special;    /* the text may be that of another operation, or have a shift at its end */
    bool sized;      /* it says the size: the GNU port takes p registers only so */
    /* enum vpu_item, NONE after the last operand: LEFT is the register that it means, B, NUMBER and CONSTANT are
     * REGISTER_B if that is all they may be; with OPTIONAL if values decide whether it is there. */
    uint8_t item[VPU_MAX_ITEMS + 1];
};
enum { VPU_OPTIONAL = 0x80 };

/* The ways to write what a mnemonic names, side by side: by operand and way a VPU_ITEM, NONE after the last operand. */
struct vpu_ways {
    uint32_t item[VPU_MAX_ITEMS + 1][VPU_MAX_SYNTAXES];
};

/* What `weft isa vpu` lists: an operation in a form, which gives it the number `number`. */
struct vpu_reference {
    uint8_t form, op, number;
};

struct vpu_tables {
    uint32_t nrows;
    struct vpu_reference *row;
    uint16_t *row_of; /* by form and number of the operation: see vpu_form.first_rivals */
    uint32_t nforms;
    struct vpu_form form[VPU_FORMS];
    uint8_t first[65536];                  /* by first halfword: the first form that may match; VPU_NO_FORM */
    uint16_t candidate_first[VPU_OPS + 1]; /* by operation: its candidates, shortest first */
    struct vpu_candidate *candidate;
    struct vpu_rivals *rivals; /* by form and number of the operation: see vpu_form.first_rivals */
    struct vpu_line *line;     /* the same */
    struct vpu_candidate *rival;
    struct vpu_syntax syntax[VPU_DATA][VPU_MAX_SYNTAXES]; /* by operation that a mnemonic names */
    struct vpu_ways ways[VPU_DATA];
    /* Vector operands without their flags, by direction (bit 6 of the number) and the rest of the place. */
    struct vpu_operand coarse[1024], fine[1024];
};

/* The operation that adds or subtracts a multiple as `op` does a number: row of a + (b << shift). VPU_DATA: none does.
 */
unsigned vpu_scaled(unsigned op, unsigned shift);

/* What a field of a scalar form's pattern fills. */
enum vpu_role vpu_role_of(const struct vpu_form *f, const char *name);

/* The binary32 that a 6-bit float immediate means. */
uint32_t vpu_float6(uint32_t raw);

/* The first registers that ldm and stm can name, by bb. */
extern const uint8_t vpu_banks[4];

/* The compiled tables; made at the first call. NULL without memory, or when the rows are at fault. */
const struct vpu_tables *vpu_tables(void);

/* Why vpu_tables is NULL, with the form's name: the rows are at fault. NULL: memory is. */
const char *vpu_table_fault(void);

/* The status of a call that needs the tables when there are none; it says what is at fault. */
weft_status vpu_no_tables(weft_diags *diags);

/* Compile `count` forms, at most VPU_FORMS, into t, which is zeros. False with *fault, which is in the arena: they are
 * at fault; or without one: there is no memory. */
bool vpu_compile_tables(struct vpu_tables *t, const struct vpu_form_row *rows, unsigned count, struct arena *arena,
                        const char **fault);

/* The 80 bits or less of an instruction, its first halfword highest; of scalar48 the second part is one word. */
static inline uint64_t vpu_halfword(const uint8_t *bytes, unsigned number)
{
    return (uint64_t)(bytes[2 * number] | bytes[2 * number + 1] << 8);
}

static inline bool vpu_is_scalar48(unsigned first)
{
    return first >> 12 == 14;
}

static inline struct pattern_word vpu_word(const uint8_t *bytes, unsigned size)
{
    const uint64_t first = vpu_halfword(bytes, 0);
    if (size == 2)
        return (struct pattern_word){{first, 0}};
    const uint64_t second = vpu_halfword(bytes, 1);
    if (size == 4)
        return (struct pattern_word){{first << 16 | second, 0}};
    const uint64_t third = vpu_halfword(bytes, 2);
    if (size == 6)
        return (struct pattern_word){
            {first << 32 | (vpu_is_scalar48((unsigned)first) ? third << 16 | second : second << 16 | third), 0}};
    return (struct pattern_word){
        {second << 48 | third << 32 | vpu_halfword(bytes, 3) << 16 | vpu_halfword(bytes, 4), first}};
}

/* Put the number of an operation of the form (vpu_reference.number). */
void vpu_put_number(const struct vpu_form *f, struct pattern_word *word, unsigned number);

void vpu_put_word(struct pattern_word word, const struct vpu_form *form, uint8_t *bytes);

/* Bytes of an instruction by its first halfword. */
static inline unsigned vpu_length(unsigned halfword)
{
    static const uint8_t length[32] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                                       4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 6, 6, 6, 10};
    return length[halfword >> 11];
}

/* What a disassembly of the form looks like (enum vpu_written). */
static inline unsigned vpu_form_writes(const struct vpu_form *f, unsigned op)
{
    bool two = f->three && vpu_ops[op].class != VPU_BINARY;
    return f->writes | (two ? VPU_WRITTEN_TWO : 0u);
}

/* The same of the text that is printed: an access relative to pc is written with its offset. */
static inline unsigned vpu_form_text(const struct vpu_form *f, unsigned op)
{
    return vpu_form_writes(f, op) & ~(f->has & VPU_ITEM(ACCESS) ? (unsigned)VPU_WRITTEN_NEAR : 0u);
}

/* The form of the instruction at bytes[0], and its bits; NULL: none. */
const struct vpu_form *vpu_match(const struct vpu_tables *t, const uint8_t *bytes, size_t size,
                                 struct pattern_word *word);

/* vpu_decode_insn with the tables. */
void vpu_decode_with(const struct vpu_tables *t, const uint8_t *bytes, size_t size, uint32_t address,
                     struct vpu_insn *out);

/* Decode the bits of an instruction whose form is known. */
void vpu_decode_as(const struct vpu_tables *t, const struct vpu_form *f, const struct pattern_word *word,
                   uint32_t address, struct vpu_insn *out);

/* Where rows of a form and operation are: rivals, line, row_of. */
static inline unsigned vpu_place_of(const struct vpu_form *f, unsigned op)
{
    return f->first_rivals + ((op - f->first_op) >> f->spread);
}

/* The row of an instruction. */
static inline uint32_t vpu_row_of(const struct vpu_tables *t, const struct vpu_insn *i)
{
    return t->row_of[vpu_place_of(&t->form[i->form], i->op)];
}

/* ---- syntax.c ---- */

/* Compile the text of a form, whose row and flags are set. False: it has a word that is not an operand, or too many. */
bool vpu_compile_text(struct vpu_form *f);
/* The item that the text of an operation in a form leaves out where nothing asks for it; VPU_ITEM_NONE. */
enum vpu_item vpu_left_out(const struct vpu_form *f, unsigned op);
/* Are d and a both written although the operation makes one of them out, or ignores it? */
bool vpu_names_all(const struct vpu_insn *i);
/* How an operation in a form is written. */
struct vpu_line vpu_compile_line(const struct vpu_form *f, unsigned op);
/* Does the text of an instruction show an operand of its form's template? */
bool vpu_shows_optional(const struct vpu_form *f, const struct vpu_insn *i, enum vpu_item item);
static inline bool vpu_shows(const struct vpu_form *f, const struct vpu_insn *i, enum vpu_item item)
{
    return !(f->optional >> item & 1) || vpu_shows_optional(f, i, item);
}
/* How each operation may be written. */
void vpu_list_syntaxes(struct vpu_tables *t);

static inline bool vpu_has_slot(const struct vpu_form *f, enum vpu_slot slot)
{
    return f->slot[slot].width != 0;
}

static inline bool vpu_is_load(unsigned op)
{
    return (vpu_ops[op].effects & WEFT_EFFECT_READS_MEMORY) != 0;
}
static inline bool vpu_is_store(unsigned op)
{
    return (vpu_ops[op].effects & WEFT_EFFECT_WRITES_MEMORY) != 0;
}

/* What ldm and stm move beside their list. */
static inline unsigned vpu_link_of(unsigned op)
{
    return vpu_is_load(op) ? VPU_PC : VPU_LR;
}

/* "stm lr, (--sp)" is written with a list that holds all registers, or gp-r7 (docs/fidelity.md). */
static inline void vpu_find_link_only(struct vpu_insn *i)
{
    unsigned count = (i->b - i->a) & 31u;
    if (count == 31 || (count == 15 && i->a == VPU_GP))
        i->flags |= VPU_LINK_ONLY;
}

/* add rd,pc,i is read as lea, which has encodings of its own. */
static inline bool vpu_is_pc_sum(const struct vpu_insn *i)
{
    return vpu_ops[i->op].instead && vpu_ops[i->op].class == VPU_BINARY && i->a == VPU_PC && i->d != VPU_PC &&
           i->flags & VPU_IMMEDIATE && i->cond == VPU_ALWAYS;
}

#endif
