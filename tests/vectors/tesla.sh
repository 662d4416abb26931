# shellcheck shell=sh disable=SC2154 # variables of run
# tesla.sh - reader of the Tesla results: words and their text, and compiled shaders.
# Read in by run, which says what $vectors, $weft, $tools, $scratch, case_ and exits are.

# The program types of a row are named as envydis names them.
tesla_stage() {
    case $1 in
    vp) echo '-s vertex' ;;
    gp) echo '-s geometry' ;;
    fp) echo '-s fragment' ;;
    cp) echo '-s compute' ;;
    esac
}

# The rows of a file for each program type and chip, in $scratch/rows/TYPE.CHIP: bytes and text.
tesla_rows() {
    rm -rf "$scratch/rows"
    mkdir "$scratch/rows"
    awk -F'\t' -v folder="$scratch/rows/" '!/^#/ {
        types = split($3, type, ",")
        chips = split($4, chip, ",")
        for (t = 1; t <= types; t++)
            for (c = 1; c <= chips; c++) print $1 "\t" $2 >(folder type[t] "." chip[c])
    }' "$1"
}

# text_to_bytes ROWS OPTIONS...: the text assembles to these bytes.
text_to_bytes() {
    rows=$1
    shift
    cut -f2 "$rows" | "$weft" asm -i tesla "$@" -f hex --each >"$scratch/got" && cut -f1 "$rows" | diff - "$scratch/got"
}

# bytes_to_text ROWS OPTIONS...: the bytes print and assemble to the same bytes. Unknown words are data.
bytes_to_text() {
    rows=$1
    shift
    cut -f1 "$rows" | "$weft" dis -i tesla "$@" -f hex --each >"$scratch/text"
    [ $? -le 1 ] || return 1
    "$weft" asm -i tesla "$@" -f hex --each "$scratch/text" >"$scratch/got" && cut -f1 "$rows" | diff - "$scratch/got"
}

# known_text ROWS OPTIONS...: the text is that of the row, apart from the words that tell it from another encoding.
known_text() {
    rows=$1
    shift
    cut -f1 "$rows" | "$weft" dis -i tesla "$@" -f hex --each | sed 's/^long //; s/ wide$//; s/ ignored 0x[0-9a-f]*$//' >"$scratch/text"
    cut -f2 "$rows" | diff - "$scratch/text"
}

tesla_pairs() {
    tesla_rows "$1"
    for type in any vp gp fp cp; do
        for chip in g80 g84 mcp77 g200 gt215; do
            rows=$scratch/rows/$type.$chip
            [ -s "$rows" ] || continue
            name=${1##*/}
            rows_are="tesla ${name%.tsv} $type $chip"
            # shellcheck disable=SC2046 # -s STAGE, or nothing
            set -- "$1" -m "$chip" $(tesla_stage "$type")
            file=$1
            shift
            case $file in */pairs.tsv) case_ "$rows_are: text to bytes" text_to_bytes "$rows" "$@" ;; esac
            case_ "$rows_are: bytes to text and back" bytes_to_text "$rows" "$@"
            case_ "$rows_are: text" known_text "$rows" "$@"
            set -- "$file"
        done
    done
}

# shader NAME: the listing assembles to the binary; its text is what dis prints, and that assembles to the binary too.
tesla_shader() {
    # shellcheck disable=SC2046 # -s STAGE
    set -- "$1" $(tesla_stage "$(sed -n 's/^# stage //p' "$1.txt")")
    base=$1
    shift
    "$weft" asm -i tesla -m g80 "$@" -o "$scratch/got" "$base.txt" && cmp "$scratch/got" "$base.bin" || return 1
    "$weft" dis -i tesla -m g80 "$@" "$base.bin" >"$scratch/text" || return 1
    "$weft" asm -i tesla -m g80 "$@" -o "$scratch/got" "$scratch/text" && cmp "$scratch/got" "$base.bin" || return 1
    sed 's/^long //; s/ wide$//; s/ ignored 0x[0-9a-f]*$//' "$scratch/text" >"$scratch/plain"
    grep -v '^#' "$base.txt" | sed 's/^\([0-9a-f][0-9a-f] \)* *//' | diff - "$scratch/plain"
}

tesla_shaders() {
    for listing in "$1"/*.txt; do
        base=${listing%.txt}
        [ -e "$listing" ] && case_ "tesla shader ${base##*/}" tesla_shader "$base"
    done
}

for file in "$folder"pairs.tsv "$folder"dis-only.tsv; do
    [ -r "$file" ] && tesla_pairs "$file"
done
tesla_shaders "$folder"shaders
tesla_shaders "$vectors"/tgsi/corpus/tesla
# The pictures of compiled shaders are those of the TGSI that they were compiled from.
[ -d "$vectors"/tgsi/pictures ] && pictures tesla "$vectors"/tgsi/pictures "$folder"shaders/exec-shader_*.bin
[ -d "$vectors"/tgsi/corpus ] && corpus tesla "$vectors"/tgsi/corpus
:
