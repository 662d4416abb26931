/* file.h - the contents of files that texts name. */
#ifndef WEFT_BASE_FILE_H
#define WEFT_BASE_FILE_H

#include "base/arena.h"

enum file_fault { FILE_FINE, FILE_UNREADABLE, FILE_TOO_LARGE, FILE_NO_MEMORY };

/* A regular file of at most `most` bytes, into the arena, with a 0 after it. *why is the reason if it is unreadable. */
enum file_fault file_read(const char *path, size_t most, struct arena *arena, char **out, size_t *size,
                          const char **why);

#endif
