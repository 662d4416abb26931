#!/bin/sh
# symbols.sh SHARED STATIC SOURCE CC... - the libraries export the public interface and nothing else. STATIC is "none"
# where its names cannot be hidden.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
library=$1 archive=$2 source=$3
shift 3

exported() { nm -D --defined-only "$library" | awk '{ print $NF }' | sed 's/@.*//'; }
only_ours() {
    exported | grep -v '^weft_'
    [ $? -eq 1 ]
}
has() { exported | grep -qx "$1"; }
check 'only weft_ symbols' only_ours
for symbol in weft_version weft_program_from_text weft_program_free weft_isa_count weft_diags_new; do
    check "$symbol is exported" has $symbol
done

# What reads floats by the locale of the program that the library is in: base/decimal.h does not.
any_locale() {
    nm -D --undefined-only "$library" | grep -wE 'strto(f|d|ld)|atof|__isoc[0-9]*_sscanf|sscanf|setlocale'
    [ $? -eq 1 ]
}
check 'numbers are read whatever the locale is' any_locale

# What prints floats so: decimal_general does not. The programs have the C locale.
formats() {
    grep -rnE '%[-+#0]*[0-9*]*(\.[0-9*]+)?l?[eEfgG]([^a-zA-Z0-9_]|$)' "$@" --include='*.[ch]' --include='*.inc' |
        grep -vE '/src/(cli|mpi)/|/base/decimal\.c:'
}
prints_floats() { ! formats "$source/src"; }
finds_formats() {
    mkdir -p "$scratch/formats"
    echo 'f(out, "%.*g", 9, x);' >"$scratch/formats/one.c"
    formats "$scratch/formats" >/dev/null
}
check 'and printed' prints_floats
check 'a format for floats is found' finds_formats

defined() { nm -g --defined-only "$archive" | awk 'NF == 3 { print $NF }'; }
only_ours_in_archive() {
    defined | grep -v '^weft_' >"$scratch/others"
    head "$scratch/others"
    [ ! -s "$scratch/others" ]
}
same_names() {
    defined | sort >"$scratch/static"
    exported | sort | diff "$scratch/static" - >"$scratch/differ" || { head "$scratch/differ"; return 1; }
}
# A program with a function that has the name of one within the library.
linked() {
    cat >"$scratch/own.c" <<'END'
#include <stddef.h>
#include <stdio.h>
#include <weft/weft.h>
void *arena_alloc(size_t size);
void *arena_alloc(size_t size)
{
    printf("not weft's: %zu\n", size);
    return NULL;
}
int main(void)
{
    static const char text[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 1, 0, 0, 1 }\nMOV OUT[0], IMM[0]\nEND\n";
    weft_program *p = NULL;
    weft_status status = weft_program_from_text("tgsi", "a", text, sizeof text - 1, NULL, NULL, &p);
    weft_program_free(p);
    return status == WEFT_OK && arena_alloc(1) == NULL ? 0 : 1;
}
END
    "$@" -I"$source/include" "$scratch/own.c" "$archive" -lpng -lz -lm -lpthread -ldl -o "$scratch/own" &&
        "$scratch/own" >"$scratch/said" && same "not weft's: 1" "$scratch/said"
}
if [ "$archive" != none ]; then
    check 'only weft_ symbols in the static library' only_ours_in_archive
    check 'the static library has the names of the shared one' same_names
    check 'a program may have names of its own' linked "$@"
fi
finish
