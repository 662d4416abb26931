/* vkscript.h - what the parts of the VkScript parser share. */
#ifndef WEFT_SCRIPT_VKSCRIPT_H
#define WEFT_SCRIPT_VKSCRIPT_H

#include "script/parse.h"

/* A buffer that commands name by set and binding. */
struct vk_buffer {
    enum script_bind as; /* STORAGE, UNIFORM, PUSH_CONSTANT */
    uint32_t set, binding;
    struct script_buffer *buffer;
};

struct vk {
    struct parser *ps;
    struct script_pipeline *pipeline; /* as the next command finds it */
    bool used;                        /* a command has it: a change makes another one */
    struct script_buffer *color, *depth;
    struct vk_buffer *buffers;
    struct list_size nbuffers, shaders, vertex_data, commands;
    struct script_tolerance tolerance[4];
    uint32_t ntolerances;
    float clear_color[4], clear_depth;
    uint32_t clear_stencil;
};

/* A new buffer of the script; NULL without memory. */
struct script_buffer *vk_add_buffer(struct vk *v, const char *name, struct span where);
/* Its type. False: an error. */
bool vk_set_type(struct vk *v, struct script_buffer *b, const struct script_type *type);
/* Before the pipeline changes: another one, if a command has this one. */
bool vk_change(struct vk *v);

void vk_parse_vertex_data(struct vk *v); /* vkscript_vertex.c: the sections [vertex data] and [indices] */
void vk_parse_indices(struct vk *v);
void vk_parse_test(struct vk *v);        /* vkscript_test.c: the section [test] */
/* vkscript_state.c: a command that sets a part of the pipeline; *known tells whether it was one. */
bool vk_parse_state(struct vk *v, bool *known);

#endif
