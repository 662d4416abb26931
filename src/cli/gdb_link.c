/* gdb_link.c - see gdb_link.h. */
#include "cli/gdb_link.h"
#include "cli/cli.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CTRL_C = 3, ESCAPE = '}', ESCAPED = 0x20 };

/* ---- the connection ---- */

static bool cannot(const char *what, int fd)
{
    cli_message("--gdb: cannot %s: %s", what, strerror(errno));
    if (fd >= 0)
        close(fd);
    return false;
}

bool gdb_link_open(struct gdb_link *l, unsigned port)
{
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof where;
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    *l = (struct gdb_link){.fd = -1};
    if (listener < 0)
        return cannot("make a socket", -1);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&where, sizeof where) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&where, &size) != 0)
        return cannot("listen", listener);
    fprintf(stderr, "weft boot: waiting for a debugger on 127.0.0.1:%u\n", ntohs(where.sin_port));
    do
        l->fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    while (l->fd < 0 && errno == EINTR);
    if (l->fd < 0)
        return cannot("accept a connection", listener);
    close(listener);
    setsockopt(l->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return true;
}

void gdb_link_close(struct gdb_link *l)
{
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
}

/* More bytes into `input`, which may still have some. */
static bool fill(struct gdb_link *l)
{
    ssize_t n;
    memmove(l->input, l->input + l->at, l->end - l->at);
    l->end -= l->at;
    l->at = 0;
    if (l->end == sizeof l->input)
        return true;
    do
        n = recv(l->fd, l->input + l->end, sizeof l->input - l->end, 0);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return false;
    l->end += (size_t)n;
    return true;
}

/* The next byte; -1 when the connection is lost. */
static int next(struct gdb_link *l)
{
    if (l->at == l->end && !fill(l))
        return -1;
    return l->input[l->at++];
}

static bool send_all(struct gdb_link *l, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = send(l->fd, bytes, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* ---- packets ---- */

static int digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void undo_escapes(struct gdb_link *l)
{
    size_t to = 0;
    for (size_t from = 0; from < l->length; from++) {
        bool escaped = l->packet[from] == ESCAPE && from + 1 < l->length;
        l->packet[to++] = escaped ? (char)(l->packet[++from] ^ ESCAPED) : l->packet[from];
    }
    l->length = to;
    l->packet[to] = 0;
}

/* After '$': up to the checksum. Sets *good when that is right and the packet is not too long. */
static bool read_packet(struct gdb_link *l, bool *good)
{
    uint8_t sum = 0;
    int c;
    bool fits = true;
    l->length = 0;
    while ((c = next(l)) != '#') {
        if (c < 0)
            return false;
        sum = (uint8_t)(sum + c);
        if (l->length < GDB_PACKET_SIZE)
            l->packet[l->length++] = (char)c;
        else
            fits = false;
    }
    int high = next(l), low = high < 0 ? -1 : next(l);
    if (low < 0)
        return false;
    *good = fits && digit(high) >= 0 && digit(low) >= 0 && sum == digit(high) * 16 + digit(low);
    undo_escapes(l);
    return true;
}

enum gdb_event gdb_link_receive(struct gdb_link *l)
{
    for (;;) {
        bool good = false;
        int c = next(l);
        if (c < 0)
            return GDB_LOST;
        if (c == CTRL_C)
            return GDB_INTERRUPT;
        if (c != '$')
            continue; /* acknowledgements, and what is left of a spoilt packet */
        if (!read_packet(l, &good))
            return GDB_LOST;
        if (!l->no_ack && !send_all(l, good ? "+" : "-", 1))
            return GDB_LOST;
        if (good)
            return GDB_PACKET;
    }
}

bool gdb_link_interrupted(struct gdb_link *l)
{
    struct pollfd p = {.fd = l->fd, .events = POLLIN};
    while (l->at == l->end) {
        if (poll(&p, 1, 0) <= 0)
            return false;
        if (!fill(l))
            return true;
        while (l->at < l->end && l->input[l->at] != CTRL_C && l->input[l->at] != '$')
            l->at++;
    }
    if (l->input[l->at] == CTRL_C)
        l->at++;
    return true; /* a packet while the machine runs: it stops, and the packet is answered */
}

/* ---- replies ---- */

void gdb_put(struct gdb_link *l, const char *fmt, ...)
{
    size_t room = sizeof l->reply - l->reply_length;
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(l->reply + l->reply_length, room, fmt, ap);
    va_end(ap);
    if (n > 0 && (size_t)n < room)
        l->reply_length += (size_t)n;
}

void gdb_put_hex(struct gdb_link *l, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *b = bytes;
    for (size_t i = 0; i < size && l->reply_length + 2 <= sizeof l->reply; i++) {
        l->reply[l->reply_length++] = digits[b[i] >> 4];
        l->reply[l->reply_length++] = digits[b[i] & 15];
    }
}

void gdb_put_binary(struct gdb_link *l, const void *bytes, size_t size)
{
    const char *b = bytes;
    for (size_t i = 0; i < size && l->reply_length + 2 <= sizeof l->reply; i++) {
        bool special = b[i] == '#' || b[i] == '$' || b[i] == ESCAPE || b[i] == '*';
        if (special)
            l->reply[l->reply_length++] = ESCAPE;
        l->reply[l->reply_length++] = special ? (char)(b[i] ^ ESCAPED) : b[i];
    }
}

/* Until the client has it. */
static bool wait_for_ack(struct gdb_link *l, bool *again)
{
    int c;
    while ((c = next(l)) != '+' && c != '-' && c != '$')
        if (c < 0)
            return false;
    if (c == '$')
        l->at--; /* a client that does not acknowledge: its next packet */
    *again = c == '-';
    return true;
}

bool gdb_link_send(struct gdb_link *l)
{
    enum { MOST_TRIES = 10 };
    uint8_t sum = 0;
    char tail[4];
    bool again = true;
    for (size_t i = 0; i < l->reply_length; i++)
        sum = (uint8_t)(sum + l->reply[i]);
    snprintf(tail, sizeof tail, "#%02x", sum);
    for (unsigned tries = 0; again && tries < MOST_TRIES; tries++) {
        if (!send_all(l, "$", 1) || !send_all(l, l->reply, l->reply_length) || !send_all(l, tail, 3))
            return false;
        again = false;
        if (!l->no_ack && !wait_for_ack(l, &again))
            return false;
    }
    l->reply_length = 0;
    return !again;
}

/* ---- reading packets ---- */

bool gdb_number(const char **text, uint64_t *n)
{
    unsigned digits = 0;
    *n = 0;
    for (int d; (d = digit(**text)) >= 0; digits++, (*text)++)
        *n = *n << 4 | (uint64_t)d;
    return digits > 0 && digits <= 16;
}

bool gdb_bytes(const char **text, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++, *text += 2) {
        int high = digit((*text)[0]), low = high < 0 ? -1 : digit((*text)[1]);
        if (low < 0)
            return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}
