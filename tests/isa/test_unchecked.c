/* test_unchecked.c - programs with a few words wrong that no checker has seen: the lift refuses each with a message, or
 * makes lane IR that the verifier takes. unchecked.txt has a number for each shader of the jobs, of what the lift says
 * and makes. WEFT_TEST_RENEW=1 writes it anew, and WEFT_TEST_SHOW=NAME prints what the numbers of the lines with NAME
 * in them are made of. */
#include "damage.h"
#include "jobs.h"
#include "lifted.h"
#include "snapshot.h"

enum { VARIANTS = 40, TEXT = 1 << 16, NAME = 200 };

static struct lifted_list list;

/* A word becomes another one of the program, or a number; or it is gone. */
static void change(const char *text, const struct damage_word *words, size_t n, struct test_rng *r, char *to)
{
    static const char *const numbers[] = {"0", "1", "2", "3", "5", "7", "16", "31", "40", "100", "255", "65536"};
    const struct damage_word *w = &words[test_next(r) % n], *other = &words[test_next(r) % n];
    const char *number = numbers[test_next(r) % (sizeof numbers / sizeof *numbers)], *from = text + other->at;
    int size = (int)other->size;
    if (text[w->at] >= '0' && text[w->at] <= '9') {
        from = number;
        size = (int)strlen(number);
    } else if (test_next(r) % 8 == 0) {
        size = 0;
    }
    snprintf(to, TEXT, "%.*s%.*s%s", (int)w->at, text, size, from, text + w->at + w->size);
}

static void add_changed(struct lifted *to, const struct isa *isa, const char *text, const struct isa_params *params)
{
    struct source src = {"t", text, strlen(text)};
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct isa_module *m = NULL;
    if (isa->parse(&src, params, &a, &m, NULL) == WEFT_OK) {
        unsigned made = to->made;
        to->programs++;
        if (to->shown)
            printf("---- changed:\n%s", text);
        lifted_module(to, isa, m, &src, &a, d);
        if (to->made == made && weft_diags_errors(d) == 0)
            fail_msg("%s: it is refused without a message\n%s", isa->name, text);
        lifted_messages(to, d);
    }
    weft_diags_free(d);
    arena_free(&a);
}

static void add_shader(const struct job_shader *s)
{
    static char changed[TEXT];
    const char *shown = getenv("WEFT_TEST_SHOW");
    char name[NAME];
    struct test_rng random = {1};
    snprintf(name, sizeof name, "%s %s %s", s->folder->name, s->file, s->name);
    if (!snapshot_tries(name))
        return;
    for (const char *c = name; *c; c++)
        random.state = random.state * 31 + (unsigned char)*c;
    struct lifted lifted = {.shown = shown && strstr(name, shown)};
    size_t nwords, nlinks;
    struct damage_word *words = damage_words(s->text, strlen(s->text), "#", &nwords);
    struct damage_word *links = damage_words(s->links, strlen(s->links), "#", &nlinks);
    for (unsigned v = 0; nwords && v < VARIANTS; v++) {
        bool of_links = nlinks && v % 4 == 0;
        struct isa_linkage linkage = {{"l", s->links, strlen(s->links)}};
        struct isa_params params = {
            .stage = (int)s->stage, .chip = s->chip, .linkage = nlinks ? &linkage : NULL, .running = true};
        change(of_links ? s->links : s->text, of_links ? links : words, of_links ? nlinks : nwords, &random, changed);
        if (of_links)
            linkage.source = (struct source){"l", changed, strlen(changed)};
        add_changed(&lifted, isa_find(s->folder->isa), of_links ? s->text : changed, &params);
    }
    free(words);
    free(links);
    lifted_tell(&list, name, &lifted, "lifted");
}

static void each_is_as_it_was(void **state)
{
    (void)state;
    lifted_keeps_memory();
    for (size_t i = 0; i < JOB_FOLDERS; i++)
        job_each_of(&job_folders[i], add_shader);
    snapshot_compare_named(WEFT_SOURCE_ROOT "/tests/isa/unchecked.txt", list.text);
    arena_free(&list.arena);
}

/* Programs that their checkers refuse, and why the lifts do. */
static const struct {
    const char *isa, *chip;
    int stage;
    const char *text, *says;
} cases[] = {
    {"tesla", "g80", IR_COMPUTE, "    bra 0x100\n    exit nop\n", "there is no instruction at the target"},
    {"tesla", "g80", IR_FRAGMENT, "    bar inc wait 0x0 all\n    exit nop\n",
     "barriers are those of a block: only compute programs have them"},
    {"valhall", NULL, IR_FRAGMENT, "LD_VAR_SPECIAL.f32.v4.center.clobber.slot0.wait0 @r0:r1:r2:r3, 0x0, index:0x1\n",
     "special varying 4 does not exist"},
    {"valhall", NULL, IR_FRAGMENT, "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, program_counter.w0, r60, target:0x0\n",
     "BLEND takes a register, a uniform or one of blend_descriptor_0 to _7"},
    {"valhall", NULL, IR_COMPUTE, "BRANCHZ.eq r0, offset:0x64\nNOP.end\n",
     "there is no instruction where this branch goes"},
    {"valhall", NULL, IR_COMPUTE, "BRANCHZ.eq.reconverge 0x0, offset:0x64\nNOP.end\n",
     "there is no instruction where this branch goes"},
};

static void some_are_refused(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct isa *isa = isa_find(cases[i].isa);
        struct source src = {"t", cases[i].text, strlen(cases[i].text)};
        struct isa_params params = {.stage = cases[i].stage, .chip = cases[i].chip, .running = true};
        struct arena a = {0};
        weft_diags *d = weft_diags_new();
        struct isa_module *m = NULL;
        struct ir_program *p = NULL;
        bool refused = isa->parse(&src, &params, &a, &m, d) == WEFT_OK &&
                       isa_lift(isa, m, "t", &src, &a, &p, d) != WEFT_OK;
        const weft_diag *first = weft_diags_get(d, 0);
        if (!refused || !first || strcmp(first->message, cases[i].says) != 0) {
            printf("# %s: %s\n%s", isa->name, first ? first->message : "nothing is said", cases[i].text);
            wrong++;
        }
        weft_diags_free(d);
        arena_free(&a);
    }
    assert_int_equal(wrong, 0);
}

TEST_MAIN(TEST(each_is_as_it_was), TEST(some_are_refused))
