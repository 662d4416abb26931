#!/bin/sh
# asking.sh WEFT - what programs and instructions are asked: dis in its forms, check's forms, isa, explain.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

# ---- dis -f words: the same bytes in all the ways that people print them ----
printf '\005\310\000\020\200\307\043\004' >word.bin
"$weft" dis -i tesla -s compute word.bin >expected
reads_words() {
    printf '%s\n' "$1" >words
    status 0 "$weft" dis -i tesla -s compute -f words words && cmp expected "$scratch/out"
}
check 'words with 0x and a comma' reads_words '0x1000c805, 0x0423c780'
check 'words without 0x' reads_words '1000c805 0423c780'
check 'an offset before them' reads_words '0000: 1000c805 0423c780'
check 'an offset with 0x, brackets' reads_words '0x0010: { 1000c805; 0423c780 }'
check 'comments' reads_words '/*0000*/ 0x1000c805 0x423c780 // mov'
check 'one word of 64 bits' reads_words '0x0423c7801000c805'
check 'columns of xxd' reads_words '00000000: 05c8 0010 80c7 2304                      ......#.'
check 'columns of xxd -e' reads_words '00000000: 1000c805 0423c780                    ......#.'
check 'a log of a kernel' reads_words '[   12.345678] nouveau 0000:01:00.0: gr: fp: 1000c805 0423c780'
check 'a log of a kernel, with offsets' reads_words '[12.345678] nouveau: 00000000: 1000c805 0423c780  ......#.'
check 'gdb, with a symbol' reads_words '0x7ffff7fc0000 <code+8>:	0x1000c805	0x0423c780'
check 'an array of C' reads_words 'static const uint32_t code[] =
{
   0x1000c805, /* mov */ 0x0423c780,
};'
check 'xxd -i' reads_words 'unsigned char word_bin[] = {
  0x05, 0xc8, 0x00, 0x10, 0x80, 0xc7, 0x23, 0x04
};
unsigned int word_bin_len = 8;'
check 'bytes with blanks between' reads_words '05 c8 00 10 80 c7 23 04'
check 'hexdump -C' reads_words '00000000  05 c8 00 10 80 c7 23 04                          |......#.|
00000008'
check 'hexdump' reads_words '0000000 c805 1000 c780 0423
0000008'
check 'od -t x4 -A x' reads_words '000000 1000c805 0423c780
000008'
check 'od -t x1, whose offsets are octal' reads_words '0000000 05 c8 00 10
0000004 80 c7 23 04
0000010'
check 'od -t x1z' reads_words '0000000 05 c8 00 10 80 c7 23 04  >......#.<'
check 'a listing: bytes, then text' reads_words '05 c8 00 10 80 c7 23 04    FCMP $r1 b32 s[0x10]'
check 'a listing with a tab' reads_words '  05 c8 00 10 80 c7 23 04	add $r1'
check 'headings before the words' reads_words 'program binary (8 bytes)
1000c805 0423c780'
check 'a heading of a log' reads_words '[   12.345678] nouveau 0000:01:00.0: shader dump:
[   12.345679] nouveau 0000:01:00.0: 0000: 1000c805 0423c780'
no_words() {
    printf 'program binary (8 bytes)\nmov\n' >words
    status 1 "$weft" dis -i tesla -f words words && says '^words:1:1: error: expected hexadecimal words'
}
check 'headings alone are not words' no_words
heading_with_words() {
    printf '%s\n' "$1" '0x1000c805, 0x0423c780' >words
    status 1 "$weft" dis -i tesla -s compute -f words words && says '^words:1:1: error: expected hexadecimal words'
}
check 'words after a name are not lost' heading_with_words 'shader: 0x1000c805, 0x0423c780'
check 'nor is one' heading_with_words 'code 0x1000c805'
check 'nor are those without 0x' heading_with_words 'code of it 1000c805 0423c780'
check 'an address in a heading' reads_words 'code at 0x1000c800:
1000c805 0423c780'
late_heading() {
    printf '1000c805 0423c780\nprogram binary\n' >words
    status 1 "$weft" dis -i tesla -s compute -f words words && says '^words:2:1: error: expected hexadecimal words'
}
check 'text between words is not skipped' late_heading
halves_of_words() {
    echo '0x00c00240, 0x00b2c004, 0x00c04241 0x00b2c104' >words
    "$weft" dis -i valhall -f words words >listing && echo '0x00b2c00400c00240, 0x00b2c10400c04241' >words &&
        status 0 "$weft" dis -i valhall -f words words && cmp listing "$scratch/out"
}
check 'valhall: words of 32 bits are halves, the low one first' halves_of_words
written_as_words() {
    for isa in tesla valhall rogue vpu; do
        "$weft" dis -i $isa "$1/$isa.bin" >listing.$isa 2>said
        status 0 "$weft" asm -i $isa -f words listing.$isa && cp "$scratch/out" words && prints '^0x[0-9a-f]*,' &&
            "$weft" dis -i $isa -f words words >again 2>said
        cmp listing.$isa again || return 1
    done
}
for isa in tesla valhall rogue vpu; do
    case $isa in
    tesla) line='add f32 $r1 $r2 $r3' ;;
    valhall) line='FMA.f32 r0, r1, r2, r3' ;;
    rogue) line='0: mov ft0, r1
 mov r0, ft0' ;;
    vpu) line='add r0, r1, r2' ;;
    esac
    echo "$line" >line.$isa && "$weft" asm -i $isa -o $isa.bin line.$isa
done
check 'asm -f words, which dis reads back' written_as_words .
tokens_as_words() {
    printf 'FRAG\n0: END\n' >end.tgsi
    status 0 "$weft" asm -f words end.tgsi && prints '^0x00000102,$'
}
check 'asm -f words of tgsi: a token a line' tokens_as_words
each_as_words() {
    printf 'add f32 $r1 $r2 $r3\n\nmov b32 $r1 $r2\n' | "$weft" asm -i tesla --each -f words >each 2>said
    [ "$(sed -n 1p each)" = '0xb0030404,' ] && [ "$(wc -l <each)" = 3 ]
}
check 'asm --each -f words' each_as_words
not_whole() {
    printf '.byte 1, 2, 3\n' >part.valhall
    status 1 "$weft" asm -f words part.valhall && says 'the 3 bytes of the program are not whole words of 8'
}
check 'bytes that are not whole words' not_whole
# Three words whose first could be an offset are words where the offsets do not go up by what the lines hold.
no_dump() {
    printf '00000000 1000c805\n00000008 0423c780\n' >words
    "$weft" dis -i tesla -s compute -f words words >listing 2>said
    printf '00000000, 1000c805, 00000008, 0423c780\n' >words
    "$weft" dis -i tesla -s compute -f words words >plain 2>said
    test -s plain && cmp plain listing
}
check 'words that are no dump' no_dump
left_out() {
    printf '0000000 c805 1000 c780 0423\n*\n0000020\n' >words
    status 1 "$weft" dis -i tesla -f words words && says 'when -v made them'
}
check 'a dump with lines left out' left_out
pairs() {
    echo 05c8001080c7230405c8001080c7230405c8001080c72304 >words
    status 1 "$weft" dis -i tesla -f words words && says 'by -f hex'
}
check 'bytes without blanks' pairs
bad_word() {
    echo '1000c805 x423c780' >words
    status 1 "$weft" dis -i tesla -f words words && says '^words:1:10: error: expected hexadecimal words'
}
check 'what is not a word' bad_word

# ---- parts, listings ----
cat word.bin word.bin >two.bin
part() {
    status 0 "$weft" dis -i tesla -s compute --start 8 --addr two.bin && prints '^00000008: ' &&
        [ "$(wc -l <"$scratch/out")" = 1 ]
}
check '--start leaves out bytes and keeps addresses' part
length() { status 0 "$weft" dis -i tesla -s compute --length 8 two.bin && cmp expected "$scratch/out"; }
check '--length' length
beyond() { status 1 "$weft" dis -i tesla --start 9 --length 8 two.bin && says 'reach beyond its 16 bytes'; }
check '--start and --length beyond the end' beyond
json() {
    status 0 "$weft" dis -i tesla -s compute --json two.bin || return 1
    grep -c '"address"' "$scratch/out" | grep -qx 2 && prints '"text": "(long )?mov b32'
}
check '--json has an object for each instruction' json

# ---- check ----
cat >odd.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 { 1.0, 0.5, 0.25, 1.0 }
  0: MOV OUT[0], IMM[0]
  1: END
END
sed 's/MOV/MOVV/' odd.tgsi >bad.tgsi
check 'warnings are fine' status 0 "$weft" check odd.tgsi
check '--werror' status 1 "$weft" check --werror odd.tgsi
quiet() { status 0 "$weft" check -q odd.tgsi && silent; }
check '-q hides warnings' quiet
quiet_errors() {
    status 1 "$weft" check -q bad.tgsi && says "unknown opcode 'MOVV'" && ! grep -q 'checked' "$scratch/err"
}
check '-q shows errors' quiet_errors
summed() { status 1 "$weft" check odd.tgsi bad.tgsi && says '^2 programs checked: 1 error, 1 warning$'; }
check 'several programs are summed up' summed
github() {
    status 1 "$weft" check --form github bad.tgsi &&
        prints "^::error file=bad.tgsi,line=5,col=6,endColumn=10,title=unknown-instruction::unknown opcode 'MOVV'"
}
check '--form github' github
escaped() {
    cp bad.tgsi 'a,b:c%.tgsi' && status 1 "$weft" check --form github 'a,b:c%.tgsi' &&
        prints '^::error file=a%2Cb%3Ac%25.tgsi,line=5,'
}
check '--form github escapes names' escaped
sarif() {
    status 1 "$weft" check --form sarif bad.tgsi && prints '"version": "2.1.0"' &&
        prints '"ruleId": "unknown-instruction"' && prints '"startLine": 5'
}
check '--form sarif' sarif
unknown_form() { status 2 "$weft" check --form xml bad.tgsi && says 'text, json, github or sarif'; }
check 'an unknown form' unknown_form

# ---- a log with several programs ----
{ echo 'a line of a driver'; cat odd.tgsi; echo 'shader 2:'; cat bad.tgsi; } >log.tgsi
all_of_log() { status 1 "$weft" check log.tgsi && says '^2 programs checked: 1 error, 1 warning$' && says 'log.tgsi:13:6: error'; }
check 'check looks at all programs of a log' all_of_log
check 'FILE#1 is the first alone' status 0 "$weft" check -q log.tgsi#1
check 'FILE#2 is the second alone' status 1 "$weft" check -q log.tgsi#2
third() { status 1 "$weft" check log.tgsi#3 && says 'error: '; }
check 'FILE#3 of two is an error' third
picked() { status 0 "$weft" asm -f hex log.tgsi#1 && cp "$scratch/out" one && "$weft" asm -f hex odd.tgsi | cmp - one; }
check 'asm FILE#1' picked

near_code() { status 1 "$weft" explain budgte && says "did you mean the code 'budget'"; }
check 'explain: a code that is misspelt' near_code

# ---- isa ----
begins() { status 0 "$weft" isa valhall FMA_ && prints '^FMA_RSCALE.f32$' && prints '^FMA_RSCALE_N.f32$'; }
check 'isa finds by the beginning of a name' begins
before_dot() {
    status 0 "$weft" isa valhall FMA && prints '^FMA.f32$' && prints '^FMA.v2f16$' && ! grep -q '^FMA[X_]' "$scratch/out"
}
check 'and by what comes before its dot, which is more' before_dot
whole() { status 0 "$weft" isa valhall FMA.f32 && prints '^FMA.f32$' && ! grep -q '^FMA.v2f16$' "$scratch/out"; }
check 'a whole name is only itself' whole
nearest() { status 2 "$weft" isa valhall IADDD.u32 && says "did you mean 'IADD.u32'"; }
check 'isa has a hint for a near miss' nearest

# ---- explain: each instruction set, by words and by text ----
explains() {
    status 0 "$weft" explain -i "$1" "$2" && prints "$3" || return 1
    for word in bits field operands provenance; do prints "$word" || return 1; done
}
words_of() {
    status 0 "$weft" explain -i tesla -s compute 1000c805 0423c780 && prints '^long mov b32 .r1 b32 s.0x10.$' &&
        prints '^  operands$'
}
check 'tesla: words' words_of
check 'tesla: text' explains tesla 'add f32 $r1 $r2 $r3' '^add f32 .r1 .r2 .r3$'
check 'valhall: text' explains valhall 'FMA.f32 r0, r1, r2, r3' '^FMA.f32 r0, r1, r2, r3$'
names() {
    "$weft" --version | grep -q 'SPIRV-Tools' || return 0
    status 0 "$weft" explain -i spirv '%9 = OpFAdd %float %a %a' && prints '^%9 = OpFAdd %10 %11 %11$' &&
        status 1 "$weft" explain -i spirv 'OpFAdd %float %a %b' && says "write the result before the name: '%id = '"
}
check 'spirv: ids with names get numbers' names
check 'vpu: text' explains vpu 'add r0, r1, r2' '^add r0,r1,r2$'
stages() {
    status 0 "$weft" explain -i tesla 1000c805 0423c780 && prints '^  tesla, vertex,' &&
        prints '^  tesla, compute,' && prints 'attribute memory at 0x190'
}
check 'without a stage, each that knows the words answers' stages
fields_of() {
    status 0 "$weft" explain -i tesla -s compute 1000c805 0423c780 &&
        prints '^  0:13-9 +source 1 offset +operand +4 +s.0x10.$'
}
check 'a field: bits, name, value, meaning' fields_of
hex() { status 0 "$weft" explain -i tesla -s compute -f hex 05 c8 00 10 80 c7 23 04 && prints '^long mov b32'; }
check 'bytes in memory order' hex
quoted() {
    status 0 "$weft" explain -i tesla -s compute "0x1000c805, 0x0423c780" && prints '^long mov b32' &&
        status 0 "$weft" explain -i tesla -s compute 0x1000c805, 0x0423c780 && prints '^long mov b32'
}
check 'words in quotes or with commas, as logs have them' quoted
unknown() { status 1 "$weft" explain -i tesla -s fragment 1000c805 0423c780 && prints 'unknown: '; }
check 'an unknown word says why' unknown
not_text() { status 1 "$weft" explain -i valhall 'FMAA.f32 r0' && says "did you mean"; }
check 'a line at fault has its message' not_text
answers() {
    status 0 "$weft" explain --json -i valhall 'FMA.f32 r0, r1, r2, r3' && prints '"mnemonic": "FMA.f32"' &&
        prints '"written": true'
}
check 'explain --json' answers
nobody() { status 1 "$weft" explain 'xyzzy 1, 2' && says 'no instruction set knows'; }
check 'no instruction set knows it' nobody

# ---- dis: symbols, unknown words, guesses ----
cat >loop.tesla <<'END'
mov b32 $r0 0x5
again:
add b32 $r0 $r0 -0x1
bra #again
END
"$weft" asm -i tesla loop.tesla -o loop.bin
named() {
    printf '0 start\n8 T loop\n' >names
    status 0 "$weft" dis -i tesla --symbols names loop.bin && prints '^start:$' && prints '^loop:$' &&
        prints 'bra #?loop' &&
        cp "$scratch/out" named.tesla && status 0 "$weft" asm -i tesla named.tesla && cmp "$scratch/out" loop.bin
}
check 'dis --symbols: names at addresses; the text assembles to the same bytes' named
no_symbol() {
    echo 'loop' >names && status 1 "$weft" dis -i tesla --symbols names loop.bin &&
        says '^names:1:1: error: expected a line'
}
check 'a list of symbols at fault' no_symbol
late_symbol() {
    printf '0 start\n\n8 T loop\nloop 8\n' >names && status 1 "$weft" dis -i tesla --symbols names loop.bin &&
        says '^names:4:1: error: expected a line' && says '^  loop 8$'
}
check 'the line of it is the one at fault' late_symbol
elsewhere() {
    printf '00000000 T start\n         U puts\n         w weak\n00000008 t loop\n' >names
    status 0 "$weft" dis -i tesla --symbols names loop.bin && prints '^start:$' && prints '^loop:$'
}
check 'symbols that nm finds elsewhere do not count' elsewhere
where() {
    status 1 "$weft" dis -i tesla -s fragment two.bin &&
        says '2 unknown instructions, printed as data: 0x0, 0x8$'
}
check 'addresses of unknown words' where
filled() {
    echo '0x1, 0x0000000000000000' >words
    status 1 "$weft" dis -i valhall -f words words && says '1 unknown instruction, printed as data: 0x0$'
}
check 'zeros that fill a program are not among them' filled
graph() {
    status 0 "$weft" dis -i tesla --graph loop.bin && prints '^  b0 -> b8;$' && prints '^  b8 -> b8;$' &&
        prints 'b8 .label="8: add b32' && ! grep -q 'b8 -> anywhere' "$scratch/out"
}
check 'dis --graph: blocks and ways' graph
guesses() { status 0 "$weft" dis --guess loop.bin && sed -n 2p "$scratch/out" | grep -q ' tesla '; }
check 'dis --guess' guesses

prefix() {
    status 0 "$weft" isa spirv fmul && cp "$scratch/out" short && status 0 "$weft" isa spirv OpFMul &&
        cmp "$scratch/out" short && grep -qx OpFMul short && status 2 "$weft" isa spirv xFMul
}
check 'instructions of SPIR-V without Op' prefix
functions() {
    status 0 "$weft" isa spirv fma && prints '^Fma: instruction 50 of GLSL.std.450: ' && prints '^OpExtInst$' &&
        status 0 "$weft" isa spirv FM && prints '^FMix: ' && prints '^OpFMul$' &&
        status 2 "$weft" isa spirv Fclmp && says "did you mean 'FClamp'" &&
        status 2 "$weft" isa spirv fmull && says "did you mean 'FMul'"
}
check 'functions of GLSL.std.450 by name, beginning and near miss' functions
others() {
    status 0 "$weft" isa valhall fsub && prints '^FSUB: write FADD.f32 r0, r1, r2.neg$' && prints '^FADD.f32$' &&
        status 0 "$weft" isa vpu push && prints '^push: write stm ' && status 0 "$weft" isa rogue rcp &&
        prints '^rcp: write frcp ft0, r0$' && status 2 "$weft" isa tesla selpp && says "did you mean 'selp'"
}
check 'what others call an instruction' others
name_alone() {
    status 1 "$weft" explain FMUL && says "'weft isa rogue FMUL' shows" && status 1 "$weft" explain -i tgsi mad &&
        says "'weft isa tgsi mad' shows" && ! says 'weft isa vpu'
}
check 'the name of an instruction alone is explained by weft isa' name_alone

finish
