#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# examples.sh BUILD SOURCE MODEL: runs the small examples without a display.
set -euo pipefail
examples=$1/examples source=$2 model=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DISPLAY
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
# picture FILE: whether it is one, with something in it
picture() {
  [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] || fail "no picture was made: $1"
  [ "$(wc -c <"$1")" -gt "${2:-20000}" ] || fail "the picture is empty: $1"
}

say "pick_and_drag"
"$examples/pick_and_drag/pick_and_drag" "$model" "$work/dragged.png" || fail "the body was not lifted"
picture "$work/dragged.png"

say "physics_thread"
"$examples/physics_thread/physics_thread" "$model" "$work/thread.png" | grep -q '^92 steps, shown at 1.5083 s$' ||
  fail "another moment is shown"
picture "$work/thread.png"

say "record_and_replay"
"$examples/record_and_replay/record_and_replay" record "$model" "$work/run.states"
for at in "0.71 -60" "0.71 30" "1.9 -60"; do
  # shellcheck disable=SC2086
  "$examples/record_and_replay/record_and_replay" replay "$work/run.states" $at "$work/replay $at.png"
  picture "$work/replay $at.png"
done
cmp -s "$work/replay 0.71 -60.png" "$work/replay 0.71 30.png" && fail "both cameras see the same"
cmp -s "$work/replay 0.71 -60.png" "$work/replay 1.9 -60.png" && fail "both moments are the same"
head -c 9000 "$work/run.states" >"$work/cut.states"
if "$examples/record_and_replay/record_and_replay" replay "$work/cut.states" 0 0 "$work/cut.png" 2>"$work/why"; then
  fail "a log that is cut off was played"
fi
grep -q "cut.states: " "$work/why" || fail "the message names no file: $(cat "$work/why")"

if [ -x "$examples/reduce_a_node/reduce_a_node" ]; then
  say "reduce_a_node"
  "$examples/reduce_a_node/reduce_a_node" "$source/media/solids/jelly.obj" "$work/reduced.png"
  picture "$work/reduced.png" 10000
fi
say "done"
