// SPDX-License-Identifier: Zlib
#include "existing_scene.h"

#include <osg/Fog>
#include <osg/LightSource>
#include <osg/Material>
#include <osg/ShapeDrawable>
#include <osgShadow/LightSpacePerspectiveShadowMap>
#include <osgShadow/ShadowedScene>

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

}  // namespace

ExistingScene::ExistingScene(btConstraintSolver& solver)
    : _dispatcher(&_configuration),
      _world(std::make_unique<btDiscreteDynamicsWorld>(&_dispatcher, &_broadphase, &solver, &_configuration)),
      _root(new osg::Group) {
    _world->setGravity(btVector3(0, 0, btScalar(-9.81)));
    osg::ref_ptr<osgShadow::ShadowedScene> shadowed =
        new osgShadow::ShadowedScene(new osgShadow::LightSpacePerspectiveShadowMapDB);
    _lit = shadowed;
    osg::ref_ptr<osg::LightSource> lamp = new osg::LightSource;
    lamp->getLight()->setPosition(osg::Vec4(1.0f, -1.5f, 3.0f, 0.0f));
    lamp->getLight()->setDiffuse(osg::Vec4(0.95f, 0.9f, 0.8f, 1.0f));
    _lit->addChild(lamp);
    osg::ref_ptr<osg::Fog> fog = new osg::Fog;
    fog->setMode(osg::Fog::LINEAR);
    fog->setStart(2.0f);
    fog->setEnd(9.0f);
    fog->setColor(osg::Vec4(0.2f, 0.2f, 0.4f, 1.0f));
    _root->getOrCreateStateSet()->setAttributeAndModes(fog);
    _root->addChild(_lit);
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
