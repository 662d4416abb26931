/* spirv_words.h - inputs of the fuzzers of SPIR-V: words, or text that is made into words first (seeds are text), and
 * changes of a module that leave its word counts and ids in order. */
#ifndef WEFT_FUZZ_SPIRV_WORDS_H
#define WEFT_FUZZ_SPIRV_WORDS_H

#include "choice.h"

#include "isa/spirv/spirv.h"
#include "isa/spirv/tools.h"

enum { MOST_WORDS = 1 << 14, MOST_INSNS = 1 << 13, MOST_BOUND = 1 << 13 };

/* ---- text to words ---- */

/* A text of GLSL or HLSL: its first line, which is not part of it, is "// STAGE" or "// hlsl STAGE". False: it is not
 * one. */
static inline bool source_text(const uint8_t *data, size_t size, struct source *text, enum ir_stage *stage, bool *hlsl)
{
    static const char *const names[IR_STAGES] = {[IR_VERTEX] = "vertex",
                                                 [IR_TESS_CTRL] = "tess-control",
                                                 [IR_TESS_EVAL] = "tess-evaluation",
                                                 [IR_GEOMETRY] = "geometry",
                                                 [IR_FRAGMENT] = "fragment",
                                                 [IR_COMPUTE] = "compute"};
    const char *line = (const char *)data, *end = size > 3 ? memchr(line, '\n', size) : NULL;
    if (!end || memcmp(line, "// ", 3) != 0)
        return false;
    *text = (struct source){"input", end + 1, size - (size_t)(end + 1 - line)};
    line += 3;
    *hlsl = end - line > 5 && memcmp(line, "hlsl ", 5) == 0;
    line += *hlsl ? 5 : 0;
    *stage = IR_FRAGMENT;
    for (unsigned s = 0; s < IR_STAGES; s++)
        if (names[s] && (size_t)(end - line) == strlen(names[s]) && memcmp(line, names[s], strlen(names[s])) == 0)
            *stage = (enum ir_stage)s;
    return true;
}

/* ---- modules while they are changed ---- */

struct spirv_change {
    uint32_t w[MOST_WORDS + 64];
    uint32_t n;
    uint32_t at[MOST_INSNS]; /* of each instruction */
    uint32_t insns;
};

/* False: no module, or one that is too large. */
static inline bool change_begin(struct spirv_change *c, const uint8_t *data, size_t size)
{
    c->n = (uint32_t)(size / 4);
    if (size % 4 || c->n < SPIRV_HEADER_WORDS || c->n > MOST_WORDS)
        return false;
    memcpy(c->w, data, size);
    if (c->w[0] != SpvMagicNumber || c->w[3] > MOST_BOUND)
        return false;
    c->insns = 0;
    for (uint32_t at = SPIRV_HEADER_WORDS; at < c->n; at += c->w[at] >> 16) {
        if (c->insns == MOST_INSNS || c->w[at] >> 16 == 0 || c->w[at] >> 16 > c->n - at)
            return false;
        c->at[c->insns++] = at;
    }
    return c->insns > 0;
}

static inline uint32_t change_count(const struct spirv_change *c, uint32_t insn)
{
    return c->w[c->at[insn]] >> 16;
}

/* Room for `count` words before instruction `insn` (may be c->insns). */
static inline bool change_open(struct spirv_change *c, uint32_t insn, uint32_t count)
{
    uint32_t at = insn < c->insns ? c->at[insn] : c->n;
    if (c->n + count > MOST_WORDS || c->insns == MOST_INSNS)
        return false;
    memmove(c->w + at + count, c->w + at, (c->n - at) * sizeof *c->w);
    memmove(c->at + insn + 1, c->at + insn, (c->insns - insn) * sizeof *c->at);
    c->n += count;
    c->insns++;
    c->at[insn] = at;
    for (uint32_t i = insn + 1; i < c->insns; i++)
        c->at[i] += count;
    return true;
}

static inline void change_remove(struct spirv_change *c, uint32_t insn)
{
    uint32_t at = c->at[insn], count = change_count(c, insn);
    memmove(c->w + at, c->w + at + count, (c->n - at - count) * sizeof *c->w);
    memmove(c->at + insn, c->at + insn + 1, (c->insns - insn - 1) * sizeof *c->at);
    c->n -= count;
    c->insns--;
    for (uint32_t i = insn; i < c->insns; i++)
        c->at[i] -= count;
}

/* ---- operands ---- */

struct operand_list {
    struct {
        char letter;
        uint32_t at; /* within the instruction */
        unsigned kind;
    } of[64];
    unsigned n;
};

static inline void note_operand(void *context, char letter, unsigned kind, uint32_t at, uint32_t count)
{
    struct operand_list *l = context;
    for (uint32_t i = 0; i < count && l->n < 64; i++, l->n++) {
        l->of[l->n].letter = letter;
        l->of[l->n].at = at + i;
        l->of[l->n].kind = kind;
    }
}

static inline void operands_of(const struct spirv_change *c, uint32_t insn, struct operand_list *l)
{
    const struct spirv_row *row = spirv_row_of(c->w[c->at[insn]] & 0xffff);
    l->n = 0;
    if (row)
        spirv_walk(row, c->w + c->at[insn], change_count(c, insn), note_operand, l);
}

/* Where the instruction has its result and its type; 0: it has none. */
static inline void result_of(const struct spirv_change *c, uint32_t insn, uint32_t *type, uint32_t *result)
{
    struct operand_list l;
    *type = *result = 0;
    operands_of(c, insn, &l);
    for (unsigned i = 0; i < l.n && i < 2; i++)
        *(l.of[i].letter == 't' ? type : result) = strchr("tr", l.of[i].letter) ? l.of[i].at : 0;
}

static inline uint32_t type_of_id(const struct spirv_change *c, uint32_t id)
{
    for (uint32_t i = 0; i < c->insns; i++) {
        uint32_t type, result;
        result_of(c, i, &type, &result);
        if (result && c->w[c->at[i] + result] == id)
            return type ? c->w[c->at[i] + type] : 0;
    }
    return 0;
}

/* Another id, of the same type if there is one. */
static inline uint32_t other_id(const struct spirv_change *c, uint32_t id, uint32_t *random)
{
    uint32_t wanted = type_of_id(c, id), begin = next_random(random) % c->insns, any = id;
    bool same = next_random(random) % 8 != 0;
    for (uint32_t k = 0; k < c->insns; k++) {
        uint32_t insn = (begin + k) % c->insns, type, result;
        result_of(c, insn, &type, &result);
        uint32_t found = result ? c->w[c->at[insn] + result] : id;
        if (found == id)
            continue;
        any = found;
        if (!same || (type ? c->w[c->at[insn] + type] : 0) == wanted)
            return found;
    }
    return any;
}

/* ---- changes ---- */

static inline void change_operand(struct spirv_change *c, uint32_t *random)
{
    static const uint32_t odd[] = {0, 1, 2, 3, 4, 7, 8, 31, 32, 63, 64, 255, 0x3f800000, 0x7f800000, 0x7fc00000,
                                   0x80000000, 0xffffffff};
    struct operand_list l;
    uint32_t insn = next_random(random) % c->insns;
    operands_of(c, insn, &l);
    if (!l.n)
        return;
    unsigned i = next_random(random) % l.n;
    uint32_t *word = &c->w[c->at[insn] + l.of[i].at];
    if (strchr("tism", l.of[i].letter)) {
        *word = other_id(c, *word, random);
    } else if (l.of[i].letter == '@' && !spirv_kind_is_bits(l.of[i].kind)) {
        for (unsigned tries = 0; tries < 16; tries++) {
            uint32_t value = next_random(random) % (tries < 12 ? 48 : 6000);
            const char *form = "";
            if (spirv_enumerant(l.of[i].kind, value, &form) && !*form) {
                *word = value;
                return;
            }
        }
    } else if (l.of[i].letter != 'r') {
        uint32_t how = next_random(random) % 4;
        *word = how == 0   ? odd[next_random(random) % (sizeof odd / sizeof *odd)]
                : how == 1 ? *word + 1
                : how == 2 ? *word - 1
                           : *word ^ (1u << next_random(random) % 32);
    }
}

/* Another instruction of the same form, most often of the same chapter. */
static inline void change_opcode(struct spirv_change *c, uint32_t *random)
{
    uint32_t *word = &c->w[c->at[next_random(random) % c->insns]];
    const struct spirv_row *row = spirv_row_of(*word & 0xffff);
    if (!row)
        return;
    bool far = next_random(random) % 8 == 0;
    for (unsigned tries = 0; tries < 256; tries++) {
        const struct spirv_row *other = &spirv_rows[next_random(random) % spirv_row_count];
        if (strcmp(other->form, row->form) == 0 && (far || strcmp(other->group, row->group) == 0)) {
            *word = (*word & 0xffff0000) | other->opcode;
            return;
        }
    }
}

/* A copy of an instruction somewhere, with a result of its own; its operands are not looked at. */
static inline void change_copy(struct spirv_change *c, uint32_t *random)
{
    uint32_t from = next_random(random) % c->insns, count = change_count(c, from), copy[64];
    bool near = next_random(random) % 2 == 0;
    if (count > 64)
        return;
    memcpy(copy, c->w + c->at[from], count * sizeof *copy);
    uint32_t type, result, to = near ? from + 1 + next_random(random) % 4 : next_random(random) % (c->insns + 1);
    result_of(c, from, &type, &result);
    if (result && c->w[3] < MOST_BOUND)
        copy[result] = c->w[3]++;
    if (to <= c->insns && change_open(c, to, count))
        memcpy(c->w + c->at[to], copy, count * sizeof *copy);
}

static inline void change_order(struct spirv_change *c, uint32_t *random)
{
    uint32_t insn = next_random(random) % c->insns;
    uint32_t count = change_count(c, insn), after = insn + 1;
    if (after >= c->insns || count > 64)
        return;
    uint32_t copy[64], next = change_count(c, after), at = c->at[insn];
    memcpy(copy, c->w + at, count * sizeof *copy);
    memmove(c->w + at, c->w + at + count, next * sizeof *copy);
    memcpy(c->w + at + next, copy, count * sizeof *copy);
    c->at[after] = at + next;
}

/* One to four changes. What comes out is a module again, valid or not. */
static inline size_t change_words(struct spirv_change *c, uint8_t *data, size_t most, uint32_t seed)
{
    uint32_t random = seed * 2654435761u | 1, turns = 1 + next_random(&random) % 4;
    for (uint32_t i = 0; i < turns && c->insns; i++) {
        uint32_t how = next_random(&random) % 16;
        if (how < 7)
            change_operand(c, &random);
        else if (how < 10)
            change_opcode(c, &random);
        else if (how < 12)
            change_copy(c, &random);
        else if (how < 14)
            change_order(c, &random);
        else if (how == 14)
            change_remove(c, next_random(&random) % c->insns);
        else
            c->w[2] = next_random(&random); /* the generator's number: choices of fuzz_spirv_variants */
    }
    size_t size = (size_t)c->n * 4;
    if (size > most)
        return 0;
    memcpy(data, c->w, size);
    return size;
}

/* ---- seeds ---- */

/* Text of GLSL, HLSL or assembly to words; seeds are so few that each is kept. */
static inline bool words_of_text(const uint8_t *data, size_t size, struct spirv_words *out)
{
    enum { MOST_KEPT = 64 };
    static struct arena kept_in;
    static struct {
        uint8_t *text;
        size_t size;
        struct spirv_words words;
    } kept[MOST_KEPT];
    static unsigned nkept;
    struct spirv_messages messages = {0};
    struct source text;
    enum ir_stage stage;
    bool hlsl;
    for (unsigned i = 0; i < nkept; i++)
        if (kept[i].size == size && memcmp(kept[i].text, data, size) == 0) {
            *out = kept[i].words;
            return out->count != 0;
        }
    *out = (struct spirv_words){0};
    if (nkept == MOST_KEPT)
        return false;
    if (source_text(data, size, &text, &stage, &hlsl)) {
        const struct spirv_source source = {.text = {text.name, text.text, text.size},
                                            .language = hlsl ? SPIRV_HLSL : SPIRV_GLSL,
                                            .stage = (weft_stage)stage,
                                            .env = "vulkan1.3",
                                            .loose = true,
                                            .map = true};
        spirv_compile(&source, &kept_in, out, &messages);
    } else if (size >= 2 && data[0] == ';') {
        spirv_assemble((const char *)data, size, "spv1.6", false, &kept_in, out, &messages);
    }
    kept[nkept].text = arena_alloc(&kept_in, size + 1);
    must(kept[nkept].text != NULL);
    memcpy(kept[nkept].text, data, size);
    kept[nkept].size = size;
    kept[nkept++].words = *out;
    return out->count != 0;
}

/* The words that an input is: itself, or what its text is made into. False: nothing. */
static inline bool words_of_input(const uint8_t *data, size_t size, struct arena *arena, struct spirv_words *out)
{
    if (size < 4 || size % 4 || memcmp(data, "\x03\x02\x23\x07", 4) != 0)
        return words_of_text(data, size, out);
    uint32_t *copy = arena_alloc(arena, size);
    must(copy != NULL);
    memcpy(copy, data, size);
    *out = (struct spirv_words){copy, size / 4};
    return true;
}

#endif
