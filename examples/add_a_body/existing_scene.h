// SPDX-License-Identifier: Zlib
// A program that knows nothing of Pliant: a scene graph with lights, shadows, fog and a shader of its own, and a Bullet
// world.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <osg/MatrixTransform>
#include <vector>

class ExistingScene {
public:
    /// The world gets the solver that it is given; everything else in it is the scene's own.
    explicit ExistingScene(btConstraintSolver& solver);
    ~ExistingScene();

    btDiscreteDynamicsWorld& world() { return *_world; }
    /// What is lit and casts shadows; add nodes to it.
    osg::Group* graph() { return _lit.get(); }
    osg::Node* root() { return _root.get(); }
    /// Steps the world and moves what is in the scene.
    void advance(double seconds);

private:
    void addGround();
    void addBalls();
    btRigidBody& addRigid(btCollisionShape* shape, double mass, const btVector3& place);

    btDefaultCollisionConfiguration _configuration;
    btCollisionDispatcher _dispatcher;
    btDbvtBroadphase _broadphase;
    std::unique_ptr<btDiscreteDynamicsWorld> _world;
    std::vector<std::unique_ptr<btCollisionShape>> _shapes;
    std::vector<std::unique_ptr<btRigidBody>> _rigids;
    std::vector<std::pair<btRigidBody*, osg::ref_ptr<osg::MatrixTransform>>> _moving;
    osg::ref_ptr<osg::Group> _root, _lit;
};
