/* expect.c - expectations.
 *
 * Values are compared as the buffer's type has them: what is wanted is first stored as that type, so that 0.1 is what
 * a float holds. Pixels are compared by component as 0 to 255 for 0 to 1, integer formats as they are; without a
 * TOLERANCE they may be 0.51 apart, which is Amber's 0.002. */
#include "script/run.h"

#include "base/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_EXPECTATIONS = 65536 };

/* What a comparison found. */
struct finding {
    bool failed;
    char where[96], found[160], wanted[160];
};

static void fail(struct finding *f, const char *where, const char *found, const char *wanted)
{
    f->failed = true;
    snprintf(f->where, sizeof f->where, "%s", where);
    snprintf(f->found, sizeof f->found, "%s", found);
    snprintf(f->wanted, sizeof f->wanted, "%s", wanted);
}

/* ---- what is kept and said ---- */

static weft_status keep(struct weft_job *j, const struct script_command *c, const struct finding *f)
{
    j->looked_at++;
    j->failures += f->failed;
    if (j->nexpectations >= KEPT_EXPECTATIONS)
        return WEFT_OK;
    if (j->nexpectations == j->expectations_cap) {
        size_t cap = j->expectations_cap ? j->expectations_cap * 2 : 64;
        weft_expectation *more = realloc(j->expectations, cap * sizeof *more);
        if (!more)
            return job_no_memory(j, c->where);
        j->expectations = more;
        j->expectations_cap = cap;
    }
    weft_expectation e = {.line = source_line(&j->source, c->where.offset), .passed = !f->failed};
    e.command = arena_strndup(&j->arena, j->source.text + c->where.offset, c->where.length);
    e.where = f->failed ? arena_printf(&j->arena, "%s", f->where) : "";
    e.found = f->failed ? arena_printf(&j->arena, "%s", f->found) : "";
    e.wanted = f->failed ? arena_printf(&j->arena, "%s", f->wanted) : "";
    if (arena_failed(&j->arena))
        return job_no_memory(j, c->where);
    j->expectations[j->nexpectations++] = e;
    return WEFT_OK;
}

static weft_status conclude(struct weft_job *j, const struct script_command *c, const struct finding *f)
{
    if (f->failed)
        diag_at(j->diags, WEFT_ERROR, "expectation", &j->source, c->where, NULL,
                f->where[0] ? "%s at %s is %s, expected %s" : "%s%s has %s, expected %s", c->expect.buffer->name,
                f->where, f->found, f->wanted);
    return keep(j, c, f);
}

size_t weft_job_expectations(const weft_job *job)
{
    return job->looked_at;
}

size_t weft_job_failures(const weft_job *job)
{
    return job->failures;
}

int weft_job_get_expectation(const weft_job *job, size_t index, weft_expectation *out)
{
    if (index >= job->nexpectations)
        return 0;
    *out = job->expectations[index];
    return 1;
}

/* ---- values ---- */

static bool is_signed(enum script_scalar s)
{
    return s == SCRIPT_INT8 || s == SCRIPT_INT16 || s == SCRIPT_INT32 || s == SCRIPT_INT64;
}

/* Less, equal, greater: -1, 0, 1; 2 where one is not a number. */
static int order(enum script_scalar s, const struct script_number *a, const struct script_number *b)
{
    if (script_scalar_is_float(s))
        return a->real < b->real ? -1 : a->real > b->real ? 1 : a->real == b->real ? 0 : 2;
    if (is_signed(s))
        return (int64_t)a->bits < (int64_t)b->bits ? -1 : (int64_t)a->bits > (int64_t)b->bits;
    return a->bits < b->bits ? -1 : a->bits > b->bits;
}

static bool near(double a, double b, const struct script_tolerance *t)
{
    double most = t->percent ? fabs(t->value) / 100 * fabs(b) : fabs(t->value);
    return a == b || fabs(a - b) <= most;
}

/* The same of numbers as they are kept: integers of 64 bits are not apart by what a double can say. */
static bool number_near(enum script_scalar s, const struct script_number *a, const struct script_number *b,
                        const struct script_tolerance *t)
{
    if (!a->integral || !b->integral || t->percent)
        return near(a->real, b->real, t);
    return (double)(order(s, a, b) == 1 ? a->bits - b->bits : b->bits - a->bits) <= fabs(t->value);
}

static bool holds(enum script_comparator comparator, enum script_scalar s, const struct script_number *found,
                  const struct script_number *wanted, const struct script_tolerance *t)
{
    int o = order(s, found, wanted);
    bool equal = t ? number_near(s, found, wanted, t) : o == 0;
    switch (comparator) {
    case SCRIPT_EQ:
        return equal;
    case SCRIPT_NE:
        return !equal;
    case SCRIPT_LT:
        return o == -1;
    case SCRIPT_LE:
        return o == -1 || o == 0;
    case SCRIPT_GT:
        return o == 1;
    case SCRIPT_GE:
        return o == 1 || o == 0;
    default:          /* never: other comparators are of pixels and of buffers */
        return false; /* never: the same */
    }
}

static void show(enum script_scalar s, const struct script_number *n, char *to, size_t size)
{
    char text[DECIMAL_MAX];
    if (script_scalar_is_float(s))
        snprintf(to, size, "%s", decimal_general(n->real, s == SCRIPT_DOUBLE ? 17 : 9, text));
    else if (is_signed(s))
        snprintf(to, size, "%lld", (long long)(int64_t)n->bits);
    else
        snprintf(to, size, "%llu", (unsigned long long)n->bits);
}

/* The tolerance of component i, or NULL. */
static const struct script_tolerance *tolerance_of(const struct script_command *c, uint32_t i)
{
    uint32_t n = c->expect.ntolerances;
    return n == 1 ? &c->expect.tolerance[0] : i < n ? &c->expect.tolerance[i] : NULL;
}

/* The component of its vector that a leaf is. */
static uint32_t component_of(const struct script_layout *l, uint32_t leaf)
{
    return l->components ? leaf % l->components : leaf;
}

static void compare_value(const struct script_command *c, uint32_t i, uint64_t at, const struct script_layout *l,
                          uint32_t leaf, const uint8_t *memory, struct finding *f)
{
    enum script_scalar s = l->leaves[leaf].scalar;
    uint64_t stored[2] = {0};
    script_store(s, &c->expect.values[i], stored);
    struct script_number wanted = script_load(s, stored), found = script_load(s, memory + at);
    if (holds(c->expect.comparator, s, &found, &wanted, tolerance_of(c, component_of(l, leaf))))
        return;
    char where[96], a[64], b[64], w[96];
    show(s, &found, a, sizeof a);
    show(s, &wanted, b, sizeof b);
    snprintf(where, sizeof where, "byte %llu (value %u of %u)", (unsigned long long)at, i + 1, c->expect.nvalues);
    bool equals = strcmp(script_comparators[c->expect.comparator], "EQ") == 0;
    snprintf(w, sizeof w, "%s%s%s", equals ? "" : script_comparators[c->expect.comparator], equals ? "" : " ", b);
    fail(f, where, a, w);
}

static weft_status expect_values(struct weft_job *j, const struct script_command *c, struct finding *f)
{
    const struct job_memory *m = job_memory_of(j, c->expect.buffer);
    const struct script_layout *own = c->expect.layout, *l = own ? own : &c->expect.buffer->layout;
    size_t size = job_memory_shown(m);
    if (!l->nleaves || !l->stride)
        return job_error(j, c->where, "expect", "'%s' has no values", c->expect.buffer->name);
    uint64_t base = own ? c->expect.x : 0, element = (c->expect.x - base) / l->stride;
    uint32_t leaf = 0;
    while (leaf < l->nleaves && l->leaves[leaf].offset != (c->expect.x - base) % l->stride)
        leaf++;
    if (leaf == l->nleaves)
        return job_error(j, c->where, "expect", "no value of '%s' begins at byte %llu", c->expect.buffer->name,
                         (unsigned long long)c->expect.x);
    for (uint32_t i = 0; i < c->expect.nvalues && !f->failed; i++) {
        uint64_t at = base + element * l->stride + l->leaves[leaf].offset;
        if (at > size || size - at < script_scalar_bytes(l->leaves[leaf].scalar))
            return job_error(j, c->where, "expect", "value %u is at byte %llu of '%s', which has %zu", i + 1,
                             (unsigned long long)at, c->expect.buffer->name, size);
        enum script_fit fit = script_fit(l->leaves[leaf].scalar, &c->expect.values[i]);
        if (fit != SCRIPT_FITS)
            return job_error(j, c->where, "expect", "value %u %s %s", i + 1,
                             fit == SCRIPT_BEYOND ? "does not fit" : "has a fraction, and the buffer is of",
                             script_scalar_name(l->leaves[leaf].scalar));
        compare_value(c, i, at, l, leaf, m->data, f);
        if (++leaf == l->nleaves) {
            leaf = 0;
            element++;
        }
    }
    return WEFT_OK;
}

/* ---- pixels ---- */

/* Components on the scale of EXPECT. */
static void pixel_values(const struct format *f, const uint8_t *pixel, double out[4])
{
    enum format_class class = format_class(f);
    uint32_t words[4];
    format_decode_words(f, pixel, words);
    for (unsigned c = 0; c < 4; c++) {
        float value;
        memcpy(&value, &words[c], sizeof value);
        out[c] = class == FORMAT_CLASS_UINT   ? (double)words[c]
                 : class == FORMAT_CLASS_SINT ? (double)(int32_t)words[c]
                                              : (double)value * 255;
    }
}

static bool pixel_matches(const struct script_command *c, const struct format *f, const double found[4],
                          unsigned components)
{
    static const struct script_tolerance usual = {0.002 * 255, false};
    for (unsigned i = 0; i < components; i++) {
        const struct script_tolerance *given = tolerance_of(c, i);
        struct script_tolerance t = given ? *given : usual;
        t.value = t.percent ? t.value : fabs(t.value) + 0.0001; /* 128 of 255 is a float and not quite that */
        if (f->channel[i].kind != FORMAT_VOID && !near(found[i], c->expect.values[i].real, &t))
            return false;
    }
    return true;
}

/* "(1, 0.5, 0)" */
static void show_pixel(const double number[4], unsigned components, char *to, size_t size)
{
    char text[DECIMAL_MAX];
    size_t n = 0;
    for (unsigned i = 0; i < components && n < size; i++)
        n += (size_t)snprintf(to + n, size - n, "%s%s", i ? ", " : "(", decimal_general(number[i], 7, text));
    if (n < size)
        snprintf(to + n, size - n, ")");
}

static weft_status expect_pixels(struct weft_job *j, const struct script_command *c, struct finding *f)
{
    const struct job_memory *m = job_memory_of(j, c->expect.buffer);
    const struct script_buffer *b = c->expect.buffer;
    unsigned components = c->expect.comparator == SCRIPT_EQ_RGBA ? 4 : 3;
    uint64_t rows = (uint64_t)m->height * m->depth;
    if (!m->format || !m->width)
        return job_error(j, c->where, "expect", "'%s' has no pixels", b->name);
    if (c->expect.nvalues < components)
        components = c->expect.nvalues;
    if (c->expect.x > m->width || c->expect.width > m->width - c->expect.x || c->expect.y > rows ||
        c->expect.height > rows - c->expect.y)
        return job_error(
            j, c->where, "expect", "pixels (%llu, %llu) to (%llu, %llu) are not all within '%s', %u x %llu",
            (unsigned long long)c->expect.x, (unsigned long long)c->expect.y,
            (unsigned long long)(c->expect.x + c->expect.width) - 1,
            (unsigned long long)(c->expect.y + c->expect.height) - 1, b->name, m->width, (unsigned long long)rows);
    uint64_t wrong = 0, at_x = 0, at_y = 0;
    double first[4] = {0};
    for (uint64_t y = c->expect.y; y < c->expect.y + c->expect.height; y++)
        for (uint64_t x = c->expect.x; x < c->expect.x + c->expect.width; x++) {
            double found[4];
            pixel_values(m->format, job_memory_pixel(m, x, y), found);
            if (pixel_matches(c, m->format, found, components))
                continue;
            if (!wrong++) {
                at_x = x;
                at_y = y;
                memcpy(first, found, sizeof first);
            }
        }
    if (!wrong)
        return WEFT_OK;
    char where[96], found[160], wanted[160];
    snprintf(where, sizeof where, "pixel (%llu, %llu), first of %llu that differ", (unsigned long long)at_x,
             (unsigned long long)at_y, (unsigned long long)wrong);
    const struct script_number *v = c->expect.values;
    double scale = c->expect.scale != 0 ? c->expect.scale : 1;
    double asked[4] = {0};
    for (unsigned i = 0; i < components; i++) {
        first[i] /= scale;
        asked[i] = v[i].real / scale;
    }
    show_pixel(first, components, found, sizeof found);
    show_pixel(asked, components, wanted, sizeof wanted);
    fail(f, where, found, wanted);
    return WEFT_OK;
}

/* ---- buffers ---- */

/* Two buffers leaf by leaf. */
struct pair {
    const struct job_memory *a, *b;
    uint64_t elements;
};

static weft_status make_pair(struct weft_job *j, const struct script_command *c, struct pair *p)
{
    *p = (struct pair){job_memory_of(j, c->expect.buffer), job_memory_of(j, c->expect.other), 0};
    const struct script_layout *a = &c->expect.buffer->layout, *b = &c->expect.other->layout;
    bool alike = a->nleaves == b->nleaves && a->nleaves && a->stride && b->stride;
    for (uint32_t i = 0; alike && i < a->nleaves; i++)
        alike = a->leaves[i].scalar == b->leaves[i].scalar;
    if (!alike)
        return job_error(j, c->where, "expect", "'%s' and '%s' are not of one type", c->expect.buffer->name,
                         c->expect.other->name);
    p->elements = job_memory_shown(p->a) / a->stride;
    uint64_t others = job_memory_shown(p->b) / b->stride;
    if (p->elements != others || p->a->width != p->b->width || p->a->height != p->b->height)
        return job_error(j, c->where, "expect", "'%s' has %llu elements and '%s' %llu", c->expect.buffer->name,
                         (unsigned long long)p->elements, c->expect.other->name, (unsigned long long)others);
    return WEFT_OK;
}

static weft_status expect_equal(struct weft_job *j, const struct script_command *c, struct finding *f)
{
    struct pair p;
    weft_status status = make_pair(j, c, &p);
    if (status != WEFT_OK)
        return status;
    const struct script_layout *a = &c->expect.buffer->layout, *b = &c->expect.other->layout;
    for (uint64_t e = 0; e < p.elements; e++)
        for (uint32_t i = 0; i < a->nleaves; i++) {
            enum script_scalar s = a->leaves[i].scalar;
            const uint8_t *x = p.a->data + e * a->stride + a->leaves[i].offset;
            const uint8_t *y = p.b->data + e * b->stride + b->leaves[i].offset;
            struct script_number nx = script_load(s, x), ny = script_load(s, y);
            const struct script_tolerance *t = tolerance_of(c, component_of(a, i));
            if (memcmp(x, y, script_scalar_bytes(s)) == 0 || (t && number_near(s, &nx, &ny, t)))
                continue;
            char where[96], found[64], wanted[64];
            snprintf(where, sizeof where, "byte %llu", (unsigned long long)(e * a->stride + a->leaves[i].offset));
            show(s, &nx, found, sizeof found);
            show(s, &ny, wanted, sizeof wanted);
            fail(f, where, found, wanted);
            return WEFT_OK;
        }
    return WEFT_OK;
}

/* Sum of the squares of the differences of one element; adds how many there are. */
static double squares(const struct job_memory *m, const struct script_layout *l, const uint8_t *x, const uint8_t *y,
                      uint64_t *count)
{
    double sum = 0;
    if (m->buffer->is_image && m->format) {
        for (unsigned c = 0; c < 4; c++) {
            const struct format_channel *ch = &m->format->channel[c];
            if (ch->kind == FORMAT_VOID)
                continue;
            double d;
            if (ch->kind == FORMAT_SFLOAT || ch->kind == FORMAT_UFLOAT || ch->kind == FORMAT_SHARED) {
                float a[4], b[4];
                format_decode(m->format, x, a);
                format_decode(m->format, y, b);
                d = (double)a[c] - (double)b[c];
            } else {
                d = (double)format_channel_get(ch, x) - (double)format_channel_get(ch, y);
            }
            sum += d * d;
            ++*count;
        }
        return sum;
    }
    for (uint32_t i = 0; i < l->nleaves; i++) {
        double d = script_load(l->leaves[i].scalar, x + l->leaves[i].offset).real -
                   script_load(l->leaves[i].scalar, y + l->leaves[i].offset).real;
        sum += d * d;
        ++*count;
    }
    return sum;
}

static weft_status compare_distance(const struct script_command *c, double distance, const char *what,
                                    struct finding *f)
{
    double most = c->expect.ntolerances ? c->expect.tolerance[0].value : 0;
    if (distance <= most)
        return WEFT_OK;
    char found[64], wanted[64], text[DECIMAL_MAX];
    snprintf(found, sizeof found, "a %s of %s", what, decimal_general(distance, 9, text));
    snprintf(wanted, sizeof wanted, "at most %s", decimal_general(most, 9, text));
    fail(f, "", found, wanted);
    return WEFT_OK;
}

/* Root of the mean square of the differences, on the scale of the numbers in memory. */
static weft_status expect_rmse(struct weft_job *j, const struct script_command *c, struct finding *f)
{
    struct pair p;
    weft_status status = make_pair(j, c, &p);
    if (status != WEFT_OK)
        return status;
    const struct script_layout *a = &c->expect.buffer->layout, *b = &c->expect.other->layout;
    double sum = 0;
    uint64_t count = 0;
    for (uint64_t e = 0; e < p.elements; e++)
        sum += squares(p.a, a, p.a->data + e * a->stride, p.b->data + e * b->stride, &count);
    return compare_distance(c, count ? sqrt(sum / (double)count) : 0, "root mean square difference", f);
}

/* Earth mover's distance of the histograms of each channel, as a part of their 256 bins; the largest counts. */
static weft_status expect_emd(struct weft_job *j, const struct script_command *c, struct finding *f)
{
    struct pair p;
    weft_status status = make_pair(j, c, &p);
    if (status != WEFT_OK)
        return status;
    const struct format *format = p.a->format;
    bool bytes = format && p.a->buffer->is_image && p.b->buffer->is_image && p.b->format == format;
    for (unsigned ch = 0; bytes && ch < 4; ch++)
        bytes = format->channel[ch].kind == FORMAT_VOID || format->channel[ch].bits == 8;
    if (!bytes)
        return job_error(j, c->where, "expect", "histograms are of images of one format with 8 bits to a component");
    double largest = 0;
    for (unsigned ch = 0; ch < 4; ch++) {
        if (format->channel[ch].kind == FORMAT_VOID)
            continue;
        int64_t difference[256] = {0}, carried = 0;
        double moved = 0;
        for (uint64_t e = 0; e < p.elements; e++) {
            difference[format_channel_get(&format->channel[ch], p.a->data + e * format->bytes) & 255]++;
            difference[format_channel_get(&format->channel[ch], p.b->data + e * format->bytes) & 255]--;
        }
        for (unsigned bin = 0; bin < 256; bin++) {
            carried += difference[bin];
            moved += fabs((double)carried);
        }
        moved = p.elements ? moved / (double)p.elements / 256 : 0;
        largest = moved > largest ? moved : largest;
    }
    return compare_distance(c, largest, "histogram distance", f);
}

weft_status job_expect(struct weft_job *j, const struct script_command *c)
{
    struct finding f = {0};
    weft_status status;
    switch (c->expect.comparator) {
    case SCRIPT_EQ_RGB:
    case SCRIPT_EQ_RGBA:
        status = expect_pixels(j, c, &f);
        break;
    case SCRIPT_EQ_BUFFER:
        status = expect_equal(j, c, &f);
        break;
    case SCRIPT_RMSE_BUFFER:
        status = expect_rmse(j, c, &f);
        break;
    case SCRIPT_EQ_HISTOGRAM_EMD_BUFFER:
        status = expect_emd(j, c, &f);
        break;
    default:
        status = expect_values(j, c, &f);
        break;
    }
    return status == WEFT_OK ? conclude(j, c, &f) : status;
}
