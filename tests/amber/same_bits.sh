#!/bin/sh
# same_bits.sh JOB_BITS SOURCE - every job of tests/amber and examples leaves the same bits and says the same however it is run: see
# tests/vectors/job_bits.c.
job_bits=$(realpath "$1")
cd "$2" || exit 1
exec "$job_bits" --tap yes --files-from . tests/amber/*.amber tests/amber/*/*.amber examples/*/*.amber
