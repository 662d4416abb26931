// tess-control
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 a[];
layout(location = 0) out vec4 b[];
void main()
{
    b[gl_InvocationID] = a[gl_InvocationID] * 2.0;
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    barrier();
    if (gl_InvocationID == 0) {
        gl_TessLevelInner[0] = b[1].x;
        for (int i = 0; i < 3; i++)
            gl_TessLevelOuter[i] = 3.0;
    }
}
