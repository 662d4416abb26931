/* What only fragment programs do: interpolated and special inputs, derivatives, discards, votes; and constants,
 * indirect registers, modifiers, masks and saturation, which any program has. */
#include "lift_run.h"

#include <math.h>

static float as_float(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, 4);
    return v;
}

static uint32_t as_bits(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, 4);
    return bits;
}

static struct run plain(bool optimise)
{
    return (struct run){.active = UINT64_MAX, .live = UINT64_MAX, .optimise = optimise};
}

/* Pixel of a lane, from what the program itself reads. */
static void derivatives(void **state)
{
    (void)state;
    for (unsigned optimise = 0; optimise < 2; optimise++) {
        struct run run = plain(optimise);
        /* x * x + 3 * y: differs by row and column */
        run_text("FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n"
                 "DCL OUT[1], COLOR[1]\nDCL TEMP[0..1]\nIMM FLT32 {3, 0, 0, 0}\n"
                 "MUL TEMP[0].x, IN[0].xxxx, IN[0].xxxx\nMUL TEMP[0].x, TEMP[0].xxxx, IN[0].yyyy\n"
                 "MOV OUT[0], TEMP[0].xxxx\n"
                 "DDX OUT[1].x, TEMP[0].xxxx\nDDY OUT[1].y, TEMP[0].xxxx\nDDX_FINE OUT[1].z, TEMP[0].xxxx\nDDY_FINE "
                 "OUT[1].w, TEMP[0].xxxx\nEND\n",
                 &run);
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            float v[4];
            for (unsigned i = 0; i < 4; i++)
                v[i] = as_float(run.out[0][0][(lane & ~3u) + i]);
            assert_int_equal(run.out[1][0][lane], as_bits(v[3] - v[2]));
            assert_int_equal(run.out[1][1][lane], as_bits(v[2] - v[0]));
            assert_int_equal(run.out[1][2][lane], as_bits(lane & 2 ? v[3] - v[2] : v[1] - v[0]));
            assert_int_equal(run.out[1][3][lane], as_bits(lane & 1 ? v[3] - v[1] : v[2] - v[0]));
        }
    }
}

static void discards_leave_helpers(void **state)
{
    (void)state;
    struct run run = plain(true);
    run.live = ~UINT64_C(0xf0); /* lanes 4 to 7 are helpers from the start */
    run_text("FRAG\nDCL OUT[0], COLOR\nIMM FLT32 {-1, 0, 1, -0.0}\nKILL_IF IMM[0].yzwy\nKILL_IF -IMM[0].xyww\nMOV "
             "OUT[0], IMM[0]\nEND\n",
             &run);
    assert_true(run.live_after == run.live); /* nothing is below zero, and -0 is not */
    run = plain(true);
    run_text("FRAG\nDCL OUT[0], COLOR\nIMM FLT32 {-1, 0, 1, -0.0}\nKILL_IF IMM[0].zzzx\nMOV OUT[0], IMM[0]\nEND\n",
             &run);
    assert_int_equal(run.live_after, 0);
    run = plain(true);
    run.live = ~UINT64_C(0xf0);
    run_text("FRAG\nDCL SV[0], SUBGROUP_INVOCATION\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
             "IMM FLT32 {-8, -16, 1, 0}\nIMM UINT32 {20, 0, 0, 0}\n"
             "U2F TEMP[0], SV[0].xxxx\n"
             "ADD TEMP[0].xy, TEMP[0], IMM[0].xyyy\n"
             "KILL_IF TEMP[0].xxxx\n"                  /* lanes below 8 */
             "USEQ TEMP[1].x, SV[0].xxxx, IMM[1].xxxx\n"
             "UIF TEMP[1].xxxx\nKILL\nENDIF\n"
             "READ_HELPER OUT[0]\n"
             "END\n", &run);
    assert_true(run.live_after == ~(UINT64_C(0xff) | UINT64_C(1) << 20));
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        assert_int_equal(run.out[0][0][lane], lane < 8 || lane == 20 ? UINT32_MAX : 0);
}

static void votes(void **state)
{
    (void)state;
    struct run run = plain(true);
    run.active = run.live = UINT64_C(0xffff0000ffff0000);
    run_text("FRAG\nDCL SV[0], SUBGROUP_INVOCATION\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL OUT[2], COLOR[2]\nDCL "
             "TEMP[0..1]\n"
             "IMM UINT32 {1, 17, 0, 63}\n"
             "AND TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
             "BALLOT OUT[0].xy, TEMP[0].xxxx\n"
             "VOTE_ANY OUT[0].z, TEMP[0].xxxx\n"
             "VOTE_ALL OUT[0].w, TEMP[0].xxxx\n"
             "VOTE_EQ OUT[1].x, TEMP[0].xxxx\n"
             "VOTE_EQ OUT[1].y, IMM[0].xxxx\n"
             "READ_FIRST OUT[1].z, SV[0].xxxx\n"
             "READ_INVOC OUT[1].w, SV[0].xxxx, IMM[0].yyyy\n"
             "XOR TEMP[0].y, SV[0].xxxx, IMM[0].wwww\n"
             "READ_INVOC OUT[2].xy, SV[0].xxxx, TEMP[0].yyyy\n"
             "END\n",
             &run);
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        if (!(run.active >> lane & 1))
            continue;
        assert_int_equal(run.out[0][0][lane], 0xaaaa0000);
        assert_int_equal(run.out[0][1][lane], 0xaaaa0000);
        assert_int_equal(run.out[0][2][lane], UINT32_MAX);
        assert_int_equal(run.out[0][3][lane], 0);
        assert_int_equal(run.out[1][0][lane], 0);
        assert_int_equal(run.out[1][1][lane], UINT32_MAX);
        assert_int_equal(run.out[1][2][lane], 16);
        assert_int_equal(run.out[1][3][lane], 17);
        assert_int_equal(run.out[2][0][lane], 63 - lane);
    }
}

static void constants(void **state)
{
    (void)state;
    uint32_t buffer[2][16];
    for (unsigned b = 0; b < 2; b++)
        for (unsigned i = 0; i < 16; i++)
            buffer[b][i] = 1000 * b + i;
    for (unsigned optimise = 0; optimise < 2; optimise++) {
        struct run run = plain(optimise);
        for (unsigned b = 0; b < 2; b++)
            run.constant[b] = (struct exec_buffer){(uint8_t *)buffer[b], sizeof buffer[b]};
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            run.in[0][0][lane] = lane % 8 == 7 ? 0x10000000u : lane % 8 - 1; /* below, inside, above, and far out */
        run_text("VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL OUT[1], GENERIC[1]\nDCL CONST[0][0..3]\nDCL "
                 "CONST[1][0..3]\nDCL ADDR[0]\n"
                 "UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], CONST[1][ADDR[0].x+1]\nMOV OUT[1], CONST[2].wzyx\nEND\n",
                 &run);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            for (unsigned c = 0; c < 4; c++) {
                uint32_t reg = run.in[0][0][lane] + 1;
                assert_int_equal(run.out[0][c][lane], reg < 4 ? 1000 + reg * 4 + c : 0);
                assert_int_equal(run.out[1][c][lane], 8 + 3 - c);
            }
        assert_true(run.counts.bad_access > 0);
    }
}

/* What is added to the number of a register: a component of each file that has numbers, and a constant. */
enum { INDEX_WORDS = 256 };

static uint32_t index_in(const struct run *run, unsigned file, unsigned component, unsigned lane)
{
    switch (file) {
    case 0: /* ADDR[0] and TEMP[1] are IN[1] */
    case 1:
    case 2:
        return run->in[1][component][lane];
    case 3:
        return 12 + component; /* CONST[3] */
    case 4:
        return 40 - component; /* IMM[1] */
    default:
        return lane;
    }
}

static void index_files(void **state)
{
    (void)state;
    static const char *const files[] = {"ADDR[0]", "TEMP[1]", "IN[1]", "CONST[3]", "IMM[1]", "SV[0]"};
    static uint32_t words[INDEX_WORDS];
    for (unsigned i = 0; i < INDEX_WORDS; i++)
        words[i] = i;
    for (unsigned n = 0; n < 6 * 4 * 3 * 2; n++) {
        unsigned file = n % 6, component = n / 6 % 4, more = n / 24 % 3;
        struct run run = plain(n >= 72);
        char text[1000], at[40];
        run.constant[0] = (struct exec_buffer){(uint8_t *)words, sizeof words};
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            for (unsigned c = 0; c < 4; c++)
                run.in[1][c][lane] = (lane * 5 + c * 17) % 61 + 1;
        snprintf(at, sizeof at, "%s.%c%s", files[file], "xyzw"[component], (const char *[]){"", "+2", "-1"}[more]);
        snprintf(text, sizeof text,
                 "VERT\nDCL IN[0..1]\nDCL OUT[0], GENERIC[0]\nDCL OUT[1], GENERIC[1]\nDCL CONST[0][0..63]\n"
                 "DCL TEMP[0..1]\nDCL TEMP[2..66], ARRAY(1)\nDCL ADDR[0]\nDCL SV[0], SUBGROUP_INVOCATION\n"
                 "IMM[0] UINT32 {7, 8, 9, 10}\nIMM[1] UINT32 {40, 39, 38, 37}\n"
                 "MOV TEMP[1], IN[1]\nUARL ADDR[0], IN[1]\nMOV OUT[0], CONST[0][%s]\n"
                 "MOV TEMP[2], IMM[0]\nMOV TEMP[%s](1), IMM[1]\nMOV OUT[1], TEMP[%s](1)\nEND\n", at, at, at);
        run_text(text, &run);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            for (unsigned c = 0; c < 4; c++) {
                uint32_t index = index_in(&run, file, component, lane) + (uint32_t[]){0, 2, UINT32_MAX}[more];
                uint32_t constant = index < INDEX_WORDS / 4 ? 4 * index + c : 0;
                uint32_t kept = index >= 2 && index <= 66 ? 40 - c : 0;
                if (run.out[0][c][lane] != constant || run.out[1][c][lane] != kept)
                    fail_msg("[%s] is %u in lane %u: component %u is %u and %u, expected %u and %u", at, index, lane, c,
                             run.out[0][c][lane], run.out[1][c][lane], constant, kept);
            }
    }
}

static void indirect_registers(void **state)
{
    (void)state;
    for (unsigned optimise = 0; optimise < 2; optimise++) {
        struct run run = plain(optimise);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            run.in[0][0][lane] = lane % 6;
        run_text("VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL OUT[1], GENERIC[1]\nDCL TEMP[0]\nDCL TEMP[1..4], "
                 "ARRAY(1)\nDCL ADDR[0]\n"
                 "IMM UINT32 {10, 11, 12, 13}\nIMM UINT32 {20, 21, 22, 23}\nIMM UINT32 {30, 31, 32, 33}\n"
                 "UARL ADDR[0].x, IN[0].xxxx\n"
                 "MOV TEMP[0], IMM[2]\nMOV TEMP[1], IMM[0].xxxx\nMOV TEMP[2], IMM[0].yyyy\nMOV TEMP[3], "
                 "IMM[0].zzzz\nMOV TEMP[4], IMM[0].wwww\n"
                 "MOV TEMP[ADDR[0].x](1).y, IMM[1].xxxx\n" /* TEMP[lane % 6], inside 1..4 only */
                 "MOV OUT[0], TEMP[ADDR[0].x](1)\n"
                 "MOV OUT[1].x, TEMP[0].yyyy\nMOV OUT[1].y, TEMP[4].yyyy\nMOV OUT[1].z, IMM[ADDR[0].x-1].zzzz\nEND\n",
                 &run);
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            unsigned i = lane % 6;
            bool inside = i >= 1 && i <= 4;
            assert_int_equal(run.out[0][0][lane], inside ? 9 + i : 0);
            assert_int_equal(run.out[0][1][lane], inside ? 20 : 0);
            assert_int_equal(run.out[1][0][lane], 31);
            assert_int_equal(run.out[1][1][lane], i == 4 ? 20 : 13);
            assert_int_equal(run.out[1][2][lane], i >= 1 && i <= 3 ? i * 10 + 2 : 0);
        }
    }
}

static void modifiers_masks_and_saturation(void **state)
{
    (void)state;
    struct test_rng r = test_seed("modifiers");
    for (unsigned round = 0; round < 60; round++) {
        struct run run = plain(round & 1);
        bool integer = round & 2, saturate = !integer && round & 4, absolute = !integer && test_next(&r) & 1;
        bool negate = test_next(&r) & 1;
        unsigned mask = 1 + test_next(&r) % 15, swizzle[4];
        char letters[5] = {0}, masked[5] = {0}, text[400];
        for (unsigned c = 0, n = 0; c < 4; c++) {
            swizzle[c] = test_next(&r) % 4;
            letters[c] = "xyzw"[swizzle[c]];
            if (mask >> c & 1)
                masked[n++] = "xyzw"[c];
            for (unsigned lane = 0; lane < RUN_LANES; lane++) {
                run.in[0][c][lane] = integer ? (uint32_t)test_next(&r) : as_bits((float)(int32_t)test_next(&r) / 1e9f);
                run.out[0][c][lane] = 0x5eed;
            }
        }
        snprintf(text, sizeof text,
                 "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0]\nMOV TEMP[0], IN[0]\n%s TEMP[0].%s, "
                 "%s%sTEMP[0].%s%s, TEMP[0]\nMOV OUT[0], TEMP[0]\nEND\n",
                 integer    ? "UADD"
                 : saturate ? "ADD_SAT"
                            : "ADD",
                 masked, negate ? "-" : "", absolute ? "|" : "", letters, absolute ? "|" : "");
        run_text(text, &run);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            for (unsigned c = 0; c < 4; c++) {
                uint32_t a = run.in[0][swizzle[c]][lane], b = run.in[0][c][lane], want = b;
                float v = absolute ? fabsf(as_float(a)) : as_float(a);
                v = (negate ? -v : v) + as_float(b);
                if (saturate)
                    v = v > 0 ? v < 1 ? v : 1 : 0;
                if (mask >> c & 1)
                    want = integer ? (negate ? 0 - a : a) + b : as_bits(v);
                assert_int_equal(run.out[0][c][lane], want);
            }
    }
}

static void face_and_position(void **state)
{
    (void)state;
    struct run run = plain(true);
    run_text("FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nPROPERTY FS_COORD_PIXEL_CENTER INTEGER\nDCL IN[0], FACE, "
             "CONSTANT\nDCL IN[1], POSITION, LINEAR\n"
             "DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n",
             &run);
    assert_int_equal(run.out[0][0][9], as_bits(-1)); /* the environment says nothing of a front face */
    assert_int_equal(run.out[0][1][9], 0);
    assert_int_equal(run.out[0][2][9], 0);
    assert_int_equal(run.out[0][3][9], as_bits(1));
    assert_int_equal(run.out[1][0][1], as_bits(1));
    assert_int_equal(run.out[1][1][2], as_bits(1));
}

/* Registers that are not declared, between others and beyond them, in a program that nobody checked: the lift names
 * them, or makes what the verifier takes. */
static void undeclared(void **state)
{
    (void)state;
    static const struct {
        const char *operand, *says; /* NULL: it is lifted */
    } cases[] = {
        {"SV[0]", NULL}, {"SV[1]", "SV[1] is not declared"}, {"SV[3]", "SV[3] is not declared"},
        {"SV[70000]", "more than 4096 SV registers"}, {"SV[ADDR[0].x]", NULL}, {"CONST[0][SV[0].x]", NULL},
        {"CONST[0][SV[1].x]", "SV[1] is not declared"}, {"CONST[0][SV[3].x]", "SV[3] is not declared"},
        {"TEMP[1]", NULL}, {"IN[1]", NULL}, {"ADDR[1]", NULL}, {"CONST[0][1]", NULL}, {"TEMP[ADDR[1].x]", NULL},
        {"CONST[ADDR[5].x][1]", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        struct arena arena = {0};
        weft_diags *diags = weft_diags_new();
        const struct isa_params params = {.stage = -1};
        struct isa_module *m = NULL;
        struct ir_program *p = NULL;
        snprintf(text, sizeof text,
                 "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[2], GENERIC[2], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                 "DCL SV[0], SUBGROUP_INVOCATION\nDCL SV[2], SUBGROUP_SIZE\nDCL TEMP[0]\nDCL TEMP[2]\n"
                 "DCL CONST[0][0]\nDCL CONST[0][2]\nDCL ADDR[0]\nDCL ADDR[2]\nMOV OUT[0], %s\nEND\n",
                 cases[i].operand);
        struct source src = {"test", text, strlen(text)};
        assert_int_equal(tgsi_parse(&src, &params, &arena, &m, diags), WEFT_OK);
        bool done = tgsi_lift(m, &src, &arena, &p, diags) == WEFT_OK && ir_verify(p, diags) == WEFT_OK;
        const char *said = weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "nothing";
        if (done != !cases[i].says || (!done && strcmp(said, cases[i].says) != 0))
            fail_msg("%s: %s", cases[i].operand, said);
        weft_diags_free(diags);
        arena_free(&arena);
    }
}

TEST_MAIN(TEST(derivatives), TEST(discards_leave_helpers), TEST(votes), TEST(constants), TEST(index_files),
          TEST(undeclared), TEST(indirect_registers), TEST(modifiers_masks_and_saturation), TEST(face_and_position))
