/* table.c - the opcode table, and finding a row by its mnemonic or its number. */
#include "isa/tgsi/lift.h"
#include "isa/tgsi/op.h"
#include "isa/tgsi/policy.h"
#include "isa/tgsi/tgsi.h"
#include "isa/tgsi/tokens.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- the signature column: operand types by letter, so that a row reads like the document ---- */

enum {
    F = TGSI_T_F32,
    I = TGSI_T_I32,
    U = TGSI_T_U32,
    D = TGSI_T_F64,
    L = TGSI_T_I64,
    Q = TGSI_T_U64,
    X = TGSI_T_UNTYPED,
    S = TGSI_T_NONE /* a sampler, view, resource or memory */
};

#define N(...) .nsrc = sizeof((const uint8_t[]){__VA_ARGS__}), .src_type = {__VA_ARGS__}
#define MADE(type) .ndst = 1, .dst_type = type
#define BARE .nsrc = 0
#define PAIR(...) .ndst = 2, .dst_type = D, N(__VA_ARGS__)
#define F(...) MADE(F), N(__VA_ARGS__)
#define I(...) MADE(I), N(__VA_ARGS__)
#define U(...) MADE(U), N(__VA_ARGS__)
#define D(...) MADE(D), N(__VA_ARGS__)
#define L(...) MADE(L), N(__VA_ARGS__)
#define Q(...) MADE(Q), N(__VA_ARGS__)
#define X(...) MADE(X), N(__VA_ARGS__)
#define S(...) MADE(S), N(__VA_ARGS__)

/* ---- the access column: components of the destination that can be written, and what is read of each source ---- */

enum {
    C_X = TGSI_READS_X,
    C_XY = TGSI_READS_XY,
    C_YZ = TGSI_READS_YZ,
    C_YW = TGSI_READS_YW,
    C_XYW = TGSI_READS_XYW,
    C_XYZ = TGSI_READS_XYZ,
    C_XYZW = TGSI_READS_XYZW,
    C_EACH = TGSI_READS_EACH,
    C_VIEW_ADDRESS = TGSI_READS_VIEW_ADDRESS,
    C_VIEW_LEVEL = TGSI_READS_VIEW_LEVEL,
    C_ADDRESS = TGSI_READS_ADDRESS,
    C_VALUE = TGSI_READS_VALUE,
    C_INPUT = TGSI_READS_INPUT
};

#define ACCESS(mask, ...) .writes = mask, .reads = { __VA_ARGS__ }
#define READS(...) ACCESS(15, __VA_ARGS__)
#define OF_ALL(set) ACCESS(15, set, set, set, set, set)
#define EACH OF_ALL(TGSI_READS_EACH)
#define NOTHING OF_ALL(0)
#define SCALAR OF_ALL(TGSI_READS_X)
#define VECTOR2 OF_ALL(TGSI_READS_XY)
#define VECTOR3 OF_ALL(TGSI_READS_XYZ)
#define VECTOR4 OF_ALL(TGSI_READS_XYZW)
#define X_TO_XY ACCESS(3, C_X)
#define TO_XY ACCESS(3, 0)
#define LOOKUP READS(TGSI_READS_COORDINATES)
#define LOOKUP_TO_XY ACCESS(3, TGSI_READS_COORDINATES)
#define LOOKUP_TWO READS(TGSI_READS_COORDINATES, TGSI_READS_SECOND)
#define LOOKUP_GRADIENT READS(TGSI_READS_COORDINATES, TGSI_READS_DERIVATIVE, TGSI_READS_DERIVATIVE)
#define LEVEL READS(TGSI_READS_LEVEL)
#define VIEW READS(C_VIEW_ADDRESS)
#define VIEW_X READS(C_VIEW_ADDRESS, 0, 0, C_X)
#define VIEW_GRADIENT READS(C_VIEW_ADDRESS, 0, 0, TGSI_READS_VIEW_DERIVATIVE, TGSI_READS_VIEW_DERIVATIVE)
#define UPDATE READS(0, C_ADDRESS, C_VALUE)
#define UPDATE_TWO READS(0, C_ADDRESS, C_VALUE, C_VALUE)

/* ---- the shape column: control flow, what may follow the operands, operands without numbers, effects, names ---- */

#define SHAPE(...) .flow = TGSI_FLOW_NONE, __VA_ARGS__
#define PLAIN SHAPE(.effects = 0)
#define ACROSS SHAPE(.effects = WEFT_EFFECT_LANES)
#define STACKED SHAPE(.implies = TGSI_IMPLIES_STACK)
#define COLOR SHAPE(.unit = TGSI_UNIT_COLOR)
#define FLOWING(kind, has_label) .flow = TGSI_FLOW_##kind, .label = has_label
#define EMITS FLOWING(EMIT, false), .implies = TGSI_IMPLIES_OUTPUTS
#define BARRIERS .flow = TGSI_FLOW_BARRIER, .memory_token = true
#define LOOKS(...)                                                                                                     \
    SHAPE(.unit = TGSI_UNIT_SAMPLER, .effects = WEFT_EFFECT_TEXTURE, .texture = true, .offsets = true, __VA_ARGS__)
#define TEXTURE(names) LOOKS(.operands = "dst, " names ", target[, offset]")
#define GATHERED(names) LOOKS(.operands = "dst, " names ", target[, offset[, offset, offset, offset]]")
#define QUERIED(names) LOOKS(.operands = "dst, " names ", target")
#define HANDLE                                                                                                         \
    SHAPE(.unit = TGSI_UNIT_PLAIN_SAMPLER, .texture = true, .offsets = true, .memory_token = true,                     \
          .operands = "dst, src, target")
#define SEES(...) SHAPE(.unit = TGSI_UNIT_VIEW, .effects = WEFT_EFFECT_TEXTURE, .offsets = true, __VA_ARGS__)
#define SAMPLED(names) SEES(.view_token = true, .operands = "dst, " names "[, offset]")
#define VIEWED(names) SEES(.operands = "dst, " names)
#define LOADS WEFT_EFFECT_READS_MEMORY
#define STORES WEFT_EFFECT_WRITES_MEMORY
#define ATOMICS WEFT_EFFECT_READS_MEMORY | WEFT_EFFECT_WRITES_MEMORY | WEFT_EFFECT_ATOMIC
#define MEMORY(kind, does, names)                                                                                      \
    SHAPE(.unit = TGSI_UNIT_##kind, .effects = does, .memory = true, .memory_token = true,                             \
          .operands = names "[, attributes]")
#define ATOMIC MEMORY(STORAGE, ATOMICS, "dst, resource, offset, src")
#define FENCE(token) SHAPE(.unit = TGSI_UNIT_STORAGE, .memory_token = token, .operands = "resource")

enum {
    ALL = 0,
    FRAG = 1 << TGSI_FRAG,
    GEOM = 1 << TGSI_GEOM,
    TESS_CTRL = 1 << TGSI_TESS_CTRL,
    COMP = 1 << TGSI_COMP
};

#define DIFFERENCES_FILE "isa/tgsi/differences.inc"
#define DIFFERENCES_LIST tgsi_differences
#include "isa/differences.h"

enum { DOCUMENTED = ISA_DOCUMENTED, KNOWN = ISA_KNOWN, INFERRED = ISA_INFERRED };

/* Arguments of lift functions. */
enum {
    SWAP = TGSI_LIFT_SWAP,
    PROJECTED = TGSI_LOOKUP_PROJECTED,
    LEVEL_W = TGSI_LOOKUP_LEVEL_W,
    SECOND = TGSI_LOOKUP_SECOND,
    LEVEL_SECOND = TGSI_LOOKUP_LEVEL_SECOND | TGSI_LOOKUP_SECOND,
    LEVEL_LAST = TGSI_LOOKUP_LEVEL_LAST,
    COMPARES = TGSI_LOOKUP_COMPARES,
    SAMPLE_LAST = TGSI_LOOKUP_SAMPLE_LAST
};

#define GONE(number) 256 + number

/* ---- the column of a lift function's arguments ---- */

#define NONE .ir = 0
#define OP(op) .ir = op
#define BY(number) .attr = number
#define ARGS(op, number) .ir = op, .attr = number

#define ROW(mnemonic, code, signature, access, shape, in, source, args, how, chapter, line)                            \
    {.name = #mnemonic, .number = code, signature, access, shape, .stages = in, .provenance = source, args,            \
     .lift = tgsi_lift_##how, .group = chapter, .doc = line},
#define MAP(mnemonic, code, signature, access, shape, in, source, args, how, chapter, line)                            \
    {.name = #mnemonic, .number = code, signature, access, shape, .stages = in, .provenance = source, args,            \
     .lift = tgsi_lift_map, .element = tgsi_element_##how, .group = chapter, .doc = line},

const struct tgsi_row tgsi_rows[] = {
#include "isa/tgsi/rows.inc"
};
#undef MAP
#undef ROW

const uint32_t tgsi_row_count = TGSI_OPS;

/* Names of older releases, and the rows that they mean. */
static const struct {
    const char *name;
    uint16_t row;
} aliases[] = {{"KIL", TGSI_OP_KILL_IF}, {"KILP", TGSI_OP_KILL}, {"SHR", TGSI_OP_ISHR}};

/* ---- what is made of the rows, once: the mnemonics' hash table, the rows by their numbers ---- */

enum { LONGEST = 15, SLOTS = 1024, NAMES = TGSI_OPS + sizeof aliases / sizeof *aliases };

static struct {
    uint16_t slots[SLOTS]; /* 1 + a name: of a row, or from TGSI_OPS on an alias; 0: empty */
    uint16_t row[TGSI_OPCODE_NUMBERS]; /* 1 + the row of an opcode number */
    char fault[96];
} table;
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static uint32_t hash(const char *name, size_t length)
{
    uint32_t h = 0;
    for (size_t i = 0; i < length; i++)
        h = h * 37 + ((unsigned char)name[i] & 0xdf); /* a letter's case is one bit; digits only need to stay apart */
    return h % SLOTS;
}

static const char *name_of(uint32_t name)
{
    return name < TGSI_OPS ? tgsi_rows[name].name : aliases[name - TGSI_OPS].name;
}

static void blame(const char *name, const char *what)
{
    if (!table.fault[0])
        snprintf(table.fault, sizeof table.fault, "%s: %s", name, what);
}

static void add_name(uint32_t name)
{
    const char *text = name_of(name);
    size_t length = strlen(text);
    uint32_t slot = hash(text, length);
    if (length > LONGEST)
        blame(text, "the name is too long");
    for (; table.slots[slot]; slot = (slot + 1) % SLOTS)
        if (strcmp(name_of(table.slots[slot] - 1u), text) == 0)
            blame(text, "two rows have this name");
    table.slots[slot] = (uint16_t)(name + 1);
}

static void add_number(uint32_t i)
{
    const struct tgsi_row *row = &tgsi_rows[i];
    if (row->number < 0 || row->number >= TGSI_OPCODE_NUMBERS)
        blame(row->name, "no token can hold the opcode number");
    else if (table.row[row->number])
        blame(row->name, "another row has this opcode number");
    else
        table.row[row->number] = (uint16_t)(i + 1);
}

static void compile(void)
{
    for (uint32_t i = 0; i < NAMES; i++)
        add_name(i);
    for (uint32_t i = 0; i < TGSI_OPS; i++) {
        const struct tgsi_row *row = &tgsi_rows[i];
        add_number(i);
        if (!row->lift || !row->doc[0])
            blame(row->name, "it has no lift, or no line of documentation");
        for (unsigned s = row->nsrc; s < 5; s++)
            if (row->src_type[s] != TGSI_T_NONE)
                blame(row->name, "a source beyond the last one has a type");
    }
}

const char *tgsi_table_fault(void)
{
    pthread_once(&table_once, compile);
    return table.fault[0] ? table.fault : NULL;
}

int tgsi_row_of_number(uint32_t number)
{
    pthread_once(&table_once, compile);
    return number < TGSI_OPCODE_NUMBERS ? table.row[number] - 1 : -1;
}

static bool same_word(const char *upper, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = word[i];
        if (upper[i] != c && (c < 'a' || c > 'z' || upper[i] != c - 'a' + 'A'))
            return false;
    }
    return upper[length] == '\0';
}

int tgsi_find_row(const char *name, size_t length)
{
    if (length > LONGEST)
        return -1;
    pthread_once(&table_once, compile);
    for (uint32_t slot = hash(name, length); table.slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        uint32_t found = table.slots[slot] - 1u;
        if (same_word(name_of(found), name, length))
            return found < TGSI_OPS ? (int)found : aliases[found - TGSI_OPS].row;
    }
    return -1;
}

bool tgsi_new_operands(struct arena *arena, struct tgsi_insn *insn, unsigned offsets)
{
    const struct tgsi_row *row = &tgsi_rows[insn->opcode];
    insn->dst = ARENA_ARRAY(arena, struct tgsi_operand, (size_t)row->ndst + row->nsrc);
    insn->src = insn->dst ? insn->dst + row->ndst : NULL;
    insn->offset = offsets ? ARENA_ARRAY(arena, struct tgsi_tex_offset, offsets) : NULL;
    return insn->dst && (insn->offset || !offsets);
}
