/* flow.c - where control goes in a program: its basic blocks. */
#include "isa/valhall/flow.h"

int valhall_branch_taken(const struct valhall_insn *insn)
{
    const struct valhall_source *s = &insn->src[0];
    uint32_t low = s->value & 0xFFFF, high = s->value >> 16;
    bool nonzero = s->value != 0;
    if (s->kind != VALHALL_CONSTANT)
        return -1;
    switch ((enum valhall_combine)valhall_get_field(insn->word, VALHALL_FIELD_COMBINE)) {
    case VALHALL_COMBINE_H0:
        nonzero = low != 0;
        break;
    case VALHALL_COMBINE_H1:
        nonzero = high != 0;
        break;
    case VALHALL_COMBINE_AND:
        nonzero = low != 0 && high != 0;
        break;
    case VALHALL_COMBINE_LOWBITS:
        nonzero = ((low | high) & 1) != 0;
        break;
    case VALHALL_COMBINE_NONE:
        break;
    }
    return nonzero != (valhall_mod(insn, VALHALL_MOD_EQ) != 0);
}

/* The instruction that an offset leads to. Targets before the program count as beyond it. */
static uint32_t target_of(const struct valhall_insn *insn)
{
    int64_t target = (int64_t)insn->number + 1 + insn->imm[0];
    return target < 0 || target >= VALHALL_NOWHERE ? VALHALL_NOWHERE - 1 : (uint32_t)target;
}

struct valhall_way valhall_way_of(const struct valhall_insn *insn)
{
    struct valhall_way way = {.next = insn->number + 1, .target = VALHALL_NOWHERE};
    unsigned kind = insn->row ? insn->row->form->way : VALHALL_WAY_NEXT;
    bool ends = !insn->row || insn->flow == VALHALL_END;
    if (kind == VALHALL_WAY_BLEND_PATH) {
        /* The fixed-function path ends or branches; a blend shader is called by what follows. */
        way.conditional = true;
        if (!ends)
            way.target = target_of(insn);
    } else if (ends) {
        way.next = VALHALL_NOWHERE;
    } else if (kind == VALHALL_WAY_BRANCH || kind == VALHALL_WAY_INDIRECT) {
        int taken = valhall_branch_taken(insn);
        if (taken != 0 && kind == VALHALL_WAY_BRANCH)
            way.target = target_of(insn);
        way.outside = taken != 0 && kind == VALHALL_WAY_INDIRECT;
        way.conditional = taken < 0;
        way.diverges = insn->src[0].kind == VALHALL_REGISTER;
        if (taken == 1)
            way.next = VALHALL_NOWHERE;
    }
    return way;
}

enum valhall_blend_path valhall_blend_path(const struct valhall_linkage *link, const struct valhall_insn *insn)
{
    const struct valhall_source *descriptor = &insn->src[0];
    bool shaded = false;
    if (descriptor->kind == VALHALL_SPECIAL) {
        unsigned target = descriptor->special - VALHALL_BLEND_DESCRIPTOR_0;
        return target < VALHALL_TARGETS && link->shaded[target] ? VALHALL_BLEND_SHADER : VALHALL_BLEND_FIXED;
    }
    for (unsigned n = 0; n < VALHALL_TARGETS; n++)
        shaded |= link->shaded[n];
    return shaded && descriptor->kind != VALHALL_CONSTANT ? VALHALL_BLEND_EITHER : VALHALL_BLEND_FIXED;
}

struct valhall_way valhall_linked_way_of(const struct valhall_linkage *link, const struct valhall_insn *insn)
{
    struct valhall_way way = valhall_way_of(insn);
    if (!link || !insn->row || insn->row->form->way != VALHALL_WAY_BLEND_PATH)
        return way;
    enum valhall_blend_path path = valhall_blend_path(link, insn);
    way.conditional = path == VALHALL_BLEND_EITHER;
    if (path == VALHALL_BLEND_FIXED)
        way.next = VALHALL_NOWHERE;
    if (path == VALHALL_BLEND_SHADER)
        way.target = VALHALL_NOWHERE;
    return way;
}

/* ---- blocks ---- */

/* Marks of instructions. */
enum { LEADER = 1, ENTRY = 2, DATA = 4 };

static void mark_leaders(const struct isa_module *m, uint8_t *marks)
{
    for (uint32_t i = 0; i < m->nwords; i++) {
        struct valhall_insn insn;
        valhall_insn_at(m, i, &insn);
        if (!insn.row)
            marks[i] |= DATA;
        if (insn.row && (i == 0 || m->words[i - 1] == 0))
            marks[i] |= LEADER | ENTRY;
        struct valhall_way way = valhall_way_of(&insn);
        if (i + 1 < m->nwords && (way.next == VALHALL_NOWHERE || way.target != VALHALL_NOWHERE || way.outside))
            marks[i + 1] |= LEADER;
        if (way.target < m->nwords)
            marks[way.target] |= LEADER;
    }
}

static void link_block(const struct isa_module *m, struct valhall_blocks *flow, struct valhall_block *b)
{
    struct valhall_insn last;
    valhall_insn_at(m, b->first + b->count - 1, &last);
    struct valhall_way way = valhall_way_of(&last);
    b->next = way.next < m->nwords ? flow->block_of[way.next] : VALHALL_NOWHERE;
    b->target = way.target < m->nwords ? flow->block_of[way.target] : VALHALL_NOWHERE;
}

bool valhall_find_blocks(const struct isa_module *m, struct arena *arena, struct valhall_blocks *flow)
{
    uint8_t *marks = ARENA_ARRAY(arena, uint8_t, (size_t)m->nwords + 1);
    *flow = (struct valhall_blocks){.block_of = ARENA_ARRAY(arena, uint32_t, (size_t)m->nwords + 1)};
    if (!marks || !flow->block_of)
        return false;
    mark_leaders(m, marks);
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->nwords; i++)
        count += !(marks[i] & DATA) && (marks[i] & LEADER || i == 0 || marks[i - 1] & DATA);
    flow->blocks = ARENA_ARRAY(arena, struct valhall_block, (size_t)count + 1);
    if (!flow->blocks)
        return false;
    for (uint32_t i = 0; i < m->nwords; i++) {
        flow->block_of[i] = VALHALL_NOWHERE;
        if (marks[i] & DATA)
            continue;
        if (marks[i] & LEADER || i == 0 || marks[i - 1] & DATA)
            flow->blocks[flow->count++] = (struct valhall_block){.first = i, .entry = marks[i] & ENTRY};
        flow->blocks[flow->count - 1].count++;
        flow->block_of[i] = flow->count - 1;
    }
    for (uint32_t b = 0; b < flow->count; b++)
        link_block(m, flow, &flow->blocks[b]);
    return true;
}

/* ---- what control comes to ---- */

enum { PART = 16 /* words: where a vertex program's second part may begin */ };

struct walk {
    const struct isa_module *m;
    const struct valhall_linkage *link;
    struct valhall_reach *reach;
    uint32_t *work;
    uint32_t count;
};

static void come(struct walk *w, uint32_t to, uint8_t how)
{
    if (to < w->m->nwords && w->reach->word[to] < how) {
        w->reach->word[to] = how;
        w->work[w->count++] = to;
    }
}

/* Where nothing is known about blend shaders a BLEND may be the last instruction: only they are called by what follows.
 */
static bool goes_on(const struct walk *w, bool blends, struct valhall_way way)
{
    return !blends || w->link || (way.next < w->m->nwords && valhall_row_of(w->m->words[way.next]));
}

static void walk(struct walk *w, uint32_t first, uint8_t how_first)
{
    come(w, first, how_first);
    while (w->count) {
        struct valhall_insn insn;
        uint32_t at = w->work[--w->count];
        valhall_insn_at(w->m, at, &insn);
        if (!insn.row)
            continue;
        struct valhall_way way = valhall_linked_way_of(w->link, &insn);
        w->reach->anywhere |= way.outside;
        bool one = (way.next == VALHALL_NOWHERE) != (way.target == VALHALL_NOWHERE) && !way.outside;
        bool blends = insn.row->form->way == VALHALL_WAY_BLEND_PATH;
        uint8_t how = one && !blends ? w->reach->word[at] : VALHALL_MAYBE;
        if (goes_on(w, blends, way))
            come(w, way.next, how);
        come(w, way.target, how);
    }
}

/* A vertex program's second part: the first word that is not zero after the first part and zeros, where a part may
 * begin. 0: it has none. */
static uint32_t find_second(const struct walk *w)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < w->m->nwords; i++)
        if (w->reach->word[i] && w->m->words[i])
            end = i + 1;
    while (end && end < w->m->nwords && !w->m->words[end])
        end++;
    return end < w->m->nwords && end % PART == 0 ? end : 0;
}

bool valhall_find_reach(const struct isa_module *m, int stage, const struct valhall_linkage *link, struct arena *arena,
                        struct valhall_reach *reach)
{
    /* a word is put on the list at most once for each way of reaching it */
    *reach = (struct valhall_reach){.word = ARENA_ARRAY(arena, uint8_t, (size_t)m->nwords + 1)};
    struct walk w = {m, link, reach, ARENA_ARRAY(arena, uint32_t, 2 * (size_t)m->nwords + 1), 0};
    if (!reach->word || !w.work)
        return false;
    walk(&w, 0, VALHALL_SURELY);
    reach->second = stage == IR_VERTEX ? find_second(&w) : 0;
    if (reach->second)
        walk(&w, reach->second, VALHALL_SURELY);
    for (uint32_t i = 0; link && reach->anywhere && i < m->nwords; i++)
        if (m->words[i]) /* a blend shader or a subroutine may be any instruction */
            walk(&w, i, VALHALL_MAYBE);
    return true;
}
