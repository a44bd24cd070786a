# SPDX-License-Identifier: Zlib
# For scripts that show windows on a virtual screen, press keys and look at screenshots: called with BUILD SOURCE MODEL [FOLDER]
# (screenshots go into FOLDER), they source this. They are skipped (77) where Xvfb, xdotool, ffmpeg or script are not installed.
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
# Frames that nobody waits for would take both processors all the time.
export DISPLAY OSG_MULTI_SAMPLES=0 OSG_RUN_MAX_FRAME_RATE=10
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
