/* lift.h - inside the lift: what a program becomes on the way, and what its parts give each other.
 *
 * A warp is a task of 32 instances, or two where no instance can tell. Registers are files of the IR, Pe and P0 files
 * of one bit; the feedthroughs of a group are values. Sources are read before destinations are written, and every write
 * is predicated by what the header says runs. */
#ifndef WEFT_ISA_ROGUE_LIFT_H
#define WEFT_ISA_ROGUE_LIFT_H

#include "isa/lift.h"
#include "isa/rogue/alu.h"
#include "isa/rogue/linkage.h"
#include "isa/rogue/rogue.h"

/* Register files of the IR after those of files.inc: results that are on their way from one run of groups to another,
 * for whom, where a task goes on when they have landed, and what their index registers held, of programs that have
 * some. */
enum { ROGUE_FILE_KEPT = ROGUE_FILES, ROGUE_FILE_WAITING, ROGUE_FILE_LANDED, ROGUE_FILE_CHOSEN, ROGUE_ALL_FILES };
enum { ROGUE_FTS = 6 };

/* Memory of geometry and tessellation programs, by the device's numbers (ir/io.h). */
enum rogue_stage_space { ROGUE_STAGE_IN, ROGUE_STAGE_OUT, ROGUE_STAGE_PATCH, ROGUE_STAGE_SPACES };

/* What W1 says after GTA, first bits: the high half of the address, the size of elements as ST has it, their number.
 */
enum { ROGUE_GTA_SIZE = 16, ROGUE_GTA_BURST = 24 };

/* How floats are added and multiplied: denormals count as zeros on both sides, NaNs have one pattern
 * (docs/fidelity.md). */
enum { ROGUE_FLOAT = IR_FLUSH_IN | IR_FLUSH_OUT | IR_NAN_CANON };

/* A result on its way from memory or the iterator: it lands where the fence is waited for. */
struct rogue_result {
    struct rogue_reg reg;
    unsigned further; /* registers after it */
    ir_value value, pred;
    ir_value index; /* what its index register held when it was asked for; 0: it has none */
    uint32_t kept; /* its number in ROGUE_FILE_KEPT; LIFT_NONE: the run that it is in waits for it */
};
struct rogue_requests {
    struct rogue_result *pending;
    uint32_t count;
    size_t capacity;
};
enum { ROGUE_FENCES = 2 };

/* Registers in a row whose results outlast the run of groups that asks for them: numbers in ROGUE_FILE_KEPT. */
struct rogue_kept {
    uint8_t drc;
    struct rogue_reg first;
    uint32_t number, count;
};

struct rogue_lifter {
    LIFT_BASE;
    struct rogue_linkage link;

    uint32_t file[ROGUE_ALL_FILES]; /* numbers of the IR */
    uint32_t count[ROGUE_FILES];    /* registers that the program names */
    bool indexed[ROGUE_FILES];
    bool *common[ROGUE_FILES]; /* by register of SH, CF and CFA: written, so that all instances see it; NULL: none */
    uint32_t common_space[ROGUE_FILES]; /* where they are in compute programs; LIFT_NONE: not made yet */
    bool masks;                         /* some group writes Pe */
    bool nested;                        /* conditionals are nested, and nothing else writes their counter */
    bool in_step;                       /* and Pe holds just where the counter is 0 */
    bool phases;                        /* some group starts another phase */
    bool covers;                        /* some group writes the sample mask */
    bool jumps;                         /* some group sets the link address to other than the group after a branch */
    uint8_t *reach;                     /* by group: enum rogue_reach; what is never reached is not lifted */
    uint32_t ending;                    /* where phases end; without PHAS the epilogue */
    ir_value *constant;                 /* by shared register: its value in the prologue; 0: not made yet */
    uint32_t bus, globals;                    /* LIFT_NONE: not made yet */
    uint32_t stage_space[ROGUE_STAGE_SPACES]; /* the same */
    uint32_t *slot;   /* by place of the linkage: slot of the device; LIFT_NONE: it has none */
    int16_t *base[2]; /* by kind (coefficient, shared) and group: what SBO has set; NULL: the program has none */
    struct rogue_requests requests[ROGUE_FENCES]; /* of the run at work */
    struct rogue_kept *kept;
    uint32_t nkept;
    uint32_t *kept_at;              /* by group: number of the first result that it asks for; LIFT_NONE: not kept */
    ir_value index;                 /* of the result that lands; 0: what the index register holds */
    uint32_t landing[ROGUE_FENCES]; /* block where all that is kept lands; 0: where it is waited for */

    /* The group at work. */
    const struct rogue_group *group;
    enum rogue_unit unit;                /* and its unit */
    unsigned step;                       /* iteration of its repeat */
    unsigned fixed_sources;              /* bit n: Sn does not step with it */
    ir_value run;                        /* instances that it runs for; 0: all */
    ir_value source[ROGUE_SOURCES];      /* as IR_I32; 0: not read yet */
    ir_value ft[ROGUE_FTS];              /* IR_I32; 0: nothing drives it */
    ir_value fte;                        /* high word of a 64-bit integer result; 0: what IS0 selects */
    ir_value ftt, carry;                 /* IR_I1; 0: none */
    ir_value direct[ROGUE_DESTINATIONS]; /* what drives W0 and W1 whatever IS4 and IS5 say; 0: nothing */
    ir_value w[ROGUE_DESTINATIONS];
};

static inline ir_value rogue_word(struct rogue_lifter *l, uint32_t v)
{
    return ir_const_i32(&l->b, v);
}

/* ---- operands (lift_operand.c) ---- */

/* Find out which registers the program names. */
void rogue_note_registers(struct rogue_lifter *l);
/* Make the files that the program's registers need, and fill those that come with values. */
void rogue_make_files(struct rogue_lifter *l);
/* Source Sn as IR_I32. */
ir_value rogue_source(struct rogue_lifter *l, unsigned n);
/* Source n of the unit at work: S0 S1 S2, or S3 S4 S5 in phase 1. */
ir_value rogue_unit_source(struct rogue_lifter *l, unsigned n);
/* Any register as IR_I32, as many further as `further` says. */
ir_value rogue_read(struct rogue_lifter *l, struct rogue_reg r, unsigned further);
/* To a register, for the instances that pred holds for (0: all). */
void rogue_write(struct rogue_lifter *l, struct rogue_reg r, unsigned further, ir_value v, ir_value pred);
/* What FTE, IS3, and a code of IS4, IS5 and MOVC select. */
ir_value rogue_fte(struct rogue_lifter *l);
ir_value rogue_is3(struct rogue_lifter *l);
ir_value rogue_feed(struct rogue_lifter *l, unsigned code);
ir_value rogue_p0(struct rogue_lifter *l);
void rogue_set_p0(struct rogue_lifter *l, ir_value v);
ir_value rogue_pe(struct rogue_lifter *l);
/* A and b where either may be 0: all instances. */
ir_value rogue_and(struct rogue_lifter *l, ir_value a, ir_value b);

ir_value rogue_index_of(struct rogue_lifter *l, const struct rogue_spot *s);
struct ir_reg rogue_dynamic_reg(const struct rogue_lifter *l, const struct rogue_spot *s);

/* The word that shared register n comes with. */
ir_value rogue_shared(struct rogue_lifter *l, uint32_t n);
/* What the linkage says a texture's or a sampler's state at r is of; NULL: nothing of the kind begins there. */
const struct rogue_shared_range *rogue_shared_state(const struct rogue_lifter *l, struct rogue_reg r,
                                                    enum rogue_shared_kind kind);
/* A result that lands where the fence drc is waited for, for the instances that pred holds for (0: all). */
void rogue_send(struct rogue_lifter *l, unsigned drc, struct rogue_reg to, unsigned further, ir_value v, ir_value pred);
/* As many values, as they are or as halves, two to a register (modifier F16, chapter 5). */
void rogue_send_values(struct rogue_lifter *l, unsigned drc, struct rogue_reg to, const ir_value *v, unsigned count,
                       bool halves);
/* Registers that rogue_send_values fills. */
static inline unsigned rogue_registers_of(unsigned count, bool halves)
{
    return halves ? (count + 1) / 2 : count;
}

/* ---- registers that all instances see (lift_common.c) ---- */

/* Some group writes registers from the spot on, `most` are in its file. */
void rogue_note_common(struct rogue_lifter *l, const struct rogue_spot *s, unsigned span, uint32_t most);
/* What they hold at the start. */
void rogue_fill_common(struct rogue_lifter *l);
bool rogue_is_common(const struct rogue_lifter *l, const struct rogue_spot *s);
ir_value rogue_read_common(struct rogue_lifter *l, const struct rogue_spot *s);
void rogue_write_common(struct rogue_lifter *l, const struct rogue_spot *s, ir_value v, ir_value pred);

/* Registers from r to the end of its file. */
unsigned rogue_registers_from(const struct rogue_lifter *l, struct rogue_reg r);

/* ---- control flow (lift_flow.c) ---- */

bool rogue_flow_prepare(struct rogue_lifter *l);
/* Whether conditionals are nested; what jumps there are is known (lift_nesting.c). */
void rogue_find_nesting(struct rogue_lifter *l);
/* Instances of a warp: those of a task, or of two together. When everything is lifted (lift_lanes.c). */
uint16_t rogue_lanes(const struct rogue_lifter *l);
/* Does a control group end its block itself? */
bool rogue_ends_block(const struct rogue_group *g);
/* Does the loop test of group i decide the branch after it as well? That one goes back while P0 holds, and nothing
 * else leads to it. */
bool rogue_closes_loop(const struct rogue_lifter *l, uint32_t i);
/* The block that begins with group i; after the last group, the end of the program. */
uint32_t rogue_block_of(const struct rogue_lifter *l, uint32_t i);
/* The value of the first instance that `which` holds for, for all of them; 0 where there is none. */
ir_value rogue_first_of(struct rogue_lifter *l, ir_value v, ir_value which);

/* ---- tasks (lift_task.c) ---- */

/* Does a mutex stop the task, so that the block ends? */
bool rogue_stops_task(const struct rogue_insn *insn);
/* Does the phase end with the group? */
bool rogue_ends_phase(const struct rogue_group *g);
/* The ending of phases: on with the next one, if one was started. */
void rogue_next_phase(struct rogue_lifter *l);
/* The breakpoint of the group at work: to its handler, and on in a new block. */
void rogue_break(struct rogue_lifter *l, uint32_t handler);
/* The sample mask that the program made, at its end (lift_mask.c). */
void rogue_write_cover(struct rogue_lifter *l);

/* ---- bases of register numbers (lift_base.c) ---- */

/* Let the groups' registers be those counted from the bases that SBO sets. */
void rogue_apply_bases(struct rogue_lifter *l);
/* The register of a bank that an instruction of the group at work names in its own fields. */
struct rogue_reg rogue_based(struct rogue_lifter *l, enum rogue_bank bank, uint32_t number);

/* ---- inputs and outputs (lift_io.c) ---- */

void rogue_declare_io(struct rogue_lifter *l);
/* Slot of the coefficient set at place i: programs have those that they iterate. */
uint32_t rogue_iterated_slot(struct rogue_lifter *l, uint32_t i);
/* Registers of results to the outputs, at the end of the program. */
void rogue_write_results(struct rogue_lifter *l);
/* Streams that the UVSWs of a program name: one more than the last. */
uint8_t rogue_uvsw_streams(const struct isa_module *m);

/* ---- fences (lift_fence.c) ---- */

void rogue_wait(struct rogue_lifter *l, unsigned drc);
/* The run of groups ends: what is on its way is kept for another one. */
void rogue_carry(struct rogue_lifter *l);
/* The program ends: everything lands. */
void rogue_land(struct rogue_lifter *l);
/* Find out which results are kept; blocks are known, groups not lifted yet. */
void rogue_keep_results(struct rogue_lifter *l);
/* Does group i end its run, because it waits for what lands in a block of its own? */
bool rogue_lands_apart(const struct rogue_lifter *l, uint32_t i);
void rogue_lift_landings(struct rogue_lifter *l);
/* Registers that land later by what a group asks for: how many, the first one, and the fence. 0: it asks for nothing.
 */
unsigned rogue_results_of(const struct rogue_group *g, struct rogue_reg *first, unsigned *drc);

/* ---- registers that are in no file (lift_special.c) ---- */

ir_value rogue_special_register(struct rogue_lifter *l, unsigned number);
/* False: it cannot be written. */
bool rogue_write_special(struct rogue_lifter *l, unsigned number, ir_value v, ir_value pred);
/* The space of a uniform buffer, for its words that are registers. */
uint32_t rogue_constants(struct rogue_lifter *l, uint32_t buffer);
/* Word `index` of the dynamic constants. */
ir_value rogue_dynamic_constant(struct rogue_lifter *l, ir_value index);

/* ---- iteration (lift_iterate.c) ---- */

/* How values are iterated, and where. */
struct rogue_iteration {
    struct rogue_lifter *l;
    uint8_t mode;        /* pixel, sample, centroid */
    uint8_t perspective; /* enum rogue_perspective */
    bool sat;
    uint32_t first;      /* coefficient register of the first set */
    ir_value index;      /* what is added to it at run time; 0: nothing */
    uint32_t w;          /* place of the set of 1/w; LIFT_NONE: see reciprocal */
    ir_value reciprocal; /* what values are multiplied with */
};
/* That of a DITR or ITRSMP. False after an error. */
bool rogue_iteration_of(struct rogue_lifter *l, const struct rogue_insn *insn, enum rogue_perspective perspective,
                        struct rogue_iteration *out);
/* Value n of it, an IR_F32. */
ir_value rogue_iterate(struct rogue_iteration *it, unsigned n);
/* Has coefficient register n a value: is it C of a flat input? */
bool rogue_has_coefficient(const struct rogue_lifter *l, uint32_t n);
/* Register n of a coefficient set as it is. */
ir_value rogue_coefficient(struct rogue_lifter *l, uint32_t n);

/* ---- primitives and patches (lift_stage.c) ---- */

/* Does the stage find its inputs in memory: geometry, tessellation? */
bool rogue_stage_of_vertices(const struct rogue_lifter *l);
/* What the program says of its stage, for the device. */
void rogue_declare_stage(struct rogue_lifter *l);
/* The value of an input at place i. */
ir_value rogue_stage_input(struct rogue_lifter *l, uint32_t i);
/* Component of the output at place i, for the instances that pred holds for (0: all): to the device, or to the memory
 * of a tessellation control program. */
void rogue_put_output(struct rogue_lifter *l, uint32_t i, unsigned component, ir_value v, ir_value pred);

/* ---- lifts ---- */

rogue_lift_fn rogue_lift_fmad, rogue_lift_float_pair, rogue_lift_complex, rogue_lift_mbyp, rogue_lift_gradient,
    rogue_lift_to_f64, rogue_lift_from_f64, rogue_lift_sinc, rogue_lift_fred, rogue_lift_small, rogue_lift_add64,
    rogue_lift_add6432, rogue_lift_madd32, rogue_lift_madd64, rogue_lift_mov, rogue_lift_unpck,
    rogue_lift_test, rogue_lift_bitmask, rogue_lift_shift1, rogue_lift_count, rogue_lift_logical, rogue_lift_shift2,
    rogue_lift_bit_test, rogue_lift_conditional, rogue_lift_cndsetl, rogue_lift_savl, rogue_lift_setl, rogue_lift_flow,
    rogue_lift_uvsw_write, rogue_lift_uvsw, rogue_lift_tessw, rogue_lift_atst, rogue_lift_depthf, rogue_lift_fitr,
    rogue_lift_ditr, rogue_lift_ld, rogue_lift_st, rogue_lift_atomic, rogue_lift_smp, rogue_lift_smp_wrt,
    rogue_lift_itrsmp, rogue_lift_gta, rogue_lift_st_texelmode, rogue_lift_sbo, rogue_lift_wdf, rogue_lift_nothing,
    rogue_lift_sop, rogue_lift_sop_code, rogue_lift_sop_mad, rogue_lift_sop_move, rogue_lift_mutex, rogue_lift_phas,
    rogue_lift_bpret, rogue_lift_savmsk, rogue_lift_movmsk;

#endif
