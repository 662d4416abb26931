void main()
{
    vec2 p = v_uv * 2.0 - 1.0;
    p.x *= u_par.w;
    float y = max(abs(p.y), 0.001);
    float depth = 1.0 / y;
    vec4 c = texture(u_tex, vec2(p.x * depth, u_par.x * 0.25 + depth) * 0.5);
    c *= p.y < 0.0 ? vec4(1.00, 0.93, 0.84, 1.0) : vec4(0.55, 0.68, 0.90, 1.0);
    o_color = mix(vec4(0.80, 0.85, 0.92, 1.0), c, clamp(y * 1.8, 0.0, 1.0));
}
