/* entry.c - see entry.h. */
#include "isa/entry.h"

#include <errno.h>
#include <stdlib.h>

bool entry_address(const char *text, uint64_t *address)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *address = strtoull(text, &end, text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10);
    return *end == '\0' && errno == 0;
}
