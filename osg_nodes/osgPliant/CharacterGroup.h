// SPDX-License-Identifier: Zlib
/// @file
/// N characters of one model in one instanced draw per material.
#pragma once

#include <memory>
#include <osg/Matrixd>
#include <vector>

#include "osgPliant/BodyGroup.h"
#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/PoseMotion.h"
#include "pliant/rig/Similarity.h"

namespace osgPliant {

/// N characters of one model in one instanced draw per material, or, with a Skin of a character, per geometry of a node
/// of the user's: bodies whose drawn vertices are carried by bones,
///
///     p = sum_b w_b T_b (x + U q)
///
/// (VertexBones.h), on the graphics card. Colours, levels of detail, shadows, picking and SoftwareDeformation are those
/// of a BodyGroup. It does not go into OpenSceneGraph's own files (.osgt, .osgb, .osgx), which do not hold bones: to
/// write one fails.
///
///     osg::ref_ptr<osgPliant::CharacterGroup> foxes = new osgPliant::CharacterGroup(character, 512);
///     scene->addChild(foxes);
///     // every frame, from any thread:
///     pliant::motionAt(character->skeleton, character->clips[0], time, bones);
///     foxes->setCharacter(i, bones, batch.q(slot).data());
///
/// The frame of a character (getWorldFromBody()) is then not turned, and moves with its first bone: numbers on the
/// graphics card stay small wherever the character is. setBody() places all of it, with the bones that it has.
class PLIANT_API CharacterGroup : public BodyGroup {
public:
    /// A group without a model, which draws nothing; for OpenSceneGraph's object wrappers.
    CharacterGroup() = default;
    /// A group of characters, hidden until their first setCharacter().
    /// @param character kept
    /// @param count see setBodyCount()
    explicit CharacterGroup(std::shared_ptr<const pliant::CharacterModel> character, int count = 0);
    /// The same with a geometry of a character, shared. One of a plain model draws plain bodies.
    explicit CharacterGroup(ModelGeometry* geometry, int count = 0);
    /// The same with a skin of a character, shared.
    explicit CharacterGroup(Skin* skin, int count = 0);
    /// Characters are copied, as bodies are.
    CharacterGroup(const CharacterGroup& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, CharacterGroup)

        /// The model of all characters; null where bodies are no characters.
        std::shared_ptr<const pliant::CharacterModel> getCharacterModel() const;
    /// The number B of bones; 0 without a model.
    int getBoneCount() const;

    /// Poses and bends a character, from any thread.
    /// @param character      0 .. getBodyCount() - 1; others are ignored
    /// @param worldFromBones T_b, B maps from the body frame of the flesh (in which bones are bound) to this node's
    ///                       coordinates; another number of them is ignored. Rotations with a scale, as
    ///                       pliant::motionAt() makes them
    /// @param q              r reduced coordinates; null: the skin alone
    void setCharacter(int character, const std::vector<pliant::AffineMap>& worldFromBones, const double* q);
    /// The same with what pliant::motionAt() makes.
    void setCharacter(int character, const std::vector<pliant::MovingFrame>& worldFromBones, const double* q);
    /// The same with what pliant::restToNow() makes.
    void setCharacter(int character, const std::vector<pliant::Similarity>& worldFromBones, const double* q);

    /// T_b of a character as of the last setCharacter() or setBody(). @param worldFromBones B maps, written
    /// @return false, and nothing is written, where it is not shown
    bool getCharacter(int character, std::vector<pliant::AffineMap>& worldFromBones, std::vector<double>& q) const;

protected:
    ~CharacterGroup() override = default;
};

}  // namespace osgPliant
