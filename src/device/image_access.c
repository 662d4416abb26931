/* image_access.c - loads, stores, atomics and sizes of images: lane by lane, but for loads and stores of the usual
 * formats. */
#include "device/image_access.h"

#include "base/bytes.h"
#include "base/fmath.h"
#include "device/texel.h"
#include "device/texels.h"
#include "exec/atomic.h"
#include "ir/gallium.h"

/* ---- arguments ---- */

/* The rows of a service by what they are; NULL: it has no such argument. */
struct image_args {
    const int32_t *coord[3], *layer, *sample, *number;
    const uint32_t *byte; /* of the image's memory, instead of coordinates */
    const uint32_t *data[4];
};

static void image_args(const struct ir_image *image, enum ir_service service, const void *const *args,
                       struct image_args *a)
{
    static const uint8_t coordinates[] = {[IR_TEX_1D] = 1,   [IR_TEX_2D] = 2,   [IR_TEX_3D] = 3,
                                          [IR_TEX_CUBE] = 2, [IR_TEX_RECT] = 2, [IR_TEX_BUFFER] = 1};
    a->layer = a->sample = a->number = NULL;
    a->byte = NULL;
    for (unsigned i = 0; i < 4; i++)
        a->data[i] = NULL;
    if (service == IR_SVC_IMAGE_STORE_AT) {
        a->byte = *args++;
    } else if (service != IR_SVC_RESOURCE_SIZE) {
        const unsigned count = coordinates[image->dim];
        for (unsigned i = 0; i < 3; i++)
            a->coord[i] = i < count ? args[i] : NULL;
        args += count;
        if (image->array || image->dim == IR_TEX_CUBE)
            a->layer = *args++;
        if (image->multisample)
            a->sample = *args++;
    }
    unsigned data = 0;
    if (service == IR_SVC_IMAGE_STORE || service == IR_SVC_IMAGE_STORE_AT)
        data = 4;
    else if (service == IR_SVC_IMAGE_ATOMIC)
        data = image->atomic == IR_ATOMIC_CAS ? 2 : 1;
    for (unsigned i = 0; i < data; i++)
        a->data[i] = *args++;
    if (image->image_arg)
        a->number = *args++;
}

/* ---- images ---- */

/* An image that lanes reach: the view and the format of its pixels. */
struct bound {
    const struct weft_texture *texture; /* NULL: none */
    const struct texture_level *level;
    const struct format *format;
};

/* The format that a program names by Gallium's number, mostly the texture's own; NULL: none that there is. */
static const struct format *named_format(uint16_t number, const struct weft_texture *t)
{
    if (number == t->gallium)
        return t->format;
    return number < gallium_format_count ? format_find_gallium(gallium_format_names[number]) : NULL;
}

static struct bound find_image(const struct resources *r, const struct ir_image *image, uint32_t number)
{
    const struct image_view *v = NULL;
    if (image->binding == IR_IMAGE_IMAGE && number < RESOURCE_IMAGES)
        v = r->images[number];
    else if (image->binding == IR_IMAGE_RESOURCE && number < RESOURCE_STORAGE)
        v = r->storage_images[number];
    if (!v || !v->texture || v->level >= v->texture->levels)
        return (struct bound){0};
    const struct format *own = v->texture->format, *named = own;
    if (image->format)
        named = named_format(image->format, v->texture);
    if (!named || named->bytes != own->bytes)
        return (struct bound){0};
    return (struct bound){v->texture, &v->texture->level[v->level], named};
}

/* The images of a service's lanes, found again only where the number changes. */
struct finder {
    const struct resources *r;
    const struct ir_image *image;
    const struct image_args *args;
    uint32_t number;
    bool found;
    struct bound bound;
};

static const struct bound *image_of(struct finder *f, unsigned lane)
{
    uint32_t number = f->image->image + (f->args->number ? (uint32_t)f->args->number[lane] : 0);
    if (!f->found || number != f->number) {
        f->bound = find_image(f->r, f->image, number);
        f->number = number;
        f->found = true;
    }
    return &f->bound;
}

static bool inside(int32_t i, int32_t size)
{
    return i >= 0 && i < size;
}

/* The memory of a lane's texel; NULL: it is outside. */
static uint8_t *texel_of(const struct bound *b, const struct image_args *a, unsigned lane)
{
    if (!b->texture)
        return NULL;
    const struct texture_level *l = b->level;
    int32_t x = a->coord[0][lane], y = a->coord[1] ? a->coord[1][lane] : 0;
    int32_t slice = a->coord[2] ? a->coord[2][lane] : a->layer ? a->layer[lane] : 0;
    int32_t sample = a->sample ? a->sample[lane] : 0;
    if (!inside(x, l->width) || !inside(y, l->height) || !inside(slice, l->depth) ||
        !inside(sample, (int32_t)b->texture->samples))
        return NULL;
    size_t at = (size_t)(l->first + slice * l->slice + sample * l->sample + y * l->stride + x);
    return b->texture->data + at * b->format->bytes;
}

/* A word of a raw image: the first coordinate counts bytes of a row. NULL: it is outside. */
static uint8_t *word_of(const struct bound *b, const struct image_args *a, unsigned lane, unsigned word)
{
    if (!b->texture)
        return NULL;
    const struct texture_level *l = b->level;
    uint64_t x = (uint64_t)(uint32_t)a->coord[0][lane] + 4 * word, row = (uint64_t)l->width * b->format->bytes;
    int32_t y = a->coord[1] ? a->coord[1][lane] : 0;
    int32_t slice = a->coord[2] ? a->coord[2][lane] : a->layer ? a->layer[lane] : 0;
    int32_t sample = a->sample ? a->sample[lane] : 0;
    if (x + 4 > row || !inside(y, l->height) || !inside(slice, l->depth) ||
        !inside(sample, (int32_t)b->texture->samples))
        return NULL;
    size_t at = (size_t)(l->first + slice * l->slice + sample * l->sample + y * l->stride);
    return b->texture->data + at * b->format->bytes + x;
}

/* ---- services ---- */

static void put(void *const *results, unsigned count, unsigned lane, const union texel *v)
{
    for (unsigned c = 0; c < count; c++)
        if (results[c])
            ((uint32_t *)results[c])[lane] = v->u[c];
}

static void load_words(struct finder *f, lane_mask lanes, void *const *results)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        union texel v = {.u = {0, 0, 0, 0}};
        for (unsigned c = 0; c < 4; c++) {
            const uint8_t *p = word_of(image_of(f, lane), f->args, lane, c);
            if (p)
                v.u[c] = bytes_word(p);
        }
        put(results, 4, lane, &v);
    }
}

static void store_words(struct finder *f, lane_mask lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        for (unsigned c = 0; c < 4; c++) {
            uint8_t *p = f->image->mask >> c & 1 ? word_of(image_of(f, lane), f->args, lane, c) : NULL;
            if (p)
                bytes_put(p, f->args->data[c][lane], 4);
        }
    }
}

/* Whether all lanes reach one image whose texels the inner loops know. */
static bool find_texels(struct finder *f, struct texels *t)
{
    const struct image_args *a = f->args;
    if (a->number || a->sample)
        return false;
    const struct bound *b = image_of(f, 0);
    if (!b->texture || !texels_known(b->format))
        return false;
    *t = (struct texels){.format = b->format,
                         .data = b->texture->data,
                         .level = b->level,
                         .x = a->coord[0],
                         .y = a->coord[1],
                         .slice = a->coord[2] ? a->coord[2] : a->layer};
    return true;
}

static void load(struct finder *f, lane_mask lanes, void *const *results)
{
    struct texels t;
    if (f->image->raw) {
        load_words(f, lanes, results);
        return;
    }
    if (find_texels(f, &t)) {
        float *const rows[4] = {results[0], results[1], results[2], results[3]};
        device_kernels(f->r->level)->load_texels(&t, lanes, rows);
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        const struct bound *b = image_of(f, lane);
        const uint8_t *p = texel_of(b, f->args, lane);
        union texel v = {.u = {0, 0, 0, 0}};
        if (p)
            texel_load(b->format, p, &v);
        put(results, 4, lane, &v);
    }
}

static void store(struct finder *f, lane_mask lanes)
{
    struct texels t;
    if (f->image->raw) {
        store_words(f, lanes);
        return;
    }
    if (find_texels(f, &t)) {
        const void *const *data = (const void *const *)f->args->data;
        device_kernels(f->r->level)
            ->store_texels(&t, lanes, (const float *const[4]){data[0], data[1], data[2], data[3]});
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        const struct bound *b = image_of(f, lane);
        uint8_t *p = texel_of(b, f->args, lane);
        union texel v;
        for (unsigned c = 0; c < 4; c++)
            v.u[c] = f->args->data[c][lane];
        if (p)
            texel_store(b->format, &v, p);
    }
}

/* Other threads may be at an aligned word too; one that is not aligned is never theirs. */
static uint32_t change_word(uint8_t *p, enum ir_atomic what, uint32_t value, uint32_t compare)
{
    uint32_t old;
    if ((uintptr_t)p & 3) {
        old = bytes_word(p);
        bytes_put(p, atomic_result(what, old, value, compare), 4);
        return old;
    }
    uint32_t *word = (uint32_t *)(void *)p, there = __atomic_load_n(word, __ATOMIC_RELAXED), new;
    do {
        old = (uint32_t)bytes_turned(there, 32);
        new = (uint32_t)bytes_turned(atomic_result(what, old, value, compare), 32);
    } while (!__atomic_compare_exchange_n(word, &there, new, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return old;
}

/* Lanes that are not live change nothing and get 0. */
static void atomic(struct finder *f, lane_mask lanes, lane_mask live, void *const *results)
{
    static const union texel none;
    for (lane_mask rest = lanes & ~live; rest; rest &= rest - 1)
        put(results, 1, (unsigned)__builtin_ctzll(rest), &none);
    for (lanes &= live; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        const struct bound *b = image_of(f, lane);
        bool raw = f->image->raw;
        uint8_t *p = raw ? word_of(b, f->args, lane, 0) : texel_of(b, f->args, lane);
        union texel v = {.u = {0, 0, 0, 0}};
        if (p && (raw || b->format->bytes == 4))
            v.u[0] = change_word(p, (enum ir_atomic)f->image->atomic, f->args->data[0][lane],
                                 f->args->data[1] ? f->args->data[1][lane] : 0);
        put(results, 1, lane, &v);
    }
}

/* Flat addresses of texels. */
static void address(struct finder *f, lane_mask lanes, void *const *results)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        const struct bound *b = image_of(f, lane);
        const uint8_t *p = texel_of(b, f->args, lane);
        uint64_t at = p ? IR_IMAGE_ADDRESS(f->number) + (uint64_t)(p - b->texture->data) : IR_NO_ADDRESS;
        union texel v = {.u = {(uint32_t)at, (uint32_t)(at >> 32), 0, 0}};
        put(results, 4, lane, &v);
    }
}

/* A texel at a byte of the image's memory. */
static void store_at(struct finder *f, lane_mask lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        const struct bound *b = image_of(f, lane);
        size_t at = f->args->byte[lane];
        union texel v;
        for (unsigned c = 0; c < 4; c++)
            v.u[c] = f->args->data[c][lane];
        if (b->texture && at <= b->texture->size && b->texture->size - at >= b->format->bytes)
            texel_store(b->format, &v, b->texture->data + at);
    }
}

static void size_of_image(const struct ir_image *image, const struct bound *b, union texel *v)
{
    const struct weft_texture *t = b->texture;
    if (!t)
        return;
    bool flat = image->dim == IR_TEX_1D || image->dim == IR_TEX_BUFFER;
    v->i[0] = b->level->width;
    v->i[1] = flat ? (image->array ? (int32_t)t->layers : 0) : b->level->height;
    if (image->dim == IR_TEX_3D)
        v->i[2] = b->level->depth;
    else if (image->array && !flat)
        v->i[2] = (int32_t)t->layers;
    v->i[3] = (int32_t)t->samples;
}

static void size(struct finder *f, lane_mask lanes, struct exec_warp *w, void *const *results)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        union texel v = {.u = {0, 0, 0, 0}};
        if (f->image->binding == IR_IMAGE_SPACE) {
            uint64_t bytes = exec_warp_env(w)->space[f->image->image].size;
            v.u[0] = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
        } else {
            size_of_image(f->image, image_of(f, lane), &v);
        }
        put(results, 4, lane, &v);
    }
}

/* The usual load: of one image of two dimensions whose texels the inner loops know. */
static bool load_plain(const struct resources *r, const struct ir_image *image, lane_mask lanes,
                       const void *const *args, void *const *results)
{
    if (image->dim != IR_TEX_2D || image->array || image->multisample || image->image_arg || image->raw)
        return false;
    struct bound b = find_image(r, image, image->image);
    if (!b.texture || !texels_known(b.format))
        return false;
    struct texels t = {.format = b.format, .data = b.texture->data, .level = b.level, .x = args[0], .y = args[1]};
    device_kernels(r->level)->load_texels(&t, lanes, (float *const[4]){results[0], results[1], results[2], results[3]});
    return true;
}

weft_status image_service(const struct resources *r, struct exec_warp *w, const struct ir_op *op,
                          const void *const *args, void *const *results)
{
    enum ir_service service = op->code == IR_SERVICE ? (enum ir_service)op->imm : IR_SVC_NONE;
    if (service != IR_SVC_IMAGE_LOAD && service != IR_SVC_IMAGE_STORE && service != IR_SVC_IMAGE_ATOMIC &&
        service != IR_SVC_RESOURCE_SIZE && service != IR_SVC_IMAGE_ADDRESS && service != IR_SVC_IMAGE_STORE_AT)
        return WEFT_ERROR_UNSUPPORTED;
    const struct ir_image *image = &exec_warp_ir(w)->images[op->desc];
    lane_mask lanes = exec_active(w);
    if (service == IR_SVC_IMAGE_LOAD && load_plain(r, image, lanes, args, results))
        return WEFT_OK;
    struct image_args a;
    image_args(image, service, args, &a);
    struct finder f = {.r = r, .image = image, .args = &a};
    switch (service) {
    case IR_SVC_IMAGE_LOAD:
        load(&f, lanes, results);
        break;
    case IR_SVC_IMAGE_STORE:
        store(&f, lanes & exec_live(w));
        break;
    case IR_SVC_IMAGE_ATOMIC:
        atomic(&f, lanes, exec_live(w), results);
        break;
    case IR_SVC_IMAGE_ADDRESS:
        address(&f, lanes, results);
        break;
    case IR_SVC_IMAGE_STORE_AT:
        store_at(&f, lanes & exec_live(w));
        break;
    default:
        size(&f, lanes, w, results);
        break;
    }
    return WEFT_OK;
}
