// SPDX-License-Identifier: Zlib
// Internal: what a btPliantCharacter keeps beside a btPliantBody.
#pragma once

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <memory>
#include <vector>

#include "btPliant/data/RagdollData.h"
#include "pliant/collision/body/CollisionSkin.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/runtime/SkinForces.h"

class btPliantBody;

namespace btPliantInternal {

/// Characters of one model and base, whose forces are one product.
struct CharacterCrowd {
    CharacterCrowd(std::shared_ptr<const pliant::CharacterModel> of, pliant::RestShape shape)
        : base(shape), forces(std::move(of), shape) {
        stiffness.compute(forces.character().flesh->energy.linearStiffness);
    }

    pliant::RestShape base;
    pliant::SkinForces forces;
    std::shared_ptr<const pliant::CollisionSkin> skin;
    std::shared_ptr<const pliant::RagdollModel> limbs;  ///< Limbs of ragdolls, made for the first one.
    Eigen::LDLT<Eigen::MatrixXd> stiffness;             ///< Factored stiffness at rest, r x r.
    int characters = 0;
    // Of the step that is being made.
    std::vector<btPliantBody*> stepping;
    std::vector<const pliant::MovingFrame*> bones;
    std::vector<double> reduced;  ///< Forces on the coordinates, r a character.
};

/// Where an author has put a character, and how that moves.
struct Placement {
    pliant::RigidTransform now, next;  ///< Maps from the file's space to the world, at the substep's start and end.
    pliant::AffineMap velocity = pliant::AffineMap::Zero();  ///< Velocity in the last substep.
};

/// The bones that carry a material point.
struct Carriers {
    int bones[4] = {};
    double weights[4] = {};

    Carriers() = default;
    Carriers(const pliant::CharacterModel& model, const pliant::MaterialPoint& point) {
        weightsAt(model.skin.nodes, point, bones, weights);
    }
    /// Map sum_b w_b T_b, which carries the shape at rest.
    template <typename Maps>
    pliant::AffineMap map(const Maps& at) const {
        pliant::AffineMap sum = pliant::AffineMap::Zero();
        for (int k = 0; k < 4; ++k) sum += weights[k] * at[static_cast<std::size_t>(bones[k])];
        return sum;
    }
    /// B = sum_b w_b R_b: turns the bending, which scales of bones do not stretch.
    pliant::Matrix3 turn(const std::vector<pliant::AffineMap>& at) const {
        pliant::Matrix3 sum = pliant::Matrix3::Zero();
        for (int k = 0; k < 4; ++k) {
            const auto bone = at[static_cast<std::size_t>(bones[k])].leftCols<3>();
            if (weights[k] != 0.0) sum += weights[k] / bone.col(0).norm() * bone;
        }
        return sum;
    }
    /// Its rate where the bones' maps change by `rates`: (L' - L (l.l') / l.l) / |l| with a column l of L.
    template <typename Rates>
    pliant::Matrix3 turnRate(const std::vector<pliant::AffineMap>& at, const Rates& rates) const {
        pliant::Matrix3 sum = pliant::Matrix3::Zero();
        for (int k = 0; k < 4; ++k) {
            if (weights[k] == 0.0) continue;
            const auto bone = at[static_cast<std::size_t>(bones[k])].leftCols<3>();
            const pliant::Matrix3 rate = pliant::AffineMap(rates[static_cast<std::size_t>(bones[k])]).leftCols<3>();
            const double squared = bone.col(0).squaredNorm();
            sum += weights[k] / std::sqrt(squared) * (rate - bone.col(0).dot(rate.col(0)) / squared * bone);
        }
        return sum;
    }
};

struct CharacterData {
    std::shared_ptr<const pliant::CharacterModel> model;
    CharacterCrowd* crowd = nullptr;

    // What drives it.
    int clip = -1;  ///< Clip that drives it; -1: `pose` does.
    double speed = 1.0;
    double time = 0.0;  ///< Time since the start of the clip, s.
    pliant::Pose pose;
    Placement placement;
    BoneReturn back;                       ///< Way back from a ragdoll.
    std::unique_ptr<RagdollData> ragdoll;  ///< Ragdoll where nobody drives the bones, else null.

    // At the start of the substep.
    std::vector<pliant::AffineMap> bones, previousBones;  ///< Maps T_b, world, now and a substep before.
    /// Rates of `bones` in the last substep, 1/s; read by rate(), for they are written where somebody sets them alone.
    std::vector<pliant::AffineMap> rates;
    /// Length of the substep from `previousBones` to `bones`, s, whose differences are the rates; 0: `rates` are.
    double ratesStep = 0.0;
    pliant::VectorX lastForce;  ///< Force of the last substep, r.

    // At its end, once it has begun.
    double begunStep = 0.0;  ///< Length of the substep, s; 0: it has not begun.
    double nextTime = 0.0;
    double relativeWay = 0.0;                 ///< Most that bones carry the flesh by about the origin in it, m.
    bool isMoving = false;                    ///< Whether bones move in the substep.
    bool jumps = false;                       ///< Whether it begins with a jump: flesh is put to rest.
    bool hasJumped = false;                   ///< Whether it has begun with one: `rates` are those of the clip.
    std::vector<pliant::MovingFrame> frames;  ///< Frames T_b of the bones, world.
    std::vector<pliant::AffineMap> nextBones;

    // Of contacts in the last substep, a bone each.
    std::vector<pliant::Vector3> impulses, angularImpulses;  ///< Impulses, N s, and N m s about the bones' heads.
    bool isPushed = false;                                   ///< Whether any of them may be other than zero.

    std::vector<std::unique_ptr<btRigidBody>> boneBodies;  ///< Bodies of bones that were asked for.

    /// The rate of a bone in the last substep, 1/s.
    pliant::AffineMap rate(std::size_t bone) const {
        if (ratesStep > 0.0) return (bones[bone] - previousBones[bone]) / ratesStep;
        return rates[bone];
    }
    /// Writes all of them to `rates`.
    void formRates() {
        for (std::size_t b = 0; ratesStep > 0.0 && b < rates.size(); ++b) rates[b] = rate(b);
        ratesStep = 0.0;
    }
    int boneCount() const { return model->skeleton.boneCount(); }
    /// T_b of bone 0 takes the body frame's origin there, m.
    pliant::Vector3 origin(const std::vector<pliant::AffineMap>& at) const { return at.front().col(3); }
};

/// The rates of a character's bones, by bone, as Carriers takes them.
struct BoneRates {
    const CharacterData& character;

    pliant::AffineMap operator[](std::size_t bone) const { return character.rate(bone); }
};

}  // namespace btPliantInternal
