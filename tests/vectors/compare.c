/* compare.c - hold a drawn picture against a reference of raw floats.
 *
 * compare [--rmse LIMIT] [--within LIMIT [--share SHARE]] [--or OTHER.f32.gz LIMIT PIXELS] WxH GOT.raw REFERENCE.f32.gz
 *
 * Both are WxH pixels of four little-endian 32-bit floats, row 0 at the bottom; the reference may be gzipped.
 * --rmse: the root of the mean squared difference of all values must be below LIMIT. --within: the difference
 * of each value (or of SHARE of them, 0..1) must be at most LIMIT. --or: instead of that, a pixel may differ by LIMIT
 * from a second reference; at most PIXELS of them may. NaN matches NaN, infinities match themselves. Exit status: 0 it
 * matches, 1 it does not, 2 wrong usage or unreadable files. */
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct rules {
    double rmse, within, share; /* negative: not asked for */
    const char *other;          /* NULL: none */
    double other_within;
    size_t other_pixels;
};

struct result {
    size_t values, outside, other; /* other: pixels that only the second reference has */
    double squares, worst;
    unsigned worst_x, worst_y, worst_c;
};

static float *read_floats(const char *path, size_t count)
{
    gzFile f = gzopen(path, "rb");
    float *data = malloc(count * sizeof *data + 1);
    size_t want = count * sizeof *data;
    bool fine = f && data && gzread(f, data, (unsigned)want) == (int)want && gzgetc(f) == -1;
    if (f)
        gzclose(f);
    if (!fine) {
        fprintf(stderr, "compare: '%s' is not a file of %zu floats\n", path, count);
        exit(2);
    }
    return data;
}

static double difference(float a, float b)
{
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    double d = fabs((double)a - (double)b);
    return isnan(d) ? INFINITY : d;
}

static bool pixel_within(const float *got, const float *want, double limit)
{
    for (unsigned c = 0; c < 4; c++)
        if (difference(got[c], want[c]) > limit)
            return false;
    return true;
}

/* `other` may be NULL. */
static struct result compare(const float *got, const float *want, const float *other, unsigned w, unsigned h,
                             const struct rules *rules)
{
    struct result r = {.worst = -1};
    for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < w; x++) {
            size_t pixel = ((size_t)y * w + x) * 4;
            if (other && !pixel_within(got + pixel, want + pixel, rules->within) && r.other < rules->other_pixels &&
                pixel_within(got + pixel, other + pixel, rules->other_within)) {
                r.other++;
                continue;
            }
            for (unsigned c = 0; c < 4; c++) {
                double d = difference(got[pixel + c], want[pixel + c]);
                r.values++;
                r.squares += d * d;
                r.outside += rules->within >= 0 && d > rules->within;
                if (d > r.worst) {
                    r.worst = d;
                    r.worst_x = x;
                    r.worst_y = y;
                    r.worst_c = c;
                }
            }
        }
    return r;
}

static bool parse(int argc, char **argv, struct rules *rules, unsigned *w, unsigned *h)
{
    static const struct option options[] = {
        {"rmse", required_argument, NULL, 'r'},
        {"within", required_argument, NULL, 'w'},
        {"share", required_argument, NULL, 's'},
        {"or", required_argument, NULL, 'o'},
        {0},
    };
    *rules = (struct rules){-1, -1, 1, NULL, 0, 0};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 'r':
            rules->rmse = atof(optarg);
            break;
        case 'w':
            rules->within = atof(optarg);
            break;
        case 's':
            rules->share = atof(optarg);
            break;
        case 'o':
            if (argc - optind < 2)
                return false;
            rules->other = optarg;
            rules->other_within = atof(argv[optind++]);
            rules->other_pixels = strtoul(argv[optind++], NULL, 10);
            break;
        default:
            return false;
        }
    }
    return argc - optind == 3 && sscanf(argv[optind], "%ux%u", w, h) == 2 && *w && *h && *w <= 16384 && *h <= 8192 &&
           (rules->rmse >= 0 || rules->within >= 0) && (!rules->other || rules->within >= 0);
}

int main(int argc, char **argv)
{
    struct rules rules;
    unsigned w, h;
    if (!parse(argc, argv, &rules, &w, &h)) {
        fputs("usage: compare [--rmse LIMIT] [--within LIMIT [--share SHARE]] [--or OTHER LIMIT PIXELS] WxH GOT "
              "REFERENCE\n",
              stderr);
        return 2;
    }
    float *got = read_floats(argv[optind + 1], (size_t)w * h * 4);
    float *want = read_floats(argv[optind + 2], (size_t)w * h * 4);
    float *other = rules.other ? read_floats(rules.other, (size_t)w * h * 4) : NULL;
    struct result r = compare(got, want, other, w, h, &rules);
    size_t at = ((size_t)r.worst_y * w + r.worst_x) * 4 + r.worst_c;
    double values = r.values ? (double)r.values : 1;
    double rmse = sqrt(r.squares / values);
    double inside = 1 - (double)r.outside / values;
    bool fine = (rules.rmse < 0 || rmse < rules.rmse) && (rules.within < 0 || inside >= rules.share);
    printf("rmse %.3g, worst difference %.3g at (%u, %u).%c: %.9g, reference %.9g", rmse, r.worst, r.worst_x, r.worst_y,
           "rgba"[r.worst_c], got[at], want[at]);
    if (rules.within >= 0)
        printf("; %zu of %zu values beyond %g", r.outside, r.values, rules.within);
    if (other)
        printf("; %zu pixels as the second reference has them", r.other);
    printf("\n");
    free(other);
    free(got);
    free(want);
    return !fine;
}
