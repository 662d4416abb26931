/* compare_raw.c - hold the raw values of a buffer against reference values.
 *
 * compare_raw [--relative] [--ignore FILE WIDTH COMPONENTS] KIND LIMIT GOT REFERENCE.gz
 *
 * KIND is f32, u8 or u32, little endian; the reference may be gzipped and has as many values. They may differ by LIMIT,
 * with --relative by LIMIT * max(1, |reference|). FILE lists pixels "x y" to leave out of a picture of WIDTH pixels of
 * COMPONENTS values to a row. Exit status: 0 it matches, 1 it does not, 2 wrong usage or unreadable files. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum kind { F32, U8, U32 };
static const unsigned kind_bytes[] = {4, 1, 4};

static unsigned char *read_all(const char *path, size_t *size)
{
    gzFile f = gzopen(path, "rb");
    size_t cap = 1 << 16;
    unsigned char *data = malloc(cap);
    *size = 0;
    for (int n; f && data && (n = gzread(f, data + *size, (unsigned)(cap - *size))) > 0;) {
        *size += (size_t)n;
        if (*size == cap)
            data = realloc(data, cap *= 2);
    }
    if (!f || !data || !gzeof(f)) {
        fprintf(stderr, "compare_raw: cannot read '%s'\n", path);
        exit(2);
    }
    gzclose(f);
    return data;
}

static double value(const unsigned char *at, enum kind kind)
{
    uint32_t bits = at[0];
    float f;
    if (kind == U8)
        return bits;
    bits |= (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    memcpy(&f, &bits, sizeof f);
    return kind == U32 ? (double)bits : (double)f;
}

static bool alike(double got, double want, double limit, bool relative)
{
    if (got == want || (isnan(got) && isnan(want)))
        return true;
    return fabs(got - want) <= limit * (relative ? fmax(1, fabs(want)) : 1);
}

/* Mark the values of the pixels in a list. */
static void ignore(const char *path, size_t width, size_t components, bool *out, size_t count)
{
    FILE *f = fopen(path, "r");
    size_t x, y;
    if (!f) {
        fprintf(stderr, "compare_raw: cannot read '%s'\n", path);
        exit(2);
    }
    while (fscanf(f, "%zu %zu", &x, &y) == 2)
        for (size_t c = 0; c < components; c++)
            if ((y * width + x) * components + c < count)
                out[(y * width + x) * components + c] = true;
    fclose(f);
}

int main(int argc, char **argv)
{
    bool relative = false;
    const char *list = NULL;
    size_t width = 0, components = 0;
    int at = 1;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        if (strcmp(argv[at], "--relative") == 0) {
            relative = true;
        } else if (strcmp(argv[at], "--ignore") == 0 && at + 3 < argc) {
            list = argv[at + 1];
            width = strtoul(argv[at + 2], NULL, 10);
            components = strtoul(argv[at + 3], NULL, 10);
            at += 3;
        }
    }
    static const char *const kinds[] = {"f32", "u8", "u32"};
    int kind = 0;
    while (at < argc && kind < 3 && strcmp(argv[at], kinds[kind]) != 0)
        kind++;
    if (argc - at != 4 || kind == 3) {
        fputs("usage: compare_raw [--relative] [--ignore FILE WIDTH COMPONENTS] KIND LIMIT GOT REFERENCE\n", stderr);
        return 2;
    }
    size_t got_size, want_size;
    double limit = atof(argv[at + 1]);
    unsigned char *got = read_all(argv[at + 2], &got_size), *want = read_all(argv[at + 3], &want_size);
    if (got_size != want_size) {
        printf("%zu bytes, the reference has %zu\n", got_size, want_size);
        return 1;
    }
    size_t count = want_size / kind_bytes[kind], wrong = 0, first = 0;
    bool *out = calloc(count + 1, sizeof *out);
    if (!out)
        return 2;
    if (list)
        ignore(list, width, components, out, count);
    for (size_t i = 0; i < count; i++) {
        size_t byte = i * kind_bytes[kind];
        if (!out[i] &&
            !alike(value(got + byte, (enum kind)kind), value(want + byte, (enum kind)kind), limit, relative) &&
            !wrong++)
            first = i;
    }
    if (wrong)
        printf("%zu of %zu values differ, first value %zu: %.9g, reference %.9g\n", wrong, count, first,
               value(got + first * kind_bytes[kind], (enum kind)kind),
               value(want + first * kind_bytes[kind], (enum kind)kind));
    free(out);
    free(got);
    free(want);
    return wrong != 0;
}
