/* boot_uart.c - see boot_uart.h. */
#include "cli/boot_uart.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds that a byte waits for more, and for a reader at the end; until it has come to the other side. */
enum { LATE = 10, DRAIN = 1000, ARRIVAL = 100 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A line as a UART has it: no echo, and bytes come as they are sent, not when a line ends. */
static void make_raw(int fd)
{
    struct termios t;
    if (fd < 0 || tcgetattr(fd, &t) != 0)
        return;
    t.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP | BRKINT);
    t.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    tcsetattr(fd, TCSANOW, &t);
}

static bool open_pty(struct boot_uart *u)
{
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    const char *name = fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0 ? ptsname(fd) : NULL;
    if (!name) {
        cli_message("cannot make a pseudo-terminal: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    fprintf(stderr, "weft boot: the UART is %s\n", name);
    u->in = u->out = fd;
    u->pty = true;
    u->other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    make_raw(u->other);
    return true;
}

bool boot_uart_open(struct boot_uart *u, const char *where)
{
    *u = (struct boot_uart){.in = -1, .out = -1, .also = -1, .other = -1};
    if (strcmp(where, "-") == 0) {
        u->in = STDIN_FILENO;
        u->out = STDOUT_FILENO;
        return true;
    }
    if (strcmp(where, "pty") == 0)
        return open_pty(u);
    u->ended = true;
    u->out = open(where, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (u->out < 0)
        cli_message("cannot write '%s': %s", where, strerror(errno));
    return u->out >= 0;
}

void boot_uart_flush(struct boot_uart *u)
{
    size_t done = 0;
    while (done < u->buffered) {
        ssize_t n = write(u->out, u->buffer + done, u->buffered - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            u->failed = true;
            break;
        }
        done += (size_t)n;
    }
    u->buffered = 0;
}

/* What nobody has read is lost when a pseudo-terminal is closed. What was written is not at once what can be read: the
 * system moves it when it gets to it. */
static void drain(const struct boot_uart *u)
{
    double begin = seconds(), now = begin;
    int left = 0;
    while (u->other >= 0 && ioctl(u->other, FIONREAD, &left) == 0 &&
           now < begin + (left > 0 ? DRAIN : ARRIVAL) * 1e-3) {
        poll(NULL, 0, 5);
        now = seconds();
    }
}

void boot_uart_close(struct boot_uart *u)
{
    boot_uart_flush(u);
    drain(u);
    if (u->other >= 0)
        close(u->other);
    if (u->out > STDERR_FILENO)
        close(u->out);
}

void boot_uart_transmit(struct boot_uart *u, uint8_t byte)
{
    if (u->out < 0)
        return;
    if (u->buffered == 0)
        u->since = seconds();
    u->asked = false;
    u->buffer[u->buffered++] = byte;
    if (u->buffered == sizeof u->buffer || byte == '\n' || u->at_once)
        boot_uart_flush(u);
}

/* Reads what is there; waits for it up to `timeout` milliseconds, -1: for ever. */
static bool fill(struct boot_uart *u, int timeout)
{
    struct pollfd p = {.fd = u->in, .events = POLLIN};
    if (u->in < 0 || u->ended || poll(&p, 1, timeout) <= 0)
        return false;
    ssize_t n = read(u->in, u->input, sizeof u->input);
    if (n <= 0) {
        u->ended = n == 0 || (errno != EINTR && errno != EAGAIN && !u->pty);
        return false;
    }
    u->input_at = 0;
    u->input_end = (size_t)n;
    return true;
}

/* A program that looks at its UART once for each byte is sending; one that looks again waits for an answer. */
int boot_uart_receive(struct boot_uart *u)
{
    if (u->asked && u->buffered)
        boot_uart_flush(u);
    u->asked = true;
    if (u->input_at == u->input_end && !fill(u, 0))
        return -1;
    return u->input[u->input_at++];
}

void boot_uart_pass(struct boot_uart *u)
{
    if (u->buffered && seconds() - u->since > LATE * 1e-3)
        boot_uart_flush(u);
}

bool boot_uart_wait(struct boot_uart *u)
{
    struct pollfd p[2] = {{.fd = u->in, .events = POLLIN}, {.fd = u->also, .events = POLLIN}};
    boot_uart_flush(u);
    if (u->also >= 0 && !u->ended && u->input_at == u->input_end && poll(p, 2, -1) > 0 && p[1].revents)
        return true;
    return u->input_at < u->input_end || fill(u, -1);
}
