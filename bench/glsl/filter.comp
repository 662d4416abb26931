layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba8, binding = 0) readonly uniform highp image2D u_sharp;
layout(rgba8, binding = 1) writeonly uniform highp image2D u_soft;
void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    vec4 sum = vec4(0.0);
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++)
            sum += 0.04 * imageLoad(u_sharp, clamp(at + ivec2(x, y), ivec2(0), ivec2(2047)));
    imageStore(u_soft, at, sum);
}
