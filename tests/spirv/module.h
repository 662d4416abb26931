/* module.h - modules of SPIR-V made word by word, which run on two buffers, of which each invocation has
 * eight words. */
#ifndef WEFT_TESTS_SPIRV_MODULE_H
#define WEFT_TESTS_SPIRV_MODULE_H

#include "test.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

enum { COUNT = 256, MOST_WORDS = 2048, STRIDE = 8 /* words in and out for an invocation */ };

/* ---- modules ---- */

enum id {
    VOID = 1, FN, UINT, FLOAT, BOOL, VEC3, IN_PTR, GID, ARRAY, BLOCK, BLOCK_PTR, IN, OUT, WORD_PTR, ZERO, ONE, TWO,
    MAIN, ENTRY, GLSL, INDEX /* 0 to 7 and STRIDE */, FREE = INDEX + STRIDE + 1
};

struct module {
    uint32_t w[MOST_WORDS], n, bound;
    uint32_t type[2][65], pair; /* integers and floats by their bits, a vector of two words; 0: not declared */
};

static inline void words(struct module *m, unsigned opcode, const uint32_t *w, unsigned n)
{
    assert_true(m->n + n + 1 <= MOST_WORDS);
    m->w[m->n++] = (n + 1) << 16 | opcode;
    for (unsigned i = 0; i < n; i++) /* w may be NULL without any */
        m->w[m->n++] = w[i];
}
#define ADD(m, opcode, ...)                                                                                            \
    words(m, opcode, (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

static inline uint32_t fresh(struct module *m)
{
    return m->bound++;
}

/* Up to the types and constants that every module has, with these capabilities and extensions (up to NULL), and with a
 * variable more that the caller declares: of the storage buffers from binding 0 on; 0: none. */
static inline uint32_t declare_more(struct module *m, const uint32_t *capabilities, unsigned n,
                                    const char *const *extensions, bool more)
{
    *m = (struct module){.w = {SpvMagicNumber, 0x10300, 0, 0, 0}, .n = 5, .bound = FREE};
    ADD(m, SpvOpCapability, SpvCapabilityShader);
    for (unsigned i = 0; i < n; i++)
        ADD(m, SpvOpCapability, capabilities[i]);
    for (; extensions && *extensions; extensions++) {
        uint32_t name[16] = {0};
        assert_true(strlen(*extensions) < sizeof name);
        memcpy(name, *extensions, strlen(*extensions));
        words(m, SpvOpExtension, name, (unsigned)strlen(*extensions) / 4 + 1);
    }
    ADD(m, SpvOpExtInstImport, GLSL, 0x4c534c47, 0x6474732e, 0x3035342e, 0);
    ADD(m, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    ADD(m, SpvOpEntryPoint, SpvExecutionModelGLCompute, MAIN, 0x6e69616d, 0, GID);
    ADD(m, SpvOpExecutionMode, MAIN, SpvExecutionModeLocalSize, 64, 1, 1);
    ADD(m, SpvOpDecorate, GID, SpvDecorationBuiltIn, SpvBuiltInGlobalInvocationId);
    ADD(m, SpvOpDecorate, ARRAY, SpvDecorationArrayStride, 4);
    ADD(m, SpvOpDecorate, WORD_PTR, SpvDecorationArrayStride, 4);
    ADD(m, SpvOpDecorate, BLOCK, SpvDecorationBlock);
    ADD(m, SpvOpMemberDecorate, BLOCK, 0, SpvDecorationOffset, 0);
    ADD(m, SpvOpDecorate, IN, SpvDecorationDescriptorSet, 0);
    ADD(m, SpvOpDecorate, IN, SpvDecorationBinding, 0);
    ADD(m, SpvOpDecorate, OUT, SpvDecorationDescriptorSet, 0);
    ADD(m, SpvOpDecorate, OUT, SpvDecorationBinding, 1);
    uint32_t buffers = more ? fresh(m) : 0;
    if (more) {
        ADD(m, SpvOpDecorate, buffers, SpvDecorationDescriptorSet, 0);
        ADD(m, SpvOpDecorate, buffers, SpvDecorationBinding, 0);
    }
    ADD(m, SpvOpTypeVoid, VOID);
    ADD(m, SpvOpTypeFunction, FN, VOID);
    ADD(m, SpvOpTypeInt, UINT, 32, 0);
    ADD(m, SpvOpTypeFloat, FLOAT, 32);
    ADD(m, SpvOpTypeBool, BOOL);
    ADD(m, SpvOpTypeVector, VEC3, UINT, 3);
    ADD(m, SpvOpTypePointer, IN_PTR, SpvStorageClassInput, VEC3);
    ADD(m, SpvOpVariable, IN_PTR, GID, SpvStorageClassInput);
    ADD(m, SpvOpTypeRuntimeArray, ARRAY, UINT);
    ADD(m, SpvOpTypeStruct, BLOCK, ARRAY);
    ADD(m, SpvOpTypePointer, BLOCK_PTR, SpvStorageClassStorageBuffer, BLOCK);
    ADD(m, SpvOpVariable, BLOCK_PTR, IN, SpvStorageClassStorageBuffer);
    ADD(m, SpvOpVariable, BLOCK_PTR, OUT, SpvStorageClassStorageBuffer);
    ADD(m, SpvOpTypePointer, WORD_PTR, SpvStorageClassStorageBuffer, UINT);
    ADD(m, SpvOpConstant, UINT, TWO, 2); /* not 0: the first value of a program does something where it should not be */
    ADD(m, SpvOpConstant, UINT, ZERO, 0);
    ADD(m, SpvOpConstant, UINT, ONE, 1);
    for (uint32_t i = 0; i <= STRIDE; i++)
        ADD(m, SpvOpConstant, UINT, INDEX + i, i);
    m->type[0][32] = UINT;
    m->type[1][32] = FLOAT;
    return buffers;
}

static inline void declare(struct module *m, const uint32_t *capabilities, unsigned n, const char *const *extensions)
{
    declare_more(m, capabilities, n, extensions, false);
}

static inline void enter(struct module *m)
{
    ADD(m, SpvOpFunction, VOID, MAIN, SpvFunctionControlMaskNone, FN);
    ADD(m, SpvOpLabel, ENTRY);
}

/* The number of the invocation. */
static inline uint32_t invocation(struct module *m)
{
    uint32_t all = fresh(m), id = fresh(m);
    ADD(m, SpvOpLoad, VEC3, all, GID);
    ADD(m, SpvOpCompositeExtract, UINT, id, all, 0);
    return id;
}

/* A pointer to word `which` of the invocation. */
static inline uint32_t word_pointer(struct module *m, uint32_t buffer, uint32_t id, unsigned which)
{
    uint32_t first = fresh(m), at = fresh(m), pointer = fresh(m);
    ADD(m, SpvOpIMul, UINT, first, id, INDEX + STRIDE);
    ADD(m, SpvOpIAdd, UINT, at, first, INDEX + which);
    ADD(m, SpvOpAccessChain, WORD_PTR, pointer, buffer, ZERO, at);
    return pointer;
}

static inline uint32_t input(struct module *m, uint32_t id, unsigned which)
{
    uint32_t pointer = word_pointer(m, IN, id, which), word = fresh(m);
    ADD(m, SpvOpLoad, UINT, word, pointer);
    return word;
}

static inline uint32_t op1(struct module *m, unsigned opcode, uint32_t type, uint32_t a)
{
    uint32_t v = fresh(m);
    ADD(m, opcode, type, v, a);
    return v;
}

static inline uint32_t cast(struct module *m, uint32_t type, uint32_t word)
{
    return op1(m, SpvOpBitcast, type, word);
}

static inline void output(struct module *m, uint32_t id, unsigned which, uint32_t word)
{
    uint32_t pointer = word_pointer(m, OUT, id, which);
    ADD(m, SpvOpStore, pointer, word);
}

static inline void leave(struct module *m)
{
    words(m, SpvOpReturn, NULL, 0);
    words(m, SpvOpFunctionEnd, NULL, 0);
    m->w[3] = m->bound;
}

static inline void end(struct module *m, uint32_t id, uint32_t word)
{
    output(m, id, 0, word);
    leave(m);
}

/* ---- numbers of any width ---- */

static const uint32_t all_widths[] = {SpvCapabilityInt8, SpvCapabilityInt16, SpvCapabilityInt64, SpvCapabilityFloat16,
                                      SpvCapabilityFloat64};

/* The types that numbers of this kind ('i', 'f'; 'b' has one anyway) and width go through. */
static inline void declare_number(struct module *m, char kind, unsigned width)
{
    for (unsigned k = 0; kind != 'b' && k <= (kind == 'f'); k++) {
        uint32_t *type = &m->type[k][width];
        if (*type)
            continue;
        *type = fresh(m);
        if (k)
            ADD(m, SpvOpTypeFloat, *type, width);
        else
            ADD(m, SpvOpTypeInt, *type, width, 0);
    }
    if (width == 64 && !m->pair) {
        m->pair = fresh(m);
        ADD(m, SpvOpTypeVector, m->pair, UINT, 2);
    }
}

static inline uint32_t number_type(const struct module *m, char kind, unsigned width)
{
    return kind == 'b' ? BOOL : m->type[kind == 'f'][width];
}

/* A number from word `which` of the input, and the next one if it has 64 bits. */
static inline uint32_t fetch(struct module *m, uint32_t id, unsigned which, char kind, unsigned width)
{
    uint32_t v = input(m, id, which);
    if (kind == 'b') {
        uint32_t flag = fresh(m);
        ADD(m, SpvOpINotEqual, BOOL, flag, v, ZERO);
        return flag;
    }
    if (width == 64) {
        uint32_t high = input(m, id, which + 1), both = fresh(m);
        ADD(m, SpvOpCompositeConstruct, m->pair, both, v, high);
        return cast(m, number_type(m, kind, width), both);
    }
    if (width < 32)
        v = op1(m, SpvOpUConvert, m->type[0][width], v);
    return kind == 'f' ? cast(m, m->type[1][width], v) : v;
}

/* And to the output. */
static inline void put(struct module *m, uint32_t id, unsigned which, char kind, unsigned width, uint32_t v)
{
    uint32_t word = v;
    if (kind == 'b') {
        word = fresh(m);
        ADD(m, SpvOpSelect, UINT, word, v, ONE, ZERO);
    } else if (width == 64) {
        uint32_t both = cast(m, m->pair, v), high = fresh(m);
        word = fresh(m);
        ADD(m, SpvOpCompositeExtract, UINT, word, both, 0);
        ADD(m, SpvOpCompositeExtract, UINT, high, both, 1);
        output(m, id, which + 1, high);
    } else {
        if (kind == 'f')
            word = cast(m, m->type[0][width], word);
        if (width < 32)
            word = op1(m, SpvOpUConvert, UINT, word);
    }
    output(m, id, which, word);
}

static inline uint64_t number_at(const uint32_t *buffer, unsigned invocation, unsigned which, unsigned width)
{
    const uint32_t *w = buffer + (size_t)invocation * STRIDE + which;
    return width == 64 ? w[0] | (uint64_t)w[1] << 32 : w[0];
}

static inline void set_number(uint32_t *buffer, unsigned invocation, unsigned which, unsigned width, uint64_t v)
{
    uint32_t *w = buffer + (size_t)invocation * STRIDE + which;
    w[0] = (uint32_t)v;
    if (width == 64)
        w[1] = (uint32_t)(v >> 32);
}

/* ---- running them ---- */

/* To the file that WEFT_TEST_MODULES names, after its size (coverage.py, test_lifts.c). False: it names none. */
static inline bool record(const struct module *m)
{
    const char *path = getenv("WEFT_TEST_MODULES");
    FILE *f = path ? fopen(path, "ab") : NULL;
    if (!f)
        return false;
    fwrite(&m->n, sizeof m->n, 1, f);
    fwrite(m->w, sizeof *m->w, m->n, f);
    fclose(f);
    return true;
}

/* False: it was not run, since modules are only to be recorded. */
static inline bool run(const struct module *m, const uint32_t *in, uint32_t *out)
{
    if (record(m))
        return false;
    static const char linkage[] = "storage 0 0 = 0\nstorage 0 1 = 1\n";
    weft_diags *diags = weft_diags_new();
    weft_program_options options;
    weft_program_options_init(&options);
    options.linkage = linkage;
    options.linkage_size = sizeof linkage - 1;
    weft_program *p = NULL;
    weft_runner *r = NULL;
    weft_status status =
        weft_program_from_bytes("spirv", "test", (const uint8_t *)m->w, m->n * 4, &options, diags, &p);
    if (status == WEFT_OK)
        status = weft_program_check(p, diags);
    if (status == WEFT_OK)
        status = weft_runner_new((const weft_program *[]){p}, 1, NULL, diags, &r);
    if (status == WEFT_OK)
        status = weft_runner_bind_buffer(r, 0, (void *)(uintptr_t)in, STRIDE * COUNT * 4, diags);
    if (status == WEFT_OK)
        status = weft_runner_bind_buffer(r, 1, out, STRIDE * COUNT * 4, diags);
    if (status == WEFT_OK)
        status = weft_runner_dispatch(r, COUNT / 64, 1, 1, diags);
    if (status != WEFT_OK)
        fail_msg("%s", weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "no message");
    weft_runner_free(r);
    weft_program_free(p);
    weft_diags_free(diags);
    return true;
}

#endif
