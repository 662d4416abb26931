/* snapshot.h - what a test makes, line by line against a file that has what somebody looked at last. WEFT_TEST_RENEW=1
 * writes the file anew. */
#ifndef WEFT_TESTS_SNAPSHOT_H
#define WEFT_TESTS_SNAPSHOT_H

#include "test.h"

#include <stdbool.h>

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

/* Shows at most ten lines that are others, and fails. */
static inline void snapshot_compare(const char *path, const char *found)
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

#endif
