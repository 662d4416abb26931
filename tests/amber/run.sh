#!/bin/sh
# run.sh WEFT FOLDER [JOB...] - every job of the folder, or those named, does what its name says, with any number
# of threads, as TAP.
#
# NAME.amber passes; NAME.expect_fail.amber has an EXPECT that fails (exit status 3); NAME.refused.amber is refused
# (exit status 1). What any of them prints has the words of its lines "# says: ..."; one with "# says nothing" is silent.
#
# Those that just pass run together in one process, which begins, and has glslang begin, once, and there are two numbers
# of threads; if not all is well there, each of them runs by itself too and says what is wrong. Up to three jobs that are
# named, and all with WEFT_TEST_ALL, run each in a process of its own. Of the jobs that name a buffer to compare one in
# WEFT_TEST_SHARE runs with other numbers of threads, others in each run.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
# shellcheck source=tests/share.sh
. "$(dirname "$0")/../share.sh"
weft=$1
folder=$2
shift 2
each=${WEFT_TEST_ALL:-}
[ $# -eq 0 ] || [ $# -gt 3 ] || each=yes
[ $# -gt 0 ] || set -- "$folder"/*.amber

# Those that have run together, if all is well with them.
together=
run_together() {
    list=$(for script in "$@"; do
        name=${script##*/}
        name=${name%.amber}
        case $name in
        *.expect_fail | *.refused) ;;
        *) echo "$folder/$name.amber" ;;
        esac
    done | xargs -r grep -L '^# says')
    # shellcheck disable=SC2086 # names without spaces
    timeout 600 "$weft" run $list --files-from "$folder/.." >"$scratch/log" 2>&1
    got=$?
    # shellcheck disable=SC2086
    [ $got -ne 0 ] || together=" $(echo $list) "
    report $got "$(echo "$list" | wc -l) jobs in one process: exit status $got, wanted 0"
}
threads='1 2 7'
if [ -z "$each" ]; then
    threads='1 7'
    run_together "$@"
fi

# run_alone NOTES: the lines of the script that begin with "# says" or "# compare".
run_alone() {
    leaks_of_this_turn
    timeout 60 "$weft" run "$script" --files-from "$folder/.." >"$scratch/log" 2>&1
    got=$?
    fine=0
    [ "$got" -eq "$wanted" ] || fine=1
    # What fails must say why: else a mistake of the job's own would do.
    case $1 in
    *'# says: '*) said=$(cat "$scratch/log") ;;
    *) [ "$wanted" -eq 0 ] || fine=1 ;;
    esac
    while IFS= read -r note; do
        case $note in
        '# says nothing') [ ! -s "$scratch/log" ] || fine=1 ;;
        '# says: '*)
            case $said in
            *"${note#\# says: }"*) ;;
            *) fine=1 ;;
            esac
            ;;
        esac
    done <<NOTES
$1
NOTES
    report $fine "$name: exit status $got, wanted $wanted"
}

for script in "$@"; do
    name=${script##*/}
    name=${name%.amber}
    script=$folder/$name.amber
    wanted=0
    case $name in
    *.expect_fail) wanted=3 ;;
    *.refused) wanted=1 ;;
    esac
    notes=$(sed -n '/^# \(says\|compare\)/p' "$script")
    case $together in
    *" $script "*) report 0 "$name: passed with the others" ;;
    *) run_alone "$notes" ;;
    esac
    # The buffer that a job names on its line "# compare: NAME" has the same bits for any number of threads.
    buffer=
    while IFS= read -r note; do
        case $note in '# compare: '*) buffer=${note#\# compare: } ;; esac
    done <<NOTES
$notes
NOTES
    [ -n "$buffer" ] && of_this_turn || continue
    fine=0
    for n in $threads; do
        timeout 60 "$weft" run "$script" --files-from "$folder/.." --threads "$n" --dump "$buffer=$scratch/$n.raw" >"$scratch/log" 2>&1 ||
            fine=1
    done
    for n in ${threads#1 }; do
        cmp "$scratch/1.raw" "$scratch/$n.raw" >>"$scratch/log" 2>&1 || fine=1
    done
    report $fine "$name: $buffer is the same for these numbers of threads: $threads"
done
echo "1..$count"
