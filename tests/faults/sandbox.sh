#!/usr/bin/env bash
# sandbox.sh WEFT SOURCE - jobs read below their folder or the one that --files-from names, wherever links lead; with
# --sandbox the system itself refuses everything else. What others wrote does not steer a terminal.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")
source=$(realpath "$2")
cd "$scratch" || exit 1
mkdir -p jobs/data other

echo '41 42 43 44' | tee jobs/data/inside.txt >other/secret.txt
ln -s ../../other/secret.txt jobs/data/link.txt
ln -s ../data jobs/data/round
# job FILE: reads it.
job() { printf '#!amber\nBUFFER b DATA_TYPE uint32 SIZE 4 FILE TEXT %s\nEXPECT b IDX 0 EQ 41 42 43 44\n' "$1"; }
job data/inside.txt >jobs/inside.amber
job data/round/inside.txt >jobs/round.amber
job ../other/secret.txt >jobs/above.amber
job "$scratch/other/secret.txt" >jobs/absolute.amber
job data/link.txt >jobs/link.amber
job data/none.txt >jobs/none.amber
# included FILE: a shader that has its bytes.
included() {
    printf '#!amber\nSHADER compute c VPU-ASM\n.incbin "%s"\nrts\nEND\n' "$1"
    printf 'PIPELINE compute p\nATTACH c\nEND\nRUN p 1 1 1\n'
}
included "$scratch/other/secret.txt" >jobs/incbin.amber

# The name of the folder is chance, and may have such numbers.
tells_secret() { sed "s,$scratch,,g" "$scratch/err" | grep -E '4[1-4]'; }
outside() { status 1 "$weft" run "$@" && says 'is not below' && ! tells_secret; }
check 'a file below the job' status 0 "$weft" run jobs/inside.amber
check 'by a link that stays there' status 0 "$weft" run jobs/round.amber
check 'from another folder' sh -c "cd other && '$weft' run ../jobs/inside.amber"
check 'a file above it' outside jobs/above.amber
check 'and the message says what to do' says 'files-from DIR'
check 'a file by its whole name' outside jobs/absolute.amber
check 'a link that leads away' outside jobs/link.amber
check 'bytes of a shader' outside jobs/incbin.amber
check '--files-from says more' status 0 "$weft" run jobs/above.amber --files-from .
check 'for links too' status 0 "$weft" run jobs/link.amber --files-from .
check 'and nothing else' outside jobs/inside.amber --files-from other
check 'a file that is not there' status 1 "$weft" run jobs/none.amber
check 'and the message says so' says 'No such file'

"$weft" run --sandbox jobs/inside.amber >/dev/null 2>"$scratch/err"
if grep -q 'has no Landlock\|on Linux alone' "$scratch/err"; then
    echo '# there is no Landlock: the sandbox is not tested'
    finish
    exit 0
fi
denied() { status 1 "$weft" "$@" && says 'Permission denied'; }
printf '.incbin "other/secret.txt"\n' >reads.vpu
printf 'nop\n' >plain.vpu
check 'without a sandbox an assembler text reads any file' status 0 "$weft" asm reads.vpu -o a.bin
check 'in a sandbox it does not' denied asm --sandbox reads.vpu -o b.bin
check 'and nothing is written' [ ! -e b.bin ]
check 'what was named is read and written' status 0 "$weft" asm --sandbox plain.vpu -o other/c.bin
check 'it is whole' [ "$(wc -c <other/c.bin)" -eq 2 ]
mkdir into
check 'options may be shortened' status 0 "$weft" asm --sandbox plain.vpu --out into/d.bin
check 'and letters joined' status 0 "$weft" asm --sandbox plain.vpu -eo into/e.bin
check 'a job with its file' status 0 "$weft" run --sandbox jobs/inside.amber
if "$weft" --version | grep -q glslang; then
    printf '#!amber\nSHADER compute c GLSL\n#version 450\nvoid main() {}\nEND\nPIPELINE compute p\nATTACH c\nEND\nRUN p 1 1 1\n' >jobs/glsl.amber
    check 'a job with a shader that is compiled' status 0 "$weft" run --sandbox jobs/glsl.amber
    printf '#version 450\n#include "lib/one.glsl"\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(one()); }\n' >uses.frag
    mkdir -p lib
    printf 'float one() { return 1.0; }\n' >lib/one.glsl
    check 'a shader with a file from a folder of -I' status 0 "$weft" check --sandbox uses.frag -I lib
    check 'a shader with a file that nothing names' denied check --sandbox uses.frag
    cp lib/one.glsl 1
    printf '#version 450\n#include "../1"\nvoid main() { one(); }\n' >lib/number.comp
    for option in define uniform; do # the values are not files
        check "a shader with a file that --$option seems to name" denied run --sandbox lib/number.comp "--$option" c=1
    done
fi
check 'a job with a file above' outside --sandbox jobs/above.amber
check 'a job with a folder that is named' status 0 "$weft" run --sandbox jobs/above.amber --files-from .
for engine in interp auto jit; do
    "$weft" --version | grep -q 'jit (' || [ $engine != jit ] || continue
    check "a picture with its texture, $engine" status 0 "$weft" draw --sandbox "$source/examples/tgsi/textured.tgsi" \
        --texture 0="$source/examples/textures/tiles.png" --size 32x32 --engine $engine -o "other/$engine.png"
    check 'it is the same picture' cmp other/interp.png "other/$engine.png"
done
check 'a texture with words' status 0 "$weft" draw --sandbox "$source/examples/tgsi/textured.tgsi" \
    --texture 0="$source/examples/textures/tiles.png:nearest:repeat" --size 32x32 -o other/words.png
check 'a list' status 0 "$weft" run --sandbox --list <(echo jobs/inside.amber) jobs/round.amber jobs/inside.amber

# shown PATTERN COMMAND...: on a terminal it says so, and no escape that the input has comes through.
shown() {
    script -qec "$2" /dev/null </dev/null >seen 2>&1
    grep -qF "$1" seen && ! grep -qF "$(printf '\033[2J')" seen
}
if command -v script >/dev/null; then
    printf 'FRAG\n\033[2JBAD\nEND\n' >steers.tgsi
    check 'a message on a terminal' shown 'x1b[2J' "'$weft' check -i tgsi steers.tgsi"
    printf 'nop\n.section "a\033[2Jb"\n' >names.vpu
    check 'a file name on a terminal' shown 'x1b[2J' "'$weft' dis -i vpu $(printf 'a\033[2Jb')"
fi
finish
