// SPDX-License-Identifier: Zlib
#include "pliant/runtime/ragdoll/RagdollMotion.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/ragdoll/JointRows.h"

namespace pliant {
namespace {

constexpr double kEnergyRounding = 1e-12;  ///< of T
constexpr double kLargestTurn = 0.1;       ///< rad, by which what tumbles may be put right
constexpr int kTurns = 4;                  ///< iterations of it

/// The whole as one rigid body.
struct Whole {
    double mass = 0.0;
    Vector3 centre = Vector3::Zero();   ///< of the limbs
    Vector3 linear = Vector3::Zero();   ///< P
    Vector3 angular = Vector3::Zero();  ///< L about the centre
    Vector3 spin = Vector3::Zero();     ///< I^-1 L
    double energy = 0.0;                ///< the least T of these momenta

    /// @param momenta RagdollSystem::momentum()
    Whole(const RagdollSystem& system, const std::vector<AffineMap>& bones, const VectorX& momenta) {
        const Matrix3 inertia = weigh(system, bones);
        for (int i = 0; i < system.model().limbCount(); ++i) {
            linear += momenta.segment<3>(6 * i);
            angular += Vector3(momenta.segment<3>(6 * i + 3)) +
                       Vector3(system.centre(i) - centre).cross(Vector3(momenta.segment<3>(6 * i)));
        }
        spinAt(inertia);
    }
    /// The same momenta, elsewhere.
    Whole(const RagdollSystem& system, const std::vector<AffineMap>& bones, const Whole& other)
        : linear(other.linear), angular(other.angular) {
        spinAt(weigh(system, bones));
    }
    /// Mass, centre, and inertia about it, which is returned.
    Matrix3 weigh(const RagdollSystem& system, const std::vector<AffineMap>& bones) {
        const auto& limbs = system.model().limbs;
        for (std::size_t i = 0; i < limbs.size(); ++i) {
            mass += limbs[i].mass.mass;
            centre += limbs[i].mass.mass * system.centre(static_cast<int>(i));
        }
        centre /= mass;
        Matrix3 inertia = Matrix3::Zero();
        for (std::size_t i = 0; i < limbs.size(); ++i) {
            const Vector3 arm = system.centre(static_cast<int>(i)) - centre;
            const Matrix3 R = bones[static_cast<std::size_t>(limbs[i].bone)].leftCols<3>();
            inertia += R * limbs[i].mass.inertia * R.transpose() +
                       limbs[i].mass.mass * (arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose());
        }
        return inertia;
    }
    void spinAt(const Matrix3& inertia) {
        spin = inertia.ldlt().solve(angular);
        energy = 0.5 * (linear.squaredNorm() / mass + angular.dot(spin));
    }
    /// V of all limbs.
    VectorX velocity(const RagdollSystem& system) const {
        VectorX V(system.size());
        for (int i = 0; i < system.model().limbCount(); ++i) {
            V.segment<3>(6 * i) = linear / mass + spin.cross(Vector3(system.centre(i) - centre));
            V.segment<3>(6 * i + 3) = spin;
        }
        return V;
    }
};

std::vector<Vector3> centresOf(const RagdollSystem& system) {
    std::vector<Vector3> centres;
    for (int i = 0; i < system.model().limbCount(); ++i) centres.push_back(system.centre(i));
    return centres;
}

/// What goes along: momenta of limbs and flesh where they were.
struct Carried {
    VectorX limbs, flesh;
    std::vector<Vector3> centres;
};

/// To where the limbs go with V in h seconds, by what passes between them at V and q'.
/// @param to its V and q1 in: of the way; out: of its end
void carry(RagdollSystem& system, const std::vector<LimbHold>& holds, const Carried& from,
           const std::vector<AffineMap>& start, const VectorX& passing, double h, RagdollMotion& to) {
    const RagdollModel& model = system.model();
    std::vector<Vector3> centres = from.centres;
    for (std::size_t i = 0; i < centres.size(); ++i)
        centres[i] += h * to.V.segment<3>(6 * static_cast<Eigen::Index>(i));
    advance(model, start, to.V, h, to.bones);
    joinLimbs(model, holds, centres, start, to.bones);
    system.place(to.bones.data(), static_cast<int>(to.q1.size()));
    VectorX momenta = from.limbs + h * passing;
    for (int i = 0; i < model.limbCount(); ++i) {
        const Vector3 way = system.centre(i) - from.centres[static_cast<std::size_t>(i)];
        momenta.segment<3>(6 * i + 3) -= way.cross(Vector3(momenta.segment<3>(6 * i)));
    }
    const MatrixX J = jointRows(system, holds, to.bones);
    system.factor(system.coupling(), J, false);
    const VectorX rest = VectorX::Zero(system.size());
    VectorX V, dq;
    system.fall(rest, momenta, from.flesh, VectorX::Zero(J.cols()), V, dq);
    to.V = V;
    to.q1 = from.flesh + dq;
}

/// All limbs turn about an axis through the mass centre of the whole, which moves.
void turnTogether(const Whole& whole, const Matrix3& turn, const Vector3& way, std::vector<AffineMap>& bones) {
    for (AffineMap& bone : bones) {
        bone.leftCols<3>() = Rotation(Matrix3(turn * bone.leftCols<3>())).normalized().toRotationMatrix();
        bone.col(3) = whole.centre + way + turn * (bone.col(3) - whole.centre);
    }
}

Matrix3 turnAbout(const Vector3& vector) {
    const double angle = vector.norm();
    return angle > 0.0 ? Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix() : Matrix3(Matrix3::Identity());
}

/// What spins as one body and has more energy than it may is turned to where the same momenta have less of it: dT of a
/// turn n of the body is n.(w x L). @return whether there is such a place near
bool turnToEnergy(RagdollSystem& system, Whole whole, double most, RagdollMotion& motion) {
    RagdollMotion trial = motion;
    trial.q1.setZero();
    for (int k = 0; k < kTurns; ++k) {
        if (whole.energy <= most) {
            trial.V = whole.velocity(system);
            motion = trial;
            return true;
        }
        const Vector3 slope = whole.spin.cross(whole.angular);
        const double steep = slope.norm(), excess = whole.energy - most * (1.0 - kEnergyRounding);
        if (!(excess <= kLargestTurn * steep)) return false;
        turnTogether(whole, turnAbout(-(excess / (steep * steep)) * slope), Vector3::Zero(), trial.bones);
        system.place(trial.bones.data(), static_cast<int>(trial.q1.size()));
        whole = Whole(system, trial.bones, whole);
    }
    return false;
}

/// All limbs turn about the angular momentum, which changes neither it nor T.
void turnAsOne(RagdollSystem& system, const Whole& start, double h, RagdollMotion& motion) {
    const double size = start.angular.squaredNorm();
    const Vector3 angle =
        size > 0.0 ? Vector3(h * start.spin.dot(start.angular) / size * start.angular) : Vector3(Vector3::Zero());
    const Matrix3 turn = turnAbout(angle);
    const Vector3 drift = start.linear / start.mass;
    turnTogether(start, turn, h * drift, motion.bones);
    for (int i = 0; i < system.model().limbCount(); ++i) {
        motion.V.segment<3>(6 * i) = drift + turn * (Vector3(motion.V.segment<3>(6 * i)) - drift);
        motion.V.segment<3>(6 * i + 3) = turn * Vector3(motion.V.segment<3>(6 * i + 3));
    }
}

}  // namespace

void moveOn(RagdollSystem& system, const std::vector<LimbHold>& holds, double h, RagdollMotion& motion) {
    const double before = system.kineticEnergy(motion.V, motion.q1);
    if (before == 0.0) return;
    const Carried from{system.momentum(motion.V, motion.q1), system.coupling() * motion.V + motion.q1,
                       centresOf(system)};
    const Whole start(system, motion.bones, from.limbs);
    RagdollMotion next = motion;
    carry(system, holds, from, motion.bones, system.passing(motion.bones.data(), motion.V, motion.q1), 0.5 * h, next);
    carry(system, holds, from, motion.bones, system.passing(next.bones.data(), next.V, next.q1), h, next);
    const double after = system.kineticEnergy(next.V, next.q1);
    if (after > before) {
        const Whole whole(system, next.bones, system.momentum(next.V, next.q1));
        if (whole.energy <= before) {
            const VectorX rigid = whole.velocity(system);
            const double share = std::sqrt((before - whole.energy) / (after - whole.energy));
            next.V = rigid + share * (next.V - rigid);
            next.q1 *= share;
        } else if (!turnToEnergy(system, whole, before, next)) {
            next = motion;
            turnAsOne(system, start, h, next);
        }
        system.place(next.bones.data(), static_cast<int>(next.q1.size()));
    }
    motion = next;
}

}  // namespace pliant
