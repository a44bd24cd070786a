#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# table.sh EXECUTIONS PAGE: writes the sums of executions.csv into the table of docs/fuzzing.md, between its marks: for each
# door the nights, the executions of all of them, and coverage (edges) and inputs of the last.
set -euo pipefail
executions=$1 page=$2
table=$(awk -F, '
  NR > 1 { if (!($3 in nights)) doors[++count] = $3; ++nights[$3]; runs[$3] += $5; cover[$3] = $6; corpus[$3] = $7; all += $5 }
  END {
    print "| door | nights | executions | edges covered | inputs kept |"
    print "|---|---|---|---|---|"
    for (i = 1; i <= count; ++i) printf "| `%s` | %d | %.0f | %d | %d |\n", doors[i], nights[doors[i]], runs[doors[i]], cover[doors[i]], corpus[doors[i]]
    printf "| all | | %.0f | | |\n", all
  }' "$executions")
awk -v table="$table" '
  /^<!-- executions -->/ { print; print table; inside = 1; next }
  /^<!-- end of executions -->/ { inside = 0 }
  !inside { print }' "$page" >"$page.new"
grep -q '^<!-- executions -->' "$page.new" || { rm "$page.new"; echo "$page has no marks for the table" >&2; exit 1; }
mv "$page.new" "$page"
