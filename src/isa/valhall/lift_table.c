/* lift_table.c - the resource tables that instructions name: which of them hold what an instruction takes. */
#include "isa/valhall/lift.h"

#include "isa/valhall/check.h"

enum { INDEX_BITS = 24, NO_ENTRY = (1 << INDEX_BITS) - 1, ANY = UINT16_MAX };

static const struct tables {
    uint16_t opcode, second;
    uint16_t tables; /* a bit each */
    const char *text;
} takes[] = {
    {0x66, 0, 1 << 1, "table 1 (attributes)"},
    {0x76, 0, 1 << 1, "table 1 (attributes)"},
    {0x67, 0, 1 << 1, "table 1 (attributes)"},
    {0x77, 0, 1 << 1, "table 1 (attributes)"},
    {0x66, 1, 1 << 5 | 1 << 2 | 1 << 1, "tables 1, 2 and 5 (images)"},
    {0x76, 1, 1 << 5 | 1 << 2 | 1 << 1, "tables 1, 2 and 5 (images)"},
    {0x67, 1, 1 << 5 | 1 << 2 | 1 << 1, "tables 1, 2 and 5 (images)"},
    {0x77, 1, 1 << 5 | 1 << 2 | 1 << 1, "tables 1, 2 and 5 (images)"},
    {0x54, ANY, 1 << 1 | 1 << 0, "tables 0 and 1 (varyings)"},
    {0x64, ANY, 1 << 1 | 1 << 0, "tables 0 and 1 (varyings)"},
    {0x41, ANY, 1 << 1 | 1 << 0, "tables 0 and 1 (varyings)"},
    {0x55, ANY, 1 << 1 | 1 << 0, "tables 0 and 1 (varyings)"},
    {VALHALL_OPCODE_LEA_BUF_IMM, ANY, 1 << 13 | 1 << 6 | 1 << 0,
     "tables 0 (uniform buffers), 6 (storage buffers) and, in vertex programs, 13 (outputs)"},
};

static const struct tables *tables_of(const struct valhall_row *row)
{
    for (unsigned i = 0; i < sizeof takes / sizeof *takes; i++)
        if (takes[i].opcode == row->opcode && (takes[i].second == ANY || takes[i].second == row->second))
            return &takes[i];
    return NULL;
}

const char *valhall_table_fault(const struct valhall_row *row, int stage, uint32_t table)
{
    const struct tables *t = tables_of(row);
    bool taken = !t || (table < 16 && t->tables >> table & 1);
    if (t && row->opcode == VALHALL_OPCODE_LEA_BUF_IMM && table == VALHALL_TABLE_OUTPUT && stage >= 0)
        taken = stage == IR_VERTEX;
    return taken ? NULL : t->text;
}

int valhall_table_operand(const struct valhall_insn *insn)
{
    for (unsigned i = 0; i < insn->nimm; i++)
        if (insn->row->imm[i].name[0] == 't' && insn->row->imm[i].name[2] == 'b')
            return (int)insn->imm[i];
    return -1;
}

/* A number without a table in its upper bits is one of the instruction's own table. */
uint32_t valhall_table_entry(struct valhall_lifter *l, const struct valhall_source *s, ir_value *lanes)
{
    struct ir_builder *b = &l->b;
    const struct tables *t = tables_of(l->insn->row);
    uint32_t known;
    *lanes = 0;
    if (valhall_constant(l, s, &known)) {
        const char *fault =
            known >> INDEX_BITS ? valhall_table_fault(l->insn->row, (int)l->stage, known >> INDEX_BITS) : NULL;
        if (fault)
            valhall_refuse(l, VALHALL_TABLE_MESSAGE, l->insn->row->name, fault, known >> INDEX_BITS);
        return known & NO_ENTRY;
    }
    ir_value v = valhall_bits(l, s), table = ir_op2(b, IR_SHR_U, 0, v, valhall_i32(l, INDEX_BITS));
    ir_value own = ir_op2(b, IR_EQ, 0, table, valhall_i32(l, 0));
    for (uint32_t n = 1; t && n < 16; n++)
        if (t->tables >> n & 1)
            own = ir_op2(b, IR_OR, 0, own, ir_op2(b, IR_EQ, 0, table, valhall_i32(l, n)));
    *lanes = ir_select(b, own, ir_op2(b, IR_AND, 0, v, valhall_i32(l, NO_ENTRY)), valhall_i32(l, NO_ENTRY));
    return 0;
}
