/* listing.c - text with the comments that disassemblers write before it: version, generator, bound (listing.h). */
#include "isa/spirv/listing.h"
#include "isa/spirv/spirv.h"

#include <stdlib.h>
#include <string.h>

/* What a comment says after its name. */
struct comment {
    const char *text; /* NULL: it is not there */
    size_t size;
};

static struct comment comment_of(const struct source *src, const char *name)
{
    size_t length = strlen(name);
    for (size_t at = 0; at < src->size && strchr(";\n\r", src->text[at]);) {
        const char *line = src->text + at, *end = memchr(line, '\n', src->size - at);
        size_t size = end ? (size_t)(end - line) : src->size - at;
        at += size + 1;
        while (size && line[size - 1] == '\r')
            size--;
        if (size > length && memcmp(line, name, length) == 0)
            return (struct comment){line + length, size - length};
    }
    return (struct comment){NULL, 0};
}

static uint32_t number(const char *text, size_t size)
{
    char digits[12] = "";
    for (size_t i = 0; i < size && i + 1 < sizeof digits && text[i] >= '0' && text[i] <= '9'; i++)
        digits[i] = text[i];
    unsigned long n = strtoul(digits, NULL, 10);
    return n < UINT32_MAX ? (uint32_t)n : 0;
}

/* The environment of the version. NULL: none. */
static const char *env_of(const struct source *src)
{
    static const char *const envs[] = {"spv1.0", "spv1.1", "spv1.2", "spv1.3", "spv1.4", "spv1.5", "spv1.6"};
    struct comment version = comment_of(src, "; Version: 1.");
    unsigned minor = version.size == 1 ? (unsigned char)*version.text - (unsigned)'0' : UINT32_MAX;
    return minor < sizeof envs / sizeof *envs ? envs[minor] : NULL;
}

/* How SPIRV-Tools names the generator of this word, as the comment has it. */
static struct comment generator_name(uint32_t generator, struct arena *arena)
{
    static const struct spirv_text_options options = {.header = true};
    const uint32_t header[SPIRV_HEADER_WORDS] = {SpvMagicNumber, 0x10000, generator, 1, 0};
    struct spirv_messages messages = {0};
    struct source text = {0};
    if (spirv_disassemble((struct spirv_words){header, SPIRV_HEADER_WORDS}, &options, arena, &text.text, &text.size,
                          &messages) != WEFT_OK)
        return (struct comment){NULL, 0};
    return comment_of(&text, "; Generator: ");
}

/* The word of a generator, "NAME; 7"; SPIRV_NONE: nobody has that name. The names are SPIRV-Tools' own, from a list
 * whose numbers begin at 0. */
static uint32_t generator_of(struct comment said, struct arena *arena)
{
    enum { MOST = 256 };
    static const char unknown[] = "Unknown(";
    const char *semicolon = said.text ? memrchr(said.text, ';', said.size) : NULL;
    if (!semicolon || semicolon + 2 > said.text + said.size)
        return SPIRV_NONE;
    size_t length = (size_t)(semicolon - said.text);
    uint32_t version = number(semicolon + 2, said.size - length - 2);
    if (version > UINT16_MAX)
        return SPIRV_NONE;
    if (length > sizeof unknown - 1 && memcmp(said.text, unknown, sizeof unknown - 1) == 0)
        return number(said.text + sizeof unknown - 1, length - (sizeof unknown - 1)) << 16 | version;
    for (uint32_t tool = 0; tool < MOST; tool++) {
        struct comment name = generator_name(tool << 16 | version, arena);
        if (name.size == said.size && memcmp(name.text, said.text, said.size) == 0)
            return tool << 16 | version;
    }
    return SPIRV_NONE;
}

/* A text with newer instructions than its comment says is one of the newest version. */
static weft_status assemble(const struct source *src, const char *env, bool keep_ids, struct arena *arena,
                            struct spirv_words *words, struct spirv_messages *messages)
{
    const char *own = env ? NULL : env_of(src);
    if (own && spirv_assemble(src->text, src->size, own, keep_ids, arena, words, messages) == WEFT_OK)
        return WEFT_OK;
    return spirv_assemble(src->text, src->size, env, keep_ids, arena, words, messages);
}

weft_status spirv_assemble_listing(const struct source *src, const char *env, struct arena *arena,
                                   struct spirv_words *words, struct spirv_messages *messages)
{
    struct comment bound = comment_of(src, "; Bound: "), generator = comment_of(src, "; Generator: ");
    weft_status status = assemble(src, env, bound.text != NULL, arena, words, messages);
    uint32_t *word = (uint32_t *)words->word, said = number(bound.text, bound.size);
    if (status != WEFT_OK || words->count < SPIRV_HEADER_WORDS)
        return status;
    if (said > word[3] && said <= SPIRV_MOST_IDS)
        word[3] = said;
    uint32_t made_by = generator_of(generator, arena);
    if (made_by != SPIRV_NONE)
        word[2] = made_by;
    return WEFT_OK;
}
