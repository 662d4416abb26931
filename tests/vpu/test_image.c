/* Images of the VPU: which bytes are code, tables of switches, ELF files. */
#include "program.h"

/* The canonical text of an assembled program, swept or traced from its bytes. */
static void check_traced(const char *source, const char *text)
{
    struct program p = from_text(source);
    show_diagnostics(p.diags);
    assert_int_equal(p.status, WEFT_OK);
    size_t size, again;
    uint8_t *bytes = bytes_of(&p, &size);
    struct program q = from_bytes(bytes, size, false);
    assert_int_equal(q.status, WEFT_OK);
    assert_string_equal(text_of(&q), text);
    assert_memory_equal(bytes_of(&q, &again), bytes, size);
    assert_int_equal(again, size);
    drop(&q);
    drop(&p);
}

static void code_and_data(void **state)
{
    (void)state;
    check_traced(
        "mov r0,1\nbl f\nsleep\nb .-2\n.ascii \"some text\"\n.align 1\nf: beq g\nadd r0,1\ng: rts\n.short 0x4242\n",
        "mov r0,0x1\nbl L_14\nL_6:\nsleep\nb L_6\n"
        ".short 0x6f73,0x656d,0x7420\n.short 0x7865,0x0074\n"
        "L_14:\nbeq L_18\nadd r0,0x1\nL_18:\nrts\n.short 0x4242\n");
}

/* The entries of a table end where the first target begins, or where the comparison in front of it says. */
static void switch_tables(void **state)
{
    (void)state;
    check_traced(
        "cmp r0,2\nbhi d\ntbb r0\n.case a\n.case b\n.case d\n.endswitch\na: nop\nb: nop\nd: rts\n",
        "cmp r0,0x2\nbhi L_e\ntbb r0\n.case L_a\n.case L_c\n.case L_e\n.byte 0x00\nL_a:\nnop\nL_c:\nnop\nL_e:\nrts\n");
    check_traced("tbh r1\n.case b\n.case a\na: mov r0,1\nrts\nb: mov r0,2\nrts\n",
                 "tbh r1\n.case L_a\n.case L_6\nL_6:\nmov r0,0x1\nrts\nL_a:\nmov r0,0x2\nrts\n");
    check_traced("bhi r1,1,d\ntbh r1\n.case d\n.case d\n.short 1\nd: rts\n",
                 "bhi r1,0x1,L_c\ntbh r1\n.case L_c\n.case L_c\n.short 0x0001\nL_c:\nrts\n");
}

/* Functions whose address is formed, or is in a table of addresses. */
static void formed_addresses(void **state)
{
    (void)state;
    check_traced("lea r0,f\nb r0\n.short 0\nf: nop\nrts\n", "lea r0,L_8\nb r0\n.short 0x0000\nL_8:\nnop\nrts\n");
    check_traced("add.l r1,table\nld r1,(r1)\nb r1\n.short 0\ntable: .long f,g\nf: nop\nrts\ng: ei\nrts\n",
                 "add.l r1,0xc\nld r1,(r1)\nb r1\n.short 0x0000,0x0014,0x0000\n.short "
                 "0x0018,0x0000\nL_14:\nnop\nrts\nL_18:\nei\nrts\n");
}

/* Letters are instructions: what goes on to a bkpt is a string with its zero byte. */
static void strings(void **state)
{
    (void)state;
    check_traced("lea r0,s\nb r0\n.short 0\ns: .ascii \"abcdef\"\n.short 0\n",
                 "lea r0,0x8\nb r0\n.short 0x0000,0x6261,0x6463,0x6665,0x0000\n");
    check_traced("lea r0,s\nb r0\n.short 0\ns: .ascii \"abcdef\"\nrts\n",
                 "lea r0,L_8\nb r0\n.short 0x0000\nL_8:\nadd r1,0x6\nmul r3,0x6\nsub r5,0x6\nrts\n");
}

static void linear(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x5a, 0x00, 0x01, 0x00, 0x0b, 0x00, 0x04, 0x00};
    struct program p = from_bytes(bytes, sizeof bytes, true);
    assert_string_equal(text_of(&p), "rts\nnop\n.short 0x000b\nei\n");
    assert_int_equal(p.m->unknown, 1);
    drop(&p);
    p = from_bytes(bytes, sizeof bytes, false);
    assert_string_equal(text_of(&p), "rts\n.short 0x0001,0x000b,0x0004\n");
    assert_int_equal(p.m->unknown, 0);
    drop(&p);
}

static const char program[] =
    ".global _start\n.type f,@function\n_start: bl f\nsleep\nf: ld r0,(r1)\nrts\n.equ five,5\n"
    ".section .rodata,\"a\"\n.org 0x1000\ntable: .long f,five\n.data\nvalue: .short 1\n"
    ".bss\n.align 4\nbuffer: .space 100\n";

static void elf(void **state)
{
    (void)state;
    struct program p = from_text(program);
    show_diagnostics(p.diags);
    assert_int_equal(p.status, WEFT_OK);
    uint8_t *file;
    size_t size;
    assert_int_equal(vpu_encode_elf(p.m, &p.arena, &file, &size, p.diags), WEFT_OK);
    /* e_ident, ET_EXEC, machine 137, version 1 */
    assert_memory_equal(file, "\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\211\0\1\0\0\0", 24);
    struct program q = from_bytes(file, size, false);
    assert_int_equal(q.status, WEFT_OK);
    assert_true(q.m->elf);
    assert_string_equal(text_of(&q), text_of(&p));
    uint8_t *again;
    size_t same;
    assert_int_equal(vpu_encode_elf(q.m, &q.arena, &again, &same, q.diags), WEFT_OK);
    assert_int_equal(same, size);
    assert_memory_equal(file, again, size);
    drop(&q);

    /* Every cut of it is refused or read, and nothing is read past it. */
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *copy = malloc(cut ? cut : 1);
        memcpy(copy, file, cut);
        q = from_bytes(copy, cut, false);
        assert_true(q.status == WEFT_OK || weft_diags_errors(q.diags) > 0);
        drop(&q);
        free(copy);
    }
    file[18] = 3;
    q = from_bytes(file, size, false);
    assert_int_equal(q.status, WEFT_ERROR_INPUT);
    assert_non_null(strstr(weft_diags_get(q.diags, 0)->message, "another machine"));
    drop(&q);
    drop(&p);
}

/* Zeros go up to the next symbol or the end of the section, whatever comes after them: 64 and more are one line. */
static void zeros_end_at_symbols(void **state)
{
    (void)state;
    for (unsigned before = 60; before < 70; before++)
        for (unsigned after = 1; after < 70; after += after < 60 ? 59 : 1) {
            char text[400];
            snprintf(text, sizeof text,
                     ".global _start\n_start: rts\n.section .rodata,\"a\"\n.org 0x1000\nfirst: .space %u\n"
                     "second: .space %u\n.data\nthird: .short 0\n",
                     before, after);
            struct program p = from_text(text);
            show_diagnostics(p.diags);
            assert_int_equal(p.status, WEFT_OK);
            uint8_t *file;
            size_t size;
            assert_int_equal(vpu_encode_elf(p.m, &p.arena, &file, &size, p.diags), WEFT_OK);
            struct program q = from_bytes(file, size, false);
            assert_int_equal(q.status, WEFT_OK);
            const char *got = text_of(&q), *first = strstr(got, "first:\n"), *second = strstr(got, "second:\n");
            assert_true(first && second);
            assert_int_equal(strncmp(first, "first:\n.space", 13) == 0, before >= 64);
            assert_int_equal(strncmp(second, "second:\n.space", 14) == 0, after >= 64);
            char line[60];
            snprintf(line, sizeof line, "first:\n.space %u\nsecond:\n", before);
            assert_true(before < 64 || strncmp(first, line, strlen(line)) == 0);
            snprintf(line, sizeof line, "second:\n.space %u\n.section .data", after);
            assert_true(after < 64 || strncmp(second, line, strlen(line)) == 0);
            drop(&q);
            drop(&p);
        }
}

/* An executable whose section headers are gone is read by its program headers: the same bytes at the same addresses. */
static void elf_by_segments(void **state)
{
    (void)state;
    struct program p = from_text(program);
    uint8_t *file, *bytes, *same;
    size_t size, n, again;
    assert_int_equal(vpu_encode_elf(p.m, &p.arena, &file, &size, p.diags), WEFT_OK);
    memset(file + 46, 0, 6); /* the size, the number and the names of section headers */
    struct program q = from_bytes(file, size, false);
    show_diagnostics(q.diags);
    assert_int_equal(q.status, WEFT_OK);
    bytes = bytes_of(&p, &n);
    same = bytes_of(&q, &again);
    assert_int_equal(n, again);
    assert_memory_equal(bytes, same, n);
    assert_non_null(strstr(text_of(&q), "bl "));
    assert_non_null(strstr(text_of(&q), "sleep\n"));
    assert_null(strstr(text_of(&q), "table"));
    drop(&q);
    drop(&p);
}

static uint32_t word_at(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The symbols of a file, and how many: the first has no name. */
static uint8_t *symbols_of(uint8_t *file, unsigned *count)
{
    enum { HEADERS = 32, HEADER = 40, SYMBOL = 16, SYMTAB = 2 };
    uint8_t *h = file + word_at(file + HEADERS);
    while (word_at(h + 4) != SYMTAB)
        h += HEADER;
    *count = word_at(h + 20) / SYMBOL;
    return file + word_at(h + 16);
}

/* Symbols of one name are one: the global one wherever it is, or else that of the lowest address. */
static void symbols_of_one_name(void **state)
{
    (void)state;
    enum { SYMBOL = 16, NAMED = 4 };
    static const char *const wanted[NAMED + 1] = {"a:\nnop\nei\ndi\nrts\n", "nop\na:\nei\ndi\nrts\n",
                                                  "nop\nei\na:\ndi\nrts\n", "nop\nei\ndi\na:\nrts\n",
                                                  "a:\nnop\nei\ndi\nrts\n"};
    struct program p = from_text(".type a,@function\n.type b,@function\n.type c,@function\n.type d,@function\n"
                                 "a: nop\nb: ei\nc: di\nd: rts\n");
    uint8_t *file, was[NAMED * SYMBOL];
    size_t size;
    unsigned count;
    assert_int_equal(vpu_encode_elf(p.m, &p.arena, &file, &size, p.diags), WEFT_OK);
    uint8_t *symbols = symbols_of(file, &count) + SYMBOL;
    assert_int_equal(count, NAMED + 1);
    memcpy(was, symbols, sizeof was);
    for (unsigned global = 0; global <= NAMED; global++)
        for (unsigned order = 0; order < NAMED * NAMED * NAMED * NAMED; order++) {
            unsigned at[NAMED] = {order % 4, order / 4 % 4, order / 16 % 4, order / 64};
            if ((1u << at[0] | 1u << at[1] | 1u << at[2] | 1u << at[3]) != 15)
                continue;
            for (unsigned k = 0; k < NAMED; k++) {
                memcpy(symbols + k * SYMBOL, was + at[k] * SYMBOL, SYMBOL);
                memcpy(symbols + k * SYMBOL, was, 4); /* the name */
                symbols[k * SYMBOL + 12] = (uint8_t)((at[k] == global) << 4 | 2);
            }
            struct program q = from_bytes(file, size, true);
            assert_int_equal(q.status, WEFT_OK);
            const char *text = strstr(text_of(&q), wanted[global]);
            if (!text || strlen(text) != strlen(wanted[global]))
                fail_msg("symbol %u is global, order %u%u%u%u:\n%s", global, at[0], at[1], at[2], at[3], text_of(&q));
            drop(&q);
        }
    drop(&p);
}

/* Each word of a file is another one: it is read and printed, or refused with a reason. */
static void damage_words(const uint8_t *file, size_t size, unsigned *read, unsigned *refused)
{
    static const uint32_t odd[] = {0, 1, 2, 3, 8, 0x7f, 0x1000, 0x100000, 0x7fffffff, 0x80000000, 0xffffffff};
    for (size_t at = 16; at + 4 <= size; at += 2)
        for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
            uint8_t *copy = malloc(size);
            memcpy(copy, file, size);
            for (unsigned i = 0; i < (at < 52 ? 2 : 4); i++) /* the heading has halves */
                copy[at + i] = (uint8_t)(odd[k] >> 8 * i);
            struct program q = from_bytes(copy, size, false);
            if (q.status == WEFT_OK)
                text_of(&q);
            else if (q.status != WEFT_ERROR_INPUT || weft_diags_errors(q.diags) == 0)
                fail_msg("byte %zu, %#x: status %d without a reason", at, odd[k], (int)q.status);
            *(q.status == WEFT_OK ? read : refused) += 1;
            drop(&q);
            free(copy);
        }
}

static void elf_files_may_be_wrong(void **state)
{
    (void)state;
    struct program p = from_text(program);
    uint8_t *file;
    size_t size;
    unsigned read = 0, refused = 0;
    assert_int_equal(vpu_encode_elf(p.m, &p.arena, &file, &size, p.diags), WEFT_OK);
    damage_words(file, size, &read, &refused);
    memset(file + 46, 0, 6);
    damage_words(file, size, &read, &refused);
    printf("# %zu bytes: %u changed files are read, %u refused\n", size, read, refused);
    assert_true(read > 1000 && refused > 300);
    drop(&p);
}

TEST_MAIN(TEST(code_and_data), TEST(switch_tables), TEST(formed_addresses), TEST(strings), TEST(linear), TEST(elf),
          TEST(elf_by_segments), TEST(zeros_end_at_symbols), TEST(symbols_of_one_name), TEST(elf_files_may_be_wrong))
