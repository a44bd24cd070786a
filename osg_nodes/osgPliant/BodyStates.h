// SPDX-License-Identifier: Zlib
// What a BodyGroup knows about its bodies, apart from drawing them.
#pragma once

#include <cstddef>
#include <osg/Array>
#include <osg/BoundingBox>
#include <osg/Matrixd>
#include <osg/Vec4f>
#include <vector>

#include "osgPliant/Deformation.h"

namespace osgPliant {

/// Plain values: copied as a whole from what setBody() wrote to what is drawn.
struct BodyStates {
    struct Body {
        osg::Matrixd worldFromBody;
        osg::Vec4f colour = osg::Vec4f(1.0f, 1.0f, 1.0f, 1.0f);  ///< Factor on the colour of the surface.
        bool placed = false;                                     ///< Whether setBody() was called.
        bool visible = true;
    };

    std::vector<Body> bodies;
    std::vector<double> q;                 ///< Reduced coordinates, r a body.
    std::vector<pliant::AffineMap> bones;  ///< Bone maps, B a body: body frame of the model -> the body's frame.
    int dimension = 0;
    int boneCount = 0;

    void resize(int count) {
        bodies.resize(static_cast<std::size_t>(count));
        q.resize(bodies.size() * static_cast<std::size_t>(dimension), 0.0);
        bones.resize(bodies.size() * static_cast<std::size_t>(boneCount), pliant::AffineMap::Identity());
    }
    /// Poses a character: its frame is that of the node, moved to where the first bone has taken the model's origin.
    /// @param nodeFromBones B maps
    void setBones(int i, const pliant::AffineMap* nodeFromBones);
    /// Bodies of another model stay where they are, at rest.
    void setLayout(int newDimension, int newBoneCount);
    int count() const { return static_cast<int>(bodies.size()); }
    bool has(int body) const { return body >= 0 && body < count(); }
    bool drawn(int body) const {
        return has(body) && bodies[static_cast<std::size_t>(body)].placed &&
               bodies[static_cast<std::size_t>(body)].visible;
    }
    int drawnCount() const {
        int bodiesDrawn = 0;
        for (int i = 0; i < count(); ++i) bodiesDrawn += drawn(i);
        return bodiesDrawn;
    }
    const Body& body(int i) const { return bodies[static_cast<std::size_t>(i)]; }
    Body& body(int i) { return bodies[static_cast<std::size_t>(i)]; }
    const double* qOf(int i) const {
        return q.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(dimension);
    }
    double* qOf(int i) { return q.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(dimension); }
    pliant::AffineMap* bonesOf(int i) {
        return bones.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(boneCount);
    }
    const pliant::AffineMap* bonesOf(int i) const {
        return bones.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(boneCount);
    }

    /// Box of body i in its placed frame (Deformation.h), and that frame in the node's coordinates.
    osg::BoundingBoxd placedBound(const Deformation& deformation, int i) const;
    osg::Matrixd nodeFromPlaced(const Deformation& deformation, int i) const {
        return boneCount > 0 ? body(i).worldFromBody : deformation.getBodyFromRest() * body(i).worldFromBody;
    }
    /// The drawn vertices of body i in its placed frame.
    pliant::PointsF placedPositions(const Deformation& deformation, int i) const;
    /// The B maps of body i, rest frame -> placed frame.
    std::vector<pliant::AffineMap> placedBones(const Deformation& deformation, int i) const;

    /// Box of body i in the node's coordinates; invalid if it is not drawn.
    osg::BoundingBoxd bound(const Deformation& deformation, int i) const;
    osg::BoundingBoxd bound(const Deformation& deformation) const;
    /// The rest frame of body i in the node's coordinates; of characters as their first bone carries it.
    osg::Matrixd nodeFromRest(const Deformation& deformation, int i) const;

    /// Texels of bodies (TexelLayout.h), with scaled q and the bones of their own frames.
    /// @param order  the bodies, by number
    /// @param onward from the node's coordinates to those that frames shall be in
    void pack(const Deformation& deformation, const std::vector<int>& order, const osg::Matrixd& onward,
              osg::FloatArray& texels) const;

private:
    void packBones(const Deformation& deformation, int i, float* texels) const;
};

}  // namespace osgPliant
