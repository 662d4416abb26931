/* test_progress.c - when progress is shown, and what it says. */
#include "test.h"

#include "cli/progress.h"

static struct progress begin(bool terminal, size_t total, size_t before)
{
    struct progress p;
    progress_begin(&p, 100, total, before);
    p.terminal = terminal;
    return p;
}

static void nothing_in_two_seconds(void **state)
{
    (void)state;
    struct progress p = begin(true, 10, 0);
    assert_false(progress_due(&p, 101.9, 5));
    assert_true(progress_due(&p, 102.1, 5));
}

static void a_terminal_changes_four_times_a_second(void **state)
{
    (void)state;
    struct progress p = begin(true, 10, 0);
    p.shown = 103;
    assert_false(progress_due(&p, 103.2, 5));
    assert_true(progress_due(&p, 103.3, 5));
}

static void a_file_gets_a_line_a_minute(void **state)
{
    (void)state;
    struct progress p = begin(false, 10, 0);
    assert_false(progress_due(&p, 159, 5));
    assert_true(progress_due(&p, 160, 5));
    p.shown = 160;
    assert_false(progress_due(&p, 219, 6));
    assert_true(progress_due(&p, 220, 6));
}

static void nothing_of_one_item_or_at_the_end(void **state)
{
    (void)state;
    struct progress one = begin(true, 1, 0), all = begin(true, 10, 0);
    assert_false(progress_due(&one, 200, 0));
    assert_false(progress_due(&all, 200, 10));
}

static void rate_and_time_left(void **state)
{
    (void)state;
    static const struct {
        size_t total, before, done;
        double seconds;
        const char *text;
    } cases[] = {
        {500, 0, 120, 2, "120 of 500, 60/s, 6 s left"},
        {500, 100, 120, 2, "120 of 500, 10/s, 38 s left"}, /* what a journal had takes no time */
        {10, 0, 1, 4, "1 of 10, 0.25/s, 36 s left"},
        {1000, 0, 10, 10, "10 of 1000, 1.00/s, 16 min left"},
        {100000, 0, 10, 10, "10 of 100000, 1.00/s, 27.8 h left"},
        {10, 0, 0, 4, "0 of 10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        struct progress p = begin(true, cases[i].total, cases[i].before);
        progress_text(&p, 100 + cases[i].seconds, cases[i].done, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST_MAIN(TEST(nothing_in_two_seconds), TEST(a_terminal_changes_four_times_a_second), TEST(a_file_gets_a_line_a_minute),
          TEST(nothing_of_one_item_or_at_the_end), TEST(rate_and_time_left))
