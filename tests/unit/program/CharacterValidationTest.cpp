// SPDX-License-Identifier: Zlib
// What `pliant validate` measures of characters: where reduced flesh begins.
#include "../character/BarCharacter.h"
#include "validate/CharacterValidation.h"

namespace pliant::test {
namespace {

/// The bar with its lower bone held bent by half a radian for as long as the clip lasts.
std::shared_ptr<const CharacterModel> heldBent(bool linear) {
    constexpr double angle = 0.5;
    Clip clip;
    clip.name = "held";
    clip.end = 1.0;
    clip.motions.resize(1);
    clip.motions[0].bone = 1;
    MatrixX keys(4, 2);
    for (int k = 0; k < 2; ++k) keys.col(k) << 0, std::sin(0.5 * angle), 0, std::cos(0.5 * angle);
    clip.motions[0].rotation = smoothTrack({0.0, 1.0}, keys, true);
    const VolumeMesh mesh = barMesh(0.1);
    Rig rig = barRig(mesh);
    rig.clips = {clip};
    CharacterOptions options = barOptions();
    options.linear = linear;
    options.modes = options.dimension = 12;
    return makeCharacter(rig, mesh, options, "bar");
}

// Both models begin in equilibrium and nothing moves, so neither does the distance between them. Of what the flesh adds
// to the skin, 5 % of the half width and more, 1e-6 is left to Newton's methods, which end at 1e-9 of their residuals.
TEST(CharacterValidation, FleshOfAClipThatHoldsABentPoseStands) {
    for (const bool linear : {true, false}) {
        const program::CharacterValidation v = program::validateCharacter(heldBent(linear), {"held", 0.25, 240}, {});
        ASSERT_EQ(v.reduced.size(), 60u);
        ASSERT_GT(v.skin.front(), 0.01 * halfWidth) << "the bones have bent it";
        for (const double d : v.reduced) EXPECT_NEAR(d, v.reduced.front(), 1e-6 * v.skin.front()) << linear;
        for (const double d : v.secondary) EXPECT_LT(d, 1e-6 * v.skin.front()) << linear;
    }
}

}  // namespace
}  // namespace pliant::test
