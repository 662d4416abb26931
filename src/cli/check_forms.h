/* check_forms.h - the forms in which weft check shows what it found. */
#ifndef WEFT_CLI_CHECK_FORMS_H
#define WEFT_CLI_CHECK_FORMS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <weft/weft.h>

/* What was found in one input. */
struct check_finding {
    const char *file; /* what messages call it */
    weft_status status;
    bool quiet; /* errors only */
    uint32_t programs; /* in the input */
    weft_diags *diags;
};

/* Where findings are shown: the first two are for standard output and standard error. */
struct check_streams {
    FILE *out, *err;
    json_t *array; /* of a form that has an end; otherwise NULL */
};

/* end may be NULL: each finding is shown as it comes. end gets the elements of the arrays, printed with `flags`
 * (json.h), and returns an exit status. */
struct check_form {
    const char *name;
    void (*add)(const struct check_streams *to, const struct check_finding *f);
    size_t flags;
    int (*end)(const char *elements, size_t size);
};

/* "text", "json", "github" or "sarif"; NULL: another word. */
const struct check_form *check_form_find(const char *name);

#endif
