/* test_linkage.c - lines of linkages and their parts. */
#include "isa/linkage.h"
#include "test.h"

/* A language of one line: `KIND SEMANTIC.component KIND-OF-TEXTURE PRIMITIVE BLOCK`, or less of it. */
struct reader {
    struct scan s;
    uint32_t lines;
    uint8_t semantic, component, dim, primitive;
    uint16_t index;
    uint32_t block[3];
};

static const uint32_t known = 1u << IR_SEM_POSITION | 1u << IR_SEM_GENERIC;

static bool read_line(void *reader)
{
    static const char *const kinds[] = {"out", "texture", "geometry", "block"};
    static const uint32_t most[] = {512, 512, 64};
    struct reader *r = reader;
    r->lines++;
    switch (scan_choice(&r->s, kinds, 4, "a line")) {
    case 0:
        return linkage_semantic(&r->s, known, &r->semantic, &r->index) &&
               (!scan_take(&r->s, '.') || linkage_component(&r->s, &r->component));
    case 1:
        return linkage_dim(&r->s, false, "kind of texture", &r->dim);
    case 2:
        return linkage_primitive(&r->s, IR_PRIM_TRIANGLE_FAN + 1, &r->primitive);
    case 3:
        return linkage_block(&r->s, most, r->block);
    default:
        return false;
    }
}

static weft_status read_text(struct reader *r, const char *text, weft_diags *diags, struct arena *arena)
{
    struct isa_linkage lines = {{"t.linkage", text, text ? strlen(text) : 0}};
    *r = (struct reader){.block = {1, 1, 1}};
    return linkage_read(&r->s, text ? &lines : NULL, arena, diags, read_line, r);
}

static void lines(void **state)
{
    static const struct {
        const char *text;
        uint32_t lines;
    } cases[] = {{NULL, 0},     {"", 0}, {"\n\n", 0}, {"# a comment\n", 0}, {"\n  block 1\n\n# no\nblock 2 # yes\n", 2},
                 {"block 1", 1}, {".link block 1 # as in a job\nblock 2\n  .link  block 3", 3}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct reader r;
        assert_int_equal(read_text(&r, cases[i].text, NULL, &arena), WEFT_OK);
        assert_int_equal(r.lines, cases[i].lines);
        arena_free(&arena);
    }
}

static void parts(void **state)
{
    struct arena arena = {0};
    struct reader r;
    (void)state;
    assert_int_equal(read_text(&r, "out GENERIC[7].z\ntexture CUBE\ngeometry line_strip\nblock 8 4\n", NULL, &arena),
                     WEFT_OK);
    assert_int_equal(r.semantic, IR_SEM_GENERIC);
    assert_int_equal(r.index, 7);
    assert_int_equal(r.component, 2);
    assert_int_equal(r.dim, IR_TEX_CUBE);
    assert_int_equal(r.primitive, IR_PRIM_LINE_STRIP);
    assert_int_equal(r.block[0], 8);
    assert_int_equal(r.block[1], 4);
    assert_int_equal(r.block[2], 1);
    assert_int_equal(read_text(&r, "out position\ntexture 1d", NULL, &arena), WEFT_OK);
    assert_int_equal(r.semantic, IR_SEM_POSITION);
    assert_int_equal(r.index, 0);
    assert_int_equal(r.dim, IR_TEX_1D);
    arena_free(&arena);
}

/* Each is the second line of a text, and the lines around it are read all the same. */
static void errors(void **state)
{
    static const struct {
        const char *line, *code, *message;
        uint32_t column;
    } cases[] = {
        {"out GENERIK", "unknown-semantic", "unknown name of an input or output 'GENERIK'", 5},
        {"out COLOR", "unknown-semantic", "unknown name of an input or output 'COLOR'", 5},
        {"out", "syntax", "expected the name of an input or output, found the end of the line", 4},
        {"out GENERIC[256]", "out-of-range", "at most 255 is possible here", 13},
        {"out GENERIC[2", "syntax", "expected ']', found the end of the line", 14},
        {"out GENERIC.q", "syntax", "expected x, y, z or w, found 'q'", 13},
        {"texture RECT", "unknown-texture", "unknown kind of texture 'RECT'", 9},
        {"texture", "syntax", "expected 1D, 2D, 3D or CUBE, found the end of the line", 8},
        {"geometry quads", "unknown-primitive", "unknown primitive 'quads'", 10},
        {"block", "syntax", "expected a number, found the end of the line", 6},
        {"block 8 0", "out-of-range", "a workgroup has 1 invocation and more along each axis", 9},
        {"block 8 8 65", "out-of-range", "at most 64 is possible here", 11},
        {"block 8 8 8 8", "syntax", "expected the end of the line, found '8'", 13},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        weft_diags *diags = weft_diags_new();
        struct reader r;
        char text[80];
        snprintf(text, sizeof text, "block 2\n%s\nblock 3 4 5\n", cases[i].line);
        assert_int_equal(read_text(&r, text, diags, &arena), WEFT_ERROR_INPUT);
        assert_int_equal(r.lines, 3);
        assert_int_equal(r.block[2], 5);
        assert_int_equal(weft_diags_count(diags), 1);
        const weft_diag *d = weft_diags_get(diags, 0);
        assert_string_equal(d->code, cases[i].code);
        assert_string_equal(d->message, cases[i].message);
        assert_int_equal(d->line, 2);
        assert_int_equal(d->column, cases[i].column);
        weft_diags_free(diags);
        arena_free(&arena);
    }
}

TEST_MAIN(TEST(lines), TEST(parts), TEST(errors))
