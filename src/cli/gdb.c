/* gdb.c - the remote serial protocol of GDB, as much as a debugger of one core needs. */
#include "cli/gdb.h"
#include "cli/cli.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PACKET = 0x4000, REGISTERS = 32, SLICE = 2000000, MOST_MEMORY = PACKET / 2 - 16 };
enum { SIGNAL_INT = 2, SIGNAL_ILL = 4, SIGNAL_TRAP = 5, SIGNAL_FPE = 8, SIGNAL_BUS = 10, SIGNAL_SEGV = 11 };

struct gdb {
    struct machine *m;
    int fd;
    bool no_acks;
    bool closed;            /* the client is gone */
    bool done, go_on;       /* detached or killed */
    enum machine_stop stop;
    char in[PACKET + 8];
    char out[2 * PACKET];
};

/* ---- packets: $text#checksum ---- */

static int next_byte(struct gdb *g)
{
    unsigned char c;
    ssize_t n;
    do
        n = read(g->fd, &c, 1);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        g->closed = true;
    return n <= 0 ? -1 : c;
}

static void send_bytes(struct gdb *g, const char *bytes, size_t size)
{
    while (size && !g->closed) {
        ssize_t n = send(g->fd, bytes, size, MSG_NOSIGNAL);
        if (n <= 0) {
            g->closed = n == 0 || errno != EINTR;
            continue;
        }
        bytes += n;
        size -= (size_t)n;
    }
}

static void reply(struct gdb *g, const char *text)
{
    unsigned sum = 0;
    size_t size = strlen(text);
    char end[8];
    for (size_t i = 0; i < size; i++)
        sum += (unsigned char)text[i];
    snprintf(end, sizeof end, "#%02x", sum & 255);
    send_bytes(g, "$", 1);
    send_bytes(g, text, size);
    send_bytes(g, end, 3);
}

/* The next packet into g->in; false when the client is gone. Damaged ones are asked for again. */
static bool take_packet(struct gdb *g)
{
    while (!g->closed) {
        int c = next_byte(g);
        if (c == 3)
            strcpy(g->in, "?"); /* interrupted while it stands: say so */
        if (c == 3)
            return true;
        if (c != '$')
            continue;
        size_t size = 0;
        unsigned sum = 0;
        while ((c = next_byte(g)) != '#' && c >= 0) {
            sum += (unsigned)c;
            if (size < PACKET)
                g->in[size++] = (char)c;
        }
        char digits[3] = {(char)next_byte(g), (char)next_byte(g), 0};
        g->in[size] = 0;
        bool good = strtoul(digits, NULL, 16) == (sum & 255);
        if (!g->no_acks)
            send_bytes(g, good ? "+" : "-", 1);
        if (good)
            return true;
    }
    return false;
}

static char *put_hex(char *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = 0;
    return out;
}

static size_t get_hex(const char *text, uint8_t *bytes, size_t most)
{
    size_t n = 0;
    unsigned byte;
    for (; n < most && sscanf(text + 2 * n, "%2x", &byte) == 1; n++)
        bytes[n] = (uint8_t)byte;
    return n;
}

/* ---- registers ---- */

static void put_word(uint8_t *bytes, uint32_t v)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t get_word(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void read_registers(struct gdb *g)
{
    uint8_t bytes[4 * REGISTERS];
    for (unsigned r = 0; r < REGISTERS; r++)
        put_word(bytes + 4 * r, machine_register(g->m, r));
    put_hex(g->out, bytes, sizeof bytes);
    reply(g, g->out);
}

/* pc last: what else is set may say how it goes on there. */
static void write_registers(struct gdb *g, const char *text)
{
    uint8_t bytes[4 * REGISTERS];
    size_t size = get_hex(text, bytes, sizeof bytes);
    for (unsigned r = 0; r < size / 4; r++)
        machine_set_register(g->m, r, get_word(bytes + 4 * r));
    reply(g, "OK");
}

static void one_register(struct gdb *g, const char *text, bool writes)
{
    char *end;
    unsigned long r = strtoul(text, &end, 16);
    uint8_t bytes[4];
    if (r >= REGISTERS || (writes && (*end != '=' || get_hex(end + 1, bytes, 4) != 4))) {
        reply(g, "E01");
        return;
    }
    if (writes) {
        machine_set_register(g->m, (unsigned)r, get_word(bytes));
        reply(g, "OK");
        return;
    }
    put_word(bytes, machine_register(g->m, (unsigned)r));
    put_hex(g->out, bytes, 4);
    reply(g, g->out);
}

static void describe(struct gdb *g, const char *range)
{
    static const char *const roles[REGISTERS] = {[24] = "gp", [25] = "sp", [26] = "lr", [29] = "tp", [30] = "sr", [31] = "pc"};
    char xml[4096];
    unsigned long offset = 0, length = 0;
    int n = snprintf(xml, sizeof xml, "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
                                      "<feature name=\"org.weft.videocore4.vpu\">");
    for (unsigned r = 0; r < REGISTERS; r++) {
        char plain[8];
        snprintf(plain, sizeof plain, "r%u", r);
        const char *type = r == 31 || r == 26 ? "code_ptr" : r == 25 ? "data_ptr" : "uint32";
        n += snprintf(xml + n, sizeof xml - (size_t)n, "<reg name=\"%s\" bitsize=\"32\" type=\"%s\" regnum=\"%u\"/>",
                      roles[r] ? roles[r] : plain, type, r);
    }
    n += snprintf(xml + n, sizeof xml - (size_t)n, "</feature></target>");
    if (sscanf(range, "%lx,%lx", &offset, &length) != 2 || offset > (unsigned long)n) {
        reply(g, "E01");
        return;
    }
    unsigned long left = (unsigned long)n - offset;
    length = length < left ? length : left;
    length = length < PACKET - 8 ? length : PACKET - 8;
    snprintf(g->out, sizeof g->out, "%c%.*s", length == left ? 'l' : 'm', (int)length, xml + offset);
    reply(g, g->out);
}

/* ---- memory ---- */

static void read_memory(struct gdb *g, const char *text)
{
    unsigned long address, length;
    uint8_t bytes[MOST_MEMORY];
    if (sscanf(text, "%lx,%lx", &address, &length) != 2 || length > sizeof bytes ||
        !machine_read(g->m, (uint32_t)address, bytes, length)) {
        reply(g, "E01");
        return;
    }
    put_hex(g->out, bytes, length);
    reply(g, g->out);
}

static void write_memory(struct gdb *g, const char *text)
{
    unsigned long address, length;
    uint8_t bytes[MOST_MEMORY];
    const char *data = strchr(text, ':');
    bool fine = sscanf(text, "%lx,%lx", &address, &length) == 2 && data && length <= sizeof bytes &&
                get_hex(data + 1, bytes, length) == length && machine_write(g->m, (uint32_t)address, bytes, length);
    reply(g, fine ? "OK" : "E01");
}

/* ---- running ---- */

static int signal_of(const struct gdb *g)
{
    if (g->stop == MACHINE_STOPPED)
        return SIGNAL_INT;
    if (g->stop != MACHINE_EXCEPTION)
        return SIGNAL_TRAP;
    switch (machine_exception(g->m)) {
    case 1: return SIGNAL_BUS;
    case 2: return SIGNAL_FPE;
    case 3: case 4: return SIGNAL_ILL;
    default: return SIGNAL_SEGV;
    }
}

/* Why it stands: a signal, an access that is watched, or the program's end with r0. */
static void tell_stop(struct gdb *g)
{
    unsigned kinds;
    if (g->stop == MACHINE_SLEEP) {
        snprintf(g->out, sizeof g->out, "W%02x", machine_register(g->m, 0) & 255);
    } else if (g->stop == MACHINE_WATCH) {
        uint32_t address = machine_watched(g->m, &kinds);
        const char *name = kinds == (MACHINE_WATCH_READ | MACHINE_WATCH_WRITE) ? "awatch" : kinds == MACHINE_WATCH_READ ? "rwatch" : "watch";
        snprintf(g->out, sizeof g->out, "T05%s:%x;thread:1;", name, address);
    } else {
        snprintf(g->out, sizeof g->out, "T%02x%sthread:1;", (unsigned)signal_of(g), g->stop == MACHINE_BREAK ? "hwbreak:;" : "");
    }
    reply(g, g->out);
}

static bool client_wants_something(const struct gdb *g)
{
    struct pollfd p = {.fd = g->fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

static void run_on(struct gdb *g, bool step)
{
    if (step) {
        g->stop = machine_run(g->m, 1);
        tell_stop(g);
        return;
    }
    do {
        g->stop = machine_run(g->m, SLICE);
        if (g->stop == MACHINE_LIMIT && client_wants_something(g)) {
            next_byte(g); /* Ctrl-C, or the client is gone */
            g->stop = MACHINE_STOPPED;
        }
    } while (g->stop == MACHINE_LIMIT && !g->closed);
    if (!g->closed)
        tell_stop(g);
}

/* Z and z: 0 and 1 break, 2 write, 3 read, 4 access. */
static void set_point(struct gdb *g, const char *text, bool on)
{
    static const unsigned kinds[] = {0, 0, MACHINE_WATCH_WRITE, MACHINE_WATCH_READ, MACHINE_WATCH_READ | MACHINE_WATCH_WRITE};
    unsigned type;
    unsigned long address, length;
    if (sscanf(text, "%1u,%lx,%lx", &type, &address, &length) != 3 || type > 4) {
        reply(g, "");
        return;
    }
    bool fine = type < 2 ? machine_set_break(g->m, (uint32_t)address, on)
                         : machine_set_watch(g->m, (uint32_t)address, (uint32_t)length, kinds[type], on);
    reply(g, fine ? "OK" : "E01");
}

/* ---- commands ---- */

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void query(struct gdb *g, const char *text)
{
    static const char features[] = "qXfer:features:read:target.xml:";
    if (starts(text, "qSupported")) {
        snprintf(g->out, sizeof g->out, "PacketSize=%x;qXfer:features:read+;QStartNoAckMode+;hwbreak+;vContSupported+", PACKET);
        reply(g, g->out);
    } else if (starts(text, features)) {
        describe(g, text + strlen(features));
    } else if (starts(text, "qAttached")) {
        reply(g, "1");
    } else if (starts(text, "qfThreadInfo")) {
        reply(g, "m1");
    } else if (starts(text, "qsThreadInfo")) {
        reply(g, "l");
    } else if (strcmp(text, "qC") == 0) {
        reply(g, "QC1");
    } else {
        reply(g, "");
    }
}

static void go_from(struct gdb *g, const char *text, bool step)
{
    if (*text)
        machine_set_pc(g->m, (uint32_t)strtoul(text, NULL, 16));
    run_on(g, step);
}

static void command(struct gdb *g)
{
    const char *text = g->in;
    switch (text[0]) {
    case '?': tell_stop(g); break;
    case 'g': read_registers(g); break;
    case 'G': write_registers(g, text + 1); break;
    case 'p': one_register(g, text + 1, false); break;
    case 'P': one_register(g, text + 1, true); break;
    case 'm': read_memory(g, text + 1); break;
    case 'M': write_memory(g, text + 1); break;
    case 'c': go_from(g, text + 1, false); break;
    case 's': go_from(g, text + 1, true); break;
    case 'Z': set_point(g, text + 1, true); break;
    case 'z': set_point(g, text + 1, false); break;
    case 'H': case 'T': reply(g, "OK"); break;
    case 'q': query(g, text); break;
    case 'Q':
        if (strcmp(text, "QStartNoAckMode") == 0) {
            reply(g, "OK");
            g->no_acks = true;
        } else {
            reply(g, "");
        }
        break;
    case 'v':
        if (strcmp(text, "vCont?") == 0)
            reply(g, "vCont;c;s");
        else if (starts(text, "vCont;"))
            run_on(g, text[6] == 's');
        else
            reply(g, "");
        break;
    case 'D':
        reply(g, "OK");
        g->done = g->go_on = true;
        break;
    case 'k':
        g->done = true;
        break;
    default:
        reply(g, "");
        break;
    }
}

/* ---- the connection ---- */

static int listen_on(unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 1) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &size) != 0) {
        cli_message("cannot listen on port %u: %s", port, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    fprintf(stderr, "weft boot: waiting for GDB on port %u\n", ntohs(at.sin_port));
    return fd;
}

int gdb_serve(struct machine *m, unsigned port, enum machine_stop *stop, bool *go_on)
{
    int yes = 1, listening = listen_on(port);
    if (listening < 0)
        return STATUS_INPUT;
    struct gdb *g = calloc(1, sizeof *g);
    if (g)
        g->fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    close(listening);
    if (!g || g->fd < 0) {
        cli_message("no GDB client: %s", strerror(errno));
        free(g);
        return STATUS_INPUT;
    }
    setsockopt(g->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    g->m = m;
    g->stop = MACHINE_STOPPED;
    while (!g->done && take_packet(g))
        command(g);
    close(g->fd);
    *stop = g->stop;
    *go_on = g->go_on;
    free(g);
    return STATUS_FINE;
}
