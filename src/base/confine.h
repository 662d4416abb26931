/* confine.h - a thread gives up its rights: files other than those that it names (Landlock), the network, other
 * processes, new programs (seccomp). Threads that it makes later have as few; nothing gives them back. */
#ifndef WEFT_BASE_CONFINE_H
#define WEFT_BASE_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

enum { CONFINE_MOST = 256 };

/* Paths that stay: files, or folders with all that is below them. Those that do not exist are passed over. */
struct confine {
    const char *read[CONFINE_MOST];
    const char *write[CONFINE_MOST]; /* folders, in which files may be made, written, renamed and removed, not read */
    size_t nread, nwrite;
};

/* More than CONFINE_MOST are left out, which then are not there to be opened. */
void confine_read(struct confine *c, const char *path);
void confine_write(struct confine *c, const char *path);

/* False, with the reason: this system or processor has no such means. Some rights may be gone then. */
bool confine_thread(const struct confine *c, const char **why);

#endif
