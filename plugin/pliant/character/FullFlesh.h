// SPDX-License-Identifier: Zlib
// The full StVK model of a character's flesh, its cores carried by the bones: what reduced flesh is measured against.
//
//     M u'' + betaK K(u) u' + f(u) = M g on the free coordinates, the held ones at T_b x
#pragma once

#include <memory>
#include <vector>

#include "pliant/fem/FullModel.h"
#include "pliant/fem/Restriction.h"
#include "pliant/fem/SymmetricSolver.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/PoseMotion.h"

namespace pliant {

/// Implicit Newmark (1/4, 1/2) with Newton's method to convergence; consistent mass.
class FullFlesh {
public:
    /// @param bones T_b that the flesh begins in, moving with them as its skin does
    /// @param timeStep h, s  @param stiffnessDamping betaK, s, on the current stiffness
    FullFlesh(std::shared_ptr<const CharacterModel> character, const std::vector<MovingFrame>& bones, double timeStep,
              double stiffnessDamping = 0.0);

    /// One step. @param bones T_b at its end, with velocities and accelerations  @param gravity m/s^2, world
    /// @throws Error where Newton's method does not converge: the mesh has been turned inside out
    void step(const std::vector<MovingFrame>& bones, const Vector3& gravity);

    /// Equilibrium in a pose as if it stood still, reached from where the flesh is; velocities become the skin's, and
    /// accelerations those that follow.
    /// @throws Error likewise
    void settle(const std::vector<MovingFrame>& bones, const Vector3& gravity);

    const Points& positions() const { return m_now; }  ///< Places of the vertices, 3 x n, world, m.

private:
    void moveAsSkin(std::vector<MovingFrame> bones);
    void carryHeld(const std::vector<MovingFrame>& bones);
    /// How accelerations and velocities depend on how far the flesh is from where a solution starts.
    struct Rates {
        double accelerationFactor = 0.0, velocityFactor = 0.0;  ///< 1/s^2, 1/s
        VectorX acceleration, velocity;                         ///< 3n, at the start
    };
    void solve(const Vector3& gravity, const Rates& rates);
    void balanceAccelerations(const Vector3& gravity);

    std::shared_ptr<const CharacterModel> m_character;
    FullModel m_full;
    Restriction m_free;
    SymmetricSolver m_solver;
    double m_h, m_damping;
    double m_largestForce = 0.0;         ///< Norm of the forces of strains of 100 %, N.
    Points m_now;                        ///< Places of the vertices, 3 x n, m.
    Points m_skin;                       ///< Places where the skin alone would have them, 3 x n, m.
    VectorX m_velocity, m_acceleration;  ///< Velocities and accelerations of the vertices, 3n.
    SparseMatrix m_K;
};

}  // namespace pliant
