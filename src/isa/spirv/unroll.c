/* unroll.c - short loops of GLSL and HLSL are unrolled before a vertex or fragment program is lifted, so that an index
 * that counts is a constant: what a driver's compiler does too. SPIRV-Tools does it.
 *
 * Only passes that leave arithmetic alone are used: its folding computes with the host's mathematical functions. */
#include "isa/spirv/tools.h"
#include "isa/spirv/unroll.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

enum {
    MOST_TURNS = 8,      /* that a loop counts to */
    MOST_GROWTH = 16,    /* times as many words */
    LOOK_AHEAD = 12      /* instructions from the loop's head to its comparison */
};

/* Whether an id is an integer constant that is not above MOST_TURNS. */
static bool is_few(const struct isa_module *m, uint32_t id)
{
    uint32_t def = id < m->bound ? m->def[id] : SPIRV_NONE;
    return def != SPIRV_NONE && m->insns[def].op == SpvOpConstant && spirv_words(m, def)[3] <= MOST_TURNS;
}

static bool is_comparison(unsigned op)
{
    return op >= SpvOpUGreaterThan && op <= SpvOpSLessThanEqual;
}

/* Whether a loop counts to few: it compares with such a constant near its head. */
static bool is_short(const struct isa_module *m, uint32_t merge)
{
    for (uint32_t i = merge + 1; i < m->ninsns && i <= merge + LOOK_AHEAD; i++) {
        const uint32_t *w = spirv_words(m, i);
        if (is_comparison(m->insns[i].op))
            return is_few(m, w[3]) || is_few(m, w[4]);
        if (m->insns[i].op == SpvOpBranchConditional || m->insns[i].op == SpvOpLoopMerge)
            return false;
    }
    return false;
}

/* The words with short loops marked; NULL: there are none. */
static uint32_t *mark(const struct isa_module *m, struct arena *arena)
{
    uint32_t *words = NULL;
    for (uint32_t i = 0; i < m->ninsns; i++) {
        if (m->insns[i].op != SpvOpLoopMerge || spirv_words(m, i)[3] != SpvLoopControlMaskNone || !is_short(m, i))
            continue;
        if (!words && !(words = ARENA_ARRAY(arena, uint32_t, m->nwords)))
            return NULL;
        if (words[0] == 0)
            memcpy(words, m->words, m->nwords * sizeof *words);
        words[m->insns[i].at + 3] = SpvLoopControlUnrollMask;
    }
    return words;
}

weft_status spirv_unroll(const struct isa_module *m, struct arena *arena, const struct isa_module **out,
                         weft_diags *diags)
{
    static const char *const passes[] = {"--inline-entry-points-exhaustive", "--eliminate-dead-functions",
                                         "--ssa-rewrite", "--loop-unroll", "--merge-blocks",
                                         "--eliminate-dead-code-aggressive"};
    struct spirv_messages messages = {0};
    struct spirv_words words;
    *out = m;
    if (!m->compiled || (m->stage != IR_FRAGMENT && m->stage != IR_VERTEX))
        return WEFT_OK;
    uint32_t *marked = mark(m, arena);
    if (!marked)
        return arena_failed(arena) ? WEFT_ERROR_MEMORY : WEFT_OK;
    weft_status status = spirv_optimize((struct spirv_words){marked, m->nwords}, "vulkan1.3", passes,
                                        sizeof passes / sizeof *passes, arena, &words, &messages);
    if (status == WEFT_ERROR_MEMORY)
        return status;
    if (status != WEFT_OK || words.count > (size_t)m->nwords * MOST_GROWTH)
        return WEFT_OK; /* as it is */
    struct isa_params params = {.stage = m->stage,
                                .linkage = m->linkage,
                                .entry = (const char *)(spirv_words(m, m->entry) + 3)};
    struct isa_module *made;
    status = spirv_read(words.word, words.count, m->name, NULL, &params, arena, &made, diags);
    if (status == WEFT_OK)
        *out = made;
    return status;
}
