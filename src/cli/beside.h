/* beside.h - the file next to an output that it is written to before it takes the output's place. A signal that ends
 * the program removes it. There is one at a time. */
#ifndef WEFT_CLI_BESIDE_H
#define WEFT_CLI_BESIDE_H

#include <stdbool.h>

/* A new file, open to be written; -1 with errno where there cannot be one. */
int beside_open(const char *path);
/* It takes the place of `path`. False with errno: it does not, and is gone. */
bool beside_rename(const char *path);
/* Remove it, if there is one. A signal's handler may call this. */
void beside_remove(void);

#endif
