// SPDX-License-Identifier: Zlib
// Cups that fall into each other, upright: a stack of cones whose walls carry it as wedges do.
//
// A cup is a frustum with a wall of 3 mm. The edge of the upper one's bottom, of radius R, comes to rest where the
// inside of the lower one is as wide: at the height (R - r) / tan(a) above the inner edge of its bottom, r being the
// radius there and a the angle of the wall. Friction may hold it higher, never lower.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "SolidBodies.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

// The outline from the axis outside and back to the axis, m: radius and height.
constexpr std::array<std::array<double, 2>, 6> kOutline{
    {{0, 0}, {0.03, 0}, {0.045, 0.11}, {0.042, 0.11}, {0.0275, 0.003}, {0, 0.003}}};

std::shared_ptr<const ReducedModel> cup() {
    constexpr int sides = 48;
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("pliant_nested_cups_" + std::to_string(::getpid()) + ".obj");
    {
        std::ofstream out(file);
        out.precision(17);
        for (std::size_t k = 1; k + 1 < kOutline.size(); ++k)
            for (int i = 0; i < sides; ++i) {
                const double angle = 2 * M_PI * i / sides;
                out << "v " << kOutline[k][0] * std::cos(angle) << ' ' << kOutline[k][0] * std::sin(angle) << ' '
                    << kOutline[k][1] << '\n';
            }
        const int rings = static_cast<int>(kOutline.size()) - 2, bottom = rings * sides + 1, inside = bottom + 1;
        out << "v 0 0 " << kOutline.front()[1] << "\nv 0 0 " << kOutline.back()[1] << '\n';
        for (int i = 0; i < sides; ++i) {
            const int a = i + 1, b = (i + 1) % sides + 1;
            out << "f " << bottom << ' ' << b << ' ' << a << '\n';
            for (int ring = 0; ring + 1 < rings; ++ring)
                out << "f " << ring * sides + a << ' ' << ring * sides + b << ' ' << (ring + 1) * sides + b << ' '
                    << (ring + 1) * sides + a << '\n';
            out << "f " << inside << ' ' << (rings - 1) * sides + a << ' ' << (rings - 1) * sides + b << '\n';
        }
    }
    SolidMaterial plastic;
    plastic.young = 1e9;
    plastic.density = 1000;
    plastic.modes = 20;
    plastic.dimension = 30;
    auto model = solidOfFile(file.string(), plastic);
    std::filesystem::remove(file);
    return model;
}

/// Least distance from a cup to the next after 4 s, m.
double leastDistance(const std::shared_ptr<const ReducedModel>& model, int count, double step) {
    TestWorld scene;
    scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1.34e-5;  // 2 % of critical
    const btQuaternion up(btVector3(1, 0, 0), btScalar(-M_PI / 2));
    std::vector<btPliantBody*> cups;
    for (int i = 0; i < count; ++i)
        cups.push_back(scene.addBar(model, btVector3(0, btScalar(0.0005 + 0.04 * i), 0), info, up));
    scene.step(static_cast<int>(4.0 / step), step);
    double least = 1.0;
    for (int i = 1; i < count; ++i)
        least = std::min(
            least, static_cast<double>(cups[static_cast<std::size_t>(i)]->getMeshTransform().getOrigin().y() -
                                       cups[static_cast<std::size_t>(i) - 1]->getMeshTransform().getOrigin().y()));
    return least;
}

// They sank until they were as deep in each other as their walls are thick: the points of the deepest sides took all
// room for contacts, so that the others sank and had it in the next step, and weight that steep contacts carry needs
// more iterations than that of what stands.
TEST(NestedCups, AreHeldByTheirWalls) {
    const auto model = cup();
    const double slope = (kOutline[3][0] - kOutline[4][0]) / (kOutline[3][1] - kOutline[4][1]);
    const double resting = kOutline[4][1] + (kOutline[1][0] - kOutline[4][0]) / slope;
    constexpr double depth = 0.2e-3;  // of a wall in the next one, a fifteenth of its thickness, m
    for (const double step : {1.0 / 60, 1.0 / 120}) {
        const double least = leastDistance(model, 8, step);
        EXPECT_GT(least, resting - depth / slope) << "step " << step;
        EXPECT_LT(least, resting + 0.005) << "they lie in each other at all; step " << step;
    }
}

}  // namespace
}  // namespace pliant::test
