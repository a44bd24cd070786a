// SPDX-License-Identifier: Zlib
// What a shell does not depend on, and what has none.
#include "ShellShapes.h"
#include "pliant/math/Error.h"
#include "pliant/shell/MakeShell.h"

namespace pliant {
namespace {

using test::box;

TEST(Shell, HasTheSameBitsTwice) {
    const SurfaceMesh mesh = test::torus(1.0, 0.3, 40, 20);
    const ShellPoints a = makeShell(mesh), b = makeShell(mesh);
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.normals, b.normals);
    EXPECT_EQ(a.capRadii, b.capRadii);
    EXPECT_EQ(a.capAngles, b.capAngles);
    EXPECT_EQ(a.areas, b.areas);
}

std::string refusalOf(const SurfaceMesh& mesh, int most = 100) {
    try {
        ShellOptions options;
        options.maximumPoints = most;
        makeShell(mesh, options);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Shell, RefusesWhatBoundsNoSolid) {
    const SurfaceMesh good = box(Vector3::Zero(), Vector3::Ones());
    EXPECT_EQ(refusalOf(good), "");
    EXPECT_NE(refusalOf(good, 0).find("at most 0 points"), std::string::npos);
    SurfaceMesh bad = good;
    bad.triangles = good.triangles.leftCols(11);
    EXPECT_NE(refusalOf(bad).find("3 border edges, one at"), std::string::npos) << refusalOf(bad);
    bad.triangles.resize(3, 0);
    EXPECT_NE(refusalOf(bad).find("no triangles"), std::string::npos);
    bad = good;
    bad.triangles(0, 3) = 8;
    EXPECT_NE(refusalOf(bad).find("does not exist"), std::string::npos);
    bad = good;
    bad.positions(2, 1) = std::nan("");
    EXPECT_NE(refusalOf(bad).find("not finite"), std::string::npos);
    bad = good;
    bad.positions.row(2).setZero();
    EXPECT_NE(refusalOf(bad).find("encloses no volume"), std::string::npos) << refusalOf(bad);
    bad.positions.setZero();
    EXPECT_NE(refusalOf(bad).find("no triangle of the surface has an area"), std::string::npos);
}

}  // namespace
}  // namespace pliant
