/* Assembler text beyond single words: labels, sections, directives, alignment, leniency, and what is said when it is
 * wrong. */
#include "isa/tesla/flow.h"
#include "isa/tesla/parse.h"
#include "isa/tesla/tesla.h"
#include "test.h"

struct assembled {
    struct arena arena;
    struct isa_module *m;
    weft_diags *diags;
    weft_status status;
};

static struct assembled assemble_with(const char *text, struct isa_params params)
{
    struct assembled a = {.diags = weft_diags_new()};
    struct source src = {"test", text, strlen(text)};
    a.status = tesla_parse(&src, &params, &a.arena, &a.m, a.diags);
    return a;
}

static struct assembled assemble(const char *text, const char *chip, int stage)
{
    return assemble_with(text, (struct isa_params){.chip = chip, .stage = stage});
}

static void end(struct assembled *a)
{
    weft_diags_free(a->diags);
    arena_free(&a->arena);
}

/* 32-bit words of a program as hexadecimal digits. */
static void expect_words(const struct isa_module *m, const char *expected)
{
    char text[1024] = "";
    size_t n = 0;
    for (uint32_t i = 0; i + 4 <= m->size && n + 10 < sizeof text; i += 4)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%02x%02x%02x%02x", i ? " " : "", m->bytes[i + 3],
                              m->bytes[i + 2], m->bytes[i + 1], m->bytes[i]);
    assert_string_equal(text, expected);
}

static const struct {
    const char *text, *words;
} programs[] = {
    /* labels, forward and backward; a name with one underscore belongs to the label before it */
    {"a: nop\nb: bra #a\nbra #c\nc: exit nop",
     "f0000001 e0000780 10000003 00000780 10003003 00000780 f0000001 e0000781"},
    {"a: _x: bra #_x\nb: _x: bra #_x", "10000003 00000780 10001003 00000780"},
    {"mov b32 $r0 #end\nend:", "10088001 00000003"},
    {"x: bra 2 * 4 + #x-(1 << 2)-4", "10000003 00000780"},
    /* an odd number of short instructions before a long one: the last is made long, and labels move */
    {"mov b32 $r0 $r1\nx: nop\nbra #x", "10000201 0403c780 f0000001 e0000780 10001003 00000780"},
    {"mov b32 $r0 $r1\nx: bra #x", "10000201 0403c780 10001003 00000780"},
    {"mov b32 $r0 $r1\nx: call #x + 8", "10000201 0403c780 20002003 00000000"},
    {"mov b32 $r0 $r1\nmov b32 $r0 $r1\nmov b32 $r2 $r1\nnop", "10008200 10008200 10000209 0403c780 f0000001 e0000780"},
    {"add sat f32 $r0 $r1 $r2\nnop", "b0000201 20008780 f0000001 e0000780"},
    {"mov b32 $r0 $r1\nmov b32 $r0 $r1\nnop", "10008200 10008200 f0000001 e0000780"},
    /* forms on request; the first one that fits otherwise */
    {"long mov b32 $r0 $r1", "10000201 0403c780"},
    {"short mov b32 $r0 $r1", "10008200"},
    {"mov b32 $r64 $r1", "10000301 0403c780"},
    {"long trap; long trap", "90000003 00000000 90000003 00000000"},
    /* leniency: `sat` anywhere among the words, `rn` left out */
    {"long add f32 $r0 $r1 $r2", "b0000201 00008780"},
    {"long add sat b32 $r0 $r1 $r2", "20000201 0c008780"},
    /* the document's order of words */
    {"texauto deriv all $r0:#:#:# $t0 $s0 $r0 0x0 0x0 0x0", "f2000001 00000788"},
    /* a short texture access is made long: its offsets are 0 */
    {"texfetch all $r0:$r1:$r2:$r3 $t0 $s0 $r0\nnop", "f7000001 0000c780 f0000001 e0000780"},
    /* padding that control gets to: the short instruction is made long, then come nops */
    {"mov b32 $r0 $r1\n.align 16\nnop", "10000201 0403c780 f0000001 e0000780 f0000001 e0000780"},
    {"exit nop\n.align 16\nnop", "f0000001 e0000781 00000000 00000000 f0000001 e0000780"},
    {"short mov b32 $r0 $r1\n.align 8\nnop", "10008200 00000000 f0000001 e0000780"},
    /* bits that mean nothing */
    {"mov $r2 $a1 ignored 0x2000000", "06000009 40000780"},
    {"add $a1 $a2 0x4 ignored 0x2000000", "da000805 20000780"},
    {"bra 0x0 ignored 0x100000000", "10000003 00000781"},
    {"nop ignored 0x200000000000", "f0000001 e0002780"},
    {"quadop f32 sub add add subr $r4 dx $r4 $r1 ignored 0x20000", "c0160811 88004780"},
    {"exit (never) nop ignored 0x100000000000", "f0000001 e0001001"},
    {"preex2 f32 $r125 abs $r105 ignored 0x800000", "b080d3f5 c0104780"},
    {"(lge $c1) add rz f32 $c2 $r8 neg $r86 $r43 ignored 0x800000", "b083ac21 040ad3e0"},
    /* data and padding */
    {".b8 1 2 3 4 5 6 7 8 9 10 11 12", "04030201 08070605 0c0b0a09"},
    {".b16 0x1234 -1\n.s8 -1 127 0 1\n.u32 4294967295", "ffff1234 01007fff ffffffff"},
    {".b64 0x0123456789abcdef", "89abcdef 01234567"},
    {".b8 1\n.align 8\n.skip 4\n.size 16", "00000001 00000000 00000000 00000000"},
    {".b32 #x #x + 4\nx:", "00000008 0000000c"},
    {".equ #n 010 + 0x10 - 2\n.b32 #n ~0 !0 7 / 2 7 % 4 1 << 4 | 1 6 & 3 ^ 1",
     "00000016 ffffffff 00000001 00000003 00000003 00000011 00000003"},
    {".b32 1 -1 (2 -1)", "00000001 ffffffff 00000001"},
    /* comments and separators */
    {"nop // nothing\n/* two\nlines */ nop; nop /+ a /+ b +/ c +/\n",
     "f0000001 e0000780 f0000001 e0000780 f0000001 e0000780"},
    /* sections in the order in which they are made, each with its addresses */
    {".section #a 0x100\nbra #y\n.section #b 0x40\ny: bra #x\n.section #a\nx: nop",
     "10008003 00000780 f0000001 e0000780 10021003 00000780"},
    /* listings: the bytes say which encoding is meant */
    {"# stage vp\n01 02 00 10 80 c7 03 04     mov b32 $r0 $r1\n00820010: 00 82 00 10  mov b32 $r0 $r1\n",
     "10000201 0403c780 10008200"},
    {"00000000: 10000201 0403c780   mov b32 $r0 $r1\n00000008: 10008200  mov b32 $r0 $r1\nc: .b32 5",
     "10000201 0403c780 10008200 00000005"},
    {"01 02 00 00 c0 07 00 a0  mov $c0 $r1", "00000201 a00007c0"},
    {"11 00 00 10 88 c7 00 24  ld o[0x10] b32 c0[0x0]", "10000011 2400c788"},
    {"00000000: 03 18 00 10 80 07 00 00  bra #x\n00000008: 01 02 03  .b8 0x1 0x2 0x3\n0000000b: 04 .b8 4\nx:",
     "10001803 00000780 04030201"},
    /* numbers as they are printed, and as people write them */
    {"(e $c1) texlod live $r32:#:#:# $t1 $s2 $r32 0xfffffffffffffff8 -8 7", "f2040281 48871104"},
    {"add $a1 $a1 -1", "d5fffe05 20000780"},
    {"mov b32 $r0 -1", "103f8001 0fffffff"},
    {"mov $r4 0x0", "00000011 40000780"},
    {"mov $r4 $a0", "00000011 40000780"},
    {"ld u8 $r0 l[$a1--4]", "d7fff801 40000780"},
    {"mov $c0 $r1 ignored 0x4000000000", "00000201 a00007c0"},
};

static void test_programs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        struct assembled a = assemble(programs[i].text, "gt215", -1);
        for (size_t k = 0; k < weft_diags_count(a.diags); k++)
            print_message("# case %zu: %s\n", i, weft_diags_get(a.diags, k)->message);
        assert_int_equal(a.status, WEFT_OK);
        expect_words(a.m, programs[i].words);
        end(&a);
    }
}

/* The document writes `cent` and `flat` before the destination, as its row of the short encoding has them. */
static void test_word_order(void **state)
{
    (void)state;
    static const char *const texts[] = {"interp cent $r1 v[0x4]\ninterp flat $r1 v[0x4]",
                                        "interp $r1 cent v[0x4]\ninterp $r1 flat v[0x4]"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct assembled a = assemble(texts[i], "gt215", IR_FRAGMENT);
        assert_int_equal(a.status, WEFT_OK);
        expect_words(a.m, "81010004 80010104");
        end(&a);
    }
}

/* Wrong text: the code of the first error, where it is, and what it says. */
static const struct {
    const char *text, *code;
    uint32_t line, column;
    const char *says, *hint;
} wrong[] = {
    {"nop\n  mvo b32 $r0 $r1", "unknown-instruction", 2, 3, "unknown instruction 'mvo'", "did you mean 'mov'?"},
    {"mov b33 $r0 $r1", "unknown-word", 1, 5, "unknown word 'b33'", "did you mean 'b32'?"},
    {"mov b32 $r128 $r1", "bad-register", 1, 9, "there is no register '$r128'", "registers are $r0 to $r127"},
    {"mov b16 $r64l $r1l", "bad-register", 1, 9, "'$r64l'", "halves are $r0l to $r63h"},
    {"mov b32 $q1 $r1", "bad-register", 1, 9, "'$q1'", NULL},
    {"(ge $c4) nop", "bad-register", 1, 5, "'$c4'", "condition registers are $c0 to $c3"},
    {"(gee $c1) nop", "unknown-predicate", 1, 2, "unknown predicate 'gee'", "did you mean 'ge'?"},
    {"(ge $r1) nop", "bad-predicate", 1, 5, "predicates look at $c0 to $c3", NULL},
    {"(e $c0) addc b32 $r0 $r1 $r2 $c1", "bad-operand", 1, 30, "operand does not fit", "forms:"},
    {"add b32 $r0 $r1", "missing-operand", 1, 16, "ends too early", "forms:"},
    {"add b32 $r0 $r1l $r2", "bad-operand", 1, 13, "operand does not fit: expected a register", "forms:"},
    {"shl b32 $r0 $r1 0x80", "bad-operand", 1, 17, "0x80 is out of range", "[PRED] shl b32"},
    {"short mov b32 $r64 $r1", "bad-operand", 1, 15, "operand does not fit: expected a register, $r0 to $r63",
     "forms:"},
    {"short nop", "no-form", 1, 7, "'nop' has no short form", "forms:"},
    {"long short nop", "bad-prefix", 1, 12, "long or short", NULL},
    {"exit join nop", "bad-prefix", 1, 6, "exit or join", NULL},
    {"exit bra 0x0", "bad-operand", 1, 1, "exit and join cannot come before this form of 'bra'", "forms:"},
    {"(l01) nop", "bad-operand", 1, 1, "a lane mask cannot come", "forms:"},
    {"(e $c0) call 0x0", "bad-operand", 1, 1, "a predicate cannot come", "forms:"},
    {"bra #nowhere", "unknown-label", 1, 5, "there is no label 'nowhere'", NULL},
    {"loop_top: nop\nbra #lop_top", "unknown-label", 2, 5, "there is no label 'lop_top'", "did you mean 'loop_top'?"},
    {"a: nop\na: nop", "duplicate-label", 2, 1, "'a' is defined twice", NULL},
    {"bra 0x2", "bad-operand", 1, 5, "operand does not fit", "forms:"},
    {"bra 0x1000000", "bad-operand", 1, 5, "operand does not fit", "forms:"},
    {"mov b32 $r0 0x100000000", "bad-operand", 1, 13, "0x100000000 is out of range", "forms:"},
    {"mul s32 $r0 $r1 $r2", "bad-operand", 1, 5, "the types of mul are u16, s16, u24, s24, f32", "forms:"},
    {"add b32 $r0 $r1 -0x100000000", "bad-operand", 1, 17, "-0x100000000 is out of range", "forms:"},
    {"vote some $c0", "unknown-word", 1, 6, "unknown word 'some': expected 'any', or 'all'", "forms:"},
    {"vote alll $c0", "unknown-word", 1, 6, "unknown word 'alll'", "did you mean 'all'?"},
    {"call 0x0 extra", "unknown-word", 1, 10, "'extra': expected nothing more", NULL},
    {"bra nowhere", "unknown-word", 1, 5, "expected a label, #name, or a code address", "forms:"},
    {"add b32 satt $r0 $r1 $r2", "unknown-word", 1, 9, "'satt'", "did you mean 'sat'?"},
    {"(q $c0) nop", "unknown-predicate", 1, 2, "'q'", "a subset of l, e, g and u"},
    {"mov b32 $r0 1 / 0", "division-by-zero", 1, 15, "division by zero", NULL},
    {"mov b32 $r0 09", "bad-number", 1, 13, "'09' is not a number", NULL},
    {"mov b32 $r0 0x11112222333344445", "bad-number", 1, 13, "more than 64 bits", NULL},
    {"mov b32 $r0 c16[0x0]", "bad-space", 1, 13, "spaces are c0[] to c15[]", NULL},
    {"mov b32 $r0 c[0x0]", "bad-space", 1, 13, "spaces are c0[] to c15[]", "write c0["},
    {"ld b32 $r0 g[$r1]", "bad-space", 1, 12, "spaces are g0[] to g15[]", "write g0["},
    {"add b32 $r0, $r1, $r2", "syntax", 1, 12, "operands have no comma between them", "leave it out"},
    {"st u8 g0[$a1] $r0", "bad-address", 1, 10, "g[] is addressed by a register", NULL},
    {"mov b32 $r0 s[$r1]", "bad-address", 1, 15, "only g0[] to g15[] are addressed by", NULL},
    {"texauto all $r0:$r2:#:# $t0 $s0 $r0 0 0 0", "bad-vector", 1, 17, "expected $r1", NULL},
    {"texauto all $r0:$r1:#:#:# $t0 $s0 $r0 0 0 0", "bad-vector", 1, 25, "more than four", NULL},
    {"texauto all $r0:#:#:# $t0 $s0 $r4 0 0 0", "bad-operand", 1, 31,
     "operand does not fit: expected up to four registers", "forms:"},
    {".b8 256", "bad-number", 1, 5, "256 does not fit in .b8", NULL},
    {".u8 -1", "bad-number", 1, 5, "-1 does not fit in .u8", NULL},
    {".bogus 1", "unknown-directive", 1, 2, "unknown directive 'bogus'", NULL},
    {".size 4\n.size 2", "too-large", 2, 1, "has more than 2 bytes", NULL},
    {".b32 0\nnop", "unaligned", 2, 1, "a long instruction is at a multiple of 8", ".align 8"},
    /* The label is known only after the statement has been refused. */
    {".section #odd 0x4\nbra #x\nx: nop", "unaligned", 2, 1, "and this is 0x4", ".align 8"},
    {".section #odd 0x4\nnop", "unaligned", 2, 1, "and this is 0x4", ".align 8"}, /* a section without items */
    {"short mov b32 $r0 $r1\nnop", "unaligned", 2, 1, "a long instruction is at a multiple of 8", ".align 8"},
    {".skip 0x1000000\n.skip 1", "too-large", 2, 1, "more zeros", NULL},
    {"01 02 00 10 80 c7 03 04  mov b32 $r0 $r2", "wrong-listing", 1, 1, "not those of the text", NULL},
    {"03 00 00 10 80 07 00 00  bra #x\nnop\nx: nop", "wrong-listing", 1, 1, "not those of the text", NULL},
    {"01 02  .b8 1 3", "wrong-listing", 1, 1, "not those of the text", NULL},
    {"00 82 00 10 nop", "no-form", 1, 13, "no short form", NULL},
    {"\xef\xbb\xbfnopp", "unknown-instruction", 1, 4, "'nopp'", "did you mean 'nop'?"},
    {"nop \xe2\x80\x93", "syntax", 1, 5, "found a dash (U+2013)", "write - instead"},
    {"/* open", "open-comment", 1, 1, "not closed", NULL},
    {"nop nop", "bad-operand", 1, 5, "'nop' cannot be here: expected nothing more", "forms:"},
    {"discard", "wrong-stage", 1, 1, "'discard' exists in fragment programs only", "(-s, weft_program"},
    {"mov b32 $r0 u16 s[0x0]", "wrong-stage", 1, 17, "s[] exists in compute programs only", "(-s, weft_program"},
    {"add b32 $r0 p[0x0] $r1", "wrong-stage", 1, 13, "p[] exists in geometry programs only", "(-s, weft_program"},
    {"(e $c0) (e $c1) nop", "bad-prefix", 1, 9, "an instruction has one predicate", NULL},
    {"(l0) (l1) mov b32 $r0 $r1", "bad-prefix", 1, 6, "an instruction has one lane mask", NULL},
    {"exit exit nop", "bad-prefix", 1, 6, "'exit' is there twice", NULL},
    {"long long nop", "bad-prefix", 1, 6, "'long' is there twice", NULL},
    {".b32 0\nnop\nnop\nnop\nbogus", "unaligned", 2, 1, "is at a multiple of 8", NULL},
    {"prebrk 0x0", "unknown-instruction", 1, 1, "'prebrk'", "breakaddr"},
    {"brk", "unknown-instruction", 1, 1, "'brk'", "write break"},
    {"mov b32 r0 $r1", "unknown-word", 1, 9, "'r0'", "write $r0"},
    {"mov b32 $r0 1.5", "syntax", 1, 13, "no fraction", "write 0x3fc00000"},
    {"bar sync 0x0", "unknown-word", 1, 5, "'sync'", "bar inc wait"},
    {"mov lock $c0 $r0 b32 s[0x0]", "bad-operand", 1, 5, "'ld lock'", "st unlock"},
    {"mov $r0 $sreg2", "bad-register", 1, 9, "'$sreg2'", "$sr2"},
    {"mov $r0 sreg3", "unknown-word", 1, 9, "'sreg3'", "$vstride"},
    {"ld b32 $r0 l[0x10000]", "bad-operand", 1, 12, "l[] at 0x0 to 0xffff", "forms:"},
    {"add b32 $r100 $r101 0x5", "bad-operand", 1, 21, "registers end at $r63", "forms:"},
    {"sub b32 $r0 c0[0x4] $r1", "bad-operand", 1, 13, "the first source of 'sub' cannot be c[]", "exchange"},
    {"add sat $r0 (mul u16 $r1l $r2l) $r0", "bad-operand", 1, 5, "this form of 'add' has no sat", "forms:"},
    {"vote any $c0", "wrong-chip", 1, 1, "g80 has no such instruction", "gt215"},
    {"mov $r0 $sampleid", "bad-register", 1, 9, "'$sampleid'", "gt215"},
};

static void test_wrong_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct assembled a = assemble(wrong[i].text, "g80", -1);
        const weft_diag *d = weft_diags_get(a.diags, 0);
        print_message("# case %zu\n", i);
        assert_int_equal(a.status, WEFT_ERROR_INPUT);
        assert_non_null(d);
        assert_string_equal(d->code, wrong[i].code);
        assert_non_null(strstr(d->message, wrong[i].says));
        assert_int_equal(d->line, wrong[i].line);
        assert_int_equal(d->column, wrong[i].column);
        if (wrong[i].hint)
            assert_true(d->hint && strstr(d->hint, wrong[i].hint));
        end(&a);
    }
}

/* What follows a wrong statement on its line is read too; directives that are like none get all their names. */
static void test_errors_of_a_line(void **state)
{
    (void)state;
    struct assembled a = assemble("bogus $r0; .unheardof 1; nop", "g80", -1);
    const weft_diag *first = weft_diags_get(a.diags, 0), *second = weft_diags_get(a.diags, 1);
    assert_int_equal(a.status, WEFT_ERROR_INPUT);
    assert_true(first && second && !weft_diags_get(a.diags, 2));
    assert_string_equal(first->code, "unknown-instruction");
    assert_string_equal(second->code, "unknown-directive");
    assert_non_null(strstr(second->hint, "one of align, skip"));
    end(&a);
}

/* More labels than the assembler has lists for in the beginning, each used before it is there. */
static void test_many_labels(void **state)
{
    enum { MANY = 3000, LINE = 32 };
    (void)state;
    char *text = malloc(MANY * LINE);
    size_t n = 0;
    assert_non_null(text);
    for (unsigned i = 0; i < MANY; i++)
        n += (size_t)snprintf(text + n, LINE, "x%u: bra #x%u\n", i, MANY - 1 - i);
    struct assembled a = assemble(text, "g80", -1);
    assert_int_equal(a.status, WEFT_OK);
    assert_int_equal(a.m->ninsns, MANY);
    assert_int_equal(a.m->nlabels, MANY);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(tesla_flow_of(&a.m->insns[i]).target, (MANY - 1 - i) * 8);
    end(&a);
    free(text);
}

/* Mistakes in programs of a type. */
static void test_wrong_in_stage(void **state)
{
    static const struct {
        int stage;
        const char *text, *says, *hint;
    } cases[] = {
        {IR_FRAGMENT, "interp $r1 f32 v[0x0]", "'f32' cannot be here: interp takes no type", "forms:"},
        {IR_COMPUTE, "mov b32 $r1 s[0x10]", "write b32 before s[...]: it has no size", "forms:"},
        {IR_COMPUTE, "mov b16 $r1l s[0x10]", "write u16, s16 or u8 before s[...]: it has no size", "forms:"},
        {IR_COMPUTE, "add b32 $r5 s16 s[0x40] $r1", "as a source s[] is at 0x0 to 0x3e in steps of 2 here", "forms:"},
        {IR_COMPUTE, "add b32 $r5 s16 s[$a1++0x20] $r1", "incremented by -0x20 to 0x1e in steps of 2", "forms:"},
        {IR_COMPUTE, "add b32 $r5 $r1 c0[0x202]", "as a source c[] is at 0x0 to 0x1fc in steps of 4 here", "forms:"},
        {IR_COMPUTE, "add b32 $r5 b32 s[$a1] c0[$a1+0x4]", "an instruction has one $a", "forms:"},
        {IR_COMPUTE, "mov b32 f32 $r1 $r2", "'f32' cannot be here: the types of mov are b16, b32", "forms:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct assembled a = assemble(cases[i].text, "g80", cases[i].stage);
        const weft_diag *d = weft_diags_get(a.diags, 0);
        assert_int_equal(a.status, WEFT_ERROR_INPUT);
        assert_non_null(d);
        print_message("# %s: %s\n", cases[i].text, d->message);
        assert_non_null(strstr(d->message, cases[i].says));
        assert_true(d->hint && strstr(d->hint, cases[i].hint));
        end(&a);
    }
}

/* An entry is a label, a kernel or the address of an instruction; what is none of them is an error. */
static void test_entries(void **state)
{
    static const struct {
        const char *entry;
        weft_status status;
        uint32_t insn;
    } cases[] = {{"there", WEFT_OK, 1},
                 {"0x8", WEFT_OK, 1},
                 {"0", WEFT_OK, 0},
                 {"nowhere", WEFT_ERROR_INPUT, 0},
                 {"4", WEFT_ERROR_INPUT, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct assembled a =
            assemble_with("nop\nthere: nop\nexit nop", (struct isa_params){.stage = -1, .entry = cases[i].entry});
        print_message("# %s\n", cases[i].entry);
        assert_int_equal(a.status, cases[i].status);
        if (a.status == WEFT_OK)
            assert_int_equal(tesla_entry(a.m), cases[i].insn);
        else
            assert_string_equal(weft_diags_get(a.diags, 0)->code, "entry");
        end(&a);
    }
}

/* With `shorten`, `long` is not heeded where a short form does the same. */
static void test_shorten(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"long mov b32 $r0 $r1", "10008200"},
        {"long add b32 sat $r0 $r1 $r2", "20028300"},
        {"add rn f32 $r0 $r1 $r2", "b0020200"},
        {"add rz f32 $r0 $r1 $r2", "b0030201 00008780"},
        {"long mov b32 $r64 $r1", "10000301 0403c780"},
        {"exit mov b32 $r0 $r1", "10000201 0403c781"},
        {"long mov b32 $r0 $r1\nnop", "10000201 0403c780 f0000001 e0000780"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct assembled a = assemble_with(cases[i].text, (struct isa_params){.stage = -1, .shorten = true});
        assert_int_equal(a.status, WEFT_OK);
        expect_words(a.m, cases[i].words);
        end(&a);
    }
}

/* Sections are kernels: their instructions and addresses. */
static void test_sections(void **state)
{
    (void)state;
    struct assembled a = assemble(".section #one\nnop\nbra 0x0\n.section #two 0x80\nnop", NULL, IR_COMPUTE);
    assert_int_equal(a.status, WEFT_OK);
    assert_int_equal(a.m->nkernels, 2);
    assert_string_equal(a.m->kernels[1].name, "two");
    assert_int_equal(a.m->kernels[1].first, 2);
    assert_int_equal(a.m->insns[2].address, 0x80);
    assert_int_equal(a.m->insns[2].offset, 16);
    assert_ptr_equal(tesla_insn_at(a.m, 1, 0), &a.m->insns[0]);
    assert_ptr_equal(tesla_insn_at(a.m, 2, 0x80), &a.m->insns[2]);
    assert_null(tesla_insn_at(a.m, 2, 0));
    char *text;
    size_t size;
    assert_int_equal(tesla_print(a.m, &a.arena, &text, &size, NULL), WEFT_OK);
    assert_string_equal(text, ".section #one\nnop\nbra 0x0\n.section #two 0x80\nnop\n");
    end(&a);
}

/* Labels on request: at targets of the same kernel, and in listings too. */
static void test_labels(void **state)
{
    static const struct {
        const char *text, *labelled;
    } cases[] = {
        {"nop\nx: (e $c0) bra #x\nbra #y\n.b32 1\n.b32 2\ny: nop",
         "nop\nL0x8:\n(e $c0) bra #L0x8\nbra #L0x20\n.b32 0x1\n.b32 0x2\nL0x20:\nnop\n"},
        {"bra 0x100", "bra 0x100\n"}, /* there is nothing */
        {".section #a\nnop\nbra 0x0\n.section #b\nnop\ncall 0x0",
         ".section #a\nL0_0x0:\nnop\nbra #L0_0x0\n.section #b\nL1_0x0:\nnop\ncall #L1_0x0\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct assembled a = assemble_with(cases[i].text, (struct isa_params){.stage = -1, .labels = true});
        char *text;
        size_t size;
        assert_int_equal(a.status, WEFT_OK);
        assert_int_equal(tesla_print(a.m, &a.arena, &text, &size, NULL), WEFT_OK);
        assert_string_equal(text, cases[i].labelled);
        struct assembled b = assemble(text, NULL, -1);
        assert_int_equal(b.status, WEFT_OK);
        assert_int_equal(a.m->size, b.m->size);
        assert_memory_equal(a.m->bytes, b.m->bytes, a.m->size);
        end(&a);
        end(&b);
    }
}

/* A program of the words in which every kind of statement occurs prints, and the print is the same program. */
static void test_print_again(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0, length;
    FILE *f = fopen(WEFT_SOURCE_ROOT "/tests/tesla/programs/forms.tesla", "r");
    assert_non_null(f);
    assert_true(getdelim(&text, &size, EOF, f) > 0);
    fclose(f);
    struct assembled a = assemble(text, NULL, IR_COMPUTE);
    char *printed;
    assert_int_equal(a.status, WEFT_OK);
    assert_int_equal(tesla_print(a.m, &a.arena, &printed, &length, NULL), WEFT_OK);
    struct assembled b = assemble(printed, NULL, IR_COMPUTE);
    assert_int_equal(b.status, WEFT_OK);
    assert_int_equal(a.m->size, b.m->size);
    assert_memory_equal(a.m->bytes, b.m->bytes, a.m->size);
    end(&a);
    end(&b);
    free(text);
}

/* ---- rules beyond the form ---- */

static const struct {
    const char *text;
    int stage;
    const char *code; /* NULL: nothing is wrong */
} checks[] = {
    {"x: bra #x", -1, NULL},
    {"bra 0x10\nnop", -1, "branch-target"},
    {"bra 0x8\n.b32 0", -1, "unknown-instruction"},
    {"x: bra #x\n.skip 0xfffff0\nnop", -1, "unknown-instruction"},
    {"bra #x\n.skip 0xfffff0\nx: exit nop\nexit nop", -1, "too-large"},
    {"ld u8 $r0 l[$a1++0x1]\nexit nop", -1, NULL},
    {"nop", -1, "runs-off"},
    {"(e $c0) exit nop", -1, "runs-off"},
    {"exit (never) nop\nbra 0x100", -1, "branch-target"}, /* a warning: nothing leads there */
    {"call #f\nexit nop\nf: ret", -1, NULL},
    {"joinat #x\n(e $c0) bra #x\nx: join nop\nexit nop", -1, NULL},
    {"breakaddr #x\nbreak\n.b32 0 0\nx: exit nop", -1, "unknown-instruction"},
    {"ld u8 $r0 l[$a5++0x1]\nexit nop", -1, "illegal-increment"},
    {"ld u8 $r0 l[0x0++0x1]\nexit nop", -1, "illegal-increment"},
    {"ld u8 $r0 l[$a6+0x1]\nexit nop", -1, "no-such-register"},
    {"exit st b32 o[0x10] $r4", IR_FRAGMENT, "wrong-stage"},
    {"exit st b32 o[0x10] $r4", IR_VERTEX, NULL},
    {"exit mov b16 o[0x10] $r4l", IR_VERTEX, "half-output"},
    {"exit mov b16 o[0x12] $r4h", IR_GEOMETRY, "half-output"},
    {"bar inc wait 0x0 all\nexit nop", IR_FRAGMENT, "wrong-stage"},
    {"bar inc wait 0x0 all\nexit nop", IR_COMPUTE, NULL},
    {"exit mov $r0 $a1 ignored 0x2000000", -1, NULL},
    {"exit mov $r0 $a5 ignored 0x2000000", -1, "illegal-increment"},
    {"exit add $a1 0x0 0x4 ignored 0x2000000", -1, "illegal-increment"},
    {"exit shl $a5 $r0 0x1", -1, "no-such-register"},
    {"exit add 0x0 $a1 0x1", -1, "no-such-register"},
    {"exit texauto all $r0:#:#:# $t129 $s17 $r0 0 0 0", -1, NULL},
    {"exit texauto all $r0:#:#:# $t130 $s17 $r0 0 0 0", -1, "no-such-texture"},
    {"exit texauto all $r0:#:#:# $t129 $s18 $r0 0 0 0", -1, "no-such-sampler"},
    {"exit texauto all $r0:#:#:# $t128 $s0 $r0 0 0 0", IR_COMPUTE, "no-such-texture"},
    {"exit texauto all $r0:#:#:# $t0 $s16 $r0 0 0 0", IR_COMPUTE, "no-such-sampler"},
};

static void test_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        struct isa_params params = {.stage = checks[i].stage};
        struct assembled a = assemble_with(checks[i].text, params);
        struct source src = {"test", checks[i].text, strlen(checks[i].text)};
        assert_int_equal(a.status, WEFT_OK);
        weft_status status = tesla_check(a.m, &src, &params, a.diags);
        const weft_diag *d = weft_diags_get(a.diags, 0);
        print_message("# case %zu: %s\n", i, d ? d->message : "fine");
        assert_int_equal(d != NULL, checks[i].code != NULL);
        if (d)
            assert_string_equal(d->code, checks[i].code);
        assert_int_equal(status == WEFT_OK, !d || d->severity != WEFT_ERROR);
        end(&a);
    }
}

/* Where a number has a sign, or as many bits as a register, it may be written as a negative one; elsewhere not. */
static void negative_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        bool negative;
    } numbers[] = {
        {"shl b32 $r0 $r1 %s0x1", false},    {"shl $a1 $r1 %s0x1", false},   {"pmevent %s0x1", false},
        {"bar inc wait %s0x1 all", false},   {"bar inc wait 0x0 %s0x1", false},
        {"add $a1 $a2 %s0x1", true},         {"mov b32 $r0 %s0x1", true},
    };
    for (size_t i = 0; i < 2 * sizeof numbers / sizeof *numbers; i++) {
        char text[80];
        snprintf(text, sizeof text, numbers[i / 2].format, i % 2 ? "-" : "");
        struct assembled a = assemble(text, "g80", IR_COMPUTE);
        if ((a.status == WEFT_OK) != (i % 2 == 0 || numbers[i / 2].negative))
            fail_msg("%s", text);
        end(&a);
    }
}

TEST_MAIN(TEST(test_programs), TEST(test_word_order), TEST(test_wrong_text), TEST(test_errors_of_a_line),
          TEST(test_many_labels), TEST(test_wrong_in_stage), TEST(test_entries), TEST(test_shorten),
          TEST(test_sections), TEST(test_labels), TEST(test_print_again), TEST(test_check),
          TEST(negative_numbers))
