#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# osg_programs.sh PLUGINS LIBRARIES BUILD SOURCE MODEL [FOLDER]: OpenSceneGraph's own programs with a model file, as
# docs/osg-nodes.md shows them: osgconv makes meshes and scenes of it, osgviewer plays its shapes in a window of a virtual
# screen. Screenshots go into FOLDER. Skipped (77) where one of the programs is not installed.
set -euo pipefail
plugins=$1 libraries=$2 build=$3 source=$4 model=$5 picture_shows=$3/tests/packaging/picture_shows
for tool in osgconv osgviewer Xvfb xdotool ffmpeg; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed (Debian: openscenegraph xvfb xdotool ffmpeg)"; exit 77; }
done
work=$(mktemp -d)
pictures=${6:-$work}
pids=()
cleanup() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
source "$source/tests/packaging/pictures.sh"
export OSG_LIBRARY_PATH=$plugins:$libraries
cd "$work"
triangles=$("$build/examples/pliant/pliant" info "$model" | sed -n 's/^ *drawn .* \([0-9]*\) triangles.*/\1/p')
[ "${triangles:-0}" -gt 0 ] || fail "pliant info tells no triangles"
# has_triangles FILE PATTERN: a line of this pattern for each
has_triangles() {
  local count
  count=$(grep -c "$2" "$1") || true
  [ "$count" -eq "$triangles" ] || fail "$1 has $count triangles, the model $triangles"
}

say "osgconv"
osgconv "$model" basket.obj >said 2>&1 || fail "no mesh: $(cat said)"
has_triangles basket.obj '^f '
osgconv "$model" basket.stl >said 2>&1 || fail "no mesh: $(cat said)"
has_triangles basket.stl 'facet normal'
osgconv -O still "$model" basket.osgt >said 2>&1 || fail "no scene: $(cat said)"
grep -q 'osgPliant::BodyGroup' basket.osgt || fail "no body is in basket.osgt"

unset DISPLAY
say "osgviewer without a display"
OSG_RUN_FRAME_COUNT=5 timeout 60 osgviewer "$model" >viewer.log 2>&1 || fail "it ended with $?: $(cat viewer.log)"
grep -q '^shape 1, ' viewer.log || fail "nothing was drawn: $(cat viewer.log)"
if complaints viewer.log >&2; then fail "the viewer complained"; fi
Xvfb -displayfd 3 -screen 0 480x320x24 -noreset -nolisten tcp 3>display 2>xvfb.log &
pids+=($!)
for _ in $(seq 100); do [ -s display ] && break; sleep 0.1; done
[ -s display ] || fail "no virtual screen: $(cat xvfb.log)"
DISPLAY=:$(cat display)
export DISPLAY OSG_MULTI_SAMPLES=0
# wait_for TEXT: in what the viewer has said
wait_for() {
  for _ in $(seq 150); do ! grep -q "$1" viewer.log || return 0; sleep 0.2; done
  fail "the viewer never said \"$1\": $(cat viewer.log)"
}
shot() { ffmpeg -v error -y -f x11grab -draw_mouse 0 -video_size 480x320 -i "$DISPLAY" -frames:v 1 "$pictures/$1.png" </dev/null; }

for file in "$model" basket.osgt; do
  say "osgviewer $file"
  picture=$(basename "$file")
  stdbuf -oL osgviewer --window 0 0 480 320 "$file" >viewer.log 2>&1 &
  viewer=$!
  pids+=($viewer)
  if [ "$file" = "$model" ]; then
    wait_for '^shape 1, '
    for _ in $(seq 40); do shot "$picture"; "$picture_shows" wicker "$pictures/$picture.png" >/dev/null 2>&1 && break; sleep 0.3; done
    xdotool mousemove 240 160 key bracketright
    wait_for '^shape 2, '
  fi
  for _ in $(seq 40); do shot "$picture"; "$picture_shows" wicker "$pictures/$picture.png" >/dev/null 2>&1 && break; sleep 0.3; done
  shows_body "$pictures/$picture.png"
  xdotool mousemove 240 160 key Escape
  for _ in $(seq 100); do kill -0 $viewer 2>/dev/null || break; sleep 0.2; done
  kill -0 $viewer 2>/dev/null && fail "the viewer does not end: $(cat viewer.log)"
  wait $viewer || fail "the viewer ended with $?: $(cat viewer.log)"
  if complaints viewer.log >&2; then fail "the viewer complained"; fi
done
say "done"
