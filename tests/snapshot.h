/* snapshot.h - what a test makes, line by line against a file that has what somebody looked at last. WEFT_TEST_RENEW=1
 * writes the file anew. */
#ifndef WEFT_TESTS_SNAPSHOT_H
#define WEFT_TESTS_SNAPSHOT_H

#include "test.h"

#include <stdbool.h>

/* Whether this run makes the line of that name: it makes one in test_quick_share(), others in each run; with
 * WEFT_TEST_ONLY those whose names begin so. */
static inline bool snapshot_tries(const char *name)
{
    static unsigned share, turn;
    const char *only = getenv("WEFT_TEST_ONLY");
    if (only && strncmp(name, only, strlen(only)) != 0)
        return false;
    if (share == 0) {
        share = getenv("WEFT_TEST_RENEW") || getenv("WEFT_TEST_SHOW") ? 1 : test_quick_share();
        turn = share > 1 ? test_turn() : 0;
    }
    unsigned number = 0;
    for (const char *p = name; *p; p++)
        number = number * 31 + (unsigned char)*p;
    return (number % 9973 + turn) % share == 0;
}

/* How long the name of a line "NAME: ..." is: to the last ": ", or all of it. */
static inline size_t snapshot_name_length(const char *line)
{
    size_t whole = strcspn(line, "\n"), length = whole;
    for (size_t i = 0; i + 1 < whole; i++)
        if (line[i] == ':' && line[i + 1] == ' ')
            length = i;
    return length;
}

/* The same for a line of the file. The line that says which compiler made the others is always there. */
static inline bool snapshot_tries_line(const char *line)
{
    char name[400];
    snprintf(name, sizeof name, "%.*s", (int)snapshot_name_length(line), line);
    return strcmp(name, "made by") == 0 || snapshot_tries(name);
}

static inline FILE *snapshot_open(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    return file;
}

static inline bool snapshot_line_is(const char *line, const char *found)
{
    size_t length = strcspn(found, "\n") + 1;
    return strlen(line) == length && memcmp(line, found, length) == 0;
}

/* Whether the file begins with the first line of what was found. */
static inline bool snapshot_begins(const char *path, const char *found)
{
    char line[400];
    FILE *from = snapshot_open(path, "r");
    assert_non_null(fgets(line, sizeof line, from));
    fclose(from);
    return snapshot_line_is(line, found);
}

/* Shows at most ten lines that differ, and fails. Lines of the file for which `tries` is false are skipped; NULL: none
 * is. */
static inline void snapshot_compare_tried(const char *path, const char *found, bool (*tries)(const char *line))
{
    if (getenv("WEFT_TEST_RENEW")) {
        FILE *to = snapshot_open(path, "w");
        fputs(found, to);
        assert_int_equal(fclose(to), 0);
    }
    FILE *from = snapshot_open(path, "r");
    char line[400];
    unsigned wrong = 0;
    while (wrong < 10 && fgets(line, sizeof line, from)) {
        if (tries && !tries(line))
            continue;
        size_t length = strcspn(found, "\n") + 1;
        if (!snapshot_line_is(line, found)) {
            print_message("was: %sis:  %.*s", line, (int)length, found);
            wrong++;
        }
        found += *found ? length : 0;
    }
    fclose(from);
    assert_int_equal(wrong, 0);
    assert_string_equal(found, "");
}

static inline void snapshot_compare(const char *path, const char *found)
{
    snapshot_compare_tried(path, found, NULL);
}

/* Of lines "NAME: ..." that this run tries those whose names the file has, in any order: what is new has no line yet,
 * and is told. */
static inline void snapshot_compare_named(const char *path, const char *found)
{
    if (getenv("WEFT_TEST_RENEW")) {
        snapshot_compare(path, found);
        return;
    }
    FILE *from = snapshot_open(path, "r");
    char line[400], name[400];
    unsigned wrong = 0, lines = 0, news = 0;
    while (fgets(line, sizeof line, from)) {
        if (!snapshot_tries_line(line))
            continue;
        const char *is = found;
        snprintf(name, sizeof name, "%.*s: ", (int)snapshot_name_length(line), line);
        for (lines++; *is && strncmp(is, name, strlen(name)) != 0; is += strcspn(is, "\n") + 1)
            ;
        if (!snapshot_line_is(line, is) && wrong++ < 10)
            print_message("was: %sis:  %.*s", line, *is ? (int)strcspn(is, "\n") + 1 : 5, *is ? is : "gone\n");
    }
    fclose(from);
    for (const char *is = found; *is; is += strcspn(is, "\n") + 1)
        news++;
    if (news > lines)
        print_message("# %u lines are new: WEFT_TEST_RENEW=1 adds them\n", news - lines);
    assert_int_equal(wrong, 0);
    assert_true(lines > 0);
}

#endif
