#version 450
// Dunes at dusk: ridges of noise one after the other, each a little darker, under a sun with a glow.
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 colour;
uniform vec2 sun;       // where the sun is
uniform float haze;     // how much of the sky's colour the far dunes take

float hash(float n) { return fract(sin(n * 127.1) * 43758.5453); }

float noise(float x)
{
    float i = floor(x), f = x - i;
    return mix(hash(i), hash(i + 1.0), f * f * (3.0 - 2.0 * f));
}

float ridge(float x, float seed)
{
    float h = 0.0, a = 0.5;
    for (int i = 0; i < 5; i++, x *= 2.1, a *= 0.45)
        h += a * noise(x + seed * 17.0);
    return h;
}

void main()
{
    float d = distance(at, sun);
    vec3 sky = mix(vec3(0.98, 0.62, 0.34), vec3(0.16, 0.20, 0.42), smoothstep(0.2, 1.0, at.y));
    vec3 c = sky + vec3(1.0, 0.55, 0.25) * 0.5 * exp(-6.0 * d);
    c = mix(vec3(1.0, 0.93, 0.75), c, smoothstep(0.075, 0.085, d));
    for (int i = 0; i < 5; i++) {
        float near = float(i) / 4.0;
        float height = 0.46 - 0.42 * near + 0.22 * ridge(at.x * (3.0 - near), float(i));
        vec3 sand = mix(vec3(0.72, 0.36, 0.28), vec3(0.10, 0.06, 0.14), near);
        sand = mix(sand, sky, haze * (1.0 - near)) + vec3(0.35, 0.18, 0.08) * smoothstep(0.03, 0.0, height - at.y);
        c = mix(c, sand, smoothstep(0.0, 0.004, height - at.y));
    }
    colour = vec4(c, 1.0);
}
