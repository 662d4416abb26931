// compute
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
uint twist(uint x, int n)
{
    for (int i = 0; i < n; i++) {
        if ((x & 1u) != 0u)
            x = x * 5u + uint(i);
        else if (x % 7u == 3u)
            continue;
        else
            x ^= x >> 3;
        if (x == 99u)
            return x + 1u;
    }
    return x;
}
void main()
{
    uint i = gl_GlobalInvocationID.x, sum = 0u, t[4] = uint[4](1u, 2u, 3u, 4u);
    uint x = a[i % 32u];
    do {
        switch (x % 5u) {
        case 0u: sum += t[x & 3u];
        case 1u: sum ^= 17u; break;
        case 2u: t[i & 3u] = sum; break;
        default: sum += twist(x, int(i & 7u));
        }
        x /= 3u;
    } while (x > 0u);
    b[i] = sum + t[1];
}
