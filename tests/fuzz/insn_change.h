/* insn_change.h - changes of a program of machine code that leave most of it what it was: instructions are put in,
 * taken away, doubled and exchanged; a field gets another value; a branch leads elsewhere. What an instruction is, and
 * which fields it has, is what weft/insn.h says, so that this is the same for every instruction set. */
#ifndef WEFT_FUZZ_INSN_CHANGE_H
#define WEFT_FUZZ_INSN_CHANGE_H

#include "choice.h"

#include <weft/weft.h>

enum { MOST_CODE = 1 << 14, MOST_CODE_INSNS = 1 << 11, MOST_FORM = 256 };

struct insn_change {
    const weft_decoder *decoder;
    uint8_t bytes[MOST_CODE];
    size_t size;
    size_t at[MOST_CODE_INSNS + 1]; /* where each instruction begins, and where the last one ends */
    uint32_t count;
    uint32_t random;
};

/* Another instruction, while it is made. */
struct insn_form {
    uint8_t bytes[MOST_FORM];
    size_t size;
};

static inline uint32_t any_of(struct insn_change *c, uint32_t n)
{
    return next_random(&c->random) % n;
}

static inline void change_cut(struct insn_change *c)
{
    size_t at = 0;
    for (c->count = 0; at < c->size && c->count < MOST_CODE_INSNS; c->count++) {
        weft_insn insn;
        weft_insn_decode(c->decoder, c->bytes + at, c->size - at, at, &insn);
        c->at[c->count] = at;
        at += insn.size && insn.size <= c->size - at ? insn.size : c->size - at;
    }
    c->at[c->count] = at;
}

/* Instructions first .. end - 1 become `size` bytes, which may be some of the program's. */
static inline void change_splice(struct insn_change *c, uint32_t first, uint32_t end, const uint8_t *with, size_t size)
{
    uint8_t copy[MOST_FORM];
    size_t from = c->at[first], to = c->at[end];
    if (size > sizeof copy || c->size - (to - from) + size > MOST_CODE)
        return;
    memcpy(copy, with, size);
    memmove(c->bytes + from + size, c->bytes + to, c->size - to);
    memcpy(c->bytes + from, copy, size);
    c->size = c->size - (to - from) + size;
    change_cut(c);
}

static inline uint64_t other_value(struct insn_change *c, uint64_t value, unsigned width)
{
    uint64_t most = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
    uint64_t any = (uint64_t)next_random(&c->random) << 32 | next_random(&c->random);
    const uint64_t values[] = {any, any, any % 8, value + 1, value - 1, value ^ UINT64_C(1) << any % width, 0, most};
    return values[any_of(c, sizeof values / sizeof *values)] & most;
}

/* Another value of one to three fields, seldom of those that say which instruction it is. What then is none stays as it
 * was, but for one in eight. */
static inline void change_fields(struct insn_change *c, uint8_t *bytes, size_t size)
{
    static weft_field fields[WEFT_INSN_FIELDS];
    for (uint32_t turns = 1 + any_of(c, 3); turns; turns--) {
        uint8_t changed[MOST_FORM];
        weft_insn insn;
        if (size > sizeof changed || weft_insn_decode(c->decoder, bytes, size, 0, &insn) != WEFT_OK ||
            insn.size != size)
            return;
        size_t n = weft_insn_fields(c->decoder, &insn, fields, WEFT_INSN_FIELDS);
        weft_field *f = n ? &fields[any_of(c, (uint32_t)n)] : NULL;
        unsigned width = 0;
        for (uint32_t i = 0; f && i < f->npieces; i++)
            width += f->pieces[i].width;
        if (!width || (f->kind == WEFT_FIELD_OPCODE && any_of(c, 4)))
            continue;
        f->value = other_value(c, f->value, width);
        if (weft_insn_from_fields(fields, n, changed, size) != WEFT_OK)
            continue;
        if (weft_insn_decode(c->decoder, changed, size, 0, &insn) == WEFT_OK || any_of(c, 8) == 0)
            memcpy(bytes, changed, size);
    }
}

/* Any form of any instruction, with some fields filled. */
static inline void any_form(struct insn_change *c, struct insn_form *form)
{
    const char *name;
    uint32_t row = any_of(c, (uint32_t)weft_isa_rows(weft_decoder_isa(c->decoder))), forms = 1;
    uint8_t none[1];
    while (forms < 8 && weft_insn_form(c->decoder, row, forms, none, 0, &name))
        forms++;
    form->size = weft_insn_form(c->decoder, row, any_of(c, forms), form->bytes, sizeof form->bytes, &name);
    form->size = form->size <= sizeof form->bytes ? form->size : 0;
    for (uint32_t turns = any_of(c, 4); form->size && turns; turns--)
        change_fields(c, form->bytes, form->size);
}

static inline const char *named_target(void *user, uint64_t address)
{
    (void)address;
    return user;
}

/* A branch leads to another instruction: its text is written with that address and assembled. */
static inline void change_target(struct insn_change *c, uint32_t insn)
{
    weft_insn from;
    char target[32], text[WEFT_INSN_TEXT];
    uint8_t bytes[MOST_FORM];
    size_t used = 0, at = c->at[insn];
    snprintf(target, sizeof target, "0x%llx", (unsigned long long)c->at[any_of(c, c->count + 1)]);
    const weft_format format = {sizeof format, named_target, target};
    if (weft_insn_decode(c->decoder, c->bytes + at, c->size - at, at, &from) != WEFT_OK || !from.has_target)
        return;
    weft_insn_text(c->decoder, &from, &format, text, sizeof text, NULL, NULL);
    if (weft_insn_assemble(c->decoder, text, at, bytes, sizeof bytes, &used, NULL) == WEFT_OK && used <= sizeof bytes)
        change_splice(c, insn, insn + 1, bytes, used);
}

static inline void change_exchange(struct insn_change *c, uint32_t one, uint32_t other)
{
    uint32_t first = one < other ? one : other, second = one < other ? other : one;
    struct insn_form a = {.size = c->at[first + 1] - c->at[first]}, b = {.size = c->at[second + 1] - c->at[second]};
    if (first == second || a.size > MOST_FORM || b.size > MOST_FORM)
        return;
    memcpy(a.bytes, c->bytes + c->at[first], a.size);
    memcpy(b.bytes, c->bytes + c->at[second], b.size);
    change_splice(c, second, second + 1, a.bytes, a.size);
    change_splice(c, first, first + 1, b.bytes, b.size);
}

static inline void change_once(struct insn_change *c)
{
    struct insn_form form = {.size = 0};
    uint32_t how = any_of(c, 12), place = any_of(c, c->count + 1), insn = c->count ? any_of(c, c->count) : 0;
    const uint8_t *bytes = c->bytes + c->at[insn];
    size_t size = c->count ? c->at[insn + 1] - c->at[insn] : 0;
    if (how < 3 || c->count == 0) {
        any_form(c, &form);
        change_splice(c, place, place + (how == 0 && place < c->count), form.bytes, form.size);
    } else if (how < 7) {
        change_fields(c, c->bytes + c->at[insn], size);
        change_cut(c);
    } else if (how == 7) {
        for (uint32_t i = 0; i < c->count; i++, insn = (insn + 1) % c->count) {
            weft_insn found;
            size_t at = c->at[insn];
            weft_insn_decode(c->decoder, c->bytes + at, c->size - at, at, &found);
            if (found.has_target)
                break;
        }
        change_target(c, insn);
    } else if (how == 8) {
        change_splice(c, insn, insn + 1, bytes, 0);
    } else if (how == 9) {
        change_exchange(c, insn, any_of(c, c->count));
    } else {
        change_splice(c, place, place, bytes, size);
    }
}

/* One to four changes of the program in `data`, which has room for `most` bytes; its size, or 0: nothing came of it. */
static inline size_t change_insns(const weft_decoder *decoder, uint8_t *data, size_t size, size_t most, uint32_t seed)
{
    static struct insn_change c;
    if (!decoder || size > MOST_CODE)
        return 0;
    c.decoder = decoder;
    c.random = seed * 2654435761u | 1;
    c.size = size;
    memcpy(c.bytes, data, size);
    change_cut(&c);
    for (uint32_t turns = 1 + any_of(&c, 4); turns; turns--)
        change_once(&c);
    if (c.size > most)
        return 0;
    memcpy(data, c.bytes, c.size);
    return c.size;
}

/* A decoder of the set's newest chip that is kept. */
static inline const weft_decoder *decoder_of(const char *isa)
{
    static weft_decoder *decoder;
    if (!decoder)
        weft_decoder_new(isa, NULL, &decoder);
    return decoder;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* What a fuzzer of programs makes of an input of `head` bytes and a program: three of four times a changed program. */
static inline size_t change_program(const weft_decoder *decoder, size_t head, uint8_t *data, size_t size, size_t most,
                                    unsigned seed)
{
    size_t made = seed % 4 && size >= head && most > head
                      ? change_insns(decoder, data + head, size - head, most - head, seed / 4)
                      : 0;
    return made ? head + made : LLVMFuzzerMutate(data, size, most);
}

#endif
