/* legacy.c - the functions and the fixed pipeline's names of older GLSL, as declarations (legacy.h). */
#include "isa/spirv/legacy.h"

#include <stdio.h>
#include <string.h>

enum { VERTEX = 1u << WEFT_VERTEX, FRAGMENT = 1u << WEFT_FRAGMENT, BOTH = VERTEX | FRAGMENT };

/* A structure is declared once, whatever is made of it. */
#define STRUCT(guard, text) "#ifndef " guard "\n#define " guard "\nstruct " text ";\n#endif\n"
#define MATERIAL \
    STRUCT("WF_MATERIAL", "wf_MaterialParameters { vec4 emission, ambient, diffuse, specular; float shininess; }")
#define SOURCE                                                                                                 \
    STRUCT("WF_SOURCE", "wf_LightSourceParameters { vec4 ambient, diffuse, specular, position, halfVector; "   \
                        "vec3 spotDirection; float spotExponent, spotCutoff, spotCosCutoff, "                  \
                        "constantAttenuation, linearAttenuation, quadraticAttenuation; }")
#define MODEL STRUCT("WF_MODEL", "wf_LightModelParameters { vec4 ambient; }")
#define MODEL_PRODUCT STRUCT("WF_MODEL_PRODUCT", "wf_LightModelProducts { vec4 sceneColor; }")
#define PRODUCT STRUCT("WF_PRODUCT", "wf_LightProducts { vec4 ambient, diffuse, specular; }")
#define FOG STRUCT("WF_FOG", "wf_FogParameters { vec4 color; float density, start, end, scale; }")
#define RANGE STRUCT("WF_RANGE", "wf_DepthRangeParameters {\n#ifdef GL_ES\nhighp\n#endif\nfloat near, far, diff; }")
#define MATRIX(name) {"gl_" name, "wf_" name, "uniform mat4 wf_" name ";\n", BOTH, NULL}
#define MATRICES(name)                                                                    \
    MATRIX(name), MATRIX(name "Inverse"), MATRIX(name "Transpose"), MATRIX(name "InverseTranspose")
#define COORDINATE(n) \
    {"gl_MultiTexCoord" n, "wf_MultiTexCoord" n, "const vec4 wf_MultiTexCoord" n " = vec4(0, 0, 0, 1);\n", VERTEX, NULL}
#define MOST(name, number) {"gl_Max" name, "wf_Max" name, "const int wf_Max" name " = " number ";\n", BOTH, NULL}

const struct spirv_renamed spirv_legacy_names[] = {
    {"gl_FragColor", "wf_FragColor", "layout(location = 0) out vec4 wf_FragColor;\n", FRAGMENT, NULL},
    {"gl_FragData", "wf_FragData", "layout(location = 0) out vec4 wf_FragData[8];\n", FRAGMENT, NULL},
    {"gl_Vertex", "wf_Vertex", "in vec4 wf_Vertex;\n", VERTEX, "ftransform"},
    {"gl_Normal", "wf_Normal", "in vec3 wf_Normal;\n", VERTEX, NULL},
    {"gl_MultiTexCoord0", "wf_MultiTexCoord0", "in vec4 wf_MultiTexCoord0;\n", VERTEX, NULL},
    COORDINATE("1"), COORDINATE("2"), COORDINATE("3"), COORDINATE("4"),
    COORDINATE("5"), COORDINATE("6"), COORDINATE("7"),
    {"gl_Color", "wf_Color", "const vec4 wf_Color = vec4(1);\n", VERTEX, NULL},
    {"gl_SecondaryColor", "wf_SecondaryColor", "const vec4 wf_SecondaryColor = vec4(0, 0, 0, 1);\n", VERTEX, NULL},
    {"gl_FogCoord", "wf_FogCoord", "const float wf_FogCoord = 0.0;\n", VERTEX, NULL},
    {"gl_FrontColor", "wf_FrontColor", "out vec4 wf_FrontColor;\n", VERTEX, NULL},
    {"gl_BackColor", "wf_BackColor", "out vec4 wf_BackColor;\n", VERTEX, NULL},
    {"gl_FrontSecondaryColor", "wf_FrontSecondaryColor", "out vec4 wf_FrontSecondaryColor;\n", VERTEX, NULL},
    {"gl_BackSecondaryColor", "wf_BackSecondaryColor", "out vec4 wf_BackSecondaryColor;\n", VERTEX, NULL},
    {"gl_TexCoord", "wf_TexCoord", "out vec4 wf_TexCoord[8];\n", VERTEX, NULL},
    {"gl_FogFragCoord", "wf_FogFragCoord", "out float wf_FogFragCoord;\n", VERTEX, NULL},
    {"gl_Color", "wf_Color", "in vec4 wf_FrontColor;\n#define wf_Color wf_FrontColor\n", FRAGMENT, NULL},
    {"gl_SecondaryColor", "wf_SecondaryColor",
     "in vec4 wf_FrontSecondaryColor;\n#define wf_SecondaryColor wf_FrontSecondaryColor\n", FRAGMENT, NULL},
    {"gl_TexCoord", "wf_TexCoord", "in vec4 wf_TexCoord[8];\n", FRAGMENT, NULL},
    {"gl_FogFragCoord", "wf_FogFragCoord", "in float wf_FogFragCoord;\n", FRAGMENT, NULL},
    {"gl_ModelViewProjectionMatrix", "wf_ModelViewProjectionMatrix", "uniform mat4 wf_ModelViewProjectionMatrix;\n",
     BOTH, "ftransform"},
    MATRIX("ModelViewProjectionMatrixInverse"), MATRIX("ModelViewProjectionMatrixTranspose"),
    MATRIX("ModelViewProjectionMatrixInverseTranspose"),
    MATRICES("ModelViewMatrix"), MATRICES("ProjectionMatrix"),
    {"gl_NormalMatrix", "wf_NormalMatrix", "uniform mat3 wf_NormalMatrix;\n", BOTH, NULL},
    {"gl_NormalScale", "wf_NormalScale", "uniform float wf_NormalScale;\n", BOTH, NULL},
    {"gl_TextureMatrix", "wf_TextureMatrix", "uniform mat4 wf_TextureMatrix[8];\n", BOTH, NULL},
    {"gl_FrontMaterial", "wf_FrontMaterial", MATERIAL "uniform wf_MaterialParameters wf_FrontMaterial;\n", BOTH, NULL},
    {"gl_BackMaterial", "wf_BackMaterial", MATERIAL "uniform wf_MaterialParameters wf_BackMaterial;\n", BOTH, NULL},
    {"gl_MaterialParameters", "wf_MaterialParameters", MATERIAL, BOTH, NULL},
    {"gl_LightSource", "wf_LightSource", SOURCE "uniform wf_LightSourceParameters wf_LightSource[8];\n", BOTH, NULL},
    {"gl_LightSourceParameters", "wf_LightSourceParameters", SOURCE, BOTH, NULL},
    {"gl_LightModel", "wf_LightModel", MODEL "uniform wf_LightModelParameters wf_LightModel;\n", BOTH, NULL},
    {"gl_FrontLightModelProduct", "wf_FrontLightModelProduct",
     MODEL_PRODUCT "uniform wf_LightModelProducts wf_FrontLightModelProduct;\n", BOTH, NULL},
    {"gl_BackLightModelProduct", "wf_BackLightModelProduct",
     MODEL_PRODUCT "uniform wf_LightModelProducts wf_BackLightModelProduct;\n", BOTH, NULL},
    {"gl_FrontLightProduct", "wf_FrontLightProduct", PRODUCT "uniform wf_LightProducts wf_FrontLightProduct[8];\n",
     BOTH, NULL},
    {"gl_BackLightProduct", "wf_BackLightProduct", PRODUCT "uniform wf_LightProducts wf_BackLightProduct[8];\n", BOTH,
     NULL},
    {"gl_Fog", "wf_Fog", FOG "uniform wf_FogParameters wf_Fog;\n", BOTH, NULL},
    {"gl_FogParameters", "wf_FogParameters", FOG, BOTH, NULL},
    {"gl_TextureEnvColor", "wf_TextureEnvColor", "uniform vec4 wf_TextureEnvColor[8];\n", BOTH, NULL},
    MOST("Lights", "8"), MOST("ClipPlanes", "6"), MOST("TextureUnits", "8"), MOST("TextureCoords", "8"),
    {"gl_DepthRange", "wf_DepthRange",
     RANGE "const wf_DepthRangeParameters wf_DepthRange = wf_DepthRangeParameters(0.0, 1.0, 1.0);\n", SPIRV_LEGACY_ALL,
     NULL},
    {"gl_DepthRangeParameters", "wf_DepthRangeParameters", RANGE, SPIRV_LEGACY_ALL, NULL},
    {"ftransform", "ftransform", "#define ftransform() (wf_ModelViewProjectionMatrix * wf_Vertex)\n", VERTEX, NULL},
    {NULL, NULL, NULL, 0, NULL},
};

/* ---- functions for textures ---- */

/* What a function takes beside the coordinate. */
enum { BIAS = 1, LOD = 2, GRAD = 4, ALL = BIAS | LOD | GRAD }; /* GRAD: two derivatives */

/* The functions of GLSL 1.20, chapter 8.7, and those of ARB_texture_rectangle and EXT_texture_array: what they are
 * called since, for a sampler and a coordinate. `slope` is the type of a derivative. */
static const struct lookup {
    const char *name, *sampler, *coordinate, *as, *slope;
    unsigned with;
} lookups[] = {
    {"texture1D", "sampler1D", "float", "texture", "float", ALL},
    {"texture1DProj", "sampler1D", "vec2", "textureProj", "float", ALL},
    {"texture1DProj", "sampler1D", "vec4", "textureProj", "float", ALL},
    {"texture2D", "sampler2D", "vec2", "texture", "vec2", ALL},
    {"texture2DProj", "sampler2D", "vec3", "textureProj", "vec2", ALL},
    {"texture2DProj", "sampler2D", "vec4", "textureProj", "vec2", ALL},
    {"texture3D", "sampler3D", "vec3", "texture", "vec3", ALL},
    {"texture3DProj", "sampler3D", "vec4", "textureProj", "vec3", ALL},
    {"textureCube", "samplerCube", "vec3", "texture", "vec3", ALL},
    {"texture2DRect", "sampler2DRect", "vec2", "texture", "vec2", GRAD},
    {"texture2DRectProj", "sampler2DRect", "vec3", "textureProj", "vec2", GRAD},
    {"texture2DRectProj", "sampler2DRect", "vec4", "textureProj", "vec2", GRAD},
    {"texture1DArray", "sampler1DArray", "vec2", "texture", "float", ALL},
    {"texture2DArray", "sampler2DArray", "vec3", "texture", "vec2", ALL},
    {"shadow1D", "sampler1DShadow", "vec3", "texture", "float", ALL},
    {"shadow1DProj", "sampler1DShadow", "vec4", "textureProj", "float", ALL},
    {"shadow2D", "sampler2DShadow", "vec3", "texture", "vec2", ALL},
    {"shadow2DProj", "sampler2DShadow", "vec4", "textureProj", "vec2", ALL},
    {"shadow2DRect", "sampler2DRectShadow", "vec3", "texture", "vec2", GRAD},
    {"shadow1DArray", "sampler1DArrayShadow", "vec3", "texture", "float", ALL},
    {"shadow2DArray", "sampler2DArrayShadow", "vec4", "texture", "vec2", GRAD},
};

/* What is at the end of their names: GLSL's own, and ARB_shader_texture_lod's and EXT_shader_texture_lod's. */
static const struct form {
    const char *suffix, *as, *more, *pass;
    unsigned with;
    bool fragment; /* has a level of detail from derivatives only */
} forms[] = {
    {"", "", "", "", 0, false},
    {"", "", ", float b", ", b", BIAS, true},
    {"Lod", "Lod", ", float b", ", b", LOD, false},
    {"LodEXT", "Lod", ", float b", ", b", LOD, false},
    {"GradARB", "Grad", "", ", x, y", GRAD, false},
    {"GradEXT", "Grad", "", ", x, y", GRAD, false},
};

/* ---- which of them a text has ---- */

static bool is_lookup(const char *word)
{
    for (size_t i = 0; i < sizeof lookups / sizeof *lookups; i++) {
        size_t length = strlen(lookups[i].name);
        for (size_t k = 0; k < sizeof forms / sizeof *forms && strncmp(word, lookups[i].name, length) == 0; k++)
            if (strcmp(word + length, forms[k].suffix) == 0)
                return true;
    }
    return false;
}

static bool is_name(const char *word)
{
    for (const struct spirv_renamed *r = spirv_legacy_names; r->name; r++)
        if (strcmp(word, r->name) == 0)
            return true;
    return false;
}

bool spirv_legacy_has(const struct spirv_legacy_words *w, const char *word)
{
    char spaced[64];
    int n = snprintf(spaced, sizeof spaced, " %s ", word);
    return n > 0 && (size_t)n < sizeof spaced && strstr(w->list, spaced);
}

void spirv_legacy_word(struct spirv_legacy_words *w, const char *word, size_t length)
{
    char name[60];
    size_t used = strlen(w->list);
    bool lookup = *word == 't' || *word == 's';
    if (length >= sizeof name || (!lookup && *word != 'g' && *word != 'f'))
        return;
    memcpy(name, word, length);
    name[length] = 0;
    if ((lookup ? is_lookup(name) : is_name(name)) && !spirv_legacy_has(w, name) &&
        used + length + 3 <= sizeof w->list)
        snprintf(w->list + used, sizeof w->list - used, " %s ", name);
}

/* ---- their declarations ---- */

/* One function; that of a shadow gives the comparison as a texture's luminance. */
static const char *declare(const struct lookup *l, const struct form *f, struct arena *arena)
{
    bool shadow = strstr(l->sampler, "Shadow") != NULL;
    const char *more = f->with == GRAD ? arena_printf(arena, ", %s x, %s y", l->slope, l->slope) : f->more;
    return more ? arena_printf(arena, "vec4 wf_%s%s(%s s, %s c%s) { return %s%s%s(s, c%s)%s; }\n", l->name, f->suffix,
                               l->sampler, l->coordinate, more, shadow ? "vec4(vec3(" : "", l->as, f->as, f->pass,
                               shadow ? "), 1)" : "")
                : NULL;
}

const char *spirv_legacy_lookups(const struct spirv_legacy_words *w, weft_stage stage, struct arena *arena)
{
    const char *p = stage == WEFT_VERTEX ? "#define attribute in\n#define varying out\n" : "#define varying in\n";
    const char *names = "";
    for (size_t i = 0; i < sizeof lookups / sizeof *lookups; i++)
        for (size_t k = 0; k < sizeof forms / sizeof *forms && p && names; k++) {
            const struct lookup *l = &lookups[i];
            const struct form *f = &forms[k];
            const char *name = arena_printf(arena, "%s%s", l->name, f->suffix);
            if (!name)
                return NULL;
            if ((f->with & l->with) != f->with || (f->fragment && stage != WEFT_FRAGMENT) ||
                !spirv_legacy_has(w, name))
                continue;
            p = spirv_join(arena, p, declare(l, f, arena));
            names = spirv_join(arena, names, arena_printf(arena, "#define %s wf_%s\n", name, name));
        }
    return spirv_join(arena, p, names);
}
