// SPDX-License-Identifier: Zlib
// Plain surfaces as rigid parts of distributed contact: closed ones as they are, open ones with an offset.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "InputMeshes.h"
#include "pliant/math/Error.h"
#include "pliant/reduce/RigidPart.h"
#include "pliant/touch/FieldLookup.h"

namespace pliant::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kSide = 0.1;  // m

/// A cube about the origin; without its top it is a tray, with its triangles every way round.
std::string cubeText(bool isTray) {
    std::ostringstream text;
    for (int corner = 0; corner < 8; ++corner) {
        text << "v";
        for (int axis = 0; axis < 3; ++axis) text << ' ' << (corner >> axis & 1 ? 0.5 : -0.5) * kSide;
        text << '\n';
    }
    text << "f 1 3 4\nf 1 4 2\nf 1 2 6\nf 1 6 5\nf 3 7 8\nf 3 8 4\nf 1 5 7\nf 1 7 3\nf 2 4 8\nf 2 8 6\n";
    if (!isTray) text << "f 5 6 8\nf 5 8 7\n";
    return text.str();
}

RigidPartOptions part(double offset) {
    RigidPartOptions options;
    options.density = 2000.0;
    options.offset = offset;
    options.layers.points = 3000;
    options.layers.levels = 2;
    options.layers.field = 48;
    return options;
}

std::string refusalOf(const std::string& path, const RigidPartOptions& options) {
    try {
        makeRigidPart(path, options);
    } catch (const Error& problem) {
        return problem.what();
    }
    return "";
}

TEST(RigidPart, AClosedSurfaceIsABlockOfSteel) {
    const InputFolder folder;
    const auto made = makeRigidPart(folder.write("cube.obj", cubeText(false)), part(0.0));
    EXPECT_NEAR(made->totalMass(), 2000.0 * std::pow(kSide, 3), 1e-6 * made->totalMass());
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(made->inertia.principalInertia[k], made->totalMass() * kSide * kSide / 6.0,
                    1e-6 * made->inertia.principalInertia[k]);
    EXPECT_EQ(made->dimension(), 1);
    // The softest mode of a cube of steel is one of shear: a quarter of the time that its wave takes to cross it and
    // more. sqrt(G / rho) = 6.4 km/s here.
    EXPECT_GT(std::sqrt(made->restEigenvalues[0]), 0.5 * 6400.0 / kSide);
    EXPECT_GE(made->contactSurface.touch.count(), 2000);
    EXPECT_EQ(made->contactSurface.touch.levels, 2);
}

// Within a wall's half of the tray's inside and around it, the distance is that to the walls less the offset.
TEST(RigidPart, AnOpenSurfaceGetsThickness) {
    const InputFolder folder;
    const std::string path = folder.write("tray.obj", cubeText(true));
    const auto made = makeRigidPart(path, part(1.4));
    const double offset = 1.4 / (48.0 - 2.0 * 1.4) * kSide, half = 0.5 * kSide;
    const DistanceField& field = made->contactSurface.field;
    const auto distance = [&](const Vector3& inMesh) { return fieldDistance(field, inMesh) - field.offset; };
    for (const double beside : {0.5, 1.0, 2.0}) {  // as far as the field has samples
        const double d = beside * offset;
        for (const double side : {-1.0, 1.0}) {
            EXPECT_NEAR(distance(Vector3(half + side * d, 0, 0)), d - offset, 0.2 * offset) << beside << " " << side;
            EXPECT_NEAR(distance(Vector3(0, 0, -half + side * d)), d - offset, 0.2 * offset) << beside << " " << side;
        }
    }
    EXPECT_GT(distance(Vector3(0, 0, half)), 5.0 * offset) << "it is open above";
    // Five squares, each twice the offset thick, and rounded rims.
    const double sheets = 2000.0 * 5.0 * kSide * kSide * 2.0 * offset;
    EXPECT_NEAR(made->totalMass(), sheets, 0.1 * sheets);
    const auto again = makeRigidPart(path, part(1.4));
    EXPECT_EQ(made->contactSurface.field.samples, again->contactSurface.field.samples) << "the same bits";
    EXPECT_EQ(made->contactSurface.touch.positions, again->contactSurface.touch.positions);
}

TEST(RigidPart, RefusesInASentence) {
    const InputFolder folder;
    const std::string tray = folder.write("tray.obj", cubeText(true)), cube = folder.write("cube.obj", cubeText(false));
    EXPECT_THAT(refusalOf(tray, part(0.0)), AllOf(HasSubstr("tray.obj"), HasSubstr("4 edges"), HasSubstr("--offset")));
    EXPECT_THAT(refusalOf(tray, part(0.5)), HasSubstr("ask for 1 to 16"));
    EXPECT_THAT(refusalOf(tray, part(std::nan(""))), HasSubstr("ask for 1 to 16"));
    RigidPartOptions options = part(1.4);
    options.layers.field = 0;
    EXPECT_THAT(refusalOf(tray, options), HasSubstr("ask for a field of 16 to 1024"));
    EXPECT_THAT(refusalOf(tray, part(16.0)),
                HasSubstr("16 spacings of a field of 48 is asked for; ask for a field of 96"));
    options = part(0.0);
    options.density = -1.0;
    EXPECT_THAT(refusalOf(cube, options), HasSubstr("density"));
    EXPECT_THAT(refusalOf(folder.write("mesh.veg", "*VERTICES\n"), part(0.0)), HasSubstr("neither a model nor"));
    EXPECT_THAT(refusalOf(folder.file("none.obj"), part(0.0)), HasSubstr("none.obj"));
    EXPECT_THAT(refusalOf(folder.write("empty.obj", "v 0 0 0\n"), part(1.4)), HasSubstr("empty.obj"));
}

}  // namespace
}  // namespace pliant::test
