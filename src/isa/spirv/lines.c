/* lines.c - lines of sources that a module was made from: OpLine, DebugLine of NonSemantic.Shader.DebugInfo.100.
 * OpenCL.DebugInfo.100 has no lines of its own: its modules use OpLine. And names of variables, of both. */
#include "isa/spirv/spirv.h"

#include <string.h>

enum { DEBUG_SOURCE = 35, DEBUG_LINE = 103, DEBUG_NO_LINE = 104 }; /* of NonSemantic.Shader.DebugInfo.100 */
enum { DEBUG_GLOBAL_VARIABLE = 18, DEBUG_LOCAL_VARIABLE = 26, DEBUG_DECLARE = 28 }; /* of both */

struct lines {
    struct isa_module *m;
    struct arena *arena;
    size_t cap;
    uint32_t file;   /* the OpString that was looked up last */
    uint16_t source; /* what it was */
};

/* The words of what makes an id, if an instruction of that opcode with n words or more does; NULL otherwise. */
static const uint32_t *made_by(const struct isa_module *m, uint32_t id, unsigned op, unsigned n)
{
    uint32_t def = id < m->bound ? m->def[id] : SPIRV_NONE;
    bool fits = def != SPIRV_NONE && m->insns[def].op == op && m->insns[def].count >= n;
    return fits ? spirv_words(m, def) : NULL;
}

/* The number of a source in m->sources; 0: the text that the module is of, or one without a name. */
static uint16_t source_of(struct lines *x, uint32_t file)
{
    struct isa_module *m = x->m;
    if (file == x->file)
        return x->source;
    const uint32_t *w = made_by(m, file, SpvOpString, 3);
    const char *name = w ? spirv_literal(w + 2, x->arena) : "";
    uint16_t number = 0;
    x->file = file;
    if (*name && strcmp(name, m->name) != 0) {
        for (number = 1; number < m->nsources && strcmp(m->sources[number], name) != 0; number++)
            ;
        if (number >= m->nsources) {
            size_t n = m->nsources ? m->nsources : 1;
            const char **list = n < UINT16_MAX
                                    ? arena_grow(x->arena, m->sources, sizeof *list, m->nsources, &x->cap, n + 1)
                                    : NULL;
            if (!list)
                return x->source = 0;
            list[0] = m->name;
            list[n] = name;
            m->sources = list;
            m->nsources = (uint16_t)(n + 1);
            number = (uint16_t)n;
        }
    }
    return x->source = number;
}

/* Whether an OpExtInst is of one of these sets. */
static bool is_of_set(const struct lines *x, const uint32_t *w, unsigned n, const char *a, const char *b)
{
    const uint32_t *import = n > 4 ? made_by(x->m, w[3], SpvOpExtInstImport, 3) : NULL;
    const char *name = import ? spirv_literal(import + 2, x->arena) : "";
    return strcmp(name, a) == 0 || strcmp(name, b) == 0;
}

static const char shader_set[] = "NonSemantic.Shader.DebugInfo.100", opencl_set[] = "OpenCL.DebugInfo.100";

static bool is_debug(const struct lines *x, const uint32_t *w, unsigned n)
{
    return is_of_set(x, w, n, shader_set, shader_set);
}

/* The name of the variable that a DebugDeclare or a DebugGlobalVariable is about. */
static void read_name(const struct lines *x, const uint32_t *w, unsigned n)
{
    struct isa_module *m = x->m;
    const uint32_t *named = w;
    uint32_t var = 0;
    if (w[4] == DEBUG_DECLARE && n > 6) {
        named = made_by(m, w[5], SpvOpExtInst, 6);
        var = w[6];
        if (!named || named[4] != DEBUG_LOCAL_VARIABLE)
            return;
    } else if (w[4] == DEBUG_GLOBAL_VARIABLE && n > 12) {
        var = w[12];
    }
    const uint32_t *name = made_by(m, named[5], SpvOpString, 3);
    if (!name || !made_by(m, var, SpvOpVariable, 4) || !is_of_set(x, w, n, shader_set, opencl_set))
        return;
    if (!m->debug_names)
        m->debug_names = arena_array(x->arena, m->bound, sizeof *m->debug_names);
    if (m->debug_names)
        m->debug_names[var] = spirv_literal(name + 2, x->arena);
}

void spirv_read_lines(struct isa_module *m, struct arena *arena)
{
    struct lines x = {m, arena, 0, SPIRV_NONE, 0};
    uint32_t line = 0;
    uint16_t source = 0;
    for (uint32_t n = 0; n < m->ninsns; n++) {
        struct spirv_insn *i = &m->insns[n];
        const uint32_t *w = spirv_words(m, n);
        if (i->op == SpvOpLine) {
            line = w[2];
            source = source_of(&x, w[1]);
        } else if (i->op == SpvOpNoLine || i->op == SpvOpFunctionEnd) {
            line = 0;
        } else if (i->op == SpvOpExtInst && i->count > 4 && w[4] >= DEBUG_LINE && is_debug(&x, w, i->count)) {
            const uint32_t *first = w[4] == DEBUG_LINE && i->count > 6 ? made_by(m, w[6], SpvOpConstant, 4) : NULL;
            const uint32_t *from = first ? made_by(m, w[5], SpvOpExtInst, 6) : NULL;
            line = first && w[4] == DEBUG_LINE ? first[3] : 0;
            source = from && from[4] == DEBUG_SOURCE && is_debug(&x, from, from[0] >> 16) ? source_of(&x, from[5]) : 0;
        }
        if (i->op == SpvOpExtInst && i->count > 6 && (w[4] == DEBUG_DECLARE || w[4] == DEBUG_GLOBAL_VARIABLE))
            read_name(&x, w, i->count);
        i->line = line;
        i->source = line ? source : 0;
    }
}
