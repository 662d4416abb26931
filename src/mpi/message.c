/* message.c - see message.h. */
#include "mpi/message.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* MPI counts with ints. */
static const size_t PART = (size_t)1 << 30;

/* Its first part begins with the size of the whole. */
bool message_send(struct message *m, int rank, enum message_tag tag, struct result_text *text)
{
    struct result_text all = {0};
    uint64_t size = text->size;
    bool fine = result_append(&all, (const char *)&size, sizeof size) && result_append(&all, text->data, text->size);
    free(text->data);
    *text = (struct result_text){0};
    int parts = (int)((all.size + PART - 1) / PART);
    MPI_Request *request = fine ? malloc((size_t)parts * sizeof(MPI_Request)) : NULL;
    if (!request) {
        free(all.data);
        return false;
    }
    *m = (struct message){all, request, parts};
    for (int i = 0; i < parts; i++) {
        size_t at = (size_t)i * PART, left = all.size - at;
        MPI_Isend(all.data + at, (int)(left < PART ? left : PART), MPI_BYTE, rank, (int)tag, MPI_COMM_WORLD,
                  &request[i]);
    }
    return true;
}

bool message_sent(struct message *m)
{
    int done = 1;
    if (!m->requests)
        return true;
    MPI_Testall(m->requests, m->request, &done, MPI_STATUSES_IGNORE);
    if (!done)
        return false;
    free(m->request);
    free(m->text.data);
    *m = (struct message){0};
    return true;
}

bool message_waits(int *rank, enum message_tag *tag)
{
    MPI_Status status;
    int there = 0;
    MPI_Iprobe(*rank, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    *rank = status.MPI_SOURCE;
    *tag = (enum message_tag)status.MPI_TAG;
    return true;
}

/* Without spinning, which would take the processor from the rank that sends. */
static void receive(void *data, int count, int rank, enum message_tag tag)
{
    MPI_Request request;
    unsigned naps = 0;
    int done = 0;
    MPI_Irecv(data, count, MPI_BYTE, rank, (int)tag, MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        message_nap(&naps);
    }
}

/* Messages of one rank and tag arrive in the order in which they were sent. */
bool message_receive(int rank, enum message_tag tag, struct result_text *out)
{
    MPI_Status status;
    uint64_t size;
    int count;
    *out = (struct result_text){0};
    MPI_Probe(rank, (int)tag, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    char *first = malloc((size_t)count + 1);
    if (!first)
        return false;
    receive(first, count, rank, tag);
    memcpy(&size, first, sizeof size);
    *out = (struct result_text){first, (size_t)count - sizeof size};
    if (size > out->size) {
        char *whole = realloc(first, size + sizeof size + 1);
        if (!whole)
            return false;
        out->data = whole;
        for (size_t at = (size_t)count; at < size + sizeof size; at += (size_t)count) {
            size_t left = size + sizeof size - at;
            count = (int)(left < PART ? left : PART);
            receive(whole + at, count, rank, tag);
        }
        out->size = size;
    }
    memmove(out->data, out->data + sizeof size, out->size);
    return true;
}

bool message_pack_items(const struct list_range *range, struct result_text *out)
{
    uint64_t head[2] = {range->first, range->count};
    return result_append(out, (const char *)head, sizeof head) && result_append(out, range->text, range->size);
}

bool message_unpack_items(const struct result_text *bytes, struct list_range *out)
{
    uint64_t head[2];
    if (bytes->size < sizeof head)
        return false;
    memcpy(head, bytes->data, sizeof head);
    *out = (struct list_range){head[0], head[1], bytes->data + sizeof head, bytes->size - sizeof head};
    return true;
}

void message_nap(unsigned *naps)
{
    long microseconds = 5L << (*naps / 8 < 6 ? *naps / 8 : 6); /* 5 to 320 */
    struct timespec t = {0, microseconds * 1000};
    ++*naps;
    nanosleep(&t, NULL);
}
