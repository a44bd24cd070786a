#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# window.sh BUILD SOURCE MODEL [FOLDER]: the examples and the program in windows of a virtual screen, with keys that are pressed
# and a mouse that is moved; screenshots go into FOLDER. Skipped (77) where Xvfb, xdotool, ffmpeg or script are not installed.
set -euo pipefail
build=$1 source=$2 model=$3 picture_shows=$1/tests/packaging/picture_shows
for tool in Xvfb xdotool ffmpeg script; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed (Debian: xvfb xdotool ffmpeg bsdutils)"; exit 77; }
done
work=$(mktemp -d)
pictures=${4:-$work}
pids=()
cleanup() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
source "$source/tests/packaging/pictures.sh"

Xvfb -displayfd 3 -screen 0 480x320x24 -noreset -nolisten tcp 3>"$work/display" 2>"$work/xvfb.log" &
pids+=($!)
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
[ -s "$work/display" ] || fail "no virtual screen: $(cat "$work/xvfb.log")"
DISPLAY=:$(cat "$work/display")
export DISPLAY OSG_MULTI_SAMPLES=0
for _ in $(seq 50); do xdotool getmouselocation >/dev/null 2>&1 && break; sleep 0.2; done

shot() { ffmpeg -v error -y -f x11grab -draw_mouse 0 -video_size 480x320 -i "$DISPLAY" -frames:v 1 "$pictures/$1.png" </dev/null; }
# differ A B: bytes of the pictures' pixels that differ
differ() {
  for name in "$1" "$2"; do ffmpeg -v error -y -i "$pictures/$name.png" -pix_fmt rgb24 "$work/$name.ppm" </dev/null; done
  { cmp -l "$work/$1.ppm" "$work/$2.ppm" || true; } | wc -l
}
# red NAME: pixels that are red
red() {
  ffmpeg -v error -y -i "$pictures/$1.png" -f rawvideo -pix_fmt rgb24 "$work/$1.rgb" </dev/null
  od -An -v -tu1 -w3 "$work/$1.rgb" | awk '$1 > 150 && $2 < 80 && $3 < 80 { n++ } END { print n + 0 }'
}
# wait_for_change FROM NAME: takes pictures until one has changed by a thousand bytes
wait_for_change() {
  for _ in $(seq 60); do
    shot "$2"
    [ "$(differ "$1" "$2")" -lt 1000 ] || return 0
    sleep 0.3
  done
  cat "$work"/*.log >&2
  fail "the picture $2 is as it was in $1"
}
# settle NAME: takes pictures until two are alike
settle() {
  for _ in $(seq 6); do
    shot "$1"
    sleep 0.5
    shot "$1.next"
    [ "$(differ "$1" "$1.next")" -gt 300 ] || return 0
  done
}
# finish LOG: ends the program by Escape, which has to be its own wish; it has complained of nothing
finish() {
  xdotool key Escape
  for _ in $(seq 100); do kill -0 "$program" 2>/dev/null || break; sleep 0.2; done
  wait "$program" || fail "the program ended with $?"
  if complaints "$1" >&2; then fail "the program complained"; fi
}

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
