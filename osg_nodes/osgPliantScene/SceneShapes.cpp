// SPDX-License-Identifier: Zlib
// Shapes of rigid bodies.
#include <algorithm>

#include "osgPliant/Conversions.h"
#include "osgPliant/Primitives.h"
#include "osgPliantScene/SceneLooks.h"
#include "osgPliantScene/SceneNode.h"
#include "pliant/scene/HeightReader.h"
#include "pliant/scene/RigidSurface.h"

namespace osgPliant {
namespace {

namespace scene = pliant::scene;

/// A shape of a few numbers. @param Sized a RigidGroup or a RigidPart
template <class Sized>
osg::ref_ptr<osg::Geometry> createSimple(const Sized& sized, const PrimitiveLook& look) {
    const auto radius = static_cast<float>(sized.radius), height = static_cast<float>(sized.height);
    switch (sized.shape) {
        case scene::RigidShape::Box:
            return createBox(toFloat(0.5 * sized.size), look);
        case scene::RigidShape::Capsule:
            return createCapsule(radius, height, 2, look);
        case scene::RigidShape::Cylinder:
            return createCylinder(radius, height, 2, look);
        case scene::RigidShape::Cone:
            return createCone(radius, height, 2, look);
        case scene::RigidShape::Sphere:
        case scene::RigidShape::Mesh:
        case scene::RigidShape::Hull:
        case scene::RigidShape::MultiSphere:
        case scene::RigidShape::Compound:
        case scene::RigidShape::HeightField:
        case scene::RigidShape::Plane:
            break;
    }
    return createSphere(radius, look);
}

/// Three a triangle.
std::vector<unsigned int> indicesOf(const pliant::SurfaceMesh& mesh) {
    std::vector<unsigned int> indices;
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c) indices.push_back(static_cast<unsigned int>(mesh.triangles(c, t)));
    return indices;
}

/// Several parts as one drawable.
osg::ref_ptr<osg::Geometry> createParts(const std::vector<scene::RigidPart>& parts, const PrimitiveLook& look) {
    const osg::ref_ptr<osg::Geometry> whole = createSimple(parts[0], look);
    const osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array, normals = new osg::Vec3Array;
    const osg::ref_ptr<osg::DrawElementsUInt> triangles = new osg::DrawElementsUInt(GL_TRIANGLES);
    for (const scene::RigidPart& part : parts) {
        const osg::ref_ptr<osg::Geometry> one = createSimple(part, look);
        const auto first = static_cast<unsigned int>(positions->size());
        const osg::Matrixd place = toOsg(part.place);
        for (const osg::Vec3f& x : static_cast<const osg::Vec3Array&>(*one->getVertexArray()))
            positions->push_back(osg::Vec3f(osg::Vec3d(x) * place));
        for (const osg::Vec3f& n : static_cast<const osg::Vec3Array&>(*one->getNormalArray()))
            normals->push_back(osg::Vec3f(osg::Matrixd::transform3x3(osg::Vec3d(n), place)));
        for (const unsigned int index : static_cast<const osg::DrawElementsUInt&>(*one->getPrimitiveSet(0)))
            triangles->push_back(first + index);
    }
    whole->setVertexArray(positions);
    whole->setNormalArray(normals, osg::Array::BIND_PER_VERTEX);
    whole->setPrimitiveSet(0, triangles);
    return whole;
}

/// The convex hull of balls: of every direction of a sphere the point that is farthest along it.
osg::ref_ptr<osg::Geometry> createHullOfSpheres(const std::vector<scene::RigidPart>& parts, const PrimitiveLook& look) {
    const osg::ref_ptr<osg::Geometry> hull = createSphere(1.0f, look);
    auto& positions = static_cast<osg::Vec3Array&>(*hull->getVertexArray());
    const auto& normals = static_cast<const osg::Vec3Array&>(*hull->getNormalArray());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const osg::Vec3f n = normals[i];
        const auto reach = [&](const scene::RigidPart& part) {
            return toFloat(part.place.translation) * n + static_cast<float>(part.radius);
        };
        const auto farthest =
            std::max_element(parts.begin(), parts.end(),
                             [&](const scene::RigidPart& a, const scene::RigidPart& b) { return reach(a) < reach(b); });
        positions[i] = toFloat(farthest->place.translation) + n * static_cast<float>(farthest->radius);
    }
    return hull;
}

}  // namespace

osg::ref_ptr<osg::Geometry> createRigidShape(const scene::SceneDescription& scene, const scene::RigidGroup& group,
                                             double reach) {
    const scene::Material* material = scene.material(group.material);
    PrimitiveLook look = material ? lookOf(*material, group.colour) : lookOf(group.colour);
    if (group.shape == scene::RigidShape::Plane) {
        if (material) look.texture = material->texture;
        if (material) look.normalMap = material->normalMap;
        return createPlane(osg::Vec3f(0.0f, 0.0f, 1.0f), 0.0f, static_cast<float>(reach), look);
    }
    if (group.shape == scene::RigidShape::Compound && !group.parts.empty()) return createParts(group.parts, look);
    if (group.shape == scene::RigidShape::MultiSphere && !group.parts.empty())
        return createHullOfSpheres(group.parts, look);
    const bool isField = group.shape == scene::RigidShape::HeightField && group.heights;
    const bool isSurface = group.shape == scene::RigidShape::Mesh || group.shape == scene::RigidShape::Hull;
    if (!isField && !isSurface) return createSimple(group, look);
    const pliant::SurfaceMesh field = isField ? scene::surfaceOf(*group.heights) : pliant::SurfaceMesh();
    const pliant::SurfaceMesh& mesh = isField ? field : scene::surfaceOf(group);
    std::vector<osg::Vec3f> points;
    for (int i = 0; i < mesh.vertexCount(); ++i) points.push_back(toFloat(mesh.positions.col(i)));
    return createTriangles(points, indicesOf(mesh), look);
}

}  // namespace osgPliant
