/* boot_trace.c - see boot_trace.h. */
#include "cli/boot_trace.h"
#include "cli/cli.h"
#include "cli/json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACE_LIMIT = 256 << 20, REGISTERS = 31 /* without pc */, ROWS = 64, LANES = 16 };

struct boot_trace {
    FILE *out;
    weft_machine *m;
    const struct boot_symbols *symbols;
    weft_decoder *decoder;
    uint64_t written; /* bytes */
    uint32_t scalar[REGISTERS];
    uint32_t vector[ROWS][LANES];
};

static const char *register_name(unsigned r)
{
    static const char *const names[REGISTERS] = {
        "r0",  "r1",  "r2",  "r3",  "r4",  "r5",  "r6",  "r7",  "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15",
        "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "gp",  "sp",  "lr",  "r27", "r28", "r29", "sr"};
    return names[r];
}

/* The registers that are not what they were. */
static json_t *scalar_results(struct boot_trace *t)
{
    json_t *results = json_object();
    for (unsigned r = 0; r < REGISTERS; r++) {
        uint32_t now = weft_machine_register(t->m, r);
        if (now != t->scalar[r])
            json_object_set_new(results, register_name(r), json_sprintf("0x%08" PRIx32, now));
        t->scalar[r] = now;
    }
    return results;
}

static json_t *lanes_of(const uint32_t *row)
{
    json_t *lanes = json_array();
    for (unsigned i = 0; i < LANES; i++)
        json_array_append_new(lanes, json_sprintf("0x%08" PRIx32, row[i]));
    return lanes;
}

/* The rows of the vector register file that are not what they were, by the names that the debugger has for them. */
static void vector_results(struct boot_trace *t, json_t *results)
{
    for (unsigned y = 0; y < ROWS; y++) {
        uint32_t now[LANES];
        char name[8];
        for (unsigned x = 0; x < LANES; x++)
            now[x] = weft_machine_vector(t->m, y, x);
        if (memcmp(now, t->vector[y], sizeof now) == 0)
            continue;
        memcpy(t->vector[y], now, sizeof now);
        snprintf(name, sizeof name, "row%u", y);
        json_object_set_new(results, name, lanes_of(now));
    }
}

/* False: it cannot be written. */
static bool write_record(struct boot_trace *t, json_t *record)
{
    char *text = json_dumps(record, JSON_COMPACT);
    bool fine = text && fprintf(t->out, "%s\n", text) > 0;
    t->written += text ? strlen(text) + 1 : 0;
    free(text);
    json_decref(record);
    return fine;
}

/* One instruction. False: the trace cannot be written. */
static bool step(struct boot_trace *t, weft_machine_stop *stop)
{
    uint32_t pc = weft_machine_register(t->m, WEFT_MACHINE_PC);
    uint8_t bytes[BOOT_LONGEST] = {0};
    char text[WEFT_INSN_TEXT];
    weft_insn insn = {0};
    boot_instruction(t->symbols, t->m, t->decoder, bytes, &insn, text);
    uint64_t before = weft_machine_instructions(t->m);
    *stop = weft_machine_run(t->m, 1);
    if (weft_machine_instructions(t->m) == before)
        return true; /* it did not run */
    json_t *results = scalar_results(t);
    if (insn.unit && strcmp(insn.unit, "vector") == 0)
        vector_results(t, results);
    return write_record(t, json_pack("{s:I, s:I, s:s, s:o}", "number", (json_int_t)weft_machine_instructions(t->m),
                                     "address", (json_int_t)pc, "text", text, "results", results));
}

static weft_machine_stop run(struct boot_trace *t, uint64_t limit, bool *fine)
{
    weft_machine_stop stop = WEFT_MACHINE_LIMIT;
    uint64_t end = limit ? weft_machine_instructions(t->m) + limit : UINT64_MAX;
    while (*fine && stop == WEFT_MACHINE_LIMIT && weft_machine_instructions(t->m) < end && t->written < TRACE_LIMIT)
        *fine = step(t, &stop);
    if (!*fine || stop != WEFT_MACHINE_LIMIT || weft_machine_instructions(t->m) >= end)
        return stop;
    cli_message("the trace ends after 256 MiB: what ran later is not in it");
    return weft_machine_run(t->m, limit ? end - weft_machine_instructions(t->m) : 0);
}

weft_machine_stop boot_trace_run(weft_machine *m, const struct boot_symbols *symbols, uint64_t limit, const char *file,
                                 int *failed)
{
    bool standard = strcmp(file, "-") == 0;
    struct boot_trace t = {.m = m, .symbols = symbols, .out = standard ? stdout : fopen(file, "we")};
    weft_decoder_options options = {.size = sizeof options};
    weft_machine_stop stop = WEFT_MACHINE_ERROR;
    bool fine = t.out != NULL;
    json_start();
    if (fine && weft_decoder_new("vpu", &options, &t.decoder) != WEFT_OK)
        cli_kept(NULL);
    for (unsigned r = 0; r < REGISTERS; r++)
        t.scalar[r] = weft_machine_register(m, r);
    if (fine)
        stop = run(&t, limit, &fine);
    int reason = fine ? 0 : errno;
    if (t.out && (standard ? fflush(t.out) : fclose(t.out)) != 0 && fine) {
        reason = errno;
        fine = false;
    }
    if (!fine)
        cli_message("cannot write '%s': %s", file, strerror(reason));
    *failed = !fine;
    weft_decoder_free(t.decoder);
    return stop;
}
