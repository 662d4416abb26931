layout(location = 0) in vec4 a_position;
layout(location = 1) in vec4 a_normal;
uniform mat4 u_camera;
out vec3 v_normal, v_position;
void main()
{
    gl_Position = u_camera * vec4(a_position.xyz, 1.0);
    v_normal = a_normal.xyz;
    v_position = a_position.xyz;
}
