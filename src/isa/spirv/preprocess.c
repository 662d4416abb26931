/* preprocess.c - see preprocess.h. */
#include "isa/spirv/preprocess.h"

#include "base/file.h"
#include "base/mark.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 1 << 24, MOST_FILES = 1000, MOST_INCLUDED = 10000 };

const char *spirv_define(struct arena *arena, const char *lines, const char *define)
{
    size_t name = strcspn(define, "=");
    const char *value = define[name] ? define + name + 1 : "1";
    return lines ? arena_printf(arena, "%s#define %.*s %s\n", lines, (int)name, define, value) : NULL;
}

/* ---- finding files ---- */

static bool is_there(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* The nth place to look; NULL: there are no more, or no memory. */
static const char *place(const struct spirv_includes *in, size_t n, const char *name, const char *includer, bool angle)
{
    const char *slash = strrchr(includer, '/');
    if (name[0] == '/')
        return n ? NULL : arena_strndup(in->arena, name, strlen(name));
    if (!angle && !n--)
        return arena_printf(in->arena, "%.*s%s", slash ? (int)(slash + 1 - includer) : 0, includer, name);
    return n < in->compiling->nfolders ? arena_printf(in->arena, "%s/%s", in->compiling->folder[n], name) : NULL;
}

/* The text of a file, read at most once; NULL: *why says so. */
static const struct spirv_text *text_of(struct spirv_includes *in, const char *path, const char **why)
{
    for (size_t i = 0; i < in->count; i++)
        if (strcmp(in->texts[i].name, path) == 0)
            return &in->texts[i];
    char *text = NULL;
    size_t size = 0;
    if (in->count == MOST_FILES) {
        *why = arena_printf(in->arena, "more than %d files are included", MOST_FILES);
        return NULL;
    }
    enum file_fault fault = file_read(path, MOST_BYTES, in->arena, &text, &size, why);
    struct spirv_text *grown = arena_grow(in->arena, in->texts, sizeof *grown, in->count, &in->capacity, in->count + 1);
    if (fault == FILE_UNREADABLE)
        *why = arena_printf(in->arena, "cannot read '%s': %s", path, *why);
    else if (fault == FILE_TOO_LARGE)
        *why = arena_printf(in->arena, "'%s' has more than %d bytes", path, MOST_BYTES);
    else if (fault || !grown)
        *why = "out of memory";
    in->texts = grown ? grown : in->texts;
    if (fault || !grown)
        return NULL;
    mark_blank(text, size);
    in->texts[in->count] = (struct spirv_text){path, text, size};
    return &in->texts[in->count++];
}

/* Whether it is one of the files that are included before the text; their names are as they are. */
static bool is_common(const struct spirv_includes *in, const char *name)
{
    for (size_t i = 0; in->compiling && i < in->compiling->ncommon; i++)
        if (strcmp(in->compiling->common[i], name) == 0)
            return true;
    return false;
}

static const struct spirv_text *find(struct spirv_includes *in, const char *name, const char *includer, bool angle,
                                     const char **why)
{
    const char *path, *looked = NULL;
    if (is_common(in, name))
        return text_of(in, name, why);
    if (!in->compiling || !in->compiling->includes) {
        *why = "files are not included here";
        return NULL;
    }
    for (size_t n = 0; (path = place(in, n, name, includer, angle)); n++) {
        if (is_there(path))
            return text_of(in, path, why);
        looked = looked ? arena_printf(in->arena, "%s, '%s'", looked, path) : arena_printf(in->arena, "'%s'", path);
    }
    *why = looked ? arena_printf(in->arena, "there is no %s: -I DIR names more folders", looked)
                  : "<NAME> is looked for in the folders of -I DIR alone";
    return NULL;
}

bool spirv_find_include(void *context, const char *name, const char *includer, bool angle, struct spirv_text *out)
{
    struct spirv_includes *in = context;
    const char *why = NULL;
    const struct spirv_text *found = NULL;
    /* The compiler asks for what was not found in quotes once more, as if it were in angles. */
    if (angle && in->missing && strcmp(in->missing, name) == 0)
        why = in->why;
    else if (in->included++ < MOST_INCLUDED)
        found = find(in, name, includer, angle, &why);
    else
        why = "files include one another more than 10000 times";
    why = why ? why : "out of memory";
    in->missing = found || angle ? NULL : arena_strndup(in->arena, name, strlen(name));
    in->why = why;
    *out = found ? *found : (struct spirv_text){NULL, why, strlen(why)};
    return found != NULL;
}

/* ---- what includes what ---- */

struct directive {
    const char *name;
    size_t length;
    bool angle;
};

/* The name of a line "#include "NAME"" or "#include <NAME>". */
static bool is_include(const char *p, const char *end, struct directive *d)
{
    static const char word[] = "include";
    for (int sharp = 0; sharp < 2; sharp++) {
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        if (!sharp && (p == end || *p++ != '#'))
            return false;
    }
    if ((size_t)(end - p) < sizeof word || memcmp(p, word, sizeof word - 1) != 0)
        return false;
    for (p += sizeof word - 1; p < end && (*p == ' ' || *p == '\t'); p++)
        ;
    if (p == end || (*p != '"' && *p != '<'))
        return false;
    const char *close = memchr(p + 1, *p == '"' ? '"' : '>', (size_t)(end - p - 1));
    if (!close)
        return false;
    *d = (struct directive){p + 1, (size_t)(close - p - 1), *p == '<'};
    return true;
}

const char *spirv_read_common(struct spirv_includes *in)
{
    const char *why = NULL;
    for (size_t i = 0; in->compiling && i < in->compiling->ncommon; i++)
        if (!text_of(in, in->compiling->common[i], &why))
            return why ? why : "out of memory";
    return NULL;
}

bool spirv_read_includes(struct spirv_includes *in, const struct spirv_text *text)
{
    bool any = in->compiling && in->compiling->ncommon;
    struct spirv_text from = *text;
    for (size_t next = 0;; from = in->texts[next++]) {
        for (const char *p = from.text, *stop = p + from.size, *end; p < stop; p = end + 1) {
            struct directive d;
            const char *why, *name;
            end = memchr(p, '\n', (size_t)(stop - p));
            end = end ? end : stop;
            if (!is_include(p, end, &d))
                continue;
            any = true;
            name = arena_strndup(in->arena, d.name, d.length);
            if (name)
                find(in, name, from.name, d.angle, &why);
        }
        if (next == in->count)
            return any;
    }
}
