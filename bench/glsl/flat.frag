void main()
{
    o_color = vec4(0.93, 0.45, 0.25, 1.0);
}
