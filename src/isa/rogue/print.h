/* print.h - parts of the printer. Private to the instruction set. */
#ifndef WEFT_ISA_ROGUE_PRINT_H
#define WEFT_ISA_ROGUE_PRINT_H

#include "isa/rogue/template.h"
#include "isa/text.h"

/* ---- registers (print_insn.c) ---- */

/* Names of the registers that the short forms reach. */
enum { ROGUE_NAMED = 256, ROGUE_NAMED_BANKS = ROGUE_IDX0 };
struct rogue_reg_text {
    char text[7];
    uint8_t length;
};
struct rogue_reg_texts {
    struct rogue_reg_text name[ROGUE_NAMED_BANKS][ROGUE_NAMED];
};
/* Made at first use. */
const struct rogue_reg_texts *rogue_reg_texts(void);

/* "r4", or "r4..7" of several from it on, any register. */
void rogue_put_any_reg(struct text *t, struct rogue_reg r, unsigned count);

static inline void rogue_put_reg(struct text *t, const struct rogue_reg_texts *names, struct rogue_reg r,
                                 unsigned count)
{
    if (r.bank >= ROGUE_NAMED_BANKS || r.index >= ROGUE_NAMED || (count > 1 && !rogue_reg_is_constant(r))) {
        rogue_put_any_reg(t, r, count);
        return;
    }
    const struct rogue_reg_text *n = &names->name[r.bank][r.index];
    memcpy(t->p, n->text, sizeof n->text);
    t->p += n->length;
}

/* ---- groups (print.c) ---- */

/* Is the instruction of a unit what it is when nothing is said of it? Such ones of bitwise groups are not written. */
bool rogue_is_default(const struct rogue_group *g, enum rogue_unit unit);
/* One group, without its number and a line end. padding: what is left out; name: of the branch's target, or NULL. */
void rogue_put_group(struct text *t, const struct rogue_group *g, int padding, const char *name);

/* ---- instructions (print_insn.c) ---- */

/* "p0: fadd ft0, s0, s1; ": the instruction of a unit, which must have one. */
void rogue_put_insn(struct text *t, const struct rogue_table *table, const struct rogue_group *g, enum rogue_unit unit);

/* A source that is not needed (%3?) is absent when it is constant 0. */
static inline bool rogue_port_is_absent(const struct rogue_group *g, unsigned port)
{
    return g->s[port].bank == ROGUE_SPECIAL && g->s[port].index == 0;
}

/* ---- groups that repeat but for their registers (print_again.c) ---- */

/* Where the registers of a group are in its text. */
struct rogue_reg_places {
    unsigned count;
    struct rogue_reg_place {
        const char *begin, *end;
        uint8_t port, registers;
    } at[ROGUE_REGISTERS];
};

/* What has been written of a program's groups. NULL: too few of them, or no memory. */
struct rogue_group_text;
struct rogue_group_text *rogue_group_texts(const struct isa_module *m, struct arena *arena);

/* Write a group as one was written before that differs in registers only. False when there was none; *place is then
 * where to keep it, NULL: nowhere. */
bool rogue_put_again(struct text *t, const struct rogue_reg_texts *names, const struct rogue_group *g,
                     struct rogue_group_text *texts, struct rogue_group_text **place);
/* Keep what has been written of the group from `begin` on. */
void rogue_keep_text(struct rogue_group_text *place, const struct text *t, const char *begin,
                     const struct rogue_reg_places *places);

#endif
