#!/bin/sh
# same_bits.sh WEFT SOURCE WIDTHxHEIGHT COUNT... - every picture of the gallery, so large, is the same bits for both
# engines, these numbers of threads, and levels of the host's vector instructions: the best level has all numbers of
# threads, another one the last number. Which other level that is differs by picture and by run (tests/turn.h);
# with WEFT_TEST_ALL set it is each of them. With WEFT_TEST_SHARE=N it is one picture in N, others in each run.
# amber-*-same-bits have the jobs.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=tests/share.sh
. "$(dirname "$0")/../share.sh"
weft=$(realpath "$1")
cd "$2" || exit 1
size=$3
shift 3
counts=$*

usable=baseline
for level in avx2 avx512; do
    "$weft" draw examples/tgsi/flat.tgsi --size 8x8 --cpu "$level" -o "$scratch/level.raw" 2>"$scratch/err" && usable="$usable $level"
done

best=${usable##* }
lower=${usable%"$best"}
level_turn=${WEFT_TEST_TURN:-$$}
echo "# sample: turn $level_turn (set WEFT_TEST_TURN to change it, WEFT_TEST_ALL for all)"

# choose: `levels` become those of the next picture.
choose() {
    # shellcheck disable=SC2086 # words
    set -- $lower
    level_turn=$((level_turn + 1))
    levels="$lower $best"
    [ -n "${WEFT_TEST_ALL:-}" ] || [ $# -lt 2 ] && return
    shift $((level_turn % $#))
    levels="$1 $best"
}

engines=interp
"$weft" --version | grep -q 'jit' && engines='interp jit'

# same_picture SHADER OPTION...
same_picture() {
    first=
    for level in $levels; do
        for engine in $engines; do
            some=${counts##* }
            [ "$level" != "$best" ] || some=$counts
            for threads in $some; do
                "$weft" draw "$@" --size "$size" --threads "$threads" --cpu "$level" --engine "$engine" \
                    -o "$scratch/got.raw" || return 1
                sum=$(cksum <"$scratch/got.raw")
                [ "${first:=$sum}" = "$sum" ] || return 1
                [ "$engine" = interp ] || break # code is the same for any number of threads
            done
        done
    done
}

# same_frame PROGRAM ADDRESS WIDTHxHEIGHT: of a program of the VPU's machine.
same_frame() {
    first=
    "$weft" asm -i vpu "$1" -o "$scratch/image" || return 1
    for level in $levels; do
        "$weft" boot --cpu "$level" --dump "$2:$((${3%x*} * ${3#*x} * 4))=$scratch/got.raw" "$scratch/image" 2>"$scratch/err" ||
            { cat "$scratch/err"; return 1; }
        sum=$(cksum <"$scratch/got.raw")
        [ "${first:=$sum}" = "$sum" ] || return 1
    done
}

sed -e '/^#/d' -e '/^ *$/d' -e '/\.amber/d' examples/*/gallery.txt >"$scratch/list"
compiles=yes
"$weft" draw examples/glsl/rings.frag --size 8x8 -o "$scratch/level.raw" 2>"$scratch/err" ||
    ! grep -q -e 'without SPIRV-Tools' -e 'weft-spirv.so' "$scratch/err" || compiles=no
while IFS='|' read -r name file more caption; do
    of_this_turn || continue
    case $compiles$file in
    'no examples/glsl/'*)
        count=$((count + 1))
        echo "ok $count - ${name%% *}:$caption # SKIP without weft-spirv.so"
        continue
        ;;
    esac
    choose
    # shellcheck disable=SC2086 # words, padded with spaces
    case $file in
    *.vpu*) check "${name%% *}:$caption, levels $levels" same_frame $file $more ;;
    *) check "${name%% *}:$caption, levels $levels" same_picture $file $more ;;
    esac
done <"$scratch/list"
finish
