/* test_texts.c - what the JIT would compile of programs that are always the same, as text: every op with every type,
 * from everywhere, with its attributes; lanes, registers, memory, stages, flow, loops, programs that grow, random ones.
 * Tests that compile take long, and try a part each run: what is made of one op, type, form or level could change
 * unseen. texts.txt has a number for each kind as it was when somebody looked last. WEFT_TEST_SHOW=KIND shows what the
 * number is made of; WEFT_TEST_RENEW=1 writes the file anew. */
#include "texts.h"

#include "exec/exec.h"
#include "snapshot.h"

static void texts_are_as_they_were(void **state)
{
    (void)state;
    const char *name = exec_jit_name();
    assert_non_null(name);
    char first[80];
    snprintf(first, sizeof first, "made by: %s\n", name);
    if (!getenv("WEFT_TEST_RENEW") && !snapshot_begins(WEFT_TEXTS, first)) /* another LLVM folds other constants */
        skip();
    texts_of_ops();
    texts_of_pairs();
    texts_of_lanes();
    texts_of_registers();
    texts_of_memory();
    texts_of_stages();
    texts_of_flow();
    texts_of_loops();
    texts_of_growing();
    texts_of_rare();
    texts_of_random();
    snapshot_compare_tried(WEFT_TEXTS, list_kinds(name), snapshot_tries_line);
}

TEST_MAIN(TEST(texts_are_as_they_were))
