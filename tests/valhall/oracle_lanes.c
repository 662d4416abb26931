/* oracle_lanes.c - CLPER and WMASK as plain scalar C: which lane each looks at, and what an inactive one gives. */
#include "oracle.h"

#include <string.h>

static unsigned subgroup(const struct oracle_insn *insn)
{
    unsigned size = 2;
    for (unsigned k = (unsigned)oracle_bits(insn, 36, 4); k && size < ORACLE_LANES; k--)
        size *= 2;
    return size;
}

/* The description's enumeration "Inactive result". */
static uint32_t inactive(const struct oracle_insn *insn)
{
    static const uint32_t values[16] = {0x00000000, 0xFFFFFFFF, 0x00000001, 0x00010001, 0x80000000, 0x7FFFFFFF,
                                        0x80008000, 0x7FFF7FFF, 0x80808080, 0x7F7F7F7F, 0x3F800000, 0x3C003C00,
                                        0xFF800000, 0x7F800000, 0xFC00FC00, 0x7C007C00};
    return values[(unsigned)oracle_bits(insn, 22, 4)];
}

/* The lane that `lane` looks at, -1: none of its subgroup, -2: nobody says. */
static int other_lane(const struct oracle_insn *insn, unsigned lane, int64_t by)
{
    unsigned size = subgroup(insn), first = lane - lane % size, within = (unsigned)by & (size - 1);
    int64_t at = (int64_t)lane + by;
    bool outside = by < 0 || by >= (int64_t)size;
    switch (oracle_bits(insn, 32, 2)) {
    case LANE_XOR:
        return outside ? -1 : (int)(lane ^ within);
    case LANE_SHIFT:
        return at >= (int64_t)first && at < (int64_t)(first + size) ? (int)at : -1;
    case LANE_ACCUMULATE:
        if (!within || (within & (within - 1)))
            return -2;
        return lane & within ? (int)(lane - lane % (2 * within) + within - 1) : -1;
    default:
        return outside ? -1 : (int)(first + within);
    }
}

/* Element i of source 1, extended. */
static int64_t lane_operand(const struct oracle_insn *insn, uint64_t v, unsigned i, bool is_signed)
{
    const struct oracle_source *s = &insn->src[1];
    unsigned bits = insn->size, element = i;
    if (s->part) {
        bits = s->part;
        element = s->element[s->count > 1 ? i : 0];
    }
    v = bits == 64 ? v : v >> (element * bits) & ((UINT64_C(1) << bits) - 1);
    if (is_signed && bits < 64 && v >> (bits - 1))
        v |= ~((UINT64_C(1) << bits) - 1);
    return insn->size == 64 || insn->size == 32 ? (int32_t)(uint32_t)v : (int64_t)v;
}

struct oracle_result oracle_lanes(const struct oracle_insn *insn, const uint64_t src[ORACLE_LANES][ORACLE_SOURCES],
                                  uint32_t active, unsigned lane)
{
    struct oracle_result r = {.kind = ORACLE_BITS};
    unsigned size = insn->size, first = lane - lane % subgroup(insn);
    if (strcmp(insn->name, "WMASK") == 0) {
        for (unsigned k = 0; k < subgroup(insn); k++)
            r.bits |= (uint64_t)((active >> (first + k) & 1) && (uint32_t)src[first + k][0]) << k;
        return r;
    }
    const char *type = strchr(insn->name, '.') + 1;
    unsigned elements = *type == 'v' ? (unsigned)(type[1] - '0') : 1;
    bool is_signed = *type == 's' || (*type == 'v' && type[2] == 's');
    uint64_t absent = inactive(insn), mask = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
    absent |= absent << 32;
    for (unsigned i = 0; i < elements; i++) {
        int other = other_lane(insn, lane, lane_operand(insn, src[lane][1], i, is_signed));
        if (other == -2)
            return (struct oracle_result){.kind = ORACLE_NONE};
        uint64_t v = other >= 0 && active >> other & 1 ? src[other][0] : absent;
        r.bits |= v & mask << (i * size);
    }
    return r;
}
