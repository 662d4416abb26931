/* texts.h - what the JIT would compile of programs, as text of LLVM for each level of vector instructions, made to
 * numbers by the kind of program. Nothing is compiled, and nothing depends on which instructions the host has. */
#ifndef WEFT_TESTS_EXEC_TEXTS_H
#define WEFT_TESTS_EXEC_TEXTS_H

#include "test.h"

#include <stdbool.h>

#include "exec/exec.h"
#include "exec/native.h"
#include "ir/build.h"

/* Programs of one kind: a line of the list. The first one is looked at for each level and whether all lanes run or
 * some. For the others levels take turns, or the baseline has every fourth where the others have `each_level`; and
 * every fourth is looked at for some lanes. */
struct kind {
    char name[72];
    bool each_level;
    unsigned programs, refused; /* refused: the interpreter's compiler lacks something */
    unsigned empty; /* texts without a function: the JIT does not understand what it was asked for */
    struct texts {
        unsigned count;
        uint64_t lines, digest;
    } of[EXEC_LEVELS];
};

/* A program of a kind while it is made. Files have the number of their elements' bits, and u the warp's; a value of 64
 * bits is two elements of 32 where `pairs` says so. */
struct maker {
    struct kind *kind;
    struct arena arena;
    struct ir_program *p;
    struct ir_builder b;
    unsigned file[65], warp[65];
    bool pairs, predicated, lane_predicate;
    unsigned results; /* kept so far */
};

/* The second is to know of some blocks even where lanes agree. */
extern const struct exec_policy policy_plain, policy_low;

struct kind *new_kind(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The texts of a program for all levels: of its forms, or as of one whose blocks come at run time. */
void look(struct kind *k, struct ir_program *ir, struct arena *a, bool grows);
void look_at_blocks(struct kind *k, struct ir_program *ir, struct arena *a, const uint32_t *blocks, uint32_t count);
/* All kinds, a line each. */
char *list_kinds(const char *first);

struct maker *begin_program(struct kind *k, unsigned lanes);
void end_program(struct maker *m, bool grows);    /* adds END and looks at it */
void finish_program(struct maker *m, bool grows); /* that has its terminators */
/* Operand `n` of 8, as lanes have it ('L'), the warp ('U'), or a constant ('C'). */
ir_value operand(struct maker *m, enum ir_type t, unsigned n, char form);
/* Into a register of its own, if it is a value. */
void keep(struct maker *m, ir_value v);

/* By subject. */
void texts_of_ops(void);
void texts_of_pairs(void);
void texts_of_lanes(void);
void texts_of_registers(void);
void texts_of_memory(void);
void texts_of_stages(void);
void texts_of_flow(void);
void texts_of_loops(void);
void texts_of_growing(void);
void texts_of_rare(void);
void texts_of_random(void);

#endif
