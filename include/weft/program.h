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

/* What the text or the bytes do not say themselves. NULL in place of the options means the defaults. */
typedef struct weft_program_options {
    const char *chip; /* a chip of the instruction set; NULL: its newest */
    weft_stage stage; /* WEFT_STAGE_NONE: the program says it, or does not care */
    /* How inputs, outputs and buffers meet registers, in the instruction set's own linkage format
     * (docs/linkage-NAME.md); NULL: its default. linkage_name is what messages call it. */
    const char *linkage;
    size_t linkage_size;
    const char *linkage_name;
    /* Not 0: text becomes the shortest encodings there are, even where it asks for longer ones. */
    int shorten;
    /* Of instruction sets whose programs have addresses (all but tgsi): */
    uint64_t base;    /* where a flat image, or the first section of a text, stands */
    const char *entry; /* symbol or address where it starts (tesla, vpu); NULL: as the program says */
    int linear;       /* bytes: all are instructions, one behind the other; 0: what the program reaches is code */
    int strict; /* running: results of messages are poison until they are waited for; reading one stops the program */
    int no_relax;     /* text: branches to symbols are as long as their plain spelling, whatever the distance */
    /* Not 0 (rogue): the text is a plain list of instructions, which become as few instruction groups as they fit. */
    int pack;
    /* Not 0 (tesla): the text has labels at the targets of branches, and branches name them rather than addresses. */
    int labels;
} weft_program_options;

/* Where an instruction is. */
typedef struct weft_place {
    uint64_t address;    /* the guest's */
    size_t offset, size; /* in the bytes */
    size_t line;         /* offset in the text of the line that it starts */
} weft_place;

/* Parse `size` bytes of text (at most 1 GiB, no terminator needed). `name` is what diagnostics call the
 * input; NULL is "<text>". *out is NULL unless WEFT_OK is returned.
 * WEFT_ERROR_USAGE: no such instruction set, chip or stage. WEFT_ERROR_INPUT: the text is at fault.
 * WEFT_ERROR_MEMORY: no memory, or a text beyond the limit. */
WEFT_API weft_status weft_program_from_text(const char *isa, const char *name, const char *text, size_t size,
                                            const weft_program_options *options, weft_diags *diags,
                                            weft_program **out);

/* The same from `size` bytes of the binary form, in memory order. */
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
