/* What is wrong is said: where, what was expected, what may have been meant. What weft does not run is named. */
#include "test.h"

#include "script/script.h"

#define HEAD "#!amber\n"
#define SHADERS                                                                                                        \
    HEAD "SHADER vertex vs PASSTHROUGH\nSHADER fragment fs TGSI\nFRAG\n0: END\nEND\nSHADER compute cs TGSI\nCOMP\n0: " \
         "END\nEND\n"
#define THINGS            SHADERS "BUFFER fb FORMAT B8G8R8A8_UNORM\nBUFFER u DATA_TYPE float SIZE 4 FILL 0\n"
#define IN_PIPELINE(body) THINGS "PIPELINE graphics p\nATTACH vs\nATTACH fs\n" body "\nEND\n"
#define TARGET_IS(name)   "PIPELINE graphics p\nATTACH vs\nATTACH fs\nBIND BUFFER " name " AS color LOCATION 0\nEND\n"
#define RUNNABLE          IN_PIPELINE("BIND BUFFER fb AS color LOCATION 0")

/* The message of the first error, and a part of its hint. */
static const struct {
    const char *text, *message, *hint;
} errors[] = {
    {"BUFFER x", "an AmberScript begins with the line '#!amber'", NULL},
    {"", "an AmberScript begins with the line '#!amber'", NULL},
    {HEAD "BUFER x", "expected a command of AmberScript, found 'BUFER'", "'BUFFER'"},
    {HEAD "DEVICE_FEATURE geometryShadr", "expected the name of a feature, found 'geometryShadr'", "'geometryShader'"},
    {HEAD "SET ENGINE_DATA\n", "expected fence_timeout_ms, found the end of the line", NULL},
    {HEAD "SHADER vertx a TGSI", "expected a shader type, found 'vertx'", "'vertex'"},
    {HEAD "SHADER fragment a PASSTHROUGH", "only a vertex shader can be PASSTHROUGH, not a fragment shader", NULL},
    {HEAD "SHADER fragment a TGSY\nFRAG\n0: END\nEND\n", "expected a shader format, found 'TGSY'", "'TGSI'"},
    {HEAD "SHADER fragment a TGSI\nFRAG\nMOV OUT[0], IN[0]\n", "shader 'a' has no END instruction", NULL},
    {HEAD "SHADER fragment a TGSI\nFRAG\n0: END\nBUFFER b DATA_TYPE float SIZE 1 FILL 0\n",
     "shader 'a' has no END of the script after its END instruction", NULL},
    {HEAD "SHADER fragment a TGSI VIRTUAL_FILE no", "there is no virtual file 'no' before this line", NULL},
    {HEAD "SHADER vertex a PASSTHROUGH\nSHADER vertex a PASSTHROUGH", "there is a shader 'a' already", NULL},
    {HEAD "VIRTUAL_FILE a\nx\n", "VIRTUAL_FILE has no END", NULL},
    {HEAD "STRUCT s\nflot a\nEND", "unknown data type 'flot'", "'float'"},
    {HEAD "STRUCT s\nfloat a\nfloat a\nEND", "STRUCT 's' has a member 'a' already", NULL},
    {HEAD "STRUCT s\ns a\nEND", "STRUCT 's' cannot be a member of itself", NULL},
    {HEAD "STRUCT s\nfloat a ARRAY_STRIDE 8\nEND", "ARRAY_STRIDE needs an array, as in float[4]", NULL},
    {HEAD "STRUCT s\nfloat a MATRIX_STRIDE 8\nEND", "MATRIX_STRIDE needs a matrix", NULL},
    {HEAD "STRUCT s\nfloat[] a\nEND", "a member's array needs a size, as in float[4]", NULL},
    {HEAD "STRUCT s\nEND", "STRUCT 's' has no members", NULL},
    {HEAD "STRUCT s\nfloat a", "STRUCT 's' has no END", NULL},
    {HEAD "BUFFER 1 DATA_TYPE float", "expected a name for the BUFFER, found '1'", NULL},
    {HEAD "BUFFER a DATA_TYP float", "expected DATA_TYPE or FORMAT, found 'DATA_TYP'", "'DATA_TYPE'"},
    {HEAD "BUFFER a DATA_TYPE vec5<float> SIZE 1 FILL 0", "unknown data type 'vec5<float>'", "vec"},
    {HEAD "BUFFER a DATA_TYPE vec3 SIZE 1 FILL 0", "unknown data type 'vec3'", "'vec3<float>'"},
    {HEAD "BUFFER a FORMAT R8G8B8A8_UNRM", "unknown format 'R8G8B8A8_UNRM'", "'R8G8B8A8_UNORM'"},
    {HEAD "BUFFER a DATA_TYPE float FILL 0", "'a' needs a SIZE or DATA", NULL},
    {HEAD "BUFFER a DATA_TYPE vec2<float> DATA 1 2 3 END", "the DATA of 'a' has 3 values, and an element takes 2",
     NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE 3 DATA 1 2 END", "the DATA of 'a' has 2 elements, its size is 3", NULL},
    {HEAD "BUFFER a DATA_TYPE float DATA 1 2", "the DATA of 'a' has no END", NULL},
    {HEAD "BUFFER a DATA_TYPE float DATA 1 x END", "expected a value or END, found 'x'", NULL},
    {HEAD "BUFFER a DATA_TYPE uint8 DATA 256 END", "the value does not fit uint8", NULL},
    {HEAD "BUFFER a DATA_TYPE int32 DATA 1.5 END", "int32 needs an integer", NULL},
    {HEAD "BUFFER a DATA_TYPE vec2<float> SIZE 2 SERIES_FROM 0 INC_BY 1",
     "SERIES_FROM is for a buffer of single numbers, not of vectors", NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE 0 FILL 0", "a buffer has at least one element", NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE -1 FILL 0", "a number of elements cannot be negative", NULL},
    {HEAD "BUFFER a FORMAT R8_UNORM SAMPLES 3", "the number of samples is 1, 2, 4, 8, 16, 32 or 64", NULL},
    {HEAD "BUFFER a FORMAT R8_UNORM\nBUFFER a FORMAT R8_UNORM", "there is a BUFFER 'a' already", NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_2D WIDTH 3", "IMAGE 'a' needs HEIGHT", NULL},
    {HEAD "IMAGE a DIM_2D WIDTH 3 HEIGHT 3 FILL 0", "IMAGE 'a' needs DATA_TYPE or FORMAT", NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM WIDTH 3", "IMAGE 'a' needs DIM_1D, DIM_2D or DIM_3D", NULL},
    {HEAD "IMAGE a DATA_TYPE mat2x2<float> DIM_1D WIDTH 3", "an IMAGE needs a type that is a pixel format", NULL},
    {HEAD "SAMPLER a MAG_FILTER cubic", "expected a filter, found 'cubic'", "there is nearest, linear"},
    {HEAD "SAMPLER a MIN_LOD 2 MAX_LOD 1", "MAX_LOD of 'a' is less than its MIN_LOD", NULL},
    {HEAD "SAMPLER a ADDRESS_MODE_U clamp_to_edg", "expected an address mode, found 'clamp_to_edg'", "'clamp_to_edge'"},
    /* Absurd sizes are errors before anybody asks for memory. */
    {HEAD "BUFFER a DATA_TYPE vec4<double> SIZE 1000000000 FILL 0", "'a' takes more than 1024 MiB", NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE 99999999999999999999 FILL 0", "expected a number of elements, found", NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_3D WIDTH 16384 HEIGHT 16384 DEPTH 16384", "'a' takes more than 1024 MiB", NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_3D WIDTH 4 HEIGHT 4 DEPTH 4 LAYERS 2", "IMAGE 'a' is DIM_3D: it has no LAYERS",
     NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 4 LAYERS 0", "a number of layers is at least 1", NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_2D WIDTH 16385 HEIGHT 1", "a width is at most 16384", NULL},
    {HEAD "BUFFER a DATA_TYPE float[999999999] SIZE 1 FILL 0",
     "'a' cannot be laid out: the type is larger than a buffer may be", NULL},
    {HEAD "BUFFER a DATA_TYPE float[99999] SIZE 1 FILL 0", "'a' cannot be laid out: the type has too many values",
     NULL},
    /* Pipelines. */
    {THINGS "PIPELINE grafics p\nEND", "expected a pipeline type, found 'grafics'", "'graphics'"},
    {THINGS "PIPELINE graphics p\nATTACH vs\nEND", "pipeline 'p' has no fragment shader", NULL},
    {THINGS "PIPELINE compute p\nEND", "pipeline 'p' has no compute shader", NULL},
    {THINGS "PIPELINE compute p\nATTACH vs\nEND", "a vertex shader does not go into a compute pipeline", NULL},
    {IN_PIPELINE("ATTACH fs"), "pipeline 'p' has a fragment shader already", NULL},
    {IN_PIPELINE("ATTACH fx"), "there is no shader 'fx' before this line", NULL},
    {IN_PIPELINE("BIND BUFFER fv AS color LOCATION 0"), "there is no buffer or image 'fv' before this line", "'fb'"},
    {"#!amber\rBUFFER a DATA_TYPE float SIZE 1\r",
     "the line of '#!amber' has a carriage return in it: lines end with line feeds", NULL},
    {THINGS "BUFFER m DATA_TYPE mat2x2<float> SIZE 1\n" TARGET_IS("m"),
     "the type of 'm' is not a pixel format: it cannot be a color", "FORMAT"},
    {THINGS "BUFFER v DATA_TYPE vec3<float> SIZE 1\n" TARGET_IS("v"),
     "'v' has gaps between its elements: it cannot be a color", "SCALAR"},
    {IN_PIPELINE(
         "FRAMEBUFFER_SIZE 8 8\nBIND BUFFER fb AS color LOCATION 0") "IMAGE i FORMAT B8G8R8A8_UNORM DIM_2D WIDTH 4 "
                                                                     "HEIGHT 8\nDERIVE_PIPELINE q FROM p\nBIND BUFFER "
                                                                     "i AS color LOCATION 1\nEND\n",
     "'i' is 4 x 8, the framebuffer of pipeline 'q' 8 x 8", NULL},
    {IN_PIPELINE("BIND BUFFER fb AS depth_stencil"), "'fb' has the format B8G8R8A8_UNORM: it cannot be a depth_stencil",
     NULL},
    {IN_PIPELINE("BIND BUFFER fb AS color LOCATION 8"), "a location is at most 7", NULL},
    {IN_PIPELINE("BIND BUFFER fb AS colour LOCATION 0"), "expected a buffer type, found 'colour'", "'color'"},
    {IN_PIPELINE(
         "BIND BUFFER u AS uniform DESCRIPTOR_SET 0 BINDING 0\nBIND BUFFER u AS storage DESCRIPTOR_SET 0 BINDING 0"),
     "pipeline 'p' has something bound there already", "DESCRIPTOR_SET 0 BINDING 0 is 'u': give each its own BINDING"},
    {IN_PIPELINE("BIND BUFFER u AS uniform_dynamic DESCRIPTOR_SET 0 BINDING 0"), "a uniform_dynamic needs an OFFSET",
     NULL},
    {IN_PIPELINE("BIND BUFFER u AS uniform DESCRIPTOR_SET 0 BINDING 0 OFFSET 4"), "OFFSET is not for a uniform", NULL},
    {IN_PIPELINE("VERTEX_DATA u LOCATION 0 STRIDE 0"), "STRIDE is at least 1", NULL},
    {IN_PIPELINE("INDEX_DATA u"), "indices are 8, 16 or 32-bit integers", NULL},
    {IN_PIPELINE("FRAMEBUFFER_SIZE 0 4"), "a framebuffer has at least one pixel", NULL},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE 1 1 MIN_DEPTH 2"), "a viewport's depth is 0 to 1", NULL},
    {IN_PIPELINE("POLYGON_MODE lines"), "expected fill, line or point, found 'lines'", "'line'"},
    {IN_PIPELINE("DEPTH\nTEST maybe\nEND"), "expected 'on' or 'off', found 'maybe'", NULL},
    {IN_PIPELINE("STENCIL front\nREFERENCE 256\nEND"), "a stencil value is at most 255", NULL},
    {IN_PIPELINE("BLEND\nCOLOR_OP ad\nEND"), "expected a blend operation, found 'ad'", "'add'"},
    {IN_PIPELINE("SUBGROUP fs\nREQUIRED_SIZE 3\nEND"), "a subgroup size is a power of two", NULL},
    {THINGS "DERIVE_PIPELINE q FROM p\nEND", "there is no pipeline 'p' before this line", NULL},
    /* Commands. */
    {RUNNABLE "RUN p 1 1 1", "'p' is a graphics pipeline", NULL},
    {THINGS "PIPELINE compute c\nATTACH cs\nEND\nRUN c 1 65536 1", "the number of workgroups each way is at most 65535",
     NULL},
    {THINGS "PIPELINE compute c\nATTACH cs\nEND\nRUN c 65535 65535 65535",
     "a RUN has at most 1073741824 workgroups, and at most 65535 each way", NULL},
    {RUNNABLE "RUN q 1 1 1", "there is no pipeline 'q' before this line", NULL},
    {RUNNABLE "RUN p DRAW_RECT POS 0 0 SIZ 1 1", "expected SIZE, found 'SIZ'", "'SIZE'"},
    {RUNNABLE "RUN p DRAW_GRID POS 0 0 SIZE 1 1 CELLS 4096 1025", "a grid has at most 2^22 cells", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLES", "expected a topology, found 'TRIANGLES'", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST", "pipeline 'p' has no VERTEX_DATA, so DRAW_ARRAY needs a COUNT",
     NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST INDEXED COUNT 3", "INDEXED: pipeline 'p' has no INDEX_DATA", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS PATCH_LIST COUNT 3", "PATCH_LIST needs tessellation shaders", NULL},
    {IN_PIPELINE("VERTEX_DATA u LOCATION 0") "RUN p DRAW_ARRAY AS TRIANGLE_LIST START_IDX 2 COUNT 3",
     "START_IDX and COUNT go to 5, 'u' has 4 elements", NULL},
    {RUNNABLE "CLEAR_COLOR p 256 0 0 0", "a part of a colour is 0 to 255", NULL},
    {RUNNABLE "COPY fb TO fb", "COPY of 'fb' to itself", NULL},
    {RUNNABLE "REPEAT 0\nEND", "REPEAT turns at least once", NULL},
    {RUNNABLE "REPEAT 1024\nREPEAT 1025\nCLEAR p\nEND\nEND",
     "with those around it this REPEAT turns more than 1048576 times", NULL},
    {RUNNABLE "REPEAT 2\nBUFFER x\nEND", "expected CLEAR, RUN, COPY, EXPECT, REPEAT or END, found 'BUFFER'", NULL},
    {RUNNABLE "REPEAT 2\nCLEAR p\n", "REPEAT has no END", NULL},
    {RUNNABLE "EXPECT u IDX 0 EQQ 1", "expected a comparator, found 'EQQ'", "'EQ'"},
    {RUNNABLE "EXPECT u IDX 0 EQ\n", "expected a value, found the end of the line", NULL},
    {RUNNABLE "EXPECT u IDX 0 TOLERANCE 1 LT 1", "a TOLERANCE is for EQ, not for LT", NULL},
    {RUNNABLE "EXPECT u IDX 16 EQ 1", "IDX 16 is past the end of 'u', which has 16 bytes", NULL},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 1 EQ_RGB 1 2", "EQ_RGB needs 3 values, found 2", NULL},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 251 1 EQ_RGB 1 2 3", "the area is not inside 'fb', which is 250 x 250", NULL},
    {RUNNABLE "EXPECT fb IDX 0 EQ_RGB 1 2 3", "EQ_RGB compares pixels: it needs IDX x y SIZE width height", NULL},
    {RUNNABLE "EXPECT fb EQ_BUFFER u", "EQ_BUFFER: 'fb' and 'u' differ in type", NULL},
    {RUNNABLE "EXPECT fb RMSE_BUFFER u\n", "expected TOLERANCE, found the end of the line", NULL},
    {RUNNABLE "CLEAR p now", "expected the end of the line after CLEAR, found 'now'", NULL},
    /* Declarations. */
    {HEAD "STRUCT s\nfloat a\nEND\nSTRUCT s\nfloat b\nEND", "there is a STRUCT 's' already", NULL},
    {HEAD "STRUCT s STRIDE x\nfloat a\nEND", "expected a stride in bytes, found 'x'", NULL},
    {HEAD "STRUCT s wide\nfloat a\nEND",
     "expected the end of the line after the header of a STRUCT, found 'wide'", NULL},
    {HEAD "STRUCT s\n1 a\nEND", "expected a member's type or END, found '1'", NULL},
    {HEAD "STRUCT s\nfloat a OFSET 4\nEND",
     "expected OFFSET, ARRAY_STRIDE or MATRIX_STRIDE, found 'OFSET'", "'OFFSET'"},
    {HEAD "STRUCT s\nfloat a OFFSET x\nEND", "expected an offset in bytes, found 'x'", NULL},
    {HEAD "STRUCT s\nfloat[2] a ARRAY_STRIDE x\nEND", "expected a stride in bytes, found 'x'", NULL},
    {HEAD "STRUCT s\nmat2x2<float> a MATRIX_STRIDE x\nEND", "expected a stride in bytes, found 'x'", NULL},
    {HEAD "STRUCT s\nfloat a ROW_MAJOR\nEND", "ROW_MAJOR needs a matrix", NULL},
    {HEAD "BUFFER a DATA_TYPE float[ SIZE 1 FILL 0", "an array is written T[] or T[count]", NULL},
    {HEAD "BUFFER a DATA_TYPE float[x] SIZE 1 FILL 0", "an array is written T[] or T[count]", NULL},
    {HEAD "BUFFER a DATA_TYPE 4 SIZE 1 FILL 0", "expected a data type, found '4'", NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE x FILL 0", "expected a number of elements, found 'x'", NULL},
    {HEAD "BUFFER a DATA_TYPE float WIDTH 4 DATA 1 END", "expected HEIGHT, found 'DATA'", NULL},
    {HEAD "BUFFER a DATA_TYPE float WIDTH 0 HEIGHT 4 FILL 0", "a width is at least 1", NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE 2 FILL x", "expected a value, found 'x'", NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE 2 SERIES_FROM x INC_BY 1", "expected a first value, found 'x'", NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE 2 SERIES_FROM 1 INC 1", "expected INC_BY, found 'INC'", NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE 2 SERIES_FROM 1 INC_BY x", "expected an increment, found 'x'", NULL},
    {HEAD "BUFFER a DATA_TYPE float DATA END", "the DATA of 'a' has no values", NULL},
    {HEAD "BUFFER a DATA_TYPE mat2x2<float> SIZE 2 FILE PNG a.png", "a PNG needs a buffer with a pixel format", NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE 2 FILE", "expected PNG, BINARY or TEXT, found the end of", NULL},
    {HEAD "BUFFER a DATA_TYPE float SIZE 2 FILE BINRY a.bin",
     "expected PNG, BINARY or TEXT, found 'BINRY'", "'BINARY'"},
    {HEAD "BUFFER a DATA_TYPE float SIZE 2 FILE TEXT", "expected a path, found the end of", NULL},
    {HEAD "BUFFER a FORMAT 7", "expected an image format, found '7'", NULL},
    {HEAD "BUFFER a FORMAT R8_UNORM MIP_LEVELS 0", "there is at least one mip level", NULL},
    {HEAD "BUFFER a FORMAT R8_UNORM MIP_LEVELS x", "expected a number of mip levels, found 'x'", NULL},
    {HEAD "BUFFER a FORMAT R8_UNORM SAMPLES x", "expected a number of samples, found 'x'", NULL},
    {HEAD "BUFFER a FORMAT R8_UNORM SAMPLE 4", "expected MIP_LEVELS, SAMPLES or FILE, found 'SAMPLE'", "'SAMPLES'"},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 4 SIZE 4", "expected a part of an IMAGE, found 'SIZE'", NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_3D WIDTH 4 HEIGHT 4", "IMAGE 'a' needs DEPTH", NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_1D HEIGHT 4", "IMAGE 'a' needs WIDTH", NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_1D WIDTH 4 SAMPLES 4",
     "IMAGE 'a' has several samples: it must be DIM_2D with one mip level", NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 4 SAMPLES 4 MIP_LEVELS 2",
     "IMAGE 'a' has several samples: it must be DIM_2D with one mip level", NULL},
    {HEAD "IMAGE 2 FORMAT R8_UNORM", "expected a name for the IMAGE, found '2'", NULL},
    {HEAD "BUFFER a FORMAT R8_UNORM\nIMAGE a FORMAT R8_UNORM DIM_1D WIDTH 4", "there is a BUFFER 'a' already", NULL},
    {HEAD "IMAGE a FORMAT R8_UNORM DIM_1D WIDTH 4\nBUFFER a FORMAT R8_UNORM", "there is an IMAGE 'a' already", NULL},
    {HEAD "SAMPLER", "expected a name for the SAMPLER, found the end of", NULL},
    {HEAD "SAMPLER a\nSAMPLER a", "there is a sampler 'a' already", NULL},
    {HEAD "SAMPLER a FILTER linear", "expected a parameter of the SAMPLER, found 'FILTER'", NULL},
    {HEAD "SAMPLER a BORDER_COLOR black",
     "expected a border colour, found 'black'", "there is float_transparent_black"},
    {HEAD "SAMPLER a COMPARE_OP smaller", "expected a compare operation, found 'smaller'", NULL},
    {HEAD "SAMPLER a COMPARE yes", "expected 'on' or 'off', found 'yes'", NULL},
    {HEAD "SAMPLER a MIN_LOD x", "expected a level, found 'x'", NULL},
    {HEAD "SAMPLER a MAX_LOD x", "expected a level, found 'x'", NULL},
    {HEAD "SAMPLER a LOD_BIAS x", "expected a bias, found 'x'", NULL},
    {HEAD "SAMPLER a MAX_ANISOTROPY 17", "MAX_ANISOTROPY of 'a' is not 1 to 16", NULL},
    {HEAD "SAMPLER a MAX_ANISOTROPY 0.5", "MAX_ANISOTROPY of 'a' is not 1 to 16", NULL},
    {HEAD "SHADER compute 1 TGSI", "expected a name for the shader, found '1'", NULL},
    {HEAD "SHADER multi a TGSI\nCOMP\nEND\nEND", "a multi shader can only be SPIR-V", NULL},
    {HEAD "SHADER compute a SPIRV-BIN\nEND", "expected FILE and the path of the module, found the end of", NULL},
    {HEAD "SHADER compute a TGSI TARGET_ENV\nCOMP\nEND\nEND", "expected a target environment, found the end of", NULL},
    {HEAD "SHADER compute a TGSI FILE", "expected a path, found the end of", NULL},
    {HEAD "SHADER compute a TGSI FILE a.tgsi now",
     "expected the end of the line after the path of a shader, found 'now'", NULL},
    {HEAD "SHADER compute a TGSI now\nCOMP\nEND\nEND",
     "expected the end of the line after the shader's format, found 'now'", NULL},
    {HEAD "VIRTUAL_FILE", "expected the path of a virtual file, found the end of", NULL},
    {HEAD "VIRTUAL_FILE a\nx\nEND\nVIRTUAL_FILE a\ny\nEND", "there is a virtual file 'a' already", NULL},
    /* Pipelines: their parts. */
    {RUNNABLE "PIPELINE compute p\nATTACH cs\nEND", "there is a pipeline 'p' already", NULL},
    {THINGS "PIPELINE graphics\nEND", "expected a name for the pipeline, found the end of", NULL},
    {THINGS "PIPELINE graphics p now\nATTACH vs\nATTACH fs\nEND",
     "expected the end of the line after the header of a PIPELINE, found 'now'", NULL},
    {RUNNABLE "DERIVE_PIPELINE q TO p\nEND", "expected FROM, found 'TO'", NULL},
    {IN_PIPELINE("FRAMEBUFER_SIZE 4 4"), "expected a part of a PIPELINE or END, found 'FRAMEBUFER_SIZE'",
     "'FRAMEBUFFER_SIZE'"},
    {IN_PIPELINE("ATTACH fs TIPE fragment"), "expected TYPE, ENTRY_POINT or SPECIALIZE, found 'TIPE'", "'TYPE'"},
    {IN_PIPELINE("ATTACH fs TYPE fragmnt"), "expected a shader type, found 'fragmnt'", "'fragment'"},
    {IN_PIPELINE("ATTACH fs ENTRY_POINT"), "expected the name of an entry point, found the end of", NULL},
    {IN_PIPELINE("ATTACH fs SPECIALIZE x AS uint32 1"), "expected a specialization ID, found 'x'", NULL},
    {IN_PIPELINE("ATTACH fs SPECIALIZE 1 AS uint64 1"), "expected uint32, int32 or float, found 'uint64'", NULL},
    {IN_PIPELINE("ATTACH fs SPECIALIZE 1 AS uint32 x"), "expected a value, found 'x'", NULL},
    {IN_PIPELINE("ATTACH cs"), "a compute shader does not go into a graphics pipeline", NULL},
    {IN_PIPELINE("SUBGROUP cs\nEND"), "shader 'cs' is not attached to this pipeline", NULL},
    {IN_PIPELINE("SUBGROUP fs\nFULL on\nEND"),
     "expected FULLY_POPULATED, VARYING_SIZE, REQUIRED_SIZE or END, found 'FULL'",
     NULL},
    {THINGS "PIPELINE graphics p\nATTACH vs\nATTACH fs\nSUBGROUP fs\nVARYING_SIZE on\n", "SUBGROUP has no END", NULL},
    {IN_PIPELINE("SUBGROUP fs\nREQUIRED_SIZE MEDIUM\nEND"),
     "expected a subgroup size, MIN or MAX, found 'MEDIUM'", NULL},
    {IN_PIPELINE("FRAMEBUFFER_SIZE x 4"), "expected a width, found 'x'", NULL},
    {IN_PIPELINE("SHADE_MODEL round"), "expected smooth or flat, found 'round'", NULL},
    {IN_PIPELINE("SPRITE_COORDS COLOR 1"), "expected TEXCOORD or GENERIC, found 'COLOR'", NULL},
    {IN_PIPELINE("SPRITE_COORDS TEXCOORD x"), "expected the index of an input, found 'x'", NULL},
    {IN_PIPELINE("SPRITE_ORIGIN middle"), "expected upper_left or lower_left, found 'middle'", NULL},
    {IN_PIPELINE("PATCH_CONTROL_POINTS x"), "expected a number of control points, found 'x'", NULL},
    {IN_PIPELINE("PATCH_CONTROL_POINTS 0"), "a patch has at least one control point", NULL},
    {IN_PIPELINE("PATCH_CONTROL_POINTS 33"), "a number of control points is at most 32", NULL},
    {IN_PIPELINE("INDEX_DATA v"), "there is no buffer or image 'v' before this line", NULL},
    {IN_PIPELINE("SET KERNEL ARG x AS int32 4"), "expected ARG_NAME or ARG_NUMBER, found 'ARG'", NULL},
    {IN_PIPELINE("SET KERNEL ARG_NUMBER x AS int32 4"), "expected an argument's number, found 'x'", NULL},
    {IN_PIPELINE("VIEWPORT x 0 SIZE 1 1"), "expected x of the viewport, found 'x'", NULL},
    {IN_PIPELINE("VIEWPORT 0 x SIZE 1 1"), "expected y of the viewport, found 'x'", NULL},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE x 1"), "expected the viewport's width, found 'x'", NULL},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE 1 x"), "expected the viewport's height, found 'x'", NULL},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE 1e9 1"), "the viewport is too large", NULL},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE nan 1"), "the viewport is too large", NULL},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE 1 1 DEPTH 1"), "expected MIN_DEPTH, MAX_DEPTH or INDEX, found 'DEPTH'", NULL},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE 1 1 INDEX 16"), "the number of a viewport is at most 15", NULL},
    {IN_PIPELINE("VIEWPORT 0 0 SIZE 1 1 MAX_DEPTH x"), "expected a depth, found 'x'", NULL},
    {IN_PIPELINE("DEPTH\nCOMPARE_OP bigger\nEND"), "expected a compare operation, found 'bigger'", NULL},
    {IN_PIPELINE("DEPTH\nBOUNDS max 1 min 0\nEND"), "expected min, found 'max'", NULL},
    {IN_PIPELINE("DEPTH\nBIAS constant 1 slope 2\nEND"), "expected clamp, found 'slope'", NULL},
    {IN_PIPELINE("DEPTH\nTESTS on\nEND"), "expected a setting of the block or END, found 'TESTS'", "'TEST'"},
    {IN_PIPELINE("DEPTH now\nTEST on\nEND"), "expected the end of the line after DEPTH, found 'now'", NULL},
    {THINGS "PIPELINE graphics p\nATTACH vs\nATTACH fs\nDEPTH\nTEST on\n", "DEPTH has no END", NULL},
    {IN_PIPELINE("STENCIL up\nTEST on\nEND"), "expected front, back or front_and_back, found 'up'", NULL},
    {IN_PIPELINE("STENCIL front\nFAIL_OP kep\nEND"), "expected a stencil operation, found 'kep'", "'keep'"},
    {IN_PIPELINE("BLEND\nSRC_COLOR_FACTOR on\nEND"), "expected a blend factor, found 'on'", NULL},
    {IN_PIPELINE("BIND BUFER u AS storage DESCRIPTOR_SET 0 BINDING 0"),
     "expected BUFFER, BUFFER_ARRAY, SAMPLER or SAMPLER_ARRAY, found 'BUFER'", "'BUFFER'"},
    {IN_PIPELINE("BIND BUFFER u IN storage DESCRIPTOR_SET 0 BINDING 0"), "expected AS or KERNEL, found 'IN'", NULL},
    {IN_PIPELINE("BIND BUFFER u AS storage SET 0 BINDING 0"), "expected DESCRIPTOR_SET, found 'SET'", NULL},
    {IN_PIPELINE("BIND BUFFER u AS storage DESCRIPTOR_SET x BINDING 0"), "expected a descriptor set, found 'x'", NULL},
    {IN_PIPELINE("BIND BUFFER u AS storage DESCRIPTOR_SET 0 BINDING x"), "expected a binding, found 'x'", NULL},
    {IN_PIPELINE("BIND BUFFER u AS storage DESCRIPTOR_SET 0 BINDING 0 OFSET 4"),
     "expected OFFSET, DESCRIPTOR_OFFSET, DESCRIPTOR_RANGE or BASE_MIP_LEVEL, found 'OFSET'", "'OFFSET'"},
    {IN_PIPELINE("BIND BUFFER u AS storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_RANGE x"),
     "expected a range in bytes, found 'x'", NULL},
    {IN_PIPELINE("BIND BUFFER u AS storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_OFFSET x"),
     "expected an offset in bytes, found 'x'", NULL},
    {IN_PIPELINE("BIND BUFFER fb AS sampled_image DESCRIPTOR_SET 0 BINDING 0 BASE_MIP_LEVEL 1"),
     "'fb' has 1 mip levels, so no level 1", NULL},
    {IN_PIPELINE("BIND BUFFER u AS sampled_image DESCRIPTOR_SET 0 BINDING 0"),
     "'u' has no FORMAT: it cannot be a sampled_image", NULL},
    {IN_PIPELINE("BIND BUFFER_ARRAY u AS storage DESCRIPTOR_SET 0 BINDING 0"),
     "expected a second buffer of the BUFFER_ARRAY, found 'AS'", NULL},
    {IN_PIPELINE("BIND BUFFER_ARRAY fb fb AS color LOCATION 0"), "color takes one buffer, not a BUFFER_ARRAY", NULL},
    {IN_PIPELINE("BIND SAMPLER s DESCRIPTOR_SET 0 BINDING 0"), "there is no sampler 's' before this line", NULL},
    {THINGS "SAMPLER s\nPIPELINE graphics p\nATTACH vs\nATTACH fs\n"
            "BIND SAMPLER_ARRAY s DESCRIPTOR_SET 0 BINDING 0\nEND\n",
     "expected a second sampler of the SAMPLER_ARRAY, found 'DESCRIPTOR_SET'", NULL},
    {IN_PIPELINE("BIND BUFFER fb AS combined_image_sampler DESCRIPTOR_SET 0 BINDING 0"),
     "expected SAMPLER, found 'DESCRIPTOR_SET'", NULL},
    {THINGS "BUFFER m DATA_TYPE mat2x2<float> SIZE 1 FILL 0\n"
            "PIPELINE compute p\nATTACH cs\nBIND BUFFER m AS uniform_texel_buffer DESCRIPTOR_SET 0 BINDING 0\nEND\n",
     "the type of 'm' is not a pixel format: it cannot be a uniform_texel_buffer", NULL},
    {THINGS "PIPELINE compute p\nATTACH cs\nBIND BUFFER fb AS color LOCATION 0\nEND\n",
     "color is for graphics pipelines", NULL},
    {IN_PIPELINE("VERTEX_DATA u LOCATION x"), "expected a location, found 'x'", NULL},
    {IN_PIPELINE("VERTEX_DATA u LOCATION 0\nVERTEX_DATA u LOCATION 0"),
     "pipeline 'p' has vertex data at location 0 already", NULL},
    {IN_PIPELINE("VERTEX_DATA u LOCATION 0 STEP 4"), "expected RATE, OFFSET, STRIDE or FORMAT, found 'STEP'", NULL},
    {IN_PIPELINE("VERTEX_DATA u LOCATION 0 RATE pixel"), "expected vertex or instance, found 'pixel'", NULL},
    {IN_PIPELINE("VERTEX_DATA u LOCATION 0 OFFSET x"), "expected an offset in bytes, found 'x'", NULL},
    {IN_PIPELINE("VERTEX_DATA u LOCATION 0 STRIDE x"), "expected a stride in bytes, found 'x'", NULL},
    /* Commands: their parts. */
    {RUNNABLE "CLEAR q", "there is no pipeline 'q' before this line", NULL},
    {THINGS "PIPELINE compute c\nATTACH cs\nEND\nCLEAR c", "CLEAR is for graphics pipelines", NULL},
    {RUNNABLE "CLEAR_COLOR p -1 0 0 0", "a part of a colour is 0 to 255", NULL},
    {RUNNABLE "CLEAR_COLOR p 1 nan 0 0", "a part of a colour is 0 to 255", NULL},
    {RUNNABLE "CLEAR_DEPTH p x", "expected a depth, found 'x'", NULL},
    {RUNNABLE "CLEAR_DEPTH p 1.5", "a depth is 0 to 1", NULL},
    {RUNNABLE "CLEAR_STENCIL p 256", "a stencil value is at most 255", NULL},
    {RUNNABLE "RUN p DRAW_CIRCLE",
     "expected workgroups, DRAW_RECT, DRAW_GRID or DRAW_ARRAY, found 'DRAW_CIRCLE'", NULL},
    {RUNNABLE "RUN p DRAW_RECT POS x 0 SIZE 1 1", "expected x in pixels, found 'x'", NULL},
    {RUNNABLE "RUN p DRAW_RECT POS 0 y SIZE 1 1", "expected y in pixels, found 'y'", NULL},
    {RUNNABLE "RUN p DRAW_RECT POS 0 0 SIZE x 1", "expected a width in pixels, found 'x'", NULL},
    {RUNNABLE "RUN p DRAW_RECT POS 0 0 SIZE 1 x", "expected a height in pixels, found 'x'", NULL},
    {RUNNABLE "RUN p DRAW_GRID POS 0 0 SIZE 1 1 CELLS x 1", "expected a number of columns, found 'x'", NULL},
    {RUNNABLE "RUN p DRAW_GRID POS 0 0 SIZE 1 1 CELLS 1 x", "expected a number of rows, found 'x'", NULL},
    {RUNNABLE "RUN p DRAW_GRID POS 0 0 SIZE 1 1 CELLS 1 0", "a grid has at least one cell", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY TRIANGLE_LIST COUNT 3", "expected AS, found 'TRIANGLE_LIST'", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST COUNT 0", "COUNT is at least 1", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST COUNT x", "expected a number of vertices, found 'x'", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST START_IDX x", "expected a first index, found 'x'", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST START_INSTANCE x", "expected a first instance, found 'x'", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST INSTANCE_COUNT x", "expected a number of instances, found 'x'", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST INSTANCE_COUNT 0", "INSTANCE_COUNT is at least 1", NULL},
    {RUNNABLE "RUN p DRAW_ARRAY AS TRIANGLE_LIST NUMBER 3",
     "expected INDEXED, START_IDX, COUNT, START_INSTANCE or INSTANCE_COUNT, found 'NUMBER'", NULL},
    {IN_PIPELINE("VERTEX_DATA u LOCATION 0") "RUN p DRAW_ARRAY AS POINT_LIST START_IDX 4",
     "START_IDX and COUNT go to 4, 'u' has 4 elements", NULL},
    {RUNNABLE "COPY fb u", "expected TO, found 'u'", NULL},
    {RUNNABLE "COPY fb TO v", "there is no buffer or image 'v' before this line", NULL},
    {RUNNABLE "COPY v TO fb", "there is no buffer or image 'v' before this line", NULL},
    {RUNNABLE "REPEAT x\nEND", "expected a number of turns, found 'x'", NULL},
    {RUNNABLE "REPEAT 1 now\nEND", "expected the end of the line after REPEAT, found 'now'", NULL},
    {RUNNABLE "EXPECT v IDX 0 EQ 1", "there is no buffer or image 'v' before this line", NULL},
    {RUNNABLE "EXPECT u EQ 1", "expected IDX, found 'EQ'", NULL},
    {RUNNABLE "EXPECT u IDX x EQ 1", "expected an index, found 'x'", NULL},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE x 1 EQ_RGB 1 2 3", "expected a width, found 'x'", NULL},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 x EQ_RGB 1 2 3", "expected a height, found 'x'", NULL},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 0 EQ_RGB 1 2 3", "the area has no pixels", NULL},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 1 EQ_RGB 1 2 256", "the parts of a colour are 0 to 255", NULL},
    {RUNNABLE "EXPECT fb IDX 0 0 SIZE 1 1 EQ 1 2 3",
     "EQ compares values: IDX has one number for it, a byte offset", NULL},
    {RUNNABLE "EXPECT u IDX 0 0 SIZE 1 1 EQ_RGB 1 2 3", "'u' has no pixels", NULL},
    {RUNNABLE "EXPECT fb IDX 0 EQ_BUFFER u", "EQ_BUFFER compares whole buffers, without IDX", NULL},
    {RUNNABLE "EXPECT u IDX 0 TOLERANCE -1 EQ 1", "a tolerance is not negative", NULL},
    {RUNNABLE "EXPECT u IDX 0 TOLERANCE 1 2 3 4 5 EQ 1", "there are at most 4 tolerances", NULL},
    {RUNNABLE "EXPECT u IDX 0 TOLERANCE 1 EQ 1 TOLERANCE 1", "there is a TOLERANCE already", NULL},
    {RUNNABLE "EXPECT fb RMSE_BUFFER fb TOLERANCE 1 2", "RMSE_BUFFER has one tolerance, a number", NULL},
    {RUNNABLE "EXPECT fb RMSE_BUFFER fb TOLERANCE 1%", "RMSE_BUFFER has one tolerance, a number", NULL},
    {RUNNABLE "EXPECT fb EQ_BUFFER v", "there is no buffer or image 'v' before this line", NULL},
};

static void every_error_says_what_is_wrong(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        struct arena a = {0};
        struct source src = {"test.amber", errors[i].text, strlen(errors[i].text)};
        struct script *s = NULL;
        weft_diags *d = weft_diags_new();
        weft_status status = script_parse(&src, &a, &s, d);
        const weft_diag *g = weft_diags_get(d, 0);
        if (status != WEFT_ERROR_INPUT || !g || !strstr(g->message, errors[i].message) ||
            (errors[i].hint && (!g->hint || !strstr(g->hint, errors[i].hint)))) {
            print_message("%s\nwanted: %s (%s)\nfound: %s (%s)\n", errors[i].text, errors[i].message,
                          errors[i].hint ? errors[i].hint : "-", g ? g->message : "-", g && g->hint ? g->hint : "-");
            wrong++;
        }
        /* One mistake is one error; only what it leaves open is one more. */
        size_t count = weft_diags_errors(d);
        const weft_diag *second = weft_diags_get(d, 1);
        if (count != 1 && !(count == 2 && strcmp(second->message, "pipeline 'p' has no END") == 0)) {
            print_message("%s\nhas %zu errors\n", errors[i].text, count);
            wrong++;
        }
        assert_true(a.total < 4 << 20);
        weft_diags_free(d);
        arena_free(&a);
    }
    assert_int_equal(wrong, 0);
}

static void an_error_has_its_place(void **state)
{
    (void)state;
    static const char text[] = HEAD "\nBUFFER a DATA_TYPE float \\\n  SIZZE 3 FILL 0\n";
    struct arena a = {0};
    struct source src = {"test.amber", text, sizeof text - 1};
    struct script *s = NULL;
    weft_diags *d = weft_diags_new();
    char out[400];
    assert_int_equal(script_parse(&src, &a, &s, d), WEFT_ERROR_INPUT);
    weft_diag_format(weft_diags_get(d, 0), 0, out, sizeof out);
    assert_string_equal(out, "test.amber:4:3: error: expected FILL, SERIES_FROM, DATA or FILE, found 'SIZZE'\n"
                             "    SIZZE 3 FILL 0\n"
                             "    ^~~~~\n");
    weft_diags_free(d);
    arena_free(&a);
}

static void one_place_has_one_error(void **state)
{
    (void)state;
    const char *text = HEAD "IMAGE a FORMAT D32_FLOAT DIM_2D WIDTH 4 HEIGHT 4\nBUFFER b DATA_TYPE vec4 SIZE 4\n";
    struct arena a = {0};
    struct source src = {"test.amber", text, strlen(text)};
    struct script *s = NULL;
    weft_diags *d = weft_diags_new();
    assert_int_equal(script_parse(&src, &a, &s, d), WEFT_ERROR_INPUT);
    assert_int_equal(weft_diags_errors(d), 2);
    assert_string_equal(weft_diags_get(d, 0)->message, "unknown format 'D32_FLOAT'");
    assert_string_equal(weft_diags_get(d, 1)->message, "unknown data type 'vec4'");
    weft_diags_free(d);
    arena_free(&a);
}

static void parsing_goes_on_after_an_error(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "SHADER fragment f GLSSL\nbuffer inside it\nEND\nSHADER vertex v HLLS\nvoid main() {}\nEND\n"
             "BUFFER a DATA_TYPE float DATA 1 x 2\n3\nEND\nPIPELINE graphics p\nATACH v\nEND\nCLEAR p\n"
             "RUN q 1 1 1\n";
    struct arena a = {0};
    struct source src = {"test.amber", text, sizeof text - 1};
    struct script *s = NULL;
    weft_diags *d = weft_diags_new();
    static const uint32_t lines[] = {2, 5, 8, 12, 15};
    script_parse(&src, &a, &s, d);
    assert_int_equal(weft_diags_count(d), 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(weft_diags_get(d, i)->line, lines[i]);
    weft_diags_free(d);
    arena_free(&a);
}

/* ---- refusals ---- */

static const struct {
    const char *text, *what;
} refusals[] = {
    {HEAD "SHADER compute a OPENCL-C\nkernel void f() {}\nEND\n", "shader format OPENCL-C"},
    {HEAD "SHADER miss a TGSI\nCOMP\nEND\nEND\n", "ray tracing (miss shader)"},
    {HEAD "ACCELERATION_STRUCTURE BOTTOM_LEVEL b\nGEOMETRY TRIANGLES\nFLAGS OPAQUE\n0 0 0\n1 0 0\n0 1 0\nEND\nEND\n",
     "ray tracing (ACCELERATION_STRUCTURE)"},
    {HEAD "ACCELERATION_STRUCTURE TOP_LEVEL t\nBOTTOM_LEVEL_INSTANCE b\nFLAGS\nFORCE_OPAQUE\nEND\nTRANSFORM\n1 0 0 "
          "0\nEND\nEND\nEND\n",
     "ray tracing (ACCELERATION_STRUCTURE)"},
    {HEAD "PIPELINE ray_tracing p\nSHADER_GROUP g s\nSHADER_BINDING_TABLE t\ng\nEND\nFLAGS\nLIBRARY\nEND\nEND\nRUN p "
          "RAYGEN t 1 1 1\n",
     "ray tracing (PIPELINE ray_tracing)"},
    {HEAD "DEBUG p 1 1 1\nTHREAD GLOBAL_INVOCATION_ID 1 0 0\nEND\nEND\n", "DEBUG"},
    {IN_PIPELINE("BIND ACCELERATION_STRUCTURE t DESCRIPTOR_SET 0 BINDING 0"),
     "ray tracing (BIND ACCELERATION_STRUCTURE)"},
    {IN_PIPELINE("BIND BUFFER u KERNEL ARG_NAME x"), "BIND to a KERNEL argument, which is for OPENCL-C"},
    {IN_PIPELINE("BIND BUFFER u AS storage KERNEL ARG_NUMBER 1"), "BIND to a KERNEL argument, which is for OPENCL-C"},
    {IN_PIPELINE("SET KERNEL ARG_NAME x AS int32 4"), "SET KERNEL, which is for OPENCL-C"},
    {IN_PIPELINE("SHADER_OPTIMIZATION fs\n--merge-return\nEND"), "SHADER_OPTIMIZATION of a TGSI shader"},
    {IN_PIPELINE("COMPILE_OPTIONS fs\n-x\nEND"), "COMPILE_OPTIONS of a TGSI shader"},
    {IN_PIPELINE("BLEND\nCOLOR_OP hsl_hue\nEND"), "the advanced blend operation 'hsl_hue'"},
    {THINGS "PIPELINE compute p\nATTACH cs SPECIALIZE 1 AS uint32 4\nEND\n", "SPECIALIZE of a TGSI shader"},
    {THINGS "PIPELINE compute p\nATTACH cs ENTRY_POINT other\nEND\n", "ENTRY_POINT 'other' of a TGSI shader"},
};

static void what_weft_does_not_run_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct arena a = {0};
        struct source src = {"test.amber", refusals[i].text, strlen(refusals[i].text)};
        struct script *s = NULL;
        weft_diags *d = weft_diags_new();
        weft_status status = script_parse(&src, &a, &s, d);
        if (status != WEFT_OK || s->nrefusals != 1 || strcmp(s->refusals[0].what, refusals[i].what) != 0) {
            print_message("%s\nwanted: %s\nfound: %s\n", refusals[i].text, refusals[i].what,
                          status != WEFT_OK ? weft_diags_get(d, 0)->message
                          : s->nrefusals    ? s->refusals[0].what
                                            : "none");
            fail();
        }
        assert_int_equal(script_refuse(s, d), WEFT_ERROR_UNSUPPORTED);
        assert_int_equal(weft_diags_errors(d), 1);
        assert_non_null(strstr(weft_diags_get(d, 0)->message, refusals[i].what));
        weft_diags_free(d);
        arena_free(&a);
    }
}

TEST_MAIN(TEST(every_error_says_what_is_wrong), TEST(an_error_has_its_place), TEST(one_place_has_one_error),
          TEST(parsing_goes_on_after_an_error), TEST(what_weft_does_not_run_is_named))
