/* check.h - the checker's parts: instructions one by one (check.c), slots and waits (check_slots.c). */
#ifndef WEFT_ISA_VALHALL_CHECK_H
#define WEFT_ISA_VALHALL_CHECK_H

#include "isa/valhall/flow.h"

struct valhall_checker {
    const struct isa_module *m;
    const struct source *src; /* NULL: the program was bytes */
    weft_diags *diags;
    struct arena arena;
    struct valhall_blocks flow;
    struct valhall_reach reach;
    bool running;             /* isa_params.running */
    uint32_t errors;
    uint64_t divergent;       /* registers that lanes may have different values in; found when first asked for */
    bool knows_divergent;
};

/* A message about an instruction: at its text, or with its file and address. What breaks a rule in bytes that control
 * does not come to may be data, and is not an error. */
void valhall_report(struct valhall_checker *c, weft_severity severity, const char *code, uint32_t number,
                    const char *hint, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* The tables that an instruction takes, when `table` is not one of them; NULL: it is. stage -1: any. */
const char *valhall_resource_fault(const struct valhall_row *row, int stage, uint32_t table);
#define VALHALL_TABLE_MESSAGE "%s takes %s, and this names table %u"

/* What a word is that is not an instruction, and why. */
const char *valhall_data_text(uint64_t word, struct arena *arena);

/* Results of messages are waited for; ATEST comes before BLEND; the waits that these two need. */
weft_status valhall_check_slots(struct valhall_checker *c);

#endif
