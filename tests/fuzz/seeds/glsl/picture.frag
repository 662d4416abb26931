// fragment
#version 450
layout(location = 0) in vec4 at;
layout(location = 1) flat in int kind;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D t;
uniform vec4 tint;
uniform int n;
float height(vec2 p)
{
    float h = 0.0, w = 0.5;
    for (int i = 0; i < 6; i++) {
        h += w * sin(p.x + p.y * 1.7);
        p = mat2(0.8, 0.6, -0.6, 0.8) * p * 2.1;
        w *= 0.5;
        if (h > 1.5)
            break;
    }
    return h;
}
void main()
{
    vec2 p = gl_FragCoord.xy / 16.0 + at.xy;
    if (height(p) < -0.9)
        discard;
    vec4 c = texture(t, p) + textureLod(t, p, 1.0) + texelFetch(t, ivec2(p), 0);
    c.xy += dFdx(p) + fwidth(at.zw);
    for (int i = 0; i < n; i++)
        c = (i & 1) == 0 ? c.yzwx : c * tint;
    color = kind > 0 ? c : vec4(height(p), p, 1.0);
}
