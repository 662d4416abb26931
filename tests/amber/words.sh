#!/bin/sh
# words.sh FOLDER PARSER... - every word of the script language that the parser's sources know occurs in a job of the folder or
# of its folder spirv.
# Comments do not count.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
folder=$1
shift

# Words are in lists, in tables, or where the parser asks for one.
awk '
    /const char \*const [a-z_]+\[/ { list = 1 }
    list || /\{"/ || /(accept|expect|expect_named|next_is)\(ps, "/ {
        line = $0
        while (match(line, /"[A-Za-z][A-Za-z0-9_.-]*"/)) {
            print substr(line, RSTART + 1, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
        }
    }
    /};/ { list = 0 }' "$@" | sort -u >"$scratch/words"
cat "$folder"/*.amber "$folder"/spirv/*.amber | sed '/^#/d' | tr -s '[:blank:]' '[\n*]' | sort -u >"$scratch/used"
check "every word of the script language is in a job ($(wc -l <"$scratch/words") of them)" \
    all_used "$scratch/words" "$scratch/used" 300
echo "1..$count"
