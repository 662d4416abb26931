/* json.h - the machine-readable output of --json. */
#ifndef WEFT_CLI_JSON_H
#define WEFT_CLI_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <weft/weft.h>

/* An array of the diagnostics in a list. */
json_t *json_of_diags(const weft_diags *diags);
/* An object of an instruction set, without its instructions, and of an instruction. */
json_t *json_of_isa(const weft_isa *isa);
json_t *json_of_row(const weft_isa_row *row);
/* The same with its forms: bits and fields. */
json_t *json_of_reference(const weft_isa *isa, size_t index);
/* An object of a decoded instruction: text, flow, operands, effects, fields. */
json_t *json_of_insn(const weft_decoder *decoder, const weft_insn *insn);
/* What the reference says of it: an array of json_of_row. */
json_t *json_of_insn_rows(const weft_decoder *decoder, const weft_insn *insn);

/* A string; bytes that are not UTF-8 are shown as '?'. */
/* From now on the program ends, having said so, where there is no memory for JSON. */
void json_start(void);

json_t *json_of_text(const char *text);

/* Print on standard output and drop the value. Returns an exit status. */
int json_show(json_t *value);

/* The elements of an array, in parts that can be made apart and joined: each element has a comma before it. `flags` are
 * json_dumps's. False without memory. */
bool json_put_elements(const json_t *array, size_t flags, FILE *out);
/* Print them as json_show prints the array, when their flags were JSON_INDENT(1). Returns an exit status. */
int json_show_elements(const char *elements, size_t size);
/* The array; NULL: these are not elements. */
json_t *json_of_elements(const char *elements, size_t size);

#endif
