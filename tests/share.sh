# shellcheck shell=sh
# share.sh - which cases a run tries where it is told to try a share of them: with WEFT_TEST_SHARE=N one in N, others in
# each run (WEFT_TEST_TURN, which is printed). WEFT_TEST_ALL tries all. Read in by tests in shell.
share=${WEFT_TEST_SHARE:-1}
[ -z "${WEFT_TEST_ALL:-}" ] || share=1
turn=0
if [ "$share" -gt 1 ]; then
    turn=${WEFT_TEST_TURN:-$(($(date +%s) % 10000))}
    echo "# sample: one case in $share, turn $turn (set WEFT_TEST_TURN to change it, WEFT_TEST_ALL for all)"
fi

# Which case is the next; those of a group have one number, and are tried together.
number=0 group=

# group_begins, group_ends: the cases between are a group.
group_begins() {
    number=$((number + 1))
    group=yes
}
group_ends() { group=; }

# of_this_turn: does this run try the next case?
of_this_turn() {
    [ -n "$group" ] || number=$((number + 1))
    [ $(((number + turn) % share)) -eq 0 ]
}
