/* test_table.c - the table is whole, and tables that are wrong on purpose are refused with the row's name. */
#include "isa/valhall/table.h"
#include "program.h"

#include <stdlib.h>

static void the_table_is_whole(void **state)
{
    (void)state;
    if (valhall_table_fault())
        fail_msg("%s", valhall_table_fault());
}

/* The text of a word begins with its row's name: no two have the same. */
static void names_differ(void **state)
{
    (void)state;
    for (unsigned i = 0; i < VALHALL_OPS; i++) {
        const struct valhall_row *row = &valhall_rows()[i];
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(row->name, valhall_rows()[k].name);
    }
}

static void expect_fault(const struct valhall_row *specs, unsigned count, const char *expected)
{
    struct valhall_table *t = calloc(1, sizeof *t);
    assert_non_null(t);
    valhall_compile(t, specs, count);
    assert_string_equal(t->fault, expected);
    free(t);
}

static void wrong_rows_are_named(void **state)
{
    (void)state;
    const struct valhall_row *rows = valhall_rows();
    struct valhall_row specs[2] = {rows[VALHALL_IADD_u32], rows[VALHALL_ISUB_u32]};
    expect_fault(specs, 2, "");
    specs[1].second = specs[0].second;
    expect_fault(specs, 2, "ISUB.u32: another row has these opcodes");
    specs[1].second = 16;
    expect_fault(specs, 2, "ISUB.u32: the secondary opcode does not fit its field");
    specs[1] = rows[VALHALL_FMA_f32];
    specs[1].opcode = specs[0].opcode;
    expect_fault(specs, 2, "FMA.f32: another row of this opcode has its secondary opcode elsewhere");
    specs[1] = rows[VALHALL_ISUB_u32];
    specs[1].doc = "";
    expect_fault(specs, 2, "ISUB.u32: it has no lift, or no line of documentation");
}

static void wrong_forms_are_named(void **state)
{
    (void)state;
    struct valhall_row spec = valhall_rows()[VALHALL_IADD_u32];
    struct valhall_form form = *spec.form;
    spec.form = &form;
    form.modifiers[1] = VALHALL_MOD_RHADD; /* at the same bit as .saturate */
    expect_fault(&spec, 1, "IADD.u32: bits of the field 'rhadd' are another one's too");
    form.modifiers[1] = 0;
    form.immediates[0] = VALHALL_IMM_OFFSET_8;
    expect_fault(&spec, 1, "IADD.u32: bits of the field 'offset' are another one's too");
}

TEST_MAIN(TEST(the_table_is_whole), TEST(names_differ), TEST(wrong_rows_are_named),
          TEST(wrong_forms_are_named))
