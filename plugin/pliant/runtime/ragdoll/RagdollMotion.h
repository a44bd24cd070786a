// SPDX-License-Identifier: Zlib
/// @file
/// How limbs and flesh of a ragdoll go on where nothing acts on them: the other half of RagdollSystem's step.
///
/// RagdollSystem finds velocities at a place of the limbs that stands still, and its impulses gain nothing there. Here
/// the limbs move, q stays, and T(X; V, q') of RagdollSystem.h alone decides: of Lagrange's equations of T remain, with
/// f_c = int rho w_b w_c R_c U q' and G = int rho w_b w_c (T_b x - c_i) (R_c U q')' of every pair of bones, b of limb i
/// and c of limb j,
///
///     p_i' = 0,    (H'V + q')' = 0,    l_i' = - v_i x p_i - sum_(b of i) t_bc + sum_(c of i) t_bc
///     t_bc = f_c x v_i + w_i tr G - G w_i
///
/// p_i = m_i v_i + .. and l_i as RagdollSystem::momentum() has them. The couples t_bc pass between limbs that share
/// flesh, so that linear and angular momentum of the whole are kept exactly, whatever the step; the explicit midpoint
/// rule is of second order. After it
///
/// - joints hold: limbs are put where their joints meet and where these have their ranges, by turns first, then by
///   places from the root outwards, with the mass centre of what hangs together where its momentum takes it; l_i
///   takes up - (way of c_i) x p_i, whatever way that was;
/// - velocities obey the joints: the impulses that do so take the least of T;
/// - T has not grown. With the velocities of the whole as one rigid body, z_r, the smallest T of the same momenta is
///   T(z_r), and T(z_r + s (z - z_r)) = T(z_r) + s^2 T(z - z_r): s takes back what is too much. Where T(z_r) alone is
///   too much, for limbs that were drawn in further than they have energy for, or a body that tumbles by too much in a
///   step, all limbs turn together about the angular momentum instead. That changes neither it nor T, by any angle.
#pragma once

#include <vector>

#include "pliant/runtime/ragdoll/RagdollSystem.h"

namespace pliant {

/// What holds a limb on its parent.
struct LimbHold {
    bool isJoined = false;  ///< They meet at the head of Limb::joint.
    JointRange range;       ///< Angles kept within; lower > upper: no limit of that angle.
};

/// A ragdoll that moves.
struct RagdollMotion {
    std::vector<AffineMap> bones;  ///< Bone maps T_b.
    VectorX V;                     ///< Of the limbs, 6 each.
    VectorX q1;                    ///< Velocities q', r.
};

/// Working memory of moveOn(), kept from step to step.
struct MotionScratch {
    RagdollMotion next, trial;
    VectorX limbs, flesh, passing, momenta, rest, dq, rigid;
    MatrixX joints;
    std::vector<Vector3> startCentres, centres;
};

/// Moves limbs for h seconds, and what they and their flesh have of velocities with them. Momenta of the whole are
/// kept, and kinetic energy does not grow.
/// Allocates nothing once `scratch` has been through a step.
/// @param system placed at motion.bones; left at the new ones  @param holds one a limb  @param h s
PLIANT_INTERNAL_API void moveOn(RagdollSystem& system, const std::vector<LimbHold>& holds, double h,
                                RagdollMotion& motion, MotionScratch& scratch);
/// The same with working memory of its own.
PLIANT_INTERNAL_API void moveOn(RagdollSystem& system, const std::vector<LimbHold>& holds, double h,
                                RagdollMotion& motion);

/// Puts limbs where their joints meet, within their ranges. Of a gap, or an angle beyond its range, that was there at
/// `start` a fifth goes. Where nothing is to be done bones keep their bits.
/// @param centres one a limb, where mass centres are to be; what hangs together has its common one there
/// @param start T_b of the step's start  @param bones T_b, changed
PLIANT_INTERNAL_API void joinLimbs(const RagdollModel& model, const std::vector<LimbHold>& holds,
                                   const std::vector<Vector3>& centres, const std::vector<AffineMap>& start,
                                   std::vector<AffineMap>& bones);

/// Angles (a, b, c) of a rotation Rx(a) Ry(b) Rz(c), as those of JointRange.
PLIANT_INTERNAL_API Vector3 jointAngles(const Matrix3& turn);

}  // namespace pliant
