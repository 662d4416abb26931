/* gallium.h - Gallium's pixel formats, by which struct ir_image names the format of a program's images. The device
 * finds its own by the name. */
#ifndef WEFT_IR_GALLIUM_H
#define WEFT_IR_GALLIUM_H

#include <stddef.h>

extern const char *const gallium_format_names[]; /* PIPE_FORMAT_*, by number; NULL-terminated */
extern const size_t gallium_format_count;

#endif
