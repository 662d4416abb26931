/* module.c - the module weft-spirv.so: what it offers, memory and messages. */
#include "isa/spirv/tools/module.h"

#include <glslang/build_info.h>
#include <stdio.h>
#include <string.h>

/* ---- memory ---- */

void *tools_alloc(struct spirv_result *r, size_t size)
{
    void *p = r->memory.alloc(r->memory.context, size);
    r->no_memory |= !p;
    return p;
}

char *tools_copy(struct spirv_result *r, const char *text, size_t size)
{
    char *copy = tools_alloc(r, size + 1);
    if (copy && size)
        memcpy(copy, text, size);
    return copy;
}

void tools_words(struct spirv_result *r, const uint32_t *word, size_t count)
{
    uint32_t *copy = tools_alloc(r, (count + 1) * sizeof *copy);
    if (copy && count)
        memcpy(copy, word, count * sizeof *copy);
    r->words = (struct spirv_words){copy, copy ? count : 0};
}

/* ---- messages ---- */

void tools_say(struct spirv_result *r, struct spirv_message m, const char *text, size_t size)
{
    if (r->nmessages == r->room) {
        size_t room = r->room ? 2 * r->room : 8;
        struct spirv_message *list = tools_alloc(r, room * sizeof *list);
        if (!list)
            return;
        if (r->nmessages)
            memcpy(list, r->messages, r->nmessages * sizeof *list);
        r->messages = list;
        r->room = room;
    }
    while (size && strchr(" \r\n.", text[size - 1]))
        size--;
    m.text = tools_copy(r, text, size);
    if (m.text)
        r->messages[r->nmessages++] = m;
}

void tools_error(struct spirv_result *r, const char *text)
{
    tools_say(r, (struct spirv_message){.severity = WEFT_ERROR}, text, strlen(text));
}

weft_status tools_status(const struct spirv_result *r)
{
    if (r->no_memory)
        return WEFT_ERROR_MEMORY;
    for (size_t i = 0; i < r->nmessages; i++)
        if (r->messages[i].severity == WEFT_ERROR)
            return WEFT_ERROR_INPUT;
    return WEFT_OK;
}

weft_status tools_no_env(struct spirv_result *r, const char *env)
{
    char text[160];
    snprintf(text, sizeof text, "there is no target environment '%.60s': spv1.0 to spv1.6, vulkan1.0 to vulkan1.3",
             env);
    tools_error(r, text);
    return WEFT_ERROR_USAGE;
}

/* ---- what it offers ---- */

const struct spirv_tools_api *weft_spirv_tools(void);

/* The loader calls it once. */
__attribute__((visibility("default"))) const struct spirv_tools_api *weft_spirv_tools(void)
{
    static char name[80];
    static const struct spirv_tools_api api = {
        SPIRV_TOOLS_VERSION, name, tools_env_known, tools_assemble, tools_disassemble, tools_validate,
        tools_optimize_apart, tools_compile_apart};
    const char *version = tools_version();
    snprintf(name, sizeof name, "SPIRV-Tools %.*s, glslang %d.%d.%d", (int)strcspn(version, " "), version,
             GLSLANG_VERSION_MAJOR, GLSLANG_VERSION_MINOR, GLSLANG_VERSION_PATCH);
    return &api;
}
