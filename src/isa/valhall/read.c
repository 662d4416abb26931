/* read.c - words to instructions: the row, and everything that its rules read from the word. */
#include "isa/valhall/names.h"
#include "isa/valhall/table.h"

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
    if (byte < VALHALL_BYTE_UNIFORM) {
        s->kind = VALHALL_REGISTER;
        s->index = (uint8_t)index;
    } else if (byte < VALHALL_BYTE_CONSTANT) {
        s->kind = VALHALL_UNIFORM;
        s->index = (uint8_t)(index + 64 * page);
    } else if (byte < VALHALL_BYTE_SPECIAL) {
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
        const struct valhall_picks *all = &valhall_picks[rule->select];
        s->pick = &all->picks[word >> rule->select_at & ((1u << all->bits) - 1)];
    }
}

static int64_t read_immediate(const struct valhall_field *rule, uint64_t word)
{
    uint64_t value = word >> rule->at & ((1ull << rule->size) - 1);
    bool negative = rule->is_signed && value >> (rule->size - 1);
    return (int64_t)(negative ? value | ~0ull << rule->size : value);
}

void valhall_read(uint64_t word, struct valhall_insn *insn)
{
    const struct valhall_row *row = valhall_row_of(word);
    if (row)
        valhall_read_as(row, word, insn);
    else
        *insn = (struct valhall_insn){.word = word};
}

void valhall_read_as(const struct valhall_row *row, uint64_t word, struct valhall_insn *insn)
{
    *insn = (struct valhall_insn){.word = word, .row = row};
    insn->flow = (uint8_t)valhall_get_field(word, VALHALL_FIELD_FLOW);
    insn->page = (uint8_t)valhall_get_field(word, VALHALL_FIELD_PAGE);
    insn->nsrc = row->nsrc;
    insn->nstaging = row->nstaging;
    insn->nimm = row->nimm;
    insn->has_dst = row->has_dst;
    if (row->has_dst) {
        insn->dst = (uint8_t)valhall_get_field(word, VALHALL_FIELD_DST);
        insn->dst_mask = (uint8_t)valhall_get_field(word, VALHALL_FIELD_HALVES);
    }
    for (unsigned i = 0; i < row->nsrc; i++)
        read_source(&insn->src[i], &row->src[i], word, insn->page);
    for (unsigned i = 0; i < row->nstaging; i++) {
        const struct valhall_staging_rule *s = &row->staging[i];
        insn->staging[i] = (struct valhall_staging){.base = (uint8_t)valhall_get_field(word, s->base),
                                                    .count = (uint8_t)valhall_staging_count(s, word),
                                                    .read = s->read,
                                                    .write = s->write};
    }
    for (unsigned i = 0; i < row->nimm; i++)
        insn->imm[i] = read_immediate(&valhall_fields[row->imm[i]], word);
}

void valhall_insn_at(const struct isa_module *m, uint32_t number, struct valhall_insn *insn)
{
    valhall_read(m->words[number], insn);
    insn->number = number;
}
