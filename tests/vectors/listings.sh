# shellcheck shell=sh disable=SC2154 # variables of run
# listings.sh - programs of the results, listed from nothing but weft/insn.h: as weft dis lists them, and with the same
# targets of branches. A group of Rogue has its number before it in a listing of weft dis. Read in by run.

# listing_agrees ISA FILE: the same listing, and as many targets as there are labels.
listing_agrees() {
    stage=-
    [ "$1" != tesla ] || stage=$(listing_stage "${2%.bin}.txt")
    set -- "$1" "$stage" "$2"
    stage=
    [ "$2" = - ] || stage="-s $2"
    # shellcheck disable=SC2086 # two words
    "$weft" dis -i "$1" $stage --linear --addr "$3" 2>/dev/null |
        sed -n 's/^\([0-9a-f]\{8\}: \)\([0-9]\{4\}: \)\{0,1\}/\1/p' >"$scratch/listed"
    "$tools/listing" "$1" - "$2" "$3" >"$scratch/got" || return 1
    # Bytes at the end that are less than an instruction are data.
    head -n "$(wc -l <"$scratch/got")" "$scratch/listed" | diff - "$scratch/got" || return 1
    tail -n "+$(($(wc -l <"$scratch/got") + 1))" "$scratch/listed" | grep -v ': \.[a-z]* ' && return 1
    # shellcheck disable=SC2086
    "$weft" dis -i "$1" $stage --linear --labels "$3" 2>/dev/null | grep -cE '^[A-Za-z_.$][^ ]*:$' >"$scratch/labels"
    "$tools/listing" -t "$1" - "$2" "$3" | sort -u | wc -l >"$scratch/targets"
    diff "$scratch/labels" "$scratch/targets"
}

# The stage that a listing of a Tesla shader begins with.
listing_stage() {
    case $(sed -n '1s/^# stage //p' "$1") in
    vp) echo vertex ;;
    gp) echo geometry ;;
    fp) echo fragment ;;
    cp) echo compute ;;
    *) echo - ;;
    esac
}

# listings ISA: all of its programs.
listings() {
    for file in "$folder"/*/*.bin; do
        [ -r "$file" ] || continue
        case_ "listing of ${file##*/}" listing_agrees "$1" "$file"
    done
}
