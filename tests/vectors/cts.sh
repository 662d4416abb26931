# shellcheck shell=sh disable=SC2154 # variables of run
# cts.sh - reader of the Vulkan conformance suite's AmberScript tests: nothing of the job language is refused, and what is refused is
# so for the language of its shaders. Read in by run, which says what $vectors, $weft, $tools, $scratch, case_ and exits are.

# The parser reads a whole script, whatever language its shaders are in: SPECIALIZE belongs to those.
cts_parses() {
    "$build/tests/script/parse_amber" "$1" >"$scratch/said"
    cat "$scratch/said"
    cut -f2 "$scratch/said" | grep -qxE 'ok|refused: (shader format (GLSL|HLSL|SPIRV-(ASM|HEX)|OPENCL-C)|SPECIALIZE|VkScript|, |the language of scripts with \[sections\])+'
}

# A script passes, or is refused by the name of its language or of a feature.
cts_runs() {
    timeout 120 "$weft" run "$1" --files-from / >"$scratch/said" 2>&1
    got=$?
    cat "$scratch/said"
    [ $got -eq 0 ] || { [ $got -eq 1 ] && grep -qE 'weft does not run (shader format|VkScript)|and weft does not have it' "$scratch/said"; }
}

find "$vectors/cts" -name '*.amber' | sort >"$scratch/scripts"
while IFS= read -r script; do
    name=${script#"$vectors/cts/"}
    case_ "cts ${name%.amber} parses" cts_parses "$script"
    case_ "cts ${name%.amber}" cts_runs "$script"
done <"$scratch/scripts"
