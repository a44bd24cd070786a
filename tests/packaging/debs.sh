#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# debs.sh BUILD SOURCE: makes the Debian packages, asks lintian, installs them into a fresh Debian (mmdebstrap: root and
# the network are needed), and builds and runs an outside project there, once with CMake and once with pkg-config.
set -euo pipefail
build=$1 source=$2
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "cpack"
rm -rf "$build/packages"
(cd "$build" && cpack) >"$work/log" 2>&1 || { tail -n 30 "$work/log"; fail "cpack"; }

say "lintian"
lintian --fail-on error,warning --suppress-tags-from-file "$source/tests/packaging/lintian_suppressed" --allow-root \
  "$build"/packages/*.deb || fail "lintian"

say "a fresh Debian"
root=$work/root
mmdebstrap --quiet --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" || fail "mmdebstrap"
mkdir "$root/packages" "$root/project"
cp "$build"/packages/*.deb "$root/packages"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -r "$source/examples/plain_bullet" "$root/project"
cp "$source/media/basket/basket.obj" "$root/project"
cat >"$root/project/reads.cpp" <<'CPP'
#include <osgDB/ReadFile>
#include <osgPliant/BodyGroup.h>
int main(int, char** argv) {
    const osg::ref_ptr<osg::Node> node = osgDB::readRefNodeFile(argv[1]);
    return dynamic_cast<osgPliant::BodyGroup*>(node.get()) ? 0 : 1;
}
CPP
cat >"$root/project/try.sh" <<'SH'
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends /packages/*.deb g++ cmake ninja-build pkg-config
cd /project
pliant reduce basket.obj -o basket.pliant --shell --modes 4 --dim 6 --voxels 10 --young 2e6 --poisson 0.3 --density 400
man_page=/usr/share/man/man1/pliant.1.gz
[ ! -e $man_page ] || gunzip -c $man_page | grep -q '^pliant'
cmake -G Ninja -S plain_bullet -B build && cmake --build build
build/plain_bullet basket.pliant >cmake.txt
g++ -std=c++17 -O2 plain_bullet/plain_bullet.cpp $(pkg-config --cflags --libs pliant-bullet) -o by_pkg_config
./by_pkg_config basket.pliant >pkg_config.txt
cmp cmake.txt pkg_config.txt
g++ -std=c++17 reads.cpp $(pkg-config --cflags --libs pliant-osg) -o reads
./reads basket.pliant
if [ -e /packages/python3-pliant_*.deb ]; then python3 -c 'import pliant; print(pliant.load("basket.pliant"))'; fi
apt-get remove -y -qq 'libpliant*' >/dev/null
SH
chroot "$root" sh /project/try.sh || fail "in the fresh Debian"
[ "$(wc -l <"$root/project/cmake.txt")" -eq 10 ] || fail "plain_bullet says something else than ten lines"
say "done"
