/* shaders.h - what the fuzzers of states make once and keep: programs, when they are first chosen, and threads. */
#ifndef WEFT_FUZZ_SHADERS_H
#define WEFT_FUZZ_SHADERS_H

#include "choice.h"
#include "threads.h"

#include "device/pipeline.h"
#include "ir/pass.h"
#include "isa/tgsi/tgsi.h"

#include <stdio.h>

enum { SHADER_TEXT = 2048 };

/* Compiled once for each level of the CPU: for the best by the JIT, interpreted at the others. */
struct shader {
    struct stage stage[EXEC_LEVELS];
    bool refused; /* it is no program */
};

static inline weft_status compile_stage(struct shader *s, const struct ir_program *ir, enum exec_level level,
                                        struct arena *arena, weft_diags *diags)
{
    const struct exec_options options = {
        .level = level, .engine = level == exec_best_level() ? EXEC_ENGINE_JIT : EXEC_ENGINE_INTERP};
    return stage_compile(ir, NULL, &options, arena, &s->stage[level], diags);
}

static inline bool compile_shader(struct shader *s, const char *text)
{
    struct arena *arena = claim(sizeof *arena);
    weft_diags *diags = weft_diags_new();
    const struct source src = {"shader", text, strlen(text)};
    const struct isa_params params = {NULL, -1};
    struct isa_module *module = NULL;
    struct ir_program *ir = NULL;
    if (tgsi_parse(&src, &params, arena, &module, diags) == WEFT_OK &&
        tgsi_check(module, &src, &params, diags) == WEFT_OK)
        must(tgsi_lift(module, &src, arena, &ir, diags) == WEFT_OK);
    if (ir)
        ir_optimise(ir);
    for (unsigned level = 0; ir && level < EXEC_LEVELS; level++)
        if (exec_level_usable((enum exec_level)level))
            must(compile_stage(s, ir, (enum exec_level)level, arena, diags) == WEFT_OK);
    if (!ir) {
        arena_free(arena);
        free(arena);
    }
    weft_diags_free(diags);
    return ir != NULL;
}

/* NULL: it is no program. */
static inline const struct shader *try_shader(struct shader *kept, const char *text)
{
    if (!kept->refused && !kept->stage[EXEC_BASELINE].program)
        kept->refused = !compile_shader(kept, text);
    return kept->refused ? NULL : kept;
}

static inline const struct shader *shader_of(struct shader *kept, const char *text)
{
    const struct shader *s = try_shader(kept, text);
    if (!s) {
        fprintf(stderr, "the fuzzer's own program is wrong:\n%s\n", text);
        abort();
    }
    return s;
}

/* ---- programs that look at textures ---- */

struct shader_target {
    const char *name;
    bool fetch_only;
};

static const struct shader_target shader_targets[] = {
    {"1D", false},
    {"2D", false},
    {"3D", false},
    {"CUBE", false},
    {"RECT", false},
    {"1D_ARRAY", false},
    {"2D_ARRAY", false},
    {"CUBE_ARRAY", false},
    {"BUFFER", true},
    {"2D_MSAA", true},
    {"2D_ARRAY_MSAA", true},
    {"SHADOW1D", false},
    {"SHADOW2D", false},
    {"SHADOWRECT", false},
    {"SHADOWCUBE", false},
    {"SHADOW1D_ARRAY", false},
    {"SHADOW2D_ARRAY", false},
};

/* %s is the target. TEMP[0] has coordinates as floats, TEMP[1] as integers. Targets that an instruction does not take
 * get one of the first two. */
static const char *const shader_lookups[] = {
    "TEX TEMP[2], TEMP[0], SAMP[0], %s\n",
    "TXF TEMP[2], TEMP[1], SAMP[0], %s\n",
    "TXB TEMP[2], TEMP[0], SAMP[0], %s\n",
    "TXL TEMP[2], TEMP[0], SAMP[0], %s\n",
    "TXD TEMP[2], TEMP[0], TEMP[0].yzxw, TEMP[0].zxyw, SAMP[0], %s\n",
    "TXP TEMP[2], TEMP[0], SAMP[0], %s\n",
    "TEX_LZ TEMP[2], TEMP[0], SAMP[0], %s\n",
    "TG4 TEMP[2], TEMP[0], IMM[1].zzzz, SAMP[0], %s\n",
    "TG4 TEMP[2], TEMP[0], SAMP[0], %s\n",
    "LODQ TEMP[2], TEMP[0], SAMP[0], %s\n",
    "TXQ TEMP[2], TEMP[1].xxxx, SAMP[0], %s\nI2F TEMP[2], TEMP[2]\n",
    "TXQS TEMP[2].x, SAMP[0], %s\nI2F TEMP[2], TEMP[2].xxxx\n",
    "TEX TEMP[2], TEMP[0], SAMP[0], %s, IMM[1].yzw\n",
    "TXF TEMP[2], TEMP[1], SAMP[0], %s, IMM[1].xyz\n",
    "TEX2 TEMP[2], TEMP[0], TEMP[0].wwww, SAMP[0], %s\n",
    "TXL2 TEMP[2], TEMP[0], TEMP[0].wwww, SAMP[0], %s\n",
};

enum {
    SHADER_TARGETS = sizeof shader_targets / sizeof *shader_targets,
    SHADER_LOOKUPS = sizeof shader_lookups / sizeof *shader_lookups,
    SHADER_TYPES = 3,
    SHADER_VARIANTS = SHADER_TARGETS * SHADER_LOOKUPS * SHADER_TYPES
};

/* `head` declares TEMP[0..2] and IMM[0..1] and fills TEMP[0] and TEMP[1], `tail` uses TEMP[2]. */
static inline const struct shader *lookup_variant(struct shader kept[SHADER_VARIANTS], const char *head,
                                                  const char *tail, uint32_t target, uint32_t lookup, uint32_t type)
{
    static const char *const types[SHADER_TYPES] = {"FLOAT", "UINT", "SINT"};
    const char *name = shader_targets[target].name, *body = strstr(head, "\nDCL") + 1;
    char text[SHADER_TEXT], line[128];
    snprintf(line, sizeof line, shader_lookups[lookup], name);
    snprintf(text, sizeof text, "%.*sDCL SAMP[0]\nDCL SVIEW[0], %s, %s\n%s%s%s", (int)(body - head), head, name,
             types[type], body, line, tail);
    return try_shader(&kept[(target * SHADER_LOOKUPS + lookup) * SHADER_TYPES + type], text);
}

static inline const struct shader *lookup_shader(struct choices *c, struct shader kept[SHADER_VARIANTS],
                                                 const char *head, const char *tail)
{
    uint32_t target = take(c, SHADER_TARGETS), lookup = take(c, SHADER_LOOKUPS), type = take(c, SHADER_TYPES);
    const struct shader *s = lookup_variant(kept, head, tail, target, lookup, type);
    if (!s)
        s = lookup_variant(kept, head, tail, target, shader_targets[target].fetch_only, type);
    must(s != NULL);
    return s;
}

#endif
