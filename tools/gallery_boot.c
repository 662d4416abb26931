/* gallery_boot.c - see gallery_boot.h. */
#include "gallery_boot.h"

#include "device/machine/machine.h"
#include "isa/vpu/vpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1000000000, LARGEST = 4096 };

bool gallery_is_boot(const struct gallery_entry *e)
{
    size_t n = strlen(e->file);
    return n > 4 && strcmp(e->file + n - 4, ".vpu") == 0;
}

/* The program's bytes, in the arena. */
static uint8_t *assemble(const struct gallery_entry *e, struct arena *arena, size_t *size, weft_diags *diags)
{
    struct cli_bytes text;
    struct isa_params params = {.stage = -1};
    struct isa_module *module;
    uint8_t *bytes = NULL;
    if (!cli_read(e->file, &text))
        return NULL;
    struct source src = {e->file, text.data, text.size};
    if (isa_vpu.parse(&src, &params, arena, &module, diags) != WEFT_OK ||
        isa_vpu.encode(module, arena, &bytes, size, diags) != WEFT_OK)
        bytes = NULL;
    free(text.data);
    return bytes;
}

static bool run(const struct gallery_entry *e, struct machine *m, const uint8_t *bytes, size_t size, weft_diags *diags)
{
    if (machine_load(m, e->file, bytes, size, 0, diags) != WEFT_OK)
        return false;
    if (machine_run(m, LIMIT) == MACHINE_SLEEP && machine_register(m, 0) == 0)
        return true;
    cli_message("'%s' does not end asleep with r0 = 0: it is at %#x", e->file, machine_pc(m));
    return false;
}

static bool take_frame(const struct gallery_entry *e, struct machine *m, struct image *out)
{
    unsigned address, width, height;
    if (sscanf(e->more, "%x %ux%u", &address, &width, &height) != 3 || !width || !height || width > LARGEST ||
        height > LARGEST) {
        cli_message("'%s': a frame is ADDRESS WIDTHxHEIGHT, not '%s'", e->name, e->more);
        return false;
    }
    size_t size = (size_t)width * height * 4;
    *out = (struct image){width, height, malloc(size)};
    if (out->rgba && machine_read(m, address, out->rgba, size))
        return true;
    cli_message("'%s': there is no frame at %#x", e->name, address);
    return false;
}

bool gallery_boot(const struct gallery_entry *e, struct image *out, weft_diags *diags)
{
    struct arena arena = {0};
    struct machine_params params = {.level = exec_best_level()};
    struct machine *m = machine_new(&params);
    size_t size = 0;
    uint8_t *bytes = assemble(e, &arena, &size, diags);
    bool fine = m && bytes && run(e, m, bytes, size, diags) && take_frame(e, m, out);
    machine_free(m);
    arena_free(&arena);
    return fine;
}
