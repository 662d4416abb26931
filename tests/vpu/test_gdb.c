/* The GDB stub, by a client that is written down: registers, target description, memory, steps, break- and watchpoints. */
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/gdb.h"

void cli_message(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
}

struct session {
    struct machine *m;
    unsigned port;
    enum machine_stop stop;
    bool go_on;
    int status;
};

static void *serve(void *context)
{
    struct session *s = context;
    s->status = gdb_serve(s->m, s->port, &s->stop, &s->go_on);
    return NULL;
}

static unsigned free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    close(fd);
    return ntohs(at.sin_port);
}

static int connect_to(unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (unsigned n = 0; n < 500; n++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0)
            return fd;
        close(fd);
        usleep(10000);
    }
    fail_msg("nobody listens on port %u", port);
    return -1;
}

static void send_packet(int fd, const char *text)
{
    char packet[2000];
    unsigned sum = 0;
    for (const char *c = text; *c; c++)
        sum += (unsigned char)*c;
    int n = snprintf(packet, sizeof packet, "$%s#%02x", text, sum & 255);
    assert_int_equal(write(fd, packet, (size_t)n), n);
}

/* What is between $ and #; the checksum must be right. */
static void take_packet(int fd, char *out, size_t most)
{
    char c = 0, digits[3] = "";
    unsigned sum = 0;
    size_t n = 0;
    while (c != '$')
        assert_int_equal(read(fd, &c, 1), 1);
    while (read(fd, &c, 1) == 1 && c != '#') {
        sum += (unsigned char)c;
        if (n + 1 < most)
            out[n++] = c;
    }
    out[n] = 0;
    assert_int_equal(read(fd, digits, 1) + read(fd, digits + 1, 1), 2);
    assert_int_equal(strtoul(digits, NULL, 16), sum & 255);
    assert_int_equal(write(fd, "+", 1), 1);
}

static void ask(int fd, const char *question, const char *answer)
{
    char got[8192];
    send_packet(fd, question);
    take_packet(fd, got, sizeof got);
    if (strcmp(got, answer) != 0)
        fail_msg("%s: '%s', not '%s'", question, got, answer);
}

static void session(void **state)
{
    (void)state;
    struct machine_params params = {.sdram = 1 << 20, .level = exec_best_level()};
    /* mov r0,5; add r1,r0; st r1,(r2); nop; sleep */
    static const uint8_t code[] = {0x50, 0x60, 0x01, 0x42, 0x21, 0x09, 0x01, 0x00, 0x02, 0x00};
    struct session s = {.m = machine_new(&params), .port = free_port()};
    pthread_t thread;
    char text[8192];
    assert_true(machine_write(s.m, 0x1000, code, sizeof code));
    machine_set_pc(s.m, 0x1000);
    machine_set_register(s.m, 2, 0x2000);
    assert_int_equal(pthread_create(&thread, NULL, serve, &s), 0);
    int fd = connect_to(s.port);

    send_packet(fd, "qSupported:swbreak+");
    take_packet(fd, text, sizeof text);
    assert_non_null(strstr(text, "qXfer:features:read+"));
    send_packet(fd, "qXfer:features:read:target.xml:0,fff");
    take_packet(fd, text, sizeof text);
    assert_int_equal(text[0], 'l');
    assert_non_null(strstr(text, "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\" regnum=\"31\"/>"));
    ask(fd, "qXfer:features:read:target.xml:0,5", "m<?xml");
    ask(fd, "Hg0", "OK");
    ask(fd, "m1000,4", "50600142");
    ask(fd, "M3000,2:abcd", "OK");
    ask(fd, "m3000,2", "abcd");
    ask(fd, "m70000000,4", "E01");
    ask(fd, "p2", "00200000");
    ask(fd, "P3=78563412", "OK");
    assert_int_equal(machine_register(s.m, 3), 0x12345678);
    ask(fd, "s", "T05thread:1;");
    ask(fd, "p0", "05000000");
    ask(fd, "p1f", "02100000");
    ask(fd, "Z0,1004,2", "OK");
    ask(fd, "c", "T05hwbreak:;thread:1;");
    ask(fd, "p1f", "04100000");
    ask(fd, "p1", "05000000");
    ask(fd, "z0,1004,2", "OK");
    ask(fd, "Z2,2000,4", "OK");
    ask(fd, "c", "T05watch:2000;thread:1;");
    ask(fd, "m2000,4", "05000000");
    ask(fd, "p1f", "06100000");
    ask(fd, "z2,2000,4", "OK");
    ask(fd, "P0=00000000", "OK");
    ask(fd, "vCont?", "vCont;c;s");
    ask(fd, "vCont;c", "W00");
    ask(fd, "unknown", "");
    ask(fd, "D", "OK");
    pthread_join(thread, NULL);
    close(fd);
    assert_int_equal(s.status, STATUS_FINE);
    assert_int_equal(s.stop, MACHINE_SLEEP);
    assert_true(s.go_on);
    machine_free(s.m);
}

TEST_MAIN(TEST(session))
