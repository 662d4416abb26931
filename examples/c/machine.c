/* machine.c - a bare VPU program with a memory-mapped device of your own (weft/machine.h).
 *
 *     cc machine.c -o machine $(pkg-config --cflags --libs weft) && ./machine
 *
 * The device has three words: reading the first gives the next number of a list, 0 at its end; what is stored to the
 * second is shown; storing to the third raises interrupt 100, whose handler acknowledges it by storing 0 there. */
#include <stdio.h>
#include <string.h>
#include <weft/weft.h>

enum { NUMBER = 0, SHOW = 4, LINE = 8, DEVICE = 0x7e300000, INTERRUPT = 100 };

static const char text[] = "        mov     sp, 0x8000\n"
                           "        mov     r6, 0x7e300000          ; the device\n"
                           "        mov     r7, 0x7e002000          ; interrupt controller: table, priority of 100\n"
                           "        lea     r1, table\n"
                           "        st      r1, (r7+0x30)\n"
                           "        mov     r1, 0x70000\n"
                           "        st      r1, (r7+0x20)\n"
                           "        ei\n"
                           "next:   ld      r1, (r6)\n"
                           "        add     r2, r1                  ; the sum\n"
                           "        cmp     r1, 0\n"
                           "        bne     next\n"
                           "        st      r2, (r6+4)\n"
                           "        mov     r1, 1\n"
                           "        st      r1, (r6+8)              ; interrupts itself\n"
                           "        b       on\n"
                           "on:     mov     r0, 0\n"
                           "        sleep\n"
                           "handler: mov    r3, 0\n"
                           "        st      r3, (r6+8)\n"
                           "        add     r2, 1000\n"
                           "        st      r2, (r6+4)\n"
                           "        rti\n"
                           "        .balign 512\n"
                           "table:  .zero   400                     ; entries 0 to 99\n"
                           "        .word   handler\n"
                           "        .zero   108\n";

struct device {
    const uint32_t *numbers;
    size_t left;
};

static int load(void *context, weft_machine *machine, uint32_t offset, unsigned size, uint32_t *value)
{
    struct device *d = context;
    (void)machine;
    if (offset != NUMBER || size != 4)
        return 0; /* nothing is there: an exception of the program */
    *value = d->left ? *d->numbers : 0;
    d->numbers += d->left > 0;
    d->left -= d->left > 0;
    return 1;
}

static int store(void *context, weft_machine *machine, uint32_t offset, unsigned size, uint32_t value)
{
    (void)context;
    (void)size;
    if (offset == SHOW)
        printf("the program shows %u\n", (unsigned)value);
    if (offset == LINE)
        weft_machine_raise(machine, INTERRUPT, value != 0);
    return offset == SHOW || offset == LINE;
}

static void show_messages(const weft_diags *diags)
{
    char message[1000];
    for (size_t i = 0; i < weft_diags_count(diags); i++) {
        weft_diag_format(weft_diags_get(diags, i), 0, message, sizeof message);
        fprintf(stderr, "%s\n", message);
    }
}

/* Text to bytes to the machine's memory. */
static weft_status put_program(weft_machine *machine, weft_diags *diags)
{
    weft_program *program;
    uint8_t *bytes = NULL;
    size_t size;
    weft_status status = weft_program_from_text("vpu", "machine", text, strlen(text), NULL, diags, &program);
    if (status != WEFT_OK)
        return status;
    status = weft_program_bytes(program, &bytes, &size, diags);
    if (status == WEFT_OK)
        status = weft_machine_load(machine, "machine", bytes, size, 0, diags);
    weft_free(bytes);
    weft_program_free(program);
    return status;
}

int main(void)
{
    static const uint32_t numbers[] = {3, 14, 15, 92, 65};
    struct device state = {numbers, sizeof numbers / sizeof numbers[0]};
    const weft_device device = {
        .size = sizeof device, .first = DEVICE, .bytes = 12, .context = &state, .load = load, .store = store};
    const weft_machine_options options = {.size = sizeof options, .sdram = 1 << 20};
    weft_diags *diags = weft_diags_new();
    weft_machine *machine = NULL;
    weft_status status = weft_machine_new(&options, diags, &machine);
    if (status == WEFT_OK)
        status = put_program(machine, diags);
    if (status == WEFT_OK)
        status = weft_machine_add_device(machine, &device, diags);
    if (status == WEFT_OK) {
        char why[200];
        for (int i = 0; i < 3; i++) { /* single steps */
            printf("at 0x%x\n", (unsigned)weft_machine_register(machine, WEFT_MACHINE_PC));
            weft_machine_run(machine, 1);
        }
        weft_machine_stop_text(machine, weft_machine_run(machine, 100000), why, sizeof why);
        printf("%s\nr2 = %u\n", why, (unsigned)weft_machine_register(machine, 2));
    }
    show_messages(diags);
    weft_machine_free(machine);
    weft_diags_free(diags);
    return status == WEFT_OK ? 0 : 1;
}
