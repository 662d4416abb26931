// tess-evaluation
#version 450
layout(triangles, fractional_odd_spacing, ccw) in;
layout(location = 0) in vec4 a[];
layout(location = 0) out vec4 b;
void main()
{
    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                  gl_TessCoord.z * gl_in[2].gl_Position;
    b = mix(a[0], a[1], gl_TessCoord.xyzx);
}
