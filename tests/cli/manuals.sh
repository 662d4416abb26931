#!/bin/sh
# manuals.sh WEFT SOURCE - the documents: each instruction set has a manual with the same chapters, the commands of its overview
# run as they are written, jobs of the guide to AmberScript too, code that is shown exists, and links lead somewhere.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$2" || exit 1
source=$(pwd)
PATH=$(dirname "$weft"):$PATH

# shaders_check FILE NAME COMMAND...: a case that a build without compilers of shaders skips, if FILE has some.
compilers=$("$weft" --version | grep glslang)
shaders_check() {
    if [ -z "$compilers" ] && grep -qE 'GLSL|HLSL|SPIRV|^\[[a-z ]* shader' "$1"; then
        count=$((count + 1))
        echo "ok $count - $2 # SKIP no compilers of shaders"
        return
    fi
    shift
    check "$@"
}

# ---- manuals ----

chapters='Overview Text Encoding Machine Linkage Checks Fidelity'
chapters_of() { awk '/^```/ { code = !code } !code && /^## / { printf "%s%s", n++ ? " " : "", substr($0, 4) } END { print "" }' "$1"; }
has_chapters() { [ "$(chapters_of "$1")" = "$chapters" ] || { echo "$1: $(chapters_of "$1")"; return 1; }; }

# The first example of an overview, and its commands. The example is the file that `weft draw` or `weft asm` reads first.
overview() { awk '/^## / { on = $2 == "Overview" } on' "$1"; }
example() { overview "$1" | awk '/^    weft / { exit } /^    / { on = 1 } on && (/^    / || /^$/) { print substr($0, 5) }'; }
commands() { overview "$1" | sed -n 's/^    \(weft .*\)/\1/p'; }
runs() {
    folder=$scratch/$(basename "$1" .md)
    mkdir -p "$folder"
    ln -sfn "$source/examples" "$folder/examples"
    name=$(commands "$1" | head -n 1 | grep -oE '[a-z]+\.(tgsi|tesla|valhall|rogue|vpu|spirv)\b' | head -n 1)
    example "$1" >"$folder/$name"
    [ -s "$folder/$name" ] || return 1
    (cd "$folder" && commands "$source/$1" | while read -r line; do
        echo "$line"
        timeout 60 sh -c "$line" </dev/null || exit 1
    done)
}

# The codes that the chapter Checks has, and those that the checker gives.
checks() { awk '/^## / { on = $2 == "Checks" } on' "$1"; }
codes_listed() { checks "$1" | grep -oE '`[a-z0-9-]+`' | tr -d '`' | sort -u; }
codes_in_tables() { checks "$1" | awk -F'|' '/^\| `/ { print $2 }' | grep -oE '`[a-z0-9-]+`' | tr -d '`' | sort -u; }
codes_given() { awk -f tests/cli/code_sites.awk src/base/diag.h src/isa/"$1"/*.h src/isa/"$1"/check*.c | sort -u; }
has_codes() {
    codes_given "$2" >"$scratch/given"
    codes_listed "$1" >"$scratch/listed"
    all_used "$scratch/given" "$scratch/listed" 7
}
knows_codes() {
    for code in $(codes_in_tables "$1"); do
        "$weft" explain "$code" >/dev/null || return 1
    done
}
for isa in $("$weft" isa | awk 'NR > 1 { print $1 }'); do
    manual=docs/manual/$isa.md
    check "$isa: the manual has the checker's codes" has_codes "$manual" "$isa"
    check "$isa: the manual's codes exist" knows_codes "$manual"
    check "$isa: the manual's chapters" has_chapters "$manual"
    overview "$manual" >"$scratch/overview"
    shaders_check "$scratch/overview" "$isa: commands of the overview" runs "$manual"
done
printf '# X\n\n## Overview\n\n## Encoding\n' >"$scratch/short.md"
check 'a manual that lacks chapters is found' sh -c "! [ \"$(chapters_of "$scratch/short.md")\" = '$chapters' ]"

# ---- the guide to AmberScript ----

# Its blocks as scripts: one that begins with #!amber begins a script, and those after it go on with it.
guide=docs/amberscript.md
mkdir -p "$scratch/guide"
ln -s "$source/tests/amber/files" "$scratch/guide/files"
awk -v to="$scratch/guide/" '
    /^```/ { if (code) code = 0; else { code = /^```(amber|vkscript)$/; begins = /vkscript/ }; next }
    code && (begins || $0 == "#!amber") { begins = 0; close(file); file = sprintf("%s%02d.amber", to, ++n) }
    code { print > file }' "$guide"
for job in "$scratch"/guide/*.amber; do
    shaders_check "$job" "AmberScript, example $(basename "$job" .amber)" timeout 60 "$weft" run "$job" --files-from "$source"
done
check 'there are examples' [ "$(find "$scratch/guide" -name '*.amber' | wc -l)" -ge 8 ]

# Every word of the language that the parser knows is in the guide, and every statement in an example: but for words of other
# languages, and those that only skip blocks of what is refused.
grep -hoE '"[A-Z][A-Z_0-9]+[A-Z0-9]"' src/script/parse*.c | tr -d '"' |
    grep -vxE 'VERT|GEOM|TESS_(CTRL|EVAL)|RGBA|SFLOAT|SHADER_BINDING_TABLE|BOTTOM_LEVEL_INSTANCE|GEOMETRY|TRANSFORM|THREAD' | sort -u >"$scratch/words"
grep -oE '[A-Z][A-Z_0-9]+' "$guide" | sort -u >"$scratch/guide_words"
check 'the guide has every word of the language' all_used "$scratch/words" "$scratch/guide_words" 100
for table in 'declarations' 'commands' 'statements'; do
    sed -n "/ $table\[.*= {\$/,/^};/p" src/script/parse.c src/script/parse_command.c src/script/parse_pipeline.c
done | grep -oE '\{"[A-Z_]+"' | tr -d '{"' | grep -vxE 'ACCELERATION_STRUCTURE|DEBUG|SHADER_OPTIMIZATION|COMPILE_OPTIONS|SET' | sort -u >"$scratch/statements"
cat "$scratch"/guide/*.amber | grep -oE '^ *[A-Z_]+' | tr -d ' ' | sort -u >"$scratch/shown"
check 'every statement is in an example' all_used "$scratch/statements" "$scratch/shown" 30

# ---- links ----

# The anchors of a document's headings, as GitHub makes them.
anchors() {
    awk '/^```/ { code = !code } !code && /^#+ /' "$1" |
        sed 's/^#* //' | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'
}
dead_links() {
    for page in "$@"; do
        awk '/^```/ { code = !code } !code && !/^    / { gsub(/`[^`]*`/, "x"); print }' "$page" | grep -oE '\]\([^)]*\)' | sed 's/^](//; s/)$//' | while read -r link; do
            case $link in *://*) continue ;; esac
            file=${link%%#*}
            target=$page
            [ -z "$file" ] || target=$(dirname "$page")/$file
            [ -e "$target" ] || { echo "$page: $link"; continue; }
            case $link in *#*) anchors "$target" | grep -qx -e "${link#*#}" || echo "$page: $link" ;; esac
        done
    done
}
no_dead_links() { dead_links "$@" >"$scratch/dead"; cat "$scratch/dead"; [ ! -s "$scratch/dead" ]; }
# shellcheck disable=SC2046 # names without blanks
check 'links lead to files and headings' no_dead_links README.md CONTRIBUTING.md $(find docs src examples -name '*.md')
printf '# A b\n[x](#a-c)\n[y](gone.md)\n[z](#a-b)\n' >"$scratch/links.md"
check 'dead links are found' [ "$(dead_links "$scratch/links.md" | wc -l)" -eq 2 ]

# Documents that the sources, the manual page and messages name.
named_documents() {
    grep -rh 'docs/' src include tools README.md CONTRIBUTING.md docs | sed 's/\\-/-/g' | grep -oE 'docs/[a-z/-]+\.md' | sort -u |
        while read -r name; do [ -e "$name" ] || echo "$name"; done
}
all_exist() { named_documents >"$scratch/gone"; cat "$scratch/gone"; [ ! -s "$scratch/gone" ]; }
check 'documents that are named exist' all_exist
finish
