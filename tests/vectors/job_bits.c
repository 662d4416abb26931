/* job_bits [--seconds S] [--files-from DIR] [--tap all|third] SCRIPT... - whether a job leaves the same bits
 * however it is run: by both engines, and by 1, 2 and 7 threads each.
 *
 * Compared are the status, the number of expectations that failed, the diagnostics, and every byte of every buffer and
 * image, all levels and samples. Where there is one engine it runs alone. A line for each difference; the exit status
 * is 1 where there is one, and 2 where a run took longer than S seconds (120).
 *
 * With --tap each script is a case. To compile them takes four times as long as all else: with --tap third the JIT runs
 * one in three, and of those, or of all, one in N with WEFT_TEST_SHARE=N. Each run has others; WEFT_TEST_ALL: all. */
#include "script/run.h"

#include "../turn.h"

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

/* What a run came to. */
struct ran {
    weft_job *job; /* NULL: the script is refused before it runs */
    weft_status status;
    weft_diags *diags;
};

static struct ran run(const struct file *f, unsigned way, const char *files_from, double seconds)
{
    struct ran r = {.diags = weft_diags_new()};
    weft_job_params params;
    weft_job_params_init(&params);
    params.engine = ways[way].engine;
    params.threads = ways[way].threads;
    params.files_from = files_from;
    params.seconds = seconds;
    r.status = weft_job_new(f->name, f->text, f->size, r.diags, &r.job);
    if (r.status == WEFT_OK)
        r.status = weft_job_run(r.job, &params, r.diags);
    return r;
}

static void free_ran(struct ran *r)
{
    weft_job_free(r->job);
    weft_diags_free(r->diags);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static int compare_diags(const char *name, const weft_diags *a, const weft_diags *b, const char *way)
{
    size_t count = weft_diags_count(a);
    for (size_t i = 0; i < count && i < weft_diags_count(b); i++) {
        const weft_diag *x = weft_diags_get(a, i), *y = weft_diags_get(b, i);
        if (x->severity == y->severity && x->line == y->line && x->column == y->column && same_text(x->code, y->code) &&
            same_text(x->message, y->message))
            continue;
        printf("%s: line %u, '%s': %s; line %u, '%s': %s\n", name, x->line, x->message, ways[0].name, y->line,
               y->message, way);
        return DIFFERENT;
    }
    if (count == weft_diags_count(b))
        return SAME;
    printf("%s: %zu diagnostics: %s; %zu: %s\n", name, count, ways[0].name, weft_diags_count(b), way);
    return DIFFERENT;
}

static int compare(const char *name, const weft_job *a, const weft_job *b, const char *way)
{
    int result = SAME;
    for (uint32_t i = 0; i < a->script->nbuffers; i++) {
        const struct job_memory *x = &a->memories[i], *y = &b->memories[i];
        size_t at = 0;
        if (x->size == y->size && (x->size == 0 || memcmp(x->data, y->data, x->size) == 0))
            continue;
        if (x->size == y->size)
            while (x->data[at] == y->data[at])
                at++;
        printf("%s: '%s' differs at byte %zu of %zu: %s, %s\n", name, x->buffer->name, at, x->size, ways[0].name, way);
        result = DIFFERENT;
    }
    return result;
}

static size_t failures(const struct ran *r)
{
    return r->job ? weft_job_failures(r->job) : 0;
}

static int compare_runs(const char *name, const struct ran *a, const struct ran *b, double seconds, const char *way)
{
    if (a->status == WEFT_ERROR_TIME || b->status == WEFT_ERROR_TIME) {
        printf("%s: more than %g seconds: %s\n", name, seconds, way);
        return SLOW;
    }
    if (a->status != b->status || failures(a) != failures(b)) {
        printf("%s: status %d, %zu failed: %s; status %d, %zu failed: %s\n", name, (int)a->status, failures(a),
               ways[0].name, (int)b->status, failures(b), way);
        return DIFFERENT;
    }
    int result = compare_diags(name, a->diags, b->diags, way);
    /* Without commands nothing is written, and to look at gigabytes takes long. */
    if (result == SAME && a->job && a->job->memories && b->job->memories && a->job->script->ncommands)
        result = compare(name, a->job, b->job, way);
    return result;
}

static int compare_ways(const struct file *f, const char *files_from, double seconds, bool jit)
{
    struct ran first = run(f, 0, files_from, seconds);
    int result = SAME;
    for (unsigned way = 1; way < WAYS && result == SAME; way++) {
        if (ways[way].engine == WEFT_ENGINE_JIT && !jit)
            continue;
        struct ran other = run(f, way, files_from, seconds);
        result = compare_runs(f->name, &first, &other, seconds, ways[way].name);
        free_ran(&other);
    }
    free_ran(&first);
    return result;
}

/* Is there a JIT? If one is named that is none, the engines would seem to give the same. */
static bool has_jit(void)
{
    bool found = weft_jit() != NULL;
    if (!found && getenv("WEFT_JIT_MODULE")) {
        puts("Bail out! WEFT_JIT_MODULE cannot be loaded");
        exit(DIFFERENT);
    }
    return found;
}

int main(int argc, char **argv)
{
    const char *files_from = NULL;
    const char *tap = NULL;
    double seconds = SECONDS;
    unsigned share = 1, turn = 0; /* one in `share` is run by the JIT */
    int result = SAME, i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0)
            seconds = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--tap") == 0)
            tap = argv[i + 1];
        else
            files_from = argv[i + 1];
    }
    const bool jit = has_jit();
    if (tap && !getenv("WEFT_TEST_ALL"))
        share = test_share() * (strcmp(tap, "third") == 0 ? 3 : 1);
    if (share > 1)
        turn = test_turn();
    if (tap)
        printf("1..%d\n", argc - i);
    for (; i < argc; i++, turn++) {
        struct file f;
        int found = DIFFERENT;
        if (read_file(argv[i], &f))
            found = compare_ways(&f, files_from, seconds, jit && turn % share == 0);
        result = found > result ? found : result;
        free(f.text);
        if (tap)
            printf("%s - %s\n", found == SAME ? "ok" : "not ok", argv[i]);
    }
    return tap ? 0 : result;
}
