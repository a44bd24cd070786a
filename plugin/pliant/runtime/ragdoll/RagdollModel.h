// SPDX-License-Identifier: Zlib
/// @file
/// The limbs of a character whose bones nobody drives: rigid bodies that weigh what the flesh around them does.
#pragma once

#include <memory>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/runtime/ragdoll/BoneMasses.h"

namespace pliant {

/// A rigid part: a bone with flesh, and those without that ride on it.
struct Limb {
    int bone = -1;           ///< The bone with flesh.
    int parent = -1;         ///< The limb that it hangs on; -1: none.
    int joint = -1;          ///< The bone at whose head it hangs on `parent`; -1: it hangs on none.
    BoneMass mass;           ///< At rest, body frame.
    double outerMass = 0.0;  ///< Of this limb and of all that hang on it, kg.
    double lever = 0.0;      ///< From the joint to their common centre of mass, at rest, m.
};

/// Ranges of a joint: rotation of the limb from `middle` in the axes of its parent, as angles of turns about x, then
/// the turned y, then z.
struct JointRange {
    Matrix3 middle = Matrix3::Identity();  ///< Axes on the limb, body frame of the parent limb: R_parent' R_limb F.
    Matrix3 axes = Matrix3::Identity();    ///< F: the joint's axes at rest, body frame.
    Vector3 lower = Vector3::Zero(), upper = Vector3::Zero();  ///< Ends of the angles, rad; alike: the axis is locked.
};

/// Made once per CharacterModel, immutable.
struct PLIANT_INTERNAL_API RagdollModel {
    /// @throws Error at the name of the character's model for one whose bones have no joint between them, and for one
    /// whose bones carry no mass
    explicit RagdollModel(std::shared_ptr<const CharacterModel> of);

    std::shared_ptr<const CharacterModel> character;  ///< What it was made of.
    std::vector<Limb> limbs;                          ///< Parents before children; the first is the root.
    std::vector<int> limbOf;                          ///< B: the limb that each bone belongs to.
    std::vector<JointRange> ranges;                   ///< Of every limb, from the clips; the root's means nothing.

    int limbCount() const { return static_cast<int>(limbs.size()); }  ///< The number of limbs.
};

/// How far the joints of a character turn in its clips, widened by `room` of it and `margin` rad; a joint that turns
/// about one axis alone is a hinge. Characters without clips: `free` rad to both sides from their stance.
/// @return one a limb
std::vector<JointRange> jointRanges(const RagdollModel& model, double room, double margin, double free);

}  // namespace pliant
