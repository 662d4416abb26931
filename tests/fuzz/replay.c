/* replay.c - a fuzzer without libFuzzer, as a test: `fuzz_NAME [--runs N] [--keep FILE] FOLDER...` gives it some of the
 * files below the folders (of the suffixes its seeds have), then changed ones, at random with the seed that is printed.
 * A campaign is tests/fuzz/run; this sees that each fuzzer still builds, and does with its seeds what it should. */
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

struct seeds {
    char *path[MOST_SEEDS];
    size_t count;
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
        struct stat info;
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
        else
            find_seeds(&seeds, argv[i], 0);
    }
    rng = test_seed("inputs");
    fflush(stdout);
    qsort(seeds.path, seeds.count, sizeof *seeds.path, by_name);
    for (size_t i = 0; i < runs; i++) {
        size_t size = below(512), seed = below((uint32_t)seeds.count + !seeds.count);
        if (seeds.count)
            size = read_seed(seeds.path[seed], data);
        else
            for (size_t k = 0; k < size; k++)
                data[k] = (uint8_t)below(256);
        if (i % 2 && LLVMFuzzerCustomMutator)
            size = LLVMFuzzerCustomMutator(data, size, sizeof data, test_next(&rng));
        else if (i % 2)
            size = LLVMFuzzerMutate(data, size, sizeof data);
        run_one(data, size, keep);
    }
    for (size_t i = 0; i < seeds.count; i++)
        free(seeds.path[i]);
    printf("ok 1 - %zu inputs of %zu seeds\n", runs, seeds.count);
    return 0;
}
