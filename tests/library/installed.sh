#!/bin/sh
# installed.sh BUILD SOURCE CC... - what is installed is all that a program needs: the examples in C are built against it,
# run, and say what they should.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
build=$(realpath "$1") source=$(realpath "$2")
shift 2
dest=$scratch/dest

installs() { meson install -C "$build" --no-rebuild --destdir "$dest"; }
check 'meson install' installs
pc=$(find "$dest" -name weft.pc | head -n 1)
prefix=${pc%/lib*}
lib=$(dirname "$(dirname "$pc")")
PKG_CONFIG_PATH=$(dirname "$pc") LD_LIBRARY_PATH=$lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
config() { pkg-config --define-variable=prefix="$prefix" "$@" weft; }

# has FILE...: below the prefix, and not empty.
has() {
    for file; do
        [ -s "$prefix/$file" ] || { echo "not installed: $file"; return 1; }
    done
}
headers() {
    (cd "$source/include" && ls weft/*.h) >"$scratch/ours"
    (cd "$prefix/include" && ls weft/*.h) | diff "$scratch/ours" -
}
documents() {
    (cd "$source/docs" && ls ./*.md manual/*.md) >"$scratch/ours"
    (cd "$prefix/share/doc/weft" && ls ./*.md manual/*.md) | diff "$scratch/ours" - &&
        has share/man/man1/weft.1 share/bash-completion/completions/weft share/doc/weft/images share/doc/weft/manual/vpu.html bin/weft 2>/dev/null
}
examples() {
    (cd "$source/examples" && find . -type f | sort) >"$scratch/ours"
    (cd "$prefix/share/doc/weft/examples" && find . -type f | sort) | diff "$scratch/ours" -
}
modules() {
    for module in weft-jit.so weft-spirv.so; do
        [ ! -e "$build/$module" ] || [ -s "$lib/weft/$module" ] || { echo "not installed: $module"; return 1; }
    done
}
check 'every header' headers
check 'every module that was built' modules
check 'manuals, man page and completion' documents
check 'every example' examples
version() {
    [ "$(config --modversion)" = "$("$prefix/bin/weft" --version | sed -n 's/^weft //p')" ]
}
check 'the version of pkg-config is the program'"'"'s' version

# DESTDIR is another folder than the one that the modules were made for: what is installed may be moved as a whole.
moved() {
    "$build/weft" --version >"$scratch/there" && "$prefix/bin/weft" --version | diff "$scratch/there" -
}
check 'the program has its modules where it was moved to' moved
names_modules() {
    printf '%s\n' '#include <stdio.h>' '#include <weft/weft.h>' 'int main(void) { const char *jit = weft_jit(), *shaders =' \
        'weft_shader_compilers(); printf("%s, %s\n", jit ? jit : "none", shaders ? shaders : "none"); }' >"$scratch/modules.c"
    # shellcheck disable=SC2046
    "$@" -Wall -Wextra -Wpedantic -Werror "$scratch/modules.c" -o "$scratch/modules" $(config --cflags --libs) &&
        "$scratch/modules" >"$scratch/said"
    for module in jit spirv; do
        [ -e "$build/weft-$module.so" ] || continue
        case $module,$(cat "$scratch/said") in
        jit,none,* | spirv,*', none') cat "$scratch/said"; return 1 ;;
        esac
    done
}
check 'and so has the library' names_modules "$@"

# built NAME CC...: an example of the installed folder, against the installed library.
built() {
    name=$1
    shift
    # shellcheck disable=SC2046
    "$@" -Wall -Wextra -Wpedantic -Werror "$prefix/share/doc/weft/examples/c/$name.c" -o "$scratch/$name" $(config --cflags --libs)
}
says_as_written() {
    built "$@" && "$scratch/$1" >"$scratch/said" 2>"$scratch/err" && silent && diff "$source/examples/c/$1.out" "$scratch/said"
}
check 'kernel.c' says_as_written kernel "$@" -std=c11
check 'machine.c' says_as_written machine "$@" -std=c11

flow_of_a_loop() {
    built flow "$@" -std=c11 || return 1
    printf 'mov r1,5\nlp: add r0,r1\nsub r1,1\ncmp r1,0\nbne lp\nbl f\nsleep\nf: mov r0,1\nrts\n' >"$scratch/loop.vpu"
    "$prefix/bin/weft" asm -i vpu "$scratch/loop.vpu" -o "$scratch/loop.bin" && "$scratch/flow" vpu "$scratch/loop.bin" >"$scratch/said" &&
        diff "$source/examples/c/flow.out" "$scratch/said"
}
check 'flow.c' flow_of_a_loop "$@"
# prints_blocks LINE...: flow printed lines that match.
prints_blocks() {
    for line; do
        grep -q -e "$line" "$scratch/said" || { echo "no '$line' in:"; cat "$scratch/said"; return 1; }
    done
}
flow_of_others() {
    # shellcheck disable=SC2016
    printf 'mov b32 $r0 $r1\nbra 0x10\nexit nop\nadd b32 $r1 $r1 0x5\nexit nop\n' >"$scratch/a.tesla"
    printf 'IADD.u32 r1, r1, r2\nBRANCHZ.eq r1, offset:1\nNOP\nNOP.end\n' >"$scratch/a.valhall"
    "$prefix/bin/weft" asm "$scratch/a.tesla" -o "$scratch/a.bin" && "$scratch/flow" tesla "$scratch/a.bin" g80 >"$scratch/said" &&
        prints_blocks '^L10:  <- ' 'bra #*L10' || return 1
    "$prefix/bin/weft" asm "$scratch/a.valhall" -o "$scratch/b.bin" && "$scratch/flow" valhall "$scratch/b.bin" >"$scratch/said" &&
        prints_blocks '^L18:  <- 8 (branch)' '-> L18, L10' || return 1
    status 1 "$scratch/flow" none "$scratch/a.bin" && says "no decoder for 'none'"
}
check 'flow.c on other instruction sets' flow_of_others

in_cxx() {
    cat >"$scratch/own.cpp" <<'END'
#include <weft/weft.h>
#include <cstdio>
int main()
{
    weft_runner_options options;
    weft_runner_options_init(&options);
    weft_draw_call call;
    weft_draw_call_init(&call);
    weft_machine *machine = nullptr;
    bool fine = weft_machine_new(nullptr, nullptr, &machine) == WEFT_OK && call.instances == 1 && options.size == sizeof options;
    weft_machine_free(machine);
    std::printf("%u\n", weft_version_number());
    return fine && weft_version_number() == WEFT_VERSION_NUMBER ? 0 : 1;
}
END
    cxx=$(command -v c++ || command -v g++ || command -v clang++)
    # shellcheck disable=SC2046
    "$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror "$scratch/own.cpp" -o "$scratch/own" $(config --cflags --libs) && "$scratch/own"
}
check 'a program in C++' in_cxx
statically() {
    [ -s "$lib/libweft.a" ] || return 1
    # shellcheck disable=SC2046
    "$@" -std=c11 $(config --cflags) "$prefix/share/doc/weft/examples/c/kernel.c" "$lib/libweft.a" -lpng -lz -lm -lpthread -ldl \
        -o "$scratch/static" && LD_LIBRARY_PATH='' "$scratch/static" >"$scratch/said" && diff "$source/examples/c/kernel.out" "$scratch/said"
}
check 'against the static library' statically "$@"
finish
