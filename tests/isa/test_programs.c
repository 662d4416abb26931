/* test_programs.c - what lifts make of whole programs, and what checkers say of them: of the shaders of all jobs, as
 * they are and with values of a few fields drawn at random, so that control flow, waits and groups differ too.
 * programs.txt and program_checks.txt have a number for each shader, from when somebody looked last. WEFT_TEST_RENEW=1
 * writes them anew, and WEFT_TEST_SHOW=NAME prints what the numbers of the lines with NAME in them are made of. */
#include "draw.h"
#include "jobs.h"
#include "lifted.h"
#include "snapshot.h"

enum { BYTES = 1 << 16, INSNS = 4096, VARIANTS = 6, TRIES = 4, NAME = 200 };

static struct lifted_list lifts, checks;

/* A program as bytes, and where its instructions are. */
struct program {
    const struct isa *isa;
    weft_decoder *decoder;
    struct isa_params params;
    uint8_t bytes[BYTES];
    size_t size;
    uint32_t at[INSNS], ninsns;
};

static bool encode(struct program *p, const struct source *src)
{
    struct arena a = {0};
    struct isa_module *m = NULL;
    uint8_t *made = NULL;
    size_t size = 0;
    bool fine = p->isa->parse(src, &p->params, &a, &m, NULL) == WEFT_OK &&
                p->isa->encode(m, &a, &made, &size, NULL) == WEFT_OK && size <= BYTES;
    if (fine)
        memcpy(p->bytes, made, size);
    p->size = fine ? size : 0;
    p->ninsns = 0;
    arena_free(&a);
    return fine;
}

static void find_insns(struct program *p)
{
    weft_insn insn;
    p->ninsns = 0;
    for (size_t at = 0; at < p->size && p->ninsns < INSNS; at += insn.size) {
        bool known = weft_insn_decode(p->decoder, p->bytes + at, p->size - at, at, &insn) == WEFT_OK;
        if (insn.size == 0)
            return;
        if (known)
            p->at[p->ninsns++] = (uint32_t)at;
    }
}

/* A few of the instructions get other values in their fields. */
static void change(const struct program *p, struct test_rng *r, uint8_t *bytes)
{
    memcpy(bytes, p->bytes, p->size);
    for (unsigned n = 1 + test_next(r) % 3; n; n--) {
        uint32_t at = p->at[test_next(r) % p->ninsns];
        uint8_t drawn[WEFT_INSN_TEXT];
        weft_insn insn;
        if (weft_insn_decode(p->decoder, bytes + at, p->size - at, at, &insn) != WEFT_OK)
            continue;
        size_t size = draw_plain(p->decoder, &insn, test_next(r), r, drawn);
        memcpy(bytes + at, drawn, size);
    }
}

/* Whether the checker takes the changed program, for a run. Of those that it refuses the last one counts. */
static bool add_changed(struct lifted *to, struct lifted *checked, const struct program *p, const uint8_t *bytes,
                        bool last)
{
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct isa_module *m = NULL;
    char *text = NULL;
    size_t size;
    bool taken = p->isa->decode(bytes, p->size, "t", &p->params, &a, &m, d) == WEFT_OK;
    if (taken) {
        if (to->shown && p->isa->print(m, &a, &text, &size, NULL) == WEFT_OK)
            printf("---- changed:\n%s", text);
        taken = lifted_check(checked, p->isa, m, NULL, &p->params, false);
    }
    if (taken)
        lifted_module(to, p->isa, m, NULL, &a, d);
    lifted_messages(taken ? to : checked, d);
    to->programs += taken || last;
    weft_diags_free(d);
    arena_free(&a);
    return taken;
}

static void add_shader(const struct job_shader *s)
{
    static struct program p;
    static uint8_t bytes[BYTES];
    const char *shown = getenv("WEFT_TEST_SHOW");
    char name[NAME];
    struct isa_linkage linkage = {{"l", s->links, strlen(s->links)}};
    weft_decoder_options options = {sizeof options, s->chip, (weft_stage)s->stage};
    struct source src = {"t", s->text, strlen(s->text)};
    struct test_rng random = {1};
    snprintf(name, sizeof name, "%s %s %s", s->folder->name, s->file, s->name);
    if (!snapshot_tries(name))
        return;
    for (const char *c = name; *c; c++)
        random.state = random.state * 31 + (unsigned char)*c;
    struct lifted lifted = {.shown = shown && strstr(name, shown)}, checked = lifted;
    p.isa = isa_find(s->folder->isa);
    p.params = (struct isa_params){
        .stage = (int)s->stage, .chip = s->chip, .linkage = *s->links ? &linkage : NULL, .running = true};
    lifted_source(&lifted, &checked, p.isa, s->text, &p.params);
    assert_int_equal(weft_decoder_new(s->folder->isa, &options, &p.decoder), WEFT_OK);
    if (encode(&p, &src))
        find_insns(&p);
    for (unsigned v = 0; p.ninsns && v < VARIANTS; v++)
        for (unsigned k = 0; k < TRIES; k++) {
            change(&p, &random, bytes);
            if (add_changed(&lifted, &checked, &p, bytes, k + 1 == TRIES))
                break;
        }
    weft_decoder_free(p.decoder);
    lifted_tell(&lifts, name, &lifted, "lifted");
    lifted_tell(&checks, name, &checked, "fine");
}

static void each_is_as_it_was(void **state)
{
    (void)state;
    lifted_keeps_memory();
    for (size_t i = 0; i < JOB_FOLDERS; i++)
        job_each_of(&job_folders[i], add_shader);
    snapshot_compare_named(WEFT_SOURCE_ROOT "/tests/isa/programs.txt", lifts.text);
    arena_free(&lifts.arena);
}

static void so_are_checks(void **state)
{
    (void)state;
    snapshot_compare_named(WEFT_SOURCE_ROOT "/tests/isa/program_checks.txt", checks.text);
    arena_free(&checks.arena);
}

TEST_MAIN(TEST(each_is_as_it_was), TEST(so_are_checks))
