#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# core_libraries.sh PROGRAM: a program that links Pliant::core alone needs no shared library but these. What makes models
# (MUMPS, LAPACK, BLAS, assimp) and what reads scenes (yaml-cpp) is not what a game ships.
set -euo pipefail
allowed='^(linux-vdso|ld-linux.*|libc|libm|libgcc_s|libstdc\+\+|libpthread|libdl|librt|libatomic|libtbb|libxxhash)\.so'
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ -n "$needed" ] || { echo "$1 needs no shared library at all: is it a program?" >&2; exit 1; }
if others=$(grep -Ev "$allowed" <<<"$needed"); then
  printf 'Pliant::core needs libraries that it may not need: %s\n' "$(tr '\n' ' ' <<<"$others")" >&2
  exit 1
fi
