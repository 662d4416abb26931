// fragment
#version 140
in vec2 uv;
uniform sampler2D t;
out vec4 color;
void main() { color = texture(t, uv) * gl_FragCoord.x; }
