// SPDX-License-Identifier: Zlib
// Finer functions where the flesh is strained, as the paper's figure 3 drags a point.
#include <cstdio>
#include <random>

#include "BarLattice.h"
#include "pliant/runtime/lattice/LatticeBatch.h"

namespace pliant::test {
namespace {

constexpr double stepSize = 1.0 / 60.0;

std::shared_ptr<const LatticeModel> bar(int levels) {
    const VolumeMesh mesh = barMesh(0.1);
    LatticeOptions options = barLatticeOptions(mesh);
    options.levels = levels;
    options.depth = 2;
    LatticeReport report;
    auto made = makeLatticeModel(barRig(mesh), barLattice(mesh), options, "bar", &report);
    EXPECT_NEAR(report.mass, 0.04 * mesh.materials[0].density, 1e-6) << "whatever the levels are";
    return made;
}

const std::shared_ptr<const LatticeModel>& fineBar() {
    static const auto model = bar(1);
    return model;
}

LatticeSettings adaptive() {
    LatticeSettings settings;
    settings.adapt = true;
    return settings;
}

int vertexAt(const LatticeModel& model, const Vector3& x) {
    Eigen::Index vertex = 0;
    (model.surface.positions.colwise() - x).colwise().norm().minCoeff(&vertex);
    return static_cast<int>(vertex);
}

int coarseFunctions(const LatticeModel& model) {
    return static_cast<int>(std::count(model.level.begin(), model.level.end(), 0));
}

/// A vertex of the bar's upper side dragged out.
LatticePin drag(const LatticeModel& model) {
    const Vector3 x(0.8, 0.1, 0.0);
    return pinOfVertex(model, vertexAt(model, x), x + Vector3(0.02, 0.06, 0.0));
}

void run(LatticeBatch& batch, int steps) {
    for (int k = 0; k < steps; ++k) batch.step(stepSize, {0}, Vector3::Zero(), Workers(1));
}

TEST(LatticeAdaptation, FollowsTheDraggedPointAndGoesAgain) {
    LatticeBatch batch(fineBar(), adaptive());
    const LatticeModel& model = batch.model();
    batch.add(bent(model.skeleton, 0.0));
    run(batch, 5);
    EXPECT_EQ(batch.activeFunctions(0), coarseFunctions(model));
    batch.pin(0, {drag(model)});
    run(batch, 60);
    const int dragged = batch.activeFunctions(0);
    EXPECT_GT(dragged, coarseFunctions(model));
    EXPECT_LT(dragged, model.functionCount());
    Points shapes[3];
    batch.surface(0, shapes[0]);
    for (int k = 0; k < 2; ++k) {  // all fine, all coarse
        LatticeBatch other(k == 0 ? fineBar() : bar(0), LatticeSettings{});
        other.add(bent(model.skeleton, 0.0));
        other.pin(0, {drag(other.model())});
        run(other, 60);
        other.surface(0, shapes[k + 1]);
    }
    const double adaptedError = (shapes[0] - shapes[1]).norm(), coarseError = (shapes[2] - shapes[1]).norm();
    std::printf("dragged: %d of %d functions move (%d coarse); distance to all fine %.2e, coarse alone %.2e m\n",
                dragged, model.functionCount(), coarseFunctions(model), adaptedError, coarseError);
    EXPECT_LT(adaptedError, 0.5 * coarseError);
    batch.pin(0, {});
    run(batch, 200);
    EXPECT_EQ(batch.activeFunctions(0), coarseFunctions(model)) << "let go, they fade";
    for (int a = 0; a < model.functionCount(); ++a)
        if (model.level[static_cast<std::size_t>(a)] > 0) {
            EXPECT_EQ(batch.positions(0).col(a).norm(), 0.0);
            EXPECT_EQ(batch.velocities(0).col(a).norm(), 0.0);
        }
}

/// Flesh at rest on bones of another size is not strained.
TEST(LatticeAdaptation, TakesNoSizeForStrain) {
    for (const double scale : {0.8, 1.25}) {
        LatticeBatch batch(fineBar(), adaptive());
        const LatticeModel& model = batch.model();
        Pose pose = bindPose(model.skeleton);
        pose[0].scale = scale;
        std::vector<MovingFrame> bones;
        motionOf(model.skeleton, pose, bones);
        ASSERT_NEAR(bones[1].scale(), scale, 1e-12);
        batch.add(bones);
        run(batch, 3);
        EXPECT_EQ(batch.activeFunctions(0), coarseFunctions(model)) << scale;
    }
}

/// Two bodies in the same state, of which one gets finer functions: at the step's start they add nothing.
TEST(LatticeAdaptation, MovesNoPoint) {
    LatticeBatch batch(fineBar(), adaptive());
    const LatticeModel& model = batch.model();
    batch.add(bent(model.skeleton, 0.0));
    batch.pin(0, {drag(model)});
    Points before, after;
    int last = batch.activeFunctions(0), grown = 0;
    for (int k = 0; k < 60; ++k) {
        batch.surface(0, before);
        const Points v = batch.velocities(0);
        batch.step(stepSize, {0}, Vector3::Zero(), Workers(1));
        if (batch.activeFunctions(0) > last) ++grown;
        last = batch.activeFunctions(0);
        // Every point has gone where its velocity says: none was put elsewhere.
        batch.surface(0, after);
        const Points p = batch.positions(0);
        LatticeBatch moving(fineBar(), adaptive());
        moving.add(bent(model.skeleton, 0.0));
        moving.positions(0) = p - stepSize * Points(batch.velocities(0));
        Points back;
        moving.surface(0, back);
        ASSERT_LE((back - before).cwiseAbs().maxCoeff(), 1e-15);
    }
    EXPECT_GT(grown, 0);
}

TEST(LatticeAdaptation, FunctionsThatGoFade) {
    LatticeBatch batch(fineBar(), adaptive());
    const LatticeModel& model = batch.model();
    batch.add(bent(model.skeleton, 0.0));
    batch.pin(0, {drag(model)});
    run(batch, 60);
    batch.pin(0, {});
    Points before, after;
    int last = batch.activeFunctions(0);
    double largestShare = 0.0;  // of its peak that a function still had when it was dropped
    VectorX peak = VectorX::Zero(model.functionCount());
    for (int k = 0; k < 100; ++k) {
        Points fine = batch.positions(0);
        batch.step(stepSize, {0}, Vector3::Zero(), Workers(1));
        const Points now = batch.positions(0);
        for (int a = 0; a < model.functionCount(); ++a)
            if (model.level[static_cast<std::size_t>(a)] > 0 && fine.col(a).norm() > 0.0) {
                peak[a] = std::max(peak[a], fine.col(a).norm());
                if (!batch.isActive(0, a)) largestShare = std::max(largestShare, fine.col(a).norm() / peak[a]);
            }
        last = batch.activeFunctions(0);
    }
    EXPECT_EQ(last, coarseFunctions(model));
    EXPECT_GT(largestShare, 0.0);
    EXPECT_LE(largestShare, 1.0 / batch.settings().fadeSteps + 1e-12) << "the last of as many equal parts";
}

/// At a strain between the thresholds, and at one just at the upper one.
TEST(LatticeAdaptation, NoiseTogglesNothing) {
    for (const double stretch : {0.10, 0.15}) {
        LatticeBatch batch(fineBar(), adaptive());
        const LatticeModel& model = batch.model();
        batch.add(bent(model.skeleton, 0.0));
        std::mt19937 random(11);
        std::uniform_real_distribution<double> noise(-1e-6, 1e-6);
        const double factor = std::sqrt(1.0 + 2.0 * stretch);  // Green strain along the bar
        int changes = 0, last = batch.activeFunctions(0);
        for (int k = 0; k < 60; ++k) {
            batch.positions(0) = model.rest;
            batch.velocities(0).setZero();
            for (int a = 0; a < model.functionCount(); ++a) {
                if (model.unit[a] > 0.0) batch.positions(0)(0, a) *= factor;
                if (model.level[static_cast<std::size_t>(a)] == 0)
                    for (int i = 0; i < 3; ++i) batch.positions(0)(i, a) += noise(random);
            }
            batch.step(1e-9, {0}, Vector3::Zero(), Workers(1));
            changes += batch.activeFunctions(0) != last;
            EXPECT_GE(batch.activeFunctions(0), last) << "what has come stays";
            last = batch.activeFunctions(0);
        }
        if (stretch < 0.12) {
            EXPECT_EQ(changes, 0);
        } else {
            EXPECT_LE(changes, static_cast<int>(model.strains.size())) << "cells pass the threshold once each";
        }
    }
}

}  // namespace
}  // namespace pliant::test
