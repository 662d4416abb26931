/* lift_image.c - LOAD, STORE, RESQ and atomics of images: IMAGE[n], and RES[n] that is declared with a texture target
 * (document: "Resource Access Opcodes").
 *
 * Addresses are integers: the layer of an array follows its coordinates, that of a cube is its face, of a cube array
 * face + 6 * layer, and the sample number of a multisample image is in w. */
#include "isa/tgsi/lookup.h"

#include <string.h>

/* An image as an instruction names it. */
struct image {
    struct ir_image ir;
    const struct tgsi_lookup_target *target;
    struct lift_arguments args;
};

static const struct tgsi_decl *declaration(const struct tgsi_lifter *l, const struct tgsi_operand *o)
{
    bool declared = o->file == TGSI_IMAGE || o->file == TGSI_RESOURCE;
    return declared ? tgsi_lift_declaration(l, o->file, &o->index) : NULL;
}

bool tgsi_lift_is_image(const struct tgsi_lifter *l, const struct tgsi_operand *o)
{
    const struct tgsi_decl *d;
    switch (o->file) {
    case TGSI_BUFFER:
    case TGSI_MEMORY:
    case TGSI_CONSTBUF:
    case TGSI_HW_ATOMIC:
        return false;
    case TGSI_RESOURCE:
        d = declaration(l, o);
        return d && !(d->target == TGSI_TEX_BUFFER && d->raw);
    default: /* IMAGE, or a register that holds an image's handle */
        return true;
    }
}

/* NULL: a number that there is none of. */
static const char *format_name(uint16_t format)
{
    return format < gallium_format_count ? gallium_format_names[format] : NULL;
}

/* Whether texels of a format are integers: its numbers are not converted. */
static bool is_integer_format(uint16_t format)
{
    const char *name = format_name(format);
    return name && (strstr(name, "UINT") || strstr(name, "SINT"));
}

/* What the instruction says of an image, or else its declaration; false after an error. */
static bool find_image(struct tgsi_lifter *l, const struct tgsi_insn *insn, const struct tgsi_operand *o,
                       struct image *image)
{
    const struct tgsi_decl *d = declaration(l, o);
    unsigned target = insn->has_target ? insn->target : d ? d->target : TGSI_TEX_UNKNOWN;
    const char *name = tgsi_lift_row(insn)->name;
    image->target = tgsi_lookup_target(target);
    if (!image->target->coordinates || image->target->compare >= 0) {
        lift_error_at(&l->lift, o->where, "image-target", "%s needs the target of an image; %s is not one", name,
                      target < TGSI_TEX_TARGETS ? tgsi_target_names[target] : "that");
        return false;
    }
    bool raw = o->file == TGSI_RESOURCE && d && d->raw;
    uint16_t format = insn->format ? insn->format : d ? d->format : 0;
    image->ir = (struct ir_image){.dim = image->target->dim,
                                  .binding = o->file == TGSI_RESOURCE ? IR_IMAGE_RESOURCE : IR_IMAGE_IMAGE,
                                  .array = image->target->layer >= 0,
                                  .multisample = image->target->multisample,
                                  .is_float = !raw && !is_integer_format(format),
                                  .raw = raw,
                                  .format = format};
    image->args.n = 0;
    return true;
}

/* `bytes` is added to the first coordinate. */
static void push_address(struct tgsi_lifter *l, struct image *image, const struct tgsi_operand *address, unsigned bytes)
{
    for (unsigned c = 0; c < tgsi_lookup_texel_size(image->target); c++) {
        ir_value v = tgsi_lift_source(l, address, c, TGSI_T_I32);
        lift_argument(&image->args, c || !bytes ? v : ir_op2(&l->b, IR_ADD, 0, v, ir_const_i32(&l->b, bytes)));
    }
    if (image->target->multisample)
        lift_argument(&image->args, tgsi_lift_source(l, address, 3, TGSI_T_I32));
}

static ir_value serve(struct tgsi_lifter *l, enum ir_service service, struct image *image, const struct tgsi_operand *o)
{
    image->ir.image_arg = o->index.indirect || (o->file != TGSI_IMAGE && o->file != TGSI_RESOURCE);
    if (o->index.indirect)
        lift_argument(&image->args, tgsi_lift_index(l, &o->index));
    else if (image->ir.image_arg) /* bindless: a handle, see IMG2HND */
        lift_argument(&image->args, tgsi_lift_source(l, o, 0, TGSI_T_U32));
    else
        image->ir.image = (uint16_t)o->index.value;
    return ir_image_op(&l->b, service, image->ir, image->args.v, image->args.n);
}

static void store_four(struct tgsi_lifter *l, const struct tgsi_insn *insn, const struct tgsi_operand *image,
                       ir_value first)
{
    ir_value v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = first ? first + (image->swizzle[c] & 3) : 0;
    if (first)
        tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_UNTYPED, v);
}

void tgsi_lift_image_load(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct image image;
    if (!find_image(l, insn, &insn->src[0], &image))
        return;
    push_address(l, &image, &insn->src[1], 0);
    store_four(l, insn, &insn->src[0], serve(l, IR_SVC_IMAGE_LOAD, &image, &insn->src[0]));
}

void tgsi_lift_image_store(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct image image;
    if (!find_image(l, insn, &insn->dst[0], &image))
        return;
    image.ir.mask = image.ir.raw ? insn->dst[0].mask : 0;
    push_address(l, &image, &insn->src[0], 0);
    for (unsigned c = 0; c < 4; c++)
        lift_argument(&image.args, tgsi_lift_source(l, &insn->src[1], c, image.ir.is_float ? TGSI_T_F32 : TGSI_T_I32));
    serve(l, IR_SVC_IMAGE_STORE, &image, &insn->dst[0]);
}

/* What was in one texel, or in the word `component` of a raw image. */
static ir_value change(struct tgsi_lifter *l, const struct tgsi_insn *insn, struct image *image, unsigned component)
{
    enum ir_atomic atomic = (enum ir_atomic)image->ir.atomic;
    unsigned type = image->ir.is_float ? TGSI_T_F32 : TGSI_T_U32;
    image->args.n = 0;
    push_address(l, image, &insn->src[1], component * 4);
    /* ATOMCAS: src2 is what to compare with, src3 what to store. */
    if (atomic == IR_ATOMIC_CAS)
        lift_argument(&image->args, tgsi_lift_source(l, &insn->src[3], component, type));
    lift_argument(&image->args, tgsi_lift_source(l, &insn->src[2], component, type));
    return serve(l, IR_SVC_IMAGE_ATOMIC, image, &insn->src[0]);
}

void tgsi_lift_image_atomic(struct tgsi_lifter *l, const struct tgsi_insn *insn, enum ir_atomic atomic)
{
    struct image image;
    if (!find_image(l, insn, &insn->src[0], &image))
        return;
    const char *format = image.ir.format ? format_name(image.ir.format) : NULL;
    if (format && strcmp(format, "PIPE_FORMAT_R32_UINT") != 0 && strcmp(format, "PIPE_FORMAT_R32_SINT") != 0 &&
        strcmp(format, "PIPE_FORMAT_R32_FLOAT") != 0) {
        lift_refuse_at(&l->lift, insn->where,
                       "%s of an image of %s is not executed yet: its texels are to be one number of 32 bits",
                       tgsi_lift_row(insn)->name, format);
        return;
    }
    image.ir.atomic = (uint8_t)atomic;
    image.ir.is_float = atomic == IR_ATOMIC_FADD;
    if (!image.ir.raw) {
        ir_value old = change(l, insn, &image, 0);
        if (old)
            tgsi_lift_store_all(l, insn, old);
        return;
    }
    ir_value old[4] = {0};
    unsigned mask = insn->dst[0].file == TGSI_NULL ? 1 : insn->dst[0].mask; /* as for buffers */
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            old[c] = change(l, insn, &image, c);
    tgsi_lift_result(l, insn, &insn->dst[0], TGSI_T_UNTYPED, old);
}

void tgsi_lift_image_size(struct tgsi_lifter *l, const struct tgsi_insn *insn)
{
    struct image image;
    if (!find_image(l, insn, &insn->src[0], &image))
        return;
    store_four(l, insn, &insn->src[0], serve(l, IR_SVC_RESOURCE_SIZE, &image, &insn->src[0]));
}
