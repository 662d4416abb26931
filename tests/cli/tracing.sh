#!/bin/sh
# tracing.sh WEFT SOURCE - weft run --trace shows every instruction of the chosen invocation, and where it is.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$2" || exit 1
shadow=examples/amber/shadow-map.amber

# The instructions of a shader within a script, as "line number: text".
instructions() {
    awk -v name="$2" '$1 == "SHADER" { on = $3 == name } on && /^ *([0-9]+: *)?[A-Z][A-Z0-9_]+/ && !/^(DCL|IMM|PROPERTY|SHADER|FRAG|VERT|COMP)/ {
        print FNR; if ($1 == "END") exit }' "$1"
}
lines() { sed -n "s/.*\"shader\":\"$1\".*\"line\":\([0-9]*\).*/\1/p" "$scratch/trace"; }

pixel() {
    status 0 "$weft" run "$shadow" --trace "$scratch/trace" --trace-at 128,240 && silent &&
        ! grep -v '^{"stage":"fragment",.*"x":128,"y":240,.*}$' "$scratch/trace"
}
check 'a pixel: only its fragments' pixel
straight_line() {
    for shader in sky stone; do
        instructions $shadow $shader >"$scratch/wanted"
        lines $shader >"$scratch/found"
        [ -s "$scratch/wanted" ] && cmp "$scratch/wanted" "$scratch/found" || return 1
    done
}
check 'each instruction once, with its line of the script' straight_line
result() { grep '"shader":"stone"' "$scratch/trace" | tail -n 1 | grep -q '"OUT\[0\].w":"0x3f800000"'; }
check 'results as bit patterns' result

vertex() {
    status 0 "$weft" run examples/amber/multisample.amber --trace "$scratch/trace" --trace-id 59 && silent &&
        [ "$(grep -c '"stage":"vertex","shader":"star","id":59,.*"address":0,' "$scratch/trace")" -eq 2 ] &&
        ! grep -v '"id":59,"instance":0,' "$scratch/trace"
}
check 'a vertex, in each draw' vertex
invocation() {
    status 0 "$weft" run examples/amber/histogram.amber --trace "$scratch/trace" --trace-id 300 && silent &&
        ! grep -v '^{"stage":"compute","shader":"count","id":300,' "$scratch/trace" &&
        grep -q '"address":0,.*"TEMP\[0\].x":"0x0000012c"' "$scratch/trace" # its own number, 300
}
check 'an invocation of a dispatch' invocation

# Thread 3 of a Tesla job: the stack grows at joinat, call and breakaddr, and shrinks again.
control_stack() {
    status 0 "$weft" run tests/amber/tesla/control_stack.amber --trace "$scratch/trace" --trace-id 3 && silent &&
        grep -q '"address":64,.*"mask":"0*ffffffff","control":"joinat 0x60:ffffffff"' "$scratch/trace" &&
        grep -q '"address":72,.*"mask":"0*aaaaaaaa","control":"joinat 0x60:ffffffff","results":{"r2":"0x00000064"}' "$scratch/trace" &&
        grep -q '"address":104,.*"mask":"0*ffffffff","results":{"r2":"0x0000044c"}' "$scratch/trace" &&
        grep -q '"control":"break 0x1f0:ffffffff, call 0x80:ffffffff, broke 01010101"' "$scratch/trace"
}
check 'the control stack as it changes' control_stack
nothing() {
    status 0 "$weft" run examples/amber/histogram.amber --trace "$scratch/trace" --trace-id 99999999 &&
        says 'warning: nothing was traced: .* invocations' && [ ! -s "$scratch/trace" ]
}
check 'a trace of nothing: a warning' nothing
start() {
    status 0 "$weft" run tests/amber/tesla/control_stack.amber --trace "$scratch/trace" --trace-id 3 &&
        [ "$(grep -c '"kind":"start"' "$scratch/trace")" -eq 1 ] && head -n 1 "$scratch/trace" | grep -q '"kind":"start"'
}
check 'the registers at the start are marked' start

# Variables of SPIR-V by the names of its debug information, of either set: sum = 3, sum *= 5, total = sum + 1.
named() {
    status 0 "$weft" run tests/amber/spirv/debug_names.amber --trace "$scratch/trace" --trace-id 0 || return 1
    for shader in shader_info opencl_info; do
        sed -n "s/.*\"shader\":\"$shader\".*\"results\":{\(..*\)}}/\1/p" "$scratch/trace" >"$scratch/found"
        printf '"sum":"0x00000003"\n"sum":"0x0000000f"\n"total":"0x00000010"\n' | cmp - "$scratch/found" || return 1
    done
}
# color = vec3(1, 2, 3), then color.y = 4.
parts() {
    printf '%s\n' '#!amber' 'SHADER compute c GLSL' '#version 450' \
        'layout(set = 0, binding = 0) buffer B { float n; } b;' 'void main() {' 'vec3 color = vec3(1, 2, b.n);' \
        'color.y = 4.0; b.n = color.x + color.y + color.z; }' END 'BUFFER b DATA_TYPE float DATA 3 END' \
        'PIPELINE compute p' 'ATTACH c' 'BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0' END 'RUN p 1 1 1' \
        'EXPECT b IDX 0 EQ 8' >"$scratch/parts.amber"
    status 0 "$weft" run "$scratch/parts.amber" --trace "$scratch/trace" --trace-id 0 &&
        grep -q '"line":6,.*"results":{"color.x":"0x3f800000","color.y":"0x40000000","color.z":"0x40400000"}' \
            "$scratch/trace" && grep -q '"line":7,.*"results":{"color.y":"0x40800000"}' "$scratch/trace"
}
if ! "$weft" --version | grep -q '^shader compilers: none'; then
    check 'variables of SPIR-V have the names of the source' named
    check 'and their components' parts
fi
finish
