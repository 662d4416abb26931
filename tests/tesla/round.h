/* round.h - words to text and back, many at a time. */
#ifndef WEFT_TESTS_TESLA_ROUND_H
#define WEFT_TESTS_TESLA_ROUND_H

#include "isa/tesla/table.h"
#include "test.h"

enum { ROUND_BATCH = 4096 };

static const uint8_t round_stages[] = {0, TESLA_VP, TESLA_GP, TESLA_FP, TESLA_CP};
enum { ROUND_STAGES = sizeof round_stages };

/* Decode `size` bytes, print, parse and encode: the same bytes must come back. Returns how many instructions were
 * known. */
static inline size_t round_trip(const uint8_t *bytes, size_t size, const char *chip, uint8_t stage)
{
    struct arena arena = {0};
    struct isa_params params = {.chip = chip, .stage = tesla_ir_stage(stage)};
    struct isa_module *m, *again;
    weft_diags *diags = weft_diags_new();
    char *text;
    uint8_t *back;
    size_t length, back_size, known = 0;
    assert_int_equal(tesla_decode(bytes, size, "words", &params, &arena, &m, diags), WEFT_OK);
    assert_int_equal(tesla_print(m, &arena, &text, &length, NULL), WEFT_OK);
    struct source src = {"words", text, length};
    weft_status status = tesla_parse(&src, &params, &arena, &again, diags);
    for (size_t i = 0; i < weft_diags_count(diags) && i < 5; i++) {
        const weft_diag *d = weft_diags_get(diags, i);
        print_message("# %s %s: %s: %s\n", chip, d->message, d->source ? d->source : "", d->hint ? d->hint : "");
    }
    assert_int_equal(status, WEFT_OK);
    assert_int_equal(tesla_encode(again, &arena, &back, &back_size, diags), WEFT_OK);
    for (uint32_t i = 0; i < m->ninsns && i < again->ninsns; i++) {
        known += m->insns[i].row != NULL;
        if (m->insns[i].word == again->insns[i].word && m->insns[i].row == again->insns[i].row)
            continue;
        const char *line = again->insns[i].where.offset + text;
        print_message("# stage %u %016llx was %s, became %016llx: %.*s\n", stage, (unsigned long long)m->insns[i].word,
                      m->insns[i].row ? m->insns[i].row->syntax : "data", (unsigned long long)again->insns[i].word,
                      (int)strcspn(line, "\n"), line);
        fail();
    }
    assert_int_equal(size, back_size);
    assert_memory_equal(bytes, back, size);
    weft_diags_free(diags);
    arena_free(&arena);
    return known;
}

#endif
