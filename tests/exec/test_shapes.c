/* test_shapes.c - what the interpreter's compiler makes of programs, and what of it the JIT is asked to compile.
 *
 * Results are the business of other tests: two ops in one operation, a value that lives in its register's row or a
 * scalar in place of a row change nothing but time and memory, and would be lost unseen. So the operations of programs
 * that are always the same are counted by handler, and a number is made of all that they name. shapes.txt has what was
 * found when somebody looked last; WEFT_TEST_RENEW=1 writes it anew. */
#include "snapshot.h"

#include "exec/native.h"
#include "exec/select.h"
#include "ir/build.h"
#include "ir/program.h"
#include "ir/random_program.h"

static const char *const handler_names[HANDLER_COUNT] = {
#define NAME(name, ...) #name,
    HANDLERS(NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME)
        ATTRIBUTE_HANDLERS(NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME, NAME)
#undef NAME
};

enum { FORMS = 5, SECTIONS = 20 };
static const char *const form_names[FORMS] = {"", "/masked", "/of_four", "/masked_of_four", "/scalar"};

struct shapes {
    uint32_t count[HANDLER_COUNT][FORMS];
    struct section {
        const char *name;
        uint64_t programs, refused, operations, frames, consts, zeroed, calls, runs, steps, live, joined, digest;
    } section[SECTIONS];
    unsigned nsections;
};

static void add(uint64_t *digest, uint64_t n)
{
    *digest = test_mixed(*digest, n);
}

static void add_text(uint64_t *digest, const char *text)
{
    for (; *text; text++)
        add(digest, (unsigned char)*text);
}

static bool find_handler(const struct handler_table *t, lop_fn *fn, unsigned *handler, unsigned *form)
{
    for (*handler = 0; *handler < HANDLER_COUNT; ++*handler) {
        const struct handler *k = exec_handler(t, (enum handler_id) * handler);
        lop_fn *const fns[FORMS] = {k->plain, k->masked, k->plain4, k->masked4, k->scalar};
        for (*form = 0; *form < FORMS; ++*form)
            if (fns[*form] == fn)
                return true;
    }
    return false;
}

/* Rows are told from the first one on: what is before them is of no interest here. */
static uint64_t row(uint64_t offset)
{
    return offset >= FRAME_ROWS ? offset - FRAME_ROWS + 1 : 0;
}

static void add_operations(struct shapes *s, struct section *to, const struct exec_program *p)
{
    const struct compiler *c = p->compiler;
    for (size_t i = 0; i < c->ncode; i++) {
        const struct lop *op = &c->code[i];
        unsigned handler, form;
        assert_true(find_handler(p->handlers, op->fn, &handler, &form));
        s->count[handler][form]++;
        add_text(&to->digest, handler_names[handler]);
        const uint64_t fields[] = {form,   row(op->d), row(op->a), row(op->b), row(op->c),
                                   op->sa, op->sb,     op->sc,     op->n,      row(op->aux)};
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++)
            add(&to->digest, fields[k]);
        const struct lop *target = (const struct lop *)(uintptr_t)op->imm;
        add(&to->digest, target >= c->code && target < c->code + c->ncode ? (uint64_t)(target - c->code) : op->imm);
    }
    to->operations += c->ncode;
}

/* ---- what the JIT is asked for, of a module that knows everything but what is told apart here ---- */

static bool knows(const struct jit_step *s, enum exec_level level)
{
    (void)level;
    return s->handler != H_OUTPUT && s->handler != H_GET_DYN && s->handler != H_PRED_SET64;
}

static uint32_t fits(const struct jit_step *s, uint32_t count)
{
    (void)s;
    return count <= 24 ? count : count - 24;
}

static void add_request(struct section *to, const struct jit_request *r)
{
    const struct jit_step *steps = (const void *)((const char *)r + r->steps);
    const struct jit_run *runs = (const void *)((const char *)r + r->runs);
    const uint32_t *live = (const void *)((const char *)r + r->live);
    const struct jit_const *consts = (const void *)((const char *)r + r->consts);
    to->runs += r->nruns;
    to->steps += r->nsteps;
    to->live += r->nlive;
    add(&to->digest, r->chunks * 100 + r->level * 10 + r->straight);
    for (uint32_t i = 0; i < r->nsteps; i++) {
        const struct jit_step *s = &steps[i];
        const uint64_t fields[] = {s->form,   s->n,      s->sa,     s->sb,       s->sc,   s->straight, row(s->d),
                                   row(s->a), row(s->b), row(s->c), row(s->aux), s->more, s->imm};
        add_text(&to->digest, handler_names[s->handler]);
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++)
            add(&to->digest, fields[k]);
    }
    for (uint32_t i = 0; i < r->nruns; i++) {
        const struct jit_run *run = &runs[i];
        const uint64_t fields[] = {run->first, run->count, run->live,  run->nlive,    run->full,
                                   run->place, run->to[0], run->to[1], row(run->rare)};
        to->joined += (run->to[0] != 0) + (run->to[1] != 0);
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++)
            add(&to->digest, fields[k]);
    }
    for (uint32_t i = 0; i < r->nlive; i++)
        add(&to->digest, row(live[i]));
    for (uint32_t i = 0; i < r->nconsts; i++)
        add(&to->digest, row(consts[i].row) + consts[i].bits * consts[i].bytes);
}

static void add_plans(struct section *to, struct exec_program *p)
{
    static const struct jit_api api = {JIT_VERSION, "none", knows, fits, NULL, NULL};
    struct compiler *c = p->compiler;
    struct native_piece whole = {.code = c->code, .ncode = (uint32_t)c->ncode, .first = IR_ENTRY, .end = p->nblocks};
    const uint32_t last = p->nblocks - 1;
    struct native_piece chosen = {.code = c->code,
                                  .ncode = (uint32_t)c->ncode,
                                  .first = IR_ENTRY,
                                  .end = p->nblocks,
                                  .blocks = &last,
                                  .nblocks = 1};
    const struct native_piece *pieces[] = {&whole, &chosen};
    for (unsigned form = 0; form < EXEC_FORMS; form++)
        for (unsigned i = 0; i < 2; i++) {
            struct native_form n = {0};
            struct jit_request *r = native_plan(p, pieces[i], (enum exec_form)form, &api, &n);
            add(&to->digest, n.operations);
            if (r)
                add_request(to, r);
            free(r);
        }
}

/* ---- programs ---- */

static void look_at(struct shapes *s, struct ir_program *ir, struct arena *a, bool grows)
{
    struct section *to = &s->section[s->nsections - 1];
    struct exec_program *p = NULL;
    struct exec_options options = {.level = EXEC_BASELINE, .engine = EXEC_ENGINE_INTERP, .extensible = grows};
    weft_diags *d = weft_diags_new();
    weft_status status = ir_verify(ir, d);
    if (status == WEFT_OK)
        status = exec_compile(ir, &options, a, &p, d);
    to->programs++;
    if (status != WEFT_OK) { /* random programs may have what the interpreter says that it lacks */
        to->refused++;
        add_text(&to->digest, weft_diags_get(d, 0)->message);
    }
    weft_diags_free(d);
    if (status != WEFT_OK)
        return;
    to->frames += p->frame_size - FRAME_ROWS;
    to->consts += p->nconsts;
    to->zeroed += p->nzero;
    to->calls += p->ncalls;
    for (uint32_t i = 0; i < p->nconsts; i++)
        add(&to->digest, row(p->consts[i].row) + p->consts[i].bits * p->consts[i].bytes);
    for (uint32_t i = 0; i < p->nzero; i++)
        add(&to->digest, row(p->zero_rows[i].row) * 64 + p->zero_rows[i].bytes);
    add_operations(s, to, p);
    add_plans(to, p);
}

static void look(struct shapes *s, struct ir_program *ir, struct arena *a)
{
    look_at(s, ir, a, false);
}

static void begin(struct shapes *s, const char *name)
{
    assert_true(s->nsections < SECTIONS);
    s->section[s->nsections++].name = name;
}

static uint32_t nowhere(void *state, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault)
{
    (void)state, (void)m, (void)args, (void)rows, (void)fault;
    return c->target[0];
}

static const struct exec_policy policy = {.name = "test", .control = nowhere}; /* nothing runs */

static void random_ones(struct shapes *s, const char *name, unsigned lanes, struct random_options options)
{
    begin(s, name);
    for (unsigned i = 0; i < 40; i++) {
        struct arena a = {0};
        struct test_rng r = {lanes * 1000 + i};
        struct ir_program *p = random_program(&a, &r, options);
        p->lanes = (uint16_t)lanes;
        p->policy = &policy;
        look(s, p, &a);
        arena_free(&a);
    }
}

/* Ops of one type, an op with the result of another as either argument: alone, wanted twice, and with attributes. */
static const uint16_t float_ops[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FMIN, IR_FMAX, IR_FDIV, IR_FNEG, IR_S2F, IR_U2F};
static const uint16_t int_ops[] = {IR_ADD,   IR_SUB,   IR_MUL,   IR_XOR,   IR_AND,   IR_OR,   IR_SHL,
                                   IR_SHR_U, IR_SHR_S, IR_MIN_S, IR_MAX_S, IR_MIN_U, IR_MAX_U};

static ir_value pair_op(struct ir_builder *b, enum ir_type t, uint16_t code, unsigned attr, ir_value x, ir_value y,
                        ir_value integer)
{
    if (code == IR_S2F || code == IR_U2F)
        return ir_cvt(b, (enum ir_opcode)code, t, attr, integer);
    if (ir_op_info[code].args == 1)
        return ir_op1(b, (enum ir_opcode)code, attr, x);
    return ir_op2(b, (enum ir_opcode)code, attr, x, y);
}

enum { ALONE, TWICE, ROUNDED, SECOND, UNIFORM, WAYS };

static void pair(struct shapes *s, enum ir_type t, uint16_t outer, uint16_t inner, unsigned side, unsigned way)
{
    struct arena a = {0};
    unsigned span = t == IR_I64 ? 2 : 1;
    struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, 32);
    struct ir_builder b = {p, IR_ENTRY, 0};
    unsigned file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 10, .preserved = true});
    unsigned warp = ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 10, .uniform = true});
    unsigned from = way == UNIFORM ? warp : file;
    bool minmax[2] = {inner == IR_FMIN || inner == IR_FMAX, outer == IR_FMIN || outer == IR_FMAX};
    unsigned attr[2];
    for (unsigned i = 0; i < 2; i++)
        attr[i] = t != IR_F32                    ? 0
                  : way == ROUNDED && !minmax[i] ? IR_RTZ
                  : way == SECOND && minmax[i]   ? IR_MINMAX_SECOND
                                                 : 0;
    ir_value x = ir_get(&b, from, 0, t), y = ir_get(&b, from, span, t), z = ir_get(&b, from, 2 * span, t);
    ir_value integer = ir_get(&b, from, 0, IR_I32);
    bool shifts[2] = {inner == IR_SHL || inner == IR_SHR_U || inner == IR_SHR_S,
                      outer == IR_SHL || outer == IR_SHR_U || outer == IR_SHR_S};
    ir_value made = pair_op(&b, t, inner, attr[0], x, shifts[0] ? integer : y, integer);
    if (shifts[1] && side && t == IR_I64) {
        arena_free(&a);
        return;
    }
    ir_value whole = pair_op(&b, t, outer, attr[1], side ? z : made, side ? made : shifts[1] ? integer : z, integer);
    ir_set(&b, from, 3 * span, whole, 0);
    if (way == TWICE)
        ir_set(&b, from, 4 * span, made, 0);
    ir_end(&b);
    look(s, p, &a);
    arena_free(&a);
}

static void pairs(struct shapes *s, const char *name, enum ir_type t, const uint16_t *ops, size_t count)
{
    begin(s, name);
    for (unsigned way = 0; way < WAYS; way++)
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < count; k++)
                for (unsigned side = 0; side < 2; side++)
                    pair(s, t, ops[i], ops[k], side, way);
}

/* A word that is cut to a part, and what is done with it: once, or with the first of the others too. */
enum { PUT, PUT_BY_INDEX, PUT_IN_A_LANE, WIDENED, SIGN_SPREAD, SUMMED, USES };

static void use_part(struct ir_builder *b, unsigned file, unsigned use, ir_value part, enum ir_type t, bool lanes)
{
    struct ir_reg reg = {.file = (uint8_t)file, .part = (uint8_t)t, .elem = 2, .stride = 1, .last = 7};
    ir_value index = ir_get(b, file, 1, IR_I32);
    if (use == PUT || (use == PUT_IN_A_LANE && !lanes))
        ir_set_part(b, file, 3, ir_type_bits(t), t, part, 0);
    else if (use == PUT_BY_INDEX)
        ir_set_dyn(b, reg, index, part, 0);
    else if (use == PUT_IN_A_LANE)
        ir_set_lane(b, reg, index, ir_const_i32(b, 5), part, 0);
    else if (use == SUMMED)
        ir_set_part(b, file, 4, 0, t, ir_op2(b, IR_ADD, 0, part, part), 0);
    else
        ir_set(b, file, 5, ir_cvt(b, use == WIDENED ? IR_ZEXT : IR_SEXT, IR_I32, 0, part), 0);
}

static void parts(struct shapes *s)
{
    begin(s, "parts of words");
    for (unsigned n = 0; n < 2 * 2 * 2 * 2 * USES; n++) {
        bool lanes = n & 1, twice = n & 2, read = n & 4;
        enum ir_type t = n & 8 ? IR_I16 : IR_I8;
        struct arena a = {0};
        struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, 32);
        struct ir_builder b = {p, IR_ENTRY, 0};
        unsigned file = ir_add_file(
            p, (struct ir_file){.name = "r", .bits = 32, .count = 10, .uniform = !lanes, .preserved = true});
        ir_value word = ir_op2(&b, IR_MUL, 0, ir_get(&b, file, 0, IR_I32), ir_get(&b, file, 1, IR_I32));
        ir_value part = read ? ir_get_part(&b, file, 0, 0, t) : ir_cvt(&b, IR_TRUNC, t, 0, word);
        use_part(&b, file, n / 16, part, t, lanes);
        if (twice)
            use_part(&b, file, PUT, part, t, lanes);
        ir_end(&b);
        look(s, p, &a);
        arena_free(&a);
    }
}

/* What stops a warp, and where it goes on: a comparison, or one of bits in common with a constant. */
static void conditions(struct shapes *s)
{
    begin(s, "conditions");
    for (unsigned n = 0; n < 6 * 3 * 2 * 2 * 2 * 2; n++) {
        unsigned test = n % 6, sides = n / 6 % 3;
        bool lanes = n / 18 & 1, branch = n / 36 & 1, predicated = n / 72 & 1, wide = n / 144 & 1;
        struct arena a = {0};
        struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, 32);
        struct ir_builder b = {p, IR_ENTRY, 0};
        unsigned file = ir_add_file(
            p, (struct ir_file){.name = "r", .bits = 32, .count = 10, .uniform = !lanes, .preserved = true});
        enum ir_type t = wide ? IR_I64 : IR_I32;
        ir_value x = ir_get(&b, file, 0, t), y = ir_get(&b, file, 2, t), on = 0;
        if (sides) {
            x = ir_op2(&b, IR_AND, 0, x, y);
            y = ir_const(&b, t, sides - 1);
        }
        ir_value v = ir_op2(&b, (enum ir_opcode)(IR_EQ + test), 0, x, y);
        if (predicated)
            on = ir_op2(&b, IR_NE, 0, ir_get(&b, file, 4, IR_I32), ir_const_i32(&b, 0));
        if (!branch) {
            ir_emit(&b, IR_CHECK, IR_VOID, 0, 0, &v, 1, 0, 7, on);
        } else {
            uint32_t yes = ir_new_block(p), no = ir_new_block(p);
            ir_branch(&b, lanes ? ir_op1(&b, IR_ANY, 0, v) : v, yes, no);
            b.block = yes;
            ir_emit(&b, IR_TRAP, IR_VOID, 0, 0, NULL, 0, 0, 8, 0);
            b.block = no;
        }
        ir_end(&b);
        look(s, p, &a);
        arena_free(&a);
    }
}

/* A word of each of 16 registers, and what is nearly so. */
static void columns(struct shapes *s)
{
    begin(s, "columns");
    for (unsigned n = 0; n < 2 * 2 * 2 * 3 * 3 * 2; n++) {
        bool put = n & 1, far = n & 2, constant = n & 4;
        static const enum ir_type types[] = {IR_I8, IR_I16, IR_I32};
        static const unsigned lanes[] = {16, 32, 15};
        enum ir_type t = types[n / 8 % 3];
        struct arena a = {0};
        struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, lanes[n / 24 % 3]);
        struct ir_builder b = {p, IR_ENTRY, 0};
        unsigned file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 24, .preserved = true});
        struct ir_reg reg = {.file = (uint8_t)file, .part = (uint8_t)t, .stride = n / 72 ? 1 : -1,
                             .elem = n / 72 ? 0 : 23, .last = 23};
        ir_value index = ir_lane_id(&b), lane = constant ? ir_const_i32(&b, 3) : ir_get(&b, file, 1, IR_I32);
        index = far ? ir_op2(&b, IR_ADD, 0, index, ir_const_i32(&b, 2)) : index;
        ir_value v = ir_get_part(&b, file, 2, 0, t);
        if (put)
            ir_set_lane(&b, reg, index, lane, v, 0);
        else
            ir_set_part(&b, file, 3, 0, t, ir_get_lane(&b, reg, index, lane, t), 0);
        ir_end(&b);
        look(s, p, &a);
        arena_free(&a);
    }
}

/* Accesses of a scalar processor, each after a look at bits of its address, or of another one. */
static void checked_accesses(struct shapes *s)
{
    begin(s, "checked accesses");
    for (unsigned n = 0; n < 2 * 2 * 2 * 4 * 4; n++) {
        bool store = n & 1, grows = n & 2, other = n & 4;
        static const enum ir_type types[] = {IR_I8, IR_I16, IR_I32, IR_I64};
        enum ir_type elem = types[n / 8 % 4], t = elem == IR_I64 ? IR_I64 : IR_I32;
        unsigned bits = (1u << n / 32) - 1;
        struct arena a = {0};
        struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, 16);
        struct ir_builder b = {p, IR_ENTRY, 0};
        unsigned file = ir_add_file(
            p, (struct ir_file){.name = "u", .bits = 32, .count = 8, .uniform = true, .preserved = true});
        ir_add_space(p, (struct ir_space){.name = "bus", .kind = IR_SPACE_BUS, .bounds = IR_BOUNDS_TRAP});
        ir_value at = ir_get(&b, file, 0, IR_I32), looked = other ? ir_get(&b, file, 1, IR_I32) : at;
        ir_value v = ir_get(&b, file, 2, t);
        ir_value both = ir_op2(&b, IR_AND, 0, looked, ir_const_i32(&b, bits));
        if (bits)
            ir_check(&b, ir_op2(&b, IR_NE, 0, both, ir_const_i32(&b, 0)), 7);
        struct ir_mem mem = {.elem = (uint8_t)elem, .count = 1, .offset = 4};
        if (store)
            ir_store(&b, mem, at, &v, 0);
        else
            ir_set(&b, file, 4, ir_emit(&b, IR_LOAD, t, 0, 1, &at, 1, ir_add_mem(p, mem), 0, 0), 0);
        ir_end(&b);
        look_at(s, p, &a, grows);
        arena_free(&a);
    }
}

/* Arithmetic with each of its attributes, of lanes and of the warp. */
static void attributes(struct shapes *s)
{
    static const enum ir_opcode ops[] = {IR_FADD, IR_FSUB, IR_FMUL, IR_FFMA, IR_FDIV, IR_FSQRT, IR_FMIN, IR_FMAX};
    static const unsigned nans[] = {0, IR_NAN_CANON, IR_NAN_X86};
    static const unsigned modes[] = {IR_RNE, IR_RTZ, IR_MINMAX_SECOND, IR_MINMAX_PROPAGATE, IR_MINMAX_ZEROS};
    begin(s, "attributes");
    for (unsigned n = 0; n < 2 * 2 * 2 * 2 * 2 * 3 * 5 * 8; n++) {
        enum ir_opcode code = ops[n / 480];
        unsigned mode = n / 96 % 5, attr = modes[mode] | nans[n / 32 % 3];
        if ((mode > 1 && code != IR_FMIN && code != IR_FMAX) || (mode == 1 && (code == IR_FMIN || code == IR_FMAX)))
            continue;
        attr |= (n & 1 ? IR_FLUSH_IN : 0) | (n & 2 ? IR_FLUSH_OUT : 0) | (n & 4 ? IR_SAT : 0);
        enum ir_type t = n & 8 ? IR_F64 : IR_F32;
        struct arena a = {0};
        struct ir_program *p = ir_program_new(&a, "test", IR_COMPUTE, 32);
        struct ir_builder b = {p, IR_ENTRY, 0};
        unsigned file = ir_add_file(
            p, (struct ir_file){.name = "r", .bits = 32, .count = 8, .uniform = n & 16, .preserved = true});
        ir_value x = ir_get(&b, file, 0, t), y = ir_get(&b, file, 2, t), z = ir_get(&b, file, 4, t);
        unsigned args = (unsigned)ir_op_info[code].args;
        ir_value made = args == 1   ? ir_op1(&b, code, attr, x)
                        : args == 2 ? ir_op2(&b, code, attr, x, y)
                                    : ir_op3(&b, code, attr, x, y, z);
        ir_set(&b, file, 6, made, 0);
        ir_end(&b);
        look(s, p, &a);
        arena_free(&a);
    }
}

/* ---- the list ---- */

static char *list(const struct shapes *s)
{
    static char text[1 << 16];
    size_t n = 0;
    for (unsigned i = 0; i < s->nsections; i++) {
        const struct section *t = &s->section[i];
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "%s: %llu programs, %llu refused, %llu operations, %llu bytes of frames, %llu constants, %llu rows "
            "zeroed, %llu calls; %llu runs of %llu steps, %llu rows live, %llu joined; all of it %016llx\n",
            t->name, (unsigned long long)t->programs, (unsigned long long)t->refused, (unsigned long long)t->operations,
            (unsigned long long)t->frames, (unsigned long long)t->consts, (unsigned long long)t->zeroed,
            (unsigned long long)t->calls, (unsigned long long)t->runs, (unsigned long long)t->steps,
            (unsigned long long)t->live, (unsigned long long)t->joined, (unsigned long long)t->digest);
    }
    for (unsigned h = 0; h < HANDLER_COUNT; h++)
        for (unsigned f = 0; f < FORMS; f++)
            if (s->count[h][f])
                n += (size_t)snprintf(text + n, sizeof text - n, "%s%s %u\n", handler_names[h], form_names[f],
                                      s->count[h][f]);
    assert_true(n < sizeof text - 1);
    return text;
}

static void code_is_as_it_was(void **state)
{
    (void)state;
    static struct shapes s;
    random_ones(&s, "random ops", 16, (struct random_options){.blocks = 3, .ops = 30});
    random_ones(&s, "random ops of 64 lanes", 64, (struct random_options){.blocks = 4, .ops = 20, .control = true});
    random_ones(&s, "random loops", 32,
                (struct random_options){.blocks = 6, .ops = 12, .control = true, .backward = true});
    random_ones(&s, "random arms", 64, (struct random_options){.blocks = 8, .ops = 10, .arms = true});
    random_ones(&s, "few values", 64, (struct random_options){.blocks = 4, .ops = 25, .tight = true});
    random_ones(&s, "few values and arms", 32,
                (struct random_options){.blocks = 9, .ops = 12, .control = true, .arms = true, .tight = true});
    random_ones(&s, "all ops", 16, (struct random_options){.blocks = 4, .ops = 20, .everything = true});
    random_ones(&s, "all ops of few values", 64,
                (struct random_options){
                    .blocks = 5, .ops = 15, .control = true, .backward = true, .tight = true, .everything = true});
    pairs(&s, "pairs of f32", IR_F32, float_ops, sizeof float_ops / sizeof float_ops[0]);
    pairs(&s, "pairs of i32", IR_I32, int_ops, sizeof int_ops / sizeof int_ops[0]);
    pairs(&s, "pairs of i64", IR_I64, int_ops, sizeof int_ops / sizeof int_ops[0]);
    parts(&s);
    conditions(&s);
    columns(&s);
    checked_accesses(&s);
    attributes(&s);
    snapshot_compare(WEFT_SHAPES, list(&s));
}

/* Else what the lists say would depend on the compiler. */
static void each_handler_is_a_function_of_its_own(void **state)
{
    (void)state;
    const struct handler_table *t = exec_handlers(EXEC_BASELINE);
    for (unsigned h = 0; h < HANDLER_COUNT; h++) {
        const struct handler *k = exec_handler(t, (enum handler_id)h);
        lop_fn *const fns[FORMS] = {k->plain, k->masked, k->plain4, k->masked4, k->scalar};
        for (unsigned f = 0; f < FORMS; f++) {
            unsigned handler, form;
            if (fns[f] && find_handler(t, fns[f], &handler, &form))
                assert_string_equal(handler_names[h], handler_names[handler]);
        }
    }
}

TEST_MAIN(TEST(each_handler_is_a_function_of_its_own), TEST(code_is_as_it_was))
