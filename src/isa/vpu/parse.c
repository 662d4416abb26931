/* parse.c - instructions of a text: mnemonics with their conditions, sizes and names of encodings. Syntax is that of
 * the manual and of the GNU port. */
#include "isa/vpu/parse.h"

#include <stdio.h>
#include <string.h>

int vpu_try_register(struct asm_state *a)
{
    scan_blanks(&a->scan);
    const char *p = a->scan.p;
    size_t length = scan_word_length(p);
    int reg = length && !scan_is(p[length], SCAN_LETTER | SCAN_DIGIT) && p[length] != '.' && p[length] != '$'
                  ? vpu_find_register(p, length)
                  : -1;
    if (reg >= 0)
        a->scan.last = a->scan.p = p + length;
    return reg;
}

const char *vpu_no_symbol(const char *word)
{
    const char *end = word + (*word != '\0');
    while (scan_is(*end, SCAN_DIGIT))
        end++;
    if (!strchr("rRpP", *word) || end < word + 2 || scan_is(*end, SCAN_LETTER))
        return NULL;
    return (word[0] | 0x20) == 'r' ? "registers are r0 to r31" : "registers of mov are r0 to r31 and p0 to p31";
}

bool vpu_expected_register(struct asm_state *a)
{
    scan_blanks(&a->scan);
    const char *p = a->scan.p;
    const char *numbered = vpu_no_symbol(p);
    return scan_expected_or(&a->scan, "a register",
                            *p == '%'  ? "registers are written without '%': r0, sp"
                            : numbered);
}

bool vpu_read_register(struct asm_state *a, uint8_t *out)
{
    int reg = vpu_try_register(a);
    if (reg < 0)
        return vpu_expected_register(a);
    *out = (uint8_t)reg;
    return true;
}

bool vpu_take_twice(struct asm_state *a, char c)
{
    scan_blanks(&a->scan);
    if (a->scan.p[0] != c || a->scan.p[1] != c)
        return false;
    a->scan.last = a->scan.p += 2;
    return true;
}

bool vpu_take_pin(struct asm_state *a, struct vpu_wish *wish)
{
    if (!scan_take(&a->scan, '{'))
        return true;
    scan_blanks(&a->scan);
    const char *name = a->scan.p;
    size_t length = scan_word_length(name);
    if (length == 0)
        return scan_expected(&a->scan, "the name of an encoding");
    a->scan.last = a->scan.p = name + length;
    wish->name = name;
    wish->name_length = length;
    return asm_expect(a, '}', "'}'");
}

/* ---- instructions ---- */

const char *vpu_spelling(const struct vpu_insn *insn)
{
    return vpu_ops[insn->op].uses & VPU_VECTOR ? vpu_names()->spelling[insn->op][insn->x & 3].text
                                               : vpu_ops[insn->op].name;
}

/* Where an instruction is at fault: the first of the operands `items`, else its mnemonic. */
static struct span fault_at(const struct asm_state *a, const struct vpu_reading *r, uint32_t items)
{
    const char *from = r->st->from;
    for (unsigned n = 0; r->way && n < r->way->nitems; n++)
        if (items >> r->way->item[n] & 1)
            return r->at[n];
    if (!items)
        return scan_span(&a->scan, from);
    return scan_at(&a->scan, from, strcspn(from, " \t\r\n"));
}

static bool no_encoding(struct asm_state *a, const struct vpu_reading *r, const struct vpu_wish *wish)
{
    const struct vpu_insn *insn = &r->insn;
    struct vpu_wish any = {.written = wish->written};
    struct vpu_choice choice;
    struct vpu_why why;
    char asked[40] = "";
    const char *hint = NULL;
    bool known = vpu_why_not(insn, wish, &why);
    if (wish->size)
        snprintf(asked, sizeof asked, " of %u bits", wish->size * 8);
    if (wish->name)
        snprintf(asked, sizeof asked, " named '%.*s'", (int)wish->name_length, wish->name);
    if ((wish->size || wish->name) && vpu_choose(insn, &any, &choice))
        hint = wish->name ? "without the name it has one" : "without the size it has one";
    return scan_error(&a->scan, fault_at(a, r, why.items), "no-encoding", hint,
                      "no encoding of '%s'%s holds these operands%s%s", vpu_spelling(insn), asked, known ? ": " : "",
                      known ? why.text : "");
}

bool vpu_append(struct asm_state *a, const struct vpu_insn *insn)
{
    struct vpu_insn *item = asm_append(a);
    if (item)
        *item = *insn;
    return item != NULL;
}

bool vpu_finish_insn(struct asm_state *a, struct vpu_reading *r)
{
    struct vpu_insn *insn = &r->insn;
    const struct vpu_wish *wish = &r->st->wish;
    const char *from = r->st->from;
    struct vpu_choice choice;
    struct vpu_wish open = {.written = wish->written};
    if (a->params && a->params->shorten)
        wish = &open;
    if (!a->included)
        insn->where = scan_span(&a->scan, from);
    bool distance = r->pending == VPU_PENDING_TARGET && !(vpu_ops[insn->op].uses & VPU_ABSOLUTE_TARGET);
    if (r->expr && (distance || r->pending == VPU_PENDING_NEAR || !asm_is_number(r->expr))) {
        struct vpu_wish *own = ARENA_NEW(a->arena, struct vpu_wish);
        struct asm_fixup fixup = {
            .expr = r->expr, .operand = (uint8_t)r->pending, .own = own, .where = r->at[r->waiting]};
        if (!own)
            return asm_no_memory(a);
        *own = *wish;
        insn->form = VPU_NO_FORM;
        insn->size = vpu_least_size(insn, wish);
        if (insn->size == 0)
            return no_encoding(a, r, wish);
        return asm_add_fixup(a, &fixup) && vpu_append(a, insn);
    }
    if (r->expr && r->pending == VPU_PENDING_TARGET)
        insn->target = (uint32_t)r->expr->value;
    if (!vpu_choose(insn, wish, &choice))
        return no_encoding(a, r, wish);
    insn->form = choice.form;
    insn->op = choice.op;
    insn->imm = choice.imm;
    insn->size = vpu_tables()->form[choice.form].size;
    return vpu_append(a, insn);
}

/* ---- operands: the ways in which an operation may be written are followed all at once ---- */

/* What may come as operand `at` in the ways that are left; VPU_ITEM(NONE): the end. left: ~0 or 0 for each. */
static uint32_t possible(const struct vpu_ways *ways, const uint32_t *left, unsigned at)
{
    uint32_t items = 0;
    for (unsigned n = 0; n < VPU_MAX_SYNTAXES; n++)
        items |= ways->item[at][n] & left[n];
    return items;
}

/* Leave the ways that have one of `items` as operand `at`. */
static void narrow(const struct vpu_ways *ways, uint32_t *left, unsigned at, uint32_t items)
{
    for (unsigned n = 0; n < VPU_MAX_SYNTAXES; n++)
        left[n] &= ways->item[at][n] & items ? ~UINT32_C(0) : 0;
}

/* The way that ends here. brev of two registers is another operation, unless its size says otherwise. */
static const struct vpu_syntax *ended(const struct vpu_syntax *s, const uint32_t *left, unsigned at, unsigned size)
{
    for (;; s++, left++) {
        bool reversed =
            vpu_ops[s->op].class == VPU_REVERSE && s->item[0] == VPU_ITEM_LEFT && s->item[1] == VPU_ITEM_B && size != 4;
        if (*left && s->nitems == at && !reversed)
            return s;
    }
}

/* "',' and a register or a number": what comes next. */
static bool missing_scalar(struct asm_state *a, uint32_t items)
{
    static const struct {
        uint32_t items;
        const char *name;
    } kinds[] = {
        {VPU_ITEM(D) | VPU_ITEM(A) | VPU_ITEM(LEFT) | VPU_ITEM(B) | VPU_ITEM(PD) | VPU_ITEM(PA), "a register"},
        {VPU_ITEM(NUMBER) | VPU_ITEM(CONSTANT) | VPU_ITEM(STEP), "a number"},
        {VPU_ITEM(TARGET) | VPU_ITEM(NEAR), "a label"},
        {VPU_ITEM(ACCESS), "an address"},
        {VPU_ITEM(LINK), "pc or lr"},
        {VPU_ITEM(STACK), "the stack"},
    };
    char what[100] = "','";
    size_t n = strlen(what);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (items & kinds[k].items)
            n += (size_t)snprintf(what + n, sizeof what - n, "%s%s", n > 3 ? " or " : " and ", kinds[k].name);
    return scan_expected(&a->scan, what);
}

static bool missing(struct asm_state *a, const struct vpu_reading *r, uint32_t items, unsigned at)
{
    if (!(items & (VPU_ITEM(VD) | VPU_ITEM(VA) | VPU_ITEM(VB))))
        return missing_scalar(a, items);
    if (at < 2)
        return scan_expected(&a->scan, "',' and another operand");
    return scan_error(&a->scan, r->at[at - 1], "bad-operand", NULL, "'%s' takes three operands",
                      vpu_spelling(&r->insn));
}

static bool read_operands(struct asm_state *a, struct vpu_reading *r)
{
    const struct vpu_tables *t = vpu_tables();
    const unsigned op = r->insn.op;
    const struct vpu_ways *ways = &t->ways[op];
    const bool vector = (vpu_ops[op].uses & VPU_VECTOR) != 0;
    uint32_t left[VPU_MAX_SYNTAXES];
    memset(left, 255, sizeof left);
    for (unsigned at = 0;; at++) {
        uint32_t items = possible(ways, left, at);
        bool ends = items == VPU_ITEM(NONE);
        if (at && !ends)
            ends = !scan_take(&a->scan, ',') || (vector && at == 2 && vpu_is_modifier_next(a));
        if (ends && items & VPU_ITEM(NONE)) {
            r->way = ended(t->syntax[op], left, at, r->st->wish.size);
            return (vector ? vpu_end_vector : vpu_end_scalar)(a, r, r->way);
        }
        if (ends)
            return missing(a, r, items, at);
        scan_blanks(&a->scan);
        const char *from = a->scan.p;
        bool waits = r->expr != NULL;
        if (vector)
            items = vpu_read_vector_operand(a, &r->operand[at]) ? items : 0;
        else
            items = vpu_read_scalar_operand(a, r, at, items);
        if (!items)
            return false;
        r->at[at] = scan_span(&a->scan, from);
        if (r->expr && !waits)
            r->waiting = at;
        narrow(ways, left, at, items & ~VPU_ITEM(NONE));
    }
}

/* ---- mnemonics ---- */

/* The part of a mnemonic after a dot: a condition, a size, or of its name. */
static bool take_suffix(struct asm_state *a, struct vpu_statement *st, const char *p, size_t length)
{
    int cond = vpu_find_cond(p, length);
    if (length == 1 && memchr("smlSML", *p, 6)) {
        char c = (char)(*p | 32);
        st->wish.size = c == 's' ? 2 : c == 'm' ? 4 : 6;
        return true;
    }
    if (cond < 0)
        return asm_error(a, p, "unknown-condition", NULL, "'.%.*s' is neither a condition nor a size", (int)length, p);
    if (st->cond != VPU_ALWAYS)
        return asm_error(a, p, "syntax", NULL, "a second condition");
    st->cond = (uint8_t)cond;
    return true;
}

/* What other processors' assemblers call it: a hint; NULL: none of these. */
static const char *hint_of_others(struct asm_state *a, const char *word, size_t length)
{
    static const struct scan_meant others[] = {
#define MEANT(theirs, write, why) {theirs, write, why},
#include "isa/vpu/hints.inc"
#undef MEANT
    };
    return scan_meant(&a->scan, others, sizeof others / sizeof others[0], word, length);
}

/* "write add.eq", for addeq; NULL: it does not end in a condition. */
static const char *hint_of_condition(struct asm_state *a, const char *word, size_t length)
{
    struct vpu_mnemonic mnemonic;
    size_t n = length - 2;
    if (length < 4 || vpu_find_cond(word + n, 2) < 0 || !vpu_find_mnemonic(word, n, &mnemonic))
        return NULL;
    return arena_printf(a->arena, "write %.*s.%.2s: a condition follows a dot", (int)n, word, word + n);
}

/* Is it what two instructions begin with, of the high part and of the low half of the accumulator? */
static bool is_of_both_parts(const char *name, size_t n)
{
    static const char *const parts[] = {"mh", "ml"};
    struct vpu_mnemonic mnemonic;
    char whole[40];
    unsigned found = 0;
    for (unsigned i = 0; i < 2 && n < 32; i++) {
        int length = snprintf(whole, sizeof whole, "%.*s%s", (int)n, name, parts[i]);
        found += vpu_find_mnemonic(whole, (size_t)length, &mnemonic);
    }
    return found == 2;
}

/* "write vmull.ss", for vmull; NULL: no name goes on so. */
static const char *hint_of_signs(struct asm_state *a, const char *name, size_t n)
{
    struct vpu_mnemonic mnemonic;
    char whole[40];
    int length = snprintf(whole, sizeof whole, "%.*s.ss", (int)n, name);
    if (n >= 32 || !vpu_find_mnemonic(whole, (size_t)length, &mnemonic))
        return NULL;
    return arena_printf(a->arena, "write %s: signs of both sources, which are s or u, are part of the name", whole);
}

/* mulhd.eq.uu.m: put the parts that are the operation's name together, and take the others. */
static bool split_mnemonic(struct asm_state *a, struct vpu_statement *st, const char *word, size_t length)
{
    static const char *const own[] = {"ss", "su", "us", "uu", "b", "0", "1", NULL};
    char name[32];
    const char *end = word + length, *dot = memchr(word, '.', length);
    size_t n = dot ? (size_t)(dot - word) : length;
    if (n > 16)
        n = 16;
    memcpy(name, word, n);
    for (const char *p = dot; p && p < end;) {
        const char *start = p + 1;
        p = memchr(start, '.', (size_t)(end - start));
        size_t piece = (size_t)((p ? p : end) - start);
        if (scan_word_index(start, piece, own, sizeof own / sizeof own[0]) < 0) {
            if (!take_suffix(a, st, start, piece))
                return false;
        } else if (n + piece + 1 < sizeof name) {
            name[n++] = '.';
            memcpy(name + n, start, piece);
            n += piece;
        }
    }
    if (vpu_find_mnemonic(name, n, &st->mnemonic))
        return true;
    if (is_of_both_parts(name, n))
        return asm_error(a, word, "unknown-instruction",
                         "the index is the high part or the low half of the accumulator: mh or ml at the end",
                         "'%.*s' is the name of two instructions", (int)n, name);
    const char *hint = hint_of_others(a, word, length);
    if (!hint)
        hint = hint_of_condition(a, word, length);
    if (!hint)
        hint = hint_of_signs(a, name, n);
    if (hint)
        return asm_error(a, word, "unknown-instruction", hint, "unknown instruction '%.*s'", (int)length, word);
    const struct vpu_names *names = vpu_names();
    size_t count = 0;
    while (names->all[count])
        count++;
    return scan_unknown(&a->scan, "unknown-instruction", "instruction", word, length, names->all, count);
}

bool vpu_read_instruction(struct asm_state *a, const char *word, size_t length)
{
    struct vpu_statement st = {.from = word, .cond = VPU_ALWAYS};
    if (!vpu_find_mnemonic(word, length, &st.mnemonic) && !split_mnemonic(a, &st, word, length))
        return false;
    if (st.mnemonic.cond != VPU_ALWAYS)
        st.cond = st.mnemonic.cond;
    struct asm_section *s = &a->section[a->current];
    if (s->nobits)
        return asm_error(a, word, "section", NULL, "section '%s' holds no bytes", s->name);
    if (st.mnemonic.alias == VPU_ALIAS_VEC48 || st.mnemonic.alias == VPU_ALIAS_VEC80)
        return vpu_read_raw_vector(a, &st);
    bool vector = (vpu_ops[st.mnemonic.op].uses & VPU_VECTOR) != 0;
    if (vector && st.cond != VPU_ALWAYS)
        return asm_error(a, word, "syntax", "lanes are chosen by IFZ, IFNZ, IFN, IFNN, IFC, IFNC",
                         "vector instructions have no condition");
    if (vector && st.wish.size)
        return asm_error(a, word, "syntax", "{48i}, {80v} and the like after the instruction name an encoding",
                         "vector instructions have no size");
    struct vpu_reading r = {.st = &st, .insn = {.op = st.mnemonic.op, .cond = st.cond}, .pending = VPU_PENDING_IMM};
    if (vector)
        r.insn.x = st.mnemonic.x;
    if (st.mnemonic.alias != VPU_ALIAS_RTS)
        return read_operands(a, &r);
    r.insn.d = VPU_LR;
    r.insn.flags = VPU_TO_REGISTER;
    return vpu_take_pin(a, &st.wish) && vpu_finish_insn(a, &r);
}

weft_status vpu_parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                      struct isa_module **out, weft_diags *diags)
{
    struct vpu_assembly own = {0};
    struct asm_state a = {.isa = &vpu_assembler, .params = params, .arena = arena, .diags = diags, .own = &own};
    *out = NULL;
    if (!vpu_tables())
        return vpu_no_tables(diags);
    if (!vpu_names() || !asm_start(&a, ".text"))
        return WEFT_ERROR_MEMORY;
    asm_read(&a, src);
    if (!a.failed && a.errors == 0 && asm_layout(&a))
        vpu_make_module(&a, out);
    if (*out && params)
        (*out)->linkage = params->linkage;
    if (a.failed || arena_failed(arena))
        return WEFT_ERROR_MEMORY;
    return a.errors ? WEFT_ERROR_INPUT : WEFT_OK;
}
