/* explain_meaning.c - an instruction in words: its operands, what it does, and where that is known from. */
#include "cli/explain.h"
#include "cli/insn_names.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const char *access_name(const weft_operand *o)
{
    static const char *const names[] = {"not used", "read", "written", "read, written"};
    return names[o->access & 3];
}

/* "32 bits", "32-bit float"; "flag" where there is no width. */
static void name_type(const weft_operand *o, char *text, size_t size)
{
    const char *name = insn_operand_type_name(o->type);
    if (!o->width)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, o->type == WEFT_TYPE_BITS ? "%u %s" : "%u-bit %s", o->width, name);
}

/* A register as its instruction set writes it: files in capitals have brackets, TEMP[5], others do not, r5. */
static void put_number(FILE *out, const char *file, uint32_t number)
{
    fprintf(out, isupper((unsigned char)file[0]) ? "%s[%u]" : "%s%u", file, number);
}

/* "r5", "r5 to r8", "CONST[0][5]". */
static void put_register(FILE *out, const weft_operand *o)
{
    char file[64];
    snprintf(file, sizeof file, o->has_dimension ? "%s[%u]" : "%s", o->reg.file, o->dimension);
    if (o->indirect) {
        fprintf(out, "%s[", file);
        put_number(out, o->index.file ? o->index.file : "", o->index.number);
        fprintf(out, " + %u]", o->reg.number);
    } else {
        put_number(out, file, o->reg.number);
        if (o->count > 1) {
            fputs(" to ", out);
            put_number(out, file, o->reg.number + o->count - 1);
        }
    }
    if (o->shift)
        fprintf(out, ", from bit %u", o->shift);
    if (o->components && o->components != 15) {
        fputs(", ", out);
        for (int c = 0; c < 4; c++)
            if (o->components >> c & 1)
                fputc("xyzw"[c], out);
    }
}

static void put_memory(FILE *out, const weft_operand *o)
{
    fprintf(out, "%s memory at ", o->space);
    const char *plus = "";
    if (o->base.file) {
        put_number(out, o->base.file, o->base.number);
        plus = " + ";
    }
    if (o->index.file) {
        fputs(plus, out);
        put_number(out, o->index.file, o->index.number);
        if (o->scale > 1)
            fprintf(out, " * %u", o->scale);
        plus = " + ";
    }
    int down = o->displacement < 0;
    if (o->displacement || !*plus)
        fprintf(out, "%s0x%" PRIx64, !down ? plus : *plus ? " - " : "-",
                down ? 0 - (uint64_t)o->displacement : (uint64_t)o->displacement);
    if (o->count > 1)
        fprintf(out, ", %u elements", o->count);
}

static void put_immediate(FILE *out, const weft_operand *o)
{
    if (o->type == WEFT_TYPE_FLOAT)
        fprintf(out, "%.9g (0x%" PRIx64 ")", o->number, (uint64_t)o->integer);
    else if (o->integer > -10 && o->integer < 10)
        fprintf(out, "%" PRId64, o->integer);
    else
        fprintf(out, "%" PRId64 " (0x%" PRIx64 ")", o->integer,
                o->width && o->width < 64 ? (uint64_t)o->integer & ((UINT64_C(1) << o->width) - 1)
                                          : (uint64_t)o->integer);
}

static void put_operand(FILE *out, const weft_operand *o)
{
    char type[24];
    name_type(o, type, sizeof type);
    fprintf(out, "    %-14s %-16s ", access_name(o), o->kind == WEFT_OPERAND_TARGET ? "" : type);
    switch (o->kind) {
    case WEFT_OPERAND_IMMEDIATE:
        put_immediate(out, o);
        break;
    case WEFT_OPERAND_MEMORY:
        put_memory(out, o);
        break;
    case WEFT_OPERAND_TARGET:
        fprintf(out, "address 0x%" PRIx64, (uint64_t)o->integer);
        break;
    default:
        put_register(out, o);
    }
    for (int i = 0; i < WEFT_OPERAND_MODIFIERS && o->modifiers[i]; i++)
        fprintf(out, ", %s", o->modifiers[i]);
    if (o->role == WEFT_ROLE_PREDICATE)
        fputs(", the condition", out);
    else if (o->role == WEFT_ROLE_IMPLIED)
        fputs(", not in the text", out);
    fputc('\n', out);
}

static void list_operands(FILE *out, const weft_decoder *decoder, const weft_insn *insn)
{
    weft_operand operands[WEFT_INSN_OPERANDS];
    size_t n = weft_insn_operands(decoder, insn, operands, WEFT_INSN_OPERANDS);
    if (n != 0)
        fputs("  operands\n", out);
    for (size_t i = 0; i < n; i++)
        put_operand(out, &operands[i]);
}

static void field(FILE *out, const char *name, const char *value)
{
    if (value && value[0])
        fprintf(out, "  %-12s %s\n", name, value);
}

static void list_flow(FILE *out, const weft_insn *insn)
{
    static const char *const where[] = {"to the next instruction",
                                        "to an address of a register or table",
                                        "to a subroutine, and later back",
                                        "back to where a call or mark said",
                                        "the program ends here",
                                        "the fragment is thrown away",
                                        "on, once the other invocations have come here",
                                        "on, after a vertex or primitive is sent",
                                        "to the next instruction; the target is kept for later",
                                        "on, with other lanes",
                                        "to a handler, or the machine stops or sleeps"};
    if (insn->flow == WEFT_FLOW_NEXT)
        return;
    fprintf(out, "  %-12s %s: ", "control", weft_flow_name(insn->flow));
    if (insn->has_target)
        fprintf(out, "target 0x%" PRIx64 "%s", insn->target, insn->flow == WEFT_FLOW_MARK ? ", kept for later" : "");
    else
        fputs(where[insn->flow], out);
    fputs(insn->conditional ? ", under a condition\n" : "\n", out);
}

static void list_slots(FILE *out, const char *name, uint32_t slots)
{
    if (!slots)
        return;
    fprintf(out, "  %-12s slots", name);
    for (unsigned i = 0; i < 32; i++)
        if (slots >> i & 1)
            fprintf(out, " %u", i);
    fputc('\n', out);
}

static void list_effects(FILE *out, const weft_insn *insn)
{
    if (insn->effects)
        fprintf(out, "  %-12s", "effects");
    const char *separator = " ";
    for (unsigned i = 0; i < INSN_EFFECTS; i++)
        if (insn->effects >> i & 1) {
            fprintf(out, "%s%s", separator, insn_effects[i].words);
            separator = ", ";
        }
    if (insn->effects)
        fputc('\n', out);
    list_slots(out, "waits for", insn->waits);
    list_slots(out, "signals", insn->signals);
}

void explain_meaning(FILE *out, const weft_decoder *decoder, const weft_insn *insn)
{
    list_operands(out, decoder, insn);
    list_flow(out, insn);
    list_effects(out, insn);
    field(out, "unit", insn->unit);
    for (uint32_t i = 0; i < insn->nrows; i++) {
        weft_isa_row row;
        if (!weft_isa_get_row(weft_decoder_isa(decoder), insn->rows[i], &row))
            continue;
        fprintf(out, "  %-12s %s\n", row.mnemonic, row.doc);
        field(out, "syntax", row.syntax);
        field(out, "chips", row.chips);
        field(out, "provenance", weft_provenance_name(row.provenance));
        field(out, "differs", row.reason);
    }
}
