/* lift_table.c - the resource tables that instructions name: which of them hold what an instruction takes. */
#include "isa/valhall/lift.h"

#include "isa/valhall/check.h"

enum { INDEX_BITS = 24, NO_ENTRY = (1 << INDEX_BITS) - 1 };

static const struct tables {
    uint16_t tables, of_vertex; /* a bit each; those of vertex programs only */
    const char *text;
} takes[] = {
    [VALHALL_TABLES_ANY] = {UINT16_MAX, 0, ""},
    [VALHALL_TABLES_OF_ATTRIBUTES] = {1 << VALHALL_TABLE_ATTRIBUTE, 0, "table 1 (attributes)"},
    [VALHALL_TABLES_OF_IMAGES] = {1 << VALHALL_TABLE_IMAGE | 1 << VALHALL_TABLE_ATTRIBUTE_BUFFER |
                                      1 << VALHALL_TABLE_ATTRIBUTE,
                                  0, "tables 1, 2 and 5 (images)"},
    [VALHALL_TABLES_OF_VARYINGS] = {1 << VALHALL_TABLE_ATTRIBUTE | 1 << VALHALL_TABLE_UNIFORM, 0,
                                    "tables 0 and 1 (varyings)"},
    [VALHALL_TABLES_OF_BUFFERS] = {1 << VALHALL_TABLE_STORAGE | 1 << VALHALL_TABLE_UNIFORM, 1 << VALHALL_TABLE_OUTPUT,
                                   "tables 0 (uniform buffers), 6 (storage buffers) and, in vertex programs, 13 "
                                   "(outputs)"},
};

static bool is_taken(const struct tables *t, int stage, uint32_t table)
{
    unsigned set = t->tables | (stage < 0 || stage == IR_VERTEX ? t->of_vertex : 0u);
    return table < 16 && set >> table & 1;
}

const char *valhall_resource_fault(const struct valhall_row *row, int stage, uint32_t table)
{
    const struct tables *t = &takes[row->form->tables];
    return row->form->tables == VALHALL_TABLES_ANY || is_taken(t, stage, table) ? NULL : t->text;
}

/* A number without a table in its upper bits is one of the instruction's own table. */
uint32_t valhall_table_entry(struct valhall_lifter *l, const struct valhall_source *s, ir_value *lanes)
{
    struct ir_builder *b = &l->b;
    unsigned tables = l->insn->row->form->tables;
    uint32_t known;
    *lanes = 0;
    if (valhall_constant(l, s, &known)) {
        const char *fault =
            known >> INDEX_BITS ? valhall_resource_fault(l->insn->row, (int)l->stage, known >> INDEX_BITS) : NULL;
        if (fault)
            lift_refuse(&l->lift, VALHALL_TABLE_MESSAGE, l->insn->row->name, fault, known >> INDEX_BITS);
        return known & NO_ENTRY;
    }
    ir_value v = valhall_bits(l, s), table = ir_op2(b, IR_SHR_U, 0, v, valhall_i32(l, INDEX_BITS));
    ir_value own = ir_op2(b, IR_EQ, 0, table, valhall_i32(l, 0));
    for (uint32_t n = 1; tables && n < 16; n++)
        if (is_taken(&takes[tables], (int)l->stage, n))
            own = ir_op2(b, IR_OR, 0, own, ir_op2(b, IR_EQ, 0, table, valhall_i32(l, n)));
    *lanes = ir_select(b, own, ir_op2(b, IR_AND, 0, v, valhall_i32(l, NO_ENTRY)), valhall_i32(l, NO_ENTRY));
    return 0;
}
