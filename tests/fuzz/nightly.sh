#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# nightly.sh BUILD SECONDS [DOOR...]: SECONDS of each door, or of those that are named, a second for an input; a line a door in
# executions.csv. A tenth of the time is for inputs of up to 65,536 bytes, which take longer and find what is slow.
set -uo pipefail
build=$1 seconds=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
doors=("$@")
[ $# -gt 0 ] || doors=(model character state readers import yaml options runs)
failed=0

# leave_out_what_adds_nothing PROGRAM CORPUS: what reaches nothing that smaller inputs do not reach. A corpus of many nights is
# else read for minutes, and most new inputs are made of its longest.
leave_out_what_adds_nothing() {
  [ -d "$2" ] || return 0
  rm -rf "$2.least" && mkdir "$2.least" &&
    "$1" -merge=1 -print_funcs=0 "$2.least" "$2" >"$2.merge-log" 2>&1 && rm -rf "$2" && mv "$2.least" "$2"
}

for door in "${doors[@]}"; do
  program=$build/tests/fuzz/fuzz_$door work=$build/fuzz/$door
  leave_out_what_adds_nothing "$program" "$work/corpus" || failed=1
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
