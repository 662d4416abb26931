/* files.c - whole files, in and out. */
#include "cli/beside.h"
#include "cli/cli.h"

#include "base/diag.h"
#include "base/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No input of weft is larger: see weft/program.h. */
static const size_t READ_LIMIT = (size_t)1 << 30;

static bool is_standard(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

static bool read_all(int fd, struct cli_bytes *out)
{
    struct stat st;
    size_t room = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size + 2 : 65536;
    if (room > READ_LIMIT + 2)
        room = READ_LIMIT + 2;
    out->data = malloc(room);
    while (out->data) {
        ssize_t n = read(fd, out->data + out->size, room - out->size - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        if (n == 0) {
            out->data[out->size] = 0;
            return true;
        }
        out->size += (size_t)n;
        if (out->size > READ_LIMIT) {
            errno = EFBIG;
            return false;
        }
        if (out->size + 1 == room) {
            char *larger = realloc(out->data, room *= 2);
            if (!larger)
                return false;
            out->data = larger;
        }
    }
    return false;
}

const char *cli_file_name(const char *path)
{
    return is_standard(path) ? "<stdin>" : path;
}

size_t cli_path_length(const char *path, uint32_t *program)
{
    const char *mark = path ? strrchr(path, '#') : NULL;
    uint64_t number;
    *program = 0;
    if (!mark || mark == path || access(path, F_OK) == 0 || !cli_number(mark + 1, 1, UINT32_MAX, &number))
        return path ? strlen(path) : 0;
    *program = (uint32_t)number;
    return (size_t)(mark - path);
}

int cli_open(const char *path, int flags)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* Whether what was written arrived. Interrupted or not, the descriptor is closed. */
static bool close_file(int fd)
{
    return close(fd) == 0 || errno == EINTR;
}

/* open, of FILE where the path is FILE#N. */
static int open_input(const char *path, uint32_t *program)
{
    size_t length = cli_path_length(path, program);
    char *file = strndup(path, length);
    int fd = file ? cli_open(file, O_RDONLY) : -1;
    int reason = errno;
    free(file);
    errno = reason;
    return fd;
}

bool cli_read(const char *path, struct cli_bytes *out)
{
    return cli_read_for(path, out, NULL);
}

bool cli_is_ascii(const struct cli_bytes *in)
{
    for (size_t i = 0; i < in->size; i++) {
        unsigned char c = (unsigned char)in->data[i];
        if (c >= 0x7f || (c < ' ' && c != '\n' && c != '\t' && c != '\r'))
            return false;
    }
    return in->size != 0;
}

bool cli_read_for(const char *path, struct cli_bytes *out, weft_diags *diags)
{
    bool standard = is_standard(path);
    *out = (struct cli_bytes){.name = cli_file_name(path)};
    int fd = standard ? STDIN_FILENO : open_input(path, &out->program);
    bool fine = fd >= 0 && read_all(fd, out);
    if (!fine) {
        if (diags)
            diag_add(diags, WEFT_ERROR, "file", out->name, NULL, "cannot be read: %s", strerror(errno));
        else
            cli_message("cannot read '%s': %s", out->name, strerror(errno));
        free(out->data);
        out->data = NULL;
    }
    if (fd >= 0 && !standard)
        close(fd);
    return fine;
}

bool cli_distinct(const struct cli_command *command, const char *input, const char *output)
{
    struct stat in, out;
    if (is_standard(input) || is_standard(output) || stat(input, &in) != 0 || stat(output, &out) != 0 ||
        !S_ISREG(in.st_mode) || in.st_dev != out.st_dev || in.st_ino != out.st_ino)
        return true;
    cli_wrong(command, "'%s' is the input: give another output", output);
    return false;
}

bool cli_to_terminal(const char *path)
{
    return is_standard(path) && isatty(STDOUT_FILENO);
}

bool cli_write_all(int fd, const char *data, size_t size)
{
    while (size) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

static int could_not_write(const char *path)
{
    cli_message("cannot write '%s': %s", path, strerror(errno));
    return STATUS_INPUT;
}

static int could_not_write_link(const char *path)
{
    cli_message("cannot write '%s': it is a link to what is not there", path);
    return STATUS_INPUT;
}

/* Straight into what cannot be replaced: a device, a pipe. */
static int write_in_place(const char *path, const void *data, size_t size)
{
    int fd = cli_open(path, O_WRONLY);
    bool fine = fd >= 0 && cli_write_all(fd, data, size);
    int reason = errno;
    if (fd >= 0 && !close_file(fd) && fine) {
        fine = false;
        reason = errno;
    }
    errno = reason;
    return fine ? STATUS_FINE : could_not_write(path);
}

/* The mode that open() would give a new file, or the mode that the old one has. */
static mode_t mode_for(const struct stat *old)
{
    if (old)
        return old->st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int replace(const char *path, const struct stat *old, const void *data, size_t size)
{
    int fd = beside_open(path);
    if (fd < 0)
        return could_not_write(path);
    bool fine = cli_write_all(fd, data, size) && fchmod(fd, mode_for(old)) == 0;
    int reason = errno;
    if (!close_file(fd) && fine) {
        fine = false;
        reason = errno;
    }
    if (fine)
        return beside_rename(path) ? STATUS_FINE : could_not_write(path);
    beside_remove();
    errno = reason;
    return could_not_write(path);
}

/* What goes to a terminal steers none: names and texts in it may be anybody's. */
static bool write_shown(const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        struct printable p = {.bytes = 1, .length = 1, .text = "\n"};
        if (text[at] != '\n')
            p = printable_next(text + at, size - at);
        fwrite(p.text, 1, p.length, stdout);
        at += p.bytes;
    }
    return fflush(stdout) == 0 && !ferror(stdout);
}

int cli_write(const char *path, const void *data, size_t size)
{
    if (is_standard(path)) {
        fflush(stdout);
        if (isatty(STDOUT_FILENO))
            return write_shown(data, size) ? STATUS_FINE : could_not_write("<stdout>");
        return cli_write_all(STDOUT_FILENO, data, size) ? STATUS_FINE : could_not_write("<stdout>");
    }
    struct stat st;
    if (stat(path, &st) != 0) {
        bool dangles = errno == ENOENT && lstat(path, &st) == 0;
        return dangles ? could_not_write_link(path) : replace(path, NULL, data, size);
    }
    if (!S_ISREG(st.st_mode))
        return write_in_place(path, data, size);
    if (!(st.st_mode & 0222)) {
        errno = EACCES;
        return could_not_write(path);
    }
    /* A link stays one: what it leads to is replaced. */
    char *target = realpath(path, NULL);
    int status = target ? replace(target, &st, data, size) : could_not_write(path);
    free(target);
    return status;
}
