// SPDX-License-Identifier: Zlib
// What bones hold, and how weights are carried on into the flesh.
#include "BarCharacter.h"
#include "pliant/character/BoneCores.h"
#include "pliant/character/FleshWeights.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

BoneCores coresOf(const Rig& rig, const VolumeMesh& mesh, double share) {
    std::vector<std::string> notes;
    return boneCores(rig, mesh, share, "bar.glb", notes);
}

TEST(BoneCores, HoldTheAxisAndItsNeighboursButNotTheJoint) {
    const VolumeMesh mesh = barMesh();
    const BoneCores cores = coresOf(barRig(mesh), mesh, 0.5);
    EXPECT_NEAR(cores.radii[0], 0.05, 1e-12);
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        const Vector3 x = mesh.positions.col(v);
        const bool inside = std::hypot(x.y(), x.z()) < 0.051;
        const int expected = !inside || std::abs(x.x() - 0.5) < 0.049 ? -1 : x.x() < 0.5 ? 0 : 1;
        EXPECT_EQ(cores.boneOf[static_cast<std::size_t>(v)], expected) << x.transpose();
    }
    EXPECT_EQ(cores.held.size(), 5u * 20u);
}

TEST(BoneCores, ThinnerThanTheBricksHoldTheirAxisAndAreTold) {
    const VolumeMesh mesh = barMesh(0.2 / 3.0);  // no vertex on the axis
    std::vector<std::string> notes;
    const BoneCores cores = boneCores(barRig(mesh), mesh, 0.1, "bar.glb", notes);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_THAT(notes[0], AllOf(HasSubstr("bar.glb"), HasSubstr("\"upper\", \"lower\""), HasSubstr("--voxels")));
    EXPECT_EQ(cores.held.size(), 4u * 16u) << "four vertices around the axis in each layer";
}

// The upper bone runs through vertices at its beginning alone and then leaves them.
TEST(BoneCores, ReachAlongTheWholeBone) {
    const VolumeMesh mesh = barMesh(0.1);
    Rig rig = barRig(mesh);
    rig.skeleton.bones[0].ends = {Vector3(0.45, 0.05, 0.05)};
    std::vector<std::string> notes;
    const BoneCores cores = boneCores(rig, mesh, 0.02, "bar.glb", notes);
    for (double s = 0.0; s <= 1.0; s += 0.1) {
        double nearest = 1.0;
        for (const int v : cores.held)
            nearest = std::min(nearest, (mesh.positions.col(v) - s * rig.skeleton.bones[0].ends[0]).norm());
        EXPECT_LE(nearest, 0.0871) << s;
    }
}

// Vertices on the axis alone would let the flesh turn about it.
TEST(BoneCores, OfALineAreWidened) {
    const VolumeMesh mesh = barMesh(0.1);
    std::vector<std::string> notes;
    const BoneCores cores = boneCores(barRig(mesh), mesh, 0.3, "bar.glb", notes);
    EXPECT_EQ(notes.size(), 1u);
    EXPECT_EQ(cores.held.size(), 5u * 10u);
    const VolumeMesh coarse = barMesh(0.2);
    EXPECT_THAT([&] { coresOf(barRig(coarse), coarse, 0.3); },
                ThrowsMessage<Error>(AllOf(HasSubstr("bar.glb"), HasSubstr("every vertex"), HasSubstr("--voxels"))));
}

TEST(BoneCores, RefuseBonesThatHaveNoFlesh) {
    const VolumeMesh mesh = barMesh();
    Rig rig = barRig(mesh);
    rig.skeleton.bones[1].bind.translation = Vector3(0.5, 0, 3);
    rig.skeleton.bones[1].ends = {Vector3(1, 0, 3)};
    EXPECT_THAT([&] { coresOf(rig, mesh, 0.3); },
                ThrowsMessage<Error>(AllOf(HasSubstr("bar.glb"), HasSubstr("\"lower\""), HasSubstr("no flesh"))));
    rig.skeleton.bones[1].ends.clear();
    EXPECT_THAT([&] { coresOf(rig, mesh, 0.3); },
                ThrowsMessage<Error>(AllOf(HasSubstr("\"lower\""), HasSubstr("no length"))));
}

TEST(FleshWeights, OfLinearWeightsAreLinear) {
    const VolumeMesh mesh = barMesh();
    Rig rig = barRig(mesh);
    for (Eigen::Index v = 0; v < rig.surface.positions.cols(); ++v) {
        const double x = rig.surface.positions(0, v);
        rig.weights.bones.col(v) << 0, 1, 0, 0;
        rig.weights.weights.col(v) << 1 - x, x, 0, 0;
    }
    const double give = 1.1 * 0.05 / 100.0;  // the slope over the penalty 100 / h, at the two ends
    BoneCores none;
    none.boneOf.assign(static_cast<std::size_t>(mesh.vertexCount()), -1);
    const SkinWeights skin = fleshWeights(rig, mesh, none);
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        const double x = mesh.positions(0, v);
        for (int i = 0; i < 2; ++i)
            if (skin.weights(i, v) > 0.0) {
                EXPECT_NEAR(skin.weights(i, v), skin.bones(i, v) == 1 ? x : 1 - x, x > 0.2 && x < 0.8 ? 1e-5 : give);
            }
        EXPECT_NEAR(skin.weights.col(v).sum(), 1.0, 1e-15);
    }
}

TEST(FleshWeights, AreOneInCoresAndTheFilesOnTheSurface) {
    const VolumeMesh mesh = barMesh();
    const Rig rig = barRig(mesh);
    const BoneCores cores = coresOf(rig, mesh, 0.5);
    const SkinWeights skin = fleshWeights(rig, mesh, cores);
    double furthest = 0.0;
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        const Vector3 x = mesh.positions.col(v);
        const int bone = cores.boneOf[static_cast<std::size_t>(v)];
        if (bone >= 0) {
            EXPECT_EQ(skin.bones(0, v), bone);
            EXPECT_EQ(skin.weights(0, v), 1.0);
        }
        if (std::max(std::abs(x.y()), std::abs(x.z())) < 0.0999 || x.x() < 1e-3 || x.x() > 0.999) continue;
        double lower = 0.0;
        for (int i = 0; i < 4; ++i)
            if (skin.bones(i, v) == 1) lower += skin.weights(i, v);
        furthest = std::max(furthest, std::abs(lower - lowerWeight(x.x())));
    }
    EXPECT_LT(furthest, 0.03) << "the penalty lets the surface go by a per cent or two";
}

TEST(MakeCharacter, RefusesOpenSurfacesAndBadOptions) {
    const VolumeMesh mesh = barMesh();
    Rig rig = barRig(mesh);
    CharacterOptions options;
    options.core = 1.0;
    EXPECT_THAT([&] { makeCharacter(rig, options, "bar.glb"); },
                ThrowsMessage<Error>(AllOf(HasSubstr("bar.glb"), HasSubstr("0 to 1"))));
    rig.surface.triangles = rig.surface.triangles.leftCols(rig.surface.triangles.cols() - 1).eval();
    EXPECT_THAT([&] { makeCharacter(rig, CharacterOptions(), "bar.glb"); },
                ThrowsMessage<Error>(AllOf(HasSubstr("bar.glb"), HasSubstr("not closed"))));
}

}  // namespace
}  // namespace pliant::test
