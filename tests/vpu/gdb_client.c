/* gdb_client PORT - a debugger's side of the remote protocol, by a script on standard input:
 *
 *   > g              send a packet
 *   >! ^C            send the byte of Ctrl-C
 *   >! =TEXT         send these bytes as they are
 *   < T05*           wait for a packet, which matches this pattern of the shell
 *   wait N           N milliseconds
 *   no-ack           from here on nothing is acknowledged
 *   die              end without a word: the connection is reset
 *   # comment
 *
 * Says which packet does not match and fails at the first. Answers that take ten seconds are none. */
#include <arpa/inet.h>
#include <fnmatch.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int connection;
static bool no_ack;

static void fail(unsigned line, const char *what, const char *about)
{
    printf("%u: %s%s\n", line, what, about);
    exit(1);
}

static int next_byte(void)
{
    uint8_t c;
    return read(connection, &c, 1) == 1 ? c : -1;
}

static void send_bytes(unsigned line, const char *bytes, size_t size)
{
    if (send(connection, bytes, size, MSG_NOSIGNAL) != (ssize_t)size)
        fail(line, "cannot send", "");
}

static void send_packet(unsigned line, const char *text)
{
    char packet[20000];
    uint8_t sum = 0;
    for (const char *c = text; *c; c++)
        sum = (uint8_t)(sum + *c);
    int n = snprintf(packet, sizeof packet, "$%s#%02x", text, sum);
    send_bytes(line, packet, (size_t)n);
}

static void receive_packet(unsigned line, char *packet, size_t size)
{
    uint8_t sum = 0;
    size_t n = 0;
    char digits[3] = {0};
    int c;
    while ((c = next_byte()) != '$')
        if (c < 0)
            fail(line, "no answer", "");
    while ((c = next_byte()) != '#') {
        if (c < 0 || n + 1 >= size)
            fail(line, "the packet does not end", "");
        packet[n++] = (char)c;
        sum = (uint8_t)(sum + c);
    }
    packet[n] = 0;
    digits[0] = (char)next_byte();
    digits[1] = (char)next_byte();
    if (strtoul(digits, NULL, 16) != sum)
        fail(line, "wrong checksum of ", packet);
    if (!no_ack)
        send_bytes(line, "+", 1);
}

static void run_line(unsigned line, const char *text)
{
    static char packet[40000];
    if (strncmp(text, "> ", 2) == 0) {
        send_packet(line, text + 2);
    } else if (strcmp(text, ">! ^C") == 0) {
        send_bytes(line, "\003", 1);
    } else if (strncmp(text, ">! =", 4) == 0) {
        send_bytes(line, text + 4, strlen(text + 4));
    } else if (strncmp(text, "< ", 2) == 0) {
        receive_packet(line, packet, sizeof packet);
        if (fnmatch(text + 2, packet, 0) != 0)
            fail(line, packet, " does not match");
    } else if (strcmp(text, "no-ack") == 0) {
        no_ack = true;
    } else if (strcmp(text, "die") == 0) {
        struct linger at_once = {.l_onoff = 1};
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(connection);
        exit(0);
    } else if (strncmp(text, "wait ", 5) == 0) {
        usleep((useconds_t)atoi(text + 5) * 1000);
    } else if (*text && *text != '#') {
        fail(line, "not a line of a script: ", text);
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = 10};
    char text[20000];
    if (argc != 2)
        return 2;
    where.sin_port = htons((uint16_t)atoi(argv[1]));
    connection = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connection < 0 || connect(connection, (struct sockaddr *)&where, sizeof where) != 0)
        fail(0, "cannot connect", "");
    for (unsigned line = 1; fgets(text, sizeof text, stdin); line++) {
        text[strcspn(text, "\n")] = 0;
        run_line(line, text);
    }
    close(connection);
    return 0;
}
