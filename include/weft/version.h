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

/* The version of the library in use, as text ("0.1.0"). The text is static. */
WEFT_API const char *weft_version(void);

#ifdef __cplusplus
}
#endif
#endif
