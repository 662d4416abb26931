# shellcheck shell=sh disable=SC2154 # variables of run
# amber.sh - reader of AmberScript jobs: google/amber's own, and those with TGSI shaders and reference values.
# Read in by run, which says what $vectors, $weft, $tools, $scratch, case_ and exits are.

# job SCRIPT BUFFER RULE... -- REFERENCE: run it and compare what the buffer holds.
job() {
    script=$1
    buffer=$2
    shift 2
    rules=
    while [ "$1" != -- ]; do
        rules="$rules $1"
        shift
    done
    timeout 120 "$weft" run "$script" --files-from / --dump "$buffer=$scratch/got.raw" || return 1
    # shellcheck disable=SC2086 # a list of words
    "$tools/compare_raw" $rules "$scratch/got.raw" "$2"
}

# channels FORMAT: how many values a pixel has: R8G8B8A8_UNORM 4, D32_SFLOAT and uint32 1.
channels() {
    case $1 in
    R*) printf %s "${1%%_*}" | tr -d 0-9 | wc -c ;;
    *) echo 1 ;;
    esac
}

# tolerance.tsv: job, buffer, format, tolerance in the words of the README.
tgsi_jobs() {
    folder=$1
    tab=$(printf '\t')
    while IFS=$tab read -r name buffer format tolerance; do
        reference=$folder/$name.$buffer.expect.raw.gz
        case $buffer in fb | out) reference=$folder/$name.expect.raw.gz ;; esac
        set --
        case $tolerance in *' x max(1,abs(v))') set -- --relative ;; esac
        [ -e "$folder/$name.ignore" ] && set -- "$@" --ignore "$folder/$name.ignore" 64 "$(channels "$format")"
        limit=${tolerance%% *}
        case $tolerance in exact*) limit=0 ;; esac
        case $format in
        R8G8B8A8_UNORM) set -- "$@" u8 "$limit" ;;
        uint32) set -- "$@" u32 "$limit" ;;
        *) set -- "$@" f32 "$limit" ;;
        esac
        case_ "tgsi job $name ($buffer)" job "$folder/$name.amber" "$buffer" "$@" -- "$reference"
    done <"$folder/tolerance.tsv"
}

# They do what cases.tsv says: pass, fail an expectation, or are refused.
passes() {
    timeout 120 "$weft" run "$1" --files-from /
}
fails() {
    exits 3 timeout 120 "$weft" run "$1" --files-from / || exits 1 timeout 120 "$weft" run "$1" --files-from /
}
refused() {
    exits 1 timeout 120 "$weft" run "$1" --files-from /
}

# How it parses is what tests/script/cases.tsv lists.
parses_as_listed() {
    found=$("$build/tests/script/parse_amber" "$1" | cut -f2)
    wanted=$(grep "^$(basename "$1")	" "$here/../script/cases.tsv" | cut -f2)
    [ "$found" = "$wanted" ] || { echo "wanted: $wanted, found: $found"; return 1; }
}

amber_cases() {
    printf '%s\n' "$1"/*.amber | awk -F '\t' 'NR == FNR { does[$1] = $3; next }
        { name = $0; sub(/.*\//, "", name); print $0 "\t" does[name] }' "$here/../script/cases.tsv" - >"$scratch/cases"
    tab=$(printf '\t')
    while IFS=$tab read -r script does; do
        name=${script##*/} name=${name%.amber}
        case_ "amber case $name parses" parses_as_listed "$script"
        case $does in
        pass) case_ "amber case $name" passes "$script" ;;
        fail) case_ "amber case $name fails" fails "$script" ;;
        *) case_ "amber case $name (refused)" refused "$script" ;;
        esac
    done <"$scratch/cases"
}

[ -d "$vectors/amber/cases" ] && amber_cases "$vectors/amber/cases"
[ -d "$vectors/tgsi/amber" ] && tgsi_jobs "$vectors/tgsi/amber"
:
