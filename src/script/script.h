/* script.h - an AmberScript job, parsed: plain data that the job runner reads.
 *
 * The language is that of google/amber's docs/amber_script.md, with the shader formats and the few words of weft that
 * docs/amberscript.md lists. Parsing checks everything that the text alone decides: names, types, numbers, the shape
 * of every command. It allocates nothing by the sizes that a script names: a buffer of a gigabyte is a number here.
 *
 * What weft does not run (OPENCL-C, ray tracing, ...) is parsed as far as its syntax is
 * known and recorded as a `refusal`, so that a script can be looked at whatever it uses, and a runner can say what is
 * in its way and where. Everything lives in the arena that script_parse was given; the source's text must
 * live as long. */
#ifndef WEFT_SCRIPT_SCRIPT_H
#define WEFT_SCRIPT_SCRIPT_H

#include "base/arena.h"
#include "base/diag.h"

#include <weft/isa.h>

struct isa;

/* ---- limits: more is an error of the script ---- */

enum {
    SCRIPT_MAX_DIMENSION = 16384, /* of an image, a framebuffer, each way */
    SCRIPT_MAX_LEVELS = 15,       /* mip levels */
    SCRIPT_MAX_LEAVES = 65536,    /* scalars in one element of a data type */
    SCRIPT_MAX_NESTING = 16,      /* of REPEAT and of STRUCT */
    SCRIPT_MAX_REPEAT = 1 << 20,  /* turns of one REPEAT, with those of all around it */
    SCRIPT_MAX_BINDING = 4096,    /* DESCRIPTOR_SET, BINDING, LOCATION */
    SCRIPT_MAX_PARTS = 16384,     /* declarations, members of structures, statements within pipelines */
    SCRIPT_COLORS = 8,            /* colour attachments */
};
#define SCRIPT_MAX_GROUPS 65535 /* workgroups each way */
#define SCRIPT_MAX_INVOCATIONS ((uint64_t)1 << 30) /* vertices of a draw over its instances, workgroups of a dispatch */
#define SCRIPT_MAX_BYTES ((uint64_t)1 << 30) /* of one buffer or image with all its levels and samples */

/* ---- data types and their layout in memory ---- */

enum script_scalar {
    SCRIPT_INT8,
    SCRIPT_INT16,
    SCRIPT_INT32,
    SCRIPT_INT64,
    SCRIPT_UINT8,
    SCRIPT_UINT16,
    SCRIPT_UINT32,
    SCRIPT_UINT64,
    SCRIPT_FLOAT16,
    SCRIPT_FLOAT,
    SCRIPT_DOUBLE,
    SCRIPT_SCALARS
};
unsigned script_scalar_bytes(enum script_scalar s);
bool script_scalar_is_float(enum script_scalar s);
const char *script_scalar_name(enum script_scalar s);

enum script_mode {
    SCRIPT_UNORM,
    SCRIPT_SNORM,
    SCRIPT_USCALED,
    SCRIPT_SSCALED,
    SCRIPT_UINT,
    SCRIPT_SINT,
    SCRIPT_UFLOAT,
    SCRIPT_SFLOAT,
    SCRIPT_SRGB
};

/* A pixel format by Vulkan's name. Components are in the order of the name: memory order, but for `packed` formats from
 * the highest bits of one little-endian number down. */
struct script_format {
    const char *name; /* static: formats are the same when these pointers are */
    uint8_t components;
    char letter[4]; /* 'R' 'G' 'B' 'A', 'D' depth, 'S' stencil, 'X' unused bits */
    uint8_t bits[4];
    uint8_t mode[4]; /* enum script_mode */
    bool packed;
    uint8_t bytes; /* of a pixel, tightly packed; D32_SFLOAT_S8_UINT: 5, D24_UNORM_S8_UINT: 4, X8_D24: 4 */
};
/* The format of that name, or NULL. The answer is in the arena; NULL without memory too. */
const struct script_format *script_format_find(struct arena *a, const char *name, size_t length);
bool script_format_has(const struct script_format *f, char letter);
/* The known name that `name` may have been meant for, or NULL. */
const char *script_format_nearest(const char *name, size_t length);

enum script_kind { SCRIPT_NUMBER /* scalar, vector, matrix */, SCRIPT_FORMAT, SCRIPT_STRUCT };

struct script_type {
    enum script_kind kind;
    enum script_scalar scalar; /* SCRIPT_NUMBER */
    uint8_t columns, rows;     /* scalar: 1, 1; vector: 1, n; mat3x2: 3 columns of 2 rows */
    const struct script_format *format;
    const struct script_struct *members; /* SCRIPT_STRUCT */
    bool array; /* T[n], or T[] with count 0: as long as its data, one element after the other */
    uint32_t count;
};

#define SCRIPT_NO_OFFSET UINT32_MAX

struct script_member {
    const char *name;
    struct span where;
    struct script_type type;
    uint32_t offset;                      /* as written, or SCRIPT_NO_OFFSET */
    uint32_t array_stride, matrix_stride; /* as written, or 0 */
    bool row_major;
};

struct script_struct {
    const char *name;
    struct span where;
    struct script_member *members;
    uint32_t nmembers;
    uint32_t stride;   /* as written, or 0 */
    uint32_t align[3]; /* by enum script_rule; script_struct_align fills it in */
    uint32_t nesting;  /* 1: no member is a structure */
};

enum script_rule { SCRIPT_STD430, SCRIPT_STD140, SCRIPT_SCALAR };

/* Complete a structure whose members are known. */
void script_struct_align(struct script_struct *s);

/* Where the scalars of one element are, in the order in which DATA lists them: members in order, array elements in
 * order, matrices column by column. An unpacked pixel format has a leaf per component (whose raw bits DATA gives), a
 * packed one a single unsigned leaf for the whole pixel. */
struct script_leaf {
    uint32_t offset; /* bytes from the element's start */
    enum script_scalar scalar;
};

struct script_layout {
    uint64_t stride; /* bytes from an element to the next one */
    uint64_t size;   /* bytes of one element, without padding at its end */
    uint32_t align;
    uint32_t nleaves;
    const struct script_leaf *leaves;
    uint32_t components; /* of a vector, of a matrix's column or of a pixel; 0: a structure */
};

/* The layout of an element of `type` (of T for T[]). False: more leaves than SCRIPT_MAX_LEAVES, or larger than
 * SCRIPT_MAX_BYTES, or no memory; `*why` is then a static text. */
bool script_layout(struct arena *a, const struct script_type *type, enum script_rule rule, struct script_layout *out,
                   const char **why);

/* A number of the script, in every reading that a target type may need. */
struct script_number {
    double real;
    uint64_t bits; /* the integer, in two's complement; of a real number: truncated */
    bool integral; /* written as an integer (decimal or hexadecimal) */
    bool too_large; /* written as a finite number that `real` cannot have */
};

/* Read a number: decimal, or hexadecimal of integers; inf and nan. False: it is not one. */
bool script_read_number(const char *text, size_t length, struct script_number *n);
/* Whether a type has it: a finite float of its size; an integer, with or without a sign. */
enum script_fit { SCRIPT_FITS, SCRIPT_BEYOND, SCRIPT_FRACTION };
enum script_fit script_fit(enum script_scalar s, const struct script_number *n);

/* Store n as scalar s at p (little endian, wrapping to its size; floats rounded to nearest). */
void script_store(enum script_scalar s, const struct script_number *n, void *p);
/* A real number without its fraction, as an integer in two's complement; 0 where there is none. */
uint64_t script_truncate(double v);
/* Read it back. */
struct script_number script_load(enum script_scalar s, const void *p);

/* ---- buffers, images, samplers ---- */

enum script_fill {
    SCRIPT_FILL_NONE /* zeroes */,
    SCRIPT_FILL_VALUE,
    SCRIPT_FILL_SERIES,
    SCRIPT_FILL_DATA,
    SCRIPT_FILL_FILE
};
enum script_file { SCRIPT_FILE_PNG, SCRIPT_FILE_BINARY, SCRIPT_FILE_TEXT };
enum script_dimension { SCRIPT_DIM_NONE /* a BUFFER */, SCRIPT_DIM_1D, SCRIPT_DIM_2D, SCRIPT_DIM_3D };

struct script_buffer {
    const char *name;
    struct span where;               /* the name */
    bool is_image;                   /* IMAGE, BUFFER ... FORMAT, or one drawn to: a picture with levels and samples */
    bool format_only;                /* BUFFER ... FORMAT, or one drawn to without WIDTH: no size of its own */
    enum script_dimension dimension; /* IMAGE */
    struct script_type type;
    const struct script_format *format; /* the pixel format: FORMAT's, or what DATA_TYPE amounts to; NULL: none */
    enum script_rule rule;
    struct script_layout layout; /* of one element (pixel) */

    /* Elements of a plain buffer: SIZE, WIDTH * HEIGHT, or as much as DATA gives; 0 for FILE without SIZE. */
    uint64_t elements;
    /* Pixels of level 0. For format_only buffers: the framebuffer's size << BASE_MIP_LEVEL of the first pipeline that
     * binds it as color, depth_stencil or resolve; 0 where no pipeline does (a PNG says its own size). */
    uint32_t width, height, depth;
    uint32_t layers; /* LAYERS, which weft adds: an array of that many, and depth is as much; 0: no array */
    uint32_t levels, samples; /* 1 if not given */

    enum script_fill fill;
    struct script_number value, step; /* FILL; SERIES_FROM and INC_BY */
    struct script_number *data;       /* DATA: one per leaf, elements after each other */
    size_t ndata;
    enum script_file file;
    const char *path; /* as written: relative to the script */
    struct span fill_where;
};

/* Bytes of a buffer's elements, or of level 0 of an image of a single sample; SCRIPT_MAX_BYTES at most. */
uint64_t script_buffer_bytes(const struct script_buffer *b);
/* Write FILL, SERIES_FROM or DATA (not FILE) into zeroed memory of `size` bytes, as far as both go. */
void script_buffer_fill(const struct script_buffer *b, void *memory, size_t size);

enum script_filter { SCRIPT_NEAREST, SCRIPT_LINEAR };
enum script_address {
    SCRIPT_REPEAT,
    SCRIPT_MIRRORED_REPEAT,
    SCRIPT_CLAMP_TO_EDGE,
    SCRIPT_CLAMP_TO_BORDER,
    SCRIPT_MIRROR_CLAMP_TO_EDGE
};
enum script_border {
    SCRIPT_FLOAT_TRANSPARENT_BLACK,
    SCRIPT_INT_TRANSPARENT_BLACK,
    SCRIPT_FLOAT_OPAQUE_BLACK,
    SCRIPT_INT_OPAQUE_BLACK,
    SCRIPT_FLOAT_OPAQUE_WHITE,
    SCRIPT_INT_OPAQUE_WHITE
};
enum script_compare {
    SCRIPT_NEVER,
    SCRIPT_LESS,
    SCRIPT_EQUAL,
    SCRIPT_LESS_OR_EQUAL,
    SCRIPT_GREATER,
    SCRIPT_NOT_EQUAL,
    SCRIPT_GREATER_OR_EQUAL,
    SCRIPT_ALWAYS
};

struct script_sampler {
    const char *name;
    struct span where;
    enum script_filter mag, min, mip; /* mip: nearest; Amber has no word for it, weft adds MIP_FILTER */
    enum script_address address[3];   /* U, V, W */
    enum script_border border;
    float min_lod, max_lod;
    float lod_bias, max_anisotropy; /* weft adds LOD_BIAS and MAX_ANISOTROPY; 0 and 1 if not given */
    bool unnormalized;              /* min_lod and max_lod are then 0 */
    bool compare;
    enum script_compare compare_op;
};

/* ---- shaders ---- */

enum script_language {
    SCRIPT_TEXT, /* a program of `isa` in its text form: TGSI, NAME-ASM */
    SCRIPT_HEX,  /* its binary form in hexadecimal: TGSI-HEX and SPIRV-HEX (32-bit words, "0x" allowed, separated by
                  * blanks), NAME-HEX (bytes in memory order, two digits each) */
    SCRIPT_BINARY,      /* SPIRV-BIN: the bytes of its file */
    SCRIPT_GLSL,        /* compiled to SPIR-V */
    SCRIPT_HLSL,
    SCRIPT_PASSTHROUGH, /* a vertex shader: position is IN[0] */
    SCRIPT_REFUSED      /* OPENCL-C: `format` has the name */
};

struct script_shader {
    const char *name;
    struct span where;
    weft_stage stage; /* WEFT_STAGE_NONE: multi, or of ray tracing: `type` has the name */
    const char *type;
    enum script_language language;
    const struct isa *isa; /* what it is, or what it is compiled to; PASSTHROUGH: TGSI. NULL: it is refused */
    const char *format; /* as written ("TGSI", "GLSL"; "PASSTHROUGH") */
    struct span format_where;
    const char *target_env; /* or NULL; of an instruction set with chips it names the chip, of SPIR-V the environment */

    /* Inline and VIRTUAL_FILE: the program's text, a part of the script's own source, so that a span of the program
     * plus `body.offset` is a span of the script. FILE: `path`, relative to the script. */
    struct span body;
    const char *text;
    size_t text_size;
    const char *path; /* FILE or VIRTUAL_FILE, else NULL */
    bool in_file;     /* FILE: text is NULL, the runner reads `path` */
};

struct script_virtual_file {
    const char *path;
    struct span where, body;
    const char *text;
    size_t size;
};

/* ---- pipelines ---- */

enum script_bind {
    SCRIPT_BIND_COLOR,
    SCRIPT_BIND_RESOLVE,
    SCRIPT_BIND_DEPTH_STENCIL,
    SCRIPT_BIND_UNIFORM,
    SCRIPT_BIND_STORAGE,
    SCRIPT_BIND_UNIFORM_DYNAMIC,
    SCRIPT_BIND_STORAGE_DYNAMIC,
    SCRIPT_BIND_UNIFORM_TEXEL_BUFFER,
    SCRIPT_BIND_STORAGE_TEXEL_BUFFER,
    SCRIPT_BIND_SAMPLED_IMAGE,
    SCRIPT_BIND_COMBINED_IMAGE_SAMPLER,
    SCRIPT_BIND_STORAGE_IMAGE,
    SCRIPT_BIND_PUSH_CONSTANT,
    SCRIPT_BIND_SAMPLER,
    SCRIPT_BIND_KERNEL /* KERNEL ARG_NAME, ARG_NUMBER without AS: refused when run */
};

/* One BIND. BUFFER_ARRAY and SAMPLER_ARRAY have count > 1. */
struct script_binding {
    enum script_bind as;
    struct span where;
    uint32_t count;
    const struct script_buffer **buffers;   /* count of them; NULL for SCRIPT_BIND_SAMPLER */
    const struct script_sampler **samplers; /* SCRIPT_BIND_SAMPLER: count; COMBINED_IMAGE_SAMPLER: 1; else NULL */
    uint32_t location;                      /* SCRIPT_BIND_COLOR */
    uint32_t set, binding;
    uint32_t base_level; /* BASE_MIP_LEVEL */
    /* count of each, or NULL: all 0, 0 and the whole buffer (UINT64_MAX) */
    const uint64_t *dynamic_offsets, *descriptor_offsets, *descriptor_ranges;
};

struct script_vertex_data {
    const struct script_buffer *buffer;
    struct span where;
    uint32_t location;
    bool per_instance; /* RATE instance */
    const struct script_format
        *format;             /* FORMAT, or what the buffer's type amounts to; NULL: a type that no format is */
    uint64_t offset, stride; /* bytes; stride as written, or what one element takes in memory */
};

/* SPECIALIZE: the value of a specialisation constant, by its SpecId. */
struct script_constant {
    uint32_t id, bits;
};

struct script_attachment {
    const struct script_shader *shader;
    struct span where;
    const char *entry_point; /* "main" if not given */
    weft_stage stage;        /* TYPE for a multi shader, else the shader's */
    const struct script_constant *constants;
    uint32_t nconstants;
    const char *const *passes; /* SHADER_OPTIMIZATION */
    uint32_t npasses;
    const char *const *options; /* COMPILE_OPTIONS */
    uint32_t noptions;
    /* SUBGROUP */
    bool fully_populated, varying_size;
    uint32_t required_size; /* invocations; 0: none; SCRIPT_SUBGROUP_MIN, SCRIPT_SUBGROUP_MAX */
};
#define SCRIPT_SUBGROUP_MIN (UINT32_MAX - 1)
#define SCRIPT_SUBGROUP_MAX UINT32_MAX

enum script_polygon_mode { SCRIPT_POLYGON_FILL, SCRIPT_POLYGON_LINE, SCRIPT_POLYGON_POINT };
enum script_stencil_op {
    SCRIPT_KEEP,
    SCRIPT_ZERO_VALUE,
    SCRIPT_REPLACE,
    SCRIPT_INCREMENT_AND_CLAMP,
    SCRIPT_DECREMENT_AND_CLAMP,
    SCRIPT_INVERT,
    SCRIPT_INCREMENT_AND_WRAP,
    SCRIPT_DECREMENT_AND_WRAP
};
enum script_blend_factor {
    SCRIPT_FACTOR_ZERO,
    SCRIPT_FACTOR_ONE,
    SCRIPT_FACTOR_SRC_COLOR,
    SCRIPT_FACTOR_ONE_MINUS_SRC_COLOR,
    SCRIPT_FACTOR_DST_COLOR,
    SCRIPT_FACTOR_ONE_MINUS_DST_COLOR,
    SCRIPT_FACTOR_SRC_ALPHA,
    SCRIPT_FACTOR_ONE_MINUS_SRC_ALPHA,
    SCRIPT_FACTOR_DST_ALPHA,
    SCRIPT_FACTOR_ONE_MINUS_DST_ALPHA,
    SCRIPT_FACTOR_CONSTANT_COLOR,
    SCRIPT_FACTOR_ONE_MINUS_CONSTANT_COLOR,
    SCRIPT_FACTOR_CONSTANT_ALPHA,
    SCRIPT_FACTOR_ONE_MINUS_CONSTANT_ALPHA,
    SCRIPT_FACTOR_SRC_ALPHA_SATURATE,
    SCRIPT_FACTOR_SRC1_COLOR,
    SCRIPT_FACTOR_ONE_MINUS_SRC1_COLOR,
    SCRIPT_FACTOR_SRC1_ALPHA,
    SCRIPT_FACTOR_ONE_MINUS_SRC1_ALPHA
};
enum script_blend_op {
    SCRIPT_BLEND_ADD,
    SCRIPT_BLEND_SUBTRACT,
    SCRIPT_BLEND_REVERSE_SUBTRACT,
    SCRIPT_BLEND_MIN,
    SCRIPT_BLEND_MAX,
    SCRIPT_BLEND_ADVANCED /* an operation of VK_EXT_blend_operation_advanced: refused */
};

struct script_stencil {
    bool test;
    enum script_stencil_op fail, pass, depth_fail;
    enum script_compare compare;
    uint8_t compare_mask, write_mask, reference;
};

enum { SCRIPT_VIEWPORTS = 16 };

struct script_viewport {
    bool given;
    float box[4]; /* x, y, width, height */
    float min_depth, max_depth;
};

struct script_pipeline {
    const char *name;
    struct span where;
    bool compute;       /* else graphics */
    const char *parent; /* DERIVE_PIPELINE: everything of it is in this one already */

    struct script_attachment *shaders;
    uint32_t nshaders;
    struct script_binding *bindings;
    uint32_t nbindings;
    struct script_vertex_data *vertex_data;
    uint32_t nvertex_data;
    const struct script_buffer *index_data;

    bool sized;                 /* FRAMEBUFFER_SIZE was given */
    uint32_t width, height;     /* else of the smallest attachment that has a size of its own, or 250 x 250 */
    /* By index, which weft adds. Those that are not given are as number 0, which is the whole framebuffer by default.
     */
    struct script_viewport viewport[SCRIPT_VIEWPORTS];
    uint32_t sprite_texcoords, sprite_generics; /* SPRITE_COORDS, which weft adds: bit i is TEXCOORD[i], GENERIC[i] */
    bool sprite_lower_left;                     /* SPRITE_ORIGIN, which weft adds */
    enum script_polygon_mode polygon_mode;
    /* VkScript's alone. */
    uint8_t cull;           /* 1: fronts, 2: backs */
    bool front_clockwise;
    uint8_t color_keep;     /* components that are not written: bit 0 is red */
    bool restart;           /* the index of all ones ends a strip */
    bool flat_colors; /* SHADE_MODEL flat, which weft adds */
    uint32_t patch_control_points; /* 3 */

    bool has_depth; /* a DEPTH block was given; without one both tests are off */
    bool depth_test, depth_write, depth_clamp, depth_bounds, depth_bias;
    float line_width;    /* 0: 1 */
    bool raster_discard; /* nothing is drawn, but vertex programs run */
    enum script_compare depth_compare;
    float bounds_min, bounds_max, bias_constant, bias_clamp, bias_slope;
    bool has_stencil;
    struct script_stencil stencil[2]; /* front, back */
    bool blend;
    enum script_blend_factor src_color, dst_color, src_alpha, dst_alpha;
    enum script_blend_op color_op, alpha_op;
    bool logic;        /* instead of blending */
    unsigned logic_op; /* in Vulkan's order */
};

/* The binding of a kind, the index-th in order; NULL: there are fewer. */
const struct script_binding *script_binding_of(const struct script_pipeline *p, enum script_bind as, uint32_t index);
/* The shader attached for a stage, or NULL. */
const struct script_attachment *script_shader_of(const struct script_pipeline *p, weft_stage stage);

/* ---- commands ---- */

enum script_command_kind {
    SCRIPT_CLEAR,
    SCRIPT_CLEAR_COLOR,
    SCRIPT_CLEAR_DEPTH,
    SCRIPT_CLEAR_STENCIL,
    SCRIPT_RUN_COMPUTE,
    SCRIPT_DRAW_RECT,
    SCRIPT_DRAW_GRID,
    SCRIPT_DRAW_ARRAY,
    SCRIPT_COPY,
    SCRIPT_WRITE,          /* VkScript: values into a buffer */
    SCRIPT_EXPECT_VALUES,  /* IDX x EQ|NE|LT|LE|GT|GE values */
    SCRIPT_EXPECT_PIXELS,  /* IDX x y SIZE w h EQ_RGB|EQ_RGBA */
    SCRIPT_EXPECT_BUFFERS, /* EQ_BUFFER, RMSE_BUFFER, EQ_HISTOGRAM_EMD_BUFFER */
    SCRIPT_REPEAT_BLOCK
};

enum script_topology {
    SCRIPT_POINT_LIST,
    SCRIPT_LINE_LIST,
    SCRIPT_LINE_LIST_WITH_ADJACENCY,
    SCRIPT_LINE_STRIP,
    SCRIPT_LINE_STRIP_WITH_ADJACENCY,
    SCRIPT_TRIANGLE_LIST,
    SCRIPT_TRIANGLE_LIST_WITH_ADJACENCY,
    SCRIPT_TRIANGLE_STRIP,
    SCRIPT_TRIANGLE_STRIP_WITH_ADJACENCY,
    SCRIPT_TRIANGLE_FAN,
    SCRIPT_PATCH_LIST
};

enum script_comparator {
    SCRIPT_EQ,
    SCRIPT_NE,
    SCRIPT_LT,
    SCRIPT_LE,
    SCRIPT_GT,
    SCRIPT_GE,
    SCRIPT_EQ_RGB,
    SCRIPT_EQ_RGBA,
    SCRIPT_EQ_BUFFER,
    SCRIPT_RMSE_BUFFER,
    SCRIPT_EQ_HISTOGRAM_EMD_BUFFER
};
extern const char *const script_comparators[]; /* their words */

struct script_tolerance {
    double value;
    bool percent;
};

struct script_command {
    enum script_command_kind kind;
    struct span where; /* the whole command, for messages */
    const struct script_pipeline *pipeline;
    bool timed; /* TIMED_EXECUTION */
    union {
        float color[4]; /* CLEAR_COLOR: 0 to 255, as written */
        float clear_depth;
        uint32_t clear_stencil;
        uint32_t groups[3]; /* RUN compute */
        struct {
            uint32_t x, y, width, height;
            uint32_t columns, rows; /* DRAW_GRID */
            bool free;              /* VkScript's: `box` is x, y, width and height in clip space instead */
            bool patch;             /* a patch of its four corners */
            float box[4];
        } rect;
        struct {
            enum script_topology topology;
            bool indexed;
            uint32_t first, first_instance, instances;
            uint32_t base_vertex; /* added to each index */
            bool has_count; /* else all there are from `first` on */
            uint32_t count;
        } array;
        struct {
            const struct script_buffer *from, *to;
        } copy;
        struct {
            const struct script_buffer *buffer;
            const struct script_layout *layout; /* of a value */
            uint64_t offset;
            const struct script_number *values;
            uint32_t nvalues;
        } write;
        struct {
            const struct script_buffer *buffer, *other; /* other: EXPECT_BUFFERS */
            enum script_comparator comparator;
            uint64_t x, y; /* VALUES: byte offset x; PIXELS: column and row */
            uint32_t width, height;
            struct script_number *values; /* PIXELS: 3 or 4, of 0 to 255 */
            double scale;                 /* PIXELS: what they were multiplied with, so that messages show them as
                                             they were written; 0: 1 */
            uint32_t nvalues;
            /* One is for all components, more are for those of each vector: the others have none then. */
            struct script_tolerance tolerance[4];
            uint32_t ntolerances;
            const struct script_layout *layout; /* VALUES of VkScript: of what begins at byte x; NULL: the buffer's */
        } expect;
        struct {
            uint32_t times;
            struct script_command *commands;
            uint32_t count;
        } repeat;
    };
};

/* ---- the job ---- */

/* Something that parsed and that weft will not do. */
struct script_refusal {
    struct span where;
    const char *what; /* "shader format GLSL", "ray tracing" */
    /* What needs it: NULL for the whole script. A runner may run pipelines that need nothing refused. */
    const struct script_shader *shader;
    const struct script_pipeline *pipeline;
};

enum script_requirement_kind {
    SCRIPT_DEVICE_FEATURE,
    SCRIPT_DEVICE_EXTENSION,
    SCRIPT_INSTANCE_EXTENSION,
    SCRIPT_DEVICE_PROPERTY
};

/* A request for a feature, extension or property. */
struct script_requirement {
    enum script_requirement_kind kind;
    const char *name;
    const char *hint; /* of an unknown extension: one that is spelled much like it, or NULL */
    bool has;         /* weft has it */
    struct span where;
};

/* "feature", "extension", ... */
const char *script_requirement_name(enum script_requirement_kind kind);

/* Lists are in the order of the text. */
struct script {
    const struct source *source;
    struct script_requirement *requirements;
    uint32_t nrequirements;
    bool depth_unrestricted; /* VK_EXT_depth_range_unrestricted is among them: depths may be outside 0 to 1 */
    struct script_virtual_file *virtual_files;
    uint32_t nvirtual_files;
    struct script_shader **shaders;
    uint32_t nshaders;
    struct script_struct **structs;
    uint32_t nstructs;
    struct script_buffer **buffers; /* BUFFER and IMAGE */
    uint32_t nbuffers;
    struct script_sampler **samplers;
    uint32_t nsamplers;
    struct script_pipeline **pipelines;
    uint32_t npipelines;
    struct script_command *commands;
    uint32_t ncommands;
    struct script_refusal *refusals;
    uint32_t nrefusals;
    uint32_t fence_timeout_ms; /* SET ENGINE_DATA; 0: not given */
};

/* Parse a script. WEFT_ERROR_INPUT: `diags` says what is wrong; parsing goes on after an error to find more of them.
 * WEFT_ERROR_MEMORY. With WEFT_OK there may be refusals: script_refuse makes errors of them. */
weft_status script_parse(const struct source *source, struct arena *a, struct script **out, weft_diags *diags);

/* An error for every refusal and for every requirement that weft does not meet; WEFT_ERROR_UNSUPPORTED if there is one,
 * else WEFT_OK. */
weft_status script_refuse(const struct script *s, weft_diags *diags);

const struct script_buffer *script_buffer_find(const struct script *s, const char *name);

#endif
