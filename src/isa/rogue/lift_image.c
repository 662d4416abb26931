/* lift_image.c - texels in memory: SMP1D to SMP3D with .WRT, their reads of images, and GTA (chapters 6 and 11). Images
 * are those of the device; the texels of GTA are an array in a storage buffer, which the state describes as
 * docs/manual/rogue.md says. */
#include "isa/rogue/lift_texture.h"

enum { MOST_ARGUMENTS = 12, CUBE_FACES = 6 };

/* ---- images ---- */

/* Image of the state in S0, with its place among the arguments; the count of them, 0 after an error. */
static unsigned find_texel(struct rogue_request *r, struct ir_image *image, ir_value args[MOST_ARGUMENTS])
{
    static const uint8_t dims[] = {IR_TEX_2D, IR_TEX_1D, IR_TEX_2D, IR_TEX_3D};
    struct ir_builder *b = &r->l->b;
    const struct rogue_shared_range *range = rogue_shared_state(r->l, r->texture, ROGUE_SH_IMAGE);
    unsigned count = 0;
    if (!range && r->texture.bank == ROGUE_SHARED) {
        lift_refuse(&r->l->lift, "the linkage does not say which image the state in S0 is of ('sh N image M')");
        return 0;
    }
    *image = (struct ir_image){.dim = dims[r->axes],
                               .array = r->layer != 0,
                               .multisample = r->sample != 0,
                               .binding = IR_IMAGE_IMAGE,
                               .is_float = rogue_request_has(r, ROGUE_F_FCNORM),
                               .image_arg = !range,
                               .image = range ? (uint16_t)range->number : 0};
    ir_value size = 0;
    if (!rogue_request_has(r, ROGUE_F_INTEGER) && !rogue_request_has(r, ROGUE_F_NNCOORDS)) {
        ir_value number = range ? 0 : rogue_read(r->l, r->texture, 0);
        size = ir_image_op(b, IR_SVC_RESOURCE_SIZE, *image, &number, !range);
    }
    for (unsigned i = 0; i < r->axes; i++) {
        ir_value n = rogue_texel_number(r, i, size);
        args[count++] = r->offset[i] ? ir_op2(b, IR_ADD, 0, n, r->offset[i]) : n;
    }
    if (r->layer)
        args[count++] = r->layer;
    if (r->sample)
        args[count++] = r->sample;
    return count;
}

static unsigned finish_texel(struct rogue_request *r, const struct ir_image *image, ir_value args[MOST_ARGUMENTS],
                             unsigned count)
{
    if (image->image_arg)
        args[count++] = rogue_read(r->l, r->texture, 0);
    return count;
}

/* Channels that the instruction leaves out are 0, alpha 1. */
void rogue_lift_smp_wrt(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    struct ir_image image;
    ir_value args[MOST_ARGUMENTS];
    struct rogue_request r = {.l = l, .insn = insn, .texture = l->group->s[0]};
    if (!rogue_read_request(&r))
        return;
    unsigned count = find_texel(&r, &image, args);
    if (l->failed)
        return;
    for (unsigned c = 0; c < ROGUE_CHANNELS; c++) {
        ir_value absent = image.is_float ? ir_const_f32(&l->b, c == 3 ? 1.0f : 0.0f) : rogue_word(l, c == 3);
        args[count++] = r.data[c] ? r.data[c] : absent;
    }
    count = finish_texel(&r, &image, args, count);
    uint32_t desc = ir_add_image(l->b.p, image);
    ir_emit(&l->b, IR_SERVICE, IR_VOID, 0, 0, args, count, desc, IR_SVC_IMAGE_STORE, l->run);
}

unsigned rogue_image_values(struct rogue_request *r, ir_value *v)
{
    struct ir_image image;
    ir_value args[MOST_ARGUMENTS];
    unsigned channels = (unsigned)rogue_get(r->insn, ROGUE_F_CHAN);
    if (!rogue_read_request(r))
        return 0;
    if (r->reference || rogue_get(r->insn, ROGUE_F_SBMODE) || rogue_request_has(r, ROGUE_F_TAO)) {
        lift_refuse(&r->l->lift,
                    "'%s' of an image is not filtered: it has no comparison, footprint or address of its own",
                    r->insn->row->name);
        return 0;
    }
    unsigned count = finish_texel(r, &image, args, find_texel(r, &image, args));
    ir_value first = ir_image_op(&r->l->b, IR_SVC_IMAGE_LOAD, image, args, count);
    for (unsigned c = 0; c < channels; c++)
        v[c] = first + c;
    return channels;
}

/* ---- texel addresses ---- */

/* A state of texels: words 0 and 1 are the address, 48 bits, then log2 of a texel's bytes; word 2 is width and
 * height, word 3 depth or layers, each less one. */
struct texels {
    ir_value base; /* IR_I64 */
    ir_value log2_bytes, size[ROGUE_AXES];
};

static ir_value field(struct rogue_lifter *l, ir_value v, unsigned from, unsigned bits)
{
    ir_value low = from ? ir_op2(&l->b, IR_SHR_U, 0, v, rogue_word(l, from)) : v;
    return ir_op2(&l->b, IR_AND, 0, low, rogue_word(l, (1u << bits) - 1));
}

static ir_value plus(struct rogue_lifter *l, ir_value a, ir_value b)
{
    return ir_op2(&l->b, IR_ADD, 0, a, b);
}

static void read_texels(struct rogue_lifter *l, struct texels *t)
{
    ir_value word[4], one = rogue_word(l, 1);
    for (unsigned n = 0; n < 4; n++)
        word[n] = rogue_read(l, l->group->s[0], l->step + n);
    t->base = ir_cvt2(&l->b, IR_PACK64, IR_I64, 0, word[0], field(l, word[1], 0, 16));
    t->log2_bytes = field(l, word[1], 16, 3);
    t->size[0] = plus(l, field(l, word[2], 0, 16), one);
    t->size[1] = plus(l, field(l, word[2], 16, 16), one);
    t->size[2] = plus(l, field(l, word[3], 0, 16), one);
}

/* U, V and the slice with the offsets of the lookup word, which is that of SMP's options. */
static void read_place(struct rogue_lifter *l, ir_value at[ROGUE_AXES])
{
    static const uint8_t port[ROGUE_AXES] = {1, 4, 5};
    ir_value lookup = rogue_source(l, 3);
    for (unsigned i = 0; i < ROGUE_AXES; i++)
        at[i] = plus(l, rogue_source(l, port[i]), rogue_offset_in(l, lookup, i));
}

/* Layers beyond the array are its last one, as sampling has it; slices of three dimensions are out of bounds. */
static ir_value clamp_layer(struct rogue_lifter *l, ir_value layer, ir_value layers)
{
    ir_value last = ir_op2(&l->b, IR_SUB, 0, layers, rogue_word(l, 1));
    return ir_op2(&l->b, IR_MIN_S, 0, ir_op2(&l->b, IR_MAX_S, 0, layer, rogue_word(l, 0)), last);
}

static ir_value outside(struct rogue_lifter *l, const ir_value at[ROGUE_AXES], const struct texels *t)
{
    ir_value out = ir_const(&l->b, IR_I1, 0);
    for (unsigned i = 0; i < ROGUE_AXES; i++)
        out = ir_op2(&l->b, IR_OR, 0, out, ir_op2(&l->b, IR_LE_U, 0, t->size[i], at[i]));
    return out;
}

static ir_value address_of(struct rogue_lifter *l, const ir_value at[ROGUE_AXES], const struct texels *t)
{
    struct ir_builder *b = &l->b;
    ir_value row = plus(l, ir_op2(b, IR_MUL, 0, at[2], t->size[1]), at[1]);
    ir_value n = ir_op2(b, IR_MUL, 0, ir_cvt(b, IR_ZEXT, IR_I64, 0, row), ir_cvt(b, IR_ZEXT, IR_I64, 0, t->size[0]));
    n = ir_op2(b, IR_ADD, 0, n, ir_cvt(b, IR_ZEXT, IR_I64, 0, at[0]));
    return ir_op2(b, IR_ADD, 0, t->base, ir_op2(b, IR_SHL, 0, n, t->log2_bytes));
}

/* W0: the low word of the address; W1: its high half, the size and number of the elements, none of them out of bounds.
 */
void rogue_lift_gta(struct rogue_lifter *l, const struct rogue_insn *insn)
{
    enum { WORD = 2 /* log2 of its bytes */ };
    struct ir_builder *b = &l->b;
    struct texels t;
    ir_value at[ROGUE_AXES];
    read_texels(l, &t);
    read_place(l, at);
    if (rogue_get(insn, ROGUE_F_ARRAY))
        at[2] = clamp_layer(l, at[2], t.size[2]);
    ir_value out = outside(l, at, &t), address = address_of(l, at, &t), word = ir_const_i32(b, WORD);
    ir_value size = ir_op2(b, IR_MIN_U, 0, t.log2_bytes, word);
    ir_value burst = ir_op2(b, IR_SHL, 0, ir_const_i32(b, 1), ir_op2(b, IR_SUB, 0, t.log2_bytes, size));
    burst = ir_select(b, out, ir_const_i32(b, 0), burst);
    ir_value high = field(l, ir_cvt(b, IR_HI32, IR_I32, 0, address), 0, ROGUE_GTA_SIZE);
    high = ir_op2(b, IR_OR, 0, high, ir_op2(b, IR_SHL, 0, size, ir_const_i32(b, ROGUE_GTA_SIZE)));
    l->direct[0] = ir_cvt(b, IR_LO32, IR_I32, 0, address);
    l->direct[1] = ir_op2(b, IR_OR, 0, high, ir_op2(b, IR_SHL, 0, burst, ir_const_i32(b, ROGUE_GTA_BURST)));
    if (rogue_get(insn, ROGUE_F_PWEN))
        rogue_set_p0(l, out);
}
