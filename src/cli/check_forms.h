/* check_forms.h - the forms in which weft check shows what it found. */
#ifndef WEFT_CLI_CHECK_FORMS_H
#define WEFT_CLI_CHECK_FORMS_H

#include <jansson.h>
#include <stdbool.h>
#include <weft/weft.h>

/* What was found in one input. */
struct check_finding {
    const char *file; /* what messages call it */
    weft_status status;
    bool quiet; /* errors only */
    uint32_t programs; /* in the input */
    weft_diags *diags;
};

/* begin and end may be NULL: each finding is shown as it comes. end returns an exit status and owns `out`. */
struct check_form {
    const char *name;
    json_t *(*begin)(void);
    void (*add)(json_t *out, const struct check_finding *f);
    int (*end)(json_t *out);
};

/* "text", "json", "github" or "sarif"; NULL: another word. */
const struct check_form *check_form_find(const char *name);

#endif
