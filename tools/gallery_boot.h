/* gallery_boot.h - pictures that programs of the VPU's machine leave in its memory, for gallery.c. */
#ifndef TOOLS_GALLERY_BOOT_H
#define TOOLS_GALLERY_BOOT_H

#include "device/image.h"
#include "gallery_list.h"

/* Is the entry's file such a program? */
bool gallery_is_boot(const struct gallery_entry *e);

/* Run the program of an entry as `weft boot` does, and take the frame that `more` describes: ADDRESS WIDTHxHEIGHT, of
 * RGBA bytes, the top row first. It must end asleep with r0 = 0. False: what is wrong has been said, or is in diags. */
bool gallery_boot(const struct gallery_entry *e, struct image *out, weft_diags *diags);

#endif
