in vec3 v_normal, v_position;
out vec4 o_color;
void main()
{
    const vec3 light = vec3(0.4242641, 0.5656854, 0.7071068), eye = vec3(1.46, 1.37, 3.25);
    vec3 n = normalize(v_normal), v = normalize(eye - v_position);
    float nl = dot(n, light);
    float rv = max(dot(2.0 * nl * n - light, v), 0.0);
    vec3 c = vec3(0.08, 0.10, 0.14) + vec3(0.70, 0.35, 0.20) * max(nl, 0.0) + vec3(0.60, 0.60, 0.55) * pow(rv, 32.0);
    o_color = vec4(c, 1.0);
}
