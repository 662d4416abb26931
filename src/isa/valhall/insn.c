/* insn.c - one instruction by itself (weft/insn.h): decoding, its text, and an example of each row. */
#include "base/bytes.h"
#include "isa/insn.h"
#include "isa/text.h"
#include "isa/valhall/flow.h"
#include "isa/valhall/table.h"
#include "isa/valhall/parse_words.h"

#include <ctype.h>
#include <string.h>

enum { SIZE = 8, LEFT_OVER = 0 /* in reserved: bytes that are not a whole word */ };

const char *const valhall_unit_names[] = {"FMA", "CVT", "SFU", "message", "LS", "V", "T", "VT"};

/* ---- decoding ---- */

/* Where a branch goes depends on its source and its offset. */
static void set_branch(struct weft_insn *out, const struct valhall_row *row, uint64_t word)
{
    struct valhall_insn insn;
    valhall_read_as(row, word, &insn);
    struct valhall_way way = valhall_way_of(&insn);
    if (insn.flow == VALHALL_END) {
        out->flow = WEFT_FLOW_END;
        out->conditional = way.next != VALHALL_NOWHERE;
        return;
    }
    if (way.target == VALHALL_NOWHERE && !way.outside)
        return; /* never taken */
    out->flow = WEFT_FLOW_BRANCH;
    out->conditional = way.conditional;
    out->has_target = way.target != VALHALL_NOWHERE;
    if (out->has_target)
        out->target = out->address + SIZE * (uint64_t)(insn.imm[0] + 1);
}

static void set_flow(struct weft_insn *out, const struct valhall_row *row, uint64_t word)
{
    static const uint8_t flows[] = {[VALHALL_WAY_NEXT] = WEFT_FLOW_NEXT,
                                    [VALHALL_WAY_KILL] = WEFT_FLOW_DISCARD,
                                    [VALHALL_WAY_MEET] = WEFT_FLOW_BARRIER};
    uint64_t control = valhall_get_field(word, VALHALL_FIELD_FLOW);
    enum valhall_way_kind kind = row->form->way;
    out->waits = valhall_waits((unsigned)control);
    if (kind == VALHALL_WAY_BRANCH || kind == VALHALL_WAY_INDIRECT || kind == VALHALL_WAY_BLEND_PATH) {
        set_branch(out, row, word);
        return;
    }
    out->flow = (weft_flow)flows[kind];
    out->conditional = kind == VALHALL_WAY_KILL;
    if (control == VALHALL_END) {
        out->flow = WEFT_FLOW_END;
        out->conditional = false;
    } else if (control == VALHALL_DISCARD && kind == VALHALL_WAY_NEXT) {
        out->flow = WEFT_FLOW_END; /* of helper lanes */
        out->conditional = true;
    }
}

static bool set_unknown(struct weft_insn *out, const struct valhall_row *row, enum valhall_fault fault, uint64_t word)
{
    weft_bits bits = valhall_fault_bits(valhall_table(), row, fault, word);
    out->fault = !word  ? "a word of zeros is not an instruction"
                 : !row ? "no instruction has these opcodes"
                        : valhall_fault_names[fault];
    out->fault_bit = bits.bit;
    out->fault_width = bits.width;
    return false;
}

static bool decode(const struct isa_decoder *d, size_t size, struct weft_insn *out)
{
    (void)d;
    if (size < SIZE) {
        out->fault = "an instruction has 8 bytes";
        out->reserved[LEFT_OVER] = size;
        return false;
    }
    uint64_t word = valhall_word_at(out->bytes);
    const struct valhall_table *t = valhall_table();
    const struct valhall_row *row = valhall_row_by_opcode(t, word);
    enum valhall_fault fault = row ? valhall_fault_of(t, row, word) : VALHALL_FIXED_BITS;
    out->size = SIZE;
    if (fault != VALHALL_FINE)
        return set_unknown(out, row, fault, word);
    out->nrows = 1;
    out->rows[0] = (uint32_t)(row - t->rows);
    out->unit = valhall_unit_names[row->unit];
    set_flow(out, row, word);
    int slot = valhall_slot(row, word);
    out->signals = slot >= 0 ? 1u << slot : 0;
    out->effects = row->form->effects | (slot >= 0 ? WEFT_EFFECT_MESSAGE : 0) | (out->waits ? WEFT_EFFECT_WAITS : 0);
    return true;
}

/* ---- text ---- */

static size_t text(const struct isa_decoder *d, const struct weft_insn *insn, const struct weft_format *format,
                   char *out)
{
    (void)d;
    char *end;
    const char *name = insn->has_target && format && format->name ? format->name(format->user, insn->target) : NULL;
    if (!insn->size)
        end = valhall_print_tail(out, insn->bytes, (unsigned)insn->reserved[LEFT_OVER]);
    else if (name)
        end = valhall_print_named(out, valhall_word_at(insn->bytes), name);
    else
        end = valhall_print_word(out, valhall_word_at(insn->bytes));
    return (size_t)(end - out);
}

static int token(const char *word, size_t length, bool first)
{
    if (first)
        return WEFT_TOKEN_MNEMONIC;
    if (isdigit((unsigned char)*word))
        return WEFT_TOKEN_NUMBER;
    bool numbered = length > 1 && (*word == 'r' || *word == 'u') && isdigit((unsigned char)word[1]);
    return numbered || *word == '@' || valhall_is_special(word, length) ? WEFT_TOKEN_REGISTER : WEFT_TOKEN_MODIFIER;
}

/* ---- examples ---- */

/* Each field 0 where that is legal, else the first number that is; a destination is written whole. */
static uint64_t example_of(const struct valhall_row *row, const struct valhall_layout *l)
{
    uint64_t word = l->value;
    for (unsigned i = 0; i < l->nfields; i++) {
        const struct valhall_bits *b = &l->fields[i];
        if (b->field == VALHALL_FIELD_HALVES)
            word |= valhall_put_field(VALHALL_FIELD_HALVES, 3);
        else if (b->allowed)
            word |= (uint64_t)__builtin_ctz(b->allowed) << b->at;
    }
    if (row->form->older)
        word |= valhall_put_field(row->form->second, row->second);
    return word;
}

static size_t form(const struct isa_decoder *d, uint32_t number, uint32_t which, uint8_t *bytes, const char **name)
{
    (void)d;
    (void)name;
    const struct valhall_table *t = valhall_table();
    const struct valhall_row *row = &t->rows[number];
    if (which > 0)
        return 0;
    uint64_t word = example_of(row, &t->layouts[number]);
    if (valhall_row_of(word) != row)
        return 0; /* an older name whose words all have another one */
    bytes_put(bytes, word, SIZE);
    return SIZE;
}

const struct isa_insn_ops valhall_insn_ops = {.decode = decode,
                                              .operands = valhall_operands,
                                              .fields = valhall_insn_fields,
                                              .text = text,
                                              .token = token,
                                              .form = form};
