/* program.h - programs of the VPU from text and bytes and back, for its tests. */
#ifndef WEFT_TESTS_VPU_PROGRAM_H
#define WEFT_TESTS_VPU_PROGRAM_H

#include "isa/vpu/vpu.h"
#include "test.h"

struct program {
    struct arena arena;
    weft_diags *diags;
    struct isa_module *m;
    weft_status status;
};

static inline void show_diagnostics(weft_diags *diags)
{
    for (size_t i = 0; i < weft_diags_count(diags) && i < 5; i++)
        printf("# %u:%u %s\n", weft_diags_get(diags, i)->line, weft_diags_get(diags, i)->column,
               weft_diags_get(diags, i)->message);
}

static inline struct program from_text_with(const char *text, const struct isa_params *params)
{
    struct program p = {.diags = weft_diags_new()};
    struct source src = {"test", text, strlen(text)};
    p.status = vpu_parse(&src, params, &p.arena, &p.m, p.diags);
    return p;
}

static inline struct program from_text(const char *text)
{
    struct isa_params params = {.stage = -1};
    return from_text_with(text, &params);
}

static inline struct program from_bytes(const uint8_t *bytes, size_t size, bool linear)
{
    struct isa_params params = {.stage = -1, .linear = linear};
    struct program p = {.diags = weft_diags_new()};
    p.status = vpu_decode(bytes, size, "test", &params, &p.arena, &p.m, p.diags);
    return p;
}

static inline void drop(struct program *p)
{
    weft_diags_free(p->diags);
    arena_free(&p->arena);
}

static inline char *text_of(struct program *p)
{
    char *text;
    size_t size;
    assert_int_equal(vpu_print(p->m, &p->arena, &text, &size, NULL), WEFT_OK);
    assert_int_equal(strlen(text), size);
    return text;
}

static inline uint8_t *bytes_of(struct program *p, size_t *size)
{
    uint8_t *bytes;
    assert_int_equal(vpu_encode(p->m, &p->arena, &bytes, size, p->diags), WEFT_OK);
    return bytes;
}

/* The first line of `text` that holds the difference between two images at byte `at`. */
static inline void show_difference(const struct isa_module *m, const char *text, size_t at, const uint8_t *was,
                                   const uint8_t *is)
{
    uint32_t n = 0;
    while (n + 1 < m->ninsns && m->insns[n + 1].address <= at)
        n++;
    const char *line = text;
    for (uint32_t i = 0; i < n && line; i++)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    printf("# at %zu: %.*s\n#", at, line ? (int)strcspn(line, "\n") : 0, line ? line : "");
    for (size_t i = m->insns[n].address; i < m->insns[n].address + m->insns[n].size; i++)
        printf(" %02x", was[i]);
    printf(" became");
    for (size_t i = m->insns[n].address; i < m->insns[n].address + m->insns[n].size; i++)
        printf(" %02x", is[i]);
    printf("\n");
}

/* decode, encode, print and parse give the bytes back. Returns how many words were no instruction. */
static inline uint32_t check_bytes(const uint8_t *bytes, size_t size)
{
    struct program p = from_bytes(bytes, size, true);
    assert_int_equal(p.status, WEFT_OK);
    size_t length;
    uint8_t *same = bytes_of(&p, &length);
    assert_int_equal(length, size);
    char *text = text_of(&p);
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != same[i]) {
            show_difference(p.m, text, i, bytes, same);
            fail_msg("decode and encode");
        }
    struct program q = from_text(text);
    if (q.status != WEFT_OK)
        show_diagnostics(q.diags);
    assert_int_equal(q.status, WEFT_OK);
    same = bytes_of(&q, &length);
    for (size_t i = 0; i < size && i < length; i++)
        if (bytes[i] != same[i]) {
            show_difference(p.m, text, i, bytes, same);
            fail_msg("print and parse");
        }
    assert_int_equal(length, size);
    uint32_t unknown = p.m->unknown;
    drop(&q);
    drop(&p);
    return unknown;
}

/* The bytes of a text as hexadecimal digits, in `out`. */
static inline void assemble_with(const char *text, const struct isa_params *params, char *out, size_t size)
{
    struct program p = from_text_with(text, params);
    if (p.status != WEFT_OK)
        show_diagnostics(p.diags);
    assert_int_equal(p.status, WEFT_OK);
    size_t length, n = 0;
    uint8_t *bytes = bytes_of(&p, &length);
    out[0] = '\0';
    for (size_t i = 0; i < length && n + 3 < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%02x", bytes[i]);
    drop(&p);
}

static inline void check_assembles(const char *text, const char *hex)
{
    char got[4096];
    struct isa_params params = {.stage = -1};
    assemble_with(text, &params, got, sizeof got);
    if (strcmp(got, hex) != 0)
        printf("# %s\n", text);
    assert_string_equal(got, hex);
}

/* The text is at fault: the first message holds `message`. */
static inline void check_refused(const char *text, const char *message)
{
    struct program p = from_text(text);
    assert_int_equal(p.status, WEFT_ERROR_INPUT);
    assert_true(weft_diags_count(p.diags) > 0);
    if (!strstr(weft_diags_get(p.diags, 0)->message, message))
        printf("# %s: '%s', not '%s'\n", text, weft_diags_get(p.diags, 0)->message, message);
    assert_non_null(strstr(weft_diags_get(p.diags, 0)->message, message));
    drop(&p);
}

#endif
