#!/bin/sh
# symbols.sh LIBRARY - the shared library exports the public interface and nothing else.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
library=$1

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
finish
