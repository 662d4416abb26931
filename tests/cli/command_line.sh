#!/bin/sh
# command_line.sh WEFT - exit statuses, messages and files of the weft program.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

cat >good.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
IMM[0] FLT32 { 1.0, 0.5, 0.25, 1.0 }
  0: MOV OUT[0], IMM[0]
  1: END
END
cat >bad.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
IMM[0] FLT32 { 1.0, 0.5, 0.25, 1.0 }
  0: MOVV OUT[0], IMM[0]
  1: END
END
cat >undeclared.tgsi <<'END'
FRAG
DCL OUT[0], COLOR
  0: MOV OUT[0], TEMP[3]
  1: END
END

# ---- usage ----
version() { status 0 "$weft" --version && prints '^weft [0-9]+\.[0-9]+\.[0-9]+$'; }
check '--version' version
refuses() {
    pattern=$1
    shift
    status 2 "$weft" "$@" && says "$pattern" && [ ! -s "$scratch/out" ]
}

# ---- asm and dis ----
assembles() { status 0 "$weft" asm good.tgsi -o good.bin && silent && [ -s good.bin ]; }
check 'asm' assembles
hex_is_bin() {
    status 0 "$weft" asm -f hex good.tgsi && od -An -v -tx1 -w4 good.bin | tr -d ' ' | cmp - "$scratch/out"
}
check 'asm -f hex: a token a line, in memory order' hex_is_bin
round_trip() {
    status 0 "$weft" dis -i tgsi good.bin -o good2.tgsi && status 0 "$weft" asm good2.tgsi -o good2.bin &&
        cmp good.bin good2.bin
}
check 'dis and asm: the same bytes' round_trip
hex_pipe() {
    "$weft" asm -f hex good.tgsi | "$weft" dis -i tgsi -f hex - >hex.tgsi && cmp hex.tgsi good2.tgsi
}
check 'asm -f hex | dis -f hex' hex_pipe
cat >jump.vpu <<'END'
        .global _start
_start: b       there
        .space  10
there:  mov     r0, 5
END
elf() {
    status 0 "$weft" asm -f elf jump.vpu -o jump.elf && [ "$(head -c 4 jump.elf | tail -c 3)" = ELF ] &&
        status 0 "$weft" dis -i vpu jump.elf -o jump2.vpu && grep -q '^_start:' jump2.vpu &&
        status 0 "$weft" asm -f elf jump2.vpu -o jump2.elf && cmp jump.elf jump2.elf
}
check 'asm -f elf, and dis of it' elf
no_elf() { status 1 "$weft" asm -f elf good.tgsi -o none.elf && says 'tgsi programs cannot be written as ELF files' && [ ! -e none.elf ]; }
check 'asm -f elf of what is no such program' no_elf
relaxed() {
    status 0 "$weft" asm -f hex jump.vpu && grep -q '^061f$' "$scratch/out" &&
        status 0 "$weft" asm -f hex --no-relax jump.vpu && grep -q '^009e0700$' "$scratch/out" || return 1
    "$weft" asm --base 0x100 jump.vpu -o jump.bin && status 0 "$weft" dis -i vpu --base 0x100 --entry 0x10c jump.bin &&
        grep -q '^mov r0,0x5$' "$scratch/out" && ! grep -q '^b ' "$scratch/out" && grep -q '^.org 0x100$' "$scratch/out" &&
        status 0 "$weft" dis -i vpu --linear jump.bin && [ "$(grep -c bkpt "$scratch/out")" = 5 ]
}
check 'asm --no-relax, --base; dis --base, --entry, --linear' relaxed
standard_input() {
    "$weft" asm -i tgsi <good.tgsi >in.bin && cmp in.bin good.bin &&
        "$weft" asm -i tgsi - <good.tgsi >in.bin && cmp in.bin good.bin
}
check 'standard input, named and not' standard_input
each() {
    tr '\n' ' ' <good2.tgsi >each.tgsi && echo >>each.tgsi && cat each.tgsi each.tgsi >twice.tgsi &&
        status 0 "$weft" asm -i tgsi --each -f hex twice.tgsi && cp "$scratch/out" each.hex &&
        [ "$(wc -l <each.hex)" -eq 2 ] && status 0 "$weft" dis -i tgsi --each -f hex each.hex &&
        [ "$(wc -l <"$scratch/out")" -eq 2 ]
}
check '--each: a program a line, both ways' each
each_tesla() {
    echo '54ea001000800010' >each.tesla.hex && status 0 "$weft" dis -i tesla -f hex --each each.tesla.hex &&
        prints '^mov b32 .r21 .r53; mov b32 .r0 .r0$' && cp "$scratch/out" each.tesla &&
        status 0 "$weft" asm -i tesla -f hex --each each.tesla && cmp "$scratch/out" each.tesla.hex
}
check '--each: several instructions of tesla on a line' each_tesla
# A data word of valhall is explained in a comment, which would hide what comes after it on the line.
each_commented() {
    echo 'ffffffffffffb200ffffffffffffb200' >each.valhall.hex && "$weft" dis -i valhall -f hex each.valhall.hex >each.lines
    [ "$(grep -c '//' each.lines)" -eq 2 ] && status 1 "$weft" dis -i valhall -f hex --each each.valhall.hex &&
        ! grep -q '//' "$scratch/out" && cp "$scratch/out" each.valhall &&
        status 0 "$weft" asm -i valhall -f hex --each each.valhall && cmp "$scratch/out" each.valhall.hex
}
check '--each: no comments on a joined line' each_commented
each_joined() {
    echo '01000000000001000000c091020000000000' >each.vpu.hex
    echo '000000000000000000000000000000c0' >each.valhall.hex
    echo '028062ff028063ff028068ff' >each.rogue.hex
    for set in vpu valhall rogue; do
        "$weft" dis -i $set -f hex --each each.$set.hex >each.$set
        status 0 "$weft" asm -i $set -f hex --each each.$set && cmp "$scratch/out" each.$set.hex || return 1
    done
}
check '--each: several instructions on a line assemble to the same bytes' each_joined
# Lines at fault are comments, so that the others keep their numbers; comments and empty lines stay.
each_faulty() {
    printf '010000f0800700e0\nxyz\n\n# rest\n010000f0810700e0\n' >faulty.hex
    status 1 "$weft" dis -i tesla -f hex --each faulty.hex && says '^faulty.hex:2:1: error: ' && cp "$scratch/out" faulty.tesla &&
        printf '%s\n' 'nop' '# error in line 2' '' '# rest' 'exit nop' | cmp - faulty.tesla &&
        status 0 "$weft" asm -i tesla -f hex --each faulty.tesla && sed 's/xyz/# error in line 2/' faulty.hex | cmp - "$scratch/out" || return 1
    printf 'nop\nnopp\nlabel:\nexit nop\n' >faulty.tesla
    status 1 "$weft" asm -i tesla -f hex --each faulty.tesla && says '^faulty.tesla:2:1: error: ' && says "'nopp'" &&
        printf '%s\n' 010000f0800700e0 '# error in line 2' '' 010000f0810700e0 | cmp - "$scratch/out" &&
        status 1 "$weft" asm -i tesla --each faulty.tesla -o faulty.bin && [ ! -e faulty.bin ]
}
check '--each: a line at fault is a comment, the others are not lost' each_faulty
each_refused() {
    { cat each.hex && head -c 32 each.hex && echo && cat each.hex; } >refused.hex && status 1 "$weft" dis -i tgsi --each -f hex refused.hex &&
        says '^refused.hex\[3\]: error' && sed -n 3p "$scratch/out" | grep -q '^# error in line 3$' && [ "$(wc -l <"$scratch/out")" -eq 5 ] &&
        status 2 "$weft" dis -i tgsi -m g80 --each -f hex each.hex && [ ! -s "$scratch/out" ] && [ "$(grep -c error: "$scratch/err")" -eq 1 ]
}
check '--each: a program that is refused, and an option that is' each_refused
base_used() {
    refuses 'tgsi programs have no addresses: a base' asm --base 0x100 -f hex good.tgsi &&
        refuses 'tgsi programs have no addresses: a base' dis -i tgsi --base 0x100 good.bin &&
        refuses 'tgsi programs start at their first instruction' dis -i tgsi --entry main good.bin || return 1
    printf 'nop\na: bra #a\n' >base.tesla && status 0 "$weft" asm -i tesla --base 0x1000 base.tesla -o base.bin &&
        status 0 "$weft" dis -i tesla base.bin && prints '^bra 0x1008$' &&
        status 0 "$weft" dis -i tesla --base 0x1000 -l base.bin && prints '^bra #L0x1008$'
}
check '--base and --entry: refused where they mean nothing; addresses of tesla are absolute' base_used
odd_listing() {
    printf '\001\000\000\360\200\007\000\340\240\001\002' >odd.bin && status 1 "$weft" dis -i tesla --addr --bytes odd.bin &&
        cp "$scratch/out" odd.tesla && status 0 "$weft" asm -i tesla odd.tesla && cmp "$scratch/out" odd.bin
}
check 'a listing with left-over bytes assembles' odd_listing
unknown_words() {
    printf '\000\000\000\000\001\000\000\360\201\007\000\340\000\000\000\000' >reached.bin
    printf '\001\000\000\360\201\007\000\340\000\000\000\000' >padded.bin
    status 1 "$weft" check -i tesla -s fragment reached.bin && says 'reached.bin: error: 0x0 holds 00000000' &&
        status 1 "$weft" draw -i tesla reached.bin --size 4x4 -o reached.png && says 'reached.bin: error: 0x0 holds' &&
        [ ! -e reached.png ] && status 0 "$weft" check -i tesla -s fragment padded.bin && says 'padded.bin: warning: 0x8 holds' &&
        status 0 "$weft" draw -i tesla padded.bin --size 4x4 -o padded.png
}
check 'unknown words of tesla: errors where control flow gets, else warnings' unknown_words
labels() {
    printf 'a: nop\n(e $c0) bra #a\ncall #f\ntrap\nf: ret\n' >labels.tesla && status 0 "$weft" asm -i tesla labels.tesla -o labels.bin &&
        status 0 "$weft" dis -i tesla labels.bin && ! prints 'L0x' && status 0 "$weft" dis -i tesla --labels --addr labels.bin &&
        prints '^L0x0:$' && prints 'call #L0x20$' && cp "$scratch/out" labelled.tesla &&
        status 0 "$weft" asm -i tesla labelled.tesla && cmp "$scratch/out" labels.bin &&
        status 2 "$weft" dis -i tgsi --labels labels.bin && says 'tgsi programs get no labels'
}
check 'dis --labels: targets have labels; the text assembles to the same bytes' labels
rogue_labels() {
    printf 'top:\n0: wop\n1: br.allinst top\n2: br.anyinst end\n3: wop\nend:\n' >labels.rogue &&
        status 0 "$weft" asm -i rogue labels.rogue -o labels.bin && status 0 "$weft" dis -i rogue labels.bin &&
        prints 'br.allinst -4;' && ! prints '^L' && status 0 "$weft" dis -i rogue --labels labels.bin &&
        prints '^L0:$' && prints '^L4:$' && ! prints '^L1:$' && prints 'br.allinst L0;' && prints 'br.anyinst L4;' &&
        cp "$scratch/out" labelled.rogue && status 0 "$weft" asm -i rogue labelled.rogue &&
        cmp "$scratch/out" labels.bin
}
check 'dis --labels of rogue: targets have labels, the end too; the text assembles to the same bytes' rogue_labels
long_at_odd_word() {
    echo '00 80 00 10 01 00 00 f0 80 07 00 e0 01 00 00 f0 81 07 00 e0' >oddword.hex &&
        status 1 "$weft" dis -i tesla -f hex --addr oddword.hex && prints '^00000000: mov b32 ' &&
        prints '^00000004: .b32 0xf0000001 0xe0000780$' && prints '^0000000c: .b32 0xf0000001 0xe0000781$' &&
        cp "$scratch/out" oddword.tesla && status 0 "$weft" asm -i tesla -f hex oddword.tesla &&
        tr -d '\n' <"$scratch/out" >oddword.out && tr -d ' \n' <oddword.hex | cmp - oddword.out
}
check 'dis of tesla: a long instruction at an odd word is data, its second word too' long_at_odd_word

isa_words() {
    status 0 "$weft" isa valhall FADD.f32 && prints 'clamp: none .left out., clamp_0_inf, clamp_m1_1, clamp_0_1' &&
        status 0 "$weft" isa valhall CSEL.f32 && prints 'dst, a, b, c, d' &&
        status 0 "$weft" isa valhall FADD && prints '^FADD.f32$' && prints '^FADD.v2f16$' &&
        printf 'FADD.f32 r0, r1, 1.0\nMOV.i32 r0, 5\nIADD.u32 r0, r1, 5\nATOM1.i32 r0\nBARRIER\n' >hints.valhall &&
        status 1 "$weft" asm -i valhall hints.valhall && says '1 is 0x3F800000' && says '5 is 0x7060504.b1' &&
        says "write ATOM1_RETURN.i32.*@.*: with '@' and no register" && says 'write BARRIER.slot7.wait'
}
check 'isa: words of modifiers, types of a mnemonic; hints of valhall' isa_words

valhall_bytes() {
    printf 'NOP.reconverge\nagain: BRANCHZ.reconverge r0, offset:done\nBRANCHZ 0x3F800000, offset:again\ndone: NOP.end\n' \
        >labels.valhall &&
        status 0 "$weft" asm -i valhall labels.valhall -o labels.bin && printf abc >>labels.bin &&
        status 1 "$weft" dis -i valhall --labels labels.bin && prints 'BRANCHZ.reconverge r0, offset:L0x18' &&
        prints '.byte 0x61, 0x62, 0x63' && cp "$scratch/out" labelled.valhall &&
        status 0 "$weft" asm -i valhall labelled.valhall && cmp "$scratch/out" labels.bin &&
        status 0 "$weft" check -i valhall labels.bin && says 'labels.bin: warning: at 0x20: the last 3 bytes'
}
check 'valhall: labels, bytes after the last word, messages about bytes name the file' valhall_bytes
truncated() {
    size=$(wc -c <good.bin)
    for n in 0 1 4 7 8 12 $((size - 4)) $((size - 1)); do
        head -c "$n" good.bin >cut.bin && status 1 "$weft" dis -i tgsi cut.bin && says 'error: ' || return 1
    done
}
check 'truncated tokens' truncated

# ---- instruction sets whose instructions have addresses ----
cat >short.tesla <<'END'
mov b32 $r0 $r1
mov b32 $r2 $r1
long mov b32 $r0 $r64
exit nop
END
instruction_lines() {
    status 0 "$weft" asm -f hex short.tesla && printf '%s\n' 00820010 08820010 0180001080c70304 010000f0810700e0 |
        cmp - "$scratch/out" && cp "$scratch/out" short.hex && status 0 "$weft" dis -i tesla -f hex short.hex &&
        sed 's/^long //' short.tesla | cmp - "$scratch/out"
}
check 'asm -f hex and dis -f hex: an instruction a line' instruction_lines
listing() {
    status 0 "$weft" dis -i tesla -f hex --addr --bytes short.hex && prints '^00000004: 08 82 00 10 +mov b32 ' &&
        prints '^00000010: 01 00 00 f0 81 07 00 e0 +exit nop$'
}
check 'dis --addr --bytes' listing
asm_short() {
    echo 'long mov b32 $r0 $r1' >long.tesla && status 0 "$weft" asm -f hex long.tesla && prints '^0102001080c70304$' &&
        status 0 "$weft" asm -f hex --short long.tesla && prints '^00820010$'
}
check 'asm --short' asm_short
rogue_short() {
    echo '0 : { s0 = r1, is4 = ft0 p0: mbyp.form1 ft0, s0; w0 = r0 }.hdr3.lo2' >long.rogue &&
        status 0 "$weft" asm -i rogue -f hex long.rogue && cp "$scratch/out" long.hex &&
        status 0 "$weft" asm -i rogue -f hex --short long.rogue && cp "$scratch/out" short.hex &&
        echo '0 : { s0 = r1, is4 = ft0 p0: mbyp ft0, s0; w0 = r0 }' >plain.rogue && status 0 "$weft" asm -i rogue -f hex plain.rogue &&
        cmp short.hex "$scratch/out" && [ "$(wc -c <long.hex)" -gt "$(wc -c <short.hex)" ]
}
check 'asm --short: suffixes of rogue' rogue_short
packed() {
    printf '%s\n' 'fmul r0, r1, r2' 'fadd r3, r4, r5' 'umadd32 r6, r7, r8, r9' >list.rogue &&
        status 0 "$weft" asm -i rogue --pack -f hex list.rogue && [ "$(wc -l <"$scratch/out")" -eq 2 ] && cp "$scratch/out" list.hex &&
        status 0 "$weft" dis -i rogue -f hex list.hex && prints 'p0: fmul ft0, s0, s1; p1: fadd ft1, s3, s4; w0 = r0, w1 = r3 ' || return 1
    status 1 "$weft" asm -i rogue -f hex list.rogue && status 2 "$weft" asm -i tgsi --pack good.tgsi && says 'no instruction groups'
}
check 'asm --pack' packed
unknown_words() {
    printf '00000000\n010000f0810700e0\n' >unknown.hex && status 1 "$weft" dis -i tesla -f hex --each unknown.hex && prints '^.b32 0x0$' &&
        prints '^exit nop$' && says '1 unknown instruction'
}
check 'dis: unknown words are data, and the status is 1' unknown_words
other_stages() {
    printf '05c8001080c72304\n' >stage.hex && status 1 "$weft" dis -i tesla -f hex stage.hex && says 'fewer are unknown with -s vertex, geometry or compute' && status 0 "$weft" dis -i tesla -s compute -f hex stage.hex
}
check 'dis: without -s, stages that know more are named' other_stages
container() {
    printf 'architecture {sm_13}\ncode { name = k bincode { 0xf0000001 0xe0000781 } }\n' >k.cubin &&
        status 0 "$weft" dis k.cubin && prints '^.section #k$' && prints '^exit nop$' && status 0 "$weft" check k.cubin
}
check 'a container is known by its extension' container

# ---- diagnostics ----
diagnosed() {
    status 1 "$weft" asm bad.tgsi -o x.bin && says "^bad.tgsi:4:6: error: .*MOVV" && says "^ +\\^~~~" &&
        says "did you mean 'MOV'" && [ ! -e x.bin ]
}
check 'asm: place, caret, hint, no output' diagnosed
check 'missing input' status 1 "$weft" asm none.tgsi -o x.bin
check 'input that is a folder' status 1 "$weft" asm -i tgsi . -o x.bin
check_good() { status 0 "$weft" check good.tgsi && silent; }
check 'check: fine' check_good
check_bad() { status 1 "$weft" check undeclared.tgsi && says '^undeclared.tgsi:3:[0-9]+: error: '; }
check 'check: undeclared register' check_bad
check_tokens() { cp good.bin tokens.tgsi && status 0 "$weft" check tokens.tgsi; }
check 'check: token streams are known for what they are' check_tokens
check_many() { status 1 "$weft" check good.tgsi undeclared.tgsi bad.tgsi && says '^undeclared' && says '^bad'; }
check 'check: several inputs, the worst status' check_many
# Words that are not instructions: an error where control comes to them, with file and address, else a warning.
unknown_word() {
    isa=$1
    printf "$2$4$3" >"reached.$isa" && printf "$3$4" >"unreached.$isa" || return 1
    status 1 "$weft" check -s fragment "reached.$isa" && says "^reached.$isa: error: .*0x8" &&
        status 0 "$weft" check -s fragment "unreached.$isa" && says "^unreached.$isa: warning: .*0x8" &&
        status 1 "$weft" draw "reached.$isa" --size 4x4 -o x.raw && says "^reached.$isa: error: .*0x8" &&
        status 1 "$weft" check -s fragment --json "reached.$isa" && prints '"address": 8,' && prints "\"file\": \"reached.$isa\""
}
check 'unknown words: tesla' unknown_word tesla '\001\000\000\360\200\007\000\340' '\001\000\000\360\201\007\000\340' \
    '\001\000\000\360\377\377\377\377'
check 'unknown words: valhall' unknown_word valhall '\000\000\000\000\000\300\000\000' '\000\000\000\000\000\300\000\170' \
    '\000\000\000\000\000\000\000\200'
check 'unknown words: rogue' unknown_word rogue '\004\200\150\377\362\377\377\377' '\004\200\356\000\362\377\377\377' \
    '\000\000\377\377\377\377\377\377'
many_errors() {
    { echo FRAG; i=0; while [ $i -lt 150 ]; do echo MAAD; i=$((i + 1)); done; echo END; } >many.tgsi
    status 1 "$weft" check many.tgsi && says '^50 more not shown$' && [ "$(grep -c error: "$scratch/err")" -eq 100 ] &&
        status 1 "$weft" check --json many.tgsi && prints '"errors": 150'
}
check 'more than 100 errors: the true count' many_errors
stdin_name() { "$weft" check -i tgsi --json - <good.tgsi >"$scratch/out" && prints '"file": "<stdin>"'; }
check 'standard input has one name' stdin_name
stdin_job() {
    printf '#!amber\nBUFFER n DATA_TYPE uint32 SIZE 1 FILL 1\nEXPECT n IDX 0 EQ 2\n' >stdin.amber
    "$weft" run - <stdin.amber 2>"$scratch/err" && return 1
    says '^<stdin>:3:' && says '^<stdin>: 1 of 1 expectations failed' && ! grep -q '^-' "$scratch/err" || return 1
    "$weft" run --json - <stdin.amber >"$scratch/out" 2>"$scratch/err" && return 1
    silent && prints '"file": "<stdin>"' && prints '"failed": 1' && ! grep -q '"file": "-"' "$scratch/out" || return 1
    echo nonsense | "$weft" run --json - >"$scratch/out" && return 1
    [ "$(grep -c '"file": "<stdin>"' "$scratch/out")" -eq 2 ] && prints '"line": 1'
}
check 'a job on standard input has one name too' stdin_job
input_kept() {
    cp good.tgsi same.tgsi && status 2 "$weft" asm same.tgsi -o same.tgsi && says 'is the input' && cmp same.tgsi good.tgsi &&
        ln -s nowhere dangling && status 1 "$weft" asm good.tgsi -o dangling && [ -L dangling ] &&
        : >locked.bin && chmod 444 locked.bin && status 1 "$weft" asm good.tgsi -o locked.bin && [ ! -s locked.bin ]
}
check 'an output does not replace its input, a file that is read only or a dangling link' input_kept
inputs_kept() {
    printf '#!amber\nBUFFER numbers DATA_TYPE float SIZE 4 FILL 1\n' >job.png && cp job.png job.was && cp good.tgsi good.raw &&
        status 2 "$weft" run job.png --dump numbers=a.raw --dump numbers=job.png && says "'job.png' is the input" && [ ! -e a.raw ] &&
        status 2 "$weft" run job.png --trace ./job.png --trace-id 0 && cmp job.png job.was || return 1
    for option in --linkage=good.raw --const=1=good.raw --texture=3=good.raw --texture=0=good.raw:nearest \
        --vertex=good.raw; do
        status 2 "$weft" draw good.tgsi "$option" -o good.raw && says "'good.raw' is the input" && cmp good.raw good.tgsi || return 1
    done
    status 2 "$weft" draw good.tgsi --vertex good.tgsi --vertex-linkage good.raw -o good.raw &&
        says "'good.raw' is the input"
}
check 'run and draw replace none of their inputs' inputs_kept
full_help() { for what in --version help 'help asm'; do "$weft" $what >/dev/full 2>/dev/null; [ $? -eq 1 ] || return 1; done; }
[ ! -c /dev/full ] || check 'help and version to a full device' full_help
no_colour() { ! grep -q "$(printf '\033')" "$scratch/err"; }
status 1 "$weft" check bad.tgsi >/dev/null
check 'no colour beside a terminal' no_colour

# ---- characters that steer a terminal ----
raw() { grep -q "$(printf '\033')\|$(printf '\342\200\256')\|$(printf '\302\233')" "$scratch/err"; }
shown() { says "$1" && ! raw; }
name=$(printf 'a\033[2J\342\200\256.tgsi')
cp bad.tgsi "$name"
name_of_file() { status 1 "$weft" check "$name" && shown '^a\\x1b\[2J<U\+202E>\.tgsi:4:6: error'; }
check 'the name of a file in a diagnostic' name_of_file
name_in_message() { status 1 "$weft" asm "none$name" && shown "'nonea\\\\x1b\[2J<U\+202E>\.tgsi'"; }
check 'the name of a file in a message' name_in_message
wrong_word() { status 2 "$weft" asm -i "$name" good.tgsi && shown "'a\\\\x1b\[2J<U\+202E>\.tgsi'"; }
check 'a word of the command line' wrong_word
printf 'FRAG\nDCL OUT[0], COLOR\n  \342\200\256\302\233 MOVV\nEND\n' >hidden.tgsi
hidden_source() { status 1 "$weft" check hidden.tgsi && shown '^hidden.tgsi:3:' && says '^    <U\+202E><U\+009B> MOVV$'; }
check 'the line of a source' hidden_source
printf 'FRAG\nDCL OUT[0], COLOR\n  \033[1mEND\n' >escape.tgsi
taken_for_bytes() {
    status 1 "$weft" check escape.tgsi && shown '^escape.tgsi:3:3: note: .*taken for bytes.* 0x1b at offset 25' &&
        says '^    \\x1b\[1mEND$' && says '^    \^~~~$'
}
check 'a text that is taken for bytes' taken_for_bytes
head -c "$(($(wc -c <good.bin) - 1))" good.bin >cut.bin
real_bytes() { status 1 "$weft" check -i tgsi cut.bin && ! says 'taken for bytes'; }
check 'real bytes are not' real_bytes

# ---- output files ----
untouched() { echo old >out.bin && status 1 "$weft" asm bad.tgsi -o out.bin && same old out.bin; }
check 'an error leaves the old output' untouched
no_leftovers() {
    mkdir folder && cd folder && status 0 "$weft" asm ../good.tgsi -o a.bin && status 1 "$weft" asm ../bad.tgsi -o a.bin &&
        [ "$(ls -A)" = a.bin ]
    result=$?
    cd ..
    return $result
}
check 'nothing is left beside the output' no_leftovers
link_stays() {
    echo old >target.bin && ln -s target.bin link.bin && status 0 "$weft" asm good.tgsi -o link.bin && [ -L link.bin ] &&
        cmp target.bin good.bin
}
check 'a link stays one' link_stays
mode_stays() { : >mode.bin && chmod 640 mode.bin && status 0 "$weft" asm good.tgsi -o mode.bin && [ "$(stat -c %a mode.bin)" = 640 ]; }
check 'a file keeps its mode' mode_stays
new_mode() { (umask 027 && "$weft" asm good.tgsi -o new.bin) && [ "$(stat -c %a new.bin)" = 640 ]; }
check 'a new file has the mode that the umask gives' new_mode
device() { status 0 "$weft" asm good.tgsi -o /dev/null && [ -c /dev/null ]; }
check 'a device is written to, not replaced' device
full() { status 1 "$weft" asm good.tgsi -o /dev/full && says 'No space left'; }
full_stdout() { "$weft" isa tgsi >/dev/full 2>err; [ $? -eq 1 ] && grep -q 'cannot write' err; }
if [ -c /dev/full ]; then
    check 'a full device' full
    check 'a full standard output' full_stdout
fi
no_folder() { status 1 "$weft" asm good.tgsi -o none/out.bin && says "cannot write 'none/out.bin'"; }
check 'no such folder' no_folder

# ---- isa ----
list() { status 0 "$weft" isa && silent && prints '^tgsi +[0-9]+ '; }
check 'isa' list
rows() { status 0 "$weft" isa tgsi && prints '^MAD +(documented|known|inferred|differs) +[a-z]' && [ "$(wc -l <"$scratch/out")" -gt 200 ]; }
check 'isa tgsi: every opcode with provenance' rows
every_row() {
    "$weft" isa tgsi | tail -n +2 | grep -vE '^[A-Z0-9_]+ +(documented|known|inferred|differs) +[^ ]+.* [^ ]' && return 1
    return 0
}
check 'isa tgsi: no gaps in the table' every_row
detail() { status 0 "$weft" isa tgsi MAD && prints 'MAD dst, src0' && prints 'provenance'; }
check 'isa tgsi MAD' detail
lower() { status 0 "$weft" isa tgsi mad && prints '^MAD$'; }
check 'isa tgsi mad' lower
isa_json() { status 0 "$weft" isa tgsi --json && prints '"mnemonic": "MAD"' && prints '"provenance": "documented"'; }
check 'isa --json' isa_json
isa_html() {
    status 0 "$weft" isa --html pages && [ -s pages/index.html ] && grep -q '<section id="MAD">' pages/tgsi.html &&
        status 0 "$weft" isa tgsi --html pages || return 1
    # The index has the pages that are there, whenever they were written; and no others.
    grep -q 'href="valhall.html"' pages/index.html && status 0 "$weft" isa tgsi --html one && grep -q 'href="tgsi.html"' one/index.html &&
        ! grep -q 'href="valhall.html"' one/index.html || return 1
    for page in pages/*.html; do
        grep -o ' id="[^"]*"' "$page" | sort | uniq -d | grep . && return 1
        grep -o 'href="#[^"]*"' "$page" | sed 's/href="#/ id="/' | sort -u >links
        grep -o ' id="[^"]*"' "$page" | sort -u | comm -13 - links | grep . && return 1
    done
    # Names have their own row; a name that is wider than its bits is turned.
    ! grep -q '<th>name</th>' pages/*.html && grep -q '<th class="names">slot</th><td>slot0, slot1' pages/valhall.html &&
        grep -q 'title="conservative"><span>conservative</span>' pages/valhall.html &&
        grep -q 'title="source_format">source_format<' pages/valhall.html &&
        grep -q '<th class="names">lodm</th>' pages/rogue.html || return 1
    # What people look for is found: by the box above the list, and under the name that languages have for it.
    grep -q '^<input type="search"' pages/tgsi.html && grep -q '<a href="#other--Fma">Fma</a>' pages/spirv.html &&
        grep -q '^<tr id="other--Fma"><th>Fma</th><td><a href="#OpExtInst">' pages/spirv.html
}
check 'isa --html' isa_html
# A sanitizer cannot look for leaks in there. Another processor or system may have no sandbox, and weft says so.
html_apart() {
    status 0 env ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" "$weft" isa tgsi --html one --sandbox ||
        says 'weft can do it on Linux alone, on x86-64 and AArch64|this system has no Landlock'
}
check 'into a folder that is there in a sandbox too' html_apart

finish
