#!/bin/sh
# run_shader.sh WEFT - weft run SHADER: a program of each instruction set on files, and wrong command lines.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

# words NUMBER...: little-endian words; decimal FILE: the words of a file.
words() {
    for n; do
        # shellcheck disable=SC2059
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((n & 255)) $((n >> 8 & 255)) $((n >> 16 & 255)) $((n >> 24)))"
    done
}
decimal() { od -An -v -t u4 "$1" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'; }
holds() { [ "$(decimal "$1")" = "$2" ] || { echo "$1 has $(decimal "$1"), not $2"; return 1; }; }

words 1 20 300 4000 50000 600000 7000000 80000000 >in.bin
cp in.bin in.was

cat >scale.tgsi <<'EOT'
COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 4
DCL SV[0], BLOCK_ID
DCL SV[1], THREAD_ID
DCL BUFFER[0..1]
DCL CONST[0..1]
DCL TEMP[0..1]
IMM[0] UINT32 {4, 2, 0, 0}
UMAD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx, SV[1].xxxx
SHL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx
UMAD TEMP[1].x, TEMP[1].xxxx, CONST[0].xxxx, CONST[1].yyyy
STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx
END
EOT
printf '0x00000003 0 0 0 # factor\n\n0 0x00000005 0 0\n' >constants.txt
cat >scale.tesla <<'END'
cvt u32 $r0 u16 $r0l
shl b32 $r2 $r0 0x2
ld b32 $r3 g0[$r2]
add b32 $r3 $r3 0x5
st b32 g1[$r2] $r3
exit nop
END
echo 'block 8' >scale.link
cat >scale.vpu <<'END'
shl r5, 2
add r0, r5
add r1, r5
ld r2, (r0)
add r2, 7
st r2, (r1)
rts
END
cat >scale.valhall <<'END'
SHADDX.u64 r10, u0, r60.w0, shift:0x2
LOAD.i32.slot0.unsigned.wait0 @r2, r10, offset:0
IADD_IMM.i32 r3, r2, #0x6
SHADDX.u64 r10, u2, r60.w0, shift:0x2
STORE.i32.slot0.end @r3, r10, offset:0
END
printf 'block 8 1 1\nu0 = storage 0 address\nu2 = storage 1 address\n' >valhall.link
cat >scale.rogue <<'END'
0 : umadd32 ft0, r20, c4, sh0,
    mov r0, ft0
1 : mov ft0, sh1
    mov r1, ft0
2 : umadd32 ft0, r20, c4, sh2,
    mov r2, ft0
3 : mov ft0, sh3
    mov r3, ft0
4 : ld r4, drc0, 1, r0
5 : wdf drc0
6 : umadd32 ft0, r4, c1, c9,
    mov r5, ft0
7 : st r5, 2, drc0, 1, r2, _
8 : wdf drc0
END
printf 'block 8 1 1\nsysval THREAD_ID.x r20\nsh 0 storage 0\nsh 2 storage 1\n' >rogue.link

# plus ADDED WORDS-DONE ARGUMENT...: each word of the first buffer and the number is in the second; the others are 0.
plus() {
    added=$1 done=$2
    shift 2
    status 0 "$weft" run "$@" --buffer 0=in.bin --buffer 1=32:zero --dump-buffer 1=out.bin && silent || return 1
    n=0 expected=
    for word in $(decimal in.was); do
        [ $n -lt "$done" ] && word=$((word + added)) || word=0
        expected="$expected${expected:+ }$word"
        n=$((n + 1))
    done
    holds out.bin "$expected" && cmp in.bin in.was
}
tgsi_scales() {
    status 0 "$weft" run scale.tgsi --buffer 0=in.bin --buffer 1=0x20:zero --const constants.txt --groups 2 --dump-buffer 1=out.bin &&
        silent && holds out.bin '8 65 905 12005 150005 1800005 21000005 240000005' && cmp in.bin in.was
}
check 'tgsi: constants, groups' tgsi_scales
check 'tesla: a linkage and a chip' plus 5 8 scale.tesla -m g80 --linkage scale.link
check 'vpu: a workgroup for each word' plus 7 6 scale.vpu --groups 3,2
check 'valhall' plus 6 8 scale.valhall --linkage valhall.link
check 'rogue' plus 9 8 scale.rogue --linkage rogue.link --engine interp --threads 3 --cpu baseline

bytes_too() {
    "$weft" asm -i vpu scale.vpu -o scale.bin && plus 7 8 -i vpu scale.bin --groups 8 && cp scale.vpu scale.text &&
        plus 7 8 --isa vpu scale.text --groups 8
}
check 'bytes, and a file of another name' bytes_too
in_place() {
    status 0 "$weft" run scale.vpu --buffer 0=in.bin --buffer 1=4:zero --dump-buffer 0=same.bin --dump-buffer 1=- &&
        [ "$(decimal "$scratch/out")" = 8 ] && cmp same.bin in.was
}
check 'several dumps, and to standard output' in_place
says_stats() {
    status 0 "$weft" run scale.tgsi --buffer 0=in.bin --buffer 1=32:zero --const constants.txt --groups 2 --stats &&
        says '^invocations 8$' && says '^instructions [0-9]+$' && says '^bad-accesses 0$'
}
check 'statistics' says_stats
warns() {
    status 0 "$weft" run scale.tgsi --buffer 0=in.bin --const constants.txt && says 'warning: .*buffer 1, and nothing is bound' &&
        says 'scale.tgsi:13:.*4 accesses were out of range'
}
check 'a buffer that is not given' warns
faults() {
    printf 'lp: b lp\n' >loop.vpu
    status 1 "$weft" run loop.vpu --budget 100 --buffer 0=4:zero --dump-buffer 0=none.bin && says 'loop.vpu:1:.*budget of 100' &&
        [ ! -e none.bin ] &&
        status 1 "$weft" run scale.vpu --groups 9 --buffer 0=in.bin --buffer 1=32:zero && says 'scale.vpu:4:' &&
        status 1 "$weft" run missing.vpu && says 'missing.vpu' &&
        status 1 "$weft" run scale.vpu --buffer 0=missing.bin && says 'missing.bin' &&
        status 1 "$weft" run scale.tgsi --const scale.vpu && says 'scale.vpu:1:' &&
        printf 'FRAG\nEND\n' >fragment.tgsi && status 2 "$weft" run fragment.tgsi && says 'is a fragment program' &&
        printf 'COMP\nNONSENSE\nEND\n' >bad.tgsi && status 1 "$weft" run bad.tgsi && says 'bad.tgsi:2:'
}
check 'errors of files and programs' faults

# refuses PATTERN ARGUMENT...
refuses() {
    pattern=$1
    shift
    status 2 "$weft" run "$@" && says "$pattern" && says "'weft help run' explains it"
}
check 'a number beyond the buffers' refuses 'N from 0 to 63' scale.vpu --buffer 64=in.bin
check 'a buffer without a file' refuses 'N=FILE or N=SIZE:zero' scale.vpu --buffer 1=
check 'a buffer without a number' refuses 'N=FILE or N=SIZE:zero' scale.vpu --buffer in.bin
check 'a size of nothing' refuses '1 to 1073741824 bytes' scale.vpu --buffer 0=0:zero
check 'a size that is none' refuses '1 to 1073741824 bytes' scale.vpu --buffer 0=many:zero
check 'a size beyond the limit' refuses '1 to 1073741824 bytes' scale.vpu --buffer 0=99999999999:zero
check 'a dump without its buffer' refuses 'give --buffer 2=FILE' scale.vpu --dump-buffer 2=out.bin
check 'a dump over the input' refuses 'is the input' scale.vpu --buffer 0=in.bin --dump-buffer 0=in.bin
check 'a dump over the program' refuses 'is the input' scale.vpu --buffer 0=in.bin --dump-buffer 0=scale.vpu
check 'no groups' refuses '--groups is X' scale.vpu --groups 0
check 'four groups' refuses '--groups is X' scale.vpu --groups 1,1,1,1
check 'groups with an end missing' refuses '--groups is X' scale.vpu --groups 1,
check 'too many groups' refuses 'from 1 to 65535' scale.vpu --groups 65536
check 'constants beyond the limit' refuses 'N from 0 to 31' scale.vpu --const 32=constants.txt
check 'another stage' refuses 'only be compute' scale.vpu -s fragment
check 'two programs' refuses 'one program at a time' scale.vpu scale.vpu
check 'a trace of a program' refuses 'trace is for jobs' scale.vpu --trace t --trace-id 1
check 'a dump of a job for a program' refuses 'dump is for jobs' scale.vpu --dump a=b.raw
check 'a buffer of a program for a job' refuses 'buffer is for a program' job.amber --buffer 0=in.bin
check 'no such chip' status 2 "$weft" run scale.tesla -m g7
# ---- buffers as text ----
cat >copy.tgsi <<'EOT'
COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 4
DCL SV[0], THREAD_ID
DCL BUFFER[0..1]
DCL TEMP[0..1]
IMM[0] UINT32 {4, 0, 0, 0}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx
STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx
END
EOT
# copies TEXT TYPE BYTES: a buffer of numbers is written as another type.
copies() {
    printf '%b' "$1" >numbers.txt
    status 0 "$weft" run copy.tgsi --buffer "0=numbers.txt:$2" --buffer 1=16:zero --dump-buffer "1=out.txt:$3" &&
        [ "$(tr '\n' ' ' <out.txt)" = "$4 " ] || { cat out.txt; return 1; }
}
check 'floats' copies '1, -2.5\n0.1 # a comment, 7\n1e10' float float '1.0 -2.5 0.1 10000000000.0'
check 'floats are the nearest' copies '0.1 inf -inf -0' float uint '1036831949 2139095040 4286578688 2147483648'
check 'bits of floats' copies '0x3f800000 nan 0 3' float float '1.0 0x7fc00000 0.0 3.0'
check 'integers' copies '-1 010 0x10 -2147483648' int uint '4294967295 10 16 2147483648'
check 'signs' copies '+1 -0 -1 +2147483647' int int '1 0 -1 2147483647'
check 'the largest' copies '3.4028235e38 -3.4028235e38 1e-46 +5' float uint '2139095039 4286578687 0 1084227584'
check 'unsigned' copies '4294967295,0,1,2' uint int '-1 0 1 2'
check 'doubles' copies '0.1 -1' double double '0.1 -1.0'
refuses() {
    printf '%b' "$1" >numbers.txt
    status 1 "$weft" run copy.tgsi --buffer "0=numbers.txt:$2" && says "$3"
}
check 'a word' refuses '1 2\n3 four' float '^numbers.txt:2:3: error: expected a number of type float$'
check 'a fraction' refuses '1.5' int 'expected a number of type int'
check 'one that is too large' refuses '2147483648' int 'the number does not fit int'
check 'a sign where there is none' refuses '-1' uint 'the number does not fit uint'
check 'a sign alone' refuses '1 -' float '^numbers.txt:1:3: error: expected a number of type float$'
check 'the other sign alone' refuses '+' int 'expected a number of type int'
check 'two signs' refuses '--1' float 'expected a number of type float'
check 'a float that is too large' refuses '3.5e38' float 'the number does not fit float'
check 'a double that is too large' refuses '2e308' double 'the number does not fit double'
check 'bits that are too many' refuses '0x100000000' float 'the number does not fit float'
check 'a digit that is not one' refuses '0x1@' int 'expected a number of type int'
whole() {
    status 1 "$weft" run copy.tgsi --buffer 0=numbers.txt --buffer 1=12:zero --dump-buffer 1=whole.txt:double &&
        says "^weft: 'whole.txt' is not written: the last 4 bytes of the buffer are not a whole number" && [ ! -e whole.txt ]
}
check 'a size that is not whole numbers' whole
meant() { status 2 "$weft" run copy.tgsi --buffer 1=4:zero "$1" && says "did you mean ':$2'"; }
check 'a type that is misspelt' meant --buffer=0=numbers.txt:flaot float
check 'zeros' meant --buffer=0=16:zeros zero
check 'a type that is misspelt of what is written' meant --dump-buffer=1=out.txt:ints int
twice() {
    for option in buffer=0=4:zero dump-buffer=0=out.txt const=0=constants.txt texture=0=sky.png image=0=4x4 dump-image=0=out.png; do
        status 2 "$weft" run copy.tgsi "--$option" "--$option" && says "--${option%%=*} 0=.*: what it names is given before" || return 1
    done
}
check 'what is given twice' twice
through() {
    [ "$(printf '5 6 7 8' | "$weft" run copy.tgsi --buffer 0=-:int --buffer 1=16:zero --dump-buffer 1=-:int | tr '\n' ' ')" = '5 6 7 8 ' ]
}
check 'standard input and output' through
finish
