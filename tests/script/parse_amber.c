/* parse_amber FILE... - how each script parses: "ok", "refused: WHAT, ...", or "error: LINE: MESSAGE" on a line with
 * the file's name, tabs between. With -v also the diagnostics. */
#include "script/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t cap = 0;
    *size = 0;
    while (f && !feof(f)) {
        char *grown = realloc(text, cap += 1 << 16);
        if (!grown)
            break;
        text = grown;
        *size += fread(text + *size, 1, cap - *size, f);
    }
    if (f)
        fclose(f);
    return text;
}

static void print_refusals(const struct script *s)
{
    const char *before = NULL;
    for (uint32_t i = 0; i < s->nrefusals; i++) {
        if (!before || strcmp(before, s->refusals[i].what) != 0)
            printf("%s%s", before ? ", " : "refused: ", s->refusals[i].what);
        before = s->refusals[i].what;
    }
    puts("");
}

static void show(const char *path, int verbose)
{
    const char *slash = strrchr(path, '/');
    struct source source = {slash ? slash + 1 : path, NULL, 0};
    struct arena a = {0};
    struct script *s = NULL;
    weft_diags *d = weft_diags_new();
    char *text = read_file(path, &source.size);
    source.text = text;
    weft_status status = script_parse(&source, &a, &s, d);
    const weft_diag *first = weft_diags_get(d, 0);
    printf("%s\t", source.name);
    if (status != WEFT_OK && first)
        printf("error: %u: %s\n", first->line, first->message);
    else if (s && s->nrefusals)
        print_refusals(s);
    else
        puts("ok");
    for (size_t i = 0; verbose && i < weft_diags_count(d) && weft_diags_get(d, i); i++) {
        char out[600];
        weft_diag_format(weft_diags_get(d, i), 0, out, sizeof out);
        fputs(out, stderr);
    }
    weft_diags_free(d);
    arena_free(&a);
    free(text);
}

int main(int argc, char **argv)
{
    int verbose = argc > 1 && !strcmp(argv[1], "-v");
    for (int i = 1 + verbose; i < argc; i++)
        show(argv[i], verbose);
    return 0;
}
