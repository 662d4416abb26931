#!/bin/sh
# glsl.sh WEFT - GLSL and HLSL on the command line: known by the name of their files or by -i, drawn, checked and assembled, and what
# their messages say.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

if "$weft" --version | grep -q '^shader compilers: none'; then
    echo 'ok 1 # SKIP without glslang'
    echo '1..1'
    exit
fi

cat >a.frag <<'END'
#version 450
layout(location = 0) out vec4 color;
void main()
{
    vec2 p = gl_FragCoord.xy / 64.0;
    color = vec4(p, 0.5, 1.0);
}
END
cp a.frag a.txt
sed 's/vec4(p/vec4(q/' a.frag >bad.frag
printf '#version 450\nlayout(local_size_x = 4) in;\nlayout(set = 0, binding = 0) buffer B { uint v[]; } b;\nvoid main() { b.v[gl_GlobalInvocationID.x] *= 3u; }\n' >m.comp
printf 'float4 main(float4 p : SV_Position) : SV_Target { return float4(p.xy / 64, 0.5, 1); }\n' >a.hlsl
printf '#version 450\nuniform vec4 tint;\nlayout(location = 0) out vec4 c;\nvoid main() { c = tint; }\n' >u.frag
echo '0.25 0.5 0.75 1' >tint
printf '\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0' >in.bin

same_picture() {
    "$weft" draw a.frag --size 16x16 -o a.raw && "$weft" draw "$@" --size 16x16 -o b.raw && cmp a.raw b.raw
}
through() { "$weft" asm a.frag -o a.spv && "$weft" dis a.spv -o a.spvasm && "$weft" asm a.spvasm -o b.spv && "$weft" check a.spv a.spvasm; }
computes() {
    "$weft" run m.comp --buffer 0=in.bin --dump-buffer 0=out.bin &&
        [ "$(od -An -tu4 out.bin | tr -s ' ')" = ' 3 6 9 12' ]
}
uniform() {
    "$weft" draw u.frag --const 0=tint --size 1x1 -o u.raw && [ "$(od -An -tf4 u.raw | tr -s ' ')" = ' 0.25 0.5 0.75 1' ]
}
# A loop that counts to few is unrolled before it runs: with fewer instructions, and the same picture. o is
# (0 + 1 + 4 + 9 + 16) / 32 and, of a loop that counts to many, 100 / 128.
cat >loop.frag <<'END'
#version 450
layout(location = 0) out vec4 o;
float sum(float a[5]) { float s = 0.0; for (int i = 0; i < 5; i++) { s += a[i]; a[i] = 0.0; } return s; }
void main()
{
    float a[5], n = 0.0;
    for (int i = 0; i < 5; ++i)
        a[i] = float(i * i);
    for (int i = 0; i < 100; ++i)
        n += 1.0;
    o = vec4(sum(a) / 32.0, n / 128.0, a[int(gl_FragCoord.x)], 1);
}
END
instructions() { "$weft" draw "$1" --size 4x1 --stats -o "$2" 2>&1 | sed -n 's/^instructions //p'; }
unrolled() {
    "$weft" asm loop.frag -o loop.spv && fewer=$(instructions loop.frag a.raw) && all=$(instructions loop.spv b.raw) &&
        cmp a.raw b.raw && [ "$fewer" -lt "$all" ] &&
        [ "$(od -An -tf4 -N16 a.raw | tr -s ' ')" = ' 0.9375 0.78125 0 1' ]
}
check 'short loops are unrolled' unrolled
check 'a .frag is GLSL' "$weft" check a.frag
check '-i glsl says so of any file' same_picture -i glsl -s fragment a.txt
check 'HLSL' same_picture -s fragment a.hlsl
check 'words and assembly of it' through
check 'the same picture from its words' same_picture a.spv
check '-i glsl of asm' "$weft" asm -i glsl -s fragment a.txt -o c.spv
check 'a loose uniform is in constant buffer 0' uniform
check 'a .comp runs on buffers' computes
check 'a mistake' status 1 "$weft" check bad.frag
check 'has its place' says "^bad.frag:6:18: error: 'q': undeclared identifier"
check 'without a stage' status 2 "$weft" check -i glsl a.txt
check 'the message says what to give' says 'give -s STAGE'
printf '%s\n' '[vertex shader passthrough]' '[fragment shader]' "$(cat a.frag)" '[test]' 'draw arrays PATCH_LIST 0 3' >p.vkscript
patches() { status 1 "$weft" run --json p.vkscript && prints '"code": "draw"' && prints 'patches need a tessellation'; }
check 'patches without a tessellation shader: [draw]' patches
finish
