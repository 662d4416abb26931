/* The opcode and name tables against what the document and Mesa 22.3.6 list. */
#include "test.h"

#include "isa/tgsi/tgsi.h"

#define C(name, dst, src, tex) {#name, dst, src, tex},

/* Every opcode of Mesa 22.3.6 in the order of its numbers: destinations, sources, texture target. */
static const struct {
    const char *name;
    int ndst, nsrc, texture;
} current[] = {
    C(ARL, 1, 1, 0) C(MOV, 1, 1, 0) C(LIT, 1, 1, 0) C(RCP, 1, 1, 0) C(RSQ, 1, 1, 0) C(EXP, 1, 1, 0) C(LOG, 1, 1, 0)
    C(MUL, 1, 2, 0) C(ADD, 1, 2, 0) C(DP3, 1, 2, 0) C(DP4, 1, 2, 0) C(DST, 1, 2, 0) C(MIN, 1, 2, 0) C(MAX, 1, 2, 0)
    C(SLT, 1, 2, 0) C(SGE, 1, 2, 0) C(MAD, 1, 3, 0) C(TEX_LZ, 1, 2, 1) C(LRP, 1, 3, 0) C(FMA, 1, 3, 0)
    C(SQRT, 1, 1, 0) C(LDEXP, 1, 2, 0) C(F2U64, 1, 1, 0) C(F2I64, 1, 1, 0) C(FRC, 1, 1, 0) C(TXF_LZ, 1, 2, 1)
    C(FLR, 1, 1, 0) C(ROUND, 1, 1, 0) C(EX2, 1, 1, 0) C(LG2, 1, 1, 0) C(POW, 1, 2, 0) C(DEMOTE, 0, 0, 0)
    C(U2I64, 1, 1, 0) C(CLOCK, 1, 0, 0) C(I2I64, 1, 1, 0) C(READ_HELPER, 1, 0, 0) C(COS, 1, 1, 0) C(DDX, 1, 1, 0)
    C(DDY, 1, 1, 0) C(KILL, 0, 0, 0) C(PK2H, 1, 1, 0) C(PK2US, 1, 1, 0) C(PK4B, 1, 1, 0) C(PK4UB, 1, 1, 0)
    C(D2U64, 1, 1, 0) C(SEQ, 1, 2, 0) C(D2I64, 1, 1, 0) C(SGT, 1, 2, 0) C(SIN, 1, 1, 0) C(SLE, 1, 2, 0)
    C(SNE, 1, 2, 0) C(U642D, 1, 1, 0) C(TEX, 1, 2, 1) C(TXD, 1, 4, 1) C(TXP, 1, 2, 1) C(UP2H, 1, 1, 0)
    C(UP2US, 1, 1, 0) C(UP4B, 1, 1, 0) C(UP4UB, 1, 1, 0) C(U642F, 1, 1, 0) C(I642F, 1, 1, 0) C(ARR, 1, 1, 0)
    C(I642D, 1, 1, 0) C(CAL, 0, 0, 0) C(RET, 0, 0, 0) C(SSG, 1, 1, 0) C(CMP, 1, 3, 0) C(TXB, 1, 2, 1)
    C(FBFETCH, 1, 1, 0) C(DIV, 1, 2, 0) C(DP2, 1, 2, 0) C(TXL, 1, 2, 1) C(BRK, 0, 0, 0) C(IF, 0, 1, 0)
    C(UIF, 0, 1, 0) C(READ_INVOC, 1, 2, 0) C(ELSE, 0, 0, 0) C(ENDIF, 0, 0, 0) C(DDX_FINE, 1, 1, 0)
    C(DDY_FINE, 1, 1, 0) C(CEIL, 1, 1, 0) C(I2F, 1, 1, 0) C(NOT, 1, 1, 0) C(TRUNC, 1, 1, 0) C(SHL, 1, 2, 0)
    C(BALLOT, 1, 1, 0) C(AND, 1, 2, 0) C(OR, 1, 2, 0) C(MOD, 1, 2, 0) C(XOR, 1, 2, 0) C(TXF, 1, 2, 1)
    C(TXQ, 1, 2, 1) C(CONT, 0, 0, 0) C(EMIT, 0, 1, 0) C(ENDPRIM, 0, 1, 0) C(BGNLOOP, 0, 0, 0) C(BGNSUB, 0, 0, 0)
    C(ENDLOOP, 0, 0, 0) C(ENDSUB, 0, 0, 0) C(ATOMFADD, 1, 3, 0) C(TXQS, 1, 1, 1) C(RESQ, 1, 1, 0)
    C(READ_FIRST, 1, 1, 0) C(NOP, 0, 0, 0) C(FSEQ, 1, 2, 0) C(FSGE, 1, 2, 0) C(FSLT, 1, 2, 0) C(FSNE, 1, 2, 0)
    C(MEMBAR, 0, 1, 0) C(KILL_IF, 0, 1, 0) C(END, 0, 0, 0) C(DFMA, 1, 3, 0) C(F2I, 1, 1, 0) C(IDIV, 1, 2, 0)
    C(IMAX, 1, 2, 0) C(IMIN, 1, 2, 0) C(INEG, 1, 1, 0) C(ISGE, 1, 2, 0) C(ISHR, 1, 2, 0) C(ISLT, 1, 2, 0)
    C(F2U, 1, 1, 0) C(U2F, 1, 1, 0) C(UADD, 1, 2, 0) C(UDIV, 1, 2, 0) C(UMAD, 1, 3, 0) C(UMAX, 1, 2, 0)
    C(UMIN, 1, 2, 0) C(UMOD, 1, 2, 0) C(UMUL, 1, 2, 0) C(USEQ, 1, 2, 0) C(USGE, 1, 2, 0) C(USHR, 1, 2, 0)
    C(USLT, 1, 2, 0) C(USNE, 1, 2, 0) C(SWITCH, 0, 1, 0) C(CASE, 0, 1, 0) C(DEFAULT, 0, 0, 0) C(ENDSWITCH, 0, 0, 0)
    C(SAMPLE, 1, 3, 0) C(SAMPLE_I, 1, 2, 0) C(SAMPLE_I_MS, 1, 3, 0) C(SAMPLE_B, 1, 4, 0) C(SAMPLE_C, 1, 4, 0)
    C(SAMPLE_C_LZ, 1, 4, 0) C(SAMPLE_D, 1, 5, 0) C(SAMPLE_L, 1, 4, 0) C(GATHER4, 1, 3, 0) C(SVIEWINFO, 1, 2, 0)
    C(SAMPLE_POS, 1, 2, 0) C(SAMPLE_INFO, 1, 2, 0) C(UARL, 1, 1, 0) C(UCMP, 1, 3, 0) C(IABS, 1, 1, 0)
    C(ISSG, 1, 1, 0) C(LOAD, 1, 2, 0) C(STORE, 1, 2, 0) C(IMG2HND, 1, 1, 0) C(SAMP2HND, 1, 1, 1) C(BARRIER, 0, 0, 0)
    C(ATOMUADD, 1, 3, 0) C(ATOMXCHG, 1, 3, 0) C(ATOMCAS, 1, 4, 0) C(ATOMAND, 1, 3, 0) C(ATOMOR, 1, 3, 0)
    C(ATOMXOR, 1, 3, 0) C(ATOMUMIN, 1, 3, 0) C(ATOMUMAX, 1, 3, 0) C(ATOMIMIN, 1, 3, 0) C(ATOMIMAX, 1, 3, 0)
    C(TEX2, 1, 3, 1) C(TXB2, 1, 3, 1) C(TXL2, 1, 3, 1) C(IMUL_HI, 1, 2, 0) C(UMUL_HI, 1, 2, 0) C(TG4, 1, 3, 1)
    C(LODQ, 1, 2, 1) C(IBFE, 1, 3, 0) C(UBFE, 1, 3, 0) C(BFI, 1, 4, 0) C(BREV, 1, 1, 0) C(POPC, 1, 1, 0)
    C(LSB, 1, 1, 0) C(IMSB, 1, 1, 0) C(UMSB, 1, 1, 0) C(INTERP_CENTROID, 1, 1, 0) C(INTERP_SAMPLE, 1, 2, 0)
    C(INTERP_OFFSET, 1, 2, 0) C(F2D, 1, 1, 0) C(D2F, 1, 1, 0) C(DABS, 1, 1, 0) C(DNEG, 1, 1, 0) C(DADD, 1, 2, 0)
    C(DMUL, 1, 2, 0) C(DMAX, 1, 2, 0) C(DMIN, 1, 2, 0) C(DSLT, 1, 2, 0) C(DSGE, 1, 2, 0) C(DSEQ, 1, 2, 0)
    C(DSNE, 1, 2, 0) C(DRCP, 1, 1, 0) C(DSQRT, 1, 1, 0) C(DMAD, 1, 3, 0) C(DFRAC, 1, 1, 0) C(DLDEXP, 1, 2, 0)
    C(DFRACEXP, 2, 1, 0) C(D2I, 1, 1, 0) C(I2D, 1, 1, 0) C(D2U, 1, 1, 0) C(U2D, 1, 1, 0) C(DRSQ, 1, 1, 0)
    C(DTRUNC, 1, 1, 0) C(DCEIL, 1, 1, 0) C(DFLR, 1, 1, 0) C(DROUND, 1, 1, 0) C(DSSG, 1, 1, 0) C(VOTE_ANY, 1, 1, 0)
    C(VOTE_ALL, 1, 1, 0) C(VOTE_EQ, 1, 1, 0) C(U64SEQ, 1, 2, 0) C(U64SNE, 1, 2, 0) C(I64SLT, 1, 2, 0)
    C(U64SLT, 1, 2, 0) C(I64SGE, 1, 2, 0) C(U64SGE, 1, 2, 0) C(I64MIN, 1, 2, 0) C(U64MIN, 1, 2, 0)
    C(I64MAX, 1, 2, 0) C(U64MAX, 1, 2, 0) C(I64ABS, 1, 1, 0) C(I64SSG, 1, 1, 0) C(I64NEG, 1, 1, 0)
    C(U64ADD, 1, 2, 0) C(U64MUL, 1, 2, 0) C(U64SHL, 1, 2, 0) C(I64SHR, 1, 2, 0) C(U64SHR, 1, 2, 0)
    C(I64DIV, 1, 2, 0) C(U64DIV, 1, 2, 0) C(I64MOD, 1, 2, 0) C(U64MOD, 1, 2, 0) C(DDIV, 1, 2, 0) C(LOD, 1, 3, 0)
    C(ATOMINC_WRAP, 1, 3, 0) C(ATOMDEC_WRAP, 1, 3, 0)
};

/* Every opcode that has an entry in the source document. */
static const char *const documented[] = {
    "ARL", "MOV", "LIT", "RCP", "RSQ", "SQRT", "EXP", "LOG", "MUL", "ADD", "DP3", "DP4", "DST", "MIN", "MAX", "SLT",
    "SGE", "MAD", "SUB", "LRP", "CND", "DP2A", "FRC", "CLAMP", "FLR", "ROUND", "EX2", "LG2", "POW", "XPD", "ABS",
    "RCC", "DPH", "COS", "DDX", "DDY", "PK2H", "PK2US", "PK4B", "PK4UB", "RFL", "SEQ", "SFL", "SGT", "SIN", "SLE",
    "SNE", "STR", "TEX", "TXD", "TXP", "UP2H", "UP2US", "UP4B", "UP4UB", "X2D", "ARA", "ARR", "SSG", "CMP",
    "KILL_IF", "KILL", "SCS", "TXB", "NRM", "DIV", "DP2", "TXL", "PUSHA", "POPA", "BRA", "CALLNZ", "CEIL", "TRUNC",
    "MOD", "UARL", "SAD", "TXF", "TXQ", "I2F", "U2F", "F2I", "F2U", "UADD", "UMAD", "UMUL", "IDIV", "UDIV", "UMOD",
    "NOT", "AND", "OR", "XOR", "IMAX", "UMAX", "IMIN", "UMIN", "SHL", "ISHR", "USHR", "UCMP", "ISSG", "ISLT",
    "USLT", "ISGE", "USGE", "USEQ", "USNE", "INEG", "IABS", "EMIT", "ENDPRIM", "CAL", "RET", "CONT", "BGNLOOP",
    "BGNSUB", "ENDLOOP", "ENDSUB", "NOP", "BRK", "BREAKC", "IF", "UIF", "ELSE", "ENDIF", "SWITCH", "CASE",
    "DEFAULT", "ENDSWITCH", "NRM4", "DADD", "DDIV", "DSEQ", "DSLT", "DFRAC", "DFRACEXP", "DLDEXP", "DMIN", "DMAX",
    "DMUL", "DMAD", "DRCP", "DSQRT", "SAMPLE", "SAMPLE_I", "SAMPLE_I_MS", "SAMPLE_B", "SAMPLE_C", "SAMPLE_C_LZ",
    "SAMPLE_D", "SAMPLE_L", "GATHER4", "SVIEWINFO", "SAMPLE_POS", "SAMPLE_INFO", "LOAD", "STORE", "MFENCE",
    "LFENCE", "SFENCE", "BARRIER", "ATOMUADD", "ATOMXCHG", "ATOMCAS", "ATOMAND", "ATOMOR", "ATOMXOR", "ATOMUMIN",
    "ATOMUMAX", "ATOMIMIN", "ATOMIMAX",
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct tgsi_row *row_of(const char *name)
{
    int row = tgsi_find_row(name, strlen(name));
    if (row < 0)
        fail_msg("no row for %s", name);
    return &tgsi_rows[row];
}

static void current_opcodes_have_rows(void **state)
{
    (void)state;
    assert_int_equal(COUNT(current), 244);
    int last = -1;
    for (size_t i = 0; i < COUNT(current); i++) {
        const struct tgsi_row *row = row_of(current[i].name);
        if (row->ndst != current[i].ndst || row->nsrc != current[i].nsrc || row->texture != current[i].texture)
            fail_msg("%s: %d/%d operands, texture %d", row->name, row->ndst, row->nsrc, row->texture);
        if (row->number <= last || row->number > 251)
            fail_msg("%s: number %d after %d", row->name, row->number, last);
        last = row->number;
    }
    assert_int_equal(last, 251);
}

/* Opcodes that Gallium had once, with the numbers of their time (Mesa 7 to 11); tokens hold 256 more. */
static void former_opcodes_keep_their_numbers(void **state)
{
    static const struct {
        const char *name;
        int number;
    } former[] = {
        {"SUB", 17}, {"CND", 19}, {"DP2A", 21}, {"CLAMP", 25}, {"XPD", 31},  {"ABS", 33},     {"RCC", 34},
        {"DPH", 35}, {"RFL", 44}, {"SFL", 46},  {"STR", 51},   {"X2D", 59},  {"ARA", 60},     {"BRA", 62},
        {"NRM", 69}, {"NRM4", 112}, {"MFENCE", 163}, {"LFENCE", 164},
    };
    size_t found = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(former); i++)
        if (row_of(former[i].name)->number != 256 + former[i].number)
            fail_msg("%s: number %d", former[i].name, row_of(former[i].name)->number);
    for (uint32_t i = 0; i < tgsi_row_count; i++)
        found += tgsi_rows[i].number >= 256;
    assert_int_equal(found, COUNT(former));
}

static void documented_opcodes_have_rows(void **state)
{
    (void)state;
    assert_int_equal(COUNT(documented), 172);
    for (size_t i = 0; i < COUNT(documented); i++)
        row_of(documented[i]);
    for (uint32_t i = 0; i < tgsi_row_count; i++) {
        bool found = false;
        for (size_t j = 0; j < COUNT(documented) && !found; j++)
            found = strcmp(documented[j], tgsi_rows[i].name) == 0;
        if (tgsi_rows[i].provenance == ISA_DOCUMENTED && !found)
            fail_msg("%s is not in the document", tgsi_rows[i].name);
    }
}

static void rows_make_sense(void **state)
{
    (void)state;
    assert_int_equal(tgsi_row_count, 269);
    for (uint32_t i = 0; i < tgsi_row_count; i++) {
        const struct tgsi_row *row = &tgsi_rows[i];
        assert_true(row->ndst <= 2 && row->nsrc <= 5);
        assert_true(strlen(row->name) <= 15 && row->group && row->doc && row->doc[0]);
        for (int s = row->nsrc; s < 5; s++)
            assert_int_equal(row->src_type[s], TGSI_T_NONE);
        for (uint32_t j = 0; j < i; j++) {
            assert_int_not_equal(row->number, tgsi_rows[j].number);
            assert_string_not_equal(row->name, tgsi_rows[j].name);
        }
    }
}

static void every_row_is_found_in_any_case(void **state)
{
    (void)state;
    assert_null(tgsi_table_fault());
    for (uint32_t i = 0; i < tgsi_row_count; i++) {
        const char *name = tgsi_rows[i].name;
        size_t n = strlen(name);
        char lower[16];
        for (size_t k = 0; k <= n; k++)
            lower[k] = name[k] >= 'A' && name[k] <= 'Z' ? (char)(name[k] + 32) : name[k];
        assert_int_equal(tgsi_find_row(name, n), i);
        assert_int_equal(tgsi_find_row(lower, n), i);
        assert_true(tgsi_find_row(name, n - 1) != (int)i);
    }
    assert_string_equal(tgsi_rows[tgsi_find_row("kil", 3)].name, "KILL_IF");
    assert_int_equal(tgsi_find_row("MAAD", 4), -1);
    assert_int_equal(tgsi_find_row("", 0), -1);
    assert_int_equal(tgsi_find_row("A_NAME_LONGER_THAN_ANY_MNEMONIC", 31), -1);
}

static int name_index(const char *const *names, const char *name)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static void names_have_the_numbers_of_gallium(void **state)
{
    (void)state;
    assert_string_equal(tgsi_file_names[TGSI_HW_ATOMIC], "HWATOMIC");
    assert_string_equal(tgsi_file_names[TGSI_PREDICATE], "PRED");
    assert_string_equal(tgsi_target_names[TGSI_TEX_SHADOWCUBE], "SHADOWCUBE");
    assert_string_equal(tgsi_target_names[TGSI_TEX_UNKNOWN], "UNKNOWN");
    assert_int_equal(name_index(tgsi_semantic_names, "TEXCOORD"), 19);
    assert_int_equal(name_index(tgsi_semantic_names, "VIEWPORT_MASK"), 46);
    assert_int_equal(name_index(tgsi_semantic_names, "CULLDIST"), 49);
    assert_int_equal(name_index(tgsi_property_names, "NEXT_SHADER"), TGSI_NEXT_SHADER);
    assert_int_equal(name_index(tgsi_property_names, "SEPARABLE_PROGRAM"), 28);
    assert_int_equal(name_index(gallium_format_names, "PIPE_FORMAT_R32_FLOAT"), 13);
    assert_int_equal(name_index(gallium_format_names, "PIPE_FORMAT_G16R16_SINT"), 418);
    assert_string_equal(tgsi_property_words(TGSI_NEXT_SHADER)[4], "FRAG");
    assert_null(tgsi_property_words(TGSI_GS_MAX_OUTPUT_VERTICES));
}

TEST_MAIN(TEST(current_opcodes_have_rows), TEST(former_opcodes_keep_their_numbers),
          TEST(documented_opcodes_have_rows), TEST(rows_make_sense),
          TEST(every_row_is_found_in_any_case), TEST(names_have_the_numbers_of_gallium))
