/* list.c - see list.h. */
#include "cli/list.h"
#include "cli/collect.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool list_take(struct list_args *l, const struct cli_args *a, int key)
{
    if (key == LIST_RESUME)
        l->resume = a->value;
    else if (key == LIST_FILES)
        l->list = a->value;
    else
        return false;
    return true;
}

/* ---- items ---- */

/* Where the items of a text begin, each of which ends with `end`. */
static int find_items(struct list_items *items, size_t size, char end)
{
    size_t count = 0, at = 0;
    const char *stop;
    while (at < size && (stop = memchr(items->text + at, end, size - at)) != NULL) {
        at = (size_t)(stop - items->text) + 1;
        count++;
    }
    count += at < size;
    items->begin = malloc((count + 1) * sizeof *items->begin);
    if (!items->begin) {
        cli_message("out of memory");
        return STATUS_INPUT;
    }
    at = 0;
    for (items->count = 0; items->count < count; items->count++) {
        items->begin[items->count] = (uint32_t)at;
        stop = memchr(items->text + at, end, size - at);
        at = stop ? (size_t)(stop - items->text) + 1 : size;
    }
    items->begin[count] = (uint32_t)at;
    return STATUS_FINE;
}

int list_open_lines(char *text, size_t size, struct list_items *items)
{
    *items = (struct list_items){.text = text};
    return find_items(items, size, '\n');
}

/* The names in what --list is; lines that are empty name nothing, and may end as those of DOS. */
static bool add_names(const struct cli_bytes *in, struct result_text *names)
{
    bool fine = true;
    for (size_t at = 0, end; at < in->size && fine; at = end + 1) {
        end = at + strcspn(in->data + at, "\n");
        size_t length = end - at - (end > at && in->data[end - 1] == '\r');
        if (length)
            fine = result_append(names, in->data + at, length) && result_append(names, "", 1);
    }
    return fine;
}

int list_open_files(const struct list_args *l, struct list_items *items)
{
    struct result_text names = {0};
    struct cli_bytes in = {0};
    bool fine = true;
    if (l->list && !cli_read(l->list, &in))
        return STATUS_INPUT;
    for (int i = 0; i < l->noperands && fine; i++)
        fine = result_append(&names, l->operands[i], strlen(l->operands[i]) + 1);
    fine = fine && add_names(&in, &names);
    free(in.data);
    if (fine && names.size <= UINT32_MAX) {
        *items = (struct list_items){.text = names.data, .files = true};
        return find_items(items, names.size, 0);
    }
    free(names.data);
    cli_message(fine ? "the list is too long" : "out of memory");
    return STATUS_INPUT;
}

void list_items_free(struct list_items *items)
{
    free(items->text);
    free(items->begin);
    *items = (struct list_items){0};
}

/* ---- results ---- */

void list_take_text(void *state, struct list_result *total, const struct list_result *part)
{
    (void)state;
    result_write(&part->out, stdout);
    result_write(&part->err, stderr);
    if (!result_join(total, part))
        cli_kept(NULL);
}

/* ---- one after the other ---- */

void *list_parse(const struct cli_command *command, int argc, char **argv, int *status)
{
    void *state = calloc(1, command->list->size);
    if (!state) {
        cli_message("out of memory");
        *status = STATUS_INPUT;
    } else if (!command->list->parse(state, argc, argv, status)) {
        free(state);
        state = NULL;
    }
    return state;
}

/* A thread that keeps the progress fresh while an item takes long. */
struct ticker {
    struct collect *collect;
    pthread_t thread;
    pthread_mutex_t lock; /* of the collection */
    pthread_cond_t ends;
    bool runs, ended;
};

static void *tick(void *argument)
{
    struct ticker *t = argument;
    pthread_mutex_lock(&t->lock);
    while (!t->ended) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&t->ends, &t->lock, &until);
        if (!t->ended)
            collect_tick(t->collect);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* Of one item there is no progress. */
static void ticker_begin(struct ticker *t, struct collect *c)
{
    *t = (struct ticker){.collect = c};
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->ends, NULL);
    t->runs = c->items.count > 1 && pthread_create(&t->thread, NULL, tick, t) == 0;
}

static void ticker_end(struct ticker *t)
{
    pthread_mutex_lock(&t->lock);
    t->ended = true;
    pthread_cond_signal(&t->ends);
    pthread_mutex_unlock(&t->lock);
    if (t->runs)
        pthread_join(t->thread, NULL);
    pthread_cond_destroy(&t->ends);
    pthread_mutex_destroy(&t->lock);
}

static int run_list(struct collect *c)
{
    struct list_range range;
    struct ticker ticker;
    ticker_begin(&ticker, c);
    while (collect_next(c, &range)) {
        struct list_result result;
        collect_run(c->kind, c->state, &range, &result);
        pthread_mutex_lock(&ticker.lock);
        collect_add(c, range.first, range.count, &result);
        pthread_mutex_unlock(&ticker.lock);
    }
    ticker_end(&ticker);
    return collect_finish(c);
}

int list_command(const struct cli_command *command, int argc, char **argv)
{
    const struct list_kind *kind = command->list;
    struct collect c;
    int status;
    void *state = list_parse(command, argc, argv, &status);
    if (!state)
        return status;
    if (!kind->is_list(state))
        status = kind->whole(state);
    else if ((status = collect_begin(&c, command, argc, argv, state, 1)) == STATUS_FINE)
        status = run_list(&c);
    free(state);
    return status;
}
