/* test_machine_shapes.c - what the JIT makes of programs that are always the same: instructions of LLVM by kind, before
 * LLVM optimises them, and a number made of all of them but for addresses. Results are the business of other tests
 * (exec-engines, exec-strips): loads of neighbours at once, passes of loops in registers or two halves in one number
 * change only time, and would be lost unseen. machine_shapes.txt has what was found when somebody looked last, and
 * wide_shapes.txt what is made for AVX-512;
 * WEFT_TEST_RENEW=1 writes it anew. */
#include "snapshot.h"

#include <unistd.h>

#include "exec/exec.h"
#include "ir/build.h"
#include "ir/random_program.h"

enum { KINDS = 400, REGISTERS = 8 };

struct kinds {
    char name[KINDS][60];
    unsigned count[KINDS], n;
    uint64_t digest;
};

/* Long numbers are addresses, which differ from run to run. */
static void add_to_digest(struct kinds *k, const char *line)
{
    enum { LONG = 13 };
    while (*line) {
        size_t digits = strspn(line, "0123456789");
        if (digits >= LONG) {
            line += digits;
            continue;
        }
        for (size_t i = 0; i < (digits ? digits : 1); i++, line++)
            k->digest = test_mixed(k->digest, (unsigned char)*line);
    }
}

static void add_kind(struct kinds *k, const char *name)
{
    unsigned i = 0;
    while (i < k->n && strcmp(k->name[i], name) != 0)
        i++;
    assert_true(i < KINDS);
    if (i == k->n)
        snprintf(k->name[k->n++], sizeof k->name[0], "%s", name);
    k->count[i]++;
}

/* "  %5 = fadd <16 x float> ..." is "fadd of rows"; of a call the function's name counts, if it is LLVM's. */
static void add_line(struct kinds *k, const char *line)
{
    char op[24] = "", name[60];
    const char *p = line, *callee = strstr(line, "@llvm."), *open = strchr(line, '(');
    if (strncmp(line, "  ", 2) != 0)
        return;
    add_to_digest(k, line);
    if (line[2] == '%' && strstr(line, " = "))
        p = strstr(line, " = ") + 3;
    while (*p == ' ')
        p++;
    p += strncmp(p, "tail ", 5) == 0 ? 5 : strncmp(p, "musttail ", 9) == 0 ? 9 : 0;
    sscanf(p, "%23[a-z_]", op);
    bool rows = strchr(p, '<') != NULL, call = strcmp(op, "call") == 0 && callee && open && callee < open;
    snprintf(name, sizeof name, "%s%.*s%s", op, call ? (int)(open - callee) : 0, call ? callee : "",
             rows ? " of rows" : "");
    if (op[0])
        add_kind(k, name);
}

/* ---- programs ---- */

static uint32_t nowhere(void *state, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault)
{
    (void)state, (void)m, (void)args, (void)rows, (void)fault;
    return c->target[0];
}

static const struct exec_policy policy = {.name = "test", .control = nowhere}; /* nothing runs */

/* A loop of a load, a sum and a step; bits of `how` say of what kind. */
enum { UNIFORM_END = 1, FLOATS = 2, FAR = 4, ONE_WORD = 8, MIXED = 16, WAYS = 32 };

static struct ir_program *loop(struct arena *a, unsigned how)
{
    struct ir_program *p = ir_program_new(a, "test", IR_COMPUTE, 32);
    struct ir_builder b = {p, IR_ENTRY, 0};
    unsigned file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = REGISTERS, .preserved = true});
    unsigned warp = ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 2, .uniform = true});
    unsigned near = ir_add_space(p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
    unsigned far = ir_add_space(p, (struct ir_space){.name = "b", .kind = IR_SPACE_BUS});
    enum ir_type type = how & FLOATS ? IR_F32 : IR_I32;
    struct ir_mem mem = {.space = (uint16_t)(how & FAR ? far : near), .elem = IR_I32, .count = 1};
    p->policy = &policy;
    uint32_t body = ir_new_block(p), out = ir_new_block(p);
    ir_goto(&b, body);
    b.block = body;
    ir_value words[2] = {ir_get(&b, file, 0, IR_I32), ir_get(&b, file, 1, IR_I32)}, at = words[0];
    if (how & FAR)
        at = ir_emit(&b, IR_PACK64, IR_I64, 0, 1, words, 2, 0, 0, 0);
    if (how & ONE_WORD && !(how & FAR))
        at = ir_get(&b, warp, 1, IR_I32);
    ir_value x = ir_load(&b, mem, type, at), sum = ir_get(&b, file, 2, type);
    ir_set(&b, file, 2, ir_op2(&b, how & FLOATS ? IR_FADD : IR_ADD, 0, sum, x), 0);
    if (how & MIXED) {
        ir_value y = ir_op2(&b, IR_MUL, 0, ir_get(&b, file, 3, IR_I32), ir_const_i32(&b, 5));
        ir_set(&b, file, 3, ir_op2(&b, IR_XOR, 0, y, ir_get(&b, file, 4, IR_I32)), 0);
    }
    ir_set(&b, file, 0, ir_op2(&b, IR_ADD, 0, words[0], ir_const_i32(&b, 4)), 0);
    ir_value left =
        ir_op2(&b, IR_SUB, 0, ir_get(&b, how & UNIFORM_END ? warp : file, how & UNIFORM_END ? 0 : 5, IR_I32),
               ir_const_i32(&b, 1));
    ir_set(&b, how & UNIFORM_END ? warp : file, how & UNIFORM_END ? 0 : 5, left, 0);
    ir_value more = ir_op2(&b, IR_NE, 0, left, ir_const_i32(&b, 0));
    struct ir_control each = {.ntargets = 2, .target = {body, out}, .direct_none = 1, .direct_all = 1};
    if (how & UNIFORM_END)
        ir_branch(&b, more, body, out);
    else
        ir_control(&b, each, &more, 1);
    p->blocks[body].insns = 1;
    b.block = out;
    ir_end(&b);
    return p;
}

/* A loop of several blocks, each with values of its own that nobody sees after it: test at the beginning, body, and at
 * times one more block. */
enum { BY_WARP = 1, TWO_BODIES = 2, LOADS = 4, BY_VOTE = 8, OTHER_WAY = 16, LONG_WAYS = 32 };

static struct ir_program *long_loop(struct arena *a, unsigned how)
{
    struct ir_program *p = ir_program_new(a, "test", IR_COMPUTE, 64);
    struct ir_builder b = {p, IR_ENTRY, 0};
    unsigned file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 16, .preserved = true});
    unsigned warp = ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 4, .uniform = true});
    unsigned near = ir_add_space(p, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
    struct ir_mem mem = {.space = (uint16_t)near, .elem = IR_I32, .count = 1};
    unsigned end = how & BY_WARP ? warp : file, nbodies = how & TWO_BODIES ? 2 : 1;
    p->policy = &policy;
    uint32_t test = ir_new_block(p), body[2] = {ir_new_block(p), ir_new_block(p)}, out = ir_new_block(p);
    ir_goto(&b, test);
    b.block = test;
    ir_value left = ir_op2(&b, IR_SUB, 0, ir_get(&b, end, 0, IR_I32), ir_const_i32(&b, 3));
    ir_value more = ir_op2(&b, IR_LT_S, 0, ir_op2(&b, IR_MUL, 0, left, left), ir_get(&b, end, 1, IR_I32));
    struct ir_control each = {.ntargets = 2, .target = {body[0], out}, .direct_none = 1, .direct_all = 1};
    ir_set(&b, end, 0, left, 0);
    bool turned = how & OTHER_WAY;
    if (how & BY_VOTE)
        more = ir_op1(&b, how & TWO_BODIES ? IR_ANY : IR_ALL, 0, more);
    if (how & (BY_WARP | BY_VOTE))
        ir_branch(&b, more, turned ? out : body[0], turned ? body[0] : out);
    else
        ir_control(&b, each, &more, 1);
    for (unsigned i = 0; i < nbodies; i++) {
        enum ir_type t = i + 1 == nbodies ? IR_I64 : IR_I32;
        b.block = body[i];
        ir_value x = ir_get(&b, file, (uint16_t)(2 + 4 * i), t), y = ir_get(&b, file, (uint16_t)(4 + 4 * i), t);
        ir_value both = ir_op2(&b, IR_MUL, 0, ir_op2(&b, IR_XOR, 0, x, y), ir_op2(&b, IR_SUB, 0, x, y));
        if (how & LOADS) {
            ir_value word = ir_load(&b, mem, IR_I32, ir_get(&b, file, (uint16_t)(10 + i), IR_I32));
            both = ir_op2(&b, IR_ADD, 0, both, t == IR_I64 ? ir_cvt(&b, IR_ZEXT, t, 0, word) : word);
        }
        ir_set(&b, file, (uint16_t)(2 + 4 * i), both, 0);
        ir_goto(&b, i + 1 < nbodies ? body[1] : test);
    }
    if (nbodies == 1) {
        b.block = body[1];
        ir_goto(&b, out);
    }
    b.block = out;
    ir_end(&b);
    for (uint32_t i = 0; i < p->nblocks; i++)
        p->blocks[i].insns = i >= IR_ENTRY;
    return p;
}

/* A word, half or byte of each of 16 registers of one lane, read or written, and a load at an address of 64 bits far
 * from where its register is. */
static struct ir_program *columns(struct arena *a, unsigned how)
{
    static const enum ir_type types[] = {IR_I8, IR_I16, IR_I32};
    struct ir_program *p = ir_program_new(a, "test", IR_COMPUTE, 16);
    struct ir_builder b = {p, IR_ENTRY, 0};
    unsigned file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 24, .preserved = true});
    unsigned warp = ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 2, .uniform = true});
    unsigned bus = ir_add_space(p, (struct ir_space){.name = "b", .kind = IR_SPACE_BUS});
    enum ir_type type = types[how % 3];
    struct ir_reg reg = {.file = (uint8_t)file, .part = (uint8_t)type, .elem = 2, .stride = 1, .last = 20};
    ir_value lane = how & 8 ? ir_get(&b, warp, 0, IR_I32) : ir_const_i32(&b, 3), at[2], word;
    for (unsigned i = 0; i < 2; i++)
        at[i] = ir_get(&b, file, i, IR_I32);
    if (how & 4)
        ir_set_lane(&b, reg, ir_lane_id(&b), lane, ir_get_part(&b, file, 1, 0, type), 0);
    else
        ir_set_part(&b, file, 3, 0, type, ir_get_lane(&b, reg, ir_lane_id(&b), lane, type), 0);
    struct ir_mem mem = {.space = (uint16_t)bus, .elem = IR_I32, .count = 1,
                         .offset = how % 2 ? -16 : (int64_t)5 << 33};
    word = ir_load(&b, mem, IR_I32, ir_emit(&b, IR_PACK64, IR_I64, 0, 1, at, 2, 0, 0, 0));
    ir_set(&b, file, 2, ir_op2(&b, IR_XOR, 0, word, ir_get(&b, file, 2, IR_I32)), 0);
    p->blocks[IR_ENTRY].insns = 1;
    ir_end(&b);
    return p;
}

/* Votes of lanes, `n` of them, and as many sums for the warp that wait for the first one: how many fit into a run. */
static struct ir_program *votes(struct arena *a, unsigned n, bool waiting)
{
    struct ir_program *p = ir_program_new(a, "test", IR_COMPUTE, 64);
    struct ir_builder b = {p, IR_ENTRY, 0};
    unsigned file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 32, .preserved = true});
    unsigned warp = ir_add_file(p, (struct ir_file){.name = "u", .bits = 32, .count = 64, .uniform = true});
    ir_value one = ir_const_i32(&b, 1), none = ir_const_i32(&b, 0), held = 0;
    for (unsigned i = 0; i < (waiting ? 1 : n); i++) {
        ir_value x = ir_op2(&b, IR_NE, 0, ir_get(&b, file, (uint16_t)i, IR_I32), none);
        held = ir_op1(&b, i % 2 ? IR_ALL : IR_ANY, 0, x);
        ir_set(&b, file, (uint16_t)i, ir_op2(&b, IR_ADD, 0, ir_get(&b, file, (uint16_t)i, IR_I32), one), 0);
        if (!waiting)
            ir_set(&b, warp, (uint16_t)(32 + i), ir_select(&b, held, one, none), 0);
    }
    for (unsigned i = 0; waiting && i < n; i++)
        ir_set(&b, warp, (uint16_t)i, ir_select(&b, held, ir_get(&b, warp, (uint16_t)(32 + i), IR_I32), one),
               0);
    p->blocks[IR_ENTRY].insns = 1;
    ir_end(&b);
    return p;
}

/* ---- what is made of them ---- */

static FILE *dump;

/* Standard error goes to a file meanwhile: the module writes there. */
static weft_status look(struct kinds *k, struct ir_program *ir, struct arena *a, enum exec_level level, bool grows)
{
    struct exec_program *p = NULL;
    const struct exec_options options = {.level = level, .engine = EXEC_ENGINE_JIT, .extensible = grows};
    weft_diags *d = weft_diags_new();
    char line[4000];
    fflush(stderr);
    int kept = dup(2);
    assert_true(kept >= 0 && ftruncate(fileno(dump), 0) == 0);
    rewind(dump);
    dup2(fileno(dump), 2);
    weft_status status = ir_verify(ir, d);
    if (status == WEFT_OK)
        status = exec_compile(ir, &options, a, &p, d);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    rewind(dump);
    while (fgets(line, sizeof line, dump))
        add_line(k, line);
    struct exec_engine_report report = {0};
    if (status == WEFT_OK)
        exec_engine_report(p, &report);
    for (unsigned i = 0; i < report.compiled; i++)
        add_kind(k, "operations of weft");
    weft_diags_free(d);
    return status;
}

static void begin(void)
{
    dump = tmpfile();
    assert_non_null(dump);
    assert_int_equal(setenv("WEFT_JIT_DUMP", "ir", 1), 0);
}

static void random_ones(struct kinds *k, unsigned lanes, struct random_options options, enum exec_level level,
                        bool grows)
{
    for (unsigned i = 0; i < 12; i++) {
        struct arena a = {0};
        struct test_rng r = {lanes * 1000 + i};
        struct ir_program *p = random_program(&a, &r, options);
        p->lanes = (uint16_t)lanes;
        p->policy = &policy;
        look(k, p, &a, level, grows); /* the interpreter may lack something that it has */
        arena_free(&a);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static size_t list(const struct kinds *k, const char *what, char *to, size_t size)
{
    char lines[KINDS][90];
    for (unsigned i = 0; i < k->n; i++)
        snprintf(lines[i], sizeof lines[i], "%s: %s %u\n", what, k->name[i], k->count[i]);
    qsort(lines, k->n, sizeof lines[0], by_name);
    size_t n = 0;
    for (unsigned i = 0; i < k->n; i++)
        n += (size_t)snprintf(to + n, size - n, "%s", lines[i]);
    n += (size_t)snprintf(to + n, size - n, "%s: all of it %016llx\n", what, (unsigned long long)k->digest);
    return n;
}

static void votes_of_all_numbers(struct kinds *k, enum exec_level level)
{
    static const unsigned numbers[] = {2, 8, 9, 15, 16, 17}; /* up to 8 fit, and up to 16 may wait */
    for (unsigned i = 0; i < 2 * sizeof numbers / sizeof *numbers; i++) {
        struct arena a = {0};
        assert_int_equal(look(k, votes(&a, numbers[i / 2], i % 2), &a, level, false), WEFT_OK);
        arena_free(&a);
    }
}

static void loops_of_blocks(struct kinds *k, enum exec_level level)
{
    for (unsigned how = 0; how < LONG_WAYS; how++) {
        struct arena a = {0};
        if ((how & BY_WARP && how & BY_VOTE) || (how & OTHER_WAY && !(how & (BY_WARP | BY_VOTE))) ||
            (level == EXEC_AVX512 && !(how & LOADS)))
            continue;
        assert_int_equal(look(k, long_loop(&a, how), &a, level, false), WEFT_OK);
        arena_free(&a);
    }
}

static void end(const char *path, const char *text)
{
    unsetenv("WEFT_JIT_DUMP");
    fclose(dump);
    if (!getenv("WEFT_TEST_RENEW") && !snapshot_begins(path, text)) /* another LLVM folds other constants */
        skip();
    snapshot_compare(path, text);
}

static void code_is_as_it_was(void **state)
{
    (void)state;
    static char text[1 << 16];
    static struct kinds random, few, grown, column, blocks, vote, plain, loops[WAYS];
    assert_non_null(exec_jit_name());
    if (!exec_level_usable(EXEC_AVX2))
        skip();
    size_t n = (size_t)snprintf(text, sizeof text, "%s\n", exec_jit_name());
    begin();
    random_ones(&random, 16, (struct random_options){.blocks = 2, .ops = 16}, EXEC_AVX2, false);
    random_ones(&random, 64, (struct random_options){.blocks = 3, .ops = 10, .control = true}, EXEC_AVX2, false);
    random_ones(&random, 32, (struct random_options){.blocks = 6, .ops = 8, .arms = true}, EXEC_AVX2, false);
    n += list(&random, "random programs", text + n, sizeof text - n);
    random_ones(&few, 64, (struct random_options){.blocks = 3, .ops = 20, .tight = true}, EXEC_AVX2, false);
    random_ones(&few, 16, (struct random_options){.blocks = 3, .ops = 20, .tight = true, .everything = true}, EXEC_AVX2,
                false);
    n += list(&few, "few values", text + n, sizeof text - n);
    random_ones(&grown, 16, (struct random_options){.blocks = 3, .ops = 16, .everything = true}, EXEC_AVX2, true);
    random_ones(&grown, 16, (struct random_options){.blocks = 5, .ops = 8, .tight = true, .backward = true}, EXEC_AVX2,
                true);
    n += list(&grown, "programs that grow", text + n, sizeof text - n);
    for (unsigned how = 0; how < 24; how++) {
        struct arena a = {0};
        assert_int_equal(look(&column, columns(&a, how % 12), &a, EXEC_AVX2, how >= 12), WEFT_OK);
        arena_free(&a);
    }
    n += list(&column, "columns and far loads", text + n, sizeof text - n);
    for (unsigned how = 0; how < WAYS; how++) {
        struct arena a = {0};
        char name[20];
        assert_int_equal(look(&loops[how], loop(&a, how), &a, EXEC_AVX2, false), WEFT_OK);
        arena_free(&a);
        snprintf(name, sizeof name, "loop %u", how);
        n += list(&loops[how], name, text + n, sizeof text - n);
    }
    loops_of_blocks(&blocks, EXEC_AVX2);
    n += list(&blocks, "loops of blocks", text + n, sizeof text - n);
    votes_of_all_numbers(&vote, EXEC_AVX2);
    n += list(&vote, "votes", text + n, sizeof text - n);
    random_ones(&plain, 32, (struct random_options){.blocks = 2, .ops = 16}, EXEC_BASELINE, false);
    n += list(&plain, "baseline", text + n, sizeof text - n);
    end(WEFT_MACHINE_SHAPES, text);
}

/* Rows of 32 lanes, where there are so many, and where that is worth it. */
static void code_of_wide_rows_is_as_it_was(void **state)
{
    (void)state;
    static char text[1 << 16];
    static struct kinds random, loops, blocks, vote;
    assert_non_null(exec_jit_name());
    if (!exec_level_usable(EXEC_AVX512))
        skip();
    size_t n = (size_t)snprintf(text, sizeof text, "%s\n", exec_jit_name());
    begin();
    for (unsigned lanes = 48; lanes <= 64; lanes += 16)
        random_ones(&random, lanes, (struct random_options){.blocks = 2, .ops = 16}, EXEC_AVX512, false);
    n += list(&random, "random programs", text + n, sizeof text - n);
    for (unsigned how = 0; how < WAYS; how += 3) {
        struct arena a = {0};
        assert_int_equal(look(&loops, loop(&a, how), &a, EXEC_AVX512, false), WEFT_OK);
        arena_free(&a);
    }
    n += list(&loops, "loops", text + n, sizeof text - n);
    loops_of_blocks(&blocks, EXEC_AVX512);
    n += list(&blocks, "loops of blocks", text + n, sizeof text - n);
    votes_of_all_numbers(&vote, EXEC_AVX512);
    n += list(&vote, "votes", text + n, sizeof text - n);
    end(WEFT_WIDE_SHAPES, text);
}

TEST_MAIN(TEST(code_is_as_it_was), TEST(code_of_wide_rows_is_as_it_was))
