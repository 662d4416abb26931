/* replay.c - a fuzzer without libFuzzer, as a test: `fuzz_NAME [--runs N] [--keep FILE] [--corpus FILE] FOLDER...`
 * gives it each input of its corpus (corpora.py says how they are written), then some of these and of the files below
 * the folders (of the suffixes its seeds have), as they are and changed, at random with the seed that is printed.
 * A campaign is tests/fuzz/run; this sees that each fuzzer still builds, and does with its seeds what it should. */
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) __attribute__((weak));

enum { MOST_SEEDS = 4096, MOST_INPUT = 1 << 14 };

static struct test_rng rng;

static uint32_t below(uint32_t n)
{
    return test_next(&rng) % n;
}

/* One to eight bytes: another one, one more, one less, some of the others again. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
    for (uint32_t turns = 1 + below(8); turns; turns--) {
        uint32_t at = below((uint32_t)size + 1), how = below(4);
        if (how == 0 && size < most) {
            memmove(data + at + 1, data + at, size++ - at);
            data[at] = (uint8_t)below(256);
        } else if (how == 1 && at < size) {
            memmove(data + at, data + at + 1, --size - at);
        } else if (how == 2 && at < size) {
            data[at] = (uint8_t)(below(2) ? data[at] ^ 1u << below(8) : below(256));
        } else if (at < size) {
            uint32_t from = below((uint32_t)size), count = below(16);
            for (uint32_t i = 0; i < count && from + i < size && at + i < size; i++)
                data[at + i] = data[from + i];
        }
    }
    return size;
}

/* Seeds that are files, and inputs of the corpus. */
struct seeds {
    char *path[MOST_SEEDS];
    size_t count;
    struct input {
        uint8_t *data;
        size_t size;
    } corpus[MOST_SEEDS];
    size_t inputs;
};

static bool is_seed(const char *folder, const char *name)
{
    static const char *const suffixes[] = {".amber", ".tgsi", ".tesla", ".valhall", ".list", ".vpu"};
    const char *dot = strrchr(name, '.');
    if (strstr(folder, "/seeds/"))
        return true;
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

static void find_seeds(struct seeds *seeds, const char *folder, unsigned depth)
{
    DIR *dir = opendir(folder);
    if (!dir) {
        printf("Bail out! there is no folder %s\n", folder);
        exit(1);
    }
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        struct stat info = {0}; /* MemorySanitizer of clang 14 does not know that stat writes it */
        char path[4096];
        if (e->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path)
            continue;
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode) && depth < 8)
            find_seeds(seeds, path, depth + 1);
        else if (is_seed(folder, e->d_name) && seeds->count < MOST_SEEDS)
            seeds->path[seeds->count++] = strdup(path);
    }
    closedir(dir);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t read_seed(const char *path, uint8_t *data)
{
    FILE *f = fopen(path, "rb");
    size_t size = f ? fread(data, 1, MOST_INPUT, f) : 0;
    if (f)
        fclose(f);
    return size;
}

/* ---- the corpus ---- */

static unsigned digits(const char *two)
{
    unsigned value;
    return isxdigit((unsigned char)two[0]) && isxdigit((unsigned char)two[1]) && sscanf(two, "%2x", &value) == 1 ? value
                                                                                                             : 256;
}

/* What a line of a corpus stands for; how many bytes, or SIZE_MAX: it stands for nothing. */
static size_t read_line(const char *line, uint8_t *data)
{
    bool text = *line == '"';
    size_t size = 0;
    for (const char *c = line + text; *c; size++) {
        bool escaped = text && *c == '\\', number = !text || (escaped && c[1] == 'x');
        unsigned value = number ? digits(text ? c + 2 : c) : !escaped ? (uint8_t)*c : c[1] == 'n' ? '\n' : '\\';
        if (value > 255 || (escaped && !strchr("xn\\", c[1])) || (escaped && !c[1]))
            return SIZE_MAX;
        data[size] = (uint8_t)value;
        c += number ? (text ? 4 : 2) : escaped ? 2 : 1;
    }
    return size;
}

static void read_corpus(struct seeds *seeds, const char *path)
{
    FILE *f = fopen(path, "rb");
    char *line = NULL;
    size_t room = 0;
    for (ssize_t got; f && (got = getline(&line, &room, f)) > 0;) {
        if (line[got - 1] == '\n')
            line[--got] = 0;
        if (*line == '#')
            continue;
        struct input *in = &seeds->corpus[seeds->inputs];
        in->data = seeds->inputs < MOST_SEEDS ? malloc((size_t)got + 1) : NULL;
        in->size = in->data ? read_line(line, in->data) : SIZE_MAX;
        if (in->size > MOST_INPUT) {
            printf("Bail out! %s: input %zu is no input\n", path, seeds->inputs + 1);
            exit(1);
        }
        seeds->inputs++;
    }
    free(line);
    if (!f || fclose(f) != 0 || !seeds->inputs) {
        printf("Bail out! %s has no inputs\n", path);
        exit(1);
    }
}

/* ---- runs ---- */

/* A copy of its own size, so that a read past its end is seen. */
static void run_one(const uint8_t *data, size_t size, const char *keep)
{
    uint8_t *copy = malloc(size ? size : 1);
    FILE *f = keep ? fopen(keep, "wb") : NULL;
    if (f) {
        fwrite(data, 1, size, f);
        fclose(f);
    }
    if (size)
        memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

/* Any seed, or random bytes when there is none. */
static size_t any_seed(const struct seeds *seeds, uint8_t *data)
{
    size_t all = seeds->count + seeds->inputs, size = below(512), seed = below((uint32_t)all + !all);
    if (seed < seeds->count)
        return read_seed(seeds->path[seed], data);
    if (seed < all) {
        const struct input *in = &seeds->corpus[seed - seeds->count];
        memcpy(data, in->data, in->size);
        return in->size;
    }
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)below(256);
    return size;
}

int main(int argc, char **argv)
{
    static struct seeds seeds;
    static uint8_t data[MOST_INPUT];
    const char *keep = NULL;
    size_t runs = 300;
    puts("1..1");
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
            runs = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--keep") == 0 && i + 1 < argc)
            keep = argv[++i];
        else if (strcmp(argv[i], "--corpus") == 0 && i + 1 < argc)
            read_corpus(&seeds, argv[++i]);
        else
            find_seeds(&seeds, argv[i], 0);
    }
    rng = test_seed("inputs");
    fflush(stdout);
    qsort(seeds.path, seeds.count, sizeof *seeds.path, by_name);
    for (size_t i = 0; i < seeds.inputs; i++)
        run_one(seeds.corpus[i].data, seeds.corpus[i].size, keep);
    for (size_t i = 0; i < runs; i++) {
        size_t size = any_seed(&seeds, data);
        if (i % 2 && LLVMFuzzerCustomMutator)
            size = LLVMFuzzerCustomMutator(data, size, sizeof data, test_next(&rng));
        else if (i % 2)
            size = LLVMFuzzerMutate(data, size, sizeof data);
        run_one(data, size, keep);
    }
    for (size_t i = 0; i < seeds.count; i++)
        free(seeds.path[i]);
    for (size_t i = 0; i < seeds.inputs; i++)
        free(seeds.corpus[i].data);
    printf("ok 1 - %zu inputs of the corpus, %zu of %zu seeds\n", seeds.inputs, runs, seeds.count + seeds.inputs);
    return 0;
}
