// SPDX-License-Identifier: Zlib
// A bar bent at its joint, against the full StVK model with the same cores held.
#include <cstdio>

#include "FullPose.h"
#include "pliant/runtime/SkinForces.h"

namespace pliant::test {
namespace {

struct Distances {
    double skin = 0.0, reduced = 0.0;  ///< % of the half width
};

VectorX answerTo(const std::shared_ptr<const CharacterModel>& character, const std::vector<MovingFrame>& bones) {
    SkinForces skin(character, RestShape::Flesh);
    VectorX f(character->flesh->dimension());
    skin.evaluate({bones.data()}, Vector3::Zero(), f.data(), Workers(1));
    return f.cwiseQuotient(character->flesh->restEigenvalues);
}

/// @param degrees 5, 10, ...
Distances distancesAt(const std::shared_ptr<const CharacterModel>& character, int degrees) {
    std::vector<MovingFrame> bones;
    motionOf(character->skeleton, bindPose(character->skeleton), bones);
    FullFlesh full(character, bones, 0.01);
    for (int angle = 5; angle <= degrees; angle += 5) {
        motionOf(character->skeleton, bentPose(character->skeleton, angle * M_PI / 180.0), bones);
        full.settle(bones, Vector3::Zero());
    }
    const Points& truth = full.positions();
    Points skinned, bent;
    fleshPoints(*character, bones, nullptr, skinned);
    fleshPoints(*character, bones, answerTo(character, bones).data(), bent);
    return {100.0 * distance(skinned, truth) / halfWidth, 100.0 * distance(bent, truth) / halfWidth};
}

TEST(BentBar, IsAsNearToTheFullModelAsThePrototype) {
    const VolumeMesh mesh = barMesh();
    const auto character = makeCharacter(barRig(mesh), mesh, barOptions(), "bar");
    const Distances thirty = distancesAt(character, 30), fortyFive = distancesAt(character, 45);
    std::printf("skin %.2f %.2f, reduced %.2f %.2f %% of the half width\n", thirty.skin, fortyFive.skin, thirty.reduced,
                fortyFive.reduced);
    EXPECT_NEAR(thirty.skin, 5.2, 0.6);  // of the prototype, whose weights inside were not harmonic
    EXPECT_NEAR(fortyFive.skin, 7.4, 0.6);
    EXPECT_NEAR(thirty.reduced, 1.4, 0.2);
    EXPECT_NEAR(fortyFive.reduced, 3.1, 0.2);
}

}  // namespace
}  // namespace pliant::test
