#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# window.sh BUILD SOURCE MODEL [FOLDER]: the examples and the program in windows of a virtual screen, with keys that are pressed
# and a mouse that is moved (screen.sh). Windows that come back to their time for long, a mouse in a hand and `pliant sketch`
# are window_ways_back.sh's, in ./nightly.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/screen.sh"

shot empty
xdotool mousemove 240 160

say "pick_and_drag"
"$build/examples/pick_and_drag/pick_and_drag" "$model" >"$work/drag.log" 2>&1 &
program=$!
pids+=($program)
wait_for_change empty drag_start
settle drag_rest
xdotool key F1
wait_for_change drag_rest drag_without_segments
xdotool key F2 F3 F4 F5 F8  # what else is red, or moves with the body
settle drag_plain
# Where the pointer meets the body, a red ball rides on the point that it holds, and goes up with the pointer.
# What is pulled and let go lies elsewhere then, so the tries spread.
for place in "240 190" "240 200" "240 210" "240 220" "260 205" "280 215" "250 230" "270 195" "225 205" "290 225" "240 180"; do
  x=${place% *} y=${place#* }
  xdotool mousemove $x $y keydown ctrl mousedown 1
  sleep 0.5
  for step in $(seq 8); do xdotool mousemove $x $((y - 10 * step)); sleep 0.1; done
  sleep 1
  shot drag_held
  held=$(red drag_held)
  xdotool mouseup 1 keyup ctrl
  [ "$held" -lt 25 ] || break
done
[ "$held" -ge 25 ] || fail "the mouse has taken hold of nothing"
sleep 1
shot drag_released
[ "$(red drag_released)" -lt 8 ] || fail "the mouse did not let go"
shows_body "$pictures/drag_released.png"
finish "$work/drag.log"

# The world goes on beside the window: it settles, events have pictures made of it, and its states are recorded.
say "pliant run"
cat >"$work/scene.yaml" <<END
models:
  basket: {file: $model}
bodies:
  - {name: basket, model: basket, position: [0, 0, 0.3]}
ground: {height: 0}
events: [{at: 0.5, do: [{picture: event.png}]}]
output: [{states: {file: window.states, every: 0.1}}]
END
"$build/examples/pliant/pliant" run "$work/scene.yaml" --size 480x320 --output "$work/out" >"$work/run.log" 2>&1 &
program=$!
pids+=($program)
wait_for_change empty run_start || fail "$(cat "$work/run.log")"
settle run_rest
shows_body "$pictures/run_rest.png"
xdotool key p
xdotool key F1
wait_for_change run_rest run_segments
xdotool key F1 F4
wait_for_change run_segments run_frames
xdotool key F4
settle run_paused
xdotool key k minus minus minus minus minus minus minus minus  # the first material eight times softer by a quarter
wait_for_change run_paused run_slider
xdotool key p v  # and what the window shows is filmed
settle run_soft
xdotool key v
finish "$work/run.log"
for made in event.png window.states scene_window.mp4; do [ -s "$work/out/$made" ] || fail "the window has made no $made"; done
cp "$work/out/event.png" "$pictures/run_event.png"
shows_body "$pictures/run_event.png"
"$build/examples/pliant/pliant" play "$work/out/window.states" --size 160x120 --output "$work/out" >"$work/play.log" 2>&1 \
  || fail "the record of the window cannot be played: $(cat "$work/play.log")"

say "pliant run --watch"
cat >"$work/watched.yaml" <<END
models:
  basket: {file: $model}
bodies:
  - {name: it, friction: 0.5, model: basket, position: [0, 0, 0]}
ground: {height: 0}
END
"$build/examples/pliant/pliant" run "$work/watched.yaml" --watch --size 480x320 --output "$work/out" >"$work/watch.log" 2>&1 &
program=$!
pids+=($program)
wait_for_change empty watch_start
settle watch_one
shows_body "$pictures/watch_one.png"
echo "bodies: [" >>"$work/watched.yaml"  # a mistake leaves the window as it is
for _ in $(seq 50); do grep -q "pliant: error" "$work/watch.log" && break; sleep 0.2; done
grep -q "watched.yaml:" "$work/watch.log" || fail "a mistake in a watched file is not told: $(cat "$work/watch.log")"
settle watch_mistake  # it is told over the picture, at the top; the scene is as it was
[ "$(differ watch_one watch_mistake)" -ge 1000 ] || fail "a mistake is not told in the window"
for name in watch_one watch_mistake; do
  ffmpeg -v error -y -i "$pictures/$name.png" -vf crop=480:140:0:180 "$pictures/${name}_below.png" </dev/null
done
[ "$(differ watch_one_below watch_mistake_below)" -lt 1000 ] || fail "a mistake has changed the scene in the window"
sed -i -e '$d' -e 's/friction: 0.5/friction: 0.4/' "$work/watched.yaml"  # a live number: the window goes on
for _ in $(seq 50); do grep -q "it.friction is 0.4 now" "$work/watch.log" && break; sleep 0.2; done
grep -q "it.friction is 0.4 now" "$work/watch.log" || fail "a live number of a watched file is not set: $(cat "$work/watch.log")"
settle watch_live
[ "$(differ watch_one watch_live)" -lt 1000 ] || fail "a live number has started the scene anew"
sed -i -e 's/position: .*/grid: {count: [3, 1, 1], spacing: 0.5}}/' "$work/watched.yaml"
for _ in $(seq 50); do grep -q "Going on from" "$work/watch.log" && break; sleep 0.2; done
wait_for_change empty watch_next  # the window is another one
grep -Eq "Going on from ([1-9]|0\.[0-9]*[1-9])" "$work/watch.log" || fail "a changed scene does not go on from the same time: $(cat "$work/watch.log")"
settle watch_three
shows_body "$pictures/watch_three.png"
sed -i '/pliant: error/d' "$work/watch.log"
finish "$work/watch.log"

say "done"
