/* directive.c - directives of the assembler, with GNU's meanings; .word has 16 bits. */
#include "isa/vpu/asm.h"

#include "base/decimal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- data ---- */

static bool count_bytes(struct vpu_asm *a, const char *from, uint64_t more)
{
    a->bytes += more;
    return a->bytes <= ASM_MAX_BYTES ||
           asm_error(a, from, "too-large", NULL, "a program of more than %d bytes", ASM_MAX_BYTES);
}

static bool append_bytes(struct vpu_asm *a, const char *from, const uint8_t *bytes, size_t size)
{
    struct vpu_insn data = {
        .op = VPU_DATA, .form = VPU_NO_FORM, .cond = VPU_ALWAYS, .bytes = bytes, .size = (uint32_t)size};
    struct asm_section *s = &a->section[a->current];
    if (s->out.nobits)
        return asm_error(a, from, "section", NULL, "section '%s' holds no bytes", s->out.name);
    if (!a->included)
        data.where = scan_span(&a->scan, from);
    return size == 0 || (count_bytes(a, from, size) && asm_append(a, &data));
}

static void put_value(uint8_t *bytes, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static bool in_range(int64_t value, unsigned width)
{
    return width == 8 || (value >= -(INT64_C(1) << (8 * width - 1)) && value < INT64_C(1) << 8 * width);
}

/* Numbers of `width` bytes with commas between them. */
static bool read_numbers(struct vpu_asm *a, const char *from, unsigned width)
{
    size_t size = 0, capacity = 0;
    uint8_t *bytes = NULL;
    if (asm_at_end(a))
        return true;
    do {
        scan_blanks(&a->scan);
        const char *start = a->scan.p;
        const struct asm_expr *e = asm_expression(a);
        void *grown = e ? arena_grow(a->arena, bytes, 1, size, &capacity, size + width) : NULL;
        if (!grown)
            return e ? asm_no_memory(a) : false;
        bytes = grown;
        if (asm_is_number(e) && !in_range(e->value, width))
            return asm_error(a, start, "range", NULL, "%lld does not fit %u bits", (long long)e->value, 8 * width);
        put_value(bytes + size, width, asm_is_number(e) ? (uint64_t)e->value : 0);
        struct asm_fixup fixup = {.index = (uint32_t)a->section[a->current].count,
                                  .expr = e,
                                  .role = ASM_DATA,
                                  .width = (uint8_t)width,
                                  .offset = (uint32_t)size,
                                  .where = scan_span(&a->scan, start)};
        if (!asm_is_number(e) && !asm_add_fixup(a, &fixup))
            return false;
        size += width;
    } while (scan_take(&a->scan, ','));
    return append_bytes(a, from, bytes, size);
}

/* .float: binary32, decimal numbers with commas between them. */
static bool read_floats(struct vpu_asm *a, const char *from)
{
    size_t size = 0, capacity = 0;
    uint8_t *bytes = NULL;
    do {
        uint32_t bits;
        bool negative = scan_take(&a->scan, '-');
        scan_blanks(&a->scan);
        size_t length = decimal_to_f32(a->scan.p, &bits);
        if (length == 0)
            return scan_expected(&a->scan, "a decimal number");
        bits |= negative ? 0x80000000u : 0;
        a->scan.last = a->scan.p += length;
        uint8_t *grown = arena_grow(a->arena, bytes, 1, size, &capacity, size + 4);
        if (!grown)
            return asm_no_memory(a);
        bytes = grown;
        put_value(bytes + size, 4, bits);
        size += 4;
    } while (scan_take(&a->scan, ','));
    return append_bytes(a, from, bytes, size);
}

/* .fill count[,size[,value]]: a value of at most 8 bytes, so many times. */
static bool read_fill(struct vpu_asm *a, const char *from)
{
    int64_t count, size = 1, value = 0;
    if (!asm_constant(a, 0, ASM_MAX_BYTES / 8, "how many", &count) ||
        (scan_take(&a->scan, ',') && !asm_constant(a, 0, 8, "how many bytes", &size)) ||
        (scan_take(&a->scan, ',') && !asm_constant(a, INT32_MIN, UINT32_MAX, "the value to fill with", &value)))
        return false;
    size_t all = (size_t)count * (size_t)size;
    uint8_t *bytes = count_bytes(a, from, 0) ? arena_alloc(a->arena, all + 1) : NULL;
    if (!bytes)
        return asm_no_memory(a);
    for (size_t at = 0; size && at < all; at += (size_t)size)
        put_value(bytes + at, (unsigned)size, (uint32_t)value); /* only the low 4 bytes of it count */
    return append_bytes(a, from, bytes, all);
}

static int hex_digit(char c)
{
    return scan_is(c, SCAN_HEX) ? (c <= '9' ? c - '0' : (c | 32) - 'a' + 10) : -1;
}

/* The character behind a backslash. */
static uint8_t read_escape(struct vpu_asm *a)
{
    static const char letters[] = "nrtbf0", values[] = "\n\r\t\b\f";
    char c = *a->scan.p++;
    unsigned value = 0;
    if (c >= '0' && c <= '7') {
        value = (unsigned)(c - '0');
        for (int i = 0; i < 2 && *a->scan.p >= '0' && *a->scan.p <= '7'; i++)
            value = value * 8 + (unsigned)(*a->scan.p++ - '0');
        return (uint8_t)value;
    }
    if (c == 'x') {
        while (hex_digit(*a->scan.p) >= 0)
            value = value * 16 + (unsigned)hex_digit(*a->scan.p++);
        return (uint8_t)value;
    }
    const char *at = c ? strchr(letters, c) : NULL;
    return (uint8_t)(at ? values[at - letters] : c);
}

/* A string in quotes, into the arena. */
static bool read_string(struct vpu_asm *a, uint8_t **out, size_t *size)
{
    if (!scan_take(&a->scan, '"'))
        return scan_expected(&a->scan, "a string in quotes");
    const char *from = a->scan.p - 1, *close = from + 1;
    while (close < a->scan.end && *close != '"' && *close != '\n')
        close += *close == '\\' && close + 1 < a->scan.end && close[1] != '\n' ? 2 : 1;
    if (close >= a->scan.end || *close != '"')
        return asm_error(a, from, "syntax", NULL, "this string is not closed");
    uint8_t *bytes = arena_alloc(a->arena, (size_t)(close - from) + 1);
    if (!bytes)
        return asm_no_memory(a);
    *size = 0;
    while (a->scan.p < close) {
        uint8_t c = (uint8_t)*a->scan.p++;
        bytes[(*size)++] = c == '\\' ? read_escape(a) : c;
    }
    a->scan.last = a->scan.p = close + 1;
    *out = bytes;
    return true;
}

static bool read_strings(struct vpu_asm *a, const char *from, bool terminated)
{
    do {
        uint8_t *bytes;
        size_t size;
        if (!read_string(a, &bytes, &size)) /* has room for one byte more */
            return false;
        if (!append_bytes(a, from, bytes, size + terminated))
            return false;
    } while (scan_take(&a->scan, ','));
    return true;
}

/* ---- places ---- */

/* A stretch whose size depends on `expr`. */
static bool append_stretch(struct vpu_asm *a, const char *from, const struct asm_expr *e, enum asm_role role,
                           uint8_t fill)
{
    struct vpu_insn insn = {.op = VPU_FILL, .form = VPU_NO_FORM, .cond = VPU_ALWAYS, .imm = fill};
    struct asm_fixup fixup = {.index = (uint32_t)a->section[a->current].count,
                              .expr = e,
                              .role = (uint8_t)role,
                              .where = scan_span(&a->scan, from)};
    if (!a->included)
        insn.where = fixup.where;
    return asm_add_fixup(a, &fixup) && asm_append(a, &insn);
}

static bool append_number(struct vpu_asm *a, const char *from, int64_t value, enum asm_role role)
{
    struct asm_expr *e = ARENA_NEW(a->arena, struct asm_expr);
    if (!e)
        return asm_no_memory(a);
    *e = (struct asm_expr){.op = '0', .value = value};
    return append_stretch(a, from, e, role, 0);
}

static bool read_fill_byte(struct vpu_asm *a, uint8_t *fill)
{
    int64_t value = 0;
    *fill = 0;
    if (!scan_take(&a->scan, ','))
        return true;
    scan_blanks(&a->scan);
    if (*a->scan.p != ',' && !asm_constant(a, -128, 255, "the byte to fill with", &value))
        return false;
    *fill = (uint8_t)value;
    return true;
}

/* .align n, .p2align n: to 2^n; .balign n: to n. */
static bool read_align(struct vpu_asm *a, const char *from, bool power)
{
    int64_t n = 2;
    uint8_t fill = 0;
    if (!asm_at_end(a) && !asm_constant(a, power ? 0 : 1, power ? 20 : 1 << 20, "an alignment", &n))
        return false;
    int64_t most;
    if (!read_fill_byte(a, &fill))
        return false;
    if (scan_take(&a->scan, ',') && !asm_constant(a, 0, 1 << 20, "the most bytes to skip", &most))
        return false;
    int64_t bytes = power ? INT64_C(1) << n : n;
    if (bytes & (bytes - 1))
        return asm_error(a, from, "range", NULL, "an alignment is a power of two");
    struct vpu_section *s = &a->section[a->current].out;
    if (s->align < (uint32_t)bytes)
        s->align = (uint32_t)bytes;
    struct asm_expr *e = ARENA_NEW(a->arena, struct asm_expr);
    if (!e)
        return asm_no_memory(a);
    *e = (struct asm_expr){.op = '0', .value = bytes};
    return append_stretch(a, from, e, ASM_ALIGN, fill);
}

static bool read_stretch(struct vpu_asm *a, const char *from, enum asm_role role)
{
    uint8_t fill;
    const struct asm_expr *e = asm_expression(a);
    return e && read_fill_byte(a, &fill) && append_stretch(a, from, e, role, fill);
}

/* ---- sections and symbols ---- */

static bool enter_section(struct vpu_asm *a, const char *name, size_t length)
{
    uint32_t from = a->current;
    bool entered = asm_enter_section(a, name, length);
    if (entered && a->current != from)
        a->previous = from;
    return entered;
}

static bool enter_previous(struct vpu_asm *a)
{
    uint32_t from = a->current;
    a->current = a->previous;
    a->previous = from;
    return true;
}

/* The name of a section may hold a minus: .note.GNU-stack. */
static size_t section_name(struct vpu_asm *a, const char **name)
{
    size_t length = asm_name(a, name);
    while (length && *a->scan.p == '-') {
        const char *rest;
        a->scan.p++;
        asm_name(a, &rest);
        length = (size_t)(a->scan.p - *name);
    }
    a->scan.last = a->scan.p;
    return length;
}

/* .section name[,"flags"[,@type[,entry size]]] */
static bool read_section(struct vpu_asm *a)
{
    const char *name;
    uint8_t *flags;
    size_t length = section_name(a, &name), size;
    int64_t entry;
    if (length == 0)
        return scan_expected(&a->scan, "the name of a section");
    if (!enter_section(a, name, length))
        return false;
    struct vpu_section *s = &a->section[a->current].out;
    if (!scan_take(&a->scan, ','))
        return true;
    if (!read_string(a, &flags, &size))
        return false;
    s->code = memchr(flags, 'x', size) != NULL;
    s->writable = memchr(flags, 'w', size) != NULL;
    if (!scan_take(&a->scan, ','))
        return true;
    if (!scan_take(&a->scan, '@') && !scan_take(&a->scan, '%'))
        return scan_expected(&a->scan, "@progbits or @nobits");
    length = asm_name(a, &name);
    s->nobits = scan_word_is(name, length, "nobits");
    if (!s->nobits && !scan_word_is(name, length, "progbits"))
        return asm_error(a, name, "section", NULL, "a section is @progbits or @nobits");
    return !scan_take(&a->scan, ',') || asm_constant(a, 1, 1 << 20, "the size of an entry", &entry);
}

static struct asm_symbol *read_symbol(struct vpu_asm *a)
{
    const char *name;
    size_t length = asm_name(a, &name);
    if (length == 0) {
        scan_expected(&a->scan, "a symbol");
        return NULL;
    }
    return asm_symbol(a, name, length);
}

/* .comm name,size[,alignment]: a label in .bss. */
static bool read_common(struct vpu_asm *a, const char *from)
{
    uint32_t here = a->current;
    int64_t size, alignment = 4;
    const char *name;
    size_t length = asm_name(a, &name);
    if (length == 0)
        return scan_expected(&a->scan, "a symbol");
    if (!asm_expect(a, ',', "','") || !asm_constant(a, 0, ASM_MAX_BYTES, "a size", &size) ||
        (scan_take(&a->scan, ',') && !asm_constant(a, 1, 1 << 20, "an alignment", &alignment)))
        return false;
    if (alignment & (alignment - 1))
        return asm_error(a, from, "range", NULL, "an alignment is a power of two");
    struct asm_symbol *s = asm_symbol(a, name, length);
    bool fine = s && asm_enter_section(a, ".bss", 4) && append_number(a, from, alignment, ASM_ALIGN) &&
                asm_define_label(a, s, name) && append_number(a, from, size, ASM_SPACE);
    struct vpu_section *bss = &a->section[a->current].out;
    if (fine && bss->align < (uint32_t)alignment)
        bss->align = (uint32_t)alignment;
    a->current = here;
    return fine;
}

static bool read_globals(struct vpu_asm *a)
{
    do {
        struct asm_symbol *s = read_symbol(a);
        if (!s)
            return false;
        s->global = true;
    } while (scan_take(&a->scan, ','));
    return true;
}

bool asm_equ(struct vpu_asm *a, const char *name, size_t length)
{
    struct asm_symbol *s = asm_symbol(a, name, length);
    const struct asm_expr *e = s ? asm_expression(a) : NULL;
    int64_t value;
    if (!e)
        return false;
    if (s->defined && !s->value)
        return asm_error(a, name, "symbol", NULL, "'%s' is a label", s->name);
    /* What is known already is kept as a number: a symbol may be set again, from its old value too. */
    if (!asm_is_number(e) && asm_evaluate(a, e, &value)) {
        struct asm_expr *known = ARENA_NEW(a->arena, struct asm_expr);
        if (!known)
            return asm_no_memory(a);
        *known = (struct asm_expr){.op = '0', .value = value};
        e = known;
    }
    s->value = e;
    s->defined = true;
    s->known = false;
    return true;
}

static bool read_equ(struct vpu_asm *a)
{
    const char *name;
    size_t length = asm_name(a, &name);
    if (length == 0)
        return scan_expected(&a->scan, "a symbol");
    return asm_expect(a, ',', "','") && asm_equ(a, name, length);
}

/* .type name,@function */
static bool read_type(struct vpu_asm *a)
{
    const char *kind;
    struct asm_symbol *s = read_symbol(a);
    if (!s || !asm_expect(a, ',', "','"))
        return false;
    if (!scan_take(&a->scan, '@') && !scan_take(&a->scan, '%'))
        return scan_expected(&a->scan, "@function or @object");
    size_t length = asm_name(a, &kind);
    s->function = scan_word_is(kind, length, "function");
    return true;
}

/* .size name,expression: labels say it better. */
static bool read_size(struct vpu_asm *a)
{
    return read_symbol(a) && asm_expect(a, ',', "','") && asm_expression(a);
}

/* .error "what is wrong" */
static bool raise_error(struct vpu_asm *a, const char *from)
{
    uint8_t *message;
    size_t size;
    return read_string(a, &message, &size) && asm_error(a, from, "user", NULL, "%.*s", (int)size, (char *)message);
}

/* What compilers write and nothing depends on: to the end of the line. */
static bool skip_line(struct vpu_asm *a)
{
    while (!scan_at_line_end(&a->scan))
        a->scan.p++;
    return true;
}

/* ---- switch tables ---- */

/* .case label: the distance in halfwords from the instruction behind the switch. */
static bool read_case(struct vpu_asm *a, const char *from)
{
    const struct asm_expr *to = asm_expression(a);
    struct asm_expr *base = ARENA_NEW(a->arena, struct asm_expr), *distance = ARENA_NEW(a->arena, struct asm_expr);
    uint8_t *bytes = arena_alloc(a->arena, 2);
    if (!to)
        return false;
    if (!base || !distance || !bytes)
        return asm_no_memory(a);
    if (!a->table)
        return asm_error(a, from, "syntax", NULL, ".case stands behind tbb, tbh or switch");
    *base = (struct asm_expr){.op = 's', .symbol = a->table};
    *distance = (struct asm_expr){.op = '-', .left = to, .right = base};
    struct asm_fixup fixup = {.index = (uint32_t)a->section[a->current].count,
                              .expr = distance,
                              .role = ASM_CASE,
                              .width = (uint8_t)a->case_width,
                              .where = scan_span(&a->scan, from)};
    if (!asm_add_fixup(a, &fixup) || !append_bytes(a, from, bytes, a->case_width))
        return false;
    struct asm_section *s = &a->section[a->current];
    s->insn[s->count - 1].flags = VPU_CASE;
    return true;
}

static bool end_switch(struct vpu_asm *a, const char *from)
{
    a->table = NULL;
    return append_number(a, from, 2, ASM_ALIGN);
}

/* ---- files ---- */

/* A path relative to the file that names it. */
static char *resolve(struct vpu_asm *a, const char *path, size_t size)
{
    const char *name = a->scan.src->name, *slash = name ? strrchr(name, '/') : NULL;
    if (size && path[0] == '/')
        return arena_strndup(a->arena, path, size);
    int folder = slash && slash - name < 4000 ? (int)(slash - name + 1) : 0;
    return arena_printf(a->arena, "%.*s%.*s", folder, folder ? name : "", (int)(size < 4000 ? size : 4000), path);
}

/* The contents of a regular file, into the arena. */
static bool read_file(struct vpu_asm *a, const char *from, const char *path, uint8_t **out, size_t *size)
{
    struct stat st;
    FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    if (!f)
        return asm_error(a, from, "file", NULL, "cannot read '%.200s'", path);
    size_t most = (size_t)st.st_size;
    bool fine = most <= ASM_MAX_BYTES && (*out = arena_alloc(a->arena, most + 1)) != NULL;
    *size = fine ? fread(*out, 1, most, f) : 0;
    fclose(f);
    if (!fine && most > ASM_MAX_BYTES)
        return asm_error(a, from, "too-large", NULL, "'%.200s' has more than %d bytes", path, ASM_MAX_BYTES);
    return fine || asm_no_memory(a);
}

static bool open_named(struct vpu_asm *a, const char *from, char **path, uint8_t **bytes, size_t *size)
{
    uint8_t *name;
    size_t length;
    if (!read_string(a, &name, &length))
        return false;
    *path = resolve(a, (const char *)name, length);
    return *path ? read_file(a, from, *path, bytes, size) : asm_no_memory(a);
}

static bool include(struct vpu_asm *a, const char *from)
{
    char *path;
    uint8_t *bytes;
    size_t size;
    if (a->includes == ASM_MAX_INCLUDES)
        return asm_error(a, from, "include", NULL, "files include one another more than %d deep", ASM_MAX_INCLUDES);
    if (!open_named(a, from, &path, &bytes, &size) || !count_bytes(a, from, size))
        return false;
    struct source *src = ARENA_NEW(a->arena, struct source);
    if (!src)
        return asm_no_memory(a);
    *src = (struct source){path, (const char *)bytes, size};
    bool outer = a->included;
    a->includes++;
    a->included = true;
    asm_read(a, src);
    a->included = outer;
    a->includes--;
    return !a->failed;
}

static bool include_bytes(struct vpu_asm *a, const char *from)
{
    char *path;
    uint8_t *bytes;
    size_t size;
    return open_named(a, from, &path, &bytes, &size) && append_bytes(a, from, bytes, size);
}

/* ---- the table ---- */

enum directive {
    D_BYTE,
    D_SHORT,
    D_LONG,
    D_QUAD,
    D_FLOAT,
    D_ASCII,
    D_ASCIZ,
    D_ALIGN,
    D_BALIGN,
    D_ORG,
    D_SPACE,
    D_FILL,
    D_COMMON,
    D_SECTION,
    D_PREVIOUS,
    D_NAMED_SECTION,
    D_GLOBAL,
    D_EQU,
    D_TYPE,
    D_SIZE,
    D_IGNORED,
    D_CASE,
    D_ENDSWITCH,
    D_INCLUDE,
    D_INCBIN,
    D_END,
    D_MACRO,
    D_PURGEM,
    D_EXITM,
    D_REPT,
    D_IRP,
    D_IRPC,
    D_CLOSING,
    D_CONDITION,
    D_ERROR
};

static const struct {
    const char *name;
    uint8_t directive;
} directives[] = {
    {".byte", D_BYTE},
    {".short", D_SHORT},
    {".hword", D_SHORT},
    {".half", D_SHORT},
    {".word", D_SHORT},
    {".2byte", D_SHORT},
    {".long", D_LONG},
    {".int", D_LONG},
    {".4byte", D_LONG},
    {".quad", D_QUAD},
    {".8byte", D_QUAD},
    {".float", D_FLOAT},
    {".single", D_FLOAT},
    {".ascii", D_ASCII},
    {".asciz", D_ASCIZ},
    {".string", D_ASCIZ},
    {".align", D_ALIGN},
    {".p2align", D_ALIGN},
    {".balign", D_BALIGN},
    {".org", D_ORG},
    {".space", D_SPACE},
    {".skip", D_SPACE},
    {".zero", D_SPACE},
    {".fill", D_FILL},
    {".comm", D_COMMON},
    {".lcomm", D_COMMON},
    {".section", D_SECTION},
    {".previous", D_PREVIOUS},
    {".text", D_NAMED_SECTION},
    {".data", D_NAMED_SECTION},
    {".bss", D_NAMED_SECTION},
    {".rodata", D_NAMED_SECTION},
    {".global", D_GLOBAL},
    {".globl", D_GLOBAL},
    {".equ", D_EQU},
    {".set", D_EQU},
    {".equiv", D_EQU},
    {".type", D_TYPE},
    {".size", D_SIZE},
    {".case", D_CASE},
    {".endswitch", D_ENDSWITCH},
    {".include", D_INCLUDE},
    {".incbin", D_INCBIN},
    {".file", D_IGNORED},
    {".ident", D_IGNORED},
    {".local", D_IGNORED},
    {".weak", D_IGNORED},
    {".end", D_END},
    {".macro", D_MACRO},
    {".purgem", D_PURGEM},
    {".exitm", D_EXITM},
    {".endm", D_CLOSING},
    {".endmacro", D_CLOSING},
    {".rept", D_REPT},
    {".irp", D_IRP},
    {".irpc", D_IRPC},
    {".endr", D_CLOSING},
    {".if", D_CONDITION},
    {".ifne", D_CONDITION},
    {".ifeq", D_CONDITION},
    {".ifgt", D_CONDITION},
    {".ifge", D_CONDITION},
    {".iflt", D_CONDITION},
    {".ifle", D_CONDITION},
    {".ifdef", D_CONDITION},
    {".ifndef", D_CONDITION},
    {".ifnotdef", D_CONDITION},
    {".ifb", D_CONDITION},
    {".ifnb", D_CONDITION},
    {".ifc", D_CONDITION},
    {".ifnc", D_CONDITION},
    {".elseif", D_CONDITION},
    {".else", D_CONDITION},
    {".endif", D_CONDITION},
    {".error", D_ERROR},
};
enum { NDIRECTIVES = sizeof directives / sizeof directives[0] };

static bool unknown_directive(struct vpu_asm *a, const char *name, size_t length)
{
    const char *names[NDIRECTIVES];
    for (size_t i = 0; i < NDIRECTIVES; i++)
        names[i] = directives[i].name;
    return scan_unknown(&a->scan, "unknown-directive", "directive", name, length, names, NDIRECTIVES);
}

bool asm_directive(struct vpu_asm *a, const char *name, size_t length)
{
    size_t i = 0;
    while (i < NDIRECTIVES && !scan_word_is(name, length, directives[i].name))
        i++;
    if (i == NDIRECTIVES)
        return unknown_directive(a, name, length);
    switch ((enum directive)directives[i].directive) {
    case D_BYTE:
    case D_SHORT:
    case D_LONG:
    case D_QUAD:
        return read_numbers(a, name, 1u << (directives[i].directive - D_BYTE));
    case D_FLOAT:
        return read_floats(a, name);
    case D_FILL:
        return read_fill(a, name);
    case D_COMMON:
        return read_common(a, name);
    case D_PREVIOUS:
        return enter_previous(a);
    case D_END:
        a->scan.p = a->scan.end;
        return true;
    case D_ASCII:
    case D_ASCIZ:
        return read_strings(a, name, directives[i].directive == D_ASCIZ);
    case D_ALIGN:
    case D_BALIGN:
        return read_align(a, name, directives[i].directive == D_ALIGN);
    case D_ORG:
        return read_stretch(a, name, ASM_ORG);
    case D_SPACE:
        return read_stretch(a, name, ASM_SPACE);
    case D_SECTION:
        return read_section(a);
    case D_NAMED_SECTION:
        return enter_section(a, directives[i].name, strlen(directives[i].name));
    case D_GLOBAL:
        return read_globals(a);
    case D_EQU:
        return read_equ(a);
    case D_TYPE:
        return read_type(a);
    case D_SIZE:
        return read_size(a);
    case D_CASE:
        return read_case(a, name);
    case D_ENDSWITCH:
        return end_switch(a, name);
    case D_INCLUDE:
        return include(a, name);
    case D_INCBIN:
        return include_bytes(a, name);
    case D_MACRO:
        return asm_define_macro(a, name);
    case D_PURGEM:
        return asm_forget_macro(a);
    case D_EXITM:
        return asm_leave(a, name);
    case D_REPT:
        return asm_repeat(a, name);
    case D_IRP:
    case D_IRPC:
        return asm_repeat_for(a, name, directives[i].directive == D_IRPC);
    case D_CLOSING:
        return asm_error(a, name, "block", NULL, "%.*s closes nothing", (int)length, name);
    case D_CONDITION:
        return asm_condition(a, name, length);
    case D_ERROR:
        return raise_error(a, name);
    case D_IGNORED:
        return skip_line(a);
    }
    return false;
}
