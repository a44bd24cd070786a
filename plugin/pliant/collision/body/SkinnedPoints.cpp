// SPDX-License-Identifier: Zlib
// Points of a character's skeleton: Jacobians, and how they are carried along.
#include <Eigen/LU>
#include <algorithm>
#include <vector>

#include "pliant/collision/body/DeformedBody.h"

namespace pliant {

namespace {

/// sum_b w_b T_b of a sphere.
AffineMap blended(const PackedSkin& points, int sphere, const AffineMap* bones) {
    AffineMap map = AffineMap::Zero();
    for (auto k = 4 * static_cast<std::size_t>(sphere); k < 4 * static_cast<std::size_t>(sphere) + 4; ++k)
        if (points.weights[k] > 0.0f) map += static_cast<double>(points.weights[k]) * bones[points.bones[k]];
    return map;
}

/// sum_b w_b (T_b x + R_b u) of a sphere.
Vector3 carried(const PackedSkin& points, int sphere, const AffineMap* bones, const Vector3& x, const Vector3& u) {
    Vector3 sum = Vector3::Zero();
    points.forBones(sphere, [&](int bone, double weight) {
        const auto turn = bones[bone].leftCols<3>();
        sum += weight * (turn * (x + u / turn.col(0).norm()) + bones[bone].col(3));
    });
    return sum;
}

/// Of a segment's point.
AffineMap blended(const DeformedBody& body, const int (&ends)[2], const double (&shares)[2], const AffineMap* bones) {
    AffineMap map = AffineMap::Zero();
    for (int end = 0; end < 2; ++end)
        if (shares[end] != 0.0) map += shares[end] * blended(body.skin()->spheres(), ends[end], bones);
    return map;
}

/// Whether a parameter is of a place beside the surface point that a segment is.
bool isPlace(const DeformedBody& body, int segment, float parameter) {
    const auto& segments = body.model().skeleton().segments;
    return segments(0, segment) == segments(1, segment) &&
           body.model().surfacePlaces().isPlace(segments(0, segment), parameter);
}

}  // namespace

// A place beside a surface point is bent as the lattice bends it there, and turned as the bones turn the point.
void skinnedPointProject(const DeformedBody& body, int segment, float parameter, const Vector3& direction,
                         double* modal) {
    const CollisionModel& model = body.model();
    const auto& segments = model.skeleton().segments;
    if (isPlace(body, segment, parameter)) {
        // All numbers of U first, which lie side by side and fill vector registers; then the direction.
        static thread_local std::vector<double> rows;
        rows.resize(std::max(rows.size(), static_cast<std::size_t>(3 * model.dimension())));
        const int sphere = segments(0, segment);
        const Vector3 d = body.sphereTurn(sphere).transpose() * direction;
        model.surfacePlaces().basis(sphere, parameter, rows.data());
        const double* U = rows.data();
        for (int j = 0; j < model.dimension(); ++j, U += 3) modal[j] = (d.x() * U[0] + d.y() * U[1]) + d.z() * U[2];
        return;
    }
    const float* first = model.spheres().entry(segments(0, segment)) + 4;
    const float* second = model.spheres().entry(segments(1, segment)) + 4;
    const double share = static_cast<double>(parameter);
    const Vector3 d0 = (1.0 - share) * (body.sphereTurn(segments(0, segment)).transpose() * direction);
    const Vector3 d1 = share * (body.sphereTurn(segments(1, segment)).transpose() * direction);
    for (int j = 0; j < model.dimension(); ++j, first += 4, second += 4)
        modal[j] = (d0.x() * static_cast<double>(first[0]) + d0.y() * static_cast<double>(first[1]) +
                    d0.z() * static_cast<double>(first[2])) +
                   (d1.x() * static_cast<double>(second[0]) + d1.y() * static_cast<double>(second[1]) +
                    d1.z() * static_cast<double>(second[2]));
}

Vector3 skinnedPointMotion(const DeformedBody& body, int segment, float parameter, const Vector3& now,
                           const AffineMap* bones) {
    const auto& segments = body.model().skeleton().segments;
    const int ends[2] = {segments(0, segment), segments(1, segment)};
    const double share = isPlace(body, segment, parameter) ? 0.0 : static_cast<double>(parameter);
    const double shares[2] = {1.0 - share, share};
    const AffineMap before = blended(body, ends, shares, body.bones()->maps.data());
    const AffineMap after = blended(body, ends, shares, bones);
    Vector3 way = Vector3::Zero(), place = Vector3::Zero();
    for (int end = 0; end < 2; ++end) {
        if (shares[end] == 0.0) continue;
        const float* rest = body.skin()->sphereRests() + 4 * ends[end];
        const Vector3 x = Eigen::Map<const Eigen::Vector3f>(rest).cast<double>(), u = body.unskinned(ends[end]) - x;
        const Vector3 then = carried(body.skin()->spheres(), ends[end], body.bones()->maps.data(), x, u);
        place += shares[end] * then;
        way += shares[end] * (carried(body.skin()->spheres(), ends[end], bones, x, u) - then);
    }
    // What lies beside the axis is turned about it by the bones' mean.
    const Matrix3 turn = before.leftCols<3>();
    if (std::abs(turn.determinant()) < 0.05) return way;
    return way + (after.leftCols<3>() - turn) * (turn.inverse() * (now - place));
}

}  // namespace pliant
