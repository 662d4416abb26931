/* calls.c - see calls.h. Each function makes what it needs, calls the library, notes what that gave, and frees all. */
#include "calls.h"

#include <errno.h>
#include <unistd.h>

#include "base/below.h"
#include "test.h"

#include "../library/programs.h"

enum { KERNELS = sizeof kernels / sizeof kernels[0], ROOM = 1 << 16 };

static void note(struct call *c, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i++)
        c->hash = (c->hash ^ p[i]) * 0x100000001b3u + 1;
}

static weft_program_options options_of(const struct kernel *k)
{
    weft_program_options o;
    weft_program_options_init(&o);
    o.stage = WEFT_COMPUTE;
    o.chip = k->chip;
    o.linkage = k->linkage;
    o.linkage_size = k->linkage ? strlen(k->linkage) : 0;
    return o;
}

static weft_status from_text(struct call *c, const char *isa, weft_stage stage, const char *text, weft_program **out)
{
    weft_program_options o;
    weft_program_options_init(&o);
    o.stage = stage;
    return weft_program_from_text(isa, isa, text, strlen(text), &o, c->diags, out);
}

static weft_status kernel_program(struct call *c, weft_program **out)
{
    const struct kernel *k = &kernels[c->which];
    weft_program_options o = options_of(k);
    return weft_program_from_text(k->isa, k->isa, k->text, strlen(k->text), &o, c->diags, out);
}

/* ---- programs ---- */

static weft_status text_to_text(struct call *c)
{
    weft_program *p = NULL;
    char *text = NULL;
    size_t size = 0;
    c->begin(c);
    weft_status status = kernel_program(c, &p);
    if (status == WEFT_OK && (status = weft_program_text(p, &text, &size)) != WEFT_OK)
        c->silent = true;
    c->end(c);
    if (status == WEFT_OK)
        note(c, text, size);
    weft_free(text);
    weft_program_free(p);
    return status;
}

static weft_status bytes_to_bytes(struct call *c)
{
    const struct kernel *k = &kernels[c->which];
    weft_program_options o = options_of(k);
    weft_program *p = NULL, *q = NULL;
    uint8_t *bytes = NULL, *again = NULL;
    size_t size = 0, more = 0;
    weft_status status = kernel_program(c, &p);
    c->begin(c);
    if (status == WEFT_OK)
        status = weft_program_bytes(p, &bytes, &size, c->diags);
    if (status == WEFT_OK)
        status = weft_program_from_bytes(k->isa, NULL, bytes, size, &o, c->diags, &q);
    if (status == WEFT_OK)
        status = weft_program_bytes(q, &again, &more, c->diags);
    c->end(c);
    if (status == WEFT_OK)
        note(c, again, more);
    weft_free(bytes);
    weft_free(again);
    weft_program_free(q);
    weft_program_free(p);
    return status;
}

static weft_status listing_and_check(struct call *c)
{
    weft_program *p = NULL;
    weft_place *places = NULL;
    char *text = NULL;
    size_t size = 0, count = 0;
    weft_status status = kernel_program(c, &p);
    c->begin(c);
    if (status == WEFT_OK)
        status = weft_program_check(p, c->diags);
    if (status == WEFT_OK && (status = weft_program_listing(p, &text, &size, &places, &count)) != WEFT_OK)
        c->silent = true;
    c->end(c);
    if (status == WEFT_OK)
        note(c, text, size);
    if (status == WEFT_OK && count)
        note(c, places, count * sizeof *places);
    weft_free(text);
    weft_free(places);
    weft_program_free(p);
    return status;
}

static weft_status elf(struct call *c)
{
    weft_program *p = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    weft_status status = from_text(c, "vpu", WEFT_STAGE_NONE, ".globl start\nstart: mov r0, 1\nb start\n", &p);
    c->begin(c);
    if (status == WEFT_OK)
        status = weft_program_elf(p, &bytes, &size, c->diags);
    c->end(c);
    if (status == WEFT_OK)
        note(c, bytes, size);
    weft_free(bytes);
    weft_program_free(p);
    return status;
}

/* Macros, repeats and expressions. */
static weft_status assembler(struct call *c)
{
    static const char text[] = ".set n, 3\n.macro twice a\nadd r0, \\a\nadd r0, \\a\n.endm\nstart:\n.rept 40\n"
                               "twice n\n.endr\n.if n == 3\nmov r1, n * 2\n.endif\nb start\n.data\n.align 4\n"
                               "table: .word start, table, 1, 2\n.ascii \"text\"\n.incbin \"/dev/null/none\"\n";
    char all[sizeof text];
    memcpy(all, text, sizeof text);
    *strstr(all, ".incbin") = 0; /* files are for another test */
    weft_program *p = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    c->begin(c);
    weft_status status = from_text(c, "vpu", WEFT_STAGE_NONE, all, &p);
    if (status == WEFT_OK)
        status = weft_program_bytes(p, &bytes, &size, c->diags);
    c->end(c);
    if (status == WEFT_OK)
        note(c, bytes, size);
    weft_free(bytes);
    weft_program_free(p);
    return status;
}

/* Megabytes: arrays that grow are pages of their own. */
static weft_status large_text(struct call *c)
{
    enum { LINES = 40000 };
    static const char head[] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\n", line[] = "MOV TEMP[1], TEMP[0]\n",
                      end[] = "MOV OUT[0], TEMP[1]\nEND\n";
    weft_program *p = NULL;
    char *text = malloc(sizeof head + sizeof end + LINES * sizeof line), *to = text, *canonical = NULL;
    size_t size = 0;
    to += sprintf(to, "%s", head);
    for (int i = 0; i < LINES; i++)
        to += sprintf(to, "%s", line);
    sprintf(to, "%s", end);
    c->begin(c);
    weft_status status = from_text(c, "tgsi", WEFT_STAGE_NONE, text, &p);
    if (status == WEFT_OK && (status = weft_program_text(p, &canonical, &size)) != WEFT_OK)
        c->silent = true;
    c->end(c);
    if (status == WEFT_OK)
        note(c, canonical, size);
    weft_free(canonical);
    weft_program_free(p);
    free(text);
    return status;
}

/* Text that is at fault: the memory is what messages need. */
static weft_status wrong_text(struct call *c)
{
    static const char *const texts[KERNELS] = {"FRAG\nMOVE OUT[0], IN[0]\nEND\n", "adt b32 $r0 $r1\nmov\n",
                                               "FADDD.f32 r0, r1\nIADD\n", "mvo r0, 1\nadd r77, 2\nb\n",
                                               "0 : umadf ft0, r1\n"};
    weft_program *p = NULL;
    char shown[2000];
    c->begin(c);
    weft_status status = from_text(c, kernels[c->which].isa, WEFT_COMPUTE, texts[c->which], &p);
    for (size_t i = 0; i < weft_diags_count(c->diags) && weft_diags_get(c->diags, i); i++)
        weft_diag_format(weft_diags_get(c->diags, i), 1, shown, sizeof shown);
    c->end(c);
    weft_program_free(p);
    return status == WEFT_ERROR_INPUT ? WEFT_OK : status;
}

/* ---- single instructions ---- */

static weft_status one_instruction(struct call *c)
{
    const struct kernel *k = &kernels[c->which];
    weft_decoder *d = NULL;
    uint8_t bytes[256];
    char text[WEFT_INSN_TEXT];
    static weft_operand operands[WEFT_INSN_OPERANDS];
    static weft_field fields[WEFT_INSN_FIELDS];
    weft_insn insn;
    const char *name;
    size_t used = 0;
    c->begin(c);
    weft_status status = weft_decoder_new(k->isa, NULL, &d);
    c->silent = status != WEFT_OK;
    for (uint32_t row = 0; row < 12 && status == WEFT_OK; row++) {
        size_t size = weft_insn_form(d, row, 0, bytes, sizeof bytes, &name);
        if (!size) { /* each row has a form: there was no memory */
            status = WEFT_ERROR_MEMORY;
            c->silent = true;
            break;
        }
        if (size > sizeof bytes || weft_insn_decode(d, bytes, size, 0, &insn) != WEFT_OK)
            continue;
        size_t noperands = weft_insn_operands(d, &insn, operands, WEFT_INSN_OPERANDS);
        size_t nfields = weft_insn_fields(d, &insn, fields, WEFT_INSN_FIELDS);
        weft_insn_text(d, &insn, NULL, text, sizeof text, NULL, NULL);
        note(c, text, strlen(text));
        note(c, &noperands, sizeof noperands);
        note(c, &nfields, sizeof nfields);
        status = weft_insn_assemble(d, text, 0, bytes, sizeof bytes, &used, c->diags);
        if (status == WEFT_ERROR_INPUT) /* what an example leaves open may not be legal */
            status = WEFT_OK;
        note(c, &used, sizeof used);
    }
    c->end(c);
    weft_decoder_free(d);
    return status;
}

/* ---- runners ---- */

static weft_answer go_on(void *context, weft_step *step)
{
    uint64_t *steps = context;
    *steps += weft_step_address(step) + strlen(weft_step_text(step)) + 1;
    return WEFT_GO_ON;
}

static weft_answer access_on(void *context, weft_step *step, const weft_access *access)
{
    (void)step;
    *(uint64_t *)context += access->size;
    return WEFT_GO_ON;
}

static weft_status dispatch_with(struct call *c, const weft_runner_options *o)
{
    const weft_program *p = NULL;
    weft_program *made = NULL;
    weft_runner *r = NULL;
    weft_run_stats stats = {.size = sizeof stats};
    static uint32_t in[256], out[256];
    for (uint32_t i = 0; i < 256; i++)
        in[i] = i * 77;
    weft_status status = kernel_program(c, &made);
    p = made;
    c->begin(c);
    if (status == WEFT_OK)
        status = weft_runner_new(&p, 1, o, c->diags, &r);
    if (status == WEFT_OK)
        status = weft_runner_bind_buffer(r, 0, in, sizeof in, c->diags);
    if (status == WEFT_OK)
        status = weft_runner_bind_buffer(r, 1, out, sizeof out, c->diags);
    if (status == WEFT_OK)
        status = weft_runner_bind_constants(r, 0, in, 64, c->diags);
    if (status == WEFT_OK)
        status = weft_runner_dispatch(r, 3, 1, 1, c->diags);
    if (status == WEFT_OK)
        status = weft_runner_get_stats(r, &stats);
    c->end(c);
    if (status == WEFT_OK) {
        note(c, out, sizeof out);
        note(c, &stats.instructions, sizeof stats.instructions);
    }
    memset(out, 0, sizeof out);
    weft_runner_free(r);
    weft_program_free(made);
    return status;
}

static weft_status dispatch(struct call *c)
{
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.threads = 2;
    return dispatch_with(c, &o);
}

static weft_status dispatch_jit(struct call *c)
{
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.threads = 1;
    o.engine = WEFT_ENGINE_JIT;
    return dispatch_with(c, &o);
}

static weft_status dispatch_hooks(struct call *c)
{
    uint64_t steps = 0;
    weft_runner_options o;
    weft_runner_options_init(&o);
    o.instruction = go_on;
    o.access = access_on;
    o.context = &steps;
    weft_status status = dispatch_with(c, &o);
    if (status == WEFT_OK)
        note(c, &steps, sizeof steps);
    return status;
}

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nMOV OUT[0], IN[0]\n"
                                  "MOV OUT[1], IN[0]\nEND\n";
static const char fragment_text[] =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\n"
    "TEX TEMP[0], IN[0], SAMP[0], 2D\nADD OUT[0], TEMP[0], IN[0]\nEND\n";

static weft_status bind_draw(struct call *c, weft_runner *r, const weft_image *color, const weft_image *depth,
                             const weft_image *texture)
{
    static const float corners[] = {-1, -1, 0.5f, 1, 1, -1, 0.5f, 1, -1, 1, 0.5f, 1, 1, 1, 0.25f, 1};
    weft_sampler sampler;
    weft_sampler_init(&sampler);
    weft_status status = weft_runner_bind_attribute(r, 0, "R32G32B32A32_SFLOAT", corners, sizeof corners, 16, 0,
                                                    c->diags);
    if (status == WEFT_OK)
        status = weft_runner_bind_target(r, 0, color, c->diags);
    if (status == WEFT_OK)
        status = weft_runner_bind_depth(r, depth, c->diags);
    if (status == WEFT_OK)
        status = weft_runner_bind_texture_image(r, 0, texture, c->diags);
    if (status == WEFT_OK)
        status = weft_runner_bind_image(r, 0, texture, c->diags);
    if (status == WEFT_OK)
        status = weft_runner_bind_buffer_image(r, 5, texture, c->diags);
    return status == WEFT_OK ? weft_runner_bind_sampler(r, 0, &sampler, c->diags) : status;
}

static weft_status runner_draw(struct call *c)
{
    static _Alignas(16) uint8_t pixels[32 * 32 * 4], depths[32 * 32 * 4], texels[8 * 8 * 4];
    weft_image color = {.size = sizeof color, .kind = WEFT_IMAGE_2D, .format = "R8G8B8A8_UNORM", .width = 32,
                        .height = 32, .memory = pixels, .bytes = sizeof pixels};
    weft_image depth = color, texture = color;
    depth.format = "D32_SFLOAT";
    depth.memory = depths;
    texture.width = texture.height = 8;
    texture.memory = texels;
    texture.bytes = sizeof texels;
    for (unsigned i = 0; i < sizeof texels; i++)
        texels[i] = (uint8_t)(i * 5);
    weft_program *p[2] = {NULL, NULL};
    weft_runner *r = NULL;
    weft_draw_call call;
    weft_draw_call_init(&call);
    call.topology = WEFT_TRIANGLE_STRIP;
    call.vertex_count = 4;
    call.instances = 1;
    call.depth_test = call.depth_write = call.clear = 1;
    call.depth_compare = WEFT_COMPARE_LESS;
    weft_status status = from_text(c, "tgsi", WEFT_STAGE_NONE, vertex_text, &p[0]);
    if (status == WEFT_OK)
        status = from_text(c, "tgsi", WEFT_STAGE_NONE, fragment_text, &p[1]);
    const weft_program *both[2] = {p[0], p[1]};
    c->begin(c);
    if (status == WEFT_OK)
        status = weft_runner_new(both, 2, NULL, c->diags, &r);
    if (status == WEFT_OK)
        status = bind_draw(c, r, &color, &depth, &texture);
    if (status == WEFT_OK)
        status = weft_runner_draw(r, &call, c->diags);
    c->end(c);
    if (status == WEFT_OK)
        note(c, pixels, sizeof pixels);
    weft_runner_free(r);
    weft_program_free(p[0]);
    weft_program_free(p[1]);
    return status;
}

/* ---- pictures ---- */

static weft_status draw(struct call *c)
{
    weft_program *p = NULL;
    weft_picture picture = {0};
    weft_texture *texture = NULL;
    weft_draw_params params;
    uint8_t texels[16 * 16 * 4];
    for (unsigned i = 0; i < sizeof texels; i++)
        texels[i] = (uint8_t)(i * 7);
    weft_draw_params_init(&params);
    params.mesh = (weft_mesh)c->which;
    params.threads = 2;
    weft_status status = from_text(c, "tgsi", WEFT_STAGE_NONE, fragment_text, &p);
    c->begin(c);
    if (status == WEFT_OK)
        status = weft_picture_new(c->which ? WEFT_RGBA32_SFLOAT : WEFT_RGBA8_UNORM, 40, 40, &picture);
    if (status == WEFT_OK)
        status = weft_texture_new(WEFT_RGBA8_UNORM, 16, 16, texels, 1, &texture);
    c->silent = status != WEFT_OK;
    params.fragment = p;
    params.textures[0] = texture;
    if (status == WEFT_OK)
        status = weft_draw(&params, &picture, NULL, c->diags);
    c->end(c);
    if (status == WEFT_OK)
        note(c, picture.pixels, picture.stride * picture.height);
    weft_texture_free(texture);
    weft_picture_free(&picture);
    weft_program_free(p);
    return status;
}

/* ---- jobs ---- */

static const char *const jobs[] = {
    "examples/amber/reduction.amber",  "examples/amber/cube-map.amber",   "examples/amber/multisample.amber",
    "examples/amber/instances.amber",  "examples/amber/tessellation.amber", "examples/tesla/geometry.amber",
    "examples/tesla/vector-add.amber", "examples/valhall/subgroups.amber",  "examples/rogue/tables.amber",
    "examples/amber/stencil-outline.amber",
};

static char *read_file(const char *name, char *path, size_t room, size_t *size)
{
    snprintf(path, room, "%s/%s", WEFT_SOURCE_ROOT, name);
    FILE *f = fopen(path, "rb");
    char *text = malloc(ROOM);
    *size = f && text ? fread(text, 1, ROOM, f) : 0;
    if (f)
        fclose(f);
    return text;
}

static weft_status job(struct call *c)
{
    char path[4096];
    size_t size, dumped = 0, failures = 0;
    char *text = read_file(jobs[c->which], path, sizeof path, &size);
    weft_job *j = NULL;
    weft_job_params params;
    weft_job_stats stats = {0};
    weft_job_params_init(&params);
    params.threads = 2;
    if (c->which == 0) {
        params.trace = WEFT_TRACE_INVOCATION;
        params.trace_id = 3;
    }
    c->begin(c);
    weft_status status = weft_job_new(path, text, size, c->diags, &j);
    if (status == WEFT_OK)
        status = weft_job_run(j, &params, c->diags);
    if (status == WEFT_OK)
        weft_job_get_stats(j, &stats);
    const char *trace = j ? weft_job_trace(j, &dumped) : NULL;
    c->end(c);
    failures = j ? weft_job_failures(j) : 0;
    if (status == WEFT_OK && dumped)
        note(c, trace, dumped);
    note(c, &failures, sizeof failures);
    note(c, &stats.instructions, sizeof stats.instructions);
    weft_job_free(j);
    free(text);
    return status;
}

static weft_status checked_job(struct call *c)
{
    char path[4096];
    size_t size, programs = 0;
    char *text = read_file(jobs[c->which], path, sizeof path, &size);
    weft_job *j = NULL;
    c->begin(c);
    weft_status status = weft_job_new(path, text, size, c->diags, &j);
    if (status == WEFT_OK)
        status = weft_job_check(j, NULL, c->diags, &programs);
    c->end(c);
    if (status == WEFT_OK)
        note(c, &programs, sizeof programs);
    weft_job_free(j);
    free(text);
    return status;
}

static const char dump_text[] = "#!amber\nDEVICE_FEATURE vertexPipelineStoresAndAtomics\nBUFFER fb FORMAT "
                                "B8G8R8A8_UNORM\nBUFFER n DATA_TYPE uint32 DATA\n1 2 3 4\nEND\n"
                                "SHADER vertex v PASSTHROUGH\nSHADER fragment f TGSI\nFRAG\nDCL OUT[0], COLOR\n"
                                "IMM[0] FLT32 {1, 0.5, 0, 1}\nMOV OUT[0], IMM[0]\nEND\nEND\nPIPELINE graphics p\n"
                                "ATTACH v\nATTACH f\nFRAMEBUFFER_SIZE 16 16\nBIND BUFFER fb AS color LOCATION 0\nEND\n"
                                "RUN p DRAW_RECT POS 0 0 SIZE 16 16\nEXPECT fb IDX 0 0 SIZE 16 16 EQ_RGBA 255 127 0 1\n"
                                "EXPECT n IDX 0 EQ 1 2 3 5\n";

static weft_status dumps(struct call *c)
{
    weft_job *j = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    weft_status status = weft_job_new("dump.amber", dump_text, sizeof dump_text - 1, c->diags, &j);
    if (status == WEFT_OK)
        status = weft_job_run(j, NULL, c->diags);
    c->begin(c);
    if (status == WEFT_OK)
        status = weft_job_dump(j, "fb", (weft_dump_format)c->which, &bytes, &size, c->diags);
    c->end(c);
    if (status == WEFT_OK)
        note(c, bytes, size);
    weft_free(bytes);
    weft_job_free(j);
    return status;
}

static weft_status failing_job(struct call *c)
{
    weft_job *j = NULL;
    weft_expectation e;
    c->begin(c);
    weft_status status = weft_job_new("dump.amber", dump_text, sizeof dump_text - 1, c->diags, &j);
    if (status == WEFT_OK)
        status = weft_job_run(j, NULL, c->diags);
    c->end(c);
    size_t failures = j ? weft_job_failures(j) : 0;
    for (size_t i = 0; status == WEFT_OK && weft_job_get_expectation(j, i, &e); i++)
        note(c, e.found, strlen(e.found));
    if (status == WEFT_OK)
        note(c, &failures, sizeof failures);
    weft_job_free(j);
    return status;
}

/* ---- the machine ---- */

static int load(void *context, weft_machine *m, uint32_t offset, unsigned size, uint32_t *value)
{
    (void)context, (void)m, (void)size;
    *value = offset;
    return 1;
}

static int store(void *context, weft_machine *m, uint32_t offset, unsigned size, uint32_t value)
{
    (void)context, (void)m, (void)offset, (void)size, (void)value;
    return 1;
}

static weft_status machine(struct call *c)
{
    weft_program *p = NULL;
    weft_machine *m = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    char text[200] = "";
    weft_machine_options o = {.size = sizeof o, .sdram = 1 << 20};
    weft_device device = {.size = sizeof device, .first = 0x7e300000, .bytes = 64, .load = load, .store = store};
    weft_machine_stop stop = WEFT_MACHINE_ERROR;
    weft_status status = from_text(c, "vpu", WEFT_STAGE_NONE,
                                   "mov r0, 0\nmov r1, 0\nagain: add r0, r1\nadd r1, 1\ncmp r1, 100\nbne again\n"
                                   "v32mov HY(0,0), r0\nbkpt\n", &p);
    if (status == WEFT_OK)
        status = weft_program_bytes(p, &bytes, &size, c->diags);
    c->begin(c);
    if (status == WEFT_OK)
        status = weft_machine_new(&o, c->diags, &m);
    if (status == WEFT_OK)
        status = weft_machine_add_device(m, &device, c->diags);
    if (status == WEFT_OK)
        status = weft_machine_load(m, "a", bytes, size, 0x1000, c->diags);
    if (status == WEFT_OK)
        status = weft_machine_set_break(m, 0x2000, 1);
    if (status == WEFT_OK)
        status = weft_machine_set_watch(m, 0x3000, 4, WEFT_MACHINE_WATCH_WRITE, 1);
    if (status == WEFT_OK) {
        stop = weft_machine_run(m, 100000);
        weft_machine_stop_text(m, stop, text, sizeof text);
    }
    c->end(c);
    if (status == WEFT_OK && stop == WEFT_MACHINE_ERROR && strstr(text, "memory")) {
        stop = weft_machine_run(m, 100000); /* it can go on */
        status = stop == WEFT_MACHINE_BKPT ? WEFT_ERROR_MEMORY : WEFT_ERROR_INTERNAL;
        c->silent = true;
    }
    if (status == WEFT_OK)
        note(c, text, strlen(text));
    weft_machine_free(m);
    weft_free(bytes);
    weft_program_free(p);
    return status;
}

/* ---- lists of messages ---- */

static weft_status messages(struct call *c)
{
    weft_program *p = NULL;
    c->begin(c);
    weft_diags *d = weft_diags_new();
    c->silent = true;
    weft_status status = d ? weft_program_from_text("nothing", "a", "", 0, NULL, d, &p) : WEFT_ERROR_MEMORY;
    size_t count = d ? weft_diags_count(d) : 0;
    bool told = d && weft_diags_get(d, 0) && weft_diags_get(d, 0)->message[0];
    c->end(c);
    weft_diags_free(d);
    weft_program_free(p);
    if (status != WEFT_ERROR_USAGE)
        return status;
    return count == 1 && told ? WEFT_OK : WEFT_ERROR_INTERNAL;
}

/* ---- folders ---- */

/* A link below a folder leads out of it: without memory it must not be taken for a file that is not there, which is
 * where its folder is. */
static weft_status folders(struct call *c)
{
    char folder[] = "/tmp/weft-folders-XXXXXX", link[64];
    if (!mkdtemp(folder))
        return WEFT_ERROR_INTERNAL;
    snprintf(link, sizeof link, "%s/link", folder);
    bool linked = symlink("/", link) == 0, leads_out, inside = false;
    c->silent = true;
    c->begin(c);
    leads_out = path_is_below(folder, link);
    if (errno != ENOMEM)
        inside = path_is_below(folder, folder);
    int reason = errno;
    c->end(c);
    unlink(link);
    rmdir(folder);
    if (!linked || leads_out)
        return WEFT_ERROR_INTERNAL;
    return inside ? WEFT_OK : reason == ENOMEM ? WEFT_ERROR_MEMORY : WEFT_ERROR_INTERNAL;
}

#define EACH(name, fn) {name " tgsi", fn, 0, false}, {name " tesla", fn, 1, false}, {name " valhall", fn, 2, false}, \
                       {name " vpu", fn, 3, false}, {name " rogue", fn, 4, false}

const struct call_kind calls[] = {
    EACH("text", text_to_text),
    EACH("bytes", bytes_to_bytes),
    EACH("listing", listing_and_check),
    EACH("wrong text", wrong_text),
    EACH("instruction", one_instruction),
    EACH("dispatch", dispatch),
    EACH("hooks", dispatch_hooks),
    {"elf", elf, 0, false},
    {"assembler", assembler, 0, false},
    {"large text", large_text, 0, false},
    {"draw calls", runner_draw, 0, false},
    {"draw quad", draw, 0, false},
    {"draw teapot", draw, WEFT_MESH_TEAPOT, false},
    {"job reduction, traced", job, 0, false},
    {"job cube-map", job, 1, false},
    {"job multisample", job, 2, false},
    {"job instances", job, 3, false},
    {"job tessellation", job, 4, false},
    {"job geometry", job, 5, false},
    {"job vector-add", job, 6, false},
    {"job subgroups", job, 7, false},
    {"job tables", job, 8, false},
    {"job stencil-outline", job, 9, false},
    {"dump raw", dumps, WEFT_DUMP_RAW, false},
    {"dump png", dumps, WEFT_DUMP_PNG, false},
    {"dump csv", dumps, WEFT_DUMP_CSV, false},
    {"failing job", failing_job, 0, false},
    {"checked job", checked_job, 0, false},
    {"machine", machine, 0, false},
    {"messages", messages, 0, false},
    {"folders", folders, 0, false},
    {"dispatch by the JIT", dispatch_jit, 0, true},
};
const size_t ncalls = sizeof calls / sizeof calls[0];
