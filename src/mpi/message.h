/* message.h - what ranks tell each other: items to do, and results. */
#ifndef WEFT_MPI_MESSAGE_H
#define WEFT_MPI_MESSAGE_H

#include "cli/list.h"

#include <mpi.h>

/* Rank 0 sends items until it says that there are no more; the others send results. Or it says that there is one piece
 * of work for all: then each gives all others what its parts made, until it says that it has left. */
enum message_tag { MESSAGE_ITEMS, MESSAGE_SHARE, MESSAGE_END, MESSAGE_RESULT, MESSAGE_PART, MESSAGE_LEFT };

/* Bytes on their way to a rank, in parts that MPI can count. They stay until they have arrived. */
struct message {
    struct result_text text;
    MPI_Request *request;
    int requests;
};

/* Send the text, which is the message's from now on. False without memory. */
bool message_send(struct message *m, int rank, enum message_tag tag, struct result_text *text);
/* Has it arrived? Then it is free again. */
bool message_sent(struct message *m);

/* Is there a message? From whom (*rank, and MPI_ANY_SOURCE at first: from anyone), and of what kind? */
bool message_waits(int *rank, enum message_tag *tag);
/* Receive it. False without memory. */
bool message_receive(int rank, enum message_tag tag, struct result_text *out);

/* Items as bytes, and back: the range points into them. */
bool message_pack_items(const struct list_range *range, struct result_text *out);
bool message_unpack_items(const struct result_text *bytes, struct list_range *out);

/* A rank that waits leaves its processor to others: longer each time. `*naps` is 0 at first. */
void message_nap(unsigned *naps);

#endif
