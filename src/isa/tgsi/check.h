/* check.h - what the parts of the checker share. */
#ifndef WEFT_ISA_TGSI_CHECK_H
#define WEFT_ISA_TGSI_CHECK_H

#include "isa/tgsi/tgsi.h"

/* Limits of both forms: a token has 16 bits for a declared register and 15 for one that an operand names. */
enum { TGSI_CHECK_DECLARED_MAX = 65535, TGSI_CHECK_OPERAND_MAX = 32767, TGSI_CHECK_ARRAY_MAX = 1023 };

/* After so many errors nobody reads hints: a diagnostic list keeps 100. */
enum { TGSI_CHECK_HINTS = 100 };

/* Registers first..last of one file, in one first bracket (0 where there is none). */
struct tgsi_check_span {
    uint32_t dim, first, last;
    uint32_t decl; /* the declaration it comes from */
};

/* One register that an instruction names. */
struct tgsi_check_use {
    uint8_t file;
    uint32_t dim, index;
};

struct tgsi_checker {
    const struct isa_module *m;
    const struct source *src; /* NULL: a decoded module */
    weft_diags *diags;
    struct arena *arena;
    uint32_t errors;
    char place[64]; /* what is being looked at, for messages without a source: "instruction 5 (MOV)" */

    struct tgsi_check_span *declared[TGSI_FILES]; /* sorted, disjoint */
    uint32_t ndeclared[TGSI_FILES];
    bool one_bracket[TGSI_FILES], two_brackets[TGSI_FILES]; /* some declaration of the file has as many */
    bool vertices[TGSI_FILES];                              /* some declaration has an empty first bracket */
    struct tgsi_check_use *uses;
    size_t nuses, cap_uses;
    bool all_used[TGSI_FILES]; /* the file is addressed indirectly, without an array id */
    const struct tgsi_decl **arrays; /* by file and array id */
    bool *arrays_used;
};

/* Add a diagnostic; an error makes the check fail. */
void tgsi_check_report(struct tgsi_checker *c, weft_severity sev, const char *code, struct span where, const char *hint,
                  const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* ---- declarations: check_decls.c ---- */

void tgsi_check_declarations(struct tgsi_checker *c);
/* Is the register declared? CONST[i] is CONST[0][i]. */
bool tgsi_check_is_declared(const struct tgsi_checker *c, uint8_t file, uint32_t dim, uint32_t index);
/* Is any register of the file declared, in this first bracket or (dim UINT32_MAX) in any? */
bool tgsi_check_has_any(const struct tgsi_checker *c, uint8_t file, uint32_t dim);
/* The declaration that covers a register, or NULL. */
const struct tgsi_decl *tgsi_check_find(const struct tgsi_checker *c, uint8_t file, uint32_t dim, uint32_t index);
/* The first declaration of ARRAY(id) of a file, or NULL. */
const struct tgsi_decl *tgsi_check_find_array(const struct tgsi_checker *c, uint8_t file, uint32_t id);
/* "TEMP[0..4] is declared": the declaration of the file that is nearest to a register; NULL when there is none. */
const char *tgsi_check_nearest(struct tgsi_checker *c, uint8_t file, uint32_t dim, uint32_t index);

void tgsi_check_note_use(struct tgsi_checker *c, uint8_t file, uint32_t dim, uint32_t index);
void tgsi_check_note_indirect(struct tgsi_checker *c, uint8_t file, uint32_t array);
void tgsi_check_unused(struct tgsi_checker *c);

/* ---- what declarations mean: check_semantics.c ---- */

/* Semantic, stage and interpolation of a declaration. */
void tgsi_check_meaning(struct tgsi_checker *c, const struct tgsi_decl *d);
/* A destination that is an output: the components of it that may be written. */
void tgsi_check_output_mask(struct tgsi_checker *c, const struct tgsi_operand *op, const struct tgsi_decl *d);
void tgsi_check_repeated_outputs(struct tgsi_checker *c);
void tgsi_check_properties(struct tgsi_checker *c);

/* ---- how declared registers are used: check_access.c ---- */

/* Resources that are written: STORE and atomics. */
void tgsi_check_writable(struct tgsi_checker *c, const struct tgsi_insn *in);
/* The view of SAMPLE and its kin. */
void tgsi_check_sampled_view(struct tgsi_checker *c, const struct tgsi_insn *in);
void tgsi_check_case(struct tgsi_checker *c, const struct tgsi_insn *in);

/* ---- control flow: check_flow.c ---- */
void tgsi_check_flow(struct tgsi_checker *c);

#endif
