/* lift_flow.h - the structure of a program, as both ways to lift control flow need it: lift_flow.c with the masks of
 * constructs, lift_jumps.c with a place for each lane. */
#ifndef WEFT_ISA_TGSI_LIFT_FLOW_H
#define WEFT_ISA_TGSI_LIFT_FLOW_H

#include "isa/tgsi/lift.h"

/* One side of a construct that is open while its instructions are lifted. */
struct tgsi_arm {
    uint32_t open;  /* the instruction that begins the construct */
    uint32_t close; /* the instruction whose join ends this side */
};

struct tgsi_subroutine {
    uint32_t begin, end;  /* BGNSUB and ENDSUB */
    uint32_t frames;      /* masks that its constructs may need at once */
    uint32_t body, leave; /* blocks: the first, and the one that ENDSUB closes */
    bool called, lifted;
    uint32_t *returns; /* blocks after its calls */
    uint32_t nreturns;
    size_t returns_cap;
};

struct tgsi_lift_flow {
    uint32_t ninsns;
    uint32_t *link;      /* IF: its ELSE or ENDIF; ELSE: its ENDIF; SWITCH, CASE, DEFAULT: the next label or ENDSWITCH;
                            loops: ENDLOOP */
    uint32_t *join;      /* blocks by instruction, 0: not made yet; [ninsns] is the end of the main program */
    uint32_t *after;     /* block after ENDIF, ENDLOOP, ENDSWITCH, 0: not made yet */
    uint32_t *side;      /* which side of which construct an instruction is in: for BRA */
    bool *target;        /* of a BRA */
    bool *continues;     /* BGNLOOP: lanes may wait for its next iteration */
    uint32_t *switch_of; /* CASE: ordinal of its switch */
    struct tgsi_subroutine *subs;
    uint32_t nsubs;
    uint32_t main_begin, main_end; /* instructions of the main program; main_end is END, or the end of the list */
    uint32_t main_frames;
    bool main_returns; /* RET in the main program */
    bool jumps;        /* a BRA leads into or out of a construct or a subroutine */

    /* While lifting: */
    struct tgsi_arm arms[TGSI_LIFT_NESTING];
    uint32_t narms;
    uint32_t region_end;              /* instruction whose join ends the program or the subroutine */
    uint32_t next;                    /* instruction to lift after the one at work */
    uint32_t head[TGSI_LIFT_NESTING]; /* block that a loop repeats, by depth */
    uint32_t switch_file;             /* switch values */
};

/* ---- lift_structure.c ---- */

/* The subroutine that begins at an instruction, or LIFT_NONE. */
uint32_t tgsi_lift_sub_at(const struct tgsi_lift_flow *f, uint32_t insn);
/* ---- lift_flow.c ---- */

/* Whether the condition of IF, UIF, BREAKC or CALLNZ holds. */
ir_value tgsi_lift_condition(struct tgsi_lifter *l, const struct tgsi_insn *insn);
/* Whether a switch value is that of a CASE. */
ir_value tgsi_lift_switch_equals(struct tgsi_lifter *l, ir_value v, uint32_t label);
/* Go on in a block, at the instruction at work. */
void tgsi_lift_start_block(struct tgsi_lifter *l, uint32_t block);

/* ---- lift_jumps.c ---- */

/* Lift the whole program; the last block, where all lanes meet, is left open. */
void tgsi_lift_jumps_run(struct tgsi_lifter *l);

#endif
