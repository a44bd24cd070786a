#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# osg_programs.sh PLUGINS LIBRARIES BUILD SOURCE MODEL [FOLDER]: OpenSceneGraph's own programs with a model file, as
# docs/osg-nodes.md shows them: osgconv makes meshes and scenes of it, osgviewer plays its shapes in a window of a virtual
# screen (screen.sh). Screenshots go into FOLDER. Skipped (77) where one of the programs is not installed.
set -euo pipefail
for tool in osgconv osgviewer; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed (Debian: openscenegraph)"; exit 77; }
done
plugins=$1 libraries=$2
shift 2
source "$(dirname "${BASH_SOURCE[0]}")/screen.sh"
screen=$DISPLAY
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
export DISPLAY=$screen
# wait_for TEXT: in what the viewer has said
wait_for() {
  for _ in $(seq 150); do ! grep -q "$1" viewer.log || return 0; sleep 0.2; done
  fail "the viewer never said \"$1\": $(cat viewer.log)"
}

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
