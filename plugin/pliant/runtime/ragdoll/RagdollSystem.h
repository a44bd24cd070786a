// SPDX-License-Identifier: Zlib
/// @file
/// Limbs and flesh of one character as one system, which answers impulses on both.
///
/// Limb i has the velocity V_i = (v, omega) of its mass centre c_i, a point of flesh p = sum_b w_b (T_b x + R_b U q):
///
///     2 T = sum_i m_i |v_i|^2 + omega_i' I_i omega_i + 2 V' H q' + |q'|^2
///     H_i q' = sum_bc int rho w_b w_c [1; (T_b x - c_i) x] R_c U q',      b of limb i
///
/// H holds what the flesh's own motion adds to the momenta of the limbs; it comes out of the integrals A_bc that tell
/// the flesh what the bones do to it (SkinForcing), so that both sides feel the same. Of second order and left out, as
/// there: what q itself changes of the arms. With the response Y of the flesh to an impulse in the step that it has
/// just made (BodyBatch::responses()), impulses (a, b) on limbs and flesh give
///
///     [[M, H], [H', Y^-1]] (V, q') = (a, b):      V = S^-1 (a - H Y b),  q' = Y b - Y H' V,      S = M - H Y H'
///
/// and whatever they are, both momenta of the whole change by what came from outside. Rows J V = u that joints hold
/// without a limit are part of the system: S^-1 becomes P = S^-1 - S^-1 J' (J S^-1 J')^-1 J S^-1, exactly, so that the
/// answer to any other impulse keeps the joints together. Pushing back the flesh's reaction of the last step instead
/// gains energy without bound where the flesh has more than a small share of the mass.
#pragma once

#include <memory>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/rig/PoseMotion.h"
#include "pliant/runtime/ragdoll/RagdollModel.h"

namespace pliant {

/// Of one character in one step. Never throws; allocates nothing once it has solved a step of the same size (and, with
/// it, one whose system is ill-conditioned), nor do calls that write what they give, where it has its size (beyond some
/// 20 limbs Eigen's products take working memory).
class PLIANT_INTERNAL_API RagdollSystem {
public:
    /// @param model shared  @param r the most coordinates of its flesh
    RagdollSystem(std::shared_ptr<const RagdollModel> model, int r);
    ~RagdollSystem();
    RagdollSystem(RagdollSystem&&) noexcept;             ///< Takes the memory over.
    RagdollSystem& operator=(RagdollSystem&&) noexcept;  ///< Takes the memory over.

    /// The limbs.
    const RagdollModel& model() const;
    /// Numbers of V: six a limb.
    int size() const;

    /// Places the limbs: evaluates M and H. @param bones T_b, B, without scales  @param r coordinates that move
    void place(const AffineMap* bones, int r);
    /// Mass centre of a limb, world, m.
    const Vector3& centre(int limb) const;
    /// M V + H q', six a limb: linear momentum, angular momentum about the mass centre. @param q1 q', r numbers
    VectorX momentum(const VectorX& V, const Eigen::Ref<const VectorX>& q1) const;
    /// The same, written.
    void momentum(const VectorX& V, const Eigen::Ref<const VectorX>& q1, VectorX& result) const;
    /// V of given momenta at a given q'.
    VectorX velocity(const VectorX& momentum, const Eigen::Ref<const VectorX>& q1) const;
    /// What passes between limbs that share flesh while they move with V, q staying: the couples - sum t_bc + sum t_cb
    /// of RagdollMotion.h, six a limb, the first three of them 0; N m. @param bones T_b, where the limbs were placed
    VectorX passing(const AffineMap* bones, const VectorX& V, const Eigen::Ref<const VectorX>& q1) const;
    /// The same, written.
    void passing(const AffineMap* bones, const VectorX& V, const Eigen::Ref<const VectorX>& q1, VectorX& couples) const;
    /// T of above with |q'|^2 / 2, J.
    double kineticEnergy(const Eigen::Ref<const VectorX>& V, const Eigen::Ref<const VectorX>& q1) const;
    /// H' of the present place, r x 6 limbs, whose responses factor() takes.
    const MatrixX& coupling() const;

    /// Factors the system. @param YH Y H', r x 6 limbs  @param joints J' of rows that hold without a limit, a column
    /// each; of rows that say the same the least impulses are taken  @param responds whether respond() follows
    void factor(const MatrixX& YH, const MatrixX& joints, bool responds = true);
    /// Answers impulses, joints held. @param a on limbs, 6 limbs, replaced by V  @param Yb Y b, r, replaced by q'
    void respond(Eigen::Ref<VectorX> a, Eigen::Ref<VectorX> Yb) const;
    /// The change of (V, q') by a free step and the joints' errors.
    /// @param V of the step's start  @param a impulses of the step on limbs  @param dq change of q' by the flesh's free
    /// step  @param targets J V at its end; empty: 0  @param dV written  @param dq1 further change of q', r, written
    void fall(const VectorX& V, const VectorX& a, const VectorX& dq, const VectorX& targets, VectorX& dV, VectorX& dq1);

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

/// Where limbs with velocities V are after h seconds, those of their mass centres: T_b of all bones, turned exactly.
/// @param bones T_b, B  @param next resized to B
PLIANT_INTERNAL_API void advance(const RagdollModel& model, const std::vector<AffineMap>& bones, const VectorX& V,
                                 double h, std::vector<AffineMap>& next);
/// Velocities of limbs whose bones move at given rates. @param rates of T_b, 1/s
PLIANT_INTERNAL_API VectorX limbVelocities(const RagdollModel& model, const std::vector<AffineMap>& bones,
                                           const std::vector<AffineMap>& rates);
/// Rates of all T_b of limbs that move at V, and their second derivatives where V stays as it is.
PLIANT_INTERNAL_API void boneMotions(const RagdollModel& model, const std::vector<AffineMap>& bones, const VectorX& V,
                                     std::vector<MovingFrame>& frames);

}  // namespace pliant
