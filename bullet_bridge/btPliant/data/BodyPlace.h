// SPDX-License-Identifier: Zlib
// Internal: where points of a body are in the world, with bones or without.
#pragma once

#include "btPliant/data/BodyData.h"

namespace btPliantInternal {

/// Where what rests around a point is: x -> L x + t from the body frame to the world.
pliant::AffineMap placeOf(const BodyData& data, const pliant::MaterialPoint& point);
/// What turns its displacement U q from the body frame to the world.
pliant::Matrix3 turnOf(const BodyData& data, const pliant::MaterialPoint& point);
/// The place of a body without bones.
pliant::AffineMap framePlace(const BodyData& data);

}  // namespace btPliantInternal
