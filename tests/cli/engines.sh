#!/bin/sh
# engines.sh WEFT SOURCE - which engine runs programs: --engine, what --version and --stats say of it, and that LLVM is loaded
# where it is wanted and nowhere else.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
shader=$(realpath "$2")/examples/tgsi/phong.tgsi
endless=$scratch/endless.tgsi
cd "$scratch" || exit 1

cat >"$endless" <<'END'
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
  0: MOV TEMP[0], IN[0]
  1: BGNLOOP
  2: ADD TEMP[0], TEMP[0], IN[0]
  3: MUL TEMP[0], TEMP[0], IN[0]
  4: ENDLOOP
  5: MOV OUT[0], TEMP[0]
  6: END
END

# draw ENGINE OPTION...: a small picture.
draw() {
    engine=$1
    shift
    "$weft" draw "$shader" --size 64x64 --engine "$engine" -o "$engine.raw" "$@"
}
# loads ENGINE: does drawing load the module?
loads() { LD_DEBUG=files draw "$1" 2>&1 | grep -q 'weft-jit\.so'; }
loads_not() { ! loads "$1"; }

same_pictures() { draw interp && draw auto && draw jit && cmp interp.raw auto.raw && cmp interp.raw jit.raw; }
jit_stats() { draw jit --stats 2>err && says '^programs-compiled [1-9]' && says '^compile-seconds [0-9.]+$'; }
# What runs long is compiled without being asked for: a picture many times, and the last one is the same.
auto_stats() {
    "$weft" draw "$shader" --size 512x512 --repeat 160 --stats -o auto.raw 2>err && says '^programs-compiled [1-9]' &&
        "$weft" draw "$shader" --size 512x512 --engine interp -o interp.raw && cmp interp.raw auto.raw
}
interp_stats() { draw interp --stats 2>err && says '^programs-compiled 0$'; }
same_end() {
    for engine in interp jit; do
        status 1 "$weft" draw "$endless" --size 8x8 --budget 10000 --engine "$engine" -o end.raw || return 1
        cp "$scratch/err" "$engine.err"
    done
    cmp interp.err jit.err && says "$endless:[0-9]+:"
}
without() {
    WEFT_JIT_MODULE=$scratch/none.so "$weft" --version >out || return 1
    grep -q '^engines: interp$' out || return 1
    WEFT_JIT_MODULE=$scratch/none.so draw auto || return 1
    WEFT_JIT_MODULE=$scratch/none.so status 2 "$weft" draw "$shader" --engine jit -o a.raw && says 'this weft has no JIT'
}

check 'there are three' status 2 "$weft" draw "$shader" --engine fast -o a.raw
check 'and the message says which' says 'auto, interp or jit'
check '--version names them' sh -c "'$weft' --version | grep -q '^engines: interp'"
check '--version names what compiles shaders' sh -c "'$weft' --version | grep -qE '^shader compilers: (SPIRV-Tools v.*, glslang [0-9.]+|none)$'"
compiles_nothing() { WEFT_SPIRV_MODULE=$scratch/none.so "$weft" --version | grep -q '^shader compilers: none$'; }
check 'without weft-spirv.so it says so' compiles_nothing
by_link() {
    ln -sf "$weft" "$scratch/link" && "$weft" --version >own && "$scratch/link" --version >linked && cmp own linked
}
check 'through a link to it, the same modules are found' by_link
loads_compilers() { LD_DEBUG=files draw interp 2>&1 | grep -q 'weft-spirv\.so'; }
loads_no_compilers() { ! loads_compilers; }
check 'a picture from TGSI loads no shader compilers' loads_no_compilers
check 'the interpreter loads nothing' loads_not interp
check 'a small picture loads nothing' loads_not auto
check '--stats of the interpreter' interp_stats
check 'without the module' without
if "$weft" --version | grep -q 'jit ('; then
    check 'the JIT is loaded where it is asked for' loads jit
    check 'the same picture' same_pictures
    check '--stats of the JIT' jit_stats
    check 'what runs long is compiled by itself' auto_stats
    check 'an endless loop ends with the same message' same_end
fi
finish
