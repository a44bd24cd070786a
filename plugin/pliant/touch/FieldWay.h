// SPDX-License-Identifier: Zlib
// Straight ways through a field at rest: whether they meet the body, and where they leave it.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/model/ContactSurface.h"

namespace pliant {

/// Whether any place of the way from one point to another lies inside. Parts that are thinner than a third of the
/// distance between samples may be missed. @param from, to mesh frame, m
PLIANT_INTERNAL_API bool leadsThrough(const DistanceField& field, const Vector3& from, const Vector3& to);

/// Where the way from a point along a direction leaves the body that it is in or meets ahead of it.
/// @param from mesh frame, m @param along unit @param most m, that it may take @param out receives the place
/// @return false: it does not meet the body, or is not out of it by then
PLIANT_INTERNAL_API bool findWayOut(const DistanceField& field, const Vector3& from, const Vector3& along, double most,
                                    Vector3& out);

}  // namespace pliant
