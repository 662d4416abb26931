/* deal.h - a list dealt out to ranks, and what a rank does with its items. */
#ifndef WEFT_MPI_DEAL_H
#define WEFT_MPI_DEAL_H

#include "cli/collect.h"

/* Rank 0: deal the items of a collection to itself and to ranks 1 to ranks - 1 as they become free. Returns the exit
 * status; ends the collection. */
int deal_list(struct collect *c, int ranks);
/* Then, or when there is no list: the other ranks' work ends. */
void deal_end(int ranks);

/* Another rank: do items until there are no more. The arguments are read when the first come. `threads`:
 * struct list_kind.use_threads. */
void deal_take_part(const struct cli_command *command, int argc, char **argv, uint32_t threads);

#endif
