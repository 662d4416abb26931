/* policy.h - the words in which the lift talks to TGSI's control policy. */
#ifndef WEFT_ISA_TGSI_POLICY_H
#define WEFT_ISA_TGSI_POLICY_H

/* Words of struct ir_control. Targets in the order given; `skip` is where the enclosing construct's masks are
 * joined again: the place to go on when no lane is left. */
enum tgsi_control {
    TGSI_CTL_IF,        /* condition; then, end: no ELSE */
    TGSI_CTL_IF_ELSE,   /* condition; then, else */
    TGSI_CTL_ELSE,      /* else, end, skip */
    TGSI_CTL_ENDIF,     /* next, skip */
    TGSI_CTL_LOOP,      /* head */
    TGSI_CTL_ENDLOOP,   /* head, next, skip */
    TGSI_CTL_BREAK,     /* [condition]; skip, next: lanes leave the innermost loop or switch */
    TGSI_CTL_CONTINUE,  /* [condition]; skip, next */
    TGSI_CTL_RETURN,    /* [condition]; skip, next: lanes leave the subroutine, or the main program */
    TGSI_CTL_SWITCH,    /* lanes that no CASE wants; the first label */
    TGSI_CTL_CASE,      /* test, body, next label */
    TGSI_CTL_MATCH,     /* lanes that want this CASE; body, next label */
    TGSI_CTL_DEFAULT,   /* body, next label */
    TGSI_CTL_ENDSWITCH, /* next, skip */
    TGSI_CTL_CALL,      /* subroutine, next; imm: frames that it may need */
    TGSI_CTL_CALL_IF,   /* condition; the same */
    TGSI_CTL_ENDSUB,    /* where it may return to */
    TGSI_CTL_FINISH     /* last block */
};

/* The same of programs that jump into and out of constructs (policy_jumps.c). The last target is the program's end. */
enum tgsi_jump {
    TGSI_JUMP_GO,     /* where all go, end */
    TGSI_JUMP_BRANCH, /* condition; where it holds, else, end */
    TGSI_JUMP_CALL,   /* no room for a return address; where all go, end */
    TGSI_JUMP_END     /* end: these lanes are done */
};

#endif
