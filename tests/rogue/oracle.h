/* oracle.h - one instruction against a plain function: sources in r4 to r9, P0 set or not, results in r0, r1 and P0. */
#ifndef WEFT_TESTS_ROGUE_ORACLE_H
#define WEFT_TESTS_ROGUE_ORACLE_H

#include "machine.h"

enum { SOURCES = 6 };

struct in {
    uint32_t a, b, c, d, e, f; /* r4 to r9 */
    bool p0;
    uint32_t r0, r1; /* what was in them before */
};
struct out {
    uint32_t r0, r1;
    bool p0;
};

static inline void oracle_run(struct machine *m, const struct in x[LANES], struct out got[LANES])
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        const uint32_t v[SOURCES] = {x[lane].a, x[lane].b, x[lane].c, x[lane].d, x[lane].e, x[lane].f};
        machine_put(m, ROGUE_FILE_R, 0, lane, x[lane].r0);
        machine_put(m, ROGUE_FILE_R, 1, lane, x[lane].r1);
        for (unsigned i = 0; i < SOURCES; i++)
            machine_put(m, ROGUE_FILE_R, 4 + i, lane, v[i]);
        machine_put(m, ROGUE_FILE_P0, 0, lane, x[lane].p0 ? UINT32_MAX : 0);
    }
    assert_true(machine_run(m));
    for (unsigned lane = 0; lane < LANES; lane++)
        got[lane] = (struct out){machine_get(m, ROGUE_FILE_R, 0, lane), machine_get(m, ROGUE_FILE_R, 1, lane),
                                 machine_get(m, ROGUE_FILE_P0, 0, lane) != 0};
}

#endif
