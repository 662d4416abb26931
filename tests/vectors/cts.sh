# shellcheck shell=sh disable=SC2154 # variables of run
# cts.sh - reader of the Vulkan conformance suite's scripts: each parses, and passes with both engines and any number of threads,
# but for those in cts.tsv, which end as that says. Read in by run, which says what $vectors, $weft, $scratch, case_ and exits are.

cts_parses() {
    "$build/tests/script/parse_amber" "$1" >"$scratch/said"
    cat "$scratch/said"
    cut -f2 "$scratch/said" | grep -qx ok
}

# ends STATUS SCRIPT: so it does however it is run. Where there is one engine, once is enough: builds with both compare them.
both=$("$weft" --version | grep 'jit (')
cts_ends() {
    exits "$1" timeout 120 "$weft" run "$2" --files-from / &&
        { [ -z "$both" ] || { exits "$1" timeout 120 "$weft" run "$2" --files-from / --engine interp --threads 1 &&
            exits "$1" timeout 300 "$weft" run "$2" --files-from / --engine jit --threads 7; }; }
}

find "$vectors/cts" -name '*.amber' | sort >"$scratch/scripts"
while IFS= read -r script; do
    name=${script#"$vectors/cts/"}
    wanted=$(grep "^$name	" "$here/cts.tsv" | cut -f2)
    case_ "cts ${name%.amber} parses" cts_parses "$script"
    case_ "cts ${name%.amber}${wanted:+ (ends with $wanted)}" cts_ends "${wanted:-0}" "$script"
done <"$scratch/scripts"
