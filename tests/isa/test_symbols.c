/* Labels and symbols that are not defined: all assemblers name the nearest one. */
#include "test.h"

#include <string.h>
#include <weft/program.h>

struct wrong {
    const char *isa, *text, *message;
    const char *hint; /* NULL: none */
};

static const struct wrong wrong[] = {
    {"tesla", "loop_top: nop\nbra #lop_top", "there is no label 'lop_top'", "did you mean 'loop_top'?"},
    {"valhall", "loop_top: NOP\nBRANCHZ.eq 0x0, offset:loop_tpo", "symbol 'loop_tpo' is not defined",
     "did you mean 'loop_top'?"},
    {"rogue", "loop_top:\n0 : br loop_to\n", "symbol 'loop_to' is not defined", "did you mean 'loop_top'?"},
    {"vpu", "loop_top: nop\nb looptop", "symbol 'looptop' is not defined", "did you mean 'loop_top'?"},
    {"vpu", ".equ size,4\n.byte sizes+1", "symbol 'sizes' is not defined", "did you mean 'size'?"},
    /* the nearest is named, not the first one; those that are not defined either are not named */
    {"vpu", "loop_end: nop\nloop_exit: nop\nb loop_exi", "symbol 'loop_exi' is not defined",
     "did you mean 'loop_exit'?"},
    {"vpu", "b loop_a\nb loop_b", "symbol 'loop_a' is not defined", NULL},
    {"vpu", "start: nop\nb elsewhere", "symbol 'elsewhere' is not defined", NULL},
    /* Tesla's names with _ belong to the label before them: shown as they are written */
    {"tesla", "main: nop\n_loop: nop\nbra #_lop", "there is no label '_lop'", "did you mean '_loop'?"},
    /* labels that are numbers have no near ones */
    {"vpu", "1: nop\nb 1f", "no label 1: comes after this", NULL},
};

static void test_nearest_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct wrong *w = &wrong[i];
        weft_diags *diags = weft_diags_new();
        weft_program *program = NULL;
        print_message("# case %zu, %s\n", i, w->isa);
        assert_int_equal(weft_program_from_text(w->isa, "t", w->text, strlen(w->text), NULL, diags, &program),
                         WEFT_ERROR_INPUT);
        const weft_diag *d = weft_diags_get(diags, 0);
        assert_non_null(d);
        assert_string_equal(d->code, "unknown-label");
        assert_string_equal(d->message, w->message);
        if (w->hint)
            assert_string_equal(d->hint ? d->hint : "", w->hint);
        else
            assert_null(d->hint);
        weft_program_free(program);
        weft_diags_free(diags);
    }
}

TEST_MAIN(TEST(test_nearest_is_named))
