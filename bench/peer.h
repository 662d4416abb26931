/* peer.h - another implementation, measured by a gl_peer process. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "scenes.h"

#include <stdbool.h>
#include <stdint.h>

/* A picture of the gallery or a workload. */
struct peer_job {
    const struct example *example;
    const char *workload; /* name; NULL: the picture */
    const char *program; /* path of gl_peer */
    const char *driver;  /* "softpipe" or "llvmpipe" */
    unsigned width, height;
    bool is_float;
    uint64_t fragments; /* of a picture */
    double seconds;   /* least CPU time to measure */
    const char *dump; /* file for the picture, or NULL */
};

/* Millions of fragments, or of the workload's units, per CPU second; or a negative number when there is no such peer
 * here: then `why` (size bytes) says in one line what is missing. Else it is what the peer does not do as it was asked,
 * or empty. */
double measure_peer(const struct peer_job *job, char *why, size_t size);

#endif
