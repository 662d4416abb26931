/* gdb_server.c - see gdb_server.h. Packets are those of the GDB manual, appendix "Remote Protocol". The one thread is
 * called 1.
 *
 * The machine runs in slices, between which the connection is looked at. bkpt stops with the program counter on it:
 * set $pc to go past it. sleep that nothing can end is the end of the program; an exception that has no handler is a
 * signal. */
#include "cli/gdb_server.h"
#include "cli/gdb_registers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE = 500000 };

/* Signals as the protocol numbers them. */
enum { SIGNAL_INT = 2, SIGNAL_ILL = 4, SIGNAL_TRAP = 5, SIGNAL_ABRT = 6, SIGNAL_FPE = 8, SIGNAL_BUS = 10,
       SIGNAL_SEGV = 11 };

struct server {
    struct gdb_link *link;
    weft_machine *m;
    uint64_t limit;             /* instruction count to stop at; 0: none */
    weft_machine_stop stop;
    bool tells_breaks;          /* the client knows the stop reason "swbreak" */
    bool ended;
    enum gdb_end end;
};

static void finish(struct server *s, enum gdb_end end)
{
    s->ended = true;
    s->end = end;
}

static void answer(struct server *s, bool fine)
{
    gdb_put(s->link, fine ? "OK" : "E01");
}

/* ---- why it stopped ---- */

static unsigned signal_of_exception(unsigned number)
{
    static const uint8_t signals[] = {[0] = SIGNAL_TRAP, [1] = SIGNAL_BUS, [2] = SIGNAL_FPE, [3] = SIGNAL_ILL,
                                      [4] = SIGNAL_ILL, [5] = SIGNAL_SEGV, [6] = SIGNAL_BUS, [7] = SIGNAL_FPE};
    return number < sizeof signals ? signals[number] : SIGNAL_TRAP;
}

static void put_watch(struct server *s)
{
    static const char *const reasons[4] = {"awatch", "watch", "rwatch", "awatch"};
    unsigned kinds;
    uint32_t address = weft_machine_watched(s->m, &kinds);
    gdb_put(s->link, "%s:%x;", reasons[kinds & 3], address);
}

/* "T05...": a stop, with the registers that clients ask for first; "W00": the end. */
static void put_stop(struct server *s)
{
    unsigned signal = SIGNAL_TRAP;
    uint8_t pc[GDB_SCALAR_SIZE];
    if (s->stop == WEFT_MACHINE_SLEEP || s->ended) {
        gdb_put(s->link, "W%02x", s->stop == WEFT_MACHINE_SLEEP && weft_machine_register(s->m, 0) == 0 ? 0u : 1u);
        finish(s, GDB_HALTED);
        return;
    }
    if (s->stop == WEFT_MACHINE_EXCEPTION)
        signal = signal_of_exception(weft_machine_exception(s->m));
    else if (s->stop == WEFT_MACHINE_ERROR)
        signal = SIGNAL_ABRT;
    else if (s->stop == WEFT_MACHINE_INTERRUPTED)
        signal = SIGNAL_INT;
    gdb_put(s->link, "T%02x%02x:", signal, GDB_PC);
    gdb_register_read(s->m, GDB_PC, pc);
    gdb_put_hex(s->link, pc, sizeof pc);
    gdb_put(s->link, ";thread:1;");
    if (s->stop == WEFT_MACHINE_WATCH)
        put_watch(s);
    else if (s->stop == WEFT_MACHINE_BREAK && s->tells_breaks)
        gdb_put(s->link, "swbreak:;");
}

/* ---- running ---- */

/* Instructions that are left; `most` where there is no limit or it is further away. */
static uint64_t left(const struct server *s, uint64_t most)
{
    uint64_t now = weft_machine_instructions(s->m);
    return s->limit == 0 || s->limit - now > most ? most : s->limit - now;
}

static weft_machine_stop run(struct server *s)
{
    for (;;) {
        weft_machine_stop stop = weft_machine_run(s->m, left(s, SLICE));
        if (stop != WEFT_MACHINE_LIMIT)
            return stop;
        if (left(s, 1) == 0)
            return WEFT_MACHINE_LIMIT;
        if (weft_machine_at_break(s->m))
            return WEFT_MACHINE_BREAK;
        if (gdb_link_interrupted(s->link))
            return WEFT_MACHINE_INTERRUPTED;
    }
}

static void go(struct server *s, bool step)
{
    s->stop = step ? weft_machine_run(s->m, 1) : run(s);
    if (left(s, 1) == 0)
        finish(s, GDB_HALTED);
    put_stop(s);
}

/* "c", "s", "C05", "S05", each with an address to go on at or without. */
static void resume(struct server *s, const char *text)
{
    bool step = *text == 's' || *text == 'S', has_signal = *text == 'C' || *text == 'S';
    uint64_t n;
    text++;
    if (has_signal) {
        gdb_number(&text, &n); /* the machine has no signals to deliver */
        text += *text == ';';
    }
    if (gdb_number(&text, &n))
        weft_machine_set_register(s->m, WEFT_MACHINE_PC, (uint32_t)n);
    go(s, step);
}

/* "vCont;s:1;c": of one thread, the first action that names it or no thread is its own. */
static void resume_threads(struct server *s, const char *text)
{
    if (*text == '?')
        gdb_put(s->link, "vCont;c;C;s;S");
    else if (*text == ';' && text[1] && strchr("csCS", text[1]))
        go(s, text[1] == 's' || text[1] == 'S');
    else
        answer(s, false);
}

/* ---- registers ---- */

static void read_all(struct server *s)
{
    uint8_t bytes[GDB_VECTOR_SIZE];
    for (unsigned r = 0; r < GDB_REGISTERS; r++) {
        gdb_register_read(s->m, r, bytes);
        gdb_put_hex(s->link, bytes, gdb_register_size(r));
    }
}

static void write_all(struct server *s, const char *text)
{
    uint8_t bytes[GDB_ALL_REGISTERS];
    size_t at = 0;
    bool fine = strlen(text) == 2 * sizeof bytes && gdb_bytes(&text, bytes, sizeof bytes);
    /* sr comes before the registers that depend on its mode. */
    if (fine)
        gdb_register_write(s->m, 30, bytes + (size_t)30 * GDB_SCALAR_SIZE);
    for (unsigned r = 0; fine && r < GDB_REGISTERS; at += gdb_register_size(r++))
        gdb_register_write(s->m, r, bytes + at);
    answer(s, fine);
}

static void read_one(struct server *s, const char *text)
{
    uint8_t bytes[GDB_VECTOR_SIZE];
    uint64_t r;
    if (!gdb_number(&text, &r) || *text || r >= GDB_REGISTERS) {
        answer(s, false);
        return;
    }
    gdb_register_read(s->m, (unsigned)r, bytes);
    gdb_put_hex(s->link, bytes, gdb_register_size((unsigned)r));
}

static void write_one(struct server *s, const char *text)
{
    uint8_t bytes[GDB_VECTOR_SIZE];
    uint64_t r;
    bool fine = gdb_number(&text, &r) && *text++ == '=' && r < GDB_REGISTERS &&
                gdb_bytes(&text, bytes, gdb_register_size((unsigned)r)) && !*text;
    if (fine)
        gdb_register_write(s->m, (unsigned)r, bytes);
    answer(s, fine);
}

/* ---- memory ---- */

/* "ADDRESS,LENGTH" */
static bool place(const char **text, uint64_t *address, uint64_t *length)
{
    return gdb_number(text, address) && *(*text)++ == ',' && gdb_number(text, length) && *address <= UINT32_MAX;
}

/* As much as is there: clients read beyond the end of what is. */
static void read_memory(struct server *s, const char *text)
{
    uint8_t bytes[GDB_PACKET_SIZE / 2];
    uint64_t address, length, n = 0;
    bool fine = place(&text, &address, &length) && !*text;
    if (fine && length > sizeof bytes)
        length = sizeof bytes;
    if (fine && weft_machine_read(s->m, (uint32_t)address, bytes, (size_t)length) == WEFT_OK)
        n = length;
    else
        while (fine && n < length && weft_machine_read(s->m, (uint32_t)(address + n), bytes + n, 1) == WEFT_OK)
            n++;
    if (!fine || (n == 0 && length > 0))
        answer(s, false);
    else
        gdb_put_hex(s->link, bytes, (size_t)n);
}

static void write_memory(struct server *s, const char *text, bool binary)
{
    uint8_t bytes[GDB_PACKET_SIZE];
    uint64_t address, length;
    bool fine = place(&text, &address, &length) && *text++ == ':' && length <= sizeof bytes;
    if (fine && binary) {
        fine = (size_t)(s->link->packet + s->link->length - text) == length;
        if (fine)
            memcpy(bytes, text, (size_t)length);
    } else if (fine) {
        fine = gdb_bytes(&text, bytes, (size_t)length) && !*text;
    }
    answer(s, fine && (length == 0 || weft_machine_write(s->m, (uint32_t)address, bytes, (size_t)length) == WEFT_OK));
}

/* ---- break- and watchpoints ---- */

/* "Z2,ADDRESS,LENGTH" */
static void set_point(struct server *s, const char *text, bool on)
{
    static const uint8_t kinds[5] = {[2] = WEFT_MACHINE_WATCH_WRITE, [3] = WEFT_MACHINE_WATCH_READ,
                                     [4] = WEFT_MACHINE_WATCH_READ | WEFT_MACHINE_WATCH_WRITE};
    uint64_t address, length;
    unsigned type = (unsigned)(*text++ - '0');
    if (type >= sizeof kinds)
        return; /* not known */
    if (*text++ != ',' || !place(&text, &address, &length))
        answer(s, false);
    else if (kinds[type])
        answer(s, length > 0 && length <= UINT32_MAX &&
                      weft_machine_set_watch(s->m, (uint32_t)address, (uint32_t)length, kinds[type], on) == WEFT_OK);
    else
        answer(s, weft_machine_set_break(s->m, (uint32_t)address, on) == WEFT_OK);
}

/* ---- questions ---- */

/* "qXfer:features:read:target.xml:OFFSET,LENGTH" */
static void describe_target(struct server *s, const char *text)
{
    static const char annex[] = "target.xml:";
    uint64_t offset, length;
    size_t size = 0;
    if (strncmp(text, annex, sizeof annex - 1) != 0) {
        gdb_put(s->link, "E00");
        return;
    }
    text += sizeof annex - 1;
    char *xml = place(&text, &offset, &length) ? gdb_target_description(&size) : NULL;
    if (!xml || offset > size) {
        answer(s, false);
    } else {
        uint64_t n = size - offset, most = GDB_PACKET_SIZE / 2 - 1;
        n = n > length ? length : n;
        n = n > most ? most : n;
        gdb_put(s->link, offset + n == size ? "l" : "m");
        gdb_put_binary(s->link, xml + offset, (size_t)n);
    }
    free(xml);
}

static void tell_support(struct server *s, const char *text)
{
    s->tells_breaks = strstr(text, "swbreak+") != NULL;
    gdb_put(s->link, "PacketSize=%x;qXfer:features:read+;QStartNoAckMode+;swbreak+;vContSupported+", GDB_PACKET_SIZE);
}

static void put_text(struct server *s, const char *text)
{
    gdb_put(s->link, "%s", text);
}

static void stop_acks(struct server *s, const char *text)
{
    (void)text;
    answer(s, true);
    gdb_link_send(s->link); /* this one is still acknowledged */
    s->link->no_ack = true;
}

static void kill_machine(struct server *s, const char *text)
{
    (void)text;
    answer(s, true);
    finish(s, GDB_KILLED);
}

/* Packets with names; `text` is what follows the name. */
static const struct {
    const char *name;
    void (*take)(struct server *s, const char *text);
    const char *reply; /* where that is all: take is put_text */
} named[] = {
    {"qSupported", tell_support, NULL},
    {"qXfer:features:read:", describe_target, NULL},
    {"qAttached", put_text, "1"},
    {"qfThreadInfo", put_text, "m1"},
    {"qsThreadInfo", put_text, "l"},
    {"qC", put_text, "QC1"},
    {"QStartNoAckMode", stop_acks, NULL},
    {"vCont", resume_threads, NULL},
    {"vKill", kill_machine, NULL},
};

static bool take_named(struct server *s, const char *text)
{
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        size_t n = strlen(named[i].name);
        if (strncmp(text, named[i].name, n) == 0) {
            named[i].take(s, named[i].reply ? named[i].reply : text + n);
            return true;
        }
    }
    return false;
}

/* Returns whether a reply is due. */
static bool take_packet(struct server *s)
{
    const char *text = s->link->packet;
    if (take_named(s, text))
        return !s->link->no_ack || strcmp(text, "QStartNoAckMode") != 0;
    switch (*text++) {
    case '?':
        put_stop(s);
        return true;
    case 'g':
        read_all(s);
        return true;
    case 'G':
        write_all(s, text);
        return true;
    case 'p':
        read_one(s, text);
        return true;
    case 'P':
        write_one(s, text);
        return true;
    case 'm':
        read_memory(s, text);
        return true;
    case 'M':
    case 'X':
        write_memory(s, text, text[-1] == 'X');
        return true;
    case 'c':
    case 'C':
    case 's':
    case 'S':
        resume(s, text - 1);
        return true;
    case 'Z':
    case 'z':
        set_point(s, text, text[-1] == 'Z');
        return true;
    case 'H':
    case 'T':
        answer(s, true);
        return true;
    case 'D':
        answer(s, true);
        finish(s, GDB_DETACHED);
        return true;
    case 'k':
        finish(s, GDB_KILLED);
        return false;
    default:
        return true; /* an empty reply: not known */
    }
}

enum gdb_end gdb_serve(struct gdb_link *l, weft_machine *m, uint64_t limit, weft_machine_stop *stop)
{
    uint64_t now = weft_machine_instructions(m);
    struct server s = {
        .link = l, .m = m, .limit = limit ? now + limit : 0, .stop = WEFT_MACHINE_LIMIT, .end = GDB_DETACHED};
    while (!s.ended) {
        enum gdb_event event = gdb_link_receive(l);
        if (event == GDB_LOST)
            break;
        if (event == GDB_PACKET && take_packet(&s) && !gdb_link_send(l))
            break;
    }
    weft_machine_clear_points(m);
    *stop = s.end == GDB_HALTED ? s.stop : WEFT_MACHINE_INTERRUPTED;
    return s.end;
}
