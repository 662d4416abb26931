/* Files that others name: what is below a folder, what is read of one, and texts that streams fill. */
#include "test.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/below.h"
#include "base/file.h"
#include "base/text_stream.h"

/* A folder of the test's own, which is where it works. */
static int enter(void **state)
{
    static char folder[200];
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/weft-files-XXXXXX", temporary ? temporary : "/tmp");
    *state = mkdtemp(folder);
    return *state && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return chdir("/") == 0 ? system(command) : -1;
}

static void make(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static void what_is_below(void **state)
{
    char absolute[300], beside[300];
    static const struct {
        const char *root, *path;
        bool below;
    } cases[] = {
        {"top", "top/a", true},          {"top", "top/inner/b", true},     {"top", "top", true},
        {"top", "top/", true},           {"top/", "top/a", true},          {"top/inner/..", "top/a", true},
        {"top", "top/missing", true},    {"top/inner", "top/a", false},    {"top", "a", false},
        {"top", "missing", false},       {"top", "topmost/a", false},      {"top", "top/../a", false},
        {"top", "top/inner/../a", true}, {"top", "top/out", false},        {"top", "top/out/c", false},
        {"top", "in/a", true},           {"top", "in/missing", true},      {"top", "top/none/b", false},
        {"missing", "missing/a", false}, {"top", "top/missing/..", false}, {".", "a", true},
        {".", "missing", true},          {"/", "a", true},                 {"/", "/", true},
        {NULL, "a", false},              {"top", "top/dangling", true},    {"top", "/", false},
        {"/", "/missing", true},         {"top", "/missing", false},       {".", "..", false},
        {"top", "..", false},
    };
    assert_int_equal(mkdir("top", 0700), 0);
    assert_int_equal(mkdir("top/inner", 0700), 0);
    assert_int_equal(mkdir("topmost", 0700), 0);
    make("a", "");
    make("top/a", "");
    make("top/inner/b", "");
    make("topmost/a", "");
    make("topmost/c", "");
    assert_int_equal(symlink("../topmost", "top/out"), 0);
    assert_int_equal(symlink("nowhere", "top/dangling"), 0);
    assert_int_equal(symlink("top", "in"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool below = path_is_below(cases[i].root, cases[i].path);
        if (below != cases[i].below)
            fail_msg("%s and %s: %d", cases[i].root ? cases[i].root : "nothing", cases[i].path, below);
        assert_true(!below || errno == 0);
    }
    snprintf(absolute, sizeof absolute, "%s/top/a", (const char *)*state);
    snprintf(beside, sizeof beside, "%s/missing", (const char *)*state);
    assert_true(path_is_below("top", absolute) && path_is_below(*state, "top/a") && path_is_below(*state, beside));
    assert_false(path_is_below("top", beside));
}

static void what_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        size_t most;
        enum file_fault fault;
    } cases[] = {{"five", 5, FILE_FINE},   {"five", 4, FILE_TOO_LARGE}, {"five", 6, FILE_FINE}, {"empty", 0, FILE_FINE},
                 {"none", 9, FILE_UNREADABLE}, {".", 9, FILE_UNREADABLE}};
    make("five", "12345");
    make("empty", "");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        char *text = NULL;
        const char *why = NULL;
        size_t size = 99;
        assert_int_equal(file_read(cases[i].path, cases[i].most, &a, &text, &size, &why), cases[i].fault);
        if (cases[i].fault == FILE_FINE) {
            assert_string_equal(text, i == 3 ? "" : "12345");
            assert_int_equal(size, strlen(text));
        } else if (cases[i].fault == FILE_UNREADABLE) {
            assert_string_equal(why, i == 4 ? strerror(ENOENT) : "it is not a regular file");
        } else {
            assert_int_equal(size, 0);
        }
        arena_free(&a);
    }
    struct arena small = {.limit = 100};
    char *text, large[2000];
    const char *why;
    size_t size;
    memset(large, 'x', sizeof large);
    large[sizeof large - 1] = '\0';
    make("large", large);
    assert_int_equal(file_read("large", 5000, &small, &text, &size, &why), FILE_NO_MEMORY);
    arena_free(&small);
}

/* Pieces of any size, looked at now and then. */
static void texts_of_streams(void **state)
{
    (void)state;
    struct test_rng r = test_seed("streams");
    enum { MOST = 40000 };
    static char want[MOST];
    for (unsigned n = 0; n < 200; n++) {
        char *text = NULL;
        size_t size = 0, length = 0, total = test_next(&r) % (n % 4 ? 700 : MOST);
        FILE *f = text_stream(&text, &size);
        assert_non_null(f);
        assert_string_equal(text, "");
        while (length < total) {
            size_t piece = 1 + test_next(&r) % (total - length);
            for (size_t i = 0; i < piece; i++)
                want[length + i] = (char)test_next(&r);
            assert_int_equal(fwrite(want + length, 1, piece, f), piece);
            length += piece;
            assert_int_equal(ftell(f), length);
            if (test_next(&r) % 3)
                continue;
            assert_int_equal(fflush(f), 0);
            assert_int_equal(size, length);
            assert_memory_equal(text, want, length);
            assert_int_equal(text[length], 0);
        }
        assert_int_equal(fseek(f, 0, SEEK_SET), -1);
        assert_int_equal(fseek(f, 1, SEEK_CUR), -1);
        assert_true(text_stream_close(f));
        assert_int_equal(size, total);
        assert_memory_equal(text, want, total);
        assert_int_equal(text[total], 0);
        free(text);
    }
    assert_false(text_stream_close(NULL));
}

static void a_stream_that_failed(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "wb");
    if (!full)
        skip();
    fputs("text", full);
    assert_false(text_stream_close(full));
}

TEST_MAIN_BETWEEN(enter, leave, TEST(what_is_below), TEST(what_is_read), TEST(texts_of_streams),
                  TEST(a_stream_that_failed))
