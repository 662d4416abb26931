/* lift_memory.c - messages to memory: loads, stores, atomics, addresses of buffers and texels.
 *
 * Addresses are flat. Buffers and images of the job are on the device's bus; a lane's own memory, a workgroup's and a
 * vertex program's outputs have windows of their own (lift.h). An access goes to the window that its high word
 * says, and only windows whose pointers the program mentions are looked at. */
#include "isa/valhall/lift.h"
#include "isa/valhall/lift_rows.h"

#include "ir/program.h"

enum {
    VARYINGS_AT = 0x100, /* of the second output buffer in the window of outputs */
    SAMPLES = 8 /* of the device's targets, at most */,
    SAMPLE_BYTES = SAMPLES * 4,
    MOST_PLACES = 5,
    OUTPUT_BYTES = VARYINGS_AT + VALHALL_VARYINGS * 16,
    IMAGES = 32 /* of the device */
};

/* ---- spaces ---- */

static uint32_t memory_bus(struct valhall_lifter *l)
{
    if (l->space_bus == LIFT_NONE)
        l->space_bus =
            ir_add_space(l->b.p, (struct ir_space){.name = "memory", .kind = IR_SPACE_BUS, .bounds = IR_BOUNDS_ZERO});
    return l->space_bus;
}

static uint32_t window_space(struct valhall_lifter *l, uint32_t *space, enum ir_space_kind kind, const char *name,
                             uint32_t size)
{
    if (*space == LIFT_NONE)
        *space = ir_add_space(l->b.p, (struct ir_space){.name = name,
                                                        .kind = (uint8_t)kind,
                                                        .bounds = IR_BOUNDS_ZERO,
                                                        .size = size});
    return *space;
}

struct place {
    uint32_t space;
    ir_value addr; /* within the space */
    ir_value pred; /* lanes whose address is there; 0: all */
};

/* The places that an address may be in. */
static unsigned places_of(struct valhall_lifter *l, const struct valhall_source *s, struct place *places)
{
    struct ir_builder *b = &l->b;
    const struct {
        bool used;
        uint32_t high, *space;
        enum ir_space_kind kind;
        const char *name;
        uint32_t size;
        uint8_t special;
    } windows[] = {
        {l->uses_local, VALHALL_WINDOW_LOCAL, &l->space_local, IR_SPACE_PRIVATE, "local", l->link.tls_bytes,
         VALHALL_THREAD_LOCAL_POINTER},
        {l->uses_workgroup, VALHALL_WINDOW_WORKGROUP, &l->space_workgroup, IR_SPACE_SHARED, "workgroup",
         l->link.wls_bytes, VALHALL_WORKGROUP_LOCAL_POINTER},
        {l->uses_output, VALHALL_WINDOW_POSITION, &l->space_output, IR_SPACE_PRIVATE, "output", OUTPUT_BYTES, 0},
        {l->uses_samples, VALHALL_WINDOW_SAMPLES, &l->space_samples, IR_SPACE_PRIVATE, "samples", SAMPLE_BYTES, 0},
    };
    ir_value v = valhall_bits64(l, s), low = ir_cvt(b, IR_LO32, IR_I32, 0, v), high = ir_cvt(b, IR_HI32, IR_I32, 0, v);
    ir_value elsewhere = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof windows / sizeof *windows; i++) {
        if (!windows[i].used)
            continue;
        struct place p = {window_space(l, windows[i].space, windows[i].kind, windows[i].name, windows[i].size), low, 0};
        if (s->kind == VALHALL_SPECIAL && s->special == windows[i].special) {
            places[0] = p;
            return 1;
        }
        ir_value here = ir_op2(b, IR_EQ, 0, high, valhall_i32(l, windows[i].high));
        p.pred = here;
        elsewhere = elsewhere ? ir_op2(b, IR_OR, 0, elsewhere, here) : here;
        places[count++] = p;
    }
    ir_value rest = elsewhere ? ir_op1(b, IR_NOT, 0, elsewhere) : 0;
    places[count++] = (struct place){memory_bus(l), v, rest};
    return count;
}

/* ---- loading ---- */

static ir_value load(struct valhall_lifter *l, const struct place *p, enum ir_type elem, unsigned count, int64_t offset)
{
    struct ir_mem mem = {(uint16_t)p->space, (uint8_t)elem, (uint8_t)count, 0, offset};
    return ir_emit(&l->b, IR_LOAD, elem, 0, count, &p->addr, 1, ir_add_mem(l->b.p, mem), 0, p->pred);
}

/* `count` elements at an address, from whichever place it is in: where it is not, a load gives 0. */
static void load_elements(struct valhall_lifter *l, const struct place *places, unsigned nplaces, enum ir_type elem,
                          unsigned count, int64_t offset, ir_value *v)
{
    for (unsigned i = 0; i < nplaces; i++) {
        ir_value first = load(l, &places[i], elem, count, offset);
        for (unsigned k = 0; k < count; k++)
            v[k] = i ? ir_op2(&l->b, IR_OR, 0, v[k], first + k) : first + k;
    }
}

static unsigned width_of(const struct valhall_insn *insn)
{
    return insn->row->size / 8u;
}

static ir_value extended(struct valhall_lifter *l, ir_value v, enum ir_type to)
{
    return ir_cvt(&l->b, valhall_mod(l->insn, VALHALL_MOD_UNSIGNED) ? IR_ZEXT : IR_SEXT, to, 0, v);
}

static void set_64(struct valhall_lifter *l, unsigned base, ir_value v)
{
    valhall_set(l, base, ir_cvt(&l->b, IR_LO32, IR_I32, 0, v));
    valhall_set(l, base + 1, ir_cvt(&l->b, IR_HI32, IR_I32, 0, v));
}

/* What a load has got, by words, goes to its registers. Bytes and halves are in the low bits of the first word. */
static void write_loaded(struct valhall_lifter *l, ir_value *v)
{
    unsigned bytes = width_of(l->insn), base = l->insn->staging[0].base;
    struct valhall_part part = valhall_loaded_part(l->insn);
    if (!part.width) {
        for (unsigned i = 0; i < (bytes + 3) / 4; i++)
            valhall_set(l, base + i, v[i]);
        return;
    }
    if (bytes < 4)
        v[0] = ir_cvt(&l->b, IR_TRUNC, bytes == 1 ? IR_I8 : IR_I16, 0, v[0]);
    if (part.width > bytes * 8)
        v[0] = extended(l, v[0], part.width == 16 ? IR_I16 : part.width == 32 ? IR_I32 : IR_I64);
    if (part.width == 64)
        set_64(l, base, v[0]);
    else if (part.width == 32)
        valhall_set(l, base, v[0]);
    else
        valhall_set_part(l, base, part.shift / part.width, v[0]);
}

/* The words of a load; what is above its last byte is 0. */
static void load_words(struct valhall_lifter *l, const struct place *places, unsigned nplaces, int64_t offset,
                       ir_value v[4])
{
    struct ir_builder *b = &l->b;
    unsigned bytes = width_of(l->insn), words = bytes / 4, rest = bytes % 4;
    ir_value part[1] = {0};
    if (words)
        load_elements(l, places, nplaces, IR_I32, words, offset, v);
    if (rest & 2) {
        load_elements(l, places, nplaces, IR_I16, 1, offset + words * 4, part);
        v[words] = ir_cvt(b, IR_ZEXT, IR_I32, 0, part[0]);
    }
    if (rest & 1) {
        load_elements(l, places, nplaces, IR_I8, 1, offset + words * 4 + (rest & 2), part);
        ir_value byte = ir_cvt(b, IR_ZEXT, IR_I32, 0, part[0]);
        v[words] = rest == 1 ? byte : ir_op2(b, IR_OR, 0, v[words], ir_op2(b, IR_SHL, 0, byte, valhall_i32(l, 16)));
    }
}

static void load_message(struct valhall_lifter *l, const struct place *places, unsigned nplaces, int64_t offset)
{
    ir_value v[4] = {0};
    load_words(l, places, nplaces, offset, v);
    write_loaded(l, v);
}

void valhall_lift_load(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct place places[MOST_PLACES];
    unsigned count = places_of(l, &insn->src[0], places);
    load_message(l, places, count, insn->imm[0]);
}

/* ---- LD_BUFFER: an offset into a buffer that a mode descriptor names ---- */

enum { MODE_AT = 25, MODE_DESCRIPTORS = 0x7f };

/* Flat address of byte `offset` of a numbered buffer. */
static ir_value buffer_address(struct valhall_lifter *l, ir_value number, uint64_t first, ir_value offset)
{
    ir_value high = ir_op2(&l->b, IR_ADD, 0, number, valhall_i32(l, (uint32_t)(first >> 32)));
    return ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, offset, high);
}

/* Word `index` of a table's descriptors, 16 bytes each: the buffer's address, and zeros. Tables without buffers have
 * nothing but zeros. */
static ir_value descriptor_word(struct valhall_lifter *l, ir_value table, ir_value index)
{
    struct ir_builder *b = &l->b;
    ir_value uniform = ir_op2(b, IR_EQ, 0, table, valhall_i32(l, VALHALL_TABLE_UNIFORM));
    ir_value storage = ir_op2(b, IR_EQ, 0, table, valhall_i32(l, VALHALL_TABLE_STORAGE));
    ir_value high = ir_select(b, storage, valhall_i32(l, (uint32_t)(IR_STORAGE_ADDRESS(0) >> 32)),
                              valhall_i32(l, (uint32_t)(IR_CONSTANT_ADDRESS(0) >> 32)));
    high = ir_op2(b, IR_ADD, 0, high, ir_op2(b, IR_SHR_U, 0, index, valhall_i32(l, 2)));
    ir_value is_high = ir_op2(b, IR_EQ, 0, ir_op2(b, IR_AND, 0, index, valhall_i32(l, 3)), valhall_i32(l, 1));
    is_high = ir_op2(b, IR_AND, 0, is_high, ir_op2(b, IR_OR, 0, uniform, storage));
    return ir_select(b, is_high, high, valhall_i32(l, 0));
}

/* The upper bits of the mode are all ones: not the contents but the descriptors of a table, as bytes. */
static void descriptor_words(struct valhall_lifter *l, ir_value table, ir_value offset, ir_value v[4])
{
    struct ir_builder *b = &l->b;
    ir_value first = ir_op2(b, IR_SHR_U, 0, offset, valhall_i32(l, 2));
    ir_value shift = ir_op2(b, IR_SHL, 0, ir_op2(b, IR_AND, 0, offset, valhall_i32(l, 3)), valhall_i32(l, 3));
    unsigned bytes = width_of(l->insn), words = (bytes + 3) / 4;
    ir_value next = descriptor_word(l, table, first);
    for (unsigned i = 0; i < words; i++) {
        ir_value low = next;
        next = descriptor_word(l, table, ir_op2(b, IR_ADD, 0, first, valhall_i32(l, i + 1)));
        ir_value pair = ir_op2(b, IR_SHR_U, 0, ir_cvt2(b, IR_PACK64, IR_I64, 0, low, next), shift);
        v[i] = ir_cvt(b, IR_LO32, IR_I32, 0, pair);
    }
    if (bytes % 4)
        v[words - 1] = ir_op2(b, IR_AND, 0, v[words - 1], valhall_i32(l, (1u << bytes % 4 * 8) - 1));
}

/* A mode that only the lanes know. */
static void load_by_lanes(struct valhall_lifter *l, ir_value mode, ir_value offset)
{
    struct ir_builder *b = &l->b;
    ir_value what = ir_op2(b, IR_SHR_U, 0, mode, valhall_i32(l, MODE_AT));
    ir_value number = ir_op2(b, IR_AND, 0, mode, valhall_i32(l, 0xff));
    ir_value contents = ir_op2(b, IR_EQ, 0, what, valhall_i32(l, 0));
    ir_value descriptors = ir_op2(b, IR_EQ, 0, what, valhall_i32(l, MODE_DESCRIPTORS));
    ir_check(b, ir_op1(b, IR_NOT, 0, ir_op2(b, IR_OR, 0, contents, descriptors)), VALHALL_FAULT_MODE);
    struct place p = {memory_bus(l), buffer_address(l, number, IR_CONSTANT_ADDRESS(0), offset), contents};
    ir_value v[4] = {0}, w[4] = {0};
    load_words(l, &p, 1, 0, v);
    descriptor_words(l, number, offset, w);
    for (unsigned i = 0; i < (width_of(l->insn) + 3) / 4; i++)
        v[i] = ir_select(b, contents, v[i], w[i]);
    write_loaded(l, v);
}

void valhall_lift_ld_buffer(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    uint32_t mode;
    ir_value offset = valhall_bits(l, &insn->src[0]), v[4] = {0};
    if (!valhall_constant(l, &insn->src[1], &mode)) {
        load_by_lanes(l, valhall_bits(l, &insn->src[1]), offset);
        return;
    }
    uint32_t number = mode & 0xff;
    if (mode >> MODE_AT == MODE_DESCRIPTORS) {
        if (number != VALHALL_TABLE_UNIFORM && number != VALHALL_TABLE_STORAGE)
            lift_warn(&l->lift, "table",
                      "table %u has no descriptors of buffers, which are in tables 0 (uniform) and 6 "
                      "(storage): this reads zeros",
                      number);
        descriptor_words(l, valhall_i32(l, number), offset, v);
        write_loaded(l, v);
        return;
    }
    if (mode >> MODE_AT) {
        lift_refuse(&l->lift, "bits 25 to 31 of the mode descriptor %#x are neither all 0 nor all 1", mode);
        return;
    }
    struct place p = {valhall_ubo(l, number), offset, 0};
    load_message(l, &p, 1, 0);
}

/* ---- storing ---- */

static void store(struct valhall_lifter *l, const struct place *p, enum ir_type elem, unsigned count, int64_t offset,
                  const ir_value *v)
{
    struct ir_mem mem = {(uint16_t)p->space, (uint8_t)elem, (uint8_t)count, 0, offset};
    ir_store(&l->b, mem, p->addr, v, p->pred);
}

void valhall_lift_store(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct place places[MOST_PLACES];
    unsigned nplaces = places_of(l, &insn->src[0], places), bytes = width_of(insn), words = bytes / 4,
             halves = bytes % 4;
    ir_value v[5];
    for (unsigned i = 0; i < words + (halves != 0); i++)
        v[i] = valhall_get(l, insn->staging[0].base + i);
    for (unsigned i = 0; i < nplaces; i++) {
        if (words)
            store(l, &places[i], IR_I32, words, insn->imm[0], v);
        int64_t at = insn->imm[0] + words * 4;
        ir_value last;
        if (halves & 2) {
            last = ir_cvt(&l->b, IR_TRUNC, IR_I16, 0, v[words]);
            store(l, &places[i], IR_I16, 1, at, &last);
        }
        if (halves & 1) {
            last = halves == 3 ? ir_op2(&l->b, IR_SHR_U, 0, v[words], valhall_i32(l, 16)) : v[words];
            last = ir_cvt(&l->b, IR_TRUNC, IR_I8, 0, last);
            store(l, &places[i], IR_I8, 1, at + (halves & 2), &last);
        }
    }
}

/* ---- addresses of buffers ---- */

/* A vertex program's output buffers are the lane's own: 0 the position, 1 the varyings; the second part of a compiled
 * one, which is there for the varyings, calls them 0. Table 6 has storage buffers, table 0 uniform ones; the source is
 * a byte offset there. */
void valhall_lift_lea_buf(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    uint32_t table = (uint32_t)valhall_immediate(insn, VALHALL_ROLE_TABLE),
             index = (uint32_t)valhall_immediate(insn, VALHALL_ROLE_INDEX);
    unsigned base = insn->staging[0].base;
    if (table == VALHALL_TABLE_OUTPUT && l->stage == IR_VERTEX) {
        bool varyings = index != 0 || (l->reach.second && l->at >= l->reach.second);
        valhall_set(l, base, valhall_i32(l, varyings ? VARYINGS_AT : 0));
        valhall_set(l, base + 1, valhall_i32(l, VALHALL_WINDOW_POSITION));
        return;
    }
    uint64_t address = table == VALHALL_TABLE_STORAGE ? IR_STORAGE_ADDRESS(index) : IR_CONSTANT_ADDRESS(index);
    valhall_set(l, base, valhall_bits(l, &insn->src[0]));
    valhall_set(l, base + 1, valhall_i32(l, (uint32_t)(address >> 32)));
}

/* ---- a vertex program's outputs ---- */

static ir_value output_words(struct valhall_lifter *l, uint32_t byte)
{
    struct place p = {window_space(l, &l->space_output, IR_SPACE_PRIVATE, "output", OUTPUT_BYTES), valhall_i32(l, byte),
                      0};
    return load(l, &p, IR_I32, 4, 0);
}

/* A position that was divided by w, with 1/w after it, is multiplied by w again: the device divides on its own. */
void valhall_write_outputs(struct valhall_lifter *l)
{
    ir_value v = output_words(l, 0), w = ir_as(&l->b, IR_F32, v + 3);
    if (!l->link.clip_position)
        w = ir_op2(&l->b, IR_FDIV, 0, ir_const_f32(&l->b, 1), w);
    for (unsigned c = 0; c < 3; c++) {
        ir_value x = ir_as(&l->b, IR_F32, v + c);
        valhall_put(l, l->position, c, l->link.clip_position ? x : ir_op2(&l->b, IR_FMUL, 0, x, w), 0);
    }
    valhall_put(l, l->position, 3, w, 0);
    for (unsigned n = 0; n < VALHALL_VARYINGS; n++) {
        v = output_words(l, VARYINGS_AT + n * 16);
        for (unsigned c = 0; c < 4; c++)
            valhall_put(l, l->varying[n], c, v + c, 0);
    }
}

/* ---- where a pixel's samples are ---- */

/* A word for each sample: distances from the pixel's corner in 256ths, x in the low half. */
void valhall_store_sample_positions(struct valhall_lifter *l)
{
    struct ir_builder *b = &l->b;
    uint32_t space = window_space(l, &l->space_samples, IR_SPACE_PRIVATE, "samples", SAMPLE_BYTES);
    for (uint32_t n = 0; n < SAMPLES; n++) {
        struct place p = {space, valhall_i32(l, 4 * n), 0};
        ir_value number = valhall_i32(l, n), at[2];
        ir_value first = ir_emit(b, IR_SERVICE, IR_F32, 0, 4, &number, 1, 0, IR_SVC_SAMPLE_POS, 0);
        for (unsigned c = 0; c < 2; c++)
            at[c] = ir_cvt(b, IR_F2U, IR_I32, IR_RTZ, ir_op2(b, IR_FMUL, 0, first + c, ir_const_f32(b, 256)));
        ir_value word = ir_op2(b, IR_OR, 0, at[0], ir_op2(b, IR_SHL, 0, at[1], valhall_i32(l, 16)));
        store(l, &p, IR_I32, 1, 0, &word);
    }
}

/* ---- atomics ---- */

/* The value before, from whichever place the address is in. operand[1] is what to compare with. */
static ir_value atomic(struct valhall_lifter *l, enum ir_atomic op, const ir_value *operand, unsigned count)
{
    const struct valhall_insn *insn = l->insn;
    struct place places[MOST_PLACES];
    unsigned nplaces = places_of(l, &insn->src[0], places);
    enum ir_type type = insn->row->size == 64 ? IR_I64 : IR_I32;
    ir_value old = 0;
    for (unsigned i = 0; i < nplaces; i++) {
        uint32_t mem =
            ir_add_mem(l->b.p, (struct ir_mem){(uint16_t)places[i].space, (uint8_t)type, 1, 0, insn->imm[0]});
        ir_value args[3] = {places[i].addr, operand[0], count > 1 ? operand[1] : 0};
        ir_value v = ir_emit(&l->b, IR_ATOMIC, type, 0, 1, args, count + 1, mem, op, places[i].pred);
        old = old ? ir_op2(&l->b, IR_OR, 0, old, v) : v;
    }
    return old;
}

static void write_old(struct valhall_lifter *l, const struct valhall_staging *to, ir_value old)
{
    if (!to->count)
        return;
    if (ir_type_of(&l->b, old) == IR_I64)
        set_64(l, to->base, old);
    else
        valhall_set(l, to->base, old);
}

/* Operand i of the registers that the message reads. */
static ir_value atomic_operand(struct valhall_lifter *l, const struct valhall_staging *from, unsigned i)
{
    if (l->insn->row->size == 32)
        return valhall_get(l, from->base + i);
    ir_value low = valhall_get(l, from->base + i * 2);
    return ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, low, valhall_get(l, from->base + i * 2 + 1));
}

void valhall_lift_atom(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    static const uint8_t ops[16] = {
        [VALHALL_AADD] = IR_ATOMIC_ADD,    [VALHALL_ASMIN] = IR_ATOMIC_MIN_S, [VALHALL_ASMAX] = IR_ATOMIC_MAX_S,
        [VALHALL_AUMIN] = IR_ATOMIC_MIN_U, [VALHALL_AUMAX] = IR_ATOMIC_MAX_U, [VALHALL_AAND] = IR_ATOMIC_AND,
        [VALHALL_AOR] = IR_ATOMIC_OR,      [VALHALL_AXOR] = IR_ATOMIC_XOR,    [VALHALL_AXCHG] = IR_ATOMIC_XCHG};
    bool returns = insn->nstaging > 1, compares = returns && valhall_mod(insn, VALHALL_MOD_COMPARE);
    const struct valhall_staging *from = &insn->staging[returns ? 1 : 0];
    enum ir_atomic op = (enum ir_atomic)ops[valhall_mod(insn, VALHALL_MOD_ATOM)];
    ir_value operand[2] = {atomic_operand(l, from, 0), 0};
    if (compares) { /* what to compare with comes first, then the new value */
        operand[1] = operand[0];
        operand[0] = atomic_operand(l, from, 1);
        op = IR_ATOMIC_CAS;
    }
    ir_value old = atomic(l, op, operand, compares ? 2 : 1);
    if (returns)
        write_old(l, &insn->staging[0], old);
}

void valhall_lift_atom_1(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    static const struct {
        uint8_t op;
        int8_t operand;
    } ops[] = {[VALHALL_AINC] = {IR_ATOMIC_ADD, 1},
               [VALHALL_ADEC] = {IR_ATOMIC_ADD, -1},
               [VALHALL_AUMAX1] = {IR_ATOMIC_MAX_U, 1},
               [VALHALL_ASMAX1] = {IR_ATOMIC_MAX_S, 1},
               [VALHALL_AOR1] = {IR_ATOMIC_OR, 1}};
    unsigned which = valhall_mod(insn, VALHALL_MOD_ATOM_1); /* other numbers do not decode */
    bool wide = insn->row->size == 64;
    ir_value operand = ir_const(&l->b, wide ? IR_I64 : IR_I32,
                                wide ? (uint64_t)(int64_t)ops[which].operand : (uint32_t)(int32_t)ops[which].operand);
    write_old(l, &insn->staging[0], atomic(l, (enum ir_atomic)ops[which].op, &operand, 1));
}

/* ---- images ---- */

/* 16 bits of a pair of coordinates. */
static ir_value coordinate(struct valhall_lifter *l, ir_value pair, bool high)
{
    return high ? ir_op2(&l->b, IR_SHR_U, 0, pair, valhall_i32(l, 16))
                : ir_op2(&l->b, IR_AND, 0, pair, valhall_i32(l, 0xffff));
}

/* Image and coordinates as the device takes them. */
struct texel {
    struct ir_image image;
    struct lift_arguments args;
    ir_value lanes; /* number of the image that only the lanes know; 0: image.image */
};

static struct texel texel_of_image(struct valhall_lifter *l, uint32_t number, ir_value lanes)
{
    static const struct valhall_image unlinked = {.dim = IR_TEX_2D};
    const struct valhall_image *linked = number < VALHALL_LINK_IMAGES ? &l->link.image[number] : &unlinked;
    return (struct texel){.image = {.dim = linked->dim,
                                    .array = linked->array,
                                    .binding = IR_IMAGE_IMAGE,
                                    .image = (uint16_t)(number < IMAGES ? number : IMAGES),
                                    .image_arg = lanes != 0},
                          .lanes = lanes};
}

/* The entry of a table that an immediate names, or the third source: valhall_table_entry. */
static uint32_t named_entry(struct valhall_lifter *l, ir_value *lanes)
{
    const struct valhall_insn *insn = l->insn;
    *lanes = 0;
    return insn->nsrc > 2 ? valhall_table_entry(l, &insn->src[2], lanes)
                          : (uint32_t)valhall_immediate(insn, VALHALL_ROLE_INDEX);
}

/* The image that an instruction names and the texel in its two sources, x and y, z. */
static void read_texel(struct valhall_lifter *l, struct texel *t)
{
    const struct valhall_insn *insn = l->insn;
    struct valhall_source pair = insn->src[0];
    ir_value lanes = 0;
    uint32_t number = named_entry(l, &lanes);
    pair.pick = NULL;
    *t = texel_of_image(l, number, lanes);
    ir_value xy = valhall_bits(l, &pair);
    lift_argument(&t->args, coordinate(l, xy, false));
    if (t->image.dim != IR_TEX_1D && t->image.dim != IR_TEX_BUFFER)
        lift_argument(&t->args, coordinate(l, xy, true));
    if (t->image.dim == IR_TEX_3D || t->image.dim == IR_TEX_CUBE || t->image.array)
        lift_argument(&t->args, coordinate(l, valhall_bits(l, &insn->src[1]), false));
}

static ir_value ask_image(struct valhall_lifter *l, struct texel *t, enum ir_service service)
{
    if (t->lanes)
        lift_argument(&t->args, t->lanes);
    return ir_image_op(&l->b, service, t->image, t->args.v, t->args.n);
}

void valhall_lift_ld_tex(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct texel t;
    ir_value v[4];
    unsigned format = valhall_mod(insn, VALHALL_MOD_REGFMT), count = valhall_vector_size(insn);
    read_texel(l, &t);
    t.image.is_float = !valhall_is_integer_format(format);
    ir_value first = ask_image(l, &t, IR_SVC_IMAGE_LOAD);
    for (unsigned i = 0; i < 4; i++)
        v[i] = first + i;
    valhall_write_vector(l, insn->staging[0].base, format, v, count);
}

/* The texel's address, and as its conversion descriptor the number of the image. */
void valhall_lift_lea_tex(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct texel t;
    unsigned base = insn->staging[0].base;
    read_texel(l, &t);
    ir_value first = ask_image(l, &t, IR_SVC_IMAGE_ADDRESS);
    valhall_set(l, base, first);
    valhall_set(l, base + 1, first + 1);
    valhall_set(l, base + 2, t.lanes ? t.lanes : valhall_i32(l, t.image.image));
}

/* Attributes that are written are storage buffers of four words an element, the vertex's number counting. */
void valhall_lift_lea_attr(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    ir_value lanes = 0;
    uint32_t known = named_entry(l, &lanes);
    unsigned base = insn->staging[0].base;
    ir_value number = lanes ? lanes : valhall_i32(l, known);
    ir_value offset = ir_op2(&l->b, IR_SHL, 0, valhall_bits(l, &insn->src[0]), valhall_i32(l, 4));
    ir_value address = buffer_address(l, number, IR_STORAGE_ADDRESS(0), offset);
    set_64(l, base, address);
    valhall_set(l, base + 2, number);
}

/* Texels are stored in their image's format, what is at other addresses as it is: 32-bit words. */
void valhall_lift_st_cvt(struct valhall_lifter *l, const struct valhall_insn *insn)
{
    struct ir_builder *b = &l->b;
    unsigned format = valhall_mod(insn, VALHALL_MOD_REGFMT), count = valhall_vector_size(insn);
    ir_value address = valhall_bits64(l, &insn->src[0]), high = ir_cvt(b, IR_HI32, IR_I32, 0, address), v[4];
    valhall_read_vector(l, insn->staging[0].base, format, v, count);
    for (unsigned i = count; i < 4; i++)
        v[i] = valhall_is_integer_format(format) ? valhall_i32(l, i == 3) : ir_const_f32(b, i == 3);
    uint32_t known = 0;
    bool fixed = valhall_constant(l, &insn->src[1], &known);
    ir_value number = fixed ? valhall_i32(l, known) : valhall_bits(l, &insn->src[1]);
    struct texel t = texel_of_image(l, fixed ? known : 0, fixed ? 0 : number);
    t.image.is_float = !valhall_is_integer_format(format);
    lift_argument(&t.args, ir_op2(b, IR_ADD, 0, ir_cvt(b, IR_LO32, IR_I32, 0, address),
                                  valhall_i32(l, (uint32_t)insn->imm[0])));
    for (unsigned i = 0; i < 4; i++)
        lift_argument(&t.args, v[i]);
    ir_value of_image = ir_op2(b, IR_ADD, 0, number, valhall_i32(l, (uint32_t)(IR_IMAGE_ADDRESS(0) >> 32)));
    ir_value texel = ir_op2(b, IR_EQ, 0, high, of_image);
    ask_image(l, &t, IR_SVC_IMAGE_STORE_AT);
    struct ir_block *block = &b->p->blocks[b->block];
    block->ops[block->count - 1].pred = texel;
    struct place p = {memory_bus(l), address, ir_op1(b, IR_NOT, 0, texel)};
    store(l, &p, valhall_is_integer_format(format) ? IR_I32 : IR_F32, count, insn->imm[0], v);
}
