#!/bin/sh
# coverage.sh WEFT FOLDER - every Valhall instruction that passes a message, or says where control goes, occurs in a job of the
# folder, as TAP. Comments do not count.
set -u
weft=$1
folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$weft" isa valhall --json | awk -F'"' '
    $2 == "mnemonic" { name = $4 }
    $2 == "group" && $4 ~ /^(control|varying|attribute|memory|atomic|tile|texture|varying texture)$/ { print name }' |
    sort -u >"$scratch/instructions"
# A label may stand before an instruction. Its type, if it has one, is the first word behind it; the others are modifiers.
sed '/^[#.]/d; s/^[a-z_]*: *//; s/ .*//' "$folder"/*.amber | sort -u >"$scratch/words"
sed 's/\..*//' "$scratch/words" >"$scratch/used"
sed -n 's/^\([A-Z0-9_]*\.[a-z0-9]*\).*/\1/p' "$scratch/words" >>"$scratch/used"
sort -u -o "$scratch/used" "$scratch/used"

missing=$(comm -23 "$scratch/instructions" "$scratch/used" | tr '\n' ' ')
found=$(wc -l <"$scratch/instructions")
if [ -z "$missing" ] && [ "$found" -ge 70 ]; then
    echo "ok 1 - every Valhall instruction with a message is in a job ($found of them)"
else
    echo "not ok 1 - every Valhall instruction with a message is in a job ($found of them): missing: $missing"
fi
echo 1..1
