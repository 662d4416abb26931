/* share.c - see share.h. */
#include "mpi/share.h"
#include "mpi/message.h"

#include <inttypes.h>
#include <stdlib.h>

/* A rank's side of a job. */
struct side {
    int rank, ranks;
    struct message *message; /* on their way, by rank */
    bool *left;              /* by rank: it has said so */
};

typedef void take_fn(void *to, uint32_t process, const void *bytes, size_t size);

static bool send_to(struct side *s, int rank, const void *bytes, size_t size)
{
    struct result_text text = {0};
    if (!result_append(&text, bytes, size)) {
        free(text.data);
        return false;
    }
    return message_send(&s->message[rank], rank, MESSAGE_PART, &text);
}

/* What comes next from a rank: its part, or that it has left. */
static bool take_from(struct side *s, int rank, take_fn *take, void *to)
{
    struct result_text text;
    enum message_tag tag;
    if (s->left[rank])
        return false;
    for (unsigned naps = 0; !message_waits(&rank, &tag);)
        message_nap(&naps);
    if (tag == MESSAGE_LEFT) {
        MPI_Recv(NULL, 0, MPI_BYTE, rank, MESSAGE_LEFT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        s->left[rank] = true;
        return false;
    }
    if (!message_receive(rank, MESSAGE_PART, &text))
        return false;
    if (take)
        take(to, (uint32_t)rank, text.data, text.size);
    free(text.data);
    return true;
}

static void wait_for(struct side *s)
{
    for (int i = 0; i < s->ranks; i++)
        for (unsigned naps = 0; !message_sent(&s->message[i]);)
            message_nap(&naps);
}

static int exchange(void *context, const void *bytes, size_t size, take_fn *take, void *to)
{
    struct side *s = context;
    bool fine = true;
    for (int i = 0; i < s->ranks; i++)
        fine = (i == s->rank || send_to(s, i, bytes, size)) && fine;
    for (int i = 0; i < s->ranks && fine; i++)
        fine = (i == s->rank || take_from(s, i, take, to)) && fine;
    wait_for(s);
    return fine;
}

/* The others may still wait for a part of this one; and what they sent is received before MPI ends. */
static void leave(struct side *s)
{
    for (int i = 0; i < s->ranks; i++)
        if (i != s->rank)
            MPI_Send(NULL, 0, MPI_BYTE, i, MESSAGE_LEFT, MPI_COMM_WORLD);
    for (int i = 0; i < s->ranks; i++)
        while (i != s->rank && !s->left[i])
            take_from(s, i, NULL, NULL);
}

static int run(const struct list_kind *kind, void *state, weft_job_share *share)
{
    struct side s = {.rank = 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
    s.message = calloc((size_t)s.ranks, sizeof *s.message);
    s.left = calloc((size_t)s.ranks, sizeof *s.left);
    if (!s.message || !s.left) {
        cli_message("out of memory");
        MPI_Abort(MPI_COMM_WORLD, STATUS_INPUT);
    }
    *share = (weft_job_share){(uint32_t)s.rank, (uint32_t)s.ranks, exchange, &s, 0, 0};
    int status = kind->shared(state, share, s.rank == 0);
    leave(&s);
    free(s.message);
    free(s.left);
    return status;
}

int share_lead(const struct list_kind *kind, void *state, int ranks)
{
    weft_job_share share;
    for (int i = 1; i < ranks; i++)
        MPI_Send(NULL, 0, MPI_BYTE, i, MESSAGE_SHARE, MPI_COMM_WORLD);
    int status = run(kind, state, &share);
    if (!share.divided)
        fprintf(stderr, "weft-mpi: nothing in this job can be divided: one of %d ranks does it\n", ranks);
    else if (share.whole)
        fprintf(stderr, "weft-mpi: %" PRIu64 " of %" PRIu64 " draws and dispatches are not divided among %d ranks\n",
                share.whole, share.divided + share.whole, ranks);
    return status;
}

void share_take_part(const struct list_kind *kind, void *state)
{
    weft_job_share share;
    MPI_Recv(NULL, 0, MPI_BYTE, 0, MESSAGE_SHARE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    run(kind, state, &share);
}
