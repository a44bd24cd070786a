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
    void velocity(const RagdollSystem& system, VectorX& V) const {
        V.resize(system.size());
        for (int i = 0; i < system.model().limbCount(); ++i) {
            V.segment<3>(6 * i) = linear / mass + spin.cross(Vector3(system.centre(i) - centre));
            V.segment<3>(6 * i + 3) = spin;
        }
    }
};

/// To where the limbs go with V in h seconds, by what passes between them at V and q'. What goes along are the momenta
/// of limbs and flesh where they were, scratch.limbs and scratch.flesh.
/// @param to its V and q1 in: of the way; out: of its end
void carry(RagdollSystem& system, const std::vector<LimbHold>& holds, const std::vector<AffineMap>& start, double h,
           RagdollMotion& to, MotionScratch& scratch) {
    const RagdollModel& model = system.model();
    scratch.centres = scratch.startCentres;
    for (std::size_t i = 0; i < scratch.centres.size(); ++i)
        scratch.centres[i] += h * to.V.segment<3>(6 * static_cast<Eigen::Index>(i));
    advance(model, start, to.V, h, to.bones);
    joinLimbs(model, holds, scratch.centres, start, to.bones);
    system.place(to.bones.data(), static_cast<int>(to.q1.size()));
    scratch.momenta = scratch.limbs + h * scratch.passing;
    for (int i = 0; i < model.limbCount(); ++i) {
        const Vector3 way = system.centre(i) - scratch.startCentres[static_cast<std::size_t>(i)];
        scratch.momenta.segment<3>(6 * i + 3) -= way.cross(Vector3(scratch.momenta.segment<3>(6 * i)));
    }
    jointRows(system, holds, to.bones, scratch.joints);
    system.factor(system.coupling(), scratch.joints, false);
    scratch.rest.setZero(system.size());
    static const VectorX none;
    system.fall(scratch.rest, scratch.momenta, scratch.flesh, none, to.V, scratch.dq);
    to.q1 = scratch.flesh + scratch.dq;
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
/// turn n of the body is n.(w x L). @param trial working memory  @return whether there is such a place near
bool turnToEnergy(RagdollSystem& system, Whole whole, double most, RagdollMotion& trial, RagdollMotion& motion) {
    trial = motion;
    trial.q1.setZero();
    for (int k = 0; k < kTurns; ++k) {
        if (whole.energy <= most) {
            whole.velocity(system, trial.V);
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

void moveOn(RagdollSystem& system, const std::vector<LimbHold>& holds, double h, RagdollMotion& motion,
            MotionScratch& scratch) {
    const double before = system.kineticEnergy(motion.V, motion.q1);
    if (before == 0.0) return;
    system.momentum(motion.V, motion.q1, scratch.limbs);
    scratch.flesh = motion.q1;
    scratch.flesh.noalias() += system.coupling() * motion.V;
    scratch.startCentres.clear();
    for (int i = 0; i < system.model().limbCount(); ++i) scratch.startCentres.push_back(system.centre(i));
    const Whole start(system, motion.bones, scratch.limbs);
    RagdollMotion& next = scratch.next;
    next = motion;
    system.passing(motion.bones.data(), motion.V, motion.q1, scratch.passing);
    carry(system, holds, motion.bones, 0.5 * h, next, scratch);
    system.passing(next.bones.data(), next.V, next.q1, scratch.passing);
    carry(system, holds, motion.bones, h, next, scratch);
    const double after = system.kineticEnergy(next.V, next.q1);
    if (after > before) {
        system.momentum(next.V, next.q1, scratch.momenta);
        const Whole whole(system, next.bones, scratch.momenta);
        if (whole.energy <= before) {
            whole.velocity(system, scratch.rigid);
            const double share = std::sqrt((before - whole.energy) / (after - whole.energy));
            next.V = scratch.rigid + share * (next.V - scratch.rigid);
            next.q1 *= share;
        } else if (!turnToEnergy(system, whole, before, scratch.trial, next)) {
            next = motion;
            turnAsOne(system, start, h, next);
        }
        system.place(next.bones.data(), static_cast<int>(next.q1.size()));
    }
    motion = next;
}

void moveOn(RagdollSystem& system, const std::vector<LimbHold>& holds, double h, RagdollMotion& motion) {
    MotionScratch scratch;
    moveOn(system, holds, h, motion, scratch);
}

}  // namespace pliant
