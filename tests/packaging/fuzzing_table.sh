#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# fuzzing_table.sh ROOT: the table of docs/fuzzing.md is what tests/fuzz/executions.csv says
set -euo pipefail
root=$1
page=$(mktemp)
trap 'rm -f "$page" "$page.new"' EXIT
cp "$root/docs/fuzzing.md" "$page"
bash "$root/tests/fuzz/table.sh" "$root/tests/fuzz/executions.csv" "$page"
diff -u "$root/docs/fuzzing.md" "$page" || { echo "run: tests/fuzz/table.sh tests/fuzz/executions.csv docs/fuzzing.md" >&2; exit 1; }
