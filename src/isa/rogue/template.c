/* template.c - the text of a row, compiled to modifiers and operands with what they read and write (template.h). */
#include "isa/rogue/lift.h"
#include "isa/rogue/template.h"

#include <string.h>

/* {field} or {field:word}, or <maskw0> after a destination. */
static const char *compile_mod(const char *p, struct rogue_mod *m)
{
    size_t length = strcspn(++p, ":}>");
    int field = rogue_find_field(p, length);
    if (field < 0)
        return NULL;
    *m = (struct rogue_mod){.field = (uint8_t)field};
    p += length;
    if (*p == ':') {
        m->word = p + 1;
        m->length = (uint8_t)strcspn(m->word, "}");
        p = m->word + m->length;
    } else if (rogue_fields[field].type == ROGUE_FLAG) {
        m->word = rogue_fields[field].name;
        m->length = (uint8_t)strlen(m->word);
    }
    return p + 1;
}

static const char *compile_mods(const char *p, struct rogue_mod *mods, unsigned most, uint8_t *count)
{
    while (p && (*p == '{' || *p == '<')) {
        if (*count >= most)
            return NULL;
        p = compile_mod(p, &mods[(*count)++]);
    }
    return p;
}

/* %d %0 %3? %i1 %w0 %drc */
static const char *compile_port(const char *p, struct rogue_operand *o)
{
    if (strncmp(p, "drc", 3) == 0) {
        o->kind = ROGUE_ON_DRC;
        return p + 3;
    }
    if (*p == 'd') {
        o->kind = ROGUE_ON_FT;
        return p + 1;
    }
    o->kind = *p == 'i' ? ROGUE_ON_IS : *p == 'w' ? ROGUE_ON_W : ROGUE_ON_PORT;
    if (o->kind != ROGUE_ON_PORT)
        p++;
    if (*p < '0' || *p > '5')
        return NULL;
    o->n = (uint8_t)(*p++ - '0');
    o->optional = *p == '?';
    return p + o->optional;
}

/* <field>, <field?> or <field?word> */
static const char *compile_value(const char *p, struct rogue_operand *o)
{
    size_t length = strcspn(p, "?>");
    int field = rogue_find_field(p, length);
    if (field < 0)
        return NULL;
    o->kind = ROGUE_ON_FIELD;
    o->field = (uint8_t)field;
    p += length;
    if (p[0] == '?' && p[1] == '>') {
        o->optional = true;
        p++;
    } else if (*p == '?') {
        o->kind = ROGUE_ON_OPTION;
        o->word = p + 1;
        o->length = (uint8_t)strcspn(o->word, ">");
        p = o->word + o->length;
    }
    return p + 1;
}

/* 4, 4*count, burstlen, bank */
static const char *compile_extent(const char *p, struct rogue_access *a)
{
    static const char *const words[] = {[ROGUE_TO_BANK_END] = "bank]",
                                        [ROGUE_VALUES] = "values]",
                                        [ROGUE_TEXELS] = "texels]",
                                        [ROGUE_TEXEL_DATA] = "data]",
                                        [ROGUE_LEVEL] = "level]"};
    if (*p >= '1' && *p <= '9')
        a->times = (uint8_t)(*p++ - '0');
    p += *p == '*';
    for (uint8_t i = ROGUE_TO_BANK_END; i <= ROGUE_LEVEL; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0) {
            a->extent = i;
            return p + strlen(words[i]);
        }
    size_t length = strcspn(p, "]");
    int field = length ? rogue_find_field(p, length) : ROGUE_FIELDS;
    a->field = (uint8_t)field;
    return field < 0 || p[length] != ']' ? NULL : p + length + 1;
}

/* [w 4*count] */
static const char *compile_access(const char *p, struct rogue_operand *o, bool first)
{
    bool result =
        o->kind == ROGUE_ON_FT || o->kind == ROGUE_ON_W || (first && o->kind == ROGUE_ON_WORD && *o->word == 'f');
    o->access = (struct rogue_access){.how = result ? ROGUE_WRITE : ROGUE_READ, .times = 1, .field = ROGUE_FIELDS};
    if (!p || *p != '[')
        return p;
    p++;
    if (*p == 'w')
        o->access.how = ROGUE_WRITE;
    else if (*p == 'x')
        o->access.how |= ROGUE_NOT_LIFTED;
    else if (*p == 's')
        o->access.how |= ROGUE_NOT_LIFTED | ROGUE_SETS;
    else if (*p == '-')
        o->access.how = 0;
    p += strspn(p, "wxs-");
    p += *p == ' ';
    return compile_extent(p, &o->access);
}

static const char *compile_operand(const char *p, struct rogue_operand *o, bool first)
{
    *o = (struct rogue_operand){.kind = ROGUE_ON_WORD, .word = p, .length = (uint8_t)strcspn(p, ",{<%[")};
    p += o->length;
    if (*p == '%')
        p = compile_port(p + 1, o);
    else if (*p == '<')
        p = compile_value(p + 1, o);
    p = compile_access(p, o, first);
    return p ? compile_mods(p, o->mods, ROGUE_OPERAND_MODS, &o->nmods) : NULL;
}

bool rogue_template_compile(const char *text, struct rogue_template *out)
{
    *out = (struct rogue_template){0};
    const char *p = compile_mods(text, out->mods, *text == '{' ? ROGUE_TEMPLATE_MODS : 0, &out->nmods);
    p = p && *text != '<' ? p : text;
    p += *p == ' ';
    while (*p) {
        if (out->noperands >= ROGUE_OPERANDS)
            return false;
        p = compile_operand(p, &out->operands[out->noperands], out->noperands == 0);
        out->noperands++;
        if (!p || (*p && strncmp(p, ", ", 2) != 0))
            return false;
        p += *p ? 2 : 0;
    }
    return true;
}
