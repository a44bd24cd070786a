// SPDX-License-Identifier: Zlib
// Two bones along x, and a skin of a few points: what known answers are told on.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "../mesh/TemporaryFolder.h"
#include "pliant/rig/Rig.h"

namespace pliant::test {

constexpr double pi = 3.14159265358979323846;

inline Rotation turn(double angle, const Vector3& axis) {
    return Rotation(Eigen::AngleAxisd(angle, axis));
}

/// "upper" from x = 0, "lower" from x = 1; both frames as the world's.
inline Skeleton twoBones() {
    Skeleton skeleton;
    skeleton.bones.resize(2);
    skeleton.bones[0].name = "upper";
    skeleton.bones[1].name = "lower";
    skeleton.bones[1].parent = 0;
    skeleton.bones[1].stance.translation = skeleton.bones[1].bind.translation = Vector3(1, 0, 0);
    return skeleton;
}

/// Three points at x = 0.5, 1 and 2: of the upper bone, of both, of the lower.
inline Rig twoBonedRig() {
    Rig rig;
    rig.skeleton = twoBones();
    rig.surface.positions.resize(3, 3);
    rig.surface.positions << 0.5, 1, 2, 0, 0, 0, 0, 0, 0;
    WeightChanges changes;
    rig.weights = limitWeights(rig.skeleton, {{{0, 1.0}}, {{0, 0.5}, {1, 0.5}}, {{1, 1.0}}}, "test", changes);
    return rig;
}

}  // namespace pliant::test
