// SPDX-License-Identifier: Zlib
/// @file
/// A character in a Bullet world: bones that a clip or the user moves, and flesh on them that gives way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "btPliant/btPliantBody.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/PoseMotion.h"

/// What moves the bones of a character.
enum class btPliantDrive {
    Clip,    ///< A clip of the model, over and over (btPliantCharacter::play()).
    Pose,    ///< The user, pose by pose (btPliantCharacter::setPose()).
    Ragdoll  ///< Nobody: they fall, hang together and are pushed (btPliantCharacter::startRagdoll()).
};

/// What a character is made with. m_meshTransform and m_motionState are of the space of its file, in which its clips
/// are told: where the character stands. m_linearVelocity is how that place has moved up to now, so that one that
/// begins to walk feels no jolt; m_angularVelocity and m_kinematic do not count, the frame is always driven.
struct btPliantCharacterInfo : btPliantBodyInfo {
    std::optional<pliant::RestShape> m_base;      ///< Shape of the flesh in a pose; none: as the model says.
    btPliantDrive m_drive = btPliantDrive::Clip;  ///< What moves the bones at first.
    std::string m_clip;                           ///< Name of the clip; empty: the model's first, if it has one.
    double m_speed = 1.0;                         ///< Seconds of the clip in a second.
    double m_phase = 0.0;                         ///< Where in the clip it begins, as a share of its length.
    pliant::Pose m_pose;                          ///< Of btPliantDrive::Pose at first; empty: the file's stance.
};

/// A character of a model, made and owned by a btPliantSystem (btPliantSystem::createCharacter()).
///
/// Its bones are driven until startRagdoll(): nothing that touches it moves them, and their impulses are told
/// (getBoneImpulse()). The flesh between them is dynamic, feels their accelerations and poses, and gives way to what
/// touches it. A point that rests at x in the body frame is now at
///
///     p = sum_b w_b (T_b x + R_b U q)
///
/// with the maps T_b of the bones (getBones()) and their rotations R_b: bones that are scaled scale the shape at rest,
/// not the bending. Poses hold at the end of the substep that is to come, and the flesh
/// feels their velocities and accelerations: those of a clip's curves, and differences of what setPose() and
/// setMeshTransform() have asked for. So ask for a pose in every substep (in a pre-tick callback, or with steps of one
/// substep); what is asked for once is reached in one substep. When a bone comes farther than half of the body in one,
/// the character is put there with its flesh at rest.
///
/// Bullet's frame of the body follows the root of the skeleton and never turns: getWorldTransform() is where its
/// middle is. It is moved by setMeshTransform() or a motion state; Bullet's setWorldTransform() has no lasting effect.
class PLIANT_API btPliantCharacter : public btPliantBody {
public:
    ~btPliantCharacter() override;

    /// The object as a character, or null where it is none.
    static btPliantCharacter* upcast(btCollisionObject* object);
    /// The object as a character, or null where it is none.
    static const btPliantCharacter* upcast(const btCollisionObject* object);

    /// The character's model: skeleton, clips and flesh.
    const pliant::CharacterModel& getCharacter() const;
    /// The same, for those that keep it.
    std::shared_ptr<const pliant::CharacterModel> getSharedCharacter() const;
    /// The shape that its flesh takes in a pose.
    pliant::RestShape getBase() const;

    /// Plays a clip over and over from the next substep on.
    /// @param clip name of a clip of the model
    /// @param speed seconds of the clip in a second; below 0: backwards
    /// @param phase where to begin, as a share of the clip's length
    /// @return false where nothing was changed: no such clip, or a number that is not finite
    bool play(const std::string& clip, double speed = 1.0, double phase = 0.0);
    /// The pose at the end of the coming substep, until another is asked for.
    /// @param pose one frame a bone, bone -> parent
    /// @return false where nothing was changed: not one frame a bone, or numbers that cannot be
    bool setPose(const pliant::Pose& pose);
    /// Lets go of the bones: from the next substep on they are limbs that fall, hang together at their joints within
    /// the ranges of the model's clips, and are pushed by whatever touches the flesh. Limbs begin with the velocities
    /// that the bones had, flesh with its own. A ragdoll meets what stands only where its collision filter does: add a
    /// character with btBroadphaseProxy::DefaultFilter and AllFilter, for Bullet leaves out what stands for driven
    /// bodies by default. Its contacts have friction and restitution, the share of its speed that the point of the
    /// flesh that strikes leaves with, but neither rolling friction nor Bullet's contact stiffness; damping of the
    /// frame does not slow it. play(), setPose() and setMeshTransform() say what it goes back to.
    /// @return empty, or why nothing was changed: a world with Bullet's own solver, flesh of
    /// RestShape::Flesh that is not linear, an integrator that is not Newmark, a bone that is scaled, or a skeleton
    /// without joints between the parts that carry flesh
    std::string startRagdoll();
    /// Why startRagdoll() would change nothing as things stand.
    /// @return empty where it can fall, or is a ragdoll; else what startRagdoll() would say
    std::string getRagdollProblem() const;
    /// Has a ragdoll's bones driven again, by the clip or the pose that play() or setPose() have asked for, from where
    /// it is to where setMeshTransform() has put it (where it was let go, if nothing has): say so before, for a body
    /// that lies somewhere goes there through whatever is between. Bones go over without a jump of their velocities, so
    /// that the flesh feels none, joints in step with each other; the clip goes on from where it was let go.
    /// @param seconds that the bones take; 0: they are there at once, which puts the flesh to rest where it is far
    /// @return false where nothing was changed: it is no ragdoll, or a time that cannot be
    bool stopRagdoll(double seconds);
    /// What moves the bones.
    btPliantDrive getDrive() const;
    /// Name of the clip that is played; empty: none.
    std::string getClip() const;
    /// Seconds since the start of the clip, within it.
    double getClipTime() const;
    /// Seconds of the clip in a second.
    double getSpeed() const;

    /// T_b of every bone at the end of the last substep: body frame of the flesh -> world.
    /// @param bones resized to the number of bones
    void getBones(std::vector<pliant::AffineMap>& bones) const;
    /// The same where the picture is: between the last two substeps by the same fraction as
    /// getInterpolatedReducedCoordinates().
    void getInterpolatedBones(std::vector<pliant::AffineMap>& bones) const;
    /// Where a bone's own frame is, world: its head and its axes.
    btTransform getBoneTransform(int bone) const;
    /// A bone as a driven rigid body, to be held by constraints of Bullet's or Pliant's: its frame is
    /// getBoneTransform(). It collides with nothing, is not to be added to a world, and lives as long as the character.
    /// @throws pliant::Error where there is no such bone
    btRigidBody& getBoneBody(int bone);

    /// Impulse of all contacts of the last substep on a bone, N s, world: its share by the weights of the flesh that
    /// was touched. The sum over the bones is the impulse on the character.
    btVector3 getBoneImpulse(int bone) const;
    /// Angular impulse of the same about the bone's head, N m s, world.
    btVector3 getBoneAngularImpulse(int bone) const;

private:
    friend struct btPliantInternal::Access;
    btPliantCharacter(const btRigidBodyConstructionInfo& info, std::unique_ptr<Data> data);
};
