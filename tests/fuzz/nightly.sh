#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# nightly.sh BUILD SECONDS [DOOR...]: SECONDS of each door, or of those that are named, a second for an input; a line for each
# door in executions.csv. A tenth of the time is for inputs of up to 65,536 bytes, which take longer and find what is slow.
set -uo pipefail
build=$1 seconds=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
doors=("$@")
[ $# -gt 0 ] || doors=(model character state readers import yaml options runs)
failed=0

# leave_out_what_adds_nothing PROGRAM DOOR WORK: what reaches nothing that smaller inputs do not reach. A corpus of many nights is
# else read for minutes, and most new inputs are made of its longest. A merge passes over inputs that crash, so all are run
# before: what a commit has broken is told and kept. The old corpus is removed last, and an interruption is mended the next night.
leave_out_what_adds_nothing() {
  local corpus=$3/corpus
  [ ! -d "$corpus.before" ] || { mkdir -p "$corpus" && cp -r "$corpus.before/." "$corpus"; } || return 1
  [ -d "$corpus" ] || return 0
  PLIANT_FUZZ_LONGEST=65536 PLIANT_FUZZ_CORPUS=read "$here/run.sh" "$1" "$2" 0 "$(dirname "$3")" || return 1
  rm -rf "$corpus.least" "$corpus.before" && mkdir "$corpus.least" || return 1
  PLIANT_FUZZ_LONGEST=65536 PLIANT_FUZZ_CORPUS=merge "$here/run.sh" "$1" "$2" 0 "$(dirname "$3")" || return 1
  mv "$corpus" "$corpus.before" && mv "$corpus.least" "$corpus" && rm -rf "$corpus.before"
}

for door in "${doors[@]}"; do
  program=$build/tests/fuzz/fuzz_$door work=$build/fuzz/$door
  leave_out_what_adds_nothing "$program" "$door" "$work" || failed=1
  runs=0
  for part in short long; do
    time=$((seconds - seconds / 10)) longest=
    [ $part = short ] || { time=$((seconds / 10)) longest=65536; }
    PLIANT_FUZZ_TIMEOUT=1 PLIANT_FUZZ_SEED=0 PLIANT_FUZZ_LONGEST=$longest \
      "$here/run.sh" "$program" "$door" "$time" "$build/fuzz" || failed=1
    more=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log" | tail -n 1)
    runs=$((runs + ${more:-0}))
  done
  cover=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$work/log" | tail -n 1)
  echo "$(date -u +%F),$(git -C "$here" rev-parse --short HEAD),$door,$seconds,$runs,${cover:-0},$(ls "$work/corpus" | wc -l)" \
    >>"$here/executions.csv"
done
"$here/table.sh" "$here/executions.csv" "$here/../../docs/fuzzing.md" || failed=1
exit $failed
