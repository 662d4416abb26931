layout(location = 0) in vec4 a_position;
out vec4 v_color;
void main()
{
    gl_Position = a_position;
    v_color = vec4(a_position.xy * 0.5 + 0.5, float(gl_InstanceID) * 0.0625, 0.25);
}
