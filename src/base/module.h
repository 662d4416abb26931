/* module.h - parts of weft that are loaded at their first use: shared objects next to the library, which is kept small
 * and quick to start without them. */
#ifndef WEFT_BASE_MODULE_H
#define WEFT_BASE_MODULE_H

#include <stddef.h>

struct module_place {
    const char *file;        /* "weft-jit.so" */
    const char *environment; /* names the file instead, for tests: "WEFT_JIT_MODULE" */
    const char *installed;   /* its whole path where it is installed */
    const char *symbol;      /* the function that it offers */
};

typedef void module_fn(void);

/* Load the module from where the environment says, or from next to the library or the program, a folder up (the build's
 * own programs), where it is from there when all that was installed has been moved, or where it is installed. Returns
 * its function. NULL: it cannot be loaded, and `why` (size bytes, at least 1) says why. A module stays loaded. */
module_fn *module_open(const struct module_place *place, char *why, size_t size);

#endif
