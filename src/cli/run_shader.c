/* run_shader.c - see run_shader.h. */
#include "cli/run_shader.h"
#include "cli/named.h"
#include "cli/run_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool run_is_shader(const struct run_shader *s, const char *path)
{
    uint32_t program; /* FILE#2 has the extension of FILE */
    size_t length = cli_path_length(path, &program);
    char *file = path ? cli_kept(strndup(path, length)) : NULL;
    bool known = s->target.isa || weft_isa_of_file(file);
    free(file);
    return known;
}

/* ---- the run ---- */

static bool is_hlsl(const struct cli_target *t, const char *path)
{
    return t->isa ? strcmp(t->isa, "hlsl") == 0 : path && cli_ends(path, ".hlsl");
}

/* Registers t1 and u1 of HLSL may both be buffers, whose number is then 1 for weft: the later one gets another. */
static weft_status part_registers(const struct cli_target *t, const char *path, weft_diags *diags,
                                  weft_program **program)
{
    struct interface f;
    weft_program_options options = cli_options(t);
    if (!interface_read(*program, &f))
        return WEFT_ERROR_MEMORY;
    bool parted = named_part(&f, INTERFACE_BUFFER, WEFT_RUN_BUFFERS);
    parted |= named_part(&f, INTERFACE_IMAGE, WEFT_RUN_IMAGES);
    parted |= named_part(&f, INTERFACE_TEXTURE, WEFT_RUN_TEXTURES);
    parted |= named_part(&f, INTERFACE_SAMPLER, WEFT_RUN_TEXTURES);
    weft_status status = WEFT_OK;
    if (parted)
        status = interface_remake(&f, "hlsl", cli_file_name(path), &options, diags, program);
    interface_free(&f);
    return status;
}

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
    if (status == WEFT_OK && !s->linkage && is_hlsl(&target, path))
        status = part_registers(&target, path, diags, out);
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

static bool is_compute(const weft_program *program, const char *path)
{
    weft_stage stage = weft_program_stage(program);
    if (stage == WEFT_COMPUTE || stage == WEFT_STAGE_NONE)
        return true;
    cli_message("'%s' is a %s program: 'weft run' runs compute programs and jobs%s", path, weft_stage_name(stage),
                stage == WEFT_FRAGMENT ? "; 'weft draw' draws with it" : "; a job can draw with it");
    return false;
}

static int run_program(const struct run_shader *s, const weft_program *program, weft_diags *diags)
{
    struct run_memory *memory = cli_kept(calloc(1, sizeof *memory));
    weft_runner *r = NULL;
    int status = cli_status(weft_runner_new(&program, 1, &s->options, diags, &r));
    if (status == STATUS_FINE)
        status = run_memory_bind(s, program, memory, r, diags);
    if (status == STATUS_FINE)
        status = cli_status(weft_runner_dispatch(r, s->groups[0], s->groups[1], s->groups[2], diags));
    if (status == STATUS_FINE)
        status = run_memory_write(s, memory);
    cli_report(diags);
    if (status == STATUS_FINE && s->stats)
        show_stats(r);
    weft_runner_free(r);
    run_memory_free(memory);
    free(memory);
    return status;
}

bool run_not_given(const char *what, const struct run_label *label, const char *dump)
{
    char text[64];
    if (label->name)
        snprintf(text, sizeof text, "%.*s", (int)(label->length < sizeof text ? label->length : sizeof text - 1),
                 label->name);
    else
        snprintf(text, sizeof text, "%u", label->number);
    cli_wrong(&command_run, "--dump-%s %s=%s: give --%s %s=FILE or %s=%s too", what, text, dump, what, text, text,
              strcmp(what, "image") == 0 ? "WxH" : "SIZE:zero");
    return false;
}

/* False, having said so, when what is written has no contents. */
static bool is_given(const char *what, const struct run_label *label, bool given, const char *dump)
{
    return !dump || given || run_not_given(what, label, dump);
}

/* False, having said so, when a file that is written would replace one that is read. */
static bool keeps_inputs(const struct run_shader *s, const char *path, const char *dump)
{
    if (!dump)
        return true;
    if (!cli_distinct(&command_run, path, dump) || !cli_distinct(&command_run, s->linkage, dump))
        return false;
    for (size_t i = 0; i < s->nbuffers; i++)
        if (s->buffer[i].file && !cli_distinct(&command_run, s->buffer[i].file, dump))
            return false;
    for (size_t i = 0; i < s->nimages; i++)
        if (!scene_texture_distinct(&s->image[i].from, &command_run, dump))
            return false;
    for (size_t i = 0; i < s->ntextures; i++)
        if (!scene_texture_distinct(&s->texture[i].from, &command_run, dump))
            return false;
    for (unsigned k = 0; k < WEFT_RUN_CONSTANTS; k++)
        if (s->constants[k] && !cli_distinct(&command_run, s->constants[k], dump))
            return false;
    return true;
}

static bool dumps_fit(const struct run_shader *s, const char *path)
{
    for (size_t i = 0; i < s->nbuffers; i++)
        if (!keeps_inputs(s, path, s->buffer[i].dump))
            return false;
    for (size_t i = 0; i < s->nimages; i++)
        if (!is_given("image", &s->image[i].label, s->image[i].given, s->image[i].dump) ||
            !keeps_inputs(s, path, s->image[i].dump))
            return false;
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
        status = is_compute(program, path) ? run_program(s, program, diags) : STATUS_USAGE;
    else
        cli_report(diags);
    weft_program_free(program);
    weft_diags_free(diags);
    return status;
}
