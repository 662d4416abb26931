/* pictures.c - the pictures of the gallery by weft, with several numbers of threads, and by its peers. */
#include "bench.h"
#include "peer.h"
#include "statistics.h"

#include "tools/gallery_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- weft ---- */

struct weft_rate {
    double per_cpu_second; /* millions of fragments */
    double per_second;
    uint64_t fragments; /* of one picture */
};

/* Draw often enough to be measured. *repeat is a first guess, and is kept for the next time. */
static bool measure_weft(const struct options *o, struct scene *scene, unsigned threads, uint32_t *repeat,
                         weft_picture *picture, struct weft_rate *rate)
{
    scene->params.threads = threads;
    for (;;) {
        weft_draw_stats stats;
        weft_diags *diags = weft_diags_new();
        scene->params.repeat = *repeat;
        weft_status status = weft_draw(&scene->params, picture, &stats, diags);
        if (status != WEFT_OK)
            cli_report(diags);
        weft_diags_free(diags);
        if (status != WEFT_OK)
            return false;
        if (stats.cpu_seconds >= o->seconds || *repeat >= MAX_REPEAT) {
            double mfragments = 1e-6 * (double)stats.fragments;
            *rate = (struct weft_rate){mfragments / stats.cpu_seconds, mfragments / stats.seconds,
                                       stats.fragments / *repeat};
            return true;
        }
        double factor = stats.cpu_seconds > 0 ? 1.2 * o->seconds / stats.cpu_seconds : 16;
        *repeat = (uint32_t)(*repeat * fmin(fmax(factor, 2), 16));
    }
}

/* ---- pictures ---- */

static float pixel_value(const weft_picture *p, size_t index)
{
    size_t row = index / (4 * p->width), column = index % (4 * p->width);
    const char *bytes = (const char *)p->pixels + row * p->stride;
    if (p->format == WEFT_RGBA8_UNORM)
        return (float)((const unsigned char *)bytes)[column] / 255.0f;
    return ((const float *)(const void *)bytes)[column];
}

/* Root mean square difference to a file of RGBA floats; negative when there is none to compare with. */
static double picture_difference(const weft_picture *picture, const char *path)
{
    size_t count = 4 * (size_t)picture->width * picture->height;
    struct cli_bytes reference;
    double sum = -1;
    if (!cli_read(path, &reference))
        return sum;
    if (reference.size == count * sizeof(float)) {
        sum = 0;
        for (size_t i = 0; i < count; i++) {
            float value;
            memcpy(&value, reference.data + i * sizeof value, sizeof value);
            double d = (double)pixel_value(picture, i) - (double)value;
            sum += d * d;
        }
        sum = sqrt(sum / (double)count);
    }
    free(reference.data);
    return sum;
}

/* ---- one example ---- */

enum { SOFTPIPE, LLVMPIPE, PEERS };
static const char *const drivers[PEERS] = {"softpipe", "llvmpipe"};
static const double goals[PEERS] = {52, 1.5};

struct peer_state {
    bool missing;
    struct geomean ratio;
};

struct result {
    double one, one_elapsed, two_elapsed, all; /* weft */
    double interpreted;                        /* with one thread */
    double peers[PEERS];                       /* negative: not measured */
    double difference;                         /* to softpipe's picture */
};

/* What each round measured. */
struct samples {
    double one[MAX_ROUNDS], one_elapsed[MAX_ROUNDS], two_elapsed[MAX_ROUNDS], all[MAX_ROUNDS];
    double interpreted[MAX_ROUNDS];
    double peers[PEERS][MAX_ROUNDS];
    bool measured[PEERS];
    uint32_t repeat[3]; /* weft with one thread, with two, with all */
    uint32_t repeat_interpreted;
    uint64_t fragments;
};

/* softpipe is slow, and never close to a goal: once is enough. */
static unsigned peer_rounds(const struct options *o, int peer)
{
    return peer == SOFTPIPE ? 1 : o->rounds;
}

static void sample_peers(const struct options *o, const struct example *example, struct peer_state *peers,
                         const char *dump, unsigned round, struct samples *s)
{
    for (int p = 0; p < PEERS; p++) {
        if (!s->measured[p] || round >= peer_rounds(o, p))
            continue;
        struct peer_job job = {.example = example, .program = o->peer, .driver = drivers[p]};
        job.width = o->width;
        job.height = o->height;
        job.is_float = o->is_float;
        job.fragments = s->fragments;
        job.seconds = o->seconds;
        job.dump = p == SOFTPIPE ? dump : NULL;
        char why[256];
        s->peers[p][round] = measure_peer(&job, why, sizeof why);
        if (s->peers[p][round] < 0) {
            printf("%s: left out: %s\n", drivers[p], why);
            s->measured[p] = false;
            peers[p].missing = peers[p].ratio.count == 0; /* nothing works, not just this twin */
        }
    }
}

static bool sample_weft(const struct options *o, struct scene *scene, weft_picture *picture, unsigned threads,
                        unsigned round, struct samples *s)
{
    struct weft_rate rate = {0};
    bool ok = measure_weft(o, scene, threads, &s->repeat[threads == 0 ? 2 : threads - 1], picture, &rate);
    if (threads == 1) {
        s->one[round] = rate.per_cpu_second;
        s->one_elapsed[round] = rate.per_second;
    } else if (threads == 2) {
        s->two_elapsed[round] = rate.per_second;
    }
    s->fragments = rate.fragments;
    s->all[round] = rate.per_cpu_second; /* the last one measured has all processors */
    return ok;
}

/* One thread of the interpreter. */
static bool sample_interpreter(const struct options *o, struct scene *scene, weft_picture *picture, unsigned round,
                               struct samples *s)
{
    struct weft_rate rate = {0};
    scene->params.engine = WEFT_ENGINE_INTERP;
    bool ok = measure_weft(o, scene, 1, &s->repeat_interpreted, picture, &rate);
    scene->params.engine = bench_engine();
    s->interpreted[round] = rate.per_cpu_second;
    return ok;
}

static bool load_example(const struct example *example, struct scene *scene)
{
    weft_diags *diags = weft_diags_new();
    bool ok = scene_load(scene, &example->args, &gallery_command, diags) == STATUS_FINE;
    if (!ok) {
        cli_report(diags);
        scene_free(scene);
    }
    weft_diags_free(diags);
    return ok;
}

/* Every implementation in turn, several times over, so that what else the machine does strikes all alike. */
static bool measure_example(const struct options *o, const struct example *example, struct peer_state *peers,
                            const char *dump, struct result *result)
{
    struct scene scene;
    if (!load_example(example, &scene))
        return false;
    weft_picture picture = {0};
    weft_pixel_format format = o->is_float ? WEFT_RGBA32_SFLOAT : WEFT_RGBA8_UNORM;
    bool ok = weft_picture_new(format, o->width, o->height, &picture) == WEFT_OK;
    const bool more_than_two = sysconf(_SC_NPROCESSORS_ONLN) > 2;
    struct samples s = {.repeat = {1, 1, 1}, .repeat_interpreted = 1};
    scene.params.engine = bench_engine();
    for (int p = 0; p < PEERS; p++)
        s.measured[p] = !peers[p].missing && example->shader[0];
    for (unsigned r = 0; ok && r < o->rounds; r++) {
        ok = sample_interpreter(o, &scene, &picture, r, &s) && sample_weft(o, &scene, &picture, 1, r, &s) &&
             sample_weft(o, &scene, &picture, 2, r, &s);
        if (more_than_two)
            ok = ok && sample_weft(o, &scene, &picture, 0, r, &s);
        if (ok)
            sample_peers(o, example, peers, dump, r, &s);
    }
    if (ok) {
        result->interpreted = median(s.interpreted, o->rounds);
        result->one = median(s.one, o->rounds);
        result->one_elapsed = median(s.one_elapsed, o->rounds);
        result->two_elapsed = median(s.two_elapsed, o->rounds);
        result->all = median(s.all, o->rounds);
        for (int p = 0; p < PEERS; p++)
            result->peers[p] = s.measured[p] ? median(s.peers[p], peer_rounds(o, p)) : -1;
        result->difference = s.measured[SOFTPIPE] ? picture_difference(&picture, dump) : -1;
    }
    weft_picture_free(&picture);
    scene_free(&scene);
    return ok;
}

/* ---- the table ---- */

static void print_number(const char *format, int width, double value)
{
    if (value < 0)
        printf(" %*s", width, "-");
    else
        printf(format, width, value);
}

static void print_result(const struct example *example, const struct result *r)
{
    printf("%-12s %9.2f %9.2f %9.2f %9.2f", example->name, r->interpreted, r->one, r->all,
           r->two_elapsed / r->one_elapsed);
    for (int p = 0; p < PEERS; p++)
        print_number(" %*.2f", 9, r->peers[p]);
    print_number(" %*.1f", 9, r->peers[SOFTPIPE] > 0 ? r->one / r->peers[SOFTPIPE] : -1);
    print_number(" %*.3f", 9, r->peers[LLVMPIPE] > 0 ? r->one / r->peers[LLVMPIPE] : -1);
    print_number(" %*.6f", 9, r->difference);
    printf("\n");
    fflush(stdout);
}

bool bench_pictures(const struct options *o)
{
    static struct example scenes[MAX_SCENES];
    char *text = NULL;
    size_t count = read_gallery(scenes, &text);
    if (count == 0) {
        free(text);
        return false;
    }
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || is_wanted(o, scenes[i].name);
    if (!any) {
        free(text);
        return true;
    }
    char dump[] = "/tmp/weft-bench-XXXXXX";
    int fd = mkstemp(dump);
    if (fd < 0) {
        fprintf(stderr, "bench: no temporary file\n");
        return false;
    }
    close(fd);

    printf("Millions of fragments per CPU second, %ux%u %s, medians of %u; 2:1 is the speed-up by a second thread;\n"
           "RMSE is the difference between weft's picture and softpipe's\n\n",
           o->width, o->height, o->is_float ? "RGBA32F" : "RGBA8", o->rounds);
    printf("%-12s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n", "", "interp", "1 thread", "all", "2:1", "softpipe",
           "llvmpipe", "/softpipe", "/llvmpipe", "RMSE");
    struct peer_state peers[PEERS] = {{.missing = o->no_peers}, {.missing = o->no_peers}};
    struct geomean one = {0}, all = {0}, speed_up = {0};
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        struct result r = {0};
        if (!is_wanted(o, scenes[i].name))
            continue;
        if (!measure_example(o, &scenes[i], peers, dump, &r)) {
            printf("%-12s failed\n", scenes[i].name);
            ok = false;
            continue;
        }
        print_result(&scenes[i], &r);
        geomean_add(&one, r.one);
        geomean_add(&all, r.all);
        geomean_add(&speed_up, r.two_elapsed / r.one_elapsed);
        for (int p = 0; p < PEERS; p++)
            geomean_add(&peers[p].ratio, r.peers[p] > 0 ? r.one / r.peers[p] : 0);
    }
    unlink(dump);
    free(text);

    printf("\nGeometric means: %.2f with one thread, %.2f with all; two threads %.2f times one (goal 1.90)\n",
           geomean_get(&one), geomean_get(&all), geomean_get(&speed_up));
    for (int p = 0; p < PEERS; p++) {
        if (peers[p].ratio.count > 0)
            printf("  %.3f times %s over %zu shaders, one thread against one (goal %.1f)\n",
                   geomean_get(&peers[p].ratio), drivers[p], peers[p].ratio.count, goals[p]);
    }
    return ok;
}
