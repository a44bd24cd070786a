#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# pkg_config.sh BUILD SOURCE MODEL: an installation is used with pkg-config alone, with shared and with static libraries; and
# who brings another Bullet or OpenSceneGraph than Pliant was made with is told so in one sentence when CMake configures.
set -euo pipefail
build=$1 source=$2 model=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
cd "$work"
cmake --install "$build" --prefix "$work/shared" >log || fail "install"
mkdir static
cp -r shared/include static/
cmake --install "$build" --component static --prefix "$work/static" >log || fail "install --component static"
mkdir -p static/lib
cp -r shared/lib/pkgconfig static/lib/
# pc KIND ARGUMENTS...: pkg-config where that kind is installed
pc() { PKG_CONFIG_PATH=$work/$1/lib/pkgconfig pkg-config "${@:2}"; }

say "every file says what links"
echo 'int main() {}' >empty.cpp
for file in shared/lib/pkgconfig/*.pc; do
  name=${file##*/} name=${name%.pc}
  # shellcheck disable=SC2046
  g++ empty.cpp -Wl,--no-as-needed $(pc shared --cflags --libs "$name") -o empty || fail "$name"
  readelf -d empty | grep -q 'NEEDED.*[pP]liant' || fail "$name names no library of ours"
done

say "shared libraries"
# shellcheck disable=SC2046
g++ -std=c++17 "$source/examples/own_engine/own_engine.cpp" $(pc shared --cflags --libs pliant) -Wl,-rpath,"$work/shared/lib" -o own_engine
./own_engine "$model" >shared.txt
[ "$(wc -l <shared.txt)" -eq 10 ] || fail "ten lines were expected"

say "static libraries"
for one in "$source/examples/plain_bullet/plain_bullet.cpp pliant-bullet" "$source/tests/packaging/reduce_links.cpp pliant-reduce"; do
  read -r text name <<<"$one"
  # shellcheck disable=SC2046
  g++ -std=c++17 "$text" $(pc static --static --cflags --libs "$name") -o static_program || fail "static $name"
  if readelf -d static_program | grep 'NEEDED.*[pP]liant'; then fail "a static program needs a shared library of ours"; fi
  case $name in
    pliant-bullet) [ "$(./static_program "$model" | wc -l)" -eq 10 ] || fail "ten lines were expected" ;;
    *) ./static_program || fail "reduce_links" ;;
  esac
done

# refuses NAME TEXT CMAKE-ARGUMENTS...: an outside project with that component is not configured, with that text
refuses() {
  say "$1: $2"
  mkdir -p "$work/outside"
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(outside LANGUAGES C CXX)\nfind_package(Pliant REQUIRED COMPONENTS %s)\n' "$1" \
    >"$work/outside/CMakeLists.txt"
  rm -rf "$work/outside/build"
  if cmake -G Ninja -S "$work/outside" -B "$work/outside/build" -DCMAKE_PREFIX_PATH="$work/shared" "${@:3}" >refused 2>&1; then
    fail "it was accepted"
  fi
  tr -s ' \n' ' ' <refused | grep -qF "$2" || { cat refused; fail "the message says something else"; }
}
mkdir other double
sed 's/^Version:.*/Version: 2.89/' "$(pkg-config --variable=pcfiledir bullet)/bullet.pc" >other/bullet.pc
sed 's/^Cflags:/Cflags: -DBT_USE_DOUBLE_PRECISION/' "$(pkg-config --variable=pcfiledir bullet)/bullet.pc" >double/bullet.pc
version=$(pkg-config --modversion bullet)
PKG_CONFIG_PATH=$work/other refuses bullet "Pliant was made with Bullet $version and finds Bullet 2.89"
PKG_CONFIG_PATH=$work/double refuses bullet "module bullet is not Bullet in single precision"
mkdir -p headers/osg
printf '#define OPENSCENEGRAPH_MAJOR_VERSION 3\n#define OPENSCENEGRAPH_MINOR_VERSION 7\n#define OPENSCENEGRAPH_PATCH_VERSION 1\n' >headers/osg/Version
touch headers/osg/Node
refuses osg "Pliant was made with OpenSceneGraph $(pkg-config --modversion openscenegraph) and finds OpenSceneGraph 3.7.1" \
  -DOSG_INCLUDE_DIR="$work/headers"
say "done"
