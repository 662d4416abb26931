/* test_programs.c - what lifts make of whole programs: of the shaders of all jobs, as they are and with values of a few
 * fields drawn at random, so that control flow, waits and groups differ too. programs.txt has a number for each shader,
 * from when somebody looked last. WEFT_TEST_RENEW=1 writes it anew, and WEFT_TEST_SHOW=NAME prints what the numbers of
 * the lines with NAME in them are made of. */
#include "draw.h"
#include "jobs.h"
#include "lifted.h"
#include "snapshot.h"

enum { BYTES = 1 << 16, INSNS = 4096, VARIANTS = 6, TRIES = 4, NAME = 200 };

static struct {
    struct arena arena;
    char *text;
    size_t size, cap;
} list;

static void add_line(const char *name, const struct lifted *l)
{
    char line[400];
    lifted_tell(line, name, l);
    size_t length = strlen(line);
    list.text = arena_grow(&list.arena, list.text, 1, list.size, &list.cap, list.size + length + 1);
    assert_non_null(list.text);
    memcpy(list.text + list.size, line, length + 1);
    list.size += length;
}

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
    p->size = size;
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

/* Whether the checker takes the changed program, of which there is no other to be tried. */
static bool add_changed(struct lifted *to, const struct program *p, const uint8_t *bytes, bool last)
{
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct isa_module *m = NULL;
    bool taken = p->isa->decode(bytes, p->size, "t", &p->params, &a, &m, d) == WEFT_OK &&
                 isa_check(p->isa, m, "t", NULL, &p->params, d) == WEFT_OK;
    if (taken || last) {
        char *text = NULL;
        size_t size;
        if (to->shown && m && p->isa->print(m, &a, &text, &size, NULL) == WEFT_OK)
            print_message("---- changed:\n%s", text);
        if (taken)
            lifted_checked(to, p->isa, m, NULL, &a, d);
        lifted_messages(to, d);
        to->programs++;
    }
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
    for (const char *c = name; *c; c++)
        random.state = random.state * 31 + (unsigned char)*c;
    struct lifted lifted = {.shown = shown && strstr(name, shown)};
    p.isa = isa_find(s->folder->isa);
    p.params = (struct isa_params){
        .stage = (int)s->stage, .chip = s->chip, .linkage = *s->links ? &linkage : NULL, .running = true};
    lifted_source(&lifted, p.isa, s->text, &p.params);
    assert_int_equal(weft_decoder_new(s->folder->isa, &options, &p.decoder), WEFT_OK);
    if (encode(&p, &src))
        find_insns(&p);
    for (unsigned v = 0; p.ninsns && v < VARIANTS; v++)
        for (unsigned k = 0; k < TRIES; k++) {
            change(&p, &random, bytes);
            if (add_changed(&lifted, &p, bytes, k + 1 == TRIES))
                break;
        }
    weft_decoder_free(p.decoder);
    add_line(name, &lifted);
}

static void each_is_as_it_was(void **state)
{
    (void)state;
    lifted_keeps_memory();
    for (size_t i = 0; i < JOB_FOLDERS; i++)
        job_each_of(&job_folders[i], add_shader);
    snapshot_compare(WEFT_SOURCE_ROOT "/tests/isa/programs.txt", list.text);
    arena_free(&list.arena);
}

TEST_MAIN(TEST(each_is_as_it_was))
