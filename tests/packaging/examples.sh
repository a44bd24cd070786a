#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# examples.sh BUILD SOURCE MODEL: runs the small examples without a display, and looks at their pictures.
set -euo pipefail
examples=$1/examples source=$2 model=$3 picture_shows=$1/tests/packaging/picture_shows
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DISPLAY
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
source "$source/tests/packaging/pictures.sh"

say "add_a_body"
without_complaint "$examples/add_a_body/add_a_body" "$model" "$source/media/basket/basket.obj" "$work/added.png"
shows_body "$work/added.png"

say "pick_and_drag"
without_complaint "$examples/pick_and_drag/pick_and_drag" "$model" "$work/dragged.png"
shows_body "$work/dragged.png"

say "physics_thread"
without_complaint "$examples/physics_thread/physics_thread" "$model" "$work/thread.png"
grep -q '^92 steps, shown at 1.5083 s$' "$work/said" || fail "another moment is shown"
shows_body "$work/thread.png"

say "record_and_replay"
without_complaint "$examples/record_and_replay/record_and_replay" record "$model" "$work/run.states"
for at in "0.71 -60" "0.71 30" "1.9 -60"; do
  # shellcheck disable=SC2086
  without_complaint "$examples/record_and_replay/record_and_replay" replay "$work/run.states" $at "$work/replay $at.png"
  shows_body "$work/replay $at.png"
done
cmp -s "$work/replay 0.71 -60.png" "$work/replay 0.71 30.png" && fail "both cameras see the same"
cmp -s "$work/replay 0.71 -60.png" "$work/replay 1.9 -60.png" && fail "both moments are the same"
head -c 9000 "$work/run.states" >"$work/cut.states"
if "$examples/record_and_replay/record_and_replay" replay "$work/cut.states" 0 0 "$work/cut.png" 2>"$work/why"; then
  fail "a log that is cut off was played"
fi
grep -q "cut.states: " "$work/why" || fail "the message names no file: $(cat "$work/why")"

say "knock_over_a_character"
"$examples/pliant/pliant" rig "$source/media/characters/quadruped.glb" -o "$work/quadruped.pliant" --base skin >/dev/null
# how_high SECONDS DRIVE: of the character's middle, mm
how_high() {
  without_complaint "$examples/knock_over_a_character/knock_over_a_character" "$work/quadruped.pliant" "$1" "$work/fallen.png"
  grep -q "^$2," "$work/said" || fail "at $1 s it does something else than \"$2\""
  high=$(sed -n 's/^.*its middle \([0-9]*\)\.\([0-9]*\) m high$/\1\2/p' "$work/said")
  high=$((10#$high))
}
how_high 0.4 runs && running=$high
how_high 2.5 falls && [ $((100 * high)) -lt $((75 * running)) ] || fail "it has not fallen: $high mm, of $running"
how_high 5.0 runs && [ $((100 * high)) -gt $((90 * running)) ] || fail "it has not got up: $high mm, of $running"

if [ -x "$examples/reduce_a_node/reduce_a_node" ]; then
  say "reduce_a_node"
  without_complaint "$examples/reduce_a_node/reduce_a_node" "$source/media/solids/jelly.obj" "$work/reduced.png"
  shows_body "$work/reduced.png" red
fi
say "these checks see what is wrong"
mkdir -p "$work/broken/osgPliant" "$work/blank/osgPliant"
echo 'void main() { gl_FragColor = nothing; }' >"$work/broken/osgPliant/body.frag"
echo 'void main() { discard; }' >"$work/blank/osgPliant/body.frag"
for shaders in broken blank; do
  if (export OSG_FILE_PATH=$work/$shaders
    without_complaint "$examples/bullet_and_osg/bullet_and_osg" "$model" "$work/$shaders.png"
    shows_body "$work/$shaders.png") >"$work/why" 2>&1; then
    fail "bodies with a $shaders shader were passed"
  fi
  case $shaders in broken) grep -q 'complained$' "$work/why" ;; *) grep -q 'no body is in' "$work/why" ;; esac ||
    fail "a $shaders shader was refused for another reason: $(cat "$work/why")"
done
say "done"
