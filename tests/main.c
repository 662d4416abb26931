/* main.c - the tests of a folder are one program, because linking takes as long as compiling a test. The first argument
 * is the name of a test: "forms" for test_forms.c. A program of one test needs no argument. */
#include "test.h"

static struct test_file *files; /* what TEST_MAIN has added before main begins */

void test_add(struct test_file *f)
{
    f->next = files;
    files = f;
}

/* Is the file's name test_NAME.c? */
static int is_called(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    size_t length = strlen(name);
    return strncmp(file, "test_", 5) == 0 && strncmp(file + 5, name, length) == 0 &&
           strcmp(file + 5 + length, ".c") == 0;
}

int main(int argc, char **argv)
{
    const struct test_file *f = files;
    if (argc < 2 && f && !f->next)
        return f->run();
    while (f && (argc < 2 || !is_called(f->path, argv[1])))
        f = f->next;
    if (f)
        return f->run();
    fprintf(stderr, "%s: write the name of a test: NAME for one of these files, test_NAME.c\n", argv[0]);
    for (f = files; f; f = f->next)
        fprintf(stderr, "  %s\n", f->path);
    return 2;
}
