#!/bin/sh
# hints.sh WEFT SOURCE - what neighbouring tools call otherwise (hints.inc): each word is unknown here and its hint is given, and
# what the hint says to write assembles. With WEFT_TEST_SHARE=N one word in N is tried, others in each run.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=tests/share.sh
. "$(dirname "$0")/../share.sh"
weft=$(realpath "$1")
cd "$2" || exit 1

# meant KIND ISA: "WORD TAB WRITE TAB WHY" of the lines of a kind; WHY is empty for NULL.
meant() {
    sed -n "s/^$1(\"\\([^\"]*\\)\", *\"\\([^\"]*\\)\", *\"\\{0,1\\}\\([^\"]*\\)\"\\{0,1\\})\$/\\1\\t\\2\\t\\3/p" "src/isa/$2/hints.inc" |
        sed 's/\tNULL$/\t/'
}

# A line as a program of a stage, and of the chip that has doubles: Rogue's results go somewhere, names have a place, Tesla's interpolation is of fragment programs.
program() {
    case $1 in
    rogue)
        echo "name:"
        echo "0 : $2"
        case $2 in *ft0*) echo "mov r0, ft0" ;; esac
        ;;
    *)
        echo "$2"
        case $2 in *name*) echo "name:" ;; esac
        ;;
    esac
}
assembles() {
    program "$1" "$2" >"$scratch/line"
    status 0 "$weft" asm -i "$1" -s fragment -o "$scratch/line.bin" "$scratch/line" ||
        status 0 "$weft" asm -i "$1" -s compute -o "$scratch/line.bin" "$scratch/line" ||
        status 0 "$weft" asm -i "$1" -s geometry -o "$scratch/line.bin" "$scratch/line" ||
        { [ "$1" = tesla ] && status 0 "$weft" asm -i "$1" -m g200 -s compute -o "$scratch/line.bin" "$scratch/line"; }
}
# hinted ISA LINE WRITE WHY
hinted() {
    printf '%s\n' "$2" >"$scratch/line"
    status 1 "$weft" asm -i "$1" -s compute "$scratch/line" &&
        grep -qF -e "write $3${4:+: $4}" "$scratch/err" || { cat "$scratch/err"; return 1; }
}

tab=$(printf '\t')
lines=0
# each KIND ISA: counts what there is.
each() {
    meant "$1" "$2" >"$scratch/meant"
    while IFS=$tab read -r word write why; do
        lines=$((lines + 1))
        of_this_turn || continue
        case $1:$word in
        MEANT_WORD:e | MEANT_WORD:l* | MEANT_WORD:g*) line="$word \$c0 bra 0x8" ;; # elsewhere they are words of Tesla's
        MEANT_WORD:*) line="set \$c0 # $word u32 \$r0 \$r1" ;;
        *) [ "$2" = rogue ] && line="0 : $word" || line=$word ;;
        esac
        hinted "$2" "$line" "$write" "$why" || return 1
        [ "$1" = MEANT_WORD ] || assembles "$2" "$write" || return 1
    done <"$scratch/meant"
}
for isa in tesla valhall rogue vpu; do
    check "$isa: instructions" each MEANT $isa
done
check 'tesla: words' each MEANT_WORD tesla
all_lines() { [ "$lines" -eq "$(cat src/isa/*/hints.inc | grep -c '^MEANT')" ] && [ "$lines" -gt 150 ]; }
check 'no line was left out' all_lines
conditions() {
    for pair in ne:lg neu:lgu eq:e equ:eu lt:l ltu:lu gt:g gtu:gu; do
        echo "(${pair%:*} \$c0) nop" >"$scratch/line"
        status 1 "$weft" asm -i tesla "$scratch/line" && says "write ${pair#*:}(:|\$)" || return 1
        echo "(${pair#*:} \$c0) nop" >"$scratch/line"
        status 0 "$weft" asm -i tesla "$scratch/line" -o "$scratch/line.bin" || return 1
    done
}
check 'tesla: conditions of predicates' conditions
finish
