// SPDX-License-Identifier: Zlib
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "SampleMeshes.h"
#include "TemporaryFolder.h"
#include "pliant/mesh/CheckSurfaceMesh.h"

namespace {

using namespace pliant;
using ::testing::HasSubstr;

TEST(CheckSurfaceMesh, NamesWhatIsWrong) {
    const auto problemOf = [](const auto& change) {
        SurfaceMesh mesh = test::box(Vector3::Zero(), Vector3::Ones());
        change(mesh);
        return test::errorOf([&] { checkSurfaceMesh(mesh, "s"); });
    };
    EXPECT_EQ(problemOf([](SurfaceMesh&) {}), "");
    EXPECT_THAT(problemOf([](SurfaceMesh& m) { m = SurfaceMesh(); }), HasSubstr("s: the surface is empty"));
    EXPECT_THAT(problemOf([](SurfaceMesh& m) { m.positions(0, 3) = std::nan(""); }), HasSubstr("vertex 3 is NaN"));
    EXPECT_THAT(problemOf([](SurfaceMesh& m) { m.triangles(1, 5) = 8; }),
                HasSubstr("triangle 5 names vertex 8 of 0..7"));
    EXPECT_THAT(problemOf([](SurfaceMesh& m) { m.normals.resize(3, 2); }), HasSubstr("not one per vertex"));
    EXPECT_THAT(problemOf([](SurfaceMesh& m) { m.triangleMaterial[2] = 1; }), HasSubstr("material"));
    EXPECT_THAT(problemOf([](SurfaceMesh& m) { m.triangleGroup.assign(12, 3); }), HasSubstr("group"));
}

}  // namespace
