/* weft/status.h - what a fallible call answers.
 *
 * Every function of weft that can fail returns a weft_status. The kind tells a
 * caller what to do next; what went wrong, and where, is in the diagnostic list
 * that the caller passed in (weft/diag.h).
 */
#ifndef WEFT_STATUS_H
#define WEFT_STATUS_H

#include <weft/api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_status {
    WEFT_OK = 0,            /* done */
    WEFT_ERROR_INPUT,       /* the program, tokens or job are at fault: see the diagnostics */
    WEFT_ERROR_UNSUPPORTED, /* legal, and weft does not do it: the diagnostic names it */
    WEFT_ERROR_USAGE,       /* the call's arguments make no sense together */
    WEFT_ERROR_FILE,        /* a file could not be read or written */
    WEFT_ERROR_MEMORY,      /* no memory, or more asked for than the documented limit */
    WEFT_ERROR_BUDGET,      /* a program ran longer than its instruction budget */
    WEFT_ERROR_INTERNAL,    /* a fault of weft itself (the IR verifier refused a program) */
    WEFT_ERROR_STOPPED,     /* a hook of the caller's asked for it (weft/run.h) */
    WEFT_ERROR_TIME         /* it took longer than the seconds that the caller allows */
} weft_status;

/* The name of a status in lower case ("ok", "input", ...), never NULL; the text is static. */
WEFT_API const char *weft_status_name(weft_status status);

#ifdef __cplusplus
}
#endif
#endif
