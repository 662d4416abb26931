# shellcheck shell=sh
# tap.sh - test cases in shell, as TAP. Read in by the tests of this folder.
# A case is a command that succeeds when all is well; what it prints is shown when it does not.
set -u
LC_ALL=C
NO_COLOR=1
export LC_ALL NO_COLOR

count=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# check NAME COMMAND...
check() {
    label=$1
    shift
    count=$((count + 1))
    if "$@" >"$scratch/log" 2>&1; then
        echo "ok $count - $label"
    else
        echo "not ok $count - $label"
        sed 's/^/#   /' "$scratch/log"
    fi
}

# skip NAME WHY
skip() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
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
