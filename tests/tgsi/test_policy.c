/* The control policy alone: what masks it answers with, step by step. */
#include "test.h"

#include "exec/exec.h"
#include "isa/tgsi/policy.h"
#include "isa/tgsi/tgsi.h"

struct machine {
    void *state;
    struct exec_masks m;
    const char *fault;
};

static struct machine machine_new(lane_mask all)
{
    struct machine w = {.state = calloc(1, tgsi_policy.state_size), .m = {.active = all, .all = all, .live = all}};
    assert_non_null(w.state);
    tgsi_policy.start(w.state, &w.m);
    return w;
}

/* Targets are 10, 11, 12: which one was taken. */
static uint32_t ask(struct machine *w, enum tgsi_control op, unsigned targets, lane_mask arg)
{
    struct ir_control c = {.op = (uint16_t)op, .ntargets = (uint8_t)targets, .target = {10, 11, 12}, .imm = 1};
    lane_mask args[1] = {arg & w->m.active};
    return tgsi_policy.control(w->state, &w->m, &c, args, NULL, &w->fault);
}

static void branches(void **state)
{
    (void)state;
    struct machine w = machine_new(0xff);
    assert_int_equal(ask(&w, TGSI_CTL_IF, 2, 0), 11); /* nobody: past it, nothing kept */
    assert_int_equal(w.m.active, 0xff);
    assert_int_equal(ask(&w, TGSI_CTL_IF_ELSE, 2, 0x0f), 10);
    assert_int_equal(w.m.active, 0x0f);
    assert_int_equal(ask(&w, TGSI_CTL_ELSE, 3, 0), 10);
    assert_int_equal(w.m.active, 0xf0);
    assert_int_equal(ask(&w, TGSI_CTL_ENDIF, 2, 0), 10);
    assert_int_equal(w.m.active, 0xff);
    assert_int_equal(ask(&w, TGSI_CTL_IF_ELSE, 2, 0xff), 10); /* everybody: ELSE is the end */
    assert_int_equal(ask(&w, TGSI_CTL_ELSE, 3, 0), 11);
    assert_int_equal(w.m.active, 0xff);
    assert_int_equal(ask(&w, TGSI_CTL_IF_ELSE, 2, 0), 11); /* nobody: straight to the other side */
    assert_int_equal(ask(&w, TGSI_CTL_ENDIF, 2, 0), 10);
    assert_int_equal(w.m.active, 0xff);
    free(w.state);
}

static void loops(void **state)
{
    (void)state;
    struct machine w = machine_new(0xff);
    assert_int_equal(ask(&w, TGSI_CTL_LOOP, 1, 0), 10);
    assert_int_equal(ask(&w, TGSI_CTL_IF, 2, 0x3f), 10);
    assert_int_equal(ask(&w, TGSI_CTL_BREAK, 2, 0x01), 11);    /* lane 0 leaves */
    assert_int_equal(ask(&w, TGSI_CTL_CONTINUE, 2, 0x02), 11); /* lane 1 waits for the next iteration */
    assert_int_equal(ask(&w, TGSI_CTL_RETURN, 2, 0x04), 11);   /* lane 2 leaves the program */
    assert_int_equal(w.m.active, 0x38);
    assert_int_equal(ask(&w, TGSI_CTL_ENDIF, 2, 0), 10);
    assert_int_equal(w.m.active, 0xf8);
    assert_int_equal(ask(&w, TGSI_CTL_ENDLOOP, 3, 0), 10);
    assert_int_equal(w.m.active, 0xfa);
    assert_int_equal(ask(&w, TGSI_CTL_BREAK, 1, 0), 10); /* all others leave: on to the join */
    assert_int_equal(w.m.active, 0);
    assert_int_equal(ask(&w, TGSI_CTL_ENDLOOP, 3, 0), 11);
    assert_int_equal(w.m.active, 0xfb);
    assert_int_equal(ask(&w, TGSI_CTL_FINISH, 1, 0), 10);
    assert_int_equal(w.m.active, 0xff);
    free(w.state);
}

static void switches(void **state)
{
    (void)state;
    struct machine w = machine_new(0xff);
    assert_int_equal(ask(&w, TGSI_CTL_SWITCH, 1, 0xc0), 10); /* lanes 6 and 7 want DEFAULT */
    assert_int_equal(w.m.active, 0);
    assert_int_equal(ask(&w, TGSI_CTL_CASE, 3, 0), 10); /* test the others */
    assert_int_equal(w.m.active, 0x3f);
    assert_int_equal(ask(&w, TGSI_CTL_MATCH, 2, 0x03), 10);
    assert_int_equal(w.m.active, 0x03);
    assert_int_equal(ask(&w, TGSI_CTL_BREAK, 2, 0x01), 11);
    assert_int_equal(ask(&w, TGSI_CTL_DEFAULT, 2, 0), 10); /* lane 1 falls through */
    assert_int_equal(w.m.active, 0xc2);
    assert_int_equal(ask(&w, TGSI_CTL_CASE, 3, 0), 10);
    assert_int_equal(w.m.active, 0x3c);
    assert_int_equal(ask(&w, TGSI_CTL_MATCH, 2, 0x3c), 10);
    assert_int_equal(w.m.active, 0xfe);
    assert_int_equal(ask(&w, TGSI_CTL_CASE, 3, 0), 11); /* nobody left to test */
    assert_int_equal(ask(&w, TGSI_CTL_ENDSWITCH, 2, 0), 10);
    assert_int_equal(w.m.active, 0xff);
    free(w.state);
}

static void calls(void **state)
{
    (void)state;
    struct machine w = machine_new(0xff);
    assert_int_equal(ask(&w, TGSI_CTL_CALL_IF, 2, 0), 11);
    assert_int_equal(ask(&w, TGSI_CTL_CALL_IF, 2, 0x0f), 10);
    assert_int_equal(w.m.active, 0x0f);
    assert_int_equal(ask(&w, TGSI_CTL_RETURN, 2, 0x03), 11);
    assert_int_equal(w.m.active, 0x0c);
    assert_int_equal(ask(&w, TGSI_CTL_ENDSUB, 1, 0), 11); /* the block after the call */
    assert_int_equal(w.m.active, 0xff);
    for (unsigned depth = 0; depth < 100000 && !w.fault; depth++)
        ask(&w, TGSI_CTL_CALL, 2, 0);
    assert_non_null(w.fault);
    free(w.state);
}

TEST_MAIN(TEST(branches), TEST(loops), TEST(switches), TEST(calls))
