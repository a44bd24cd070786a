// SPDX-License-Identifier: Zlib
// Bones as straight pieces from their heads to their ends, and how far flesh is from them.
#pragma once

#include <vector>

#include "pliant/rig/Rig.h"

namespace pliant {

constexpr double boneSlack = 1e-9;  ///< Slack of lengths, m: what lies on a border belongs to it.

/// A straight piece of a bone. What lies beyond a joint of it does not belong to it.
struct BonePiece {
    Vector3 from, to;  ///< Ends, m.
    bool jointAtFrom = false, jointAtTo = false;

    double length() const { return (to - from).norm(); }
    Vector3 at(double s) const { return from + s * (to - from); }
    /// Shortened at its joints by that much, m; of the middle at least a point is left.
    BonePiece withoutJoints(double margin) const;
    /// Distance of a point, m; infinite beyond a joint.
    double distance(const Vector3& x) const;
};

/// Pieces of a bone that carries skin; none without length. @param skinned B, bonesWithSkin()
std::vector<BonePiece> bonePiecesOf(const Rig& rig, const std::vector<bool>& skinned, std::size_t bone);

/// Points along the pieces, at most `spacing` m apart.
std::vector<Vector3> samplesOf(const std::vector<BonePiece>& pieces, double spacing);

/// The middle one of the distances from points of a bone to the surface, m: tips and roots, where a bone meets the
/// surface, do not count.
double wayToSurface(const SurfaceMesh& surface, const std::vector<Vector3>& samples);

/// Distance to the nearest piece, m.
double distanceTo(const std::vector<BonePiece>& pieces, const Vector3& x);

}  // namespace pliant
