#include "ir_text.h"

#include "ir/build.h"

#define HEAD                                                                                                           \
    "ir test fragment lanes 16\n"                                                                                      \
    "input generic[0] perspective center mask 0xf\noutput color[0] constant center mask 0xf\n"                         \
    "file r bits 32 count 8\nfile u bits 32 count 8 uniform\nfile h bits 16 count 4\nfile f bits 1 count 4\n"          \
    "space c const bounds zero slot 0 size 0\nspace g global bounds zero slot 0 size 0\n"                              \
    "space p private bounds zero slot 0 size 64\nhelper odd\ninsn addr 0x0 line 1 row 0\n"

/* Each program with the fault that the verifier must name; NULL: none. */
static const struct {
    const char *text, *fault;
} cases[] = {
    {HEAD "block 0\nblock 1\n end\n", NULL},
    /* blocks and terminators */
    {HEAD "block 0\n", "a program has a prologue and an entry"},
    {HEAD "block 0\nblock 1\n", "block 1 is empty"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n", "the last op of a block must be a terminator"},
    {HEAD "block 0\nblock 1\n end\n end\n", "a terminator must be the last op of its block"},
    {HEAD "block 0\nblock 1\n goto b0\n", "block 0 is not a target"},
    {HEAD "block 0\nblock 1\n goto b2\n", "block 2 is not a target"},
    {HEAD "block 0\nblock 1\n barrier b7 0\n", "block 7 is not a target"},
    {HEAD "block 0\nblock 1\n control 1 0x0 [b1 b9]\n", "block 9 is not a target"},
    {HEAD "block 0\n $1 = i1 const 1\nblock 1\n control 1 0x0 direct_none direct_all [b1 b1], $1\n", NULL},
    {HEAD "block 0\nblock 1\n control 1 0x0 split [b1 b1]\n", "a control that splits needs an i1 and two targets"},
    {HEAD "block 0\nblock 1\n control 1 0x0 meet []\n", "one that meets a target"},
    {HEAD "block 0\n $1 = i32 const 1\nblock 1\n control 1 0x0 direct_all [b1 b1], $1\n",
     "a direct branch needs an i1 and two targets"},
    {HEAD "block 0\n $1 = i1 const 1\nblock 1\n control 1 0x0 direct_none [b1], $1\n",
     "a direct branch needs an i1 and two targets"},
    {HEAD "block 0\n $1 = i1 const 1\nblock 1\n branch $1, b1, b5\n", "block 5 is not a target"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i1 eq %1, %1\n branch %2, b1, b1\n",
     "the condition of a branch must be uniform"},
    {HEAD "block 0\nblock 1\n $1 = i32 get u[0]\n branch $1, b1, b1\n", "the argument must be an i1"},
    /* prologue */
    {HEAD "block 0\n end\nblock 1\n end\n", "the prologue holds pure ops only"},
    {HEAD "block 0\n $1 = i32 get u[0]\nblock 1\n end\n", "the prologue holds pure ops only"},
    {HEAD "block 0\n %1 = i32 lane_id\nblock 1\n end\n", "the prologue holds uniform ops only"},
    {HEAD "block 0\n $1 = i32 const 0\n $2 = f32 load c[$1 + 0]:f32\nblock 1\n end\n", NULL},
    {HEAD "block 0\n $1 = i32 const 0\n $2 = f32 load g[$1 + 0]:f32\nblock 1\n end\n",
     "the prologue holds pure ops only"},
    /* values */
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n goto b2\nblock 2\n set r[1], %1\n end\n", "value 1 is of block 1"},
    {HEAD "block 0\nblock 1\n $1 = i32 lane_id\n end\n", "it is marked uniform and is lane"},
    {HEAD "block 0\nblock 1\n %1 = i32 const 0\n end\n", "it is marked lane and is uniform"},
    {HEAD "block 0\n $1 = i32 const 0\nblock 1\n $2 = f32 load p[$1 + 0]:f32\n end\n",
     "it is marked uniform and is lane"},
    {HEAD "block 0\nblock 1\n @1\n end\n", "guest instruction 1 does not exist"},
    /* types */
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 add %1, %1\n end\n",
     "the argument must be an integer wider than i1"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 fadd %1, %1\n end\n", "the argument must be a float"},
    {HEAD "block 0\nblock 1\n %1 = f64 get r[0]\n %2 = f64 fsin %1\n end\n", "the argument must be an f32"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f64 fadd %1, %1\n end\n",
     "the result must be of the argument's type"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f64 get r[0]\n %3 = f32 fadd %1, %2\n end\n",
     "the arguments must be of one type"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 fadd %1\n end\n", "wrong number of arguments"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 flt %1, %1\n end\n", "wrong type of result"},
    {HEAD "block 0\nblock 1\n %1 = i64 get r[0]\n %2 = i64 shl %1, %1\n end\n", "the count must be an i32"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 select %1, %1, %1\n end\n", "the condition must be an i1"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = f64 bitcast %1\n end\n", "a bitcast must keep the width"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i16 zext %1\n end\n", "must widen an integer"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i64 trunc %1\n end\n", "must narrow an integer"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 f2f %1\n end\n",
     "must turn a float into another float type"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 lo32 %1\n end\n",
     "must take a 32-bit word of a 64-bit value"},
    {HEAD "block 0\n $1 = i16 const 0x12345\nblock 1\n end\n", "the constant has more than 16 bits"},
    {HEAD "block 0\n $1 = i1 const 0x2\nblock 1\n end\n", "the constant has more than 1 bits"},
    {HEAD "block 0\nblock 1\n %1..%2 = i32 lane_id\n end\n", "has one result"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n $2 = i32 reduce shl, %1\n end\n", "imm must be an associative op"},
    /* types that do not go together */
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 s2f %1\n end\n",
     "must turn an integer into a float"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 u2f %1\n end\n",
     "must turn an integer into a float"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 f2s %1\n end\n",
     "must turn a float into an integer"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f64 f2u %1\n end\n",
     "must turn a float into an integer"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = f32 f2f %1\n end\n",
     "must turn a float into another float type"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = i64 zext %1\n end\n",
     "must widen an integer"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = f64 sext %1\n end\n",
     "must widen an integer"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = i16 trunc %1\n end\n",
     "must narrow an integer"},
    {HEAD "block 0\nblock 1\n %1 = i64 get r[0]\n %2 = f16 trunc %1\n end\n",
     "must narrow an integer"},
    {HEAD "block 0\nblock 1\n %1 = i64 get r[0]\n %2 = i64 hi32 %1\n end\n",
     "must take a 32-bit word of a 64-bit value"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 pack64 %1, %1\n end\n",
     "must make a 64-bit value of two 32-bit words"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i64 get r[0]\n %3 = i64 pack64 %1, %2\n end\n",
     "must make a 64-bit value of two 32-bit words"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i64 get r[0]\n %3 = i64 pack64 %2, %1\n end\n",
     "must make a 64-bit value of two 32-bit words"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i1 eq %1, %1\n %3 = i1 bitcast %2\n end\n",
     "a bitcast must keep the width"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i1 eq %1, %1\n %3 = i1 neg %2\n end\n",
     "the argument must be an integer wider than i1"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 not %1\n end\n",
     "the argument must be an integer"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n $2 = i32 reduce fadd, %1\n end\n",
     "the argument must be a float"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n $2 = f32 reduce add, %1\n end\n",
     "the argument must be an integer wider than i1"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i1 eq %1, %1\n %3 = i1 shuffle %2, %1\n end\n",
     "takes a value wider than i1 and an i32"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i64 get r[0]\n %3 = i32 shuffle %1, %2\n end\n",
     "takes a value wider than i1 and an i32"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i64 get r[0]\n"
          " %3 = i1 eq %1, %1\n %4 = i32 select %3, %1, %2\n end\n",
     "both arms must be of the result's type"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i64 get r[0]\n"
          " %3 = i1 eq %1, %1\n %4 = i32 select %3, %2, %1\n end\n",
     "both arms must be of the result's type"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2..%3 = f32 load g[%1 + 0]:f32\n end\n", NULL},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i64 get r[0]\n store g[%1 + 0]:f32, %2\n end\n",
     "the data do not fit the elements"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i64 get r[0]\n %3 = i32 atomic add g[%1 + 0]:i32, %2\n end\n",
     "operand and result must be of one type"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i64 get r[0]\n %3 = i64 atomic add g[%1 + 0]:i32, %2\n end\n",
     "the operand does not fit the element"},
    {HEAD "block 0\nblock 1\n %2 = f32 get r[0]\n %1 = i32 get r[0]\n %3 = f32 atomic and g[%1 + 0]:f32, %2\n end\n",
     "wrong type for the operation"},
    {HEAD "block 0\nblock 1\n %2 = f32 get r[0]\n %1 = i32 get r[0]\n"
          " %3 = f32 atomic xchg g[%1 + 0]:f32, %2\n end\n", NULL},
    {HEAD "block 0\nblock 1\n %1 = i64 get r[0]\n %2..%5 = f32 texture sample d2.x view 0 sampler 0, %1, %1\n end\n",
     "arguments of texture ops are f32 or i32"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2..%5 = f64 texture sample d2.x view 0 sampler 0, %1, %1\n end\n",
     "a texture op has four results, f32 or i32"},
    {HEAD "block 0\nblock 1\n %1 = i64 sysval sample_id.x\n end\n",
     "system values are i32 or f32"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n $2 = f32 get u[0]\n jump $2\n",
     "the address must be an i32 or an i64"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n control 1 0x0 [b1 b1], %1\n",
     "arguments of control are i1 or i32"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i1 get f[0]\n set r[0]:i32, %2\n end\n",
     "the value is not as wide as the part of the register"},
    /* predicates */
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n set r[1], %1 if %1\n end\n", "the predicate must be an i1"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i1 eq %1, %1\n %3 = i32 neg %1 if %2\n end\n",
     "only ops with effects, loads and textures have a predicate"},
    /* registers */
    {HEAD "block 0\nblock 1\n %1 = i32 get r[8]\n end\n", "elements 8 to 8 are not in file r of 8"},
    {HEAD "block 0\nblock 1\n %1 = i64 get r[7]\n end\n", "elements 7 to 8 are not in file r of 8"},
    {HEAD "block 0\nblock 1\n %1 = i64 get h[0]\n end\n", NULL},
    {HEAD "block 0\nblock 1\n %1 = i64 get h[1]\n end\n", "elements 1 to 4 are not in file h of 4"},
    {HEAD "block 0\nblock 1\n %1 = i16 get r[0]+16\n %2 = i8 get r[0]+24\n %3 = i1 get r[0]+31\n end\n", NULL},
    {HEAD "block 0\nblock 1\n %1 = i16 get r[0]+8\n end\n", "16 bits at bit 8 do not lie in elements of 32 bits"},
    {HEAD "block 0\nblock 1\n %1 = i16 get r[0]+32\n end\n", "16 bits at bit 32 do not lie in elements of 32 bits"},
    {HEAD "block 0\nblock 1\n %1 = i64 get r[0]+32\n end\n", "64 bits at bit 32 do not lie in elements of 32 bits"},
    {HEAD "block 0\nblock 1\n %1 = i16 get r[0]:i32\n end\n", "the value is not as wide as the part of the register"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 get_dyn r[2 + %1 * 2, -1..2]\n end\n", NULL},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 get_dyn r[2 + %1 * 2, -1..3]\n end\n",
     "elements 0 to 8 are not in file r of 8"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 get_dyn r[2 + %1 * 1, -3..3]\n end\n",
     "elements -1 to 5 are not in file r of 8"},
    {HEAD "block 0\nblock 1\n %1 = i64 get r[0]\n %2 = i32 get_dyn r[2 + %1 * 1, 0..3]\n end\n",
     "the index must be an i32"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n set u[0], %1\n end\n",
     "what a register of the warp is set to must be uniform"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n $2 = i32 get u[0]\n set_dyn u[0 + %1 * 1, 0..7], $2\n end\n", NULL},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n set_dyn u[0 + %1 * 1, 0..7], %1\n end\n",
     "what a register of the warp is set to must be uniform"},
    {HEAD
     "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i64 get r[0]\n %3 = i32 get_lane r[0 + %1 * 1, 0..7], %2\n end\n",
     "the lane must be an i32"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i1 eq %1, %1\n $3 = i32 get u[0]\n set u[1], $3 if %2\n end\n",
     "what a register of the warp is set to must be uniform"},
    {HEAD "block 0\nblock 1\n %1 = i1 get f[3]\n set f[0], %1\n end\n", NULL},
    {HEAD "block 0\nblock 1\n %1 = i8 get f[0]\n end\n", "elements of one bit hold an i1 each"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n jump %1\n", "the address of a jump must be uniform"},
    /* memory */
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 load g[%1 + 0]:f32\n end\n",
     "the address must be an i32 or an i64"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = f64 load g[%1 + 0]:f32\n end\n",
     "the results do not fit the elements"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = f32 load g[%1 + 0]:f32 align 3\n end\n",
     "alignment 3 is not a power of two"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n store g[%1 + 0]:f32\n end\n",
     "an access has 1 to 16 elements of at least a byte"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 atomic cas g[%1 + 0]:i32, %1\n end\n",
     "an atomic takes an address, an operand and, for cas, what to compare with; it gives one value"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 atomic fadd g[%1 + 0]:i32, %1\n end\n",
     "wrong type for the operation"},
    /* services */
    {HEAD "block 0\nblock 1\n %1 = f32 interp 1.x linear center\n end\n", "input 1 does not exist"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n output 4.x, %1\n end\n", "output 4 does not exist"},
    {HEAD "block 0\nblock 1\n %1 = i16 get h[0]\n output 0.x, %1\n end\n", "an output must be of 32 bits"},
    {HEAD "block 0\nblock 1\n %1 = i32 sysval face.x\n end\n", "this system value is an i1"},
    {HEAD "block 0\nblock 1\n emit 4\n end\n", "stream 4 does not exist"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 quad_lane 4, %1\n end\n",
     "lane of the quad 4 does not exist"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2..%3 = f32 texture sample d2.x view 0 sampler 0, %1, %1\n end\n",
     "a texture op has four results, f32 or i32"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n discard %1\n end\n", "the argument must be an i1"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n"
          " %2..%5 = f32 service image_load image 3 d2 array float add format 31, %1, %1, %1\n end\n",
     NULL},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2..%5 = i32 service image_load image 3 d2 array add format 31, %1, "
          "%1\n end\n",
     "wrong number of arguments for the image"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2..%5 = i32 service image_load image 0 d1 add format 0, %1\n end\n",
     "wrong type of argument for the image"},
    {HEAD "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 service image_atomic image 0 cube cas format 0, %1, %1, %1, "
          "%1, %1\n end\n",
     NULL},
    {HEAD
     "block 0\nblock 1\n %1 = i32 get r[0]\n %2..%3 = i32 service image_atomic image 0 d1 add format 0, %1, %1\n end\n",
     "wrong number or type of results for the image"},
    {HEAD "block 0\nblock 1\n %1..%4 = i32 service resource_size space 1 buffer add format 0\n end\n", NULL},
    {HEAD "block 0\nblock 1\n %1..%4 = i32 service resource_size space 9 buffer add format 0\n end\n",
     "address space 9 does not exist"},
    {HEAD
     "block 0\nblock 1\n %1 = i32 get r[0]\n %2..%5 = i32 service image_load space 1 buffer add format 0, %1\n end\n",
     "an address space has no image; its size alone may be asked for"},
    /* attributes */
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = i32 f2s.wrap.x86 %1\n end\n",
     "two rules for conversions out of range"},
    {HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 fmin.second.propagate %1, %1\n end\n",
     "attribute bits 0x300 out of range"},
    /* tables */
    {"ir test vertex lanes 65\nblock 0\nblock 1\n end\n", "65 lanes: a warp has 1 to 64"},
    {"ir test vertex lanes 0\nblock 0\nblock 1\n end\n", "0 lanes: a warp has 1 to 64"},
    {"ir test vertex lanes 4\nfile r bits 24 count 1\nblock 0\nblock 1\n end\n", "file 0: elements of 24 bits"},
    {"ir test vertex lanes 4\nfile r bits 32 count 1\nfile r bits 32 count 1\nblock 0\nblock 1\n end\n",
     "files 0 and 1 have the same name"},
    {"ir test vertex lanes 4\nspace s shared bounds wrap slot 0 size 100\nblock 0\nblock 1\n end\n",
     "space 0: a space that wraps has a power of two of bytes"},
    {"ir test vertex lanes 4\ninput generic[0] linear center mask 0x1f\nblock 0\nblock 1\n end\n",
     "input 0: semantic, interpolation, location, mask or corner out of range"},
    {"ir test fragment lanes 4\ninput generic[0] constant center mask 0xf corner 4\nblock 0\nblock 1\n end\n",
     "input 0: semantic, interpolation, location, mask or corner out of range"},
};

static void each_rule_is_checked(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        struct ir_program *p = ir_of(&a, cases[i].text);
        weft_diags *d = weft_diags_new();
        weft_status s = ir_verify(p, d);
        const char *fault = cases[i].fault, *message = first_message(d);
        bool as_said = fault ? s == WEFT_ERROR_INTERNAL && strstr(message, fault) : s == WEFT_OK;
        if (!as_said)
            print_message("# %s\n# said: %s\n# not: %s\n", cases[i].text, message, fault ? fault : "nothing");
        wrong += !as_said;
        weft_diags_free(d);
        arena_free(&a);
    }
    assert_int_equal(wrong, 0);
}

static void messages_name_the_place(void **state)
{
    (void)state;
    struct arena a = {0};
    struct ir_program *p =
        ir_of(&a, HEAD "block 0\nblock 1\n goto b2\nblock 2\n %1 = f32 get r[0]\n %2 = f32 neg %1\n end\n");
    weft_diags *d = weft_diags_new();
    assert_int_equal(ir_verify(p, d), WEFT_ERROR_INTERNAL);
    assert_string_equal(weft_diags_get(d, 0)->code, "ir");
    assert_string_equal(first_message(d), "block 2, op 1 (neg): the argument must be an integer wider than i1");
    weft_diags_free(d);
    arena_free(&a);
}

/* What the text form cannot say wrongly: damage to the program itself. */
static void damaged_programs(void **state)
{
    (void)state;
    for (int damage = 0; damage < 14; damage++) {
        struct arena a = {0};
        struct ir_program *p =
            ir_of(&a, HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 fadd %1, %1\n set r[1], %2\n end\n");
        assert_verifies(p);
        struct ir_op *ops = p->blocks[1].ops;
        switch (damage) {
        case 0: ops[0].code = IR_OPCODES; break;
        case 1: ops[1].args = p->npool; break;
        case 2: p->pool[ops[1].args] = 77; break;
        case 3: p->pool[ops[1].args] = 0; break;
        case 4: p->pool[ops[1].args] = 2; break;
        case 5: ops[0].desc = 1000; break;
        case 6: p->regs[0].file = 9; break;
        case 7: p->regs[0].part = IR_TYPES; break;
        case 8: ops[1].res = 1; break;
        case 9: ops[1].res = 1000; break;
        case 10: p->value_type[2] = IR_I32; break;
        case 11: ops[1].imm = 1; break;
        case 12: p->stage = 77; break;
        default: ops[1].uniform = 1; break;
        }
        weft_diags *d = weft_diags_new();
        assert_int_equal(ir_verify(p, d), WEFT_ERROR_INTERNAL);
        assert_true(weft_diags_errors(d) > 0);
        assert_non_null(ir_print(p, &a, NULL)); /* for the one who looks for the fault */
        weft_diags_free(d);
        arena_free(&a);
    }
}

/* Of everything that a descriptor or a table can be of. */
#define WHOLE                                                                                                          \
    HEAD "helper even\nspace s shared bounds wrap slot 0 size 64\nblock 0\nblock 1\n %1 = i32 get r[0]\n"             \
         " %2 = f32 load g[%1 + 0]:f32\n %3..%6 = f32 texture sample d2.x view 0 sampler 0, %2, %2\n"                  \
         " %7..%10 = f32 service image_load image 3 d2 array float add format 31, %1, %1, %1\n"                        \
         " %11 = f32 interp 0.x linear center\n control 1 0x0 [b1 b1]\n"

struct damaged {
    struct ir_program *p;
    struct ir_op *load, *texture, *image, *interp, *control;
};

static const char *damage(unsigned n, struct damaged *d)
{
    struct ir_program *p = d->p;
    switch (n) {
    case 0: return p->isa = "a b", "the name of the instruction set is not a word";
    case 1: return p->isa = NULL, "the name of the instruction set is not a word";
    case 2: return p->files[1].name = "", "file 1: its name is not a word";
    case 3: return p->files[0].name = "1", "file 0: its name is not a word";
    case 4: return p->spaces[1].name = "a-b", "space 1: its name is not a word";
    case 5: return p->spaces[1].name = "c", "spaces 0 and 1 have the same name";
    case 6: return p->helpers[1].name = "", "helper 1: its name is not a word";
    case 7: return p->helpers[1].name = "odd", "helpers 0 and 1 have the same name";
    case 8: return p->spaces[0].kind = IR_SPACE_BUS + 1, "space 0: kind or bounds rule out of range";
    case 9: return p->spaces[0].bounds = IR_BOUNDS_WRAP + 1, "space 0: kind or bounds rule out of range";
    case 10: return p->spaces[3].size = 65, "space 3: a space that wraps has a power of two of bytes";
    case 11: return p->io.inputs[0].semantic = IR_SEMANTICS, "input 0: semantic, interpolation, location, mask";
    case 12: return p->io.inputs[0].interp = IR_INTERP_COLOR + 1, "input 0: semantic, interpolation";
    case 13: return p->io.outputs[0].location = IR_LOC_SAMPLE + 1, "output 0: semantic, interpolation";
    case 14: return d->load->desc = 99, "memory descriptor 99 does not exist";
    case 15: return p->mems[d->load->desc].space = 99, "address space 99 does not exist";
    case 16: return p->mems[d->load->desc].elem = IR_I1, "an access has 1 to 16 elements of at least a byte";
    case 17: return p->mems[d->load->desc].count = 17, "an access has 1 to 16 elements of at least a byte";
    case 18: return d->texture->desc = 99, "texture descriptor 99 does not exist";
    case 19: return p->textures[0].op = IR_TEX_QUERY_POS + 1, "texture operation, dimension or component out of range";
    case 20: return p->textures[0].dim = IR_TEX_BUFFER + 1, "texture operation, dimension or component out of range";
    case 21: return p->textures[0].gather_component = 4, "texture operation, dimension or component out of range";
    case 22: return d->image->desc = 99, "image descriptor 99 does not exist";
    case 23: return p->images[0].dim = IR_TEX_BUFFER + 1, "dimension, atomic operation or binding of an image";
    case 24: return p->images[0].atomic = 99, "dimension, atomic operation or binding of an image out of range";
    case 25: return p->images[0].binding = IR_IMAGE_SPACE + 1, "dimension, atomic operation or binding of an image";
    case 26: return p->images[0].mask = 16, "a raw image has words, of which at most four are written";
    case 27: return p->images[0].raw = 1, "a raw image has words, of which at most four are written";
    case 28: return d->interp->attr = IR_INTERP_COLOR + 1, "interpolation out of range";
    case 29: return d->interp->attr = (IR_LOC_SAMPLE + 1) << 4, "interpolation out of range";
    case 30: return d->control->desc = 99, "control descriptor 99 does not exist";
    case 31: return p->controls[0].ntargets = IR_TARGETS + 1, "a control has at most";
    case 32: return p->controls[0].way = IR_WAY_MEET + 1, "a control that splits needs an i1 and two targets";
    case 33: return d->load->attr = IR_NAN_X86 << 1, "attribute bits";
    case 34: return d->load->nargs = 200, "its arguments are outside the pool";
    case 35: return d->control->res = 3, "it has no result but names one";
    case 36: return d->load->res = 0, "its result, value 0, does not exist";
    case 37: return d->load->uniform = 2, "it is marked";
    case 38: return d->load->pred = 99, "value 99 does not exist";
    default: return NULL;
    }
}

static void damaged_tables(void **state)
{
    unsigned n = 0;
    (void)state;
    for (bool more = true; more; n += more) {
        struct arena a = {0};
        struct damaged of = {.p = ir_of(&a, WHOLE)};
        struct ir_op *ops = of.p->blocks[1].ops;
        assert_verifies(of.p);
        of.load = &ops[1];
        of.texture = &ops[2];
        of.image = &ops[3];
        of.interp = &ops[4];
        of.control = &ops[5];
        const char *says = damage(n, &of);
        more = says != NULL;
        weft_diags *d = weft_diags_new();
        weft_status status = ir_verify(of.p, d);
        if (status != (says ? WEFT_ERROR_INTERNAL : WEFT_OK))
            fail_msg("damage %u: %s", n, weft_status_name(status));
        if (says && !strstr(first_message(d), says))
            fail_msg("damage %u: %s, not: %s", n, first_message(d), says);
        assert_non_null(ir_print(of.p, &a, NULL));
        weft_diags_free(d);
        arena_free(&a);
    }
    assert_int_equal(n, 39);
}

static void blocks_before_the_first_are_passed_over(void **state)
{
    (void)state;
    struct arena a = {0};
    struct ir_program *p = ir_of(
        &a, HEAD "block 0\nblock 1\n %1 = f32 get r[0]\n goto b2\nblock 2\n %2 = f32 get r[0]\n end\n end\n");
    weft_diags *d = weft_diags_new();
    assert_int_equal(ir_verify_from(p, 3, d), WEFT_OK);
    assert_int_equal(ir_verify_from(p, 2, d), WEFT_ERROR_INTERNAL);
    assert_non_null(strstr(first_message(d), "block 2, op 1"));
    weft_diags_free(d);
    arena_free(&a);
}

TEST_MAIN(TEST(each_rule_is_checked), TEST(messages_name_the_place), TEST(blocks_before_the_first_are_passed_over),
          TEST(damaged_programs), TEST(damaged_tables))
