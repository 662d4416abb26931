/* Instructions taken apart: what the lift and the checker see of them. */
#include "isa/tesla/tesla.h"
#include "test.h"

/* An instruction and what it is, written as a line: see describe. */
static const struct {
    int stage;
    const char *text, *parts;
} cases[] = {
    {-1, "mov b32 $r1 $r2", "MOV/0 | r1:b32 | r2:b32"},
    {-1, "mov sfu b16 $r1l $r2h", "MOV/0 m4 | r1l:b16 | r2h:b16"},
    {-1, "(l03) mov b32 $r1 $r100", "MOV/0 lanes9 | r1:b32 | r100:b32"},
    {-1, "exit (never) mov b32 $r0 0x12345678", NULL},
    {-1, "mov b32 $r0 0x12345678", "MOV/0 | r0:b32 | 0x12345678:b32"},
    {-1, "(ge $c1) mov $r79 $c1", "MOV_FROM_C/0 p6 cs1 | r79:b32 |"},
    {-1, "mov $c2 $r0", "MOV_TO_C/0 cd2 | # | r0:b32"},
    {-1, "mov $r4 $a1", "MOV_FROM_A/0 | r4:b32 | a1:b32"},
    {-1, "mov $r4 $pm0", "MOV_FROM_SREG/0 | r4:b32 | sr4:b32"},
    {-1, "shl $a1 $r8 0x3", "SHL_TO_A/0 | a1:b32 | r8:b32 0x3:b32"},
    {-1, "add $a1 $a2 0x10", "ADD_A/0 | a1:b32 | a2:b32 0x10:b32"},
    {-1, "subr b16 sat $c2 $r0l $r1l $r2l", "ADD/2 cd2 m1 | r0l:b16 | r1l:b16 r2l:b16"},
    {-1, "addc b32 $r0 $r1 c1[$a3++0xfffffffffffffffc] $c2", "ADD/3 cs2 | r0:b32 | r1:b32 c1[a3++-4].b32:b32"},
    {-1, "mul $r0 u16 $r1l s16 $r2h", "MUL/0 | r0:b32 | r1l:u16 r2h:s16"},
    {-1, "mul $r0 high s24 $r1 $r2", "MUL/0 m2 | r0:b32 | r1:s24 r2:s24"},
    {-1, "sub sat $r5 (mul s16 $r1l $r2l) $r5", "MUL_ADD/1 m1 | r5:b32 | r1l:s16 r2l:s16 r5:b32"},
    {-1, "add $r26 (mul high u24 $r1 $r2) $r3", "MUL_ADD/0 m2 | r26:b32 | r1:u24 r2:u24 r3:b32"},
    {-1, "sad $r1 s16 $r2l $r3l $r4", "SAD/0 | r1:b32 | r2l:s16 r3l:s16 r4:b32"},
    {-1, "set $c1 # le s32 $r1 $r2", "SET/0 cd1 cond3 | # | r1:s32 r2:s32"},
    {-1, "set $r1 geu f32 neg abs $r2 abs $r3", "SET/0 cond14 | r1:b32 | -|r2|:f32 |r3|:f32"},
    {-1, "min u16 $r2h $r1l $r6h", "MIN/0 | r2h:u16 | r1l:u16 r6h:u16"},
    {-1, "xor b32 $r0 not $r1 not $r2", "LOGIC/2 | r0:b32 | ~r1:b32 ~r2:b32"},
    {-1, "shr s32 $r0 $r1 0x4", "SHR/0 | r0:s32 | r1:s32 0x4:s32"},
    {IR_COMPUTE, "ld $r1h u16 s[$a2++0x8]", "LOAD/0 | r1h:b16 | s0[a2++8].u16:u16"},
    {IR_COMPUTE, "ld lock $c1 $r13 b32 s[0x10]", "LOAD_LOCK/0 cd1 | r13:b32 | s0[a0+16].b32:b32"},
    {IR_COMPUTE, "ld b128 $r4q g3[$r5]", "LOAD/0 | r4q:b128 | g3[r5].b128:b128"},
    {-1, "ld u8 $r6 l[$a1+0x5]", "LOAD/0 | r6:u8 | l0[a1+5].u8:u8"},
    {IR_VERTEX, "ld b32 $r6 a[0x8]", "LOAD/0 | r6:b32 | a0[a0+8].b32:b32"},
    {-1, "st b32 o[0x8] $r1", "STORE/0 | o0[a0+8].b32:b32 | r1:b32"},
    {IR_COMPUTE, "st unlock b32 s[0x4] $r1", "STORE_UNLOCK/0 | s0[a0+4].b32:b32 | r1:b32"},
    {IR_COMPUTE, "red max s32 g1[$r5] $r7", "REDUCE/6 | g1[r5].s32:s32 | r7:s32"},
    {IR_COMPUTE, "cas b64 $r0d g2[$r3] $r4d $r6d", "ATOMIC/2 | r0d:b64 | g2[r3].b64:b64 r4d:b64 r6d:b64"},
    {IR_COMPUTE, "add b32 $r1 s16 s[0x6] $r2", "ADD/0 | r1:b32 | s0[a0+6].s16:b32 r2:b32"},
    {-1, "(le $c3) vote all $c1", "VOTE/1 p3 cs3 cd1 m4096 | # |"},
    {IR_FRAGMENT, "interp $r5 cent v[$a1+0x8] $r6", "INTERP/0 m16 | r5:b32 | v0[a1+8].b32:b32 r6:b32"},
    {IR_FRAGMENT, "interp $r5 flat v[0x8]", "INTERP/0 m32 | r5:b32 | v0[a0+8].b32:b32"},
    {-1, "rcp f32 $r1 neg abs $r2", "SFU/0 | r1:f32 | -|r2|:f32"},
    {-1, "ex2 f32 sat $r1 $r2", "SFU/5 m1 | r1:f32 | r2:f32"},
    {-1, "preex2 f32 $r1 neg $r2", "PRE/1 | r1:f32 | -r2:f32"},
    {-1, "cvt neg abs sat rpi f16 $c3 $r20h f16 $r29l", "CVT/0 cd3 rnd2 m9 | r20h:f16 | -|r29l|:f16"},
    {-1, "cvt rz f32 $r1 s8 $r2", "CVT/0 rnd3 | r1:f32 | r2:s8"},
    {-1, "cvt u8 $r1 u16 $r2h", "CVT/0 | r1:u8 | r2h:u16"},
    {-1, "add rz f32 $r0 neg $r1 neg $r2", "FADD/0 rnd3 | r0:f32 | -r1:f32 -r2:f32"},
    {-1, "mul rz f32 $r0 $r1 neg $r2", "FMUL/0 rnd3 | r0:f32 | r1:f32 -r2:f32"},
    {-1, "add sat f32 $r0 neg (mul $r1 $r2) neg $r3", "FMUL_FADD/0 m1 | r0:f32 | -r1:f32 r2:f32 -r3:f32"},
    {-1, "slct b32 $r0 $r1 $r2 f32 neg $r3", "SLCT/0 | r0:b32 | r1:b32 r2:b32 -r3:f32"},
    {-1, "quadop f32 sub add mov2 subr $r6 dy $r34 $r4", "QUADOP/0 q5/2031 | r6:f32 | r34:f32 r4:f32"},
    {-1, "texlod live $r4:#:$r5:# $t9 $s3 $r4:$r5:$r6 -0x1 0x2 -0x8",
     "TEX/3 m64 t9 s3 -1,2,-8 | v4/5:b32 | v4/7:b32"},
    {-1, "texauto cube all deriv #:#:#:# $t1 $s2 $r3", "TEX/0 m4480 t1 s2 0,0,0 | v3/0:b32 | v3/1:b32"},
    {-1, "texsize live $r4:#:#:# $t9 $s3 $r4", "TEX/4 m64 t9 s3 0,0,0 | v4/1:b32 | r4:b32"},
    {-1, "bra 0x0", "BRA/0 | # | 0x0:b32"},
    {-1, "(nc $c1) bra 0x0", "BRA/0 p30 cs1 | # | 0x0:b32"},
    {-1, "bra lim c2[$a1+0x10]", "BRA_C/1 m512 | # | c2[a1+16].b32:b32"},
    {-1, "call lim 0x0", "CALL/2 m512 | # | 0x0:b32"},
    {-1, "bar inc wait 0x3 all", "BAR/0 m7168 b3/0 | # |"},
    {-1, "bar wait 0x3 0x20", "BAR/0 m2048 b3/32 | # |"},
    {-1, "pmevent 0x3", "PMEVENT/0 | # | 0x3:b32"},
    {-1, "join nop", "NOP/0 join | # |"},
    {-1, "exit nop", "NOP/0 exit | # |"},
};

static const char *const meanings[] = {
#define MEANING(name, ...) #name,
#include "isa/tesla/meanings.inc"
#undef MEANING
};

static const char *const types[] = {"", "b8", "b16", "b32", "b64", "b128", "u8", "s8", "u16", "s16",
                                    "u24", "s24", "u32", "s32", "u64", "s64", "f16", "f32", "f64"};

struct line {
    char text[400];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void say(struct line *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    l->n += (size_t)vsnprintf(l->text + l->n, sizeof l->text - l->n, fmt, ap);
    va_end(ap);
}

static void say_operand(struct line *l, const struct tesla_operand *o)
{
    static const char *const suffixes[] = {[TESLA_O_REG] = "", [TESLA_O_PAIR] = "d", [TESLA_O_QUAD] = "q"};
    say(l, " %s%s%s", o->inv ? "~" : "", o->neg ? "-" : "", o->abs ? "|" : "");
    switch (o->kind) {
    case TESLA_O_NONE:
        say(l, "#");
        return;
    case TESLA_O_HALF:
        say(l, "r%u%c", o->reg, o->high ? 'h' : 'l');
        break;
    case TESLA_O_REG:
    case TESLA_O_PAIR:
    case TESLA_O_QUAD:
        say(l, "r%u%s", o->reg, suffixes[o->kind]);
        break;
    case TESLA_O_A:
        say(l, "a%u", o->reg);
        break;
    case TESLA_O_C:
        say(l, "c%u", o->reg);
        break;
    case TESLA_O_SREG:
        say(l, "sr%u", o->reg);
        break;
    case TESLA_O_VECTOR:
        say(l, "v%u/%u", o->reg, o->mask);
        break;
    case TESLA_O_MEMORY:
        if (o->space == TESLA_G_SPACE)
            say(l, "g%u[r%u].%s", o->index, o->reg, types[o->access]);
        else
            say(l, "%c%u[a%u%s%d].%s", "apvoslcg"[o->space], o->index, o->areg, o->increment ? "++" : "+", o->offset,
                types[o->access]);
        break;
    default:
        say(l, "0x%x", o->value);
        break;
    }
    say(l, "%s:%s", o->abs ? "|" : "", types[o->type]);
}

/* MEANING/variant, what differs from the usual, then destination and sources. */
static void describe(const struct tesla_decoded *d, struct line *l)
{
    say(l, "%s/%u", meanings[d->row->meaning], d->row->variant);
    if (d->exit || d->join)
        say(l, " %s", d->exit ? "exit" : "join");
    if (d->predicate != TESLA_ALWAYS)
        say(l, " p%u", d->predicate);
    if (d->csrc)
        say(l, " cs%u", d->csrc);
    if (d->cdst != TESLA_NO_C)
        say(l, " cd%u", d->cdst);
    if (d->lanes != 15)
        say(l, " lanes%u", d->lanes);
    if (d->condition)
        say(l, " cond%u", d->condition);
    if (d->rounding)
        say(l, " rnd%u", d->rounding);
    if (d->modifiers)
        say(l, " m%u", d->modifiers);
    if (d->row->meaning == TESLA_M_TEX)
        say(l, " t%u s%u %d,%d,%d", d->texture, d->sampler, d->texel_offset[0], d->texel_offset[1], d->texel_offset[2]);
    if (d->row->meaning == TESLA_M_QUADOP)
        say(l, " q%u/%u%u%u%u", d->quad_lane, d->quad_op[0], d->quad_op[1], d->quad_op[2], d->quad_op[3]);
    if (d->row->meaning == TESLA_M_BAR)
        say(l, " b%u/%u", d->barrier, d->barrier_count);
    say(l, " |");
    say_operand(l, &d->dst);
    say(l, " |");
    for (unsigned i = 0; i < d->nsrc; i++)
        say_operand(l, &d->src[i]);
}

static void test_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena = {0};
        struct isa_params params = {.chip = "gt215", .stage = cases[i].stage};
        struct source src = {"test", cases[i].text, strlen(cases[i].text)};
        struct isa_module *m;
        weft_diags *diags = weft_diags_new();
        weft_status status = tesla_parse(&src, &params, &arena, &m, diags);
        print_message("# %s\n", cases[i].text);
        assert_int_equal(status == WEFT_OK, cases[i].parts != NULL);
        if (status == WEFT_OK) {
            struct tesla_decoded d;
            struct line line = {.n = 0};
            tesla_explain(&m->insns[0], &m->target, &d);
            describe(&d, &line);
            assert_string_equal(line.text, cases[i].parts);
        }
        weft_diags_free(diags);
        arena_free(&arena);
    }
}

TEST_MAIN(TEST(test_parts))
