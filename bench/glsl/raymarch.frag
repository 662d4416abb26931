const vec3 centre = vec3(0.0, 0.85, 0.0);
const vec3 sun = vec3(0.5746957, 0.6896349, -0.4406000);

vec3 tilt(vec3 q)
{
    return vec3(0.94 * q.x - 0.3411744 * q.y, 0.3411744 * q.x + 0.94 * q.y, q.z);
}

/* Distances to the sphere and to the ring, q relative to their centre. */
vec2 things(vec3 q)
{
    vec3 r = tilt(q);
    return vec2(length(q) - 0.6, length(vec2(r.y, length(r.xz) - 1.05)) - 0.13);
}

void main()
{
    vec3 eye_ray = normalize(vec3((v_uv.x * 2.0 - 1.0) * u_par.w, v_uv.y * 2.0 - 1.32, 2.0));
    float c = cos(u_par.x * 0.3), s = sin(u_par.x * 0.3);
    vec3 ray = vec3(c * eye_ray.x + s * eye_ray.z, eye_ray.y, c * eye_ray.z - s * eye_ray.x);
    vec3 eye = vec3(-4.0 * s, 1.75, -4.0 * c);

    float t = 1.0;
    vec3 p, q;
    vec2 d;
    for (int i = 0;; i++) {
        p = ray * t + eye;
        q = p - centre;
        d = things(q);
        float nearest = min(min(d.x, d.y), p.y);
        if (nearest < t * 0.001 || t >= 16.0 || i >= 96)
            break;
        t += nearest;
    }

    vec3 colour = mix(vec3(0.72, 0.82, 0.92), vec3(0.12, 0.30, 0.62), sqrt(max(ray.y, 0.0)));
    if (t < 16.0) {
        vec3 n, base;
        float shine = 1.0;
        if (min(d.x, d.y) < p.y) {
            if (d.x < d.y) {
                n = q;
                base = vec3(0.80, 0.22, 0.14);
            } else {
                vec3 r = tilt(q);
                r.xz *= 1.0 - 1.05 / length(r.xz);
                n = vec3(0.94 * r.x + 0.3411744 * r.y, 0.94 * r.y - 0.3411744 * r.x, r.z);
                base = vec3(0.80, 0.55, 0.16);
            }
            n = normalize(n);
        } else {
            n = vec3(0.0, 1.0, 0.0);
            vec2 square = floor(p.xz);
            base = mix(vec3(0.12, 0.16, 0.20), vec3(0.62, 0.62, 0.58), 2.0 * fract((square.x + square.y) * 0.5));
            shine = 0.0;
        }

        vec3 from = n * 0.01 + p - centre;
        float light = 1.0, far = 0.04;
        for (int i = 0; i < 40; i++) {
            vec2 gaps = things(sun * far + from);
            float gap = min(gaps.x, gaps.y);
            light = min(light, 12.0 * gap / far);
            far += clamp(gap, 0.02, 0.25);
            if (light < 0.004 || far > 3.5)
                break;
        }
        light = max(light, 0.0);

        float nl = dot(n, sun);
        float nh = max(dot(n, normalize(sun - ray)), 0.0);
        float diffuse = max(nl, 0.0) * light;
        float specular = nl > 0.0 ? pow(nh, 60.0) * light * shine : 0.0;
        vec3 sunlight = vec3(1.10, 1.02, 0.88);
        vec3 lit = (vec3(0.20, 0.24, 0.32) * (n.y * 0.5 + 0.5) + sunlight * diffuse) * base + sunlight * specular;
        colour = mix(colour, lit, exp2(t * t * -0.012));
    }
    o_color = vec4(sqrt(min(colour, 1.0)), 1.0);
}
