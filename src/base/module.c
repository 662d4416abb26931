/* module.c - finding and loading a module. */
#include "base/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static module_fn *open_file(const struct module_place *place, const char *path, char *why, size_t size)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(why, size, "%s", dlerror());
        return NULL;
    }
    module_fn *found;
    *(void **)&found = dlsym(handle, place->symbol);
    if (!found)
        snprintf(why, size, "%s is of another version", path);
    return found;
}

/* The file that this code is in: the library, or the program, which may have been found by the search path. Links to it
 * lead to where the modules are. */
static bool own_file(char *path, size_t size)
{
    static const char here = 0;
    Dl_info file;
    char real[PATH_MAX];
    if (dladdr((const void *)&here, &file) && file.dli_fname && strchr(file.dli_fname, '/'))
        return (size_t)snprintf(path, size, "%s", realpath(file.dli_fname, real) ? real : file.dli_fname) < size;
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    path[n > 0 ? n : 0] = 0;
    return n > 0;
}

module_fn *module_open(const struct module_place *place, char *why, size_t size)
{
    static const char *const folders[] = {"", "../", "weft/", WEFT_MODULES_FROM_PROGRAMS};
    enum { FOLDERS = sizeof folders / sizeof *folders };
    char path[4096];
    const char *named = getenv(place->environment);
    if (named)
        return open_file(place, named, why, size);
    size_t extra = strlen(place->file) + sizeof WEFT_MODULES_FROM_PROGRAMS + sizeof "weft/";
    module_fn *found = NULL;
    if (own_file(path, sizeof path - extra)) {
        char *end = strrchr(path, '/') + 1;
        for (int i = 0; i < FOLDERS && !found; i++) {
            snprintf(end, sizeof path - (size_t)(end - path), "%s%s", folders[i], place->file);
            if (access(path, R_OK) == 0)
                found = open_file(place, path, why, size);
        }
    }
    return found ? found : open_file(place, place->installed, why, size);
}
