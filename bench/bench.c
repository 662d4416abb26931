/* bench.c - measures weft, and what it is measured against, in one run. docs/bench.md says how. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: bench [--size WxH] [--float] [--rounds N] [--seconds S] [--no-peers] [--source DIR] [NAME...]\n"
    "\n"
    "Measures the pictures of examples/tgsi/gallery.txt and what else docs/bench.md lists, or what is named.\n";

/* ---- the command line ---- */

bool is_wanted(const struct options *o, const char *name)
{
    for (size_t i = 0; i < o->nwanted; i++) {
        if (!strcmp(o->wanted[i], name))
            return true;
    }
    return o->nwanted == 0;
}

/* gl_peer is beside this program, weft one folder above. */
static void find_programs(struct options *o)
{
    char self[SCENE_PATH - 16];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    snprintf(o->peer, sizeof o->peer, "%s/gl_peer", self);
    snprintf(o->weft, sizeof o->weft, "%s/../weft", self);
}

static bool parse(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        bool ok = true;
        if (!strcmp(word, "--float")) {
            o->is_float = true;
            continue;
        }
        if (!strcmp(word, "--no-peers")) {
            o->no_peers = true;
            continue;
        }
        if (word[0] != '-') {
            if (o->nwanted == MAX_WANTED)
                return false;
            o->wanted[o->nwanted++] = word;
            continue;
        }
        if (!strcmp(word, "--size"))
            ok = sscanf(value, "%ux%u", &o->width, &o->height) == 2;
        else if (!strcmp(word, "--rounds"))
            ok = sscanf(value, "%u", &o->rounds) == 1 && o->rounds >= 1 && o->rounds <= MAX_ROUNDS;
        else if (!strcmp(word, "--seconds"))
            ok = sscanf(value, "%lf", &o->seconds) == 1;
        else if (!strcmp(word, "--source"))
            o->root = value;
        else
            ok = false;
        if (!ok)
            return false;
        i++;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct options o = {.root = BENCH_SOURCE_ROOT, .width = 512, .height = 512, .rounds = 3, .seconds = 0.5};
    find_programs(&o);
    if (!parse(&o, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    if (chdir(o.root) != 0) {
        fprintf(stderr, "bench: %s is not a folder\n", o.root);
        return 2;
    }
    bool ok = bench_pictures(&o);
    ok = bench_workloads(&o) && ok;
    ok = bench_jobs(&o) && ok;
    ok = bench_vpu(&o) && ok;
    if (is_wanted(&o, "language"))
        ok = bench_language() && ok;
    if (is_wanted(&o, "twins"))
        ok = bench_twins(&o) && ok;
    if (is_wanted(&o, "start"))
        bench_start_up(o.weft);
    return ok ? 0 : 1;
}
