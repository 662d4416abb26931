/* line.h - a command line in one piece as the words that a command gets. */
#ifndef TEST_CLI_LINE_H
#define TEST_CLI_LINE_H

#include <stdio.h>
#include <string.h>

enum { LINE_TEXT = 1024, LINE_WORDS = 32 };

struct line {
    char text[LINE_TEXT], *word[LINE_WORDS];
    int words;
};

/* Its words between blanks; a NULL comes after them. */
static inline void line_split(struct line *l, const char *line)
{
    l->words = 0;
    snprintf(l->text, sizeof l->text, "%s", line);
    for (char *word = strtok(l->text, " "); word && l->words < LINE_WORDS - 1; word = strtok(NULL, " "))
        l->word[l->words++] = word;
    l->word[l->words] = NULL;
}

#endif
