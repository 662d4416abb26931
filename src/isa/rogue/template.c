/* template.c - the texts of rows, read once. */
#include "isa/rogue/template.h"

#include <string.h>

/* {field} or {field:word}, or <maskw0> behind a destination. */
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

static const char *compile_operand(const char *p, struct rogue_operand *o)
{
    *o = (struct rogue_operand){.kind = ROGUE_ON_WORD, .word = p, .length = (uint8_t)strcspn(p, ",{<%")};
    p += o->length;
    if (*p == '%')
        p = compile_port(p + 1, o);
    else if (*p == '<')
        p = compile_value(p + 1, o);
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
        p = compile_operand(p, &out->operands[out->noperands++]);
        if (!p || (*p && strncmp(p, ", ", 2) != 0))
            return false;
        p += *p ? 2 : 0;
    }
    return true;
}
