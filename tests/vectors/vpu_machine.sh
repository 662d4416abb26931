# shellcheck shell=sh disable=SC2154 # variables of run
# vpu_machine.sh - reader of what VPU programs compute: compiled programs and what was measured on silicon.
# Read in by run, which says what $vectors, $weft, $tools, $scratch, case_ and exits are.

# A program runs to sleep with r0 = 0 and leaves the words that its .expect lists: "0x20000: word word ...".
vpu_boot() {
    rm -f "$scratch/memory"
    address=$(cut -d: -f1 "$2")
    cut -d: -f2 "$2" | tr -s ' ' '\n' | grep . >"$scratch/want"
    words=$(wc -l <"$scratch/want")
    timeout 300 "$weft" boot "$1" --uart "$scratch/said" --dump "$address:$((words * 4))=$scratch/memory" || return 1
    od -An -tx4 -v -w4 "$scratch/memory" | tr -d ' ' | diff "$scratch/want" -
}

for expect in "$vectors"/vpu/c/*.expect; do
    [ -r "$expect" ] || continue
    for image in "${expect%.expect}".*.bin "${expect%.expect}".*.elf; do
        [ -r "$image" ] && case_ "vpu boot ${image##*/}" vpu_boot "$image" "$expect"
    done
done
for measured in hardware.tsv hardware-programs.txt; do
    [ -r "$vectors/vpu/$measured" ] && case_ "vpu $measured: results" "$tools/vpu_measured" "$vectors/vpu/$measured"
done
:
