/* job_bits [--seconds S] [--files-from DIR] SCRIPT... - whether a job leaves the same bits however it is run: by both
 * engines, and by 1, 2 and 7 threads each.
 *
 * Compared are the status, the number of expectations that failed, and every byte of every buffer and image, all levels
 * and samples. A script that is refused has nothing to compare. Where there is one engine it runs alone. A line for
 * each difference; the exit status is 1 where there is one, and 2 where a run took longer than S seconds (120). */
#include "script/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 6, SECONDS = 120, SAME = 0, DIFFERENT = 1, SLOW = 2 };

static const struct {
    const char *name;
    weft_engine engine;
    uint32_t threads;
} ways[WAYS] = {
    {"interp, 1 thread", WEFT_ENGINE_INTERP, 1}, {"jit, 1 thread", WEFT_ENGINE_JIT, 1},
    {"interp, 2 threads", WEFT_ENGINE_INTERP, 2}, {"jit, 2 threads", WEFT_ENGINE_JIT, 2},
    {"interp, 7 threads", WEFT_ENGINE_INTERP, 7}, {"jit, 7 threads", WEFT_ENGINE_JIT, 7},
};

struct file {
    const char *name;
    char *text;
    size_t size;
};

static bool read_file(const char *path, struct file *f)
{
    FILE *in = fopen(path, "rb");
    *f = (struct file){.name = path};
    for (size_t cap = 0, n = 1; in && n > 0;) {
        if (f->size == cap && !(f->text = realloc(f->text, cap = cap * 2 + 65536)))
            break;
        n = fread(f->text + f->size, 1, cap - f->size, in);
        f->size += n;
    }
    if (in)
        fclose(in);
    else
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return in && f->text;
}

/* NULL: it is refused. */
static weft_job *run(const struct file *f, unsigned way, const char *files_from, double seconds, weft_status *status)
{
    weft_diags *diags = weft_diags_new();
    weft_job_params params;
    weft_job *job = NULL;
    weft_job_params_init(&params);
    params.engine = ways[way].engine;
    params.threads = ways[way].threads;
    params.files_from = files_from;
    params.seconds = seconds;
    *status = weft_job_new(f->name, f->text, f->size, diags, &job);
    if (*status == WEFT_OK)
        *status = weft_job_run(job, &params, diags);
    weft_diags_free(diags);
    return job;
}

static int compare(const char *name, const weft_job *a, const weft_job *b, const char *way)
{
    int result = SAME;
    for (uint32_t i = 0; i < a->script->nbuffers; i++) {
        const struct job_memory *x = &a->memories[i], *y = &b->memories[i];
        size_t at = 0;
        if (x->size == y->size)
            while (at < x->size && x->data[at] == y->data[at])
                at++;
        if (x->size == y->size && at == x->size)
            continue;
        printf("%s: '%s' differs at byte %zu of %zu: %s, %s\n", name, x->buffer->name, at, x->size, ways[0].name, way);
        result = DIFFERENT;
    }
    return result;
}

static int compare_ways(const struct file *f, const char *files_from, double seconds)
{
    weft_status status, other;
    int result = SAME;
    weft_job *first = run(f, 0, files_from, seconds, &status);
    for (unsigned way = 1; way < WAYS && result == SAME && status != WEFT_ERROR_UNSUPPORTED; way++) {
        if (ways[way].engine == WEFT_ENGINE_JIT && !weft_jit())
            continue;
        weft_job *job = run(f, way, files_from, seconds, &other);
        if (status == WEFT_ERROR_TIME || other == WEFT_ERROR_TIME) {
            printf("%s: more than %g seconds: %s\n", f->name, seconds, ways[way].name);
            result = SLOW;
        } else if (status != other || (first && weft_job_failures(first) != weft_job_failures(job))) {
            printf("%s: status %d, %zu failed: %s; status %d, %zu failed: %s\n", f->name, (int)status,
                   first ? weft_job_failures(first) : 0, ways[0].name, (int)other, job ? weft_job_failures(job) : 0,
                   ways[way].name);
            result = DIFFERENT;
        } else if (first && first->memories && job->memories) {
            result = compare(f->name, first, job, ways[way].name);
        }
        weft_job_free(job);
    }
    weft_job_free(first);
    return result;
}

int main(int argc, char **argv)
{
    const char *files_from = NULL;
    double seconds = SECONDS;
    int result = SAME, i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0)
            seconds = strtod(argv[i + 1], NULL);
        else
            files_from = argv[i + 1];
    }
    for (; i < argc; i++) {
        struct file f;
        int found = read_file(argv[i], &f) ? compare_ways(&f, files_from, seconds) : DIFFERENT;
        result = found > result ? found : result;
        free(f.text);
    }
    return result;
}
