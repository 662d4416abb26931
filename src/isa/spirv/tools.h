/* tools.h - SPIRV-Tools and glslang, which are in the module weft-spirv.so: assembling, disassembling, validating and
 * optimising SPIR-V, and GLSL and HLSL to SPIR-V.
 *
 * The module is loaded at the first call of any of these but spirv_tools_missing. Any thread may call. Results live in
 * the arena of the call. What the tools say comes as a list; spirv_report makes diagnostics of it.
 *
 * Environments are named as SPIRV-Tools names them: "spv1.0" to "spv1.6", "vulkan1.0" to "vulkan1.3",
 * "vulkan1.1spv1.4", "opengl4.5". */
#ifndef WEFT_ISA_SPIRV_TOOLS_H
#define WEFT_ISA_SPIRV_TOOLS_H

#include "base/arena.h"
#include "base/diag.h"
#include "isa/spirv/words.h"

#include <weft/isa.h>

/* One thing that a tool said. */
struct spirv_message {
    weft_severity severity;
    const char *file;      /* the included file that it is about; NULL: the text that was handed over */
    uint32_t line, column; /* from 1; 0: the tool does not say */
    uint32_t length;       /* of what is meant, if the column is known; 0: not known */
    uint32_t insn;         /* of validate: the number of the instruction in the module, from 1; 0: none */
    const char *text;
};

struct spirv_messages {
    const struct spirv_message *list;
    size_t count;
};

/* What does the work of these calls ("SPIRV-Tools v2023.1, glslang 12.0.0"). NULL: the module cannot be loaded, or
 * weft was built without it, and spirv_tools_missing says what to do about that. Static texts. */
const char *spirv_tools_name(void);
const char *spirv_tools_missing(void);

/* Whether there is an environment of that name. False without the module too. */
bool spirv_env_known(const char *env);

/* All of the following return WEFT_OK, or WEFT_ERROR_INPUT (see the messages, of which one at least is an error),
 * WEFT_ERROR_USAGE (no environment or option of that name), WEFT_ERROR_UNSUPPORTED (no module; the message says what to
 * install) or WEFT_ERROR_MEMORY. Messages are written in any case, and are warnings and notes if all went well. */

/* Text to words. env NULL: "spv1.6". keep_ids: %7 is id 7, where it can be. */
weft_status spirv_assemble(const char *text, size_t size, const char *env, bool keep_ids, struct arena *a,
                           struct spirv_words *out, struct spirv_messages *messages);

struct spirv_text_options {
    bool names;   /* ids as their OpName says, types as what they are, not as numbers */
    bool indent;  /* the opcodes in one column */
    bool offsets; /* a comment with the byte offset after each instruction */
    bool header;  /* the comments with version, generator and bound in front */
};

/* Words to text, with a 0 after its *size bytes. options NULL: numbers, nothing else. */
weft_status spirv_disassemble(struct spirv_words words, const struct spirv_text_options *options, struct arena *a,
                              const char **text, size_t *size, struct spirv_messages *messages);

struct spirv_validate_options {
    const char *env;     /* NULL: the universal one of the version that the module says */
    bool scalar_layout;  /* VK_EXT_scalar_block_layout */
    bool std430_uniform; /* VK_KHR_uniform_buffer_standard_layout */
    bool relaxed_layout; /* VK_KHR_relaxed_block_layout, which environments from vulkan1.1 on have anyway */
    bool workgroup_scalar_layout;
    bool local_size_id;
};

/* Whether the module keeps the rules. options NULL: all defaults. */
weft_status spirv_validate(struct spirv_words words, const struct spirv_validate_options *options, struct arena *a,
                           struct spirv_messages *messages);

/* The optimiser with flags of its command line: "-O", "-Os", "--eliminate-dead-branches", ... It does not validate
 * first. env NULL: "spv1.6". */
weft_status spirv_optimize(struct spirv_words words, const char *env, const char *const *flags, size_t nflags,
                           struct arena *a, struct spirv_words *out, struct spirv_messages *messages);

struct spirv_text {
    const char *name; /* what messages call it */
    const char *text;
    size_t size;
};

/* Find an included file: `name` as it is written, `includer` the name of the text that it is in, `angle` for <name>.
 * False: none; the text is NULL or says why. What is found lives until the call is over. */
typedef bool spirv_include_fn(void *context, const char *name, const char *includer, bool angle,
                              struct spirv_text *out);

enum spirv_language { SPIRV_GLSL, SPIRV_HLSL };

/* What compiles. Zeroes are defaults. */
struct spirv_source {
    struct spirv_text text; /* its name is what debug information and `includer` call it */
    enum spirv_language language;
    weft_stage stage;
    const char *env;      /* NULL: "vulkan1.0" */
    const char *entry;    /* the function that begins; NULL: "main" */
    const char *preamble; /* lines before the text that do not count, after #version; NULL: none */
    bool debug;           /* with OpLine and the source */
    bool opengl;          /* OpenGL's rules instead of Vulkan's */
    bool loose;           /* Vulkan's rules, and loose uniforms are members of a block gl_DefaultUniformBlock */
    bool map;             /* give locations and bindings to what has none */
    int version;          /* as if #version said so, whatever it says; 0: what it says */
    bool es;              /* with version: of OpenGL ES */
    spirv_include_fn *include; /* NULL: nothing can be included */
    void *context;
};

weft_status spirv_compile(const struct spirv_source *source, struct arena *a, struct spirv_words *out,
                          struct spirv_messages *messages);

/* Add the messages as diagnostics with this code; NULL: "shader-compiler", or "unsupported" if there is no module.
 * Those about lines are at a place of `src`, if it is not NULL. Those about an included file name that; `includes` have
 * their texts for the caret. */
void spirv_report(const struct spirv_messages *messages, const struct source *src, const struct spirv_text *includes,
                  size_t nincludes, const char *code, weft_diags *diags);

#endif
