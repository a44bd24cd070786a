// SPDX-License-Identifier: Zlib
// Where flesh on a lattice comes to rest while the bones of the generated quadruped stand in a pose: after one iteration a
// step the blend of what each region would rest in alone, after more the minimum of the regions' common energy
// (docs/internals/lattice-figures.md).
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdio>

#include "pliant/control_lattice/MakeControlLattice.h"
#include "pliant/control_lattice/MakeLatticeModel.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "pliant/runtime/lattice/LatticeBatch.h"

namespace pliant::test {
namespace {

std::shared_ptr<const LatticeModel> quadrupedLattice() {
    static const auto made = [] {
        const Rig rig = readRig(PLIANT_MEDIA_DIR "/characters/quadruped.glb").rig;
        ControlLatticeOptions making;
        making.spacing = 0.16;  // m
        return makeLatticeModel(rig, makeControlLattice(rig, making, "quadruped"), {}, "quadruped");
    }();
    return made;
}

std::vector<MovingFrame> headTurned(const Skeleton& skeleton) {
    Pose pose = stance(skeleton);
    for (const char* name : {"neck", "head"}) {
        const auto b = static_cast<std::size_t>(findBone(skeleton, name));
        pose[b].rotation = pose[b].rotation * Rotation(Eigen::AngleAxisd(M_PI / 6, Vector3::UnitZ()));
    }
    std::vector<MovingFrame> bones;
    motionOf(skeleton, pose, bones);
    return bones;
}

Points settled(int iterations, int steps) {
    const auto model = quadrupedLattice();
    LatticeSettings settings;
    settings.singlePrecision = false;
    settings.iterations = iterations;
    LatticeBatch batch(model, settings);
    const int body = batch.add(headTurned(model->skeleton));
    for (int k = 0; k < steps; ++k) batch.step(1.0, {body}, Vector3::Zero(), Workers(1));
    return batch.positions(body);
}

Vector3 imageOf(const LatticeModel& model, const MovingFrame& bone, int function) {
    return bone.map.leftCols<3>() * model.rest.col(function) + model.unit[function] * bone.map.col(3);
}

/// What the free functions of a region come to with nothing beyond its cells, 3 x n by its own numbers: K u = 0 about
/// its bone, with what bones hold.
Points restOf(const LatticeModel& model, const LatticeRegion& region, const std::vector<MovingFrame>& bones) {
    const MovingFrame& frame = bones[static_cast<std::size_t>(region.bone)];
    const Matrix3 R = frame.map.leftCols<3>();
    const auto n = static_cast<Eigen::Index>(region.cells.functions.size());
    Eigen::MatrixXd K = region.cells.stiffness;
    const Eigen::MatrixXd core = region.coreStiffness * Eigen::MatrixXd(region.cells.core);
    for (int k = 0; k < 3; ++k)
        for (Eigen::Index i = 0; i < n; ++i)
            for (Eigen::Index j = 0; j < n; ++j) K(3 * i + k, 3 * j + k) += core(i, j);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(3 * n), right;
    std::vector<Eigen::Index> free;
    for (Eigen::Index i = 0; i < n; ++i) {
        const int a = region.cells.functions[static_cast<std::size_t>(i)];
        const int bone = model.boneOf[static_cast<std::size_t>(a)];
        if (bone >= 0)
            u.segment<3>(3 * i) =
                R.transpose() * (imageOf(model, bones[static_cast<std::size_t>(bone)], a) - imageOf(model, frame, a));
        for (int k = 0; k < 3 && bone < 0; ++k) free.push_back(3 * i + k);
    }
    const Eigen::VectorXd held = K * u;
    u(free) = -Eigen::MatrixXd(K(free, free)).ldlt().solve(Eigen::VectorXd(held(free)));
    Points rest(3, n);
    for (Eigen::Index i = 0; i < n; ++i)
        rest.col(i) =
            imageOf(model, frame, region.cells.functions[static_cast<std::size_t>(i)]) + R * u.segment<3>(3 * i);
    return rest;
}

double largestDistance(const LatticeModel& model, const Points& a, const Points& b) {
    double most = 0.0;
    for (Eigen::Index k = 0; k < a.cols(); ++k)
        if (model.boneOf[static_cast<std::size_t>(k)] < 0) most = std::max(most, (a.col(k) - b.col(k)).norm());
    return most;
}

// A region's forces are those of its own cells, so that it rests where they vanish, whatever is beyond them; the blend
// of that is no equilibrium of the whole.
TEST(LatticeRest, OfOneIterationIsTheBlendOfTheRegionsOwn) {
    const auto model = quadrupedLattice();
    const std::vector<MovingFrame> bones = headTurned(model->skeleton);
    Points known = Points::Zero(3, model->functionCount());
    for (const LatticeRegion& region : model->regions) {
        const Points rest = restOf(*model, region, bones);
        for (Eigen::Index i = 0; i < rest.cols(); ++i)
            known.col(region.cells.functions[static_cast<std::size_t>(i)]) += region.blend[i] * rest.col(i);
    }
    const double off = largestDistance(*model, settled(1, 60), known);
    std::printf("one iteration: off the blend of the regions' own answers by %.2g m\n", off);
    EXPECT_LT(off, 1e-4);
}

// The last step's correction is the first direction of the next one: two iterations come to where a hundred come.
TEST(LatticeRest, OfMoreIterationsIsTheMinimumOfTheCommonEnergy) {
    const auto model = quadrupedLattice();
    const Points minimum = settled(100, 5);
    const double one = largestDistance(*model, settled(1, 60), minimum),
                 two = largestDistance(*model, settled(2, 200), minimum);
    std::printf("off the minimum: one iteration %.3g m, two %.3g m\n", one, two);
    EXPECT_GT(one, 0.02);
    EXPECT_LT(two, 1e-3 * one);
}

}  // namespace
}  // namespace pliant::test
