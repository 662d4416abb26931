/* print.c - a module as text: sections, labels, instructions and data. */
#include "isa/vpu/print.h"

#include "isa/scan.h"
#include "isa/vpu/made.h"

#include <string.h>

/* ---- symbols ---- */

char *vpu_write_address(const struct vpu_printer *printer, char *p, uint32_t address)
{
    const struct isa_module *m = printer->m;
    const struct vpu_symbol *s = m ? vpu_label_at(m->symbols, m->nsymbols, address) : NULL;
    const char *name = printer->format ? printer->format->name(printer->format->user, address) : s ? s->name : NULL;
    size_t length = name ? strlen(name) : 0;
    if (!name || length > TEXT_ROOM / 4)
        return write_hex(p, address);
    return write_bytes(p, name, length);
}

char *vpu_write_form_pin(char *p, const struct vpu_form *f)
{
    p = write_bytes(p, " {", 2);
    p = write_text(p, f->row->name);
    *p++ = '}';
    return p;
}

/* ---- data ---- */

/* Instructions that are not known, and data in pieces of two bytes, as halfwords; all else as bytes. */
char *vpu_write_data(char *p, const uint8_t *bytes, uint32_t size)
{
    bool halfwords = size % 2 == 0;
    p = write_text(p, halfwords ? ".short " : ".byte ");
    for (uint32_t i = 0; i < size; i += halfwords ? 2 : 1) {
        if (i)
            *p++ = ',';
        p = halfwords ? write_hex_digits(p, (uint64_t)(bytes[i] | bytes[i + 1] << 8), 4)
                      : write_hex_digits(p, bytes[i], 2);
    }
    return p;
}

enum { BYTES_A_LINE = 16, AHEAD = 8 /* instructions */, WORTH_TEXTS = 8192 /* instructions */ };

/* Data of any length over as many lines as it takes; the newline of the last one is the caller's. */
static bool print_data(struct vpu_printer *p, const struct vpu_insn *i)
{
    for (uint32_t at = 0; at < i->size; at += BYTES_A_LINE) {
        uint32_t left = i->size - at;
        if (!text_room(&p->text))
            return false;
        if (at)
            put_char(&p->text, '\n');
        p->text.p = vpu_write_data(p->text.p, i->bytes + at, left < BYTES_A_LINE ? left : BYTES_A_LINE);
    }
    return true;
}

static void print_case(struct vpu_printer *p, const struct vpu_insn *i)
{
    int32_t entry = i->size == 1 ? (int8_t)i->bytes[0] : (int16_t)(i->bytes[0] | i->bytes[1] << 8);
    put_text(&p->text, ".case ");
    p->text.p = vpu_write_address(p, p->text.p, (uint32_t)(i->imm + 2 * entry));
}

static void print_fill(struct vpu_printer *p, const struct vpu_insn *i)
{
    put_text(&p->text, ".space ");
    put_unsigned(&p->text, i->size);
    if (i->imm) {
        put_char(&p->text, ',');
        put_unsigned(&p->text, (uint8_t)i->imm);
    }
}

/* ---- instructions ----
 *
 * What a scalar16 instruction prints as depends on its halfword alone, but for branches: for long programs the texts
 * are made once. */

struct short_text {
    char text[31];
    uint8_t length; /* 0: none */
};

static struct vpu_made short_texts = VPU_MADE; /* by halfword */

static void *make_short_texts(struct arena *arena)
{
    struct vpu_printer p = {.tables = vpu_tables(), .names = vpu_names()};
    struct short_text *texts = ARENA_ARRAY(arena, struct short_text, 0x8000);
    if (!texts || !p.tables || !p.names || !text_start(&p.text, arena, 0))
        return NULL;
    for (uint32_t word = 0; word < 0x8000; word++) {
        const uint8_t bytes[2] = {(uint8_t)word, (uint8_t)(word >> 8)};
        struct vpu_insn insn;
        vpu_decode_insn(bytes, 2, 0, &insn);
        if (vpu_is_data(&insn) || p.tables->form[insn.form].has & VPU_ITEM(TARGET))
            continue;
        p.text.p = vpu_write_insn(&p, p.text.begin, &insn);
        if (text_length(&p.text) > sizeof texts->text)
            continue;
        texts[word].length = (uint8_t)text_length(&p.text);
        memcpy(texts[word].text, p.text.begin, texts[word].length);
    }
    return texts;
}

/* The texts take a megabyte: those that are soon needed are asked for ahead. */
static void prepare_short(const struct vpu_printer *p, const struct vpu_insn *i)
{
    if (p->texts && i->flags & VPU_SHORT)
        __builtin_prefetch(&p->texts[i->halfword]);
}

static bool print_short(struct vpu_printer *p, const struct vpu_insn *i)
{
    const struct short_text *s = p->texts && i->flags & VPU_SHORT ? &p->texts[i->halfword] : NULL;
    if (!s || !s->length)
        return false;
    memcpy(p->text.p, s->text, sizeof s->text); /* always all of it: faster than its length */
    p->text.p += s->length;
    return true;
}

static bool print_insn(struct vpu_printer *p, const struct vpu_insn *i)
{
    if (!text_room(&p->text))
        return false;
    if (print_short(p, i))
        return true;
    if (vpu_is_data(i) && !(i->flags & VPU_CASE))
        return print_data(p, i);
    if (vpu_is_data(i))
        print_case(p, i);
    else if (i->op == VPU_FILL)
        print_fill(p, i);
    else
        p->text.p = vpu_write_insn(p, p->text.p, i);
    return true;
}

/* ---- sections ---- */

static bool put_directive(struct vpu_printer *p, const char *directive, const char *name)
{
    size_t length = strlen(name);
    if (!text_room_for(&p->text, length + TEXT_ROOM))
        return false;
    put_text(&p->text, directive);
    put_bytes(&p->text, name, length);
    put_char(&p->text, '\n');
    return true;
}

/* Absolute symbols, and which are global, before anything that uses them. */
static bool print_symbols(struct vpu_printer *p)
{
    for (uint32_t i = 0; i < p->m->nsymbols; i++) {
        const struct vpu_symbol *s = &p->m->symbols[i];
        if (s->global && !put_directive(p, ".global ", s->name))
            return false;
        if (s->section != VPU_ABSOLUTE)
            continue;
        size_t length = strlen(s->name);
        if (!text_room_for(&p->text, length + TEXT_ROOM))
            return false;
        put_bytes(&p->text, ".equ ", 5);
        put_bytes(&p->text, s->name, length);
        put_char(&p->text, ',');
        put_hex(&p->text, s->address);
        put_char(&p->text, '\n');
    }
    return true;
}

/* A program that is one piece of code at address 0 has no header: its text is its instructions. Without any it has one,
 * so that labels have a section. */
static bool print_section_head(struct vpu_printer *p, const struct vpu_section *s, bool only)
{
    if (only && s->size && strcmp(s->name, ".text") == 0 && s->address == 0)
        return true;
    if (!text_room_for(&p->text, strlen(s->name) + TEXT_ROOM))
        return false;
    put_bytes(&p->text, ".section ", 9);
    put_bytes(&p->text, s->name, strlen(s->name));
    put_bytes(&p->text, ",\"a", 3);
    if (s->writable)
        put_char(&p->text, 'w');
    if (s->code)
        put_char(&p->text, 'x');
    put_char(&p->text, '"');
    put_text(&p->text, s->nobits ? ",@nobits\n" : ",@progbits\n");
    if (s->align > 1) {
        put_bytes(&p->text, ".align ", 7);
        put_unsigned(&p->text, (unsigned)__builtin_ctz(s->align));
        put_char(&p->text, '\n');
    }
    put_bytes(&p->text, ".org ", 5);
    put_hex(&p->text, s->address);
    put_char(&p->text, '\n');
    return true;
}

/* The labels at `address` of a section; *next is the first symbol that is not printed yet. */
static bool print_labels(struct vpu_printer *p, uint32_t section, uint32_t address, uint32_t *next)
{
    const struct isa_module *m = p->m;
    for (; *next < m->nsymbols && m->symbols[*next].address <= address; ++*next) {
        const struct vpu_symbol *s = &m->symbols[*next];
        if (s->section != section || s->address != address)
            continue;
        if (!text_room_for(&p->text, strlen(s->name) + TEXT_ROOM))
            return false;
        put_bytes(&p->text, s->name, strlen(s->name));
        put_bytes(&p->text, ":\n", 2);
    }
    return true;
}

/* Where the flat image begins: sections without bytes are not in it. */
static uint32_t image_begin(const struct isa_module *m)
{
    for (uint32_t s = 0; s < m->nsections; s++)
        if (!m->sections[s].nobits && m->sections[s].size)
            return m->sections[s].address;
    return 0;
}

static bool print_section(struct vpu_printer *p, uint32_t number, struct isa_places *places)
{
    const struct isa_module *m = p->m;
    const struct vpu_section *s = &m->sections[number];
    uint32_t symbol = (uint32_t)vpu_symbol_from(m->symbols, m->nsymbols, s->address), image = image_begin(m);
    if (!print_section_head(p, s, m->nsections == 1))
        return false;
    for (uint32_t n = 0; n < s->count; n++) {
        const struct vpu_insn *i = &m->insns[s->first + n];
        if (n + AHEAD < s->count)
            prepare_short(p, i + AHEAD);
        if (m->nsymbols && !print_labels(p, number, i->address, &symbol))
            return false;
        uint32_t begin = (uint32_t)text_length(&p->text);
        if (!print_insn(p, i))
            return false;
        put_char(&p->text, '\n');
        if (places && !s->nobits)
            places->place[places->count++] = (struct isa_place){i->address, i->address - image, i->size, begin};
    }
    return print_labels(p, number, s->address + s->size, &symbol);
}

weft_status vpu_print(const struct isa_module *m, struct arena *arena, char **text, size_t *size,
                      struct isa_places *places)
{
    struct vpu_printer p = {
        .m = m, .tables = vpu_tables(), .names = vpu_names(), .reach = m->nsymbols ? VPU_PERHAPS : VPU_EXACTLY};
    if (m->ninsns >= WORTH_TEXTS)
        p.texts = vpu_make_once(&short_texts, make_short_texts);
    if (places) {
        places->count = 0;
        places->place = ARENA_ARRAY(arena, struct isa_place, m->ninsns + 1);
    }
    if (!p.tables || !p.names || (places && !places->place) || !text_start(&p.text, arena, (size_t)m->ninsns * 32))
        return WEFT_ERROR_MEMORY;
    bool fine = print_symbols(&p);
    for (uint32_t s = 0; s < m->nsections && fine; s++)
        fine = print_section(&p, s, places);
    if (!fine || !text_room(&p.text))
        return WEFT_ERROR_MEMORY;
    text_end(&p.text);
    *text = p.text.begin;
    *size = text_length(&p.text);
    return WEFT_OK;
}
