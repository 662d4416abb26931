/* condition.c - text that is left out: .if and its kind, .elseif, .else and .endif, as in GNU's assemblers. */
#include "isa/asm/asm.h"

#include <string.h>

enum condition {
    NOT_ZERO,
    ZERO,
    POSITIVE,
    NOT_NEGATIVE,
    NEGATIVE,
    NOT_POSITIVE,
    DEFINED,
    UNDEFINED,
    BLANK,
    NOT_BLANK,
    SAME,
    DIFFERENT
};

static const struct {
    const char *name;
    uint8_t condition;
} conditions[] = {
    {".if", NOT_ZERO},   {".ifne", NOT_ZERO},     {".ifeq", ZERO},     {".ifgt", POSITIVE},    {".ifge", NOT_NEGATIVE},
    {".iflt", NEGATIVE}, {".ifle", NOT_POSITIVE}, {".ifdef", DEFINED}, {".ifndef", UNDEFINED}, {".ifnotdef", UNDEFINED},
    {".ifb", BLANK},     {".ifnb", NOT_BLANK},    {".ifc", SAME},      {".ifnc", DIFFERENT},
};

static int find_condition(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
        if (scan_word_is(word, length, conditions[i].name))
            return conditions[i].condition;
    return -1;
}

/* ---- what they ask ---- */

/* Text up to a comma, or to the end; blanks around it do not count. */
static const char *take_text(struct asm_state *a, bool to_comma, size_t *length)
{
    scan_blanks(&a->scan);
    const char *begin = a->scan.p, *end = begin;
    while (!asm_at_end(a) && !(to_comma && *a->scan.p == ','))
        a->scan.last = end = ++a->scan.p;
    *length = (size_t)(end - begin);
    return begin;
}

static bool compare_texts(struct asm_state *a, bool *same)
{
    size_t left, right;
    const char *x = take_text(a, true, &left);
    if (!asm_expect(a, ',', "','"))
        return false;
    const char *y = take_text(a, false, &right);
    *same = left == right && memcmp(x, y, left) == 0;
    return true;
}

static bool is_defined(struct asm_state *a, bool *yes)
{
    const char *name;
    size_t length = asm_name(a, &name);
    const struct asm_symbol *s = length ? asm_known_symbol(a, name, length) : NULL;
    *yes = s && s->defined;
    return length || scan_expected(&a->scan, "a symbol");
}

static bool holds(struct asm_state *a, enum condition condition, bool *yes)
{
    int64_t value;
    size_t length;
    bool fine;
    switch (condition) {
    case DEFINED:
    case UNDEFINED:
        fine = is_defined(a, yes);
        *yes ^= condition == UNDEFINED;
        return fine;
    case SAME:
    case DIFFERENT:
        fine = compare_texts(a, yes);
        *yes ^= condition == DIFFERENT;
        return fine;
    case BLANK:
    case NOT_BLANK:
        take_text(a, false, &length);
        *yes = (length == 0) == (condition == BLANK);
        return true;
    default:
        break;
    }
    if (!asm_constant(a, INT64_MIN, INT64_MAX, "a condition", &value))
        return false;
    const bool answers[] = {[NOT_ZERO] = value != 0,     [ZERO] = value == 0,    [POSITIVE] = value > 0,
                            [NOT_NEGATIVE] = value >= 0, [NEGATIVE] = value < 0, [NOT_POSITIVE] = value <= 0};
    *yes = answers[condition];
    return true;
}

/* ---- what is left out ---- */

/* .else or .elseif of the innermost condition. *here: its branch is read. */
static bool turn(struct asm_state *a, struct asm_if *top, const char *word, bool last, bool *here)
{
    int64_t value = 1;
    *here = false;
    if (top->last)
        return asm_error(a, word, "condition", NULL, ".endif comes after .else");
    top->last = last;
    if (top->taken) {
        asm_skip_statement(a);
        return true;
    }
    if (!last && !asm_constant(a, INT64_MIN, INT64_MAX, "a condition", &value))
        return false;
    *here = top->taken = value != 0;
    return true;
}

/* To the branch that is read, or past .endif. */
static bool skip_branches(struct asm_state *a)
{
    const char *begin, *word;
    size_t length;
    unsigned depth = 0;
    bool here = false;
    struct asm_if *top = &a->open_if[a->nifs - 1];
    while (!here && asm_next_statement(a, &begin, &word, &length)) {
        bool last = scan_word_is(word, length, ".else");
        if (length == 0 || *word != '.')
            continue;
        if (find_condition(word, length) >= 0) {
            depth++;
        } else if (scan_word_is(word, length, ".endif")) {
            if (depth-- != 0)
                continue;
            a->nifs--;
            return true;
        } else if (depth == 0 && (last || scan_word_is(word, length, ".elseif"))) {
            if (!turn(a, top, word, last, &here))
                return false;
        }
    }
    return true;
}

static bool open_condition(struct asm_state *a, enum condition condition, const char *from)
{
    bool yes = false;
    if (a->nifs == ASM_MAX_IFS)
        return asm_error(a, from, "condition", NULL, "conditions nest more than %d deep", ASM_MAX_IFS);
    struct asm_if *top = &a->open_if[a->nifs++];
    *top = (struct asm_if){.from = from, .taken = true};
    if (!holds(a, condition, &yes)) /* what depends on it is read all the same */
        return false;
    if (yes)
        return true;
    if (!asm_at_end(a))
        return scan_expected(&a->scan, "the end of the statement");
    top->taken = false;
    return skip_branches(a);
}

bool asm_condition(struct asm_state *a, const struct asm_call *call)
{
    int condition = find_condition(call->from, call->length);
    bool here;
    if (condition >= 0)
        return open_condition(a, (enum condition)condition, call->from);
    if (a->nifs == a->first_if)
        return asm_error(a, call->from, "condition", NULL, "there is no .if for this %.*s", (int)call->length,
                         call->from);
    if (scan_word_is(call->from, call->length, ".endif")) {
        a->nifs--;
        return true;
    }
    /* The branch before this was read. */
    struct asm_if *top = &a->open_if[a->nifs - 1];
    return turn(a, top, call->from, scan_word_is(call->from, call->length, ".else"), &here) && skip_branches(a);
}

void asm_close_conditions(struct asm_state *a)
{
    if (a->nifs > a->first_if && !a->leaving) {
        const char *from = a->open_if[a->nifs - 1].from;
        struct span where = {scan_offset(&a->scan, from), (uint32_t)strcspn(from, " \t\r\n")};
        scan_error(&a->scan, where, "condition", NULL, "there is no .endif");
    }
    a->nifs = a->first_if;
}
