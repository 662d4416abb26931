/* names.c - the words of Valhall text by the numbers that encode them. */
#include "isa/valhall/names.h"

#include <assert.h>

/* ---- modifiers: NULL is reserved ---- */

static const char *const clamps[] = {"none", "clamp_0_inf", "clamp_m1_1", "clamp_0_1"};
static const char *const rounds[] = {"rte", "rtp", "rtn", "rtz"};
static const char *const conditions[] = {"eq", "gt", "ge", "ne", "lt", "le", "gtlt", "total"};
static const char *const result_types[] = {"i1", "f1", "m1", "u1"};
static const char *const muxes[] = {"neg", "int_zero", "fp_zero", "bit"};
static const char *const subgroups[16] = {"subgroup2", "subgroup4", "subgroup8", "subgroup16"};
static const char *const lane_ops[] = {"none", "xor", "accumulate", "shift"};
static const char *const inactive_results[] = {"zero",   "umax",   "i1", "v2i1", "smin", "smax", "v2smin", "v2smax",
                                               "v4smin", "v4smax", "f1", "v2f1", "infn", "inf",  "v2infn", "v2inf"};
static const char *const slots[8] = {"slot0", "slot1", "slot2", [7] = "slot7"};
static const char *const vector_sizes[] = {"none", "v2", "v3", "v4"};
static const char *const register_formats[] = {"auto", NULL, "f32", "f16", "s32", "s16", "u32", "u16"};
static const char *const source_formats[16] = {"src_flat32", "src_flat16", "src_f32", "src_f16"};
static const char *const samples[] = {"center", "centroid", "sample", "explicit"};
static const char *const updates[] = {"store", "retrieve", NULL, "clobber"};
static const char *const sample_updates[] = {"center_store",   "centroid_store", "sample_store",
                                             "explicit_store", "center_clobber", NULL,
                                             "sample_clobber", "retrieve"};
static const char *const memory_accesses[] = {"none", "istream", "estream", "force"};
static const char *const memory_accesses_cvt[8] = {"none", "istream", "estream", "force"};
static const char *const load_lanes_8[] = {"b0", "b1", "b2", "b3", "h0", "h1", "w0", "d0"};
static const char *const load_lanes_16[8] = {"h0", "h1", "w0", "d0"};
static const char *const load_lanes_24[8] = {"identity"};
static const char *const load_lanes_32[8] = {"w0", "d0"};
static const char *const load_lanes_48[8] = {[4] = "identity"};
static const char *const load_lanes_64[8] = {[7] = "identity"};
static const char *const load_lanes_96[8] = {[6] = "identity"};
static const char *const load_lanes_128[8] = {[7] = "identity"};
static const char *const atom_ops[16] = {[2] = "aadd",  [8] = "asmin", [9] = "asmax", [10] = "aumin", [11] = "aumax",
                                         [12] = "aand", [13] = "aor",  [14] = "axor", [15] = "axchg"};
static const char *const atom_1_ops[16] = {"ainc", "adec", "aumax1", "asmax1", "aor1"};
static const char *const register_types[] = {NULL, "f", "u", "s"};
static const char *const register_widths[] = {"16", "32"};
static const char *const vartex_widths[] = {"16", "32", "16.32", "32.32"};
static const char *const write_masks[] = {NULL, "r",  "g",  "rg",  "b",  "rb",  "gb",  "rgb",
                                          "a",  "ra", "ga", "rga", "ba", "rba", "gba", "rgba"};
static const char *const dimensions[] = {"1d", "2d", "3d", "cube"};
static const char *const fetch_components[] = {"gather4_r", "gather4_g", "gather4_b", "gather4_a"};
static const char *const lod_modes[8] = {"zero", "computed", NULL, NULL, "explicit", "computed_bias", "grdesc"};

#define NO_WORDS                     NULL
#define REQUIRED                     (-1)
#define FIELD(id, name_, at_, size_) [VALHALL_FIELD_##id] = {.name = name_, .at = at_, .size = size_},
#define IMMEDIATE(id, name_, at_, size_, role_)                                                                        \
    [VALHALL_IMM_##id] = {.name = name_,                                                                               \
                          .at = at_,                                                                                   \
                          .size = size_,                                                                               \
                          .role = VALHALL_ROLE_##role_,                                                                \
                          .is_signed = VALHALL_ROLE_##role_ == VALHALL_ROLE_SIGNED_OFFSET ||                           \
                                       VALHALL_ROLE_##role_ == VALHALL_ROLE_BRANCH_TARGET},
#define MODIFIER(id, name_, at_, size_, words_, initial_)                                                              \
    [VALHALL_MOD_##id] = {                                                                                             \
        .name = name_, .at = at_, .size = size_, .role = VALHALL_ROLE_MODIFIER, .words = words_, .initial = initial_},
const struct valhall_field valhall_fields[VALHALL_FIELD_IDS] = {
#include "isa/valhall/fields.inc"
};
#undef FIELD
#undef IMMEDIATE
#undef MODIFIER

/* As many words as the field has numbers: a shorter array would be read past its end. */
#define FIELD(...)
#define IMMEDIATE(...)
#define MODIFIER(id, name, at, size, words, initial)                                                                   \
    static_assert(sizeof(words) == sizeof(void *) || sizeof(words) == sizeof(char *) << (size), name);
#include "isa/valhall/fields.inc"
#undef FIELD
#undef IMMEDIATE
#undef MODIFIER

/* ---- flow control ---- */

const char *const valhall_flow_names[16] = {"none",   "wait0",   "wait1",    "wait01", "wait2",      "wait02",
                                            "wait12", "wait012", "wait0126", "wait",   "reconverge", NULL,
                                            NULL,     "discard", NULL,       "end"};

uint8_t valhall_waits(unsigned flow)
{
    if (flow < VALHALL_WAIT0126)
        return (uint8_t)flow;
    return flow == VALHALL_WAIT0126 ? 0x47 : flow == VALHALL_WAIT ? 0xc7 : 0;
}

/* By the words of load_lanes_8 and load_lanes_16, and the first two of load_lanes_32. */
struct valhall_part valhall_loaded_part(const struct valhall_insn *insn)
{
    static const struct valhall_part bytes[8] = {{0, 8}, {8, 8}, {16, 8}, {24, 8}, {0, 16}, {16, 16}, {0, 32}, {0, 64}},
                                     halves[8] = {{0, 16}, {16, 16}, {0, 32}, {0, 64}}, words[8] = {{0, 32}, {0, 64}};
    static const struct {
        uint8_t modifier;
        const struct valhall_part *parts;
    } loads[] = {{VALHALL_MOD_LANE_I8, bytes}, {VALHALL_MOD_LANE_I16, halves}, {VALHALL_MOD_LANE_I32, words}};
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++)
        if (valhall_has_modifier(insn->row, loads[i].modifier))
            return loads[i].parts[valhall_mod(insn, loads[i].modifier)];
    return (struct valhall_part){0, 0};
}

/* ---- operands ---- */

const uint32_t valhall_constants[32] = {
    0x00000000, 0xFFFFFFFF, 0x7FFFFFFF, 0xFAFCFDFE, 0x01000000, 0x80002000, 0x70605030, 0xC0B0A090,
    0x03020100, 0x07060504, 0x0B0A0908, 0x0F0E0D0C, 0x13121110, 0x17161514, 0x1B1A1918, 0x1F1E1D1C,
    0x3F800000, 0x3DCCCCCD, 0x3EA2F983, 0x3F317218, 0x40490FDB, 0x00000000, 0x477FFF00, 0x5C005BF8,
    0x2E660000, 0x34000000, 0x38000000, 0x3C000000, 0x40000000, 0x44000000, 0x48000000, 0x42480000,
};

const char *const valhall_special_names[VALHALL_SPECIALS] = {
    [VALHALL_WARP_ID] = "warp_id",
    [VALHALL_FRAMEBUFFER_SIZE] = "framebuffer_size",
    [VALHALL_ATEST_DATUM] = "atest_datum",
    [VALHALL_SAMPLE_POSITIONS] = "sample",
    [VALHALL_BLEND_DESCRIPTOR_0] = "blend_descriptor_0",
    [VALHALL_BLEND_DESCRIPTOR_0 + 1] = "blend_descriptor_1",
    [VALHALL_BLEND_DESCRIPTOR_0 + 2] = "blend_descriptor_2",
    [VALHALL_BLEND_DESCRIPTOR_0 + 3] = "blend_descriptor_3",
    [VALHALL_BLEND_DESCRIPTOR_0 + 4] = "blend_descriptor_4",
    [VALHALL_BLEND_DESCRIPTOR_0 + 5] = "blend_descriptor_5",
    [VALHALL_BLEND_DESCRIPTOR_0 + 6] = "blend_descriptor_6",
    [VALHALL_BLEND_DESCRIPTOR_7] = "blend_descriptor_7",
    [VALHALL_THREAD_LOCAL_POINTER] = "thread_local_pointer",
    [VALHALL_WORKGROUP_LOCAL_POINTER] = "workgroup_local_pointer",
    [VALHALL_RESOURCE_TABLE_POINTER] = "resource_table_pointer",
    [VALHALL_LANE_ID] = "lane_id",
    [VALHALL_CORE_ID] = "core_id",
    [VALHALL_PROGRAM_COUNTER] = "program_counter",
};

/* clang-format off */
#define AS_IS(word) {.name = word, .text = "." word}
#define PICK1(part, a) {#part #a, part##_BITS, 1, {a}, "." #part #a}
#define PICK2(part, a, b) {#part #a #b, part##_BITS, 2, {a, b}, "." #part #a #b}
#define PICK4(a, b, c, d) {"b" #a #b #c #d, b_BITS, 4, {a, b, c, d}, ".b" #a #b #c #d}
/* clang-format on */
enum { b_BITS = 8, h_BITS = 16, w_BITS = 32 };

static const struct valhall_pick widen[4] = {AS_IS("none"), PICK1(h, 0), PICK1(h, 1)};
static const struct valhall_pick swizzle8[16] = {
    PICK4(0, 1, 2, 3), PICK4(3, 2, 1, 0), PICK4(0, 1, 0, 1), PICK4(2, 3, 2, 3), PICK4(0, 0, 0, 0), PICK4(1, 1, 1, 1),
    PICK4(2, 2, 2, 2), PICK4(3, 3, 3, 3), PICK4(2, 3, 0, 1), PICK4(1, 0, 3, 2), PICK4(0, 0, 1, 1), PICK4(2, 2, 3, 3),
};
static const struct valhall_pick swizzle16[16] = {
    PICK2(h, 0, 0), PICK2(h, 1, 0), PICK2(h, 0, 1), PICK2(h, 1, 1), PICK2(b, 0, 0), PICK2(b, 2, 0), PICK2(b, 0, 2),
    PICK2(b, 2, 2), PICK2(b, 1, 1), PICK2(b, 3, 1), PICK2(b, 1, 3), PICK2(b, 3, 3), PICK2(b, 0, 1), PICK2(b, 2, 3),
};
/* The first eight of these serve 32-bit operands. */
static const struct valhall_pick swizzle64[16] = {
    AS_IS("none"), {0}, PICK1(h, 0), PICK1(h, 1), PICK1(b, 0), PICK1(b, 1), PICK1(b, 2), PICK1(b, 3), PICK1(w, 0),
};
static const struct valhall_pick swizzle32[16] = {
    AS_IS("none"), {0}, PICK1(h, 0), PICK1(h, 1), PICK1(b, 0), PICK1(b, 1), PICK1(b, 2), PICK1(b, 3),
};
static const struct valhall_pick lanes8[16] = {
    [0] = PICK2(b, 0, 2), [4] = PICK2(b, 0, 0),  PICK2(b, 1, 1), PICK2(b, 2, 2),
    PICK2(b, 3, 3),       [10] = PICK2(b, 0, 1), PICK2(b, 2, 3),
};
static const struct valhall_pick half8[16] = {
    PICK2(b, 0, 0), PICK2(b, 1, 0), PICK2(b, 2, 0), PICK2(b, 3, 0), PICK2(b, 0, 1), PICK2(b, 1, 1),
    PICK2(b, 2, 1), PICK2(b, 3, 1), PICK2(b, 0, 2), PICK2(b, 1, 2), PICK2(b, 2, 2), PICK2(b, 3, 2),
    PICK2(b, 0, 3), PICK2(b, 1, 3), PICK2(b, 2, 3), PICK2(b, 3, 3),
};
static const struct valhall_pick lane8[4] = {PICK1(b, 0), PICK1(b, 1), PICK1(b, 2), PICK1(b, 3)};
static const struct valhall_pick lane16[2] = {PICK1(h, 0), PICK1(h, 1)};
static const struct valhall_pick combine[8] = {AS_IS("none"), PICK1(h, 0), PICK1(h, 1), AS_IS("and"), AS_IS("lowbits")};

#define FIELDS(name) {name, name "_a", name "_b", name "_c", name "_d"}
const char *const valhall_select_names[VALHALL_SELECTS][1 + VALHALL_SOURCES] = {
    [VALHALL_SELECT_WIDEN] = FIELDS("widen"), [VALHALL_SELECT_SWIZZLE16_2] = FIELDS("swizzle"),
    [VALHALL_SELECT_SWIZZLE8] = FIELDS("swizzle"), [VALHALL_SELECT_SWIZZLE16] = FIELDS("swizzle"),
    [VALHALL_SELECT_SWIZZLE32] = FIELDS("swizzle"), [VALHALL_SELECT_SWIZZLE64] = FIELDS("swizzle"),
    [VALHALL_SELECT_LANES8] = FIELDS("lanes"), [VALHALL_SELECT_HALF8] = FIELDS("halves"),
    [VALHALL_SELECT_LANE8] = FIELDS("lane"), [VALHALL_SELECT_LANE16] = FIELDS("lane"),
    [VALHALL_SELECT_COMBINE] = FIELDS("combine"),
};
#undef FIELDS

const struct valhall_picks valhall_picks[VALHALL_SELECTS] = {
    [VALHALL_SELECT_WIDEN] = {widen, 2, 0},         [VALHALL_SELECT_SWIZZLE16_2] = {swizzle16, 2, 2},
    [VALHALL_SELECT_SWIZZLE8] = {swizzle8, 4, 0},   [VALHALL_SELECT_SWIZZLE16] = {swizzle16, 4, 2},
    [VALHALL_SELECT_SWIZZLE32] = {swizzle32, 4, 0}, [VALHALL_SELECT_SWIZZLE64] = {swizzle64, 4, 0},
    [VALHALL_SELECT_LANES8] = {lanes8, 4, -1},      [VALHALL_SELECT_HALF8] = {half8, 4, -1},
    [VALHALL_SELECT_LANE8] = {lane8, 2, -1},        [VALHALL_SELECT_LANE16] = {lane16, 1, -1},
    [VALHALL_SELECT_COMBINE] = {combine, 3, 0},
};
