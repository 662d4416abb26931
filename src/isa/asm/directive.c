/* directive.c - directives of the assembler, with GNU's meanings: places, sections and symbols, and the table of them
 * all. */
#include "isa/asm/asm.h"
#include "isa/linkage.h"

#include <string.h>

/* ---- places ---- */

bool asm_append_stretch(struct asm_state *a, const char *from, const struct asm_expr *e, enum asm_role role,
                        uint8_t fill)
{
    struct asm_fixup fixup = {.expr = e, .role = (uint8_t)role, .where = scan_span(&a->scan, from)};
    void *item = e && asm_add_fixup(a, &fixup) ? asm_append(a) : NULL;
    if (item)
        a->isa->make_fill(item, fill, a->included ? (struct span){0} : fixup.where);
    return item != NULL;
}

static bool append_number(struct asm_state *a, const char *from, int64_t value, enum asm_role role)
{
    return asm_append_stretch(a, from, asm_number(a, value), role, 0);
}

static bool read_fill_byte(struct asm_state *a, uint8_t *fill)
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
static bool read_align(struct asm_state *a, const struct asm_call *call)
{
    unsigned power = call->argument;
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
        return asm_error(a, call->from, "out-of-range", NULL, "an alignment is a power of two");
    struct asm_section *s = &a->section[a->current];
    if (s->align < (uint32_t)bytes)
        s->align = (uint32_t)bytes;
    return asm_append_stretch(a, call->from, asm_number(a, bytes), ASM_ALIGN, fill);
}

static bool read_stretch(struct asm_state *a, const struct asm_call *call)
{
    uint8_t fill;
    const struct asm_expr *e = asm_expression(a);
    return e && read_fill_byte(a, &fill) && asm_append_stretch(a, call->from, e, (enum asm_role)call->argument, fill);
}

/* ---- sections and symbols ---- */

static bool enter_section(struct asm_state *a, const char *name, size_t length)
{
    uint32_t from = a->current;
    bool entered = asm_enter_section(a, name, length);
    if (entered && a->current != from)
        a->previous = from;
    return entered;
}

/* .text and the like: the directive is the name. */
static bool read_named_section(struct asm_state *a, const struct asm_call *call)
{
    char lower[16];
    for (size_t i = 0; i < call->length && i < sizeof lower; i++)
        lower[i] = (char)(call->from[i] >= 'A' && call->from[i] <= 'Z' ? call->from[i] | 32 : call->from[i]);
    return enter_section(a, lower, call->length);
}

static bool enter_previous(struct asm_state *a, const struct asm_call *call)
{
    (void)call;
    uint32_t from = a->current;
    a->current = a->previous;
    a->previous = from;
    return true;
}

/* The name of a section may hold a minus, and be in quotes: ".note.GNU-stack". 0: none. */
static size_t section_name(struct asm_state *a, const char **name)
{
    bool quoted = scan_take(&a->scan, '"');
    size_t length = asm_name(a, name);
    while (length && *a->scan.p == '-') {
        const char *rest;
        a->scan.p++;
        asm_name(a, &rest);
        length = (size_t)(a->scan.p - *name);
    }
    a->scan.last = a->scan.p;
    return quoted && length && !scan_take(&a->scan, '"') ? 0 : length;
}

/* .section name[,"flags"[,@type[,entry size]]] */
static bool read_section(struct asm_state *a, const struct asm_call *call)
{
    (void)call;
    const char *name;
    uint8_t *flags;
    size_t length = section_name(a, &name), size;
    int64_t entry;
    if (length == 0)
        return scan_expected(&a->scan, "the name of a section");
    if (!enter_section(a, name, length))
        return false;
    struct asm_section *s = &a->section[a->current];
    if (!scan_take(&a->scan, ','))
        return true;
    if (!asm_read_string(a, &flags, &size))
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

static struct asm_symbol *read_symbol(struct asm_state *a)
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
static bool read_common(struct asm_state *a, const struct asm_call *call)
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
        return asm_error(a, call->from, "out-of-range", NULL, "an alignment is a power of two");
    struct asm_symbol *s = asm_symbol(a, name, length);
    bool fine = s && asm_enter_section(a, ".bss", 4) && append_number(a, call->from, alignment, ASM_ALIGN) &&
                asm_define_label(a, s, name) && append_number(a, call->from, size, ASM_SPACE);
    struct asm_section *bss = &a->section[a->current];
    if (fine && bss->align < (uint32_t)alignment)
        bss->align = (uint32_t)alignment;
    a->current = here;
    return fine;
}

static bool read_globals(struct asm_state *a, const struct asm_call *call)
{
    (void)call;
    do {
        struct asm_symbol *s = read_symbol(a);
        if (!s)
            return false;
        s->global = true;
    } while (scan_take(&a->scan, ','));
    return true;
}

bool asm_read_equ(struct asm_state *a, const struct asm_call *call)
{
    (void)call;
    const char *name;
    size_t length = asm_name(a, &name);
    if (length == 0)
        return scan_expected(&a->scan, "a symbol");
    return asm_expect(a, ',', "','") && asm_equ(a, name, length);
}

/* .type name,@function */
static bool read_type(struct asm_state *a, const struct asm_call *call)
{
    (void)call;
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
static bool read_size(struct asm_state *a, const struct asm_call *call)
{
    (void)call;
    return read_symbol(a) && asm_expect(a, ',', "','") && asm_expression(a);
}

/* .error "what is wrong" */
static bool raise_error(struct asm_state *a, const struct asm_call *call)
{
    uint8_t *message;
    size_t size;
    return asm_read_string(a, &message, &size) &&
           asm_error(a, call->from, "user", NULL, "%.*s", (int)size, (char *)message);
}

/* What compilers write and nothing depends on: to the end of the line. */
static bool skip_line(struct asm_state *a, const struct asm_call *call)
{
    (void)call;
    while (!scan_at_line_end(&a->scan))
        a->scan.p++;
    return true;
}

/* The rest of the source is not read. */
static bool end_source(struct asm_state *a, const struct asm_call *call)
{
    (void)call;
    a->scan.p = a->scan.end;
    return true;
}

static bool close_nothing(struct asm_state *a, const struct asm_call *call)
{
    return asm_error(a, call->from, "block", NULL, "%.*s closes a block that was not opened", (int)call->length,
                     call->from);
}

/* ---- the table ---- */

static const struct asm_directive directives[] = {
    {".byte", asm_read_numbers, 1},
    {".short", asm_read_numbers, 2},
    {".hword", asm_read_numbers, 2},
    {".half", asm_read_numbers, 2},
    {".2byte", asm_read_numbers, 2},
    {".long", asm_read_numbers, 4},
    {".int", asm_read_numbers, 4},
    {".4byte", asm_read_numbers, 4},
    {".quad", asm_read_numbers, 8},
    {".8byte", asm_read_numbers, 8},
    {".float", asm_read_floats, 0},
    {".single", asm_read_floats, 0},
    {".ascii", asm_read_strings, 0},
    {".asciz", asm_read_strings, 1},
    {".string", asm_read_strings, 1},
    {".align", read_align, 1},
    {".p2align", read_align, 1},
    {".balign", read_align, 0},
    {".org", read_stretch, ASM_ORG},
    {".space", read_stretch, ASM_SPACE},
    {".skip", read_stretch, ASM_SPACE},
    {".zero", read_stretch, ASM_SPACE},
    {".fill", asm_read_fill, 0},
    {".comm", read_common, 0},
    {".lcomm", read_common, 0},
    {".section", read_section, 0},
    {".previous", enter_previous, 0},
    {".text", read_named_section, 0},
    {".data", read_named_section, 0},
    {".bss", read_named_section, 0},
    {".rodata", read_named_section, 0},
    {".global", read_globals, 0},
    {".globl", read_globals, 0},
    {".equ", asm_read_equ, 0},
    {".set", asm_read_equ, 0},
    {".equiv", asm_read_equ, 0},
    {".type", read_type, 0},
    {".size", read_size, 0},
    {".include", asm_include, 0},
    {".incbin", asm_include_bytes, 0},
    {".file", skip_line, 0},
    {".ident", skip_line, 0},
    {".local", skip_line, 0},
    {".weak", skip_line, 0},
    {".end", end_source, 0},
    {".macro", asm_define_macro, 0},
    {".purgem", asm_forget_macro, 0},
    {".exitm", asm_leave, 0},
    {".endm", close_nothing, 0},
    {".endmacro", close_nothing, 0},
    {".rept", asm_repeat, 0},
    {".irp", asm_repeat_for, 0},
    {".irpc", asm_repeat_for, 1},
    {".endr", close_nothing, 0},
    {".if", asm_condition, 0},
    {".ifne", asm_condition, 0},
    {".ifeq", asm_condition, 0},
    {".ifgt", asm_condition, 0},
    {".ifge", asm_condition, 0},
    {".iflt", asm_condition, 0},
    {".ifle", asm_condition, 0},
    {".ifdef", asm_condition, 0},
    {".ifndef", asm_condition, 0},
    {".ifnotdef", asm_condition, 0},
    {".ifb", asm_condition, 0},
    {".ifnb", asm_condition, 0},
    {".ifc", asm_condition, 0},
    {".ifnc", asm_condition, 0},
    {".elseif", asm_condition, 0},
    {".else", asm_condition, 0},
    {".endif", asm_condition, 0},
    {".error", raise_error, 0},
    {NULL, NULL, 0},
};

static const struct asm_directive *find(const struct asm_directive *list, const char *name, size_t length)
{
    while (list->name && !scan_word_is(name, length, list->name))
        list++;
    return list->name ? list : NULL;
}

static size_t list_names(const struct asm_directive *list, const char **names, size_t count, size_t most)
{
    for (; list->name && count < most; list++)
        names[count++] = list->name;
    return count;
}

bool asm_directive(struct asm_state *a, const char *name, size_t length)
{
    enum { MOST = 128 };
    const struct asm_directive *d = find(a->isa->directives, name, length);
    if (!d && !a->isa->statement)
        d = find(directives, name, length);
    if (d)
        return d->read(a, &(struct asm_call){name, length, d->argument});
    const char *bare = *name == '.' ? name + 1 : name;
    if (scan_word_is(bare, length - (size_t)(bare - name), "link"))
        return asm_error(a, name, "unknown-directive", LINKAGE_HINT, "lines of .link are not part of a program");
    const char *names[MOST], *hint = a->isa->directives_hint;
    size_t count = list_names(a->isa->directives, names, 0, MOST);
    if (!a->isa->statement)
        count = list_names(directives, names, count, MOST);
    if (hint && !nearest_word(name, length, names, count))
        return asm_error(a, name, "unknown-directive", hint, "unknown directive '%.*s'",
                         length > 40 ? 40 : (int)length, name);
    return scan_unknown(&a->scan, "unknown-directive", "directive", name, length, names, count);
}
