/* weft/isa.h - the instruction sets that weft knows, and their instructions.
 *
 * Everything here is constant data of the library: pointers stay valid for ever, nothing is freed, and
 * any number of threads may read it.
 */
#ifndef WEFT_ISA_H
#define WEFT_ISA_H

#include <stddef.h>
#include <stdint.h>
#include <weft/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An instruction set. */
typedef struct weft_isa weft_isa;

/* The stages of a pipeline. WEFT_STAGE_NONE: the program does not say, or does not care. */
typedef enum weft_stage {
    WEFT_STAGE_NONE = -1,
    WEFT_VERTEX = 0,
    WEFT_TESS_CONTROL,
    WEFT_TESS_EVALUATION,
    WEFT_GEOMETRY,
    WEFT_FRAGMENT,
    WEFT_COMPUTE
} weft_stage;

enum { WEFT_STAGES = 6 };

/* The name of a stage in lower case ("vertex", "fragment", ...; "none" for WEFT_STAGE_NONE), never NULL. */
WEFT_API const char *weft_stage_name(weft_stage stage);

/* How sure weft is about an instruction. */
typedef enum weft_provenance {
    WEFT_DOCUMENTED, /* the instruction set's source document says it */
    WEFT_KNOWN,      /* a public implementation or a measurement says it */
    WEFT_INFERRED,   /* nobody says it: weft chose */
    WEFT_DIFFERS     /* weft departs from the source document: weft_isa_row.reason says how, docs/fidelity.md why */
} weft_provenance;

/* "documented", "known", "inferred" or "differs", never NULL. */
WEFT_API const char *weft_provenance_name(weft_provenance provenance);

/* One instruction of an instruction set. Strings are never NULL unless it is said. */
typedef struct weft_isa_row {
    const char *mnemonic;
    const char *syntax;         /* "MAD dst, src0, src1, src2" */
    const char *pattern;        /* its bits as the manual writes them; for TGSI the opcode's number */
    const char *group;          /* "arithmetic", "texture", ... */
    const char *operands;       /* types in words: "f32 = f32, f32, f32" */
    const char *chips;          /* the chips that have it; NULL: all of them */
    uint32_t stages;            /* bit 1 << weft_stage for each stage that may use it */
    weft_provenance provenance;
    int executes;               /* 0: weft reads and writes it, but running it is an error that names it */
    const char *doc;            /* one line */
    const char *difference;     /* of WEFT_DIFFERS: the entry's name in docs/fidelity.md; else NULL */
    const char *reason;         /* of WEFT_DIFFERS: one line, what weft does instead; else NULL */
    const char *modifiers;      /* lines "name: word, word, ...": what may be at <name> in the syntax; NULL: none */
    const char *unit;           /* the execution unit, where a source says it ("SFU", "phase 0, phase 1"); else NULL */
} weft_isa_row;

/* What compiles GLSL and HLSL and reads SPIR-V ("SPIRV-Tools v2023.1, glslang 12.0.0"), which is loaded by this; NULL:
 * weft was built without, or weft-spirv.so is not where it should be: next to the library or the program, or where it
 * was installed, which may have been moved as a whole since. The text is static. */
WEFT_API const char *weft_shader_compilers(void);

/* Instruction set `index` of 0 .. weft_isa_count() - 1; NULL past the end. */
WEFT_API size_t weft_isa_count(void);
WEFT_API const weft_isa *weft_isa_get(size_t index);

/* By name ("tgsi"), or by the name of a file whose extension is the name ("phong.tgsi"). NULL when there is none. */
WEFT_API const weft_isa *weft_isa_find(const char *name);
WEFT_API const weft_isa *weft_isa_of_file(const char *file_name);
/* The stage that the extension of a file's name says ("phong.frag"); WEFT_STAGE_NONE: it says none. */
WEFT_API weft_stage weft_stage_of_file(const char *file_name);

WEFT_API const char *weft_isa_name(const weft_isa *isa);     /* "tgsi" */
WEFT_API const char *weft_isa_title(const weft_isa *isa);    /* "Gallium TGSI" */
WEFT_API const char *weft_isa_document(const weft_isa *isa); /* the source document's name */
/* Bytes that an instruction is a multiple of: 4 for tgsi, whose binary form is a stream of 32-bit tokens. */
WEFT_API unsigned weft_isa_unit(const weft_isa *isa);
/* Whether weft_program_listing tells where instructions are: 0 for tgsi. */
WEFT_API int weft_isa_has_places(const weft_isa *isa);
/* Whether its container is ELF: weft_program_elf writes it, and weft_program_from_bytes reads it. */
WEFT_API int weft_isa_has_elf(const weft_isa *isa);
/* Whether weft_program_options.base may be set: 0 for tgsi, whose instructions have no addresses. */
WEFT_API int weft_isa_takes_base(const weft_isa *isa);
/* What separates statements that are on one line of text: " ", or "; ". */
WEFT_API const char *weft_isa_separator(const weft_isa *isa);
/* Chip `index`, newest first; NULL past the end (an instruction set may have none). */
WEFT_API const char *weft_isa_chip(const weft_isa *isa, size_t index);

/* How many instructions there are, and instruction `index`: returns 0 past the end, 1 when *row is filled. */
WEFT_API size_t weft_isa_rows(const weft_isa *isa);
WEFT_API int weft_isa_get_row(const weft_isa *isa, size_t index, weft_isa_row *row);
/* The same for lists, without what takes time to make: syntax, pattern, operands and modifiers may be empty. */
WEFT_API int weft_isa_get_row_names(const weft_isa *isa, size_t index, weft_isa_row *row);
/* Is `word` the mnemonic of instruction `index`, in any case, or another spelling of it that programs may use? 1 or 0.
 */
WEFT_API int weft_isa_row_is(const weft_isa *isa, size_t index, const char *word);

/* Other names that programs and manuals use, `index` from 0: returns NULL past the end. *row becomes the instruction
 * that has the name, *what one line that says how ("" when it is only spelled otherwise): SPIR-V's Fma is a function
 * that OpExtInst calls. */
WEFT_API const char *weft_isa_other_name(const weft_isa *isa, size_t index, size_t *row, const char **what);

#ifdef __cplusplus
}
#endif
#endif
