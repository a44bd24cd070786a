// SPDX-License-Identifier: Zlib
#include "pliant/runtime/ragdoll/RagdollContact.h"

#include <algorithm>

namespace pliant {
namespace {

constexpr double kCloses = 0.2;  ///< share of a depth that is to go in a step

double velocityOf(const RagdollRow& row, const VectorX& V, const VectorX& q1) {
    return row.onLimbs.dot(V) + row.onFlesh.dot(q1);
}

/// Makes what would gain smaller: W(s) = s a + s^2 b, for the same direction of all impulses.
/// @return W
double boundWork(std::vector<RagdollRow>& rows, const VectorX& freeV, const VectorX& freeQ1, VectorX& V, VectorX& q1) {
    double linear = 0.0, square = 0.0;
    for (const RagdollRow& row : rows) {
        linear += 0.5 * row.impulse * (row.start + row.free);
        square += 0.5 * row.impulse * (velocityOf(row, V, q1) - row.free);
    }
    if (linear + square <= 0.0) return linear + square;
    const double share = square > 0.0 ? std::clamp(-linear / square, 0.0, 1.0) : 0.0;
    for (RagdollRow& row : rows) row.impulse *= share;
    V = freeV + share * (V - freeV);
    q1 = freeQ1 + share * (q1 - freeQ1);
    return share * (linear + share * square);
}

}  // namespace

FleshPoint fleshPoint(const CharacterModel& character, int vertex) {
    FleshPoint point;
    for (int k = 0; k < 4; ++k) {
        point.bones[k] = character.skin.nodes.bones(k, vertex);
        point.weights[k] = character.skin.nodes.weights(k, vertex);
    }
    point.rest = character.flesh->meshFromBody.inversePoint(character.flesh->mesh.positions.col(vertex));
    point.U = character.flesh->basis.middleRows<3>(3 * static_cast<Eigen::Index>(vertex));
    return point;
}

Vector3 placeOf(const FleshPoint& point, const std::vector<AffineMap>& bones, const Eigen::Ref<const VectorX>& q) {
    const Vector3 moved = point.rest + point.U.leftCols(q.size()) * q;
    Vector3 place = Vector3::Zero();
    for (int k = 0; k < 4; ++k) {
        const AffineMap& map = bones[static_cast<std::size_t>(point.bones[k])];
        place += point.weights[k] * (map.leftCols<3>() * moved + map.col(3));
    }
    return place;
}

void setUpRow(const RagdollSystem& system, const FleshPoint& point, const std::vector<AffineMap>& bones,
              const Eigen::Ref<const VectorX>& q, const Vector3& normal, const VectorX& V, const VectorX& q1,
              RagdollRow& row) {
    const Vector3 moved = point.rest + point.U.leftCols(q.size()) * q;
    Vector3 turned = Vector3::Zero();
    row.onLimbs.setZero(system.size());
    for (int k = 0; k < 4; ++k) {
        if (point.weights[k] == 0.0) continue;
        const auto b = static_cast<std::size_t>(point.bones[k]);
        const AffineMap& map = bones[b];
        const int limb = system.model().limbOf[b];
        const Vector3 share = point.weights[k] * normal;
        const Vector3 arm = map.leftCols<3>() * moved + map.col(3) - system.centre(limb);
        row.onLimbs.segment<3>(6 * limb) += share;
        row.onLimbs.segment<3>(6 * limb + 3) += arm.cross(share);
        turned += map.leftCols<3>().transpose() * share;
    }
    row.onFlesh.noalias() = point.U.leftCols(q.size()).transpose() * turned;
    row.start = velocityOf(row, V, q1);
    row.impulse = 0.0;
}

void respondRow(const RagdollSystem& system, const MatrixX& Y, RagdollRow& row) {
    row.V = row.onLimbs;
    row.q1.noalias() = Y * row.onFlesh;
    system.respond(row.V, row.q1);
    row.response = velocityOf(row, row.V, row.q1);
}

double rowTarget(double start, double gap, double h) {
    return std::min(-start, (gap > 0.0 ? -gap : -kCloses * gap) / h);
}

double solveRows(std::vector<RagdollRow>& rows, int iterations, VectorX& V, VectorX& q1) {
    const VectorX freeV = V, freeQ1 = q1;
    for (RagdollRow& row : rows) {
        row.free = velocityOf(row, V, q1);
        row.impulse = 0.0;
    }
    for (int i = 0; i < iterations; ++i)
        for (RagdollRow& row : rows) {
            if (!(row.response > 0.0)) continue;
            const double wanted = row.impulse + (row.target - velocityOf(row, V, q1)) / row.response;
            const double change = std::max(0.0, wanted) - row.impulse;
            if (change == 0.0) continue;
            row.impulse += change;
            V += change * row.V;
            q1 += change * row.q1;
        }
    return boundWork(rows, freeV, freeQ1, V, q1);
}

}  // namespace pliant
