/* lift_texture.h - what SMP and ITRSMP ask of a texture: the words of their data by what they are. Private to the lift.
 */
#ifndef WEFT_ISA_ROGUE_LIFT_TEXTURE_H
#define WEFT_ISA_ROGUE_LIFT_TEXTURE_H

#include "isa/rogue/lift.h"

enum { ROGUE_AXES = 3, ROGUE_CHANNELS = 4 };
/* What comes back beside or instead of the filtered value (modifier SBMode, chapter 5). */
enum rogue_bypass { ROGUE_BYPASS_NONE, ROGUE_BYPASS_DATA, ROGUE_BYPASS_INFO, ROGUE_BYPASS_BOTH };

struct rogue_request {
    struct rogue_lifter *l;
    const struct rogue_insn *insn;
    struct rogue_reg texture, sampler; /* the first registers of their states */
    const ir_value *given;             /* IR_F32 words in the place of registers at S1: ITRSMP; NULL */
    unsigned items, words;             /* taken of the data so far */
    unsigned axes;
    bool texels;                         /* coordinates count texels of the level that is read */
    ir_value coord[ROGUE_AXES];          /* IR_F32; of .integer IR_I32 */
    ir_value layer, reference;           /* IR_I32, IR_F32; 0: none */
    unsigned lod_mode;                   /* enum rogue_lod */
    ir_value lod;                        /* bias or level, IR_F32 */
    ir_value gradient[ROGUE_AXES][2];    /* d/dx and d/dy */
    ir_value address;                    /* high word of the override; 0 */
    ir_value offset[ROGUE_AXES], sample; /* IR_I32; 0 */
    ir_value data[ROGUE_CHANNELS];       /* of a write: IR_F32 or IR_I32 */
    struct ir_texture ir;                /* the texture and sampler: view, dimension, array */
    ir_value view_arg, sampler_arg;      /* what chooses them at run time; 0 */
};

static inline bool rogue_request_has(const struct rogue_request *r, enum rogue_field field)
{
    return rogue_get(r->insn, field) != 0;
}

/* The offset along an axis in an option word: bits 0 to 5, 6 to 11, 12 to 15. */
ir_value rogue_offset_in(struct rogue_lifter *l, ir_value options, unsigned axis);
/* Take the words of the data in their order. False after an error. */
bool rogue_read_request(struct rogue_request *r);
/* Four values of an op of the texture, as `type`. */
ir_value rogue_texture_op(struct rogue_request *r, enum ir_tex_op op, unsigned component, enum ir_type type);
/* Component `component` of the four texels of level `level` (IR_I32; 0: level 0) that a linear filter would read. */
ir_value rogue_gather(struct rogue_request *r, unsigned component, ir_value level, enum ir_type type);
/* Width, height, depth of a level (IR_I32; 0: level 0), and levels: four values. */
ir_value rogue_texture_size(struct rogue_request *r, ir_value level);
/* Texel number along an axis of a coordinate, as the request's coordinates are: IR_I32. */
ir_value rogue_texel_number(struct rogue_request *r, unsigned axis, ir_value size);

/* What .data, .info and .both give (lift_bypass.c): appended to v; returns how many there are then. */
unsigned rogue_bypass_values(struct rogue_request *r, ir_value *v);
/* How many they are at most. */
unsigned rogue_bypass_count(const struct rogue_insn *insn);
enum { ROGUE_BYPASS_MOST = 8 * ROGUE_CHANNELS + 7 };

/* What an image has at the place of a request (lift_image.c): its channels to v; returns how many, 0 after an error. */
unsigned rogue_image_values(struct rogue_request *r, ir_value *v);

#endif
