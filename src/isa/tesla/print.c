/* print.c - a module as text, as envydis writes it; `long` is written where the text alone would mean
 * the short form. */
#include "isa/text.h"
#include "isa/tesla/names.h"
#include "isa/tesla/slots.h"
#include "isa/tesla/short.h"
#include "isa/tesla/flow.h"

/* ---- operands ---- */

/* A number below 1000. */
static inline void put_small(struct text *t, unsigned n)
{
    if (n >= 100)
        put_char(t, (char)('0' + n / 100));
    if (n >= 10)
        put_char(t, (char)('0' + n / 10 % 10));
    put_char(t, (char)('0' + n % 10));
}

static inline void put_name(struct text *t, char letter, unsigned n)
{
    put_char(t, '$');
    put_char(t, letter);
    put_small(t, n);
}

static void put_address(struct text *t, const struct tesla_operand *o)
{
    if (o->space == TESLA_G_SPACE) {
        put_name(t, 'r', o->reg);
        return;
    }
    int32_t offset = o->halved ? o->offset / 2 : o->offset;
    if (o->increment) {
        if (o->areg)
            put_name(t, 'a', o->areg);
        else
            put_bytes(t, "0x0", 3);
        put_bytes(t, "++", 2);
        put_hex(t, (uint64_t)(int64_t)offset); /* steps back are written as 64 bits */
    } else if (o->areg) {
        put_name(t, 'a', o->areg);
        if (offset) {
            put_char(t, '+');
            put_hex(t, (uint64_t)offset);
        }
    } else {
        put_hex(t, (uint64_t)offset);
    }
}

static void put_memory(struct text *t, const struct tesla_operand *o)
{
    put_char(t, tesla_space_letters[o->space]);
    if (o->space >= TESLA_C_SPACE)
        put_small(t, o->index);
    put_char(t, '[');
    put_address(t, o);
    put_char(t, ']');
}

/* The registers that a mask names, one after the other; # in the places of the others. */
static void put_vector(struct text *t, const struct tesla_operand *o)
{
    unsigned reg = o->reg;
    for (unsigned i = 0; i < o->value; i++) {
        if (i)
            put_char(t, ':');
        if (o->mask >> i & 1)
            put_name(t, 'r', reg++);
        else
            put_char(t, '#');
    }
}

/* The chips that cannot sample at a rate have a number in place of a name. */
static void put_special(struct text *t, unsigned n, const struct tesla_target *target)
{
    bool named = n != TESLA_SAMPLEID || (target->features & TESLA_D3D10_1);
    put_char(t, '$');
    put_text(t, named ? tesla_special_registers[n] : "sr8");
}

/* $a0 is written as the number that it is. */
static void put_register(struct text *t, const struct tesla_operand *o)
{
    const struct tesla_register *r = tesla_registers;
    if (o->kind == TESLA_O_A && o->reg == 0) {
        put_bytes(t, "0x0", 3);
        return;
    }
    while (r->kind != o->kind || r->high != o->high)
        r++;
    put_name(t, r->letter, o->reg);
    if (r->suffix)
        put_char(t, r->suffix);
}

static void put_operand(struct text *t, const struct tesla_operand *o, const struct tesla_target *target)
{
    switch ((enum tesla_operand_kind)o->kind) {
    case TESLA_O_NONE:
        put_char(t, '#');
        break;
    case TESLA_O_SREG:
        put_special(t, o->reg, target);
        break;
    case TESLA_O_MEMORY:
        put_memory(t, o);
        break;
    case TESLA_O_VECTOR:
        put_vector(t, o);
        break;
    case TESLA_O_IMMEDIATE:
    case TESLA_O_TARGET:
        put_hex(t, o->value);
        break;
    default:
        put_register(t, o);
        break;
    }
}

/* ---- labels ---- */

/* Instructions that branches of their kernel name; or names that a caller gives to addresses. */
struct labels {
    const struct isa_module *m;
    bool *target;                     /* by instruction */
    uint32_t insn;                    /* the one at work */
    const struct weft_format *format; /* NULL: those of the module */
};

/* Kernels have addresses of their own: their numbers tell them apart. */
static void put_label(struct text *t, const struct labels *labels, uint32_t insn)
{
    put_char(t, 'L');
    if (labels->m->nkernels > 1) {
        put_unsigned(t, tesla_kernel_of(labels->m, insn));
        put_char(t, '_');
    }
    put_hex(t, labels->m->insns[insn].address);
}

static bool find_labels(struct labels *labels, const struct isa_module *m, struct arena *arena)
{
    *labels = (struct labels){.m = m, .target = ARENA_ARRAY(arena, bool, m->ninsns + 1)};
    for (uint32_t i = 0; labels->target && i < m->ninsns; i++) {
        struct tesla_flow flow = tesla_flow_of(&m->insns[i]);
        const struct tesla_insn *to = flow.has_target ? tesla_insn_at(m, i, flow.target) : NULL;
        if (to)
            labels->target[to - m->insns] = true;
    }
    return labels->target != NULL;
}

/* A name that the caller has for an address, if it is not too long for a line. */
static bool put_given_name(struct text *t, const struct weft_format *format, uint64_t address)
{
    enum { LONGEST = TEXT_ROOM / 2 };
    const char *name = format->name ? format->name(format->user, address) : NULL;
    size_t length = name ? strnlen(name, LONGEST + 1) : 0;
    if (length == 0 || length > LONGEST)
        return false;
    put_char(t, '#');
    put_bytes(t, name, length);
    return true;
}

/* The target of a branch: by its label, if it has one. */
static void put_target(struct text *t, const struct tesla_operand *o, const struct labels *labels)
{
    const struct tesla_insn *to = NULL;
    if (labels && labels->format) {
        if (put_given_name(t, labels->format, o->value))
            return;
    } else if (labels) {
        to = tesla_insn_at(labels->m, labels->insn, o->value);
    }
    if (!to) {
        put_hex(t, o->value);
        return;
    }
    put_char(t, '#');
    put_label(t, labels, (uint32_t)(to - labels->m->insns));
}

/* ---- instructions ---- */

/* The plain parts of an instruction, which are most of it, go from a pointer to the next: through the text they would
 * wait for its pointer to be written and read again. */
static inline char *copy_word(char *p, const struct tesla_word *w)
{
    memcpy(p, w->text, sizeof w->text);
    return p + w->length;
}

static inline char *copy_spaced(char *p, const struct tesla_word *w)
{
    memcpy(p, w->spaced, sizeof w->spaced);
    return p + w->length + 1;
}

/* " $r1", or " $r1h" */
static inline char *copy_register(char *p, const struct tesla_tables *tables, uint32_t n, bool half)
{
    const struct tesla_register_name *name = &tables->reg[half ? n >> 1 : n];
    memcpy(p, name, sizeof *name);
    p += name->length;
    *p = n & 1 ? 'h' : 'l';
    return p + half;
}

/* " $t1" */
static inline char *copy_letter(char *p, const struct tesla_tables *tables, uint32_t n, char letter)
{
    const struct tesla_register_name *name = &tables->reg[n];
    memcpy(p, name, sizeof *name);
    p[TESLA_NAME_LETTER] = letter;
    return p + name->length;
}

static void put_prefixes(struct text *t, const struct tesla_template *tp, const struct tesla_row *row, uint64_t word)
{
    unsigned kind = row->form == TESLA_LONG ? tesla_get(word, TESLA_FIELD_TAIL) : 0;
    unsigned predicate = tp->predicated ? tesla_get(word, TESLA_FIELD_PREDICATE) : TESLA_ALWAYS;
    unsigned lanes = tp->lanes ? tesla_get(word, TESLA_FIELD_LANES) : 15;
    if (kind)
        put_bytes(t, kind == 1 ? "exit " : "join ", 5);
    if (predicate == 0) {
        put_bytes(t, "(never) ", 8);
    } else if (predicate != TESLA_ALWAYS) {
        put_char(t, '(');
        put_text(t, tesla_predicates[predicate]);
        put_char(t, ' ');
        put_name(t, 'c', tesla_get(word, TESLA_FIELD_CSRC));
        put_bytes(t, ") ", 2);
    }
    if (lanes == 0)
        put_bytes(t, "(lnone) ", 8);
    if (lanes == 0 || lanes == 15)
        return;
    put_bytes(t, "(l", 2);
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1)
            put_char(t, (char)('0' + i));
    put_bytes(t, ") ", 2);
}

/* A texel offset has a sign, other numbers do not. */
static bool is_signed(const struct tesla_slot_info *slot)
{
    return slot->kind == TESLA_S_NUMBER && slot->column[TESLA_NUM_SIGNED];
}

static void put_slot(struct text *t, const struct tesla_template *tp, unsigned number, uint64_t word,
                     const struct tesla_selection *sel, const struct tesla_target *target, const struct labels *labels)
{
    const struct tesla_slot_info *slot = &tesla_slots[number];
    struct tesla_operand o;
    tesla_read_operand(tp, (enum tesla_slot)number, word, sel, &o);
    put_char(t, ' ');
    if (slot->kind == TESLA_S_INTEGER) {
        put_text(t, tesla_types[o.type].name);
        put_char(t, ' ');
    }
    if (o.kind == TESLA_O_MEMORY && o.space == TESLA_S_SPACE && tp->sources) {
        put_text(t, tesla_types[o.access].name);
        put_char(t, ' ');
    }
    if (is_signed(slot))
        put_signed_hex(t, (int32_t)o.value);
    else if (o.kind == TESLA_O_TARGET)
        put_target(t, &o, labels);
    else
        put_operand(t, &o, target);
}

/* Whether a register is in the slot of an item. */
static inline bool is_register(const struct tesla_item *item, uint64_t word, const struct tesla_selection *sel)
{
    switch ((enum tesla_shape)item->shape) {
    case TESLA_SHAPE_REGISTER:
    case TESLA_SHAPE_HALF:
        return true;
    case TESLA_SHAPE_DESTINATION:
    case TESLA_SHAPE_HALF_DESTINATION:
        return !tesla_get(word, TESLA_FIELD_DST_TYPE);
    case TESLA_SHAPE_SOURCE:
    case TESLA_SHAPE_HALF_SOURCE:
        return sel->kind[tesla_shape_source(item)] == TESLA_FROM_REGISTER;
    default:
        return false;
    }
}

static inline void put_instruction(struct text *t, const struct tesla_tables *tables, const struct tesla_template *tp,
                                   const struct tesla_row *row, uint64_t word, const struct tesla_target *target,
                                   const struct labels *labels)
{
    struct tesla_selection sel = {0};
    put_prefixes(t, tp, row, word);
    if (tesla_selects(tp, word))
        tesla_select(tp, word, target->stage, &sel);
    char *p = copy_word(t->p, &tables->word[tp->mnemonic]);
    for (const struct tesla_item *item = tp->items + 1, *end = tp->items + tp->nitems; item < end; item++) {
        uint32_t field = (uint32_t)(word >> item->low) & item->ones;
        if (item->kind == TESLA_I_WORD) {
            const struct tesla_word *w = &tables->word[item->words[0]];
            p = item->tight ? copy_word(p, w) : copy_spaced(p, w);
        } else if (item->kind == TESLA_I_CHOICE) {
            const struct tesla_word *w = &tables->word[item->words[field]];
            if (w->length)
                p = copy_spaced(p, w);
        } else if (item->shape >= TESLA_SHAPE_LETTER) {
            if (item->shape == TESLA_SHAPE_LETTER || tesla_get(word, TESLA_FIELD_DST_C_ENABLE))
                p = copy_letter(p, tables, field, item->letter);
        } else if (is_register(item, word, &sel)) {
            p = copy_register(p, tables, field, tesla_shape_is_half(item));
        } else {
            t->p = p;
            put_slot(t, tp, item->slot, word, &sel, target, labels);
            p = t->p;
        }
    }
    if (tp->wide && tesla_is_wide(tp, word))
        p = copy_spaced(p, &tables->word[tables->wide_word]);
    t->p = p;
    if (word & tesla_ignored(tp, word)) {
        t->p = copy_spaced(p, &tables->word[tables->ignored_word]);
        put_char(t, ' ');
        put_hex(t, word & tesla_ignored(tp, word));
    }
}

static void put_data(struct text *t, const struct tesla_insn *insn)
{
    put_bytes(t, ".b", 2);
    put_small(t, insn->unit * 8u);
    for (unsigned i = 0; i < insn->size; i += insn->unit) {
        put_char(t, ' ');
        put_hex(t, insn->word >> i * 8 & (~UINT64_C(0) >> (64 - insn->unit * 8u)));
    }
}

/* ---- modules ---- */

static bool make_places(const struct isa_module *m, struct arena *arena, struct isa_places *places)
{
    places->count = 0;
    places->place = ARENA_ARRAY(arena, struct isa_place, m->ninsns + 1);
    return places->place != NULL;
}

/* "// c1[0x0]: 0x1 0x2", eight words to a line. */
static bool put_segment(struct text *t, const struct tesla_segment *s)
{
    for (uint32_t at = 0; at < s->size; at += 32) {
        if (!text_room(t))
            return false;
        put_text(t, "// c");
        put_unsigned(t, s->space);
        put_char(t, '[');
        put_hex(t, s->offset + at);
        put_text(t, "]:");
        for (uint32_t i = at; i < at + 32 && i < s->size; i += 4) {
            uint32_t word = 0;
            for (unsigned b = 0; b < 4 && i + b < s->size; b++)
                word |= (uint32_t)s->bytes[i + b] << b * 8;
            put_char(t, ' ');
            put_hex(t, word);
        }
        put_char(t, '\n');
    }
    return true;
}

/* A kernel of a container: a section, and in comments what it needs. */
static bool put_kernel(struct text *t, const struct tesla_kernel *k, uint32_t base)
{
    const struct {
        const char *what;
        uint32_t number;
    } needs[] = {{" registers, ", k->registers},
                 {" bytes of l[], ", k->local_bytes},
                 {" bytes of s[], ", k->shared_bytes},
                 {" barriers\n", k->barriers}};
    if (k->registers || k->local_bytes || k->shared_bytes || k->barriers || k->nsegments) {
        put_text(t, "// kernel: ");
        for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
            put_unsigned(t, needs[i].number);
            put_text(t, needs[i].what);
        }
    }
    for (uint32_t i = 0; i < k->nsegments; i++)
        if (!put_segment(t, &k->segments[i]))
            return false;
    if (!text_room_for(t, strlen(k->name) + TEXT_ROOM))
        return false;
    put_text(t, k->name[0] >= '0' && k->name[0] <= '9' ? ".section #_" : ".section #");
    for (const char *p = k->name; *p; p++)
        put_char(t, (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ? *p : '_');
    if (base) {
        put_char(t, ' ');
        put_hex(t, base);
    }
    put_char(t, '\n');
    return true;
}

/* Where an instruction does not follow the last one, a section begins. */
static void put_section(struct text *t, uint32_t address, uint32_t number)
{
    put_text(t, ".section #section");
    put_unsigned(t, number);
    put_char(t, ' ');
    put_hex(t, address);
    put_char(t, '\n');
}

/* Kernels that begin at instruction `i`; empty ones may be at the end. */
static bool put_kernels(struct text *t, const struct isa_module *m, uint32_t i, uint32_t *kernel)
{
    for (; *kernel < m->nkernels && m->kernels[*kernel].first == i; ++*kernel)
        if (!put_kernel(t, &m->kernels[*kernel], m->kernels[*kernel].count ? m->insns[i].address : 0))
            return false;
    return true;
}

/* What comes before instruction `i`. */
static bool put_heading(struct text *t, const struct isa_module *m, uint32_t i, uint32_t expected, uint32_t *kernel,
                        uint32_t *sections)
{
    uint32_t before = *kernel;
    if (!put_kernels(t, m, i, kernel))
        return false;
    if (*kernel == before && m->insns[i].address != expected)
        put_section(t, m->insns[i].address, ++*sections);
    return true;
}

static void put_insn(struct text *t, const struct tesla_tables *tables, const struct tesla_insn *insn,
                     const struct tesla_target *target, const struct labels *labels)
{
    if (!insn->row) {
        put_data(t, insn);
        return;
    }
    const struct tesla_template *tp = &tables->row[tesla_row_number(insn->row)];
    if (tp->nshort && tesla_reads_short(tables, insn->row, insn->word, target->stage))
        put_bytes(t, "long ", 5);
    put_instruction(t, tables, tp, insn->row, insn->word, target, labels);
}

size_t tesla_print_insn(const struct tesla_insn *insn, const struct tesla_target *target,
                        const struct weft_format *format, char *text)
{
    struct text t = {.p = text, .begin = text, .size = TEXT_ROOM};
    struct labels labels = {.format = format};
    put_insn(&t, tesla_tables(), insn, target, format ? &labels : NULL);
    return text_length(&t);
}

size_t tesla_print_operand(const struct tesla_operand *o, const struct tesla_target *target, char *text)
{
    struct text t = {.p = text, .begin = text, .size = TEXT_ROOM};
    put_operand(&t, o, target);
    return text_length(&t);
}

weft_status tesla_print(const struct isa_module *m, struct arena *arena, char **text, size_t *size,
                        struct isa_places *places)
{
    const struct tesla_tables *tables = tesla_tables();
    struct text t;
    struct labels found, *labels = m->put_labels ? &found : NULL;
    uint32_t address = m->base, sections = 0, kernel = 0;
    if (!text_start(&t, arena, (size_t)m->ninsns * 40) || (places && !make_places(m, arena, places)) ||
        (labels && !find_labels(labels, m, arena)))
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < m->ninsns; i++) {
        const struct tesla_insn *insn = &m->insns[i];
        if (!text_room(&t) ||
            ((insn->address != address || kernel < m->nkernels) &&
             !put_heading(&t, m, i, address, &kernel, &sections)) ||
            !text_room(&t))
            return WEFT_ERROR_MEMORY;
        address = insn->address + insn->size;
        if (labels && labels->target[i]) {
            put_label(&t, labels, i);
            put_bytes(&t, ":\n", 2);
        }
        if (places)
            places->place[places->count++] =
                (struct isa_place){insn->address, insn->offset, insn->size, (uint32_t)text_length(&t)};
        if (labels)
            labels->insn = i;
        put_insn(&t, tables, insn, &m->target, labels);
        put_char(&t, '\n');
    }
    if (!put_kernels(&t, m, m->ninsns, &kernel) || !text_room(&t))
        return WEFT_ERROR_MEMORY;
    text_end(&t);
    *text = t.begin;
    *size = text_length(&t);
    return WEFT_OK;
}
