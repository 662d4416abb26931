/* list.h - commands on lists: items that are done apart from each other, whose results come back in their order. */
#ifndef WEFT_CLI_LIST_H
#define WEFT_CLI_LIST_H

#include "cli/result.h"

struct weft_job_share;

/* The items: one text, cut by a separator that ends each of them (the last may be without). Item i is
 * text[begin[i], begin[i + 1]). */
struct list_items {
    char *text;
    uint32_t *begin; /* count + 1 */
    size_t count;
    bool files; /* items are names of files, ended by zeros; otherwise lines */
};

/* Items first to first + count - 1. */
struct list_range {
    size_t first, count;
    const char *text;
    size_t size;
};

/* What the options say about the list itself. A command's state begins with it. */
struct list_args {
    const char *resume; /* the journal; NULL: none */
    const char *list;   /* a file that names inputs; NULL: none */
    char **operands;
    int noperands;
};

/* How a command goes about its list. The functions get the command's state. */
struct list_kind {
    size_t size; /* of the state, which is zero before parse */
    /* Read the arguments; false: return *status. */
    bool (*parse)(void *state, int argc, char **argv, int *status);
    /* Is this a list? Otherwise `whole` does what is asked and returns the exit status. */
    bool (*is_list)(const void *state);
    int (*whole)(void *state);
    /* The items; returns an exit status, having said what is wrong. */
    int (*open)(void *state, struct list_items *items);
    /* Do some items. Several threads may do so at a time. */
    void (*run)(const void *state, const struct list_range *range, struct list_result *result);
    /* A result, in the order of the list: print it, add it to the total. */
    void (*take)(void *state, struct list_result *total, const struct list_result *part);
    /* When all are taken; returns the exit status. */
    int (*finish)(void *state, const struct list_result *total);
    /* For several processes, NULL: none of this kind. Take as many threads, where the arguments say nothing of them. */
    void (*use_threads)(void *state, uint32_t threads);
    /* Is what is asked one piece of work, of which each can do a part?
     * Then `shared` does so; those that do not lead write nothing. Returns the exit status. */
    bool (*is_shared)(const void *state);
    int (*shared)(void *state, struct weft_job_share *share, bool leads);
};

#define LIST_RESUME_OPTION                                                                                             \
    {LIST_RESUME, "resume", "JOURNAL", "keep what is done in a file; what it has already is not done again"}
#define LIST_FILES_OPTION {LIST_FILES, "list", "FILE", "the lines of FILE name inputs too (-: of standard input)"}
enum { LIST_RESUME = 900, LIST_FILES };

/* The command's items one after the other, or what it does without a list; an exit status. */
int list_command(const struct cli_command *command, int argc, char **argv);

/* A state for the command's arguments, NULL: return *status. free() it. */
void *list_parse(const struct cli_command *command, int argc, char **argv, int *status);

/* ---- for kinds ---- */

/* Take --resume or --list. False: it is another option. */
bool list_take(struct list_args *l, const struct cli_args *a, int key);
/* Items that are files: the operands and the lines of --list. */
int list_open_files(const struct list_args *l, struct list_items *items);
/* Items that are the lines of a text, which they own from now on. */
int list_open_lines(char *text, size_t size, struct list_items *items);
void list_items_free(struct list_items *items);
/* take: print both texts, and join the rest. */
void list_take_text(void *state, struct list_result *total, const struct list_result *part);

#endif
