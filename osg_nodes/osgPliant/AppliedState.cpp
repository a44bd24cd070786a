// SPDX-License-Identifier: Zlib
#include "osgPliant/AppliedState.h"

#include <algorithm>
#include <osgUtil/PositionalStateContainer>
#include <osgUtil/RenderStage>

#include "osgPliant/ForeseenShadow.h"

namespace osgPliant {

namespace {

using osg::StateAttribute;

/// The value that wins among those that `find` gets from the sets, root first; `find` gives null for none.
template <typename Find>
auto winner(const std::vector<const osg::StateSet*>& sets, Find find, StateAttribute::OverrideValue& flags)
    -> decltype(find(*sets.front(), flags)) {
    decltype(find(*sets.front(), flags)) best{};
    StateAttribute::OverrideValue bestFlags = 0;
    bool any = false;
    for (const osg::StateSet* set : sets) {
        StateAttribute::OverrideValue own = 0;
        const auto value = find(*set, own);
        if (!value) continue;
        if (any && (bestFlags & StateAttribute::OVERRIDE) && !(own & StateAttribute::PROTECTED)) continue;
        best = value;
        bestFlags = own;
        any = true;
    }
    flags = bestFlags;
    return best;
}

const StateAttribute* find(const osg::StateSet::AttributeList& list, StateAttribute::Type type,
                           StateAttribute::OverrideValue& flags) {
    const auto found = list.find(StateAttribute::TypeMemberPair(type, 0));
    if (found == list.end()) return nullptr;
    flags = found->second.second;
    return found->second.first.get();
}

bool find(const osg::StateSet::ModeList& list, GLenum mode, StateAttribute::OverrideValue& flags) {
    const auto found = list.find(mode);
    if (found == list.end()) return false;
    flags = found->second;
    return true;
}

/// Whether a state set has neither modes nor attributes, as placeholders have none. Its uniforms and defines are of no
/// account: they do not tell placeholders from others.
bool hasNoState(const osg::StateSet& set) {
    return set.getModeList().empty() && set.getAttributeList().empty() && set.getTextureModeList().empty() &&
           set.getTextureAttributeList().empty();
}

}  // namespace

bool drawsDepthAlone(osgUtil::CullVisitor& visitor) {
    osg::Camera* camera = visitor.getCurrentCamera();
    if (!camera || camera->getBufferAttachmentMap().empty()) return false;
    for (const auto& [buffer, attachment] : camera->getBufferAttachmentMap()) {
        if (buffer != osg::Camera::DEPTH_BUFFER && buffer != osg::Camera::PACKED_DEPTH_STENCIL_BUFFER) return false;
    }
    return true;
}

AppliedState::AppliedState(osgUtil::CullVisitor& visitor) : _visitor(visitor) {
    for (const osgUtil::StateGraph* graph = visitor.getCurrentStateGraph(); graph; graph = graph->_parent) {
        const osg::StateSet* set = graph->getStateSet();
        if (!set) continue;
        const osg::ref_ptr<osg::StateSet> foreseen = hasNoState(*set) ? foreseenShadowState(visitor, *set) : nullptr;
        if (foreseen) _foreseen.push_back(foreseen);
        _sets.push_back(foreseen ? foreseen.get() : set);
    }
    std::reverse(_sets.begin(), _sets.end());
}

bool AppliedState::isOn(GLenum mode) const {
    StateAttribute::OverrideValue flags = 0;
    if (_sets.empty()) return false;
    winner(
        _sets, [&](const osg::StateSet& set, auto& own) { return find(set.getModeList(), mode, own); }, flags);
    return (flags & StateAttribute::ON) != 0;
}

bool AppliedState::isTextureModeOn(unsigned int unit, GLenum mode) const {
    StateAttribute::OverrideValue flags = 0;
    if (_sets.empty()) return false;
    const auto look = [&](const osg::StateSet& set, StateAttribute::OverrideValue& own) {
        return unit < set.getTextureModeList().size() && find(set.getTextureModeList()[unit], mode, own);
    };
    winner(_sets, look, flags);
    return (flags & StateAttribute::ON) != 0;
}

const StateAttribute* AppliedState::getAttribute(StateAttribute::Type type) const {
    StateAttribute::OverrideValue flags = 0;
    if (_sets.empty()) return nullptr;
    return winner(
        _sets, [&](const osg::StateSet& set, auto& own) { return find(set.getAttributeList(), type, own); }, flags);
}

const StateAttribute* AppliedState::getTextureAttribute(unsigned int unit, StateAttribute::Type type) const {
    StateAttribute::OverrideValue flags = 0;
    const auto look = [&](const osg::StateSet& set, StateAttribute::OverrideValue& own) {
        const osg::StateSet::TextureAttributeList& list = set.getTextureAttributeList();
        return unit < list.size() ? find(list[unit], type, own) : nullptr;
    };
    if (!_sets.empty()) {
        if (const StateAttribute* attribute = winner(_sets, look, flags)) return attribute;
    }
    osgUtil::RenderStage* stage = _visitor.getCurrentRenderBin() ? _visitor.getCurrentRenderBin()->getStage() : nullptr;
    if (!stage) return nullptr;
    const auto& placed = stage->getPositionalStateContainer()->getTexUnitAttrMatrixListMap();
    const auto onUnit = placed.find(unit);
    if (onUnit == placed.end()) return nullptr;
    for (auto last = onUnit->second.rbegin(); last != onUnit->second.rend(); ++last) {
        if (last->first->getType() == type) return last->first.get();
    }
    return nullptr;
}

unsigned int AppliedState::getTextureUnitCount() const {
    std::size_t count = 0;
    for (const osg::StateSet* set : _sets)
        count = std::max({count, set->getTextureAttributeList().size(), set->getTextureModeList().size()});
    return static_cast<unsigned int>(count);
}

}  // namespace osgPliant
