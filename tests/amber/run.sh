#!/bin/sh
# run.sh WEFT FOLDER - every job of the folder does what its name says, with any number of threads, as TAP.
#
# NAME.amber passes; NAME.expect_fail.amber has an EXPECT that fails (exit status 3); NAME.refused.amber is refused
# (exit status 1). What any of them prints has the words of its lines "# says: ...".
set -u
weft=$1
folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0

report() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        sed 's/^/#   /' "$scratch/said" | head -n 12
    fi
}

for script in "$folder"/*.amber; do
    name=$(basename "$script" .amber)
    wanted=0
    case $name in
    *.expect_fail) wanted=3 ;;
    *.refused) wanted=1 ;;
    esac
    timeout 60 "$weft" run "$script" >"$scratch/said" 2>&1
    got=$?
    fine=0
    [ "$got" -eq "$wanted" ] || fine=1
    sed -n 's/^# says: //p' "$script" >"$scratch/words"
    while IFS= read -r words; do
        grep -qF -e "$words" "$scratch/said" || fine=1
    done <"$scratch/words"
    report $fine "$name: exit status $got, wanted $wanted"
    # The buffer that a job names on its line "# compare: NAME" has the same bits for any number of threads.
    buffer=$(sed -n 's/^# compare: //p' "$script")
    [ -n "$buffer" ] || continue
    fine=0
    for threads in 1 2 7; do
        timeout 60 "$weft" run "$script" --threads $threads --dump "$buffer=$scratch/$threads.raw" >"$scratch/said" 2>&1 ||
            fine=1
    done
    cmp "$scratch/1.raw" "$scratch/2.raw" && cmp "$scratch/1.raw" "$scratch/7.raw" || fine=1
    report $fine "$name: $buffer is the same for 1, 2 and 7 threads"
done
echo "1..$count"
