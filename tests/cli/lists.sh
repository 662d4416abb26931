#!/bin/sh
# lists.sh WEFT - lists of inputs, and journals of what is finished of them.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

good='FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 1.0, 0.5, 0.25, 1.0 }\n  0: MOV OUT[0], IMM[0]\n  1: END\n'
for n in 1 2 3 4 5 6 7 8 9; do
    printf '%b' "$good" >"$n.tgsi"
    echo "$n.tgsi"
done >names
printf 'FRAG\nDCL OUT[0], COLOR\n  0: MOVV OUT[0], TEMP[3]\n  1: END\n' >4.tgsi
printf 'FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\n  0: MOV OUT[0], TEMP[3]\n  1: END\n' >7.tgsi
for n in 1 2 3; do
    printf '#!amber\nBUFFER b DATA_TYPE uint32 SIZE 4 FILL %s\nEXPECT b IDX 0 EQ 1 1 1 1\n' $n >"$n.amber"
    echo "$n.amber"
done >jobs
for n in $(seq 300); do echo "mov b32 \$r$((n % 60)) \$r1"; done >lines.txt
sed -i '7s/mov/mvo/; 250s/mov/movv/' lines.txt

# ---- --list ----
list_is_operands() {
    status 1 "$weft" check "$1" 1.tgsi 2.tgsi 3.tgsi 4.tgsi 5.tgsi 6.tgsi 7.tgsi 8.tgsi 9.tgsi
    mv out out1 && mv err err1
    status 1 "$weft" check "$1" 1.tgsi --list names-but-1
    cmp out out1 && cmp err err1 && [ -s err ]
}
{ echo; tail -n +2 names; echo; } >names-but-1
for form in --form=text --json --form=github --form=sarif --quiet; do
    check "check --list $form" list_is_operands $form
done
piped() { "$weft" check --list - <names 2>err1; [ $? -eq 1 ] && says '.' && cmp err err1; }
check 'check --list: names on standard input' eval 'status 1 "$weft" check --list names; piped'
empty_list() { : >none && status 0 "$weft" check --json --list none && same '[]' out; }
check 'check --list: an empty list' empty_list
jobs() { status 3 "$weft" run --list jobs && says '^2.amber: 1 of 1 expectations failed$' && mv err err1 &&
    status 3 "$weft" run 1.amber 2.amber 3.amber && cmp err err1; }
check 'run --list' jobs
no_list() { status 1 "$weft" check --list nosuch && says "cannot read 'nosuch'"; }
check '--list of a file that is not there' no_list
program_list() { status 2 "$weft" run -i tgsi --list jobs && says 'list is for jobs'; }
check 'run --list: not for programs' program_list

# ---- --resume ----
# resumed NAME EXPECTED COMMAND...: the same with a journal, twice; the second run computes nothing.
resumed() {
    name=$1
    expected=$2
    shift 2
    rm -f j
    status "$expected" "$@" && mv out "$name.out" && mv err "$name.err" || return 1
    status "$expected" "$@" --resume j && cmp out "$name.out" && cmp err "$name.err" && cp j j1 || return 1
    status "$expected" "$@" --resume j && cmp out "$name.out" && says "^weft: 'j' has [0-9]* of [0-9]* items$" &&
        sed 1d err | cmp - "$name.err" && cmp j j1
}
check 'check --resume' resumed check 1 "$weft" check --list names
check 'check --resume --json' resumed json 1 "$weft" check --list names --json
check 'run --resume' resumed run 3 "$weft" run --list jobs
check 'run --resume --json' resumed runjson 3 "$weft" run --list jobs --json
check 'asm --resume' resumed asm 1 "$weft" asm -i tesla -f hex --each lines.txt
grep -v '^#' asm.out >lines.hex
check 'dis --resume' resumed dis 0 "$weft" dis -i tesla -f hex --each lines.hex
# A journal that was cut anywhere: what is whole is used, and the rest is done again.
cut_anywhere() {
    rm -f j
    status 1 "$weft" check --list names --resume j && cp j whole && size=$(wc -c <whole) || return 1
    for keep in 0 1 7 8 9 20 $((size / 4)) $((size / 2)) $((size * 2 / 3)) $((size - 70)) $((size - 9)) $((size - 1)); do
        head -c "$keep" whole >j
        status 1 "$weft" check --list names --resume j || return 1
        grep -v "^weft: 'j' has" err | cmp - check.err || { echo "cut at $keep"; return 1; }
        # It has all items now.
        status 1 "$weft" check --list names --resume j && says "^weft: 'j' has 9 of 9 items$" || return 1
    done
}
check 'a journal that was cut' cut_anywhere
garbled() {
    size=$(wc -c <whole)
    cp whole j
    printf 'X' | dd of=j bs=1 seek=$((size - 30)) conv=notrunc status=none
    ! cmp -s j whole && status 1 "$weft" check --list names --resume j && says "has [1-8] of 9" &&
        grep -v "^weft: 'j' has" err | cmp - check.err
}
check 'a record with a wrong byte' garbled
refused() {
    pattern=$1
    shift
    cp whole j
    status 2 "$weft" "$@" --resume j && says "$pattern" && cmp j whole
}
# What changes neither results nor messages may be another.
other_ways() {
    cp whole j
    for options in '--threads 3' '--engine interp' '--cpu baseline'; do
        rm -f k
        # shellcheck disable=SC2086 # words
        status 3 "$weft" run --list jobs --resume k && status 3 "$weft" run --list jobs --resume k $options &&
            says "has 3 of 3 items" || return 1
    done
}
check 'another way to the same results' other_ways
held() {
    cp whole j
    flock j "$weft" check --list names --resume j >out 2>err
    [ $? -eq 1 ] && says "another run is writing 'j'" && cmp j whole
}
command -v flock >/dev/null && check 'a journal that another run writes' held
check 'another command' refused "its command: 'check', not 'run'" run --list jobs
check 'other options' refused "its options: '', not '--quiet'" check --list names -q
check 'a shorter list' refused 'it has 9 items, not 8' check --list names-but-1
{ sed 2d names; echo 2.tgsi; } >other
check 'another order' refused "item 2, '3.tgsi', is another or has changed" check --list other
changed() { echo >>3.tgsi && refused "item 3, '3.tgsi', is another or has changed" check --list names; }
check 'a file that changed' changed
other_line() {
    rm -f j
    status 1 "$weft" asm -i tesla -f hex --each lines.txt --resume j &&
        sed '12s/r1/r2/' lines.txt >lines2.txt &&
        status 2 "$weft" asm -i tesla -f hex --each lines2.txt --resume j && says 'line 12 is another'
}
check 'another line' other_line
foreign() { cp names j && status 2 "$weft" check --list names --resume j && says "'j' is not a journal" && cmp names j; }
check 'a file that is not a journal is left alone' foreign
not_standard() { status 2 "$weft" check -i tgsi --resume j && says 'standard input'; }
check '--resume and standard input' not_standard
not_each() { status 2 "$weft" asm 1.tgsi -f hex --resume j && says 'lines of --each'; }
check 'asm --resume without --each' not_each
not_dump() { status 2 "$weft" run 1.amber --dump b=b.raw --resume j && says 'does not go with'; }
check 'run --resume and --dump' not_dump
no_folder() { status 1 "$weft" check --list names --resume no/j && says "cannot open 'no/j'"; }
check 'a journal that cannot be' no_folder

# ---- progress: an item comes from a pipe that is slow ----
mkfifo slow.tgsi
# timed COMMAND...: with an item that takes longer than two seconds.
timed() {
    { sleep 3.4; printf '%b' "$good"; } >slow.tgsi &
    "$@"
}
quiet() { timed status 0 "$weft" check 1.tgsi slow.tgsi 2.tgsi && same '3 programs checked: 0 errors, 0 warnings' err; }
check 'not a terminal: nothing within a minute' quiet
shown() {
    timed env TERM=xterm script -qec "$weft check 1.tgsi slow.tgsi 2.tgsi" typescript </dev/null >out 2>err
    tr '\r\033' '\n\n' <typescript | grep -qE '^weft: [12] of 3, [0-9.]+/s, [0-9]+ s left$' &&
        grep -q '3 programs checked: 0 errors, 0 warnings' typescript || { cat -v typescript; return 1; }
}
command -v script >/dev/null && check 'on a terminal: how far it is' shown
finish
