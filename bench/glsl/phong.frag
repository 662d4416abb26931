void main()
{
    vec2 p = v_uv * 2.0 - 1.0;
    p.x *= u_par.w;

    vec3 back = mix(vec3(0.52, 0.54, 0.60), vec3(0.86, 0.87, 0.90), v_uv.y);
    vec2 s = vec2(p.x, (p.y + 0.76) * 7.0);
    back *= 1.0 - 0.55 * exp2(-2.0 * dot(s, s));

    float h = 0.49 - dot(p, p);
    vec3 n = vec3(p, sqrt(max(h, 0.0))) * 1.4285714;

    float si = sin(u_par.x), co = cos(u_par.x);
    vec3 l = normalize(vec3(0.70 * co - 0.55 * si, 0.65, 0.55 * co + 0.70 * si));

    float nl = dot(n, l);
    float rv = 2.0 * nl * n.z - l.z;
    float diffuse = max(nl, 0.0);
    float specular = nl > 0.0 ? pow(max(rv, 0.0), 40.0) : 0.0;
    vec3 light = vec3(1.00, 0.97, 0.90);
    vec3 c = (light * diffuse + vec3(0.09, 0.11, 0.20)) * vec3(0.16, 0.42, 0.86) + light * specular;

    o_color = clamp(vec4(mix(back, c, clamp(h * 48.0, 0.0, 1.0)), 1.0), 0.0, 1.0);
}
