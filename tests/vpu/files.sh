#!/bin/sh
# files.sh WEFT - what weft dis and weft check say of images and texts: ELF files of others, entries, instructions that nobody can
# want, words that are not instructions.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

refused() { status 1 "$weft" dis -i vpu "$1" && says "$2"; }
printf '\177ELF\002\001\001%049d' 0 | tr 0 '\000' >wide.bin
printf '\177ELF\001\002\001%049d' 0 | tr 0 '\000' >big.bin
printf '\177ELF\001\001\001%09d\002\000\003\000%032d' 0 0 | tr 0 '\000' >other.bin
check 'an ELF file of 64 bits' refused wide.bin 'wide.bin: error: this ELF file is of another machine'
check 'a big-endian ELF file' refused big.bin 'big.bin: error: this ELF file is of another machine'
check 'an ELF file of another machine' refused other.bin 'other.bin: error: this ELF file is of another machine'
printf 'mov r0, 0\nf: sleep\n.data\n.long 5\n' >own.vpu
"$weft" asm -f elf own.vpu -o own.elf
head -c 40 own.elf >short.elf
head -c 100 own.elf >cut.elf
check 'an ELF file that ends within its header' refused short.elf 'ends within its header'
check 'an ELF file that is cut off' refused cut.elf 'reach past its end'
check 'its own' status 0 "$weft" dis -i vpu own.elf

"$weft" asm own.vpu -o own.bin
entry() { status 1 "$weft" dis -i vpu --entry "$1" own.bin && says "$2"; }
check 'an entry outside the image' entry 0x9998 'error: the entry 0x9998 is outside the image'
check 'an odd entry' entry 3 'error: the entry 0x3 is odd'

# asm_refuses TEXT PATTERN...: weft asm refuses the text, and its messages match all the patterns.
asm_refuses() {
    printf '%b\n' "$1" >text.vpu
    shift
    status 1 "$weft" asm text.vpu -o text.bin || return 1
    for words in "$@"; do
        says "$words" || return 1
    done
}
check 'names of other assemblers' asm_refuses 'push r6\npop r6\nret\ncall a\njmp a\nhalt' \
    'write stm r6-r7,lr' 'write ldm r6-r7,pc' 'write rts' 'write bl' 'write b ' 'write sleep'
check 'a quote without a character' asm_refuses "mov r0, '\nmov r1, 'ab'" \
    "text.vpu:1:9: error: a quote begins one character and a quote, as in 'c' or '.n'" 'text.vpu:2:9: error: a quote'
characters() {
    printf '%s\n' "mov r0,'a'" "mov r1,'\\n'" "mov r2,'\\'" "mov r3,'\\''" "mov r4,'\\x41'" "mov r5,'\\101'" >text.vpu
    status 0 "$weft" asm text.vpu -o text.bin && status 0 "$weft" dis -i vpu text.bin &&
        [ "$(sed 's/.*,//' out | tr '\n' ' ')" = '97 0xa 92 39 65 65 ' ]
}
check 'characters and escapes' characters
check 'a file that is not there' asm_refuses '.include "gone.s"' "cannot read 'gone.s': No such file or directory"
check 'a folder in the place of a file' asm_refuses '.incbin "/"' "cannot read '/': it is not a regular file"
check 'too much space' asm_refuses '.word 1\n.space 268435457' 'text.vpu:2:1: error: .space takes a number of bytes, at most 268435456'
check 'a program that is too large' asm_refuses '.space 100000000\n.space 200000000' 'text.vpu:2:1: error: a program of more than 256 MiB'
check 'an image that is too large' asm_refuses '.section a\n.org 0\n.word 1\n.section b\n.org 0x40000000\n.word 2' \
    'text.vpu: error: a flat image of more than 256 MiB: its sections are from 0x0 to 0x40000002' '-f elf keeps'
check 'an entry inside' status 0 "$weft" dis -i vpu --entry 2 own.bin

# warns TEXT WORDS...: weft check of the text prints all the words, as warnings alone.
warns() {
    printf '%b\n' "$1" >text.vpu
    shift
    status 0 "$weft" check text.vpu || return 1
    for words in "$@"; do
        says "$words" || return 1
    done
}
silent() { printf '%b\n' "$1" >text.vpu && status 0 "$weft" check text.vpu && [ ! -s "$scratch/err" ]; }
check 'writing pc' warns 'mov pc, r1\nadd r1, r2\nld pc, (r1)\nadd.eq pc, r1, r2\nsleep' \
    'text.vpu:1:1: warning: this writes pc: exception 3' 'text.vpu:3:1: warning: this writes pc' 'text.vpu:4:1: warning: this writes pc'
check 'reading pc, and the ways to write it' silent 'cmp r1, pc\nst pc, (r1)\nldm r0-r1, pc, (sp++)'
check 'division by zero' warns 'div.uu r1, r2, 0\ndiv.ss r1, r2, 1\nsleep' 'text.vpu:1:1: warning: this divides by zero: exception 2'
check 'operations that write zeros' warns 'v32count HY(0,0), HY(1,0), 1\nv16count HX(0,0), HX(1,0), 1\nvop62.0 H(0,0), H(1,0), 1\nv16clips H(0,0), H(1,0), 1\nsleep' \
    'text.vpu:1:1: warning: this operation writes zeros' 'text.vpu:3:1: warning: this operation writes zeros' \
    'text.vpu:4:1: warning: this operation writes zeros'
check 'vectors as addresses' warns 'v8ld H(0,0), -, H(1,0)\nv8st -, H(0,0), H(1,0)\nsleep' \
    'text.vpu:1:1: warning: a vector register is not an address: this loads from 0' \
    'text.vpu:2:1: warning: a vector register is not an address: this stores nothing'
check 'control registers' warns 'mov p0, r1\nmov r1, p11\nmov r1, p15\nmov r1, p16\nmov p1, r1\nsleep' \
    'text.vpu:1:1: warning: p0 \(PRFPXCS\) keeps what is written to it, and has no effect' \
    'text.vpu:2:1: warning: p11 \(PRTIMCTL\)' 'text.vpu:3:1: warning: p15 \(PRORCNT\) is always 0'
check 'others of them' silent 'mov p1, r1\nmov r1, p16\nmov p31, r1\nsleep'
check 'a misaligned access' warns 'ld r1, (pc+6)\nsleep' 'text.vpu:1:1: warning: this access is misaligned'
check 'an instruction at an odd address' warns 'b x\nsleep\n.byte 1\nx: nop\nsleep' \
    'text.vpu:4:4: warning: this instruction is at 0x9: the processor has instructions at even addresses alone'
check 'and at an even one' silent 'b x\n.byte 1\n.align 1\nx: nop\nsleep\ntext: .ascii "abc"\n'
check 'an end that is run past' warns 'mov r1, 2\nadd r1, r2' 'text.vpu:2:1: warning: control goes on past the last instruction, to 0x4'
check 'a word that is not an instruction' warns 'mov r1, 2\n.short 0x000b\nsleep' \
    'text.vpu:2:1: warning: 000b is not an instruction, and control reaches it: exception 3'
check 'data that is not reached' silent 'b code\n.short 0x000b\ncode: sleep\n.short 0x000b'

# Bytes: what control surely reaches is an error, the rest a warning with its number.
bytes() { printf '%b\n' "$1" >bytes.vpu && "$weft" asm bytes.vpu -o bytes.bin; }
bytes 'beq there\nsleep\nthere: nop\n.short 0x000b'
check 'a word that is reached' status 1 "$weft" check -i vpu bytes.bin
check 'is told with its address' says '^bytes.bin: error: at 0x6: 000b is not an instruction, and control reaches it: exception 3$'
bytes 'bl there\n.short 0x000b\nthere: sleep\n.short 0x000b, 0xcd00'
check 'words that may not be reached' status 0 "$weft" check -i vpu bytes.bin
check 'are told one by one' says '^bytes.bin: warning: at 0x4: 000b is not an instruction, and control reaches it if a call or swi comes back$'
check 'and in sum' says '^bytes.bin: warning: words .* count as data: there are 2, the first at 0x8$' # cd00 has four bytes
known() { status 0 "$weft" isa vpu "$1" && prints "$2"; }
check 'isa: names that are printed' known v16add '1  vadd D'
check 'isa: the names of the GNU port' known tbh 'switch rd'
check 'isa: a difference and its reason' known vcount 'of 32 bits writes zeros'

: >bytes.bin
check 'no byte at all' status 0 "$weft" check -i vpu bytes.bin
finish
