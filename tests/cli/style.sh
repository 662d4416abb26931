#!/bin/sh
# style.sh SOURCE - what CONTRIBUTING.md asks of every source file and a program can tell.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$1" || exit 1

find tests bench examples tools src \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.py' \) | sort >"$scratch/others"
find include src \( -name '*.c' -o -name '*.h' -o -name '*.inc' -o -name meson.build \) | sort >"$scratch/sources"

# Lines of more than 120 columns (bytes; comments are ASCII).
narrow() {
    xargs awk 'length > 120 { print FILENAME ":" FNR ": " length " columns"; wide++ } END { exit wide > 0 }' <"$1"
}
# Functions of more than 80 lines: from a brace in the first column to the next one.
short() {
    grep '\.c$' "$1" | xargs awk '
        /^{/ { first = FNR }
        /^}/ { if (first && FNR - first > 79) { print FILENAME ":" first ": " FNR - first + 1 " lines"; long++ } first = 0 }
        END { exit long > 0 }'
}
# The first line of a file says what it is about: its name, maybe with folders before it, and then "-" or ":".
titled() {
    grep -E '[.](c|h|inc)$' "$1" | xargs awk '
        FNR > 1 { nextfile }
        {
            name = FILENAME
            sub(/.*[/]/, "", name)
            line = $0
            if (match(line, /^[/][*] [a-z/]*[/]/))
                line = "/* " substr(line, RLENGTH + 1)
            if (index(line, "/* " name " - ") != 1 && index(line, "/* " name ":") != 1) { print FILENAME; bad++ }
        }
        END { exit bad > 0 }'
}

# Code asks columns of rows and not opcodes (docs/architecture.md, "Tables"): where a row is compared outside the tables.
# What gives a SPIR-V module its structure is not asked for anything else: functions, blocks, names, lines.
structure='Function|FunctionEnd|FunctionParameter|FunctionCall|Label|Phi|LoopMerge|BranchConditional|Variable|Constant'
structure="$structure|TypeInt|Name|EntryPoint|ExecutionMode|ExecutionModeId|Line|NoLine|ExtInst"
vpu='ALU|FLOAT|CONVERT|MEMORY|LDM|STM|B|BL|J|JL|SWITCH_B|SWITCH|ADDCMPB|LEA|MOV_TO_P|MOV_FROM_P|SWI|VERSION|BKPT|NOP'
vpu="$vpu|SLEEP|USER|EI|DI|CBCLR|RTI|VMEM|VDATA|MOV|ADD|SUB|CMP|BREV|REVERSED|FCMP|VREADACC"
opcodes() {
    grep '\.[ch]$' "$1" |
        xargs grep -HnowE "(==|!=|<|<=|>|>=|case) *((SpvOp|ROGUE_OP_|TGSI_OP_|TESLA_M_)[A-Za-z0-9_]+|VPU_($vpu))" |
        grep -vE " SpvOp($structure)$"
}

# The rules find what breaks them.
long_line=$(printf '%0121d' 0)
{ echo "/* wide.c - a file. */"; echo "/* $long_line */"; } >"$scratch/wide.c"
{ echo '/* other.c - a file. */'; echo 'int f(void)'; echo '{'; yes 'g();' | head -n 90; echo '}'; } >"$scratch/long.c"
{ echo '/* ask.c - a file. */'; echo 'bool f = op == SpvOpIAdd || op == VPU_ADD;'; } >"$scratch/ask.c"
for case in wide long ask; do echo "$scratch/$case.c" >"$scratch/$case.list"; done
not() { ! "$@"; }
check 'a wide line is found' not narrow "$scratch/wide.list"
check 'a long function is found' not short "$scratch/long.list"
check 'a wrong first line is found' not titled "$scratch/long.list"
check 'an opcode that is compared is found' opcodes "$scratch/ask.list"

check 'no line beyond 120 columns' narrow "$scratch/sources"
check 'nor in tests and programs beside them' narrow "$scratch/others"

# Documents too, but for rows of tables and what is shown as it is; the READMEs of folders without exception.
prose() {
    xargs awk 'FNR == 1 { code = 0 } /^```/ { code = !code }
        length > 120 && !code && !/^[|]/ && !/^    / { print FILENAME ":" FNR ": " length " columns"; wide++ }
        END { exit wide > 0 }' <"$1"
}
find src -name README.md >"$scratch/readmes"
find README.md CONTRIBUTING.md docs/amberscript.md docs/compute.md docs/library.md docs/manual examples -name '*.md' >"$scratch/documents"
check 'no line of a README below src beyond 120 columns' narrow "$scratch/readmes"
check 'no line of prose beyond 120 columns' prose "$scratch/documents"
printf '| %s |\n%s\n' "$long_line" "$long_line" >"$scratch/wide.md"
echo "$scratch/wide.md" >"$scratch/wide_document.list"
check 'a wide line of prose is found' not prose "$scratch/wide_document.list"
check 'no function beyond 80 lines' short "$scratch/sources"
check 'each file says what it is about' titled "$scratch/sources"
check 'no opcode is compared outside the tables' not opcodes "$scratch/sources"

finish
