/* lift_memory.c - memory that programs address: loads, stores, atomics, fences (document: "Resource Access Opcodes",
 * "Inter-thread synchronization opcodes", "Atomic opcodes").
 *
 * Which memory is which address space of the IR:
 *   BUFFER[n], RES[n] (raw buffers)         GLOBAL, slot n
 *   HWATOMIC[b][i]                          GLOBAL, slot TGSI_LIFT_COUNTER_SLOTS + b; counter i is word i
 *   CONSTBUF[n]                             CONST, slot n
 *   MEMORY[n], SHARED; RES[32766]           SHARED: one per workgroup
 *   MEMORY[n], PRIVATE; RES[32765]          PRIVATE: one per lane
 *   MEMORY[n], INPUT; RES[32764]            CONST, slot TGSI_LIFT_INPUT_SLOT: where push constants are
 *   MEMORY[n], GLOBAL; RES[32767]           GLOBAL, slot TGSI_LIFT_GLOBAL_SLOT
 *
 * Addresses are in bytes; component c is 4 * c bytes after the address. Images and typed resources are lift_image.c's.
 */
#include "isa/tgsi/access.h"
#include "isa/tgsi/lift.h"

#include "ir/program.h"

enum { MOST_SPACES = 64 }; /* the engines' limit */

/* ---- which memory ---- */

/* Where the buffers of a file are: the kind of their spaces, the slot of the first and how many there may be. */
static struct storage {
    uint8_t kind;
    uint16_t slot, count;
} storage_of(unsigned file)
{
    switch (file) {
    case TGSI_CONSTBUF:
        return (struct storage){IR_SPACE_CONST, 0, TGSI_LIFT_CONST_BUFFERS};
    case TGSI_HW_ATOMIC:
        return (struct storage){IR_SPACE_GLOBAL, TGSI_LIFT_COUNTER_SLOTS, TGSI_LIFT_COUNTER_BUFFERS};
    default:
        return (struct storage){IR_SPACE_GLOBAL, 0, TGSI_LIFT_STORAGE};
    }
}

static bool is_old_memory(const struct tgsi_operand *o, int64_t number)
{
    return o->file == TGSI_RESOURCE && number >= TGSI_RESOURCE_INPUT && number <= TGSI_RESOURCE_GLOBAL;
}

/* Kind, slot and size of the space of a MEMORY or an old compute program's memory. */
static struct ir_space memory_space(const struct tgsi_lifter *l, const struct tgsi_operand *o, uint32_t number)
{
    static const uint8_t old[] = {TGSI_MEM_INPUT, TGSI_MEM_PRIVATE, TGSI_MEM_SHARED, TGSI_MEM_GLOBAL};
    const struct ir_space spaces[] = {
        [TGSI_MEM_GLOBAL] = {.kind = IR_SPACE_GLOBAL, .slot = TGSI_LIFT_GLOBAL_SLOT},
        [TGSI_MEM_SHARED] = {.kind = IR_SPACE_SHARED, .slot = (uint16_t)number, .size = TGSI_LIFT_SHARED_BYTES},
        [TGSI_MEM_PRIVATE] = {.kind = IR_SPACE_PRIVATE, .slot = (uint16_t)number, .size = TGSI_LIFT_PRIVATE_BYTES},
        [TGSI_MEM_INPUT] = {.kind = IR_SPACE_CONST, .slot = TGSI_LIFT_INPUT_SLOT},
    };
    if (o->file == TGSI_RESOURCE)
        return spaces[old[number - TGSI_RESOURCE_INPUT]];
    const struct tgsi_decl *d = tgsi_lift_declaration(l, o->file, &(struct tgsi_index){.value = (int32_t)number});
    return spaces[d ? d->memkind : TGSI_MEM_GLOBAL];
}

static struct ir_space space_for(const struct tgsi_lifter *l, const struct tgsi_operand *o, uint32_t number)
{
    struct storage s = storage_of(o->file);
    if (o->file == TGSI_MEMORY)
        return memory_space(l, o, tgsi_memory_number(l->m, number));
    if (is_old_memory(o, number))
        return memory_space(l, o, number);
    return (struct ir_space){.kind = s.kind, .slot = (uint16_t)(s.slot + number)};
}

/* The space of that kind and slot, made when it is first named. */
static uint32_t space_of(struct tgsi_lifter *l, const struct tgsi_operand *o, uint32_t number)
{
    static const char *const names[] = {[IR_SPACE_CONST] = "CONST",
                                        [IR_SPACE_GLOBAL] = "GLOBAL",
                                        [IR_SPACE_SHARED] = "SHARED",
                                        [IR_SPACE_PRIVATE] = "PRIVATE"};
    struct ir_program *p = l->b.p;
    struct ir_space space = space_for(l, o, number);
    uint32_t index = lift_find_space(p, (enum ir_space_kind)space.kind, space.slot);
    if (index != LIFT_NONE)
        return index;
    if (p->nspaces >= MOST_SPACES) {
        lift_refuse_at(&l->lift, o->where, "more than %d buffers and memories in one program are not executed yet",
                       MOST_SPACES);
        return LIFT_NONE;
    }
    space.bounds = IR_BOUNDS_ZERO;
    space.name = arena_printf(l->arena, "%s%u", names[space.kind], space.slot);
    index = ir_add_space(p, space);
    if (space.kind == IR_SPACE_CONST && space.slot < TGSI_LIFT_CONST_BUFFERS)
        l->const_space[space.slot] = index;
    return index;
}

/* The spaces that an operand may mean, each with the lanes that mean it (0: all). */
struct targets {
    uint32_t space[MOST_SPACES];
    ir_value pred[MOST_SPACES];
    unsigned count;
};

static void add_target(struct tgsi_lifter *l, const struct tgsi_operand *o, int64_t number, ir_value pred,
                       struct targets *t)
{
    unsigned count = storage_of(o->file).count;
    if ((number < 0 || number >= count) && !is_old_memory(o, number)) {
        lift_error_at(&l->lift, o->where, "buffer-number", "there is no %s[%lld]: the last one is %d",
                      tgsi_file_names[o->file], (long long)number, count - 1);
        return;
    }
    uint32_t space = space_of(l, o, (uint32_t)number);
    if (space == LIFT_NONE || t->count == MOST_SPACES)
        return;
    t->space[t->count] = space;
    t->pred[t->count++] = pred;
}

/* One bracket chooses the buffer, but HWATOMIC's (and CONSTBUF's, with two) first one does. */
static const struct tgsi_index *chooser(const struct tgsi_operand *o)
{
    static const struct tgsi_index first = {0};
    if (o->dimensional)
        return &o->dim;
    return o->file == TGSI_HW_ATOMIC ? &first : &o->index;
}

/* A buffer chosen at run time is any of those declared: an access to each, in the lanes that want it. */
static struct targets targets_of(struct tgsi_lifter *l, const struct tgsi_operand *o)
{
    struct targets t = {.count = 0};
    const struct tgsi_index *index = chooser(o);
    if (!index->indirect) {
        add_target(l, o, index->value, 0, &t);
        return t;
    }
    ir_value wanted = tgsi_lift_index(l, index);
    for (uint32_t i = 0; i < l->m->ndecls && !l->failed; i++) {
        const struct tgsi_decl *d = &l->m->decls[i];
        if (d->file != o->file || (index->array && d->array != index->array))
            continue;
        uint32_t first = o->dimensional ? d->dim : d->first, last = o->dimensional ? d->dim : d->last;
        for (uint32_t n = first; n <= last && !l->failed; n++)
            add_target(l, o, n, ir_op2(&l->b, IR_EQ, 0, wanted, ir_const_i32(&l->b, n)), &t);
    }
    return t;
}

/* ---- where in it ---- */

/* Byte address. A counter's is its own number: r600, for which HWATOMIC was made, looks at no other. */
static ir_value address_of(struct tgsi_lifter *l, const struct tgsi_operand *resource, const struct tgsi_operand *at)
{
    if (resource->file != TGSI_HW_ATOMIC)
        return tgsi_lift_source(l, at, 0, TGSI_T_U32);
    if (!resource->index.indirect)
        return ir_const_i32(&l->b, (uint32_t)resource->index.value * 4);
    return ir_op2(&l->b, IR_SHL, 0, tgsi_lift_index(l, &resource->index), ir_const_i32(&l->b, 2));
}

static struct ir_mem word_at(uint32_t space, unsigned component, enum ir_type type)
{
    return (struct ir_mem){
        .space = (uint16_t)space, .elem = (uint8_t)type, .count = 1, .offset = 4 * (int64_t)component};
}

/* What the accesses of several spaces give: each is 0 in the lanes that it is not for. */
static ir_value merge(struct tgsi_lifter *l, ir_value sum, ir_value v)
{
    v = ir_as(&l->b, IR_I32, v);
    return sum ? ir_op2(&l->b, IR_OR, 0, sum, v) : v;
}

/* ---- loads and stores ---- */

static ir_value load_word(struct tgsi_lifter *l, const struct targets *t, ir_value address, unsigned component)
{
    ir_value sum = 0;
    for (unsigned i = 0; i < t->count; i++) {
        uint32_t mem = ir_add_mem(l->b.p, word_at(t->space[i], component, IR_I32));
        sum = merge(l, sum, ir_emit(&l->b, IR_LOAD, IR_I32, 0, 1, &address, 1, mem, 0, t->pred[i]));
    }
    return sum ? sum : ir_const_i32(&l->b, 0);
}

void tgsi_lift_load(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *resource = &insn->src[0];
    if (tgsi_lift_is_image(l, resource)) {
        tgsi_lift_image_load(l, insn);
        return;
    }
    struct targets t = targets_of(l, resource);
    if (l->failed)
        return;
    ir_value address = address_of(l, resource, &insn->src[1]), v[4] = {0};
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst[0].mask >> c & 1)
            v[c] = load_word(l, &t, address, resource->swizzle[c] & 3);
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_UNTYPED, v);
}

void tgsi_lift_store(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *resource = &insn->dst[0];
    if (tgsi_lift_is_image(l, resource)) {
        tgsi_lift_image_store(l, insn);
        return;
    }
    struct targets t = targets_of(l, resource);
    if (l->failed)
        return;
    ir_value address = address_of(l, resource, &insn->src[0]);
    for (unsigned c = 0; c < 4; c++) {
        if (!(resource->mask >> c & 1))
            continue;
        ir_value v = ir_as(&l->b, IR_I32, tgsi_lift_source(l, &insn->src[1], c, TGSI_T_UNTYPED));
        for (unsigned i = 0; i < t.count; i++)
            ir_store(&l->b, word_at(t.space[i], c, IR_I32), address, &v, t.pred[i]);
    }
}

/* RESQ of a buffer: its bytes, in x. */
void tgsi_lift_resq(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_operand *resource = &insn->src[0];
    if (tgsi_lift_is_image(l, resource)) {
        tgsi_lift_image_size(l, insn);
        return;
    }
    struct targets t = targets_of(l, resource);
    ir_value size = 0;
    for (unsigned i = 0; i < t.count; i++) {
        struct ir_image ask = {.dim = IR_TEX_BUFFER, .binding = IR_IMAGE_SPACE, .image = (uint16_t)t.space[i]};
        ir_value bytes = ir_image_op(&l->b, IR_SVC_RESOURCE_SIZE, ask, NULL, 0);
        if (t.pred[i])
            bytes = ir_select(&l->b, t.pred[i], bytes, ir_const_i32(&l->b, 0));
        size = merge(l, size, bytes);
    }
    if (l->failed || !size)
        return;
    ir_value zero = ir_const_i32(&l->b, 0);
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_U32, (const ir_value[4]){size, zero, zero, zero});
}

/* ---- atomics: the ir column says which ---- */

void tgsi_lift_atomic(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    const struct tgsi_row *row = tgsi_lift_row(insn);
    enum ir_atomic what = (enum ir_atomic)row->ir;
    const struct tgsi_operand *resource = &insn->src[0];
    if (tgsi_lift_is_image(l, resource)) {
        tgsi_lift_image_atomic(l, insn, what);
        return;
    }
    struct targets t = targets_of(l, resource);
    if (l->failed)
        return;
    enum ir_type type = what == IR_ATOMIC_FADD ? IR_F32 : IR_I32;
    ir_value address = address_of(l, resource, &insn->src[1]), v[4] = {0};
    /* where the result goes nowhere, the mask does not count words */
    unsigned mask = insn->dst[0].file == TGSI_NULL ? 1 : insn->dst[0].mask;
    for (unsigned c = 0; c < 4; c++) {
        if (!(mask >> c & 1))
            continue;
        /* the compare value comes first in TGSI, the new one first in the IR */
        bool cas = what == IR_ATOMIC_CAS;
        ir_value args[3] = {address, tgsi_lift_source(l, &insn->src[cas ? 3 : 2], c, row->src_type[2]),
                            cas ? tgsi_lift_source(l, &insn->src[2], c, row->src_type[2]) : 0};
        for (unsigned i = 0; i < t.count; i++) {
            struct ir_mem mem = word_at(t.space[i], c, type);
            mem.align = 4; /* the document leaves other addresses open; this is what the hosts can do */
            ir_value old =
                ir_emit(&l->b, IR_ATOMIC, type, 0, 1, args, cas ? 3 : 2, ir_add_mem(l->b.p, mem), what, t.pred[i]);
            v[c] = merge(l, v[c], old);
        }
    }
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_UNTYPED, v);
}

/* ---- fences: MFENCE, LFENCE, SFENCE and MEMBAR order everything ---- */

void tgsi_lift_fence(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    (void)insn;
    ir_emit(&l->b, IR_FENCE, IR_VOID, 0, 0, NULL, 0, 0, UINT32_MAX, 0);
}
