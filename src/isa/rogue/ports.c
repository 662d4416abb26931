/* ports.c - the bytes of sources and destinations. */
#include "isa/rogue/ports.h"
#include "isa/rogue/template.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FORMS = 8 };

static struct rogue_port_form forms[ROGUE_PARTS][MOST_FORMS];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_form(const char *name, enum rogue_part part, uint8_t count, const char *text)
{
    static const char *const banks[] = {"ba", "bb", "bc"}, *const indices[] = {"a", "b", "c"};
    char reversed[256];
    const char *wrong;
    struct rogue_port_form *f = forms[part];
    while (f->name)
        f++;
    rogue_reverse_bytes(text, reversed, sizeof reversed);
    if (!pattern_compile(reversed, &f->pattern, &wrong))
        abort();
    f->name = name;
    f->part = (uint8_t)part;
    f->count = count;
    f->bytes = (uint8_t)(f->pattern.bits / 8);
    f->mux = (int8_t)pattern_find_field(&f->pattern, "mux");
    for (int i = 0; i < 3; i++) {
        f->bank[i] = (int8_t)pattern_find_field(&f->pattern, banks[i]);
        f->index[i] = (int8_t)pattern_find_field(&f->pattern, indices[i]);
    }
}

static void make_forms(void)
{
#define PORTS(name, part, count, text) make_form(#name, ROGUE_##part, count, text);
#include "isa/rogue/ports.inc"
#undef PORTS
}

const struct rogue_port_form *rogue_port_form(enum rogue_part part, unsigned n)
{
    pthread_once(&made, make_forms);
    return n >= 1 && n <= MOST_FORMS && forms[part][n - 1].name ? &forms[part][n - 1] : NULL;
}

static bool fits(const struct rogue_port_form *f, int field, unsigned value)
{
    return field < 0 ? value == 0 : pattern_fits(&f->pattern.field[field], value);
}

/* Index registers with a dimension have the logarithm of it in the top of the index: weft's own. */
static unsigned index_bits(struct rogue_reg r)
{
    return r.index | (unsigned)r.dim << 8;
}

static bool holds(const struct rogue_port_form *f, const struct rogue_ports *ports)
{
    for (int i = 0; i < 3; i++)
        if (!fits(f, f->bank[i], ports->reg[i].bank) || !fits(f, f->index[i], index_bits(ports->reg[i])))
            return false;
    return fits(f, f->mux, ports->mux);
}

bool rogue_ports_fit(enum rogue_part part, unsigned n, const struct rogue_ports *ports)
{
    const struct rogue_port_form *f = rogue_port_form(part, n);
    return f && holds(f, ports);
}

unsigned rogue_choose_ports(enum rogue_part part, const struct rogue_ports *ports, unsigned count, bool needs_mux)
{
    pthread_once(&made, make_forms);
    for (unsigned n = 0; n < MOST_FORMS && forms[part][n].name; n++) {
        const struct rogue_port_form *f = &forms[part][n];
        bool enough = part == ROGUE_DESTINATION ? f->count == count : f->count >= count;
        if (enough && (f->mux >= 0 || !needs_mux) && holds(f, ports))
            return n + 1;
    }
    return 0;
}

unsigned rogue_write_ports(enum rogue_part part, unsigned n, const struct rogue_ports *ports, uint8_t *out)
{
    const struct rogue_port_form *f = &forms[part][n - 1];
    struct pattern_word word = f->pattern.value;
    for (int i = 0; i < f->count; i++) {
        pattern_set(&f->pattern.field[f->bank[i]], &word, ports->reg[i].bank);
        pattern_set(&f->pattern.field[f->index[i]], &word, index_bits(ports->reg[i]));
    }
    if (f->mux >= 0)
        pattern_set(&f->pattern.field[f->mux], &word, ports->mux);
    for (unsigned i = 0; i < f->bytes; i++)
        out[i] = (uint8_t)(word.w[0] >> 8 * i);
    return f->bytes;
}

/* Which form the continuation bits announce (encoding, section 4). */
static unsigned source_form(const uint8_t *b)
{
    if (!(b[0] & 0x80))
        return 1;
    if (!(b[1] & 0x40))
        return b[1] & 0x80 ? 3 : 2;
    if (b[1] & 0x80)
        return b[2] & 0x80 ? 5 : 4;
    if (!(b[2] & 0x80))
        return 6;
    return b[4] & 4 ? 8 : 7;
}

/* Section 6: two destinations have no leading bit of their own. */
static unsigned destination_form(const uint8_t *b, unsigned count)
{
    if (count == 1)
        return b[0] & 0x80 ? 2 : 1;
    return !(b[1] & 0x80) ? 3 : b[2] & 0x80 ? 5 : 4;
}

unsigned rogue_read_ports(enum rogue_part part, const uint8_t *bytes, unsigned count, struct rogue_ports *ports)
{
    pthread_once(&made, make_forms);
    unsigned n = part == ROGUE_DESTINATION ? destination_form(bytes, count) : source_form(bytes);
    const struct rogue_port_form *f = &forms[part][n - 1];
    struct pattern_word word = {{0}};
    for (unsigned i = 0; i < f->bytes; i++)
        word.w[0] |= (uint64_t)bytes[i] << 8 * i;
    if (!pattern_matches(&f->pattern, &word))
        return 0;
    *ports = (struct rogue_ports){0};
    for (int i = 0; i < f->count; i++) {
        ports->reg[i].bank = (uint8_t)pattern_get(&f->pattern.field[f->bank[i]], &word);
        ports->reg[i].index = (uint16_t)pattern_get(&f->pattern.field[f->index[i]], &word);
    }
    if (f->mux >= 0)
        ports->mux = (uint8_t)pattern_get(&f->pattern.field[f->mux], &word);
    return n;
}
