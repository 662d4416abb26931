// compute
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer A { vec4 a[]; };
layout(std430, binding = 1) buffer B { ivec4 b[]; };
layout(binding = 0, std140) uniform U { mat4 m; vec3 v; int n; } u;
struct S { vec3 p; mat2 q; int k[3]; };
S make(float x)
{
    S s;
    s.p = vec3(x, -x, x * 2.0);
    s.q = mat2(x, 1.0, 2.0, x);
    s.k = int[3](int(x), 1, -5);
    return s;
}
void main()
{
    uint i = gl_LocalInvocationIndex;
    vec4 x = a[i & 7u];
    S s = make(x.y);
    int e;
    float f = frexp(x.x, e), g = ldexp(f, e + 1);
    vec4 r = u.m * x + vec4(s.q * s.p.xy, clamp(g, -1.0, 1.0), dot(s.p, u.v));
    r += mix(sin(x), fract(x), greaterThan(x, vec4(0.25))) + inverse(u.m)[i & 3u];
    int64_t w = int64_t(x.z) << 20;
    double d = double(x.w) * 3.0LF;
    float16_t h = float16_t(x.x) / float16_t(3.0);
    a[i & 7u] = r + float(h);
    b[i & 3u] = ivec4(int(w >> 4), int(d), bitfieldExtract(int(i), 1, 4), s.k[i % 3u]) +
                ivec4(unpackHalf2x16(packHalf2x16(x.xy)), findMSB(e), bitCount(e));
}
