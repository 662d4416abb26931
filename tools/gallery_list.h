/* gallery_list.h - the lists of the gallery, as examples/tgsi/gallery.txt: a line `name | file | more | caption` for
 * each picture; '#' begins a comment. The file is a shader, and `more` are further options of weft draw, or a job. */
#ifndef TOOLS_GALLERY_LIST_H
#define TOOLS_GALLERY_LIST_H

#include "cli/scene.h"

struct gallery_entry {
    const char *name, *file, *caption;
    char *more;
};

/* A list that is read line by line. Its text is cut up in place, and entries point into it. */
struct gallery_list {
    const char *name; /* for messages */
    char *rest;
    size_t number; /* of the line */
    size_t bad;    /* lines that are not entries; a message said so */
};

/* The next entry; false at the end. */
bool gallery_next(struct gallery_list *l, struct gallery_entry *e);

/* What scene_load is told of the command. */
extern const struct cli_command gallery_command;

/* An entry with a shader as `weft draw` would be called; `more` is cut up. False: what is wrong has been said. */
bool gallery_scene(const struct gallery_entry *e, struct scene_args *args);

#endif
