/* decode.c - words to instructions, bytes to words and back. */
#include "isa/valhall/names.h"
#include "isa/valhall/table.h"

#include <string.h>

const struct valhall_row *valhall_row_of(uint64_t word)
{
    const struct valhall_table *t = valhall_table();
    const struct valhall_row *row = valhall_row_by_opcode(t, word);
    return row && valhall_fault_of(t, row, word) == VALHALL_FINE ? row : NULL;
}

static bool bit(uint64_t word, unsigned at)
{
    return at && (word >> at & 1);
}

static void read_source(struct valhall_source *s, const struct valhall_source_rule *rule, uint64_t word, unsigned page)
{
    unsigned byte = word >> rule->at & 0xFF, index = byte & 63;
    s->size = rule->size;
    s->select = rule->select;
    s->neg = bit(word, rule->neg);
    s->abs = bit(word, rule->abs);
    s->invert = bit(word, rule->invert);
    s->last = byte >> 6 == 1;
    if (byte < 0x80) {
        s->kind = VALHALL_REGISTER;
        s->index = (uint8_t)index;
    } else if (byte < 0xC0) {
        s->kind = VALHALL_UNIFORM;
        s->index = (uint8_t)(index + 64 * page);
    } else if (byte < 0xE0) {
        s->kind = VALHALL_CONSTANT;
        s->index = (uint8_t)index;
        s->value = valhall_constants[index];
    } else {
        s->kind = VALHALL_SPECIAL;
        s->index = (uint8_t)(index - 32) / 2;
        s->word = index & 1;
        s->special = (uint8_t)(page * 16 + s->index);
    }
    if (rule->select) {
        unsigned bits;
        int initial;
        const struct valhall_pick *picks = valhall_picks(rule->select, &bits, &initial);
        s->pick = &picks[word >> rule->select_at & ((1u << bits) - 1)];
    }
}

static int64_t read_immediate(const struct valhall_immediate_rule *rule, uint64_t word)
{
    uint64_t value = word >> rule->at & ((1ull << rule->size) - 1);
    bool negative = rule->is_signed && value >> (rule->size - 1);
    return (int64_t)(negative ? value | ~0ull << rule->size : value);
}

void valhall_read(uint64_t word, struct valhall_insn *insn)
{
    const struct valhall_row *row = valhall_row_of(word);
    *insn = (struct valhall_insn){.word = word, .row = row};
    if (!row)
        return;
    insn->flow = word >> 59 & 15;
    insn->page = word >> 57 & 3;
    insn->nsrc = row->nsrc;
    insn->nstaging = row->nstaging;
    insn->nimm = row->nimm;
    insn->has_dst = row->has_dst;
    if (row->has_dst) {
        insn->dst = word >> 40 & 63;
        insn->dst_mask = word >> 46 & 3;
    }
    for (unsigned i = 0; i < row->nsrc; i++)
        read_source(&insn->src[i], &row->src[i], word, insn->page);
    for (unsigned i = 0; i < row->nstaging; i++) {
        const struct valhall_staging_rule *s = &row->staging[i];
        insn->staging[i] = (struct valhall_staging){.base = word >> s->at & 63,
                                                    .count = (uint8_t)valhall_staging_count(s, word),
                                                    .read = s->read,
                                                    .write = s->write};
    }
    for (unsigned i = 0; i < row->nimm; i++)
        insn->imm[i] = read_immediate(&row->imm[i], word);
}

void valhall_insn_at(const struct isa_module *m, uint32_t number, struct valhall_insn *insn)
{
    valhall_read(m->words[number], insn);
    insn->number = number;
}

struct isa_module *valhall_module(const struct isa_params *params, struct arena *arena)
{
    struct isa_module *m = ARENA_NEW(arena, struct isa_module);
    if (m)
        *m = (struct isa_module){.base = params->base,
                                 .strict = params->strict,
                                 .stage = params->stage,
                                 .linkage = params->linkage,
                                 .put_labels = params->labels};
    return m;
}

static uint64_t little_endian(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (unsigned k = 8; k-- > 0;)
        word = word << 8 | bytes[k];
    return word;
}

weft_status valhall_decode(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                           struct arena *arena, struct isa_module **out, weft_diags *diags)
{
    (void)diags; /* what is not an instruction is data */
    *out = NULL;
    struct isa_module *m = valhall_module(params, arena);
    uint64_t *words = m ? ARENA_ARRAY(arena, uint64_t, size / 8 + 1) : NULL;
    if (!words)
        return WEFT_ERROR_MEMORY;
    m->words = words;
    m->nwords = (uint32_t)(size / 8);
    m->name = name ? arena_strndup(arena, name, strlen(name)) : NULL;
    m->ntail = (uint8_t)(size % 8);
    memcpy(m->tail, bytes + (size - m->ntail), m->ntail);
    for (uint32_t i = 0; i < m->nwords; i++)
        words[i] = little_endian(bytes + 8 * (size_t)i);
    *out = m;
    return WEFT_OK;
}

weft_status valhall_encode(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                           weft_diags *diags)
{
    (void)diags; /* every word has an encoding */
    *size = 8 * (size_t)m->nwords + m->ntail;
    *bytes = ARENA_ARRAY(arena, uint8_t, *size + 1);
    if (!*bytes)
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < m->nwords; i++)
        for (unsigned k = 0; k < 8; k++)
            (*bytes)[8 * (size_t)i + k] = (uint8_t)(m->words[i] >> 8 * k);
    memcpy(*bytes + 8 * (size_t)m->nwords, m->tail, m->ntail);
    return WEFT_OK;
}

/* Zero words fill programs up to a whole number of cache lines: they are nothing unknown. */
size_t valhall_unknown(const struct isa_module *m)
{
    size_t unknown = m->ntail != 0;
    for (uint32_t i = 0; i < m->nwords; i++)
        unknown += m->words[i] != 0 && !valhall_row_of(m->words[i]);
    return unknown;
}
