/* scene_names.c - locations and bindings by name (scene_names.h). */
#include "cli/scene_names.h"

#include <string.h>
#include <strings.h>

enum { MOST_LOCATIONS = 48, PUSH_BUFFER = 15 };

/* Parts of names, in any case, and what the mesh has under them: of a vertex program's inputs, and of a fragment
 * program's without a vertex program. */
static const struct {
    const char *part;
    uint32_t attribute, varying;
} mesh_names[] = {
    {"norm", 1, 1}, {"uv", 2, 0}, {"tex", 2, 0}, {"coord", 2, 0}, {"pos", 0, 2}, {"vert", 0, 2},
};

/* Whether the name has the part. "vertex" does not have "tex". */
static bool has_part(const char *name, const char *part)
{
    const char *at = name;
    while ((at = strcasestr(at, part))) {
        if (strcmp(part, "tex") != 0 || at - name < 3 || strncasecmp(at - 3, "vertex", 6) != 0)
            return true;
        at++;
    }
    return false;
}

static bool on_mesh(const char *name, bool attribute, uint32_t *location)
{
    for (size_t i = 0; i < sizeof mesh_names / sizeof *mesh_names; i++)
        if (has_part(name, mesh_names[i].part)) {
            *location = attribute ? mesh_names[i].attribute : mesh_names[i].varying;
            return true;
        }
    return false;
}

static bool remake(struct scene_program *p, const struct interface *f, weft_diags *diags)
{
    weft_program_options options;
    weft_program_options_init(&options);
    options.stage = p->stage;
    options.entry = p->entry;
    options.linkage = p->linkage.data;
    options.linkage_size = p->linkage.size;
    options.linkage_name = p->linkage.name;
    return interface_remake(f, p->language, p->name, &options, diags, &p->program) == WEFT_OK;
}

static void name_mesh(struct interface *f, bool attribute)
{
    struct interface_variable v;
    uint32_t location;
    for (size_t at = 0; interface_next(f, &at, &v);)
        if (v.kind == INTERFACE_INPUT && on_mesh(v.name, attribute, &location))
            interface_renumber(f, &v, location);
}

static bool output_named(const struct interface *f, const char *name, struct interface_variable *v)
{
    for (size_t at = 0; interface_next(f, &at, v);)
        if (v->kind == INTERFACE_OUTPUT && strcmp(v->name, name) == 0)
            return true;
    return false;
}

/* Fragment inputs have the locations of the vertex program's outputs; what it does not have comes after them all. */
static void name_inputs(struct interface *fragment, const struct interface *vertex)
{
    struct interface_variable v, output;
    uint32_t next = MOST_LOCATIONS;
    for (size_t at = 0; interface_next(fragment, &at, &v);)
        if (v.kind == INTERFACE_INPUT)
            interface_renumber(fragment, &v, output_named(vertex, v.name, &output) ? output.number : next++);
}

/* glslang gives an array of textures or blocks one binding; here each element takes a number. */
static void number_arrays(struct interface *f, enum interface_kind kind)
{
    struct interface_variable v;
    uint32_t next = 0;
    bool arrays = false;
    for (size_t at = 0; interface_next(f, &at, &v);)
        arrays |= v.kind == kind && v.elements > 1;
    for (size_t at = 0; arrays && interface_next(f, &at, &v);)
        if (v.kind == kind && !v.push && v.number != INTERFACE_UNUSED) {
            interface_renumber(f, &v, next);
            next += v.elements;
        }
}

static bool same_uniform(const struct interface *f, const struct interface_variable *of, struct interface_variable *v)
{
    for (size_t at = 0; interface_next(f, &at, v);)
        if (v->kind == of->kind && !v->loose && strcmp(v->name, of->name) == 0)
            return true;
    return false;
}

/* Blocks and textures that both programs have are one; others of the vertex program count down from the last. */
static void name_uniforms(struct interface *vertex, const struct interface *fragment)
{
    struct interface_variable v, other;
    uint32_t buffer = PUSH_BUFFER, texture = WEFT_MAX_TEXTURES;
    for (size_t at = 0; interface_next(vertex, &at, &v);) {
        bool shared = !v.loose && same_uniform(fragment, &v, &other);
        if (v.kind == INTERFACE_BLOCK && shared)
            interface_renumber(vertex, &v, other.number);
        else if (v.kind == INTERFACE_BLOCK && !v.push) {
            buffer -= v.elements < buffer ? v.elements : buffer;
            interface_renumber(vertex, &v, buffer);
        } else if (v.kind == INTERFACE_TEXTURE && shared)
            interface_renumber(vertex, &v, other.number);
        else if (v.kind == INTERFACE_TEXTURE && v.number != INTERFACE_UNUSED) {
            texture -= v.elements < texture ? v.elements : texture;
            interface_renumber(vertex, &v, texture);
        }
    }
}

bool scene_meet(struct scene *scene, const struct scene_args *args, weft_diags *diags)
{
    struct interface *f = &scene->interface[SCENE_FRAGMENT], *v = &scene->interface[SCENE_VERTEX];
    struct scene_program *fragment = &scene->program[SCENE_FRAGMENT], *vertex = &scene->program[SCENE_VERTEX];
    bool names = fragment->glsl && !fragment->locations;
    if (fragment->glsl && !fragment->bindings) {
        number_arrays(f, INTERFACE_TEXTURE);
        number_arrays(f, INTERFACE_BLOCK);
    }
    if (vertex->glsl && !vertex->locations)
        name_mesh(v, true);
    if (vertex->glsl && !vertex->bindings)
        name_uniforms(v, f);
    if (names && vertex->glsl)
        name_inputs(f, v);
    else if (names && !vertex->program && !scene_is_quad(args))
        name_mesh(f, false);
    return (!f->changed || remake(fragment, f, diags)) && (!v->changed || remake(vertex, v, diags));
}
