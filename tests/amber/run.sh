#!/bin/sh
# run.sh WEFT FOLDER [JOB...] - every job of the folder, or those named, does what its name says, with any number
# of threads, as TAP.
#
# NAME.amber passes; NAME.expect_fail.amber has an EXPECT that fails (exit status 3); NAME.refused.amber is refused
# (exit status 1). What any of them prints has the words of its lines "# says: ..."; one with "# says nothing" is silent.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$1
folder=$2
shift 2
[ $# -gt 0 ] || set -- "$folder"/*.amber

for script in "$@"; do
    name=$(basename "$script" .amber)
    script=$folder/$name.amber
    wanted=0
    case $name in
    *.expect_fail) wanted=3 ;;
    *.refused) wanted=1 ;;
    esac
    timeout 60 "$weft" run "$script" --files-from "$folder/.." >"$scratch/log" 2>&1
    got=$?
    fine=0
    [ "$got" -eq "$wanted" ] || fine=1
    sed -n 's/^# says: //p' "$script" >"$scratch/words"
    # What fails must say why: else a mistake of the job's own would do.
    [ "$wanted" -eq 0 ] || [ -s "$scratch/words" ] || fine=1
    while IFS= read -r words; do
        grep -qF -e "$words" "$scratch/log" || fine=1
    done <"$scratch/words"
    ! grep -qx '# says nothing' "$script" || [ ! -s "$scratch/log" ] || fine=1
    report $fine "$name: exit status $got, wanted $wanted"
    # The buffer that a job names on its line "# compare: NAME" has the same bits for any number of threads.
    buffer=$(sed -n 's/^# compare: //p' "$script")
    [ -n "$buffer" ] || continue
    fine=0
    for threads in 1 2 7; do
        timeout 60 "$weft" run "$script" --files-from "$folder/.." --threads $threads --dump "$buffer=$scratch/$threads.raw" >"$scratch/log" 2>&1 ||
            fine=1
    done
    for threads in 2 7; do
        cmp "$scratch/1.raw" "$scratch/$threads.raw" >>"$scratch/log" 2>&1 || fine=1
    done
    report $fine "$name: $buffer is the same for 1, 2 and 7 threads"
done
echo "1..$count"
