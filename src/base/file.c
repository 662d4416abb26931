/* file.c - see file.h. */
#include "base/file.h"

#include "base/written.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum file_fault file_read(const char *path, size_t most, struct arena *arena, char **out, size_t *size,
                          const char **why)
{
    struct stat st;
    bool found = stat(path, &st) == 0;
    written_by_library(&st, sizeof st); /* clang 14 does not know that stat writes */
    *why = !found ? strerror(errno) : S_ISREG(st.st_mode) ? NULL : "it is not a regular file";
    FILE *f = *why ? NULL : fopen(path, "rb");
    if (!f) {
        *why = *why ? *why : strerror(errno);
        return FILE_UNREADABLE;
    }
    size_t length = (size_t)st.st_size;
    enum file_fault fault = length > most ? FILE_TOO_LARGE : FILE_FINE;
    if (!fault && !(*out = arena_alloc(arena, length + 1)))
        fault = FILE_NO_MEMORY;
    *size = fault ? 0 : fread(*out, 1, length, f);
    if (!fault && ferror(f)) {
        *why = strerror(errno);
        fault = FILE_UNREADABLE;
    }
    fclose(f);
    return fault;
}
