/* isa.h - what an instruction set must offer.
 *
 * Everything generic (assembler, disassembler, checker's front, reference, fuzzers, command line) works
 * through this. A new instruction set is a folder under src/isa and one line in registry.c. */
#ifndef WEFT_ISA_ISA_H
#define WEFT_ISA_ISA_H

#include "base/arena.h"
#include "base/diag.h"
#include "ir/ir.h"

#include <weft/insn.h>

/* How sure weft is about an instruction. From ISA_DIFFERS on, the number is ISA_DIFFERS + index of one of the set's
 * differences. A row holds it in 8 bits. */
enum isa_provenance {
    ISA_DOCUMENTED /* the source document */,
    ISA_KNOWN /* a public implementation or measurement */,
    ISA_INFERRED /* nobody: weft chose */,
    ISA_DIFFERS /* not what the source document says, for a reason */
};

/* Where the set departs from its source document: an entry of docs/fidelity.md. Each set lists its own in
 * differences.inc, as DIFFERENCE(entry, "what weft does, not what the document says"), and a row names one as
 * DIFFERS(entry) in its column of provenance. tests/cli/fidelity.sh compares the page with the rows. */
struct isa_difference {
    const char *entry;
    const char *reason; /* one line */
};

/* What others call an instruction, and "write " with a line that does it here: of an instruction set's hints.inc. */
struct isa_meant {
    const char *word, *what;
};
#define ISA_MEANT(theirs, write) {theirs, "write " write},

/* What the reference (weft isa) shows of one instruction; made from the instruction set's own row. */
struct isa_row_info {
    const char *mnemonic;
    const char *syntax;      /* "MAD dst, src0, src1, src2" */
    const char *pattern;     /* bits as the manual writes them; TGSI: the opcode number */
    const char *group;       /* "arithmetic", "texture", ... : a chapter of the document */
    const char *operands;    /* operand types in words: "f32 = f32, f32, f32" */
    const char *modifiers;   /* the words that may be at each <name> of the syntax, a line each; NULL: none */
    const char *chips;       /* NULL: all */
    uint32_t stages;         /* bit per enum ir_stage */
    enum isa_provenance provenance;
    bool executes;           /* it has a lift: false is an error that names the instruction when run */
    const char *doc;         /* one line */
    const char *unit;        /* the execution unit, where a source says it: "SFU", "phase 0, phase 1"; NULL: unknown */
};

/* How inputs, outputs and buffers meet registers: text in the instruction set's own linkage format, which
 * docs/manual/NAME.md describes ("in GENERIC[0].x v[0x4]" and the like). parse and decode read it; spans in messages
 * are those of its source. */
struct isa_linkage {
    struct source source;
};

/* parse and decode keep in the module what lifting needs of these. */
/* What goes with a text in a language that is compiled. */
struct isa_compiling {
    const char *const *define; /* macros: NAME or NAME=VALUE */
    size_t ndefines;
    const char *const *folder; /* where #include looks after the folder of the text that has it */
    size_t nfolders;
    bool includes;             /* #include is allowed */
    const char *const *common; /* files that are included before the text */
    size_t ncommon;
};

struct isa_params {
    const char *chip;        /* -m; NULL: the newest */
    int stage;               /* enum ir_stage, or -1: the program says or does not care */
    bool strict;             /* results of messages are poison until they are waited for */
    const struct isa_linkage *linkage; /* NULL: the instruction set's default */
    bool shorten;            /* parse: the shortest forms, whatever the text asks for, where a language has several */
    const char *entry;       /* symbol or kernel to run; NULL: the first */
    uint64_t base;           /* address where the program is loaded */
    bool no_relax;           /* text: a branch to a symbol is as long as its plain spelling, whatever the distance */
    bool pack; /* text: a plain list of instructions, to be put into as few groups as they fit (isa.packs) */
    bool running; /* check, before a run: remarks about what has no effect on it are left out, and what may or
                   * may not be reached is left to stop the program when it is */
    bool linear;             /* bytes: all of them are instructions, one after the other */
    const char *files_from;  /* parse: the folder that files which a text names must be in; NULL: any */
    uint32_t program;        /* parse: which program of the text, from 0 (isa.programs) */
    const struct isa_language *language; /* parse: what the text is written in; NULL: the set's own text */
    const struct isa_compiling *compiling; /* parse: macros and files for a language; NULL: none */
    const char *env;         /* parse: the environment whose words the set's own text becomes, as spirv/tools.h names
                              * it; NULL: the newest */
    bool labels;             /* print: targets of branches get labels, and branches name them (isa.labels) */
};

/* One instruction of a module: where it is in the encoding and in the printed text. */
struct isa_place {
    uint64_t address;        /* the guest's */
    uint32_t offset, size;   /* bytes in the encoding */
    uint32_t text;           /* offset of its line in the text */
};
struct isa_places {
    struct isa_place *place; /* in the order of the encoding; arena-owned */
    uint32_t count;
};

/* What decoding one instruction knows besides its bytes. */
struct isa_decoder {
    const struct isa *isa;
    const char *chip;        /* one of isa->chips; NULL: the newest */
    uint32_t chip_number;    /* its index in isa->chips */
    int stage;               /* enum ir_stage, or -1 */
};

/* One instruction without a module (weft/insn.h has the meaning of everything here). None of these allocates. */
struct isa_insn_ops {
    /* *out comes with bytes, address and zeros; the rest is set. True: it is known. */
    bool (*decode)(const struct isa_decoder *d, size_t size, struct weft_insn *out);
    /* Of a known instruction; each returns how many there are, at most WEFT_INSN_OPERANDS, WEFT_INSN_FIELDS. The arrays
     * have that room and come filled with zeros. */
    size_t (*operands)(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_operand *operands);
    size_t (*fields)(const struct isa_decoder *d, const struct weft_insn *insn, struct weft_field *fields);
    /* Of any instruction: its line as print makes it, within TEXT_ROOM bytes; `name` may give an address a name. */
    size_t (*text)(const struct isa_decoder *d, const struct weft_insn *insn, const struct weft_format *format,
                   char *text);
    /* What a word of the text is: WEFT_TOKEN_REGISTER, _NUMBER, _LABEL, _MODIFIER or _MNEMONIC. `first`: no mnemonic
     * has come yet. */
    int (*token)(const char *word, size_t length, bool first);
    /* A line of text to the bytes of one instruction, in the arena; NULL: by parse and encode of a program of one line.
     */
    weft_status (*assemble)(const struct isa_decoder *d, const struct source *line, uint64_t address,
                            struct arena *arena, uint8_t **bytes, size_t *size, weft_diags *diags);
    /* See weft_insn_form; at most ISA_FORM_BYTES are written. */
    size_t (*form)(const struct isa_decoder *d, uint32_t row, uint32_t form, uint8_t *bytes, const char **name);
};
enum { ISA_FORM_BYTES = 256 /* no form is longer */ };
enum { ISA_ALL_STAGES = (1 << IR_STAGES) - 1 };

/* A language whose text parse compiles, by an extension of its files. Several lines may have one name. */
struct isa_language {
    const char *name;      /* "glsl" */
    const char *extension; /* "frag" */
    int stage;             /* that the extension says: enum ir_stage, or -1 */
};

/* A program of one instruction set in its own form, arena-owned. Opaque outside its folder. */
struct isa_module;

struct isa {
    const char *name;        /* "tgsi" */
    const char *title;       /* "Gallium TGSI" */
    const char *document;    /* name of its source document */
    const char *const *chips; /* NULL-terminated, newest first; NULL: none */
    const char *extension;   /* of files of its container; NULL: none. Its name is one anyway */
    const char *text_extension; /* another one, of text; NULL: none */
    const struct isa_language *languages; /* ends with an empty one; NULL: none */
    uint32_t stages;         /* that there are programs of: a bit per enum ir_stage */
    bool knows_stage;        /* programs say their own stage */
    bool takes_linkage;      /* isa_params.linkage may be given; otherwise programs say all of it themselves */
    bool takes_base;         /* isa_params.base may be set: instructions have addresses */
    bool takes_entry;        /* isa_params.entry may be set */
    bool packs;              /* isa_params.pack may be set */
    bool labels;             /* isa_params.labels may be set */
    const char *separator;   /* text: between statements on one line; NULL: a blank will do */
    bool lifts_alone; /* what passes check can be lifted, with nothing else given: weft_program_check asks lift too, so
                         that it refuses what a run refuses */
    bool has_places;         /* print tells where instructions are: one line of hex digits each, --addr, --bytes */
    unsigned unit;           /* bytes that an instruction is a multiple of: 4 for tgsi tokens */

    const struct isa_difference *differences; /* in the order of ISA_DIFFERS; ends with an empty one */

    uint32_t nrows;
    void (*row_info)(uint32_t row, struct isa_row_info *info);
    /* Add what takes time to make: of syntax, pattern, operands, modifiers. NULL: row_info has all. */
    void (*row_texts)(uint32_t row, struct isa_row_info *info);
    bool (*row_is)(uint32_t row, const char *word); /* another spelling of its mnemonic; NULL: none */
    /* weft_isa_other_name; *what is "" before. NULL: it has those of `meant`. */
    const char *(*other_name)(size_t index, uint32_t *row, const char **what);
    const struct isa_meant *meant; /* ends with an empty one; NULL: none */

    const struct isa_insn_ops *insn; /* NULL: weft_decoder_new refuses the set */

    /* How many programs a text holds: several in a log of shaders, between lines of other things. isa_params.program
     * says which of them parse reads. At least 1; NULL: a text is one program. */
    uint32_t (*programs)(const struct source *src);
    /* Text to module. Diagnostics carry spans. On errors *out may hold what could be read (for
     * checkers and editors). */
    weft_status (*parse)(const struct source *src, const struct isa_params *params, struct arena *arena,
                         struct isa_module **out, weft_diags *diags);
    /* Module to canonical text, a block of the arena, terminated by a zero byte that does not count. places, unless
     * NULL, gets the instructions, if the instruction set knows places (has_places): every instruction starts a line of
     * its own. */
    weft_status (*print)(const struct isa_module *m, struct arena *arena, char **text, size_t *size,
                         struct isa_places *places);
    /* Bytes (memory order) to module and back. decode(encode(m)) equals m; encode(decode(b)) equals b. */
    weft_status (*decode)(const uint8_t *bytes, size_t size, const char *name, const struct isa_params *params,
                          struct arena *arena, struct isa_module **out, weft_diags *diags);
    weft_status (*encode)(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                          weft_diags *diags);
    /* The same in an ELF file, with sections and symbols; NULL: the instruction set has none. */
    weft_status (*encode_elf)(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                              weft_diags *diags);
    /* The rules beyond syntax. src may be NULL (a decoded module). WEFT_OK with warnings is possible. An unknown word
     * is an error where control comes to it, and a warning elsewhere. */
    weft_status (*check)(const struct isa_module *m, const struct source *src, const struct isa_params *params,
                         weft_diags *diags);
    /* Lane IR, verified but not optimised. The module must have passed check. */
    weft_status (*lift)(const struct isa_module *m, const struct source *src, struct arena *arena,
                        struct ir_program **out, weft_diags *diags);
    int (*stage)(const struct isa_module *m); /* enum ir_stage or -1 */
    /* How many instructions of a decoded module are not known and are kept as data; NULL: decode refuses such. */
    size_t (*unknown)(const struct isa_module *m);
};

/* "vertex, fragment or compute", of the arena: the names of stages, a bit each. NULL without memory. */
const char *isa_stage_names(uint32_t stages, struct arena *arena);

/* isa->check and isa->lift, whose messages about a decoded module are of the file `name`. isa_check also refuses a
 * stage that the instruction set has no programs of. */
weft_status isa_check(const struct isa *isa, const struct isa_module *m, const char *name, const struct source *src,
                      const struct isa_params *params, weft_diags *diags);
weft_status isa_lift(const struct isa *isa, const struct isa_module *m, const char *name, const struct source *src,
                     struct arena *arena, struct ir_program **out, weft_diags *diags);

/* The registry. */
extern const struct isa *const isa_list[]; /* NULL-terminated */
const struct isa *isa_find(const char *name); /* NULL when unknown */
/* A set by the name of it or of a language of it (*language; NULL: the set's own). NULL when unknown. */
const struct isa *isa_find_language(const char *name, const struct isa_language **language);
/* A set by the extension of a file's name, in the same way. */
const struct isa *isa_of_file(const char *file_name, const struct isa_language **language);

#endif
