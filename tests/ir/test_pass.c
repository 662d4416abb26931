/* What each pass does, in text: a program before and after it. */
#include "ir_text.h"

#include "ir/build.h"
#include "ir/pass.h"

#define HEAD                                                                                                           \
    "ir test fragment lanes 16\n"                                                                                      \
    "output color[0] constant center mask 0xf\n"                                                                       \
    "file r bits 32 count 8\nfile u bits 32 count 8 uniform\nfile keep bits 32 count 2 preserved\n"                   \
    "space c const bounds zero slot 0 size 0\nspace t const bounds trap slot 0 size 0\n"                              \
    "space g global bounds zero slot 0 size 0\nspace io bus bounds zero slot 0 size 0\n"

static void becomes(void (*pass)(struct ir_program *), const char *head, const char *before, const char *after)
{
    struct arena a = {0};
    char *text = arena_printf(&a, "%s%s", head, before), *want = arena_printf(&a, "%s%s", head, after);
    struct ir_program *p = ir_of(&a, text);
    assert_verifies(p);
    pass(p);
    assert_verifies(p);
    assert_string_equal(text_of(&a, p), want);
    arena_free(&a);
}

static void forward(const char *before, const char *after) { becomes(ir_pass_forward, HEAD, before, after); }

static void forwarding(void **state)
{
    (void)state;
    /* a GET after a SET; the same bits of another type; a GET after a GET */
    forward("block 0\nblock 1\n %1 = f32 sysval frag_x.x\n set r[0], %1\n %2 = f32 get r[0]\n %3 = i32 get r[0]\n %4 = "
            "f32 get r[1]\n"
            " %5 = f32 get r[1]\n output 0.x, %2\n output 0.y, %4\n output 0.z, %5\n store g[%3 + 0]:f32, %2\n end\n",
            "block 0\nblock 1\n  %1 = f32 sysval frag_x.x\n  set r[0], %1\n  %2 = i32 bitcast %1\n  %3 = f32 get r[1]\n"
            "  output 0.x, %1\n  output 0.y, %3\n  output 0.z, %3\n  store g[%2 + 0]:f32, %1\n  end\n");
    /* a predicated SET, a half, an index: nothing is known after them */
    forward("block 0\nblock 1\n %1 = i32 sysval prim_id.x\n %2 = i1 eq %1, %1\n set r[0], %1\n set r[0], %1 if %2\n %3 "
            "= i32 get r[0]\n"
            " %4 = i16 trunc %1\n set r[1], %1\n set r[1]+16, %4\n %5 = i32 get r[1]\n set r[2], %1\n set_dyn r[0 + %1 "
            "* 1, 0..7], %1\n"
            " %6 = i32 get r[2]\n store g[%3 + 0]:i32, %5, %6\n end\n",
            "block 0\nblock 1\n  %1 = i32 sysval prim_id.x\n  %2 = i1 eq %1, %1\n  set r[0], %1\n  set r[0], %1 if "
            "%2\n  %3 = i32 get r[0]\n"
            "  %4 = i16 trunc %1\n  set r[1], %1\n  set r[1]+16, %4\n  %5 = i32 get r[1]\n  set r[2], %1\n"
            "  set_dyn r[0 + %1 * 1, 0..7], %1\n  %6 = i32 get r[2]\n  store g[%3 + 0]:i32, %5, %6\n  end\n");
    /* pairs: a whole pair is known, a half of one is not */
    forward("block 0\nblock 1\n %1 = i32 sysval prim_id.x\n %2 = i64 pack64 %1, %1\n set r[2], %2\n %3 = f64 get "
            "r[2]\n %4 = i32 get r[3]\n"
            " %5 = i32 f2s %3\n store g[%4 + 0]:i32, %5\n end\n",
            "block 0\nblock 1\n  %1 = i32 sysval prim_id.x\n  %2 = i64 pack64 %1, %1\n  set r[2], %2\n  %3 = f64 "
            "bitcast %2\n"
            "  %4 = i32 get r[3]\n  %5 = i32 f2s %3\n  store g[%4 + 0]:i32, %5\n  end\n");
}

static void overwritten_sets(void **state)
{
    (void)state;
    forward(
        "block 0\nblock 1\n %1 = i32 sysval prim_id.x\n %2 = i32 neg %1\n set r[0], %1\n set r[1], %1\n set r[0], %2\n "
        "end\n",
        "block 0\nblock 1\n  %1 = i32 sysval prim_id.x\n  %2 = i32 neg %1\n  set r[1], %1\n  set r[0], %2\n  end\n");
    /* both halves cover the whole; one half does not */
    forward("block 0\nblock 1\n %1 = i32 sysval prim_id.x\n %2 = i16 trunc %1\n set r[0], %1\n set r[0], %2\n set "
            "r[0]+16, %2\n"
            " set r[1], %1\n set r[1], %2\n end\n",
            "block 0\nblock 1\n  %1 = i32 sysval prim_id.x\n  %2 = i16 trunc %1\n  set r[0], %2\n  set r[0]+16, %2\n"
            "  set r[1], %1\n  set r[1], %2\n  end\n");
    /* a read by index, or a probe, comes first */
    static const char read[] =
        "block 0\nblock 1\n  %1 = i32 sysval prim_id.x\n  set r[0], %1\n"
        "  %2 = i32 get_dyn r[0 + %1 * 1, 0..7]\n  set r[0], %2\n  probe 0 0x0\n  set r[0], %1\n  end\n";
    forward(read, read);
}

/* Other lanes see what an inactive lane's register held: no value set may take its place. */
static void inactive_lanes(void **state)
{
    (void)state;
    static const char divergent[] =
        "block 0\nblock 1\n  %1 = i1 sysval face.x\n  control 1 0x0 [b2 b3], %1\n"
        "block 2\n  %2 = f32 sysval frag_x.x\n  set r[0], %2\n  %3 = f32 get r[0]\n  %4 = f32 quad_xor 1, %3\n"
        "  output 0.x, %4\n  end\nblock 3\n  end\n";
    forward(divergent, divergent);
    /* where every lane runs, a fragment's quad is whole */
    forward("block 0\nblock 1\n %1 = f32 sysval frag_x.x\n set r[0], %1\n %2 = f32 get r[0]\n %3 = f32 quad_xor 1, "
            "%2\n output 0.x, %3\n end\n",
            "block 0\nblock 1\n  %1 = f32 sysval frag_x.x\n  set r[0], %1\n  %2 = f32 quad_xor 1, %1\n  output 0.x, "
            "%2\n  end\n");
    /* a warp without active lanes leaves its registers as they are, and branches on them */
    static const char parked[] =
        "block 0\n  $1 = i32 const 0x1\nblock 1\n  %2 = i1 sysval face.x\n  control 1 0x0 [b2 b3], %2\n"
        "block 2\n  set u[0], $1\n  $3 = i32 get u[0]\n  $4 = i1 eq $3, $1\n  branch $4, b3, b2\nblock 3\n  end\n";
    forward(parked, parked);
}

static void folding(void **state)
{
    (void)state;
    becomes(ir_pass_fold, HEAD,
            "block 0\n $1 = f32 const 0x40000000\n $2 = f32 const 0x40400000\n $3 = f32 fmul $1, $2\n $4 = i32 const "
            "7\n $5 = i32 const 0\n"
            " $6 = i32 div_u $4, $5\nblock 1\n output 0.x, $3\n output 0.y, $6\n end\n",
            "block 0\n  $1 = f32 const 0x40000000  # 2\n  $2 = f32 const 0x40400000  # 3\n  $3 = f32 const 0x40c00000  "
            "# 6\n"
            "  $4 = i32 const 0x7\n  $5 = i32 const 0x0\n  $6 = i32 const 0xffffffff\nblock 1\n  output 0.x, $3\n  "
            "output 0.y, $6\n  end\n");
    /* the truth values of a comparison, taken apart again */
    becomes(ir_pass_fold, HEAD,
            "block 0\n $1 = f32 const 0x3f800000\n $2 = f32 const 0\n $3 = i32 const 0\nblock 1\n %4 = f32 get r[0]\n "
            "%5 = i1 flt %4, $1\n"
            " %6 = f32 select %5, $1, $2\n %7 = i1 fne %6, $2\n %8 = i32 sext %5\n %9 = f32 bitcast %8\n %10 = i32 "
            "bitcast %9\n"
            " %11 = i1 eq $3, %10\n output 0.x, $1 if %7\n output 0.y, $1 if %11\n end\n",
            "block 0\n  $1 = f32 const 0x3f800000  # 1\n  $2 = f32 const 0x0  # 0\n  $3 = i32 const 0x0\nblock 1\n  %4 "
            "= f32 get r[0]\n"
            "  %5 = i1 flt %4, $1\n  %6 = f32 select %5, $1, $2\n  %7 = i32 sext %5\n  %8 = f32 bitcast %7\n  %9 = i1 "
            "not %5\n"
            "  output 0.x, $1 if %5\n  output 0.y, $1 if %9\n  end\n");
    /* a + -b keeps a NaN's sign unless NaNs are canonical */
    becomes(ir_pass_fold, HEAD,
            "block 0\nblock 1\n %1 = f32 get r[0]\n %2 = f32 get r[1]\n %3 = f32 fneg %2\n %4 = f32 fadd %1, %3\n %5 = "
            "f32 fadd.canon %1, %3\n"
            " output 0.x, %4\n output 0.y, %5\n end\n",
            "block 0\nblock 1\n  %1 = f32 get r[0]\n  %2 = f32 get r[1]\n  %3 = f32 fneg %2\n  %4 = f32 fadd %1, %3\n"
            "  %5 = f32 fsub.canon %1, %2\n  output 0.x, %4\n  output 0.y, %5\n  end\n");
    /* a * b + -0 is a * b, but rounded down */
    becomes(ir_pass_fold, HEAD,
            "block 0\n $1 = f32 const 0x80000000\n $2 = f32 const 0\nblock 1\n %3 = f32 get r[0]\n %4 = f32 ffma %3, "
            "%3, $1\n"
            " %5 = f32 ffma.rdn %3, %3, $1\n %6 = f32 ffma %3, %3, $2\n output 0.x, %4\n output 0.y, %5\n output 0.z, "
            "%6\n end\n",
            "block 0\n  $1 = f32 const 0x80000000  # -0\n  $2 = f32 const 0x0  # 0\nblock 1\n  %3 = f32 get r[0]\n  %4 "
            "= f32 fmul %3, %3\n"
            "  %5 = f32 ffma.rdn %3, %3, $1\n  %6 = f32 ffma %3, %3, $2\n  output 0.x, %4\n  output 0.y, %5\n  output "
            "0.z, %6\n  end\n");
    /* what must stay: x + 0.0 (for -0), x * 0.0, votes of constants (no lane may be active) */
    static const char stays[] = "block 0\n  $1 = f32 const 0x0  # 0\n  $2 = i1 const 0x1\nblock 1\n  %3 = f32 get "
                                "r[0]\n  %4 = f32 fadd %3, $1\n"
                                "  %5 = f32 fmul %4, $1\n  $6 = i1 any $2\n  output 0.x, %5 if $6\n  end\n";
    becomes(ir_pass_fold, HEAD, stays, stays);
    /* branches and predicates */
    becomes(ir_pass_fold, HEAD,
            "block 0\n $1 = i1 const 1\n $2 = i1 const 0\n $3 = f32 const 0\nblock 1\n output 0.x, $3 if $1\n output "
            "0.y, $3 if $2\n discard $2\n"
            " branch $2, b2, b3\nblock 2\n end\nblock 3\n end\n",
            "block 0\n  $1 = i1 const 0x1\n  $2 = i1 const 0x0\n  $3 = f32 const 0x0  # 0\nblock 1\n  output 0.x, $3\n "
            " goto b3\nblock 2\n  end\n"
            "block 3\n  end\n");
}

/* What is that narrow, or that small, is not made so again. */
static void small_numbers(void **state)
{
    (void)state;
    static const char head[] = "block 0\n  $1 = i32 const 0x10\n  $2 = i32 const 0xffff\nblock 1\n  %3 = i32 get r[0]\n"
                               "  %4 = i32 shl %3, $1\n  %5 = i32 shr_s %4, $1\n";
    struct arena a = {0};
    /* a difference of halves may not be one; of a half and its least all are */
    becomes(ir_pass_fold, HEAD,
            arena_printf(&a, "%s%s", head,
                         "  %6 = i32 min_s %5, $1\n  %7 = i32 shl %6, $1\n  %8 = i32 shr_s %7, $1\n"
                         "  %9 = i32 sub %5, $1\n  %10 = i32 shl %9, $1\n  %11 = i32 shr_s %10, $1\n"
                         "  %12 = i16 trunc %11\n  set r[1], %12\n  store g[%8 + 0]:i32, %11\n  end\n"),
            arena_printf(&a, "%s%s", head,
                         "  %6 = i32 min_s %5, $1\n  %7 = i32 shl %6, $1\n  %8 = i32 sub %5, $1\n"
                         "  %9 = i32 shl %8, $1\n  %10 = i32 shr_s %9, $1\n  %11 = i16 trunc %10\n  set r[1], %11\n"
                         "  store g[%6 + 0]:i32, %10\n  end\n"));
    /* an upper half without its sign fits a mask, with its sign it does not; a sum of such two may not either */
    becomes(ir_pass_fold, HEAD,
            arena_printf(&a, "%s%s", head,
                         "  %6 = i32 shr_u %3, $1\n  %7 = i32 and %6, $2\n  %8 = i32 shr_s %3, $1\n"
                         "  %9 = i32 and %8, $2\n  %10 = i32 add %7, %6\n  %11 = i32 min_s %10, $2\n"
                         "  store g[%7 + 0]:i32, %9, %11\n  end\n"),
            arena_printf(&a, "%s%s", head,
                         "  %6 = i32 shr_u %3, $1\n  %7 = i32 shr_s %3, $1\n  %8 = i32 and %7, $2\n"
                         "  %9 = i32 add %6, %6\n  %10 = i32 min_s %9, $2\n"
                         "  store g[%6 + 0]:i32, %8, %10\n  end\n"));
    /* the low half of a half with its sign is the half; a small number is cut and gets its sign back */
    becomes(ir_pass_fold, HEAD,
            arena_printf(&a, "%s%s", head,
                         "  %6 = i16 get r[2]\n  %7 = i32 sext %6\n  %8 = i16 trunc %7\n  %9 = i16 trunc %5\n"
                         "  %10 = i32 sext %9\n  set r[3], %8\n  store g[%10 + 0]:i32, %7\n  end\n"),
            arena_printf(&a, "%s%s", head,
                         "  %6 = i16 get r[2]\n  %7 = i32 sext %6\n  %8 = i16 trunc %5\n  set r[3], %6\n"
                         "  store g[%5 + 0]:i32, %7\n  end\n"));
    becomes(ir_pass_fold, HEAD, /* and so is that of a half with zeros before it */
            arena_printf(&a, "%s%s", head,
                         "  %6 = i16 get r[2]\n  %7 = i32 zext %6\n  %8 = i16 trunc %7\n  set r[3], %8\n"
                         "  store g[%7 + 0]:i32, %7\n  end\n"),
            arena_printf(&a, "%s%s", head,
                         "  %6 = i16 get r[2]\n  %7 = i32 zext %6\n  set r[3], %6\n"
                         "  store g[%7 + 0]:i32, %7\n  end\n"));
    arena_free(&a);
}

/* Makers of a number are looked at five deep: of six ops the first is not seen, which alone makes it a half. */
static void small_numbers_of_small_numbers(void **state)
{
    (void)state;
    static const char *const ops[] = {"shr_s", "add", "sub"};
    for (unsigned n = 0; n < 3 * 8; n++) {
        const char *op = ops[n % 3];
        unsigned v = 5, last = 5 + n / 3;
        struct arena a = {0};
        char *text = arena_printf(&a, "block 0\n  $1 = i32 const 0x10\n  $2 = i32 const 0x1\n  $3 = i32 const 0x11\n"
                                      "block 1\n  %%4 = i32 get r[0]\n  %%5 = i32 shr_s %%4, $3\n");
        for (; v < last; v++)
            text = arena_printf(&a, "%s  %%%u = i32 %s %%%u, $2\n", text, v + 1, op, v);
        text = arena_printf(&a, "%s  %%%u = i32 shl %%%u, $1\n", text, v + 1, v);
        char *cut = arena_printf(&a, "%s  %%%u = i32 shr_s %%%u, $1\n  set r[1], %%%u\n  end\n", text, v + 2, v + 1,
                                 v + 2);
        bool seen = n / 3 < 5;
        becomes(ir_pass_fold, HEAD, cut, seen ? arena_printf(&a, "%s  set r[1], %%%u\n  end\n", text, v) : cut);
        arena_free(&a);
    }
}

/* NOT of a comparison is the opposite one; of one that NaNs fail either way there is none. */
static void opposites(void **state)
{
    (void)state;
    becomes(
        ir_pass_fold, HEAD,
        "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 get r[1]\n %3 = f32 get r[2]\n %4 = i1 eq %1, %2\n %5 = i1 "
        "not %4\n"
        " %6 = i1 lt_s %1, %2\n %7 = i1 not %6\n %8 = i1 fne.flush_in %3, %3\n %9 = i1 not %8\n %10 = i1 flt %3, %3\n"
        " %11 = i1 not %10\n check 1, %5\n check 2, %7\n check 3, %9\n check 4, %11\n end\n",
        "block 0\nblock 1\n  %1 = i32 get r[0]\n  %2 = i32 get r[1]\n  %3 = f32 get r[2]\n  %4 = i1 eq %1, %2\n  %5 = "
        "i1 ne %1, %2\n"
        "  %6 = i1 lt_s %1, %2\n  %7 = i1 le_s %2, %1\n  %8 = i1 fne.flush_in %3, %3\n  %9 = i1 feq.flush_in %3, %3\n"
        "  %10 = i1 flt %3, %3\n  %11 = i1 not %10\n  check 1, %5\n  check 2, %7\n  check 3, %9\n  check 4, %11\n  "
        "end\n");
}

/* Arguments that were flushed when they were made, in the block or by all that write the register. */
static void flushing(void **state)
{
    (void)state;
    becomes(ir_pass_flush, HEAD,
            "block 0\n $1 = f32 const 0x3f800000\n $2 = f32 const 0x1\nblock 1\n %3 = f32 sysval frag_x.x\n"
            " %4 = f32 fadd.flush_in.flush_out %3, $1\n set r[0], %4\n set r[1], %3\n set r[2], $2\n goto b2\n"
            "block 2\n %5 = f32 get r[0]\n %6 = f32 get r[1]\n %7 = f32 get r[2]\n %8 = f32 get r[3]\n"
            " %9 = f32 fmul.flush_in %5, $1\n %10 = f32 fmul.flush_in %5, %6\n %11 = f32 fmul.flush_in %5, %7\n"
            " %12 = f32 fneg %8\n %13 = i1 flt.flush_in %12, %5\n set r[0], $1 if %13\n set r[4], %9\n set r[5], %10\n "
            "set r[6], %11\n"
            " goto b2\n",
            "block 0\n  $1 = f32 const 0x3f800000  # 1\n  $2 = f32 const 0x1  # 1.40129846e-45\nblock 1\n  %3 = f32 "
            "sysval frag_x.x\n"
            "  %4 = f32 fadd.flush_in.flush_out %3, $1\n  set r[0], %4\n  set r[1], %3\n  set r[2], $2\n  goto b2\n"
            "block 2\n  %5 = f32 get r[0]\n  %6 = f32 get r[1]\n  %7 = f32 get r[2]\n  %8 = f32 get r[3]\n"
            "  %9 = f32 fmul %5, $1\n  %10 = f32 fmul.flush_in %5, %6\n  %11 = f32 fmul.flush_in %5, %7\n"
            "  %12 = f32 fneg %8\n  %13 = i1 flt %12, %5\n  set r[0], $1 if %13\n  set r[4], %9\n  set r[5], %10\n  "
            "set r[6], %11\n"
            "  goto b2\n");
}

/* A number on either side, a register that only numbers are SET to, and arguments that must not change places: a zero
 * may be -0. */
static void numbers_win(void **state)
{
    (void)state;
    becomes(ir_pass_minmax, HEAD,
            "block 0\n $1 = f32 const 0x0\n $2 = f32 const 0x3f800000\nblock 1\n"
            " set r[0], $2\n set r[3], $2\n goto b2\n"
            "block 2\n %3 = f32 sysval frag_x.x\n %4 = f32 get r[0]\n %5 = f32 get r[1]\n %6 = f32 fabs %3\n"
            " %7 = f32 fmin %4, %6\n"
            " %8 = f32 fmin %4, %3\n %9 = f32 fmax %3, $1\n %10 = f32 fmin.zeros %3, $2\n %11 = f32 fmin %3, %3\n"
            " %12 = f32 get r[3]\n %13 = f32 fmax %3, %12\n set r[0], %7\n set r[1], %8\n set r[2], %9\n"
            " set r[4], %10\n set r[5], %11\n set r[3], %3\n set r[6], %13\n goto b2\n",
            "block 0\n  $1 = f32 const 0x0  # 0\n  $2 = f32 const 0x3f800000  # 1\nblock 1\n"
            "  set r[0], $2\n  set r[3], $2\n  goto b2\n"
            "block 2\n  %3 = f32 sysval frag_x.x\n  %4 = f32 get r[0]\n  %5 = f32 get r[1]\n"
            "  %6 = f32 fabs %3\n  %7 = f32 fmin.second %6, %4\n"
            "  %8 = f32 fmin %4, %3\n  %9 = f32 fmax.second %3, $1\n  %10 = f32 fmin.zeros %3, $2\n"
            "  %11 = f32 fmin %3, %3\n  %12 = f32 get r[3]\n  %13 = f32 fmax %3, %12\n  set r[0], %7\n"
            "  set r[1], %8\n  set r[2], %9\n  set r[4], %10\n  set r[5], %11\n  set r[3], %3\n  set r[6], %13\n"
            "  goto b2\n");
}

/* An op keeps its one NaN where bits of its result are compared or stored, by way of a register, a sign or a minimum;
 * not where numbers are made of it, or a colour. */
static void nans_that_are_seen(void **state)
{
    (void)state;
    becomes(ir_pass_nan, HEAD,
            "block 0\n $1 = f32 const 0x3f800000\n $2 = i32 const 0x0\nblock 1\n %3 = f32 sysval frag_x.x\n"
            " %4 = f32 fadd.nan_x86 %3, $1\n %5 = f32 fneg %4\n %6 = f32 fmul.nan_x86 %4, $1\n"
            " %7 = f32 fsqrt.nan_x86 %6\n %8 = i1 flt %6, $1\n %9 = f32 select %8, %7, %3\n"
            " %10 = f32 fsub.nan_x86 %3, $1\n set r[0], %5\n set r[1], %9\n set r[2], %10\n goto b2\n"
            "block 2\n %11 = i32 get r[0]\n %12 = i1 eq %11, $2\n %13 = f32 get r[1]\n %14 = f32 get r[2]\n"
            " %15 = f32 copy.nan_x86 %14\n %16 = f32 fdiv.nan_x86 $1, %14\n %17 = f32 fmin.second %16, %13\n"
            " output 0.x, %15 if %12\n store g[$2 + 0]:f32, %17\n end\n",
            "block 0\n  $1 = f32 const 0x3f800000  # 1\n  $2 = i32 const 0x0\nblock 1\n  %3 = f32 sysval frag_x.x\n"
            "  %4 = f32 fadd.nan_x86 %3, $1\n  %5 = f32 fneg %4\n  %6 = f32 fmul %4, $1\n"
            "  %7 = f32 fsqrt.nan_x86 %6\n  %8 = i1 flt %6, $1\n  %9 = f32 select %8, %7, %3\n"
            "  %10 = f32 fsub %3, $1\n  set r[0], %5\n  set r[1], %9\n  set r[2], %10\n  goto b2\n"
            "block 2\n  %11 = i32 get r[0]\n  %12 = i1 eq %11, $2\n  %13 = f32 get r[1]\n  %14 = f32 get r[2]\n"
            "  %15 = f32 copy %14\n  %16 = f32 fdiv.nan_x86 $1, %14\n  %17 = f32 fmin.second %16, %13\n"
            "  output 0.x, %15 if %12\n  store g[$2 + 0]:f32, %17\n  end\n");
}

/* The canonical NaN goes where the one of x86 does, but not from what ops pass on that may give any NaN, and it is made
 * of a sum when that is read; ir_pass_nan leaves it for the passes after it. */
static void canonical_nans(void **state)
{
    (void)state;
    static const char before[] =
        "block 0\n  $1 = f32 const 0x3f800000  # 1\n  $2 = i32 const 0x0\nblock 1\n  %3 = f32 sysval frag_x.x\n"
        "  %4 = f32 fadd.canon %3, $1\n  %5 = f32 fmul.canon %4, %4\n  %6 = f32 fmul.canon %3, %3\n"
        "  %7 = f32 fsub %6, %3\n  store g[$2 + 0]:f32, %5\n  store g[$2 + 4]:f32, %7\n  set r[0], $1\n  goto b2\n"
        "block 2\n  %8 = f32 get r[0]\n  %9 = f32 fadd.canon %8, %8\n  set r[0], %9\n  %10 = f32 get r[0]\n"
        "  %11 = i1 flt %10, $1\n  check 1, %11\n  goto b3\n"
        "block 3\n  %12 = f32 get r[0]\n  store g[$2 + 8]:f32, %12\n  end\n";
    becomes(ir_pass_nan, HEAD, before, before);
    becomes(ir_pass_nan_reads, HEAD, before,
            "block 0\n  $1 = f32 const 0x3f800000  # 1\n  $2 = i32 const 0x0\nblock 1\n  %3 = f32 sysval frag_x.x\n"
            "  %4 = f32 fadd %3, $1\n  %5 = f32 fmul.canon %4, %4\n  %6 = f32 fmul.canon %3, %3\n"
            "  %7 = f32 fsub %6, %3\n  store g[$2 + 0]:f32, %5\n  store g[$2 + 4]:f32, %7\n  set r[0], $1\n  goto b2\n"
            "block 2\n  %8 = f32 get r[0]\n  %9 = f32 fadd %8, %8\n  set r[0], %9\n  %10 = f32 get r[0]\n"
            "  %11 = i1 flt %10, $1\n  check 1, %11\n  goto b3\n"
            "block 3\n  %12 = f32 get r[0]\n  %13 = f32 copy.canon %12\n  store g[$2 + 8]:f32, %13\n  end\n");
}

/* A NaN that becomes half of a number of 64 bits is one of its bits, and half of a NaN may be a number. */
static void halves_of_nans(void **state)
{
    (void)state;
    static const char text[] =
        "block 0\n  $1 = f32 const 0x3f800000  # 1\n  $2 = i32 const 0x0\n  $3 = f64 const 0x3ff0000000000000  # 1\n"
        "block 1\n  %4 = f32 sysval frag_x.x\n  %5 = f32 fadd.nan_x86 %4, $1\n  %6 = i32 bitcast %5\n"
        "  %7 = i64 pack64 $2, %6\n  %8 = f64 bitcast %7\n  %9 = i1 flt %8, $3\n  check 1, %9\n"
        "  %10 = f64 fmul.nan_x86 %8, $3\n  %11 = i64 bitcast %10\n  %12 = i32 hi32 %11\n  %13 = f32 bitcast %12\n"
        "  %14 = i1 flt %13, $1\n  check 2, %14\n  %15 = f64 fadd.nan_x86 %8, $3\n  %16 = i64 bitcast %15\n"
        "  %17 = i32 lo32 %16\n  %18 = f32 bitcast %17\n  %19 = i1 flt %18, $1\n  check 3, %19\n  end\n";
    becomes(ir_pass_nan, HEAD, text, text);
    becomes(ir_pass_nan_reads, HEAD, text, text);
}

/* A register that was SET under a condition is what was SET where a SELECT looks at it. */
static void sets_in_arms(void **state)
{
    (void)state;
    becomes(ir_pass_forward, HEAD,
            "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 get r[1]\n %3 = i1 lt_s %1, %2\n %4 = i1 not %3\n"
            " set r[2], %1 if %3\n %5 = i32 get r[2]\n %6 = i32 select %4, %2, %5\n %7 = i32 select %3, %5, %2\n"
            " %8 = i32 select %3, %2, %5\n set r[3], %6\n set r[4], %7\n set r[5], %8\n end\n",
            "block 0\nblock 1\n  %1 = i32 get r[0]\n  %2 = i32 get r[1]\n  %3 = i1 lt_s %1, %2\n  %4 = i1 not %3\n"
            "  set r[2], %1 if %3\n  %5 = i32 get r[2]\n  %6 = i32 select %4, %2, %1\n  %7 = i32 select %3, %1, %2\n"
            "  %8 = i32 select %3, %2, %5\n  set r[3], %6\n  set r[4], %7\n  set r[5], %8\n  end\n");
    becomes(ir_pass_fold, HEAD,
            "block 0\nblock 1\n %1 = i32 get r[0]\n %2 = i32 get r[1]\n %3 = i1 lt_s %1, %2\n %4 = i1 eq %1, %2\n"
            " %5 = i1 select %3, %3, %4\n %6 = i1 select %3, %4, %3\n check 1, %5\n check 2, %6\n end\n",
            "block 0\nblock 1\n  %1 = i32 get r[0]\n  %2 = i32 get r[1]\n  %3 = i1 lt_s %1, %2\n  %4 = i1 eq %1, %2\n"
            "  %5 = i1 or %3, %4\n  %6 = i1 and %3, %4\n  check 1, %5\n  check 2, %6\n  end\n");
}

static void common_ops(void **state)
{
    (void)state;
    /* one condition is checked once in a block, but for a CHECK under another one */
    becomes(ir_pass_cse, HEAD,
            "block 0\nblock 1\n %1 = i1 sysval face.x\n %2 = i1 not %1\n check 1, %2 if %1\n check 1, %2\n"
            " check 1, %2\n goto b2\nblock 2\n end\n",
            "block 0\nblock 1\n  %1 = i1 sysval face.x\n  %2 = i1 not %1\n  check 1, %2 if %1\n  check 1, %2\n"
            "  goto b2\nblock 2\n  end\n");
    becomes(ir_pass_cse, HEAD,
            "block 0\n $1 = i32 const 3\nblock 1\n $2 = i32 const 3\n %3 = i32 get r[0]\n %4 = i32 add %3, $2\n %5 = "
            "i32 add $1, %3\n"
            " %6 = i32 load g[%4 + 0]:i32\n %7 = i32 load g[%5 + 0]:i32\n store g[%6 + 0]:i32, %7\n %8 = i32 load g[%4 "
            "+ 0]:i32\n"
            " %9 = i32 load io[%4 + 0]:i32\n %10 = i32 load io[%4 + 0]:i32\n store g[%8 + 0]:i32, %9, %10\n end\n",
            "block 0\n  $1 = i32 const 0x3\nblock 1\n  %2 = i32 get r[0]\n  %3 = i32 add $1, %2\n  %4 = i32 load g[%3 "
            "+ 0]:i32\n"
            "  store g[%4 + 0]:i32, %4\n  %5 = i32 load g[%3 + 0]:i32\n  %6 = i32 load io[%3 + 0]:i32\n  %7 = i32 load "
            "io[%3 + 0]:i32\n"
            "  store g[%5 + 0]:i32, %6, %7\n  end\n");
}

static void dead_code(void **state)
{
    (void)state;
    /* r[0] is read by a block after; r[1] by none; preserved registers at the end; loads that are seen stay */
    becomes(ir_pass_dead, HEAD,
            "block 0\n $1 = i32 const 0\n $2 = i32 const 1\nblock 1\n %3 = i32 get r[5]\n set r[0], %3\n set r[1], "
            "%3\n set keep[0], %3\n"
            " %4 = i32 load g[%3 + 0]:i32\n %5 = i32 load io[%3 + 0]:i32\n %6 = f32 load t[%3 + 0]:f32\n goto b2\n"
            "block 2\n %7 = f32 get r[0]\n output 0.x, %7\n set r[0], %7\n set u[1], $1\n end\n",
            "block 0\nblock 1\n  %1 = i32 get r[5]\n  set r[0], %1\n  set keep[0], %1\n  %2 = i32 load io[%1 + 0]:i32\n"
            "  %3 = f32 load t[%1 + 0]:f32\n  goto b2\nblock 2\n  %4 = f32 get r[0]\n  output 0.x, %4\n  end\n");
    /* a loop reads what it set the time before; a policy may come back to any target */
    static const char loop[] =
        "block 0\n  $1 = f32 const 0x0  # 0\nblock 1\n  goto b2\nblock 2\n  %2 = f32 get r[0]\n  output 0.x, %2\n"
        "  set r[0], $1\n  %3 = i1 sysval face.x\n  control 1 0x0 [b2 b3], %3\nblock 3\n  end\n";
    becomes(ir_pass_dead, HEAD, loop, loop);
    static const char saved[] =
        "block 0\n  $1 = f32 const 0x0  # 0\nblock 1\n  control 1 0x0 [b2 b4]\nblock 2\n  set r[0], $1\n"
        "  control 2 0x0 []\nblock 3\n  end\nblock 4\n  %2 = f32 get r[0]\n  output 0.x, %2\n  end\n";
    becomes(ir_pass_dead, HEAD, saved, saved);
    /* registers that are looked at wherever the warp stops */
    static const char precise[] = "ir test fragment lanes 16 precise\nfile r bits 32 count 8\n";
    static const char kept[] = "block 0\n  $1 = f32 const 0x0  # 0\nblock 1\n  set r[0], $1\n  end\n";
    becomes(ir_pass_dead, precise, kept, kept);
}

static void hoisting(void **state)
{
    (void)state;
    becomes(ir_pass_hoist, HEAD,
            "block 0\nblock 1\n $1 = i32 const 16\n $2 = f32 load c[$1 + 0]:f32\n $3 = f32 fneg $2\n $4 = f32 load "
            "t[$1 + 0]:f32\n"
            " $5 = f32 load g[$1 + 0]:f32\n $6 = i32 get u[0]\n $7 = f32 load c[$6 + 0]:f32\n output 0.x, $3\n output "
            "0.y, $4\n output 0.z, $5\n"
            " output 0.w, $7\n end\n",
            "block 0\n  $1 = i32 const 0x10\n  $2 = f32 load c[$1 + 0]:f32\n  $3 = f32 fneg $2\nblock 1\n  $4 = f32 "
            "load t[$1 + 0]:f32\n"
            "  $5 = f32 load g[$1 + 0]:f32\n  $6 = i32 get u[0]\n  $7 = f32 load c[$6 + 0]:f32\n  output 0.x, $3\n  "
            "output 0.y, $4\n"
            "  output 0.z, $5\n  output 0.w, $7\n  end\n");
}

static void numbering(void **state)
{
    (void)state;
    becomes(ir_pass_number, HEAD,
            "block 0\n $7 = i1 const 0x1\n $9 = f32 const 0x0\nblock 1\n %4 = f32 get r[1]\n %12 = f32 fadd %4, $9\n"
            " set r[0], %12 if $7\n goto b2\nblock 2\n %20 = f32 get r[0]\n output 0.x, %20\n end\n",
            "block 0\n  $1 = i1 const 0x1\n  $2 = f32 const 0x0  # 0\nblock 1\n  %3 = f32 get r[1]\n"
            "  %4 = f32 fadd %3, $2\n  set r[0], %4 if $1\n  goto b2\nblock 2\n  %5 = f32 get r[0]\n"
            "  output 0.x, %5\n  end\n");
}

static void flatten(struct ir_program *p)
{
    (void)ir_pass_flatten(p);
}

/* Control 1 splits, control 2 meets, as SPIR-V's do: the third target of both is where lanes are that have ended. */
static void flattening(void **state)
{
    (void)state;
    /* an arm and nothing else: nobody else comes to where it ends */
    becomes(flatten, HEAD,
            "block 0\n $1 = i1 const 0x1\nblock 1 addr 0x0 insn 0 insns 2\n %2 = i1 sysval face.x\n"
            " control 1 0x0 direct_none direct_all split [b2 b3 b4], %2\n"
            "block 2 addr 0x0 insn 0 insns 3\n %3 = f32 get r[1]\n %4 = f32 fneg %3\n set r[0], %4\n"
            " control 2 0x0 direct_all meet [b3 b3 b4], $1\nblock 3\n goto b4\nblock 4\n end\n",
            "block 0\n  $1 = i1 const 0x1\nblock 1 addr 0x0 insn 0 insns 5\n  %2 = i1 sysval face.x\n"
            "  %3 = f32 get r[1]\n  %4 = f32 fneg %3\n  %5 = f32 get r[0]\n  %6 = f32 select %2, %4, %5\n"
            "  set r[0], %6\n  goto b3\nblock 2 addr 0x0 insn 0 insns 3\n  end\n"
            "block 3\n  goto b4\nblock 4\n  end\n");
}

/* To block 2 there is one way; lanes meet at block 4, to which both others lead, and stay a branch for the store. */
static void meeting(void **state)
{
    (void)state;
    static const char head[] = "block 0\n  $1 = i32 const 0x0\nblock 1\n", *const tail =
        "block 2\n  %2 = i1 sysval face.x\n  control 1 0x0 split [b3 b4 b5], %2\n"
        "block 3\n  store g[$1 + 0]:i32, $1\n  control 2 0x0 meet [b4 b4 b5]\nblock 4\n  goto b5\nblock 5\n  end\n";
    struct arena a = {0};
    becomes(flatten, HEAD, arena_printf(&a, "%s  control 2 0x0 meet [b2]\n%s", head, tail),
            arena_printf(&a, "%s  goto b2\n%s", head, tail));
    arena_free(&a);
}

/* What stays a branch: work that costs, work that others see, and what reads what it wrote. */
static void not_flattened(void **state)
{
    (void)state;
    static const char *const arms[] = {
        " %3 = f32 get r[1]\n  %4 = f32 fsin %3\n  %5 = f32 fsin %4\n  %6 = f32 fsin %5\n  %7 = f32 fsin %6\n",
        " %3 = i32 get r[1]\n  %4 = i32 div_s %3, %3\n", " %3 = i32 get r[1]\n  store g[%3 + 0]:i32, %3\n",
        " %3 = i32 get r[1]\n  %4 = i32 load g[%3 + 0]:i32\n", " %3 = i32 get r[1]\n  set u[0], $8\n",
        " %3 = i32 get r[1]\n  set r[2], %3\n  %4 = i32 get r[2]\n", " %3 = f32 get r[1]\n  %4 = f32 quad_xor 1, %3\n",
        " output 0.x, $9\n", " %3 = i1 sysval helper.x\n  discard %3\n",
    };
    for (size_t i = 0; i < sizeof arms / sizeof *arms; i++) {
        struct arena a = {0};
        const char *text = arena_printf(
            &a, "%sblock 0\n  $1 = i1 const 0x1\n  $8 = i32 const 0x1\n  $9 = f32 const 0x0\nblock 1\n"
                "  %%2 = i1 sysval face.x\n  control 1 0x0 split [b2 b3], %%2\nblock 2\n %s"
                "  control 2 0x0 meet [b3], $1\nblock 3\n  end\n", HEAD, arms[i]);
        struct ir_program *p = ir_of(&a, text);
        assert_verifies(p);
        if (ir_pass_flatten(p))
            fail_msg("flat: %s", arms[i]);
        arena_free(&a);
    }
}

static void joining(void **state)
{
    (void)state;
    becomes(ir_pass_blocks, HEAD,
            "block 0\nblock 1 addr 0x0 insn 0 insns 2\n goto b3\nblock 2\n goto b1\nblock 3 addr 0x8 insn 0 insns 3\n "
            "%1 = i1 sysval face.x\n"
            " control 1 0x0 [b4 b5], %1\nblock 4\n goto b5\nblock 5\n end\n",
            "block 0\nblock 1 addr 0x0 insn 0 insns 5\n  %1 = i1 sysval face.x\n  control 1 0x0 [b2 b3], %1\nblock 2\n "
            " goto b3\nblock 3\n  end\n");
    /* jumps to addresses: every block may be entered */
    static const char computed[] =
        "block 0\nblock 1\n  goto b2\nblock 2\n  $1 = i32 get u[0]\n  jump $1\nblock 3\n  end\n";
    becomes(ir_pass_blocks, HEAD, computed, computed);
    /* a block that goes to itself, and one that leads back to the entry */
    static const char loops[] =
        "block 0\n  $1 = i1 const 0x1\nblock 1\n  branch $1, b2, b3\nblock 2\n  goto b2\nblock 3\n  goto b1\n";
    becomes(ir_pass_blocks, HEAD, loops, loops);
}

/* Passes are linear: what grows with the square would not end here in the time of a test. */
static void large_programs(void **state)
{
    (void)state;
    enum { BLOCKS = 200000, OPS = 2 };
    struct arena a = {0};
    struct ir_program *p = ir_program_new(&a, "test", IR_FRAGMENT, 16);
    uint32_t file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 64});
    struct ir_builder b = {p, IR_ENTRY, 0};
    for (uint32_t i = 0; i < BLOCKS; i++) {
        for (uint32_t k = 0; k < OPS; k++) {
            ir_value v = ir_op2(&b, IR_FADD, 0, ir_get(&b, file, k, IR_F32), ir_const_f32(&b, (float)(i % 7)));
            ir_set(&b, file, (i + k) % 64, v, 0);
        }
        uint32_t next = ir_new_block(p);
        if (i % 3)
            ir_control(&b, (struct ir_control){.ntargets = 2, .target = {next, 1 + i / 2}},
                       (const ir_value[]){ir_const(&b, IR_I1, i & 1)}, 1);
        else
            ir_goto(&b, next);
        b.block = next;
    }
    ir_end(&b);
    assert_false(arena_failed(&a));
    assert_verifies(p);
    ir_optimise(p);
    assert_verifies(p);
    arena_free(&a);
}

/* What passes have emptied does not stay: SETs of one register, of which the last counts. */
static void memory_given_back(void **state)
{
    (void)state;
    enum { SETS = 60000 };
    struct arena a = {0};
    struct ir_program *p = ir_program_new(&a, "test", IR_FRAGMENT, 16);
    uint32_t file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 1, .preserved = true});
    struct ir_builder b = {p, IR_ENTRY, 0};
    for (uint32_t i = 0; i < SETS; i++)
        ir_set(&b, file, 0, ir_const_i32(&b, i), 0);
    ir_end(&b);
    assert_int_equal(p->blocks[IR_ENTRY].count, 2 * SETS + 1);
    bool pages = a.mappings; /* with a sanitizer arrays have none of their own */
    size_t before = a.total;
    ir_optimise(p);
    assert_verifies(p);
    assert_true(p->blocks[IR_ENTRY].count <= 3);
    assert_true(p->blocks[IR_ENTRY].cap >= p->blocks[IR_ENTRY].count);
    if (pages)
        assert_true(a.total < before / 2);
    ir_new_block(p); /* and it may grow again */
    b.block = p->nblocks - 1;
    for (uint32_t i = 0; i < 100; i++)
        ir_set(&b, file, 0, ir_const_i32(&b, i), 0);
    ir_end(&b);
    assert_verifies(p);
    arena_free(&a);
}

/* A machine that translates as it runs adds a block at a time: what a pass takes for it does not grow with what was
 * there before. Reading an op of a frozen block ends the test. */
static void frozen_blocks(void **state)
{
    (void)state;
    struct arena a = {0};
    struct ir_program *p = ir_program_new(&a, "test", IR_FRAGMENT, 16);
    uint32_t file = ir_add_file(p, (struct ir_file){.name = "r", .bits = 32, .count = 2, .preserved = true});
    struct ir_builder b = {p, IR_ENTRY, 0};
    ir_set(&b, file, 0, ir_const_i32(&b, 7), 0);
    ir_end(&b);
    p->frozen = p->nblocks;
    b.block = ir_new_block(p);
    ir_set(&b, file, 0, ir_const_i32(&b, 1), 0);
    ir_set(&b, file, 0, ir_const_i32(&b, 2), 0);
    ir_end(&b);
    struct ir_op *ops = p->blocks[IR_ENTRY].ops;
    p->blocks[IR_ENTRY].ops = NULL;
    ir_optimise(p);
    p->blocks[IR_ENTRY].ops = ops;
    assert_int_equal(p->blocks[IR_ENTRY].count, 3);
    assert_int_equal(p->blocks[b.block].count, 3);
    assert_verifies(p);
    arena_free(&a);
}

TEST_MAIN(TEST(forwarding), TEST(overwritten_sets), TEST(inactive_lanes), TEST(folding), TEST(small_numbers),
          TEST(small_numbers_of_small_numbers),
          TEST(opposites), TEST(flushing), TEST(numbers_win), TEST(nans_that_are_seen), TEST(canonical_nans),
          TEST(halves_of_nans),
          TEST(sets_in_arms), TEST(common_ops), TEST(dead_code), TEST(hoisting), TEST(numbering), TEST(flattening),
          TEST(meeting), TEST(not_flattened), TEST(joining), TEST(large_programs), TEST(memory_given_back),
          TEST(frozen_blocks))
