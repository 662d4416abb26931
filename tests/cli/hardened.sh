#!/bin/sh
# hardened.sh FORTIFIED BINARY... - what the linker and the compiler did against faults of memory, read from the binaries.
# FORTIFIED is "true" where the build asks for checked copies.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
fortified=$1
shift
command -v readelf >/dev/null || { echo '1..0 # SKIP there is no readelf'; exit 0; }

has() { readelf "$1" --wide "$2" >"$scratch/read" && grep -qE -e "$3" "$scratch/read"; }
lacks() { readelf "$1" --wide "$2" >"$scratch/read" && ! grep -qE -e "$3" "$scratch/read"; }
# A program would have EXEC here.
anywhere() { has -h "$1" 'Type: *DYN '; }
read_only() { has -l "$1" GNU_RELRO && has -d "$1" 'BIND_NOW|FLAGS.* NOW'; }
no_code_in_data() { has -l "$1" 'GNU_STACK .* RW ' && lacks -l "$1" 'LOAD .* RWE '; }
imports() { has --dyn-syms "$1" " UND $2(@|\$)"; }
# With gcc's and libc's own parts made likewise the linker says it; else the functions begin with the instruction.
landing_places() {
    has -n "$1" 'x86 feature:.*IBT.*SHSTK' && return 0
    command -v objdump >/dev/null || { echo 'there is no objdump'; return 1; }
    objdump -d --section=.text --no-show-raw-insn "$1" | grep -c -m 20 'endbr64' >"$scratch/places"
    echo "endbr64: $(cat "$scratch/places")"
    [ "$(cat "$scratch/places")" -ge 20 ]
}

for binary; do
    name=$(basename "$binary")
    check "$name may be anywhere in memory" anywhere "$binary"
    check "$name: what the linker fills in is read-only afterwards" read_only "$binary"
    check "$name: no memory is written and executed" no_code_in_data "$binary"
    check "$name: functions look after their frames" imports "$binary" __stack_chk_fail
    [ "$fortified" = false ] || check "$name: copies look after sizes" imports "$binary" '__[a-z]+_chk'
    [ "$(uname -m)" != x86_64 ] || check "$name: calls land where functions begin" landing_places "$binary"
done
finish
