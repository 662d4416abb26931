/* fields.c - the bit fields of one instruction, with what their numbers mean (weft/insn.h). */
#include "isa/insn.h"
#include "isa/valhall/names.h"
#include "isa/valhall/table.h"

#include <string.h>

/* ".rte"; words that are never written are named without the dot. */
static void set_word(struct weft_field *f, const char *before, const char *word)
{
    if (word)
        snprintf(f->word, sizeof f->word, "%s%s", strcmp(word, "none") == 0 ? "" : before, word);
}

static void set_modifier(struct weft_field *f, const struct valhall_field *m)
{
    if (m->words)
        set_word(f, ".", m->words[f->value]);
    else if (f->value)
        set_word(f, ".", m->name);
}

/* What an operand's field means: registers, sources and what is written after these. */
static void set_operand(struct weft_field *f, const struct valhall_bits *b, uint64_t word)
{
    static const char *const halves[] = {NULL, ".h0", ".h1", NULL};
    static const char *const signs[] = {".neg", ".neg", ".neg", ".abs", ".abs", ".abs", ".not"};
    unsigned page = (unsigned)valhall_get_field(word, VALHALL_FIELD_PAGE);
    if (b->select) {
        set_word(f, ".", valhall_picks[b->select].picks[f->value].name);
    } else if (b->field >= VALHALL_FIELD_SOURCE_0 && b->field <= VALHALL_FIELD_SOURCE_3) {
        set_word(f, "", valhall_source_text(page, (unsigned)f->value));
    } else if (b->field == VALHALL_FIELD_DST || b->field == VALHALL_FIELD_STAGING || b->field == VALHALL_FIELD_RETURN) {
        snprintf(f->word, sizeof f->word, "r%u", (unsigned)f->value);
    } else if (b->field == VALHALL_FIELD_HALVES) {
        set_word(f, "", halves[f->value]);
    } else if (b->field >= VALHALL_FIELD_NEG_A && b->field <= VALHALL_FIELD_NOT_C && f->value) {
        set_word(f, "", signs[b->field - VALHALL_FIELD_NEG_A]);
    }
}

size_t valhall_insn_fields(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_field *fields)
{
    (void)d;
    const struct valhall_table *t = valhall_table();
    const struct valhall_row *row = &t->rows[insn->rows[0]];
    const struct valhall_layout *l = &t->layouts[insn->rows[0]];
    uint64_t word = valhall_word_at(insn->bytes);
    size_t n = 0;
    for (unsigned i = 0; i < l->nfields; i++) {
        const struct valhall_bits *b = &l->fields[i];
        struct weft_field *f = insn_field(fields, &n, insn, b->name, (weft_field_kind)b->kind, b->at, b->size);
        if (b->field == VALHALL_FIELD_OPCODE)
            set_word(f, "", row->name);
        else if (b->field == VALHALL_FIELD_FLOW)
            set_word(f, ".", valhall_flow_names[f->value]);
        else if (valhall_fields[b->field].role == VALHALL_ROLE_MODIFIER)
            set_modifier(f, &valhall_fields[b->field]);
        else
            set_operand(f, b, word);
    }
    return n;
}
