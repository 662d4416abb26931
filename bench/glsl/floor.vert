layout(location = 0) in vec4 a_position;
out vec2 v_uv;
void main()
{
    float w = a_position.y * 7.5 + 8.5;
    gl_Position = vec4(a_position.xy * w, 0.0, w);
    v_uv = vec2(a_position.x * w, w * 2.0);
}
