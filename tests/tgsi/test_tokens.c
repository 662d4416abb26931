/* The token stream, read and written: vectors worked out by hand from docs/manual/tgsi.md, random modules, damage. */
#include "isa/tgsi/op.h"
#include "isa/tgsi/tgsi.h"
#include "test.h"

#include "text.h"

struct stream {
    uint8_t *bytes;
    size_t size;
};

static struct stream stream_of(struct arena *a, const uint32_t *words, size_t count)
{
    struct stream s = {ARENA_ARRAY(a, uint8_t, count * 4 + 1), count * 4};
    for (size_t i = 0; i < count * 4; i++)
        s.bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
    return s;
}

static struct isa_module *decode(struct arena *a, struct stream s, weft_diags *d)
{
    struct isa_module *m = NULL;
    weft_status st = tgsi_decode(s.bytes, s.size, "stream", NULL, a, &m, d);
    assert_true((st == WEFT_OK) == (m != NULL));
    if (st != WEFT_OK && d)
        assert_true(weft_diags_errors(d) > 0);
    return m;
}

/* What decodes must encode to the same bytes. */
static void assert_writes_back(struct arena *a, const struct isa_module *m, struct stream s)
{
    uint8_t *bytes;
    size_t size;
    weft_diags *d = weft_diags_new();
    weft_status st = tgsi_encode(m, a, &bytes, &size, d);
    if (st != WEFT_OK)
        fail_msg("%s", weft_diags_get(d, 0) ? weft_diags_get(d, 0)->message : "no message");
    assert_int_equal(size, s.size);
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != s.bytes[i])
            fail_msg("byte %zu of token %zu: %02x written, %02x read", i % 4, i / 4, bytes[i], s.bytes[i]);
    weft_diags_free(d);
}

static struct isa_module *round_trip(struct arena *a, const uint32_t *words, size_t count)
{
    struct stream s = stream_of(a, words, count);
    weft_diags *d = weft_diags_new();
    struct isa_module *m = decode(a, s, d);
    if (!m)
        fail_msg("%s", weft_diags_get(d, 0)->message);
    weft_diags_free(d);
    assert_writes_back(a, m, s);
    return m;
}

#define ROUND_TRIP(a, words) round_trip(a, words, sizeof(words) / sizeof(words)[0])

/* ---- vectors ---- */

/* VERT / DCL IN[0] / DCL OUT[0], POSITION / MOV OUT[0], IN[0] / END, as Mesa's text parser counts. */
static const uint32_t pass_through[] = {
    0x00000902, 0x00000000,             /* 2 tokens of header, 9 of body; processor 0 */
    0x000f2020, 0x00000000,             /* declaration of 2 tokens, IN, all components; 0..0 */
    0x002f3030, 0x00000000, 0x00000000, /* 3 tokens, OUT, with a semantic; 0..0; POSITION[0] */
    0x00a01032, 0x000000f3, 0x39000002, /* MOV: 3 tokens, 1 destination, 1 source; OUT[0]; IN[0].xyzw */
    0x00075012,                         /* END */
};

static void vertex_pass_through(void **state)
{
    (void)state;
    struct arena a = {0};
    const struct isa_module *m = ROUND_TRIP(&a, pass_through);
    assert_int_equal(m->processor, TGSI_VERT);
    assert_int_equal(m->ndecls, 2);
    assert_int_equal(m->decls[0].file, TGSI_INPUT);
    assert_false(m->decls[0].has_semantic);
    assert_int_equal(m->decls[1].file, TGSI_OUTPUT);
    assert_true(m->decls[1].has_semantic);
    assert_int_equal(m->decls[1].semantic, 0);
    assert_int_equal(m->ninsns, 2);
    assert_int_equal(m->insns[0].opcode, TGSI_OP_MOV);
    assert_int_equal(m->insns[0].dst[0].file, TGSI_OUTPUT);
    assert_int_equal(m->insns[0].dst[0].mask, 15);
    assert_int_equal(m->insns[0].src[0].file, TGSI_INPUT);
    for (int i = 0; i < 4; i++)
        assert_int_equal(m->insns[0].src[0].swizzle[i], i);
    assert_int_equal(m->insns[1].opcode, TGSI_OP_END);
    assert_int_equal(m->nitems, 4);
    arena_free(&a);
}

/* A textured fragment as Mesa's ureg writes it: instructions do not count their first token. */
static const uint32_t textured[] = {
    0x00001202, 0x00000004,                         /* 18 tokens of body; processor 4: fragment */
    0x006f2040, 0x00000000, 0x00000002, 0x00000005, /* IN[0]; PERSPECTIVE before GENERIC[0] */
    0x002f3030, 0x00000000, 0x00000001,             /* OUT[0], COLOR */
    0x000f5020, 0x00000000,                         /* SAMP[0] */
    0x000fa030, 0x00000000, 0x10410402,             /* SVIEW[0], 2D, FLOAT four times */
    0x11234042, 0x00004002,                         /* TEX, "4" tokens; 2D, no offsets, returns FLOAT */
    0x000000f3, 0x39000002, 0x39000005,             /* OUT[0], IN[0], SAMP[0] */
    0x00075002,                                     /* END, "0" tokens */
};

static void fragment_by_ureg(void **state)
{
    (void)state;
    struct arena a = {0};
    const struct isa_module *m = ROUND_TRIP(&a, textured);
    assert_int_equal(m->processor, TGSI_FRAG);
    assert_true(m->decls[0].has_interp);
    assert_int_equal(m->decls[0].interp, TGSI_INTERP_PERSPECTIVE);
    assert_int_equal(m->decls[0].semantic, 5);
    assert_int_equal(m->decls[3].target, TGSI_TEX_2D);
    for (int i = 0; i < 4; i++)
        assert_int_equal(m->decls[3].rettype[i], TGSI_FLOAT);
    const struct tgsi_insn *tex = &m->insns[0];
    assert_int_equal(tex->opcode, TGSI_OP_TEX);
    assert_true(tex->has_target);
    assert_int_equal(tex->target, TGSI_TEX_2D);
    assert_int_equal(tex->return_type, TGSI_FLOAT);
    assert_int_equal(tex->form, TGSI_FORM_SHORT_COUNT);
    assert_int_equal(tex->src[1].file, TGSI_SAMPLER);
    arena_free(&a);
}

/* GEOM / PROPERTY GS_INPUT_PRIMITIVE TRIANGLES / DCL IN[][0], POSITION / DCL OUT[0], POSITION, STREAM(0, 1, 2, 3)
 * DCL CONST[1][0..6] / DCL TEMP[2..5], ARRAY(3), LOCAL / DCL ADDR[0] / IMM UINT32 {0, 7, 0xffffffff, 1}
 * MOV TEMP[ADDR[0].y-1](3).xz, -|CONST[1][ADDR[0].x+2].wzyx|
 * ADD_SAT_PRECISE OUT[0].y, IN[ADDR[0].z+1][0], IMM[0].yyyy / EMIT IMM[0].xxxx / END */
static const uint32_t geometry[] = {
    0x00002402, 0x00000003,                         /* 36 tokens of body; processor 3: geometry */
    0x00000023, 0x00000004,                         /* property 0 with one value: TRIANGLES */
    0x002f2030, 0x00000000, 0x00000000,             /* IN: the empty bracket has no token */
    0x002f3030, 0x00000000, 0xe4000000,             /* OUT[0], POSITION, streams 0 1 2 3 */
    0x001f1030, 0x00060000, 0x00000001,             /* CONST 0..6, with a dimension; buffer 1 */
    0x030f4030, 0x00050002, 0x00000003,             /* TEMP 2..5, LOCAL, with an array; 3 */
    0x000f6020, 0x00000000,                         /* ADDR[0] */
    0x00040051, 0x00000000, 0x00000007, 0xffffffff, 0x00000001, /* 5 tokens, UINT32 */
    0x00a01062,                                     /* MOV: 6 tokens */
    0x03fffd54, 0x00d00006,                         /* TEMP[-1] .xz, indirect; ADDR[0].y, array 3 */
    0xc6c000b1, 0x00000006, 0x00010000,             /* -|CONST[2]|.wzyx, indirect, dimension; ADDR[0].x; [1] */
    0x41308062,                                     /* ADD_SAT_PRECISE: 6 tokens, 2 sources */
    0x00000023, 0x39000022, 0x00010001, 0x00200006, /* OUT[0].y; IN[0], dimension; [.. + 1], indirect; ADDR[0].z */
    0x15400007,                                     /* IMM[0].yyyy */
    0x00861022, 0x00000007,                         /* EMIT: 2 tokens; IMM[0].xxxx */
    0x00075012,
};

static void geometry_with_everything(void **state)
{
    (void)state;
    struct arena a = {0};
    const struct isa_module *m = ROUND_TRIP(&a, geometry);
    assert_int_equal(m->processor, TGSI_GEOM);
    assert_int_equal(m->props[0].value[0], 4);
    assert_true(m->decls[0].dimensional && m->decls[0].dim_empty);
    assert_true(m->decls[1].has_stream);
    for (int i = 0; i < 4; i++)
        assert_int_equal(m->decls[1].stream[i], i);
    assert_true(m->decls[2].dimensional);
    assert_int_equal(m->decls[2].dim, 1);
    assert_int_equal(m->decls[2].last, 6);
    assert_int_equal(m->decls[3].array, 3);
    assert_true(m->decls[3].local);
    assert_int_equal(m->imms[0].type, TGSI_UINT32);
    assert_int_equal(m->imms[0].bits[2], 0xffffffff);

    const struct tgsi_insn *mov = &m->insns[0];
    assert_int_equal(mov->dst[0].mask, 5);
    assert_int_equal(mov->dst[0].index.value, -1);
    assert_int_equal(mov->dst[0].index.component, 1);
    assert_int_equal(mov->dst[0].index.array, 3);
    assert_true(mov->src[0].negate && mov->src[0].absolute && mov->src[0].dimensional);
    assert_int_equal(mov->src[0].index.value, 2);
    assert_int_equal(mov->src[0].dim.value, 1);
    for (int i = 0; i < 4; i++)
        assert_int_equal(mov->src[0].swizzle[i], 3 - i);

    const struct tgsi_insn *add = &m->insns[1];
    assert_true(add->saturate && add->precise);
    assert_true(add->src[0].dim.indirect);
    assert_int_equal(add->src[0].dim.value, 1);
    assert_int_equal(add->src[0].dim.component, 2);
    assert_int_equal(m->insns[2].opcode, TGSI_OP_EMIT);
    arena_free(&a);
}

/* COMP / DCL RES[1..3], BUFFER, RAW, WR / DCL IMAGE[0], 2D, WR, format 31 / DCL MEMORY[0], SHARED
 * DCL BUFFER[0], ATOMIC / DCL PRED[0] / IF PRED[0].xxxx :3 / SUB TEMP[0](2), RES[32767], IN[0]
 * LOAD TEMP[0], IMAGE[0], TEMP[0], COHERENT, 2D, format 31 / ENDIF / BARRIER
 * BARRIER once more with the memory token of Mesa's text parser */
static const uint32_t older_and_private[] = {
    0x00001f02, 0x00000005,             /* 31 tokens of body; processor 5: compute */
    0x000ff030, 0x00030001, 0x00000300, /* file 15: RES; 1..3; BUFFER, raw, writable */
    0x000f9030, 0x00000000, 0x00007e02, /* IMAGE[0]; 2D, writable, format 31 */
    0x080fc020, 0x00000000,             /* MEMORY[0], SHARED */
    0x040fb020, 0x00000000,             /* BUFFER[0], ATOMIC */
    0x200ff020, 0x00000000,             /* file 15 and the predicate bit: PRED[0] */
    0x8884a042, 0x00000400, 0x00000003,
    0x0000000f,                         /* IF, extra word: source 0 (slot 2) is PRED; label 3; PRED[0].xxxx */
    0x81211062, 0x00000001,             /* opcode 256 + 17: SUB */
    0x000001f4, 0x008ffff0,             /* TEMP[0] and an address that is none, but array 2 */
    0x391fffcf, 0x39000002,             /* RES[32767], IN[0] */
    0x212a1052, 0x0001f021,             /* LOAD; COHERENT, 2D, format 31 */
    0x000000f4, 0x39000009, 0x39000004, /* TEMP[0], IMAGE[0], TEMP[0] */
    0x0004e012,                         /* ENDIF */
    0x000a6012,                         /* BARRIER */
    0x200a6022, 0x00000000,             /* BARRIER with a memory token */
};

static void older_dialect_and_private_bits(void **state)
{
    (void)state;
    struct arena a = {0};
    const struct isa_module *m = ROUND_TRIP(&a, older_and_private);
    assert_int_equal(m->processor, TGSI_COMP);
    assert_int_equal(m->decls[0].file, TGSI_RESOURCE);
    assert_true(m->decls[0].raw && m->decls[0].writable);
    assert_int_equal(m->decls[0].first, 1);
    assert_int_equal(m->decls[1].format, 31);
    assert_int_equal(m->decls[2].memkind, TGSI_MEM_SHARED);
    assert_true(m->decls[3].atomic);
    assert_int_equal(m->decls[4].file, TGSI_PREDICATE);
    assert_int_equal(m->insns[0].src[0].file, TGSI_PREDICATE);
    assert_int_equal(m->insns[0].label, 3);
    assert_int_equal(m->insns[1].opcode, TGSI_OP_SUB);
    assert_false(m->insns[1].dst[0].index.indirect);
    assert_int_equal(m->insns[1].dst[0].index.array, 2);
    assert_int_equal(m->insns[1].src[0].file, TGSI_RESOURCE);
    assert_int_equal(m->insns[1].src[0].index.value, 32767);
    assert_int_equal(m->insns[2].memory, TGSI_MEM_COHERENT);
    assert_int_equal(m->insns[2].target, TGSI_TEX_2D);
    assert_int_equal(m->insns[4].form, 0);
    assert_int_equal(m->insns[5].form, TGSI_FORM_OTHER_WORD);
    arena_free(&a);
}

/* ---- what is refused ---- */

struct refusal {
    const char *message;
    size_t count;
    uint32_t words[12];
};

static const struct refusal refusals[] = {
    {"token 0: the stream ends where the header should be", 0, {0}},
    {"token 1: the stream ends where the processor token should be", 1, {2}},
    {"token 0: a header of 3 tokens; it has 2", 2, {3, 0}},
    {"token 0: the header promises 5 tokens of body and 0 follow", 2, {0x502, 0}},
    {"token 0: the header promises 16777215 tokens of body and 1 follow", 3, {0xffffff02, 0, 0x00075012}},
    {"token 0: the header promises 0 tokens of body and 1 follow", 3, {2, 0, 0x00075012}},
    {"token 1: processor 6 does not exist", 2, {2, 6}},
    {"token 1: reserved bits 0x10 of the processor token are set", 2, {2, 0x10}},
    {"token 2: token type 4 does not exist", 3, {0x102, 0, 0x14}},
    {"token 2: opcode 114 does not exist", 3, {0x102, 0, 0x00072012}},
    {"token 2: opcode 373 does not exist", 4, {0x202, 0, 0x80075022, 1}},
    {"token 2: END says that it has 7 tokens and has 1", 3, {0x102, 0, 0x00075072}},
    {"token 2: END with 1 destinations and 0 sources; it has 0 and 0", 4, {0x202, 0, 0x00275022, 0xf3}},
    {"token 2: MOV with 1 destinations and 5 sources; it has 1 and 1", 3, {0x102, 0, 0x02a01032}},
    {"token 2: END with a label", 4, {0x202, 0, 0x08075022, 0}},
    {"token 2: END with a texture token", 4, {0x202, 0, 0x10075022, 0}},
    {"token 2: END with a memory token", 4, {0x202, 0, 0x20075022, 0}},
    {"token 2: TEX without a texture token", 6, {0x402, 4, 0x01234042, 0xf3, 0x39000002, 0x39000005}},
    {"token 3: an extra token that says nothing", 4, {0x202, 0, 0x80075022, 0}},
    {"token 3: predicate bits 0x100 are of operands whose file is not number 15", 6,
     {0x402, 0, 0x80a01042, 0x100, 0xf3, 0x39000002}},
    {"token 3: reserved bits 0x80000000 of the destination are set", 5, {0x302, 0, 0x00a01032, 0x800000f3, 0x39000002}},
    {"token 3: a destination with an empty write mask", 5, {0x302, 0, 0x00a01032, 0x3, 0x39000002}},
    {"token 3: register -1", 5, {0x302, 0, 0x00a01032, 0x03fffcf3, 0x39000002}},
    {"token 5: the stream ends where the address token should be", 5, {0x302, 0, 0x00a01032, 0xf3, 0x39000012}},
    {"token 5: an address token that says nothing", 6, {0x402, 0, 0x00a01042, 0xf3, 0x39000012, 0x000ffff0}},
    {"token 5: address register -2", 6, {0x402, 0, 0x00a01042, 0xf3, 0x39000012, 0x000fffe6}},
    {"token 5: reserved bits 0x2 of the dimension token are set", 6, {0x402, 0, 0x00a01042, 0xf3, 0x39000022, 2}},
    {"token 5: dimension -1", 6, {0x402, 0, 0x00a01042, 0xf3, 0x39000022, 0xffff0000}},
    {"token 3: the stream ends where the range token should be", 3, {0x102, 0, 0x000f2020}},
    {"token 3: the range 5..4 runs backwards", 4, {0x202, 0, 0x000f2020, 0x00040005}},
    {"token 2: a declaration with an empty usage mask", 4, {0x202, 0, 0x00002020, 0}},
    {"token 2: the declaration says that it has 3 tokens and has 2", 4, {0x202, 0, 0x000f2030, 0}},
    {"token 2: the predicate bit on file 2", 4, {0x202, 0, 0x200f2020, 0}},
    {"token 2: IN is declared atomic, which only BUFFER can be", 4, {0x202, 0, 0x040f2020, 0}},
    {"token 2: TEMP is declared with a memory kind, which only MEMORY has", 4, {0x202, 0, 0x080f4020, 0}},
    {"token 4: interpolation mode 4 is not one of the 4 that there are", 5, {0x302, 4, 0x004f2030, 0, 4}},
    {"token 4: interpolation location 3 is not one of the 3 that there are", 5, {0x302, 4, 0x004f2030, 0, 0x30}},
    {"token 4: reserved bits 0x400 of the interpolation token are set", 5, {0x302, 4, 0x004f2030, 0, 0x400}},
    {"token 4: an array token with id 0", 5, {0x302, 0, 0x020f4030, 0, 0}},
    {"token 4: reserved bits 0x400 of the array token are set", 5, {0x302, 0, 0x020f4030, 0, 0x401}},
    {"token 4: texture target 19 is not one of the 19 that there are", 5, {0x302, 4, 0x000fa030, 0, 19}},
    {"token 4: return type 5 is not one of the 5 that there are", 5, {0x302, 4, 0x000fa030, 0, 0x502}},
    {"token 4: reserved bits 0x100000 of the image token are set", 5, {0x302, 4, 0x000f9030, 0, 0x100002}},
    {"token 4: an extra token that says nothing new", 5, {0x302, 4, 0x800f2030, 0, 0}},
    {"token 2: an immediate of 4 tokens; it has 5, four of them values", 6, {0x402, 0, 0x41, 0, 0, 0}},
    {"token 2: immediate type 6 is not one of the 6 that there are", 7, {0x502, 0, 0x180051, 0, 0, 0, 0}},
    {"token 2: reserved bits 0x400000 of the immediate are set", 7, {0x502, 0, 0x400051, 0, 0, 0, 0}},
    {"token 5: the stream ends where the value of the immediate should be", 5, {0x302, 0, 0x51, 0, 0}},
    {"token 2: a property of 10 tokens; it has 2 to 9, all but one values", 5, {0x302, 0, 0xa3, 0, 0}},
    {"token 2: a property of 1 tokens; it has 2 to 9, all but one values", 5, {0x302, 0, 0x13, 0, 0}},
    {"token 3: GS_INPUT_PRIMITIVE 15 is not one of the 15 that there are", 4, {0x202, 3, 0x23, 15}},
    {"token 2: property 255 is not one of the", 4, {0x202, 3, 0xff023, 0}},
    {"token 3: number of offsets 5 is not one of the 5 that there are", 5, {0x302, 4, 0x11234042, 0x502, 0}},
};

static void refused_streams(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct refusal *r = &refusals[i];
        struct arena a = {0};
        weft_diags *d = weft_diags_new();
        bool decoded = decode(&a, stream_of(&a, r->words, r->count), d) != NULL;
        const weft_diag *first = weft_diags_get(d, 0);
        const char *message = first ? first->message : "nothing";
        if (decoded || weft_diags_errors(d) != 1 || strncmp(message, r->message, strlen(r->message)) != 0) {
            print_message("expected '%s', got '%s'%s\n", r->message, message, decoded ? ", and a module" : "");
            wrong++;
        } else {
            assert_string_equal(first->file, "stream");
        }
        weft_diags_free(d);
        arena_free(&a);
    }
    assert_int_equal(wrong, 0);
}

static void ragged_sizes(void **state)
{
    (void)state;
    for (size_t cut = 1; cut < 4; cut++) {
        struct arena a = {0};
        weft_diags *d = weft_diags_new();
        struct stream s = stream_of(&a, pass_through, sizeof pass_through / 4);
        s.size -= cut;
        assert_null(decode(&a, s, d));
        assert_string_equal(weft_diags_get(d, 0)->message, "token 10: the stream ends within a token");
        weft_diags_free(d);
        arena_free(&a);
    }
}

/* ---- modules that no token can hold ---- */

static void encode_refuses(const char *message, struct isa_module *m)
{
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    uint8_t *bytes;
    size_t size;
    assert_int_equal(tgsi_encode(m, &a, &bytes, &size, d), WEFT_ERROR_INPUT);
    assert_null(bytes);
    assert_string_equal(weft_diags_get(d, 0)->message, message);
    weft_diags_free(d);
    arena_free(&a);
}

static void what_does_not_fit(void **state)
{
    (void)state;
    struct tgsi_operands operands = {0};
    struct tgsi_insn mov = {.opcode = TGSI_OP_MOV, .ndst = 1, .nsrc = 1};
    tgsi_use_operands(&mov, &operands);
    mov.dst[0] = (struct tgsi_operand){.file = TGSI_TEMPORARY, .mask = 15};
    mov.src[0] = (struct tgsi_operand){.file = TGSI_TEMPORARY, .swizzle = {0, 1, 2, 3}};
    struct tgsi_item item = {TGSI_ITEM_INSN, 0};
    struct isa_module m = {.processor = TGSI_VERT, .insns = &mov, .ninsns = 1, .items = &item, .nitems = 1};

    mov.src[0].index.value = 32768;
    encode_refuses("instruction 0 (MOV): register 32768 is beyond what a token can hold (0 to 32767)", &m);
    mov.src[0].index.value = -1;
    encode_refuses("instruction 0 (MOV): register -1 is beyond what a token can hold (0 to 32767)", &m);
    mov.src[0].index = (struct tgsi_index){.value = -32769, .indirect = true, .file = TGSI_ADDRESS};
    encode_refuses("instruction 0 (MOV): register -32769 is beyond what a token can hold (-32768 to 32767)", &m);
    mov.src[0].index = (struct tgsi_index){.indirect = true, .file = TGSI_ADDRESS, .array = 1024};
    encode_refuses("instruction 0 (MOV): array id 1024 is more than the 1023 that a token can hold", &m);
    mov.src[0].index = (struct tgsi_index){0};
    mov.dst[0].mask = 0;
    encode_refuses("instruction 0 (MOV): a destination with an empty write mask", &m);
    mov.dst[0].mask = 15;
    mov.nsrc = 2;
    encode_refuses("instruction 0 (MOV): 1 destinations and 2 sources; it has 1 and 1", &m);
    mov.nsrc = 1;
    mov.has_label = true;
    encode_refuses("instruction 0 (MOV): a label, which it cannot have", &m);

    struct tgsi_decl decl = {.file = TGSI_TEMPORARY, .mask = 15, .last = 65536};
    struct tgsi_item declared = {TGSI_ITEM_DECL, 0};
    struct isa_module n = {.processor = TGSI_VERT, .decls = &decl, .ndecls = 1, .items = &declared, .nitems = 1};
    encode_refuses("declaration 0 (TEMP): register 65536 is more than the 65535 that a token can hold", &n);
}

/* ---- random modules ---- */

static uint32_t below(struct test_rng *r, uint32_t n)
{
    return test_next(r) % n;
}

static uint8_t random_file(struct test_rng *r)
{
    return (uint8_t)below(r, TGSI_FILES);
}

static struct tgsi_index random_index(struct test_rng *r)
{
    struct tgsi_index ix = {.value = (int32_t)below(r, 32768)};
    if (below(r, 3) == 0) {
        ix.indirect = true;
        ix.value = (int16_t)test_next(r);
        ix.file = random_file(r);
        ix.reg = (int32_t)below(r, 32768);
        ix.component = (uint8_t)below(r, 4);
    }
    if (below(r, 4) == 0)
        ix.array = below(r, 1024);
    return ix;
}

static struct tgsi_operand random_operand(struct test_rng *r, bool source)
{
    struct tgsi_operand op = {.file = random_file(r), .index = random_index(r)};
    if (below(r, 3) == 0) {
        op.dimensional = true;
        op.dim = random_index(r);
    }
    if (source) {
        op.negate = below(r, 2);
        op.absolute = below(r, 2);
        for (int i = 0; i < 4; i++)
            op.swizzle[i] = (uint8_t)below(r, 4);
    } else {
        op.mask = (uint8_t)(1 + below(r, 15));
    }
    return op;
}

static uint32_t formats(void)
{
    uint32_t n = 0;
    while (gallium_format_names[n])
        n++;
    return n;
}

static struct tgsi_insn random_insn(struct test_rng *r, struct arena *a)
{
    struct tgsi_insn in = {.opcode = (uint16_t)below(r, tgsi_row_count)};
    tgsi_use_operands(&in, ARENA_NEW(a, struct tgsi_operands));
    const struct tgsi_row *row = &tgsi_rows[in.opcode];
    in.ndst = row->ndst;
    in.nsrc = tgsi_may_stand_bare(row) && below(r, 2) ? 0 : row->nsrc;
    in.saturate = below(r, 2);
    in.precise = below(r, 2);
    for (int i = 0; i < in.ndst; i++)
        in.dst[i] = random_operand(r, false);
    for (int i = 0; i < in.nsrc; i++)
        in.src[i] = random_operand(r, true);
    bool sample = row->number >= 145 && row->number <= 153;
    if (row->texture || sample) {
        in.has_target = row->texture;
        in.target = (uint8_t)below(r, TGSI_TEX_UNKNOWN);
        if (sample && below(r, 4) == 0)
            in.form |= TGSI_FORM_TARGET;
        in.return_type = (uint8_t)below(r, 6);
        in.noffsets = (uint8_t)below(r, 5);
        for (int i = 0; i < in.noffsets; i++) {
            in.offset[i] = (struct tgsi_tex_offset){random_file(r), (int32_t)below(r, 32768), {0}};
            for (int c = 0; c < 3; c++)
                in.offset[i].swizzle[c] = (uint8_t)below(r, 4);
        }
    }
    if (row->memory) {
        in.memory = (uint8_t)below(r, 16);
        in.has_target = below(r, 2);
        in.target = (uint8_t)below(r, TGSI_TEX_TARGETS);
        in.format = (uint16_t)below(r, formats());
    }
    if (row->label && below(r, 2)) {
        in.has_label = true;
        in.label = below(r, 1u << 24);
    }
    if (below(r, 4) == 0)
        in.form |= TGSI_FORM_SHORT_COUNT;
    return in;
}

static struct tgsi_decl random_decl(struct test_rng *r, uint8_t processor)
{
    struct tgsi_decl d = {.file = random_file(r), .mask = (uint8_t)(1 + below(r, 15))};
    bool plain = d.file != TGSI_SAMPLER_VIEW;
    d.first = below(r, 65536);
    d.last = d.first + below(r, 65536 - d.first);
    if (below(r, 3) == 0) {
        d.dimensional = true;
        d.dim_empty =
            below(r, 2) && (processor == TGSI_GEOM || processor == TGSI_TESS_CTRL || processor == TGSI_TESS_EVAL);
        d.dim = d.dim_empty ? 0 : below(r, 65536);
        d.dim_last = d.dim_empty ? 0 : d.dim + below(r, 65536 - d.dim);
    }
    if (plain && below(r, 2)) {
        d.has_semantic = true;
        d.semantic = (uint16_t)below(r, 40);
        d.semantic_index = below(r, 65536);
    }
    for (int i = 0; i < 4 && plain; i++)
        d.has_stream |= (d.stream[i] = (uint8_t)(below(r, 2) ? 0 : below(r, 4))) != 0;
    if (plain && below(r, 2)) {
        d.location = (uint8_t)below(r, 3);
        d.cylindrical = (uint8_t)below(r, 16);
        d.has_interp = below(r, 2);
        d.interp = d.has_interp ? (uint8_t)below(r, 4) : 0;
    }
    d.local = plain && below(r, 2);
    d.invariant = plain && below(r, 2);
    d.atomic = d.file == TGSI_BUFFER && below(r, 2);
    d.memkind = (uint8_t)(d.file == TGSI_MEMORY ? below(r, 4) : 0);
    d.array = below(r, 3) ? 0 : below(r, 1024);
    if (d.file == TGSI_IMAGE || d.file == TGSI_RESOURCE || d.file == TGSI_SAMPLER_VIEW)
        d.target = (uint8_t)below(r, TGSI_TEX_TARGETS);
    if (d.file == TGSI_IMAGE || d.file == TGSI_RESOURCE) {
        d.raw = below(r, 2);
        d.writable = below(r, 2);
        d.format = (uint16_t)(d.file == TGSI_IMAGE ? below(r, formats()) : 0);
    }
    for (int i = 0; i < 4 && d.file == TGSI_SAMPLER_VIEW; i++)
        d.rettype[i] = (uint8_t)below(r, 5);
    d.form = d.array && below(r, 2) ? TGSI_FORM_SHORT_COUNT : 0;
    return d;
}

static struct isa_module *random_module(struct test_rng *r, struct arena *a)
{
    uint32_t n = below(r, 24);
    struct isa_module *m = ARENA_NEW(a, struct isa_module);
    m->processor = (uint8_t)below(r, TGSI_PROCESSORS);
    m->decls = ARENA_ARRAY(a, struct tgsi_decl, n);
    m->imms = ARENA_ARRAY(a, struct tgsi_imm, n);
    m->props = ARENA_ARRAY(a, struct tgsi_property, n);
    m->insns = ARENA_ARRAY(a, struct tgsi_insn, n);
    m->items = ARENA_ARRAY(a, struct tgsi_item, n);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t kind = (uint8_t)below(r, 4);
        uint32_t index;
        switch (kind) {
        case TGSI_ITEM_DECL:
            index = m->ndecls++;
            m->decls[index] = random_decl(r, m->processor);
            break;
        case TGSI_ITEM_IMM:
            index = m->nimms++;
            m->imms[index].type = (uint8_t)below(r, 6);
            for (int k = 0; k < 4; k++)
                m->imms[index].bits[k] = test_next(r);
            break;
        case TGSI_ITEM_PROPERTY:
            index = m->nprops++;
            m->props[index].name = (uint16_t)below(r, 20);
            m->props[index].count = (uint8_t)(1 + below(r, 8));
            for (int k = 0; k < m->props[index].count; k++)
                m->props[index].value[k] = tgsi_property_words(m->props[index].name) ? below(r, 2) : test_next(r);
            break;
        default:
            index = m->ninsns++;
            m->insns[index] = random_insn(r, a);
            break;
        }
        m->items[m->nitems++] = (struct tgsi_item){kind, index};
    }
    return m;
}

static void random_modules(void **state)
{
    (void)state;
    struct test_rng r = test_seed("random modules");
    for (int k = 0; k < 20000; k++) {
        struct arena a = {0};
        struct isa_module *m = random_module(&r, &a);
        weft_diags *d = weft_diags_new();
        struct stream s;
        if (tgsi_encode(m, &a, &s.bytes, &s.size, d) != WEFT_OK)
            fail_msg("module %d: %s", k, weft_diags_get(d, 0)->message);
        struct isa_module *back = decode(&a, s, d);
        if (!back)
            fail_msg("module %d: %s", k, weft_diags_get(d, 0)->message);
        if (!tgsi_module_equal(m, back))
            fail_msg("module %d reads back as another", k);
        assert_writes_back(&a, back, s);
        struct text t = {.src = {.name = "random"}, .m = back};
        text_round_trip(&t);
        arena_free(&t.arena);
        weft_diags_free(d);
        arena_free(&a);
    }
}

/* ---- damage ---- */

struct vector {
    const uint32_t *words;
    size_t count;
};

#define VECTOR(v) {v, sizeof(v) / sizeof(v)[0]}
static const struct vector vectors[] = {
    VECTOR(pass_through), VECTOR(textured), VECTOR(geometry), VECTOR(older_and_private)};

/* A damaged stream is refused, or is another stream, which writes back as it is. */
static bool survives(struct stream s)
{
    struct arena a = {0};
    weft_diags *d = weft_diags_new();
    struct isa_module *m = decode(&a, s, d);
    if (m)
        assert_writes_back(&a, m, s);
    weft_diags_free(d);
    arena_free(&a);
    return m != NULL;
}

static void truncated_everywhere(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; v++) {
        for (size_t n = 0; n < vectors[v].count; n++) {
            struct arena a = {0};
            struct stream s = stream_of(&a, vectors[v].words, n);
            assert_false(survives(s));
            if (n > 2) { /* also with a header that fits: then it may end between two items */
                uint32_t header = 2 | (uint32_t)(n - 2) << 8;
                for (int b = 0; b < 4; b++)
                    s.bytes[b] = (uint8_t)(header >> (8 * b));
                survives(s);
            }
            arena_free(&a);
        }
    }
}

static void trailing_token(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; v++) {
        struct arena a = {0};
        uint32_t *words = ARENA_ARRAY(&a, uint32_t, vectors[v].count + 1);
        memcpy(words, vectors[v].words, vectors[v].count * 4);
        assert_false(survives(stream_of(&a, words, vectors[v].count + 1)));
        arena_free(&a);
    }
}

static void every_bit_flipped(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; v++) {
        for (size_t bit = 0; bit < vectors[v].count * 32; bit++) {
            struct arena a = {0};
            struct stream s = stream_of(&a, vectors[v].words, vectors[v].count);
            s.bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
            survives(s);
            arena_free(&a);
        }
    }
}

static void random_damage(void **state)
{
    (void)state;
    struct test_rng r = test_seed("random damage");
    for (int k = 0; k < 20000; k++) {
        struct arena a = {0};
        struct isa_module *m = random_module(&r, &a);
        struct stream s;
        assert_int_equal(tgsi_encode(m, &a, &s.bytes, &s.size, NULL), WEFT_OK);
        for (uint32_t n = 1 + below(&r, 3); n; n--)
            s.bytes[below(&r, (uint32_t)s.size)] ^= (uint8_t)(1u << below(&r, 8));
        survives(s);
        arena_free(&a);
    }
}

/* Counts that promise much must not cost much: memory follows the bytes that are there. */
static void memory_follows_the_input(void **state)
{
    (void)state;
    enum { TOKENS = 1 << 16 };
    struct arena a = {0};
    uint32_t *words = ARENA_ARRAY(&a, uint32_t, TOKENS);
    words[0] = 2 | (uint32_t)(TOKENS - 2) << 8;
    for (uint32_t i = 2; i < TOKENS; i++)
        words[i] = 0x00075012; /* END, the shortest item */
    struct stream s = stream_of(&a, words, TOKENS);
    struct arena b = {0};
    assert_non_null(decode(&b, s, NULL));
    assert_true(b.total < (size_t)TOKENS * 4 * (sizeof(struct tgsi_insn) + sizeof(struct tgsi_item)));
    arena_free(&b);
    arena_free(&a);
}

TEST_MAIN(TEST(vertex_pass_through), TEST(fragment_by_ureg), TEST(geometry_with_everything),
          TEST(older_dialect_and_private_bits), TEST(refused_streams), TEST(ragged_sizes), TEST(what_does_not_fit),
          TEST(random_modules), TEST(truncated_everywhere), TEST(trailing_token), TEST(every_bit_flipped),
          TEST(random_damage), TEST(memory_follows_the_input))
