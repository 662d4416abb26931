#include "ir_text.h"

#include "ir/words.h"

#include <stdbool.h>

static const char everything[] =
    "ir test fragment lanes 16 precise\n"
    "property center_integer 1\n"
    "property gs_max_vertices 1000\n"
    "property block_z 4\n"
    "input generic[3] perspective centroid mask 0xf\n"
    "input face[0] constant center mask 0x1 invariant\n"
    "input generic[4] constant center mask 0xf corner 2\n"
    "input barycentric[0] perspective center mask 0x7\n"
    "output color[0] constant center mask 0xf\n"
    "output patch[2] constant center mask 0x3 stream 0 1 2 3 patch invariant\n"
    "file r bits 32 count 8\n"
    "file w bits 32 count 8 uniform\n"
    "file p bits 8 count 2 uniform preserved\n"
    "file flags bits 1 count 4\n"
    "space c0 const bounds zero slot 0 size 0\n"
    "space g global bounds wrap slot 2 size 65536\n"
    "space priv private bounds trap slot 0 size 256\n"
    "space io bus bounds trap slot 0 size 0\n"
    "helper rcp_table\n"
    "insn addr 0x10 line 3 row 7\n"
    "insn addr 0xffffffffffffffff line 4 row 8\n"
    "block 0\n"
    "  $1 = f32 const 0x3f800000  # 1\n"
    "  $2 = f64 const 0x3fb999999999999a  # 0.10000000000000001\n"
    "  $3 = i32 const 0x10\n"
    "  $4..$7 = f32 load c0[$3 + 16]:f32 align 16\n"
    "  $8 = i1 const 0x1\n"
    "block 1 addr 0x10 insn 0 insns 2\n"
    "  %9 = f32 get r[0]\n"
    "  %10 = i16 get r[1]+16\n"
    "  %11 = f64 get r[2]\n"
    "  %12 = f32 get r[3]:i32\n"
    "  $13 = i32 get w[7]\n"
    "  %14 = f32 get_dyn r[1 + $13 * 2, -1..3]:i32\n"
    "  $15 = i32 get_dyn w[7 + $13 * -1, 0..7]\n"
    "  %16 = f32 fadd.rtz.flush_in.flush_out.canon.sat.keep_nan %9, $1\n"
    "  %17 = f32 fmin.propagate.zeros %9, $1\n"
    "  %18 = i32 f2s.rdn.wrap %11\n"
    "  %19 = i32 f2u.x86 %16\n"
    "  %20 = i1 flt %9, %16\n"
    "  @1\n"
    "  %21 = i64 pack64 %18, %19\n"
    "  %22 = f32 select %20, %9, %16\n"
    "  %23 = f32 quad_xor 1, %22\n"
    "  $24 = i64 ballot %20\n"
    "  $25 = i32 reduce add, %18\n"
    "  set r[1]+16, %10 if %20\n"
    "  set r[1]:f32, %18\n"
    "  set_dyn r[0 + %18 * 1, 0..7], %22 if %20\n"
    "  %26..%27 = i32 load g[%18 - 4]:i8\n"
    "  %28 = i32 load priv[$3 + 0]:i32 align 4\n"
    "  store g[%21 + 8]:f32 align 8, %9, %16 if %20\n"
    "  %29 = i32 atomic cas g[%18 + 0]:i32, %18, %19 if %20\n"
    "  %30 = f32 sysval frag_x.x\n"
    "  %31 = i32 sysval thread_id.z\n"
    "  $32 = i32 sysval block_id.y\n"
    "  %33 = f32 attr 0.w\n"
    "  %34 = f32 interp 0.y perspective centroid\n"
    "  output 0.x, %34 if %20\n"
    "  %35..%38 = f32 texture bias d2 array shadow multisample offset zero_lod texel_coords gather_level as_bound "
    "no_bias compares fixed_words fixed_floats half_floats min_lod.z view 3 sampler 4, %9, "
    "%16, %22\n"
    "  %39 = i32 service image_atomic image 5 d1 cas format 31, %18, %18, %19\n"
    "  service image_store resource 6 d2 multisample image_arg add format 0, %18, %18, %19, %18, %18, %18, %18, %19\n"
    "  discard %20 if $8\n"
    "  emit 1\n"
    "  cut 0\n"
    "  fence 7\n"
    "  $40 = f32 helper rcp_table 0x3, $1\n"
    "  probe 1 0x2, %9\n"
    "  branch $8, b2, b3\n"
    "block 2\n"
    "  %41 = i1 get p[0]+3\n"
    "  %42 = i32 lane_id\n"
    "  %43 = i1 get flags[3]\n"
    "  set flags[2], %43\n"
    "  %44 = i32 get_lane r[0 + %42 * 1, 0..7], %42\n"
    "  set_lane r[0 + %42 * 1, 0..7], %42, %44\n"
    "  check 7, %43\n"
    "  %45 = i32 load io[%42 + 0]:i32 if %43\n"
    "  $46 = i1 any.all_lanes %43\n"
    "  %47..%50 = f32 texture lod d2 view_arg sampler_arg.x view 0 sampler 0, %42 if %43\n"
    "  control 5 0xffff direct_none direct_all [b1 b3 b2 b2], %42\n"
    "block 3\n"
    "  @1\n"
    "  goto b4\n"
    "block 4\n"
    "  control 6 0x0 []\n"
    "block 5\n"
    "  barrier b6 0x3\n"
    "block 6\n"
    "  trap 9\n"
    "block 7\n"
    "  $51 = i32 get w[0]\n"
    "  jump $51\n"
    "block 8\n"
    "  end\n";

static void every_form_comes_back(void **state)
{
    (void)state;
    struct arena a = {0};
    struct ir_program *p = ir_of(&a, everything);
    assert_string_equal(text_of(&a, p), everything);
    assert_int_equal(p->ninsns, 2);
    assert_int_equal(p->insns[1].row, 8);
    assert_int_equal(p->io.gs_max_vertices, 1000);
    assert_int_equal(p->io.block[2], 4);
    assert_true(p->io.center_integer);
    assert_int_equal(p->io.outputs[1].stream[3], 3);
    assert_true(p->files[2].preserved);
    arena_free(&a);
}

static void loose_writing_is_read(void **state)
{
    (void)state;
    static const char loose[] = "\n# a comment\nir test vertex lanes 4 # more\r\n\n\tfile r bits 32 count 8\nblock 0\n"
                                " $70=f32 const 1065353216\nblock 1\n%7 = f32 get r [ 1 ]\n\n set r[2] , $70 \n end";
    static const char tidy[] =
        "ir test vertex lanes 4\nfile r bits 32 count 8\nblock 0\n  $1 = f32 const 0x3f800000  # 1\n"
        "block 1\n  %2 = f32 get r[1]\n  set r[2], $1\n  end\n";
    struct arena a = {0};
    struct ir_program *p = ir_of(&a, loose);
    assert_verifies(p);
    assert_string_equal(text_of(&a, p), tidy);
    arena_free(&a);
}

static void refuse(const char *text, const char *message, uint32_t line, uint32_t column, const char *hint)
{
    struct arena a = {0};
    struct source src = {"test.ir", text, strlen(text)};
    weft_diags *d = weft_diags_new();
    struct ir_program *p = NULL;
    assert_int_equal(ir_parse(&src, &a, &p, d), WEFT_ERROR_INPUT);
    assert_null(p);
    assert_int_equal(weft_diags_count(d), 1);
    assert_string_equal(weft_diags_get(d, 0)->code, "ir-syntax");
    assert_string_equal(first_message(d), message);
    assert_int_equal(weft_diags_get(d, 0)->line, line);
    assert_int_equal(weft_diags_get(d, 0)->column, column);
    if (hint)
        assert_string_equal(weft_diags_get(d, 0)->hint, hint);
    weft_diags_free(d);
    arena_free(&a);
}

#define HEAD "ir test vertex lanes 4\nfile r bits 32 count 8\nblock 0\n"

static void faults_are_placed(void **state)
{
    (void)state;
    refuse("", "expected 'ir'", 1, 1, NULL);
    refuse("ir test vertx lanes 4\n", "not a stage", 1, 9, "did you mean 'vertex'?");
    refuse(HEAD " $1 = f32 fad $1\n", "not an op", 4, 11, "did you mean 'fadd'?");
    refuse(HEAD " $1 = f33 const 0\n", "not a type", 4, 7, NULL);
    refuse(HEAD " $1 = f32 copy $2\n", "value used before it is defined", 4, 16, NULL);
    refuse(HEAD " $1 = f32 const 0\n $1 = f32 const 0\n", "value defined twice", 5, 18, NULL);
    refuse(HEAD " $1 = f32 const 0\n $2 = f32 copy %1\n", "the value is uniform", 5, 16, "write $ for uniform values");
    refuse(HEAD " $1 = f32 const 0x10000000000000000\n", "number out of range", 4, 17, NULL);
    refuse(HEAD " $99999999 = f32 const 0\n", "number out of range", 4, 3, NULL);
    refuse(HEAD "block 2\n", "blocks are numbered 0, 1, 2, ... in order", 4, 6, NULL);
    refuse(HEAD " %1 = f32 get q[0]\n", "expected the name of a register file", 4, 15, NULL);
    refuse(HEAD " %1 = f32 get r[0] 7\n", "expected the end of the line", 4, 20, NULL);
    refuse(HEAD " $5..$3 = f32 const 0\n", "wrong number of results", 4, 2, NULL);
    refuse(HEAD " $1 = f32 fadd.rtx\n", "expected an attribute", 4, 16, NULL);
    refuse(HEAD " control 1 2 [b1 b1 b1 b1 b1]\n", "expected ']'", 4, 27, NULL);
}

/* ---- what names something that is not there ---- */

static unsigned marks(struct arena *a, const struct ir_program *p)
{
    unsigned n = 0;
    for (const char *at = text_of(a, p); (at = strchr(at, '?')) != NULL; at++)
        n++;
    return n;
}

/* Ops whose operand of a kind has a number in its table from `first` on; `part`: what that entry names, if not it. */
static unsigned beyond(const struct ir_program *p, enum ir_operand kind, bool part, uint32_t first)
{
    unsigned n = 0;
    for (uint32_t b = 0; b < p->nblocks; b++)
        for (uint32_t i = 0; i < p->blocks[b].count; i++) {
            const struct ir_op *op = &p->blocks[b].ops[i];
            if (ir_desc_operand(op->code, op->imm) != kind)
                continue;
            uint32_t number = part && kind == IR_OPERAND_REG   ? p->regs[op->desc].file
                              : part && kind == IR_OPERAND_MEM ? p->mems[op->desc].space
                                                               : op->desc;
            n += number >= first;
        }
    return n;
}

static void what_is_not_there_has_a_mark(void **state)
{
    (void)state;
    struct arena a = {0};
    struct ir_program *p = ir_of(&a, everything);
    const struct {
        uint32_t *count;
        enum ir_operand kind;
        bool part;
    } tables[] = {{&p->nregs, IR_OPERAND_REG, false},         {&p->nfiles, IR_OPERAND_REG, true},
                  {&p->nmems, IR_OPERAND_MEM, false},         {&p->nspaces, IR_OPERAND_MEM, true},
                  {&p->ntextures, IR_OPERAND_TEXTURE, false}, {&p->nimages, IR_OPERAND_IMAGE, false},
                  {&p->ncontrols, IR_OPERAND_CONTROL, false}, {&p->nhelpers, IR_OPERAND_HELPER, false}};
    assert_int_equal(marks(&a, p), 0);
    for (unsigned t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        const uint32_t all = *tables[t].count;
        assert_true(beyond(p, tables[t].kind, tables[t].part, 0) > 0);
        for (uint32_t n = 0; n <= all; n++) {
            *tables[t].count = n;
            assert_int_equal(marks(&a, p), beyond(p, tables[t].kind, tables[t].part, n));
        }
    }
    arena_free(&a);
}

static void without_memory(void **state)
{
    (void)state;
    for (size_t limit = 100; limit < 40000; limit += 501) {
        struct arena a = {.limit = limit};
        struct source src = {"test.ir", everything, sizeof everything - 1};
        weft_diags *d = weft_diags_new();
        struct ir_program *p = NULL;
        weft_status s = ir_parse(&src, &a, &p, d);
        assert_true(s == WEFT_OK || s == WEFT_ERROR_MEMORY);
        if (s == WEFT_OK) {
            char *text = ir_print(p, &a, NULL);
            assert_true(text || arena_failed(&a));
        }
        weft_diags_free(d);
        arena_free(&a);
    }
}

TEST_MAIN(TEST(every_form_comes_back), TEST(loose_writing_is_read), TEST(faults_are_placed),
          TEST(what_is_not_there_has_a_mark), TEST(without_memory))
