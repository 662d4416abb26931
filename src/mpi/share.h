/* share.h - one job that all ranks do together (weft_job_share). */
#ifndef WEFT_MPI_SHARE_H
#define WEFT_MPI_SHARE_H

#include "cli/list.h"

#include <weft/job.h>

/* Rank 0: let the others begin, do a part, and say where nothing could be divided. Returns the exit status. */
int share_lead(const struct list_kind *kind, void *state, int ranks);
/* Another rank, when it has received MESSAGE_SHARE. */
void share_take_part(const struct list_kind *kind, void *state);

#endif
