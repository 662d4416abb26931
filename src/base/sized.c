/* sized.c - see sized.h. */
#include "base/sized.h"

#include "base/diag.h"

#include <string.h>

static size_t size_of(const void *caller, size_t first)
{
    size_t size;
    memcpy(&size, caller, sizeof size);
    return size ? size : first;
}

static weft_status refuse(weft_diags *diags, const char *name, const char *why)
{
    diag_add(diags, WEFT_ERROR, "struct-size", NULL, "set its size to 0 or to sizeof the struct", "%s: %s", name, why);
    return WEFT_ERROR_USAGE;
}

weft_status sized_copy(void *to, size_t to_size, size_t first, const void *from, const char *name, weft_diags *diags)
{
    enum { MOST = 1 << 20 }; /* beyond it the member was never set */
    if (!from) {
        diag_add(diags, WEFT_ERROR, "struct-size", NULL, "give a struct", "%s: there is none, but NULL", name);
        return WEFT_ERROR_USAGE;
    }
    size_t size = size_of(from, first), known = size < to_size ? size : to_size;
    if (size < first || size > MOST)
        return refuse(diags, name, "no version of the struct has the size that it says");
    for (const unsigned char *p = from, *end = p + size, *at = p + known; at < end; at++)
        if (*at)
            return refuse(diags, name, "a member is set that this version of the library does not know");
    memset(to, 0, to_size);
    memcpy(to, from, known);
    return WEFT_OK;
}

void sized_init(void *caller, size_t size, const void *defaults, size_t defaults_size)
{
    memset(caller, 0, size);
    memcpy(caller, defaults, size < defaults_size ? size : defaults_size);
    if (size >= sizeof size)
        memcpy(caller, &size, sizeof size);
}

weft_status sized_return(void *to, size_t first, const void *from, size_t from_size)
{
    size_t size = size_of(to, first), skip = sizeof(size_t);
    if (size < first)
        return WEFT_ERROR_USAGE;
    size = size < from_size ? size : from_size;
    memcpy((unsigned char *)to + skip, (const unsigned char *)from + skip, size - skip);
    return WEFT_OK;
}
