/* interface.h - what a SPIR-V program names: its uniforms, textures, inputs and outputs, from the module's words. */
#ifndef WEFT_CLI_INTERFACE_H
#define WEFT_CLI_INTERFACE_H

#include "cli/cli.h"

/* The words of a program. Names that it keeps point into them. */
struct interface {
    uint32_t *word; /* NULL: not a SPIR-V program, or an empty one */
    size_t count;
    uint32_t bound;
    uint32_t *at; /* of each id, where it is made; 0: nowhere */
    bool hlsl;    /* its source: what SPIR-V calls a column of a matrix is a row there */
    bool changed; /* by interface_renumber: the words are not the program's */
};

/* Those of the programs that run together. */
struct interfaces {
    const struct interface *list;
    size_t count;
};

/* False: no memory, having said so. Free it either way. */
bool interface_read(const weft_program *program, struct interface *f);
void interface_free(struct interface *f);

/* The number of a texture that a GLSL shader declares and does not use: its binding may be that of another one. */
#define INTERFACE_UNUSED UINT32_MAX

/* INTERFACE_BLOCK is of constants: uniforms or push constants. INTERFACE_BUFFER is a block that programs store to.
 * INTERFACE_SAMPLER is apart from its textures, as HLSL has it. */
enum interface_kind { INTERFACE_INPUT, INTERFACE_OUTPUT, INTERFACE_BLOCK, INTERFACE_TEXTURE, INTERFACE_SAMPLER,
                      INTERFACE_BUFFER, INTERFACE_IMAGE };

/* A variable of the interface. */
struct interface_variable {
    uint32_t id, type; /* the type that it points to */
    const char *name;  /* of a block, that of the block */
    const char *instance; /* of a block: the name of the variable, or "" */
    enum interface_kind kind;
    bool loose;      /* the block that loose uniforms are members of */
    bool push;       /* the block of push constants */
    uint32_t number; /* location, or number of the constant buffer, texture, buffer or image */
    uint32_t elements; /* of all but inputs and outputs: with numbers one after the other; more than 1: an array */
};

/* What an image is: the enum ir_tex_dim of its kind, whether it is an array, and the name of its format as Vulkan
 * spells it; NULL: it has none. */
struct interface_image {
    uint8_t dim;
    bool array;
    const char *format;
};
struct interface_image interface_image(const struct interface *f, const struct interface_variable *v);

/* The variables one after the other, *at from 0; false: there are no more. Builtins are left out. */
bool interface_next(const struct interface *f, size_t *at, struct interface_variable *v);

/* Give a variable another location, constant buffer or texture. */
void interface_renumber(struct interface *f, const struct interface_variable *v, uint32_t number);

/* Put a program of the changed words, in `language`, in the place of *program. */
weft_status interface_remake(const struct interface *f, const char *language, const char *name,
                             const weft_program_options *options, weft_diags *diags, weft_program **program);

/* A value in a constant buffer. */
struct interface_place {
    uint32_t type, offset, buffer;
    uint32_t matrix_stride;
    bool row_major;
    bool blocks; /* an array of blocks, each with a buffer of its own: index it first */
};

/* Member `index` of a block, or of a structure; false: there are not so many. */
bool interface_member(const struct interface *f, const struct interface_place *of, uint32_t index,
                      struct interface_place *out, const char **name);
/* The value that a block is. */
struct interface_place interface_block(const struct interface_variable *v);
/* What a path "NAME", "NAME[2].member" means below the variables; false: nothing. */
bool interface_find(const struct interface *f, const char *path, struct interface_place *out);

/* How many elements an array has; 0: the value is not an array. */
uint32_t interface_elements(const struct interface *f, const struct interface_place *p);

/* What a scalar is. */
enum interface_scalar { INTERFACE_OTHER, INTERFACE_FLOAT, INTERFACE_INT, INTERFACE_UINT };

/* Each scalar of a value in the order of a command line: columns of matrices (as the source has them), elements of
 * arrays, members. */
typedef void interface_each(void *context, uint32_t offset, enum interface_scalar kind, uint32_t bytes);
void interface_scalars(const struct interface *f, const struct interface_place *p, interface_each *each, void *context);

#endif
