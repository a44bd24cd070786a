#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# exported_symbols.sh VERSION STATIC SHARED HEADER...: a shared library of ours shows its own namespaces alone, none of what
# is internal, everything that its installed headers declare, and a name that tells incompatible versions apart.
#   VERSION  what its SONAME has to end in
#   STATIC   the archive of the same objects
#   HEADER   its public headers, in the source tree
set -euo pipefail
version=$1 static=$2 shared=$3
shift 3
failed=0
fail() { printf '%s: %s\n' "${shared##*/}" "$*" >&2; failed=1; }

# symbols NM-OPTION TYPES FILE: demangled names of what is defined there
symbols() { nm -C --defined-only "$1" "$3" 2>/dev/null | sed -nE "s/^[0-9a-f]{16} [$2] //p" | sed 's/@@.*//; s/\[abi:[^]]*\]//g' | sort -u; }
shown=$(symbols -D A-Za-z "$shared")
all=$(symbols -g TDBR "$static") # not what is weak: inline functions are every program's own
[ "$(wc -l <<<"$shown")" -gt 2 ] || fail "shows hardly anything"

soname=$(readelf -d "$shared" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
stem=${shared##*/}
[ "$soname" = "${stem%%.so*}.so.$version" ] || fail "has the SONAME '$soname', which should end in .so.$version"

ours='^((typeinfo|vtable|VTT|typeinfo name|construction vtable) for |(non-virtual |virtual |covariant return )?thunk to )?((pliant|osgPliant)::|btPliant[A-Za-z0-9]*(::|\(|$))'
if strangers=$(grep -Ev "$ours" <<<"$shown"); then
  fail "shows what is not ours:" $'\n'"$(head -n 20 <<<"$strangers")"
fi
# The bridge multiplies with the arithmetic of the run time; everything else that is internal stays inside.
if internal=$(grep -E 'btPliantInternal|pliant::kernels::|::(Data|Cache|Impl)::|anonymous' <<<"$shown" | grep -vxF 'pliant::kernels::active()'); then
  fail "shows what is internal:" $'\n'"$(head -n 20 <<<"$internal")"
fi

# What is declared at the left margin of a public header: functions, and classes with members that are not inline.
hidden=$(comm -23 <(printf '%s\n' "$all") <(printf '%s\n' "$shown") | sed 's/(.*//' | sort -u)
for header in "$@"; do
  for class in $(grep -v ';$' "$header" | sed -nE 's/^(class|struct) (PLIANT_API )?([A-Za-z0-9_]+).*/\3/p' | sort -u); do
    if lost=$(grep -E "(^|::)$class::[A-Za-z_~]+$" <<<"$hidden"); then
      fail "hides members of $class, which ${header##*/} declares: put PLIANT_API before its name"
    fi
  done
  for function in $(grep -E '^[A-Za-z]' "$header" | grep -Ev '^(inline|template|class|struct)' | grep -oE '[A-Za-z_]+\(' | tr -d '(' | sort -u); do
    if grep -qxE "((pliant|osgPliant)::)?$function" <<<"$hidden"; then
      fail "hides $function(), which ${header##*/} declares: put PLIANT_API before it"
    fi
  done
done
exit $failed
