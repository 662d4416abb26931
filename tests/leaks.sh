# shellcheck shell=sh
# leaks.sh - which of many processes of a sanitizer's build look for leaks: that takes as long as all else they do. One in
# four, others in each run (WEFT_TEST_TURN, which is printed); all with WEFT_TEST_ALL. Read in by tests in shell.
asan_options=${ASAN_OPTIONS:-}
processes= # a number that each process adds 1 to; empty: each looks
if [ -n "$asan_options" ] && [ -z "${WEFT_TEST_ALL:-}" ]; then
    processes=${WEFT_TEST_TURN:-$(($(date +%s) % 10000))}
    echo "# sample: one process in 4 looks for leaks, turn $processes (set WEFT_TEST_TURN to change it, WEFT_TEST_ALL for all)"
fi

# leaks_of_this_turn: before a process begins: whether it looks for them.
leaks_of_this_turn() {
    [ -n "$processes" ] || return 0
    processes=$((processes + 1))
    ASAN_OPTIONS=$asan_options
    [ $((processes % 4)) -eq 0 ] || ASAN_OPTIONS=$asan_options:detect_leaks=0
    export ASAN_OPTIONS
}
