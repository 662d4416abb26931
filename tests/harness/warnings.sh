#!/bin/sh
# warnings.sh BUILD - every file compiles without a warning. For folders that were not set up with -Dwerror=true, which says it
# while it builds.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
cd "$1" || exit 1

# The commands of the build, without what they would write.
sed -n 's/^ *"command": "\(.*\)",$/\1/p' compile_commands.json |
    sed 's/\\"/"/g; s/ -MD -MQ [^ ]* -MF [^ ]* -o [^ ]* -c / -fsyntax-only -Werror /' >"$scratch/commands"
none() { [ "$(grep -c -e '-fsyntax-only -Werror' "$scratch/commands")" -eq "$(wc -l <"$scratch/commands")" ]; }
compile() {
    tr '\n' '\0' <"$scratch/commands" | xargs -0 -P "$(nproc)" -n 1 sh -c 2>"$scratch/said" || { head -n 40 "$scratch/said"; return 1; }
}
check 'there are commands' [ "$(wc -l <"$scratch/commands")" -gt 100 ]
check 'they would write nothing' none
check 'no file has a warning' compile
finish
