/* Text of the VPU: notations, the choice of encodings, labels and branches, directives, and what is refused. Bytes are
 * worked out from the patterns of the manual; those of whole tables come from the vectors (tests/vectors/vpu.sh). */
#include "program.h"

/* The manual's notation and the GNU port's are the same instruction. */
static void notations(void **state)
{
    (void)state;
    static const struct {
        const char *manual, *gnu;
    } pairs[] = {
        {"vadd16 HX(0,0), HX(1,0), HX(2,32)", "v16add HX(0,0),HX(1,0),HX(2,32)"},
        {"vaddL HY(0,0), HY(1,0), HY(2,0)", "v32add HY(0,0),HY(1,0),HY(2,0)"},
        {"vadd HY(0,0), HY(1,0), HY(2,0)", "v32add HY(0,0),HY(1,0),HY(2,0)"},
        {"vadd H(0,0), H(0,0), #1 IFN", "v16add H(0,0),H(0,0),1 IFN"},
        {"vdist -, H(0++,0), H(0++,16) REP 16 CLRA UACC", "v16dist -,H(0++,0),H(0++,16) REP16 CLRA UACC"},
        {"vsub -, H(0++,0)+r0, r1 REP 16", "v16sub -,H(0++,0)+r0,r1 REP16"},
        {"vmov H(1,0), H(0,0), SUMS r1", "v16mov H(1,0),H(0,0) SUMS r1"},
        {"vmov H16(1,0), HH(2,32)", "v16mov HX(1,0),HX(2,32)"},
        {"vldb H(0,0), (r0)", "v8ld H(0,0),(r0)"},
        {"vst -, H(3,5), 16(r1+=r2)", "v8st H(3,5),(r1+16+=r2)"},
        {"vldl HY(0++,0), -, -4(r1) REP16", "v32ld HY(0++,0),(r1+-4) REP16"},
        {"readlut V(0,0), -, V(16,0)", "v8memread V(0,0),-,V(16,0)"},
        {"vwritelut 0, V(0,0), (r0)", "v8memwrite -,V(0,0),r0"},
        {"vlookupmh16 HX(0,0), (r3)", "v16lookupm HX(0,0),(r3)"},
        {"vlookupml HY(0,0), (r3)", "v8lookupml HY(0,0),(r3)"},
        {"vreadacc HX(0,0), -, 4", "vgetacc HX(0,0),-,4"},
        {"clipsh r1, r2", "clamp16 r1,r2"},
        {"addscale r2, r4 << 1", "addscale r2,r4<<1"},
        {"addscale r2, r3, r4 shl 5", "addscale r2,r3,r4*2^5"},
        {"mulhd.uu.eq r1, r2, r3", "mulhd.eq.uu r1,r2,r3"},
        {"switch.b r3", "tbb r3"},
        {"switch r3", "tbh r3"},
        {"blo 0x20", "bcs 0x20"},
        {"add r0, sp, 4*4", "lea r0,(sp+16)"},
        {"b lr", "rts"},
        {"mov p3, r4", "mov.m p3,r4"},
        {"ftrunc r1, r2, sasl 3", "ftrunc r1,r2,sasl3"},
        {"cmp r0, r9, r17", "cmp r0,r9,r17"},
        {"fcmp r0, r9, r17", "fcmp r9,r17"},
        {"MOV R3, #0x10", "mov r3,16"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char one[256], two[256];
        struct isa_params params = {.stage = -1};
        assemble_with(pairs[i].manual, &params, one, sizeof one);
        assemble_with(pairs[i].gnu, &params, two, sizeof two);
        if (strcmp(one, two) != 0)
            printf("# %s\n# %s\n", pairs[i].manual, pairs[i].gnu);
        assert_string_equal(one, two);
        assert_int_not_equal(strlen(one), 0);
    }
}

/* The shortest form, and pins. */
static void choices(void **state)
{
    (void)state;
    static const struct {
        const char *text, *bytes;
    } cases[] = {
        {"add r1,r2", "2142"}, /* 010 00010 0010 0001 */
        {"add r1,r1,r2", "2142"},
        {"add.m r1,r1,r2", "41c0020f"}, /* 1100 0 000010 00001, 00001 1110 00 00010 */
        {"add r17,r2", "51c0028f"},
        {"add.eq r1,r1,r2", "41c00208"},
        {"add r1,31", "f163"},     /* 011 0001 11111 0001 */
        {"add r1,32", "4176"},     /* 011 1011 00100 0001: addscale by 8 */
        {"add r1,33", "41b02100"}, /* 1011 00 00010 00001 */
        {"add r1,r2,-3", "41c07d17"},
        {"add r1,r2,64", "a1c25017"}, /* addscale by 2^1 does not hold it: 2^2, 16 */
        {"add r1,r2,1000", "41b4e803"},
        {"add r1,r2,100000", "41eca0860100"},
        {"add r1,sp,-4", "e117"},        /* 0001 0 111111 00001 */
        {"add r1,pc,0x100", "e1bf0001"}, /* 1011 1111 111 00001: lea */
        {"add r1,pc,5 {imm6}", "41c045ff"},
        {"lea r1,(pc-4)", "e1bffcff"},
        {"ld r2,$+16", "02aa1000"},    /* 1010 1010 00 0 00010 */
        {"ld r2,(pc+16)", "02a210f8"}, /* 1010 001 0 000 00010 11111 */
        {"ld r2,$+0x8000", "02e7008000f8"},
        {"brev r1,r2", "215d"},        /* 010 11101 0010 0001 */
        {"brev r1,r1,r2", "a1c3020f"}, /* 1100 0 011101 00001, 00001 1110 00 00010 */
        {"brev.m r3,r4", "a3c3041f"},
        {"brev r1,12", "a1c34c0f"},
        {"v8lookupm -,(r63)", "20f038e0bf03"},
        {"stm lr", "ef03"}, /* 0000 0011 1 11 01111: gp-r7 */
        {"ldm pc", "6f03"},
        {"mov r1,-1", "01c07f07"},
        {"mov r1,0xffffffff", "01c07f07"},
        {"mov r1,1000", "01b0e803"},
        {"mov r1,100000", "01e8a0860100"},
        {"mov.l r1,5", "01e805000000"},
        {"mov r1,5 {imm16}", "01b00500"},
        {"ld r1,(r2)", "2108"},
        {"ld r1,(r2+4)", "2121"},
        {"ld r1,(r2+5)", "01a20510"},
        {"ld r1,(r2+-4)", "01a3fc17"},
        {"ld r1,(r2-4)", "01a3fc17"},
        {"ld r1,(sp+124)", "f105"},
        {"ld r1,(sp+2000)", "01a2d0cf"},
        {"ld r1,(sp+4000)", "01a9a00f"},
        {"ld r1,(r2+4000)", "01e6a00f0010"},
        {"ldh.ne r1,(r2+6)", "41a0c610"},
        {"ldh r1,(r2+0x6)", "41a04617"}, /* as the GNU port prints the form with 5 bits */
        {"stb r1,(r2+r3)", "a1a00317"},
        {"fadd r1,r2,0.25", "01c84417"}, /* exponent 1, mantissa 0 */
        {"fadd r1,r2,-28.0", "01c87f17"},
        {"fadd r1,r2,0", "01c84017"},
        {"fadd r1,r2,0x21", "01c86117"}, /* the bits as they are */
        {"bne r1,r2,.+8", "01810448"},   /* step 0: 1000 0001 0000 0001, 01 0010 0000000100 */
        {"v16add H(0,0),H(0,0),31", "00f500001f04"},
        {"v16add H(0,0),H(0,0),-32", "00f500002004"},
        {"v16add H(0,0),H(0,0),32", "00fd00002004c0f30000"},
        {"v16add H(0,0),H(0,0),0x20", "00f500002004"}, /* hexadecimal: the field of 6 bits */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char got[64];
        struct isa_params params = {.stage = -1};
        assemble_with(cases[i].text, &params, got, sizeof got);
        if (strcmp(got, cases[i].bytes) != 0)
            printf("# %s: %s, not %s\n", cases[i].text, got, cases[i].bytes);
        assert_string_equal(got, cases[i].bytes);
    }
}

/* Hexadecimal immediates that are fields with a sign are pointed out. */
static void signed_fields(void **state)
{
    (void)state;
    struct program p = from_text("v16add H(0,0),H(0,0),0x20\nlea r1,(sp+0xfc)\n");
    assert_int_equal(p.status, WEFT_OK);
    assert_int_equal(weft_diags_count(p.diags), 2);
    assert_int_equal(p.m->insns[0].imm, -32);
    assert_int_equal(p.m->insns[1].imm, -4);
    drop(&p);
}

/* Branches grow until they reach, and only those that must. */
static void relaxation(void **state)
{
    (void)state;
    check_assembles("a: b b\n.space 124\nb: nop", "3f1f" /* 126 / 2 */
                                                  "00000000000000000000000000000000000000000000000000000000000000000000"
                                                  "000000000000000000000000000000000000000000000000"
                                                  "00000000000000000000000000000000000000000000000000000000000000000000"
                                                  "000000000000000000000000000000000000000000000000"
                                                  "00000000000000000100");
    struct program p = from_text("a: b b\n.space 126\nb: b a\n");
    assert_int_equal(p.status, WEFT_OK);
    assert_int_equal(p.m->insns[0].size, 4);
    assert_int_equal(p.m->insns[2].size, 4);
    drop(&p);
    /* Two branches over one another: neither reaches once the other has grown. */
    p = from_text("a: b c\nb: b d\n.space 122\nc: .space 2\nd:\n");
    assert_int_equal(p.status, WEFT_OK);
    assert_int_equal(p.m->insns[0].size + p.m->insns[1].size, 4);
    drop(&p);
    p = from_text("a: b c\nb: b d\n.space 124\nc: .space 2\nd:\n");
    assert_int_equal(p.status, WEFT_OK);
    assert_int_equal(p.m->insns[0].size + p.m->insns[1].size, 8);
    drop(&p);
    /* Branch n reaches as far as it can, over branch n + 1 alone: the last one, which does not reach, pushes out the
     * one in front of it, and so on through all of them. */
    enum { CHAIN = 600 };
    char *chain = malloc(CHAIN * 64), *at = chain;
    for (int n = 0; n < CHAIN; n++)
        at += sprintf(at, "l%d: b l%d\n.space %d\n", n, n + 2, n % 2 ? 60 : 62);
    sprintf(at, "l%d: .space 66\nl%d: nop\n", CHAIN, CHAIN + 1);
    p = from_text(chain);
    assert_int_equal(p.status, WEFT_OK);
    assert_int_equal(p.m->insns[0].size, 4);
    assert_int_equal(p.m->insns[0].target, 4 + 62 + 4 + 60);
    drop(&p);
    free(chain);
    struct isa_params params = {.stage = -1, .no_relax = true};
    char got[64];
    assemble_with("a: b a\nb.s a\n", &params, got, sizeof got);
    assert_string_equal(got, "009e0000"
                             "7e1f");
    check_refused("b.s far\n.space 1000\nfar:\n", "no encoding of 'b'");
    check_refused("addcmpbne r1,1,r2,far\n.space 4000\nfar:\n", "no encoding of 'addcmpb'");
}

static void directives(void **state)
{
    (void)state;
    check_assembles(".byte 1,-1,255,'A'", "01ffff41");
    check_assembles(".short 0x1234\n.word 1\n.long 0x12345678\n.hword -2", "34120100"
                                                                           "78563412"
                                                                           "feff");
    check_assembles(".ascii \"a\\n\\x41\\101\\\\\"\n.asciz \"b\",\"c\"", "610a41415c"
                                                                         "62006300");
    check_assembles(".byte 1\n.align 2\n.byte 2\n.balign 8,0xee\n.byte 3", "0100000002eeeeee03");
    check_assembles(".byte 1\n.space 3,0xaa\n.org 6\n.byte 2", "01aaaaaa000002");
    check_assembles(".equ a,b*2\n.equ b,3\n.set c,a+1\nd = c<<1\n.byte a,b,c,d,(1+2)*3,1+2*3,~0,-b,10/3,10%3",
                    "0603070e"
                    "0907ff"
                    "fd0301");
    check_assembles("x: .short y-x, y, . - x\ny: .long x+4", "060006000000"
                                                             "04000000");
    check_assembles("1: .byte 1f-1b\n1: .byte 1b", "0101");
    check_assembles("\xef\xbb\xbfnop", "0100"); /* the mark that some editors begin texts with */
    check_assembles(".data\n.byte 3\n.text\n.byte 1\n.rodata\n.byte 4\n.text\n.byte 2", "0102"
                                                                                        "03"
                                                                                        "04");
    check_assembles(".section .text\nnop ; comment\n# comment\nnop @ nop // comment\n/* comment\n */ nop",
                    "0100010001000100");
    check_assembles("tbb r0\n.case a\n.case b\n.endswitch\na: nop\nb: nop", "8000"
                                                                            "0102"
                                                                            "01000100");
    check_assembles("tbh r0\n.case a\na: nop", "a000"
                                               "0100"
                                               "0100");
    struct isa_params params = {.stage = -1, .base = 0x100};
    char got[64];
    assemble_with("a: .short a\n.org 0x104\n.byte 1", &params, got, sizeof got);
    assert_string_equal(got, "0001000001");
}

/* What compilers for GNU's assembler write beside instructions. */
static void compilers_directives(void **state)
{
    (void)state;
    check_assembles(".half 1\n.2byte 2\n.4byte 3\n.8byte 4", "01000200"
                                                             "03000000"
                                                             "0400000000000000");
    check_assembles(".float 1.5,-2.0\n.single 0.0", "0000c03f"
                                                    "000000c0"
                                                    "00000000");
    check_assembles(".fill 3\n.fill 2,2,0x1234\n.fill 1,8,-1", "000000"
                                                               "34123412"
                                                               "ffffffff00000000");
    check_assembles("b $+4\nbeq $", "021f"
                                    "0018");
    check_assembles(".byte 1\n.p2align 2,,3\n.byte 2\n.p2align 1,7", "0100000002"
                                                                     "07");
    check_assembles(".section .rodata.str1.1,\"aMS\",@progbits,1\n.string \"a\"\n.previous\nnop\n"
                    ".section \".note.GNU-stack\",\"\",@progbits\n.byte 7\n.text\nnop\n.end\nno instruction",
                    "0100"
                    "0100"
                    "6100"
                    "07");
    struct program p = from_text(".lcomm a,3\n.comm b,8,4\nst r0,b\n.weak b\n.ident \"x\"\n");
    uint32_t a, b;
    assert_int_equal(p.status, WEFT_OK);
    assert_true(vpu_symbol_value(p.m, "a", &a));
    assert_true(vpu_symbol_value(p.m, "b", &b));
    assert_int_equal(p.m->nsections, 2);
    assert_true(p.m->sections[1].nobits);
    assert_int_equal(a % 4, 0);
    assert_int_equal(b, a + 4);
    assert_int_equal(p.m->sections[1].address + p.m->sections[1].size, b + 8);
    drop(&p);
    check_refused(".float x", "expected a decimal number");
    check_refused(".fill -1", "how many");
    check_refused(".comm b", "expected ','");
    check_refused(".comm b,4,3", "a power of two");
}

/* Modules keep what a linker would. */
static void sections_and_symbols(void **state)
{
    (void)state;
    struct program p = from_text(".global main\n.type main,@function\n.text\nnop\nmain: rts\n.bss\nbuffer: .space 16\n"
                                 ".data\n.org 0x100\nvalue: .long main\n.equ five,5\n");
    uint32_t value;
    assert_int_equal(p.status, WEFT_OK);
    assert_int_equal(p.m->nsections, 3);
    assert_string_equal(p.m->sections[2].name, ".data");
    assert_int_equal(p.m->sections[2].address, 0x100);
    assert_true(p.m->sections[1].nobits);
    assert_true(vpu_symbol_value(p.m, "main", &value) && value == 2);
    assert_true(vpu_symbol_value(p.m, "five", &value) && value == 5);
    assert_true(vpu_symbol_value(p.m, "value", &value) && value == 0x100);
    assert_false(vpu_symbol_value(p.m, "none", &value));
    assert_non_null(vpu_insn_at(p.m, 2));
    assert_null(vpu_insn_at(p.m, 3));
    drop(&p);
    struct isa_params params = {.stage = -1, .entry = "main"};
    p = from_text_with("nop\nmain: rts\n", &params);
    assert_int_equal(p.m->entry, 2);
    drop(&p);
}

/* Text that is printed is read back to the same text. */
static void canonical(void **state)
{
    (void)state;
    static const char *const files[] = {"scalar", "vector", "macros"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[512], *buffer = calloc(1, 1 << 16);
        snprintf(path, sizeof path, "%s/tests/vpu/programs/%s.vpu", WEFT_SOURCE_ROOT, files[i]);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        assert_true(fread(buffer, 1, (1 << 16) - 1, f) > 0);
        fclose(f);
        struct program p = from_text(buffer);
        show_diagnostics(p.diags);
        assert_int_equal(p.status, WEFT_OK);
        char *once = text_of(&p);
        struct program q = from_text(once);
        show_diagnostics(q.diags);
        assert_int_equal(q.status, WEFT_OK);
        assert_string_equal(text_of(&q), once);
        size_t n, m;
        uint8_t *x = bytes_of(&p, &n), *y = bytes_of(&q, &m);
        assert_int_equal(n, m);
        assert_memory_equal(x, y, n);
        drop(&q);
        drop(&p);
        free(buffer);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"addd r1,r2", "unknown instruction 'addd'"},
        {"lea r2,(r3+r4<<1)", "lea takes a register and an offset, not an index"},
        {"b 12b", "no label 12: comes before this"},
        {"add.xx r1,r2", "'.xx' is neither a condition"},
        {"add r1", "expected ','"},
        {"add r1,r32", "symbol 'r32' is not defined"},
        {"add r1,r2,r3,r4", "expected the end of the statement"},
        {"add.s r1,1000", "no encoding of 'add'"},
        {"add.eq r1,r2,1000", "no encoding of 'add'"},
        {"ld r1,(r2+r3<<1)", "the index of 'ld' is shifted by 2"},
        {"ldm r1-r5,(sp++)", "a list begins with"},
        {"stm r6-r7,pc,(--sp)", "expected lr"},
        {"v16mov -,HX(0,0) UACC SDEC", "a second accumulation"},
        {"v16mov -,HX(0,0) SUB UACC", "a second accumulation"},
        {"v16mov HX(1,0),5 IFZ IFN", "a second condition"},
        {"v16mov HX(1,0),5 REP2 REP4", "a second repetition"},
        {"v16mov -,HX(1,0) SUMU r0 MAX r1", "a second scalar result"},
        {"v8ld H(0,0),(r20+4)", "'v8ld' holds these operands: r20 is out of range"},
        {"v16add H(0,0),H(0,0),r20 REP2", "'v16add' holds these operands: r20 is out of range"},
        {"v16add H(0,3),H(0,0),H(1,0)", "the destination is in column 3"},
        {"v16add H(0,0),H(0,3),H(1,5)", "the second source is in column 5"},
        {"v16add V(5,0),H(0,0),H(1,0)", "the destination is in row 5"},
        {"v16add H(0,0),H(1,0),70000", "70000 is out of range: immediates are -32768 to 32767"},
        {"v16ld HX(0,0),(r1+40000)", "40000 is out of range: displacements of addresses are -32768 to 32767"},
        {"v16add H(0,0),H(1,0),r1+300", "300 is out of range: what is added to a register is -256 to 255"},
        {"ror r1,r2,33", "33 is out of range: with three operands immediates are -32 to 31"},
        {"add.eq r1,r1,33", "33 is out of range: with a condition"},
        {"addcmpbeq r20,r1,r2,$+4", "r20 is out of range: registers are r0 to r15"},
        {"addcmpbne r1,-1,0,$+0x500", "the target is 1280 bytes away: -256 to 254 are possible"},
        {"beq $+3", "the target 0x3 is odd"},
        {"brev.eq r1,r2", "brev rd,rs,0 is the same"},
        {"rts r5", "expected the end of the statement"},
        {"bl r1,r2,$+4", "expected the end of the statement"},
        {"vlookup H(0,0),(r1)", "'vlookup' is the name of two instructions"},
        {"vadd \xe2\x88\x92, H(0,0), #0", "found a printed minus sign (U+2212)"},
        {"mov r0,\xe2\x80\x9c" "1", "found a printed quotation mark (U+201C)"},
        {"\xef\xbb\xbf\xef\xbb\xbfnop", "found the byte 0xef"},
        {"ldm r6-r7,(--sp)", "expected (sp++)"},
        {"fadd r1,r2,0.3", "not a float immediate"},
        {"swi 64", "the number of an interrupt is 64"},
        {"addcmpbne r1,8,r2,.", "the number that is added is 8"},
        {"b nowhere", "symbol 'nowhere' is not defined"},
        {"1: nop\nb 1f", "no label 1: comes after this"},
        {"a: nop\na: nop", "'a' is defined twice"},
        {".equ a,b\n.equ b,a\n.byte a", "cannot be computed"},
        {".byte 256", "256 does not fit 8 bits"},
        {".fill 2,1,256", "256 does not fit 8 bits"},
        {".fill 2,2,-32769", "-32769 does not fit 16 bits"},
        {".float 3.5e38", "this number does not fit 32 bits"},
        {".bite 1", "unknown directive '.bite'"},
        {".org 4\n.byte 1\n.org 2", ".org goes backwards"},
        {".bss\n.byte 1", "holds no bytes"},
        {".ascii \"abc", "not closed"},
        {".case 1", ".case belongs after"},
        {".include \"no such file\"", "cannot read"},
        {".byte 1/0", "division by zero"},
        {"v16add.eq H(0,0),H(0,0),1", "no condition"},
        {"v16add.m H(0,0),H(0,0),1", "have no size"},
        {"v16add H(0,0),H(0,0)", "takes three operands"},
        {"v16add H(64,0),H(0,0),1", "a row is 64"},
        {"v16add HX(0,16),H(0,0),1", "begins in columns 0-15 and 32-47"},
        {"v16add HX(0,3),H(0,0),1", "no encoding"},
        {"v16add H(0,0++),H(0,0),1", "++ goes to the next row"},
        {"v16add H(0,0),H(0,0),1 REP3", "repeated 2, 4, 8"},
        {"v16add H(0,0),H(0,0),1 UACC SUMU r1", "not both"},
        {"v16add H(0,0),H(0,0),1 SUMU r8", "goes to r0 to r7"},
        {"v16add H(0,0),H(0,0),1 IFX", "unknown modifier 'IFX'"},
        {"v16add H(0,0),H(0,0),70000", "no encoding"},
        {"v16add H(0,0)+r15,H(0,0),1", "r0 to r14"},
        {"v8ld H(0,0),(r20+4)", "no encoding"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(cases[i].text, cases[i].message);
}

/* Messages about operands say which is at fault, under it, and what it may be. */
static void faults(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        uint32_t column, length;
    } cases[] = {
        {"lsr r20,r21,99", "99 is out of range: with three operands immediates are -32 to 31", 13, 2},
        {"ldb.eq r0, (r1+64)", "64 is out of range: with a condition displacements are 0 to 31", 12, 7},
        {"ld r0,(r1+0x4000000)", "in this form displacements are -67108864 to 67108863", 7, 14},
        {"add.s r20,r1", "of 16 bits holds these operands: r20 is out of range: registers are r0 to r15", 7, 3},
        {"add.s r1,r20", "r20 is out of range: registers are r0 to r15", 10, 3},
        {"addcmpbne r1,1,sp,$", "sp is out of range: registers are r0 to r15", 16, 2},
        {"addcmpbne r1,r2,3,far\n.space 600\nfar:", "the target is 604 bytes away: -256 to 254", 19, 3},
        {"bl.eq r0", "to a register it has no condition", 1, 8},
        {"nop.eq", "no encoding of 'nop' holds these operands: it has no condition", 1, 6},
        {"fadd.s r1,r2,r3", "'fadd' of 16 bits holds these operands: its encodings have 32 bits", 1, 15},
        {"mov.l r1,r2", "'mov' of 48 bits holds these operands: there they are rd,i", 1, 11},
        {"ld.s r1,(r2+2)", "in this encoding displacements are 0 to 60 in steps of 4", 9, 6},
        {"nop {odd}", "'nop' named 'odd' holds these operands: the names of its encodings are plain", 1, 9},
        {"mov r1,nowhere", "symbol 'nowhere' is not defined", 8, 7},
        {"v16mov HX(0,0), HX(1,5)", "the second source is in column 5", 17, 7},
        {"v16mov HX(0,3), 1 REP2", "the destination is in column 3", 8, 7},
        {"v16mov HX(0,0), r20 REP2", "r20 is out of range", 17, 3},
        {"v16add r0,HX(1,0),1", "the destination is a vector register", 8, 2},
        {"v16add HX(0,0),HX(1,0),(r1+=r2)", "only the address of a load or a store is stepped", 24, 8},
        {"v16mov HX(++0,0),1", "++ comes after the number", 11, 2},
        {"v16mov HX(0,0)++,1", "++ comes after the row", 8, 9},
        {"v16mov HX(0,0),-HX(1,0)", "a vector register has no sign", 16, 1},
        {"v16mov HX(0,0),[r1]", "expected an operand", 16, 1},
        {"v16mov HX(0,0),1 SETF SETF", "a second SETF", 23, 4},
        {"v16mov HX(0,0),1 CLRA CLRA", "a second CLRA", 23, 4},
        {"v16add HX(0,0),HX(1,0)", "'v16add' takes three operands", 16, 7},
        {"vmull HX(0,0),HX(1,0),1", "unknown instruction 'vmull'", 1, 5},
        {"addcmpbne r0,1,2", "expected ',' and a label", 17, 1},
        {"ld r0,r1", "expected an address", 7, 2},
        {"tbb r0\n.case x\n.space 401\nx: nop", "the target is 402 bytes after the table begins", 1, 7},
        {"tbb r0\n.case x y\n.endswitch\nx: nop", "expected the end of the statement", 9, 1},
        {".org 0xfffffffe\nnop\n  .byte 1,2", "section '.text' reaches beyond the last address", 3, 9},
        {"nop\n.org 0xffffffff\n.byte 1,2", "a program of more than", 1, 15},
        {"tbb r0\n.case x+1\n.endswitch\nx: nop", "the target is 3 bytes after the table begins, which is odd", 1, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program p = from_text(cases[i].text);
        assert_int_equal(p.status, WEFT_ERROR_INPUT);
        assert_true(weft_diags_count(p.diags) > 0);
        const weft_diag *d = weft_diags_get(p.diags, 0);
        if (!strstr(d->message, cases[i].message) || d->column != cases[i].column || d->length != cases[i].length)
            printf("# %s: %u+%u '%s'\n", cases[i].text, d->column, d->length, d->message);
        assert_non_null(strstr(d->message, cases[i].message));
        assert_int_equal(d->column, cases[i].column);
        assert_int_equal(d->length, cases[i].length);
        drop(&p);
    }
}

/* Every row of the reference is filled in, and there are as many as it says. */
static void reference(void **state)
{
    (void)state;
    uint32_t operations = 0;
    for (uint32_t row = 0; row < isa_vpu.nrows; row++) {
        struct isa_row_info info = {0};
        isa_vpu.row_info(row, &info);
        assert_non_null(info.mnemonic);
        assert_true(info.mnemonic[0] && info.syntax[0] && info.pattern[0] && info.doc[0] && info.group[0]);
        assert_null(strstr(info.pattern, "op:"));
        operations += strncmp(info.pattern, "1100 0 ", 7) == 0 && strstr(info.pattern, " 00 b:5") != NULL;
    }
    assert_int_equal(operations, 57);
    struct isa_row_info past = {0};
    isa_vpu.row_info(isa_vpu.nrows, &past);
    assert_null(past.mnemonic);
}

TEST_MAIN(TEST(notations), TEST(choices), TEST(signed_fields), TEST(relaxation), TEST(directives),
          TEST(compilers_directives), TEST(sections_and_symbols), TEST(canonical), TEST(refused), TEST(faults),
          TEST(reference))
