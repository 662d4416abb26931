// hlsl fragment
cbuffer C : register(b0) { float4x4 m; float4 tint; };
Texture2D t : register(t0);
SamplerState s : register(s0);
float4 main(float4 at : SV_Position, float2 uv : TEXCOORD0) : SV_Target
{
    float4 c = mul(m, float4(uv, 0, 1));
    [unroll] for (int i = 0; i < 3; i++)
        c += t.Sample(s, uv * i) * tint;
    clip(c.x - 0.1);
    return saturate(c);
}
