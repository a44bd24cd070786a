#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# instructions.sh BUILD kernels|unit: the tests with every instruction set that the processor has, one after the other:
# the suites of the kernels alone, or all unit tests. A set that it has not is told. The kernels alone leave out the widest
# set, which is what every program takes by itself: ./check has run the same suites with it.
set -uo pipefail
build=$1 what=$2
failed=0
# The kernels' own suites, and what compares kernels' results with known answers. PROGRAM FILTER
kernels="test_runtime InstructionSet*:*Kernel*:Newmark*:Integrator*:Coupling*
test_collision *Kernel*:CollideBodies*:CollidingBody*:DeformedBody*
test_touch NearestPoint*
test_control_lattice LatticeStep*:LatticeResponse*
test_polynomial *
test_bridge *Kernel*:ContactIteration*"
has() { grep -m1 '^flags' /proc/cpuinfo | grep -qw "${1/avx512/avx512f}"; }
widest=sse2
for set in avx2 avx512; do ! has $set || widest=$set; done
for set in sse2 avx2 avx512; do
  if ! has $set; then
    echo "== $set: this processor does not have it"
    continue
  fi
  if [ "$what" = kernels ] && [ $set = $widest ]; then
    echo "== $set: what the programs take by themselves"
    continue
  fi
  echo "== $set"
  export PLIANT_TEST_INSTRUCTIONS=$set
  if [ "$what" = unit ]; then
    ctest --test-dir "$build" -j2 --output-on-failure -L unit || failed=1
    continue
  fi
  while read -r program filter; do
    path=$(find "$build/tests" -type f -name "$program" | head -n 1)
    [ -n "$path" ] || { echo "$program is not built" >&2; failed=1; continue; }
    if ! "$path" --gtest_filter="$filter" >"$build/instructions.log" 2>&1 || ! grep -q '\[  PASSED  \] [1-9]' "$build/instructions.log"; then
      echo "$program with $set:" >&2
      grep -vE '^\[ +(OK|RUN) ' "$build/instructions.log" | tail -n 40 >&2
      failed=1
    fi
  done <<<"$kernels"
done
exit $failed
