/* unroll.c - short loops of GLSL and HLSL are unrolled before a vertex or fragment program is lifted, so that an index
 * that counts is a constant: what a driver's compiler does too. SPIRV-Tools does it.
 *
 * Only passes that leave arithmetic alone are used: its folding computes with the host's mathematical functions. */
#include "isa/spirv/lift.h"
#include "isa/spirv/tools.h"
#include "isa/spirv/unroll.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

enum {
    MOST_TURNS = 16,     /* that a loop counts to */
    MOST_COPIES = 256,   /* of what is in loops in loops, calls included */
    MOST_GROWTH = 16,    /* times as many words */
    MOST_INSNS = 1 << 16,
    MOST_DEPTH = 200,    /* of calls */
    LOOK_AHEAD = 12      /* instructions from the loop's head to its comparison */
};

struct unroller {
    const struct isa_module *m;
    struct arena *arena;
    uint16_t *copies;    /* by id of a function: what its loops make, 0: not known yet */
    uint16_t *inside;    /* by OpLoopMerge: the same of the loop */
    unsigned depth;      /* of calls */
    uint32_t *words;     /* with short loops marked; NULL: none yet */
};

/* The number that a comparison takes, 0: it has none, or one above MOST_TURNS. */
static unsigned turns_by(const struct isa_module *m, uint32_t id)
{
    uint32_t def = id < m->bound ? m->def[id] : SPIRV_NONE;
    bool constant = def != SPIRV_NONE && m->insns[def].op == SpvOpConstant;
    uint32_t value = constant ? spirv_words(m, def)[3] : 0;
    return value <= MOST_TURNS ? value : 0;
}

static bool is_comparison(unsigned op)
{
    const struct spirv_meaning *m = spirv_meaning_of(op);
    return m && m->lift == spirv_lift_map &&
           (m->op == IR_LT_U || m->op == IR_LT_S || m->op == IR_LE_U || m->op == IR_LE_S);
}

/* How far a loop counts, at most one less than what is said here: it compares with a constant near its head. 0: it is
 * not short. */
static unsigned turns_of(const struct isa_module *m, uint32_t merge)
{
    if (spirv_words(m, merge)[3] != SpvLoopControlMaskNone)
        return 0;
    for (uint32_t i = merge + 1; i < m->ninsns && i <= merge + LOOK_AHEAD; i++) {
        const uint32_t *w = spirv_words(m, i);
        if (is_comparison(m->insns[i].op)) {
            unsigned a = turns_by(m, w[3]), b = turns_by(m, w[4]);
            return a || b ? (a > b ? a : b) + 1 : 0;
        }
        if (m->insns[i].op == SpvOpBranchConditional || m->insns[i].op == SpvOpLoopMerge)
            return 0;
    }
    return 0;
}

static void mark(struct unroller *u, uint32_t merge)
{
    if (!u->words) {
        u->words = ARENA_ARRAY(u->arena, uint32_t, u->m->nwords);
        if (!u->words)
            return;
        memcpy(u->words, u->m->words, u->m->nwords * sizeof *u->words);
    }
    u->words[u->m->insns[merge].at + 3] = SpvLoopControlUnrollMask;
}

static unsigned copies_of(struct unroller *u, uint32_t function);

/* What loops and calls in a stretch of instructions make, those further on first: they are inside of those before. */
static unsigned copies_in(struct unroller *u, uint32_t first, uint32_t end)
{
    unsigned most = 1;
    for (uint32_t i = first; i < end; i++) {
        unsigned op = u->m->insns[i].op;
        unsigned its = op == SpvOpLoopMerge      ? u->inside[i]
                       : op == SpvOpFunctionCall ? copies_of(u, spirv_words(u->m, i)[3])
                                                 : 1;
        most = its > most ? its : most;
    }
    return most;
}

static unsigned copies_of(struct unroller *u, uint32_t function)
{
    const struct isa_module *m = u->m;
    uint32_t def = function < m->bound ? m->def[function] : SPIRV_NONE, end = def;
    if (def == SPIRV_NONE || u->copies[function])
        return def == SPIRV_NONE ? 1 : u->copies[function];
    u->copies[function] = MOST_COPIES; /* one that calls itself is refused later */
    if (u->depth == MOST_DEPTH)
        return MOST_COPIES;
    u->depth++;
    while (end < m->ninsns && m->insns[end].op != SpvOpFunctionEnd)
        end++;
    for (uint32_t i = end; i-- > def;) {
        if (m->insns[i].op != SpvOpLoopMerge)
            continue;
        uint32_t leave = m->def[spirv_words(m, i)[1]];
        unsigned turns = leave != SPIRV_NONE && leave > i && leave < end ? turns_of(m, i) : 0;
        unsigned within = copies_in(u, i + 1, turns ? leave : i + 1);
        if (turns && turns * within <= MOST_COPIES) {
            mark(u, i);
            within *= turns;
        }
        u->inside[i] = (uint16_t)within;
    }
    u->copies[function] = (uint16_t)copies_in(u, def, end);
    u->depth--;
    return u->copies[function];
}

/* The words with short loops marked; NULL: none, or no memory. */
static uint32_t *marked_words(const struct isa_module *m, struct arena *arena)
{
    struct unroller u = {.m = m, .arena = arena};
    u.copies = ARENA_ARRAY(arena, uint16_t, m->bound);
    u.inside = ARENA_ARRAY(arena, uint16_t, m->ninsns);
    if (u.copies && u.inside && m->ninsns <= MOST_INSNS)
        copies_of(&u, spirv_words(m, m->entry)[2]);
    return u.words;
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
    uint32_t *marked = marked_words(m, arena);
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
                                .entry = spirv_literal(spirv_words(m, m->entry) + 3, arena)};
    struct isa_module *made;
    status = spirv_read(words.word, words.count, m->name, NULL, &params, arena, &made, diags);
    if (status == WEFT_OK)
        *out = made;
    return status;
}
