// fragment
#version 310 es
precision highp float;
uniform float time;
out vec4 color;
void main()
{
    vec2 z = vec2(0.0), c = gl_FragCoord.xy / 8.0 - 1.0;
    int i = 0;
    while (i < 30 && dot(z, z) < 4.0) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        ++i;
    }
    color = vec4(float(i) / 30.0, sin(time), z);
}
