/* weft/diag.h - diagnostics: what is wrong, where, what was expected, what was meant.
 *
 * A weft_diags collects diagnostics; it is filled by the calls that take it and read
 * by the caller. Positions are 1-based lines and columns (columns count bytes). Inputs
 * without lines (token streams) use line 0 and put the position into the message.
 */
#ifndef WEFT_DIAG_H
#define WEFT_DIAG_H

#include <stddef.h>
#include <stdint.h>
#include <weft/api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_diags weft_diags;

typedef enum weft_severity { WEFT_NOTE, WEFT_WARNING, WEFT_ERROR } weft_severity;

/* One diagnostic. All strings live as long as the list they are in. */
typedef struct weft_diag {
    weft_severity severity;
    const char *code;    /* a stable word for tools: "unknown-instruction"; see weft_diag_explain */
    const char *file;    /* name of the input, as given by the caller */
    uint32_t line;       /* 1-based; 0: the input has no lines */
    uint32_t column;     /* 1-based, in bytes; 0: the whole line */
    uint32_t length;     /* bytes marked by the caret line; at least 1 when column is not 0 */
    const char *message; /* one sentence without a full stop */
    const char *hint;    /* "did you mean 'MAD'?", or NULL */
    const char *source;  /* the text of the line, without its newline, or NULL */
    int has_address;     /* not 0: the place is an address of a program that was made from bytes */
    uint64_t address;
} weft_diag;

/* A new, empty list; NULL without memory. Free it with weft_diags_free (NULL is fine). */
WEFT_API weft_diags *weft_diags_new(void);
WEFT_API void weft_diags_free(weft_diags *diags);

/* How many diagnostics there are, and how many of them are errors. The list keeps the first 100
 * errors and the first 100 others; later ones are counted but not stored. NULL has none. */
WEFT_API size_t weft_diags_count(const weft_diags *diags);
WEFT_API size_t weft_diags_errors(const weft_diags *diags);

/* Diagnostic `index` in the order they were found, or NULL past the stored ones. */
WEFT_API const weft_diag *weft_diags_get(const weft_diags *diags, size_t index);

/* Write the diagnostic as people read it ("FILE:LINE:COL: error: ...", the line, a caret, the
 * hint) into buffer (size bytes, always terminated when size > 0). Returns the length that the
 * whole text has. `colour` adds ANSI colours. Control characters, characters that change the
 * order of others and bytes that are not UTF-8 are shown as \x1b or <U+202E>. */
WEFT_API size_t weft_diag_format(const weft_diag *diag, int colour, char *buffer, size_t size);

/* Code `index`, from 0, of all the codes that diagnostics have, in the order of strcmp; NULL past the last one. The
 * string is static. */
WEFT_API const char *weft_diag_code(size_t index);

/* What a code means: one or two sentences that say what is wrong and what to do. The string is static. NULL when no
 * diagnostic has this code; code may be NULL too. */
WEFT_API const char *weft_diag_explain(const char *code);

#ifdef __cplusplus
}
#endif
#endif
