#!/bin/sh
# same_picture.sh WEFT EXAMPLES - the scene that every instruction set with shaders draws is the same picture, as TAP: all bits of
# the RGBA8 target, with the programs of examples/ISA/torus.amber.
set -u
weft=$1
examples=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
isas='tgsi tesla valhall rogue'
count=0

report() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        sed 's/^/#   /' "$scratch/said" | head -n 12
    fi
}

for isa in $isas; do
    timeout 60 "$weft" run "$examples/$isa/torus.amber" --dump "picture=$scratch/$isa.raw" >"$scratch/said" 2>&1
    report $? "$isa draws the torus as its job expects"
done
# It is a picture: 256 by 256 pixels, with far more than a few values.
bytes=$(wc -c <"$scratch/tgsi.raw")
values=$(od -An -v -tx4 -w4 "$scratch/tgsi.raw" | sort -u | wc -l)
echo "$bytes bytes, $values colours" >"$scratch/said"
[ "$bytes" -eq 262144 ] && [ "$values" -gt 1000 ]
report $? "the picture has $values colours"
for isa in tesla valhall rogue; do
    cmp "$scratch/tgsi.raw" "$scratch/$isa.raw" >"$scratch/said" 2>&1
    report $? "$isa draws the same bits as tgsi"
done
# Only the programs of the jobs differ.
sed -n '/^# Columns of the matrix/,$p' "$examples/tgsi/torus.amber" >"$scratch/body"
for isa in tesla valhall rogue; do
    sed -n '/^# Columns of the matrix/,$p' "$examples/$isa/torus.amber" | diff "$scratch/body" - >"$scratch/said" 2>&1
    report $? "$isa has the scene, the camera and the expectations of tgsi"
done
echo "1..$count"
