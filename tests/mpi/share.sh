#!/usr/bin/env bash
# share.sh WEFT WEFT-MPI SOURCE - a single job is divided over ranks, and gives what weft gives: bytes, messages, counts.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")
weft_mpi=$(realpath "$2")
source=$(realpath "$3")
command -v mpirun >/dev/null || { echo '1..0 # SKIP there is no mpirun'; exit 0; }
cd "$scratch" || exit 1

# What MPI itself keeps until the end of a process is not weft's.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
# shellcheck disable=SC2034 # for tap.sh
looks=
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export EVENT_NOEPOLL=1 # see lists.sh
launch=(mpirun)
if mpirun --version 2>&1 | grep -q 'Open MPI'; then
    # One that ends takes the folder of the others away now and then, if they have one together.
    export OMPI_MCA_orte_tmpdir_base=$scratch
    launch=(mpirun -q --allow-run-as-root --oversubscribe --mca odls_base_sigkill_timeout 0)
fi

# counts FILE: standard error without what the ranks say of themselves, and what clocks say.
counts() { grep -Ev '^(weft-mpi: |(cpu-seconds|programs-compiled|compile-seconds) )' "$1"; }

# same_as_weft RANKS BUFFER ARGUMENT...: exit status, messages, counts, and the bytes of a buffer.
same_as_weft() {
    local ranks=$1 buffer=$2 expected
    shift 2
    "$weft" run "$@" --stats --engine interp --dump "$buffer=one.raw" >one.out 2>one.err </dev/null
    expected=$?
    status $expected timeout 100 "${launch[@]}" -n "$ranks" "$weft_mpi" run "$@" --stats --engine interp \
        --dump "$buffer=all.raw" || return 1
    counts one.err >one.counts
    counts err >all.counts
    diff one.counts all.counts && cmp one.out out && cmp one.raw all.raw
}
divided() { same_as_weft "$@" && { ! grep weft-mpi: err; }; }
whole() { same_as_weft "$@" && says 'nothing in this job can be divided: one of '"$1"' ranks does it'; }

# dispatch STORES: 64 workgroups of 64 invocations, each of which does so with its number in TEMP[0].x.
dispatch() {
    cat <<JOB
#!amber
SHADER compute numbers TGSI
COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL BUFFER[0]
DCL TEMP[0..2]
IMM[0] UINT32 {64, 4, 1, 0}
UMAD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx, SV[1].xxxx
UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy
$1
END
END
BUFFER numbers DATA_TYPE uint32 SIZE 4096 SERIES_FROM 7 INC_BY 1
PIPELINE compute p
  ATTACH numbers
  BIND BUFFER numbers AS storage DESCRIPTOR_SET 2 BINDING 0
END
RUN p 64 1 1
EXPECT numbers IDX 0 EQ ${2:-0}
EXPECT numbers IDX 16380 EQ ${3:-4095}
JOB
}
dispatch 'STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[0].xxxx' >apart.amber
dispatch 'ATOMUADD TEMP[2].x, BUFFER[0], IMM[0].wwww, IMM[0].zzzz' 4103 4102 >atomic.amber
dispatch 'ATOMUADD TEMP[2].x, BUFFER[0], TEMP[1].xxxx, TEMP[0].xxxx' 8 8 >fails.amber
dispatch 'UMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy
STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[0].xxxx' 0 4102 >outside.amber
dispatch 'BGNLOOP
  UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].zzzz
  USGE TEMP[2].y, TEMP[2].xxxx, TEMP[0].xxxx
  UIF TEMP[2].yyyy
    BRK
  ENDIF
ENDLOOP
STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx' 1 >counts.amber

# Neighbours in memory are of different workgroups, so of different ranks.
check 'a dispatch, 2 ranks' divided 2 numbers apart.amber
check 'a dispatch, 7 ranks' divided 7 numbers apart.amber
check 'a dispatch with loops, 3 ranks' divided 3 numbers counts.amber
check 'a dispatch with atomics is not divided' whole 2 numbers atomic.amber
check 'nor are failed expectations another number' whole 3 numbers fails.amber
# Which of the workgroups after the first one that stops have run is not said: the message and the status are.
budget() {
    local run=(run --engine interp --budget 2000 counts.amber) expected
    "$weft" "${run[@]}" >one.out 2>one.err
    expected=$?
    [ "$expected" -ne 0 ] && grep -q budget one.err &&
        status "$expected" timeout 100 "${launch[@]}" -n 3 "$weft_mpi" "${run[@]}" || return 1
    counts err | diff one.err - && cmp one.out out
}
check 'a budget that is used up by some workgroups' budget
outside() { same_as_weft 3 numbers outside.amber && grep -q outside err; }
check 'stores outside of a buffer are counted once' outside
check 'a draw, 2 ranks' divided 2 picture "$source/examples/amber/shadow-map.amber"
check 'a draw, 5 ranks' divided 5 picture "$source/examples/tgsi/torus.amber" --files-from "$source/examples"
check 'too little to divide' whole 2 b "$source/tests/mpi/little.amber"

# One rank stops: because its script is another one, or because of what it cannot do. The others do all of it.
mkdir wrong
echo nonsense >wrong/apart.amber
leaves() {
    local run=("$weft_mpi" run --engine interp --dump numbers=all.raw apart.amber)
    "$weft" run --engine interp --dump numbers=one.raw apart.amber || return 1
    rm -f all.raw
    # shellcheck disable=SC2016 # for the inner shell
    status 0 timeout 100 "${launch[@]}" -n 1 "${run[@]}" : -n 1 sh -c 'cd "$0" && exec "$@"' "$1" "${run[@]}" "${@:2}" : \
        -n 1 "${run[@]}" && cmp one.raw all.raw
}
check 'a rank that leaves at once' leaves wrong
check 'a rank that stops in its part' leaves . --budget 1
finish
