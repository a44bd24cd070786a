#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# outside_project.sh BUILD SOURCE [each_header]: installs the build into a fresh prefix and builds the examples against it from
# copies outside of the project, then runs them on a model that the installed program makes; with shared libraries, and with
# the static ones that are installed on request. With each_header every installed header is compiled in a file of its own
# and three more examples are built instead, which takes minutes. CXX is the compiler of those programs.
set -euo pipefail
build=$1 source=$2 only=${3:-} picture_shows=$1/tests/packaging/picture_shows
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
source "$source/tests/packaging/pictures.sh"
# What has been compiled for the other kind of libraries, or by the last run of this test, is not compiled again.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1
fi

say "install; programs are compiled by ${CXX:-the compiler that CMake finds}"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || { tail "$work/install.log"; fail "install"; }
say "pages and examples are installed"
for file in README.md docs/scene.md docs/internals/drawing.md examples/add_a_body/add_a_body.cpp media/scenes/press_a_cow.yaml; do
  compgen -G "$work/prefix/share/doc/*/$file" >/dev/null || fail "$file was not installed"
done
say "meshes that installed scenes name are installed"
scenes=$(compgen -G "$work/prefix/share/doc/*/media/scenes")
grep -rhoE '\.\./[a-z]+/[a-z_]+\.(obj|glb)' --include='*.yaml' "$scenes" | sort -u >"$work/meshes"
[ "$(wc -l <"$work/meshes")" -gt 10 ] || fail "scenes name no meshes: is this the right folder?"
while read -r mesh; do
  [ -f "$scenes/$mesh" ] || fail "$mesh was not installed"
done <"$work/meshes"
if compgen -G "$work/prefix/share/doc/*/examples/pliant" >/dev/null; then fail "the program's sources are no example"; fi
# reduce MODEL: where it will stay, since it names its texture from there
reduce() {
  "$work/prefix/bin/pliant" reduce "$source/media/basket/basket.obj" -o "$1" --shell --modes 4 --dim 6 --voxels 10 \
    --young 2e6 --poisson 0.3 --density 400
}
reduce "$work/basket.pliant"

# needs PROGRAM LIBRARY: whether it is linked against that shared library
needs() { readelf -d "$1" | grep -q "(NEEDED).*\[$2\.so"; }

# outside NAME CMAKE-ARGS...: copies the example, configures and builds it as a stranger would, unoptimised, which takes half
# the time
outside() {
  local name=$1
  shift
  say "build $name"
  rm -rf "$work/$name"
  mkdir -p "$work/$name"
  cp "$source/examples/$name/"* "$work/$name/"
  cmake -S "$work/$name" -B "$work/$name/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG" "$@" >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; fail "configure $name"; }
  cmake --build "$work/$name/build" >"$work/$name.log" 2>&1 || { tail -n 40 "$work/$name.log"; fail "build $name"; }
}

say "shared libraries: no static ones unless asked for"
find "$work/prefix" -name 'libpliant.so' | grep -q . || fail "no shared library was installed (was Pliant built with BUILD_SHARED_LIBS?)"
if find "$work/prefix" -name '*.a' | grep .; then fail "static libraries were installed that nobody had asked for"; fi

# All in one file, and each by itself in ./nightly, since the first ones may bring what later ones forget.
say "installed headers compile${only:+, each by itself}"
mkdir -p "$work/headers"
cat >"$work/headers/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(headers LANGUAGES CXX)
find_package(Pliant REQUIRED COMPONENTS core reduce bullet osg scene bullet_scene osg_scene)
file(GLOB_RECURSE headers RELATIVE ${INSTALLED}/include ${INSTALLED}/include/*.h)
set(forwards "")
foreach(header ${headers})
  string(APPEND forwards "#include <${header}>\n")
  string(MAKE_C_IDENTIFIER ${header} name)
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cpp "#include <${header}>\n")
  list(APPEND sources ${CMAKE_BINARY_DIR}/${name}.cpp)
endforeach()
if(NOT EACH)
  file(WRITE ${CMAKE_BINARY_DIR}/forwards.cpp "${forwards}")
  set(sources ${CMAKE_BINARY_DIR}/forwards.cpp)
endif()
add_library(headers OBJECT ${sources})
target_compile_options(headers PRIVATE -O0 -Wall -Wextra -Werror)
target_link_libraries(headers PRIVATE Pliant::reduce Pliant::bullet_scene Pliant::osg_scene)
END
{ cmake -S "$work/headers" -B "$work/headers/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DINSTALLED="$work/prefix" \
    -DEACH="$only" &&
    cmake --build "$work/headers/build"; } >"$work/headers.log" 2>&1 || { tail -n 40 "$work/headers.log"; fail "headers"; }

# try_examples CMAKE-ARGS...: a body that falls, and its picture
try_examples() {
  outside plain_bullet "$@"
  say "run plain_bullet"
  "$work/plain_bullet/build/plain_bullet" "$work/basket.pliant" | tee "$work/heights"
  [ "$(wc -l <"$work/heights")" -eq 10 ] || fail "ten lines were expected"
  # after two seconds it lies on the ground: between 5 cm below and 30 cm above the height of its mesh at rest
  awk 'END { exit !($6 > -0.05 && $6 < 0.3) }' "$work/heights" || fail "the body is not on the ground"

  outside bullet_and_osg "$@"
  say "run bullet_and_osg"
  without_complaint "$work/bullet_and_osg/build/bullet_and_osg" "$work/basket.pliant" "$work/picture.png"
  shows_body "$work/picture.png"
}

# try_reduce CMAKE-ARGS...: the offline side links, and its errors can be caught by type
try_reduce() {
  say "build and run a program with Pliant::reduce"
  rm -rf "$work/reduce"
  mkdir -p "$work/reduce"
  cp "$source/tests/packaging/reduce_links.cpp" "$work/reduce/"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(reduce_links LANGUAGES C CXX)' \
    'find_package(Pliant REQUIRED COMPONENTS reduce)' 'add_executable(reduce_links reduce_links.cpp)' \
    'target_link_libraries(reduce_links PRIVATE Pliant::reduce)' >"$work/reduce/CMakeLists.txt"
  { cmake -S "$work/reduce" -B "$work/reduce/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" "$@" &&
      cmake --build "$work/reduce/build"; } >"$work/reduce.log" 2>&1 || { tail -n 40 "$work/reduce.log"; fail "reduce_links"; }
  "$work/reduce/build/reduce_links" || fail "reduce_links"
}

# try_more: examples that the build's own tests run as well (packaging.examples), and that find nothing which others do not
try_more() {
  outside add_a_body
  say "run add_a_body"
  without_complaint "$work/add_a_body/build/add_a_body" "$work/basket.pliant" "$source/media/basket/basket.obj" "$work/added.png"
  shows_body "$work/added.png"

  outside record_and_replay
  say "run record_and_replay"
  without_complaint "$work/record_and_replay/build/record_and_replay" record "$work/basket.pliant" "$work/run.states"
  without_complaint "$work/record_and_replay/build/record_and_replay" replay "$work/run.states" 0.71 -60 "$work/replay.png"
  shows_body "$work/replay.png"

  outside osgdb_pliantscene
  [ -f "$work/osgdb_pliantscene/build/osgdb_pliantscene.so" ] || fail "OpenSceneGraph would not find the plugin for scenes"
}
[ -z "$only" ] || { try_more; say "done"; exit; }

try_examples
needs "$work/plain_bullet/build/plain_bullet" libbtPliant || fail "plain_bullet is not linked against the shared library"
cp "$work/heights" "$work/heights_shared"
try_reduce

outside add_a_scene
say "run add_a_scene"
reduce "$work/add_a_scene/basket.pliant"
without_complaint "$work/add_a_scene/build/add_a_scene" "$work/add_a_scene/scene.yaml" "$work/scene.png"
cp "$work/said" "$work/crate"
shows_body "$work/scene.png"
# it fell from 1.5 m onto a basket or the ground: a free fall of one second would be at -3.4 m
awk '{ exit !($(NF - 1) > 0.1 && $(NF - 1) < 1.2) }' "$work/crate" || fail "the crate and the scene do not share a world"
sed -i 's/basket.pliant/basket.obj/' "$work/add_a_scene/scene.yaml"
cp "$source/media/basket/basket.obj" "$work/add_a_scene/"
if "$work/add_a_scene/build/add_a_scene" "$work/add_a_scene/scene.yaml" "$work/scene.png" 2>"$work/mesh"; then
  fail "a mesh was taken for a model"
fi
grep -q 'scene.yaml:.*only reduced models' "$work/mesh" || { cat "$work/mesh"; fail "the message names nothing"; }

say "double precision"
mkdir -p "$work/double"
sed 's/plain_bullet/double_bullet/g; s/Pliant::bullet/Pliant::bullet64/g; s/core bullet/core bullet64/' \
  "$source/examples/plain_bullet/CMakeLists.txt" >"$work/double/CMakeLists.txt"
cp "$source/examples/plain_bullet/plain_bullet.cpp" "$work/double/double_bullet.cpp"
cmake -S "$work/double" -B "$work/double/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/double.log" 2>&1 &&
  cmake --build "$work/double/build" >>"$work/double.log" 2>&1 || { tail -n 40 "$work/double.log"; fail "bullet64"; }
"$work/double/build/double_bullet" "$work/basket.pliant" >"$work/heights64"
[ "$(wc -l <"$work/heights64")" -eq 10 ] || fail "ten lines were expected of the double build"

say "static libraries are named where they are missing, then installed on request"
if cmake -S "$work/plain_bullet" -B "$work/plain_bullet/static" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DPliant_USE_STATIC_LIBS=ON >"$work/static.log" 2>&1; then
  fail "static libraries were found that are not installed"
fi
grep -q 'component static' "$work/static.log" || { cat "$work/static.log"; fail "the message says no cure"; }
cmake --install "$build" --component static --prefix "$work/prefix" >>"$work/install.log" || fail "install --component static"
try_examples -DPliant_USE_STATIC_LIBS=ON
for library in libpliant libbtPliant libosgPliant; do
  ! needs "$work/bullet_and_osg/build/bullet_and_osg" $library || fail "a static program needs $library.so"
done
cmp "$work/heights" "$work/heights_shared" || fail "the body moves differently with static libraries"
try_reduce -DPliant_USE_STATIC_LIBS=ON

say "a component that does not exist is named"
printf 'cmake_minimum_required(VERSION 3.25)\nproject(none LANGUAGES CXX)\nfind_package(Pliant REQUIRED COMPONENTS core unity)\n' \
  >"$work/double/CMakeLists.txt"
rm -rf "$work/double/build"
if cmake -S "$work/double" -B "$work/double/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/none.log" 2>&1; then
  fail "an unknown component was accepted"
fi
grep -q 'Pliant has no component "unity"' "$work/none.log" || { cat "$work/none.log"; fail "the message names nothing"; }
say "done"
