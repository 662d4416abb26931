/* jobs.h - the shaders of the jobs in the repository, which are texts of instruction sets. */
#ifndef WEFT_TESTS_ISA_JOBS_H
#define WEFT_TESTS_ISA_JOBS_H

#include "test.h"

#include <dirent.h>
#include <stdbool.h>

#include "isa/isa.h"

enum { JOB_TEXT = 1 << 16, JOB_FILES = 1000 };

static const struct job_folder {
    const char *name, *format, *isa;
} job_folders[] = {{"tests/amber", "TGSI", "tgsi"},
                   {"tests/amber/tesla", "TESLA-ASM", "tesla"},
                   {"tests/amber/valhall", "VALHALL-ASM", "valhall"},
                   {"tests/amber/rogue", "ROGUE-ASM", "rogue"},
                   {"tests/amber/vpu", "VPU-ASM", "vpu"},
                   {"examples/tgsi", "TGSI", "tgsi"},
                   {"examples/amber", "TGSI", "tgsi"},
                   {"examples/tesla", "TESLA-ASM", "tesla"},
                   {"examples/valhall", "VALHALL-ASM", "valhall"},
                   {"examples/rogue", "ROGUE-ASM", "rogue"},
                   {"examples/vpu", "VPU-ASM", "vpu"}};
enum { JOB_FOLDERS = sizeof job_folders / sizeof *job_folders };

static const struct {
    const char *name;
    enum ir_stage stage;
} job_stages[] = {{"compute", IR_COMPUTE},
                  {"vertex", IR_VERTEX},
                  {"fragment", IR_FRAGMENT},
                  {"geometry", IR_GEOMETRY},
                  {"tessellation_control", IR_TESS_CTRL},
                  {"tessellation_evaluation", IR_TESS_EVAL}};

/* A shader: what it is called, its text and that of its linkage, which has the lines of the text at their places. */
struct job_shader {
    const struct job_folder *folder;
    const char *file, *name, *chip, *text, *links;
    enum ir_stage stage;
};
typedef void job_fn(const struct job_shader *s);

/* Lines of a shader that begin with .link are its linkage: they are blanks in its text, and the others in the other. */
static inline void job_part_links(char *text, char *links)
{
    for (char *line = text, *link = links; *line;) {
        size_t length = strcspn(line, "\n");
        char *blank = strncmp(line, ".link", 5) == 0 ? line : link;
        memcpy(link, line, length + 1);
        memset(blank, ' ', length);
        if (blank == line)
            memset(link, ' ', 5);
        line += length + (line[length] == '\n');
        link += length + 1;
        *link = '\0';
    }
}

/* Each "SHADER stage name FORMAT", to its END. */
static inline void job_each_shader(const struct job_folder *f, char *text, const char *file, job_fn *fn)
{
    static char links[JOB_TEXT];
    for (char *at = text; (at = strstr(at, "\nSHADER ")); at++) {
        char stage[40], name[100], format[40], env[20] = "";
        char *begin = strchr(at + 1, '\n'), *end = begin ? strstr(begin, "\nEND\n") : NULL;
        if (!end || sscanf(at, " SHADER %39s %99s %39s TARGET_ENV \"%19[a-z0-9]", stage, name, format, env) < 3 ||
            strcmp(format, f->format) != 0)
            continue;
        struct job_shader s = {f, file, name, *env ? env : NULL, begin + 1, links, IR_STAGES};
        *end = '\0';
        links[0] = '\0';
        if (isa_find(f->isa)->takes_linkage)
            job_part_links(begin + 1, links);
        for (size_t i = 0; i < sizeof job_stages / sizeof *job_stages; i++)
            if (strcmp(job_stages[i].name, stage) == 0)
                s.stage = job_stages[i].stage;
        if (s.stage != IR_STAGES)
            fn(&s);
        at = end;
        *end = '\n';
    }
}

static inline int job_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Those of a folder's jobs, by the names of files. */
static inline void job_each_of(const struct job_folder *f, job_fn *fn)
{
    static char text[JOB_TEXT], path[4096];
    char *names[JOB_FILES];
    size_t n = 0;
    snprintf(path, sizeof path, "%s/%s", WEFT_SOURCE_ROOT, f->name);
    DIR *dir = opendir(path);
    for (const struct dirent *e; dir && (e = readdir(dir));)
        if (strstr(e->d_name, ".amber") && n < JOB_FILES)
            names[n++] = strdup(e->d_name);
    if (dir)
        closedir(dir);
    qsort(names, n, sizeof *names, job_compare);
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", WEFT_SOURCE_ROOT, f->name, names[i]);
        FILE *in = fopen(path, "rb");
        size_t size = in ? fread(text, 1, JOB_TEXT - 1, in) : 0;
        text[size] = '\0';
        if (in)
            fclose(in);
        job_each_shader(f, text, names[i], fn);
        free(names[i]);
    }
}

#endif
