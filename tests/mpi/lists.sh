#!/usr/bin/env bash
# lists.sh WEFT WEFT-MPI - weft-mpi gives what weft gives, with 2 ranks and with many, and after ranks were killed.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")
weft_mpi=$(realpath "$2")
command -v mpirun >/dev/null || { echo '1..0 # SKIP there is no mpirun'; exit 0; }
cd "$scratch" || exit 1

# What MPI itself keeps until the end of a process is not weft's.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
# shellcheck disable=SC2034 # for tap.sh
looks=
export OMPI_MCA_btl_vader_single_copy_mechanism=none
# Open MPI's mpirun closes files of processes that end while epoll has them; libevent then writes "[warn] Epoll MOD(1)".
export EVENT_NOEPOLL=1
launch=(mpirun)
slow=(mpirun) # where a rank dies: mpirun does not take it well when it may not wait
if mpirun --version 2>&1 | grep -q 'Open MPI'; then
    # One that ends takes the folder of the others away now and then, if they have one together.
    export OMPI_MCA_orte_tmpdir_base=$scratch
    slow=(mpirun -q --allow-run-as-root --oversubscribe)
    launch=("${slow[@]}" --mca odls_base_sigkill_timeout 0)
fi

# A rank takes seconds to begin and end with a sanitizer, and a tenth of a second without; a run with a share has a few.
many=16
[ -z "${WEFT_TEST_SANITIZED:-}" ] && [ "${WEFT_TEST_SHARE:-1}" = 1 ] || many=5

# same EXPECTED CAME: the files are equal; if not, the first lines that differ are said.
same() { cmp -s "$1" "$2" || { diff "$1" "$2" | head -n 20; return 1; }; }

# same_as_weft RANKS ARGUMENT...: standard output, standard error and exit status. -o OUT comes first, if at all.
same_as_weft() {
    ranks=$1
    shift
    "$weft" "$@" >out1 2>err1 </dev/null
    expected=$?
    [ "$1$2" != dis-o ] && [ "$1$2" != asm-o ] || mv "$3" file1
    status $expected timeout 100 "${launch[@]}" -n "$ranks" "$weft_mpi" "$@" && same out1 out && same err1 err || return 1
    [ "$1$2" != dis-o ] && [ "$1$2" != asm-o ] || cmp file1 "$3"
}

# ---- small programs, some of them wrong ----
program() { printf 'FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 1.0, 0.5, %s, 1.0 }\n  0: %s OUT[0], IMM[0]\n  1: END\n' "$1" "$2"; }
for n in $(seq 400); do
    case $n in 7 | 200 | 399) program "$n" MOVV ;; 300) program "$n" 'MOV TEMP[2],' ;; *) program "$n" MOV ;; esac >"$n.tgsi"
    echo "$n.tgsi"
done >programs
rm 123.tgsi
echo bad.extension >>programs
check 'check, 2 ranks' same_as_weft 2 check --list programs
check "check --json, $many ranks" same_as_weft $many check --list programs --json
for n in $(seq 2000); do echo "mov b32 \$r$((n % 60)) \$r$((n % 7))"; done | sed '7s/mov/mvo/; 900,1100s/mov/movv/; 13s/.*//' >lines.txt
check "asm --each, $many ranks" same_as_weft $many asm -o hex.out -i tesla -f hex --each lines.txt
"$weft" asm -i tesla -f hex --each lines.txt 2>/dev/null | sed '77s/^/x/' >lines.hex
check 'dis --each, 2 ranks' same_as_weft 2 dis -o text.out -i tesla -f hex --each lines.hex
wrong() { same_as_weft 2 check --frob; }
check 'a wrong option is said once' wrong
twice() { same_as_weft 2 run --threads 1 --threads 2 a.amber; }
check 'threads that are asked for twice' twice
misspelt() { status 2 "${launch[@]}" -n 1 "$weft_mpi" chekc && says "did you mean 'check'"; }
check 'a command that is misspelt' misspelt
standard() {
    program 5 MOVV | "$weft" check -i tgsi 1.tgsi - 7.tgsi >out1 2>err1
    program 5 MOVV | "${launch[@]}" -n 3 "$weft_mpi" check -i tgsi 1.tgsi - 7.tgsi >out 2>err
    [ $? -eq 1 ] && cmp out out1 && cmp err err1
}
check 'standard input is one of the items' standard
alone() { status 1 "${launch[@]}" -n 2 "$weft_mpi" check 7.tgsi && says 'one of 2 ranks does it' && says "opcode 'MOVV'"; }
check 'one item is done by one rank, and it says so' alone

# ---- jobs that take long enough for a rank to be killed meanwhile ----
# job N TURNS: a job that counts to TURNS; one in nine expects something else.
job() {
    cat <<JOB
#!amber
SHADER compute count TGSI
COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 1
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 {0, 1, $2, $1}
MOV TEMP[0].x, IMM[0].xxxx
BGNLOOP
  UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  USGE TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz
  UIF TEMP[1].xxxx
    BRK
  ENDIF
ENDLOOP
UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww
STORE BUFFER[0].x, IMM[0].xxxx, TEMP[0].xxxx
END
END
BUFFER b DATA_TYPE uint32 SIZE 1 FILL 0
PIPELINE compute p
  ATTACH count
  BIND BUFFER b AS storage DESCRIPTOR_SET 2 BINDING 0
END
RUN p 1 1 1
EXPECT b IDX 0 EQ $(($1 % 9 == 4 ? 5 : $2 + $1))
JOB
}
# takes TURNS: the milliseconds that such a job needs.
takes() {
    job 1 "$1" >one.amber
    local began
    began=$(date +%s%N)
    "$weft" run --engine interp --budget 0 one.amber >out || return 1
    echo $((($(date +%s%N) - began) / 1000000))
}
# A sanitizer makes turns ten times as slow: as many as take 80 ms.
start=$(takes 1)
turns=62500
until [ "$turns" -ge 2000000 ] || [ "$(takes $turns)" -ge $((start + 80)) ]; do turns=$((turns * 2)); done
for n in $(seq 48); do
    job "$n" "$turns" >"$n.amber"
    echo "$n.amber"
done >jobs.list
run=(run --engine interp --budget 0 --threads 1 --list jobs.list)
"$weft" "${run[@]}" >all.out 2>all.err
[ $? -eq 3 ] || { echo "Bail out! the jobs do not run: $(head -n 3 all.err)"; exit 1; }
# messages_of FILE: without "weft: 30 of 48, 0.5/s, 36 s left", which comes once a minute on a machine that is slow.
messages_of() { grep -Ev '^weft: [0-9]+ of [0-9]+(,|$)' "$1"; }
messages_of all.err >all.messages
# same_messages: those of standard error, but for the line about the journal.
same_messages() { sed 1d err >rest && messages_of rest >rest.messages && same all.messages rest.messages; }

# items JOURNAL: "FIRST COUNT" of each record.
items() {
    grep -abo weftitem "$1" | cut -d: -f1 | while read -r at; do
        od -An -t u8 -j $((at + 24)) -N 16 "$1"
    done | awk '{ print $1, $2 }'
}
# each_once JOURNAL: all 48 jobs are there, and none twice.
each_once() { items "$1" | awk '{ for (i = 0; i < $2; i++) seen[$1 + i]++ } END { for (i in seen) { n++; if (seen[i] > 1) exit 1 } exit n != 48 }'; }

# killed_once RANKS RANK: a run that loses a rank when the journal has some jobs; 2 when they were all done by then, as on a
# busy machine, where to look takes longer than to do them.
killed_once() {
    rm -f j pid.*
    # shellcheck disable=SC2016 # for the inner shell
    timeout 100 "${slow[@]}" -n "$1" sh -c 'echo $$ >"pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"; exec "$@"' \
        sh "$weft_mpi" "${run[@]}" --resume j >out 2>err </dev/null &
    runner=$!
    for _ in $(seq 3000); do
        [ -s j ] && [ -s "pid.$2" ] && [ "$(grep -abo weftitem j | wc -l)" -ge 2 ] && break
        sleep 0.01
    done
    read -r pid <"pid.$2" && kill -9 "$pid"
    wait $runner
    ended=$?
    cp j j.killed
    had=$(items j.killed | awk '{ n += $2 } END { print n }')
    [ "$had" -lt 48 ] || return 2
    [ "$ended" -ne 0 ] || { echo 'the run did not end with its rank'; return 1; }
    [ "$had" -ge 2 ] || { echo "it had $had jobs"; return 1; }
}
killed() {
    for _ in 1 2 3 4 5; do
        killed_once "$@"
        how=$?
        [ $how -eq 2 ] || return $how
    done
    echo 'the jobs were done before the rank was killed, five times'
    return 1
}
# resumes RANKS: a run that does the rest.
resumes() {
    status 3 timeout 100 "${launch[@]}" -n "$1" "$weft_mpi" "${run[@]}" --resume j && cmp out all.out &&
        says "^weft: 'j' has [0-9]+ of 48 items$" && same_messages && each_once j &&
        head -c "$(wc -c <j.killed)" j | cmp - j.killed
}
check '2 ranks: rank 1 is killed' killed 2 1
check '2 ranks: the rest' resumes 2
check "$many ranks: one of them is killed" killed $many $((RANDOM % many))
check "$many ranks: the rest" resumes $many
# What weft-mpi began, weft can end.
by_weft() { cp j.killed j && status 3 "$weft" "${run[@]}" --resume j && same_messages && each_once j; }
check 'weft does the rest' by_weft
finish
