// SPDX-License-Identifier: Zlib
// A bar bent at its joint, on a lattice, against the full StVK model with the same cores held: the table of
// docs/internals/lattice-flesh.md.
#include <cstdio>

#include "../character/FullPose.h"
#include "BarLattice.h"
#include "pliant/runtime/lattice/LatticeBatch.h"

namespace pliant::test {
namespace {

/// Where lattice flesh comes to rest, 3 x N.
Points settled(const std::shared_ptr<const LatticeModel>& model, const std::vector<MovingFrame>& bones,
               int iterations) {
    LatticeSettings settings;
    settings.singlePrecision = false;
    settings.iterations = iterations;
    LatticeBatch batch(model, settings);
    const int body = batch.add(bones);
    for (int k = 0; k < 60; ++k) batch.step(0.1, {body}, Vector3::Zero(), Workers(1));
    return batch.positions(body);
}

struct Distances {
    double skin = 0.0, globalLinear = 0.0, blended = 0.0, converged = 0.0;  ///< % of the half width
};

TEST(BentLattice, IsAsNearToTheFullModelAsThePrototype) {
    const VolumeMesh mesh = barMesh();
    const auto character = makeCharacter(barRig(mesh), mesh, barOptions(), "bar");
    const auto blended = barLatticeModel(0.05), linear = barLatticeModel(0.05, true);
    std::vector<Distances> found;
    std::vector<MovingFrame> bones = bent(character->skeleton, 0.0);
    FullFlesh full(character, bones, 0.01);
    for (int angle = 5; angle <= 45; angle += 5) {
        bones = bent(character->skeleton, angle * M_PI / 180.0);
        full.settle(bones, Vector3::Zero());
        if (angle != 30 && angle != 45) continue;
        // The lattice's space is the mesh's; the character's is the body frame's.
        const std::vector<MovingFrame> mine = bent(blended->skeleton, angle * M_PI / 180.0);
        const RigidTransform& frame = character->flesh->meshFromBody;
        Points truth = full.positions();  // in the world of the body frame's bones
        const MovingFrame& root = mine[0];
        for (Eigen::Index v = 0; v < truth.cols(); ++v)
            truth.col(v) =
                root.point(frame.point(bones[0].map.leftCols<3>().transpose() * (truth.col(v) - bones[0].map.col(3))));
        Points skin(3, truth.cols());
        for (Eigen::Index v = 0; v < skin.cols(); ++v) {
            const Vector3 x = mesh.positions.col(v);
            const double lower = lowerWeight(x.x());
            skin.col(v) = (1.0 - lower) * mine[0].point(x) + lower * mine[1].point(x);
        }
        const auto share = [&](const Points& p) { return 100.0 * distance(p, truth) / halfWidth; };
        found.push_back({share(skin), share(settled(linear, mine, 1)), share(settled(blended, mine, 1)),
                         share(settled(blended, mine, 30))});
        const Distances& d = found.back();
        std::printf("%d degrees: skin %.2f, global linear %.2f, blended %.2f, converged %.2f %% of the half width\n",
                    angle, d.skin, d.globalLinear, d.blended, d.converged);
    }
    const Distances &thirty = found[0], &fortyFive = found[1];
    EXPECT_NEAR(thirty.skin, 5.2, 0.6);
    EXPECT_NEAR(fortyFive.skin, 7.4, 0.6);
    EXPECT_NEAR(thirty.globalLinear, 8.1, 0.6);
    EXPECT_NEAR(fortyFive.globalLinear, 18.0, 1.2);
    // The prototype's regions ended at cells that a held vertex without weight is a corner of; here such cells belong
    // to them, and the blend is nearer to the truth than it was.
    EXPECT_NEAR(thirty.blended, 1.6, 0.4);
    EXPECT_NEAR(fortyFive.blended, 3.5, 1.0);
    EXPECT_NEAR(thirty.converged, 1.5, 0.4);
    EXPECT_NEAR(fortyFive.converged, 3.5, 0.9);
}

}  // namespace
}  // namespace pliant::test
