/* print_again.c - groups that have been written before, but for their registers: only those are written anew.
 *
 * What a program does repeats far more often than where it does it: the instructions, the selectors and the header of a
 * group are in few combinations. */
#include "isa/rogue/print.h"

#include <stddef.h>
#include <string.h>

/* All of a group that its text is made of beside registers. Instructions of more than eight bytes are left out. */
enum { KEY_WORDS = 3 + 2 * ROGUE_SLOTS, KEPT_TEXT = 224, COPY = 32 };
struct key {
    uint64_t word[KEY_WORDS];
};

struct rogue_group_text {
    struct key key;
    bool used;
    uint8_t nregisters;
    uint8_t rest; /* length of the text after the last register */
    struct {
        uint8_t before; /* length of the text before it */
        uint8_t port, registers;
    } reg[ROGUE_REGISTERS];
    char text[KEPT_TEXT + COPY]; /* the pieces, one after the other; copies go beyond their ends */
};

/* Groups with the same hash have two places. The memory of all is worth it for long programs only. */
enum { SET_BITS = 9, WAYS = 2, FEW_GROUPS = 1000 };

struct rogue_group_text *rogue_group_texts(const struct isa_module *m, struct arena *arena)
{
    return m->ngroups > FEW_GROUPS ? ARENA_ARRAY(arena, struct rogue_group_text, WAYS << SET_BITS) : NULL;
}

/* ---- keys ---- */

_Static_assert(offsetof(struct rogue_group, weft) - offsetof(struct rogue_group, alu) == 7 &&
                   offsetof(struct rogue_group, is5) - offsetof(struct rogue_group, sources) == 7 &&
                   offsetof(struct rogue_group, pad) - offsetof(struct rogue_group, destinations) == 3,
               "what is taken as a word lies together");

static struct key key_of(const struct rogue_group *g)
{
    struct key k;
    uint32_t after;
    memcpy(&k.word[0], (const char *)g + offsetof(struct rogue_group, alu), sizeof k.word[0]);
    memcpy(&k.word[1], (const char *)g + offsetof(struct rogue_group, sources), sizeof k.word[1]);
    memcpy(&after, (const char *)g + offsetof(struct rogue_group, destinations), sizeof after);
    k.word[2] = after | (uint64_t)rogue_port_is_absent(g, 3) << 32;
    for (unsigned slot = 0; slot < ROGUE_SLOTS; slot++) {
        k.word[3 + 2 * slot] = g->insn[slot].bits.w[0];
        k.word[4 + 2 * slot] = (uintptr_t)g->insn[slot].row + g->insn[slot].form;
    }
    return k;
}

static unsigned set_of(const struct key *k)
{
    static const uint64_t odd[KEY_WORDS] = {
        0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53,
        0xd6e8feb86659fd93, 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3,
        0x1d8e4e27c47d124f, 0xeb44accab455d165, 0x9fb21c651e98df25, 0xaef17502108ef2d9, 0xd1b54a32d192ed03};
    uint64_t h = 0;
    for (unsigned i = 0; i < KEY_WORDS; i++)
        h += (k->word[i] ^ k->word[i] >> 29) * odd[i];
    return (unsigned)((h ^ h >> 31) * odd[0] >> (64 - SET_BITS));
}

static bool same(const struct key *a, const struct key *b)
{
    uint64_t differ = 0;
    for (unsigned i = 0; i < KEY_WORDS; i++)
        differ |= a->word[i] ^ b->word[i];
    return differ == 0;
}

/* ---- writing ---- */

static inline char *copy(char *p, const char *from, unsigned length)
{
    for (unsigned i = 0; i < length; i += COPY)
        memcpy(p + i, from + i, COPY);
    return p + length;
}

static void write_again(struct text *t, const struct rogue_reg_texts *names, const struct rogue_group *g,
                        const struct rogue_group_text *e)
{
    struct text out = *t; /* a copy, which the compiler can keep in registers */
    const char *from = e->text;
    for (unsigned i = 0; i < e->nregisters; i++) {
        out.p = copy(out.p, from, e->reg[i].before);
        from += e->reg[i].before;
        rogue_put_reg(&out, names, g->reg[e->reg[i].port], e->reg[i].registers);
    }
    t->p = copy(out.p, from, e->rest);
}

bool rogue_put_again(struct text *t, const struct rogue_reg_texts *names, const struct rogue_group *g,
                     struct rogue_group_text *texts, struct rogue_group_text **place)
{
    *place = NULL;
    if (!texts || g->data || g->asked || g->insn[ROGUE_P0].bits.w[1])
        return false;
    struct key k = key_of(g);
    struct rogue_group_text *set = &texts[WAYS * set_of(&k)];
    for (unsigned way = 0; way < WAYS; way++)
        if (set[way].used && same(&set[way].key, &k)) {
            write_again(t, names, g, &set[way]);
            return true;
        }
    *place = &set[set[0].used];
    (*place)->used = false;
    (*place)->key = k;
    return false;
}

void rogue_keep_text(struct rogue_group_text *place, const struct text *t, const char *begin,
                     const struct rogue_reg_places *places)
{
    size_t length = 0;
    for (unsigned i = 0; i <= places->count; i++) {
        bool rest = i == places->count;
        size_t before = (size_t)((rest ? t->p : places->at[i].begin) - begin);
        if (length + before > KEPT_TEXT)
            return;
        memcpy(place->text + length, begin, before);
        length += before;
        if (rest) {
            place->rest = (uint8_t)before;
        } else {
            place->reg[i].before = (uint8_t)before;
            place->reg[i].port = places->at[i].port;
            place->reg[i].registers = places->at[i].registers;
            begin = places->at[i].end;
        }
    }
    place->nregisters = (uint8_t)places->count;
    place->used = true;
}
