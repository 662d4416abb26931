/* optimize.cpp - SPIRV-Tools' optimiser. */
#include "isa/spirv/tools/module.h"

#include <spirv-tools/optimizer.hpp>
#include <string>
#include <vector>

namespace
{

weft_severity severity_of(spv_message_level_t level)
{
    return level <= SPV_MSG_ERROR ? WEFT_ERROR : level == SPV_MSG_WARNING ? WEFT_WARNING : WEFT_NOTE;
}

void listen(spvtools::Optimizer &optimizer, spirv_result *r)
{
    optimizer.SetMessageConsumer(
        [r](spv_message_level_t level, const char *, const spv_position_t &position, const char *text) {
            spirv_message m = {};
            m.severity = severity_of(level);
            m.insn = static_cast<uint32_t>(position.index);
            tools_say(r, m, text, std::char_traits<char>::length(text));
        });
}

weft_status run(spvtools::Optimizer &optimizer, spirv_words words, spirv_result *r)
{
    spvtools::OptimizerOptions options;
    options.set_run_validator(false);
    std::vector<uint32_t> out;
    if (optimizer.Run(words.word, words.count, &out, options))
        tools_words(r, out.data(), out.size());
    else if (tools_status(r) == WEFT_OK)
        tools_error(r, "the optimiser fails and does not say why");
    return tools_status(r);
}

} // namespace

weft_status tools_optimize(spirv_words words, const char *env, const char *const *flags, size_t nflags, spirv_result *r)
{
    spv_target_env known = SPV_ENV_UNIVERSAL_1_6;
    if (env && !spvParseTargetEnv(env, &known))
        return tools_no_env(r, env);
    spvtools::Optimizer optimizer(known);
    listen(optimizer, r);
    for (size_t i = 0; i < nflags; i++) {
        if (optimizer.RegisterPassFromFlag(flags[i]))
            continue;
        if (tools_status(r) == WEFT_OK)
            tools_error(r, "the optimiser does not know this option");
        return WEFT_ERROR_USAGE;
    }
    return run(optimizer, words, r);
}

weft_status tools_legalize(spirv_words words, const char *env, spirv_result *r)
{
    spv_target_env known = SPV_ENV_UNIVERSAL_1_6;
    if (env && !spvParseTargetEnv(env, &known))
        return tools_no_env(r, env);
    spvtools::Optimizer optimizer(known);
    listen(optimizer, r);
    optimizer.RegisterLegalizationPasses();
    return run(optimizer, words, r);
}
