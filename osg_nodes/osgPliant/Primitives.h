// SPDX-License-Identifier: Zlib
// Drawables of the shapes that physics engines know, lit by the same shaders as the bodies. Centred at the origin.
#pragma once

#include <osg/Geometry>
#include <osg/Vec3f>
#include <osg/Vec4f>
#include <vector>

namespace osgPliant {

/// Surface of a primitive. Colours are linear RGB(A).
struct PrimitiveLook {
    osg::Vec4f colour = osg::Vec4f(0.6f, 0.6f, 0.6f, 1.0f);
    float specular = 0.1f;    ///< specular reflectance, 0..1
    float shininess = 30.0f;  ///< exponent
    float grid = 0.0f;        ///< metres between the lines of a subtle world grid; 0 = none
};

osg::ref_ptr<osg::Geometry> createBox(const osg::Vec3f& halfExtents, const PrimitiveLook& look = {});
osg::ref_ptr<osg::Geometry> createSphere(float radius, const PrimitiveLook& look = {});
/// Axes 0 = x, 1 = y, 2 = z. `height` of a capsule is between the centres of its caps, as in Bullet.
osg::ref_ptr<osg::Geometry> createCylinder(float radius, float height, int axis = 1, const PrimitiveLook& look = {});
osg::ref_ptr<osg::Geometry> createCapsule(float radius, float height, int axis = 1, const PrimitiveLook& look = {});
osg::ref_ptr<osg::Geometry> createCone(float radius, float height, int axis = 1, const PrimitiveLook& look = {});
/// Square of side 2 * halfSize, finely cut, perpendicular to `normal` and `offset` metres along it; visible from both
/// sides. Receives shadows and casts none (node mask Stage::ReceivesShadow): a shadow map that had to hold the ground
/// would have few texels left for what stands on it.
osg::ref_ptr<osg::Geometry> createPlane(const osg::Vec3f& normal, float offset, float halfSize,
                                        const PrimitiveLook& look = {});
/// Any triangles (counter-clockwise), flat-shaded. @param indices three per triangle
osg::ref_ptr<osg::Geometry> createTriangles(const std::vector<osg::Vec3f>& points,
                                            const std::vector<unsigned int>& indices, const PrimitiveLook& look = {});

}  // namespace osgPliant
