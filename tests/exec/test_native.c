/* test_native.c - what of a program is compiled, and when: whole programs by the instructions that they ran, and parts
 * of those that get blocks at run time by where they are. The module notes what it is asked for and compiles nothing
 * (noting_module.h), so nothing runs: the test says what ran. What the library keeps is the process's: each case is
 * one. */
#include "test.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exec/exec.h"
#include "exec/select.h"
#include "ir/build.h"
#include "noting_module.h"

static struct noted *noted;

#define NEED(condition) need(condition, #condition, __LINE__)

static void need(bool holds, const char *what, int line)
{
    if (holds)
        return;
    printf("# %s:%d: %s\n", __FILE__, line, what);
    fflush(stdout);
    _exit(1);
}

/* In a process of its own. */
static void apart(void (*body)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        void *module = dlopen(getenv("WEFT_JIT_MODULE"), RTLD_NOW | RTLD_LOCAL);
        NEED(module != NULL);
        noted = dlsym(module, NOTED_SYMBOL);
        NEED(noted != NULL);
        body();
        fflush(stdout);
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static unsigned asked(void)
{
    return __atomic_load_n(&noted->count, __ATOMIC_ACQUIRE);
}

/* ---- programs ---- */

struct made {
    struct arena arena;
    struct ir_program *ir;
    struct exec_program *p;
    unsigned file, warp, space;
};

/* So many sums in a block; it ends as it is told later. */
static void fill(struct made *m, uint32_t block, unsigned ops, unsigned salt)
{
    struct ir_builder b = {m->ir, block, 0};
    for (unsigned i = 0; i < ops; i++) {
        ir_value v = ir_op2(&b, IR_ADD, 0, ir_get(&b, m->file, i % 4, IR_I32), ir_const_i32(&b, salt + 1));
        ir_set(&b, m->file, (i + 1) % 4, v, 0);
    }
    m->ir->blocks[block].insns = 1;
}

static void store(struct made *m, uint32_t block)
{
    struct ir_builder b = {m->ir, block, 0};
    ir_value v = ir_get(&b, m->file, 0, IR_I32);
    ir_store(&b, (struct ir_mem){.space = (uint16_t)m->space, .elem = IR_I32, .count = 1}, v, &v, 0);
}

static void go(struct made *m, uint32_t block, uint32_t yes, uint32_t no)
{
    struct ir_builder b = {m->ir, block, 0};
    ir_value on = ir_op2(&b, IR_LT_S, 0, ir_get(&b, m->warp, 0, IR_I32), ir_const_i32(&b, 7));
    if (yes == no)
        ir_goto(&b, yes);
    else
        ir_branch(&b, on, yes, no);
}

static void end(struct made *m, uint32_t block)
{
    struct ir_builder b = {m->ir, block, 0};
    ir_end(&b);
}

static struct made *begin(void)
{
    struct made *m = calloc(1, sizeof *m);
    NEED(m != NULL);
    m->ir = ir_program_new(&m->arena, "test", IR_COMPUTE, 16);
    m->file = ir_add_file(m->ir, (struct ir_file){.name = "r", .bits = 32, .count = 4, .preserved = true});
    m->warp = ir_add_file(m->ir, (struct ir_file){.name = "u", .bits = 32, .count = 2, .uniform = true});
    m->space = ir_add_space(m->ir, (struct ir_space){.name = "m", .kind = IR_SPACE_GLOBAL});
    return m;
}

static void compile(struct made *m, struct exec_options options)
{
    weft_diags *d = weft_diags_new();
    if (ir_verify(m->ir, d) != WEFT_OK || exec_compile(m->ir, &options, &m->arena, &m->p, d) != WEFT_OK) {
        printf("# %s\n", weft_diags_get(d, 0)->message);
        NEED(false);
    }
    weft_diags_free(d);
}

/* Two runs with a store between them, and a loop. */
static struct made *whole_program(unsigned salt, struct exec_options options)
{
    struct made *m = begin();
    uint32_t loop = ir_new_block(m->ir), out = ir_new_block(m->ir);
    fill(m, IR_ENTRY, 3, salt);
    store(m, IR_ENTRY);
    fill(m, IR_ENTRY, 3, salt);
    go(m, IR_ENTRY, loop, loop);
    fill(m, loop, 2, salt);
    go(m, loop, loop, out);
    end(m, out);
    compile(m, options);
    return m;
}

static struct exec_engine_report report_of(const struct made *m)
{
    struct exec_engine_report report;
    exec_engine_report(m->p, &report);
    return report;
}

static const struct jit_run *runs_of(const struct jit_request *r)
{
    return jit_part(r, r->runs);
}

static uint32_t operations_of(const struct jit_request *r, unsigned step)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->nruns; i += step)
        n += runs_of(r)[i].count;
    return n;
}

/* Are these the first operations of runs, in the code of the form? */
static bool has_places(const struct made *m, const struct jit_request *r, bool compiled, unsigned first, unsigned step)
{
    bool all = true;
    for (uint32_t i = first; i < r->nruns; i += step)
        all &= (m->p->compiler->code[runs_of(r)[i].place].fn == noted->function) == compiled;
    return all;
}

static const struct exec_options at_once = {.level = EXEC_BASELINE, .engine = EXEC_ENGINE_JIT};
static const struct exec_options in_time = {.level = EXEC_BASELINE};

/* ---- whole programs ---- */

static void forms_body(void)
{
    struct made *m = whole_program(1, at_once);
    NEED(asked() == 1);
    const struct jit_request *full = noted->request[0];
    NEED(full->nruns == 3 && runs_of(full)->full && full->level == EXEC_BASELINE && !full->straight);
    NEED(has_places(m, full, true, 0, 1));
    struct exec_engine_report r = report_of(m);
    NEED(r.native && !r.why && r.compiled == operations_of(full, 1));
    NEED(r.operations == r.compiled + 3); /* the store, the other target of the branch, and an end by itself */
    NEED(m->p->awaited[EXEC_PARTIAL] && !m->p->awaited[EXEC_FULL]);
    exec_native_await(m->p, EXEC_PARTIAL);
    exec_native_await(m->p, EXEC_PARTIAL);
    NEED(asked() == 2 && !runs_of(noted->request[1])->full && !m->p->awaited[EXEC_PARTIAL]);
    NEED(has_places(m, noted->request[1], true, 0, 1));
    r = report_of(m);
    NEED(r.compiled == operations_of(full, 1) + operations_of(noted->request[1], 1));
    for (uint32_t i = 0; i < full->nruns; i++) { /* what runs go back to where the budget ends in them */
        lop_fn *before = m->p->replaced[EXEC_FULL][i];
        NEED(before && before != noted->function);
    }
    uint64_t none[EXEC_FORMS] = {1 << 30, 1 << 30};
    exec_native_tick(m->p, none); /* it has all of it */
    NEED(asked() == 2);
}

static void again_body(void)
{
    struct made *m = whole_program(1, at_once), *same = whole_program(1, at_once);
    NEED(asked() == 1 && report_of(same).native && has_places(same, noted->request[0], true, 0, 1));
    NEED(m->p->native->form[EXEC_FULL].entry == same->p->native->form[EXEC_FULL].entry);
    whole_program(2, at_once);
    NEED(asked() == 2);
}

static void others_body(void)
{
    struct exec_options o = at_once;
    o.spare = true;
    struct made *m = whole_program(1, o);
    NEED(asked() == 0 && m->p->awaited[EXEC_FULL] && m->p->awaited[EXEC_PARTIAL] && !report_of(m).native);
    exec_native_await(m->p, EXEC_FULL);
    NEED(asked() == 1 && report_of(m).native);
    o = at_once;
    o.no_full = true;
    whole_program(2, o);
    NEED(asked() == 2 && !runs_of(noted->request[1])->full);
    o.engine = EXEC_ENGINE_INTERP;
    m = whole_program(3, o);
    NEED(asked() == 2 && !m->p->native && !report_of(m).native);
    m = begin(); /* nothing in it is known */
    store(m, IR_ENTRY);
    uint32_t next = ir_new_block(m->ir);
    ir_emit(&(struct ir_builder){m->ir, IR_ENTRY, 0}, IR_BARRIER, IR_VOID, 0, 0, NULL, 0, next, 0, 0);
    ir_emit(&(struct ir_builder){m->ir, next, 0}, IR_TRAP, IR_VOID, 0, 0, NULL, 0, 0, 0, 0);
    compile(m, at_once);
    NEED(asked() == 2 && !report_of(m).native && strstr(report_of(m).why, "nothing"));
}

static void failures_body(void)
{
    noted->fails = true;
    struct made *m = whole_program(1, at_once);
    NEED(asked() == 1 && !report_of(m).native && strcmp(report_of(m).why, "it is not to be") == 0);
    NEED(has_places(m, noted->request[0], false, 0, 1));
    noted->fails = false;
    noted->leaves_out = true;
    m = whole_program(2, at_once);
    const struct jit_request *r = noted->request[1];
    NEED(report_of(m).native && report_of(m).compiled == operations_of(r, 2));
    NEED(has_places(m, r, true, 0, 2) && has_places(m, r, false, 1, 2));
}

/* ---- in the background ---- */

static void wait_until(bool (*holds)(struct made *m), struct made *m)
{
    const struct timespec little = {.tv_nsec = 1000000};
    for (unsigned i = 0; i < 20000 && !holds(m); i++)
        nanosleep(&little, NULL);
    NEED(holds(m));
}

static void run(struct made *m, uint64_t all, uint64_t some)
{
    const uint64_t insns[EXEC_FORMS] = {[EXEC_FULL] = all, [EXEC_PARTIAL] = some};
    exec_native_tick(m->p, insns);
}

static bool is_loaded(struct made *m)
{
    const char *why = NULL;
    (void)m;
    return native_module(&why) != NULL;
}

static bool is_native(struct made *m)
{
    run(m, 0, 0);
    return report_of(m).native;
}

static bool is_all_native(struct made *m)
{
    run(m, 0, 0);
    const struct native_form *form = m->p->native->form;
    return form[EXEC_FULL].use == NATIVE_RUNS && form[EXEC_PARTIAL].use == NATIVE_RUNS;
}

static struct made *counted(unsigned salt, unsigned insns)
{
    struct made *m = begin();
    fill(m, IR_ENTRY, 4, salt);
    end(m, IR_ENTRY);
    m->ir->insns = arena_alloc(&m->arena, insns * sizeof *m->ir->insns + 1);
    memset(m->ir->insns, 0, insns * sizeof *m->ir->insns);
    m->ir->ninsns = insns;
    compile(m, in_time);
    return m;
}

enum { AT_ALL = 4000000, LOADED = 500000, EACH = 7000 };

static void worth_body(void)
{
    struct made *m = counted(1, 3);
    run(m, AT_ALL + 3 * EACH - 1, AT_ALL);
    NEED(!is_loaded(m) && asked() == 0);
    run(m, 1, 0);
    wait_until(is_loaded, m);
    run(m, 0, 3 * EACH - 1); /* a form is worth it by itself, and this one has run often enough for what is loaded */
    wait_until(is_all_native, m);
    NEED(asked() == 2);
    m = counted(2, 0);
    run(m, 0, LOADED - 1);
    NEED(m->p->native->form[EXEC_PARTIAL].use == NATIVE_IDLE);
    run(m, 0, 1);
    NEED(m->p->native->form[EXEC_PARTIAL].use != NATIVE_IDLE && m->p->native->form[EXEC_FULL].use == NATIVE_IDLE);
    wait_until(is_native, m);
    NEED(asked() == 3 && !runs_of(noted->request[2])->full);
    m = counted(3, 10);
    run(m, LOADED + 10 * EACH - 1, 0);
    NEED(m->p->native->form[EXEC_FULL].use == NATIVE_IDLE);
    run(m, 1, 0);
    wait_until(is_native, m);
    NEED(asked() == 4 && runs_of(noted->request[3])->full);
    exec_jit_settle();
}

/* A module that cannot be had: each program hears why, once it has run long enough. */
static void missing_body(void)
{
    setenv("WEFT_JIT_MODULE", "/nowhere/weft-jit.so", 1);
    NEED(!exec_jit_name() && strstr(exec_jit_missing(), "nowhere"));
    struct made *m = counted(1, 0);
    run(m, AT_ALL - 1, 0);
    NEED(!report_of(m).why);
    run(m, 1, 0);
    NEED(report_of(m).why == exec_jit_missing());
    NEED(report_of(whole_program(2, at_once)).why == exec_jit_missing());
}

/* ---- programs that get blocks at run time ---- */

/* The blocks of a request, of which each is one run; they are planned from the last one on. */
static bool are_blocks(const struct made *m, const struct jit_request *r, const uint32_t *blocks, uint32_t count)
{
    bool same = r->nruns == count && r->straight;
    for (uint32_t i = 0; same && i < count; i++)
        same = runs_of(r)[count - 1 - i].place == m->p->compiler->code_at[EXEC_FULL][blocks[i]];
    return same;
}

static bool is_compiled(const struct made *m, uint32_t block)
{
    return m->p->blocks[block].full->fn == noted->function;
}

#define ARE_BLOCKS(m, n, ...)                                                                                          \
    are_blocks(m, noted->request[n], (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

static struct exec_options growing(struct exec_options o)
{
    o.extensible = true;
    return o;
}

static void extend(struct made *m)
{
    weft_diags *d = weft_diags_new();
    NEED(ir_verify(m->ir, d) == WEFT_OK && exec_extend(m->p, d) == WEFT_OK);
    weft_diags_free(d);
}

/* Blocks `first`.. of which each goes to the next two; the last ends. */
static void ladder(struct made *m, uint32_t first, uint32_t count, unsigned ops)
{
    while (m->ir->nblocks < first + count)
        ir_new_block(m->ir);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = first + i;
        fill(m, b, ops, i);
        m->ir->blocks[b].addr = b;
        if (i + 1 == count)
            end(m, b);
        else
            go(m, b, b + 1, i + 2 < count ? b + 2 : b + 1);
    }
}

static void regions_body(void)
{
    struct made *m = begin();
    ladder(m, 1, 5, 2);
    compile(m, growing(at_once));
    NEED(asked() == 1 && ARE_BLOCKS(m, 0, 1, 2, 3, 4, 5));
    for (uint32_t b = 1; b <= 5; b++)
        NEED(is_compiled(m, b));
    struct exec_engine_report r = report_of(m);
    NEED(r.native && r.compiled == operations_of(noted->request[0], 1) && r.operations == r.compiled + 3); /* targets */
    uint32_t before = r.operations;
    ladder(m, 6, 2, 3); /* what comes later is compiled by itself, whatever leads there */
    extend(m);
    NEED(asked() == 2 && ARE_BLOCKS(m, 1, 6, 7));
    r = report_of(m);
    NEED(r.operations == before + operations_of(noted->request[1], 1) && r.compiled == r.operations - 3);
    exec_drop(m->p, 3); /* takes its region along */
    for (uint32_t b = 1; b <= 7; b++)
        NEED(is_compiled(m, b) == (b > 5));
    NEED(report_of(m).compiled == operations_of(noted->request[1], 1));
    exec_native_sample(m->p, 2, 0); /* where it is now: what can be reached from there without the block that is gone */
    NEED(asked() == 3 && noted->request[2]->nruns == 3 && is_compiled(m, 2) && !is_compiled(m, 1) && is_compiled(m, 4));
    exec_native_sample(m->p, 2, 0);
    exec_native_sample(m->p, 3, 0);
    exec_native_sample(m->p, 0, 0);
    exec_native_sample(m->p, 8, 0);
    NEED(asked() == 3);
    exec_native_sample(m->p, 1, 0);
    NEED(asked() == 4 && noted->request[3]->nruns == 1 && is_compiled(m, 1));
    exec_drop(m->p, 7);
    NEED(!is_compiled(m, 6) && is_compiled(m, 1) && is_compiled(m, 2));
}

/* How much is one region: 64 blocks, or 1200 operations. */
static void sizes_body(void)
{
    struct made *m = begin();
    ladder(m, 1, 100, 1);
    compile(m, growing(at_once));
    NEED(asked() == 2 && noted->request[0]->nruns == 64 && noted->request[1]->nruns == 36);
    m = begin();
    ladder(m, 1, 20, 100);
    compile(m, growing(at_once));
    unsigned first = asked();
    for (unsigned i = 2; i < first; i++)
        NEED(noted->request[i]->nsteps <= 1200);
    uint32_t each = noted->request[2]->nsteps / noted->request[2]->nruns, blocks = 1200 / each;
    NEED(each > 100 && noted->request[2]->nruns == blocks && first == 2 + (20 + blocks - 1) / blocks);
}

static bool is_region(struct made *m)
{
    exec_native_sample(m->p, 0, 0);
    return report_of(m).native;
}

static bool is_region_of_two(struct made *m)
{
    exec_native_sample(m->p, 0, 0);
    return is_compiled(m, 2);
}

static bool is_other_unit(struct made *m)
{
    exec_native_sample(m->p, 0, 0);
    return is_compiled(m, 4);
}

enum { LOADING = 20000000, REGION = 1000000 };

/* Without haste: the module is loaded when a program has run long, and a unit's region compiled when warps were there.
 */
static void samples_body(void)
{
    struct made *m = begin();
    ladder(m, 1, 3, 2);
    compile(m, growing(in_time));
    ladder(m, 4, 2, 2);
    extend(m);
    exec_native_sample(m->p, 5, LOADING - 1);
    NEED(!is_loaded(m));
    exec_native_sample(m->p, 5, 1);
    wait_until(is_loaded, m);
    NEED(asked() == 0);
    exec_native_sample(m->p, 1, REGION - 1);
    NEED(asked() == 0 && !report_of(m).native);
    exec_native_sample(m->p, 1, 1);
    wait_until(is_region, m);
    NEED(asked() == 1 && noted->request[0]->nruns == 3 && is_compiled(m, 1) && !is_compiled(m, 4));
    exec_drop(m->p, 3); /* twice as much when it was for nothing */
    exec_native_sample(m->p, 2, 2 * REGION - 1);
    NEED(asked() == 1);
    exec_native_sample(m->p, 2, 1);
    wait_until(is_region_of_two, m);
    NEED(asked() == 2 && noted->request[1]->nruns == 1);
    exec_native_sample(m->p, 4, 0); /* warps were in the other unit before there was a module */
    wait_until(is_other_unit, m);
    exec_jit_settle();
}

/* Where code changes all the time, nothing new is compiled at once any more. */
static void drops_body(void)
{
    enum { MOST = 64 };
    struct made *m = begin();
    ladder(m, 1, 1, 2);
    compile(m, growing(at_once));
    for (uint32_t i = 0; i < MOST; i++) {
        NEED(asked() == 1 + i && is_compiled(m, 1 + i));
        exec_drop(m->p, 1 + i);
        ladder(m, 2 + i, 1, 2);
        extend(m);
        NEED(is_compiled(m, 2 + i) == (i + 1 < MOST));
    }
    NEED(asked() == MOST);
    exec_native_sample(m->p, MOST + 1, 0);
    NEED(is_compiled(m, MOST + 1));
}

/* Those of more than one chunk of lanes are not compiled. */
static void chunks_body(void)
{
    struct made *m = begin();
    m->ir->lanes = 32;
    ladder(m, 1, 3, 2);
    compile(m, growing(at_once));
    NEED(asked() == 0 && !m->p->native);
}

#define APART(name)                                                                                                    \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        apart(name##_body);                                                                                            \
    }
APART(forms)
APART(again)
APART(others)
APART(failures)
APART(worth)
APART(missing)
APART(regions)
APART(sizes)
APART(samples)
APART(drops)
APART(chunks)

TEST_MAIN(TEST(forms), TEST(again), TEST(others), TEST(failures), TEST(worth), TEST(missing), TEST(regions),
          TEST(sizes), TEST(samples), TEST(drops), TEST(chunks))
