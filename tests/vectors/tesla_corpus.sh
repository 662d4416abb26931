# shellcheck shell=sh disable=SC2154 # variables of run
# tesla_corpus.sh - reader of the compiled shaders for Tesla: their pictures are those of the TGSI that they were compiled from, within
# 1/255 RMSE. Read in by run, which says what $vectors, $weft, $tools, $scratch, case_ and skip_ are.
