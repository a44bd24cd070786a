// SPDX-License-Identifier: Zlib
// Fewer triangles for the geometries of a skin, over the same vertices.
#pragma once

#include <map>
#include <osg/Node>
#include <osg/PrimitiveSet>
#include <osg/ref_ptr>
#include <vector>

namespace osgPliant {

/// All geometries of a skin with fewer triangles. Where geometries meet they go on meeting: they are thinned out as one
/// surface, and every corner of a triangle stays a vertex of its geometry.
struct SkinLevel {
    double error = 0.0;  ///< Largest way, at rest, of any vertex from the surface, m.
    /// Triangles of each geometry by its offset (SkinTemplate.h), possibly none; lines and points stay as they are.
    std::map<int, osg::ref_ptr<osg::DrawElementsUInt>> triangles;
};

/// Levels of a skin's template, from fine to coarse; none where the node brings levels of its own (osg::LOD) or has
/// attributes that go by primitive sets.
std::vector<SkinLevel> makeSkinLevels(const osg::Node& root);

}  // namespace osgPliant
