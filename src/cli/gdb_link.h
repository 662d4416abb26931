/* gdb_link.h - the packets of GDB's remote serial protocol over a connection: framing, checksums, acknowledgements,
 * escapes. What the packets mean is in gdb_server.c. (GDB manual, appendix "Remote Protocol", section "Overview".) */
#ifndef WEFT_CLI_GDB_LINK_H
#define WEFT_CLI_GDB_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GDB_PACKET_SIZE = 0x4000 }; /* the longest packet, either way, without its frame */

struct gdb_link {
    int fd;
    bool no_ack;              /* acknowledgements have been switched off */
    uint8_t input[4096];      /* bytes that came and have not been looked at */
    size_t at, end;
    char packet[GDB_PACKET_SIZE + 1]; /* the last one received, escapes undone, with a zero after it */
    size_t length;
    char reply[GDB_PACKET_SIZE];      /* the one that is being made */
    size_t reply_length;
};

/* Wait for a client on 127.0.0.1:port; 0 is any free port. Standard error tells which. False, having said why, on
 * failure. */
bool gdb_link_open(struct gdb_link *l, unsigned port);
void gdb_link_close(struct gdb_link *l);

enum gdb_event { GDB_PACKET, GDB_INTERRUPT, GDB_LOST };

/* Wait for a packet, acknowledged and in `packet`, or for the byte that Ctrl-C sends. */
enum gdb_event gdb_link_receive(struct gdb_link *l);
/* Without waiting: did Ctrl-C come, or did the connection end? Packets are left for gdb_link_receive. */
bool gdb_link_interrupted(struct gdb_link *l);

/* ---- replies ---- */

/* Add text; bytes as pairs of hex digits; bytes with escapes. What does not fit is left out. */
void gdb_put(struct gdb_link *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void gdb_put_hex(struct gdb_link *l, const void *bytes, size_t size);
void gdb_put_binary(struct gdb_link *l, const void *bytes, size_t size);
/* Send what was added; nothing added is the answer to what is not known. False when the connection is lost. */
bool gdb_link_send(struct gdb_link *l);

/* ---- reading packets ---- */

/* A hex number at *text, which is moved past it; false when there is none or it has more than 64 bits. */
bool gdb_number(const char **text, uint64_t *n);
/* Pairs of hex digits, `size` of them. */
bool gdb_bytes(const char **text, uint8_t *bytes, size_t size);

#endif
