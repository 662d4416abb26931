/* check.c - the rules beyond words: what SPIRV-Tools' validator says, where it is there. */
#include "isa/spirv/spirv.h"
#include "isa/spirv/tools.h"

#include <string.h>

/* A text is of the newest version where no comment says another one; older modules have what that lacks. */
static const char *version_hint(const struct spirv_message *said)
{
    return strstr(said->text, "requires SPIR-V version") && strstr(said->text, "or earlier")
               ? "write '; Version: 1.0', or which it is, as the first line: without it a text is of version 1.6"
               : NULL;
}

weft_status spirv_check(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                        weft_diags *diags)
{
    struct spirv_words words = {m->words, m->nwords};
    struct spirv_messages messages = {0};
    struct arena scratch = {0};
    (void)params;
    if (!spirv_tools_name())
        return WEFT_OK; /* the lift refuses what it does not understand */
    /* what later versions have without an extension, drivers take from earlier modules too */
    struct spirv_validate_options options = {.env = "spv1.6",
                                             .relaxed_layout = true,
                                             .scalar_layout = true,
                                             .std430_uniform = true,
                                             .workgroup_scalar_layout = true,
                                             .local_size_id = true};
    weft_status status = spirv_validate(words, &options, &scratch, &messages);
    for (size_t i = 0; i < messages.count; i++) {
        const struct spirv_message *said = &messages.list[i];
        int length = (int)strcspn(said->text, "\n"); /* then comes the instruction */
        uint32_t n = said->insn ? said->insn - 1 : UINT32_MAX;
        if (src && n < m->ninsns && m->insns[n].where.length)
            diag_at(diags, said->severity, "bad-value", src, m->insns[n].where, version_hint(said), "%.*s",
                    length, said->text);
        else
            diag_at_address(diags, said->severity, "bad-value", m->name, n < m->ninsns ? m->insns[n].at * 4u : 0,
                            said->text[length] ? said->text + length + 1 : NULL, "%.*s", length, said->text);
    }
    arena_free(&scratch);
    return status;
}
