/* The tables of the VPU: what is wrong with forms is said with their names. */
#include "isa/vpu/table.h"
#include "test.h"

#include <ctype.h>

static void check_fault(const struct vpu_form_row *rows, unsigned count, const char *name, const char *what)
{
    struct arena arena = {0};
    struct vpu_tables *t = ARENA_NEW(&arena, struct vpu_tables);
    const char *fault = NULL;
    assert_non_null(t);
    assert_false(vpu_compile_tables(t, rows, count, &arena, &fault));
    assert_non_null(fault);
    if (!strstr(fault, name) || !strstr(fault, what))
        fail_msg("'%s' names neither '%s' nor '%s'", fault, name, what);
    arena_free(&arena);
}

static const struct vpu_form_row good = {"0000 0000 0000 op:4", "plain", "", VPU_BKPT, 11};

/* Tables that are wrong on purpose. */
static void wrong_forms(void **state)
{
    (void)state;
    const struct vpu_form_row pattern[] = {good, {"0000 0y!0", "crooked", "", VPU_BKPT, 1}};
    check_fault(pattern, 2, "'crooked'", "pattern");
    const struct vpu_form_row text[] = {{"0000 0000 001 d:5", "swir", "rq", VPU_SWI, 1}};
    check_fault(text, 1, "'swir'", "not an operand");
    const struct vpu_form_row hidden[] = {good, {"0000 0000 0000 0001", "hidden", "", VPU_NOP, 1}};
    check_fault(hidden, 2, "'hidden'", "never reached");
    const struct vpu_form_row twice[] = {{"0000 0000 0000 d:4", "low", "rd", VPU_VERSION, 1},
                                         {"0000 0000 d:4 0000", "high", "rd", VPU_VERSION, 1}};
    check_fault(twice, 2, "'high'", "the other way round");
    const struct vpu_form_row many[] = {{"0000 0000 0000 op:4", "many", "", VPU_BKPT, 16}};
    check_fault(many, 1, "'many'", "no row");
    const struct vpu_form_row odd[] = {{"0000 0000 0000", "odd", "", VPU_BKPT, 1}};
    check_fault(odd, 1, "'odd'", "whole halfwords");
}

/* The rows that are: no fault, and as many as the reference lists. */
static void own_forms(void **state)
{
    (void)state;
    assert_null(vpu_table_fault());
    assert_non_null(vpu_tables());
    assert_int_equal(vpu_tables()->nrows, VPU_ROWS);
}

/* Whether the text has the word, by itself. */
static bool has_word(const char *text, char word)
{
    for (const char *p = text; *p; p++)
        if (*p == word && (p == text || !isalnum((unsigned char)p[-1])) && !isalnum((unsigned char)p[1]))
            return true;
    return false;
}

/* What a row of vector data says in a formula, "d = a | b", is what its operands are said to be. */
static void formulas(void **state)
{
    unsigned seen = 0;
    (void)state;
    for (unsigned i = 0; i < VPU_OPS; i++) {
        const struct vpu_op_row *r = &vpu_ops[i];
        if (!r->name || !r->doc || strcmp(r->group, "vector data") != 0 || strncmp(r->doc, "d = ", 4) != 0)
            continue;
        const char *of = r->doc + 4;
        bool reads[] = {(r->uses & VPU_D_READ) != 0, (r->uses & VPU_A_READ) != 0, (r->uses & VPU_B_READ) != 0};
        for (unsigned k = 0; k < 3; k++)
            if (reads[k] != has_word(of, "dab"[k]))
                fail_msg("%s: it %s %c, and is %s", r->name, reads[k] ? "reads" : "does not read", "dab"[k], r -> doc);
        assert_true(r->uses & VPU_D_WRITE);
        seen++;
    }
    assert_true(seen > 20);
}

TEST_MAIN(TEST(wrong_forms), TEST(own_forms), TEST(formulas))
