#!/bin/sh
# coverage.sh WEFT ISA FOLDER... - every instruction of an instruction set that weft executes occurs in a job of the folders.
# Comments do not count. Of Valhall it is those that pass a message or say where control goes.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$1
isa=$2
shift 2

# What weft knows: a mnemonic a line.
known() {
    "$weft" isa "$isa" --json | awk -F'"' -v isa="$isa" '
        $2 == "mnemonic" { name = $4 }
        $2 == "group" { group = $4 }
        $2 == "executes" && /true/ &&
            (isa != "valhall" ||
             group ~ /^(control|varying|attribute|memory|atomic|tile|texture|varying texture)$/) { print name }'
}

# What the jobs use: the mnemonics of their lines, in each language's own syntax.

# An instruction is the first word of a line, or follows its number; _SAT and _PRECISE are modifiers.
used_tgsi() {
    sed -n 's/^ *\([0-9]*: *\)\{0,1\}\([A-Z][A-Z0-9_]*\).*/\2/p' | sed 's/_PRECISE$//; s/_SAT$//'
}

# Before an instruction are its join or exit and a predicate.
used_tesla() {
    sed 's,//.*,,; s/^ *//; s/^\(exit\|join\) //; s/^([^)]*) //; s/[ :].*//'
}

# A label may come before an instruction. Its type, if it has one, is the first word after it; the others are modifiers.
used_valhall() {
    sed 's/^[a-z_]*: *//; s/ .*//; s/^\([^.]*\)\(\.[a-z0-9]*\).*/\1\n\1\2/; s/\.$//'
}

# Before an instruction are the number of its group and what it is predicated by, or in braces its unit. After its name are
# modifiers: each part of the word up to a dot may be the name.
used_rogue() {
    awk '
        function use(word,  part, n, i) {
            n = split(word, part, ".")
            word = part[1]
            print word
            for (i = 2; i <= n; i++)
                print word = word "." part[i]
        }
        {
            sub(/^ *[0-9]* *: */, "")
            sub(/^ *\(ignorepe\) */, "")
            sub(/^ *if *\([^)]*\) */, "")
            gsub(/[;,{}]/, " ")
            use($1)
            for (i = 1; i < NF; i++)
                if ($i ~ /:$/)
                    use($(i + 1))
        }'
}

# Mnemonics alone, in the manual's spelling or in that of the GNU port, which has widths in front of vector operations and some
# names of its own: .m and the like ask for a size, then come conditions (mulhd.eq.ss), which branches have without a dot.
used_vpu() {
    conditions='eq\|ne\|cs\|cc\|mi\|pl\|vs\|vc\|hi\|ls\|ge\|lt\|gt\|le\|f'
    sed "s/;.*//; s/^ *//; s/^[a-z0-9]*: *//; s/ .*//
         s/\.[sml]\$//; s/\.\($conditions\)\(\.\|\$\)/\2/; s/^\(b\|addcmpb\)\($conditions\)\$/\1/" |
        sed 's/^v\(8\|16\|32\)/v/; s/^v\(ld\|st\)[bhl]$/v\1/
             s/^tbb$/switch.b/; s/^tbh$/switch/; s/^rts$/b/; s/^clamp16$/clipsh/
             s/^vlookupm$/vlookupmh/; s/^vindexwritem$/vindexwritemh/; s/^vgetacc.*$/vreadacc/
             s/^vmemread$/vreadlut/; s/^vmemwrite$/vwritelut/'
}

# Fewer than these, and the list was not found.
case $isa in
tgsi) least=200 ;;
tesla) least=60 ;;
valhall) least=70 ;;
rogue) least=120 ;;
vpu) least=200 ;;
esac

known | sort -u >"$scratch/known"
for folder; do cat "$folder"/*.amber; done | sed '/^[#.]/d' | "used_$isa" | sort -u >"$scratch/used"
check "every instruction is in a job ($(wc -l <"$scratch/known") of them)" all_used "$scratch/known" "$scratch/used" "$least"
echo "1..$count"
