/* lift.h - what the lifts of the instruction sets have in common: the way from a module to a lane program, refusals,
 * basic blocks, calls of C functions, and what a finished program tells about its warps.
 *
 * A set's lifter begins with these members:
 *
 *     struct valhall_lifter {
 *         LIFT_BASE;
 *         uint32_t file_r;
 *         ...
 *     };
 *
 * so that it has them as its own (l->b, l->stage) and is a struct lift too (&l->lift). */
#ifndef WEFT_ISA_LIFT_H
#define WEFT_ISA_LIFT_H

#include "ir/build.h"
#include "ir/program.h"
#include "isa/isa.h"

enum { LIFT_NONE = UINT32_MAX };

struct lift;
struct exec_policy;

/* An instruction (word, group) as the shared code sees it. */
struct lift_insn {
    const struct span *where; /* in the source; NULL, or of no length: the module was bytes */
    uint64_t address;         /* the guest's */
    uint32_t row;
    uint32_t line;            /* of the source; 0: lift_run counts */
    uint16_t source;          /* that has the line: a number of struct lift's sources; 0: the program's own */
};

/* What is one for all programs of an instruction set. */
struct lift_set {
    const char *name, *title; /* "valhall", "Valhall" */
    const char *noun;         /* messages about bytes number it: "group"; NULL: they have the address alone */
    uint32_t stages;          /* that there are programs of: a bit per enum ir_stage */
    unsigned lanes;           /* of a warp */
    struct lift_insn (*insn)(const struct lift *l, uint32_t number);
    weft_status (*linkage)(struct lift *l); /* reads it, once the stage is known; may be NULL */
    void (*program)(struct lift *l);        /* fills l->b.p, whose insns are there */
    const char *(*fault_text)(uint64_t code);
    const struct exec_policy *policy;       /* of programs with control ops */
    bool x86_nans;          /* no rule of its own says which NaN arithmetic gives: the one that x86 gives */
};

#define LIFT_MEMBERS                                                                                                   \
    struct ir_builder b;                                                                                               \
    const struct lift_set *set;                                                                                        \
    const struct isa_module *m;                                                                                        \
    const struct source *src; /* NULL: the module was bytes */                                                         \
    const char *name;         /* of the file of these bytes; NULL: it has none */                                      \
    const char *const *sources; /* what the lines of instructions are of, from 1 on; nsources with entry 0 */          \
    uint16_t nsources;                                                                                                 \
    weft_diags *diags;                                                                                                 \
    struct arena *arena;                                                                                               \
    enum ir_stage stage;                                                                                               \
    uint32_t ninsns;                                                                                                   \
    uint32_t *block;    /* by instruction: the block that begins with it; 0: none does */                              \
    uint32_t epilogue;  /* where lanes that are done meet */                                                           \
    uint32_t at;        /* the instruction at work, which messages are about */                                        \
    const char **fault; /* by instruction: what stops the program there; NULL where nothing does */                    \
    bool failed;                                                                                                       \
    bool wrong          /* the program is at fault, not what weft can do */

struct lift {
    LIFT_MEMBERS;
};

#define LIFT_BASE                                                                                                      \
    union {                                                                                                            \
        struct lift lift;                                                                                              \
        struct {                                                                                                       \
            LIFT_MEMBERS;                                                                                              \
        };                                                                                                             \
    }

/* ---- from a module to a program ---- */

/* The driver. l has set, m, src, name, diags, arena and ninsns, the rest is zeros; `stage` is the module's, -1: it does
 * not say. *out is NULL unless WEFT_OK is returned. */
weft_status lift_run(struct lift *l, int stage, struct ir_program **out);

/* The instruction at work cannot be run, and why. The program is refused at the end. */
void lift_refuse(struct lift *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same of a place in the source, whatever is at work. */
void lift_refuse_at(struct lift *l, struct span where, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The program is wrong there: an error of that code. A program that is refused too is refused. */
void lift_error_at(struct lift *l, struct span where, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void lift_warn_at(struct lift *l, struct span where, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* A warning of that code about the instruction at work. */
void lift_warn(struct lift *l, const char *code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* ---- blocks ---- */

/* A block begins with instruction i. Numbers that are not in the program are left out. */
void lift_lead(struct lift *l, uint32_t i);
/* Make the blocks of all leaders, in the order of the instructions, and the epilogue after them. */
void lift_make_blocks(struct lift *l);
/* A further block, which is of no guest address. */
uint32_t lift_new_block(struct lift *l);
/* The block that begins with instruction i; where none does, the epilogue. */
uint32_t lift_block_at(const struct lift *l, uint32_t i);
/* Go on in the block that begins with the instruction at work. */
void lift_begin(struct lift *l);
/* Go on in the epilogue. */
void lift_begin_epilogue(struct lift *l);
/* Whether ops may still be added to the block at work: it does not end yet. */
bool lift_is_open(const struct lift *l);
/* The end of the program, and its policy. */
void lift_end(struct lift *l);

/* The instruction at work is not one: the program stops there, with fault `code` and that text. */
void lift_stop(struct lift *l, const char *text, uint64_t code);

/* ---- address spaces of buffers ---- */

/* The space of that kind and slot; LIFT_NONE: there is none yet. */
uint32_t lift_find_space(const struct ir_program *p, enum ir_space_kind kind, uint32_t slot);
/* The same, made when it is first asked for. Its name is `name` and the slot: "storage2". */
uint32_t lift_buffer_space(struct ir_program *p, const char *name, enum ir_space_kind kind, uint32_t slot);

/* ---- calls ---- */

/* A C function over lanes as a HELPER of the program, named once. */
typedef void lift_lanes_fn(unsigned count, const void *const *args, void *const *results, uint64_t imm);
ir_value lift_call_helper(struct ir_builder *b, struct ir_helper helper, enum ir_type type, uint64_t imm,
                          const ir_value *args, unsigned nargs);
ir_value lift_call(struct ir_builder *b, const char *name, lift_lanes_fn *fn, enum ir_type type, uint64_t imm,
                   const ir_value *args, unsigned nargs);

/* ---- values ---- */

/* Arguments of a TEXTURE or image op, in the order of struct ir_texture and struct ir_image. What there is no room for
 * is left out: no op has as many. */
enum { LIFT_ARGUMENTS = 24 };
struct lift_arguments {
    ir_value v[LIFT_ARGUMENTS];
    unsigned n;
};
static inline void lift_argument(struct lift_arguments *a, ir_value v)
{
    if (a->n < LIFT_ARGUMENTS)
        a->v[a->n++] = v;
}

/* The workgroup's number: they count x first. */
ir_value lift_group_number(struct ir_builder *b);

/* ---- whether several warps may run as one (lift_lanes.c): questions about a finished program ---- */

/* Whether workgroups of that size fill warps of so many lanes; other stages than compute always do. */
bool lift_fills(enum ir_stage stage, const uint32_t block[3], unsigned lanes);
/* Whether some op tells lanes which others their warp has: it asks for the lanes or the warp, does something for all of
 * them or in their order, or stops the warp. */
bool lift_shows_warp(const struct ir_program *p);
/* Whether lanes of a workgroup may ever go different ways: some control op has an argument that differs among them. */
bool lift_lanes_part(const struct ir_program *p);

#endif
