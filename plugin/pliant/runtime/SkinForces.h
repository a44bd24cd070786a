// SPDX-License-Identifier: Zlib
/// @file
/// What moving bones do to the flesh of many characters of one model, as one matrix product:
///
///     f_in,j   = - sum_bc  A_bc,j : [R_b' L''_c | R_b' (t''_c - g)]
///     f_pose,j = - sum_b/=c G_bc,j : [R_b' L_c - scale_b | R_b' (t_c - t_b)]
///
/// so that q'' + D q' + R(q) = f_in + f_pose (+ contacts). Of the motion of the frame B(x) the terms that are
/// proportional to q and q' are left out: the flesh is much stiffer than the bones turn fast.
#pragma once

#include <memory>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/PoseMotion.h"
#include "pliant/runtime/Workers.h"

namespace pliant {

/// The forcing of all characters of one model. Never throws or allocates after the largest numbers of characters and of
/// workers have been seen once.
class PLIANT_API SkinForces {
public:
    /// @param base whether the forcing of poses counts; RestShape::Skin: only inertia
    SkinForces(std::shared_ptr<const CharacterModel> character, RestShape base);
    ~SkinForces();
    /// Takes the memory over.
    SkinForces(SkinForces&&) noexcept;
    SkinForces& operator=(SkinForces&&) noexcept;  ///< Takes the memory over.

    /// Reduced forces of many characters. A character's bits depend on its bones and gravity alone.
    /// @param bones one list of B frames a character: T_b at the step's end, rest space (body frame) -> world
    /// @param gravity g, world, m/s^2
    /// @param forces r x count, column-major, N / sqrt(kg), written; what BodyBatch::addForce() takes. Forces of the
    /// step's end; for Integrator::Analytic, which keeps a force over the step, give the mean of its start and its end.
    /// @param workers threads that take part
    void evaluate(const std::vector<const MovingFrame*>& bones, const Vector3& gravity, double* forces,
                  const Workers& workers);

    /// The character's model.
    const CharacterModel& character() const;

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace pliant
