#!/bin/sh
# run.sh SOURCE - tests/run and .ci/run over a small project of its own, with checks of each kind broken on purpose: it ends with a failure.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
# A run with a share tries one of the five parts: Meson takes most of the time.
[ "${WEFT_TEST_SHARE:-1}" = 1 ] || WEFT_TEST_SHARE=5
# shellcheck source=tests/share.sh
. "$(dirname "$0")/../share.sh"
source=$(realpath "$1")
cd "$scratch" || exit 1
unset ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS VECTORS WEFT_SHARED MESON_TESTTHREADS WEFT_TEST_SHARE WEFT_TEST_VECTORS
unset WEFT_TEST_SANITIZED WEFT_TEST_COMMANDS WEFT_TEST_TURN WEFT_TEST_ALL

mkdir -p project/tests/vectors project/tests/fuzz/seeds/tgsi project/examples/tgsi project/tools project/.ci reference/fake
for file in tests/run tests/tap tests/count.awk tests/names.awk tests/select.awk tests/share.sh tests/vectors/run tests/vectors/listings.sh \
    tests/vectors/pictures.sh tests/fuzz/run .ci/run; do
    cp "$source/$file" "project/$file"
done
cd project || exit 1
sed -i 's/timeout-multiplier 10/timeout-multiplier 1/' tests/run
printf '#!/bin/sh\n' >tools/need
printf '#!/bin/sh\necho 1..1\necho "ok 1 - a"\n' >good.sh
chmod +x tools/need good.sh
printf '%s\n' "option('fuzz', type: 'boolean', value: false)" "option('jit', type: 'feature', value: 'auto')" >meson_options.txt
echo "alias_target('fuzzers', executable('fuzz_fake', 'fuzz_fake.c', link_args: '-fsanitize=fuzzer', c_args: '-fsanitize=fuzzer-no-link'))" >tests/fuzz/meson.build
printf 'a hunt for bugs is a hunt\n' >tests/fuzz/seeds/tgsi/a.tgsi

# project MESON [LANGUAGES]: the project has these tests beside one that passes. set_up: into the folder build, which is
# made anew where the project or the options are others.
project() {
    echo "project('fake'${2:-})
fs = import('fs')
test('good', find_program('good.sh'), protocol: 'tap')
$1" >wanted
    cmp -s wanted meson.build || mv wanted meson.build # Meson starts again where it is newer
}
set_up() {
    echo "$*" | cat - meson.build >wanted
    cmp -s wanted build/made_of || {
        rm -rf build
        meson setup build "$@" >"$scratch/setup" 2>&1 && mv wanted build/made_of
    }
    ninja -C build --quiet >>"$scratch/setup" 2>&1
    mkdir -p build/tests/script build/tests/vectors
    for name in weft tests/script/parse_amber tests/vectors/compare tests/vectors/compare_raw tests/vectors/rgba8_to_png \
        tests/vectors/listing tests/vectors/rogue_fields tests/vectors/vpu_measured tests/vectors/job_bits; do
        cp good.sh build/$name
    done
}
# script TEXT: beside it, a test in shell.
script() {
    printf '#!/bin/sh\n%s\n' "$1" >fake.sh
    chmod +x fake.sh
    project "test('fake', find_program('fake.sh'), protocol: 'tap', timeout: 1)"
    set_up
}
# scripts_of FOLDER: beside it, three tests in shell that try the command.
scripts_of() {
    mkdir -p "tests/$1"
    for name in 1 2 3; do cp good.sh "tests/$1/s$name.sh"; done
    project "foreach n : ['1', '2', '3']
  test('$1-' + n, find_program('tests/$1/s' + n + '.sh'), args: 'weft', protocol: 'tap')
endforeach"
    set_up
}
# program C: beside it, a test in C, which a script runs that wants it to be refused or not: exit status 0 or 1.
program() {
    echo "$1" >fake.c
    printf '#!/bin/sh\n"$1" 2>/dev/null\n[ $? -le 1 ] || printf "not "\necho "ok 1 - b"\necho 1..1\n' >fake.sh
    chmod +x fake.sh
    project "fake = executable('fake', 'fake.c')
test('fake', find_program('fake.sh'), args: fake, protocol: 'tap')
if get_option('fuzz')
  subdir('tests/fuzz')
endif" ", 'c'"
}
# ends STATUS LAST LINE COMMAND...: its last line and another one, as patterns.
ends() {
    wanted=$1 last=$2 line=$3
    shift 3
    timeout 200 "$@" >"$scratch/out" 2>"$scratch/err"
    got=$?
    cat "$scratch/out" "$scratch/err" | tee "$scratch/all"
    [ $got -eq "$wanted" ] && tail -n 1 "$scratch/out" | grep -qx -e "$last" && grep -qx -e "$line" "$scratch/all"
}
# is_red NAME LINE [COMMAND...]
is_red() {
    name=$1 line=$2
    shift 2
    [ $# -gt 0 ] || set -- tests/run build
    check "$name" ends 1 '[0-9]* passed, [1-9][0-9]* failed' "$line" "$@"
}
export VECTORS=none

# Of these parts a run with a share tries some (docs/testing.md, Samples); each begins with a project of its own.
# Which tests it runs.
choosing() {
    script 'echo 1..1; echo "ok 1 - b"'
    check 'what passes' ends 0 '2 passed, 0 failed' '.*' tests/run build
    printf '#!/bin/sh\nprintf "NAME WHAT\\ntesla a\\nvpu b\\n"\n' >build/weft
    check 'one test by its name' ends 0 '1 passed, 0 failed' '.*fake .*OK.*' tests/run --test fake build
    check 'tests by a glob' ends 0 '1 passed, 0 failed' '.*' tests/run --test '?o*d' build
    check 'tests by two names' ends 0 '2 passed, 0 failed' '.*fake .*OK.*' tests/run --test 'f?ke good' build
    check 'tests by two options' ends 0 '2 passed, 0 failed' '.*fake .*OK.*' tests/run --test fake --test good build
    two_sets() {
        ! tests/run --isa tesla --isa vpu build >"$scratch/all" 2>&1 && grep -q 'isa is given twice' "$scratch/all"
    }
    check 'two sets, of which one would be left out' two_sets
    scripts_of cli
    check 'all scripts that try the command' ends 0 '4 passed, 0 failed' '.*' tests/run build
    check 'one in two of them' ends 0 '2 passed, 0 failed' '.* cli-2 .*OK.*' \
        env WEFT_TEST_COMMANDS=2 WEFT_TEST_TURN=0 tests/run build
    check 'the others' ends 0 '3 passed, 0 failed' '.* cli-3 .*OK.*' \
        env WEFT_TEST_COMMANDS=2 WEFT_TEST_TURN=1 tests/run build
    check 'and it says which' grep -qx "Of the scripts that try the command one in 2, of mpi's and the harness' one in 1, turn 1" "$scratch/all"
    scripts_of mpi
    check 'all scripts that start MPI' ends 0 '4 passed, 0 failed' '.*' tests/run build
    check 'one in three of them' ends 0 '2 passed, 0 failed' '.* mpi-2 .*OK.*' \
        env WEFT_TEST_SHARE=3 WEFT_TEST_TURN=1 tests/run build
    script 'echo 1..1; echo "ok 1 - b"'
    printf '#!/bin/sh\nprintf "NAME WHAT\\ntesla a\\nvpu b\\n"\n' >build/weft
    is_red 'one of two names that no test has' "run: no test has the name 'fade'; the nearest are: fake, good" \
        tests/run --test 'good fade' build
    is_red 'a part of a name' "run: no test has the name 'goo'; the nearest are: good, fake" tests/run --test goo build
    is_red 'what no test has' "run: no test has the name 'fade'; the nearest are: fake, good" tests/run --test fade build
    is_red 'a name with signs in it' "run: no test has the name 'f.ke'; .*" tests/run --test f.ke build
    is_red 'an instruction set without tests' 'run: no test of vpu' tests/run --isa vpu build
    is_red 'what is not an instruction set' "run: 'tesl' is not an instruction set; ISA is one of: tesla vpu" \
        tests/run --isa tesl build
}

# Tests that go wrong.
failing() {
    script 'echo 1..1; echo "not ok 1 - b"'
    is_red 'a case that fails' 'FAILED fake: 1 - b'
    script 'exit 77'
    is_red 'exit status 77' 'FAILED fake: .*exit status 77'
    script 'sleep 1000'
    is_red 'a test that hangs' 'FAILED fake: did not end, or never began'
    script ''
    printf '#!/no/such/shell\n' >fake.sh
    is_red 'a test that does not start' 'FAILED fake: .*'
    project "test('twin', find_program('good.sh'), protocol: 'tap')"
    set_up
    is_red 'two tests that are one' "run: two tests have the command '.*good.sh'"
    project "test('gone', files('gone.sh'), protocol: 'tap')"
    set_up
    is_red 'a project that Meson cannot read' '.*'
    is_red 'a folder without a build' "run: 'nothing' is not a build folder" tests/run nothing
    check 'and it is not made' [ ! -e nothing ]
}

# Reference results.
references() {
    script 'echo 1..1; echo "ok 1 - b"'
    export VECTORS="$scratch/reference"
    is_red 'reference results that nothing reads' 'FAILED vectors-fake: .*'
    echo 'case_ "a value" test "$(cat "$folder/value")" = 1' >tests/vectors/fake.sh
    echo 2 >"$scratch/reference/fake/value"
    is_red 'a reference result that differs' 'FAILED vectors-fake: 1 - a value'
    echo 1 >"$scratch/reference/fake/value"
    check 'a reference result that agrees' ends 0 '3 passed, 0 failed' '.*' tests/run build
    cp tests/vectors/fake.sh one.sh
    cat >tests/vectors/fake.sh <<'READER'
for value in 1 2 3 4 5; do case_ "value $value" true; done
group_begins
for value in 6 7; do case_ "value $value" true; done
group_ends
READER
    # tried PATTERN [NAME=VALUE]...: those values, with these variables.
    tried() {
        pattern=$1
        shift
        env "$@" tests/vectors/run "$scratch/reference" build >"$scratch/all" &&
            [ "$(sed -n 's/^ok .* //p' "$scratch/all" | tr -d '\n')" = "$pattern" ] || { cat "$scratch/all"; return 1; }
    }
    check 'all reference results' tried 1234567
    check 'a third of them' tried 367 WEFT_TEST_SHARE=3 WEFT_TEST_TURN=30
    check 'another' tried 25 WEFT_TEST_SHARE=3 WEFT_TEST_TURN=31
    check 'the rest' tried 14 WEFT_TEST_SHARE=3 WEFT_TEST_TURN=32
    check 'and it says which' grep -qx '# sample: one case in 3, turn 32 .*' "$scratch/all"
    check 'all, where all are asked for' tried 1234567 WEFT_TEST_SHARE=3 WEFT_TEST_ALL=1
    check 'a share of their own: 2 of 7, not 3' ends 0 '4 passed, 0 failed' '.*' \
        env WEFT_TEST_SHARE=2 WEFT_TEST_VECTORS=3 WEFT_TEST_TURN=31 tests/run build
    cp one.sh tests/vectors/fake.sh
    check 'a share in which there is none' ends 0 '2 passed, 0 failed' 'skipped vectors-fake: .*' \
        env WEFT_TEST_SHARE=3 WEFT_TEST_TURN=0 tests/run build
    echo 'exit 0' >>tests/vectors/fake.sh
    is_red 'a reader that ends early' 'FAILED vectors-fake: has no plan .*'
    rm build/tests/script/parse_amber
    is_red 'a program of the readers that was not built' 'FAILED vectors-fake: .*'
    is_red 'a folder of reference results that is not there' '.*' tests/run --only-vectors none build
    export VECTORS=none
}

# What sanitizers find, and warnings of one compiler.
sanitizers() {
    sanitized() { set_up -Db_sanitize=address,undefined; }
    program '#include <stdlib.h>
int main(void) { volatile char *p = malloc(3); p = NULL; return p != NULL; }'
    sanitized
    is_red 'a leak' 'FAILED sanitizer: .*LeakSanitizer.*'
    program '#include <stdlib.h>
int main(void) { char *room = malloc(4); volatile int i = 4; room[i] = 1; i = room[3]; free(room); return i == 99; }'
    sanitized
    is_red 'a write past the end' 'FAILED sanitizer: .*AddressSanitizer.*'
    program '#include <limits.h>
int main(void) { volatile int sum = INT_MAX; sum = sum + 1; return sum == 5; }'
    sanitized
    is_red 'a sum that overflows' 'FAILED fake: 1 - b'
    is_red '.ci/run: a sum that overflows' 'FAILED sanitizer: .*ERROR: AddressSanitizer: ILL .*' .ci/run
    program '#ifdef __clang__
static int unused;
#endif
int main(void) { return 0; }'
    is_red '.ci/run: a warning of one compiler' '== sanitizers' .ci/run
    check '.ci/run: which is told' grep -qx 'sanitizers: does not build' "$scratch/all"
    check '.ci/run: and none of the other' sh -c '! grep -qx "gcc: does not build" "$1"' - "$scratch/all"
}

# Fuzzers.
fuzzers() {
    fuzzer='#include <stddef.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);
int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n) {'
    program 'int main(void) { return 0; }'
    set_up
    echo "$fuzzer return n > 100 && p[0] == 1 ? 1 : 0; }" >tests/fuzz/fuzz_fake.c
    check 'a fuzzer that finds nothing' ends 0 '3 passed, 0 failed' 'fuzz_fake .* executions, found: nothing' \
        tests/run --fuzz 1 build
    echo "$fuzzer if (n > 5 && p[2] == 'h') abort(); return 0; }" >tests/fuzz/fuzz_fake.c
    is_red 'a fuzzer that finds something' 'FAILED fuzz_fake: 1 - .*exit status 77.*' tests/run --fuzz 1 build
    echo "$fuzzer return 1 }" >tests/fuzz/fuzz_fake.c
    is_red 'a fuzzer that does not compile' 'FAILED fuzz_fake: did not end, or never began' tests/run --fuzz 1 build
    is_red 'a fuzzer that is not there' '.*' sh -c 'tests/fuzz/run fuzz_nothing; echo 0 passed, 1 failed; exit 1'
}

for part in choosing failing references sanitizers fuzzers; do
    if of_this_turn; then $part; fi
done

# The others do not look at builds: what makes them does nothing.
mkdir bin
for name in meson ninja; do cp good.sh bin/$name; done
ci_is_red() { is_red ".ci/run: $1" '== sanitizers' env PATH="$PWD/bin:$PATH" .ci/run; }
printf '#!/bin/sh\ncase $* in *sanitizers*) exit 3 ;; esac\necho 5 passed, 0 failed\n' >tests/run
ci_is_red 'a runner that dies'
printf '#!/bin/sh\ncase $* in *sanitizers*) echo 0 passed, 0 failed; exit 1 ;; esac\necho 5 passed, 0 failed\n' >tests/run
ci_is_red 'a stage without tests'
printf '#!/bin/sh\ncase $* in *sanitizers*) exit 0 ;; esac\necho 5 passed, 0 failed\n' >tests/run
ci_is_red 'a stage that counts nothing'
printf '#!/bin/sh\necho $1: one in $WEFT_TEST_SHARE and $WEFT_TEST_COMMANDS, turn $WEFT_TEST_TURN\necho 5 passed, 0 failed\n' >tests/run
check '.ci/run: builds that are made' ends 0 '11 passed, 0 failed' '== sanitizers' env PATH="$PWD/bin:$PATH" .ci/run
shares() {
    WEFT_TEST_TURN=7 PATH="$PWD/bin:$PATH" .ci/run | grep ': one in' >"$scratch/all"
    same "$(printf 'build-ci-%s\n' 'gcc: one in 2 and 1, turn 7' 'sanitizers: one in 8 and 12, turn 8')" "$scratch/all"
}
check '.ci/run: which share each stage tries' shares
printf '#!/bin/sh\ncase $* in *sanitizers*) kill -9 $PPID ;; esac\n' >bin/meson
is_red '.ci/run: builds that end before their time' '== gcc' env PATH="$PWD/bin:$PATH" .ci/run
finish
