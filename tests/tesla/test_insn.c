/* test_insn.c - whole instructions, from machine word to result and flags, against hardware-checked models: decoded,
 * lifted to IR and run by the interpreter. models.csv has some lines of each table; the whole tables are used where
 * they are (../shared/vectors/tesla/arith/insn-*.csv).
 *
 * In the vectors sources are in $r4, $r5, $r6 (64 bits: $r4d, $r6d, $r8d; special functions: $r1), and bits that an
 * instruction ignores are random. What the instruction is, which bits it reads and where its result is, the test knows
 * by itself. */
#include "exec/exec.h"
#include "ir/pass.h"
#include "isa/tesla/lift.h"
#include "isa/tesla/table.h"
#include "test.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>

enum { COLUMNS = 10, LANES = 32 };

static const char *vectors(void)
{
    static char path[PATH_MAX];
    const char *shared = getenv("WEFT_SHARED");
    snprintf(path, sizeof path, "%s/vectors/tesla/arith", shared ? shared : WEFT_SHARED_DEFAULT);
    DIR *d = opendir(path);
    if (d)
        closedir(d);
    return d ? path : NULL;
}

/* ---- one instruction ---- */

struct values {
    uint32_t op[2], control;
    uint64_t source[3];
    int flags; /* of all $c; -1: not said */
    bool wide, special;
    unsigned first; /* register of the first source */
};

struct result {
    uint64_t value;
    unsigned flags; /* of the $c that is written; 15: none is */
};

/* What the instructions of a table are, by the manual: their names by two bits of the word (the first is the lower
 * one), and bits that nothing reads, which are random in the tables. The code under test must know such a word without
 * these bits by the same name. */
enum rule { NO_RULE, OF_FLOATS, OF_DOUBLES, OF_SHIFTS, OF_LANES };
#define SUMS {"add", "sub", "subr", "addc"}
#define LOGIC {"and", "or", "xor", "mov2"}
enum { ONE = 0x0fff0000 }; /* low bits of what has one source: no second one, no address register */

static const struct kind {
    const char *table;
    uint32_t high, low; /* bits that nothing reads: of the second word, of the first */
    const char *names[4];
    uint8_t bit[2]; /* 0: there is one name */
    enum rule rule;
} kinds[] = {
    {"fadd", 0x13c00004, 0x0e7c0000, {"add"}, {0}, NO_RULE},
    {"fadd_i", 0x10000000, 0x0e000000, {"add"}, {0}, NO_RULE},
    {"fadd_s", 0, 0x0e000000, {"add"}, {0}, NO_RULE},
    {"fmul", 0x13cf0004, 0x0e000000, {"mul"}, {0}, NO_RULE},
    {"fmul_i", 0x10000000, 0x0e000000, {"mul"}, {0}, NO_RULE},
    {"fmul_s", 0, 0x0e000000, {"mul"}, {0}, NO_RULE},
    {"fmad", 0x13c00004, 0x0e000000, {"add"}, {0}, NO_RULE},
    {"fmad_i", 0x10000000, 0x0e000000, {"add"}, {0}, NO_RULE},
    {"fmad_s", 0, 0x0e000000, {"add"}, {0}, NO_RULE},
    {"fcmp", 0x13c40004, 0x0e000000, {"set"}, {0}, NO_RULE},
    {"fminmax", 0x13c7c004, 0x0e000000, {"max", "min"}, {61}, NO_RULE},
    {"fslct", 0x1fc00004, 0x0e000000, {"slct"}, {0}, NO_RULE},
    {"fswz", 0x10000004, 0x0ec80000, {"quadop"}, {0}, OF_LANES},
    {"f2f", 0x13c18004, ONE, {"cvt"}, {0}, OF_FLOATS},
    {"f2i", 0x13c98004, ONE, {"cvt"}, {0}, NO_RULE},
    {"i2f", 0x1bc00004, ONE, {"cvt"}, {0}, NO_RULE},
    {"i2i", 0x13c60004, ONE, {"cvt"}, {0}, NO_RULE},
    {"f2f64", 0x13898004, ONE, {"cvt"}, {0}, OF_DOUBLES},
    {"f2i64", 0x13898004, ONE, {"cvt"}, {0}, NO_RULE},
    {"i2f64", 0x1b808004, ONE, {"cvt"}, {0}, NO_RULE},
    {"dadd", 0x13c00004, 0x0e7c0000, {"add"}, {0}, NO_RULE},
    {"dcmp", 0x13c40004, 0x0e000000, {"set"}, {0}, NO_RULE},
    {"dfma", 0x13000004, 0x0e000000, {"fma"}, {0}, NO_RULE},
    {"dmax", 0x13c7c004, 0x0e000000, {"max"}, {0}, NO_RULE},
    {"dmin", 0x13c7c004, 0x0e000000, {"min"}, {0}, NO_RULE},
    {"dmul", 0x1bd9c004, 0x0e000000, {"mul"}, {0}, NO_RULE},
    {"iadd", 0x13c00004, 0x0e3f0000, SUMS, {22, 28}, NO_RULE},
    {"iadd_i", 0x10000000, 0x0e000000, SUMS, {22, 28}, NO_RULE},
    {"iadd_s", 0, 0x0e000000, SUMS, {22, 28}, NO_RULE},
    {"imad", 0x13c00004, 0x0e000000, SUMS, {58, 59}, NO_RULE},
    {"imad_i", 0x10000000, 0x0e000000, SUMS, {22, 28}, NO_RULE},
    {"imad_s", 0, 0x0e000000, SUMS, {22, 28}, NO_RULE},
    {"imul", 0x1fde0004, 0x0e000000, {"mul"}, {0}, NO_RULE},
    {"imul_i", 0x10000000, 0x0e000000, {"mul"}, {0}, NO_RULE},
    {"imul_s", 0, 0x0e000000, {"mul"}, {0}, NO_RULE},
    {"isad", 0x13c00004, 0x0e000000, {"sad"}, {0}, NO_RULE},
    {"isad_s", 0, 0x0e400000, {"sad"}, {0}, NO_RULE},
    {"icmp", 0x13de0004, 0x0e000000, {"set"}, {0}, NO_RULE},
    {"iminmax", 0x13dfc004, 0x0e000000, {"max", "min"}, {61}, NO_RULE},
    {"logop", 0x1bdc0004, 0x0e000000, LOGIC, {46, 47}, NO_RULE},
    {"logop_i", 0x10000000, 0x0e000000, LOGIC, {8, 15}, NO_RULE},
    {"shift", 0x13cfc004, 0x0e000000, {"shl", "shr"}, {61}, OF_SHIFTS},
    {"sfu_ex2_rnd", 0x17dfc074, ONE, {"ex2"}, {0}, NO_RULE},
    {"sfu_lg2_rnd", 0x1bcfc074, ONE, {"lg2"}, {0}, NO_RULE},
    {"sfu_pre_rnd", 0x1bcf8074, ONE, {"presin", "preex2"}, {46}, NO_RULE},
    {"sfu_rcp_rnd", 0x1bcfc074, ONE, {"rcp"}, {0}, NO_RULE},
    {"sfu_rsqrt_rnd", 0x1bcfc074, ONE, {"rsqrt"}, {0}, NO_RULE},
    {"sfu_sincos_rnd", 0x1fdfc074, ONE, {"sin", "cos"}, {61}, NO_RULE},
};

/* Of a table's file, insn-GROUP-CHIP-TABLE.csv. */
static const struct kind *kind_of(const char *name)
{
    const char *table = strrchr(name, '-') + 1;
    size_t length = strcspn(table, ".");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].table) == length && strncmp(kinds[i].table, table, length) == 0)
            return &kinds[i];
    return NULL;
}

static const char *name_of(const struct kind *k, uint64_t word)
{
    return k->names[(k->bit[0] ? word >> k->bit[0] & 1 : 0) | (k->bit[1] ? (word >> k->bit[1] & 1) << 1 : 0)];
}

/* The word without bits that nothing reads. Bits 46 and 58 are the larger size of a conversion's source and result.
 * Bit 59 asks for a whole number, but not between doubles and floats; bits 49 and 50 are the rounding of what is whole
 * or narrows. A shift to the left has no sign (bit 59). */
static uint64_t meaning_of(const struct kind *k, uint64_t word)
{
    uint64_t ignored = (uint64_t)k->high << 32 | k->low;
    const uint64_t bit59 = UINT64_C(1) << 59, rounding = UINT64_C(3) << 49;
    bool from = word >> 46 & 1, to = word >> 58 & 1;
    if ((k->rule == OF_DOUBLES && from != to) || (k->rule == OF_SHIFTS && !(word >> 61 & 1)))
        ignored |= bit59;
    if ((k->rule == OF_FLOATS || k->rule == OF_DOUBLES) && !(from && !to) && !(word & ~ignored & bit59))
        ignored |= rounding;
    return word & ~ignored;
}

/* Bits that are read although no text says them: a float to a whole one of another size; quad lanes 6 and 7. */
static uint64_t unnamed_of(const struct kind *k, uint64_t word)
{
    bool from = word >> 46 & 1, to = word >> 58 & 1;
    if (k->rule == OF_FLOATS && from != to && (word >> 59 & 1))
        return UINT64_C(1) << 59 | (to ? UINT64_C(3) << 49 : 0);
    return k->rule == OF_LANES && (word >> 16 & 7) >= 6 ? 7 << 16 : 0;
}

/* Where an instruction's result is, by the manual: word 0 bits 2-8 (long normal) or 2-7, word 1 bits 4-6. */
struct place {
    unsigned reg, shift;
    bool half;
    int c; /* -1: no $c is written */
};

/* The tables' results are in $r7 or, of short forms, $r6; in their low halves; of special functions in $r2; of 64 bits
 * in $r10d. Halves have numbers of their own: twice that of the register. */
static struct place place_of(uint64_t word, const struct values *v)
{
    bool is_long = word & 1, immediate = is_long && (word >> 32 & 3) == 3;
    unsigned number = (unsigned)(word >> 2) & (is_long && !immediate ? 127 : 63);
    bool half = !v->wide && (number == 14 || number == 12 || number == 15 || number == 13);
    bool flags = is_long && !immediate && !v->special && (word >> 38 & 1);
    return (struct place){.reg = half ? number / 2 : number, .shift = number & 1 ? 16 : 0, .half = half,
                          .c = flags ? (int)(word >> 36 & 3) : -1};
}

static bool run(const struct tesla_insn *insn, const struct tesla_target *target, const struct values *v,
                struct result *out)
{
    static char text[80];
    struct arena arena = {0};
    snprintf(text, sizeof text, "control %#x\nregisters 256\n", v->control);
    struct isa_linkage linkage = {{"control", text, strlen(text)}};
    struct tesla_insn insns[1] = {*insn};
    struct isa_module m = {.target = *target, .insns = insns, .ninsns = 1, .linkage = &linkage, .name = "test"};
    struct ir_program *ir = NULL;
    struct exec_program *program = NULL;
    weft_diags *diags = weft_diags_new();
    weft_status status = tesla_lift(&m, NULL, &arena, &ir, diags);
    if (status == WEFT_OK) {
        for (uint32_t i = 0; i < ir->nfiles; i++)
            ir->files[i].preserved = true;
        ir_optimise(ir);
        status = exec_compile(ir, &(struct exec_options){.level = exec_best_level()}, &arena, &program, diags);
    }
    if (status != WEFT_OK) {
        printf("# %s\n", weft_diags_count(diags) ? weft_diags_get(diags, 0)->message : "?");
        weft_diags_free(diags);
        arena_free(&arena);
        return false;
    }
    struct exec_warp *w = exec_warp_new(program);
    struct exec_env env = {0};
    exec_bind(w, &env);
    for (unsigned s = 0; s < 3; s++)
        for (unsigned lane = 0; lane < LANES; lane++) {
            unsigned r = v->first + s * (v->wide ? 2 : 1);
            ((uint32_t *)exec_warp_register(w, 0, r))[lane] = (uint32_t)v->source[s];
            if (v->wide)
                ((uint32_t *)exec_warp_register(w, 0, r + 1))[lane] = (uint32_t)(v->source[s] >> 32);
        }
    for (unsigned bit = 0; bit < 16 && v->flags >= 0; bit++)
        for (unsigned lane = 0; lane < LANES; lane++)
            ((uint32_t *)exec_warp_register(w, 2, bit))[lane] = v->flags >> (bit & 3) & 1 ? UINT32_MAX : 0;
    assert_int_equal(exec_run(w, 1, 1, 0), EXEC_DONE);
    struct place place = place_of(insn->word, v);
    const uint32_t *low = exec_warp_register(w, 0, place.reg), *high = exec_warp_register(w, 0, place.reg + 1);
    out->value = v->wide ? *low | (uint64_t)*high << 32 : place.half ? *low >> place.shift & 0xffff : *low;
    out->flags = place.c < 0 ? 15 : 0;
    for (unsigned bit = 0; bit < 4 && place.c >= 0; bit++)
        out->flags |= *(const uint32_t *)exec_warp_register(w, 2, (uint32_t)place.c * 4 + bit) ? 1u << bit : 0;
    exec_warp_free(w);
    weft_diags_free(diags);
    arena_free(&arena);
    return true;
}

/* ---- tables ---- */

static const char *chip_of(const char *number)
{
    static const char *const names[][2] = {{"50", "g80"}, {"84", "g84"}, {"a0", "g200"}, {"a3", "gt215"}};
    for (size_t i = 0; i < 4; i++)
        if (strncmp(number, names[i][0], 2) == 0)
            return names[i][1];
    return NULL;
}

/* The lines of a table, from its columns' names to its end or an empty line. How many are wrong. */
static unsigned check_table(FILE *f, const char *name)
{
    char line[256];
    unsigned lines = 0, wrong = 0;
    if (!fgets(line, sizeof line, f)) /* an empty table */
        return 0;
    bool special = strncmp(line, "op1,op2,fpctl,x", 15) == 0;
    const struct kind *kind = kind_of(name);
    assert_non_null(kind);
    const char *number = strchr(strchr(name, '-') + 1, '-') + 1;
    struct isa_params params = {.chip = chip_of(number), .stage = IR_COMPUTE};
    struct tesla_target target = tesla_target_of(&params);
    target.features |= strstr(name, "fp64") ? TESLA_FP64 : 0;
    while (fgets(line, sizeof line, f) && *line != '\n') {
        char *column[COLUMNS] = {0}, *p = line;
        line[strcspn(line, "\n")] = 0;
        for (unsigned i = 0; i < COLUMNS && p; i++) {
            column[i] = p;
            p = strchr(p, ',');
            if (p)
                *p++ = 0;
        }
        struct values v = {.control = (uint32_t)strtoul(column[2], NULL, 16), .flags = -1,
                           .wide = strlen(column[3]) == 16, .special = special, .first = special ? 1 : 4};
        v.op[0] = (uint32_t)strtoul(column[0], NULL, 16);
        v.op[1] = (uint32_t)strtoul(column[1], NULL, 16);
        for (unsigned i = 0; i < (special ? 1u : 3u); i++)
            v.source[i] = strtoull(column[3 + i], NULL, 16);
        if (!special && column[6][0] != '-')
            v.flags = (int)strtol(column[6], NULL, 16);
        uint64_t want = strtoull(column[special ? 4 : 7], NULL, 16);
        unsigned want_flags = special ? 15 : (unsigned)strtoul(column[8], NULL, 16);
        bool is_long = v.op[0] & 1;
        uint64_t word = v.op[0] | (is_long ? (uint64_t)v.op[1] << 32 : 0);
        /* codes without text: multiply-adds of primary opcode 7 behave as the unsigned 24-bit one */
        if (is_long && word >> 28 == (word >> 28 & ~UINT64_C(15)) + 7 && word >> 61 && (word >> 32 & 3) < 3)
            word = (word & ~(UINT64_C(7) << 61 | UINT64_C(1) << 28)) | UINT64_C(3) << 61;
        word = meaning_of(kind, word);
        struct tesla_insn insn = {.word = word, .size = is_long ? 8 : 4,
                                  .row = tesla_find_row(tesla_tables(), word & ~unnamed_of(kind, word), &target)};
        struct result got = {0};
        lines++;
        bool right = insn.row && strcmp(insn.row->mnemonic, name_of(kind, word)) == 0 &&
                     run(&insn, &target, &v, &got) && got.value == want && got.flags == want_flags;
        if (!right && wrong++ < 3)
            printf("# %s: %s %s of %s %s %s: got %llx flags %x, not %llx flags %x (%s)\n", name, column[0], column[1],
                   column[3], special ? "" : column[4], special ? "" : column[5], (unsigned long long)got.value,
                   got.flags, (unsigned long long)want, want_flags, insn.row ? insn.row->syntax : "no row");
    }
    if (wrong)
        printf("# %s: %u of %u lines are wrong\n", name, wrong, lines);
    return wrong + !lines;
}

static unsigned check_file(const char *folder, const char *name)
{
    char path[PATH_MAX + NAME_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    unsigned wrong = check_table(f, name);
    fclose(f);
    return wrong;
}

/* ---- atomics ---- */

/* A table of atomics: the word at g[] address 0, read, changed and written by lane 0; what is loaded has a '-' when
 * nothing is. */
struct atomic_case {
    uint32_t op[2];
    uint64_t memory, source[2], after, loaded;
    bool loads, wide;
};

static bool read_atomic(char *line, struct atomic_case *c)
{
    char loaded[32], memory[32];
    unsigned long long source[2], after;
    if (sscanf(line, "%" SCNx32 ",%" SCNx32 ",%31[^,],%llx,%llx,%llx,%31s", &c->op[0], &c->op[1], memory, &source[0],
               &source[1], &after, loaded) != 7)
        return false;
    c->memory = strtoull(memory, NULL, 16);
    c->source[0] = source[0];
    c->source[1] = source[1];
    c->after = after;
    c->loads = loaded[0] != '-';
    c->loaded = strtoull(loaded + !c->loads, NULL, 16);
    c->wide = strlen(memory) == 16;
    return true;
}

/* The word without the bits that nothing reads: what follows the number of g[], the $c of `always`, and the third
 * register of all but cas. */
static uint64_t atomic_word(const struct atomic_case *c)
{
    bool reduces = c->op[1] >> 29 == 6, compares = (c->op[1] >> 2 & 15) == TESLA_ATOMIC_CAS;
    uint32_t low = c->op[0] & ~(reduces ? 0x0ff00000u : 0x08000000u);
    uint32_t high = c->op[1] & ~(compares ? 0x1f003040u : 0x1f1ff040u);
    return low | (uint64_t)high << 32;
}

static bool atomic_is_right(const struct atomic_case *c, const struct tesla_target *target)
{
    static char text[] = "registers 256\n";
    struct arena arena = {0};
    struct isa_linkage linkage = {{"registers", text, strlen(text)}};
    uint64_t word = atomic_word(c);
    struct tesla_insn insns[1] = {{.word = word, .size = 8, .row = tesla_find_row(tesla_tables(), word, target)}};
    struct isa_module m = {.target = *target, .insns = insns, .ninsns = 1, .linkage = &linkage, .name = "test"};
    struct ir_program *ir = NULL;
    struct exec_program *program = NULL;
    weft_diags *diags = weft_diags_new();
    assert_int_equal(tesla_lift(&m, NULL, &arena, &ir, diags), WEFT_OK);
    for (uint32_t i = 0; i < ir->nfiles; i++)
        ir->files[i].preserved = true;
    ir_optimise(ir);
    assert_int_equal(ir_verify(ir, diags), WEFT_OK);
    assert_int_equal(exec_compile(ir, &(struct exec_options){.level = exec_best_level()}, &arena, &program, diags),
                     WEFT_OK);
    struct exec_warp *w = exec_warp_new(program);
    uint64_t memory = c->memory;
    struct exec_env env = {0};
    for (uint32_t i = 0; i < ir->nspaces; i++)
        if (ir->spaces[i].kind == IR_SPACE_GLOBAL)
            env.space[i] = (struct exec_buffer){(uint8_t *)&memory, c->wide ? 8 : 4};
    exec_bind(w, &env);
    unsigned step = c->wide ? 2 : 1, first = c->op[0] >> 16 & 127;
    bool reduces = c->op[1] >> 29 == 6;
    unsigned where[2] = {reduces ? c->op[0] >> 2 & 127 : first, c->op[1] >> 14 & 127};
    /* the third source first: where both are one register, its number is that of the second */
    for (unsigned s = 2; s-- > 0;)
        for (unsigned k = 0; k < step && where[s] + k < 128; k++)
            *(uint32_t *)exec_warp_register(w, 0, where[s] + k) = (uint32_t)(c->source[s] >> 32 * k);
    *(uint32_t *)exec_warp_register(w, 0, c->op[0] >> 9 & 127) = 0; /* the address */
    enum exec_stop stop = exec_run(w, 1, 1, 0);
    unsigned d = c->op[0] >> 2 & 127;
    uint64_t loaded = *(uint32_t *)exec_warp_register(w, 0, d);
    if (c->wide)
        loaded |= (uint64_t) * (uint32_t *)exec_warp_register(w, 0, d + 1) << 32;
    exec_warp_free(w);
    weft_diags_free(diags);
    arena_free(&arena);
    return stop == EXEC_DONE && memory == c->after && (!c->loads || loaded == c->loaded);
}

static void atomics_of_the_models(void **state)
{
    (void)state;
    const char *folder = vectors();
    unsigned wrong = 0, lines = 0;
    if (!folder)
        skip();
    DIR *dir = opendir(folder);
    for (struct dirent *e; (e = readdir(dir));) {
        char path[PATH_MAX + NAME_MAX + 2], line[256];
        if (strncmp(e->d_name, "insn-atom", 9) != 0)
            continue;
        struct isa_params params = {.chip = chip_of(strchr(e->d_name + 5, '-') + 1), .stage = IR_COMPUTE};
        struct tesla_target target = tesla_target_of(&params);
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        assert_non_null(fgets(line, sizeof line, f));
        while (fgets(line, sizeof line, f)) {
            struct atomic_case c;
            assert_true(read_atomic(line, &c));
            lines++;
            if (!atomic_is_right(&c, &target) && wrong++ < 8)
                printf("# %s: %s", e->d_name, line);
        }
        fclose(f);
    }
    closedir(dir);
    printf("# %u atomics\n", lines);
    assert_int_equal(wrong, 0);
}

/* Signs, and operands of 8 and 16 bits: 7 is s32, 0 to 3 are u8, s8, u16 and s16. */
static void atomics_of_old_chips(void **state)
{
    (void)state;
    static const struct {
        uint8_t operation, size;
        uint32_t memory, operand, after, loaded;
    } cases[] = {
#include "old_atomics.inc"
    };
    struct isa_params params = {.chip = "g84", .stage = IR_COMPUTE};
    struct tesla_target target = tesla_target_of(&params);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t code = (uint32_t)cases[i].operation << 2 | (uint32_t)cases[i].size << 21;
        struct atomic_case c = {{0xd005001d, 0xe00007c0 | code}, cases[i].memory, {cases[i].operand},
                                cases[i].after,                  cases[i].loaded, true};
        if (!atomic_is_right(&c, &target))
            fail_msg("operation %u, size %u, %08x, %08x", cases[i].operation, cases[i].size, cases[i].memory,
                     cases[i].operand);
        c.op[1] &= ~0x20000000u; /* a reduction: its operand is where an atomic's result is */
        c.op[0] = 0xd000001d;
        c.loads = false;
        assert_true(atomic_is_right(&c, &target));
    }
}

static void instructions_of_the_models(void **state)
{
    (void)state;
    const char *folder = vectors();
    unsigned wrong = 0, files = 0;
    if (!folder)
        skip();
    DIR *dir = opendir(folder);
    for (struct dirent *e; (e = readdir(dir));) {
        if (strncmp(e->d_name, "insn-", 5) != 0 || strstr(e->d_name, "atom"))
            continue;
        wrong += check_file(folder, e->d_name);
        files++;
    }
    closedir(dir);
    assert_true(files > 10);
    assert_int_equal(wrong, 0);
}

/* models.csv: "# name" before each table, an empty line after it. */
static void lines_of_the_models(void **state)
{
    (void)state;
    char name[256];
    unsigned wrong = 0, tables = 0;
    FILE *f = fopen(WEFT_SOURCE_ROOT "/tests/tesla/models.csv", "r");
    assert_non_null(f);
    while (fgets(name, sizeof name, f)) {
        name[strcspn(name, "\n")] = '\0';
        assert_true(strncmp(name, "# insn-", 7) == 0);
        wrong += check_table(f, name + 2);
        tables++;
    }
    fclose(f);
    assert_true(tables > 40);
    assert_int_equal(wrong, 0);
}

TEST_MAIN(TEST(lines_of_the_models), TEST(instructions_of_the_models), TEST(atomics_of_the_models),
          TEST(atomics_of_old_chips))
