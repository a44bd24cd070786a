// SPDX-License-Identifier: Zlib
// A node made ready to be bound to a model: transforms flattened, vertices numbered.
#pragma once

#include <osg/Geometry>
#include <osg/Node>
#include <string>
#include <vector>

#include "pliant/math/Types.h"

namespace osgPliant {

struct SkinTemplate {
    osg::ref_ptr<osg::Node> root;
    std::vector<osg::Vec3d> positions;  ///< Vertices of all geometries, mesh frame, m.
    std::vector<osg::Vec3d> normals;    ///< Vertex normals; zero where a geometry has none.
    std::vector<int> triangles;         ///< Three numbers of vertices each, of the finest levels of detail.
    int leftOut = 0;                    ///< Number of drawables that are not geometries.
    int unbound = 0;                    ///< Number of geometries without vertices of three numbers; left out, too.
    int billboards = 0;                 ///< Number of billboards that became plain groups: they do not turn to the eye.
};

/// Copies a node. Geometries get the number of their first vertex as user value "pliantOffset".
SkinTemplate makeSkinTemplate(const osg::Node& node);

/// The row of the deformation at which a geometry of a template begins.
int offsetOf(const osg::Geometry& geometry);

}  // namespace osgPliant
