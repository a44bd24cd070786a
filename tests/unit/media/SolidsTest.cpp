// SPDX-License-Identifier: Zlib
// The solids of the scenes are closed surfaces of the size that they are said to have, and their files are what the
// generator makes.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <utility>

#include "Shapes.h"
#include "pliant/mesh/ReadObj.h"

namespace {

using pliant::SurfaceMesh;
using pliant::Vector3;

/// Sum over the triangles of the volume towards the origin; negative for a surface that is inside out.
double volume(const SurfaceMesh& mesh) {
    double six = 0;
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t) {
        const Vector3 a = mesh.positions.col(mesh.triangles(0, t)), b = mesh.positions.col(mesh.triangles(1, t));
        six += a.dot(b.cross(mesh.positions.col(mesh.triangles(2, t))));
    }
    return six / 6;
}

struct Expected {
    const char* name;
    SurfaceMesh mesh;
    int euler;  ///< vertices - edges + triangles: 2 of a ball, 0 of a ring
    Vector3 size;
    double volume;
};

std::vector<Expected> all() {
    return {{"cow", solids::surfaceOf(solids::cow()), 2, {0.69, 0.29, 0.57}, 0.0244},
            {"apple", solids::surfaceOf(solids::apple()), 2, {0.077, 0.077, 0.077}, 2.05e-4},
            {"tyre", solids::surfaceOf(solids::tyre()), 0, {0.6, 0.6, 0.16}, 0.0255},
            {"plate", solids::surfaceOf(solids::plate()), 2, {0.24, 0.24, 0.0225}, 2.4e-4},
            {"jelly", solids::surfaceOf(solids::jelly()), 2, {0.2, 0.2, 0.2}, 7.79e-3},
            {"peg", solids::surfaceOf(solids::peg()), 2, {0.04, 0.04, 0.12}, 1.49e-4},
            {"socket", solids::surfaceOf(solids::socket()), 0, {0.12, 0.12, 0.08}, 8.0e-4},
            {"hose", solids::surfaceOf(solids::hose()), 2, {0.03, 0.03, 0.6}, 4.22e-4},
            {"plug", solids::surfaceOf(solids::plug()), 2, {0.0624, 0.0624, 0.16}, 3.40e-4},
            {"alpha", solids::surfaceOf(solids::alpha()), 2, {0.0857, 0.024, 0.1056}, 8.88e-6}};
}

TEST(Solids, AreClosed) {
    for (const Expected& solid : all()) {
        std::map<std::pair<int, int>, int> edges;  // passed by their triangles in both directions, once in each
        for (Eigen::Index t = 0; t < solid.mesh.triangles.cols(); ++t)
            for (int k = 0; k < 3; ++k) ++edges[{solid.mesh.triangles(k, t), solid.mesh.triangles((k + 1) % 3, t)}];
        for (const auto& [edge, count] : edges) {
            ASSERT_EQ(count, 1) << solid.name;
            ASSERT_EQ(edges.count({edge.second, edge.first}), 1U) << solid.name;
        }
        EXPECT_EQ(solid.mesh.vertexCount() - static_cast<int>(edges.size()) / 2 + solid.mesh.triangleCount(),
                  solid.euler)
            << solid.name;
    }
}

TEST(Solids, AreAsLargeAsTheySay) {
    for (const Expected& solid : all()) {
        const Vector3 size = solid.mesh.positions.rowwise().maxCoeff() - solid.mesh.positions.rowwise().minCoeff();
        EXPECT_LT((size - solid.size).cwiseAbs().maxCoeff(), 0.03 * solid.size.maxCoeff())
            << solid.name << ": " << size.transpose();
        EXPECT_NEAR(volume(solid.mesh), solid.volume, 0.05 * solid.volume) << solid.name;
    }
}

TEST(Solids, NormalsPointOutwards) {
    for (const Expected& solid : all())
        for (Eigen::Index t = 0; t < solid.mesh.triangles.cols(); ++t) {
            const auto corner = solid.mesh.triangles.col(t);
            const Vector3 a = solid.mesh.positions.col(corner[0]);
            const Vector3 across = (Vector3(solid.mesh.positions.col(corner[1])) - a)
                                       .cross(Vector3(solid.mesh.positions.col(corner[2])) - a);
            ASSERT_GT(across.dot(Vector3(solid.mesh.normals.col(corner[0]))), 0) << solid.name << " " << t;
        }
}

TEST(Solids, FilesAreWhatTheGeneratorMakes) {
    for (const Expected& solid : all()) {
        const SurfaceMesh file = pliant::readObj(std::string(PLIANT_MEDIA_DIR "/solids/") + solid.name + ".obj");
        ASSERT_EQ(file.triangleCount(), solid.mesh.triangleCount()) << solid.name;
        EXPECT_NEAR(volume(file), volume(solid.mesh), 1e-4 * solid.volume) << solid.name;
        EXPECT_EQ(file.materials.size(), solid.mesh.materials.size()) << solid.name;
    }
}

}  // namespace
