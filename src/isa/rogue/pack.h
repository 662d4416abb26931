/* pack.h - groups out of a plain list of instructions (weft asm --pack). Private to the instruction set.
 *
 * A list has one instruction a line, in the order in which it is meant to run. Lines that hand each other feedthroughs
 * are one *bundle*, which has to be one group; other bundles share a group where units, ports, destinations and what
 * they read and write allow it (chapter 3). Files: pack_lines.c text to bundles, pack_plain.c lines whose destination
 * is a register, pack_effects.c what may change places, pack_place.c bundles to one group, pack.c which bundles
 * (rogue_pack_list in parse.h). */
#ifndef WEFT_ISA_ROGUE_PACK_H
#define WEFT_ISA_ROGUE_PACK_H

#include "isa/rogue/parse.h"

/* ---- what a line reads and writes (pack_effects.c) ---- */

/* Register files (enum rogue_file), and */
enum rogue_pack_space {
    ROGUE_PACK_GLOBAL = ROGUE_FILES,
    ROGUE_PACK_MEMORY,
    ROGUE_PACK_OUTPUT, /* vertex outputs, pixels */
    ROGUE_PACK_FENCE   /* drc0, drc1 */
};
/* Things of a space that follow each other. */
struct rogue_pack_span {
    uint8_t space; /* enum rogue_pack_space */
    bool writes;
    uint16_t first, count;
};
struct rogue_pack_effects {
    bool barrier; /* nothing changes places with it */
    size_t count, cap;
    struct rogue_pack_span *spans;
};

/* How two lines, or bundles, are ordered, the second of which comes later in the list. */
enum rogue_pack_order {
    ROGUE_PACK_FREE,
    ROGUE_PACK_BESIDE, /* the second may share the group of the first: a group reads before it writes */
    ROGUE_PACK_LATER   /* the second is in a later group */
};
enum rogue_pack_order rogue_pack_order(const struct rogue_pack_effects *first, const struct rogue_pack_effects *second);
/* The same if the second gets the value of a register, which the first writes, as a feedthrough. */
enum rogue_pack_order rogue_pack_order_forwarded(const struct rogue_pack_effects *first,
                                                 const struct rogue_pack_effects *second, struct rogue_reg value);

/* Add what an instruction, a destination, a condition do. False without memory. */
bool rogue_pack_add_insn(struct rogue_pack_effects *e, struct arena *arena, const struct rogue_draft *d,
                         unsigned repeat);
bool rogue_pack_add_reg(struct rogue_pack_effects *e, struct arena *arena, struct rogue_reg r, unsigned count,
                        bool writes);
bool rogue_pack_add_condition(struct rogue_pack_effects *e, struct arena *arena, unsigned cc);
bool rogue_pack_add_effects(struct rogue_pack_effects *e, struct arena *arena, const struct rogue_pack_effects *more);

/* ---- bundles ---- */

/* Operands of kind ROGUE_RAW_FT, beside those of the text: the result of part `number` of the same bundle, and the
 * value that the bundle with that number gives the register `reg`. */
enum { ROGUE_PACK_PART = 0x40, ROGUE_PACK_VALUE = 0x41 };

enum { ROGUE_PACK_PARTS = 8, ROGUE_PACK_DECLARED = 4, ROGUE_PACK_WAYS = 3 };

struct rogue_pack_part {
    struct rogue_statement *st;
    uint16_t units; /* bit per enum rogue_unit */
    uint16_t op;    /* enum rogue_op */
    bool renamed;   /* operand 0 is FT0 or FT1, by phase */
};
/* One way to write a bundle. */
struct rogue_pack_way {
    uint8_t nparts, ndeclared;
    struct rogue_pack_part parts[ROGUE_PACK_PARTS];
    struct rogue_statement *declared[ROGUE_PACK_DECLARED]; /* mov r0, ft0; mov r0, r1 */
};
struct rogue_pack_bundle {
    uint8_t nways;
    uint8_t cc, repeat;
    bool alone; /* shares its group with nothing */
    bool empty; /* became part of another bundle */
    struct rogue_pack_way *ways;
    struct rogue_pack_effects effects;
    struct rogue_word text;  /* its first line */
    size_t first_line;       /* while the list is read */
    struct rogue_word label; /* a label and no instruction: its name */
};

struct rogue_pack_list {
    struct scan *scan;
    struct arena *arena;
    struct rogue_pack_bundle *bundles;
    size_t count, cap;
};

/* Text to bundles (pack_lines.c). False after an error; errors are in the diagnostics. */
bool rogue_pack_read(struct rogue_pack_list *list);

/* Make one bundle of bitwise lines that hand a register to each other (pack_fuse.c). */
void rogue_pack_fuse(struct rogue_pack_list *list);

/* The ways to write one statement that is by itself: as it is, or with a register as its destination
 * (pack_plain.c). The number of ways; 0 with *wrong when it is not an instruction. */
unsigned rogue_pack_ways(struct arena *arena, const struct rogue_statement *st, struct rogue_pack_way *ways,
                         struct rogue_mismatch *wrong);
/* A copy with room for `operands` operands, the first of which are those of st. NULL without memory. */
struct rogue_statement *rogue_pack_copy(struct arena *arena, const struct rogue_statement *st, unsigned operands);
/* Let an operand be ftN, fte, or ROGUE_PACK_PART or ROGUE_PACK_VALUE. */
void rogue_pack_set_feedthrough(struct rogue_raw *raw, unsigned n);

/* ---- groups (pack_place.c) ---- */

enum { ROGUE_PACK_MEMBERS = 8 };

struct rogue_pack_member {
    uint32_t bundle;
    const struct rogue_pack_way *forwarded; /* the only way; NULL: the bundle's */
};
struct rogue_pack_place {
    const struct rogue_pack_list *list;
    struct rogue_pending pending; /* the group, completed */
    struct rogue_trouble trouble; /* of the first attempt */
    bool troubled;                /* it has been filled in, or is not asked for */
};
/* Make one group of the members. False when no way to write them, no phases and no destinations fit; p->trouble then
 * says what was in the way at the first attempt, if `explain`. */
bool rogue_pack_place(struct rogue_pack_place *p, const struct rogue_pack_member *members, unsigned count,
                      bool explain);

#endif
