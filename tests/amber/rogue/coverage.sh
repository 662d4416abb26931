#!/bin/sh
# coverage.sh WEFT FOLDER... - every Rogue instruction that weft executes occurs in a job of the folders, as TAP. Comments do not
# count.
set -u
weft=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$weft" isa rogue --json | awk '
    /"mnemonic":/ { name = $0; gsub(/.*"mnemonic": *"|".*/, "", name) }
    /"executes": *true/ { print name }' | sort -u >"$scratch/instructions"
# Before an instruction stand the number of its group and what it is predicated by, or in braces its unit. Behind its name are
# modifiers: each part of the word up to a dot may be the name.
for folder; do cat "$folder"/*.amber; done |
    awk '
        function use(word,  part, n, i) {
            n = split(word, part, ".")
            word = part[1]
            print word
            for (i = 2; i <= n; i++)
                print word = word "." part[i]
        }
        /^[#.]/ { next }
        {
            sub(/^ *[0-9]* *: */, "")
            sub(/^ *\(ignorepe\) */, "")
            sub(/^ *if *\([^)]*\) */, "")
            gsub(/[;,{}]/, " ")
            use($1)
            for (i = 1; i < NF; i++)
                if ($i ~ /:$/)
                    use($(i + 1))
        }' |
    sort -u >"$scratch/used"

missing=$(comm -23 "$scratch/instructions" "$scratch/used" | tr '\n' ' ')
found=$(wc -l <"$scratch/instructions")
if [ -z "$missing" ] && [ "$found" -ge 120 ]; then
    echo "ok 1 - every Rogue instruction is in a job ($found of them)"
else
    echo "not ok 1 - every Rogue instruction is in a job ($found of them): missing: $missing"
fi
echo 1..1
