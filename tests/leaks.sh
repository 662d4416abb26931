# shellcheck shell=sh
# leaks.sh - which cases of a sanitizer's build look for leaks: that takes as long as all else a process does. One in
# four, others in each run (WEFT_TEST_TURN, which is printed); all with WEFT_TEST_ALL. Read in by tests in shell.
asan_options=${ASAN_OPTIONS:-}
looks= # a number that each case adds 1 to; empty: each looks
if [ -n "${WEFT_TEST_SANITIZED:-}" ] && [ -z "${WEFT_TEST_ALL:-}" ]; then
    looks=${WEFT_TEST_TURN:-$(($(date +%s) % 10000))}
    echo "# sample: one case in 4 looks for leaks, turn $looks (set WEFT_TEST_TURN to change it, WEFT_TEST_ALL for all)"
fi

# leaks_of_this_turn: before a case begins: whether its processes look for them.
leaks_of_this_turn() {
    [ -n "$looks" ] || return 0
    looks=$((looks + 1))
    ASAN_OPTIONS=$asan_options
    [ $((looks % 4)) -eq 0 ] || ASAN_OPTIONS=${asan_options:+$asan_options:}detect_leaks=0
    export ASAN_OPTIONS
}
