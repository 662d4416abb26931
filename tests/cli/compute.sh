#!/bin/sh
# compute.sh WEFT - weft run SHADER with the names of GLSL: buffers, images, textures, uniforms and push constants.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

if "$weft" --version | grep -q '^shader compilers: none'; then
    echo 'ok 1 # SKIP without glslang'
    echo '1..1'
    exit
fi

cat >sum.comp <<'END'
#version 450
layout(local_size_x = 4) in;
layout(binding = 2) buffer Sums { uint sum[]; } sums;
layout(set = 1, binding = 1) readonly buffer Numbers { uint number[]; };
layout(binding = 3) buffer Many { uint x; } many[2];
layout(push_constant) uniform Push { uint factor, limit; };
layout(binding = 0) uniform More { uint added; } more;
layout(binding = 5) buffer Spare { uint spare; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < limit)
        sums.sum[i] = number[i] * factor + more.added;
    many[0].x = 7u;
    many[1].x = 8u;
}
END
printf '\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0' >in.bin
words() { [ "$(od -An -tu4 "$1" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')" = "$2" ] || { od -An -tu4 "$1"; return 1; }; }
sums() {
    status 0 "$weft" run sum.comp --buffer sums=16:zero --buffer Numbers=in.bin --buffer 'many[0]=4:zero' --buffer 'many[1]=4:zero' \
        --uniform factor=10 --uniform limit=3 --uniform more.added=5 --dump-buffer sums=out.bin --dump-buffer 'many[1]=one.bin' &&
        silent && words out.bin '15 25 35 0' && words one.bin 8
}
check 'buffers by the name of the block or the instance, uniforms, push constants' sums
by_number() {
    status 0 "$weft" run sum.comp --buffer 2=16:zero --buffer 17=in.bin --buffer 3=4:zero --buffer 4=4:zero --uniform factor=2 \
        --uniform limit=4 --uniform added=0 --dump-buffer 2=out.bin && silent && words out.bin '2 4 6 8'
}
check 'the same by number' by_number
nothing() {
    status 0 "$weft" run sum.comp --uniform limit=1 && says 'uniforms that are not set are 0: factor, added' &&
        says "note: buffer 2 is 'Sums': write --buffer Sums=FILE, or SIZE:zero" && says "buffer 4 is 'Many\[1\]'" && ! says Spare
}
check 'what is not given: how to give it' nothing
spare() { status 0 "$weft" run sum.comp --buffer Spare=4:zero --dump-buffer Spare=spare.bin && words spare.bin 0; }
check 'a buffer that is declared and not used' spare
other_name() {
    status 0 "$weft" run sum.comp --buffer 2=16:zero --dump-buffer sums=named.bin --dump-buffer 2=numbered.bin &&
        cmp named.bin numbered.bin && [ "$(wc -c <named.bin)" = 16 ]
}
check 'what is written may go by another name than what is read' other_name
refuses() {
    code=$1 pattern=$2
    shift 2
    status "$code" "$weft" run "$@" && says "$pattern"
}
check 'a near miss' refuses 2 "no buffer 'Sum'; did you mean 'sums'. It has sums, Numbers, many\[0\] to many\[1\]" sum.comp --buffer Sum=4:zero
check 'twice' refuses 2 'buffer 2 is given twice' sum.comp --buffer 2=4:zero --buffer sums=4:zero
check 'a dump of what is not there' refuses 2 'give --buffer sums=FILE or sums=SIZE:zero too' sum.comp --dump-buffer sums=x.bin
check 'a uniform that is not there' refuses 2 "no uniform 'factr'; did you mean 'factor'" sum.comp --uniform factr=1
check 'no value' refuses 2 'uniform is NAME=V' sum.comp --uniform factor=
printf 'COMP\nEND\n' >none.tgsi
check 'a uniform of TGSI' refuses 2 'give --const' none.tgsi --uniform a=1
check 'a name of TGSI' refuses 2 'give a number' none.tgsi --buffer a=4:zero

# Each texel is the one of the picture, turned about, and the picture with its bytes reversed is stored as integers and floats.
cat >turn.comp <<'END'
#version 450
layout(local_size_x = 2, local_size_y = 3) in;
layout(binding = 0, rgba8) uniform image2D made;
layout(binding = 1) uniform sampler2D photo;
layout(binding = 2, r32ui) uniform uimage2D number;
layout(binding = 3, rgba32f) uniform image3D space;
layout(binding = 4, rgba8) uniform image2D read;
void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(made, at, texelFetch(photo, ivec2(1, 2) - at, 0));
    imageStore(number, at, imageLoad(number, at) + uint(at.x + 10 * at.y));
    imageStore(space, ivec3(at.x, 0, at.y), vec4(at, 0.5, imageSize(space).z));
    imageStore(read, at, imageLoad(read, at).bgra);
}
END
cat >paint.frag <<'END'
#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_FragCoord.x - 0.5, floor(gl_FragCoord.y) / 2.0, 0.2, 1.0); }
END
bytes() { [ "$(od -An -tu1 -v "$1" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')" = "$2" ] || { od -An -tu1 -v "$1"; return 1; }; }
"$weft" draw paint.frag --size 2x3 -o photo.png
turns() {
    status 0 "$weft" run turn.comp --texture photo=photo.png --image made=2x3 --image number=2x3 --image space=2x1x3 --image read=photo.png \
        --dump-image made=made.png --dump-image number=number.raw --dump-image space=space.raw --dump-image read=read.raw && silent &&
        words number.raw '0 1 10 11 20 21' &&
        bytes read.raw '51 0 0 255 51 0 255 255 51 128 0 255 51 128 255 255 51 255 0 255 51 255 255 255' &&
        [ "$(od -An -tf4 -v -j80 space.raw | tr -s ' ')" = ' 1 2 0.5 3' ] &&
        "$weft" run turn.comp --texture 1=made.png --image 0=2x3 --image 2=2x3 --image 3=2x1x3 --image 4=1x1 --dump-image 0=again.raw &&
        bytes again.raw '0 0 51 255 255 0 51 255 0 128 51 255 255 128 51 255 0 255 51 255 255 255 51 255'
}
check 'textures and images, and pictures of them' turns
formats() {
    printf '\5\0\0\0\6\0\0\0\7\0\0\0\10\0\0\0\11\0\0\0\12\0\0\0' >texels.bin
    status 0 "$weft" run turn.comp --texture photo=photo.png --image made=2x3 --image number=texels.bin:2x3:R32_UINT \
        --image space=2x1x3 --image read=2x3 --dump-image number=number.raw && words number.raw '5 7 17 19 29 31' &&
        refuses 1 'one picture more than the texture has' turn.comp --texture photo=photo.png --image number=texels.bin:1x1:R32_UINT
}
check 'texels without a heading' formats
pictures() {
    status 0 "$weft" run turn.comp --texture photo=photo.png --image made=2x3 --image number=photo.png --image space=2x1x3 --image read=2x3 \
        --dump-image number=grey.png && "$weft" run turn.comp --texture photo=grey.png --image made=2x3 --image number=2x3 \
        --image space=2x1x3 --image read=2x3 --dump-image made=made.raw &&
        bytes made.raw '255 255 255 255 20 20 20 255 255 255 255 255 10 10 10 255 255 255 255 255 0 0 0 255'
}
check 'integers in a picture: clamped, grey' pictures
integers() {
    status 0 "$weft" run turn.comp --texture photo=photo.png --image made=2x3 --image number=photo.png --image space=2x1x3 --image read=2x3 \
        --dump-image number=number.raw && words number.raw '0 256 10 266 20 276'
}
check 'a picture as integers: its bytes' integers
missing() {
    refuses 1 'texture 1, and none is bound' turn.comp && says "texture 1 is 'photo': write --texture photo=FILE.png" &&
        says "image 3 is 'space': write --image space=FILE.png, or WxH"
}
check 'textures and images that are not given' missing
# A sanitizer cannot look for leaks in there.
confined() {
    status 0 env ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" "$weft" run turn.comp --sandbox --texture photo=photo.png:nearest:repeat --image made=2x3 --image number=2x3 --image space=2x1x3 \
        --image read=photo.png --dump-image made=confined.png && cmp made.png confined.png
}
check 'in a sandbox' confined
check 'a size of nothing' refuses 2 'sizes are from 1 to 16384' turn.comp --image made=2x0
check 'a size beyond the limit' refuses 2 'sizes are from 1 to 16384' turn.comp --image made=2x16385
check 'an unknown format' refuses 2 "no format 'R8_UNROM'; did you mean 'R8_UNORM'" turn.comp --image made=2x3:R8_UNROM
check 'neither PNG nor raw' refuses 2 'writes .png or .raw' turn.comp --image made=2x3 --dump-image made=a.jpg
check 'an image over its file' refuses 2 'is the input' turn.comp --image made=photo.png --dump-image made=photo.png
check 'too large' refuses 1 'cannot be made: images have at most 2 GiB' turn.comp --image made=16384x16384x16384

# Registers t0 and u0 are both buffer 0 here, and t1 and u1; s0 is a sampler apart from its texture.
cat >half.hlsl <<'END'
RWStructuredBuffer<uint> sums : register(u1);
StructuredBuffer<uint> numbers : register(t1);
Texture2D<float4> photo : register(t0);
SamplerState filter : register(s0);
RWTexture2D<float4> made : register(u0);
cbuffer Params : register(b0) { uint factor; float2 at; };
[numthreads(2, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    sums[id.x] = numbers[id.x] * factor;
    made[id.xy] = photo.SampleLevel(filter, at, 0);
}
END
hlsl() {
    status 0 "$weft" run half.hlsl -s compute --buffer sums=8:zero --buffer numbers=in.bin --texture photo=photo.png$1 --image made=2x1 \
        --uniform factor=6 --uniform at=0.5,0 --dump-buffer sums=out.bin --dump-image made=made.raw && silent &&
        words out.bin '6 12' && [ "$(od -An -tf4 -v made.raw | tr -s ' \n' ' ')" = " $2 $2 " ]
}
# Between two pixels whose red is 0 and 1, at the edge of the top row, whose green is 0; that of the last row is 1.
check 'HLSL: buffers of t and u, a sampler by the words of the first texture' hlsl :clamp '0.5 0 0.2 1'
check 'another filter' hlsl :clamp:nearest '1 0 0.2 1'
check 'and other edges' hlsl '' '0.5 0.5 0.2 1'
check 'a sampler is not a texture' refuses 2 "no texture 'filter'; it has photo" half.hlsl -s compute --texture filter=photo.png
finish
