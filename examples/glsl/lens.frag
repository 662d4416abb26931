#version 330
// A drop of glass over tiles: a texture by name, refracted, with the lens's edge and a highlight.
in vec2 at;
out vec4 colour;
uniform sampler2D floor_tiles;

void main()
{
    vec2 p = (at - 0.5) * 2.0;
    float r = length(p) / 0.72;
    vec2 from = at * 2.0;
    vec3 extra = vec3(0.0);
    float shade = 1.0 - 0.45 * smoothstep(0.5, 0.0, distance(p, vec2(0.08, -0.14)) - 0.55);
    if (r < 1.0) {
        vec3 n = vec3(p / 0.72, sqrt(1.0 - r * r));
        vec3 bent = refract(vec3(0.0, 0.0, -1.0), n, 1.0 / 1.5);
        from += bent.xy * n.z * 1.1;
        vec3 h = normalize(vec3(-0.5, 0.6, 0.9));
        extra = vec3(pow(max(dot(n, h), 0.0), 90.0)) + vec3(0.25, 0.35, 0.45) * pow(1.0 - n.z, 3.0);
        shade = 0.75 + 0.35 * smoothstep(-1.0, 1.0, dot(n.xy, vec2(0.6, -0.7)));
    }
    colour = vec4(texture(floor_tiles, from).rgb * shade + extra, 1.0);
}
