#!/bin/sh
# fidelity.sh WEFT SOURCE - docs/fidelity.md and the rows of the instruction sets name the same differences: each row with a
# difference has its entry, each entry that lists instructions is that of exactly these rows, and all entries have one form.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$1
page=$2/docs/fidelity.md

# The entries of a page as lines "entry<TAB>instructions<TAB>document<TAB>weft<TAB>source" of set $2: the tables whose first column
# is called `entry`, below the headings that begin with the set's name ("## VPU: meaning" is VPU's too).
entries() {
    awk -v name="$2" '
        /^## / { on = tolower($2) ~ "^" name ":?$"; table = 0 }
        !/^\|/ { table = 0 }
        on && /^\| entry \|/ { table = 1; next }
        table && !/^\| ---/ {
            line = $0
            gsub(/\\\|/, "\001", line)
            n = split(line, cell, "|")
            if (n != 7) print "columns: " $0 > "/dev/stderr"
            for (i = 2; i <= 6; i++) { gsub(/^ +| +$/, "", cell[i]); gsub("\001", "|", cell[i]) }
            gsub("`", "", cell[2]); gsub("`", "", cell[3]); gsub(/, */, " ", cell[3])
            print cell[2] "\t" cell[3] "\t" cell[4] "\t" cell[5] "\t" cell[6]
        }' "$1"
}

# The rows of a set that name an entry, as "entry<TAB>mnemonic", and all mnemonics.
named_rows() { "$weft" isa "$1" --json | sed -n 's/^ *"mnemonic": "\(.*\)",\{0,1\}$/m \1/p; s/^ *"difference": "\(.*\)",\{0,1\}$/d \1/p' |
    awk '$1 == "m" { sub(/^m /, ""); m = $0 } $1 == "d" { print $2 "\t" m }' | sort -u; }
mnemonics() { "$weft" isa "$1" --json | sed -n 's/^ *"mnemonic": "\(.*\)",\{0,1\}$/\1/p' | sort -u; }

# What the entries of a page say the rows should name: patterns become the mnemonics that they match.
expected_rows() {
    mnemonics "$2" >"$scratch/mnemonics"
    entries "$1" "$2" | cut -f1,2 | awk -F'\t' -v list="$scratch/mnemonics" '
        BEGIN { while ((getline line < list) > 0) all[++n] = line }
        {
            count = split($2, pattern, " ")
            for (p = 1; p <= count; p++) {
                re = pattern[p]
                gsub(/[.^$+?()\[\]{}|\\]/, "\\\\&", re)
                gsub(/\*/, ".*", re)
                hit = 0
                for (i = 1; i <= n; i++)
                    if (all[i] ~ "^" re "$") { print $1 "\t" all[i]; hit = 1 }
                if (!hit) print $1 "\t" pattern[p] ": no such instruction"
            }
        }' | sort -u
}

same_rows() {
    expected_rows "$1" "$2" >"$scratch/expected"
    named_rows "$2" >"$scratch/named"
    diff "$scratch/expected" "$scratch/named" || { echo "(<: the page, >: the rows)"; return 1; }
}
# Every entry has a name of its own, the document's words with their chapter, what weft does, and a source.
well_formed() {
    entries "$1" "$2" >"$scratch/entries" 2>"$scratch/odd"
    [ ! -s "$scratch/odd" ] || { cat "$scratch/odd"; return 1; }
    awk -F'\t' '
        $1 !~ /^[a-z0-9_]+$/ { print "the name of an entry has lower-case letters, digits and _: " $0; bad = 1 }
        $3 == "" || $4 == "" || $5 == "" { print "an empty column: " $0; bad = 1 }
        seen[$1]++ { print "twice: " $1; bad = 1 }
        END { exit bad }' "$scratch/entries"
}

for isa in $("$weft" isa | awk 'NR > 1 { print $1 }'); do
    check "$isa: form of the entries" well_formed "$page" "$isa"
    check "$isa: entries and rows" same_rows "$page" "$isa"
done

# The comparison itself: a page that lacks an entry, and one with an entry that no row names, are found.
lacks() { sed '/^| `nrm` /d' "$page" >"$scratch/page" && ! same_rows "$scratch/page" tgsi; }
adds() { sed '/^| `nrm` /s/`NRM`/`MAD`, `NRM`/' "$page" >"$scratch/page" && ! same_rows "$scratch/page" tgsi; }
empty() { sed '/^| `nrm` /s/|[^|]*|$/| |/' "$page" >"$scratch/page" && ! well_formed "$scratch/page" tgsi; }
check 'a row without its entry is found' lacks
check 'an entry without its row is found' adds
check 'an entry without a source is found' empty
finish
