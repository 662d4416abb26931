#!/bin/sh
# coverage.sh WEFT FOLDER - every Tesla instruction that weft knows occurs in a job of the folder, as TAP. Comments do not count.
set -u
weft=$1
folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$weft" isa tesla --json | sed -n 's/^ *"mnemonic": *"\([a-z0-9]*\)".*/\1/p' | sort -u >"$scratch/instructions"
# Before an instruction stand its join or exit and a predicate.
sed '/^[#.]/d; s,//.*,,; s/^ *//; s/^\(exit\|join\) //; s/^([^)]*) //; s/[ :].*//' "$folder"/*.amber | sort -u >"$scratch/used"

missing=$(comm -23 "$scratch/instructions" "$scratch/used" | tr '\n' ' ')
found=$(wc -l <"$scratch/instructions")
if [ -z "$missing" ] && [ "$found" -ge 60 ]; then
    echo "ok 1 - every Tesla instruction is in a job ($found of them)"
else
    echo "not ok 1 - every Tesla instruction is in a job ($found of them): missing: $missing"
fi
echo 1..1
