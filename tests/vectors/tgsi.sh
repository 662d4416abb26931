# shellcheck shell=sh disable=SC2154 # variables of run
# tgsi.sh - reader of the TGSI results: pictures of other implementations, and programs for the token round trip.
# Read in by run, which says what $vectors, $weft, $tools, $scratch, case_ and exits are.

# Text to tokens and back: the second tokens are the first, and so is the second text.
token_round_trip() {
    "$weft" asm "$1" -o "$scratch/1.bin" &&
        "$weft" dis -i tgsi "$scratch/1.bin" -o "$scratch/1.tgsi" &&
        "$weft" asm "$scratch/1.tgsi" -o "$scratch/2.bin" &&
        "$weft" dis -i tgsi "$scratch/2.bin" -o "$scratch/2.tgsi" &&
        cmp "$scratch/1.bin" "$scratch/2.bin" &&
        cmp "$scratch/1.tgsi" "$scratch/2.tgsi"
}

# A program that the list says is refused must be, and no other.
refused() {
    exits 1 "$weft" asm "$1" -o "$scratch/1.bin"
}

tgsi_programs() {
    printf '%s\n' "$1"/*/*.tgsi | awk -F '\t' -v folder="$1/" 'NR == FNR { expected[$1] = $2; next }
        { name = substr($0, length(folder) + 1); print name "\t" expected[name] }' tests/tgsi/programs.tsv - >"$scratch/programs"
    tab=$(printf '\t')
    while IFS=$tab read -r name expected; do
        case $expected in
        reads) case_ "tgsi program $name" token_round_trip "$1/$name" ;;
        '') case_ "tgsi program $name (not in tests/tgsi/programs.tsv)" false ;;
        *) case_ "tgsi program $name (refused)" refused "$1/$name" ;;
        esac
    done <"$scratch/programs"
}

[ -d "$vectors/tgsi/pictures" ] && pictures tgsi "$vectors/tgsi/pictures" "$vectors"/tgsi/pictures/shader_*.tgsi
[ -d "$vectors/tgsi/corpus" ] && corpus tgsi "$vectors/tgsi/corpus"
# Without glslang there is nothing to draw them with.
[ -d "$vectors/tgsi/corpus/glsl" ] && "$weft" --version | grep -q '^shader compilers: .*glslang' &&
    corpus_sources "$vectors/tgsi/corpus"
# The programs lie beside the vectors, with the documents of the instruction sets.
[ -d "$vectors/../isa/tgsi/programs" ] && tgsi_programs "$vectors/../isa/tgsi/programs"
:
