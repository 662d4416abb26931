/* lift_uvsw.c - UVSW and TESSW (chapter 11): words for the vertex stream and the tessellator, the ends of vertices,
 * strips and tasks. */
#include "isa/rogue/lift.h"

/* The stages that make vertices. */
static bool makes_vertices(const struct rogue_lifter *l)
{
    return l->stage == IR_VERTEX || rogue_stage_of_vertices(l);
}

/* ---- writing ---- */

static void write_word(struct rogue_lifter *l, enum rogue_where where, uint32_t number, ir_value v, ir_value pred)
{
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct rogue_place *p = &l->link.places[i];
        if (p->output && p->where == where && p->number == number)
            rogue_put_output(l, i, p->component, v, pred);
    }
}

/* The output that a source numbers: each instance has its own. */
static void write_chosen(struct rogue_lifter *l, ir_value number, ir_value v)
{
    for (uint32_t i = 0; i < l->link.nplaces; i++) {
        const struct rogue_place *p = &l->link.places[i];
        if (!p->output || p->where != ROGUE_AT_VO)
            continue;
        ir_value chosen = ir_op2(&l->b, IR_EQ, 0, number, rogue_word(l, p->number));
        rogue_put_output(l, i, p->component, v, rogue_and(l, l->run, chosen));
    }
}

static ir_value data(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    return l->w[rogue_get(insn, ROGUE_F_DSEL) != 0];
}

static bool refuse_stage(struct rogue_lifter *l, const struct rogue_insn *insn, bool possible, const char *where)
{
    if (!possible)
        lift_refuse(&l->lift, "'%s' is for %s programs", insn->row->name, where);
    return !possible;
}

/* Repeated, an address in the instruction counts up; a source steps to the next register instead. */
void rogue_lift_uvsw_write(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    const struct rogue_group *g = l->group;
    if (refuse_stage(l, insn, makes_vertices(l), "vertex, geometry and tessellation"))
        return;
    if (rogue_has_field(insn, ROGUE_F_IMM_ADDR))
        write_word(l, ROGUE_AT_VO, (uint32_t)rogue_get(insn, ROGUE_F_IMM_ADDR) + l->step, data(l, insn), l->run);
    else
        write_chosen(l, rogue_source(l, (unsigned)rogue_get(insn, ROGUE_F_SRCSEL)), data(l, insn));
    if (rogue_flow_of(insn->row) == WEFT_FLOW_EMIT && l->step + 1u == g->repeat)
        rogue_lift_uvsw(l, insn);
}

void rogue_lift_tessw(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    if (!refuse_stage(l, insn, l->stage == IR_TESS_CTRL, "tessellation control"))
        write_word(l, ROGUE_AT_T, (uint32_t)rogue_get(insn, ROGUE_F_IMM_ADDR) + l->step, data(l, insn), l->run);
}

/* ---- emitting, cutting, ending ---- */

static uint8_t stream_of(const struct rogue_insn *insn)
{
    return (uint8_t)rogue_get(insn, ROGUE_F_STREAM_ID); /* 0 without one */
}

uint8_t rogue_uvsw_streams(const struct isa_module *m)
{
    uint8_t streams = 1;
    for (uint32_t i = 0; i < m->ngroups; i++) {
        const struct rogue_insn *insn = rogue_backend_of(&m->groups[i]);
        if (insn && stream_of(insn) >= streams)
            streams = (uint8_t)(stream_of(insn) + 1);
    }
    return streams;
}

/* Programs of one vertex have it taken when they end; EMIT and ENDTASK say no more than that. */
void rogue_lift_uvsw(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    unsigned does = rogue_argument(insn->row);
    if (does & ROGUE_UVSW_CUTS ? refuse_stage(l, insn, l->stage == IR_GEOMETRY, "geometry")
                               : refuse_stage(l, insn, makes_vertices(l), "vertex, geometry and tessellation"))
        return;
    if (l->stage != IR_GEOMETRY)
        return;
    uint8_t stream = stream_of(insn);
    if (does & ROGUE_UVSW_EMITS)
        ir_emit(&l->b, IR_EMIT, IR_VOID, 0, 0, NULL, 0, 0, stream, l->run);
    if (does & ROGUE_UVSW_CUTS)
        ir_emit(&l->b, IR_CUT, IR_VOID, 0, 0, NULL, 0, 0, stream, l->run);
}
