/* jobs.c - how many instructions the lanes of a job run, for each instruction set that the job is written in.
 *
 * bench/jobs/NAME.ISA.amber is job NAME in instruction set ISA. */
#include "bench.h"
#include "statistics.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/job.h>

static const char folder[] = "bench/jobs/", first_isa[] = "tgsi";

/* Run a job once and add what it did. */
static bool run_once(const char *path, const struct cli_bytes *in, weft_job_stats *sum)
{
    weft_job_params params;
    weft_job *job = NULL;
    weft_diags *diags = weft_diags_new();
    weft_job_params_init(&params);
    params.engine = bench_engine();
    params.threads = 1;
    params.budget = 0;
    bool ok = weft_job_new(path, in->data, in->size, diags, &job) == WEFT_OK &&
              weft_job_run(job, &params, diags) == WEFT_OK && weft_job_failures(job) == 0;
    cli_report(diags);
    if (ok) {
        weft_job_stats one;
        weft_job_get_stats(job, &one);
        sum->instructions += one.instructions;
        sum->cpu_seconds += one.cpu_seconds;
    }
    weft_job_free(job);
    weft_diags_free(diags);
    return ok;
}

/* Millions of instructions of lanes, and jobs, per CPU second; negative when the job failed. */
struct rates {
    double instructions, jobs;
};

static struct rates measure(const struct options *o, const char *path)
{
    double rate[MAX_ROUNDS], jobs[MAX_ROUNDS];
    struct cli_bytes in;
    bool ok = cli_read(path, &in);
    if (!ok)
        return (struct rates){-1, -1};
    for (unsigned r = 0; ok && r < o->rounds; r++) {
        weft_job_stats sum = {0};
        unsigned n = 0;
        for (; ok && n < MAX_REPEAT && sum.cpu_seconds < o->seconds; n++)
            ok = run_once(path, &in, &sum);
        rate[r] = 1e-6 * (double)sum.instructions / sum.cpu_seconds;
        jobs[r] = n / sum.cpu_seconds;
    }
    free(in.data);
    return ok ? (struct rates){median(rate, o->rounds), median(jobs, o->rounds)} : (struct rates){-1, -1};
}

/* NAME and ISA of a path. */
static bool split(const char *path, char *name, char *isa, size_t size)
{
    const char *file = path + strlen(folder), *dot = strchr(file, '.'), *end = dot ? strchr(dot + 1, '.') : NULL;
    return end && snprintf(name, size, "%.*s", (int)(dot - file), file) < (int)size &&
           snprintf(isa, size, "%.*s", (int)(end - dot - 1), dot + 1) < (int)size;
}

static bool measure_row(const struct options *o, const char *path, const char *name, const char *isa)
{
    char base[SCENE_PATH];
    struct rates rate = measure(o, path), against = rate;
    if (strcmp(isa, first_isa) != 0 &&
        snprintf(base, sizeof base, "%s%s.%s.amber", folder, name, first_isa) < (int)sizeof base)
        against = measure(o, base);
    if (rate.jobs < 0)
        printf("%-12s %-10s    failed\n", name, isa);
    else if (against.jobs > 0)
        printf("%-12s %-10s %9.0f %9.3f %9.1f %9.3f\n", name, isa, rate.instructions,
               rate.instructions / against.instructions, rate.jobs, rate.jobs / against.jobs);
    else
        printf("%-12s %-10s %9.0f %9s %9.1f\n", name, isa, rate.instructions, "", rate.jobs);
    fflush(stdout);
    return rate.jobs > 0;
}

bool bench_jobs(const struct options *o)
{
    glob_t files;
    bool ok = true, first = true;
    if (glob("bench/jobs/*.amber", 0, NULL, &files) != 0)
        return true;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char name[64], isa[64];
        if (!split(files.gl_pathv[i], name, isa, sizeof name) || !is_wanted(o, name))
            continue;
        if (first)
            printf("\nMillions of instructions of lanes, and jobs, per CPU second, one thread, medians of %u; each "
                   "instruction set\nneeds another number of instructions for the same job\n\n%-12s %-10s %9s %9s "
                   "%9s %9s\n",
                   o->rounds, "", "", "Minsn/s", "/tgsi", "jobs/s", "/tgsi");
        first = false;
        ok = measure_row(o, files.gl_pathv[i], name, isa) && ok;
    }
    globfree(&files);
    return ok;
}
