/* test_shapes.c - what passes make of programs, and what the verifier says of ops that are a little wrong.
 *
 * That results stay is the business of other tests (ir-pass_random): a rule that is not applied any more changes
 * nothing but time. So each pass is given programs that are always the same, and what it leaves is counted, with a
 * number made of the text. shapes.txt has what was found when somebody looked last; WEFT_TEST_RENEW=1 writes it anew.
 */
#include "ir_text.h"

#include "ir/build.h"
#include "ir/pass.h"
#include "ir/program.h"
#include "ir/typing.h"
#include "ir/words.h"
#include "random_program.h"
#include "snapshot.h"

static char list[1 << 17];
static size_t length;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    length += (size_t)vsnprintf(list + length, sizeof list - length, format, ap);
    va_end(ap);
    assert_true(length < sizeof list - 1);
}

static void add_text(uint64_t *digest, const char *text)
{
    for (; *text; text++) {
        *digest = (*digest ^ (unsigned char)*text) * 0x9e3779b97f4a7c15u;
        *digest ^= *digest >> 29;
    }
}

/* ---- passes ---- */

static void no_pass(struct ir_program *p) { (void)p; }

static void flatten(struct ir_program *p) { ir_pass_flatten(p); }

static const struct {
    const char *name;
    void (*pass)(struct ir_program *p);
} passes[] = {
    {"none", no_pass},          {"forward", ir_pass_forward}, {"fold", ir_pass_fold},     {"cse", ir_pass_cse},
    {"dead", ir_pass_dead},     {"hoist", ir_pass_hoist},     {"blocks", ir_pass_blocks}, {"flush", ir_pass_flush},
    {"flatten", flatten},       {"number", ir_pass_number},   {"minmax", ir_pass_minmax}, {"nan", ir_pass_nan},
    {"nan_reads", ir_pass_nan_reads}, {"optimise", ir_optimise},
};
enum { PASSES = sizeof passes / sizeof passes[0], PROGRAMS = 60 };

/* What is done to a program before passes see it. */
enum { PLAIN, X86 = 1, PRECISE = 2, FROZEN = 4, COMPUTE = 8, INTEGERS = 16 };

static struct ir_program *make(struct arena *a, uint64_t seed, struct random_options o, unsigned how)
{
    struct test_rng r = {seed};
    struct ir_program *p = random_program(a, &r, o);
    if (how & X86)
        ir_nans_of_x86(p);
    p->precise = how & PRECISE;
    p->integer_targets = how & INTEGERS;
    if (how & COMPUTE)
        p->stage = IR_COMPUTE;
    if (how & FROZEN)
        p->frozen = p->nblocks / 2;
    return p;
}

static void after_passes(const char *name, struct random_options o, unsigned how)
{
    for (unsigned k = 0; k < PASSES; k++) {
        uint64_t digest = 0;
        unsigned before = 0, after = 0, blocks = 0;
        for (unsigned n = 0; n < PROGRAMS; n++) {
            struct arena a = {0};
            struct ir_program *p = make(&a, 1000 + n, o, how);
            for (uint32_t b = 0; b < p->nblocks; b++)
                before += p->blocks[b].count;
            passes[k].pass(p);
            assert_verifies(p);
            for (uint32_t b = 0; b < p->nblocks; b++)
                after += p->blocks[b].count;
            blocks += p->nblocks;
            add_text(&digest, text_of(&a, p));
            arena_free(&a);
        }
        say("%s, %s: %u ops, then %u in %u blocks; all of it %016llx\n", name, passes[k].name, before, after, blocks,
            (unsigned long long)digest);
    }
}

/* ---- types of arguments and results ---- */

enum { NO_TYPES = 9 };

struct types {
    const struct ir_program *p;
    struct ir_op op;
    unsigned tried, accepted;
    uint64_t digest;
};

static void try_op(struct types *t)
{
    const char *fault = ir_type_fault(t->p, &t->op);
    t->tried++;
    t->accepted += !fault;
    add_text(&t->digest, fault ? fault : "fine");
}

/* Every type of argument and of result; value n of the program has type n. */
static void try_types(struct types *t, unsigned at)
{
    ir_value *args = t->p->pool + t->op.args;
    if (at < t->op.nargs) {
        for (unsigned type = IR_I1; type < NO_TYPES; type++) {
            args[at] = type;
            try_types(t, at + 1);
        }
        return;
    }
    for (unsigned type = 0; type < NO_TYPES; type++) {
        t->op.type = (uint8_t)type;
        try_op(t);
    }
}

static void try_results(struct types *t)
{
    static const uint8_t results[] = {0, 1, 2, 4};
    for (unsigned i = 0; i < sizeof results; i++) {
        t->op.nres = results[i];
        try_types(t, 0);
    }
}

static void tell(const struct types *t)
{
    say("types of %s: %u of %u accepted; all of it %016llx\n", ir_op_info[t->op.code].text, t->accepted, t->tried,
        (unsigned long long)t->digest);
}

/* A program with a value of each type, and descriptors of each type. */
static struct ir_program *with_types(struct arena *a)
{
    struct ir_program *p = ir_program_new(a, "test", IR_FRAGMENT, 16);
    struct ir_builder b = {p, IR_ENTRY, 0};
    ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 8});
    ir_add_space(p, (struct ir_space){.name = "g", .kind = IR_SPACE_GLOBAL});
    for (unsigned type = IR_I1; type < NO_TYPES; type++)
        assert_int_equal(ir_const(&b, (enum ir_type)type, 0), type);
    const ir_value none[8] = {1, 1, 1, 1, 1, 1, 1, 1}; /* room for arguments */
    ir_emit(&b, IR_PROBE, IR_VOID, 0, 0, none, 8, 0, 0, 0);
    return p;
}

static void types_of_plain_ops(struct ir_program *p)
{
    for (unsigned code = 0; code < IR_OPCODES; code++) {
        struct types t = {.p = p, .op = {.code = (uint16_t)code}};
        bool described = ir_desc_operand(code, 0) == IR_OPERAND_REG || ir_desc_operand(code, 0) == IR_OPERAND_MEM;
        if (described || code == IR_SERVICE || code == IR_TEXTURE)
            continue;
        for (t.op.nargs = 0; t.op.nargs < 4; t.op.nargs++)
            if (ir_op_info[code].args < 0 || t.op.nargs == ir_op_info[code].args || t.op.nargs < 2)
                for (t.op.imm = 0; t.op.imm < (code == IR_REDUCE ? IR_OPCODES : code == IR_SYSVAL ? IR_SYSVALS : 1);
                     t.op.imm++)
                    try_results(&t);
        tell(&t);
    }
}

static void types_of_registers(struct ir_program *p)
{
    uint32_t first = p->nregs;
    for (unsigned type = IR_I1; type < NO_TYPES; type++)
        ir_add_reg(p, (struct ir_reg){.part = (uint8_t)type});
    for (unsigned code = 0; code < IR_OPCODES; code++) {
        struct types t = {.p = p, .op = {.code = (uint16_t)code, .nargs = (uint8_t)ir_op_info[code].args}};
        if (ir_desc_operand(code, 0) != IR_OPERAND_REG)
            continue;
        for (t.op.desc = first; t.op.desc < p->nregs; t.op.desc++)
            try_results(&t);
        tell(&t);
    }
}

static void types_in_memory(struct ir_program *p)
{
    struct ir_mem mems[2 * NO_TYPES], *before = p->mems;
    for (unsigned type = 0; type < NO_TYPES; type++)
        for (unsigned i = 0; i < 2; i++)
            mems[2 * type + i] = (struct ir_mem){.elem = (uint8_t)type, .count = (uint8_t)(1 + i)};
    p->mems = mems;
    for (unsigned code = 0; code < IR_OPCODES; code++) {
        struct types t = {.p = p, .op = {.code = (uint16_t)code}};
        if (ir_desc_operand(code, 0) != IR_OPERAND_MEM)
            continue;
        for (t.op.desc = 0; t.op.desc < 2 * NO_TYPES; t.op.desc++)
            for (t.op.imm = 0; t.op.imm < (code == IR_ATOMIC ? IR_ATOMIC_FMAX + 2 : 1); t.op.imm++)
                for (t.op.nargs = 0; t.op.nargs < 4; t.op.nargs++)
                    for (t.op.nres = 0; t.op.nres < 3; t.op.nres++)
                        if (t.op.nargs < 3 || t.op.desc % 6 == 2)
                            try_types(&t, 0);
        tell(&t);
    }
    p->mems = before;
}

/* Numbers of arguments, of results, and one argument that is of another type. */
static void try_numbers(struct types *t, ir_value usual)
{
    static const uint8_t results[] = {0, 1, 4, 4, 4, 3, 0}, kinds[] = {0, IR_I32, IR_I32, IR_F32, IR_I64, IR_I32, 1};
    ir_value *args = t->p->pool + t->op.args;
    for (t->op.nargs = 0; t->op.nargs <= 8; t->op.nargs++)
        for (unsigned k = 0; k < sizeof results; k++) {
            t->op.nres = results[k];
            t->op.type = kinds[k];
            for (unsigned other = 0; other <= t->op.nargs; other++)
                for (unsigned i = 0; i < 2; i++) {
                    const ir_value instead[] = {IR_F32 + IR_I32 - usual, IR_I64};
                    for (unsigned n = 0; n < t->op.nargs; n++)
                        args[n] = usual;
                    if (other < t->op.nargs)
                        args[other] = instead[i];
                    try_op(t);
                }
        }
}

static void types_of_images(struct ir_program *p)
{
    struct types t = {.p = p, .op = {.code = IR_SERVICE}}, x = {.p = p, .op = {.code = IR_TEXTURE}};
    struct ir_image image, *before = p->images;
    p->images = &image;
    for (t.op.imm = 0; t.op.imm < IR_SERVICES; t.op.imm++)
        for (unsigned n = 0; n < 6 * 2 * 2 * 2 * 2 * 2 * 2; n++) {
            image = (struct ir_image){.dim = (uint8_t)(n % 6), .array = n / 6 & 1, .multisample = n / 12 & 1,
                                      .is_float = n / 24 & 1, .image_arg = n / 48 & 1,
                                      .atomic = n / 96 & 1 ? IR_ATOMIC_CAS : IR_ATOMIC_ADD,
                                      .binding = n / 192 ? IR_IMAGE_SPACE : IR_IMAGE_IMAGE};
            try_numbers(&t, IR_I32);
        }
    tell(&t);
    try_numbers(&x, IR_F32);
    tell(&x);
    p->images = before;
}

/* ---- ops and tables that are a little wrong ---- */

enum { MESSAGES = 200 };

static struct message {
    char text[160];
    unsigned count;
} messages[MESSAGES];
static unsigned nmessages;

/* Numbers and names differ from place to place: "#". */
static void count_message(const char *text)
{
    char plain[160];
    size_t n = 0;
    const char *colon = strncmp(text, "block ", 6) == 0 ? strstr(text, "): ") : NULL;
    for (text = colon ? colon + 3 : text; *text && n < sizeof plain - 1; text++) {
        bool digit = *text >= '0' && *text <= '9', again = n && plain[n - 1] == '#';
        if (!digit || !again)
            plain[n++] = digit ? '#' : *text;
    }
    plain[n] = '\0';
    unsigned i = 0;
    while (i < nmessages && strcmp(messages[i].text, plain) != 0)
        i++;
    assert_true(i < MESSAGES);
    if (i == nmessages)
        memcpy(messages[nmessages++].text, plain, n + 1);
    messages[i].count++;
}

static void judge(const struct ir_program *p)
{
    weft_diags *d = weft_diags_new();
    weft_status status = ir_verify(p, d);
    assert_true((status == WEFT_OK) == (weft_diags_errors(d) == 0));
    count_message(status == WEFT_OK ? "fine" : first_message(d));
    weft_diags_free(d);
}

static void wrong_op(struct ir_program *p, struct ir_op *op)
{
    const struct ir_op was = *op;
#define WRONG(field, value)                                                                                            \
    do {                                                                                                               \
        op->field = (__typeof__(op->field))(value);                                                                    \
        judge(p);                                                                                                      \
        *op = was;                                                                                                     \
    } while (0)
    WRONG(desc, op->desc + 1);
    WRONG(desc, UINT32_MAX);
    WRONG(imm, op->imm + 1);
    WRONG(imm, op->imm ^ (uint64_t)1 << 40);
    for (unsigned bit = 0; bit < 16; bit++)
        WRONG(attr, op->attr ^ (uint16_t)(1 << bit));
    WRONG(attr, op->attr | 7);
    WRONG(nargs, op->nargs + 1);
    if (op->nargs)
        WRONG(nargs, op->nargs - 1);
    WRONG(nres, op->nres + 1);
    WRONG(uniform, !op->uniform);
    WRONG(uniform, 2);
    WRONG(type, (uint8_t)(op->type % 8 + 1));
    WRONG(type, IR_TYPES);
    WRONG(res, op->res + 1);
    WRONG(res, 0);
    WRONG(pred, p->nvalues);
    WRONG(pred, op->pred ? 0 : 1);
    WRONG(pred, 2);
    WRONG(args, p->npool);
    WRONG(code, IR_OPCODES);
    WRONG(code, IR_END);
    for (unsigned i = 0; i < op->nargs; i++) {
        ir_value *arg = &p->pool[op->args + i], kept = *arg;
        static const ir_value others[] = {0, 1, 3, UINT32_MAX};
        for (unsigned k = 0; k < 4; k++) {
            *arg = others[k];
            judge(p);
        }
        *arg = kept + 1;
        judge(p);
        *arg = kept;
    }
}

static void wrong_ops(uint64_t seed, struct random_options o)
{
    struct arena a = {0};
    struct ir_program *p = make(&a, seed, o, PLAIN);
    assert_verifies(p);
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            wrong_op(p, &p->blocks[b].ops[i]);
    arena_free(&a);
}

/* Each byte of what an array holds, one more, one less and with its highest bit turned. Names are pointers: `skip`. */
static void wrong_bytes(const struct ir_program *p, void *array, size_t size, size_t skip)
{
    unsigned char *bytes = array;
    for (size_t i = skip; i < size; i++) {
        unsigned char was = bytes[i];
        const int others[] = {was + 1, was - 1, was ^ 0x80};
        for (unsigned k = 0; k < 3; k++) {
            bytes[i] = (unsigned char)others[k];
            judge(p);
        }
        bytes[i] = was;
    }
}

static void wrong_tables(uint64_t seed, struct random_options o)
{
    struct arena a = {0};
    struct ir_program *p = make(&a, seed, o, PLAIN);
    assert_verifies(p);
    for (uint32_t i = 0; i < p->nfiles; i++) {
        struct ir_file *f = &p->files[i];
        wrong_bytes(p, &f->bits, sizeof f->bits, 0);
        wrong_bytes(p, &f->count, sizeof f->count, 0);
        const char *name = f->name;
        for (uint32_t k = 0; k <= p->nfiles + 1; k++) {
            f->name = k < p->nfiles ? p->files[k].name : k == p->nfiles ? "" : "1a";
            judge(p);
            f->name = name;
        }
    }
    for (uint32_t i = 0; i < p->nspaces; i++) {
        struct ir_space *s = &p->spaces[i];
        wrong_bytes(p, &s->kind, 1, 0);
        wrong_bytes(p, &s->bounds, 1, 0);
        wrong_bytes(p, &s->size, sizeof s->size, 0);
        const char *name = s->name;
        for (uint32_t k = 0; k <= p->nspaces; k++) {
            s->name = k < p->nspaces ? p->spaces[k].name : "a b";
            judge(p);
            s->name = name;
        }
    }
    for (uint32_t i = 0; i < p->nregs; i++)
        wrong_bytes(p, &p->regs[i], sizeof p->regs[i], 0);
    for (uint32_t i = 0; i < p->nmems; i++)
        wrong_bytes(p, &p->mems[i], offsetof(struct ir_mem, align) + 1, 0);
    for (uint32_t i = 0; i < p->ncontrols; i++) {
        struct ir_control *c = &p->controls[i];
        wrong_bytes(p, &c->ntargets, 1, 0);
        wrong_bytes(p, &c->way, 1, 0);
        wrong_bytes(p, c->target, c->ntargets * sizeof c->target[0], 0);
    }
    for (uint32_t i = 0; i < p->ntextures; i++)
        wrong_bytes(p, &p->textures[i], 2, 0);
    for (uint32_t i = 0; i < p->io.ninputs; i++)
        wrong_bytes(p, &p->io.inputs[i], 4, 0);
    for (uint32_t i = 0; i < p->io.noutputs; i++)
        wrong_bytes(p, &p->io.outputs[i].corner, 1, 0);
    wrong_bytes(p, &p->stage, 1, 0);
    wrong_bytes(p, &p->lanes, sizeof p->lanes, 0);
    arena_free(&a);
}

static void tell_messages(const char *what)
{
    for (unsigned i = 0; i < nmessages; i++)
        say("%s, %u times: %s\n", what, messages[i].count, messages[i].text);
    memset(messages, 0, sizeof messages);
    nmessages = 0;
}

/* ---- the list ---- */

static void all_is_as_it_was(void **state)
{
    (void)state;
    const struct random_options any = {.blocks = 4, .ops = 20}, arms = {.blocks = 8, .ops = 10, .arms = true},
                                loops = {.blocks = 6, .ops = 12, .control = true, .backward = true},
                                tight = {.blocks = 4, .ops = 25, .control = true, .tight = true},
                                tight_arms = {.blocks = 12, .ops = 8, .control = true, .arms = true, .tight = true},
                                all = {.blocks = 5, .ops = 25, .control = true, .everything = true},
                                left = {.blocks = 13, .ops = 8, .arms = true, .control = true, .tight = true,
                                        .everything = true},
                                rounds = {.blocks = 16, .ops = 6, .arms = true, .backward = true, .tight = true},
                                tight_all = {.blocks = 8, .ops = 15, .control = true, .backward = true, .tight = true,
                                             .everything = true};
    after_passes("random ops", any, X86);
    after_passes("arms", arms, PLAIN);
    after_passes("loops", loops, INTEGERS);
    after_passes("few values", tight, X86);
    after_passes("few values and arms", tight_arms, X86 | INTEGERS);
    after_passes("all ops", all, X86);
    after_passes("all ops of a compute program", all, COMPUTE);
    after_passes("all ops of few values", tight_all, X86);
    after_passes("arms that lanes leave", left, X86);
    after_passes("arms in loops", rounds, INTEGERS);
    after_passes("precise registers", tight_all, PRECISE);
    after_passes("frozen blocks", tight_all, FROZEN | X86);
    struct arena a = {0};
    struct ir_program *p = with_types(&a);
    types_of_plain_ops(p);
    types_of_registers(p);
    types_in_memory(p);
    types_of_images(p);
    arena_free(&a);
    for (uint64_t seed = 1; seed < 7; seed++)
        wrong_ops(seed, seed % 2 ? all : tight_all);
    tell_messages("wrong ops");
    wrong_tables(8, tight_all);
    tell_messages("wrong tables");
    snapshot_compare(WEFT_SHAPES, list);
}

TEST_MAIN(TEST(all_is_as_it_was))
