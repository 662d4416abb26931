/* test_lifts.c - what a lift makes of each form of each instruction, with values of its fields drawn at random, in each
 * stage: lane IR before passes, or why there is none; and what the checker says of these programs. Other tests say
 * whether that is right; here it is what it was when somebody looked last: lifts.txt and checks.txt have a number for
 * each instruction. WEFT_TEST_RENEW=1 writes it anew, and
 * WEFT_TEST_SHOW=NAME prints what the numbers of the instructions are made of whose names have NAME in them. */
#include "draw.h"
#include "draw_tgsi.h"
#include "lifted.h"
#include "settings.h"
#include "snapshot.h"

#include "ir/program.h"
#include "ir/words.h"
#include "isa/vpu/lift.h"

enum { BYTES = 8192, FORM = 256, SETTINGS = 64, NAME = 80, TRIES = 6, AS_IT_IS = 2 };

/* ---- programs around an instruction ---- */

/* A setting with what is around the instruction: bytes, or a module with so many instructions before it. */
struct frame {
    const struct setting *of;
    const struct isa *isa;
    weft_decoder *decoder;
    struct isa_linkage linkage;
    struct arena arena;
    struct isa_module *module;
    uint32_t ninsns;
    uint8_t bytes[BYTES];
    size_t before, size;
};

/* The instruction set that is asked. */
static struct set {
    const struct isa *isa;
    struct frame frame[SETTINGS];
    unsigned nframes, variants;
    bool is_tgsi, is_tesla, is_vpu;
} set;

static struct isa_params params_of(const struct frame *f)
{
    const struct setting *s = f->of;
    return (struct isa_params){.chip = s->chip,
                               .stage = (int)s->stage,
                               .linkage = s->linkage ? &f->linkage : NULL,
                               .strict = s->strict,
                               .linear = true,
                               .running = true};
}

static struct isa_module *module_of(const struct frame *f, const char *text, struct arena *a)
{
    struct source src = {"t", text, strlen(text)};
    struct isa_params params = params_of(f);
    struct isa_module *m = NULL;
    weft_diags *d = weft_diags_new();
    if (f->isa->parse(&src, &params, a, &m, d) != WEFT_OK)
        fail_msg("%s: %u: %s\n%s", f->isa->name, weft_diags_get(d, 0)->line, weft_diags_get(d, 0)->message, text);
    weft_diags_free(d);
    return m;
}

static size_t bytes_of(const struct frame *f, const char *text, uint8_t *bytes)
{
    struct arena a = {0};
    uint8_t *made = NULL;
    size_t size = 0;
    assert_int_equal(f->isa->encode(module_of(f, text, &a), &a, &made, &size, NULL), WEFT_OK);
    assert_true(size < BYTES - FORM);
    memcpy(bytes, made, size);
    arena_free(&a);
    return size;
}

static void make_frame(struct frame *f, const struct isa *isa, const struct setting *s)
{
    static char text[2 * BYTES];
    uint8_t first[BYTES];
    weft_decoder_options options = {sizeof options, s->chip, (weft_stage)s->stage};
    *f = (struct frame){.of = s, .isa = isa};
    assert_int_equal(weft_decoder_new(isa->name, &options, &f->decoder), WEFT_OK);
    if (s->linkage)
        f->linkage = (struct isa_linkage){{"l", s->linkage, strlen(s->linkage)}};
    snprintf(text, sizeof text, "%s%s", s->before, s->after);
    if (set.is_tgsi) {
        f->module = module_of(f, text, &f->arena);
        f->ninsns = draw_tgsi_count(module_of(f, s->before, &f->arena));
        return;
    }
    f->size = bytes_of(f, text, f->bytes);
    f->before = bytes_of(f, s->before, first);
}

static void free_frame(struct frame *f)
{
    weft_decoder_free(f->decoder);
    arena_free(&f->arena);
}

/* The frame with the instruction in it; how many bytes. */
static size_t put_into(const struct frame *f, const uint8_t *insn, size_t size, uint8_t *bytes)
{
    memcpy(bytes, f->bytes, f->before);
    memcpy(bytes + f->before, insn, size);
    memcpy(bytes + f->before + size, f->bytes + f->before, f->size - f->before);
    return f->size + size;
}

/* ---- what a machine translates ---- */

struct code {
    const uint8_t *bytes;
    size_t size;
};
enum { AT = 0x1000 };

static size_t fetch(void *context, uint32_t address, uint8_t *bytes, size_t size)
{
    const struct code *c = context;
    if (address < AT || address - AT >= c->size)
        return 0;
    size_t count = c->size - (address - AT);
    count = count < size ? count : size;
    memcpy(bytes, c->bytes + (address - AT), count);
    return count;
}

static void add_of_machine(struct lifted *to, const uint8_t *insn, size_t size, uint64_t mode)
{
    struct arena a = {0};
    uint8_t bytes[FORM + 16] = {0};
    struct code code = {bytes, size + 4};
    memcpy(bytes, insn, size);
    struct ir_program *p = ir_program_new(&a, "vpu", IR_COMPUTE, 16);
    struct vpu_lifter l;
    vpu_lifter_start(&l, p, (struct vpu_code){fetch, &code});
    vpu_lift_at(&l, AT | VPU_KEY_STEP | mode);
    to->programs++;
    lifted_line(to, "\n");
    lifted_program(to, p, &a);
    arena_free(&a);
}

/* ---- instructions ---- */

static bool is_for(const struct setting *s, const char *mnemonic)
{
    char name[NAME];
    snprintf(name, sizeof name, " %s ", mnemonic);
    return s->only && strstr(s->only, name);
}

/* Settings for this instruction, or those for any, of stages that it may be in; the one of that number. NULL: it may be
 * in none. */
static const struct frame *frame_of(const struct isa_row_info *row, unsigned number)
{
    const struct frame *fit[2][SETTINGS];
    unsigned n[2] = {0, 0};
    for (unsigned i = 0; i < set.nframes; i++) {
        const struct setting *s = set.frame[i].of;
        bool own = is_for(s, row->mnemonic);
        if ((!row->stages || row->stages >> s->stage & 1) && (own || !s->only))
            fit[own][n[own]++] = &set.frame[i];
    }
    bool own = n[1] > 0;
    return n[own] ? fit[own][number % n[own]] : NULL;
}

static void show_frame(const struct lifted *l, const struct frame *f, const char *text)
{
    if (l->shown)
        printf("---- %s\n%s%s%s%s%s\n", text, f->of->chip ? f->of->chip : "", f->of->chip ? " " : "",
                      ir_stage_words.list[f->of->stage], f->of->linkage ? ":\n" : "",
                      f->of->linkage ? f->of->linkage : "");
}

/* The numbers of an instruction. */
struct line {
    struct lifted lifted, checked;
};

/* Whether the checker takes it, for a run. Of those that it refuses the last one counts. */
static bool add_module(struct line *to, const struct frame *f, const struct isa_module *m, const char *text, bool last,
                       bool quick, struct arena *a)
{
    weft_diags *d = weft_diags_new();
    struct isa_params params = params_of(f);
    show_frame(&to->lifted, f, text);
    bool taken = lifted_check(&to->checked, set.isa, m, NULL, &params, quick);
    to->lifted.programs += taken || last;
    if (taken) {
        lifted_module(&to->lifted, set.isa, m, NULL, a, d);
        lifted_messages(&to->lifted, d);
    }
    weft_diags_free(d);
    return taken;
}

/* The instruction in its frame. Tesla's short instructions come in pairs. */
static bool add_insn(struct line *to, const struct frame *f, const weft_insn *insn, bool last)
{
    static uint8_t bytes[BYTES];
    uint8_t pair[2 * FORM];
    size_t size = insn->size, copies = set.is_tesla && size == 4 ? 2 : 1;
    struct isa_params params = params_of(f);
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct isa_module *m = NULL;
    for (size_t i = 0; i < copies; i++)
        memcpy(pair + i * size, insn->bytes, size);
    bool taken = set.isa->decode(bytes, put_into(f, pair, copies * size, bytes), "t", &params, &a, &m, d) == WEFT_OK;
    char text[WEFT_INSN_TEXT];
    weft_insn_text(f->decoder, insn, NULL, text, sizeof text, NULL, NULL);
    if (taken)
        taken = add_module(to, f, m, text, last, false, &a);
    else
        lifted_messages(&to->checked, d);
    weft_diags_free(d);
    arena_free(&a);
    return taken;
}

/* What is declared and not used is told of some: it is much. */
static bool add_tgsi(struct line *to, const struct frame *f, uint32_t r, struct test_rng *random, bool last,
                     bool quick)
{
    struct arena a = {0};
    struct isa_module *m = draw_tgsi(f->module, f->ninsns, r, random, &a);
    char *text = NULL;
    size_t size;
    if (to->lifted.shown)
        assert_int_equal(set.isa->print(m, &a, &text, &size, NULL), WEFT_OK);
    bool taken = add_module(to, f, m, text, last, quick, &a);
    arena_free(&a);
    return taken;
}

/* Where in the table the instruction is does not count. */
static struct test_rng random_of(const char *mnemonic)
{
    struct test_rng random = {1};
    for (const char *p = mnemonic; *p; p++)
        random.state = random.state * 31 + (unsigned char)*p;
    return random;
}

/* One variant of a form: other values are drawn until the checker takes them, a few times. False: there is no such
 * form. */
static bool add_variant(struct line *to, const struct frame *f, uint32_t r, uint32_t form, unsigned v,
                        struct test_rng *random)
{
    static const uint64_t modes[] = {0, VPU_KEY_EXPLICIT, VPU_KEY_NORMAL, VPU_KEY_NORMAL | VPU_KEY_USER};
    uint8_t first[FORM] = {0}, bytes[FORM];
    const char *name;
    weft_insn insn, other;
    size_t size = weft_insn_form(f->decoder, r, form, first, sizeof first, &name);
    if (size == 0)
        return false;
    if (weft_insn_decode(f->decoder, first, size, 0, &insn) != WEFT_OK)
        return true;
    for (unsigned k = 0; k < TRIES; k++) {
        memcpy(bytes, first, size);
        if (v + k >= AS_IT_IS && !draw_plain(f->decoder, &insn, v + k, random, bytes))
            continue;
        if (weft_insn_decode(f->decoder, bytes, size, 0, &other) != WEFT_OK || other.size != size)
            continue;
        if (set.is_vpu && v % 2)
            add_of_machine(&to->lifted, bytes, size, modes[v / 2 % 4]);
        else if (!add_insn(to, f, &other, k + 1 == TRIES))
            continue;
        break;
    }
    return true;
}

static void add_row(struct line *to, const struct isa_row_info *row, uint32_t r)
{
    struct test_rng random = random_of(row->mnemonic);
    bool more = !set.is_tgsi;
    for (unsigned v = 0; set.is_tgsi && v < set.variants; v++) {
        const struct frame *f = frame_of(row, v);
        for (unsigned k = 0; f && k < TRIES && !add_tgsi(to, f, r, &random, k + 1 == TRIES, v > 8); k++)
            ;
    }
    for (uint32_t form = 0; more; form++) {
        more = false;
        for (unsigned v = 0; v < set.variants; v++) {
            const struct frame *f = frame_of(row, v);
            if (f && add_variant(to, f, r, form, v, &random))
                more = true;
        }
    }
}

/* ---- the list ---- */

static struct {
    struct lifted_list lifted, checked;
    char name[NAME];
    struct line line;
} list;

static void end_line(void)
{
    if (!*list.name)
        return;
    lifted_tell(&list.lifted, list.name, &list.line.lifted, "lifted");
    lifted_tell(&list.checked, list.name, &list.line.checked, "fine");
}

/* Rows of one name that follow each other are one line. */
static void begin_line(const char *name)
{
    const char *shown = getenv("WEFT_TEST_SHOW");
    bool is_shown = shown && strstr(name, shown);
    if (strcmp(name, list.name) == 0)
        return;
    end_line();
    snprintf(list.name, sizeof list.name, "%s", name);
    list.line = (struct line){{.shown = is_shown}, {.shown = is_shown}};
}

/* A program of which nobody says the stage. */
static void add_without_stage(const struct settings *of)
{
    static char text[2 * BYTES];
    char name[NAME];
    struct isa_params params = {.stage = -1, .running = true};
    snprintf(name, sizeof name, "%s (no stage)", of->isa);
    snprintf(text, sizeof text, "%s%s", of->list[0].before, of->list[0].after);
    bool tried = snapshot_tries(name);
    begin_line(tried ? name : "");
    if (tried)
        lifted_source(&list.line.lifted, &list.line.checked, set.isa, text, &params);
}

static void add_set(const struct settings *of)
{
    set = (struct set){.isa = isa_find(of->isa),
                       .variants = of->variants,
                       .is_tgsi = strcmp(of->isa, "tgsi") == 0,
                       .is_tesla = strcmp(of->isa, "tesla") == 0,
                       .is_vpu = strcmp(of->isa, "vpu") == 0};
    assert_true(of->n <= SETTINGS);
    for (unsigned i = 0; i < of->n; i++)
        make_frame(&set.frame[set.nframes++], set.isa, &of->list[i]);
    uint32_t rows = set.is_tgsi ? draw_tgsi_rows() : set.isa->nrows;
    for (uint32_t r = 0; r < rows; r++) {
        struct isa_row_info row;
        char name[NAME];
        set.isa->row_info(r, &row);
        snprintf(name, sizeof name, "%s %s", of->isa, row.mnemonic);
        for (char *p = name; *p; p++)
            *p = *p == '\n' ? ' ' : *p;
        bool tried = snapshot_tries(name);
        begin_line(tried ? name : "");
        if (tried)
            add_row(&list.line, &row, r);
    }
    add_without_stage(of);
    for (unsigned i = 0; i < set.nframes; i++)
        free_frame(&set.frame[i]);
}

static void each_is_as_it_was(void **state)
{
    (void)state;
    lifted_keeps_memory();
    for (unsigned i = 0; i < settings_sets; i++)
        add_set(&settings_of_sets[i]);
    end_line();
    snapshot_compare_tried(WEFT_SOURCE_ROOT "/tests/isa/lifts.txt", list.lifted.text, snapshot_tries_line);
    arena_free(&list.lifted.arena);
}

static void so_are_checks(void **state)
{
    (void)state;
    snapshot_compare_tried(WEFT_SOURCE_ROOT "/tests/isa/checks.txt", list.checked.text, snapshot_tries_line);
    arena_free(&list.checked.arena);
}

TEST_MAIN(TEST(each_is_as_it_was), TEST(so_are_checks))
