/* dis_symbols.c - weft dis --symbols: names for addresses, and a listing with labels. */
#include "cli/dis.h"

#include "base/diag.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct symbol {
    uint64_t address;
    const char *name; /* NULL: one is made */
};

struct symbols {
    struct cli_bytes file; /* names are in its text, each terminated */
    struct symbol *list;   /* by address */
    size_t count;
};

static int by_address(const void *a, const void *b)
{
    const struct symbol *left = a, *right = b;
    return left->address < right->address ? -1 : left->address > right->address;
}

/* Of names in one text. */
static int by_address_and_place(const void *a, const void *b)
{
    const struct symbol *left = a, *right = b;
    int order = by_address(a, b);
    return order ? order : left->name < right->name ? -1 : left->name > right->name;
}

static int by_name_and_place(const void *a, const void *b)
{
    const struct symbol *left = *(const struct symbol *const *)a, *right = *(const struct symbol *const *)b;
    int order = strcmp(left->name, right->name);
    return order ? order : left->name < right->name ? -1 : left->name > right->name;
}

void symbols_free(struct symbols *s)
{
    if (!s)
        return;
    free(s->list);
    free(s->file.data);
    free(s);
}

static char *skip_blanks(char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

static char *end_of_word(char *p)
{
    while (*p && !isspace((unsigned char)*p))
        p++;
    return p;
}

/* What nm prints of a symbol that is defined elsewhere: "         U puts". */
static bool is_elsewhere(char *p)
{
    char *name = skip_blanks(p + 1);
    return strchr("Uwv", *p) && name > p + 1 && *name && !*skip_blanks(end_of_word(name));
}

/* One line, which is terminated. False: it is at fault. */
static bool read_line(struct symbols *s, char *line)
{
    char *p = skip_blanks(line), *end;
    if (*p == '\0' || *p == '#' || is_elsewhere(p))
        return true;
    uint64_t address = strtoull(p, &end, 16);
    if (end == p || (*end != ' ' && *end != '\t'))
        return false;
    char *word = skip_blanks(end), *stop = end_of_word(word), *next = skip_blanks(stop);
    if (*next && stop == word + 1) { /* nm's letter */
        word = next;
        stop = end_of_word(word);
        next = skip_blanks(stop);
    }
    if (stop == word || *next)
        return false;
    *stop = '\0';
    s->list[s->count++] = (struct symbol){address, word};
    return true;
}

/* `text` is the file as it was: reading puts zeros into it. */
static void at_fault(const struct symbols *s, const char *text, size_t offset, weft_diags *diags)
{
    struct source source = {s->file.name, text, s->file.size};
    diag_at(diags, WEFT_ERROR, "symbol-line", &source, (struct span){(uint32_t)offset, 1}, NULL,
            "expected a line 'ADDRESS NAME', the address in hexadecimal");
}

struct symbols *symbols_read(const char *path, weft_diags *diags)
{
    struct symbols *s = cli_kept(calloc(1, sizeof *s));
    if (!s || !cli_read_for(path, &s->file, diags)) {
        free(s);
        return NULL;
    }
    size_t lines = 1;
    for (size_t i = 0; i < s->file.size; i++)
        lines += s->file.data[i] == '\n';
    s->list = cli_kept(calloc(lines, sizeof *s->list));
    char *text = cli_kept(malloc(s->file.size + 1));
    memcpy(text, s->file.data, s->file.size);
    bool fine = s->list != NULL;
    for (size_t at = 0, stop; fine && at < s->file.size; at = stop + 1) {
        char *end = memchr(s->file.data + at, '\n', s->file.size - at);
        stop = end ? (size_t)(end - s->file.data) : s->file.size;
        s->file.data[stop] = '\0';
        fine = read_line(s, s->file.data + at);
        if (!fine)
            at_fault(s, text, at, diags);
    }
    free(text);
    if (!fine) {
        symbols_free(s);
        return NULL;
    }
    qsort(s->list, s->count, sizeof *s->list, by_address_and_place);
    size_t kept = 0; /* of several names of a place the first */
    for (size_t i = 0; i < s->count; i++)
        if (!kept || s->list[kept - 1].address != s->list[i].address)
            s->list[kept++] = s->list[i];
    s->count = kept;
    return s;
}

/* ---- names that labels may have ---- */

/* The name of a made label, the only one that looks so. */
#define MADE "L_%llx"
enum { MOST_MADE = 24 };

static bool looks_made(const struct symbol *s)
{
    char made[MOST_MADE];
    snprintf(made, sizeof made, MADE, (unsigned long long)s->address);
    return strncmp(s->name, "L_", 2) == 0 && strspn(s->name + 2, "0123456789abcdef") == strlen(s->name + 2) &&
           strcmp(s->name, made) != 0;
}

static const char *same_name(void *user, uint64_t address)
{
    (void)address;
    return user;
}

/* An instruction of the listing that names its target; false: none does. */
static bool find_branch(const struct listing *l, weft_insn *branch)
{
    for (size_t i = 0; i < l->count; i++) {
        const weft_place *at = &l->places[i];
        if (weft_insn_decode(l->decoder, l->bytes + at->offset, at->size, at->address, branch) == WEFT_OK &&
            branch->has_target)
            return true;
    }
    return false;
}

/* Whether the assembler reads a name as that of a label: before it, and in a branch to it. */
static bool is_label(const struct convert *c, const struct listing *l, const weft_insn *branch, const char *name)
{
    char line[WEFT_INSN_TEXT] = "", text[3 * WEFT_INSN_TEXT];
    weft_program_options options = convert_options(c);
    weft_format format = {sizeof format, same_name, (char *)(uintptr_t)name};
    weft_program *program = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    weft_insn insn;
    options.base = 0;
    options.entry = NULL;
    if (strlen(name) > WEFT_INSN_TEXT / 2)
        return false;
    if (branch)
        weft_insn_text(l->decoder, branch, &format, line, sizeof line, NULL, NULL);
    /* other labels around it: names may depend on the label before */
    snprintf(text, sizeof text, "weft_1:\n%s:\nweft_2:\n%s\n", name, line);
    bool fine = weft_program_from_text(weft_isa_name(c->isa), NULL, text, strlen(text), &options, NULL, &program) ==
                    WEFT_OK &&
                weft_program_bytes(program, &bytes, &size, NULL) == WEFT_OK;
    fine = fine && (!branch || (weft_insn_decode(l->decoder, bytes, size, 0, &insn) == WEFT_OK && insn.has_target &&
                                insn.target == 0));
    weft_free(bytes);
    weft_program_free(program);
    return fine;
}

/* Takes away names that no label can have, and those that a place has already. */
static void leave_labels(const struct convert *c, const struct listing *l, struct symbols *s)
{
    weft_insn branch;
    bool branches = find_branch(l, &branch);
    const char *example = NULL;
    const struct symbol **names = cli_kept(calloc(s->count + 1, sizeof *names));
    size_t lost = 0;
    for (size_t i = 0; names && i < s->count; i++)
        names[i] = &s->list[i];
    if (names)
        qsort(names, s->count, sizeof *names, by_name_and_place);
    const char *before = "";
    for (size_t i = 0; names && i < s->count; i++) {
        struct symbol *symbol = &s->list[names[i] - s->list];
        const char *name = symbol->name;
        if (strcmp(name, before) == 0 || looks_made(symbol) || !is_label(c, l, branches ? &branch : NULL, name)) {
            example = lost++ ? example : name;
            symbol->name = NULL;
        }
        before = name;
    }
    free(names);
    if (lost)
        cli_message("%zu of %zu symbols cannot be labels here, such as '%s': their places have made names", lost,
                    s->count, example);
}

/* What the listing's labels are made from. */
struct labels {
    const struct symbols *symbols;
    struct symbol *places;  /* of the listing, by address; without names */
    size_t nplaces;
    struct symbol *targets; /* of its branches, in the same way */
    size_t count;
    char made[MOST_MADE]; /* the last name that was made */
};

static const struct symbol *find(const struct symbol *list, size_t count, uint64_t address)
{
    struct symbol key = {address, NULL};
    return bsearch(&key, list, count, sizeof *list, by_address);
}

/* The name of an address: the symbol's, or "L_18" of a target of the listing. */
static const char *name_of(void *user, uint64_t address)
{
    struct labels *labels = user;
    if (!find(labels->places, labels->nplaces, address))
        return NULL;
    const struct symbol *found = find(labels->symbols->list, labels->symbols->count, address);
    if (found && found->name)
        return found->name;
    if (!found && !find(labels->targets, labels->count, address))
        return NULL;
    snprintf(labels->made, sizeof labels->made, MADE, (unsigned long long)address);
    return labels->made;
}

/* The places of the listing, and targets among them. */
static bool find_targets(const struct listing *l, struct labels *labels)
{
    struct symbol *all = labels->targets = cli_kept(calloc(l->count + 1, sizeof *all));
    struct symbol *places = labels->places = cli_kept(calloc(l->count + 1, sizeof *places));
    weft_insn insn;
    if (!all || !places)
        return false;
    for (size_t i = 0; i < l->count; i++)
        places[i].address = l->places[i].address;
    labels->nplaces = l->count;
    qsort(places, l->count, sizeof *places, by_address);
    for (size_t i = 0; i < l->count; i++) {
        const weft_place *at = &l->places[i];
        if (weft_insn_decode(l->decoder, l->bytes + at->offset, at->size, at->address, &insn) == WEFT_OK &&
            insn.has_target && find(places, l->count, insn.target))
            all[labels->count++].address = insn.target;
    }
    qsort(all, labels->count, sizeof *all, by_address);
    return true;
}

/* A label, unless it is among the lines before it. */
static void put_label(const char *label, const char *lines, const char *end, FILE *out)
{
    size_t length = label ? strlen(label) : 0;
    if (!label)
        return;
    while (lines < end) {
        const char *stop = memchr(lines, '\n', (size_t)(end - lines));
        if (!stop || ((size_t)(stop - lines) == length + 1 && strncmp(lines, label, length) == 0 && stop[-1] == ':'))
            return;
        lines = stop + 1;
    }
    fprintf(out, "%s:\n", label);
}

/* An instruction with names, or data as it is listed. */
static void put_place(const struct listing *l, const weft_place *at, const char *line, int length,
                      const weft_format *format, FILE *out)
{
    char text[WEFT_INSN_TEXT];
    weft_insn insn;
    if (*line == '.') {
        fprintf(out, "%.*s\n", length, line);
        return;
    }
    weft_insn_decode(l->decoder, l->bytes + at->offset, at->size, at->address, &insn);
    weft_insn_text(l->decoder, &insn, format, text, sizeof text, NULL, NULL);
    fprintf(out, "%s\n", text);
}

weft_status listing_put_symbols(const struct convert *c, const struct listing *l, struct symbols *s, FILE *out)
{
    struct labels labels = {.symbols = s};
    leave_labels(c, l, s);
    weft_format format = {sizeof format, name_of, &labels};
    if (!find_targets(l, &labels)) {
        free(labels.places);
        free(labels.targets);
        return WEFT_ERROR_MEMORY;
    }
    const char *after = l->text; /* the last instruction */
    size_t next = 0;
    for (const char *line = l->text, *stop; line < l->text + l->size; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(l->text + l->size - line));
        stop = stop ? stop : l->text + l->size;
        if (next == l->count || l->places[next].line > (size_t)(line - l->text)) {
            fprintf(out, "%.*s\n", (int)(stop - line), line); /* a directive, or a label that data may name */
            continue;
        }
        put_label(name_of(&labels, l->places[next].address), after, line, out);
        put_place(l, &l->places[next++], line, (int)(stop - line), &format, out);
        after = stop + 1;
    }
    free(labels.places);
    free(labels.targets);
    return WEFT_OK;
}
