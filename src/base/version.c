/* version.c - the version of the library: the build's number and the header's are one. */
#include <weft/version.h>

#define WEFT_QUOTED(text)      #text
#define WEFT_NUMBER_OF(number) WEFT_QUOTED(number)

const char *weft_version(void)
{
    return WEFT_VERSION;
}

unsigned weft_version_number(void)
{
    return WEFT_VERSION_NUMBER;
}
