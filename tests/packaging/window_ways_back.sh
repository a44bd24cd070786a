#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# window_ways_back.sh BUILD SOURCE MODEL [FOLDER]: windows of `pliant run --watch` whose scene takes long to come back to its
# time after it was saved, a mouse in a hand, and `pliant sketch`. That takes two minutes, most of it waiting, so it is a test
# of ./nightly.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/screen.sh"

shot empty
xdotool mousemove 240 160

# What takes long to come back to its time says how far it is, is seen on its way, stays where the models of the next
# version cannot be made, can be looked around in, and can be closed meanwhile. Its physics is slower than the clock and
# nothing sleeps, so that the way back takes long; that a window ended on its way is told by its report.
say "pliant run --watch that goes on for long"
echo "no model" >"$work/broken.pliant"
cat >"$work/long.yaml" <<END
time: {frames_per_second: 60, substeps: 1000}
models:
  basket: {file: $model}
bodies:
  - {name: heap, model: basket, position: [0, 0, 1], grid: {count: [2, 2, 1], spacing: 0.6}, sleep: false}
ground: {height: 0}
END
"$build/examples/pliant/pliant" run "$work/long.yaml" --watch --size 240x160 --output "$work/out" >"$work/long.log" 2>&1 &
program=$!
pids+=($program)
wait_for_change empty long_start
sleep 22
sed -i 's/position: \[0, 0, 1\]/position: [0, 0, 1.1]/' "$work/long.yaml"
for _ in $(seq 100); do grep -q "^  going on" "$work/long.log" && break; sleep 0.1; done
grep -q "^  going on" "$work/long.log" || fail "nothing is told of how far the scene has gone on: $(cat "$work/long.log")"
wait_for_change empty long_way
for _ in $(seq 20); do
  sleep 0.2
  shot long_further
  [ "$(differ long_way long_further)" -lt 20 ] || break
done
[ "$(differ long_way long_further)" -ge 20 ] || fail "a scene that goes on is not seen on its way"
sed -i "s|file: .*}|file: broken.pliant}|" "$work/long.yaml"
for _ in $(seq 50); do grep -q "pliant: error.*broken" "$work/long.log" && break; sleep 0.1; done
grep -q "pliant: error.*broken" "$work/long.log" || fail "a model that cannot be made is not told: $(cat "$work/long.log")"
sleep 0.5
kill -0 "$program" 2>/dev/null || fail "a model that cannot be made has ended the program: $(cat "$work/long.log")"
sed -i "s|file: .*}|file: $model}|" "$work/long.yaml"  # as it runs: there is nothing to begin anew
sleep 0.8
[ "$(grep -c "^Going on from" "$work/long.log")" -eq 1 ] || fail "a save that changes nothing has begun the scene anew"
# corner A B: bytes that differ by more than shades do, where nothing but the ground is seen
corner() {
  for name in "$1" "$2"; do ffmpeg -v error -y -i "$pictures/$name.png" -vf crop=70:40:225:65 -pix_fmt rgb24 "$work/$name.corner.ppm" </dev/null; done
  { cmp -l "$work/$1.corner.ppm" "$work/$2.corner.ppm" || true; } |
    awk 'function number(octal) { return int(octal / 100) * 64 + int(octal % 100 / 10) * 8 + octal % 10 }
      { d = number($2) - number($3); if (d > 3 || d < -3) n++ } END { print n + 0 }'
}
xdotool mousemove 150 140 mousedown 1  # the view is turned, and kept by the next version
for _ in $(seq 6); do xdotool mousemove_relative 10 0; sleep 0.2; done
sleep 0.5
xdotool mouseup 1
sleep 0.5
shot long_turned
turned=$(corner long_way long_turned)
[ "$turned" -ge 300 ] || fail "a window that goes on cannot be looked around in"
sed -i 's/position: \[0, 0, 1.1\]/position: [0, 0, 1.2]/' "$work/long.yaml"
for _ in $(seq 50); do [ "$(grep -c "^Going on from" "$work/long.log")" -eq 2 ] && break; sleep 0.1; done
wait_for_change empty long_again
[ "$(corner long_turned long_again)" -lt $((turned / 4)) ] || fail "the view that was turned on the way is lost"
xdotool key Escape
for _ in $(seq 40); do kill -0 "$program" 2>/dev/null || break; sleep 0.2; done
kill -0 "$program" 2>/dev/null && fail "a window that goes on cannot be closed"
wait "$program" || fail "the program ended with $?"
# Times of the reports of both ways back, each after the time that it was to come to.
sed -n 's/^Going on from \(.*\) s\.$/\1/p; s/.*(\([0-9.]*\) s simulated).*/\1/p' "$work/long.log" | tail -n 4 >"$work/long.times"
paste -d ' ' - - <"$work/long.times" | awk '!($2 > 0 && $2 + 0.01 < $1) { exit 1 } END { if (NR != 2) exit 1 }' ||
  fail "the window was not on its way back: $(cat "$work/long.log")"

# On a terminal a bar tells of the way back, and what is told meanwhile begins on a line of its own. Layers are shown on
# the way, too: the frame of this body, which stays where it is, has a red axis.
say "pliant run --watch on a terminal"
cat >"$work/still.yaml" <<END
gravity: [0, 0, 0]
time: {frames_per_second: 60, substeps: 1000}
models:
  basket: {file: $model}
bodies:
  - {name: it, model: basket, position: [0, 0, 0], sleep: false}
  - {name: behind the camera, model: basket, position: [0, -9, 0], grid: {count: [2, 2, 1], spacing: 0.6}, sleep: false}
camera: {from: [0, -2, 0.2], to: [0, 0, 0.2], field_of_view: 40}
show: {frames: true}
END
script -qefc "$build/examples/pliant/pliant run $work/still.yaml --watch --size 240x160 --output $work/out" "$work/still.log" >"$work/still.out" 2>&1 </dev/null &
program=$!
pids+=($program)
wait_for_change empty still_start
sleep 12
shot still_before
axis=$(red still_before)
[ "$axis" -ge 8 ] || fail "no frame of a body is shown"
sed -i 's/position: \[0, 0, 0\]/position: [0, 0, 0.01]/' "$work/still.yaml"
for _ in $(seq 100); do grep -q "going on" "$work/still.log" && break; sleep 0.1; done
grep -q "going on" "$work/still.log" || fail "no bar tells of the way back: $(cat -v "$work/still.log")"
sleep 2
shot still_way
shown=$(grep -ao '[0-9]* %  going on' "$work/still.log" | tail -n 1 | cut -d ' ' -f 1)
[ "$shown" -lt 90 ] || fail "the way back is nearly over before the mistake is made, at $shown %: it needs more bodies"
echo "bodies: [" >>"$work/still.yaml"
for _ in $(seq 50); do grep -q "pliant: error" "$work/still.log" && break; sleep 0.1; done
grep -q "pliant: error" "$work/still.log" || fail "a mistake on the way back is not told: $(cat -v "$work/still.log")"
grep -Pq '\x1b\[Kpliant: error' "$work/still.log" || fail "what is told on the way back stands behind the bar: $(cat -v "$work/still.log")"
[ "$(red still_way)" -ge $((axis / 2)) ] || fail "layers are not shown on the way back"
xdotool key Escape
for _ in $(seq 100); do kill -0 "$program" 2>/dev/null || break; sleep 0.2; done
wait "$program" || fail "the program ended with $?"
# A mouse in a hand: g takes it, a ball follows it, and the right button turns the hand and not the camera.
say "pliant run with a mouse"
cat >"$work/mouse.yaml" <<END
rigid:
  - {name: ball, shape: sphere, radius: 0.15, mass: 0.3, position: [0, 0, 0.6], colour: [0.9, 0.02, 0.02]}
ground: {height: 0}
camera: {from: [0, -4, 0.8], to: [0, 0, 0.6], field_of_view: 35}
tool: [{body: ball, device: mouse}]
END
"$build/examples/pliant/pliant" run "$work/mouse.yaml" --size 480x320 --output "$work/out" >"$work/mouse.log" 2>&1 &
program=$!
pids+=($program)
xdotool mousemove 240 160
wait_for_change empty mouse_start
settle mouse_rest
[ "$(red mouse_rest)" -ge 200 ] || fail "there is no ball"
xdotool mousemove 200 160
settle mouse_away
[ "$(differ mouse_rest mouse_away)" -lt 1000 ] || fail "the hand follows a mouse that is not its own"
xdotool key g
for step in $(seq 10); do xdotool mousemove_relative 8 -4; sleep 0.1; done
wait_for_change mouse_rest mouse_moved
settle mouse_moved
[ "$(red mouse_moved)" -ge 200 ] || fail "the ball is lost"
xdotool mousedown 3
for step in $(seq 5); do xdotool mousemove_relative 6 0; sleep 0.1; done
xdotool mouseup 3
settle mouse_turned
[ "$(differ mouse_moved mouse_turned)" -lt 3000 ] || fail "the right button moves the camera"
finish "$work/mouse.log"

say "pliant sketch"
"$build/examples/pliant/pliant" sketch "$model" --size 400x240 -o "$work/forces.yaml" >"$work/sketch.log" 2>&1 &
program=$!
pids+=($program)
wait_for_change empty sketch_start
settle sketch_rest
for place in "240 160" "240 130" "240 190" "200 160" "280 160" "240 220" "240 100"; do
  xdotool mousemove $place keydown ctrl mousedown 1
  sleep 0.3
  for step in $(seq 6); do xdotool mousemove_relative 0 -6; sleep 0.1; done
  shot sketch_pulled
  xdotool mouseup 1 keyup ctrl
  sleep 0.3
  [ "$(differ sketch_rest sketch_pulled)" -lt 3000 ] || break
done
[ "$(differ sketch_rest sketch_pulled)" -ge 3000 ] || fail "the mouse has pulled nothing"
finish "$work/sketch.log"
grep -q "force" "$work/forces.yaml" || fail "no forces were written: $(cat "$work/sketch.log")"
say "done"
