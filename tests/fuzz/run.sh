#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# run.sh PROGRAM DOOR SECONDS WORK [INPUTS]: the stored seeds and what was found before, then SECONDS of fuzzing, or fewer
# where INPUTS end it. New inputs are kept in WORK/DOOR/corpus, with INPUTS in WORK/DOOR/counted, which is made anew each
# time so that the next run is the same; those that break something in WORK/DOOR/found. Prints executions and coverage.
# PLIANT_FUZZ_TIMEOUT: seconds that one input may take (5; the machine may be busy with other tests).
# PLIANT_FUZZ_SEED: of the mutations (1, so that two runs of ./check on one commit try the same inputs; the nightly search
# takes another one each time, 0).
# PLIANT_FUZZ_CORPUS: in place of all this, with the same limits, "read": run what was found before once; "merge": put what of
# it reaches more than smaller inputs into corpus.least.
# PLIANT_FUZZ_LONGEST: bytes of the longest input, in place of the door's own (but of characters).
set -uo pipefail
program=$1 door=$2 seconds=$3 work=$4/$2 inputs=${5:--1}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
corpus=$work/corpus
[ "$inputs" -lt 0 ] || { corpus=$work/counted && rm -rf "$corpus"; }
mkdir -p "$corpus" "$work/found" || exit 1
# Twice what finds anything, or more: libFuzzer makes inputs as long as it may, and long ones take their time.
case $door in
  character) longest=64 PLIANT_FUZZ_LONGEST= ;;  # sixteen edits; what follows changes nothing
  options) longest=1024 ;;  # expressions have up to 1000 characters
  import | runs) longest=4096 ;;
  yaml) longest=8192 ;;
  model) longest=32768 ;;
  *) longest=16384 ;;
esac
limits=(-timeout="${PLIANT_FUZZ_TIMEOUT:-5}" -rss_limit_mb=2048 -malloc_limit_mb=1024 -artifact_prefix="$work/found/")
limits+=(-max_len="${PLIANT_FUZZ_LONGEST:-$longest}" -print_funcs=0)  # names of new functions take a symbolizer seconds
# Inputs are chosen by how rare what they reach is. What 30 inputs have reached counts as common, in place of 255: as long as
# nearly everything is rare, to keep the account of it takes a third of the time.
limits+=(-entropic_feature_frequency_threshold=30)
[ "$door" != model ] || limits+=(-mutate_depth=1)  # its mutator starts from accepted files
[ ! -f "$here/$door/dictionary" ] || limits+=(-dict="$here/$door/dictionary")
# What was freed is kept from use for as long as one input takes, not for thousands of them: memory that no cache holds takes
# a quarter of the time of what reads short texts.
case $door in options | import | runs) kept=1 ;; *) kept=16 ;; esac
export ASAN_OPTIONS=quarantine_size_mb=$kept${ASAN_OPTIONS:+:$ASAN_OPTIONS}
log=$work/log
# Of what is longer libFuzzer reads the beginning, and says nothing.
cut=$(find "$here/$door/seeds" -type f -size +"${PLIANT_FUZZ_LONGEST:-$longest}"c)
[ -z "$cut" ] || { echo "longer than -max_len: $cut"; exit 1; }
case ${PLIANT_FUZZ_CORPUS:-} in
  read) "$program" -runs=0 "${limits[@]}" "$corpus" >"$log" 2>&1 || { tail -n 60 "$log"; echo "in $corpus"; exit 1; } ;;
  merge) "$program" -merge=1 "${limits[@]}" "$corpus.least" "$corpus" >"$log" 2>&1 || { tail -n 60 "$log"; exit 1; } ;;
esac
[ -z "${PLIANT_FUZZ_CORPUS:-}" ] || exit 0
"$program" -runs=0 "${limits[@]}" "$here/$door/seeds" >"$log" 2>&1 || { tail -n 60 "$log"; exit 1; }
tail -n 3 "$log"
# Seeds of a layout that is no longer read would leave everything behind the door unseen.
if grep -q ": 0 of [1-9][0-9]* inputs accepted" "$log"; then
  echo "none of the seeds in $here/$door/seeds is accepted: fuzz_seeds makes those of our own formats anew"
  exit 1
fi
[ "$seconds" -gt 0 ] || exit 0
"$program" -seed="${PLIANT_FUZZ_SEED:-1}" -runs="$inputs" -max_total_time="$seconds" -print_final_stats=1 "${limits[@]}" \
  "$corpus" "$here/$door/seeds" >"$log" 2>&1
code=$?
grep -E 'cov: |number_of_executed_units|inputs accepted' "$log" | tail -n 3
[ $code -eq 0 ] || { tail -n 60 "$log"; echo "kept in $work/found"; }
exit $code
