# SPDX-License-Identifier: Zlib
# For scripts that run programs which draw. They set `picture_shows`, the program of that name, `work`, a folder, and
# define fail().

# without_complaint COMMAND...: runs it; fails when it does, or when OpenSceneGraph, OpenGL or Pliant have complained.
# What it prints is printed when it is done. (Mesa's loader may tell which devices it does not have.)
without_complaint() {
  "$@" >"$work/said" 2>"$work/complained" || { cat "$work/said" "$work/complained" >&2; fail "$1 ended with an error"; }
  cat "$work/said"
  if grep -vE '^(libEGL|libGL|MESA|MESA-LOADER|pci id)' "$work/complained" | grep . >&2 ||
    complaints "$work/said" >&2; then
    fail "$1 complained"
  fi
}

# complaints FILE: prints those of OpenSceneGraph, OpenGL and Pliant in what a program has said; fails when there are none.
complaints() { grep -iE '^(warning|error|fragment|vertex|geometry)\b|glCompileShader|glLinkProgram|OpenGL error|osgPliant:' "$1"; }

# shows_body FILE [wicker|red]: whether a body is in the picture.
shows_body() { "$picture_shows" "${2:-wicker}" "$1" || fail "no body is in $1"; }
