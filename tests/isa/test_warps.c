/* Whether two warps may run as one: which ops show a lane its warp, and whether lanes of a workgroup ever part, of
 * programs that are written out. */
#include "../ir/ir_text.h"

#include "isa/lift.h"

#define HEAD                                                                                                           \
    "ir test compute lanes 32\nfile r bits 32 count 8\nfile flag bits 1 count 2\nfile u bits 32 count 2 uniform\n"     \
    "space g global bounds zero slot 0 size 0\nspace s shared bounds zero slot 0 size 64\n"                            \
    "space priv private bounds zero slot 0 size 64\n"                                                                  \
    "block 0\n $1 = i32 const 0\n $2 = i1 const 1\n"
#define LANES " %3 = i32 sysval thread_id.x\n %4 = i1 eq %3, $1\n"

struct program {
    const char *blocks;
    bool answer;
};

static void ask(const char *head, bool (*question)(const struct ir_program *), const struct program *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct arena a = {0};
        struct ir_program *p = ir_of(&a, arena_printf(&a, "%s%s", head, list[i].blocks));
        assert_verifies(p);
        if (question(p) != list[i].answer)
            fail_msg("%s of:\n%s", list[i].answer ? "false" : "true", list[i].blocks);
        arena_free(&a);
    }
}

static void test_shows(void **state)
{
    static const struct program list[] = {
        {" end\n", false},
        {" %5 = i32 add %3, %3\n set r[0], %5\n store g[%3 + 0]:i32, %5\n end\n", false},
        {" $5 = i64 ballot %4\n end\n", true},
        {" $5 = i1 all %4\n end\n", true},
        {" $5 = i32 first %3\n end\n", true},
        {" $5 = i32 reduce add, %3\n end\n", true},
        {" %5 = i32 shuffle %3, %3\n end\n", true},
        {" %5 = i32 lane_id\n end\n", true},
        {" %5 = i32 get_lane r[0 + %3 * 1, 0..7], %3\n end\n", true},
        {" set_lane r[0 + %3 * 1, 0..7], %3, %3\n end\n", true},
        {" %5 = i32 get_dyn r[0 + %3 * 1, 0..7]\n set_dyn r[0 + %3 * 1, 0..7], %5\n end\n", false},
        {" %5 = i32 atomic add g[%3 + 0]:i32, %3\n end\n", true},
        {" emit 0\n end\n", true},
        {" cut 0\n end\n", true},
        {" jump $1\n", true},
        {" barrier b2 0x0\nblock 2\n end\n", true},
        {" trap 9\n", true},
        {" $5 = i32 sysval warp_id.x\n end\n", true},
        {" $5 = i32 sysval subgroup_size.x\n end\n", true},
        {" $5 = i32 sysval block_id.x\n end\n", false},
        /* one register for all lanes, or one for each of them */
        {" set u[0], $1\n end\n", true},
        {" set_dyn u[0 + %3 * 1, 0..1], $1\n end\n", true},
        {" $5 = i32 get u[0]\n set r[0], $5\n end\n", false},
        /* a warp asks whether all of its lanes have left; that some of the running ones have something, two may ask */
        {" $5 = i1 any %4\n end\n", false},
        {" $5 = i1 any.all_lanes %4\n end\n", true},
        /* in any block */
        {" goto b2\nblock 2\n %6 = i32 lane_id\n end\n", true},
    };
    (void)state;
    ask(HEAD "block 1\n" LANES, lift_shows_warp, list, sizeof list / sizeof *list);
}

#define PARTS(value) " control 1 0x0 [b2 b3], " value "\nblock 2\n end\nblock 3\n end\n"

static void test_parts(void **state)
{
    static const struct program list[] = {
        {LANES " end\n", false},
        {LANES " goto b2\nblock 2\n end\n", false},
        {LANES PARTS("%4"), true},
        {LANES PARTS("$2"), false},
        /* what all invocations of a workgroup have: it, its size, and how many there are */
        {" $3 = i32 sysval block_id.x\n $4 = i1 eq $3, $1\n" PARTS("$4"), false},
        {" $3 = i32 sysval block_size.x\n $4 = i1 eq $3, $1\n" PARTS("$4"), false},
        {" $3 = i32 sysval grid_size.x\n $4 = i1 eq $3, $1\n" PARTS("$4"), false},
        {" $3 = i32 sysval warp_id.x\n $4 = i1 eq $3, $1\n" PARTS("$4"), true},
        /* an op that asks only for them, and one that asks for one more thing */
        {" $3 = i32 sysval block_id.x\n $4 = i32 sysval block_id.y\n $5 = i1 lt_u $3, $4\n" PARTS("$5"), false},
        {" %3 = i32 sysval thread_id.x\n $4 = i32 sysval block_id.x\n %5 = i1 lt_u %3, $4\n" PARTS("%5"), true},
        {" $3 = i32 sysval block_id.x\n %4 = i32 sysval thread_id.x\n %5 = i1 lt_u $3, %4\n" PARTS("%5"), true},
        /* memory of the workgroup or of all, at one address or not; memory of each lane */
        {" $3 = i32 load g[$1 + 0]:i32\n $4 = i1 eq $3, $1\n" PARTS("$4"), false},
        {" $3 = i32 load s[$1 + 0]:i32\n $4 = i1 eq $3, $1\n" PARTS("$4"), false},
        {LANES " %5 = i32 load g[%3 + 0]:i32\n %6 = i1 eq %5, $1\n" PARTS("%6"), true},
        {LANES " %5 = i32 load g[$1 + 0]:i32 if %4\n %6 = i1 eq %5, $1\n" PARTS("%6"), true},
        {" %3 = i32 load priv[$1 + 0]:i32\n %4 = i1 eq %3, $1\n" PARTS("%4"), true},
        /* each of several results */
        {LANES " %5..%7 = i32 load g[%3 + 0]:i32\n %8 = i1 eq %5, $1\n" PARTS("%8"), true},
        {LANES " %5..%7 = i32 load g[%3 + 0]:i32\n %8 = i1 eq %6, $1\n" PARTS("%8"), true},
        {LANES " %5..%7 = i32 load g[%3 + 0]:i32\n %8 = i1 eq %7, $1\n" PARTS("%8"), true},
        {" $3..$5 = i32 load g[$1 + 0]:i32\n $6 = i1 eq $5, $1\n" PARTS("$6"), false},
        /* and no value before them */
        {LANES " $5 = i32 load g[$1 + 4]:i32\n %6..%8 = i32 load g[%3 + 0]:i32\n $9 = i1 eq $5, $1\n" PARTS("$9"),
         false},
        /* other lanes' values, and the answers of services */
        {" %3 = i32 shuffle $1, $1\n %4 = i1 eq %3, $1\n" PARTS("%4"), true},
        {" %3 = i32 lane_id\n %4 = i1 eq %3, $1\n" PARTS("%4"), true},
        {" %3 = i32 atomic add g[$1 + 0]:i32, $1\n %4 = i1 eq %3, $1\n" PARTS("%4"), true},
        /* through registers: each element by itself, with or without a predicate, and chosen by a number */
        {LANES " set r[1], %3\n %5 = i32 get r[0]\n %6 = i1 eq %5, $1\n" PARTS("%6"), false},
        {LANES " set r[1], %3\n %5 = i32 get r[1]\n %6 = i1 eq %5, $1\n" PARTS("%6"), true},
        {LANES " set r[1], $1\n %5 = i32 get r[1]\n %6 = i1 eq %5, $1\n" PARTS("%6"), false},
        {LANES " set r[1], $1 if %4\n %5 = i32 get r[1]\n %6 = i1 eq %5, $1\n" PARTS("%6"), true},
        {LANES " set flag[0], %4\n %5 = i1 get flag[1]\n" PARTS("%5"), false},
        {LANES " set flag[0], %4\n %5 = i1 get flag[0]\n" PARTS("%5"), true},
        {LANES " %5 = i64 zext %3\n set r[2], %5\n %6 = i32 get r[3]\n %7 = i1 eq %6, $1\n" PARTS("%7"), true},
        {LANES " %5 = i64 zext %3\n set r[2], %5\n %6 = i32 get r[4]\n %7 = i1 eq %6, $1\n" PARTS("%7"), false},
        {LANES " set r[3], %3\n %5 = i64 get r[2]\n %6 = i32 lo32 %5\n %7 = i1 eq %6, $1\n" PARTS("%7"), true},
        {LANES " set_dyn r[0 + $1 * 1, 2..3], $1\n %5 = i32 get r[3]\n %6 = i1 eq %5, $1\n" PARTS("%6"), true},
        {LANES " set_dyn r[0 + $1 * 1, 2..3], $1\n %5 = i32 get r[4]\n %6 = i1 eq %5, $1\n" PARTS("%6"), false},
        /* what a later block writes, an earlier one may read the next time around */
        {" %3 = i1 get flag[0]\n control 1 0x0 [b2 b3], %3\nblock 2\n %4 = i1 get flag[1]\n set flag[0], %4\n goto b1\n"
         "block 3\n %5 = i32 sysval thread_id.x\n %6 = i1 eq %5, $1\n set flag[1], %6\n goto b1\n", true},
        {" %3 = i1 get flag[0]\n control 1 0x0 [b2 b3], %3\nblock 2\n %4 = i1 get flag[0]\n set flag[0], %4\n goto b1\n"
         "block 3\n %5 = i32 sysval thread_id.x\n %6 = i1 eq %5, $1\n set flag[1], %6\n goto b1\n", false},
    };
    (void)state;
    ask(HEAD "block 1\n", lift_lanes_part, list, sizeof list / sizeof *list);
}

static void test_fills(void **state)
{
    (void)state;
    assert_true(lift_fills(IR_COMPUTE, (const uint32_t[]){4, 4, 4}, 32));
    assert_false(lift_fills(IR_COMPUTE, (const uint32_t[]){4, 4, 3}, 32));
    assert_false(lift_fills(IR_COMPUTE, (const uint32_t[]){5, 4, 4}, 32));
    assert_false(lift_fills(IR_COMPUTE, (const uint32_t[]){4, 5, 4}, 32));
    assert_true(lift_fills(IR_FRAGMENT, (const uint32_t[]){4, 4, 3}, 32));
}

TEST_MAIN(TEST(test_shows), TEST(test_parts), TEST(test_fills))
