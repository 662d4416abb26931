/* io.h - how a program meets the stages around it: semantics, interpolation, system values, textures.
 *
 * These are the device's words; every instruction set translates its own into them. */
#ifndef WEFT_IR_IO_H
#define WEFT_IR_IO_H

#include <stdbool.h>
#include <stdint.h>

enum ir_stage { IR_VERTEX, IR_TESS_CTRL, IR_TESS_EVAL, IR_GEOMETRY, IR_FRAGMENT, IR_COMPUTE, IR_STAGES };

/* What links an output of one stage to an input of the next: name and index. */
enum ir_semantic {
    IR_SEM_NONE, IR_SEM_POSITION, IR_SEM_COLOR, IR_SEM_BCOLOR, IR_SEM_FOG, IR_SEM_PSIZE, IR_SEM_GENERIC,
    IR_SEM_NORMAL, IR_SEM_FACE, IR_SEM_EDGEFLAG, IR_SEM_PRIMID, IR_SEM_INSTANCEID, IR_SEM_VERTEXID, IR_SEM_STENCIL,
    IR_SEM_CLIPDIST, IR_SEM_CULLDIST, IR_SEM_CLIPVERTEX, IR_SEM_TEXCOORD, IR_SEM_PCOORD, IR_SEM_VIEWPORT_INDEX,
    IR_SEM_LAYER, IR_SEM_SAMPLEMASK, IR_SEM_SAMPLEID, IR_SEM_SAMPLEPOS, IR_SEM_PATCH, IR_SEM_TESSOUTER,
    IR_SEM_TESSINNER, IR_SEM_VIEWPORT_MASK, IR_SEM_COLORMASK /* x: samples that COLOR of this index is for */,
    IR_SEM_BARYCENTRIC /* fragment inputs: the weight of each corner */,
    IR_SEMANTICS
};

enum ir_interp {
    IR_INTERP_CONSTANT, IR_INTERP_LINEAR, IR_INTERP_PERSPECTIVE, IR_INTERP_COLOR /* flat or smooth by state */
};
enum ir_location { IR_LOC_CENTER, IR_LOC_CENTROID, IR_LOC_SAMPLE };

/* One input or output register of four components. Its slot is its place in the io list: what ATTR,
 * INTERP and OUTPUT name. */
struct ir_slot {
    uint8_t semantic;   /* enum ir_semantic; NONE for vertex inputs, which link by index alone */
    uint8_t interp;     /* enum ir_interp, fragment inputs */
    uint8_t location;   /* enum ir_location */
    uint8_t mask;       /* components used or written, bit 0 is x */
    uint8_t cylindrical; /* fragment inputs that are not flat: components that go the short way round a circle of
                            length 1 */
    uint8_t stream[4];  /* geometry outputs */
    uint16_t index;     /* semantic index; vertex inputs: attribute number */
    uint8_t halves;     /* fragment inputs: 1, 2: the components are the four halves of x and y, of z and w */
    uint8_t corner;     /* fragment inputs that are flat: 1, 2, 3: of that corner, 0: of the provoking vertex. Corners
                           are counted from the provoking vertex where it is the first one */
    uint8_t convert;    /* vertex inputs: enum ir_convert */
    bool patch;
    bool invariant;
};
/* What a vertex input gets of its attribute's format: numbers or bits as they are, or numbers of another kind. WIDE:
 * red and green, which have 64 bits, low word first; WIDE_REST: blue and alpha of the attribute before (index - 1). */
enum ir_convert {
    IR_CONVERT_NONE, IR_CONVERT_FLOAT, IR_CONVERT_SIGNED, IR_CONVERT_UNSIGNED, IR_CONVERT_WIDE, IR_CONVERT_WIDE_REST
};

/* Inputs and outputs of geometry and tessellation programs are in memory: 16 bytes to a slot, four components.
 *   GEOMETRY: an IR_SPACE_INPUT of slot 0 whose size is that of one lane's primitive: component c of slot s of vertex v
 *     of the primitive that lane l works on is at (v * ninputs + s) * 16 + c * 4 of that lane's memory, l * size in the
 *     buffer. Outputs: OUTPUT of every slot before an EMIT.
 *   TESS_CTRL (a warp is one patch, lane l is output vertex l): an IR_SPACE_SHARED of slot 0 holds the patch's
 *     vertices, (v * ninputs + s) * 16 + c * 4; slot 1 the output vertices, (v * noutputs + s) * 16 + c * 4; slot 2 the
 *     outputs that are marked patch, s * 16 + c * 4 (TESSOUTER and TESSINNER are two of these). The buffers end where
 *     the last vertex or slot does, and outputs start as zeros. A program declares the spaces that it uses.
 *   TESS_EVAL (a warp works on one patch): inputs of vertices in an IR_SPACE_SHARED of slot 0, those that are marked
 *     patch in one of slot 2, both laid out as above by its own ninputs. Outputs by OUTPUT.
 * Slots of registers that the program leaves out have semantic NONE and mask 0. */

/* Values that the device makes for each lane or warp. FRAG_* follow the program's io.origin_lower_left and
 * io.center_integer. */
enum ir_sysval {
    IR_SYS_FRAG_X, IR_SYS_FRAG_Y, IR_SYS_FRAG_Z, IR_SYS_FRAG_W /* f32: window position, 1/w */,
    IR_SYS_FACE /* i1: front facing */, IR_SYS_SAMPLE_ID, IR_SYS_SAMPLE_MASK, IR_SYS_SAMPLE_POS /* f32, component */,
    IR_SYS_HELPER /* i1 */, IR_SYS_POINT_COORD /* f32, component */, IR_SYS_PRIM_ID, IR_SYS_VERTEX_ID,
    IR_SYS_VERTEX_ID_NOBASE, IR_SYS_BASE_VERTEX, IR_SYS_INSTANCE_ID, IR_SYS_BASE_INSTANCE, IR_SYS_DRAW_ID,
    IR_SYS_INVOCATION_ID, IR_SYS_VERTICES_IN, IR_SYS_TESS_COORD /* f32, component */,
    IR_SYS_TESS_OUTER, IR_SYS_TESS_INNER,
    IR_SYS_THREAD_ID /* component */, IR_SYS_BLOCK_ID, IR_SYS_BLOCK_SIZE, IR_SYS_GRID_SIZE, IR_SYS_WORK_DIM,
    IR_SYS_WARP_ID, IR_SYS_SUBGROUP_SIZE, IR_SYS_LAYER, IR_SYS_VIEWPORT, IR_SYS_USER_DATA, IR_SYS_CLOCK, IR_SYSVALS
};

/* What SERVICE asks of the device, and its op's desc, arguments and results:
 * TILE_LOAD    desc: a colour target; no arguments; four f32 that the target holds at this fragment (sample).
 * SAMPLE_POS   desc: 0; a sample number (i32); x and y of that sample of the targets within the pixel, 0..1, 0, 0
 *              (f32).
 * TARGET_INFO  desc: 0; no arguments; samples, width and height of the targets, 0 (i32).
 * INTERP_AT    desc: an input slot; an offset in pixels from the pixel's centre, x to the right, y with the rows (f32);
 *              the input there, four f32, interpolated as the slot says.
 * ATTRIBUTE    desc: an input slot of a vertex program; numbers of a vertex and an instance (i32); four f32 (or bits)
 *              that the attribute is there.
 * Images: see struct ir_image. */
enum ir_service { IR_SVC_NONE, IR_SVC_IMAGE_LOAD, IR_SVC_IMAGE_STORE, IR_SVC_IMAGE_ATOMIC, IR_SVC_RESOURCE_SIZE,
                  IR_SVC_IMAGE_ADDRESS, IR_SVC_IMAGE_STORE_AT,
                  IR_SVC_TILE_LOAD, IR_SVC_TILE_STORE, IR_SVC_BLEND, IR_SVC_SAMPLE_POS, IR_SVC_TARGET_INFO,
                  IR_SVC_INTERP_AT, IR_SVC_ATTRIBUTE, IR_SERVICES };

/* What geometry and tessellation programs take and make, by Gallium's numbers (PIPE_PRIM_*). */
enum ir_primitive { IR_PRIM_POINTS, IR_PRIM_LINES, IR_PRIM_LINE_LOOP, IR_PRIM_LINE_STRIP, IR_PRIM_TRIANGLES,
                    IR_PRIM_TRIANGLE_STRIP, IR_PRIM_TRIANGLE_FAN, IR_PRIM_QUADS, IR_PRIM_QUAD_STRIP, IR_PRIM_POLYGON,
                    IR_PRIM_LINES_ADJACENCY, IR_PRIM_LINE_STRIP_ADJACENCY, IR_PRIM_TRIANGLES_ADJACENCY,
                    IR_PRIM_TRIANGLE_STRIP_ADJACENCY, IR_PRIM_PATCHES };
/* How an edge is divided (PIPE_TESS_SPACING_*). */
enum ir_spacing { IR_SPACING_FRACTIONAL_ODD, IR_SPACING_FRACTIONAL_EVEN, IR_SPACING_EQUAL };

/* Programs with flat addresses reach the buffers through spaces of kind BUS: buffer n of the constants at
 * IR_CONSTANT_ADDRESS(n), of the storage at IR_STORAGE_ADDRESS(n), each in a range of 4 GiB of its own, so that an
 * access past the end of one reaches nothing. */
#define IR_CONSTANT_ADDRESS(n) ((UINT64_C(0x100) + (n)) << 32)
#define IR_STORAGE_ADDRESS(n) ((UINT64_C(0x200) + (n)) << 32)
/* The memory of image n, as IMAGE_ADDRESS tells its texels. */
#define IR_IMAGE_ADDRESS(n) ((UINT64_C(0x300) + (n)) << 32)
#define IR_NO_ADDRESS (UINT64_C(0x3ff) << 32)

/* Properties of a program that the device acts on. */
struct ir_io {
    struct ir_slot *inputs, *outputs;
    uint32_t ninputs, noutputs;
    bool origin_lower_left, center_integer;   /* fragment POSITION */
    bool color0_all;                          /* COLOR[0] goes to all colour targets */
    bool early_depth_stencil;
    bool window_space_position;               /* vertex positions are in window coordinates */
    bool writes_depth, writes_stencil, writes_samplemask, uses_discard, uses_derivatives, per_sample;
    bool in_order;                            /* what runs for a draw takes turns: its tasks have locks */
    uint8_t gs_input, gs_output;              /* enum ir_primitive; gs_output: points, lines or triangles, or strips */
    uint8_t gs_streams;
    uint16_t gs_max_vertices, gs_invocations;
    uint16_t clip_distances, cull_distances;
    uint16_t block[3];                        /* compute workgroup size; 0: the job says */
    uint8_t tcs_vertices_out;
    uint8_t tes_mode;                         /* enum ir_primitive: triangles, quads or lines */
    uint8_t tes_spacing;                      /* enum ir_spacing */
    bool tes_cw, tes_points;
};

/* ---- textures ---- */
enum ir_tex_dim { IR_TEX_1D, IR_TEX_2D, IR_TEX_3D, IR_TEX_CUBE, IR_TEX_RECT, IR_TEX_BUFFER };
enum ir_tex_op {
    IR_TEX_SAMPLE,     /* level of detail from the quad's derivatives */
    IR_TEX_BIAS,       /* the same plus a bias */
    IR_TEX_LOD,        /* an explicit level */
    IR_TEX_GRAD,       /* explicit derivatives */
    IR_TEX_FETCH,      /* one texel by integer coordinates and level */
    IR_TEX_GATHER,     /* one component of the four texels of a bilinear footprint */
    IR_TEX_QUERY_LOD, IR_TEX_QUERY_SIZE, IR_TEX_QUERY_SAMPLES, IR_TEX_QUERY_POS
};

/* What a TEXTURE op asks for. Its arguments, each present only where said, in this order:
 *   coordinates (1D and BUFFER 1, 2D and RECT 2, 3D and CUBE 3), array layer, compare value, sample number,
 *   lod or bias, the derivatives d/dx then d/dy (as many as coordinates each), the least level (min_lod), texel
 *   offsets (i32, one per coordinate, CUBE none), numbers added to the view's and the sampler's (i32).
 * FETCH: coordinates, layer, sample number and level are i32; CUBE has 2 coordinates and its layer is
 *   face + 6 * layer, arrays or not. FETCH and QUERY_SIZE have a level unless BUFFER, RECT, multisample (without
 *   as_bound) or zero_lod.
 *   FETCH never compares. GATHER reads level 0, with gather_level that of an argument (i32), which is 0 where there is
 *   no such level; it compares where `shadow` is set.
 * shadow: there is a compare value; whether it is compared is the sampler's to say, but with `compares` it always is.
 * QUERY_LOD: coordinates, layer and compare value as SAMPLE has them (the latter two without effect).
 * QUERY_SIZE: the level alone (i32). QUERY_SAMPLES: no arguments. QUERY_POS: the sample number (i32).
 * zero_lod: LOD, FETCH and QUERY_SIZE have no level argument, it is 0.
 * as_bound: FETCH and QUERY_SIZE see what is there. A texel buffer serves as a 1D texture. FETCH with multisample has a
 *   sample number and a level: textures of one sample do not look at the number, others not at the level.
 * registers: not 0 where the program does not say the kind: dim, array, shadow and multisample are those of what is
 *   bound (shadow where the sampler compares), and the arguments are so many words in this order, of which those are
 *   taken that it has: coordinates, array layer (i32), compare value, sample number, level or bias; then three offsets.
 * dim is a guess. no_bias: the sampler's bias has no part in QUERY_LOD.
 * texel_coords: coordinates and derivatives of SAMPLE, BIAS, LOD, GRAD, GATHER and QUERY_LOD count texels of the level
 *   that is read, as those of RECT always do.
 * min_lod: SAMPLE, BIAS, LOD and GRAD read no level below that of an argument (f32) nor below the sampler's least.
 * fixed_words, fixed_floats: what texels of unorm, snorm and integer formats become instead of what their format says:
 *   words of as many bits as the channel has, sign-extended, or floats of 0..1 and -1..1. Comparisons and queries stay.
 * half_floats, with fixed_words: what are floats all the same, comparisons too, becomes halves in the low 16 bits.
 * Results: four of the op's type (f32 or i32 bits). QUERY_LOD: the level clamped by the sampler, the level as it was
 *   computed, 0, 0 (f32). QUERY_SIZE: width, height (1D arrays: layers), depth or layers (CUBE arrays: whole cubes),
 *   levels (i32; 0 where there is no such thing; a level that does not exist has size 0, and the number of levels all
 *   the same). QUERY_SAMPLES: the number in every component (i32), 0 of a texture that is not multisample. QUERY_POS: x
 *   and y from the pixel's centre, -0.5..0.5, 0, 0 (f32); 0 of a texture that is not multisample. */
struct ir_texture {
    uint8_t op, dim;
    bool array, shadow, multisample, has_offset, zero_lod, texel_coords, gather_level, as_bound, no_bias, compares,
        fixed_words, fixed_floats, half_floats, min_lod;
    uint8_t gather_component;
    uint8_t registers;
    uint16_t view, sampler;  /* numbers of the sampler view and the sampler */
    bool view_arg, sampler_arg; /* an argument chooses them per lane */
};

/* ---- images ---- */

/* Whose number it is: of an image; of a resource that may be written (TGSI's RES); of an address space, by its index in
 * ir_program.spaces, which RESOURCE_SIZE alone takes. */
enum ir_image_binding { IR_IMAGE_IMAGE, IR_IMAGE_RESOURCE, IR_IMAGE_SPACE };

/* What the services IMAGE_LOAD, IMAGE_STORE, IMAGE_ATOMIC, RESOURCE_SIZE, IMAGE_ADDRESS and IMAGE_STORE_AT ask for: a
 * SERVICE op's desc is its index in ir_program.images. Arguments, each present only where said, in this order:
 *   coordinates (i32; 1D and BUFFER 1, 2D, RECT and CUBE 2, 3D 3), layer (i32; arrays, and CUBE: face + 6 * layer),
 *   sample number (i32; multisample), IMAGE_STORE: four data, IMAGE_ATOMIC: the operand, and for cas what to compare
 *   with (as ATOMIC has them), a number added to the image's (i32; image_arg).
 * RESOURCE_SIZE has no coordinates, layer or sample number. IMAGE_STORE_AT has a byte of the image's memory in their
 * place, and data as IMAGE_STORE. IMAGE_ADDRESS gives the texel's flat address, low and high word, 0, 0 (i32), which is
 * IR_NO_ADDRESS outside of the image.
 * Data, operands and results are f32 where is_float says so, else i32 bits: IMAGE_LOAD four, IMAGE_ATOMIC one (what was
 * there before), IMAGE_STORE none, RESOURCE_SIZE four i32: width, height (1D arrays: layers), depth or layers (CUBE
 * arrays: whole cubes), samples; of an address space its bytes, 0, 0, 0. */
struct ir_image {
    uint8_t dim;            /* enum ir_tex_dim */
    uint8_t atomic;         /* enum ir_atomic */
    uint8_t binding;        /* enum ir_image_binding */
    bool array, multisample, is_float;
    bool raw;               /* words of memory: the first coordinate counts bytes from the beginning of a row of
                               texels, data and results are the words there and after it, i32 (IMAGE_ATOMIC: the
                               word there) */
    uint8_t mask;           /* raw IMAGE_STORE: the words that are written, bit 0 is the first */
    bool image_arg;         /* an argument chooses it per lane */
    uint16_t image;         /* the number */
    uint16_t format;        /* of Gallium (PIPE_FORMAT_*), 0: the bound image's */
};

#endif
