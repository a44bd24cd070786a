#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# python.sh PYTHON BUILD SOURCE: the Python module's own tests and its example, on the module as pip installs it.
set -euo pipefail
python=$1 build=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DISPLAY
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

say "pip install"
# pip builds beside the sources; they stay as they are.
mkdir "$work/source"
cp -r "$source/pyproject.toml" "$source/setup.py" "$source/README.md" "$source/LICENSE" "$source/python" "$work/source"
PLIANT_BUILD_DIR=$build "$python" -m pip install --quiet --no-build-isolation --no-deps --no-index --disable-pip-version-check \
  --target "$work/installed" "$work/source" || fail "pip does not install it"
export PYTHONPATH=$work/installed PYTHONDONTWRITEBYTECODE=1
cd "$work"
"$python" -c 'import pliant; print(pliant.__version__, pliant.__file__)'

say "tests"
"$python" -m pytest -q -p no:cacheprovider "$source/python/tests"

say "example"
"$python" "$source/python/examples/falling_cows.py" "$source/media/solids/cow.obj" "$work/cows.png"
[ "$(stat -c %s "$work/cows.png")" -gt 100000 ] || fail "the picture is empty"
if "$python" "$source/python/examples/falling_cows.py" nowhere.obj "$work/none.png" 2>"$work/why"; then
  fail "a mesh that is not there was reduced"
fi
grep -q 'nowhere.obj' "$work/why" || fail "the message names no file: $(cat "$work/why")"
[ ! -e "$work/none.png" ] || fail "there is a picture of nothing"
