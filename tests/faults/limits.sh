#!/usr/bin/env bash
# limits.sh WEFT - jobs and texts that take too much of something on purpose: an error in time that says which limit it
# was, and nothing is left of them.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1
mkdir work && cd work || exit 1

cat >endless.tgsi <<'END'
COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
DCL BUFFER[0]
DCL TEMP[0]
IMM[0] UINT32 {1, 0, 0, 0}
  0: BGNLOOP
  1: UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx
  2: ENDLOOP
  3: STORE BUFFER[0].x, IMM[0].yyyy, TEMP[0].xxxx
  4: END
END
cat >endless.frag.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {1, 0, 0, 0}
  0: BGNLOOP
  1: ADD TEMP[0], TEMP[0], IMM[0]
  2: ENDLOOP
  3: MOV OUT[0], TEMP[0]
  4: END
END
# job LINE...: a job that dispatches the program above, then does the commands.
job() {
    printf '#!amber\nSHADER compute c TGSI\n'
    cat endless.tgsi
    printf 'END\nBUFFER b DATA_TYPE uint32 SIZE 16 FILL 0\nPIPELINE compute p\nATTACH c\nBIND BUFFER b AS storage '
    printf 'DESCRIPTOR_SET 2 BINDING 0\nEND\n'
    printf '%s\n' "$@"
}
job 'RUN p 1 1 1' >endless.amber
job 'RUN p 30000 30000 1' >groups.amber
sed -e '/BGNLOOP/d' -e '/ENDLOOP/d' -e 's/^RUN.*/REPEAT 1000000\nRUN p 1 1 1\nEND/' endless.amber >repeat.amber
sed -e '/BGNLOOP/d' -e '/ENDLOOP/d' groups.amber >many.amber
{
    echo '#!amber'
    for i in 1 2 3 4 5 6 7 8; do echo "BUFFER b$i DATA_TYPE uint32 SIZE 100000000 FILL 7"; done
} >large.amber
awk 'BEGIN { print "FRAG"; print "DCL OUT[0], COLOR"; print "DCL TEMP[0..2]"
             for (i = 0; i < 400000; i++) print "MAD TEMP[0], TEMP[1], TEMP[2], TEMP[0]"
             print "MOV OUT[0], TEMP[0]"; print "END" }' >large.frag.tgsi
printf '.macro again\nagain\n.endm\nagain\n' >macro.vpu
printf '.include "include.vpu"\n' >include.vpu
{ for _ in $(seq 30); do echo '.rept 1000'; done; echo nop; for _ in $(seq 30); do echo .endr; done; } >rept.vpu
awk 'BEGIN { print "COMP"; print "DCL TEMP[0..1]"; for (i = 0; i < 400000; i++) print "ADD TEMP[0], TEMP[0], TEMP[1]"
             print "END" }' >long.tgsi
awk 'BEGIN { for (i = 0; i < 1000000; i++) print "nop" }' >long.vpu

# within SECONDS COMMAND...: it ends with exit status 1 in that time, which is generous: machines are loaded.
within() {
    local seconds=$1
    shift
    status 1 timeout -s KILL "$seconds" "$weft" "$@"
}
late() { within 20 "$@" && says 'the time limit is used up'; }
engines='interp'
"$weft" --version | grep -q 'jit (' && engines='interp jit'

for engine in $engines; do
    check "time: a dispatch, $engine" late run endless.amber --budget 0 --time 0.5 --engine "$engine"
    check 'and the message has its line' says 'endless.amber:1[0-2]:'
    check "time: a program on buffers, $engine" late run endless.tgsi --buffer 0=64:zero --budget 0 --timeout 0.5 \
        --engine "$engine"
    check "time: a picture, $engine" late draw endless.frag.tgsi --size 64x64 --budget 0 --timeout 0.5 \
        --engine "$engine" -o a.png
done
check 'time: a program that takes long to compile' late draw large.frag.tgsi --size 8x8 --timeout 0.3 -o a.png
check 'time: many workgroups' late run groups.amber --budget 0 --time 0.5
check 'time: many workgroups that end' late run many.amber --time 0.5
check 'time: a command again and again' late run repeat.amber --time 0.5

# Nothing is ever written to it, and it is never closed.
mkfifo endless && exec 3<>endless
check 'time: an input that does not end' late check -i tgsi --timeout 0.3 endless
check 'time: a list' late check --list endless --timeout 0.3
check 'nothing is written' [ ! -e a.png ]

check 'budget: a dispatch' within 20 run endless.amber --budget 1000
check 'and the message says so' says 'instruction budget of 1000 used up'
check 'budget: the machine' within 20 boot <(printf '\376\177') --budget 1000
for command in asm dis check explain isa; do
    budget_of() { status 2 "$weft" $command --budget x && says "^weft $command: --budget is a number of instructions, not 'x'$"; }
    check "budget: $command takes one, and looks at it" budget_of
done
sed '/LOOP/d' endless.tgsi >good.tgsi
all_limits() { status 0 "$weft" check good.tgsi --memory 1G --timeout 20 --budget 1000 && silent; }
check 'a command that only reads has all limits' all_limits

limited() { within 30 "$@" && says 'memory'; }
check 'memory: buffers' limited run large.amber --memory 64M
check 'and the message says which' says "with 'b[0-9]' the job's buffers take more than the 67108864 bytes it may"
check 'memory: a long text' limited check --memory 16M long.tgsi
check 'memory: a long text to bytes' limited asm --memory 16M long.vpu -o out.bin
check 'nothing is written' [ ! -e out.bin ]
check 'memory: enough of it' status 0 "$weft" asm --memory 1G long.vpu -o out.bin

for threads in 0 257 1000000000 4294967297; do
    check "threads: $threads" status 2 "$weft" draw endless.frag.tgsi --size 8x8 --threads $threads -o none.png
done
for size in 16385x1 100000x100000 4294967297x1; do
    check "output: a picture of $size" status 2 "$weft" draw endless.frag.tgsi --size $size -o none.png
done

check 'recursion: a macro' within 20 asm macro.vpu -o none.bin
check 'and the message says so' says 'more than 100 deep'
check 'recursion: repetitions' within 20 asm rept.vpu -o none.bin
check 'recursion: a file that includes itself' within 20 asm include.vpu -o none.bin
check 'and the message says so' says 'more than 16 deep'
check 'nothing is left' [ "$(find . -name 'none*' | wc -l)" -eq 0 ]

for value in 0 1 100K x 1T -1 ''; do
    check "--memory '$value' is refused" status 2 "$weft" check long.tgsi --memory "$value"
done
for value in 0 -1 x 1s '' inf nan; do
    check "--timeout '$value' is refused" status 2 "$weft" check long.tgsi --timeout "$value"
done
finish
