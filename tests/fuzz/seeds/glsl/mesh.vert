// vertex
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 color;
layout(push_constant) uniform P { mat4 m[2]; vec4 light; } p;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };
void main()
{
    gl_Position = p.m[gl_VertexIndex & 1] * position;
    gl_PointSize = 1.0;
    gl_ClipDistance[0] = gl_Position.x;
    gl_ClipDistance[1] = 1.0;
    color = vec4(max(dot(normalize(normal), p.light.xyz), 0.0)) + float(gl_InstanceIndex);
}
