/* trace.c - what chosen invocations of a job do, instruction by instruction.
 *
 * A pass puts a PROBE after each guest instruction, whose arguments are the system values that tell invocations apart
 * and then what the instruction wrote. The probe writes a line of JSON for each chosen invocation among its lanes. */
#include "script/run.h"

#include "ir/build.h"
#include "base/text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGS = 16, MOST_NAMES = MOST_ARGS, TRACE_LIMIT = 256 << 20, CONTROL_TEXT = 1024 };

/* What one PROBE shows; its imm is the number of it. */
struct trace_point {
    const struct ir_program *ir;
    const struct script_shader *shader;
    uint32_t insn;
    uint32_t line; /* of the script, or of the shader's own file; 0: none */
    bool start;    /* what the program begins with, before its first instruction */
    uint8_t keys, results;
    uint8_t type[MOST_NAMES]; /* enum ir_type of the results */
    const char *name[MOST_NAMES];
};

struct trace {
    struct weft_job *j;
    struct trace_point *points;
    size_t count, cap;
    char *text;
    size_t size;
    FILE *out;
    bool full;
    /* Of the draw or dispatch that runs. */
    uint32_t height;
    uint32_t groups[3];
};

/* ---- the pass ---- */

/* "sum", "color.x" or "rows[5]"; NULL: it is not in a variable of the source. */
static const char *variable_name(struct trace *t, const struct ir_program *p, const struct ir_reg *r)
{
    for (uint32_t i = 0; i < p->nvariables; i++) {
        const struct ir_variable *v = &p->variables[i];
        if (v->file != r->file || r->elem < v->first || r->elem - v->first >= v->count)
            continue;
        uint32_t n = r->elem - v->first;
        return v->count == 1 ? v->name
               : v->vector   ? arena_printf(&t->j->arena, "%s.%c", v->name, "xyzw"[n & 3])
                             : arena_printf(&t->j->arena, "%s[%u]", v->name, n);
    }
    return NULL;
}

static const char *result_name(struct trace *t, const struct ir_program *p, const struct ir_op *op)
{
    if (op->code == IR_OUTPUT)
        return arena_printf(&t->j->arena, "OUT[%u].%c", op->desc, "xyzw"[op->imm & 3]);
    const struct ir_reg *r = &p->regs[op->desc];
    const struct ir_file *file = &p->files[r->file];
    const char *name = variable_name(t, p, r);
    if (name)
        return name;
    if (file->vectors)
        return arena_printf(&t->j->arena, "%s[%u].%c", file->name, r->elem / 4, "xyzw"[r->elem % 4]);
    if (r->shift)
        return arena_printf(&t->j->arena, "%s%u>>%u", file->name, r->elem, r->shift);
    return arena_printf(&t->j->arena, "%s%u", file->name, r->elem);
}

/* Hexadecimal digits of a result; 0: one that is not shown. */
static unsigned digits_of(uint8_t type)
{
    switch (type) {
    case IR_F32:
    case IR_I32:
        return 8;
    case IR_F16:
    case IR_I16:
        return 4;
    default:
        return 0;
    }
}

/* Add what an op wrote to a point. */
static void add_result(struct trace *t, struct ir_program *p, const struct ir_op *op, struct trace_point *point,
                       ir_value *args)
{
    if ((op->code != IR_SET && op->code != IR_OUTPUT) || op->nargs != 1 || point->keys + point->results == MOST_ARGS)
        return;
    ir_value v = p->pool[op->args];
    uint8_t type = p->value_type[v];
    if (digits_of(type) == 0)
        return;
    args[point->keys + point->results] = v;
    point->type[point->results] = type;
    point->name[point->results++] = result_name(t, p, op);
}

/* Where an instruction is: a shader within the script counts the script's lines. */
static uint32_t line_of(const struct trace *t, const struct ir_program *p, const struct script_shader *s, uint32_t insn)
{
    uint32_t line = insn < p->ninsns ? p->insns[insn].line : 0;
    return line && s->text && !p->insns[insn].source ? line + source_line(&t->j->source, s->body.offset) - 1 : line;
}

static void add_point(struct trace *t, struct ir_builder *b, const struct script_shader *s, const struct ir_op *ops,
                      uint32_t count)
{
    ir_value args[MOST_ARGS];
    struct trace_point point = {
        .ir = b->p, .shader = s, .insn = ops[0].insn, .line = line_of(t, b->p, s, ops[0].insn)};
    point.start = b->block == IR_ENTRY && b->p->blocks[IR_ENTRY].insns == 0;
    point.keys = (uint8_t)ir_invocation(b, args);
    for (uint32_t i = 0; i < count; i++)
        add_result(t, b->p, &ops[i], &point, args);
    struct trace_point *more = arena_grow(&t->j->arena, t->points, sizeof *more, t->count, &t->cap, t->count + 1);
    if (!more)
        return;
    t->points = more;
    ir_emit(b, IR_PROBE, IR_VOID, 0, 0, args, point.keys + point.results, 0, t->count, 0);
    t->points[t->count++] = point;
}

static void append(struct ir_program *p, uint32_t block, const struct ir_op *op)
{
    struct ir_block *b = &p->blocks[block];
    struct ir_op *ops = arena_grow(p->arena, b->ops, sizeof *ops, b->count, &b->cap, b->count + 1);
    if (!ops)
        return;
    b->ops = ops;
    b->ops[b->count++] = *op;
}

static bool ends_block(const struct ir_op *op)
{
    return (ir_op_info[op->code].flags & IR_OP_TERM) != 0;
}

void job_trace_instrument(struct trace *t, struct ir_program *p, const struct script_shader *s)
{
    if (p->stage != IR_VERTEX && p->stage != IR_FRAGMENT && p->stage != IR_COMPUTE)
        return;
    for (uint32_t block = IR_ENTRY; block < p->nblocks; block++) {
        struct ir_op *ops = p->blocks[block].ops;
        uint32_t count = p->blocks[block].count;
        p->blocks[block].ops = NULL;
        p->blocks[block].count = 0;
        p->blocks[block].cap = 0;
        for (uint32_t first = 0, next; first < count; first = next) {
            struct ir_builder b = {p, block, ops[first].insn};
            for (next = first; next < count && ops[next].insn == ops[first].insn && !ends_block(&ops[next]); next++)
                append(p, block, &ops[next]);
            /* A terminator's instruction is shown before it; so is one of its own that came before. */
            bool shown = first > 0 && ops[first - 1].insn == ops[first].insn;
            if (next > first || (ops[next].code == IR_CONTROL && !shown))
                add_point(t, &b, s, &ops[first], next - first);
            if (next == first)
                append(p, block, &ops[next++]);
        }
    }
}

/* ---- the probe ---- */

static uint32_t word(const void *row, unsigned lane)
{
    return ((const uint32_t *)row)[lane];
}

static bool chosen(const struct trace *t, const struct trace_point *point, const void *const *args, unsigned lane,
                   uint64_t *id)
{
    const struct weft_job_params *p = &t->j->params;
    if (point->ir->stage == IR_FRAGMENT) {
        uint32_t x = (uint32_t)((const float *)args[0])[lane], y = (uint32_t)((const float *)args[1])[lane];
        if (point->ir->io.origin_lower_left)
            y = t->height - 1 - y;
        *id = ((uint64_t)y << 32) | x;
        return p->trace == WEFT_TRACE_PIXEL && x == p->trace_x && y == p->trace_y;
    }
    if (point->ir->stage == IR_VERTEX) {
        *id = word(args[0], lane);
    } else {
        const uint16_t *size = point->ir->io.block;
        uint64_t n[3];
        for (unsigned c = 0; c < 3; c++)
            n[c] = size[c] ? size[c] : 1;
        uint64_t group = word(args[0], lane) +
                         t->groups[0] * (word(args[1], lane) + (uint64_t)t->groups[1] * word(args[2], lane));
        uint64_t own = word(args[3], lane) + n[0] * (word(args[4], lane) + n[1] * word(args[5], lane));
        *id = group * n[0] * n[1] * n[2] + own;
    }
    return p->trace == WEFT_TRACE_INVOCATION && *id == p->trace_id;
}

static void write_text(FILE *out, const char *s)
{
    fputc('"', out);
    for (; *s; s++)
        fprintf(out, *s == '"' || *s == '\\' ? "\\%c" : (unsigned char)*s < 0x20 ? "\\u%04x" : "%c", *s);
    fputc('"', out);
}

/* A register and what it got: `"r4":"0x3f800000"`. */
static void write_result(FILE *out, const struct trace_point *point, unsigned i, const void *row, unsigned lane)
{
    unsigned digits = digits_of(point->type[i]);
    uint32_t value = digits == 4 ? ((const uint16_t *)row)[lane] : word(row, lane);
    fputs(i ? "," : "", out);
    write_text(out, point->name[i] ? point->name[i] : "?");
    fprintf(out, ":\"0x%0*x\"", (int)digits, value);
}

/* What the control policy says of the warp: stacks, waiting lanes. */
static void write_control(FILE *out, const struct exec_warp *w)
{
    char line[CONTROL_TEXT];
    if (exec_describe(w, line, sizeof line) <= 0)
        return;
    fputs(",\"control\":", out);
    write_text(out, line);
}

void job_trace_probe(void *context, struct exec_warp *w, const struct ir_op *op, const void *const *args)
{
    struct trace *t = context;
    const struct trace_point *point = &t->points[op->imm];
    const struct ir_insn *insn = point->insn < point->ir->ninsns ? &point->ir->insns[point->insn] : NULL;
    lane_mask mask = exec_active(w);
    for (unsigned lane = 0; lane < 64 && !t->full; lane++) {
        uint64_t id;
        if (!(mask >> lane & 1) || !chosen(t, point, args, lane, &id))
            continue;
        fprintf(t->out, "{\"stage\":\"%s\",\"shader\":", weft_stage_name((weft_stage)point->ir->stage));
        write_text(t->out, point->shader->name);
        if (point->ir->stage == IR_FRAGMENT)
            fprintf(t->out, ",\"x\":%u,\"y\":%u", (unsigned)id, (unsigned)(id >> 32));
        else
            fprintf(t->out, ",\"id\":%llu", (unsigned long long)id);
        if (point->ir->stage == IR_VERTEX)
            fprintf(t->out, ",\"instance\":%u", word(args[1], lane));
        fprintf(t->out, ",\"address\":%llu,\"line\":%u,\"lane\":%u,\"mask\":\"%016llx\"",
                (unsigned long long)(insn ? insn->addr : 0), point->line, lane, (unsigned long long)mask);
        if (insn && insn->source && insn->source < point->ir->nsources) {
            fputs(",\"source\":", t->out);
            write_text(t->out, point->ir->sources[insn->source]);
        }
        if (point->start)
            fputs(",\"kind\":\"start\"", t->out);
        write_control(t->out, w);
        fputs(",\"results\":{", t->out);
        for (unsigned i = 0; i < point->results; i++)
            write_result(t->out, point, i, args[point->keys + i], lane);
        fputs("}}\n", t->out);
        t->full = ftell(t->out) > TRACE_LIMIT;
    }
}

/* ---- life ---- */

struct trace *job_trace_new(struct weft_job *j)
{
    struct trace *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->j = j;
    t->out = text_stream(&t->text, &t->size);
    if (!t->out) {
        free(t);
        return NULL;
    }
    return t;
}

void job_trace_target(struct trace *t, uint32_t height, const uint32_t groups[3])
{
    t->height = height;
    if (groups)
        memcpy(t->groups, groups, sizeof t->groups);
}

/* A trace without what was asked for says so. */
void job_trace_report(const struct trace *t, weft_diags *diags)
{
    const struct weft_job *j = t->j;
    if (t->full)
        diag_add(diags, WEFT_WARNING, "trace-ends", j->source.name, NULL,
                 "the trace ends after 256 MiB: what ran later is not in it");
    else if (t->size == 0)
        diag_add(diags, WEFT_WARNING, "nothing-traced", j->source.name,
                 j->params.trace == WEFT_TRACE_PIXEL
                     ? "a pixel chooses fragments, and a number vertices and invocations"
                     : "a number chooses vertices and invocations, and a pixel fragments",
                 "nothing was traced: %llu invocations, %llu vertices and %llu fragments ran, and none was chosen",
                 (unsigned long long)j->stats.invocations, (unsigned long long)j->stats.vertices,
                 (unsigned long long)j->stats.fragments);
}

bool job_trace_end(struct trace *t)
{
    if (!t->out)
        return true;
    bool fine = text_stream_close(t->out);
    if (!fine)
        t->size = 0;
    t->out = NULL;
    return fine;
}

void job_trace_free(struct trace *t)
{
    if (!t)
        return;
    job_trace_end(t);
    free(t->text);
    free(t);
}

const char *weft_job_trace(const weft_job *job, size_t *size)
{
    *size = job->trace ? job->trace->size : 0;
    return job->trace && job->trace->text ? job->trace->text : "";
}
