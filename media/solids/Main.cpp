// SPDX-License-Identifier: Zlib
// solids_generator FOLDER: writes the solids of the scenes as .obj files.
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <type_traits>

#include "Shapes.h"
#include "pliant/mesh/ReadObj.h"

namespace {

/// Rounds what goes into the file: a micrometre is finer than any picture, and short numbers keep the file small.
template <class Values>
void round(Values& values, double scale) {
    for (Eigen::Index i = 0; i < values.size(); ++i) values.data()[i] = std::round(values.data()[i] * scale) / scale;
}

template <class Shape>
void write(const Shape& shape, const std::string& folder) {
    pliant::SurfaceMesh mesh = solids::surfaceOf(shape);
    round(mesh.positions, 1e6);
    round(mesh.normals, 1e3);
    const std::string path = folder + "/" + shape.name + ".obj";
    pliant::writeObj(mesh, path);
    std::printf("%s: %d vertices, %d triangles\n", path.c_str(), mesh.vertexCount(), mesh.triangleCount());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: solids_generator FOLDER\n");
        return 1;
    }
    try {
        write(solids::cow(), argv[1]);
        write(solids::apple(), argv[1]);
        write(solids::tyre(), argv[1]);
        write(solids::plate(), argv[1]);
        write(solids::jelly(), argv[1]);
        write(solids::peg(), argv[1]);
        write(solids::socket(), argv[1]);
        write(solids::hose(), argv[1]);
        write(solids::plug(), argv[1]);
        write(solids::alpha(), argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "solids_generator: error: %s\n", error.what());
        return 1;
    }
    return 0;
}
