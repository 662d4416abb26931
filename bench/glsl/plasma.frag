void main()
{
    vec2 p = v_uv * 2.0 - 1.0;
    p.x *= u_par.w;
    float t = u_par.x;
    vec2 centre = p - 0.5 * vec2(sin(t), cos(t));
    float d2 = dot(centre, centre) + 0.0001;
    vec4 phase = vec4(p, p.x + p.y, d2 * inversesqrt(d2)) * vec4(5.0, 7.0, 4.0, 11.0) + vec4(0.4, 2.0, 1.1, 0.0);
    vec4 wave = exp2(2.0 * sin(phase + t * vec4(1.0, 1.3, 0.7, -1.9)));
    float v = log2(wave.x + wave.y + wave.z + wave.w) * 0.5;
    o_color = vec4(cos(v * 3.1 + vec3(0.3, 1.0, 2.1)) * 0.5 + 0.5, 1.0);
}
