/* lift.h - inside the lift: what a program becomes on the way, and what its parts give each other.
 *
 * A warp has 16 lanes; four of them run together where the program has no way to tell. The 64 registers are one file of
 * 32-bit elements; halves and bytes are parts of them, 64-bit values pairs. Where the program meets the device is said
 * by its linkage (docs/manual/valhall.md). */
#ifndef WEFT_ISA_VALHALL_LIFT_H
#define WEFT_ISA_VALHALL_LIFT_H

#include "isa/lift.h"
#include "isa/valhall/flow.h"
#include "isa/valhall/valhall.h"

enum {
    VALHALL_LANES = 16,
    VALHALL_LANES_TOGETHER = 64,
    VALHALL_REGISTERS = 64,
    VALHALL_COVERAGE_REGISTER = 60 /* of fragments, when they begin */,
    VALHALL_VARYINGS = 16,
    VALHALL_ATTRIBUTES = 16,
    VALHALL_SLOTS = 8,
    VALHALL_MOST_COMPONENTS = 5 /* of a texture's coordinates, layer and reference */
};

/* Flat addresses: buffers are where the device has them (resources.h); these are beyond. High words. */
enum valhall_window {
    VALHALL_WINDOW_LOCAL = 0x7f000000,     /* thread_local_pointer */
    VALHALL_WINDOW_WORKGROUP = 0x7f000001, /* workgroup_local_pointer */
    VALHALL_WINDOW_POSITION = 0x7f000002,  /* what LEA_BUF_IMM gives a vertex program */
    VALHALL_WINDOW_SAMPLES = 0x7f000003    /* the special value `sample`: a word for each sample */
};

/* Tables that indices name, as Mesa's driver fills them, and one of weft's own for storage buffers. */
enum valhall_resource_table {
    VALHALL_TABLE_UNIFORM,
    VALHALL_TABLE_ATTRIBUTE,
    VALHALL_TABLE_ATTRIBUTE_BUFFER,
    VALHALL_TABLE_SAMPLER,
    VALHALL_TABLE_TEXTURE,
    VALHALL_TABLE_IMAGE,
    VALHALL_TABLE_STORAGE,
    VALHALL_TABLE_OUTPUT = 13
};

/* What a run may find wrong: the code of a CHECK or TRAP. */
enum valhall_run_fault { VALHALL_FAULT_POISON = 1, VALHALL_FAULT_DATA, VALHALL_FAULT_TARGET, VALHALL_FAULT_MODE };

struct valhall_lifter {
    LIFT_BASE;
    struct valhall_linkage link;

    uint32_t file_r, file_poison, file_coverage;
    uint32_t space_bus, space_local, space_workgroup, space_output, space_samples, space_push, space_ubo[64],
        space_storage[64];
    /* input slots; attributes by enum ir_convert */
    uint32_t smooth[VALHALL_VARYINGS], flat[VALHALL_VARYINGS], halves[VALHALL_VARYINGS][2],
        attribute[4][VALHALL_ATTRIBUTES];
    /* output slots */
    uint32_t color[VALHALL_TARGETS], colormask[VALHALL_TARGETS], depth, stencil, samplemask, position,
        varying[VALHALL_VARYINGS];

    struct valhall_reach reach;
    bool diverges;             /* the policy is needed */
    bool lanes_matter;         /* it shows which lanes make up a warp, and which are active */
    uint8_t targets;           /* colour targets that some instruction may write, a bit each */
    bool uses_local, uses_workgroup, uses_output, uses_samples;
    bool own_coverage;         /* a fragment program makes masks of its own, other than what r60 begins with */
    uint64_t writers[VALHALL_SLOTS]; /* registers that messages of a slot write, in all of the program */
    uint64_t written;          /* registers that some instruction of the program writes */
    uint64_t preloaded;        /* registers that still hold what the device put there, at the instruction at work */
    bool reenters;             /* control may come to the first instruction of a part again */
    uint64_t known;            /* registers whose value is a constant here, in the block at work */
    uint32_t value[VALHALL_REGISTERS];
    uint8_t saved_sample;      /* enum valhall_sample of the last LD_VAR that stored its position */
    ir_value saved_offset;

    const struct valhall_insn *insn; /* at work */
};

/* ---- operands (lift_operand.c) ---- */

/* Register n (0 to 63) or, past the last one, 0. */
ir_value valhall_get(struct valhall_lifter *l, unsigned n);
void valhall_set(struct valhall_lifter *l, unsigned n, ir_value v);
/* Part i of `bits` bits of register n: IR_I8, IR_I16, IR_F16. */
void valhall_set_part(struct valhall_lifter *l, unsigned n, unsigned i, ir_value v);

/* The 32 bits of a source, nothing selected. */
ir_value valhall_bits(struct valhall_lifter *l, const struct valhall_source *s);
/* Its 64 bits: a pair of registers or uniforms; a constant is extended with zeros. */
ir_value valhall_bits64(struct valhall_lifter *l, const struct valhall_source *s);
/* A whole integer of the instruction's 32 or 64 bits, what is selected extended by its sign or zeros, inverted. */
ir_value valhall_whole(struct valhall_lifter *l, const struct valhall_source *s, bool is_signed);
/* Element `lane` of a vector of IR_I16 or IR_I8, selected and extended. */
ir_value valhall_element(struct valhall_lifter *l, const struct valhall_source *s, enum ir_type type, unsigned lane,
                         bool is_signed);
/* Element `lane` of a source that has the row's type: as an integer, selected, extended and inverted; as a float,
 * widened, then abs, then neg. */
ir_value valhall_number(struct valhall_lifter *l, const struct valhall_source *s, unsigned lane, bool is_signed);
ir_value valhall_float(struct valhall_lifter *l, const struct valhall_source *s, unsigned lane);
/* The float of 32 bits that it is worth. */
ir_value valhall_wide_float(struct valhall_lifter *l, const struct valhall_source *s, unsigned lane);
/* A float of one size. */
ir_value valhall_f32(struct valhall_lifter *l, const struct valhall_source *s);
ir_value valhall_f16(struct valhall_lifter *l, const struct valhall_source *s, unsigned lane);
/* The value of a source that is the same for all lanes and known now. */
bool valhall_constant(const struct valhall_lifter *l, const struct valhall_source *s, uint32_t *value);

/* The instruction's result: 32 or 64 bits of any type; where only one half is written, that one. */
void valhall_write(struct valhall_lifter *l, ir_value v);
/* Its elements: one of 32 or 64 bits, two of 16, four of 8. */
void valhall_write_lanes(struct valhall_lifter *l, const ir_value *v, unsigned count);

/* The type of an element of the row's type; whether its name says s. */
enum ir_type valhall_integer(const struct valhall_insn *insn);
bool valhall_is_signed(const struct valhall_insn *insn);

ir_value valhall_i32(struct valhall_lifter *l, uint32_t v);

/* ---- floats (lift_float.c) ---- */
/* The clamp of the instruction, of a float of any width. */
ir_value valhall_clamped(struct valhall_lifter *l, ir_value v);
/* IR rounding of the instruction's round mode. */
unsigned valhall_rounding(const struct valhall_insn *insn);

/* ---- messages ---- */
/* Whether a register format is of integers; the elements of a vector. */
static inline bool valhall_is_integer_format(unsigned format)
{
    return format >= VALHALL_FMT_S32;
}
static inline unsigned valhall_vector_size(const struct valhall_insn *insn)
{
    return valhall_mod(insn, VALHALL_MOD_VECSIZE) + 1;
}
/* Component of an output, in the lanes of pred (0: all). */
void valhall_put(struct valhall_lifter *l, uint32_t slot, unsigned component, ir_value v, ir_value pred);
/* Results of a vector, in the register format (enum valhall_regfmt): v[] as IR_F32 or IR_I32. */
void valhall_write_vector(struct valhall_lifter *l, unsigned base, unsigned format, const ir_value *v, unsigned count);
/* The same registers read, as IR_F32, or IR_I32 where the format is of integers. */
void valhall_read_vector(struct valhall_lifter *l, unsigned base, unsigned format, ir_value *v, unsigned count);
/* What a varying is in memory and how it is read: floats or words of 32 bits, or halves. */
enum valhall_varying_kind { VALHALL_SMOOTH, VALHALL_FLAT, VALHALL_SMOOTH_HALVES, VALHALL_FLAT_HALVES };
/* Varyings: `count` elements from number `at`, which counts words, or halves (lift_varying.c). */
void valhall_varying(struct valhall_lifter *l, unsigned at, unsigned count, enum valhall_varying_kind kind,
                     unsigned sample, ir_value offset, ir_value *v);
/* The same of the varying whose number, or of the element whose byte offset, is in a register; count up to
 * VALHALL_MOST_COMPONENTS. */
void valhall_varying_number(struct valhall_lifter *l, ir_value number, unsigned count, enum valhall_varying_kind kind,
                            unsigned sample, ir_value offset, ir_value *v);
void valhall_varying_at(struct valhall_lifter *l, ir_value at, unsigned count, enum valhall_varying_kind kind,
                        unsigned sample, ir_value offset, ir_value *v);
/* A texture instruction tells the kind of its texture, for the driver's values that are sizes (lift_texture.c). */
void valhall_note_texture(struct valhall_lifter *l, const struct valhall_insn *insn);
/* The values of a vertex program's outputs, at its end (lift_memory.c). */
void valhall_write_outputs(struct valhall_lifter *l);
/* At the start: the table that the special value `sample` points to. */
void valhall_store_sample_positions(struct valhall_lifter *l);
/* Whether an instruction makes a coverage mask, before any is lifted; at the start, what is drawn where nothing is said
 * (lift_tile.c). */
void valhall_survey_coverage(struct valhall_lifter *l, const struct valhall_insn *insn);
void valhall_begin_outputs(struct valhall_lifter *l);
/* The colour targets that an instruction may write, a bit each: all of them where only registers know. */
uint8_t valhall_targets(const struct valhall_insn *insn);
/* Lanes whose BLEND has a descriptor without a blend shader. */
ir_value valhall_blends_fixed(struct valhall_lifter *l);
/* The entry that a source names, "index and table": its number, or for a source of lanes *lanes (past all entries where
 * the table is another one). A table that the instruction does not take is refused (lift_table.c). */
uint32_t valhall_table_entry(struct valhall_lifter *l, const struct valhall_source *s, ir_value *lanes);
/* A uniform word (lift_uniform.c). */
ir_value valhall_uniform_word(struct valhall_lifter *l, unsigned number);
uint32_t valhall_ubo(struct valhall_lifter *l, unsigned number);

/* ---- control flow (lift_flow.c) ---- */
bool valhall_flow_prepare(struct valhall_lifter *l);
void valhall_flow_run(struct valhall_lifter *l);
/* What the device puts into registers, at the start (lift_preload.c). */
void valhall_preload(struct valhall_lifter *l);
/* Strict programs (lift_waits.c): before an instruction, that it reads nothing that a message is still to write; after
 * it, what it makes wait and what it has waited for. */
void valhall_check_reads(struct valhall_lifter *l);
void valhall_mark_message(struct valhall_lifter *l);
/* Whether the program may end without an instruction that surely writes colour target n. */
bool valhall_may_miss(const struct valhall_lifter *l, unsigned n);

/* What the policy is asked; targets: where lanes go, the next instruction, the epilogue. */
enum valhall_control {
    VALHALL_CTL_BRANCH, VALHALL_CTL_INDIRECT, VALHALL_CTL_RECONVERGE, VALHALL_CTL_END, VALHALL_CTL_DROP
};
struct exec_policy;
extern const struct exec_policy valhall_policy;

#endif
