#!/bin/sh
# coverage.sh WEFT FOLDER PARSER... - every TGSI opcode that weft knows and every word of the script language that the
# parser's sources know occurs in a job of the folder, as TAP. Comments do not count.
set -u
weft=$1
folder=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat "$folder"/*.amber | sed '/^#/d' >"$scratch/jobs"

# An instruction is the first word of a line, or follows its number; _SAT and _PRECISE are modifiers.
"$weft" isa tgsi --json | sed -n 's/^ *"mnemonic": *"\([A-Z0-9_]*\)".*/\1/p' | sort -u >"$scratch/opcodes"
sed -n 's/^ *\([0-9]*: *\)\{0,1\}\([A-Z][A-Z0-9_]*\).*/\2/p' "$scratch/jobs" |
    sed 's/_PRECISE$//; s/_SAT$//' | sort -u >"$scratch/instructions"

# Words stand in lists, in tables, or where the parser asks for one.
cat "$@" | awk '
    /const char \*const [a-z_]+\[/ { list = 1 }
    list || /\{"/ || /(accept|expect|expect_named|next_is)\(ps, "/ {
        line = $0
        while (match(line, /"[A-Za-z][A-Za-z0-9_.-]*"/)) {
            print substr(line, RSTART + 1, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
        }
    }
    /};/ { list = 0 }' | sort -u >"$scratch/words"
tr -s '[:blank:]' '[\n*]' <"$scratch/jobs" | sort -u >"$scratch/used"

count=0
# all NAME LIST USED LEAST: every line of LIST is one of USED, and the list has been found.
all() {
    count=$((count + 1))
    missing=$(comm -23 "$2" "$3" | tr '\n' ' ')
    found=$(wc -l <"$2")
    if [ -z "$missing" ] && [ "$found" -ge "$4" ]; then
        echo "ok $count - $1 ($found of them)"
    else
        echo "not ok $count - $1 ($found of them): missing: $missing"
    fi
}
all 'every TGSI opcode is in a job' "$scratch/opcodes" "$scratch/instructions" 200
all 'every word of the script language is in a job' "$scratch/words" "$scratch/used" 300
echo "1..$count"
