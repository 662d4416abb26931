#!/bin/sh
# same_picture.sh WEFT EXAMPLES [spirv] - the scene that every instruction set with shaders draws is the same picture,
# as TAP: all bits of the RGBA8 target, with the programs of examples/ISA/torus.amber; with "spirv" those of
# examples/glsl too, in GLSL and SPIR-V.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$1
examples=$2
isas='tgsi tesla valhall rogue'

for isa in $isas; do
    timeout 60 "$weft" run "$examples/$isa/torus.amber" --files-from "$examples" --dump "picture=$scratch/$isa.raw" >"$scratch/log" 2>&1
    report $? "$isa draws the torus as its job expects"
done
# It is a picture: 256 by 256 pixels, with far more than a few values.
bytes=$(wc -c <"$scratch/tgsi.raw")
values=$(od -An -v -tx4 -w4 "$scratch/tgsi.raw" | sort -u | wc -l)
echo "$bytes bytes, $values colours" >"$scratch/log"
[ "$bytes" -eq 262144 ] && [ "$values" -gt 1000 ]
report $? "the picture has $values colours"
for isa in tesla valhall rogue; do
    cmp "$scratch/tgsi.raw" "$scratch/$isa.raw" >"$scratch/log" 2>&1
    report $? "$isa draws the same bits as tgsi"
done
# The job in Rogue code with the programs that --pack makes of two lists: shader STAGE NAME.
shader() {
    echo "SHADER $1 $2 ROGUE-HEX"
    sed -n "/^SHADER $1/,/^END/s/^\.link/&/p" "$examples/rogue/torus.amber"
    cat "$scratch/$1.hex"
    echo END
}
for stage in vertex fragment; do
    "$weft" asm -i rogue --pack -f hex "$examples/rogue/torus.$(echo $stage | cut -c1-4).list" -o "$scratch/$stage.hex" \
        2>"$scratch/log"
    report $? "a list becomes the $stage program: $(wc -l <"$scratch/$stage.hex") groups"
done
{
    echo '#!amber'
    shader vertex place
    shader fragment light
    sed -n '/^# Columns of the matrix/,$p' "$examples/rogue/torus.amber" | sed "s|\.\./|$examples/|"
} >"$scratch/packed.amber"
timeout 60 "$weft" run "$scratch/packed.amber" --files-from "$examples" --dump "picture=$scratch/packed.raw" >"$scratch/log" 2>&1 &&
    cmp "$scratch/tgsi.raw" "$scratch/packed.raw" >>"$scratch/log" 2>&1
report $? "rogue draws the same bits with the packed lists"
for stage in vertex fragment; do
    by_hand=$(sed -n "/^SHADER $stage/,/^END/p" "$examples/rogue/torus.amber" | grep -c '^[0-9]* :')
    packed=$(wc -l <"$scratch/$stage.hex")
    echo "$packed groups, by hand $by_hand" >"$scratch/log"
    [ "$packed" -gt 10 ] && [ "$packed" -lt "$by_hand" ]
    report $? "the packed $stage program has $packed groups, the one by hand $by_hand"
done
# In GLSL and in SPIR-V: all bits, which is more than 1/255.
for job in torus torus-spirv; do
    if [ "${3-}" != spirv ]; then
        count=$((count + 1))
        echo "ok $count - glsl/$job draws the same bits as tgsi # SKIP built without weft-spirv.so"
        continue
    fi
    timeout 60 "$weft" run "$examples/glsl/$job.amber" --files-from "$examples" --dump "picture=$scratch/$job.raw" \
        >"$scratch/log" 2>&1 && cmp "$scratch/tgsi.raw" "$scratch/$job.raw" >>"$scratch/log" 2>&1
    report $? "glsl/$job draws the same bits as tgsi"
done
# Only the programs of the jobs differ.
sed -n '/^# Columns of the matrix/,$p' "$examples/tgsi/torus.amber" >"$scratch/body"
for job in tesla/torus valhall/torus rogue/torus glsl/torus glsl/torus-spirv; do
    sed -n '/^# Columns of the matrix/,$p' "$examples/$job.amber" | diff "$scratch/body" - >"$scratch/log" 2>&1
    report $? "$job has the scene, the camera and the expectations of tgsi"
done
echo "1..$count"
