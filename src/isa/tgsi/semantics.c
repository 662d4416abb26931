/* semantics.c - what semantics and properties are: semantics.inc and properties.inc as tables. */
#include "ir/io.h"
#include "ir/ir.h"
#include "isa/tgsi/tgsi.h"

/* ---- semantics ---- */

#define STAGE(processor) (1u << (processor))

enum {
    NOWHERE = 0,
    FRAG = STAGE(TGSI_FRAG),
    VERT = STAGE(TGSI_VERT),
    BETWEEN = STAGE(TGSI_GEOM) | STAGE(TGSI_TESS_CTRL) | STAGE(TGSI_TESS_EVAL),
    BEFORE = VERT | BETWEEN, /* all that come before fragments */
    DRAWING = BEFORE | FRAG
};

/* The document says what holds for vertex and fragment programs. Stages in between hand on what a vertex program
 * writes, so that a semantic of its outputs is one of their inputs and outputs too. */
#define PLACE(in, out, words) .inputs = in, .outputs = out, .where = words
#define DRAWN PLACE(DRAWING, DRAWING, "an input or an output of the stages of a draw")
#define MADE_BEFORE PLACE(BETWEEN, BEFORE, "an output of the stages before FRAG")
#define MADE_BEFORE_AND_INPUT PLACE(DRAWING, BEFORE, "an input, or an output of the stages before FRAG")
#define MADE_BEFORE_OR_INPUT PLACE(DRAWING, BEFORE, "an output of the stages before FRAG, or an input")
#define BEFORE_ALONE PLACE(BEFORE, BEFORE, "an input or an output of the stages before FRAG")
#define VERTEX_INPUT PLACE(DRAWING, BEFORE, "an input of a VERT program")
#define FRAGMENT_INPUT PLACE(FRAG, NOWHERE, "an input of a FRAG program")
#define FRAGMENT_OUTPUT PLACE(NOWHERE, FRAG, "an output of a FRAG program")
#define HANDED_ON PLACE(BETWEEN | FRAG, BEFORE, "an output of the stages before FRAG, or an input after VERT")
#define ANYWHERE .where = NULL /* of newer releases: the document says nothing about it */

#define VALUE(kind, which, number) .value = TGSI_VALUE_##kind, .sysval = which, .type = IR_##number
#define PLAIN .value = TGSI_VALUE_NONE
#define SCALAR(which) VALUE(SCALAR, IR_SYS_##which, I32)
#define VECTOR(which, number) VALUE(VECTOR, IR_SYS_##which, number)
#define FLAG(which) VALUE(FLAG, IR_SYS_##which, I1)
#define SUBGROUP(which) VALUE(SUBGROUP, TGSI_SUBGROUP_##which, I32)

const struct tgsi_semantic tgsi_semantics[] = {
#define SEMANTIC(word, number, ...) {.ir = IR_SEM_##number, __VA_ARGS__},
#include "isa/tgsi/semantics.inc"
#undef SEMANTIC
    {.ir = IR_SEM_NONE} /* of numbers beyond */
};

const char *const tgsi_semantic_names[] = {
#define SEMANTIC(word, ...) #word,
#include "isa/tgsi/semantics.inc"
#undef SEMANTIC
    NULL
};

/* ---- properties ---- */

static const char *const primitive_names[] = {
    "POINTS", "LINES", "LINE_LOOP", "LINE_STRIP", "TRIANGLES", "TRIANGLE_STRIP", "TRIANGLE_FAN", "QUADS", "QUAD_STRIP",
    "POLYGON", "LINES_ADJACENCY", "LINE_STRIP_ADJACENCY", "TRIANGLES_ADJACENCY", "TRIANGLE_STRIP_ADJACENCY", "PATCHES",
    NULL
};

static const char *const origin_names[] = {
    "UPPER_LEFT", "LOWER_LEFT",
    NULL
};

static const char *const pixel_center_names[] = {
    "HALF_INTEGER", "INTEGER",
    NULL
};

/* NEXT_SHADER's values are the stages as Mesa 22.3 numbers them; enum tgsi_processor has the older order. */
static const char *const shader_names[] = {
    "VERT", "TESS_CTRL", "TESS_EVAL", "GEOM", "FRAG", "COMP",
    NULL
};

#undef FLAG
#define MEMBER(kind, name) .sets = TGSI_SETS_##kind, .member = offsetof(struct ir_io, name)
#define FLAG(name) MEMBER(FLAG, name)
#define BYTE(name) MEMBER(BYTE, name)
#define NUMBER(name) MEMBER(NUMBER, name)
#define LIMITS(from, to) .least = from, .most = to
#define ONLY(bits, text) .only = bits, .choice = text
#define KEPT .sets = TGSI_SETS_NOTHING
#define IGNORED .sets = TGSI_SETS_NOTHING, .ignored = true

const struct tgsi_property_row tgsi_property_rows[] = {
#define PROPERTY(word, list, ...) {.words = list, __VA_ARGS__},
#include "isa/tgsi/properties.inc"
#undef PROPERTY
};

const char *const tgsi_property_names[] = {
#define PROPERTY(word, ...) #word,
#include "isa/tgsi/properties.inc"
#undef PROPERTY
    NULL
};

unsigned tgsi_primitive_vertices(const struct isa_module *m)
{
    static const uint8_t vertices[] = {1, 2, 2, 2, 3, 3, 3, 4, 4, 0, 4, 4, 6, 6, TGSI_PATCH_VERTICES};
    uint32_t primitive = UINT32_MAX;
    for (uint32_t i = 0; i < m->nprops; i++)
        if (m->props[i].name == TGSI_GS_INPUT_PRIMITIVE)
            primitive = m->props[i].value[0];
    return primitive < sizeof vertices ? vertices[primitive] : 0;
}
