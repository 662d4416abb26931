#!/bin/sh
# boot.sh WEFT - weft boot: why a program stops, and what is told of it.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")

assemble() { printf '%s\n' "$2" >"$scratch/$1.vpu" && "$weft" asm -i vpu "$scratch/$1.vpu" -o "$scratch/$1.bin"; }

# boots STATUS NAME TEXT OPTION...
boots() {
    expected=$1 name=$2
    assemble "$2" "$3" || return 1
    shift 3
    status "$expected" timeout 60 "$weft" boot "$@" "$scratch/$name.bin"
}
holds() { [ "$(od -An -v -tx1 "$1" | tr -d ' \n')" = "$2" ] || { od -An -tx1 "$1"; return 1; }; }

check 'sleep with r0 = 0' boots 0 fine 'mov r0, 0
sleep'
check 'sleep with another r0' boots 1 bad 'mov r0, 7
sleep'
check 'is told' says '^weft boot: sleep at 0x2, r0 = 0x7$'
check 'bkpt' boots 1 bkpt 'nop
bkpt'
check 'is told' says '^weft boot: bkpt at 0x2$'
check 'an exception without a handler' boots 1 zero 'mov r1, 0
div.uu r0, r0, r1'
check 'is told' says '^weft boot: exception 2 \(division by zero\) at 0x2, which has no handler$'
check 'and the instruction there' says '^weft boot: at 0x2: div.uu r0,r0,r1$'
check 'illegal memory' boots 1 illegal 'mov r1, 0x70000000
ld r0, (r1)'
check 'is told with its address' says '^weft boot: exception 5 \(illegal memory: 0x70000000\) at 0x6, which has no handler$'
check 'an image beyond the memory' boots 1 beyond 'nop' --load 0xfffffffe
check 'is told with the memory that there is' says 'error: there is no memory for the 2 bytes of the image at 0xfffffffe: there are 128 MiB'
check 'a jump to nowhere' boots 1 nowhere 'mov r1, 0x70000000
b r1'
check 'is told too' says '^weft boot: exception 5 \(illegal memory.*\) at 0x70000000, which has no handler$'
named() {
    printf '%s\n' 'mov sp, 0x8000' 'bl work' 'sleep' 'work: mov r1, 0x70000000' 'st r1, (r1)' 'rts' >"$scratch/named.vpu"
    "$weft" asm -i vpu -f elf "$scratch/named.vpu" -o "$scratch/named.elf" || return 1
    status 1 "$weft" boot --trace "$scratch/named.trace" "$scratch/named.elf" &&
        says '^weft boot: at 0x[0-9a-f]+, work [+] 0x6: st r1,\(r1\)$' && grep -q '"text":"bl work"' "$scratch/named.trace"
}
check 'an ELF file has names for where it stops and what it calls' named
check 'ldm with sr and pc' boots 0 list 'mov sp, 0x8000
cmp r1, r1
bl function
beq equal
bkpt
equal: mov r0, 0
sleep
function: stm gp-sr,lr,(--sp)
cmp r0, 1
ldm gp-sr,pc,(sp++)'
check 'a limit' boots 1 endless 'loop: add r0, 1
b loop' --limit 12345
check 'is exact' says '^weft boot: stopped at 0x2 after 12345 instructions$'
check 'code of more blocks than are translated at once' boots 0 blocks 'mov r0, 0
mov r1, 0
mov r2, 1500
cmp r1, 1
.rept 1500
beq bad
add r0, 1
.endr
sub r0, r2
sleep
bad: bkpt'
check 'registers' boots 0 regs 'mov r7, 0x1234
mov r0, 0
sleep' --regs
check 'are printed' prints 'r7 +00001234'
check 'memory' boots 0 dump 'mov r1, 0x1000
mov r2, 0x12345678
st r2, (r1)
mov r0, 0
sleep' --dump "0x1000:5=$scratch/memory" --dump "0xc0001002:1=$scratch/alias"
check 'is written' holds "$scratch/memory" 7856341200
check 'through any alias' holds "$scratch/alias" 34
check 'a program is loaded anywhere' boots 1 there 'nop
bkpt' --load 0x80100000
check 'and entered there' says '^weft boot: bkpt at 0x80100002$'
check 'and anywhere else' boots 1 inside 'bkpt
nop
bkpt' --load 0x100 --entry 0x102
check 'where --entry says' says '^weft boot: bkpt at 0x104$'
check 'but at even addresses' boots 2 odd 'bkpt' --entry 3
check 'registers have values at the start' boots 0 values 'cmp sp, 0x40
bne wrong
cmp r3, 7
bne wrong
mov r0, 0
wrong: sleep' --set sp=0x40 --set r3=7 --set r0=1
check 'a register that is none' boots 2 none bkpt --set r31=0
check 'is told' says "^weft boot: --set is REG=VALUE with a register r0 to r30, gp, sp, lr or sr and 32 bits, not 'r31=0'$"

# A trace has all instructions, and the program does what it does without one, interrupts too.
"$weft" asm "$(dirname "$0")/../../examples/vpu/timer.vpu" -o "$scratch/timer.bin"
traces() {
    "$weft" boot "$scratch/timer.bin" --regs >"$scratch/plain" 2>&1 </dev/null &&
        "$weft" boot "$scratch/timer.bin" --regs --trace "$scratch/steps" >"$scratch/traced" 2>&1 </dev/null &&
        cmp "$scratch/plain" "$scratch/traced"
}
check 'a trace changes nothing' traces
counts() {
    status 0 "$weft" boot "$scratch/timer.bin" --stats </dev/null
    grep -q "^weft boot: $(wc -l <"$scratch/steps") instructions" "$scratch/err"
}
check 'and has a line for each instruction' counts
standard() {
    status 2 "$weft" boot "$scratch/timer.bin" --trace - </dev/null && says 'give --uart FILE$' &&
        status 0 "$weft" boot "$scratch/timer.bin" --trace - --uart "$scratch/said" </dev/null &&
        cmp "$scratch/out" "$scratch/steps" && [ -s "$scratch/said" ]
}
check 'or on standard output, without the UARTs' standard
# An interrupt in the middle of straight code: its place, and the handler's first instruction, are in the trace.
cat >"$scratch/tick.vpu" <<'EOF'
        mov     sp, 0x8000
        lea     r0, table
        mov     r1, 0x7e002000
        st      r0, (r1+0x30)
        mov     r0, 1
        st      r0, (r1+0x10)
        mov     r1, 0x7e003000
        mov     r0, 3
        st      r0, (r1+0xc)
        ei
again:  .rept   50
        add     r7, 1
        .endr
        b       again
handler: ld     r0, (sp+4)
        bkpt
        .align  9
table:  .fill   64,4,0
        .long   handler
        .fill   63,4,0
EOF
"$weft" asm "$scratch/tick.vpu" -o "$scratch/tick.bin"
interrupted() {
    "$weft" boot "$scratch/tick.bin" --regs >"$scratch/plain" 2>&1 </dev/null
    "$weft" boot "$scratch/tick.bin" --regs --trace "$scratch/steps" >"$scratch/traced" 2>&1 </dev/null
    cmp "$scratch/plain" "$scratch/traced" && grep -q '"text":"ld r0,(sp+0x4)","results":{"r0":' "$scratch/steps"
}
check 'nor where an interrupt comes' interrupted
check 'none where it cannot be written' status 1 "$weft" boot "$scratch/timer.bin" --trace /nowhere/steps
check 'and says so' says "^weft: cannot write '/nowhere/steps': No such file"
check 'nor with a debugger' boots 2 both bkpt --trace "$scratch/steps" --gdb 0
check 'unknown peripherals do no harm' boots 0 unknown 'mov r1, 0x7e888000
ld r0, (r1)
st r0, (r1 + 4)
sleep' --log
check 'and are told when asked' says 'store of .* 7e888004'

# The value that the counter has already comes again after 2^32 microseconds.
check 'a match that is a whole turn away' boots 0 turn 'mov r1, 0x7e003000
mov r0, 0
st r0, (r1 + 0x10)
mov r2, 0x7e002000
mov r0, 0x10
st r0, (r2 + 0x10)
sleep
ld r0, (r1)
and r0, 2
eor r0, 2
ld r2, (r1 + 8)
cmp r2, 1
add.ne r0, r0, 16
mov r3, 0
mov r2, 0x7e002000
st r3, (r2 + 0x10)
sleep'
check 'options: an address' status 2 "$weft" boot --load x "$scratch/fine.bin"
check 'options: a dump' status 2 "$weft" boot --dump 1:2 "$scratch/fine.bin"
printf 'mov r0, 0\nsleep\n' >"$scratch/text.vpu"
boot_text() {
    "$weft" boot --limit 100 "$scratch/text.vpu" >"$scratch/out" 2>&1
    [ $? -eq 1 ] && grep -q "is text: 'weft asm" "$scratch/out" && [ "$(wc -l <"$scratch/out")" -eq 1 ]
}
check 'a program that is not assembled yet is not run' boot_text

table='mov r1, 0x7e002000
mov r2, 0x1000
st r2, (r1+0x30)'
check 'bkpt with a handler' boots 0 handler "$table
mov sp, 0x8000
mov r0, 1
bkpt
.org 0x800
h: mov r0, 0
sleep
.org 0x1034
.long h"
check 'a handler without a stack' boots 1 nostack "$table
swi 2
.org 0x800
h: sleep
.org 0x1088
.long h"
check 'is told as such' says '^weft boot: exception 34 \(software interrupt\) at 0xe, whose handler has no stack: pc and sr cannot be pushed below 0x0$'
check 'an interrupt without a handler' boots 1 nohandler "$table
mov r0, 0x10000000
st r0, (r1+0x10)
mov r0, 0x80
st r0, (r1+0x48)
ei
nop
loop: b loop" --limit 100000
check 'is told' says '^weft boot: interrupt 71 \(interrupt\) at 0x[0-9a-f]+, which has no handler$'

# What is sent without a newline is seen at once when the program waits for an answer, and in a while when it computes.
prompt='mov r1, 0x7e215000
mov r0, 1
st r0, (r1+4)
mov r0, 62
st r0, (r1+0x40)'
assemble asks "$prompt
wait: ld r0, (r1+0x54)
btest r0, 0
beq wait
ld r0, (r1+0x40)
mov r0, 0
sleep"
assemble computes "$prompt
loop: b loop"
# shows PROGRAM SIGNAL: its prompt within seconds, and it ends.
shows() {
    mkfifo "$scratch/in.$1" && : >"$scratch/out.$1"
    timeout 60 "$weft" boot "$scratch/$1.bin" <"$scratch/in.$1" >"$scratch/out.$1" 2>/dev/null &
    program=$!
    exec 3>"$scratch/in.$1"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -s "$scratch/out.$1" ] && break
        sleep 0.5
    done
    prompted=$(cat "$scratch/out.$1")
    [ -n "$2" ] && kill "-$2" "$program"
    echo x >&3
    exec 3>&-
    wait "$program"
    [ "$prompted" = '>' ]
}
check 'a prompt is seen before the answer' shows asks ''
check 'a prompt is seen while the program computes' shows computes TERM
check 'no program' status 2 "$weft" boot
check 'a program that is not there' status 1 "$weft" boot "$scratch/none"

# A loop that is long enough to be compiled, by each engine: the same registers at the same instruction.
assemble loops 'mov r6, 5000000
mov r8, 0x4000
lp: ld r4, (r8+8)
add r3, r4
eor r3, r6
st r3, (r8+8)
addcmpbne r6, -1, 0, lp
mov r0, 0
sleep'
"$weft" boot --engine interp --regs --limit 24000017 "$scratch/loops.bin" >"$scratch/wanted" 2>&1
runs_same() {
    "$weft" boot --engine "$1" --regs --limit 24000017 "$scratch/loops.bin" >"$scratch/got" 2>&1
    cmp "$scratch/got" "$scratch/wanted"
}
engines='auto interp'
"$weft" --version | grep -q '^engines: .*jit' && engines="$engines jit"
for engine in $engines; do
    check "--engine $engine" status 0 "$weft" boot --engine "$engine" "$scratch/fine.bin"
    check "--engine $engine in a loop" runs_same "$engine"
done
no_jit() { status 2 "$weft" boot --engine "$1" "$scratch/fine.bin" && says "$2"; }
if "$weft" --version | grep -q '^engines: .*jit'; then
    check 'what --engine jit compiled' status 0 "$weft" boot --engine jit --stats "$scratch/loops.bin"
    check 'and says' says '^programs-compiled 1$'
    check 'nothing with interp' status 0 "$weft" boot --engine interp --stats "$scratch/loops.bin"
    check 'and says so' says '^programs-compiled 0$'
else
    check '--engine jit is refused' no_jit jit 'this weft has no JIT'
fi
check 'an engine that is none' no_jit fast "--engine is auto, interp or jit, not 'fast'"

# What nobody has read yet when the program ends is kept for a while. The program waits for a byte, so that its reader is
# there whatever else the machine does.
assemble says_hi 'mov r1, 0x7e215000
mov r0, 1
st r0, (r1+4)
wait: ld r0, (r1+0x54)
btest r0, 0
beq wait
ld r0, (r1+0x40)
mov r0, 0x68
st r0, (r1+0x40)
mov r0, 0x69
st r0, (r1+0x40)
mov r0, 0
sleep'
# A subshell opens the terminal: under Meson this shell leads its processes, and a terminal that a leader opens becomes its
# own. The end of that terminal would end the shell.
reads_hi() (
    exec 4<>"$other" || exit 1
    timeout 50 dd bs=1 count=2 <&4 >"$scratch/got" 2>"$scratch/dd" &
    sleep 0.5
    printf x >&4
    wait
)
terminal() {
    timeout 60 "$weft" boot --uart pty "$scratch/says_hi.bin" 2>"$scratch/pty" &
    booted=$!
    while ! grep -q 'the UART is .' "$scratch/pty" && kill -0 $booted 2>/dev/null; do sleep 0.1; done
    other=$(sed -n 's/^weft boot: the UART is //p' "$scratch/pty")
    reads_hi || return 1
    wait $booted
    [ "$(cat "$scratch/got")" = hi ] || { cat "$scratch/pty" "$scratch/dd"; return 1; }
}
check 'a pseudo-terminal' terminal
finish
