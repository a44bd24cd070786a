// SPDX-License-Identifier: Zlib
// What one cull visitor draws of a BodyGroup: the passes of a frame.
#pragma once

#include <functional>
#include <memory>
#include <osg/observer_ptr>
#include <vector>

#include "osgPliant/BodyPass.h"
#include "osgPliant/CulledFrames.h"
#include "osgPliant/PlainBodies.h"

namespace osgPliant {

/// A cull visitor has its own, so that cameras which cull at the same time share nothing. It is of no use any more when
/// its visitor is gone.
class BodyView {
public:
    using MakePass = std::function<std::unique_ptr<BodyPass>()>;

    BodyView(osgUtil::CullVisitor& visitor, MakePass makePass) : _visitor(&visitor), _makePass(std::move(makePass)) {}

    bool isOf(const osgUtil::CullVisitor& visitor) const { return _visitor.get() == &visitor; }
    bool isDead() const { return !_visitor.valid(); }

    /// The next pass of the visitor's frame: an order, levels of detail and a buffer of its own, for what was promised
    /// to a mirror or a shadow map still has to be there when it is drawn.
    BodyPass& nextPass(const osgUtil::CullVisitor& visitor);

    /// Passes of the frame so far.
    std::size_t getPassCount() const { return _used; }

    /// Where frames begin, for groups that take over what was written while they are culled.
    CulledFrames& getFrames() { return _frames; }

    /// The same bodies for programs that cannot be made to deform.
    PlainBodies& getPlain() { return _plain; }

    void dirtyBounds();
    void resizeGLObjectBuffers(unsigned int maxSize);
    void releaseGLObjects(osg::State* state) const;

private:
    osg::observer_ptr<osgUtil::CullVisitor> _visitor;
    MakePass _makePass;
    std::vector<std::unique_ptr<BodyPass>> _passes;
    std::size_t _used = 0;
    unsigned int _frame = 0;
    CulledFrames _frames;
    PlainBodies _plain;
};

}  // namespace osgPliant
