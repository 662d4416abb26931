#!/bin/sh
# examples.sh WEFT SOURCE - the programs of examples/vpu do what their comments say:
#
#   ;> TEXT              a line that the UART says: all of them, in order
#   ;< TEXT              a line that it hears
#   ;@ ADDRESS: HEX ...  bytes of memory at the end
#
# each ends asleep with r0 = 0, and that as a flat image, loaded elsewhere, and as an ELF file.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")
cd "$2" || exit 1

# boot FORMAT PROGRAM OPTION...
boot() {
    format=$1 program=$2
    shift 2
    sed -n 's/^;> \{0,1\}//p' "$program" >"$scratch/expected"
    sed -n 's/^;< \{0,1\}//p' "$program" >"$scratch/input"
    "$weft" asm -i vpu -f "$format" "$program" -o "$scratch/image" || return 1
    timeout 60 "$weft" boot --limit 1000000000 "$@" "$scratch/image" <"$scratch/input" >"$scratch/out" 2>"$scratch/err" ||
        { cat "$scratch/err"; return 1; }
    cmp "$scratch/expected" "$scratch/out" || { diff "$scratch/expected" "$scratch/out"; return 1; }
}

# memory PROGRAM: each ;@ line, from a run that dumps it.
memory() {
    sed -n 's/^;@ \([^:]*\): *\(.*\)/\1 \2/p' "$1" >"$scratch/places"
    while read -r address bytes; do
        bytes=$(echo "$bytes" | tr -d ' ')
        boot bin "$1" --dump "$address:$((${#bytes} / 2))=$scratch/memory" || return 1
        got=$(od -An -v -tx1 "$scratch/memory" | tr -d ' \n')
        [ "$got" = "$bytes" ] || { echo "at $address: $got, expected $bytes"; return 1; }
    done <"$scratch/places"
}

expects() { grep -qE '^;[>@]' "$1"; }

for program in examples/vpu/*.vpu; do
    name=$(basename "$program" .vpu)
    check "$name: has expectations" expects "$program"
    check "$name: a flat image" boot bin "$program"
    check "$name: loaded elsewhere" boot bin "$program" --load 0x40100000
    check "$name: an ELF file" boot elf "$program"
    check "$name: memory" memory "$program"
done
check 'there are ten at least' [ "$count" -ge 50 ]
finish
