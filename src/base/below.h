/* below.h - which files others may name. */
#ifndef WEFT_BASE_BELOW_H
#define WEFT_BASE_BELOW_H

#include <stdbool.h>

/* Is the file `path` below the folder `root`, wherever links lead? What does not exist is where its folder is. NULL,
 * and a folder that does not exist, have nothing below them. False with errno ENOMEM: there is no memory to tell. */
bool path_is_below(const char *root, const char *path);

#endif
