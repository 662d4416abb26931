/* parse.c - TGSI text to a module: the program, its statements, recovery after an error.
 *
 * Accepted is what Mesa reads, what its older releases read (bare EMIT, KIL, RES, the document's array targets), and
 * what people write by hand: comments, short swizzles, carriage returns, hexadecimal integers. */
#include "isa/tgsi/parse.h"

#include <stdio.h>
#include <string.h>

/* ---- errors ---- */

/* Something is missing: where the next token is, or, when that is on another line, after the last one. */
bool tgsi_expected(struct tgsi_parser *ps, const char *what)
{
    char found[64];
    struct span where;
    tgsi_parse_skip(ps);
    if (ps->open_comment)
        return false; /* what is missing is in the comment that has been reported */
    where = scan_at(&ps->scan, ps->scan.p, scan_describe_next(&ps->scan, found, sizeof found));
    if (ps->scan.last < ps->scan.p && memchr(ps->scan.last, '\n', (size_t)(ps->scan.p - ps->scan.last))) {
        where = scan_at(&ps->scan, ps->scan.last, 1);
        snprintf(found, sizeof found, "the end of the line");
    }
    return scan_error(&ps->scan, where, "syntax", scan_printed_hint(&ps->scan), "expected %s, found %s", what, found);
}

/* "POSITION" of TGSI_SEMANTIC_POSITION: the document's headings and Gallium's headers spell names so. */
static size_t without_prefix(const char **word, size_t length)
{
    static const char *const prefixes[] = {"TGSI_SEMANTIC_",  "TGSI_PROPERTY_", "TGSI_INTERPOLATE_", "TGSI_FILE_",
                                           "TGSI_TEXTURE_",   "TGSI_OPCODE_",   "TGSI_RETURN_TYPE_", "TGSI_IMM_",
                                           "TGSI_PROCESSOR_", "TGSI_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t n = strlen(prefixes[i]);
        if (length > n && scan_word_is(*word, n, prefixes[i])) {
            *word += n;
            return length - n;
        }
    }
    return length;
}

bool tgsi_unknown_or(struct tgsi_parser *ps, const char *code, const char *what, const char *word, size_t length,
                     const char *const *names, size_t count, const char *otherwise)
{
    char hint[120];
    const char *plain = word;
    size_t plain_length = without_prefix(&plain, length);
    const char *text = word_hint(plain, plain_length, names, count, hint, sizeof hint);
    if (!text)
        text = otherwise;
    if (plain != word && scan_word_index(plain, plain_length, names, count) >= 0) {
        snprintf(hint, sizeof hint, "write '%.*s': programs have the names without that beginning", (int)plain_length,
                 plain);
        text = hint;
    }
    struct span where = {scan_offset(&ps->scan, word), (uint32_t)length};
    return scan_error(&ps->scan, where, code, text, "unknown %s '%.*s'%s", what, length > 40 ? 40 : (int)length, word,
                      length > 40 ? "..." : "");
}

bool tgsi_unknown(struct tgsi_parser *ps, const char *code, const char *what, const char *word, size_t length,
                  const char *const *names, size_t count)
{
    return tgsi_unknown_or(ps, code, what, word, length, names, count, NULL);
}

/* ---- white space, words, numbers ---- */

static const char *to_end_of_line(const struct tgsi_parser *ps, const char *p)
{
    const char *newline = memchr(p, '\n', (size_t)(ps->scan.end - p));
    return newline ? newline : ps->scan.end;
}

/* '#', ';' and '//' up to the end of the line, and C's comments. Leaves the cursor at a lone '/'. */
void tgsi_skip_comments(struct tgsi_parser *ps)
{
    for (;;) {
        const char *p = ps->scan.p;
        while (tgsi_is_space(*p)) {
            ps->line += *p == '\n';
            p++;
        }
        ps->scan.p = p;
        if (*p == '#' || *p == ';' || (*p == '/' && p[1] == '/')) {
            ps->scan.p = to_end_of_line(ps, p);
        } else if (*p == '/' && p[1] == '*') {
            const char *close =
                memmem(p + 2, (size_t)(ps->scan.end - p) > 2 ? (size_t)(ps->scan.end - p) - 2 : 0, "*/", 2);
            if (!close) {
                ps->scan.p = ps->scan.end;
                ps->open_comment = true;
                scan_error(&ps->scan, scan_at(&ps->scan, p, 2), "open-comment", NULL, "this comment is not closed");
                return;
            }
            for (const char *q = p; q < close; q++)
                ps->line += *q == '\n';
            ps->scan.p = close + 2;
        } else {
            return;
        }
    }
}

int tgsi_target_of(const char *word, size_t length)
{
    /* The document's spelling of array targets, and one with the underscore that the others have. */
    static const struct {
        const char *name;
        uint8_t target;
    } others[] = {{"1DARRAY", TGSI_TEX_1D_ARRAY},
                  {"2DARRAY", TGSI_TEX_2D_ARRAY},
                  {"SHADOW1DARRAY", TGSI_TEX_SHADOW1D_ARRAY},
                  {"SHADOW2DARRAY", TGSI_TEX_SHADOW2D_ARRAY},
                  {"CUBE_ARRAY", TGSI_TEX_CUBE_ARRAY},
                  {"SHADOWCUBE_ARRAY", TGSI_TEX_SHADOWCUBE_ARRAY}};
    int target = scan_word_index(word, length, tgsi_target_names, TGSI_TEX_TARGETS);
    for (size_t i = 0; target < 0 && i < sizeof others / sizeof *others; i++)
        if (scan_word_is(word, length, others[i].name))
            target = others[i].target;
    return target;
}

int tgsi_format_of(const char *word, size_t length)
{
    if (length < 12 || !scan_word_is(word, 12, "PIPE_FORMAT_"))
        return -1;
    return scan_word_index(word, length, gallium_format_names, SIZE_MAX);
}

bool tgsi_parse_uint(struct tgsi_parser *ps, uint32_t most, const char *what, uint32_t *value)
{
    tgsi_parse_skip(ps);
    const char *p = ps->scan.p;
    if (!scan_is(*p, SCAN_DIGIT))
        return tgsi_expected(ps, what);
    uint64_t v = 0;
    for (; scan_is(*p, SCAN_DIGIT); p++)
        if (v <= most)
            v = v * 10 + (uint64_t)(*p - '0');
    if (v > most) {
        struct span where = {scan_offset(&ps->scan, ps->scan.p), (uint32_t)(p - ps->scan.p)};
        return scan_error(&ps->scan, where, "number-range", NULL, "%s must not be larger than %u", what, most);
    }
    ps->scan.last = ps->scan.p = p;
    *value = (uint32_t)v;
    return true;
}

bool tgsi_parse_mask(struct tgsi_parser *ps, uint8_t *mask)
{
    tgsi_parse_skip(ps);
    const char *start = ps->scan.p;
    size_t length = scan_word_length(start);
    unsigned set = 0;
    bool ordered = true;
    if (length == 1 && *start == '_') { /* nothing: no producer writes it, but tokens can say it */
        ps->scan.last = ps->scan.p = start + length;
        *mask = 0;
        return true;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned bit;
        switch (start[i] | 0x20) {
        case 'x':
        case 'r':
            bit = 1;
            break;
        case 'y':
        case 'g':
            bit = 2;
            break;
        case 'z':
        case 'b':
            bit = 4;
            break;
        case 'w':
        case 'a':
            bit = 8;
            break;
        default:
            return scan_error(&ps->scan, scan_at(&ps->scan, start, length), "write-mask", NULL,
                              "a write mask is made of the letters x, y, z and w");
        }
        if (set & bit)
            return scan_error(&ps->scan, scan_at(&ps->scan, start, length), "write-mask", NULL,
                              "a write mask names each component once");
        ordered = ordered && bit > set;
        set |= bit;
    }
    if (length == 0)
        return tgsi_expected(ps, "a write mask");
    if (!ordered) {
        char hint[32] = "did you mean '.";
        size_t n = strlen(hint);
        for (int i = 0; i < 4; i++)
            if (set & 1u << i)
                hint[n++] = "xyzw"[i];
        memcpy(hint + n, "'?", 3);
        return scan_error(&ps->scan, scan_at(&ps->scan, start, length), "write-mask", hint,
                          "the letters of a write mask are in the order xyzw");
    }
    ps->scan.last = ps->scan.p = start + length;
    *mask = (uint8_t)set;
    return true;
}

/* ---- PROPERTY ---- */

static int property_of(const char *word, size_t length)
{
    if (scan_word_is(word, length, "MUL_ZERO_WINS")) /* its name before Mesa 22.1 */
        return TGSI_LEGACY_MATH_RULES;
    return scan_word_index(word, length, tgsi_property_names, SIZE_MAX);
}

static size_t count_names(const char *const *names)
{
    size_t n = 0;
    while (names[n] != NULL)
        n++;
    return n;
}

static bool parse_property_value(struct tgsi_parser *ps, uint16_t name, uint32_t *value)
{
    const char *const *words = tgsi_property_words(name);
    tgsi_parse_skip(ps);
    if (words == NULL || scan_is(*ps->scan.p, SCAN_DIGIT))
        return tgsi_parse_uint(ps, UINT32_MAX, "a number", value);
    size_t length = scan_word_length(ps->scan.p);
    if (length == 0)
        return tgsi_expected(ps, "the property's value");
    int word = scan_word_index(ps->scan.p, length, words, SIZE_MAX);
    if (word < 0)
        return tgsi_unknown(ps, "property-value", "property value", ps->scan.p, length, words, count_names(words));
    *value = (uint32_t)word;
    ps->scan.last = ps->scan.p += length;
    return true;
}

static bool parse_property(struct tgsi_parser *ps, const char *start, struct tgsi_property *prop)
{
    tgsi_parse_skip(ps);
    size_t length = scan_word_length(ps->scan.p);
    if (length == 0)
        return tgsi_expected(ps, "the name of a property");
    int name = property_of(ps->scan.p, length);
    if (name < 0)
        return tgsi_unknown(ps, "unknown-property", "property", ps->scan.p, length, tgsi_property_names,
                            TGSI_PROPERTIES);
    ps->scan.last = ps->scan.p += length;
    prop->name = (uint16_t)name;
    do {
        if (prop->count == sizeof prop->value / sizeof *prop->value)
            return scan_error(&ps->scan, scan_span(&ps->scan, start), "property-value", NULL,
                              "a property has at most 8 values");
        if (!parse_property_value(ps, prop->name, &prop->value[prop->count]))
            return false;
        prop->count++;
    } while (tgsi_parse_take(ps, ','));
    prop->where = scan_span(&ps->scan, start);
    return true;
}

/* ---- the program ---- */

/* A zeroed slot at the end of one of the module's arrays, and its place in the order of the source. */
#define NEXT_SLOT(ps, array, count, cap)                                                                               \
    next_slot((ps), (void **)&(ps)->m->array, sizeof *(ps)->m->array, (ps)->m->count, &(ps)->cap)

static void *next_slot(struct tgsi_parser *ps, void **array, size_t size, size_t count, size_t *cap)
{
    void *grown = arena_grow(ps->scan.arena, *array, size, count, cap, count + 1);
    if (!grown)
        return NULL;
    *array = grown;
    return (char *)grown + count * size;
}

static void add_item(struct tgsi_parser *ps, enum tgsi_item_kind kind, uint32_t index)
{
    struct tgsi_item *item = NEXT_SLOT(ps, items, nitems, cap_items);
    if (item) {
        item->kind = (uint8_t)kind;
        item->index = index;
        ps->m->nitems++;
    }
}

/* One statement. A slot is kept only when the statement was right; a spoiled one is cleared for the next. */
#define STATEMENT(kind, array, count, cap, parse)                                                                      \
    do {                                                                                                               \
        struct isa_module *m = ps->m;                                                                                  \
        void *slot = NEXT_SLOT(ps, array, count, cap);                                                                 \
        if (!slot)                                                                                                     \
            return false;                                                                                              \
        if (!(parse)) {                                                                                                \
            memset(slot, 0, sizeof *m->array);                                                                         \
            return false;                                                                                              \
        }                                                                                                              \
        add_item(ps, kind, m->count++);                                                                                \
        return true;                                                                                                   \
    } while (0)

static bool parse_declaration_statement(struct tgsi_parser *ps, const char *start)
{
    STATEMENT(TGSI_ITEM_DECL, decls, ndecls, cap_decls, tgsi_parse_declaration(ps, start, slot));
}

static bool parse_immediate_statement(struct tgsi_parser *ps, const char *start)
{
    STATEMENT(TGSI_ITEM_IMM, imms, nimms, cap_imms, tgsi_parse_immediate(ps, start, slot));
}

static bool parse_property_statement(struct tgsi_parser *ps, const char *start)
{
    STATEMENT(TGSI_ITEM_PROPERTY, props, nprops, cap_props, parse_property(ps, start, slot));
}

static bool parse_instruction_statement(struct tgsi_parser *ps)
{
    STATEMENT(TGSI_ITEM_INSN, insns, ninsns, cap_insns, tgsi_parse_instruction(ps, slot));
}

static bool parse_statement(struct tgsi_parser *ps)
{
    const char *start = ps->scan.last = ps->scan.p;
    if (scan_is(*start, SCAN_DIGIT)) {
        /* A number before an instruction says nothing: branches count instructions. */
        const char *p = start;
        while (scan_is(*p, SCAN_DIGIT))
            p++;
        if (!scan_is(*p, SCAN_LETTER | SCAN_DIGIT)) {
            ps->scan.last = ps->scan.p = p;
            if (!tgsi_parse_take(ps, ':'))
                return tgsi_expected(ps, "':' after an instruction's number");
            tgsi_parse_skip(ps);
            if (scan_word_length(ps->scan.p) == 0)
                return tgsi_expected(ps, "an instruction after its number");
            return parse_instruction_statement(ps);
        }
    }
    size_t length = scan_word_length(start);
    if (length == 0)
        return tgsi_expected(ps, "a statement");
    if (length == 3 && scan_word_is(start, length, "DCL")) {
        ps->scan.last = ps->scan.p = start + length;
        return parse_declaration_statement(ps, start);
    }
    if (length == 3 && scan_word_is(start, length, "IMM")) {
        ps->scan.last = ps->scan.p = start + length;
        return parse_immediate_statement(ps, start);
    }
    if (length == 8 && scan_word_is(start, length, "PROPERTY")) {
        ps->scan.last = ps->scan.p = start + length;
        return parse_property_statement(ps, start);
    }
    return parse_instruction_statement(ps);
}

/* DCL, IMM, PROPERTY or a mnemonic, in any case. */
static bool is_statement_word(const char *word, size_t length)
{
    return scan_word_is(word, length, "DCL") || scan_word_is(word, length, "IMM") ||
           scan_word_is(word, length, "PROPERTY") || tgsi_find_opcode(word, length, NULL, NULL) >= 0;
}

bool tgsi_begins_statement(const char *word, size_t length)
{
    return length && *word >= 'A' && *word <= 'Z' && is_statement_word(word, length);
}

/* Whether a statement comes next, and not another line of a log: its first word, after a number, says so. */
static bool statement_is_next(const struct tgsi_parser *ps)
{
    const char *p = ps->scan.p;
    while (scan_is(*p, SCAN_DIGIT))
        p++;
    if (p != ps->scan.p && *p++ != ':')
        return false;
    while (*p == ' ' || *p == '\t')
        p++;
    return tgsi_begins_statement(p, scan_word_length(p));
}

/* In a log, what follows END or a subroutine and is not a statement does not belong to the program. */
static bool program_is_over(const struct tgsi_parser *ps)
{
    const struct isa_module *m = ps->m;
    if (!ps->log || !m->ninsns)
        return false;
    uint8_t last = tgsi_rows[m->insns[m->ninsns - 1].opcode].flow;
    return (last == TGSI_FLOW_END || last == TGSI_FLOW_ENDSUB) && !statement_is_next(ps);
}

/* After an error: to the next line that starts like a statement. */
static void recover(struct tgsi_parser *ps)
{
    do {
        ps->scan.p = to_end_of_line(ps, ps->scan.p);
        tgsi_parse_skip(ps);
    } while (ps->scan.p < ps->scan.end && !scan_is(*ps->scan.p, SCAN_LETTER | SCAN_DIGIT));
}

/* Dumps of 2008 have a version after the processor: FRAG1.1. Makes *length the length of both. */
static size_t length_without_version(const char *word, size_t *length)
{
    size_t bare = *length;
    if (bare > 1 && word[bare - 1] == '1' && word[bare] == '.' && scan_is(word[bare + 1], SCAN_DIGIT)) {
        bare--;
        *length += 2;
    }
    return bare;
}

/* The name of a processor, if it is next. */
static bool take_processor(struct tgsi_parser *ps)
{
    tgsi_parse_skip(ps);
    ps->scan.last = ps->scan.p;
    size_t length = scan_word_length(ps->scan.p);
    size_t bare = length_without_version(ps->scan.p, &length);
    int processor = scan_word_index(ps->scan.p, bare, tgsi_processor_names, TGSI_PROCESSORS);
    if (processor < 0)
        return false;
    ps->m->processor = (uint8_t)processor;
    ps->scan.last = ps->scan.p += length;
    return true;
}

/* Something else is first; the statements may hold more to report. */
static void report_no_processor(struct tgsi_parser *ps)
{
    static const char wanted[] = "a processor (FRAG, VERT, GEOM, TESS_CTRL, TESS_EVAL or COMP) first";
    size_t length = scan_word_length(ps->scan.p);
    length_without_version(ps->scan.p, &length);
    if (length > 0 && !scan_is(*ps->scan.p, SCAN_DIGIT) && !is_statement_word(ps->scan.p, length)) {
        tgsi_unknown(ps, "unknown-processor", "processor", ps->scan.p, length, tgsi_processor_names, TGSI_PROCESSORS);
        ps->scan.p += length;
    } else {
        tgsi_expected(ps, wanted);
    }
}

/* How many statements there may be, so that the arrays need not grow: lines, unless they are very short. */
static size_t estimate_statements(const char *text, size_t size)
{
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines < size / 16 + 8 ? lines : size / 16 + 8;
}

static bool reserve(struct tgsi_parser *ps, size_t statements)
{
    struct isa_module *m = ps->m;
    m->insns = ARENA_ARRAY(ps->scan.arena, struct tgsi_insn, statements);
    m->items = ARENA_ARRAY(ps->scan.arena, struct tgsi_item, statements);
    ps->cap_insns = ps->cap_items = statements;
    return m->insns != NULL && m->items != NULL;
}

static weft_status parse_statements(struct tgsi_parser *ps)
{
    for (;;) {
        tgsi_parse_skip(ps);
        if (ps->scan.p >= ps->scan.end || ps->open_comment || program_is_over(ps))
            break;
        if (parse_statement(ps))
            continue;
        if (arena_failed(ps->scan.arena))
            return WEFT_ERROR_MEMORY;
        if (ps->scan.errors >= SCAN_MAX_ERRORS)
            break;
        recover(ps);
    }
    if (arena_failed(ps->scan.arena))
        return WEFT_ERROR_MEMORY;
    return ps->scan.errors ? WEFT_ERROR_INPUT : WEFT_OK;
}

/* What to read of a text, and as what. */
struct request {
    struct tgsi_region region;
    const uint8_t *processor; /* NULL: the text names it first, as programs do; otherwise it may */
    bool named;               /* it does */
};

static uint32_t lines_before(const char *text, size_t size)
{
    uint32_t lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

static weft_status parse_copy(struct tgsi_parser *ps, struct request *request)
{
    request->named = take_processor(ps);
    if (!request->named && request->processor)
        ps->m->processor = *request->processor;
    else if (!request->named)
        report_no_processor(ps);
    return parse_statements(ps);
}

/* Parse a copy of the text that ends in zero bytes where the program does. */
static weft_status parse_text(const struct source *src, struct request *request, struct arena *arena,
                              struct isa_module **out, weft_diags *diags)
{
    struct arena scratch = {0};
    const struct tgsi_region *region = &request->region;
    size_t size = region->end - region->begin;
    char *copy = arena_alloc(&scratch, region->end + SCAN_PADDING);
    struct tgsi_parser ps = {.scan = {.src = src, .arena = arena, .diags = diags}, .log = region->log};
    weft_status status = WEFT_ERROR_MEMORY;
    ps.m = ARENA_NEW(arena, struct isa_module);
    if (copy && ps.m && reserve(&ps, estimate_statements(src->text + region->begin, size))) {
        if (region->end > 0)
            memcpy(copy, src->text, region->end);
        ps.line = 1 + lines_before(src->text, region->begin);
        ps.scan.begin = copy;
        ps.scan.p = ps.scan.last = copy + region->begin;
        ps.scan.end = copy + region->end;
        *out = ps.m;
        status = parse_copy(&ps, request);
    }
    arena_free(&scratch);
    return status;
}

static bool too_large(const struct source *src, weft_diags *diags)
{
    if (src->size < UINT32_MAX - SCAN_PADDING)
        return false;
    diag_add(diags, WEFT_ERROR, "too-large", src->name, NULL, "a program must be smaller than 4 GiB");
    return true;
}

weft_status tgsi_parse(const struct source *src, const struct isa_params *params, struct arena *arena,
                       struct isa_module **out, weft_diags *diags)
{
    struct request request = {.processor = NULL}; /* a program says its own stage, and there are no chips */
    *out = NULL;
    if (too_large(src, diags))
        return WEFT_ERROR_INPUT;
    if (!tgsi_find_program(src, params->program, &request.region)) {
        uint32_t n = tgsi_programs(src);
        diag_add(diags, WEFT_ERROR, "no-program", src->name, NULL, "there is no program %u: the text holds %u",
                 params->program + 1, n);
        return WEFT_ERROR_INPUT;
    }
    return parse_text(src, &request, arena, out, diags);
}

weft_status tgsi_parse_line(const struct source *line, uint8_t processor, bool *headed, struct arena *arena,
                            struct isa_module **out, weft_diags *diags)
{
    struct request request = {.region = {.end = line->size}, .processor = &processor};
    *out = NULL;
    if (too_large(line, diags))
        return WEFT_ERROR_INPUT;
    weft_status status = parse_text(line, &request, arena, out, diags);
    *headed = request.named;
    return status;
}
