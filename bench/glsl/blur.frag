vec4 tap(float dx, float dy)
{
    return texture(u_tex, v_uv + vec2(dx, dy) * 0.0078125);
}

void main()
{
    vec4 corners = tap(-1.0, -1.0) + tap(1.0, -1.0) + tap(-1.0, 1.0) + tap(1.0, 1.0);
    vec4 sides = tap(0.0, -1.0) + tap(-1.0, 0.0) + tap(1.0, 0.0) + tap(0.0, 1.0);
    vec4 middle = texture(u_tex, v_uv);
    vec4 blurred = middle * 0.25 + sides * 0.125 + corners * 0.0625;
    float x = v_uv.x - 0.5;
    o_color = abs(x) < 0.002 ? vec4(0.93, 0.45, 0.25, 1.0) : x < 0.0 ? middle : blurred;
}
