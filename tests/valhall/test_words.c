/* Words and text: known encodings, every opcode, every field of every instruction, and random words, there and back. */
#include "isa/valhall/table.h"
#include "program.h"

/* ---- known encodings ---- */

static uint64_t word_of_hex(const char *hex)
{
    uint64_t word = 0;
    for (unsigned k = 0; k < 8; k++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * k, "%2x", &byte), 1);
        word |= (uint64_t)byte << 8 * k;
    }
    return word;
}

static void one_encoding(uint64_t word, const char *text)
{
    struct program p = program_parse(text), q = program_of_words(&word, 1);
    size_t size;
    if (p.status != WEFT_OK || p.m->nwords != 1 || p.m->words[0] != word)
        fail_msg("%s: %016llX, expected %016llX\n%s", text, p.m && p.m->nwords ? (unsigned long long)p.m->words[0] : 0,
                 (unsigned long long)word, program_messages(&p));
    const char *printed = program_text(&q, &size);
    if (size != strlen(text) + 1 || memcmp(printed, text, size - 1) != 0)
        fail_msg("%016llX: %s, expected %s", (unsigned long long)word, printed, text);
    program_free(&p);
    program_free(&q);
}

/* encodings.tsv: bytes and text, made from the description by other means; several lines for each instruction. */
static void known_encodings(void **state)
{
    (void)state;
    char line[400], seen[VALHALL_OPS] = {0};
    FILE *f = fopen(WEFT_SOURCE_ROOT "/tests/valhall/encodings.tsv", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        assert_int_equal(line[16], '\t');
        uint64_t word = word_of_hex(line);
        one_encoding(word, line + 17);
        const struct valhall_row *row = valhall_row_of(word);
        assert_non_null(row);
        seen[row - valhall_rows()] = 1;
    }
    fclose(f);
    for (unsigned i = 0; i < VALHALL_OPS; i++)
        if (!seen[i] && !valhall_rows()[i].form->older)
            fail_msg("no known encoding of %s", valhall_rows()[i].name);
}

/* ---- the table ---- */

static void fields_fill_the_word(void **state)
{
    (void)state;
    const struct valhall_table *t = valhall_table();
    for (unsigned i = 0; i < VALHALL_OPS; i++) {
        const struct valhall_layout *l = &t->layouts[i];
        unsigned at = 64;
        for (unsigned k = 0; k < l->nfields; k++) {
            if (l->fields[k].at + l->fields[k].size != at)
                fail_msg("%s: field %s at %u of %u bits, bits up to %u are free", t->rows[i].name, l->fields[k].name,
                         l->fields[k].at, l->fields[k].size, at);
            at = l->fields[k].at;
        }
        assert_int_equal(at, 0);
    }
}

static void names_are_found(void **state)
{
    (void)state;
    const struct valhall_row *rows = valhall_rows();
    for (int i = 0; i < VALHALL_OPS; i++) {
        assert_int_equal(valhall_find_row(rows[i].name, strlen(rows[i].name)), i);
        assert_true(rows[i].doc[0] != '\0' && rows[i].group[0] != '\0');
    }
    assert_int_equal(valhall_find_row("FADD", 4), -1);
    assert_int_equal(valhall_find_row("FADD.f64", 8), -1);
}

/* Whatever the opcodes, there is one row or none, and its own opcodes lead back to it. */
static void every_opcode(void **state)
{
    (void)state;
    const struct valhall_table *t = valhall_table();
    unsigned known = 0;
    for (uint64_t primary = 0; primary < 512; primary++)
        for (uint64_t second = 0; second < 1024; second++) {
            const struct valhall_primary *p = &t->primaries[primary];
            uint64_t word = primary << 48 | (second & 31) << p->shift | (second >> 5 & 1) << 32;
            const struct valhall_row *row = valhall_row_by_opcode(t, word);
            if (!row)
                continue;
            known++;
            assert_true(row->opcode == primary || row->also == primary);
            if (row->form->second)
                assert_int_equal(row->second & ((1u << valhall_fields[row->form->second].size) - 1),
                                 valhall_get_field(word, row->form->second));
        }
    assert_true(known > 0);
    for (unsigned i = 0; i < VALHALL_OPS; i++)
        if (!t->rows[i].form->older)
            assert_ptr_equal(valhall_row_by_opcode(t, t->layouts[i].value), &t->rows[i]);
}

/* ---- there and back ---- */

enum { BATCH = 4096 };

/* Print all, parse that: the words must be the same. Words of the older v4s8 opcode come back with the newer one. */
static void batch_comes_back(const uint64_t *words, unsigned count)
{
    struct program p = program_of_words(words, count);
    size_t size;
    const char *text = program_text(&p, &size);
    struct program q = program_parse_sized(text, size);
    if (q.status != WEFT_OK)
        fail_msg("%s", program_messages(&q));
    assert_int_equal(q.m->nwords, count);
    for (unsigned i = 0; i < count; i++) {
        const struct valhall_row *row = valhall_row_of(words[i]);
        uint64_t expected = words[i];
        if (row && row->also && (expected >> 48 & 511) == row->also)
            expected ^= (uint64_t)(row->also ^ row->opcode) << 48;
        if (q.m->words[i] != expected)
            fail_msg("%016llX came back as %016llX", (unsigned long long)words[i], (unsigned long long)q.m->words[i]);
    }
    program_free(&p);
    program_free(&q);
}

/* Ten million words of random bits (TEST_QUARTERS, test_share: or fewer), most of which are not instructions. */
static void random_words(void **state)
{
    (void)state;
    struct test_rng rng = test_seed("random words");
    uint64_t words[BATCH];
    for (unsigned n = 0; n < 10000000 / 4 * TEST_QUARTERS / test_share(); n += BATCH) {
        for (unsigned i = 0; i < BATCH; i++)
            words[i] = test_next64(&rng);
        batch_comes_back(words, BATCH);
    }
}

/* Random bits in the fields of each row, so that most are instructions; some break a rule and become data. */
static void random_instructions(void **state)
{
    (void)state;
    const struct valhall_table *t = valhall_table();
    struct test_rng rng = test_seed("random instructions");
    for (unsigned row = 0; row < VALHALL_OPS; row++) {
        uint64_t words[BATCH];
        unsigned fine = 0;
        for (unsigned i = 0; i < BATCH; i++) {
            uint64_t bits = test_next64(&rng);
            if (i & 1) /* registers only, of page 0 */
                bits &= ~(uint64_t)(t->layouts[row].sources | 3ull << 57);
            words[i] = (bits & ~t->layouts[row].mask) | t->layouts[row].value;
            fine += valhall_row_of(words[i]) != NULL;
        }
        if (fine < BATCH / 1024 && t->rows[row].nstaging < 2)
            fail_msg("%s: only %u of %u words are instructions", t->rows[row].name, fine, BATCH);
        batch_comes_back(words, BATCH);
    }
}

/* Every number of every field, the others as the instruction's own zeros. */
static void every_field(void **state)
{
    (void)state;
    const struct valhall_table *t = valhall_table();
    for (unsigned row = 0; row < VALHALL_OPS; row++) {
        const struct valhall_layout *l = &t->layouts[row];
        for (unsigned k = 0; k < l->nfields; k++) {
            const struct valhall_bits *f = &l->fields[k];
            unsigned bits = f->size < 12 ? f->size : 12;
            uint64_t words[BATCH];
            for (unsigned v = 0; !f->fixed && v < 1u << bits; v++)
                words[v] = l->value | 3ull << 46 | (uint64_t)v << f->at;
            if (!f->fixed)
                batch_comes_back(words, 1u << bits);
        }
    }
}

/* ---- what decoding reads ---- */

static void operands_are_read(void **state)
{
    (void)state;
    static const char text[] = "FMA.v2f16.clamp_0_1.wait12 r9.h1, ^r49.neg.abs.h10, u70, r62.abs.h00\n"
                               "SHADDX.u64 r2, u2, r60.w0, shift:0x3\n"
                               "STORE.i96.estream.slot1 @r4:r5:r6, ^r10, offset:-20\n"
                               "ATOM_RETURN.i32.slot0.compare.axchg @r55, @r12:r13, r48, offset:0x7F\n"
                               "LSHIFT_AND.v4i8 r0, 0x1000000.b3333, workgroup_local_pointer.w1.b00, ^r0.not\n"
                               "IADD_IMM.i32 r3, lane_id.w0, #0xFFFFFFFF\n";
    struct program p = program_parse(text);
    struct valhall_insn i;
    if (p.status != WEFT_OK)
        fail_msg("%s", program_messages(&p));
    valhall_insn_at(p.m, 0, &i);
    assert_int_equal(valhall_mod(&i, VALHALL_MOD_CLAMP), VALHALL_CLAMP_0_1);
    assert_int_equal(i.flow, VALHALL_WAIT12);
    assert_int_equal(valhall_waits(i.flow), 6);
    assert_true(i.has_dst && i.dst == 9 && i.dst_mask == 2);
    assert_true(i.src[0].kind == VALHALL_REGISTER && i.src[0].index == 49 && i.src[0].last);
    assert_true(i.src[0].neg && i.src[0].abs && !i.src[1].neg && i.src[2].abs && !i.src[2].neg);
    assert_true(i.src[0].pick->part == 16 && i.src[0].pick->count == 2);
    assert_true(i.src[0].pick->element[0] == 1 && i.src[0].pick->element[1] == 0);
    assert_true(i.src[1].kind == VALHALL_UNIFORM && i.src[1].index == 70 && i.page == 1);
    assert_string_equal(i.src[1].pick->name, "h01");
    valhall_insn_at(p.m, 1, &i);
    assert_true(i.src[0].size == 64 && i.src[1].pick->part == 32 && i.src[1].pick->element[0] == 0 && i.imm[0] == 3);
    valhall_insn_at(p.m, 2, &i);
    assert_true(i.nstaging == 1 && i.staging[0].read && !i.staging[0].write);
    assert_true(i.staging[0].base == 4 && i.staging[0].count == 3 && i.imm[0] == -20);
    assert_int_equal(valhall_mod(&i, VALHALL_MOD_MEMORY_ACCESS), VALHALL_ACCESS_ESTREAM);
    valhall_insn_at(p.m, 3, &i);
    assert_true(i.staging[0].write && i.staging[0].base == 55 && i.staging[0].count == 1);
    assert_true(i.staging[1].read && i.staging[1].base == 12 && i.staging[1].count == 2);
    assert_true(i.src[0].size == 64 && i.imm[0] == 127 && valhall_mod(&i, VALHALL_MOD_COMPARE));
    valhall_insn_at(p.m, 4, &i);
    assert_true(i.src[0].kind == VALHALL_CONSTANT && i.src[0].value == 0x01000000);
    assert_true(i.src[1].kind == VALHALL_SPECIAL && i.src[1].special == VALHALL_WORKGROUP_LOCAL_POINTER);
    assert_true(i.src[1].word == 1 && i.src[2].invert);
    valhall_insn_at(p.m, 5, &i);
    assert_true(i.src[0].special == VALHALL_LANE_ID && i.imm[0] == 0xFFFFFFFF && i.number == 5);
    program_free(&p);
}

/* The v4s8 forms decode from the opcode of the description too, and assemble to that of the hardware. */
static void corrected_opcodes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "IADD.v4s8.saturate r0, ^r1, ^r0", "ISUB.v4s8 r0, r1, r2.b3210",      "IMUL.v4s8 r5, r1, u2",
        "HADD.v4s8.rhadd r0, ^r1, ^r0",    "CLPER.v4s8.subgroup4 r0, r1, r2",
    };
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct program p = program_parse(texts[i]);
        assert_int_equal(p.status, WEFT_OK);
        assert_int_equal(p.m->words[0] >> 48 & 511, 0xAA);
        uint64_t old = p.m->words[0] ^ (uint64_t)(0xAA ^ 0x1A2) << 48;
        struct program q = program_of_words(&old, 1);
        size_t size;
        const char *text = program_text(&q, &size);
        assert_memory_equal(text, texts[i], strlen(texts[i]));
        batch_comes_back(&old, 1);
        program_free(&p);
        program_free(&q);
    }
}

TEST_MAIN(TEST(known_encodings), TEST(fields_fill_the_word), TEST(names_are_found), TEST(every_opcode),
          TEST(random_words), TEST(random_instructions), TEST(every_field), TEST(operands_are_read),
          TEST(corrected_opcodes))
