/* isa_bits.c - the forms of an instruction and their bits, for the reference. */
#include "cli/isa_bits.h"

#include "cli/cli.h"

#include <stddef.h>

static bool ask(const weft_isa *isa, const char *chip, weft_stage stage, uint32_t row, uint32_t number,
                struct isa_form *form)
{
    weft_decoder_options how = {sizeof how, chip, stage};
    weft_decoder *decoder;
    weft_status made = weft_decoder_new(weft_isa_name(isa), &how, &decoder);
    if (made == WEFT_ERROR_MEMORY)
        cli_kept(NULL); /* and not as if there were no such form */
    if (made != WEFT_OK)
        return false;
    size_t size = weft_insn_form(decoder, row, number, form->bytes, sizeof form->bytes, &form->name);
    bool found = size && weft_insn_decode(decoder, form->bytes, size, 0, &form->insn) == WEFT_OK;
    if (found)
        form->nfields = weft_insn_fields(decoder, &form->insn, form->fields, WEFT_INSN_FIELDS);
    form->chip = chip;
    form->stage = stage;
    weft_decoder_free(decoder);
    return found;
}

bool isa_form_get(const weft_isa *isa, uint32_t row, uint32_t number, struct isa_form *form)
{
    weft_isa_row info;
    if (ask(isa, NULL, WEFT_STAGE_NONE, row, number, form))
        return true;
    if (!weft_isa_get_row(isa, row, &info))
        return false;
    for (size_t chip = 0; chip == 0 || weft_isa_chip(isa, chip); chip++)
        for (int stage = 0; stage < WEFT_STAGES; stage++)
            if (info.stages >> stage & 1 && ask(isa, weft_isa_chip(isa, chip), (weft_stage)stage, row, number, form))
                return true;
    return false;
}

static bool is_free(const weft_field *f)
{
    return f->kind != WEFT_FIELD_OPCODE && f->kind != WEFT_FIELD_UNUSED;
}

char isa_form_letter(const struct isa_form *form, size_t field)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t n = 0;
    for (size_t i = 0; i < field; i++)
        n += is_free(&form->fields[i]);
    return n < sizeof letters - 1 ? letters[n] : '?';
}

const weft_field *isa_form_field_at(const struct isa_form *form, unsigned bit, unsigned *low, unsigned *width)
{
    for (size_t i = 0; i < form->nfields; i++)
        for (uint32_t p = 0; p < form->fields[i].npieces; p++) {
            weft_bits piece = form->fields[i].pieces[p];
            if (bit < piece.bit || bit >= (unsigned)piece.bit + piece.width)
                continue;
            *low = piece.bit;
            *width = piece.width;
            return &form->fields[i];
        }
    return NULL;
}

/* What a picture shows of one bit. */
static char character(const struct isa_form *form, unsigned bit)
{
    unsigned low, width;
    const weft_field *f = isa_form_field_at(form, bit, &low, &width);
    if (!f || f->kind == WEFT_FIELD_UNUSED)
        return 'x';
    if (is_free(f))
        return isa_form_letter(form, (size_t)(f - form->fields));
    return (char)('0' + (form->bytes[bit / 8] >> bit % 8 & 1));
}

void isa_form_picture(const struct isa_form *form, unsigned unit, char *text)
{
    for (unsigned at = 0; at < form->insn.size; at += unit) {
        unsigned bytes = form->insn.size - at < unit ? form->insn.size - at : unit;
        if (at)
            *text++ = ' ';
        for (unsigned b = bytes * 8; b-- > 0;)
            *text++ = character(form, at * 8 + b);
    }
    *text = '\0';
}
