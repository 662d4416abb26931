# shellcheck shell=sh disable=SC2154 # variables of run
# tgsi.sh - reader of the TGSI results: pictures of other implementations, and programs for the token round trip.
# Read in by run, which says what $vectors, $weft, $tools, $scratch, case_ and skip_ are.

# The README of pictures/: 512x512, full-screen quad; close in the mean, and three of them value by value.
tgsi_pictures() {
    folder=$1
    "$tools/rgba8_to_png" 256x256 "$folder/tex_l0_256x256.rgba8" "$scratch/tex.png"
    echo '0.75 0.001953125 0.001953125 1' >"$scratch/const"
    for shader in "$folder"/shader_*.tgsi; do
        name=$(basename "$shader" .tgsi)
        rules='--rmse 0.00392156862'
        case $name in
        shader_07) rules='--rmse 0.02' ;;
        shader_03 | shader_09 | shader_11) rules="$rules --within 1e-4 --share 0.999" ;;
        esac
        set --
        [ "$name" = shader_07 ] && set -- --texture 0="$scratch/tex.png":mipmap
        [ "$name" = shader_09 ] && set -- --const "$scratch/const"
        # shellcheck disable=SC2086 # a list of words
        case_ "tgsi picture $name" picture "$name" 512x512 "$folder/$name.f32.gz" $rules -- "$shader" "$@"
    done
}

# The README and table.tsv of corpus/, whose Warnings say where another picture than softpipe's is the right one.
tgsi_corpus() {
    folder=$1
    "$here/corpus_jobs" "$folder" "$scratch/jobs" || { case_ 'tgsi corpus: jobs' false; return; }
    tab=$(printf '\t')
    # shellcheck disable=SC2034 # columns that are not asked for
    while IFS=$tab read -r name features vertex mesh size max rms beyond replay tb ti vb note; do
        [ "$name" = name ] && continue
        picture=$folder/pic/$name
        reference=$(corpus_reference "$picture")
        limit=1e-5
        case $name in
        x01_march) limit=1e-4 ;;
        # Mirrored linear filters are wrong in softpipe; depths are compared before filtering.
        t03_mirror | t19_shadowlin) [ -e "$picture.llvm.f32.gz" ] && reference=$picture.llvm.f32.gz ;;
        esac
        set -- --within "$limit"
        # Pixels that softpipe gives to the other triangle, or takes wrong texels for; llvmpipe's weights have 8 bits.
        case $name:$note in
        *:*diagonal*) [ -e "$picture.llvm.f32.gz" ] && set -- "$@" --or "$picture.llvm.f32.gz" "$limit" 128 ;;
        t12_proj:*) set -- "$@" --or "$picture.llvm.f32.gz" 0.006 2 ;;
        t22_dependent:*) set -- "$@" --or "$picture.llvm.f32.gz" 0.006 6 ;;
        esac
        case_ "tgsi corpus $name" job_picture "$scratch/jobs/$name.amber" "$reference" "$@"
    done <"$folder/table.tsv"
}

# Text to tokens and back: the second tokens are the first, and so is the second text.
token_round_trip() {
    "$weft" asm "$1" -o "$scratch/1.bin" &&
        "$weft" dis -i tgsi "$scratch/1.bin" -o "$scratch/1.tgsi" &&
        "$weft" asm "$scratch/1.tgsi" -o "$scratch/2.bin" &&
        "$weft" dis -i tgsi "$scratch/2.bin" -o "$scratch/2.tgsi" &&
        cmp "$scratch/1.bin" "$scratch/2.bin" &&
        cmp "$scratch/1.tgsi" "$scratch/2.tgsi"
}

# A program that the list says is refused must be, and no other.
refused() {
    ! "$weft" asm "$1" -o "$scratch/1.bin"
}

tgsi_programs() {
    for program in "$1"/*/*.tgsi; do
        name=$(basename "$(dirname "$program")")/$(basename "$program")
        expected=$(awk -F '\t' -v name="$name" '$1 == name { print $2 }' tests/tgsi/programs.tsv)
        case $expected in
        reads) case_ "tgsi program $name" token_round_trip "$program" ;;
        '') case_ "tgsi program $name (not in tests/tgsi/programs.tsv)" false ;;
        *) case_ "tgsi program $name (refused)" refused "$program" ;;
        esac
    done
}

[ -d "$vectors/tgsi/pictures" ] && tgsi_pictures "$vectors/tgsi/pictures"
[ -d "$vectors/tgsi/corpus" ] && tgsi_corpus "$vectors/tgsi/corpus"
# The programs lie beside the vectors, with the documents of the instruction sets.
[ -d "$vectors/../isa/tgsi/programs" ] && tgsi_programs "$vectors/../isa/tgsi/programs"
:
