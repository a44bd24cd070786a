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

# build_preset ROOT PRESET TARGET: configures once, builds what changed; shows the log only where that fails
build_preset() {
  local root=$1 preset=$2 target=$3
  local folder=$root/build/$preset
  mkdir -p "$folder" || return 1
  if [ ! -f "$folder/build.ninja" ]; then
    say "Configures build/$preset"
    if ! (cd "$root" && cmake --preset "$preset") >"$folder/configure.log" 2>&1; then
      tail -n 30 "$folder/configure.log" >&2
      say "Configuring failed; the whole log is in build/$preset/configure.log"
      return 1
    fi
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
