#!/bin/sh
# golden.sh SOURCE - golden files: what differs is a failure, and --rebase takes it over.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
golden=$(realpath "$1")/tests/golden/golden
cd "$scratch" || exit 1
unset WEFT_TEST_COMMANDS WEFT_TEST_TURN WEFT_TEST_ALL

# A program in weft's place; its cases.
mkdir -p build cases/a cases/b
printf '#!/bin/sh\ncat "$1"; echo "no: $2" >&2; printf end; exit 3\n' >build/weft
chmod +x build/weft
printf 'What it shows.\n==== needs legs\n==== file f.txt\none\n\\ no newline at the end\n==== run\nweft f.txt x\n' >cases/a/new.golden
cp cases/a/new.golden bare
tested() { status "$1" "$golden" --folder cases --has legs build && grep -qxF -e "$2" out; }
check 'a new case without what comes' tested 1 'not ok 1 - a/new'
says_how() { grep -qF "golden build a/new" out && grep -q '^#   +no: x$' out; }
check 'the difference, and how to run it alone' says_how
rebased() {
    status 0 "$golden" --folder cases --has legs --rebase build && prints '^[+]no: x$' &&
        prints '^1 of 1 golden files changed$' || return 1
    { cat bare; printf '==== output\noneend\n\\ no newline at the end\n==== errors\nno: x\n==== status 3\n'; } |
        cmp - cases/a/new.golden
}
check '--rebase shows and writes it, and nothing else' rebased
check 'then it passes' tested 0 'ok 1 - a/new'
# Each thing that may differ does.
for change in 's/oneend/twoend/' 's/^no: x/no: y/' 's/status 3/status 0/' 's/^weft f.txt x/weft f.txt z/' 's/^one$/two/' \
    '$!b; s/$/ /' '/^==== errors/,/^no/d'; do
    cp cases/a/new.golden good
    sed -i "$change" cases/a/new.golden
    check "differs: $change" tested 1 'not ok 1 - a/new'
    cp good cases/a/new.golden
done
without() { status 0 "$golden" --folder cases build && prints '^ok 1 - a/new # SKIP no legs$'; }
check 'what it needs is not there' without
faulty() { printf '%b' "$1" >cases/b/bad.golden && tested 1 'not ok 2 - b/bad' && prints "$2"; }
check 'no command' faulty '==== output\nx\n' "no part '==== run'"
check 'an unknown part' faulty '==== run\ntrue\n==== outptu\nx\n' "unknown part '==== outptu'"
not_written() { cp cases/b/bad.golden was && status 1 "$golden" --folder cases --rebase build && cmp was cases/b/bad.golden; }
check 'a file at fault is left as it is' not_written
chosen() { status 0 "$golden" --folder cases --has legs build 'a/*' && same '1..1
ok 1 - a/new' out; }
check 'cases by a glob' chosen
part() { WEFT_TEST_COMMANDS=$1 WEFT_TEST_TURN=$2 status 0 "$golden" --folder cases --has legs build && prints "^1[.][.]$3$"; }
parts() {
    cp cases/a/new.golden cases/b/bad.golden && part 3 1 1 && prints '^ok 1 - b/bad$' &&
        part 3 2 1 && prints '^ok 1 - a/new$' && part 1 1 2
}
check 'a third of the cases, another third, and all' parts
unknown() { status 1 "$golden" --folder cases build a/nwe && says 'the nearest are: a/new, b/bad'; }
check 'an unknown name: the nearest' unknown
finish
