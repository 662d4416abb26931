#!/bin/sh
# drawing.sh WEFT SOURCE - weft draw: its options, its files and what it refuses. What pictures hold is tested elsewhere.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
source=$2
cd "$scratch" || exit 1

cat >flat.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
IMM[0] FLT32 { 1.0, 0.5, 0.25, 1.0 }
  0: MOV OUT[0], IMM[0]
  1: END
END
cat >const.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
DCL CONST[0][0..1]
  0: MOV OUT[0], CONST[0][1]
  1: END
END
cat >time.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
DCL CONST[0][0]
  0: MOV OUT[0], CONST[0][0]
  1: END
END
cat >second.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
DCL CONST[1][0]
  0: MOV OUT[0], CONST[1][0]
  1: END
END
cat >endless.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
IMM[0] FLT32 { 1.0, 0.5, 0.25, 1.0 }
  0: BGNLOOP
  1: MOV OUT[0], IMM[0]
  2: ENDLOOP
  3: END
END
cat >uv.tgsi <<'END'
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
END
cat >kill.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
IMM[0] FLT32 { 1.0, 0.5, 0.25, 1.0 }
  0: KILL
  1: MOV OUT[0], IMM[0]
  2: END
END

# raw FILE: its floats, one a line.
raw() { od --endian=little -An -v -tf4 -w4 "$1" | tr -d ' '; }

# pixels EXPECTED...: the first pixel of out.raw.
pixel() { [ "$(raw out.raw | head -n 4 | tr '\n' ' ')" = "$*" ] || { raw out.raw | head -n 4; return 1; }; }

draws() { status 0 "$weft" draw "$@" && silent; }
refuses() {
    pattern=$1
    shift
    status 2 "$weft" draw "$@" && says "$pattern"
}

flat_raw() { draws flat.tgsi --size 3x2 -o out.raw && [ "$(wc -c <out.raw)" -eq 96 ] && pixel 1 0.5 0.25 1 ''; }
check 'raw: floats without a header' flat_raw
flat_png() { draws flat.tgsi --size 40x30 -o out.png && head -c 4 out.png | od -An -tx1 | grep -q '89 50 4e 47'; }
check 'png' flat_png
default_size() { draws flat.tgsi -o out.raw && [ "$(wc -c <out.raw)" -eq 4194304 ]; }
check '512x512 when nothing is said' default_size
to_stdout() { "$weft" draw flat.tgsi --size 40x30 -o - >stdout.png && cmp stdout.png out.png; }
check 'png on standard output' to_stdout
bottom_left() { draws uv.tgsi --size 2x2 -o out.raw && pixel 0.25 0.25 0 1 ''; }
check '(0, 0) is at the bottom left, and the bottom row is first' bottom_left
tokens() {
    draws flat.tgsi --size 3x2 -o out.raw && mv out.raw text.raw && "$weft" asm flat.tgsi -o flat.bin &&
        draws -i tgsi flat.bin --size 3x2 -o out.raw && cmp text.raw out.raw
}
check 'tokens draw what the text draws' tokens
from_stdin() { "$weft" draw -i tgsi - --size 3x2 -o out.raw <flat.tgsi && cmp text.raw out.raw; }
check 'a shader from standard input' from_stdin

constants() {
    printf '1 2 3 4\n# nothing\n\n0x3f800000 -2.5 1e2 0x7f800000\n' >c.txt
    draws const.tgsi --const c.txt --size 2x2 -o out.raw && pixel 1 -2.5 100 inf ''
}
check 'constants: decimal and bit patterns' constants
buffer_one() { draws second.tgsi --const 1=c.txt --size 2x2 -o out.raw && pixel 1 2 3 4 ''; }
check 'constants of another buffer' buffer_one
time_given() { draws time.tgsi --time 2.5 --size 4x2 -o out.raw && pixel 2.5 0.25 0.5 2 ''; }
check 'CONST[0][0] is (time, 1/W, 1/H, W/H)' time_given
clear() { draws kill.tgsi --clear 0.125,0.25,0.5,0.0625 --size 2x2 -o out.raw && pixel 0.125 0.25 0.5 0.0625 ''; }
check '--clear shows where fragments are discarded' clear
stats() { status 0 "$weft" draw flat.tgsi --size 8x8 --stats -o out.raw && says '^fragments 64$' && says '^seconds '; }
check '--stats' stats
same_bits() {
    draws uv.tgsi --size 67x45 --threads 1 -o 1.raw && draws uv.tgsi --size 67x45 --threads 2 -o 2.raw &&
        draws uv.tgsi --size 67x45 --threads 7 -o 7.raw && draws uv.tgsi --size 67x45 --cpu baseline -o b.raw &&
        cmp 1.raw 2.raw && cmp 1.raw 7.raw && cmp 1.raw b.raw
}
check 'the same bits for 1, 2 and 7 threads and for the baseline' same_bits
# A level that this machine lacks is refused.
same_everywhere() {
    draws "$1" --size 61x37 --threads 1 -o one.raw || return 1
    for way in '--threads 2' '--threads 7' '--cpu baseline' '--cpu avx2' '--cpu avx512'; do
        # shellcheck disable=SC2086 # two words
        if "$weft" draw "$1" --size 61x37 $way -o way.raw; then
            cmp one.raw way.raw || return 1
        elif [ "${way#--cpu avx}" = "$way" ]; then
            return 1
        fi
    done
}
for example in gradient phong noise mandelbrot raymarch plasma hash; do
    check "$example: the same bits everywhere" same_everywhere "$source/examples/tgsi/$example.tgsi"
done
meshes() {
    for mesh in sphere cube teapot; do
        draws uv.tgsi --mesh $mesh --size 32x32 -o $mesh.png || return 1
    done
}
check 'meshes' meshes

# ---- what is wrong ----
bad_constants() { echo '1 2 three 4' >bad.txt && status 1 "$weft" draw const.tgsi --const bad.txt -o x.raw && says '^bad.txt:1:5: error: '; }
check 'constants: what is no number' bad_constants
few_constants() { echo '1 2 3' >few.txt && status 1 "$weft" draw const.tgsi --const few.txt -o x.raw && says '^few.txt:1:'; }
check 'constants: three of four' few_constants
budget() {
    echo old >endless.raw
    status 1 timeout 60 "$weft" draw endless.tgsi --size 8x8 --budget 10000 -o endless.raw && says '^endless.tgsi:[4-7]:' &&
        same old endless.raw
}
check 'an endless loop ends by the budget, which names its line' budget
missing_texture() { status 1 "$weft" draw flat.tgsi --texture 0=none.png -o x.raw && says 'none.png'; }
check 'a texture that is not there' missing_texture
no_png() { echo text >text.png && status 1 "$weft" draw flat.tgsi --texture 0=text.png -o x.raw && says 'text.png'; }
check 'a texture that is no PNG' no_png
untouched() { echo MAAD >bad.tgsi && echo old >old.png && status 1 "$weft" draw bad.tgsi -o old.png && same old old.png; }
check 'an error leaves the old picture' untouched
no_output() { [ ! -e x.raw ] && [ -z "$(find . -name '*.raw.*' -o -name '*.png.*')" ]; }
check 'nothing is left of what went wrong' no_output
check 'no output' refuses '-o OUT.png' flat.tgsi
check 'another extension' refuses 'NAME.png or NAME.raw' flat.tgsi -o out.jpg
check 'unknown mesh' refuses "did you mean 'sphere'" flat.tgsi --mesh spere -o x.raw
for size in 0x4 4x 4 4x4x4 20000x1 -1x4; do
    check "--size $size" refuses '--size is WxH' flat.tgsi "--size=$size" -o x.raw
done
check 'texture without a number' refuses '--texture is N=FILE' flat.tgsi --texture a.png -o x.raw
check 'texture number' refuses '--texture is N=FILE' flat.tgsi --texture 32=a.png -o x.raw
check 'constant buffer number' refuses '--const is' flat.tgsi --const 16=a.txt -o x.raw
check 'threads' refuses '--threads is' flat.tgsi --threads 0 -o x.raw
check 'clear' refuses '--clear is' flat.tgsi --clear 1,2,3 -o x.raw
check 'time' refuses '--time is' flat.tgsi --time soon -o x.raw

# A quad has one normal: a vertex shader that takes IN[1] for the texture coordinate is told.
vertex() { printf 'VERT\nDCL IN[0]\nDCL IN[%s]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[%s]\n2: END\n' "$1" "$1"; }
vertex 1 >normal.tgsi
vertex 2 >texcoord.tgsi
normal() { status 0 "$weft" draw flat.tgsi --vertex normal.tgsi -o x.raw && says 'normal.tgsi: warning: vertex input 1 is the normal' && says 'input 2 is the texture coordinate'; }
check 'the normal of a quad' normal
no_warning() { status 0 "$weft" draw flat.tgsi "$@" -o x.raw && silent; }
check 'the texture coordinate of a quad' no_warning --vertex texcoord.tgsi
check 'the normal of a mesh' no_warning --vertex normal.tgsi --mesh cube

finish
