// SPDX-License-Identifier: Zlib
// What one pass of a frame (the view, a mirror, a shadow map) draws of a BodyGroup.
#pragma once

#include <osg/Array>
#include <osg/StateSet>
#include <osgUtil/CullVisitor>
#include <vector>

#include "osgPliant/BodyStates.h"
#include "osgPliant/TexelLayout.h"

namespace osgPliant {

/// A body that a pass sees.
struct SeenBody {
    int body = 0;
    double distance = 0.0;  ///< Distance of the eye from its box, m; 0 from inside.
    double depth = 0.0;     ///< Depth of its middle along the view, m.
    double pixels = 0.0;    ///< Pixels that a metre of it takes on the screen, by the scale of levels of detail.
};

/// How bodies are drawn.
struct PassSettings {
    double pixelError = 0.0;         ///< Largest error of simplified bodies, pixels.
    SumPlace sums = SumsByRenderer;  ///< Of bodies with a Skin.
    std::size_t number = 1;          ///< Of the pass among those of its cull visitor in a frame, counted from 1.
};

/// The bodies that are neither outside of the view nor too small, near ones first.
/// @param bounds of every body
std::vector<SeenBody> seenBodies(osgUtil::CullVisitor& visitor, const BodyStates& states,
                                 const std::vector<osg::BoundingBoxd>& bounds);

/// The texture buffer that tells the vertex shader where the bodies of a pass are, in the order in which they are
/// drawn.
class BodyTexels {
public:
    BodyTexels();
    /// Binds the buffer.
    void addTo(osg::StateSet& state, unsigned int unit) const;
    /// Gives the buffer back.
    void releaseGLObjects(osg::State* state) const;
    /// @param onward see BodyStates::pack()
    void pack(const Deformation& deformation, const BodyStates& states, const std::vector<int>& order,
              const osg::Matrixd& onward = osg::Matrixd()) {
        states.pack(deformation, order, onward, *_texels);
    }

    /// The scaled coordinates that pack() has written for the body of this number in the order.
    float* getCoordinates(const Deformation& deformation, std::size_t number) {
        const int each = InstanceTexels::of(deformation.getChunkCount(), deformation.getBoneCount());
        const std::size_t texel = number * static_cast<std::size_t>(each) + InstanceTexels::coordinates;
        return &(*_texels)[texel * texelWidth];
    }

private:
    osg::ref_ptr<osg::FloatArray> _texels;
    osg::ref_ptr<osg::TextureBuffer> _texture;
};

/// States by which a drawable of one instance is one body of a pass's order. What is blended is drawn so, body by body:
/// render bins put it in the order of depths among everything else that is.
class OneByOne {
public:
    /// @param number in the order
    osg::StateSet* getState(int number);
    /// Depth along the view, m, that a part of a body is blended by: as the render bin would take it of a node.
    /// @param part middle of the part at rest  @param whole that of the body at rest
    static double depthOf(const SeenBody& body, const osg::Vec3d& part, const osg::Vec3d& whole,
                          const osg::Matrixd& eyeFromRest) {
        return body.depth - osg::Matrixd::transform3x3(part - whole, eyeFromRest).z();
    }

private:
    std::vector<osg::ref_ptr<osg::StateSet>> _states;
};

/// A pass's own drawables and buffer: passes share nothing that is written in the cull traversal, and the update
/// traversal writes nothing that is drawn. So nothing is DYNAMIC, and the next frame is updated and culled while this
/// one is drawn: viewers with draw threads have two cull visitors a camera in turns, and cull with neither of them
/// before what it has culled last is drawn.
class BodyPass {
public:
    virtual ~BodyPass() = default;
    /// Puts what the pass needs into the cull visitor's bins.
    virtual void cull(osgUtil::CullVisitor& visitor, const BodyStates& states, const std::vector<SeenBody>& seen,
                      const PassSettings& settings) = 0;
    virtual void dirtyBounds() = 0;
    virtual void resizeGLObjectBuffers(unsigned int maxSize) = 0;
    virtual void releaseGLObjects(osg::State* state) const = 0;
};

}  // namespace osgPliant
