#!/bin/sh
# same_bits.sh WEFT SOURCE WIDTHxHEIGHT COUNT... - every picture, so large, and every job of the gallery is the same bits
# for both engines and these numbers of threads, pictures for each level of the host's vector instructions too: the best
# level has all numbers of threads, the others the last one. amber-same-bits has all jobs.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$2" || exit 1
size=$3
shift 3
counts=$*

levels=baseline
for level in avx2 avx512; do
    "$weft" draw examples/tgsi/flat.tgsi --size 8x8 --cpu "$level" -o "$scratch/level.raw" 2>"$scratch/err" && levels="$levels $level"
done

engines=interp
"$weft" --version | grep -q 'jit' && engines='interp jit'

# same_picture SHADER OPTION...
same_picture() {
    first=
    for level in $levels; do
        for engine in $engines; do
            some=${counts##* }
            [ "$level" != "${levels##* }" ] || some=$counts
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

# buffers JOB: the names that it declares.
buffers() { awk '($1 == "BUFFER" || $1 == "IMAGE") { print $2 }' "$1"; }

# same_buffers JOB: exit status, messages and the contents of all buffers.
same_buffers() {
    # shellcheck disable=SC2046 # words: names of an AmberScript have no blanks
    set -- "$1" $(buffers "$1" | sed "s|.*|--dump &=$scratch/dump/&.raw|")
    first=
    for way in ${counts} $engines; do
        case $way in
        [0-9]*) set -- "$@" --threads "$way" --engine interp ;;
        *) set -- "$@" --threads 2 --engine "$way" ;;
        esac
        rm -rf "$scratch/dump"
        mkdir "$scratch/dump"
        timeout 120 "$weft" run "$@" --files-from . >"$scratch/said" 2>&1
        echo "exit status $?" >>"$scratch/said"
        sum=$(cd "$scratch" && cksum said dump/* 2>&1)
        [ "${first:=$sum}" = "$sum" ] || { printf '%s\n\nis with %s (threads or engine)\n\n%s\n' "$first" "$way" "$sum"; return 1; }
        [ "$(find "$scratch/dump" -type f | wc -l)" -eq "$(buffers "$1" | sort -u | wc -l)" ] || { cat "$scratch/said"; return 1; }
    done
}

sed -e '/^#/d' -e '/^ *$/d' examples/*/gallery.txt >"$scratch/list"
compiles=yes
"$weft" draw examples/glsl/rings.frag --size 8x8 -o "$scratch/level.raw" 2>"$scratch/err" ||
    ! grep -q -e 'without SPIRV-Tools' -e 'weft-spirv.so' "$scratch/err" || compiles=no
while IFS='|' read -r name file more caption; do
    case $compiles$file in
    'no examples/glsl/'*)
        count=$((count + 1))
        echo "ok $count - ${name%% *}:$caption # SKIP without weft-spirv.so"
        continue
        ;;
    esac
    # shellcheck disable=SC2086 # words, padded with spaces
    case $file in
    *.amber*) check "${name%% *}:$caption" same_buffers $file ;;
    *.vpu*) check "${name%% *}:$caption, levels $levels" same_frame $file $more ;;
    *) check "${name%% *}:$caption, levels $levels" same_picture $file $more ;;
    esac
done <"$scratch/list"
finish
