/* ports.c - what source ports may read; the bytes of sources and destinations. */
#include "base/bytes.h"
#include "isa/rogue/ports.h"
#include "isa/rogue/template.h"

#include <endian.h>
#include <string.h>

bool rogue_has_pixels(const struct rogue_group *g)
{
    bool pixels = false;
    for (unsigned n = 0; n < ROGUE_REGISTERS; n++)
        pixels |= rogue_names(g, n) && rogue_spot_of(g->reg[n], 0).file == ROGUE_FILE_O;
    return pixels;
}

/* Special registers are read through S1, S2, S4; coefficients, shared and pixel outputs through S0, S2, S3; S1, S4 and
 * S5 have short fields. */
bool rogue_port_reads(unsigned port, struct rogue_reg r)
{
    enum { CS_PORTS = 1 | 4 | 8, SPECIAL_PORTS = 2 | 4 | 16, SHORT = 2 | 16 | 32, SHORT_INDEX = 255 };
    uint8_t file = rogue_spot_of(r, 0).file;
    bool common = r.bank == ROGUE_COEFF || r.bank == ROGUE_SHARED || r.bank == ROGUE_COEFF_ALT || file == ROGUE_FILE_O;
    if (SHORT >> port & 1 && (r.bank > ROGUE_COEFF || r.index > SHORT_INDEX))
        return false;
    if (common)
        return CS_PORTS >> port & 1;
    if (r.bank == ROGUE_SPECIAL && !rogue_reg_is_constant(r) && file != ROGUE_FILE_I)
        return SPECIAL_PORTS >> port & 1;
    return true;
}

/* ---- packed registers ---- */

/* Index registers with a dimension have the logarithm of it in the top of the index: weft's own. */
uint64_t rogue_pack_ports(const struct rogue_ports *ports)
{
    uint64_t packed = (uint64_t)ports->mux << ROGUE_MUX_AT;
    for (unsigned i = 0; i < 3; i++) {
        struct rogue_reg r = ports->reg[i];
        packed |= (uint64_t)(r.index | (unsigned)r.dim << 8) << ROGUE_INDEX_BITS * i |
                  (uint64_t)r.bank << (ROGUE_BANK_AT + ROGUE_BANK_BITS * i);
    }
    return packed;
}

/* ---- forms ---- */

/* Where a field is packed; PACKED_BITS: nowhere. */
static unsigned packed_at(const char *field)
{
    enum { PACKED_BITS = 64 };
    static const char *const indices[] = {"a", "b", "c"}, *const banks[] = {"ba", "bb", "bc"};
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(field, indices[i]) == 0)
            return ROGUE_INDEX_BITS * i;
        if (strcmp(field, banks[i]) == 0)
            return ROGUE_BANK_AT + ROGUE_BANK_BITS * i;
    }
    return strcmp(field, "mux") == 0 ? ROGUE_MUX_AT : PACKED_BITS;
}

static inline uint64_t turned(uint64_t v, unsigned left)
{
    return v << (left & 63) | v >> (-left & 63);
}

static void add_pieces(struct rogue_port_form *f, const struct pattern_field *field)
{
    unsigned at = packed_at(field->name) + field->width;
    f->room |= (~UINT64_C(0) >> (64 - field->width)) << (at - field->width);
    for (unsigned i = 0; i < field->npieces; i++) { /* the most significant one first */
        if (f->npieces >= ROGUE_PORT_PIECES) {
            rogue_note_fault(f->name, "has more pieces than there is room for");
            return;
        }
        unsigned width = field->piece[i].width, from = field->piece[i].low;
        at -= width;
        f->piece[f->npieces++] = (struct rogue_port_piece){(~UINT64_C(0) >> (64 - width)) << from, (at - from) & 63};
    }
}

static void make_form(struct rogue_part_forms *forms, const char *name, enum rogue_part part, uint8_t count,
                      const char *text)
{
    char reversed[256];
    const char *wrong;
    struct pattern pattern;
    bool fits = rogue_reverse_bytes(text, reversed, sizeof reversed);
    if (!fits || forms->count >= ROGUE_PORT_FORMS || !pattern_compile(reversed, &pattern, &wrong)) {
        rogue_note_fault(name, "is not a pattern, or one too many");
        return;
    }
    struct rogue_port_form *f = &forms->form[forms->count++];
    f->name = name;
    f->part = (uint8_t)part;
    f->count = count;
    f->bytes = (uint8_t)(pattern.bits / 8);
    f->mask = pattern.mask.w[0];
    f->value = pattern.value.w[0];
    for (unsigned i = 0; i < pattern.nfields; i++)
        add_pieces(f, &pattern.field[i]);
    f->mux = f->room >> ROGUE_MUX_AT != 0;
}

void rogue_make_ports(struct rogue_part_forms parts[ROGUE_PARTS])
{
#define PORTS(name, part, count, text) make_form(&parts[ROGUE_##part], #name, ROGUE_##part, count, text);
#include "isa/rogue/ports.inc"
#undef PORTS
    for (unsigned part = 0; part < ROGUE_PARTS; part++)
        for (unsigned count = 0; count < 4; count++)
            while (parts[part].first[count] < parts[part].count &&
                   parts[part].form[parts[part].first[count]].count < count)
                parts[part].first[count]++;
}

/* ---- choosing, writing, reading ---- */

bool rogue_ports_fit(const struct rogue_port_form *f, const struct rogue_ports *ports)
{
    return (rogue_pack_ports(ports) & ~f->room) == 0;
}

unsigned rogue_choose_packed(const struct rogue_part_forms *part, uint64_t packed, unsigned count, bool needs_mux)
{
    for (unsigned n = part->first[count & 3]; n < part->count; n++) {
        const struct rogue_port_form *f = &part->form[n];
        if (f->part == ROGUE_DESTINATION && f->count != count)
            return 0;
        if ((packed & ~f->room) == 0 && (f->mux || !needs_mux))
            return n + 1;
    }
    return 0;
}

unsigned rogue_write_ports(const struct rogue_port_form *f, const struct rogue_ports *ports, uint8_t *out)
{
    uint64_t packed = rogue_pack_ports(ports), word = f->value;
    for (const struct rogue_port_piece *p = f->piece, *end = p + f->npieces; p < end; p++)
        word |= turned(packed, 64u - p->turn) & p->bits;
    bytes_put(out, word, f->bytes);
    return f->bytes;
}

/* The fixed bits of a form, of which some say that more bytes follow, are those of no other one. */
unsigned rogue_read_ports(const struct rogue_part_forms *part, const uint8_t *bytes, unsigned count, uint64_t *out)
{
    bool destination = part->form[0].part == ROGUE_DESTINATION;
    uint64_t word, packed = 0;
    memcpy(&word, bytes, sizeof word); /* pieces and the mask leave out what comes after the part */
    word = le64toh(word);
    unsigned n = destination ? part->first[count & 3] : 0;
    const struct rogue_port_form *f = &part->form[n];
    while (n < part->count && (word ^ f->value) & f->mask)
        f = &part->form[++n];
    if (n >= part->count || (destination && f->count != count))
        return 0;
    for (const struct rogue_port_piece *p = f->piece, *end = p + f->npieces; p < end; p++)
        packed |= turned(word & p->bits, p->turn);
    *out = packed;
    return n + 1;
}
