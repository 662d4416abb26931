/* exec.h - running lane IR: the contract between engines, control policies and the device.
 *
 * A compiled program (exec_program) is read-only and shared by threads. Each thread owns one warp
 * (exec_warp), binds it to the program and an environment once per draw or dispatch, and then runs it
 * again and again with other lanes.
 *
 * A *row* is one value for every lane: `lanes` elements of 4 bytes (8 for 64-bit types), aligned to 64
 * bytes, allocated in chunks of 16 lanes. i1 is 0 or 0xffffffff; i8, i16 and f16 are zero-extended. */
#ifndef WEFT_EXEC_EXEC_H
#define WEFT_EXEC_EXEC_H

#include "ir/ir.h"

typedef uint64_t lane_mask; /* bit i: lane i */

enum { EXEC_CHUNK = 16, EXEC_MAX_LANES = 64, EXEC_MAX_SPACES = 64 };

/* ---- what the device provides ---- */

/* A buffer bound to an address space. */
struct exec_buffer {
    uint8_t *data;
    uint64_t size;
};

/* What a space of kind BUS reaches: memory in ranges, sorted by first and apart from each other, and functions for
 * the rest, for ranges without data and for stores to ranges that are read only. size is 1, 2, 4 or 8 bytes; the
 * functions return false for an address where nothing is, and the space's bounds rule applies. */
struct exec_range {
    uint64_t first, size;
    uint8_t *data;        /* NULL: through the functions */
    bool read_only;
};

struct exec_bus {
    const struct exec_range *ranges;
    uint32_t nranges;
    void *device;
    bool (*load)(void *device, uint64_t address, unsigned size, uint64_t *value);
    bool (*store)(void *device, uint64_t address, unsigned size, uint64_t value);
    const struct exec_range *stores; /* the ranges that stores go by, where they are others; NULL: the same */
    uint32_t nstores;
};

/* A plane: the value at window coordinate (x, y) is (a0 + dx * x) + dy * y in f32, x and y being the pixel's
 * integer coordinates; a0 includes the half pixel to its centre. */
struct exec_plane {
    float a0, dx, dy;
};

/* Where a TEXTURE op's arguments and results are: rows. lanes is a multiple of 16. */
struct exec_texture_call {
    const struct ir_texture *op;
    const void *const *args; /* rows in the order of struct ir_texture */
    unsigned nargs;
    void *results[4];        /* rows of 32-bit elements */
    unsigned lanes;
    lane_mask active;        /* lanes that run, helpers included: others may be garbage in and out */
};

struct exec_warp;

struct exec_env {
    struct exec_buffer space[EXEC_MAX_SPACES]; /* by index into ir_program.spaces; private and shared ones too.
                                                * PRIVATE and INPUT: lanes * ir_space.size bytes */

    /* Fragment stage: planes of input slot s, component c at plane[s * 4 + c]. For PERSPECTIVE inputs the
     * plane is of value/w and the result is multiplied by 1 / (value of w_plane); when w_one is set, 1/w is 1
     * everywhere and the multiplication is left out. CONSTANT inputs use a0 alone. */
    const struct exec_plane *plane;
    struct exec_plane w_plane, z_plane;
    bool w_one;
    bool front;
    int32_t x, y;             /* pixel of lane 0: lanes are 2x2 quads, quads row by row across the warp's rectangle */
    int32_t frag_y_base;      /* FRAG_Y is (frag_y_base + frag_y_sign * y) + the centre's offset */
    int32_t frag_y_sign;

    /* Multisampled fragments: where in its pixel a lane's covered part and its sample are, as distances from the
     * centre in pixels, rows of x and y. INTERP at CENTROID and SAMPLE evaluate planes there: (a0 + dx * (x +
     * distance))
     * + dy * (y + distance). NULL: the centre. With at_sample FRAG_X to FRAG_W are the sample's too. */
    const float *centroid[2], *sample[2];
    bool at_sample;

    /* Vertex stage: rows of attribute slot s, component c at attr[s * 4 + c] (f32 bits, or integers). */
    const void *const *attr;

    /* System values that are not made from the above: rows (lane) by enum ir_sysval * 4 + component, NULL: 0. */
    const void *const *sysval;

    /* Where OUTPUT goes: rows by slot * 4 + component. NULL entries are dropped. */
    void *const *output;

    bool concurrent; /* warps of other threads use the spaces of kind GLOBAL meanwhile: ATOMIC is atomic among them */

    const struct exec_bus *bus; /* spaces of kind BUS; NULL: nothing is there */

    uint32_t first_lane; /* the device's own note: the lane of its rows that lane 0 of the warp is */

    void *device; /* the device's own; passed to the functions below */
    void (*texture)(void *device, const struct exec_texture_call *call);
    /* SERVICE, EMIT and CUT, for the lanes of exec_active. */
    weft_status (*service)(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                           void *const *results);
    bool service_writes; /* it writes the results of all lanes that act; otherwise they are 0 before */
    /* PROBE: what a tracing or counting pass inserted. NULL: nobody looks. */
    void (*probe)(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args);
    void *probe_context; /* passed to probe in place of device, unless NULL */
};

/* ---- control policies ---- */

/* Where a warp is when a policy is asked. `all` is every lane that the warp was started with. */
struct exec_masks {
    lane_mask active;  /* lanes that run now; the policy changes it */
    lane_mask all;
    lane_mask live;    /* lanes with effects outside: the others are helpers */
    uint32_t block;    /* the block that ends here */
    const struct exec_program *program; /* for exec_block_at: jumps to addresses that registers hold */
};

enum { EXEC_BLOCK_END = UINT32_MAX };

/* The control-flow rules of an instruction set: a small C file in its folder. */
struct exec_policy {
    const char *name;
    size_t state_size; /* bytes, kept per warp: zero when the warp is made, what the last run left afterwards */
    void (*start)(void *state, struct exec_masks *m);
    /* Do `c`; args are lane masks for i1 arguments (already limited to active lanes), lane rows for others.
     * Returns the block to run next or EXEC_BLOCK_END; a policy error is reported by *fault (static text). */
    uint32_t (*control)(void *state, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault);
    /* Offset in the state of a uint32_t: what ir_control says is direct goes on without asking to blocks of lower
     * numbers only. 0: to any block. */
    size_t low_at;
    /* One line about the state for traces; returns its length as snprintf does. May be NULL. */
    int (*describe)(const void *state, const struct ir_program *program, char *buffer, size_t size);
};

/* ---- engines ---- */

enum exec_level { EXEC_BASELINE, EXEC_AVX2, EXEC_AVX512, EXEC_LEVELS };

/* The best set of handlers that this machine runs and this build has; exec_level_usable tells about one. */
enum exec_level exec_best_level(void);
bool exec_level_usable(enum exec_level level);

struct exec_program; /* compiled */

/* Who runs operations: handlers (the interpreter), or machine code made of runs of them (native.h, jit/jit.h). AUTO
 * begins with handlers and has a program compiled in the background once a warp has run it often enough. JIT compiles
 * it at once, but the code for warps with some lanes inactive only when a warp is about to run it. Of programs that get
 * blocks at run time it is parts that are compiled: those that warps run often (AUTO), or what was added (JIT). The
 * environment variable WEFT_ENGINE says what AUTO means: for tests. */
enum exec_engine { EXEC_ENGINE_AUTO, EXEC_ENGINE_INTERP, EXEC_ENGINE_JIT };

struct exec_options {
    enum exec_level level;
    enum exec_engine engine;
    bool no_full;     /* tests: never use the unmasked code */
    bool extensible;  /* blocks will be added: see exec_extend */
    bool spare;       /* the program may never run: EXEC_ENGINE_JIT compiles all of it at its first use */
};

/* Compile for the interpreter. The program must be verified; it is kept by reference, and so is the arena. */
weft_status exec_compile(const struct ir_program *ir, const struct exec_options *options, struct arena *arena,
                         struct exec_program **out, weft_diags *diags);

/* The JIT of this machine, "LLVM 19.1.7"; NULL: none, and exec_jit_missing says why. */
const char *exec_jit_name(void);
const char *exec_jit_missing(void);
/* Wait for what is being compiled in the background, and forget what waits for that. At the end of a draw or a job:
 * LLVM must not be at work when the process ends, for it takes itself down without asking its threads. */
void exec_jit_settle(void);

/* What runs a program now. */
struct exec_engine_report {
    bool native;                   /* machine code does */
    uint32_t operations, compiled; /* of the program, and those among them that are in machine code */
    double seconds;                /* of a processor, that compiling took */
    const char *why;               /* it was refused; NULL: it was not */
};
void exec_engine_report(const struct exec_program *p, struct exec_engine_report *out);

enum exec_stop {
    EXEC_DONE,
    EXEC_AT_BARRIER,  /* continue with exec_resume */
    EXEC_OUT_OF_BUDGET,
    EXEC_FAULT,       /* TRAP, a policy's fault or a service's error: see exec_warp_fault */
    EXEC_NO_BLOCK,    /* JUMP to an address without a block: exec_warp_address */
    EXEC_INTERRUPTED, /* by exec_interrupt */
};

/* A warp: registers, masks and policy state of one thread of the host. NULL without memory. The program outlives it. */
struct exec_warp *exec_warp_new(const struct exec_program *p);
void exec_warp_free(struct exec_warp *w);

/* Bind to an environment (kept by reference: the device changes x, y, planes between runs) and run the
 * prologue. Call again when buffers' contents that CONST spaces name, or their sizes, have changed. */
weft_status exec_bind(struct exec_warp *w, const struct exec_env *env);

/* Where the lanes' pixels are in the runs that follow, as distances from env->x and y: rows of `lanes` whole numbers. A
 * new warp has quads row by row across a rectangle 8 pixels wide: 8x8, 8x4, 8x2. */
void exec_place(struct exec_warp *w, const float *x, const float *y);

/* Run lanes `active`; `live` of them have effects outside (fragments that are covered), the others are helpers.
 * budget: guest instructions the warp may run (each counted once per warp); 0: no limit. It stops at the end of the
 * block in which they run out, and never inside an instruction of several blocks. */
enum exec_stop exec_run(struct exec_warp *w, lane_mask active, lane_mask live, uint64_t budget);
enum exec_stop exec_resume(struct exec_warp *w);

/* ---- code that appears at run time: programs compiled with exec_options.extensible ---- */

/* Compile the blocks that were added to the IR since, and run what its prologue has got in every warp that goes on.
 * Blocks that are there must be as they were. WEFT_ERROR_MEMORY also when the room that frames keep for it is used up.
 * Not while a warp of the program runs, and by one thread only. */
weft_status exec_extend(struct exec_program *p, weft_diags *diags);
/* A block that is no longer so: who enters it looks its address up again. Another block with that address may be added.
 * May be called by bus functions: the block that stores goes on to its end. */
void exec_drop(struct exec_program *p, uint32_t block);
/* The block that JUMPs to an address go to, and policies whose CONTROL has an i32 argument; IR_PROLOGUE: none. */
uint32_t exec_block_at(const struct exec_program *p, uint64_t address);

/* Go on: after the budget ran out, an interrupt, or a JUMP without a block, from where the warp was going (budgets of 1
 * are single steps where each block is one instruction); after a fault, from where exec_goto says. */
enum exec_stop exec_continue(struct exec_warp *w, uint64_t budget);
/* Where to go on: a block; an address, which may get its block later. */
void exec_goto(struct exec_warp *w, uint32_t block);
void exec_goto_address(struct exec_warp *w, uint64_t address);
/* The guest address where exec_continue goes on. */
uint64_t exec_warp_address(const struct exec_warp *w);
/* Stop at the end of the current block, or of the first one of the next run. Any thread, and bus functions, may call
 * it. */
void exec_interrupt(struct exec_warp *w);
/* exec_bus.ranges has changed. */
void exec_bus_changed(struct exec_warp *w);

/* After a run: lanes still live (not discarded), the faults and counts. */
lane_mask exec_live(const struct exec_warp *w);
/* An access outside its range. Of several it is the one of the first instruction, there of the lowest address, there of
 * the first lane, whatever their order was. */
struct exec_outside {
    bool any, is_register;
    uint16_t lane;
    uint32_t insn;
    uint32_t place;         /* a space; of a register, its place in ir_program.regs */
    uint64_t address, size; /* and the bytes of the space, 0 on a bus; of a register, the index */
};
void exec_outside_merge(struct exec_outside *to, const struct exec_outside *from);

struct exec_counts {
    uint64_t insns;       /* guest instructions, counted per warp */
    uint64_t lane_insns;  /* the same times active lanes */
    uint64_t bad_access; /* register or memory accesses outside their range; those of the prologue count in every run */
    uint64_t discarded;   /* lanes */
    struct exec_outside outside;
};
const struct exec_counts *exec_warp_counts(struct exec_warp *w); /* up to the block that runs */
/* Where a warp stopped: guest instruction (index into ir_program.insns) and, for EXEC_FAULT, why. */
uint32_t exec_warp_insn(const struct exec_warp *w);
const char *exec_warp_fault(const struct exec_warp *w);
/* imm of the CHECK or TRAP that stopped it. */
uint64_t exec_warp_fault_code(const struct exec_warp *w);
/* The address of the LOAD, STORE or ATOMIC of a uniform op or on a bus that stopped it. */
uint64_t exec_warp_fault_address(const struct exec_warp *w);
/* imm of the BARRIER where it waits. */
uint64_t exec_warp_barrier(const struct exec_warp *w);
/* Inside a service or a probe: the lanes that the op acts on, its predicate applied. At a barrier: the lanes there. */
lane_mask exec_active(const struct exec_warp *w);
/* Inside a service or a probe: one line about what the control policy keeps of the warp, as its `describe` says it;
 * returns its length as snprintf does, 0 where there is nothing to say. */
int exec_describe(const struct exec_warp *w, char *buffer, size_t size);
/* Inside a service: what the warp runs, and where. */
const struct ir_program *exec_warp_ir(const struct exec_warp *w);
const struct exec_env *exec_warp_env(const struct exec_warp *w);

/* The row of a register-file element, for debuggers and tests: `lanes` elements of 4 bytes (8 in a file of 64 bits);
 * one in a uniform file. */
void *exec_warp_register(struct exec_warp *w, unsigned file, uint32_t elem);

#endif
