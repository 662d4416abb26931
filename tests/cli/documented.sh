#!/bin/sh
# documented.sh WEFT SOURCE - what `weft help`, the manual page and the shell's completion say of commands and options
# agrees: neither an option that is not explained, nor one that does not exist. Code that architecture.md shows is in the tree.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$2" || exit 1
PATH=$(dirname "$weft"):$PATH

# The commands, and the options of one, as `weft help` has them.
commands() { "$weft" help | sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p' | grep -v '^help$'; }
options() {
    "$weft" help "$1" | sed -n -e 's/^  -., \(--[a-z-]*\).*/\1/p' -e 's/^      \(--[a-z-]*\).*/\1/p' | grep -v '^--help$' | sort
}

# Long options that the manual names in a command's section, and in the section about several commands.
section() { sed 's/\\-/-/g' docs/weft.1 | awk -v name="$1" '/^\.S[SH] / { on = $0 == name } on'; }
in_manual() { section "$1" | grep -oE -e '--[a-z]+(-[a-z]+)*' | sort -u; }

# Words that completion offers for a command line.
complete_words() {
    bash -c '. completions/weft.bash; COMP_WORDS=(weft "$@"); COMP_CWORD=$#; _weft; printf "%s\n" "${COMPREPLY[@]}"' \
        bash "$@" 2>/dev/null
}

not() { ! "$@"; }
subset() { [ -z "$(comm -23 "$1" "$2")" ] || { echo "$3:"; comm -23 "$1" "$2"; return 1; }; }

manual_of() {
    options "$1" >"$scratch/help"
    in_manual ".SS $1" >"$scratch/own"
    { cat "$scratch/own"; in_manual '.SS Options that several commands have'; } | sort -u >"$scratch/all"
    [ -s "$scratch/help" ] && subset "$scratch/help" "$scratch/all" 'not in the manual' &&
        subset "$scratch/own" "$scratch/help" 'in the manual, and unknown'
}
synopsis_of() {
    section '.SH SYNOPSIS' | awk -v name="$1" '/^\.B weft / { on = $3 == name } on' | grep -oE -e '--[a-z]+(-[a-z]+)*' | sort -u >"$scratch/own"
    section '.SH SYNOPSIS' | grep -q "^\.B weft $1\$" && options "$1" >"$scratch/help" &&
        subset "$scratch/own" "$scratch/help" 'in the synopsis, and unknown'
}
completion_of() {
    options "$1" >"$scratch/help"
    complete_words "$1" -- | grep -e '^--' | grep -v '^--help$' | sort >"$scratch/offered"
    cmp "$scratch/help" "$scratch/offered" || { diff "$scratch/help" "$scratch/offered"; return 1; }
}
completes_commands() {
    { commands; echo help; } | sort >"$scratch/help"
    complete_words '' | grep -v '^-' | sort >"$scratch/offered"
    cmp "$scratch/help" "$scratch/offered"
}
completes_isas() {
    "$weft" isa | awk 'NR > 1 { print $1 }' | sort >"$scratch/help"
    complete_words draw -i '' | sort >"$scratch/offered"
    [ -s "$scratch/help" ] && cmp "$scratch/help" "$scratch/offered"
}

# The chips of the set that -i names, wherever it is; without it, or of a set without chips, none.
completes_chips() {
    "$weft" isa tesla --json | tr -d ' ",' | sed -n '/^chips:\[$/,/^\]$/p' | sed '1d;$d' | sort >"$scratch/help"
    [ "$(wc -l <"$scratch/help")" -gt 10 ] || return 1
    complete_words asm -i tesla -m '' | sort >"$scratch/offered" && cmp "$scratch/help" "$scratch/offered" &&
        [ "$(complete_words dis --isa tesla --chip mcp8)" = mcp89 ] &&
        [ "$(complete_words dis --isa = tesla x.bin -m g80)" = g80 ] &&
        [ "$(complete_words dis -m '')$(complete_words dis -i tgsi -m '')$(complete_words dis -i none -m '')" = '' ]
}

# ---- architecture.md: the code that it shows is in the files that it names ----

# shown_in PAGE FOLDER: the parts of each block of C that are not lines of the file named on the line before it.
shown_in() {
    awk -v folder="$2/" '
        function look(    text, line, whole) {
            if (part == "") return
            if (!(file in content)) {
                text = ""
                while ((getline line < (folder file)) > 0) text = text line "\n"
                close(folder file)
                content[file] = "\n" text
            }
            if (!index(content[file], "\n" part)) print file " does not have these lines of " FILENAME ":\n" part
            part = ""
        }
        /^`[a-z][a-z_\/.]*`:$/ { file = substr($0, 2, length($0) - 3); next }
        /^```/ { if (code) { look(); file = "" } code = !code && $0 == "```c"; next }
        code && $0 == "..." { look(); next }
        code { part = part $0 "\n" }' "$1"
}
shows_code() { shown_in "$1" . >"$scratch/changed"; cat "$scratch/changed"; [ ! -s "$scratch/changed" ]; }
printf '`a.c`:\n\n```c\nint x;\n...\nint z;\n```\n' >"$scratch/page.md"
printf 'int x;\nint y;\nint z;\n' >"$scratch/a.c"
shows_a() { [ -z "$(shown_in "$scratch/page.md" "$scratch")" ]; }
check 'lines that are in the file are found' shows_a
printf 'int x;\nint zz;\n' >"$scratch/a.c"
check 'lines that are not in the file are told' not shows_a
shows_enough() { [ "$(grep -c '^```c$' docs/architecture.md)" -ge 15 ]; }
check 'architecture.md shows code' shows_enough
check 'architecture.md shows code as it is' shows_code docs/architecture.md

# Files and folders of the sources that documents name.
named_paths() {
    grep -hoE '[A-Za-z0-9_./-]*[a-z0-9]' README.md CONTRIBUTING.md docs/*.md docs/manual/*.md |
        grep -E '^(src|include|tests|bench|examples|tools)/' | grep -v '[A-Z]\.\|ISA' | sort -u | while read -r path; do [ -e "$path" ] || [ -e "docs/$path" ] || echo "$path"; done
}
paths_exist() { named_paths >"$scratch/gone"; cat "$scratch/gone"; [ ! -s "$scratch/gone" ]; }
check 'files and folders that documents name exist' paths_exist

same_version() { [ "$(sed -n '1s/.*"weft \([0-9.]*\)".*/\1/p' docs/weft.1)" = "$("$weft" --version | sed -n '1s/weft //p')" ]; }
check "the manual's version" same_version
check 'there are commands' [ "$(commands | wc -l)" -ge 6 ]
for command in $(commands); do
    check "$command: the manual's section" manual_of "$command"
    check "$command: the manual's synopsis" synopsis_of "$command"
    check "$command: completion" completion_of "$command"
done
check 'completion of commands' completes_commands
check 'completion of instruction sets' completes_isas
check 'completion of chips' completes_chips
finish
