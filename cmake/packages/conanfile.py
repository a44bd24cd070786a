# SPDX-License-Identifier: Zlib
"""Conan 2 recipe: `conan create cmake/packages`. Bullet, OpenSceneGraph and MUMPS come from the system, as on Debian."""
from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy
import os


class Pliant(ConanFile):
    name = "pliant"
    version = "0.1.0"
    license = "Zlib"
    description = "Reduced-coordinate, large-deformation bodies for Bullet and OpenSceneGraph"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "bullet": [True, False], "osg": [True, False], "reduce": [True, False]}
    default_options = {"shared": True, "bullet": False, "osg": False, "reduce": False}
    requires = "eigen/3.4.0", "onetbb/2021.12.0", "xxhash/0.8.2", "flatbuffers/23.5.26"
    generators = "CMakeDeps", "PkgConfigDeps"

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "cmake/*", "plugin/*", "bullet_bridge/*", "osg_nodes/*", "LICENSE", "README.md",
                        "CHANGELOG.md", "docs/*", "examples/*", "media/scenes/*", "media/basket/*", "media/solids/*",
                        "media/sheet/*", "media/characters/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.variables["BUILD_SHARED_LIBS"] = self.options.shared
        toolchain.variables["PLIANT_BUILD_BULLET"] = self.options.bullet
        toolchain.variables["PLIANT_BUILD_OSG"] = self.options.osg
        toolchain.variables["PLIANT_BUILD_REDUCE"] = self.options.reduce
        for part in ("SCENE", "EXAMPLES", "TESTS", "BENCHMARKS"):
            toolchain.variables[f"PLIANT_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")  # Pliant's own PliantConfig.cmake is found instead
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "Pliant"))
