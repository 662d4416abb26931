void main()
{
    vec3 sky = mix(vec3(1.00, 0.58, 0.28), vec3(0.66, 0.27, 0.42), clamp(v_uv.y * 2.0, 0.0, 1.0));
    sky = mix(sky, vec3(0.07, 0.09, 0.26), clamp(v_uv.y * 2.0 - 1.0, 0.0, 1.0));

    vec2 p = v_uv - vec2(0.5, 0.22);
    p.x *= u_par.w;
    float d2 = dot(p, p);
    sky += vec3(0.55, 0.38, 0.16) * exp2(d2 * -40.0);
    float disc = clamp((0.0074 - d2) * 2500.0, 0.0, 1.0);
    o_color = clamp(vec4(mix(sky, vec3(1.00, 0.94, 0.78), disc), 1.0), 0.0, 1.0);
}
