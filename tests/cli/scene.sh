#!/bin/sh
# scene.sh WEFT - what weft draw takes from files: meshes in OBJ, and textures of any format, size and kind.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

# pixels FILE X Y WIDTH: the four floats of a pixel of a raw picture.
pixel() { od -An -v -tf4 -j $((16 * ($3 * $4 + $2))) -N 16 "$1" | tr -s ' ' | sed 's/^ //'; }
# is FILE X Y WIDTH VALUES: that pixel has these.
is() {
    came=$(pixel "$1" "$2" "$3" "$4")
    [ "$came" = "$5" ] || { echo "pixel ($2, $3) is $came, expected $5"; return 1; }
}
fails() {
    code=$1 pattern=$2
    shift 2
    status "$code" "$weft" draw "$@" -o x.raw && says "$pattern" && [ ! -e x.raw ]
}

# ---- meshes ----
cat >place.tgsi <<'EOF'
VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[1]
MOV OUT[0], IN[0]
MOV OUT[1], IN[2]
MOV OUT[2], IN[1]
END
EOF
# One input as it is, or 1 where the face is at the back.
show() {
    cat <<EOF
FRAG
DCL IN[0], GENERIC[$1], CONSTANT
DCL IN[1], FACE, CONSTANT
DCL OUT[0], COLOR
IMM[0] FLT32 { 0.0, 0.0, 0.0, 1.0 }
$2
END
EOF
}
show 0 'MOV OUT[0], IN[0]' >coordinate.tgsi
show 1 'MOV OUT[0], IN[0]' >normal.tgsi
show 0 'SLT OUT[0], IN[1].xxxx, IMM[0].xxxx' >back.tgsi
printf '%s\n' '# two triangles, the second seen from behind' 'o square' 'v -1 -1 0' 'v 1 -1 0 1.0' 'v -1 1 0' 'v 1 1 0' \
    'vt 0.25 0.5' 'vt 0.75 1' 'vn 0 0 -1' 's off' 'f 1/1 2/1 3/2' 'f -2/2/1 -1/2/1 2/1/1 # the end' >two.obj
mesh() { "$weft" draw "$1" --vertex place.tgsi --mesh "$2" --size 4x4 --threads 1 -o mesh.raw; }
sides() { mesh back.tgsi two.obj && is mesh.raw 0 0 4 '0 0 0 0' && is mesh.raw 3 3 4 '1 1 1 1'; }
check 'a triangle from before and one from behind' sides
# The last vertex of a triangle gives flat inputs.
coordinates() { mesh coordinate.tgsi two.obj && is mesh.raw 0 0 4 '0.75 1 0 1' && is mesh.raw 3 3 4 '0.25 0.5 0 1'; }
check 'texture coordinates, and numbers from the end' coordinates
# That of the first triangle follows from its corners.
normals() { mesh normal.tgsi two.obj && is mesh.raw 0 0 4 '0 0 1 0' && is mesh.raw 3 3 4 '0 0 -1 0'; }
check 'normals, given and not' normals
printf 'v -1 -1 0\r\nv 1 -1 0\r\nv 1 1 0\r\nv -1 1 0\r\nf 1 2 3 4\r\n' >quad.obj
quads() { mesh back.tgsi quad.obj && is mesh.raw 0 3 4 '0 0 0 0' && is mesh.raw 3 0 4 '0 0 0 0'; }
check 'a face of four corners, lines that end in CR' quads
# The camera looks at what is within -1 to 1: a mesh 1,000 times as large is the same picture.
fit() {
    sed 's/^v \(-*\)1 \(-*\)1/v \11000 \21000/' quad.obj >large.obj
    for f in quad large; do
        "$weft" draw back.tgsi --mesh $f.obj --size 16x16 --clear 0.5,0.5,0.5,0.5 -o $f.raw 2>err || return 1
    done
    cmp quad.raw large.raw && is quad.raw 8 8 16 '0 0 0 0' && is quad.raw 0 0 16 '0.5 0.5 0.5 0.5'
}
check 'a mesh of any size without a vertex shader' fit
bad_mesh() {
    printf '%s\n' 'v -1 -1 0' "$1" 'v 1 1 0' 'v 0 0 0' >bad.obj
    fails 1 "^bad.obj:2:$2: error: $3" back.tgsi --vertex place.tgsi --mesh bad.obj
}
check 'a position without z' bad_mesh 'v 1 2' 5 'a position is "v X Y Z"'
check 'a word in place of a number' bad_mesh 'v 1 2 three' 7 'a position is "v X Y Z"'
check 'a vertex that comes later' bad_mesh 'f 1 2 3' 5 'there is no such v before this line'
check 'vertex 0' bad_mesh 'f 0 1 1' 3 'there is no such v before this line'
check 'a normal that is not there' bad_mesh 'f 1//1 1 1' 6 'there is no such vn before this line'
check 'a face of two corners' bad_mesh 'f 1 1' 2 'a face has three corners or more'
check 'a corner with letters' bad_mesh 'f 1x 1 1' 3 'a corner of a face is V, V/T, V//N or V/T/N'
no_face() { printf 'v 1 1 1\n' >points.obj && fails 1 'points.obj: error: the file has no faces' back.tgsi --mesh points.obj; }
check 'a mesh without faces' no_face
check 'a mesh that is not there' fails 1 none.obj back.tgsi --mesh none.obj
kept() { cp two.obj a.obj && ln -s a.obj a.raw && status 2 "$weft" draw back.tgsi --mesh a.obj -o a.raw && cmp a.obj two.obj; }
check 'a mesh is not written over' kept

# ---- textures ----
# sample KIND TYPE COORDINATE: texel COORDINATE of level COORDINATE.w, as floats.
sample() {
    cat <<EOF
FRAG
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], $1, $2
DCL TEMP[0]
IMM[0] INT32 { $3 }
TXF TEMP[0], IMM[0], SAMP[0], $1
$4 OUT[0], TEMP[0]
END
EOF
}
# texel TEXTURE KIND TYPE COORDINATE CONVERSION VALUES
texel() {
    sample "$2" "$3" "$4" "$5" >texel.tgsi
    "$weft" draw texel.tgsi --texture "0=$1" --size 1x1 -o texel.raw && is texel.raw 0 0 1 "$6"
}
# 64 bytes: byte i is i; as integers of 32 bits 0x03020100 and so on.
for i in $(seq 0 63); do printf "\\$(printf %03o "$i")"; done >bytes
head -c 32 bytes >first
tail -c 32 bytes >second
integers() {
    texel bytes:4x4:R8G8B8A8_SINT:nearest 2D SINT '1, 2, 0, 0' I2F '36 37 38 39' &&
        : 0x13121110 and the three words after it &&
        texel bytes:2x2:R32G32B32A32_UINT:nearest 2D UINT '1, 0, 0, 0' U2F '3.199511e+08 3.8732317e+08 4.546952e+08 5.2206723e+08' &&
        texel bytes:8x4:R16_UINT:nearest 2D UINT '2, 3, 0, 0' U2F '13620 0 0 1'
}
check 'integers' integers
floats() {
    printf '\0\0\200\77\0\0\0\300' >floats
    texel floats:2x1:R32_SFLOAT 2D FLOAT '1, 0, 0, 0' MOV '-2 0 0 1'
}
check 'floats' floats
volume() { texel bytes:2x4x2:3d:R8G8B8A8_UINT:nearest 3D UINT '1, 2, 1, 0' U2F '52 53 54 55'; }
check '3D' volume
layers() {
    texel bytes:2x4x2:array:R8G8B8A8_UINT:nearest 2D_ARRAY UINT '1, 2, 1, 0' U2F '52 53 54 55' &&
        texel first,second:2x4x2:array:R8G8B8A8_UINT:nearest 2D_ARRAY UINT '1, 2, 1, 0' U2F '52 53 54 55'
}
check 'layers in one file and in two' layers
# 16, 4 and 1 texels of 3 levels are 21 of 2 bytes; the rest is another texture's.
levels() {
    head -c 42 bytes >chain
    texel chain:levels-3:4x4:R8G8_UINT:nearest 2D UINT '1, 0, 0, 1' U2F '34 35 0 1' &&
        texel chain:levels-3:4x4:R8G8_UINT:nearest 2D UINT '0, 0, 0, 2' U2F '40 41 0 1'
}
check 'levels' levels
# A red square of 2x2 and its level, green: three of four texels far away are of the latter.
pictures() {
    printf 'FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 1, 0, 0, 1 }\nMOV OUT[0], IMM[0]\nEND\n' >red.tgsi
    sed 's/{ 1, 0/{ 0, 1/' red.tgsi >green.tgsi
    "$weft" draw red.tgsi --size 2x2 -o red.png && "$weft" draw green.tgsi --size 1x1 -o green.png &&
        texel red.png,green.png:levels-2 2D FLOAT '0, 0, 0, 0' MOV '1 0 0 1' &&
        texel red.png,green.png:levels-2 2D FLOAT '0, 0, 0, 1' MOV '0 1 0 1'
}
check 'levels as pictures' pictures
# Depths 0.25 and 0.75 against 0.5.
cat >shadow.tgsi <<'EOF'
FRAG
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], SHADOW2D, FLOAT
IMM[0] FLT32 { 0.25, 0.5, 0.5, 0.0 }
IMM[1] FLT32 { 0.75, 0.5, 0.5, 0.0 }
DCL TEMP[0..1]
TEX TEMP[0], IMM[0], SAMP[0], SHADOW2D
TEX TEMP[1], IMM[1], SAMP[0], SHADOW2D
MOV OUT[0].x, TEMP[0].xxxx
MOV OUT[0].y, TEMP[1].xxxx
END
EOF
compare() {
    "$weft" draw shadow.tgsi --texture "0=depths:2x1:D32_SFLOAT:nearest:compare-$1" --size 1x1 -o s.raw || return 1
    came=$(pixel s.raw 0 0 1)
    [ "${came% * *}" = "$2" ] || { echo "$1: $came"; return 1; }
}
compares() {
    printf '\0\0\200\76\0\0\100\77' >depths
    compare less '0 1' && compare less-equal '0 1' && compare greater '1 0' && compare greater-equal '1 0' &&
        compare always '1 1' && compare never '0 0' && compare equal '0 0' && compare not-equal '1 1'
}
check 'comparisons' compares
bad_texture() { fails "$1" "$2" red.tgsi --texture "0=$3"; }
check 'a size without a format' bad_texture 2 'need a size and a format' bytes:4x4
check 'a format without a size' bad_texture 2 'need a size and a format' bytes:R32_UINT
check 'slices of something flat' bad_texture 2 'a size of three numbers is for :array and :3d' bytes:4x4x4:R8_UINT
check 'a file that is too short' bad_texture 1 "'bytes' has 64 bytes of texels, and the texture has 128: 8x4 of R32_UINT" bytes:8x4:R32_UINT
check 'a file that is too long' bad_texture 1 "'bytes' is one picture more than the texture has" bytes:4x2:R32_UINT
check 'mip levels of integers' bad_texture 2 'weft makes no mip levels of this format' bytes:4x4:R32_UINT:mipmap
check 'a texture that is too large' bad_texture 1 'cannot be a texture' bytes:16000x16000x200:3d:R32_UINT
check 'a cube that is not square' bad_texture 1 'a face is as wide as it is high' bytes:4x2:cube:R8_UINT
named() { cp red.png 'a:4x,4.png' && "$weft" draw red.tgsi --texture 0=a:4x,4.png --size 1x1 -o n.raw; }
check 'a file whose name looks like words' named
finish
