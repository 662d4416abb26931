/* test_named.c - lists of names for messages: each once, as many as there is room for, and none without letters. */
#include "test.h"

#include "cli/named.h"

enum { SIZE = 800 };

static void names_are_listed(void **state)
{
    (void)state;
    struct named n = {.count = 0};
    char text[SIZE] = "x";
    named_list(&n, text, sizeof text);
    assert_string_equal(text, "");
    named_add(&n, "", 1);
    named_add(&n, "one", 1);
    named_add(&n, "two", 3);
    named_add(&n, "one", 9);
    named_add(&n, "", 2);
    named_add(&n, "three", 0);
    assert_int_equal(n.count, 3);
    named_list(&n, text, sizeof text);
    assert_string_equal(text, "one, two[0] to two[2], three");
}

static void lists_have_an_end(void **state)
{
    (void)state;
    static char names[NAMED_MOST + 20][12];
    struct named n = {.count = 0};
    char text[SIZE], want[SIZE * 4] = "";
    for (unsigned i = 0; i < NAMED_MOST + 20; i++) {
        snprintf(names[i], sizeof names[i], "name%u", i);
        named_add(&n, names[i], 1);
        assert_int_equal(n.count, i < NAMED_MOST ? i + 1 : NAMED_MOST);
        assert_string_equal(n.name[n.count - 1], names[n.count - 1]);
    }
    /* Names are whole, as long as 200 characters are left after them. */
    for (unsigned i = 0; i < NAMED_MOST && strlen(want) + 200 < SIZE; i++)
        snprintf(want + strlen(want), sizeof want - strlen(want), "%s%s", i ? ", " : "", names[i]);
    named_list(&n, text, sizeof text);
    assert_string_equal(text, want);
}

static void long_names_are_cut(void **state)
{
    (void)state;
    char name[101], text[SIZE], want[SIZE];
    memset(name, 'a', 100);
    name[100] = '\0';
    struct named n = {.count = 0};
    named_add(&n, name, 2);
    named_add(&n, "b", 1);
    named_list(&n, text, sizeof text);
    snprintf(want, sizeof want, "%.60s[0] to %.60s[1], b", name, name);
    assert_string_equal(text, want);
}

TEST_MAIN(TEST(names_are_listed), TEST(lists_have_an_end), TEST(long_names_are_cut))
