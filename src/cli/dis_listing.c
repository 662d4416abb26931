/* dis_listing.c - weft dis: a program with the address and the bytes of each instruction, or as JSON. */
#include "cli/dis.h"
#include "cli/json.h"

#include <stdlib.h>
#include <string.h>

weft_status listing_of(const struct convert *c, const weft_program *program, struct listing *l, weft_diags *diags)
{
    *l = (struct listing){0};
    weft_decoder_options how = {sizeof how, c->target.chip, c->target.stage};
    weft_status status = weft_program_listing(program, &l->text, &l->size, &l->places, &l->count);
    if (status == WEFT_OK)
        status = weft_program_bytes(program, &l->bytes, &l->nbytes, diags);
    if (status == WEFT_OK && weft_decoder_new(weft_isa_name(c->isa), &how, &l->decoder) == WEFT_ERROR_MEMORY)
        status = WEFT_ERROR_MEMORY;
    return status;
}

void listing_free(struct listing *l)
{
    weft_decoder_free(l->decoder);
    weft_free(l->bytes);
    weft_free(l->places);
    weft_free(l->text);
}

void listing_put(const struct convert *c, const struct listing *l, FILE *out)
{
    enum { SHOWN = 10 /* bytes: as many as most instructions have at most */ };
    size_t next = 0;
    for (const char *line = l->text, *stop; line < l->text + l->size; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(l->text + l->size - line));
        stop = stop ? stop : l->text + l->size;
        const weft_place *at =
            next < l->count && l->places[next].line <= (size_t)(line - l->text) ? &l->places[next++] : NULL;
        if (at && c->address)
            fprintf(out, "%08llx: ", (unsigned long long)at->address);
        if (at && c->bytes) {
            for (size_t k = 0; k < at->size; k++)
                fprintf(out, "%02x ", l->bytes[at->offset + k]);
            fprintf(out, "%*s", (int)(at->size < SHOWN ? (SHOWN - at->size) * 3 : 0), "");
        }
        fprintf(out, "%.*s\n", (int)(stop - line), line);
    }
}

/* The text of the line at a place, where the instruction set does not answer itself. */
static void set_text(json_t *o, const struct listing *l, const weft_place *at)
{
    const char *line = l->text + at->line, *stop = memchr(line, '\n', l->size - at->line);
    json_object_set_new(o, "text", json_stringn(line, stop ? (size_t)(stop - line) : l->size - at->line));
}

weft_status listing_put_json(const struct listing *l, FILE *out)
{
    json_t *list = json_array();
    for (size_t i = 0; i < l->count; i++) {
        const weft_place *at = &l->places[i];
        weft_insn insn;
        json_t *o;
        if (l->decoder) {
            weft_insn_decode(l->decoder, l->bytes + at->offset, at->size, at->address, &insn);
            o = json_of_insn(l->decoder, &insn);
        } else {
            o = json_object();
            json_object_set_new(o, "address", json_integer((json_int_t)at->address));
        }
        set_text(o, l, at);
        json_object_set_new(o, "size", json_integer((json_int_t)at->size));
        json_object_set_new(o, "offset", json_integer((json_int_t)at->offset));
        json_array_append_new(list, o);
    }
    int failed = json_dumpf(list, out, JSON_INDENT(1));
    putc('\n', out);
    json_decref(list);
    return failed ? WEFT_ERROR_MEMORY : WEFT_OK;
}

/* Zeros that fill the end of a program: they are not instructions, and do not count as unknown. */
static bool is_filling(const struct convert *c, const struct listing *l, const weft_place *at)
{
    weft_program_options params = convert_options(c);
    weft_program *program = NULL;
    for (size_t i = 0; i < at->size; i++)
        if (l->bytes[at->offset + i])
            return false;
    weft_status status = weft_program_from_bytes(weft_isa_name(c->isa), NULL, l->bytes + at->offset, at->size, &params,
                                                 NULL, &program);
    bool fills = status == WEFT_OK && weft_program_unknown(program) == 0;
    weft_program_free(program);
    return fills;
}

void listing_note_unknown(struct convert *c, const struct listing *l)
{
    for (size_t i = 0; l->decoder && i < l->count; i++) {
        weft_insn insn;
        const weft_place *at = &l->places[i];
        if (weft_insn_decode(l->decoder, l->bytes + at->offset, at->size, at->address, &insn) == WEFT_OK ||
            is_filling(c, l, at))
            continue;
        if (c->nunknown < CONVERT_UNKNOWN)
            c->unknown_at[c->nunknown] = at->address;
        c->nunknown++;
    }
}
