#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# commands_tell.sh ROOT: ./check and ./nightly tell what they do and refuse an option that they do not know, before they
# install or build anything.
set -uo pipefail
root=$1 bad=0
fail() { echo "$*" >&2; bad=1; }
for command in check nightly; do
  for help in -h --help; do
    text=$(timeout 20 "$root/$command" $help 2>&1) || fail "./$command $help ends with $?"
    [[ $text == "./$command "* ]] || fail "./$command $help says: $text"
  done
  text=$(timeout 20 "$root/$command" --fast 2>&1)
  [ $? -eq 2 ] || fail "./$command --fast is not refused"
  [[ $text == *"Unknown option --fast"*--help* ]] || fail "./$command --fast says: $text"
done
exit $bad
