/* below.c - see below.h. */
#include "base/below.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The folder of a path, which is there when the file is not. */
static char *real_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return realpath(".", NULL);
    if (strcmp(slash, "/..") == 0)
        return NULL;
    char *folder = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    char *real = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return real;
}

bool path_is_below(const char *root, const char *path)
{
    char *top = root ? realpath(root, NULL) : NULL, *file = realpath(path, NULL);
    if (!file)
        file = real_folder(path);
    size_t length = top ? strlen(top) : 0;
    while (length > 0 && top[length - 1] == '/')
        length--;
    bool below = top && file && strncmp(file, top, length) == 0 && (file[length] == '/' || file[length] == 0);
    free(top);
    free(file);
    return below;
}
