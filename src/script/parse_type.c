/* parse_type.c - data types and STRUCT. */
#include "script/parse.h"

#include <stdio.h>
#include <string.h>

static bool scalar_of(const char *p, size_t length, enum script_scalar *s)
{
    for (int i = 0; i < SCRIPT_SCALARS; i++) {
        const char *name = script_scalar_name((enum script_scalar)i);
        if (strlen(name) == length && !memcmp(name, p, length)) {
            *s = (enum script_scalar)i;
            return true;
        }
    }
    return false;
}

static bool size_digit(const char *p, uint8_t *n)
{
    if (*p < '2' || *p > '4')
        return false;
    *n = (uint8_t)(*p - '0');
    return true;
}

/* "float", "vec3<int8>", "mat2x4<float>". */
static bool number_type(const char *p, size_t length, struct script_type *t)
{
    t->kind = SCRIPT_NUMBER;
    t->columns = t->rows = 1;
    if (scalar_of(p, length, &t->scalar))
        return true;
    size_t head = 0;
    if (length > 5 && !memcmp(p, "vec", 3) && size_digit(p + 3, &t->rows))
        head = 4;
    else if (length > 7 && !memcmp(p, "mat", 3) && size_digit(p + 3, &t->columns) && p[4] == 'x' &&
             size_digit(p + 5, &t->rows))
        head = 6;
    return head && p[head] == '<' && p[length - 1] == '>' && scalar_of(p + head + 1, length - head - 2, &t->scalar);
}

static const struct script_struct *struct_of(const struct parser *ps, const char *p, size_t length)
{
    for (uint32_t i = 0; i < ps->script->nstructs; i++) {
        const struct script_struct *s = ps->script->structs[i];
        if (strlen(s->name) == length && !memcmp(s->name, p, length))
            return s;
    }
    return NULL;
}

/* "[]" and "[n]" at the end of a type: shortens *length. */
static bool array_suffix(const char *p, size_t *length, struct script_type *t)
{
    const char *open = memchr(p, '[', *length);
    if (!open)
        return true;
    const char *digits = open + 1, *close = p + *length - 1;
    if (*close != ']' || close - digits > 9)
        return false;
    t->array = true;
    for (; digits < close; digits++) {
        if (*digits < '0' || *digits > '9')
            return false;
        t->count = t->count * 10 + (uint32_t)(*digits - '0');
    }
    *length = (size_t)(open - p);
    return t->count > 0 || close == open + 1;
}

static const char *type_hint(struct parser *ps, const char *p, size_t length)
{
    const char *words[SCRIPT_SCALARS + 4] = {"vec2<float>", "vec3<float>", "vec4<float>", "mat4x4<float>"};
    for (int i = 0; i < SCRIPT_SCALARS; i++)
        words[4 + i] = script_scalar_name((enum script_scalar)i);
    const char *near = nearest_word(p, length, words, SCRIPT_SCALARS + 4);
    if (length == 4 && !memcmp(p, "vec", 3) && p[3] >= '2' && p[3] <= '4') /* as shading languages write it */
        near = words[p[3] - '2'];
    for (uint32_t i = 0; !near && i < ps->script->nstructs; i++)
        near = nearest_word(p, length, (const char *const *)&ps->script->structs[i]->name, 1);
    if (!near)
        near = script_format_nearest(p, length);
    return near ? arena_printf(ps->arena, "did you mean '%s'?", near) : NULL;
}

bool parse_type(struct parser *ps, const char *what, struct script_type *type)
{
    if (ps->token.kind != TOKEN_WORD || next_is_number(ps))
        return parse_expected(ps, what);
    struct token t = ps->token;
    size_t length = t.length;
    memset(type, 0, sizeof *type);
    if (!array_suffix(t.text, &length, type))
        return parse_error(ps, t.where, "bad-type", NULL, "an array is written T[] or T[count]");
    const struct script_struct *s = struct_of(ps, t.text, length);
    if (s) {
        type->kind = SCRIPT_STRUCT;
        type->members = s;
    } else if (!number_type(t.text, length, type)) {
        type->kind = SCRIPT_FORMAT;
        type->format = script_format_find(ps->arena, t.text, length);
        if (!type->format)
            return parse_error(ps, t.where, "unknown-type", type_hint(ps, t.text, length), "unknown data type '%.*s'",
                               length > 60 ? 60 : (int)length, t.text);
    }
    lex_next(ps);
    return true;
}

bool expect_format(struct parser *ps, const struct script_format **format)
{
    if (ps->token.kind != TOKEN_WORD || next_is_number(ps))
        return parse_expected(ps, "an image format");
    *format = script_format_find(ps->arena, ps->token.text, ps->token.length);
    if (!*format) {
        const char *near = script_format_nearest(ps->token.text, ps->token.length);
        return parse_error(ps, ps->token.where, "unknown-format",
                           near ? arena_printf(ps->arena, "did you mean '%s'?", near) : NULL, "unknown format '%.*s'",
                           ps->token.length > 60 ? 60 : (int)ps->token.length, ps->token.text);
    }
    lex_next(ps);
    return true;
}

/* The pixel format that a type of numbers amounts to: "vec3<float>" is R32G32B32_SFLOAT. NULL: none. */
const struct script_format *type_format(struct parser *ps, const struct script_type *type)
{
    char name[40];
    if (type->kind == SCRIPT_FORMAT)
        return type->format;
    if (type->kind != SCRIPT_NUMBER || type->columns > 1)
        return NULL;
    unsigned bits = 8 * script_scalar_bytes(type->scalar), n = 0;
    for (unsigned i = 0; i < type->rows; i++)
        n += (unsigned)snprintf(name + n, sizeof name - n, "%c%u", "RGBA"[i], bits);
    const char *mode = script_scalar_is_float(type->scalar) ? "SFLOAT" : type->scalar <= SCRIPT_INT64 ? "SINT" : "UINT";
    n += (unsigned)snprintf(name + n, sizeof name - n, "_%s", mode);
    return script_format_find(ps->arena, name, n);
}

/* ---- STRUCT ---- */

static bool parse_member_option(struct parser *ps, struct script_member *m)
{
    static const char *const words[] = {"OFFSET", "ARRAY_STRIDE", "MATRIX_STRIDE", "ROW_MAJOR", "COLUMN_MAJOR"};
    enum { OFFSET, ARRAY_STRIDE, MATRIX_STRIDE, ROW_MAJOR, COLUMN_MAJOR };
    struct span where = ps->token.where;
    unsigned option = 0;
    if (!EXPECT_CHOICE(ps, "OFFSET, ARRAY_STRIDE or MATRIX_STRIDE", words, &option))
        return false;
    bool is_matrix = m->type.kind == SCRIPT_NUMBER && m->type.columns > 1;
    if (option == ARRAY_STRIDE && !m->type.array)
        return parse_error(ps, where, "bad-member", NULL, "ARRAY_STRIDE needs an array, as in float[4]");
    if (option >= MATRIX_STRIDE && !is_matrix)
        return parse_error(ps, where, "bad-member", NULL, "%s needs a matrix", words[option]);
    switch (option) {
    case OFFSET:
        return expect_u32(ps, "an offset in bytes", (uint32_t)SCRIPT_MAX_BYTES, &m->offset);
    case ARRAY_STRIDE:
        return expect_u32(ps, "a stride in bytes", (uint32_t)SCRIPT_MAX_BYTES, &m->array_stride);
    case MATRIX_STRIDE:
        return expect_u32(ps, "a stride in bytes", (uint32_t)SCRIPT_MAX_BYTES, &m->matrix_stride);
    default:
        m->row_major = option == ROW_MAJOR;
        return true;
    }
}

static bool parse_member(struct parser *ps, struct script_struct *s, struct list_size *size)
{
    struct script_member m = {.offset = SCRIPT_NO_OFFSET};
    struct span type_where = ps->token.where;
    if (!count_part(ps))
        return false;
    if (token_is(&ps->token, s->name))
        return parse_error(ps, type_where, "recursive-type", NULL, "STRUCT '%s' cannot be a member of itself", s->name);
    if (!parse_type(ps, "a member's type or END", &m.type) || !expect_name(ps, "a member's name", &m.name, &m.where))
        return false;
    if (m.type.array && !m.type.count)
        return parse_error(ps, type_where, "bad-type", NULL, "a member's array needs a size, as in float[4]");
    while (!at_line_end(ps))
        if (!parse_member_option(ps, &m))
            return false;
    for (uint32_t i = 0; i < s->nmembers; i++)
        if (!strcmp(s->members[i].name, m.name))
            return parse_error(ps, m.where, "duplicate-name", NULL, "STRUCT '%s' has a member '%s' already", s->name,
                               m.name);
    if (!LIST_ADD(ps, s->members, size))
        return false;
    s->members[s->nmembers++] = m;
    return true;
}

bool parse_struct(struct parser *ps)
{
    struct script_struct *s = ARENA_NEW(ps->arena, struct script_struct);
    struct list_size size = {0};
    if (!s || !expect_name(ps, "a name for the STRUCT", &s->name, &s->where))
        return false;
    bool ok = true;
    for (uint32_t i = 0; i < ps->script->nstructs; i++)
        if (!strcmp(ps->script->structs[i]->name, s->name))
            ok = parse_error(ps, s->where, "duplicate-name", NULL, "there is a STRUCT '%s' already", s->name);
    if (take_word(ps, "STRIDE") && !expect_u32(ps, "a stride in bytes", (uint32_t)SCRIPT_MAX_BYTES, &s->stride))
        ok = false;
    if (ok && !expect_line_end(ps, "the header of a STRUCT"))
        ok = false;
    lex_skip_line(ps);
    for (lex_skip_line_ends(ps); !take_word(ps, "END"); lex_skip_line_ends(ps)) {
        if (ps->token.kind == TOKEN_END)
            return parse_error(ps, s->where, "missing-end", NULL, "STRUCT '%s' has no END", s->name);
        if (!parse_member(ps, s, &size)) {
            ok = false;
            lex_skip_line(ps);
        }
    }
    if (ok && !s->nmembers)
        ok = parse_error(ps, s->where, "empty-struct", NULL, "STRUCT '%s' has no members", s->name);
    if (!ok)
        return false;
    script_struct_align(s);
    if (s->nesting > SCRIPT_MAX_NESTING)
        return parse_error(ps, s->where, "too-deep", NULL, "structures nest at most %d deep", SCRIPT_MAX_NESTING);
    if (!LIST_ADD(ps, ps->script->structs, &ps->structs))
        return false;
    ps->script->structs[ps->script->nstructs++] = s;
    return expect_line_end(ps, "END");
}
