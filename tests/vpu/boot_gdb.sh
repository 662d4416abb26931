#!/bin/sh
# boot_gdb.sh WEFT CLIENT SOURCE - weft boot --gdb: what a debugger sees of the hello example, by scripts of tests/vpu/gdb_client.c.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")
client=$(realpath "$2")
cd "$3" || exit 1

# debug STATUS PROGRAM OPTION...: boot it, let the client of standard input's script talk to it; the exit status is STATUS.
debug() {
    expected=$1 image=$2
    shift 2
    cat >"$scratch/script"
    : >"$scratch/err"
    timeout 60 "$weft" boot --gdb 0 "$@" "$scratch/$image.bin" >"$scratch/out" 2>"$scratch/err" </dev/null &
    booted=$!
    port=
    for _ in $(seq 400); do
        port=$(sed -n 's/.*waiting for a debugger on 127\.0\.0\.1:\([0-9]*\)$/\1/p' "$scratch/err")
        [ -n "$port" ] && break
        sleep 0.01
    done
    "$client" "${port:-1}" <"$scratch/script"
    talked=$?
    wait $booted
    got=$?
    [ $talked -eq 0 ] || { cat "$scratch/err"; return 1; }
    [ $got -eq "$expected" ] || { echo "exit status $got, expected $expected"; cat "$scratch/err"; return 1; }
}

assemble() { printf '%s\n' "$2" >"$scratch/$1.vpu" && "$weft" asm -i vpu "$scratch/$1.vpu" -o "$scratch/$1.bin"; }

check 'the example' "$weft" asm -i vpu examples/vpu/hello.vpu -o "$scratch/hello.bin"

questions() {
    debug 1 hello <<'S'
> qSupported:multiprocess+;swbreak+
< PacketSize=*;qXfer:features:read+;*swbreak+*
> qXfer:features:read:target.xml:0,fff
< m<[?]xml*org.weft.vpu.scalar*<reg name="r0"*<reg name="sp"*<reg name="pc"*
> qXfer:features:read:target.xml:fffffff,fff
< E*
> qXfer:features:read:other.xml:0,fff
< E00
> qAttached
< 1
> qfThreadInfo
< m1
> Hg0
< OK
> ?
< T051f:00000000;thread:1;
> vMustReplyEmpty
< 
> vCont?
< vCont;c;C;s;S
> QStartNoAckMode
< OK
no-ack
> qC
< QC1
> k
S
}
check 'questions, and a target description' questions

steps() {
    debug 0 hello <<'S'
> p1f
< 00000000
> s
< T051f:06000000;thread:1;
# sp is set
> p19
< 00800000
> s
< T051f:16000000;thread:1;
# bl has left the address after it
> p1a
< 0a000000
> vCont;s:1;c
< T051f:1c000000;thread:1;
> p0
< 0400207e
> m0,6
< 19e800800000
> c
< W00
S
}
check 'single steps of the hello example' steps
check 'and what it printed' prints '^Hello from the VPU$'
check 'and how it ended' says '^weft boot: sleep at 0x14, r0 = 0x0$'

breaks() {
    debug 0 hello <<'S'
> qSupported:swbreak+
< *
# the second call, and once more after it
> Z0,e,2
< OK
> c
< T051f:0e000000;thread:1;swbreak:;
> z0,e,2
< OK
> Z1,14,2
< OK
> c
< T051f:14000000;thread:1;swbreak:;
> z1,14,2
< OK
> z1,14,2
< E01
> c
< W00
S
}
check 'breakpoints' breaks

changes() {
    debug 1 hello <<'S'
> P5=78563412
< OK
> p5
< 78563412
> P20=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
< OK
> p20
< 00112233445566778899aabbccddeeff*
> p60
< E01
> M1000,4:0a0b0c0d
< OK
> m1000,5
< 0a0b0c0d00
> X1004,2:}]x
< OK
> m1004,2
< 7d78
> m7e000000,4
< E01
> m1000
< E01
# mov r0,1 in place of mov r0,0: the program is translated again
> Z0,12,2
< OK
> c
< T*1f:12000000;*
> M12,2:1060
< OK
> z0,12,2
< OK
> c
< W01
S
}
check 'memory and registers are changed' changes
check 'and so is what the program does' says 'r0 = 0x1$'

# All registers at once: 32 of 4 bytes, then 64 rows of 64. What is there comes back, but for one that is changed; and a
# program goes on elsewhere, with a signal that the machine does not have.
whole() {
    zeros=$(printf '%08400d' 0)
    scalars() { printf '00000000%.0s' $(seq "$1"); }
    debug 0 hello <<S
> G$(scalars 5)78563412$(scalars 26)${zeros}cc
< E01
> G$(scalars 5)78563412$(scalars 25)06000000$(printf 'abcd0000%.0s' $(seq 16))$(printf '%08064d' 0)
< OK
> p5
< 78563412
> p20
< $(printf 'abcd0000%.0s' $(seq 16))
> g
< $(scalars 5)78563412$(scalars 25)06000000$(printf 'abcd0000%.0s' $(seq 16))00000000*
> S05;0
< T051f:06000000;thread:1;
> s0
< T051f:06000000;thread:1;
> vCont;x
< E01
> vCont
< E01
> mzz,1
< E01
> m0,ffff
< *
> M1000,4:0a0b
< E01
> X1000,4:ab
< E01
> P5=1
< E01
> C05
< W00
S
}
check 'all registers, and signals' whole

watching() {
    assemble watch 'mov r0, 0x1000
        mov r1, 5
        st r1, (r0)
        nop
        ldb r2, (r0 + 2)
        nop
        mov r0, 0
        sleep' && debug 0 watch <<'S'
> Z2,1000,4
< OK
> c
< T05*watch:1000;
> m1000,4
< 05000000
> z2,1000,4
< OK
> Z3,1000,4
< OK
> c
< T05*rwatch:1002;
> z3,1000,4
< OK
> Z4,1000,0
< E01
> c
< W00
S
}
check 'watchpoints of writes and reads' watching

# Lanes are watched one by one; rows of the vector register file are registers.
lanes() {
    assemble lanes 'mov r0, 0x1000
        v8ld H(0,0), (r0)
        v16add H(1,0), H(0,0), 3
        v8st H(1,0), (r0)
        mov r0, 0
        sleep' && debug 0 lanes <<'S'
> M1000,10:000102030405060708090a0b0c0d0e0f
< OK
> Z3,1005,1
< OK
> c
< T05*rwatch:1005;
> p20
< 00000000010000000200000003000000040000000500000006000000*0e0000000f000000
> z3,1005,1
< OK
> s
< T051f:10000000;thread:1;
> p21
< 030000000400000005000000*1100000012000000
> Z2,1007,1
< OK
> c
< T05*watch:1007;
> m1000,10
< 030405060708090a0b0c0d0e0f101112
> z2,1007,1
< OK
> c
< W00
S
}
check 'watchpoints of lanes, and rows as registers' lanes

interrupted() {
    assemble endless 'loop: add r0, 1
        b loop' && debug 1 endless <<'S'
> c
wait 200
>! ^C
< T021f:0?000000;thread:1;
> s
< T05*
> c
wait 100
>! ^C
< T02*
> vKill;1
< OK
S
}
check 'Ctrl-C' interrupted

# The UART's interrupt is enabled and no byte comes: sleep would last.
asleep() {
    assemble asleep 'mov r0, 0x7e215000
        mov r1, 1
        st r1, (r0 + 4)
        st r1, (r0 + 0x44)
        mov r0, 0x7e00201c
        mov r1, -1
        st r1, (r0)
        sleep
        mov r0, 0
        sleep' && mkfifo "$scratch/input" && { debug_asleep; result=$?; rm "$scratch/input"; return $result; }
}
debug_asleep() {
    : >"$scratch/err" # an earlier port is not to be found in it
    exec 9<>"$scratch/input"
    timeout 60 "$weft" boot --gdb 0 "$scratch/asleep.bin" <&9 >"$scratch/out" 2>"$scratch/err" &
    booted=$!
    while ! grep -q waiting "$scratch/err" && kill -0 $booted; do sleep 0.01; done
    printf '%s\n' '> c' 'wait 300' '>! ^C' '< T02*' '> k' |
        "$client" "$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\)$/\1/p' "$scratch/err")"
    talked=$?
    wait $booted
    exec 9<&-
    return $talked
}
check 'Ctrl-C ends sleep that waits for input' asleep

faults() {
    assemble fault 'mov r1, 0
        mov r0, 1
        div.uu r0, r0, r1
        bkpt' && debug 1 fault <<'S'
> c
< T081f:04000000;thread:1;
> P1f=08000000
< OK
> c
< T051f:08000000;thread:1;
> D
< OK
S
}
check 'exceptions are signals, bkpt stops' faults
check 'and detaching lets it run' says 'bkpt at 0x8$'

limited() {
    debug 1 endless --limit 1000 <<'S'
> c
< W01
S
}
check 'a limit' limited
check 'is exact' says 'after 1000 instructions$'

spoilt() {
    debug 0 hello <<'S'
# a wrong checksum is sent again
>! =$g#00
>! =$p1f#00$p1f#07
< 00000000
>! =+++}}##
> Z9,0,1
< 
> Z0
< E01
> P
< E01
> G00
< E01
> mffffffffffffffffffff,1
< E01
> D
< OK
S
}
check 'packets that are wrong' spoilt
check 'the connection may end' debug 0 hello </dev/null

# A debugger that dies within a packet, or without its answer, leaves the machine to run: the program goes on to its end.
for part in '$' '$m0,1' '$m0,10#' '$m0,10#f' '$m0,10#fb' '+' '$X1000,4:}'; do
    for end in 'wait 0' die; do
        half() { printf '> p1f\n< *\n>! =%s\n%s\n' "$part" "$end" | debug 0 hello; }
        check "a debugger that dies after '$part' ($end)" half
        check 'and the program goes on' prints '^Hello from the VPU$'
    done
done
# While the machine runs.
running() { printf '> c\nwait 200\n%s\n' "$1" | debug 1 endless --limit 30000000; }
check 'a debugger that dies while the machine runs' running die
check 'and the limit holds' says 'after 30000000 instructions$'
check 'a debugger that dies in a packet while the machine runs' running '>! =$m0,1'
check 'and the limit still holds' says 'after 30000000 instructions$'

# signalled NAME: the signal comes while a debugger is connected and waits.
signalled() {
    : >"$scratch/err"
    "$weft" boot --gdb 0 "$scratch/endless.bin" >"$scratch/out" 2>"$scratch/err" </dev/null &
    booted=$!
    for _ in $(seq 1000); do
        grep -q waiting "$scratch/err" && break
        sleep 0.01
    done
    { printf '> p1f\n< *\n> c\n'; sleep 0.3; kill -s "$1" $booted; sleep 0.3; } |
        "$client" "$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\)$/\1/p' "$scratch/err")"
    (sleep 20; kill -s KILL $booted 2>/dev/null) &
    late=$!
    wait $booted
    got=$?
    kill $late 2>/dev/null
    [ $got -ne 137 ] && [ $got -ne 0 ]
}
check 'SIGTERM ends the machine while a debugger is connected' signalled TERM
check 'and SIGINT' signalled INT
check 'a port that is none' status 2 "$weft" boot --gdb 65536 "$scratch/hello.bin"
finish
