/* lift_special.c - registers that are in no file: the special registers (chapter 4), the global
 * registers and the dynamic constants. */
#include "isa/rogue/lift.h"

typedef ir_value special_fn(struct rogue_lifter *l, unsigned number);

/* ---- special registers ---- */

static ir_value always_0(struct rogue_lifter *l, unsigned number)
{
    (void)number;
    return rogue_word(l, 0);
}

/* 0: front. */
static ir_value face(struct rogue_lifter *l, unsigned number)
{
    (void)number;
    return ir_select(&l->b, ir_sysval(&l->b, IR_SYS_FACE, IR_I1, 0), rogue_word(l, 0), rogue_word(l, 1));
}

static ir_value instance(struct rogue_lifter *l, unsigned number)
{
    (void)l, (void)number;
    return ir_emit(&l->b, IR_LANE_ID, IR_I32, 0, 1, NULL, 0, 0, 0, 0);
}

/* Of all instances of a workgroup: what their private memory is numbered by. */
static ir_value local_instance(struct rogue_lifter *l, unsigned number)
{
    ir_value task = ir_sysval(&l->b, IR_SYS_WARP_ID, IR_I32, 0);
    ir_value first = ir_op2(&l->b, IR_MUL, 0, task, rogue_word(l, ROGUE_INSTANCES));
    return ir_op2(&l->b, IR_ADD, 0, first, instance(l, number));
}

static ir_value workgroup(struct rogue_lifter *l, unsigned number)
{
    (void)number;
    return lift_group_number(&l->b);
}

/* Helpers of a quad are not valid instances. */
static ir_value valid(struct rogue_lifter *l, unsigned number)
{
    (void)number;
    if (l->stage != IR_FRAGMENT)
        return rogue_word(l, 1);
    return ir_select(&l->b, ir_sysval(&l->b, IR_SYS_HELPER, IR_I1, 0), rogue_word(l, 0), rogue_word(l, 1));
}

/* The pixel's centre, as Mesa's compiler takes it for gl_FragCoord; in sample mode the sample's place. */
static ir_value position(struct rogue_lifter *l, unsigned number)
{
    bool x = number == ROGUE_SR_X_P || number == ROGUE_SR_X_S;
    ir_value at = ir_sysval(&l->b, x ? IR_SYS_FRAG_X : IR_SYS_FRAG_Y, IR_F32, 0);
    if (number == ROGUE_SR_X_P || number == ROGUE_SR_Y_P)
        return ir_as(&l->b, IR_I32, at);
    l->b.p->io.per_sample = true;
    ir_value corner = ir_op1(&l->b, IR_FRINT, IR_RDN, at), inside = ir_sysval(&l->b, IR_SYS_SAMPLE_POS, IR_F32, !x);
    return ir_as(&l->b, IR_I32, ir_op2(&l->b, IR_FADD, 0, corner, inside));
}

static ir_value shared_size(struct rogue_lifter *l, unsigned number)
{
    (void)number;
    return rogue_word(l, l->count[ROGUE_FILE_SH]);
}

/* ---- globals: the cluster's own words, here those of a workgroup, which begins with zeros ---- */

enum { GLOBALS = 8 };

static struct ir_mem global(struct rogue_lifter *l, unsigned number)
{
    if (l->globals == LIFT_NONE)
        l->globals =
            ir_add_space(l->b.p, (struct ir_space){.name = "globals", .kind = IR_SPACE_SHARED, .size = 4 * GLOBALS});
    return (struct ir_mem){(uint16_t)l->globals, IR_I32, 1, 4, 4 * (int64_t)(number - ROGUE_SR_GLOBAL0)};
}

static ir_value read_global(struct rogue_lifter *l, unsigned number)
{
    return ir_load(&l->b, global(l, number), IR_I32, rogue_word(l, 0));
}

bool rogue_write_special(struct rogue_lifter *l, unsigned number, ir_value v, ir_value pred)
{
    if (number < ROGUE_SR_GLOBAL0 || number >= ROGUE_SR_GLOBAL0 + GLOBALS || l->stage != IR_COMPUTE)
        return false;
    ir_store(&l->b, global(l, number), rogue_word(l, 0), &v, pred);
    return true;
}

/* ---- all of them ---- */

enum { FRAGMENT = 1 << IR_FRAGMENT, COMPUTE = 1 << IR_COMPUTE, ALL = 0xff };

static const struct special {
    uint8_t first, last;
    uint8_t stages; /* where it has a value */
    const char *what;
    special_fn *fn; /* NULL: it is a system value */
    uint8_t sysval; /* enum ir_sysval */
} specials[] = {
    {44, 44, FRAGMENT, "face orientation", face},
    {45, 45, ALL, "number of the cluster", always_0},
    {46, 46, ALL, "partition of the outputs", always_0},
    {47, 47, COMPUTE, "number of the task", NULL, IR_SYS_WARP_ID},
    {48, 48, ALL, "number of the slot", always_0},
    {49, 50, 0, "pixel where the tile begins"},
    {51, 51, ALL, "number of the instance in its task", instance},
    {52, 52, 0, "data master and kind of the task"},
    {53, 53, FRAGMENT, "number of the sample", NULL, IR_SYS_SAMPLE_ID},
    {54, 57, 0, "byte offset of a component of tiled loads"},
    {58, 61, 0, "byte offset of a component of tiled stores"},
    {62, 62, ALL, "number of the batch", always_0},
    {63, 63, ALL, "validity of the instance", valid},
    {96, 96, 0, "coordinates of the tile"},
    {97, 98, FRAGMENT, "x of the pixel or sample", position},
    {100, 101, FRAGMENT, "y of the pixel or sample", position},
    {102, 102, COMPUTE, "number of the workgroup", workgroup},
    {103, 103, ALL, "number of shared registers", shared_size},
    {104, 111, COMPUTE, "global register", read_global},
    {112, 112, COMPUTE, "number of the instance in its workgroup", local_instance},
    {114, 117, 0, "place of the pixel in its tile"},
    {118, 118, FRAGMENT, "number of the layer", NULL, IR_SYS_LAYER},
    {119, 122, 0, "byte offset of a component of tiled loads"},
    {123, 126, 0, "byte offset of a component of tiled stores"},
    {127, 127, ALL, "number of the GPU", always_0},
    {160, 160, ALL, "timer", always_0}, /* results must not depend on time */
};

ir_value rogue_special_register(struct rogue_lifter *l, unsigned number)
{
    static const char *const stages[IR_STAGES] = {
        "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        const struct special *s = &specials[i];
        if (number < s->first || number > s->last)
            continue;
        if (s->stages >> l->stage & 1)
            return s->fn ? s->fn(l, number) : ir_sysval(&l->b, (enum ir_sysval)s->sysval, IR_I32, 0);
        lift_refuse(&l->lift, "special register sr%u (%s) has no meaning in a %s program here", number, s->what,
                    stages[l->stage]);
        return rogue_word(l, 0);
    }
    lift_refuse(&l->lift, "there is no special register sr%u", number);
    return rogue_word(l, 0);
}

/* ---- dynamic constants: words of a uniform buffer, chosen by an index register ---- */

ir_value rogue_dynamic_constant(struct rogue_lifter *l, ir_value index)
{
    enum { DYNAMIC = 16384 };
    struct ir_mem mem = {(uint16_t)rogue_constants(l, l->link.dynamic.number), IR_I32, 1, 4, l->link.dynamic.offset};
    ir_value inside = ir_op2(&l->b, IR_LT_U, 0, index, rogue_word(l, DYNAMIC));
    ir_value v = ir_load(&l->b, mem, IR_I32, ir_op2(&l->b, IR_SHL, 0, index, rogue_word(l, 2)));
    return ir_select(&l->b, inside, v, rogue_word(l, 0));
}
