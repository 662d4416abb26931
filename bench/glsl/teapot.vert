layout(location = 0) in vec4 a_position;
layout(location = 1) in vec4 a_normal;
out vec3 v_normal, v_position;

vec3 turn(vec3 p, float c, float s)
{
    const float tilt_c = 0.9063078, tilt_s = 0.4226183;
    vec3 q = vec3(p.x * c + p.z * s, p.y, p.z * c - p.x * s);
    return vec3(q.x, q.y * tilt_c - q.z * tilt_s, q.y * tilt_s + q.z * tilt_c);
}

void main()
{
    float angle = u_par.x * 0.6 + 0.5;
    float c = cos(angle), s = sin(angle);
    vec3 p = turn(a_position.xyz, c, s) + vec3(0.0, -0.05, -3.4);
    v_position = p;
    v_normal = turn(a_normal.xyz, c, s);
    gl_Position = vec4(p.xy * 3.2 / vec2(u_par.w, 1.0), p.z * -1.2857143 - 2.2857143, -p.z);
}
