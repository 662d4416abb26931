/* test_lanes.c - two warps run as one of 64 threads where no thread can tell: which programs do. */
#include "isa/isa.h"
#include "isa/tesla/lift.h"
#include "test.h"

#define COUNT_DOWN "mov b32 $r4 0xffffffff\n    add b32 $c0 $r1 $r1 $r4\n"

static const struct {
    const char *name;
    unsigned lanes;
    const char *text;
} programs[] = {
    {"a straight line", 64, "    add b32 $r2 $r1 $r2\n    exit nop\n"},
    {"threads that leave a loop", 64,
     "    breakaddr #done\nloop:\n    add b32 $r2 $r2 $r1\n    " COUNT_DOWN "    (e $c0) break\n    bra #loop\ndone:\n"
     "    add b32 $r3 $r2 $r1\n    exit nop\n"},
    {"two ways that meet", 64,
     "    joinat #met\n    mov b32 $r4 0x1\n    and b32 $c0 $r3 $r1 $r4\n    (e $c0) bra #met\n    add b32 $r2 $r2 $r1\nmet:\n    join nop\n"
     "    add b32 $r3 $r2 $r1\n    exit nop\n"},
    {"a barrier where threads have parted", 32,
     "    mov b32 $r4 0x1\n    and b32 $c0 $r3 $r0 $r4\n    (e $c0) bra #met\n    add b32 $r2 $r2 $r1\nmet:\n    bar inc wait 0x0 all\n    exit nop\n"},
    {"a barrier in a loop of all threads", 64,
     "    mov b32 $r1 0x3\n    breakaddr #done\nloop:\n    add b32 $r2 $r2 $r1\n    bar inc wait 0x0 all\n    " COUNT_DOWN
     "    (e $c0) break\n    bra #loop\ndone:\n    exit nop\n"},
    {"a barrier that counts warps", 32, "    bar inc wait 0x0 0x2\n    exit nop\n"},
    {"the number of the thread", 32, "    mov $r1 $physid\n    exit nop\n"},
};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

struct machine {
    struct arena arena;
    weft_diags *diags;
    struct ir_program *ir;
};

static void lift(struct machine *m, const char *text)
{
    static const char linkage[] = "block 64\nregisters 5\n";
    struct isa_linkage lines = {{"linkage", linkage, sizeof linkage - 1}};
    struct isa_params params = {.stage = IR_COMPUTE, .chip = "g200", .linkage = &lines};
    struct source src = {"test", text, strlen(text)};
    struct isa_module *module = NULL;
    *m = (struct machine){.diags = weft_diags_new()};
    weft_status status = isa_tesla.parse(&src, &params, &m->arena, &module, m->diags);
    if (status == WEFT_OK)
        status = isa_tesla.lift(module, &src, &m->arena, &m->ir, m->diags);
    if (status != WEFT_OK)
        fail_msg("%s\n%s", weft_diags_count(m->diags) ? weft_diags_get(m->diags, 0)->message : "?", text);
}

static void end(struct machine *m)
{
    weft_diags_free(m->diags);
    arena_free(&m->arena);
}

static void which_programs(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct machine m;
        lift(&m, programs[i].text);
        if (m.ir->lanes != programs[i].lanes)
            fail_msg("%s: %u lanes, not %u", programs[i].name, m.ir->lanes, programs[i].lanes);
        end(&m);
    }
}

TEST_MAIN(TEST(which_programs))
