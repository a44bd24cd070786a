#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# nightly.sh BUILD SECONDS: SECONDS of each door, a second for an input; a line a door in executions.csv.
set -uo pipefail
build=$1 seconds=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
failed=0
for door in model character state readers import yaml options runs; do
  PLIANT_FUZZ_TIMEOUT=1 PLIANT_FUZZ_SEED=0 "$here/run.sh" "$build/tests/fuzz/fuzz_$door" "$door" "$seconds" "$build/fuzz" || failed=1
  log=$build/fuzz/$door/log
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
  cover=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  echo "$(date -u +%F),$(git -C "$here" rev-parse --short HEAD),$door,$seconds,${runs:-0},${cover:-0},$(ls "$build/fuzz/$door/corpus" | wc -l)" \
    >>"$here/executions.csv"
done
"$here/table.sh" "$here/executions.csv" "$here/../../docs/fuzzing.md" || failed=1
exit $failed
