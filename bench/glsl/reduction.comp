layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Numbers { uint numbers[]; };
layout(std430, binding = 1) writeonly buffer Sums { uint sums[]; };
shared uint part[256];
void main()
{
    uint i = gl_LocalInvocationID.x;
    part[i] = numbers[gl_WorkGroupID.x * 256u + i];
    for (uint half_ = 128u; half_ > 0u; half_ >>= 1) {
        memoryBarrierShared();
        barrier();
        if (i < half_)
            part[i] += part[i + half_];
    }
    if (i == 0u)
        sums[gl_WorkGroupID.x] = part[0];
}
