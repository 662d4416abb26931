/* libFuzzer: programs made of valid instructions in any order are checked; an error has a message. Eight bytes that are
 * no instruction choose a row and fill its fields, so that control flow and messages come about. */
#include "isa/valhall/table.h"

#include "insn_change.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 4096 };

static uint64_t instruction(const struct valhall_table *t, const uint8_t *bytes)
{
    uint64_t bits;
    memcpy(&bits, bytes, 8);
    if (valhall_row_of(bits))
        return bits;
    unsigned row = (unsigned)(bits >> 48) % VALHALL_OPS;
    const struct valhall_layout *l = &t->layouts[row];
    /* Branches lead near. */
    uint64_t word = (bits & ~l->mask) | l->value;
    if (t->rows[row].form->way == VALHALL_WAY_BRANCH)
        word = bits & 1 ? word & ~(0x7FFFFE0ull << 8) : word | 0x7FFFFE0ull << 8;
    return word;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct isa_params params = {.stage = -1};
    weft_diags *diags = weft_diags_new();
    struct isa_module *m = valhall_module(&params, &arena);
    uint32_t count = (uint32_t)(size / 8 < LONGEST ? size / 8 : LONGEST);
    m->words = ARENA_ARRAY(&arena, uint64_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        m->words[m->nwords++] = instruction(valhall_table(), data + 8 * (size_t)i);
    weft_status status = valhall_check(m, NULL, &params, diags);
    if (status != (weft_diags_errors(diags) ? WEFT_ERROR_INPUT : WEFT_OK))
        abort();
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return change_program(decoder_of("valhall"), 0, data, size, most, seed);
}
