/* codes.c - docs/diagnostics.md on standard output: each code of a diagnostic and what it means. */
#include <stdio.h>
#include <string.h>
#include <weft/diag.h>

/* What would not be plain text in a cell of a table. */
static void put_cell(const char *text)
{
    for (; *text; text++) {
        if (strchr("*_[]|<>#", *text))
            putchar('\\');
        putchar(*text);
    }
}

int main(void)
{
    const char *code;
    puts("# Diagnostics\n");
    puts("Every error, warning and note of weft has a code, a word that stays the same when the message changes. "
         "`--json`, the");
    puts("SARIF and GitHub forms of `weft check` and `weft_diag` have it; `weft explain CODE` says what it means.");
    puts("The chapter \"Checks\" of each manual (manual/NAME.md) has the rules of its checker in more detail.\n");
    puts("| code | what is wrong, and what to do |\n| --- | --- |");
    for (size_t i = 0; (code = weft_diag_code(i)); i++) {
        printf("| `%s` | ", code);
        put_cell(weft_diag_explain(code));
        puts(" |");
    }
    return 0;
}
