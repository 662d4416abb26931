# shellcheck shell=sh
# tap.sh - test cases in shell, as TAP. Read in by the tests in shell.
# A case is a command that succeeds when all is well; what it prints is shown when it does not.
set -u
LC_ALL=C
NO_COLOR=1
export LC_ALL NO_COLOR

# shellcheck source=tests/leaks.sh
. "$(dirname "$0")/../leaks.sh"

count=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# report STATUS NAME: a case whose command has run, with what it said in $scratch/log.
report() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        sed 's/^/#   /' "$scratch/log"
    fi
}

# check NAME COMMAND...
check() {
    label=$1
    shift
    leaks_of_this_turn
    "$@" >"$scratch/log" 2>&1
    report $? "$label"
}

# status EXPECTED COMMAND...: the exit status is the expected one; standard output and error are kept in $scratch/out and err.
status() {
    expected=$1
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    got=$?
    [ $got -eq "$expected" ] && return 0
    echo "exit status $got, expected $expected: $*"
    cat "$scratch/err"
    return 1
}

# says PATTERN: the last command's standard error has a line that matches; prints likewise for standard output.
says() { grep -qE -e "$1" "$scratch/err" || { echo "no '$1' in:"; cat "$scratch/err"; return 1; }; }
prints() { grep -qE -e "$1" "$scratch/out" || { echo "no '$1' in:"; cat "$scratch/out"; return 1; }; }
silent() { [ ! -s "$scratch/err" ] || { echo 'not silent:'; cat "$scratch/err"; return 1; }; }

# same TEXT FILE: the file holds exactly this.
same() { [ "$1" = "$(cat "$2")" ]; }

finish() { echo "1..$count"; }

# all_used LIST USED LEAST: every line of LIST is one of USED, and LIST has LEAST lines or more. Both are sorted.
all_used() {
    comm -23 "$1" "$2" >"$scratch/missing"
    echo "missing of $(wc -l <"$1"), which should be $3 or more: $(tr '\n' ' ' <"$scratch/missing")"
    [ "$(wc -l <"$1")" -ge "$3" ] && [ ! -s "$scratch/missing" ]
}
