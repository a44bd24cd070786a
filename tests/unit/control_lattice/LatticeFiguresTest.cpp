// SPDX-License-Identifier: Zlib
// Figures 3 and 5 of [C02] with the generated quadruped: a dragged vertex, whose finer functions come and stay near it;
// and a head turned to one side, linearised as a whole and by regions, against the full StVK model. The numbers of
// docs/internals/lattice-figures.md. PLIANT_TEST_PICTURES names a folder that gets the surfaces (.obj).
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "../character/FullPose.h"
#include "pliant/control_lattice/MakeControlLattice.h"
#include "pliant/control_lattice/MakeLatticeModel.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/SurfaceClosure.h"
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

std::shared_ptr<const LatticeModel> quadrupedLattice(int levels, bool globalLinear = false) {
    ControlLatticeOptions making;
    making.spacing = 0.13 * longest();
    LatticeOptions options;
    options.levels = levels;
    options.globalLinear = globalLinear;
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

constexpr double kHeadRadius = 0.075;  // m, of the quadruped's muzzle
constexpr double kChest = 0.3;         // m, along the spine: what lies before it turns with neck and head

/// Neck and head turned about the vertical, half of the angle each, standing still.
std::vector<MovingFrame> headTurned(const Skeleton& skeleton, double angle) {
    Pose pose = stance(skeleton);
    for (const char* name : {"neck", "head"}) {
        const auto b = static_cast<std::size_t>(findBone(skeleton, name));
        pose[b].rotation = pose[b].rotation * Rotation(Eigen::AngleAxisd(0.5 * angle, Vector3::UnitZ()));
    }
    std::vector<MovingFrame> bones;
    motionOf(skeleton, pose, bones);
    return bones;
}

double volumeOf(const LatticeModel& model, const Points& points) {
    SurfaceMesh surface = model.surface;
    surface.positions = points;
    return examineClosure(surface).volume;
}

Points skinAlone(const std::vector<MovingFrame>& bones) {
    const Rig& rig = quadruped();
    Points points = Points::Zero(3, rig.surface.positions.cols());
    for (Eigen::Index v = 0; v < points.cols(); ++v)
        for (int k = 0; k < 4; ++k)
            points.col(v) += rig.weights.weights(k, v) * bones[static_cast<std::size_t>(rig.weights.bones(k, v))].point(
                                                             rig.surface.positions.col(v));
    return points;
}

/// Where lattice flesh comes to rest. @param steps of 0.1 s
Points settledSurface(const std::shared_ptr<const LatticeModel>& model, double angle, int iterations, int steps = 60) {
    LatticeSettings settings;
    settings.singlePrecision = false;
    settings.iterations = iterations;
    LatticeBatch batch(model, settings);
    const int body = batch.add(headTurned(model->skeleton, angle));
    for (int k = 0; k < steps; ++k) batch.step(0.1, {body}, Vector3::Zero(), Workers(1));
    Points points;
    batch.surface(body, points);
    return points;
}

/// The full model's surface where the rig's vertices rest.
Points fullSurface(double angle, int parts) {
    CharacterOptions options;
    options.modes = options.dimension = 6;
    options.voxels = 32;
    const auto character = makeCharacter(quadruped(), options, "quadruped");
    FullFlesh full(character, headTurned(character->skeleton, 0.0), 0.01);
    for (int k = 1; k <= parts; ++k) full.settle(headTurned(character->skeleton, angle * k / parts), Vector3::Zero());
    const PointLocator locator(character->flesh->mesh);
    const Points& rest = quadruped().surface.positions;
    Points points = Points::Zero(3, rest.cols());
    for (Eigen::Index v = 0; v < points.cols(); ++v) {
        const MaterialPoint at = locator.locate(rest.col(v));
        for (std::size_t k = 0; k < at.vertex.size(); ++k)
            points.col(v) += at.weight[k] * full.positions().col(at.vertex[k]);
    }
    return points;
}

/// Of what the head turns, root of the mean square, % of the head's radius.
double offOf(const Points& points, const Points& truth) {
    const Points& rest = quadruped().surface.positions;
    double sum = 0.0;
    int count = 0;
    for (Eigen::Index v = 0; v < points.cols(); ++v) {
        if (rest(0, v) < kChest) continue;
        sum += (points.col(v) - truth.col(v)).squaredNorm();
        ++count;
    }
    return 100.0 * std::sqrt(sum / count) / kHeadRadius;
}

// The paper shows pictures: warped, true, blended. Here the distance to the full model, and the volume.
TEST(LatticeFigures, ATurnedHeadIsNotWarped) {
    const double angle = M_PI / 3.0;
    const auto regions = quadrupedLattice(0), whole = quadrupedLattice(0, true);
    const Points truth = fullSurface(angle, 4), linear = settledSurface(whole, angle, 1),
                 blended = settledSurface(regions, angle, 1), converged = settledSurface(regions, angle, 20),
                 more = settledSurface(regions, angle, 60), two = settledSurface(regions, angle, 2, 200),
                 skin = skinAlone(headTurned(regions->skeleton, angle));
    const double rest = volumeOf(*regions, regions->surface.positions);
    const auto grown = [&](const Points& p) { return 100.0 * (volumeOf(*regions, p) / rest - 1.0); };
    std::printf(
        "head turned by 60 degrees, %% of its radius off the full model: skin %.1f, one linear region %.1f, blended "
        "%.1f, two iterations %.1f, converged %.1f; volume %+.2f, %+.2f, %+.2f, %+.2f, full model %+.2f %%\n",
        offOf(skin, truth), offOf(linear, truth), offOf(blended, truth), offOf(two, truth), offOf(converged, truth),
        grown(skin), grown(linear), grown(blended), grown(converged), grown(truth));
    save(*regions, truth, "full");
    save(*regions, blended, "blended");
    save(*regions, converged, "converged");
    save(*regions, linear, "linear");
    EXPECT_LT(offOf(more, converged), 0.1) << "iterations have come to the minimum of the regions' energy";
    EXPECT_LT(offOf(two, converged), 0.1) << "two come to the same over more steps";
    // Found: skin 29.6, one region 40.5, blended 27.8, converged 14.8; the bounds leave a quarter to a third of that
    // for other lattices and bricks, and hold the order that the paper shows.
    EXPECT_LT(offOf(blended, truth), 0.85 * offOf(linear, truth));
    EXPECT_LT(offOf(converged, truth), 0.5 * offOf(linear, truth));
    EXPECT_LT(offOf(converged, truth), 0.6 * offOf(skin, truth));
    for (const Points* p : {&blended, &converged})
        EXPECT_LT(std::abs(grown(*p) - grown(truth)), 0.5 * std::abs(grown(linear) - grown(truth)));
}

}  // namespace
}  // namespace pliant::test
