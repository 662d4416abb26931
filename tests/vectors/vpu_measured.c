/* What was measured on silicon: single instructions of hardware.tsv and whole programs of hardware-programs.txt, each
 * run on the machine and compared. Usage: vpu_measured FILE; prints what differs. Exit status 0: nothing does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/machine/machine.h"

enum { CODE = 0x1000, LINE = 4096, PAGE = 0x20000, DUMP = 0x30000 };

static struct machine *new_machine(void)
{
    struct machine_params params = {.sdram = 1 << 20, .level = exec_best_level()};
    return machine_new(&params);
}

/* ---- single instructions ---- */

struct input {
    char set[4];
    unsigned row, column, width;
    uint32_t value[16];
};

struct inputs {
    struct input list[32];
    unsigned count;
};

static void read_values(const char *text, uint32_t value[16])
{
    char *end = (char *)(uintptr_t)text;
    for (unsigned i = 0; i < 16; i++)
        value[i] = (uint32_t)strtoul(end, &end, 16);
}

/* "# S1 A=HX(60,0) = ..." or "# S3 H(60,16) = ..." */
static void take_input(struct inputs *in, const char *line)
{
    struct input *x = &in->list[in->count];
    const char *at = strchr(line, 'H'), *values = strstr(line, ") = ");
    if (in->count == 32 || !at || !values || sscanf(line, "# %3s", x->set) != 1)
        return;
    x->width = at[1] == 'X' ? 2 : 1;
    if (sscanf(strchr(at, '('), "(%u,%u)", &x->row, &x->column) != 2)
        return;
    read_values(values + 4, x->value);
    in->count++;
}

static void put_input(struct machine *m, const struct input *x)
{
    unsigned shift = x->width == 1 ? x->column / 16 * 8 : x->column / 32 * 16;
    uint32_t mask = (x->width == 1 ? 0xffu : 0xffffu) << shift;
    for (unsigned i = 0; i < 16; i++)
        machine_set_vector(m, x->row, i, (machine_vector(m, x->row, i) & ~mask) | x->value[i] << shift);
}

static size_t read_bytes(const char *digits, uint8_t *bytes, size_t most)
{
    size_t n = 0;
    unsigned byte;
    for (; n < most && sscanf(digits + 2 * n, "%2x", &byte) == 1; n++)
        bytes[n] = (uint8_t)byte;
    return n;
}

static bool run_line(const struct inputs *in, char *line)
{
    char *column[6], *at = line;
    for (unsigned i = 0; i < 6; i++) {
        column[i] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = 0;
        else if (i < 5)
            return false;
    }
    struct machine *m = new_machine();
    uint8_t bytes[16];
    size_t size = read_bytes(column[1], bytes, 10);
    for (unsigned i = 0; i < in->count; i++)
        if (strcmp(in->list[i].set, column[0]) == 0)
            put_input(m, &in->list[i]);
    bytes[size] = bytes[size + 1] = 0; /* bkpt */
    machine_write(m, CODE, bytes, size + 2);
    machine_set_pc(m, CODE);
    bool fine = machine_run(m, 10) == MACHINE_BREAKPOINT;
    uint32_t want[16], width = (uint32_t)atoi(column[4]), mask = width == 4 ? ~0u : (1u << 8 * width) - 1;
    read_values(column[5], want);
    for (unsigned i = 0; i < 16; i++) {
        uint32_t got = machine_vector(m, (unsigned)atoi(column[3]), i) & mask;
        if (got != want[i]) {
            printf("%s %s, lane %u: %x, not %x\n", column[0], column[2], i, got, want[i]);
            fine = false;
        }
    }
    machine_free(m);
    return fine;
}

static bool run_single(FILE *f, unsigned *count)
{
    static struct inputs in;
    char line[LINE];
    bool fine = true;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#') {
            take_input(&in, line);
        } else {
            fine &= run_line(&in, line);
            ++*count;
        }
    }
    return fine;
}

/* ---- whole programs ---- */

/* Registers and memory as the two descriptions say. */
static void prepare(struct machine *m, const char *name, const struct inputs *in)
{
    uint8_t page[4096], halves[64];
    for (unsigned i = 0; i < sizeof page; i++)
        page[i] = (uint8_t)(i + 1);
    machine_write(m, PAGE, page, sizeof page);
    for (unsigned i = 0; i < 32; i++) {
        uint32_t v = in->list[i / 16].value[i & 15];
        halves[2 * i] = (uint8_t)v;
        halves[2 * i + 1] = (uint8_t)(v >> 8);
    }
    machine_write(m, PAGE + 0x1000, halves, sizeof halves);
    machine_set_register(m, 0, DUMP);
    machine_set_register(m, 1, PAGE);
    if (strcmp(name, "layout") == 0) {
        machine_set_register(m, 2, 16);
        machine_set_register(m, 4, 3);
    }
    machine_set_register(m, 26, 0x800); /* lr: a bkpt */
}

static bool compare_row(struct machine *m, const char *name, const char *line)
{
    unsigned row;
    int digits;
    uint8_t want[64], got[64];
    if (sscanf(line, "row %u %n", &row, &digits) != 1 || read_bytes(line + digits, want, 64) != 64)
        return false;
    for (unsigned i = 0; i < 64; i++)
        got[i] = (uint8_t)(machine_vector(m, row, i / 4) >> 8 * (i & 3));
    if (strcmp(name, "accmix") == 0) {
        uint8_t dumped[64];
        if (!machine_read(m, DUMP + 64 * row, dumped, 64) || memcmp(dumped, got, 64) != 0) {
            printf("%s: row %u was not dumped as it is\n", name, row);
            return false;
        }
    }
    if (memcmp(got, want, 64) == 0)
        return true;
    printf("%s: row %u is ", name, row);
    for (unsigned i = 0; i < 64; i++)
        printf("%02x", got[i]);
    printf("\n");
    return false;
}

static bool run_programs(FILE *f, const struct inputs *in, unsigned *count)
{
    char line[LINE], name[32] = "";
    struct machine *m = NULL;
    bool fine = true;
    while (fgets(line, sizeof line, f)) {
        uint8_t code[LINE / 2];
        if (sscanf(line, "program %31[a-z]", name) == 1) {
            machine_free(m);
            m = new_machine();
            prepare(m, name, in);
        } else if (strncmp(line, "code ", 5) == 0) {
            size_t size = read_bytes(line + 5, code, sizeof code - 2);
            code[size] = code[size + 1] = 0;
            machine_write(m, CODE, code, size + 2);
            machine_set_pc(m, CODE);
            fine &= machine_run(m, 10000) == MACHINE_BREAKPOINT;
            ++*count;
        } else if (strncmp(line, "row ", 4) == 0) {
            fine &= compare_row(m, name, line);
        }
    }
    machine_free(m);
    return fine;
}

/* A1 and B1 of hardware.tsv, which lies beside. */
static void read_inputs(const char *path, struct inputs *in)
{
    char beside[LINE], line[LINE];
    const char *slash = strrchr(path, '/');
    snprintf(beside, sizeof beside, "%.*shardware.tsv", slash ? (int)(slash - path) + 1 : 0, path);
    FILE *f = fopen(beside, "r");
    while (f && fgets(line, sizeof line, f))
        if (line[0] == '#')
            take_input(in, line);
    if (f)
        fclose(f);
}

int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!f)
        return EXIT_FAILURE;
    static struct inputs in;
    unsigned count = 0;
    size_t length = strlen(argv[1]);
    bool table = length > 4 && strcmp(argv[1] + length - 4, ".tsv") == 0;
    if (!table)
        read_inputs(argv[1], &in);
    bool fine = table ? run_single(f, &count) : run_programs(f, &in, &count);
    fclose(f);
    printf("%u %s\n", count, table ? "instructions" : "programs");
    return fine && count ? EXIT_SUCCESS : EXIT_FAILURE;
}
