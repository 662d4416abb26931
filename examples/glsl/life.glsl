// life.glsl - Conway's game of life, one step a frame: a pass that has its own picture of the frame before.
//
//   weft draw life-shown.glsl --pass Life=life.glsl --texture Life.iChannel0=Life --texture iChannel0=Life --frame 160 -o life.png
//
// Red is 1 for a living cell; green is how warm its place is, which fades when the cell dies.

const ivec2 cells = ivec2(128);

bool is_alive(ivec2 at)
{
    return texelFetch(iChannel0, (at + cells) % cells, 0).r > 0.5;
}

void mainImage(out vec4 state, in vec2 position)
{
    ivec2 at = ivec2(position);
    if (any(greaterThanEqual(at, cells)))
        discard;
    if (iFrame == 0) {
        float noise = fract(sin(dot(vec2(at), vec2(12.9898, 78.233))) * 43758.5453);
        state = vec4(noise > 0.72 ? 1.0 : 0.0, 0.0, 0.0, 1.0);
        return;
    }
    int neighbours = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            if ((x != 0 || y != 0) && is_alive(at + ivec2(x, y)))
                neighbours++;
    bool lives = neighbours == 3 || (neighbours == 2 && is_alive(at));
    float warm = texelFetch(iChannel0, at, 0).g;
    state = vec4(lives ? 1.0 : 0.0, lives ? min(warm + 0.25, 1.0) : warm * 0.965, 0.0, 1.0);
}
