/* bindings.h - random textures, samplers, buffers and images for the programs of the fuzzers of states. */
#ifndef WEFT_FUZZ_BINDINGS_H
#define WEFT_FUZZ_BINDINGS_H

#include "choice.h"

#include "device/image_access.h"
#include "device/texture.h"

enum { BOUND_STORAGE = 2, BOUND_IMAGES = 2, BOUND_CONSTANTS = 1024 };

/* Two sets of the same contents: what is written is compared afterwards. */
struct bindings {
    weft_sampler samplers[RESOURCE_TEXTURES];
    struct weft_texture *textures[RESOURCE_TEXTURES];
    uint8_t *constants;
    size_t constants_size, storage_size;
    struct {
        uint8_t *storage[BOUND_STORAGE];
        struct weft_texture *images[BOUND_IMAGES];
        struct image_view views[BOUND_IMAGES];
    } set[2];
};

static inline const struct format *take_format(struct choices *c)
{
    return &formats[1 + take(c, FORMATS - 1)];
}

static inline void take_sampler(struct choices *c, weft_sampler *s)
{
    weft_sampler_init(s);
    s->min_filter = (weft_filter)take(c, 2);
    s->mag_filter = (weft_filter)take(c, 2);
    s->mip_filter = (weft_mip_filter)take(c, 3);
    s->wrap_s = (weft_wrap)take(c, 8);
    s->wrap_t = (weft_wrap)take(c, 8);
    s->wrap_r = (weft_wrap)take(c, 8);
    if (!take_bool(c))
        return;
    s->lod_bias = take_float(c);
    s->min_lod = take_float(c);
    s->max_lod = take_float(c);
    s->max_anisotropy = (float)take(c, 18);
    s->compare = take_bool(c);
    s->compare_op = (weft_compare)take(c, 8);
    s->unnormalized = seldom(c, 4);
    s->separate_faces = take_bool(c);
    fill_random(c, s->border, sizeof s->border);
    fill_random(c, s->border_int, sizeof s->border_int);
}

static inline struct weft_texture *take_texture(struct choices *c, uint8_t dim, bool array, bool multisample)
{
    struct texture_desc d = {.format = take_format(c), .dim = dim, .array = array};
    d.width = 1 + take(c, 9);
    d.height = dim == IR_TEX_CUBE ? d.width : 1 + take(c, 9);
    d.depth = 1 + take(c, 4);
    d.layers = 1 + take(c, 3);
    d.levels = take(c, 3);
    d.samples = multisample ? 1u << take(c, 4) : 1;
    struct weft_texture *t = NULL;
    must(texture_bytes(&d) == 0 || texture_create(&d, &t) == WEFT_OK);
    if (!t) /* more levels than there are */
        return NULL;
    fill_random(c, t->data, t->size);
    if (seldom(c, 4))
        for (unsigned i = 0; i < 4; i++)
            t->swizzle[i] = (uint8_t)take(c, SWIZZLE_ONE + 1);
    return t;
}

/* What a program's textures and images are to be; those that others have chosen stay. */
static inline void bind_program(struct choices *c, struct bindings *b, const struct ir_program *ir)
{
    for (uint32_t i = 0; i < ir->ntextures; i++) {
        const struct ir_texture *t = &ir->textures[i];
        if (t->view >= RESOURCE_TEXTURES || t->sampler >= RESOURCE_TEXTURES)
            continue;
        if (b->textures[t->view] && !texture_fits(b->textures[t->view], t)) {
            weft_texture_free(b->textures[t->view]);
            b->textures[t->view] = NULL;
        }
        if (!b->textures[t->view] && !seldom(c, 16))
            b->textures[t->view] = take_texture(c, t->dim, t->array, t->multisample);
        take_sampler(c, &b->samplers[t->sampler]);
    }
}

static inline void bindings_init(struct choices *c, struct bindings *b)
{
    for (unsigned i = 0; i < RESOURCE_TEXTURES; i++)
        weft_sampler_init(&b->samplers[i]);
    b->constants_size = take(c, 8) * 16 + take(c, 4);
    b->constants = claim(b->constants_size);
    fill_random(c, b->constants, b->constants_size);
    b->storage_size = take(c, 5) * 64 + take(c, 5);
    for (unsigned i = 0; i < BOUND_STORAGE; i++) {
        for (unsigned s = 0; s < 2; s++)
            b->set[s].storage[i] = claim(b->storage_size);
        fill_random(c, b->set[0].storage[i], b->storage_size);
        memcpy(b->set[1].storage[i], b->set[0].storage[i], b->storage_size);
    }
    static const struct {
        uint8_t dim;
        bool array;
    } kinds[] = {{IR_TEX_2D, false}, {IR_TEX_2D, true}, {IR_TEX_3D, false}, {IR_TEX_1D, false}, {IR_TEX_CUBE, false}};
    for (unsigned i = 0; i < BOUND_IMAGES; i++) {
        uint32_t kind = take(c, 5);
        struct weft_texture *t = take_texture(c, kinds[kind].dim, kinds[kind].array, seldom(c, 8) && kind == 0),
                            *twin = NULL;
        if (!t)
            continue;
        const struct texture_desc d = {t->format,
                                       t->dim,
                                       t->array,
                                       (uint32_t)t->level[0].width,
                                       (uint32_t)t->level[0].height,
                                       (uint32_t)t->level[0].depth,
                                       t->layers,
                                       t->levels,
                                       t->samples};
        must(texture_create(&d, &twin) == WEFT_OK && twin->size == t->size);
        memcpy(twin->data, t->data, t->size);
        uint32_t level = take(c, t->levels + 1);
        b->set[0].images[i] = t;
        b->set[1].images[i] = twin;
        for (unsigned s = 0; s < 2; s++)
            b->set[s].views[i] = (struct image_view){b->set[s].images[i], level};
    }
}

static inline void bindings_use(const struct bindings *b, unsigned set, enum exec_level level, struct resources *r)
{
    *r = (struct resources){.samplers = b->samplers, .level = level};
    for (unsigned i = 0; i < RESOURCE_TEXTURES; i++)
        r->textures[i] = b->textures[i];
    r->constants[0] = (struct exec_buffer){b->constants, b->constants_size};
    for (unsigned i = 0; i < BOUND_STORAGE; i++)
        r->storage[i] = (struct exec_buffer){b->set[set].storage[i], b->storage_size};
    for (unsigned i = 0; i < BOUND_IMAGES; i++)
        if (b->set[set].images[i])
            r->images[i] = &b->set[set].views[i];
}

static inline void bindings_must_agree(const struct bindings *b)
{
    for (unsigned i = 0; i < BOUND_STORAGE; i++)
        must(memcmp(b->set[0].storage[i], b->set[1].storage[i], b->storage_size) == 0);
    for (unsigned i = 0; i < BOUND_IMAGES; i++)
        if (b->set[0].images[i])
            must(memcmp(b->set[0].images[i]->data, b->set[1].images[i]->data, b->set[0].images[i]->size) == 0);
}

static inline void bindings_free(struct bindings *b)
{
    for (unsigned i = 0; i < RESOURCE_TEXTURES; i++)
        weft_texture_free(b->textures[i]);
    free(b->constants);
    for (unsigned s = 0; s < 2; s++) {
        for (unsigned i = 0; i < BOUND_STORAGE; i++)
            free(b->set[s].storage[i]);
        for (unsigned i = 0; i < BOUND_IMAGES; i++)
            weft_texture_free(b->set[s].images[i]);
    }
}

#endif
