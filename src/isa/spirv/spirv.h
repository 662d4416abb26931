/* spirv.h - a SPIR-V module: words, instructions, and what of them is found by id. */
#ifndef WEFT_ISA_SPIRV_SPIRV_H
#define WEFT_ISA_SPIRV_SPIRV_H

#include "isa/isa.h"
#include "isa/spirv/table.h"
#include "isa/spirv/words.h"

#include <spirv/unified1/spirv.h>

enum { SPIRV_NONE = UINT32_MAX };

struct spirv_insn {
    uint32_t at;    /* its first word */
    uint16_t op, count;
    uint32_t line;  /* of the source it was made from; 0: not known */
    uint16_t source; /* that the line is of: a number of the module's sources */
    uint16_t row;    /* its number */
    struct span where; /* in the text; of length 0: none */
};

/* A decoration of an id or of one of its members. Those of an id are a list. */
struct spirv_decoration {
    uint32_t member;      /* SPIRV_NONE: of the id itself */
    uint32_t kind;        /* SpvDecoration */
    const uint32_t *w;    /* its words; n of them */
    uint32_t n;
    struct spirv_decoration *next;
};

struct isa_module {
    const char *name;
    const uint32_t *words;
    uint32_t nwords, version, bound;
    struct spirv_insn *insns;
    uint32_t ninsns;
    uint32_t *def;        /* by id: the number of the instruction that makes it, SPIRV_NONE: none does */
    const char **names;   /* by id: of OpName; NULL: it has none */
    const char **debug_names; /* by id: of its DebugDeclare or DebugGlobalVariable; NULL: none */
    struct spirv_decoration **decorations; /* by id */
    uint32_t entry;       /* the OpEntryPoint that runs; SPIRV_NONE: none was found */
    int stage;            /* its stage, -1: none */
    const struct isa_linkage *linkage;
    const char *text;     /* it was made from, NULL: from bytes */
    bool compiled;        /* of GLSL or HLSL */
    const char **sources; /* names of what it was made from; [0]: of the module itself. NULL: nothing else */
    uint16_t nsources;
};

/* ---- check_words.c ---- */

/* Words to a module. With `src` spans of its text go with the instructions. */
weft_status spirv_read(const uint32_t *words, size_t count, const char *name, const struct source *src,
                       const struct isa_params *params, struct arena *arena, struct isa_module **out,
                       weft_diags *diags);
weft_status spirv_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                         struct arena *arena, struct isa_module **out, weft_diags *diags);
weft_status spirv_encode(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                         weft_diags *diags);
/* The words of an instruction. */
static inline const uint32_t *spirv_words(const struct isa_module *m, uint32_t insn)
{
    return m->words + m->insns[insn].at;
}
/* A decoration of an id (member: SPIRV_NONE) or of its member; NULL: it has none of that kind. */
const struct spirv_decoration *spirv_decoration_of(const struct isa_module *m, uint32_t id, uint32_t member,
                                                   uint32_t kind);
/* Its only number, or `otherwise`. */
uint32_t spirv_decorated(const struct isa_module *m, uint32_t id, uint32_t member, uint32_t kind, uint32_t otherwise);
/* An id as messages call it: "%name" or "%12". */
const char *spirv_name(const struct isa_module *m, struct arena *arena, uint32_t id);

/* ---- lines.c ---- */

/* The line of each instruction, and of which source. */
void spirv_read_lines(struct isa_module *m, struct arena *arena);

/* ---- text.c ---- */
extern const struct isa_language spirv_languages[];
weft_status spirv_parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                        struct isa_module **out, weft_diags *diags);
weft_status spirv_print(const struct isa_module *m, struct arena *arena, char **text, size_t *size,
                        struct isa_places *places);

/* ---- check.c, lift.c, insn.c ---- */
weft_status spirv_check(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                        weft_diags *diags);
weft_status spirv_lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                       struct ir_program **out, weft_diags *diags);
extern const struct isa_insn_ops spirv_insn_ops;
extern const struct isa isa_spirv;

#endif
