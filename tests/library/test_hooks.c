/* Hooks of runners (weft/run.h): each instruction and each access of one kernel of each instruction set, registers read
 * and changed, accesses refused, runs stopped. */
#include "programs.h"

#include <ctype.h>

enum { WORDS = 64 };

struct watcher {
    const struct kernel *k;
    uint32_t in[WORDS], out[WORDS];
    unsigned steps, accesses, reads, writes;
    unsigned stop_at;                   /* a step; 0: none */
    unsigned refuse_read, refuse_write; /* words; WORDS: none */
    unsigned stop_read, stop_write;
    bool change;                        /* the number that is multiplied */
    bool wrong;
    const char *source; /* of the program; NULL: it was made from bytes */
};

static void refuse_nothing(struct watcher *w, const struct kernel *k)
{
    *w = (struct watcher){
        .k = k, .refuse_read = WORDS, .refuse_write = WORDS, .stop_read = WORDS, .stop_write = WORDS};
    for (uint32_t i = 0; i < WORDS; i++) {
        w->in[i] = 1000 * i + 7;
        w->out[i] = 99;
    }
}

static bool off(struct watcher *w, const char *what)
{
    printf("# %s, step %u: %s\n", w->k->isa, w->steps, what);
    return w->wrong = true;
}

/* The text is the line of the source that the step is at. */
static void check_text(struct watcher *w, weft_step *step)
{
    const char *text = weft_step_text(step), *line = w->source;
    size_t length;
    if (!*text)
        off(w, "no text");
    for (uint32_t n = weft_step_line(step); w->source && n > 1 && line; n--)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    if (w->source && (!line || !weft_step_line(step)))
        off(w, "no line");
    else if (w->source && ((length = strcspn(line, "\n")) != strlen(text) || strncmp(line, text, length) != 0))
        off(w, text);
    if (!w->source && weft_step_line(step))
        off(w, "bytes have no lines");
    if (weft_step_text(step) != text)
        off(w, "another text the second time");
}

/* Lanes of a workgroup, the first of a dispatch, are words 0 and on. */
static void check_lanes(struct watcher *w, const weft_step *step)
{
    uint64_t all = w->k->width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << w->k->width) - 1;
    if (weft_step_lanes(step) != all)
        off(w, "lanes");
    for (unsigned lane = 0; lane < w->k->width; lane++) {
        weft_invocation i = {.size = sizeof i};
        if (weft_step_invocation(step, lane, &i) != WEFT_OK || i.number != lane || i.local[0] != lane || i.group[0])
            off(w, "invocation");
    }
}

static void look_at_numbers(struct watcher *w, weft_step *step)
{
    for (unsigned lane = 0; lane < w->k->width; lane++) {
        uint64_t value = 0;
        if (weft_step_read(step, w->k->registers, w->k->number, lane, &value) != WEFT_OK || value != w->in[lane])
            off(w, "the number that was loaded");
        if (w->change && weft_step_write(step, w->k->registers, w->k->number, lane, value + lane) != WEFT_OK)
            off(w, "cannot write");
    }
}

static weft_answer on_instruction(void *context, weft_step *step)
{
    struct watcher *w = context;
    if (weft_step_stage(step) != WEFT_COMPUTE || !weft_step_program(step))
        off(w, "stage");
    check_text(w, step);
    check_lanes(w, step);
    if (w->steps == w->k->at)
        look_at_numbers(w, step);
    w->steps++;
    return w->steps == w->stop_at ? WEFT_STOP : WEFT_GO_ON;
}

static weft_answer on_access(void *context, weft_step *step, const weft_access *a)
{
    struct watcher *w = context;
    uint64_t at = a->address - w->k->addresses[a->writes != 0];
    unsigned word = (unsigned)(at / 4);
    if (a->space == WEFT_SPACE_SHARED && strcmp(w->k->isa, "tesla") == 0) /* the number of the workgroup */
        return WEFT_GO_ON;
    w->accesses++;
    w->reads += a->reads != 0;
    w->writes += a->writes != 0;
    if (a->space != w->k->space || a->size != 4 || at % 4 || word != a->lane || !a->reads == !a->writes)
        off(w, "access");
    if (a->space == WEFT_SPACE_BUFFER && a->number != (a->writes ? 1u : 0u))
        off(w, "number of the buffer");
    if (weft_step_write(step, w->k->registers, w->k->number, a->lane, 1) != WEFT_ERROR_USAGE)
        off(w, "an access has begun: registers are not to be changed");
    if (word == (a->writes ? w->stop_write : w->stop_read))
        return WEFT_STOP;
    return word == (a->writes ? w->refuse_write : w->refuse_read) ? WEFT_REFUSE : WEFT_GO_ON;
}

static weft_status run(struct watcher *w, const weft_program *p, bool instruction, bool access, weft_diags *diags)
{
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.instruction = instruction ? on_instruction : NULL;
    o.access = access ? on_access : NULL;
    o.context = w;
    weft_runner *r = make_runner(p, &o);
    assert_int_equal(weft_runner_bind_buffer(r, 0, w->in, sizeof w->in, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_buffer(r, 1, w->out, sizeof w->out, NULL), WEFT_OK);
    weft_status status = weft_runner_dispatch(r, 1, 1, 1, diags);
    weft_runner_free(r);
    assert_false(w->wrong);
    return status;
}

#define EACH_KERNEL(k) (const struct kernel *k = kernels; k < kernels + sizeof kernels / sizeof *kernels; k++)

static void instructions_are_shown(void **state)
{
    (void)state;
    for
        EACH_KERNEL(k)
        {
            struct watcher w;
            weft_program *p = make_kernel(k);
            refuse_nothing(&w, k);
            w.source = k->text;
            assert_int_equal(run(&w, p, true, false, NULL), WEFT_OK);
            assert_int_equal(w.steps, k->steps);
            for (unsigned i = 0; i < WORDS; i++)
                assert_int_equal(w.out[i], i < k->width ? 3 * w.in[i] + 5 : 99);
            weft_program_free(p);
        }
}

static void instructions_of_bytes_have_texts(void **state)
{
    (void)state;
    for
        EACH_KERNEL(k)
        {
            struct watcher w;
            weft_program *p = make_kernel_of_bytes(k);
            refuse_nothing(&w, k);
            assert_int_equal(run(&w, p, true, false, NULL), WEFT_OK);
            assert_int_equal(w.steps, k->steps);
            weft_program_free(p);
        }
}

static void registers_are_changed(void **state)
{
    (void)state;
    for
        EACH_KERNEL(k)
        {
            struct watcher w;
            weft_program *p = make_kernel(k);
            refuse_nothing(&w, k);
            w.source = k->text;
            w.change = true;
            assert_int_equal(run(&w, p, true, false, NULL), WEFT_OK);
            for (unsigned i = 0; i < WORDS; i++)
                assert_int_equal(w.out[i], i < k->width ? 3 * (w.in[i] + i) + 5 : 99);
            weft_program_free(p);
        }
}

static void accesses_are_shown_and_refused(void **state)
{
    (void)state;
    for
        EACH_KERNEL(k)
        {
            struct watcher w;
            weft_program *p = make_kernel(k);
            refuse_nothing(&w, k);
            assert_int_equal(run(&w, p, false, true, NULL), WEFT_OK);
            assert_int_equal(w.reads, k->width);
            assert_int_equal(w.writes, k->width);
            for (unsigned i = 0; i < WORDS; i++)
                assert_int_equal(w.out[i], i < k->width ? 3 * w.in[i] + 5 : 99);
            refuse_nothing(&w, k);
            w.source = k->text;
            w.refuse_read = 3;
            w.refuse_write = 4;
            assert_int_equal(run(&w, p, false, true, NULL), WEFT_OK);
            for (unsigned i = 0; i < WORDS; i++)
                assert_int_equal(w.out[i], i == 3 ? 5 : i == 4 || i >= k->width ? 99 : 3 * w.in[i] + 5);
            weft_program_free(p);
        }
}

static void runs_are_stopped(void **state)
{
    (void)state;
    for
        EACH_KERNEL(k)
    for (unsigned at = 1; at <= k->steps; at++) {
        struct watcher w;
        weft_diags *diags = weft_diags_new();
        weft_program *p = make_kernel(k);
        refuse_nothing(&w, k);
        w.source = k->text;
        w.stop_at = at;
        assert_int_equal(run(&w, p, true, true, diags), WEFT_ERROR_STOPPED);
        assert_int_equal(w.steps, at);
        assert_int_equal(weft_diags_count(diags), 1);
        assert_string_equal(weft_diags_get(diags, 0)->code, "stopped");
        assert_true(weft_diags_get(diags, 0)->line > 0);
        if (at == 1)
            assert_int_equal(w.out[0], 99);
        weft_program_free(p);
        weft_diags_free(diags);
    }
    assert_string_equal(weft_status_name(WEFT_ERROR_STOPPED), "stopped");
}

/* An access that is answered so ends the run: no lane is asked after it, and the instruction does nothing. */
static void accesses_stop_runs(void **state)
{
    (void)state;
    for
        EACH_KERNEL(k)
    for (unsigned word = 0; word < 2 * k->width; word++) {
        struct watcher w;
        weft_diags *diags = weft_diags_new();
        weft_program *p = make_kernel(k);
        bool write = word >= k->width;
        refuse_nothing(&w, k);
        *(write ? &w.stop_write : &w.stop_read) = word % k->width;
        assert_int_equal(run(&w, p, false, true, diags), WEFT_ERROR_STOPPED);
        assert_int_equal(w.accesses, word + 1);
        assert_string_equal(weft_diags_get(diags, 0)->code, "stopped");
        for (unsigned i = 0; i < WORDS; i++)
            assert_int_equal(w.out[i], 99);
        weft_program_free(p);
        weft_diags_free(diags);
    }
}

/* Registers are zero when a workgroup begins, whatever the one before it left. */
struct first_look {
    const struct kernel *k;
    uint64_t number;
    unsigned looks, wrong;
};

static weft_answer look_first(void *context, weft_step *step)
{
    struct first_look *f = context;
    uint64_t address = weft_step_address(step), value = 1;
    if (f->looks++ == 0)
        f->number = address;
    if (address != f->number)
        return WEFT_GO_ON;
    for (unsigned lane = 0; lane < f->k->width; lane++)
        f->wrong += weft_step_read(step, f->k->registers, f->k->number, lane, &value) != WEFT_OK || value != 0;
    return WEFT_GO_ON;
}

static void registers_begin_as_zero(void **state)
{
    (void)state;
    for
        EACH_KERNEL(k)
        {
            struct first_look f = {.k = k};
            uint32_t in[3 * 64], out[3 * 64];
            memset(in, 0x77, sizeof in);
            weft_runner_options o;
            weft_runner_options_init(&o);
            o.instruction = look_first;
            o.context = &f;
            weft_program *p = make_kernel(k);
            weft_runner *r = make_runner(p, &o);
            assert_int_equal(weft_runner_bind_buffer(r, 0, in, sizeof in, NULL), WEFT_OK);
            assert_int_equal(weft_runner_bind_buffer(r, 1, out, sizeof out, NULL), WEFT_OK);
            assert_int_equal(weft_runner_dispatch(r, 3, 1, 1, NULL), WEFT_OK);
            assert_int_equal(f.wrong, 0);
            assert_int_equal(f.looks, 3 * k->steps);
            weft_runner_free(r);
            weft_program_free(p);
        }
}

/* ---- single questions ---- */

static weft_answer ask_wrongly(void *context, weft_step *step)
{
    bool *wrong = context;
    uint64_t value = 0;
    weft_invocation i = {.size = 3};
    weft_register_file f = {.size = sizeof f};
    size_t files = 0;
    bool found = false;
    *wrong = *wrong || weft_step_read(step, "nothing", 0, 0, &value) != WEFT_ERROR_USAGE ||
             weft_step_read(step, NULL, 0, 0, &value) != WEFT_ERROR_USAGE ||
             weft_step_read(step, "TEMP", 8, 0, &value) != WEFT_ERROR_USAGE ||
             weft_step_read(step, "TEMP", 0, 64, &value) != WEFT_ERROR_USAGE ||
             weft_step_write(step, "TEMP", 8, 0, value) != WEFT_ERROR_USAGE ||
             weft_step_read(step, "hook_stopped", 0, 0, &value) != WEFT_ERROR_USAGE ||
             weft_step_invocation(step, 0, &i) != WEFT_ERROR_USAGE;
    i.size = 0;
    *wrong = *wrong || weft_step_invocation(step, 64, &i) != WEFT_ERROR_USAGE ||
             weft_step_invocation(step, 0, &i) != WEFT_OK;
    for (; weft_step_register_file(step, files, &f); files++)
        found = found || (strcmp(f.name, "TEMP") == 0 && f.bits == 32 && f.count == 8 && !f.per_warp && f.vectors);
    f.size = 1;
    *wrong = *wrong || !found || files == 0 || weft_step_register_file(step, 0, &f);
    return WEFT_GO_ON;
}

static void wrong_questions_are_refused(void **state)
{
    (void)state;
    bool wrong = false;
    uint32_t memory[128] = {0};
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.instruction = ask_wrongly;
    o.context = &wrong;
    weft_program *p = make_kernel(&kernels[0]);
    weft_runner *r = make_runner(p, &o);
    assert_int_equal(weft_runner_bind_buffer(r, 0, memory, sizeof memory, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_buffer(r, 1, memory, sizeof memory, NULL), WEFT_OK);
    assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, NULL), WEFT_OK);
    assert_false(wrong);
    weft_runner_free(r);
    weft_program_free(p);
}

/* What memory has when a program begins is not an access of the program: it cannot be refused, and nobody sees it. */
static weft_answer refuse_all(void *context, weft_step *step, const weft_access *a)
{
    (void)step;
    (void)a;
    ++*(unsigned *)context;
    return WEFT_REFUSE;
}

static void beginnings_are_no_accesses(void **state)
{
    (void)state;
    /* the size of a block, and a parameter */
    weft_program *p = make_text("tesla", NULL, WEFT_COMPUTE, "block 8\nparameters 4\n",
                                "cvt u32 $r0 u16 u16 s[0x2]\nmov b32 $r1 b32 s[0x10]\nst b32 g0[$r2] $r0\nexit nop\n");
    weft_runner_options o;
    weft_runner *r;
    unsigned seen = 0;
    uint32_t buffer[4] = {9, 9, 9, 9}, push[4] = {5};
    weft_runner_options_init(&o);
    o.access = refuse_all;
    o.context = &seen;
    assert_int_equal(weft_runner_new((const weft_program *[]){p}, 1, &o, NULL, &r), WEFT_OK);
    assert_int_equal(weft_runner_bind_buffer(r, 0, buffer, sizeof buffer, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_constants(r, 15, push, sizeof push, NULL), WEFT_OK);
    assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, NULL), WEFT_OK);
    assert_int_equal(buffer[0], 9);
    assert_int_equal(seen, 1 + 1 + 8); /* s[] is one access for all threads */
    weft_runner_free(r);
    weft_program_free(p);
}

/* A load of the scalar core is one access, and so is its refusal. */
struct scalar_log {
    unsigned accesses, constants;
    bool refuse;
};

static weft_answer on_scalar(void *context, weft_step *step, const weft_access *a)
{
    struct scalar_log *log = context;
    (void)step;
    log->accesses++;
    log->constants += a->reads && a->address == 0x80000008 && a->size == 4;
    return log->refuse && a->reads ? WEFT_REFUSE : WEFT_GO_ON;
}

static void scalar_accesses_are_one(void **state)
{
    (void)state;
    for (int refuse = 0; refuse < 2; refuse++) {
        struct scalar_log log = {.refuse = refuse};
        uint32_t memory[4] = {1, 2, 30, 4};
        weft_runner_options o;
        weft_runner_options_init(&o);
        o.access = on_scalar;
        o.context = &log;
        weft_program *p = make_text("vpu", NULL, WEFT_COMPUTE, NULL, "ld r2, (r0+8)\nadd r2, 1\nst r2, (r0+12)\nrts\n");
        weft_runner *r = make_runner(p, &o);
        assert_int_equal(weft_runner_bind_buffer(r, 0, memory, sizeof memory, NULL), WEFT_OK);
        assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, NULL), WEFT_OK);
        assert_int_equal(memory[3], refuse ? 1 : 31);
        assert_int_equal(log.accesses, 2);
        assert_int_equal(log.constants, 1);
        weft_runner_free(r);
        weft_program_free(p);
    }
}

/* Atomics, shared memory, a loop that lanes leave one after the other, a condition. */
struct mixed_log {
    unsigned shared, buffers, atomics, lanes[64];
};

static weft_answer on_mixed(void *context, weft_step *step, const weft_access *a)
{
    struct mixed_log *log = context;
    (void)step;
    log->shared += a->space == WEFT_SPACE_SHARED;
    log->buffers += a->space == WEFT_SPACE_BUFFER;
    log->atomics += a->reads && a->writes;
    log->lanes[a->lane & 63]++;
    return a->reads && a->writes && a->lane == 5 ? WEFT_REFUSE : WEFT_GO_ON;
}

static weft_answer count_loop(void *context, weft_step *step)
{
    struct mixed_log *log = context;
    (void)log;
    return weft_step_lanes(step) ? WEFT_GO_ON : WEFT_STOP;
}

static void loops_and_atomics(void **state)
{
    (void)state;
    static const char text[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\n"
                               "DCL MEMORY[0], SHARED\nDCL TEMP[0..2]\nIMM[0] UINT32 {0, 1, 2, 4}\n"
                               "MOV TEMP[0].x, IMM[0].xxxx\n"
                               "BGNLOOP\nUSGE TEMP[1].x, TEMP[0].xxxx, SV[0].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\n"
                               "ATOMUADD TEMP[2].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
                               "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\n"
                               "SHL TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\n"
                               "STORE MEMORY[0].x, TEMP[1].xxxx, SV[0].xxxx\nBARRIER\n"
                               "LOAD TEMP[2].x, MEMORY[0], TEMP[1].xxxx\n"
                               "UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].wwww\nSTORE BUFFER[0].x, TEMP[1].xxxx, "
                               "TEMP[2].xxxx\nEND\n";
    struct mixed_log log = {0};
    uint32_t memory[9] = {0};
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.access = on_mixed;
    o.instruction = count_loop;
    o.context = &log;
    weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, text);
    weft_runner *r = make_runner(p, &o);
    assert_int_equal(weft_runner_bind_buffer(r, 0, memory, sizeof memory, NULL), WEFT_OK);
    assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, NULL), WEFT_OK);
    assert_int_equal(memory[0], 0 + 1 + 2 + 3 + 4 + 6 + 7); /* lane n adds n times, but for lane 5 */
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(memory[1 + i], i);
    assert_int_equal(log.atomics, 28);
    assert_int_equal(log.shared, 16);
    assert_int_equal(log.buffers, 28 + 8);
    assert_int_equal(log.lanes[7], 7 + 3);
    weft_runner_free(r);
    weft_program_free(p);
}

/* ---- draws ---- */

struct draw_log {
    unsigned vertices[8], fragments[4][4], others;
};

static weft_answer on_draw(void *context, weft_step *step)
{
    struct draw_log *log = context;
    if (strncmp(weft_step_text(step), "END", 3) != 0)
        return WEFT_GO_ON;
    for (unsigned lane = 0; lane < 64; lane++) {
        weft_invocation i = {.size = sizeof i};
        if (!(weft_step_lanes(step) >> lane & 1) || weft_step_invocation(step, lane, &i) != WEFT_OK)
            continue;
        if (weft_step_stage(step) == WEFT_VERTEX && i.number < 8)
            log->vertices[i.number]++;
        else if (weft_step_stage(step) == WEFT_FRAGMENT && i.x < 4 && i.y < 4 && i.number == i.y * 4 + i.x)
            log->fragments[i.y][i.x]++;
        else
            log->others++;
    }
    return WEFT_GO_ON;
}

static void draws_are_shown(void **state)
{
    (void)state;
    static const char vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n",
                      fragment[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n";
    static const float corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    for (int lower = 0; lower < 2; lower++) {
        char text[200];
        struct draw_log log = {{0}, {{0}}, 0};
        _Alignas(16) uint32_t pixels[16] = {0};
        weft_runner_options o;
        weft_runner_options_init(&o);
        o.instruction = on_draw;
        o.context = &log;
        snprintf(text, sizeof text, "FRAG\n%s%s", lower ? "PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n" : "", fragment + 5);
        weft_program *v = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, vertex),
                     *f = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, text);
        const weft_program *list[2] = {v, f};
        weft_runner *r;
        assert_int_equal(weft_runner_new(list, 2, &o, NULL, &r), WEFT_OK);
        weft_image i = {.kind = WEFT_IMAGE_2D,
                        .format = "R8G8B8A8_UNORM",
                        .width = 4,
                        .height = 4,
                        .memory = pixels,
                        .bytes = sizeof pixels};
        assert_int_equal(weft_runner_bind_target(r, 0, &i, NULL), WEFT_OK);
        assert_int_equal(weft_runner_bind_attribute(r, 0, "R32G32_SFLOAT", corners, sizeof corners, 8, 0, NULL),
                         WEFT_OK);
        weft_draw_call call;
        weft_draw_call_init(&call);
        call.topology = WEFT_TRIANGLE_STRIP;
        call.vertex_count = 4;
        call.scissor[1] = 1; /* rows 1 to 3 */
        call.scissor[2] = 4;
        call.scissor[3] = 3;
        assert_int_equal(weft_runner_draw(r, &call, NULL), WEFT_OK);
        for (unsigned n = 0; n < 16; n++) {
            assert_int_equal(pixels[n], n < 4 ? 0 : 0xffffffff);
            assert_true(n < 4 || log.fragments[n / 4][n % 4] > 0);
        }
        for (unsigned n = 0; n < 8; n++)
            assert_int_equal(log.vertices[n], n < 4);
        weft_runner_free(r);
        weft_program_free(v);
        weft_program_free(f);
    }
}

/* ---- hooks change nothing ---- */

struct counts {
    unsigned steps, accesses;
};

static weft_answer count_step(void *context, weft_step *step)
{
    ((struct counts *)context)->steps += *weft_step_text(step) != 0;
    return WEFT_GO_ON;
}

static weft_answer count_access(void *context, weft_step *step, const weft_access *a)
{
    (void)step;
    ((struct counts *)context)->accesses += a->size > 0;
    return WEFT_GO_ON;
}

static weft_program *read_example(const char *name)
{
    char path[500], text[20000];
    snprintf(path, sizeof path, "%s/examples/tgsi/%s.tgsi", WEFT_SOURCE_ROOT, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, text);
}

/* A picture of an example, which has constants and textures of all numbers. */
static void draw_example(const weft_program *list[2], const weft_runner_options *o, float *pixels, size_t bytes,
                         weft_run_stats *stats)
{
    static const float corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    static float texels[8 * 8 * 4], constants[256];
    weft_texture *t;
    weft_runner *r;
    for (unsigned i = 0; i < 256; i++)
        texels[i] = constants[i] = (float)(i % 37) / 16.0f;
    assert_int_equal(weft_texture_new(WEFT_RGBA32_SFLOAT, 8, 8, texels, 1, &t), WEFT_OK);
    assert_int_equal(weft_runner_new(list, 2, o, NULL, &r), WEFT_OK);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(weft_runner_bind_texture(r, i, t, NULL), WEFT_OK);
        assert_int_equal(weft_runner_bind_constants(r, i, constants, sizeof constants, NULL), WEFT_OK);
    }
    weft_image i = {.kind = WEFT_IMAGE_2D,
                    .format = "R32G32B32A32_SFLOAT",
                    .width = 24,
                    .height = 16,
                    .memory = pixels,
                    .bytes = bytes};
    assert_int_equal(weft_runner_bind_target(r, 0, &i, NULL), WEFT_OK);
    assert_int_equal(weft_runner_bind_attribute(r, 0, "R32G32_SFLOAT", corners, sizeof corners, 8, 0, NULL), WEFT_OK);
    weft_draw_call call;
    weft_draw_call_init(&call);
    call.topology = WEFT_TRIANGLE_STRIP;
    call.vertex_count = 4;
    call.clear = 1;
    assert_int_equal(weft_runner_draw(r, &call, NULL), WEFT_OK);
    stats->size = sizeof *stats;
    assert_int_equal(weft_runner_get_stats(r, stats), WEFT_OK);
    weft_runner_free(r);
    weft_texture_free(t);
}

static void hooks_change_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"blur",   "flat",  "gradient", "hash",     "julia",  "mandelbrot", "noise",
                                        "plasma", "phong", "raymarch", "textured", "tunnel", "voronoi"};
    static const char vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], "
                                 "GENERIC[1]\nDCL OUT[3], GENERIC[2]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nMOV "
                                 "OUT[2], IN[0]\nMOV OUT[3], IN[0]\nEND\n";
    _Alignas(16) static float plain[24 * 16 * 4], hooked[24 * 16 * 4];
    weft_program *v = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, vertex);
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
        struct counts counts = {0, 0};
        weft_run_stats a, b;
        weft_program *f = read_example(names[n]);
        const weft_program *list[2] = {f, v};
        weft_runner_options o;
        weft_runner_options_init(&o);
        draw_example(list, &o, plain, sizeof plain, &a);
        o.instruction = count_step;
        o.access = count_access;
        o.context = &counts;
        draw_example(list, &o, hooked, sizeof hooked, &b);
        assert_memory_equal(plain, hooked, sizeof plain);
        assert_int_equal(a.fragments, 24 * 16);
        assert_int_equal(b.fragments, 24 * 16);
        assert_true(counts.steps > 0);
        weft_program_free(f);
    }
    weft_program_free(v);
}

/* ---- registers of all widths, invocations of all sizes ---- */

struct all_registers {
    const struct kernel *k;
    struct test_rng r;
    unsigned files, widths; /* how many there were; bit n: some of n bits, bit 63 of 64 */
    bool wrong;
};

static uint64_t width_mask(uint32_t bits) { return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX; }

/* A number to a register of a lane: that lane has its low bits, the others and the next register what they had. */
static void try_register(struct all_registers *a, weft_step *step, const weft_register_file *f, uint32_t number)
{
    unsigned lane = test_next(&a->r) % a->k->width, other = (lane + 1) % a->k->width;
    uint64_t value = test_next64(&a->r), was[3] = {0}, is[3] = {0};
    uint32_t next = (number + 1) % f->count;
    bool fine = weft_step_read(step, f->name, number, lane, &was[0]) == WEFT_OK &&
                weft_step_read(step, f->name, number, other, &was[1]) == WEFT_OK &&
                weft_step_read(step, f->name, next, lane, &was[2]) == WEFT_OK &&
                weft_step_write(step, f->name, number, lane, value) == WEFT_OK &&
                weft_step_read(step, f->name, number, lane, &is[0]) == WEFT_OK &&
                weft_step_read(step, f->name, number, other, &is[1]) == WEFT_OK &&
                weft_step_read(step, f->name, next, lane, &is[2]) == WEFT_OK &&
                weft_step_write(step, f->name, number, lane, was[0]) == WEFT_OK;
    bool alone = f->per_warp || other == lane ? is[1] == is[0] : is[1] == was[1];
    if (!fine || is[0] != (value & width_mask(f->bits)) || !alone || (next != number && is[2] != was[2])) {
        printf("# %s, %s[%u] of lane %u\n", a->k->isa, f->name, number, lane);
        a->wrong = true;
    }
}

static weft_answer try_registers(void *context, weft_step *step)
{
    struct all_registers *a = context;
    weft_register_file f = {.size = sizeof f};
    size_t i = 0;
    for (; weft_step_register_file(step, i, &f); i++) {
        uint64_t value;
        for (unsigned n = 0; n < 8; n++)
            try_register(a, step, &f, n < 2 ? n * (f.count - 1) : test_next(&a->r) % f.count);
        a->wrong = a->wrong || weft_step_read(step, f.name, f.count, 0, &value) != WEFT_ERROR_USAGE ||
                   weft_step_write(step, f.name, f.count, 0, 1) != WEFT_ERROR_USAGE ||
                   weft_step_read(step, f.name, 0, 64, &value) != WEFT_ERROR_USAGE;
        a->widths |= f.bits == 1 ? 1 : f.bits == 8 ? 2 : f.bits == 32 ? 4 : f.bits == 64 ? 8 : 16;
    }
    a->files = (unsigned)i;
    return WEFT_GO_ON;
}

static void registers_have_what_is_written(void **state)
{
    (void)state;
    unsigned widths = 0;
    for
        EACH_KERNEL(k)
        {
            struct all_registers a = {.k = k, .r = test_seed(k->isa)};
            uint32_t in[WORDS], out[WORDS] = {0};
            for (uint32_t i = 0; i < WORDS; i++)
                in[i] = 1000 * i + 7;
            weft_runner_options o;
            weft_runner_options_init(&o);
            o.instruction = try_registers;
            o.context = &a;
            weft_program *p = make_kernel(k);
            weft_runner *r = make_runner(p, &o);
            assert_int_equal(weft_runner_bind_buffer(r, 0, in, sizeof in, NULL), WEFT_OK);
            assert_int_equal(weft_runner_bind_buffer(r, 1, out, sizeof out, NULL), WEFT_OK);
            assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, NULL), WEFT_OK);
            assert_false(a.wrong);
            assert_true(a.files > 0);
            for (unsigned i = 0; i < k->width; i++) /* all is as it was */
                assert_int_equal(out[i], 3 * in[i] + 5);
            widths |= a.widths;
            weft_runner_free(r);
            weft_program_free(p);
        }
    assert_int_equal(widths, 15);
}

struct grid {
    uint32_t groups[3], block[3], seen[4096];
    bool wrong;
};

static weft_answer look_at_grid(void *context, weft_step *step)
{
    struct grid *g = context;
    for (unsigned lane = 0; lane < 66; lane++) {
        weft_invocation i = {.size = sizeof i};
        bool there = lane < 64 && (weft_step_lanes(step) >> lane & 1);
        if ((weft_step_invocation(step, lane, &i) == WEFT_OK) != there)
            g->wrong = true;
        if (!there)
            continue;
        uint64_t group = ((uint64_t)i.group[2] * g->groups[1] + i.group[1]) * g->groups[0] + i.group[0];
        uint64_t local = ((uint64_t)i.local[2] * g->block[1] + i.local[1]) * g->block[0] + i.local[0];
        for (unsigned c = 0; c < 3; c++)
            g->wrong = g->wrong || i.group[c] >= g->groups[c] || i.local[c] >= g->block[c];
        g->wrong = g->wrong || i.number != group * g->block[0] * g->block[1] * g->block[2] + local || i.number >= 4096;
        if (!g->wrong)
            g->seen[i.number]++;
    }
    return WEFT_GO_ON;
}

/* Of workgroups whose size the program says, and of those whose size the caller gives. */
static void invocations_of_all_sizes(void **state)
{
    (void)state;
    static const char plain[] = "COMP\nDCL SV[0], THREAD_ID\nDCL TEMP[0]\nMOV TEMP[0], SV[0]\nEND\n";
    static const struct {
        uint32_t groups[3], block[3];
    } cases[] = {{{1, 1, 1}, {1, 1, 1}}, {{3, 1, 1}, {64, 1, 1}}, {{2, 3, 4}, {5, 2, 3}},
                 {{1, 5, 2}, {3, 1, 40}}, {{4, 1, 3}, {1, 70, 1}}, {{2, 2, 2}, {9, 9, 1}}};
    for (unsigned n = 0; n < 2 * sizeof cases / sizeof cases[0]; n++) {
        static struct grid g;
        char text[300];
        memset(&g, 0, sizeof g);
        memcpy(g.groups, cases[n / 2].groups, sizeof g.groups);
        memcpy(g.block, cases[n / 2].block, sizeof g.block);
        weft_runner_options o;
        weft_runner_options_init(&o);
        o.instruction = look_at_grid;
        o.context = &g;
        snprintf(text, sizeof text, "%s", plain);
        if (n % 2)
            snprintf(text, sizeof text,
                     "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH %u\nPROPERTY CS_FIXED_BLOCK_HEIGHT %u\n"
                     "PROPERTY CS_FIXED_BLOCK_DEPTH %u\n%s",
                     g.block[0], g.block[1], g.block[2], plain + 5);
        else
            memcpy(o.block, g.block, sizeof o.block);
        weft_program *p = make_text("tgsi", NULL, WEFT_STAGE_NONE, NULL, text);
        weft_runner *r = make_runner(p, &o);
        assert_int_equal(weft_runner_dispatch(r, g.groups[0], g.groups[1], g.groups[2], NULL), WEFT_OK);
        assert_false(g.wrong);
        uint32_t count = g.groups[0] * g.groups[1] * g.groups[2] * g.block[0] * g.block[1] * g.block[2];
        for (uint32_t i = 0; i < 4096; i++)
            assert_int_equal(g.seen[i], i < count ? 2 : 0); /* two instructions */
        weft_runner_free(r);
        weft_program_free(p);
    }
}

/* ---- accesses with conditions of their own ---- */

struct some_lanes {
    uint64_t asked, refused;
    bool wrong;
};

static weft_answer refuse_some(void *context, weft_step *step, const weft_access *a)
{
    struct some_lanes *s = context;
    if (a->space != WEFT_SPACE_BUFFER)
        return WEFT_GO_ON;
    s->wrong = s->wrong || (s->asked >> a->lane & 1) || !(weft_step_lanes(step) >> a->lane & 1);
    s->asked |= UINT64_C(1) << a->lane;
    return s->refused >> a->lane & 1 ? WEFT_REFUSE : WEFT_GO_ON;
}

/* Lanes whose condition does not hold are not asked, and do nothing whatever the answer of others is. */
static void conditions_of_accesses(void **state)
{
    (void)state;
    static const char text[] = "cvt u32 $r0 u16 $r0l\nmov b32 $r1 0x1\nand b32 $c0 # $r0 $r1\nshl b32 $r2 $r0 0x2\n"
                               "mov b32 $r3 0x7\n(lg $c0) st b32 g1[$r2] $r3\nexit nop\n";
    for (unsigned n = 0; n < 20; n++) {
        struct some_lanes s = {.refused = n * UINT64_C(0x9e3779b97f4a7c15)};
        uint32_t out[64] = {0};
        weft_runner_options o;
        weft_runner_options_init(&o);
        o.access = refuse_some;
        o.context = &s;
        weft_program *p = make_text("tesla", "gt215", WEFT_COMPUTE, "block 32\n", text);
        weft_runner *r = make_runner(p, &o);
        assert_int_equal(weft_runner_bind_buffer(r, 1, out, sizeof out, NULL), WEFT_OK);
        assert_int_equal(weft_runner_dispatch(r, 1, 1, 1, NULL), WEFT_OK);
        assert_false(s.wrong);
        assert_int_equal(s.asked, 0xaaaaaaaa); /* odd ones */
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(out[i], i < 32 && i % 2 && !(s.refused >> i & 1) ? 7 : 0);
        weft_runner_free(r);
        weft_program_free(p);
    }
}

TEST_MAIN(TEST(instructions_are_shown), TEST(instructions_of_bytes_have_texts), TEST(registers_are_changed),
          TEST(accesses_are_shown_and_refused), TEST(runs_are_stopped), TEST(accesses_stop_runs),
          TEST(registers_begin_as_zero), TEST(wrong_questions_are_refused), TEST(scalar_accesses_are_one),
          TEST(loops_and_atomics), TEST(draws_are_shown), TEST(hooks_change_nothing),
          TEST(registers_have_what_is_written), TEST(invocations_of_all_sizes), TEST(conditions_of_accesses),
          TEST(beginnings_are_no_accesses))
