/* gdb_registers.c - see gdb_registers.h. */
#include "cli/gdb_registers.h"
#include "cli/cli.h"
#include "base/bytes.h"
#include "base/text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16 };

size_t gdb_register_size(unsigned number)
{
    return number < GDB_SCALARS ? GDB_SCALAR_SIZE : number < GDB_REGISTERS ? GDB_VECTOR_SIZE : 0;
}

void gdb_register_read(const weft_machine *m, unsigned number, uint8_t *bytes)
{
    if (number < GDB_SCALARS)
        bytes_put(bytes, weft_machine_register(m, number), 4);
    else
        for (unsigned lane = 0; lane < LANES; lane++)
            bytes_put(bytes + 4 * lane, weft_machine_vector(m, number - GDB_SCALARS, lane), 4);
}

void gdb_register_write(weft_machine *m, unsigned number, const uint8_t *bytes)
{
    if (number < GDB_SCALARS)
        weft_machine_set_register(m, number, bytes_word(bytes));
    else
        for (unsigned lane = 0; lane < LANES; lane++)
            weft_machine_set_vector(m, number - GDB_SCALARS, lane, bytes_word(bytes + 4 * lane));
}

/* Scalar registers that have a name of their own, or a type that is not a plain word. */
static const struct {
    const char *name, *type;
} special[GDB_SCALARS] = {[24] = {"gp", "data_ptr"}, [25] = {"sp", "data_ptr"}, [26] = {"lr", "code_ptr"},
                          [28] = {"r28", "data_ptr"}, [29] = {"r29", "data_ptr"},
                          [30] = {"sr", "sr_flags"}, [31] = {"pc", "code_ptr"}};

/* The bits of sr (semantics notes, section 1). */
static const char head[] =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
    "<feature name=\"org.weft.vpu.scalar\">\n"
    "<flags id=\"sr_flags\" size=\"4\">"
    "<field name=\"V\" start=\"0\" end=\"0\"/><field name=\"C\" start=\"1\" end=\"1\"/>"
    "<field name=\"N\" start=\"2\" end=\"2\"/><field name=\"Z\" start=\"3\" end=\"3\"/>"
    "<field name=\"CB\" start=\"4\" end=\"5\"/>"
    "<field name=\"S\" start=\"29\" end=\"29\"/><field name=\"I\" start=\"30\" end=\"30\"/>"
    "<field name=\"U\" start=\"31\" end=\"31\"/></flags>\n";
static const char vectors[] = "</feature>\n<feature name=\"org.weft.vpu.vector\">\n"
                              "<vector id=\"hy\" type=\"uint32\" count=\"16\"/>\n";
static const char tail[] = "</feature>\n</target>\n";

char *gdb_target_description(size_t *size)
{
    char *text = NULL;
    FILE *f = cli_kept(text_stream(&text, size));
    if (!f)
        return NULL;
    fputs(head, f);
    for (unsigned r = 0; r < GDB_SCALARS; r++) {
        if (special[r].name)
            fprintf(f, "<reg name=\"%s\"", special[r].name);
        else
            fprintf(f, "<reg name=\"r%u\"", r);
        fprintf(f, " bitsize=\"32\" regnum=\"%u\" type=\"%s\"/>\n", r, special[r].type ? special[r].type : "uint32");
    }
    fputs(vectors, f);
    for (unsigned row = 0; row < GDB_VECTORS; row++)
        fprintf(f, "<reg name=\"row%u\" bitsize=\"512\" regnum=\"%u\" type=\"hy\" group=\"vector\"/>\n", row,
                GDB_SCALARS + row);
    fputs(tail, f);
    bool bad = ferror(f);
    if (fclose(f) != 0 || bad) {
        free(text);
        return NULL;
    }
    return text;
}
