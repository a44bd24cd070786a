# SPDX-License-Identifier: Zlib
# Shared by ./run and ./check: packages and builds. Prints little when there is nothing to do.

say() { printf '%s\n' "$*" >&2; }

# install_packages ROOT: the Debian packages of ROOT/packages.debian that are missing, and only those
install_packages() {
  local root=$1 name installed missing=() as_root=()
  if ! command -v dpkg-query >/dev/null; then
    say "This is not Debian: make sure that what packages.debian names is installed."
    return 0
  fi
  installed=$(dpkg-query -W -f=' ${Package} ${db:Status-Status}\n' | sed -n 's/ installed$/ /p')
  while read -r name; do
    [ -z "$name" ] && continue
    [[ $installed == *" $name "* ]] || missing+=("$name")
  done < <(sed 's/#.*//; s/[[:space:]]*$//' "$root/packages.debian")
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "These packages are missing, and neither are you root nor is there sudo. Please install: ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  say "Installs with apt-get: ${missing[*]}"
  if ! { "${as_root[@]}" apt-get update -qq &&
         DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2; }; then
    say "apt-get could not install them (see above). Please install by hand: ${missing[*]}"
    return 1
  fi
}

# version_of COMPILER...: what it says of itself, without the name by which it was called
version_of() { "$@" --version 2>/dev/null | sed -n '1{s/^[^ ]* (/(/; p; q}'; }

# choose_compiler: prints what CMake is told of the compiler of a new release build. Clang takes two thirds of GCC's time and
# its programs are as fast, so it is taken where nobody has chosen and it makes programs; ./nightly builds by GCC.
choose_compiler() {
  local made
  [ -z "${CC:-}${CXX:-}${CMAKE_TOOLCHAIN_FILE:-}" ] || return 0
  command -v clang++ >/dev/null || return 0
  made=$(mktemp -d) || return 0
  if printf '#include <vector>\nint main(int n, char**) { return static_cast<int>(std::vector<int>(1, n)[0] - n); }\n' |
    clang++ -std=c++17 -x c++ - -o "$made/program" 2>/dev/null && "$made/program"; then
    echo -DCMAKE_CXX_COMPILER=clang++
  fi
  rm -rf "$made"
}

# keeps_compiler FOLDER: a folder keeps the compiler that it was made with; false, with a sentence, where CXX asks for another
keeps_compiler() {
  local made_with
  [ -n "${CXX:-}" ] || return 0
  # Behind "ccache g++" and the like CMake keeps the rest of the words by themselves.
  made_with=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p; s/^CMAKE_CXX_COMPILER_ARG1:[A-Z]*=//p' "$1/CMakeCache.txt" 2>/dev/null |
    tr '\n' ' ')
  made_with=${made_with% }
  [ -n "$made_with" ] || return 0
  # shellcheck disable=SC2086
  [ "$(version_of $CXX) $($CXX -dumpmachine 2>/dev/null)" = "$(version_of $made_with) $($made_with -dumpmachine 2>/dev/null)" ] &&
    return 0
  say "build/${1##*/} was made with $made_with, and CXX asks for $CXX: remove that folder, or unset CXX."
  return 1
}

# build_preset ROOT PRESET TARGET: configures once and where presets have changed since, builds what changed; shows the log
# only where that fails. A preset that names no compiler (release) is made with the one that choose_compiler has chosen, and keeps it.
build_preset() {
  local root=$1 preset=$2 target=$3
  local folder=$root/build/$preset
  mkdir -p "$folder" || return 1
  local compiler=()
  [ "$preset" != release ] || keeps_compiler "$folder" || return 1
  if [ ! -f "$folder/build.ninja" ] || [ ! -f "$folder/preset.stamp" ] ||
    [ "$root/CMakePresets.json" -nt "$folder/preset.stamp" ]; then
    [ "$preset" != release ] || [ -f "$folder/CMakeCache.txt" ] || mapfile -t compiler < <(choose_compiler)
    say "Configures build/$preset"
    if ! (cd "$root" && cmake --preset "$preset" "${compiler[@]}") >"$folder/configure.log" 2>&1; then
      tail -n 30 "$folder/configure.log" >&2
      say "Configuring failed; the whole log is in build/$preset/configure.log"
      return 1
    fi
    touch "$folder/preset.stamp"
  fi
  ninja -C "$folder" -n "$target" 2>/dev/null | grep -q 'no work to do' && return 0
  say "Builds build/$preset (minutes the first time)"
  if [ -t 2 ]; then
    ninja -C "$folder" "$target" >&2 || { say "The build failed (see above)."; return 1; }
  elif ! ninja -C "$folder" "$target" >"$folder/build.log" 2>&1; then
    grep -vE '^\[[0-9]+/[0-9]+\]' "$folder/build.log" | head -n 60 >&2
    say "The build failed; the whole log is in build/$preset/build.log"
    return 1
  fi
}
