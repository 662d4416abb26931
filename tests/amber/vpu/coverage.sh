#!/bin/sh
# coverage.sh WEFT FOLDER - every VPU instruction that weft knows occurs in a job of the folder, as TAP: in the manual's spelling, or in
# that of the GNU port, which has widths in front of vector operations and some names of its own. Comments do not count.
set -u
weft=$1
folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$weft" isa vpu --json | sed -n 's/^ *"mnemonic": *"\([^"]*\)".*/\1/p' | sort -u >"$scratch/instructions"

# Mnemonics alone: .m and the like ask for a size, then come conditions (mulhd.eq.ss), which branches have without a dot.
conditions='eq\|ne\|cs\|cc\|mi\|pl\|vs\|vc\|hi\|ls\|ge\|lt\|gt\|le\|f'
sed '/^[#.]/d; s/;.*//; s/^ *//; s/^[a-z0-9]*: *//; s/ .*//' "$folder"/*.amber |
    sed "s/\.[sml]\$//; s/\.\($conditions\)\(\.\|\$\)/\2/; s/^\(b\|addcmpb\)\($conditions\)\$/\1/" |
    sed 's/^v\(8\|16\|32\)/v/; s/^v\(ld\|st\)[bhl]$/v\1/
         s/^tbb$/switch.b/; s/^tbh$/switch/; s/^rts$/b/; s/^clamp16$/clipsh/
         s/^vlookupm$/vlookupmh/; s/^vindexwritem$/vindexwritemh/; s/^vgetacc.*$/vreadacc/
         s/^vmemread$/vreadlut/; s/^vmemwrite$/vwritelut/' | sort -u >"$scratch/used"

missing=$(comm -23 "$scratch/instructions" "$scratch/used" | tr '\n' ' ')
found=$(wc -l <"$scratch/instructions")
if [ -z "$missing" ] && [ "$found" -ge 200 ]; then
    echo "ok 1 - every VPU instruction is in a job ($found of them)"
else
    echo "not ok 1 - every VPU instruction is in a job ($found of them): missing: $missing"
fi
echo 1..1
