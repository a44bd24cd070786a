#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# run_tests_tells.sh RUN_TESTS SAMPLE FOLDER: failures, crashes, hanging tests and skips of a program whose tests run in one
# process are all named, and the tests behind them run.
set -uo pipefail
run=$1 sample=$2 folder=$3
mkdir -p "$folder"
export PLIANT_TEST_SECONDS=1
fail() { echo "$*"; exit 1; }

"$run" "$sample" 0 1 "$folder/all" >"$folder/out" 2>&1 && fail "it passed"
diff - "$folder/all" <<'END' || fail "other results than those wanted, see above"
passed Sample.Passes
skipped Sample.Skips: it lacks a reason
crashed Sample.Crashes: killed by signal 11 (SEGV)
failed Sample.Fails
crashed Sample.Hangs: took longer than 1 s
crashed Sample.Exits: ended with exit code 3
passed Sample.IsTheLast
END
for words in "one is not two" "it lacks a reason" "CRASHED  ] Sample.Crashes" "2 passed, 1 skipped, 1 failed, 3 crashed"; do
  grep -qF "$words" "$folder/out" || fail "\"$words\" is not told"
done
grep -q "OK \] Sample.Passes" "$folder/out" && fail "what passes is told at length"

# Shards share all tests; what passes and is skipped makes no failure.
"$run" "$sample" 0 2 "$folder/first" >/dev/null 2>&1
"$run" "$sample" 1 2 "$folder/second" >/dev/null 2>&1
[ "$(cat "$folder/first" "$folder/second" | sort)" = "$(sort "$folder/all")" ] || fail "the shards are not the whole"
GTEST_FILTER='Sample.Passes:Sample.Skips' "$run" "$sample" 0 1 "$folder/good" >/dev/null 2>&1 || fail "a good run fails"
[ "$(wc -l <"$folder/good")" -eq 2 ] || fail "GTEST_FILTER is not heard"
PLIANT_TEST_EXCEPT='Sample.Crashes:Sample.Fails:Sample.Hangs:Sample.Exits' "$run" "$sample" 0 1 "$folder/check" >/dev/null 2>&1 ||
  fail "tests of the night run in the day"
PLIANT_TEST_ONLY='Sample.Fails' "$run" "$sample" 0 1 "$folder/night" >/dev/null 2>&1 && fail "tests of the night do not run"
[ "$(wc -l <"$folder/check") $(cat "$folder/night")" = "3 failed Sample.Fails" ] || fail "the night and the day are not told apart"
PLIANT_TEST_ONLY='Sample.IsNone' "$run" "$sample" 0 1 "$folder/none" >/dev/null 2>&1 && fail "a night without tests passes"
"$run" "$sample.is_not_there" 0 1 "$folder/none" >"$folder/out" 2>&1 && fail "a missing program passes"
grep -q "is not built: ninja" "$folder/out" || fail "a missing program is not named"
echo "as wanted"
