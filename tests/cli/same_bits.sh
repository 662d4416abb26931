#!/bin/sh
# same_bits.sh WEFT SOURCE - every picture of the gallery is the same bits for 1, 2 and 7 threads and for each level of
# the host's vector instructions.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$2" || exit 1

levels=baseline
for level in avx2 avx512; do
    "$weft" draw examples/tgsi/flat.tgsi --size 8x8 --cpu "$level" -o "$scratch/level.raw" 2>"$scratch/err" && levels="$levels $level"
done

# same_bits SHADER OPTION...
same_bits() {
    first=
    for level in $levels; do
        for threads in 1 2 7; do
            "$weft" draw "$@" --size 160x120 --threads "$threads" --cpu "$level" -o "$scratch/got.raw" || return 1
            sum=$(cksum <"$scratch/got.raw")
            [ "${first:=$sum}" = "$sum" ] || return 1
        done
    done
}

sed -e '/^#/d' -e '/^ *$/d' examples/tgsi/gallery.txt >"$scratch/list"
while IFS='|' read -r name shader options caption; do
    # shellcheck disable=SC2086 # words, padded with spaces
    check "$(echo $name):$caption, levels $levels" same_bits $shader $options
done <"$scratch/list"
finish
