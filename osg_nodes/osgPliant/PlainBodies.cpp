// SPDX-License-Identifier: Zlib
#include "osgPliant/PlainBodies.h"

#include <osg/Program>
#include <osg/VertexProgram>

#include "osgPliant/AppliedState.h"
#include "osgPliant/GivenBack.h"

namespace osgPliant {

bool isDrawnByAssembly(osgUtil::CullVisitor& visitor) {
    const AppliedState applied(visitor);
    if (!applied.isOn(GL_VERTEX_PROGRAM_ARB)) return false;
    const auto* program = static_cast<const osg::Program*>(applied.getAttribute(osg::StateAttribute::PROGRAM));
    return !program || program->getNumShaders() == 0;
}

void PlainBodies::follow(const BodyStates& states) {
    if (_group->getBodyCount() != states.count()) _group->setBodyCount(states.count());
    for (int i = 0; i < states.count(); ++i) {
        const BodyStates::Body& body = states.body(i);
        if (body.placed)
            _group->setBody(i, body.worldFromBody, states.qOf(i));
        else
            _group->removeBody(i);
        _group->setBodyVisible(i, body.visible);
        _group->setColour(i, body.colour);
    }
    _plain->follow();
}

void PlainBodies::cull(osgUtil::CullVisitor& visitor, Skin& skin, const BodyStates& states, unsigned int revision) {
    const bool isNew = !_plain || _group->getSkin() != &skin;
    if (isNew) {
        _group = new BodyGroup(&skin, states.count());
        _plain = new SoftwareDeformation(_group);
    }
    if (isNew || revision != _revision) follow(states);
    _revision = revision;
    _plain->accept(visitor);
}

void PlainBodies::releaseGLObjects(osg::State* state) const {
    if (_plain) giveBack(*_plain, state);
}

void PlainBodies::resizeGLObjectBuffers(unsigned int maxSize) {
    if (_plain) _plain->resizeGLObjectBuffers(maxSize);
}

}  // namespace osgPliant
