void main()
{
    vec2 z = v_uv * 2.9 - 1.45;
    z.x *= u_par.w;
    float angle = u_par.x * 0.02 + 2.9911;
    vec2 c = 0.7539 * vec2(cos(angle), sin(angle));
    vec2 axes = vec2(100.0);
    float origin = 100.0, n = 0.0;
    for (;;) {
        vec2 s = z * z;
        if (n >= 96.0 || s.x + s.y > 64.0)
            break;
        float xy = z.x * z.y;
        z = vec2(s.x - s.y, xy + xy) + c;
        axes = min(axes, abs(z));
        origin = min(origin, dot(z, z));
        n += 1.0;
    }
    float stalk = exp2(min(axes.x, axes.y) * -250.0), pearl = exp2(origin * -40.0);
    vec3 colour = vec3(0.98, 0.85, 0.55) * stalk + vec3(0.12, 0.30, 0.62) * pearl + vec3(0.55, 0.10, 0.22) * (n * 0.01);
    o_color = vec4(clamp(colour, 0.0, 1.0), 1.0);
}
