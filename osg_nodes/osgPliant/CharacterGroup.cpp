// SPDX-License-Identifier: Zlib
#include "osgPliant/CharacterGroup.h"

#include <algorithm>

#include "osgPliant/BodyGroupData.h"
#include "osgPliant/Conversions.h"

namespace osgPliant {

namespace {

osg::ref_ptr<ModelGeometry> geometryOf(std::shared_ptr<const pliant::CharacterModel> character) {
    return new ModelGeometry(std::move(character));
}

}  // namespace

CharacterGroup::CharacterGroup(std::shared_ptr<const pliant::CharacterModel> character, int count)
    : BodyGroup(geometryOf(std::move(character)), count) {}

CharacterGroup::CharacterGroup(ModelGeometry* geometry, int count) : BodyGroup(geometry, count) {}

CharacterGroup::CharacterGroup(Skin* skin, int count) : BodyGroup(skin, count) {}

CharacterGroup::CharacterGroup(const CharacterGroup& other, const osg::CopyOp& copyop) : BodyGroup(other, copyop) {}

std::shared_ptr<const pliant::CharacterModel> CharacterGroup::getCharacterModel() const {
    if (getSkin()) return getSkin()->getCharacter();
    return getModelGeometry() ? getModelGeometry()->getCharacter() : nullptr;
}

int CharacterGroup::getBoneCount() const {
    return getDeformation() ? getDeformation()->getBoneCount() : 0;
}

void CharacterGroup::setCharacter(int character, const std::vector<pliant::AffineMap>& worldFromBones,
                                  const double* q) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    BodyStates& states = _data->written;
    if (!states.has(character) || states.boneCount == 0 ||
        worldFromBones.size() != static_cast<std::size_t>(states.boneCount))
        return;
    states.setBones(character, worldFromBones.data());
    if (q)
        std::copy(q, q + states.dimension, states.qOf(character));
    else
        std::fill_n(states.qOf(character), states.dimension, 0.0);
    _data->changed = true;
}

void CharacterGroup::setCharacter(int character, const std::vector<pliant::MovingFrame>& worldFromBones,
                                  const double* q) {
    std::vector<pliant::AffineMap> maps;
    maps.reserve(worldFromBones.size());
    for (const pliant::MovingFrame& bone : worldFromBones) maps.push_back(bone.map);
    setCharacter(character, maps, q);
}

void CharacterGroup::setCharacter(int character, const std::vector<pliant::Similarity>& worldFromBones,
                                  const double* q) {
    std::vector<pliant::AffineMap> maps;
    maps.reserve(worldFromBones.size());
    for (const pliant::Similarity& bone : worldFromBones) maps.push_back(pliant::MovingFrame::still(bone).map);
    setCharacter(character, maps, q);
}

bool CharacterGroup::getCharacter(int character, std::vector<pliant::AffineMap>& worldFromBones,
                                  std::vector<double>& q) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    const BodyStates& states = _data->written;
    if (!states.drawn(character)) return false;
    const pliant::RigidTransform frame = fromOsg(states.body(character).worldFromBody);
    worldFromBones.assign(states.bonesOf(character), states.bonesOf(character) + states.boneCount);
    for (pliant::AffineMap& bone : worldFromBones) {
        bone = (frame.rotation * bone).eval();
        bone.col(3) += frame.translation;
    }
    q.assign(states.qOf(character), states.qOf(character) + states.dimension);
    return true;
}

}  // namespace osgPliant
