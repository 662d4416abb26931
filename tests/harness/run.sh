#!/bin/sh
# run.sh SOURCE - tests/run over a small project of its own, with tests of each kind broken on purpose: it ends with a failure.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
source=$(realpath "$1")
cd "$scratch" || exit 1
unset ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS VECTORS WEFT_SHARED MESON_TESTTHREADS

mkdir -p project/tests/vectors project/tests/fuzz
for file in run tap count.awk names.awk vectors/run vectors/pictures.sh; do
    cp "$source/tests/$file" "project/tests/$file"
done
cd project || exit 1

# project BODY: the project has these tests, on top of one that passes.
project() {
    rm -rf build
    printf '#!/bin/sh\necho 1..1\necho "ok 1 - a"\n' >good.sh
    chmod +x good.sh
    { echo "project('fake'${2:-})"; echo "test('good', find_program('good.sh'), protocol: 'tap')"; echo "$1"; } >meson.build
    meson setup build -Db_sanitize="${3:-none}" >"$scratch/setup" 2>&1 && ninja -C build --quiet >>"$scratch/setup" 2>&1
}
# script TEXT: a test of the project, in shell.
script() {
    printf '#!/bin/sh\n%s\n' "$1" >fake.sh
    chmod +x fake.sh
    project "test('fake', find_program('fake.sh'), protocol: 'tap', timeout: 1)"
}
# ends STATUS LAST [LINE]: tests/run ends so.
ends() {
    wanted=$1 last=$2 line=${3:-$2}
    VECTORS=${vectors:-none} timeout 100 tests/run build >"$scratch/out" 2>"$scratch/err"
    got=$?
    cat "$scratch/out" "$scratch/err"
    [ $got -eq "$wanted" ] && [ "$(tail -n 1 "$scratch/out")" = "$last" ] && grep -qF -e "$line" "$scratch/out"
}

script 'echo 1..1; echo "ok 1 - b"'
check 'what passes' ends 0 '2 passed, 0 failed'
script 'echo 1..1; echo "not ok 1 - b"'
check 'a case that fails' ends 1 '1 passed, 1 failed' 'FAILED fake: 1 - b'
script 'exit 77'
check 'exit status 77' ends 1 '1 passed, 1 failed' 'exit status 77'
project "test('fake', find_program('good.sh'), args: 'x', protocol: 'tap')
test('gone', files('gone.sh'), protocol: 'tap')"
check 'a project that meson cannot read' ends 1 '0 passed, 1 failed'
script 'sleep 1000'
sed -i 's/timeout-multiplier 10/timeout-multiplier 1/' tests/run
check 'a test that hangs' ends 1 '1 passed, 1 failed' 'FAILED fake: did not end, or never began'
cat >fake.sh <<'SCRIPT'
#!/no/such/shell
SCRIPT
check 'a test that does not start' ends 1 '1 passed, 1 failed' 'FAILED fake: '
finish
