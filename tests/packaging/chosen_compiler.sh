#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# chosen_compiler.sh ROOT: ./run and ./check make a new release build by Clang alone where nobody has chosen another compiler
# and Clang makes programs; a folder that is there keeps its compiler, and CXX for another one is told.
set -uo pipefail
root=$1 bad=0
fail() { echo "$*" >&2; bad=1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$root/cmake/scripts/prepare.sh"
unset CC CXX CMAKE_TOOLCHAIN_FILE

# A compiler that makes a program of anything, and one that makes none; they say different names.
mkdir -p "$work/good" "$work/poor" "$work/none"
cat >"$work/good/clang++" <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "Clang for tests 1"; exit; }
cat >/dev/null
while [ $# -gt 1 ]; do [ "$1" = -o ] && cp /bin/true "$2"; shift; done
END
printf '#!/bin/sh\nexit 1\n' >"$work/poor/clang++"
printf '#!/bin/sh\necho "g++ (for tests) 2"\n' >"$work/good/other++"
chmod +x "$work"/*/*++
chosen() { PATH=$work/$1:$PATH choose_compiler; }
[ "$(chosen good)" = -DCMAKE_CXX_COMPILER=clang++ ] || fail "a Clang that works is not taken"
[ -z "$(chosen poor)" ] || fail "a Clang that makes no program is taken"
for name in CC CXX CMAKE_TOOLCHAIN_FILE; do
  [ -z "$(export $name=other; chosen good)" ] || fail "$name has chosen, and Clang is taken"
done
mkdir "$work/bin"
for tool in mktemp rm; do ln -s "$(command -v $tool)" "$work/bin/"; done
[ -z "$(PATH=$work/bin choose_compiler)" ] || fail "Clang is taken where there is none"

mkdir "$work/release"
echo "CMAKE_CXX_COMPILER:STRING=$work/good/clang++" >"$work/release/CMakeCache.txt"
keeps() { PATH=$work/good:$PATH CXX=$1 keeps_compiler "$work/$2" 2>"$work/said"; }
keeps "" release || fail "a folder is refused though CXX is not set"
keeps clang++ release || fail "a folder is refused that was made with the same compiler, by another name of it"
keeps other++ nowhere || fail "a folder that is not there is refused"
if keeps other++ release; then fail "CXX asks for another compiler than the folder was made with, and it goes on"; fi
grep -q "build/release was made with .*clang++, and CXX asks for other++" "$work/said" || fail "it says: $(cat "$work/said")"
# As CMake keeps CXX="launcher other++": two lines, in the order of their names.
printf '#!/bin/sh\nexec "$@"\n' >"$work/good/launcher" && chmod +x "$work/good/launcher" && mkdir "$work/launched"
printf 'CMAKE_CXX_COMPILER:STRING=%s\nCMAKE_CXX_COMPILER_ARG1:STRING= other++\n' "$work/good/launcher" >"$work/launched/CMakeCache.txt"
keeps "launcher other++" launched || fail "a folder is refused that was made by a launcher with the same compiler"
if keeps "launcher clang++" launched; then fail "a launcher hides another compiler"; fi
exit $bad
