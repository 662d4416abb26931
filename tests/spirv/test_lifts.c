/* test_lifts.c - what the lift makes of the modules that other tests run (lifts.txt has a number for a few of them
 * each), and of the shaders of the jobs (shaders.txt has one for each), as they are and with operands changed at
 * random. Other tests say whether it is right; here it is what it was when somebody looked last. WEFT_TEST_RENEW=1
 * writes the lists anew, and WEFT_TEST_SHOW=NAME prints what the numbers of the lines with NAME in them are made of. */
#include "fuzz/spirv_words.h"
#define CALLED_ROUNDS 400
#include "isa/lifted.h"
#include "script/script.h"
#include "snapshot.h"

#include <dirent.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 22, OF_LINE = 8, OF_SHADER = 16, NAME = 200, FILES = 1000 };

static const char *const with_modules[] = {"meaning", "dot", "controls", "group", "numbers", "indices"};

static struct lifted begin(const char *name)
{
    const char *shown = getenv("WEFT_TEST_SHOW");
    return (struct lifted){.shown = shown && strstr(name, shown)};
}

/* Modules that no validator looks at: it says other things in each version. */
static void add_module(struct lifted *to, struct spirv_words words)
{
    static const char links[] = "storage 0 0 = 0\nstorage 0 1 = 1\n";
    const struct isa_linkage linkage = {{"l", links, sizeof links - 1}};
    const struct isa_params params = {.stage = -1, .linkage = &linkage};
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct isa_module *m = NULL;
    to->programs++;
    if (spirv_read(words.word, words.count, "t", NULL, &params, &a, &m, d) == WEFT_OK)
        lifted_module(to, &isa_spirv, m, NULL, &a, d);
    lifted_messages(to, d);
    weft_diags_free(d);
    arena_free(&a);
}

/* One to three operands are others: which instructions and words there are depends on SPIRV-Headers, and is not asked.
 */
static void add_changed(struct lifted *to, struct spirv_words words, unsigned count)
{
    static struct spirv_change whole, c;
    uint32_t random = (uint32_t)words.count * 2654435761u | 1;
    if (!change_begin(&whole, (const uint8_t *)words.word, words.count * 4))
        return;
    for (unsigned v = 0; v < count; v++) {
        c = whole;
        for (unsigned k = 1 + next_random(&random) % 3; k; k--) {
            struct operand_list l;
            uint32_t insn = next_random(&random) % c.insns;
            operands_of(&c, insn, &l);
            if (!l.n)
                continue;
            unsigned i = next_random(&random) % l.n;
            uint32_t *word = &c.w[c.at[insn] + l.of[i].at];
            if (strchr("tism", l.of[i].letter))
                *word = other_id(&c, *word, &random);
            else if (l.of[i].letter != 'r')
                *word = next_random(&random) % 2 ? *word ^ 1 : next_random(&random) % 48;
        }
        add_module(to, (struct spirv_words){c.w, c.n});
    }
}

/* ---- modules of tests ---- */

static size_t modules_of(const char *test, uint8_t *modules)
{
    char path[] = "/tmp/weft-modules-XXXXXX", program[4096] = "", command[5000];
    int fd = mkstemp(path);
    assert_true(fd >= 0 && readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    snprintf(command, sizeof command, "WEFT_TEST_MODULES=%s '%s' %s >/dev/null 2>&1", path, program, test);
    int status = system(command);
    FILE *f = fdopen(fd, "rb");
    size_t size = fread(modules, 1, MOST_BYTES, f);
    fclose(f);
    remove(path);
    if (status != 0 || size == 0)
        fail_msg("%s fails", test);
    assert_true(size < MOST_BYTES);
    return size;
}

static void add_test(struct lifted_list *l, const char *test)
{
    static uint8_t modules[MOST_BYTES];
    size_t size = modules_of(test, modules);
    unsigned number = 0;
    char name[NAME];
    struct lifted lifted = {0};
    for (size_t at = 0; at < size; number++) {
        uint32_t count;
        memcpy(&count, modules + at, sizeof count);
        if (number % OF_LINE == 0) {
            snprintf(name, sizeof name, "%s from %u on", test, number);
            lifted = begin(name);
        }
        const struct spirv_words words = {(const uint32_t *)(const void *)(modules + at + 4), count};
        add_module(&lifted, words);
        add_changed(&lifted, words, 1);
        at += 4 + (size_t)count * 4;
        if (number % OF_LINE == OF_LINE - 1 || at == size)
            lifted_tell(l, name, &lifted, "lifted");
    }
}

static void modules_are_as_they_were(void **state)
{
    struct lifted_list l = {0};
    (void)state;
    char *module = getenv("WEFT_SPIRV_MODULE") ? strdup(getenv("WEFT_SPIRV_MODULE")) : NULL;
    unsetenv("WEFT_SPIRV_MODULE"); /* some of them are not for the validator */
    lifted_keeps_memory();
    for (size_t i = 0; i < sizeof with_modules / sizeof *with_modules; i++)
        add_test(&l, with_modules[i]);
    snapshot_compare(WEFT_SOURCE_ROOT "/tests/spirv/lifts.txt", l.text);
    if (module)
        setenv("WEFT_SPIRV_MODULE", module, 1);
    free(module);
    arena_free(&l.arena);
}

/* ---- shaders of jobs ---- */

static void add_shader(struct lifted_list *l, const char *file, const struct script_shader *s)
{
    struct arena a = {0};
    struct spirv_words words = {0};
    struct spirv_messages messages = {0};
    const struct spirv_source source = {.text = {s->name, s->text, s->text_size},
                                        .language = s->language == SCRIPT_HLSL ? SPIRV_HLSL : SPIRV_GLSL,
                                        .stage = s->stage,
                                        .env = s->target_env,
                                        .map = true};
    char name[NAME];
    snprintf(name, sizeof name, "%s %s", file, s->name);
    if (!snapshot_tries(name)) {
        arena_free(&a);
        return;
    }
    struct lifted lifted = begin(name);
    if (s->language == SCRIPT_TEXT)
        spirv_assemble(s->text, s->text_size, s->target_env ? s->target_env : "spv1.0", false, &a, &words, &messages);
    else
        spirv_compile(&source, &a, &words, &messages);
    if (words.count) {
        add_module(&lifted, words);
        add_changed(&lifted, words, OF_SHADER);
    }
    lifted_tell(l, name, &lifted, "lifted");
    arena_free(&a);
}

static void add_job(struct lifted_list *l, const char *file, const char *text, size_t size)
{
    struct arena a = {0};
    struct source src = {file, text, size};
    struct script *script = NULL;
    script_parse(&src, &a, &script, NULL);
    for (uint32_t i = 0; script && i < script->nshaders; i++) {
        const struct script_shader *s = script->shaders[i];
        bool text_of_it = s->language == SCRIPT_TEXT || s->language == SCRIPT_GLSL || s->language == SCRIPT_HLSL;
        if (s->text && s->isa && strcmp(s->isa->name, "spirv") == 0 && text_of_it)
            add_shader(l, file, s);
    }
    arena_free(&a);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_folder(struct lifted_list *l, const char *folder)
{
    static char text[1 << 17], path[4096];
    char *names[FILES];
    size_t n = 0;
    snprintf(path, sizeof path, "%s/%s", WEFT_SOURCE_ROOT, folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir)) && n < FILES;)
        if (strstr(e->d_name, ".amber"))
            names[n++] = strdup(e->d_name);
    closedir(dir);
    qsort(names, n, sizeof *names, compare);
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", WEFT_SOURCE_ROOT, folder, names[i]);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        size_t size = fread(text, 1, sizeof text - 1, f);
        fclose(f);
        text[size] = '\0';
        add_job(l, names[i], text, size);
        free(names[i]);
    }
}

static void shaders_are_as_they_were(void **state)
{
    struct lifted_list l = {0};
    static const char path[] = WEFT_SOURCE_ROOT "/tests/spirv/shaders.txt";
    (void)state;
    const char *tools = spirv_tools_name();
    if (!tools)
        skip();
    lifted_put(&l, "made by: ");
    lifted_put(&l, tools);
    lifted_put(&l, "\n");
    if (!getenv("WEFT_TEST_RENEW") && !snapshot_begins(path, l.text)) /* others make other words */
        skip();
    lifted_keeps_memory();
    add_folder(&l, "tests/amber/spirv");
    add_folder(&l, "examples/glsl");
    snapshot_compare_named(path, l.text);
    arena_free(&l.arena);
}

TEST_MAIN(TEST(modules_are_as_they_were), TEST(shaders_are_as_they_were))
