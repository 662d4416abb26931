/* compile.cpp - GLSL and HLSL to SPIR-V by glslang. */
#include "isa/spirv/tools/module.h"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <cstring>
#include <cxxabi.h>
#include <new>
#include <string>
#include <vector>

namespace
{

/* What a target environment is to glslang. */
struct target {
    const char *env;
    glslang::EShTargetClientVersion client;
    glslang::EShTargetLanguageVersion language;
    bool opengl;
};

const target targets[] = {
    {"vulkan1.0", glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0, false},
    {"vulkan1.1", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3, false},
    {"vulkan1.1spv1.4", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_4, false},
    {"vulkan1.2", glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5, false},
    {"vulkan1.3", glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6, false},
    {"spv1.0", glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0, false},
    {"spv1.1", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_1, false},
    {"spv1.2", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_2, false},
    {"spv1.3", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3, false},
    {"spv1.4", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_4, false},
    {"spv1.5", glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5, false},
    {"spv1.6", glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6, false},
    {"opengl4.5", glslang::EShTargetOpenGL_450, glslang::EShTargetSpv_1_0, true},
};

const target *target_of(const char *env)
{
    for (const target &t : targets)
        if (!std::strcmp(t.env, env))
            return &t;
    return nullptr;
}

/* In the order of enum weft_stage. */
bool stage_of(weft_stage stage, EShLanguage &out)
{
    switch (stage) {
    case WEFT_VERTEX:
        out = EShLangVertex;
        return true;
    case WEFT_TESS_CONTROL:
        out = EShLangTessControl;
        return true;
    case WEFT_TESS_EVALUATION:
        out = EShLangTessEvaluation;
        return true;
    case WEFT_GEOMETRY:
        out = EShLangGeometry;
        return true;
    case WEFT_FRAGMENT:
        out = EShLangFragment;
        return true;
    case WEFT_COMPUTE:
        out = EShLangCompute;
        return true;
    default:
        return false;
    }
}

struct job {
    const spirv_source &source;
    spirv_result *r;
    const target &to;
    EShLanguage stage;
    EShMessages messages;
    std::vector<spirv_text> texts;
};

/* Includes by the caller's function. The texts are remembered for the places of messages. */
class includer : public glslang::TShader::Includer
{
  public:
    explicit includer(job &j) : job_(j) {}
    IncludeResult *includeSystem(const char *name, const char *from, size_t depth) override
    {
        return find(name, from, depth, true);
    }
    IncludeResult *includeLocal(const char *name, const char *from, size_t depth) override
    {
        return find(name, from, depth, false);
    }
    void releaseInclude(IncludeResult *result) override { delete result; }

  private:
    IncludeResult *find(const char *name, const char *from, size_t depth, bool angle)
    {
        spirv_text found = {};
        const spirv_source &s = job_.source;
        static const char deep[] = "files include one another more than 100 deep";
        if (depth > 100)
            return new IncludeResult("", deep, sizeof deep - 1, nullptr);
        if (!s.include)
            return nullptr;
        if (!s.include(s.context, name, from, angle, &found))
            return found.text ? new IncludeResult("", found.text, found.size, nullptr) : nullptr;
        found.name = tools_copy(job_.r, found.name, std::strlen(found.name));
        if (!found.name)
            return nullptr;
        job_.texts.push_back(found);
        return new IncludeResult(found.name, found.text ? found.text : "", found.size, nullptr);
    }

    job &job_;
};

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef WITH_ADDRESS_SANITIZER
/* LeakSanitizer without use_tls (tests/run) does not see that the exceptions of a thread, a block of the C++ library,
 * are in use. It would start llvm-symbolizer to learn that the block may be left out: that takes longer than to compile
 * a shader. A pointer to the block is enough. */
__attribute__((used)) void *volatile exceptions_of_thread = abi::__cxa_get_globals();
#endif

/* Initialised when the module is first asked to compile, for as long as the process lives. */
void begin_process()
{
    static const bool begun = glslang::InitializeProcess();
    (void)begun;
}

/* These limits are not a device's: weft or the validator says what has a limit. */
const TBuiltInResource &limits()
{
    static const TBuiltInResource wide = [] {
        TBuiltInResource l = *GetDefaultResources();
        l.maxComputeWorkGroupSizeX = l.maxComputeWorkGroupSizeY = l.maxComputeWorkGroupSizeZ = 1024;
        l.maxDrawBuffers = 8;
        l.maxDualSourceDrawBuffersEXT = 1;
        return l;
    }();
    return wide;
}

EShMessages messages_of(const spirv_source &s, bool opengl)
{
    int m = EShMsgSpvRules;
    if (!opengl)
        m |= EShMsgVulkanRules;
    if (s.debug)
        m |= EShMsgDebugInfo;
    if (s.language == SPIRV_HLSL)
        m |= EShMsgReadHlsl | EShMsgHlslOffsets | EShMsgHlslLegalization;
    return static_cast<EShMessages>(m);
}

/* The version of SPIR-V. Structured buffers of HLSL have the decoration BufferBlock in all that glslang makes, and
 * versions after 1.3 do not have it any more. */
glslang::EShTargetLanguageVersion version_of(const job &j)
{
    bool older = j.source.language == SPIRV_HLSL && j.to.language > glslang::EShTargetSpv_1_3;
    return older ? glslang::EShTargetSpv_1_3 : j.to.language;
}

void prepare(glslang::TShader &shader, const job &j, const std::string &preamble)
{
    const spirv_source &s = j.source;
    bool opengl = s.opengl || j.to.opengl;
    shader.setEnvInput(s.language == SPIRV_HLSL ? glslang::EShSourceHlsl : glslang::EShSourceGlsl, j.stage,
                       opengl ? glslang::EShClientOpenGL : glslang::EShClientVulkan, 100);
    shader.setEnvClient(opengl ? glslang::EShClientOpenGL : glslang::EShClientVulkan,
                        opengl ? glslang::EShTargetOpenGL_450 : j.to.client);
    shader.setEnvTarget(glslang::EShTargetSpv, version_of(j));
    if (s.loose)
        shader.setEnvInputVulkanRulesRelaxed();
    shader.setEntryPoint(s.language == SPIRV_HLSL && s.entry ? s.entry : "main");
    shader.setSourceEntryPoint(s.entry ? s.entry : "main");
    shader.setAutoMapLocations(s.map);
    shader.setAutoMapBindings(s.map);
    shader.setPreamble(preamble.c_str());
}

/* The program of the one shader to words. */
bool generate(glslang::TProgram &program, const job &j)
{
    glslang::TIntermediate *tree = program.getIntermediate(j.stage);
    spirv_result *r = j.r;
    if (!tree) {
        tools_error(r, "glslang made no program of it");
        return false;
    }
    glslang::SpvOptions options;
    options.generateDebugInfo = j.source.debug;
    options.disableOptimizer = true;
    spv::SpvBuildLogger logger;
    std::vector<unsigned int> words;
    glslang::GlslangToSpv(*tree, words, &logger, &options);
    std::string said = logger.getAllMessages();
    tools_read_log(r, said.c_str(), j.texts.data(), j.texts.size());
    if (tools_status(r) != WEFT_OK)
        return false;
    tools_words(r, words.data(), words.size());
    return true;
}

weft_status compile(job &j)
{
    const spirv_source &s = j.source;
    spirv_result *r = j.r;
    glslang::TShader shader(j.stage);
    std::string preamble = s.preamble ? s.preamble : "";
    if (s.include && s.language == SPIRV_GLSL)
        preamble = "#extension GL_GOOGLE_include_directive : enable\n" + preamble;
    if (s.language == SPIRV_HLSL) /* glslang lacks it, and weft indexes each lane by its own number anyway */
        preamble = "#define NonUniformResourceIndex(index) (index)\n" + preamble;
    const char *text = s.text.text ? s.text.text : "", *name = j.texts[0].name;
    int length = static_cast<int>(s.text.size);
    shader.setStringsWithLengthsAndNames(&text, &length, &name, 1);
    prepare(shader, j, preamble);
    includer includes(j);
    EProfile profile = s.es ? EEsProfile : s.version ? ECoreProfile : ENoProfile;
    int version = s.version ? s.version : 100;
    bool fine = shader.parse(&limits(), version, profile, s.version != 0, false, j.messages, includes);
    tools_read_log(r, shader.getInfoLog(), j.texts.data(), j.texts.size());
    if (fine && shader.getIntermediate()->getNumEntryPoints() < 1) {
        std::string entry = s.entry ? s.entry : "main";
        std::string said = "the shader has no function '" + entry + "'";
        if (s.language == SPIRV_HLSL && !s.entry)
            said += ": say which one it begins with (--entry NAME, or ENTRY_POINT of a job)";
        tools_error(r, said.c_str());
        fine = false;
    }
    if (fine) {
        glslang::TProgram program;
        program.addShader(&shader);
        fine = program.link(j.messages) && (!s.map || program.mapIO());
        tools_read_log(r, program.getInfoLog(), j.texts.data(), j.texts.size());
        fine = fine && generate(program, j);
    }
    if (!fine && tools_status(r) == WEFT_OK)
        tools_error(r, "glslang refuses the shader and does not say why");
    weft_status status = tools_status(r);
    if (status == WEFT_OK && s.language == SPIRV_HLSL)
        status = tools_legalize(r->words, s.env, r);
    return status;
}

} // namespace

weft_status tools_compile(const spirv_source *source, spirv_result *r)
{
    const char *env = source->env ? source->env : "vulkan1.0";
    const target *to = target_of(env);
    EShLanguage stage = EShLangCount;
    if (!to)
        return tools_no_env(r, env);
    if (!stage_of(source->stage, stage)) {
        tools_error(r, "the stage of the shader is not known: name one");
        return WEFT_ERROR_USAGE;
    }
    if (source->text.size > 0x7fffffff) {
        tools_error(r, "the shader is larger than 2 GiB");
        return WEFT_ERROR_INPUT;
    }
    begin_process();
    job j = {*source, r, *to, stage, messages_of(*source, source->opengl || to->opengl), {source->text}};
    if (!j.texts[0].name)
        j.texts[0].name = "shader";
    try {
        return compile(j);
    } catch (const std::bad_alloc &) {
        r->no_memory = true;
        return WEFT_ERROR_MEMORY;
    }
}
