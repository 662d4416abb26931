#!/bin/sh
# records.sh SOURCE - tests/tap and tests/count.awk: what programs that go wrong are counted as; tests/amber/run.sh: jobs
# that go wrong.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
source=$1

# totals LINES STATUS: the records so far are counted as LINES (the last ones), with this exit status; then they go.
totals() {
    awk -f "$source/tests/count.awk" "$scratch"/records/* >"$scratch/out"
    got=$?
    rm -rf "$scratch/records"
    cat "$scratch/out"
    [ "$got" -eq "$2" ] && [ "$(tail -n "$(echo "$1" | wc -l)" "$scratch/out")" = "$1" ]
}
# program NAME TEXT: run a shell program as the test NAME.
program() {
    mkdir -p "$scratch/records"
    printf '%s\n' "$2" >"$scratch/$1"
    "$source/tests/tap" "$scratch/records" sh "$scratch/$1" >/dev/null 2>&1
    mv "$scratch/records/sh".* "$scratch/records/$1"
}
good() { program good 'echo 1..2; echo "ok 1 - a"; echo "ok 2 - b"'; }
# counts NAME LINES STATUS TEXT: a program beside a good one.
counts() {
    good
    program fake "$4"
    check "$1" totals "$2" "$3"
}
# is_red NAME FAULT TEXT: the program is counted as this one failure.
red() {
    awk -f "$source/tests/count.awk" "$scratch"/records/* >"$scratch/out"
    got=$?
    rm -rf "$scratch/records"
    cat "$scratch/out"
    [ $got -eq 1 ] && grep -qxF -e "FAILED fake: $1" "$scratch/out" && tail -n 1 "$scratch/out" | grep -q ' passed, 1 failed$'
}
is_red() {
    good
    program fake "$3"
    check "$1" red "$2"
}

good
check 'what passes' totals '2 passed, 0 failed' 0
counts 'a plan at the end' '3 passed, 0 failed' 0 'echo "ok 1 - a"; echo 1..1'
counts 'a case that is skipped' 'skipped fake: 1 # SKIP no collection
1 skipped
3 passed, 0 failed' 0 'echo 1..2; echo "not ok 1 # SKIP no collection"; echo "ok 2 - b"'
counts 'a test that is skipped whole' 'skipped fake: # SKIP no collection
1 skipped
2 passed, 0 failed' 0 'echo "1..0 # SKIP no collection"'
# Meson reads what tests/tap prints, and takes "not ok 1 # SKIP" for a failure.
program skips 'echo 1..1; echo "not ok 1 # SKIP no collection"'
is_plain() { grep -qxF 'ok 1 # SKIP no collection' "$scratch/records/skips"; }
check 'a case that is skipped is not a failure for Meson' is_plain
rm -rf "$scratch/records"
is_red 'a case that fails' '1 - a' 'echo 1..1; echo "not ok 1 - a"; exit 1'
is_red 'a case that fails, and exit status 0' '1 - a' 'echo 1..1; echo "not ok 1 - a"'
is_red 'an end before the last case' 'ended after 2 of 3 cases, exit status 0' \
    'echo 1..3; echo "ok 1 - a"; echo "ok 2 - b"'
is_red 'an end before the plan' 'has no plan (1..N): it ended early, or did not start; exit status 0' 'exit 0; echo 1..1'
is_red 'a leak after the last case' 'exit status 99 after its last case' 'echo 1..1; echo "ok 1 - a"; exit 99'
is_red 'an abort' 'ended after 0 of 1 cases, exit status 134' 'echo 1..1; kill -6 $$'
for status in 1 77 99 127; do
    is_red "no plan, exit status $status" "has no plan (1..N): it ended early, or did not start; exit status $status" "exit $status"
done
is_red 'a plan of no case' 'has no case' 'echo 1..0'
is_red 'more cases than the plan has' 'has 2 cases, and its plan only 1' 'echo 1..1; echo "ok 1 - a"; echo "ok 2 - b"'
is_red 'a test that gives up' 'Bail out! no display' 'echo 1..1; echo "ok 1 - a"; echo "Bail out! no display"; exit 1'

mkdir "$scratch/records"
"$source/tests/tap" "$scratch/records" "$scratch/nothing_here" >/dev/null 2>&1
check 'a program that does not start' totals \
    'FAILED nothing_here: has no plan (1..N): it ended early, or did not start; exit status 127
0 passed, 1 failed' 1

good
printf '# command: x\n1..2\nok 1 - a\n' >"$scratch/records/stopped"
check 'a test that is stopped' totals 'FAILED stopped: did not end, or never began
3 passed, 1 failed' 1
good
echo '# command: x' >"$scratch/records/waiting"
check 'a test that never ran' totals 'FAILED waiting: did not end, or never began
2 passed, 1 failed' 1

good
printf '=====\n==7==ERROR: LeakSanitizer: detected memory leaks\n' >"$scratch/records/sanitizer.7"
check "a sanitizer's report" totals 'FAILED sanitizer: ==7==ERROR: LeakSanitizer: detected memory leaks
2 passed, 1 failed' 1

good
printf '==7==WARNING: MemorySanitizer: use-of-uninitialized-value\n' >"$scratch/records/sanitizer.7"
printf 'WARNING: ThreadSanitizer: data race (pid=8)\n' >"$scratch/records/sanitizer.8"
check 'those that warn' totals 'FAILED sanitizer: ==7==WARNING: MemorySanitizer: use-of-uninitialized-value
FAILED sanitizer: WARNING: ThreadSanitizer: data race (pid=8)
2 passed, 2 failed' 1

mkdir "$scratch/records"
echo 1..0 | sed 's/$/ # SKIP nothing here/; $a# exit status 0' >"$scratch/records/skipped"
check 'nothing but what is skipped' totals '0 passed, 0 failed' 1

good
check 'a runner that fails and names no test' sh -c 'awk -v ended=2 -f "$1" "$2"/* && exit 1 || exit 0' - \
    "$source/tests/count.awk" "$scratch/records"

# A program that runs jobs: those whose names have "bad" fail, "crash" ends it.
mkdir -p "$scratch/jobs"
printf '%s\n' '#!/bin/sh' 'case $* in *crash*) kill -9 $$ ;; *bad*) echo wrong; exit 3 ;; *no.refused*) echo no; exit 1 ;; esac' \
    >"$scratch/runner"
chmod +x "$scratch/runner"
# jobs ALL WANTED NAME...: the results of these jobs, with that in WEFT_TEST_ALL.
jobs() {
    all=$1 wanted=$2
    shift 2
    rm -f "$scratch/jobs"/*
    for name in "$@"; do echo '# says: no' >"$scratch/jobs/$name.amber"; done
    for name in a b bad crash; do [ ! -e "$scratch/jobs/$name.amber" ] || echo >"$scratch/jobs/$name.amber"; done
    WEFT_TEST_ALL=$all "$source/tests/amber/run.sh" "$scratch/runner" "$scratch/jobs" >"$scratch/all"
    [ "$(sed -n 's/^\(ok\|not ok\) [0-9]* - \([^:]*\).*/\1 \2,/p' "$scratch/all" | tr '\n' ' ')" = "$wanted " ] ||
        { cat "$scratch/all"; return 1; }
}
check 'jobs, each by itself' jobs 1 'ok a, not ok bad, ok no.refused,' a bad no.refused
check 'jobs together' jobs '' 'ok 2 jobs in one process, ok a, ok b, ok no.refused,' a b no.refused
check 'one of them is wrong' jobs '' 'not ok 2 jobs in one process, ok a, not ok bad,' a bad
check 'one of them ends the process' jobs '' 'not ok 3 jobs in one process, ok a, ok b, not ok crash,' a b crash
finish
