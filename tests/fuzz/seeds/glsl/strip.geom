// geometry
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in vec4 a[];
layout(location = 0) out vec4 b;
void main()
{
    for (int i = 0; i < 6; i++) {
        gl_Position = gl_in[i % 3].gl_Position * (i < 3 ? 1.0 : -0.5);
        b = a[i % 3];
        EmitVertex();
        if (i == 2)
            EndPrimitive();
    }
}
