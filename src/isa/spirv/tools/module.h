/* module.h - what the files of the module share.
 *
 *   module.c       what the module offers; memory and messages
 *   assembly.c     SPIRV-Tools: text, words, rules
 *   optimize.cpp   SPIRV-Tools' optimiser, which has no interface of C in the versions of 2023
 *   compile.cpp    glslang; its interface of C has neither includes nor entry points in version 12
 *   apart.c        the process that glslang works in
 *   link.c         what goes between that process and weft
 *   log.c          glslang's messages, which are a text */
#ifndef WEFT_ISA_SPIRV_TOOLS_MODULE_H
#define WEFT_ISA_SPIRV_TOOLS_MODULE_H

#include "isa/spirv/tools/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of the result; NULL without, which the result remembers. */
void *tools_alloc(struct spirv_result *r, size_t size);
char *tools_copy(struct spirv_result *r, const char *text, size_t size);
/* Words copied into the result. */
void tools_words(struct spirv_result *r, const uint32_t *word, size_t count);
/* Add a message whose text (size bytes) is copied. */
void tools_say(struct spirv_result *r, struct spirv_message m, const char *text, size_t size);
void tools_error(struct spirv_result *r, const char *text);
/* How the call ends: INPUT if a message is an error. */
weft_status tools_status(const struct spirv_result *r);
/* An environment of that name that SPIRV-Tools does not know. */
weft_status tools_no_env(struct spirv_result *r, const char *env);

/* Of SPIRV-Tools: "v2023.1 ..."; static. */
const char *tools_version(void);
bool tools_env_known(const char *env);
weft_status tools_assemble(const char *text, size_t size, const char *env, bool keep_ids, struct spirv_result *r);
weft_status tools_disassemble(struct spirv_words words, const struct spirv_text_options *o, struct spirv_result *r);
weft_status tools_validate(struct spirv_words words, const struct spirv_validate_options *o, struct spirv_result *r);
weft_status tools_optimize(struct spirv_words words, const char *env, const char *const *flags, size_t nflags,
                           struct spirv_result *r);
/* The optimiser's passes that make what comes of HLSL a legal module. */
weft_status tools_legalize(struct spirv_words words, const char *env, struct spirv_result *r);
weft_status tools_compile(const struct spirv_source *source, struct spirv_result *r);
/* The same in a process of its own, where there can be one. */
weft_status tools_compile_apart(const struct spirv_source *source, struct spirv_result *r);
weft_status tools_optimize_apart(struct spirv_words words, const char *env, const char *const *flags, size_t nflags,
                                 struct spirv_result *r);

/* Messages from a log of glslang's. texts[0] is what was compiled, the others what it included. */
void tools_read_log(struct spirv_result *r, const char *log, const struct spirv_text *texts, size_t ntexts);

#ifdef __cplusplus
}
#endif
#endif
