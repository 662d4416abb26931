/* lift.h - SPIR-V to lane IR: what the parts of the lift share.
 *
 * A value of SPIR-V is a list of scalars (composites are flattened). What is used in the block that makes it is a value
 * of the IR; what is used in another one also goes through registers, and what depends on nothing but constants and
 * uniform buffers is made in the prologue, where every block sees it. Variables of the storage classes Function,
 * Private, Input and Output are registers, those with a layout are spaces of memory. Calls are inlined. Blocks are laid
 * out so that a construct is before its merge block, and lanes at the lowest block run first (policy.c). */
#ifndef WEFT_ISA_SPIRV_LIFT_H
#define WEFT_ISA_SPIRV_LIFT_H

#include "isa/lift.h"
#include "isa/spirv/linkage.h"
#include "isa/spirv/spirv.h"

enum {
    SPIRV_LANES = 64,
    SPIRV_MOST_SCALARS = 1 << 16,   /* of a value */
    SPIRV_MOST_ELEMENTS = 1 << 20,  /* of the register files */
    SPIRV_MOST_OPS = 1 << 22,       /* that inlining may make */
    SPIRV_MOST_DEPTH = 200          /* of types and calls */
};

/* ---- types (types.c) ---- */

enum spirv_kind {
    SPIRV_T_NONE, SPIRV_T_VOID, SPIRV_T_BOOL, SPIRV_T_INT, SPIRV_T_FLOAT, SPIRV_T_VECTOR, SPIRV_T_MATRIX, SPIRV_T_ARRAY,
    SPIRV_T_RUNTIME_ARRAY, SPIRV_T_STRUCT, SPIRV_T_POINTER, SPIRV_T_FUNCTION, SPIRV_T_IMAGE, SPIRV_T_SAMPLER,
    SPIRV_T_SAMPLED_IMAGE, SPIRV_T_OTHER
};

struct spirv_type {
    uint8_t kind, bits;
    bool is_signed;
    uint8_t ir;            /* enum ir_type of scalars */
    uint8_t depth;
    uint32_t elem;         /* of what: component, column, element, pointee, return type, image */
    uint32_t count;        /* components, columns, elements, members */
    const uint32_t *member; /* types of a struct's members */
    uint32_t storage;      /* of a pointer */
    uint32_t stride;       /* ArrayStride; 0: none is given */
    bool empty;            /* it is made of structures without members alone: a value of no scalars */
    uint32_t scalars;      /* in a value of it; 0: it is not one, or empty */
    uint32_t elements;     /* registers of 32 bits that a variable of it takes; 0: none */
    uint32_t bytes, align; /* in memory that nobody has laid out */
    const uint8_t *leaf;   /* by scalar: enum ir_type. Made at the first use */
    const uint32_t *w;     /* its instruction: images */
};

/* ---- values (lift.c) ---- */

enum spirv_what { SPIRV_NOTHING, SPIRV_SCALARS, SPIRV_POINTER, SPIRV_OPAQUE };

/* Where a pointer leads. */
enum spirv_place { SPIRV_REGISTERS, SPIRV_MEMORY, SPIRV_SLOTS, SPIRV_BUILTIN, SPIRV_RESOURCE, SPIRV_TEXEL };

struct spirv_pointer {
    uint8_t place;       /* enum spirv_place */
    bool row_major;      /* of the matrices that it leads to */
    bool table;          /* REGISTERS: those of a constant table */
    bool dynamic;        /* v[0] of the value is to be added: an index or an address (i32), a flat address (i64) */
    uint32_t type;       /* of what is there */
    uint32_t var;        /* the variable */
    /* REGISTERS: element, and the index's factor and range. BUILTIN: member or component of the value */
    uint32_t element, stride;
    uint32_t last;       /* of the index */
    /* MEMORY */
    uint16_t space;
    int64_t offset;
    uint32_t matrix_stride; /* 0: columns are tight */
    uint32_t component_stride; /* of a vector that is a column of a row-major matrix; 0: tight */
    /* SLOTS: element is the slot. Whether the next index is a vertex's, and whether numbers of arrays follow each
     * other, as those of builtins do */
    bool vertex, packed;
    /* RESOURCE: element of an array of them */
    uint32_t index;
    /* TEXEL: an image (var and index), its type, and ids of coordinate and sample */
    uint32_t image, coordinate, sample;
};

/* An image, a sampler, or both. */
struct spirv_opaque {
    uint32_t image, sampler; /* variables; 0: none */
    uint32_t image_index, sampler_index; /* elements of their arrays */
    bool image_chosen, sampler_chosen;   /* v[0], v[1] of the value are to be added */
    uint32_t type;           /* OpTypeImage */
};

struct spirv_value {
    uint32_t type;       /* id; 0: no value yet */
    uint8_t what;        /* enum spirv_what */
    bool crosses;        /* it is used in another block than the one that makes it */
    bool everywhere;     /* v are values of the prologue */
    bool kept;           /* it has registers */
    uint32_t n;          /* of v */
    uint32_t block;      /* where v are valid */
    uint32_t element, flag; /* its registers: of 32 bits and of one */
    ir_value *v;
    struct spirv_pointer *pointer;
    struct spirv_opaque opaque;
};

/* ---- variables (lift_variable.c) ---- */

struct spirv_variable {
    uint32_t id, type;   /* type: of what it holds */
    uint32_t storage;    /* SpvStorageClass */
    uint32_t initial;    /* id of its initial value; 0: none */
    uint32_t element;    /* first register; SPIRV_NONE: none yet */
    uint32_t space;      /* WORKGROUP */
    uint64_t offset;
    bool known;          /* its slots are there */
    bool table;          /* it is a constant one, in registers of the warp */
};

/* What is known of a value of the IR. */
struct spirv_known {
    uint64_t bits;       /* of a constant */
    bool prologue, constant;
};

struct spirv_function; /* lift_flow.c */
struct spirv_frame;
struct spirv_slots; /* lift_io.c */

/* Slots in memory, by the number that the device has for them (ir/io.h). */
enum spirv_stage_space { SPIRV_SPACE_IN, SPIRV_SPACE_OUT, SPIRV_SPACE_PATCH };

struct spirv_lifter {
    LIFT_BASE;
    struct spirv_linkage link;
    struct spirv_type *types;    /* by id */
    struct spirv_value *values;  /* by id */
    struct spirv_variable **variables; /* by id */
    struct spirv_function **functions; /* by id of the OpFunction */
    uint32_t file_v, file_b;     /* registers of 32 bits and of one */
    uint32_t file_t, table_elements; /* constant tables: one for the warp, made at the first use */
    uint32_t *table_of, *tables; /* by id: tables.c */
    uint32_t elements, flags;    /* how many are taken */
    struct spirv_known *known;   /* by value of the IR */
    size_t known_count, known_cap;
    struct spirv_constant { uint64_t bits; ir_value v; uint8_t type; } *constants; /* a hash of those made */
    uint32_t nconstants, constants_cap;
    const uint32_t *w;           /* the instruction at work */
    unsigned nw;
    uint32_t label_count;        /* places where blocks of the IR will be */
    uint32_t *label_block;       /* by label: the block, 0: it is not placed yet */
    uint32_t *block_of;          /* by id of a label: which block of its function */
    uint32_t *home, segments;    /* by id: the stretch of instructions that makes it (layout.c) */
    const struct spirv_meaning *meaning; /* of the instruction at work */
    size_t label_cap;
    uint32_t done;               /* label of the end of the program */
    uint32_t depth;              /* of calls */
    uint32_t space_shared;       /* 1 + the space of workgroup memory; 0: none */
    uint32_t space_flat;         /* 1 + that of flat addresses; 0: none */
    uint64_t shared_bytes;
    uint32_t stage_space[3];     /* 1 + the spaces of enum spirv_stage_space; 0: none */
    uint16_t float_attr[3];      /* enum ir_attr that the modes ask for: floats of 16, 32 and 64 bits */
    bool square_quads;           /* of a compute program: DerivativeGroupQuads */
    uint64_t lifted;             /* instructions, those of inlined functions each time */
    struct spirv_slots *slots;
    uint32_t current;            /* the SPIR-V block at work: its label */
    struct spirv_frame *frame;   /* the function at work */
};

/* ---- lift.c: values ---- */

/* The program is wrong or beyond weft: said with the instruction's name and place. */
void spirv_wrong(struct spirv_lifter *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The values of an id in the block at work; NULL after an error. */
const ir_value *spirv_use(struct spirv_lifter *l, uint32_t id, uint32_t *n);
/* The same of numbers or Booleans of one type, one at least: the scalars of a structure need not be. */
const ir_value *spirv_use_alike(struct spirv_lifter *l, uint32_t id, uint32_t *n);
/* The same with exactly n scalars of one type; NULL after an error. */
const ir_value *spirv_use_n(struct spirv_lifter *l, uint32_t id, uint32_t n, enum ir_type type);
/* Whether n values are those of a type. */
bool spirv_fits(struct spirv_lifter *l, uint32_t type, const ir_value *v, uint32_t n);
/* One scalar; 0 after an error. */
ir_value spirv_use_one(struct spirv_lifter *l, uint32_t id, enum ir_type type);
/* One integer of any width as i32: an index. */
ir_value spirv_use_index(struct spirv_lifter *l, uint32_t id);
/* The result of the instruction at work (w[1] its type, w[2] its id): n scalars, which must be what the type has. */
void spirv_result(struct spirv_lifter *l, const ir_value *v, uint32_t n);
void spirv_result_pointer(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic);
/* chosen: two numbers (i32) to add to the elements, if the program chooses them. */
void spirv_result_opaque(struct spirv_lifter *l, const struct spirv_opaque *o, const ir_value *chosen);
const struct spirv_opaque *spirv_use_opaque(struct spirv_lifter *l, uint32_t id, const ir_value **chosen);
/* An id's entry, whose type is known; NULL after an error. */
struct spirv_value *spirv_value_of(struct spirv_lifter *l, uint32_t id);
/* Values get registers, and are written to them or read from them. */
void spirv_keep(struct spirv_lifter *l, struct spirv_value *v);
void spirv_write_kept(struct spirv_lifter *l, struct spirv_value *to, const ir_value *v, ir_value pred);
/* Constant integer of an id, UINT64_MAX for all that are negative; false: it is not constant. */
bool spirv_constant(struct spirv_lifter *l, uint32_t id, uint64_t *value);
/* Room for n values. */
ir_value *spirv_room(struct spirv_lifter *l, uint32_t n);
uint32_t spirv_take_elements(struct spirv_lifter *l, uint32_t n);

/* An instruction becomes the one at work. */
void spirv_begin_insn(struct spirv_lifter *l, uint32_t insn);

/* ---- emit.c: ops, which are made in the prologue where all that they take is there ---- */
ir_value spirv_const(struct spirv_lifter *l, enum ir_type type, uint64_t bits);
ir_value spirv_i32(struct spirv_lifter *l, uint32_t v);
ir_value spirv_f32(struct spirv_lifter *l, float v);
/* A float constant of a type. */
ir_value spirv_float(struct spirv_lifter *l, enum ir_type type, double v);
ir_value spirv_emit(struct spirv_lifter *l, enum ir_opcode code, enum ir_type type, unsigned attr, const ir_value *a,
                    unsigned n, uint64_t imm);
ir_value spirv_1(struct spirv_lifter *l, enum ir_opcode code, ir_value a);
ir_value spirv_2(struct spirv_lifter *l, enum ir_opcode code, ir_value a, ir_value b);
ir_value spirv_3(struct spirv_lifter *l, enum ir_opcode code, ir_value a, ir_value b, ir_value c);
ir_value spirv_cvt(struct spirv_lifter *l, enum ir_opcode code, enum ir_type to, ir_value a);
ir_value spirv_select(struct spirv_lifter *l, ir_value c, ir_value yes, ir_value no);
ir_value spirv_as(struct spirv_lifter *l, enum ir_type type, ir_value a);
ir_value spirv_call(struct spirv_lifter *l, const char *name, lift_lanes_fn *fn, enum ir_type type, uint64_t imm,
                    const ir_value *args, unsigned n);
/* Loads of constant spaces from addresses of the prologue are made there too. */
ir_value spirv_load(struct spirv_lifter *l, struct ir_mem mem, enum ir_type type, ir_value address);
bool spirv_in_prologue(const struct spirv_lifter *l, ir_value v);
/* Whether a value is a constant, and its bits. */
bool spirv_bits(const struct spirv_lifter *l, ir_value v, uint64_t *bits);
ir_value spirv_sysval(struct spirv_lifter *l, enum ir_sysval which, enum ir_type type, unsigned component);

/* ---- types.c ---- */
const struct spirv_type *spirv_type(struct spirv_lifter *l, uint32_t id);
/* The types of a value's scalars, NULL after an error. */
const uint8_t *spirv_leaves(struct spirv_lifter *l, uint32_t type);
/* Scalars of type `type` before its part `index`; its part's type. False: none. */
bool spirv_part(struct spirv_lifter *l, uint32_t type, uint32_t index, uint32_t *part, uint32_t *before);
/* The same in registers of 32 bits. */
bool spirv_part_elements(struct spirv_lifter *l, uint32_t type, uint32_t index, uint32_t *part, uint32_t *before);
/* The type of the instruction at work. */
void spirv_make_type(struct spirv_lifter *l, enum spirv_kind kind);
/* Bytes of a type in memory that nobody has laid out (Workgroup), and its alignment. */
uint64_t spirv_natural_size(struct spirv_lifter *l, uint32_t type, uint32_t *align);
/* Where a struct's member is in memory, by Offset or naturally. */
uint64_t spirv_member_offset(struct spirv_lifter *l, uint32_t type, uint32_t member);
uint64_t spirv_array_stride(struct spirv_lifter *l, uint32_t type);

/* ---- constants.c ---- */
/* What constants are, in their rows. */
enum spirv_constant_flag { SPIRV_TRUE = 1, SPIRV_SPECIAL = 2 /* the linkage may give it another value */ };
/* Values of a constant of zeros. */
bool spirv_zeros(struct spirv_lifter *l, uint32_t type, ir_value *v, uint32_t n);

/* ---- lift_variable.c ---- */
/* To the variable that an id is. */
bool spirv_variable_pointer(struct spirv_lifter *l, uint32_t id, struct spirv_pointer *p);
/* OUTPUT of what the outputs' registers hold. */
void spirv_write_outputs(struct spirv_lifter *l);
/* What runs before the entry point's first block: initial values. */
void spirv_initialise(struct spirv_lifter *l);
ir_value spirv_builtin_scalar(struct spirv_lifter *l, uint32_t builtin, uint32_t component, enum ir_type type);
/* The number of a resource, an array element added. */
uint32_t spirv_resource_number(struct spirv_lifter *l, uint32_t var, uint32_t kind, uint32_t index);

ir_value spirv_lane_set(struct spirv_lifter *l, uint32_t builtin);
ir_value spirv_ballot_word(struct spirv_lifter *l, ir_value set, uint32_t component);

/* ---- lift_group.c, lift_reduce.c ---- */
/* What a lane (i32), and what the first active lane has of a scalar of any type. The lane is 0 of the latter. */
ir_value spirv_of_lane(struct spirv_lifter *l, ir_value v, ir_value lane);
ir_value spirv_of_first(struct spirv_lifter *l, ir_value v, ir_value lane);
/* Whether a scope is that of a subgroup; an error if not. */
bool spirv_in_subgroup(struct spirv_lifter *l, uint32_t id);
/* The size of clusters that an operand says, no more than there are lanes; false after an error. */
bool spirv_cluster(struct spirv_lifter *l, uint32_t id, uint64_t *size);

/* ---- tables.c: variables that hold one constant ---- */
void spirv_find_tables(struct spirv_lifter *l);
bool spirv_is_table(const struct spirv_lifter *l, uint32_t id);
const ir_value *spirv_table(struct spirv_lifter *l, uint32_t id);

/* ---- lift_memory.c ---- */
/* n scalars of p->type at a pointer, with its dynamic part. */
bool spirv_load_from(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic, ir_value *v);
void spirv_store_to(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic, const ir_value *v);
/* The pointer that an operand is, a variable's or one of an instruction. */
bool spirv_pointer_of(struct spirv_lifter *l, uint32_t id, struct spirv_pointer *p, ir_value *dynamic);
/* A pointer's value, and what is added to it at run time; NULL after an error. */
const struct spirv_pointer *spirv_use_pointer(struct spirv_lifter *l, uint32_t id, ir_value *dynamic);

/* ---- lift_pointer.c: pointers as values ---- */
/* Whether the dynamic part of a pointer is a flat address, i64. */
bool spirv_is_flat(const struct spirv_lifter *l, const struct spirv_pointer *p);
/* The i64 that a pointer into memory is, 0 after an error; and back, NULL after an error. */
ir_value spirv_address_of(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value dynamic);
const struct spirv_pointer *spirv_pointer_at(struct spirv_lifter *l, uint32_t type, ir_value v, ir_value *dynamic);
/* A pointer to the block that is element `chosen` (i32) further on of an array of buffers, by p->var and p->index. */
bool spirv_chosen_buffer(struct spirv_lifter *l, struct spirv_pointer *p, uint32_t type, ir_value *chosen);
/* Bytes from what a pointer leads to, to the next; 0: nobody says. */
uint64_t spirv_pointer_stride(struct spirv_lifter *l, uint32_t id);
uint32_t spirv_shared_space(struct spirv_lifter *l);
uint32_t spirv_flat_space(struct spirv_lifter *l);

/* ---- lift_image.c ---- */
/* The texel that a pointer leads to. */
ir_value spirv_texel_load(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value chosen);
/* An atomic on it; compare 0: none. */
ir_value spirv_texel_atomic(struct spirv_lifter *l, const struct spirv_pointer *p, ir_value chosen, enum ir_atomic op,
                            ir_value value, ir_value compare);

/* ---- lift_flow.c ---- */
bool spirv_find_functions(struct spirv_lifter *l);
void spirv_lift_entry(struct spirv_lifter *l);
uint32_t spirv_label(struct spirv_lifter *l);
void spirv_place_label(struct spirv_lifter *l, uint32_t label);
void spirv_goto(struct spirv_lifter *l, uint32_t label);
/* Labels become blocks, and control that never parts lanes plain branches. */
void spirv_resolve(struct spirv_lifter *l);
enum spirv_control { SPIRV_CTL_BRANCH, SPIRV_CTL_MEET, SPIRV_CTL_END };
extern const struct exec_policy spirv_policy;

/* ---- lift_ext.c ---- */
void spirv_ext_glsl(struct spirv_lifter *l, uint32_t number, const uint32_t *args, unsigned n);

/* ---- lift_arithmetic.c: for others ---- */
enum spirv_map_flag { SPIRV_SWAP = 1 << 14, SPIRV_NOT = 1 << 15 };
/* Integer dot products: which operands have a sign, and whether a third one is added, saturating. */
enum spirv_dot_flag { SPIRV_DOT_A = 1, SPIRV_DOT_B = 2, SPIRV_DOT_SUM = 4 };

/* The lift functions that rows name. */
#define MEANING(name, ...)        DECLARE(__VA_ARGS__, 0)
#define DECLARES(name, ...)       DECLARE(__VA_ARGS__, 0)
#define ALL_DECLARE(group, lift)  DECLARE(lift, 0)
#define DECLARE(lift, ...)        spirv_lift_fn spirv_lift_##lift;
#include "isa/spirv/rows.inc"
#include "isa/spirv/declarations.inc"
#undef DECLARE
#undef MEANING
#undef DECLARES
#undef ALL_DECLARE

#endif
