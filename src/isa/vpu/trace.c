/* trace.c - recursive descent: which bytes of an image are instructions.
 *
 * Certain roots come first: the entry and the functions among the symbols. What they reach is code. Then other symbols
 * in code sections, and addresses that code forms or data holds, are tried: code is what decodes up to a branch away.
 */
#include "base/bytes.h"
#include "isa/vpu/flow.h"
#include "isa/vpu/decode.h"

#include <stdio.h>
#include <stdlib.h>

struct trace {
    struct vpu_image *image;
    struct arena *arena;
    uint8_t **marks;
    uint32_t *work; /* addresses to follow */
    size_t nwork, work_capacity;
    uint32_t *target; /* of branches, for labels */
    size_t ntargets, target_capacity;
    const struct isa_module *swept; /* all of it instructions; NULL: marks say what is */
    uint32_t *formed;               /* addresses that code forms */
    size_t nformed, formed_capacity;
    bool failed;
    const struct vpu_tables *tables;
};

/* ---- the image ---- */

/* The code section that holds an address; -1: none. */
static int section_of(const struct trace *t, uint32_t address)
{
    uint32_t low = 0, high = t->image->nsections;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct vpu_section *s = &t->image->section[middle].out;
        if (address < s->address)
            high = middle;
        else if (address - s->address >= s->size)
            low = middle + 1;
        else
            return t->swept || t->marks[middle] ? (int)middle : -1;
    }
    return -1;
}

static void push(struct trace *t, uint32_t **list, size_t *count, size_t *capacity, uint32_t address)
{
    void *grown = arena_grow(t->arena, *list, sizeof **list, *count, capacity, *count + 1);
    if (!grown) {
        t->failed = true;
        return;
    }
    *list = grown;
    (*list)[(*count)++] = address;
}

static void follow_later(struct trace *t, uint32_t address)
{
    push(t, &t->work, &t->nwork, &t->work_capacity, address);
}

static void decode_at(const struct trace *t, int section, uint32_t address, struct vpu_insn *insn)
{
    const struct vpu_image_section *s = &t->image->section[section];
    uint32_t offset = address - s->out.address;
    vpu_decode_insn(s->bytes + offset, s->out.size - offset, address, insn);
}

/* Has something of [address, address + size) been taken by another instruction? */
static bool is_free(const struct trace *t, int section, uint32_t address, uint32_t size)
{
    const uint8_t *mark = t->marks[section] + (address - t->image->section[section].out.address);
    for (uint32_t i = 0; i < size; i++)
        if (mark[i] != VPU_MARK_DATA)
            return false;
    return true;
}

/* ---- switch tables: entries count halfwords from the end of the switch ---- */

/* What a comparison before a switch says of its index: it is below `count`. */
struct bound {
    uint8_t reg;
    uint32_t count; /* 0: nothing is known */
};

static void learn_bound(struct bound *b, const struct vpu_insn *i, struct bound *compared)
{
    bool immediate = i->flags & VPU_IMMEDIATE;
    unsigned uses = vpu_ops[i->op].uses;
    bool bounds = uses & VPU_BRANCHES_ON && (i->cond == VPU_HI || i->cond == VPU_CC);
    if (vpu_ops[i->op].hint == VPU_HINT_BOUND && immediate) {
        *compared = (struct bound){i->a, (uint32_t)i->imm + 1};
    } else if (bounds && !(uses & VPU_COMPARES) && compared->count) {
        *b = *compared;
        b->count -= i->cond == VPU_CC;
    } else if (bounds && uses & VPU_COMPARES && immediate) {
        *b = (struct bound){i->d, (uint32_t)i->imm + (i->cond == VPU_HI)};
    } else if (!(uses & VPU_VECTOR) && b->count && i->d == b->reg && vpu_ops[i->op].class != VPU_COMPARE) {
        b->count = 0;
    }
}

/* Entries end at the bound of the index, at the first target after the table, or at one that is not code. */
static void follow_table(struct trace *t, int section, const struct vpu_insn *insn, const struct bound *bound)
{
    const struct vpu_image_section *s = &t->image->section[section];
    uint32_t width = vpu_ops[insn->op].bytes, base = insn->address + insn->size;
    uint32_t end = s->out.address + s->out.size;
    uint8_t *marks = t->marks[section];
    bool known = bound->count && bound->reg == insn->d;
    for (uint32_t n = 0, at = base; at + width <= end && (!known || n < bound->count); n++, at += width) {
        const uint8_t *entry = s->bytes + (at - s->out.address);
        int32_t distance = width == 1 ? (int8_t)entry[0] : (int16_t)(entry[0] | entry[1] << 8);
        uint32_t target = base + 2 * (uint32_t)distance;
        struct vpu_insn first;
        if (section_of(t, target) != section || target == base || !is_free(t, section, at, width))
            return;
        decode_at(t, section, target, &first);
        if (vpu_is_data(&first))
            return;
        if (target > base && target < end)
            end = target;
        memset(marks + (at - s->out.address), width == 1 ? VPU_MARK_CASE8 : VPU_MARK_CASE16, width);
        follow_later(t, target);
        push(t, &t->target, &t->ntargets, &t->target_capacity, target);
    }
}

/* ---- following ---- */

/* Instructions that neither branch nor form an address nor compare: there is no need to look at their operands. */
static bool is_quiet(const struct vpu_form *f, const struct bound *b)
{
    const struct vpu_op_row *row = &vpu_ops[f->first_op];
    return f->vector || f->has & VPU_ITEM(ACCESS) || row->d_type == WEFT_TYPE_FLOAT || row->a_type == WEFT_TYPE_FLOAT ||
           (f->has & VPU_ITEM(LEFT) && !f->immediate && b->count == 0);
}

static void note_formed(struct trace *t, const struct vpu_insn *i)
{
    if (vpu_ops[i->op].hint != VPU_HINT_ADDRESS)
        return;
    if (!(vpu_ops[i->op].uses & VPU_B_READ))
        push(t, &t->formed, &t->nformed, &t->formed_capacity, i->target);
    else if (i->flags & VPU_IMMEDIATE && i->size == 6)
        push(t, &t->formed, &t->nformed, &t->formed_capacity, (uint32_t)i->imm);
}

static void follow(struct trace *t, uint32_t address)
{
    struct bound bound = {0}, compared = {0};
    int section = section_of(t, address);
    while (section >= 0) {
        struct vpu_insn insn;
        struct pattern_word word;
        struct vpu_section *s = &t->image->section[section].out;
        uint32_t offset = address - s->address;
        if (address & 1 || offset >= s->size)
            return;
        const struct vpu_form *f =
            vpu_match(t->tables, t->image->section[section].bytes + offset, s->size - offset, &word);
        if (!f || !is_free(t, section, address, f->size))
            return;
        uint8_t *mark = t->marks[section] + offset;
        for (unsigned i = 1; i < f->size; i++)
            mark[i] = VPU_MARK_INSIDE;
        *mark = (uint8_t)(VPU_MARK_CODE | (f - t->tables->form));
        if (is_quiet(f, &bound)) {
            address += f->size;
            continue;
        }
        decode_at(t, section, address, &insn);
        note_formed(t, &insn);
        if (vpu_has_target(&insn) && insn.cond != VPU_NEVER) {
            follow_later(t, insn.target);
            push(t, &t->target, &t->ntargets, &t->target_capacity, insn.target);
        }
        if (vpu_ops[insn.op].uses & VPU_TABLE)
            follow_table(t, section, &insn, &bound);
        learn_bound(&bound, &insn, &compared);
        if (vpu_ends_flow(&insn))
            return;
        address += insn.size;
    }
}

static void follow_all(struct trace *t)
{
    while (t->nwork && !t->failed)
        follow(t, t->work[--t->nwork]);
}

/* Does what begins at an address decode up to a branch away? bkpt says no: it is padding, or the end of a string whose
 * letters are instructions. */
static bool looks_like_code(const struct trace *t, uint32_t address)
{
    enum { FAR = 256 /* instructions */ };
    int section = section_of(t, address);
    if (section < 0 || address & 1)
        return false;
    for (unsigned n = 0; n < FAR && section_of(t, address) == section; n++) {
        struct vpu_insn insn;
        decode_at(t, section, address, &insn);
        if (vpu_is_data(&insn) || vpu_ops[insn.op].hint == VPU_HINT_PADDING)
            return false;
        if (!is_free(t, section, address, insn.size))
            return n > 0;
        if (vpu_has_target(&insn) && section_of(t, insn.target) < 0)
            return false;
        if (vpu_ends_flow(&insn))
            return true;
        address += insn.size;
    }
    return false;
}

static void try_address(struct trace *t, uint32_t address)
{
    if (!looks_like_code(t, address))
        return;
    follow_later(t, address);
    push(t, &t->target, &t->ntargets, &t->target_capacity, address);
    follow_all(t);
}

/* Words of data sections that are addresses: tables of functions. */
static void try_data(struct trace *t, const struct vpu_image_section *s)
{
    for (uint32_t at = (0 - s->out.address) & 3; at + 4 <= s->out.size; at += 4)
        try_address(t, bytes_word(s->bytes + at));
}

static bool is_code(const struct trace *t, uint32_t address)
{
    int section = section_of(t, address);
    return section >= 0 && t->marks[section][address - t->image->section[section].out.address] & VPU_MARK_CODE;
}

/* A table of addresses among the code: two words or more that are addresses of code. False: it is not one. */
static bool try_table(struct trace *t, uint32_t address)
{
    int section = section_of(t, address);
    uint32_t count = 0;
    if (section < 0)
        return false;
    const struct vpu_image_section *s = &t->image->section[section];
    uint32_t at = address - s->out.address;
    while (at + 4 * count + 4 <= s->out.size && is_free(t, section, address + 4 * count, 4)) {
        uint32_t to = bytes_word(s->bytes + at + 4 * count);
        if (!is_code(t, to) && !looks_like_code(t, to))
            break;
        count++;
    }
    for (uint32_t n = 0; count >= 2 && n < count; n++)
        try_address(t, bytes_word(s->bytes + at + 4 * n));
    return count >= 2;
}

/* ---- labels ---- */

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

/* "L_1a4" */
static char *label_name(struct arena *arena, uint32_t address)
{
    char name[12] = "L_";
    size_t length = 2;
    int digits = 1;
    for (uint32_t rest = address >> 4; rest; rest >>= 4)
        digits++;
    while (digits-- > 0)
        name[length++] = "0123456789abcdef"[address >> (4 * digits) & 15];
    return arena_strndup(arena, name, length);
}

/* Whether an instruction begins there. */
static bool begins(const struct trace *t, int section, uint32_t address)
{
    if (t->swept)
        return vpu_insn_at(t->swept, address) != NULL;
    return (t->marks[section][address - t->image->section[section].out.address] & VPU_MARK_CODE) != 0;
}

/* A label for each target that has no symbol, where an instruction begins. */
static void add_labels(struct trace *t)
{
    struct vpu_image *image = t->image;
    size_t count = image->nsymbols;
    if (count)
        qsort(image->symbol, count, sizeof *image->symbol, vpu_by_address);
    if (t->ntargets)
        qsort(t->target, t->ntargets, sizeof *t->target, by_number);
    for (size_t i = 0; i < t->ntargets && !t->failed; i++) {
        uint32_t address = t->target[i];
        int section = section_of(t, address);
        if ((i && address == t->target[i - 1]) || section < 0 || vpu_label_at(image->symbol, count, address) ||
            !begins(t, section, address))
            continue;
        void *grown = arena_grow(t->arena, image->symbol, sizeof *image->symbol, image->nsymbols,
                                 &image->symbol_capacity, image->nsymbols + 1);
        char *name = label_name(t->arena, address);
        t->failed = !grown || !name;
        if (t->failed)
            return;
        image->symbol = grown;
        image->symbol[image->nsymbols++] =
            (struct vpu_symbol){.name = name, .address = address, .section = (uint32_t)section, .made = true};
    }
}

bool vpu_trace(struct vpu_image *image, struct arena *arena, uint8_t **marks)
{
    struct trace t = {.image = image, .arena = arena, .marks = marks, .tables = vpu_tables()};
    if (image->has_entry)
        follow_later(&t, image->entry);
    for (size_t i = 0; i < image->nsymbols; i++)
        if (image->symbol[i].function && image->symbol[i].section != VPU_ABSOLUTE)
            follow_later(&t, image->symbol[i].address);
    follow_all(&t);
    for (size_t i = 0, count = image->nsymbols; i < count; i++)
        if (image->symbol[i].section != VPU_ABSOLUTE && looks_like_code(&t, image->symbol[i].address))
            follow_later(&t, image->symbol[i].address);
    follow_all(&t);
    for (size_t i = 0; i < t.nformed && !t.failed; i++) {
        uint32_t address = t.formed[i];
        if (!try_table(&t, address))
            try_address(&t, address);
    }
    for (uint32_t s = 0; s < image->nsections && !t.failed; s++)
        if (!image->section[s].out.code && image->section[s].bytes)
            try_data(&t, &image->section[s]);
    add_labels(&t);
    return !t.failed;
}

bool vpu_label_swept(struct vpu_image *image, const struct isa_module *m, struct arena *arena)
{
    struct trace t = {.image = image, .arena = arena, .swept = m};
    for (uint32_t i = 0; i < m->ninsns; i++)
        if (vpu_has_target(&m->insns[i]))
            push(&t, &t.target, &t.ntargets, &t.target_capacity, m->insns[i].target);
    add_labels(&t);
    return !t.failed;
}
