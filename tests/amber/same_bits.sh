#!/bin/sh
# same_bits.sh JOB_BITS SOURCE tests|examples - every job there leaves the same bits and says the same however it is run: see
# tests/vectors/job_bits.c. With WEFT_TEST_SHARE=2 or more the JIT runs a third of the examples too.
job_bits=$(realpath "$1")
cd "$2" || exit 1
case $3 in
tests) exec "$job_bits" --tap third --files-from . tests/amber/*.amber tests/amber/*/*.amber ;;
examples)
    which=all
    [ "${WEFT_TEST_SHARE:-1}" = 1 ] || which=third
    exec "$job_bits" --tap $which --files-from . examples/*/*.amber
    ;;
esac
