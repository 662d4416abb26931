/* test_policies.c - what control policies say of their state, for traces and debuggers: after a few steps of each, and
 * where there is little room. */
#include "policies.h"
#include "test.h"

#include "isa/tgsi/policy.h"
#include "isa/tgsi/tgsi.h"

enum { BLOCKS = 16, ALL = 0xff, ROOM = 400 };

static const struct policy_state tgsi_states[] = {
    {&tgsi_policy, {{0}}, 0,
     "depth 0 live 00000000000000ff continued 0000000000000000 returned 0000000000000000"},
    {&tgsi_policy,
     {{TGSI_CTL_LOOP, {3}, 0}, {TGSI_CTL_CONTINUE, {3, 4}, 0x02}, {TGSI_CTL_RETURN, {3, 4}, 0x04}}, 3,
     "depth 1 live 00000000000000f9 continued 0000000000000002 returned 0000000000000004"},
    /* an IF that no lane takes is not entered; one with an ELSE is */
    {&tgsi_policy, {{TGSI_CTL_IF, {3, 4}, 0}}, 1,
     "depth 0 live 00000000000000ff continued 0000000000000000 returned 0000000000000000"},
    {&tgsi_policy, {{TGSI_CTL_IF, {3, 4}, 0x01}}, 1,
     "depth 1 live 00000000000000ff continued 0000000000000000 returned 0000000000000000"},
    {&tgsi_policy, {{TGSI_CTL_IF_ELSE, {3, 4, 9}, 0}}, 1,
     "depth 1 live 00000000000000ff continued 0000000000000000 returned 0000000000000000"},
    {&tgsi_jump_policy, {{TGSI_JUMP_BRANCH, {3, 4, 9}, 0x0f}}, 1, "waiting 00000000000000f0"},
    {NULL, {{0}}, 0, NULL},
};

/* The state after the steps, as text; returns what the policy says that it takes. */
static int told_after(const struct policy_state *of, char *text, size_t room)
{
    const struct exec_policy *policy = of->policy;
    struct ir_block blocks[BLOCKS] = {{0}};
    const struct ir_program program = {.blocks = blocks, .nblocks = BLOCKS};
    struct exec_masks m = {.active = ALL, .all = ALL, .live = ALL};
    void *state = calloc(1, policy->state_size);
    const char *fault = NULL;
    assert_non_null(state);
    for (unsigned b = 0; b < BLOCKS; b++)
        blocks[b].addr = 16 * b;
    policy->start(state, &m);
    for (unsigned k = 0; k < of->count; k++) {
        const struct step *s = &of->steps[k];
        const struct ir_control c = {.op = (uint16_t)s->op, .ntargets = 3, .imm = 1,
                                     .target = {s->target[0], s->target[1], s->target[2]}};
        const lane_mask args[1] = {s->lanes & m.active};
        policy->control(state, &m, &c, args, NULL, &fault);
        if (fault)
            fail_msg("%s, step %u: %s", policy->name, k, fault);
    }
    int length = policy->describe(state, &program, text, room);
    free(state);
    return length;
}

static const struct policy_state *const sets[] = {
    tesla_states, valhall_states, tgsi_states,
#ifdef WEFT_ISA_SPIRV
    spirv_states,
#endif
};
enum { SETS = sizeof sets / sizeof sets[0] };

static void texts(void **state)
{
    (void)state;
    for (unsigned set = 0; set < SETS; set++)
        for (const struct policy_state *of = sets[set]; of->text; of++) {
            char text[ROOM] = "";
            int length = told_after(of, text, sizeof text);
            if (strcmp(text, of->text) != 0)
                fail_msg("%s: it says \"%s\", expected \"%s\"", of->policy->name, text, of->text);
            assert_int_equal(length, strlen(text));
        }
}

/* As snprintf: what does not fit is counted, and nothing is written beyond the room. */
static void check_room(const struct policy_state *of, int room)
{
    char text[ROOM];
    memset(text, '~', sizeof text);
    text[0] = '\0';
    assert_int_equal(told_after(of, text, (size_t)room), strlen(of->text));
    assert_true(strlen(text) < (size_t)room);
    assert_memory_equal(text, of->text, strlen(text));
    for (unsigned k = (unsigned)room; k < sizeof text; k++)
        assert_int_equal(text[k], '~');
}

static void little_room(void **state)
{
    (void)state;
    for (unsigned set = 0; set < SETS; set++)
        for (const struct policy_state *of = sets[set]; of->text; of++)
            for (int room = 1; room <= (int)strlen(of->text) + 1; room++)
                check_room(of, room);
}

TEST_MAIN(TEST(texts), TEST(little_room))
