/* strip.h - a strip while it is made: strip.c, and what operations in it ask. */
#ifndef WEFT_EXEC_JIT_STRIP_H
#define WEFT_EXEC_JIT_STRIP_H

#include "exec/jit/function.h"

/* Element i is first + i * step, modulo 2^32 (of words joined: 2^64), if `holds` and what the strip's rows and pairs in
 * `rows`, as bits, ask for. Step and `holds` do not change from pass to pass. Scalars; all NULL: nothing is known. */
struct affine {
    V first, step, holds;
    uint32_t rows;
};

/* A row that a pass looks at before it writes it. */
struct kept {
    uint32_t at;
    bool wide, uniform;
    bool carried; /* a pass changes it */
    V begins, phi; /* before the first pass; of a row that is carried: in each */
    /* NULL if nobody asks whether it is affine. `first` is measured; it is `now` in each pass, and then `next`. */
    V first, step, holds, now, next;
    uint32_t rows; /* that `next` is made of */
};

enum { MOST_KEPT = 24, MOST_PAIRS = 8, MOST_SEEN = 128, MOST_ASKED = 32 };

/* Two of them that are low and high words of one number. */
struct pair {
    struct kept *low, *high;
    V first, step, holds, now, next; /* as a kept row's */
    uint32_t rows;
};

struct strip {
    struct kept row[MOST_KEPT];
    uint32_t nrows;
    bool changes;   /* uniform values differ from pass to pass */
    uint32_t bytes; /* of all rows that are carried, in the shadow */
    V goal_at, rest_at, shadow; /* the shadow: where carried rows wait until all chunks are done */
    V goal, pass, went_on;      /* of the current strip: passes to do; passes done; the warp goes on after this one */
    V right; /* in which lanes no operation has met what is rare; NULL: in all */
    LLVMBasicBlockRef header, body, fail, done;
    struct pair pair[MOST_PAIRS];
    unsigned npairs;
    struct {
        V v;
        struct affine is;
    } seen[MOST_SEEN];
    unsigned nseen;
    struct {
        V placeholder, also;
        uint32_t rows;
    } asked[MOST_ASKED];
    unsigned nasked;
};

/* The strip fails unless this holds in all active lanes: what is rare costs a strip nothing but the question. */
void strip_expect(struct gen *g, V holds);

/* affine.c. Of a value of the pass, where the current operation is; of two, low and high words. */
struct affine affine_of(struct gen *g, V v);
struct affine affine_of_words(struct gen *g, V low, V high);
bool affine_is_known(struct affine x);
bool affine_is_still(const struct gen *g, struct affine x); /* `first` is the same in all passes, too */
/* Is it affine, and does `also` hold, which is made in `still`? For use in a pass alone. */
V affine_condition(struct gen *g, struct affine x, V also);
/* At the end of a pass, in two steps: what is to be computed before it branches, and what its last block gives. */
void affine_find_ends(struct gen *g);
void affine_close(struct gen *g, LLVMBasicBlockRef last);

#endif
