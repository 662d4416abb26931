/* parse_expect.c - EXPECT in its forms. */
#include "script/parse.h"

#include <string.h>

const char *const script_comparators[] = {
    [SCRIPT_EQ] = "EQ",
    [SCRIPT_NE] = "NE",
    [SCRIPT_LT] = "LT",
    [SCRIPT_LE] = "LE",
    [SCRIPT_GT] = "GT",
    [SCRIPT_GE] = "GE",
    [SCRIPT_EQ_RGB] = "EQ_RGB",
    [SCRIPT_EQ_RGBA] = "EQ_RGBA",
    [SCRIPT_EQ_BUFFER] = "EQ_BUFFER",
    [SCRIPT_RMSE_BUFFER] = "RMSE_BUFFER",
    [SCRIPT_EQ_HISTOGRAM_EMD_BUFFER] = "EQ_HISTOGRAM_EMD_BUFFER",
};
enum { COMPARATORS = sizeof script_comparators / sizeof *script_comparators };

/* "0.1", "5%" or "5 %". */
static bool next_is_tolerance(const struct parser *ps, struct script_tolerance *t)
{
    struct token word = ps->token;
    struct script_number n;
    bool percent = word.kind == TOKEN_WORD && word.length > 1 && word.text[word.length - 1] == '%';
    word.length -= percent;
    if (!token_number(&word, &n))
        return false;
    *t = (struct script_tolerance){n.real, percent};
    return true;
}

static bool parse_tolerances(struct parser *ps, struct script_command *c)
{
    struct span where = ps->last;
    struct script_tolerance t;
    if (c->expect.ntolerances)
        return parse_error(ps, where, "bad-tolerance", NULL, "there is a TOLERANCE already");
    while (next_is_tolerance(ps, &t)) {
        struct span at = ps->token.where;
        lex_next(ps);
        t.percent |= take_word(ps, "%");
        if (!(t.value >= 0))
            return parse_error(ps, at, "out-of-range", NULL, "a tolerance is not negative");
        if (c->expect.ntolerances == 4)
            return parse_error(ps, at, "bad-tolerance", NULL, "there are at most 4 tolerances");
        c->expect.tolerance[c->expect.ntolerances++] = t;
    }
    return c->expect.ntolerances || parse_expected(ps, "a tolerance");
}

static bool parse_values(struct parser *ps, struct script_command *c)
{
    struct list_size size = {0};
    struct script_number n;
    while (!at_line_end(ps) && !next_is(ps, "TOLERANCE")) {
        if (!expect_number(ps, "a value", &n) || !LIST_ADD(ps, c->expect.values, &size))
            return false;
        c->expect.values[size.count - 1] = n;
    }
    c->expect.nvalues = (uint32_t)size.count;
    return size.count || parse_expected(ps, "a value");
}

/* EQ_RGB r g b and EQ_RGBA r g b a, of 0 to 255. */
static bool parse_colour(struct parser *ps, struct script_command *c)
{
    unsigned wanted = c->expect.comparator == SCRIPT_EQ_RGB ? 3 : 4;
    struct span where = ps->token.where;
    if (!parse_values(ps, c))
        return false;
    if (c->expect.nvalues != wanted)
        return parse_error(ps, where, "bad-value", NULL, "%s needs %u values, found %u",
                           script_comparators[c->expect.comparator], wanted, c->expect.nvalues);
    for (unsigned i = 0; i < wanted; i++)
        if (!(c->expect.values[i].real >= 0 && c->expect.values[i].real <= 255))
            return parse_error(ps, where, "out-of-range", NULL, "the parts of a colour are 0 to 255");
    return true;
}

/* After IDX: x, y and SIZE for pixels, or a byte offset for values. */
static bool parse_place(struct parser *ps, struct script_command *c)
{
    if (!expect_integer(ps, "an index", SCRIPT_MAX_BYTES, &c->expect.x))
        return false;
    c->kind = SCRIPT_EXPECT_VALUES;
    if (!next_is_number(ps))
        return true;
    c->kind = SCRIPT_EXPECT_PIXELS;
    struct span where = ps->token.where;
    if (!expect_integer(ps, "a row", SCRIPT_MAX_DIMENSION, &c->expect.y) || !expect(ps, "SIZE") ||
        !expect_u32(ps, "a width", SCRIPT_MAX_DIMENSION, &c->expect.width) ||
        !expect_u32(ps, "a height", SCRIPT_MAX_DIMENSION, &c->expect.height))
        return false;
    return (c->expect.width && c->expect.height) ||
           parse_error(ps, where, "out-of-range", NULL, "the area has no pixels");
}

static bool parse_probe(struct parser *ps, struct script_command *c)
{
    unsigned word = 0;
    if (!expect(ps, "IDX") || !parse_place(ps, c) || (take_word(ps, "TOLERANCE") && !parse_tolerances(ps, c)))
        return false;
    struct span where = ps->token.where;
    bool pixels = c->kind == SCRIPT_EXPECT_PIXELS;
    if (!expect_choice(ps, "a comparator", script_comparators, COMPARATORS, &word))
        return false;
    c->expect.comparator = (enum script_comparator)word;
    bool colour = word == SCRIPT_EQ_RGB || word == SCRIPT_EQ_RGBA;
    if (word >= SCRIPT_EQ_BUFFER)
        return parse_error(ps, where, "bad-comparator", NULL, "%s compares whole buffers, without IDX",
                           script_comparators[word]);
    if (colour != pixels)
        return parse_error(ps, where, "bad-comparator", NULL,
                           pixels ? "%s compares values: IDX has one number for it, a byte offset"
                                  : "%s compares pixels: it needs IDX x y SIZE width height",
                           script_comparators[word]);
    if (pixels && !c->expect.buffer->is_image && !c->expect.buffer->width)
        return parse_error(ps, where, "bad-comparator", NULL, "'%s' has no pixels", c->expect.buffer->name);
    if (colour ? !parse_colour(ps, c) : !parse_values(ps, c))
        return false;
    if (take_word(ps, "TOLERANCE") && !parse_tolerances(ps, c))
        return false;
    if (c->expect.ntolerances && word >= SCRIPT_NE && !colour)
        return parse_error(ps, where, "bad-tolerance", NULL, "a TOLERANCE is for EQ, not for %s",
                           script_comparators[word]);
    return true;
}

static bool parse_buffers(struct parser *ps, struct script_command *c, enum script_comparator how)
{
    lex_next(ps);
    c->kind = SCRIPT_EXPECT_BUFFERS;
    c->expect.comparator = how;
    c->expect.other = expect_buffer(ps, "the name of a buffer");
    if (!c->expect.other)
        return false;
    if (how == SCRIPT_EQ_BUFFER)
        return true;
    if (!expect(ps, "TOLERANCE") || !parse_tolerances(ps, c))
        return false;
    if (c->expect.ntolerances > 1 || c->expect.tolerance[0].percent)
        return parse_error(ps, ps->last, "bad-tolerance", NULL, "%s has one tolerance, a number",
                           script_comparators[how]);
    return true;
}

bool parse_expect(struct parser *ps, struct script_command *c)
{
    c->expect.buffer = expect_buffer(ps, "the name of a buffer");
    if (!c->expect.buffer)
        return false;
    for (int i = SCRIPT_EQ_BUFFER; i < COMPARATORS; i++)
        if (next_is(ps, script_comparators[i]))
            return parse_buffers(ps, c, (enum script_comparator)i);
    return parse_probe(ps, c);
}

/* ---- what can only be told when all pipelines are known ---- */

static bool same_type(const struct script_buffer *a, const struct script_buffer *b)
{
    if (a->format && b->format)
        return a->format->name == b->format->name;
    return a->layout.stride == b->layout.stride && a->layout.nleaves == b->layout.nleaves;
}

static void check_pair(struct parser *ps, const struct script_command *c)
{
    const struct script_buffer *a = c->expect.buffer, *b = c->expect.other;
    const char *what = script_comparators[c->expect.comparator];
    if (!same_type(a, b))
        parse_error(ps, c->where, "bad-comparison", NULL, "%s: '%s' and '%s' differ in type", what, a->name, b->name);
    else if (a->width && b->width && (a->width != b->width || a->height != b->height))
        parse_error(ps, c->where, "bad-comparison", NULL, "%s: '%s' and '%s' differ in size", what, a->name, b->name);
    else if (a->elements && b->elements && a->elements != b->elements)
        parse_error(ps, c->where, "bad-comparison", NULL, "%s: '%s' and '%s' differ in size", what, a->name, b->name);
}

static void check_area(struct parser *ps, const struct script_command *c)
{
    const struct script_buffer *b = c->expect.buffer;
    uint64_t rows = (uint64_t)b->height * (b->depth ? b->depth : 1); /* slices and layers are below each other */
    if (b->width && (c->expect.x + c->expect.width > b->width || c->expect.y + c->expect.height > rows))
        parse_error(ps, c->where, "out-of-range", NULL, "the area is not inside '%s', which is %u x %llu", b->name,
                    b->width, (unsigned long long)rows);
}

void check_expect(struct parser *ps, const struct script_command *c)
{
    if (c->kind == SCRIPT_EXPECT_VALUES && c->expect.layout)
        return; /* VkScript's are of any type */
    if (c->kind == SCRIPT_EXPECT_BUFFERS)
        check_pair(ps, c);
    else if (c->kind == SCRIPT_EXPECT_PIXELS)
        check_area(ps, c);
    else if (!c->expect.buffer->is_image && c->expect.buffer->elements &&
             c->expect.x >= script_buffer_bytes(c->expect.buffer))
        parse_error(ps, c->where, "out-of-range", NULL, "IDX %llu is past the end of '%s', which has %llu bytes",
                    (unsigned long long)c->expect.x, c->expect.buffer->name,
                    (unsigned long long)script_buffer_bytes(c->expect.buffer));
}
