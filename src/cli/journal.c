/* journal.c - see journal.h. A journal is a head, which says of what list it is, and records. Each part is a tag, a
 * size, a hash of the contents, and the contents. */
#include "cli/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char HEAD[8] = "weftlist", RECORD[8] = "weftitem";

/* Options that change neither results nor messages. */
static const char *const no_difference[] = {"resume", "list", "output", "threads", "cpu", "engine"};

struct part {
    char tag[8];
    uint64_t size, hash;
};

struct journal {
    const char *path;
    int fd;
    size_t items;
    off_t end;     /* of the parts that are good */
    time_t synced; /* when it last was on disk */
};

/* ---- hashes ---- */

static uint64_t hash_more(uint64_t hash, const void *data, size_t size)
{
    const char *p = data;
    for (; size >= 8; p += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    uint64_t rest = size; /* what is left, and how much it is */
    for (; size; size--)
        rest = rest << 8 | (unsigned char)*p++;
    hash = (hash ^ rest) * 0xbf58476d1ce4e5b9u;
    return hash ^ hash >> 32;
}

/* An item: its line, or the file's name, size and time. */
static uint64_t hash_item(const struct list_items *items, size_t i)
{
    const char *text = items->text + items->begin[i];
    uint64_t hash = hash_more(0, text, items->begin[i + 1] - items->begin[i]);
    uint32_t program;
    struct stat st;
    if (!items->files)
        return hash;
    size_t length = cli_path_length(text, &program);
    char *file = program ? strndup(text, length) : NULL;
    if (stat(file ? file : text, &st) == 0) {
        uint64_t state[] = {(uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec};
        hash = hash_more(hash, state, sizeof state);
    }
    free(file);
    return hash;
}

/* ---- the head: version, command and options, each ended by a zero; how many items; their hashes ---- */

static bool makes_difference(const char *name)
{
    for (size_t i = 0; i < sizeof no_difference / sizeof no_difference[0]; i++)
        if (strcmp(name, no_difference[i]) == 0)
            return false;
    return true;
}

/* The options again, in the order given, by their long names. */
static bool put_options(const struct cli_command *command, int argc, char **argv, struct result_text *out)
{
    struct cli_args a = {.command = command, .argc = argc, .argv = argv};
    bool fine = true;
    optind = 0;
    for (int key; fine && (key = cli_next(&a)) != OPTION_END && key != OPTION_STOP;) {
        const struct cli_option *o = command->options;
        while (o->key && o->key != key)
            o++;
        if (!o->key || !makes_difference(o->name))
            continue;
        fine = result_append(out, " --", 3) && result_append(out, o->name, strlen(o->name));
        if (fine && o->arg)
            fine = result_append(out, " ", 1) && result_append(out, a.value, strlen(a.value));
    }
    return fine && result_append(out, "", 1);
}

static bool make_head(const struct cli_command *command, int argc, char **argv, const struct list_items *items,
                      struct result_text *out)
{
    uint64_t count = items->count;
    bool fine = result_append(out, weft_version(), strlen(weft_version()) + 1) &&
                result_append(out, command->name, strlen(command->name) + 1) &&
                put_options(command, argc, argv, out) && result_append(out, (const char *)&count, sizeof count);
    for (size_t i = 0; i < items->count && fine; i++) {
        uint64_t hash = hash_item(items, i);
        fine = result_append(out, (const char *)&hash, sizeof hash);
    }
    return fine;
}

/* The text at *at of a head; moves on to the next. */
static const char *head_text(const struct result_text *head, size_t *at)
{
    const char *text = head->data + *at;
    *at += strnlen(text, head->size - *at) + 1;
    return *at <= head->size ? text : "";
}

/* Say what differs: `was` is of the journal, `is` of this list. */
static int refuse(const struct cli_command *command, const char *path, const struct result_text *was,
                  const struct result_text *is, const struct list_items *items)
{
    static const char *const names[] = {"version of weft", "command", "options"};
    size_t a = 0, b = 0;
    uint64_t had = 0, have = items->count, old, new;
    for (int i = 0; i < 3; i++) {
        const char *x = head_text(was, &a), *y = head_text(is, &b);
        if (strcmp(x, y) != 0)
            return cli_wrong(command, "the journal '%s' is of another list: its %s: '%s', not '%s'", path, names[i],
                             *x == ' ' ? x + 1 : x, *y == ' ' ? y + 1 : y);
    }
    if (was->size >= a + sizeof had)
        memcpy(&had, was->data + a, sizeof had);
    if (had != have || was->size != is->size)
        return cli_wrong(command, "the journal '%s' is of another list: it has %llu items, not %llu", path,
                         (unsigned long long)had, (unsigned long long)have);
    for (size_t i = 0; i < items->count; i++) {
        memcpy(&old, was->data + a + 8 * (i + 1), 8);
        memcpy(&new, is->data + b + 8 * (i + 1), 8);
        const char *text = items->text + items->begin[i];
        if (old != new && items->files)
            return cli_wrong(command, "the journal '%s' is of another list: item %zu, '%s', is another or has changed",
                             path, i + 1, text);
        if (old != new)
            return cli_wrong(command, "the journal '%s' is of another list: line %zu is another", path, i + 1);
    }
    return cli_wrong(command, "the journal '%s' is of another list", path);
}

/* ---- parts ---- */

static bool read_fully(int fd, void *data, size_t size)
{
    for (char *p = data; size;) {
        ssize_t n = read(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

/* The part at the end of the good ones. False: it is not whole. */
static bool read_part(struct journal *j, const char *tag, struct result_text *out)
{
    struct part part;
    struct stat st;
    *out = (struct result_text){0};
    if (fstat(j->fd, &st) != 0 || lseek(j->fd, j->end, SEEK_SET) != j->end ||
        !read_fully(j->fd, &part, sizeof part) || memcmp(part.tag, tag, sizeof part.tag) != 0 ||
        part.size > (uint64_t)(st.st_size - j->end) - sizeof part)
        return false;
    out->data = malloc(part.size + 1);
    if (out->data && read_fully(j->fd, out->data, part.size) && hash_more(0, out->data, part.size) == part.hash) {
        out->data[part.size] = 0;
        out->size = part.size;
        j->end += (off_t)(sizeof part + part.size);
        return true;
    }
    free(out->data);
    out->data = NULL;
    return false;
}

/* One write, so that what dies in between leaves at most the end of a part away. */
static bool write_part(struct journal *j, const char *tag, const struct result_text *contents)
{
    struct part part = {.size = contents->size, .hash = hash_more(0, contents->data, contents->size)};
    struct result_text all = {0};
    memcpy(part.tag, tag, sizeof part.tag);
    bool fine = result_append(&all, (const char *)&part, sizeof part) &&
                result_append(&all, contents->data, contents->size) && cli_write_all(j->fd, all.data, all.size);
    if (fine)
        j->end += (off_t)all.size;
    else
        cli_message("cannot write '%s': %s", j->path, strerror(errno));
    free(all.data);
    return fine;
}

/* ---- opening ---- */

static int could_not_open(const char *path)
{
    cli_message("cannot open '%s': %s", path, strerror(errno));
    return STATUS_INPUT;
}

/* A file that begins as no journal does is somebody's: it is left alone. */
static bool is_foreign(int fd)
{
    char begin[sizeof HEAD];
    ssize_t n = pread(fd, begin, sizeof begin, 0);
    return n > 0 && memcmp(begin, HEAD, (size_t)n) != 0;
}

/* The head of a journal that is there, or a new one. */
static int match_head(struct journal *j, const struct cli_command *command, const struct result_text *head,
                      const struct list_items *items)
{
    struct result_text was;
    if (is_foreign(j->fd))
        return cli_wrong(command, "'%s' is not a journal", j->path);
    if (!read_part(j, HEAD, &was)) {
        j->end = 0;
        if (ftruncate(j->fd, 0) != 0 || lseek(j->fd, 0, SEEK_SET) != 0)
            return could_not_open(j->path);
        return write_part(j, HEAD, head) ? STATUS_FINE : STATUS_INPUT;
    }
    bool same = was.size == head->size && memcmp(was.data, head->data, was.size) == 0;
    int status = same ? STATUS_FINE : refuse(command, j->path, &was, head, items);
    free(was.data);
    return status;
}

int journal_open(const char *path, const struct cli_command *command, int argc, char **argv,
                 const struct list_items *items, struct journal **out)
{
    struct result_text head = {0};
    struct journal *j = calloc(1, sizeof *j);
    int status = STATUS_INPUT;
    if (!j || !make_head(command, argc, argv, items, &head)) {
        free(j);
        free(head.data);
        cli_message("out of memory");
        return STATUS_INPUT;
    }
    *j = (struct journal){.path = path, .items = items->count, .fd = cli_open(path, O_RDWR | O_CREAT)};
    if (j->fd < 0)
        could_not_open(path);
    else if (flock(j->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        cli_message("another run is writing '%s'", path);
    else
        status = match_head(j, command, &head, items);
    free(head.data);
    if (status == STATUS_FINE)
        *out = j;
    else
        journal_close(j);
    return status;
}

/* Everything after the good parts goes. */
static void cut(struct journal *j)
{
    if (ftruncate(j->fd, j->end) != 0 || lseek(j->fd, j->end, SEEK_SET) != j->end)
        could_not_open(j->path);
}

bool journal_next(struct journal *j, struct result_record *out)
{
    struct result_text contents;
    off_t before = j->end;
    if (!read_part(j, RECORD, &contents)) {
        cut(j);
        return false;
    }
    bool fine = result_unpack(contents.data, contents.size, out);
    free(contents.data);
    if (fine && out->count && out->first < j->items && out->count <= j->items - out->first)
        return true;
    if (fine)
        result_free(&out->result);
    j->end = before;
    cut(j);
    return false;
}

bool journal_append(struct journal *j, const struct result_record *record)
{
    struct result_text contents = {0};
    bool fine = result_pack(record, &contents);
    time_t now = time(NULL);
    if (!fine)
        cli_message("out of memory");
    fine = fine && write_part(j, RECORD, &contents);
    free(contents.data);
    if (fine && now != j->synced) {
        fdatasync(j->fd);
        j->synced = now;
    }
    return fine;
}

void journal_close(struct journal *j)
{
    if (!j)
        return;
    if (j->fd >= 0) {
        fdatasync(j->fd);
        close(j->fd);
    }
    free(j);
}
