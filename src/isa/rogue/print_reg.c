/* print_reg.c - registers as text. */
#include "isa/rogue/print.h"

#include <pthread.h>

static struct rogue_reg_texts texts;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_texts(void)
{
    for (unsigned bank = 0; bank < ROGUE_NAMED_BANKS; bank++)
        for (unsigned i = 0; i < ROGUE_NAMED; i++) {
            char text[32];
            struct text t = {.p = text};
            struct rogue_reg_text *out = &texts.name[bank][i];
            rogue_put_any_reg(&t, (struct rogue_reg){(uint8_t)bank, 0, (uint16_t)i}, 1);
            out->length = (uint8_t)(t.p - text);
            memcpy(out->text, text, sizeof out->text);
        }
}

const struct rogue_reg_texts *rogue_reg_texts(void)
{
    pthread_once(&made, make_texts);
    return &texts;
}

static void put_index(struct text *t, struct rogue_reg r)
{
    put_bytes(t, "[idx", 4);
    put_unsigned(t, (unsigned)(r.bank - ROGUE_IDX0));
    if (r.dim) {
        put_bytes(t, ", ", 2);
        put_unsigned(t, 1u << r.dim);
    }
    put_char(t, ']');
}

void rogue_put_any_reg(struct text *t, struct rogue_reg r, unsigned count)
{
    struct rogue_reg_name n = rogue_name_reg(r);
    if (r.bank >= ROGUE_IDX0 && r.index == ROGUE_INDEXED_IDX && !r.dim) {
        put_text(t, "idx");
        put_unsigned(t, (unsigned)(r.bank - ROGUE_IDX0));
        return;
    }
    put_text(t, n.name);
    put_unsigned(t, n.number);
    if (count > 1 && !rogue_reg_is_constant(r)) {
        put_bytes(t, "..", 2);
        put_unsigned(t, n.number + count - 1);
    }
    if (r.bank >= ROGUE_IDX0)
        put_index(t, r);
}
