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

enum pack_space {
    PACK_R,
    PACK_VI,
    PACK_CF,
    PACK_CFA,
    PACK_SH,
    PACK_O,
    PACK_I,
    PACK_IDX,
    PACK_GLOBAL,
    PACK_P0,
    PACK_MEMORY,
    PACK_OUTPUT, /* vertex outputs, pixels */
    PACK_FENCE   /* drc0, drc1 */
};
/* Things of a space that follow each other. */
struct pack_span {
    uint8_t space; /* enum pack_space */
    bool writes;
    uint16_t first, count;
};
struct pack_effects {
    bool barrier; /* nothing changes places with it */
    size_t count, cap;
    struct pack_span *spans;
};

/* What stands between two lines, or bundles, the second of which comes later in the list. */
enum pack_order {
    PACK_FREE,
    PACK_BESIDE, /* the second may share the group of the first: a group reads before it writes */
    PACK_BEHIND  /* the second is in a later group */
};
enum pack_order pack_order(const struct pack_effects *first, const struct pack_effects *second);
/* The same if the second gets the value of a register, which the first writes, as a feedthrough. */
enum pack_order pack_order_forwarded(const struct pack_effects *first, const struct pack_effects *second,
                                     struct rogue_reg value);

/* Add what an instruction, a destination, a condition do. False without memory. */
bool pack_add_insn(struct pack_effects *e, struct arena *arena, const struct rogue_draft *d, unsigned repeat);
bool pack_add_reg(struct pack_effects *e, struct arena *arena, struct rogue_reg r, unsigned count, bool writes);
bool pack_add_condition(struct pack_effects *e, struct arena *arena, unsigned cc);
bool pack_add_effects(struct pack_effects *e, struct arena *arena, const struct pack_effects *more);

/* ---- bundles ---- */

/* Operands of kind ROGUE_RAW_FT, beside those of the text: the result of part `number` of the same bundle, and the
 * value that the bundle with that number gives the register `reg`. */
enum { PACK_PART = 0x40, PACK_VALUE = 0x41 };

enum { PACK_PARTS = 8, PACK_DECLARED = 4, PACK_WAYS = 3 };

struct pack_part {
    struct rogue_statement *st;
    uint16_t units; /* bit per enum rogue_unit */
    uint16_t op;    /* enum rogue_op */
    bool renamed;   /* operand 0 is FT0 or FT1, by phase */
};
/* One way to write a bundle. */
struct pack_way {
    uint8_t nparts, ndeclared;
    struct pack_part parts[PACK_PARTS];
    struct rogue_statement *declared[PACK_DECLARED]; /* mov r0, ft0; mov r0, r1 */
};
struct pack_bundle {
    uint8_t nways;
    uint8_t cc, repeat;
    bool alone; /* shares its group with nothing */
    bool empty; /* became part of another bundle */
    struct pack_way *ways;
    struct pack_effects effects;
    struct rogue_word text;  /* its first line */
    size_t first_line;       /* while the list is read */
    struct rogue_word label; /* a label and no instruction: its name */
};

struct pack_list {
    struct scan *scan;
    struct arena *arena;
    struct pack_bundle *bundles;
    size_t count, cap;
};

/* Text to bundles (pack_lines.c). False after an error; errors are in the diagnostics. */
bool pack_read(struct pack_list *list);

/* Make one bundle of bitwise lines that hand a register to each other (pack_fuse.c). */
void pack_fuse(struct pack_list *list);

/* The ways to write one statement that stands by itself: as it is, or with a register as its destination
 * (pack_plain.c). The number of ways; 0 with *wrong when it is no instruction. */
unsigned pack_ways(struct arena *arena, const struct rogue_statement *st, struct pack_way *ways,
                   struct rogue_mismatch *wrong);
/* A copy with room for `operands` operands, the first of which are those of st. NULL without memory. */
struct rogue_statement *pack_copy(struct arena *arena, const struct rogue_statement *st, unsigned operands);
/* Let an operand be ftN, fte, or PACK_PART or PACK_VALUE. */
void pack_set_feedthrough(struct rogue_raw *raw, unsigned n);
/* Append a part that matches as it stands. */
bool pack_add_part(struct pack_way *way, struct rogue_statement *st, struct rogue_draft *d,
                   struct rogue_mismatch *wrong);

/* ---- groups (pack_place.c) ---- */

enum { PACK_MEMBERS = 8 };

struct pack_member {
    uint32_t bundle;
    const struct pack_way *forwarded; /* the only way; NULL: the bundle's */
};
struct pack_place {
    const struct pack_list *list;
    struct rogue_pending pending; /* the group, completed */
    struct rogue_trouble trouble; /* of the first attempt */
    bool troubled;                /* it has been filled in, or nobody wants it */
};
/* Make one group of the members. False when no way to write them, no phases and no destinations fit; p->trouble then
 * says what was in the way at the first attempt, if `explain`. */
bool pack_place(struct pack_place *p, const struct pack_member *members, unsigned count, bool explain);

#endif
