/* isa_html.c - the reference of instruction sets as web pages: a manual for each, with chapters and bit pictures. */
#include "cli/isa_html.h"
#include "cli/cli.h"
#include "cli/isa_bits.h"
#include "base/text_stream.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>\n"
    ":root { --line: #ccc; --soft: #f4f4f2; --code: #e6eefc; --field: #fdf3dc; --dim: #666; color-scheme: light dark; "
    "}\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --line: #444; --soft: #202224; --code: #22314d; --field: #43381c; --dim: #aaa; } }\n"
    "body { font: 15px/1.5 sans-serif; margin: 0; display: flex; }\n"
    "nav { width: 17em; flex: none; height: 100vh; overflow-y: auto; position: sticky; top: 0; padding: 1em;\n"
    "  box-sizing: border-box; border-right: 1px solid var(--line); background: var(--soft); }\n"
    "nav a { display: inline-block; margin-right: .8em; font: 13px monospace; text-decoration: none; }\n"
    "nav h2 { font-size: 14px; margin: 1em 0 .2em; }\n"
    "nav input { display: block; width: 100%; box-sizing: border-box; margin-top: .6em; font: inherit; }\n"
    "nav [hidden] { display: none; }\n"
    "main { max-width: 70em; padding: 1em 2em; min-width: 0; }\n"
    "section { border-top: 1px solid var(--line); margin-top: 1.5em; }\n"
    "section:target h3, tr:target { background: var(--code); }\n"
    "h3 { font-family: monospace; font-size: 18px; margin: .8em 0 .2em; }\n"
    "h3 a { color: inherit; text-decoration: none; }\n"
    "code { font: 14px monospace; overflow-wrap: anywhere; }\n"
    ".form { margin: .8em 0 1.4em; }\n"
    ".form > code { font-weight: bold; }\n"
    ".bits { overflow-x: auto; }\n"
    "table.bits { border-collapse: collapse; table-layout: fixed; width: 100%;\n"
    "  min-width: 820px; max-width: 900px; margin: .3em 0; }\n"
    "table.bits td { border: 1px solid var(--line); text-align: center; font: 12px monospace; padding: 2px 0; }\n"
    "table.bits td span { writing-mode: vertical-rl; display: inline-block; max-height: 118px; line-height: 1.1;\n"
    "  padding: 3px 0; vertical-align: middle; }\n"
    "table.bits td.unused { color: var(--dim); }\n"
    "table.bits td.code { background: var(--code); }\n"
    "table.bits td.field { background: var(--field); }\n"
    "table.bits tr.at td { border: 0; color: var(--dim); font-size: 10px; padding: 0; }\n"
    "table.facts { border-collapse: collapse; }\n"
    "table.facts th { text-align: left; font-weight: normal; color: var(--dim); padding-right: 1.5em;\n"
    "  vertical-align: baseline; }\n"
    "table.facts th.names { font: 14px monospace; color: inherit; padding-right: 1em; white-space: nowrap; }\n"
    "table.list td, table.list th { text-align: left; vertical-align: baseline; padding: .1em 1.5em .1em 0; }\n"
    "@media (max-width: 50em) {\n"
    "  body { display: block; }\n"
    "  nav { width: auto; height: 14em; border: 0; border-bottom: 1px solid var(--line); }\n"
    "  section { scroll-margin-top: 14em; }\n"
    "  main { padding: 1em; } }\n"
    "@media print { nav { display: none; } .form { break-inside: avoid; } }\n"
    "</style>\n";

/* Typing narrows the list of instructions; '/' goes to the box, the return key to the first that is left. */
static const char FINDER[] =
    "<script>\n"
    "const box = document.querySelector('nav input');\n"
    "const list = [...document.querySelectorAll('nav h2, nav a[href^=\"#\"]')];\n"
    "box.oninput = () => {\n"
    "  let chapter, word = box.value.trim().toLowerCase();\n"
    "  for (const e of list)\n"
    "    if (e.tagName == 'H2') { chapter = e; e.hidden = word != ''; }\n"
    "    else if (!(e.hidden = !e.textContent.toLowerCase().includes(word))) chapter.hidden = false;\n"
    "};\n"
    "box.onkeydown = e => {\n"
    "  const word = box.value.trim().toLowerCase(), left = list.filter(a => a.hash && !a.hidden);\n"
    "  const first = left.find(a => a.textContent.toLowerCase() == word) || left[0];\n"
    "  if (e.key == 'Enter' && first) location.hash = first.hash;\n"
    "  if (e.key == 'Escape') { box.value = ''; box.oninput(); box.blur(); }\n"
    "};\n"
    "document.addEventListener('keydown', e => {\n"
    "  if (e.key == '/' && e.target != box) { e.preventDefault(); box.focus(); box.select(); }\n"
    "});\n"
    "</script>\n";

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

static void fact(FILE *f, const char *name, const char *value)
{
    if (!value || !value[0])
        return;
    fprintf(f, "<tr><th>%s</th><td>", name);
    escaped(f, value);
    fputs("</td></tr>\n", f);
}

/* A name as a link has it: letters, digits, '_' and '.' are themselves. */
static void put_name(FILE *f, const char *name)
{
    for (; *name; name++)
        if (isalnum((unsigned char)*name) || *name == '_' || *name == '.')
            fputc(*name, f);
        else
            fprintf(f, "-%02x", (unsigned char)*name);
}

/* What links to an entry are called: its mnemonic, and the chapter too when another chapter before has the mnemonic. */
static void anchor(FILE *f, const weft_isa *isa, const weft_isa_row *row)
{
    weft_isa_row other;
    size_t i = 0;
    while (weft_isa_get_row(isa, i, &other) && strcmp(other.mnemonic, row->mnemonic) != 0)
        i++;
    put_name(f, row->mnemonic);
    if (strcmp(other.group, row->group) != 0) {
        fputs("--", f);
        put_name(f, row->group);
    }
}

/* ---- the bits of a form ---- */

enum {
    ACROSS = 32,   /* bits in a row of a picture */
    PICTURE = 900, /* pixels of its width */
    LETTER = 8,    /* pixels that a letter takes, and what a cell keeps free besides */
};

/* Do the words of a name, one below the other, fit across a cell? */
static bool fits_across(const char *name, unsigned pixels)
{
    for (const char *word = name; *word; word += strspn(word, " ")) {
        size_t n = strcspn(word, " ");
        if (n * LETTER > pixels)
            return false;
        word += n;
    }
    return true;
}

/* One row of a picture: bits low .. low + count - 1 of the form. `base`: the first bit of their unit. */
static void bits_row(FILE *f, const struct isa_form *form, unsigned low, unsigned count, unsigned base)
{
    unsigned at, width;
    fputs("<div class=\"bits\"><table class=\"bits\">\n<tr class=\"at\">", f);
    for (unsigned b = low + count; b > low; b = at > low ? at : low) {
        if (!isa_form_field_at(form, b - 1, &at, &width))
            at = b - 1;
        unsigned first = at > low ? at : low;
        fprintf(f, b - first > 1 ? "<td colspan=\"%u\">%u-%u</td>" : "<td colspan=\"%u\">%u</td>", b - first,
                b - 1 - base, first - base);
    }
    fputs("</tr>\n<tr>", f);
    for (unsigned b = low + count; b > low; b = at > low ? at : low) {
        const weft_field *field = isa_form_field_at(form, b - 1, &at, &width);
        if (!field)
            at = b - 1;
        unsigned first = at > low ? at : low;
        bool code = field && field->kind == WEFT_FIELD_OPCODE, unused = !field || field->kind == WEFT_FIELD_UNUSED;
        fprintf(f, "<td colspan=\"%u\" class=\"%s\" title=\"", b - first, code ? "code" : unused ? "unused" : "field");
        escaped(f, field ? field->name : "");
        fputs("\">", f);
        for (unsigned k = b; code && k-- > first;)
            fputc('0' + (form->bytes[k / 8] >> k % 8 & 1), f);
        bool across = code || unused || fits_across(field->name, PICTURE / count * (b - first));
        if (!across)
            fputs("<span>", f);
        if (!code)
            escaped(f, unused ? "-" : field->name);
        fputs(across ? "</td>" : "</span></td>", f);
    }
    fputs("</tr>\n</table></div>\n", f);
}

static void bits_of(FILE *f, const struct isa_form *form, unsigned unit)
{
    unsigned size = form->insn.size * 8, bits = unit * 8;
    for (unsigned base = 0; base < size; base += bits)
        for (unsigned high = base + bits < size ? base + bits : size; high > base;) {
            unsigned low = high - base > ACROSS ? high - ACROSS : base;
            bits_row(f, form, low, high - low, base);
            high = low;
        }
}

/* ---- entries: all rows of a mnemonic ---- */

struct manual {
    FILE *f;
    const weft_isa *isa;
    struct isa_form *form; /* the one that is drawn */
};

static void stages_of(const weft_isa_row *row, char *text, size_t size)
{
    text[0] = '\0';
    for (int s = 0; s < WEFT_STAGES; s++)
        if (row->stages >> s & 1)
            snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? ", " : "",
                     weft_stage_name((weft_stage)s));
}

/* A fact that is another one than the last row's. */
static void new_fact(FILE *f, const char *name, const char *value, const char *last)
{
    if (strcmp(value ? value : "", last ? last : "") != 0)
        fact(f, name, value);
}

/* ---- the names in the syntax of a row ---- */

enum { MEANINGS = 64 /* that an entry has at most; further ones are said again */ };

/* Lines of weft_isa_row.modifiers that the entry has had. */
struct names {
    const char *line[MEANINGS];
    size_t size[MEANINGS];
    size_t count;
};

/* Whether the line was there before; notes it. */
static bool was_said(struct names *said, const char *line, size_t size)
{
    for (size_t i = 0; i < said->count; i++)
        if (said->size[i] == size && memcmp(said->line[i], line, size) == 0)
            return true;
    if (said->count < MEANINGS) {
        said->line[said->count] = line;
        said->size[said->count++] = size;
    }
    return false;
}

/* "NAME   meaning" or "name: word, word". */
static void put_names(FILE *f, const weft_isa_row *row, struct names *said)
{
    size_t size;
    for (const char *at = row->modifiers ? row->modifiers : ""; *at; at += size + (at[size] != 0)) {
        size = strcspn(at, "\n");
        if (was_said(said, at, size))
            continue;
        char line[600];
        snprintf(line, sizeof line, "%.*s", (int)size, at);
        size_t name = strcspn(line, ": "), skip = strspn(line + name, ": ");
        const char *meaning = line + name + skip;
        line[name] = '\0';
        fputs("<tr><th class=\"names\">", f);
        escaped(f, line);
        fputs("</th><td>", f);
        escaped(f, meaning);
        fputs("</td></tr>\n", f);
    }
}

/* What a row says beyond the one before it in the entry; an empty row where it is the first. */
static void put_facts(FILE *f, const weft_isa_row *row, const weft_isa_row *last, struct names *said)
{
    char stages[128], earlier[128];
    stages_of(row, stages, sizeof stages);
    stages_of(last, earlier, sizeof earlier);
    fputs("<table class=\"facts\">\n", f);
    put_names(f, row, said);
    new_fact(f, "operands", row->operands, last->operands);
    new_fact(f, "unit", row->unit, last->unit);
    new_fact(f, "chips", row->chips, last->chips);
    new_fact(f, "stages", stages, earlier);
    if (!last->mnemonic || last->provenance != row->provenance)
        fact(f, "provenance", weft_provenance_name(row->provenance));
    new_fact(f, "differs", row->reason, last->reason);
    fact(f, "executes", row->executes ? "" : "not yet");
    fputs("</table>\n", f);
}

static void put_row(const struct manual *m, size_t index, const weft_isa_row *row, const weft_isa_row *last,
                    struct names *said)
{
    uint32_t number = 0;
    fputs("<div class=\"form\">\n<code>", m->f);
    escaped(m->f, row->syntax);
    fputs("</code>\n", m->f);
    for (; m->form && isa_form_get(m->isa, (uint32_t)index, number, m->form); number++) {
        if (*m->form->name)
            element(m->f, "div", m->form->name);
        bits_of(m->f, m->form, weft_isa_unit(m->isa));
    }
    if (number == 0 && row->pattern[0]) {
        fputs("<div>encoding: <code>", m->f);
        escaped(m->f, row->pattern);
        fputs("</code></div>\n", m->f);
    }
    put_facts(m->f, row, last, said);
    fputs("</div>\n", m->f);
}

static bool is_same(const weft_isa_row *a, const weft_isa_row *b)
{
    return strcmp(a->mnemonic, b->mnemonic) == 0 && strcmp(a->group, b->group) == 0;
}

/* Whether row `index` is the first of its mnemonic in its chapter. */
static bool is_first(const weft_isa *isa, size_t index, const weft_isa_row *row)
{
    weft_isa_row other;
    for (size_t i = 0; i < index; i++)
        if (weft_isa_get_row(isa, i, &other) && is_same(row, &other))
            return false;
    return true;
}

static void put_entry(const struct manual *m, size_t first, const weft_isa_row *row)
{
    weft_isa_row other, last = {0};
    struct names said = {0};
    const char *doc = "";
    fputs("<section id=\"", m->f);
    anchor(m->f, m->isa, row);
    fputs("\">\n<h3><a href=\"#", m->f);
    anchor(m->f, m->isa, row);
    fputs("\">", m->f);
    escaped(m->f, row->mnemonic);
    fputs("</a></h3>\n", m->f);
    for (size_t i = first; weft_isa_get_row(m->isa, i, &other); i++) {
        if (!is_same(row, &other))
            continue;
        if (strcmp(doc, other.doc) != 0)
            element(m->f, "p", other.doc);
        doc = other.doc;
        put_row(m, i, &other, &last, &said);
        last = other;
    }
    fputs("</section>\n", m->f);
}

/* Whether the chapter of row `index` began earlier. */
static bool is_new_chapter(const weft_isa *isa, size_t index, const weft_isa_row *row)
{
    weft_isa_row other;
    for (size_t i = 0; i < index; i++)
        if (weft_isa_get_row(isa, i, &other) && strcmp(other.group, row->group) == 0)
            return false;
    return true;
}

typedef void entry_fn(const struct manual *m, size_t index, const weft_isa_row *row);

static void put_link(const struct manual *m, size_t index, const weft_isa_row *row)
{
    (void)index;
    fputs("<a href=\"#", m->f);
    anchor(m->f, m->isa, row);
    fputs("\">", m->f);
    escaped(m->f, row->mnemonic);
    fputs("</a>\n", m->f);
}

/* Chapter by chapter, the entries of each. */
static void for_chapters(const struct manual *m, entry_fn *put)
{
    weft_isa_row row, other;
    for (size_t i = 0; weft_isa_get_row(m->isa, i, &row); i++) {
        if (!is_new_chapter(m->isa, i, &row))
            continue;
        element(m->f, "h2", row.group);
        for (size_t k = i; weft_isa_get_row(m->isa, k, &other); k++)
            if (strcmp(row.group, other.group) == 0 && is_first(m->isa, k, &other))
                put(m, k, &other);
    }
}

static void put_overview(const struct manual *m)
{
    const char *chip;
    element(m->f, "h1", weft_isa_title(m->isa));
    fputs("<p>Instructions as weft reads, writes and runs them. Source document: ", m->f);
    escaped(m->f, weft_isa_document(m->isa));
    fprintf(m->f, ". %zu rows.", weft_isa_rows(m->isa));
    for (size_t i = 0; (chip = weft_isa_chip(m->isa, i)); i++)
        fprintf(m->f, "%s%s", i ? ", " : " Chips, newest first: ", chip);
    fputs(
        "</p>\n<p>Bits are drawn most significant first, one row for each unit or 32 bits of it. Blue bits say which "
        "instruction it is. <b>documented</b>: the source document says what it does; <b>known</b>: a public "
        "implementation or a measurement; <b>inferred</b>: weft chose; <b>differs</b>: not as the document says.</p>\n",
        m->f);
}

/* Names that are more than another spelling of an instruction's: links to them, or what they are. */
static void put_other_names(const struct manual *m, bool links)
{
    const char *name, *what;
    bool some = false;
    for (size_t i = 0, row; (name = weft_isa_other_name(m->isa, i, &row, &what)); i++) {
        weft_isa_row of;
        if (!*what || !weft_isa_get_row(m->isa, row, &of))
            continue;
        if (!some)
            fprintf(m->f, "<h2>Other names</h2>\n%s", links ? "" : "<table class=\"list\">\n");
        some = true;
        fputs(links ? "<a href=\"#other--" : "<tr id=\"other--", m->f);
        put_name(m->f, name);
        fputs(links ? "\">" : "\"><th>", m->f);
        escaped(m->f, name);
        if (links) {
            fputs("</a>\n", m->f);
            continue;
        }
        fputs("</th><td><a href=\"#", m->f);
        anchor(m->f, m->isa, &of);
        fputs("\">", m->f);
        escaped(m->f, of.mnemonic);
        fputs("</a></td><td>", m->f);
        escaped(m->f, what);
        fputs("</td></tr>\n", m->f);
    }
    if (some && !links)
        fputs("</table>\n", m->f);
}

static void isa_page(FILE *f, const char *folder, const weft_isa *isa)
{
    (void)folder;
    struct manual m = {f, isa, cli_kept(malloc(sizeof *m.form))};
    fputs(HEAD, f);
    element(f, "title", weft_isa_title(isa));
    fputs("<nav>\n<a href=\"index.html\">all instruction sets</a>\n"
          "<input type=\"search\" placeholder=\"find an instruction: /\" aria-label=\"find an instruction\">\n",
          f);
    for_chapters(&m, put_link);
    put_other_names(&m, true);
    fputs("</nav>\n<main>\n", f);
    put_overview(&m);
    for_chapters(&m, put_entry);
    put_other_names(&m, false);
    fputs("</main>\n", f);
    fputs(FINDER, f);
    fputs("</html>\n", f);
    free(m.form);
}

/* Whether the folder has the page of an instruction set, whenever it was written. */
static bool has_page(const char *folder, const weft_isa *isa)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s.html", folder, weft_isa_name(isa));
    return length < (int)sizeof path && access(path, F_OK) == 0;
}

static void index_page(FILE *f, const char *folder, const weft_isa *none)
{
    const weft_isa *isa;
    (void)none;
    fputs(HEAD, f);
    element(f, "title", "Instruction sets of weft");
    fputs("<main>\n", f);
    element(f, "h1", "Instruction sets of weft");
    fputs("<table class=\"list\">\n<tr><th>Name</th><th>What it is</th><th>Rows</th></tr>\n", f);
    for (size_t i = 0; (isa = weft_isa_get(i)); i++) {
        if (!has_page(folder, isa))
            continue;
        fprintf(f, "<tr><td><a href=\"%s.html\">%s</a></td><td>", weft_isa_name(isa), weft_isa_name(isa));
        escaped(f, weft_isa_title(isa));
        fprintf(f, "</td><td>%zu</td></tr>\n", weft_isa_rows(isa));
    }
    fputs("</table>\n</main>\n</html>\n", f);
}

typedef void page_fn(FILE *f, const char *folder, const weft_isa *isa);

static int write_page(const char *folder, const char *name, page_fn *page, const weft_isa *isa)
{
    char path[4096], *html = NULL;
    size_t size = 0;
    FILE *f = cli_kept(text_stream(&html, &size));
    if (f)
        page(f, folder, isa);
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
    struct stat there; /* in a sandbox none can be made */
    bool is_folder = stat(folder, &there) == 0 && S_ISDIR(there.st_mode);
    if (!is_folder && mkdir(folder, 0777) != 0) {
        cli_message("cannot make the folder '%s': %s", folder, strerror(errno));
        return STATUS_INPUT;
    }
    int status = STATUS_FINE;
    for (size_t i = 0; status == STATUS_FINE && (isa = weft_isa_get(i)); i++)
        if (!only || isa == only)
            status = write_page(folder, weft_isa_name(isa), isa_page, isa);
    return status == STATUS_FINE ? write_page(folder, "index", index_page, NULL) : status;
}
