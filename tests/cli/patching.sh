#!/bin/sh
# patching.sh WEFT - listings that are changed: a program with a loop is assembled and listed with labels, an instruction is
# put into the loop, and what it adds is in the result. Both branches of the loop cross it.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

# Each program adds 3 five times and stores the sum.
cat >loop.tesla <<'END'
        mov b32 $r0 0x0
        mov b32 $r1 0x5
        mov b32 $r2 0x0
top:    set $c0 # lg u32 $r1 $r2
        (e $c0) bra #done
        add b32 $r0 $r0 0x3
        add b32 $r1 $r1 0xffffffff
        bra #top
done:   mov b32 $r3 0x0
        st b32 g0[$r3] $r0
        exit nop
END
cat >loop.valhall <<'END'
        MOV.i32 r4, 0x0
        IADD_IMM.i32.reconverge r5, 0x0, #0x5
top:    BRANCHZ.eq.reconverge r5, offset:done
        IADD_IMM.i32 r4, r4, #0x3
        IADD_IMM.i32 r5, r5, #0xFFFFFFFF
        BRANCHZ.eq.reconverge 0x0, offset:top
done:   MOV.i32 r0, 0x0
        LEA_BUF_IMM.slot0.wait0 @r2:r3, r0, table:0x6, index:0x0
        STORE.i32.slot0 @r4, r2, offset:0
        NOP.end
END
cat >loop.rogue <<'END'
0 :     byp ft0, ft1, c0, 0
        mov r4, ft1
1 :     byp ft0, ft1, c0, 5
        mov r5, ft1
top:
2 :     tstz.u32 ftt, p0, r5
3 :     if(p0) br done
4 :     umadd32 ft0, r4, c1, c3,
        mov r4, ft0
5 :     byp ft0, ft1, c0, 0xffffffff
        mov r6, ft1
6 :     umadd32 ft0, r5, c1, r6,
        mov r5, ft0
7 :     br top
done:
8 :     mov ft0, sh0
        mov ft1, sh1
        mov r0, ft0
        mov r1, ft1
9 :     st r4, 2, drc0, 1, r0, _
10 :    wdf drc0
11 :    nop.end
END
echo 'sh 0 storage 0' >linkage.rogue
cat >loop.vpu <<'END'
        mov r2, 0
        mov r1, 5
top:    cmp r1, 0
        beq done
        add r2, 3
        sub r1, 1
        b top
done:   st r2, (r0)
        rts
END
echo 'r0 = storage 0 address' >linkage.vpu
touch linkage.tesla linkage.valhall

# result ISA FILE WANTED: the program stores this word.
result() {
    rm -f out.raw
    status 0 "$weft" run "$2" -i "$1" -s compute --linkage "linkage.$1" --buffer 0=64:zero --dump-buffer 0=out.raw || return 1
    got=$(od -An -N4 -tu4 out.raw | tr -d ' ')
    [ "$got" = "$3" ] || { echo "stored $got, expected $3"; return 1; }
}

# patch ISA PATTERN LINE: LINE, which adds 20, after the instruction of the listing that adds 3.
patch() {
    status 0 "$weft" asm -i "$1" -s compute "loop.$1" -o loop.bin && result "$1" loop.bin 15 || return 1
    status 0 "$weft" dis -i "$1" -s compute -l loop.bin || return 1
    cp "$scratch/out" listed
    status 0 "$weft" asm -i "$1" -s compute -o same.bin listed && cmp loop.bin same.bin || return 1
    awk -v pattern="$2" -v line="$3" '{ print } $0 ~ pattern { print line; n++ } END { exit n != 1 }' listed >patched &&
        status 0 "$weft" asm -i "$1" -s compute -o patched.bin patched && result "$1" patched.bin 115
}
# shellcheck disable=SC2016 # registers of Tesla
check 'tesla' patch tesla ' 0x3$' 'add b32 $r0 $r0 0x14'
check 'valhall' patch valhall '#0x3$' 'IADD_IMM.i32 r4, r4, #0x14'
check 'rogue' patch rogue 's2 = sc3' '{ s0 = r4, s1 = sc1, s2 = sc20, is4 = ft0 p0: umadd32 ft0, s0, s1, s2, _; w0 = r4 }'
check 'vpu' patch vpu ',0x3$' 'add r2, 20'
finish
