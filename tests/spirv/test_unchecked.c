/* test_unchecked.c - modules that break rules which only the validator knows: without it, the lift refuses them by name
 * and in no time, and what it does lift satisfies the verifier. Each was found by a fuzzer. */
#include "test.h"

#include "isa/spirv/lift.h"
#include "isa/spirv/spirv.h"
#include "isa/spirv/tools.h"

#include <string.h>

#define HEAD(model, interface) \
    "OpCapability Shader\nOpCapability Tessellation\nOpMemoryModel Logical GLSL450\n" \
    "OpEntryPoint " model " %main \"main\" " interface "\n"
#define TYPES                                                                                                          \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%vec4 = OpTypeVector %float 4\n"         \
    "%uint = OpTypeInt 32 0\n%in = OpTypePointer Input %vec4\n%out = OpTypePointer Output %vec4\n"
#define BODY(line) "%main = OpFunction %void None %fn\n%entry = OpLabel\n" line "OpReturn\nOpFunctionEnd\n"

#define FRAGMENT "OpExecutionMode %main OriginUpperLeft\nOpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n"
#define COMPUTE "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n"
/* A texture, t, its value, s, and its image, i, after numbers of both kinds. */
#define TEXTURE                                                                                                        \
    TYPES "%v2 = OpTypeVector %float 2\n%u2 = OpTypeVector %uint 2\n%zero = OpConstantNull %v2\n"                      \
    "%none = OpConstantNull %u2\n%four = OpConstant %uint 4\n%three = OpConstant %uint 3\n"                            \
    "%offsets = OpTypeArray %u2 %three\n%few = OpConstantNull %offsets\n"                                              \
    "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%type = OpTypeSampledImage %image\n"                              \
    "%pointer = OpTypePointer UniformConstant %type\n%t = OpVariable %pointer UniformConstant\n"
#define SAMPLES(line) TEXTURE BODY("%s = OpLoad %type %t\n%i = OpImage %image %s\n" line)
/* A storage image. */
#define STORAGE(line)                                                                                                  \
    TYPES "%u2 = OpTypeVector %uint 2\n%none = OpConstantNull %u2\n%u4 = OpTypeVector %uint 4\n"                       \
    "%nothing = OpConstantNull %u4\n%zero = OpConstantNull %uint\n%image = OpTypeImage %float 2D 0 0 0 2 R32f\n"       \
    "%pointer = OpTypePointer UniformConstant %image\n%t = OpVariable %pointer UniformConstant\n"                      \
    "%word = OpTypePointer Image %uint\n%to_float = OpTypePointer Image %float\n"                                     \
    "%none_at_all = OpConstantNull %float\n%local = OpTypePointer Function %uint\n" BODY(line)

/* A word, a short and a vector of the workgroup: w, s and v. */
#define ATOMIC(line)                                                                                                   \
    "OpCapability Int16\n" HEAD("GLCompute", "") "OpExecutionMode %main LocalSize 1 1 1\n" TYPES                       \
    "%short = OpTypeInt 16 0\n%zero = OpConstantNull %uint\n%one = OpConstant %uint 1\n"                               \
    "%little = OpConstant %short 1\n"                                                                                 \
    "%zeros = OpConstantNull %vec4\n%wv = OpTypePointer Workgroup %vec4\n%ws = OpTypePointer Workgroup %short\n"      \
    "%v = OpVariable %wv Workgroup\n%s = OpVariable %ws Workgroup\n%local = OpTypePointer Function %uint\n" \
    "%wu = OpTypePointer Workgroup %uint\n%w = OpVariable %wu Workgroup\n" BODY(line)
#define NO_ATOMIC "an atomic of this type, or of this storage class, is not executed"

#define LENGTHS(instruction)                                                                                           \
    "OpCapability Shader\nOpCapability Float64\n%ext = OpExtInstImport \"GLSL.std.450\"\n"                             \
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"   \
    TYPES "%double = OpTypeFloat 64\n%v2 = OpTypeVector %float 2\n%v3 = OpTypeVector %float 3\n"                      \
    "%f = OpConstantNull %float\n%d = OpConstantNull %double\n%zeros2 = OpConstantNull %v2\n"                         \
    "%zeros3 = OpConstantNull %v3\n%n = OpConstantNull %uint\n"                                                       \
    BODY("%x = OpExtInst %float %ext " instruction "\n")
#define NO_PAIR "its operands are of types that do not go together"

/* A compute program of these declarations and this line; `u` is a number of a uniform buffer, `p` of a storage one. */
#define COMPUTES(capabilities, types, line)                                                                            \
    "OpCapability Shader\n" capabilities "%ext = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n" \
    "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 4 1 1\n"                               \
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"                                                  \
    "OpDecorate %u DescriptorSet 0\nOpDecorate %u Binding 0\nOpDecorate %p DescriptorSet 0\nOpDecorate %p Binding 1\n" \
    TYPES "%bool = OpTypeBool\n%yes = OpConstantTrue %bool\n%int = OpTypeInt 32 1\n%zero = OpConstantNull %uint\n" \
    "%one = OpConstant %uint 1\n%three = OpConstant %uint 3\n%half = OpConstant %float 0.5\n"                       \
    "%v2 = OpTypeVector %float 2\n%v3 = OpTypeVector %float 3\n%u2 = OpTypeVector %uint 2\n"                        \
    "%zeros2 = OpConstantNull %v2\n%zeros3 = OpConstantNull %v3\n%pair = OpConstantNull %u2\n"                      \
    "%block = OpTypeStruct %uint\n%up = OpTypePointer Uniform %block\n%pp = OpTypePointer StorageBuffer %block\n"   \
    "%uw = OpTypePointer Uniform %uint\n%pw = OpTypePointer StorageBuffer %uint\n"                                   \
    "%local = OpTypePointer Function %uint\n%u = OpVariable %up Uniform\n%p = OpVariable %pp StorageBuffer\n" types \
    BODY(line)
#define GROUPS "OpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\n"                              \
    "OpCapability GroupNonUniformClustered\nOpCapability GroupNonUniformQuad\n"

/* A fragment program with an input, a, that it has at another place. */
#define INTERPOLATES(types, line)                                                                                    \
    "OpCapability Shader\nOpCapability Float16\nOpCapability StorageInputOutput16\n"                                 \
    "OpCapability InterpolationFunction\n%ext = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"  \
    "OpEntryPoint Fragment %main \"main\" %a\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %a Location 0\n"    \
    TYPES types BODY(line)

/* A number of the storage buffer. */
#define LOADED "%at = OpAccessChain %pw %p %zero\n%i = OpLoad %uint %at\n"

/* The distance of a pointer that is made afterwards. */
#define LATER(chain) \
    COMPUTES("OpCapability Int64\n", "%long = OpTypeInt 64 0\n%huge = OpConstant %long 4294967296\n", \
             "%x = OpPtrDiff %int %y %y\n%y = OpAccessChain %pw " chain "\n")

/* Tables of constants, of which each has many, looked up by a number that is loaded. */
#define EACH_OF_17(m) m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) m(9) m(10) m(11) m(12) m(13) m(14) m(15) m(16) m(17)
#define TABLE(n)      "%t" #n " = OpVariable %mp Private %nulls\n"
#define USES_TABLE(n) "%p" #n " = OpAccessChain %ep %t" #n " %i\n%got" #n " = OpLoad %uint %p" #n "\n"

#define SWITCH(type, value)                                                                                          \
    COMPUTES("", "", "%x = OpCopyObject " type " " value "\nOpSelectionMerge %end None\nOpSwitch %one %end\n"      \
                     "%end = OpLabel\n")

static const struct {
    const char *name, *text, *says;
} cases[] = {
    {"a position of 64 bits",
     HEAD("Vertex", "%p") "OpCapability Float64\nOpDecorate %p BuiltIn Position\n" TYPES
     "%double = OpTypeFloat 64\n%d4 = OpTypeVector %double 4\n%zeros = OpConstantNull %d4\n"
     "%dp = OpTypePointer Output %d4\n%p = OpVariable %dp Output\n" BODY("OpStore %p %zeros\n"),
     "the builtin Position is not executed here"},
    {"an input by location in a compute program",
     HEAD("GLCompute", "%a") "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %a Location 0\n" TYPES
     "%a = OpVariable %in Input\n" BODY("%x = OpLoad %vec4 %a\n"),
     "a compute program has no inputs and outputs but builtin inputs"},
    {"an output by location in a compute program",
     HEAD("GLCompute", "%a") "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %a Location 0\n" TYPES
     "%zero = OpConstantNull %vec4\n%a = OpVariable %out Output\n" BODY("OpStore %a %zero\n"),
     "a compute program has no inputs and outputs but builtin inputs"},
    {"the place of a fragment in a compute program",
     HEAD("GLCompute", "%a") "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %a BuiltIn FragCoord\n" TYPES
     "%a = OpVariable %in Input\n" BODY("%x = OpLoad %vec4 %a\n"),
     "the builtin FragCoord is not executed"},
    {"a size of workgroups with four components",
     HEAD("GLCompute", "%a") "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %a BuiltIn WorkgroupSize\n" TYPES
     "%a = OpVariable %in Input\n" BODY("%x = OpLoad %vec4 %a\n"),
     "the builtin WorkgroupSize is not executed"},
    {"a place in all workgroups with four components",
     HEAD("GLCompute", "%a") "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %a BuiltIn GlobalInvocationId\n" TYPES
     "%u4 = OpTypeVector %uint 4\n%up = OpTypePointer Input %u4\n%a = OpVariable %up Input\n"
     BODY("%x = OpLoad %u4 %a\n"),
     "the builtin GlobalInvocationId is not executed"},
    {"an array of 2^31 inputs",
     HEAD("TessellationEvaluation", "%a") "OpExecutionMode %main Triangles\nOpDecorate %a Location 0\n" TYPES
     "%n = OpConstant %uint 2139095040\n%arr = OpTypeArray %vec4 %n\n%arrp = OpTypePointer Input %arr\n"
     "%a = OpVariable %arrp Input\n" BODY("%at = OpAccessChain %in %a %n\n%x = OpLoad %vec4 %at\n"),
     "an input or output has more than 4096 parts"},
    {"a lookup at integers",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageSampleImplicitLod %vec4 %s %none\n"),
     "the coordinate is not of 2 floats"},
    {"a fetch at floats", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageFetch %vec4 %i %zero\n"),
     "the coordinate is not of 2 integers"},
    {"a lookup at one number", HEAD("Fragment", "") FRAGMENT SAMPLES("%f = OpCompositeExtract %float %zero 0\n"
                                                                    "%x = OpImageSampleImplicitLod %vec4 %s %f\n"),
     "the coordinate is not of 2 floats"},
    {"a lookup that gives halves",
     "OpCapability Float16\n" HEAD("Fragment", "") FRAGMENT TEXTURE "%half = OpTypeFloat 16\n"
     "%h4 = OpTypeVector %half 4\n"
     BODY("%s = OpLoad %type %t\n%x = OpImageSampleImplicitLod %h4 %s %zero\n"),
     "the type of its result is not what its operands make"},
    {"a lookup in a number",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageSampleImplicitLod %vec4 %zero %zero\n"),
     "is not an image"},
    {"a gather of a fifth component",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageGather %vec4 %s %zero %four\n"),
     "the component is not a constant from 0 to 3"},
    {"a gather at three offsets",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageGather %vec4 %s %zero %three ConstOffsets %few\n"),
     "its offsets are not four vectors of 2 integers"},
    {"a gather at offsets that are floats",
     HEAD("Fragment", "") FRAGMENT TEXTURE "%n = OpConstant %uint 4\n%places = OpTypeArray %v2 %n\n"
     "%all = OpConstantNull %places\n"
     BODY("%s = OpLoad %type %t\n%x = OpImageGather %vec4 %s %zero %three ConstOffsets %all\n"),
     "its offsets are not four vectors of 2 integers"},
    {"a reference that is an integer",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageSampleDrefImplicitLod %float %s %zero %four\n"),
     "the coordinate is not of 1 floats"},
    {"integers stored in an image of floats",
     HEAD("GLCompute", "") COMPUTE STORAGE("%i = OpLoad %image %t\nOpImageWrite %i %none %nothing\n"),
     "the texel is not of the image's type"},
    {"a texel of what is not an image",
     HEAD("GLCompute", "") COMPUTE STORAGE("%l = OpVariable %local Function\n"
                                           "%x = OpImageTexelPointer %word %l %none %zero\n"),
     "its operand is not an image"},
    {"a texel of 32 bits taken for one of 64",
     "OpCapability Int64\nOpCapability Int64Atomics\n" HEAD("GLCompute", "") COMPUTE "%long = OpTypeInt 64 0\n"
     "%wide = OpConstantNull %long\n%there = OpTypePointer Image %long\n"
     STORAGE("%x = OpImageTexelPointer %there %t %none %zero\nOpAtomicStore %x %zero %zero %wide\n"),
     "the texel is not of the image's type"},
    {"a workgroup of no invocations",
     HEAD("GLCompute", "") "OpExecutionMode %main LocalSize 0 1 1\n" TYPES BODY(""),
     "a workgroup has 1 to 1024 invocations in each dimension"},
    {"a workgroup of 2048 in a row", HEAD("GLCompute", "") "OpExecutionMode %main LocalSize 1 2048 1\n" TYPES BODY(""),
     "a workgroup has 1 to 1024 invocations in each dimension"},
    {"a patch of 260 vertices",
     HEAD("TessellationControl", "") "OpExecutionMode %main OutputVertices 260\n" TYPES BODY(""),
     "260 vertices of a patch: there are 1 to 32"},
    {"65540 vertices", "OpCapability Geometry\n" HEAD("Geometry", "") "OpExecutionMode %main OutputVertices 65540\n"
     TYPES BODY(""), "65540 vertices at most: there are 0 to 65535"},
    {"65537 invocations", "OpCapability Geometry\n" HEAD("Geometry", "") "OpExecutionMode %main Invocations 65537\n"
     TYPES BODY(""), "65537 invocations for each primitive: there are 1 to 65535"},
    {"a workgroup of a type's size",
     HEAD("GLCompute", "") "OpExecutionModeId %main LocalSizeId %uint %uint %uint\n" TYPES BODY(""),
     "a size of the workgroup is not a constant"},
    {"floats of 8 bits that are rounded",
     HEAD("GLCompute", "") "OpExecutionMode %main RoundingModeRTZ 8\n" TYPES BODY(""),
     "floats have 16, 32 or 64 bits, not 8"},
    {"a mode that is not executed",
     HEAD("Fragment", "") "OpExecutionMode %main ShadingRateInterlockOrderedEXT\n" TYPES BODY(""),
     "the execution mode ShadingRateInterlockOrderedEXT is not executed"},
    {"the negative of a structure of an integer and a truth value",
     HEAD("GLCompute", "") "OpExecutionMode %main LocalSize 1 1 1\n" TYPES
     "%bool = OpTypeBool\n%both = OpTypeStruct %uint %bool\n%zeros = OpConstantNull %both\n"
     BODY("%x = OpSNegate %both %zeros\n"),
     "is not of numbers of one type"},
    {"an atomic on a variable of a function",
     ATOMIC("%l = OpVariable %local Function\n%x = OpAtomicIAdd %uint %l %one %zero %one\n"), NO_ATOMIC},
    {"an atomic on 16 bits", ATOMIC("%x = OpAtomicIAdd %short %s %one %zero %little\n"), NO_ATOMIC},
    {"an atomic on a vector", ATOMIC("%x = OpAtomicExchange %vec4 %v %one %zero %zeros\n"), NO_ATOMIC},
    {"the distance of a point in two dimensions from one in three", LENGTHS("Distance %zeros2 %zeros3"), NO_PAIR},
    {"the distance of a point in three dimensions from one in two", LENGTHS("Distance %zeros3 %zeros2"), NO_PAIR},
    {"the distance of a float from a double", LENGTHS("Distance %f %d"), NO_PAIR},
    {"the distance of a float from an integer", LENGTHS("Distance %f %n"), "its operands are not floats"},
    {"the distance of an integer from a float", LENGTHS("Distance %n %f"), "its operands are not floats"},
    /* What a line or a type cannot be. */
    {"a store into a uniform buffer",
     COMPUTES("", "", "%at = OpAccessChain %uw %u %zero\nOpStore %at %one\n"), "a store into a uniform buffer"},
    {"a float stored where an integer is",
     COMPUTES("", "", "%at = OpAccessChain %pw %p %zero\nOpStore %at %half\n"),
     "what is stored is of another type than what the pointer leads to"},
    {"a member that a structure does not have",
     COMPUTES("", "", "%at = OpAccessChain %pw %p %one\nOpStore %at %one\n"),
     "an index goes into what has no parts, or not that many"},
    {"a part of a number", COMPUTES("", "", "%at = OpAccessChain %pw %p %zero %zero\nOpStore %at %one\n"),
     "an index goes into what has no parts, or not that many"},
    {"the length of a number", COMPUTES("", "", "%x = OpArrayLength %uint %p 1\n"),
     "it asks for the length of what is not an array at the end of a buffer"},
    {"a part of a number in a register, chosen at run time",
     COMPUTES("", "", "%v = OpVariable %local Function\n%at = OpAccessChain %pw %p %zero\n%i = OpLoad %uint %at\n"
                      "%x = OpAccessChain %local %v %i\nOpStore %x %one\n"),
     "an index goes into what has no parts, or not that many"},
    {"a member in a register, chosen at run time",
     COMPUTES("", "%bp = OpTypePointer Function %block\n",
              "%v = OpVariable %bp Function\n%at = OpAccessChain %pw %p %zero\n%i = OpLoad %uint %at\n"
              "%x = OpAccessChain %local %v %i\nOpStore %x %one\n"),
     "an index goes into what has no parts, or not that many"},
    {"more registers than there are",
     COMPUTES("", "%n = OpConstant %uint 600000\n%many = OpTypeArray %uint %n\n%mp = OpTypePointer Private %many\n"
                  "%ep = OpTypePointer Private %uint\n%m = OpVariable %mp Private\n%m2 = OpVariable %mp Private\n",
              "%at = OpAccessChain %ep %m %one\nOpStore %at %one\n%at2 = OpAccessChain %ep %m2 %one\n"
              "OpStore %at2 %one\n"),
     "the variables and values need more than 1048576 registers"},
    {"a variable whose type is a number", COMPUTES("", "%w = OpVariable %uint Private\n", ""),
     "the type of a variable is not a pointer"},
    {"two megabytes of workgroup memory",
     COMPUTES("", "%n = OpConstant %uint 524288\n%many = OpTypeArray %uint %n\n%wp = OpTypePointer Workgroup %many\n"
              "%w = OpVariable %wp Workgroup\n", ""),
     "more than 1 MiB of workgroup memory"},
    {"a vector of 17 numbers", COMPUTES("", "%v17 = OpTypeVector %uint 17\n", ""),
     "a vector has 2 to 16 numbers or Booleans"},
    {"a vector of vectors", COMPUTES("", "%vv = OpTypeVector %block 2\n", ""),
     "a vector has 2 to 16 numbers or Booleans"},
    {"a matrix of numbers", COMPUTES("", "%m = OpTypeMatrix %float 2\n", ""),
     "a matrix has 2 to 4 columns that are vectors"},
    {"a matrix of five columns", COMPUTES("", "%m = OpTypeMatrix %v2 5\n", ""),
     "a matrix has 2 to 4 columns that are vectors"},
    {"an array of no elements", COMPUTES("", "%none = OpTypeArray %uint %zero\n", ""),
     "the length of an array is not a constant from 1 on"},
    {"an array whose length is two numbers",
     COMPUTES("", "%ones = OpConstantComposite %u2 %one %one\n%none = OpTypeArray %uint %ones\n", ""),
     "the length of an array is not a constant from 1 on"},
    {"an array whose length is a type", COMPUTES("", "%none = OpTypeArray %uint %float\n", ""),
     "the length of an array is not a constant from 1 on"},
    {"integers of 128 bits", COMPUTES("", "%wide = OpTypeInt 128 0\n", ""), "there are no integers of 128 bits"},
    {"a constant that is a vector", COMPUTES("", "%c = OpConstantComposite %u2 %one %one %one\n", ""),
     "its constituents are more than the type has"},
    {"a constituent of another type", COMPUTES("", "%c = OpConstantComposite %u2 %one %half\n", ""),
     "the type of its result is not what its operands make"},
    {"an insertion of another type", COMPUTES("", "", "%x = OpCompositeInsert %u2 %half %pair 0\n"),
     "the type of its result is not what its operands make"},
    {"an insertion of two numbers for one", COMPUTES("", "", "%x = OpCompositeInsert %u2 %pair %pair 0\n"),
     "what is inserted is of another type than the part"},
    {"any of numbers", COMPUTES("", "", "%x = OpAny %bool %pair\n"), "its operand is not of Booleans"},
    {"a float taken for an integer", COMPUTES("", "", "%x = OpUConvert %uint %half\n"),
     "its operand or result is not of integers"},
    {"two words taken for one", COMPUTES("", "", "%x = OpBitcast %uint %zeros2\n"),
     "its operand has not as many bits as its result, or is not of numbers"},
    {"integers rounded to halves", COMPUTES("", "", "%x = OpQuantizeToF16 %uint %one\n"),
     "its operand is not of floats of 32 bits"},
    {"the derivative of an integer", COMPUTES("", "", "%x = OpDPdx %uint %one\n"),
     "its operand is not of floats of 32 bits"},
    {"the cross product in two dimensions", COMPUTES("", "", "%x = OpExtInst %v2 %ext Cross %zeros2 %zeros2\n"),
     "Cross takes vectors of three"},
    {"the length of integers", COMPUTES("", "", "%x = OpExtInst %float %ext Length %pair\n"),
     "its operands are not floats"},
    {"the determinant of a vector", COMPUTES("", "", "%x = OpExtInst %float %ext Determinant %zeros3\n"),
     "the matrix is not square"},
    {"a fraction whose exponent goes to a float",
     COMPUTES("", "%fp = OpTypePointer Private %float\n%f = OpVariable %fp Private\n",
              "%x = OpExtInst %float %ext Frexp %half %f\n"),
     "the pointer does not lead to what is stored"},
    {"an atomic of floats that adds integers",
     COMPUTES("", "%fp = OpTypePointer Workgroup %float\n%f = OpVariable %fp Workgroup\n",
              "%x = OpAtomicIAdd %float %f %one %zero %half\n"),
     "an atomic of this type is not executed"},
    {"a barrier of a scope that is no constant", COMPUTES("", "", "OpControlBarrier %float %one %zero\n"),
     "the scope is not a constant"},
    {"a sum of floats as of integers", COMPUTES(GROUPS, "", "%x = OpGroupNonUniformIAdd %float %three Reduce %half\n"),
     "its operand is of a type that it does not take"},
    {"a sum over a workgroup", COMPUTES(GROUPS, "%two = OpConstant %uint 2\n",
                                        "%x = OpGroupNonUniformIAdd %uint %two Reduce %one\n"),
     "lanes of a subgroup work together, those of a greater scope do not"},
    {"clusters of three",
     COMPUTES(GROUPS, "", "%x = OpGroupNonUniformIAdd %uint %three ClusteredReduce %one %three\n"),
     "the size of a cluster is not a constant power of two"},
    {"clusters of none",
     COMPUTES(GROUPS, "", "%x = OpGroupNonUniformIAdd %uint %three ClusteredReduce %one %zero\n"),
     "the size of a cluster is not a constant power of two"},
    {"clusters of no size", COMPUTES(GROUPS, "", "%x = OpGroupNonUniformIAdd %uint %three ClusteredReduce %one\n"),
     "the size of its clusters or its partition is missing"},
    {"a swap in a fourth direction", COMPUTES(GROUPS, "", "%x = OpGroupNonUniformQuadSwap %uint %three %one %three\n"),
     "the direction is not a constant from 0 to 2"},
    {"an entry point that returns a number", COMPUTES("", "", "OpReturnValue %one\n%after = OpLabel\n"),
     "an entry point returns nothing"},
    {"what is interpolated outside of a fragment program",
     COMPUTES("OpCapability InterpolationFunction\n", "", "%l = OpVariable %local Function\n"
              "%x = OpExtInst %uint %ext InterpolateAtCentroid %l\n"),
     "what is interpolated is an input of a fragment program"},
    {"an input of a patch that is stored into",
     HEAD("TessellationEvaluation", "%a") "OpExecutionMode %main Triangles\nOpDecorate %a Location 0\n" TYPES
     "%n = OpConstant %uint 3\n%arr = OpTypeArray %vec4 %n\n%arrp = OpTypePointer Input %arr\n"
     "%zero = OpConstantNull %vec4\n%first = OpConstantNull %uint\n%a = OpVariable %arrp Input\n"
     BODY("%at = OpAccessChain %in %a %first\nOpStore %at %zero\n"),
     "an input is not stored into"},
    {"a colour of doubles",
     "OpCapability Float64\n" HEAD("Fragment", "%a") "OpExecutionMode %main OriginUpperLeft\nOpDecorate %a Location 0\n"
     TYPES "%double = OpTypeFloat 64\n%dp = OpTypePointer Output %double\n%a = OpVariable %dp Output\n"
     "%zero = OpConstantNull %double\n" BODY("OpStore %a %zero\n"),
     "colours of 64 bits are not executed"},
    /* Functions, and instructions whose operands do not go together. */
    {"a function that calls itself",
     COMPUTES("", "", "%x = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n"
              "%f = OpFunction %void None %fn\n%first = OpLabel\n%y = OpFunctionCall %void %f\n"),
     "the function calls itself, or calls are too deep"},
    {"a call with an operand that the function does not take",
     COMPUTES("", "", "%x = OpFunctionCall %void %f %one\nOpReturn\nOpFunctionEnd\n"
              "%f = OpFunction %void None %fn\n%first = OpLabel\n"),
     "is not a function of 1 parameters"},
    {"a call of a number", COMPUTES("", "", "%x = OpFunctionCall %void %one\n"), "is not a function of 0 parameters"},
    {"a function that returns another type",
     COMPUTES("", "%gives = OpTypeFunction %uint\n", "%x = OpFunctionCall %uint %f\nOpReturn\nOpFunctionEnd\n"
              "%f = OpFunction %uint None %gives\n%first = OpLabel\nOpReturnValue %pair\nOpFunctionEnd\n"
              "%g = OpFunction %void None %fn\n%second = OpLabel\n"),
     "the type of its result is not what its operands make"},
    {"a phi of two numbers that takes one",
     COMPUTES("", "", "OpBranch %next\n%next = OpLabel\n%x = OpPhi %u2 %one %entry\n"),
     "a phi takes"},
    {"a block that does not end", COMPUTES("", "", "OpBranch %next\n%next = OpLabel\n%x = OpIAdd %uint %one %one\n"
                                           "%last = OpLabel\n"),
     "the block before it has no end"},
    {"an instruction between blocks", COMPUTES("", "", "OpReturn\n%x = OpIAdd %uint %one %one\n%last = OpLabel\n"),
     "it is not in a block"},
    {"a branch to a number", COMPUTES("", "", "OpBranch %one\n%last = OpLabel\n"),
     "a branch goes to what is not a block of the function"},
    {"a number stored into a texture",
     HEAD("Fragment", "") FRAGMENT SAMPLES("OpStore %t %zero\n"), "nothing can be stored there"},
    {"a texture that is copied", HEAD("Fragment", "") FRAGMENT SAMPLES("OpCopyMemory %t %t\n"),
     "what is copied is not memory"},
    {"a shift by two counts", COMPUTES("", "", "%x = OpShiftLeftLogical %uint %one %pair\n"),
     "its operands are of sizes that do not go together"},
    {"a shift of a float", COMPUTES("", "", "%x = OpShiftLeftLogical %float %half %one\n"),
     "its operands are not integers"},
    {"bits of a float put in", COMPUTES("", "", "%x = OpBitFieldInsert %uint %one %half %zero %one\n"),
     "its operands are not integers"},
    {"two fields put into one", COMPUTES("", "", "%x = OpBitFieldInsert %uint %one %pair %zero %one\n"),
     "its operands are of types that do not go together"},
    {"a count of bits that is a float", COMPUTES("", "", "%x = OpBitCount %float %half\n"), "integers"},
    {"a float times two powers", COMPUTES("", "", "%x = OpExtInst %float %ext Ldexp %half %pair\n"),
     "its operands are of types that do not go together"},
    {"a float times a power that is a float", COMPUTES("", "", "%x = OpExtInst %float %ext Ldexp %half %half\n"),
     "its operands are of types that do not go together"},
    {"vectors of two sizes that are reflected", COMPUTES("", "", "%x = OpExtInst %v2 %ext Reflect %zeros2 %zeros3\n"),
     NO_PAIR},
    {"a refraction of vectors of two sizes",
     COMPUTES("", "", "%x = OpExtInst %v2 %ext Refract %zeros2 %zeros3 %half\n"), NO_PAIR},
    {"a vector times a matrix of another height",
     COMPUTES("", "%m2 = OpTypeMatrix %v2 2\n%zm = OpConstantNull %m2\n", "%x = OpVectorTimesMatrix %v2 %zeros3 %zm\n"),
     "its operands are of sizes that do not go together"},
    {"integers times a matrix",
     COMPUTES("", "%m2 = OpTypeMatrix %v2 2\n%zm = OpConstantNull %m2\n", "%x = OpVectorTimesMatrix %v2 %pair %zm\n"),
     "its operands are of types that it does not take"},
    {"a float packed as four bytes", COMPUTES("", "", "%x = OpExtInst %uint %ext PackUnorm4x8 %zeros2\n"),
     "is not 4 of f32"},
    {"an extraction of a part that is not there", COMPUTES("", "", "%x = OpCompositeExtract %uint %pair 2\n"),
     "an index goes into what has no parts, or not that many"},
    {"a choice by a number", COMPUTES("", "", "%x = OpSelect %uint %one %one %zero\n"),
     "its operands are of types that do not go together"},
    {"a sum of an integer and a float", COMPUTES("", "", "%x = OpIAdd %uint %one %half\n"),
     "its operands are of types that it does not take"},
    {"a sum of two and of three", COMPUTES("", "", "%x = OpFAdd %v2 %zeros2 %zeros3\n"),
     "its operands are of types that it does not take"},
    {"a comparison whose result is a number", COMPUTES("", "", "%x = OpIEqual %uint %one %one\n"),
     "the type of its result is not what its operands make"},
    {"a dot product of two and three", COMPUTES("", "", "%x = OpDot %float %zeros2 %zeros3\n"),
     "its operands are of sizes that do not go together"},
    {"a vector times a vector", COMPUTES("", "", "%x = OpVectorTimesScalar %v2 %zeros2 %zeros2\n"),
     "its operands are of types that it does not take"},
    {"a matrix of columns times three numbers",
     COMPUTES("", "%m = OpTypeMatrix %v2 2\n%id = OpConstantNull %m\n", "%x = OpMatrixTimesVector %v2 %id %zeros3\n"),
     "its operands are of sizes that do not go together"},
    {"a shuffle of a part beyond", COMPUTES("", "", "%x = OpVectorShuffle %v2 %zeros2 %zeros2 0 9\n"),
     "component 9: the two vectors have 4"},
    {"a load of another type", COMPUTES("", "", "%at = OpAccessChain %pw %p %zero\n%x = OpLoad %float %at\n"),
     "the type of its result is not what its operands make"},
    {"a load of a number", COMPUTES("", "", "%x = OpLoad %uint %one\n"), "is not a pointer"},
    {"a ballot of a number", COMPUTES(GROUPS "OpCapability GroupNonUniformBallot\n", "%u4 = OpTypeVector %uint 4\n",
              "%x = OpGroupNonUniformBallot %u4 %three %one\n"), "is not 1 of i1"},
    {"a broadcast of a lane that is a float", COMPUTES(GROUPS "OpCapability GroupNonUniformBallot\n", "",
              "%x = OpGroupNonUniformBroadcast %uint %three %one %half\n"), "is not an integer"},
    {"an all of a number",
     COMPUTES("OpCapability GroupNonUniformVote\n", "", "%x = OpGroupNonUniformAll %bool %three %one\n"),
     "is not 1 of i1"},
    /* Each instruction with what it does not take. */
    {"a variable of a storage class that is not there, chosen at run time",
     COMPUTES("", "%gp = OpTypePointer CrossWorkgroup %uint\n%g = OpVariable %gp CrossWorkgroup\n",
              "%x = OpSelect %gp %yes %g %g\n"),
     "the storage class CrossWorkgroup is not executed"},
    {"an event in a variable",
     COMPUTES("", "%event = OpTypeEvent\n%ep = OpTypePointer Private %event\n%e = OpVariable %ep Private\n",
              "%x = OpLoad %event %e\n"),
     "is of a type that is not executed in this storage class"},
    {"an event in memory",
     COMPUTES("", "%event = OpTypeEvent\n%ep = OpTypePointer Workgroup %event\n%e = OpVariable %ep Workgroup\n",
              "%x = OpLoad %event %e\n"),
     "a value of this type is not executed"},
    {"nothing stored where an array without end is",
     COMPUTES("", "%none = OpTypeStruct\n%nothing = OpConstantNull %none\n%many = OpTypeRuntimeArray %uint\n"
              "%wp = OpTypePointer Workgroup %many\n%w = OpVariable %wp Workgroup\n", "OpStore %w %nothing\n"),
     "a value of this type is not executed"},
    {"a forward pointer that becomes an event",
     COMPUTES("", "OpTypeForwardPointer %fp PhysicalStorageBuffer\n%holds = OpTypeStruct %fp\n%fp = OpTypeEvent\n", ""),
     "it was declared as another type before"},
    {"a forward pointer of another storage class",
     COMPUTES("", "OpTypeForwardPointer %fp PhysicalStorageBuffer\n%holds = OpTypeStruct %fp\n"
              "%fp = OpTypePointer Function %uint\n", ""),
     "it was declared as another type before"},
    {"a constant that is a sampler",
     COMPUTES("", "%sampler = OpTypeSampler\n%s = OpConstantSampler %sampler None 0 Nearest\n", ""),
     "it is not executed"},
    {"a module without an entry point", "OpCapability Shader\nOpMemoryModel Logical GLSL450\n" TYPES BODY(""),
     "the module has no entry point that weft can run"},
    {"the modulo of floats", COMPUTES("", "", "%x = OpSMod %float %half %half\n"),
     "its operands are of types that it does not take"},
    {"the carry of floats", COMPUTES("", "%both = OpTypeStruct %float %float\n",
                                     "%x = OpIAddCarry %both %half %half\n"),
     "its operands are of types that it does not take"},
    {"the outer product of integers",
     COMPUTES("", "%m2 = OpTypeMatrix %v2 2\n", "%x = OpOuterProduct %m2 %pair %pair\n"),
     "its operands are of types that it does not take"},
    {"a vector that is transposed", COMPUTES("", "", "%x = OpTranspose %v2 %zeros2\n"),
     "its operands are of sizes that do not go together"},
    {"the derivative of a half",
     COMPUTES("OpCapability Float16\n", "%short = OpTypeFloat 16\n%h = OpConstantNull %short\n",
              "%x = OpDPdx %short %h\n"),
     "its operand is not of floats of 32 bits"},
    {"a float that is incremented",
     COMPUTES("", "%fp = OpTypePointer Workgroup %float\n%f = OpVariable %fp Workgroup\n",
              "%x = OpAtomicIIncrement %float %f %one %zero\n"),
     "an atomic of this type is not executed"},
    {"a half that is incremented",
     COMPUTES("OpCapability Float16\n",
              "%short = OpTypeFloat 16\n%hp = OpTypePointer Workgroup %short\n%h = OpVariable %hp Workgroup\n",
              "%x = OpAtomicIIncrement %short %h %one %zero\n"),
     "an atomic of this type is not executed"},
    {"a number of a function that is incremented",
     ATOMIC("%l = OpVariable %local Function\n%x = OpAtomicIDecrement %uint %l %one %zero\n"), NO_ATOMIC},
    {"a number of a function that is compared",
     ATOMIC("%l = OpVariable %local Function\n%x = OpAtomicCompareExchange %uint %l %one %zero %zero %one %one\n"),
     NO_ATOMIC},
    {"an atomic load from a function",
     ATOMIC("%l = OpVariable %local Function\n%x = OpAtomicLoad %uint %l %one %zero\n"), NO_ATOMIC},
    {"an atomic store into a function", ATOMIC("%l = OpVariable %local Function\nOpAtomicStore %l %one %zero %one\n"),
     NO_ATOMIC},
    {"a part of a vector chosen by a float", COMPUTES("", "", "%x = OpVectorExtractDynamic %uint %pair %half\n"),
     "is not an integer"},
    {"a part of a vector that becomes a float",
     COMPUTES("", "", "%x = OpVectorInsertDynamic %u2 %pair %half %one\n"), "is not 1 of i32"},
    {"a part of a vector put in where a float says",
     COMPUTES("", "", "%x = OpVectorInsertDynamic %u2 %pair %one %half\n"), "is not an integer"},
    {"bits of a float taken out", COMPUTES("", "", "%x = OpBitFieldUExtract %float %half %zero %one\n"),
     "its operands are not integers"},
    {"bits taken from where a float says", COMPUTES("", "", "%x = OpBitFieldUExtract %uint %one %half %one\n"),
     "is not an integer"},
    {"bits that are counted as a float", COMPUTES("", "", "%x = OpBitCount %float %one\n"),
     "its result is not of integers"},
    {"a dot product with a function", COMPUTES("", "", "%x = OpUDot %uint %pair %main\n"), "has no value here"},
    {"a dot product of integers and floats", COMPUTES("", "", "%x = OpUDot %uint %pair %zeros2\n"),
     "its operands are of types that it does not take"},
    {"a dot product of floats as of integers", COMPUTES("", "", "%x = OpUDot %uint %zeros2 %zeros2\n"),
     "its operands are of types that it does not take"},
    {"a dot product of integers that is a float", COMPUTES("", "", "%x = OpUDot %float %pair %pair\n"),
     "its operands are of types that it does not take"},
    {"a dot product of two integers and of three",
     COMPUTES("", "%u3 = OpTypeVector %uint 3\n%triple = OpConstantNull %u3\n", "%x = OpUDot %uint %pair %triple\n"),
     "its operands are of types that it does not take"},
    {"a dot product narrower than its operands",
     COMPUTES("OpCapability Int16\n", "%short = OpTypeInt 16 0\n", "%x = OpUDot %short %pair %pair\n"),
     "its operands are of types that it does not take"},
    {"a dot product of bytes in 16 bits",
     COMPUTES("OpCapability Int16\n", "%short = OpTypeInt 16 0\n%s = OpConstant %short 1\n",
              "%x = OpUDot %uint %s %s PackedVectorFormat4x8Bit\n"),
     "its operands are of types that it does not take"},
    {"a dot product that is added to a float", COMPUTES("", "", "%x = OpUDotAccSat %uint %pair %pair %half\n"),
     "is not 1 of i32"},
    {"the least of a number and of two", COMPUTES("", "", "%x = OpExtInst %float %ext FMin %half %zeros2\n"),
     "FMin: its operands are of types that do not go together"},
    {"the least of a float and an integer", COMPUTES("", "", "%x = OpExtInst %float %ext FMin %half %one\n"),
     "FMin: its operands are of types that do not go together"},
    {"the exponential of a double",
     COMPUTES("OpCapability Float64\n", "%double = OpTypeFloat 64\n%d = OpConstantNull %double\n",
              "%x = OpExtInst %double %ext Exp %d\n"),
     "Exp of such operands is not executed"},
    {"the exponential of an integer", COMPUTES("", "", "%x = OpExtInst %uint %ext Exp %one\n"),
     "Exp of such operands is not executed"},
    {"the sign of a float as of an integer", COMPUTES("", "", "%x = OpExtInst %float %ext SSign %half\n"),
     "SSign of such operands is not executed"},
    {"the least integer of floats", COMPUTES("", "", "%x = OpExtInst %float %ext UMin %half %half\n"),
     "UMin of such operands is not executed"},
    {"the least of truth values", COMPUTES("", "", "%x = OpExtInst %bool %ext UMin %yes %yes\n"),
     "UMin of such operands is not executed"},
    {"integers that are mixed", COMPUTES("", "", "%x = OpExtInst %uint %ext IMix %one %one %one\n"),
     "IMix is not executed"},
    {"a face of two dimensions turned to one in three",
     COMPUTES("", "", "%x = OpExtInst %v2 %ext FaceForward %zeros2 %zeros3 %zeros3\n"),
     "its operands are of types that do not go together"},
    {"a refraction by an integer", COMPUTES("", "", "%x = OpExtInst %v2 %ext Refract %zeros2 %zeros2 %one\n"),
     "is not 1 of f32"},
    {"a double of two floats",
     COMPUTES("OpCapability Float64\n", "%double = OpTypeFloat 64\n",
              "%x = OpExtInst %double %ext PackDouble2x32 %zeros2\n"),
     "is not 2 of i32"},
    {"the inverse of a matrix of five", COMPUTES("", "%v5 = OpTypeVector %float 5\n%five = OpTypeMatrix %v5 2\n"
              "%zm = OpConstantNull %five\n", "%x = OpExtInst %five %ext MatrixInverse %zm\n"),
     "the matrix is not square"},
    {"an instruction of kernels", COMPUTES("", "%l8 = OpTypePointer Function %uint\n",
                                           "%l = OpVariable %local Function\nOpLifetimeStart %l 0\n"),
     "the instruction is not executed"},
    {"an entry point with a parameter",
     "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
     "OpExecutionMode %main LocalSize 1 1 1\n" TYPES "%takes = OpTypeFunction %void %uint\n"
     "%main = OpFunction %void None %takes\n%a = OpFunctionParameter %uint\n%entry = OpLabel\nOpReturn\n"
     "OpFunctionEnd\n",
     "an entry point has no parameters"},
    {"whether lanes have the same function",
     COMPUTES("OpCapability GroupNonUniformVote\n", "", "%x = OpGroupNonUniformAllEqual %bool %three %main\n"),
     "has no value here"},
    {"a partition by a function",
     COMPUTES("OpCapability GroupNonUniformPartitionedNV\n", "%u4 = OpTypeVector %uint 4\n",
              "%x = OpGroupNonUniformPartitionNV %u4 %main\n"),
     "has no value here"},
    {"a partition by one number",
     COMPUTES("OpCapability GroupNonUniformPartitionedNV\n", "",
              "%x = OpGroupNonUniformIAdd %uint %three PartitionedReduceNV %one %one\n"),
     "is not 4 of i32"},
    {"a rotation by a float",
     COMPUTES("OpCapability GroupNonUniformRotateKHR\n", "",
              "%x = OpGroupNonUniformRotateKHR %uint %three %one %half\n"),
     "is not an integer"},
    {"a rotation in clusters of three",
     COMPUTES("OpCapability GroupNonUniformRotateKHR\n", "",
              "%x = OpGroupNonUniformRotateKHR %uint %three %one %one %three\n"),
     "the size of a cluster is not a constant power of two"},
    {"a shuffle by a float", COMPUTES("OpCapability GroupNonUniformShuffle\n", "",
                                      "%x = OpGroupNonUniformShuffle %uint %three %one %half\n"),
     "is not an integer"},
    {"a broadcast in a square by a float",
     COMPUTES(GROUPS, "", "%x = OpGroupNonUniformQuadBroadcast %uint %three %one %half\n"), "is not an integer"},
    {"a broadcast over a workgroup",
     COMPUTES(GROUPS "OpCapability GroupNonUniformBallot\n", "%two = OpConstant %uint 2\n",
              "%x = OpGroupNonUniformBroadcast %uint %two %one %zero\n"),
     "lanes of a subgroup work together"},
    {"a vote over a workgroup",
     COMPUTES("OpCapability GroupNonUniformVote\n", "%two = OpConstant %uint 2\n",
              "%x = OpGroupNonUniformAny %bool %two %yes\n"),
     "lanes of a subgroup work together"},
    {"a count of lanes in clusters",
     COMPUTES(GROUPS "OpCapability GroupNonUniformBallot\n", "%u4 = OpTypeVector %uint 4\n%set = OpConstantNull %u4\n",
              "%x = OpGroupNonUniformBallotBitCount %uint %three ClusteredReduce %set\n"),
     "this group operation is not executed"},
    {"the first lane of one number",
     COMPUTES(GROUPS "OpCapability GroupNonUniformBallot\n", "",
              "%x = OpGroupNonUniformBallotFindLSB %uint %three %one\n"),
     "is not 4 of i32"},
    {"whether a lane is in one number",
     COMPUTES(GROUPS "OpCapability GroupNonUniformBallot\n", "",
              "%x = OpGroupNonUniformInverseBallot %bool %three %one\n"),
     "is not 4 of i32"},
    {"whether a lane that a float says is in a set",
     COMPUTES(GROUPS "OpCapability GroupNonUniformBallot\n", "%u4 = OpTypeVector %uint 4\n%set = OpConstantNull %u4\n",
              "%x = OpGroupNonUniformBallotBitExtract %bool %three %set %half\n"),
     "is not an integer"},
    {"the image of a number", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImage %image %zero\n"),
     "is not an image or a sampler"},
    {"levels of a number", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageQueryLevels %uint %zero\n"),
     "is not an image"},
    {"samples of a number", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageQuerySamples %uint %zero\n"),
     "is not an image"},
    {"the size of a number", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageQuerySize %u2 %zero\n"),
     "is not an image"},
    {"the size of a level that is a float",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%f = OpCompositeExtract %float %zero 0\n"
                                          "%x = OpImageQuerySizeLod %u2 %i %f\n"),
     "the coordinate is not of 1 integers"},
    {"the level of a number", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageQueryLod %v2 %zero %zero\n"),
     "is not an image"},
    {"the level at integers", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageQueryLod %v2 %s %none\n"),
     "the coordinate is not of 2 floats"},
    {"a lookup at a level that is an integer",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageSampleExplicitLod %vec4 %s %zero Lod %four\n"),
     "the coordinate is not of 1 floats"},
    {"a fetch of a level that is a float",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%f = OpCompositeExtract %float %zero 0\n"
                                          "%x = OpImageFetch %vec4 %i %none Lod %f\n"),
     "the coordinate is not of 1 integers"},
    {"a fetch from a number", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageFetch %vec4 %zero %none\n"),
     "is not an image"},
    {"a gather in a number", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageGather %vec4 %zero %zero %three\n"),
     "is not an image"},
    {"a gather at integers", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageGather %vec4 %s %none %three\n"),
     "the coordinate is not of 2 floats"},
    {"a gather of a component that is a float",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%f = OpCompositeExtract %float %zero 0\n"
                                          "%x = OpImageGather %vec4 %s %zero %f\n"),
     "the component is not a constant from 0 to 3"},
    {"a gather whose reference is an integer",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageDrefGather %vec4 %s %zero %four\n"),
     "the coordinate is not of 1 floats"},
    {"a texture without a sampler", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpSampledImage %type %i %zero\n"),
     "is not an image or a sampler"},
    {"a sampler without a texture", HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpSampledImage %type %zero %s\n"),
     "is not an image or a sampler"},
    {"a texel of a number that is read", HEAD("GLCompute", "") COMPUTE STORAGE("%x = OpImageRead %vec4 %zero %none\n"),
     "is not an image"},
    {"a texel of a number that is written",
     HEAD("GLCompute", "") COMPUTE STORAGE("OpImageWrite %zero %none %nothing\n"), "is not an image"},
    {"a texel at floats that is read",
     HEAD("GLCompute", "") COMPUTE STORAGE("%i = OpLoad %image %t\n%f = OpConvertUToF %float %zero\n"
                                          "%v = OpCompositeConstruct %vec4 %f %f %f %f\n"
                                          "%x = OpImageRead %vec4 %i %v\n"),
     "the coordinate is not of 2 integers"},
    {"a texel at one number that is written",
     HEAD("GLCompute", "") COMPUTE STORAGE("%i = OpLoad %image %t\nOpImageWrite %i %zero %nothing\n"),
     "the coordinate is not of 2 integers"},
    {"an array of textures that ends before",
     HEAD("Fragment", "") FRAGMENT TEXTURE "%far = OpConstant %uint 2000\n%n = OpConstant %uint 4000\n"
     "%arr = OpTypeArray %type %n\n%arrp = OpTypePointer UniformConstant %arr\n%ts = OpVariable %arrp UniformConstant\n"
     BODY("%at = OpAccessChain %pointer %ts %far\n"),
     "an index goes into what has no parts, or not that many"},
    {"a pointer from a number", COMPUTES("", "", "%x = OpPtrAccessChain %pw %one %one\n"), "is not a pointer"},
    {"a pointer of a function that is counted on",
     COMPUTES("", "", "%l = OpVariable %local Function\n%x = OpPtrAccessChain %local %l %one\n"),
     "a pointer that is counted on needs memory and an ArrayStride"},
    {"a pointer without a stride that is counted on",
     COMPUTES("", "", "%at = OpAccessChain %pw %p %zero\n%x = OpPtrAccessChain %pw %at %one\n"),
     "a pointer that is counted on needs memory and an ArrayStride"},
    {"a pointer that is counted on to a part that is not there",
     COMPUTES("", "", "%x = OpPtrAccessChain %pw %p %zero %three\n"),
     "an index goes into what has no parts, or not that many"},
    {"whether a pointer is a number", COMPUTES("", "", "%x = OpPtrEqual %bool %p %one\n"), "is not 1 of i64"},
    {"the distance of a pointer from one that is made later",
     COMPUTES("", "", "%at = OpAccessChain %pw %p %zero\n%i = OpLoad %uint %at\n%x = OpPtrDiff %int %p %y\n"
                      "%y = OpAccessChain %pw %p %i\n"),
     "has no value here"},
    {"a distance of pointers that is a float",
     COMPUTES("", "%n = OpConstant %uint 3\n%runs = OpTypeArray %uint %n\n%wr = OpTypePointer Workgroup %runs\n"
              "%ww = OpTypePointer Workgroup %uint\n%w = OpVariable %wr Workgroup\n",
              "%at = OpAccessChain %ww %w %one\n%x = OpPtrDiff %float %at %at\n"),
     "a distance of pointers needs an ArrayStride"},
    {"an output of a patch that is a truth value",
     HEAD("TessellationControl", "%a") "OpExecutionMode %main OutputVertices 1\nOpDecorate %a Patch\n"
     "OpDecorate %a Location 0\n" TYPES "%bool = OpTypeBool\n%yes = OpConstantTrue %bool\n"
     "%bp = OpTypePointer Output %bool\n%a = OpVariable %bp Output\n" BODY("OpStore %a %yes\n"),
     "an input or output that is not made of numbers is not executed"},
    {"outputs of a patch that are truth values",
     HEAD("TessellationControl", "%a") "OpExecutionMode %main OutputVertices 1\nOpDecorate %a Patch\n"
     "OpDecorate %a Location 0\n" TYPES "%bool = OpTypeBool\n%two = OpConstant %uint 2\n%bs = OpTypeArray %bool %two\n"
     "%bp = OpTypePointer Output %bs\n%a = OpVariable %bp Output\n" BODY("%x = OpLoad %bs %a\n"),
     "an input or output that is not made of numbers is not executed"},
    {"the size of a workgroup in a fragment program",
     HEAD("Fragment", "%a") "OpExecutionMode %main OriginUpperLeft\nOpDecorate %a BuiltIn WorkgroupSize\n" TYPES
     "%u3 = OpTypeVector %uint 3\n%up = OpTypePointer Input %u3\n%a = OpVariable %up Input\n"
     BODY("%x = OpLoad %u3 %a\n"),
     "the builtin WorkgroupSize is not executed"},
    {"the number of subgroups in a vertex program",
     HEAD("Vertex", "%a") "OpDecorate %a BuiltIn NumSubgroups\n" TYPES
     "%up = OpTypePointer Input %uint\n%a = OpVariable %up Input\n" BODY("%x = OpLoad %uint %a\n"),
     "the builtin NumSubgroups is not executed"},
    {"a decorated size of workgroups that is too great",
     HEAD("GLCompute", "") "OpDecorate %size BuiltIn WorkgroupSize\n" TYPES "%u3 = OpTypeVector %uint 3\n"
     "%one = OpConstant %uint 1\n%many = OpConstant %uint 1025\n%size = OpConstantComposite %u3 %one %many %one\n"
     BODY(""), "a workgroup has 1 to 1024 invocations in each dimension"},
    {"a decorated size of workgroups that is nothing",
     HEAD("GLCompute", "") "OpDecorate %size BuiltIn WorkgroupSize\n" TYPES "%u3 = OpTypeVector %uint 3\n"
     "%size = OpConstantNull %u3\n" BODY(""), "a workgroup has 1 to 1024 invocations in each dimension"},
    {"a mask of samples with five words",
     HEAD("Fragment", "%a") "OpExecutionMode %main OriginUpperLeft\nOpDecorate %a BuiltIn SampleMask\n" TYPES
     "%five = OpConstant %uint 5\n%list = OpTypeArray %uint %five\n%lp = OpTypePointer Input %list\n"
     "%a = OpVariable %lp Input\n" BODY("%x = OpLoad %list %a\n"),
     "the builtin SampleMask is not executed"},
    {"a structure for the number of a primitive",
     "OpCapability Geometry\n" HEAD("Geometry", "%a") "OpExecutionMode %main OutputVertices 1\n"
     "OpDecorate %a BuiltIn PrimitiveId\n" TYPES "%holds = OpTypeStruct %uint\n%hp = OpTypePointer Input %holds\n"
     "%a = OpVariable %hp Input\n" BODY("%x = OpLoad %holds %a\n"),
     "a program of this stage does not have such an input"},
    {"a float converted to what it is", COMPUTES("", "", "%x = OpFConvert %float %half\n"),
     "its operand or result is of a type that it does not take"},
    {"a float converted as an integer", COMPUTES("", "", "%x = OpConvertSToF %float %half\n"),
     "its operand or result is of a type that it does not take"},
    {"an integer converted as a float", COMPUTES("", "", "%x = OpConvertFToU %uint %one\n"),
     "its operand or result is of a type that it does not take"},
    {"a float converted to an integer as to another float", COMPUTES("", "", "%x = OpFConvert %uint %half\n"),
     "its operand or result is of a type that it does not take"},
    {"an integer converted to a float as from one", COMPUTES("", "", "%x = OpConvertFToS %float %half\n"),
     "its operand or result is of a type that it does not take"},
    {"an exponent of 64 bits in a structure",
     COMPUTES("OpCapability Int64\n", "%long = OpTypeInt 64 1\n%both = OpTypeStruct %float %long\n",
              "%x = OpExtInst %both %ext FrexpStruct %half\n"),
     "the type of its result is not what its operands make"},
    {"words of 32 bits stored in an image of 64",
     "OpCapability Int64\nOpCapability Int64ImageEXT\n" HEAD("GLCompute", "") COMPUTE TYPES
     "%long = OpTypeInt 64 0\n%u2 = OpTypeVector %uint 2\n%none = OpConstantNull %u2\n"
     "%image = OpTypeImage %long 2D 0 0 0 2 R64ui\n%pointer = OpTypePointer UniformConstant %image\n"
     "%t = OpVariable %pointer UniformConstant\n" BODY("%i = OpLoad %image %t\nOpImageWrite %i %none %none\n"),
     "the texel is not of the image's type"},
    {"nothing stored in an image",
     HEAD("GLCompute", "") COMPUTE "%nothings = OpTypeStruct\n%air = OpConstantNull %nothings\n"
     STORAGE("%i = OpLoad %image %t\nOpImageWrite %i %none %air\n"),
     "the texel is not of the image's type"},
    {"the size of a sampler",
     HEAD("Fragment", "") FRAGMENT TYPES "%u2 = OpTypeVector %uint 2\n%sampler = OpTypeSampler\n"
     "%pointer = OpTypePointer UniformConstant %sampler\n%t = OpVariable %pointer UniformConstant\n"
     BODY("%s = OpLoad %sampler %t\n%x = OpImageQuerySize %u2 %s\n"),
     "is not an image"},
    {"a texel of a sampler",
     HEAD("Fragment", "") FRAGMENT TYPES "%u2 = OpTypeVector %uint 2\n%none = OpConstantNull %u2\n"
     "%sampler = OpTypeSampler\n%pointer = OpTypePointer UniformConstant %sampler\n"
     "%t = OpVariable %pointer UniformConstant\n"
     BODY("%s = OpLoad %sampler %t\n%x = OpImageRead %vec4 %s %none\n"),
     "is not an image"},
    {"an attachment read at floats",
     "OpCapability InputAttachment\n" HEAD("Fragment", "") FRAGMENT "OpDecorate %t InputAttachmentIndex 0\n" TYPES
     "%v2 = OpTypeVector %float 2\n%zero = OpConstantNull %v2\n"
     "%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n"
     "%pointer = OpTypePointer UniformConstant %image\n%t = OpVariable %pointer UniformConstant\n"
     BODY("%i = OpLoad %image %t\n%x = OpImageRead %vec4 %i %zero\n"),
     "the coordinate is not of 2 integers"},
    {"an attachment of floats read as integers",
     "OpCapability InputAttachment\n" HEAD("Fragment", "") FRAGMENT "OpDecorate %t InputAttachmentIndex 0\n" TYPES
     "%u2 = OpTypeVector %uint 2\n%none = OpConstantNull %u2\n%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n"
     "%u4 = OpTypeVector %uint 4\n"
     "%pointer = OpTypePointer UniformConstant %image\n%t = OpVariable %pointer UniformConstant\n"
     BODY("%i = OpLoad %image %t\n%x = OpImageRead %u4 %i %none\n"),
     "the type of its result is not what its operands make"},
    {"a phi of textures",
     HEAD("Fragment", "") FRAGMENT SAMPLES("OpBranch %next\n%next = OpLabel\n%x = OpPhi %image %i %entry\n"),
     "a phi of this type is not executed"},
    {"a function that returns early what is of another type",
     COMPUTES("", "%gives = OpTypeFunction %uint\n", "%x = OpFunctionCall %uint %f\nOpReturn\nOpFunctionEnd\n"
              "%f = OpFunction %uint None %gives\n%first = OpLabel\nOpSelectionMerge %late None\n"
              "OpBranchConditional %yes %early %late\n%early = OpLabel\nOpReturnValue %pair\n%late = OpLabel\n"
              "OpReturnValue %one\nOpFunctionEnd\n%g = OpFunction %void None %fn\n%second = OpLabel\n"),
     "what is returned is not of the function's type"},
    {"halves that are interpolated",
     INTERPOLATES("%half = OpTypeFloat 16\n%hp = OpTypePointer Input %half\n%a = OpVariable %hp Input\n",
                  "%x = OpExtInst %half %ext InterpolateAtCentroid %a\n"),
     "what is interpolated is an input of a fragment program, of floats of 32 bits, with a location"},
    {"integers that are interpolated",
     INTERPOLATES("%up = OpTypePointer Input %uint\n%a = OpVariable %up Input\n",
                  "%x = OpExtInst %uint %ext InterpolateAtCentroid %a\n"),
     "what is interpolated is an input of a fragment program, of floats of 32 bits, with a location"},
    {"what is interpolated at a sample that is a float",
     INTERPOLATES("%f = OpConstantNull %float\n%a = OpVariable %in Input\n",
                  "%x = OpExtInst %vec4 %ext InterpolateAtSample %a %f\n"),
     "is not an integer"},
    {"what is interpolated at an integer",
     INTERPOLATES("%n = OpConstantNull %uint\n%a = OpVariable %in Input\n",
                  "%x = OpExtInst %vec4 %ext InterpolateAtOffset %a %n\n"),
     "is not 2 of f32"},
    {"what is interpolated and no pointer",
     INTERPOLATES("%f = OpConstantNull %float\n%a = OpVariable %in Input\n",
                  "%x = OpExtInst %float %ext InterpolateAtCentroid %f\n"),
     "is not a pointer"},
    {"constant tables of more registers than there are",
     COMPUTES("", "%n = OpConstant %uint 65536\n%many = OpTypeArray %uint %n\n%mp = OpTypePointer Private %many\n"
              "%ep = OpTypePointer Private %uint\n%nulls = OpConstantNull %many\n"
              EACH_OF_17(TABLE), "%at = OpAccessChain %pw %p %zero\n%i = OpLoad %uint %at\n" EACH_OF_17(USES_TABLE)),
     "the constant tables need more than 1048576 registers"},
    {"the length of one of two buffers, where a third has no number",
     COMPUTES("OpCapability VariablePointersStorageBuffer\n",
              "%runs = OpTypeRuntimeArray %uint\n%list = OpTypeStruct %runs\n%lp = OpTypePointer StorageBuffer %list\n"
              "%a = OpVariable %lp StorageBuffer\n%b = OpVariable %lp StorageBuffer\n"
              "%c = OpVariable %lp StorageBuffer\n"
              "OpDecorate %list Block\nOpMemberDecorate %list 0 Offset 0\nOpDecorate %runs ArrayStride 4\n"
              "OpDecorate %c DescriptorSet 4\nOpDecorate %b Binding 1\n",
              "%at = OpAccessChain %pw %p %zero\n%i = OpLoad %uint %at\n%few = OpULessThan %bool %i %three\n"
              "%x = OpSelect %lp %few %a %b\n%y = OpArrayLength %uint %x 0\n"),
     "storage 64: there are 64 of them"},
    {"a field of 64 bits put into 32",
     COMPUTES("OpCapability Int64\n", "%long = OpTypeInt 64 0\n%l = OpConstantNull %long\n",
              "%x = OpBitFieldInsert %uint %one %l %zero %one\n"),
     "its operands are of types that do not go together"},
    {"a field put in where a float says", COMPUTES("", "", "%x = OpBitFieldInsert %uint %one %one %half %one\n"),
     "is not an integer"},
    {"a field of as many bits as a float says", COMPUTES("", "", "%x = OpBitFieldInsert %uint %one %one %zero %half\n"),
     "is not an integer"},
    {"an exchange of a float that is an integer",
     COMPUTES("", "%fp = OpTypePointer Workgroup %float\n%f = OpVariable %fp Workgroup\n",
              "%x = OpAtomicExchange %float %f %one %zero %one\n"),
     "is not 1 of f32"},
    {"a comparison of a number with a float",
     ATOMIC("%f = OpConvertUToF %float %one\n%x = OpAtomicCompareExchange %uint %w %one %zero %zero %one %f\n"),
     "is not 1 of i32"},
    {"a number that becomes a float if it is another",
     ATOMIC("%f = OpConvertUToF %float %one\n%x = OpAtomicCompareExchange %uint %w %one %zero %zero %f %one\n"),
     "is not 1 of i32"},
    {"a float stored in a number at once",
     ATOMIC("%f = OpConvertUToF %float %one\nOpAtomicStore %w %one %zero %f\n"), "is not 1 of i32"},
    {"a phi of an integer that takes a float",
     COMPUTES("", "", "OpBranch %next\n%next = OpLabel\n%x = OpPhi %uint %half %entry\n"), "a phi takes"},
    {"a function that returns early a float for an integer",
     COMPUTES("", "%gives = OpTypeFunction %uint\n", "%x = OpFunctionCall %uint %f\nOpReturn\nOpFunctionEnd\n"
              "%f = OpFunction %uint None %gives\n%first = OpLabel\nOpSelectionMerge %late None\n"
              "OpBranchConditional %yes %early %late\n%early = OpLabel\nOpReturnValue %half\n%late = OpLabel\n"
              "OpReturnValue %one\nOpFunctionEnd\n%g = OpFunction %void None %fn\n%second = OpLabel\n"),
     "what is returned is not of the function's type"},
    {"a sum of truth values", COMPUTES("", "", "%x = OpIAdd %bool %yes %yes\n"),
     "its operands are of types that it does not take"},
    {"a vector times an integer", COMPUTES("", "", "%x = OpVectorTimesScalar %v2 %zeros2 %one\n"),
     "its operands are of types that it does not take"},
    {"integers times a number", COMPUTES("", "", "%x = OpVectorTimesScalar %u2 %pair %one\n"),
     "its operands are of types that it does not take"},
    {"a dot product of floats and integers", COMPUTES("", "", "%x = OpDot %float %zeros2 %pair\n"),
     "its operands are of types that it does not take"},
    {"three chosen by two", COMPUTES("", "%b2 = OpTypeVector %bool 2\n%both = OpConstantNull %b2\n",
                                     "%x = OpSelect %v3 %both %zeros3 %zeros3\n"),
     "its operands are of types that do not go together"},
    {"a choice between two and three", COMPUTES("", "", "%x = OpSelect %v2 %yes %zeros2 %zeros3\n"),
     "its operands are of types that do not go together"},
    {"a choice between a float and an integer", COMPUTES("", "", "%x = OpSelect %float %yes %half %one\n"),
     "its operands are of types that do not go together"},
    {"a lookup at truth values",
     HEAD("Fragment", "") FRAGMENT TEXTURE "%bool = OpTypeBool\n%b2 = OpTypeVector %bool 2\n"
     "%both = OpConstantNull %b2\n"
     BODY("%s = OpLoad %type %t\n%x = OpImageSampleImplicitLod %vec4 %s %both\n"),
     "the coordinate is not of 2 floats"},
    {"a lookup at doubles",
     "OpCapability Float64\n" HEAD("Fragment", "") FRAGMENT TEXTURE "%double = OpTypeFloat 64\n"
     "%d2 = OpTypeVector %double 2\n%there = OpConstantNull %d2\n"
     BODY("%s = OpLoad %type %t\n%x = OpImageSampleImplicitLod %vec4 %s %there\n"),
     "the coordinate is not of 2 floats"},
    {"an instruction that GLSL does not have",
     COMPUTES("", "", "OpNop\n%x = OpExtInst %float %ext FAbs %half\n"), "GLSL.std.450 has no instruction 200"},
    {"an input of a patch that the entry point does not name",
     HEAD("TessellationEvaluation", "") "OpExecutionMode %main Triangles\nOpDecorate %a Location 0\n" TYPES
     "%n = OpConstant %uint 3\n%arr = OpTypeArray %vec4 %n\n%arrp = OpTypePointer Input %arr\n"
     "%first = OpConstantNull %uint\n%a = OpVariable %arrp Input\n"
     BODY("%at = OpAccessChain %in %a %first\n%x = OpLoad %vec4 %at\n"),
     "is not among the inputs and outputs that the entry point names"},
    {"a called function that goes to a number",
     COMPUTES("", "", "%x = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n"
              "%f = OpFunction %void None %fn\n%first = OpLabel\nOpBranch %one\nOpFunctionEnd\n"
              "%g = OpFunction %void None %fn\n%second = OpLabel\n"),
     "a branch goes to what is not a block of the function"},
    {"clusters of a size that is loaded",
     COMPUTES(GROUPS, "", LOADED "%x = OpGroupNonUniformIAdd %uint %three ClusteredReduce %one %i\n"),
     "the size of a cluster is not a constant power of two"},
    {"a sum over a scope that is loaded",
     COMPUTES(GROUPS, "", LOADED "%x = OpGroupNonUniformIAdd %uint %i Reduce %one\n"),
     "lanes of a subgroup work together"},
    {"a swap in a direction that is loaded",
     COMPUTES(GROUPS, "", LOADED "%x = OpGroupNonUniformQuadSwap %uint %three %one %i\n"),
     "the direction is not a constant from 0 to 2"},
    {"an address that is not a pointer",
     HEAD("GLCompute", "") COMPUTE STORAGE("%x = OpImageTexelPointer %uint %t %none %zero\n"),
     "its operand is not an image"},
    {"an atomic at one of two coordinates",
     HEAD("GLCompute", "") COMPUTE STORAGE("%x = OpImageTexelPointer %to_float %t %zero %zero\n"
                                           "%y = OpAtomicExchange %float %x %zero %zero %none_at_all\n"),
     "the coordinate is not of 2 integers"},
    {"an atomic load at one of two coordinates",
     HEAD("GLCompute", "") COMPUTE STORAGE("%x = OpImageTexelPointer %to_float %t %zero %zero\n"
                                           "%y = OpAtomicLoad %float %x %zero %zero\n"),
     "the coordinate is not of 2 integers"},
    {"a float that counts on from a pointer of two",
     COMPUTES("OpCapability VariablePointersStorageBuffer\nOpDecorate %pw ArrayStride 4\n", "",
              LOADED "%few = OpULessThan %bool %i %three\n%sel = OpSelect %pw %few %at %at\n"
              "%x = OpPtrAccessChain %pw %sel %half\n"),
     "is not an integer"},
    {"two numbers that count on from a pointer of two",
     COMPUTES("OpCapability VariablePointersStorageBuffer\nOpDecorate %pw ArrayStride 4\n", "",
              LOADED "%few = OpULessThan %bool %i %three\n%sel = OpSelect %pw %few %at %at\n"
              "%x = OpPtrAccessChain %pw %sel %pair\n"),
     "is not an integer"},
    {"a float copied to where an integer is",
     COMPUTES("", "%fp = OpTypePointer Workgroup %float\n%f = OpVariable %fp Workgroup\n"
              "%wp = OpTypePointer Workgroup %uint\n%w = OpVariable %wp Workgroup\n", "OpCopyMemory %w %f\n"),
     "what is stored is of another type than what the pointer leads to"},
    {"a number copied to a texture",
     COMPUTES("", "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%ip = OpTypePointer UniformConstant %image\n"
              "%t = OpVariable %ip UniformConstant\n", "%at = OpAccessChain %pw %p %zero\nOpCopyMemory %t %at\n"),
     "what is copied is not memory"},
    {"a length of a number in a texture's place",
     HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpArrayLength %uint %t 0\n"),
     "it asks for the length of what is not an array at the end of a buffer"},
    {"a position that a vertex program reads",
     HEAD("Vertex", "%a") "OpDecorate %a BuiltIn Position\n" TYPES "%a = OpVariable %in Input\n"
     BODY("%x = OpLoad %vec4 %a\n"), "the builtin Position is not executed"},
    {"a part of a pointer", COMPUTES("", "", "%x = OpCompositeExtract %uint %p 0\n"), "has no value here"},
    {"an insertion into a part that is not there", COMPUTES("", "", "%x = OpCompositeInsert %u2 %one %pair 2\n"),
     "an index goes into what has no parts, or not that many"},
    {"the distance of a number from another", COMPUTES("", "", "%x = OpPtrDiff %int %one %one\n"),
     "a distance of pointers needs an ArrayStride"},
    {"the distance of what nothing makes", COMPUTES("", "", "%x = OpPtrDiff %int %nothing %nothing\n"),
     "a distance of pointers needs an ArrayStride"},
    {"the distance of a pointer into what nothing makes", LATER("%nothing %zero"), "has no value here"},
    {"the distance of a pointer to a member beyond 2^32", LATER("%p %huge"), "has no value here"},
    {"the distance of a pointer into a number", LATER("%p %zero %zero"), "has no value here"},
    {"a place of the fragment that is interpolated",
     "OpCapability InterpolationFunction\n%ext = OpExtInstImport \"GLSL.std.450\"\n" HEAD("Fragment", "%a")
     "OpExecutionMode %main OriginUpperLeft\nOpDecorate %a BuiltIn FragCoord\n" TYPES "%a = OpVariable %in Input\n"
     BODY("%x = OpExtInst %vec4 %ext InterpolateAtCentroid %a\n"),
     "what is interpolated is an input of a fragment program, of floats of 32 bits, with a location"},
    {"a variable of a function that is interpolated",
     INTERPOLATES("%a = OpVariable %in Input\n%lp = OpTypePointer Function %vec4\n",
                  "%l = OpVariable %lp Function\n%x = OpExtInst %vec4 %ext InterpolateAtCentroid %l\n"),
     "what is interpolated is an input of a fragment program, of floats of 32 bits, with a location"},
    {"an output of 65 locations",
     HEAD("Vertex", "%a") "OpDecorate %a Location 0\n" TYPES "%n = OpConstant %uint 65\n%arr = OpTypeArray %vec4 %n\n"
     "%arrp = OpTypePointer Output %arr\n%zero = OpConstantNull %arr\n%a = OpVariable %arrp Output\n"
     BODY("OpStore %a %zero\n"),
     "location 64, component 3: locations are 0 to 63 of four components"},
    {"a list of structures of 66 locations",
     HEAD("Vertex", "%a") "OpDecorate %a Location 0\n" TYPES "%n = OpConstant %uint 33\n%arr = OpTypeArray %vec4 %n\n"
     "%both = OpTypeStruct %arr %arr\n%one = OpConstant %uint 1\n%list = OpTypeArray %both %one\n"
     "%lp = OpTypePointer Output %list\n%zero = OpConstantNull %list\n%a = OpVariable %lp Output\n"
     BODY("OpStore %a %zero\n"),
     "location 64, component 3: locations are 0 to 63 of four components"},
    {"seventeen clip distances",
     "OpCapability ClipDistance\n" HEAD("Vertex", "%a") "OpDecorate %a BuiltIn ClipDistance\n" TYPES
     "%n = OpConstant %uint 17\n%arr = OpTypeArray %float %n\n%arrp = OpTypePointer Output %arr\n"
     "%zero = OpConstantNull %arr\n%a = OpVariable %arrp Output\n" BODY("OpStore %a %zero\n"),
     "the builtin ClipDistance is not executed here"},
    {"a fourth corner of a triangle",
     "OpCapability FragmentBarycentricKHR\n" HEAD("Fragment", "%a") "OpExecutionMode %main OriginUpperLeft\n"
     "OpDecorate %a Location 0\nOpDecorate %a PerVertexKHR\n" TYPES "%n = OpConstant %uint 4\n"
     "%arr = OpTypeArray %vec4 %n\n%arrp = OpTypePointer Input %arr\n%a = OpVariable %arrp Input\n"
     BODY("%x = OpLoad %arr %a\n"),
     "location 0, component 3: locations are 0 to 63 of four components"},
    {"a switch by two numbers", SWITCH("%u2", "%pair"), "the selector is not an integer"},
    {"a switch by a float", SWITCH("%float", "%half"), "the selector is not an integer"},
    {"a switch by a truth value", SWITCH("%bool", "%yes"), "the selector is not an integer"},
};

static bool says(const weft_diags *diags, const char *text)
{
    const weft_diag *d;
    for (size_t i = 0; (d = weft_diags_get(diags, i)); i++)
        if (strstr(d->message, text))
            return true;
    return false;
}

/* What the assembler refuses: a switch looks at what the copy before it gives; the number of what follows OpNop. */
static const uint32_t *without_assembler(const uint32_t *words, size_t count, struct arena *arena)
{
    uint32_t copy = 0, before = 0, *word = ARENA_ARRAY(arena, uint32_t, count);
    assert_non_null(word);
    memcpy(word, words, count * sizeof *word);
    for (size_t i = 5; i < count; i += word[i] >> 16) {
        if ((word[i] & 0xffff) == SpvOpCopyObject)
            copy = word[i + 2];
        if ((word[i] & 0xffff) == SpvOpSwitch && copy)
            word[i + 1] = copy;
        if ((word[i] & 0xffff) == SpvOpExtInst && before == SpvOpNop)
            word[i + 4] = 200;
        before = word[i] & 0xffff;
    }
    return word;
}

/* A module that assembles, read and lifted for a stage; -1: that of its first entry point. */
static weft_status lift_stage(const char *name, const char *text, int stage, struct arena *arena,
                              struct ir_program **out, weft_diags *diags)
{
    struct spirv_words words;
    struct spirv_messages messages = {0};
    struct isa_module *m = NULL;
    const struct isa_params params = {.stage = stage};
    if (spirv_assemble(text, strlen(text), "spv1.6", false, arena, &words, &messages) != WEFT_OK)
        fail_msg("%s: it does not assemble: %s", name, messages.count ? messages.list[0].text : "");
    const uint32_t *word = without_assembler(words.word, words.count, arena);
    weft_status status = spirv_read(word, words.count, "test", NULL, &params, arena, &m, diags);
    return status == WEFT_OK ? spirv_lift(m, NULL, arena, out, diags) : status;
}

static weft_status lift_text(const char *name, const char *text, struct arena *arena, struct ir_program **out,
                             weft_diags *diags)
{
    return lift_stage(name, text, -1, arena, out, diags);
}

/* What is said of a module: whether reading or lifting refuses it, and with which words. */
static bool refused(const char *name, const char *text, const char *expected)
{
    struct arena arena = {0};
    struct ir_program *p = NULL;
    weft_diags *diags = weft_diags_new();
    weft_status status = lift_text(name, text, &arena, &p, diags);
    bool fine = status == WEFT_ERROR_UNSUPPORTED || status == WEFT_ERROR_INPUT;
    fine = fine && !p && says(diags, expected);
    if (!fine)
        print_error("%s: %s\n", name, weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "nothing");
    weft_diags_free(diags);
    arena_free(&arena);
    return fine;
}

static void test_refused(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        wrong += !refused(cases[i].name, cases[i].text, cases[i].says);
    assert_int_equal(wrong, 0);
}

/* Builtin inputs of 64 bits: the device has none so wide. */
static void test_wide_builtins(void **state)
{
    static const struct {
        const char *model, *mode, *builtin, *type;
    } inputs[] = {
        {"Fragment", "OriginUpperLeft", "FragCoord", "%d4"},   {"Fragment", "OriginUpperLeft", "PointCoord", "%d2"},
        {"Fragment", "OriginUpperLeft", "Layer", "%long"},     {"Fragment", "OriginUpperLeft", "PrimitiveId", "%long"},
        {"Fragment", "OriginUpperLeft", "SampleId", "%long"},  {"Vertex", "", "VertexIndex", "%long"},
        {"Vertex", "", "InstanceIndex", "%long"},
        {"GLCompute", "LocalSize 1 1 1", "LocalInvocationIndex", "%long"},
        {"GLCompute", "LocalSize 1 1 1", "GlobalInvocationId", "%l3"},
        {"TessellationEvaluation", "Triangles", "TessCoord", "%d3"},
    };
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        char text[1500];
        snprintf(text, sizeof text,
                 "OpCapability Shader\nOpCapability Tessellation\nOpCapability Float64\nOpCapability Int64\n"
                 "OpMemoryModel Logical GLSL450\nOpEntryPoint %s %%main \"main\" %%a\n%s%s%s"
                 "OpDecorate %%a BuiltIn %s\n%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n"
                 "%%double = OpTypeFloat 64\n%%long = OpTypeInt 64 0\n%%uint = OpTypeInt 32 0\n"
                 "%%d2 = OpTypeVector %%double 2\n%%d3 = OpTypeVector %%double 3\n"
                 "%%d4 = OpTypeVector %%double 4\n%%l3 = OpTypeVector %%long 3\n"
                 "%%in = OpTypePointer Input %s\n%%a = OpVariable %%in Input\n"
                 "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%x = OpLoad %s %%a\n"
                 "OpReturn\nOpFunctionEnd\n",
                 inputs[i].model, *inputs[i].mode ? "OpExecutionMode %main " : "", inputs[i].mode,
                 *inputs[i].mode ? "\n" : "", inputs[i].builtin, inputs[i].type, inputs[i].type);
        wrong += !refused(inputs[i].builtin, text, "an input of this type is not executed");
    }
    assert_int_equal(wrong, 0);
}

#define CHAIN HEAD("GLCompute", "") "OpExecutionMode %main LocalSize 1 1 1\n" TYPES

/* A chain of functions, of which each calls the next: so many calls are open at once. */
static bool chain_is_lifted(unsigned calls)
{
    static char text[160 * (SPIRV_MOST_DEPTH + 10)];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", CHAIN);
    struct arena arena = {0};
    struct ir_program *p = NULL;
    weft_diags *diags = weft_diags_new();
    for (unsigned n = 0; n <= calls; n++) {
        char name[20] = "main", call[60] = "";
        if (n)
            snprintf(name, sizeof name, "f%u", n);
        if (n < calls)
            snprintf(call, sizeof call, "%%r%u = OpFunctionCall %%void %%f%u\n", n, n + 1);
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%%%s = OpFunction %%void None %%fn\n%%l%u = OpLabel\n%sOpReturn\nOpFunctionEnd\n",
                                   name, n, call);
    }
    bool lifted = lift_text("a chain of calls", text, &arena, &p, diags) == WEFT_OK;
    assert_true(lifted || says(diags, "calls are too deep"));
    weft_diags_free(diags);
    arena_free(&arena);
    return lifted;
}

static void test_depth(void **state)
{
    (void)state;
    assert_true(chain_is_lifted(SPIRV_MOST_DEPTH));
    assert_false(chain_is_lifted(SPIRV_MOST_DEPTH + 1));
}

/* What is said of a program that reads so many uniform and storage buffers, the first of them at these bindings. */
static bool buffers_say(unsigned first, unsigned uniforms, unsigned first_stored, unsigned stored, const char *expected)
{
    static char text[300 * 100];
    size_t n = (size_t)snprintf(text, sizeof text, "%sOpDecorate %%b Block\nOpMemberDecorate %%b 0 Offset 0\n",
                                HEAD("GLCompute", "") "OpExecutionMode %main LocalSize 1 1 1\n");
    for (unsigned i = 0; i < uniforms + stored; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "OpDecorate %%v%u DescriptorSet 0\nOpDecorate %%v%u Binding %u\n", i, i,
                              i < uniforms ? first + i : first_stored + i - uniforms);
    n += (size_t)snprintf(text + n, sizeof text - n, "%s",
                          TYPES "%zero = OpConstantNull %uint\n%b = OpTypeStruct %uint\n"
                          "%pu = OpTypePointer Uniform %b\n%ps = OpTypePointer StorageBuffer %b\n"
                          "%wu = OpTypePointer Uniform %uint\n%ws = OpTypePointer StorageBuffer %uint\n");
    for (unsigned i = 0; i < uniforms + stored; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%%v%u = OpVariable %%p%c %s\n", i, i < uniforms ? 'u' : 's',
                              i < uniforms ? "Uniform" : "StorageBuffer");
    n += (size_t)snprintf(text + n, sizeof text - n, "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n");
    for (unsigned i = 0; i < uniforms + stored; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "%%at%u = OpAccessChain %%w%c %%v%u %%zero\n%%x%u = OpLoad %%uint %%at%u\n", i,
                              i < uniforms ? 'u' : 's', i, i, i);
    snprintf(text + n, sizeof text - n, "OpReturn\nOpFunctionEnd\n");
    struct arena arena = {0};
    struct ir_program *p = NULL;
    weft_diags *diags = weft_diags_new();
    bool lifted = lift_text("buffers", text, &arena, &p, diags) == WEFT_OK;
    bool fine = expected ? !lifted && says(diags, expected) : lifted;
    if (!fine)
        print_error("%u from %u, %u from %u: %s\n", uniforms, first, stored, first_stored,
                    weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "nothing");
    weft_diags_free(diags);
    arena_free(&arena);
    return fine;
}

static void test_buffers(void **state)
{
    (void)state;
    assert_true(buffers_say(31, 1, 63, 1, NULL));
    assert_true(buffers_say(32, 1, 0, 0, "uniform 32: there are 32 of them"));
    assert_true(buffers_say(0, 0, 64, 1, "storage 64: there are 64 of them"));
    assert_true(buffers_say(0, 32, 0, 32, NULL));
    assert_true(buffers_say(0, 32, 0, 33, "storage 32: a program has 64 buffers at most"));
}

/* OpSpecConstantOp with words that the assembler refuses: an opcode, and its operands. */
static void test_constant_ops(void **state)
{
    enum { FAR = 1 << 20 };
    static const struct {
        uint32_t opcode, operand;
        const char *says;
    } ops[] = {
        {SpvOpISub, 0, NULL}, /* as the assembler has it */
        {SpvOpISub, FAR, "OpSpecConstantOp of OpISub: an operand is not an id"},
        {SpvOpCopyObject, FAR, "OpSpecConstantOp of OpCopyObject: it has too many words"},
        {SpvOpNot, 0, "OpSpecConstantOp of OpNot: it has too many words"},
        {SpvOpSelect, 0, "OpSpecConstantOp of OpSelect: it has too few words"},
        {SpvOpExtInst, 0, "OpSpecConstantOp of OpExtInst is not executed"},
        {SpvOpBranchConditional, 0, "OpSpecConstantOp of OpBranchConditional is not executed"},
        {SpvOpReturn, 0, "OpSpecConstantOp of OpReturn is not executed"},
        {SpvOpImage, 0, "OpSpecConstantOp of OpImage is not executed"},
        {SpvOpLoad, 0, "OpSpecConstantOp of OpLoad is not executed"},
        {60000, 0, "OpSpecConstantOp of an unknown opcode is not executed"},
    };
    static const char text[] = COMPUTES("", "%c = OpSpecConstantOp %uint ISub %three %one\n", "");
    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct arena arena = {0};
        struct spirv_words words;
        struct spirv_messages messages = {0};
        weft_diags *diags = weft_diags_new();
        assert_int_equal(spirv_assemble(text, strlen(text), "spv1.6", false, &arena, &words, &messages), WEFT_OK);
        uint32_t *word = ARENA_ARRAY(&arena, uint32_t, words.count);
        memcpy(word, words.word, words.count * sizeof *word);
        for (size_t at = 5; at < words.count; at += word[at] >> 16)
            if ((word[at] & 0xffff) == SpvOpSpecConstantOp) {
                word[at + 3] = ops[i].opcode;
                word[at + 4] = ops[i].operand ? ops[i].operand : word[at + 4];
            }
        struct isa_module *m = NULL;
        struct ir_program *p = NULL;
        const struct isa_params params = {.stage = -1};
        assert_int_equal(spirv_read(word, words.count, "test", NULL, &params, &arena, &m, diags), WEFT_OK);
        bool lifted = spirv_lift(m, NULL, &arena, &p, diags) == WEFT_OK;
        if (lifted != !ops[i].says || (ops[i].says && !says(diags, ops[i].says)))
            fail_msg("opcode %u: %s", ops[i].opcode,
                     weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "nothing");
        weft_diags_free(diags);
        arena_free(&arena);
    }
}

/* Calls of calls of a long function, which would be inlined each time. */
static void test_length(void **state)
{
    enum { CALLS = 65, NOPS = 1000 }; /* 4.2 millions of instructions */
    static char text[2 * 50 * CALLS + 10 * NOPS + 2000];
    size_t n = (size_t)snprintf(text, sizeof text, "%s%%main = OpFunction %%void None %%fn\n%%l0 = OpLabel\n", CHAIN);
    struct arena arena = {0};
    struct ir_program *p = NULL;
    weft_diags *diags = weft_diags_new();
    (void)state;
    for (unsigned f = 1; f < 3; f++) {
        for (unsigned i = 0; i < CALLS; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%%r%u_%u = OpFunctionCall %%void %%f%u\n", f, i, f);
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "OpReturn\nOpFunctionEnd\n%%f%u = OpFunction %%void None %%fn\n%%l%u = OpLabel\n", f, f);
    }
    for (unsigned i = 0; i < NOPS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "OpNop\n");
    snprintf(text + n, sizeof text - n, "OpReturn\nOpFunctionEnd\n");
    assert_int_equal(lift_text("a long program", text, &arena, &p, diags), WEFT_ERROR_UNSUPPORTED);
    assert_true(says(diags, "calls make the program longer than 4194304 instructions"));
    weft_diags_free(diags);
    arena_free(&arena);
}

/* Operands in brackets, each of which may not be an id without a value. */
static const char *const taking[] = {
    "%x = OpIAdd %uint [%one] [%one]", "%x = OpNot %uint [%one]", "%x = OpSMod %uint [%one] [%one]",
    "%x = OpFMod %float [%half] [%half]", "%x = OpIsNan %bool [%half]", "%x = OpFUnordEqual %bool [%half] [%half]",
    "%x = OpIAddCarry %two [%one] [%one]", "%x = OpUMulExtended %two [%one] [%one]",
    "%x = OpVectorTimesScalar %v2 [%zeros2] [%half]", "%x = OpDot %float [%zeros2] [%zeros2]",
    "%x = OpVectorTimesMatrix %v2 [%zeros2] [%zm]", "%x = OpMatrixTimesVector %v2 [%zm] [%zeros2]",
    "%x = OpMatrixTimesMatrix %m2 [%zm] [%zm]", "%x = OpOuterProduct %m2 [%zeros2] [%zeros2]",
    "%x = OpTranspose %m2 [%zm]", "%x = OpDPdx %float [%half]", "%x = OpFwidth %float [%half]",
    "%x = OpCompositeConstruct %u2 [%one] [%one]", "%x = OpCompositeExtract %uint [%pair] 0",
    "%x = OpCompositeInsert %u2 [%one] [%pair] 0", "%x = OpVectorShuffle %u2 [%pair] [%pair] 0 1",
    "%x = OpVectorExtractDynamic %uint [%pair] [%one]", "%x = OpVectorInsertDynamic %u2 [%pair] [%one] [%one]",
    "%x = OpCopyObject %uint [%one]", "%x = OpSelect %uint [%yes] [%one] [%one]", "%x = OpAny %bool [%truths]",
    "%x = OpConvertUToF %float [%one]", "%x = OpUConvert %uint [%one]", "%x = OpBitcast %float [%one]",
    "%x = OpQuantizeToF16 %float [%half]", "%x = OpShiftLeftLogical %uint [%one] [%one]",
    "%x = OpBitFieldInsert %uint [%one] [%one] [%zero] [%one]", "%x = OpBitFieldUExtract %uint [%one] [%zero] [%one]",
    "%x = OpBitCount %uint [%one]", "%x = OpUDot %uint [%pair] [%pair]",
    "%x = OpUDotAccSat %uint [%pair] [%pair] [%one]", "%x = OpExtInst %float %ext FMin [%half] [%half]",
    "%x = OpExtInst %float %ext FMix [%half] [%half] [%half]", "%x = OpExtInst %float %ext Length [%zeros2]",
    "%x = OpExtInst %float %ext Distance [%zeros2] [%zeros2]",
    "%x = OpExtInst %v2 %ext FaceForward [%zeros2] [%zeros2] [%zeros2]",
    "%x = OpExtInst %v2 %ext Reflect [%zeros2] [%zeros2]",
    "%x = OpExtInst %v2 %ext Refract [%zeros2] [%zeros2] [%half]", "%x = OpExtInst %float %ext Ldexp [%half] [%one]",
    "%x = OpExtInst %float %ext Modf [%half] [%f]", "%x = OpExtInst %parts %ext ModfStruct [%half]",
    "%x = OpExtInst %float %ext Determinant [%zm]", "%x = OpExtInst %uint %ext PackHalf2x16 [%zeros2]",
    "%x = OpLoad %uint [%w]", "OpStore [%w] [%one]", "OpCopyMemory [%w] [%w]", "%x = OpAccessChain %pw [%p] %zero",
    "%at = OpAccessChain %bw %bytes [%one]", "%x = OpPtrAccessChain %pw [%p] %zero %zero",
    "%x = OpPtrEqual %bool [%p] [%p]", "%x = OpArrayLength %uint [%list] 0",
    "%x = OpAtomicIAdd %uint [%w] %one %zero [%one]", "%x = OpAtomicIIncrement %uint [%w] %one %zero",
    "%x = OpAtomicCompareExchange %uint [%w] %one %zero %zero [%one] [%one]",
    "%x = OpAtomicLoad %uint [%w] %one %zero", "OpAtomicStore [%w] %one %zero [%one]",
    "%x = OpGroupNonUniformAll %bool %three [%yes]", "%x = OpGroupNonUniformBroadcast %uint %three [%one] [%one]",
    "%x = OpGroupNonUniformBroadcastFirst %uint %three [%one]",
    "%x = OpGroupNonUniformShuffle %uint %three [%one] [%one]",
    "%x = OpGroupNonUniformRotateKHR %uint %three [%one] [%one]",
    "%x = OpGroupNonUniformIAdd %uint %three Reduce [%one]", "%x = OpGroupNonUniformBallot %u4 %three [%yes]",
    "%x = OpGroupNonUniformInverseBallot %bool %three [%set]",
    "%x = OpGroupNonUniformBallotBitExtract %bool %three [%set] [%one]",
    "%x = OpGroupNonUniformBallotBitCount %uint %three Reduce [%set]",
    "%x = OpGroupNonUniformQuadSwap %uint %three [%one] %zero",
    "%x = OpGroupNonUniformQuadBroadcast %uint %three [%one] [%one]", "%x = OpFunctionCall %void %takes [%one]",
    "OpBranchConditional [%yes] %end %end\n%end = OpLabel",
    "OpBranch %end\n%end = OpLabel\n%x = OpPhi %uint [%one] %entry",
};
#define TAKEN                                                                                                        \
    "%two = OpTypeStruct %uint %uint\n%m2 = OpTypeMatrix %v2 2\n%zm = OpConstantNull %m2\n"                          \
    "%b2 = OpTypeVector %bool 2\n%truths = OpConstantNull %b2\n%parts = OpTypeStruct %float %float\n"               \
    "%fp = OpTypePointer Private %float\n%f = OpVariable %fp Private\n%wp = OpTypePointer Workgroup %uint\n"        \
    "%w = OpVariable %wp Workgroup\n%n = OpConstant %uint 4\n%four = OpTypeArray %uint %n\n"                        \
    "%fourp = OpTypePointer Workgroup %four\n%bytes = OpVariable %fourp Workgroup\n"                                \
    "%bw = OpTypePointer Workgroup %uint\n%u4 = OpTypeVector %uint 4\n%set = OpConstantNull %u4\n"                  \
    "%runs = OpTypeRuntimeArray %uint\n%holds = OpTypeStruct %runs\n%lp = OpTypePointer StorageBuffer %holds\n"     \
    "%list = OpVariable %lp StorageBuffer\n%tf = OpTypeFunction %void %uint\n"

/* A line without its brackets, and in place of what is in one of them a function. Returns how many there are. */
static unsigned without_value(char *to, const char *line, unsigned chosen)
{
    unsigned count = 0;
    for (const char *c = line; *c; c++) {
        if (*c == '[' && count++ == chosen) {
            memcpy(to, "%main", 5);
            to += 5;
            c = strchr(c, ']');
        }
        if (*c != '[' && *c != ']')
            *to++ = *c;
    }
    *to = '\0';
    return count;
}

static void test_no_value(void **state)
{
    static const char before[] = COMPUTES("", TAKEN, ""), end[] = "OpReturn\nOpFunctionEnd\n";
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof taking / sizeof *taking; i++)
        for (unsigned chosen = 0, count = 1; chosen < count; chosen++) {
            char text[sizeof before + 400], line[200];
            count = without_value(line, taking[i], chosen);
            snprintf(text, sizeof text, "%.*s%s\n%s%%takes = OpFunction %%void None %%tf\n"
                     "%%arg = OpFunctionParameter %%uint\n%%l = OpLabel\n%s",
                     (int)(sizeof before - sizeof end), before, line, end, end);
            wrong += !refused(line, text, "has no value here");
        }
    assert_int_equal(wrong, 0);
}

/* Structures of two types, where numbers of one type are wanted. */
static const char *const of_structures[] = {
    "OpBitcast %v2 %cul", "OpConvertUToF %v2 %cuf", "OpUConvert %u2 %cuf", "OpQuantizeToF16 %v2 %cfu",
    "OpFAdd %fu %cfu %cfu", "OpVectorTimesScalar %fu %cfu %half", "OpDot %float %cfu %zeros2",
    "OpDot %float %zeros2 %cfu", "OpOuterProduct %m2 %zeros2 %cfu", "OpVectorTimesMatrix %v2 %cfu %zm",
    "OpMatrixTimesVector %v2 %zm %cfu", "OpVectorExtractDynamic %uint %cul %one",
    "OpVectorInsertDynamic %ul %cul %one %one", "OpSelect %u2 %cbu %pair %pair", "OpAny %bool %cbu",
    "OpShiftLeftLogical %ul %cul %pair", "OpShiftLeftLogical %u2 %pair %cuf",
    "OpBitFieldInsert %ul %cul %pair %one %one", "OpBitFieldInsert %u2 %pair %cul %one %one",
    "OpBitFieldUExtract %ul %cul %one %one", "OpBitCount %u2 %cul", "OpDPdx %fu %cfu", "OpFwidth %fu %cfu",
    "OpUDot %uint %cuf %pair", "OpUDot %uint %pair %cuf", "OpGroupNonUniformIAdd %uf %three Reduce %cuf",
    "OpExtInst %fu %ext FAbs %cfu", "OpExtInst %v2 %ext FMin %zeros2 %cfu", "OpExtInst %float %ext Length %cfu",
    "OpExtInst %float %ext Distance %zeros2 %cfu", "OpExtInst %v2 %ext Ldexp %zeros2 %cuf",
    "OpExtInst %float %ext Determinant %cfu",
};
#define STRUCTURES                                                                                                   \
    "%long = OpTypeInt 64 0\n%m2 = OpTypeMatrix %v2 2\n%zm = OpConstantNull %m2\n%ul = OpTypeStruct %uint %long\n"    \
    "%cul = OpConstantNull %ul\n%uf = OpTypeStruct %uint %float\n%cuf = OpConstantNull %uf\n"                       \
    "%fu = OpTypeStruct %float %uint\n%cfu = OpConstantNull %fu\n%bu = OpTypeStruct %bool %uint\n"                  \
    "%cbu = OpConstantNull %bu\n"

static void test_structures(void **state)
{
    static const char program[] = COMPUTES("", STRUCTURES, ""), end[] = "OpReturn\nOpFunctionEnd\n";
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof of_structures / sizeof *of_structures; i++) {
        char text[sizeof program + 200];
        snprintf(text, sizeof text, "%.*s%%x = %s\n%s", (int)(sizeof program - sizeof end), program, of_structures[i],
                 end);
        wrong += !refused(of_structures[i], text, "is not of numbers of one type");
    }
    assert_int_equal(wrong, 0);
}

/* A stage that has no derivatives has level 0 of what it does not say the level of. */
static void test_levels(void **state)
{
    static const struct {
        const char *text, *op;
    } lookups[] = {
        {HEAD("Fragment", "") FRAGMENT SAMPLES("%x = OpImageSampleImplicitLod %vec4 %s %zero\n"),
         "f32 texture sample d2"},
        {HEAD("Vertex", "") "OpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n"
         SAMPLES("%x = OpImageSampleImplicitLod %vec4 %s %zero\n"), "f32 texture lod d2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof lookups / sizeof *lookups; i++) {
        struct arena arena = {0};
        struct ir_program *p = NULL;
        size_t length;
        weft_diags *diags = weft_diags_new();
        assert_int_equal(lift_text("a lookup", lookups[i].text, &arena, &p, diags), WEFT_OK);
        const char *ir = ir_print(p, &arena, &length);
        assert_non_null(ir);
        if (!strstr(ir, lookups[i].op))
            fail_msg("%s\nhas no %s", ir, lookups[i].op);
        weft_diags_free(diags);
        arena_free(&arena);
    }
}

static void test_stage(void **state)
{
    struct arena arena = {0};
    struct ir_program *p = NULL;
    weft_diags *diags = weft_diags_new();
    (void)state;
    assert_int_equal(lift_stage("no fragment program", CHAIN BODY(""), IR_FRAGMENT, &arena, &p, diags),
                     WEFT_ERROR_INPUT);
    assert_true(says(diags, "the module has no entry point of a fragment program"));
    weft_diags_free(diags);
    arena_free(&arena);
}

TEST_MAIN(TEST(test_structures), TEST(test_no_value), TEST(test_stage), TEST(test_length), TEST(test_levels),
          TEST(test_constant_ops), TEST(test_refused), TEST(test_buffers), TEST(test_wide_builtins), TEST(test_depth))
