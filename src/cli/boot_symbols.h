/* boot_symbols.h - names of addresses of an ELF executable, and where its program is. */
#ifndef WEFT_CLI_BOOT_SYMBOLS_H
#define WEFT_CLI_BOOT_SYMBOLS_H

#include "cli/cli.h"

#include <stdbool.h>
#include <stdint.h>
#include <weft/machine.h>

bool boot_is_elf(const struct cli_bytes *image);

struct boot_symbols;

/* The symbols of an image; none, if it is a flat one or has none. Free them. */
struct boot_symbols *boot_symbols_of(const struct cli_bytes *image);
void boot_symbols_free(struct boot_symbols *s);

/* The address of a name. False, having said so: there is none. */
bool boot_symbols_find(const struct boot_symbols *s, const char *name, uint64_t *address);

/* The name of an address, for weft_format; NULL: it has none. `symbols` is a struct boot_symbols. */
const char *boot_symbols_name(void *symbols, uint64_t address);

/* "0x30, again + 0x24: ld r0,(r1)": the instruction at pc. As snprintf. */
int boot_symbols_where(const struct boot_symbols *s, const weft_machine *m, char *text, size_t size);

/* The instruction at pc, in a text of WEFT_INSN_TEXT characters; its bytes are in `bytes`. */
enum { BOOT_LONGEST = 16 };
void boot_instruction(const struct boot_symbols *s, const weft_machine *m, const weft_decoder *decoder,
                      uint8_t bytes[BOOT_LONGEST], weft_insn *insn, char *text);

#endif
