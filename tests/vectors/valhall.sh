# shellcheck shell=sh disable=SC2154 # variables of run
# valhall.sh - reader of the Valhall results: words and their text, lines that are refused, and compiled shaders.
# Read in by run, which says what $vectors, $weft, $tools, $scratch, case_ and exits are.

# Bytes and text, a line each, from a listing or a table: $scratch/bytes and $scratch/text.
valhall_lines() {
    sed -n 's/^\(\([0-9a-f][0-9a-f] \)\{7\}[0-9a-f][0-9a-f]\)[[:blank:]]*\(.*[^[:blank:]]\)[[:blank:]]*$/\1\t\3/p' "$1" |
        sed 's/  */ /g' >"$scratch/lines"
    cut -f1 "$scratch/lines" | tr -d ' ' >"$scratch/bytes"
    cut -f2 "$scratch/lines" >"$scratch/text"
    [ -s "$scratch/lines" ]
}

# The text assembles to the bytes, and the bytes print as the text.
valhall_pairs() {
    valhall_lines "$1" || return 1
    "$weft" asm -i valhall -f hex --each "$scratch/text" >"$scratch/got" && diff "$scratch/bytes" "$scratch/got" || return 1
    "$weft" dis -i valhall -f hex --each "$scratch/bytes" >"$scratch/got" && diff "$scratch/text" "$scratch/got"
}

# A shader: its listing as above, which is how the binary begins (zeros fill it up); the whole binary comes back; it
# breaks no rule, and does without its waits.
valhall_shader() {
    valhall_pairs "$1.txt" || return 1
    "$weft" dis -i valhall "$1.bin" >"$scratch/whole" || return 1
    head -n "$(wc -l <"$scratch/text")" "$scratch/whole" | diff "$scratch/text" - || return 1
    "$weft" asm -i valhall -o "$scratch/got" "$scratch/whole" && cmp "$scratch/got" "$1.bin" || return 1
    "$weft" check -i valhall "$1.bin" >"$scratch/got" 2>&1 && [ ! -s "$scratch/got" ] || { cat "$scratch/got"; return 1; }
    sed 's/\.wait[0-9]*//' "$scratch/whole" >"$scratch/unwaited"
    exits 1 "$weft" check -i valhall "$scratch/unwaited" >"$scratch/got" 2>&1 && grep -q 'has not been waited for' "$scratch/got"
}

# refused LINE RULE: the assembler refuses it, with a message that has to do with the rule.
valhall_refused() {
    printf '%s\n' "$1" | exits 1 "$weft" asm -i valhall -f hex >/dev/null 2>"$scratch/said" && grep -Eq "$2" "$scratch/said"
}

# Comments give the rule of the lines below them.
valhall_negatives() {
    rule=.
    while IFS= read -r line; do
        case $line in
        '') ;;
        '#'*'64-bit uniform slot'*) rule='single 64-bit uniform slot' ;;
        '#'*'64-bits of combined'*) rule='64 bits of uniforms and constants' ;;
        '#'*'single special'*) rule='single special' ;;
        '#'*'must be aligned'*) rule='aligned to a register pair' ;;
        '#'*) ;;
        *) case_ "valhall refused: $line" valhall_refused "$line" "$rule" ;;
        esac
    done <"$1"
}

# Every instruction of the description has a row.
valhall_names() {
    "$weft" isa valhall | awk 'NR > 1 { print $1 }' | LC_ALL=C sort >"$scratch/rows"
    grep -o '<ins name="[^"]*"' "$1" | cut -d'"' -f2 | LC_ALL=C sort -u | LC_ALL=C comm -23 - "$scratch/rows" >"$scratch/missing"
    cat "$scratch/missing"
    [ ! -s "$scratch/missing" ]
}

# Nothing reads what a message has not brought yet.
valhall_strict() { # CORPUS
    "$here/corpus_jobs" "$1" "$scratch/strict" valhall || return 1
    fine=0
    for job in "$scratch"/strict/*.amber; do
        "$weft" run --strict "$job" || { echo "$job"; fine=1; }
    done
    return $fine
}

[ -r "$vectors/../isa/valhall/seed.xml" ] && case_ 'valhall: every instruction' valhall_names "$vectors/../isa/valhall/seed.xml"
[ -r "$vectors/valhall/pairs.tsv" ] && case_ 'valhall pairs' valhall_pairs "$vectors/valhall/pairs.tsv"
[ -r "$vectors/valhall/negative.txt" ] && valhall_negatives "$vectors/valhall/negative.txt"
for listing in "$vectors"/valhall/shaders/*.txt "$vectors"/tgsi/corpus/valhall/*.txt; do
    base=${listing%.txt}
    [ -r "$listing" ] && case_ "valhall shader ${base##*/}" valhall_shader "$base"
done
if [ -d "$vectors/tgsi/pictures" ]; then
    pictures valhall "$vectors/tgsi/pictures" "$vectors"/valhall/shaders/exec-shader_*.bin
    corpus valhall "$vectors/tgsi/corpus"
    case_ 'valhall corpus: strict' valhall_strict "$vectors/tgsi/corpus"
fi
