/* format.c - Vulkan's pixel format names, read as what they say: components, bits, meaning, packing. */
#include "script/script.h"

#include <string.h>

/* The names that AmberScript knows (google/amber, docs/amber_script.md, "Image Formats"). */
static const char *const format_names[] = {
    "A1R5G5B5_UNORM_PACK16",
    "A2B10G10R10_SINT_PACK32",
    "A2B10G10R10_SNORM_PACK32",
    "A2B10G10R10_SSCALED_PACK32",
    "A2B10G10R10_UINT_PACK32",
    "A2B10G10R10_UNORM_PACK32",
    "A2B10G10R10_USCALED_PACK32",
    "A2R10G10B10_SINT_PACK32",
    "A2R10G10B10_SNORM_PACK32",
    "A2R10G10B10_SSCALED_PACK32",
    "A2R10G10B10_UINT_PACK32",
    "A2R10G10B10_UNORM_PACK32",
    "A2R10G10B10_USCALED_PACK32",
    "A8B8G8R8_SINT_PACK32",
    "A8B8G8R8_SNORM_PACK32",
    "A8B8G8R8_SRGB_PACK32",
    "A8B8G8R8_SSCALED_PACK32",
    "A8B8G8R8_UINT_PACK32",
    "A8B8G8R8_UNORM_PACK32",
    "A8B8G8R8_USCALED_PACK32",
    "B10G11R11_UFLOAT_PACK32",
    "B4G4R4A4_UNORM_PACK16",
    "B5G5R5A1_UNORM_PACK16",
    "B5G6R5_UNORM_PACK16",
    "B8G8R8A8_SINT",
    "B8G8R8A8_SNORM",
    "B8G8R8A8_SRGB",
    "B8G8R8A8_SSCALED",
    "B8G8R8A8_UINT",
    "B8G8R8A8_UNORM",
    "B8G8R8A8_USCALED",
    "B8G8R8_SINT",
    "B8G8R8_SNORM",
    "B8G8R8_SRGB",
    "B8G8R8_SSCALED",
    "B8G8R8_UINT",
    "B8G8R8_UNORM",
    "B8G8R8_USCALED",
    "D16_UNORM",
    "D16_UNORM_S8_UINT",
    "D24_UNORM_S8_UINT",
    "D32_SFLOAT",
    "D32_SFLOAT_S8_UINT",
    "E5B9G9R9_UFLOAT_PACK32", /* weft's addition */
    "R16G16B16A16_SFLOAT",
    "R16G16B16A16_SINT",
    "R16G16B16A16_SNORM",
    "R16G16B16A16_SSCALED",
    "R16G16B16A16_UINT",
    "R16G16B16A16_UNORM",
    "R16G16B16A16_USCALED",
    "R16G16B16_SFLOAT",
    "R16G16B16_SINT",
    "R16G16B16_SNORM",
    "R16G16B16_SSCALED",
    "R16G16B16_UINT",
    "R16G16B16_UNORM",
    "R16G16B16_USCALED",
    "R16G16_SFLOAT",
    "R16G16_SINT",
    "R16G16_SNORM",
    "R16G16_SSCALED",
    "R16G16_UINT",
    "R16G16_UNORM",
    "R16G16_USCALED",
    "R16_SFLOAT",
    "R16_SINT",
    "R16_SNORM",
    "R16_SSCALED",
    "R16_UINT",
    "R16_UNORM",
    "R16_USCALED",
    "R32G32B32A32_SFLOAT",
    "R32G32B32A32_SINT",
    "R32G32B32A32_UINT",
    "R32G32B32_SFLOAT",
    "R32G32B32_SINT",
    "R32G32B32_UINT",
    "R32G32_SFLOAT",
    "R32G32_SINT",
    "R32G32_UINT",
    "R32_SFLOAT",
    "R32_SINT",
    "R32_UINT",
    "R4G4B4A4_UNORM_PACK16",
    "R4G4_UNORM_PACK8",
    "R5G5B5A1_UNORM_PACK16",
    "R5G6B5_UNORM_PACK16",
    "R64G64B64A64_SFLOAT",
    "R64G64B64A64_SINT",
    "R64G64B64A64_UINT",
    "R64G64B64_SFLOAT",
    "R64G64B64_SINT",
    "R64G64B64_UINT",
    "R64G64_SFLOAT",
    "R64G64_SINT",
    "R64G64_UINT",
    "R64_SFLOAT",
    "R64_SINT",
    "R64_UINT",
    "R8G8B8A8_SINT",
    "R8G8B8A8_SNORM",
    "R8G8B8A8_SRGB",
    "R8G8B8A8_SSCALED",
    "R8G8B8A8_UINT",
    "R8G8B8A8_UNORM",
    "R8G8B8A8_USCALED",
    "R8G8B8_SINT",
    "R8G8B8_SNORM",
    "R8G8B8_SRGB",
    "R8G8B8_SSCALED",
    "R8G8B8_UINT",
    "R8G8B8_UNORM",
    "R8G8B8_USCALED",
    "R8G8_SINT",
    "R8G8_SNORM",
    "R8G8_SRGB",
    "R8G8_SSCALED",
    "R8G8_UINT",
    "R8G8_UNORM",
    "R8G8_USCALED",
    "R8_SINT",
    "R8_SNORM",
    "R8_SRGB",
    "R8_SSCALED",
    "R8_UINT",
    "R8_UNORM",
    "R8_USCALED",
    "S8_UINT",
    "X8_D24_UNORM_PACK32",
    /* weft's additions: alpha, intensity and luminance, by Gallium's names */
    "A16_FLOAT",
    "A16_SINT",
    "A16_SNORM",
    "A16_UINT",
    "A16_UNORM",
    "A32_FLOAT",
    "A32_SINT",
    "A32_UINT",
    "A8_SINT",
    "A8_SNORM",
    "A8_UINT",
    "A8_UNORM",
    "I16_FLOAT",
    "I16_SINT",
    "I16_SNORM",
    "I16_UINT",
    "I16_UNORM",
    "I32_FLOAT",
    "I32_SINT",
    "I32_UINT",
    "I8_SINT",
    "I8_SNORM",
    "I8_UINT",
    "I8_UNORM",
    "L16A16_FLOAT",
    "L16A16_SINT",
    "L16A16_SNORM",
    "L16A16_UINT",
    "L16A16_UNORM",
    "L32A32_FLOAT",
    "L32A32_SINT",
    "L32A32_UINT",
    "L8A8_SINT",
    "L8A8_SNORM",
    "L8A8_UINT",
    "L8A8_UNORM",
    "L16_FLOAT",
    "L16_SINT",
    "L16_SNORM",
    "L16_UINT",
    "L16_UNORM",
    "L32_FLOAT",
    "L32_SINT",
    "L32_UINT",
    "L8_SINT",
    "L8_SNORM",
    "L8_UINT",
    "L8_UNORM",
};

enum { FORMAT_NAMES = sizeof format_names / sizeof format_names[0] };

static const struct {
    const char *word;
    enum script_mode mode;
} modes[] = {
    {"UNORM", SCRIPT_UNORM},     {"SNORM", SCRIPT_SNORM},   {"USCALED", SCRIPT_USCALED},
    {"SSCALED", SCRIPT_SSCALED}, {"UINT", SCRIPT_UINT},     {"SINT", SCRIPT_SINT},
    {"UFLOAT", SCRIPT_UFLOAT},   {"SFLOAT", SCRIPT_SFLOAT}, {"SRGB", SCRIPT_SRGB},     {"FLOAT", SCRIPT_SFLOAT},
};

/* One part of a name between underscores: a meaning, which holds for the components so far that have none yet. */
static bool read_mode(struct script_format *f, const char *part, size_t length, unsigned *from)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (strlen(modes[i].word) == length && !memcmp(modes[i].word, part, length)) {
            while (*from < f->components)
                f->mode[(*from)++] = (uint8_t)modes[i].mode;
            return true;
        }
    return false;
}

/* Letters with their numbers of bits, "B10G11R11". */
static void read_components(struct script_format *f, const char *part, size_t length)
{
    for (size_t i = 0; i < length && f->components < 4; f->components++) {
        f->letter[f->components] = part[i++];
        for (; i < length && part[i] >= '0' && part[i] <= '9'; i++)
            f->bits[f->components] = (uint8_t)(f->bits[f->components] * 10 + (part[i] - '0'));
    }
}

const struct script_format *script_format_find(struct arena *a, const char *name, size_t length)
{
    const char *known = NULL;
    for (size_t i = 0; i < FORMAT_NAMES; i++)
        if (strlen(format_names[i]) == length && !memcmp(format_names[i], name, length))
            known = format_names[i];
    struct script_format *f = known ? ARENA_NEW(a, struct script_format) : NULL;
    if (!f)
        return NULL;
    f->name = known;
    unsigned moded = 0, bits = 0;
    for (const char *part = known; *part;) {
        size_t n = strcspn(part, "_");
        if (!strncmp(part, "PACK", 4))
            f->packed = true;
        else if (!read_mode(f, part, n, &moded))
            read_components(f, part, n);
        part += n + (part[n] == '_');
    }
    for (unsigned i = 0; i < f->components; i++)
        bits += f->bits[i];
    /* One name without PACK has its parts in one number all the same: there is no other way to keep 24 bits. */
    if (!strcmp(known, "D24_UNORM_S8_UINT"))
        f->packed = true;
    f->bytes = (uint8_t)(bits / 8);
    return f;
}

bool script_format_has(const struct script_format *f, char letter)
{
    for (unsigned i = 0; i < f->components; i++)
        if (f->letter[i] == letter)
            return true;
    return false;
}

const char *script_format_nearest(const char *name, size_t length)
{
    return nearest_word(name, length, format_names, FORMAT_NAMES);
}
