/* deal.c - see deal.h. */
#include "mpi/deal.h"
#include "mpi/message.h"
#include "mpi/share.h"
#include "mpi/worker.h"

#include <stdlib.h>

/* A rank has more items than those it works on, so that it need not wait for the next, unless they take long: then
 * another rank may be free before it is. */
enum { HELD = 2 };
static const double LONG = 0.1; /* seconds */

/* What rank 0 knows of another rank. */
struct peer {
    unsigned held; /* messages with items that it has not answered */
    struct message message[HELD];
};

struct deal {
    struct collect *collect;
    struct worker worker;
    struct peer *peer; /* peer[0] is not used */
    int ranks;
    unsigned waiting; /* messages that no rank has answered */
    bool failed;
};

/* ---- rank 0 ---- */

static void give(struct deal *d, int rank, struct message *m)
{
    struct list_range range;
    struct result_text text = {0};
    if (!collect_next(d->collect, &range))
        return;
    if (!message_pack_items(&range, &text) || !message_send(m, rank, MESSAGE_ITEMS, &text)) {
        free(text.data);
        d->failed = true;
        return;
    }
    d->peer[rank].held++;
    d->waiting++;
}

/* Give a rank messages until it holds so many. */
static void fill(struct deal *d, int rank, unsigned most)
{
    struct peer *p = &d->peer[rank];
    for (int k = 0; k < HELD && p->held < most; k++)
        if (message_sent(&p->message[k]))
            give(d, rank, &p->message[k]);
}

static void fill_worker(struct deal *d)
{
    struct list_range range;
    if (worker_is_idle(&d->worker) && collect_next(d->collect, &range))
        worker_give(&d->worker, &range);
}

static void take_result(struct deal *d, int rank)
{
    struct result_text text;
    struct result_record record = {0};
    bool fine = message_receive(rank, MESSAGE_RESULT, &text) && result_unpack(text.data, text.size, &record);
    free(text.data);
    d->peer[rank].held--;
    d->waiting--;
    if (fine)
        collect_add(d->collect, record.first, record.count, &record.result);
    else
        d->failed = true;
    fill(d, rank, d->collect->pace.item < LONG ? HELD : 1);
}

/* What has come back. False: nothing has. */
static bool take_one(struct deal *d)
{
    struct list_range range;
    struct list_result result;
    enum message_tag tag;
    int rank = MPI_ANY_SOURCE;
    if (message_waits(&rank, &tag)) {
        take_result(d, rank);
        return true;
    }
    if (!worker_take(&d->worker, &range, &result))
        return false;
    collect_add(d->collect, range.first, range.count, &result);
    fill_worker(d);
    return true;
}

/* Standard input is here alone. */
static void do_standard(struct collect *c)
{
    struct list_range range;
    for (size_t item = 0; collect_next_standard(c, &item, &range);) {
        struct list_result result;
        collect_run(c->kind, c->state, &range, &result);
        collect_add(c, range.first, range.count, &result);
    }
}

/* First one message for each rank, then a second: so a short list is spread. */
static void deal_all(struct deal *d)
{
    unsigned naps = 0;
    fill_worker(d);
    for (unsigned held = 1; held <= HELD; held++)
        for (int i = 1; i < d->ranks; i++)
            fill(d, i, held);
    while (!d->failed && (d->waiting || !worker_is_idle(&d->worker))) {
        if (take_one(d)) {
            naps = 0;
            continue;
        }
        collect_tick(d->collect);
        message_nap(&naps);
    }
}

void deal_end(int ranks)
{
    for (int i = 1; i < ranks; i++)
        MPI_Send(NULL, 0, MPI_BYTE, i, MESSAGE_END, MPI_COMM_WORLD);
}

int deal_list(struct collect *c, int ranks)
{
    struct deal d = {.collect = c, .ranks = ranks, .peer = calloc((size_t)ranks, sizeof(struct peer))};
    bool fine = d.peer && worker_begin(&d.worker, c->kind, c->state);
    if (fine) {
        do_standard(c);
        deal_all(&d);
    }
    if (!fine || d.failed) {
        cli_message("out of memory");
        MPI_Abort(MPI_COMM_WORLD, STATUS_INPUT);
    }
    worker_end(&d.worker);
    free(d.peer);
    return collect_finish(c);
}

/* ---- the others ---- */

/* The state that the options make, when there is something to do. */
static void *parse(const struct cli_command *command, int argc, char **argv, uint32_t threads)
{
    int status;
    void *state = list_parse(command, argc, argv, &status);
    if (!state)
        MPI_Abort(MPI_COMM_WORLD, status);
    else if (command->list->use_threads)
        command->list->use_threads(state, threads);
    return state;
}

static bool do_items(const struct list_kind *kind, const void *state)
{
    struct result_text items, answer = {0};
    struct result_record record = {0};
    struct list_range range;
    struct message m = {0};
    bool fine = message_receive(0, MESSAGE_ITEMS, &items) && message_unpack_items(&items, &range);
    if (fine) {
        record.first = range.first;
        record.count = range.count;
        collect_run(kind, state, &range, &record.result);
        fine = result_pack(&record, &answer) && message_send(&m, 0, MESSAGE_RESULT, &answer);
    }
    for (unsigned naps = 0; fine && !message_sent(&m);)
        message_nap(&naps);
    result_free(&record.result);
    free(items.data);
    return fine;
}

void deal_take_part(const struct cli_command *command, int argc, char **argv, uint32_t threads)
{
    void *state = NULL;
    enum message_tag tag;
    int rank = 0; /* the others may have begun what it is about to say */
    for (unsigned naps = 0;;) {
        if (!message_waits(&rank, &tag)) {
            message_nap(&naps);
            continue;
        }
        if (tag == MESSAGE_END)
            break;
        state = state ? state : parse(command, argc, argv, threads);
        if (tag == MESSAGE_SHARE) {
            share_take_part(command->list, state);
        } else if (!do_items(command->list, state)) {
            cli_message("out of memory");
            MPI_Abort(MPI_COMM_WORLD, STATUS_INPUT);
        }
        naps = 0;
    }
    MPI_Recv(NULL, 0, MPI_BYTE, 0, MESSAGE_END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(state);
}
