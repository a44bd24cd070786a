// SPDX-License-Identifier: Zlib
// Figure 3 of [C02] with the generated quadruped: a dragged vertex, whose finer functions come and stay near it. The
// numbers of docs/internals/lattice-flesh.md. PLIANT_TEST_PICTURES names a folder that gets the surface (.obj).
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "../character/FullPose.h"
#include "pliant/control_lattice/MakeControlLattice.h"
#include "pliant/control_lattice/MakeLatticeModel.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "pliant/runtime/lattice/LatticeBatch.h"

namespace pliant::test {
namespace {

const Rig& quadruped() {
    static const Rig rig = readRig(PLIANT_MEDIA_DIR "/characters/quadruped.glb").rig;
    return rig;
}

double longest() {
    const Points& x = quadruped().surface.positions;
    return (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).maxCoeff();
}

std::shared_ptr<const LatticeModel> quadrupedLattice(int levels) {
    ControlLatticeOptions making;
    making.spacing = 0.13 * longest();
    LatticeOptions options;
    options.levels = levels;
    options.depth = 2;
    return makeLatticeModel(quadruped(), makeControlLattice(quadruped(), making, "quadruped"), options, "quadruped");
}

std::vector<MovingFrame> standing(const Skeleton& skeleton) {
    std::vector<MovingFrame> bones;
    motionOf(skeleton, stance(skeleton), bones);
    return bones;
}

void save(const LatticeModel& model, const Points& points, const char* name) {
    const char* folder = std::getenv("PLIANT_TEST_PICTURES");
    if (!folder) return;
    SurfaceMesh surface = model.surface;
    surface.positions = points;
    computeNormals(surface);
    writeObj(surface, std::string(folder) + "/" + name + ".obj");
}

/// From a point to the farthest vertex that a finer function which has come moves by half of its coefficient, m.
double farthestFineMotion(const LatticeBatch& batch, int body, const Vector3& from) {
    const LatticeModel& model = batch.model();
    double farthest = 0.0;
    for (int v = 0; v < model.surfacePoints.count(); ++v)
        for (int k = model.surfacePoints.first[static_cast<std::size_t>(v)];
             k < model.surfacePoints.first[static_cast<std::size_t>(v) + 1]; ++k) {
            const int f = model.surfacePoints.functions[static_cast<std::size_t>(k)];
            if (model.level[static_cast<std::size_t>(f)] == 0 || !batch.isActive(body, f)) continue;
            if (model.surfacePoints.values[static_cast<std::size_t>(k)] < 0.5) continue;
            farthest = std::max(farthest, (model.surface.positions.col(v) - from).norm());
        }
    return farthest;
}

// Functions that come lie near the dragged point, and bring the shape towards that of all functions.
TEST(LatticeFigures, FunctionsFollowADraggedPoint) {
    const auto fine = quadrupedLattice(1);
    Eigen::Index vertex = 0;
    const Vector3 back(0.0, 0.0, 0.6);
    (fine->surface.positions.colwise() - back).colwise().norm().minCoeff(&vertex);
    const Vector3 start = fine->surface.positions.col(vertex);
    const auto dragged = [&](const std::shared_ptr<const LatticeModel>& model, bool adapt, Points& points,
                             int& functions, double& farthest) {
        LatticeSettings settings;
        settings.adapt = adapt;
        LatticeBatch batch(model, settings);
        const int body = batch.add(standing(model->skeleton));
        batch.pin(body, {pinOfVertex(*model, static_cast<int>(vertex), start + Vector3(0, 0, 0.08))});
        for (int k = 0; k < 90; ++k) batch.step(1.0 / 60.0, {body}, Vector3::Zero(), Workers(1));
        batch.surface(body, points);
        functions = batch.activeFunctions(body);
        farthest = farthestFineMotion(batch, body, start);
        return batch.status(body);
    };
    Points all, adapted, coarse;
    int allCount = 0, adaptedCount = 0, coarseCount = 0;
    double reach = 0.0, unused = 0.0;
    EXPECT_EQ(dragged(fine, false, all, allCount, unused), LatticeStatus::Ok);
    EXPECT_EQ(dragged(fine, true, adapted, adaptedCount, reach), LatticeStatus::Ok);
    EXPECT_EQ(dragged(quadrupedLattice(0), false, coarse, coarseCount, unused), LatticeStatus::Ok);
    const double offAdapted = distance(adapted, all), offCoarse = distance(coarse, all);
    std::printf(
        "dragged by 80 mm: %d coarse functions, %d with those that came, of %d; off all of them by %.2f mm, "
        "coarse alone %.2f mm; the farthest that came is %.2f m away\n",
        coarseCount, adaptedCount, allCount, 1e3 * offAdapted, 1e3 * offCoarse, reach);
    save(*fine, adapted, "dragged");
    EXPECT_GT(adaptedCount, coarseCount);
    EXPECT_LT(adaptedCount - coarseCount, (allCount - coarseCount) / 3);
    EXPECT_LT(offAdapted, 0.5 * offCoarse);
    EXPECT_LT(reach, 0.35 * longest());
}

}  // namespace
}  // namespace pliant::test
