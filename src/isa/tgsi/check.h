/* check.h - what the parts of the checker share. */
#ifndef WEFT_ISA_TGSI_CHECK_H
#define WEFT_ISA_TGSI_CHECK_H

#include "isa/tgsi/tgsi.h"

/* Limits of both forms: a token has 16 bits for a declared register and 15 for one that an operand names. */
enum { CHECK_DECLARED_MAX = 65535, CHECK_OPERAND_MAX = 32767, CHECK_ARRAY_MAX = 1023 };

/* After so many errors nobody reads hints: a diagnostic list keeps 100. */
enum { CHECK_HINTS = 100 };

/* Registers first..last of one file, in one first bracket (0 where there is none). */
struct check_span {
    uint32_t dim, first, last;
    uint32_t decl; /* the declaration it comes from */
};

/* One register that an instruction names. */
struct check_use {
    uint8_t file;
    uint32_t dim, index;
};

struct checker {
    const struct isa_module *m;
    const struct source *src; /* NULL: a decoded module */
    weft_diags *diags;
    struct arena *arena;
    uint32_t errors;
    char place[64]; /* what is being looked at, for messages without a source: "instruction 5 (MOV)" */

    struct check_span *declared[TGSI_FILES]; /* sorted, disjoint */
    uint32_t ndeclared[TGSI_FILES];
    bool one_bracket[TGSI_FILES], two_brackets[TGSI_FILES]; /* some declaration of the file has as many */
    bool vertices[TGSI_FILES];                              /* some declaration has an empty first bracket */
    struct check_use *uses;
    size_t nuses, cap_uses;
    bool all_used[TGSI_FILES]; /* the file is addressed indirectly, without an array id */
    const struct tgsi_decl **arrays; /* by file and array id */
    bool *arrays_used;
};

/* Add a diagnostic; an error makes the check fail. */
void check_report(struct checker *c, weft_severity sev, const char *code, struct span where, const char *hint,
                  const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* ---- declarations: check_decls.c ---- */

void check_declarations(struct checker *c);
/* Is the register declared? CONST[i] is CONST[0][i]. */
bool check_is_declared(const struct checker *c, uint8_t file, uint32_t dim, uint32_t index);
/* Is any register of the file declared, in this first bracket or (dim UINT32_MAX) in any? */
bool check_has_any(const struct checker *c, uint8_t file, uint32_t dim);
/* The declaration that covers a register, or NULL. */
const struct tgsi_decl *check_find(const struct checker *c, uint8_t file, uint32_t dim, uint32_t index);
/* The first declaration of ARRAY(id) of a file, or NULL. */
const struct tgsi_decl *check_find_array(const struct checker *c, uint8_t file, uint32_t id);
/* "TEMP[0..4] is declared": the declaration of the file that is nearest to a register; NULL when there is none. */
const char *check_nearest(struct checker *c, uint8_t file, uint32_t dim, uint32_t index);

void check_note_use(struct checker *c, uint8_t file, uint32_t dim, uint32_t index);
void check_note_indirect(struct checker *c, uint8_t file, uint32_t array);
void check_unused(struct checker *c);

/* ---- what declarations mean: check_semantics.c ---- */

/* Semantic, stage and interpolation of a declaration. */
void check_meaning(struct checker *c, const struct tgsi_decl *d);
/* A destination that is an output: the components of it that may be written. */
void check_output_mask(struct checker *c, const struct tgsi_operand *op, const struct tgsi_decl *d);
void check_properties(struct checker *c);

/* ---- how declared registers are used: check_access.c ---- */

/* Resources that are written: STORE and atomics. */
void check_writable(struct checker *c, const struct tgsi_insn *in);
/* The view of SAMPLE and its kin. */
void check_sampled_view(struct checker *c, const struct tgsi_insn *in);
void check_case(struct checker *c, const struct tgsi_insn *in);

/* ---- control flow: check_flow.c ---- */
void check_flow(struct checker *c);

#endif
