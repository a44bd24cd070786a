// SPDX-License-Identifier: Zlib
/// @file
/// What touches a ragdoll: rows of the solver for points of its flesh, whose impulses gain nothing.
///
/// A point p = sum_b w_b (T_b x + R_b U q) moves at sum_b w_b (v_i + w_i x (T_b x + R_b U q - c_i) + R_b U q'), b of
/// limb i. An impulse P along n has the moment p x n about the origin, and limbs and flesh answer by P J' of
/// RagdollSystem. Its step is the trapezoidal rule, so that with u = J (V, q') at both ends the impulses do the work
///
///     W = sum_k P_k (u0_k + u1_k) / 2
///
/// where u0 is the velocity *before* gravity and the stress of the flesh had their part in the step. A row that pushes
/// (P >= 0) and stops at a target, u1 = t, gains nothing if and only if t <= - u0. t = 0 alone gains wherever the point
/// was on its way out at the start of the step: flesh of high frequencies is so in every second step.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/runtime/ragdoll/RagdollSystem.h"

namespace pliant {

/// A point of the flesh at rest.
struct FleshPoint {
    int bones[4] = {0, 0, 0, 0};           ///< Bones that the point follows.
    double weights[4] = {0., 0., 0., 0.};  ///< Weights of the bones; their sum is 1.
    Vector3 rest = Vector3::Zero();        ///< Place x at rest, body frame, m.
    Matrix<double, 3, Eigen::Dynamic> U;   ///< Basis at the point, 3 x r, body frame.
};

/// A vertex of the simulation mesh.
PLIANT_INTERNAL_API FleshPoint fleshPoint(const CharacterModel& character, int vertex);
/// Where a point is, world, m. @param bones T_b @param q r
PLIANT_INTERNAL_API Vector3 placeOf(const FleshPoint& point, const std::vector<AffineMap>& bones,
                                    const Eigen::Ref<const VectorX>& q);

/// One direction of one point that pushes, P >= 0.
struct RagdollRow {
    VectorX onLimbs, onFlesh;  ///< The row J': 6 numbers a limb, and r.
    VectorX V, q1;             ///< P J': what an impulse of 1 N s changes, 6 numbers a limb, and r.
    double response = 0.0;     ///< Response J P J', 1/kg.
    double start = 0.0;        ///< Velocity u0 at the start of the step, m/s.
    double free = 0.0;         ///< Velocity J (V, q') at the end of the step without impulses, m/s.
    double target = 0.0;       ///< The least velocity u1 at the end of the step, m/s.
    double impulse = 0.0;      ///< Impulse P, N s.
};

/// J of a row, and u0. @param system placed at `bones`  @param normal n, world, unit  @param V, q1 of the step's start
PLIANT_INTERNAL_API void setUpRow(const RagdollSystem& system, const FleshPoint& point,
                                  const std::vector<AffineMap>& bones, const Eigen::Ref<const VectorX>& q,
                                  const Vector3& normal, const VectorX& V, const VectorX& q1, RagdollRow& row);
/// P J' and J P J' of a row. @param system factored  @param Y response of the flesh, r x r
PLIANT_INTERNAL_API void respondRow(const RagdollSystem& system, const MatrixX& Y, RagdollRow& row);
/// The least velocity at the end of a step: t = min(- u0, - gap / h), of a point that is within by a share of it.
/// @param gap to what it may touch, m; < 0: within  @param h s
PLIANT_INTERNAL_API double rowTarget(double start, double gap, double h);

/// Impulses on rows that push, by projected Gauss-Seidel from none. Where iterations end before rows agree and what
/// they have would gain energy, all impulses are made smaller by one factor, to W = 0.
/// @param rows with responses, u0 and targets  @param V, q1 of the step without impulses in, with them out
/// @return W, J, <= 0 but for rounding
PLIANT_INTERNAL_API double solveRows(std::vector<RagdollRow>& rows, int iterations, VectorX& V, VectorX& q1);

}  // namespace pliant
