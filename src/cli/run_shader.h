/* run_shader.h - weft run SHADER: a compute program on memory of the command line's, without a script. */
#ifndef WEFT_CLI_RUN_SHADER_H
#define WEFT_CLI_RUN_SHADER_H

#include "cli/run_numbers.h"
#include "cli/scene_texture.h"

enum { RUN_BUFFER_BYTES = 1 << 30 /* at most, of a buffer that is given by its size */, RUN_NAMED = 64,
       RUN_UNIFORMS = 256 };

/* What an option binds: number N, or the NAME of a program that has names. */
struct run_label {
    const char *name; /* `length` characters; NULL: by number */
    size_t length;
    uint32_t number;
};

/* A buffer: a file's bytes or numbers, or so many zeros. */
struct run_buffer {
    struct run_label label;
    const char *file; /* NULL: zeros, or not given */
    enum run_numbers type, dump_type;
    uint64_t zeros;
    bool given;
    const char *dump; /* where it goes when the program has run; NULL: nowhere */
};

/* A texture or an image: of files, or an image of zeros. */
struct run_picture {
    struct run_label label;
    bool given;
    struct scene_texture from; /* file NULL: zeros, of its size and format */
    const char *dump;
};

struct run_shader {
    struct cli_target target;
    const char *linkage;
    uint32_t groups[3];
    struct run_buffer buffer[RUN_NAMED];
    struct run_picture texture[RUN_NAMED], image[RUN_NAMED];
    size_t nbuffers, ntextures, nimages;
    const char *uniform[RUN_UNIFORMS]; /* NAME=V[,V...] */
    size_t nuniforms;
    const char *constants[WEFT_RUN_CONSTANTS];
    weft_runner_options options;
    bool stats;
    const char *asked; /* the first option that is about a shader; NULL: there was none */
};

/* Say that a buffer or an image is written which has no contents. False. */
bool run_not_given(const char *what, const struct run_label *label, const char *dump);

/* Take an option of these; false when the value is wrong, having said so. */
bool run_take_buffer(struct run_shader *s, const struct cli_args *a);
bool run_take_dump_buffer(struct run_shader *s, const struct cli_args *a);
bool run_take_texture(struct run_shader *s, const struct cli_args *a);
bool run_take_image(struct run_shader *s, const struct cli_args *a);
bool run_take_dump_image(struct run_shader *s, const struct cli_args *a);
bool run_take_uniform(struct run_shader *s, const struct cli_args *a);
bool run_take_groups(struct run_shader *s, const struct cli_args *a);
bool run_take_constants(struct run_shader *s, const struct cli_args *a);

/* Is the operand a program, by -i or by its name? Otherwise it is a job. */
bool run_is_shader(const struct run_shader *s, const char *path);
/* Run it; an exit status. */
int run_shader(const struct run_shader *s, const char *path);

#endif
