// SPDX-License-Identifier: Zlib
/// @file
/// Bodies as plain geometries, deformed on the processor.
#pragma once

#include <memory>
#include <osg/Group>

#include "osgPliant/BodyGroup.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// The bodies of a group as plain geometries, whose vertices are deformed on the processor: for OpenGL without texture
/// buffers or shaders, and for whoever wants triangles (exporters, other engines). Much slower than the group.
///
///     osg::ref_ptr<osgPliant::SoftwareDeformation> plain = new osgPliant::SoftwareDeformation(group);
///     scene->addChild(plain);   // in place of the group
///
/// Vertices are x = X + U q in the group's coordinates, normals N + dN q as long as N, both as bones carry them where
/// the bodies are characters. State sets, primitives and texture coordinates are those of the group's look: of a skin
/// the node's own, of a ModelGeometry materials and textures for fixed function (Stage::adopt() gives them the look of
/// a stage), multiplied by the colours of bodies. All triangles are always there: levels of detail have the same
/// vertices, and it is these that cost. Geometries stand in geodes, where exporters of every age look for them. The
/// update traversal takes over what was written to the group.
class PLIANT_API SoftwareDeformation : public osg::Group {
public:
    /// Of no group; for OpenSceneGraph's object wrappers.
    SoftwareDeformation();
    /// Of a group, which is kept and need not be in the scene.
    explicit SoftwareDeformation(const BodyGroup* group);
    /// Of the same group, with geometries of its own.
    SoftwareDeformation(const SoftwareDeformation& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, SoftwareDeformation)

        /// The group whose bodies are shown; may be null.
        const BodyGroup* getBodyGroup() const {
        return _group.get();
    }
    /// Shows the bodies as they were last written to the group. The update traversal does it by itself.
    void follow();
    /// OpenSceneGraph's traversal: update follows the group.
    void traverse(osg::NodeVisitor& visitor) override;

protected:
    ~SoftwareDeformation() override;

private:
    struct Body;
    std::unique_ptr<Body> createBody() const;

    osg::ref_ptr<const BodyGroup> _group;
    osg::ref_ptr<const osg::Referenced> _look;  ///< the Deformation that the bodies were made of
    std::vector<std::unique_ptr<Body>> _bodies;
};

}  // namespace osgPliant
