/* insn.c - one instruction without a module: what decoding it says, its text, its words, an example of each form. */
#include "isa/insn.h"

#include "isa/vpu/flow.h"
#include "isa/vpu/insn.h"
#include "isa/vpu/print.h"

/* ---- decode ---- */

static uint32_t effects_of(const struct vpu_insn *i, const struct vpu_form *f)
{
    const struct vpu_op_row *row = &vpu_ops[i->op];
    uint32_t effects = row->effects;
    bool reads = f->vector ? i->lanes >= VPU_IFZ || row->uses & VPU_CARRY_READ
                           : i->cond < VPU_ALWAYS && !(row->uses & VPU_COMPARES);
    bool writes = f->vector ? i->setf && row->uses & VPU_SETS_LANE_FLAGS : (row->uses & VPU_FLAGS_WRITE) != 0;
    return effects | (reads ? WEFT_EFFECT_READS_FLAGS : 0u) | (writes ? WEFT_EFFECT_WRITES_FLAGS : 0u);
}

/* The halfwords at fault: the first where it begins nothing, else those that follow it. */
static void set_fault(const struct vpu_tables *t, size_t size, struct weft_insn *out)
{
    unsigned first = size < 2 ? 0 : out->bytes[0] | (unsigned)out->bytes[1] << 8, length = vpu_length(first);
    out->reserved[0] = size;
    if (size < 2 || size < length) {
        out->fault = "the bytes end within the instruction";
        return;
    }
    out->size = length;
    out->fault = "no instruction has these bits";
    out->fault_bit = t && t->first[first] != VPU_NO_FORM ? 16 : 0;
    out->fault_width = out->fault_bit ? length * 8 - 16 : 16;
}

static bool decode(const struct isa_decoder *d, size_t size, struct weft_insn *out)
{
    (void)d;
    const struct vpu_tables *t = vpu_tables();
    struct vpu_insn i;
    vpu_decode_with(t, out->bytes, size, (uint32_t)out->address, &i);
    if (i.form == VPU_NO_FORM) {
        set_fault(t, size, out);
        return false;
    }
    const struct vpu_form *f = &t->form[i.form];
    out->size = f->size;
    out->nrows = 1;
    out->rows[0] = vpu_row_of(t, &i);
    out->flow = vpu_flow_of(&i);
    out->conditional = vpu_is_conditional(&i);
    out->has_target = vpu_has_target(&i);
    out->target = out->has_target ? i.target : 0;
    out->effects = effects_of(&i, f);
    out->unit = f->vector ? "vector" : "scalar";
    return true;
}

void vpu_insn_again(const struct weft_insn *insn, struct vpu_insn *out)
{
    vpu_decode_with(vpu_tables(), insn->bytes, insn->size, (uint32_t)insn->address, out);
}

/* ---- text ---- */

static size_t text_of(const struct isa_decoder *d, const struct weft_insn *insn, const struct weft_format *format,
                      char *text)
{
    (void)d;
    bool named = format && format->name;
    struct vpu_printer p = {.tables = vpu_tables(),
                            .names = vpu_names(),
                            .format = named ? format : NULL,
                            .reach = named ? VPU_PERHAPS : VPU_EXACTLY};
    struct vpu_insn i;
    if (!p.tables || !p.names)
        return 0;
    if (!insn->nrows) {
        uint32_t size = insn->size ? insn->size : (uint32_t)insn->reserved[0];
        return (size_t)(vpu_write_data(text, insn->bytes, size) - text);
    }
    vpu_insn_again(insn, &i);
    return (size_t)(vpu_write_insn(&p, text, &i) - text);
}

/* H, HX, HY, V, VX, VY before a parenthesis, and the names of scalar registers. */
static int token_of(const char *word, size_t length, bool first)
{
    bool vector =
        (*word == 'H' || *word == 'V') && (length == 1 || (length == 2 && (word[1] == 'X' || word[1] == 'Y')));
    if (*word >= '0' && *word <= '9')
        return WEFT_TOKEN_NUMBER;
    if (first)
        return WEFT_TOKEN_MNEMONIC;
    if (vector || vpu_find_register(word, length) >= 0 || vpu_find_control(word, length) >= 0)
        return WEFT_TOKEN_REGISTER;
    return WEFT_TOKEN_MODIFIER;
}

/* ---- forms: each row is an operation in one form ---- */

static size_t form_of(const struct isa_decoder *d, uint32_t row, uint32_t form, uint8_t *bytes, const char **name)
{
    (void)d;
    const struct vpu_tables *t = vpu_tables();
    if (!t || row >= t->nrows || form != 0)
        return 0;
    const struct vpu_form *f = &t->form[t->row[row].form];
    struct pattern_word word = f->pattern.value;
    vpu_put_number(f, &word, t->row[row].number);
    vpu_put_word(word, f, bytes);
    *name = f->row->name;
    return f->size;
}

const struct isa_insn_ops vpu_insn_ops = {
    .decode = decode,
    .operands = vpu_insn_operands,
    .fields = vpu_insn_fields,
    .text = text_of,
    .token = token_of,
    .form = form_of,
};
