// SPDX-License-Identifier: Zlib
// The bodies of a group for programs that cannot be made to deform: plain geometries that the processor deforms.
#pragma once

#include <osg/ref_ptr>
#include <osgUtil/CullVisitor>

#include "osgPliant/BodyStates.h"
#include "osgPliant/Skin.h"
#include "osgPliant/SoftwareDeformation.h"

namespace osgPliant {

/// Whether a vertex program in assembly language (osg::VertexProgram; of osgFX Cartoon and AnisotropicLighting) draws
/// what a cull visitor meets next: no text of GLSL is there that could be made to deform.
bool isDrawnByAssembly(osgUtil::CullVisitor& visitor);

/// One cull visitor's. It holds a group of its own, with the same states: the group that is drawn holds this.
class PlainBodies {
public:
    /// Puts the bodies into the cull visitor's bins. @param revision of the states: what has been shown is not moved
    /// again
    void cull(osgUtil::CullVisitor& visitor, Skin& skin, const BodyStates& states, unsigned int revision);
    void releaseGLObjects(osg::State* state) const;
    void resizeGLObjectBuffers(unsigned int maxSize);

private:
    void follow(const BodyStates& states);

    osg::ref_ptr<BodyGroup> _group;
    osg::ref_ptr<SoftwareDeformation> _plain;  ///< null until it is needed
    unsigned int _revision = 0;
};

}  // namespace osgPliant
