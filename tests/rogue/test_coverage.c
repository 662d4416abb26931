/* test_coverage.c - every instruction has an oracle: the list of coverage.h is complete, what it gives to the jobs is
 * in one of them, and all are executed. */
#include "coverage.h"

#include <dirent.h>
#include <stdlib.h>

static char *jobs; /* the texts of all jobs */
static size_t jobs_size;

static void read_jobs(const char *folder)
{
    DIR *d = opendir(folder);
    const struct dirent *e;
    while (d && (e = readdir(d))) {
        char path[4096];
        const char *end = strrchr(e->d_name, '.');
        if (!end || strcmp(end, ".amber") != 0 || strstr(e->d_name, ".refused."))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        FILE *f = fopen(path, "rb");
        char buffer[4096];
        for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;) {
            char *grown = realloc(jobs, jobs_size + n + 1);
            if (!grown)
                abort();
            jobs = grown;
            memcpy(jobs + jobs_size, buffer, n);
            jobs[jobs_size += n] = '\0';
        }
        if (f)
            fclose(f);
    }
    if (d)
        closedir(d);
}

/* A whole word with its dots, maybe with more dots after it. */
static bool is_in_jobs(const char *name)
{
    size_t length = strlen(name);
    for (const char *p = jobs; p && (p = strstr(p, name)); p += length)
        if (p > jobs && strchr(" \n:", p[-1]) && strchr(" .\n", p[length]))
            return true;
    return false;
}

static void test_list(void **state)
{
    (void)state;
    read_jobs(WEFT_SOURCE_ROOT "/tests/amber/rogue");
    for (unsigned op = 0; op < ROGUE_OPS; op++) {
        const struct rogue_row *row = &rogue_rows()[op];
        if (oracle_places[op] == BY_NOTHING)
            fail_msg("'%s' (row %u) has no oracle", row->name, op);
        if (!row->lift)
            fail_msg("'%s' (row %u) is not executed", row->name, op);
        if (oracle_places[op] == BY_JOBS && !is_in_jobs(row->name))
            fail_msg("no job has '%s'", row->name);
    }
    free(jobs);
}

TEST_MAIN(TEST(test_list))
