#!/bin/sh
# codes.sh WEFT SOURCE PAGE [SHARE] - the codes of diagnostics: each is in the list, is used, is explained and occurs in a test.
# PAGE is the program that writes docs/diagnostics.md. Of SHARE codes one is explained, others in each run. With
# WEFT_TEST_SHARE=N one in N of those, and of the cases, whose codes and messages are looked at.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=tests/share.sh
. "$(dirname "$0")/../share.sh"
weft=$(realpath "$1")
page=$(realpath "$3")
cd "$2" || exit 1

"$page" >"$scratch/page.md"
check 'docs/diagnostics.md is what tools/codes writes' diff -u docs/diagnostics.md "$scratch/page.md"
sed -n 's/^| `\([a-z0-9-]*\)` |.*/\1/p' "$scratch/page.md" >"$scratch/listed"
check 'the list is sorted, and no code is there twice' sort -cu "$scratch/listed"

find src -name '*.[ch]' -exec awk -f tests/cli/code_sites.awk {} + | sort -u >"$scratch/given"
check 'each code that a call gives is in the list' all_used "$scratch/given" "$scratch/listed" 200
find src -name '*.[ch]' -exec cat {} + -o -name '*.inc' ! -name codes.inc -exec cat {} + |
    grep -oE '"[a-z][a-z0-9-]*"' | tr -d '"' | sort -u >"$scratch/words"
check 'each code of the list is used' all_used "$scratch/listed" "$scratch/words" 200

# A code occurs in a test as a word in quotes, or after the word error or warning as some tests of messages have it. A
# code of one word may be another word: it counts where a test compares a code, and in a row after another text.
# code_cases.tsv and code_messages.tsv give one input for each of many codes. codes_untested.txt has those that no test
# names, and why.
find tests -name '*.[ch]' -exec cat {} + -o -name '*.inc' -exec cat {} + -o -name '*.sh' -exec cat {} + >"$scratch/tests"
words='code, "[a-z]+"|[^{(]"[^"]*", "[a-z]+"[,}]'
{
    grep -oE '"[a-z0-9]+(-[a-z0-9]+)+"|\b[a-z0-9]+(-[a-z0-9]+)+\b' "$scratch/tests"
    grep -oE '(error|warning|note) [a-z][a-z0-9-]*:|(title|code)=[a-z0-9-]+|\[[a-z-]+\\?\]' "$scratch/tests"
    grep -oE "$words" "$scratch/tests" | sed 's/.*, "//; s/".*//'
    grep -oE '\{"([^"\]|\\.)*\\n([^"\]|\\.)*", "[a-z]+"[,}]' "$scratch/tests" | sed 's/.*, "//; s/".*//'
} | sed -E 's/^(error|warning|note) //; s/^(title|code)=//; s/[]":\[]//g; s/\\$//' >"$scratch/tested"
grep -hv '^#' tests/cli/code_cases.tsv tests/cli/code_messages.tsv | cut -f1 >>"$scratch/tested"
sort -u -o "$scratch/tested" "$scratch/tested"
comm -23 "$scratch/listed" "$scratch/tested" >"$scratch/untested"
same_codes() { cut -f1 tests/cli/codes_untested.txt | diff - "$scratch/untested"; }
reasoned() { ! grep -nvE '^[a-z-]+	.{20,}' tests/cli/codes_untested.txt; }
check 'codes_untested.txt says why of each code' reasoned
check 'each code occurs in a test or in codes_untested.txt, and not in both' \
    same_codes

# ---- code_cases.tsv: the code, the options of check, the text (printf's escapes) ----
tab=$(printf '\t')
while IFS="$tab" read -r code options text; do
    case $code in '#'* | '') continue ;; esac
    of_this_turn || continue
    printf '%b' "$text" >"$scratch/input"
    # shellcheck disable=SC2086 # options are words
    "$weft" check --json $options "$scratch/input" >"$scratch/out" 2>"$scratch/err" </dev/null
    check "$code" grep -q "\"code\": \"$code\"" "$scratch/out"
done <tests/cli/code_cases.tsv

# ---- code_messages.tsv: the code, the command, the message, the text of the file `input` ----

# The message of the first diagnostic of a code in JSON that weft wrote.
message_of() {
    awk -v code="\"code\": \"$1\"" 'index($0, code) { on = 1 } on && /"message":/ { sub(/^ *"message": "/, ""); sub(/",?$/, ""); print; exit }' "$2"
}
says_so() { [ "$1" = "$2" ] || { echo "said:     $1"; echo "expected: $2"; cat "$scratch/err"; return 1; }; }
mkdir -p "$scratch/case"
ln -s "$(pwd)/examples" "$scratch/case/examples"
ln -s input "$scratch/case/input.obj" # known by its name
while IFS="$tab" read -r code command message text; do
    case $code in '#'* | '') continue ;; esac
    of_this_turn || continue
    printf '%b' "$text" >"$scratch/case/input"
    # shellcheck disable=SC2086 # the command is words
    (cd "$scratch/case" && timeout 60 "$weft" $command >"$scratch/out" 2>"$scratch/err" </dev/null)
    case $command in
    *--json*) check "$code: its message" says_so "$(message_of "$code" "$scratch/out")" "$message" ;;
    *) check "$code: its message" grep -qF -e "error: $message" -e "warning: $message" "$scratch/err" ;;
    esac
done <tests/cli/code_messages.tsv

# ---- weft explain ----
awk -v share=$((share * ${4:-1})) -v turn="$turn" '(NR + turn) % share == 0' "$scratch/listed" >"$scratch/chosen"
all_explained() {
    while read -r code; do
        status 0 "$weft" explain "$code" && [ "$(sed -n 1p "$scratch/out")" = "$code" ] && prints '^  [A-Za-z-].*[.]$' || return 1
    done <"$scratch/chosen"
}
check 'explain knows each code' all_explained
as_json() { status 0 "$weft" explain --json bad-copy && prints '"code": "bad-copy"' && prints '"explanation": "COPY'; }
check 'explain CODE --json' as_json
near() { status 1 "$weft" explain bad-cpy && says "did you mean 'bad-copy'"; }
check 'a code that is nearly one' near
with_isa() { status 1 "$weft" explain -i tesla bad-copy && says 'error'; }
check 'with -i it is assembly' with_isa
finish
