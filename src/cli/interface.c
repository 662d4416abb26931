/* interface.c - names, types and places of a SPIR-V module (interface.h). Numbers of words are those of SPIR-V. */
#include "cli/interface.h"

#include "ir/io.h"
#include "isa/spirv/resources.h"
#include "isa/spirv/words.h"

#include <ctype.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };
enum { SOURCE_HLSL = 5 };
enum { PUSH_BUFFER = 15, CONSTANTS_OF_A_SET = 8, OTHERS_OF_A_SET = 16, DEEPEST = 16, MOST_ELEMENTS = 1 << 16 };

static uint32_t op(const struct interface *f, size_t at)
{
    return spirv_op_of(f->word[at]);
}

static uint32_t size(const struct interface *f, size_t at)
{
    return spirv_count_of(f->word[at]);
}

/* To the next instruction from *at on, which is 0 before the first. */
static bool next(const struct interface *f, size_t *at)
{
    return spirv_next((struct spirv_words){f->word, f->count}, at);
}

static void index_ids(struct interface *f)
{
    for (size_t at = 0; next(f, &at);) {
        uint32_t n = spirv_result_word(op(f, at));
        if (n && n < size(f, at) && f->word[at + n] < f->bound)
            f->at[f->word[at + n]] = (uint32_t)at;
        if (op(f, at) == SPIRV_OP_SOURCE && size(f, at) > 1)
            f->hlsl = f->word[at + 1] == SOURCE_HLSL;
    }
}

bool interface_read(const weft_program *program, struct interface *f)
{
    uint8_t *bytes = NULL;
    size_t count = 0;
    *f = (struct interface){0};
    if (!program || strcmp(weft_isa_name(weft_program_isa(program)), "spirv") != 0)
        return true;
    if (weft_program_bytes(program, &bytes, &count, NULL) != WEFT_OK || count < SPIRV_HEADER_WORDS * sizeof(uint32_t)) {
        weft_free(bytes);
        return true;
    }
    f->word = malloc(count + sizeof(uint32_t)); /* a zero after them ends the last name */
    if (f->word) {
        memcpy(f->word, bytes, count);
        f->count = count / sizeof(uint32_t);
        for (size_t i = 0; i < f->count; i++)
            f->word[i] = le32toh(f->word[i]);
        f->word[f->count] = 0;
        f->bound = f->word[SPIRV_BOUND_WORD] < SPIRV_MOST_IDS ? f->word[SPIRV_BOUND_WORD] : SPIRV_MOST_IDS;
        f->at = calloc((size_t)f->bound + 1, sizeof *f->at);
    }
    weft_free(bytes);
    if (!f->word || !f->at) {
        cli_message("out of memory");
        return false;
    }
    index_ids(f);
    return true;
}

void interface_free(struct interface *f)
{
    free(f->word);
    free(f->at);
    *f = (struct interface){0};
}

/* Where an id of this operation is made; 0: it is not. */
static uint32_t made(const struct interface *f, uint32_t id, uint32_t opcode)
{
    uint32_t at = id < f->bound ? f->at[id] : 0;
    return at && op(f, at) == opcode ? at : 0;
}

static uint32_t operation(const struct interface *f, uint32_t id)
{
    uint32_t at = id < f->bound ? f->at[id] : 0;
    return at ? op(f, at) : 0;
}

/* The word after a decoration of an id, or of its member; NULL: it has none. */
static uint32_t *decorated(const struct interface *f, uint32_t id, uint32_t member, uint32_t decoration)
{
    bool of_member = member != NONE;
    for (size_t at = 0; next(f, &at);) {
        uint32_t *w = f->word + at + 1, least = of_member ? 4 : 3;
        uint32_t wanted = of_member ? SPIRV_OP_MEMBER_DECORATE : SPIRV_OP_DECORATE;
        if (op(f, at) != wanted || size(f, at) < least || *w++ != id)
            continue;
        if (of_member && *w++ != member)
            continue;
        if (*w == decoration)
            return w + 1;
    }
    return NULL;
}

static uint32_t decoration(const struct interface *f, uint32_t id, uint32_t member, uint32_t which, uint32_t otherwise)
{
    const uint32_t *w = decorated(f, id, member, which);
    return w ? *w : otherwise;
}

static const char *name_of(const struct interface *f, uint32_t id, uint32_t member)
{
    bool of_member = member != NONE;
    for (size_t at = 0; next(f, &at);) {
        const uint32_t *w = f->word + at + 1;
        if (op(f, at) != (of_member ? SPIRV_OP_MEMBER_NAME : SPIRV_OP_NAME) || size(f, at) < 3 || *w++ != id)
            continue;
        if (!of_member || *w++ == member)
            return (const char *)w;
    }
    return "";
}

/* ---- variables ---- */

/* The type of the elements, however many arrays there are around it. */
static uint32_t innermost(const struct interface *f, uint32_t type)
{
    for (unsigned i = 0; i < DEEPEST; i++) {
        uint32_t array = made(f, type, SPIRV_OP_ARRAY), at = array ? array : made(f, type, SPIRV_OP_RUNTIME_ARRAY);
        if (!at)
            break;
        type = f->word[at + 2];
    }
    return type;
}

/* Whether a function has the id. glslang gives all that are not used one binding, which another one has too. */
static bool used(const struct interface *f, uint32_t id)
{
    bool inside = false;
    for (size_t at = 0; next(f, &at);) {
        inside |= op(f, at) == SPIRV_OP_FUNCTION;
        for (size_t i = 1; inside && i < size(f, at); i++)
            if (f->word[at + i] == id)
                return true;
    }
    return false;
}

/* The number of elements of an array type. */
static uint32_t length_of(const struct interface *f, uint32_t at)
{
    uint32_t constant = made(f, f->word[at + 3], SPIRV_OP_CONSTANT);
    return constant && size(f, constant) >= 4 ? f->word[constant + 3] : 0;
}

/* How many elements arrays of a type have in all, at most MOST_ELEMENTS. */
static uint32_t elements_of(const struct interface *f, uint32_t type)
{
    uint32_t at, count = 1;
    for (unsigned i = 0; i < DEEPEST && (at = made(f, type, SPIRV_OP_ARRAY)); i++) {
        uint32_t length = length_of(f, at);
        count = length && count <= MOST_ELEMENTS / length ? count * length : MOST_ELEMENTS;
        type = f->word[at + 2];
    }
    return count;
}

/* The number of a variable with a set and a binding. */
static uint32_t bound(const struct interface *f, uint32_t id, uint32_t numbers_of_a_set)
{
    return decoration(f, id, NONE, SPIRV_IS_SET, 0) * numbers_of_a_set + decoration(f, id, NONE, SPIRV_IS_BINDING, 0);
}

static bool block(const struct interface *f, struct interface_variable *v, uint32_t class)
{
    uint32_t type = innermost(f, v->type);
    if (operation(f, type) != SPIRV_OP_STRUCT)
        return false;
    bool stored = class == SPIRV_IN_STORAGE || decorated(f, type, NONE, SPIRV_IS_BUFFER_BLOCK);
    v->kind = stored ? INTERFACE_BUFFER : INTERFACE_BLOCK;
    v->elements = elements_of(f, v->type);
    v->instance = v->name;
    v->name = name_of(f, type, NONE);
    v->loose = strcmp(v->name, "gl_DefaultUniformBlock") == 0 || strcmp(v->name, "$Global") == 0;
    v->push = class == SPIRV_IN_PUSH;
    v->number = v->push ? PUSH_BUFFER : bound(f, v->id, stored ? OTHERS_OF_A_SET : CONSTANTS_OF_A_SET);
    if (stored && !used(f, v->id))
        v->number = INTERFACE_UNUSED;
    return true;
}

/* The instruction that makes an image's type; 0: it is not an image that programs store to. */
static uint32_t stored_image(const struct interface *f, uint32_t type)
{
    enum { DIM = 3, SUBPASS_DATA = 6, SAMPLED = 7, STORED = 2 };
    uint32_t at = made(f, innermost(f, type), SPIRV_OP_IMAGE);
    bool stored = at && size(f, at) > SAMPLED && f->word[at + SAMPLED] == STORED;
    return stored && f->word[at + DIM] != SUBPASS_DATA ? at : 0;
}

static bool variable(const struct interface *f, size_t at, struct interface_variable *v)
{
    uint32_t pointer = size(f, at) >= 4 ? made(f, f->word[at + 1], SPIRV_OP_POINTER) : 0, class = f->word[at + 3];
    if (!pointer)
        return false;
    *v = (struct interface_variable){.id = f->word[at + 2], .type = f->word[pointer + 3], .instance = ""};
    v->name = name_of(f, v->id, NONE);
    switch (class) {
    case SPIRV_IN_CONSTANT:
        v->kind = stored_image(f, v->type)                         ? INTERFACE_IMAGE
                  : made(f, innermost(f, v->type), SPIRV_OP_SAMPLER) ? INTERFACE_SAMPLER
                                                                 : INTERFACE_TEXTURE;
        v->elements = elements_of(f, v->type);
        v->number = used(f, v->id) ? bound(f, v->id, OTHERS_OF_A_SET) : INTERFACE_UNUSED;
        return true;
    case SPIRV_IN_STORAGE:
    case SPIRV_IN_UNIFORM:
    case SPIRV_IN_PUSH:
        return block(f, v, class);
    case SPIRV_IN_INPUT:
    case SPIRV_IN_OUTPUT:
        v->kind = class == SPIRV_IN_INPUT ? INTERFACE_INPUT : INTERFACE_OUTPUT;
        v->number = decoration(f, v->id, NONE, SPIRV_IS_LOCATION, NONE);
        return v->number != NONE && !decorated(f, v->id, NONE, SPIRV_IS_BUILT_IN) && innermost(f, v->type);
    default:
        return false;
    }
}

bool interface_next(const struct interface *f, size_t *at, struct interface_variable *v)
{
    if (!f->word)
        return false;
    while (next(f, at))
        if (op(f, *at) == SPIRV_OP_VARIABLE && variable(f, *at, v))
            return true;
    return false;
}

struct interface_image interface_image(const struct interface *f, const struct interface_variable *v)
{
    enum { DIM = 3, ARRAYED = 5, FORMAT = 8 };
    static const uint8_t dims[] = {IR_TEX_1D, IR_TEX_2D, IR_TEX_3D, IR_TEX_CUBE, IR_TEX_RECT, IR_TEX_BUFFER};
    const uint32_t *w = f->word + stored_image(f, v->type);
    return (struct interface_image){w[DIM] < sizeof dims ? dims[w[DIM]] : IR_TEX_2D, w[ARRAYED] != 0,
                                    spirv_format_name(w[FORMAT])};
}

void interface_renumber(struct interface *f, const struct interface_variable *v, uint32_t number)
{
    bool located = v->kind == INTERFACE_INPUT || v->kind == INTERFACE_OUTPUT;
    uint32_t *w = decorated(f, v->id, NONE, located ? SPIRV_IS_LOCATION : SPIRV_IS_BINDING);
    uint32_t *set = located ? NULL : decorated(f, v->id, NONE, SPIRV_IS_SET);
    f->changed |= (w && *w != number) || (set && *set != 0);
    if (w)
        *w = number;
    if (set)
        *set = 0;
}

weft_status interface_remake(const struct interface *f, const char *language, const char *name,
                             const weft_program_options *options, weft_diags *diags, weft_program **program)
{
    weft_program *made = NULL;
    uint32_t *words = cli_kept(malloc(f->count * sizeof *words));
    for (size_t i = 0; i < f->count; i++)
        words[i] = htole32(f->word[i]);
    weft_status status = weft_program_from_bytes(language, name, (const uint8_t *)words, f->count * sizeof *words,
                                                 options, diags, &made);
    free(words);
    if (status != WEFT_OK)
        return status;
    weft_program_free(*program);
    *program = made;
    return WEFT_OK;
}

/* ---- values ---- */

struct interface_place interface_block(const struct interface_variable *v)
{
    return (struct interface_place){.type = v->type, .buffer = v->number, .blocks = v->elements > 1};
}

bool interface_member(const struct interface *f, const struct interface_place *of, uint32_t index,
                      struct interface_place *out, const char **name)
{
    uint32_t at = made(f, of->type, SPIRV_OP_STRUCT);
    if (!at || index >= size(f, at) - 2)
        return false;
    *out = (struct interface_place){.type = f->word[at + 2 + index],
                                    .offset = of->offset + decoration(f, of->type, index, SPIRV_IS_OFFSET, 0),
                                    .buffer = of->buffer,
                                    .matrix_stride = decoration(f, of->type, index, SPIRV_IS_MATRIX_STRIDE, 16),
                                    .row_major = decorated(f, of->type, index, SPIRV_IS_ROW_MAJOR) != NULL};
    *name = name_of(f, of->type, index);
    return true;
}

static bool element(const struct interface *f, const struct interface_place *of, uint32_t index,
                    struct interface_place *out)
{
    uint32_t at = made(f, of->type, SPIRV_OP_ARRAY);
    if (!at || index >= length_of(f, at))
        return false;
    *out = *of;
    out->type = f->word[at + 2];
    out->blocks = of->blocks && made(f, out->type, SPIRV_OP_ARRAY);
    if (of->blocks)
        out->buffer += index * elements_of(f, out->type);
    else
        out->offset += index * decoration(f, of->type, NONE, SPIRV_IS_ARRAY_STRIDE, 16);
    return true;
}

uint32_t interface_elements(const struct interface *f, const struct interface_place *p)
{
    uint32_t at = made(f, p->type, SPIRV_OP_ARRAY);
    return at ? length_of(f, at) : 0;
}

/* A member of that name, length characters of it. */
static bool named_member(const struct interface *f, const struct interface_place *of, const char *name, size_t length,
                         struct interface_place *out)
{
    const char *own;
    for (uint32_t i = 0; interface_member(f, of, i, out, &own); i++)
        if (strlen(own) == length && strncmp(own, name, length) == 0)
            return true;
    return false;
}

/* What follows a name: [2], .member, to the end. */
static bool follow(const struct interface *f, const char *path, struct interface_place *p)
{
    struct interface_place next;
    while (*path) {
        if (*path == '[') {
            char *end;
            unsigned long n = isdigit((unsigned char)path[1]) ? strtoul(path + 1, &end, 10) : NONE;
            if (n >= NONE || *end != ']' || !element(f, p, (uint32_t)n, &next))
                return false;
            path = end + 1;
        } else {
            size_t length = strcspn(path + 1, ".[");
            if (*path != '.' || !named_member(f, p, path + 1, length, &next))
                return false;
            path += 1 + length;
        }
        *p = next;
    }
    return true;
}

bool interface_find(const struct interface *f, const char *path, struct interface_place *out)
{
    struct interface_variable v;
    size_t length = strcspn(path, ".[");
    for (size_t at = 0; interface_next(f, &at, &v);) {
        if (v.kind != INTERFACE_BLOCK)
            continue;
        struct interface_place whole = interface_block(&v);
        bool named = (strlen(v.name) == length && strncmp(v.name, path, length) == 0) ||
                     (*v.instance && strlen(v.instance) == length && strncmp(v.instance, path, length) == 0);
        *out = whole;
        if (named && follow(f, path + length, out))
            return true;
        if (named_member(f, &whole, path, length, out) && follow(f, path + length, out))
            return true;
    }
    return false;
}

/* ---- scalars ---- */

struct walk {
    const struct interface *f;
    interface_each *each;
    void *context;
};

static void scalar(const struct walk *w, uint32_t type, uint32_t offset)
{
    uint32_t at = w->f->at[type];
    enum interface_scalar kind = INTERFACE_OTHER;
    if (op(w->f, at) == SPIRV_OP_FLOAT)
        kind = INTERFACE_FLOAT;
    else if (op(w->f, at) == SPIRV_OP_INT)
        kind = w->f->word[at + 3] ? INTERFACE_INT : INTERFACE_UINT;
    w->each(w->context, offset, kind, w->f->word[at + 2] / 8);
}

/* The components from `first` on, `n` of them. */
static void components(const struct walk *w, uint32_t at, uint32_t offset, uint32_t stride, uint32_t n)
{
    uint32_t component = w->f->word[at + 2], type = operation(w->f, component);
    if (type != SPIRV_OP_FLOAT && type != SPIRV_OP_INT)
        return;
    uint32_t bytes = stride ? stride : w->f->word[w->f->at[component] + 2] / 8;
    for (uint32_t i = 0; i < n; i++)
        scalar(w, component, offset + i * bytes);
}

static void vector(const struct walk *w, uint32_t at, uint32_t offset)
{
    components(w, at, offset, 0, w->f->word[at + 3]);
}

static void matrix(const struct walk *w, uint32_t at, const struct interface_place *p)
{
    uint32_t column = made(w->f, w->f->word[at + 2], SPIRV_OP_VECTOR);
    if (!column)
        return;
    uint32_t scalar_size = w->f->word[w->f->at[w->f->word[column + 2]] + 2] / 8;
    uint32_t columns = w->f->word[at + 3], rows = w->f->word[column + 3];
    uint32_t next_column = p->row_major ? scalar_size : p->matrix_stride;
    uint32_t next_row = p->row_major ? p->matrix_stride : scalar_size;
    for (uint32_t i = 0; i < (w->f->hlsl ? rows : columns); i++)
        if (w->f->hlsl)
            components(w, column, p->offset + i * next_row, next_column, columns);
        else
            components(w, column, p->offset + i * next_column, next_row, rows);
}

static void walk(const struct walk *w, const struct interface_place *p, unsigned depth)
{
    struct interface_place part;
    const char *name;
    uint32_t at = p->type < w->f->bound ? w->f->at[p->type] : 0;
    if (!at || depth > DEEPEST)
        return;
    switch (op(w->f, at)) {
    case SPIRV_OP_INT:
    case SPIRV_OP_FLOAT:
        scalar(w, p->type, p->offset);
        break;
    case SPIRV_OP_VECTOR:
        vector(w, at, p->offset);
        break;
    case SPIRV_OP_MATRIX:
        matrix(w, at, p);
        break;
    case SPIRV_OP_ARRAY:
        for (uint32_t i = 0; i < MOST_ELEMENTS && element(w->f, p, i, &part); i++)
            walk(w, &part, depth + 1);
        break;
    case SPIRV_OP_STRUCT:
        for (uint32_t i = 0; interface_member(w->f, p, i, &part, &name); i++)
            walk(w, &part, depth + 1);
        break;
    default:
        break;
    }
}

void interface_scalars(const struct interface *f, const struct interface_place *p, interface_each *each, void *context)
{
    struct walk w = {f, each, context};
    walk(&w, p, 0);
}
