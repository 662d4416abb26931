/* select.h - the compiler's state, and the choice of operations for one op of lane IR. */
#ifndef WEFT_EXEC_SELECT_H
#define WEFT_EXEC_SELECT_H

#include "exec/frame.h"

/* Two ops that are one operation. `order` says which operands the handler takes: i and j are the inner op's arguments,
 * o the outer op's other one. */
struct fusion {
    uint16_t outer, inner, type;
    int8_t side; /* which argument of the outer op; -1: either */
    uint16_t outer_attr, inner_attr;
    uint16_t handler;
    const char *order;
};

/* What is known of a value while its block is compiled. */
struct value_info {
    uint32_t block;      /* where it is defined */
    uint32_t def, last;  /* ops of its definition and last use */
    uint32_t uses;
    ir_value alias;      /* another name for this value's row */
    ir_value fuse;       /* the argument that is computed together with this value */
    const struct fusion *fusion; /* and how */
    uint8_t fuse_side;   /* which argument it is */
    uint32_t row;
    uint32_t home;       /* the register's row that it lives in, 0: a temporary */
    uint32_t set_at;     /* in_register: the SET that needs no code */
    bool fused;          /* done as part of its only user */
    bool temp;           /* row is to be given back */
    bool from_register;  /* a GET that reads the register's row */
    bool in_register;    /* made in the row of the register that a SET stores it to */
    ir_value condition;  /* in_register: the predicate of that SET, 0: none */
    uint32_t with_mask;  /* of a condition: the row of the active lanes that it holds in; 0: not made */
    bool row_wanted;     /* uniform, and needed as a row of equal elements */
    bool scalar;         /* uniform, and one element will do */
    bool kept_whole;     /* not only put into parts of registers */
    bool crossed;        /* other lanes read it: it must be computed in inactive lanes as well */
};

struct temp_list {
    uint32_t *rows;
    uint32_t count;
    size_t cap;
};

struct compiler {
    struct exec_program *p;
    struct arena *arena;
    weft_diags *diags;
    const struct handler_table *handlers;
    struct value_info *v;           /* of the values below `shared`, then of those of the block being compiled, */
    uint32_t shared, own;           /* from `own` on: info_of */
    struct arena *value_arena;      /* of v: of its own where no blocks come later */
    struct temp_list temps[3][2];   /* [scalar, uniform, lane][wide] */
    uint32_t frame, frame_limit;    /* bytes of the frame so far, and at most */
    uint32_t scalars;               /* next of a block of scalars */
    uint32_t sites;                 /* accesses so far */
    struct lop *code;               /* of the blocks being compiled */
    size_t ncode;
    struct patch {                  /* an operation that goes to a block */
        size_t at;
        uint32_t block;
        bool masked;
    } *patches;
    uint32_t npatches, nvalues, prologue_ops;
    size_t patches_cap, v_cap, blocks_cap, code_at_cap[2];
    bool extensible;
    bool scalar;                    /* the op being selected makes a scalar */
    uint32_t *const_hash, const_hash_size;
    size_t consts_cap, code_cap, calls_cap;
    uint32_t *code_at[2];           /* by block: first operation, unmasked and masked */
    uint32_t *file_base;            /* by file: number of its first register */
    uint32_t nregisters;
    uint32_t *reader_block, *reader_last; /* by register: last use of a value that lives in its row */
    uint32_t block, at;             /* being compiled */
    const struct ir_op *ops;
    const struct ir_op *fuse_op;
    bool masked;
    bool failed, unsupported;
    struct lop scrap;
};

static inline struct value_info *info_of(const struct compiler *c, ir_value v)
{
    return &c->v[v < c->shared ? v : v - c->own + c->shared];
}

struct operand {
    uint32_t row;
    uint8_t stride;
};

uint32_t temp_take(struct compiler *c, bool lane, bool wide);
void temp_give(struct compiler *c, uint32_t row, bool lane, bool wide);
uint32_t const_row(struct compiler *c, uint64_t bits, bool wide);
/* mask: the row of the lanes that are written; 0: all of them. */
struct lop *emit(struct compiler *c, enum handler_id h, uint32_t mask);
/* The operation goes to a block: imm will be its code, d is the block. */
void patch_target(struct compiler *c, struct lop *op, uint32_t block);
struct lop_call *call_new(struct compiler *c, const struct ir_op *op, unsigned nargs, unsigned nres);
void compile_unsupported(struct compiler *c, const struct ir_op *op, const char *what);
bool value_wide(const struct compiler *c, ir_value v);
uint32_t reg_row(const struct compiler *c, unsigned file, uint32_t elem);
struct operand operand_of(struct compiler *c, ir_value v);
uint32_t result_row(struct compiler *c, ir_value v);
/* The row of the lanes that the value is written in; 0: all of them. */
uint32_t result_mask(const struct compiler *c, ir_value v);

/* What the analysis of a block gives: place.c. */
void scan_block(struct compiler *c, const struct ir_block *b);
bool crosses_lanes(const struct ir_op *op);
/* Is an op without results done once for the warp: are arguments and predicate uniform? */
bool one_for_all(const struct ir_program *ir, const struct ir_op *op);
uint32_t reg_number(const struct compiler *c, unsigned file, uint32_t elem);
const struct ir_reg *op_reg(const struct compiler *c, const struct ir_op *op);
unsigned span_of_reg(const struct compiler *c, const struct ir_reg *r);
ir_value root_of(const struct compiler *c, ir_value v);

/* GET_LANE or SET_LANE of words in one lane of elements that follow one another, one for each lane. */
struct column {
    uint32_t elem, lane; /* the first of them */
};
bool find_column(const struct compiler *c, const struct ir_op *op, struct column *out);

/* How op does its argument `side`, which `inner` makes, in the same operation; NULL: not at all. */
const struct fusion *find_fusion(const struct ir_program *ir, const struct ir_op *op, unsigned side,
                                 const struct ir_op *inner);

/* The handler of a component-wise op, or HANDLER_COUNT when it takes more than one operation (or none). */
enum handler_id simple_handler(const struct compiler *c, const struct ir_op *op);
/* Is the op one operation that reads its arguments before it writes its result (and has a masked form)? */
bool single_step(const struct compiler *c, const struct ir_op *op, bool with_mask);
bool has_masked_form(const struct compiler *c, const struct ir_op *op);
void select_op(struct compiler *c, const struct ir_op *op);

/* Pieces of select.c that the other files use. */
enum handler_id typed_handler(const struct ir_op *op, enum ir_type t);
enum ir_type arg_type(const struct compiler *c, const struct ir_op *op, unsigned k);
bool type_is_narrow(enum ir_type t);
struct lop *emit_simple(struct compiler *c, enum handler_id h, uint32_t mask, uint32_t d, const struct operand *o,
                        unsigned n, bool uniform);
struct operand const_operand(struct compiler *c, uint32_t bits);
void set_operands(struct lop *l, const struct operand *o, unsigned n);
uint8_t chunks_of(const struct compiler *c, bool uniform);

/* Values that are the same for all lanes, as full rows for C functions that look at lanes. */
struct spread {
    uint32_t row[16];
    bool wide[16];
    unsigned count;
};
uint32_t spread_out(struct compiler *c, ir_value v, struct operand o, struct spread *s);
void spread_end(struct compiler *c, const struct spread *s);

/* Floats: select_float.c. The one operation that does rounded arithmetic with any attributes (in aux), or
 * HANDLER_COUNT; and everything else about floats, false where there is no way yet. */
enum handler_id rounded_handler(const struct compiler *c, const struct ir_op *op);
/* What the operation chosen for op reads of the attributes in its imm. */
uint64_t attribute_imm(enum handler_id h, const struct ir_op *op);
bool select_float(struct compiler *c, const struct ir_op *op);

/* Memory: select_memory.c. */
void select_memory(struct compiler *c, const struct ir_op *op);

/* Terminators: select_terminator.c. */
void select_terminator(struct compiler *c, const struct ir_op *op);

/* Registers: select_registers.c. */
bool plain_reg(const struct compiler *c, const struct ir_reg *r);
void select_get(struct compiler *c, const struct ir_op *op);
void select_set(struct compiler *c, const struct ir_op *op);
void select_indexed(struct compiler *c, const struct ir_op *op);
/* Ops with narrow arguments or results; false for those that have no such form yet. */
bool select_narrow(struct compiler *c, const struct ir_op *op);
/* Cut a row of 32-bit numbers to a narrow type. */
void cut_to_type(struct compiler *c, uint32_t d, enum ir_type t, bool uniform);

#endif
