void main()
{
    vec2 p = v_uv * 2.0 - 1.0;
    p.x *= u_par.w;
    float d2 = dot(p, p) + 0.0001;
    float along = inversesqrt(d2), radius = d2 * along;

    vec2 a = abs(p);
    float z = min(a.x, a.y) / (max(a.x, a.y) + 0.0001), s = z * z;
    float angle = ((s * -0.0464964749 + 0.15931422) * s - 0.327622764) * s * z + z;
    angle = a.x < a.y ? 1.5707963268 - angle : angle;
    angle = p.x < 0.0 ? 3.1415926536 - angle : angle;
    angle = p.y < 0.0 ? -angle : angle;

    vec2 wall = vec2(along * 1.6 + u_par.x * 1.2, angle * 2.8647890);
    vec2 brick = floor(wall);
    wall.y += fract(brick.x * 0.5);
    brick.y = floor(wall.y);
    wall -= brick;
    brick.y -= brick.y >= 9.0 ? 18.0 : 0.0;
    uvec2 n = uvec2(ivec2(brick)) * uvec2(73856093u, 19349663u);
    uint h = n.x ^ n.y;
    h ^= h >> 13u;
    h *= 1540483477u;
    h ^= h >> 15u;
    vec3 c = mix(vec3(0.44, 0.17, 0.11), vec3(0.82, 0.42, 0.25), float(h & 255u) * 0.00392156862745098);
    vec2 edge = 0.5 - abs(wall - 0.5);
    c = mix(vec3(0.62, 0.58, 0.52), c, clamp((min(edge.x, edge.y) - 0.06) * 14.0 + 0.5, 0.0, 1.0));
    o_color = vec4(mix(vec3(0.10, 0.14, 0.30), c, clamp((radius - 0.12) * 1.25, 0.0, 1.0)), 1.0);
}
