# SPDX-License-Identifier: Zlib
"""Builds the extension module with CMake: `pip install --no-build-isolation .` with what packages.debian lists.

PLIANT_BUILD_DIR names a build tree to build in, so that the libraries are compiled once; it is configured with
PLIANT_BUILD_PYTHON=ON, as the preset `release` is.
"""

import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = pathlib.Path(__file__).resolve().parent


class CMakeExtension(build_ext):
    def build_extension(self, ext):
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        given = os.environ.get("PLIANT_BUILD_DIR")
        folder = pathlib.Path(given) if given else pathlib.Path(self.build_temp).resolve()
        if not given:
            subprocess.run(["cmake", "-G", "Ninja", "-S", SOURCE, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                            "-DCMAKE_UNITY_BUILD=ON", "-DBUILD_SHARED_LIBS=OFF", "-DPLIANT_BUILD_PYTHON=ON",
                            "-DPLIANT_BUILD_TESTS=OFF", "-DPLIANT_BUILD_BENCHMARKS=OFF",
                            f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "pliant_python"], check=True)
        built = folder / "python" / "pliant" / target.name
        if not built.exists():
            sys.exit(f"{folder} was configured for another Python: it has no {built.name}; leave PLIANT_BUILD_DIR out")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built, target)


setup(ext_modules=[Extension("pliant._pliant", sources=[])], cmdclass={"build_ext": CMakeExtension})
