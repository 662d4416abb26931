/* api.h - what the module weft-spirv.so offers the library: functions of C, memory by callback. */
#ifndef WEFT_ISA_SPIRV_TOOLS_API_H
#define WEFT_ISA_SPIRV_TOOLS_API_H

#include "isa/spirv/tools.h"

#define SPIRV_TOOLS_SYMBOL "weft_spirv_tools"
enum { SPIRV_TOOLS_VERSION = 1 };

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of the caller's: zeroed, aligned to 16 bytes, NULL when there is no more. */
struct spirv_memory {
    void *(*alloc)(void *context, size_t size);
    void *context;
};

/* What a call gives back. Messages are a list that grows. */
struct spirv_result {
    struct spirv_memory memory;
    struct spirv_words words;
    const char *text;
    size_t size;
    struct spirv_message *messages;
    size_t nmessages, room;
    bool no_memory;
};

struct spirv_tools_api {
    int version;
    const char *name;
    bool (*env_known)(const char *env);
    weft_status (*assemble)(const char *text, size_t size, const char *env, bool keep_ids, struct spirv_result *r);
    weft_status (*disassemble)(struct spirv_words words, const struct spirv_text_options *o, struct spirv_result *r);
    weft_status (*validate)(struct spirv_words words, const struct spirv_validate_options *o, struct spirv_result *r);
    weft_status (*optimize)(struct spirv_words words, const char *env, const char *const *flags, size_t nflags,
                            struct spirv_result *r);
    weft_status (*compile)(const struct spirv_source *source, struct spirv_result *r);
};
typedef const struct spirv_tools_api *spirv_tools_fn(void);

#ifdef __cplusplus
}
#endif
#endif
