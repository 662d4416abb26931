# shellcheck shell=sh disable=SC2154 # variables of run
# cts.sh - reader of the Vulkan conformance suite's scripts: each parses, ends with 0 or as cts.tsv says, and leaves the
# same bits in all buffers and images with both engines and 1, 2 and 7 threads (job_bits.c). Read in by run, which says
# what $vectors, $weft, $tools, $scratch, case_, of_this_turn and exits are.
#
# Those of a run are first done by few processes, which begin, and have glslang begin, once. What did not go well there
# is done again by a process of its own, which says what is wrong; if nothing is, that it went wrong is a failure itself.

cts_parses() {
    "$build/tests/script/parse_amber" "$1" >"$scratch/said"
    cat "$scratch/said"
    cut -f2 "$scratch/said" | grep -qx ok
}

cts_ends() {
    [ "$1$cts_pass" != 0yes ] || return 0
    exits "$1" timeout 120 "$weft" run "$2" --files-from /
}

# A build may have no JIT: job_bits gives up if one is named that cannot be loaded.
[ ! -e "$build/weft-jit.so" ] || export WEFT_JIT_MODULE="$build/weft-jit.so"
export WEFT_SPIRV_MODULE="$build/weft-spirv.so"

cts_bits() {
    case $cts_same in *" $1 "*) return 0 ;; esac
    timeout 600 "$tools/job_bits" --seconds 90 --files-from / "$1"
}

# Scripts that read files which are not among the vectors: with files of ours, beside a copy of the script.
cts_passes_with_ours() {
    [ -d "$scratch/ours" ] || { mkdir "$scratch/ours" && "$here/cts_files.py" "$scratch/ours"; } || return 1
    cp "$1" "$scratch/ours/" || return 1
    cts_pass=
    cts_ends 0 "$scratch/ours/$(basename "$1")" && cts_bits "$scratch/ours/$(basename "$1")"
}

# cts_choose: path and exit status of the scripts that this run tries.
cts_choose() {
    before=$number
    while IFS=$tab read -r script wanted; do
        group_begins
        ! of_this_turn || printf '%s\t%s\n' "$script" "$wanted"
        group_ends
    done <"$scratch/scripts" >"$scratch/chosen"
    number=$before
}

# cts_bits_of FILE: those that it names, which are this run's share, in one process.
cts_bits_of() {
    xargs -r env WEFT_TEST_SHARE=1 timeout 2400 "$tools/job_bits" --tap all --seconds 90 --files-from / <"$1" >"$1.said" 2>&1 ||
        touch "$scratch/apart"
}

# cts_together: in $cts_pass whether all of these that are to end with 0 do so, and in $cts_same those that leave the same
# bits. Two processes of job_bits: it works on one processor most of the time.
cts_together() {
    cut -f1 "$scratch/chosen" | split -n r/2 - "$scratch/half."
    for half in "$scratch"/half.??; do
        cts_bits_of "$half" &
    done
    sed -n "s/${tab}0\$//p" "$scratch/chosen" | xargs -r timeout 1200 "$weft" run --files-from / >"$scratch/run" 2>&1 &&
        cts_pass=yes
    wait
    cts_same=" $(sed -n 's/^ok - //p' "$scratch"/half.??.said | tr '\n' ' ')"
    cat "$scratch/run" "$scratch"/half.??.said
    [ "$cts_pass" = yes ] && [ ! -e "$scratch/apart" ]
}

tab=$(printf '\t')
find "$vectors/cts" -name '*.amber' | sort |
    awk -F '\t' -v folder="$vectors/cts/" 'NR == FNR { status[$1] = $2; next }
        { name = substr($0, length(folder) + 1); print $0 "\t" (name in status ? status[name] : 0) }' \
        "$here/cts.tsv" - >"$scratch/scripts"
cts_pass='' cts_same=''
cts_choose
if [ -s "$scratch/chosen" ]; then
    count=$((count + 1))
    cts_together >"$scratch/log" && echo "ok $count - cts, together" ||
        { echo "not ok $count - cts, together" && grep -v '^ok' "$scratch/log" | tail -n 12 | sed 's/^/#   /'; }
fi
cts_passed=$cts_pass
while IFS=$tab read -r script wanted; do
    name=${script#"$vectors/cts/"}
    case $wanted in 0) says= ;; *) says=" (ends with $wanted)" ;; esac
    cts_pass=$cts_passed
    group_begins
    case_ "cts ${name%.amber} parses" cts_parses "$script"
    case_ "cts ${name%.amber}$says" cts_ends "$wanted" "$script"
    case_ "cts ${name%.amber} has one result" cts_bits "$script"
    [ "$wanted" != 1 ] || case_ "cts ${name%.amber} passes with files of ours" cts_passes_with_ours "$script"
    group_ends
done <"$scratch/scripts"
