# shellcheck shell=sh disable=SC2154 # variables of run
# vpu.sh - reader of the VPU results: words and the text of the GNU port's objdump, compiled programs, measured instructions.
# Read in by run, which says what $vectors, $weft, $tools, $scratch, case_ and exits are.

# Bytes and texts, a line each, of a table: $scratch/bytes and $scratch/text.
vpu_columns() {
    cut -f1 "$1" | tr -d ' ' >"$scratch/bytes"
    cut -f2 "$1" >"$scratch/text"
    [ -s "$scratch/bytes" ]
}

# The bytes print, and the text gives them back.
vpu_bytes() {
    vpu_columns "$1" && "$weft" dis -i vpu -f hex --each "$scratch/bytes" >"$scratch/printed" &&
        "$weft" asm -i vpu -f hex --each "$scratch/printed" >"$scratch/got" && diff "$scratch/bytes" "$scratch/got"
}

# Why the bytes of line `want`, printed as `text`, do not come back from that text; prints what is left unexplained. A shorter
# encoding is fine. Texts of objdump that say less than the bytes:
#   switch      tbb and tbh print alike; it is the manual's switch, a table of halfwords
#   unary       the first source, bits 15:11 of the second halfword, is ignored and not printed
#   compare     the destination, bits 4:0 of the first halfword, is ignored and not printed
#   shared      the register that no operand of 48 bits adds, bits 2:0 of the first halfword, is not printed
#   offset      displacements of 16 bits that 12 hold
#   multiple    sums with several scales, addscale or subscale
#   stack       add sp,0x80 to 0xfc: the field has a sign (docs/fidelity.md, add_sp)
vpu_explain() {
    paste "$scratch/bytes" "$scratch/got" "$scratch/text" | awk -F '\t' '
        function value(digits,    v, i) {
            for (i = 1; i <= length(digits); i++)
                v = v * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
            return v
        }
        function halfword(bytes, n) { return value(substr(bytes, 4 * n + 3, 2) substr(bytes, 4 * n + 1, 2)) }
        function same_rest(a, b, n) { return substr(a, 1, 4 * n) == substr(b, 1, 4 * n) && substr(a, 4 * n + 5) == substr(b, 4 * n + 5) }
        $1 == $2 || length($2) < length($1) && length($2) > 0 { next }
        length($1) != length($2) { if ($3 ~ /^add sp,0x[89a-f][048c]$/) { stack++; next } print; next }
        {
            first = halfword($1, 0); other = halfword($2, 0); split($3, word, /[. ]/)
            unary = word[1] ~ /^(mov|not|neg|msb|brev|abs|clamp16|count|fabs|frcp|frsqrt|fceil|ffloor|flog2|fexp2)$/
            compare = word[1] ~ /^(cmp|cmn|btest|fcmp)$/
        }
        $3 ~ /^switch (r[0-9]|[gsl][pr]|pc)/ && first - other == -32 { next }
        unary && same_rest($1, $2, 1) && halfword($1, 1) % 2048 == halfword($2, 1) % 2048 { next }
        compare && same_rest($1, $2, 0) && int(first / 32) == int(other / 32) { next }
        first >= 61440 && length($1) == 12 && same_rest($1, $2, 0) && int(first / 8) == int(other / 8) { next }
        $3 ~ /\((gp|sp|pc|r0)\+-?[0-9]+\)$/ && int(first / 1024) == 42 && int(other / 512) == 81 { next }
        word[1] ~ /^(add|sub)$/ && $3 !~ /,r[0-9]+$/ && int(first / 2048) == 24 && int(other / 2048) == 24 { next }
        { print }' >"$scratch/unexplained"
    cat "$scratch/unexplained"
    [ ! -s "$scratch/unexplained" ]
}

# The texts are read, and give the bytes or fewer.
vpu_texts() {
    vpu_columns "$1" && "$weft" asm -i vpu -f hex --each "$scratch/text" 2>"$scratch/said" >"$scratch/got" && vpu_explain
}

# Sizes that the text pins.
vpu_pinned() {
    grep -E '	[a-z0-9.]+\.[sml]( |$)' "$1" >"$scratch/pinned"
    vpu_columns "$scratch/pinned" &&
        "$weft" asm -i vpu -f hex --each --no-relax "$scratch/text" >"$scratch/got" &&
        paste "$scratch/bytes" "$scratch/got" | awk 'length($1) != length($2) { print; bad = 1 } END { exit bad }' && vpu_explain
}

# A program, flat or ELF: its text gives the same image, and ELF the same sections and symbols.
vpu_image() {
    "$weft" dis -i vpu -o "$scratch/image" "$1" && "$weft" asm -i vpu -o "$scratch/got" "$scratch/image" || return 1
    case $1 in
    *.elf)
        "$weft" asm -i vpu -f elf -o "$scratch/elf" "$scratch/image" && "$weft" dis -i vpu -o "$scratch/again" "$scratch/elf" &&
            diff "$scratch/image" "$scratch/again" && { [ ! -r "${1%.elf}.bin" ] || cmp "$scratch/got" "${1%.elf}.bin"; }
        ;;
    *) cmp "$scratch/got" "$1" ;;
    esac
}

# Measured instructions: bytes and text in columns 2 and 3.
vpu_measured() {
    grep -v '^#' "$1" | cut -f2,3 >"$scratch/measured"
    vpu_columns "$scratch/measured" && "$weft" dis -i vpu -f hex --each "$scratch/bytes" | diff "$scratch/text" - &&
        "$weft" asm -i vpu -f hex --each "$scratch/text" | diff "$scratch/bytes" -
}

for table in pairs pairs-compiled; do
    [ -r "$vectors/vpu/$table.tsv" ] || continue
    case_ "vpu $table: bytes" vpu_bytes "$vectors/vpu/$table.tsv"
    case_ "vpu $table: texts" vpu_texts "$vectors/vpu/$table.tsv"
done
[ -r "$vectors/vpu/pairs.tsv" ] && case_ 'vpu pairs: sizes' vpu_pinned "$vectors/vpu/pairs.tsv"
[ -r "$vectors/vpu/quirks.tsv" ] && case_ 'vpu quirks: bytes' vpu_bytes "$vectors/vpu/quirks.tsv"
[ -r "$vectors/vpu/hardware.tsv" ] && case_ 'vpu measured instructions: text' vpu_measured "$vectors/vpu/hardware.tsv"
for image in "$vectors"/vpu/c/*.bin "$vectors"/vpu/c/*.elf "$vectors"/vpu/programs/*.bin "$vectors"/vpu/programs/*.elf; do
    [ -r "$image" ] && case_ "vpu image ${image##*/}" vpu_image "$image"
done
# shellcheck source=/dev/null
. "$here/vpu_machine.sh"
