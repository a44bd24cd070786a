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
    std::shared_ptr<const pliant::RagdollModel> limbs;  ///< made for the first ragdoll
    Eigen::LDLT<Eigen::MatrixXd> stiffness;             ///< at rest, r x r
    int characters = 0;
    // Of the step that is being made.
    std::vector<btPliantBody*> stepping;
    std::vector<const pliant::MovingFrame*> bones;
    std::vector<double> reduced;  ///< r a character
};

/// Where an author has put a character, and how that moves.
struct Placement {
    pliant::RigidTransform now, next;  ///< world from the space of the file, at the start and the end of the substep
    pliant::AffineMap velocity = pliant::AffineMap::Zero();  ///< in the last substep
};

/// The bones that carry a material point.
struct Carriers {
    int bones[4] = {};
    double weights[4] = {};

    Carriers() = default;
    Carriers(const pliant::CharacterModel& model, const pliant::MaterialPoint& point) {
        weightsAt(model.skin.nodes, point, bones, weights);
    }
    /// sum_b w_b T_b: carries the shape at rest.
    pliant::AffineMap map(const std::vector<pliant::AffineMap>& at) const {
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
    pliant::Matrix3 turnRate(const std::vector<pliant::AffineMap>& at,
                             const std::vector<pliant::AffineMap>& rates) const {
        pliant::Matrix3 sum = pliant::Matrix3::Zero();
        for (int k = 0; k < 4; ++k) {
            if (weights[k] == 0.0) continue;
            const auto bone = at[static_cast<std::size_t>(bones[k])].leftCols<3>();
            const auto rate = rates[static_cast<std::size_t>(bones[k])].leftCols<3>();
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
    int clip = -1;  ///< -1: `pose`
    double speed = 1.0;
    double time = 0.0;  ///< s, since the start of the clip
    pliant::Pose pose;
    Placement placement;
    BoneReturn back;                       ///< from a ragdoll
    std::unique_ptr<RagdollData> ragdoll;  ///< where nobody does, else null

    // At the start of the substep.
    std::vector<pliant::AffineMap> bones, previousBones;  ///< T_b, world; and a substep before
    std::vector<pliant::AffineMap> rates;                 ///< of `bones` in the last substep, 1/s
    pliant::VectorX lastForce;                            ///< r, of the last substep

    // At its end, once it has begun.
    double begunStep = 0.0;  ///< s; 0: it has not
    double nextTime = 0.0;
    double relativeWay = 0.0;                 ///< m, that bones carry the flesh by about the origin in it, at most
    bool isMoving = false;                    ///< bones move in it
    bool jumps = false;                       ///< it begins with a jump: flesh is put to rest
    bool hasJumped = false;                   ///< it has: `rates` are those of the clip
    std::vector<pliant::MovingFrame> local;   ///< in the space of the file
    std::vector<pliant::MovingFrame> frames;  ///< T_b, world
    std::vector<pliant::AffineMap> nextBones;

    // Of contacts in the last substep, a bone each.
    std::vector<pliant::Vector3> impulses, angularImpulses;  ///< N s; N m s about the bones' heads

    std::vector<std::unique_ptr<btRigidBody>> boneBodies;  ///< those that were asked for

    int boneCount() const { return model->skeleton.boneCount(); }
    /// T_b of bone 0 takes the body frame's origin there, m.
    pliant::Vector3 origin(const std::vector<pliant::AffineMap>& at) const { return at.front().col(3); }
};

}  // namespace btPliantInternal
