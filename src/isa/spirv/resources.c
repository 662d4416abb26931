/* resources.c - the variables of a module that have a set and a binding, or a location. It looks at words alone, so
 * that builds without the grammar have it too: numbers are those of SPIR-V's specification. */
#include "isa/spirv/resources.h"

#include "isa/spirv/words.h"

#include <string.h>

enum { MOST_ELEMENTS = 4096 };

/* What is known of an id. */
struct id {
    const uint32_t *made; /* its instruction; NULL: none that matters */
    const char *name;
    uint32_t set, binding, location;
    bool bound, buffer_block, located;
};

struct reader {
    struct spirv_words words;
    struct arena *arena;
    struct id *ids;
    uint32_t bound;
};

static struct id *id_of(const struct reader *r, uint32_t id)
{
    return id < r->bound ? &r->ids[id] : NULL;
}

/* The instruction that makes an id, with `least` words at least; NULL: another op. */
static const uint32_t *made(const struct reader *r, uint32_t id, uint32_t op, uint32_t least)
{
    const struct id *i = id_of(r, id);
    return i && i->made && spirv_op_of(*i->made) == op && spirv_count_of(*i->made) >= least ? i->made : NULL;
}

static void take_decoration(const struct reader *r, const uint32_t *w)
{
    struct id *i = id_of(r, w[1]);
    if (!i)
        return;
    if (w[2] == SPIRV_IS_BUFFER_BLOCK)
        i->buffer_block = true;
    if (w[2] == SPIRV_IS_SET && spirv_count_of(*w) > 3)
        i->set = w[3];
    if (w[2] == SPIRV_IS_BINDING && spirv_count_of(*w) > 3) {
        i->binding = w[3];
        i->bound = true;
    }
    if (w[2] == SPIRV_IS_LOCATION && spirv_count_of(*w) > 3) {
        i->location = w[3];
        i->located = true;
    }
}

static void take(const struct reader *r, const uint32_t *w)
{
    uint32_t result = spirv_result_word(spirv_op_of(*w));
    struct id *i;
    if (spirv_op_of(*w) == SPIRV_OP_DECORATE && spirv_count_of(*w) >= 3)
        take_decoration(r, w);
    else if (spirv_op_of(*w) == SPIRV_OP_NAME && spirv_count_of(*w) >= 3 && (i = id_of(r, w[1])) != NULL &&
             memchr(w + 2, 0, (spirv_count_of(*w) - 2) * sizeof *w))
        i->name = spirv_literal(w + 2, r->arena);
    else if (result && result < spirv_count_of(*w) && (i = id_of(r, w[result])) != NULL)
        i->made = w;
}

/* The type of an element, and how many there are. */
static uint32_t element_of(const struct reader *r, uint32_t type, uint32_t *count)
{
    enum { DEPTH = 8 };
    *count = 1;
    for (int depth = 0; depth < DEPTH; depth++) {
        const uint32_t *array = made(r, type, SPIRV_OP_ARRAY, 4), *runtime = made(r, type, SPIRV_OP_RUNTIME_ARRAY, 3);
        if (!array && !runtime)
            break;
        type = array ? array[2] : runtime[2];
        if (runtime)
            continue;
        const uint32_t *length = made(r, array[3], SPIRV_OP_CONSTANT, 4);
        length = length ? length : made(r, array[3], SPIRV_OP_SPEC_CONSTANT, 4);
        uint64_t all = length ? (uint64_t)*count * length[3] : *count;
        *count = all && all <= MOST_ELEMENTS ? (uint32_t)all : MOST_ELEMENTS;
    }
    return type;
}

static unsigned kinds_of(const struct reader *r, uint32_t storage, uint32_t type)
{
    const uint32_t *image = made(r, type, SPIRV_OP_IMAGE, 9);
    const struct id *i = id_of(r, type);
    if (storage == SPIRV_IN_STORAGE || (storage == SPIRV_IN_UNIFORM && i && i->buffer_block))
        return 1u << SPIRV_STORAGE;
    if (storage == SPIRV_IN_UNIFORM)
        return 1u << SPIRV_UNIFORM;
    if (made(r, type, SPIRV_OP_SAMPLED_IMAGE, 3))
        return 1u << SPIRV_TEXTURE | 1u << SPIRV_SAMPLER;
    if (made(r, type, SPIRV_OP_SAMPLER, 2))
        return 1u << SPIRV_SAMPLER;
    return !image ? 0 : image[7] == 2 ? 1u << SPIRV_IMAGE : 1u << SPIRV_TEXTURE;
}

/* What the components of a type are. */
static enum spirv_number number_of(const struct reader *r, uint32_t type)
{
    enum { DEPTH = 4 };
    for (int depth = 0; depth < DEPTH; depth++) {
        const uint32_t *vector = made(r, type, SPIRV_OP_VECTOR, 4), *matrix = made(r, type, SPIRV_OP_MATRIX, 4);
        if (!vector && !matrix)
            break;
        type = vector ? vector[2] : matrix[2];
    }
    const uint32_t *integer = made(r, type, SPIRV_OP_INT, 4);
    if (made(r, type, SPIRV_OP_FLOAT, 3))
        return SPIRV_FLOATS;
    return !integer ? SPIRV_NO_NUMBER : integer[3] ? SPIRV_SINTS : SPIRV_UINTS;
}

static void describe_texels(const struct reader *r, uint32_t type, struct spirv_named *v)
{
    const uint32_t *sampled = made(r, type, SPIRV_OP_SAMPLED_IMAGE, 3);
    const uint32_t *image = made(r, sampled ? sampled[2] : type, SPIRV_OP_IMAGE, 9);
    v->number = image ? number_of(r, image[2]) : SPIRV_NO_NUMBER;
    v->format = image && image[7] == 2 ? image[8] : 0;
}

/* A variable; false: it has neither a set with a binding nor a location. */
static bool take_variable(const struct reader *r, const uint32_t *w, struct spirv_named *v)
{
    const struct id *i = id_of(r, w[2]);
    const uint32_t *pointer = made(r, w[1], SPIRV_OP_POINTER, 4);
    *v = (struct spirv_named){.name = "", .id = w[2]};
    if (!i || !pointer)
        return false;
    uint32_t type = element_of(r, pointer[3], &v->count);
    const struct id *block = id_of(r, type);
    v->name = i->name && *i->name ? i->name : block && block->name ? block->name : "";
    v->set = i->set;
    v->binding = i->binding;
    v->location = i->location;
    v->input = w[3] == SPIRV_IN_INPUT && i->located;
    v->output = w[3] == SPIRV_IN_OUTPUT && i->located;
    if (v->input || v->output) {
        v->number = number_of(r, type);
        return true;
    }
    if (!i->bound || (w[3] != SPIRV_IN_CONSTANT && w[3] != SPIRV_IN_UNIFORM && w[3] != SPIRV_IN_STORAGE))
        return false;
    v->kinds = kinds_of(r, w[3], type);
    describe_texels(r, type, v);
    return v->kinds != 0;
}

static bool add_variable(const struct reader *r, const uint32_t *w, struct arena *arena, struct spirv_inventory *out)
{
    struct spirv_named v;
    if (spirv_count_of(*w) < 4 || !take_variable(r, w, &v))
        return true;
    struct spirv_named *more = arena_grow(arena, out->named, sizeof v, out->nnamed, &out->cap, out->nnamed + 1);
    if (!more)
        return false;
    out->named = more;
    out->named[out->nnamed++] = v;
    return true;
}

static bool add_special(const uint32_t *w, struct arena *arena, struct spirv_inventory *out)
{
    if (spirv_count_of(*w) < 4 || w[2] != SPIRV_IS_SPEC_ID)
        return true;
    uint32_t *more = arena_grow(arena, out->special, sizeof *more, out->nspecial, &out->special_cap, out->nspecial + 1);
    if (!more)
        return false;
    out->special = more;
    out->special[out->nspecial++] = w[3];
    return true;
}

bool spirv_take_inventory(const uint32_t *words, size_t count, struct arena *arena, struct spirv_inventory *out)
{
    struct reader r = {.words = {words, count}, .arena = arena};
    *out = (struct spirv_inventory){0};
    if (count < SPIRV_HEADER_WORDS || words[SPIRV_BOUND_WORD] > SPIRV_MOST_IDS)
        return true;
    r.bound = words[SPIRV_BOUND_WORD];
    r.ids = ARENA_ARRAY(arena, struct id, (size_t)r.bound + 1);
    if (!r.ids)
        return false;
    for (size_t at = 0; spirv_next(r.words, &at);)
        take(&r, words + at);
    for (size_t at = 0; spirv_next(r.words, &at);) {
        const uint32_t *w = words + at;
        out->entries += spirv_op_of(*w) == SPIRV_OP_ENTRY_POINT;
        if ((spirv_op_of(*w) == SPIRV_OP_VARIABLE && !add_variable(&r, w, arena, out)) ||
            (spirv_op_of(*w) == SPIRV_OP_DECORATE && !add_special(w, arena, out)))
            return false;
    }
    return true;
}

const char *spirv_format_name(uint32_t format)
{
    static const char *const names[] = {
        NULL, "R32G32B32A32_SFLOAT", "R16G16B16A16_SFLOAT", "R32_SFLOAT", "R8G8B8A8_UNORM", "R8G8B8A8_SNORM",
        "R32G32_SFLOAT", "R16G16_SFLOAT", "B10G11R11_UFLOAT_PACK32", "R16_SFLOAT", "R16G16B16A16_UNORM",
        "A2B10G10R10_UNORM_PACK32", "R16G16_UNORM", "R8G8_UNORM", "R16_UNORM", "R8_UNORM", "R16G16B16A16_SNORM",
        "R16G16_SNORM", "R8G8_SNORM", "R16_SNORM", "R8_SNORM", "R32G32B32A32_SINT", "R16G16B16A16_SINT",
        "R8G8B8A8_SINT", "R32_SINT", "R32G32_SINT", "R16G16_SINT", "R8G8_SINT", "R16_SINT", "R8_SINT",
        "R32G32B32A32_UINT", "R16G16B16A16_UINT", "R8G8B8A8_UINT", "R32_UINT", "A2B10G10R10_UINT_PACK32",
        "R32G32_UINT", "R16G16_UINT", "R8G8_UINT", "R16_UINT", "R8_UINT", "R64_UINT", "R64_SINT"};
    return format < sizeof names / sizeof *names ? names[format] : NULL;
}
