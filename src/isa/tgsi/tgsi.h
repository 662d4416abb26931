/* tgsi.h - a TGSI program as data: what the text and the token stream both say.
 *
 * Names follow the document and Gallium's token header. All arrays are in the module's arena. */
#ifndef WEFT_ISA_TGSI_TGSI_H
#define WEFT_ISA_TGSI_TGSI_H

#include "ir/gallium.h"
#include "isa/isa.h"

/* Register files, numbered as in Gallium's tokens. RESOURCE and PREDICATE are the older document's: see tokens.h
 * for the numbers under which weft encodes them. */
enum tgsi_file {
    TGSI_NULL, TGSI_CONSTANT, TGSI_INPUT, TGSI_OUTPUT, TGSI_TEMPORARY, TGSI_SAMPLER, TGSI_ADDRESS, TGSI_IMMEDIATE,
    TGSI_SYSTEM_VALUE, TGSI_IMAGE, TGSI_SAMPLER_VIEW, TGSI_BUFFER, TGSI_MEMORY, TGSI_CONSTBUF, TGSI_HW_ATOMIC,
    TGSI_RESOURCE, TGSI_PREDICATE, TGSI_FILES
};

/* Older compute programs name these memories as resources without declaring them. */
enum { TGSI_RESOURCE_INPUT = 32764, TGSI_RESOURCE_PRIVATE, TGSI_RESOURCE_LOCAL, TGSI_RESOURCE_GLOBAL };

enum tgsi_processor { TGSI_FRAG, TGSI_VERT, TGSI_GEOM, TGSI_TESS_CTRL, TGSI_TESS_EVAL, TGSI_COMP, TGSI_PROCESSORS };

/* Programs that read the vertices of primitives or patches: only their registers may have an empty first bracket. */
static inline bool tgsi_has_vertices(uint8_t processor)
{
    return processor == TGSI_GEOM || processor == TGSI_TESS_CTRL || processor == TGSI_TESS_EVAL;
}

enum tgsi_imm_type { TGSI_FLT32, TGSI_UINT32, TGSI_INT32, TGSI_FLT64, TGSI_UINT64, TGSI_INT64 };

/* Texture targets in the order of Gallium's tokens. */
enum tgsi_target {
    TGSI_TEX_BUFFER, TGSI_TEX_1D, TGSI_TEX_2D, TGSI_TEX_3D, TGSI_TEX_CUBE, TGSI_TEX_RECT, TGSI_TEX_SHADOW1D,
    TGSI_TEX_SHADOW2D, TGSI_TEX_SHADOWRECT, TGSI_TEX_1D_ARRAY, TGSI_TEX_2D_ARRAY, TGSI_TEX_SHADOW1D_ARRAY,
    TGSI_TEX_SHADOW2D_ARRAY, TGSI_TEX_SHADOWCUBE, TGSI_TEX_2D_MSAA, TGSI_TEX_2D_ARRAY_MSAA, TGSI_TEX_CUBE_ARRAY,
    TGSI_TEX_SHADOWCUBE_ARRAY, TGSI_TEX_UNKNOWN, TGSI_TEX_TARGETS
};

/* A register index: a number, or register + number. */
struct tgsi_index {
    int32_t value;          /* the number, or the offset added to the address */
    bool indirect;
    uint8_t file;           /* enum tgsi_file of the address register */
    uint8_t component;      /* 0-3 */
    int32_t reg;            /* number of the address register */
    uint32_t array;         /* array id in parentheses, 0: none */
};

struct tgsi_operand {
    uint8_t file;
    bool dimensional;       /* has a second bracket: dim is the first, index the second */
    bool negate, absolute;  /* sources */
    uint8_t swizzle[4];     /* sources: component for x, y, z, w */
    uint8_t mask;           /* destinations: bit 0 is x */
    struct tgsi_index index, dim;
    struct span where;
};

struct tgsi_tex_offset {    /* three components */
    uint8_t file;
    int32_t reg;
    uint8_t swizzle[3];
};

enum tgsi_memory { TGSI_MEM_COHERENT = 1, TGSI_MEM_RESTRICT = 2, TGSI_MEM_VOLATILE = 4, TGSI_MEM_STREAM = 8 };

/* How a token stream spells an item where Gallium's producers differ (docs/manual/tgsi.md). Text has none of it. */
enum tgsi_form {
    TGSI_FORM_SHORT_COUNT = 1, /* the item's count leaves one token out, as Gallium's ureg writes it */
    TGSI_FORM_OTHER_WORD = 2,  /* the optional texture or memory token is there (or not) against weft's habit */
    TGSI_FORM_TARGET = 4       /* the texture token of SAMPLE or its kin names a target (in `target`) */
};

struct tgsi_insn {
    uint16_t opcode;        /* row of tgsi_rows */
    bool saturate, precise;
    uint8_t ndst, nsrc, noffsets;
    bool has_target;        /* texture or memory target */
    uint8_t target;
    bool has_memory;
    uint8_t memory;         /* enum tgsi_memory */
    uint8_t return_type;    /* token streams: the return type that a texture token names; text has no place for it */
    uint8_t form;           /* enum tgsi_form */
    uint16_t format;        /* memory ops: a PIPE_FORMAT number, 0: none */
    bool has_label;
    uint32_t label;         /* instruction number of the target */
    struct span where;
    uint32_t line;
    struct tgsi_operand *dst, *src; /* as many as its row has: most have three, none has seven */
    struct tgsi_tex_offset *offset;
};

enum { TGSI_DESTINATIONS = 2, TGSI_SOURCES = 5, TGSI_OFFSETS = 4 };

/* Room for the operands of any instruction. */
struct tgsi_operands {
    struct tgsi_operand dst[TGSI_DESTINATIONS], src[TGSI_SOURCES];
    struct tgsi_tex_offset offset[TGSI_OFFSETS];
};

static inline void tgsi_use_operands(struct tgsi_insn *insn, struct tgsi_operands *o)
{
    insn->dst = o->dst;
    insn->src = o->src;
    insn->offset = o->offset;
}

enum tgsi_interp { TGSI_INTERP_CONSTANT, TGSI_INTERP_LINEAR, TGSI_INTERP_PERSPECTIVE, TGSI_INTERP_COLOR };
enum tgsi_loc { TGSI_LOC_CENTER, TGSI_LOC_CENTROID, TGSI_LOC_SAMPLE };
enum tgsi_rettype { TGSI_UNORM, TGSI_SNORM, TGSI_SINT, TGSI_UINT, TGSI_FLOAT };
enum tgsi_memkind { TGSI_MEM_GLOBAL, TGSI_MEM_SHARED, TGSI_MEM_PRIVATE, TGSI_MEM_INPUT };

struct tgsi_decl {
    uint8_t file;
    uint8_t mask;           /* usage mask; 15 when none is written */
    bool has_mask;
    bool dimensional;
    bool dim_empty;         /* IN[][0]: the implied size */
    uint32_t dim;           /* constant buffer number, ... */
    uint32_t dim_last;
    uint32_t first, last;
    bool has_semantic;
    uint16_t semantic;      /* enum tgsi_semantic_number */
    uint32_t semantic_index;
    bool has_semantic_index;
    bool has_interp;
    uint8_t interp, location;
    uint8_t cylindrical;    /* older token streams: wrap mask */
    bool has_stream;
    uint8_t stream[4];
    bool local, invariant, atomic;
    uint32_t array;         /* ARRAY(n), 0: none */
    uint8_t target;         /* SVIEW, IMAGE, RES */
    uint8_t rettype[4];     /* SVIEW */
    bool raw, writable;     /* IMAGE, RES */
    uint16_t format;        /* IMAGE */
    uint8_t memkind;        /* MEMORY */
    uint8_t form;           /* enum tgsi_form */
    struct span where;
};

struct tgsi_imm {
    uint8_t type;
    uint32_t bits[4];       /* 64-bit types: low word, high word, low, high */
    struct span where;
};

struct tgsi_property {
    uint16_t name;          /* enum tgsi_property_number */
    uint32_t value[8];
    uint8_t count;
    struct span where;
};

/* Order of declarations, immediates and properties in the source, kept so that both forms are lossless. */
enum tgsi_item_kind { TGSI_ITEM_DECL, TGSI_ITEM_IMM, TGSI_ITEM_PROPERTY, TGSI_ITEM_INSN };
struct tgsi_item {
    uint8_t kind;
    uint32_t index;
};

struct isa_module {
    uint8_t processor;
    struct tgsi_decl *decls;
    uint32_t ndecls;
    struct tgsi_imm *imms;
    uint32_t nimms;
    struct tgsi_property *props;
    uint32_t nprops;
    struct tgsi_insn *insns;
    uint32_t ninsns;
    struct tgsi_item *items;
    uint32_t nitems;
};

/* Whether an operand is an immediate whose x is known now. */
static inline bool tgsi_immediate(const struct isa_module *m, const struct tgsi_operand *o, uint32_t *x)
{
    bool known = o->file == TGSI_IMMEDIATE && !o->index.indirect && o->index.value >= 0 &&
                 (uint32_t)o->index.value < m->nimms;
    if (known)
        *x = m->imms[o->index.value].bits[o->swizzle[0] & 3];
    return known;
}

/* ---- names, in tables (names.c) ---- */
extern const char *const tgsi_file_names[TGSI_FILES];
extern const char *const tgsi_processor_names[TGSI_PROCESSORS];
extern const uint8_t tgsi_processor_numbers[TGSI_PROCESSORS]; /* in token streams */
int tgsi_processor_of_number(uint32_t number);                /* and back; -1: none */
extern const uint8_t tgsi_processor_stages[TGSI_PROCESSORS];  /* enum ir_stage */
extern const char *const tgsi_target_names[TGSI_TEX_TARGETS];
extern const char *const tgsi_semantic_names[];   /* these and the following: NULL-terminated, by their enum */
extern const char *const tgsi_property_names[];
extern const char *const tgsi_interp_names[];
extern const char *const tgsi_location_names[];
extern const char *const tgsi_rettype_names[];
extern const char *const tgsi_memkind_names[];
extern const char *const tgsi_imm_type_names[];
extern const char *const tgsi_memory_names[];     /* bit 0 of enum tgsi_memory first */

/* ---- semantics and properties (semantics.c), by Gallium's numbers ---- */

enum tgsi_semantic_number {
#define SEMANTIC(name, ...) TGSI_SEMANTIC_##name,
#include "isa/tgsi/semantics.inc"
#undef SEMANTIC
    TGSI_SEMANTICS
};

/* How the components of a value that the device makes are found. */
enum tgsi_value {
    TGSI_VALUE_NONE,    /* an ordinary input */
    TGSI_VALUE_SCALAR,  /* x */
    TGSI_VALUE_VECTOR,  /* a component each */
    TGSI_VALUE_FLAG,    /* an i1 */
    TGSI_VALUE_SUBGROUP /* made by the lift */
};

/* Which lane of the warp this is, and sets of lanes on either side of it. */
enum tgsi_subgroup {
    TGSI_SUBGROUP_SIZE, TGSI_SUBGROUP_INVOCATION, TGSI_SUBGROUP_EQ, TGSI_SUBGROUP_GE, TGSI_SUBGROUP_GT,
    TGSI_SUBGROUP_LE, TGSI_SUBGROUP_LT
};

/* What has a value of its own where a primitive or a patch has several vertices. */
enum tgsi_per { TGSI_PER_VERTEX, TGSI_PER_PRIMITIVE, TGSI_PER_PATCH };

struct tgsi_semantic {
    uint8_t ir;              /* enum ir_semantic */
    uint8_t value;           /* enum tgsi_value: as a system value, or as an input that the rasteriser does not make */
    uint8_t sysval, type;    /* enum ir_sysval (SUBGROUP: enum tgsi_subgroup), enum ir_type */
    uint8_t per;             /* enum tgsi_per */
    uint8_t inputs, outputs; /* bit per enum tgsi_processor that may have it there */
    const char *where;       /* the same in words; NULL: any may */
    uint8_t components;      /* of a fragment program's output that go anywhere, 0: all */
    uint8_t last;            /* index, 0: any */
    bool numbered;           /* Gallium's text form always writes the index, also when it is 0 */
};

extern const struct tgsi_semantic tgsi_semantics[TGSI_SEMANTICS + 1];

static inline const struct tgsi_semantic *tgsi_semantic_of(const struct tgsi_decl *d)
{
    return &tgsi_semantics[d->semantic < TGSI_SEMANTICS ? d->semantic : TGSI_SEMANTICS];
}

enum tgsi_property_number {
#define PROPERTY(name, ...) TGSI_##name,
#include "isa/tgsi/properties.inc"
#undef PROPERTY
    TGSI_PROPERTIES
};

/* Which kind of member of struct ir_io a property sets. */
enum tgsi_sets { TGSI_SETS_NOTHING, TGSI_SETS_FLAG, TGSI_SETS_BYTE, TGSI_SETS_NUMBER };

struct tgsi_property_row {
    const char *const *words; /* that its value may be (NULL-terminated, by value), or NULL: a number */
    uint8_t sets;             /* enum tgsi_sets */
    bool ignored;             /* what it asks for is not there to be changed */
    uint16_t member;          /* its offset */
    uint16_t least, most;     /* of its value; most 0: any */
    uint16_t only;            /* a bit for each value that it may be; 0: any */
    const char *choice;       /* the values of `only`, for a message */
    bool opens;               /* 0 leaves the size of a workgroup to the caller */
};

extern const struct tgsi_property_row tgsi_property_rows[TGSI_PROPERTIES];

static inline const char *const *tgsi_property_words(uint16_t property)
{
    return property < TGSI_PROPERTIES ? tgsi_property_rows[property].words : NULL;
}

enum { TGSI_PATCH_VERTICES = 32 }; /* most of a patch */
/* Vertices of the primitives of GS_INPUT_PRIMITIVE; 0: none are named, or not such as a geometry program may have. */
unsigned tgsi_primitive_vertices(const struct isa_module *m);

/* ---- the opcode table ---- */

/* What kind of numbers an operand holds. */
enum tgsi_type {
    TGSI_T_NONE, TGSI_T_F32, TGSI_T_I32, TGSI_T_U32, TGSI_T_F64, TGSI_T_I64, TGSI_T_U64,
    TGSI_T_UNTYPED /* MOV: bits, float modifiers */
};

/* What an instruction does in control flow. */
enum tgsi_flow {
    TGSI_FLOW_NONE, TGSI_FLOW_IF, TGSI_FLOW_ELSE, TGSI_FLOW_ENDIF, TGSI_FLOW_LOOP, TGSI_FLOW_ENDLOOP, TGSI_FLOW_BREAK,
    TGSI_FLOW_CONTINUE, TGSI_FLOW_SWITCH, TGSI_FLOW_CASE, TGSI_FLOW_DEFAULT, TGSI_FLOW_ENDSWITCH, TGSI_FLOW_SUB,
    TGSI_FLOW_ENDSUB, TGSI_FLOW_CALL, TGSI_FLOW_RETURN, TGSI_FLOW_END, TGSI_FLOW_JUMP,
    TGSI_FLOW_DISCARD, TGSI_FLOW_BARRIER, TGSI_FLOW_EMIT /* from DISCARD on, lanes go on at the next instruction */
};

static inline bool tgsi_flow_goes_on(uint8_t flow)
{
    return flow == TGSI_FLOW_NONE || flow >= TGSI_FLOW_DISCARD;
}

/* Which components of a source are read, before its swizzle: those in the low four bits, or as said here. */
enum tgsi_reads {
    TGSI_READS_X = 1, TGSI_READS_XY = 3, TGSI_READS_YZ = 6, TGSI_READS_XYZ = 7, TGSI_READS_YW = 10,
    TGSI_READS_XYW = 11, TGSI_READS_XYZW = 15,
    TGSI_READS_EACH = 16,       /* those that the elements of the destination need: tgsi_elements */
    TGSI_READS_COORDINATES,     /* of the texture target, with its layer, compare value, level and divisor */
    TGSI_READS_DERIVATIVE,      /* as many as the texture target has coordinates */
    TGSI_READS_SECOND,          /* level, compare value or component to gather */
    TGSI_READS_LEVEL,           /* x, where the texture target has levels */
    TGSI_READS_VIEW_ADDRESS,    /* coordinates, layer and level of what the view is declared with: xyzw at most */
    TGSI_READS_VIEW_DERIVATIVE, /* xyz at most */
    TGSI_READS_VIEW_LEVEL,      /* x, where the view has levels */
    TGSI_READS_ADDRESS,         /* x in a buffer; coordinates of an image */
    TGSI_READS_VALUE,           /* those stored to a buffer or an image */
    TGSI_READS_INPUT            /* planes of an input, not the register */
};

/* What an operand without numbers is. */
enum tgsi_unit {
    TGSI_UNIT_NONE,
    TGSI_UNIT_SAMPLER, /* SAMP, or a register that holds a handle */
    TGSI_UNIT_PLAIN_SAMPLER,
    TGSI_UNIT_VIEW,    /* SVIEW; a second such operand is its sampler */
    TGSI_UNIT_STORAGE, /* BUFFER, IMAGE, MEMORY, RES, CONSTBUF, HWATOMIC, or with a target a handle of an image */
    TGSI_UNIT_IMAGE,
    TGSI_UNIT_COLOR    /* an output: what the frame buffer holds */
};

/* What an instruction reads or writes that its text does not name. */
enum tgsi_implies {
    TGSI_IMPLIES_NOTHING,
    TGSI_IMPLIES_STACK,  /* the address stack: a destination is popped, a source is pushed */
    TGSI_IMPLIES_OUTPUTS /* all outputs are read */
};

/* In the attr column of the TEX and SAMPLE families: where arguments are beside the coordinates. */
enum tgsi_lookup_flag {
    TGSI_LOOKUP_PROJECTED = 1,    /* src0.w divides */
    TGSI_LOOKUP_LEVEL_W = 2,      /* level or bias in src0.w */
    TGSI_LOOKUP_SECOND = 4,       /* src1 holds a fifth component */
    TGSI_LOOKUP_LEVEL_SECOND = 8, /* level or bias in src1.x; it has TGSI_LOOKUP_SECOND too */
    TGSI_LOOKUP_LEVEL_LAST = 16,  /* level or bias in x of the source after the sampler */
    TGSI_LOOKUP_COMPARES = 32,    /* a compare value there */
    TGSI_LOOKUP_SAMPLE_LAST = 64  /* number of a sample in x of the last source */
};

struct tgsi_lifter;

/* Lift one instruction, whose row is l->row. */
typedef void tgsi_lift_fn(struct tgsi_lifter *l, const struct tgsi_insn *insn);
/* One element of the result from one element of each source, for rows that do the same to all of them. */
typedef uint32_t tgsi_element_fn(struct tgsi_lifter *l, const uint32_t *sources);

struct tgsi_row {
    const char *name;
    int16_t number;          /* Gallium's opcode number in tokens; 256 and more: opcodes that are gone, see rows.inc */
    uint8_t ndst, nsrc;
    uint8_t dst_type, src_type[5]; /* enum tgsi_type */
    uint8_t writes;          /* components of a destination that can be written */
    uint8_t reads[5];        /* enum tgsi_reads */
    uint8_t flow;            /* enum tgsi_flow */
    bool texture;            /* a texture target follows the operands */
    bool offsets;            /* texture offsets may follow, and a texture token is there for them */
    bool view_token;         /* a texture token is there even without them */
    bool memory;             /* memory attributes may follow */
    bool memory_token;       /* a memory token that says nothing may be there */
    bool label;              /* an instruction label may follow */
    uint8_t implies;         /* enum tgsi_implies */
    uint8_t unit;            /* enum tgsi_unit */
    uint16_t effects;        /* set of WEFT_EFFECT_... */
    const char *operands;    /* their names, with what may follow; NULL: dst, src0, ... */
    uint8_t stages;          /* bit per enum tgsi_processor; 0: all */
    uint8_t provenance;      /* enum isa_provenance */
    uint16_t ir;             /* what the lift function emits: enum ir_opcode, ir_atomic or ir_tex_op */
    uint16_t attr;           /* its attributes, or enum tgsi_lookup_flag */
    tgsi_lift_fn *lift;
    tgsi_element_fn *element; /* of rows whose lift is tgsi_lift_map */
    const char *group, *doc;
};

extern const struct isa_difference tgsi_differences[];
extern const struct tgsi_row tgsi_rows[];
extern const uint32_t tgsi_row_count;

/* Row of a mnemonic (any case), today's or that of an older release (KIL), or -1. */
int tgsi_find_row(const char *name, size_t length);
/* Take room for the operands of the instruction's row, and for `offsets` texture offsets. False without memory. */
bool tgsi_new_operands(struct arena *arena, struct tgsi_insn *insn, unsigned offsets);
/* Row of an opcode number, or -1. */
int tgsi_row_of_number(uint32_t number);

/* What is wrong with the table, with the row's name; NULL: nothing. */
const char *tgsi_table_fault(void);

/* EMIT and ENDPRIM may be without their source, as the older dialect writes them. */
static inline bool tgsi_may_stand_bare(const struct tgsi_row *row)
{
    return row->stages == 1u << TGSI_GEOM && row->ndst == 0 && row->nsrc == 1;
}

/* ---- parts of the instruction set: one file each ---- */
weft_status tgsi_parse(const struct source *, const struct isa_params *, struct arena *, struct isa_module **,
                       weft_diags *);
/* How many programs a text holds: several in a log. isa_params.program says which one is parsed. */
uint32_t tgsi_programs(const struct source *);
/* Statements without the name of a processor, which may be there: *headed. */
weft_status tgsi_parse_line(const struct source *line, uint8_t processor, bool *headed, struct arena *,
                            struct isa_module **, weft_diags *);
weft_status tgsi_print(const struct isa_module *, struct arena *, char **text, size_t *size, struct isa_places *places);
weft_status tgsi_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *, struct arena *,
                        struct isa_module **, weft_diags *);
weft_status tgsi_encode(const struct isa_module *, struct arena *, uint8_t **bytes, size_t *size, weft_diags *);
weft_status tgsi_check(const struct isa_module *, const struct source *, const struct isa_params *, weft_diags *);
weft_status tgsi_lift(const struct isa_module *, const struct source *, struct arena *, struct ir_program **,
                      weft_diags *);

extern const struct isa isa_tgsi;
extern const struct exec_policy tgsi_policy; /* structured masks: policy.c */
extern const struct exec_policy tgsi_jump_policy; /* a place for each lane: policy_jumps.c */

#endif
