/* parse_hint.c - what assembler text may have meant: names near to a wrong one, constants that the table of
 * immediates has in another form, mnemonics without their type. */
#include "isa/valhall/names.h"
#include "isa/valhall/parse.h"

#include "base/decimal.h"
#include "base/fmath.h"

#include <string.h>

/* ---- names ---- */

const char *valhall_names_hint(struct valhall_parser *p, const char *word, size_t length, const char *const *names,
                               size_t count, size_t listed)
{
    enum { HINTS = 10, MOST = 20 };
    if (p->a.scan.errors >= HINTS)
        return NULL;
    const char *near = nearest_word(word, length, names, count);
    if (near)
        return arena_printf(p->a.arena, "did you mean '.%s'?", near);
    const char *list = listed && listed <= MOST ? arena_printf(p->a.arena, "one of .%s", names[0]) : NULL;
    for (size_t i = 1; list && i < listed; i++)
        list = arena_printf(p->a.arena, "%s, .%s", list, names[i]);
    return list;
}

/* ---- constants ---- */

static uint32_t float_bits(double number)
{
    float v = (float)number;
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* What part `element` of `bits` bits of a table entry is worth to a source. */
static double part_value(uint32_t entry, const struct valhall_pick *pick, bool is_float)
{
    uint32_t part = entry >> pick->part * pick->element[0] & ((1u << pick->part) - 1);
    return is_float && pick->part == 16 ? (double)f16_to_f32(part) : (double)part;
}

/* A part of a table entry that is the number, as the source may pick it: "0x7060504.b1". */
static const char *part_hint(struct valhall_parser *p, const struct valhall_source_rule *rule, double number)
{
    if (!rule || !rule->select)
        return NULL;
    char text[DECIMAL_MAX];
    const struct valhall_pick *picks = valhall_picks[rule->select].picks;
    for (unsigned v = 0; v < 1u << valhall_picks[rule->select].bits; v++)
        for (unsigned i = 0; picks[v].name && (picks[v].part == 8 || picks[v].part == 16) && i < 32; i++) {
            bool same = true;
            for (unsigned k = 1; k < picks[v].count; k++)
                same &= picks[v].element[k] == picks[v].element[0];
            if (same && part_value(valhall_constants[i], &picks[v], rule->neg != 0) == number)
                return arena_printf(p->a.arena, "%s is 0x%X.%s", decimal_general(number, 6, text),
                                    (unsigned)valhall_constants[i], picks[v].name);
        }
    return NULL;
}

const char *valhall_constant_hint(struct valhall_parser *p, const struct valhall_source_rule *rule, bool is_float,
                                  double number)
{
    char text[DECIMAL_MAX];
    if (is_float || (rule && rule->neg))
        for (unsigned i = 0; i < 32; i++)
            if (valhall_constants[i] == float_bits(number))
                return arena_printf(p->a.arena, "%s is 0x%X", decimal_general(number, 6, text),
                                    (unsigned)valhall_constants[i]);
    const char *hint = part_hint(p, rule, number);
    return hint ? hint : "put it into a uniform, or into a register by IADD_IMM.i32";
}

const char *valhall_sign_hint(struct valhall_parser *p, const struct valhall_source_rule *rule, const char *text)
{
    if (*text == '#' && scan_is(text[1], SCAN_DIGIT))
        return "'#' is for the immediates of IADD_IMM and FADD_IMM: a constant of the table has none";
    if (*text != '-' || !scan_is(text[1], SCAN_DIGIT))
        return NULL;
    char text_of[DECIMAL_MAX];
    double number = decimal_value(text + 1);
    for (unsigned i = 0; rule->neg && number != 0 && i < 32; i++)
        if (valhall_constants[i] == float_bits(number))
            return arena_printf(p->a.arena, "-%s is 0x%X.neg", decimal_general(number, 6, text_of),
                                (unsigned)valhall_constants[i]);
    return number == 1 ? "-1 is 0xFFFFFFFF" : "put it into a uniform, or into a register by IADD_IMM.i32";
}

/* ---- mnemonics ---- */

/* The names that begin with a word and a dot: "FADD" is FADD.f32 or FADD.v2f16. */
static const char *types_of(struct valhall_parser *p, const char *word, size_t length)
{
    enum { MOST = 8 };
    const struct valhall_row *rows = valhall_rows();
    const char *list = NULL;
    unsigned count = 0;
    for (unsigned i = 0; i < VALHALL_OPS; i++) {
        if (rows[i].form->older || strncasecmp(rows[i].name, word, length) != 0 || rows[i].name[length] != '.')
            continue;
        if (++count > MOST)
            return list ? arena_printf(p->a.arena, "%s, ...", list) : NULL;
        list = list ? arena_printf(p->a.arena, "%s, %s", list, rows[i].name)
                    : arena_printf(p->a.arena, "say the type: %s", rows[i].name);
    }
    return list;
}

const char *valhall_mnemonic_hint(struct valhall_parser *p, const char *word, size_t length)
{
    enum { HINTS = 10 };
    if (p->a.scan.errors >= HINTS)
        return NULL;
    size_t base = 0;
    while (base < length && word[base] != '.')
        base++;
    static const struct scan_meant others[] = {
#define MEANT(theirs, write, why) {theirs, write, why},
#include "isa/valhall/hints.inc"
#undef MEANT
    };
    const char *other = scan_meant(&p->a.scan, others, sizeof others / sizeof others[0], word, base);
    return other ? other : types_of(p, word, base);
}
