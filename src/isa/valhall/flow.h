/* flow.h - where control goes in a program, and its basic blocks. */
#ifndef WEFT_ISA_VALHALL_FLOW_H
#define WEFT_ISA_VALHALL_FLOW_H

#include "isa/valhall/linkage.h"
#include "isa/valhall/valhall.h"

enum { VALHALL_NOWHERE = UINT32_MAX };

/* Where control goes after one instruction: numbers of instructions, VALHALL_NOWHERE: it does not. They may be beyond
 * the program, which is an error for the checker to tell. */
struct valhall_way {
    uint32_t next;    /* the one that follows */
    uint32_t target;  /* that of a branch */
    bool conditional; /* both are possible */
    bool diverges;    /* lanes may go either way: the source is in a register */
    bool outside;     /* or to a place that the program does not say (BRANCHZI) */
};
struct valhall_way valhall_way_of(const struct valhall_insn *insn);

/* Where a BLEND goes on: after its fixed functions; at the next instruction, which calls the blend shader; lanes say.
 */
enum valhall_blend_path { VALHALL_BLEND_FIXED, VALHALL_BLEND_SHADER, VALHALL_BLEND_EITHER };
enum valhall_blend_path valhall_blend_path(const struct valhall_linkage *link, const struct valhall_insn *insn);
/* As valhall_way_of, with what the linkage says about blend shaders (NULL: nothing). */
struct valhall_way valhall_linked_way_of(const struct valhall_linkage *link, const struct valhall_insn *insn);

/* Whether a branch is taken whatever the registers hold: 1 always, 0 never, -1 it depends. */
int valhall_branch_taken(const struct valhall_insn *insn);

struct valhall_block {
    uint32_t first, count;   /* instructions */
    uint32_t next, target;   /* blocks; VALHALL_NOWHERE */
    bool entry;              /* control comes in from outside: the first instruction, and every one after zeros */
};

struct valhall_blocks {
    struct valhall_block *blocks; /* by address; zero words and other data are in none */
    uint32_t count;
    uint32_t *block_of;      /* by instruction; VALHALL_NOWHERE: data */
};

/* The blocks of a program, from an arena. False without memory. */
bool valhall_find_blocks(const struct isa_module *m, struct arena *arena, struct valhall_blocks *flow);

/* Whether control comes to a word: from the first instruction, and in a vertex program from its second part. */
enum valhall_reached { VALHALL_UNREACHED, VALHALL_MAYBE, VALHALL_SURELY };

struct valhall_reach {
    uint8_t *word;           /* enum valhall_reached, by word */
    uint32_t second;         /* a vertex program's second part, which writes its varyings; 0: it has none */
    bool anywhere;           /* some branch goes to an address that the program does not say */
};

/* Without a linkage nothing is known about blend shaders, and where `anywhere` is set there may be other words that
 * control comes to. With one these are marked too. False without memory. */
bool valhall_find_reach(const struct isa_module *m, int stage, const struct valhall_linkage *link, struct arena *arena,
                        struct valhall_reach *reach);

#endif
