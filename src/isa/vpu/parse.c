/* parse.c - instructions of a text: mnemonics with their conditions, sizes and names of encodings. Syntax is that of
 * the manual and of the GNU port. */
#include "isa/vpu/parse.h"

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

bool vpu_read_register(struct asm_state *a, uint8_t *out)
{
    int reg = vpu_try_register(a);
    if (reg < 0)
        return scan_expected(&a->scan, "a register");
    *out = (uint8_t)reg;
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
    return insn->op < VPU_VMEM ? vpu_ops[insn->op].name : vpu_names()->spelling[insn->op][insn->x & 3].text;
}

static bool no_encoding(struct asm_state *a, const struct vpu_insn *insn, const struct vpu_wish *wish, const char *from)
{
    struct vpu_wish any = {.written = wish->written};
    struct vpu_choice choice;
    char why[200];
    if ((wish->size || wish->name) && vpu_choose(insn, &any, &choice))
        return asm_error(a, from, "no-encoding",
                         wish->name ? "without the name it has one" : "without the size it has one",
                         "no encoding of '%s' that is asked for holds these operands", vpu_spelling(insn));
    if (vpu_why_not(insn, why, sizeof why))
        return asm_error(a, from, "no-encoding", NULL, "no encoding of '%s' holds these operands: %s",
                         vpu_spelling(insn), why);
    return asm_error(a, from, "no-encoding", NULL, "no encoding of '%s' holds these operands", vpu_spelling(insn));
}

bool vpu_append(struct asm_state *a, const struct vpu_insn *insn)
{
    struct vpu_insn *item = asm_append(a);
    if (item)
        *item = *insn;
    return item != NULL;
}

bool vpu_finish_insn(struct asm_state *a, struct vpu_insn *insn, const struct vpu_wish *wish, const char *from,
                     const struct asm_expr *expr, enum vpu_pending operand)
{
    struct vpu_choice choice;
    struct vpu_wish open = {.written = wish->written};
    if (a->params && a->params->shorten)
        wish = &open;
    if (!a->included)
        insn->where = scan_span(&a->scan, from);
    bool distance = operand == VPU_PENDING_TARGET && !(vpu_ops[insn->op].uses & VPU_ABSOLUTE_TARGET);
    if (expr && (distance || operand == VPU_PENDING_NEAR || !asm_is_number(expr))) {
        struct vpu_wish *own = ARENA_NEW(a->arena, struct vpu_wish);
        struct asm_fixup fixup = {
            .expr = expr, .operand = (uint8_t)operand, .own = own, .where = scan_span(&a->scan, from)};
        if (!own)
            return asm_no_memory(a);
        *own = *wish;
        insn->form = VPU_NO_FORM;
        insn->size = vpu_least_size(insn, wish);
        if (insn->size == 0)
            return no_encoding(a, insn, wish, from);
        return asm_add_fixup(a, &fixup) && vpu_append(a, insn);
    }
    if (expr && operand == VPU_PENDING_TARGET)
        insn->target = (uint32_t)expr->value;
    if (!vpu_choose(insn, wish, &choice))
        return no_encoding(a, insn, wish, from);
    insn->form = choice.form;
    insn->op = choice.op;
    insn->imm = choice.imm;
    insn->size = vpu_tables()->form[choice.form].size;
    return vpu_append(a, insn);
}

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
static const char *hint_of_others(const char *word, size_t length)
{
    static const struct {
        const char *word, *hint;
    } others[] = {
        {"push", "did you mean 'stm'? stm r6-r7,lr,(--sp) stores registers below sp"},
        {"pop", "did you mean 'ldm'? ldm r6-r7,pc,(sp++) loads registers from sp on"},
        {"ret", "did you mean 'rts'?"},
        {"call", "did you mean 'bl'?"},
        {"jmp", "did you mean 'b'?"},
        {"halt", "did you mean 'sleep'?"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (scan_word_is(word, length, others[i].word))
            return others[i].hint;
    return NULL;
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
    if (scan_word_is(name, n, "vlookup") || scan_word_is(name, n, "vindexwrite"))
        return asm_error(a, word, "unknown-instruction",
                         "the index is the high part or the low half of the accumulator: mh or ml at the end",
                         "'%.*s' is the name of two instructions", (int)n, name);
    const char *hint = hint_of_others(word, length);
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
    if (st.mnemonic.op >= VPU_VMEM && st.cond != VPU_ALWAYS)
        return asm_error(a, word, "syntax", "lanes are chosen by IFZ, IFNZ, IFN, IFNN, IFC, IFNC",
                         "vector instructions have no condition");
    return vpu_ops[st.mnemonic.op].read(a, &st);
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
