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
    timeout 120 "$weft" run "$script" --dump picture="$scratch/got.raw" || return 1
    "$tools/compare" "$@" 128x128 "$scratch/got.raw" "$reference"
}

# corpus_reference PICTURE: the picture of the corpus to compare with.
corpus_reference() {
    # The offset of an indirect destination is one lane's of four in softpipe.
    if [ -e "$1.scalar.f32.gz" ]; then echo "$1.scalar.f32.gz"; else echo "$1.f32.gz"; fi
}
