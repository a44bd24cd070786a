// SPDX-License-Identifier: Zlib
// Where things are on a bar of BarModel.h, as users name it: in the mesh's frame, at rest.
#pragma once

#include "TestWorld.h"

namespace pliant::test {

constexpr double standardGravity = 9.81;  ///< m/s^2, of TestWorld

/// x along the bar from its centre.
inline btVector3 onBar(double x) {
    return btVector3(static_cast<btScalar>(x + 0.3), btScalar(-0.2), btScalar(0.1));
}

inline btTransform frameOnBar(double x) {
    return btTransform(btMatrix3x3::getIdentity(), onBar(x));
}

/// @param mass coefficient of Rayleigh damping, 1/s
inline btPliantBodyInfo dampedBar(double mass) {
    btPliantBodyInfo info;
    info.m_damping.mass = mass;
    return info;
}

}  // namespace pliant::test
