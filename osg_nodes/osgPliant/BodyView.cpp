// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyView.h"

namespace osgPliant {

namespace {

/// A frame with more passes than this is one whose number does not count up: nobody has set its stamp.
constexpr std::size_t mostPasses = 64;

}  // namespace

BodyPass& BodyView::nextPass(const osgUtil::CullVisitor& visitor) {
    if (_frame != visitor.getTraversalNumber() || _used == mostPasses) _used = 0;
    _frame = visitor.getTraversalNumber();
    if (_used == _passes.size()) _passes.push_back(_makePass());
    return *_passes[_used++];
}

void BodyView::dirtyBounds() {
    for (const auto& pass : _passes) pass->dirtyBounds();
}

void BodyView::resizeGLObjectBuffers(unsigned int maxSize) {
    for (const auto& pass : _passes) pass->resizeGLObjectBuffers(maxSize);
    _plain.resizeGLObjectBuffers(maxSize);
}

void BodyView::releaseGLObjects(osg::State* state) const {
    for (const auto& pass : _passes) pass->releaseGLObjects(state);
    _plain.releaseGLObjects(state);
}

}  // namespace osgPliant
