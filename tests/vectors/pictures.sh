# shellcheck shell=sh disable=SC2154 # variables of run
# pictures.sh - drawing and comparing pictures, for the readers. Read in by run.

# picture NAME SIZE REFERENCE RULE... -- ARGUMENT...: draw and compare.
picture() {
    size=$2
    reference=$3
    shift 3
    rules=
    while [ "$1" != -- ]; do
        rules="$rules $1"
        shift
    done
    shift
    timeout 120 "$weft" draw --size "$size" "$@" -o "$scratch/got.raw" || return 1
    # shellcheck disable=SC2086 # a list of words
    "$tools/compare" $rules "$size" "$scratch/got.raw" "$reference"
}

# job_picture JOB REFERENCE RULE...: run a job of corpus_jobs and compare its picture.
job_picture() {
    script=$1
    reference=$2
    shift 2
    timeout 120 "$weft" run "$script" --files-from / --dump picture="$scratch/got.raw" || return 1
    "$tools/compare" "$@" 128x128 "$scratch/got.raw" "$reference"
}

# ---- the README of tgsi/pictures/ ----

mean='--rmse 0.00392156862' # 1/255

# picture_inputs NAME LANGUAGE PICTURES: which constants and texture a shader reads, into $inputs.
picture_inputs() {
    inputs=
    case $1 in
    shader_04 | shader_09 | shader_10) echo '0.75 0.001953125 0.001953125 1' ;; # u_par of the corpus, at 512x512
    # The driver's gl_FbWposYTransform: y = y * const.x + const.y from below, z and w from the top, as compiled code counts.
    shader_08) if [ "$2" = tgsi ]; then echo '1 0 1 0'; else echo '1 0 -1 512'; fi ;;
    shader_12) # u_mat of the corpus
        printf '%s\n' '0.9 0.1 -0.2 0.05' '-0.15 0.8 0.3 0.1' '0.25 -0.35 0.7 0.2' '0.1 0.2 -0.1 1'
        ;;
    esac >"$scratch/const"
    [ -s "$scratch/const" ] && inputs="--const $scratch/const"
    case $1 in
    shader_06) inputs="--texture 0=$scratch/tex.png:linear" ;;
    shader_07) inputs="--texture 0=$scratch/tex.png:mipmap" ;;
    esac
    [ -e "$scratch/tex.png" ] || "$tools/rgba8_to_png" 256x256 "$3/tex_l0_256x256.rgba8" "$scratch/tex.png"
}

# Close in the mean; 07 takes its level of detail for each quad in one and each pixel in another. As TGSI, three are compared
# value by value too.
picture_rules() { # NAME LANGUAGE
    case $1:$2 in
    shader_07:*) rules='--rmse 0.02' ;;
    shader_03:tgsi | shader_09:tgsi | shader_11:tgsi) rules="$mean --within 1e-4 --share 0.999" ;;
    *) rules=$mean ;;
    esac
}

# pictures LANGUAGE PICTURES SHADER...: draw each SHADER (its name ends in shader_NN and its extension); machine code has its
# linkage beside it in a .info.
pictures() {
    language=$1
    pictures=$2
    shift 2
    for shader in "$@"; do
        name=${shader##*/} name=${name%.*}
        name=${name#exec-}
        [ -r "$pictures/$name.f32.gz" ] || continue
        picture_inputs "$name" "$language" "$pictures"
        picture_rules "$name" "$language"
        case $language in
        tgsi) how= ;;
        tesla) how="-i tesla -m g80 --linkage ${shader%.*}.info" ;;
        *) how="-i $language --linkage ${shader%.*}.info" ;;
        esac
        # shellcheck disable=SC2086 # lists of words
        case_ "$language picture $name" picture "$name" 512x512 "$pictures/$name.f32.gz" $rules -- "$shader" $how $inputs
    done
}

# ---- the README and table.tsv of tgsi/corpus/ ----

# corpus_reference NAME PICTURE LANGUAGE: which picture is right, into $reference: the README's Warnings say where it is not softpipe's.
corpus_reference() {
    reference=$2.f32.gz
    case $1:$3 in
    # Mirrored and seamless linear filters are wrong in softpipe, and it filters depths before it compares them.
    t03_mirror:* | t15_cubelin:* | t19_shadowlin:*) reference=$2.llvm.f32.gz ;;
    # Code that a compiler made takes the differences of each row and column, as llvmpipe does; softpipe's are one row's and column's.
    g02_fwidth:tgsi | g12_derivflow:tgsi) ;;
    g02_fwidth:* | g12_derivflow:*) reference=$2.llvm.f32.gz ;;
    esac
    # The offset of an indirect destination is one lane's of four in softpipe.
    [ ! -e "$2.scalar.f32.gz" ] || reference=$2.scalar.f32.gz
    [ -e "$reference" ] || reference=$2.f32.gz
}

# corpus_rules NAME PICTURE LANGUAGE NOTE: how near it must come, into $rules.
corpus_rules() {
    exact=1e-5
    [ "$3" = tgsi ] || exact=
    rules=${exact:+--within $exact}
    rules=${rules:-$mean}
    case $1:$3 in
    x01_march:tgsi) rules='--within 1e-4' ;;      # the README's own limit
    g11_perspderiv:tgsi) rules='--within 2e-5' ;; # differences of quotients lose what the quotients have
    t28_mvary:tgsi) rules="$rules --share 0.999" ;; # the level is a rounded logarithm, which may fall to either side of its tie
    t15_cubelin:tgsi) rules="$mean --within 0.006 --share 0.99" ;; # llvmpipe's weights have 8 bits, and its levels differ
    # One pixel lies beside a threshold: 4 of 65536 values.
    g02_fwidth:tgsi | g12_derivflow:tgsi) ;;
    g02_fwidth:* | g12_derivflow:*) rules='--within 2.5e-4 --share 0.99993' ;;
    # The compiler forgot the last step of dividing by -3, which is 1/50 of green in the half where x is negative:
    # 'sub b32 $r1 $r1 $r8' is missing before 'cvt neg s32 $r1 s32 $r1'.
    b02_idiv:tesla) rules='--rmse 0.00708 --within 0.0200001' ;;
    # Texels that softpipe takes wrongly where u * 256 - 0.5 is an integer; llvmpipe's weights have 8 bits.
    t12_proj:tgsi) rules="$rules --or $2.llvm.f32.gz 0.006 2" ;;
    t22_dependent:tgsi) rules="$rules --or $2.llvm.f32.gz 0.006 6" ;;
    esac
    # Pixels that softpipe gives to the other triangle.
    case $4 in
    *diagonal*)
        [ -n "$exact" ] || rules="$mean --within 0.01 --share 0"
        [ ! -e "$2.llvm.f32.gz" ] || rules="$rules --or $2.llvm.f32.gz ${exact:-0.01} 128"
        ;;
    esac
}

# corpus_picture LANGUAGE CORPUS NAME REFERENCE RULE...: draw it by a job, which is left in $scratch/jobs, and compare.
corpus_picture() {
    "$here/corpus_jobs" "$2" "$scratch/jobs" "$1" "$3" || return 1
    job=$scratch/jobs/$3.amber
    shift 3
    job_picture "$job" "$@"
}

# corpus LANGUAGE CORPUS: the pictures of its shaders.
corpus() {
    tab=$(printf '\t')
    # shellcheck disable=SC2034 # columns that are not asked for
    while IFS=$tab read -r name features vertex mesh size max rms beyond replay tb ti vb note; do
        shader=$2/$1/$name.bin
        [ "$1" != tgsi ] || shader=$2/$1/$name.tgsi
        [ -e "$shader" ] || continue
        corpus_reference "$name" "$2/pic/$name" "$1"
        corpus_rules "$name" "$2/pic/$name" "$1" "$note"
        # shellcheck disable=SC2086 # a list of words
        case_ "$1 corpus $name" corpus_picture "$1" "$2" "$name" "$reference" $rules
    done <"$2/table.tsv"
}

# glsl_picture NAME CORPUS NOTE: draw the GLSL of a shader with weft draw and compare.
glsl_picture() {
    picture=$2/pic/$1
    "$here/corpus_glsl" "$2" "$1" "$scratch" "$tools/rgba8_to_png" >"$scratch/arguments" || return 1
    corpus_reference "$1" "$picture" tgsi
    corpus_rules "$1" "$picture" tgsi "$3"
    # Derivatives are the differences of each row and column.
    [ "$1" != g01_deriv ] || rules=$mean
    xargs -d '\n' timeout 120 "$weft" draw -i glsl "$2/glsl/$1.glsl" -o "$scratch/got.raw" <"$scratch/arguments" || return 1
    # shellcheck disable=SC2086 # a list of words
    "$tools/compare" $rules 128x128 "$scratch/got.raw" "$reference"
}

# corpus_sources CORPUS: the pictures of its GLSL.
corpus_sources() {
    tab=$(printf '\t')
    # shellcheck disable=SC2034 # columns that are not asked for
    while IFS=$tab read -r name features vertex mesh size max rms beyond replay tb ti vb note; do
        [ -e "$1/glsl/$name.glsl" ] || continue
        case_ "glsl corpus $name" glsl_picture "$name" "$1" "$note"
    done <"$1/table.tsv"
}
