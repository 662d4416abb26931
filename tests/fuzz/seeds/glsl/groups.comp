// compute
#version 450
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(binding = 0, rgba8) uniform image2D picture;
shared uint s[64];
void main()
{
    uint i = gl_LocalInvocationIndex;
    s[i] = a[i & 15u] + i;
    barrier();
    uint x = s[63u - i];
    if (subgroupAny(x > 20u) && i < 40u)
        x += subgroupBallotBitCount(subgroupBallot((x & 1u) == 0u)) + subgroupShuffle(x, i ^ 1u);
    else
        x = subgroupBroadcastFirst(x) + uint(subgroupElect());
    atomicAdd(b[i & 3u], x);
    barrier();
    atomicMax(s[i & 7u], x);
    memoryBarrierShared();
    barrier();
    imageStore(picture, ivec2(i, 0), vec4(float(s[i & 7u]) / 255.0) + imageLoad(picture, ivec2(0, i)));
}
