// Interference of three sources, in the style of GLSL 1.20: no version, varying and gl_FragColor.
varying vec2 at;

void main()
{
    vec2 p = at * 2.0 - 1.0;
    float sum = 0.0;
    for (int i = 0; i < 3; i++) {
        float a = float(i) * 2.0944 + 0.5236;
        sum += cos(36.0 * length(p - 0.55 * vec2(cos(a), sin(a))));
    }
    vec3 low = vec3(0.03, 0.05, 0.14), high = vec3(0.25, 0.85, 0.95);
    vec3 c = mix(low, high, smoothstep(-2.0, 3.0, sum));
    c += vec3(0.9, 0.5, 0.2) * pow(max(sum / 3.0, 0.0), 6.0);
    gl_FragColor = vec4(c * (1.2 - 0.55 * dot(p, p)), 1.0);
}
