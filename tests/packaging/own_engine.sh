#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# own_engine.sh BUILD SOURCE MODEL: the example without Bullet and OpenSceneGraph. In the build it runs and needs no library
# beyond the core's; outside of it it is made from an installation that has nothing but Pliant::core.
set -euo pipefail
build=$1 source=$2 model=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1; fi

# settles LINES: ten lines; free fall at first, by g h^2 n (n + 1) / 2 = 0.4476 m with n = 72 steps of h = 1/240 s (heights
# start at 1.9 and 2.8 times one length, so that two of them give the way, to 2.6 mm as they are rounded to 1 mm); at the end
# everything lies on the ground or on something that does, and hardly moves
settles() {
  [ "$(wc -l <"$1")" -eq 10 ] || fail "ten lines were expected"
  awk '{ first[NR] = $6; second[NR] = $9; ball[NR] = $12 }
    END {
      fallen = 1.9 * (ball[1] - second[1]) / 0.9 - second[1]
      if (fallen < 0.445 || fallen > 0.4502) exit 1
      for (i = 9; i <= 10; ++i) if (first[i] < 0.02 || second[i] < 0.02 || ball[i] < 0.02) exit 2
      d = second[10] - second[9]; e = first[10] - first[9]; f = ball[10] - ball[9]
      if (d * d > 1e-4 || e * e > 1e-4 || f * f > 1e-6) exit 3
    }' "$1" || { cat "$1"; fail "bodies do not fall and come to rest ($?)"; }
}

say "in the build"
"$build/examples/own_engine/own_engine" "$model" | tee "$work/inside"
settles "$work/inside"
if ldd "$build/examples/own_engine/own_engine" | grep -E 'Bullet|osg|mumps|lapack'; then fail "it needs more than the core"; fi

say "from an installation of Pliant::core alone"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || fail "install"
find "$work/prefix/lib" \( -name '*btPliant*' -o -name '*osgPliant*' -o -name '*pliantReduce*' -o -name '*Scene*' -o -name 'Pliant_[^c]*' \) \
  -not -type d -delete
rm -rf "$work/prefix/include/btPliant"* "$work/prefix/include/osgPliant"*
cp -r "$source/examples/own_engine" "$work/project"
{ cmake -S "$work/project" -B "$work/project/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_DISABLE_FIND_PACKAGE_OpenSceneGraph=ON -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON &&
    cmake --build "$work/project/build"; } >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "the outside project"; }
"$work/project/build/own_engine" "$model" >"$work/outside"
cmp "$work/inside" "$work/outside" || fail "the bodies move differently outside"
say "done"
