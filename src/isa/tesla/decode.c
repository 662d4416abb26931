/* decode.c - bytes to a module. What is not an instruction of the chip, or not in programs of this type, is data. */
#include "isa/tesla/decode.h"

#include "isa/tesla/cubin.h"
#include "isa/tesla/flow.h"
#include "isa/tesla/table.h"

#include "base/bytes.h"

#include <string.h>

/* The instruction or the data at p, of which `left` bytes are left. Long instructions are at multiples of 8. */
static inline void decode_one(const struct tesla_tables *t, const struct tesla_target *target, const uint8_t *p,
                              size_t left, struct tesla_insn *insn)
{
    insn->row = NULL;
    insn->word = 0;
    if (left < 4) {
        insn->unit = 1;
        insn->size = (uint32_t)left;
        for (size_t i = 0; i < left; i++)
            insn->word |= (uint64_t)p[i] << i * 8;
        return;
    }
    insn->word = bytes_word(p);
    insn->size = 4;
    insn->unit = 4;
    bool is_long = tesla_is_long(insn->word);
    if (is_long && left < 8)
        return;
    if (is_long) {
        insn->word |= (uint64_t)bytes_word(p + 4) << 32;
        insn->size = 8;
    }
    if (!is_long || insn->address % 8 == 0)
        insn->row = tesla_find_row(t, insn->word, target);
}

void tesla_decode_one(const struct tesla_target *target, const uint8_t *p, size_t left, struct tesla_insn *insn)
{
    decode_one(tesla_tables(), target, p, left, insn);
}

static bool too_large(size_t size, uint64_t base, const char *name, weft_diags *diags)
{
    if (size <= TESLA_LONGEST && base < TESLA_CODE_SPACE && base % 4 == 0)
        return false;
    diag_add(diags, WEFT_ERROR, "too-large", name, NULL,
             "%zu bytes of code at 0x%llx: code is less than 1 GiB, and at a multiple of 4 below 0x1000000", size,
             (unsigned long long)base);
    return true;
}

bool tesla_start_code(struct isa_module *m, const uint8_t *bytes, size_t size, struct arena *arena)
{
    m->bytes = arena_alloc(arena, size + 8);
    m->insns = arena_alloc(arena, (size / 4 + 1) * sizeof *m->insns);
    if (!m->bytes || !m->insns)
        return false;
    if (size)
        memcpy(m->bytes, bytes, size);
    m->size = (uint32_t)size;
    return true;
}

void tesla_decode_code(struct isa_module *m, uint32_t offset, uint32_t size, uint32_t address)
{
    const struct tesla_tables *t = tesla_tables();
    for (uint32_t at = 0; at < size;) {
        struct tesla_insn *insn = &m->insns[m->ninsns++];
        insn->address = address + at;
        insn->offset = offset + at;
        decode_one(t, &m->target, m->bytes + offset + at, size - at, insn);
        at += insn->size;
    }
}

weft_status tesla_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                         struct arena *arena, struct isa_module **out, weft_diags *diags)
{
    struct source text = {name, (const char *)bytes, size};
    *out = NULL;
    if (tesla_is_cubin(text.text, size))
        return tesla_read_cubin(&text, params, arena, out, diags);
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    if (!m)
        return WEFT_ERROR_MEMORY;
    if (too_large(size, params->base, name, diags))
        return WEFT_ERROR_INPUT;
    tesla_set_up_module(m, params, name);
    if (!tesla_start_code(m, bytes, size, arena))
        return WEFT_ERROR_MEMORY;
    tesla_decode_code(m, 0, (uint32_t)size, (uint32_t)params->base);
    if (!tesla_check_entry(m, arena, diags))
        return WEFT_ERROR_INPUT;
    *out = m;
    return WEFT_OK;
}
