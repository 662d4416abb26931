# shellcheck shell=sh disable=SC2154 # variables of run
# rogue.sh - reader of the Rogue results: parts of groups, whole groups, and compiled shaders of two compilers.
# Read in by run, which says what $vectors, $weft, $scratch, case_ and exits are.

# Every group decodes (rogue_fields.c looks at the fields), and its text assembles to the same bytes.
rogue_groups() {
    cut -f1 "$1" >"$scratch/bytes"
    "$weft" dis -i rogue -f hex --each "$scratch/bytes" >"$scratch/text" || return 1
    ! grep -F ": .data" "$scratch/text" || return 1
    "$weft" asm -i rogue -f hex --each "$scratch/text" >"$scratch/got" && diff "$scratch/bytes" "$scratch/got"
}

# The instructions of a text as the compiler prints it: one phase a line, without what is written differently.
rogue_instructions() {
    sed 's#/\*[^*]*\*/##g' "$1" | grep -oE '(p0|p1|p2_[a-z]*|p2[a-z]*|p0bm|backend|ctrl): [^;]*' |
        sed -E 's/^[a-z0-9_]*: //; s/\(rpt[0-9]\) //; s/^mbyp0/mbyp/; s/^bbyp0bm/byp/; s/0x([0-9A-Fa-f]+)/HEX\1/g' |
        awk '{ print $1 }' | sed -E 's/nop\.end/nop/; s/pck\.(u8888)\.scale/pck.scale.\1/; s/^([a-z]*itrp?[a-z0-9_]*\.[a-z]+)\.none/\1/; s/^movc.*/mov/'
}

# Groups without what compilers choose and their texts do not say: lengths of forms, IS0 where it is S0, the overlap check.
rogue_plain() {
    sed -E 's/\.(hdr|lo|up|dst|pad|form)[0-9]+//g; s/\.(ph0|olchk)//g; s/, is0 = s0( |,)/\1/'
}

# A shader: all of it is known, the same instructions as in the text beside it, the same bytes again; the text
# assembles to the same groups.
rogue_shader() {
    "$weft" dis -i rogue "$1.bin" >"$scratch/whole" || return 1
    ! grep -F ": .data" "$scratch/whole" || return 1
    "$weft" asm -i rogue -o "$scratch/got" "$scratch/whole" && cmp "$scratch/got" "$1.bin" || return 1
    rogue_instructions "$1.txt" >"$scratch/want"
    rogue_instructions "$scratch/whole" | diff "$scratch/want" - || return 1
    "$weft" asm -i rogue -o "$scratch/got" "$1.txt" && "$weft" dis -i rogue "$scratch/got" | rogue_plain >"$scratch/want"
    rogue_plain <"$scratch/whole" | diff "$scratch/want" - && "$weft" check -i rogue "$1.bin"
}

[ -r "$vectors/rogue/parts.tsv" ] && case_ 'rogue parts' "$tools/rogue_fields" "$vectors/rogue/parts.tsv"
[ -r "$vectors/rogue/groups.tsv" ] && case_ 'rogue groups: fields' "$tools/rogue_fields" "$vectors/rogue/groups.tsv"
[ -r "$vectors/rogue/groups.tsv" ] && case_ 'rogue groups' rogue_groups "$vectors/rogue/groups.tsv"
for binary in "$vectors"/rogue/shaders/*.bin; do
    [ -r "$binary" ] && base=${binary%.bin} && case_ "rogue shader ${base##*/}" rogue_shader "$base"
done
:
