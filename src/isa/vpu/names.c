/* names.c - the words of the language, and the mnemonics by hash. */
#include "isa/vpu/names.h"

#include "isa/scan.h"
#include "isa/vpu/made.h"

#include <stdio.h>
#include <string.h>

#define WORD(s)                                                                                                        \
    {                                                                                                                  \
        s, sizeof s - 1                                                                                                \
    }

const struct vpu_letters vpu_register_names[VPU_REGISTERS] = {
    WORD("r0"),  WORD("r1"),  WORD("r2"),  WORD("r3"),  WORD("r4"),  WORD("r5"),  WORD("r6"),  WORD("r7"),
    WORD("r8"),  WORD("r9"),  WORD("r10"), WORD("r11"), WORD("r12"), WORD("r13"), WORD("r14"), WORD("r15"),
    WORD("r16"), WORD("r17"), WORD("r18"), WORD("r19"), WORD("r20"), WORD("r21"), WORD("r22"), WORD("r23"),
    WORD("gp"),  WORD("sp"),  WORD("lr"),  WORD("r27"), WORD("r28"), WORD("r29"), WORD("sr"),  WORD("pc"),
};

const struct vpu_letters vpu_cond_names[VPU_CONDS] = {
    WORD("eq"), WORD("ne"), WORD("cs"), WORD("cc"), WORD("mi"), WORD("pl"), WORD("vs"), WORD("vc"),
    WORD("hi"), WORD("ls"), WORD("ge"), WORD("lt"), WORD("gt"), WORD("le"), WORD(""),   WORD("f"),
};

const char *const vpu_lane_names[] = {"ALL", "NONE", "IFZ", "IFNZ", "IFN", "IFNN", "IFC", "IFNC", NULL};
const char *const vpu_sru_names[] = {"SUMU", "SUMS", "max2", "IMIN", "max4", "IMAX", "max6", "MAX", NULL};
const char *const vpu_repeat_names[] = {"", "REP2", "REP4", "REP8", "REP16", "REP32", "REP64", "REP r0", NULL};
const char *const vpu_accumulate_names[] = {"SUB", "WBA", "CLRA", "SIGN", "HIGH", "ENA", NULL};

/* Bits 3:0 of the index are HIGH, SIGN, WBA, SUB. */
const char *const vpu_accumulator_names[] = {"UADD",  "USUB",  "UACC",  "UDEC",  "SADD",  "SSUB",
                                             "SACC",  "SDEC",  "UADDH", "USUBH", "UACCH", "UDECH",
                                             "SADDH", "SSUBH", "SACCH", "SDECH", NULL};

/* ---- single words ---- */

/* "r12": the number after the letter, below 32; -1 when it is not one. */
static int numbered(const char *word, size_t length, char letter)
{
    if (length < 2 || length > 3 || (word[0] | 32) != letter || !scan_is(word[1], SCAN_DIGIT))
        return -1;
    int n = word[1] - '0';
    if (length == 3) {
        if (n == 0 || !scan_is(word[2], SCAN_DIGIT))
            return -1;
        n = n * 10 + word[2] - '0';
    }
    return n < VPU_REGISTERS ? n : -1;
}

int vpu_find_register(const char *word, size_t length)
{
    static const struct {
        char name[4];
        uint8_t number;
    } roles[] = {{"gp", VPU_GP}, {"sp", VPU_SP},   {"lr", VPU_LR}, {"sr", VPU_SR},
                 {"pc", VPU_PC}, {"esp", VPU_R28}, {"tp", VPU_TP}};
    int number = numbered(word, length, 'r');
    for (size_t i = 0; number < 0 && i < sizeof roles / sizeof roles[0]; i++)
        if (scan_word_is(word, length, roles[i].name))
            number = roles[i].number;
    return number;
}

int vpu_find_control(const char *word, size_t length)
{
    return numbered(word, length, 'p');
}

int vpu_find_cond(const char *word, size_t length)
{
    if (scan_word_is(word, length, "lo"))
        return VPU_CS;
    if (scan_word_is(word, length, "hs"))
        return VPU_CC;
    for (int i = 0; i < VPU_CONDS; i++)
        if (i != VPU_ALWAYS && scan_word_is(word, length, vpu_cond_names[i].text))
            return i;
    return -1;
}

/* ---- mnemonics ---- */

struct vpu_name_slot {
    char text[24]; /* lower case; "" is free */
    struct vpu_mnemonic value;
};

enum { SLOTS = 4096, MOST_NAMES = 2048 };

static struct vpu_made made = VPU_MADE;

static uint32_t hash(const char *word, size_t length)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (uint8_t)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] | 32 : word[i])) * 16777619u;
    return h ^ h >> 15;
}

static const struct vpu_name_slot *find(const struct vpu_names *n, const char *word, size_t length)
{
    for (uint32_t at = hash(word, length);; at++) {
        const struct vpu_name_slot *s = &n->slot[at & (n->nslots - 1)];
        if (!s->text[0] || scan_word_is(word, length, s->text))
            return s;
    }
}

/* The first meaning of a name stays. */
static void add(struct vpu_names *n, uint32_t *count, const char *text, struct vpu_mnemonic value)
{
    struct vpu_name_slot *s = (struct vpu_name_slot *)find(n, text, strlen(text));
    if (s->text[0] || strlen(text) >= sizeof s->text || *count == MOST_NAMES)
        return;
    strcpy(s->text, text);
    s->value = value;
    n->all[(*count)++] = s->text;
}

static void add_scalar(struct vpu_names *n, uint32_t *count, unsigned op)
{
    const struct vpu_op_row *row = &vpu_ops[op];
    struct vpu_mnemonic value = {(uint8_t)op, VPU_ALWAYS, 0, 0};
    size_t length = strlen(row->name);
    memcpy(n->spelling[op][0].text, row->name, length);
    n->spelling[op][0].length = (uint8_t)length;
    n->stem[op] = (uint8_t)strcspn(row->name, ".");
    n->tail[op].length = (uint8_t)(length - n->stem[op]);
    memcpy(n->tail[op].text, row->name + n->stem[op], n->tail[op].length);
    add(n, count, row->name, value);
    if (row->manual)
        add(n, count, row->manual, value);
    if (!(row->uses & VPU_BRANCHES_ON))
        return;
    for (unsigned c = 0; c < VPU_CONDS; c++) {
        char text[40];
        value.cond = (uint8_t)c;
        const char *other = c == VPU_CS ? "lo" : c == VPU_CC ? "hs" : vpu_cond_names[c].text;
        snprintf(text, sizeof text, "%.16s%.4s", row->name, vpu_cond_names[c].text);
        add(n, count, text, value);
        snprintf(text, sizeof text, "%.16s%.4s", row->name, other);
        add(n, count, text, value);
    }
}

/* The spellings of a vector operation `name` of width x: v16add, vadd16, vaddh, and vadd where the width is open. */
static void add_vector(struct vpu_names *n, uint32_t *count, const char *name, struct vpu_mnemonic value)
{
    static const char *const bits[] = {"8", "16", "32", "unk"}, *const letter[] = {"b", "h", "l", "unk"};
    char text[40];
    snprintf(text, sizeof text, "v%s%s", bits[value.x], name);
    add(n, count, text, value);
    snprintf(text, sizeof text, "v%s%s", name, bits[value.x]);
    add(n, count, text, value);
    snprintf(text, sizeof text, "v%s%s", name, letter[value.x]);
    add(n, count, text, value);
}

/* Data operations have two widths, or one that their name says; memory operations have all. */
static void add_vector_widths(struct vpu_names *n, uint32_t *count, unsigned op)
{
    static const char *const prefix[] = {"v8", "v16", "v32", "vunk"};
    const struct vpu_op_row *row = &vpu_ops[op];
    unsigned first = row->meaning ? VPU_16 : VPU_8, last = row->meaning ? VPU_32 : VPU_WIDTH3;
    if (row->only_x)
        first = last = row->only_x == 2 ? VPU_32 : VPU_16;
    for (unsigned x = first; x <= last; x++) {
        struct vpu_mnemonic value = {(uint8_t)op, VPU_ALWAYS, (uint8_t)x, 0};
        const char *own = row->only_x ? row->name : row->spelled ? row->spelled[x] : NULL;
        struct vpu_word *w = &n->spelling[op][x];
        w->length = (uint8_t)snprintf(w->text, sizeof w->text, "%s%s", own ? "" : prefix[x], own ? own : row->name);
        if (own)
            add(n, count, own, value);
        if (!row->only_x)
            add_vector(n, count, row->name, value);
        if (row->manual)
            add_vector(n, count, row->manual, value);
    }
}

/* The manual's examples leave the width out: vadd, readlut. */
static void add_vector_open(struct vpu_names *n, uint32_t *count, unsigned op)
{
    const struct vpu_op_row *row = &vpu_ops[op];
    struct vpu_mnemonic value = {(uint8_t)op, VPU_ALWAYS, row->meaning ? VPU_X_OPEN : VPU_8, 0};
    char text[40];
    if (row->only_x)
        return;
    snprintf(text, sizeof text, "v%.24s", row->manual ? row->manual : row->name);
    add(n, count, text, value);
    if (!row->meaning)
        add(n, count, text + 1, value);
}

/* The parts of vector registers: increments of horizontal ones follow y, of vertical ones x. */
static void spell_vector_registers(struct vpu_names *n)
{
    static const char *const letters[3] = {"", "X", "Y"};
    for (unsigned i = 0; i < 3 * 2 * 64 * 2; i++) {
        unsigned width = i / 256, vertical = i / 128 % 2, y = i / 2 % 64, inc = i % 2;
        struct vpu_part *part = &n->row[width][vertical][y][inc];
        part->length = (uint8_t)snprintf(part->text, sizeof part->text, "%c%s(%u%s,", vertical ? 'V' : 'H',
                                         letters[width], y, inc && !vertical ? "++" : "");
    }
    for (unsigned i = 0; i < 64 * 2; i++) {
        struct vpu_part *part = &n->column[i / 2][i % 2];
        part->length = (uint8_t)snprintf(part->text, sizeof part->text, "%u%s)", i / 2, i % 2 ? "++" : "");
    }
}

static void *make_names(struct arena *arena)
{
    struct vpu_names *n = ARENA_NEW(arena, struct vpu_names);
    uint32_t count = 0;
    if (!n)
        return NULL;
    n->nslots = SLOTS;
    n->slot = ARENA_ARRAY(arena, struct vpu_name_slot, SLOTS);
    n->all = ARENA_ARRAY(arena, const char *, MOST_NAMES + 1);
    if (!n->slot || !n->all)
        return NULL;
    for (unsigned op = 0; op < VPU_DATA; op++)
        if (vpu_ops[op].name && !(vpu_ops[op].uses & VPU_VECTOR))
            add_scalar(n, &count, op);
    add(n, &count, "rts", (struct vpu_mnemonic){VPU_B, VPU_ALWAYS, 0, VPU_ALIAS_RTS});
    add(n, &count, "vec48", (struct vpu_mnemonic){VPU_DATA, VPU_ALWAYS, 0, VPU_ALIAS_VEC48});
    add(n, &count, "vec80", (struct vpu_mnemonic){VPU_DATA, VPU_ALWAYS, 0, VPU_ALIAS_VEC80});
    /* Before the widths: vlookupml is lookupml, not lookupm of 32 bits. */
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned op = 0; op < VPU_DATA; op++)
            if (vpu_ops[op].uses & VPU_VECTOR)
                (pass ? add_vector_widths : add_vector_open)(n, &count, op);
    spell_vector_registers(n);
    return n;
}

const struct vpu_names *vpu_names(void)
{
    return vpu_make_once(&made, make_names);
}

bool vpu_find_mnemonic(const char *word, size_t length, struct vpu_mnemonic *out)
{
    const struct vpu_names *n = vpu_names();
    const struct vpu_name_slot *s = n ? find(n, word, length) : NULL;
    if (!s || !s->text[0])
        return false;
    *out = s->value;
    return true;
}
