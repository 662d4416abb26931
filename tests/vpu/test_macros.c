/* Macros, repetitions and conditions of the VPU's assembler. The bytes are those that GNU's assembler makes of the same
 * text, which holds data alone. */
#include "program.h"

static void macros(void **state)
{
    (void)state;
    check_assembles(".macro sum from=0, to=5\n.long \\from\n.if \\to-\\from\nsum \"(\\from+1)\",\\to\n"
                    ".endif\n.endm\nsum 0,2\nsum\nsum to=4, from=3",
                    "0000000001000000020000000000000001000000020000000300000004000000050000000300000004000000");
    check_assembles(".macro pair p1=0 p2\n.byte \\p1, \\p2+0\n.endm\npair 1,2\npair ,2\npair 9",
                    "010200020900");
    check_assembles(".macro table name:req, rest:vararg\n.l\\@\\name: .byte \\rest\n.byte 0x80+\\@\n.endm\n"
                    "table foo, 1,2,3\ntable bar, 4",
                    "010203800481");
    check_assembles(".macro text s\n.ascii \"<\\s>\"\n.endm\ntext hello\ntext \"a b, c\"",
                    "3c68656c6c6f3e3c6120622c20633e");
    check_assembles(".macro outer k\n.macro inner_\\k v\n.byte \\k, \\v\n.endm\n.endm\nouter 5\ninner_5 6\n"
                    "INNER_5 7",
                    "05060507");
    check_assembles(".macro one\n.byte 1\n.endm\none\n.purgem one\n.macro one\n.byte 2\n.endm\none",
                    "0102");
    check_assembles(".macro early n\n.byte 1\n.if \\n > 2\n.rept 9\n.exitm\n.endr\n.endif\n.byte 2\n.endm\n"
                    "early 1\nearly 3\n.byte 3",
                    "0102010203");
    check_assembles(".macro glue a\n.byte \\a\\()1, 0x\\a\n.endm\nglue 2",
                    "1502");
    /* \@ is how many macros came before, whatever they made. */
    check_assembles(".macro n\n.byte \\@\n.endm\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn",
                    "000102030405060708090a0b");
    check_assembles(".macro none\n.endm\n.macro n\n.short \\@\n.endm\n.rept 100\nnone\n.endr\nn\n"
                    ".rept 900\nnone\n.endr\nn",
                    "6400e903");
    check_assembles(".macro none\n.endm\nnone\n.byte 7",
                    "07");
}

static void repetitions(void **state)
{
    (void)state;
    check_assembles(".rept 2\n.byte 7\n.rept 2\n.byte 8\n.endr\n.endr\n.rept 0\n.byte 1\n.endr",
                    "070808070808");
    check_assembles(".irp p,1,2,\"5\"\n.byte \\p,\\p+1\n.endr",
                    "010202030506");
    check_assembles(".irp p\n.byte 1\\p\n.endr",
                    "01");
    check_assembles(".irpc c,123\n.byte \\c\\()0\n.endr",
                    "0a141e");
    check_assembles(".set x,1\n.rept 4\n.byte x\n.set x,x*2\n.endr\n.byte x",
                    "0102040810");
    check_assembles(".irp a,1,2\n.irp b,3,4\n.byte \\a\\b\n.endr\n.endr",
                    "0d0e1718");
}

static void conditions(void **state)
{
    (void)state;
    check_assembles(".if 0\n.byte 1\n.if 1\n.byte 2\n.else\n.byte 3\n.endif\n.elseif 1\n.byte 4\n.elseif 1\n"
                    ".byte 5\n.else\n.byte 6\n.endif",
                    "04");
    check_assembles(".if 2\n.byte 1\n.elseif 1\n.byte 2\n.else\n.byte 3\n.endif\n.if 0\n.else\n.byte 4\n"
                    ".endif",
                    "0104");
    check_assembles("x = 4\n.ifdef x\n.byte 1\n.endif\n.ifndef y\n.byte 2\n.endif\n.ifdef y\n.byte 3\n"
                    ".endif\ny: .ifdef y\n.byte 4\n.endif",
                    "010204");
    check_assembles(".ifeq 0\n.byte 1\n.endif\n.ifne 0\n.byte 2\n.endif\n.ifgt 1\n.byte 3\n.endif\n.ifge 0\n"
                    ".byte 4\n.endif\n.iflt -1\n.byte 5\n.endif\n.ifle 1\n.byte 6\n.endif",
                    "01030405");
    check_assembles(".ifc a b , a b\n.byte 1\n.endif\n.ifnc a,b\n.byte 2\n.endif\n.ifb\n.byte 3\n.endif\n"
                    ".ifnb x\n.byte 4\n.endif\n.ifb x\n.byte 5\n.endif",
                    "01020304");
    check_assembles(".macro m n\n.if \\n == 1\n.byte 1\n.else\n.byte 2\n.endif\n.endm\nm 1\nm 2",
                    "0102");
}

/* Each comparison with 0, of what is below, at and above it. */
static void numbers_and_zero(void **state)
{
    (void)state;
    static const char *const numbers[] = {"0-0x7fffffffffffffff-1", "-1", "0", "1", "0x7fffffffffffffff"};
    static const struct {
        const char *name;
        bool below, at, above;
    } tests[] = {{".if", true, false, true},    {".ifne", true, false, true},  {".ifeq", false, true, false},
                 {".ifgt", false, false, true}, {".ifge", false, true, true},  {".iflt", true, false, false},
                 {".ifle", true, true, false}};
    for (size_t t = 0; t < sizeof tests / sizeof *tests; t++)
        for (unsigned i = 0; i < 5; i++) {
            char text[100];
            bool holds = i < 2 ? tests[t].below : i == 2 ? tests[t].at : tests[t].above;
            snprintf(text, sizeof text, "%s %s\n.byte 1\n.else\n.byte 2\n.endif", tests[t].name, numbers[i]);
            check_assembles(text, holds ? "01" : "02");
        }
}

static void comparisons(void **state)
{
    (void)state;
    check_assembles(".byte -(1==1),-(1!=1),-(2<>3),1+1==2,3&&4,0||5,0||0,3&&0,4>=4,-1<0,4<=3,5>4,1<<2<5",
                    "010001ff01010000ffff00ffff");
    check_assembles(".byte !0,!7,-(1<2)+1,(1 < 2) && !(3 >= 4) || 0",
                    "01000201");
}

/* What GNU's assembler cannot be asked: operands with commas are one argument, and instructions may be made. */
static void instructions(void **state)
{
    (void)state;
    static const struct {
        const char *text, *plain;
    } same[] = {
        {".macro twice op, d, s\n\\op\\().m \\d,\\s\n\\op \\d,\\s\n.endm\ntwice add,r1,r2", "add.m r1,r2\nadd r1,r2"},
        {".macro move d, s\nv16mov \\d,\\s\n.endm\nmove HX(1,0), HX(2++,32)+r3", "v16mov HX(1,0),HX(2++,32)+r3"},
        {".macro wait n\nmov r0,\\n\nw\\@: sub r0,1\nbne w\\@\n.endm\nwait 3\nwait 5",
         "mov r0,3\na: sub r0,1\nbne a\nmov r0,5\nb: sub r0,1\nbne b"},
        {".macro nop2 @ nop @ nop @ .endm @ nop2 @ rts", "nop\nnop\nrts"},
        {".irp r,0,1,2\nld r\\r,(sp+\\r*4)\n.endr", "ld r0,(sp+0*4)\nld r1,(sp+4)\nld r2,(sp+8)"},
        {"1: .rept 2\nnop\n.endr\nb 1b", "nop\nnop\nb 0"},
        {".macro over\nb 12\\@f\nnop\n12\\@:\n.endm\nover\nover\n7: b 7b", "b 4\nnop\nb 8\nnop\nb 8"},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        char one[256], two[256];
        struct isa_params params = {.stage = -1};
        assemble_with(same[i].text, &params, one, sizeof one);
        assemble_with(same[i].plain, &params, two, sizeof two);
        if (strcmp(one, two) != 0)
            printf("# %s\n", same[i].text);
        assert_string_equal(one, two);
        assert_int_not_equal(strlen(one), 0);
    }
}

/* An error in an expansion names where it was used, and the line of the body. */
static void places(void **state)
{
    (void)state;
    static const struct {
        const char *text, *file;
        uint32_t line, column;
    } cases[] = {
        {"nop\n.macro a x\nnop\n bogus \\x\n.endm\nnop\na 1", "test:7: in 'a'", 2, 2},
        {".macro a\nbogus\n.endm\n.macro b\nnop\na\n.endm\nb", "test:8: in 'b':2: in 'a'", 1, 1},
        {"nop\n.rept 3\nnop\n.byte 256\n.endr", "test:2: in '.rept'", 2, 7},
        {".irp x,1,2\nadd r\\x,nowhere\n.endr", "test:1: in '.irp'", 1, 8},
        {".if 1\n.macro a\n.endm\n.endif\na 5", "test", 5, 3},
        {"nop\n.if 0\n.if 1\n.endif\nnop", "test", 2, 1},
        {".macro a\n.if 1\n.endm\na\n.endif", "test:4: in 'a'", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program p = from_text(cases[i].text);
        assert_int_equal(p.status, WEFT_ERROR_INPUT);
        assert_true(weft_diags_count(p.diags) > 0);
        const weft_diag *d = weft_diags_get(p.diags, 0);
        if (strcmp(d->file, cases[i].file) != 0)
            printf("# %s\n# %s\n", cases[i].text, d->message);
        assert_string_equal(d->file, cases[i].file);
        assert_int_equal(d->line, cases[i].line);
        assert_int_equal(d->column, cases[i].column);
        drop(&p);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {".macro a\na\n.endm\na", "nest more than 100 deep"},
        {".macro a\na\na\n.endm\na", "nest more than 100 deep"},
        {".rept 1000000000\n.endr", "make more than 8 MiB"},
        {".macro a x\n.ascii \"\\x\\x\\x\\x\"\n.endm\n.rept 1000000\na 0123456789012345678901234567890\n.endr",
         "make more than 8 MiB"},
        {".macro a\nnop", "there is no .endm"},
        {".rept 3\nnop", "there is no .endr"},
        {".endm", ".endm closes a block that was not opened"},
        {".endr", ".endr closes a block that was not opened"},
        {".endif", "there is no .if"},
        {".else", "there is no .if"},
        {".if 1\n.else\n.else\n.endif", ".endif comes after .else"},
        {".if 0\n.else\n.elseif 1\n.endif", ".endif comes after .else"},
        {".if 1\nnop", "there is no .endif"},
        {".macro a\n.endif\n.endm\n.if 1\na\n.endif", "there is no .if"},
        {".if later\n.endif\nlater = 1", "a condition must be known here"},
        {".macro a\n.endm\n.macro A\n.endm", "defined already"},
        {".macro a x,x\n.endm", "a second parameter 'x'"},
        {".macro a x:vararg,y\n.endm", "is the last"},
        {".macro a x:none\n.endm", "kind of parameter"},
        {".macro a x:req\n.endm\na", "needs a value for 'x'"},
        {".macro a x,y\n.endm\na 1,2,3", "macro 'a' has 2 parameters"},
        {".macro 1\n.endm", "expected the name of a macro"},
        {".purgem a", "there is no macro 'a'"},
        {".exitm", ".exitm belongs in"},
        {".irp\n.endr", "expected the name of a parameter"},
        {".ifdef\n.endif", "expected a symbol"},
        {".error \"too small\"", "too small"},
        {".macroo a", "unknown directive"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(cases[i].text, cases[i].message);
}

TEST_MAIN(TEST(macros), TEST(repetitions), TEST(conditions), TEST(numbers_and_zero), TEST(comparisons),
          TEST(instructions), TEST(places), TEST(refused))
