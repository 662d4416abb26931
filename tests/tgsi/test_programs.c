/* Every program of the collection (older and current dialects, some of them wrong on purpose) reads, prints and reads
 * back equal, or is refused with the message that programs.tsv lists. Needs the collection: WEFT_SHARED, by default
 * the folder `shared` next to the source tree. */
#include "test.h"

#include <dirent.h>

#include "text.h"

static const char *collection(void)
{
    static char path[600];
    const char *shared = getenv("WEFT_SHARED");
    snprintf(path, sizeof path, "%s/isa/tgsi/programs", shared ? shared : WEFT_SOURCE_ROOT "/../shared");
    return path;
}

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *text = NULL;
    size_t n = 0, got;
    do {
        text = realloc(text, n + 65536);
        got = fread(text + n, 1, 65535, f);
        n += got;
    } while (got > 0);
    text[n] = '\0';
    fclose(f);
    *size = n;
    return text;
}

/* The second column of a program's line: "reads" or the message. NULL: not listed. */
static const char *expectation(const char *list, const char *name, char *buffer, size_t size)
{
    size_t n = strlen(name);
    for (const char *line = list; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        if (strncmp(line, name, n) != 0 || line[n] != '\t')
            continue;
        size_t length = strcspn(line + n + 1, "\t\n");
        snprintf(buffer, size, "%.*s", (int)length, line + n + 1);
        return buffer;
    }
    return NULL;
}

static int check_program(const char *list, const char *name)
{
    char path[1200], wanted[500], message[500];
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", collection(), name);
    char *text = read_file(path, &size);
    assert_non_null(text);
    struct text t = text_parse_sized(name, text, size);
    const char *got = t.status == WEFT_OK ? "reads" : text_message(&t, message, sizeof message);
    const char *want = expectation(list, name, wanted, sizeof wanted);
    int bad = !want || strcmp(got, want) != 0;
    if (bad)
        printf("# %s\t%s\n", name, got);
    if (t.status == WEFT_OK)
        text_round_trip(&t);
    text_free(&t);
    free(text);
    return bad;
}

static void programs(void **state)
{
    (void)state;
    size_t size = 0;
    char *list = read_file(WEFT_SOURCE_ROOT "/tests/tgsi/programs.tsv", &size);
    assert_non_null(list);
    DIR *top = opendir(collection());
    if (!top) {
        printf("# no collection at %s\n", collection());
        free(list);
        skip();
    }
    int count = 0, bad = 0;
    for (struct dirent *d; (d = readdir(top)) != NULL;) {
        char path[1000], name[600];
        snprintf(path, sizeof path, "%s/%s", collection(), d->d_name);
        DIR *folder = d->d_name[0] == '.' ? NULL : opendir(path);
        if (!folder)
            continue;
        for (struct dirent *e; (e = readdir(folder)) != NULL;) {
            if (!strstr(e->d_name, ".tgsi"))
                continue;
            snprintf(name, sizeof name, "%s/%s", d->d_name, e->d_name);
            bad += check_program(list, name);
            count++;
        }
        closedir(folder);
    }
    closedir(top);
    free(list);
    printf("# %d programs\n", count);
    assert_true(count > 0);
    assert_int_equal(bad, 0);
}

TEST_MAIN(TEST(programs))
