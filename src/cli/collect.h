/* collect.h - a list on its way: which items are next, and what has come back. */
#ifndef WEFT_CLI_COLLECT_H
#define WEFT_CLI_COLLECT_H

#include "cli/journal.h"
#include "cli/list.h"
#include "cli/progress.h"

/* How many items go together: as many as take a while, so that dealing costs little. */
struct pace {
    unsigned workers;
    double target; /* seconds */
    double item;   /* seconds an item took lately; 0: none has */
    size_t largest;
};

/* Results whose turn has not come, by their first item. */
struct waiting {
    struct result_record *record;
    size_t count, room;
};

struct collect {
    const struct list_kind *kind;
    void *state;
    struct list_items items;
    struct list_result total;
    struct waiting waiting;
    struct pace pace;
    size_t dealt; /* all before it are done or being done */
    size_t taken; /* all before it are printed */
    size_t done;
    bool failed; /* memory ran out, or the journal could not be written */
    struct journal *journal;
    struct progress progress;
};

/* Open the items and the journal. Returns an exit status, having said what is wrong: then there is nothing to end. */
int collect_begin(struct collect *c, const struct cli_command *command, int argc, char **argv, void *state,
                  unsigned workers);

/* Items to be done now; false when there are none. */
bool collect_next(struct collect *c, struct list_range *range);
/* The next item that is standard input, which this process alone can read. */
bool collect_next_standard(struct collect *c, size_t *from, struct list_range *range);

/* Do them; from any thread. */
void collect_run(const struct list_kind *kind, const void *state, const struct list_range *range,
                 struct list_result *result);

/* What items gave, which is the collection's from now on. */
void collect_add(struct collect *c, size_t first, size_t count, struct list_result *result);

/* While nothing comes back: the progress that is shown is up to date. */
void collect_tick(struct collect *c);

/* The exit status; ends the collection. */
int collect_finish(struct collect *c);

#endif
