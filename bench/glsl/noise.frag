void main()
{
    vec2 p = vec2(v_uv.x * u_par.w, v_uv.y) * 4.0;
    p.x += u_par.x * 0.15;
    float sum = 0.0, amplitude = 0.5;
    for (int i = 0; i < 5; i++) {
        vec2 cell = floor(p), f = p - cell;
        vec2 s = f * f * (3.0 - 2.0 * f);
        ivec2 c = ivec2(cell);
        uvec4 x = uvec4(c.xxxx + ivec4(0, 1, 0, 1)), y = uvec4(c.yyyy + ivec4(0, 0, 1, 1));
        uvec4 h = x * 73856093u ^ y * 19349663u;
        h ^= h >> 13u;
        h *= 1540483477u;
        h ^= h >> 15u;
        vec4 v = vec4(h >> 8u) * 0.00000005960464;
        vec2 edge = mix(v.xz, v.yw, s.x);
        sum += amplitude * mix(edge.x, edge.y, s.y);
        amplitude *= 0.5;
        p = vec2(1.6 * p.x + 1.2 * p.y, -1.2 * p.x + 1.6 * p.y);
    }
    vec3 sky = mix(vec3(0.60, 0.78, 0.92), vec3(0.16, 0.36, 0.68), v_uv.y);
    vec3 cloud = mix(vec3(1.00, 0.98, 0.95), vec3(0.56, 0.58, 0.66), clamp(sum * 2.4 - 0.95, 0.0, 1.0));
    o_color = vec4(mix(sky, cloud, clamp(sum * 3.4 - 1.30, 0.0, 1.0)), 1.0);
}
