/* journal.h - what is finished of a list, on disk. */
#ifndef WEFT_CLI_JOURNAL_H
#define WEFT_CLI_JOURNAL_H

#include "cli/list.h"

struct journal;

/* Open it, or begin one where there is none. A journal of another list is refused, saying what differs; returns an exit
 * status. */
int journal_open(const char *path, const struct cli_command *command, int argc, char **argv,
                 const struct list_items *items, struct journal **out);

/* The next record; false when there are no more. A record that was cut short ends the journal: the next is written in
 * its place. */
bool journal_next(struct journal *j, struct result_record *out);

/* Add a record, after all were read. What a second ago was added survives the machine. False, having said so, when that
 * fails. */
bool journal_append(struct journal *j, const struct result_record *record);

void journal_close(struct journal *j); /* NULL is fine */

#endif
