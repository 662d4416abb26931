#!/bin/sh
# headers.sh SOURCE CC... - every public header compiles alone, as C17 and as C++11, without a warning.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
source=$1
shift
cxx=$(command -v c++ || command -v g++ || command -v clang++)

alone() {
    language=$1
    header=$2
    shift 2
    # Twice, so that its guard is tried too.
    printf '#include <weft/%s>\n#include <weft/%s>\nint weft_header_test;\n' "$header" "$header" >"$scratch/alone.$language"
    "$@" -I"$source/include" -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$scratch/alone.$language"
}

for path in "$source"/include/weft/*.h; do
    header=$(basename "$path")
    check "$header in C" alone c "$header" "$@" -std=c17
    check "$header in C++" alone cpp "$header" "${cxx:-c++}" -std=c++11
done
finish
