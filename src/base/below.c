/* below.c - see below.h. */
#include "base/below.h"

#include <errno.h>
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

/* Where a path leads: what does not exist is where its folder is. NULL with errno. */
static char *real_file(const char *path)
{
    char *file = realpath(path, NULL);
    return file || errno == ENOMEM ? file : real_folder(path);
}

bool path_is_below(const char *root, const char *path)
{
    errno = 0;
    char *top = root ? realpath(root, NULL) : NULL, *file = top ? real_file(path) : NULL;
    size_t length = file ? strlen(top) : 0;
    while (length > 0 && top[length - 1] == '/')
        length--;
    bool below = file && strncmp(file, top, length) == 0 && (file[length] == '/' || file[length] == 0);
    if (file)
        errno = 0;
    free(top);
    free(file);
    return below;
}
