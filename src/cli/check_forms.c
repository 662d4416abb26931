/* check_forms.c - what weft check found, as text, JSON, annotations of GitHub's workflows, or SARIF 2.1.0. */
#include "cli/check_forms.h"
#include "cli/cli.h"
#include "cli/json.h"

#include <stdio.h>
#include <string.h>

static const char *const severities[] = {"note", "warning", "error"};

static bool is_shown(const struct check_finding *f, const weft_diag *d)
{
    return !f->quiet || d->severity == WEFT_ERROR;
}

/* ---- text ---- */

static void add_text(const struct check_streams *to, const struct check_finding *f)
{
    cli_report_severity(to->err, f->diags, f->quiet ? WEFT_ERROR : WEFT_NOTE);
}

/* ---- JSON ---- */

static void add_json(const struct check_streams *to, const struct check_finding *f)
{
    json_t *o = json_object(), *shown = json_array(), *all = json_of_diags(f->diags), *one;
    size_t i;
    json_array_foreach(all, i, one) if (is_shown(f, weft_diags_get(f->diags, i))) json_array_append(shown, one);
    json_decref(all);
    json_object_set_new(o, "file", json_of_text(f->file));
    json_object_set_new(o, "status", json_string(weft_status_name(f->status)));
    json_object_set_new(o, "errors", json_integer((json_int_t)weft_diags_errors(f->diags)));
    json_object_set_new(o, "warnings",
                        json_integer((json_int_t)(weft_diags_count(f->diags) - weft_diags_errors(f->diags))));
    json_object_set_new(o, "diagnostics", shown);
    json_array_append_new(to->array, o);
}

/* ---- GitHub: workflow commands, one line each ---- */

/* Characters that end a property or a command are written as % and two digits. */
static void put_escaped(FILE *out, const char *text, bool property)
{
    for (; *text; text++) {
        if (*text == '%' || *text == '\r' || *text == '\n' || (property && (*text == ':' || *text == ',')))
            fprintf(out, "%%%02X", (unsigned char)*text);
        else
            putc(*text, out);
    }
}

static void add_github(const struct check_streams *to, const struct check_finding *f)
{
    static const char *const commands[] = {"notice", "warning", "error"};
    const weft_diag *d;
    FILE *out = to->out;
    for (size_t i = 0; (d = weft_diags_get(f->diags, i)); i++) {
        if (!is_shown(f, d))
            continue;
        fprintf(out, "::%s file=", commands[d->severity]);
        put_escaped(out, d->file && *d->file ? d->file : f->file, true);
        if (d->line)
            fprintf(out, ",line=%u", d->line);
        if (d->column)
            fprintf(out, ",col=%u,endColumn=%u", d->column, d->column + d->length);
        fputs(",title=", out);
        put_escaped(out, d->code, true);
        fputs("::", out);
        if (d->has_address)
            fprintf(out, "address 0x%llx: ", (unsigned long long)d->address);
        put_escaped(out, d->message, false);
        if (d->hint) {
            fputs(" (", out);
            put_escaped(out, d->hint, false);
            putc(')', out);
        }
        putc('\n', out);
    }
}

/* ---- SARIF ---- */

static json_t *sarif_region(const weft_diag *d)
{
    json_t *region = json_object();
    if (d->has_address) {
        json_object_set_new(region, "byteOffset", json_integer((json_int_t)d->address));
        return region;
    }
    json_object_set_new(region, "startLine", json_integer(d->line));
    if (d->column) {
        json_object_set_new(region, "startColumn", json_integer(d->column));
        json_object_set_new(region, "endColumn", json_integer(d->column + d->length));
    }
    return region;
}

static json_t *sarif_result(const struct check_finding *f, const weft_diag *d)
{
    char message[1200];
    snprintf(message, sizeof message, d->hint ? "%s (%s)" : "%s", d->message, d->hint);
    json_t *place =
        json_pack("{s:{s:o}}", "artifactLocation", "uri", json_of_text(d->file && *d->file ? d->file : f->file));
    if (d->line || d->has_address)
        json_object_set_new(place, "region", sarif_region(d));
    return json_pack("{s:o, s:s, s:{s:o}, s:[{s:o}]}", "ruleId", json_of_text(d->code), "level",
                     severities[d->severity], "message", "text", json_of_text(message), "locations", "physicalLocation",
                     place);
}

static void add_sarif(const struct check_streams *to, const struct check_finding *f)
{
    const weft_diag *d;
    for (size_t i = 0; (d = weft_diags_get(f->diags, i)); i++)
        if (is_shown(f, d))
            json_array_append_new(to->array, sarif_result(f, d));
}

/* The rules are the codes that occur. */
static json_t *sarif_rules(json_t *results)
{
    json_t *rules = json_array(), *seen = json_object(), *result;
    size_t i;
    json_array_foreach(results, i, result)
    {
        const char *id = json_string_value(json_object_get(result, "ruleId"));
        if (id && !json_object_get(seen, id)) {
            json_object_set_new(seen, id, json_true());
            json_array_append_new(rules, json_pack("{s:s}", "id", id));
        }
    }
    json_decref(seen);
    return rules;
}

static int end_sarif(const char *elements, size_t size)
{
    json_t *results = json_of_elements(elements, size);
    if (!results) {
        cli_message("out of memory");
        return STATUS_INPUT;
    }
    json_t *rules = sarif_rules(results);
    return json_show(json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o}]}", "version", "2.1.0", "$schema",
                               "https://json.schemastore.org/sarif-2.1.0.json", "runs", "tool", "driver", "name",
                               "weft", "version", weft_version(), "rules", rules,
                               "results", results));
}

const struct check_form *check_form_find(const char *name)
{
    static const struct check_form forms[] = {
        {"text", add_text, 0, NULL},
        {"json", add_json, JSON_INDENT(1), json_show_elements},
        {"github", add_github, 0, NULL},
        {"sarif", add_sarif, JSON_COMPACT, end_sarif},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].name, name) == 0)
            return &forms[i];
    return NULL;
}
