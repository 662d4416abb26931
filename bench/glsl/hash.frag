uint pcg(uint n)
{
    uint s = n * 747796405u + 2891336453u;
    uint w = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
    return (w >> 22u) ^ w;
}

void main()
{
    vec2 p = v_uv * 12.0;
    p.x *= u_par.w;
    vec2 tile = floor(p);
    p -= tile;
    uvec2 n = uvec2(tile);
    uint h = pcg(pcg(n.x) + n.y);
    p.x = (h & 1u) != 0u ? 1.0 - p.x : p.x;
    vec2 d = abs(vec2(length(p), length(1.0 - p)) - 0.5);
    float arc = clamp((0.14 - min(d.x, d.y)) * 20.0, 0.0, 1.0);
    float light = float(h >> 8u & 255u) * 0.00392156862745098;
    vec3 ground = mix(vec3(0.05, 0.13, 0.22), vec3(0.10, 0.27, 0.36), light);
    o_color = vec4(mix(ground, mix(vec3(0.98, 0.77, 0.38), vec3(0.94, 0.36, 0.42), v_uv.y), arc), 1.0);
}
