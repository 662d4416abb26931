/* Modules with one thing wrong in them: an operand is another one, an instruction is another one of its form, gone, or
 * after the next. SPIRV-Tools' validator says which of these are modules: weft checks and lifts them, or says what it
 * does not execute. The lift gets the others too: it refuses them with a reason, or what it makes satisfies the
 * verifier, as it is and optimised. With WEFT_TEST_SHARE=N a run tries one in N of these changes, others each time. */
#include "test.h"

#include "fuzz/spirv_words.h"
#include "ir/ir.h"
#include "ir/pass.h"
#include "script/script.h"

#include <dirent.h>

/* About how many changes of a module are tried, and how many there are for each instruction. */
#ifdef __SANITIZE_ADDRESS__
enum { OF_SEED = 150, OF_JOB = 20, OF_INSN = 20 };
#else
enum { OF_SEED = 300, OF_JOB = 40, OF_INSN = 20 };
#endif

struct seen {
    const char *file;
    uint32_t turn, share;
    unsigned tried;
    size_t valid, lifted, refused;
    uint32_t insn; /* that is changed */
};

static bool is_valid(struct spirv_words words, struct arena *arena)
{
    struct spirv_messages messages = {0};
    return spirv_validate(words, &(struct spirv_validate_options){.env = "spv1.6"}, arena, &messages) == WEFT_OK;
}

static void judge_lift(struct seen *s, const struct isa_module *m, bool valid, struct arena *arena)
{
    struct ir_program *p = NULL;
    weft_diags *diags = weft_diags_new();
    weft_status status = spirv_lift(m, NULL, arena, &p, diags);
    assert_true((status == WEFT_OK) == (p != NULL));
    assert_true((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    if (valid && status == WEFT_ERROR_INPUT)
        fail_msg("%s, instruction %u: the validator accepts it, the lift says: %s", s->file, s->insn,
                 weft_diags_get(diags, 0)->message);
    if (p) {
        weft_status plain = ir_verify(p, diags);
        if (plain == WEFT_OK)
            ir_optimise(p);
        if (plain != WEFT_OK || ir_verify(p, diags) != WEFT_OK)
            fail_msg("%s, instruction %u: the verifier refuses what %s made: %s", s->file, s->insn,
                     plain == WEFT_OK ? "the optimiser" : "the lift", weft_diags_get(diags, 0)->message);
    }
    s->lifted += p != NULL;
    s->refused += p == NULL;
    weft_diags_free(diags);
}

/* Is the next change one that this run does not try? */
static bool passed_over(struct seen *s)
{
    return s->turn++ % s->share != 0 || !test_of_share(&s->tried);
}

static void judge(struct seen *s, const struct spirv_change *c, uint32_t insn)
{
    struct arena arena = {.limit = 64u << 20};
    const struct isa_params params = {.stage = -1};
    const struct spirv_words words = {c->w, c->n};
    struct isa_module *m = NULL;
    weft_diags *diags = weft_diags_new();
    s->insn = insn;
    weft_status status = spirv_read(words.word, words.count, "t", NULL, &params, &arena, &m, diags);
    bool valid = is_valid(words, &arena);
    assert_true((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    if (status != WEFT_OK && valid && strcmp(weft_diags_get(diags, 0)->code, "no-entry") != 0)
        fail_msg("%s, instruction %u: the validator accepts it, weft says: %s", s->file, insn,
                 weft_diags_get(diags, 0)->message);
    if (status == WEFT_OK) {
        if (valid && spirv_check(m, NULL, &params, diags) != WEFT_OK)
            fail_msg("%s, instruction %u: the validator accepts it, the checker says: %s", s->file, insn,
                     weft_diags_get(diags, 0)->message);
        judge_lift(s, m, valid, &arena);
    } else {
        s->refused++;
    }
    s->valid += valid;
    weft_diags_free(diags);
    arena_free(&arena);
}

/* ---- changes ---- */

static void each_operand(struct seen *s, const struct spirv_change *of, uint32_t insn)
{
    static const uint32_t odd[] = {0, 1, 2, 3, 4, 31, 64, 0x3f800000, 0x80000000, 0xffffffff};
    static struct spirv_change c;
    struct operand_list l;
    operands_of(of, insn, &l);
    for (unsigned i = 0; i < l.n; i++) {
        for (unsigned k = 0; k < 4; k++) {
            if (passed_over(s))
                continue;
            c = *of;
            uint32_t random = ((insn * 64 + i) * 4 + k) * 2654435761u | 1;
            uint32_t *word = &c.w[c.at[insn] + l.of[i].at];
            bool id = strchr("tism", l.of[i].letter) != NULL;
            *word = id && k < 3 ? other_id(&c, *word, &random)
                    : k == 2    ? *word + 1
                                : odd[next_random(&random) % (sizeof odd / sizeof *odd)];
            judge(s, &c, insn);
        }
    }
}

static void each_opcode(struct seen *s, const struct spirv_change *of, uint32_t insn)
{
    static struct spirv_change c;
    const struct spirv_row *row = spirv_row_of(of->w[of->at[insn]] & 0xffff);
    for (unsigned i = 0; row && i < spirv_row_count; i++)
        if (&spirv_rows[i] != row && strcmp(spirv_rows[i].form, row->form) == 0 && !passed_over(s)) {
            c = *of;
            c.w[c.at[insn]] = (c.w[c.at[insn]] & 0xffff0000) | spirv_rows[i].opcode;
            judge(s, &c, insn);
        }
}

static void each_place(struct seen *s, const struct spirv_change *of, uint32_t insn)
{
    static struct spirv_change c;
    uint32_t copy[64], count = change_count(of, insn);
    if (count > 64)
        return;
    memcpy(copy, of->w + of->at[insn], count * sizeof *copy);
    if (!passed_over(s)) {
        c = *of;
        change_remove(&c, insn);
        judge(s, &c, insn);
    }
    if (insn + 1 < of->insns && !passed_over(s)) {
        c = *of;
        change_remove(&c, insn);
        if (change_open(&c, insn + 1, count)) {
            memcpy(c.w + c.at[insn + 1], copy, count * sizeof *copy);
            judge(s, &c, insn);
        }
    }
    if (!passed_over(s)) {
        c = *of;
        if (change_open(&c, insn, count)) {
            memcpy(c.w + c.at[insn], copy, count * sizeof *copy);
            judge(s, &c, insn);
        }
    }
}

static void damage(const char *file, struct spirv_words words, uint32_t tries, struct seen *all)
{
    static struct spirv_change whole;
    struct arena arena = {0};
    struct seen s = {.file = file};
    bool valid = is_valid(words, &arena) && change_begin(&whole, (const uint8_t *)words.word, words.count * 4);
    arena_free(&arena);
    if (!valid)
        fail_msg("%s is not valid", file);
    s.share = getenv("WEFT_TEST_ALL") ? 1 : whole.insns * OF_INSN / tries + 1;
    for (uint32_t insn = 0; insn < whole.insns; insn++) {
        each_operand(&s, &whole, insn);
        each_opcode(&s, &whole, insn);
        each_place(&s, &whole, insn);
    }
    all->turn++;
    all->lifted += s.lifted;
    all->refused += s.refused;
    all->valid += s.valid;
}

/* ---- modules ---- */

typedef void damage_file(const char *name, const char *text, size_t size, struct seen *all);

static void each_file(const char *folder, const char *ending, damage_file *fn, struct seen *all)
{
    char path[1024];
    static char text[1 << 17];
    snprintf(path, sizeof path, "%s/%s", WEFT_SOURCE_ROOT, folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        size_t length = strlen(e->d_name), tail = strlen(ending);
        if (e->d_name[0] == '.' || length < tail || strcmp(e->d_name + length - tail, ending) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", WEFT_SOURCE_ROOT, folder, e->d_name);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        size_t size = fread(text, 1, sizeof text - 1, f);
        text[size] = 0;
        fclose(f);
        fn(e->d_name, text, size, all);
    }
    closedir(dir);
    printf("# %s: %u modules; %zu changed ones are lifted, %zu refused, %zu valid\n", folder, all->turn, all->lifted,
           all->refused, all->valid);
    assert_true(all->lifted > 0 && all->refused > all->lifted && all->valid > 0);
}

static void damage_seed(const char *name, const char *text, size_t size, struct seen *all)
{
    struct spirv_words words;
    if (!words_of_text((const uint8_t *)text, size, &words))
        fail_msg("%s is not compiled", name);
    damage(name, words, OF_SEED, all);
}

static void test_seeds(void **state)
{
    struct seen assembly = {0}, glsl = {0};
    (void)state;
    each_file("tests/fuzz/seeds/spirv", "", damage_seed, &assembly);
    each_file("tests/fuzz/seeds/glsl", "", damage_seed, &glsl);
    assert_true(assembly.turn >= 2 && glsl.turn >= 11);
}

/* The shaders of a job, but for those of files. */
static void damage_job(const char *name, const char *text, size_t size, struct seen *all)
{
    struct arena arena = {0};
    struct source src = {name, text, size};
    struct script *script = NULL;
    if (!strstr(name, ".refused."))
        script_parse(&src, &arena, &script, NULL);
    for (uint32_t i = 0; script && i < script->nshaders; i++) {
        const struct script_shader *s = script->shaders[i];
        struct spirv_words words = {0};
        struct spirv_messages messages = {0};
        const struct spirv_source source = {.text = {s->name, s->text, s->text_size},
                                            .language = SPIRV_GLSL,
                                            .stage = s->stage,
                                            .env = s->target_env,
                                            .map = true};
        if (!s->text || !s->isa || strcmp(s->isa->name, "spirv") != 0)
            continue;
        if (s->language == SCRIPT_TEXT)
            spirv_assemble(s->text, s->text_size, s->target_env ? s->target_env : "spv1.0", false, &arena, &words,
                           &messages);
        else if (s->language == SCRIPT_GLSL)
            spirv_compile(&source, &arena, &words, &messages);
        if (words.count)
            damage(name, words, OF_JOB, all);
    }
    arena_free(&arena);
}

static void test_jobs(void **state)
{
    struct seen all = {0};
    (void)state;
    each_file("tests/amber/spirv", ".amber", damage_job, &all);
    assert_true(all.turn > 60);
}

TEST_MAIN(TEST(test_seeds), TEST(test_jobs))
