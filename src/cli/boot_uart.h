/* boot_uart.h - the host's side of the machine's UARTs: standard input and output, a file, or a pseudo-terminal. */
#ifndef WEFT_CLI_BOOT_UART_H
#define WEFT_CLI_BOOT_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct boot_uart {
    int in, out;      /* -1: none */
    bool pty;
    int other;        /* the side of a pseudo-terminal that a terminal program opens; -1: none */
    uint8_t buffer[4096];
    size_t buffered;
    bool asked;       /* the program looked for input since the last byte that it sent */
    double since;     /* when the first buffered byte came */
    uint8_t input[256];
    size_t input_at, input_end;
    bool ended;       /* no input will come */
    bool failed;      /* a write did */
    bool at_once;     /* every byte is written when it comes: somebody watches it step by step */
    int also;         /* another descriptor whose input ends waiting; -1: none */
};

/* "-": standard input and output; "pty": a new pseudo-terminal, whose name goes to standard error; else a file to
 * write. Says what is wrong and returns false on failure. */
bool boot_uart_open(struct boot_uart *u, const char *where);
/* Writes what is left; of a pseudo-terminal it waits a second for somebody to read it. */
void boot_uart_close(struct boot_uart *u);
void boot_uart_flush(struct boot_uart *u);

/* The functions of struct machine_params; the context is the struct boot_uart. */
void boot_uart_transmit(struct boot_uart *u, uint8_t byte);
int boot_uart_receive(struct boot_uart *u);
bool boot_uart_wait(struct boot_uart *u);
void boot_uart_pass(struct boot_uart *u);

#endif
