/* workloads.c - the workloads of workload.h by weft and by llvmpipe, one thread each. */
#include "bench.h"
#include "peer.h"
#include "statistics.h"
#include "workload_weft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char peer_driver[] = "llvmpipe";

struct result {
    double weft, peer; /* millions of units per CPU second; peer negative: not measured */
    double difference; /* of the results; negative: not compared */
    char note[128];    /* what the peer does not do, or why it was left out */
};

/* Run often enough to be measured. *count is a first guess, and is kept for the next time. */
static double measure_weft(const struct options *o, struct weft_workload *run, double work, unsigned *count)
{
    for (;;) {
        double cpu = weft_workload_run(run, *count);
        if (cpu < 0)
            return -1;
        if (cpu >= o->seconds || *count >= MAX_REPEAT)
            return work * *count / cpu;
        double factor = cpu > 0 ? 1.2 * o->seconds / cpu : 16;
        *count = (unsigned)(*count * fmin(fmax(factor, 2), 16));
    }
}

/* Root mean square difference to a file of the same kind; of numbers 0 or 1. */
static double compare(const struct workload *w, const void *result, const char *path)
{
    const size_t want = workload_result_size(w);
    struct cli_bytes reference;
    if (!cli_read(path, &reference))
        return -1;
    const size_t size = reference.size;
    const unsigned char *a = result, *b = (const unsigned char *)reference.data;
    double sum = 0;
    for (size_t i = 0; size == want && i < size; i++) {
        double d = (double)(a[i] - b[i]) / 255;
        sum += d * d;
    }
    double difference = w->numbers ? sum > 0 : sqrt(sum / (double)want);
    free(reference.data);
    return size == want ? difference : -1;
}

static bool measure(const struct options *o, const struct workload *w, const char *dump, struct result *r)
{
    struct weft_workload *run = weft_workload_new(w);
    double weft[MAX_ROUNDS], peer[MAX_ROUNDS];
    unsigned count = 1;
    bool ok = run != NULL;
    *r = (struct result){.peer = o->no_peers ? -1 : 0, .difference = -1};
    for (unsigned round = 0; ok && round < o->rounds; round++) {
        weft[round] = measure_weft(o, run, w->work, &count);
        ok = weft[round] > 0;
        if (!ok || r->peer < 0)
            continue;
        struct peer_job job = {.workload = w->name, .program = o->peer, .driver = peer_driver};
        job.seconds = o->seconds;
        job.dump = round == 0 ? dump : NULL;
        r->peer = peer[round] = measure_peer(&job, r->note, sizeof r->note);
    }
    if (ok)
        r->weft = median(weft, o->rounds);
    if (ok && r->peer > 0) {
        r->peer = median(peer, o->rounds);
        r->difference = compare(w, weft_workload_result(run), dump);
    }
    weft_workload_free(run);
    return ok;
}

static void print_row(const struct workload *w, const struct result *r)
{
    printf("%-12s %-10s %9.2f", w->name, w->unit, r->weft);
    if (r->peer > 0)
        printf(" %9.2f %9.3f %6.1f %10.6f%s", r->peer, r->weft / r->peer, w->goal, r->difference,
               r->difference < 0 || r->difference > w->tolerance ? "  DIFFERENT" : "");
    printf("%s%s\n", r->note[0] ? "  " : "", r->note);
    fflush(stdout);
}

bool bench_workloads(const struct options *o)
{
    char dump[] = "/tmp/weft-bench-XXXXXX";
    bool ok = true, first = true;
    int fd = mkstemp(dump);
    if (fd < 0) {
        fprintf(stderr, "bench: no temporary file\n");
        return false;
    }
    close(fd);
    for (const struct workload *w = workloads; w->name; w++) {
        struct result r;
        if (!is_wanted(o, w->name))
            continue;
        if (first)
            printf(
                "\nMillions of units per CPU second, one thread, medians of %u\n\n%-12s %-10s %9s %9s %9s %6s %10s\n",
                o->rounds, "", "unit", "weft", peer_driver, "ratio", "goal", "RMSE");
        first = false;
        if (measure(o, w, dump, &r)) {
            print_row(w, &r);
        } else {
            printf("%-12s failed\n", w->name);
            ok = false;
        }
    }
    unlink(dump);
    return ok;
}
