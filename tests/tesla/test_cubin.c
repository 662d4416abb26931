/* The textual .cubin container: kernels, constant segments, and what is wrong with a file. */
#include "isa/tesla/cubin.h"
#include "test.h"

struct file {
    struct arena arena;
    struct isa_module *m;
    weft_diags *diags;
    weft_status status;
};

static struct file read_text(const char *text, const char *chip)
{
    struct file f = {.diags = weft_diags_new()};
    struct isa_params params = {.chip = chip, .stage = -1};
    f.status = tesla_decode((const uint8_t *)text, strlen(text), "test", &params, &f.arena, &f.m, f.diags);
    return f;
}

static void end(struct file *f)
{
    weft_diags_free(f->diags);
    arena_free(&f->arena);
}

static char *read_program(const char *name)
{
    char path[512], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/tests/tesla/programs/%s", WEFT_SOURCE_ROOT, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_true(getdelim(&text, &size, EOF, f) > 0);
    fclose(f);
    return text;
}

static void test_kernels(void **state)
{
    (void)state;
    char *text = read_program("two.cubin");
    struct file f = read_text(text, NULL);
    assert_int_equal(f.status, WEFT_OK);
    assert_string_equal(f.m->target.chip, "g80"); /* sm_10 */
    assert_int_equal(f.m->target.stage, TESLA_CP);
    assert_int_equal(f.m->nkernels, 2);
    const struct tesla_kernel *add = &f.m->kernels[0], *empty = &f.m->kernels[1];
    assert_string_equal(add->name, "_Z3addPf");
    assert_int_equal(add->registers, 2);
    assert_int_equal(add->shared_bytes, 20);
    assert_int_equal(add->first, 0);
    assert_int_equal(add->count, 6);
    assert_int_equal(empty->first, 6);
    assert_int_equal(empty->count, 2);
    assert_int_equal(f.m->insns[6].address, 0); /* each has addresses of its own */
    assert_int_equal(f.m->insns[6].offset, 48);
    /* the segment of the file, then those of the kernel */
    assert_int_equal(add->nsegments, 2);
    assert_int_equal(add->segments[0].space, 0);
    assert_int_equal(add->segments[0].offset, 16);
    assert_int_equal(add->segments[0].size, 8);
    assert_memory_equal(add->segments[0].bytes, "\0\0\x80\x3f\0\0\0\x40", 8);
    assert_int_equal(add->segments[1].space, 1);
    assert_int_equal(empty->nsegments, 1);
    end(&f);
    free(text);
}

/* The text of a container assembles to its code. */
static void test_text(void **state)
{
    (void)state;
    char *text = read_program("two.cubin"), *printed;
    size_t length;
    struct file f = read_text(text, "gt215");
    struct isa_module *again;
    struct isa_params params = {.chip = "gt215", .stage = IR_COMPUTE};
    assert_string_equal(f.m->target.chip, "gt215"); /* the caller's word is stronger */
    assert_int_equal(tesla_print(f.m, &f.arena, &printed, &length, NULL), WEFT_OK);
    assert_non_null(strstr(printed, "// kernel: 2 registers, 0 bytes of l[], 20 bytes of s[], 0 barriers\n"
                                    "// c0[0x10]: 0x3f800000 0x40000000\n// c1[0x0]: 0x1\n.section #_Z3addPf\n"));
    struct source src = {"printed", printed, length};
    assert_int_equal(tesla_parse(&src, &params, &f.arena, &again, f.diags), WEFT_OK);
    assert_int_equal(again->nkernels, 2);
    assert_int_equal(again->size, f.m->size);
    assert_memory_equal(again->bytes, f.m->bytes, f.m->size);
    end(&f);
    free(text);
}

static const struct {
    const char *text, *code;
    uint32_t line, column;
} wrong[] = {
    {"architecture {sm_20}", "unknown-architecture", 1, 15},
    {"architecture {sm_10", "syntax", 1, 20},
    {"architecture {sm_10}\ncode { name = a", "syntax", 2, 16},
    {"architecture {sm_10}\ncode {\n lmem = x\n}", "syntax", 3, 9},
    {"architecture {sm_10}\ncode { bincode { 0x1 ", "syntax", 2, 22},
    {"architecture {sm_10}\ncode { bincode { 0x100000000 } }", "bad-number", 2, 18},
    {"architecture {sm_10}\ncode { bincode { } }", "no-name", 2, 6},
    {"architecture {sm_10}\nsampler { name = x", "open-block", 2, 10},
    {"architecture {sm_10}\nconsts { segnum = 16 }", "bad-number", 2, 19},
    {"architecture {sm_10}\n}", "syntax", 2, 1},
};

static void test_wrong_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct file f = read_text(wrong[i].text, NULL);
        const weft_diag *d = weft_diags_get(f.diags, 0);
        print_message("# case %zu: %s\n", i, d ? d->message : "fine");
        assert_int_equal(f.status, WEFT_ERROR_INPUT);
        assert_non_null(d);
        assert_string_equal(d->code, wrong[i].code);
        assert_int_equal(d->line, wrong[i].line);
        assert_int_equal(d->column, wrong[i].column);
        end(&f);
    }
}

/* Blocks and entries that say nothing about code are passed over; files without code have no kernels. */
static void test_other_blocks(void **state)
{
    (void)state;
    struct file f = read_text("architecture { sm_13 } reloc { { a } b } sampler { name = t texunit = 0 }\n"
                              "code { name = k info = 3 more { x { y } } bincode { 0xf0000001 0xe0000781 } }",
                              NULL);
    assert_int_equal(f.status, WEFT_OK);
    assert_string_equal(f.m->target.chip, "g200");
    assert_int_equal(f.m->nkernels, 1);
    assert_int_equal(f.m->ninsns, 1);
    end(&f);
    f = read_text("architecture {sm_11}", NULL);
    assert_int_equal(f.status, WEFT_OK);
    assert_int_equal(f.m->nkernels, 0);
    end(&f);
}

TEST_MAIN(TEST(test_kernels), TEST(test_text), TEST(test_wrong_files), TEST(test_other_blocks))
