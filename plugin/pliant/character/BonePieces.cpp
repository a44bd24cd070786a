// SPDX-License-Identifier: Zlib
#include "pliant/character/BonePieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

/// Whether a bone that carries skin begins there and hangs on `bone`.
bool childBeginsAt(const Rig& rig, const std::vector<bool>& skinned, std::size_t bone, const Vector3& x) {
    for (std::size_t c = 0; c < skinned.size(); ++c)
        if (skinned[c] && rig.skeleton.bones[c].parent == static_cast<int>(bone) &&
            (rig.skeleton.bones[c].head() - x).norm() <= 1e-6 * (1.0 + x.norm()))
            return true;
    return false;
}

/// Distance of a point to a triangle [E05 5.1.5].
double triangleDistance(const Vector3& p, const Vector3& a, const Vector3& b, const Vector3& c) {
    const Vector3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d1 <= 0 && d2 <= 0) return ap.norm();
    if (d3 >= 0 && d4 <= d3) return bp.norm();
    if (d6 >= 0 && d5 <= d6) return cp.norm();
    const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return (ap - d1 / (d1 - d3) * ab).norm();
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return (ap - d2 / (d2 - d6) * ac).norm();
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return (bp - (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b)).norm();
    return (ap - vb / (va + vb + vc) * ab - vc / (va + vb + vc) * ac).norm();
}

double surfaceDistance(const SurfaceMesh& surface, const Vector3& x) {
    double nearest = std::numeric_limits<double>::infinity();
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        const auto v = surface.triangles.col(t);
        nearest = std::min(nearest, triangleDistance(x, surface.positions.col(v[0]), surface.positions.col(v[1]),
                                                     surface.positions.col(v[2])));
    }
    return nearest;
}

}  // namespace

BonePiece BonePiece::withoutJoints(double margin) const {
    const double share = std::min(0.5, margin / length());
    return {at(jointAtFrom ? share : 0.0), at(jointAtTo ? 1.0 - share : 1.0), jointAtFrom, jointAtTo};
}

double BonePiece::distance(const Vector3& x) const {
    const Vector3 along = to - from;
    const double square = along.squaredNorm();
    const double s = square > 0.0 ? (x - from).dot(along) / square : 0.0;
    if ((jointAtFrom && s < -boneSlack) || (jointAtTo && s > 1.0 + boneSlack)) return unreached;
    return (x - at(std::clamp(s, 0.0, 1.0))).norm();
}

std::vector<BonePiece> bonePiecesOf(const Rig& rig, const std::vector<bool>& skinned, std::size_t bone) {
    const Bone& b = rig.skeleton.bones[bone];
    const bool hangs = b.parent >= 0 && skinned[static_cast<std::size_t>(b.parent)];
    std::vector<BonePiece> pieces;
    for (const Vector3& end : b.ends)
        if ((end - b.head()).norm() > 0.0)
            pieces.push_back({b.head(), end, hangs, childBeginsAt(rig, skinned, bone, end)});
    return pieces;
}

std::vector<Vector3> samplesOf(const std::vector<BonePiece>& pieces, double spacing) {
    std::vector<Vector3> samples;
    for (const BonePiece& piece : pieces) {
        const int count = std::clamp(static_cast<int>(std::ceil(piece.length() / spacing)), 2, 200);
        for (int k = 0; k <= count; ++k) samples.push_back(piece.at(k / static_cast<double>(count)));
    }
    return samples;
}

double wayToSurface(const SurfaceMesh& surface, const std::vector<Vector3>& samples) {
    std::vector<double> ways;
    for (const Vector3& x : samples) ways.push_back(surfaceDistance(surface, x));
    std::nth_element(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(ways.size() / 2), ways.end());
    return ways[ways.size() / 2];
}

double distanceTo(const std::vector<BonePiece>& pieces, const Vector3& x) {
    double nearest = unreached;
    for (const BonePiece& piece : pieces) nearest = std::min(nearest, piece.distance(x));
    return nearest;
}

}  // namespace pliant
