/* Programs that others wrote: each that reads must survive text -> tokens -> text and pass the checker. Needs the
 * collections: WEFT_SHARED, by default the folder `shared` next to the source tree. */
#include "test.h"

#include <glob.h>

#include "text.h"

static const char *shared_folder(void)
{
    const char *shared = getenv("WEFT_SHARED");
    return shared ? shared : WEFT_SOURCE_ROOT "/../shared";
}

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = NULL;
    size_t n = 0, got;
    do {
        text = realloc(text, n + 65536);
        assert_non_null(text);
        got = fread(text + n, 1, 65536, f);
        n += got;
    } while (got > 0);
    fclose(f);
    *size = n;
    return text;
}

static void through_tokens(struct text *t)
{
    uint8_t *bytes, *again;
    size_t size, again_size, length, back_length;
    struct isa_module *back = NULL;
    char *text, *back_text;
    weft_status status = tgsi_encode(t->m, &t->arena, &bytes, &size, t->diags);
    if (status == WEFT_OK)
        status = tgsi_decode(bytes, size, "tokens", NULL, &t->arena, &back, t->diags);
    char message[400];
    if (status != WEFT_OK)
        fail_msg("%s: %s", t->src.name, text_message(t, message, sizeof message));
    if (!tgsi_module_equal(t->m, back))
        fail_msg("%s: tokens say something else", t->src.name);
    assert_int_equal(tgsi_encode(back, &t->arena, &again, &again_size, NULL), WEFT_OK);
    assert_int_equal(size, again_size);
    assert_memory_equal(bytes, again, size);
    assert_int_equal(tgsi_print(t->m, &t->arena, &text, &length, NULL), WEFT_OK);
    assert_int_equal(tgsi_print(back, &t->arena, &back_text, &back_length, NULL), WEFT_OK);
    assert_int_equal(length, back_length);
    assert_memory_equal(text, back_text, length);
}

static void passes_the_checker(struct text *t)
{
    tgsi_check(t->m, &t->src, NULL, t->diags);
    for (size_t i = 0; i < weft_diags_count(t->diags); i++) {
        const weft_diag *d = weft_diags_get(t->diags, i);
        if (d->severity == WEFT_ERROR)
            fail_msg("%s:%u:%u: %s", t->src.name, d->line, d->column, d->message);
    }
}

/* How many of the files of a pattern there are, and how many of them are refused by the parser. */
static size_t run(const char *pattern, size_t *refused)
{
    char full[1200];
    glob_t files;
    snprintf(full, sizeof full, "%s/%s", shared_folder(), pattern);
    if (glob(full, 0, NULL, &files) != 0)
        return 0;
    size_t count = files.gl_pathc;
    *refused = 0;
    for (size_t i = 0; i < count; i++) {
        size_t size;
        char *text = read_file(files.gl_pathv[i], &size);
        struct text t = text_parse_sized(files.gl_pathv[i], text, size);
        if (t.status == WEFT_OK) {
            through_tokens(&t);
            passes_the_checker(&t);
        } else {
            ++*refused;
        }
        text_free(&t);
        free(text);
    }
    globfree(&files);
    printf("# %s: %zu programs, %zu refused by the parser\n", pattern, count, *refused);
    return count;
}

/* programs.tsv lists what the parser refuses, and why: test_programs.c holds it to that. */
static void older_and_current_dialects(void **state)
{
    (void)state;
    size_t refused;
    if (!run("isa/tgsi/programs/*/*.tgsi", &refused)) {
        printf("# no programs in %s\n", shared_folder());
        skip();
    }
}

static void shaders_of_the_reference_results(void **state)
{
    (void)state;
    static const char *const patterns[] = {"vectors/tgsi/corpus/tgsi/*.tgsi", "vectors/tgsi/corpus/vs/*.tgsi",
                                           "vectors/tgsi/pictures/*.tgsi"};
    size_t count = 0, refused;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        size_t n = run(patterns[i], &refused);
        if (n)
            assert_int_equal(refused, 0);
        count += n;
    }
    if (!count) {
        printf("# no reference shaders in %s\n", shared_folder());
        skip();
    }
}

TEST_MAIN(TEST(older_and_current_dialects), TEST(shaders_of_the_reference_results))
