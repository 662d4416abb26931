/* resources.c - the variables of a module that have a set and a binding. It looks at words alone, so that builds
 * without the grammar have it too: numbers are those of SPIR-V's specification. */
#include "isa/spirv/resources.h"

#include <string.h>

enum { HEADER = 5, MOST_IDS = 0x400000, MOST_ELEMENTS = 4096 };
enum { OP_NAME = 5, OP_IMAGE = 25, OP_SAMPLER = 26, OP_SAMPLED_IMAGE = 27, OP_ARRAY = 28, OP_RUNTIME_ARRAY = 29,
       OP_STRUCT = 30, OP_POINTER = 32, OP_CONSTANT = 43, OP_SPEC_CONSTANT = 50, OP_VARIABLE = 59, OP_DECORATE = 71 };
enum { BUFFER_BLOCK = 3, BINDING = 33, SET = 34 };
enum { UNIFORM_CONSTANT = 0, UNIFORM = 2, STORAGE_BUFFER = 12 };

/* What is known of an id. */
struct id {
    const uint32_t *made; /* its instruction; NULL: none that matters */
    const char *name;
    uint32_t set, binding;
    bool bound, buffer_block;
};

struct reader {
    const uint32_t *words;
    size_t count;
    struct id *ids;
    uint32_t bound;
};

static uint32_t length_of(const uint32_t *w)
{
    return *w >> 16;
}

static uint32_t op_of(const uint32_t *w)
{
    return *w & 0xffff;
}

/* The instruction after `w`, or the first one of NULL; NULL: there is none that is whole. */
static const uint32_t *next(const struct reader *r, const uint32_t *w)
{
    size_t at = w ? (size_t)(w - r->words) + length_of(w) : HEADER;
    if (at >= r->count || length_of(r->words + at) == 0 || length_of(r->words + at) > r->count - at)
        return NULL;
    return r->words + at;
}

static struct id *id_of(const struct reader *r, uint32_t id)
{
    return id < r->bound ? &r->ids[id] : NULL;
}

/* The instruction that makes an id, with `least` words at least; NULL: another op. */
static const uint32_t *made(const struct reader *r, uint32_t id, uint32_t op, uint32_t least)
{
    const struct id *i = id_of(r, id);
    return i && i->made && op_of(i->made) == op && length_of(i->made) >= least ? i->made : NULL;
}

static void take_decoration(const struct reader *r, const uint32_t *w)
{
    struct id *i = id_of(r, w[1]);
    if (!i)
        return;
    if (w[2] == BUFFER_BLOCK)
        i->buffer_block = true;
    if (w[2] == SET && length_of(w) > 3)
        i->set = w[3];
    if (w[2] == BINDING && length_of(w) > 3) {
        i->binding = w[3];
        i->bound = true;
    }
}

/* The word that has the result of ops that matter; 0: another op. */
static uint32_t result_word(uint32_t op)
{
    switch (op) {
    case OP_IMAGE: case OP_SAMPLER: case OP_SAMPLED_IMAGE: case OP_ARRAY: case OP_RUNTIME_ARRAY: case OP_STRUCT:
    case OP_POINTER:
        return 1;
    case OP_CONSTANT: case OP_SPEC_CONSTANT: case OP_VARIABLE:
        return 2;
    default:
        return 0;
    }
}

static void take(const struct reader *r, const uint32_t *w)
{
    uint32_t result = result_word(op_of(w));
    struct id *i;
    if (op_of(w) == OP_DECORATE && length_of(w) >= 3)
        take_decoration(r, w);
    else if (op_of(w) == OP_NAME && length_of(w) >= 3 && (i = id_of(r, w[1])) != NULL &&
             memchr(w + 2, 0, (length_of(w) - 2) * sizeof *w))
        i->name = (const char *)(w + 2);
    else if (result && result < length_of(w) && (i = id_of(r, w[result])) != NULL)
        i->made = w;
}

/* The type of an element, and how many there are. */
static uint32_t element_of(const struct reader *r, uint32_t type, uint32_t *count)
{
    enum { DEPTH = 8 };
    *count = 1;
    for (int depth = 0; depth < DEPTH; depth++) {
        const uint32_t *array = made(r, type, OP_ARRAY, 4), *runtime = made(r, type, OP_RUNTIME_ARRAY, 3);
        if (!array && !runtime)
            break;
        type = array ? array[2] : runtime[2];
        if (runtime)
            continue;
        const uint32_t *length = made(r, array[3], OP_CONSTANT, 4);
        length = length ? length : made(r, array[3], OP_SPEC_CONSTANT, 4);
        uint64_t all = length ? (uint64_t)*count * length[3] : *count;
        *count = all && all <= MOST_ELEMENTS ? (uint32_t)all : MOST_ELEMENTS;
    }
    return type;
}

static unsigned kinds_of(const struct reader *r, uint32_t storage, uint32_t type)
{
    const uint32_t *image = made(r, type, OP_IMAGE, 9);
    const struct id *i = id_of(r, type);
    if (storage == STORAGE_BUFFER || (storage == UNIFORM && i && i->buffer_block))
        return 1u << SPIRV_STORAGE;
    if (storage == UNIFORM)
        return 1u << SPIRV_UNIFORM;
    if (made(r, type, OP_SAMPLED_IMAGE, 3))
        return 1u << SPIRV_TEXTURE | 1u << SPIRV_SAMPLER;
    if (made(r, type, OP_SAMPLER, 2))
        return 1u << SPIRV_SAMPLER;
    return !image ? 0 : image[7] == 2 ? 1u << SPIRV_IMAGE : 1u << SPIRV_TEXTURE;
}

/* A variable; kinds 0: it has no set and binding. */
static struct spirv_named named(const struct reader *r, const uint32_t *w)
{
    const struct id *i = id_of(r, w[2]);
    const uint32_t *pointer = made(r, w[1], OP_POINTER, 4);
    struct spirv_named v = {.name = ""};
    if (!i || !i->bound || !pointer || (w[3] != UNIFORM_CONSTANT && w[3] != UNIFORM && w[3] != STORAGE_BUFFER))
        return v;
    uint32_t type = element_of(r, pointer[3], &v.count);
    const struct id *block = id_of(r, type);
    v.kinds = kinds_of(r, w[3], type);
    v.set = i->set;
    v.binding = i->binding;
    v.name = i->name && *i->name ? i->name : block && block->name ? block->name : "";
    return v;
}

bool spirv_resources(const uint32_t *words, size_t count, struct arena *arena, struct spirv_named **out, size_t *n)
{
    struct reader r = {.words = words, .count = count};
    size_t capacity = 0;
    *out = NULL;
    *n = 0;
    if (count < HEADER || words[3] > MOST_IDS)
        return true;
    r.bound = words[3];
    r.ids = ARENA_ARRAY(arena, struct id, (size_t)r.bound + 1);
    if (!r.ids)
        return false;
    for (const uint32_t *w = NULL; (w = next(&r, w)) != NULL;)
        take(&r, w);
    for (const uint32_t *w = NULL; (w = next(&r, w)) != NULL;) {
        struct spirv_named v = {0};
        if (op_of(w) == OP_VARIABLE && length_of(w) >= 4)
            v = named(&r, w);
        if (!v.kinds)
            continue;
        *out = arena_grow(arena, *out, sizeof v, *n, &capacity, *n + 1);
        if (!*out)
            return false;
        (*out)[(*n)++] = v;
    }
    return true;
}
