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
        osg::Vec4f colour = osg::Vec4f(1.0f, 1.0f, 1.0f, 1.0f);  ///< multiplies that of the surface
        bool placed = false;                                     ///< setBody() was called
        bool visible = true;
    };

    std::vector<Body> bodies;
    std::vector<double> q;  ///< r a body
    int dimension = 0;

    void resize(int count) {
        bodies.resize(static_cast<std::size_t>(count));
        q.resize(bodies.size() * static_cast<std::size_t>(dimension), 0.0);
    }
    int count() const { return static_cast<int>(bodies.size()); }
    bool has(int body) const { return body >= 0 && body < count(); }
    bool drawn(int body) const {
        return has(body) && bodies[static_cast<std::size_t>(body)].placed &&
               bodies[static_cast<std::size_t>(body)].visible;
    }
    const Body& body(int i) const { return bodies[static_cast<std::size_t>(i)]; }
    Body& body(int i) { return bodies[static_cast<std::size_t>(i)]; }
    const double* qOf(int i) const {
        return q.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(dimension);
    }
    double* qOf(int i) { return q.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(dimension); }

    /// Box of body i in the node's coordinates; invalid if it is not drawn.
    osg::BoundingBoxd bound(const Deformation& deformation, int i) const;
    osg::BoundingBoxd bound(const Deformation& deformation) const;
    /// The rest frame of body i in the node's coordinates.
    osg::Matrixd nodeFromRest(const Deformation& deformation, int i) const {
        return deformation.getBodyFromRest() * body(i).worldFromBody;
    }

    /// Texels of bodies (TexelLayout.h), with scaled q.
    /// @param order  the bodies, by number
    /// @param onward from the node's coordinates to those that frames shall be in
    void pack(const Deformation& deformation, const std::vector<int>& order, const osg::Matrixd& onward,
              osg::FloatArray& texels) const;
};

}  // namespace osgPliant
