/* lift_lanes.c - what a finished program tells about its warps: whether two of them may run as one, where no lane can
 * tell which others its warp has. */
#include "ir/rewrite.h"
#include "isa/lift.h"

bool lift_fills(enum ir_stage stage, const uint32_t block[3], unsigned lanes)
{
    return stage != IR_COMPUTE || (block[0] * block[1] * block[2]) % lanes == 0;
}

/* ---- what shows the warp ---- */

static bool op_shows_warp(const struct ir_program *p, const struct ir_op *op)
{
    switch (op->code) {
    case IR_BALLOT:
    case IR_ALL:
    case IR_FIRST:
    case IR_REDUCE:
    case IR_SHUFFLE:
    case IR_LANE_ID:
    case IR_GET_LANE:
    case IR_SET_LANE:
    case IR_ATOMIC:
    case IR_SERVICE:
    case IR_EMIT:
    case IR_CUT:
    case IR_JUMP:
    case IR_BARRIER:
    case IR_TRAP:
        return true;
    case IR_SYSVAL:
        return op->imm == IR_SYS_WARP_ID || op->imm == IR_SYS_SUBGROUP_SIZE;
    case IR_SET:
    case IR_SET_DYN:
        return p->files[p->regs[op->desc].file].uniform;
    default:
        return op->attr & IR_ALL_LANES && op->code == IR_ANY;
    }
}

bool lift_shows_warp(const struct ir_program *p)
{
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++)
            if (op_shows_warp(p, &p->blocks[b].ops[i]))
                return true;
    return false;
}

/* ---- whether lanes of a workgroup ever part ---- */

struct parting {
    const struct ir_program *p;
    struct elements elements;
    bool *value, *reg; /* it may differ among the lanes of a workgroup: by value, by register element */
    bool changed;         /* some register turned out so */
    bool parts;           /* some control op has lanes of both kinds */
};

static bool sysval_varies(uint64_t which)
{
    return which != IR_SYS_BLOCK_ID && which != IR_SYS_BLOCK_SIZE && which != IR_SYS_GRID_SIZE;
}

static bool argument_varies(const struct parting *g, const struct ir_op *op)
{
    for (unsigned k = 0; k < op->nargs; k++)
        if (g->value[ir_args(g->p, op)[k]])
            return true;
    return op->pred && g->value[op->pred];
}

/* One address is one number, whichever lanes load it. */
static bool result_varies(const struct parting *g, const struct ir_op *op)
{
    switch (op->code) {
    case IR_GET: {
        struct reg_span s = reg_span(g->p, &g->p->regs[op->desc]);
        for (uint32_t i = 0; i < s.count; i++)
            if (g->reg[g->elements.base[s.file] + s.elem + i])
                return true;
        return false;
    }
    case IR_SYSVAL:
        return sysval_varies(op->imm);
    case IR_LOAD:
        return g->p->spaces[g->p->mems[op->desc].space].kind >= IR_SPACE_PRIVATE || argument_varies(g, op);
    case IR_LANE_ID:
    case IR_SHUFFLE:
        return true;
    default:
        return !(ir_op_info[op->code].flags & IR_OP_PURE) || argument_varies(g, op);
    }
}

static void note_set(struct parting *g, const struct ir_op *op)
{
    const struct ir_reg *r = &g->p->regs[op->desc];
    bool range = reg_access(op) == REG_WRITE_RANGE;
    if (!range && !argument_varies(g, op))
        return;
    struct reg_span s = range ? reg_range(g->p, r) : reg_span(g->p, r);
    for (uint32_t i = 0; i < s.count; i++) {
        bool *reg = &g->reg[g->elements.base[s.file] + s.elem + i];
        g->changed |= !*reg;
        *reg = true;
    }
}

static void look(struct parting *g)
{
    for (uint32_t b = 0; b < g->p->nblocks; b++) {
        for (uint32_t i = 0; i < g->p->blocks[b].count; i++) {
            const struct ir_op *op = &g->p->blocks[b].ops[i];
            enum reg_access access = reg_access(op);
            if (access == REG_WRITE || access == REG_WRITE_RANGE)
                note_set(g, op);
            g->parts |= op->code == IR_CONTROL && argument_varies(g, op);
            for (unsigned k = 0; k < op->nres; k++)
                g->value[op->res + k] = result_varies(g, op);
        }
    }
}

/* Registers are looked at without regard to the order of things; all of them are zero in the beginning. */
bool lift_lanes_part(const struct ir_program *p)
{
    struct arena scratch = {0};
    struct parting g = {.p = p, .changed = true};
    bool ok = elements_number(&g.elements, p, &scratch);
    g.value = ARENA_ARRAY(&scratch, bool, p->nvalues);
    g.reg = ARENA_ARRAY(&scratch, bool, g.elements.count);
    while (ok && g.value && g.reg && g.changed && !g.parts) {
        g.changed = false;
        look(&g);
    }
    bool parts = g.parts || !ok || !g.value || !g.reg;
    arena_free(&scratch);
    return parts;
}
