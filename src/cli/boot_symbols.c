/* boot_symbols.c - see boot_symbols.h. The symbols are the labels of a listing. */
#include "cli/boot_symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct symbol {
    uint64_t address;
    const char *name; /* in the listing */
};

struct boot_symbols {
    char *text; /* the listing, with zeros for the colons of labels */
    struct symbol *list; /* by address */
    size_t count;
};

bool boot_is_elf(const struct cli_bytes *image)
{
    return image->size >= 4 && memcmp(image->data, "\177ELF", 4) == 0;
}

/* Labels are lines of their own: NAME and a colon. */
static void find_labels(struct boot_symbols *s, const weft_place *places, size_t nplaces)
{
    char *end;
    size_t k = 0;
    s->list = cli_kept(calloc(strlen(s->text) / 2 + 1, sizeof *s->list));
    for (char *line = s->text; k < nplaces && (end = strchr(line, '\n')); line = end + 1) {
        if ((size_t)(line - s->text) >= places[k].line) {
            k++;
        } else if (end > line + 1 && end[-1] == ':' && !memchr(line, ' ', (size_t)(end - line))) {
            end[-1] = '\0';
            s->list[s->count++] = (struct symbol){places[k].address, line};
        }
    }
}

struct boot_symbols *boot_symbols_of(const struct cli_bytes *image)
{
    struct boot_symbols *s = cli_kept(calloc(1, sizeof *s));
    weft_program_options options;
    weft_program *program = NULL;
    weft_place *places = NULL;
    size_t nplaces = 0;
    weft_program_options_init(&options);
    if (boot_is_elf(image) &&
        weft_program_from_bytes("vpu", image->name, (const uint8_t *)image->data, image->size, &options, NULL,
                                &program) == WEFT_OK &&
        weft_program_listing(program, &s->text, NULL, &places, &nplaces) == WEFT_OK)
        find_labels(s, places, nplaces);
    weft_free(places);
    weft_program_free(program);
    return s;
}

void boot_symbols_free(struct boot_symbols *s)
{
    if (!s)
        return;
    free(s->list);
    weft_free(s->text);
    free(s);
}

/* The last one at or before an address; NULL: none. */
static const struct symbol *symbol_before(const struct boot_symbols *s, uint64_t address)
{
    const struct symbol *found = NULL;
    for (size_t low = 0, high = s->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (s->list[middle].address <= address) {
            found = &s->list[middle];
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return found;
}

bool boot_symbols_find(const struct boot_symbols *s, const char *name, uint64_t *address)
{
    const char **names = cli_kept(calloc(s->count + 1, sizeof *names));
    char hint[400];
    bool found = false;
    for (size_t i = 0; i < s->count && !found; i++) {
        names[i] = s->list[i].name;
        found = strcmp(names[i], name) == 0;
        *address = found ? s->list[i].address : *address;
    }
    if (found && *address % 2)
        cli_message("--entry %s: instructions are at even addresses, not at 0x%" PRIx64, name, *address);
    if (!found)
        cli_message("--entry %s: the image has no such symbol%s", name,
                    cli_nearest(name, names, s->count, hint, sizeof hint));
    free(names);
    return found && *address % 2 == 0;
}

const char *boot_symbols_name(void *symbols, uint64_t address)
{
    const struct symbol *found = symbol_before(symbols, address);
    return found && found->address == address ? found->name : NULL;
}

void boot_instruction(const struct boot_symbols *s, const weft_machine *m, const weft_decoder *decoder,
                      uint8_t bytes[BOOT_LONGEST], weft_insn *insn, char *text)
{
    uint32_t pc = weft_machine_register(m, WEFT_MACHINE_PC);
    size_t size = BOOT_LONGEST;
    const weft_format format = {.size = sizeof format, .name = boot_symbols_name, .user = (void *)(uintptr_t)s};
    while (size && weft_machine_read(m, pc, bytes, size) != WEFT_OK)
        size -= 2; /* the end of the memory */
    weft_insn_decode(decoder, bytes, size, pc, insn);
    weft_insn_text(decoder, insn, &format, text, WEFT_INSN_TEXT, NULL, NULL);
}

int boot_symbols_where(const struct boot_symbols *s, const weft_machine *m, char *text, size_t size)
{
    uint32_t pc = weft_machine_register(m, WEFT_MACHINE_PC);
    const struct symbol *before = symbol_before(s, pc);
    weft_decoder_options options = {.size = sizeof options};
    weft_decoder *decoder = NULL;
    uint8_t bytes[BOOT_LONGEST] = {0};
    char line[WEFT_INSN_TEXT];
    weft_insn insn;
    if (weft_decoder_new("vpu", &options, &decoder) != WEFT_OK)
        cli_kept(NULL);
    boot_instruction(s, m, decoder, bytes, &insn, line);
    weft_decoder_free(decoder);
    if (!before)
        return snprintf(text, size, "0x%" PRIx32 ": %s", pc, line);
    if (before->address == pc)
        return snprintf(text, size, "0x%" PRIx32 ", %s: %s", pc, before->name, line);
    return snprintf(text, size, "0x%" PRIx32 ", %s + 0x%" PRIx64 ": %s", pc, before->name, pc - before->address, line);
}
