// SPDX-License-Identifier: Zlib
// How what a scene describes looks: colours and materials in the terms of osgPliant.
#pragma once

#include <memory>

#include "osgPliant/Conversions.h"
#include "osgPliant/ModelGeometry.h"
#include "osgPliant/Primitives.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/scene/ModelLooks.h"
#include "pliant/scene/SceneDescription.h"

namespace osgPliant {

/// In OpenSceneGraph's single precision.
inline osg::Vec3f toFloat(const pliant::Vector3& v) {
    return osg::Vec3f(toOsg(v));
}

/// A colour, red, green and blue from 0 to 1, as a vector.
inline osg::Vec3f toFloat(const pliant::scene::Colour& colour) {
    return toFloat(pliant::Vector3(colour[0], colour[1], colour[2]));
}

/// Of one colour. @param grid the width of the cells of a grid on it, m; 0: none
PrimitiveLook lookOf(const pliant::scene::Colour& colour, double grid = 0.0);

/// Of a material, which has the colour `plain` where it tells none.
PrimitiveLook lookOf(const pliant::scene::Material& material, const pliant::scene::Colour& plain);

/// Gives `geometry` what of the scene's materials is no number of the model's: normal maps and two sides.
/// @param pairs names of the mesh's materials, each with one of the scene
void dress(const pliant::scene::SceneDescription& scene, const pliant::scene::MaterialPairs& pairs,
           ModelGeometry& geometry);

}  // namespace osgPliant
