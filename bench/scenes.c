/* scenes.c - the gallery's list, and what the peers need to know of its pictures. */
#include "scenes.h"

#include "tools/gallery_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void find_twin(struct example *s)
{
    snprintf(s->shader, sizeof s->shader, "bench/glsl/%s.frag", s->name);
    snprintf(s->vertex, sizeof s->vertex, "bench/glsl/%s.vert", s->name);
    const bool quad = scene_is_quad(&s->args);
    if (access(s->shader, R_OK) != 0 || (!quad && access(s->vertex, R_OK) != 0))
        s->shader[0] = '\0';
    if (quad)
        s->vertex[0] = '\0';
    s->texture[0] = '\0';
    if (s->args.texture[0].file)
        snprintf(s->texture, sizeof s->texture, "%.*s", (int)s->args.texture[0].length, s->args.texture[0].file);
    s->mipmap = s->args.texture[0].mip == WEFT_MIP_LINEAR;
}

/* Jobs are pictures of more than one shader: workload.c and jobs.c measure such. */
static bool is_job(const char *file)
{
    const char *end = strrchr(file, '.');
    return end && strcmp(end, ".amber") == 0;
}

size_t read_gallery(struct example *scenes, char **text)
{
    static const char path[] = "examples/tgsi/gallery.txt";
    struct cli_bytes in;
    size_t count = 0;
    *text = NULL;
    if (!cli_read(path, &in))
        return 0;
    *text = in.data;
    struct gallery_list list = {.name = path, .rest = in.data};
    struct gallery_entry e;
    while (count < MAX_SCENES && gallery_next(&list, &e)) {
        struct example *s = &scenes[count];
        if (is_job(e.file))
            continue;
        s->name = e.name;
        if (gallery_scene(&e, &s->args)) {
            find_twin(s);
            count++;
        }
    }
    return count;
}

weft_program *load_program(const char *path)
{
    const struct cli_target target = {.stage = WEFT_STAGE_NONE};
    struct cli_bytes in;
    weft_program *program = NULL;
    const weft_isa *isa = cli_isa(&target, &gallery_command, path);
    if (!isa || !cli_read(path, &in))
        return NULL;
    weft_diags *diags = weft_diags_new();
    cli_program(&target, isa, &in, NULL, diags, &program);
    cli_report(diags);
    weft_diags_free(diags);
    free(in.data);
    return program;
}

weft_engine bench_engine(void)
{
    const char *said = getenv("WEFT_ENGINE");
    bool interpreted = said && strcmp(said, "interp") == 0;
    return interpreted || !weft_jit() ? WEFT_ENGINE_INTERP : WEFT_ENGINE_JIT;
}
