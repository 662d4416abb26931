/* assembly.c - SPIRV-Tools by its interface of C: text to words, words to text, and whether words keep the rules. */
#include "isa/spirv/tools/module.h"

#include <spirv-tools/libspirv.h> /* here only: it defines an object, which two files of C must not */
#include <string.h>

const char *tools_version(void)
{
    return spvSoftwareVersionString();
}

bool tools_env_known(const char *env)
{
    spv_target_env known;
    return spvParseTargetEnv(env, &known);
}

/* Say what the diagnostic says, and free it. Places of text count from 0; of words, `index` is an instruction. */
static void say(struct spirv_result *r, spv_diagnostic d, weft_severity severity)
{
    if (!d)
        return;
    struct spirv_message m = {.severity = severity};
    if (d->isTextSource) {
        m.line = (uint32_t)d->position.line + 1;
        m.column = (uint32_t)d->position.column + 1;
    } else {
        m.insn = (uint32_t)d->position.index;
    }
    const char *text = d->error ? d->error : "";
    tools_say(r, m, text, strlen(text));
    spvDiagnosticDestroy(d);
}

static weft_status finish(struct spirv_result *r, spv_result_t result, spv_diagnostic d)
{
    bool fine = result == SPV_SUCCESS;
    say(r, d, fine ? WEFT_WARNING : WEFT_ERROR);
    if (result == SPV_ERROR_OUT_OF_MEMORY)
        return WEFT_ERROR_MEMORY;
    if (!fine && tools_status(r) == WEFT_OK)
        tools_error(r, "SPIRV-Tools refuses the module and does not say why");
    return tools_status(r);
}

weft_status tools_assemble(const char *text, size_t size, const char *env, bool keep_ids, struct spirv_result *r)
{
    spv_target_env known = SPV_ENV_UNIVERSAL_1_6;
    if (env && !spvParseTargetEnv(env, &known))
        return tools_no_env(r, env);
    spv_context context = spvContextCreate(known);
    spv_binary binary = NULL;
    spv_diagnostic d = NULL;
    if (!context)
        return WEFT_ERROR_MEMORY;
    uint32_t options = keep_ids ? SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS : SPV_TEXT_TO_BINARY_OPTION_NONE;
    spv_result_t result = spvTextToBinaryWithOptions(context, text, size, options, &binary, &d);
    if (result == SPV_SUCCESS)
        tools_words(r, binary->code, binary->wordCount);
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
    return finish(r, result, d);
}

weft_status tools_disassemble(struct spirv_words words, const struct spirv_text_options *o, struct spirv_result *r)
{
    static const struct spirv_text_options plain = {0};
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_text text = NULL;
    spv_diagnostic d = NULL;
    if (!context)
        return WEFT_ERROR_MEMORY;
    if (!o)
        o = &plain;
    uint32_t options = (o->names ? SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES : 0) |
                       (o->indent ? SPV_BINARY_TO_TEXT_OPTION_INDENT : 0) |
                       (o->offsets ? SPV_BINARY_TO_TEXT_OPTION_SHOW_BYTE_OFFSET : 0) |
                       (o->header ? 0 : SPV_BINARY_TO_TEXT_OPTION_NO_HEADER);
    spv_result_t result = spvBinaryToText(context, words.word, words.count, options, &text, &d);
    if (result == SPV_SUCCESS) {
        r->size = text->length;
        r->text = tools_copy(r, text->str, text->length);
    }
    spvTextDestroy(text);
    spvContextDestroy(context);
    return finish(r, result, d);
}

/* The universal environment of the version in a module's second word. */
static spv_target_env env_of(struct spirv_words words)
{
    static const spv_target_env envs[] = {
        SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
        SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
    uint32_t version = words.count > 1 ? words.word[1] : 0, minor = version >> 8 & 0xff;
    if (words.count > 1 && words.word[0] == 0x03022307)
        minor = version >> 16 & 0xff;
    return envs[minor < 6 ? minor : 6];
}

/* Names for messages are a third of the time, and most modules are right: what is not is looked at again for them. */
static spv_result_t validate(spv_context context, spv_validator_options options, spv_const_binary_t *binary,
                             spv_diagnostic *d)
{
    spvValidatorOptionsSetFriendlyNames(options, false);
    spv_result_t result = spvValidateWithOptions(context, options, binary, d);
    if (result == SPV_SUCCESS && !*d)
        return result;
    spvDiagnosticDestroy(*d);
    *d = NULL;
    spvValidatorOptionsSetFriendlyNames(options, true);
    return spvValidateWithOptions(context, options, binary, d);
}

weft_status tools_validate(struct spirv_words words, const struct spirv_validate_options *o, struct spirv_result *r)
{
    static const struct spirv_validate_options plain = {0};
    if (!o)
        o = &plain;
    spv_target_env known = env_of(words);
    if (o->env && !spvParseTargetEnv(o->env, &known))
        return tools_no_env(r, o->env);
    spv_context context = spvContextCreate(known);
    spv_validator_options options = spvValidatorOptionsCreate();
    spv_diagnostic d = NULL;
    spv_const_binary_t binary = {words.word, words.count};
    if (!context || !options) {
        spvContextDestroy(context);
        spvValidatorOptionsDestroy(options);
        return WEFT_ERROR_MEMORY;
    }
    spvValidatorOptionsSetScalarBlockLayout(options, o->scalar_layout);
    spvValidatorOptionsSetUniformBufferStandardLayout(options, o->std430_uniform);
    spvValidatorOptionsSetRelaxBlockLayout(options, o->relaxed_layout);
    spvValidatorOptionsSetWorkgroupScalarBlockLayout(options, o->workgroup_scalar_layout);
    spvValidatorOptionsSetAllowLocalSizeId(options, o->local_size_id);
    spv_result_t result = validate(context, options, &binary, &d);
    spvValidatorOptionsDestroy(options);
    spvContextDestroy(context);
    return finish(r, result, d);
}
