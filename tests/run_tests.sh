#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# run_tests.sh PROGRAM SHARD SHARDS RESULT
# Runs every SHARDS-th test of a GoogleTest program, from number SHARD (0, 1, ...) on, in one process. What does not pass is
# shown with all it printed; a test that crashes, or hangs for longer than its time (PLIANT_TEST_SECONDS), is named, and the
# tests behind it run in a new process. RESULT gets a line a test: "passed NAME", "skipped NAME: WHAT IT LACKS", "failed NAME"
# or "crashed NAME: WHY". GTEST_FILTER chooses among the tests; without it PLIANT_TEST_ONLY and PLIANT_TEST_EXCEPT do, patterns
# that tell the tests of ./nightly from those of ./check.
set -uo pipefail
program=$1 shard=$2 shards=$3 result=$4
mkdir -p "$(dirname "$result")" && : >"$result" || exit 1
[ -x "$program" ] || { echo "$program is not built: ninja $(basename "$program")"; exit 1; }
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# The tests of this shard, in the order in which they run
filter=${GTEST_FILTER:-${PLIANT_TEST_ONLY:-*}${PLIANT_TEST_EXCEPT:+-$PLIANT_TEST_EXCEPT}}
if ! GTEST_FILTER=$filter "$program" --gtest_list_tests >"$log" 2>&1; then
  cat "$log"
  echo "$(basename "$program") does not get as far as its first test"
  exit 1
fi
mapfile -t left < <(awk -v shard="$shard" -v shards="$shards" '
  /^[^ ]/ { suite = $1 }
  /^  / { name = suite $1; if (name !~ /(^|[.\/])DISABLED_/ && i++ % shards == shard) print name }' "$log")
[ ${#left[@]} -gt 0 ] || [ -n "${GTEST_FILTER:-}" ] || { echo "$(basename "$program") has no tests"; exit 1; }

# Splits what a process printed: blocks of tests that did not pass are shown, and every test gets its line
split_log() {
  awk -v result="$result" -v why="$1" '
    function lack(text) { gsub(/[^\n]*: Skipped\n/, "", text); gsub(/\n+/, " ", text); sub(/ $/, "", text); return text }
    function name(line) { sub(/^\[[^]]*\] /, "", line); sub(/[ ,].*/, "", line); return line }
    /^\[ RUN      \] / { current = name($0); block = ""; next }
    current != "" && /^\[       OK \] / { print "passed " current >>result; current = ""; next }
    current != "" && /^\[  SKIPPED \] / { print "skipped " current ": " lack(block) >>result; printf "%s%s\n", block, $0; current = ""; next }
    current != "" && /^\[  FAILED  \] / { print "failed " current >>result; printf "%s%s\n", block, $0; current = ""; next }
    current != "" { block = block $0 "\n" }
    END {
      if (current == "") exit
      printf "%s[ CRASHED  ] %s: %s\n", block, current, why
      print "crashed " current ": " why >>result
    }' "$log"
}

bad=0
while [ ${#left[@]} -gt 0 ]; do
  GTEST_FILTER=$(IFS=:; echo "${left[*]}") "$program" >"$log" 2>&1
  code=$?
  why="ended with exit code $code"
  [ $code -le 128 ] || why="killed by signal $((code - 128)) ($(kill -l $((code - 128))))"
  [ $code -ne 142 ] || why="took longer than ${PLIANT_TEST_SECONDS:-?} s"
  split_log "$why"
  [ $code -eq 0 ] && break
  bad=1
  if grep -q '^\[==========\] .* ran\.' "$log"; then  # all have run
    grep -q '^\[  FAILED  \]' "$log" || { tail -n 60 "$log"; echo "failed $(basename "$program") $why after its last test" | tee -a "$result"; }
    break
  fi
  begun=$(grep -c '^\[ RUN      \] ' "$log")
  if [ "$begun" -eq 0 ]; then
    cat "$log"
    echo "crashed $(basename "$program"): $why before its first test" | tee -a "$result"
    break
  fi
  left=("${left[@]:$begun}")
done

count() { grep -c "^$1 " "$result"; }
echo "$(basename "$program"): $(count passed) passed, $(count skipped) skipped, $(count failed) failed, $(count crashed) crashed"
exit $bad
