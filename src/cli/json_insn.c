/* json_insn.c - a decoded instruction as JSON. */
#include "cli/insn_names.h"
#include "cli/isa_bits.h"
#include "cli/json.h"
#include "cli/cli.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *number_or_null(bool have, uint64_t value)
{
    return have ? json_integer((json_int_t)value) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return text ? json_of_text(text) : json_null();
}

static json_t *json_of_register(const weft_register *r)
{
    return r->file ? json_pack("{s:s, s:i}", "file", r->file, "number", (int)r->number) : json_null();
}

static json_t *json_of_components(uint32_t set)
{
    json_t *list = json_array();
    for (int c = 0; c < 4; c++)
        if (set >> c & 1)
            json_array_append_new(list, json_stringn(&"xyzw"[c], 1));
    return list;
}

static json_t *json_of_numbers(uint32_t set)
{
    json_t *list = json_array();
    for (int i = 0; i < 32; i++)
        if (set >> i & 1)
            json_array_append_new(list, json_integer(i));
    return list;
}

static void set_memory(json_t *j, const weft_operand *o)
{
    json_object_set_new(j, "space", text_or_null(o->space));
    json_object_set_new(j, "base", json_of_register(&o->base));
    json_object_set_new(j, "index", json_of_register(&o->index));
    json_object_set_new(j, "scale", json_integer(o->scale));
    json_object_set_new(j, "displacement", json_integer((json_int_t)o->displacement));
}

static void set_register(json_t *j, const weft_operand *o)
{
    json_object_set_new(j, "register", json_of_register(&o->reg));
    json_object_set_new(j, "shift", json_integer(o->shift));
    if (o->indirect)
        json_object_set_new(j, "index", json_of_register(&o->index));
    if (o->has_dimension)
        json_object_set_new(j, "dimension", json_integer(o->dimension));
    if (!o->components)
        return;
    json_object_set_new(j, "components", json_of_components(o->components));
    if (o->access & WEFT_READ) {
        char swizzle[5] = {0};
        for (int c = 0; c < 4; c++)
            swizzle[c] = "xyzw"[o->swizzle[c] & 3];
        json_object_set_new(j, "swizzle", json_string(swizzle));
    }
}

static json_t *json_of_operand(const weft_operand *o)
{
    static const char *const kinds[] = {"register", "immediate", "memory", "target", "resource"};
    static const char *const roles[] = {"plain", "predicate", "implied"};
    json_t *j = json_object(), *modifiers = json_array();
    json_object_set_new(j, "kind", json_string(kinds[o->kind]));
    json_object_set_new(j, "role", json_string(roles[o->role]));
    json_object_set_new(j, "type", json_string(insn_operand_type_name(o->type)));
    json_object_set_new(j, "part", json_integer(o->part));
    json_object_set_new(j, "read", json_boolean(o->access & WEFT_READ));
    json_object_set_new(j, "written", json_boolean(o->access & WEFT_WRITE));
    json_object_set_new(j, "width", json_integer(o->width));
    json_object_set_new(j, "count", json_integer(o->count));
    if (o->kind == WEFT_OPERAND_REGISTER || o->kind == WEFT_OPERAND_RESOURCE)
        set_register(j, o);
    else if (o->kind == WEFT_OPERAND_MEMORY)
        set_memory(j, o);
    else
        json_object_set_new(j, "integer", json_integer((json_int_t)o->integer));
    if (o->kind == WEFT_OPERAND_IMMEDIATE && o->type == WEFT_TYPE_FLOAT)
        json_object_set_new(j, "number", json_real(o->number));
    for (int i = 0; i < WEFT_OPERAND_MODIFIERS && o->modifiers[i]; i++)
        json_array_append_new(modifiers, json_of_text(o->modifiers[i]));
    json_object_set_new(j, "modifiers", modifiers);
    return j;
}

static json_t *json_of_field(const weft_field *f)
{
    json_t *j = json_object(), *pieces = json_array();
    for (uint32_t p = 0; p < f->npieces; p++)
        json_array_append_new(pieces, json_pack("{s:i, s:i}", "bit", f->pieces[p].bit, "width", f->pieces[p].width));
    json_object_set_new(j, "name", json_of_text(f->name));
    json_object_set_new(j, "kind", json_string(insn_field_kind_name(f->kind)));
    json_object_set_new(j, "part", json_integer(f->part));
    json_object_set_new(j, "pieces", pieces);
    json_object_set_new(j, "value", json_integer((json_int_t)f->value));
    json_object_set_new(j, "word", f->word[0] ? json_of_text(f->word) : json_null());
    return j;
}

static json_t *json_of_operands(const weft_decoder *decoder, const weft_insn *insn)
{
    weft_operand operands[WEFT_INSN_OPERANDS];
    json_t *list = json_array();
    size_t n = weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_of_operand(&operands[i]));
    return list;
}

static json_t *json_of_fields(const weft_decoder *decoder, const weft_insn *insn)
{
    weft_field fields[WEFT_INSN_FIELDS];
    json_t *list = json_array();
    size_t n = weft_insn_fields(decoder, insn, fields, WEFT_INSN_FIELDS);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_of_field(&fields[i]));
    return list;
}

static json_t *json_of_mnemonic(const weft_isa_row *row)
{
    return json_of_text(row->mnemonic);
}

static json_t *json_of_rows(const weft_decoder *decoder, const weft_insn *insn, json_t *(*make)(const weft_isa_row *))
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < insn->nrows; i++) {
        weft_isa_row row;
        if (weft_isa_get_row(weft_decoder_isa(decoder), insn->rows[i], &row))
            json_array_append_new(list, make(&row));
    }
    return list;
}

json_t *json_of_insn_rows(const weft_decoder *decoder, const weft_insn *insn)
{
    return json_of_rows(decoder, insn, json_of_row);
}

static void set_flow(json_t *j, const weft_insn *insn)
{
    json_t *effects = json_array();
    for (unsigned i = 0; i < INSN_EFFECTS; i++)
        if (insn->effects >> i & 1)
            json_array_append_new(effects, json_string(insn_effects[i].name));
    json_object_set_new(j, "flow", json_string(weft_flow_name(insn->flow)));
    json_object_set_new(j, "conditional", json_boolean(insn->conditional));
    json_object_set_new(j, "target", number_or_null(insn->has_target, insn->target));
    json_object_set_new(j, "effects", effects);
    json_object_set_new(j, "waits", json_of_numbers(insn->waits));
    json_object_set_new(j, "signals", json_of_numbers(insn->signals));
    json_object_set_new(j, "unit", text_or_null(insn->unit));
}

json_t *json_of_insn(const weft_decoder *decoder, const weft_insn *insn)
{
    char text[WEFT_INSN_TEXT], bytes[3 * 256 + 1] = "";
    json_t *j = json_object();
    for (uint32_t i = 0; i < insn->size && i < 256; i++)
        snprintf(bytes + 2 * i, 3, "%02x", insn->bytes[i]);
    weft_insn_text(decoder, insn, NULL, text, sizeof text, NULL, NULL);
    json_object_set_new(j, "address", json_integer((json_int_t)insn->address));
    json_object_set_new(j, "size", json_integer(insn->size));
    json_object_set_new(j, "bytes", json_string(bytes));
    json_object_set_new(j, "text", json_of_text(text));
    json_object_set_new(j, "known", json_boolean(insn->nrows != 0));
    json_object_set_new(j, "fault", text_or_null(insn->fault));
    if (insn->nrows == 0)
        return j;
    json_object_set_new(j, "mnemonics", json_of_rows(decoder, insn, json_of_mnemonic));
    set_flow(j, insn);
    json_object_set_new(j, "operands", json_of_operands(decoder, insn));
    json_object_set_new(j, "fields", json_of_fields(decoder, insn));
    return j;
}

json_t *json_of_reference(const weft_isa *isa, size_t index)
{
    weft_isa_row row;
    weft_decoder *decoder;
    weft_isa_get_row(isa, index, &row);
    json_t *o = json_of_row(&row), *forms = json_array();
    struct isa_form *form = cli_kept(malloc(sizeof *form));
    for (uint32_t number = 0; form && isa_form_get(isa, (uint32_t)index, number, form); number++) {
        weft_decoder_options how = {sizeof how, form->chip, form->stage};
        if (weft_decoder_new(weft_isa_name(isa), &how, &decoder) != WEFT_OK)
            break;
        json_t *f = json_of_insn(decoder, &form->insn);
        json_object_set_new(f, "name", json_of_text(form->name));
        json_array_append_new(forms, f);
        weft_decoder_free(decoder);
    }
    free(form);
    json_object_set_new(o, "forms", forms);
    return o;
}
