/* json.c - diagnostics and instructions as JSON. */
#include "cli/json.h"
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *kept(size_t size)
{
    return cli_kept(malloc(size ? size : 1));
}

void json_start(void)
{
    json_set_alloc_funcs(kept, free);
}

json_t *json_of_text(const char *text)
{
    json_t *s = json_string(text);
    if (s)
        return s;
    char *copy = cli_kept(strdup(text));
    if (!copy)
        return json_null();
    for (char *p = copy; *p; p++)
        if ((unsigned char)*p >= 0x80)
            *p = '?';
    s = json_string(copy);
    free(copy);
    return s;
}

static json_t *text_or_null(const char *text)
{
    return text ? json_of_text(text) : json_null();
}

json_t *json_of_diags(const weft_diags *diags)
{
    static const char *const severities[] = {"note", "warning", "error"};
    json_t *list = json_array();
    const weft_diag *d;
    for (size_t i = 0; (d = weft_diags_get(diags, i)); i++) {
        json_t *o = json_object();
        json_object_set_new(o, "severity", json_string(severities[d->severity]));
        json_object_set_new(o, "code", json_of_text(d->code));
        json_object_set_new(o, "file", json_of_text(d->file));
        json_object_set_new(o, "line", json_integer(d->line));
        json_object_set_new(o, "column", json_integer(d->column));
        json_object_set_new(o, "length", json_integer(d->length));
        json_object_set_new(o, "address", d->has_address ? json_integer((json_int_t)d->address) : json_null());
        json_object_set_new(o, "message", json_of_text(d->message));
        json_object_set_new(o, "hint", text_or_null(d->hint));
        json_array_append_new(list, o);
    }
    return list;
}

json_t *json_of_isa(const weft_isa *isa)
{
    json_t *o = json_object();
    json_t *chips = json_array();
    const char *chip;
    for (size_t i = 0; (chip = weft_isa_chip(isa, i)); i++)
        json_array_append_new(chips, json_of_text(chip));
    json_object_set_new(o, "name", json_of_text(weft_isa_name(isa)));
    json_object_set_new(o, "title", json_of_text(weft_isa_title(isa)));
    json_object_set_new(o, "document", json_of_text(weft_isa_document(isa)));
    json_object_set_new(o, "chips", chips);
    json_object_set_new(o, "unit", json_integer((json_int_t)weft_isa_unit(isa)));
    return o;
}

/* An array of the lines of a text. */
static json_t *lines_of(const char *text)
{
    json_t *list = json_array();
    for (const char *at = text ? text : ""; *at;) {
        size_t n = strcspn(at, "\n");
        json_array_append_new(list, json_stringn(at, n));
        at += n + (at[n] != 0);
    }
    return list;
}

json_t *json_of_row(const weft_isa_row *row)
{
    json_t *o = json_object();
    json_t *stages = json_array();
    for (int s = 0; s < WEFT_STAGES; s++)
        if (row->stages >> s & 1)
            json_array_append_new(stages, json_string(weft_stage_name((weft_stage)s)));
    json_object_set_new(o, "mnemonic", json_of_text(row->mnemonic));
    json_object_set_new(o, "syntax", json_of_text(row->syntax));
    json_object_set_new(o, "pattern", json_of_text(row->pattern));
    json_object_set_new(o, "group", json_of_text(row->group));
    json_object_set_new(o, "operands", json_of_text(row->operands));
    json_object_set_new(o, "unit", text_or_null(row->unit));
    json_object_set_new(o, "modifiers", lines_of(row->modifiers));
    json_object_set_new(o, "chips", text_or_null(row->chips));
    json_object_set_new(o, "stages", stages);
    json_object_set_new(o, "provenance", json_string(weft_provenance_name(row->provenance)));
    json_object_set_new(o, "difference", text_or_null(row->difference));
    json_object_set_new(o, "reason", text_or_null(row->reason));
    json_object_set_new(o, "executes", json_boolean(row->executes));
    json_object_set_new(o, "doc", json_of_text(row->doc));
    return o;
}

int json_show(json_t *value)
{
    int failed = json_dumpf(value, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(value);
    if (failed)
        cli_message("cannot write the result as JSON");
    return failed ? STATUS_INPUT : STATUS_FINE;
}

bool json_put_elements(const json_t *array, size_t flags, FILE *out)
{
    if (!json_array_size(array))
        return true;
    char *text = cli_kept(json_dumps(array, flags));
    if (!text)
        return false;
    size_t size = strlen(text) - 1; /* without the bracket at the end, nor the end of the line before it */
    size -= text[size - 1] == '\n';
    text[0] = ',';
    bool fine = fwrite(text, 1, size, out) == size;
    free(text);
    return fine;
}

int json_show_elements(const char *elements, size_t size)
{
    fputs("[", stdout);
    if (size)
        fwrite(elements + 1, 1, size - 1, stdout);
    fputs(size ? "\n]\n" : "]\n", stdout);
    return STATUS_FINE;
}

json_t *json_of_elements(const char *elements, size_t size)
{
    if (!size)
        return json_array();
    char *text = malloc(size + 1);
    if (!text)
        return NULL;
    memcpy(text, elements, size);
    text[0] = '[';
    text[size] = ']';
    json_t *array = json_loadb(text, size + 1, 0, NULL);
    free(text);
    return array;
}
