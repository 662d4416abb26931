/* run_program.c - shaders of a job: text or tokens to compiled stages. */
#include "script/run.h"

#include "ir/pass.h"
#include "isa/program.h"

#include <string.h>

/* ---- places ---- */

/* Offset of a line and column (from 1) of a text. */
static uint32_t offset_of(const struct source *src, uint32_t line, uint32_t column)
{
    const char *at = src->text, *end = src->text + src->size;
    for (uint32_t i = 1; i < line && at < end; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    size_t left = (size_t)(end - at), skip = column ? column - 1 : 0;
    return (uint32_t)(at - src->text) + (uint32_t)(skip < left ? skip : left);
}

/* The number of the shader that a diagnostic is about; as many as there are: none. */
static uint32_t shader_of(const struct weft_job *j, const weft_diag *d)
{
    uint32_t i = 0;
    while (i < j->script->nshaders &&
           !(j->shaders[i].source.name && d->file && strcmp(j->shaders[i].source.name, d->file) == 0))
        i++;
    return i;
}

/* The virtual file that a diagnostic is about. */
static const struct script_virtual_file *file_of(const struct weft_job *j, const weft_diag *d)
{
    for (uint32_t i = 0; d->file && i < j->script->nvirtual_files; i++)
        if (strcmp(j->script->virtual_files[i].path, d->file) == 0)
            return &j->script->virtual_files[i];
    return NULL;
}

/* Pass on one about a shader: in the script's own lines where the shader is among them. */
static void relay_shader(struct weft_job *j, uint32_t shader, const weft_diag *d)
{
    const struct script_shader *s = j->script->shaders[shader];
    const struct source *text = &j->shaders[shader].source;
    struct source body = {j->source.name, s->text, s->text_size};
    struct span where = s->where;
    if (d->line)
        where = (struct span){offset_of(s->text ? &body : text, d->line, d->column), d->length};
    if (d->line && s->text)
        where.offset += s->body.offset;
    if (d->line || s->text)
        diag_at(j->diags, d->severity, d->code, s->text ? &j->source : text, where, d->hint, "%s", d->message);
    else
        diag_add(j->diags, d->severity, d->code, d->file, d->hint, "%s", d->message);
}

/* Pass on one about an included virtual file: in the script's lines. */
static void relay_file(struct weft_job *j, const struct script_virtual_file *f, const weft_diag *d)
{
    struct source body = {j->source.name, f->text, f->size};
    struct span where = {f->body.offset + offset_of(&body, d->line, d->column), d->length};
    diag_at(j->diags, d->severity, d->code, &j->source, d->line ? where : f->where, d->hint, "%s", d->message);
}

void job_relay(struct weft_job *j, const weft_diags *from, struct span where)
{
    const weft_diag *d;
    for (size_t i = 0; (d = weft_diags_get(from, i)); i++) {
        uint32_t shader = shader_of(j, d);
        const struct script_virtual_file *file = file_of(j, d);
        if (shader < j->script->nshaders)
            relay_shader(j, shader, d);
        else if (file)
            relay_file(j, file, d);
        else if (d->file && *d->file)
            diag_add(j->diags, d->severity, d->code, d->file, d->hint, "%s", d->message);
        else
            diag_at(j->diags, d->severity, d->code, &j->source, where, d->hint, "%s", d->message);
        if (d->has_address)
            diag_set_address(j->diags, d->address);
    }
    diag_count_more(j->diags, from); /* last: what is counted takes the places of those that are kept */
}

/* ---- what is made here ---- */

/* PASSTHROUGH: the position is LOCATION 0; LOCATION n goes on as GENERIC[n]. */
const char job_passthrough[] = "VERT\n"
                                  "DCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL IN[3]\nDCL IN[4]\n"
                                  "DCL IN[5]\nDCL IN[6]\nDCL IN[7]\n"
                                  "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nDCL OUT[2], GENERIC[2]\n"
                                  "DCL OUT[3], GENERIC[3]\nDCL OUT[4], GENERIC[4]\nDCL OUT[5], GENERIC[5]\n"
                                  "DCL OUT[6], GENERIC[6]\nDCL OUT[7], GENERIC[7]\n"
                                  "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nMOV OUT[3], IN[3]\n"
                                  "MOV OUT[4], IN[4]\nMOV OUT[5], IN[5]\nMOV OUT[6], IN[6]\nMOV OUT[7], IN[7]\n"
                                  "END\n";

/* ---- linkage ---- */

/* A line of a shader that begins with `.link` belongs to its linkage (docs/manual/NAME.md). */
static bool is_link_line(const char *line, const char *end, size_t *skip)
{
    static const char word[] = ".link";
    const char *p = line;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    *skip = (size_t)(p - line) + sizeof word - 1;
    return (size_t)(end - p) >= sizeof word && memcmp(p, word, sizeof word - 1) == 0 && (p[5] == ' ' || p[5] == '\t');
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/* Part the `.link` lines from the rest: both texts keep every character in its place, so that spans of either are spans
 * of the shader. *linkage stays as it is when there are none. */
static weft_status part_linkage(struct weft_job *j, const struct script_shader *s, struct source *program,
                                struct isa_linkage *linkage, bool *found)
{
    char *links = NULL, *rest = NULL;
    *found = false;
    for (size_t at = 0; at < program->size;) {
        const char *line = program->text + at, *end = program->text + program->size;
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t skip, next = newline ? (size_t)(newline - program->text) + 1 : program->size;
        if (is_link_line(line, newline ? newline : end, &skip)) {
            if (!*found) {
                links = arena_strndup(&j->arena, program->text, program->size);
                rest = arena_strndup(&j->arena, program->text, program->size);
                if (!links || !rest)
                    return job_no_memory(j, s->where);
                blank(links, links + at);
                *found = true;
            }
            blank(links + at, links + at + skip);
            blank(rest + at, rest + next);
        } else if (*found) {
            blank(links + at, links + next);
        }
        at = next;
    }
    if (*found) {
        linkage->source = (struct source){program->name, links, program->size};
        program->text = rest;
    }
    return WEFT_OK;
}

/* ---- compiling ---- */

/* The chip that TARGET_ENV names, of an instruction set that has chips. */
static weft_status find_chip(struct weft_job *j, const struct script_shader *s, const char **chip)
{
    *chip = NULL;
    if (!s->target_env || !s->isa->chips)
        return WEFT_OK;
    size_t n = 0;
    for (; s->isa->chips[n]; n++)
        if (strcmp(s->isa->chips[n], s->target_env) == 0) {
            *chip = s->isa->chips[n];
            return WEFT_OK;
        }
    const char *near = nearest_word(s->target_env, strlen(s->target_env), s->isa->chips, n);
    return job_error(j, s->where, "unknown-chip", "%s has no chip '%s'%s%s%s", s->isa->name, s->target_env,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* SPIR-V, or what is compiled to it: by words, unless it is a text that nothing is done to. */
static weft_status read_spirv(struct weft_job *j, const struct script_attachment *a, struct job_shader *shader,
                              struct isa_params *params, struct isa_module **module, struct spirv_inventory *inventory,
                              weft_diags *diags)
{
    const struct script_shader *s = a->shader;
    struct isa_linkage *linkage = ARENA_NEW(&j->arena, struct isa_linkage);
    struct spirv_words words;
    weft_status status = linkage ? job_source(j, s, &shader->source) : job_no_memory(j, s->where);
    if (status != WEFT_OK)
        return status;
    params->linkage = linkage; /* the lift reads it: what it says follows from the module */
    params->entry = s->language == SCRIPT_GLSL ? "main" : a->entry_point;
    params->env = job_environment(j, s);
    if (s->language == SCRIPT_TEXT && !a->npasses) {
        status = s->isa->parse(&shader->source, params, &j->arena, module, diags);
    } else {
        status = job_words(j, a, shader, &words, diags);
        if (status == WEFT_OK)
            status = s->isa->decode((const uint8_t *)words.word, words.count * sizeof *words.word, shader->source.name,
                                    params, &j->arena, module, diags);
    }
    if (status == WEFT_OK)
        status = job_slots_of_module(j, a, *module, inventory, diags);
    return status == WEFT_OK ? job_spirv_linkage(j, a, &linkage->source) : status;
}

static weft_status read_module(struct weft_job *j, const struct script_attachment *a, struct job_shader *shader,
                               struct isa_params *params, struct isa_module **module,
                               struct spirv_inventory *inventory, weft_diags *diags)
{
    const struct script_shader *s = a->shader;
    if (s->isa == isa_find("spirv"))
        return read_spirv(j, a, shader, params, module, inventory, diags);
    struct isa_linkage *linkage = ARENA_NEW(&j->arena, struct isa_linkage);
    bool linked = false;
    if (!linkage)
        return job_no_memory(j, s->where);
    weft_status status = job_source(j, s, &shader->source);
    if (status == WEFT_OK)
        status = find_chip(j, s, &params->chip);
    if (status == WEFT_OK && s->isa->takes_linkage)
        status = part_linkage(j, s, &shader->source, linkage, &linked);
    if (status != WEFT_OK)
        return status;
    if (linked)
        params->linkage = linkage;
    if (s->language == SCRIPT_HEX)
        return job_decode_hex(j, s, &shader->source, params, module, diags);
    return s->isa->parse(&shader->source, params, &j->arena, module, diags);
}

static weft_status compile(struct weft_job *j, const struct script_attachment *a, struct job_shader *shader,
                           struct job_program *out, weft_diags *diags)
{
    const struct script_shader *s = a->shader;
    const struct isa *isa = s->isa;
    struct isa_params params = {
        .stage = (int)a->stage, .strict = j->params.strict, .running = true, .files_from = job_folder(j)};
    struct isa_module *module = NULL;
    weft_status status = read_module(j, a, shader, &params, &module, &out->inventory, diags);
    if (status != WEFT_OK)
        return status;
    int is = isa->stage(module);
    if (is >= 0 && is != (int)a->stage)
        return job_error(j, a->where, "wrong-stage", "'%s' is attached as a %s program, and is a %s program", s->name,
                         weft_stage_name(a->stage), weft_stage_name((weft_stage)is));
    bool bytes = s->language == SCRIPT_HEX || s->language == SCRIPT_BINARY;
    const struct source *text = bytes ? NULL : &shader->source;
    if ((status = isa_check(isa, module, shader->source.name, text, &params, diags)) != WEFT_OK)
        return status;
    struct ir_program *ir = NULL;
    if ((status = isa_lift(isa, module, shader->source.name, text, &j->arena, &ir, diags)) != WEFT_OK)
        return status;
    if (j->trace)
        job_trace_instrument(j->trace, ir, s);
    ir->integer_targets = out->integer_targets;
    ir_optimise(ir);
    const struct exec_options options = {.level = j->level, .engine = stage_engine(j->params.engine)};
    return stage_compile(ir, text, &options, &j->arena, &out->stage, diags);
}

/* SUBGROUP: the size of subgroups is that of the program's warps, so that VARYING_SIZE has nothing to vary. */
static weft_status check_subgroups(struct weft_job *j, const struct script_attachment *a, const struct ir_program *ir)
{
    bool any = !a->required_size || a->required_size == SCRIPT_SUBGROUP_MIN || a->required_size == SCRIPT_SUBGROUP_MAX;
    if (!any && a->required_size != ir->lanes)
        return job_unsupported(j, a->where,
                               "SUBGROUP REQUIRED_SIZE %u is not supported: subgroups of '%s' have %u invocations",
                               a->required_size, a->shader->name, ir->lanes);
    uint32_t width = ir->io.block[0] ? ir->io.block[0] : 1;
    /* Vulkan asks for it too, and its conformance suite does not keep to that: the last subgroup is not full then. */
    if (a->fully_populated && width % ir->lanes && a->shader->isa != isa_find("spirv"))
        return job_error(j, a->where, "subgroup",
                         "SUBGROUP FULLY_POPULATED: workgroups of '%s' are %u wide, which is not a multiple of %u, the "
                         "size of its subgroups", a->shader->name, width, ir->lanes);
    return WEFT_OK;
}

/* Whether two attachments of one shader are one program. */
static bool same_program(const struct script_attachment *a, const struct script_attachment *b)
{
    bool same = a->stage == b->stage && strcmp(a->entry_point, b->entry_point) == 0 &&
                a->nconstants == b->nconstants && a->npasses == b->npasses && a->noptions == b->noptions;
    for (uint32_t i = 0; same && i < a->nconstants; i++)
        same = a->constants[i].id == b->constants[i].id && a->constants[i].bits == b->constants[i].bits;
    for (uint32_t i = 0; same && i < a->npasses; i++)
        same = strcmp(a->passes[i], b->passes[i]) == 0;
    for (uint32_t i = 0; same && i < a->noptions; i++)
        same = strcmp(a->options[i], b->options[i]) == 0;
    return same;
}

static struct job_shader *shader_of_attachment(const struct weft_job *j, const struct script_attachment *a)
{
    uint32_t i = 0;
    while (i < j->script->nshaders && j->script->shaders[i] != a->shader)
        i++;
    return &j->shaders[i];
}

/* The first of a list. */
static struct job_program *program_of(struct job_program *p, const struct script_attachment *a)
{
    while (p && !same_program(p->attachment, a))
        p = p->next;
    return p;
}

const struct job_program *job_program_of(const struct weft_job *j, const struct script_attachment *a)
{
    return program_of(shader_of_attachment(j, a)->programs, a);
}

weft_status job_stage(struct weft_job *j, const struct script_attachment *a, bool integer_targets, struct stage *out)
{
    struct job_shader *shader = shader_of_attachment(j, a);
    struct job_program *p = program_of(shader->programs, a);
    while (p && p->integer_targets != integer_targets)
        p = program_of(p->next, a);
    if (!p) {
        weft_diags *diags = weft_diags_new();
        p = ARENA_NEW(&j->arena, struct job_program);
        if (!diags || !p) {
            weft_diags_free(diags);
            return job_no_memory(j, a->where);
        }
        p->integer_targets = integer_targets;
        p->attachment = a;
        p->status = compile(j, a, shader, p, diags);
        p->next = shader->programs;
        shader->programs = p;
        job_relay(j, diags, a->where);
        weft_diags_free(diags);
    }
    if (p->status != WEFT_OK)
        return p->status;
    *out = p->stage;
    return check_subgroups(j, a, out->ir);
}
