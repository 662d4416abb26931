/* file.c - files that an assembler text names: .include and .incbin. */
#include "isa/asm/asm.h"

#include "base/below.h"
#include "base/file.h"

#include <errno.h>
#include <string.h>

/* A path relative to the file that names it. */
static char *resolve(struct asm_state *a, const char *path, size_t size)
{
    const char *name = a->scan.src->name, *slash = name ? strrchr(name, '/') : NULL;
    if (size && path[0] == '/')
        return arena_strndup(a->arena, path, size);
    int folder = slash && slash - name < 4000 ? (int)(slash - name + 1) : 0;
    return arena_printf(a->arena, "%.*s%.*s", folder, folder ? name : "", (int)(size < 4000 ? size : 4000), path);
}

/* The contents of a regular file, into the arena. */
static bool read_file(struct asm_state *a, const char *from, const char *path, uint8_t **out, size_t *size)
{
    const char *why;
    char *bytes = NULL;
    if (a->params->files_from && !path_is_below(a->params->files_from, path))
        return errno == ENOMEM ? asm_no_memory(a)
                               : asm_error(a, from, "outside-folder", "--files-from DIR names another folder",
                                           "'%.200s' is not below '%.200s'", path, a->params->files_from);
    enum file_fault fault = file_read(path, ASM_MAX_BYTES, a->arena, &bytes, size, &why);
    *out = (uint8_t *)bytes;
    if (fault == FILE_UNREADABLE)
        return asm_error(a, from, "file", NULL, "cannot read '%.200s': %s", path, why);
    if (fault == FILE_TOO_LARGE)
        return asm_error(a, from, "too-large", NULL, "'%.200s' has more than %d bytes", path, ASM_MAX_BYTES);
    return fault == FILE_FINE || asm_no_memory(a);
}

static bool open_named(struct asm_state *a, const char *from, char **path, uint8_t **bytes, size_t *size)
{
    uint8_t *name;
    size_t length;
    if (!asm_read_string(a, &name, &length))
        return false;
    *path = resolve(a, (const char *)name, length);
    return *path ? read_file(a, from, *path, bytes, size) : asm_no_memory(a);
}

bool asm_include(struct asm_state *a, const struct asm_call *call)
{
    char *path;
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (a->includes == ASM_MAX_INCLUDES)
        return asm_error(a, call->from, "include", NULL, "files include one another more than %d deep",
                         ASM_MAX_INCLUDES);
    if (!open_named(a, call->from, &path, &bytes, &size) || !asm_count_bytes(a, call->from, size))
        return false;
    struct source *src = ARENA_NEW(a->arena, struct source);
    if (!src)
        return asm_no_memory(a);
    *src = (struct source){path, (const char *)bytes, size};
    bool outer = a->included;
    a->includes++;
    a->included = true;
    asm_read(a, src);
    a->included = outer;
    a->includes--;
    return !a->failed;
}

bool asm_include_bytes(struct asm_state *a, const struct asm_call *call)
{
    char *path;
    uint8_t *bytes = NULL;
    size_t size = 0;
    return open_named(a, call->from, &path, &bytes, &size) && asm_append_bytes(a, call->from, bytes, size);
}
