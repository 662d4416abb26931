#!/usr/bin/env bash
# alone.sh WEFT WEFT-MPI - what weft-mpi says of itself, and what one rank of several says.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")
weft_mpi=$(realpath "$2")
command -v mpirun >/dev/null || { echo '1..0 # SKIP there is no mpirun'; exit 0; }
cd "$scratch" || exit 1

# As in lists.sh.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
# shellcheck disable=SC2034 # for tap.sh
looks=
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export EVENT_NOEPOLL=1
launch=(mpirun)
if mpirun --version 2>&1 | grep -q 'Open MPI'; then
    # One that ends takes the folder of the others away now and then, if they have one together.
    export OMPI_MCA_orte_tmpdir_base=$scratch
    launch=(mpirun -q --allow-run-as-root --oversubscribe --mca odls_base_sigkill_timeout 0)
fi
ranks() { timeout 100 "${launch[@]}" -n "$1" "$weft_mpi" "${@:2}"; }

nothing() { status 2 "$weft_mpi" && says '^usage: mpirun -n N weft-mpi COMMAND' && [ ! -s out ]; }
check 'without a command it says how it is used' nothing
help() { status 0 ranks 2 help && silent && [ "$(grep -c '^usage:' out)" = 1 ] && prints '^  dis  '; }
check 'help is said by one rank' help
version() {
    status 0 ranks 2 --version && silent && [ "$(wc -l <out)" = 2 ] && prints '^MPI: .' &&
        [ "$(head -n 1 out)" = "weft-mpi $("$weft" --version | head -n 1 | sed 's/^weft //')" ]
}
check 'its version is that of weft, and MPI has one' version
unknown() {
    status 2 "$weft_mpi" draw a.tgsi && same "weft-mpi: the commands are run, check, asm and dis, not 'draw'" err
}
check 'a command of weft that has no list' unknown
explained() { "$weft" help check | tail -n +2 >check.help && status 0 "$weft_mpi" check --help && tail -n +2 out | diff check.help -; }
check 'options are explained as weft does' explained
no_job() { "$weft" run 2>err1; status 2 ranks 2 run && diff err1 err; }
check 'what weft refuses is refused once' no_job

# A job by one rank, without a second: nothing is said of ranks.
cat >one.amber <<'JOB'
#!amber
SHADER compute numbers TGSI
COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 {64, 4, 1, 0}
UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx
UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy
STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[0].xxxx
END
END
BUFFER numbers DATA_TYPE uint32 SIZE 4096 FILL 0
PIPELINE compute p
  ATTACH numbers
  BIND BUFFER numbers AS storage DESCRIPTOR_SET 2 BINDING 0
END
RUN p 64 1 1
EXPECT numbers IDX 16380 EQ 4095
JOB
sed 's/^EXPECT.*/RUN p 1 1 1\n&/' one.amber >two.amber
one() { status 0 "$weft_mpi" run one.amber --dump numbers=a.raw && silent && "$weft" run one.amber --dump numbers=b.raw && cmp a.raw b.raw; }
check 'a job on one rank' one
part() { status 0 ranks 3 run two.amber && same 'weft-mpi: 1 of 2 draws and dispatches are not divided among 3 ranks' err; }
check 'a dispatch of one workgroup is not divided, and that is said' part

# A journal of another list is refused by the rank that leads, and the others end.
printf 'FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 1.0, 0.5, 0.0, 1.0 }\n  0: MOV OUT[0], IMM[0]\n  1: END\n' >1.tgsi
cp 1.tgsi 2.tgsi
printf '1.tgsi\n2.tgsi\n' >both
printf '2.tgsi\n1.tgsi\n1.tgsi\n' >other
journal() {
    status 0 ranks 2 check --list both --resume j && cp j j1 && "$weft" check --list other --resume j 2>err1
    refused=$?
    [ $refused -ne 0 ] && status $refused ranks 2 check --list other --resume j && diff err1 err && cmp j j1
}
check 'a journal of another list' journal
finish
