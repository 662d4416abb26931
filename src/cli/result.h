/* result.h - what some neighbouring items of a list gave: results of neighbours join. */
#ifndef WEFT_CLI_RESULT_H
#define WEFT_CLI_RESULT_H

#include "cli/cli.h"

#include <stdio.h>

struct result_text {
    char *data;
    size_t size;
};

enum { RESULT_COUNTS = 3 };

struct list_result {
    int status;   /* the worst item's */
    bool stopped; /* nothing after these items is to be done */
    uint64_t counts[RESULT_COUNTS];
    double seconds;               /* what the items took */
    struct result_text out, err;  /* for standard output and standard error */
    struct result_text data;      /* what the command puts together at the end */
};

/* The worse of two exit statuses: what is wrong with an item comes before what merely failed. */
int result_worse(int a, int b);

/* Status, counts and data of `part` after those of `total`; false without memory. */
bool result_join(struct list_result *total, const struct list_result *part);
bool result_append(struct result_text *text, const char *data, size_t size);
/* To a stream; nothing where there is no text. */
void result_write(const struct result_text *text, FILE *out);
void result_free(struct list_result *r);

/* Three streams that fill the texts of a result. False without memory. */
struct result_streams {
    FILE *out, *err, *data;
};
bool result_open(struct list_result *r, struct result_streams *s);
/* False when memory ran out: the result then is `stopped` and empty. */
bool result_close(struct list_result *r, struct result_streams *s);

/* A result of items as bytes of this machine's order, and back. */
struct result_record {
    uint64_t first, count;
    struct list_result result;
};
bool result_pack(const struct result_record *record, struct result_text *out);
/* False: these bytes are not a record. */
bool result_unpack(const char *bytes, size_t size, struct result_record *out);

#endif
