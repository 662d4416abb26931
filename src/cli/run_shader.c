/* run_shader.c - see run_shader.h. */
#include "cli/run_shader.h"
#include "cli/constants.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments ---- */

/* What follows "N=" in an option's value; NULL, having said so: there is no such number. */
static const char *take_number(const struct cli_args *a, const char *shape, uint64_t limit, uint64_t *n)
{
    char digits[8];
    size_t length = strspn(a->value, "0123456789");
    const char *rest = a->value + length + 1;
    if (length && length < sizeof digits && a->value[length] == '=' && *rest) {
        memcpy(digits, a->value, length);
        digits[length] = 0;
        *n = strtoull(digits, NULL, 10);
        if (*n < limit)
            return rest;
    }
    cli_wrong(a->command, "%s with N from 0 to %" PRIu64 ", not '%s'", shape, limit - 1, a->value);
    return NULL;
}

bool run_take_buffer(struct run_shader *s, const struct cli_args *a)
{
    char size[32];
    uint64_t n;
    const char *what = take_number(a, "--buffer is N=FILE or N=SIZE:zero", WEFT_RUN_BUFFERS, &n);
    if (!what)
        return false;
    struct run_buffer *b = &s->buffer[n];
    const char *colon = strrchr(what, ':');
    bool zeros = colon && strcmp(colon, ":zero") == 0;
    b->given = true;
    b->file = zeros ? NULL : what;
    if (!zeros)
        return true;
    snprintf(size, sizeof size, "%.*s", (int)(colon - what), what);
    if (colon - what < (int)sizeof size && cli_number(size, 1, RUN_BUFFER_BYTES, &b->zeros))
        return true;
    cli_wrong(a->command, "--buffer N=SIZE:zero has a size of 1 to %d bytes, not '%.*s'", RUN_BUFFER_BYTES,
              (int)(colon - what), what);
    return false;
}

bool run_take_dump_buffer(struct run_shader *s, const struct cli_args *a)
{
    uint64_t n;
    const char *file = take_number(a, "--dump-buffer is N=FILE", WEFT_RUN_BUFFERS, &n);
    if (file)
        s->buffer[n].dump = file;
    return file != NULL;
}

bool run_take_groups(struct run_shader *s, const struct cli_args *a)
{
    const char *at = a->value;
    for (unsigned i = 0; i < 3; i++) {
        char number[16];
        uint64_t n;
        size_t length = strcspn(at, ",");
        snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), at);
        if (!cli_number(number, 1, WEFT_RUN_MAX_GROUPS, &n))
            break;
        s->groups[i] = (uint32_t)n;
        at += length;
        if (!*at)
            return true;
        at++;
    }
    cli_wrong(a->command, "--groups is X[,Y[,Z]], each from 1 to %d, not '%s'", WEFT_RUN_MAX_GROUPS, a->value);
    return false;
}

bool run_take_constants(struct run_shader *s, const struct cli_args *a)
{
    uint64_t n = 0;
    const char *file = a->value;
    size_t digits = strspn(file, "0123456789");
    if (digits && file[digits] == '=')
        file = take_number(a, "--const is FILE or N=FILE", WEFT_RUN_CONSTANTS, &n);
    if (file)
        s->constants[n] = file;
    return file != NULL;
}

bool run_is_shader(const struct run_shader *s, const char *path)
{
    return s->target.isa || weft_isa_of_file(path);
}

/* ---- what is bound ---- */

struct shader_memory {
    struct cli_bytes buffer[WEFT_RUN_BUFFERS];
    uint32_t *constants[WEFT_RUN_CONSTANTS];
};

static void free_memory(struct shader_memory *m)
{
    for (size_t n = 0; n < WEFT_RUN_BUFFERS; n++)
        free(m->buffer[n].data);
    for (size_t n = 0; n < WEFT_RUN_CONSTANTS; n++)
        free(m->constants[n]);
}

static int bind_buffer(const struct run_shader *s, unsigned n, struct cli_bytes *to, weft_runner *r, weft_diags *diags)
{
    const struct run_buffer *b = &s->buffer[n];
    if (b->file && !cli_read(b->file, to))
        return STATUS_INPUT;
    if (!b->file) {
        to->size = (size_t)b->zeros;
        to->data = calloc(1, to->size);
        if (!to->data) {
            cli_message("no memory for buffer %u of %" PRIu64 " bytes", n, b->zeros);
            return STATUS_INPUT;
        }
    }
    return cli_status(weft_runner_bind_buffer(r, n, to->data, to->size, diags));
}

static int bind_constants(const char *file, unsigned n, uint32_t **to, weft_runner *r, weft_diags *diags)
{
    struct cli_bytes in;
    size_t count = 0;
    if (!cli_read(file, &in))
        return STATUS_INPUT;
    weft_status status = constants_parse(&in, to, &count, diags);
    free(in.data);
    if (status == WEFT_OK)
        status = weft_runner_bind_constants(r, n, *to, count * 4, diags);
    return cli_status(status);
}

static int bind_all(const struct run_shader *s, struct shader_memory *m, weft_runner *r, weft_diags *diags)
{
    int status = STATUS_FINE;
    for (unsigned n = 0; n < WEFT_RUN_BUFFERS && status == STATUS_FINE; n++)
        if (s->buffer[n].given)
            status = bind_buffer(s, n, &m->buffer[n], r, diags);
    for (unsigned n = 0; n < WEFT_RUN_CONSTANTS && status == STATUS_FINE; n++)
        if (s->constants[n])
            status = bind_constants(s->constants[n], n, &m->constants[n], r, diags);
    return status;
}

/* ---- the run ---- */

static weft_status load(const struct run_shader *s, const char *path, weft_diags *diags, weft_program **out)
{
    struct cli_bytes in, linkage = {0};
    struct cli_target target = s->target;
    const weft_isa *isa = cli_isa(&target, &command_run, path);
    target.stage = WEFT_COMPUTE;
    if (!isa)
        return WEFT_ERROR_USAGE;
    if (!cli_read(path, &in))
        return WEFT_ERROR_FILE;
    weft_status status = WEFT_ERROR_FILE;
    if (!s->linkage || cli_read(s->linkage, &linkage))
        status = cli_program(&target, isa, &in, s->linkage ? &linkage : NULL, diags, out);
    free(linkage.data);
    free(in.data);
    return status;
}

static void show_stats(const weft_runner *r)
{
    weft_run_stats stats = {.size = sizeof stats};
    weft_engine_stats engine;
    weft_runner_get_stats(r, &stats);
    weft_runner_get_engine(r, &engine);
    fprintf(stderr,
            "invocations %" PRIu64 "\ninstructions %" PRIu64 "\nbad-accesses %" PRIu64
            "\nseconds %.6f\ncpu-seconds %.6f\n",
            stats.invocations, stats.instructions, stats.bad_accesses, stats.seconds, stats.cpu_seconds);
    cli_show_engine(stderr, &engine);
}

static int run_program(const struct run_shader *s, const weft_program *program, weft_diags *diags)
{
    struct shader_memory memory = {0};
    weft_runner *r = NULL;
    int status = cli_status(weft_runner_new(&program, 1, &s->options, diags, &r));
    if (status == STATUS_FINE)
        status = bind_all(s, &memory, r, diags);
    if (status == STATUS_FINE)
        status = cli_status(weft_runner_dispatch(r, s->groups[0], s->groups[1], s->groups[2], diags));
    for (unsigned n = 0; n < WEFT_RUN_BUFFERS && status == STATUS_FINE; n++)
        if (s->buffer[n].dump)
            status = cli_write(s->buffer[n].dump, memory.buffer[n].data, memory.buffer[n].size);
    cli_report(diags);
    if (status == STATUS_FINE && s->stats)
        show_stats(r);
    weft_runner_free(r);
    free_memory(&memory);
    return status;
}

/* False, having said so, when a buffer that is written has no contents, or would replace a file that was read. */
static bool dumps_fit(const struct run_shader *s, const char *path)
{
    for (unsigned n = 0; n < WEFT_RUN_BUFFERS; n++) {
        const char *dump = s->buffer[n].dump;
        if (dump && !s->buffer[n].given) {
            cli_wrong(&command_run, "--dump-buffer %u=%s: give --buffer %u=FILE or %u=SIZE:zero too", n, dump, n, n);
            return false;
        }
        if (!cli_distinct(&command_run, path, dump) || !cli_distinct(&command_run, s->linkage, dump))
            return false;
        for (unsigned k = 0; k < WEFT_RUN_BUFFERS; k++)
            if (!cli_distinct(&command_run, s->buffer[k].file, dump))
                return false;
        for (unsigned k = 0; k < WEFT_RUN_CONSTANTS; k++)
            if (!cli_distinct(&command_run, s->constants[k], dump))
                return false;
    }
    return true;
}

int run_shader(const struct run_shader *s, const char *path)
{
    if (s->target.stage != WEFT_STAGE_NONE && s->target.stage != WEFT_COMPUTE)
        return cli_wrong(&command_run, "SHADER is a compute program: -s can only be compute");
    if (!dumps_fit(s, path))
        return STATUS_USAGE;
    weft_diags *diags = cli_kept(weft_diags_new());
    weft_program *program = NULL;
    if (!diags) {
        cli_message("out of memory");
        return STATUS_INPUT;
    }
    weft_status loaded = load(s, path, diags, &program);
    int status = cli_status(loaded);
    if (loaded == WEFT_OK)
        status = run_program(s, program, diags);
    else
        cli_report(diags);
    weft_program_free(program);
    weft_diags_free(diags);
    return status;
}
