/* Single instructions of TGSI (weft/insn.h): decoding agrees with the whole stream and its listing, and the operands
 * with what the lifted instruction reads and writes. */
#include "test.h"

#include "ir/program.h"
#include "isa/tgsi/access.h"
#include "isa/tgsi/lift.h"
#include "isa/tgsi/op.h"

#include "random_module.h"
#include "text.h"

#include <glob.h>
#include <weft/insn.h>

static const weft_stage stages[TGSI_PROCESSORS] = {
    [TGSI_FRAG] = WEFT_FRAGMENT,
    [TGSI_VERT] = WEFT_VERTEX,
    [TGSI_GEOM] = WEFT_GEOMETRY,
    [TGSI_TESS_CTRL] = WEFT_TESS_CONTROL,
    [TGSI_TESS_EVAL] = WEFT_TESS_EVALUATION,
    [TGSI_COMP] = WEFT_COMPUTE,
};

static weft_decoder *decoder_of(unsigned processor)
{
    weft_decoder_options options = {.size = sizeof options, .stage = stages[processor]};
    weft_decoder *d;
    assert_int_equal(weft_decoder_new("tgsi", &options, &d), WEFT_OK);
    return d;
}

/* ---- the listing ---- */

/* A line without what the lines before it decide: number and indentation of an instruction, the number of an IMM. */
static const char *bare_line(const char *line, char *buffer, size_t size)
{
    const char *end = strchr(line, '\n');
    const char *p = line + strspn(line, " ");
    size_t digits = strspn(p, "0123456789");
    if (digits && p[digits] == ':')
        p += digits + 1;
    p += strspn(p, " ");
    if (strncmp(p, "IMM[", 4) == 0)
        snprintf(buffer, size, "IMM%.*s", (int)(end - strchr(p, ']') - 1), strchr(p, ']') + 1);
    else
        snprintf(buffer, size, "%.*s", (int)(end - p), p);
    return end + 1;
}

/* Walking the stream from byte 0 gives the listing, line by line. */
static void check_listing(const char *name, const uint8_t *bytes, size_t size, unsigned processor, const char *listing)
{
    weft_decoder *d = decoder_of(processor);
    char text[WEFT_INSN_TEXT], line[WEFT_INSN_TEXT];
    size_t at = 0;
    weft_insn insn;
    for (; at < size; at += insn.size) {
        weft_status status = weft_insn_decode(d, bytes + at, size - at, at, &insn);
        if (status != WEFT_OK)
            fail_msg("%s, byte %zu: unknown: %s", name, at, insn.fault);
        weft_insn_text(d, &insn, NULL, text, sizeof text, NULL, NULL);
        assert_true(*listing != '\0');
        listing = bare_line(listing, line, sizeof line);
        if (strcmp(line, text) != 0)
            fail_msg("%s, byte %zu: '%s', not '%s'", name, at, text, line);
    }
    assert_int_equal(at, size);
    assert_int_equal(*listing, '\0');
    weft_decoder_free(d);
}

static void check_module(const char *name, const struct isa_module *m, struct arena *arena)
{
    uint8_t *bytes;
    char *listing;
    size_t size, length;
    struct isa_module *back;
    if (tgsi_encode(m, arena, &bytes, &size, NULL) != WEFT_OK ||
        tgsi_decode(bytes, size, name, NULL, arena, &back, NULL) != WEFT_OK)
        return; /* text can say more than tokens */
    assert_int_equal(tgsi_print(back, arena, &listing, &length, NULL), WEFT_OK);
    check_listing(name, bytes, size, m->processor, listing);
}

static void random_listings(void **state)
{
    (void)state;
    struct test_rng r = test_seed("listings");
    for (int i = 0; i < 1000; i++) {
        struct random_module x;
        struct arena arena = {0};
        random_module(&r, &x);
        check_module("random", &x.m, &arena);
        arena_free(&arena);
    }
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    long size = ftell(f);
    rewind(f);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, f), size);
    fclose(f);
    return text;
}

static void collected_listings(void **state)
{
    (void)state;
    const char *shared = getenv("WEFT_SHARED");
    char pattern[1000];
    const char *patterns[] = {"vectors/tgsi/corpus/*/*.tgsi", "vectors/tgsi/pictures/*.tgsi",
                              "isa/tgsi/programs/*/*.tgsi"};
    glob_t files;
    size_t checked = 0;
    int found = GLOB_NOMATCH;
    for (size_t i = 0; i < 3; i++) {
        snprintf(pattern, sizeof pattern, "%s/%s", shared ? shared : WEFT_SOURCE_ROOT "/../shared", patterns[i]);
        if (glob(pattern, found ? 0 : GLOB_APPEND, NULL, &files) == 0)
            found = 0;
    }
    if (found != 0) {
        skip(); /* no collections here */
        return;
    }
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = read_file(files.gl_pathv[i]);
        struct text t = text_parse(text);
        if (t.status == WEFT_OK) {
            check_module(files.gl_pathv[i], t.m, &t.arena);
            checked++;
        }
        text_free(&t);
        free(text);
    }
    globfree(&files);
    printf("# %zu programs\n", checked);
    assert_true(checked > 0);
}

/* ---- damage: what the whole stream's decoder knows, and nothing else ---- */

static bool all_known(const uint8_t *bytes, size_t size, unsigned processor)
{
    weft_decoder *d = decoder_of(processor);
    weft_insn insn;
    bool known = true;
    for (size_t at = 8; at < size && known; at += insn.size) {
        known = weft_insn_decode(d, bytes + at, size - at, at, &insn) == WEFT_OK;
        if (!known && (!insn.fault || insn.fault_width > 32))
            fail_msg("no fault");
    }
    weft_decoder_free(d);
    return known;
}

/* The message about bits that nobody uses: the token and its bits; false if it is about something else. */
static bool said_of_bits(const uint8_t *bytes, size_t size, unsigned *token, unsigned *bits)
{
    struct arena arena = {0};
    struct isa_module *m;
    weft_diags *diags = weft_diags_new();
    bool said = tgsi_decode(bytes, size, "damaged", NULL, &arena, &m, diags) != WEFT_OK &&
                sscanf(weft_diags_get(diags, 0)->message, "token %u: %*s bits %x ", token, bits) == 2;
    weft_diags_free(diags);
    arena_free(&arena);
    return said;
}

/* Whether bits that nobody uses are at fault. If so they are set, and without them something else is at fault. */
static bool has_reserved_bits(uint8_t *bytes, size_t size, unsigned processor)
{
    weft_decoder *d = decoder_of(processor);
    weft_insn insn;
    size_t at = 8;
    while (weft_insn_decode(d, bytes + at, size - at, at, &insn) == WEFT_OK)
        at += insn.size;
    weft_decoder_free(d);
    if (strcmp(insn.fault, "bits that nobody uses are set") != 0)
        return false;
    unsigned token, bits, again, others, low = insn.fault_bit % 32;
    assert_true(said_of_bits(bytes, size, &token, &bits));
    if (token != at / 4 + insn.fault_bit / 32 || !bits || (unsigned)__builtin_ctz(bits) != low ||
        32 - (unsigned)__builtin_clz(bits) != low + insn.fault_width)
        fail_msg("%#x of token %u is said, and %u bits from %zu on are at fault", bits, token, insn.fault_width,
                 at * 8 + insn.fault_bit);
    for (unsigned i = 0; i < 4; i++) {
        uint8_t of_byte = (uint8_t)(bits >> 8 * i);
        if (of_byte & ~bytes[token * 4 + i])
            fail_msg("%#x of token %u is said, and not all of it is set", bits, token);
        bytes[token * 4 + i] ^= of_byte;
    }
    if (said_of_bits(bytes, size, &again, &others) && again == token && others & bits)
        fail_msg("%#x of token %u is said, and without it the same", bits, token);
    return true;
}

static void damage(void **state)
{
    (void)state;
    struct test_rng r = test_seed("damage");
    unsigned good = 0, bad = 0, reserved = 0;
    for (int i = 0; i < 3000; i++) {
        struct random_module x;
        struct arena arena = {0};
        uint8_t *bytes;
        size_t size;
        random_module(&r, &x);
        struct isa_module *m;
        if (tgsi_encode(&x.m, &arena, &bytes, &size, NULL) == WEFT_OK && size > 8) {
            uint32_t bit = 64 + random_below(&r, (uint32_t)(size - 8) * 8);
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            bool whole = tgsi_decode(bytes, size, "damaged", NULL, &arena, &m, NULL) == WEFT_OK;
            if (whole != all_known(bytes, size, x.m.processor))
                fail_msg("bit %u: %s as a stream, not one by one", bit, whole ? "known" : "unknown");
            reserved += !whole && has_reserved_bits(bytes, size, x.m.processor);
            good += whole;
            bad += !whole;
        }
        arena_free(&arena);
    }
    printf("# %u good, %u bad, %u of them by bits that nobody uses\n", good, bad, reserved);
    assert_true(good > 50 && bad > 50 && reserved > 50);
}

/* ---- what is read and written ---- */

enum { REGISTERS = 4, ANY = 100, ACCESSES = 400 };

/* A component of a register (ANY: of any register), or an element of a file without components. */
struct access {
    const char *file;
    uint32_t number;
    int component; /* -1: the file has none */
    bool at_most;
};

struct accesses {
    struct access list[ACCESSES];
    unsigned count;
};

static void note(struct accesses *a, const char *file, uint32_t number, int component, bool at_most)
{
    assert_true(a->count < ACCESSES);
    a->list[a->count++] = (struct access){file, number, component, at_most};
}

static bool same(const struct access *a, const struct access *b)
{
    return strcmp(a->file, b->file) == 0 &&
           (a->component < 0 || b->component < 0 ||
            (a->component == b->component && (a->number == b->number || a->number == ANY || b->number == ANY)));
}

static bool has(const struct accesses *a, const struct access *what)
{
    for (unsigned i = 0; i < a->count; i++)
        if (same(&a->list[i], what))
            return true;
    return false;
}

static void note_ir(const struct ir_program *p, const struct ir_op *op, struct accesses *reads, struct accesses *writes)
{
    bool get = op->code == IR_GET || op->code == IR_GET_DYN || op->code == IR_GET_LANE;
    bool set = op->code == IR_SET || op->code == IR_SET_DYN || op->code == IR_SET_LANE;
    if (!get && !set)
        return;
    const struct ir_reg *reg = &p->regs[op->desc];
    bool dynamic = op->code != IR_GET && op->code != IR_SET;
    note(get ? reads : writes, p->files[reg->file].name, dynamic ? ANY : reg->elem / 4, (int)(reg->elem % 4), false);
}

static bool in_program(const struct ir_program *p, const char *file)
{
    for (uint32_t i = 0; i < p->nfiles; i++)
        if (strcmp(p->files[i].name, file) == 0)
            return true;
    return false;
}

static void note_operands(const struct ir_program *p, const weft_decoder *d, const weft_insn *insn,
                          const struct tgsi_insn *in, struct accesses *reads, struct accesses *writes)
{
    static weft_operand operands[WEFT_INSN_OPERANDS];
    size_t n = weft_insn_operands(d, insn, operands, WEFT_INSN_OPERANDS);
    /* What declarations or the rest of the program decide: columns of the row. */
    bool at_most = tgsi_offsets_at_most(in) || tgsi_rows[in->opcode].implies == TGSI_IMPLIES_OUTPUTS;
    for (unsigned i = 0; i < in->nsrc; i++)
        at_most |= tgsi_reads_at_most(in, i);
    for (size_t i = 0; i < n; i++) {
        const weft_operand *o = &operands[i];
        bool constant = strcmp(o->reg.file ? o->reg.file : "", "IMM") == 0 && !o->indirect;
        if (o->kind != WEFT_OPERAND_REGISTER || constant || !in_program(p, o->reg.file))
            continue;
        for (int c = 0; c < 4 || !o->components; c++) {
            bool none = !o->components;
            if (none && o->role != WEFT_ROLE_IMPLIED)
                break;
            if (none || o->components >> c & 1) {
                uint32_t number = o->indirect ? ANY : o->reg.number;
                if (o->access & WEFT_READ)
                    note(reads, o->reg.file, number, none ? -1 : c, at_most);
                if (o->access & WEFT_WRITE)
                    note(writes, o->reg.file, number, none ? -1 : c, false);
            }
            if (none)
                break;
        }
    }
}

static void compare(const char *text, const char *what, const struct accesses *said, const struct accesses *done)
{
    for (unsigned i = 0; i < done->count; i++)
        if (!has(said, &done->list[i]))
            fail_msg("'%s' %s %s[%u].%c, which no operand says", text, what, done->list[i].file, done->list[i].number,
                     "xyzw"[done->list[i].component]);
    for (unsigned i = 0; i < said->count; i++)
        if (!said->list[i].at_most && !has(done, &said->list[i]))
            fail_msg("'%s': an operand says that it %s %s[%u].%c", text, what, said->list[i].file, said->list[i].number,
                     said->list[i].component < 0 ? '*' : "xyzw"[said->list[i].component]);
}

/* A register of the files that hold numbers. */
static struct tgsi_operand lifted_register(struct test_rng *r, bool source, unsigned processor)
{
    static const uint8_t sources[] = {TGSI_TEMPORARY, TGSI_TEMPORARY, TGSI_OUTPUT,  TGSI_INPUT,
                                      TGSI_ADDRESS,   TGSI_IMMEDIATE, TGSI_CONSTANT};
    static const uint8_t destinations[] = {TGSI_TEMPORARY, TGSI_TEMPORARY, TGSI_OUTPUT, TGSI_ADDRESS, TGSI_NULL};
    struct tgsi_operand o = {.file = source ? sources[random_below(r, 7)] : destinations[random_below(r, 5)]};
    if (processor != TGSI_FRAG && processor != TGSI_VERT && (o.file == TGSI_INPUT || o.file == TGSI_OUTPUT))
        o.file = TGSI_TEMPORARY; /* in memory, or not there */
    o.index.value = o.file == TGSI_NULL ? 0 : (int32_t)random_below(r, REGISTERS);
    if (o.file != TGSI_NULL && o.file != TGSI_ADDRESS && random_chance(r, 5)) {
        o.index.indirect = true;
        o.index.file = random_chance(r, 2) ? TGSI_ADDRESS : TGSI_TEMPORARY;
        o.index.reg = (int32_t)random_below(r, REGISTERS);
        o.index.component = (uint8_t)random_below(r, 4);
    }
    o.mask = (uint8_t)(1 + random_below(r, 15));
    for (int c = 0; c < 4; c++)
        o.swizzle[c] = (uint8_t)(source ? random_below(r, 4) : (uint32_t)c);
    return o;
}

/* What a source or destination without numbers is: of a file that the row may have. */
static struct tgsi_operand random_unit(struct test_rng *r, const struct tgsi_row *row, bool second)
{
    static const uint8_t storage[] = {TGSI_BUFFER,   TGSI_IMAGE,     TGSI_MEMORY,
                                      TGSI_RESOURCE, TGSI_HW_ATOMIC, TGSI_TEMPORARY};
    static const uint8_t files[] = {[TGSI_UNIT_SAMPLER] = TGSI_SAMPLER,
                                    [TGSI_UNIT_PLAIN_SAMPLER] = TGSI_SAMPLER,
                                    [TGSI_UNIT_VIEW] = TGSI_SAMPLER_VIEW,
                                    [TGSI_UNIT_IMAGE] = TGSI_IMAGE,
                                    [TGSI_UNIT_COLOR] = TGSI_OUTPUT};
    struct tgsi_operand o = {.file = row->unit == TGSI_UNIT_STORAGE ? storage[random_below(r, row->memory ? 6 : 5)]
                                     : second                       ? (uint8_t)TGSI_SAMPLER
                                                                    : files[row->unit]};
    if (row->unit == TGSI_UNIT_SAMPLER && random_chance(r, 5))
        o.file = TGSI_TEMPORARY;
    o.dimensional = o.file == TGSI_HW_ATOMIC;
    o.mask = (uint8_t)(1 + random_below(r, 15));
    for (int c = 0; c < 4; c++)
        o.swizzle[c] = (uint8_t)random_below(r, 4);
    return o;
}

static struct tgsi_insn random_instruction(struct test_rng *r, uint32_t number, unsigned processor,
                                           struct tgsi_operands *operands)
{
    const struct tgsi_row *row = &tgsi_rows[number];
    struct tgsi_insn in = {.opcode = (uint16_t)number, .ndst = row->ndst, .nsrc = row->nsrc};
    tgsi_use_operands(&in, operands);
    in.saturate = random_chance(r, 5);
    for (unsigned i = 0; i < in.ndst; i++)
        in.dst[i] = row->dst_type == TGSI_T_NONE ? random_unit(r, row, false) : lifted_register(r, false, processor);
    for (unsigned i = 0; i < in.ndst; i++)
        memset(in.dst[i].swizzle, 0, sizeof in.dst[i].swizzle);
    bool second = false;
    for (unsigned i = 0; i < in.nsrc; i++) {
        bool unit = row->src_type[i] == TGSI_T_NONE;
        in.src[i] = unit ? random_unit(r, row, second) : lifted_register(r, true, processor);
        second |= unit;
    }
    bool handle = row->memory &&
                  (row->dst_type == TGSI_T_NONE ? in.dst[0].file == TGSI_TEMPORARY : in.src[0].file == TGSI_TEMPORARY);
    if (row->texture || handle || (row->memory && random_chance(r, 2))) {
        in.has_target = true;
        in.target = (uint8_t)random_below(r, TGSI_TEX_UNKNOWN);
    }
    if (row->offsets && random_chance(r, 2)) {
        in.noffsets = (uint8_t)(1 + random_below(r, 4));
        for (unsigned i = 0; i < in.noffsets; i++)
            in.offset[i] = (struct tgsi_tex_offset){
                TGSI_TEMPORARY,
                (int32_t)random_below(r, REGISTERS),
                {(uint8_t)random_below(r, 4), (uint8_t)random_below(r, 4), (uint8_t)random_below(r, 4)}};
    }
    if (row->reads[0] == TGSI_READS_INPUT && in.src[0].file != TGSI_INPUT)
        in.src[0] = (struct tgsi_operand){.file = TGSI_INPUT, .swizzle = {2, 2, 1, 0}};
    if (row->flow == TGSI_FLOW_CASE || row->flow == TGSI_FLOW_EMIT)
        in.src[0] = (struct tgsi_operand){.file = TGSI_IMMEDIATE};
    in.has_label = row->flow == TGSI_FLOW_CALL || row->flow == TGSI_FLOW_JUMP;
    return in;
}

/* The program around an instruction: what must come before and after it, by mnemonic. */
static const struct frame {
    uint8_t flow;
    const char *before, *after;
    bool has_end;
} frames[] = {
    {TGSI_FLOW_IF, "", "NOP ENDIF"},
    {TGSI_FLOW_ELSE, "IF NOP", "NOP ENDIF"},
    {TGSI_FLOW_ENDIF, "IF NOP", ""},
    {TGSI_FLOW_LOOP, "", "BRK ENDLOOP"},
    {TGSI_FLOW_ENDLOOP, "BGNLOOP BRK", ""},
    {TGSI_FLOW_BREAK, "BGNLOOP", "NOP ENDLOOP"},
    {TGSI_FLOW_CONTINUE, "BGNLOOP", "NOP ENDLOOP"},
    {TGSI_FLOW_SWITCH, "", "CASE NOP ENDSWITCH"},
    {TGSI_FLOW_CASE, "SWITCH", "NOP ENDSWITCH"},
    {TGSI_FLOW_DEFAULT, "SWITCH", "NOP ENDSWITCH"},
    {TGSI_FLOW_ENDSWITCH, "SWITCH CASE", ""},
    {TGSI_FLOW_CALL, "", "END BGNSUB NOP ENDSUB", true},
    {TGSI_FLOW_SUB, "CAL END", "NOP ENDSUB", true},
    {TGSI_FLOW_ENDSUB, "CAL END BGNSUB", "", true},
};

static void add_words(struct isa_module *m, const char *words)
{
    static struct tgsi_operands operands[16];
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        int row = tgsi_find_row(words, n);
        assert_true(row >= 0);
        struct tgsi_insn *in = &m->insns[m->ninsns++];
        *in = (struct tgsi_insn){.opcode = (uint16_t)row, .nsrc = tgsi_rows[row].nsrc};
        operands[m->ninsns - 1] = (struct tgsi_operands){0};
        tgsi_use_operands(in, &operands[m->ninsns - 1]);
        in->src[0] = (struct tgsi_operand){.file = TGSI_IMMEDIATE};
        in->has_label = tgsi_rows[row].flow == TGSI_FLOW_CALL;
    }
}

static uint32_t first_of(const struct isa_module *m, unsigned flow)
{
    for (uint32_t i = 0; i < m->ninsns; i++)
        if (tgsi_rows[m->insns[i].opcode].flow == flow)
            return i;
    return m->ninsns - 1;
}

/* A module of the instruction with declarations; returns where it is. */
static uint32_t surround(struct isa_module *m, const struct tgsi_insn *in, uint8_t target)
{
    static struct tgsi_decl decls[12];
    static struct tgsi_imm imms[REGISTERS];
    static struct tgsi_insn insns[16];
    static struct tgsi_property props[] = {{.name = TGSI_GS_INPUT_PRIMITIVE, .value = {4}, .count = 1},
                                           {.name = TGSI_GS_OUTPUT_PRIMITIVE, .value = {5}, .count = 1},
                                           {.name = TGSI_GS_MAX_OUTPUT_VERTICES, .value = {4}, .count = 1}};
    static const uint8_t files[] = {TGSI_TEMPORARY, TGSI_INPUT,   TGSI_OUTPUT,       TGSI_ADDRESS,
                                    TGSI_CONSTANT,  TGSI_SAMPLER, TGSI_SAMPLER_VIEW, TGSI_IMAGE,
                                    TGSI_BUFFER,    TGSI_MEMORY,  TGSI_RESOURCE,     TGSI_HW_ATOMIC};
    const struct tgsi_row *row = &tgsi_rows[in->opcode];
    *m = (struct isa_module){.processor = m->processor, .decls = decls, .imms = imms, .insns = insns, .props = props};
    for (unsigned i = 0; i < sizeof files; i++) {
        bool io = files[i] == TGSI_INPUT || files[i] == TGSI_OUTPUT;
        decls[i] = (struct tgsi_decl){.file = files[i], .last = REGISTERS - 1, .mask = 15, .target = target};
        decls[i].writable = true;
        decls[i].raw = files[i] == TGSI_RESOURCE && target == TGSI_TEX_BUFFER;
        decls[i].has_semantic = io;
        decls[i].semantic = m->processor == TGSI_FRAG && files[i] == TGSI_OUTPUT ? 1 : 5;
        decls[i].has_interp = files[i] == TGSI_INPUT && m->processor == TGSI_FRAG;
        decls[i].interp = TGSI_INTERP_PERSPECTIVE;
        bool there = m->processor == TGSI_FRAG || m->processor == TGSI_VERT ||
                     (m->processor == TGSI_GEOM && files[i] == TGSI_OUTPUT);
        if (!io || there)
            decls[m->ndecls++] = decls[i];
    }
    m->nimms = REGISTERS;
    m->nprops = m->processor == TGSI_GEOM ? 3 : 0;
    for (unsigned i = 0; i < REGISTERS; i++)
        imms[i].type = TGSI_UINT32;
    const struct frame *frame = NULL;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        frame = frames[i].flow == row->flow ? &frames[i] : frame;
    add_words(m, "NOP");
    add_words(m, frame ? frame->before : "");
    uint32_t at = m->ninsns;
    m->insns[m->ninsns++] = *in;
    add_words(m, frame ? frame->after : "");
    if (!frame || !frame->has_end)
        add_words(m, "NOP END");
    for (uint32_t i = 0; i < m->ninsns; i++)
        if (m->insns[i].has_label)
            m->insns[i].label = first_of(m, TGSI_FLOW_SUB);
    return at;
}

static bool check_access(struct test_rng *r, uint32_t number, unsigned processor)
{
    struct isa_module m = {.processor = (uint8_t)processor};
    struct tgsi_operands operands = {0};
    struct tgsi_insn in = random_instruction(r, number, processor, &operands);
    uint8_t target = in.has_target ? in.target : (uint8_t)random_below(r, TGSI_TEX_UNKNOWN);
    uint32_t at = surround(&m, &in, target);
    struct arena arena = {0};
    struct ir_program *p = NULL;
    weft_diags *diags = weft_diags_new();
    bool lifted = tgsi_lift(&m, NULL, &arena, &p, diags) == WEFT_OK;
    if (lifted) {
        struct accesses said_reads = {.count = 0}, said_writes = {.count = 0}, reads = {.count = 0},
                        writes = {.count = 0};
        for (uint32_t b = 1; b < p->nblocks; b++)
            for (uint32_t i = 0; i < p->blocks[b].count; i++)
                if (p->blocks[b].ops[i].insn == at)
                    note_ir(p, &p->blocks[b].ops[i], &reads, &writes);
        struct tgsi_item item = {TGSI_ITEM_INSN, at};
        m.items = &item;
        m.nitems = 1;
        uint8_t *bytes;
        size_t size;
        assert_int_equal(tgsi_encode(&m, &arena, &bytes, &size, diags), WEFT_OK);
        weft_decoder *d = decoder_of(processor);
        weft_insn insn;
        char text[WEFT_INSN_TEXT];
        assert_int_equal(weft_insn_decode(d, bytes + 8, size - 8, 8, &insn), WEFT_OK);
        weft_insn_text(d, &insn, NULL, text, sizeof text, NULL, NULL);
        note_operands(p, d, &insn, &in, &said_reads, &said_writes);
        compare(text, "reads", &said_reads, &reads);
        compare(text, "writes", &said_writes, &writes);
        weft_decoder_free(d);
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return lifted;
}

static void operands_and_ir(void **state)
{
    (void)state;
    enum { TRIES = 150 };
    struct test_rng r = test_seed("operands");
    unsigned lifted = 0;
    for (uint32_t number = 0; number < tgsi_row_count; number++) {
        const struct tgsi_row *row = &tgsi_rows[number];
        unsigned good = 0;
        for (int i = 0; i < TRIES; i++) {
            unsigned processor = random_chance(&r, 2) ? TGSI_FRAG : TGSI_VERT;
            if (row->stages)
                processor = (unsigned)__builtin_ctz(row->stages);
            good += check_access(&r, number, processor);
        }
        if (good < 5)
            fail_msg("%s: %u of %d programs could be lifted", row->name, good, TRIES);
        lifted += good;
    }
    printf("# %u programs\n", lifted);
}

TEST_MAIN(TEST(random_listings), TEST(collected_listings), TEST(damage), TEST(operands_and_ir))
