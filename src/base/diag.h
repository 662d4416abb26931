/* diag.h - filling a diagnostic list (reading it: weft/diag.h). */
#ifndef WEFT_BASE_DIAG_H
#define WEFT_BASE_DIAG_H

#include <stddef.h>
#include <stdint.h>
#include <weft/diag.h>
#include <weft/status.h>

/* How many errors a list keeps, and how many others. */
enum { DIAGS_KEPT = 100 };

/* A text input. `text` is not terminated; `name` is what messages call it. */
struct source {
    const char *name;
    const char *text;
    size_t size;
};

/* A place in a source: byte offset and length. Offsets become line and column only when a
 * diagnostic is made, so that parsing pays nothing for them. */
struct span {
    uint32_t offset, length;
};

/* The `code` of a diagnostic is a word of codes.inc, which explains it. */

/* Add a diagnostic at a span of src (src may be NULL: no place). `hint` may be NULL.
 * A NULL `d` is allowed and drops the diagnostic. */
void diag_at(weft_diags *d, weft_severity sev, const char *code, const struct source *src, struct span where,
             const char *hint, const char *fmt, ...) __attribute__((format(printf, 7, 8)));

/* Add a diagnostic about a whole input without lines (a token stream, a file). */
void diag_add(weft_diags *d, weft_severity sev, const char *code, const char *file, const char *hint,
              const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* Add a diagnostic about an address of a program that was made from bytes. */
void diag_at_address(weft_diags *d, weft_severity sev, const char *code, const char *file, uint64_t address,
                     const char *hint, const char *fmt, ...) __attribute__((format(printf, 7, 8)));

/* Count those of `from` that it did not store. */
void diag_count_more(weft_diags *d, const weft_diags *from);

/* The diagnostic that was added last has an address too. */
void diag_set_address(weft_diags *d, uint64_t address);

/* Where a call found no memory (WEFT_ERROR_MEMORY) a diagnostic says so: add it, unless whoever met with it did.
 * Returns `status`, whatever it is. */
weft_status diags_memory(weft_diags *d, const char *file, weft_status status);

/* What diagnostics that are added without a file are about; NULL: nothing. The name is to live until it is replaced.
 * Returns the one before. */
const char *diags_name(weft_diags *d, const char *name);

/* From now on, sources are parts of files that begin after so many lines. */
void diags_lines_before(weft_diags *d, uint32_t lines);

/* Line (1-based) of a byte offset. */
uint32_t source_line(const struct source *src, uint32_t offset);
/* A line (from 1) without the white space at its begin, for a diagnostic's place; past the last one the end. */
struct span source_line_span(const struct source *src, uint32_t line);

/* The nearest of `count` candidate words to `word` by edit distance, ignoring case; NULL when none is
 * near enough to be meant (more than a third of the letters differ). For "did you mean" hints. */
const char *nearest_word(const char *word, size_t length, const char *const *candidates, size_t count);

/* The hint for an unknown word, in a buffer of the caller's: the nearest of the names, or those that begin with it, or
 * all of them, when they are few; NULL when none of that helps. */
const char *word_hint(const char *word, size_t length, const char *const *names, size_t count, char *hint, size_t size);

#endif
