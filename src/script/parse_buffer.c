/* parse_buffer.c - BUFFER, IMAGE and what they are filled with; SAMPLER. */
#include "script/parse.h"

#include <stdio.h>
#include <string.h>

/* ---- contents ---- */

bool number_fits(struct parser *ps, struct span where, enum script_scalar s, const struct script_number *n)
{
    switch (script_fit(s, n)) {
    case SCRIPT_BEYOND:
        return parse_error(ps, where, "out-of-range", NULL, "the value does not fit %s", script_scalar_name(s));
    case SCRIPT_FRACTION:
        return parse_error(ps, where, "bad-value", NULL, "%s needs an integer", script_scalar_name(s));
    default:
        return true;
    }
}

static bool expect_value(struct parser *ps, const char *what, enum script_scalar s, struct script_number *n)
{
    struct span where = ps->token.where;
    return expect_number(ps, what, n) && number_fits(ps, where, s, n);
}

static bool skip_data(struct parser *ps)
{
    while (ps->token.kind != TOKEN_END && !take_word(ps, "END"))
        lex_next(ps);
    return false;
}

static bool parse_data(struct parser *ps, struct script_buffer *b)
{
    struct list_size size = {0};
    const struct script_layout *l = &b->layout;
    for (lex_skip_line_ends(ps); !take_word(ps, "END"); lex_skip_line_ends(ps)) {
        if (ps->token.kind == TOKEN_END)
            return parse_error(ps, b->fill_where, "missing-end", NULL, "the DATA of '%s' has no END", b->name);
        struct script_number n;
        if (!expect_value(ps, "a value or END", l->leaves[size.count % l->nleaves].scalar, &n) ||
            !LIST_ADD(ps, b->data, &size))
            return skip_data(ps);
        b->data[size.count - 1] = n;
    }
    b->ndata = size.count;
    return true;
}

static bool parse_file(struct parser *ps, struct script_buffer *b)
{
    static const char *const kinds[] = {"PNG", "BINARY", "TEXT"};
    unsigned kind = SCRIPT_FILE_BINARY;
    struct span where = ps->token.where;
    bool named = false;
    for (size_t i = 0; i < 3; i++)
        named |= next_is(ps, kinds[i]);
    if (!named) {
        const char *near = nearest_word(ps->token.text, ps->token.length, kinds, 3);
        if (near || at_line_end(ps))
            return parse_expected_word(ps, "PNG, BINARY or TEXT", kinds, 3);
        kind = b->is_image ? SCRIPT_FILE_PNG : SCRIPT_FILE_BINARY;
    } else if (!EXPECT_CHOICE(ps, "PNG, BINARY or TEXT", kinds, &kind)) {
        return false;
    }
    b->file = (enum script_file)kind;
    if (b->file == SCRIPT_FILE_PNG && !b->format)
        return parse_error(ps, where, "bad-file", NULL, "a PNG needs a buffer with a pixel format");
    return expect_path(ps, "a path", &b->path);
}

static const char *const fills[] = {"FILL", "SERIES_FROM", "DATA", "FILE"};

static bool next_is_fill(const struct parser *ps)
{
    for (size_t i = 0; i < 4; i++)
        if (next_is(ps, fills[i]))
            return true;
    return false;
}

static bool parse_fill(struct parser *ps, struct script_buffer *b)
{
    unsigned fill = 0;
    b->fill_where = ps->token.where;
    if (!EXPECT_CHOICE(ps, "FILL, SERIES_FROM, DATA or FILE", fills, &fill))
        return false;
    b->fill = (enum script_fill)(SCRIPT_FILL_VALUE + fill);
    enum script_scalar s = b->layout.leaves[0].scalar;
    switch (b->fill) {
    case SCRIPT_FILL_VALUE:
        return expect_value(ps, "a value", s, &b->value);
    case SCRIPT_FILL_SERIES:
        if (b->layout.nleaves != 1)
            return parse_error(ps, b->fill_where, "bad-series", NULL,
                               "SERIES_FROM is for a buffer of single numbers, not of vectors");
        return expect_value(ps, "a first value", s, &b->value) && expect(ps, "INC_BY") &&
               expect_value(ps, "an increment", s, &b->step);
    case SCRIPT_FILL_DATA:
        return parse_data(ps, b);
    default:
        return parse_file(ps, b);
    }
}

/* ---- sizes ---- */

/* Bytes of all levels and samples; the limit keeps every product in range. */
static bool check_size(struct parser *ps, const struct script_buffer *b)
{
    uint64_t count = b->elements;
    if (b->is_image)
        count = (uint64_t)b->width * b->height * (b->depth ? b->depth : 1) * b->samples;
    if (b->layout.stride && count > SCRIPT_MAX_BYTES / b->layout.stride)
        return parse_error(ps, b->where, "too-large", NULL, "'%s' takes more than %d MiB", b->name,
                           (int)(SCRIPT_MAX_BYTES >> 20));
    return true;
}

/* The elements that the data make, against what SIZE said. */
static bool check_data(struct parser *ps, struct script_buffer *b, bool sized)
{
    if (b->fill != SCRIPT_FILL_DATA)
        return sized || b->fill == SCRIPT_FILL_FILE || b->format_only ||
               parse_error(ps, b->where, "missing-size", NULL, "'%s' needs a SIZE or DATA", b->name);
    uint64_t n = b->layout.nleaves, given = b->ndata / n;
    if (!b->ndata)
        return parse_error(ps, b->fill_where, "bad-data", NULL, "the DATA of '%s' has no values", b->name);
    if (b->ndata % n)
        return parse_error(ps, b->fill_where, "bad-data", NULL,
                           "the DATA of '%s' has %zu values, and an element takes %u", b->name, b->ndata, (unsigned)n);
    uint64_t wanted = b->is_image ? (uint64_t)b->width * b->height * (b->depth ? b->depth : 1) : b->elements;
    if (sized && given != wanted)
        return parse_error(ps, b->fill_where, "bad-data", NULL, "the DATA of '%s' has %llu elements, its size is %llu",
                           b->name, (unsigned long long)given, (unsigned long long)wanted);
    if (!sized)
        b->elements = given;
    return true;
}

static bool make_layout(struct parser *ps, struct script_buffer *b)
{
    const char *why;
    if (script_layout(ps->arena, &b->type, b->is_image ? SCRIPT_SCALAR : b->rule, &b->layout, &why))
        return true;
    return parse_error(ps, b->where, "bad-layout", NULL, "'%s' cannot be laid out: %s", b->name, why);
}

static struct script_buffer *new_buffer(struct parser *ps, const char *what)
{
    struct script_buffer *b = ARENA_NEW(ps->arena, struct script_buffer);
    if (!b || !expect_name(ps, what, &b->name, &b->where))
        return NULL;
    b->levels = b->samples = 1;
    name_taken(ps, b->name, b->where);
    return b;
}

/* One that is wrong is known by its name all the same: one error is enough. */
static bool add_buffer(struct parser *ps, struct script_buffer *b, bool right)
{
    if (!LIST_ADD(ps, ps->script->buffers, &ps->buffers))
        return false;
    ps->script->buffers[ps->script->nbuffers++] = b;
    return right && expect_line_end(ps, b->is_image && !b->format_only ? "an IMAGE" : "a BUFFER");
}

/* ---- BUFFER ---- */

static bool parse_samples(struct parser *ps, uint32_t *samples)
{
    struct span where = ps->token.where;
    if (!expect_u32(ps, "a number of samples", UINT32_MAX, samples))
        return false;
    if (*samples == 0 || *samples > 64 || (*samples & (*samples - 1)))
        return parse_error(ps, where, "out-of-range", NULL, "the number of samples is 1, 2, 4, 8, 16, 32 or 64");
    return true;
}

static bool parse_levels(struct parser *ps, uint32_t *levels)
{
    struct span where = ps->token.where;
    if (!expect_u32(ps, "a number of mip levels", SCRIPT_MAX_LEVELS, levels))
        return false;
    return *levels || parse_error(ps, where, "out-of-range", NULL, "there is at least one mip level");
}

static void parse_rule(struct parser *ps, struct script_buffer *b)
{
    if (take_word(ps, "STD140"))
        b->rule = SCRIPT_STD140;
    else if (take_word(ps, "SCALAR"))
        b->rule = SCRIPT_SCALAR;
    else
        take_word(ps, "STD430");
}

static bool parse_dimension(struct parser *ps, const char *what, uint32_t *value)
{
    struct span where = ps->token.where;
    if (!expect_u32(ps, what, SCRIPT_MAX_DIMENSION, value))
        return false;
    return *value || parse_error(ps, where, "out-of-range", NULL, "%s is at least 1", what);
}

static bool parse_elements(struct parser *ps, struct script_buffer *b, bool *sized)
{
    *sized = true;
    if (take_word(ps, "SIZE")) {
        struct span where = ps->token.where;
        if (!expect_integer(ps, "a number of elements", SCRIPT_MAX_BYTES, &b->elements))
            return false;
        return b->elements || parse_error(ps, where, "out-of-range", NULL, "a buffer has at least one element");
    }
    if (take_word(ps, "WIDTH")) {
        if (!parse_dimension(ps, "a width", &b->width) || !expect(ps, "HEIGHT") ||
            !parse_dimension(ps, "a height", &b->height))
            return false;
        b->elements = (uint64_t)b->width * b->height;
        return true;
    }
    *sized = false;
    return true;
}

static bool parse_data_buffer(struct parser *ps, struct script_buffer *b)
{
    bool sized;
    if (!parse_type(ps, "a data type", &b->type))
        return false;
    b->format = type_format(ps, &b->type);
    parse_rule(ps, b);
    if (!make_layout(ps, b) || !parse_elements(ps, b, &sized))
        return false;
    if (sized && at_line_end(ps))
        return check_size(ps, b);
    return parse_fill(ps, b) && check_data(ps, b, sized) && check_size(ps, b);
}

static bool parse_format_buffer(struct parser *ps, struct script_buffer *b)
{
    b->is_image = b->format_only = true;
    if (!expect_format(ps, &b->format))
        return false;
    b->type = (struct script_type){.kind = SCRIPT_FORMAT, .format = b->format};
    if (!make_layout(ps, b))
        return false;
    while (!at_line_end(ps)) {
        static const char *const words[] = {"MIP_LEVELS", "SAMPLES"};
        unsigned word = 0;
        if (next_is(ps, "FILE"))
            return parse_fill(ps, b);
        if (!EXPECT_CHOICE(ps, "MIP_LEVELS, SAMPLES or FILE", words, &word) ||
            !(word ? parse_samples(ps, &b->samples) : parse_levels(ps, &b->levels)))
            return false;
    }
    return true;
}

bool parse_buffer(struct parser *ps)
{
    static const char *const kinds[] = {"DATA_TYPE", "FORMAT"};
    struct script_buffer *b = new_buffer(ps, "a name for the BUFFER");
    unsigned kind = 0;
    if (!b || !EXPECT_CHOICE(ps, "DATA_TYPE or FORMAT", kinds, &kind))
        return false;
    return add_buffer(ps, b, kind ? parse_format_buffer(ps, b) : parse_data_buffer(ps, b));
}

/* ---- IMAGE ---- */

static bool parse_image_type(struct parser *ps, struct script_buffer *b, bool is_format)
{
    struct span where = ps->token.where;
    if (!(is_format ? expect_format(ps, &b->format) : parse_type(ps, "a data type", &b->type)))
        return false;
    if (is_format)
        b->type = (struct script_type){.kind = SCRIPT_FORMAT, .format = b->format};
    b->format = type_format(ps, &b->type);
    if (!b->format || b->type.array)
        return parse_error(ps, where, "bad-image", NULL, "an IMAGE needs a type that is a pixel format");
    return make_layout(ps, b);
}

static bool parse_image_option(struct parser *ps, struct script_buffer *b)
{
    static const char *const words[] = {"WIDTH",      "HEIGHT",  "DEPTH",  "DIM_1D",    "DIM_2D", "DIM_3D",
                                        "MIP_LEVELS", "SAMPLES", "LAYERS", "DATA_TYPE", "FORMAT"};
    unsigned word = 0;
    if (!EXPECT_CHOICE(ps, "a part of an IMAGE", words, &word))
        return false;
    switch (word) {
    case 0:
        return parse_dimension(ps, "a width", &b->width);
    case 1:
        return parse_dimension(ps, "a height", &b->height);
    case 2:
        return parse_dimension(ps, "a depth", &b->depth);
    case 6:
        return parse_levels(ps, &b->levels);
    case 7:
        return parse_samples(ps, &b->samples);
    case 8:
        return parse_dimension(ps, "a number of layers", &b->layers);
    case 9:
    case 10:
        return parse_image_type(ps, b, word == 10);
    default:
        b->dimension = (enum script_dimension)(SCRIPT_DIM_1D + word - 3);
        return true;
    }
}

/* A size that an image of so many dimensions does not have. */
static void warn_of_size(struct parser *ps, const struct script_buffer *b, const char *size)
{
    diag_at(ps->diags, WEFT_WARNING, "bad-image", ps->src, b->where, "remove it, or write another DIM_",
            "IMAGE '%s' is DIM_%dD: its %s does not count", b->name, b->dimension == SCRIPT_DIM_1D ? 1 : 2, size);
}

/* What the dimensionality asks for is there, and the rest is 1. */
static bool check_dimensions(struct parser *ps, struct script_buffer *b)
{
    const char *missing = !b->dimension                                 ? "DIM_1D, DIM_2D or DIM_3D"
                          : !b->width                                   ? "WIDTH"
                          : b->dimension >= SCRIPT_DIM_2D && !b->height ? "HEIGHT"
                          : b->dimension == SCRIPT_DIM_3D && !b->depth  ? "DEPTH"
                                                                        : NULL;
    if (missing)
        return parse_error(ps, b->where, "missing-size", NULL, "IMAGE '%s' needs %s", b->name, missing);
    if (b->dimension == SCRIPT_DIM_1D && b->height > 1)
        warn_of_size(ps, b, "HEIGHT");
    if (b->dimension != SCRIPT_DIM_3D && b->depth > 1)
        warn_of_size(ps, b, "DEPTH");
    if (b->dimension == SCRIPT_DIM_1D)
        b->height = 1;
    if (b->layers && b->dimension == SCRIPT_DIM_3D)
        return parse_error(ps, b->where, "bad-image", NULL, "IMAGE '%s' is DIM_3D: it has no LAYERS", b->name);
    if (b->dimension != SCRIPT_DIM_3D)
        b->depth = b->layers ? b->layers : 1;
    if (b->samples > 1 && (b->dimension != SCRIPT_DIM_2D || b->levels > 1))
        return parse_error(ps, b->where, "bad-image", NULL,
                           "IMAGE '%s' has several samples: it must be DIM_2D with one mip level", b->name);
    return true;
}

static bool parse_image_body(struct parser *ps, struct script_buffer *b)
{
    b->is_image = true;
    while (!at_line_end(ps) && !next_is_fill(ps))
        if (!parse_image_option(ps, b))
            return false;
    if (!b->format)
        return parse_error(ps, b->where, "bad-image", NULL, "IMAGE '%s' needs DATA_TYPE or FORMAT", b->name);
    if (!check_dimensions(ps, b) || !check_size(ps, b))
        return false;
    return at_line_end(ps) || (parse_fill(ps, b) && check_data(ps, b, true));
}

bool parse_image(struct parser *ps)
{
    struct script_buffer *b = new_buffer(ps, "a name for the IMAGE");
    return b && add_buffer(ps, b, parse_image_body(ps, b));
}

/* ---- SAMPLER ---- */

static const char *const filters[] = {"nearest", "linear"};
static const char *const addresses[] = {"repeat",          "mirrored_repeat",        "clamp_to_edge",
                                        "clamp_to_border", "mirrored_clamp_to_edge", "mirror_clamp_to_edge"};
static const char *const borders[] = {"float_transparent_black", "int_transparent_black", "float_opaque_black",
                                      "int_opaque_black",        "float_opaque_white",    "int_opaque_white"};

static bool parse_address(struct parser *ps, enum script_address *address)
{
    unsigned index = 0;
    if (!EXPECT_CHOICE(ps, "an address mode", addresses, &index))
        return false;
    *address = index == 5 ? SCRIPT_MIRROR_CLAMP_TO_EDGE : (enum script_address)index;
    return true;
}

static bool parse_filter(struct parser *ps, enum script_filter *filter)
{
    unsigned index = 0;
    bool ok = EXPECT_CHOICE(ps, "a filter", filters, &index);
    *filter = (enum script_filter)index;
    return ok;
}

static bool parse_sampler_option(struct parser *ps, struct script_sampler *s)
{
    static const char *const words[] = {
        "MAG_FILTER",          "MIN_FILTER", "MIP_FILTER", "ADDRESS_MODE_U", "ADDRESS_MODE_V", "ADDRESS_MODE_W",
        "BORDER_COLOR",        "MIN_LOD",    "MAX_LOD",    "LOD_BIAS",       "MAX_ANISOTROPY", "NORMALIZED_COORDS",
        "UNNORMALIZED_COORDS", "COMPARE",    "COMPARE_OP"};
    unsigned word = 0, value = 0;
    if (!EXPECT_CHOICE(ps, "a parameter of the SAMPLER", words, &word))
        return false;
    switch (word) {
    case 0:
        return parse_filter(ps, &s->mag);
    case 1:
        return parse_filter(ps, &s->min);
    case 2:
        return parse_filter(ps, &s->mip);
    case 3:
    case 4:
    case 5:
        return parse_address(ps, &s->address[word - 3]);
    case 6:
        if (!EXPECT_CHOICE(ps, "a border colour", borders, &value))
            return false;
        s->border = (enum script_border)value;
        return true;
    case 7:
        return expect_real(ps, "a level", &s->min_lod);
    case 8:
        return expect_real(ps, "a level", &s->max_lod);
    case 9:
        return expect_real(ps, "a bias", &s->lod_bias);
    case 10:
        return expect_real(ps, "a number of samples", &s->max_anisotropy);
    case 11:
    case 12:
        s->unnormalized = word == 12;
        return true;
    case 13:
        return expect_switch(ps, &s->compare);
    default:
        if (!EXPECT_CHOICE(ps, "a compare operation", compare_words, &value))
            return false;
        s->compare_op = (enum script_compare)value;
        return true;
    }
}

bool parse_sampler(struct parser *ps)
{
    struct script_sampler *s = ARENA_NEW(ps->arena, struct script_sampler);
    if (!s || !expect_name(ps, "a name for the SAMPLER", &s->name, &s->where))
        return false;
    for (uint32_t i = 0; i < ps->script->nsamplers; i++)
        if (!strcmp(ps->script->samplers[i]->name, s->name))
            parse_error(ps, s->where, "duplicate-name", NULL, "there is a sampler '%s' already", s->name);
    s->max_lod = s->max_anisotropy = 1;
    if (!LIST_ADD(ps, ps->script->samplers, &ps->samplers))
        return false;
    ps->script->samplers[ps->script->nsamplers++] = s;
    while (!at_line_end(ps))
        if (!parse_sampler_option(ps, s))
            return false;
    if (s->max_lod < s->min_lod)
        return parse_error(ps, s->where, "out-of-range", NULL, "MAX_LOD of '%s' is less than its MIN_LOD", s->name);
    if (!(s->max_anisotropy >= 1 && s->max_anisotropy <= 16))
        return parse_error(ps, s->where, "out-of-range", NULL, "MAX_ANISOTROPY of '%s' is not 1 to 16", s->name);
    if (s->unnormalized)
        s->min_lod = s->max_lod = 0;
    return true;
}
