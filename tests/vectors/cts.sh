# shellcheck shell=sh disable=SC2154 # variables of run
# cts.sh - reader of the Vulkan conformance suite's scripts: each parses, ends with 0 or as cts.tsv says, and leaves the
# same bits in all buffers and images with both engines and 1, 2 and 7 threads (job_bits.c). Read in by run, which says
# what $vectors, $weft, $tools, $scratch, case_ and exits are.

cts_parses() {
    "$build/tests/script/parse_amber" "$1" >"$scratch/said"
    cat "$scratch/said"
    cut -f2 "$scratch/said" | grep -qx ok
}

cts_ends() {
    exits "$1" timeout 120 "$weft" run "$2" --files-from /
}

# A build may have no JIT: job_bits gives up if one is named that cannot be loaded.
[ ! -e "$build/weft-jit.so" ] || export WEFT_JIT_MODULE="$build/weft-jit.so"
export WEFT_SPIRV_MODULE="$build/weft-spirv.so"

cts_bits() {
    timeout 600 "$tools/job_bits" --seconds 90 --files-from / "$1"
}

# Scripts that read files which are not among the vectors: with files of ours, beside a copy of the script.
cts_passes_with_ours() {
    [ -d "$scratch/ours" ] || { mkdir "$scratch/ours" && "$here/cts_files.py" "$scratch/ours"; } || return 1
    cp "$1" "$scratch/ours/" && cts_ends 0 "$scratch/ours/$(basename "$1")" && cts_bits "$scratch/ours/$(basename "$1")"
}

find "$vectors/cts" -name '*.amber' | sort >"$scratch/scripts"
while IFS= read -r script; do
    name=${script#"$vectors/cts/"}
    wanted=$(grep "^$name	" "$here/cts.tsv" | cut -f2)
    group_begins
    case_ "cts ${name%.amber} parses" cts_parses "$script"
    case_ "cts ${name%.amber}${wanted:+ (ends with $wanted)}" cts_ends "${wanted:-0}" "$script"
    case_ "cts ${name%.amber} has one result" cts_bits "$script"
    [ "${wanted:-0}" != 1 ] || case_ "cts ${name%.amber} passes with files of ours" cts_passes_with_ours "$script"
    group_ends
done <"$scratch/scripts"
