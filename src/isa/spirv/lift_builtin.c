/* lift_builtin.c - builtin inputs, and the execution modes of the entry point. */
#include "isa/spirv/lift_io.h"

/* ---- lanes of a subgroup ---- */

ir_value spirv_lane_set(struct spirv_lifter *l, uint32_t builtin)
{
    ir_value lane = ir_lane_id(&l->b);
    ir_value own = spirv_2(l, IR_SHL, spirv_const(l, IR_I64, 1), lane);
    ir_value below = spirv_2(l, IR_SUB, own, spirv_const(l, IR_I64, 1));
    ir_value upto = spirv_2(l, IR_OR, own, below);
    switch (builtin) {
    case SpvBuiltInSubgroupEqMask:
        return own;
    case SpvBuiltInSubgroupLtMask:
        return below;
    case SpvBuiltInSubgroupLeMask:
        return upto;
    case SpvBuiltInSubgroupGeMask:
        return spirv_1(l, IR_NOT, below);
    default:
        return spirv_1(l, IR_NOT, upto);
    }
}

/* Component of a ballot's four words. */
ir_value spirv_ballot_word(struct spirv_lifter *l, ir_value set, uint32_t component)
{
    return component > 1 ? spirv_i32(l, 0) : spirv_cvt(l, component ? IR_HI32 : IR_LO32, IR_I32, set);
}

/* ---- compute ---- */

static ir_value word(struct spirv_lifter *l, enum ir_sysval which, unsigned c)
{
    return spirv_sysval(l, which, IR_I32, c);
}

static ir_value block_size(struct spirv_lifter *l, unsigned c)
{
    return spirv_i32(l, l->b.p->io.block[c]);
}

static ir_value index_of(struct spirv_lifter *l, const ir_value id[3])
{
    ir_value z = spirv_2(l, IR_MUL, id[2], block_size(l, 1));
    ir_value y = spirv_2(l, IR_MUL, spirv_2(l, IR_ADD, z, id[1]), block_size(l, 0));
    return spirv_2(l, IR_ADD, y, id[0]);
}

/* The number of an invocation in the order of the lanes. */
static ir_value lane_index(struct spirv_lifter *l)
{
    return index_of(l, (const ir_value[]){word(l, IR_SYS_THREAD_ID, 0), word(l, IR_SYS_THREAD_ID, 1),
                                          word(l, IR_SYS_THREAD_ID, 2)});
}

/* The invocation's place in the workgroup. With DerivativeGroupQuads four lanes are a square: lanes go through two rows
 * together, two columns at a time. */
static ir_value local_id(struct spirv_lifter *l, unsigned c)
{
    if (!l->square_quads)
        return word(l, IR_SYS_THREAD_ID, c);
    ir_value n = lane_index(l), width = block_size(l, 0), slice = spirv_2(l, IR_MUL, width, block_size(l, 1));
    if (c == 2)
        return spirv_2(l, IR_DIV_U, n, slice);
    ir_value one = spirv_i32(l, 1), two_rows = spirv_2(l, IR_SHL, width, one);
    ir_value inside = spirv_2(l, IR_REM_U, n, slice), rest = spirv_2(l, IR_REM_U, inside, two_rows);
    ir_value pair = c ? spirv_2(l, IR_DIV_U, inside, two_rows) : spirv_2(l, IR_SHR_U, rest, spirv_i32(l, 2));
    ir_value bit = spirv_2(l, IR_AND, c ? spirv_2(l, IR_SHR_U, rest, one) : rest, one);
    return spirv_2(l, IR_ADD, spirv_2(l, IR_SHL, pair, one), bit);
}

static ir_value local_index(struct spirv_lifter *l)
{
    return l->square_quads ? index_of(l, (const ir_value[]){local_id(l, 0), local_id(l, 1), local_id(l, 2)})
                           : lane_index(l);
}

static ir_value subgroups(struct spirv_lifter *l)
{
    ir_value n = spirv_2(l, IR_MUL, spirv_2(l, IR_MUL, block_size(l, 0), block_size(l, 1)), block_size(l, 2));
    return spirv_2(l, IR_SHR_U, spirv_2(l, IR_ADD, n, spirv_i32(l, SPIRV_LANES - 1)), spirv_i32(l, 6));
}

static ir_value compute_builtin(struct spirv_lifter *l, uint32_t builtin, uint32_t c)
{
    bool place = builtin >= SpvBuiltInNumWorkgroups && builtin <= SpvBuiltInGlobalInvocationId;
    if (place && c > 2) /* they have three components */
        return 0;
    if ((place || builtin == SpvBuiltInLocalInvocationIndex || builtin == SpvBuiltInNumSubgroups ||
         builtin == SpvBuiltInSubgroupId) && l->stage != IR_COMPUTE) /* others have no workgroups */
        return 0;
    switch (builtin) {
    case SpvBuiltInNumWorkgroups:
        return word(l, IR_SYS_GRID_SIZE, c);
    case SpvBuiltInWorkgroupSize:
        return block_size(l, c);
    case SpvBuiltInWorkgroupId:
        return word(l, IR_SYS_BLOCK_ID, c);
    case SpvBuiltInLocalInvocationId:
        return local_id(l, c);
    case SpvBuiltInGlobalInvocationId:
        return spirv_2(l, IR_ADD, spirv_2(l, IR_MUL, word(l, IR_SYS_BLOCK_ID, c), block_size(l, c)),
                       local_id(l, c));
    case SpvBuiltInLocalInvocationIndex:
        return local_index(l);
    case SpvBuiltInSubgroupSize:
        return spirv_i32(l, SPIRV_LANES);
    case SpvBuiltInNumSubgroups:
        return subgroups(l);
    case SpvBuiltInSubgroupId:
        return spirv_2(l, IR_SHR_U, lane_index(l), spirv_i32(l, 6));
    case SpvBuiltInSubgroupLocalInvocationId:
        return ir_lane_id(&l->b);
    case SpvBuiltInDeviceIndex: /* there is one device */
        return spirv_i32(l, 0);
    case SpvBuiltInSubgroupEqMask:
    case SpvBuiltInSubgroupGeMask:
    case SpvBuiltInSubgroupGtMask:
    case SpvBuiltInSubgroupLeMask:
    case SpvBuiltInSubgroupLtMask:
        return spirv_ballot_word(l, spirv_lane_set(l, builtin), c);
    default:
        return 0;
    }
}

/* ---- graphics ---- */

static ir_value flag(struct spirv_lifter *l, enum ir_sysval which, enum ir_type type)
{
    ir_value v = spirv_sysval(l, which, IR_I1, 0);
    return type == IR_I1 ? spirv_cvt(l, IR_SEXT, IR_I32, v) : v;
}

static ir_value graphics_builtin(struct spirv_lifter *l, uint32_t builtin, uint32_t c, enum ir_type type)
{
    switch (builtin) {
    case SpvBuiltInFragCoord:
        return spirv_sysval(l, (enum ir_sysval)(IR_SYS_FRAG_X + c), IR_F32, 0);
    case SpvBuiltInPointCoord:
        return spirv_sysval(l, IR_SYS_POINT_COORD, IR_F32, c);
    case SpvBuiltInFrontFacing:
        return flag(l, IR_SYS_FACE, type);
    case SpvBuiltInHelperInvocation:
        return flag(l, IR_SYS_HELPER, type);
    case SpvBuiltInSampleId:
        l->b.p->io.per_sample = true;
        return word(l, IR_SYS_SAMPLE_ID, 0);
    case SpvBuiltInSamplePosition:
        l->b.p->io.per_sample = true;
        return spirv_sysval(l, IR_SYS_SAMPLE_POS, IR_F32, c);
    case SpvBuiltInSampleMask:
        return c ? spirv_i32(l, 0) : word(l, IR_SYS_SAMPLE_MASK, 0);
    case SpvBuiltInPrimitiveId:
        return word(l, IR_SYS_PRIM_ID, 0);
    case SpvBuiltInLayer:
        return word(l, IR_SYS_LAYER, 0);
    case SpvBuiltInViewportIndex:
        return word(l, IR_SYS_VIEWPORT, 0);
    case SpvBuiltInVertexIndex:
        return word(l, IR_SYS_VERTEX_ID, 0);
    case SpvBuiltInInstanceIndex:
        return spirv_2(l, IR_ADD, word(l, IR_SYS_INSTANCE_ID, 0), word(l, IR_SYS_BASE_INSTANCE, 0));
    case SpvBuiltInBaseVertex:
        return word(l, IR_SYS_BASE_VERTEX, 0);
    case SpvBuiltInBaseInstance:
        return word(l, IR_SYS_BASE_INSTANCE, 0);
    case SpvBuiltInDrawIndex:
        return word(l, IR_SYS_DRAW_ID, 0);
    case SpvBuiltInViewIndex: /* passes of jobs have one view */
        return spirv_i32(l, 0);
    case SpvBuiltInInvocationId:
        return word(l, IR_SYS_INVOCATION_ID, 0);
    case SpvBuiltInPatchVertices:
        return word(l, IR_SYS_VERTICES_IN, 0);
    case SpvBuiltInTessCoord:
        return spirv_sysval(l, IR_SYS_TESS_COORD, IR_F32, c);
    case SpvBuiltInTessLevelOuter:
        return spirv_sysval(l, IR_SYS_TESS_OUTER, IR_F32, c);
    case SpvBuiltInTessLevelInner:
        return spirv_sysval(l, IR_SYS_TESS_INNER, IR_F32, c);
    default:
        return 0;
    }
}

ir_value spirv_builtin_scalar(struct spirv_lifter *l, uint32_t builtin, uint32_t component, enum ir_type type)
{
    ir_value v = component < 4 ? compute_builtin(l, builtin, component) : 0;
    if (!v && component < 4 && l->stage != IR_COMPUTE)
        v = graphics_builtin(l, builtin, component, type);
    if (!v)
        spirv_wrong(l, "the builtin %s is not executed", spirv_enumerant_of("BuiltIn", builtin));
    return v;
}

/* ---- execution modes ---- */

static void take_size(struct spirv_lifter *l, const uint32_t *size, bool ids)
{
    for (unsigned c = 0; c < 3; c++) {
        uint64_t value = size[c];
        if (ids && !spirv_constant(l, size[c], &value))
            spirv_wrong(l, "a size of the workgroup is not a constant");
        if (value == 0 || value > 1024)
            spirv_wrong(l, "a workgroup has 1 to 1024 invocations in each dimension");
        l->b.p->io.block[c] = (uint16_t)value;
    }
}

/* A number that the program says, within limits. */
enum { MOST_PATCH_VERTICES = 32 };
static uint32_t limited(struct spirv_lifter *l, uint32_t value, uint32_t least, uint32_t most, const char *what)
{
    if (value < least || value > most)
        spirv_wrong(l, "%u %s: there are %u to %u", value, what, least, most);
    return value;
}

/* Modes that set one number. */
static bool take_number(struct ir_io *io, uint32_t mode)
{
    static const struct {
        uint32_t mode;
        uint8_t gs_input, gs_output, tes_mode, tes_spacing; /* 1 + the value */
    } numbers[] = {
        {SpvExecutionModeInputPoints, .gs_input = 1 + IR_PRIM_POINTS},
        {SpvExecutionModeInputLines, .gs_input = 1 + IR_PRIM_LINES},
        {SpvExecutionModeInputLinesAdjacency, .gs_input = 1 + IR_PRIM_LINES_ADJACENCY},
        {SpvExecutionModeTriangles, .gs_input = 1 + IR_PRIM_TRIANGLES, .tes_mode = 1 + IR_PRIM_TRIANGLES},
        {SpvExecutionModeInputTrianglesAdjacency, .gs_input = 1 + IR_PRIM_TRIANGLES_ADJACENCY},
        {SpvExecutionModeOutputPoints, .gs_output = 1 + IR_PRIM_POINTS},
        {SpvExecutionModeOutputLineStrip, .gs_output = 1 + IR_PRIM_LINE_STRIP},
        {SpvExecutionModeOutputTriangleStrip, .gs_output = 1 + IR_PRIM_TRIANGLE_STRIP},
        {SpvExecutionModeQuads, .tes_mode = 1 + IR_PRIM_QUADS},
        {SpvExecutionModeIsolines, .tes_mode = 1 + IR_PRIM_LINES},
        {SpvExecutionModeSpacingEqual, .tes_spacing = 1 + IR_SPACING_EQUAL},
        {SpvExecutionModeSpacingFractionalEven, .tes_spacing = 1 + IR_SPACING_FRACTIONAL_EVEN},
        {SpvExecutionModeSpacingFractionalOdd, .tes_spacing = 1 + IR_SPACING_FRACTIONAL_ODD},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].mode == mode) {
            io->gs_input = numbers[i].gs_input ? (uint8_t)(numbers[i].gs_input - 1) : io->gs_input;
            io->gs_output = numbers[i].gs_output ? (uint8_t)(numbers[i].gs_output - 1) : io->gs_output;
            io->tes_mode = numbers[i].tes_mode ? (uint8_t)(numbers[i].tes_mode - 1) : io->tes_mode;
            io->tes_spacing = numbers[i].tes_spacing ? (uint8_t)(numbers[i].tes_spacing - 1) : io->tes_spacing;
            return true;
        }
    return false;
}

/* Modes that are so anyway, or that outputs say too. */
static bool is_implied(uint32_t mode)
{
    static const uint32_t implied[] = {
        SpvExecutionModeOriginUpperLeft,
        SpvExecutionModeVertexOrderCcw,
        SpvExecutionModeDepthReplacing,
        SpvExecutionModeDepthGreater,
        SpvExecutionModeDepthLess,
        SpvExecutionModeDepthUnchanged,
        SpvExecutionModeXfb,
        SpvExecutionModeSignedZeroInfNanPreserve,
        SpvExecutionModeDenormPreserve,
        SpvExecutionModeRoundingModeRTE,
        SpvExecutionModeSubgroupUniformControlFlowKHR,
        SpvExecutionModeStencilRefReplacingEXT,
        SpvExecutionModeEarlyAndLateFragmentTestsAMD, /* what early tests keep away, late ones do */
        SpvExecutionModeStencilRefUnchangedFrontAMD,
        SpvExecutionModeStencilRefGreaterFrontAMD,
        SpvExecutionModeStencilRefLessFrontAMD,
        SpvExecutionModeStencilRefUnchangedBackAMD,
        SpvExecutionModeStencilRefGreaterBackAMD,
        SpvExecutionModeStencilRefLessBackAMD,
        6023 /* MaximallyReconvergesKHR */,
    };
    for (size_t i = 0; i < sizeof implied / sizeof *implied; i++)
        if (implied[i] == mode)
            return true;
    return false;
}

/* Float controls of one width. What other modes ask for, weft does anyway. */
static void take_float_control(struct spirv_lifter *l, uint32_t width, unsigned attr)
{
    if (width == 16 || width == 32 || width == 64)
        l->float_attr[width == 16 ? 0 : width / 32] |= (uint16_t)attr;
    else
        spirv_wrong(l, "floats have 16, 32 or 64 bits, not %u", width);
}

static void take_mode(struct spirv_lifter *l, uint32_t mode, const uint32_t *w)
{
    struct ir_io *io = &l->b.p->io;
    if (take_number(io, mode) || is_implied(mode))
        return;
    switch (mode) {
    case SpvExecutionModeOriginLowerLeft:
        io->origin_lower_left = true;
        break;
    case SpvExecutionModePixelCenterInteger:
        io->center_integer = true;
        break;
    case SpvExecutionModePixelInterlockOrderedEXT:
    case SpvExecutionModePixelInterlockUnorderedEXT:
    case SpvExecutionModeSampleInterlockOrderedEXT:
    case SpvExecutionModeSampleInterlockUnorderedEXT:
        io->in_order = true; /* a warp has a pixel once, so what is between begin and end needs no more */
        break;
    case SpvExecutionModeEarlyFragmentTests:
        io->early_depth_stencil = true;
        break;
    case SpvExecutionModeLocalSize:
    case SpvExecutionModeLocalSizeId:
        take_size(l, w, mode == SpvExecutionModeLocalSizeId);
        break;
    case SpvExecutionModeDerivativeGroupQuadsNV:
    case SpvExecutionModeDerivativeGroupLinearNV:
        io->uses_derivatives = true;
        l->square_quads = mode == SpvExecutionModeDerivativeGroupQuadsNV;
        break;
    case SpvExecutionModeInvocations:
        io->gs_invocations = (uint16_t)limited(l, w[0], 1, UINT16_MAX, "invocations for each primitive");
        break;
    case SpvExecutionModeOutputVertices:
        if (l->stage == IR_TESS_CTRL)
            io->tcs_vertices_out = (uint8_t)limited(l, w[0], 1, MOST_PATCH_VERTICES, "vertices of a patch");
        else
            io->gs_max_vertices = (uint16_t)limited(l, w[0], 0, UINT16_MAX, "vertices at most");
        break;
    case SpvExecutionModeVertexOrderCw:
        io->tes_cw = true;
        break;
    case SpvExecutionModePointMode:
        io->tes_points = true;
        break;
    case SpvExecutionModeRoundingModeRTZ:
        take_float_control(l, w[0], IR_RTZ);
        break;
    case SpvExecutionModeDenormFlushToZero:
        take_float_control(l, w[0], IR_FLUSH_IN | IR_FLUSH_OUT);
        break;
    default:
        spirv_wrong(l, "the execution mode %s is not executed", spirv_enumerant_of("ExecutionMode", mode));
        break;
    }
}

/* A constant that is decorated as WorkgroupSize counts before LocalSize. */
static void take_decorated_size(struct spirv_lifter *l)
{
    for (uint32_t id = 1; id < l->m->bound; id++) {
        const struct spirv_decoration *d = spirv_decoration_of(l->m, id, SPIRV_NONE, SpvDecorationBuiltIn);
        if (!d || d->w[0] != SpvBuiltInWorkgroupSize)
            continue;
        const struct spirv_value *e = &l->values[id];
        for (unsigned c = 0; e->what == SPIRV_SCALARS && e->n == 3 && c < 3; c++) {
            uint64_t value = 0;
            spirv_begin_insn(l, l->m->def[id]);
            if (!spirv_bits(l, e->v[c], &value) || value == 0 || value > 1024)
                spirv_wrong(l, "a workgroup has 1 to 1024 invocations in each dimension");
            l->b.p->io.block[c] = (uint16_t)value;
        }
    }
}

void spirv_take_modes(struct spirv_lifter *l)
{
    uint32_t entry = spirv_words(l->m, l->m->entry)[2];
    l->b.p->io.uses_derivatives = l->stage == IR_FRAGMENT;
    if (l->stage == IR_GEOMETRY)
        l->b.p->io.gs_invocations = 1;
    if (l->stage == IR_COMPUTE)
        l->b.p->io.block[0] = l->b.p->io.block[1] = l->b.p->io.block[2] = 1;
    for (uint32_t i = 0; i < l->m->ninsns && !l->failed; i++) {
        unsigned op = l->m->insns[i].op;
        if ((op != SpvOpExecutionMode && op != SpvOpExecutionModeId) || spirv_words(l->m, i)[1] != entry)
            continue;
        spirv_begin_insn(l, i);
        take_mode(l, l->w[2], l->w + 3); /* with as many words as it takes: spirv_read has counted them */
    }
    if (l->stage == IR_COMPUTE)
        take_decorated_size(l);
}
