/* walks_tgsi.c - see walks.h. */
#include "walks.h"

#include "isa/tgsi/policy.h"
#include "isa/tgsi/tgsi.h"

/* I: an IF, E: one with an ELSE to come, F: after that; L: a loop; S: a switch, M: between a CASE and its MATCH; C: a
 * subroutine. */
#define ANY "-IEFLSC"
#define OP(name, targets, of, opens, turns, closes, condition)                                                         \
    {#name, TGSI_CTL_##name, targets, of, opens, turns, closes, (turns) == 'S', condition}

static const struct walked_op ops[] = {
    OP(IF, 2, ANY, 'I', 0, NULL, false),       OP(IF_ELSE, 2, ANY, 'E', 0, NULL, false),
    OP(ELSE, 3, "E", 0, 'F', "12", false),     OP(ENDIF, 2, "IF", 0, 0, "01", false),
    OP(LOOP, 1, ANY, 'L', 0, NULL, false),     OP(ENDLOOP, 3, "L", 0, 0, "12", false),
    OP(BREAK, 2, ANY, 0, 0, NULL, true),       OP(CONTINUE, 2, ANY, 0, 0, NULL, true),
    OP(RETURN, 2, ANY, 0, 0, NULL, true),      OP(SWITCH, 1, ANY, 'S', 0, NULL, false),
    OP(CASE, 3, "S", 0, 'M', NULL, false),     OP(MATCH, 2, "M", 0, 'S', NULL, false),
    OP(DEFAULT, 2, "S", 0, 0, NULL, false),    OP(ENDSWITCH, 2, "S", 0, 0, "01", false),
    OP(CALL, 2, ANY, 'C', 0, NULL, false),     OP(CALL_IF, 2, ANY, 'C', 0, NULL, false),
    OP(ENDSUB, 0, "C", 0, 0, "0", false),      OP(FINISH, 1, "-", 0, 0, NULL, false),
    {"unknown", TGSI_CTL_FINISH + 1, 1, "-", 0, 0, NULL, false, false},
};

const struct walked walked_tgsi = {&tgsi_policy, ops, sizeof ops / sizeof *ops, true};

#define JUMP(name, targets) {#name, TGSI_JUMP_##name, targets, NULL, 0, 0, NULL, false, false}

static const struct walked_op jumps[] = {JUMP(GO, 2), JUMP(BRANCH, 3), JUMP(CALL, 2), JUMP(END, 1),
                                         {"unknown", TGSI_JUMP_END + 1, 1, NULL, 0, 0, NULL, false, false}};

const struct walked walked_tgsi_jumps = {&tgsi_jump_policy, jumps, sizeof jumps / sizeof *jumps, false};
