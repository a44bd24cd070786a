#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# abi.sh check|renew BUILD SOURCE HEADER...: what programs that are linked already count on, against the baseline in
# tests/packaging/abi: the symbols of every shared library, and the layouts of the classes of all installed headers, which
# abidiff (Debian's abigail-tools) compares. What comes in addition is no break. `renew` writes the baseline anew:
#   ninja -C build/release renew_abi
set -euo pipefail
task=$1 build=$2 source=$3
shift 3
baseline=$source/tests/packaging/abi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { printf 'FAILED: %s\n' "$*" >&2; failed=1; }
renew="if programs shall be linked anew with the next version, say so in CHANGELOG.md and run: ninja -C build/release renew_abi"

for library in "$build"/lib/lib*Pliant*.so "$build"/lib/libpliant*.so; do
  name=${library##*/lib} name=${name%.so}
  python3 "$source/tests/packaging/abi_probe.py" symbols "$source" "$library" "$@" | LC_ALL=C sort >"$work/$name.symbols"
  if [ "$task" = renew ]; then cp "$work/$name.symbols" "$baseline/"; continue; fi
  [ -s "$baseline/$name.symbols" ] || { fail "no baseline of lib$name.so: $renew"; continue; }
  lost=$(LC_ALL=C comm -23 "$baseline/$name.symbols" "$work/$name.symbols" | c++filt | head -n 20)
  [ -z "$lost" ] || fail "lib$name.so has lost symbols that programs may use; $renew"$'\n'"$lost"
done

# The headers are copied: where they stand on this machine is no part of the description.
mkdir "$work/include"
for header in "$@"; do
  for folder in plugin bullet_bridge osg_nodes; do
    [ -f "$source/$folder/$header" ] || continue
    mkdir -p "$work/include/$(dirname "$header")"
    cp "$source/$folder/$header" "$work/include/$header"
  done
done
cd "$work"
python3 "$source/tests/packaging/abi_probe.py" layouts "$source" "$@" >probe.cpp
# shellcheck disable=SC2046
g++ -std=c++17 -g -O0 -fPIC -shared -Iinclude $(pkg-config --cflags eigen3 bullet yaml-cpp openscenegraph-osg | sed 's/-I/-isystem /g') \
  probe.cpp -o probe.so || { echo "the probe of all public headers does not compile" >&2; exit 1; }
abidw --no-corpus-path --no-comp-dir-path --drop-private-types --headers-dir include probe.so >all.abi
python3 "$source/tests/packaging/abi_prune.py" all.abi now.abi
if [ "$task" = renew ]; then
  gzip -9nc now.abi >"$baseline/layouts.abi.gz"
  exit 0
fi
gunzip -c "$baseline/layouts.abi.gz" >then.abi || { echo "no baseline of layouts: $renew" >&2; exit 1; }
abidiff --no-added-syms then.abi now.abi >difference 2>&1 ||
  fail "classes of public headers have other layouts than in the baseline; $renew"$'\n'"$(head -n 60 difference)"
exit $failed
