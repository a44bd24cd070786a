#!/bin/sh
# SPDX-License-Identifier: Zlib
# reduce_lump.sh BUILD [VOXELS [OPTIONS...]]: a solid lump from surface to reduced model, timed whole. 34 voxels make
# about 14,400 bricks, 52 about 50,000. Prints the program's own table of stages, then wall time and peak memory.
set -e
build=$1
voxels=${2:-34}
[ -x "$build/examples/pliant/pliant" ] || { echo "usage: $0 BUILD [VOXELS [OPTIONS...]]" >&2; exit 1; }
shift
[ $# -gt 0 ] && shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$build/tests/benchmark/solid_lump" "$folder/lump.obj"
command -v /usr/bin/time >/dev/null && timer="/usr/bin/time -f %e_s_wall,%U_s_user,%M_KiB_peak"
$timer "$build/examples/pliant/pliant" reduce "$folder/lump.obj" -o "$folder/lump.pliant" --solid --voxels "$voxels" \
  --modes 20 --dim 30 --no-cache "$@"
