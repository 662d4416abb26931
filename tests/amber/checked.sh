#!/bin/sh
# checked.sh WEFT FOLDER... - weft check finds nothing wrong with jobs that run, of these folders and those below them.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$1
shift
find "$@" -name '*.amber' ! -name '*.refused.amber' >"$scratch/jobs"
all() { [ "$(wc -l <"$scratch/jobs")" -gt 400 ] && "$weft" check -q --list "$scratch/jobs"; }
check 'all jobs that run' all
finish
