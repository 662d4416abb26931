/* collect.c - see collect.h. */
#include "cli/collect.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES_TOGETHER = 1 << 20 /* of items */, GROWTH = 4 };

/* What is done at a time, in seconds. Of one process: so that progress and journal are fresh. Of several: so that the
 * one that deals is not busy with it. */
static const double SECONDS_ALONE = 0.1, SECONDS_TOGETHER = 0.03, SECONDS_PER_WORKER = 0.0002;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- results that wait ---- */

static bool waiting_add(struct waiting *w, const struct result_record *record)
{
    if (w->count == w->room) {
        size_t room = w->room ? w->room * 2 : 16;
        struct result_record *larger = realloc(w->record, room * sizeof *larger);
        if (!larger)
            return false;
        w->record = larger;
        w->room = room;
    }
    size_t at = w->count++;
    for (; at && w->record[at - 1].first > record->first; at--)
        w->record[at] = w->record[at - 1];
    w->record[at] = *record;
    return true;
}

/* The first that ends beyond an item; NULL: none does. */
static const struct result_record *waiting_from(const struct waiting *w, size_t item)
{
    size_t low = 0, high = w->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (w->record[middle].first + w->record[middle].count <= item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->count ? &w->record[low] : NULL;
}

/* Print what has its turn. */
static void take_all(struct collect *c)
{
    struct waiting *w = &c->waiting;
    size_t n = 0;
    for (; n < w->count && w->record[n].first == c->taken; n++) {
        struct list_result *r = &w->record[n].result;
        c->taken += w->record[n].count;
        if (!c->total.stopped) {
            if (r->out.size + r->err.size)
                progress_hide(&c->progress);
            c->kind->take(c->state, &c->total, r);
        }
        result_free(r);
    }
    w->count -= n;
    if (n)
        memmove(w->record, w->record + n, w->count * sizeof *w->record);
}

/* ---- dealing ---- */

static size_t together(const struct collect *c)
{
    const struct pace *p = &c->pace;
    size_t fair = (c->items.count - c->dealt) / (2 * (size_t)p->workers) + 1;
    size_t most = p->largest ? p->largest * GROWTH : 1;
    if (p->item > 0 && p->target / p->item < (double)most)
        most = (size_t)(p->target / p->item) + 1;
    return most < fair || p->workers == 1 ? most : fair;
}

static bool is_standard(const struct collect *c, size_t item)
{
    return c->items.files && strcmp(c->items.text + c->items.begin[item], "-") == 0;
}

static void set_range(const struct collect *c, size_t first, size_t count, struct list_range *range)
{
    const uint32_t *begin = c->items.begin;
    *range = (struct list_range){first, count, c->items.text + begin[first], begin[first + count] - begin[first]};
}

bool collect_next(struct collect *c, struct list_range *range)
{
    const struct result_record *known;
    if (c->dealt < c->taken)
        c->dealt = c->taken;
    while ((known = waiting_from(&c->waiting, c->dealt)) != NULL && known->first <= c->dealt)
        c->dealt = known->first + known->count;
    if (c->dealt >= c->items.count || c->total.stopped || c->failed)
        return false;
    size_t most = (known ? known->first : c->items.count) - c->dealt, count = together(c);
    count = count < most ? count : most;
    while (count > 1 && c->items.begin[c->dealt + count] - c->items.begin[c->dealt] > BYTES_TOGETHER)
        count /= 2;
    set_range(c, c->dealt, count, range);
    c->dealt += count;
    return true;
}

bool collect_next_standard(struct collect *c, size_t *from, struct list_range *range)
{
    for (; c->items.files && *from < c->items.count; ++*from)
        if (is_standard(c, *from)) {
            set_range(c, (*from)++, 1, range);
            return true;
        }
    return false;
}

void collect_run(const struct list_kind *kind, const void *state, const struct list_range *range,
                 struct list_result *result)
{
    double begun = now();
    kind->run(state, range, result);
    result->seconds = now() - begun;
}

/* ---- coming back ---- */

static void learn(struct pace *p, size_t count, double seconds)
{
    double item = seconds / (double)count;
    p->item = p->item > 0 ? 0.5 * (p->item + item) : item;
    p->largest = count > p->largest ? count : p->largest;
}

void collect_add(struct collect *c, size_t first, size_t count, struct list_result *result)
{
    struct result_record record = {first, count, *result};
    learn(&c->pace, count, result->seconds);
    if (c->journal && !result->stopped && !journal_append(c->journal, &record))
        c->failed = true;
    if (!waiting_add(&c->waiting, &record)) {
        cli_message("out of memory");
        c->failed = true;
        result_free(result);
        return;
    }
    c->done += count;
    take_all(c);
    progress_step(&c->progress, now(), c->done);
}

void collect_tick(struct collect *c)
{
    progress_step(&c->progress, now(), c->done);
}

/* ---- begin and end ---- */

/* What a journal has: results that need not be computed. */
static int read_journal(struct collect *c, const char *path, const struct cli_command *command, int argc, char **argv)
{
    struct result_record record;
    int status = journal_open(path, command, argc, argv, &c->items, &c->journal);
    if (status != STATUS_FINE)
        return status;
    while (journal_next(c->journal, &record)) {
        const struct result_record *known = waiting_from(&c->waiting, record.first);
        if (known && known->first < record.first + record.count)
            result_free(&record.result); /* a record that is there twice */
        else if (waiting_add(&c->waiting, &record))
            c->done += record.count;
        else
            return STATUS_INPUT;
    }
    if (c->done)
        cli_message("'%s' has %zu of %zu items", path, c->done, c->items.count);
    return STATUS_FINE;
}

/* Standard input is gone when a run is resumed. */
static int check_resumable(const struct collect *c, const struct cli_command *command, const struct list_args *args)
{
    for (size_t i = 0; i < c->items.count; i++)
        if (is_standard(c, i) || (c->items.files && !args->noperands && !args->list))
            return cli_wrong(command, "--resume does not go with standard input");
    return STATUS_FINE;
}

static void collect_free(struct collect *c)
{
    for (size_t i = 0; i < c->waiting.count; i++)
        result_free(&c->waiting.record[i].result);
    free(c->waiting.record);
    result_free(&c->total);
    list_items_free(&c->items);
    journal_close(c->journal);
    c->journal = NULL;
}

int collect_begin(struct collect *c, const struct cli_command *command, int argc, char **argv, void *state,
                  unsigned workers)
{
    const struct list_args *args = state;
    double target = SECONDS_PER_WORKER * workers;
    if (target < SECONDS_TOGETHER)
        target = SECONDS_TOGETHER;
    *c = (struct collect){.kind = command->list,
                          .state = state,
                          .pace = {.workers = workers, .target = workers == 1 ? SECONDS_ALONE : target}};
    int status = command->list->open(state, &c->items);
    if (status == STATUS_FINE && args->resume)
        status = check_resumable(c, command, args);
    if (status == STATUS_FINE && args->resume)
        status = read_journal(c, args->resume, command, argc, argv);
    if (status != STATUS_FINE) {
        collect_free(c);
        return status;
    }
    progress_begin(&c->progress, now(), c->items.count, c->done);
    take_all(c);
    return STATUS_FINE;
}

int collect_finish(struct collect *c)
{
    progress_hide(&c->progress);
    int status = c->failed ? STATUS_INPUT : c->kind->finish(c->state, &c->total);
    collect_free(c);
    return status;
}
