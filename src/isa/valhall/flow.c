/* flow.c - where control goes in a program: its basic blocks. */
#include "isa/valhall/flow.h"

/* Whether a branch is taken whatever the registers hold: 1 always, 0 never, -1 it depends. */
static int taken(const struct valhall_insn *insn)
{
    const struct valhall_source *s = &insn->src[0];
    if (s->kind != VALHALL_CONSTANT)
        return -1;
    unsigned bits;
    int initial;
    uint32_t value = s->value;
    switch (s->pick - valhall_picks(s->select, &bits, &initial)) {
    case VALHALL_COMBINE_H0:
        value &= 0xFFFF;
        break;
    case VALHALL_COMBINE_H1:
        value >>= 16;
        break;
    case VALHALL_COMBINE_AND:
    case VALHALL_COMBINE_LOWBITS:
        return -1;
    default:
        break;
    }
    return (value != 0) != (valhall_mod(insn, VALHALL_MOD_EQ) != 0);
}

/* The instruction that an offset leads to; before the program there is none, and that is as far as beyond it. */
static uint32_t target_of(const struct valhall_insn *insn)
{
    int64_t target = (int64_t)insn->number + 1 + insn->imm[0];
    return target < 0 || target >= VALHALL_NOWHERE ? VALHALL_NOWHERE - 1 : (uint32_t)target;
}

struct valhall_way valhall_way_of(const struct valhall_insn *insn)
{
    struct valhall_way way = {insn->number + 1, VALHALL_NOWHERE, false, false};
    unsigned op = insn->row ? insn->row->opcode : 0;
    if (!insn->row || (insn->flow == VALHALL_END && op != VALHALL_OPCODE_BLEND))
        return (struct valhall_way){VALHALL_NOWHERE, VALHALL_NOWHERE, false, false};
    if (op == VALHALL_OPCODE_BLEND) {
        /* The fixed-function path ends or branches; a blend shader is called by what follows. */
        if (insn->flow != VALHALL_END)
            way.target = target_of(insn);
    } else if (op == VALHALL_OPCODE_BRANCHZ || op == VALHALL_OPCODE_BRANCHZI) {
        int known = taken(insn);
        if (known != 0 && op == VALHALL_OPCODE_BRANCHZ)
            way.target = target_of(insn);
        way.outside = known != 0 && op == VALHALL_OPCODE_BRANCHZI;
        way.diverges = insn->src[0].kind == VALHALL_REGISTER;
        if (known == 1)
            way.next = VALHALL_NOWHERE;
    }
    return way;
}

/* Marks of instructions. */
enum { LEADER = 1, ENTRY = 2, ENDS = 4, DATA = 8 };

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
        if (way.next == VALHALL_NOWHERE || way.target != VALHALL_NOWHERE || way.outside) {
            marks[i] |= ENDS;
            if (i + 1 < m->nwords)
                marks[i + 1] |= LEADER;
        }
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

/* Behind a BLEND there need be nothing: only blend shaders go there. */
static bool goes_on(const struct isa_module *m, const struct valhall_insn *insn, struct valhall_way way)
{
    if (insn->row->opcode != VALHALL_OPCODE_BLEND)
        return way.next != VALHALL_NOWHERE;
    return way.next < m->nwords && valhall_row_of(m->words[way.next]);
}

static void walk(struct walk *w, uint32_t first)
{
    come(w, first, VALHALL_SURELY);
    while (w->count) {
        struct valhall_insn insn;
        uint32_t at = w->work[--w->count];
        valhall_insn_at(w->m, at, &insn);
        if (!insn.row)
            continue;
        struct valhall_way way = valhall_way_of(&insn);
        w->reach->anywhere |= way.outside;
        bool one = (way.next == VALHALL_NOWHERE) != (way.target == VALHALL_NOWHERE) && !way.outside;
        uint8_t how = one && insn.row->opcode != VALHALL_OPCODE_BLEND ? w->reach->word[at] : VALHALL_MAYBE;
        if (goes_on(w->m, &insn, way))
            come(w, way.next, how);
        if (way.target != VALHALL_NOWHERE)
            come(w, way.target, how);
    }
}

bool valhall_find_reach(const struct isa_module *m, int stage, struct arena *arena, struct valhall_reach *reach)
{
    /* a word is put on the list at most once for each way of reaching it */
    *reach = (struct valhall_reach){.word = ARENA_ARRAY(arena, uint8_t, (size_t)m->nwords + 1)};
    struct walk w = {m, reach, ARENA_ARRAY(arena, uint32_t, 2 * (size_t)m->nwords + 1), 0};
    if (!reach->word || !w.work)
        return false;
    walk(&w, 0);
    uint32_t end = 0;
    for (uint32_t i = 0; i < m->nwords; i++)
        if (reach->word[i] && m->words[i])
            end = i + 1;
    for (; stage == IR_VERTEX && end && end < m->nwords; end++)
        if (m->words[end]) {
            if (end % PART == 0)
                walk(&w, end);
            break;
        }
    return true;
}
