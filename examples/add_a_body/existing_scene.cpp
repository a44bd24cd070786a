// SPDX-License-Identifier: Zlib
#include "existing_scene.h"

#include <osg/Camera>
#include <osg/Depth>
#include <osg/Fog>
#include <osg/LightSource>
#include <osg/Material>
#include <osg/Program>
#include <osg/ShapeDrawable>
#include <osgShadow/ShadowedScene>
#include <osgShadow/ViewDependentShadowMap>

namespace {

osg::ref_ptr<osg::Node> createBall(double radius) {
    osg::ref_ptr<osg::ShapeDrawable> ball =
        new osg::ShapeDrawable(new osg::Sphere(osg::Vec3(), static_cast<float>(radius)));
    ball->setColor(osg::Vec4(0.7f, 0.2f, 0.15f, 1.0f));
    return ball;
}

osg::ref_ptr<osg::Node> createFloor() {
    osg::ref_ptr<osg::ShapeDrawable> floor =
        new osg::ShapeDrawable(new osg::Box(osg::Vec3(0.0f, 0.0f, -0.05f), 6.0f, 6.0f, 0.1f));
    floor->setColor(osg::Vec4(0.55f, 0.6f, 0.55f, 1.0f));
    return floor;
}

/// A second view: a map of the scene in a corner, with a shader of its own that paints heights.
osg::ref_ptr<osg::Camera> createMap() {
    osg::ref_ptr<osg::Program> heights = new osg::Program;
    heights->addShader(new osg::Shader(osg::Shader::VERTEX,
                                       "#version 120\nvarying float height;\nvoid main() {\n"
                                       "    height = 8.0 + (gl_ModelViewMatrix * gl_Vertex).z;\n"
                                       "    gl_Position = ftransform();\n}\n"));
    heights->addShader(new osg::Shader(osg::Shader::FRAGMENT,
                                       "#version 120\nvarying float height;\nvoid main() {\n"
                                       "    gl_FragColor = vec4(mix(vec3(0.1, 0.2, 0.35), vec3(1.0, 0.75, 0.2),\n"
                                       "                            clamp(height / 0.6, 0.0, 1.0)), 1.0);\n}\n"));
    osg::ref_ptr<osg::Camera> map = new osg::Camera;
    map->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
    map->setRenderOrder(osg::Camera::NESTED_RENDER);
    map->setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
    map->setViewMatrixAsLookAt(osg::Vec3d(0, 0, 8), osg::Vec3d(0, 0, 0), osg::Vec3d(0, 1, 0));
    map->setProjectionMatrix(osg::Matrixd::ortho(-5.7, 5.7, -3.2, 3.2, 1, 20) * osg::Matrixd::scale(0.45, 0.45, 1) *
                             osg::Matrixd::translate(0.72, 0.52, 0));
    osg::StateSet& state = *map->getOrCreateStateSet();
    state.setAttributeAndModes(heights, osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE);
    state.setAttributeAndModes(new osg::Depth(osg::Depth::LESS, 0.0, 0.02));  // before everything else
    return map;
}

}  // namespace

ExistingScene::ExistingScene(btConstraintSolver& solver)
    : _dispatcher(&_configuration),
      _world(std::make_unique<btDiscreteDynamicsWorld>(&_dispatcher, &_broadphase, &solver, &_configuration)),
      _root(new osg::Group) {
    _world->setGravity(btVector3(0, 0, btScalar(-9.81)));
    osg::ref_ptr<osgShadow::ShadowedScene> shadowed =
        new osgShadow::ShadowedScene(new osgShadow::ViewDependentShadowMap);
    _lit = new osg::Group;
    shadowed->addChild(_lit);
    const osg::ref_ptr<osg::Camera> map = createMap();
    map->addChild(_lit);
    osg::ref_ptr<osg::LightSource> lamp = new osg::LightSource;
    lamp->getLight()->setPosition(osg::Vec4(1.0f, -1.5f, 3.0f, 0.0f));
    lamp->getLight()->setDiffuse(osg::Vec4(0.95f, 0.9f, 0.8f, 1.0f));
    shadowed->addChild(lamp);  // of the main view alone: the map has no lights
    osg::ref_ptr<osg::Fog> fog = new osg::Fog;
    fog->setMode(osg::Fog::LINEAR);
    fog->setStart(2.0f);
    fog->setEnd(9.0f);
    fog->setColor(osg::Vec4(0.2f, 0.2f, 0.4f, 1.0f));
    _root->getOrCreateStateSet()->setAttributeAndModes(fog);
    _root->addChild(shadowed);
    _root->addChild(map);
    addGround();
    addBalls();
}

ExistingScene::~ExistingScene() {
    for (const auto& rigid : _rigids) _world->removeRigidBody(rigid.get());
}

btRigidBody& ExistingScene::addRigid(btCollisionShape* shape, double mass, const btVector3& place) {
    _shapes.emplace_back(shape);
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(static_cast<btScalar>(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape, inertia);
    info.m_startWorldTransform.setOrigin(place);
    _rigids.push_back(std::make_unique<btRigidBody>(info));
    _world->addRigidBody(_rigids.back().get());
    return *_rigids.back();
}

void ExistingScene::addGround() {
    addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0));
    _lit->addChild(createFloor());
}

void ExistingScene::addBalls() {
    const osg::ref_ptr<osg::Node> ball = createBall(0.08);
    for (int i = 0; i < 3; ++i) {
        btRigidBody& body = addRigid(new btSphereShape(btScalar(0.08)), 0.3,
                                     btVector3(btScalar(0.22 * i - 0.25), btScalar(0.1), btScalar(1.4 + 0.2 * i)));
        osg::ref_ptr<osg::MatrixTransform> place = new osg::MatrixTransform;
        place->addChild(ball);
        _lit->addChild(place);
        _moving.emplace_back(&body, place);
    }
}

void ExistingScene::advance(double seconds) {
    _world->stepSimulation(static_cast<btScalar>(seconds), 8, btScalar(1) / 240);
    for (const auto& [body, place] : _moving) {
        btScalar matrix[16];
        body->getWorldTransform().getOpenGLMatrix(matrix);
        place->setMatrix(osg::Matrixd(matrix));
    }
}
