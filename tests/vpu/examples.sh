#!/bin/sh
# examples.sh WEFT SOURCE - every program of examples/vpu does what its comments say: "; uart: LINE" is what it says, line by line,
# "; memory ADDRESS: WORDS" what it leaves in memory. Each runs from a flat image and from ELF.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")
cd "$2" || exit 1

# $1: the source, $2: bin or elf
as_expected() {
    set -- "$1" "$2" "$scratch/program.$2"
    "$weft" asm -i vpu -f "$2" -o "$3" "$1" || return 1
    sed -n 's/^; uart: \(.*\)$/\1/p' "$1" >"$scratch/want-said"
    dumps=
    for line in $(sed -n 's/^; memory \(0x[0-9a-f]*\): .*/\1/p' "$1"); do
        words=$(sed -n "s/^; memory $line: //p" "$1" | wc -w)
        dumps="$dumps --dump $line:$((words * 4))=$scratch/$line"
    done
    # shellcheck disable=SC2086 # a list of words
    timeout 60 "$weft" boot "$3" --uart "$scratch/said" --limit 100000000 $dumps || return 1
    diff "$scratch/want-said" "$scratch/said" || return 1
    for line in $(sed -n 's/^; memory \(0x[0-9a-f]*\): .*/\1/p' "$1"); do
        sed -n "s/^; memory $line: //p" "$1" | tr -s ' ' '\n' >"$scratch/want"
        od -An -tx4 -v -w4 "$scratch/$line" | tr -d ' ' | diff "$scratch/want" - || return 1
    done
}

# An expectation that is wrong is noticed.
notices() {
    ! as_expected "$1" bin >/dev/null 2>&1
}

for program in examples/vpu/*.s; do
    check "$(basename "$program"): has expectations" grep -Eq '^; (uart|memory)' "$program"
    check "$(basename "$program"): flat" as_expected "$program" bin
    check "$(basename "$program"): ELF" as_expected "$program" elf
done
sed 's/^; memory 0x20000: cbf43926/; memory 0x20000: cbf43927/' examples/vpu/crc32.s >"$scratch/wrong.s"
check 'a wrong word is noticed' notices "$scratch/wrong.s"
check 'there are programs' [ "$(ls examples/vpu/*.s | wc -l)" -ge 10 ]
finish
