/* weft/version.h - which weft this is.
 *
 * Versions are MAJOR.MINOR.PATCH. The interface stays compatible within a major version from 1.0 on;
 * before that a minor version may change it.
 */
#ifndef WEFT_VERSION_H
#define WEFT_VERSION_H

#include <weft/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers: MAJOR * 10000 + MINOR * 100 + PATCH. For the preprocessor:
 *     #if WEFT_VERSION_NUMBER >= 200 */
#define WEFT_VERSION_NUMBER 200

/* The version of the library in use, as text ("0.2.0"), which is static, and as a number made as above. A program may
 * run with a library that is newer than the headers it was compiled with: then the number is greater. */
WEFT_API const char *weft_version(void);
WEFT_API unsigned weft_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
