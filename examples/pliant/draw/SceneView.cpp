// SPDX-License-Identifier: Zlib
#include "draw/SceneView.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <osg/Geode>

#include "draw/Bounds.h"
#include "draw/JointLinks.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/ModelGeometry.h"
#include "osgPliant/Primitives.h"

namespace pliant::program {
namespace {

osg::Vec3f toFloat(const Vector3& v) {
    return osg::Vec3f(osgPliant::toOsg(v));
}

osg::Matrixd matrixOf(const btTransform& transform) {
    btScalar entries[16];
    transform.getOpenGLMatrix(entries);  // column-major for column vectors = OSG's row-major for row vectors
    return osg::Matrixd(entries);
}

osgPliant::PrimitiveLook lookOf(const scene::Colour& colour, double grid = 0.0) {
    osgPliant::PrimitiveLook look;
    look.colour.set(static_cast<float>(colour[0]), static_cast<float>(colour[1]), static_cast<float>(colour[2]), 1.0f);
    look.grid = static_cast<float>(grid);
    return look;
}

osgPliant::StageSettings stageSettings(const scene::SceneDescription& scene, double size) {
    osgPliant::StageSettings settings;
    settings.up = toFloat(scene.up());
    const Vector3 side = horizontal(scene.up());
    const Vector3 overTheShoulder = 0.45 * side + 0.85 * scene.up() - 0.35 * side.cross(scene.up());
    settings.towardsSun = toFloat(scene.light.direction ? Vector3(-*scene.light.direction) : overTheShoulder);
    settings.sunColour *= static_cast<float>(scene.light.brightness);
    settings.shadows = scene.light.shadow;
    settings.haze = static_cast<float>(0.012 / size);
    return settings;
}

/// The model with one colour in place of its own, for the picture only.
std::shared_ptr<const ReducedModel> painted(const std::shared_ptr<const ReducedModel>& model,
                                            const scene::Colour& colour) {
    const auto copy = std::make_shared<ReducedModel>(*model);
    copy->surface.colours.resize(4, 0);
    for (SurfaceMaterial& material : copy->surface.materials) {
        material.diffuse = Vector3(colour[0], colour[1], colour[2]);
        material.diffuseTexture.clear();
    }
    return copy;
}

osg::ref_ptr<osg::Geometry> drawableOf(const scene::RigidGroup& group, const SurfaceMesh& mesh) {
    const osgPliant::PrimitiveLook look = lookOf(group.colour);
    const auto radius = static_cast<float>(group.radius), height = static_cast<float>(group.height);
    switch (group.shape) {
        case scene::RigidShape::Box:
            return osgPliant::createBox(toFloat(0.5 * group.size), look);
        case scene::RigidShape::Sphere:
            return osgPliant::createSphere(radius, look);
        case scene::RigidShape::Capsule:
            return osgPliant::createCapsule(radius, height, 2, look);
        case scene::RigidShape::Cylinder:
            return osgPliant::createCylinder(radius, height, 2, look);
        case scene::RigidShape::Mesh:
            break;
    }
    std::vector<osg::Vec3f> points;
    for (int i = 0; i < mesh.vertexCount(); ++i) points.push_back(toFloat(mesh.positions.col(i)));
    std::vector<unsigned int> indices;
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c) indices.push_back(static_cast<unsigned int>(mesh.triangles(c, t)));
    return osgPliant::createTriangles(points, indices, look);
}

}  // namespace

SceneView::SceneView(const SceneWorld& world, const Models& models, const SceneViewOptions& options)
    : m_stage(new osgPliant::Stage(stageSettings(world.scene(), boundsOf(world).radius()))) {
    std::vector<int> counts(models.size(), 0);
    for (const SceneWorld::Deformable& deformable : world.deformables())
        ++counts[static_cast<std::size_t>(deformable.model)];
    for (std::size_t i = 0; i < models.size(); ++i) {
        const std::optional<scene::Colour>& colour = world.scene().models[i].colour;
        const auto model = colour ? painted(models[i], *colour) : models[i];
        m_bodies.push_back(new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), counts[i]));
        m_stage->addChild(m_bodies.back());
    }
    addRigids(world);
    if (world.scene().ground) addGround(world);
    if (options.joints && !world.joints().empty()) {
        m_links = new osgPliant::Links;
        m_stage->addChild(m_links);
    }
    follow(world);
}

void SceneView::addGround(const SceneWorld& world) {
    const scene::Ground& ground = *world.scene().ground;
    const double size = boundsOf(world).radius();
    m_stage->addChild(osgPliant::createPlane(toFloat(world.scene().up()), static_cast<float>(ground.height),
                                             static_cast<float>(40.0 * size), lookOf(ground.colour, 0.5 * size)));
}

void SceneView::addRigids(const SceneWorld& world) {
    std::vector<osg::ref_ptr<osg::Geometry>> drawables(world.scene().rigid.size());
    for (const SceneWorld::Rigid& rigid : world.rigids()) {
        osg::ref_ptr<osg::Geometry>& drawable = drawables[static_cast<std::size_t>(rigid.group)];
        if (!drawable)
            drawable =
                drawableOf(world.scene().rigid[static_cast<std::size_t>(rigid.group)], world.shapeOf(rigid).mesh);
        m_rigids.push_back(new osg::MatrixTransform);
        m_rigids.back()->setDataVariance(osg::Object::DYNAMIC);
        m_rigids.back()->addChild(drawable);
        m_stage->addChild(m_rigids.back());
    }
}

void SceneView::follow(const SceneWorld& world) {
    for (const SceneWorld::Deformable& deformable : world.deformables())
        m_bodies[static_cast<std::size_t>(deformable.model)]->setBody(deformable.numberOfKind,
                                                                      matrixOf(deformable.body->getWorldTransform()),
                                                                      deformable.body->getReducedCoordinates().data());
    for (std::size_t i = 0; i < m_rigids.size(); ++i)
        m_rigids[i]->setMatrix(matrixOf(world.rigids()[i].body->getWorldTransform()));
    if (m_links) showJoints(world, *m_links);
}

}  // namespace pliant::program
