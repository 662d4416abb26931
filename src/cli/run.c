/* run.c - weft run: jobs in AmberScript, and compute programs without one (run_shader.c). */
#include "cli/json.h"
#include "cli/limits.h"
#include "cli/list.h"
#include "cli/run_shader.h"

#include <weft/job.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_THREADS = 256, KEY_DUMP, KEY_JSON, KEY_BUDGET, KEY_CPU, KEY_TRACE, KEY_TRACE_AT, KEY_TRACE_ID, KEY_STRICT,
       KEY_ENGINE, KEY_STATS, KEY_FILES_FROM, KEY_BUFFER, KEY_DUMP_BUFFER, KEY_TEXTURE, KEY_IMAGE,
       KEY_DUMP_IMAGE, KEY_UNIFORM, KEY_GROUPS, KEY_CONST, KEY_LINKAGE };
enum { MOST_DUMPS = 64 };

struct dump {
    const char *buffer, *file;
    size_t length; /* of the buffer's name */
    weft_dump_format format;
};

struct run_args {
    struct list_args list;
    weft_job_params params;
    struct dump dumps[MOST_DUMPS];
    size_t ndumps;
    bool json, stats;
    const char *trace;
    const char *job_option; /* the first option that is about jobs; NULL: there was none */
    struct run_shader shader;
};

static const struct cli_option options[] = {
    CLI_TARGET_OPTIONS_OF("SHADER: compute, which it always is"),
    CLI_COMPILE_OPTIONS,
    CLI_PACK_OPTION,
    {KEY_BUFFER, "buffer", "N=FILE", "SHADER: buffer N, or NAME, holds what the file does; N=SIZE:zero: zero bytes",
     true},
    {KEY_DUMP_BUFFER, "dump-buffer", "N=FILE", "SHADER: write buffer N, or NAME, to a file when it has run", true},
    {KEY_IMAGE, "image", "N=WxH", "SHADER: image N, or NAME: zeros of that size, or FILE.png; then :FORMAT", true},
    {KEY_DUMP_IMAGE, "dump-image", "N=FILE", "SHADER: write image N, or NAME, to FILE.png or FILE.raw when it has run",
     true},
    {KEY_TEXTURE, "texture", "N=FILE.png", "SHADER: texture N, or NAME; then words as for weft draw", true},
    {KEY_UNIFORM, "uniform", "NAME=V[,V...]", "SHADER: a uniform or push constant of GLSL, HLSL or SPIR-V", true},
    {KEY_GROUPS, "groups", "X[,Y[,Z]]", "SHADER: how many workgroups there are (default: 1,1,1)"},
    {KEY_CONST, "const", "[N=]FILE", "SHADER: constant buffer N (default: 0): a line \"x y z w\" for each vector",
     true},
    {KEY_LINKAGE, "linkage", "FILE", "SHADER: how its inputs and buffers meet registers"},
    {KEY_DUMP, "dump", "BUFFER=FILE",
     "write a buffer when the job is done: FILE.png, FILE.raw (little endian) or FILE.csv", true},
    {KEY_JSON, "json", NULL, "report every expectation and diagnostic as JSON on standard output"},
    {KEY_THREADS, "threads", "N", "threads (default: one for each processor): the same results for any number"},
    {KEY_BUDGET, "budget", "N", "stop a warp that has run N instructions (default: 4194304; 0: no limit)"},
    {KEY_CPU, "cpu", "LEVEL", "best (default), baseline, avx2 or avx512: the same bits, another speed"},
    {KEY_ENGINE, "engine", "ENGINE", CLI_ENGINE_HELP},
    {KEY_FILES_FROM, "files-from", "DIR",
     "the folder, at any depth, of files that a job names (default: the job's own)"},
    {KEY_STATS, "stats", NULL, "say on standard error what draws and dispatches took"},
    {KEY_TRACE, "trace", "FILE",
     "write a line of JSON for each instruction of the invocation chosen by one of the next two"},
    {KEY_TRACE_AT, "trace-at", "X,Y", "fragments of this pixel, counted from row 0"},
    {KEY_TRACE_ID, "trace-id", "N", "vertex N, or invocation N of a dispatch, counted workgroup by workgroup"},
    LIST_FILES_OPTION,
    LIST_RESUME_OPTION,
    {KEY_STRICT, "strict", NULL,
     "stop when the result of an asynchronous load is read before the program waits for it"},
    {0},
};

/* ---- arguments ---- */

static bool take_dump(struct run_args *r, const struct cli_args *a)
{
    static const char *const endings[] = {[WEFT_DUMP_RAW] = ".raw", [WEFT_DUMP_PNG] = ".png", [WEFT_DUMP_CSV] = ".csv"};
    const char *equals = strchr(a->value, '=');
    struct dump *d = &r->dumps[r->ndumps];
    if (!equals || equals == a->value || !equals[1]) {
        cli_wrong(a->command, "--dump is BUFFER=FILE, not '%s'", a->value);
        return false;
    }
    if (r->ndumps == MOST_DUMPS) {
        cli_wrong(a->command, "--dump can be given %d times", MOST_DUMPS);
        return false;
    }
    *d = (struct dump){a->value, equals + 1, (size_t)(equals - a->value), WEFT_DUMP_RAW};
    for (int i = 0; i < 3; i++)
        if (cli_ends(d->file, endings[i])) {
            d->format = (weft_dump_format)i;
            r->ndumps++;
            return true;
        }
    cli_wrong(a->command, "--dump writes .png, .raw or .csv: '%s' ends in another way", d->file);
    return false;
}

static bool take_cpu(struct run_args *r, const struct cli_args *a)
{
    static const char *const names[] = {[WEFT_CPU_BEST] = "best",
                                        [WEFT_CPU_BASELINE] = "baseline",
                                        [WEFT_CPU_AVX2] = "avx2",
                                        [WEFT_CPU_AVX512] = "avx512"};
    for (int i = 0; i < 4; i++)
        if (strcmp(a->value, names[i]) == 0) {
            r->params.cpu_level = (weft_cpu_level)i;
            return true;
        }
    cli_wrong(a->command, "--cpu is best, baseline, avx2 or avx512, not '%s'", a->value);
    return false;
}

static bool take_number(const struct cli_args *a, const char *name, uint64_t least, uint64_t most, uint64_t *n)
{
    if (cli_number(a->value, least, most, n))
        return true;
    cli_wrong(a->command, "--%s is a number from %llu to %llu, not '%s'", name, (unsigned long long)least,
              (unsigned long long)most, a->value);
    return false;
}

/* One invocation or one pixel. */
static bool take_selector(struct run_args *r, const struct cli_args *a, weft_trace kind)
{
    if (r->params.trace != WEFT_TRACE_NONE && r->params.trace != kind) {
        cli_wrong(a->command,
                  "--trace-at and --trace-id do not go together: a trace is of a pixel or of an invocation");
        return false;
    }
    r->params.trace = kind;
    return true;
}

static bool take_pixel(struct run_args *r, const struct cli_args *a)
{
    char x[16];
    const char *comma = strchr(a->value, ',');
    uint64_t column, row;
    if (!take_selector(r, a, WEFT_TRACE_PIXEL))
        return false;
    snprintf(x, sizeof x, "%.*s", comma ? (int)(comma - a->value) : 0, a->value);
    if (comma && comma - a->value < (int)sizeof x && cli_number(x, 0, UINT32_MAX, &column) &&
        cli_number(comma + 1, 0, UINT32_MAX, &row)) {
        r->params.trace_x = (uint32_t)column;
        r->params.trace_y = (uint32_t)row;
        return true;
    }
    cli_wrong(a->command, "--trace-at is X,Y, not '%s'", a->value);
    return false;
}

/* Options of a program without a job. */
static bool take_shader(struct run_shader *s, const struct cli_args *a, int key)
{
    switch (key) {
    case KEY_BUFFER:
        s->asked = "--buffer";
        return run_take_buffer(s, a);
    case KEY_DUMP_BUFFER:
        s->asked = "--dump-buffer";
        return run_take_dump_buffer(s, a);
    case KEY_IMAGE:
        s->asked = "--image";
        return run_take_image(s, a);
    case KEY_DUMP_IMAGE:
        s->asked = "--dump-image";
        return run_take_dump_image(s, a);
    case KEY_TEXTURE:
        s->asked = "--texture";
        return run_take_texture(s, a);
    case KEY_UNIFORM:
        s->asked = "--uniform";
        return run_take_uniform(s, a);
    case KEY_GROUPS:
        s->asked = "--groups";
        return run_take_groups(s, a);
    case KEY_CONST:
        s->asked = "--const";
        return run_take_constants(s, a);
    case KEY_LINKAGE:
        s->asked = "--linkage";
        s->linkage = a->value;
        return true;
    default:
        s->asked = cli_target_option(key);
        return cli_take_target(&s->target, a, key);
    }
}

static bool is_shader_option(int key)
{
    return key == 'i' || key == 'm' || key == 's' || key == 'D' || key == 'I' || key == CLI_COMMON ||
           key == CLI_ENTRY || key == CLI_PACK || (key >= KEY_BUFFER && key <= KEY_LINKAGE);
}

/* Options of jobs alone. */
static const char *job_option(int key)
{
    switch (key) {
    case KEY_DUMP:
        return "--dump";
    case KEY_JSON:
        return "--json";
    case KEY_TRACE:
        return "--trace";
    case KEY_TRACE_AT:
        return "--trace-at";
    case KEY_TRACE_ID:
        return "--trace-id";
    case KEY_FILES_FROM:
        return "--files-from";
    case LIST_FILES:
        return "--list";
    case LIST_RESUME:
        return "--resume";
    default:
        return NULL;
    }
}

static bool take(struct run_args *r, const struct cli_args *a, int key)
{
    uint64_t n = 0;
    if (is_shader_option(key))
        return take_shader(&r->shader, a, key);
    r->job_option = r->job_option ? r->job_option : job_option(key);
    switch (key) {
    case KEY_DUMP:
        return take_dump(r, a);
    case KEY_JSON:
        r->json = true;
        return true;
    case KEY_THREADS:
        if (!take_number(a, "threads", 1, WEFT_MAX_THREADS, &n))
            return false;
        r->params.threads = (uint32_t)n;
        return true;
    case KEY_BUDGET:
        return take_number(a, "budget", 0, UINT64_MAX, &r->params.budget);
    case KEY_CPU:
        return take_cpu(r, a);
    case KEY_ENGINE:
        return cli_take_engine(a, &r->params.engine);
    case KEY_STATS:
        r->stats = true;
        return true;
    case KEY_TRACE:
        r->trace = a->value;
        return true;
    case KEY_STRICT:
        r->params.strict = 1;
        return true;
    case KEY_FILES_FROM:
        r->params.files_from = a->value;
        return true;
    case KEY_TRACE_AT:
        return take_pixel(r, a);
    case KEY_TRACE_ID:
        return take_selector(r, a, WEFT_TRACE_INVOCATION) &&
               take_number(a, "trace-id", 0, UINT64_MAX, &r->params.trace_id);
    default:
        return list_take(&r->list, a, key);
    }
}

/* ---- results ---- */

static json_t *json_of_job(const char *path, const weft_job *job, int status, const weft_diags *diags)
{
    json_t *o = json_object(), *list = json_array();
    weft_expectation e;
    for (size_t i = 0; job && weft_job_get_expectation(job, i, &e); i++) {
        json_t *x = json_object();
        json_object_set_new(x, "line", json_integer(e.line));
        json_object_set_new(x, "command", json_of_text(e.command));
        json_object_set_new(x, "passed", json_boolean(e.passed));
        if (!e.passed) {
            json_object_set_new(x, "where", json_of_text(e.where));
            json_object_set_new(x, "found", json_of_text(e.found));
            json_object_set_new(x, "wanted", json_of_text(e.wanted));
        }
        json_array_append_new(list, x);
    }
    json_object_set_new(o, "file", json_of_text(cli_file_name(path)));
    json_object_set_new(o, "status", json_integer(status));
    json_object_set_new(o, "expectations", list);
    json_object_set_new(o, "looked_at", json_integer(job ? (json_int_t)weft_job_expectations(job) : 0));
    json_object_set_new(o, "failed", json_integer(job ? (json_int_t)weft_job_failures(job) : 0));
    json_object_set_new(o, "diagnostics", json_of_diags(diags));
    return o;
}

static int write_dumps(const struct run_args *r, const weft_job *job, weft_diags *diags)
{
    int status = STATUS_FINE;
    for (size_t i = 0; i < r->ndumps && status == STATUS_FINE; i++) {
        const struct dump *d = &r->dumps[i];
        char name[256];
        uint8_t *bytes = NULL;
        size_t size = 0;
        snprintf(name, sizeof name, "%.*s", (int)d->length, d->buffer);
        if (weft_job_dump(job, name, d->format, &bytes, &size, diags) != WEFT_OK)
            status = STATUS_INPUT;
        else
            status = cli_write(d->file, bytes, size);
        weft_free(bytes);
    }
    return status;
}

static void show_stats(FILE *err, const weft_job *job)
{
    weft_job_stats s;
    weft_job_get_stats(job, &s);
    fprintf(err,
            "vertices %" PRIu64 "\nfragments %" PRIu64 "\ninvocations %" PRIu64 "\ninstructions %" PRIu64
            "\ncpu-seconds %.6f\n",
            s.vertices, s.fragments, s.invocations, s.instructions, s.cpu_seconds);
    cli_show_engine(err, &s.engine);
}

static void say_line(FILE *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say_line(FILE *err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    cli_say(err, fmt, ap);
    va_end(ap);
    fputc('\n', err);
}

/* One script, from its file to its results. What would go to standard error goes to `err`. */
static int run_script(const struct run_args *r, const char *path, json_t *results, FILE *err)
{
    struct cli_bytes in;
    weft_diags *diags = cli_kept(weft_diags_new());
    weft_job *job = NULL;
    int status = STATUS_INPUT;
    if (!diags) {
        fputs("weft: out of memory\n", err);
        return status;
    }
    weft_status done = WEFT_ERROR_FILE;
    if (cli_read_for(path, &in, diags))
        done = weft_job_new(in.name, in.data, in.size, diags, &job);
    if (done == WEFT_OK)
        done = weft_job_run(job, &r->params, diags);
    status = cli_status(done);
    /* What ran until an error is worth a look too; where the machine failed it is not what the job says. */
    bool whole = done != WEFT_ERROR_MEMORY && done != WEFT_ERROR_FILE;
    if (job && r->ndumps && whole) {
        int dumped = write_dumps(r, job, diags);
        status = status == STATUS_FINE ? dumped : status;
    }
    if (job && r->trace && whole) {
        size_t size;
        const char *text = weft_job_trace(job, &size);
        int traced = cli_write(r->trace, text, size);
        status = status == STATUS_FINE ? traced : status;
    }
    if (status == STATUS_FINE && weft_job_failures(job))
        status = STATUS_EXPECTATION;
    if (results)
        json_array_append_new(results, json_of_job(path, job, status, diags));
    else
        cli_report_severity(err, diags, WEFT_NOTE);
    if (!results && status == STATUS_EXPECTATION)
        say_line(err, "%s: %zu of %zu expectations failed", cli_file_name(path), weft_job_failures(job),
                 weft_job_expectations(job));
    if (job && r->stats)
        show_stats(err, job);
    weft_job_free(job);
    weft_diags_free(diags);
    free(in.data);
    return status;
}

/* False, having said so, when a dump or the trace would replace the job. There is a single job where there are any. */
static bool job_kept(const struct run_args *r, const char *job)
{
    for (size_t i = 0; i < r->ndumps; i++)
        if (!cli_distinct(&command_run, job, r->dumps[i].file))
            return false;
    return cli_distinct(&command_run, job, r->trace);
}

/* A program, with what was said about jobs and programs alike. */
static int run_program(struct run_args *r, const char *path)
{
    r->shader.options.threads = r->params.threads;
    r->shader.options.budget = r->params.budget;
    r->shader.options.cpu_level = r->params.cpu_level;
    r->shader.options.engine = r->params.engine;
    r->shader.options.seconds = r->params.seconds;
    r->shader.target.strict = r->params.strict;
    r->shader.stats = r->stats;
    return run_shader(&r->shader, path);
}

/* ---- the list ---- */

static bool is_program(const struct run_args *r)
{
    return run_is_shader(&r->shader, r->list.noperands ? r->list.operands[0] : NULL);
}

/* What goes together; STATUS_FINE: all does. */
static int check_options(const struct run_args *r)
{
    bool several = r->list.noperands > 1 || r->list.list;
    const char *first = r->list.noperands ? r->list.operands[0] : r->list.list;
    if (!first)
        return cli_wrong(&command_run, "which job? Give at least one file");
    if (is_program(r)) {
        if (r->job_option)
            return cli_wrong(&command_run, "%s is for jobs, and '%s' is a program", r->job_option, first);
        if (several)
            return cli_wrong(&command_run, "one program at a time");
        weft_stage stage = r->shader.target.isa ? WEFT_STAGE_NONE : weft_stage_of_file(first);
        if (stage == WEFT_STAGE_NONE || stage == WEFT_COMPUTE)
            return STATUS_FINE;
        return cli_wrong(&command_run, "'%s' is a %s shader, and here compute shaders run%s", first,
                         weft_stage_name(stage), stage == WEFT_FRAGMENT ? ": 'weft draw' draws it" : "");
    }
    if (r->shader.asked)
        return cli_wrong(&command_run, "%s is for a program, and '%s' is a job; -i ISA says that it is a program",
                         r->shader.asked, first);
    if (!r->trace != !r->params.trace)
        return cli_wrong(&command_run, "--trace FILE goes with --trace-at X,Y or --trace-id N");
    if (r->trace && several)
        return cli_wrong(&command_run, "--trace is for a single job");
    if (r->ndumps && several)
        return cli_wrong(&command_run, "--dump is for a single job");
    if (r->list.resume && (r->ndumps || r->trace))
        return cli_wrong(&command_run, "--resume does not go with --dump and --trace");
    return job_kept(r, first) ? STATUS_FINE : STATUS_USAGE;
}

static bool parse(void *state, int argc, char **argv, int *status)
{
    struct run_args *r = state;
    struct cli_args a = {.command = &command_run, .argc = argc, .argv = argv};
    r->shader.target.stage = WEFT_STAGE_NONE;
    for (int i = 0; i < 3; i++)
        r->shader.groups[i] = 1;
    weft_job_params_init(&r->params);
    weft_runner_options_init(&r->shader.options);
    *status = STATUS_USAGE;
    for (int key; (key = cli_next(&a)) != OPTION_END;) {
        if (key == OPTION_STOP)
            *status = a.status;
        if (key == OPTION_STOP || !take(r, &a, key))
            return false;
    }
    r->params.seconds = limits_seconds();
    r->params.memory = limits_memory();
    r->params.engine = limits_engine(r->params.engine);
    r->list.operands = argv + cli_operands(&a);
    r->list.noperands = argc - cli_operands(&a);
    *status = check_options(r);
    return *status == STATUS_FINE;
}

/* Programs, and jobs of which files are written, are done one at a time. */
static bool is_list(const void *state)
{
    const struct run_args *r = state;
    return !is_program(r) && !r->ndumps && !r->trace;
}

static int run_alone(void *state)
{
    struct run_args *r = state;
    if (is_program(r))
        return run_program(r, r->list.operands[0]);
    json_t *results = r->json ? json_array() : NULL;
    int status = run_script(r, r->list.operands[0], results, stderr);
    return results ? result_worse(status, json_show(results)) : status;
}

static int open_jobs(void *state, struct list_items *items)
{
    const struct run_args *r = state;
    return list_open_files(&r->list, items);
}

static void run_jobs(const void *state, const struct list_range *range, struct list_result *result)
{
    const struct run_args *r = state;
    struct result_streams s;
    if (!result_open(result, &s))
        return;
    json_t *results = r->json ? json_array() : NULL;
    const char *path = range->text;
    for (size_t i = 0; i < range->count; i++, path += strlen(path) + 1)
        result->status = result_worse(result->status, run_script(r, path, results, s.err));
    if (results)
        json_put_elements(results, JSON_INDENT(1), s.data);
    json_decref(results);
    result_close(result, &s);
}

/* One job: with what it writes, or as the single item of a list. Others have not our standard input. */
static bool is_shared(const void *state)
{
    const struct run_args *r = state;
    return !is_program(r) && r->list.noperands == 1 && !r->list.list && !r->list.resume && !r->trace &&
           strcmp(r->list.operands[0], "-") != 0;
}

static int run_shared(void *state, struct weft_job_share *share, bool leads)
{
    struct run_args *r = state;
    r->params.share = share;
    if (leads)
        return run_alone(state);
    char *said = NULL;
    size_t size;
    FILE *err = open_memstream(&said, &size);
    if (!err)
        return STATUS_INPUT;
    r->ndumps = 0;
    int status = run_script(r, r->list.operands[0], NULL, err);
    fclose(err);
    free(said);
    return status;
}

static int finish(void *state, const struct list_result *total)
{
    const struct run_args *r = state;
    if (total->stopped) {
        cli_message("out of memory");
        return total->status;
    }
    int shown = r->json ? json_show_elements(total->data.data, total->data.size) : STATUS_FINE;
    return result_worse(total->status, shown);
}

static void use_threads(void *state, uint32_t threads)
{
    struct run_args *r = state;
    if (!r->params.threads)
        r->params.threads = threads;
}

static const struct list_kind list_kind = {
    sizeof(struct run_args), parse,       is_list,   run_alone, open_jobs, run_jobs, list_take_text, finish,
    use_threads,             is_shared,   run_shared,
};

const struct cli_command command_run = {
    "run",
    "JOB.amber... [--dump BUFFER=FILE] [--json] [--threads N] [--budget N] [--cpu LEVEL] [--strict]\n"
    "                [--engine ENGINE] [--stats] [--trace FILE (--trace-at X,Y | --trace-id N)]\n"
    "                [--files-from DIR] [--list FILE] [--resume JOURNAL]\n"
    "       weft run SHADER [-i ISA] [-m CHIP] [--groups X[,Y[,Z]]] [--buffer N=FILE|N=SIZE:zero]\n"
    "                [--image N=WxH|N=FILE.png] [--texture N=FILE.png] [--uniform NAME=V] [--const [N=]FILE]\n"
    "                [--linkage FILE] [--dump-buffer N=FILE] [--dump-image N=FILE.png]",
    "run jobs in AmberScript, or a compute program on buffers and images",
    "A job is a file, or - for standard input: a script in AmberScript, its shaders in the text or bytes of any\n"
    "instruction set; examples/amber has some. Exit status 3: every command ran, and an EXPECT failed; the place,\n"
    "the value found and the one expected go to standard error. SHADER is a compute program of any instruction\n"
    "set, by the extension of its name or -i: it runs on the buffers, images and textures that are given, and\n"
    "--dump-buffer and --dump-image write what it leaves there. GLSL, HLSL and SPIR-V have names for them. With\n"
    ":float, :double, :int or :uint after it the file of a buffer is a text of numbers, such as --dump-buffer 0=-:int.",
    options,
    NULL,
    &list_kind,
};
