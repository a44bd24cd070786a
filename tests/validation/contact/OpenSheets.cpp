// SPDX-License-Identifier: Zlib
// Open surfaces, as planes and leaves of modelling programs are: they collide as sheets, not as the strands inside of
// them, between which corners of others came through.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "ReducedOnce.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

constexpr double kLength = 0.4, kWidth = 0.24;  // m

double diagonal() {
    return std::hypot(kLength, kWidth);
}

/// A grid of two triangles a square, in the plane y = 0, open all around.
std::shared_ptr<const ReducedModel> openSheet(double thickness, ContactGeometry contact = ContactGeometry::Automatic) {
    namespace fs = std::filesystem;
    const fs::path file = fs::temp_directory_path() / ("pliant_open_sheet_" + std::to_string(::getpid()) + ".obj");
    constexpr int m = 10, n = 6;
    {
        std::ofstream out(file);
        for (int i = 0; i <= m; ++i)
            for (int j = 0; j <= n; ++j)
                out << "v " << kLength * (double(i) / m - 0.5) << " 0 " << kWidth * (double(j) / n - 0.5) << '\n';
        for (int i = 0; i < m; ++i)
            for (int j = 1; j <= n; ++j) {
                const int a = i * (n + 1) + j, b = a + n + 1;
                out << "f " << a << ' ' << a + 1 << ' ' << b + 1 << "\nf " << a << ' ' << b + 1 << ' ' << b << '\n';
            }
    }
    ReduceOptions options;
    options.modes = 6;
    options.dimension = 10;
    options.youngsModulus = 2e7;
    options.thickness = thickness;
    options.voxels = 40;
    options.contact = contact;
    const auto model = reducedOnce(file.string(), options);
    fs::remove(file);
    return model;
}

/// The largest distance along the sheet's long sides from one surface point there to the next, m.
double widestGapOfEdges(const ReducedModel& model) {
    double widest = 0.0;
    for (const double side : {-1.0, 1.0}) {
        std::vector<double> along;
        for (Eigen::Index i = 0; i < model.skeleton.restCentres.cols(); ++i) {
            const Vector3 x = model.meshFromBody.point(model.skeleton.restCentres.col(i).cast<double>());
            if (std::abs(x.z() - side * kWidth / 2) < 1e-5) along.push_back(x.x());
        }
        along.insert(along.end(), {-kLength / 2, kLength / 2});
        std::sort(along.begin(), along.end());
        for (std::size_t i = 1; i < along.size(); ++i) widest = std::max(widest, along[i] - along[i - 1]);
    }
    return widest;
}

TEST(OpenSheets, CollideOnBothSidesWithinAQuarterPercentOfWhatIsDrawn) {
    for (const double wall : {0.0, 0.0015}) {
        const auto model = openSheet(wall);
        const double expected =
            wall > 0.0 ? std::clamp(wall, 0.003 * diagonal(), 0.005 * diagonal()) : 0.005 * diagonal();
        ASSERT_TRUE(model->contactSurface.exists()) << wall;
        const Eigen::RowVectorXf heights = model->skeleton.restCentres.row(1);
        const Eigen::RowVectorXf up = model->contactSurface.shell.normals.row(1);
        EXPECT_NEAR(heights.maxCoeff() - heights.minCoeff(), expected, 0.02 * expected) << wall;
        EXPECT_NEAR(heights.maxCoeff() + heights.minCoeff(), 0.0, 0.02 * expected) << wall;
        EXPECT_GT((up.array() > 0.99f).count(), 20) << wall;
        EXPECT_GT((up.array() < -0.99f).count(), 20) << wall;
        EXPECT_EQ(model->surface.vertexCount(), 77) << "what is drawn is what the file has";
        EXPECT_LT(widestGapOfEdges(*model), 1.3 * expected) << wall;
    }
    EXPECT_FALSE(openSheet(0.0015, ContactGeometry::Segments)->contactSurface.exists());
    EXPECT_TRUE(openSheet(0.0015, ContactGeometry::Surface)->contactSurface.exists());
}

/// Rests on a floor at half its thickness, flat.
TEST(OpenSheets, LieOnAFloor) {
    TestWorld scene;
    scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.stiffness = 1e-3;
    btPliantBody* sheet = scene.addBar(openSheet(0.0015), btVector3(0, btScalar(0.05), 0), info,
                                       btQuaternion(btVector3(1, 0, btScalar(0.5)), btScalar(0.2)));
    scene.step(480);
    EXPECT_NEAR(sheet->getMeshTransform().getOrigin().y(), 0.00075, 1e-3 * diagonal());
    EXPECT_GT(sheet->getMeshTransform().getBasis().getColumn(1).y(), 0.9999);
    EXPECT_LT(scene.system->getStats().m_largestPenetration, 1.0);
}

/// Sheets that fall onto each other, edges and corners first, lie on each other in the order in which they fell.
TEST(OpenSheets, LieOnEachOther) {
    const auto model = openSheet(0.0015);
    for (const double turned : {0.4, 1.3}) {
        TestWorld scene;
        scene.addGround();
        btPliantBodyInfo info;
        info.m_damping.stiffness = 1e-3;
        std::vector<btPliantBody*> sheets;
        for (int i = 0; i < 4; ++i)
            sheets.push_back(scene.addBar(model, btVector3(0, btScalar(0.05 + 0.3 * i), 0), info,
                                          btQuaternion(btVector3(0, 1, 0), btScalar(i * turned)) *
                                              btQuaternion(btVector3(1, 0, btScalar(0.3)), btScalar(0.5 * (i % 2)))));
        double deepest = 0.0;
        for (int step = 0; step < 960; ++step) {
            scene.step(1, 1.0 / 240.0);
            if (step > 480) deepest = std::max<double>(deepest, scene.system->getStats().m_largestPenetration);
        }
        for (std::size_t i = 1; i < sheets.size(); ++i)
            EXPECT_GT(sheets[i]->getMeshTransform().getOrigin().y() - sheets[i - 1]->getMeshTransform().getOrigin().y(),
                      0.0005)
                << turned << ", sheet " << i;
        EXPECT_LT(deepest, 1.0) << turned;
    }
}

/// Two sheets on edge, across each other, one above the other: no point of either face is near where their edges meet.
TEST(OpenSheets, EdgesThatCrossHoldEachOther) {
    const auto model = openSheet(0.0015);
    const btQuaternion onEdge(btVector3(1, 0, 0), SIMD_PI / 2), across(btVector3(0, 1, 0), SIMD_PI / 2);
    for (const double shift : {0.0, 0.004, 0.009, 0.013, 0.031}) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBodyInfo info;
        info.m_damping.stiffness = 1e-3;
        btPliantBody* lower = scene.addBar(model, btVector3(0, 0, 0), info, onEdge);
        info.m_linearVelocity = btVector3(0, btScalar(-0.5), 0);
        btPliantBody* upper = scene.addBar(model, btVector3(btScalar(shift), btScalar(kWidth + 0.005), btScalar(shift)),
                                           info, across * onEdge);
        double least = 1.0;
        for (int step = 0; step < 24; ++step) {  // 0.1 s: the one would be 45 mm inside the other
            scene.step(1, 1.0 / 240.0);
            least = std::min<double>(
                least, upper->getMeshTransform().getOrigin().y() - lower->getMeshTransform().getOrigin().y());
        }
        EXPECT_GT(least, kWidth - 0.005) << shift;
    }
}

}  // namespace
}  // namespace pliant::test
