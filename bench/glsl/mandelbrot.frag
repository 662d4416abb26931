void main()
{
    vec2 c = v_uv * 2.5 - 1.25;
    c.x = c.x * u_par.w - 0.65;
    vec2 z = vec2(0.0);
    float n = 0.0, r2 = 0.0, x2 = 0.0, y2 = 0.0;
    while (n < 128.0 && r2 <= 256.0) {
        float xy = z.x * z.y;
        z = vec2(x2 - y2 + c.x, xy + xy + c.y);
        x2 = z.x * z.x;
        y2 = z.y * z.y;
        r2 = x2 + y2;
        n += 1.0;
    }
    if (r2 > 256.0) {
        float smooth_n = n - log2(log2(r2) * 0.5) + 1.0;
        o_color = vec4(cos(smooth_n * 0.16 + vec3(0.0, 0.50, 1.00) + 3.00) * 0.5 + 0.5, 1.0);
    } else {
        o_color = vec4(0.02, 0.01, 0.06, 1.0);
    }
}
