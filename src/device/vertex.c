/* vertex.c - the vertex stage: attributes into rows, warps of 64 vertices, outputs kept as rows. */
#include "device/vertex.h"
#include "device/warps.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 64 };

/* Rows of numbers that the stage makes. */
enum { VERTEX_ID, VERTEX_ID_NOBASE, INSTANCE_ID, BASE_VERTEX, BASE_INSTANCE, DRAW_ID, NUMBERS };
static const uint8_t number_sysval[NUMBERS] = {[VERTEX_ID] = IR_SYS_VERTEX_ID,
                                               [VERTEX_ID_NOBASE] = IR_SYS_VERTEX_ID_NOBASE,
                                               [INSTANCE_ID] = IR_SYS_INSTANCE_ID,
                                               [BASE_VERTEX] = IR_SYS_BASE_VERTEX,
                                               [BASE_INSTANCE] = IR_SYS_BASE_INSTANCE,
                                               [DRAW_ID] = IR_SYS_DRAW_ID};

struct vertex_stage {
    const struct pipeline *p;
    const struct vertex_source *source;
    struct vertices *out;
    struct failure *failure;
    struct exec_env env;
    struct warps warps;
    const void **attr; /* inputs * 4 */
    void **output;     /* outputs * 4 */
    const void *sysval[IR_SYSVALS * 4];
    uint32_t *rows; /* of the attributes, then of the numbers below */
    uint64_t vertices;
};

void vertex_stage_free(struct vertex_stage *s, struct pipeline_stats *stats)
{
    if (!s)
        return;
    if (stats) {
        struct exec_counts counts = warps_counts(&s->warps);
        stats->vertices += s->vertices;
        stats->instructions += counts.lane_insns;
        stats->bad_accesses += counts.bad_access;
        outside_add(&stats->outside, s->p->vertex.ir, s->p->vertex.source, &counts, 0);
    }
    warps_free(&s->warps);
    free(s->attr);
    free(s->output);
    free(s->rows);
    free(s);
}

/* What is added to an index, or to the number of a vertex, to get VERTEX_ID. */
static uint32_t base_of(const struct pipeline *p)
{
    return p->indices ? (uint32_t)p->base_vertex : p->first_vertex;
}

static weft_status vertex_service(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                                  void *const *results);
static void vertex_texture(void *device, const struct exec_texture_call *call);

static bool reads_any_vertex(const struct ir_program *ir)
{
    for (uint32_t b = 0; b < ir->nblocks; b++)
        for (uint32_t i = 0; i < ir->blocks[b].count; i++)
            if (ir->blocks[b].ops[i].code == IR_SERVICE && ir->blocks[b].ops[i].imm == IR_SVC_ATTRIBUTE)
                return true;
    return false;
}

struct vertex_stage *vertex_stage_new(const struct pipeline *p, const struct vertex_source *source,
                                      struct vertices *out, struct failure *f)
{
    const struct ir_io *io = &p->vertex.ir->io;
    struct vertex_stage *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->p = p;
    s->source = source;
    s->out = out;
    s->failure = f;
    s->attr = calloc(io->ninputs * 4 + 1, sizeof *s->attr);
    s->output = calloc(io->noutputs * 4 + 1, sizeof *s->output);
    s->rows = aligned_alloc(64, ((size_t)io->ninputs * 4 + NUMBERS) * LANES * sizeof *s->rows);
    bool warps = warps_new(&s->warps, p->vertex.program, p->vertex.ir);
    if (!warps || !s->attr || !s->output || !s->rows) {
        vertex_stage_free(s, NULL);
        return NULL;
    }
    for (uint32_t i = 0; i < io->ninputs * 4; i++)
        s->attr[i] = s->rows + (size_t)i * LANES;
    uint32_t *numbers = s->rows + (size_t)io->ninputs * 4 * LANES;
    for (unsigned i = 0; i < NUMBERS; i++)
        s->sysval[number_sysval[i] * 4] = numbers + (size_t)i * LANES;
    for (unsigned lane = 0; lane < LANES; lane++) {
        numbers[BASE_VERTEX * LANES + lane] = base_of(p);
        numbers[BASE_INSTANCE * LANES + lane] = p->base_instance;
        numbers[DRAW_ID * LANES + lane] = p->draw_id;
    }
    bind_resources(&p->resources, p->vertex.ir, &s->env);
    s->env.attr = s->attr;
    s->env.output = s->output;
    s->env.sysval = s->sysval;
    if (reads_any_vertex(p->vertex.ir)) {
        s->env.device = s;
        s->env.service = vertex_service;
        s->env.texture = vertex_texture;
    }
    weft_status status = warps_bind(&s->warps, &s->env);
    if (status != WEFT_OK)
        failure_set(f, status, p->vertex.ir, 0, NULL);
    return s;
}

/* Where an element of an attribute is; NULL: past the end of its buffer. */
static const uint8_t *element_at(const struct attribute *a, uint32_t index)
{
    size_t at;
    bool wraps = __builtin_mul_overflow((size_t)index, a->stride, &at) || __builtin_add_overflow(at, a->offset, &at);
    return !wraps && at <= a->size && a->size - at >= a->format->bytes ? a->data + at : NULL;
}

/* One element of an attribute, as bits; vertices past the end of its buffer are zeros. */
static void fetch(const struct attribute *a, uint32_t index, uint32_t value[4])
{
    static const uint32_t absent[4] = {0, 0, 0, 0x3f800000u};
    const uint8_t *element = a->format ? element_at(a, index) : NULL;
    if (!a->format)
        memcpy(value, absent, sizeof absent);
    else if (element && a->format->layout == FORMAT_FLOATS4)
        memcpy(value, element, 4 * sizeof *value);
    else if (element)
        format_decode_words(a->format, element, value);
    else
        memset(value, 0, 4 * sizeof *value);
}

/* Two channels of 64 bits, from `first` on; zeros where the format has none. */
static void fetch_wide(const struct attribute *a, uint32_t index, unsigned first, uint32_t value[4])
{
    const uint8_t *element = a->format ? element_at(a, index) : NULL;
    for (unsigned c = 0; c < 2; c++) {
        const struct format_channel *channel = element ? &a->format->channel[first + c] : NULL;
        uint64_t bits = channel && channel->bits == 64 ? format_channel_get(channel, element) : 0;
        value[2 * c] = (uint32_t)bits;
        value[2 * c + 1] = (uint32_t)(bits >> 32);
    }
}

static uint32_t converted(enum format_class from, enum ir_convert to, uint32_t bits)
{
    float v = 0;
    memcpy(&v, &bits, sizeof v);
    if (to == IR_CONVERT_FLOAT) {
        v = from == FORMAT_CLASS_SINT ? (float)(int32_t)bits : (float)bits;
        memcpy(&bits, &v, sizeof bits);
        return bits;
    }
    double low = to == IR_CONVERT_SIGNED ? (double)INT32_MIN : 0;
    double high = to == IR_CONVERT_SIGNED ? (double)INT32_MAX : (double)UINT32_MAX;
    double held = (double)v < low ? low : (double)v > high ? high : (double)v;
    return v != v ? 0 : to == IR_CONVERT_SIGNED ? (uint32_t)(int32_t)held : (uint32_t)held;
}

/* Numbers of another kind than the attribute's, where the input asks for it. */
static void convert(const struct attribute *a, const struct ir_slot *slot, uint32_t value[4])
{
    enum format_class from = a->format ? format_class(a->format) : FORMAT_CLASS_FLOAT;
    if (slot->convert == IR_CONVERT_NONE || (slot->convert == IR_CONVERT_FLOAT) == (from == FORMAT_CLASS_FLOAT))
        return;
    for (unsigned c = 0; c < 4; c++)
        value[c] = converted(from, (enum ir_convert)slot->convert, value[c]);
}

/* Which attribute an input is of. */
static const struct attribute *attribute_of(const struct vertex_stage *s, const struct ir_slot *slot)
{
    static const struct attribute none;
    unsigned number = slot->index - (slot->convert == IR_CONVERT_WIDE_REST);
    return number < PIPELINE_ATTRIBUTES ? &s->p->attribute[number] : &none;
}

/* What an input gets of an element. */
static void fetch_input(const struct attribute *a, const struct ir_slot *slot, uint32_t index, uint32_t value[4])
{
    if (slot->convert == IR_CONVERT_WIDE || slot->convert == IR_CONVERT_WIDE_REST) {
        fetch_wide(a, index, slot->convert == IR_CONVERT_WIDE ? 0 : 2, value);
        return;
    }
    fetch(a, index, value);
    convert(a, slot, value);
}

/* Attribute rows of `count` vertices whose numbers and instances are in rows. */
static void fetch_rows(const struct vertex_stage *s, const struct ir_slot *slot, uint32_t count,
                       const uint32_t *numbers, uint32_t *row)
{
    const struct attribute *a = attribute_of(s, slot);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t value[4] = {0};
        uint32_t instance = numbers[INSTANCE_ID * LANES + lane];
        uint32_t index = a->divisor ? s->p->base_instance + instance / a->divisor : numbers[VERTEX_ID * LANES + lane];
        if (lane < count)
            fetch_input(a, slot, index, value);
        for (unsigned c = 0; c < 4; c++)
            row[c * LANES + lane] = value[c];
    }
}

/* The attribute of a slot of any vertex and instance. */
static void fetch_lanes(const struct vertex_stage *s, const struct ir_slot *slot, lane_mask lanes,
                        const uint32_t *vertex, const uint32_t *instance, void *const *results)
{
    const struct attribute *a = attribute_of(s, slot);
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        uint32_t value[4];
        fetch_input(a, slot, a->divisor ? s->p->base_instance + instance[lane] / a->divisor : vertex[lane], value);
        for (unsigned c = 0; c < 4; c++)
            if (results[c])
                ((uint32_t *)results[c])[lane] = value[c];
    }
}

static weft_status vertex_service(void *device, struct exec_warp *w, const struct ir_op *op, const void *const *args,
                                  void *const *results)
{
    const struct vertex_stage *s = device;
    const struct ir_io *io = &s->p->vertex.ir->io;
    if (op->code != IR_SERVICE || op->imm != IR_SVC_ATTRIBUTE)
        return resource_service(&s->p->resources, w, op, args, results);
    if (op->desc >= io->ninputs)
        return WEFT_ERROR_INPUT;
    fetch_lanes(s, &io->inputs[op->desc], exec_active(w), args[0], args[1], results);
    return WEFT_OK;
}

static void vertex_texture(void *device, const struct exec_texture_call *call)
{
    const struct vertex_stage *s = device;
    resource_texture(&s->p->resources, call);
}

void vertex_stage_run(struct vertex_stage *s, uint32_t warp)
{
    const struct ir_io *io = &s->p->vertex.ir->io;
    const struct vertex_source *source = s->source;
    uint32_t first = warp * LANES, count = s->out->count - first < LANES ? s->out->count - first : LANES;
    uint32_t *numbers = s->rows + (size_t)io->ninputs * 4 * LANES;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t place = (first + lane) % source->count, instance = (first + lane) / source->count;
        uint32_t vertex = source->elements ? source->elements[place] : source->first + place;
        numbers[VERTEX_ID * LANES + lane] = vertex;
        numbers[VERTEX_ID_NOBASE * LANES + lane] = vertex - base_of(s->p);
        numbers[INSTANCE_ID * LANES + lane] = source->first_instance + instance;
    }
    for (uint32_t i = 0; i < io->ninputs; i++)
        fetch_rows(s, &io->inputs[i], count, numbers, s->rows + (size_t)i * 4 * LANES);
    for (uint32_t i = 0; i < io->noutputs; i++)
        for (unsigned c = 0; c < 4; c++)
            s->output[i * 4 + c] = vertex_row(s->out, warp, i, c);
    lane_mask lanes = count == LANES ? ~(lane_mask)0 : ((lane_mask)1 << count) - 1;
    if (warps_run(&s->warps, lanes, lanes, s->p->budget, s->failure))
        s->vertices += count;
}

/* ---- which vertices a draw shades ---- */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The place of a number in a sorted list that has it. */
static uint32_t place_of(const uint32_t *list, uint32_t count, uint32_t number)
{
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool is_restart(const struct pipeline *p, uint32_t index)
{
    return p->restart && index == p->restart_index;
}

/* The vertices that the indices name: all of their range where that is not much more, else each in a list. */
static bool gather_indices(const struct pipeline *p, struct vertex_source *source)
{
    uint32_t *own = malloc(((size_t)p->index_count + 1) * sizeof *own), least = UINT32_MAX, most = 0, n = 0;
    if (!own)
        return false;
    for (uint32_t i = 0; i < p->index_count; i++) {
        uint32_t vertex = p->indices[i] + (uint32_t)p->base_vertex;
        own[i] = is_restart(p, p->indices[i]) ? RESTART : vertex;
        if (is_restart(p, p->indices[i]))
            continue;
        least = vertex < least ? vertex : least;
        most = vertex > most ? vertex : most;
        n++;
    }
    source->indices = source->own_indices = own;
    if (!n)
        return true;
    if ((uint64_t)most - least < 2 * (uint64_t)n + 1024) {
        source->first = least;
        source->count = most - least + 1;
        for (uint32_t i = 0; i < p->index_count; i++)
            own[i] = is_restart(p, p->indices[i]) ? RESTART : own[i] - least;
        return true;
    }
    uint32_t *list = malloc((size_t)n * sizeof *list), unique = 0;
    if (!list)
        return false;
    n = 0;
    for (uint32_t i = 0; i < p->index_count; i++)
        if (!is_restart(p, p->indices[i]))
            list[n++] = own[i];
    qsort(list, n, sizeof *list, compare_numbers);
    for (uint32_t i = 0; i < n; i++)
        if (!unique || list[unique - 1] != list[i])
            list[unique++] = list[i];
    for (uint32_t i = 0; i < p->index_count; i++)
        own[i] = is_restart(p, p->indices[i]) ? RESTART : place_of(list, unique, own[i]);
    source->elements = list;
    source->count = unique;
    return true;
}

bool vertex_source_init(struct vertex_source *source, const struct pipeline *p)
{
    *source = (struct vertex_source){.first = p->indices ? 0 : p->first_vertex, .count = p->vertex_count,
                                     .indices = p->indices, .restart_index = p->restart_index};
    if (!p->indices || (p->vertex_count && !p->base_vertex))
        return true;
    source->count = 0;
    source->restart_index = RESTART;
    return gather_indices(p, source);
}

void vertex_source_free(struct vertex_source *source)
{
    free(source->own_indices);
    free(source->elements);
    *source = (struct vertex_source){0};
}
