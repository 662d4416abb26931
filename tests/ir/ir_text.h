/* ir_text.h - programs from text, and back, for tests of the IR. */
#ifndef WEFT_TESTS_IR_TEXT_H
#define WEFT_TESTS_IR_TEXT_H

#include "test.h"

#include "ir/ir.h"

/* The first diagnostic's message, "" without one. */
static inline const char *first_message(const weft_diags *d)
{
    return weft_diags_count(d) ? weft_diags_get(d, 0)->message : "";
}

/* Parse, and fail the test when the text does not parse. */
static inline struct ir_program *ir_of(struct arena *a, const char *text)
{
    struct source src = {"test.ir", text, strlen(text)};
    weft_diags *d = weft_diags_new();
    struct ir_program *p = NULL;
    if (ir_parse(&src, a, &p, d) != WEFT_OK) {
        char message[1000];
        weft_diag_format(weft_diags_get(d, 0), 0, message, sizeof message);
        print_message("# %s\n", message);
        fail_msg("the text does not parse");
    }
    weft_diags_free(d);
    return p;
}

static inline const char *text_of(struct arena *a, const struct ir_program *p)
{
    const char *text = ir_print(p, a, NULL);
    assert_non_null(text);
    return text;
}

/* Fail the test when the program does not verify. */
static inline void assert_verifies(const struct ir_program *p)
{
    weft_diags *d = weft_diags_new();
    if (ir_verify(p, d) != WEFT_OK) {
        struct arena a = {0};
        print_message("# %s\n%s", first_message(d), text_of(&a, p));
        arena_free(&a);
        fail_msg("the program does not verify");
    }
    weft_diags_free(d);
}

#endif
