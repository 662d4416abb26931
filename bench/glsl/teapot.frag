in vec3 v_normal, v_position;
out vec4 o_color;

void main()
{
    const vec3 warm = vec3(0.4850713, 0.7276069, 0.4850713), cool = vec3(-0.8137335, 0.2034334, 0.5444);
    const vec3 warm_light = vec3(1.00, 0.93, 0.80), cool_light = vec3(0.16, 0.24, 0.40);
    vec3 n = normalize(v_normal), v = normalize(-v_position);
    float nv = dot(n, v);
    n = nv < 0.0 ? -n : n;
    nv = abs(nv);

    vec3 light = mix(vec3(0.13, 0.09, 0.07), vec3(0.26, 0.28, 0.32), n.y * 0.5 + 0.5);
    float nl = dot(n, warm), nh = dot(n, normalize(warm + v));
    float highlight = nl > 0.0 ? pow(max(nh, 0.0), 90.0) : 0.0;
    light += warm_light * max(nl, 0.0);
    light += cool_light * max(dot(n, cool), 0.0);

    float rim = pow(clamp(1.0 - nv, 0.0, 1.0), 3.0);
    vec3 c = light * vec3(0.13, 0.50, 0.47) + warm_light * highlight + vec3(0.10, 0.16, 0.20) * rim;
    o_color = vec4(sqrt(min(c, 1.0)), 1.0);
}
