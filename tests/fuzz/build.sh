#!/bin/bash -eu
# SPDX-License-Identifier: Zlib
# What OSS-Fuzz calls: $CXX, $CXXFLAGS and $LIB_FUZZING_ENGINE are its own, programs, seeds and dictionaries go to $OUT.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=${WORK:-$root/build}/oss-fuzz
cmake -S "$root" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DBUILD_SHARED_LIBS=OFF -DPLIANT_FUZZ=ON \
  -DPLIANT_BUILD_OSG=OFF -DPLIANT_BUILD_EXAMPLES=OFF -DPLIANT_BUILD_BENCHMARKS=OFF -DPLIANT_FUZZ_ENGINE="${LIB_FUZZING_ENGINE:-}"
for door in model character state readers import yaml options runs; do
  ninja -C "$work" "fuzz_$door"
  cp "$work/tests/fuzz/fuzz_$door" "$OUT/"
  (cd "$root/tests/fuzz/$door/seeds" && python3 -m zipfile -c "$OUT/fuzz_${door}_seed_corpus.zip" .)
  [ ! -f "$root/tests/fuzz/$door/dictionary" ] || cp "$root/tests/fuzz/$door/dictionary" "$OUT/fuzz_$door.dict"
done
