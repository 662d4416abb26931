#!/bin/sh
# same_bits.sh JOB_BITS SOURCE tests|examples - every job there leaves the same bits and says the same however it is run:
# see tests/vectors/job_bits.c. The JIT runs a third of the tests, and with WEFT_TEST_SHARE=N one in N of those and of the
# examples.
job_bits=$(realpath "$1")
cd "$2" || exit 1
case $3 in
tests) exec "$job_bits" --tap third --files-from . tests/amber/*.amber tests/amber/*/*.amber ;;
examples) exec "$job_bits" --tap all --files-from . examples/*/*.amber ;;
esac
