void main()
{
    vec2 p = v_uv * 7.0;
    p.x *= u_par.w;
    vec2 corner = floor(p);
    ivec2 square = ivec2(corner);
    p -= corner;
    float nearest = 8.0, second = 8.0;
    uint nearest_hash = 0u;
    for (int i = 0; i < 9; i++) {
        ivec2 step = ivec2(i % 3 - 1, i / 3 - 1);
        uvec2 cell = uvec2(square + step) * uvec2(73856093u, 19349663u);
        uint h = cell.x ^ cell.y;
        h ^= h >> 13u;
        h *= 1540483477u;
        h ^= h >> 15u;
        vec2 point = sin(vec2(uvec2(h >> 16u, h & 65535u)) * 9.587380e-5 + u_par.x) * 0.35 + 0.5;
        float d = length(point + vec2(step) - p);
        nearest_hash = d < nearest ? h : nearest_hash;
        second = min(second, max(nearest, d));
        nearest = min(nearest, d);
    }
    float tint = float(nearest_hash >> 8u & 255u) * 0.00390625;
    vec3 glass = cos(tint * 5.5 + vec3(0.0, 2.1, 4.2)) * 0.42 + 0.55;
    glass *= 1.0 - nearest * 0.9;
    float seam = clamp((second - nearest - 0.12) * 9.0 + 1.0, 0.0, 1.0);
    o_color = vec4(mix(vec3(0.05, 0.05, 0.07), glass, seam), 1.0);
}
