// SPDX-License-Identifier: Zlib
/// @file
/// Drawables of the shapes that physics engines know, lit by the same shaders as the bodies. Centred at the origin.
#pragma once

#include <osg/Geometry>
#include <osg/Vec3f>
#include <osg/Vec4f>
#include <string>
#include <vector>

#include "pliant/math/Api.h"

namespace osgPliant {

/// Surface of a primitive. Colours are linear RGB(A).
struct PrimitiveLook {
    osg::Vec4f colour = osg::Vec4f(0.6f, 0.6f, 0.6f, 1.0f);  ///< Colour and opacity.
    float specular = 0.1f;                                   ///< Specular reflectance, 0..1.
    float shininess = 30.0f;                                 ///< Specular exponent.
    float grid = 0.0f;      ///< Distance between the lines of a subtle world grid, m; 0 = none.
    std::string texture;    ///< Of planes: an image that multiplies the colour; empty = none.
    std::string normalMap;  ///< Of planes: an image of normals, laid on as the texture; empty = none.
    float tile = 1.0f;      ///< Of planes: side of the square that the images are laid on, over and over, m.
    osg::Vec3f mirrorColour = osg::Vec3f(1.0f, 1.0f, 1.0f);  ///< Factor on `specular`: metals mirror in their colour.
};

/// A box by half of its sides, m.
PLIANT_API osg::ref_ptr<osg::Geometry> createBox(const osg::Vec3f& halfExtents, const PrimitiveLook& look = {});
/// A sphere by its radius, m.
PLIANT_API osg::ref_ptr<osg::Geometry> createSphere(float radius, const PrimitiveLook& look = {});
/// A cylinder.
/// @param radius m
/// @param height m
/// @param axis 0 = x, 1 = y, 2 = z
/// @param look its surface
PLIANT_API osg::ref_ptr<osg::Geometry> createCylinder(float radius, float height, int axis = 1,
                                                      const PrimitiveLook& look = {});
/// A capsule.
/// @param radius m
/// @param height between the centres of its caps, as in Bullet, m
/// @param axis 0 = x, 1 = y, 2 = z
/// @param look its surface
PLIANT_API osg::ref_ptr<osg::Geometry> createCapsule(float radius, float height, int axis = 1,
                                                     const PrimitiveLook& look = {});
/// A cone.
/// @param radius m
/// @param height m
/// @param axis 0 = x, 1 = y, 2 = z
/// @param look its surface
PLIANT_API osg::ref_ptr<osg::Geometry> createCone(float radius, float height, int axis = 1,
                                                  const PrimitiveLook& look = {});
/// A square, finely cut; visible from both sides. Receives shadows and casts none (node mask Stage::ReceivesShadow): a
/// shadow map that had to hold the ground would have few texels left for what stands on it.
/// @param normal perpendicular to it
/// @param offset along the normal, m
/// @param halfSize half of a side, m
/// @param look its surface
PLIANT_API osg::ref_ptr<osg::Geometry> createPlane(const osg::Vec3f& normal, float offset, float halfSize,
                                                   const PrimitiveLook& look = {});
/// Any triangles (counter-clockwise), flat-shaded.
/// @param points m
/// @param indices three per triangle
/// @param look their surface
PLIANT_API osg::ref_ptr<osg::Geometry> createTriangles(const std::vector<osg::Vec3f>& points,
                                                       const std::vector<unsigned int>& indices,
                                                       const PrimitiveLook& look = {});

}  // namespace osgPliant
