/* Programs as text with one thing wrong in them: either this is a program too, whose canonical text and bytes are those
 * of themselves, or it is refused with an error that lies in the text. What no language has is noticed where it is.
 * Messages, canonical texts and bytes are those that damage.txt has numbers of; WEFT_TEST_RENEW=1 writes it anew. */
#include "told.h"

#include <weft/diag.h>
#include <weft/program.h>

struct program_text {
    const char *isa, *file, *comment;
    bool pack;
    bool expands; /* messages are about what macros make of the text */
};

static const struct program_text texts[] = {
    {"tgsi", "tests/fuzz/seeds/tgsi/constructs.tgsi", "#", false, false},
    {"tgsi", "tests/fuzz/seeds/tgsi/flow.tgsi", "#", false, false},
    {"tgsi", "examples/tgsi/flat.tgsi", "#", false, false},
    {"tesla", "tests/tesla/programs/forms.tesla", "/", false, false},
    {"valhall", "tests/valhall/programs/compute.valhall", "#", false, false},
    {"valhall", "tests/valhall/programs/fragment.valhall", "#", false, false},
    {"rogue", "examples/rogue/torus.vert.list", "# ", true, false},
    {"vpu", "tests/vpu/programs/scalar.vpu", "; ", false, false},
    {"vpu", "tests/vpu/programs/vector.vpu", "; ", false, false},
    {"vpu", "tests/vpu/programs/macros.vpu", "; ", false, true},
};

struct seen {
    const struct program_text *of;
    bool pack;
    size_t refused, accepted;
    struct told *told;
};

static struct told_list list;

static weft_status read_program(const struct seen *s, const char *text, size_t size, bool pack, weft_diags *diags,
                                weft_program **out)
{
    weft_program_options options;
    weft_program_options_init(&options);
    options.pack = pack;
    *out = NULL;
    return weft_program_from_text(s->of->isa, DAMAGED_NAME, text, size, &options, diags, out);
}

static void judge_bytes(const struct damaged *d, const struct seen *s, const weft_program *p, const weft_program *again,
                        const char *text)
{
    uint8_t *bytes, *again_bytes;
    size_t length, again_length;
    weft_diags *diags = weft_diags_new();
    weft_status status = weft_program_bytes(p, &bytes, &length, diags);
    assert_int_equal(status, weft_program_bytes(again, &again_bytes, &again_length, diags));
    if (status == WEFT_OK) {
        if (length != again_length || memcmp(bytes, again_bytes, length) != 0)
            fail_msg("%s in line %u: the canonical text has other bytes\n%s", d->what, d->line, text);
        told_bytes(s->told, bytes, length);
        weft_free(bytes);
        weft_free(again_bytes);
    } else {
        assert_true(weft_diags_errors(diags) > 0);
        told_messages(s->told, diags);
    }
    weft_diags_free(diags);
}

static void judge_program(const struct damaged *d, const struct seen *s, const weft_program *p)
{
    char *text, *again_text;
    size_t size, again_size;
    weft_program *again;
    weft_diags *diags = weft_diags_new();
    assert_int_equal(weft_program_text(p, &text, &size), WEFT_OK);
    if (read_program(s, text, size, false, diags, &again) != WEFT_OK)
        fail_msg("%s in line %u: the canonical text is refused: %s\n%s", d->what, d->line,
                 weft_diags_get(diags, 0)->message, text);
    assert_int_equal(weft_program_text(again, &again_text, &again_size), WEFT_OK);
    if (strcmp(text, again_text) != 0)
        fail_msg("%s in line %u: the canonical text is printed in another way\n%s", d->what, d->line, d->text);
    told_text(s->told, text);
    judge_bytes(d, s, p, again, text);
    weft_diags *of_check = weft_diags_new();
    weft_status status = weft_program_check(p, of_check);
    told_messages(s->told, of_check);
    assert_true((status == WEFT_OK) == (weft_diags_errors(of_check) == 0));
    for (size_t i = 0; weft_diags_get(of_check, i); i++)
        damage_judge_place(d, weft_diags_get(of_check, i));
    weft_diags_free(of_check);
    weft_free(text);
    weft_free(again_text);
    weft_program_free(again);
    weft_diags_free(diags);
}

static void judge(const struct damaged *d, void *user)
{
    struct seen *s = user;
    weft_program *p;
    weft_diags *diags = weft_diags_new();
    weft_status status = read_program(s, d->text, d->size, s->pack, diags, &p);
    told_begin(s->told, d);
    told_messages(s->told, diags);
    assert_true((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    assert_true((status == WEFT_OK) == (p != NULL));
    for (size_t i = 0; weft_diags_get(diags, i); i++)
        damage_judge_place(d, weft_diags_get(diags, i));
    const weft_diag *first = weft_diags_get(diags, 0);
    if (d->nonsense && !s->of->expands && (!first || first->line != d->line))
        fail_msg("%s: nonsense in line %u: line %u: %s\n%s", s->of->file, d->line, first ? first->line : 0,
                 first ? first->message : "accepted", d->text);
    if (status == WEFT_OK)
        judge_program(d, s, p);
    s->accepted += status == WEFT_OK;
    s->refused += status != WEFT_OK;
    weft_program_free(p);
    weft_diags_free(diags);
}

static void damage_text(const struct program_text *of, const char *text, size_t size, bool pack, const char *what)
{
    char name[200];
    struct told told = {.name = name};
    struct seen s = {.of = of, .pack = pack, .told = &told};
    snprintf(name, sizeof name, "%s, %s", of->file, what);
    size_t made = damage_each(text, size, of->comment, judge, &s);
    printf("# %s, %s: %zu texts, %zu accepted, %zu refused\n", of->file, what, made, s.accepted, s.refused);
    assert_int_equal(made, s.accepted + s.refused);
    assert_true(s.accepted > 0 && s.refused > s.accepted);
    told_end(&list, &told);
}

/* The file, and the canonical text of its program. */
static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct program_text *of = &texts[i];
        char path[1024], *canonical;
        size_t size;
        weft_program *p;
        snprintf(path, sizeof path, "%s/%s", WEFT_SOURCE_ROOT, of->file);
        char *text = damage_read(path, &size);
        damage_text(of, text, size, of->pack, "as it is");
        assert_int_equal(read_program(&(struct seen){.of = of}, text, size, of->pack, NULL, &p), WEFT_OK);
        assert_int_equal(weft_program_text(p, &canonical, &size), WEFT_OK);
        damage_text(of, canonical, size, false, "canonical");
        weft_program_free(p);
        weft_free(canonical);
        free(text);
    }
    told_compare(WEFT_SOURCE_ROOT "/tests/isa/damage.txt", &list);
}

TEST_MAIN(TEST(test_texts))
