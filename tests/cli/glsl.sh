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
through() { "$weft" asm a.frag -o a.spv && "$weft" dis a.spv -o a.spvasm && "$weft" asm a.spvasm -o b.spv && cmp a.spv b.spv && "$weft" check a.spv a.spvasm; }
# A listing gives its words again: generators with and without a name (the third word), a bound beyond the ids, a version.
header() { # WORD OFFSET: four bytes, as octal numbers
    "$weft" asm a.frag -o a.spv && printf "$1" | dd of=a.spv bs=1 seek="$2" conv=notrunc 2>dd &&
        "$weft" dis a.spv -o a.spvasm && "$weft" asm a.spvasm -o b.spv && cmp a.spv b.spv
}
headers() {
    for generator in '\0\0\0\0' '\5\0\7\0' '\377\377\10\0' '\0\0\27\0' '\1\0\310\0' '\3\0\377\377'; do
        header "$generator" 8 || return 1
    done
    header '\0\1\0\0' 12 && header '\0\3\1\0' 4
}
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
# Loops that end early, in functions and switches, count in steps or downwards, overflow, or are in each other.
cat >odd.frag <<'END'
#version 450
layout(location = 0) out vec4 o;
float f(float x)
{
    for (int i = 0; i < 6; i++) {
        if (x < float(i) * 0.2)
            return float(i);
        x *= 1.1;
        if (i == 3)
            continue;
        x += 0.01;
    }
    return x;
}
int g(int n)
{
    int s = 0;
    for (int i = 10; i > 2; i -= 3) {
        for (int j = i; j >= 0; j--) {
            s += j;
            if (s > n)
                break;
        }
        s ^= i;
    }
    return s;
}
uint h(uint n)
{
    uint s = 0u;
    for (uint i = 4294967290u; i > 3u; i += 2u) {
        s += i;
        n--;
        if (n == 0u)
            break;
    }
    return s;
}
void main() {
  float x = gl_FragCoord.x / 64.0, y = gl_FragCoord.y / 64.0;
  int k = 0, z = 0;
  for (int i = 1; i < 16; i *= 2) z += i;
  for (int i = 0; i < 5; i += 2) { if (x > 0.5 && i == 2) break; k += i; }
  do { k++; } while (k < 7);
  while (true) { if (k > 12) break; k += 2; for (int i = 0; i != 3; ++i) k++; }
  for (int i = 0; i < 3; i++) { switch (i) { case 0: z++; case 1: z += 2; break; default: continue; } z *= 2; }
  float d = 0.0;
  for (int i = 0; i < 4; i++) { if (y > 0.7 && i == 3) discard; d += dFdx(x * float(i)) ; }
  for (int i = 0; i < 5; i++) for (int j = i; j < 5; j++) d += fract(x * float(i + j * 3));
  int m = 0; for (int i = 0; i <= 16; i++) { m += i; i += m & 1; }
  for (float q = 0.0; q < 4.0; q += 1.0) d += q;
  for (int i = 5; i < 5; i++) d += 100.0;
  o = vec4(f(x) + d, float(g(int(y * 64.0)) + k) * 0.01, float(h(uint(x * 5.0)) & 255u) / 255.0, float(z + m) * 0.01);
}
END
odd() {
    "$weft" asm odd.frag -o odd.spv && "$weft" draw odd.frag --size 64x64 -o a.raw &&
        "$weft" draw odd.spv --size 64x64 -o b.raw && cmp a.raw b.raw
}
# -D, -I and #include. The texts of files are found next to the one that includes them, then in the folders.
mkdir -p lib sub bomb
printf '#version 450\n#include "sub/a.glsl"\n#include <b.glsl>\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(first(), second(), MORE, ONE); }\n' >i.frag
printf '#include "c.glsl"\nfloat first() { return third() * 0.5; }\n' >sub/a.glsl
printf 'float third() { return 0.5; }\n' >sub/c.glsl
printf '#ifndef B\n#define B\nfloat second() { return 0.75; }\n#include "b.glsl"\n#endif\n' >lib/b.glsl
floats() { od -An -tf4 "$1" | tr -s ' '; }
included() {
    "$weft" draw "$@" i.frag -I lib -D MORE=0.125 -DONE --size 1x1 -o i.raw && [ "$(floats i.raw)" = ' 0.25 0.75 0.125 1' ]
}
check 'macros and included files' included
sed 's/^#version.*/&\n#extension GL_ARB_shading_language_include : require/' i.frag >j.frag
check "with OpenGL's extension" "$weft" check -I lib -DMORE=1 -DONE j.frag
for command in 'asm -f hex' check; do
    # shellcheck disable=SC2086
    check "macros and folders of $command" "$weft" $command -s fragment --define MORE=1 --define ONE --include lib i.frag
done
printf '#version 450\nlayout(local_size_x = WIDTH) in;\nlayout(set = 0, binding = 0) buffer B { uint v[]; };\nvoid main() { v[gl_GlobalInvocationID.x] = WIDTH; }\n' >w.comp
wide() { "$weft" run w.comp -D WIDTH=3 --buffer 0=12:zero --dump-buffer 0=w.bin && [ "$(od -An -tu4 w.bin | tr -s ' ')" = ' 3 3 3' ]; }
check 'macros of run' wide
printf '#include "h.inc"\nfloat4 main() : SV_Target { return V; }\n' >i.hlsl
printf '#define V float4(1, 2, 3, W)\n' >h.inc
hlsl() { "$weft" draw -s fragment i.hlsl -D W=4 --size 1x1 -o h.raw && [ "$(floats h.raw)" = ' 1 2 3 4' ]; }
check 'macros and included files of HLSL' hlsl
printf 'varying vec2 uv;\n#include "old.glsl"\nvoid main() { paint(); }\n' >old.frag
printf 'void paint() { gl_FragColor = vec4(uv, 0, K); }\n' >old.glsl
old() { "$weft" draw old.frag -DK=0.25 --size 1x1 -o o.raw && [ "$(floats o.raw)" = ' 0.5 0.5 0 0.25' ]; }
check 'older GLSL in an included file' old
printf '#version 450\nlayout(location = 0) out vec4 c;\n#include "wrong.glsl"\nvoid main() { c = f(); }\n' >wrong.frag
printf 'vec4 f()\n{\n    return nothing;\n}\n' >wrong.glsl
says_of() { # LINE ARGS...: one of the messages
    line=$1
    shift
    "$weft" "$@" >out 2>err && return 1
    grep -qxF "$line" out err || { cat err; return 1; }
}
check 'messages about an included file name it' says_of "wrong.glsl:3:12: error: 'nothing': undeclared identifier" check wrong.frag
printf '#version 450\n\n#include "none.glsl"\nvoid main() {}\n' >none.frag
check 'a file that is not there' says_of \
    "none.frag:3:1: error: '#include': there is no 'none.glsl', 'lib/none.glsl': -I DIR names more folders" check -I lib none.frag
printf '#version 450\n#include "loop.glsl"\nvoid main() {}\n' >loops.frag
printf '#include "loop.glsl"\n#include "loop.glsl"\n' >loop.glsl
check 'files that include themselves' says_of \
    "loop.glsl:1:1: error: '#include': files include one another more than 100 deep" check --timeout 60 loops.frag
i=0
while [ $i -lt 40 ]; do
    printf '#include "%d"\n#include "%d"\n' $((i + 1)) $((i + 1)) >bomb/$i
    i=$((i + 1))
done
: >bomb/40
printf '#version 450\n#include "bomb/0"\nvoid main() {}\n' >bomb.frag
check '2^40 files' says_of \
    "bomb/38:1:1: error: '#include': files include one another more than 10000 times" check --timeout 60 bomb.frag
check 'a macro that is none' says_of "error: '3=4' is not a macro" check -D 3=4 a.frag
printf 'FRAG\nEND\n' >m.tgsi
check 'macros of TGSI' says_of \
    "error: tgsi programs have no macros and include no files: 'X' is for GLSL and HLSL" check -D X m.tgsi
# Programs that get other locations, because they meet by name, are unrolled as those that give the same ones.
printf '#version 310 es\nin vec4 position; out vec2 b; out vec4 a;\nvoid main() { a = position; b = vec2(2, 3); gl_Position = position; }\n' >met.vert
{
    printf '#version 310 es\nprecision highp float;\nin vec4 a; in vec2 b; out vec4 o;\n'
    printf 'void main() { vec4 s = vec4(b, 1, 1); for (int i = 0; i < 5; i++) s += a * float(i); o = s; }\n'
} >met.frag
located() { sed 's/in vec4 position/layout(location = 0) &/; s/\(in\|out\) vec4 [ao];/layout(location = 0) &/; s/\(in\|out\) vec2 b/layout(location = 1) &/' "$1"; }
located met.vert >at.vert
located met.frag >at.frag
cp met.frag met.txt
counted() { "$weft" draw "$@" --size 4x4 --stats -o "$raw" 2>&1 | sed -n 's/^instructions //p'; }
remade() {
    named=$(raw=a.raw counted met.frag --vertex met.vert) && located=$(raw=b.raw counted at.frag --vertex at.vert) && cmp a.raw b.raw &&
        [ -n "$named" ] && [ "$named" = "$located" ] && [ "$(raw=c.raw counted -i glsl met.txt --vertex met.vert)" = "$named" ] && cmp a.raw c.raw
}
check 'and so are those of stages that meet by name' remade
check 'odd loops make the same picture' odd
check 'a .frag is GLSL' "$weft" check a.frag
check '-i glsl says so of any file' same_picture -i glsl -s fragment a.txt
check 'HLSL' same_picture -s fragment a.hlsl
printf 'float4 tint;\nfloat time;\nfloat4 main() : SV_Target { return tint * time; }\n' >tint.hlsl
globals() {
    status 0 "$weft" draw tint.hlsl --uniform tint=1,2,3,4 --time 2 --size 1x1 -o h.raw && [ "$(floats h.raw)" = ' 2 4 6 8' ] &&
        status 0 "$weft" draw tint.hlsl --size 1x1 -o h.raw && says 'not set are 0: tint '
}
check 'globals of HLSL are loose uniforms' globals
# Column by column, whatever SPIR-V calls a column: the same values as in GLSL.
cat >matrix.hlsl <<'END'
float4x4 m;
float2x3 k;
float4 main() : SV_Target { return mul(m, float4(1, 2, 3, 1)) + float4(k[0][2], k[1][0], 0, 0) * 1000; }
END
sed 's/^float[24]/row_major &/' matrix.hlsl >rows.hlsl
matrices() {
    for file in matrix.hlsl rows.hlsl; do
        "$weft" draw $file --size 1x1 -o h.raw --uniform m=1,0,0,0,0,1,0,0,0,0,1,0,10,20,30,1 --uniform k=1,2,3,4,5,6 &&
            [ "$(floats h.raw)" = ' 5011 2022 33 1' ] || return 1
    done
}
check 'matrices of HLSL' matrices
# Both programs in one file, without a main; the same from words.
cat >both.hlsl <<'END'
struct V { float4 at : SV_Position; float2 uv : TEXCOORD0; };
float4x4 mvp;
V Place(float3 p : POSITION) { V v; v.at = mul(mvp, float4(p, 1)); v.uv = p.xy; return v; }
float4 Paint(V v) : SV_Target { return float4(v.uv, 3, 4); }
float4 Five(V v) : SV_Target { return 5; }
END
entries() {
    status 0 "$weft" draw both.hlsl --entry Paint --vertex both.hlsl --vertex-entry Place --size 2x2 -o h.raw && silent &&
        [ "$(od -An -tf4 -N16 h.raw | tr -s ' ')" = ' -0.5 -0.5 3 4' ] &&
        status 0 "$weft" draw both.hlsl --entry Five --size 1x1 -o h.raw && [ "$(floats h.raw)" = ' 5 5 5 5' ] &&
        status 0 "$weft" check -s vertex --entry Place both.hlsl &&
        status 0 "$weft" asm -s fragment --entry Five both.hlsl -o five.spv &&
        status 0 "$weft" draw five.spv --entry Five --size 1x1 -o h.raw && [ "$(floats h.raw)" = ' 5 5 5 5' ] &&
        status 1 "$weft" draw both.hlsl --size 1x1 -o h.raw && says "no function 'main': say which one it begins with .--entry NAME" &&
        status 1 "$weft" draw five.spv --entry Six --size 1x1 -o h.raw && says "no entry point 'Six' of this stage" &&
        status 2 "$weft" draw five.spv --vertex-entry Six --size 1x1 -o h.raw && says 'vertex-entry is for --vertex FILE'
}
check 'entry points of HLSL and of a module' entries
printf '%s\n' 'Texture2D photo : register(t0);' 'SamplerState filter : register(s0);' \
    'float4 main() : SV_Target { return photo.SampleLevel(filter, float2(0.5, 0), 0); }' >sampler.hlsl
printf '\0\0\0\0\0\0\200\77' >two.bin
sampler() { "$weft" draw sampler.hlsl --texture "photo=two.bin:2x1:R32_SFLOAT$1" --size 1x1 -o h.raw && [ "$(floats h.raw)" = " $2 0 0 1" ]; }
check 'a sampler of HLSL: the words of the texture' sampler '' 0.5
check 'and others' sampler :nearest 1
check 'words and assembly of it' through
check 'the header of a module is kept in a listing' headers
check 'the same picture from its words' same_picture a.spv
# The words of a.spv in a file named as GLSL, and as a module of version 1.0, whose comment says so.
assembly() { cp a.spvasm asm.frag && same_picture asm.frag && "$weft" check asm.frag && ! "$weft" check -q -i glsl -s fragment asm.frag 2>why; }
check 'SPIR-V assembly in a file .frag' assembly
old_block() {
    printf '%s\n' '; SPIR-V' "; Version: $1" 'OpCapability Shader' 'OpMemoryModel Logical GLSL450' \
        'OpEntryPoint GLCompute %main "main"' 'OpExecutionMode %main LocalSize 1 1 1' 'OpDecorate %s BufferBlock' \
        'OpMemberDecorate %s 0 Offset 0' 'OpDecorate %b DescriptorSet 0' 'OpDecorate %b Binding 0' '%void = OpTypeVoid' \
        '%u = OpTypeInt 32 0' '%s = OpTypeStruct %u' '%p = OpTypePointer Uniform %s' '%b = OpVariable %p Uniform' \
        '%f = OpTypeFunction %void' '%main = OpFunction %void None %f' '%l = OpLabel' 'OpReturn' 'OpFunctionEnd' >v.spvasm
}
own_version() {
    old_block 1.0 && "$weft" check -q v.spvasm && "$weft" asm v.spvasm -o v.spv &&
        [ "$(od -An -tx4 -j4 -N4 v.spv)" = ' 00010000' ] || return 1
    old_block 1.6 && ! "$weft" check -q v.spvasm 2>why && grep -q 'BufferBlock' why || return 1
    old_block 1.0 && echo '; Version: 1.3' >>v.spvasm && "$weft" asm v.spvasm -o v.spv &&
        [ "$(od -An -tx4 -j4 -N4 v.spv)" = ' 00010000' ]
}
check 'the version that a comment of assembly gives' own_version
check '-i glsl of asm' "$weft" asm -i glsl -s fragment a.txt -o c.spv
listed() {
    "$weft" dis listed.spv >listing && status 0 "$weft" dis a.frag && cmp listing out && status 0 "$weft" dis -i glsl -s fragment a.txt &&
        status 1 "$weft" dis bad.frag && says "^bad.frag:6:18: error: 'q': undeclared identifier"
}
"$weft" asm a.frag -o listed.spv
check 'dis of a source lists what it becomes' listed
cat >page.glsl <<'END'
void mainImage(out vec4 color, in vec2 p)
{
    vec2 uv = p / iResolution.xy;
    color = vec4(uv, iTime / 4.0, 0.0);
}
END
cat >plain.frag <<'END'
#version 330
uniform vec3 iResolution;
out vec4 color;
void main() { color = vec4(gl_FragCoord.xy / iResolution.xy, 0.5, 1.0); }
END
page() {
    status 0 "$weft" draw page.glsl --time 2 --size 32x16 -o page.raw && status 0 "$weft" draw plain.frag --size 32x16 -o plain.raw &&
        cmp page.raw plain.raw
}
check 'a page with mainImage' page
# A channel is what its texture is; faces and slices are 1x1 texels of one number.
printf '\0\0\0\0\0\0\200\77\0\0\0\100\0\0\100\100\0\0\200\100\0\0\240\100' >six.bin
cat >channels.glsl <<'END'
void mainImage(out vec4 color, in vec2 p)
{
    color = vec4(texture(iChannel0, vec3(0, -1, 0)).r, texture(iChannel3, vec3(0.5, 0.5, 0.75)).r, HW_PERFORMANCE, 1);
}
END
channels() {
    status 0 "$weft" draw channels.glsl --texture iChannel0=six.bin:cube:1x1:R32_SFLOAT:nearest --size 1x1 -o h.raw \
        --texture iChannel3=six.bin:3d:1x1x6:R32_SFLOAT:nearest && [ "$(floats h.raw)" = ' 3 4 1 1' ]
}
check 'channels of a page that are cubes and volumes' channels
# The fixed pipeline's names are those of a shader that declares everything itself.
cat >fixed.vert <<'END'
varying vec3 n;
void main()
{
    n = gl_NormalMatrix * gl_Normal;
    gl_TexCoord[0] = gl_TextureMatrix[0] * gl_MultiTexCoord0;
    gl_FrontColor = vec4(0.5) * gl_Color;
    gl_Position = ftransform();
}
END
cat >fixed.frag <<'END'
varying vec3 n;
void main() { gl_FragColor = vec4(gl_TexCoord[0].st, n.z, step(0.4, gl_Color.a)); }
END
cat >declared.vert <<'END'
#version 330
in vec3 aVertexNormal;
in vec2 aVertexUV;
in vec3 aVertexPosition;
uniform mat4 mvp;
out vec3 n;
out vec2 at;
void main()
{
    n = aVertexNormal;
    at = aVertexUV;
    gl_Position = mvp * vec4(aVertexPosition, 1.0);
}
END
cat >declared.frag <<'END'
#version 330
in vec3 n;
in vec2 at;
out vec4 color;
void main() { color = vec4(at, n.z, 1.0); }
END
fixed_pipeline() {
    status 0 "$weft" draw fixed.frag --vertex fixed.vert --mesh sphere --size 32x32 -o pipeline.raw && silent &&
        status 0 "$weft" draw declared.frag --vertex declared.vert --mesh sphere --size 32x32 -o declared.raw && silent &&
        cmp pipeline.raw declared.raw
}
check 'names of the fixed pipeline' fixed_pipeline
fixed_uniform() {
    status 0 "$weft" draw fixed.frag --vertex fixed.vert --uniform gl_NormalMatrix=1,0,0,0,1,0,0,0,0.25 --size 1x1 \
        -o scaled.raw && silent && [ "$(od -An -tf4 scaled.raw | tr -s ' ')" = ' 0.5 0.5 0.25 1' ]
}
check 'a matrix of the fixed pipeline is set' fixed_uniform
fixed_names() { status 0 "$weft" dis fixed.vert && ! grep -q wf_ out && grep -q '"gl_MultiTexCoord0"' out; }
check 'names of the fixed pipeline in a listing' fixed_names
# Functions of GLSL 1.20: what those that came after them give.
cat >lookups.frag <<'END'
#version 120
uniform sampler2D texture;
uniform sampler2DShadow depth;
varying vec2 uv;
void main()
{
    gl_FragColor = texture2D(texture, uv) + texture2DProj(texture, vec4(uv, 0.0, 2.0)) + texture2DLod(texture, uv, 0.5)
        + texture2DGradARB(texture, uv, vec2(0.1), vec2(0.2)) + texture2D(texture, uv, 1.0) + shadow2D(depth, vec3(uv, 0.5));
}
END
cat >lookups330.frag <<'END'
#version 330
uniform sampler2D image;
uniform sampler2DShadow depth;
in vec2 uv;
out vec4 color;
void main()
{
    color = texture(image, uv) + textureProj(image, vec4(uv, 0.0, 2.0)) + textureLod(image, uv, 0.5)
        + textureGrad(image, uv, vec2(0.1), vec2(0.2)) + texture(image, uv, 1.0)
        + vec4(vec3(texture(depth, vec3(uv, 0.5))), 1.0);
}
END
lookups() {
    "$weft" draw a.frag --size 16x16 -o lookups.png && "$weft" draw a.frag --size 4x4 -o depth.raw &&
        "$weft" draw lookups.frag --texture texture=lookups.png:mipmap --size 16x16 -o old.raw \
            --texture depth=depth.raw:8x8:D32_SFLOAT:compare-less &&
        "$weft" draw lookups330.frag --texture image=lookups.png:mipmap --size 16x16 -o new.raw \
            --texture depth=depth.raw:8x8:D32_SFLOAT:compare-less && cmp old.raw new.raw
}
check 'functions for textures of GLSL 1.20' lookups
depth_range() {
    for version in 100 120 330 '300 es' '310 es'; do
        case $version in
        1*) printf '#version %s\nvoid main() { gl_FragColor' "$version" ;;
        *) printf '#version %s\nout highp vec4 color;\nvoid main() { color' "$version" ;;
        esac >range.frag
        echo ' = vec4(gl_DepthRange.near + 2.0, gl_DepthRange.far, gl_DepthRange.diff, 3.0); }' >>range.frag
        "$weft" draw range.frag --size 1x1 -o h.raw && [ "$(floats h.raw)" = ' 2 1 1 3' ] || return 1
    done
}
check 'gl_DepthRange in all versions of OpenGL' depth_range
# Elements of an array of textures are textures of their own.
cat >several.frag <<'END'
uniform sampler2D tex[3], other;
void main() { gl_FragColor = vec4(texture2D(tex[0], vec2(0)).r, texture2D(tex[1], vec2(0)).r, texture2D(tex[2], vec2(0)).r,
                                  texture2D(other, vec2(0)).r); }
END
several() {
    printf '\0\0\200\077' >1.bin
    printf '\0\0\0\077' >2.bin
    printf '\0\0\200\076' >3.bin
    printf '\0\0\0\076' >4.bin
    status 0 "$weft" draw several.frag --texture tex=1.bin:1x1:R32_SFLOAT --texture 'tex[1]=2.bin:1x1:R32_SFLOAT' \
        --texture 'tex[2]=3.bin:1x1:R32_SFLOAT' --texture other=4.bin:1x1:R32_SFLOAT --size 1x1 -o several.raw && silent &&
        [ "$(od -An -tf4 several.raw | tr -s ' ')" = ' 1 0.5 0.25 0.125' ]
}
check 'an array of textures' several
several_missing() {
    status 1 "$weft" draw several.frag --texture other=4.bin:1x1:R32_SFLOAT --texture 'tex[0]=1.bin:1x1:R32_SFLOAT' \
        --size 1x1 -o several.raw && says "texture 2 is 'tex\[2\]': write --texture tex\[2\]=FILE.png"
}
check 'an element of an array of textures is missing' several_missing
several_beyond() {
    status 2 "$weft" draw several.frag --texture 'tex[3]=1.bin:1x1:R32_SFLOAT' -o several.raw && says "no texture 'tex\[3\]'.*it has tex\[0\] to tex\[2\], other"
}
check 'an element beyond an array of textures' several_beyond
# The sizes of textures: 0 where there is none.
cat >sizes.glsl <<'END'
void mainImage(out vec4 c, in vec2 p)
{
    c = vec4(iChannelResolution[1].xy, iChannelResolution[0].x + iChannelTime[3] + texelFetch(iChannel1, ivec2(0), 0).x, 1);
    c.z += iSampleRate;
}
END
printf '\0\0\0\0' >one.bin && cat one.bin one.bin one.bin one.bin one.bin one.bin >six.bin
channels() {
    status 0 "$weft" draw sizes.glsl --texture iChannel1=six.bin:3x2:R8G8B8A8_UNORM --size 1x1 -o sizes.raw && silent &&
        [ "$(od -An -tf4 sizes.raw | tr -s ' ')" = ' 3 2 44100 1' ]
}
check 'sizes of the channels of a page' channels
# Frame 3 of 4 a second after second 2 is at 2.75.
cat >moves.glsl <<'END'
void mainImage(out vec4 c, in vec2 p) { c = vec4(iTime, float(iFrame), iFrameRate, 1.0); }
END
frames() {
    status 0 "$weft" draw moves.glsl --time 2 --frames 4 --rate 4 --size 2x2 --clear 1,1,1,1 -o f%02d.raw && silent &&
        [ "$(echo f*.raw)" = 'f00.raw f01.raw f02.raw f03.raw' ] &&
        [ "$(od -An -tf4 -N 16 f03.raw | tr -s ' ')" = ' 2.75 3 4 1' ] && [ "$(od -An -tf4 -N 8 f00.raw | tr -s ' ')" = ' 2 0' ]
}
check 'numbered pictures' frames
animation() {
    status 0 "$weft" draw page.glsl --frames 3 --rate 25 --size 32x16 -o moves.png && [ "$(grep -ac fcTL moves.png)" -gt 0 ] &&
        status 0 "$weft" draw page.glsl --frames 3 --rate 25 --size 32x16 -o - && cmp moves.png out
}
check 'an animation' animation
frames_wrong() {
    status 2 "$weft" draw "$@" && says "$pattern"
}
pattern='raw pictures are numbered: give -o NAME%03d.raw'
check 'an animation is not raw' frames_wrong page.glsl --frames 3 -o x.raw
pattern='%d or %03d, once'
check 'a number that is not one' frames_wrong page.glsl --frames 3 -o x%s.png
check 'two numbers' frames_wrong page.glsl --frames 3 -o x%d%d.png
pattern='--frames is a number from 1 to 100000'
check 'no pictures' frames_wrong page.glsl --frames 0 -o x.png
pattern="'x1.png' is the input"
frame_kept() { cp plain.frag page1.frag && ln -sf page1.frag x1.png && frames_wrong page1.frag --frames 2 -o x%d.png && cmp plain.frag page1.frag; }
check 'a numbered picture is not written over what is read' frame_kept
sed 's/uv, iTime/uw, iTime/' page.glsl >wrong.glsl
page_fault() { status 1 "$weft" check wrong.glsl && says "^wrong.glsl:4:18: error: 'uw': undeclared identifier"; }
check 'its lines are its own' page_fault
sed 's/^void/uniform float iTime;\nvoid/' page.glsl >declared.glsl
check 'it may declare what it is given' status 0 "$weft" check declared.glsl
check 'a loose uniform is in constant buffer 0' uniform
check 'a .comp runs on buffers' computes
cat >size.comp <<'END'
#version 450
layout(constant_id = 2) const int c = 3;
const int d = c + 5;
shared int s[d];
layout(set = 0, binding = 0) buffer B { int n, v[d]; } b;
void main()
{
    for (int i = 0; i < d; i++)
        s[i] = i * i;
    b.n = s.length();
    for (int i = 0; i < d; i++)
        b.v[i] = s[d - 1 - i];
}
END
sized() {
    "$weft" run size.comp --buffer 0=36:zero --dump-buffer 0=out.bin &&
        [ "$(od -An -w36 -td4 out.bin | tr -s ' ')" = ' 8 49 36 25 16 9 4 1 0' ]
}
check 'the length of an array is computed from a specialisation constant' sized
check 'a mistake' status 1 "$weft" check bad.frag
check 'has its place' says "^bad.frag:6:18: error: 'q': undeclared identifier"
check 'without a stage' status 2 "$weft" check -i glsl a.txt
check 'the message says what to give' says 'give the stage .-s, '
printf '%s\n' '[vertex shader passthrough]' '[fragment shader]' "$(cat a.frag)" '[test]' 'draw arrays PATCH_LIST 0 3' >p.vkscript
patches() { status 1 "$weft" run --json p.vkscript && prints '"code": "draw"' && prints 'patches need a tessellation'; }
check 'patches without a tessellation shader: [draw]' patches

# ---- uniforms, textures and inputs by name ----

# pixel NAME R G B A: the first pixel of the picture that was drawn last.
pixel() { [ "$(od -An -tf4 -N16 p.raw | tr -s ' ')" = " $*" ] || { od -An -tf4 -N16 p.raw; return 1; }; }
draws() { status 0 "$weft" draw "$@" --size 2x2 -o p.raw; }
refuses() {
    pattern=$1
    shift
    status 2 "$weft" draw "$@" --size 2x2 -o x.raw && says "$pattern" && [ ! -e x.raw ]
}
# source FILE LINE...
source_of() {
    to=$1
    shift
    printf '%s\n' "$@" >"$to"
}
source_of v.frag '#version 330' 'struct S { vec3 c; float k; int n; };' 'uniform S s[2];' 'uniform mat3 m;' 'uniform float f[3];' \
    'uniform bvec2 b;' 'uniform uint u;' 'uniform ivec2 i;' 'layout(std140) uniform Blk { vec2 p; mat2 q; } blk;' 'out vec4 o;' \
    'void main() { o = vec4(s[1].c.y + s[0].k, m[2][0] + m[0][1], f[2] + (b.y ? 10.0 : 0.0), float(u) + float(i.y) + blk.q[1].x); }'
all="--uniform s=1,2,3,0.5,7,4,5,6,8,9 --uniform m=1,2,3,4,5,6,7,8,9 --uniform f=1,2,3 --uniform b=false,true --uniform u=0x10
    --uniform i=1,-2"
# shellcheck disable=SC2086 # lists of words
values() { draws v.frag $all --uniform Blk.q=1,2,64,4 && silent && pixel 5.5 9 13 78; }
# shellcheck disable=SC2086 # lists of words
parts() { draws v.frag $all --uniform 's[1].c=0,32,0' --uniform 'f[2]=5' --uniform q=0,0,1,0 && pixel 32.5 9 15 15; }
check 'structures, matrices, arrays, blocks, booleans and integers' values
check 'parts of them after the whole' parts
unset_ones() { draws v.frag --uniform m=1,2,3,4,5,6,7,8,9 && says 'not set are 0: s, f, b, u, i .give --uniform NAME=V' && pixel 0 9 0 0; }
check 'what is not set is 0, with a note' unset_ones
# The fixed pipeline's state: OpenGL's initial values, then what --uniform says of a member. The profile is left out.
cat >state.frag <<'END'
#version 330 compatibility
uniform int which;
void main()
{
    if (which == 0)
        gl_FragColor = vec4(gl_FrontMaterial.diffuse.r, gl_LightSource[0].diffuse.g, gl_LightSource[3].diffuse.g,
                            gl_LightSource[gl_MaxLights - 1].spotCutoff);
    else if (which == 1)
        gl_FragColor = vec4(gl_LightModel.ambient.r, gl_FrontLightModelProduct.sceneColor.g, gl_Fog.scale,
                            gl_FrontLightProduct[0].diffuse.b + gl_BackLightProduct[1].diffuse.b);
    else
        gl_FragColor = vec4(gl_LightSource[0].position.xz, gl_BackMaterial.shininess, gl_NormalScale);
}
END
state() {
    draws state.frag --uniform which=0 && silent && pixel 0.8 1 0 180 &&
        draws state.frag --uniform which=1 && pixel 0.2 0.04 1 0.8 &&
        draws state.frag --uniform which=2 --uniform 'gl_LightSource[0].position=3,4,5,0' --uniform gl_BackMaterial.shininess=7 &&
        silent && pixel 3 5 7 1
}
check 'state of the fixed pipeline, and the compatibility profile' state
check 'an unknown uniform: the near miss and what there is' refuses "no uniform 'ff'; did you mean 'f'. It has s, m, f" v.frag --uniform ff=1
check 'an index too large: how many there are' refuses "uniform 'f\[3\]': 'f' has 3 elements, \[0\] to \[2\]" v.frag --uniform 'f[3]=1'
check 'too few values' refuses "'m' takes 9 values, and 2 are given" v.frag --uniform m=1,2
check 'a value that is not a number' refuses "value 2 of uniform 'f' is 'x'" v.frag --uniform f=1,x,3
check 'a fraction for an integer' refuses "value 1 of uniform 'u' is '1.5'" v.frag --uniform u=1.5
check 'a negative number without a sign' refuses "value 1 of uniform 'u' is '-1'" v.frag --uniform u=-1
check '--uniform without a value' refuses 'is NAME=V' v.frag --uniform f
printf 'FRAG\nDCL OUT[0], COLOR\n  0: END\n' >t.tgsi
check '--uniform of TGSI' refuses 'give --const' t.tgsi --uniform f=1

source_of old.frag 'uniform float u_time;' 'uniform vec2 u_resolution;' 'varying vec2 v_uv;' \
    'void main() { gl_FragColor = vec4(v_uv, u_time, u_resolution.y); }'
common() { draws old.frag --time 3 && silent && pixel 0.25 0.25 3 2; }
check 'common names, and GLSL without a version' common
versions() {
    for version in 100 110 120 130 140 150 330 400 410; do
        (echo "#version $version" && cat old.frag) >old2.frag
        draws old2.frag --time 3 && silent && pixel 0.25 0.25 3 2 || return 1
    done
}
check 'GLSL 1.10 to 4.10 and ESSL 1.00' versions
source_of bottom.frag '#version 300 es' 'precision highp float;' 'out vec4 o;' 'void main() { o = vec4(gl_FragCoord.xy, 0.0, 1.0); }'
bottom() { draws bottom.frag && pixel 0.5 0.5 0 1 && sed 's/300 es/310 es/' bottom.frag >top.frag && draws top.frag && pixel 0.5 1.5 0 1; }
check 'gl_FragCoord counts from the bottom in ESSL 3.00, from the top in 3.10' bottom
source_of wrong.frag 'void main() { gl_FragColr = vec4(1.0); }'
own_line() { status 1 "$weft" draw wrong.frag -o x.raw && says "^wrong.frag:1:15: error: 'gl_FragColr'"; }
check 'lines and names of an old shader are its own' own_line
source_of type.frag 'void main() { gl_FragColor = vec2(1.0); }'
own_name() { status 1 "$weft" draw type.frag -o x.raw && says "^type.frag:1:" && ! grep -q 'wf_' err; }
check 'and so are the names of older outputs' own_name

picture_of() {
    source_of white.frag 'uniform float x;' 'void main() { gl_FragColor = vec4(gl_FragCoord.x < 1.0 ? x : 0.0, 0.0, 1.0, 1.0); }'
    "$weft" draw white.frag --uniform x=1 --size 2x2 -o tex.png
}
source_of tex.frag 'uniform sampler2D first, image;' 'uniform vec2 at;' 'void main() { gl_FragColor = texture2D(image, at); }'
textures() {
    picture_of && draws tex.frag --texture first=tex.png --texture image=tex.png:nearest --uniform at=1.25,0.5 && pixel 1 0 1 1 &&
        draws tex.frag --texture first=tex.png --texture image=tex.png:clamp:nearest --uniform at=1.25,0.5 && pixel 0 0 1 1 &&
        draws tex.frag --texture first=tex.png --texture image=tex.png:mirror:nearest --uniform at=-0.75,0.5 && pixel 0 0 1 1
}
check 'textures by name, and what is beyond their edges' textures
unused() { draws tex.frag --texture image=tex.png:nearest --texture first=tex.png:clamp --uniform at=1.25,0.5 && pixel 1 0 1 1; }
check 'a texture that is not used takes the place of none' unused
missing() {
    status 1 "$weft" draw tex.frag --size 2x2 -o x.raw && says "texture 0 is 'image': write --texture image=FILE.png" &&
        ! grep -q "'first'" err
}
check 'a texture that is not there' missing
# The texture's left half is red, its right half is not: red SUFFIXES X LEVEL EXPECTED.
source_of lod.frag '#version 130' 'uniform sampler2D image;' 'uniform float x, level;' \
    'void main() { gl_FragColor = vec4(textureLod(image, vec2(x, 0.5), level).r); }'
red() { draws lod.frag --texture "image=tex.png$1" --uniform "x=$2" --uniform "level=$3" && pixel "$4" "$4" "$4" "$4"; }
directions() {
    picture_of && red :mag-nearest 0.5 -1 0 && red :mag-nearest 0.5 1 0.5 &&
        red :min-nearest 0.5 -1 0.5 && red :min-nearest 0.5 1 0 &&
        red :nearest:mag-linear 0.5 -1 0.5 && red :mag-linear:nearest 0.5 -1 0 && red :nearest:min-linear 0.5 1 0.5
}
check 'a filter for each direction' directions
# The only smaller level is (255 + 255 + 0 + 0 + 2) >> 2 = 128.
levels() {
    red :nearest:mipmap-nearest 0.25 0.4 1 && red :nearest:mipmap-nearest 0.25 0.6 0.5019608 &&
        red :nearest:mipmap 0.25 0.5 0.7509804
}
check 'the nearest mip level, and between two' levels
axes() {
    red :nearest:mirror-s 1.25 0 0 && red :nearest:mirror-t 1.25 0 1 &&
        red :nearest:clamp-s 1.25 0 0 && red :nearest:clamp-t 1.25 0 1 &&
        red :nearest:clamp:repeat-s 1.25 0 1 && red :nearest:clamp:repeat-t 1.25 0 0
}
check 'edges of one axis' axes
# Six faces and layers of one colour each, whose red is 0 or 1 and whose alpha is 1.
source_of one.frag 'uniform vec3 c;' 'void main() { gl_FragColor = vec4(c, 1.0); }'
source_of cube.frag '#version 130' 'uniform samplerCube sky;' 'uniform vec3 way;' \
    'void main() { gl_FragColor = textureLod(sky, way, 0.0); }'
source_of layer.frag '#version 130' 'uniform sampler2DArray all;' 'uniform float n;' \
    'void main() { gl_FragColor = textureLod(all, vec3(0.5, 0.5, n), 0.0); }'
faces=f0.png,f1.png,f2.png,f3.png,f4.png,f5.png
face() { draws cube.frag --texture "sky=$faces:cube:clamp" --uniform "way=$1" && pixel "$2" "$3" "$4" 1; }
layer() { draws layer.frag --texture "all=$faces:array" --uniform "n=$1" && pixel "$2" "$3" "$4" 1; }
cubes() {
    n=0
    for c in 0,0,1 0,1,0 0,1,1 1,0,0 1,0,1 1,1,0; do
        "$weft" draw one.frag --uniform c=$c --size 2x2 -o f$n.png || return 1
        n=$((n + 1))
    done
    face 1,0,0 0 0 1 && face -1,0,0 0 1 0 && face 0,1,0 0 1 1 && face 0,-1,0 1 0 0 && face 0,0,1 1 0 1 && face 0,0,-1 1 1 0
}
check 'a cube of six files' cubes
layers() { layer 0 0 0 1 && layer 3 1 0 0 && layer 5 1 1 0; }
check 'an array of files' layers
fails() {
    code=$1 pattern=$2
    shift 2
    status "$code" "$weft" draw "$@" && says "$pattern"
}
check 'a cube of two files' fails 1 'a cube is six files' cube.frag --texture sky=f0.png,f1.png:cube -o x.raw
check 'mip levels of a cube' fails 2 'leave :mipmap out' cube.frag --texture sky=$faces:cube:mipmap -o x.raw
sizes() {
    "$weft" draw one.frag --size 1x1 -o f6.png &&
        fails 1 "'f6.png' is 1x1, and the first picture of the texture is 2x2" layer.frag --texture all=f0.png,f6.png:array -o x.raw
}
check 'layers of several sizes' sizes
check 'a layer is not written over' fails 2 f1.png layer.frag --texture all=f0.png,f1.png:array -o f1.png
check 'an unknown texture' refuses "no texture 'imaeg'; did you mean 'image'. It has image, first" tex.frag --texture imaeg=tex.png

source_of n.vert '#version 300 es' 'in vec2 texCoord;' 'in vec4 position;' 'uniform float up;' 'out vec2 second;' 'out vec4 first;' \
    'void main() { second = texCoord; first = vec4(up); gl_Position = position; }'
source_of n.frag '#version 300 es' 'precision highp float;' 'uniform float down;' 'in vec4 first;' 'in vec2 second;' 'out vec4 o;' \
    'void main() { o = vec4(first.x, second, down); }'
meets() { draws n.frag --vertex n.vert --uniform up=7 --uniform down=9 && silent && pixel 7 0.25 0.25 9; }
check 'stages meet by name, each with uniforms of its own' meets

# Two triangles that fill the left half and the right upper quarter.
source_of none.vert '#version 450' 'layout(location=0) flat out int n;' \
    'const vec2 at[6] = vec2[](vec2(-1), vec2(0, -1), vec2(-1, 3), vec2(0), vec2(3, 0), vec2(0, 3));' \
    'void main() { gl_Position = vec4(at[gl_VertexIndex], 0, 1); n = gl_VertexIndex; }'
source_of none.frag '#version 450' 'layout(location=0) flat in int n;' 'layout(location=0) out vec4 o;' 'void main() { o = vec4(n + 1); }'
nothing() {
    draws none.frag --vertex none.vert --vertices 6 --clear 9,9,9,9 && silent &&
        [ "$(od -An -v -tf4 p.raw | tr -s ' ' | awk '{ print $1 }' | tr '\n' ' ')" = "3 9 3 6 " ]
}
check 'vertices without a mesh' nothing
check 'not a multiple of 3' refuses 'multiple of 3' none.frag --vertex none.vert --vertices 4
check 'vertices and no vertex shader' refuses 'is for --vertex FILE' none.frag --vertices 3
check 'vertices and a mesh' refuses 'do not go together' none.frag --vertex none.vert --vertices 3 --mesh cube

# Pass A counts frames, each by the uniform; B has A's picture of this frame and, as A has, its own of the one before.
source_of a.glsl 'uniform float step;' 'void mainImage(out vec4 o, vec2 p) { o = texelFetch(iChannel0, ivec2(p), 0) + vec4(step, 0, 0, 1); }'
source_of b.glsl 'void mainImage(out vec4 o, vec2 p) { o = vec4(texelFetch(iChannel0, ivec2(p), 0).x, texelFetch(iChannel1, ivec2(p), 0).x,' \
    'iChannelResolution[1].x, p.y); }'
source_of last.glsl 'void mainImage(out vec4 o, vec2 p) { o = texelFetch(iChannel3, ivec2(p), 0) + vec4(0, 0, 0, 8); }'
passes() {
    draws last.glsl --pass A=a.glsl --pass B=b.glsl --texture A.iChannel0=A --texture B.iChannel0=A --texture B.iChannel1=B \
        --texture iChannel3=B:nearest --uniform A.step=3 "$@" && silent
}
# What a pass leaves has the alpha that it gave, 0.5 in the lower row and 1.5 in the upper one; the picture of a page is opaque.
alpha() {
    source_of w.glsl 'void mainImage(out vec4 o, vec2 p) { o = texelFetch(iChannel3, ivec2(p), 0).wwww; }' &&
        draws w.glsl --pass A=a.glsl --pass B=b.glsl --texture A.iChannel0=A --texture B.iChannel0=A --texture B.iChannel1=B \
            --texture iChannel3=B && pixel 0.5 0.5 0.5 1
}
feedback() {
    passes && pixel 3 0 2 1 && alpha && passes --frame 4 && pixel 15 12 2 1 &&
        "$weft" draw last.glsl --pass B=b.glsl --pass A=a.glsl --texture A.iChannel0=A --texture B.iChannel0=A --texture B.iChannel1=B \
            --texture iChannel3=B --uniform A.step=3 --size 2x2 --frames 3 -o f%d.raw && cp f2.raw p.raw && pixel 6 3 2 1
}
check 'passes: pictures of this frame and of the one before' feedback
counted() { passes --stats; says '^fragments 12$'; } # of three pictures of 2x2
check 'passes: all of them are counted' counted
check 'a pass without a texture: whose it is' fails 1 'write --texture A.iChannel0=FILE' last.glsl --pass A=a.glsl --size 1x1 -o x.raw
check 'two passes of a name' refuses "two passes 'A'" last.glsl --pass A=a.glsl --pass A=b.glsl
check 'a pass without a name' refuses 'pass is NAME=FILE' last.glsl --pass a.glsl
check 'mip levels of a pass' refuses "'A' is a pass" last.glsl --pass A=a.glsl --texture A.iChannel0=A:mipmap --texture iChannel3=A
check 'a pass is not written over' fails 2 a.glsl last.glsl --pass A=a.glsl -o a.glsl

# Elements of an array of blocks are buffers of their own. The buffer that is stored to is not among the uniforms.
source_of many.frag '#version 450' 'layout(binding=2) uniform B { vec4 c; float z[2]; } b[3];' 'layout(location=0) out vec4 o;' \
    'layout(binding=0) buffer S { vec4 s; };' 'layout(push_constant) uniform P { float k; } p;' \
    'void main() { o = b[0].c * b[0].z[1] + b[1].c * p.k + b[2].c; }'
source_of loose.frag '#version 140' 'uniform B { float a; } b[2];' 'uniform C { float a; } c;' 'out vec4 o;' \
    'void main() { o = vec4(b[0].a, b[1].a, c.a, 1); }'
blocks() {
    draws many.frag --uniform 'b[0].c=1,0,0,1' --uniform 'b[0].z[1]=0.5' --uniform 'b[1].c=0,1,0,1' --uniform p.k=0.25 \
        --uniform 'b[2].c=0,0,1,1' && silent && pixel 0.5 0.25 1 1.75 &&
        draws loose.frag --uniform 'b[0].a=2' --uniform 'b[1].a=3' --uniform c.a=4 && silent && pixel 2 3 4 1
}
check 'arrays of blocks' blocks
check 'an array of blocks is set member by member' refuses "write a member of one, such as b\[0\].member" many.frag --uniform b=1
check 'an unknown block: what there is' refuses "no uniform 'bb'.*It has b\[0\] to b\[2\], k" many.frag --uniform bb=1

# ---- texts that begin with a byte order mark, as some editors write them ----
mark=$(printf '\357\273\277')
printf '%s#version 450\n#extension GL_GOOGLE_include_directive : require\n#include "marked.h"\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(HALF); }\n' "$mark" >marked.frag
printf '%s#define HALF 0.5\n' "$mark" >marked.h
printf '%sfloat4 main() : SV_Target { return 0.5; }\n' "$mark" >marked.hlsl
printf '%svoid mainImage(out vec4 c, in vec2 at) { c = vec4(0.5); }\n' "$mark" >marked.glsl
printf '%sv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' "$mark" >marked.obj
printf '%s1 2 3 4\n' "$mark" >marked.txt
printf '%s#version 450\nlayout(set = 0, binding = 0) buffer B { int b; };\nvoid main() { b = 2; }\n' "$mark" >marked.comp
printf '%s#!amber\nSHADER compute c GLSL FILE marked.comp\nBUFFER b DATA_TYPE int32 DATA 1 END\nPIPELINE compute p\nATTACH c\nBIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\nEXPECT b IDX 0 EQ 2\n' "$mark" >marked.amber
printf '%s[compute shader]\n#version 450\nvoid main() { }\n[test]\ncompute 1 1 1\n' "$mark" >marked.script.amber
for file in marked.frag marked.glsl; do
    check "a mark before $file" status 0 "$weft" draw "$file" --size 4x4 -o marked.png
done
marked_assembly() {
    "$weft" dis -i glsl -s fragment marked.frag >plain.spvasm && { printf '%s' "$mark" && cat plain.spvasm; } >marked.spvasm &&
        status 0 "$weft" check marked.spvasm
}
check 'before HLSL' status 0 "$weft" check -s fragment marked.hlsl
check 'before assembly' marked_assembly
check 'before meshes and constants' status 0 "$weft" draw marked.frag --mesh marked.obj --const marked.txt --size 4x4 -o marked.png
check 'before AmberScript' status 0 "$weft" run marked.amber
check 'before VkScript' status 0 "$weft" run marked.script.amber

# Pages whose own names are those that weft needs.
printf '%s\n' '#define c vec4(0.5)' 'vec2 flare(vec2 at) { vec2 main = at / iResolution.xy; return main; }' \
    'void mainImage(out vec4 f, vec2 p) { f = c + vec4(flare(p), iTime, 0); }' >names.glsl
check 'a page with a macro c and a variable main' status 0 "$weft" draw names.glsl --size 4x4 -o names.png

# ---- --common: what is read before each shader ----
mkdir shared
printf '%s\n' '#include "more.h"' 'vec3 tint() { return vec3(HALF, iTime, texture(iChannel0, vec2(0)).r); }' >shared/common.glsl
echo '#define HALF 0.5' >shared/more.h
echo 'void mainImage(out vec4 c, in vec2 at) { c = vec4(tint(), 1); }' >shared/image.glsl
echo 'void mainImage(out vec4 c, in vec2 at) { c = vec4(HALF); }' >shared/a.glsl
common() {
    status 0 "$weft" draw shared/image.glsl --common shared/common.glsl --pass A=shared/a.glsl --texture iChannel0=A --time 0.25 \
        --size 4x4 -o common.raw &&
        [ "$(od -An -f -N16 common.raw | tr -s ' ')" = ' 0.5 0.25 0.5 1' ]
}
check 'a page, its pass and what they share' common
printf '#define HALF 0.5\n' >half.h
printf '#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(HALF); }\n' >half.frag
printf 'float4 main() : SV_Target { return HALF; }\n' >half.hlsl
check 'after #version' status 0 "$weft" draw half.frag --common half.h --size 4x4 -o half.png
check 'HLSL' status 0 "$weft" check half.hlsl -s fragment --common half.h
printf 'float f(;\n' >wrong.h
common_wrong() { status 1 "$weft" check half.frag --common wrong.h && says '^wrong.h:1:1: error: syntax error'; }
check 'an error there' common_wrong
common_gone() { status 1 "$weft" check half.frag --common gone.h && says "^half.frag: error: cannot read 'gone.h': No such file"; }
check 'a file that is not there' common_gone
common_tgsi() {
    printf 'FRAG\n0: END\n' >none.tgsi
    status 2 "$weft" check none.tgsi --common half.h
    says "tgsi programs have no macros and include no files: 'half.h' is for GLSL and HLSL"
}
check 'not for other programs' common_tgsi
finish
