/* step.c - from a probe to the caller's hook, and what the hook may ask about the warp. */
#include "run/runner.h"

#include "base/sized.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weft_step {
    weft_runner *r;
    const struct runner_point *point;
    struct runner_program *program;
    struct exec_warp *warp;
    const void *const *args;
    lane_mask lanes;
};

/* ---- probes ---- */

static void set_flag(struct exec_warp *w, unsigned file, unsigned lane, bool on)
{
    ((uint32_t *)exec_warp_register(w, file, 0))[lane] = on ? UINT32_MAX : 0;
}

static uint64_t address_of(const struct weft_step *s, const struct ir_mem *m, unsigned lane)
{
    const struct ir_program *ir = s->program->stage.ir;
    const struct ir_space *space = &ir->spaces[m->space];
    const void *row = s->args[s->point->keys];
    uint64_t base = s->point->wide ? ((const uint64_t *)row)[lane] : ((const uint32_t *)row)[lane];
    uint64_t address = base + (uint64_t)m->offset;
    if (m->align > 1)
        address &= ~(uint64_t)(m->align - 1);
    if (space->bounds == IR_BOUNDS_WRAP && space->size)
        address &= space->size - 1;
    return address;
}

static weft_answer ask(struct weft_step *s, unsigned lane)
{
    static const weft_space kinds[] = {[IR_SPACE_CONST] = WEFT_SPACE_CONSTANTS, [IR_SPACE_GLOBAL] = WEFT_SPACE_BUFFER,
                                       [IR_SPACE_SHARED] = WEFT_SPACE_SHARED,   [IR_SPACE_PRIVATE] = WEFT_SPACE_PRIVATE,
                                       [IR_SPACE_INPUT] = WEFT_SPACE_INPUT,     [IR_SPACE_BUS] = WEFT_SPACE_FLAT};
    const struct ir_program *ir = s->program->stage.ir;
    const struct ir_mem *m = &ir->mems[s->point->mem];
    const struct ir_space *space = &ir->spaces[m->space];
    const weft_access access = {.space = kinds[space->kind],
                                .number = space->slot,
                                .address = address_of(s, m, lane),
                                .size = ir_type_bits((enum ir_type)m->elem) / 8 * m->count,
                                .reads = s->point->reads,
                                .writes = s->point->writes,
                                .lane = lane};
    return s->r->options.access(s->r->options.context, s, &access);
}

static void probe_access(struct weft_step *s)
{
    const struct ir_program *ir = s->program->stage.ir;
    unsigned file = s->point->uniform ? s->program->refused_all : s->program->refused;
    for (unsigned lane = 0; lane < ir->lanes; lane++) {
        if (!(s->lanes >> lane & 1))
            continue;
        weft_answer answer = ask(s, lane);
        set_flag(s->warp, file, s->point->uniform ? 0 : lane, answer == WEFT_REFUSE);
        if (answer != WEFT_GO_ON && answer != WEFT_REFUSE)
            set_flag(s->warp, s->program->stopped, 0, true);
        if (s->point->uniform || (answer != WEFT_GO_ON && answer != WEFT_REFUSE))
            return;
    }
}

void runner_probe(void *runner, struct exec_warp *w, const struct ir_op *op, const void *const *args)
{
    weft_runner *r = runner;
    const struct runner_point *point = &r->points[op->imm];
    struct weft_step step = {r, point, point->program, w, args, exec_active(w)};
    if (!step.lanes)
        return;
    if (point->mem != RUNNER_NO_ACCESS)
        probe_access(&step);
    else if (r->options.instruction(r->options.context, &step) != WEFT_GO_ON)
        set_flag(w, point->program->stopped, 0, true);
}

/* ---- the instruction ---- */

static const struct ir_insn *insn_of(const struct weft_step *s)
{
    return &s->program->stage.ir->insns[s->point->insn];
}

const weft_program *weft_step_program(const weft_step *s)
{
    return s->program->program;
}
weft_stage weft_step_stage(const weft_step *s)
{
    return (weft_stage)s->program->stage.ir->stage;
}
uint64_t weft_step_address(const weft_step *s)
{
    return insn_of(s)->addr;
}
uint64_t weft_step_lanes(const weft_step *s)
{
    return s->lanes;
}

uint32_t weft_step_line(const weft_step *s)
{
    return program_source(s->program->program) && !insn_of(s)->source ? insn_of(s)->line : 0;
}

/* A line without the white space around it, in the runner's arena. */
static const char *keep_line(weft_runner *r, const char *line, const char *end)
{
    const char *newline = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
    end = newline ? newline : end;
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    while (line < end && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    return arena_strndup(&r->arena, line, (size_t)(end - line));
}

static const char *find_source_line(struct weft_step *s, const struct source *source)
{
    const char *at = source->text, *end = at + source->size;
    for (uint32_t line = insn_of(s)->line; line > 1 && at < end; line--) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    return insn_of(s)->line && !insn_of(s)->source ? keep_line(s->r, at, end) : "";
}

/* In a listing without places instructions have their numbers before them. */
static const char *find_number(weft_runner *r, const char *text, size_t size, uint64_t number)
{
    const char *at = text, *end = text + size;
    while (at < end) {
        char *after;
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        unsigned long long is = strtoull(at, &after, 10);
        if (after > at && *after == ':' && is == number)
            return keep_line(r, after + 1, end);
        at = newline ? newline + 1 : end;
    }
    return "";
}

/* The listing, looked through for this instruction and all others of the program at once. */
static void read_listing(weft_runner *r, struct runner_program *p)
{
    const struct ir_program *ir = p->stage.ir;
    char *text = NULL;
    size_t size = 0, count = 0;
    weft_place *places = NULL;
    weft_status status = weft_program_listing(p->program, &text, &size, &places, &count);
    r->no_text |= status == WEFT_ERROR_MEMORY;
    if (status != WEFT_OK)
        return;
    for (uint32_t i = 0; i < ir->ninsns; i++) {
        uint64_t address = ir->insns[i].addr;
        size_t low = 0, high = count;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (places[middle].address < address)
                low = middle + 1;
            else
                high = middle;
        }
        if (count == 0)
            p->line[i] = find_number(r, text, size, address);
        else if (low < count && places[low].address == address)
            p->line[i] = keep_line(r, text + places[low].line, text + size);
    }
    weft_free(places);
    weft_free(text);
}

const char *weft_step_text(weft_step *s)
{
    struct runner_program *p = s->program;
    const struct source *source = program_source(p->program);
    uint32_t insn = s->point->insn;
    if (!p->line) {
        p->line = ARENA_ARRAY(&s->r->arena, const char *, p->stage.ir->ninsns + 1);
        if (p->line && !source)
            read_listing(s->r, p);
    }
    if (p->line && !p->line[insn] && source)
        p->line[insn] = find_source_line(s, source);
    s->r->no_text |= arena_failed(&s->r->arena);
    return p->line && p->line[insn] ? p->line[insn] : "";
}

/* ---- invocations ---- */

static uint32_t word(const struct weft_step *s, unsigned arg, unsigned lane)
{
    return ((const uint32_t *)s->args[arg])[lane];
}

static void compute_invocation(const struct weft_step *s, unsigned lane, weft_invocation *out)
{
    const uint32_t *groups = s->r->groups;
    uint64_t size[3];
    for (unsigned c = 0; c < 3; c++) {
        uint32_t own = s->program->stage.ir->io.block[c], given = s->r->options.block[c];
        size[c] = own ? own : given ? given : 1;
        out->group[c] = word(s, c, lane);
        out->local[c] = word(s, 3 + c, lane);
    }
    uint64_t group = out->group[0] + groups[0] * (out->group[1] + (uint64_t)groups[1] * out->group[2]);
    uint64_t own = out->local[0] + size[0] * (out->local[1] + size[1] * out->local[2]);
    out->number = group * size[0] * size[1] * size[2] + own;
}

static void fragment_invocation(const struct weft_step *s, unsigned lane, weft_invocation *out)
{
    out->x = (uint32_t)(int32_t)((const float *)s->args[0])[lane];
    out->y = (uint32_t)(int32_t)((const float *)s->args[1])[lane];
    if (s->program->stage.ir->io.origin_lower_left)
        out->y = s->r->height - 1 - out->y;
    out->number = (uint64_t)out->y * s->r->width + out->x;
}

weft_status weft_step_invocation(const weft_step *s, unsigned lane, weft_invocation *out)
{
    weft_invocation found = {0};
    if (lane >= 64 || !(s->lanes >> lane & 1))
        return WEFT_ERROR_USAGE;
    switch (s->program->stage.ir->stage) {
    case IR_FRAGMENT:
        fragment_invocation(s, lane, &found);
        break;
    case IR_VERTEX:
        found.number = word(s, 0, lane);
        found.instance = word(s, 1, lane);
        break;
    default:
        compute_invocation(s, lane, &found);
        break;
    }
    return sized_return(out, SIZED_FIRST(weft_invocation, y), &found, sizeof found);
}

/* ---- registers ---- */

int weft_step_register_file(const weft_step *s, size_t index, weft_register_file *out)
{
    const struct ir_program *ir = s->program->stage.ir;
    if (index >= s->program->refused) /* what hooks added is not the program's */
        return 0;
    const struct ir_file *f = &ir->files[index];
    const weft_register_file found = {
        .name = f->name, .bits = f->bits, .count = f->count, .per_warp = f->uniform, .vectors = f->vectors};
    return sized_return(out, SIZED_FIRST(weft_register_file, vectors), &found, sizeof found) == WEFT_OK;
}

/* The place of a register, and its width; NULL: none. */
static void *find_register(const struct weft_step *s, const char *name, uint32_t number, unsigned lane, uint32_t *bits)
{
    const struct ir_program *ir = s->program->stage.ir;
    for (unsigned i = 0; i < s->program->refused && name && lane < ir->lanes; i++) {
        const struct ir_file *f = &ir->files[i];
        if (strcmp(f->name, name) != 0)
            continue;
        if (number >= f->count)
            return NULL;
        *bits = f->bits;
        return (char *)exec_warp_register(s->warp, i, number) + (f->uniform ? 0 : lane) * (f->bits == 64 ? 8u : 4u);
    }
    return NULL;
}

weft_status weft_step_read(const weft_step *s, const char *file, uint32_t number, unsigned lane, uint64_t *value)
{
    uint32_t bits = 0, low = 0;
    const void *at = find_register(s, file, number, lane, &bits);
    if (!at)
        return WEFT_ERROR_USAGE;
    if (bits == 64) {
        memcpy(value, at, 8);
        return WEFT_OK;
    }
    memcpy(&low, at, 4);
    *value = bits == 1 ? low != 0 : low;
    return WEFT_OK;
}

weft_status weft_step_write(weft_step *s, const char *file, uint32_t number, unsigned lane, uint64_t value)
{
    uint32_t bits = 0;
    void *at = s->point->mem == RUNNER_NO_ACCESS ? find_register(s, file, number, lane, &bits) : NULL;
    if (!at)
        return WEFT_ERROR_USAGE;
    uint32_t low =
        bits == 1 ? (value & 1 ? UINT32_MAX : 0) : (uint32_t)(bits < 32 ? value & ((1u << bits) - 1) : value);
    memcpy(at, bits == 64 ? (const void *)&value : &low, bits == 64 ? 8 : 4);
    return WEFT_OK;
}
