#!/bin/sh
# layers.sh SOURCE - every file of src uses only its own folder and those below it, in the order of docs/architecture.md, and no
# instruction set uses another; isa/asm is for all of them.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"

# folders SOURCE: those of the document's table, lowest first.
folders() {
    sed -n '/^## Folders/,/^## /s/^| `src\/\([a-z]*\)`.*/\1/p' "$1/docs/architecture.md"
}

# uses SOURCE: a line for each place that includes another file of src: FILE INCLUDED.
uses() {
    (cd "$1/src" && grep -r --include='*.[ch]' -o '^ *# *include "[a-z_/]*' .) | sed 's,^\./,,; s,: *# *include ", ,'
}

# upward SOURCE: the places that use a folder above their own, or another instruction set.
upward() {
    folders "$1" >"$scratch/folders"
    uses "$1" | awk '
        NR == FNR { level[$1] = NR; next }
        {
            split($1, from, "/")
            split($2, to, "/")
            if (!(from[1] in level) || !(to[1] in level))
                print $1 ": " $2 " (a folder that is not in the table)"
            else if (level[to[1]] > level[from[1]])
                print $1 ": " $2
            else if (from[1] == "isa" && to[1] == "isa" && from[3] && to[3] && from[2] != to[2] && to[2] != "asm")
                print $1 ": " $2
        }' "$scratch/folders" -
}

nothing_upward() {
    [ "$(folders "$1" | wc -l)" -ge 7 ] && [ "$(uses "$1" | wc -l)" -ge 500 ] || return 1
    upward "$1" >"$scratch/upward"
    cat "$scratch/upward"
    [ ! -s "$scratch/upward" ]
}

# A tree with each thing that must not be, and what may.
finds_upward() {
    tree=$scratch/tree
    mkdir -p "$tree/docs" "$tree/src/base" "$tree/src/isa/vpu" "$tree/src/device"
    cp "$1/docs/architecture.md" "$tree/docs"
    echo '#include "isa/isa.h"' >"$tree/src/base/a.c"
    printf '#include "isa/rogue/x.h"\n#include "isa/scan.h"\n#include "isa/vpu/y.h"\n#include "base/arena.h"\n' >"$tree/src/isa/vpu/b.c"
    printf '#include "report/x.h"\n#include "isa/vpu/y.h"\n' >"$tree/src/device/c.c"
    upward "$tree" | sort
    [ "$(upward "$tree" | sort | sed 's/:.*//' | tr '\n' ' ')" = 'base/a.c device/c.c isa/vpu/b.c ' ]
}

check 'no file uses a folder above its own' nothing_upward "$1"
check 'a file that does is found' finds_upward "$1"
finish
