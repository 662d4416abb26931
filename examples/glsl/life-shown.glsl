// life-shown.glsl - what life.glsl leaves, as a picture: living cells are bright, and where they were it glows.

const vec2 cells = vec2(128.0);

void mainImage(out vec4 color, in vec2 position)
{
    vec2 at = position / iResolution.xy * cells;
    float glow = 0.0;
    for (int i = 0; i < 16; i++) {
        float turn = 2.39996 * float(i), far = 0.6 * sqrt(float(i) + 0.5);
        glow += texelFetch(iChannel0, ivec2(mod(at + far * vec2(cos(turn), sin(turn)), cells)), 0).g;
    }
    glow /= 16.0;
    vec2 inside = abs(fract(at) - 0.5);
    float cell = texelFetch(iChannel0, ivec2(at), 0).r * smoothstep(0.5, 0.35, max(inside.x, inside.y));
    vec3 embers = vec3(0.04, 0.02, 0.09) + glow * vec3(0.9, 0.28, 0.12) + glow * glow * vec3(0.1, 0.5, 0.3);
    color = vec4(mix(embers, vec3(1.0, 0.95, 0.8), cell), 1.0);
}
