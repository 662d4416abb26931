/* check.c - what an instruction set checks and lifts, with the program's name for messages; which stages it has. */
#include "isa/isa.h"

const char *isa_stage_names(uint32_t stages, struct arena *arena)
{
    const char *names = "";
    for (unsigned s = 0; names && stages; s++) {
        if (!(stages >> s & 1))
            continue;
        stages &= ~(1u << s);
        const char *after = !stages ? "" : stages & (stages - 1) ? ", " : " or ";
        names = arena_printf(arena, "%s%s%s", names, weft_stage_name((weft_stage)s), after);
    }
    return names;
}

static weft_status check_stage(const struct isa *isa, const struct isa_module *m, const char *name,
                               const struct isa_params *params, weft_diags *diags)
{
    int stage = params && params->stage >= 0 ? params->stage : isa->stage(m);
    if (stage < 0 || isa->stages >> stage & 1)
        return WEFT_OK;
    struct arena arena = {0};
    const char *names = isa_stage_names(isa->stages, &arena);
    const char *hint = names ? arena_printf(&arena, "give the stage: %s", names) : NULL;
    diag_add(diags, WEFT_ERROR, "wrong-stage", name, hint, "%s has no %s programs", isa->title,
             weft_stage_name((weft_stage)stage));
    arena_free(&arena);
    return WEFT_ERROR_INPUT;
}

weft_status isa_check(const struct isa *isa, const struct isa_module *m, const char *name, const struct source *src,
                      const struct isa_params *params, weft_diags *diags)
{
    weft_diags *own = diags ? NULL : weft_diags_new(); /* checkers count what they say */
    if (!diags && !own)
        return WEFT_ERROR_MEMORY;
    weft_diags *to = diags ? diags : own;
    const char *before = diags_name(to, name);
    weft_status status = check_stage(isa, m, name, params, to);
    if (status == WEFT_OK)
        status = isa->check(m, src, params, to);
    diags_name(to, before);
    weft_diags_free(own);
    return status;
}

weft_status isa_lift(const struct isa *isa, const struct isa_module *m, const char *name, const struct source *src,
                     struct arena *arena, struct ir_program **out, weft_diags *diags)
{
    const char *before = diags_name(diags, name);
    weft_status status = isa->lift(m, src, arena, out, diags);
    diags_name(diags, before);
    return status;
}
