/* weft/program.h - one shader program of one instruction set: text, bytes, checks.
 *
 * A weft_program is made from text or from bytes and does not change afterwards, so any number of
 * threads may use one at the same time. It keeps copies of everything: what was passed in may be
 * freed at once. Diagnostics (weft/diag.h) may be NULL wherever they are taken; then nobody hears why.
 *
 *     weft_diags *diags = weft_diags_new();
 *     weft_program *program;
 *     if (weft_program_from_text("tgsi", "a.tgsi", text, size, NULL, diags, &program) == WEFT_OK) {
 *         char *canonical;
 *         if (weft_program_text(program, &canonical, NULL) == WEFT_OK)
 *             puts(canonical);
 *         weft_free(canonical);
 *         weft_program_free(program);
 *     }
 *     weft_diags_free(diags);
 */
#ifndef WEFT_PROGRAM_H
#define WEFT_PROGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <weft/api.h>
#include <weft/diag.h>
#include <weft/isa.h>
#include <weft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_program weft_program;

/* What the text or the bytes do not say themselves. NULL in place of the options means the defaults: all members 0, but
 * for stage, which is WEFT_STAGE_NONE; weft_program_options_init sets them. */
typedef struct weft_program_options {
    size_t size;      /* weft/api.h */
    const char *chip; /* a chip of the instruction set; NULL: its newest */
    weft_stage stage; /* WEFT_STAGE_NONE: the program says it, or does not care. 0 is WEFT_VERTEX */
    /* How inputs, outputs and buffers meet registers, in the instruction set's own linkage format
     * (docs/manual/NAME.md); NULL: its default. linkage_name is what messages call it. WEFT_ERROR_USAGE: tgsi, whose
     * programs say all of it themselves. */
    const char *linkage;
    size_t linkage_size;
    const char *linkage_name;
    /* Text, not 0: the shortest encodings there are, even where the text asks for longer ones: `long` of tesla, .hdr3,
     * .lo1, .form1 and the like of rogue, .s, .m, .l and {FORM} of vpu. The others have one encoding of each
     * instruction: nothing changes. */
    int shorten;
    /* Where the first byte of a flat image, or the first section of a text, is. WEFT_ERROR_USAGE: not 0 for tgsi, whose
     * programs have no addresses; more than 32 bits. */
    uint64_t base;
    /* Symbol or address where it starts; NULL: as the program says. tesla and vpu; WEFT_ERROR_USAGE: others. */
    const char *entry;
    /* Bytes of vpu, not 0: all are instructions, one after the other; 0: what the program reaches is code, the rest
     * data. Bytes of the others are always all code. */
    int linear;
    /* A run, of valhall and rogue: results of messages are poison until they are waited for; reading one stops the
     * program. The others have no such messages. */
    int strict;
    /* Text of vpu, not 0: branches to symbols have 32 bits, whatever the distance; 0: as few as the distance allows.
     * Branches of the others have one length, or the one that their line asks for. */
    int no_relax;
    /* Text of rogue, not 0: a plain list of instructions, which become as few instruction groups as they fit.
     * WEFT_ERROR_USAGE: others. */
    int pack;
    /* The text that weft_program_text makes, not 0: labels at the targets of branches, and branches name them rather
     * than addresses. tesla, valhall and rogue; vpu has them anyway. WEFT_ERROR_USAGE: tgsi, whose branches have
     * numbers of instructions. */
    int labels;
    /* Text of tgsi: which program of a log that holds several, from 0. WEFT_ERROR_INPUT: there are not so many. */
    uint32_t program;
    /* Bytes that the program may take while it lives; 0: no limit. What is needed for a moment does not count. */
    uint64_t memory;
    /* Text of GLSL and HLSL: macros, each NAME (which is 1) or NAME=VALUE. WEFT_ERROR_USAGE: others. */
    const char *const *defines;
    size_t ndefines;
    /* The same texts, not 0: #include reads files: of the folder of the text that has it, then of these folders; 0:
     * #include is an error. */
    int includes;
    const char *const *folders;
    size_t nfolders;
    /* The same texts: files that are read first, as if the text began with an #include of each, after its #version. */
    const char *const *common;
    size_t ncommon;
} weft_program_options;

/* The defaults. The first takes the size that the caller's struct has, in bytes, and is there for other languages. */
WEFT_API void weft_program_options_init_sized(weft_program_options *options, size_t size);
static inline void weft_program_options_init(weft_program_options *options)
{
    weft_program_options_init_sized(options, sizeof *options);
}

/* Where an instruction is. */
typedef struct weft_place {
    uint64_t address;    /* the guest's */
    size_t offset, size; /* in the bytes */
    size_t line;         /* offset in the text of the line that it starts */
} weft_place;

/* Parse `size` bytes of text (at most 1 GiB, no terminator needed). `name` is what diagnostics call the
 * input; NULL is "<text>". *out is NULL unless WEFT_OK is returned.
 * WEFT_ERROR_USAGE: no such instruction set, chip or stage, or an option that means nothing to the instruction set.
 * WEFT_ERROR_INPUT: the text is at fault.
 * WEFT_ERROR_MEMORY: no memory, or a text beyond the limit. */
WEFT_API weft_status weft_program_from_text(const char *isa, const char *name, const char *text, size_t size,
                                            const weft_program_options *options, weft_diags *diags,
                                            weft_program **out);

/* How many programs a text holds: several in a log of shaders of tgsi, between lines of other things; 1 of other
 * instruction sets. weft_program_options.program chooses one. 0: no such instruction set. */
WEFT_API uint32_t weft_program_count(const char *isa, const char *text, size_t size);

/* The same from `size` bytes of the binary form, in memory order. With the name of a language that is compiled ("glsl")
 * they are what its compiler made. */
WEFT_API weft_status weft_program_from_bytes(const char *isa, const char *name, const uint8_t *bytes, size_t size,
                                             const weft_program_options *options, weft_diags *diags,
                                             weft_program **out);

WEFT_API void weft_program_free(weft_program *program); /* NULL is fine */

/* The canonical text of a program, which parses back to an equal one. *text is terminated and belongs to
 * the caller, who frees it with weft_free; *size, its length without the terminator, may be NULL. */
WEFT_API weft_status weft_program_text(const weft_program *program, char **text, size_t *size);

/* The binary form of a program. *bytes belongs to the caller, who frees it with weft_free. */
WEFT_API weft_status weft_program_bytes(const weft_program *program, uint8_t **bytes, size_t *size,
                                        weft_diags *diags);

/* The program as an ELF file, with sections and symbols. WEFT_ERROR_UNSUPPORTED: programs of this instruction set are
 * none. */
WEFT_API weft_status weft_program_elf(const weft_program *program, uint8_t **bytes, size_t *size, weft_diags *diags);

/* The text as weft_program_text gives it and, in the order of the bytes, where each instruction is. *places belongs to
 * the caller, who frees it with weft_free; *count is 0 (and *places NULL) for an instruction set whose text does not
 * show instructions one to a line as the bytes have them (TGSI, whose declarations are tokens too). */
WEFT_API weft_status weft_program_listing(const weft_program *program, char **text, size_t *size, weft_place **places,
                                          size_t *count);

/* How many instructions of a program made from bytes are unknown: kept, printed as data, and not to be run. */
WEFT_API size_t weft_program_unknown(const weft_program *program);

/* The rules beyond syntax. WEFT_OK means no errors; there may be warnings in the diagnostics. */
WEFT_API weft_status weft_program_check(const weft_program *program, weft_diags *diags);

WEFT_API const weft_isa *weft_program_isa(const weft_program *program);
/* The stage that the program is for; WEFT_STAGE_NONE when neither it nor its options say. */
WEFT_API weft_stage weft_program_stage(const weft_program *program);

/* Free memory that a call of weft handed over. NULL is fine. */
WEFT_API void weft_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
