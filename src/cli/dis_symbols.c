/* dis_symbols.c - weft dis --symbols: names for addresses, and a listing with labels. */
#include "cli/dis.h"

#include "base/diag.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct symbol {
    uint64_t address;
    const char *name;
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
    qsort(s->list, s->count, sizeof *s->list, by_address);
    return s;
}

/* What the listing's labels are made from. */
struct labels {
    const struct symbols *symbols;
    struct symbol *targets; /* by address; names of their own */
    size_t count;
    char made[24]; /* the last name that was made */
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
    const struct symbol *found = find(labels->symbols->list, labels->symbols->count, address);
    if (found)
        return found->name;
    if (!find(labels->targets, labels->count, address))
        return NULL;
    snprintf(labels->made, sizeof labels->made, "L_%llx", (unsigned long long)address);
    return labels->made;
}

/* Targets that are places of the listing, in its order. */
static bool find_targets(const struct listing *l, struct labels *labels)
{
    struct symbol *all = cli_kept(calloc(l->count + 1, sizeof *all));
    struct symbol *places = cli_kept(calloc(l->count + 1, sizeof *places));
    size_t n = 0;
    weft_insn insn;
    for (size_t i = 0; all && places && i < l->count; i++)
        places[i].address = l->places[i].address;
    for (size_t i = 0; all && places && i < l->count; i++) {
        const weft_place *at = &l->places[i];
        if (weft_insn_decode(l->decoder, l->bytes + at->offset, at->size, at->address, &insn) == WEFT_OK &&
            insn.has_target && find(places, l->count, insn.target))
            all[n++].address = insn.target;
    }
    bool fine = all && places;
    free(places);
    if (fine)
        qsort(all, n, sizeof *all, by_address);
    labels->targets = all;
    labels->count = n;
    return fine;
}

weft_status listing_put_symbols(const struct listing *l, const struct symbols *s, FILE *out)
{
    struct labels labels = {.symbols = s};
    weft_format format = {sizeof format, name_of, &labels};
    if (!find_targets(l, &labels)) {
        free(labels.targets);
        return WEFT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < l->count; i++) {
        const weft_place *at = &l->places[i];
        char text[WEFT_INSN_TEXT];
        weft_insn insn;
        const char *label = name_of(&labels, at->address);
        if (label)
            fprintf(out, "%s:\n", label);
        weft_insn_decode(l->decoder, l->bytes + at->offset, at->size, at->address, &insn);
        weft_insn_text(l->decoder, &insn, &format, text, sizeof text, NULL, NULL);
        fprintf(out, "%s\n", text);
    }
    free(labels.targets);
    return WEFT_OK;
}
