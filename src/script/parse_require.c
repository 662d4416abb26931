/* parse_require.c - DEVICE_FEATURE, DEVICE_PROPERTY, DEVICE_EXTENSION and INSTANCE_EXTENSION: what a script requires of
 * the device, and whether weft has it. A script that requires more is not run. */
#include "script/parse.h"

#include <string.h>

struct capability {
    const char *name;
    bool has;
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* VkPhysicalDeviceFeatures and the structures that AmberScript names. Those of 8 and 16-bit numbers and of the memory
 * model are about buffers and about programs of any instruction set. Scripts have no words for indirect draws, queries
 * and alpha to one, so that a script which requires them asks for nothing else. */
static const struct capability features[] = {
    {"robustBufferAccess", true},
    {"fullDrawIndexUint32", true},
    {"imageCubeArray", true},
    {"independentBlend", true},
    {"geometryShader", true},
    {"tessellationShader", true},
    {"sampleRateShading", true},
    {"dualSrcBlend", true},
    {"logicOp", true},
    {"multiDrawIndirect", true},
    {"drawIndirectFirstInstance", true},
    {"depthClamp", true},
    {"depthBiasClamp", true},
    {"fillModeNonSolid", true},
    {"depthBounds", true},
    {"wideLines", true},
    {"largePoints", true},
    {"alphaToOne", true},
    {"multiViewport", true},
    {"samplerAnisotropy", true},
    {"textureCompressionETC2", false},
    {"textureCompressionASTC_LDR", false},
    {"textureCompressionBC", false},
    {"occlusionQueryPrecise", true},
    {"pipelineStatisticsQuery", true},
    {"vertexPipelineStoresAndAtomics", true},
    {"fragmentStoresAndAtomics", true},
    {"shaderTessellationAndGeometryPointSize", true},
    {"shaderImageGatherExtended", true},
    {"shaderStorageImageExtendedFormats", true},
    {"shaderStorageImageMultisample", true},
    {"shaderStorageImageReadWithoutFormat", true},
    {"shaderStorageImageWriteWithoutFormat", true},
    {"shaderUniformBufferArrayDynamicIndexing", true},
    {"shaderSampledImageArrayDynamicIndexing", true},
    {"shaderStorageBufferArrayDynamicIndexing", true},
    {"shaderStorageImageArrayDynamicIndexing", true},
    {"shaderClipDistance", true},
    {"shaderCullDistance", true},
    {"shaderFloat64", true},
    {"shaderInt64", true},
    {"shaderInt16", true},
    {"shaderResourceResidency", false},
    {"shaderResourceMinLod", true},
    {"sparseBinding", false},
    {"sparseResidencyBuffer", false},
    {"sparseResidencyImage2D", false},
    {"sparseResidencyImage3D", false},
    {"sparseResidency2Samples", false},
    {"sparseResidency4Samples", false},
    {"sparseResidency8Samples", false},
    {"sparseResidency16Samples", false},
    {"sparseResidencyAliased", false},
    {"variableMultisampleRate", true},
    {"inheritedQueries", true},
    {"VariablePointerFeatures.variablePointers", true},
    {"VariablePointerFeatures.variablePointersStorageBuffer", true},
    {"Float16Int8Features.shaderFloat16", true},
    {"Float16Int8Features.shaderInt8", true},
    {"VulkanMemoryModelFeatures.vulkanMemoryModel", true},
    {"VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope", true},
    {"CooperativeMatrixFeaturesKHR.cooperativeMatrix", false},
    {"ZeroInitializeWorkgroupMemoryFeatures.shaderZeroInitializeWorkgroupMemory", true},
    {"Storage8BitFeatures.storageBuffer8BitAccess", true},
    {"Storage8BitFeatures.uniformAndStorageBuffer8BitAccess", true},
    {"Storage8BitFeatures.storagePushConstant8", true},
    {"Storage16BitFeatures.storageBuffer16BitAccess", true},
    {"Storage16BitFeatures.uniformAndStorageBuffer16BitAccess", true},
    {"Storage16BitFeatures.storagePushConstant16", true},
    {"Storage16BitFeatures.storageInputOutput16", true},
    {"SubgroupSizeControl.subgroupSizeControl", true},
    {"SubgroupSizeControl.computeFullSubgroups", true},
    {"DepthClampZeroOneFeatures.depthClampZeroOne", true},
    {"SubgroupSupportedOperations.basic", true},
    {"SubgroupSupportedOperations.vote", true},
    {"SubgroupSupportedOperations.arithmetic", true},
    {"SubgroupSupportedOperations.ballot", true},
    {"SubgroupSupportedOperations.shuffle", true},
    {"SubgroupSupportedOperations.shuffleRelative", true},
    {"SubgroupSupportedOperations.clustered", true},
    {"SubgroupSupportedOperations.quad", true},
    {"ShaderSubgroupExtendedTypesFeatures.shaderSubgroupExtendedTypes", true},
    {"SubgroupSupportedStages.vertex", true},
    {"SubgroupSupportedStages.tessellationControl", true},
    {"SubgroupSupportedStages.tessellationEvaluation", true},
    {"SubgroupSupportedStages.geometry", true},
    {"SubgroupSupportedStages.fragment", true},
    {"SubgroupSupportedStages.compute", true},
    {"IndexTypeUint8Features.indexTypeUint8", true},
    {"RayTracingPipelineFeaturesKHR.rayTracingPipeline", false},
    {"AccelerationStructureFeaturesKHR.accelerationStructure", false},
    {"BufferDeviceAddressFeatures.bufferDeviceAddress", true},
    {"ShaderLongVectorFeaturesEXT.longVector", false},
};

/* A program's own modes choose roundings and denormals; without them weft keeps denormals and rounds to nearest. */
static const struct capability properties[] = {
    {"FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat16", true},
    {"FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat32", true},
    {"FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat64", true},
    {"FloatControlsProperties.shaderDenormPreserveFloat16", true},
    {"FloatControlsProperties.shaderDenormPreserveFloat32", true},
    {"FloatControlsProperties.shaderDenormPreserveFloat64", true},
    {"FloatControlsProperties.shaderDenormFlushToZeroFloat16", true},
    {"FloatControlsProperties.shaderDenormFlushToZeroFloat32", true},
    {"FloatControlsProperties.shaderDenormFlushToZeroFloat64", true},
    {"FloatControlsProperties.shaderRoundingModeRTEFloat16", true},
    {"FloatControlsProperties.shaderRoundingModeRTEFloat32", true},
    {"FloatControlsProperties.shaderRoundingModeRTEFloat64", true},
    {"FloatControlsProperties.shaderRoundingModeRTZFloat16", true},
    {"FloatControlsProperties.shaderRoundingModeRTZFloat32", true},
    {"FloatControlsProperties.shaderRoundingModeRTZFloat64", true},
};

/* Extensions whose parts a script can use, or which are about calls that weft makes itself; any other name is one that
 * weft does not have. */
static const char *const extensions[] = {
    "VK_AMD_gpu_shader_half_float",
    "VK_AMD_gpu_shader_int16",
    "VK_AMD_shader_early_and_late_fragment_tests",
    "VK_EXT_4444_formats",
    "VK_EXT_depth_clamp_zero_one",
    "VK_EXT_depth_clip_enable",
    "VK_EXT_depth_range_unrestricted",
    "VK_EXT_descriptor_indexing",
    "VK_EXT_fragment_shader_interlock",
    "VK_EXT_host_query_reset",
    "VK_EXT_image_robustness",
    "VK_EXT_index_type_uint8",
    "VK_EXT_primitive_topology_list_restart",
    "VK_EXT_robustness2",
    "VK_EXT_scalar_block_layout",
    "VK_EXT_separate_stencil_usage",
    "VK_EXT_shader_atomic_float",
    "VK_EXT_shader_atomic_float2",
    "VK_EXT_shader_demote_to_helper_invocation",
    "VK_EXT_shader_image_atomic_int64",
    "VK_EXT_shader_stencil_export",
    "VK_EXT_shader_subgroup_ballot",
    "VK_EXT_shader_subgroup_vote",
    "VK_EXT_shader_viewport_index_layer",
    "VK_EXT_subgroup_size_control",
    "VK_EXT_texel_buffer_alignment",
    "VK_EXT_tooling_info",
    "VK_EXT_vertex_attribute_divisor",
    "VK_GOOGLE_decorate_string",
    "VK_GOOGLE_hlsl_functionality1",
    "VK_GOOGLE_user_type",
    "VK_KHR_16bit_storage",
    "VK_KHR_8bit_storage",
    "VK_KHR_bind_memory2",
    "VK_KHR_buffer_device_address",
    "VK_KHR_compute_shader_derivatives",
    "VK_KHR_copy_commands2",
    "VK_KHR_create_renderpass2",
    "VK_KHR_dedicated_allocation",
    "VK_KHR_depth_clamp_zero_one",
    "VK_KHR_depth_stencil_resolve",
    "VK_KHR_descriptor_update_template",
    "VK_KHR_device_group",
    "VK_KHR_device_group_creation",
    "VK_KHR_driver_properties",
    "VK_KHR_dynamic_rendering",
    "VK_KHR_external_fence",
    "VK_KHR_external_fence_capabilities",
    "VK_KHR_external_memory",
    "VK_KHR_external_memory_capabilities",
    "VK_KHR_external_semaphore",
    "VK_KHR_external_semaphore_capabilities",
    "VK_KHR_format_feature_flags2",
    "VK_KHR_fragment_shader_barycentric",
    "VK_KHR_get_memory_requirements2",
    "VK_KHR_get_physical_device_properties2",
    "VK_KHR_image_format_list",
    "VK_KHR_imageless_framebuffer",
    "VK_KHR_index_type_uint8",
    "VK_KHR_maintenance1",
    "VK_KHR_maintenance2",
    "VK_KHR_maintenance3",
    "VK_KHR_maintenance4",
    "VK_KHR_maintenance5",
    "VK_KHR_maintenance6",
    "VK_KHR_multiview",
    "VK_KHR_relaxed_block_layout",
    "VK_KHR_robustness2",
    "VK_KHR_sampler_mirror_clamp_to_edge",
    "VK_KHR_separate_depth_stencil_layouts",
    "VK_KHR_shader_atomic_int64",
    "VK_KHR_shader_clock",
    "VK_KHR_shader_draw_parameters",
    "VK_KHR_shader_expect_assume",
    "VK_KHR_shader_float16_int8",
    "VK_KHR_shader_float_controls",
    "VK_KHR_shader_integer_dot_product",
    "VK_KHR_shader_maximal_reconvergence",
    "VK_KHR_shader_non_semantic_info",
    "VK_KHR_shader_relaxed_extended_instruction",
    "VK_KHR_shader_subgroup_extended_types",
    "VK_KHR_shader_subgroup_rotate",
    "VK_KHR_shader_subgroup_uniform_control_flow",
    "VK_KHR_shader_terminate_invocation",
    "VK_KHR_spirv_1_4",
    "VK_KHR_storage_buffer_storage_class",
    "VK_KHR_synchronization2",
    "VK_KHR_timeline_semaphore",
    "VK_KHR_uniform_buffer_standard_layout",
    "VK_KHR_variable_pointers",
    "VK_KHR_vertex_attribute_divisor",
    "VK_KHR_vulkan_memory_model",
    "VK_KHR_workgroup_memory_explicit_layout",
    "VK_KHR_zero_initialize_workgroup_memory",
    "VK_NV_compute_shader_derivatives",
    "VK_NV_shader_subgroup_partitioned",
};

enum { MOST_WORDS = COUNT(features) };
_Static_assert(COUNT(properties) <= MOST_WORDS, "expect_capability has room for the longest list");

static bool expect_capability(struct parser *ps, const char *what, const struct capability *list, size_t count,
                              struct script_requirement *r)
{
    const char *words[MOST_WORDS];
    unsigned index = 0;
    for (size_t i = 0; i < count; i++)
        words[i] = list[i].name;
    if (!expect_choice(ps, what, words, count, &index))
        return false;
    r->name = list[index].name;
    r->has = list[index].has;
    return true;
}

static bool expect_extension(struct parser *ps, struct script_requirement *r)
{
    if (!expect_name(ps, "the name of an extension", &r->name, NULL))
        return false;
    for (size_t i = 0; i < COUNT(extensions); i++)
        r->has |= !strcmp(extensions[i], r->name);
    const char *near = r->has ? NULL : nearest_word(r->name, strlen(r->name), extensions, COUNT(extensions));
    if (near)
        r->hint = arena_printf(ps->arena, "did you mean '%s'?", near);
    return true;
}

const char *known_feature(const char *name, size_t length, bool *has)
{
    for (size_t i = 0; i < COUNT(features); i++)
        if (strlen(features[i].name) == length && memcmp(features[i].name, name, length) == 0) {
            *has = features[i].has;
            return features[i].name;
        }
    return NULL;
}

bool add_requirement(struct parser *ps, const struct script_requirement *r)
{
    if (!LIST_ADD(ps, ps->script->requirements, &ps->requirements))
        return false;
    ps->script->requirements[ps->script->nrequirements++] = *r;
    ps->script->depth_unrestricted |= strcmp(r->name, "VK_EXT_depth_range_unrestricted") == 0;
    return true;
}

bool add_extension(struct parser *ps, enum script_requirement_kind kind)
{
    struct script_requirement r = {.kind = kind, .where = ps->token.where};
    return expect_extension(ps, &r) && add_requirement(ps, &r);
}

bool parse_requirement(struct parser *ps, enum script_requirement_kind kind)
{
    struct script_requirement r = {.kind = kind, .where = ps->token.where};
    bool ok = kind == SCRIPT_DEVICE_FEATURE
                  ? expect_capability(ps, "the name of a feature", features, COUNT(features), &r)
              : kind == SCRIPT_DEVICE_PROPERTY
                  ? expect_capability(ps, "the name of a property", properties, COUNT(properties), &r)
                  : expect_extension(ps, &r);
    return ok && add_requirement(ps, &r);
}

const char *script_requirement_name(enum script_requirement_kind kind)
{
    switch (kind) {
    case SCRIPT_DEVICE_FEATURE:
        return "feature";
    case SCRIPT_DEVICE_PROPERTY:
        return "property";
    case SCRIPT_INSTANCE_EXTENSION:
        return "instance extension";
    default:
        return "extension";
    }
}
