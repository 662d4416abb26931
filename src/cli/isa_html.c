/* isa_html.c - the reference of instruction sets as web pages: plain HTML, one page an instruction set. */
#include "cli/isa_html.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>\n"
    "body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }\n"
    "code, dt { font-family: monospace; }\n"
    "table { border-collapse: collapse; }\n"
    "td, th { text-align: left; padding: .1em 1.5em .1em 0; vertical-align: top; }\n"
    "nav a { display: inline-block; min-width: 6em; font-family: monospace; }\n"
    "section { border-top: 1px solid #ccc; margin-top: 1.5em; }\n"
    ".not { color: #a00; }\n"
    "</style>\n";

static void escaped(FILE *f, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        case '&':
            fputs("&amp;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        default:
            fputc(*text, f);
        }
    }
}

static void element(FILE *f, const char *tag, const char *text)
{
    fprintf(f, "<%s>", tag);
    escaped(f, text);
    fprintf(f, "</%s>\n", tag);
}

static void field(FILE *f, const char *name, const char *value)
{
    if (!value || !value[0])
        return;
    fprintf(f, "<tr><th>%s</th><td>", name);
    escaped(f, value);
    fputs("</td></tr>\n", f);
}

static void row_section(FILE *f, const weft_isa_row *row, size_t index)
{
    fprintf(f, "<section id=\"r%zu\">\n", index);
    element(f, "h3", row->mnemonic);
    element(f, "p", row->doc);
    fputs("<table>\n", f);
    field(f, "Syntax", row->syntax);
    field(f, "Operands", row->operands);
    for (const char *at = row->modifiers ? row->modifiers : ""; *at;) {
        char line[400];
        size_t n = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, at);
        field(f, "Modifier", line);
        at += n + (at[n] != 0);
    }
    field(f, "Encoding", row->pattern);
    field(f, "Chips", row->chips);
    fputs("<tr><th>Stages</th><td>", f);
    for (int s = 0; s < WEFT_STAGES; s++)
        if (row->stages >> s & 1)
            fprintf(f, "%s ", weft_stage_name((weft_stage)s));
    fputs("</td></tr>\n", f);
    field(f, "Provenance", weft_provenance_name(row->provenance));
    field(f, "Difference", row->reason);
    fputs(row->executes ? "<tr><th>Executes</th><td>yes</td></tr>\n"
                        : "<tr><th>Executes</th><td class=\"not\">not yet</td></tr>\n", f);
    fputs("</table>\n</section>\n", f);
}

static void isa_page(FILE *f, const weft_isa *isa)
{
    weft_isa_row row;
    fputs(HEAD, f);
    element(f, "title", weft_isa_title(isa));
    element(f, "h1", weft_isa_title(isa));
    fputs("<p>Source document: ", f);
    escaped(f, weft_isa_document(isa));
    fprintf(f, ". <a href=\"index.html\">All instruction sets</a>.</p>\n<nav>\n");
    for (size_t i = 0; weft_isa_get_row(isa, i, &row); i++) {
        fprintf(f, "<a href=\"#r%zu\">", i);
        escaped(f, row.mnemonic);
        fputs("</a>\n", f);
    }
    fputs("</nav>\n", f);
    char group[128] = "";
    for (size_t i = 0; weft_isa_get_row(isa, i, &row); i++) {
        if (strncmp(group, row.group, sizeof group - 1) != 0) {
            snprintf(group, sizeof group, "%s", row.group);
            element(f, "h2", group);
        }
        row_section(f, &row, i);
    }
    fputs("</html>\n", f);
}

static void index_page(FILE *f, const weft_isa *only)
{
    const weft_isa *isa;
    fputs(HEAD, f);
    element(f, "title", "Instruction sets of weft");
    element(f, "h1", "Instruction sets of weft");
    fputs("<table>\n<tr><th>Name</th><th>What it is</th><th>Instructions</th></tr>\n", f);
    for (size_t i = 0; (isa = weft_isa_get(i)); i++) {
        if (only && isa != only)
            continue;
        fprintf(f, "<tr><td><a href=\"%s.html\">%s</a></td><td>", weft_isa_name(isa), weft_isa_name(isa));
        escaped(f, weft_isa_title(isa));
        fprintf(f, "</td><td>%zu</td></tr>\n", weft_isa_rows(isa));
    }
    fputs("</table>\n</html>\n", f);
}

typedef void page_fn(FILE *f, const weft_isa *isa);

static int write_page(const char *folder, const char *name, page_fn *page, const weft_isa *isa)
{
    char path[4096], *html = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&html, &size);
    if (f)
        page(f, isa);
    if (!f || fclose(f) != 0) {
        cli_message("out of memory");
        free(html);
        return STATUS_INPUT;
    }
    int status = STATUS_INPUT;
    if (snprintf(path, sizeof path, "%s/%s.html", folder, name) < (int)sizeof path)
        status = cli_write(path, html, size);
    else
        cli_message("the name '%s' is too long", folder);
    free(html);
    return status;
}

int isa_html_write(const char *folder, const weft_isa *only)
{
    const weft_isa *isa;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        cli_message("cannot make the folder '%s': %s", folder, strerror(errno));
        return STATUS_INPUT;
    }
    int status = write_page(folder, "index", index_page, only);
    for (size_t i = 0; status == STATUS_FINE && (isa = weft_isa_get(i)); i++)
        if (!only || isa == only)
            status = write_page(folder, weft_isa_name(isa), isa_page, isa);
    return status;
}
